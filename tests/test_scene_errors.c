/* All errors of a scene in one reading, without errors that follow from others; files outside the folder of a scene;
 * warnings of arrays. */
#include "scene/simulation_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STRAND_KEYS(model, vertices, radius)                                                       \
    "model: " model ", material: rubber, section: {circle: {radius: " radius "}}, shape: {line: "  \
    "{from: [0, 0, 0], to: [1, 0, 0], vertices: " vertices "}}"
#define STRAND(name) "  - {name: " name ", " STRAND_KEYS("der", "5", "1 mm") "}\n"

/* Exactly these errors, each as the beginning of "line:column: message", or a part of it. */
static void expect_errors(const char *text, const char *const *messages)
{
    cord_scene *scene;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_ERROR_INPUT);
    int count = 0;
    for (; messages[count]; count++) {
        const char *got = cord_scene_get_error(scene, count);
        if (!got || !strstr(got, messages[count]))
            fail_msg("expected\n  %s\ngot\n  %s", messages[count], got ? got : "nothing");
    }
    if (cord_scene_get_error_count(scene) != count)
        fail_msg("not expected: %s", cord_scene_get_error(scene, count));
    cord_scene_free(scene);
}

/* ---- all in one reading ------------------------------------------------------------------- */

static void independent_mistakes_are_found_at_once(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\n"
        "let: {n: 4, m: $nope * 2}\n"
        "run: {until: 1 s, dt: 1 kg}\n"
        "strands:\n"
        "  - {name: thin, " STRAND_KEYS(
            "der", "5",
            "-1 mm") "}\n"
                     "  - {name: hair, colr: red, " STRAND_KEYS(
                         "der", "5",
                         "1 mm") "}\n"
                                 "  - {name: cord, " STRAND_KEYS(
                                     "dre", "5",
                                     "1 mm") "}\n"
                                             "  - {name: wire, " STRAND_KEYS(
                                                 "der", "$n *", "1 mm") "}\n" STRAND("good")
                                                 STRAND("good") "bodies:\n"
                                                                "  - {name: ball, shape: {sphere: "
                                                                "{radius: 1 cm}}, mass: $m}\n"
                                                                "  - {name: box, shape: {box: "
                                                                "{size: [1, 1, 1]}}, mass: 1 kg, "
                                                                "position: [3, 0, -1]}\n"
                                                                "pulleys: [{name: sheave, at: [4, "
                                                                "0, 0], radius: 0.2 m}]\n"
                                                                "cables: [{name: c, density: 1 "
                                                                "kg/m, route: [box, over sheaf, "
                                                                "good@start]}]\n"
                                                                "clamps: [{at: thin@start}, {at: "
                                                                "nothing@start}, {at: good@150%}]\n"
                                                                "joints: [{name: j, kind: revolut, "
                                                                "first: ball}]\n"
                                                                "points: [{name: p, at: "
                                                                "nowhere@end}]\n"
                                                                "constraints:\n"
                                                                "  - {kind: coincide, first: p, "
                                                                "second: good@end}\n"
                                                                "  - {kind: distance, first: box, "
                                                                "second: good@end, drive: [{t: 0, "
                                                                "value: [1, 2]}]}\n"
                                                                "probes: [{name: q, measure: "
                                                                "coordinate, of: j}, {name: r, "
                                                                "measure: wobble, of: good}]\n"
                                                                "expect: [{probe: r, value: 1, "
                                                                "tolerance: 1, because: x}, "
                                                                "{probe: s, value: "
                                                                "1, tolerance: 1, because: x}]\n";
    expect_errors(text, (const char *const[]){
                            ":2:16: m: expected a number, but there is no variable $nope",
                            ":3:23: dt: expected a time (s), got a mass (kg)",
                            "radius must be positive, got -1 mm",
                            ":6:18: strand has no key \"colr\"",
                            "model: \"dre\" is not one of",
                            "vertices: expected a number, but \"$n *\"",
                            "the name \"good\" is already taken",
                            "nothing is called \"sheaf\" (did you mean \"sheave\"?)",
                            "nothing is called \"nothing\"",
                            "\"good@150%\" is off the strand",
                            "kind: \"revolut\" is not one of",
                            "nothing is called \"nowhere\"",
                            "a drive of distance has 1 value per key, not 2",
                            "measure: \"wobble\" is not one of",
                            "no probe is called \"s\"",
                            NULL,
                        });
}

static void errors_of_building_are_found_at_once(void **state)
{
    (void)state;
    static const char text[] = "cordage: 1\nstrands:\n" STRAND(
        "rope") "bodies:\n"
                "  - {name: a, shape: {sphere: {radius: 1 cm}}, mass: 1 kg}\n"
                "  - {name: b, shape: {sphere: {radius: 1 cm}}, mass: 1 kg}\n"
                "constraints:\n"
                "  - {kind: distance, first: a, second: rope@end, drive: [{t: 0, value: [1, 2]}]}\n"
                "  - {kind: distance, first: b, second: rope@end, drive: [{t: 0, value: [1, "
                "2]}]}\n";
    cord_scene *scene;
    cord_simulation *sim;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_ERROR_INPUT);
    assert_int_equal(cord_simulation_get_error_count(sim), 2);
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

static void syntax_errors_of_all_sections_are_found(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\n"
        "run: {until: 1 s, dt: [1 ms}\n"
        "strands:\n"
        "  - {name: rope, " STRAND_KEYS("dre", "5",
                                        "1 mm") "}\n"
                                                "clamps:\n"
                                                "  - at: rope@start\n"
                                                "   - at: foo@start\n"
                                                "bodies:\n"
                                                "  - name: \"unfinished\n"
                                                "probes: [{measure: position, of: unfinished}]\n";
    expect_errors(text, (const char *const[]){":2:28: did not find expected ',' or ']'",
                                              ":4:25: model: \"dre\" is not one of",
                                              ":7:4: did not find expected '-'",
                                              ":10:1: found unexpected end of stream", NULL});
}

static void bad_characters_have_a_line(void **state)
{
    (void)state;
    static const char text[] = "cordage: 1\ntitle: abc\nabout: \"\xc3\xa9x\xff y\"\nstrands: 5\n";
    expect_errors(text, (const char *const[]){":3:11: invalid leading UTF-8 octet",
                                              ":4:10: strands: expected a list", NULL});
    expect_errors("a: \xff", (const char *const[]){":1:4: invalid leading UTF-8 octet", NULL});
}

/* ---- values beyond the range ---------------------------------------------------------------- */

static void absurd_values_are_refused(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\n"
        "run: {until: 0 s, dt: 4e-323 s}\n"
        "strands:\n"
        "  - {name: a, " STRAND_KEYS(
            "der", "5",
            "1e40") "}\n"
                    "bodies:\n"
                    "  - {name: b, shape: {sphere: {radius: 1}}, mass: 1 kg, angular_velocity: "
                    "[1e300, 0, 0]}\n"
                    "  - {name: c, shape: {sphere: {radius: 1e40}}, density: 1 kg/m^3}\n"
                    "  - {name: d, shape: {sphere: {radius: 1}}, mass: (-8)^0.5}\n";
    expect_errors(text, (const char *const[]){
                            "dt is 3.95253e-323 s; the shortest step is 1e-100 s",
                            "strand 'a': section mass is 2.92168e+83; it must be at most 1e50",
                            "angular_velocity is 1e+300, beyond the largest value, 1e+50",
                            "body 'c': its mass is 4.19e+120 kg", "\"(-8)^0.5\" has no real value",
                            NULL});
    expect_errors("cordage: 1\nrun: {until: 1 s, dt: 1e-13 s}\nstrands:\n" STRAND("rope"),
                  (const char *const[]){"1e-13 s are 1e+13 steps; the most is 1e12", NULL});
}

static void absurd_definitions_are_refused(void **state)
{
    (void)state;
    cord_world *world;
    assert_int_equal(cord_world_create(NULL, &world), CORD_OK);
    cord_body_def def = cord_body_def_default();
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 1;
    def.mass = 1;
    cord_body body;
    def.angular_velocity[0] = 1e300;
    assert_int_equal(cord_world_add_body(world, &def, &body), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(world), "at most 1e50"));
    def.angular_velocity[0] = 0;
    assert_int_equal(cord_world_add_body(world, &def, &body), CORD_OK);
    assert_int_equal(cord_world_step(world, 4e-323), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(world), "too short"));
    assert_int_equal(cord_world_step(world, 1), CORD_OK);
    assert_int_equal(cord_world_step(world, 1e-17), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(world), "advance the clock"));
    double far[6] = {0, 0, 0, 1e160, 0, 0};
    cord_strand_def strand = cord_strand_def_default();
    cord_strand handle;
    strand.model = "spline";
    strand.vertex_count = 2;
    strand.positions = far;
    strand.section.radius = 1e-3;
    assert_int_equal(cord_world_add_strand(world, &strand, &handle), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(world), "exceeds 1e50"));
    cord_world_destroy(world);
}

/* ---- overrides ---------------------------------------------------------------------------- */

static void overrides_change_what_there_is(void **state)
{
    (void)state;
    static const char text[] = "cordage: 1\nlet: {count: 5}\nstrands:\n" STRAND("rope");
    static const struct {
        const char *set, *message;
    } cases[] = {
        {"let.cuont=3", "the scene has no variable \"cuont\" (did you mean \"count\"?)"},
        {"strands.rpoe.drag=1", "nothing in the list is called \"rpoe\""},
        {"strands.rope.drga=1", "strand has no key \"drga\""},
        {"rnu.dt=1 ms", "scene has no key \"rnu\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cord_scene *scene;
        scene_source source = {.text = text, .size = strlen(text)};
        const char *const sets[] = {cases[i].set, NULL};
        assert_int_equal(cord__scene_read_source(&source, sets, &scene), CORD_ERROR_INPUT);
        assert_non_null(strstr(cord_scene_get_error(scene, 0), cases[i].message));
        cord_scene_free(scene);
    }
}

/* ---- files -------------------------------------------------------------------------------- */

typedef struct folders {
    char root[64], inner[80], *path[8];
    int count;
} folders;

static int make_folders(void **state)
{
    folders *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->root, "/tmp/cordage-test-XXXXXX");
    if (!mkdtemp(f->root)) return -1;
    snprintf(f->inner, sizeof f->inner, "%s/scene", f->root);
    return mkdir(f->inner, 0700);
}

static int remove_folders(void **state)
{
    folders *f = *state;
    for (int i = 0; i < f->count; i++) {
        unlink(f->path[i]);
        free(f->path[i]);
    }
    rmdir(f->inner);
    int status = rmdir(f->root);
    free(f);
    return status;
}

static const char *path_of(folders *f, const char *folder, const char *name)
{
    char *path = malloc(128);
    snprintf(path, 128, "%s/%s", folder, name);
    return f->path[f->count++] = path;
}

static const char *put(folders *f, const char *folder, const char *name, const char *text)
{
    const char *path = path_of(f, folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static void read_with(const char *path, bool outside, const char *message)
{
    cord_scene *scene;
    cord_scene_def def = cord_scene_def_default();
    def.path = path;
    def.allow_outside = outside;
    cord_status status = cord_scene_create(&def, &scene);
    if (!message && status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    if (message && (status == CORD_OK || !strstr(cord_scene_get_error(scene, 0), message)))
        fail_msg("expected %s, got %s", message, cord_scene_get_error(scene, 0));
    for (int i = 0; i < cord_scene_get_error_count(scene); i++)
        assert_null(strstr(cord_scene_get_error(scene, i), "secret"));
    cord_scene_free(scene);
}

static void files_stay_in_the_folder(void **state)
{
    folders *f = *state;
    char text[256];
    put(f, f->root, "part.yaml", "strands:\n" STRAND("rope"));
    put(f, f->root, "points.csv", "0,0,0\n1,0,0\nsecret\n");
    static const char *const up[] = {"cordage: 1\ninclude: ../part.yaml\n",
                                     "cordage: 1\ninclude: link.yaml\n"};
    assert_int_equal(symlink("../part.yaml", path_of(f, f->inner, "link.yaml")), 0);
    const char *path = put(f, f->inner, "a.yaml", "");
    snprintf(text, sizeof text, "cordage: 1\ninclude: %s/part.yaml\n", f->root);
    for (int i = 0; i < 3; i++) {
        FILE *out = fopen(path, "w");
        fputs(i < 2 ? up[i] : text, out);
        fclose(out);
        read_with(path, false, "is outside the folder of the scene");
        read_with(path, true, NULL);
    }
    static const char shape[] = "cordage: 1\nstrands:\n  - {name: a, model: der, material: nylon, "
                                "section: {circle: {radius: 1 mm}}, shape: {csv: {file: "
                                "../points.csv}}}\n";
    path = put(f, f->inner, "b.yaml", shape);
    read_with(path, false, "is outside the folder of the scene");
    read_with(path, true, "points.csv:3:1: expected the numbers x, y, z");
    /* A file that does not exist is refused in the same way. */
    path = put(f, f->inner, "c.yaml", "cordage: 1\ninclude: ../none.yaml\n");
    read_with(path, false, "is outside the folder of the scene");
}

static void other_files_are_not_shown(void **state)
{
    folders *f = *state;
    put(f, f->inner, "notes.txt", "secret: x\nsecret: *secret\n");
    read_with(put(f, f->inner, "a.yaml", "cordage: 1\ninclude: notes.txt\n"), false,
              "notes.txt: it is not a scene");
    read_with(f->path[0], false, "notes.txt: it is not a scene");
}

/* ---- warnings ----------------------------------------------------------------------------- */

static void copies_share_a_warning(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\nstrands:\n"
        "  - {name: hair, model: der, material: rubber, section: {circle: {radius: 1 mm}}, "
        "shape: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 0, 1]]}}, repeat: {count: 50}}\n"
        "  - {name: net, model: der, material: rubber, section: {circle: {radius: 1 mm}}, "
        "shape: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 0, 1]]}}, grid: {counts: [3, 4]}}\n"
        "bodies:\n  - {name: top, shape: {sphere: {radius: 1 cm}}, mass: 1 kg, repeat: {count: "
        "40}, "
        "angular_velocity: [0, 0, \"1000 + $i\"]}\n"
        "points:\n  - {name: hook, at: [0, 0, 0], repeat: {count: 30}}\n"
        "probes:\n  - {name: still, of: \"hook[$i]\", measure: position, repeat: {count: 30}}\n";
    cord_scene *scene;
    cord_simulation *sim;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_OK);
    assert_int_equal(cord_simulation_advise(sim), CORD_OK);
    assert_int_equal(cord_simulation_get_warning_count(sim), 4);
    assert_non_null(strstr(cord_simulation_get_warning(sim, 0),
                           ": hair[0..49]: the initial shape has a corner of 90 deg"));
    assert_non_null(strstr(cord_simulation_get_warning(sim, 1),
                           ": net[0][0]..[2][3]: the initial shape has a corner of 90 deg"));
    /* Quantities differ from copy to copy; the name is not always the first word. */
    assert_non_null(strstr(cord_simulation_get_warning(sim, 2), ": top[0..39] turns by"));
    assert_non_null(strstr(cord_simulation_get_warning(sim, 3), ": probe still[0..29] measures"));
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(independent_mistakes_are_found_at_once),
        cmocka_unit_test(errors_of_building_are_found_at_once),
        cmocka_unit_test(syntax_errors_of_all_sections_are_found),
        cmocka_unit_test(bad_characters_have_a_line),
        cmocka_unit_test(absurd_values_are_refused),
        cmocka_unit_test(absurd_definitions_are_refused),
        cmocka_unit_test(overrides_change_what_there_is),
        cmocka_unit_test_setup_teardown(files_stay_in_the_folder, make_folders, remove_folders),
        cmocka_unit_test_setup_teardown(other_files_are_not_shown, make_folders, remove_folders),
        cmocka_unit_test(copies_share_a_warning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
