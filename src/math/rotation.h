/* Rotations: as vectors (axis times angle) and as matrices by columns, m[3*c + r]. */
#ifndef CORDAGE_MATH_ROTATION_H
#define CORDAGE_MATH_ROTATION_H

#include "math/vec3.h"

/* r = a b; r may be a or b. */
static inline void m3_multiply(double *r, const double *a, const double *b)
{
    double t[9];
    for (int c = 0; c < 3; c++) m3_apply(t + 3 * c, a, b + 3 * c);
    for (int i = 0; i < 9; i++) r[i] = t[i];
}

/* r = aᵀ b; r may be a or b. */
static inline void m3_transposed_multiply(double *r, const double *a, const double *b)
{
    double t[9];
    for (int c = 0; c < 3; c++) m3_apply_transposed(t + 3 * c, a, b + 3 * c);
    for (int i = 0; i < 9; i++) r[i] = t[i];
}

/* m = exp [w], any angle. */
void cord__rotation_exp(double m[9], const double w[3]);

/* w = log m, with an angle from 0 to π. At exactly π either of the two opposite vectors. */
void cord__rotation_log(double w[3], const double m[9]);

/* The inverse left Jacobian j (3×3 by columns): log(exp[δ] exp[w]) = w + j δ + O(δ²). Finite for
 * angles below 2π. */
void cord__rotation_dlog(double j[9], const double w[3]);

/* Make the columns orthonormal and right-handed again after rounding: the first keeps its
 * direction, the second its plane with the first. */
void cord__rotation_orthonormalise(double m[9]);

#endif
