/* Rotations as rotation vectors (axis times angle), as matrices by columns, m[3*c + r], and as unit
 * quaternions. */
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

/* Unit quaternions are (w, x, y, z). r = a ∘ b (Hamilton product); r is neither a nor b. */
static inline void q4_multiply(double *r, const double *a, const double *b)
{
    r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* The matrix of a unit quaternion: a rotation times |q|². */
static inline void q4_matrix(double *m, const double *q)
{
    const double a = q[0], b = q[1], c = q[2], d = q[3];
    v3_set(m, a * a + b * b - c * c - d * d, 2 * (b * c + a * d), 2 * (b * d - a * c));
    v3_set(m + 3, 2 * (b * c - a * d), a * a - b * b + c * c - d * d, 2 * (c * d + a * b));
    v3_set(m + 6, 2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d);
}

/* One of the two unit quaternions of the rotation m. */
void cord__rotation_quaternion(double q[4], const double m[9]);

/* m = exp [w], any angle. */
void cord__rotation_exp(double m[9], const double w[3]);

/* w = log m, with an angle in [0, π]. At exactly π either of the two opposite vectors. */
void cord__rotation_log(double w[3], const double m[9]);

/* The inverse left Jacobian j (3×3 by columns): log(exp[δ] exp[w]) = w + j δ + O(δ²). Finite for
 * angles below 2π. */
void cord__rotation_dlog(double j[9], const double w[3]);

/* Gram–Schmidt against round-off: the first column keeps its direction, the second its plane with
 * the first, the third completes a right-handed frame. */
void cord__rotation_orthonormalise(double m[9]);

#endif
