/* LU of a banded matrix with partial pivoting, in place: the classical way to solve a saddle-point
 * system whose unknowns are ordered along a band. To compare with: Cordage itself chooses orders that
 * need no pivoting (sparse_ldl.h).
 *
 * By rows: entry (i, j), |i - j| <= width, is a[i·(3 width + 1) + j - i + width]; the other width
 * numbers of a row are zero and are for what pivoting brings there. */
#ifndef CORDAGE_MATH_BAND_LU_H
#define CORDAGE_MATH_BAND_LU_H

#include <stddef.h>

static inline size_t band_lu_size(int n, int width)
{
    return (size_t)n * (3 * (size_t)width + 1);
}
static inline size_t band_lu_at(int width, int i, int j)
{
    return (size_t)i * (3 * (size_t)width + 1) + (size_t)(j - i + width);
}

/* pivot (n, out): which row came to each place. Returns the first column without a pivot, or -1. */
int cord__band_lu_factor(int n, int width, double *a, int *pivot);

/* b becomes the solution. */
void cord__band_lu_solve(int n, int width, const double *a, const int *pivot, double *b);

#endif
