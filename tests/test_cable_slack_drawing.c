/* Slack spans are drawn as they hang: catenaries of their length. */
#include "curve/catenary.h"
#include "math/vec3.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

enum { VERTICES = 401, POINTS = 2000 };

static const double down[3] = {0, 0, -9.81}, nowhere[3] = {0, 0, 0};

/* ---- the curve ---------------------------------------------------------------------------------------- */

/* It begins and ends at the ends, and has the length: points at equal fractions are nowhere farther apart than that, and
 * nearer only by the curvature between them. */
static void check_line(const double from[3], const double to[3], double length,
                       const double gravity[3], double opening)
{
    hanging_line h = cord__hanging_line(from, to, length, gravity, opening);
    double x[3], before[3], sum = 0, step = length / POINTS;
    cord__hanging_line_at(&h, 0, before);
    assert_all_close(before, from, 3, 1e-9 * length);
    for (int i = 1; i <= POINTS; i++) {
        cord__hanging_line_at(&h, (double)i / POINTS, x);
        double distance = v3_distance(before, x);
        assert_true(distance <= step * (1 + 1e-9));
        sum += distance;
        v3_copy(before, x);
    }
    assert_all_close(x, to, 3, 1e-8 * length);
    assert_close(sum, length, 2e-3 * length);
}

static void a_line_has_its_length_at_all_ratios(void **state)
{
    (void)state;
    static const double H[] = {0, 1e-14, 1e-9, 1e-3, 1, 30}, V[] = {0, 1e-9, 0.1, -0.1, 2, -2},
                        excess[] = {1e-11, 1e-9, 1e-4, 0.01, 0.3, 10, 1e5},
                        opening[] = {0, 1e-6, 0.05, 3};
    for (int i = 0; i < 6 * 6 * 7 * 4; i++) {
        double from[3] = {0}, l = hypot(H[i % 6], V[i / 6 % 6]);
        double to[3] = {0.6 * H[i % 6], 0.8 * H[i % 6], V[i / 6 % 6]};
        double length = (l > 0 ? l : 1) * (1 + excess[i / 36 % 7]);
        check_line(from, to, length, down, opening[i / 252]);
        check_line(from, to, length, nowhere, opening[i / 252]);
    }
}

/* a sinh(H/2a) = ½ √(L² − V²). */
static void its_parameter_is_that_of_the_closed_form(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 0}, to[3] = {3, 0, 1};
    for (double length = 3.17; length < 4000; length *= 1.7) {
        double a = cord__hanging_line(from, to, length, down, 0).curve.a;
        assert_close(2 * a * sinh(3 / (2 * a)), sqrt(length * length - 1), 1e-11 * length);
    }
}

static void a_loop_below_an_end_reaches_half_the_slack(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, -2};
    double x[3];
    hanging_line h = cord__hanging_line(from, to, 3, down, 0);
    cord__hanging_line_at(&h, 2.5 / 3, x);
    assert_all_close(x, ((const double[]){0, 0, -2.5}), 3, 1e-14);
    h = cord__hanging_line(from, to, 3, down, 0.1); /* opened, over the lower end */
    cord__hanging_line_at(&h, 1 - 0.5 * 0.1 * 1.5707963267948966 / 3, x);
    assert_all_close(x, ((const double[]){0.05, 0, -1.95}), 3, 1e-12);
}

/* ---- cables ------------------------------------------------------------------------------------------- */

/* A rope between two points that are 2 m apart. */
static cord_strand rope_of(cord_world *w, double length, double stretching, bool pushes, int parts)
{
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                 rig_anchor(rig_world_point(w, 2, 0))};
    cord_cable_def def = cord_cable_def_default();
    waypoints[0].parts = parts;
    def.density = 0.1, def.radius = 0.005, def.stretching = stretching, def.pushes = pushes;
    def.length = length, def.vertex_count = VERTICES;
    def.waypoints = waypoints, def.waypoint_count = 2;
    return rig_cable(w, &def);
}

static double lowest(cord_world *w, cord_strand rope, double x[3 * VERTICES])
{
    double z = 0;
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    for (int i = 0; i < VERTICES; i++) z = fmin(z, x[3 * i + 2]);
    return z;
}

/* At the middle the sag is a (cosh(H/2a) − 1); sinh w = 2 w at w = 2.1773190. */
static void a_slack_rope_hangs_as_a_catenary(void **state)
{
    (void)state;
    const double w_half = 2.1773189849653067, a = 1 / w_half;
    for (int elastic = 0; elastic < 2; elastic++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_strand rope = rope_of(w, 4, elastic ? 1e4 : 0, false, 0);
        double x[3 * VERTICES], frames[9 * (VERTICES - 1)], tensions[VERTICES - 1];
        assert_close(lowest(w, rope, x), -a * (cosh(w_half) - 1), 1e-9);
        assert_fine(w, cord_strand_get_frames(w, rope, frames));
        assert_fine(w, cord_strand_get_tensions(w, rope, tensions));
        for (int i = 0; i + 1 < VERTICES; i++) {
            double edge[3], *f = frames + 9 * i;
            v3_sub(edge, x + 3 * i + 3, x + 3 * i);
            v3_normalize(edge, edge);
            assert_all_close(f, edge, 3, 1e-12);
            assert_close(v3_dot(f, f + 3), 0, 1e-12);
            assert_close(v3_norm(f + 3), 1, 1e-12);
            assert_close(tensions[i], 0, 0);
        }
        cord_world_destroy(w);
    }
}

/* Taut ropes, and cables that push, are on their chords. */
static void other_spans_are_straight(void **state)
{
    (void)state;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    double x[3 * VERTICES];
    assert_close(lowest(w, rope_of(w, 0, 0, false, 0), x), 0, 0);
    assert_close(lowest(w, rope_of(w, 2.5, 1e4, true, 0), x), 0, 0);
    cord_world_destroy(w);
}

/* A weight rises below the rope that held it: the loop opens beside it, the frames remain orthonormal, and a later taut
 * rope is straight again. */
static void a_loop_above_a_weight_has_frames(void **state)
{
    (void)state;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body bob = rig_ball(w, 1, 0, -1);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       rig_anchor(rig_on(w, bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    double x[3 * VERTICES], frames[9 * (VERTICES - 1)], aside = 0;
    def.density = 1e-3, def.radius = 0, def.vertex_count = VERTICES; /* not opened */
    def.waypoints = waypoints, def.waypoint_count = 2;
    cord_strand rope = rig_cable(w, &def);
    assert_fine(w, cord_body_set_velocity(w, bob, (double[]){0, 0, 2}, (double[3]){0}));
    for (int k = 0; k < 20; k++) assert_fine(w, cord_world_step(w, 0.01));
    double slack;
    assert_fine(w, cord_cable_get_slack(w, rope, &slack));
    assert_close(lowest(w, rope, x), -1 + slack / 2, 1.0 / VERTICES);
    assert_fine(w, cord_strand_get_frames(w, rope, frames));
    for (int i = 0; i < VERTICES; i++) aside = fmax(aside, fabs(x[3 * i]));
    assert_close(aside, 0, 1e-9);
    for (int i = 0; i < 3 * (VERTICES - 1); i++) assert_close(v3_norm(frames + 3 * i), 1, 1e-9);
    for (int k = 0; k < 60; k++) assert_fine(w, cord_world_step(w, 0.01));
    assert_close(lowest(w, rope, x), -1, 1e-6);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_has_its_length_at_all_ratios),
        cmocka_unit_test(its_parameter_is_that_of_the_closed_form),
        cmocka_unit_test(a_loop_below_an_end_reaches_half_the_slack),
        cmocka_unit_test(a_slack_rope_hangs_as_a_catenary),
        cmocka_unit_test(other_spans_are_straight),
        cmocka_unit_test(a_loop_above_a_weight_has_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
