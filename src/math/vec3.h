/* Vectors of three doubles, as plain arrays, and 3×3 matrices by columns: m[3*c + r]. */
#ifndef CORDAGE_MATH_VEC3_H
#define CORDAGE_MATH_VEC3_H

#include "math/range.h"

#include <math.h>
#include <stdbool.h>

static inline void v3_set(double *r, double x, double y, double z)
{
    r[0] = x, r[1] = y, r[2] = z;
}
static inline void v3_copy(double *r, const double *a)
{
    r[0] = a[0], r[1] = a[1], r[2] = a[2];
}
static inline void v3_add(double *r, const double *a, const double *b)
{
    r[0] = a[0] + b[0], r[1] = a[1] + b[1], r[2] = a[2] + b[2];
}
static inline void v3_sub(double *r, const double *a, const double *b)
{
    r[0] = a[0] - b[0], r[1] = a[1] - b[1], r[2] = a[2] - b[2];
}
static inline void v3_scale(double *r, double s, const double *a)
{
    r[0] = s * a[0], r[1] = s * a[1], r[2] = s * a[2];
}
/* r += s a */
static inline void v3_axpy(double *r, double s, const double *a)
{
    r[0] += s * a[0], r[1] += s * a[1], r[2] += s * a[2];
}
/* r = s a + t b */
static inline void v3_combine(double *r, double s, const double *a, double t, const double *b)
{
    double x = s * a[0] + t * b[0], y = s * a[1] + t * b[1], z = s * a[2] + t * b[2];
    r[0] = x, r[1] = y, r[2] = z;
}
static inline double v3_dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
static inline void v3_cross(double *r, const double *a, const double *b)
{
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    r[0] = x, r[1] = y, r[2] = z;
}
static inline double v3_norm(const double *a)
{
    return sqrt(v3_dot(a, a));
}
/* Finite, and in the range of definitions. */
/* Of a value of a definition. */
static inline bool v3_admissible(const double *a)
{
    return cord__in_range(a, 3);
}
static inline double v3_distance(const double *a, const double *b)
{
    double d[3];
    v3_sub(d, a, b);
    return v3_norm(d);
}
/* r = a/|a|; returns |a|. The caller ensures that a is not zero. */
static inline double v3_normalize(double *r, const double *a)
{
    double n = v3_norm(a);
    v3_scale(r, 1 / n, a);
    return n;
}
/* A unit vector normal to the unit vector t; a function of t only, hence reproducible. */
static inline void v3_any_normal(double *r, const double *t)
{
    /* The axis along which t is smallest is at least 54 degrees from t. */
    double ax = fabs(t[0]), ay = fabs(t[1]), az = fabs(t[2]);
    double axis[3] = {0, 0, 0};
    axis[az <= ax && az <= ay ? 2 : ay <= ax ? 1 : 0] = 1;
    v3_cross(r, axis, t);
    v3_normalize(r, r);
}
/* r = m a, with m by columns */
static inline void m3_apply(double *r, const double *m, const double *a)
{
    double x = m[0] * a[0] + m[3] * a[1] + m[6] * a[2];
    double y = m[1] * a[0] + m[4] * a[1] + m[7] * a[2];
    double z = m[2] * a[0] + m[5] * a[1] + m[8] * a[2];
    r[0] = x, r[1] = y, r[2] = z;
}
/* r = mᵀ a */
static inline void m3_apply_transposed(double *r, const double *m, const double *a)
{
    double x = v3_dot(m, a), y = v3_dot(m + 3, a), z = v3_dot(m + 6, a);
    r[0] = x, r[1] = y, r[2] = z;
}

#endif
