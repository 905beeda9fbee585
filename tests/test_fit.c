#include "curve/darboux.h"
#include "curve/fit.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/test.h"

#include <string.h>

static const double pi = 3.14159265358979323846;
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A chain to sample from. */
typedef struct known {
    element_kind kind;
    int elements;
    double length[16], kappa[3 * 17], position[3], frame[9];
} known;

enum { MOST = 2000 };
typedef struct samples {
    int count;
    double x[3 * MOST], frames[9 * MOST];
} samples;

static chain as_chain(known *k)
{
    chain c = {.kind = k->kind, .elements = k->elements, .length = k->length, .kappa = k->kappa};
    v3_copy(c.position, k->position);
    memcpy(c.frame, k->frame, sizeof c.frame);
    return c;
}

/* Vertices equally spaced on the chain, and frames halfway between them, with the directors
 * rotated to be normal to the edges. */
static void sample(known *k, int count, samples *s)
{
    chain c = as_chain(k);
    dof_layout plain = {0};
    double h = cord__chain_length(&c) / (count - 1);
    chain_point w;
    cord__chain_start(&c, &plain, &w, NULL);
    s->count = count;
    for (int i = 0; i < count; i++) {
        v3_copy(s->x + 3 * i, w.position);
        if (i == count - 1) break;
        cord__chain_advance(&c, &plain, &w, h / 2, NULL);
        memcpy(s->frames + 9 * i, w.frame, sizeof w.frame);
        cord__chain_advance(&c, &plain, &w, h / 2, NULL);
    }
    for (int i = 0; i + 1 < count; i++) {
        double *f = s->frames + 9 * i;
        v3_sub(f, s->x + 3 * (i + 1), s->x + 3 * i);
        cord__rotation_orthonormalise(f);
    }
}

/* Fit a chain of the same kind to samples of it: the same curvatures are recovered. */
static void comes_back(known *k, int count, bool planar, double tolerance)
{
    static samples s;
    sample(k, count, &s);
    memory m;
    cord__memory_init(&m, NULL);
    known got = *k;
    double worst;
    memset(got.kappa, 0, sizeof got.kappa);
    assert_int_equal(cord__fit_curvatures(&m, k->kind, planar, k->elements, k->length, s.count, s.x,
                                          s.frames, got.position, got.frame, got.kappa, &worst),
                     CORD_OK);
    assert_true(worst < tolerance);
    int numbers = 3 * curvature_count(k->kind, k->elements);
    assert_all_close(got.kappa, k->kappa, numbers, 1e3 * tolerance);
    assert_all_close(got.position, k->position, 3, tolerance);
    assert_all_close(got.frame, k->frame, 9, 1e2 * tolerance);
    assert_int_equal(m.bytes, 0);
}

static known make(element_kind kind, int elements, double length)
{
    known k = {.kind = kind, .elements = elements, .position = {0.3, -0.2, 0.1}};
    double turn[3] = {0.3, -0.7, 1.1};
    cord__rotation_exp(k.frame, turn);
    for (int e = 0; e < elements; e++) k.length[e] = length / elements;
    return k;
}

static void straight_lines_come_back(void **state)
{
    (void)state;
    for (element_kind kind = ELEMENT_SEGMENT; kind <= ELEMENT_CLOTHOID; kind++) {
        known k = make(kind, 5, 1.5);
        comes_back(&k, 20, false, 1e-12);
        comes_back(&k, 20, true, 1e-12);
    }
}

static void circles_come_back(void **state)
{
    (void)state;
    for (element_kind kind = ELEMENT_HELIX; kind <= ELEMENT_CLOTHOID; kind++) {
        known k = make(kind, 4, 2 * pi * 0.5 * 63 / 64);
        for (int i = 0; i < curvature_count(kind, 4); i++) k.kappa[3 * i + 2] = 2;
        comes_back(&k, 64, false, 1e-10);
        comes_back(&k, 64, true, 1e-10);
    }
}

static void helices_come_back(void **state)
{
    (void)state;
    for (element_kind kind = ELEMENT_HELIX; kind <= ELEMENT_CLOTHOID; kind++) {
        known k = make(kind, 6, 3);
        for (int i = 0; i < curvature_count(kind, 6); i++) {
            k.kappa[3 * i] = 3, k.kappa[3 * i + 1] = -1, k.kappa[3 * i + 2] = 6;
        }
        comes_back(&k, 200, false, 1e-9);
    }
}

static void clothoids_come_back(void **state)
{
    (void)state;
    known k = make(ELEMENT_CLOTHOID, 4, 2);
    for (int i = 0; i < 5; i++) k.kappa[3 * i + 2] = -3 + 4.0 * i * (i > 1 ? 1 : -1);
    comes_back(&k, 400, true, 1e-10);
    comes_back(&k, 400, false, 1e-9);
}

/* Curved and twisted at random: frames on edges are those of the curve to second order only, and
 * positions have priority. */
static void space_clothoids_come_back(void **state)
{
    (void)state;
    uint64_t seed = 5;
    known k = make(ELEMENT_CLOTHOID, 3, 1);
    random_vector(&seed, 12, k.kappa);
    for (int i = 0; i < 12; i++) k.kappa[i] *= 3;
    comes_back(&k, 400, false, 1e-8);
}

static void bars_come_back(void **state)
{
    (void)state;
    uint64_t seed = 6;
    known k = make(ELEMENT_SEGMENT, 8, 1);
    random_vector(&seed, 24, k.kappa);
    for (int i = 0; i < 24; i++) k.kappa[i] *= 2;
    for (int i = 0; i < 3; i++) k.kappa[i] = k.kappa[3 + i]; /* as the fit takes it */
    static samples s;
    sample(&k, 9, &s);
    for (int e = 0; e < 8; e++) { /* the samples coincide with the joints */
        assert_close(v3_distance(s.x + 3 * e, s.x + 3 * e + 3), 0.125, 1e-12);
    }
    comes_back(&k, 9, false, 1e-10);
}

/* Jacobian columns against central differences. */
static void columns_are_derivatives(void **state)
{
    (void)state;
    for (element_kind kind = ELEMENT_SEGMENT; kind <= ELEMENT_CLOTHOID; kind++) {
        uint64_t seed = 9;
        known k = make(kind, 4, 1), other = k;
        random_vector(&seed, 15, k.kappa);
        for (int i = 0; i < 15; i++) k.kappa[i] *= 4;
        chain c = as_chain(&k), moved = as_chain(&other);
        dof_layout l = {.base = true, .lengths = kind != ELEMENT_SEGMENT};
        screw columns[32];
        chain_point w;
        cord__chain_start(&c, &l, &w, columns);
        cord__chain_advance(&c, &l, &w, 0.7, columns);
        double part = w.u / c.length[w.element];
        for (int j = 0; j < dof_count(&l, &c); j++) {
            chain_point side[2];
            for (int n = 0; n < 2; n++) {
                double step[32] = {0};
                step[j] = n ? 1e-5 : -1e-5;
                cord__chain_update(&c, &l, step, &moved);
                double s = part * moved.length[w.element];
                for (int e = 0; e < w.element; e++) s += moved.length[e];
                cord__chain_start(&moved, &l, &side[n], NULL);
                cord__chain_advance(&moved, &l, &side[n], s, NULL);
            }
            double by_columns[3], by_difference[3], turn[9], back[9], angle[3];
            v3_cross(by_columns, columns[j].a, w.position);
            v3_add(by_columns, by_columns, columns[j].b);
            v3_sub(by_difference, side[1].position, side[0].position);
            v3_scale(by_difference, 1 / 2e-5, by_difference);
            assert_all_close(by_columns, by_difference, 3, 1e-8);
            for (int i = 0; i < 9; i++) back[i] = side[0].frame[3 * (i % 3) + i / 3];
            m3_multiply(turn, side[1].frame, back);
            cord__rotation_log(angle, turn);
            v3_scale(angle, 1 / 2e-5, angle);
            assert_all_close(columns[j].a, angle, 3, 1e-8);
        }
    }
}

static void degenerate_input_is_refused(void **state)
{
    (void)state;
    memory m;
    cord__memory_init(&m, NULL);
    double x[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0}, length[2] = {0.5, 0.5}, place[3], frame[9];
    double kappa[9], worst;
    assert_int_equal(cord__fit_curvatures(&m, ELEMENT_HELIX, false, 2, length, 3, x, NULL, place,
                                          frame, kappa, &worst),
                     CORD_ERROR_ARGUMENT);
    x[6] = NAN;
    assert_int_equal(cord__fit_curvatures(&m, ELEMENT_HELIX, false, 2, length, 3, x, NULL, place,
                                          frame, kappa, &worst),
                     CORD_ERROR_NOT_FINITE);
    assert_int_equal(cord__fit_curvatures(&m, ELEMENT_HELIX, false, 2, length, 1, x, NULL, place,
                                          frame, kappa, &worst),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord__fit_curvatures(&m, ELEMENT_HELIX, false, 2, length, 2, x, NULL, place,
                                          frame, kappa, &worst),
                     CORD_OK);
    assert_true(worst < 1e-12);
    assert_all_close(frame, identity, 3, 1e-12);
    assert_int_equal(m.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_derivatives), cmocka_unit_test(straight_lines_come_back),
        cmocka_unit_test(circles_come_back),       cmocka_unit_test(helices_come_back),
        cmocka_unit_test(clothoids_come_back),     cmocka_unit_test(space_clothoids_come_back),
        cmocka_unit_test(bars_come_back),          cmocka_unit_test(degenerate_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
