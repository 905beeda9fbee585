/* Routes: tangents of wheels against the shortest way, what is refused, wheels that are left and come to, drums, and
 * what becomes of a cable when what it passes goes. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_body ball(cord_world *w, double mass, double x, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = mass;
    v3_set(def.position, x, 0, z);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static cord_point place_with(cord_world *w, const double x[3], const double frame[9])
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    v3_copy(def.position, x);
    if (frame) memcpy(def.frame, frame, sizeof def.frame);
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

/* Wheels in the plane y = 0: angles from x to z. */
static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};

static cord_point place(cord_world *w, double x, double z)
{
    return place_with(w, (double[]){x, 0, z}, upright);
}

static cord_point on(cord_world *w, cord_body body, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_BODY, def.body = body;
    v3_set(def.position, x, 0, z);
    memcpy(def.frame, upright, sizeof upright);
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_point rotor(cord_world *w, double inertia)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_ROTOR, def.inertia = inertia;
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_stop anchor(cord_point at)
{
    return (cord_stop){.kind = CORD_STOP_ANCHOR, .on = at};
}

static cord_stop wheel(cord_point at, double radius, int side)
{
    return (cord_stop){.kind = CORD_STOP_WHEEL, .on = at, .radius = radius, .side = side};
}

static cord_strand route(cord_world *w, const cord_stop *stops, int count)
{
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.stops = stops, def.stop_count = count;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

static int node_count(cord_world *w, cord_strand cable)
{
    int count;
    assert_fine(w, cord_cable_node_count(w, cable, &count));
    return count;
}

static cord_node_state node(cord_world *w, cord_strand cable, int i)
{
    cord_node_state state;
    assert_fine(w, cord_cable_node_state(w, cable, i, &state));
    return state;
}

static double length(cord_world *w, cord_strand cable)
{
    return node(w, cable, node_count(w, cable) - 1).s - node(w, cable, 0).s;
}

static bool touches(cord_world *w, cord_strand cable, int stop, double *angle)
{
    bool found;
    assert_fine(w, cord_cable_wrap(w, cable, stop, &found, angle, NULL, NULL));
    return found;
}

static double height(cord_world *w, cord_body body)
{
    double x[3];
    assert_fine(w, cord_body_pose(w, body, x, NULL));
    return x[2];
}

static void run(cord_world *w, double h, int steps)
{
    for (int k = 0; k < steps; k++) assert_fine(w, cord_world_step(w, h));
}

/* ---- tangents --------------------------------------------------------------------------------------- */

/* A wheel as a polygon round it, in its plane. */
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

/* How far it is straight; infinite through a disk. */
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

/* From being at each corner of a disk to having gone on round it to each. */
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

/* The same to or from a corner of one of them, where it must run as the cable does round it. */
static double touching(const double a[2], const double b[2], const disk *of, bool comes,
                       const disk *d, int count)
{
    const double *x = comes ? b : a;
    double normal[2] = {x[0] - of->center[0], x[1] - of->center[1]};
    double turn = normal[0] * (b[1] - a[1]) - normal[1] * (b[0] - a[0]);
    return of->side * turn > 0 ? straight(a, b, d, count) : INFINITY;
}

/* From a to b round the disks, each on its side, by trying all ways over corners. */
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

/* A plane anywhere in space: what is at (u, v) of it. */
static void lift(const double frame[9], double u, double v, double out[3])
{
    v3_combine(out, u, frame, v, frame + 3);
    v3_add(out, out, (double[]){0.3, -0.2, 0.7});
}

static void shortest_ways(void **unused)
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
        cord_stop stops[4];
        random_vector(&random, 3, turn);
        cord__rotation_exp(frame, turn);
        for (int i = 0; i < wheels; i++) {
            d[i] = (disk){{0.8 * i, 0.3 * random_number(&random)},
                          0.15 + 0.1 * random_number(&random),
                          random_number(&random) > 0 ? 1 : -1};
            lift(frame, d[i].center[0], d[i].center[1], x);
            stops[i + 1] = wheel(place_with(w, x, frame), d[i].radius, d[i].side);
        }
        lift(frame, a[0], a[1], x);
        stops[0] = anchor(place_with(w, x, NULL));
        lift(frame, b[0], b[1], x);
        stops[wheels + 1] = anchor(place_with(w, x, NULL));
        cord_strand cable = route(w, stops, wheels + 2);
        bool all = true;
        for (int i = 0; i < wheels; i++) all = all && touches(w, cable, i + 1, NULL);
        touched += all;
        double found = length(w, cable), expected = shortest(a, d, wheels, b);
        /* Wheels that are not in the way are left out; to touch them would take a turn round them. */
        if (all) assert_close(found, expected, 2e-4);
        if (!all) assert_true(found < expected + 2e-4);
        cord_world_destroy(w);
    }
    assert_in_range(touched, 6, 11);
}

/* A wheel that the straight way passes on the side asked for is not touched, however far off it is; on the other
 * side the cable goes there and comes back. With a turn it crosses itself. */
static void far_off_wheels(void **unused)
{
    (void)unused;
    for (int k = 0; k < 6; k++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        const double far = 0.2 * pow(3, k), R = 0.05; /* to 48 m */
        cord_stop stops[] = {anchor(place(w, -0.5, far)), wheel(place(w, 0.1, 0), R, -1),
                             anchor(place(w, 0.5, far))};
        cord_strand above = route(w, stops, 3);
        double angle, off[2] = {acos(R / hypot(0.6, far)), acos(R / hypot(0.4, far))};
        double seen = atan(0.6 / far) + atan(0.4 / far);
        assert_false(touches(w, above, 1, NULL));
        assert_close(length(w, above), 1, 1e-12);
        stops[1].side = 1;
        cord_strand below = route(w, stops, 3);
        assert_true(touches(w, below, 1, &angle));
        assert_close(angle, 2 * pi - seen - off[0] - off[1], 1e-12);
        stops[1].side = -1, stops[1].turns = 1;
        cord_strand loop = route(w, stops, 3);
        assert_true(touches(w, loop, 1, &angle));
        assert_close(angle, 2 * pi + seen - off[0] - off[1], 1e-12);
        cord_world_destroy(w);
    }
}

/* Four wheels at random: those that the route leaves out are not come to, nor are others left, as soon as it is there. */
static void routes_are_taut(void **unused)
{
    (void)unused;
    uint64_t random = 8;
    int left_out = 0;
    for (int trial = 0; trial < 60; trial++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_stop stops[6] = {anchor(place(w, -1, 0.5 * random_number(&random)))};
        bool found[6];
        for (int i = 1; i < 5; i++)
            stops[i] =
                wheel(place(w, 0.6 * (i - 1), 0.3 * random_number(&random)),
                      0.125 + 0.075 * random_number(&random), random_number(&random) > 0 ? 1 : -1);
        stops[5] = anchor(on(w, ball(w, 1, 3, 0.5 * random_number(&random)), 0, 0));
        cord_strand cable = route(w, stops, 6);
        for (int i = 1; i < 5; i++) found[i] = touches(w, cable, i, NULL);
        run(w, 1e-4, 1);
        for (int i = 1; i < 5; i++) {
            assert_true(touches(w, cable, i, NULL) == found[i]);
            left_out += !found[i];
        }
        cord_world_destroy(w);
    }
    assert_in_range(left_out, 20, 200);
}

/* With axes askew: where a straight piece meets a rim it is across the rim's normal and runs as the cable does. */
static void skew_axes(void **unused)
{
    (void)unused;
    uint64_t random = 3;
    for (int trial = 0; trial < 20; trial++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        double frame[2][9], center[2][3], turn[3];
        int side[2];
        cord_stop stops[4];
        for (int i = 0; i < 2; i++) {
            random_vector(&random, 3, turn);
            v3_scale(turn, 0.5, turn);
            cord__rotation_exp(frame[i], turn);
            v3_set(center[i], i, 0, 0.2 * random_number(&random));
            side[i] = random_number(&random) > 0 ? 1 : -1;
            stops[i + 1] = wheel(place_with(w, center[i], frame[i]), 0.2, side[i]);
            stops[i + 1].turns = 1;
        }
        stops[0] = anchor(place_with(w, (double[]){-1, 0.3, 0}, NULL));
        stops[3] = anchor(place_with(w, (double[]){2, -0.5, 0.2}, NULL));
        cord_strand cable = route(w, stops, 4);
        assert_int_equal(node_count(w, cable), 6);
        for (int k = 1; k < 5; k++) {
            int i = (k - 1) / 2, way = k % 2 ? -1 : 1;
            cord_node_state here = node(w, cable, k), there = node(w, cable, k + way);
            double normal[3], along[3], straight_way[3], axis = 0;
            v3_sub(normal, here.position, center[i]);
            assert_close(v3_norm(normal), 0.2, 1e-12);
            v3_sub(straight_way, there.position, here.position);
            assert_close(v3_dot(normal, straight_way), 0, 1e-11);
            axis = v3_dot(normal, frame[i] + 6);
            assert_close(axis, 0, 1e-12);
            v3_cross(along, frame[i] + 6, normal);
            assert_true(side[i] * way * v3_dot(along, straight_way) > 0);
        }
        double angle;
        assert_true(touches(w, cable, 1, &angle));
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
        cord_stop stops[] = {anchor(place(w, -1, -1)), wheel(place(w, 0, 0), 0.3, -1),
                             anchor(place(w, 1, -1))};
        stops[1].turns = turns;
        cord_strand cable = route(w, stops, 3);
        assert_true(touches(w, cable, 1, &angle[turns]));
        long_way[turns] = length(w, cable);
        assert_close(angle[turns] - angle[0], 2 * pi * turns, 1e-12);
        assert_close(long_way[turns] - long_way[0], 2 * pi * 0.3 * turns, 1e-12);
        cord_world_destroy(w);
    }
}

/* ---- what is refused ----------------------------------------------------------------------------------- */

static void refused(cord_world *w, const cord_cable_def *def, cord_status status, const char *why)
{
    cord_strand cable = {7, 7};
    cord_counters before, after;
    (void)scene_hash(w); /* lays out the world, which is not the cable's doing */
    assert_fine(w, cord_world_counters(w, &before));
    assert_int_equal(cord_world_add_cable(w, def, &cable), status);
    if (!strstr(cord_world_error(w), why)) fail_msg("'%s'", cord_world_error(w));
    assert_int_equal(cable.index, 0);
    assert_fine(w, cord_world_counters(w, &after));
    assert_int_equal(after.strands, before.strands);
    assert_int_equal(after.heap_bytes, before.heap_bytes);
}

static void impossible_routes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_point left = place(w, -1, 0), right = place(w, 1, 0), middle = place(w, 0, 0.1);
    cord_point spin = rotor(w, 1);
    const cord_stop good[3] = {anchor(left), wheel(middle, 0.2, -1), anchor(right)};
    const struct {
        cord_stop stop;
        int at;
        const char *why;
    } wrong[] = {
        {{.kind = (cord_stop_kind)9, .on = middle}, 1, "stop 1: unknown kind"},
        {anchor(middle), 1, "stop 1: an anchor or a drum is at an end"},
        {{.kind = CORD_STOP_DRUM, .on = middle, .radius = 0.2, .side = 1, .turns = 1, .spin = spin},
         1,
         "stop 1: an anchor or a drum is at an end"},
        {{.kind = CORD_STOP_EYELET, .on = left}, 0, "stop 0: a cable does not end at an eyelet"},
        {wheel(right, 0.2, 1), 2, "stop 2: a cable does not end at an eyelet or a wheel"},
        {wheel(middle, 0.2, 0), 1, "stop 1: the side of a wheel is 1 or -1"},
        {{.kind = CORD_STOP_WHEEL, .on = middle, .radius = 0.2, .side = 1, .turns = -1},
         1,
         "stop 1: turns must be"},
        {{.kind = CORD_STOP_DRUM, .on = right, .radius = 0.2, .side = 1, .spin = spin},
         2,
         "stop 2: turns must be"},
        {{.kind = CORD_STOP_DRUM, .on = right, .radius = 0.2, .side = 1, .turns = 1},
         2,
         "stop 2: a drum needs a spin"},
        {wheel(middle, 1.5, -1), 1, "stop 1: the cable would have to begin inside"},
        {wheel(middle, 0, -1), 1, "its radius must be above 0"},
        {wheel(middle, NAN, -1), 1, "its radius must be above 0"},
        {{.kind = CORD_STOP_FREE, .position = {NAN, 0, 0}}, 1, "stop 1: its place is not finite"},
        {{.kind = CORD_STOP_EYELET, .on = left}, 1, "stops 0 and 1 are at the same place"},
        {{.kind = CORD_STOP_WHEEL, .on = middle, .radius = 0.2, .side = -1, .grip = (cord_grip)77},
         1,
         "stop 1: unknown grip"},
        {{.kind = CORD_STOP_WHEEL, .on = middle, .radius = 0.2, .side = -1, .spin = left},
         1,
         "must be a turn or a rotor"},
        {{.kind = CORD_STOP_WHEEL, .on = middle, .radius = 0.2, .side = -1, .friction = NAN},
         1,
         "stop 1: friction must be at least 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cord_stop stops[3];
        cord_cable_def def = cord_cable_def_default();
        memcpy(stops, good, sizeof stops);
        stops[wrong[i].at] = wrong[i].stop;
        def.stops = stops, def.stop_count = 3;
        refused(w, &def, CORD_ERROR_ARGUMENT, wrong[i].why);
    }
    cord_cable_def def = cord_cable_def_default();
    def.stops = good, def.stop_count = 1;
    refused(w, &def, CORD_ERROR_ARGUMENT, "two stops at least");
    def.stops = NULL, def.stop_count = 3;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def.stop_count = -1;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def.stops = good, def.stop_count = 3;
    def.name = "hoist";
    def.density = 0;
    refused(w, &def, CORD_ERROR_ARGUMENT, "cable 'hoist': the density must be above 0");
    def.density = 1, def.bending = -1;
    refused(w, &def, CORD_ERROR_ARGUMENT, "must be at least 0");
    def.bending = 0, def.stretching = 100, def.tension = -100;
    refused(w, &def, CORD_ERROR_ARGUMENT, "tension");
    def.tension = NAN;
    refused(w, &def, CORD_ERROR_ARGUMENT, "tension");
    cord_strand cable;
    def.tension = 0;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_int_equal(cord_world_add_cable(NULL, &def, &cable), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_cable(w, NULL, &cable), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_cable(w, &def, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

static void impossible_nodes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_point left = place(w, -1, 0), middle = place(w, 0, 0), gone = place(w, 0, 0);
    const double times[2] = {0, 1}, shifts[6] = {0, 0, 0, 1, 0, 0};
    cord_point_def scripted = cord_point_def_default();
    cord_point moving;
    scripted.motion = (cord_keys){2, times, shifts, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_add_point(w, &scripted, &moving));
    assert_fine(w, cord_world_remove_point(w, gone));
    const cord_guide guides[2] = {{.kind = CORD_GUIDE_PLACE, .on = left},
                                  {.kind = CORD_GUIDE_CIRCLE, .on = middle, .radius = 0.2}};
    const cord_cable_node nodes[4] = {
        {.guide = 0, .s = 0},
        {.guide = 1, .at = {2.5}, .s = 1, .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {1}, .s = 1.3, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {1, 0, 0}, .s = 2.2}};
    const cord_wrap wrap = {.segment = 1, .grip = CORD_GRIP_STICK};
    cord_cable_def good = cord_cable_def_default(), def;
    good.guides = guides, good.guide_count = 2;
    good.nodes = nodes, good.node_count = 4;
    good.wraps = &wrap, good.wrap_count = 1;

    cord_guide other[2];
    const struct {
        cord_guide guide;
        cord_status status;
        const char *why;
    } bad_guides[] = {
        {{.kind = (cord_guide_kind)99, .on = middle, .radius = 0.2},
         CORD_ERROR_ARGUMENT,
         "guide 1: unknown kind"},
        {{.kind = CORD_GUIDE_SPHERE, .on = middle}, CORD_ERROR_ARGUMENT, "guide 1: its radius"},
        {{.kind = CORD_GUIDE_CIRCLE, .on = gone, .radius = 0.2}, CORD_ERROR_HANDLE, "point handle"},
        {{.kind = CORD_GUIDE_CIRCLE, .on = moving, .radius = 0.2},
         CORD_ERROR_UNSUPPORTED,
         "guide 1: it must be on a body"},
    };
    for (size_t i = 0; i < sizeof bad_guides / sizeof *bad_guides; i++) {
        memcpy(other, guides, sizeof other);
        other[1] = bad_guides[i].guide;
        def = good, def.guides = other;
        refused(w, &def, bad_guides[i].status, bad_guides[i].why);
    }
    const struct {
        int at;
        cord_cable_node node;
        const char *why;
    } bad_nodes[] = {
        {1,
         {.guide = 2, .at = {2.5}, .s = 1, .eulerian = true, .tangent = -1},
         "node 1: there is no such guide"},
        {1,
         {.guide = 1, .at = {NAN}, .s = 1, .eulerian = true, .tangent = -1},
         "node 1: it is not finite"},
        {1,
         {.guide = 1, .at = {2.5}, .s = 0, .eulerian = true, .tangent = -1},
         "node 1: its material coordinate"},
        {3, {.guide = -1, .at = {1, 0, 0}, .s = 2.2, .tangent = 1}, "node 3: there is no segment"},
        {3, {.guide = -1, .at = {1, 0, 0}, .s = 2.2, .tangent = -1}, "node 3: only a circle"},
        {1,
         {.guide = 1, .at = {2.5}, .s = 1, .eulerian = true, .tangent = 1},
         "node 1: the segment it is tangent to"},
    };
    for (size_t i = 0; i < sizeof bad_nodes / sizeof *bad_nodes; i++) {
        cord_cable_node changed[4];
        memcpy(changed, nodes, sizeof changed);
        changed[bad_nodes[i].at] = bad_nodes[i].node;
        def = good, def.nodes = changed;
        refused(w, &def, CORD_ERROR_ARGUMENT, bad_nodes[i].why);
    }
    cord_wrap elsewhere = {.segment = 0, .grip = CORD_GRIP_STICK};
    def = good, def.wraps = &elsewhere;
    refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: its segment does not lie on a guide");
    elsewhere = (cord_wrap){.segment = 1, .grip = CORD_GRIP_STICK, .spin = gone};
    refused(w, &def, CORD_ERROR_HANDLE, "point handle");
    elsewhere = (cord_wrap){.segment = 1, .grip = (cord_grip)77};
    refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: unknown grip");
    elsewhere = (cord_wrap){.segment = 1, .grip = CORD_GRIP_FRICTION, .friction = -1};
    refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: friction");
    def = good, def.node_count = 1;
    refused(w, &def, CORD_ERROR_ARGUMENT, "two nodes at least");
    def = good, def.nodes = NULL;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.guides = NULL;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.wraps = NULL;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.vertex_count = -1;
    refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    cord_cable_node changed[4];
    memcpy(changed, nodes, sizeof changed);
    def = good, def.lumped = true, def.nodes = changed;
    changed[3].eulerian = true;
    refused(w, &def, CORD_ERROR_ARGUMENT, "node 3: in a lumped cable, a node");
    changed[3].guide = 0;
    changed[0].eulerian = true;
    refused(w, &def, CORD_ERROR_ARGUMENT, "no node of a lumped cable stays");
    const cord_stop stops[] = {{.kind = CORD_STOP_ANCHOR, .on = left, .parts = 2},
                               {.kind = CORD_STOP_ANCHOR, .on = middle}};
    def = good, def.lumped = true, def.stops = stops, def.stop_count = 2;
    refused(w, &def, CORD_ERROR_ARGUMENT, "have no parts");
    cord_strand cable;
    assert_fine(w, cord_world_add_cable(w, &good, &cable));
    cord_world_destroy(w);
}

static void questions(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_stop stops[] = {anchor(place(w, -1, 0)), wheel(place(w, 0, 0), 0.2, -1),
                         anchor(place(w, 1, 0))};
    cord_strand cable = route(w, stops, 3);
    cord_strand rope = scene_rope(w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_node_state state;
    double tension;
    int count;
    assert_int_equal(cord_cable_node_count(NULL, cable, &count), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_node_count(w, cable, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_node_count(w, rope, &count), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_node_count(w, (cord_strand){0}, &count), CORD_ERROR_HANDLE);
    assert_int_equal(cord_cable_node_state(w, cable, -1, &state), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_node_state(w, cable, 4, &state), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_node_state(w, cable, 0, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_node_state(w, rope, 0, &state), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_tension(w, cable, 3, &tension), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_tension(w, cable, 0, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_tension(w, rope, 0, &tension), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_wrap(w, cable, 3, NULL, NULL, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_wrap(w, rope, 0, NULL, NULL, NULL, NULL), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

/* ---- machines ------------------------------------------------------------------------------------------- */

typedef struct pendulum {
    cord_world *w;
    cord_body bob;
    cord_strand cable;
} pendulum;

/* It swings against a peg on its right. */
static pendulum swing(int parts)
{
    pendulum t = {.w = scene_world_in(CORD_IMPLICIT, 9.81)};
    t.bob = ball(t.w, 1, -0.6, -0.8);
    cord_stop stops[] = {anchor(place(t.w, 0, 0)), wheel(place(t.w, 0.03, -0.5), 0.03, 1),
                         anchor(on(t.w, t.bob, 0, 0))};
    stops[0].parts = stops[1].parts = parts;
    t.cable = route(t.w, stops, 3);
    return t;
}

static void pegs(void **unused)
{
    (void)unused;
    static const int parts[] = {1, 6};
    for (int i = 0; i < 2; i++) {
        pendulum t = swing(parts[i]);
        assert_false(touches(t.w, t.cable, 1, NULL));
        double angle, long_way = length(t.w, t.cable), lowest = 0, highest = -1;
        run(t.w, 0.002, 400); /* on the other side, at about its highest */
        assert_true(touches(t.w, t.cable, 1, &angle));
        assert_true(angle > 0.5 && angle < 1.2);
        assert_close(length(t.w, t.cable), long_way, 1e-12);
        run(t.w, 0.002, 400); /* and back */
        assert_false(touches(t.w, t.cable, 1, NULL));
        assert_close(length(t.w, t.cable), long_way, 1e-12);
        for (int k = 0; k < 200; k++) {
            run(t.w, 0.002, 1);
            lowest = fmin(lowest, height(t.w, t.bob)), highest = fmax(highest, height(t.w, t.bob));
        }
        assert_close(highest, -0.8, 0.01); /* what it fell from, but for what the impacts cost */
        cord_world_destroy(t.w);
    }
}

/* Two bodies in space, each with a peg and a bob that swings against it, at different times: whenever nodes change, the
 * momentum of all is what it was. */
static void momentum_at_pegs(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_strand cable[2];
    cord_momentum last, now;
    int changes = 0;
    bool was[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        cord_body holder = ball(w, 2, 5 * i, 0), bob = ball(w, 1, 5 * i - 0.1 - 0.1 * i, -1);
        const cord_stop stops[] = {anchor(on(w, holder, 0, 0)),
                                   wheel(on(w, holder, 0.05, -0.5), 0.05, 1),
                                   anchor(on(w, bob, 0, 0))};
        cable[i] = route(w, stops, 3);
        assert_fine(w, cord_body_set_velocity(w, bob, (double[]){1, 0, 0}, (double[]){0, 0, 0}));
    }
    run(w, 1e-3, 1);
    assert_fine(w, cord_world_momentum(w, &last));
    for (int k = 0; k < 300; k++) {
        run(w, 1e-3, 1);
        assert_fine(w, cord_world_momentum(w, &now));
        /* As the integrator keeps it while a wrap grows. */
        assert_all_close(now.linear, last.linear, 3, 1e-6);
        for (int i = 0; i < 2; i++) {
            bool is = touches(w, cable[i], 1, NULL);
            if (is != was[i]) assert_all_close(now.linear, last.linear, 3, 1e-8);
            changes += is != was[i];
            was[i] = is;
        }
        last = now;
    }
    assert_int_equal(changes, 2);
    cord_world_destroy(w);
}

/* A weight pulls a free end over a wheel and off it, and falls freely then; energy is never gained. */
static void free_ends(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_body load = ball(w, 1, 0.1, -0.5);
        cord_stop stops[] = {{.kind = CORD_STOP_FREE, .position = {-0.1, 0, -0.5}},
                             wheel(place(w, 0, 0), 0.1, -1),
                             anchor(on(w, load, 0, 0))};
        stops[0].parts = stops[1].parts = i % 2 ? 4 : 1;
        cord_cable_def def = cord_cable_def_default();
        cord_strand cable;
        cord_energy first, now;
        double v[2][3];
        def.stretching = i / 2 ? 2000 : 0;
        def.damping = 1e-3;
        def.stops = stops, def.stop_count = 3;
        assert_fine(w, cord_world_add_cable(w, &def, &cable));
        assert_fine(w, cord_world_energy(w, &first));
        int steps = 0;
        for (; steps < 300 && touches(w, cable, 1, NULL); steps++) {
            run(w, 0.002, 1);
            assert_fine(w, cord_world_energy(w, &now));
            assert_true(now.total < first.total + 0.02);
        }
        assert_in_range(steps, 150, 250);
        assert_fine(w, cord_body_velocity(w, load, v[0], NULL));
        run(w, 0.002, 100);
        assert_false(touches(w, cable, 1, NULL));
        assert_fine(w, cord_body_velocity(w, load, v[1], NULL));
        /* Down there the rest of the cable, a tenth of its weight, still swings. */
        assert_close(v[0][2] - v[1][2], 9.81 * 0.2, 0.3);
        assert_fine(w, cord_world_energy(w, &now));
        assert_true(now.total < first.total + 0.02);
        cord_world_destroy(w);
    }
}

/* A drum that is driven: how far the load comes up is radius × angle, on either side. */
static void drums(void **unused)
{
    (void)unused;
    for (int side = -1; side <= 1; side += 2)
        for (int first = 0; first < 2; first++) {
            static const double times[] = {0, 0.5, 1}, angles[] = {0, -4, 6};
            cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
            cord_point spin = rotor(w, 0.1);
            /* Wound from its end on a drum at the start, to it at the end: the cable leaves on other sides. */
            cord_body load = ball(w, 1, (first ? -side : side) * 0.1, -2);
            cord_stop drum = {.kind = CORD_STOP_DRUM,
                              .on = place(w, 0, 0),
                              .radius = 0.1,
                              .side = side,
                              .turns = 3,
                              .spin = spin};
            cord_stop hook = anchor(on(w, load, 0, 0));
            cord_stop stops[2] = {first ? drum : hook, first ? hook : drum};
            cord_strand cable = route(w, stops, 2);
            cord_relation_def drive = cord_relation_def_default();
            drive.kind = CORD_SLIDE, drive.first = spin;
            drive.drive = (cord_keys){3, times, angles, CORD_EASE_SMOOTH};
            scene_relate(w, &drive);
            double wound;
            touches(w, cable, first ? 0 : 1, &wound);
            assert_close(wound, 6 * pi, 1e-12);
            for (int k = 1; k <= 100; k++) {
                double angle, now;
                run(w, 0.01, 1);
                assert_fine(w, cord_point_coordinate(w, spin, &angle, NULL));
                double hauled = (first ? -side : side) * 0.1 * angle;
                assert_close(height(w, load) + 2, hauled, 1e-8);
                touches(w, cable, first ? 0 : 1, &now);
                assert_close(0.1 * (now - wound), hauled, 1e-8);
            }
            assert_close(height(w, load), -2 + (first ? -side : side) * 0.6, 1e-8);
            cord_world_destroy(w);
        }
}

/* A span of parts between an anchor and an eyelet, beyond which a weight hangs: it sags as a parabola with
 * T = mg, f = λgl²/8T, but for terms of second order and what the eyelet's side hangs. */
static void sagging(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body load = ball(w, 5, 2, -1);
    cord_stop stops[] = {anchor(place(w, 0, 0)),
                         {.kind = CORD_STOP_EYELET, .on = place(w, 2, 0)},
                         anchor(on(w, load, 0, 0))};
    stops[0].parts = 16;
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    def.density = 0.2, def.stops = stops, def.stop_count = 3;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_int_equal(node_count(w, cable), 18);
    cord_statics_result found;
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
    assert_int_equal(found.unstable_directions, 0);
    double expected = 0.2 * 4 / (8 * (5 + 0.2)); /* with the weight of what hangs */
    assert_close(-node(w, cable, 8).position[2], expected, 5e-3 * expected);
    double tension;
    assert_fine(w, cord_cable_tension(w, cable, 16, &tension));
    assert_close(tension, 9.81 * (5 + 0.1), 1e-3 * tension);
    cord_world_destroy(w);
}

/* From beside a peg to where it bends the cable: it is come to on the way, and left on the way back; found at once, or
 * by a quasi-static step. */
static void equilibrium_at_peg(void **unused)
{
    (void)unused;
    for (int steps = 0; steps < 2; steps++) {
        cord_world *w = scene_world_in(steps ? CORD_QUASI_STATIC : CORD_IMPLICIT, 9.81);
        cord_body bob = ball(w, 1, -0.6, -0.8);
        const cord_stop stops[] = {anchor(place(w, 0, 0)), wheel(place(w, 0.02, -0.5), 0.03, 1),
                                   anchor(on(w, bob, 0, 0))};
        cord_strand cable = route(w, stops, 3);
        double x[3], angle;
        assert_false(touches(w, cable, 1, NULL));
        assert_fine(w,
                    steps ? cord_world_step(w, 0.1) : cord_world_find_equilibrium(w, NULL, NULL));
        assert_true(touches(w, cable, 1, &angle));
        assert_close(angle, asin(0.03 / hypot(0.02, 0.5)) - atan(0.02 / 0.5), 1e-8);
        assert_fine(w, cord_body_pose(w, bob, x, NULL));
        assert_close(x[0], -0.01, 1e-8);
        /* Quarter turns at once: round the peg, back, and away from it. */
        static const double down[3][3] = {{9.81, 0, 0}, {0, 0, -9.81}, {-9.81, 0, 0}};
        for (int k = 0; k < 3; k++) {
            double was = angle;
            assert_fine(w, cord_world_set_gravity(w, down[k]));
            assert_fine(w, steps ? cord_world_step(w, 0.1)
                                 : cord_world_find_equilibrium(w, NULL, NULL));
            if (k == 2) break;
            assert_true(touches(w, cable, 1, &angle));
            assert_close(angle - was, k == 0 ? 0.5 * pi : -0.5 * pi, 1e-8);
        }
        assert_false(touches(w, cable, 1, NULL));
        run(w, 0.01, 10); /* it stays there */
        assert_fine(w, cord_body_pose(w, bob, x, NULL));
        assert_all_close(x, ((double[]){-1, 0, 0}), 3, 1e-7);
        cord_world_destroy(w);
    }
}

/* A bob on one straight piece: ω² = g (m + λl/2) / l (m + λl/3). */
static void small_swings(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body bob = ball(w, 1, 0, -2);
    const cord_stop stops[] = {anchor(place(w, 0, 0)), anchor(on(w, bob, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    double omega[5];
    def.density = 0.3, def.stops = stops, def.stop_count = 2;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_world_frequencies(w, 5, omega));
    double expected = sqrt(9.81 * (1 + 0.3) / (2 * (1 + 0.2)));
    for (int k = 0; k < 3; k++) assert_close(omega[k], 0, 1e-3); /* the bob's own turns */
    for (int k = 3; k < 5; k++) assert_close(omega[k], expected, 1e-6 * expected);
    cord_world_destroy(w);
}

/* A free end, to which a body is tied by a relation; and a load that pulls it. */
static void points_on_cables(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const cord_stop stops[] = {anchor(place(w, 0, 0)),
                               {.kind = CORD_STOP_FREE, .position = {0, 0, -1}}};
    cord_strand cable = route(w, stops, 2);
    cord_point end = scene_point(w, cable, 1);
    cord_body bob = ball(w, 2, 0, -1);
    scene_relation(w, CORD_COINCIDE, on(w, bob, 0, 0), end);
    cord_load_def load = cord_load_def_default();
    cord_load pull;
    double tension;
    load.point = end, load.force[2] = -3;
    assert_fine(w, cord_world_add_load(w, &load, &pull));
    run(w, 0.01, 100);
    assert_close(height(w, bob), -1, 1e-8);
    assert_fine(w, cord_cable_tension(w, cable, 0, &tension));
    assert_close(tension, 9.81 * (2 + 0.05) + 3, 1e-6);
    cord_world_destroy(w);
}

/* The end has another place among the nodes when wheels have changed. */
static void point_past_pegs(void **unused)
{
    (void)unused;
    pendulum t = {.w = scene_world_in(CORD_IMPLICIT, 9.81)};
    const cord_stop stops[] = {anchor(place(t.w, 0, 0)),
                               wheel(place(t.w, 0.03, -0.5), 0.03, 1),
                               {.kind = CORD_STOP_FREE, .position = {-0.6, 0, -0.8}}};
    t.cable = route(t.w, stops, 3);
    t.bob = ball(t.w, 1, -0.6, -0.8);
    cord_point end = scene_point(t.w, t.cable, 1);
    scene_relation(t.w, CORD_COINCIDE, on(t.w, t.bob, 0, 0), end);
    int changes = 0;
    bool was = false;
    for (int k = 0; k < 800; k++) {
        double x[3], at[3];
        run(t.w, 0.002, 1);
        bool now = touches(t.w, t.cable, 1, NULL);
        changes += now != was;
        was = now;
        assert_fine(t.w, cord_point_place(t.w, end, x, NULL));
        assert_fine(t.w, cord_body_pose(t.w, t.bob, at, NULL));
        assert_all_close(x, at, 3, 1e-7);
        int last = node_count(t.w, t.cable) - 1;
        assert_all_close(x, node(t.w, t.cable, last).position, 3, 0);
    }
    assert_int_equal(changes, 2);
    cord_world_destroy(t.w);
}

/* ---- when things go ----------------------------------------------------------------------------------------- */

static void removals(void **unused)
{
    (void)unused;
    for (int what = 0; what < 4; what++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_body one = ball(w, 1, -0.1, -1), two = ball(w, 1, 0.1, -1), three = ball(w, 1, 3, 0);
        cord_point spin = rotor(w, 0.01), hub = place(w, 0, 0);
        cord_stop stops[] = {anchor(on(w, one, 0, 0)), wheel(hub, 0.1, -1),
                             anchor(on(w, two, 0, 0))};
        stops[1].grip = CORD_GRIP_STICK, stops[1].spin = spin;
        cord_strand cable = route(w, stops, 3);
        cord_point end = scene_point(w, cable, length(w, cable));
        const cord_stop plain[] = {anchor(place(w, 3, 1)), anchor(on(w, three, 0, 0))};
        cord_strand other = route(w, plain, 2);
        run(w, 0.01, 3);
        if (what == 0) assert_fine(w, cord_world_remove_body(w, one));
        if (what == 1) assert_fine(w, cord_world_remove_point(w, spin));
        if (what == 2) assert_fine(w, cord_world_remove_strand(w, cable));
        if (what == 3)
            assert_fine(w, cord_world_remove_point(w, hub)); /* a still place was copied */
        cord_counters now;
        int count;
        double x[3];
        assert_fine(w, cord_world_counters(w, &now));
        assert_int_equal(now.strands, what == 3 ? 2 : 1);
        assert_int_equal(cord_cable_node_count(w, cable, &count),
                         what == 3 ? CORD_OK : CORD_ERROR_HANDLE);
        assert_int_equal(cord_point_place(w, end, x, NULL),
                         what == 3 ? CORD_OK : CORD_ERROR_HANDLE);
        run(w, 0.01, 10);
        if (what != 3) assert_true(height(w, two) < -1.04);
        if (what == 3) assert_close(height(w, two), -1, 1e-6);
        assert_int_equal(node_count(w, other), 2);
        assert_close(height(w, three), 0, 1e-6);
        cord_world_destroy(w);
    }
}

/* A body that is moved by hand takes its ends along at once. */
static void moved_by_hand(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body one = ball(w, 1, 0, 0), two = ball(w, 1, 1, 0);
    const cord_stop stops[] = {anchor(on(w, one, 0, 0)), anchor(on(w, two, 0, 0))};
    cord_strand cable = route(w, stops, 2);
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cord_momentum momentum;
    for (int k = 0; k < 2; k++) {
        cord_body body = k ? two : one;
        assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 2, 0}, (double[]){0, 0, 0}));
        assert_fine(w, cord_body_set_pose(w, body, (double[]){k, 5, 0}, axes));
        assert_close(node(w, cable, k).position[1], 5, 0);
        assert_close(node(w, cable, k).velocity[1], 2, 0);
    }
    assert_fine(w, cord_world_momentum(w, &momentum));
    assert_close(momentum.linear[1], 2 * (1 + 1 + 0.1), 1e-12);
    run(w, 0.1, 10);
    assert_close(node(w, cable, 0).position[1], 7, 1e-8);
    cord_world_destroy(w);
}

/* ---- checkpoints --------------------------------------------------------------------------------------------- */

static char *saved(cord_world *w, size_t *size)
{
    assert_fine(w, cord_world_state_size(w, size));
    char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_fine(w, cord_world_get_state(w, bytes));
    return bytes;
}

/* From before it comes to the peg, while it is on it, right after each change; into a world that has just been made, and
 * back into the same. */
static void checkpoints(void **unused)
{
    (void)unused;
    static const int parts[] = {1, 5};
    for (int i = 0; i < 2; i++) {
        pendulum first = swing(parts[i]), other = swing(parts[i]);
        char *kept[8];
        size_t size[8];
        int at[8], count = 0;
        bool was = false;
        for (int k = 0; k < 700; k++) {
            bool now = touches(first.w, first.cable, 1, NULL);
            if ((k % 300 == 100 || now != was) && count < 8) {
                at[count] = k;
                kept[count] = saved(first.w, &size[count]);
                count++;
            }
            was = now;
            run(first.w, 0.002, 1);
        }
        uint64_t expected = scene_hash(first.w);
        assert_true(count > 3);
        for (int c = 0; c < count; c++) {
            assert_fine(other.w, cord_world_set_state(other.w, kept[c], size[c]));
            run(other.w, 0.002, 700 - at[c]);
            assert_true(scene_hash(other.w) == expected);
            assert_fine(first.w, cord_world_set_state(first.w, kept[c], size[c]));
            run(first.w, 0.002, 700 - at[c]);
            assert_true(scene_hash(first.w) == expected);
            free(kept[c]);
        }
        cord_world_destroy(first.w);
        cord_world_destroy(other.w);
    }
}

static void foreign_states(void **unused)
{
    (void)unused;
    pendulum one = swing(1);
    size_t size;
    run(one.w, 0.002, 300);
    char *bytes = saved(one.w, &size);
    uint64_t before = scene_hash(one.w);
    /* A route without the peg: another number of stops. */
    cord_world *plain = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body bob = ball(plain, 1, -0.6, -0.8);
    cord_point top = place(plain, 0, 0);
    place(plain, 0.03, -0.5);
    const cord_stop stops[] = {anchor(top), anchor(on(plain, bob, 0, 0))};
    route(plain, stops, 2);
    assert_int_equal(cord_world_set_state(plain, bytes, size), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_error(plain), "other cables"));
    assert_int_equal(node_count(plain, (cord_strand){1, 1}), 2);
    for (size_t k = 0; k < size; k += 7) {
        bytes[k] ^= 1;
        assert_int_equal(cord_world_set_state(one.w, bytes, size), CORD_ERROR_ARGUMENT);
        bytes[k] ^= 1;
    }
    for (size_t cut = 0; cut < size; cut += 11)
        assert_int_equal(cord_world_set_state(one.w, bytes, cut), CORD_ERROR_ARGUMENT);
    assert_true(scene_hash(one.w) == before);
    free(bytes);
    cord_world_destroy(one.w);
    cord_world_destroy(plain);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

static cord_status add_point(cord_world *w, const cord_point_def *given, cord_point *out)
{
    cord_point_def def = *given;
    memcpy(def.frame, upright, sizeof upright);
    return cord_world_add_point(w, &def, out);
}

/* A cable with a wheel that turns, and one that it comes to; then back to before that. */
static cord_status small_program(cord_world *w)
{
    static char state[20000];
    cord_point_def def = cord_point_def_default();
    cord_body_def weight = cord_body_def_default();
    cord_body bob;
    cord_point at[3], spin, end;
    cord_strand cable;
    size_t size = 0;
    bool now = false;
    weight.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    weight.mass = 1;
    v3_set(weight.position, -0.01, 0, -1);
    cord_status status = cord_world_add_body(w, &weight, &bob);
    v3_set(def.position, -0.5, 0, 0);
    if (status == CORD_OK) status = add_point(w, &def, at);
    v3_set(def.position, -0.1, 0, -0.1);
    if (status == CORD_OK) status = add_point(w, &def, at + 1);
    v3_set(def.position, 0.03, 0, -0.5);
    if (status == CORD_OK) status = add_point(w, &def, at + 2);
    cord_point_def own = cord_point_def_default(), turn = own;
    own.source = CORD_SOURCE_BODY, own.body = bob;
    turn.source = CORD_SOURCE_ROTOR, turn.inertia = 1e-3;
    if (status == CORD_OK) status = add_point(w, &own, &end);
    if (status == CORD_OK) status = cord_world_add_point(w, &turn, &spin);
    cord_cable_def rope = cord_cable_def_default();
    rope.name = "rope";
    rope.stop_count = 4;
    if (status != CORD_OK) return status;
    cord_stop stops[] = {anchor(at[0]), wheel(at[1], 0.1, -1), wheel(at[2], 0.03, 1), anchor(end)};
    stops[1].grip = CORD_GRIP_STICK, stops[1].spin = spin;
    stops[1].parts = 3;
    rope.stops = stops;
    status = cord_world_add_cable(w, &rope, &cable);
    if (status == CORD_OK)
        status = cord_body_set_velocity(w, bob, (double[]){1, 0, 0}, (double[]){0, 0, 0});
    if (status == CORD_OK) status = cord_world_state_size(w, &size);
    assert_true(size < sizeof state);
    if (status == CORD_OK) status = cord_world_get_state(w, state);
    for (int k = 0; k < 4 && status == CORD_OK; k++) status = cord_world_step(w, 0.01);
    if (status == CORD_OK) status = cord_cable_wrap(w, cable, 2, &now, NULL, NULL, NULL);
    if (status == CORD_OK) assert_true(now);
    if (status == CORD_OK) status = cord_world_set_state(w, state, size);
    if (status == CORD_OK) status = cord_cable_wrap(w, cable, 2, &now, NULL, NULL, NULL);
    if (status == CORD_OK) assert_false(now);
    if (status == CORD_OK) status = cord_world_step(w, 0.01);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_world_def def = cord_world_def_default();
        cord_world *w;
        def.threads = 1;
        def.allocator = failing_allocator_ops(&heap);
        cord_status status = cord_world_create(&def, &w);
        if (status == CORD_OK) {
            status = small_program(w);
            cord_world_destroy(w);
        }
        assert_int_equal(heap.live, 0);
        if (!heap.failed) {
            assert_int_equal(status, CORD_OK);
            assert_true(k > 100);
            break;
        }
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_ways),
        cmocka_unit_test(far_off_wheels),
        cmocka_unit_test(routes_are_taut),
        cmocka_unit_test(skew_axes),
        cmocka_unit_test(whole_turns),
        cmocka_unit_test(impossible_routes),
        cmocka_unit_test(impossible_nodes),
        cmocka_unit_test(questions),
        cmocka_unit_test(pegs),
        cmocka_unit_test(drums),
        cmocka_unit_test(sagging),
        cmocka_unit_test(small_swings),
        cmocka_unit_test(points_on_cables),
        cmocka_unit_test(point_past_pegs),
        cmocka_unit_test(removals),
        cmocka_unit_test(moved_by_hand),
        cmocka_unit_test(momentum_at_pegs),
        cmocka_unit_test(free_ends),
        cmocka_unit_test(equilibrium_at_peg),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(foreign_states),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
