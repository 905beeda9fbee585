#include "bench/baselines/band_lu.h"

#include <math.h>

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* P A = L U by rows: for each column k the row of the largest |a_ik| is exchanged with row k, then
 *     l_ik = a_ik/u_kk,   a_ij ← a_ij − l_ik u_kj   [Golub and Van Loan, Matrix Computations, sec. 4.3] */
int cord__band_lu_factor(int n, int width, double *a, int *pivot)
{
    int last_column = 0; /* last column with an entry of U in rows 0 … k */
    for (int k = 0; k < n; k++) {
        int last = least(n - 1, k + width), best = k;
        for (int i = k + 1; i <= last; i++)
            if (fabs(a[band_lu_at(width, i, k)]) > fabs(a[band_lu_at(width, best, k)])) best = i;
        pivot[k] = best;
        double *top = a + band_lu_at(width, k, k), *chosen = a + band_lu_at(width, best, k);
        if (!(fabs(*chosen) > 0) || !isfinite(*chosen)) return k;
        if (best + width > last_column) last_column = least(n - 1, best + width);
        int count = last_column - k;
        for (int c = 0; best != k && c <= count; c++) {
            double other = top[c];
            top[c] = chosen[c], chosen[c] = other;
        }
        for (int i = k + 1; i <= last; i++) {
            double *restrict row = a + band_lu_at(width, i, k);
            if (row[0] == 0) continue;
            double factor = row[0] /= top[0];
            for (int c = 1; c <= count; c++) row[c] -= factor * top[c];
        }
    }
    return -1;
}

/* L y = P b, then U x = y */
void cord__band_lu_solve(int n, int width, const double *a, const int *pivot, double *b)
{
    for (int k = 0; k < n; k++) {
        double other = b[pivot[k]];
        b[pivot[k]] = b[k], b[k] = other;
        for (int i = k + 1; i <= least(n - 1, k + width); i++)
            b[i] -= a[band_lu_at(width, i, k)] * b[k];
    }
    for (int k = n - 1; k >= 0; k--) {
        const double *row = a + band_lu_at(width, k, k);
        int count = least(n - 1 - k, 2 * width);
        for (int c = 1; c <= count; c++) b[k] -= row[c] * b[k + c];
        b[k] /= row[0];
    }
}
