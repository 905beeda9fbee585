/* LDLᵀ factorisation without pivoting of a small dense symmetric matrix, in place, and its solution
 * [Golub and Van Loan, Matrix Computations, sec. 4.1].
 *
 * The lower triangle is stored by columns: entry (i, j), i >= j, is a[j·stride + i], stride >= n.
 * The upper triangle is neither read nor written. After factoring, column j holds D_jj and then
 * L_ij, i > j. */
#ifndef CORDAGE_MATH_DENSE_H
#define CORDAGE_MATH_DENSE_H

/* A stride of an odd number of cache lines, so that the entries of a row fall into different cache
 * sets. Any stride is correct. */
#define DENSE_STRIDE(n) ((((n) + 7) / 8 | 1) * 8)

/* Returns the column of the first pivot without a finite inverse (zero, subnormal, not finite), or
 * -1 when every pivot exists; then *negative is the number of negative pivots. */
int cord__dense_factor(int n, int stride, double *a, int *negative);

/* x, n doubles, becomes the solution. */
void cord__dense_solve(int n, int stride, const double *a, double *x);

#endif
