/* SIMD vectors of eight floats, one per lane, by the compiler's vector extension. Functions that use them are compiled for several
 * processors (math/multiversion.h). A comparison gives an integer of ones or zeros in each lane. */
#ifndef CORDAGE_RECORD_FLOAT_LANES_H
#define CORDAGE_RECORD_FLOAT_LANES_H

#include "math/multiversion.h"

#include <math.h>
#include <stdint.h>

/* The ABI warning does not apply: vectors are passed to inlined functions only. */
#pragma GCC diagnostic ignored "-Wpsabi"

enum { FLOAT_LANES = 8 };
typedef float float_lanes __attribute__((vector_size(FLOAT_LANES * sizeof(float))));
typedef int32_t int_lanes __attribute__((vector_size(FLOAT_LANES * sizeof(int32_t))));
typedef uint32_t uint_lanes __attribute__((vector_size(FLOAT_LANES * sizeof(uint32_t))));
/* Anywhere in an array of floats. */
typedef float unaligned_lanes
    __attribute__((vector_size(FLOAT_LANES * sizeof(float)), aligned(sizeof(float)), may_alias));
typedef int32_t unaligned_ints __attribute__((vector_size(FLOAT_LANES * sizeof(int32_t)),
                                              aligned(sizeof(int32_t)), may_alias));

INLINE float_lanes fl_load(const float *x)
{
    return *(const unaligned_lanes *)x;
}
INLINE float_lanes fl_broadcast(float x)
{
    return (float_lanes){0} + x;
}
/* a where the mask is set, b elsewhere. */
INLINE float_lanes fl_select(int_lanes mask, float_lanes a, float_lanes b)
{
    return (float_lanes)(((int_lanes)a & mask) | ((int_lanes)b & ~mask));
}
/* a where the mask is set, 0 elsewhere. */
INLINE float_lanes fl_masked(int_lanes mask, float_lanes a)
{
    return (float_lanes)((int_lanes)a & mask);
}
INLINE float_lanes fl_min(float_lanes a, float_lanes b)
{
    return fl_select(a < b, a, b);
}
INLINE float_lanes fl_max(float_lanes a, float_lanes b)
{
    return fl_select(a > b, a, b);
}
INLINE float_lanes fl_sqrt(float_lanes x)
{
    float_lanes r = {0};
    for (int l = 0; l < FLOAT_LANES; l++) r[l] = sqrtf(x[l]);
    return r;
}
INLINE float_lanes fl_abs(float_lanes x)
{
    return (float_lanes)((int_lanes)x & 0x7fffffff);
}
/* Of numbers below 2^31. */
INLINE float_lanes fl_floor(float_lanes x)
{
    float_lanes whole = __builtin_convertvector(__builtin_convertvector(x, int_lanes), float_lanes);
    return whole - fl_masked(whole > x, fl_broadcast(1));
}
INLINE float_lanes fl_smooth_step(float low, float high, float_lanes x)
{
    float_lanes t = (x - low) * (1 / (high - low));
    t = fl_min(fl_max(t, fl_broadcast(0)), fl_broadcast(1));
    return t * t * (3 - 2 * t);
}
INLINE bool fl_any(int_lanes mask)
{
    int all = 0;
    for (int l = 0; l < FLOAT_LANES; l++) all |= mask[l];
    return all != 0;
}
INLINE float_lanes fl_dot(const float_lanes a[3], const float_lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
/* Zero stays zero. */
INLINE void fl_normalize(float_lanes a[3])
{
    float_lanes n = fl_sqrt(fl_dot(a, a)), s = 1 / fl_select(n > 0, n, fl_broadcast(1));
    for (int k = 0; k < 3; k++) a[k] *= s;
}

#endif
