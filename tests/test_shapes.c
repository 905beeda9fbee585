#include "scene/shapes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct fixture {
    arena memory;
    diagnostics errors;
    reader read;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    cord__arena_init(&f->memory, NULL);
    f->errors.memory = &f->memory;
    f->read = (reader){.memory = &f->memory, .errors = &f->errors};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    cord__arena_free(&f->memory);
    free(f);
    return 0;
}

/* "line: {...}" to a polyline. */
static bool trace(fixture *f, const char *text, polyline *line)
{
    typedef struct holder {
        const node *at;
        variant shape;
    } holder;
    static const field fields[] = {{"shape", FIELD_VARIANT, offsetof(holder, shape), true, NULL,
                                    NULL, LIMIT_NONE, &cord__shapes, "a shape"}};
    static const mapping map = {"test", "", sizeof(holder), fields, 1, NULL};
    char *whole = cord__arena_print(&f->memory, "shape: {%s}", text);
    node *root = cord__yaml_parse(&f->memory, &f->errors, "s", whole, strlen(whole), 1);
    holder h = {0};
    return root && cord__read_mapping(&f->read, &map, root, &h) &&
           cord__trace_shape(&f->read, &h.shape, line);
}

static polyline must(fixture *f, const char *text)
{
    polyline line = {0};
    if (!trace(f, text, &line)) fail_msg("%s: %s", text, f->errors.list[0].text);
    return line;
}

static void assert_near(double a, double b)
{
    if (fabs(a - b) > 1e-12 * (1 + fabs(b))) fail_msg("%.17g is not %.17g", a, b);
}

static void assert_vertex(const polyline *line, int i, double x, double y, double z)
{
    assert_near(line->x[3 * i], x);
    assert_near(line->x[3 * i + 1], y);
    assert_near(line->x[3 * i + 2], z);
}

static void simple_shapes(void **state)
{
    polyline line = must(*state, "line: {from: [0, 0, 1], to: [1, 0, 1], vertices: 5}");
    assert_int_equal(line.count, 5);
    assert_vertex(&line, 1, 0.25, 0, 1);

    line = must(*state, "arc: {radius: 2, angle: 90 deg, vertices: 3}");
    assert_vertex(&line, 0, 2, 0, 0);
    assert_vertex(&line, 2, 0, 2, 0);

    line = must(*state, "ring: {radius: 1, normal: [0, 0, 2], vertices: 4}");
    assert_true(line.closed);
    assert_vertex(&line, 3, 0, -1, 0);
    assert_near(cord__polyline_length(&line), 4 * sqrt(2));

    line = must(*state, "helix: {radius: 1, pitch: 4, turns: 1, hand: left, vertices: 5}");
    assert_vertex(&line, 1, 0, -1, 1);

    line = must(*state, "v: {corner: [0, 0, 1], leg: 1, angle: 90 deg, vertices: 5}");
    assert_vertex(&line, 0, 1, 0, 1);
    assert_vertex(&line, 2, 0, 0, 1);
    assert_vertex(&line, 4, 0, 1, 1);

    line = must(*state, "polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], vertices: 5}");
    assert_vertex(&line, 3, 1, 0.5, 0);
}

/* Constant curvature about the second director: a circle towards the first. Growing from zero as 2s
 * it is Euler's spiral, with the Fresnel integrals ∫cos s² and ∫sin s². */
static void clothoids(void **state)
{
    polyline line = must(*state, "clothoid: {length: pi, from: [0, 1, 0], vertices: 9}");
    assert_int_equal(line.count, 9);
    assert_true(fabs(line.x[3 * 8]) < 1e-13 && fabs(line.x[3 * 8 + 1] - 2) < 1e-13);
    line = must(*state, "clothoid: {start: [0, 0, 1], tangent: [0, 0, 2], director: [1, 0, 1], "
                        "length: 1, from: [0, 0, 0], to: [0, 2, 0], vertices: 3}");
    assert_true(fabs(line.x[6] - 0.310268301723381) < 1e-13 && fabs(line.x[7]) < 1e-15);
    assert_true(fabs(line.x[8] - 1.904524237900272) < 1e-13);
    line = must(*state, "clothoid: {length: 1, from: [0, 3, 4 rad/m], vertices: 31, "
                        "refine: {from: 50%, factor: 2}}");
    assert_true(cord__edge_length(&line, 0) > 1.9 * cord__edge_length(&line, 29));
}

static void refinement_is_exact(void **state)
{
    polyline line = must(*state, "line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 31, "
                                 "refine: {from: 50%, factor: 2}}");
    /* 30 edges, the fine half has 20 of them. */
    assert_near(cord__edge_length(&line, 0), 0.05);
    assert_near(cord__edge_length(&line, 9), 0.05);
    assert_near(cord__edge_length(&line, 10), 0.025);
    assert_near(cord__edge_length(&line, 29), 0.025);
}

static void frenet_on_a_helix(void **state)
{
    polyline line = must(*state, "helix: {radius: 1, pitch: 2, turns: 3, vertices: 301}");
    double theta[300];
    cord__frenet_angles(&line, theta);
    double step = theta[1] - theta[0];
    for (int i = 1; i < 300; i++) assert_true(fabs(theta[i] - i * step) < 1e-9);
    /* Torsion p / (r² + p²) with p = pitch / 2π, over the length between the middles of the end
     * edges; the polygon differs from the smooth curve by the square of the angle per edge. */
    double p = 2 / (2 * PI), length = 3 * 2 * PI * sqrt(1 + p * p) * 299 / 300;
    double smooth = p / (1 + p * p) * length;
    assert_true(fabs(theta[299] / smooth - 1) < 1e-3);
}

static void takes_lengths(void **state)
{
    polyline a = must(*state, "line: {from: [1, 0, 0], to: [2, 0, 0], vertices: 11}");
    polyline b = must(*state, "arc: {radius: 1, angle: 1, vertices: 11}");
    cord__take_lengths(&a, &b);
    assert_vertex(&a, 0, 1, 0, 0);
    assert_near(cord__polyline_length(&a), cord__polyline_length(&b));
}

static void refuses_impossible(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"line: {from: [0, 0, 0], to: [0, 0, 0], vertices: 3}", "zero length"},
        {"line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 1}", "vertices must be between 2"},
        {"line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 2000000}", "vertices must be between 2"},
        {"line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 2.5}", "whole number"},
        {"ring: {radius: -1, vertices: 10}", "radius must be positive, got -1"},
        {"arc: {radius: 1, angle: 1, normal: [1, 0, 0], vertices: 5}", "two different directions"},
        {"v: {leg: 1, angle: 90 deg, vertices: 4}", "vertices must be odd"},
        {"polyline: {points: [[0, 0, 0]]}", "points must be between 2"},
        {"sphere: {radius: 1}", "\"sphere\" is not a shape"},
        {"line: {from: [0, 0, 0], to: [1, 0, 0]}", "line needs \"vertices\""},
        {"ring: {radius: 1}", "ring needs \"vertices\""},
        {"v: {leg: 1, angle: 90 deg}", "v needs \"vertices\""},
        {"spline: {points: [[0, 0, 0], [1, 0, 0]]}", "spline needs \"vertices\""},
        {"clothoid: {length: 1, from: [0, 0, 0], tangent: [0, 0, 0], vertices: 3}",
         "tangent must not be the zero vector"},
        {"clothoid: {length: 1, from: [0, 0, 0], director: [1, 0, 0], vertices: 3}",
         "director must be a direction across"},
        {"clothoid: {length: 1, from: [0, 0, 0], to: [1e7, 0, 0], vertices: 3}",
         "the curve makes 1.59e+06 turns"},
        {"clothoid: {length: 1, from: [0, 0, 1e300], vertices: 3}", "beyond the largest value"},
        {"clothoid: {length: 1, from: [0, 0, 1 m], vertices: 3}", "expected a curvature (1/m)"},
        {"clothoid: {length: 1, from: [0, 1], vertices: 3}", "expected a vector [about the first"},
        {"helx: {radius: 1}", "did you mean \"helix\"?"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fixture *f = *state;
        polyline line;
        f->errors.count = 0;
        assert_false(trace(f, cases[i].text, &line));
        assert_int_equal(f->errors.count, 1);
        if (!strstr(f->errors.list[0].text, cases[i].message)) {
            fail_msg("%s: %s", cases[i].text, f->errors.list[0].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(simple_shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(clothoids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refinement_is_exact, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frenet_on_a_helix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_lengths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refuses_impossible, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
