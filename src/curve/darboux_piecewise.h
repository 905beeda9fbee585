/* The Darboux problem by power series from the left end with adaptive piecewise summation: the
 * algorithm of [SSC 2013, sec. 5 and 6]. */
#ifndef CORDAGE_CURVE_DARBOUX_PIECEWISE_H
#define CORDAGE_CURVE_DARBOUX_PIECEWISE_H

#include "curve/darboux.h"

/* M of [SSC 2013, eq. 14], and the size of a term below which the sum ends. */
#define DARBOUX_SERIES_LIMIT 10.0
#define DARBOUX_SERIES_PRECISION 1.1e-16

/* r = a [κ]× for matrices by columns: each row of r is the cross product of a row of a with κ. */
static inline void times_cross(double r[9], const double a[9], const double k[3])
{
    for (int i = 0; i < 3; i++) {
        r[i] = a[3 + i] * k[2] - a[6 + i] * k[1];
        r[3 + i] = a[6 + i] * k[0] - a[i] * k[2];
        r[6 + i] = a[i] * k[1] - a[3 + i] * k[0];
    }
}

/* R_{n+1}(s) = s/(n+1) (R_n(s) [κ]× + s R_{n−1}(s) [γ]×), the general term   [SSC 2013, eq. 10] */
static inline void darboux_next_term(double next[9], int n, double s, const double term[9],
                                     const double before[9], const double kappa[3],
                                     const double slope[3])
{
    double a[9], b[9];
    times_cross(a, term, kappa);
    times_cross(b, before, slope);
    for (int i = 0; i < 9; i++) next[i] = s / (n + 1) * (a[i] + s * b[i]);
}

/* s_max of [SSC 2013, eq. 14]: the longest interval over which the series may be summed from a
 * point of curvature κ. */
double cord__darboux_safe_length(const double kappa[3], const double slope[3], double limit);

/* The frames of cord__darboux_frames(), for any length. */
void cord__darboux_piecewise_frames(const curvature *k, double length, const double start[4], int n,
                                    const double *x, double *frames, double end[4]);

#endif
