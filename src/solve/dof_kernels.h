/* Passes of Newton's iteration over the dofs of a block, in vectors. */
#ifndef CORDAGE_SOLVE_DOF_KERNELS_H
#define CORDAGE_SOLVE_DOF_KERNELS_H

#include <stdbool.h>

/* The largest |δ|/scale. A dof of a positive stiffness counts by |r|/(stiffness scale) where that is smaller. A value that is not
 * finite makes the result so. */
double cord__greatest_correction(int count, const double *delta, const double *scale,
                                 const double *r, const double *stiffness);

/* The first guess of the dofs that are not prescribed: h v of those without mass, of others Σ factor[k] from[k]. */
typedef struct dof_guess {
    const unsigned char *prescribed;
    const double *mass, *v;
    double h;
    double factor[5];
    const double *from[5];
} dof_guess;
void cord__guess_dofs(int count, const dof_guess *of, double *delta);

/* rate[k] = factor[k] (x − x0) + predictor[k] */
void cord__rates_between(int count, const double *x0, const double *x, const double factor[2],
                         const double *const predictor[2], double *const rate[2]);

/* Whether all values are finite. */
bool cord__all_finite(int count, const double *from);

#endif
