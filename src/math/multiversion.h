/* Function multiversioning: a function is compiled for the baseline processor and again for AVX2
 * and AVX-512, and the variant is chosen at run time (cpu.h). The wider variants fuse
 * multiplications and additions, so that they differ from the baseline in the last bits; none
 * reorders a sum. Other compilers than GCC, and other processors than x86-64, have the baseline
 * alone, in which vectors are lowered to the instructions there are; so has a build with
 * CORDAGE_BASELINE. */
#ifndef CORDAGE_MATH_MULTIVERSION_H
#define CORDAGE_MATH_MULTIVERSION_H

#include "math/cpu.h"

#include <stdbool.h>

#if defined(CORDAGE_EMULATED_VARIANTS)
/* For tests on every machine: the sources of all variants, compiled for the baseline processor. */
#define WITH_VARIANTS 1
#define AVX2 __attribute__((flatten))
#define AVX512 __attribute__((flatten))
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(CORDAGE_BASELINE)
#define WITH_VARIANTS 1
/* flatten: functions called from the variant are inlined, and so compiled for it too */
#define AVX2 __attribute__((flatten, target("avx2,fma")))
#define AVX512 __attribute__((flatten, target("avx512f,avx512vl,avx512dq,prefer-vector-width=256")))
#else
#define WITH_VARIANTS 0
#endif

#define INLINE static inline __attribute__((always_inline))
/* Before a loop of constant length over a small array: unrolled, its indices are constants and the
 * array stays in registers. */
#define UNROLLED _Pragma("GCC unroll 16")
/* Before a loop of any length. */
#define PRAGMA(text) _Pragma(#text)
#define UNROLLED_BY(times) PRAGMA(GCC unroll times)

/* Defines `name` with the bodies of three inline functions, one for each variant. Parameters and
 * arguments are given in parentheses; `result` is `return`, or empty where the type is void. */
#if WITH_VARIANTS
#define VARIANTS(type, result, name, baseline, avx2, avx512, parameters, arguments)                \
    AVX512 static type name##_avx512 parameters                                                    \
    {                                                                                              \
        result avx512 arguments;                                                                   \
    }                                                                                              \
    AVX2 static type name##_avx2 parameters                                                        \
    {                                                                                              \
        result avx2 arguments;                                                                     \
    }                                                                                              \
    static type name##_baseline parameters                                                         \
    {                                                                                              \
        result baseline arguments;                                                                 \
    }                                                                                              \
    type name parameters                                                                           \
    {                                                                                              \
        switch (cord__cpu_variant()) {                                                             \
        case CPU_AVX512: result name##_avx512 arguments; break;                                    \
        case CPU_AVX2: result name##_avx2 arguments; break;                                        \
        default: result name##_baseline arguments;                                                 \
        }                                                                                          \
    }
#else
#define VARIANTS(type, result, name, baseline, avx2, avx512, parameters, arguments)                \
    type name parameters                                                                           \
    {                                                                                              \
        result baseline arguments;                                                                 \
    }
#endif

/* The same with one inline function for all variants. */
#define MULTIVERSION_RETURNING(type, name, inlined, parameters, arguments)                         \
    VARIANTS(type, return, name, inlined, inlined, inlined, parameters, arguments)
#define MULTIVERSION(name, inlined, parameters, arguments)                                         \
    VARIANTS(void, , name, inlined, inlined, inlined, parameters, arguments)

/* The same without a variant for AVX-512, which runs the one for AVX2: for large functions with vectors of four, which gain
 * nothing there. */
#if WITH_VARIANTS
#define VARIANTS_AVX2(name, baseline, avx2, parameters, arguments)                                 \
    AVX2 static void name##_avx2 parameters                                                        \
    {                                                                                              \
        avx2 arguments;                                                                            \
    }                                                                                              \
    static void name##_baseline parameters                                                         \
    {                                                                                              \
        baseline arguments;                                                                        \
    }                                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        if (cord__cpu_variant() >= CPU_AVX2)                                                       \
            name##_avx2 arguments;                                                                 \
        else                                                                                       \
            name##_baseline arguments;                                                             \
    }
#else
#define VARIANTS_AVX2(name, baseline, avx2, parameters, arguments)                                 \
    VARIANTS(void, , name, baseline, avx2, avx2, parameters, arguments)
#endif
/* For functions that narrower vectors make slow: one variant, which is called only where cord__has_wide_vectors(). */
#if WITH_VARIANTS
#define WIDE_VARIANT(name, inlined, parameters, arguments)                                         \
    AVX2 void name parameters                                                                      \
    {                                                                                              \
        inlined arguments;                                                                         \
    }
static inline bool cord__has_wide_vectors(void)
{
    return cord__cpu_variant() >= CPU_AVX2;
}
#else
#define WIDE_VARIANT(name, inlined, parameters, arguments)                                         \
    void name parameters                                                                           \
    {                                                                                              \
        inlined arguments;                                                                         \
    }
static inline bool cord__has_wide_vectors(void)
{
#ifdef CORDAGE_BASELINE
    return true; /* a build for tests */
#else
    return false;
#endif
}
#endif
#define MULTIVERSION_AVX2(name, inlined, parameters, arguments)                                    \
    VARIANTS_AVX2(name, inlined, inlined, parameters, arguments)

#endif
