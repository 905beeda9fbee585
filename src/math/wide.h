/* Functions compiled a second time for processors with wide vectors. Sums are never reordered nor
 * multiplications and additions fused, so that both give the same bits. */
#ifndef CORDAGE_MATH_WIDE_H
#define CORDAGE_MATH_WIDE_H

#include <stdbool.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define WITH_WIDE_VECTORS 1
/* and all that it calls */
#define WIDE __attribute__((flatten, target("avx512f,avx512vl,avx512dq,prefer-vector-width=512")))
static inline bool wide_vectors(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq");
}
#else
#define WITH_WIDE_VECTORS 0
#endif

#endif
