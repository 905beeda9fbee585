/* The power series of the Darboux problem from the left end, summed at one point: the naive and the
 * adaptive summation of [SSC 2013], and the sizes of the terms in its Fig. 4. */
#ifndef CORDAGE_VALIDATION_BASELINES_DARBOUX_SERIES_H
#define CORDAGE_VALIDATION_BASELINES_DARBOUX_SERIES_H

#include "curve/darboux.h"

/* cord__darboux_at() by series. `limit` is M of [SSC 2013, eq. 14], INFINITY for the naive
 * summation over the whole length; `precision` is the size of a term below which a sum ends.
 * Returns the number of subintervals. */
int cord__darboux_piecewise_at(const curvature *k, double u, const double R0[9], double limit,
                               double precision, double R[9], double r[3]);

/* ‖R_n(s)‖∞ of the general term, for n < count, from R₀ = I. */
void cord__darboux_term_sizes(const curvature *k, double s, int count, double *sizes);

/* Their bound, max_n A(s)ⁿ/n! with A(s) = 2s (‖κ(0)‖∞ + s‖γ‖∞)   [SSC 2013, eq. 12] */
double cord__darboux_term_bound(const curvature *k, double s);

#endif
