#include "math/rotation.h"
#include "support/numbers.h"
#include "support/test.h"

static const double pi = 3.14159265358979323846;
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void assert_rotation(const double *m)
{
    double g[9], c[3];
    m3_transposed_multiply(g, m, m);
    assert_all_close(g, identity, 9, 4e-15);
    v3_cross(c, m, m + 3);
    assert_all_close(c, m + 6, 3, 4e-15);
}

static void quarter_turn_about_z(void **state)
{
    (void)state;
    double w[3] = {0, 0, pi / 2}, m[9], expected[9] = {0, 1, 0, -1, 0, 0, 0, 0, 1};
    cord__rotation_exp(m, w);
    assert_all_close(m, expected, 9, 4e-16); /* a few roundings of 1 */
}

/* Angles from the smallest to π, where the vector is known up to its sign. */
static void vector_to_matrix_and_back(void **state)
{
    (void)state;
    const double angles[] = {0,   1e-300, 1e-170, 1e-20,     1e-9,      1e-5,
                             0.1, 1.0,    2.5,    pi - 1e-4, pi - 1e-8, pi - 1e-12};
    uint64_t seed = 9;
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        for (int trial = 0; trial < 50; trial++) {
            double axis[3], w[3], m[9], back[3];
            random_unit(&seed, axis);
            v3_scale(w, angles[k], axis);
            cord__rotation_exp(m, w);
            assert_rotation(m);
            cord__rotation_log(back, m);
            assert_all_close(back, w, 3, 1e-14 * angles[k]);
        }
    }
}

static void half_turns(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int trial = 0; trial < 53; trial++) {
        double axis[3] = {trial == 50, trial == 51, trial == 52}, w[3], m[9], back[3];
        if (trial < 50) random_unit(&seed, axis);
        v3_scale(w, pi, axis);
        cord__rotation_exp(m, w);
        cord__rotation_log(back, m);
        if (v3_dot(back, w) < 0) v3_scale(back, -1, back);
        assert_all_close(back, w, 3, 1e-14);
    }
}

static void whole_turns_give_the_identity(void **state)
{
    (void)state;
    double w[3] = {0, 6 * pi, 0}, m[9];
    cord__rotation_exp(m, w);
    assert_all_close(m, identity, 9, 1e-14);
}

/* d/dε log(exp[ε δ] exp[w]) by central differences, at angles on both sides of the series' end. */
static void jacobian_matches_differences(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-6, 0.01, 0.3, 0.499, 0.501, 1, 2, 3};
    const double step = 1e-5;
    uint64_t seed = 12;
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        double axis[3], w[3], m[9], jacobian[9];
        random_unit(&seed, axis);
        v3_scale(w, angles[k], axis);
        cord__rotation_exp(m, w);
        cord__rotation_dlog(jacobian, w);
        for (int c = 0; c < 3; c++) {
            double side[2][3];
            for (int s = 0; s < 2; s++) {
                double turn[3] = {0, 0, 0}, moved[9];
                turn[c] = s ? step : -step;
                cord__rotation_exp(moved, turn);
                m3_multiply(moved, moved, m);
                cord__rotation_log(side[s], moved);
            }
            double difference[3];
            v3_sub(difference, side[1], side[0]);
            v3_scale(difference, 0.5 / step, difference);
            assert_all_close(difference, jacobian + 3 * c, 3, 1e-9);
        }
    }
}

static void jacobian_is_smooth_where_the_series_ends(void **state)
{
    (void)state;
    double below[9], above[9], w[3] = {0.3, -0.4, 0}, v[3];
    v3_scale(v, 1 - 1e-15, w);
    cord__rotation_dlog(below, v);
    cord__rotation_dlog(above, w);
    assert_all_close(below, above, 9, 2e-15);
}

static void orthonormalise_repairs_and_keeps_the_first_direction(void **state)
{
    (void)state;
    uint64_t seed = 13;
    for (int trial = 0; trial < 50; trial++) {
        double w[3], m[9], before[9];
        random_vector(&seed, 3, w);
        cord__rotation_exp(m, w);
        for (int i = 0; i < 9; i++) before[i] = m[i] += 1e-3 * random_number(&seed);
        cord__rotation_orthonormalise(m);
        assert_rotation(m);
        assert_all_close(m, before, 9, 5e-3);
        v3_normalize(before, before);
        assert_all_close(m, before, 3, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quarter_turn_about_z),
        cmocka_unit_test(vector_to_matrix_and_back),
        cmocka_unit_test(half_turns),
        cmocka_unit_test(whole_turns_give_the_identity),
        cmocka_unit_test(jacobian_matches_differences),
        cmocka_unit_test(jacobian_is_smooth_where_the_series_ends),
        cmocka_unit_test(orthonormalise_repairs_and_keeps_the_first_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
