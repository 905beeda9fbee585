/* Parallel transport, curvature and holonomy of a discrete curve [Bergou et al., Discrete Elastic
 * Rods, 2008, sections 4.2 and 6]. Tangents are unit vectors. Two antiparallel tangents, a curve
 * that turns back on itself, have no transport and infinite curvature: the functions say so. */
#ifndef CORDAGE_CURVE_TRANSPORT_H
#define CORDAGE_CURVE_TRANSPORT_H

#include "math/trig.h"
#include "math/vec3.h"

#include <stdbool.h>

/* r = R x, R the rotation about b = t0 × t1 that takes t0 to t1. With c = t0 · t1:
 *     R x = c x + b × x + b (b · x)/(1 + c)
 * Antiparallel: false, and r is x. r may be x. */
static inline bool transport(double *r, const double *t0, const double *t1, const double *x)
{
    double b[3], turned[3];
    v3_cross(b, t0, t1);
    double c = v3_dot(t0, t1), one_plus = 1 + c;
    if (!(one_plus > 0)) {
        v3_copy(r, x);
        return false;
    }
    double along = v3_dot(b, x) / one_plus;
    v3_cross(turned, b, x);
    for (int i = 0; i < 3; i++) r[i] = c * x[i] + turned[i] + along * b[i];
    return true;
}

/* κb = 2 t0 × t1 / (1 + t0 · t1): along the axis of turning, of length 2 tan(φ/2) for a turn by φ.
 * Antiparallel: false, and κb is zero. */
static inline bool curvature_binormal(double *kb, const double *t0, const double *t1)
{
    double one_plus = 1 + v3_dot(t0, t1);
    bool exists = one_plus > 0;
    v3_cross(kb, t0, t1);
    v3_scale(kb, exists ? 2 / one_plus : 0, kb);
    return exists;
}

/* (κb)_i = 2 e^{i-1} × e^i / (|e^{i-1}||e^i| + e^{i-1}·e^i)   [DER 2008, eq. 1]
 * l0, l1: the edges' lengths, at rest there as here where edges do not stretch. Antiparallel: false,
 * and κb is zero. */
static inline bool curvature_binormal_of_edges(double *kb, const double *e0, double l0,
                                               const double *e1, double l1)
{
    double denominator = l0 * l1 + v3_dot(e0, e1);
    bool exists = denominator > 0;
    v3_cross(kb, e0, e1);
    v3_scale(kb, exists ? 2 / denominator : 0, kb);
    return exists;
}

/* The angle about t from p to q, both normal to t, in (−π, π]. */
static inline double angle_about(const double *t, const double *p, const double *q)
{
    double cross[3];
    v3_cross(cross, p, q);
    double angle = angle_of(v3_dot(t, cross), v3_dot(p, q));
    return angle == -3.14159265358979323846 ? -angle : angle; /* atan2 gives −π just below */
}

/* The angle about t1 from m0 (normal to t0), transported to t1, to m1 (normal to t1), in (−π, π]:
 * the twist between two frames. NaN for antiparallel tangents. */
static inline double transport_angle(const double *t0, const double *m0, const double *t1,
                                     const double *m1)
{
    double p[3];
    if (!transport(p, t0, t1, m0)) return NAN;
    return angle_about(t1, p, m1);
}

/* The same on the branch nearest to `near`: twists are followed beyond half a turn. */
static inline double transport_angle_near(const double *t0, const double *m0, const double *t1,
                                          const double *m1, double near)
{
    const double turn = 6.283185307179586476925;
    double angle = transport_angle(t0, m0, t1, m1);
    return angle + turn * nearbyint((near - angle) / turn);
}

/* Turn the unit normal m of t by `angle` about t, and make it a unit normal again. */
static inline void turn_about(double *m, const double *t, double angle)
{
    if (angle != 0) {
        double n[3], sine, cosine;
        v3_cross(n, t, m);
        sin_cos(angle, &sine, &cosine);
        v3_combine(m, cosine, m, sine, n);
    }
    v3_axpy(m, -v3_dot(m, t), t);
    v3_normalize(m, m);
}

/* ∇ψ of the holonomy below with respect to the three vertices of two edges of lengths l0, l1:
 *     ∇_{i−1} ψ = κb/(2 l0),  ∇_{i+1} ψ = −κb/(2 l1),  ∇_i ψ = −(∇_{i−1} + ∇_{i+1}) ψ   [eq. 9]
 * This sign is that of cord__holonomy(): when the curve moves and the first edge's frame is carried
 * along in time, the Bishop frame of the second edge turns by +ψ about its tangent against one
 * carried in time there. */
static inline void holonomy_gradient(const double *kb, double l0, double l1, double *before,
                                     double *here, double *after)
{
    v3_scale(before, 0.5 / l0, kb);
    v3_scale(after, -0.5 / l1, kb);
    v3_scale(here, 0.5 / l1 - 0.5 / l0, kb);
}

/* The holonomy ψ of moving two edges with tangents t0, t1 to s0, s1: a vector normal to t0 carried
 * along t0 -> s0 -> s1 -> t1 -> t0 comes back turned by ψ about t0. This way round has the gradient
 * of eq. 9 and the angle Ψ of section 6.1; the product written in eq. 8 goes the opposite way and
 * gives −ψ. In (−π, π]; NaN where a transport on the way does not exist. */
double cord__holonomy(const double *t0, const double *t1, const double *s0, const double *s1);

/* Twist-free (Bishop) frames: u[0] is u0 made normal to the first tangent and unit, and each next
 * one is the one before transported; made normal and unit again, so that rounding does not add up
 * along the curve. tangents, u: 3 × n. Returns the number of frames made: less than n where the
 * tangent of that number is antiparallel to the one before it. u0 must not be along the first
 * tangent. */
int cord__bishop_frames(int n, const double *tangents, const double *u0, double *u);

#endif
