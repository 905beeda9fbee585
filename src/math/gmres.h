/* GMRES without restarts for A x = b, from x = 0 [Saad and Schultz 1986]. */
#ifndef CORDAGE_MATH_GMRES_H
#define CORDAGE_MATH_GMRES_H

#include <stddef.h>

enum { GMRES_DEPTH = 60 }; /* products at most */

/* Length of `work` in doubles. */
#define GMRES_WORK(n) ((GMRES_DEPTH + 1) * (size_t)(n))

/* y = A x */
typedef void gmres_product(void *context, const double *x, double *y);

/* Ends when |b − A x| ≤ tolerance |b|, or with the x of least residual after GMRES_DEPTH products. Returns the products. */
int cord__gmres(int n, gmres_product *product, void *context, double tolerance, const double *b,
                double *x, double *work);

#endif
