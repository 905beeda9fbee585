/* LU factorisation of a banded matrix with partial pivoting, in place: the method of [MICADO 2008,
 * sec. 7.1] for the saddle-point systems of constrained strands, with the unknowns in reverse
 * Cuthill-McKee order. The elimination order of Cordage needs no pivoting (sparse_ldl.h).
 *
 * Storage by rows: entry (i, j), |i − j| <= width, is a[i (3 width + 1) + j − i + width]. The other
 * `width` entries of a row are zero on entry and hold the fill-in of row exchanges. */
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
