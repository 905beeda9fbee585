/* The energy of machines that nothing drives never grows, in steps that are too long for their motion and across events. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

/* The largest growth of the energy since any earlier time, of the largest energy that was there for motion and strain: what
 * src/world/energy_check.c allows in a step is a part of that. */
static double growth(cord_world *w, double h, double duration)
{
    assert_fine(w, cord_world_step(w, 1e-5));
    const double start = scene_energy(w).total;
    double least = start, grown = 0, available = 0;
    for (int k = 0; k < (int)lround(duration / h); k++) {
        assert_fine(w, cord_world_step(w, h));
        cord_energy now = scene_energy(w);
        grown = fmax(grown, now.total - least);
        least = fmin(least, now.total);
        available = fmax(available, start - now.gravity);
    }
    return grown / available;
}

static void add_cable(cord_world *w, const cord_waypoint *waypoints, int count, double density,
                      double stretching)
{
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = count;
    def.density = density, def.stretching = stretching;
    rig_cable(w, &def);
}

typedef cord_world *make_machine(cord_integrator by, bool other);

static void check_growth(make_machine *make)
{
    static const double steps[] = {1e-3, 5e-3, 2e-2};
    for (int i = 0; i < 12; i++) {
        bool midpoint = i % 2 == 0;
        cord_world *w = make(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, i / 2 % 2);
        double grown = growth(w, steps[i / 4], 0.6), limit = midpoint ? 1e-5 : 2e-3;
        if (!(grown < limit)) {
            fail_msg(
                "%s, machine %d, steps of %g s: the energy grows by %.3g of the kinetic energy",
                midpoint ? "midpoint" : "implicit", i / 2 % 2, steps[i / 4], grown);
        }
        cord_world_destroy(w);
    }
}

/* An elastic rope with a free end, which a weight draws over two pulleys. The end comes to each, and whips. */
static cord_world *make_free_end(cord_integrator by, bool stiff)
{
    cord_world *w = scene_world_in(by, 9.81);
    cord_body weight = rig_ball(w, 0.3, -0.1, -0.6);
    const cord_waypoint waypoints[] = {
        rig_anchor(rig_on(w, weight, 0, 0)),
        rig_pulley(rig_world_point(w, 0, 0), 0.1, -1),
        rig_pulley(rig_world_point(w, 0.5, 0.1), 0.06, -1),
        {.kind = CORD_WAYPOINT_FREE, .position = {0.9, 0, -0.3}},
    };
    add_cable(w, waypoints, 4, 0.3, stiff ? 1e5 : 3e3);
    return w;
}

static void free_ends(void **unused)
{
    (void)unused;
    check_growth(make_free_end);
}

/* A bearing about y at the centre of a body. */
static void hinge(cord_world *w, cord_body body)
{
    static const char *const kinds[] = {CORD_COINCIDE, CORD_PARALLEL};
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.first = rig_on(w, body, 0, 0);
    def.second = rig_world_point(w, 0, 0);
    def.direction[0] = def.direction[1] = 0, def.direction[2] = 1; /* the axis in both frames */
    for (int i = 0; i < 2; i++) {
        def.kind = kinds[i];
        assert_fine(w, cord_world_add_constraint(w, &def, &made));
    }
}

/* A pulley on an arm that is hinged beside it. The cable of a bob wraps a peg while the arm swings: `midpoint` determines
 * the rates of the arm's inertial coordinates apart from its velocity, and both have the same momentum after the event. */
static cord_world *make_hinged_arm(cord_integrator by, bool heavy)
{
    cord_world *w = scene_world_in(by, 9.81);
    cord_body weight = rig_ball(w, heavy ? 2 : 1, -0.4, -0.9), arm = rig_ball(w, 1, 0, 0);
    cord_body bob = rig_ball(w, heavy ? 1.2 : 2, 0.7, -0.9);
    hinge(w, arm);
    const cord_waypoint waypoints[] = {
        rig_anchor(rig_on(w, weight, 0, 0)),
        rig_pulley(rig_on(w, arm, 0.08, 0.05), 0.06, -1),
        rig_pulley(rig_world_point(w, 0.2, -0.45), 0.05, -1),
        rig_anchor(rig_on(w, bob, 0, 0)),
    };
    add_cable(w, waypoints, 4, 0.1, 0);
    return w;
}

static void hinged_arms(void **unused)
{
    (void)unused;
    check_growth(make_hinged_arm);
}

/* A free end is wound onto a wheel: its length L falls to zero and its angular velocity grows as L^(−3/2). Segments of the
 * parts behind the bead become taut meanwhile, and the impact must not gain energy from the end. */
static cord_world *make_wound_end(cord_integrator by)
{
    const double radius = 0.06378;
    cord_world *w = scene_world_in(by, 9.81);
    cord_body bead = rig_ball(w, 0.0384248, 0.91495, -0.24267),
              weight = rig_ball(w, 0.6057, 1.41263, -0.68623);
    cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {0, 0, -0.76734}},
        rig_pulley(rig_world_point(w, 0.4523, -0.09678), radius, -1),
        {.kind = CORD_WAYPOINT_EYELET, .point = rig_on(w, bead, -0.03, 0)},
        {.kind = CORD_WAYPOINT_EYELET, .point = rig_on(w, bead, 0.03, 0), .parts = 4},
        rig_anchor(rig_on(w, weight, 0, 0)),
    };
    waypoints[1].friction_law = CORD_WRAP_CAPSTAN, waypoints[1].friction = 0.57292;
    waypoints[1].rotation = rig_flywheel(w, 0.0015361 * radius * radius, 0);
    add_cable(w, waypoints, 5, 0.413913, 0);
    return w;
}

static void wound_ends(void **unused)
{
    (void)unused;
    static const double steps[] = {1e-3, 2e-3, 5e-3, 1e-2, 2e-2};
    for (int i = 0; i < 5; i++) {
        cord_world *w = make_wound_end(CORD_MIDPOINT);
        assert_true(growth(w, steps[i], 0.65) < 1e-5);
        cord_world_destroy(w);
    }
}

/* A damped elastic rope leaves pulleys: the strain rate of an arc is that of a vanishing length, and the force max(0, EA (ε
 * + τ ε̇)) has a kink at which Newton's iteration must not alternate. */
static cord_world *make_damped_wraps(cord_integrator by)
{
    cord_world *w = scene_world_in(by, 9.81);
    cord_body weight[2] = {rig_ball(w, 3.1, 0, -0.48), rig_ball(w, 1.6, 1.6, -0.4)};
    const double velocity[3] = {0, 0, -0.28}, none[3] = {0};
    assert_fine(w, cord_body_set_velocity(w, weight[1], velocity, none));
    const cord_waypoint waypoints[] = {
        rig_anchor(rig_on(w, weight[0], 0, 0)),
        rig_pulley(rig_world_point(w, 0.4, 0.11), 0.08, 1),
        rig_pulley(rig_world_point(w, 0.8, -0.07), 0.05, 1),
        rig_pulley(rig_world_point(w, 1.2, 0.2), 0.08, -1),
        rig_anchor(rig_on(w, weight[1], 0, 0)),
    };
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = 5;
    def.density = 0.0015, def.stretching = 4.4e5, def.damping = 2.4e-4;
    rig_cable(w, &def);
    return w;
}

static void damped_wraps(void **unused)
{
    (void)unused;
    static const double steps[] = {1e-3, 2e-3, 5e-3, 2e-2};
    for (int i = 0; i < 8; i++) {
        bool midpoint = i % 2 == 0;
        cord_world *w = make_damped_wraps(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT);
        assert_true(growth(w, steps[i / 2], 0.4) < (midpoint ? 1e-5 : 2e-3));
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(free_ends), cmocka_unit_test(hinged_arms),
                                       cmocka_unit_test(wound_ends),
                                       cmocka_unit_test(damped_wraps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
