/* The variants of the code for processors (multiversion.h), and which of them runs.
 *
 * A variant is chosen once per process, at its first use: the widest that the processor has, or the one that the environment
 * variable CORDAGE_CPU names, if the processor has it. All threads run the same variant, and one variant gives the same
 * bits on every processor that has it. */
#ifndef CORDAGE_MATH_CPU_H
#define CORDAGE_MATH_CPU_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum cpu_variant {
    CPU_BASELINE, /* SSE2 on x86-64; other processors, and other compilers than GCC, have this one alone */
    CPU_AVX2, /* with fused multiplication and addition */
    CPU_AVX512,
    CPU_VARIANTS
} cpu_variant;

#define CPU_VARIABLE "CORDAGE_CPU"

bool cord__cpu_has(cpu_variant variant); /* the processor and this build */
const char *cord__cpu_name(cpu_variant variant);
/* The variant of a name; CPU_VARIANTS: no variant has it. */
cpu_variant cord__cpu_named(const char *name);
/* Runs another variant from now on, for tests and measurements; false: the processor does not have it. */
bool cord__cpu_use(cpu_variant variant);

extern atomic_int cord__cpu; /* of the type cpu_variant, or −1: not yet chosen */
cpu_variant cord__cpu_choose(void);

static inline cpu_variant cord__cpu_variant(void)
{
    int variant = atomic_load_explicit(&cord__cpu, memory_order_relaxed);
    return variant >= 0 ? (cpu_variant)variant : cord__cpu_choose();
}

#endif
