/* Motion carried over from one world to another: exact where the definitions are the same, by name where they are not. */
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/simulation.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_text(void *user, const char *path, const void **bytes, size_t *size)
{
    (void)path;
    *bytes = user;
    *size = strlen(user);
    return true;
}

typedef struct built {
    cord_scene *scene;
    cord_simulation *sim;
    cord_world *world;
} built;

static built build(const char *text)
{
    built b = {0};
    cord_scene_def def = cord_scene_def_default();
    char *copy = strdup(text);
    def.path = "scene.yaml";
    def.files = (cord_file_source){read_text, copy};
    if (cord_scene_create(&def, &b.scene) != CORD_OK)
        fail_msg("%s", cord_scene_get_error(b.scene, 0));
    if (cord_simulation_create(b.scene, &b.sim) != CORD_OK)
        fail_msg("%s", cord_simulation_get_error(b.sim, 0));
    b.world = cord_simulation_get_world(b.sim);
    free(copy);
    return b;
}

static void release(built *b)
{
    cord_simulation_destroy(b->sim);
    cord_scene_free(b->scene);
}

static void step(const built *b, int count)
{
    double dt = cord_scene_get_info(b->scene).dt;
    for (int i = 0; i < count; i++) assert_fine(b->world, cord_simulation_step(b->sim, dt));
}

enum { MOST = 2000 };

static int positions(const built *b, int strand, double *x)
{
    cord_strand_info info;
    cord_strand handle = cord_simulation_get_strand(b->sim, strand);
    assert_fine(b->world, cord_strand_get_info(b->world, handle, &info));
    assert_true(3 * info.vertex_count <= MOST);
    assert_fine(b->world, cord_strand_get_positions(b->world, handle, x));
    return 3 * info.vertex_count;
}

static double kinetic(const built *b)
{
    cord_energy e;
    assert_fine(b->world, cord_world_get_energy(b->world, &e));
    return e.kinetic;
}

#define ROPE(name, model, more)                                                                    \
    "  - {name: " name ", model: " model                                                           \
    ", material: rubber, section: {circle: {radius: 5 mm}}, drag: 0.05, shape: {line: {from: [0, " \
    "0, 1], to: [1, 0, 1], vertices: 13}}" more "}\n"

/* The same scene: positions exactly, and the motion afterwards to the accuracy of a start. */
static void same_scene(const char *text, int strands)
{
    built a = build(text), b = build(text);
    double x[MOST], y[MOST];
    cord_carried sum;
    step(&a, 40);
    assert_fine(b.world, cord_world_carry_motion(b.world, a.world, &sum));
    assert_int_equal(sum.strands, strands);
    assert_close(cord_world_get_time(b.world), cord_world_get_time(a.world), 0);
    for (int i = 0; i < strands; i++) {
        int count = positions(&a, i, x);
        positions(&b, i, y);
        assert_all_close(y, x, count, 0);
    }
    step(&a, 10);
    step(&b, 10);
    for (int i = 0; i < strands; i++) {
        int count = positions(&a, i, x);
        positions(&b, i, y);
        assert_all_close(y, x, count, 2e-4);
    }
    release(&a);
    release(&b);
}

static void every_model(void **state)
{
    (void)state;
    static const char *const models[] = {"der", "segment", "helix", "clothoid", "spline"};
    for (int i = 0; i < 5; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "cordage: 1\nstrands:\n  - {name: rope, model: %s, material: rubber, section: "
                 "{circle: {radius: 5 mm}}, shape: {line: {from: [0, 0, 1], to: [1, 0, 1], "
                 "vertices: 13}}}\nclamps: [{at: rope@start}]\nrun: {dt: 2 ms}\n",
                 models[i]);
        same_scene(text, 1);
    }
}

static void other_order_and_more_objects(void **state)
{
    (void)state;
    built a =
        build("cordage: 1\nstrands:\n" ROPE("first", "der", "") ROPE("second", "clothoid", "")
                  ROPE("third", "der",
                       "") "clamps: [{at: first@start}, {at: second@start}, {at: third@start}]\n"
                           "run: {dt: 2 ms}\n");
    built b = build(
        "cordage: 1\nworld: {gravity: [0, 0, 3]}\nstrands:\n" ROPE("new", "der", "")
            ROPE("third", "spline", "") ROPE("second", "clothoid", "")
                ROPE("first", "der",
                     "") "clamps: [{at: first@start}, {at: second@start}]\nrun: {dt: 2 ms}\n");
    double x[MOST], y[MOST], drawn[MOST];
    cord_carried sum;
    positions(&a, 0, drawn);
    step(&a, 40);
    assert_fine(b.world, cord_world_carry_motion(b.world, a.world, &sum));
    assert_int_equal(sum.strands, 2); /* the third has another model */
    static const int pairs[2][2] = {{0, 3}, {1, 2}};
    for (int i = 0; i < 2; i++) {
        int count = positions(&a, pairs[i][0], x);
        positions(&b, pairs[i][1], y);
        assert_all_close(y, x, count, 0);
    }
    int count = positions(&b, 0, y); /* as drawn */
    assert_all_close(y, drawn, count, 0);
    /* Gravity is that of the new scene: its mean acceleration is upwards. */
    cord_momentum before, after;
    assert_fine(b.world, cord_world_get_momentum(b.world, &before));
    step(&b, 20);
    assert_fine(b.world, cord_world_get_momentum(b.world, &after));
    assert_true(after.linear[2] > before.linear[2]);
    release(&a);
    release(&b);
}

/* The rope is longer, shorter, or its clamp is elsewhere: the constraints are met without a kick. */
static void definitions_that_differ(void **state)
{
    (void)state;
    static const char *const ropes[] = {"1.05", "0.95", "1"};
    static const char *const clamps[] = {"[0, 0, 1]", "[0, 0, 1]", "[0, 0, 1.02]"};
    built a = build("cordage: 1\nstrands:\n" ROPE(
        "rope", "der", "") "points: [{name: nail, at: [0, 0, 1]}]\n"
                           "constraints: [{kind: coincide, first: rope@start, second: nail}]\n"
                           "run: {dt: 2 ms}\n");
    step(&a, 100);
    for (int i = 0; i < 3; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "cordage: 1\nstrands:\n  - {name: rope, material: rubber, section: {circle: "
                 "{radius: 5 mm}}, drag: 0.05, shape: {line: {from: [0, 0, 1], to: [%s, 0, 1], "
                 "vertices: 13}}}\npoints: [{name: nail, at: %s}]\nconstraints: [{kind: coincide, "
                 "first: rope@start, second: nail}]\nrun: {dt: 2 ms}\n",
                 ropes[i], clamps[i]);
        built b = build(text);
        cord_carried sum;
        assert_fine(b.world, cord_world_carry_motion(b.world, a.world, &sum));
        assert_int_equal(sum.strands, 1);
        step(&b, 1);
        assert_true(kinetic(&b) < 1.3 * kinetic(&a));
        assert_true(kinetic(&b) > 0.7 * kinetic(&a));
        release(&b);
    }
    release(&a);
}

static void breaks_are_repeated(void **state)
{
    (void)state;
    const char *text = "cordage: 1\nstrands:\n" ROPE("rope", "der", "") ROPE(
        "other", "helix", "") "clamps: [{at: rope@start}, {at: other@start}]\nrun: {dt: 2 ms}\n";
    built a = build(text), b = build(text);
    step(&a, 10);
    assert_fine(a.world, cord_strand_cut(a.world, cord_simulation_get_strand(a.sim, 0), 0.5));
    assert_fine(a.world, cord_strand_cut(a.world, cord_simulation_get_strand(a.sim, 1), 0.25));
    assert_fine(a.world, cord_strand_cut(a.world, cord_simulation_get_strand(a.sim, 0), 0.25));
    step(&a, 20);
    cord_carried sum;
    assert_fine(b.world, cord_world_carry_motion(b.world, a.world, &sum));
    assert_int_equal(sum.strands, 5);
    for (int i = 0; i < 2; i++)
        for (int k = -1; k < 2 - i; k++) {
            cord_strand from = cord_simulation_get_strand(a.sim, i),
                        to = cord_simulation_get_strand(b.sim, i);
            cord_break broken;
            double x[MOST], y[MOST];
            cord_strand_info info;
            if (k >= 0) {
                assert_fine(a.world, cord_strand_get_break(a.world, from, k, &broken));
                from = broken.fragment;
                assert_fine(b.world, cord_strand_get_break(b.world, to, k, &broken));
                to = broken.fragment;
            }
            assert_fine(a.world, cord_strand_get_info(a.world, from, &info));
            assert_fine(a.world, cord_strand_get_positions(a.world, from, x));
            assert_fine(b.world, cord_strand_get_positions(b.world, to, y));
            assert_all_close(y, x, 3 * info.vertex_count, 0);
        }
    step(&b, 5);
    release(&a);
    release(&b);
}

/* Scenes with hinges, gears, sliding pearls, controllers, cables on pulleys and releases: every probe of a position or a
 * coordinate has its value, and the motion goes on as it did. */
static void scenes_of_the_gallery(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "gallery/machines/gear-train.yaml", "gallery/machines/pendulum-on-a-cart.yaml",
        "gallery/machines/magnet.yaml",     "gallery/micado/mass-pearls.yaml",
        "gallery/cables/atwood.yaml",       "gallery/cables/line-shaft.yaml",
        "gallery/bodies/spinning-top.yaml", "gallery/der/breaking-rope.yaml"};
    for (int i = 0; i < 8; i++) {
        built a = {0}, b = {0};
        assert_int_equal(cord_scene_read(paths[i], NULL, &a.scene), CORD_OK);
        assert_int_equal(cord_simulation_create(a.scene, &a.sim), CORD_OK);
        assert_int_equal(cord_simulation_create(a.scene, &b.sim), CORD_OK);
        b.scene = a.scene;
        a.world = cord_simulation_get_world(a.sim), b.world = cord_simulation_get_world(b.sim);
        step(&a, 40);
        cord_carried sum;
        assert_fine(b.world, cord_world_carry_motion(b.world, a.world, &sum));
        cord_scene_info info = cord_scene_get_info(a.scene);
        assert_true(sum.strands >= info.strand_count && sum.bodies == info.body_count);
        for (int later = 0; later < 2; later++) {
            for (int k = 0; k < info.strand_count; k++) {
                double x[MOST], y[MOST];
                int count = positions(&a, k, x);
                positions(&b, k, y);
                assert_all_close(y, x, count, later ? 1e-3 : 1e-12);
            }
            for (int k = 0; k < info.body_count; k++) {
                double x[3], y[3];
                assert_fine(a.world, cord_body_get_pose(a.world, cord_simulation_get_body(a.sim, k),
                                                        x, NULL));
                assert_fine(b.world, cord_body_get_pose(b.world, cord_simulation_get_body(b.sim, k),
                                                        y, NULL));
                assert_all_close(y, x, 3, later ? 1e-3 : 0);
            }
            for (int k = 0; k < info.point_count; k++) {
                double x = 0, y = 0;
                cord_point_get_coordinate(a.world, cord_simulation_get_point(a.sim, k), &x, NULL);
                cord_point_get_coordinate(b.world, cord_simulation_get_point(b.sim, k), &y, NULL);
                assert_close(y, x, later ? 1e-3 : 0);
            }
            step(&a, 5);
            step(&b, 5);
        }
        cord_simulation_destroy(a.sim);
        cord_simulation_destroy(b.sim);
        cord_scene_free(a.scene);
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    cord_world *w = scene_world_under(integrations, 9.81);
    assert_int_equal(cord_world_carry_motion(NULL, w, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_carry_motion(w, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_carry_motion(w, w, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model),
        cmocka_unit_test(other_order_and_more_objects),
        cmocka_unit_test(definitions_that_differ),
        cmocka_unit_test(breaks_are_repeated),
        cmocka_unit_test(scenes_of_the_gallery),
        cmocka_unit_test(wrong_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
