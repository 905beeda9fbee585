/* Coulomb's law, condition by condition, for comparison with solvers. */
#ifndef CORDAGE_TESTS_COULOMB_LAW_H
#define CORDAGE_TESTS_COULOMB_LAW_H

#include <math.h>

/* The largest violation in units of force, with D the mobility that makes a velocity a force: force in the cone, no approach,
 * no force on a contact that opens, and friction of magnitude μ p_N against the slip. */
static inline double coulomb_violation(double mobility, double friction, const double *p,
                                       const double *u)
{
    double tangential = hypot(p[1], p[2]), slip = hypot(u[1], u[2]), limit = friction * p[0];
    double worst = fmax(-p[0], tangential - limit);
    worst = fmax(worst, -u[0] / mobility);
    worst = fmax(worst, fmin(p[0], u[0] / mobility));
    if (slip > 0) { /* either no slip, or friction that opposes it */
        double x = p[1] + limit * u[1] / slip, y = p[2] + limit * u[2] / slip;
        worst = fmax(worst, hypot(x, y) * slip / (slip + mobility * limit));
    }
    return worst;
}

#endif
