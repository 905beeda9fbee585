/* SIMD vectors of four doubles, one per lane, and 3-vectors of them, by the compiler's vector
 * extension. Each lane does the arithmetic of a scalar double in the same order. Functions that use
 * them are compiled for several processors by MULTIVERSION (multiversion.h). */
#ifndef CORDAGE_MATH_LANES_H
#define CORDAGE_MATH_LANES_H

#include "math/multiversion.h"

#include <math.h>
#include <string.h>

/* The ABI warning does not apply: vectors are passed to inlined functions only. */
#pragma GCC diagnostic ignored "-Wpsabi"
#if !defined(__clang__)
#pragma GCC diagnostic ignored                                                                     \
    "-Wmaybe-uninitialized" /* false positives of GCC 12 on arrays of vectors */
#pragma GCC diagnostic ignored "-Wuninitialized"
#endif

enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef struct lanes3 {
    lanes k[3];
} lanes3;

/* Gathers: a member of four structs, or an entry of four arrays, given by four pointers. */
#define EACH(p, member) ((lanes){(p)[0]->member, (p)[1]->member, (p)[2]->member, (p)[3]->member})
#define EACH3(p, member) ((lanes3){{EACH(p, member[0]), EACH(p, member[1]), EACH(p, member[2])}})
#define ENTRY(p, i) ((lanes){(p)[0][i], (p)[1][i], (p)[2][i], (p)[3][i]})
#define ENTRY3(p, i) ((lanes3){{ENTRY(p, i), ENTRY(p, (i) + 1), ENTRY(p, (i) + 2)}})

/* Four consecutive doubles, at any address. */
INLINE lanes l_load(const double *x)
{
    lanes four;
    memcpy(&four, x, sizeof four);
    return four;
}
INLINE void l_store(double *x, lanes four)
{
    memcpy(x, &four, sizeof four);
}

INLINE lanes l_broadcast(double x)
{
    return (lanes){0} + x;
}
INLINE lanes l_sqrt(lanes x)
{
    lanes r = {0};
    for (int l = 0; l < LANES; l++) r[l] = sqrt(x[l]);
    return r;
}
/* The sum over the lanes, in every lane. */
INLINE lanes l_sum(lanes x)
{
    return l_broadcast((x[0] + x[1]) + (x[2] + x[3]));
}
/* Lane l of vector k becomes lane k of vector l. */
INLINE void l_transpose(lanes v[LANES])
{
    lanes a = __builtin_shufflevector(v[0], v[1], 0, 4, 2, 6);
    lanes b = __builtin_shufflevector(v[0], v[1], 1, 5, 3, 7);
    lanes c = __builtin_shufflevector(v[2], v[3], 0, 4, 2, 6);
    lanes d = __builtin_shufflevector(v[2], v[3], 1, 5, 3, 7);
    v[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    v[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    v[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    v[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
INLINE lanes l3_dot(const lanes3 *u, const lanes3 *v)
{
    return u->k[0] * v->k[0] + u->k[1] * v->k[1] + u->k[2] * v->k[2];
}
INLINE lanes3 l3_cross(const lanes3 *u, const lanes3 *v)
{
    return (lanes3){{u->k[1] * v->k[2] - u->k[2] * v->k[1], u->k[2] * v->k[0] - u->k[0] * v->k[2],
                     u->k[0] * v->k[1] - u->k[1] * v->k[0]}};
}
INLINE lanes3 l3_scale(lanes c, const lanes3 *u)
{
    return (lanes3){{c * u->k[0], c * u->k[1], c * u->k[2]}};
}
/* c u + d v */
INLINE lanes3 l3_combine(lanes c, const lanes3 *u, lanes d, const lanes3 *v)
{
    return (lanes3){
        {c * u->k[0] + d * v->k[0], c * u->k[1] + d * v->k[1], c * u->k[2] + d * v->k[2]}};
}
INLINE lanes3 l3_add(const lanes3 *u, const lanes3 *v)
{
    return (lanes3){{u->k[0] + v->k[0], u->k[1] + v->k[1], u->k[2] + v->k[2]}};
}
INLINE lanes3 l3_sub(const lanes3 *u, const lanes3 *v)
{
    return (lanes3){{u->k[0] - v->k[0], u->k[1] - v->k[1], u->k[2] - v->k[2]}};
}
INLINE lanes3 l3_unit(const lanes3 *u)
{
    return l3_scale(1 / l_sqrt(l3_dot(u, u)), u);
}

/* transport() of curve/transport.h, lane by lane; antiparallel lanes keep x. */
INLINE lanes3 l3_transport(const lanes3 *t0, const lanes3 *t1, const lanes3 *x)
{
    lanes3 b = l3_cross(t0, t1), b_cross_x = l3_cross(&b, x), r;
    lanes c = l3_dot(t0, t1), along = l3_dot(&b, x) * (1 / (1 + c));
    for (int k = 0; k < 3; k++) r.k[k] = c * x->k[k] + b_cross_x.k[k] + along * b.k[k];
    for (int l = 0; l < LANES; l++)
        if (!(1 + c[l] > 0)) r.k[0][l] = x->k[0][l], r.k[1][l] = x->k[1][l], r.k[2][l] = x->k[2][l];
    return r;
}

/* sin_cos() of math/trig.h, lane by lane: Taylor series below 1/16, the C library above. */
INLINE void l_sin_cos(lanes angle, lanes *s, lanes *c)
{
    lanes x = angle * angle;
    *s = angle *
         (1 - x * (1 / 6.0) * (1 - x * (1 / 20.0) * (1 - x * (1 / 42.0) * (1 - x * (1 / 72.0)))));
    *c = 1 - x * 0.5 *
                 (1 - x * (1 / 12.0) *
                          (1 - x * (1 / 30.0) * (1 - x * (1 / 56.0) * (1 - x * (1 / 90.0)))));
    for (int l = 0; l < LANES; l++)
        if (!(fabs(angle[l]) < 0.0625)) (*s)[l] = sin(angle[l]), (*c)[l] = cos(angle[l]);
}

/* rotate_about() of curve/transport.h, lane by lane: m cos θ + (t × m) sin θ, made a unit normal of
 * t again against round-off. */
INLINE lanes3 l3_rotate_about(const lanes3 *m, const lanes3 *t, lanes angle)
{
    lanes sine, cosine;
    l_sin_cos(angle, &sine, &cosine);
    lanes3 n = l3_cross(t, m), r = l3_combine(cosine, m, sine, &n);
    r = l3_combine(l_broadcast(1), &r, -l3_dot(&r, t), t);
    return l3_unit(&r);
}

#endif
