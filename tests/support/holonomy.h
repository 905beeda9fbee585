/* Holonomy of a discrete curve, for comparison of forces and parallel transport with [Bergou et
 * al., Discrete Elastic Rods, 2008, sections 4.2 and 6]. */
#ifndef CORDAGE_TESTS_SUPPORT_HOLONOMY_H
#define CORDAGE_TESTS_SUPPORT_HOLONOMY_H

#include "curve/transport.h"

/* (κb)_i = 2 e^{i-1} × e^i / (|e^{i-1}||e^i| + e^{i-1}·e^i)   [DER 2008, eq. 1]
 * l0, l1: the edges' lengths, which are those at rest where edges do not stretch. Antiparallel edges:
 * false, and κb is zero. */
static inline bool curvature_binormal_of_edges(double *kb, const double *e0, double l0,
                                               const double *e1, double l1)
{
    double denominator = l0 * l1 + v3_dot(e0, e1);
    bool exists = denominator > 0;
    v3_cross(kb, e0, e1);
    v3_scale(kb, exists ? 2 / denominator : 0, kb);
    return exists;
}

/* The holonomy ψ of moving two edges with tangents t0, t1 to s0, s1: a vector normal to t0 transported
 * along t0 -> s0 -> s1 -> t1 -> t0 is rotated by ψ about t0. This orientation has the gradient of eq. 9
 * and the angle Ψ of section 6.1; the product written in eq. 8 has the opposite one and gives −ψ. In
 * (−π, π]; NaN where one of the transports does not exist. */
static inline double holonomy(const double *t0, const double *t1, const double *s0,
                              const double *s1)
{
    double start[3], x[3];
    v3_any_normal(start, t0);
    bool exists = transport(x, t0, s0, start) && transport(x, s0, s1, x) &&
                  transport(x, s1, t1, x) && transport(x, t1, t0, x);
    return exists ? angle_about(t0, start, x) : NAN;
}

/* ∇ψ with respect to the three vertices of two edges of lengths l0, l1:
 *     ∇_{i−1} ψ = κb/(2 l0),  ∇_{i+1} ψ = −κb/(2 l1),  ∇_i ψ = −(∇_{i−1} + ∇_{i+1}) ψ   [eq. 9]
 * The sign is that of holonomy(): when the curve moves and the first edge's frame is transported in time,
 * the Bishop frame of the second edge rotates by +ψ about its tangent relative to one transported in time. */
static inline void holonomy_gradient(const double *kb, double l0, double l1, double *before,
                                     double *here, double *after)
{
    v3_scale(before, 0.5 / l0, kb);
    v3_scale(after, -0.5 / l1, kb);
    v3_scale(here, 0.5 / l1 - 0.5 / l0, kb);
}

#endif
