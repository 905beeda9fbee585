/* The axial force along heavy ropes, and capstan friction by the forces at the tangent points of a wheel. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

static double tension(cord_world *w, cord_strand rope, int segment, double along)
{
    double force;
    assert_fine(w, cord_cable_get_tension(w, rope, segment, along, &force));
    return force;
}

/* 1000 kg on 500 m of 5 kg/m. */
static void hanging(void **by)
{
    cord_world *w = scene_world_under(*by, g);
    cord_body load = rig_ball(w, 1000, 0, -500);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       rig_anchor(rig_on(w, load, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = 5;
    def.waypoints = waypoints, def.waypoint_count = 2;
    def.vertex_count = 11;
    cord_strand rope = rig_cable(w, &def);
    scene_advance(w, 0.01, 2);
    for (int i = 0; i <= 4; i++)
        assert_close(tension(w, rope, 0, 0.25 * i), (3500 - 625 * i) * g, 1e-4);
    double along[10];
    assert_fine(w, cord_strand_get_tensions(w, rope, along));
    for (int i = 0; i < 10; i++) assert_close(along[i], (3500 - 250 * (i + 0.5)) * g, 1e-4);
    assert_int_equal(cord_cable_get_tension(w, rope, 0, 1.5, along), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "1.5"));
    cord_world_destroy(w);
}

/* A rope of ten times the weight of either load runs over a pulley: forces at the pulley and at the loads from the
 * acceleration. */
static void running(void **by)
{
    const double a = 0.05, depth = 5, density = 2, loads[2] = {2, 3};
    cord_world *w = scene_world_under(*by, g);
    cord_body light = rig_ball(w, loads[0], -a, -depth), heavy = rig_ball(w, loads[1], a, -depth);
    const cord_waypoint waypoints[] = {rig_anchor(rig_on(w, light, 0, 0)),
                                       rig_pulley(rig_world_point(w, 0, 0), a, -1),
                                       rig_anchor(rig_on(w, heavy, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = density;
    def.waypoints = waypoints, def.waypoint_count = 3;
    cord_strand rope = rig_cable(w, &def);
    scene_advance(w, 1e-3, 100);
    double l[2] = {-rig_height(w, light), -rig_height(w, heavy)}, before, after;
    double rise = g * (loads[1] - loads[0] + density * (l[1] - l[0])) /
                  (loads[0] + loads[1] + density * (l[0] + l[1] + pi * a));
    assert_fine(w, cord_cable_get_wrap(w, rope, 1, NULL, NULL, &before, &after));
    assert_close(before, (loads[0] + density * l[0]) * (g + rise), 0.02);
    assert_close(after, (loads[1] + density * l[1]) * (g - rise), 0.02);
    assert_close(tension(w, rope, 0, 0), loads[0] * (g + rise), 0.02);
    assert_close(tension(w, rope, 2, 1), loads[1] * (g - rise), 0.02);
    assert_close(tension(w, rope, 1, 0), before, 1e-5 * before); /* from segment to segment */
    assert_close(tension(w, rope, 1, 1), after, 1e-5 * after);
    cord_world_destroy(w);
}

/* Ropes of ten times the load on a sheave with μ = 0.3: a ratio of the tensions of 2 holds, one of 2.7 slips. */
static void sheave(void **unused)
{
    (void)unused;
    static const double ratios[2] = {2, 2.7};
    for (int i = 0; i < 4; i++) {
        const double a = 0.01, depth = 10, light = 100, rope = 1000, tight = ratios[i % 2];
        cord_world *w = scene_world_in(CORD_IMPLICIT, g);
        cord_body left = rig_ball(w, light, -a, -depth),
                  right = rig_ball(w, tight * (light + rope) - rope, a, -depth);
        cord_waypoint waypoints[] = {rig_anchor(rig_on(w, left, 0, 0)),
                                     rig_pulley(rig_world_point(w, 0, 0), a, -1),
                                     rig_anchor(rig_on(w, right, 0, 0))};
        waypoints[1].friction_law = CORD_WRAP_CAPSTAN;
        waypoints[1].friction = 0.3;
        for (int k = 0; k < 2; k++) waypoints[k].parts = i < 2 ? 1 : 4;
        cord_cable_def def = cord_cable_def_default();
        def.density = rope / depth;
        def.waypoints = waypoints, def.waypoint_count = 3;
        cord_strand made = rig_cable(w, &def);
        scene_advance(w, 2e-3, 50);
        double before, after;
        assert_fine(w, cord_cable_get_wrap(w, made, 1, NULL, NULL, &before, &after));
        assert_close(after / before, fmin(tight, exp(0.3 * pi)), 1e-3);
        if (i % 2 == 0)
            assert_close(rig_height(w, right), -depth, 1e-9);
        else
            assert_true(rig_height(w, right) < -depth - 1e-4);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_IMPLICIT_INTEGRATION(hanging),
        BY_INTEGRATION(running, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(running, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(running, "midpoint", MIDPOINT),
        cmocka_unit_test(sheave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
