/* Islands: clusters that are joined in pairs, and their common step. */
#include "solve/integrator.h"
#include "support/machines.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

static const double STEP = 1e-3;

static void forms_islands(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    for (int i = 0; i < 5; i++)
        scene_rope(w, NULL, "rope", 4, (double[]){0, i, 0}, (double[]){1, i, 0});
    assert_fine(w, cord_world_prepare(w));
    partition *p = &w->partition;
    assert_int_equal(p->islands, 5);
    cord__form_islands(p, 3, (cluster_pair[]){{3, 1}, {4, 3}, {1, 4}});
    const int expected[] = {0, 1, 2, 1, 1}, sizes[] = {1, 3, 1};
    assert_int_equal(p->islands, 3);
    for (int i = 0; i < 5; i++) assert_int_equal(p->cluster[i].island, expected[i]);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(p->island[i].clusters, sizes[i]);
        for (int k = 0; k < sizes[i]; k++) {
            assert_int_equal(p->island[i].cluster[k]->island, i);
            if (k > 0) assert_true(p->island[i].cluster[k] > p->island[i].cluster[k - 1]);
        }
    }
    scene_advance(w, STEP, 1); /* without contacts they are separate again */
    assert_int_equal(p->islands, 5);
    cord_world_destroy(w);
}

static void join_all(partition *p)
{
    cluster_pair pairs[64];
    assert_true(p->clusters <= 64);
    for (int i = 1; i < p->clusters; i++) pairs[i - 1] = (cluster_pair){i - 1, i};
    cord__form_islands(p, p->clusters - 1, pairs);
    assert_int_equal(p->islands, 1);
}

/* A cluster in which rows open or close makes its whole island repeat the step by backward Euler. */
static bool same_stages(const partition *a, const partition *b)
{
    bool same = true;
    for (int i = 0; i < a->clusters; i++) {
        const newton_iteration *x = &a->cluster[i].newton, *y = &b->cluster[i].newton;
        same = same && x->stage.c_a == y->stage.c_a &&
               x->limits.iterations == y->limits.iterations &&
               x->stage.explicit_terms == y->stage.explicit_terms;
    }
    return same;
}

/* Without contact forces clusters move as they do alone, up to the tolerance of the iteration, since all iterate until
 * the last has settled; and if one does not converge, the island does not. */
static void steps_as_alone(const cord_world *alone, const cord_world *joined, double scale)
{
    const problem *p = &joined->problem;
    assert_all_close(p->trial.q, alone->problem.trial.q, p->q_count, 2e-9);
    assert_all_close(p->trial.v, alone->problem.trial.v, p->v_count, 2e-6 * (1 + scale));
    for (int i = 1; p->integrator->newton_active_set && i < joined->partition.clusters; i++)
        assert_int_equal(joined->partition.cluster[i].newton.count,
                         joined->partition.cluster[0].newton.count);
}

/* Islands by themselves: those that the test has joined are in no batch. */
static cord_status step_islands(cord_world *w)
{
    cord_status status = CORD_OK;
    for (int i = 0; i < w->partition.islands; i++)
        cord__island_step(&w->problem, w->partition.island + i, STEP);
    for (int i = 0; status == CORD_OK && i < w->partition.clusters; i++)
        status = w->partition.cluster[i].report.status;
    return status;
}

static bool step_both(const machine *m, int by)
{
    cord_world *alone = machine_world(m, by, 1, NULL), *joined = machine_world(m, by, 1, NULL);
    bool compared = false;
    if (machine_step(m, by, alone) && machine_step(m, by, joined)) {
        double scale = 0;
        for (int i = 0; i < joined->problem.v_count; i++)
            scale = fmax(scale, fabs(joined->problem.now.v[i]));
        join_all(&joined->partition);
        cord_status status = step_islands(alone);
        assert_int_equal(step_islands(joined), status);
        compared = status == CORD_OK && same_stages(&alone->partition, &joined->partition);
        if (compared) steps_as_alone(alone, joined, scale);
    }
    cord_world_destroy(alone);
    cord_world_destroy(joined);
    return compared;
}

static void joined_clusters_step_together(void **unused)
{
    (void)unused;
    int compared = 0;
    for (int i = 0; i < MACHINES; i++)
        for (int by = 0; by < INTEGRATIONS; by++) compared += step_both(machines + i, by);
    assert_true(compared > 70); /* of 86 that are supported */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forms_islands),
                                       cmocka_unit_test(joined_clusters_step_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
