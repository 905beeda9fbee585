/* Material coordinates of vertices, and the point of a strand nearest to a position, for every model. */
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static bool read_text(void *user, const char *path, const void **bytes, size_t *size)
{
    (void)path;
    *bytes = user;
    *size = strlen(user);
    return true;
}

static cord_simulation *build(const char *text, cord_scene **scene)
{
    cord_scene_def def = cord_scene_def_default();
    char copy[4000];
    snprintf(copy, sizeof copy, "%s", text);
    def.path = "scene.yaml";
    def.files = (cord_file_source){read_text, copy};
    cord_simulation *sim = NULL;
    if (cord_scene_create(&def, scene) != CORD_OK) fail_msg("%s", cord_scene_get_error(*scene, 0));
    if (cord_simulation_create(*scene, &sim) != CORD_OK)
        fail_msg("%s", cord_simulation_get_error(sim, 0));
    return sim;
}

enum { MOST = 64 };

/* Points at the coordinates of the vertices are where the vertices are. */
static void check_strand(cord_simulation *sim, int i, double tolerance)
{
    cord_world *w = cord_simulation_get_world(sim);
    cord_strand strand = cord_simulation_get_strand(sim, i);
    cord_strand_info info;
    double x[3 * MOST], s[MOST];
    assert_fine(w, cord_strand_get_info(w, strand, &info));
    assert_true(info.vertex_count <= MOST);
    assert_fine(w, cord_strand_get_positions(w, strand, x));
    assert_fine(w, cord_strand_get_coordinates(w, strand, s));
    for (int k = 0; k < info.vertex_count; k++) {
        cord_point point;
        cord_point_def def = cord_point_def_default();
        double at[3], found, where[3], distance;
        if (k > 0) assert_true(s[k] > s[k - 1]);
        def.source = CORD_SOURCE_STRAND, def.strand = strand;
        def.s = fmin(fmax(s[k], 0), info.length);
        assert_fine(w, cord_world_add_point(w, &def, &point));
        assert_fine(w, cord_point_get_pose(w, point, at, NULL));
        assert_all_close(at, x + 3 * k, 3, tolerance);
        assert_fine(w, cord_strand_find_nearest(w, strand, x + 3 * k, &found, where, &distance));
        assert_close(found, s[k], 1e-9 * info.length);
        assert_close(distance, 0, 1e-12);
        assert_all_close(where, x + 3 * k, 3, 1e-12);
        assert_fine(w, cord_world_remove_point(w, point));
    }
}

static void every_model(void **state)
{
    (void)state;
    static const char *const models[] = {"der", "segment", "helix", "clothoid", "spline"};
    for (int m = 0; m < 5; m++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "cordage: 1\nstrands:\n  - {name: rope, model: %s, material: rubber, section: "
                 "{circle: {radius: 5 mm}},\n     shape: {arc: {radius: 1, angle: 1.5, vertices: "
                 "25}}}\nclamps: [{at: rope@start}]\nrun: {dt: 5 ms}\n",
                 models[m]);
        cord_scene *scene;
        cord_simulation *sim = build(text, &scene);
        for (int k = 0; k < 20; k++) assert_int_equal(cord_simulation_step(sim, 0.005), CORD_OK);
        check_strand(sim, 0, 1e-9);
        cord_simulation_destroy(sim);
        cord_scene_free(scene);
    }
}

static void closed_and_cables(void **state)
{
    (void)state;
    cord_scene *scene;
    cord_simulation *sim =
        build("cordage: 1\nworld: {gravity: [0, 0, 0]}\nstrands:\n"
              "  - {name: ring, material: rubber, section: {circle: {radius: 5 mm}}, shape: {ring: "
              "{radius: 1, vertices: 24}}}\n",
              &scene);
    check_strand(sim, 0, 1e-12);
    /* Between the last vertex and the first. */
    cord_world *w = cord_simulation_get_world(sim);
    cord_strand ring = cord_simulation_get_strand(sim, 0);
    double x[3 * 24], s, middle[3], where[3], distance;
    cord_strand_info info;
    assert_fine(w, cord_strand_get_info(w, ring, &info));
    assert_fine(w, cord_strand_get_positions(w, ring, x));
    for (int k = 0; k < 3; k++) middle[k] = 0.5 * (x[k] + x[3 * 23 + k]);
    middle[2] += 0.1;
    assert_fine(w, cord_strand_find_nearest(w, ring, middle, &s, where, &distance));
    assert_close(s, info.length * 23.5 / 24, 1e-9);
    assert_close(distance, 0.1, 1e-9);
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

static void wrong_arguments(void **state)
{
    (void)state;
    cord_world *w = scene_world_under(integrations, 9.81);
    const double ends[6] = {0, 0, 0, 1, 0, 0};
    cord_strand rope = scene_rope(w, NULL, "rope", 4, ends, ends + 3), none = {0, 0};
    double s[5], p[3] = {NAN, 0, 0};
    assert_int_equal(cord_strand_get_coordinates(w, none, s), CORD_ERROR_HANDLE);
    assert_int_equal(cord_strand_get_coordinates(w, rope, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_find_nearest(w, rope, p, s, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_find_nearest(w, rope, NULL, s, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_find_nearest(w, none, ends, s, NULL, NULL), CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model),
        cmocka_unit_test(closed_and_cables),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
