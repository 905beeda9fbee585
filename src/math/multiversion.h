/* Function multiversioning: a function is compiled for the baseline processor and again for
 * AVX-512, and the variant is chosen at run time. The AVX-512 variant fuses multiplications and
 * additions, so that the two differ in the last bits; neither reorders a sum. */
#ifndef CORDAGE_MATH_MULTIVERSION_H
#define CORDAGE_MATH_MULTIVERSION_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WITH_AVX512 1
/* flatten: functions called from the variant are inlined, and so compiled for AVX-512 too */
#define AVX512 __attribute__((flatten, target("avx512f,avx512vl,avx512dq,prefer-vector-width=256")))
static inline bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#else
#define WITH_AVX512 0
#endif

#define INLINE static inline __attribute__((always_inline))
/* Before a loop of constant length over a small array: unrolled, its indices are constants and the
 * array stays in registers. */
#define UNROLLED _Pragma("GCC unroll 16")

/* Defines `name` with the body of the inline function `inlined`, in both variants. Parameters and
 * arguments are given in parentheses. */
#if WITH_AVX512
#define MULTIVERSION_RETURNING(type, name, inlined, parameters, arguments)                         \
    AVX512 static type inlined##_avx512 parameters                                                 \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }                                                                                              \
    static type inlined##_baseline parameters                                                      \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }                                                                                              \
    type name parameters                                                                           \
    {                                                                                              \
        return has_avx512() ? inlined##_avx512 arguments : inlined##_baseline arguments;           \
    }
#else
#define MULTIVERSION_RETURNING(type, name, inlined, parameters, arguments)                         \
    type name parameters                                                                           \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }
#endif

/* The same for a function that returns no value. */
#if WITH_AVX512
#define MULTIVERSION(name, inlined, parameters, arguments)                                         \
    AVX512 static void inlined##_avx512 parameters                                                 \
    {                                                                                              \
        inlined arguments;                                                                         \
    }                                                                                              \
    static void inlined##_baseline parameters                                                      \
    {                                                                                              \
        inlined arguments;                                                                         \
    }                                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        if (has_avx512())                                                                          \
            inlined##_avx512 arguments;                                                            \
        else                                                                                       \
            inlined##_baseline arguments;                                                          \
    }
#else
#define MULTIVERSION(name, inlined, parameters, arguments)                                         \
    void name parameters                                                                           \
    {                                                                                              \
        inlined arguments;                                                                         \
    }
#endif

#endif
