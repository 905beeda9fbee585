#include "math/cpu.h"
#include "math/multiversion.h"

#include <stdlib.h>
#include <string.h>

atomic_int cord__cpu = -1;

bool cord__cpu_has(cpu_variant variant)
{
#if defined(CORDAGE_EMULATED_VARIANTS)
    return variant < CPU_VARIANTS;
#elif WITH_VARIANTS
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                  __builtin_cpu_supports("avx512dq");
    if (variant == CPU_AVX2) return avx2;
    if (variant == CPU_AVX512) return avx2 && avx512;
#endif
    return variant == CPU_BASELINE;
}

const char *cord__cpu_name(cpu_variant variant)
{
#if defined(__x86_64__)
    static const char *const name[CPU_VARIANTS] = {"sse2", "avx2", "avx512"};
#else
    static const char *const name[CPU_VARIANTS] = {"baseline", "avx2", "avx512"};
#endif
    return name[variant];
}

cpu_variant cord__cpu_named(const char *name)
{
    cpu_variant variant = CPU_BASELINE;
    while (variant < CPU_VARIANTS && strcmp(cord__cpu_name(variant), name) != 0) variant++;
    return variant;
}

bool cord__cpu_use(cpu_variant variant)
{
    if (variant >= CPU_VARIANTS || !cord__cpu_has(variant)) return false;
    atomic_store_explicit(&cord__cpu, (int)variant, memory_order_relaxed);
    return true;
}

/* NULL: the best one. An engine in a page has no environment, and asking for it ends it. */
static const char *wanted_name(void)
{
#ifdef __wasm__
    return NULL;
#else
    return getenv(CPU_VARIABLE);
#endif
}

cpu_variant cord__cpu_choose(void)
{
    const char *name = wanted_name();
    cpu_variant variant = name ? cord__cpu_named(name) : CPU_VARIANTS;
    if (variant == CPU_VARIANTS || !cord__cpu_has(variant)) {
        variant = CPU_VARIANTS - 1;
        while (!cord__cpu_has(variant)) variant--;
    }
    cord__cpu_use(variant);
    return variant;
}
