/* The seeds of the fuzzer and its earlier findings: every file is read, and valid scenes are
 * built and queried. `make fuzz` continues from there. */
#include "scene/simulation_data.h"
#include "scene/shape_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static char *contents(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = malloc(1 << 20);
    assert_non_null(text);
    *size = fread(text, 1, 1 << 20, in);
    fclose(in);
    return text;
}

static void read_shape(file_format format, const char *text, size_t size)
{
    arena all;
    diagnostics errors = {.memory = &all};
    reader r = {.memory = &all, .errors = &errors};
    polyline line;
    cord__arena_init(&all, NULL);
    char *copy = cord__arena_text(&all, text, size);
    if (copy) cord__trace_text(&r, format, copy, &line);
    cord__arena_free(&all);
}

static bool read_scene(const char *text, size_t size)
{
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_status status = cord__scene_read_text(text, size, &scene);
    assert_non_null(scene);
    assert_true(status == CORD_OK || cord_scene_get_error_count(scene) > 0);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status == CORD_OK) assert_int_equal(cord_simulation_advise(simulation), CORD_OK);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    return status == CORD_OK;
}

static void everything_is_read(void **state)
{
    (void)state;
    const char *home = getenv("CORDAGE_HOME");
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/fuzz/corpus", home ? home : ".");
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0, good = 0;
    for (struct dirent *item; (item = readdir(dir));) {
        if (item->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        size_t size;
        char *text = contents(path, &size);
        files++;
        if (size && *text >= '0' && *text <= '2') {
            read_shape((file_format)(*text - '0'), text + 1, size - 1);
        } else if (read_scene(text, size)) {
            good++;
        }
        free(text);
    }
    closedir(dir);
    assert_true(files >= 15 && good >= 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(everything_is_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
