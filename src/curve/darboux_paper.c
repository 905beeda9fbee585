#include "curve/darboux_paper.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

/* Beyond this many terms the sum is given up; piecewise summation needs about 50. */
enum { MOST_TERMS = 2000 };

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* A(s) = 2s (‖κ‖∞ + s‖γ‖∞) <= M   [2013, eqs. 11, 14] */
double cord__darboux_safe_length(const double kappa[3], const double slope[3], double limit)
{
    double size = largest(kappa, 3), rise = largest(slope, 3);
    if (rise > 0) return (sqrt(size * size + 2 * limit * rise) - size) / (2 * rise);
    return size > 0 ? limit / (2 * size) : INFINITY;
}

/* r = a [κ]×, matrices by columns: the rows of a crossed with κ from the left */
static void times_cross(double r[9], const double a[9], const double k[3])
{
    for (int i = 0; i < 3; i++) {
        r[i] = a[3 + i] * k[2] - a[6 + i] * k[1];
        r[3 + i] = a[6 + i] * k[0] - a[i] * k[2];
        r[6 + i] = a[i] * k[1] - a[3 + i] * k[0];
    }
}

/* R_{n+1}(s) = s/(n+1) (R_n(s) [κ]× + s R_{n−1}(s) [γ]×), the general term   [2013, eq. 10] */
static void next_term(double next[9], int n, double s, const double term[9], const double before[9],
                      const double kappa[3], const double slope[3])
{
    double a[9], b[9];
    times_cross(a, term, kappa);
    times_cross(b, before, slope);
    for (int i = 0; i < 9; i++) next[i] = s / (n + 1) * (a[i] + s * b[i]);
}

/* naiveSumDarboux: frame and place at a distance s from where they are `frame` and `place`. The sum
 * ends with two terms below `precision`: one alone may vanish, as the second does where κ = 0. */
static void sum_series(const double kappa[3], const double slope[3], double s, double precision,
                       double frame[9], double place[3])
{
    double terms[3][9] = {{0}}, *before = terms[0], *term = terms[1], *next = terms[2];
    double size = INFINITY, last = INFINITY;
    memcpy(term, frame, sizeof terms[1]);
    for (int n = 0; n < MOST_TERMS; n++) {
        for (int i = 0; n > 0 && i < 9; i++) frame[i] += term[i];
        v3_axpy(place, s / (n + 1), term); /* r_{n+1}(s) = s/(n+1) R_n(s) e₁   [eq. 9b] */
        last = size, size = largest(term, 9);
        if (!(size > precision || last > precision)) break;
        next_term(next, n, s, term, before, kappa, slope);
        double *free = before;
        before = term, term = next, next = free;
    }
}

/* adaptivePiecewiseSumDarboux   [2013, section 6.3] */
int cord__darboux_paper_at(const curvature *k, double u, const double R0[9], double limit,
                           double precision, double R[9], double r[3])
{
    double frame[9], place[3] = {0, 0, 0}, from = 0;
    memcpy(frame, R0, sizeof frame);
    for (int count = 1;; count++) {
        double kappa[3];
        v3_combine(kappa, 1, k->start, from, k->slope);
        double to = from + cord__darboux_safe_length(kappa, k->slope, limit);
        bool last = !(to < u && to > from);
        sum_series(kappa, k->slope, (last ? u : to) - from, precision, frame, place);
        from = to;
        if (!last) continue;
        if (R) memcpy(R, frame, sizeof frame);
        if (r) v3_copy(r, place);
        return count;
    }
}

/* ---- frames at nodes -------------------------------------------------------------------------- */

enum { PART_TERMS = 80 }; /* M = 10 needs about 50 */

/* The general terms of one subinterval of length s; returns how many. */
static int part_terms(const double frame[9], const double kappa[3], const double slope[3], double s,
                      double terms[][9])
{
    const double nothing[9] = {0}, precision = DARBOUX_PAPER_PRECISION;
    memcpy(terms[0], frame, sizeof terms[0]);
    int n = 0;
    double size = INFINITY, last = INFINITY;
    for (; n + 1 < PART_TERMS; n++) {
        last = size, size = largest(terms[n], 9);
        if (!(size > precision || last > precision)) break;
        next_term(terms[n + 1], n, s, terms[n], n > 0 ? terms[n - 1] : nothing, kappa, slope);
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

void cord__darboux_paper_frames(const curvature *k, double length, const double start[4], int n,
                                const double *x, double *frames, double end[4])
{
    double frame[9], terms[PART_TERMS][9], from = 0;
    q4_matrix(frame, start);
    for (int i = 0, last = 0; !last;) {
        double kappa[3];
        v3_combine(kappa, 1, k->start, from, k->slope);
        double to = from + cord__darboux_safe_length(kappa, k->slope, DARBOUX_PAPER_LIMIT);
        last = !(to < length && to > from);
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
