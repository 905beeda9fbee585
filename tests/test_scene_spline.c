/* Splines in scenes: the objects that their keys define, positions by arc length of the spline,
 * and refusals. */
#include "scene/simulation_data.h"
#include "support/test.h"

#include <cordage/cordage.h>
#include <stdio.h>
#include <string.h>

#define HEAD "cordage: 1\nstrands:\n  - name: vine\n    material: nylon\n"
#define REST "    section: {circle: {radius: 1 mm}}\n"
#define ARC "    shape: {arc: {radius: 0.3 m, angle: 200 deg, vertices: 9}}\n"

static cord_scene *read_scene(const char *keys, const char *more)
{
    char text[1024];
    cord_scene *scene;
    snprintf(text, sizeof text, HEAD REST "%s%s", keys, more);
    if (cord__scene_read_text(text, strlen(text), &scene) != CORD_OK)
        fail_msg("%s\n%s", keys, cord_scene_get_error(scene, 0));
    return scene;
}

static void keys_of_splines(void **unused)
{
    (void)unused;
    cord_scene *scene = read_scene("    model: spline\n" ARC, "");
    cord_strand_def def = cord__strand_def(ITEM(scene->data.strands, strand_data, 0));
    assert_string_equal(def.model, CORD_MODEL_SPLINE);
    assert_int_equal(def.control_point_count, 0);
    assert_int_equal(def.spline_ends, CORD_SPLINE_CLAMPED);
    cord_scene_free(scene);
    scene = read_scene("    model: spline\n    control_points: 7\n    ends: free\n" ARC, "");
    def = cord__strand_def(ITEM(scene->data.strands, strand_data, 0));
    assert_int_equal(def.control_point_count, 7);
    assert_int_equal(def.spline_ends, CORD_SPLINE_FREE);
    cord_scene_free(scene);
}

/* A ring of a straight rod, with two turns of twist. */
static void rings(void **unused)
{
    cord_simulation *simulation = NULL;
    cord_world *world;
    cord_strand_info info;
    cord_energy e;
    (void)unused;
    cord_scene *scene = read_scene("    model: spline\n    closing_twist: 2 turn\n    natural: "
                                   "{line: {from: [0, 0, 0], to: [1.873 m, 0, 0], vertices: 17}}\n"
                                   "    shape: {ring: {radius: 0.3 m, vertices: 16}}\n",
                                   "");
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    world = cord_simulation_get_world(simulation);
    cord_strand ring = cord_simulation_get_strand(simulation, 0);
    assert_int_equal(cord_strand_get_info(world, ring, &info), CORD_OK);
    assert_true(info.closed && info.edge_count == 16);
    assert_int_equal(cord_strand_get_energy(world, ring, &e), CORD_OK);
    double twist = 4 * 3.14159265358979323846;
    assert_close(e.twisting, 0.5 * info.twisting * twist * twist / info.length, 1e-9 * e.twisting);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

/* The spline is longer than the polyline, and vine@end is its end all the same. */
static void ends_are_ends(void **unused)
{
    double x[27], held[3];
    cord_simulation *simulation = NULL;
    cord_world *world;
    (void)unused;
    cord_scene *scene = read_scene("    model: spline\n" ARC, "clamps:\n  - {at: vine@end}\n");
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    world = cord_simulation_get_world(simulation);
    cord_strand vine = cord_simulation_get_strand(simulation, 0);
    cord_strand_info info;
    assert_int_equal(cord_strand_get_info(world, vine, &info), CORD_OK);
    assert_close(info.length, 0.3 * 200 * 3.14159265358979 / 180, 1e-4);
    assert_true(info.length > 1.005 * ITEM(scene->data.strands, strand_data, 0)->length);
    assert_int_equal(cord_strand_get_positions(world, vine, x), CORD_OK);
    cord_clamp_handles clamp = cord_simulation_get_clamp(simulation, 0);
    assert_int_equal(cord_point_get_pose(world, clamp.point, held, NULL), CORD_OK);
    assert_all_close(held, x + 24, 3, 1e-12);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

static void refused(const char *keys, const char *message)
{
    char text[1024];
    cord_scene *scene;
    snprintf(text, sizeof text, HEAD REST ARC "%s", keys);
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_ERROR_INPUT);
    if (!strstr(cord_scene_get_error(scene, 0), message))
        fail_msg("%s\nexpected %s\ngot %s", keys, message, cord_scene_get_error(scene, 0));
    cord_scene_free(scene);
}

static void keys_that_do_not_go_together(void **unused)
{
    (void)unused;
    refused("    control_points: 8\n", "control_points is for splines");
    refused("    model: helix\n    ends: free\n", "ends is for splines");
    refused("    model: spline\n    elements: 3\n", "elements is for chains");
    refused("    model: spline\n    curvature: sine\n", "curvature chooses");
    refused("    model: spline\n    ends: loose\n", "loose");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_splines),
        cmocka_unit_test(rings),
        cmocka_unit_test(ends_are_ends),
        cmocka_unit_test(keys_that_do_not_go_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
