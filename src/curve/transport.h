/* Parallel transport and curvature of a discrete curve [DER 2008, sec. 4.2]. Tangents are unit
 * vectors. Two antiparallel tangents (a curve that reverses its direction) have no transport and
 * infinite curvature: the functions return false or NaN. */
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
    double b[3], b_cross_x[3];
    v3_cross(b, t0, t1);
    double c = v3_dot(t0, t1), one_plus = 1 + c;
    if (!(one_plus > 0)) {
        v3_copy(r, x);
        return false;
    }
    double along = v3_dot(b, x) / one_plus;
    v3_cross(b_cross_x, b, x);
    for (int i = 0; i < 3; i++) r[i] = c * x[i] + b_cross_x[i] + along * b[i];
    return true;
}

/* κb = 2 t0 × t1 / (1 + t0 · t1)   [DER 2008, eq. 1]: along the rotation axis, of length 2 tan(φ/2)
 * for an angle φ between the tangents. Antiparallel: false, and κb is zero. */
static inline bool curvature_binormal(double *kb, const double *t0, const double *t1)
{
    double one_plus = 1 + v3_dot(t0, t1);
    bool exists = one_plus > 0;
    v3_cross(kb, t0, t1);
    v3_scale(kb, exists ? 2 / one_plus : 0, kb);
    return exists;
}

/* The angle about t from p to q, both normal to t, in (−π, π]. */
static inline double angle_about(const double *t, const double *p, const double *q)
{
    double cross[3];
    v3_cross(cross, p, q);
    double angle = angle_of(v3_dot(t, cross), v3_dot(p, q));
    return angle == -3.14159265358979323846 ? -angle : angle; /* atan2 returns −π for −0 */
}

/* The twist between two frames: the angle about t1 from m0 (normal to t0), transported to t1, to m1
 * (normal to t1), in (−π, π]. NaN for antiparallel tangents. */
static inline double transport_angle(const double *t0, const double *m0, const double *t1,
                                     const double *m1)
{
    double p[3];
    if (!transport(p, t0, t1, m0)) return NAN;
    return angle_about(t1, p, m1);
}

/* The twist on the branch nearest to `near`: twist is tracked beyond half a revolution. */
static inline double transport_angle_near(const double *t0, const double *m0, const double *t1,
                                          const double *m1, double near)
{
    const double rotation = 6.283185307179586476925;
    double angle = transport_angle(t0, m0, t1, m1);
    return angle + rotation * nearbyint((near - angle) / rotation);
}

/* Rotates the unit normal m of t by `angle` about t: m cos θ + (t × m) sin θ; then makes it a unit
 * normal again against round-off. */
static inline void rotate_about(double *m, const double *t, double angle)
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

#endif
