/* Bodies on obstacles in equilibria and in quasi-static steps, and strands that begin far from obstacles. */
#include "math/vec3.h"
#include "support/rods_in_contact.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double g = 9.81;
static const cord_point nowhere = {0};
static const double height = 0.1, mass = 4;

/* A box of 0.2 m × 0.2 m × 0.1 m whose centre is at z, rotated about y. */
static cord_body box_at(cord_world *w, double z, double angle)
{
    cord_body_def def = scene_box(0.2, 0.2, height);
    cord_contact_surface surface = cord_contact_surface_default();
    const double frame[9] = {cos(angle), 0, -sin(angle), 0, 1, 0, sin(angle), 0, cos(angle)};
    def.name = "box";
    v3_set(def.position, 0, 0, z);
    memcpy(def.frame, frame, sizeof frame);
    cord_body box = scene_body(w, &def);
    assert_fine(w, cord_body_set_surface(w, box, &surface));
    return box;
}

static double support_force(cord_world *w)
{
    enum { MOST = 16 };
    cord_contact list[MOST];
    int count;
    double sum = 0;
    assert_fine(w, cord_world_get_contacts(w, MOST, list, &count));
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; i++) sum += list[i].force[2];
    return fabs(sum);
}

/* Neutral: two translations and the rotation about the vertical. */
static void box_on_floor(void **unused)
{
    (void)unused;
    const double starts[][2] = {{0.5 * height, 0}, {0.2, 0.1}, {1, 0.3}};
    for (int i = 0; i < 3; i++) {
        cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
        cord_body box = box_at(w, starts[i][0], starts[i][1]);
        double x[3], frame[9];
        cord_statics_result found;
        rod_floor(w, nowhere);
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
        assert_fine(w, cord_body_get_pose(w, box, x, frame));
        assert_close(x[2], 0.5 * height, 1e-6);
        assert_close(frame[8], 1, 1e-8);
        assert_close(support_force(w), mass * g, 1e-6 * mass * g);
        assert_int_equal(found.unstable_directions, 0);
        assert_int_equal(found.neutral_directions, 3);
        cord_world_destroy(w);
    }
}

/* On an incline a box sticks below the angle of friction, and has no equilibrium above it. */
static void box_on_incline(void **unused)
{
    (void)unused;
    for (int slides = 0; slides < 2; slides++) {
        const double angle = slides ? atan(0.4) : atan(0.2);
        cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
        cord_contact_def contact = cord_contact_def_default();
        contact.friction = 0.3;
        assert_fine(w, cord_world_set_contact(w, &contact));
        assert_fine(w, cord_world_set_gravity(w, (double[]){g * sin(angle), 0, -g * cos(angle)}));
        cord_body box = box_at(w, 0.5 * height, 0);
        double x[3];
        rod_floor(w, nowhere);
        cord_status status = CORD_OK;
        for (int i = 0; status == CORD_OK && i < 3; i++) status = cord_world_step(w, 0.1);
        assert_fine(w, cord_body_get_pose(w, box, x, NULL));
        if (slides) {
            assert_int_equal(status, CORD_ERROR_NOT_CONVERGED);
            assert_non_null(strstr(cord_world_get_error(w), "slide off their support"));
        } else {
            assert_fine(w, status);
            assert_close(x[0], 0, 1e-8);
            assert_close(support_force(w), mass * g * cos(angle), 1e-6 * mass * g);
        }
        cord_world_destroy(w);
    }
}

/* The search begins beyond the margin of detection. */
static void rod_above_floor(void **unused)
{
    (void)unused;
    cord_world *w = rod_world(0.3, (double[]){0, 0, -g});
    cord_strand rod = rod_between(w, (double[]){0, 0, 1}, (double[]){1, 0, 1.2}, NULL);
    double force[3];
    rod_floor(w, nowhere);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    rod_contact_force(w, rod, force);
    assert_close(force[2], rod_density * hypot(1, 0.2) * g, 1e-6);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_on_floor),
        cmocka_unit_test(box_on_incline),
        cmocka_unit_test(rod_above_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
