/* External forces, and equilibrium under them: loads, drag, wind, stability. */
#include "math/vec3.h"
#include "support/mass_chain.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

static cord_strand dragged_rope(cord_world *w, double drag, double quadratic)
{
    cord_strand rope;
    cord_strand_def def = cord_strand_def_default();
    double x[18] = {0};
    for (int i = 0; i < 6; i++) x[3 * i] = 0.1 * i;
    def.vertex_count = 6;
    def.positions = x;
    def.section = scene_section();
    def.drag = drag;
    def.quadratic_drag = quadratic;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    return rope;
}

/* A rope that falls flat through still air reaches the speed at which drag balances its weight. */
static void terminal_speed(void **by)
{
    for (int quadratic = 0; quadratic < 2; quadratic++) {
        cord_world *w = scene_world(*by);
        cord_strand rope = dragged_rope(w, quadratic ? 0 : 2, quadratic ? 2 : 0);
        double v[18], speed = quadratic ? sqrt(0.1 * 9.81 / 2) : 0.1 * 9.81 / 2;
        for (int i = 0; i < 400; i++) assert_fine(w, cord_world_step(w, 2e-3));
        assert_fine(w, cord_strand_get_velocities(w, rope, v));
        /* e^{−0.8 s/(m/c)} = e^{−16}; the quadratic one is there sooner. */
        for (int i = 0; i < 6; i++) assert_close(v[3 * i + 2], -speed, 1e-6);
        cord_world_destroy(w);
    }
}

/* Without weight it moves with the wind, in any direction. */
static void drifts_with_the_wind(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand rope = dragged_rope(w, 2, 0.5);
    cord_wind_def wind_def = cord_wind_def_default();
    double v[18], nothing[3] = {0, 0, 0}, at[3] = {1, 2, 3}, air[3];
    v3_set(wind_def.velocity, 1, -2, 0.5);
    assert_fine(w, cord_world_set_gravity(w, nothing));
    assert_fine(w, cord_world_set_wind(w, &wind_def));
    assert_fine(w, cord_world_get_wind(w, at, air));
    assert_all_close(air, wind_def.velocity, 3, 0);
    for (int i = 0; i < 400; i++) assert_fine(w, cord_world_step(w, 2e-3));
    assert_fine(w, cord_strand_get_velocities(w, rope, v));
    for (int i = 0; i < 6; i++) assert_all_close(v + 3 * i, wind_def.velocity, 3, 1e-6);
    cord_world_destroy(w);
}

/* A load at the end of a hanging rope, and one between vertices: the reaction at the top
 * includes both. */
static void loads_hang(void **unused)
{
    (void)unused;
    for (int m = 0; m < 2; m++) {
        cord_world *w = scene_world(NULL);
        cord_strand rope = scene_rope(w, m ? &mass_chain : NULL, "a", 5, (double[]){0, 0, 0},
                                      (double[]){0, 0, -0.5});
        cord_constraint held = scene_hang(w, rope, 0);
        cord_load_def def = cord_load_def_default();
        cord_load load_handle;
        const double times[1] = {0}, more[3] = {0, 0, -1};
        double force[3], t[5];
        def.point = scene_point(w, rope, 0.5);
        def.force[2] = -2;
        assert_fine(w, cord_world_add_load(w, &def, &load_handle));
        def.point = scene_point(w, rope, 0.33);
        def.force_keys = (cord_keys){1, times, more, CORD_EASE_LINEAR};
        def.force[2] = 0;
        assert_fine(w, cord_world_add_load(w, &def, &load_handle));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_fine(w, cord_constraint_get_force(w, held, force, NULL));
        assert_all_close(force, ((double[]){0, 0, 3 + 0.05 * 9.81}), 3, 1e-7);
        assert_fine(w, cord_strand_get_tensions(w, rope, t));
        /* Below the last edge's upper end: the load and half an edge. */
        assert_close(t[4], 2 + 0.005 * 9.81,
                     0.05); /* and the last vertex's share of 1 N: a cubic's weight */
        assert_close(t[0], 3 + 0.045 * 9.81, 1e-6);
        assert_fine(w, cord_world_remove_load(w, load_handle));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_fine(w, cord_constraint_get_force(w, held, force, NULL));
        assert_close(force[2], 2 + 0.05 * 9.81, 1e-7);
        cord_world_destroy(w);
    }
}

/* A force that is set again before every step: after each of them the momentum of a body and of the rope that hangs on it is the
 * impulse so far, although their motion is not smooth. */
static void changing_force(void **by)
{
    const double h = 2e-3, nothing[3] = {0, 0, 0};
    cord_world *w = scene_world(*by);
    cord_strand rope = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
    cord_body_def body_def = cord_body_def_default();
    cord_point_def point_def = cord_point_def_default();
    cord_constraint_def joint_def = cord_constraint_def_default();
    cord_load_def load_def = cord_load_def_default();
    cord_constraint joint;
    cord_load handle;
    double impulse[3] = {0, 0, 0};
    body_def.mass = 0.2;
    body_def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    assert_fine(w, cord_world_set_gravity(w, nothing));
    assert_fine(w, cord_world_add_body(w, &body_def, &point_def.body));
    point_def.source = CORD_SOURCE_BODY;
    assert_fine(w, cord_world_add_point(w, &point_def, &joint_def.second));
    joint_def.kind = CORD_COINCIDE;
    joint_def.first = scene_point(w, rope, 0);
    assert_fine(w, cord_world_add_constraint(w, &joint_def, &joint));
    load_def.point = joint_def.second;
    assert_fine(w, cord_world_add_load(w, &load_def, &handle));
    for (int i = 0; i < 50; i++) {
        const double force[3] = {i % 3 == 0 ? 1 : -0.5, i % 2 ? 0.7 : -0.2, i < 20 ? 0.5 : -0.5};
        cord_momentum momentum;
        assert_fine(w, cord_load_set_force(w, handle, force));
        assert_fine(w, cord_world_step(w, h));
        assert_fine(w, cord_world_get_momentum(w, &momentum));
        v3_axpy(impulse, h, force);
        assert_all_close(momentum.linear, impulse, 3, 1e-9);
    }
    cord_world_destroy(w);
}

/* An upright rod clamped at its foot buckles under its own weight beyond ρSgL³/EI = 7.837, in both
 * planes (Greenhill 1881). */
static void greenhill(void **unused)
{
    (void)unused;
    /* ρSg/EI = 98.1 1/m³: critical at L = 0.431 m; the second mode (55.98) at 0.83 m. */
    const double lengths[2] = {0.42, 0.44};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world(NULL);
        cord_strand rod =
            scene_rope(w, NULL, "upright", 40, (double[]){0, 0, 0}, (double[]){0, 0, lengths[i]});
        cord_statics_result result;
        int count = -1;
        assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &result));
        assert_int_equal(result.unstable_directions, 2 * i);
        assert_fine(w, cord_world_count_unstable_directions(w, &count, NULL));
        assert_int_equal(count, 2 * i);
        double omega[2];
        if (i == 1)
            assert_int_equal(cord_world_find_frequencies(w, 2, omega), CORD_ERROR_UNSTABLE);
        else
            assert_fine(w, cord_world_find_frequencies(w, 2, omega));
        if (i == 0) assert_close(omega[0], omega[1], 1e-9 * omega[0]); /* both planes alike */
        cord_world_destroy(w);
    }
}

/* Frequencies include all moving mass; statics changes neither time nor a state already at rest. */
static void statics_keep_time(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand rope = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0.3, 0, -0.4});
    scene_hang(w, rope, 0);
    assert_fine(w, cord_world_step(w, 0.01));
    double time = cord_world_get_time(w), x[18], y[18], v[18];
    cord_statics_result result;
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &result));
    assert_close(cord_world_get_time(w), time, 0);
    assert_true(result.residual < 1e-6);
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    assert_fine(w, cord_strand_get_velocities(w, rope, v));
    for (int i = 0; i < 6; i++) /* straight down */
        assert_all_close(x + 3 * i, ((double[]){0, 0, -0.1 * i}), 3, 1e-8);
    for (int i = 0; i < 18; i++) assert_close(v[i], 0, 0);
    for (int i = 0; i < 20; i++) assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_strand_get_positions(w, rope, y));
    assert_all_close(y, x, 18, 1e-7);
    cord_world_destroy(w);
}

/* A distributed load on a strand has the effect of a weight of the same size, on every model. */
static void spread_loads_weigh(void **unused)
{
    (void)unused;
    for (const char *const *model = cord_model_names(); *model; model++) {
        double tip[2], energy[2];
        for (int spread = 0; spread < 2; spread++) {
            cord_world *w = scene_world(NULL);
            cord_strand_def def = cord_strand_def_default();
            double x[33], out[33],
                per_length = 9.81 * def.material.density * 3.14159265358979323846;
            for (int i = 0; i < 33; i++) x[i] = i % 3 ? 0 : 0.1 * (i / 3);
            def.model = *model;
            def.vertex_count = 11;
            def.element_count = 4;
            def.positions = x;
            def.section.radius = 4e-3;
            def.material.young = 1e8;
            if (spread) assert_fine(w, cord_world_set_gravity(w, (double[]){0, 0, 0}));
            if (spread) def.load[2] = -per_length * def.section.radius * def.section.radius;
            cord_strand rod;
            cord_energy e;
            assert_fine(w, cord_world_add_strand(w, &def, &rod));
            assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
            assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
            assert_fine(w, cord_strand_get_positions(w, rod, out));
            assert_fine(w, cord_world_get_energy(w, &e));
            tip[spread] = out[32], energy[spread] = e.total;
            cord_world_destroy(w);
        }
        assert_true(tip[0] < -0.1);
        assert_close(tip[1], tip[0], 1e-9);
        assert_close(energy[1], energy[0], 1e-9);
    }
    cord_world *w = scene_world(NULL);
    cord_strand rope = scene_rope(w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    assert_int_equal(cord_strand_set_load(w, rope, (double[]){NAN, 0, 0}), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_set_load(w, rope, NULL), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_strand_set_load(w, rope, (double[]){0, 0, 1}));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"terminal speed, tr_bdf2", terminal_speed, NULL, NULL, (void *)(integrations)},
        {"terminal speed, backward_euler", terminal_speed, NULL, NULL,
         (void *)(integrations + BACKWARD_EULER)},
        {"terminal speed, linearised", terminal_speed, NULL, NULL,
         (void *)(integrations + LINEARISED)},
        {"terminal speed, midpoint", terminal_speed, NULL, NULL, (void *)(integrations + MIDPOINT)},
        {"terminal speed, symplectic", terminal_speed, NULL, NULL,
         (void *)(integrations + SYMPLECTIC)},
        {"wind, tr_bdf2", drifts_with_the_wind, NULL, NULL, (void *)(integrations)},
        {"wind, midpoint", drifts_with_the_wind, NULL, NULL, (void *)(integrations + MIDPOINT)},
        {"wind, symplectic", drifts_with_the_wind, NULL, NULL, (void *)(integrations + SYMPLECTIC)},
        {"changing force, tr_bdf2", changing_force, NULL, NULL, (void *)(integrations)},
        {"changing force, backward_euler", changing_force, NULL, NULL,
         (void *)(integrations + BACKWARD_EULER)},
        {"changing force, midpoint", changing_force, NULL, NULL, (void *)(integrations + MIDPOINT)},
        cmocka_unit_test(loads_hang),
        cmocka_unit_test(spread_loads_weigh),
        cmocka_unit_test(greenhill),
        cmocka_unit_test(statics_keep_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
