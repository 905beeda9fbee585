/* Numerical integration of the Darboux problem: the integrators that [SSC 2013] compares its series
 * with, and the quadrature of planar clothoids of [SC 2012]. */
#ifndef CORDAGE_VALIDATION_BASELINES_DARBOUX_INTEGRATORS_H
#define CORDAGE_VALIDATION_BASELINES_DARBOUX_INTEGRATORS_H

#include "curve/darboux.h"

typedef enum darboux_integrator {
    DARBOUX_EULER,     /* explicit Euler, order 1 */
    DARBOUX_LIE_EULER, /* order 1 on the rotation group: R ← R exp(h [κ]×) */
    DARBOUX_RK2,       /* explicit midpoint, order 2 */
    DARBOUX_RK4,       /* the classical Runge-Kutta method, order 4 */
} darboux_integrator;

/* cord__darboux_at() in `steps` equal steps. */
void cord__darboux_integrate(darboux_integrator method, const curvature *k, double u,
                             const double R0[9], int steps, double R[9], double r[3]);

/* In the plane: the end (x, y) of the clothoid of curvature start + u slope from the origin in the
 * direction θ₀, by Romberg quadrature to a relative precision. Returns the number of evaluations of
 * the tangent, −1 if 2²² intervals do not reach the precision. */
int cord__clothoid_romberg(double start, double slope, double u, double theta0, double precision,
                           double *x, double *y);

#endif
