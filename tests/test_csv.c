#include <cordage/cordage.h>
#include <cordage/record.h>

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
    "strands:\n"
    "  - name: rope\n"
    "    shape: {line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 3}}\n"
    "    material: nylon\n"
    "    section: {circle: {radius: 5 mm}}\n"
    "probes: [{name: tip, of: rope@end, measure: position}, {of: rope, measure: position}]\n";

static void expect_lines(const char *directory, const char *name, const char *header, int lines)
{
    char path[256], text[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    size_t size = fread(text, 1, sizeof text - 1, in);
    text[size] = 0;
    fclose(in);
    unlink(path);
    assert_memory_equal(text, header, strlen(header));
    int count = 0;
    for (size_t i = 0; i < size; i++) count += text[i] == '\n';
    assert_int_equal(count, lines);
}

static void records(void **state)
{
    (void)state;
    char directory[] = "/tmp/cordage-test-XXXXXX", path[256], out[256];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/scene.yaml", directory);
    snprintf(out, sizeof out, "%s/a/b", directory);
    FILE *file = fopen(path, "w");
    fputs(scene_text, file);
    fclose(file);

    cord_scene *scene;
    cord_simulation *simulation;
    cord_recorder *recorder;
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    static const char *const wrong[] = {"stone", NULL};
    assert_int_equal(cord_recorder_open(simulation, out, wrong, &recorder),
                     CORD_ERROR_UNKNOWN_NAME);
    assert_string_equal(cord_recorder_get_error(recorder), "there is no output format stone");
    cord_recorder_close(recorder);

    static const char *const formats[] = {"csv", NULL};
    assert_int_equal(cord_recorder_open(simulation, out, formats, &recorder), CORD_OK);
    assert_int_equal(cord_recorder_frame(recorder), CORD_OK);
    assert_int_equal(cord_recorder_frame(recorder), CORD_OK);
    assert_int_equal(cord_recorder_close(recorder), CORD_OK);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);

    expect_lines(out, "tip.csv", "time [s],x [m],y [m],z [m]\n0,", 3);
    expect_lines(out, "rope-position.csv", "time [s],x_0 [m],y_0 [m],z_0 [m],x_1 [m]", 3);
    expect_lines(out, "frames.csv",
                 "time [s],strand,vertex,x [m],y [m],z [m]\n0,\"rope\",0,0,0,1\n", 7);
    unlink(path);
    rmdir(out);
    snprintf(out, sizeof out, "%s/a", directory);
    rmdir(out);
    rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(records)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
