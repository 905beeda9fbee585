/* Coulomb's law at one contact: the exact local solver, the projection onto the cone and the natural map. */
#include "math/vec3.h"
#include "solve/cone/coulomb.h"
#include "support/coulomb_law.h"
#include "support/numbers.h"
#include "support/test.h"

#include <string.h>

/* W = R Rᵀ with `rank` random columns. */
static void random_mobility(uint64_t *random, int rank, double *W)
{
    double R[9];
    random_vector(random, 9, R);
    for (int i = 0; i < 9; i++) {
        W[i] = 0;
        for (int k = 0; k < rank; k++) W[i] += R[3 * (i / 3) + k] * R[3 * (i % 3) + k];
    }
}

static void velocity(const double *W, const double *b, const double *p, double *u)
{
    for (int i = 0; i < 3; i++) u[i] = v3_dot(W + 3 * i, p) + b[i];
}

static double trace(const double *W)
{
    return (W[0] + W[4] + W[8]) / 3;
}

static void satisfies_the_law(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    int states[3] = {0};
    for (int k = 0; k < 20000; k++) {
        double W[9], b[3], p[3], u[3], friction = k % 10 == 0 ? 0 : 1 + random_number(&random);
        random_mobility(&random, 3, W);
        random_vector(&random, 3, b);
        states[cord__coulomb_solve(W, b, friction, p)]++;
        velocity(W, b, p, u);
        double size = fmax(v3_norm(p), v3_norm(b) / trace(W));
        assert_true(coulomb_violation(trace(W), friction, p, u) <= 1e-8 * size);
        assert_true(sqrt(cord__natural_map(trace(W), friction, u, p)) <= 1e-8 * size);
    }
    for (int k = 0; k < 3; k++) assert_true(states[k] > 1000);
}

/* Slip in the direction θ, f(θ) = e × u_T: p_N from u_N = 0. Returns f, or NaN where p_N < 0 or friction drives the slip. */
static double slip_along(const double *W, const double *b, double friction, double angle, double *p)
{
    double e[2] = {cos(angle), sin(angle)}, u[3];
    double normal = -b[0] / (W[0] + friction * (W[1] * e[0] + W[2] * e[1]));
    v3_set(p, normal, friction * normal * e[0], friction * normal * e[1]);
    velocity(W, b, p, u);
    return normal < 0 || e[0] * u[1] + e[1] * u[2] > 0 ? NAN : e[0] * u[2] - e[1] * u[1];
}

/* The distance of p from the nearest slip that a scan of all directions finds. */
static double distance_from_scan(const double *W, const double *b, double friction, const double *p)
{
    enum { DIRECTIONS = 2000 };
    double nearest = INFINITY, q[3], step = 2 * acos(-1) / DIRECTIONS;
    for (int k = 0; k < DIRECTIONS; k++) {
        double low = k * step, high = low + step;
        double f = slip_along(W, b, friction, low, q);
        if (!(f * slip_along(W, b, friction, high, q) <= 0)) continue;
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (low + high);
            if (slip_along(W, b, friction, middle, q) * f > 0)
                low = middle;
            else
                high = middle;
        }
        slip_along(W, b, friction, low, q);
        nearest = fmin(nearest, v3_distance(p, q));
    }
    return nearest;
}

static void equals_a_scan(void **unused)
{
    (void)unused;
    uint64_t random = 5;
    int compared = 0, missed = 0;
    for (int k = 0; k < 300; k++) {
        double W[9], b[3], p[3];
        random_mobility(&random, 3, W);
        for (int i = 0; i < 3; i++) W[4 * i] += 0.1;
        random_vector(&random, 3, b);
        if (cord__coulomb_solve(W, b, 0.5, p) != CONTACT_SLIP) continue;
        double distance = distance_from_scan(W, b, 0.5, p);
        if (distance == INFINITY)
            missed++; /* a root beside an interval where friction would drive */
        else
            assert_true(distance <= 1e-9 * (1 + v3_norm(p)));
        compared++;
    }
    assert_true(compared > 50);
    assert_true(missed <= compared / 20);
}

/* Singular mobilities: the tangents, one tangent or all but one direction do not move. */
static void singular_mobility(void **unused)
{
    (void)unused;
    uint64_t random = 7;
    for (int k = 0; k < 3000; k++) {
        double W[9], b[3], p[3], u[3], v[3];
        random_mobility(&random, 1 + k % 2, W);
        random_vector(&random, 3, v);
        velocity(W, (double[3]){0}, v, b); /* in the range of W, so that stick may be possible */
        cord__coulomb_solve(W, b, 0.7, p);
        velocity(W, b, p, u);
        double size = v3_norm(p) + v3_norm(v);
        assert_true(coulomb_violation(trace(W), 0.7, p, u) <= 1e-6 * size);
    }
    double normal[9] = {2}, b[3] = {-1, 0.3, 0}, p[3];
    assert_int_equal(cord__coulomb_solve(normal, b, 0.5, p), CONTACT_SLIP);
    assert_all_close(p, ((double[3]){0.5, -0.25, 0}), 3, 1e-14);
    double none[9] = {0};
    assert_int_equal(cord__coulomb_solve(none, b, 0.5, p), CONTACT_OPEN);
    assert_all_close(p, ((double[3]){0}), 3, 0);
}

/* The nearest point: in the cone, and p − P(p) in the polar cone and orthogonal to P(p) [Moreau]. */
static void projects(void **unused)
{
    (void)unused;
    uint64_t random = 9;
    for (int k = 0; k < 3000; k++) {
        double p[3], q[3], d[3], friction = k % 7 == 0 ? 0 : 1 + random_number(&random);
        random_vector(&random, 3, p);
        v3_copy(q, p);
        cord__cone_project(friction, q);
        v3_sub(d, p, q);
        assert_true(hypot(q[1], q[2]) <= friction * q[0] + 1e-15);
        assert_close(v3_dot(d, q), 0, 1e-15);
        assert_true(d[0] + friction * hypot(d[1], d[2]) <= 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(satisfies_the_law), cmocka_unit_test(equals_a_scan),
        cmocka_unit_test(singular_mobility), cmocka_unit_test(projects)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
