/* Runs go the same way bit for bit whatever the number of threads, and again. */
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

typedef void (*builder)(cord_world *world);

static void one_strand(cord_world *world)
{
    cord_strand rope = scene_rope(world, NULL, "one", 20, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    scene_hang(world, rope, 0);
}

static void many_strands(cord_world *world)
{
    for (int i = 0; i < 300; i++) {
        double y = 0.1 * i, reach = 0.3 + 0.001 * i;
        cord_strand rope = scene_rope(world, NULL, NULL, 4 + i % 5, (double[]){0, y, 0},
                                      (double[]){reach, y, 0.1});
        if (i % 3) scene_hang(world, rope, 0);
    }
}

/* Pairs tied end to end, some of them to a third; the first of each hangs. */
static void coupled_strands(cord_world *world)
{
    for (int i = 0; i < 100; i++) {
        double y = 0.1 * i;
        cord_strand a =
            scene_rope(world, NULL, NULL, 4 + i % 4, (double[]){0, y, 0}, (double[]){0.4, y, 0});
        cord_strand b =
            scene_rope(world, NULL, NULL, 5, (double[]){0.4, y, 0}, (double[]){0.8, y, 0});
        scene_hang(world, a, 0);
        scene_constraint(world, i % 2 ? CORD_COINCIDE : CORD_DISTANCE, scene_point(world, a, 0.4),
                         scene_point(world, b, i % 2 ? 0 : 0.12));
    }
}

static uint64_t run(const integration *by, builder build, int threads, int steps)
{
    cord_world *world;
    cord_world_def def = cord_world_def_default();
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &world), CORD_OK);
    build(world);
    for (int i = 0; i < steps; i++) assert_fine(world, cord_world_step(world, 1e-3));
    uint64_t hash = scene_hash(world);
    cord_world_destroy(world);
    return hash;
}

static void same_for_any_threads(builder build, int steps)
{
    for (int k = 0; k < DYNAMIC_INTEGRATIONS; k++) {
        uint64_t one = run(integrations + k, build, 1, steps);
        /* The hash sees the motion: one step more is another state. */
        assert_true(one != run(integrations + k, build, 1, steps + 1));
        for (int i = 1; i <= 7; i++) { /* a race need not show at once */
            int threads = i < 4 ? i : 4;
            uint64_t other = run(integrations + k, build, threads, steps);
            if (other != one) print_error("%s, %d threads\n", integrations[k].name, threads);
            assert_true(other == one);
        }
    }
}

static void of_one_strand(void **unused)
{
    (void)unused;
    same_for_any_threads(one_strand, 20);
}

static void of_many_strands(void **unused)
{
    (void)unused;
    same_for_any_threads(many_strands, 4);
}

static void of_coupled_strands(void **unused)
{
    (void)unused;
    same_for_any_threads(coupled_strands, 4);
}

/* Nothing but the committed state goes from one step to the next: workspace and caches full of
 * NaNs between steps change nothing. */
static void workspace_is_no_state(void **unused)
{
    (void)unused;
    for (int k = 0; k < DYNAMIC_INTEGRATIONS; k++) {
        cord_world *worlds[2];
        for (int i = 0; i < 2; i++) {
            worlds[i] = scene_world(integrations + k);
            coupled_strands(worlds[i]);
        }
        for (int step = 0; step < 4; step++) {
            for (int i = 0; i < 2; i++) assert_fine(worlds[i], cord_world_step(worlds[i], 1e-3));
            problem *p = &worlds[1]->problem;
            size_t columns = (size_t)p->v_count * sizeof(double);
            double *scratch[] = {p->d,     p->v_predictor, p->a_predictor, p->r,
                                 p->delta, p->trial.v,     p->trial.a};
            for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++)
                memset(scratch[i], 0xff, columns);
            double *caches[] = {p->cache, p->cache_start, p->cache_end};
            for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
                memset(caches[i], 0xff, (size_t)p->cache_count * sizeof(double));
            memset(p->q_half, 0xff, (size_t)p->q_count * sizeof(double));
            memset(p->trial.q, 0xff, (size_t)p->q_count * sizeof(double));
            memset(p->trial.lambda, 0xff, (size_t)p->lambda_count * sizeof(double));
            memset(p->g, 0xff, (size_t)p->lambda_count * sizeof(double));
            if (scene_hash(worlds[0]) != scene_hash(worlds[1]))
                print_error("%s, step %d\n", integrations[k].name, step);
            assert_true(scene_hash(worlds[0]) == scene_hash(worlds[1]));
        }
        for (int i = 0; i < 2; i++) cord_world_destroy(worlds[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_one_strand),
        cmocka_unit_test(of_many_strands),
        cmocka_unit_test(of_coupled_strands),
        cmocka_unit_test(workspace_is_no_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
