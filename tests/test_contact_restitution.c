/* Restitution of contacts: velocities after impacts against closed forms. */
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static cord_world *elastic_world(double restitution, const double gravity[3])
{
    cord_world *w = rod_world(0.3, gravity);
    cord_contact_def def = cord_contact_def_default();
    def.restitution = restitution;
    def.tolerance = 1e-10;
    assert_fine(w, cord_world_set_contact(w, &def));
    return w;
}

static cord_body ball(cord_world *w, const double at[3], const double velocity[3])
{
    cord_body_def def = cord_body_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    cord_body made;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    for (int k = 0; k < 3; k++) def.position[k] = at[k], def.velocity[k] = velocity[k];
    assert_fine(w, cord_world_add_body(w, &def, &made));
    assert_fine(w, cord_body_set_surface(w, made, &surface));
    return made;
}

/* Without gravity a ball that meets a plane at 2 m/s leaves it at e times that. */
static void balls_rebound(void **unused)
{
    (void)unused;
    const double e[] = {0, 0.3, 0.8, 1};
    for (int i = 0; i < 4; i++) {
        cord_world *w = elastic_world(e[i], (double[]){0, 0, 0});
        cord_body b = ball(w, (double[]){0, 0, 0.13}, (double[]){0, 0, -2});
        double v[3], omega[3];
        rod_floor(w, (cord_point){0});
        scene_advance(w, 0.004, 10);
        assert_fine(w, cord_body_get_velocity(w, b, v, omega));
        assert_close(v[2], 2 * e[i], 1e-6);
        cord_world_destroy(w);
    }
}

/* Equal balls that meet head-on exchange their velocities; momentum and, for e = 1, energy are kept. */
static void equal_balls_exchange_velocities(void **unused)
{
    (void)unused;
    cord_world *w = elastic_world(1, (double[]){0, 0, 0});
    cord_body first = ball(w, (double[]){0, 0, 0}, (double[]){3, 0, 0});
    cord_body second = ball(w, (double[]){0.25, 0, 0}, (double[]){-1, 0, 0});
    double v[3], omega[3];
    scene_advance(w, 0.004, 20);
    assert_fine(w, cord_body_get_velocity(w, first, v, omega));
    assert_close(v[0], -1, 1e-6);
    assert_fine(w, cord_body_get_velocity(w, second, v, omega));
    assert_close(v[0], 3, 1e-6);
    cord_world_destroy(w);
}

/* A ball that bounces comes to rest, at the height of its radius. */
static void bounces_end(void **unused)
{
    (void)unused;
    cord_world *w = elastic_world(0.5, (double[]){0, 0, -9.81});
    cord_body b = ball(w, (double[]){0, 0, 0.4}, (double[]){0, 0, 0});
    double x[3], v[3], omega[3], highest = 0;
    rod_floor(w, (cord_point){0});
    for (int i = 0; i < 400; i++) {
        scene_advance(w, 0.004, 1);
        assert_fine(w, cord_body_get_pose(w, b, x, NULL));
        assert_fine(w, cord_body_get_velocity(w, b, v, omega));
        if (i > 60 && x[2] > highest) highest = x[2]; /* after the first impact, at 0.247 s */
    }
    assert_close(highest - 0.1, 0.25 * 0.3, 0.1 * 0.25 * 0.3); /* e² of the fall, to the step */
    assert_close(x[2], 0.1, 1e-5);
    assert_close(v[2], 0, 1e-6);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_rebound),
        cmocka_unit_test(equal_balls_exchange_velocities),
        cmocka_unit_test(bounces_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
