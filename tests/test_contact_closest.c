#include "support/contact_strands.h"
#include "support/test.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* t minimises the convex |a(t₁) − b(t₂)|² on the unit square: the gradient vanishes or points outward. */
static void assert_least(const double *a, const double *b, const double t[2], double distance)
{
    double d[2][3], w[3], p[3], q[3];
    v3_sub(d[0], a + 3, a);
    v3_sub(d[1], b + 3, b);
    v3_combine(p, 1 - t[0], a, t[0], a + 3);
    v3_combine(q, 1 - t[1], b, t[1], b + 3);
    v3_sub(w, p, q);
    assert_close(distance, v3_norm(w), 1e-14);
    for (int i = 0; i < 2; i++) {
        double slope = (i ? -1 : 1) * v3_dot(w, d[i]), tolerance = 1e-13;
        assert_true(t[i] >= 0 && t[i] <= 1);
        if (t[i] > 0) assert_true(slope <= tolerance);
        if (t[i] < 1) assert_true(slope >= -tolerance);
    }
}

static void random_segments(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int k = 0; k < 20000; k++) {
        double a[6], b[6], t[2], sin2;
        random_vector(&seed, 6, a);
        random_vector(&seed, 6, b);
        double d = cord__closest_points(a, a + 3, b, b + 3, t, &sin2);
        assert_least(a, b, t, d);
        assert_true(sin2 >= 0 && sin2 <= 1 + 1e-15);
    }
}

/* Parallel, nearly parallel, of length zero, and intersecting ones. */
static void special_segments(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 20000; k++) {
        double a[6], b[6], t[2], d[3], noise[3];
        random_vector(&seed, 6, a);
        random_vector(&seed, 3, b);
        random_vector(&seed, 3, noise);
        v3_sub(d, a + 3, a);
        const double tilt[] = {0, 1e-16, 1e-12, 1e-8, 1e-4};
        v3_copy(b + 3, b);
        v3_axpy(b + 3, k % 7 - 3, d); /* of length zero where k % 7 is 3 */
        v3_axpy(b + 3, tilt[k % 5], noise);
        if (k % 11 == 0) v3_copy(a + 3, a);
        assert_least(a, b, t, cord__closest_points(a, a + 3, b, b + 3, t, NULL));
    }
}

static void known_distances(void **state)
{
    (void)state;
    const double a[] = {-1, 0, 0, 1, 0, 0}, skew[] = {0.5, -1, 3, 0.5, 3, 3};
    const double point[] = {5, 3, 0, 5, 3, 0}, ahead[] = {2, 0, 0, 7, 0, 0};
    double t[2], sin2;
    assert_close(cord__closest_points(a, a + 3, skew, skew + 3, t, &sin2), 3, 0);
    assert_close(t[0], 0.75, 1e-15);
    assert_close(t[1], 0.25, 1e-15);
    assert_close(sin2, 1, 1e-15);
    assert_close(cord__closest_points(a, a + 3, point, point + 3, t, &sin2), 5, 0);
    assert_close(cord__closest_points(point, point + 3, point, point + 3, t, &sin2), 0, 0);
    assert_close(cord__closest_points(a, a + 3, ahead, ahead + 3, t, &sin2), 1, 0);
    assert_close(sin2, 0, 0);
}

/* ---- curves ---------------------------------------------------------------------------------- */

/* A unit circle about z by arc length. */
static void circle(const void *context, int segment, double s, double r[3], double r_s[3],
                   double r_ss[3])
{
    (void)context, (void)segment;
    v3_set(r, cos(s), sin(s), 0);
    v3_set(r_s, -sin(s), cos(s), 0);
    v3_scale(r_ss, -1, r);
}

static contact_segment arc(double s0, double s1, double radius, int block)
{
    const double a[3] = {cos(s0), sin(s0), 0}, b[3] = {cos(s1), sin(s1), 0};
    contact_segment g = single_segment(a, b, radius, block);
    g.s[0] = s0, g.s[1] = s1;
    g.bulge = (s1 - s0) * (s1 - s0) / 8;
    return g;
}

/* A straight strand along z outside the circle: the contact is on the ray to it, not on a chord. */
static void straight_and_circle(void **state)
{
    (void)state;
    const contact_curve curves[] = {{circle, .first = 0, ANY_CURVE}, {.first = 10, ANY_CURVE}};
    for (int k = 1; k < 10; k++) {
        double angle = 0.0157 * k; /* the chord's middle is at 0.0785 */
        const double a[3] = {1.2 * cos(angle), 1.2 * sin(angle), -1};
        const double b[3] = {1.2 * cos(angle), 1.2 * sin(angle), 2};
        const contact_segment list[] = {arc(0, 0.157, 0.05, 0), single_segment(a, b, 0.1, 1)};
        contact c[PAIR_CONTACTS];
        contact_candidate pair = {0, 1};
        assert_int_equal(cord__pair_contacts(curves, list, pair, 0.1, c), 1);
        assert_close(c->s[0], angle, 1e-12);
        assert_close(c->s[1], 1, 1e-12);
        assert_close(c->gap, 0.05, 1e-12);
        assert_close(c->normal[0], -cos(angle), 1e-12);
        assert_close(c->normal[1], -sin(angle), 1e-12);
        assert_close(fabs(c->tangent[0][1]), cos(angle), 1e-12);
        assert_close(c->tangent[1][2], -1, 1e-12);
        assert_int_equal(cord__pair_contacts(curves, list, pair, 0.04, c), 0);
    }
}

/* Another circle of radius 1, about the point (1.1, 0, 0.3) in the plane of x and z, tilted by the second coordinate. */
static void other_circle(const void *context, int segment, double s, double r[3], double r_s[3],
                         double r_ss[3])
{
    (void)context, (void)segment;
    v3_set(r, 1.1 + cos(s), 0.2 * sin(s), 0.3 + sin(s));
    v3_set(r_s, -sin(s), 0.2 * cos(s), cos(s));
    v3_set(r_ss, -cos(s), -0.2 * sin(s), -sin(s));
}

/* Whole linked curves in pieces of 0.2: the least of all contacts agrees with dense sampling. */
static void linked_circles(void **state)
{
    (void)state;
    enum { N = 32, SAMPLES = 2000 };
    const contact_curve curves[] = {{circle, .first = 0, .period = 2 * pi, ANY_CURVE},
                                    {other_circle, .first = N, .period = 2 * pi, ANY_CURVE}};
    contact_segment list[2 * N];
    double step = 2 * pi / N, least = INFINITY, sampled = INFINITY;
    for (int i = 0; i < 2 * N; i++) {
        double r[2][3], unused[3];
        contact_segment *g = list + i;
        for (int e = 0; e < 2; e++)
            curves[i / N].evaluate(NULL, 0, (i % N + e) * step, r[e], unused, unused);
        *g = single_segment(r[0], r[1], 0.01, i / N);
        g->segment = i % N, g->s[0] = i % N * step, g->s[1] = (i % N + 1) * step, g->bulge = 0.01;
        g->before = i / N * N + (i + N - 1) % N;
        g->after = i / N * N + (i + 1) % N;
    }
    for (int i = 0; i < N; i++)
        for (int j = N; j < 2 * N; j++) {
            contact c[PAIR_CONTACTS];
            int count = cord__pair_contacts(curves, list, (contact_candidate){i, j}, 1, c);
            for (int k = 0; k < count; k++) least = fmin(least, c[k].gap + 0.02);
        }
    static double r[SAMPLES][3], q[SAMPLES][3];
    for (int i = 0; i < SAMPLES; i++) {
        double unused[3], s = 2 * pi * i / SAMPLES;
        circle(NULL, 0, s, r[i], unused, unused);
        other_circle(NULL, 0, s, q[i], unused, unused);
    }
    for (int i = 0; i < SAMPLES; i++)
        for (int j = 0; j < SAMPLES; j++) sampled = fmin(sampled, v3_distance(r[i], q[j]));
    assert_true(least <= sampled + 1e-12);
    assert_close(least, sampled, 1e-4);
}

/* ---- parallel segments ----------------------------------------------------------------------- */

static const contact_curve straight[] = {{.first = 0, ANY_CURVE}, {.first = 1, ANY_CURVE}};

static void parallel_segments(void **state)
{
    (void)state;
    const contact_segment list[] = {
        single_segment((double[]){0, 0, 0}, (double[]){1, 0, 0}, 0.1, 0),
        single_segment((double[]){1.7, 0.25, 0}, (double[]){0.3, 0.25, 0}, 0.1, 1)};
    contact c[PAIR_CONTACTS];
    assert_int_equal(cord__pair_contacts(straight, list, (contact_candidate){0, 1}, 0.1, c), 2);
    assert_close(c[0].s[0], 0.3, 1e-15);
    assert_close(c[0].s[1], 1.4, 1e-15);
    assert_close(c[1].s[0], 1, 1e-15);
    assert_close(c[1].s[1], 0.7, 1e-15);
    for (int i = 0; i < 2; i++) {
        assert_close(c[i].gap, 0.05, 1e-15);
        assert_close(c[i].normal[1], -1, 1e-15);
        assert_close(c[i].tangent[0][0], 1, 1e-15); /* along the first strand */
    }
    assert_true(c[0].key < c[1].key);
}

/* Thin segments that cross at a small angle: the ends of the overlap alone would miss the crossing. */
static void slender_crossing(void **state)
{
    (void)state;
    const contact_segment list[] = {
        single_segment((double[]){0, 0, 0}, (double[]){1, 0, 0}, 0.001, 0),
        single_segment((double[]){0, -0.04, 0.003}, (double[]){1, 0.04, 0.003}, 0.001, 1)};
    contact c[PAIR_CONTACTS];
    assert_int_equal(cord__pair_contacts(straight, list, (contact_candidate){0, 1}, 0.01, c), 1);
    assert_close(c->gap, 0.001, 1e-15);
    assert_close(c->s[0], 0.5, 1e-12);
    assert_int_equal(cord__pair_contacts(straight, list, (contact_candidate){0, 1}, 0.1, c), 3);
}

/* Axes that intersect have a normal all the same. */
static void intersecting_axes(void **state)
{
    (void)state;
    const contact_segment list[] = {
        single_segment((double[]){-1, 0, 0}, (double[]){1, 0, 0}, 0.1, 0),
        single_segment((double[]){0, -1, 0}, (double[]){0, 1, 0}, 0.1, 1)};
    contact c[PAIR_CONTACTS];
    assert_int_equal(cord__pair_contacts(straight, list, (contact_candidate){0, 1}, 0, c), 1);
    assert_close(c->gap, -0.2, 1e-15);
    assert_close(fabs(c->normal[2]), 1, 1e-15);
    assert_close(v3_norm(c->tangent[0]), 1, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_segments),  cmocka_unit_test(special_segments),
        cmocka_unit_test(known_distances),  cmocka_unit_test(straight_and_circle),
        cmocka_unit_test(linked_circles),   cmocka_unit_test(parallel_segments),
        cmocka_unit_test(slender_crossing), cmocka_unit_test(intersecting_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
