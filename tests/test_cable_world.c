/* A cable among other objects: removal and motion of the objects it passes, restored states, and
 * allocation failures. */
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

/* ---- removal of objects ------------------------------------------------------------------------------------- */

static void removals(void **unused)
{
    (void)unused;
    for (int what = 0; what < 4; what++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_body one = rig_ball(w, 1, -0.1, -1), two = rig_ball(w, 1, 0.1, -1),
                  three = rig_ball(w, 1, 3, 0);
        cord_point spin = rig_flywheel(w, 0.01, 0), hub = rig_world_point(w, 0, 0);
        cord_waypoint waypoints[] = {rig_anchor(rig_on(w, one, 0, 0)), rig_pulley(hub, 0.1, -1),
                                     rig_anchor(rig_on(w, two, 0, 0))};
        waypoints[1].friction_law = CORD_WRAP_NO_SLIP, waypoints[1].rotation = spin;
        cord_strand cable = rig_route(w, waypoints, 3);
        cord_point end = scene_point(w, cable, rig_length(w, cable));
        const cord_waypoint plain[] = {rig_anchor(rig_world_point(w, 3, 1)),
                                       rig_anchor(rig_on(w, three, 0, 0))};
        cord_strand other = rig_route(w, plain, 2);
        scene_advance(w, 0.01, 3);
        if (what == 0) assert_fine(w, cord_world_remove_body(w, one));
        if (what == 1) assert_fine(w, cord_world_remove_point(w, spin));
        if (what == 2) assert_fine(w, cord_world_remove_strand(w, cable));
        if (what == 3)
            assert_fine(w, cord_world_remove_point(w, hub)); /* a fixed point was copied */
        cord_counters now;
        int count;
        double x[3];
        assert_fine(w, cord_world_get_counters(w, &now));
        assert_int_equal(now.strands, what == 3 ? 2 : 1);
        assert_int_equal(cord_cable_get_node_count(w, cable, &count),
                         what == 3 ? CORD_OK : CORD_ERROR_HANDLE);
        assert_int_equal(cord_point_get_pose(w, end, x, NULL),
                         what == 3 ? CORD_OK : CORD_ERROR_HANDLE);
        scene_advance(w, 0.01, 10);
        if (what != 3) assert_true(rig_height(w, two) < -1.04);
        if (what == 3) assert_close(rig_height(w, two), -1, 1e-6);
        assert_int_equal(rig_node_count(w, other), 2);
        assert_close(rig_height(w, three), 0, 1e-9);
        cord_world_destroy(w);
    }
}

/* The ends on a body follow at once when its pose is set. */
static void moved_by_hand(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body one = rig_ball(w, 1, 0, 0), two = rig_ball(w, 1, 1, 0);
    const cord_waypoint waypoints[] = {rig_anchor(rig_on(w, one, 0, 0)),
                                       rig_anchor(rig_on(w, two, 0, 0))};
    cord_strand cable = rig_route(w, waypoints, 2);
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cord_momentum momentum;
    for (int k = 0; k < 2; k++) {
        cord_body body = k ? two : one;
        assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 2, 0}, (double[]){0, 0, 0}));
        assert_fine(w, cord_body_set_pose(w, body, (double[]){k, 5, 0}, axes));
        assert_close(rig_node(w, cable, k).position[1], 5, 0);
        assert_close(rig_node(w, cable, k).velocity[1], 2, 0);
    }
    assert_fine(w, cord_world_get_momentum(w, &momentum));
    assert_close(momentum.linear[1], 2 * (1 + 1 + 0.1), 1e-12);
    scene_advance(w, 0.1, 10);
    assert_close(rig_node(w, cable, 0).position[1], 7, 1e-8);
    cord_world_destroy(w);
}

/* ---- checkpoints --------------------------------------------------------------------------------------------- */

/* From before the peg is wrapped, during contact, right after each change; into a new world, and
 * back into the same. */
static void checkpoints(void **unused)
{
    (void)unused;
    static const int parts[] = {1, 5};
    for (int i = 0; i < 2; i++) {
        rig_pendulum first = rig_swing(parts[i]), other = rig_swing(parts[i]);
        char *kept[8];
        size_t size[8];
        int at[8], count = 0;
        bool was = false;
        for (int k = 0; k < 700; k++) {
            bool now = rig_in_contact(first.w, first.cable, 1, NULL);
            if ((k % 300 == 100 || now != was) && count < 8) {
                at[count] = k;
                kept[count] = scene_state(first.w, &size[count]);
                count++;
            }
            was = now;
            scene_advance(first.w, 0.002, 1);
        }
        uint64_t expected = scene_hash(first.w);
        assert_true(count > 3);
        for (int c = 0; c < count; c++) {
            assert_fine(other.w, cord_world_set_state(other.w, kept[c], size[c]));
            scene_advance(other.w, 0.002, 700 - at[c]);
            assert_true(scene_hash(other.w) == expected);
            assert_fine(first.w, cord_world_set_state(first.w, kept[c], size[c]));
            scene_advance(first.w, 0.002, 700 - at[c]);
            assert_true(scene_hash(first.w) == expected);
            free(kept[c]);
        }
        cord_world_destroy(first.w);
        cord_world_destroy(other.w);
    }
}

static void foreign_states(void **unused)
{
    (void)unused;
    rig_pendulum one = rig_swing(1);
    size_t size;
    scene_advance(one.w, 0.002, 300);
    char *bytes = scene_state(one.w, &size);
    uint64_t before = scene_hash(one.w);
    /* A route without the peg: another number of waypoints. */
    cord_world *plain = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body bob = rig_ball(plain, 1, -0.6, -0.8);
    cord_point top = rig_world_point(plain, 0, 0);
    rig_world_point(plain, 0.03, -0.5);
    const cord_waypoint waypoints[] = {rig_anchor(top), rig_anchor(rig_on(plain, bob, 0, 0))};
    cord_strand cable = rig_route(plain, waypoints, 2);
    assert_int_equal(cord_world_set_state(plain, bytes, size), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(plain), "other strands"));
    assert_int_equal(rig_node_count(plain, cable), 2);
    for (size_t k = 0; k < size; k += 7) {
        bytes[k] ^= 1;
        assert_int_equal(cord_world_set_state(one.w, bytes, size), CORD_ERROR_ARGUMENT);
        bytes[k] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut += 11)
        assert_int_equal(cord_world_set_state(one.w, bytes, cut), CORD_ERROR_ARGUMENT);
    assert_true(scene_hash(one.w) == before);
    free(bytes);
    cord_world_destroy(one.w);
    cord_world_destroy(plain);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static cord_status add_point(cord_world *w, const cord_point_def *given, cord_point *out)
{
    cord_point_def def = *given;
    memcpy(def.frame, rig_upright, sizeof rig_upright);
    return cord_world_add_point(w, &def, out);
}

/* A cable with a pulley that rotates, and one that it wraps; then back to a state before that. */
static cord_status small_program(cord_world *w)
{
    static char state[20000];
    cord_point_def def = cord_point_def_default();
    cord_body_def weight = cord_body_def_default();
    cord_body bob;
    cord_point at[3], spin, end;
    cord_strand cable;
    size_t size = 0;
    bool now = false;
    weight.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    weight.mass = 1;
    v3_set(weight.position, -0.01, 0, -1);
    cord_status status = cord_world_add_body(w, &weight, &bob);
    v3_set(def.position, -0.5, 0, 0);
    if (status == CORD_OK) status = add_point(w, &def, at);
    v3_set(def.position, -0.1, 0, -0.1);
    if (status == CORD_OK) status = add_point(w, &def, at + 1);
    v3_set(def.position, 0.03, 0, -0.5);
    if (status == CORD_OK) status = add_point(w, &def, at + 2);
    cord_point_def own = cord_point_def_default(), turn = own;
    own.source = CORD_SOURCE_BODY, own.body = bob;
    turn.source = CORD_SOURCE_FLYWHEEL, turn.inertia = 1e-3;
    if (status == CORD_OK) status = add_point(w, &own, &end);
    if (status == CORD_OK) status = cord_world_add_point(w, &turn, &spin);
    cord_cable_def rope = cord_cable_def_default();
    rope.name = "rope";
    rope.waypoint_count = 4;
    if (status != CORD_OK) return status;
    cord_waypoint waypoints[] = {rig_anchor(at[0]), rig_pulley(at[1], 0.1, -1),
                                 rig_pulley(at[2], 0.03, 1), rig_anchor(end)};
    waypoints[1].friction_law = CORD_WRAP_NO_SLIP, waypoints[1].rotation = spin;
    waypoints[1].parts = 3;
    rope.waypoints = waypoints;
    status = cord_world_add_cable(w, &rope, &cable);
    if (status == CORD_OK)
        status = cord_body_set_velocity(w, bob, (double[]){1, 0, 0}, (double[]){0, 0, 0});
    if (status == CORD_OK) status = cord_world_get_state_size(w, &size);
    assert_true(size < sizeof state);
    if (status == CORD_OK) status = cord_world_get_state(w, state);
    for (int k = 0; k < 4 && status == CORD_OK; k++) status = cord_world_step(w, 0.01);
    if (status == CORD_OK) status = cord_cable_get_wrap(w, cable, 2, &now, NULL, NULL, NULL);
    if (status == CORD_OK) assert_true(now);
    if (status == CORD_OK) status = cord_world_set_state(w, state, size);
    if (status == CORD_OK) status = cord_cable_get_wrap(w, cable, 2, &now, NULL, NULL, NULL);
    if (status == CORD_OK) assert_false(now);
    if (status == CORD_OK) status = cord_world_step(w, 0.01);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_run(small_program, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removals),           cmocka_unit_test(moved_by_hand),
        cmocka_unit_test(checkpoints),        cmocka_unit_test(foreign_states),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
