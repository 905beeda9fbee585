/* Cables pull and never push: spans go slack and become taut again. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>

static const double gravity = 9.81;

static double slack(cord_world *w, cord_strand cable)
{
    double value;
    assert_fine(w, cord_cable_get_slack(w, cable, &value));
    return value;
}

static double rise(cord_world *w, cord_body body)
{
    double v[3];
    assert_fine(w, cord_body_get_velocity(w, body, v, NULL));
    return v[2];
}

/* ---- a weight is thrown up ------------------------------------------------------------------------------- */

typedef struct thrown {
    cord_world *w;
    cord_body bob, other;
    cord_strand rope;
} thrown;

/* A weight that hangs from another one, which lies on the ground or hangs in the air; it begins upwards at 2 m/s. */
static thrown throw_up(const integration *by, double other, double restitution, double stretching)
{
    thrown t = {.w = scene_world_under(by, gravity)};
    t.other = rig_ball(t.w, other, 0, 0);
    t.bob = rig_ball(t.w, 1, 0, -1);
    const cord_waypoint waypoints[] = {rig_anchor(rig_on(t.w, t.other, 0, 0)),
                                       rig_anchor(rig_on(t.w, t.bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = 1e-6, def.restitution = restitution, def.stretching = stretching;
    def.waypoints = waypoints, def.waypoint_count = 2;
    t.rope = rig_cable(t.w, &def);
    cord_constraint_def ground = cord_constraint_def_default();
    ground.kind = CORD_PLANE, ground.side = CORD_AT_LEAST;
    ground.first = scene_on(t.w, t.other, 0, 0, 0);
    scene_relate(t.w, &ground);
    assert_fine(t.w, cord_body_set_velocity(t.w, t.bob, (double[]){0, 0, 2}, (double[3]){0}));
    return t;
}

/* It flies as if there were no rope, which has no tension; then it is caught, and stops. */
static void a_thrown_weight_is_caught(void **given)
{
    const integration *by = *given;
    const double h = 1e-3, flight = 2 * 2 / gravity;
    thrown t = throw_up(by, 10, 0, 0);
    double most = 0;
    for (int k = 1; k * h < flight - 2 * h; k++) {
        scene_advance(t.w, h, 1);
        double height = 2 * k * h - 0.5 * gravity * k * h * k * h;
        assert_close(rig_height(t.w, t.bob), -1 + height,
                     is_first_order(by) ? 5e-3
                                        : 1e-5); /* the first step has the impact on the ground */
        assert_close(slack(t.w, t.rope), rig_height(t.w, t.bob) + 1, 1e-9);
        assert_close(rig_tension(t.w, t.rope, 0), 0, 1e-9);
        most = fmax(most, slack(t.w, t.rope));
    }
    assert_close(most, 4 / (2 * gravity), 5e-3);
    scene_advance(t.w, h, 10);
    assert_close(slack(t.w, t.rope), 0, 1e-9);
    assert_close(rise(t.w, t.bob), 0, 1e-6);
    assert_close(rig_tension(t.w, t.rope, 0), gravity, is_one_solve(by) ? 0.2 : 1e-3);
    cord_cable_events events;
    assert_fine(t.w, cord_cable_get_events(t.w, t.rope, &events));
    assert_int_equal(events.tightenings, 1);
    assert_close(events.tightening_energy_change, -2, 0.05);
    cord_world_destroy(t.w);
}

/* With the restitution e it is thrown up again, at e times its velocity, and comes to rest after some impacts. */
static void restitution(void **unused)
{
    (void)unused;
    const double h = 1e-3, e = 0.5;
    thrown t = throw_up(integrations + TR_BDF2, 1e4, e, 0);
    double flight = 2 * 2 / gravity, fastest = 0;
    cord_cable_events events;
    scene_advance(t.w, h, (int)(flight / h) - 5);
    for (int k = 0; k < 15; k++) {
        scene_advance(t.w, h, 1);
        fastest = fmax(fastest, rise(t.w, t.bob));
    }
    assert_close(fastest, 2 * e, 0.02);
    scene_advance(t.w, h, 500);
    assert_fine(t.w, cord_cable_get_events(t.w, t.rope, &events));
    assert_in_range(events.tightenings, 3,
                    9); /* 2 eⁿ m/s is below twice the fall in a step after seven */
    assert_close(events.tightening_energy_change, -2, 0.05);
    assert_close(rise(t.w, t.bob), 0, 1e-6);
    cord_world_destroy(t.w);
}

/* An elastic rope catches it by its stretch: it returns with its velocity. */
static void elastic_ropes_go_slack(void **unused)
{
    (void)unused;
    thrown t = throw_up(integrations + MIDPOINT, 1e4, 0, 2000);
    scene_advance(t.w, 1e-3, 1); /* the impact on the ground */
    double start = scene_energy(t.w).total, worst = 0, least = 0, most = 0;
    for (int k = 0; k < 1500; k++) {
        scene_advance(t.w, 1e-3, 1);
        worst = fmax(worst, fabs(scene_energy(t.w).total - start));
        least = fmin(least, rig_tension(t.w, t.rope, 0));
        most = fmax(most, rig_tension(t.w, t.rope, 0));
    }
    assert_true(worst < 1e-9);
    assert_true(least > -1e-6);
    /* T = mg + √((mg)² + EA m v²/L) */
    assert_close(most, gravity + sqrt(gravity * gravity + 2000 * 4), 1);
    cord_world_destroy(t.w);
}

/* A push-pull cable stops it at once. */
static void push_pull_cables(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_body bob = rig_ball(w, 1, 0, -1);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       rig_anchor(rig_on(w, bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 2, def.pushes = true;
    cord_strand rope = rig_cable(w, &def);
    assert_fine(w, cord_body_set_velocity(w, bob, (double[]){0, 0, 2}, (double[3]){0}));
    scene_advance(w, 1e-3, 10);
    assert_close(rise(w, bob), 0, 1e-9);
    assert_close(slack(w, rope), 0, 1e-9);
    cord_world_destroy(w);
}

/* ---- others ---------------------------------------------------------------------------------------------------- */

/* A length above that of the route: the weight falls freely by the rest, whatever its size. */
static void extra_length(void **unused)
{
    (void)unused;
    static const double extra[] = {1e-3, 0.1, 10};
    for (int i = 0; i < 3; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
        cord_body bob = rig_ball(w, 1, 0, -1);
        const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                           rig_anchor(rig_on(w, bob, 0, 0))};
        cord_cable_def def = cord_cable_def_default();
        def.density = 1e-6, def.length = 1 + extra[i];
        def.waypoints = waypoints, def.waypoint_count = 2;
        cord_strand rope = rig_cable(w, &def);
        double fall = sqrt(2 * extra[i] / gravity), h = fall / 400;
        assert_close(slack(w, rope), extra[i], 1e-12);
        scene_advance(w, h, 380);
        assert_close(rig_height(w, bob), -1 - 0.5 * gravity * 380 * h * 380 * h, 1e-5 * extra[i]);
        scene_advance(w, h, 40);
        assert_close(rig_height(w, bob), -1 - extra[i], 1e-9);
        assert_close(rig_tension(w, rope, 0), gravity, 1e-3);
        cord_world_destroy(w);
    }
}

/* In statics and `quasi-static` a slack rope has no force. */
static void equilibria(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_body bob = rig_ball(w, 1, 0, -1);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, 0, 0)),
                                       rig_anchor(rig_on(w, bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.01, def.length = 1.5;
    def.waypoints = waypoints, def.waypoint_count = 2;
    cord_strand rope = rig_cable(w, &def);
    cord_constraint_def spring = cord_constraint_def_default();
    spring.first = scene_on(w, bob, 0, 0, 0), spring.second = rig_world_point(w, 0, -1);
    spring.compliance = 0.01;
    scene_relate(w, &spring);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    double weight = (1 + 0.5 * 0.01 * 1.5) * gravity; /* with half of the rope */
    assert_close(rig_height(w, bob), -1 - 0.01 * weight, 1e-9);
    assert_close(slack(w, rope), 0.5 - 0.01 * weight, 1e-9);
    cord_world_destroy(w);
}

/* A checkpoint in flight continues bit for bit. */
static void checkpoints(void **unused)
{
    (void)unused;
    thrown t = throw_up(integrations + TR_BDF2, 10, 0.3, 0),
           s = throw_up(integrations + TR_BDF2, 10, 0.3, 0);
    size_t size;
    scene_advance(t.w, 1e-3, 200);
    assert_fine(t.w, cord_world_get_state_size(t.w, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_fine(t.w, cord_world_get_state(t.w, bytes));
    assert_fine(s.w, cord_world_set_state(s.w, bytes, size));
    free(bytes);
    scene_advance(t.w, 1e-3, 300);
    scene_advance(s.w, 1e-3, 300);
    uint64_t hash[2];
    assert_fine(t.w, cord_world_hash(t.w, hash));
    assert_fine(s.w, cord_world_hash(s.w, hash + 1));
    assert_true(hash[0] == hash[1]);
    cord_world_destroy(t.w);
    cord_world_destroy(s.w);
}

static void mistakes(void **unused)
{
    (void)unused;
    thrown t = throw_up(integrations + TR_BDF2, 1, 0, 0);
    const cord_waypoint waypoints[] = {rig_anchor(rig_world_point(t.w, 0, 0)),
                                       rig_anchor(rig_world_point(t.w, 1, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 2, def.restitution = 1.5;
    rig_refused(t.w, &def, CORD_ERROR_ARGUMENT, "the restitution must be 0 to 1");
    assert_int_equal(cord_cable_get_slack(t.w, t.rope, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(t.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_INTEGRATION(a_thrown_weight_is_caught, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(a_thrown_weight_is_caught, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(a_thrown_weight_is_caught, "linearised", LINEARISED),
        BY_INTEGRATION(a_thrown_weight_is_caught, "midpoint", MIDPOINT),
        BY_INTEGRATION(a_thrown_weight_is_caught, "semi_implicit", SEMI_IMPLICIT),
        cmocka_unit_test(restitution),
        cmocka_unit_test(elastic_ropes_go_slack),
        cmocka_unit_test(push_pull_cables),
        cmocka_unit_test(extra_length),
        cmocka_unit_test(equilibria),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
