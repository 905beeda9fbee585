/* Wheels on bodies that rotate: the inertia of a flywheel is that of its absolute rotation, and all torques on it react on
 * its carrier. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double inertia = 0.01, carrier_inertia = 0.005;

static cord_body add_carrier(cord_world *w)
{
    cord_body_def def = cord_body_def_default();
    def.mass = 1;
    for (int k = 0; k < 3; k++) def.inertia[4 * k] = carrier_inertia;
    return scene_body(w, &def);
}

/* About −y, as the wheels. */
static void hinge(cord_world *w, cord_body body)
{
    cord_point on = rig_on(w, body, 0, 0), in = rig_world_point(w, 0, 0);
    scene_constraint(w, CORD_COINCIDE, on, in);
    scene_constraint(w, CORD_PARALLEL, on, in);
}

static cord_point add_flywheel(cord_world *w, cord_point bearing, double friction)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = inertia;
    def.friction = friction;
    def.reference = bearing;
    return scene_add_point(w, &def);
}

static double spin_of(cord_world *w, cord_body body)
{
    double linear[3], angular[3];
    assert_fine(w, cord_body_get_velocity(w, body, linear, angular));
    return -angular[1];
}

/* A weight of I/r² on the rope of a drum falls with g/2, and the carrier of the drum stays at rest. */
static void coaxial_hinge(void **by)
{
    const double r = 0.1, g = 9.81;
    cord_world *w = scene_world_under(*by, g);
    cord_body carrier = add_carrier(w), load = rig_ball(w, inertia / (r * r), r, -1);
    hinge(w, carrier);
    cord_point bearing = rig_on(w, carrier, 0, 0);
    cord_waypoint drum = rig_pulley(bearing, r, -1);
    drum.kind = CORD_WAYPOINT_DRUM;
    drum.turns = 3;
    drum.rotation = add_flywheel(w, bearing, 0);
    drum.friction_law = CORD_WRAP_NO_SLIP;
    const cord_waypoint waypoints[] = {drum, rig_anchor(rig_on(w, load, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = 1e-9;
    def.waypoints = waypoints, def.waypoint_count = 2;
    rig_cable(w, &def);
    scene_advance(w, 2e-3, 100);
    double velocity[3];
    assert_fine(w, cord_body_get_velocity(w, load, velocity, NULL));
    assert_close(-velocity[2], 0.5 * g * 0.2, 1e-5);
    assert_close(spin_of(w, carrier), 0, 1e-5);
    cord_world_destroy(w);
}

/* A motor and a brake act on the carrier with the opposite torque: there is no angular momentum about the hinge. */
static void reaction(void **by)
{
    const double torque = 0.02, friction = 0.03, t = 0.2;
    const double reduced = inertia * carrier_inertia / (inertia + carrier_inertia);
    cord_world *w = scene_world_under(*by, 0);
    cord_body carrier = add_carrier(w);
    hinge(w, carrier);
    cord_point spin = add_flywheel(w, rig_on(w, carrier, 0, 0), friction);
    scene_push(w, spin, torque);
    scene_advance(w, 1e-3, 200);
    double rate, expected = torque / friction * (1 - exp(-friction * t / reduced));
    scene_coordinate(w, spin, &rate);
    assert_close(rate, expected, 5e-3 * expected);
    assert_close(spin_of(w, carrier), -inertia / (inertia + carrier_inertia) * rate, 1e-5);
    cord_world_destroy(w);
}

/* A free carrier whose flywheel has most of the angular momentum, in steps in which it precesses by half a radian and more:
 * energy and angular momentum are conserved. */
static void gyrostat(void **unused)
{
    (void)unused;
    static const double omega[3] = {3, -20, 1}, still[3];
    cord_world *w = scene_world_in(CORD_MIDPOINT, 0);
    cord_body carrier = add_carrier(w);
    add_flywheel(w, rig_on(w, carrier, 0, 0), 0);
    assert_fine(w, cord_body_set_velocity(w, carrier, still, omega));
    double angular[3], spin = -omega[1];
    for (int k = 0; k < 3; k++) angular[k] = carrier_inertia * omega[k];
    angular[1] -= inertia * spin;
    double kinetic = 0.5 * inertia * spin * spin;
    for (int k = 0; k < 3; k++) kinetic += 0.5 * carrier_inertia * omega[k] * omega[k];
    scene_advance(w, 0.01, 100);
    cord_momentum now;
    assert_fine(w, cord_world_get_momentum(w, &now));
    assert_all_close(now.angular, angular, 3, 1e-8);
    assert_close(scene_energy(w).kinetic, kinetic, 1e-7);
    cord_world_destroy(w);
}

/* A flywheel is removed with its bearing; the bearing must not be scripted; `symplectic` has no such inertia. */
static void bearings(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body carrier = add_carrier(w);
    cord_point bearing = rig_on(w, carrier, 0, 0), spin = add_flywheel(w, bearing, 0), made;
    add_flywheel(w, bearing, 0);
    scene_advance(w, 1e-3, 2);
    assert_fine(w, cord_world_remove_point(w, bearing));
    assert_int_equal(cord_point_get_coordinate(w, spin, &(double){0}, NULL), CORD_ERROR_HANDLE);
    scene_advance(w, 1e-3, 2);
    static const double times[2] = {0, 1}, turns[6] = {0, 0, 0, 0, 0, 1};
    cord_point_def scripted = cord_point_def_default(), def = cord_point_def_default();
    scripted.rotation = (cord_keys){2, times, turns, CORD_EASE_LINEAR};
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = inertia;
    def.reference = scene_add_point(w, &scripted);
    assert_int_equal(cord_world_add_point(w, &def, &made), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "scripted"));
    cord_world_destroy(w);

    w = scene_world_in(CORD_SYMPLECTIC, 0);
    add_flywheel(w, rig_on(w, add_carrier(w), 0, 0), 0);
    assert_int_equal(cord_world_step(w, 1e-3), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "flywheel"));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_IMPLICIT_INTEGRATION(coaxial_hinge),
        BY_EVERY_IMPLICIT_INTEGRATION(reaction),
        cmocka_unit_test(gyrostat),
        cmocka_unit_test(bearings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
