#include "support/contact_strands.h"
#include "support/test.h"

static segment_motion random_motion(uint64_t *seed, double displacement)
{
    segment_motion m;
    for (int i = 0; i < 2; i++) {
        double d[3];
        random_vector(seed, 3, m.from[i]);
        random_vector(seed, 3, d);
        v3_combine(m.to[i], 1, m.from[i], displacement, d);
    }
    return m;
}

static double distance_at(const segment_motion *a, const segment_motion *b, double time)
{
    double x[2][3], y[2][3], t[2];
    for (int i = 0; i < 2; i++) {
        v3_combine(x[i], 1 - time, a->from[i], time, a->to[i]);
        v3_combine(y[i], 1 - time, b->from[i], time, b->to[i]);
    }
    return cord__closest_points(x[0], x[1], y[0], y[1], t, NULL);
}

/* Up to the time that is returned no sample of the motion is nearer than the separation; there the gap is a tenth of the
 * first, or the motion has ended. */
static void sampled_motion(void **state)
{
    (void)state;
    enum { SAMPLES = 200 };
    uint64_t seed = 1;
    int whole = 0, part = 0, overlapping = 0;
    for (int k = 0; k < 3000; k++) {
        segment_motion a = random_motion(&seed, 1), b = random_motion(&seed, 1);
        double separation = 0.05 * (1 + k % 3), first = distance_at(&a, &b, 0) - separation;
        double time = cord__free_time(&a, &b, separation);
        for (int i = 0; i <= SAMPLES && first > 0; i++)
            assert_true(distance_at(&a, &b, time * i / SAMPLES) > separation);
        if (first <= 0) {
            assert_close(time, 0, 0);
            overlapping++;
        } else if (time < 1) {
            assert_true(distance_at(&a, &b, time) - separation < 0.1 * first);
            part++;
        } else {
            whole++;
        }
    }
    assert_true(whole > 500 && part > 300 && overlapping > 100);
}

/* Head on, perpendicular, at unit speed: contact at (d − ξ)/v; a common motion changes nothing. */
static void known_time(void **state)
{
    (void)state;
    const double carried[3] = {5e5, -2e5, 7e4}; /* would take all iterations if it counted */
    segment_motion a = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 4}, {1, 0, 4}}};
    segment_motion b = {{{0, -1, 2}, {0, 1, 2}}, {{0, -1, 2}, {0, 1, 2}}};
    for (int i = 0; i < 2; i++) {
        v3_add(a.to[i], a.to[i], carried);
        v3_add(b.to[i], b.to[i], carried);
    }
    double time = cord__free_time(&a, &b, 0.4); /* at rest relative to each other until 1.6 of 4 */
    assert_true(time < 0.4 && time >= 0.9 * 0.4 - 1e-9);
    assert_close(cord__free_time(&a, &a, 0), 0, 0);
    segment_motion still = {{{0, 0, 9}, {1, 0, 9}},
                            {{5e5, -2e5, 7e4 + 9}, {5e5 + 1, -2e5, 7e4 + 9}}};
    assert_close(cord__free_time(&still, &b, 0.4), 1, 0);
}

/* Motions built so that two points of the segments meet at a chosen time. */
static void built_passages(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int k = 0; k < 5000; k++) {
        segment_motion a = random_motion(&seed, 1), b = random_motion(&seed, 1);
        double s = 0.5 + 0.49 * random_number(&seed), t = 0.5 + 0.49 * random_number(&seed);
        double time = 0.5 + 0.49 * random_number(&seed), x[3], y[3], p[3], q[3];
        v3_combine(x, 1 - time, a.from[0], time, a.to[0]);
        v3_combine(y, 1 - time, a.from[1], time, a.to[1]);
        v3_combine(p, 1 - s, x, s, y);
        v3_combine(x, 1 - time, b.from[0], time, b.to[0]);
        v3_combine(y, 1 - time, b.from[1], time, b.to[1]);
        v3_combine(q, 1 - t, x, t, y);
        for (int i = 0; i < 2; i++)
            for (int c = 0; c < 3; c++) {
                b.from[i][c] += p[c] - q[c];
                b.to[i][c] += p[c] - q[c];
            }
        assert_true(cord__pass_through(&a, &b));
        assert_true(cord__pass_through(&b, &a));
    }
}

/* Where continuous detection finds the whole motion free, nothing passes through; where the sampled distance becomes very
 * small, something does: the two methods share no code. */
static void agrees_with_continuous_detection(void **state)
{
    (void)state;
    uint64_t seed = 3;
    int free = 0, passing = 0;
    for (int k = 0; k < 5000; k++) {
        segment_motion a = random_motion(&seed, 1), b = random_motion(&seed, 1);
        bool passes = cord__pass_through(&a, &b);
        double least = INFINITY;
        for (int i = 0; i <= 100; i++) least = fmin(least, distance_at(&a, &b, i / 100.0));
        if (cord__free_time(&a, &b, 1e-6) == 1) {
            assert_false(passes);
            free++;
        }
        if (passes) {
            assert_true(least < 0.05); /* 100 samples of relative displacements up to 2 √3 */
            passing++;
        }
        if (least > 0.05) assert_false(passes);
    }
    assert_true(free > 1000 && passing > 300);
}

/* Motions in a plane have no volume: an end passes through the other segment, past it, or the segments stay on a line. */
static void motion_in_a_plane(void **state)
{
    (void)state;
    const segment_motion wall = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
    const segment_motion through = {{{0.3, 1, 0}, {0.5, 3, 0}}, {{0.3, -3, 0}, {0.5, -1, 0}}};
    const segment_motion into = {{{0.3, 1, 0}, {0.5, 3, 0}}, {{0.3, -1, 0}, {0.5, 1, 0}}};
    const segment_motion past = {{{1.3, 1, 0}, {1.5, 3, 0}}, {{1.3, -3, 0}, {1.5, -1, 0}}};
    const segment_motion along = {{{2, 0, 0}, {3, 0, 0}}, {{4, 0, 0}, {5, 0, 0}}};
    const segment_motion none = {{{0, 1, 0}, {1, 1, 0}}, {{0, 0.5, 0}, {1, 0.5, 0}}};
    assert_true(cord__pass_through(&wall, &through));
    assert_true(cord__pass_through(&through, &wall));
    assert_true(cord__pass_through(&wall, &into));
    assert_false(cord__pass_through(&wall, &past));
    assert_false(cord__pass_through(&wall, &along));
    assert_false(cord__pass_through(&wall, &none));
    assert_false(cord__pass_through(&none, &none));
}

/* A segment that tilts above another without meeting it, and one that goes down across it. */
static void tilting(void **state)
{
    (void)state;
    const segment_motion wall = {{{-1, 0, 0}, {1, 0, 0}}, {{-1, 0, 0}, {1, 0, 0}}};
    const segment_motion above = {{{0, -1, -0.5}, {0, 1, 1}}, {{0, -1, 1}, {0, 1, -0.5}}};
    const segment_motion down = {{{0, -1, 0.2}, {0.1, 1, 0.2}}, {{0, -1, -0.2}, {0.1, 1, -0.2}}};
    assert_false(cord__pass_through(&wall, &above));
    assert_true(cord__pass_through(&wall, &down));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sampled_motion),    cmocka_unit_test(known_time),
        cmocka_unit_test(built_passages),    cmocka_unit_test(agrees_with_continuous_detection),
        cmocka_unit_test(motion_in_a_plane), cmocka_unit_test(tilting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
