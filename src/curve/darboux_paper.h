/* The Darboux problem by power series from the left end with adaptive piecewise summation: the
 * algorithm of Casati and Bertails-Descoubes, "Super Space Clothoids" (2013), sections 5 and 6. */
#ifndef CORDAGE_CURVE_DARBOUX_PAPER_H
#define CORDAGE_CURVE_DARBOUX_PAPER_H

#include "curve/darboux.h"

/* The paper's choices: M in (14), and the size of a term below which the sum ends. */
#define DARBOUX_PAPER_LIMIT 10.0
#define DARBOUX_PAPER_PRECISION 1.1e-16

/* s_max of (14): how far the series from a point of curvature κ may be summed. */
double cord__darboux_safe_length(const double kappa[3], const double slope[3], double limit);

/* As cord__darboux_at(); `limit` is M, INFINITY for a single summation (the paper's naive one).
 * Returns the number of subintervals. */
int cord__darboux_paper_at(const curvature *k, double u, const double R0[9], double limit,
                           double precision, double R[9], double r[3]);

/* As cord__darboux_frames(), for any length. */
void cord__darboux_paper_frames(const curvature *k, double length, const double start[4], int n,
                                const double *x, double *frames, double end[4]);

#endif
