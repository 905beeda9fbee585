/* All eigenvalues of small dense symmetric matrices, and their vectors on request.
 *
 * Matrices are n × n by columns, entry (i, j) at a[j·stride + i]; the lower triangle is read, and all
 * of the square is used. Values come in ascending order, to a few ε times the largest magnitude among
 * them: where small ones matter, pose the problem so that they are the large ones (M x = ω⁻² K x). */
#ifndef CORDAGE_MATH_EIGEN_H
#define CORDAGE_MATH_EIGEN_H

#include <stdbool.h>

typedef enum eigen_status {
    EIGEN_OK,
    EIGEN_STUCK,      /* no convergence; a matrix with entries that are not finite is one reason */
    EIGEN_INDEFINITE, /* B is not positive definite */
} eigen_status;

/* The numbers of `work`. */
#define EIGEN_WORK(n) (3 * (n))

/* A x = λ x. With `vectors`, column k of `a` becomes the vector of values[k], orthonormal; otherwise
 * `a` is lost. */
eigen_status cord__eigen(int n, int stride, double *a, bool vectors, double *values, double *work);

/* A x = λ B x, B positive definite. The vectors are orthonormal in B: xᵀ B x = 1. `b`, of the same
 * stride, is lost. */
eigen_status cord__eigen_pair(int n, int stride, double *a, double *b, bool vectors, double *values,
                              double *work);

#endif
