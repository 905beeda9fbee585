#include "validation/baselines/darboux_series.h"
#include "curve/darboux_piecewise.h"
#include "math/vec3.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A sum ends after this many terms even if it has not converged; piecewise summation needs about 50. */
enum { MOST_TERMS = 2000 };

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i]));
    return most;
}

/* R(s) = Σ R_n(s),  r(s) = Σ s/(n+1) R_n(s) e₁   [SSC 2013, eq. 9; naiveSumDarboux] `frame` and
 * `position` are the values at the start and become those at the distance s. The sum ends after two
 * consecutive terms below `precision`: a single term may vanish, as the second does for κ = 0. */
static void sum_series(const double kappa[3], const double slope[3], double s, double precision,
                       double frame[9], double position[3])
{
    double terms[3][9] = {{0}}, *before = terms[0], *term = terms[1], *next = terms[2];
    double size = INFINITY, last = INFINITY;
    memcpy(term, frame, sizeof terms[1]);
    for (int n = 0; n < MOST_TERMS; n++) {
        for (int i = 0; n > 0 && i < 9; i++) frame[i] += term[i];
        v3_axpy(position, s / (n + 1), term);
        last = size, size = largest(term, 9);
        if (!(size > precision || last > precision)) break;
        darboux_next_term(next, n, s, term, before, kappa, slope);
        double *free = before;
        before = term, term = next, next = free;
    }
}

/* Each subinterval ends where A(s) = 2s (‖κ‖∞ + s‖γ‖∞) reaches M, with κ at its start [SSC 2013,
 * eq. 14, sec. 6.3; adaptivePiecewiseSumDarboux] */
int cord__darboux_piecewise_at(const curvature *k, double u, const double R0[9], double limit,
                               double precision, double R[9], double r[3])
{
    double frame[9], position[3] = {0, 0, 0}, from = 0;
    memcpy(frame, R0, sizeof frame);
    for (int count = 1;; count++) {
        double kappa[3];
        v3_combine(kappa, 1, k->start, from, k->slope);
        double to = from + cord__darboux_safe_length(kappa, k->slope, limit);
        bool last = !(to < u && to > from);
        sum_series(kappa, k->slope, (last ? u : to) - from, precision, frame, position);
        from = to;
        if (!last) continue;
        if (R) memcpy(R, frame, sizeof frame);
        if (r) v3_copy(r, position);
        return count;
    }
}

void cord__darboux_term_sizes(const curvature *k, double s, int count, double *sizes)
{
    double before[9] = {0}, term[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, next[9];
    for (int n = 0; n < count; n++) {
        sizes[n] = largest(term, 9);
        darboux_next_term(next, n, s, term, before, k->start, k->slope);
        memcpy(before, term, sizeof term);
        memcpy(term, next, sizeof term);
    }
}

/* Aⁿ/n! is largest at n = ⌊A⌋. */
double cord__darboux_term_bound(const curvature *k, double s)
{
    double a = 2 * s * (largest(k->start, 3) + s * largest(k->slope, 3)), n = floor(a);
    return n > 0 ? exp(n * log(a) - lgamma(n + 1)) : 1;
}
