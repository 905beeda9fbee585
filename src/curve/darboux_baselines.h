/* Other ways to solve the Darboux problem, for comparison only: the integrators that the 2013 paper
 * (Casati and Bertails-Descoubes) compares with, the quadrature of the planar predecessor
 * (Bertails-Descoubes 2012), and the sizes behind the paper's Fig. 4. Its naive summation is
 * cord__darboux_paper_at() with an infinite limit. */
#ifndef CORDAGE_CURVE_DARBOUX_BASELINES_H
#define CORDAGE_CURVE_DARBOUX_BASELINES_H

#include "curve/darboux.h"

typedef enum darboux_integrator {
    DARBOUX_EULER,     /* order 1 */
    DARBOUX_LIE_EULER, /* order 1, stays on the rotations: R ← R exp(h [κ]×) */
    DARBOUX_RK2,       /* order 2, midpoint */
    DARBOUX_RK4,       /* order 4, classical */
} darboux_integrator;

/* As cord__darboux_at(), in `steps` equal steps. */
void cord__darboux_integrate(darboux_integrator method, const curvature *k, double u,
                             const double R0[9], int steps, double R[9], double r[3]);

/* In the plane: the end (x, y) of the clothoid of curvature start + u slope that begins at the origin
 * in the direction θ₀, by Romberg's quadrature to a relative precision. Returns the number of
 * evaluations of the tangent; −1 when 2²² are not enough. */
int cord__clothoid_romberg(double start, double slope, double u, double theta0, double precision,
                           double *x, double *y);

/* ‖R_n(s)‖∞ of the general term of the series from the left end, for n < count, from R₀ = I. */
void cord__darboux_term_sizes(const curvature *k, double s, int count, double *sizes);

/* The bound of all of them, max_n A(s)ⁿ/n! with A(s) = 2s (‖κ(0)‖∞ + s‖γ‖∞)   [2013, eq. 12] */
double cord__darboux_term_bound(const curvature *k, double s);

#endif
