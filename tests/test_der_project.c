/* Discrete elastic rods: fast projection. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

/* Rods of the sizes and steps of the paper's Table 1 (49, 75 and 67 vertices, 1 to 4 ms) in fast
 * motion: at most five iterations bring every edge to |e·e/ē² − 1| <= 1e-6. */
static void iterations(void **unused)
{
    (void)unused;
    const struct {
        int vertices;
        double step;
        bool closed, clamped;
    } rods[] = {{49, 1e-3, false, true},
                {75, 2e-3, false, false},
                {67, 1e-3, true, false},
                {67, 2e-3, false, false},
                {49, 4e-3, false, true}};
    enum { MOST = 80, STEPS = 100 };
    for (size_t k = 0; k < sizeof rods / sizeof *rods; k++) {
        int n = rods[k].vertices;
        double x[3 * MOST], v[3 * MOST], length = 1;
        cord_strand_def def = cord_strand_def_default();
        for (int i = 0; i < n; i++) {
            double s = length * i / (rods[k].closed ? n : n - 1), a = 2 * M_PI * s;
            if (rods[k].closed)
                v3_set(x + 3 * i, cos(a) / (2 * M_PI), sin(a) / (2 * M_PI), 0);
            else
                v3_set(x + 3 * i, s, 0, 0);
            v3_set(v + 3 * i, 0, 0.5 * sin(7 * s), 0.5 * cos(5 * s));
        }
        def.vertex_count = n;
        def.positions = x, def.velocities = v;
        def.closed = rods[k].closed;
        /* Soft enough for the explicit step: h < ½ ℓ² √(ρS/EI). */
        def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                     .mass = 0.1,
                                     .stretching = 1,
                                     .bending = {1e-6, 1e-6},
                                     .twisting = 1e-6,
                                     .radius = 0.005};
        cord_world *w = scene_world(integrations + SYMPLECTIC);
        cord_strand rod;
        cord_counters before, after;
        assert_fine(w, cord_world_add_strand(w, &def, &rod));
        if (rods[k].clamped)
            assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
        assert_fine(w, cord_world_step(w, rods[k].step)); /* projects the velocities */
        int64_t most = 0;
        for (int i = 0; i < STEPS; i++) {
            assert_int_equal(cord_world_get_counters(w, &before), CORD_OK);
            assert_fine(w, cord_world_step(w, rods[k].step));
            assert_int_equal(cord_world_get_counters(w, &after), CORD_OK);
            int64_t taken = after.projection_iterations - before.projection_iterations;
            assert_int_equal(after.halvings, before.halvings);
            if (taken > most) most = taken;
            const block *b = w->problem.block[0];
            cord__refresh_all(w);
            assert_true(b->ops->rows->error(b->model, w->problem.cache + b->cache0) <= 1.000001e-6);
        }
        if (most < 1 || most > 5) print_error("rod %d: %d iterations\n", (int)k, (int)most);
        assert_in_range(most, 1, 5);
        cord_world_destroy(w);
    }
}

/* Projection moves vertices along edges in the mass metric: linear momentum is conserved. */
static void momentum(void **unused)
{
    (void)unused;
    enum { N = 10 };
    double x[3 * N], v[3 * N];
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i < N; i++) {
        v3_set(x + 3 * i, 0.1 * i, 0.02 * sin(i), 0);
        v3_set(v + 3 * i, 0.1, sin(2.0 * i), 0.3 * i);
    }
    def.vertex_count = N;
    def.positions = x, def.velocities = v;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .stretching = 1,
                                 .bending = {1e-5, 1e-5},
                                 .twisting = 1e-5,
                                 .radius = 0.005};
    cord_world *w = scene_world(integrations + SYMPLECTIC);
    cord_strand rod;
    cord_momentum m0, m1;
    double gravity[3] = {0, 0, 0};
    assert_fine(w, cord_world_set_gravity(w, gravity));
    assert_fine(w, cord_world_add_strand(w, &def, &rod));
    assert_fine(w, cord_world_get_momentum(w, &m0));
    for (int i = 0; i < 50; i++) assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_world_get_momentum(w, &m1));
    assert_all_close(m1.linear, m0.linear, 3, 1e-12);
    /* and angular ones to the first order of the step */
    assert_all_close(m1.angular, m0.angular, 3, 3e-3 * v3_norm(m0.angular));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(iterations),
        cmocka_unit_test(momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
