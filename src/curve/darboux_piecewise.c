#include "curve/darboux_piecewise.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* A(s) = 2s (‖κ‖∞ + s‖γ‖∞) <= M   [SSC 2013, eqs. 11, 14] */
double cord__darboux_safe_length(const double kappa[3], const double slope[3], double limit)
{
    double size = largest(kappa, 3), rise = largest(slope, 3);
    if (rise > 0) return (sqrt(size * size + 2 * limit * rise) - size) / (2 * rise);
    return size > 0 ? limit / (2 * size) : INFINITY;
}

enum { PART_TERMS = 80 }; /* about 50 are needed for M = 10 */

/* The general terms of one subinterval of length s; returns how many. */
static int part_terms(const double frame[9], const double kappa[3], const double slope[3], double s,
                      double terms[][9])
{
    const double zero[9] = {0}, precision = DARBOUX_SERIES_PRECISION;
    memcpy(terms[0], frame, sizeof terms[0]);
    int n = 0;
    double size = INFINITY, last = INFINITY;
    for (; n + 1 < PART_TERMS; n++) {
        last = size, size = largest(terms[n], 9);
        if (!(size > precision || last > precision)) break;
        darboux_next_term(terms[n + 1], n, s, terms[n], n > 0 ? terms[n - 1] : zero, kappa, slope);
    }
    return n + 1;
}

/* Σ terms_n tⁿ by Horner's rule */
static void evaluate(double frame[9], double terms[][9], int count, double t)
{
    memcpy(frame, terms[count - 1], sizeof terms[0]);
    for (int n = count - 2; n >= 0; n--)
        for (int i = 0; i < 9; i++) frame[i] = frame[i] * t + terms[n][i];
}

/* adaptivePiecewiseSumDarboux: each subinterval is as long as eq. 14 allows   [SSC 2013, sec. 6.3] */
void cord__darboux_piecewise_frames(const curvature *k, double length, const double start[4], int n,
                                    const double *x, double *frames, double end[4])
{
    double frame[9], terms[PART_TERMS][9], from = 0;
    q4_matrix(frame, start);
    for (int i = 0, part = 0, last = 0; !last; part++) {
        double kappa[3];
        v3_combine(kappa, 1, k->start, from, k->slope);
        double to = from + cord__darboux_safe_length(kappa, k->slope, DARBOUX_SERIES_LIMIT);
        last = !(to < length && to > from && part < MAX_PARTS);
        if (last) to = length;
        double s = to - from;
        int count = part_terms(frame, kappa, k->slope, s, terms);
        for (; i < n; i++) {
            double at = 0.5 * length * (1 + x[i]) - from;
            if (at > s && !last) break;
            evaluate(frames + 9 * i, terms, count, s > 0 ? at / s : 0);
        }
        evaluate(frame, terms, count, 1);
        from = to;
    }
    cord__rotation_quaternion(end, frame);
}
