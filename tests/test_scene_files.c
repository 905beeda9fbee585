/* Scenes whose files come from a function: no file system is read, and a scene reads only below its folder. */
#include "support/test.h"

#include <cordage/simulation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct stored_file {
    const char *path, *text;
} stored_file;

typedef struct store {
    const stored_file *files;
    int count, calls;
    char asked[1000];
} store;

static bool read_stored(void *user, const char *path, const void **bytes, size_t *size)
{
    store *s = user;
    s->calls++;
    strncat(s->asked, path, sizeof s->asked - strlen(s->asked) - 1);
    strncat(s->asked, " ", sizeof s->asked - strlen(s->asked) - 1);
    for (int i = 0; i < s->count; i++) {
        if (strcmp(s->files[i].path, path) != 0) continue;
        *bytes = s->files[i].text;
        *size = strlen(s->files[i].text);
        return true;
    }
    return false;
}

static cord_status read_scene(store *s, const char *path, const char *const *overrides,
                              cord_scene **scene)
{
    cord_scene_def def = cord_scene_def_default();
    def.path = path;
    def.overrides = overrides;
    def.files = (cord_file_source){read_stored, s};
    return cord_scene_create(&def, scene);
}

#define ROPE(shape)                                                                                \
    "cordage: 1\nstrands:\n  - {name: rope, shape: {" shape                                        \
    "}, material: nylon, section: {circle: {radius: 5 mm}}}\n"
#define STORE(files)                                                                               \
    {                                                                                              \
        files, sizeof(files) / sizeof(files)[0], 0, ""                                             \
    }

static void included_scenes_and_shapes(void **state)
{
    (void)state;
    static const stored_file files[] = {
        {"a/b/scene.yaml", "include: ../b/parts/rope.yaml\ntitle: from memory\n"},
        {"a/b/parts/rope.yaml", ROPE("csv: {file: ./../data/line.csv}")},
        {"a/b/data/line.csv", "0, 0, 1\n0.5, 0, 1\n1, 0, 1\n"},
    };
    store s = STORE(files);
    cord_scene *scene;
    cord_simulation *sim;
    assert_int_equal(read_scene(&s, "a/b/scene.yaml", NULL, &scene), CORD_OK);
    assert_string_equal(s.asked, "a/b/scene.yaml a/b/parts/rope.yaml a/b/data/line.csv ");
    assert_int_equal(cord_scene_get_file_count(scene), 3);
    for (int i = 0; i < 3; i++) assert_string_equal(cord_scene_get_file(scene, i), files[i].path);
    assert_null(cord_scene_get_file(scene, 3));
    assert_null(cord_scene_get_file(scene, -1));
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_OK);
    cord_strand_info info;
    assert_int_equal(cord_strand_get_info(cord_simulation_get_world(sim),
                                          cord_simulation_get_strand(sim, 0), &info),
                     CORD_OK);
    assert_true(info.length > 0.999 && info.length < 1.001);
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
}

/* The first error, and no file that was asked for outside the folder. */
static void refused(const stored_file *files, int count, const char *path, const char *const *sets,
                    const char *message)
{
    store s = {files, count, 0, ""};
    cord_scene *scene;
    assert_int_equal(read_scene(&s, path, sets, &scene), CORD_ERROR_INPUT);
    assert_true(cord_scene_get_error_count(scene) > 0);
    const char *error = cord_scene_get_error(scene, 0);
    if (!strstr(error, message)) fail_msg("\"%s\" is not in \"%s\"", message, error);
    assert_null(strstr(s.asked, "secret"));
    assert_null(strstr(s.asked, "/etc"));
    cord_scene_free(scene);
}

static void confined_to_the_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"../secret.csv", "/etc/passwd", "x/../../secret.csv",
                                        "./../x/../secret.csv"};
    for (int i = 0; i < 4; i++)
        for (int deep = 0; deep < 2; deep++) {
            char text[400];
            snprintf(text, sizeof text, ROPE("csv: {file: %s}"), names[i]);
            const char *path = deep ? "deep/er/scene.yaml" : "scene.yaml";
            const stored_file file = {path, text};
            refused(&file, 1, path, NULL, "outside the folder of the scene");
            char include[200];
            snprintf(include, sizeof include, "cordage: 1\ninclude: %s\n", names[i]);
            const stored_file other = {path, include};
            refused(&other, 1, path, NULL, "outside the folder of the scene");
        }
    /* A file of the machine that is not in the store; overrides have no wider access. */
    static const stored_file plain = {"scene.yaml",
                                      ROPE("line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 3}")};
    static const char *const sets[] = {"strands.rope.shape={csv: {file: /etc/passwd}}", NULL};
    refused(&plain, 1, "scene.yaml", sets, "outside the folder of the scene");
}

static void missing_files_and_circles(void **state)
{
    (void)state;
    static const stored_file missing = {"scene.yaml", ROPE("csv: {file: line.csv}")};
    refused(&missing, 1, "scene.yaml", NULL, "line.csv cannot be opened: there is no such file");
    refused(&missing, 1, "other.yaml", NULL, "other.yaml: cannot be opened");
    static const stored_file circle[] = {{"a.yaml", "cordage: 1\ninclude: x/../b.yaml\n"},
                                         {"b.yaml", "include: ./a.yaml\n"}};
    refused(circle, 2, "a.yaml", NULL, "files include each other in a circle");
}

/* The list of files of a scene that was read from disk. */
static void files_of_a_scene_on_disk(void **state)
{
    (void)state;
    assert_int_equal(cord_scene_get_file_count(NULL), 0);
    assert_null(cord_scene_get_file(NULL, 0));
    cord_scene *scene;
    char path[] = "/tmp/cordage-test-XXXXXX";
    FILE *out = fdopen(mkstemp(path), "w");
    fputs(ROPE("line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 3}"), out);
    fclose(out);
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_OK);
    assert_int_equal(cord_scene_get_file_count(scene), 1);
    assert_string_equal(cord_scene_get_file(scene, 0), path);
    cord_scene_free(scene);
    remove(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(included_scenes_and_shapes),
        cmocka_unit_test(confined_to_the_folder),
        cmocka_unit_test(missing_files_and_circles),
        cmocka_unit_test(files_of_a_scene_on_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
