/* Anderson acceleration: a fixed-point iteration with an approximate matrix, and the steps of
 * `midpoint`. */
#include "math/anderson.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* ---- a linear system, solved with its diagonal ----------------------------------------------- */

enum { SIZE = 40, RANK = 5, DEPTH = 8 };

/* Corrections of x ← x + D⁻¹ (b − A x) with A = D + a few rank-one terms that are not symmetric:
 * as many accelerated steps as terms, and one more, suffice; the plain iteration diverges. */
static int iterations_for(bool mended, uint64_t seed)
{
    double u[RANK][SIZE], v[RANK][SIZE], b[SIZE], x[SIZE] = {0}, f[SIZE], weight[SIZE];
    double last[SIZE], step[SIZE], difference[DEPTH * SIZE], mend[DEPTH * SIZE];
    anderson a = {.depth = DEPTH,
                  .weight = weight,
                  .last = last,
                  .step = step,
                  .difference = difference,
                  .correction = mend};
    random_vector(&seed, SIZE, b);
    for (int k = 0; k < RANK; k++) {
        random_vector(&seed, SIZE, u[k]);
        random_vector(&seed, SIZE, v[k]);
    }
    for (int i = 0; i < SIZE; i++) weight[i] = 1 + 0.5 * random_number(&seed);
    for (int i = 0; i < 100; i++) {
        double largest = 0;
        memcpy(f, b, sizeof f);
        for (int k = 0; k < RANK; k++) {
            double along = 0;
            for (int j = 0; j < SIZE; j++) along += v[k][j] * x[j];
            for (int j = 0; j < SIZE; j++) f[j] -= 0.2 * along * u[k][j];
        }
        for (int j = 0; j < SIZE; j++) {
            f[j] -= x[j];
            largest = fmax(largest, fabs(f[j]));
        }
        if (largest < 1e-9) return i;
        if (mended) cord__anderson_accelerate(&a, SIZE, f);
        for (int j = 0; j < SIZE; j++) x[j] += f[j];
    }
    return 100;
}

static void corrects_products(void **unused)
{
    (void)unused;
    for (uint64_t seed = 3; seed < 23; seed++) {
        assert_true(iterations_for(true, seed) <= RANK + 3);
        assert_true(iterations_for(false, seed) > RANK + 3);
    }
}

/* ---- steps of `midpoint` --------------------------------------------------------------------- */

/* A strand swings from a clamp: few iterations, and the energy is conserved. */
typedef struct swing {
    const char *model;
    cord_section section;
    double young, step;
    double iterations; /* a step, at most */
} swing;

static const swing swings[] = {
    {"der", {.kind = CORD_SECTION_CIRCLE, .radius = 2e-3}, 1e7, 5e-3, 7.5},
    {"der",
     {.kind = CORD_SECTION_EXPLICIT, .mass = 0.0126, .bending = {1e-3, 3e-4}, .twisting = 2e-4},
     0,
     5e-3,
     7.5},
    {"helix", {.kind = CORD_SECTION_CIRCLE, .radius = 2e-3}, 1e7, 2e-3, 7},
    {"clothoid", {.kind = CORD_SECTION_CIRCLE, .radius = 2e-3}, 1e7, 2e-3, 7},
};

static void steps_are_few(void **given)
{
    const swing *how = *given;
    enum { VERTICES = 31, STEPS = 100 };
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_strand_def def = cord_strand_def_default();
    double x[3 * VERTICES], off = 0, kinetic = 0;
    for (int i = 0; i < VERTICES; i++) {
        double u = (double)i / (VERTICES - 1);
        x[3 * i] = 0.6 * u;
        x[3 * i + 1] = 0.1 * sin(5 * u);
        x[3 * i + 2] = 0.08 * cos(7 * u);
    }
    def.model = how->model;
    def.vertex_count = VERTICES, def.positions = x;
    if (strcmp(how->model, CORD_MODEL_DER) != 0) def.element_count = 15;
    def.section = how->section;
    if (how->young > 0) def.material.young = how->young;
    cord_strand rod = scene_strand(w, &def);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_world_step(w, how->step));
    cord_counters before, after;
    double start = scene_energy(w).total;
    assert_fine(w, cord_world_get_counters(w, &before));
    for (int i = 0; i < STEPS; i++) {
        assert_fine(w, cord_world_step(w, how->step));
        cord_energy now = scene_energy(w);
        off = fmax(off, fabs(now.total - start));
        kinetic = fmax(kinetic, now.kinetic);
    }
    assert_fine(w, cord_world_get_counters(w, &after));
    double iterations = (double)(after.newton_iterations - before.newton_iterations) / STEPS;
    print_message("%s: %.2f iterations a step, energy %.1e of %g J\n", how->model, iterations,
                  off / kinetic, kinetic);
    assert_true(iterations < how->iterations);
    assert_true(off < 1e-9 * kinetic);
    assert_int_equal(after.halvings, 0);
    cord_world_destroy(w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrects_products),
        cmocka_unit_test_prestate(steps_are_few, (void *)&swings[0]),
        cmocka_unit_test_prestate(steps_are_few, (void *)&swings[1]),
        cmocka_unit_test_prestate(steps_are_few, (void *)&swings[2]),
        cmocka_unit_test_prestate(steps_are_few, (void *)&swings[3]),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
