/* LDLᵀ of a symmetric banded matrix without pivoting, in place, and solving with it.
 *
 * The lower band is stored by columns: entry (j + k, j), 0 <= k <= width, is a[j·stride + k] with
 * stride = BAND_STRIDE(width). Storage is band_size() doubles; what is beyond the band is zero and
 * stays zero. After factoring, column j holds 1/D_jj and then L_(j+k)j. */
#ifndef CORDAGE_MATH_BAND_H
#define CORDAGE_MATH_BAND_H

#include <stddef.h>

#define BAND_LANES 8 /* columns are padded to whole vectors of this many doubles */
#define BAND_STRIDE(width) (((width) + BAND_LANES) / BAND_LANES * BAND_LANES)

/* Factoring column j touches up to the following stride columns whole (narrower bands share the
 * code of the widest of their stride), and solving the following stride entries, also at the end:
 * hence the slack. */
static inline size_t band_size(int n, int width)
{
    return ((size_t)n + (size_t)BAND_STRIDE(width)) * (size_t)BAND_STRIDE(width);
}
static inline size_t band_vector_size(int n, int width)
{
    return (size_t)n + (size_t)BAND_STRIDE(width);
}

/* Returns the column of the first pivot that is zero or not finite, or -1 when all went well;
 * *negative is the number of negative pivots. */
int cord__band_factor(int n, int width, double *a, int *negative);

/* b (band_vector_size() doubles, the slack zero) becomes the solution. */
void cord__band_solve(int n, int width, const double *a, double *b);

#endif
