/* The inertia of a symmetric matrix: the signs of the pivots of L D Lᵀ without pivoting, which are
 * those of the eigenvalues (Sylvester's law), in double-double arithmetic (extended.h) with one array
 * of each part.
 *
 * The stiffness of a strand of n elements has eigenvalues that differ by the factor n⁴, so that
 * rounding in double precision is as large as the lowest one from n = 10⁴ on. */
#ifndef CORDAGE_MATH_INERTIA_H
#define CORDAGE_MATH_INERTIA_H

#include "math/sparse_ldl.h"

/* The matrix of band.h, and that in f->a. Both overwrite the matrix. False: a pivot is zero or not
 * finite, or the call is cancelled. */
bool cord__band_inertia(int n, int width, double *hi, double *lo, int *negative);
bool cord__sparse_inertia(sparse_ldl *f, double *lo, int *negative);

/* The number of doubles in f->a. */
size_t cord__sparse_size(const sparse_ldl *f);

#endif
