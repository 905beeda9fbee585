/* Arithmetic over a lane type, for kernels that are written once and compiled for one double, and for vectors of
 * two, four or eight, one per lane: joints of a rod, or rods of equal shape. Include it, and then the header of the kernel, once
 * for each number of lanes:
 *
 *     #define LANES 4                      1, 2, 4 or 8
 *     #define NAME(name) name##_4          the names of types and functions of this number
 *     #include "math/lane_type.h"
 *     #include "strand/der/joint_kernel.h"
 *     #undef LANES
 *     #undef NAME
 *
 * A kernel has REAL for `double`; 3-vectors are arrays of three REAL. Each lane does the arithmetic of one double, in
 * the same order; with LANES 1 it is that arithmetic. A branch on a value goes lane by lane (FOR_LANES). Vectors are the
 * compiler's extension, lowered to the instructions of the processor (pairs of vectors of 128 bits, where it has no wider
 * ones); functions are compiled for several processors by multiversion.h. */
#include "math/multiversion.h"

#include <math.h>
#include <stdbool.h>

#if (LANES == 1 && !defined(CORDAGE_LANES_1)) || (LANES == 2 && !defined(CORDAGE_LANES_2)) ||      \
    (LANES == 4 && !defined(CORDAGE_LANES_4)) || (LANES == 8 && !defined(CORDAGE_LANES_8))

/* The ABI warning does not apply: vectors are passed to inlined functions only. */
#pragma GCC diagnostic ignored "-Wpsabi"
#if !defined(__clang__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wmaybe-uninitialized" /* false positives of GCC 12 on arrays of vectors */
#endif

#define REAL NAME(real)
#define FOR3(k) UNROLLED for (int k = 0; k < 3; k++)
#define FOR_LANES(l) UNROLLED for (int l = 0; l < LANES; l++)

#if LANES == 1
#define CORDAGE_LANES_1
typedef double NAME(real);
typedef double NAME(unaligned);
INLINE REAL NAME(broadcast)(double x)
{
    return x;
}
/* Value of one lane. */
INLINE double *NAME(lane)(REAL *x, int l)
{
    return x + l;
}
INLINE REAL NAME(absolute)(REAL x)
{
    return fabs(x);
}
#else
#if LANES == 2
#define CORDAGE_LANES_2
#elif LANES == 4
#define CORDAGE_LANES_4
#else
#define CORDAGE_LANES_8
#endif
typedef double NAME(real) __attribute__((vector_size(8 * LANES)));
typedef double NAME(unaligned) __attribute__((vector_size(8 * LANES), aligned(8), may_alias));
typedef long long NAME(bits) __attribute__((vector_size(8 * LANES)));
INLINE REAL NAME(broadcast)(double x)
{
    return (REAL){0} + x;
}
INLINE double *NAME(lane)(REAL *x, int l)
{
    return (double *)x + l;
}
INLINE REAL NAME(absolute)(REAL x)
{
    return (REAL)((NAME(bits))x & 0x7fffffffffffffff);
}
/* a in the lanes where `mask` has all bits set, as comparisons do, b where it has none. */
INLINE REAL NAME(select)(NAME(bits) mask, REAL a, REAL b)
{
    return (REAL)(((NAME(bits))a & mask) | ((NAME(bits))b & ~mask));
}
INLINE REAL NAME(largest)(REAL a, REAL b)
{
    return NAME(select)(a > b, a, b);
}
INLINE REAL NAME(smallest)(REAL a, REAL b)
{
    return NAME(select)(a < b, a, b);
}
/* Whether a bit of any lane is set. */
INLINE bool NAME(any)(NAME(bits) mask)
{
    long long every = 0;
    FOR_LANES(l) every |= mask[l];
    return every != 0;
}
/* Whether all bits of all lanes are set. */
INLINE bool NAME(all)(NAME(bits) mask)
{
    long long every = mask[0];
    FOR_LANES(l) every &= mask[l];
    return every == -1;
}
#endif

/* LANES consecutive doubles, at any address. */
INLINE REAL NAME(load)(const double *from)
{
    return *(const NAME(unaligned) *)from;
}
INLINE void NAME(store)(double *to, REAL x)
{
    *(NAME(unaligned) *)to = x;
}
/* One double of each lane, at the same offset from as many pointers. */
INLINE REAL NAME(take)(const double *const *from, int offset)
{
#if LANES == 1
    return from[0][offset];
#elif LANES == 2
    return (REAL){from[0][offset], from[1][offset]};
#elif LANES == 4
    return (REAL){from[0][offset], from[1][offset], from[2][offset], from[3][offset]};
#else
    return (REAL){from[0][offset], from[1][offset], from[2][offset], from[3][offset],
                  from[4][offset], from[5][offset], from[6][offset], from[7][offset]};
#endif
}
INLINE void NAME(take3)(REAL *r, const double *const *from, int offset)
{
    FOR3(k) r[k] = NAME(take)(from, offset + k);
}
INLINE REAL NAME(square_root)(REAL x)
{
    REAL r = x;
    FOR_LANES(l) * NAME(lane)(&r, l) = sqrt(*NAME(lane)(&x, l));
    return r;
}
/* The sum over the lanes, in a fixed order. */
INLINE double NAME(sum)(REAL x)
{
    double sum = *NAME(lane)(&x, 0);
    for (int l = 1; l < LANES; l++) sum += *NAME(lane)(&x, l);
    return sum;
}

/* As the functions of these names in vec3.h. */
INLINE REAL NAME(v3_dot)(const REAL *a, const REAL *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
INLINE void NAME(v3_cross)(REAL *r, const REAL *a, const REAL *b)
{
    REAL x = a[1] * b[2] - a[2] * b[1];
    REAL y = a[2] * b[0] - a[0] * b[2];
    REAL z = a[0] * b[1] - a[1] * b[0];
    r[0] = x, r[1] = y, r[2] = z;
}
INLINE void NAME(v3_scale)(REAL *r, REAL s, const REAL *a)
{
    FOR3(k) r[k] = s * a[k];
}
INLINE void NAME(v3_axpy)(REAL *r, REAL s, const REAL *a)
{
    FOR3(k) r[k] += s * a[k];
}
INLINE void NAME(v3_combine)(REAL *r, REAL s, const REAL *a, REAL t, const REAL *b)
{
    FOR3(k) r[k] = s * a[k] + t * b[k];
}
INLINE void NAME(v3_add)(REAL *r, const REAL *a, const REAL *b)
{
    FOR3(k) r[k] = a[k] + b[k];
}
INLINE void NAME(v3_sub)(REAL *r, const REAL *a, const REAL *b)
{
    FOR3(k) r[k] = a[k] - b[k];
}
INLINE void NAME(m3_apply)(REAL *r, const REAL *m, const REAL *a)
{
    REAL x[3];
    FOR3(k) x[k] = m[k] * a[0] + m[3 + k] * a[1] + m[6 + k] * a[2];
    FOR3(k) r[k] = x[k];
}
INLINE void NAME(m3_apply_transposed)(REAL *r, const REAL *m, const REAL *a)
{
    REAL x[3];
    FOR3(k) x[k] = NAME(v3_dot)(m + 3 * k, a);
    FOR3(k) r[k] = x[k];
}

/* Lane l of vector k becomes lane k of vector l. */
#if LANES == 2
INLINE void NAME(transpose)(REAL *v)
{
    REAL a = __builtin_shufflevector(v[0], v[1], 0, 2);
    v[1] = __builtin_shufflevector(v[0], v[1], 1, 3);
    v[0] = a;
}
#elif LANES == 4
INLINE void NAME(transpose)(REAL *v)
{
    REAL a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
    REAL b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    REAL c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
    REAL d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* Four consecutive vectors of three, by coordinate, and back. */
INLINE void NAME(load_xyz)(REAL *r, const double *from)
{
    REAL a = NAME(load)(from), b = NAME(load)(from + 4), c = NAME(load)(from + 8);
    REAL xy = __builtin_shufflevector(a, b, 0, 1, 6, 7);
    REAL zx = __builtin_shufflevector(a, c, 2, 3, 4, 5);
    REAL yz = __builtin_shufflevector(b, c, 0, 1, 6, 7);
    r[0] = __builtin_shufflevector(xy, zx, 0, 5, 2, 7);
    r[1] = __builtin_shufflevector(xy, yz, 1, 4, 3, 6);
    r[2] = __builtin_shufflevector(zx, yz, 0, 5, 2, 7);
}
INLINE void NAME(store_xyz)(double *to, const REAL *r)
{
    REAL xy = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6);
    REAL zx = __builtin_shufflevector(r[2], r[0], 0, 5, 2, 7);
    REAL yz = __builtin_shufflevector(r[1], r[2], 1, 5, 3, 7);
    NAME(store)(to, __builtin_shufflevector(xy, zx, 0, 1, 4, 5));
    NAME(store)(to + 4, __builtin_shufflevector(yz, xy, 0, 1, 6, 7));
    NAME(store)(to + 8, __builtin_shufflevector(zx, yz, 2, 3, 6, 7));
}
#endif

#endif
