/* Contact in the projection of `symplectic`: friction on an incline, a rope on a floor and over a cylinder, a knot. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81, mu = 0.3, radius = 0.005, density = 0.1;
enum { VERTICES = 60 };

static cord_world *world(double friction, const double gravity[3])
{
    cord_world_def def = cord_world_def_default();
    cord_contact_def contact = cord_contact_def_default();
    cord_world *w;
    v3_copy(def.gravity, gravity);
    def.integrator = CORD_SYMPLECTIC;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    contact.friction = friction;
    assert_fine(w, cord_world_set_contact(w, &contact));
    return w;
}

static cord_strand rope(cord_world *w, int count, const double *x, double bending)
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_strand made;
    double natural[3 * 300];
    def.vertex_count = count;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .radius = radius,
                                 .mass = density,
                                 .bending = {bending, bending},
                                 .twisting = bending};
    for (int i = 0; i < count; i++)
        v3_set(natural + 3 * i, i ? natural[3 * i - 3] + v3_distance(x + 3 * i, x + 3 * i - 3) : 0,
               0, 0);
    def.natural_positions = natural;
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    assert_fine(w, cord_strand_set_surface(w, made, &surface));
    return made;
}

static cord_strand straight(cord_world *w, int count, const double from[3], const double to[3],
                            double bending)
{
    double x[3 * 300];
    for (int i = 0; i < count; i++)
        v3_combine(x + 3 * i, 1 - i / (count - 1.0), from, i / (count - 1.0), to);
    return rope(w, count, x, bending);
}

static void floor_of(cord_world *w)
{
    cord_obstacle_def plane = cord_obstacle_def_default();
    cord_obstacle made;
    assert_fine(w, cord_world_add_obstacle(w, &plane, &made));
}

static double energy(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_get_energy(w, &e));
    return e.total;
}

/* The acceleration down a slope of tan α = ratio μ, after one second from rest. */
static double slope(double ratio)
{
    const double angle = atan(ratio * mu), from[3] = {0, 0, radius}, to[3] = {1, 0, radius};
    cord_world *w = world(mu, (double[]){g * sin(angle), 0, -g * cos(angle)});
    cord_strand rod = straight(w, 21, from, to, 0.01);
    double v[3 * 21];
    floor_of(w);
    scene_advance(w, 1e-3, 500);
    assert_fine(w, cord_strand_get_velocities(w, rod, v));
    for (int i = 0; i < 21; i++) assert_close(v[3 * i + 2], 0, 1e-8);
    double found = v[30] / 0.5;
    cord_world_destroy(w);
    return found;
}

static void sticks_below_the_angle_of_friction(void **unused)
{
    (void)unused;
    assert_close(slope(0.98), 0, 1e-7);
}

static void slides_above_the_angle_of_friction(void **unused)
{
    (void)unused;
    double angle = atan(1.02 * mu);
    assert_close(slope(1.02), g * (sin(angle) - mu * cos(angle)), 1e-6);
}

/* A rope falls on its end and lies down. */
static void a_rope_comes_to_rest_on_a_floor(void **unused)
{
    (void)unused;
    const double from[3] = {0, 0, 0.05}, to[3] = {0.35, 0, 0.25};
    cord_world *w = world(mu, (double[]){0, 0, -g});
    cord_strand fallen = straight(w, 31, from, to, 1e-4);
    double x[3 * 31], v[3 * 31], before = energy(w);
    floor_of(w);
    for (int i = 0; i < 40; i++) {
        scene_advance(w, 5e-4, 50);
        double now = energy(w);
        assert_true(now <= 1.02 * before); /* forces are explicit */
        before = now;
        assert_fine(w, cord_strand_get_positions(w, fallen, x));
        for (int k = 0; k < 31; k++) assert_true(x[3 * k + 2] > 0.995 * radius);
    }
    assert_fine(w, cord_strand_get_velocities(w, fallen, v));
    for (int k = 0; k < 31; k++) {
        assert_close(x[3 * k + 2], radius, 1e-4 * radius);
        assert_close(v3_norm(v + 3 * k), 0, 1e-6);
    }
    cord_world_destroy(w);
}

static cord_obstacle pole(cord_world *w, double size)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle made;
    def.kind = CORD_OBSTACLE_SHAPE;
    def.shape.kind = CORD_SHAPE_CYLINDER;
    def.shape.radius = size;
    def.shape.length = 1;
    v3_set(def.frame, 1, 0, 0);
    v3_set(def.frame + 3, 0, 0, -1);
    v3_set(def.frame + 6, 0, 1, 0);
    assert_fine(w, cord_world_add_obstacle(w, &def, &made));
    return made;
}

/* A rope over a cylinder along y: the longer side is T₁, the shorter T₂. It rests where T₁/T₂ < exp(μφ). */
static double draped(double friction, double excess)
{
    const double size = 0.05, length = 0.6;
    cord_world *w = world(friction, (double[]){0, 0, -g});
    enum { COUNT = 61 };
    double x[3 * COUNT], v[3 * COUNT], arc = 3.14159265358979 * (size + radius);
    for (int i = 0; i < COUNT; i++) {
        double s = (i / (COUNT - 1.0) - 0.5) * length + excess, t = s / (size + radius);
        if (fabs(s) < 0.5 * arc)
            v3_set(x + 3 * i, (size + radius) * sin(t), 0, (size + radius) * cos(t));
        else
            v3_set(x + 3 * i, copysign(size + radius, s), 0, -(fabs(s) - 0.5 * arc));
    }
    cord_strand rod = rope(w, COUNT, x, 1e-5);
    pole(w, size);
    double before = energy(w);
    scene_advance(w, 2e-4, 1500);
    if (friction == 0) assert_close(energy(w), before, 1e-3 * fabs(before));
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    assert_fine(w, cord_strand_get_velocities(w, rod, v));
    for (int i = 0; i < COUNT; i++)
        assert_true(hypot(x[3 * i], x[3 * i + 2]) > size + 0.98 * radius);
    double fall = v[3 * COUNT - 1];
    cord_world_destroy(w);
    return fall;
}

static void a_rope_rests_on_a_cylinder(void **unused)
{
    (void)unused;
    /* Sides of 0.244 and 0.184 m: a ratio of 1.33, and exp(0.3 π) = 2.57; exp(0.05 π) = 1.17. */
    assert_close(draped(0.3, 0.03), 0, 0.01);
    assert_true(draped(0.05, 0.03) < -0.1);
    assert_true(draped(0, 0.03) < -0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sticks_below_the_angle_of_friction),
        cmocka_unit_test(slides_above_the_angle_of_friction),
        cmocka_unit_test(a_rope_comes_to_rest_on_a_floor),
        cmocka_unit_test(a_rope_rests_on_a_cylinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
