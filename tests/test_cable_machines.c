/* Machines of cables: pegs that are wrapped and unwrapped, drums, ends that run off, weights
 * that hang, and objects attached to a cable's end. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void pegs(void **unused)
{
    (void)unused;
    static const int parts[] = {1, 6};
    for (int i = 0; i < 2; i++) {
        rig_pendulum t = rig_swing(parts[i]);
        assert_false(rig_in_contact(t.w, t.cable, 1, NULL));
        double angle, long_way = rig_length(t.w, t.cable), highest = -1;
        scene_advance(t.w, 0.002, 400); /* on the other side, at about its highest */
        assert_true(rig_in_contact(t.w, t.cable, 1, &angle));
        assert_true(angle > 0.5 && angle < 1.2);
        assert_close(rig_length(t.w, t.cable), long_way, 1e-12);
        scene_advance(t.w, 0.002, 400); /* and back */
        assert_false(rig_in_contact(t.w, t.cable, 1, NULL));
        assert_close(rig_length(t.w, t.cable), long_way, 1e-12);
        for (int k = 0; k < 200; k++) {
            scene_advance(t.w, 0.002, 1);
            highest = fmax(highest, rig_height(t.w, t.bob));
        }
        assert_close(highest, -0.8, 0.01); /* the initial height, less the losses of the impacts */
        cord_world_destroy(t.w);
    }
}

/* Two bodies in space, each with a peg and a bob that swings against it, at different times: the
 * total momentum is conserved whenever nodes change. */
static void momentum_at_pegs(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_strand cable[2];
    cord_momentum last, now;
    int changes = 0;
    bool was[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        cord_body holder = rig_ball(w, 2, 5 * i, 0),
                  bob = rig_ball(w, 1, 5 * i - 0.1 - 0.1 * i, -1);
        const cord_waypoint waypoints[] = {rig_anchor(rig_on(w, holder, 0, 0)),
                                           rig_pulley(rig_on(w, holder, 0.05, -0.5), 0.05, 1),
                                           rig_anchor(rig_on(w, bob, 0, 0))};
        cable[i] = rig_route(w, waypoints, 3);
        /* it swings downwards a little, so that the cable remains taut */
        assert_fine(w, cord_body_set_velocity(w, bob, (double[]){1, 0, -0.5}, (double[]){0, 0, 0}));
    }
    scene_advance(w, 1e-3, 1);
    assert_fine(w, cord_world_get_momentum(w, &last));
    for (int k = 0; k < 300; k++) {
        scene_advance(w, 1e-3, 1);
        assert_fine(w, cord_world_get_momentum(w, &now));
        /* To the integrator's accuracy while a wrap angle grows. */
        assert_all_close(now.linear, last.linear, 3, 1e-6);
        for (int i = 0; i < 2; i++) {
            bool is = rig_in_contact(w, cable[i], 1, NULL);
            if (is != was[i]) assert_all_close(now.linear, last.linear, 3, 1e-8);
            changes += is != was[i];
            was[i] = is;
        }
        last = now;
    }
    assert_int_equal(changes, 2);
    cord_world_destroy(w);
}

/* A weight pulls a free end over a pulley and off it, and then falls freely; energy is never
 * gained. */
static void free_ends(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_body load = rig_ball(w, 1, 0.1, -0.5);
        cord_waypoint waypoints[] = {{.kind = CORD_WAYPOINT_FREE, .position = {-0.1, 0, -0.5}},
                                     rig_pulley(rig_world_point(w, 0, 0), 0.1, -1),
                                     rig_anchor(rig_on(w, load, 0, 0))};
        waypoints[0].parts = waypoints[1].parts = i % 2 ? 4 : 1;
        cord_cable_def def = cord_cable_def_default();
        cord_strand cable;
        cord_energy first, now;
        double v[2][3];
        def.stretching = i / 2 ? 2000 : 0;
        def.damping = 1e-3;
        def.waypoints = waypoints, def.waypoint_count = 3;
        assert_fine(w, cord_world_add_cable(w, &def, &cable));
        assert_fine(w, cord_world_get_energy(w, &first));
        int steps = 0;
        for (; steps < 300 && rig_in_contact(w, cable, 1, NULL); steps++) {
            scene_advance(w, 0.002, 1);
            assert_fine(w, cord_world_get_energy(w, &now));
            assert_true(now.total < first.total + 0.02);
        }
        assert_in_range(steps, 150, 250);
        assert_fine(w, cord_body_get_velocity(w, load, v[0], NULL));
        scene_advance(w, 0.002, 100);
        assert_false(rig_in_contact(w, cable, 1, NULL));
        assert_fine(w, cord_body_get_velocity(w, load, v[1], NULL));
        /* At the bottom the rest of the cable, a tenth of its weight, still swings. */
        assert_close(v[0][2] - v[1][2], 9.81 * 0.2, 0.3);
        assert_fine(w, cord_world_get_energy(w, &now));
        assert_true(now.total < first.total + 0.02);
        cord_world_destroy(w);
    }
}

/* A driven drum: the load rises by radius × angle, on either side. */
static void drums(void **unused)
{
    (void)unused;
    for (int side = -1; side <= 1; side += 2)
        for (int first = 0; first < 2; first++) {
            static const double times[] = {0, 0.5, 1}, angles[] = {0, -1, 1.5};
            cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
            cord_point spin = rig_flywheel(w, 0.1, 0);
            /* Wound from its end on a drum at the start, onto a drum at the end: the cable
             * leaves on opposite sides. */
            cord_body load = rig_ball(w, 1, (first ? -side : side) * 0.1, -2);
            cord_waypoint drum = {.kind = CORD_WAYPOINT_DRUM,
                                  .point = rig_world_point(w, 0, 0),
                                  .radius = 0.1,
                                  .side = side,
                                  .turns = 3,
                                  .rotation = spin};
            cord_waypoint hook = rig_anchor(rig_on(w, load, 0, 0));
            cord_waypoint waypoints[2] = {first ? drum : hook, first ? hook : drum};
            cord_strand cable = rig_route(w, waypoints, 2);
            cord_constraint_def drive = cord_constraint_def_default();
            drive.kind = CORD_SLIDE, drive.first = spin;
            drive.drive = (cord_keys){3, times, angles, CORD_EASE_SMOOTH};
            scene_relate(w, &drive);
            double wound;
            rig_in_contact(w, cable, first ? 0 : 1, &wound);
            assert_close(wound, 6 * pi, 1e-12);
            for (int k = 1; k <= 100; k++) {
                double angle, now;
                scene_advance(w, 0.01, 1);
                assert_fine(w, cord_point_get_coordinate(w, spin, &angle, NULL));
                double hauled = (first ? -side : side) * 0.1 * angle;
                assert_close(rig_height(w, load) + 2, hauled, 1e-8);
                rig_in_contact(w, cable, first ? 0 : 1, &now);
                assert_close(0.1 * (now - wound), hauled, 1e-8);
            }
            assert_close(rig_height(w, load), -2 + (first ? -side : side) * 0.15, 1e-8);
            cord_world_destroy(w);
        }
}

/* A span of several segments between an anchor and an eyelet, beyond which a weight hangs: it
 * sags as a parabola with T = mg, f = λgl²/8T, up to terms of second order and the weight of the
 * cable beyond the eyelet. */
static void sagging(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body load = rig_ball(w, 5, 2, -1);
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                 {.kind = CORD_WAYPOINT_EYELET, .point = rig_world_point(w, 2, 0)},
                                 rig_anchor(rig_on(w, load, 0, 0))};
    waypoints[0].parts = 16;
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    def.density = 0.2, def.waypoints = waypoints, def.waypoint_count = 3;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_int_equal(rig_node_count(w, cable), 18);
    cord_statics_result found;
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
    assert_int_equal(found.unstable_directions, 0);
    double expected = 0.2 * 4 / (8 * (5 + 0.2)); /* with the weight of the hanging part */
    assert_close(-rig_node(w, cable, 8).position[2], expected, 5e-3 * expected);
    double tension;
    assert_fine(w, cord_cable_get_tension(w, cable, 16, 0.5, &tension));
    assert_close(tension, 9.81 * (5 + 0.1), 1e-4 * tension);
    cord_world_destroy(w);
}

/* A bob is moved from beside a peg to a position where the peg deflects the cable: the peg is
 * wrapped on the path, and unwrapped on the path back; in one static solve, or by a quasi-static
 * step. */
static void equilibrium_at_peg(void **unused)
{
    (void)unused;
    for (int steps = 0; steps < 2; steps++) {
        cord_world *w = scene_world_in(steps ? CORD_QUASI_STATIC : CORD_IMPLICIT, 9.81);
        cord_body bob = rig_ball(w, 1, -0.6, -0.8);
        const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                           rig_pulley(rig_world_point(w, 0.02, -0.5), 0.03, 1),
                                           rig_anchor(rig_on(w, bob, 0, 0))};
        cord_strand cable = rig_route(w, waypoints, 3);
        double x[3], angle;
        assert_false(rig_in_contact(w, cable, 1, NULL));
        assert_fine(w,
                    steps ? cord_world_step(w, 0.1) : cord_world_find_equilibrium(w, NULL, NULL));
        assert_true(rig_in_contact(w, cable, 1, &angle));
        assert_close(angle, asin(0.03 / hypot(0.02, 0.5)) - atan(0.02 / 0.5), 1e-8);
        assert_fine(w, cord_body_get_pose(w, bob, x, NULL));
        assert_close(x[0], -0.01, 1e-8);
        /* Quarter circles in one step: round the peg, back, and away from it. */
        static const double down[3][3] = {{9.81, 0, 0}, {0, 0, -9.81}, {-9.81, 0, 0}};
        for (int k = 0; k < 3; k++) {
            double was = angle;
            assert_fine(w, cord_world_set_gravity(w, down[k]));
            assert_fine(w, steps ? cord_world_step(w, 0.1)
                                 : cord_world_find_equilibrium(w, NULL, NULL));
            if (k == 2) break;
            assert_true(rig_in_contact(w, cable, 1, &angle));
            assert_close(angle - was, k == 0 ? 0.5 * pi : -0.5 * pi, 1e-8);
        }
        assert_false(rig_in_contact(w, cable, 1, NULL));
        scene_advance(w, 0.01, 10); /* it stays there */
        assert_fine(w, cord_body_get_pose(w, bob, x, NULL));
        assert_all_close(x, ((double[]){-1, 0, 0}), 3, 1e-7);
        cord_world_destroy(w);
    }
}

/* A bob on one straight segment: ω² = g (m + λl/2) / l (m + λl/3). */
static void small_swings(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body bob = rig_ball(w, 1, 0, -2);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       rig_anchor(rig_on(w, bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    double omega[5];
    def.density = 0.3, def.waypoints = waypoints, def.waypoint_count = 2;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_world_find_frequencies(w, 5, omega));
    double expected = sqrt(9.81 * (1 + 0.3) / (2 * (1 + 0.2)));
    for (int k = 0; k < 3; k++) assert_close(omega[k], 0, 1e-3); /* the bob's own rotation */
    for (int k = 3; k < 5; k++) assert_close(omega[k], expected, 1e-6 * expected);
    cord_world_destroy(w);
}

/* A free end, to which a body is attached by a constraint; and a load that pulls it. */
static void points_on_cables(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       {.kind = CORD_WAYPOINT_FREE, .position = {0, 0, -1}}};
    cord_strand cable = rig_route(w, waypoints, 2);
    cord_point end = scene_point(w, cable, 1);
    cord_body bob = rig_ball(w, 2, 0, -1);
    scene_constraint(w, CORD_COINCIDE, rig_on(w, bob, 0, 0), end);
    cord_load_def load = cord_load_def_default();
    cord_load pull;
    double tension;
    load.point = end, load.force[2] = -3;
    assert_fine(w, cord_world_add_load(w, &load, &pull));
    scene_advance(w, 0.01, 100);
    assert_close(rig_height(w, bob), -1, 1e-8);
    assert_fine(w, cord_cable_get_tension(w, cable, 0, 0.5, &tension));
    assert_close(tension, 9.81 * (2 + 0.05) + 3, 1e-6);
    cord_world_destroy(w);
}

/* The index of the end node changes when pulleys are wrapped or unwrapped. */
static void point_past_pegs(void **unused)
{
    (void)unused;
    rig_pendulum t = {.w = scene_world_in(CORD_IMPLICIT, 9.81)};
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(t.w, 0, 0)),
                                       rig_pulley(rig_world_point(t.w, 0.03, -0.5), 0.03, 1),
                                       {.kind = CORD_WAYPOINT_FREE, .position = {-0.6, 0, -0.8}}};
    t.cable = rig_route(t.w, waypoints, 3);
    t.bob = rig_ball(t.w, 1, -0.6, -0.8);
    cord_point end = scene_point(t.w, t.cable, 1);
    scene_constraint(t.w, CORD_COINCIDE, rig_on(t.w, t.bob, 0, 0), end);
    int changes = 0;
    bool was = false;
    for (int k = 0; k < 800; k++) {
        double x[3], at[3];
        scene_advance(t.w, 0.002, 1);
        bool now = rig_in_contact(t.w, t.cable, 1, NULL);
        changes += now != was;
        was = now;
        assert_fine(t.w, cord_point_get_pose(t.w, end, x, NULL));
        assert_fine(t.w, cord_body_get_pose(t.w, t.bob, at, NULL));
        assert_all_close(x, at, 3, 1e-7);
        int last = rig_node_count(t.w, t.cable) - 1;
        assert_all_close(x, rig_node(t.w, t.cable, last).position, 3, 0);
    }
    assert_int_equal(changes, 2);
    cord_world_destroy(t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pegs),
        cmocka_unit_test(drums),
        cmocka_unit_test(sagging),
        cmocka_unit_test(small_swings),
        cmocka_unit_test(points_on_cables),
        cmocka_unit_test(point_past_pegs),
        cmocka_unit_test(momentum_at_pegs),
        cmocka_unit_test(free_ends),
        cmocka_unit_test(equilibrium_at_peg),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
