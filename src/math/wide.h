/* Functions compiled a second time for processors with wide vectors. There multiplications and additions are
 * fused, so that the two differ in the last bits; sums are never reordered. */
#ifndef CORDAGE_MATH_WIDE_H
#define CORDAGE_MATH_WIDE_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WITH_WIDE_VECTORS 1
/* and all that it calls */
#define WIDE __attribute__((flatten, target("avx512f,avx512vl,avx512dq,prefer-vector-width=256")))
static inline bool wide_vectors(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#else
#define WITH_WIDE_VECTORS 0
#endif

#define INLINE static inline __attribute__((always_inline))
/* Before a loop over entries of something small: what is known of each is then known to the compiler. */
#define UNROLLED _Pragma("GCC unroll 16")

/* `name`, a function that does what `inlined` does, in either variant. Both lists are in brackets. */
#if WITH_WIDE_VECTORS
#define WIDE_VARIANT_OF(type, name, inlined, parameters, arguments)                                \
    WIDE static type inlined##_wide parameters                                                     \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }                                                                                              \
    static type inlined##_narrow parameters                                                        \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }                                                                                              \
    type name parameters                                                                           \
    {                                                                                              \
        return wide_vectors() ? inlined##_wide arguments : inlined##_narrow arguments;             \
    }
#else
#define WIDE_VARIANT_OF(type, name, inlined, parameters, arguments)                                \
    type name parameters                                                                           \
    {                                                                                              \
        return inlined arguments;                                                                  \
    }
#endif

/* One that returns nothing. */
#if WITH_WIDE_VECTORS
#define WIDE_VARIANT(name, inlined, parameters, arguments)                                         \
    WIDE static void inlined##_wide parameters                                                     \
    {                                                                                              \
        inlined arguments;                                                                         \
    }                                                                                              \
    static void inlined##_narrow parameters                                                        \
    {                                                                                              \
        inlined arguments;                                                                         \
    }                                                                                              \
    void name parameters                                                                           \
    {                                                                                              \
        if (wide_vectors())                                                                        \
            inlined##_wide arguments;                                                              \
        else                                                                                       \
            inlined##_narrow arguments;                                                            \
    }
#else
#define WIDE_VARIANT(name, inlined, parameters, arguments)                                         \
    void name parameters                                                                           \
    {                                                                                              \
        inlined arguments;                                                                         \
    }
#endif

#endif
