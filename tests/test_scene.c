#include "scene/simulation_data.h"
#include "support/played.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads a text as a scene; its file is named `path`. */
static cord_status read_text(const char *text, const char *const *overrides, cord_scene **scene,
                             char *path)
{
    strcpy(path, "/tmp/cordage-test-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    cord_status status = cord_scene_read(path, overrides, scene);
    unlink(path);
    assert_non_null(*scene);
    return status;
}

#define ROD                                                                                        \
    "strands:\n"                                                                                   \
    "  - name: rope\n"                                                                             \
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 11}}\n"                          \
    "    material: nylon\n"                                                                        \
    "    section: {circle: {radius: 5 mm}}\n"

static void reads_a_scene(void **state)
{
    (void)state;
    cord_scene *scene;
    char path[64];
    cord_status status =
        read_text("cordage: 1\ntitle: T\nrun: {until: 500 ms, dt: 2 ms}\n" ROD
                  "clamps: [{name: wall, at: rope@start}]\n"
                  "probes: [{name: tip, of: rope@40%, measure: position}]\n"
                  "expect: [{probe: tip, component: z, at: 0.1 s, below: 1 m, because: it hangs},\n"
                  "         {probe: tip, component: y, below: 1 m, regression: run 7}]\n",
                  NULL, &scene, path);
    if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    cord_scene_info info = cord_scene_get_info(scene);
    assert_string_equal(info.title, "T");
    assert_true(info.until == 0.5 && info.dt == 0.002 && !info.equilibrium_first);
    assert_int_equal(info.strand_count, 1);
    assert_string_equal(cord_scene_get_strand_name(scene, 0), "rope");
    assert_string_equal(cord_scene_get_clamp_name(scene, 0), "wall");
    assert_null(cord_scene_get_strand_name(scene, 1));
    cord_simulation *simulation;
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    cord_expectation e = cord_simulation_get_expectation(simulation, 0);
    assert_true(e.time == 0.1 && e.below == 1 && isnan(e.above) && !e.passed);
    assert_string_equal(e.because, "it hangs");
    assert_null(e.regression);
    e = cord_simulation_get_expectation(simulation, 1);
    assert_string_equal(e.regression, "run 7");
    assert_null(e.because);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

static void overrides_apply(void **state)
{
    (void)state;
    static const char *const sets[] = {"run.dt=5 ms", "strands.rope.shape.line.vertices=3",
                                       "strands.0.name=cord", "world.gravity=[0, 0, 0]", NULL};
    cord_scene *scene;
    char path[64];
    cord_status status = read_text("cordage: 1\n" ROD, sets, &scene, path);
    if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    assert_true(cord_scene_get_info(scene).dt == 0.005);
    assert_string_equal(cord_scene_get_strand_name(scene, 0), "cord");
    cord_scene_free(scene);

    static const char *const wrong[] = {"strands.thread.drag=1", NULL};
    assert_int_equal(read_text("cordage: 1\n" ROD, wrong, &scene, path), CORD_ERROR_INPUT);
    assert_string_equal(cord_scene_get_error(scene, 0),
                        "--set strands.thread.drag=1: nothing in the list is called \"thread\"; "
                        "it has 1 item, counted from 0");
    cord_scene_free(scene);
}

static void steps_of_chains(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cord_scheme scheme;
    } schemes[] = {{"semi-implicit", CORD_SEMI_IMPLICIT},
                   {"semi-implicit-velocity", CORD_SEMI_IMPLICIT_VELOCITY}};
    cord_scene *scene;
    char path[64], text[512];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, "cordage: 1\nworld: {scheme: %s, adaptive: 2.5}\n" ROD,
                 schemes[i].name);
        assert_int_equal(read_text(text, NULL, &scene, path), CORD_OK);
        assert_int_equal(scene->data.world->scheme, schemes[i].scheme);
        assert_true(scene->data.world->velocity_change == 2.5);
        cord_scene_free(scene);
    }
    assert_int_equal(read_text("cordage: 1\n" ROD, NULL, &scene, path), CORD_OK);
    assert_true(scene->data.world->velocity_change == 0);
    cord_scene_free(scene);
    assert_true(cord_world_def_default().max_velocity_change == 0);
}

/* Exactly these errors, each beginning with file:line:column. */
static void expect_errors(const char *text, const char *const *messages)
{
    cord_scene *scene;
    char path[64];
    assert_int_equal(read_text(text, NULL, &scene, path), CORD_ERROR_INPUT);
    int count = 0;
    for (; messages[count]; count++) {
        char whole[512];
        snprintf(whole, sizeof whole, "%s:%s", path, messages[count]);
        const char *got = cord_scene_get_error(scene, count);
        if (!got || strncmp(got, whole, strlen(whole)) != 0) {
            fail_msg("expected\n  %s\ngot\n  %s", whole, got ? got : "nothing");
        }
    }
    if (cord_scene_get_error_count(scene) != count)
        fail_msg("%s", cord_scene_get_error(scene, count));
    cord_scene_free(scene);
}

static void reports_all_at_once(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "2:1: scene has no key \"titel\" (did you mean \"title\"?)",
        "3:11: dt must be positive, got 0 s",
        "3:23: until: expected a time (s), got a length (m): \"2 mm\"",
        "3:29: run has no key \"frame\" (did you mean \"frames\"?)",
        "6:12: model: \"dre\" is not one of",
        "8:25: density must be positive, got 0",
        "8:47: poisson must be above -1 and at most 0.5, got 10",
        "9:32: radius must be positive, got -5 mm",
        NULL,
    };
    static const char *const steps[] = {
        "2:17: scheme: \"semi-implcit\" is not one of tr-bdf2, backward-euler, linearised, "
        "semi-implicit, semi-implicit-velocity (did you mean \"semi-implicit\"?)",
        "2:41: adaptive must not be negative, got -1",
        NULL,
    };
    expect_errors("cordage: 1\nworld: {scheme: semi-implcit, adaptive: -1}\n" ROD, steps);
    expect_errors("cordage: 1\ntitel: x\nrun: {dt: 0 s, until: 2 mm, frame: 3}\nstrands:\n"
                  "  - name: rope\n    model: dre\n"
                  "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 11}}\n"
                  "    material: {density: 0, young: 1, poisson: 10}\n"
                  "    section: {circle: {radius: -5 mm}}\n",
                  messages);
}

static void reports_names(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "7:15: nothing is called \"rpoe\" (did you mean \"rope\"?)",
        "8:14: \"rope@120%\" is off the strand, which is 1 m long",
        "9:29: the world has no force to measure",
        NULL,
    };
    expect_errors("cordage: 1\n" ROD "clamps: [{at: rpoe@start}]\n"
                  "loads: [{at: rope@120%}]\n"
                  "probes: [{name: a, measure: force}]\n",
                  messages);
}

static void reports_wrong_kinds(void **state)
{
    (void)state;
    expect_errors("cordage: 1\n" ROD "points: {name: a}\n",
                  (const char *const[]){"7:9: points: expected a list", NULL});
    expect_errors("cordage: 2\n" ROD,
                  (const char *const[]){"1:10: this is format version 2", NULL});
    expect_errors("cordage: 1\n",
                  (const char *const[]){"1:1: a scene needs strands, cables or bodies", NULL});
    expect_errors("cordage: 1\n" ROD "constraints: [{kind: glue, first: rope@end}]\n",
                  (const char *const[]){"7:22: kind: \"glue\" is not one of", NULL});
    expect_errors("cordage: 1\n" ROD
                  "clamps:\n  - at: rope@end\n    motion: [{t: 1, by: [0, 0, 0]},"
                  " {t: 1, by: [0, 0, 0]}]\n",
                  (const char *const[]){"9:37: keys must come in the order", NULL});
}

static void constraints_have_units(void **state)
{
    (void)state;
    expect_errors(
        "cordage: 1\n" ROD "constraints:\n"
        "  - {kind: plane, first: rope@end, compliance: 1 rad/J, drive: [{t: 0, value: 1 s}]}\n"
        "  - {kind: align, first: rope@end, compliance: 1 m/N, drive: [{t: 0, value: [1, 2 "
        "deg, 1 m]}]}\n",
        (const char *const[]){"8:48: compliance: expected a compliance (m/N), got",
                              "8:79: value: expected a length (m), got a time (s)",
                              "9:48: compliance: expected a rotational compliance",
                              "9:88: value: expected an angle (rad), got a length", NULL});
}

static void missing_values_do_not_pass(void **state)
{
    (void)state;
    expect_errors("cordage: 1\n" ROD "probes: [{name: e, measure: energy}]\n"
                  "expect: [{probe: e, component: total}]\n",
                  (const char *const[]){"8:10: expect needs either", NULL});
    expect_errors(
        "cordage: 1\n" ROD "probes: [{name: e, measure: energy}]\n"
        "expect: [{probe: e, component: totl, value: 1 m, tolerance: 0, because: it is a test}]\n",
        (const char *const[]){"8:32: energy has no component \"totl\" (did you mean",
                              "8:45: value: expected an energy", NULL});
}

static void expectations_have_one_reason(void **state)
{
    (void)state;
    expect_errors("cordage: 1\n" ROD "probes: [{name: e, measure: energy}]\n"
                  "expect:\n"
                  "  - {probe: e, component: total, below: 1 J}\n"
                  "  - {probe: e, component: total, below: 1 J, because: a, regression: b}\n",
                  (const char *const[]){"9:5: expect needs \"because\"",
                                        "10:5: expect has both \"because\" and \"regression\"",
                                        NULL});
}

/* Ten edges of 0.1 m, twisted by 0.9 rad in all: 0.1 rad at each of nine vertices. */
static void measures_at_a_place(void **state)
{
    (void)state;
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    char path[64];
    cord_status status = read_text("cordage: 1\n" ROD "    initial_twist: 0.9 rad\n"
                                   "    curvature: sine\n"
                                   "probes:\n"
                                   "  - {of: rope@42%, measure: twist}\n"
                                   "  - {of: rope@0.95 m, measure: twist}\n"
                                   "  - {of: rope@42%, measure: angle}\n"
                                   "  - {of: rope@42%, measure: curvature}\n"
                                   "  - {of: rope@42%, measure: position}\n",
                                   NULL, &scene, path);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status != CORD_OK) fail_msg("%s", played_error(scene, simulation));
    double value[3];
    assert_int_equal(cord_simulation_sample(simulation, 0, value), CORD_OK);
    assert_float_equal(value[0], 1, 1e-12);
    assert_int_equal(cord_simulation_sample(simulation, 1, value), CORD_OK);
    assert_float_equal(value[0], 0.5, 1e-12); /* half-way to the free end, which has none */
    assert_int_equal(cord_simulation_sample(simulation, 2, value), CORD_OK);
    assert_float_equal(value[0], 0.4, 1e-12); /* of the fifth edge */
    assert_int_equal(cord_simulation_sample(simulation, 3, value), CORD_OK);
    assert_float_equal(value[0], 0, 1e-12);
    assert_int_equal(cord_simulation_sample(simulation, 4, value), CORD_OK);
    assert_float_equal(value[0], 0.42, 1e-12);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    expect_errors("cordage: 1\n" ROD "points: [{name: hook, at: [0, 0, 0]}]\n"
                  "probes: [{of: hook, measure: twist}]\n",
                  (const char *const[]){"8:30: a point has no twist to measure", NULL});
    expect_errors("cordage: 1\n" ROD "    curvature: cosine\n",
                  (const char *const[]){
                      "7:16: curvature: \"cosine\" is not one of corrected, tangent, sine", NULL});
}

/* A rope falls through a keyhole; a named point that does not slide keeps its initial position. */
static void points_slide(void **state)
{
    (void)state;
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_world *world;
    char path[64];
    cord_status status =
        read_text("cordage: 1\n"
                  "strands:\n"
                  "  - name: rope\n"
                  "    shape: {line: {from: [0, 0, 1], to: [0, 0, 0], vertices: 11}}\n"
                  "    material: nylon\n"
                  "    section: {circle: {radius: 5 mm}}\n"
                  "points:\n"
                  "  - {name: hole, at: rope@45%, sliding: yes, end: release}\n"
                  "  - {name: mark, at: rope@0.3 m}\n"
                  "constraints:\n"
                  "  - {kind: coincide, first: hole, second: [0, 0, 0.55]}\n"
                  "  - {kind: slide, first: mark, second: hole, side: at-most, length: 0.1}\n"
                  "probes:\n"
                  "  - {of: hole, measure: coordinate}\n"
                  "  - {of: mark, measure: coordinate}\n",
                  NULL, &scene, path);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    world = cord_simulation_get_world(simulation);
    if (status != CORD_OK) fail_msg("%s", played_error(scene, simulation));
    double s;
    for (int i = 0; i < 100; i++) assert_int_equal(cord_world_step(world, 1e-3), CORD_OK);
    assert_int_equal(cord_simulation_sample(simulation, 0, &s), CORD_OK);
    assert_float_equal(s, 0.45 - 0.5 * 9.81 * 0.01, 1e-6);
    assert_int_equal(cord_simulation_sample(simulation, 1, &s), CORD_OK);
    assert_float_equal(s, 0.3, 1e-12);
    for (int i = 0; i < 200; i++) assert_int_equal(cord_world_step(world, 1e-3), CORD_OK);
    assert_int_equal(cord_simulation_sample(simulation, 0, &s), CORD_OK);
    assert_float_equal(s, 0.2, 1e-6); /* 0.3 m is at most 0.1 m ahead */
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);

    expect_errors(
        "cordage: 1\n" ROD "points: [{name: p, at: [0, 0, 0], sliding: yes}]\n",
        (const char *const[]){"7:35: sliding: only points on strands and paths slide", NULL});
    expect_errors("cordage: 1\n" ROD "points: [{name: p, at: rope@end, friction: 1 N s/m}]\n",
                  (const char *const[]){"7:34: friction: is for points with sliding: yes", NULL});
    expect_errors("cordage: 1\n" ROD "points: [{name: p, at: rope}]\n",
                  (const char *const[]){
                      "7:24: a point is [x, y, z], on a strand or path (rope@start, rope@40% or "
                      "rope@0.12 m), or on a body: {body: bob}",
                      NULL});
    expect_errors("cordage: 1\n" ROD
                  "points: [{name: p, at: rope@end, motion: [{t: 1 s, by: [0, 0, 1 m]}]}]\n",
                  (const char *const[]){
                      "7:34: motion: only points in the world have a prescribed motion", NULL});
    expect_errors("cordage: 1\n" ROD "points: [{name: p, at: string@end}]\n",
                  (const char *const[]){"7:24: nothing is called \"string\"", NULL});
}

static void colours_are_names_or_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int rgb;
    } good[] = {
        {"", -1}, {"    colour: green\n", 0x4a9c5d}, {"    colour: \"#12AB0f\"\n", 0x12ab0f}};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char text[1024], path[64];
        cord_scene *scene;
        snprintf(text, sizeof text, "cordage: 1\n" ROD "%s", good[i].text);
        cord_status status = read_text(text, NULL, &scene, path);
        if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
        assert_int_equal(cord_scene_get_strand_colour(scene, 0), good[i].rgb);
        assert_int_equal(cord_scene_get_strand_colour(scene, 1), -1);
        cord_scene_free(scene);
    }
    expect_errors(
        "cordage: 1\n" ROD "    colour: gren\n",
        (const char *const[]){"7:13: colour: expected a colour, as in green or \"#4a9c5d\" "
                              "(did you mean green?)",
                              NULL});
    expect_errors("cordage: 1\n" ROD "    colour: \"#12345\"\n",
                  (const char *const[]){"7:13: colour: expected a colour", NULL});
    expect_errors("cordage: 1\n" ROD "    colour: [1, 0, 0]\n",
                  (const char *const[]){"7:13: colour: expected a colour", NULL});
}

static void limits_the_count(void **state)
{
    (void)state;
    char text[8192] = "cordage: 1\n" ROD;
    for (int i = 0; i < 200; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "zzzzz%d: 1\n", i);
    }
    cord_scene *scene;
    char path[64];
    assert_int_equal(read_text(text, NULL, &scene, path), CORD_ERROR_INPUT);
    assert_int_equal(cord_scene_get_error_count(scene), 50);
    cord_scene_free(scene);
}

static int read_directory(const char *directory)
{
    int count = 0;
    DIR *dir = opendir(directory);
    assert_non_null(dir);
    for (struct dirent *item; (item = readdir(dir));) {
        if (!strstr(item->d_name, ".yaml")) continue;
        char path[2048];
        snprintf(path, sizeof path, "%s/%s", directory, item->d_name);
        cord_scene *scene;
        cord_simulation *simulation = NULL;
        cord_status status = cord_scene_read(path, NULL, &scene);
        if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
        if (status != CORD_OK) fail_msg("%s", played_error(scene, simulation));
        cord_scene_info info = cord_scene_get_info(scene);
        assert_non_null(info.title);
        assert_non_null(info.about);
        assert_true(info.expectation_count > 0);
        cord_simulation_destroy(simulation);
        cord_scene_free(scene);
        count++;
    }
    closedir(dir);
    return count;
}

static void gallery_reads(void **state)
{
    (void)state;
    const char *home = getenv("CORDAGE_HOME");
    char path[1024];
    snprintf(path, sizeof path, "%s/gallery/der", home ? home : ".");
    assert_true(read_directory(path) >= 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_scene),
        cmocka_unit_test(overrides_apply),
        cmocka_unit_test(steps_of_chains),
        cmocka_unit_test(reports_all_at_once),
        cmocka_unit_test(reports_names),
        cmocka_unit_test(reports_wrong_kinds),
        cmocka_unit_test(missing_values_do_not_pass),
        cmocka_unit_test(expectations_have_one_reason),
        cmocka_unit_test(measures_at_a_place),
        cmocka_unit_test(points_slide),
        cmocka_unit_test(colours_are_names_or_numbers),
        cmocka_unit_test(limits_the_count),
        cmocka_unit_test(constraints_have_units),
        cmocka_unit_test(gallery_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
