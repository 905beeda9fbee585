/* Mass and inertia of bodies: shapes, meshes and prescribed inertia, and inertia that no body
 * can have. */
#include "math/rotation.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_body_info info_of(const cord_body_def *def)
{
    cord_world *w = scene_world(NULL);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, scene_body(w, def), &info));
    cord_world_destroy(w);
    return info;
}

static void shapes(void **unused)
{
    (void)unused;
    cord_body_def def = cord_body_def_default();
    const double r = 0.3, l = 0.8, density = 700;
    def.density = density;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = r};
    cord_body_info i = info_of(&def);
    double m = density * 4 / 3 * pi * r * r * r;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.principal_moments,
                     ((double[]){0.4 * m * r * r, 0.4 * m * r * r, 0.4 * m * r * r}), 3, 1e-12 * m);
    def = scene_box(0.1, 0.2, 0.5), def.density = density;
    i = info_of(&def), m = density * 0.01;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.principal_moments, ((double[]){m * 0.29 / 12, m * 0.26 / 12, m * 0.05 / 12}),
                     3, 1e-12 * m);
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = r, .length = l};
    i = info_of(&def), m = density * pi * r * r * l;
    double across = m * (3 * r * r + l * l) / 12;
    assert_close(i.mass, m, 1e-12 * m);
    assert_all_close(i.principal_moments, ((double[]){across, across, m * r * r / 2}), 3,
                     1e-12 * m);
    /* A capsule's inertia by quadrature over discs. */
    def.shape = (cord_shape){.kind = CORD_SHAPE_CAPSULE, .radius = r, .length = l};
    i = info_of(&def);
    double volume = 0, about = 0, along = 0;
    enum { SLICES = 20000 };
    for (int k = 0; k < SLICES; k++) {
        double z = (l / 2 + r) * (2 * (k + 0.5) / SLICES - 1), beyond = fmax(fabs(z) - l / 2, 0);
        double r2 = r * r - beyond * beyond, slice = pi * r2 * (l + 2 * r) / SLICES;
        volume += slice;
        along += slice * r2 / 2, about += slice * (r2 / 4 + z * z);
    }
    assert_close(i.mass, density * volume, 1e-7 * i.mass);
    assert_all_close(i.principal_moments,
                     ((double[]){density * about, density * about, density * along}), 3,
                     1e-7 * i.mass);
    /* A prescribed mass instead of a density scales the inertia. */
    def.mass = 2;
    cord_body_info scaled = info_of(&def);
    assert_close(scaled.mass, 2, 1e-15);
    assert_close(scaled.principal_moments[2] / scaled.mass, i.principal_moments[2] / i.mass, 1e-14);
}

/* A box made of triangles, rotated and translated: the closed form's inertia, in rotated axes. */
static void meshes(void **unused)
{
    (void)unused;
    double turn[9], x[24];
    cord__rotation_exp(turn, (double[]){0.3, -0.8, 0.5});
    for (int i = 0; i < 8; i++) {
        double corner[3] = {0.1 * (scene_cube[3 * i] - 0.5), 0.2 * (scene_cube[3 * i + 1] - 0.5),
                            0.5 * (scene_cube[3 * i + 2] - 0.5)};
        m3_apply(x + 3 * i, turn, corner);
        v3_add(x + 3 * i, x + 3 * i, (double[]){3, -20, 7});
    }
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 8,
                             .triangle_count = 12,
                             .vertices = x,
                             .triangles = scene_cube_faces};
    cord_body_info i = info_of(&def);
    assert_close(i.mass, 10, 1e-12);
    assert_all_close(i.center, ((double[]){3, -20, 7}), 3, 1e-12);
    assert_all_close(i.principal_moments, ((double[]){0.5 / 12, 2.6 / 12, 2.9 / 12}), 3, 1e-12);
    /* The axes are the box's, z first. */
    for (int k = 0; k < 3; k++)
        assert_close(fabs(v3_dot(i.principal_axes + 3 * k, turn + 3 * (2 - k))), 1, 1e-12);
    assert_close(
        v3_dot(i.principal_axes + 6, ((double[]){i.principal_axes[1] * i.principal_axes[5] -
                                                     i.principal_axes[2] * i.principal_axes[4],
                                                 i.principal_axes[2] * i.principal_axes[3] -
                                                     i.principal_axes[0] * i.principal_axes[5],
                                                 i.principal_axes[0] * i.principal_axes[4] -
                                                     i.principal_axes[1] * i.principal_axes[3]})),
        1, 1e-12);
}

static void refused(cord_world *w, const cord_body_def *def, const char *word)
{
    cord_body body;
    assert_int_equal(cord_world_add_body(w, def, &body), CORD_ERROR_ARGUMENT);
    assert_int_equal(body.index, 0);
    if (!strstr(cord_world_get_error(w), word)) print_error("%s\n", cord_world_get_error(w));
    assert_non_null(strstr(cord_world_get_error(w), word));
}

static void wrong_meshes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = cord_body_def_default(), good;
    int faces[36];
    memcpy(faces, scene_cube_faces, sizeof faces);
    def.name = "cube";
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 8,
                             .triangle_count = 12,
                             .vertices = scene_cube,
                             .triangles = faces};
    good = def;
    scene_body(w, &def);
    faces[1] = 3, faces[2] = 2; /* one the wrong way round */
    refused(w, &def, "not closed");
    assert_non_null(strstr(cord_world_get_error(w), "cube"));
    faces[1] = 2, faces[2] = 3;
    for (int t = 0; t < 12; t++)
        faces[3 * t + 1] = scene_cube_faces[3 * t + 2],
                      faces[3 * t + 2] = scene_cube_faces[3 * t + 1];
    refused(w, &def, "inside out");
    memcpy(faces, scene_cube_faces, sizeof faces);
    def.shape.triangle_count = 11;
    refused(w, &def, "not closed");
    def = good, faces[5] = 8;
    refused(w, &def, "triangles that name them");
    faces[5] = -1;
    refused(w, &def, "triangles that name them");
    faces[5] = scene_cube_faces[5];
    def.shape.vertices = NULL;
    refused(w, &def, "vertices");
    def = good, def.shape.triangle_count = 3;
    refused(w, &def, "vertices");
    def = good, def.shape.vertex_count = INT32_MAX;
    refused(w, &def, "vertices");
    double far[24];
    memcpy(far, scene_cube, sizeof far);
    far[4] = NAN, def = good, def.shape.vertices = far;
    refused(w, &def, "finite");
    cord_world_destroy(w);
}

static void given_inertia(void **unused)
{
    (void)unused;
    cord_body_def def = cord_body_def_default();
    double turn[9], scaled[9], inverse[9];
    const double moments[3] = {1, 2, 2.5};
    cord__rotation_exp(turn, (double[]){1, 0.2, -0.4});
    for (int c = 0; c < 3; c++) v3_scale(scaled + 3 * c, moments[c], turn + 3 * c);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) inverse[3 * c + r] = turn[3 * r + c];
    def.mass = 3, v3_set(def.center, 0.1, 0.2, -0.3);
    m3_multiply(def.inertia, scaled, inverse);
    cord_body_info i = info_of(&def);
    assert_all_close(i.principal_moments, moments, 3, 1e-13);
    assert_all_close(i.center, def.center, 3, 0);
    for (int k = 0; k < 3; k++)
        assert_close(fabs(v3_dot(i.principal_axes + 3 * k, turn + 3 * k)), 1, 1e-12);
    /* The principal axes are internal: poses are read and written in the axes of the definition. */
    cord_world *w = scene_world(NULL);
    double place[3], frame[9];
    cord__rotation_exp(def.frame, (double[]){-0.3, 2, 0.7});
    v3_set(def.position, 5, 6, 7);
    cord_body body = scene_body(w, &def);
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    assert_all_close(place, def.position, 3, 1e-14);
    assert_all_close(frame, def.frame, 9, 1e-14);
    assert_fine(w, cord_body_set_pose(w, body, (double[]){1, 2, 3}, turn));
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    assert_all_close(place, ((double[]){1, 2, 3}), 3, 1e-14);
    assert_all_close(frame, turn, 9, 1e-14);
    assert_fine(w, cord_point_get_pose(w, scene_on(w, body, 0.5, -1, 2), place, frame));
    double expected[3];
    m3_apply(expected, turn, (double[]){0.5, -1, 2});
    v3_add(expected, expected, (double[]){1, 2, 3});
    assert_all_close(place, expected, 3, 1e-14);
    assert_all_close(frame, turn, 9, 1e-14);
    cord_world_destroy(w);
}

static void wrong_definitions(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = cord_body_def_default(), good = scene_box(1, 1, 1);
    refused(w, &def, "needs a mass and an inertia");
    def.mass = 1;
    refused(w, &def, "needs a mass and an inertia");
    memcpy(def.inertia, (double[9]){1, 0, 0, 0, 1, 0, 0, 0, 2.1}, sizeof def.inertia);
    refused(w, &def, "no body has this inertia");
    def.inertia[8] = 0;
    refused(w, &def, "no body has this inertia");
    def.inertia[8] = 1, def.inertia[1] = 0.1;
    refused(w, &def, "not symmetric");
    def.inertia[3] = NAN;
    refused(w, &def, "finite");
    def = good, def.inertia[0] = def.inertia[4] = def.inertia[8] = 1;
    refused(w, &def, "needs a mass");
    def = good, def.mass = 1, def.center[1] = 0.1;
    refused(w, &def, "centre needs an inertia");
    def = good, def.mass = -1;
    refused(w, &def, "not negative");
    def = good, def.density = 0;
    refused(w, &def, "density");
    def = good, def.shape.size[1] = 0;
    refused(w, &def, "sides");
    def = good, def.shape.kind = CORD_SHAPE_SPHERE;
    refused(w, &def, "radius");
    def.shape.kind = CORD_SHAPE_CYLINDER, def.shape.radius = 1;
    refused(w, &def, "length");
    def.shape.kind = CORD_SHAPE_CAPSULE;
    refused(w, &def, "length");
    def.shape.kind = (cord_shape_kind)77;
    refused(w, &def, "kind");
    def = good, def.position[2] = INFINITY;
    refused(w, &def, "finite");
    def = good, def.frame[0] = def.frame[3] = 1;
    refused(w, &def, "axes");
    def = good, def.angular_velocity[0] = NAN;
    refused(w, &def, "finite");
    def = good, def.drag = -1;
    refused(w, &def, "drag");
    def = good, def.angular_drag = NAN;
    refused(w, &def, "drag");
    cord_counters counters;
    assert_fine(w, cord_world_get_counters(w, &counters));
    assert_int_equal(counters.bodies, 0);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes),
        cmocka_unit_test(meshes),
        cmocka_unit_test(wrong_meshes),
        cmocka_unit_test(given_inertia),
        cmocka_unit_test(wrong_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
