/* Routes: tangents of pulleys against the shortest path, pulleys that are left out, skew axes,
 * full turns. */
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_point place_with(cord_world *w, const double x[3], const double frame[9])
{
    cord_point_def def = cord_point_def_default();
    v3_copy(def.position, x);
    if (frame) memcpy(def.frame, frame, sizeof def.frame);
    return scene_add_point(w, &def);
}

/* A pulley as a polygon round it, in its plane. */
enum { CORNERS = 360 };
typedef struct disk {
    double center[2], radius;
    int side;
} disk;

static void corner(const disk *d, int k, double out[2])
{
    double r = d->radius / cos(pi / CORNERS), angle = 2 * pi * k / CORNERS;
    out[0] = d->center[0] + r * cos(angle), out[1] = d->center[1] + r * sin(angle);
}

/* The length of a straight line; infinite through a disk. */
static double straight(const double a[2], const double b[2], const disk *d, int count)
{
    double way[2] = {b[0] - a[0], b[1] - a[1]}, all = hypot(way[0], way[1]);
    for (int i = 0; i < count; i++) {
        double to[2] = {d[i].center[0] - a[0], d[i].center[1] - a[1]};
        double f = all > 0 ? (to[0] * way[0] + to[1] * way[1]) / (all * all) : 0;
        f = fmin(fmax(f, 0), 1);
        if (hypot(to[0] - f * way[0], to[1] - f * way[1]) < d[i].radius * (1 - 1e-9))
            return INFINITY;
    }
    return all;
}

/* From each corner of a disk to each corner further along it. */
static void go_round(const disk *d, const double in[CORNERS], double out[CORNERS])
{
    double edge = 2 * d->radius * tan(pi / CORNERS);
    for (int k = 0; k < CORNERS; k++) {
        out[k] = INFINITY;
        for (int n = 0; n < CORNERS; n++) {
            int from = (k - d->side * n + CORNERS) % CORNERS;
            out[k] = fmin(out[k], in[from] + n * edge);
        }
    }
}

/* The same to or from a corner of one of them, where it must run in the direction of the cable. */
static double touching(const double a[2], const double b[2], const disk *of, bool comes,
                       const disk *d, int count)
{
    const double *x = comes ? b : a;
    double normal[2] = {x[0] - of->center[0], x[1] - of->center[1]};
    double turn = normal[0] * (b[1] - a[1]) - normal[1] * (b[0] - a[0]);
    return of->side * turn > 0 ? straight(a, b, d, count) : INFINITY;
}

/* From a to b round the disks, each on its side, by enumeration of all paths over corners. */
static double shortest(const double a[2], const disk *d, int count, const double b[2])
{
    double in[CORNERS], out[CORNERS], x[2], y[2], best = INFINITY;
    for (int k = 0; k < CORNERS; k++) {
        corner(d, k, x);
        in[k] = touching(a, x, d, true, d, count);
    }
    go_round(d, in, out);
    for (int i = 1; i < count; i++) {
        for (int k = 0; k < CORNERS; k++) {
            corner(d + i, k, y);
            in[k] = INFINITY;
            for (int m = 0; m < CORNERS; m++) {
                corner(d + i - 1, m, x);
                if (!isfinite(touching(x, y, d + i - 1, false, d, count))) continue;
                in[k] = fmin(in[k], out[m] + touching(x, y, d + i, true, d, count));
            }
        }
        go_round(d + i, in, out);
    }
    for (int k = 0; k < CORNERS; k++) {
        corner(d + count - 1, k, x);
        best = fmin(best, out[k] + touching(x, b, d + count - 1, false, d, count));
    }
    return best;
}

/* A general plane in space: the point at its coordinates (u, v). */
static void lift(const double frame[9], double u, double v, double out[3])
{
    v3_combine(out, u, frame, v, frame + 3);
    v3_add(out, out, (double[]){0.3, -0.2, 0.7});
}

static void shortest_paths(void **unused)
{
    (void)unused;
    uint64_t random = 11;
    int touched = 0;
    for (int trial = 0; trial < 12; trial++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        int wheels = 1 + trial % 2;
        double turn[3], frame[9], x[3], a[2] = {-1, 0.4 * random_number(&random)};
        double b[2] = {1.5, 0.4 * random_number(&random)};
        disk d[2];
        cord_waypoint waypoints[4];
        random_vector(&random, 3, turn);
        cord__rotation_exp(frame, turn);
        for (int i = 0; i < wheels; i++) {
            d[i] = (disk){{0.8 * i, 0.3 * random_number(&random)},
                          0.15 + 0.1 * random_number(&random),
                          random_number(&random) > 0 ? 1 : -1};
            lift(frame, d[i].center[0], d[i].center[1], x);
            waypoints[i + 1] = rig_pulley(place_with(w, x, frame), d[i].radius, d[i].side);
        }
        lift(frame, a[0], a[1], x);
        waypoints[0] = rig_anchor(place_with(w, x, NULL));
        lift(frame, b[0], b[1], x);
        waypoints[wheels + 1] = rig_anchor(place_with(w, x, NULL));
        cord_strand cable = rig_route(w, waypoints, wheels + 2);
        bool all = true;
        for (int i = 0; i < wheels; i++) all = all && rig_in_contact(w, cable, i + 1, NULL);
        touched += all;
        double found = rig_length(w, cable), expected = shortest(a, d, wheels, b);
        /* Pulleys that are not in the way are left out; contact with them would take a full
         * turn. */
        if (all) assert_close(found, expected, 2e-4);
        if (!all) assert_true(found < expected + 2e-4);
        cord_world_destroy(w);
    }
    assert_in_range(touched, 6, 11);
}

/* A pulley that the straight line passes on the requested side is not in contact, however far
 * away it is; on the other side the cable wraps it. With a full turn the cable crosses itself. */
static void far_pulleys(void **unused)
{
    (void)unused;
    for (int k = 0; k < 6; k++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        const double far = 0.2 * pow(3, k), R = 0.05; /* to 48 m */
        cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -0.5, far)),
                                     rig_pulley(rig_world_point(w, 0.1, 0), R, -1),
                                     rig_anchor(rig_world_point(w, 0.5, far))};
        cord_strand above = rig_route(w, waypoints, 3);
        double angle, off[2] = {acos(R / hypot(0.6, far)), acos(R / hypot(0.4, far))};
        double seen = atan(0.6 / far) + atan(0.4 / far);
        assert_false(rig_in_contact(w, above, 1, NULL));
        assert_close(rig_length(w, above), 1, 1e-12);
        waypoints[1].side = 1;
        cord_strand below = rig_route(w, waypoints, 3);
        assert_true(rig_in_contact(w, below, 1, &angle));
        assert_close(angle, 2 * pi - seen - off[0] - off[1], 1e-12);
        waypoints[1].side = -1, waypoints[1].turns = 1;
        cord_strand loop = rig_route(w, waypoints, 3);
        assert_true(rig_in_contact(w, loop, 1, &angle));
        assert_close(angle, 2 * pi + seen - off[0] - off[1], 1e-12);
        cord_world_destroy(w);
    }
}

/* Four random pulleys: the first step neither wraps pulleys that the route leaves out, nor
 * unwraps others. */
static void routes_are_taut(void **unused)
{
    (void)unused;
    uint64_t random = 8;
    int left_out = 0;
    for (int trial = 0; trial < 60; trial++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_waypoint waypoints[6] = {
            rig_anchor(rig_world_point(w, -1, 0.5 * random_number(&random)))};
        bool found[6];
        for (int i = 1; i < 5; i++)
            waypoints[i] = rig_pulley(
                rig_world_point(w, 0.6 * (i - 1), 0.3 * random_number(&random)),
                0.125 + 0.075 * random_number(&random), random_number(&random) > 0 ? 1 : -1);
        waypoints[5] = rig_anchor(rig_on(w, rig_ball(w, 1, 3, 0.5 * random_number(&random)), 0, 0));
        cord_strand cable = rig_route(w, waypoints, 6);
        for (int i = 1; i < 5; i++) found[i] = rig_in_contact(w, cable, i, NULL);
        scene_advance(w, 1e-4, 1);
        for (int i = 1; i < 5; i++) {
            assert_true(rig_in_contact(w, cable, i, NULL) == found[i]);
            left_out += !found[i];
        }
        cord_world_destroy(w);
    }
    assert_in_range(left_out, 20, 200);
}

/* With skew axes: where a straight segment meets a rim it is normal to the rim's normal and runs
 * in the direction of the cable. */
static void skew_axes(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    for (int trial = 0; trial < 20; trial++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        double frame[2][9], center[2][3], turn[3];
        int side[2];
        cord_waypoint waypoints[4];
        for (int i = 0; i < 2; i++) {
            random_vector(&random, 3, turn);
            v3_scale(turn, 0.5, turn);
            cord__rotation_exp(frame[i], turn);
            v3_set(center[i], i, 0, 0.2 * random_number(&random));
            side[i] = random_number(&random) > 0 ? 1 : -1;
            waypoints[i + 1] = rig_pulley(place_with(w, center[i], frame[i]), 0.2, side[i]);
            waypoints[i + 1].turns = 1;
        }
        waypoints[0] = rig_anchor(place_with(w, (double[]){-1, 0.3, 0}, NULL));
        waypoints[3] = rig_anchor(place_with(w, (double[]){2, -0.5, 0.2}, NULL));
        cord_strand cable = rig_route(w, waypoints, 4);
        assert_int_equal(rig_node_count(w, cable), 6);
        for (int k = 1; k < 5; k++) {
            int i = (k - 1) / 2, way = k % 2 ? -1 : 1;
            cord_node_state here = rig_node(w, cable, k), there = rig_node(w, cable, k + way);
            double normal[3], along[3], chord[3], axis = 0;
            v3_sub(normal, here.position, center[i]);
            assert_close(v3_norm(normal), 0.2, 1e-12);
            v3_sub(chord, there.position, here.position);
            assert_close(v3_dot(normal, chord), 0, 1e-11);
            axis = v3_dot(normal, frame[i] + 6);
            assert_close(axis, 0, 1e-12);
            v3_cross(along, frame[i] + 6, normal);
            assert_true(side[i] * way * v3_dot(along, chord) > 0);
        }
        double angle;
        assert_true(rig_in_contact(w, cable, 1, &angle));
        assert_true(angle > 2 * pi - 0.5 * pi && angle < 4 * pi);
        cord_world_destroy(w);
    }
}

static void whole_turns(void **unused)
{
    (void)unused;
    double angle[4], long_way[4];
    for (int turns = 0; turns < 4; turns++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -1, -1)),
                                     rig_pulley(rig_world_point(w, 0, 0), 0.3, -1),
                                     rig_anchor(rig_world_point(w, 1, -1))};
        waypoints[1].turns = turns;
        cord_strand cable = rig_route(w, waypoints, 3);
        assert_true(rig_in_contact(w, cable, 1, &angle[turns]));
        long_way[turns] = rig_length(w, cable);
        assert_close(angle[turns] - angle[0], 2 * pi * turns, 1e-12);
        assert_close(long_way[turns] - long_way[0], 2 * pi * 0.3 * turns, 1e-12);
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_paths),  cmocka_unit_test(far_pulleys),
        cmocka_unit_test(routes_are_taut), cmocka_unit_test(skew_axes),
        cmocka_unit_test(whole_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
