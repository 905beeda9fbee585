/* Fits of drawn curves by few elements, through the public interface. */
#include "math/vec3.h"
#include "scene/shape_parts.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/test.h"

#include <cordage/fit.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { MOST = 2000 };
typedef struct drawn {
    int count;
    double x[3 * MOST];
} drawn;

static void add(drawn *c, double x, double y, double z)
{
    double *to = c->x + 3 * c->count++;
    to[0] = x, to[1] = y, to[2] = z;
}

static cord_fit_def def_of(const drawn *c, const char *model, double tolerance)
{
    cord_fit_def def = cord_fit_def_default();
    def.vertex_count = c->count, def.positions = c->x;
    def.model = model, def.tolerance = tolerance;
    return def;
}

/* The distance of each point from a finely sampled fit. */
static double distance_of(const double *x, const cord_fit *fit)
{
    enum { SAMPLES = 4001 };
    static double y[3 * SAMPLES];
    double least = 1e300;
    for (int i = 0; i < fit->strand_count; i++) {
        cord_fit_sample(&fit->strands[i], SAMPLES, y, NULL);
        for (int k = 0; k < SAMPLES; k++) least = fmin(least, v3_distance(x, y + 3 * k));
    }
    return least;
}

/* Fits, and checks independently at some of the points that the tolerance is met. */
static void fitted(const cord_fit_def *def, cord_fit *fit)
{
    assert_int_equal(cord_fit_curve(def, fit), CORD_OK);
    assert_true(fit->worst_distance <= def->tolerance);
    for (int i = 0; i < def->vertex_count; i += 1 + def->vertex_count / 40) {
        double step = fit->strands[0].length / 4000; /* between two samples */
        double distance = distance_of(def->positions + 3 * i, fit);
        assert_true(distance <= hypot(def->tolerance, step));
    }
}

static int elements_of(const drawn *c, const char *model, double tolerance)
{
    cord_fit_def def = def_of(c, model, tolerance);
    cord_fit fit;
    fitted(&def, &fit);
    int count = fit.element_count;
    assert_int_equal(fit.strand_count, 1);
    cord_fit_free(&fit);
    return count;
}

static void straight_lines_are_one_element(void **state)
{
    (void)state;
    drawn c = {0};
    add(&c, 1, 2, 3), add(&c, 2, 2, 5);
    assert_int_equal(elements_of(&c, CORD_MODEL_CLOTHOID, 1e-6), 1);
    assert_int_equal(elements_of(&c, CORD_MODEL_HELIX, 1e-6), 1);
    assert_int_equal(elements_of(&c, CORD_MODEL_SEGMENT, 1e-6), 1);
    add(&c, 2, 2, 5), add(&c, 3, 2, 7), add(&c, 6, 2, 13); /* a point twice, uneven */
    assert_int_equal(elements_of(&c, CORD_MODEL_CLOTHOID, 1e-6), 1);
    assert_int_equal(elements_of(&c, CORD_MODEL_SEGMENT, 1e-6), 1);
}

static void circles_are_one_element_and_close(void **state)
{
    (void)state;
    static const char *const models[] = {CORD_MODEL_CLOTHOID, CORD_MODEL_HELIX};
    drawn c = {0};
    for (int i = 0; i < 64; i++) add(&c, cos(2 * pi * i / 64), 3, sin(2 * pi * i / 64));
    for (int m = 0; m < 2; m++) {
        cord_fit_def def = def_of(&c, models[m], 1e-3);
        cord_fit fit;
        def.closed = true;
        fitted(&def, &fit);
        assert_int_equal(fit.element_count, 1);
        const cord_fit_strand *s = &fit.strands[0];
        assert_true(s->closed && s->planar && !s->corner_at_start && !s->corner_at_end);
        assert_close(s->length, 2 * pi, 1e-7);
        assert_close(fabs(s->curvatures[1]), 1, 1e-7);
        assert_close(s->worst_distance, 0, 1e-7);
        double normal[3] = {0, 1, 0}, ends[6], frames[18];
        assert_all_close(s->base_frame + 6, normal, 3, 1e-12);
        cord_fit_sample(s, 2, ends, frames);
        assert_all_close(ends, ends + 3, 3, 1e-9);
        assert_all_close(frames, frames + 9, 9, 1e-9);
        cord_fit_free(&fit);
    }
}

static void spirals_are_one_clothoid(void **state)
{
    (void)state;
    drawn c = {0};
    double x = 0, y = 0;
    enum { STEPS = 40000 };
    for (int i = 0; i <= STEPS; i++) { /* θ = −s + 0.8 s², by the midpoint rule */
        if (i % 200 == 0) add(&c, x, y, 0);
        double h = 4.0 / STEPS, s = (i + 0.5) * h, angle = -s + 0.8 * s * s;
        x += h * cos(angle), y += h * sin(angle);
    }
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 1e-5);
    cord_fit fit;
    fitted(&def, &fit);
    assert_int_equal(fit.element_count, 1);
    assert_close(fit.strands[0].length, 4, 1e-6);
    assert_close(fit.strands[0].curvatures[1], -1, 1e-5);
    assert_close(fit.strands[0].curvatures[4], -1 + 1.6 * 4, 1e-5);
    cord_fit_free(&fit);
    assert_true(elements_of(&c, CORD_MODEL_HELIX, 1e-3) > 6);
}

static void helices_are_one_element(void **state)
{
    (void)state;
    drawn c = {0};
    for (int i = 0; i < 200; i++) {
        double a = 6 * pi * i / 199;
        add(&c, cos(a), sin(a), 0.2 * a);
    }
    double bend = 1 / 1.04, torsion = 0.2 / 1.04;
    cord_fit_def def = def_of(&c, CORD_MODEL_HELIX, 1e-3);
    cord_fit fit;
    fitted(&def, &fit);
    const cord_fit_strand *s = &fit.strands[0];
    assert_int_equal(fit.element_count, 1);
    assert_false(s->planar);
    assert_close(s->worst_distance, 0, 1e-8);
    assert_close(hypot(s->curvatures[0], s->curvatures[1]), bend, 1e-8);
    assert_close(s->curvatures[2], torsion, 1e-8);
    cord_fit_free(&fit);
    assert_int_equal(elements_of(&c, CORD_MODEL_CLOTHOID, 1e-3), 1);
}

static void wave(drawn *c, int count, double jitter)
{
    uint64_t seed = 17;
    for (int i = 0; i < count; i++) {
        double x = 4.4 * i / (count - 1), r[2];
        random_vector(&seed, 2, r); /* each in (−1, 1) */
        add(c, x + jitter * r[0], sin(1.5 * x) + jitter * r[1], 0);
    }
}

static void waves_take_few(void **state)
{
    (void)state;
    drawn c = {0};
    wave(&c, 120, 0);
    assert_in_range(elements_of(&c, CORD_MODEL_CLOTHOID, 1e-2), 4, 6);
    assert_in_range(elements_of(&c, CORD_MODEL_CLOTHOID, 1e-3), 6, 10);
    assert_in_range(elements_of(&c, CORD_MODEL_HELIX, 1e-3), 10, 16);
    assert_in_range(elements_of(&c, CORD_MODEL_SEGMENT, 1e-2), 10, 18);
}

/* Noise of half the tolerance adds at most a few elements. */
static void noise_is_smoothed(void **state)
{
    (void)state;
    drawn c = {0};
    wave(&c, 660, 0.01);
    assert_in_range(elements_of(&c, CORD_MODEL_CLOTHOID, 2e-2), 4, 8);
}

static void squares_have_corners(void **state)
{
    (void)state;
    drawn c = {0};
    add(&c, 0, 0, 0), add(&c, 1, 0, 0), add(&c, 1, 1, 0), add(&c, 0, 1, 0);
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 1e-3);
    def.closed = true;
    cord_fit fit;
    fitted(&def, &fit);
    assert_int_equal(fit.strand_count, 4);
    for (int i = 0; i < 4; i++) {
        const cord_fit_strand *s = &fit.strands[i], *next = &fit.strands[(i + 1) % 4];
        double ends[6];
        assert_int_equal(s->element_count, 1);
        assert_true(s->corner_at_start && s->corner_at_end && !s->closed);
        assert_close(s->length, 1, 1e-12);
        cord_fit_sample(s, 2, ends, NULL);
        assert_all_close(ends + 3, next->base_position, 3, 1e-12);
    }
    cord_fit_free(&fit);
    c.count = 3; /* open, one corner */
    def.vertex_count = 3, def.closed = false;
    fitted(&def, &fit);
    assert_int_equal(fit.strand_count, 2);
    assert_true(!fit.strands[0].corner_at_start && fit.strands[0].corner_at_end);
    assert_true(fit.strands[1].corner_at_start && !fit.strands[1].corner_at_end);
    cord_fit_free(&fit);
    def.corner_angle = pi; /* no corners: an arc through three points */
    fitted(&def, &fit);
    assert_int_equal(fit.strand_count, 1);
    cord_fit_free(&fit);
}

/* A figure of three lobes: position, tangent and curvature are closed. */
static void closed_figures_close(void **state)
{
    (void)state;
    drawn c = {0};
    for (int i = 0; i <= 300; i++) { /* the first point again at the end */
        double a = 2 * pi * (i % 300) / 300, r = 2 + 0.8 * cos(3 * a);
        add(&c, r * cos(a), r * sin(a), 0);
    }
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 1e-2);
    cord_fit fit;
    fitted(&def, &fit);
    const cord_fit_strand *s = &fit.strands[0];
    assert_int_equal(fit.strand_count, 1);
    assert_true(s->closed);
    assert_in_range(s->element_count, 9, 14);
    double ends[6], frames[18];
    cord_fit_sample(s, 2, ends, frames);
    assert_all_close(ends, ends + 3, 3, 1e-9);
    assert_all_close(frames, frames + 9, 9, 1e-9);
    assert_all_close(s->curvatures, s->curvatures + 3 * s->element_count, 3, 1e-9);
    cord_fit_free(&fit);
}

static void knots_close_in_space(void **state)
{
    (void)state;
    drawn c = {0};
    for (int i = 0; i < 150; i++) {
        double a = 2 * pi * i / 150;
        add(&c, sin(a) + 2 * sin(2 * a), cos(a) - 2 * cos(2 * a), -sin(3 * a));
    }
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 5e-2);
    def.closed = true;
    cord_fit fit;
    fitted(&def, &fit);
    const cord_fit_strand *s = &fit.strands[0];
    assert_true(s->closed && !s->planar);
    assert_in_range(s->element_count, 6, 16);
    double ends[6], frames[18];
    cord_fit_sample(s, 2, ends, frames);
    assert_all_close(ends, ends + 3, 3, 1e-9);
    assert_all_close(frames, frames + 9, 9, 1e-9);
    cord_fit_free(&fit);
}

/* The tail of a cat: [Bertails-Descoubes, Super-Clothoids, 2012, fig. 6] fits one with 9 clothoids
 * where it takes 11 arcs. Their drawing is not public; ours, at the tolerance of a fifth of a
 * millimetre, takes as many, as measured. */
static void tails_take_fewer_clothoids_than_arcs(void **state)
{
    (void)state;
    arena all;
    cord__arena_init(&all, NULL);
    diagnostics errors = {.memory = &all};
    polyline *lines;
    int count;
    assert_true(
        cord__read_lines(&all, &errors, "gallery/clothoids/cat-tail.svg", 1e-3, &lines, &count));
    assert_int_equal(count, 1);
    drawn c = {.count = lines->count};
    memcpy(c.x, lines->x, 3 * (size_t)lines->count * sizeof *c.x);
    assert_int_equal(elements_of(&c, CORD_MODEL_CLOTHOID, 0.2e-3), 9);
    assert_int_equal(elements_of(&c, CORD_MODEL_HELIX, 0.2e-3), 11);
    cord__arena_free(&all);
}

static void fails(const cord_fit_def *def, cord_status expected, const char *text)
{
    cord_fit fit;
    assert_int_equal(cord_fit_curve(def, &fit), expected);
    if (!strstr(fit.error, text)) print_error("\"%s\" does not say: %s\n", fit.error, text);
    assert_non_null(strstr(fit.error, text));
    assert_null(fit.strands);
    cord_fit_free(&fit);
}

static void wrong_input_is_named(void **state)
{
    (void)state;
    drawn c = {0};
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 1e-3);
    fails(&def, CORD_ERROR_ARGUMENT, "the curve has 0 points; it needs at least 2");
    add(&c, 1, 1, 1), add(&c, 1, 1, 1);
    def.vertex_count = 2;
    fails(&def, CORD_ERROR_ARGUMENT, "1 different points; it needs at least 2");
    add(&c, 2, 1, 1);
    def.vertex_count = 3, def.closed = true;
    fails(&def, CORD_ERROR_ARGUMENT,
          "the closed curve has 2 different points; it needs at least 3");
    def.closed = false;
    add(&c, NAN, 1, 1);
    def.vertex_count = 4;
    fails(&def, CORD_ERROR_NOT_FINITE, "not finite");
    c.x[9] = 3, c.x[11] = 2;
    def.tolerance = 0;
    fails(&def, CORD_ERROR_ARGUMENT, "it must be finite and > 0");
    def.tolerance = NAN;
    fails(&def, CORD_ERROR_ARGUMENT, "it must be finite and > 0");
    def.tolerance = 1e-3, def.model = "clotoid";
    fails(&def, CORD_ERROR_UNKNOWN_NAME, "did you mean \"clothoid\"?");
    def.model = CORD_MODEL_HELIX, def.plane = CORD_FIT_PLANAR;
    add(&c, 3, 2, 2), def.vertex_count = 5;
    fails(&def, CORD_ERROR_ARGUMENT, "is not planar");
}

/* A curve that reverses is split at the cusp. */
static void hairpins_are_corners(void **state)
{
    (void)state;
    drawn c = {0};
    add(&c, 0, 0, 0), add(&c, 1, 0, 0), add(&c, 0.5, 0, 0);
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 1e-3);
    cord_fit fit;
    fitted(&def, &fit);
    assert_int_equal(fit.strand_count, 2);
    cord_fit_free(&fit);
    def.corner_angle = 4, def.plane = CORD_FIT_SPATIAL; /* no frame goes round there */
    fails(&def, CORD_ERROR_ARGUMENT, "reverses its direction");
}

/* A search builds many chains: each of the first allocations fails, then one at regular
 * intervals. */
static void memory_may_run_out(void **state)
{
    (void)state;
    drawn c = {0};
    for (int i = 0; i < 14; i++) add(&c, 0.2 * i, sin(0.2 * i), 0.01 * i * i);
    cord_fit_def def = def_of(&c, CORD_MODEL_CLOTHOID, 5e-2);
    for (int k = 0;; k += k < 60 ? 1 : 17) {
        failing_allocator heap = {.fail_at = k};
        def.allocator = failing_allocator_ops(&heap);
        cord_fit fit;
        cord_status status = cord_fit_curve(&def, &fit);
        cord_fit_free(&fit);
        assert_int_equal(heap.live, 0);
        assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
        if (!heap.failed) break;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight_lines_are_one_element),
        cmocka_unit_test(circles_are_one_element_and_close),
        cmocka_unit_test(spirals_are_one_clothoid),
        cmocka_unit_test(helices_are_one_element),
        cmocka_unit_test(waves_take_few),
        cmocka_unit_test(noise_is_smoothed),
        cmocka_unit_test(squares_have_corners),
        cmocka_unit_test(closed_figures_close),
        cmocka_unit_test(knots_close_in_space),
        cmocka_unit_test(tails_take_fewer_clothoids_than_arcs),
        cmocka_unit_test(wrong_input_is_named),
        cmocka_unit_test(hairpins_are_corners),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
