/* Runs give the same bits for any number of threads, and the same as the recorded golden hashes:
 *
 *     build/tests/test_determinism --print >tests/golden_hashes.h
 *
 * updates them. A change of motion is then a line of that file, and its commit gives the reason.
 *
 * The last bits depend on the code variant of the processor: where it has AVX-512, multiplications and additions are
 * fused (math/multiversion.h), differently by other compilers and at other levels of optimisation; and the C library has
 * variants of its functions for processors with fused operations. So there are two hashes, "narrow" and "wide". The
 * first is of baseline x86-64 code, which other compilers and levels reproduce: on processors with AVX-512 the test
 * selects it by changing the features reported by the compiler's run-time library. Where the key of a hash differs the
 * comparison is skipped, with a message. */
#include "math/multiversion.h"
#include "support/machines.h"
#include "support/scenes.h"
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct golden {
    const char *machine, *integration;
    uint64_t narrow, wide;
} golden;

#include "golden_hashes.h"

/* ---- variants of the code ----------------------------------------------------------------------- */

#if WITH_AVX512
/* Read by __builtin_cpu_supports(), in libgcc; bit 15 of its features is AVX-512 F. */
extern volatile struct {
    unsigned vendor, type, subtype, features[1];
} __cpu_model;

static bool has_wide_vectors(void)
{
    static int known = -1; /* before it was changed below */
    if (known < 0) known = has_avx512();
    return known;
}

static void use_wide_vectors(bool use)
{
    const unsigned bit = 1u << 15;
    if (!has_wide_vectors()) return;
    __cpu_model.features[0] = use ? __cpu_model.features[0] | bit : __cpu_model.features[0] & ~bit;
    __asm__ volatile("" ::: "memory"); /* the compiler would treat it as a constant */
    if (has_avx512() != use) abort();
}
#else
static bool has_wide_vectors(void)
{
    return false;
}

static void use_wide_vectors(bool use)
{
    (void)use;
}
#endif

/* Why a variant has no golden hashes on this machine; NULL: it has them. */
static const char *why_not(bool wide)
{
#if !defined(__x86_64__) || !defined(__linux__) || !defined(__GNUC__)
    (void)wide;
    return "the golden hashes are of x86-64 and GNU C";
#else
    if (!__builtin_cpu_supports("fma"))
        return "the golden hashes are of processors with fused multiplication and addition";
    if (!wide) return NULL;
    if (!has_wide_vectors()) return "this processor, or compiler, has no wide vectors";
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
    return "wide vectors have other bits in this kind of build";
#endif
    return __GNUC__ == GOLDEN_GCC ? NULL : "wide vectors have other bits with this compiler";
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
    for (int wide = 0; wide < 2; wide++) {
        const char *why = why_not(wide);
        if (why) {
            print_message("%s hashes are not compared: %s\n", wide ? "wide" : "narrow", why);
            continue;
        }
        use_wide_vectors(wide);
        for (int by = 0; by < INTEGRATIONS; by++) {
            uint64_t hash = run(m, by, 1, MACHINE_STEPS);
            if (hash == REFUSED) continue;
            const golden *g = find_golden(m->name, integrations[by].name);
            uint64_t expected = !g ? 0 : wide ? g->wide : g->narrow;
            if (hash == expected) continue;
            print_error("%s, %s: the %s hash was 0x%016" PRIx64 " and is 0x%016" PRIx64 "\n",
                        m->name, integrations[by].name, wide ? "wide" : "narrow", expected, hash);
            differ++;
        }
    }
    use_wide_vectors(true);
    if (differ > 0)
        fail_msg("the motion has other bits: if that is meant, take the hashes anew with "
                 "test_determinism --print >tests/golden_hashes.h, and say why in the commit");
}

/* The table. Where wide hashes are not available those of the file are kept. */
static int print_table(void)
{
    bool wide = !why_not(true);
    if (why_not(false)) {
        fprintf(stderr, "test_determinism: %s\n", why_not(false));
        return 1;
    }
    if (!wide) fprintf(stderr, "test_determinism: wide hashes as they were: %s\n", why_not(true));
#ifdef __GNUC__
    int compiler = wide ? __GNUC__ : GOLDEN_GCC;
#else
    int compiler = GOLDEN_GCC;
#endif
    printf("/* Printed by test_determinism --print: cord_world_hash() of the worlds of "
           "support/machines.c after "
           "%d steps.\n * A line that changes is explained in the commit that changes it. */\n"
           "#define GOLDEN_GCC %d /* the compiler's version, of the wide hashes */\n"
           "// clang-format off\n"
           "static const golden golden_hashes[] = {\n",
           MACHINE_STEPS, compiler);
    for (int i = 0; i < MACHINES; i++)
        for (int by = 0; by < INTEGRATIONS; by++) {
            const golden *old = find_golden(machines[i].name, integrations[by].name);
            use_wide_vectors(false);
            uint64_t hash = run(machines + i, by, 1, MACHINE_STEPS);
            use_wide_vectors(true);
            uint64_t other = wide ? run(machines + i, by, 1, MACHINE_STEPS) : old ? old->wide : 0;
            if (hash != REFUSED)
                printf("    {\"%s\", \"%s\", 0x%016" PRIx64 ", 0x%016" PRIx64 "},\n",
                       machines[i].name, integrations[by].name, hash, other);
        }
    printf("};\n// clang-format on\n");
    return 0;
}

int main(int count, char **arguments)
{
    (void)has_wide_vectors();
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
