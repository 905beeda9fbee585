/* The bound of contact_margin.c: what comes into contact in an attempt, in any motion within the allowances, was listed. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/numbers.h" /* before problem.h, whose `state` its parameters would shadow */

#include "solve/contact_detection.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { TRIALS = 4000, INSTANTS = 16 };

typedef struct two_segments {
    contact_segment segment[2];
    double start[2][2][3], ahead[2][2][3], end[2][2][3];
    double allowance[2];
    contact_set set;
} two_segments;

static double within(uint64_t *seed, double low, double high)
{
    return low + 0.5 * (high - low) * (1 + random_number(seed));
}

static void scattered(uint64_t *seed, double size, double v[3])
{
    random_vector(seed, 3, v);
    v3_scale(v, size, v);
}

static void random_segment(uint64_t *seed, two_segments *t, int i)
{
    double at[3], along[3], common[3], own[3];
    scattered(seed, 0.5, at);
    scattered(seed, 0.2, along);
    scattered(seed, 0.4, common);
    t->allowance[i] = within(seed, 0.005, 0.1);
    t->segment[i] = (contact_segment){.radius = within(seed, 0.005, 0.05), .block = i};
    for (int end = 0; end < 2; end++) {
        v3_copy(t->start[i][end], at);
        v3_axpy(t->start[i][end], end ? 1 : -1, along);
        v3_copy(t->segment[i].x[end], t->start[i][end]);
        scattered(seed, 0.1, own);
        v3_add(t->ahead[i][end], t->start[i][end], common);
        v3_add(t->ahead[i][end], t->ahead[i][end], own);
    }
}

/* Both deviate towards the other as far as the rule admits. */
static void deviate(two_segments *t)
{
    double p[3], q[3], towards[3], at[2];
    cord__closest_points(t->ahead[0][0], t->ahead[0][1], t->ahead[1][0], t->ahead[1][1], at, NULL);
    v3_combine(p, 1 - at[0], t->ahead[0][0], at[0], t->ahead[0][1]);
    v3_combine(q, 1 - at[1], t->ahead[1][0], at[1], t->ahead[1][1]);
    v3_sub(towards, q, p);
    v3_normalize(towards, towards);
    for (int i = 0; i < 2; i++)
        for (int end = 0; end < 2; end++) {
            v3_copy(t->end[i][end], t->ahead[i][end]);
            v3_axpy(t->end[i][end], (i ? -1 : 1) * t->allowance[i], towards);
        }
}

static void between(const two_segments *t, int i, double tau, double x[2][3])
{
    for (int end = 0; end < 2; end++)
        v3_combine(x[end], 1 - tau, t->start[i][end], tau, t->end[i][end]);
}

static bool segments_touch(const two_segments *t)
{
    for (int k = 0; k <= INSTANTS; k++) {
        double x[2][2][3], at[2];
        for (int i = 0; i < 2; i++) between(t, i, (double)k / INSTANTS, x[i]);
        if (cord__closest_points(x[0][0], x[0][1], x[1][0], x[1][1], at, NULL) <
            t->segment[0].radius + t->segment[1].radius)
            return true;
    }
    return false;
}

static void use(two_segments *t)
{
    t->set = (contact_set){.segment = t->segment,
                           .segments = 2,
                           .start = t->start,
                           .ahead = t->ahead,
                           .allowance = t->allowance};
}

static void touching_segments_are_listed(void **unused)
{
    (void)unused;
    uint64_t seed = 1;
    int touching = 0, left_out = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        two_segments t;
        double normal[3];
        for (int i = 0; i < 2; i++) random_segment(&seed, &t, i);
        deviate(&t);
        use(&t);
        const bool listed = cord__may_touch(&t.set, 0, 1, normal), touch = segments_touch(&t);
        assert_true(listed || !touch);
        touching += touch, left_out += !listed;
    }
    assert_true(touching > TRIALS / 20 && left_out > TRIALS / 4);
}

static void turn(const double axis[3], double angle, double R[9])
{
    const double half = 0.5 * angle, s = sin(half);
    q4_matrix(R, (double[]){cos(half), s * axis[0], s * axis[1], s * axis[2]});
}

/* A box on a point that moves and turns, and a segment that is expected to follow one of its material points at first, as far as
 * a straight motion can. */
static void turning_obstacles_are_listed(void **unused)
{
    (void)unused;
    uint64_t seed = 2;
    int touching = 0, left_out = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        two_segments t;
        obstacle box = {.shape = {.ops = &cord__box_shape, .half = {0.5, 0.05, 0.1}}};
        obstacle_carrier on = {.block = -1, .point = 0, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        double axis[3], moved[3], y[3], normal[3];
        const double angle = within(&seed, 0.5, 2);
        scattered(&seed, 1, axis);
        scattered(&seed, 0.2, moved);
        v3_normalize(axis, axis);
        scattered(&seed, 1, on.x);
        cord__obstacle_bounds(&box);
        v3_copy(on.start_x, on.x);
        turn(axis, 0, on.start_R);
        turn(axis, angle, on.ahead_R);
        m3_apply(on.ahead_x, on.ahead_R, on.x);
        v3_add(on.ahead_x, on.ahead_x, moved);
        v3_copy(box.x, on.start_x);
        memcpy(box.R, on.start_R, sizeof box.R);
        for (int i = 0; i < 2; i++) random_segment(&seed, &t, i);
        for (int end = 0; end < 2; end++) {
            v3_add(t.start[0][end], t.start[0][end], on.x);
            v3_copy(t.segment[0].x[end], t.start[0][end]);
            v3_sub(y, t.start[0][end], on.start_x);
            m3_apply(t.ahead[0][end], on.ahead_R, y);
            v3_add(t.ahead[0][end], t.ahead[0][end], on.ahead_x);
            v3_copy(t.end[0][end], t.ahead[0][end]);
        }
        t.allowance[0] = 1e-3;
        use(&t);
        t.set.obstacle = &box;
        t.set.obstacles = 1;
        t.set.carrier = &on;
        const bool listed = cord__may_touch_obstacle(&t.set, 0, 0);
        bool touch = false;
        for (int k = 0; k <= INSTANTS; k++) {
            const double tau = (double)k / INSTANTS;
            obstacle now = box;
            double x[2][3], middle[3];
            turn(axis, tau * angle, now.R);
            m3_apply(now.x, now.R, on.x);
            v3_axpy(now.x, tau, moved);
            between(&t, 0, tau, x);
            for (int part = 0; part <= 8; part++) {
                v3_combine(middle, 1 - part / 8.0, x[0], part / 8.0, x[1]);
                touch =
                    touch || cord__obstacle_distance(&now, middle, normal) < t.segment[0].radius;
            }
        }
        assert_true(listed || !touch);
        touching += touch, left_out += !listed;
    }
    assert_true(touching > TRIALS / 20 && left_out > TRIALS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(touching_segments_are_listed),
                                       cmocka_unit_test(turning_obstacles_are_listed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
