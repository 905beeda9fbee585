/* All eigenvalues of small dense symmetric matrices, and the eigenvectors on request.
 *
 * Matrices are n × n by columns, entry (i, j) at a[j·stride + i]; the lower triangle is read, and
 * the whole square is workspace. Eigenvalues ascend; their error is a few ε times the largest
 * magnitude among them: where the small ones matter, pose the inverse problem (M x = ω⁻² K x). */
#ifndef CORDAGE_MATH_EIGEN_H
#define CORDAGE_MATH_EIGEN_H

#include <stdbool.h>

typedef enum eigen_status {
    EIGEN_OK,
    EIGEN_NOT_CONVERGED, /* no convergence, e.g. because an entry is not finite */
    EIGEN_INDEFINITE,    /* B is not positive definite */
} eigen_status;

/* Length of `work` in doubles. */
#define EIGEN_WORK(n) (3 * (n))

/* A x = λ x. With `vectors`, column k of `a` becomes the unit eigenvector of values[k]; otherwise
 * `a` is overwritten with intermediate results. */
eigen_status cord__eigen(int n, int stride, double *a, bool vectors, double *values, double *work);

/* A x = λ B x, B positive definite. Eigenvectors are orthonormal in B: xᵀ B x = 1. `b`, of the same
 * stride, is overwritten. */
eigen_status cord__eigen_generalised(int n, int stride, double *a, double *b, bool vectors,
                                     double *values, double *work);

#endif
