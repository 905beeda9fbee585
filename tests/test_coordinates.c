/* Revolute and prismatic coordinates: their measured values, gears and racks between them,
 * friction, torques and motors on them. */
#include "math/rotation.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double z[3] = {0, 0, 1};

/* A wheel of 2 kg and the given radius about the z axis at (x, 0, 0). */
static cord_body wheel(cord_world *w, double x, double radius)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = 0.1};
    def.mass = 2;
    def.position[0] = x;
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static double inertia(double radius)
{
    return 0.5 * 2 * radius * radius;
}

/* Its centre on the axis through x along z, free to rotate about it. */
static cord_point hinge(cord_world *w, cord_body body, double x)
{
    cord_point center = scene_on(w, body, 0, 0, 0), place = scene_place(w, x, 0, 0);
    scene_constraint(w, CORD_COINCIDE, center, place);
    scene_constraint(w, CORD_PARALLEL, center, place);
    return center;
}

static cord_point gauge(cord_world *w, cord_source source, cord_point of, cord_point against,
                        const double axis[3], double friction)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = source;
    def.measured = of, def.reference = against;
    v3_copy(def.direction, axis);
    def.friction = friction;
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_point turn_of(cord_world *w, cord_point of, double friction)
{
    return gauge(w, CORD_SOURCE_REVOLUTE, of, (cord_point){0}, z, friction);
}

static cord_constraint gear(cord_world *w, cord_point first, cord_point second, double ratio)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.first = first, def.second = second;
    def.ratio = ratio;
    return scene_relate(w, &def);
}

static cord_world *world_in(cord_integrator integrator, double gravity)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    v3_set(def.gravity, 0, -gravity, 0);
    def.integrator = integrator;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
#define EACH_INTEGRATOR(i) for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++)

/* A constant torque: θ = τ t²/2I, over many revolutions. */
static void torque_turns_a_wheel(void **unused)
{
    (void)unused;
    EACH_INTEGRATOR(i)
    {
        cord_world *w = world_in(integrators[i], 0);
        cord_point center = hinge(w, wheel(w, 0, 0.3), 0), turn = turn_of(w, center, 0);
        double rate, torque = 0.3, acceleration = torque / inertia(0.3);
        scene_push(w, turn, torque);
        scene_advance(w, 0.005, 600);
        double angle = 0.5 * acceleration * 3 * 3;
        assert_true(angle > 2 * 2 * pi);
        assert_close(scene_coordinate(w, turn, &rate), angle, 5e-4 * angle);
        assert_close(rate, acceleration * 3, 1e-3 * rate);
        cord_world_destroy(w);
    }
}

/* The same torque on the body's frame. */
static void torque_on_a_frame(void **unused)
{
    (void)unused;
    EACH_INTEGRATOR(i)
    {
        cord_world *w = world_in(integrators[i], 0);
        cord_point center = hinge(w, wheel(w, 0, 0.3), 0), turn = turn_of(w, center, 0);
        cord_load_def def = cord_load_def_default();
        cord_load made;
        def.point = center;
        v3_set(def.torque, 0, 0, 1);
        assert_fine(w, cord_world_add_load(w, &def, &made));
        assert_fine(w, cord_load_set_torque(w, made, (double[]){0, 0, 0.5}));
        scene_advance(w, 0.0025, 400);
        assert_close(scene_coordinate(w, turn, NULL), 0.5 * 0.5 / inertia(0.3), 1e-4);
        cord_world_destroy(w);
    }
}

/* Without a load: the wheel decelerates as exp(−c t/I), and stops after ω₀ I/c. */
static void friction_stops_a_wheel(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, 0);
    double c = 0.3, own = inertia(0.3), rate;
    cord_body body = wheel(w, 0, 0.3);
    cord_point turn = turn_of(w, hinge(w, body, 0), c);
    assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 0, 0}, (double[]){0, 0, 20}));
    scene_advance(w, 0.002, 250);
    double left = exp(-c * 0.5 / own);
    assert_close(scene_coordinate(w, turn, &rate), 20 * own / c * (1 - left), 1e-3);
    assert_close(rate, 20 * left, 1e-3);
    cord_world_destroy(w);
}

/* Two wheels, θ₁ = −2 θ₂: the inertia at the first is I₁ + I₂/4, and the energy is the work of
 * the torque. */
static void gears_turn_each_other(void **unused)
{
    (void)unused;
    EACH_INTEGRATOR(i)
    {
        cord_world *w = world_in(integrators[i], 0);
        cord_point turn[2];
        for (int k = 0; k < 2; k++) {
            double x = 0.8 * k, radius = k == 0 ? 0.2 : 0.4;
            turn[k] = turn_of(w, hinge(w, wheel(w, x, radius), x), 0);
        }
        cord_constraint mesh = gear(w, turn[0], turn[1], -2);
        double torque = 0.9, acceleration = torque / (inertia(0.2) + inertia(0.4) / 4), rate, g;
        scene_push(w, turn[0], torque);
        scene_advance(w, 0.0025, 800);
        double angle = 0.5 * acceleration * 4;
        assert_close(scene_coordinate(w, turn[0], &rate), angle, 1e-3 * angle);
        assert_close(scene_coordinate(w, turn[1], NULL), -0.5 * scene_coordinate(w, turn[0], NULL),
                     1e-9);
        assert_fine(w, cord_constraint_get_residual(w, mesh, NULL, &g));
        assert_close(g, 0, 1e-10);
        cord_energy energy;
        assert_fine(w, cord_world_get_energy(w, &energy));
        assert_close(energy.total, torque * scene_coordinate(w, turn[0], NULL),
                     1e-3 * energy.total);
        cord_world_destroy(w);
    }
}

/* A falling rack rotates its pinion: a = g m/(m + I/r²). The angle of a drum whose axle is in a
 * rotating carrier is measured relative to the carrier. */
static void rack_turns_pinion(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, 10);
    cord_point turn = turn_of(w, hinge(w, wheel(w, 0, 0.2), 0), 0);
    cord_point rack = scene_on(w, wheel(w, 0.2, 0.05), 0, 0, 0), guide = scene_place(w, 0.2, 0, 0);
    cord_constraint_def slot = cord_constraint_def_default();
    slot.kind = CORD_AXIS, slot.first = rack, slot.second = guide;
    v3_set(slot.direction, 0, 1, 0);
    scene_relate(w, &slot);
    scene_constraint(w, CORD_ALIGN, rack, guide);
    cord_point travel = gauge(w, CORD_SOURCE_PRISMATIC, rack, guide, (double[]){0, 1, 0}, 0);
    gear(w, travel, turn, 0.2);
    scene_advance(w, 0.0025, 400);
    double fall = 0.5 * 10 * 2 / (2 + inertia(0.2) / (0.2 * 0.2));
    assert_close(scene_coordinate(w, travel, NULL), -fall, 1e-3);
    assert_close(scene_coordinate(w, turn, NULL), scene_coordinate(w, travel, NULL) / 0.2, 1e-9);
    cord_world_destroy(w);
}

/* A clamped sun wheel, a planet that rolls on it in an arm: the planet makes one revolution more
 * than its gear ratio. */
static void planet_rolls_round_the_sun(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, 0);
    cord_body arm_body = wheel(w, 0, 0.5), sun_body = wheel(w, 0, 0.1),
              planet_body = wheel(w, 0.3, 0.2);
    cord_point arm = hinge(w, arm_body, 0), sun = hinge(w, sun_body, 0);
    cord_point_def pin_def = cord_point_def_default();
    cord_point pin, planet = scene_on(w, planet_body, 0, 0, 0);
    pin_def.source = CORD_SOURCE_BODY, pin_def.body = arm_body;
    pin_def.position[0] = 0.3;
    assert_fine(w, cord_world_add_point(w, &pin_def, &pin));
    scene_constraint(w, CORD_COINCIDE, planet, pin);
    scene_constraint(w, CORD_PARALLEL, planet, pin);
    scene_constraint(w, CORD_ANGLE, sun, (cord_point){0});
    cord_point sun_in_arm = gauge(w, CORD_SOURCE_REVOLUTE, sun, arm, z, 0);
    cord_point planet_in_arm = gauge(w, CORD_SOURCE_REVOLUTE, planet, pin, z, 0);
    cord_point arm_turn = turn_of(w, arm, 0), planet_turn = turn_of(w, planet, 0);
    gear(w, sun_in_arm, planet_in_arm, -2); /* teeth: 10 and 20 */
    cord_constraint_def motor = cord_constraint_def_default();
    motor.kind = CORD_SLIDE, motor.first = arm_turn;
    motor.length = 0;
    motor.drive_rate[0] = 4;
    scene_relate(w, &motor);
    scene_advance(w, 0.01, 500);
    assert_close(scene_coordinate(w, arm_turn, NULL), 20, 1e-8);
    assert_close(scene_coordinate(w, sun_in_arm, NULL), -20, 1e-8);
    assert_close(scene_coordinate(w, planet_in_arm, NULL), 10, 1e-8);
    assert_close(scene_coordinate(w, planet_turn, NULL), 30, 1e-8);
    cord_world_destroy(w);
}

/* A motor driven by calls: a rate, then rest. The state goes through a checkpoint. */
static void steering(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, 0);
    cord_point turn = turn_of(w, hinge(w, wheel(w, 0, 0.3), 0), 0);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE, def.first = turn, def.length = 0;
    cord_constraint motor = scene_relate(w, &def);
    double value = 0, rate = 50, driven, spin;
    assert_fine(w, cord_constraint_set_drive(w, motor, &value, &rate));
    scene_advance(w, 0.02, 50);
    assert_close(scene_coordinate(w, turn, &spin), 50, 1e-9);
    assert_close(spin, 50, 1e-6);
    assert_fine(w, cord_constraint_get_drive(w, motor, &driven, &rate));
    assert_close(driven, 50, 1e-9);
    assert_close(rate, 50, 0);
    size_t size;
    void *bytes = scene_state(w, &size);
    assert_fine(w, cord_constraint_set_drive(w, motor, &driven, NULL));
    scene_advance(w, 0.02, 10);
    assert_close(scene_coordinate(w, turn, &spin), 50, 1e-9);
    assert_close(spin, 0, 1e-9);
    assert_fine(w, cord_world_set_state(w, bytes, size));
    free(bytes);
    scene_advance(w, 0.02, 10);
    assert_close(scene_coordinate(w, turn, NULL), 60, 1e-9);
    value = NAN;
    assert_int_equal(cord_constraint_set_drive(w, motor, &value, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_constraint_set_drive(w, motor, NULL, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

/* A couple at the end of a clamped strand bends it to a circular arc. */
static void couple_bends_a_strand(void **unused)
{
    static const char *const models[] = {"der", "segment", "helix", "clothoid", "spline"};
    (void)unused;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        cord_world *w = world_in(CORD_IMPLICIT, 0);
        cord_strand rod = scene_rope(w, cord__strand_find(models[k]), models[k], 40,
                                     (double[]){0, 0, 0}, (double[]){1, 0, 0});
        assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
        cord_load_def couple = cord_load_def_default();
        cord_load made;
        double frame[9], place[3];
        couple.point = scene_point(w, rod, 1);
        v3_set(couple.torque, 0, 0, 0.01); /* one radian in all */
        assert_fine(w, cord_world_add_load(w, &couple, &made));
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_fine(w, cord_point_get_pose(w, couple.point, place, frame));
        bool rigid = strcmp(models[k], "segment") == 0; /* the last one has no joint at its end */
        assert_close(place[0], sin(1), 2e-3);
        assert_close(place[1], 1 - cos(1), 2e-3);
        assert_close(frame[0], cos(1), rigid ? 0.06 : 0.02);
        cord_world_destroy(w);
    }
}

/* A flywheel: no body, an angle with inertia, exactly θ = τ t²/2I; geared to a wheel it adds its
 * inertia. */
static void rotors(void **unused)
{
    (void)unused;
    EACH_INTEGRATOR(i)
    {
        cord_world *w = world_in(integrators[i], 0);
        cord_point_def def = cord_point_def_default();
        cord_point flywheel[2];
        def.source = CORD_SOURCE_FLYWHEEL;
        assert_int_equal(cord_world_add_point(w, &def, flywheel), CORD_ERROR_ARGUMENT);
        for (int k = 0; k < 2; k++) {
            def.inertia = 0.1 + 0.2 * k;
            assert_fine(w, cord_world_add_point(w, &def, flywheel + k));
        }
        gear(w, flywheel[0], flywheel[1], -3);
        scene_push(w, flywheel[0], 50);
        scene_advance(w, 0.01, 100);
        double angle = 0.5 * 50 / (0.1 + 0.3 / 9), rate;
        assert_close(scene_coordinate(w, flywheel[0], &rate), angle, 1e-9 * angle);
        assert_close(scene_coordinate(w, flywheel[1], NULL), -angle / 3, 1e-9 * angle);
        cord_energy energy;
        assert_fine(w, cord_world_get_energy(w, &energy));
        assert_close(energy.total, 50 * angle, 1e-8 * energy.total);
        cord_world_destroy(w);
    }
}

static void bad_arguments(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_IMPLICIT, 0);
    cord_point center = hinge(w, wheel(w, 0, 0.3), 0), made;
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_REVOLUTE;
    assert_int_equal(cord_world_add_point(w, &def, &made), CORD_ERROR_HANDLE);
    def.measured = scene_place(w, 0, 0, 0);
    assert_int_equal(cord_world_add_point(w, &def, &made), CORD_ERROR_ARGUMENT);
    def.measured = center;
    v3_set(def.direction, 0, 0, 0);
    assert_int_equal(cord_world_add_point(w, &def, &made), CORD_ERROR_ARGUMENT);
    v3_copy(def.direction, z);
    def.friction = -1;
    assert_int_equal(cord_world_add_point(w, &def, &made), CORD_ERROR_ARGUMENT);
    cord_load_def def_load = cord_load_def_default();
    cord_load on_it;
    def_load.point = center;
    def_load.coordinate_force = 1;
    assert_int_equal(cord_world_add_load(w, &def_load, &on_it), CORD_ERROR_ARGUMENT);
    def_load.coordinate_force = 0;
    assert_fine(w, cord_world_add_load(w, &def_load, &on_it));
    assert_int_equal(cord_load_set_coordinate_force(w, on_it, 1), CORD_ERROR_ARGUMENT);
    cord_constraint_def slide = cord_constraint_def_default();
    cord_constraint refused;
    slide.kind = CORD_SLIDE, slide.first = center;
    assert_int_equal(cord_world_add_constraint(w, &slide, &refused), CORD_ERROR_ARGUMENT);
    scene_advance(w, 0.01, 3);
    cord_world_destroy(w);
}

/* Without a coordinate, a driven angle is a motor. */
static void an_angle_turns_a_wheel(void **unused)
{
    (void)unused;
    cord_world *w = world_in(CORD_SYMPLECTIC, 0);
    cord_body body = wheel(w, 0, 0.1);
    cord_point center = hinge(w, body, 0);
    cord_constraint motor = scene_constraint(w, CORD_ANGLE, center, (cord_point){0});
    assert_fine(w, cord_constraint_set_drive(w, motor, (double[]){0}, (double[]){2}));
    scene_advance(w, 1e-3, 100);
    double spin[3];
    assert_fine(w, cord_body_get_velocity(w, body, NULL, spin));
    assert_close(spin[2], 2, 1e-8);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_turns_a_wheel),
        cmocka_unit_test(torque_on_a_frame),
        cmocka_unit_test(friction_stops_a_wheel),
        cmocka_unit_test(gears_turn_each_other),
        cmocka_unit_test(rack_turns_pinion),
        cmocka_unit_test(planet_rolls_round_the_sun),
        cmocka_unit_test(steering),
        cmocka_unit_test(couple_bends_a_strand),
        cmocka_unit_test(rotors),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(an_angle_turns_a_wheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
