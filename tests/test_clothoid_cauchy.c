#include "bench/baselines/clothoid_cauchy.h"
#include "curve/darboux.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/test.h"

#include <string.h>

/* The positive ones of Gauss's eight nodes. */
static const double nodes[] = {0.18343464249564980494, 0.52553240991632898582,
                               0.79666647741362673959, 0.96028985649753623168};
static const double weights[] = {0.36268378337836198297, 0.31370664587788728734,
                                 0.22238103445337447054, 0.10122853629037625915};

static void place_at(const clothoid_element *e, double u, double step, const double *along,
                     double r[3])
{
    curvature k;
    for (int i = 0; i < 3; i++) {
        double start = e->ends[i] + step * along[i], end = e->ends[3 + i] + step * along[3 + i];
        k.start[i] = start, k.slope[i] = (end - start) / e->length;
    }
    cord__darboux_at(&k, u, e->frame, NULL, r);
}

/* First and second derivative of r(u) along a direction of q: fourth-order differences. */
static void differences(const clothoid_element *e, double u, const double *along, double d[3],
                        double dd[3])
{
    const double h = 1e-2;
    double r[5][3];
    for (int i = 0; i < 5; i++) place_at(e, u, (i - 2) * h, along, r[i]);
    for (int c = 0; c < 3; c++) {
        d[c] = (r[0][c] - 8 * r[1][c] + 8 * r[3][c] - r[4][c]) / (12 * h);
        dd[c] = (-r[0][c] + 16 * r[1][c] - 30 * r[2][c] + 16 * r[3][c] - r[4][c]) / (12 * h * h);
    }
}

static void add_node(const clothoid_element *e, double u, double weight, clothoid_terms *t)
{
    double J[6][3], ignored[3], second[3];
    for (int i = 0; i < 6; i++) {
        double along[6] = {0};
        along[i] = 1;
        differences(e, u, along, J[i], ignored);
    }
    differences(e, u, e->rates, ignored, second);
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) t->mass[6 * i + j] += weight * v3_dot(J[i], J[j]);
        t->gravity[i] -= weight * v3_dot(J[i], e->gravity);
        t->velocity[i] += weight * v3_dot(J[i], second);
    }
}

/* The definitions, by quadrature of differences. */
static void by_quadrature(const clothoid_element *e, clothoid_terms *t)
{
    enum { PARTS = 12 };
    double half = e->length / PARTS / 2;
    memset(t, 0, sizeof *t);
    for (int p = 0; p < PARTS; p++)
        for (int i = 0; i < 8; i++) {
            double x = i % 2 ? nodes[i / 2] : -nodes[i / 2];
            add_node(e, (2 * p + 1 + x) * half, e->density * half * weights[i / 2], t);
        }
}

static void definitions(void **state)
{
    (void)state;
    static const double turns[] = {0, 1, 6, 25};
    uint64_t seed = 21;
    for (int trial = 0; trial < 4; trial++) {
        clothoid_element e = {.length = 0.8, .density = 1.3};
        clothoid_terms terms, expected;
        double w[3];
        random_vector(&seed, 6, e.ends);
        for (int i = 0; i < 6; i++) e.ends[i] *= turns[trial] / e.length;
        random_vector(&seed, 6, e.rates);
        random_vector(&seed, 3, e.gravity);
        random_vector(&seed, 3, w);
        cord__rotation_exp(e.frame, w);
        int parts = cord__clothoid_cauchy(&e, &terms);
        assert_true(turns[trial] > 10 ? parts > 2 : parts >= 1);
        by_quadrature(&e, &expected);
        assert_all_close(terms.mass, expected.mass, 36, 1e-10);
        assert_all_close(terms.gravity, expected.gravity, 6, 1e-10);
        assert_all_close(terms.velocity, expected.velocity, 6, 1e-9);
    }
}

/* A straight element: ∂r/∂k₂ moves along the first director by u²/2 − u³/6ℓ and u³/6ℓ. */
static void straight(void **state)
{
    (void)state;
    clothoid_element e = {
        .length = 2, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .density = 3, .gravity = {0, -9.81, 0}};
    clothoid_terms t;
    assert_int_equal(cord__clothoid_cauchy(&e, &t), 1);
    double l5 = 32, l3 = 8;
    assert_close(t.mass[6 * 2 + 2], 3 * l5 * (1.0 / 20 - 1.0 / 36 + 1.0 / 252), 1e-13);
    assert_close(t.mass[6 * 5 + 5], 3 * l5 / 252, 1e-13);
    assert_close(t.mass[0], 0, 0); /* twist of a straight line moves nothing */
    assert_close(t.gravity[2], 3 * 9.81 * l3 * (1.0 / 6 - 1.0 / 24), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definitions),
        cmocka_unit_test(straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
