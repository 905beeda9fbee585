/* LDLᵀ factorisation without pivoting of a symmetric banded matrix, in place, and its solution
 * [Golub and Van Loan, Matrix Computations, sec. 4.3].
 *
 * The lower band is stored by columns: entry (j + k, j), 0 <= k <= width, is a[j·stride + k] with
 * stride = BAND_STRIDE(width). Storage is band_size() doubles; entries beyond the band are zero and
 * stay zero.
 *
 * Columns may come in groups of `group`: then all columns of a group end at row first + width, first being its first
 * column (the last group may have fewer). group 1: no columns are treated together. The groups 5 of width 12 and 4 of width
 * 10, the bands of rods, have kernels of their own; any other is treated as 1. The contents of a factor are known to the
 * solvers here alone, which are told the same shape. */
#ifndef CORDAGE_MATH_BAND_H
#define CORDAGE_MATH_BAND_H

#include <stddef.h>

#define BAND_LANES 8 /* columns are padded to whole vectors of this many doubles */
#define BAND_STRIDE(width) (((width) + BAND_LANES) / BAND_LANES * BAND_LANES)

/* Padding behind the last column: factoring column j updates columns up to j + stride, and solving as many entries. */
static inline size_t band_size(int n, int width)
{
    return ((size_t)n + (size_t)BAND_STRIDE(width)) * (size_t)BAND_STRIDE(width);
}
static inline size_t band_vector_size(int n, int width)
{
    return (size_t)n + (size_t)BAND_STRIDE(width);
}

/* Returns the column of the first pivot that is zero or not finite, or -1 when every pivot exists;
 * *negative is the number of negative pivots. */
int cord__band_factor(int n, int width, int group, double *a, int *negative);

/* b (band_vector_size() doubles, the padding zero) becomes the solution. */
void cord__band_solve(int n, int width, int group, const double *a, double *b);

/* The same for BAND_LANES right-hand sides at once: b has band_vector_size() rows of one value of each. */
void cord__band_solve_many(int n, int width, int group, const double *a, double *b);

#endif
