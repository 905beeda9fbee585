/* Splines as curves: the basis, the fit, setting and saving the state; memory and refusals. */
#include "math/vec3.h"
#include "strand/spline/spline.h"
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/splines.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

/* ---- basis ------------------------------------------------------------------------------------- */

static void basis(void **unused)
{
    const double h = 1e-4;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        spline s = {.spans = 5, .points = 8, .clamped = kind == 0};
        spline_weights w, before, after;
        for (int span = 0; span < 5; span++)
            for (int k = 0; k <= 4; k++) {
                double u = 0.05 + 0.225 * k, sum[4] = {0};
                cord__spline_basis(&s, span, u, &w);
                cord__spline_basis(&s, span, u - h, &before);
                cord__spline_basis(&s, span, u + h, &after);
                for (int j = 0; j < 4; j++) {
                    sum[0] += w.b[j], sum[1] += w.d[j], sum[2] += w.dd[j], sum[3] += w.ddd[j];
                    assert_true(w.b[j] >= 0);
                    assert_close(w.d[j], (after.b[j] - before.b[j]) / (2 * h), 1e-7);
                    assert_close(w.dd[j], (after.d[j] - before.d[j]) / (2 * h), 1e-7);
                    assert_close(w.ddd[j], (after.dd[j] - before.dd[j]) / (2 * h), 1e-7);
                }
                for (int i = 0; i < 4; i++) assert_close(sum[i], i == 0, 1e-14);
            }
        for (int knot = 1; knot < 5; knot++) { /* C² */
            cord__spline_basis(&s, knot - 1, 1, &before);
            cord__spline_basis(&s, knot, 0, &after);
            for (int j = 0; j < 5; j++) {
                double p[3], q[3];
                p[0] = j < 4 ? before.b[j] : 0, q[0] = j > 0 ? after.b[j - 1] : 0;
                p[1] = j < 4 ? before.d[j] : 0, q[1] = j > 0 ? after.d[j - 1] : 0;
                p[2] = j < 4 ? before.dd[j] : 0, q[2] = j > 0 ? after.dd[j - 1] : 0;
                assert_all_close(p, q, 3, 1e-13);
            }
        }
        cord__spline_basis(&s, 0, 0, &w);
        assert_close(w.b[0], s.clamped ? 1 : 1.0 / 6, 1e-15);
    }
}

/* ---- shapes ------------------------------------------------------------------------------------ */

/* A line is a line wherever its vertices are, and with either kind of ends. */
static void lines_are_exact(void **unused)
{
    (void)unused;
    for (int points = 0; points <= 12; points += 6)
        for (int ends = 0; ends < 2; ends++) {
            double x[27], y[3], frame[9];
            for (int i = 0; i < 9; i++)
                v3_scale(x + 3 * i, i + 0.3 * (i % 3), (double[3]){.1, .2, .2});
            cord_strand_def def = splines_def(9, x);
            def.control_point_count = points;
            def.spline_ends = ends ? CORD_SPLINE_FREE : CORD_SPLINE_CLAMPED;
            cord_world *world = scene_world_under(NULL, 0);
            cord_strand strand = scene_strand(world, &def);
            double length = scene_length(world, strand);
            assert_close(length, 0.3 * 8.6, 1e-12);
            for (int k = 0; k <= 20; k++) {
                splines_at(world, strand, length * k / 20, y, frame);
                for (int i = 0; i < 3; i++) assert_close(y[i], x[24 + i] * k / 20, 1e-11);
                assert_close(frame[0], 1.0 / 3, 1e-10);
            }
            cord_world_destroy(world);
        }
}

/* The distance of a spline through points on a circle from the circle, and the error of its
 * length. */
static double circle_error(int edges)
{
    double x[3 * 41], y[3], frame[9], worst = 0;
    splines_arc(edges + 1, 0.5, 4, x);
    cord_strand_def def = splines_def(edges + 1, x);
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    double length = scene_length(world, strand);
    for (int k = 0; k <= 200; k++) {
        double s = length * k / 200, a = 4.0 * k / 200;
        splines_at(world, strand, s, y, frame);
        worst = fmax(worst, fabs(y[0] - 0.5 * sin(a)) + fabs(y[2] - 0.5 * (1 - cos(a))));
    }
    cord_world_destroy(world);
    return worst;
}

static void circles_are_of_fourth_order(void **unused)
{
    (void)unused;
    double e[3] = {circle_error(10), circle_error(20), circle_error(40)};
    assert_true(e[2] < 2e-6);
    assert_true(log2(e[0] / e[1]) > 3.7 && log2(e[1] / e[2]) > 3.7);
}

/* Fewer control points than vertices: the least-squares fit; points of a spline are reproduced. */
static void fits_are_least_squares(void **unused)
{
    double x[3 * 41], y[3 * 41];
    (void)unused;
    splines_arc(41, 0.5, 3, x);
    cord_strand_def def = splines_def(41, x);
    double before = 1;
    for (int points = 6; points <= 24; points *= 2) {
        def.control_point_count = points;
        cord_world *world = scene_world_under(NULL, 0);
        cord_strand strand = scene_strand(world, &def);
        double worst = 0;
        assert_fine(world, cord_strand_get_positions(world, strand, y));
        for (int i = 0; i < 123; i++) worst = fmax(worst, fabs(x[i] - y[i]));
        assert_true(worst < before / 10);
        before = worst;
        cord_world_destroy(world);
    }
    assert_true(before < 1e-6);
}

/* Vertices with uneven spacing, fewer and more than control points: the curve does not
 * oscillate. */
static void uneven_vertices(void **unused)
{
    double x[3 * 12], y[3 * 12], chord = 0;
    (void)unused;
    for (int i = 0; i < 12; i++) {
        double a = 0.001 * pow(1.7, i);
        v3_set(x + 3 * i, a, 0.1 * sin(10 * a), 0);
        if (i > 0) chord += v3_distance(x + 3 * i - 3, x + 3 * i);
    }
    for (int points = 0; points <= 40; points += 8) {
        if (points == 24 || points == 32) continue;
        cord_strand_def def = splines_def(12, x);
        def.control_point_count = points;
        cord_world *world = scene_world_under(NULL, 0);
        cord_strand strand = scene_strand(world, &def);
        assert_close(scene_length(world, strand), chord, 0.05 * chord);
        assert_fine(world, cord_strand_get_positions(world, strand, y));
        for (int i = 0; i < 36; i++) assert_close(y[i], x[i], 1e-3);
        cord_world_destroy(world);
    }
}

/* Setting positions and velocities of vertices; the checkpoint contains all. */
static void setting_and_checkpoints(void **unused)
{
    double x[3 * 7], y[3 * 7], v[3 * 7];
    (void)unused;
    splines_line(7, 0.6, x);
    cord_world *world = scene_world(NULL);
    cord_strand_def def = splines_def(7, x);
    cord_strand strand = scene_strand(world, &def);
    splines_arc(7, 0.2, 3, x);
    assert_fine(world, cord_strand_set_positions(world, strand, x));
    assert_fine(world, cord_strand_get_positions(world, strand, y));
    assert_all_close(y, x, 21, 1e-13);
    for (int i = 0; i < 21; i++) x[i] = sin(i);
    assert_fine(world, cord_strand_set_velocities(world, strand, x));
    assert_fine(world, cord_strand_get_velocities(world, strand, v));
    assert_all_close(v, x, 21, 1e-12);
    assert_fine(world, cord_world_step(world, 1e-3));
    scene_goes_on(world, NULL, 1e-3, 1);
    cord_world_destroy(world);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static cord_status small_program(cord_world *world)
{
    double x[3 * 6], natural[3 * 6];
    splines_arc(6, 0.3, 2, x);
    splines_line(6, 0.6, natural);
    cord_strand_def def = splines_def(6, x);
    def.natural_positions = natural;
    cord_strand rope;
    cord_status status = cord_world_add_strand(world, &def, &rope);
    if (status == CORD_OK) status = cord_world_clamp_strand(world, rope, 0, NULL, NULL, NULL, NULL);
    if (status == CORD_OK) status = cord_world_step(world, 1e-3);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_run(small_program, 30);
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refuse(const cord_strand_def *def, const char *because)
{
    cord_strand strand;
    cord_world *world = scene_world_under(NULL, 0);
    assert_int_equal(cord_world_add_strand(world, def, &strand), CORD_ERROR_ARGUMENT);
    if (!strstr(cord_world_get_error(world), because))
        fail_msg("\"%s\" does not say \"%s\"", cord_world_get_error(world), because);
    cord_world_destroy(world);
}

static void bad_input_is_refused(void **unused)
{
    double x[15], odd[15];
    (void)unused;
    splines_line(5, 1, x);
    cord_strand_def good = splines_def(5, x), def = good;
    def.vertex_count = 1, refuse(&def, "at least 2");
    def = good, def.positions = NULL, refuse(&def, "positions are missing");
    def = good, def.closed = true, def.control_point_count = 4, refuse(&def, "at least 5");
    def = good, def.closed = true, def.vertex_count = 2, refuse(&def, "at least 3");
    def = good, def.closed = true, def.closing_twist = NAN, refuse(&def, "closing_twist");
    def = good, def.closed = true, refuse(&def, "folds back"); /* a line, there and back */
    def = good, def.control_point_count = 3, refuse(&def, "at least 4");
    def = good, def.control_point_count = -1, refuse(&def, "at least 4");
    def = good, def.spline_ends = (cord_spline_ends)7, refuse(&def, "spline_ends");
    def = good, def.damping = -1, refuse(&def, "damping");
    def = good, def.drag = NAN, refuse(&def, "drag");
    def = good, def.section.stretching = 0, def.stretch = CORD_STRETCH_ELASTIC;
    refuse(&def, "stretching");
    def = good, def.section.rotary_inertia = 0, def.twist_mode = CORD_TWIST_DYNAMIC;
    refuse(&def, "rotary_inertia");
    memcpy(odd, x, sizeof x);
    odd[4] = INFINITY, def = good, def.positions = odd, refuse(&def, "not finite");
    memcpy(odd, x, sizeof x);
    v3_copy(odd + 3, odd + 6), def = good, def.natural_positions = odd, refuse(&def, "no length");
    memcpy(odd, x, sizeof x); /* there and back again */
    v3_set(odd + 9, 0.25, 0, 0), v3_set(odd + 12, 0, 0, 0);
    def = good, def.positions = odd, refuse(&def, "folds back");
    cord_world *world = scene_world(integrations + SYMPLECTIC);
    cord_strand strand = scene_strand(world, &good);
    (void)strand;
    assert_int_equal(cord_world_step(world, 1e-4), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis),
        cmocka_unit_test(lines_are_exact),
        cmocka_unit_test(circles_are_of_fourth_order),
        cmocka_unit_test(fits_are_least_squares),
        cmocka_unit_test(uneven_vertices),
        cmocka_unit_test(setting_and_checkpoints),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
