#include "support/holonomy.h"
#include "support/numbers.h"
#include "support/test.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static void random_normal(uint64_t *seed, const double *t, double *u)
{
    random_unit(seed, u);
    v3_axpy(u, -v3_dot(u, t), t);
    v3_normalize(u, u);
}

static void transport_is_the_smallest_rotation(void **state)
{
    (void)state;
    uint64_t seed = 21;
    for (int trial = 0; trial < 200; trial++) {
        double t0[3], t1[3], axis[3], x[3], y[3], p[3], q[3];
        random_unit(&seed, t0), random_unit(&seed, t1);
        assert_true(transport(p, t0, t1, t0));
        double away = 1 + v3_dot(t0, t1); /* rounding grows as the tangents near antiparallel */
        assert_all_close(p, t1, 3, 1e-15 / away);
        v3_cross(axis, t0, t1);
        assert_true(transport(p, t0, t1, axis));
        assert_all_close(p, axis, 3, 1e-15 / away);
        random_vector(&seed, 3, x), random_vector(&seed, 3, y);
        transport(p, t0, t1, x), transport(q, t0, t1, y);
        assert_close(v3_dot(p, q), v3_dot(x, y), 1e-14 / away);
        assert_true(transport(p, t1, t0, p));
        assert_all_close(p, x, 3, 1e-14 / away);
    }
}

static void antiparallel_is_refused(void **state)
{
    (void)state;
    double t0[3] = {1, 0, 0}, t1[3] = {-1, 0, 0}, x[3] = {0, 1, 2}, r[3], e1[3] = {-2, 0, 0};
    assert_false(transport(r, t0, t1, x));
    assert_all_close(r, x, 3, 0);
    assert_false(curvature_binormal(r, t0, t1));
    assert_false(curvature_binormal_of_edges(r, t0, 1, e1, 2));
    assert_true(isnan(transport_angle(t0, x, t1, x)));
    assert_true(isnan(holonomy(t0, t1, t0, t1)));
}

static void curvature_is_twice_the_tangent_of_half_the_turn(void **state)
{
    (void)state;
    for (double turn = -3; turn <= 3; turn += 0.25) {
        double t0[3] = {1, 0, 0}, t1[3] = {cos(turn), sin(turn), 0}, kb[3], of_edges[3], e1[3];
        double expected[3] = {0, 0, 2 * tan(turn / 2)};
        assert_true(curvature_binormal(kb, t0, t1));
        assert_all_close(kb, expected, 3, 1e-12);
        v3_scale(e1, 0.3, t1);
        assert_true(curvature_binormal_of_edges(of_edges, t0, 1, e1, 0.3));
        assert_all_close(of_edges, kb, 3, 1e-12);
    }
}

static void angle_is_the_twist_put_in(void **state)
{
    (void)state;
    uint64_t seed = 22;
    for (int trial = 0; trial < 200; trial++) {
        double t0[3], t1[3], m0[3], p[3], q[3], m1[3];
        random_unit(&seed, t0), random_unit(&seed, t1);
        random_normal(&seed, t0, m0);
        transport(p, t0, t1, m0);
        v3_cross(q, t1, p);
        double angle = pi * random_number(&seed);
        v3_combine(m1, cos(angle), p, sin(angle), q);
        assert_close(transport_angle(t0, m0, t1, m1), angle, 1e-12);
    }
}

static void half_a_turn_is_plus_pi(void **state)
{
    (void)state;
    double t[3] = {0, 0, 1}, m0[3] = {1, 0, 0}, m1[3] = {-1, -1e-20, 0}, m2[3] = {-1, 0.0, 0};
    assert_close(transport_angle(t, m0, t, m1), pi, 0);
    assert_close(transport_angle(t, m0, t, m2), pi, 0);
}

static void make_tangents(const double *x, double *t0, double *t1)
{
    v3_sub(t0, x + 3, x), v3_normalize(t0, t0);
    v3_sub(t1, x + 6, x + 3), v3_normalize(t1, t1);
}

/* Central differences of the holonomy of moving from x, at bent edges of different lengths. */
static void holonomy_gradient_matches_differences(void **state)
{
    (void)state;
    const double step = 1e-5;
    uint64_t seed = 23;
    for (int trial = 0; trial < 50; trial++) {
        double x[9], t0[3], t1[3], kb[3], gradient[9];
        random_vector(&seed, 9, x);
        x[3] += 2, x[6] += 3;
        make_tangents(x, t0, t1);
        assert_true(curvature_binormal(kb, t0, t1));
        holonomy_gradient(kb, v3_distance(x, x + 3), v3_distance(x + 3, x + 6), gradient,
                          gradient + 3, gradient + 6);
        for (int i = 0; i < 9; i++) {
            double psi[2], was = x[i];
            for (int side = 0; side < 2; side++) {
                double s0[3], s1[3];
                x[i] = was + (side ? step : -step);
                make_tangents(x, s0, s1);
                psi[side] = holonomy(t0, t1, s0, s1);
            }
            x[i] = was;
            assert_close((psi[1] - psi[0]) / (2 * step), gradient[i], 1e-8);
        }
    }
}

/* The meaning of the sign: u1 is the Bishop frame of the second edge. After a motion, the frame
 * transported along the curve to the second edge is ahead of the one transported there in time
 * by ψ. */
static void holonomy_is_the_angle_from_time_to_space_transport(void **state)
{
    (void)state;
    uint64_t seed = 24;
    for (int trial = 0; trial < 50; trial++) {
        double t0[3], t1[3], s0[3], s1[3], u0[3], u1[3], along[3], in_time[3];
        random_unit(&seed, t0), random_unit(&seed, t1);
        if (v3_dot(t0, t1) < -0.5) continue;
        random_unit(&seed, s0), random_unit(&seed, s1);
        v3_combine(s0, 1, t0, 0.3, s0), v3_normalize(s0, s0);
        v3_combine(s1, 1, t1, 0.3, s1), v3_normalize(s1, s1);
        random_normal(&seed, t0, u0);
        transport(u1, t0, t1, u0);
        transport(along, t0, s0, u0), transport(along, s0, s1, along);
        transport(in_time, t1, s1, u1);
        assert_close(angle_about(s1, in_time, along), holonomy(t0, t1, s0, s1), 1e-12);
    }
}

enum { EDGES = 10000 };

/* Bishop frames of a long helix-like curve, orthonormalised at every edge, stay orthonormal and
 * without twist from edge to edge. */
static void bishop_frames_of_a_long_curve(void **state)
{
    (void)state;
    double *t = malloc(sizeof(double) * 3 * EDGES), *u = malloc(sizeof(double) * 3 * EDGES);
    for (int i = 0; i < EDGES; i++) {
        v3_set(t + 3 * i, cos(0.3 * i), sin(0.3 * i), 0.5 + 0.2 * sin(0.011 * i));
        v3_normalize(t + 3 * i, t + 3 * i);
    }
    v3_set(u, 0, 0, 1);
    for (int i = 0; i < EDGES; i++) {
        if (i > 0) assert_true(transport(u + 3 * i, t + 3 * (i - 1), t + 3 * i, u + 3 * (i - 1)));
        rotate_about(u + 3 * i, t + 3 * i, 0);
        assert_close(v3_norm(u + 3 * i), 1, 1e-15);
        assert_close(v3_dot(u + 3 * i, t + 3 * i), 0, 1e-15);
        if (i == 0) continue;
        const double *before = t + 3 * (i - 1), *u_before = u + 3 * (i - 1);
        assert_close(transport_angle(before, u_before, t + 3 * i, u + 3 * i), 0, 1e-15);
    }
    free(t), free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transport_is_the_smallest_rotation),
        cmocka_unit_test(antiparallel_is_refused),
        cmocka_unit_test(curvature_is_twice_the_tangent_of_half_the_turn),
        cmocka_unit_test(angle_is_the_twist_put_in),
        cmocka_unit_test(half_a_turn_is_plus_pi),
        cmocka_unit_test(holonomy_gradient_matches_differences),
        cmocka_unit_test(holonomy_is_the_angle_from_time_to_space_transport),
        cmocka_unit_test(bishop_frames_of_a_long_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
