#include "curve/darboux.h"
#include "curve/darboux_piecewise.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/test.h"
#include "validation/baselines/darboux_integrators.h"
#include "validation/baselines/darboux_series.h"

#include <string.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Positive Gauss nodes of 10, and of 5 without the one at 0. */
static const double ten[] = {0.14887433898163122, 0.4333953941292472, 0.6794095682990244,
                             0.8650633666889845, 0.9739065285171717};
static const double five[] = {0.538469310105683, 0.906179845938664};

static curvature between(const double *a, const double *b, double length)
{
    curvature k;
    for (int i = 0; i < 3; i++) k.start[i] = a[i], k.slope[i] = (b[i] - a[i]) / length;
    return k;
}

/* Curvatures of up to `turn` radians over the length 1. */
static curvature random_curvature(uint64_t *seed, double turn)
{
    double a[3], b[3];
    for (int end = 0; end < 2; end++) {
        double *side = end ? b : a;
        random_unit(seed, side);
        v3_scale(side, turn * fabs(random_number(seed)), side);
    }
    return between(a, b, 1);
}

static void random_frame(uint64_t *seed, double q[4], double m[9])
{
    double w[3];
    random_vector(seed, 3, w);
    v3_scale(w, 3, w);
    cord__rotation_exp(m, w);
    cord__rotation_quaternion(q, m);
}

static void assert_rotation(const double *m, double tolerance)
{
    double g[9];
    m3_transposed_multiply(g, m, m);
    assert_all_close(g, identity, 9, tolerance);
}

/* All methods that are accurate to round-off. */
static void assert_curve(const curvature *k, double u, const double *R0, const double *R,
                         const double *r, double tolerance)
{
    double frame[9], place[3], size = fmax(1, u);
    cord__darboux_at(k, u, R0, frame, place);
    assert_all_close(frame, R, 9, tolerance);
    assert_all_close(place, r, 3, tolerance * size);
    cord__darboux_piecewise_at(k, u, R0, DARBOUX_SERIES_LIMIT, DARBOUX_SERIES_PRECISION, frame,
                               place);
    assert_all_close(frame, R, 9, tolerance);
    assert_all_close(place, r, 3, tolerance * size);
}

/* From validation/data/12_clothoid3d.csv, cases A and E: 60-digit arithmetic. */
static void reference_values(void **state)
{
    (void)state;
    const double gentle[2][3] = {{0.5, 1, -0.3}, {1.5, -2, 0.7}};
    const double gentle_r[3] = {0.97966235257230425755, -0.060431582710111478722,
                                0.0011313672687717494768};
    const double gentle_R[9] = {
        0.85016983397528082487,  -0.25754540195307842624, 0.45921848757565358409,
        -0.24700539833973764747, 0.57515848568548032161,  0.7798596345080393108,
        -0.46497267294914329004, -0.77644258144231914294, 0.42536728968471075492};
    const double curled[2][3] = {{10, 50, -30}, {-15, -40, 60}};
    const double curled_r[3] = {0.019614078661991297963, 0.018779509625669533398,
                                -0.0058339791184702659222};
    const double curled_R[9] = {
        0.35089403460351684061, 0.35152570902333655498, 0.86793032691299965140,
        0.72924294440306035555, -0.6840237317741717723, -0.017783768107207578203,
        0.58743348944201414955, 0.63917228527633801895, -0.49636749008834434301};
    curvature k = between(gentle[0], gentle[1], 1);
    assert_curve(&k, 1, identity, gentle_R, gentle_r, 2e-15);
    k = between(curled[0], curled[1], 2);
    assert_curve(&k, 2, identity, curled_R, curled_r, 4e-14); /* 100 rad */
}

/* Constant curvature: R = exp(u[κ]×), r = (u + (1 − cos θ)/|κ|² [κ]× + (θ − sin θ)/|κ|³ [κ]×²) e₁. */
static void helix(void **state)
{
    (void)state;
    uint64_t seed = 3;
    const double turns[] = {1e-9, 0.01, 1, 8, 40, 300};
    for (size_t t = 0; t < sizeof turns / sizeof *turns; t++) {
        curvature k = {{0}, {0}};
        double w[3], R[9], r[3], cross[3], twice[3], u = 0.7, n = turns[t] / u;
        random_unit(&seed, k.start);
        v3_scale(k.start, n, k.start);
        v3_scale(w, u, k.start);
        cord__rotation_exp(R, w);
        v3_cross(cross, k.start, identity);
        v3_cross(twice, k.start, cross);
        double theta = n * u, half = sin(theta / 2);
        v3_combine(r, 2 * half * half / (n * n), cross, (theta - sin(theta)) / (n * n * n), twice);
        r[0] += u;
        assert_curve(&k, u, identity, R, r, 2e-15 * fmax(4, turns[t]));
    }
}

/* In the plane of tangent and first director the angle is quadratic, and the position is that of
 * Romberg's method. */
static void planar(void **state)
{
    (void)state;
    const double cases[][3] = {{0, 1, 1}, {-5, 5, 2}, {200, -300, 1}, {-3, 0.5, 10}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double start = cases[c][0], u = cases[c][2], slope = (cases[c][1] - start) / u;
        double angle = u * (start + 0.5 * u * slope), r[3] = {0, 0, 0};
        assert_true(cord__clothoid_romberg(start, slope, u, 0, 1e-15, &r[0], &r[1]) > 0);
        double R[9] = {cos(angle), sin(angle), 0, -sin(angle), cos(angle), 0, 0, 0, 1};
        curvature k = {{0, 0, start}, {0, 0, slope}};
        assert_curve(&k, u, identity, R, r, 1e-13);
    }
    double x, y; /* 12_clothoid2d.csv, row 4 */
    cord__clothoid_romberg(200, -500, 1, 0, 1e-15, &x, &y);
    assert_close(x, 0.00524195169966161790802, 1e-14);
    assert_close(y, 0.120137491332250938532448, 1e-14);
}

static void twist_alone_leaves_the_line_straight(void **state)
{
    (void)state;
    curvature k = {{3, 0, 0}, {-20, 0, 0}};
    double angle = 3 * 2 - 10 * 4, r[3] = {2, 0, 0};
    double R[9] = {1, 0, 0, 0, cos(angle), sin(angle), 0, -sin(angle), cos(angle)};
    assert_curve(&k, 2, identity, R, r, 2e-14);
}

static int nodes(int n, const double *positive, double *x)
{
    for (int i = 0; i < n / 2; i++) {
        x[(n + 1) / 2 + i] = positive[i];
        x[n / 2 - 1 - i] = -positive[i];
    }
    if (n % 2) x[n / 2] = 0;
    return n;
}

/* Frames at the nodes and at the end, by both methods, against cord__darboux_at(). */
static void assert_frames(const curvature *k, double length, const double *q0, const double *R0,
                          int n, const double *x, double tolerance)
{
    for (int method = 0; method < 2; method++) {
        double frames[9 * 16], end[4], R[9], m[9];
        cord__darboux_frames((cord_kinematics)method, k, length, q0, n, x, frames, end);
        for (int i = 0; i < n; i++) {
            cord__darboux_at(k, length / 2 * (1 + x[i]), R0, R, NULL);
            assert_all_close(frames + 9 * i, R, 9, tolerance);
        }
        cord__darboux_at(k, length, R0, R, NULL);
        q4_matrix(m, end);
        assert_all_close(m, R, 9, tolerance);
        assert_close(end[0] * end[0] + v3_dot(end + 1, end + 1), 1, tolerance);
    }
}

static void frames_at_nodes(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 200; trial++) {
        curvature k = random_curvature(&seed, trial < 180 ? 8 : 60);
        double q0[4], R0[9], x[16];
        random_frame(&seed, q0, R0);
        int n = trial % 2 ? nodes(10, ten, x) : trial % 4 ? nodes(5, five, x) : nodes(4, five, x);
        assert_frames(&k, 1, q0, R0, n, x, trial < 180 ? 2e-14 : 1e-13);
    }
}

static void frames_in_special_cases(void **state)
{
    (void)state;
    const curvature cases[] = {
        {{0}, {0}},                  /* straight */
        {{0}, {3, -2, 4}},           /* no curvature at the start */
        {{-4, 4, -2}, {8, -8, 4}},   /* none in the middle */
        {{1e-200, 0, 0}, {0, 0, 0}}, /* squares underflow */
        {{0, 0, 7}, {0, 0, 0}},      /* a circle */
    };
    double x[16], q0[4], R0[9];
    uint64_t seed = 6;
    nodes(10, ten, x);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        random_frame(&seed, q0, R0);
        assert_frames(&cases[c], 1, q0, R0, 10, x, 1e-14);
        assert_frames(&cases[c], 0, q0, R0, 10, x, 1e-15);
    }
}

static void zero_length(void **state)
{
    (void)state;
    curvature k = {{1, 2, 3}, {4, 5, 6}};
    double r[3] = {0, 0, 0};
    assert_curve(&k, 0, identity, identity, r, 0);
}

/* They recover the input, whatever it is. */
static void numbers_that_are_none_end(void **state)
{
    (void)state;
    const double bad[] = {NAN, INFINITY};
    double x[10], q0[4] = {1, 0, 0, 0}, frames[90], end[4], R[9], r[3];
    nodes(10, ten, x);
    for (int b = 0; b < 2; b++) {
        curvature k = {{1, bad[b], 3}, {4, 5, 6}};
        cord__darboux_at(&k, 1, identity, R, r);
        assert_true(isnan(R[0]) && isnan(r[0]));
        cord__darboux_frames(CORD_KINEMATICS_MIDPOINT, &k, 1, q0, 10, x, frames, end);
        assert_true(isnan(frames[89]) && isnan(end[0]));
        cord__darboux_frames(CORD_KINEMATICS_SERIES, &k, 1, q0, 10, x, frames, end);
        assert_true(isnan(frames[89]) && isnan(end[0]));
    }
}

/* From the far end backwards: s = u' − u has curvature −κ, and returns to the start. */
static void there_and_back(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 50; trial++) {
        curvature k = random_curvature(&seed, 100), back;
        double q0[4], R0[9], R[9], r[3], home[9], away[3];
        random_frame(&seed, q0, R0);
        cord__darboux_at(&k, 1, R0, R, r);
        for (int i = 0; i < 3; i++) {
            back.start[i] = -(k.start[i] + k.slope[i]);
            back.slope[i] = k.slope[i];
        }
        cord__darboux_at(&back, 1, R, home, away);
        assert_all_close(home, R0, 9, 1e-13);
        assert_all_close(away, r, 3, 1e-14); /* tangents point the other way */
    }
}

/* A curve is its first part followed by the rest; the rotated problem has the rotated curve. */
static void parts_and_turns(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int trial = 0; trial < 50; trial++) {
        curvature k = random_curvature(&seed, 60), rest = k;
        double q0[4], R0[9], whole[9], r[3], first[9], p[3], last[9], q[3], moved[9], m[3];
        random_frame(&seed, q0, R0);
        cord__darboux_at(&k, 1, identity, whole, r);
        cord__darboux_at(&k, 0.3, identity, first, p);
        v3_axpy(rest.start, 0.3, k.slope);
        cord__darboux_at(&rest, 0.7, first, last, q);
        v3_add(q, p, q);
        assert_all_close(last, whole, 9, 5e-14);
        assert_all_close(q, r, 3, 5e-15);
        cord__darboux_at(&k, 1, R0, moved, m);
        m3_multiply(whole, R0, whole);
        m3_apply(r, R0, r);
        assert_all_close(moved, whole, 9, 2e-15);
        assert_all_close(m, r, 3, 2e-15);
    }
}

/* A thousand radians of elements, each begun where the last ended, without projection. */
static void frames_stay_orthonormal(void **state)
{
    (void)state;
    for (int method = 0; method < 2; method++) {
        uint64_t seed = 9;
        double q[4] = {1, 0, 0, 0}, x[16], turned = 0;
        nodes(10, ten, x);
        while (turned < 1000) {
            curvature k = random_curvature(&seed, 6);
            double frames[90], end[4], middle[3];
            cord__darboux_frames((cord_kinematics)method, &k, 1, q, 10, x, frames, end);
            for (int i = 0; i < 10; i++) assert_rotation(frames + 9 * i, 1e-13);
            memcpy(q, end, sizeof q);
            v3_combine(middle, 1, k.start, 0.5, k.slope);
            turned += v3_norm(middle); /* less than the rotation angle */
        }
    }
}

static void one_long_curve_stays_orthonormal(void **state)
{
    (void)state;
    curvature k = {{300, -200, 100}, {1000, 800, -900}};
    double R[9], r[3], P[9], p[3];
    cord__darboux_at(&k, 1, identity, R, r); /* 900 rad */
    assert_rotation(R, 1e-13);
    cord__darboux_piecewise_at(&k, 1, identity, 10, DARBOUX_SERIES_PRECISION, P, p);
    assert_rotation(P, 1e-12);
    assert_all_close(R, P, 9, 1e-12);
    assert_all_close(r, p, 3, 1e-13);
}

/* A(s_max) = M, with the curvature at the current point   [2013, eq. 14] */
static void safe_length(void **state)
{
    (void)state;
    double kappa[3] = {1, -4, 2}, slope[3] = {3, 0, -5}, nothing[3] = {0, 0, 0};
    double s = cord__darboux_safe_length(kappa, slope, 10);
    assert_close(2 * s * (4 + 5 * s), 10, 1e-14);
    assert_close(cord__darboux_safe_length(kappa, nothing, 10), 10.0 / 8, 1e-15);
    assert_true(isinf(cord__darboux_safe_length(nothing, nothing, 10)));
    curvature k = {{0, 0, 10}, {0, 0, 0}};
    double R[9];
    assert_int_equal(cord__darboux_piecewise_at(&k, 5.2, identity, 10, 1e-16, R, NULL), 11);
}

/* The paper's Fig. 3a: one summation over many radians is wrong. */
static void naive_summation_fails(void **state)
{
    (void)state;
    curvature k = {{0, 0, 60}, {0, 0, 0}};
    double R[9];
    assert_int_equal(cord__darboux_piecewise_at(&k, 1, identity, INFINITY, 1e-16, R, NULL), 1);
    assert_true(fabs(R[0] - cos(60)) > 1e3);
    k.start[2] = 2;
    cord__darboux_piecewise_at(&k, 1, identity, INFINITY, 1e-16, R, NULL);
    assert_close(R[0], cos(2), 1e-15);
}

static void terms_are_below_their_bound(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int trial = 0; trial < 20; trial++) {
        curvature k = random_curvature(&seed, 20);
        double sizes[120], bound = cord__darboux_term_bound(&k, 1);
        cord__darboux_term_sizes(&k, 1, 120, sizes);
        assert_close(sizes[0], 1, 0);
        for (int n = 0; n < 120; n++) assert_true(sizes[n] <= bound);
    }
    curvature circle = {{0, 0, 5}, {0, 0, 0}};
    double sizes[3];
    cord__darboux_term_sizes(&circle, 1, 3, sizes);
    assert_close(sizes[2], 12.5, 1e-14);
    assert_close(cord__darboux_term_bound(&circle, 1), 2755.7319223985893, 1e-9); /* 10¹⁰/10! */
}

/* Halving the step divides the error by 2^order. */
static void baselines_converge_at_their_orders(void **state)
{
    (void)state;
    static const int orders[] = {1, 1, 2, 4};
    const double a[3] = {0.5, 1, -0.3}, b[3] = {1.5, -2, 0.7};
    curvature k = between(a, b, 1);
    double exact[9], place[3];
    cord__darboux_at(&k, 1, identity, exact, place);
    for (int method = 0; method < 4; method++) {
        double error[2] = {0, 0};
        for (int fine = 0; fine < 2; fine++) {
            double R[9], r[3];
            cord__darboux_integrate((darboux_integrator)method, &k, 1, identity, fine ? 400 : 200,
                                    R, r);
            for (int i = 0; i < 9; i++) error[fine] = fmax(error[fine], fabs(R[i] - exact[i]));
            error[fine] = fmax(error[fine], v3_distance(r, place));
        }
        assert_close(log2(error[0] / error[1]), orders[method], 0.05);
    }
}

/* Iterates that diverge have curvatures of any size: the sums end, with numbers that mean nothing. */
static void enormous_curvatures_end(void **unused)
{
    (void)unused;
    const double sizes[] = {1e9, 1e40, 1e200, INFINITY, NAN}, nodes[1] = {0},
                 start[4] = {1, 0, 0, 0};
    for (int i = 0; i < 5; i++)
        for (int slope = 0; slope < 2; slope++) {
            double R[9], r[3], frames[9], end[4];
            curvature k = {{0, sizes[i], 0}, {0, slope * sizes[i], 0}};
            cord__darboux_at(&k, 1, identity, R, r);
            cord__darboux_frames(CORD_KINEMATICS_SERIES, &k, 1, start, 1, nodes, frames, end);
            cord__darboux_frames(CORD_KINEMATICS_MIDPOINT, &k, 1, start, 1, nodes, frames, end);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values),
        cmocka_unit_test(helix),
        cmocka_unit_test(planar),
        cmocka_unit_test(twist_alone_leaves_the_line_straight),
        cmocka_unit_test(frames_at_nodes),
        cmocka_unit_test(frames_in_special_cases),
        cmocka_unit_test(zero_length),
        cmocka_unit_test(numbers_that_are_none_end),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(parts_and_turns),
        cmocka_unit_test(frames_stay_orthonormal),
        cmocka_unit_test(one_long_curve_stays_orthonormal),
        cmocka_unit_test(safe_length),
        cmocka_unit_test(naive_summation_fails),
        cmocka_unit_test(terms_are_below_their_bound),
        cmocka_unit_test(baselines_converge_at_their_orders),
        cmocka_unit_test(enormous_curvatures_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
