/* The Darboux problem by power series from the left end with adaptive piecewise summation: the
 * algorithm of Casati and Bertails-Descoubes, "Super Space Clothoids" (2013), sections 5 and 6. */
#ifndef CORDAGE_CURVE_DARBOUX_PAPER_H
#define CORDAGE_CURVE_DARBOUX_PAPER_H

#include "curve/darboux.h"

/* The paper's choices: M in (14), and the size of a term below which the sum ends. */
#define DARBOUX_PAPER_LIMIT 10.0
#define DARBOUX_PAPER_PRECISION 1.1e-16

/* r = a [κ]× for matrices by columns: each row of r is a row of a crossed with κ. */
static inline void times_cross(double r[9], const double a[9], const double k[3])
{
    for (int i = 0; i < 3; i++) {
        r[i] = a[3 + i] * k[2] - a[6 + i] * k[1];
        r[3 + i] = a[6 + i] * k[0] - a[i] * k[2];
        r[6 + i] = a[i] * k[1] - a[3 + i] * k[0];
    }
}

/* R_{n+1}(s) = s/(n+1) (R_n(s) [κ]× + s R_{n−1}(s) [γ]×), the general term   [2013, eq. 10] */
static inline void darboux_next_term(double next[9], int n, double s, const double term[9],
                                     const double before[9], const double kappa[3],
                                     const double slope[3])
{
    double a[9], b[9];
    times_cross(a, term, kappa);
    times_cross(b, before, slope);
    for (int i = 0; i < 9; i++) next[i] = s / (n + 1) * (a[i] + s * b[i]);
}

/* s_max of (14): how far the series from a point of curvature κ may be summed. */
double cord__darboux_safe_length(const double kappa[3], const double slope[3], double limit);

/* As cord__darboux_frames(), for any length. */
void cord__darboux_paper_frames(const curvature *k, double length, const double start[4], int n,
                                const double *x, double *frames, double end[4]);

#endif
