/* Runs give the same bits for any number of threads, and the same as the recorded golden hashes:
 *
 *     build/tests/test_determinism --print >tests/golden_hashes.h
 *
 * updates them. A change of motion is then a line of that file, and its commit gives the reason.
 *
 * The last bits depend on the code variant of the processor (math/cpu.h): with AVX2 and AVX-512 multiplications and
 * additions are fused, differently by other compilers and at other levels of optimisation; and the C library has variants of
 * its functions for processors with fused operations. So there is a hash for each variant. The first is of baseline x86-64
 * code, which other compilers and levels reproduce. Where the key of a hash differs, or the processor does not have the
 * variant, the comparison is skipped, with a message. */
#include "math/cpu.h"
#include "support/machines.h"
#include "support/scenes.h"
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct golden {
    const char *machine, *integration;
    uint64_t hash[CPU_VARIANTS];
} golden;

#include "golden_hashes.h"

/* ---- variants of the code ----------------------------------------------------------------------- */

/* Why a variant has no golden hashes on this machine; NULL: it has them. */
static const char *why_not(cpu_variant variant)
{
#if !defined(__x86_64__) || !defined(__linux__) || !defined(__GNUC__)
    (void)variant;
    return "the golden hashes are of x86-64 and GNU C";
#else
    if (!__builtin_cpu_supports("fma"))
        return "the golden hashes are of processors with fused multiplication and addition";
    if (variant == CPU_BASELINE) return NULL;
    if (!cord__cpu_has(variant)) return "this processor, or compiler, does not have it";
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
    return "fused operations differ in this kind of build";
#endif
    return __GNUC__ == GOLDEN_GCC ? NULL : "this compiler fuses other operations";
#endif
}

/* ---- runs --------------------------------------------------------------------------------------- */

enum { REFUSED = 0 }; /* instead of a hash */

static uint64_t run(const machine *m, int by, int threads, int steps)
{
    cord_world *world = machine_world(m, by, threads, NULL);
    uint64_t hash = REFUSED;
    bool goes_on = true;
    for (int i = 0; goes_on && i < steps; i++) goes_on = machine_step(m, by, world);
    if (goes_on) hash = scene_hash(world);
    cord_world_destroy(world);
    return hash;
}

static void same_for_any_threads(void **given)
{
#ifdef __SANITIZE_ADDRESS__ /* ten times slower */
    static const int threads[] = {3, 8};
#else
    static const int threads[] = {2, 3, 4, 6, 8};
#endif
    const machine *m = *given;
    for (int by = 0; by < INTEGRATIONS; by++) {
        uint64_t one = run(m, by, 1, MACHINE_STEPS);
        assert_true((one == REFUSED) == !machine_supports(m, by));
        if (one == REFUSED) continue;
        /* The hash depends on the motion: one step more gives another state. */
        assert_true(one != run(m, by, 1, MACHINE_STEPS + 1));
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            uint64_t other = run(m, by, threads[i], MACHINE_STEPS);
            if (other != one) print_error("%s, %d threads\n", integrations[by].name, threads[i]);
            assert_true(other == one);
        }
    }
}

/* With very many islands, repeatedly: a race need not show in the first run. */
static void same_with_many_islands(void **unused)
{
    (void)unused;
    for (int by = 0; by < DYNAMIC_INTEGRATIONS; by++) {
        uint64_t one = 0;
        for (int i = 0; i < 5; i++) {
            cord_world_def def = cord_world_def_default();
            cord_world *world;
            def.integrator = integrations[by].integrator, def.scheme = integrations[by].scheme;
            def.threads = i ? 4 : 1;
            assert_int_equal(cord_world_create(&def, &world), CORD_OK);
            for (int k = 0; k < 300; k++) {
                double y = 0.1 * k, reach = 0.3 + 0.001 * k;
                cord_strand rope = scene_rope(world, NULL, NULL, 4 + k % 5, (double[]){0, y, 0},
                                              (double[]){reach, y, 0.1});
                if (k % 3) scene_hang(world, rope, 0);
            }
            scene_advance(world, 1e-3, 4);
            uint64_t hash = scene_hash(world);
            if (i == 0) one = hash;
            assert_true(hash == one);
            cord_world_destroy(world);
        }
    }
}

/* ---- golden hashes ------------------------------------------------------------------------------ */

static const golden *find_golden(const char *name, const char *by)
{
    for (size_t i = 0; i < sizeof golden_hashes / sizeof *golden_hashes; i++)
        if (strcmp(golden_hashes[i].machine, name) == 0 &&
            strcmp(golden_hashes[i].integration, by) == 0)
            return golden_hashes + i;
    return NULL;
}

static void as_when_they_were_taken(void **given)
{
    const machine *m = *given;
    int differ = 0;
    cpu_variant in_use = cord__cpu_variant();
    for (cpu_variant variant = CPU_BASELINE; variant < CPU_VARIANTS; variant++) {
        const char *why = why_not(variant);
        if (why) {
            print_message("%s hashes are not compared: %s\n", cord__cpu_name(variant), why);
            continue;
        }
        assert_true(cord__cpu_use(variant));
        for (int by = 0; by < INTEGRATIONS; by++) {
            uint64_t hash = run(m, by, 1, MACHINE_STEPS);
            if (hash == REFUSED) continue;
            const golden *g = find_golden(m->name, integrations[by].name);
            uint64_t expected = g ? g->hash[variant] : 0;
            if (hash == expected) continue;
            print_error("%s, %s: the %s hash was 0x%016" PRIx64 " and is 0x%016" PRIx64 "\n",
                        m->name, integrations[by].name, cord__cpu_name(variant), expected, hash);
            differ++;
        }
    }
    cord__cpu_use(in_use);
    if (differ > 0)
        fail_msg("the motion has other bits: if that is meant, take the hashes anew with "
                 "test_determinism --print >tests/golden_hashes.h, and say why in the commit");
}

/* One line of the table. Hashes that are not available here are those of the file. */
static void print_line(const machine *m, int by)
{
    const golden *old = find_golden(m->name, integrations[by].name);
    uint64_t hash[CPU_VARIANTS];
    for (cpu_variant variant = CPU_BASELINE; variant < CPU_VARIANTS; variant++) {
        hash[variant] = old ? old->hash[variant] : 0;
        if (why_not(variant)) continue;
        cord__cpu_use(variant);
        hash[variant] = run(m, by, 1, MACHINE_STEPS);
    }
    if (hash[CPU_BASELINE] == REFUSED) return;
    printf("    {\"%s\", \"%s\", {0x%016" PRIx64 ", 0x%016" PRIx64 ", 0x%016" PRIx64 "}},\n",
           m->name, integrations[by].name, hash[CPU_BASELINE], hash[CPU_AVX2], hash[CPU_AVX512]);
}

static int print_table(void)
{
    int compiler = GOLDEN_GCC;
    for (cpu_variant variant = CPU_BASELINE; variant < CPU_VARIANTS; variant++) {
        const char *why = why_not(variant);
        if (why)
            fprintf(stderr, "test_determinism: %s hashes as they were: %s\n",
                    cord__cpu_name(variant), why);
#ifdef __GNUC__
        if (variant > CPU_BASELINE && !why) compiler = __GNUC__;
#endif
    }
    if (why_not(CPU_BASELINE)) return 1;
    printf(
        "/* Printed by test_determinism --print: cord_world_hash() of the worlds of "
        "support/machines.c after "
        "%d steps.\n * A line that changes is explained in the commit that changes it. */\n"
        "#define GOLDEN_GCC %d /* the compiler's version, of the hashes with fused operations */\n"
        "// clang-format off\n"
        "static const golden golden_hashes[] = { /* sse2, avx2, avx512 */\n",
        MACHINE_STEPS, compiler);
    for (int i = 0; i < MACHINES; i++)
        for (int by = 0; by < INTEGRATIONS; by++) print_line(machines + i, by);
    printf("};\n// clang-format on\n");
    return 0;
}

int main(int count, char **arguments)
{
    if (count > 1 && strcmp(arguments[1], "--print") == 0) return print_table();
    static char names[2 * MACHINES][64];
    struct CMUnitTest tests[2 * MACHINES + 1];
    for (int i = 0; i < MACHINES; i++) {
        const machine *m = machines + i;
        snprintf(names[2 * i], sizeof *names, "threads, %s", m->name);
        snprintf(names[2 * i + 1], sizeof *names, "golden hashes, %s", m->name);
        tests[2 * i] =
            (struct CMUnitTest){names[2 * i], same_for_any_threads, NULL, NULL, (void *)m};
        tests[2 * i + 1] =
            (struct CMUnitTest){names[2 * i + 1], as_when_they_were_taken, NULL, NULL, (void *)m};
    }
    tests[2 * MACHINES] = (struct CMUnitTest)cmocka_unit_test(same_with_many_islands);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
