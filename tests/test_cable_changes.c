/* Conserved quantities when the nodes of cables change: pulleys that are unwrapped, ends that
 * run onto pulleys and off them, off drums and through eyelets; and random machines. */
#include "math/vec3.h"
#include "support/numbers.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static cord_strand route(cord_world *w, const cord_waypoint *waypoints, int count, double density,
                         double stretching)
{
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = count;
    def.density = density, def.stretching = stretching;
    return rig_cable(w, &def);
}

static cord_cable_events changes(cord_world *w, cord_strand cable)
{
    cord_cable_events c;
    assert_fine(w, cord_cable_get_events(w, cable, &c));
    return c;
}

/* ---- pulleys ----------------------------------------------------------------------------------------- */

/* In space: a body with an anchor and a peg, and a bob that swings away from the peg. The
 * velocities of the spans before and behind the peg differ; a node is kept there, and energy is
 * conserved. */
static void a_peg_is_left(void **unused)
{
    (void)unused;
    static const double elastic[] = {0, 3000};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_body holder = rig_ball(w, 2, 0, 0), bob = rig_ball(w, 1, 0.3, -1);
        const cord_waypoint waypoints[] = {
            rig_anchor(rig_on(w, holder, 0, 0)),
            rig_pulley(rig_on(w, holder, 0.05, -0.5), 0.05, 1),
            rig_anchor(rig_on(w, bob, 0, 0)),
        };
        cord_strand cable = route(w, waypoints, 3, 0.05, elastic[i]);
        assert_fine(w, cord_body_set_velocity(w, bob, (double[]){-2, 0, -1}, (double[]){0, 0, 0}));
        assert_fine(w, cord_world_step(w, 1e-3));
        double before = 0, after;
        for (int k = 0; k < 500 && rig_in_contact(w, cable, 1, NULL); k++) {
            assert_fine(w, cord_cable_get_tension(w, cable, 0, 1, &before));
            assert_fine(w, cord_world_step(w, 1e-3));
        }
        cord_cable_events c = changes(w, cable);
        assert_false(rig_in_contact(w, cable, 1, NULL));
        assert_int_equal(c.unwraps, 1);
        assert_int_equal(c.wraps, 0);
        assert_true(fabs(c.last_energy_change) < 1e-7 * scene_energy(w).kinetic);
        assert_true(c.max_relative_unwrap_change < 1e-7);
        assert_true(c.max_impulse < 1e-9);
        assert_int_equal(rig_node_count(w, cable), 3);
        assert_int_equal(rig_node(w, cable, 1).dofs, 3);
        assert_fine(w, cord_cable_get_tension(w, cable, 0, 1, &after)); /* the node is kept */
        assert_close(after, before, 0.1 * before);
        cord_world_destroy(w);
    }
}

/* With drag the machine comes to rest, and the kept node is removed. */
static void kept_nodes_go(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body_def weight = cord_body_def_default();
    cord_body bob;
    weight.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    weight.mass = 1, weight.drag = 2;
    v3_set(weight.position, 0.3, 0, -0.95);
    assert_fine(w, cord_world_add_body(w, &weight, &bob));
    const cord_waypoint waypoints[] = {
        rig_anchor(rig_world_point(w, 0, 0)),
        rig_pulley(rig_world_point(w, 0.08, -0.5), 0.05, 1),
        rig_anchor(rig_on(w, bob, 0, 0)),
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    int most = 0;
    def.waypoints = waypoints, def.waypoint_count = 3, def.density = 0.05, def.drag = 1;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    for (int k = 0; k < 2000; k++) {
        assert_fine(w, cord_world_step(w, 5e-3));
        if (!rig_in_contact(w, cable, 1, NULL) && rig_node_count(w, cable) > most)
            most = rig_node_count(w, cable);
    }
    assert_int_equal(most, 3);
    assert_int_equal(rig_node_count(w, cable), 2);
    assert_true(changes(w, cable).max_relative_unwrap_change < 1e-5);
    cord_world_destroy(w);
}

/* ---- ends -------------------------------------------------------------------------------------------- */

typedef struct run_off {
    cord_world *w;
    cord_strand cable;
} run_off;

/* A rope over a pulley, one end of which is free. */
static run_off make_run_off(double radius, double mass, cord_integrator integrator)
{
    run_off t = {.w = scene_world_in(integrator, 9.81)};
    cord_body load = rig_ball(t.w, mass, radius, -0.5);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {-radius, 0, -0.4}},
        rig_pulley(rig_world_point(t.w, 0, 0), radius, -1),
        rig_anchor(rig_on(t.w, load, 0, 0)),
    };
    t.cable = route(t.w, waypoints, 3, 0.1, 0);
    return t;
}

/* Slowly, over a large pulley: the end lies on it for a while, then the remaining arc lifts off.
 * Fast, over a small one: it lifts off as soon as the end arrives. Either way hardly any energy
 * is lost. */
static void ends_run_off(void **unused)
{
    (void)unused;
    static const double radius[] = {0.3, 0.1}, mass[] = {0.005, 1};
    for (int i = 0; i < 2; i++) {
        run_off t = make_run_off(radius[i], mass[i], CORD_MIDPOINT);
        double start = scene_energy(t.w).total;
        int lay = 0;
        for (int k = 0; k < 700 && rig_in_contact(t.w, t.cable, 1, NULL); k++) {
            assert_fine(t.w, cord_world_step(t.w, 2e-3));
            cord_node_state end = rig_node(t.w, t.cable, 0);
            if (!rig_in_contact(t.w, t.cable, 1, NULL) || end.guide < 0) continue;
            lay++;
            assert_false(end.eulerian); /* on the circle, and it stays with the cable */
            assert_close(hypot(end.position[0], end.position[2]), radius[i], 1e-12);
            assert_int_equal(rig_node_count(t.w, t.cable), 3);
        }
        assert_false(rig_in_contact(t.w, t.cable, 1, NULL));
        assert_true(i == 0 ? lay > 20 : lay == 0);
        assert_true(rig_node_count(t.w, t.cable) > 6);
        assert_close(scene_energy(t.w).total, start, 1e-4 * scene_energy(t.w).kinetic);
        scene_advance(t.w, 2e-3, 50);
        assert_close(scene_energy(t.w).total, start, 1e-4 * scene_energy(t.w).kinetic);
        cord_world_destroy(t.w);
    }
}

/* A state with the end on the pulley, and one after it has lifted off, are resumed exactly. */
static void states_of_ends(void **unused)
{
    (void)unused;
    run_off t = make_run_off(0.3, 0.005, CORD_IMPLICIT), other;
    char *kept[2] = {NULL, NULL};
    size_t size[2];
    int at[2] = {-1, -1};
    for (int k = 0; k < 500; k++) {
        bool lies = rig_in_contact(t.w, t.cable, 1, NULL) && rig_node(t.w, t.cable, 0).guide >= 0;
        int which = lies ? 0 : rig_in_contact(t.w, t.cable, 1, NULL) ? -1 : 1;
        if (which >= 0 && at[which] < 0) {
            at[which] = k;
            kept[which] = scene_state(t.w, &size[which]);
        }
        assert_fine(t.w, cord_world_step(t.w, 2e-3));
    }
    for (int i = 0; i < 2; i++) {
        assert_true(at[i] > 0);
        other = make_run_off(0.3, 0.005, CORD_IMPLICIT);
        assert_fine(other.w, cord_world_set_state(other.w, kept[i], size[i]));
        for (int k = at[i]; k < 500; k++) assert_fine(other.w, cord_world_step(other.w, 2e-3));
        assert_true(scene_hash(other.w) == scene_hash(t.w));
        cord_cable_events a = changes(t.w, t.cable), b = changes(other.w, other.cable);
        assert_int_equal(a.unwraps, b.unwraps);
        assert_close(a.unwrap_energy_change, b.unwrap_energy_change, 0);
        free(kept[i]);
        cord_world_destroy(other.w);
    }
    cord_world_destroy(t.w);
}

/* The last turn comes off a drum: an end that is not attached becomes free, an attached one ends
 * the run. */
static void ends_of_drums(void **unused)
{
    (void)unused;
    for (int loose = 0; loose < 2; loose++)
        for (int first = 0; first < 2; first++) {
            cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
            cord_body load = rig_ball(w, 1, 0.1, -0.5);
            const cord_waypoint drum = {.kind = CORD_WAYPOINT_DRUM,
                                        .point = rig_world_point(w, 0, 0),
                                        .radius = 0.1,
                                        .side = first ? -1 : 1,
                                        .turns = 1,
                                        .rotation = rig_flywheel(w, 0.02, 0),
                                        .loose = loose};
            const cord_waypoint hook = rig_anchor(rig_on(w, load, 0, 0));
            const cord_waypoint waypoints[2] = {first ? drum : hook, first ? hook : drum};
            cord_strand cable = route(w, waypoints, 2, 0.1, 0);
            double start = scene_energy(w).total;
            cord_status status = CORD_OK;
            for (int k = 0; k < 400 && status == CORD_OK; k++) status = cord_world_step(w, 2e-3);
            assert_true((status == CORD_OK) == loose);
            if (!loose)
                assert_non_null(
                    strstr(cord_world_get_error(w), "has come off the drum of waypoint"));
            if (loose) {
                assert_int_equal(rig_node_count(w, cable), 2);
                assert_close(scene_energy(w).total, start, 1e-9 * scene_energy(w).kinetic);
                assert_int_equal(changes(w, cable).unwraps, 1);
            }
            cord_world_destroy(w);
        }
}

/* Through an eyelet, at which it makes a right angle. */
static void ends_of_eyelets(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_body load = rig_ball(w, 1, 0, -0.5);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {0, 0, 0.4}},
        {.kind = CORD_WAYPOINT_EYELET, .point = rig_world_point(w, 0, 0)},
        rig_anchor(rig_on(w, load, 0, 0)),
    };
    cord_strand cable = route(w, waypoints, 3, 0.1, 0);
    double start = scene_energy(w).total;
    scene_advance(w, 2e-3, 300);
    assert_false(rig_in_contact(w, cable, 1, NULL));
    assert_int_equal(rig_node_count(w, cable), 2);
    assert_close(scene_energy(w).total, start, 1e-9 * scene_energy(w).kinetic);
    cord_world_destroy(w);
}

/* ---- at random ---------------------------------------------------------------------------------------- */

static double between(uint64_t *random, double least, double most)
{
    return least + (most - least) * 0.5 * (1 + random_number(random));
}

typedef struct random_machine {
    cord_world *w;
    cord_strand cable;
} random_machine;

/* One to three pulleys, some of which rotate, and a weight at one end or at both. */
static random_machine make_machine(uint64_t seed, const integration *by, bool elastic)
{
    random_machine t = {.w = scene_world_under(by, 9.81)};
    cord_waypoint waypoints[5];
    uint64_t random = 1000 + seed;
    int wheels = 1 + (int)(seed % 3), n = 0, held = (int)(seed / 3 % 3);
    for (int end = 0; end < 2; end++) {
        double x =
            end ? between(&random, 0.4, 0.7) + 0.4 * (wheels - 1) : between(&random, -0.8, -0.6);
        double z = between(&random, -0.5, 0.1), mass = between(&random, 0.2, 2.2);
        cord_body body = {0};
        if (held != end) body = rig_ball(t.w, mass, x, z);
        waypoints[end ? wheels + 1 : 0] = (cord_waypoint){
            .kind = CORD_WAYPOINT_ANCHOR,
            .point = held != end ? rig_on(t.w, body, 0, 0) : rig_world_point(t.w, x, z)};
    }
    for (n = 1; n <= wheels; n++) {
        double x = -0.3 + 0.4 * (n - 1) + between(&random, 0, 0.1);
        waypoints[n] =
            (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                            .point = rig_world_point(t.w, x, between(&random, -0.1, 0.3)),
                            .radius = between(&random, 0.04, 0.12),
                            .side = random_number(&random) < 0.2 ? -1 : 1};
        if (random_number(&random) < 0.6 || elastic) continue;
        waypoints[n].rotation = rig_flywheel(t.w, between(&random, 1e-3, 1e-2), 0);
        waypoints[n].friction_law = CORD_WRAP_NO_SLIP;
    }
    double density = between(&random, 0.05, 0.35), strain = between(&random, 2, 5);
    t.cable = route(t.w, waypoints, wheels + 2, density, elastic ? pow(10, strain) : 0);
    return t;
}

/* A weight is drawn against a pulley, which it cannot pass. */
static bool is_jammed(const random_machine *t)
{
    int last = rig_node_count(t->w, t->cable) - 1;
    double first[2] = {rig_node(t->w, t->cable, 0).s, rig_node(t->w, t->cable, last - 1).s};
    double second[2] = {rig_node(t->w, t->cable, 1).s, rig_node(t->w, t->cable, last).s};
    return second[0] - first[0] < 0.06 || second[1] - first[1] < 0.06;
}

static void random_machines(void **unused)
{
    (void)unused;
    int leavings = 0, comings = 0;
    for (int run = 0; run < 8 * 12; run++) {
        /* all but symplectic, the last */
        random_machine t = make_machine((uint64_t)(run / 8), integrations + run % 4, run / 4 % 2);
        double start = scene_energy(t.w).total, fastest = 0, slack = 0;
        for (int k = 0; k < 500 && !is_jammed(&t); k++) {
            double now;
            assert_fine(t.w, cord_cable_get_slack(t.w, t.cable, &now));
            slack = fmax(slack, now);
            assert_fine(t.w, cord_world_step(t.w, 1e-3));
            fastest = fmax(fastest, scene_energy(t.w).kinetic);
            if (scene_energy(t.w).total > start + 2e-3 * fastest)
                fail_msg("run %d gains %g J of %g J", run, scene_energy(t.w).total - start,
                         fastest);
        }
        cord_cable_events c = changes(t.w, t.cable);
        /* a slack and a taut segment become one, along which their material is spread evenly */
        if (slack == 0 && !(c.max_relative_unwrap_change < 1e-4))
            fail_msg("run %d: %g of the energy", run, c.max_relative_unwrap_change);
        /* transverse motion is stopped: energy is lost, never gained */
        assert_true(c.wrap_energy_change < 1e-9 * fastest &&
                    c.wrap_energy_change > -0.02 * fastest);
        leavings += c.unwraps, comings += c.wraps;
        cord_world_destroy(t.w);
    }
    assert_true(leavings > 20 && comings > 3);
}

static void questions(void **unused)
{
    (void)unused;
    run_off t = make_run_off(0.1, 1, CORD_IMPLICIT);
    cord_strand rope = scene_rope(t.w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_cable_events c;
    assert_int_equal(cord_cable_get_events(NULL, t.cable, &c), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_events(t.w, t.cable, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_events(t.w, rope, &c), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_get_events(t.w, (cord_strand){0}, &c), CORD_ERROR_HANDLE);
    c = changes(t.w, t.cable);
    assert_int_equal(c.wraps + c.unwraps, 0);
    cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {-1, 0, 0}, .loose = true},
        {.kind = CORD_WAYPOINT_FREE, .position = {1, 0, 0}}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.waypoints = waypoints, def.waypoint_count = 2;
    assert_int_equal(cord_world_add_cable(t.w, &def, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(t.w), "waypoint 0: only a drum has a loose end"));
    cord_world_destroy(t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_peg_is_left),   cmocka_unit_test(kept_nodes_go),
        cmocka_unit_test(ends_run_off),    cmocka_unit_test(states_of_ends),
        cmocka_unit_test(ends_of_drums),   cmocka_unit_test(ends_of_eyelets),
        cmocka_unit_test(random_machines), cmocka_unit_test(questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
