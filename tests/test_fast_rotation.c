/* Strands and bodies that rotate by much in a step: spin is kept, and what rolls does so as far as it is shown. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double g = 9.81, pi = 3.14159265358979323846;
static const cord_point nowhere = {0};
static const double radius = 5e-3, length = 0.1, density = 1000;

/* The mass, and the moment of inertia about the axis, of a solid cylinder. */
static double mass(void)
{
    return density * pi * radius * radius * length;
}

static double inertia(void)
{
    return 0.5 * mass() * radius * radius;
}

/* A stiff chain of two elements along y, on the plane z = 0. */
static cord_strand chain(cord_world *w, const char *model)
{
    const double x[9] = {0, 0, radius, 0, 0.5 * length, radius, 0, length, radius};
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.model = model;
    def.vertex_count = 3;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = radius};
    def.material = (cord_material){.density = density, .young = 5e9, .poisson = 0.5};
    def.twist_mode = CORD_TWIST_DYNAMIC;
    cord_strand made = scene_strand(w, &def);
    assert_fine(w, cord_strand_set_surface(w, made, &surface));
    return made;
}

static const char *const models[] = {CORD_MODEL_SEGMENT, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};

/* It reaches 654 rad/s: 3.3 rad in a step. */
static void chains_roll(void **unused)
{
    (void)unused;
    const double angle = pi / 6, h = 5e-3;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        double v[9];
        cord_world *w = rod_world(0.6, (double[]){g * sin(angle), 0, -g * cos(angle)});
        cord_strand rod = chain(w, models[i]);
        rod_floor(w, nowhere);
        scene_advance(w, h, 200);
        assert_fine(w, cord_strand_get_velocities(w, rod, v));
        for (int k = 0; k < 3; k++) assert_close(v[3 * k], 2.0 / 3 * g * sin(angle), 1e-4 * g);
        cord_world_destroy(w);
    }
}

/* A torque about the axis and one across act for some time; then the chain spins by up to 3 rad in a step and tumbles slowly.
 * Backward Euler, where it is chosen, damps slow spin, and does not keep the direction of the axis above 2 rad in a step. */
static void spin_is_kept(void **unused)
{
    (void)unused;
    static const cord_scheme schemes[] = {CORD_TR_BDF2, CORD_BACKWARD_EULER};
    static const double rates[] = {100, 1000, 3000};
    const double h = 1e-3, last = 0.1;
    for (int scheme = 0; scheme < 2; scheme++)
        for (int i = scheme; i < 3; i++) {
            cord_world *w = rod_world_by(schemes[scheme], 0, (double[]){0, 0, 0});
            cord_strand rod = chain(w, CORD_MODEL_CLOTHOID);
            cord_load_def def = cord_load_def_default();
            cord_load load;
            cord_momentum before, after;
            def.point = scene_point(w, rod, 0.5 * length);
            v3_set(def.torque, 0.01 * inertia() * rates[i] / last, inertia() * rates[i] / last, 0);
            assert_fine(w, cord_world_add_load(w, &def, &load));
            scene_advance(w, h, 100);
            assert_fine(w, cord_world_remove_load(w, load));
            assert_fine(w, cord_world_get_momentum(w, &before));
            scene_advance(w, h, 500);
            assert_fine(w, cord_world_get_momentum(w, &after));
            const double whole = inertia() * rates[i];
            const double error = scheme == 0 ? 2e-3 : 1e-2;
            assert_close(before.angular[1], whole, error * whole);
            assert_close(after.angular[1], before.angular[1], error * whole);
            if (scheme == 0 || rates[i] * h < 2)
                assert_all_close(after.angular, before.angular, 3, error * whole);
            cord_world_destroy(w);
        }
}

/* On a body of prescribed position, which is in an island with it: by backward Euler. A ball: 5/7 g sin α, a cylinder: 2/3. */
static void bodies_roll_on_bodies(void **unused)
{
    (void)unused;
    const double angle = pi / 9, h = 5e-3, size = 0.05;
    for (int ball = 0; ball < 2; ball++) {
        cord_world *w = rod_world(0.9, (double[]){g * sin(angle), 0, -g * cos(angle)});
        cord_contact_surface surface = cord_contact_surface_default();
        cord_body_def slab = cord_body_def_default(), def = cord_body_def_default();
        slab.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {20, 1, 0.1}};
        v3_set(slab.position, 8, 0, -0.05);
        def.shape = (cord_shape){.kind = ball ? CORD_SHAPE_SPHERE : CORD_SHAPE_CYLINDER,
                                 .radius = size,
                                 .length = 4 * size};
        v3_set(def.position, 0, 0, size);
        const double lying[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
        for (int k = 0; k < 9; k++) def.frame[k] = lying[k];
        const cord_body on = scene_body(w, &slab), rolling = scene_body(w, &def);
        assert_fine(w, cord_world_clamp_body(w, on, NULL, NULL, NULL, NULL));
        assert_fine(w, cord_body_set_surface(w, on, &surface));
        assert_fine(w, cord_body_set_surface(w, rolling, &surface));
        scene_advance(w, h, 200);
        double v[3], omega[3];
        assert_fine(w, cord_body_get_velocity(w, rolling, v, omega));
        const double expected = (ball ? 5.0 / 7 : 2.0 / 3) * g * sin(angle);
        assert_close(v[0], expected, 2e-4 * expected);
        assert_close(omega[1], expected / size, 2e-4 * expected / size);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_roll),
        cmocka_unit_test(spin_is_kept),
        cmocka_unit_test(bodies_roll_on_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
