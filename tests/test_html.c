#include "record/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char scene_text[] =
    "cordage: 1\n"
    "title: '</script> & \"quotes\"'\n"
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 5}}\n"
    "    material: nylon\n"
    "    section: {rectangle: {width: 4 mm, height: 2 mm}}\n"
    "  - name: ring\n"
    "    shape: {ring: {radius: 1, vertices: 12}}\n"
    "    section: {explicit: {mass: 1, bending: 1, twisting: 1, radius: 0.02}}\n"
    "points: [{name: hook, at: [0, 0, 1]}]\n"
    "clamps: [{name: wall, at: rope@end}]\n"
    "constraints:\n"
    "  - {name: hang, kind: coincide, first: rope@start, second: hook}\n"
    "  - {kind: plane, first: ring@start, direction: [0, 0, 2]}\n"
    "probes: [{name: tip, of: rope@end, measure: position}, {of: rope, measure: position}]\n";

typedef struct fixture {
    char directory[64], path[128];
    cord_scene *scene;
    cord_simulation *simulation;
    cord_world *world;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->directory, "/tmp/cordage-test-XXXXXX");
    assert_non_null(mkdtemp(f->directory));
    snprintf(f->path, sizeof f->path, "%s/scene.yaml", f->directory);
    FILE *file = fopen(f->path, "w");
    fputs(scene_text, file);
    fclose(file);
    assert_int_equal(cord_scene_read(f->path, NULL, &f->scene), CORD_OK);
    assert_int_equal(cord_simulation_create(f->scene, &f->simulation), CORD_OK);
    f->world = cord_simulation_get_world(f->simulation);
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    cord_simulation_destroy(f->simulation);
    cord_scene_free(f->scene);
    unlink(f->path);
    snprintf(f->path, sizeof f->path, "%s/index.html", f->directory);
    unlink(f->path);
    rmdir(f->directory);
    free(f);
    return 0;
}

static bool is_built_in(void)
{
    const char *const *name = cord_format_names();
    while (*name && strcmp(*name, "html") != 0) name++;
    return *name != NULL;
}

static char *read_page(const fixture *f)
{
    char path[128];
    snprintf(path, sizeof path, "%s/index.html", f->directory);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    char *text = calloc(1, 1 << 22);
    assert_true(fread(text, 1, (1 << 22) - 1, in) > 0);
    fclose(in);
    return text;
}

static int count(const char *text, const char *part)
{
    int n = 0;
    for (const char *at = text; (at = strstr(at, part)); at++) n++;
    return n;
}

static const char *const formats[] = {"html", NULL};

/* Values are checked by web/test/packing.test.mjs, which unpacks them. */
static void writes_a_page(void **state)
{
    if (!is_built_in()) skip();
    fixture *f = *state;
    cord_recorder *recorder;
    assert_int_equal(cord_recorder_open(f->simulation, f->directory, formats, &recorder), CORD_OK);
    for (int i = 0; i < 250; i++) assert_int_equal(cord_recorder_frame(recorder), CORD_OK);
    assert_int_equal(cord_recorder_close(recorder), CORD_OK);

    char *page = read_page(f);
    assert_memory_equal(page, "<!doctype html>", 15);
    const char *scene = strstr(page, "id=\"scene\">\n{\"format\":1");
    assert_non_null(scene);
    assert_non_null(
        strstr(scene, "\"title\":\"\\u003c/script\\u003e \\u0026 \\u0022quotes\\u0022\""));
    assert_non_null(strstr(scene, "\"section\":\"rectangle\""));
    assert_non_null(strstr(scene, "\"size\":[0.004,0.002]"));
    assert_non_null(
        strstr(scene, "\"name\":\"ring\",\"vertices\":12,\"edges\":12,\"closed\":true"));
    assert_non_null(strstr(scene, "\"kind\":\"clamp\",\"name\":\"wall\",\"point\":0"));
    assert_non_null(strstr(scene, "\"kind\":\"point\",\"name\":\"hook\",\"point\":1"));
    assert_non_null(
        strstr(scene, "\"kind\":\"coincide\",\"name\":\"hang\",\"first\":2,\"second\":3"));
    assert_non_null(strstr(scene, "\"first\":4,\"second\":-1,\"direction\":[0,0,1]"));
    assert_non_null(strstr(scene, "\"group\":\"tip\",\"name\":\"z\",\"unit\":\"m\""));
    assert_int_equal(count(scene, "class=\"frames\">"), 3); /* of at most 120 frames */
    size_t length = strlen(page);
    assert_string_equal(page + length - 16, "</body>\n</html>\n");
    free(page);
}

/* A run that is killed leaves the chunks that were complete. */
static void writes_as_it_goes(void **state)
{
    if (!is_built_in()) skip();
    fixture *f = *state;
    cord_recorder *recorder;
    assert_int_equal(cord_recorder_open(f->simulation, f->directory, formats, &recorder), CORD_OK);
    for (int i = 0; i < 130; i++) assert_int_equal(cord_recorder_frame(recorder), CORD_OK);
    char *page = read_page(f);
    assert_int_equal(count(strstr(page, "id=\"scene\""), "class=\"frames\">"), 1);
    free(page);
    assert_int_equal(cord_recorder_close(recorder), CORD_OK);
}

/* The message, and the strand and the constraint at which the step failed. */
static void shows_a_failure(void **state)
{
    if (!is_built_in()) skip();
    fixture *f = *state;
    cord_recorder *recorder;
    cord_constraint_def def = cord_constraint_def_default();
    cord_point_def point = cord_point_def_default();
    cord_constraint elsewhere, hang = cord_simulation_get_constraint(f->simulation, 0);
    cord_constraint_info info;
    assert_int_equal(cord_constraint_get_info(f->world, hang, &info), CORD_OK);
    point.position[0] = 3;
    def.first = info.first;
    assert_int_equal(cord_world_add_point(f->world, &point, &def.second), CORD_OK);
    assert_int_equal(cord_world_add_constraint(f->world, &def, &elsewhere), CORD_OK);
    assert_int_equal(cord_recorder_open(f->simulation, f->directory, formats, &recorder), CORD_OK);
    assert_int_not_equal(cord_world_step(f->world, 1e-3), CORD_OK);
    assert_int_equal(cord_recorder_failure(recorder, "the step failed: <rope>"), CORD_OK);
    assert_int_equal(cord_recorder_close(recorder), CORD_OK);
    char *page = read_page(f);
    const char *failure = strstr(page, "id=\"failure-data\">\n{\"message\":");
    assert_non_null(failure);
    assert_non_null(
        strstr(failure, "the step failed: \\u003crope\\u003e\",\"strand\":0,\"body\":-1"));
    assert_int_equal(count(strstr(page, "id=\"scene\""), "class=\"frames\">"), 1); /* frame 0 */
    free(page);
}

static void says_what_it_cannot_write(void **state)
{
    if (!is_built_in()) skip();
    fixture *f = *state;
    cord_recorder *recorder;
    char path[128];
    snprintf(path, sizeof path, "%s/index.html/index.html", f->directory);
    /* A folder where the page should be. */
    assert_int_equal(
        cord_recorder_open(f->simulation, path, (const char *const[]){NULL}, &recorder), CORD_OK);
    cord_recorder_close(recorder);
    assert_int_equal(cord_recorder_open(f->simulation, f->directory, formats, &recorder),
                     CORD_ERROR_FILE);
    assert_non_null(strstr(cord_recorder_get_error(recorder), "cannot write"));
    cord_recorder_close(recorder);
    rmdir(path);
    snprintf(path, sizeof path, "%s/index.html", f->directory);
    rmdir(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_a_page, set_up, tear_down),
        cmocka_unit_test_setup_teardown(writes_as_it_goes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shows_a_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(says_what_it_cannot_write, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
