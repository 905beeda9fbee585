/* Routes round cylinders: geodesics, grooves, fleet angles, wraps and unwraps, ends on a surface, slack. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/numbers.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_point framed(cord_world *w, const double x[3], const double frame[9])
{
    cord_point_def def = cord_point_def_default();
    v3_copy(def.position, x);
    memcpy(def.frame, frame, sizeof def.frame);
    return scene_add_point(w, &def);
}

/* From cylindrical coordinates about a frame. */
static void cylindrical(const double frame[9], double far, double angle, double height, double x[3])
{
    v3_combine(x, far * cos(angle), frame, far * sin(angle), frame + 3);
    v3_axpy(x, height, frame + 6);
}

/* Unrolled, the path is a straight line of the width √(d₁² − a²) + aφ + √(d₂² − a²). */
static void geodesic_in_any_direction(void **unused)
{
    (void)unused;
    uint64_t state = 7;
    for (int i = 0; i < 20; i++) {
        double frame[9], axis[3], x[2][3], far[2], height[2], wide = 0, half = 0;
        const double a = 0.2, apart = 2 + 0.5 * random_number(&state), origin[3] = {0};
        int side = i % 2 ? 1 : -1, turns = i % 3;
        cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
        random_unit(&state, axis);
        double turned[9], angle = pi * random_number(&state);
        v3_scale(axis, angle, axis);
        cord__rotation_exp(turned, axis);
        memcpy(frame, turned, sizeof frame);
        cord_waypoint waypoints[3];
        for (int k = 0; k < 2; k++) {
            far[k] = 0.6 + 0.3 * random_number(&state), height[k] = random_number(&state);
            cylindrical(frame, far[k], k * side * apart, height[k], x[k]);
            waypoints[2 * k] = rig_anchor(framed(w, x[k], frame));
            wide += sqrt(far[k] * far[k] - a * a), half += acos(a / far[k]);
        }
        double wrap = 2 * pi * turns + apart - half;
        waypoints[1] = rig_pulley(framed(w, origin, frame), a, side);
        waypoints[1].cylinder = true, waypoints[1].turns = turns;
        cord_strand cable = rig_route(w, waypoints, 3);
        double before, after, measured, rise = height[1] - height[0];
        bool contact = rig_in_contact(w, cable, 1, &measured);
        if (wrap < 0.002) {
            assert_false(contact);
        } else {
            wide += a * wrap;
            assert_close(measured, wrap, 1e-12);
            assert_close(rig_length(w, cable), hypot(wide, rise), 1e-12);
            assert_fine(w, cord_cable_get_fleet_angles(w, cable, 1, &before, &after));
            assert_close(after, atan2(rise, wide), 1e-12);
            assert_close(before, -after, 1e-12);
        }
        cord_world_destroy(w);
    }
}

typedef struct hoist {
    cord_world *w;
    cord_body load;
    cord_point drum;
    cord_strand rope;
} hoist;

/* A drum about y at the origin, with a groove, and a load straight below its tangent point. */
static hoist make_hoist(cord_integrator by, double pitch, int turns, double stretching)
{
    hoist t = {.w = scene_world_in(by, 9.81)};
    t.load = rig_ball(t.w, 5, 0.15, -2);
    t.drum = rig_flywheel(t.w, 0.3, 0);
    const cord_waypoint waypoints[] = {{.kind = CORD_WAYPOINT_DRUM,
                                        .point = rig_world_point(t.w, 0, 0),
                                        .radius = 0.15,
                                        .side = -1,
                                        .turns = turns,
                                        .pitch = pitch,
                                        .rotation = t.drum},
                                       rig_anchor(rig_on(t.w, t.load, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 2, def.density = 0.2;
    def.stretching = stretching, def.tension = stretching > 0 ? 5 * 9.81 : 0;
    t.rope = rig_cable(t.w, &def);
    return t;
}

/* Every node stays in the groove, which rotates with the drum; the energy is that of the falling load. */
static void drum_with_a_groove(void **unused)
{
    (void)unused;
    static const double pitches[] = {0.02, -0.05};
    const double a = 0.15;
    for (int i = 0; i < 2; i++) {
        double pitch = pitches[i], slope = pitch / (2 * pi * a);
        hoist t = make_hoist(CORD_MIDPOINT, pitch, 6, 0);
        cord_node_state first = rig_node(t.w, t.rope, 0), leaves = rig_node(t.w, t.rope, 1);
        assert_close(leaves.s - first.s, 6 * hypot(2 * pi * a, pitch), 1e-12);
        assert_close(leaves.at[1], 0, 1e-12);
        assert_close(first.at[1], 6 * pitch, 1e-12); /* clockwise, down a right-handed groove */
        double energy = scene_energy(t.w).total, angle, start = leaves.at[0];
        for (int k = 0; k < 500; k++) assert_fine(t.w, cord_world_step(t.w, 2e-3));
        assert_fine(t.w, cord_point_get_coordinate(t.w, t.drum, &angle, NULL));
        assert_true(fabs(angle) > 3);
        assert_close(scene_energy(t.w).total, energy, 1e-9 * fabs(energy));
        leaves = rig_node(t.w, t.rope, 1);
        double turned = leaves.at[0] - start - angle;
        assert_close(leaves.at[1], slope * a * turned, 1e-9);
        assert_close(rig_node(t.w, t.rope, 0).at[1], 6 * pitch, 1e-9);
        assert_close(leaves.s - first.s,
                     (leaves.at[0] - rig_node(t.w, t.rope, 0).at[0]) * -a * sqrt(1 + slope * slope),
                     1e-9);
        cord_world_destroy(t.w);
    }
}

/* In every integrator, and of elastic ropes, the load falls by the same distance. */
static void grooves_in_every_integrator(void **unused)
{
    (void)unused;
    double height[4];
    for (int i = 0; i < 4; i++) {
        hoist t = make_hoist(i % 2 ? CORD_IMPLICIT : CORD_MIDPOINT, 0.03, 4, i < 2 ? 0 : 1e6);
        for (int k = 0; k < 250; k++) assert_fine(t.w, cord_world_step(t.w, 2e-3));
        height[i] = rig_height(t.w, t.load);
        cord_world_destroy(t.w);
    }
    assert_true(height[0] < -2.3);
    for (int i = 1; i < 4; i++) assert_close(height[i], height[0], i < 2 ? 1e-5 : 2e-3);
}

/* A bob in space that swings against a peg along y: given by its route, and by its nodes. */
static hoist make_swing(bool by_nodes)
{
    hoist t = {.w = scene_world_in(CORD_MIDPOINT, 9.81)};
    cord_body_def bob = cord_body_def_default();
    bob.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    bob.mass = 2;
    v3_set(bob.position, 0.7, 0.4, -0.2);
    assert_fine(t.w, cord_world_add_body(t.w, &bob, &t.load));
    const double hook[3] = {0, -0.3, 1}, peg[3] = {0.15, 0, 0.4}, a = 0.05;
    const cord_waypoint waypoints[] = {
        rig_anchor(framed(t.w, hook, rig_upright)),
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = framed(t.w, peg, rig_upright),
         .radius = a,
         .side = 1,
         .cylinder = true},
        rig_anchor(rig_on(t.w, t.load, 0, 0)),
    };
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 3, def.density = 0.02;
    if (!by_nodes) {
        t.rope = rig_cable(t.w, &def);
        return t;
    }
    cord_world *other = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_waypoint same[3];
    memcpy(same, waypoints, sizeof same);
    same[0].point = framed(other, hook, rig_upright),
    same[1].point = framed(other, peg, rig_upright);
    cord_body body;
    assert_fine(other, cord_world_add_body(other, &bob, &body));
    same[2].point = rig_on(other, body, 0, 0);
    def.waypoints = same;
    cord_strand drawn = rig_cable(other, &def);
    cord_guide guides[3];
    cord_cable_node nodes[4];
    for (int k = 0; k < 3; k++)
        guides[k] = (cord_guide){.kind = k == 1 ? CORD_GUIDE_CYLINDER : CORD_GUIDE_POINT,
                                 .on = waypoints[k].point,
                                 .radius = a};
    for (int k = 0; k < 4; k++) {
        cord_node_state n = rig_node(other, drawn, k);
        nodes[k] = (cord_cable_node){.guide = (k + 1) / 2,
                                     .at = {n.at[0], n.at[1]},
                                     .s = n.s,
                                     .eulerian = k == 1 || k == 2,
                                     .tangent = k == 1 ? -1 : k == 2};
    }
    cord_world_destroy(other);
    def.waypoint_count = 0;
    def.guides = guides, def.guide_count = 3, def.nodes = nodes, def.node_count = 4;
    t.rope = rig_cable(t.w, &def);
    return t;
}

static void cylinders_are_wrapped_and_unwrapped(void **unused)
{
    (void)unused;
    double end[2][3];
    cord_cable_events events[2];
    for (int by_nodes = 0; by_nodes < 2; by_nodes++) {
        hoist t = make_swing(by_nodes);
        double start = scene_energy(t.w).total;
        assert_int_equal(rig_node_count(t.w, t.rope), 4);
        for (int k = 0; k < 1500; k++) assert_fine(t.w, cord_world_step(t.w, 2e-3));
        assert_fine(t.w, cord_body_get_pose(t.w, t.load, end[by_nodes], NULL));
        assert_fine(t.w, cord_cable_get_events(t.w, t.rope, events + by_nodes));
        assert_true(events[by_nodes].wraps > 0 && events[by_nodes].unwraps > 0);
        double changed =
            events[by_nodes].wrap_energy_change + events[by_nodes].unwrap_energy_change;
        assert_close(scene_energy(t.w).total, start + changed, 1e-7);
        cord_world_destroy(t.w);
    }
    assert_int_equal(events[0].wraps, events[1].wraps);
    for (int k = 0; k < 3; k++) assert_close(end[0][k], end[1][k], 1e-4);
}

/* A state with other nodes than the first one has, in a world that has not been stepped. */
static void states_contain_the_wraps(void **unused)
{
    (void)unused;
    for (int by_nodes = 0; by_nodes < 2; by_nodes++) {
        hoist from = make_swing(by_nodes), to = make_swing(by_nodes);
        size_t size;
        int steps = 0;
        while (rig_node_count(from.w, from.rope) == 4 && steps++ < 1000)
            assert_fine(from.w, cord_world_step(from.w, 2e-3));
        assert_int_not_equal(rig_node_count(from.w, from.rope), 4);
        assert_fine(from.w, cord_world_get_state_size(from.w, &size));
        void *bytes = malloc(size);
        assert_fine(from.w, cord_world_get_state(from.w, bytes));
        assert_fine(to.w, cord_world_step(to.w, 2e-3));
        assert_fine(to.w, cord_world_set_state(to.w, bytes, size));
        free(bytes);
        for (int k = 0; k < 500; k++) {
            assert_fine(from.w, cord_world_step(from.w, 2e-3));
            assert_fine(to.w, cord_world_step(to.w, 2e-3));
        }
        assert_int_equal(scene_hash(from.w), scene_hash(to.w));
        cord_world_destroy(from.w);
        cord_world_destroy(to.w);
    }
}

/* Two nodes on the cylinder, one prescribed: the other falls, and hangs below it at last. */
static void both_ends_on_a_cylinder(void **unused)
{
    (void)unused;
    const double a = 0.15, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_waypoint waypoints[2] = {
        {.kind = CORD_WAYPOINT_SURFACE,
         .point = framed(w, origin, frame),
         .radius = a,
         .side = 1,
         .turns = 1,
         .position = {0.2, 0, 0.7},
         .prescribed = true},
        {.kind = CORD_WAYPOINT_SURFACE, .radius = a, .position = {0, 0.15, 0.2}}};
    waypoints[1].point = waypoints[0].point;
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 2, def.drag = 2;
    cord_strand cord = rig_cable(w, &def);
    double length = hypot(2.5 * pi * a, 0.5);
    assert_close(rig_length(w, cord), length, 1e-12);
    cord_node_state top = rig_node(w, cord, 0);
    assert_close(top.position[0], a, 1e-12);
    assert_int_equal(top.dofs, 0);
    assert_int_equal(rig_node(w, cord, 1).dofs, 2);
    for (int k = 0; k < 2000; k++) assert_fine(w, cord_world_step(w, 4e-3));
    assert_close(rig_node(w, cord, 1).position[2], 0.7 - length, 1e-2);
    cord_world_destroy(w);
}

/* A ball on a cord that is tied to a pole and wound on it three times: the geodesic, and its energy while it unwinds. */
static void an_end_on_a_pole(void **unused)
{
    (void)unused;
    const double a = 0.1, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, origin[3] = {0};
    for (int last = 0; last < 2; last++) {
        cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
        int side = last ? 1 : -1;
        cord_body_def ball = cord_body_def_default();
        cord_body body;
        ball.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
        ball.mass = 0.5;
        v3_set(ball.position, 0, 0.8, 1);
        v3_set(ball.velocity, 3, 0, 0);
        assert_fine(w, cord_world_add_body(w, &ball, &body));
        const cord_waypoint end = {.kind = CORD_WAYPOINT_SURFACE,
                                   .point = framed(w, origin, frame),
                                   .radius = a,
                                   .side = side,
                                   .turns = 3,
                                   .position = {a, 0, 2}},
                            hook = rig_anchor(rig_on(w, body, 0, 0));
        const cord_waypoint waypoints[] = {last ? hook : end, last ? end : hook};
        cord_cable_def def = cord_cable_def_default();
        def.waypoints = waypoints, def.waypoint_count = 2, def.density = 0.01;
        cord_strand cord = rig_cable(w, &def);
        /* clockwise from 0, the tangent to (0, 0.8) is at π − asin(a/0.8) */
        double wide = sqrt(0.64 - a * a) + a * (6 * pi + pi + asin(a / 0.8));
        assert_close(rig_length(w, cord), hypot(wide, 1), 1e-9);
        assert_int_equal(rig_node(w, cord, last ? 2 : 0).dofs, 0);
        double angle, first, before, after;
        assert_true(rig_in_contact(w, cord, last, &first));
        assert_fine(w, cord_cable_get_fleet_angles(w, cord, last, &before, &after));
        assert_close(last ? before : after, -atan2(1, wide), 1e-9);
        assert_fine(w, cord_world_step(w, 2e-3)); /* the cord stops the velocity along it */
        double start = scene_energy(w).total;
        for (int k = 0; k < 200; k++) assert_fine(w, cord_world_step(w, 2e-3));
        assert_true(rig_in_contact(w, cord, last, &angle));
        assert_true(fabs(angle - first) > 0.5);
        assert_close(scene_energy(w).total, start, 1e-9);
        cord_world_destroy(w);
    }
}

/* The difference of lengths is in the longest straight span, in proportion to its parts. */
static void a_longer_cable_is_slack(void **unused)
{
    (void)unused;
    const double a = 0.2, more = 0.6;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -a, -1)),
                                 rig_pulley(rig_world_point(w, 0, 0), a, -1),
                                 rig_anchor(rig_world_point(w, a, -3))};
    waypoints[1].parts = 3;
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 3;
    double route = 4 + pi * a;
    def.length = route + more;
    cord_strand rope = rig_cable(w, &def);
    assert_close(rig_length(w, rope), route + more, 1e-12);
    const double s[] = {0, 1, 1 + pi * a, 2.2 + pi * a, 3.4 + pi * a, 4.6 + pi * a};
    assert_int_equal(rig_node_count(w, rope), 6);
    for (int i = 0; i < 6; i++) assert_close(rig_node(w, rope, i).s, s[i], 1e-12);
    def.length = route - 0.1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT,
                "its length is 4.52832 m, but its route is 4.62832 m long");
    def.closed = true, def.length = route + 3;
    waypoints[1].parts = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT,
                "a closed cable along a route is as long as its route");
    cord_world_destroy(w);
}

static void refusals(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -1, -1)),
                                 rig_pulley(rig_world_point(w, 0, 0), 0.2, -1),
                                 rig_anchor(rig_world_point(w, 1, -1))};
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 3;
    waypoints[1].height = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 1: a height is that of a groove");
    waypoints[1].pitch = INFINITY;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 1: its pitch or height is not finite");
    waypoints[1].pitch = waypoints[1].height = 0;
    waypoints[0].pitch = waypoints[0].radius = 0.1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 0: only a pulley or a drum");
    waypoints[0] = (cord_waypoint){.kind = CORD_WAYPOINT_DRUM,
                                   .point = rig_world_point(w, -1, -1),
                                   .radius = 0.1,
                                   .side = 1,
                                   .turns = 2,
                                   .cylinder = true,
                                   .rotation = rig_flywheel(w, 1, 0)};
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 0: on a smooth cylinder nothing holds");
    waypoints[0].cylinder = false;
    cord_strand rope = rig_cable(w, &def);
    double angle;
    assert_int_equal(cord_cable_get_fleet_angles(w, rope, 2, &angle, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(geodesic_in_any_direction),
        cmocka_unit_test(drum_with_a_groove),
        cmocka_unit_test(grooves_in_every_integrator),
        cmocka_unit_test(cylinders_are_wrapped_and_unwrapped),
        cmocka_unit_test(states_contain_the_wraps),
        cmocka_unit_test(both_ends_on_a_cylinder),
        cmocka_unit_test(an_end_on_a_pole),
        cmocka_unit_test(a_longer_cable_is_slack),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
