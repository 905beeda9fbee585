/* LU of a banded matrix with partial pivoting, in place: MICADO's method for the saddle-point systems of
 * strands under constraints, with the unknowns in reverse Cuthill-McKee order. Cordage's own orders
 * need no pivoting (sparse_ldl.h).
 *
 * Storage by rows: entry (i, j), |i − j| <= width, is a[i (3 width + 1) + j − i + width]. The other
 * `width` numbers of a row begin as zeros and hold the fill that row exchanges cause. */
#ifndef CORDAGE_BENCH_BASELINES_BAND_LU_H
#define CORDAGE_BENCH_BASELINES_BAND_LU_H

#include <stddef.h>

static inline size_t band_lu_size(int n, int width)
{
    return (size_t)n * (3 * (size_t)width + 1);
}
static inline size_t band_lu_at(int width, int i, int j)
{
    return (size_t)i * (3 * (size_t)width + 1) + (size_t)(j - i + width);
}

/* pivot (n, out): the row exchanged with each row. Returns the first column without a pivot, or −1. */
int cord__band_lu_factor(int n, int width, double *a, int *pivot);

/* b becomes the solution. */
void cord__band_lu_solve(int n, int width, const double *a, const int *pivot, double *b);

#endif
