/* LDLᵀ of a small dense symmetric matrix without pivoting, in place, and solving with it.
 *
 * The lower triangle is stored by columns: entry (i, j), i >= j, is a[j·stride + i], stride >= n. What
 * is above the diagonal is neither read nor written. After factoring, column j holds D_jj and then
 * L_ij, i > j. */
#ifndef CORDAGE_MATH_DENSE_H
#define CORDAGE_MATH_DENSE_H

/* A good stride: an odd number of cache lines, so that the entries of a row do not share a few
 * places of the cache. Any other works. */
#define DENSE_STRIDE(n) ((((n) + 7) / 8 | 1) * 8)

/* Returns the column of the first pivot that has no finite inverse (zero, vanishingly small, not
 * finite), or -1 when all went well; then *negative is the number of negative pivots. */
int cord__dense_factor(int n, int stride, double *a, int *negative);

/* x, n numbers, becomes the solution. */
void cord__dense_solve(int n, int stride, const double *a, double *x);

#endif
