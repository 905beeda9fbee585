/* Symmetric tridiagonal systems, open and cyclic, by LDLᵀ without pivoting, for positive definite
 * matrices (the twist along a strand, inextensibility, cubic splines). All arrays are overwritten. */
#ifndef CORDAGE_MATH_TRIDIAGONAL_H
#define CORDAGE_MATH_TRIDIAGONAL_H

/* A_ii = d[i], A_{i+1,i} = A_{i,i+1} = e[i], i < n - 1; b becomes A⁻¹ b. Returns the number of
 * pivots that are not positive (or NaN): 0 exactly when A is positive definite. Where a pivot is
 * zero the result is not finite. */
int cord__tridiagonal_solve(int n, double *d, double *e, double *b);

/* The cyclic system: A_{0,n-1} = A_{n-1,0} = corner in addition. work: n doubles. For n = 2 both
 * `corner` and e[0] couple the two unknowns and add up; for n = 1 `corner` is not used. */
int cord__cyclic_solve(int n, double *d, double *e, double corner, double *b, double *work);

#endif
