/* Scenes of several files, variables, arrays, shapes from files. */
#include "scene/simulation_data.h"

#include <math.h>
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

#define PI 3.14159265358979323846

typedef struct folder {
    char path[64];
    int count;
    char *files[16];
} folder;

static int set_up(void **state)
{
    folder *f = calloc(1, sizeof *f);
    strcpy(f->path, "/tmp/cordage-test-XXXXXX");
    *state = f;
    return mkdtemp(f->path) ? 0 : -1;
}

static int tear_down(void **state)
{
    folder *f = *state;
    for (int i = 0; i < f->count; i++) {
        unlink(f->files[i]);
        free(f->files[i]);
    }
    rmdir(f->path);
    free(f);
    return 0;
}

static const char *put(folder *f, const char *name, const char *text)
{
    char *path = malloc(96);
    snprintf(path, 96, "%s/%s", f->path, name);
    f->files[f->count++] = path;
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
    return path;
}

static cord_scene *must_read(const char *path, const char *const *overrides)
{
    cord_scene *scene;
    if (cord_scene_read(path, overrides, &scene) != CORD_OK) {
        fail_msg("%s", cord_scene_get_error(scene, 0));
    }
    return scene;
}

/* Exactly these errors, each as "name:line:column: message" for a file of the folder. */
static void expect_errors(folder *f, const char *path, const char *const *messages)
{
    cord_scene *scene;
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_ERROR_INPUT);
    int count = 0;
    for (; messages[count]; count++) {
        char whole[1024];
        snprintf(whole, sizeof whole, "%s/%s", f->path, messages[count]);
        const char *got = cord_scene_get_error(scene, count);
        if (!got || strncmp(got, whole, strlen(whole)) != 0) {
            fail_msg("expected\n  %s\ngot\n  %s", whole, got ? got : "nothing");
        }
    }
    if (cord_scene_get_error_count(scene) != count)
        fail_msg("%s", cord_scene_get_error(scene, count));
    cord_scene_free(scene);
}

#define STRAND(name, shape)                                                                        \
    "  - {name: " name ", shape: {" shape "}, material: nylon, section: {circle: {radius: 5 mm}}"
#define LINE(n) "line: {from: [0, 0, 0], to: [1, 0, 0], vertices: " n "}"

static const strand_data *strand(const cord_scene *scene, int i)
{
    return ITEM(scene->data.strands, strand_data, i);
}

/* ---- variables ---------------------------------------------------------------------------- */

static void variables_reach_everything(void **state)
{
    folder *f = *state;
    const char *path = put(f, "a.yaml",
                           "cordage: 1\nlet: {n: $half * 2, half: 5, r: 2 mm}\nstrands:\n"
                           "  - name: rope\n    shape: {line: {from: [0, 0, 0], to: [$n * 2 cm, 0, "
                           "0], vertices: $n + 1}}\n"
                           "    material: nylon\n    section: {circle: {radius: ($r + 1 mm) / 2}}\n"
                           "clamps: [{at: rope@$half * 10 %}]\n");
    cord_scene *scene = must_read(path, NULL);
    assert_int_equal(strand(scene, 0)->line.count, 11);
    assert_true(fabs(strand(scene, 0)->length - 0.2) < 1e-15);
    assert_true(ITEM(scene->data.clamps, clamp_data, 0)->where.along == 0.5);
    cord_scene_free(scene);
    scene = must_read(path, (const char *const[]){"let.half=10", NULL});
    assert_int_equal(strand(scene, 0)->line.count, 21);
    cord_scene_free(scene);
}

static void variables_can_be_wrong(void **state)
{
    folder *f = *state;
    const char *path = put(f, "a.yaml",
                           "cordage: 1\nlet: {a: $b, b: $a, c d: 1, e: [1]}\nstrands:\n" STRAND(
                               "rope", LINE("$m")) "}\n");
    expect_errors(f, path,
                  (const char *const[]){"a.yaml:2:10: a: expected a number, but $a is defined by",
                                        "a.yaml:2:21: \"c d\" cannot be a variable",
                                        "a.yaml:2:32: e: expected a number, got a list",
                                        "a.yaml:4:75: vertices: expected a number, but there is",
                                        NULL});
}

/* ---- arrays ------------------------------------------------------------------------------- */

static void arrays_repeat(void **state)
{
    folder *f = *state;
    cord_scene *scene = must_read(
        put(f, "a.yaml",
            "cordage: 1\nlet: {n: 4}\nstrands:\n" STRAND(
                "hair",
                LINE(
                    "$i + 3")) ", repeat: {count: $n, offset: [0, 1 cm, 0]}}\n"
                               "points: [{name: p, at: [0, 0, $i * 1 m], repeat: {count: 2, "
                               "offset: [1, 0, 0]}}]\n"
                               "clamps: [{at: \"hair[$i]@start\", repeat: {count: $n}}]\n"
                               "constraints: [{name: tie, kind: distance, first: \"hair[$i]@end\", "
                               "second: "
                               "\"hair[$i + 1]@end\", repeat: {count: $n - 1}}]\n"
                               "probes: [{name: tip, of: \"hair[$i]@end\", measure: position, "
                               "repeat: {count: $n}},\n"
                               "  {of: \"tie[0]\", measure: force}]\n"
                               "expect: [{probe: \"tip[$n - 1]\", component: z, below: 1 m, "
                               "because: it hangs}]\n"),
        NULL);
    assert_int_equal(scene->data.strands.count, 4);
    assert_string_equal(strand(scene, 3)->name, "hair[3]");
    assert_int_equal(strand(scene, 3)->line.count, 6);
    assert_true(fabs(strand(scene, 3)->line.x[1] - 0.03) < 1e-15);
    assert_string_equal(cord_scene_get_point_name(scene, 1), "p[1]");
    const point_data *p = ITEM(scene->data.points, point_data, 1);
    assert_true(p->where.x[0] == 1 && p->where.x[2] == 1);
    assert_int_equal(scene->data.constraints.count, 3);
    cord_simulation *simulation = NULL;
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    assert_string_equal(cord_scene_get_probe(scene, 3).name, "tip[3]");
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

static void grids_repeat(void **state)
{
    folder *f = *state;
    cord_scene *scene = must_read(
        put(f, "a.yaml",
            "cordage: 1\nstrands:\n" STRAND(
                "hair",
                LINE("3")) ", offset: [0, 0, $j], grid: {counts: [2, 3], offsets: [[1, 0, 0], [0, "
                           "2, 0]]}}\n"
                           "clamps: [{at: \"hair[$i][$j]@start\", grid: {counts: [2, 3]}}]\n"),
        NULL);
    assert_int_equal(scene->data.strands.count, 6);
    assert_int_equal(scene->data.clamps.count, 6);
    const strand_data *last = strand(scene, 5);
    assert_string_equal(last->name, "hair[1][2]");
    assert_true(last->line.x[0] == 1 && last->line.x[1] == 4 && last->line.x[2] == 2);
    cord_scene_free(scene);
}

static void arrays_can_be_wrong(void **state)
{
    folder *f = *state;
    const char *path = put(
        f, "a.yaml",
        "cordage: 1\nstrands:\n" STRAND(
            "hair", LINE("3")) ", repeat: {count: 3}, "
                               "grid: {counts: "
                               "[2]}}\n" STRAND("b", LINE("3")) ", repeat: {count: 0}}\n" STRAND(
                                   "c", LINE("3")) ", grid: "
                                                   "{counts: "
                                                   "[1.5]}}\n"
                                                   "clamps: "
                                                   "[{at: "
                                                   "\"hair[$i]@"
                                                   "start\", "
                                                   "repeat: "
                                                   "{count: 3, "
                                                   "offset: [1, "
                                                   "0, 0]}}]\n");
    expect_errors(f, path,
                  (const char *const[]){"a.yaml:3:158: either repeat or grid, not both",
                                        "a.yaml:4:145: count must be between 1 and 1000000, got 0",
                                        "a.yaml:5:135: counts: expected whole numbers",
                                        "a.yaml:6:41: a clamp has no position to be offset", NULL});
    path =
        put(f, "b.yaml",
            "cordage: 1\nstrands:\n" STRAND(
                "hair", LINE("3")) ", repeat: {count: 3}}\n"
                                   "clamps: [{at: \"hair[3]@start\"}, {at: \"hair[0.5]@end\"}]\n");
    expect_errors(f, path,
                  (const char *const[]){"b.yaml:4:15: nothing is called \"hair[3]\"",
                                        "b.yaml:4:38: \"hair[0.5]@end\": [0.5] is not a whole",
                                        NULL});
    path = put(
        f, "c.yaml",
        "cordage: 1\nstrands:\n" STRAND("hair", LINE("3")) ", repeat: {count: 3}}\n"
                                                           "clamps: [{at: \"hair[3]@start\"}]\n");
    expect_errors(f, path,
                  (const char *const[]){"c.yaml:4:15: nothing is called \"hair[3]\"", NULL});
}

static void arrays_are_bounded(void **state)
{
    folder *f = *state;
    const char *path =
        put(f, "a.yaml",
            "cordage: 1\nstrands:\n" STRAND(
                "hair", LINE("3")) ", grid: {counts: [1000000, 1000000, 1000000]}}\n");
    expect_errors(f, path,
                  (const char *const[]){"a.yaml:3:132: the scene becomes too large", NULL});
    path = put(f, "b.yaml",
               "cordage: 1\nstrands:\n" STRAND("hair", LINE("1000000")) ", repeat: {count: 5}}\n");
    expect_errors(f, path,
                  (const char *const[]){"b.yaml:3:25: the shapes of the scene have more", NULL});
}

/* ---- includes ----------------------------------------------------------------------------- */

static void includes_merge(void **state)
{
    folder *f = *state;
    put(f, "base.yaml",
        "cordage: 1\nlet: {n: 3, m: 2}\nworld: {gravity: [0, 0, -1], integrator: midpoint}\n"
        "strands:\n" STRAND("a", LINE("$n")) "}\n");
    put(f, "more.yaml", "include: base.yaml\nstrands:\n" STRAND("b", LINE("$n")) "}\n");
    cord_scene *scene =
        must_read(put(f, "a.yaml",
                      "cordage: 1\ninclude: [base.yaml, more.yaml]\nlet: {n: 7}\n"
                      "world: {gravity: [0, 0, -2]}\nstrands:\n" STRAND("c", LINE("$m")) "}\n"),
                  NULL);
    assert_int_equal(scene->data.strands.count, 3); /* base.yaml is taken once */
    assert_string_equal(strand(scene, 0)->name, "a");
    assert_string_equal(strand(scene, 2)->name, "c");
    assert_int_equal(strand(scene, 1)->line.count, 7);
    assert_true(scene->data.world->gravity[2] == -2);
    assert_int_equal(scene->data.world->integrator, CORD_MIDPOINT);
    cord_scene_free(scene);
}

/* Objects of the same name are changed key by key, and ~ removes a key. */
static void includes_change(void **state)
{
    folder *f = *state;
    put(f, "base.yaml",
        "cordage: 1\nstrands:\n" STRAND("a", LINE("3")) ", drag: 2, damping: 1 s}\n" STRAND(
            "b", LINE("4")) ", drag: 2}\n");
    cord_scene *scene = must_read(
        put(f, "a.yaml",
            "cordage: 1\ninclude: base.yaml\nstrands:\n"
            "  - {name: a, drag: 3, damping: ~, twist: ~}\n" STRAND("c", LINE("5")) "}\n"),
        NULL);
    assert_int_equal(scene->data.strands.count, 3);
    assert_string_equal(strand(scene, 0)->name, "a");
    assert_true(strand(scene, 0)->drag == 3 && strand(scene, 0)->damping == 0);
    assert_int_equal(strand(scene, 0)->line.count, 3);
    assert_true(strand(scene, 1)->drag == 2);
    assert_int_equal(strand(scene, 2)->line.count, 5);
    cord_scene_free(scene);
}

static void includes_can_be_wrong(void **state)
{
    folder *f = *state;
    const char *path = put(f, "a.yaml", "cordage: 1\ninclude: [b.yaml]\n");
    put(f, "b.yaml", "include: a.yaml\n");
    char expected[512];
    snprintf(expected, sizeof expected,
             "b.yaml:1:10: files include each other in a circle: %s/a.yaml > %s/b.yaml > %s/a.yaml",
             f->path, f->path, f->path);
    expect_errors(f, path, (const char *const[]){expected, NULL});

    path = put(f, "c.yaml", "cordage: 1\ninclude: [d.yaml, none.yaml]\nstrands: []\n");
    put(f, "d.yaml", "runn: {}\nstrands:\n" STRAND("a", LINE("x")) "}\n");
    snprintf(expected, sizeof expected, "c.yaml:2:19: %s/none.yaml cannot be opened", f->path);
    expect_errors(f, path,
                  (const char *const[]){expected, "d.yaml:1:1: scene has no key \"runn\"", NULL});

    path = put(f, "e.yaml", "cordage: 1\ninclude: [d.yaml]\n");
    expect_errors(f, path,
                  (const char *const[]){"d.yaml:1:1: scene has no key \"runn\"",
                                        "d.yaml:3:72: vertices: expected a number, but \"x\"",
                                        NULL});
}

static void includes_are_bounded(void **state)
{
    folder *f = *state;
    const char *first = NULL;
    for (int i = 0; i < 2; i++) {
        char name[16], text[64];
        snprintf(name, sizeof name, "%d.yaml", i);
        snprintf(text, sizeof text, "include: [%d.yaml]\n", i + 1);
        const char *path = put(f, name, text);
        if (i == 0) first = path;
    }
    char last[96];
    for (int i = 2; i < 20; i++) { /* links to one file are one file: write them all */
        char text[64];
        snprintf(last, sizeof last, "%s/%d.yaml", f->path, i);
        snprintf(text, sizeof text, "include: [%d.yaml]\n", i + 1);
        FILE *out = fopen(last, "w");
        assert_non_null(out);
        fputs(text, out);
        fclose(out);
    }
    cord_scene *scene;
    assert_int_equal(cord_scene_read(first, NULL, &scene), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord_scene_get_error(scene, 0), "includes go too deep"));
    cord_scene_free(scene);
    for (int i = 2; i < 20; i++) {
        snprintf(last, sizeof last, "%s/%d.yaml", f->path, i);
        unlink(last);
    }
}

/* ---- shapes ------------------------------------------------------------------------------- */

static cord_scene *with_shape(folder *f, const char *shape)
{
    char text[1024], name[16];
    snprintf(text, sizeof text,
             "cordage: 1\nstrands:\n  - {name: a, shape: {%s}, material: nylon, section: {circle: "
             "{radius: 1 mm}}}\n",
             shape);
    snprintf(name, sizeof name, "s%d.yaml", f->count);
    return must_read(put(f, name, text), NULL);
}

static void even_edges(const polyline *line, double tolerance)
{
    double mean = cord__polyline_length(line) / cord__edge_count(line);
    for (int i = 0; i < cord__edge_count(line); i++) {
        double e = cord__edge_length(line, i) / mean - 1;
        if (fabs(e) > tolerance) fail_msg("edge %d is off by %g", i, e);
    }
}

static void knots(void **state)
{
    cord_scene *scene =
        with_shape(*state, "torus_knot: {p: 2, q: 3, radius: 2 m, tube: 0.5 m, vertices: 300}");
    const polyline *line = &strand(scene, 0)->line;
    assert_true(line->closed && line->count == 300);
    even_edges(line, 1e-3);
    for (int i = 0; i < line->count; i++) { /* on the torus */
        const double *x = line->x + 3 * (size_t)i;
        double out = hypot(x[0], x[1]) - 2;
        assert_true(fabs(hypot(out, x[2]) - 0.5) < 1e-12);
    }
    cord_scene_free(scene);
    scene = with_shape(*state, "figure_eight: {width: 2 m, lift: 2 cm, vertices: 200}");
    line = &strand(scene, 0)->line;
    even_edges(line, 1e-3);
    /* The lemniscate of half-width 1 is 5.2441 long. */
    assert_true(fabs(cord__polyline_length(line) - 5.2441) < 2e-3);
    cord_scene_free(scene);
    scene = with_shape(*state, "figure_eight_knot: {radius: 3 m, vertices: 400}");
    even_edges(&strand(scene, 0)->line, 5e-3);
    cord_scene_free(scene);
}

static void splines(void **state)
{
    cord_scene *scene = with_shape(*state, "spline: {points: [[0, 0, 0], [1, 0, 0], [3, 0, 0]], "
                                           "vertices: 13}");
    const polyline *line = &strand(scene, 0)->line;
    even_edges(line, 1e-3);
    assert_true(fabs(line->x[3 * 4] - 1) < 1e-3 && line->x[3 * 12] == 3);
    cord_scene_free(scene);
    /* Through the points of a circle: nearly the circle. */
    scene = with_shape(*state, "spline: {points: [[1, 0, 0], [0.70711, 0.70711, 0], [0, 1, 0], "
                               "[-0.70711, 0.70711, 0], [-1, 0, 0], [-0.70711, -0.70711, 0], "
                               "[0, -1, 0], [0.70711, -0.70711, 0]], closed: yes, vertices: 64}");
    line = &strand(scene, 0)->line;
    assert_true(line->closed);
    for (int i = 0; i < 64; i++) {
        assert_true(fabs(hypot(line->x[3 * i], line->x[3 * i + 1]) - 1) < 0.01);
    }
    cord_scene_free(scene);
}

static void tables_of_points(void **state)
{
    folder *f = *state;
    put(f, "p.csv", "x,y,z\n0,0,0\n1000;0 0\r\n1000, 1e3,0\n\n");
    cord_scene *scene = with_shape(f, "csv: {file: p.csv, scale: 1 mm, translation: [0, 0, 2]}");
    const polyline *line = &strand(scene, 0)->line;
    assert_int_equal(line->count, 3);
    assert_true(line->x[6] == 1 && line->x[7] == 1 && line->x[8] == 2);
    cord_scene_free(scene);
    put(f, "p.obj",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 5 5 5\nv 6 6 6\nl 1 2\nl 2/1 3/1\nl 3 1\nl -2 -1\n");
    scene = with_shape(f, "obj: {file: p.obj}");
    line = &strand(scene, 0)->line;
    assert_true(line->closed && line->count == 3);
    cord_scene_free(scene);
    scene = with_shape(f, "obj: {file: p.obj, line: 2, vertices: 5}");
    line = &strand(scene, 0)->line;
    assert_true(!line->closed && line->count == 5 && line->x[0] == 5);
    cord_scene_free(scene);
}

static void drawings(void **state)
{
    folder *f = *state;
    put(f, "p.svg",
        "<svg><path id='a' d='M10 10h20v10l-5 5'/>\n<path style=\"x\" id=\"b\"\n d=\"M 1 0 A 1 1 0 "
        "0 0 -1 0 a1 1 0 1 0 2 0 z\"/></svg>");
    cord_scene *scene = with_shape(f, "svg: {file: p.svg, scale: 1 mm, vertices: 11}");
    const polyline *line = &strand(scene, 0)->line;
    double length = (20 + 10 + sqrt(50)) * 1e-3;
    assert_true(fabs(line->x[0] - 0.01) < 1e-15 && fabs(line->x[2] + 0.01) < 1e-15);
    assert_true(cord__polyline_length(line) < length &&
                cord__polyline_length(line) > 0.95 * length);
    cord_scene_free(scene);
    scene = with_shape(f, "svg: {file: p.svg, id: b, up: [0, 1, 0], vertices: 100}");
    line = &strand(scene, 0)->line;
    assert_true(line->closed);
    even_edges(line, 1e-3);
    for (int i = 0; i < 100; i++) {
        assert_true(fabs(hypot(line->x[3 * i], line->x[3 * i + 1]) - 1) < 1e-3);
    }
    assert_true(fabs(cord__polyline_length(line) - 2 * PI) < 0.01);
    cord_scene_free(scene);
}

static void files_can_be_wrong(void **state)
{
    folder *f = *state;
    put(f, "p.csv", "0,0,0\n1,x,0\n");
    const char *path =
        put(f, "a.yaml", "cordage: 1\nstrands:\n" STRAND("a", "csv: {file: p.csv}") "}\n");
    expect_errors(
        f, path, (const char *const[]){"p.csv:2:1: expected the numbers x, y, z of a point", NULL});
    put(f, "q.svg", "<svg><path d='M 0 0 L 1 1 M 2 2 L 3 3'/></svg>");
    path = put(f, "b.yaml",
               "cordage: 1\nstrands:\n" STRAND("a", "svg: {file: q.svg, vertices: 4}") "}\n");
    expect_errors(
        f, path, (const char *const[]){"q.svg: the path has several parts; a strand is one", NULL});
    path = put(f, "c.yaml", "cordage: 1\nstrands:\n" STRAND("a", "csv: {file: no.csv}") "}\n");
    char expected[128];
    snprintf(expected, sizeof expected, "c.yaml:3:35: %s/no.csv cannot be opened", f->path);
    expect_errors(f, path, (const char *const[]){expected, NULL});
}

static void memory_names_no_files(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\ninclude: a.yaml\nstrands:\n" STRAND("a", "csv: {file: p.csv}") "}\n";
    cord_scene *scene;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_ERROR_INPUT);
    assert_int_equal(cord_scene_get_error_count(scene), 2);
    cord_scene_free(scene);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(variables_reach_everything),
        IN_FOLDER(variables_can_be_wrong),
        IN_FOLDER(arrays_repeat),
        IN_FOLDER(grids_repeat),
        IN_FOLDER(arrays_can_be_wrong),
        IN_FOLDER(arrays_are_bounded),
        IN_FOLDER(includes_merge),
        IN_FOLDER(includes_change),
        IN_FOLDER(includes_can_be_wrong),
        IN_FOLDER(includes_are_bounded),
        IN_FOLDER(knots),
        IN_FOLDER(splines),
        IN_FOLDER(tables_of_points),
        IN_FOLDER(drawings),
        IN_FOLDER(files_can_be_wrong),
        IN_FOLDER(memory_names_no_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
