/* Contact in steps: rods against planes and each other, compared with closed forms. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81, mu = 0.3, h = 0.005;
static const cord_point nowhere = {0};

/* A rod on the plane z = 0, with gravity inclined by `angle` towards x; along x, or across. */
static cord_world *inclined(double angle, double friction, bool across, cord_strand *rod)
{
    cord_world *w = rod_world(friction, (double[]){g * sin(angle), 0, -g * cos(angle)});
    *rod = rod_between(w, (double[]){0, 0, rod_radius},
                       (double[]){across ? 0 : 1, across ? 1 : 0, rod_radius}, NULL);
    rod_floor(w, nowhere);
    return w;
}

/* Forces begin at zero: in the first steps the regularisation of the forces lets the rod move by some 1e-8 m. */
static void sticks_below_the_angle_of_friction(void **unused)
{
    (void)unused;
    cord_strand rod;
    double angle = atan(0.98 * mu), v[3], force[3], x[3 * (ROD_EDGES + 1)];
    cord_world *w = inclined(angle, mu, false, &rod);
    scene_advance(w, h, 50);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    const double start = x[0];
    assert_close(start, 0, 1e-7);
    scene_advance(w, h, 200);
    rod_velocity(w, rod, v);
    rod_contact_force(w, rod, force);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_close(v[0], 0, 1e-8);
    assert_close(x[0], start, 1e-10);
    assert_close(force[2], rod_density * g * cos(angle), 1e-8);
    assert_close(force[0], -rod_density * g * sin(angle), 1e-8);
    cord_world_destroy(w);
}

/* v = g (sin α − μ cos α) t. */
static void slides_above_the_angle_of_friction(void **unused)
{
    (void)unused;
    cord_strand rod;
    double angle = atan(1.02 * mu), v[3];
    cord_world *w = inclined(angle, mu, false, &rod);
    scene_advance(w, h, 200);
    rod_velocity(w, rod, v);
    assert_close(v[0], g * (sin(angle) - mu * cos(angle)), 1e-8);
    assert_close(v[1], 0, 1e-8);
    cord_world_destroy(w);
}

/* A solid cylinder rolls with v = ⅔ g sin α t. */
static void rolls(void **unused)
{
    (void)unused;
    cord_strand rod;
    double angle = 0.2, v[3];
    cord_world *w = inclined(angle, mu, true, &rod);
    scene_advance(w, h, 200);
    rod_velocity(w, rod, v);
    assert_close(v[0], 2.0 / 3 * g * sin(angle), 1e-7 * g);
    cord_world_destroy(w);
}

/* With μ = tan α/6, less than a third of tan α, it slips and spins: v = g (sin α − μ cos α) t. */
static void slips_as_it_rolls(void **unused)
{
    (void)unused;
    cord_strand rod;
    double angle = 0.3, friction = tan(angle) / 6, v[3];
    cord_world *w = inclined(angle, friction, true, &rod);
    scene_advance(w, h, 100);
    rod_velocity(w, rod, v);
    assert_close(v[0], 0.5 * g * sin(angle) * (1 - 1.0 / 6), 1e-7 * g);
    cord_world_destroy(w);
}

static void comes_to_rest_after_a_fall(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(mu, (double[]){0, 0, -g});
    cord_strand rod = rod_between(w, (double[]){0, 0, 0.1}, (double[]){0.9, 0, 0.2}, NULL);
    double x[3 * (ROD_EDGES + 1)], v[3], force[3], length = hypot(0.9, 0.1);
    rod_floor(w, nowhere);
    scene_advance(w, h, 400);
    rod_velocity(w, rod, v);
    rod_contact_force(w, rod, force);
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_close(v3_norm(v), 0, 1e-6);
    assert_close(force[2], length * rod_density * g, 1e-6);
    for (int i = 0; i <= ROD_EDGES; i++) assert_close(x[3 * i + 2], rod_radius, 1e-3 * rod_radius);
    cord_world_destroy(w);
}

/* A belt moves at 1 m/s: the rod accelerates with μg until it moves along. */
static void a_conveyor_takes_the_rod_along(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(mu, (double[]){0, 0, -g});
    cord_strand rod =
        rod_between(w, (double[]){0, 0, rod_radius}, (double[]){1, 0, rod_radius}, NULL);
    const double times[2] = {0, 10}, path[6] = {0, 0, 0, 10, 0, 0};
    cord_point_def belt = cord_point_def_default();
    double v[3];
    belt.motion = (cord_keys){.count = 2, .times = times, .values = path};
    rod_floor(w, scene_add_point(w, &belt));
    scene_advance(w, h, 60);
    rod_velocity(w, rod, v);
    assert_close(v[0], mu * g * 60 * h, 1e-7);
    scene_advance(w, h, 60);
    rod_velocity(w, rod, v);
    assert_close(v[0], 1, 1e-7);
    cord_world_destroy(w);
}

/* Friction acts against the motion relative to the belt: a rod that moves across it turns towards the belt's direction. */
static void friction_opposes_the_relative_motion(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(mu, (double[]){0, 0, -g});
    cord_strand rod = rod_between(w, (double[]){0, 0, rod_radius}, (double[]){1, 0, rod_radius},
                                  (double[]){0.3, 0, 0});
    const double times[2] = {0, 10}, path[6] = {0, 0, 0, -5, 0, 0};
    cord_point_def belt = cord_point_def_default();
    double v[3];
    belt.motion = (cord_keys){.count = 2, .times = times, .values = path};
    rod_floor(w, scene_add_point(w, &belt));
    scene_advance(w, h, 20);
    rod_velocity(w, rod, v);
    assert_close(v[0], 0.3 - mu * g * 20 * h, 1e-7);
    cord_world_destroy(w);
}

/* Without gravity: the momentum that one rod loses the other gains, and it is the impulse of the contact forces. */
static void crossing_rods_exchange_momentum(void **unused)
{
    (void)unused;
    cord_world *w = rod_world_by(CORD_BACKWARD_EULER, 0.5, (double[]){0, 0, 0});
    cord_strand still = rod_between(w, (double[]){-0.5, 0, 0}, (double[]){0.5, 0, 0}, NULL);
    cord_strand moving = rod_between(w, (double[]){0.1, -0.5, 0.03}, (double[]){0.1, 0.5, 0.03},
                                     (double[]){0.5, 0.2, -1});
    cord_momentum before, after;
    double impulse[3] = {0}, force[3], other[3];
    assert_fine(w, cord_world_get_momentum(w, &before));
    for (int i = 0; i < 40; i++) {
        scene_advance(w, 0.001, 1);
        rod_contact_force(w, still, force);
        rod_contact_force(w, moving, other);
        v3_axpy(impulse, 0.001, force);
        v3_add(force, force, other);
        assert_close(v3_norm(force), 0, 0);
    }
    assert_fine(w, cord_world_get_momentum(w, &after));
    assert_all_close(after.linear, before.linear, 3, 1e-10);
    assert_true(impulse[2] < -0.01 && impulse[0] > 0.001 && impulse[1] > 0.0005);
    assert_fine(w, cord_world_remove_strand(w, moving));
    assert_fine(w, cord_world_get_momentum(w, &after));
    assert_all_close(after.linear, impulse, 3, 1e-10);
    cord_world_destroy(w);
}

/* μ = 0.1 between materials 1 and 2, 0.6 otherwise, on a slope of tan α = 0.3. */
static void friction_of_pairs_of_materials(void **unused)
{
    (void)unused;
    double angle = atan(0.3), v[3];
    cord_world *w = rod_world(0.6, (double[]){g * sin(angle), 0, -g * cos(angle)});
    cord_obstacle_def plane = cord_obstacle_def_default();
    cord_obstacle made;
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand rods[2];
    assert_fine(w, cord_world_set_friction(w, 2, 1, 0.1, 0));
    plane.surface.material = 2;
    assert_fine(w, cord_world_add_obstacle(w, &plane, &made));
    for (int i = 0; i < 2; i++) {
        rods[i] = rod_between(w, (double[]){0, i, rod_radius}, (double[]){1, i, rod_radius}, NULL);
        surface.material = i;
        assert_fine(w, cord_strand_set_surface(w, rods[i], &surface));
    }
    scene_advance(w, h, 40);
    rod_velocity(w, rods[0], v);
    assert_close(v[0], 0, 1e-8);
    rod_velocity(w, rods[1], v);
    assert_close(v[0], 0.2 * 0.2 * g * cos(angle), 1e-8);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_below_the_angle_of_friction),
        cmocka_unit_test(slides_above_the_angle_of_friction),
        cmocka_unit_test(rolls),
        cmocka_unit_test(slips_as_it_rolls),
        cmocka_unit_test(comes_to_rest_after_a_fall),
        cmocka_unit_test(a_conveyor_takes_the_rod_along),
        cmocka_unit_test(friction_opposes_the_relative_motion),
        cmocka_unit_test(crossing_rods_exchange_momentum),
        cmocka_unit_test(friction_of_pairs_of_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
