/* LU factorisation with partial pivoting of a small dense matrix by rows, in place, and its solution. */
#ifndef CORDAGE_MATH_LU_H
#define CORDAGE_MATH_LU_H

#include <stdbool.h>

/* `pivot` records the n row exchanges. False where no nonzero pivot is left. */
bool cord__lu_factor(int n, double *a, int *pivot);

/* x, n doubles, becomes the solution. */
void cord__lu_solve(int n, const double *a, const int *pivot, double *x);

#endif
