/* Guides of cables: nodes that are held, paths, planes and surfaces; equations against differences, and motions
 * that are known. */
#include "math/rotation.h"
#include "support/cable_bench.h"
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_path path_through(cord_world *w, cord_body body, int count, const double *points)
{
    cord_path_def def = cord_path_def_default();
    cord_path made;
    def.count = count, def.points = points, def.body = body;
    assert_fine(w, cord_world_add_path(w, &def, &made));
    return made;
}

/* ---- derivatives ------------------------------------------------------------------------------- */

static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};

static cord_strand add(cord_world *w, cord_cable_def *def, const cord_guide *guides,
                       int guide_count, const cord_cable_node *nodes, int node_count)
{
    cord_strand made;
    def->density = 0.7;
    def->guides = guides, def->guide_count = guide_count;
    def->nodes = nodes, def->node_count = node_count;
    assert_fine(w, cord_world_add_cable(w, def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

/* Along paths of a body and of the world, forwards and back, with nodes that are held and that move; and nodes
 * held on wheels. */
static cord_strand along_paths(cord_world *w, double stretching)
{
    static const double points[] = {0,   0,   0,   0.3,  0.1, 0.2, 0.5, 0.4,
                                    0.1, 0.9, 0.3, -0.2, 1.1, 0,   0};
    cord_body body = bench_box(w, 1, 0.5, 0, 0), drum = bench_box(w, 2, 2, 0.3, -0.2);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_PATH, .path = path_through(w, body, 5, points)},
        {.kind = CORD_GUIDE_PATH, .path = path_through(w, (cord_body){0}, 5, points)},
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_on(w, drum, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER, .on = bench_on(w, drum, 0, 0.1, 0.3, other), .radius = 0.25},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_on(w, drum, 0.5, 0.1, 0.3, other), .radius = 0.4},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0.1}, .s = 0},
        {.guide = 0, .at = {0.8}, .s = 0.7, .eulerian = true},
        {.guide = 1, .at = {1}, .s = 1.4, .eulerian = true},
        {.guide = 1, .at = {0.3}, .s = 2.1, .eulerian = true, .held = true},
        {.guide = 0, .at = {0.2}, .s = 3, .eulerian = true, .held = true},
        {.guide = 0, .at = {1.1}, .s = 3.9, .eulerian = true, .held = true},
        {.guide = 2, .at = {0.3}, .s = 4.6, .eulerian = true, .held = true},
        {.guide = 2, .at = {1.9}, .s = 5.3, .eulerian = true},
        {.guide = 3, .at = {0.5, 0.1}, .s = 6, .eulerian = true},
        {.guide = 3, .at = {2.5, 0.2}, .s = 6.6, .eulerian = true, .held = true},
        {.guide = 4, .at = {0.5, 0.4}, .s = 7.5, .held = true},
        {.guide = 4, .at = {1.2, 0.1}, .s = 8},
    };
    cord_cable_def def = cord_cable_def_default();
    def.stretching = stretching;
    def.bending = 0.02;
    return add(w, &def, guides, 5, nodes, 12);
}

/* Over surfaces and a plane. */
static cord_strand over_surfaces(cord_world *w, double stretching)
{
    cord_body body = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_on(w, body, 0.1, 0, 0.2, tilt),
         .radius = 0.2,
         .surface = cord_surface_torus,
         .size = {0.6, 0.2}},
        {.kind = CORD_GUIDE_PLANE, .on = bench_on(w, second, 0, 0.1, 0.3, other)},
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_still(w, 3, 0.5, 0, tilt),
         .radius = 0.3,
         .surface = cord_surface_ellipsoid,
         .size = {0.3, 0.5, 0.4}},
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_on(w, second, 0.3, 0.5, 0, tilt),
         .radius = 0.3,
         .surface = cord_surface_cone,
         .size = {0.7}},
    };
    const cord_cable_node nodes[] = {
        {.guide = -1, .at = {0.2, 1, 0.5}, .s = 0},
        {.guide = 0, .at = {0.3, 0.2}, .s = 0.9, .eulerian = true, .tangent = -1},
        {.guide = 0, .at = {0.8, 0.9}, .s = 1.5, .eulerian = true},
        {.guide = 0, .at = {1.2, 1.4}, .s = 2.1, .eulerian = true, .tangent = 1},
        {.guide = 1, .at = {0.1, 0.4}, .s = 3, .eulerian = true},
        {.guide = 1, .at = {0.5, 0.2}, .s = 3.6, .eulerian = true},
        {.guide = 2, .at = {-1, 0.2}, .s = 5, .eulerian = true, .tangent = -1},
        {.guide = 2, .at = {0.5, 0.4}, .s = 5.6, .eulerian = true, .held = true},
        {.guide = 3, .at = {0.5, 0.6}, .s = 6.5, .eulerian = true},
        {.guide = 3, .at = {1.5, 0.4}, .s = 7.2},
    };
    cord_cable_def def = cord_cable_def_default();
    def.stretching = stretching;
    return add(w, &def, guides, 4, nodes, 10);
}

/* A rod of `der` from `from` along x. */
static cord_strand rod(cord_world *w, const char *name, int vertices, double length,
                       const double from[3], double density)
{
    double x[3 * 64];
    cord_strand_def def = cord_strand_def_default();
    cord_strand made;
    for (int i = 0; i < vertices; i++)
        v3_set(x + 3 * i, from[0] + length * i / (vertices - 1), from[1], from[2]);
    def.name = name;
    def.vertex_count = vertices;
    def.positions = x;
    def.material = (cord_material){density, 1e6, 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    return made;
}

static cord_point vertex(cord_world *w, cord_strand of, double s)
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_STRAND, def.strand = of, def.s = s;
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

/* On vertices of a strand, on lines between them, bodies and still places. */
static cord_strand on_strands(cord_world *w, double stretching)
{
    cord_strand casing = rod(w, "casing", 6, 1, (double[3]){0, 0.1, 0.2}, 1000);
    cord_body body = bench_box(w, 1, 2, 0.5, 0), second = bench_box(w, 2, 3, 0.3, -0.2);
    const cord_point here = bench_still(w, 2.5, 1, 0.5, tilt);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_PLACE, .on = vertex(w, casing, 0)},
        {.kind = CORD_GUIDE_PLACE, .on = vertex(w, casing, 0.2)},
        {.kind = CORD_GUIDE_PLACE, .on = vertex(w, casing, 0.4)},
        {.kind = CORD_GUIDE_CIRCLE, .on = vertex(w, casing, 1), .radius = 0.1},
        {.kind = CORD_GUIDE_SPAN,
         .on = vertex(w, casing, 0.6),
         .to = bench_on(w, body, 0.1, 0.2, 0, tilt)},
        {.kind = CORD_GUIDE_SPAN,
         .on = bench_on(w, second, 0.1, 0.2, 0, tilt),
         .to = bench_on(w, body, 0.1, -0.2, 0, tilt)},
        {.kind = CORD_GUIDE_SPAN, .on = here, .to = bench_on(w, body, 0, 0, 0.3, NULL)},
        {.kind = CORD_GUIDE_SPAN,
         .on = bench_on(w, second, 0, 0, 0.2, NULL),
         .to = bench_on(w, second, 0, 0.4, 0.2, NULL)},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0, .s = 0, .eulerian = true},
        {.guide = 1, .s = 0.25, .eulerian = true},
        {.guide = 2, .s = 0.5, .eulerian = true},
        {.guide = 3, .at = {0.3}, .s = 1.2, .eulerian = true, .tangent = -1},
        {.guide = 3, .at = {1.5}, .s = 1.4, .eulerian = true},
        {.guide = 4, .at = {0.3}, .s = 2, .eulerian = true},
        {.guide = 4, .at = {0.6}, .s = 2.6, .eulerian = true},
        {.guide = 5, .at = {0.4}, .s = 3.5, .eulerian = true},
        {.guide = 6, .at = {0.2}, .s = 4.2, .eulerian = true},
        {.guide = 7, .at = {0.7}, .s = 5, .eulerian = true},
        {.guide = 7, .at = {0.2}, .s = 5.3, .held = true},
    };
    cord_cable_def def = cord_cable_def_default();
    def.stretching = stretching;
    def.bending = 0.02;
    return add(w, &def, guides, 8, nodes, 11);
}

typedef cord_strand (*crowd)(cord_world *w, double stretching);

static void with_each(double stretching, void (*check)(const bench *t))
{
    static const crowd crowds[] = {along_paths, over_surfaces, on_strands};
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        bench t;
        put_up(w, crowds[i](w, stretching), &t);
        check(&t);
        cord_world_destroy(w);
    }
}

static void potentials(void **unused)
{
    (void)unused;
    with_each(0, bench_potentials);
    with_each(300, bench_potentials);
}

static void motion(void **unused)
{
    (void)unused;
    with_each(0, bench_motion);
}

static void rows(void **unused)
{
    (void)unused;
    with_each(0, bench_rows);
}

static void masses(void **unused)
{
    (void)unused;
    with_each(300, bench_masses);
}

/* ---- what pulls along a segment on a surface, in the matrix ------------------------------------- */

static void length_stiffness(void **unused)
{
    (void)unused;
    enum { EXTRAS = 4000, MOST = 100 };
    static double extras[2][EXTRAS], matrix[MOST][MOST], cache[1000];
    static int as_listed[EXTRAS];
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, over_surfaces(w, 0), &t);
    double zero[MOST] = {0}, lambda[MOST] = {0}, g[MOST], r[2][MOST], q[1000];
    int n = t.c->columns, segment = 1; /* on the torus */
    assert_true(n + t.c->rows <= MOST && t.c->extras <= EXTRAS);
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    lambda[t.c->element[segment].row] = -3;
    block_eval in = {
        .around = &t.around, .q = t.q, .cache = t.cache, .v = zero, .a = zero, .c_k = 1};
    for (int pulled = 0; pulled < 2; pulled++) {
        local_matrix made = {.extras = extras[pulled], .extra_slot = as_listed};
        in.lambda = pulled ? lambda : zero;
        t.b->ops->assemble(t.c, &in, r[0], g, &made);
    }
    for (int i = 0; i < t.c->extras; i++) {
        const int *at = t.c->extra + 2 * i;
        matrix[at[0]][at[1]] = matrix[at[1]][at[0]] = extras[1][i] - extras[0][i];
    }
    const cable_node *first = t.c->node + segment;
    for (int k = 0; k < 4; k++) {
        const double h = 1e-5;
        int column = first[k / 2].column + k % 2;
        double change[MOST] = {0};
        for (int sign = -1; sign <= 1; sign += 2) {
            memcpy(q, t.q, sizeof q);
            q[first[k / 2].q + k % 2] += sign * h;
            t.b->ops->refresh(t.c, q, cache);
            in.cache = cache;
            for (int pulled = 0; pulled < 2; pulled++) {
                in.lambda = pulled ? lambda : zero;
                t.b->ops->assemble(t.c, &in, r[pulled], g, NULL);
            }
            for (int i = 0; i < n; i++) change[i] += sign * (r[1][i] - r[0][i]) / (2 * h);
        }
        for (int i = 0; i < 4; i++) {
            int row = first[i / 2].column + i % 2;
            assert_close(matrix[row][column], change[row], 1e-6);
        }
    }
    cord_world_destroy(w);
}

/* ---- motions that are known ---------------------------------------------------------------------- */

static double total_energy(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_energy(w, &e));
    return e.total;
}

/* A chain in a tube that falls straight, then turns through a quarter circle of radius R: as it is let go its upper end
 * is at the start of the path. It keeps its energy, and v²/2 is what its mass has fallen by. */
static void chain_in_a_chute(void **unused)
{
    (void)unused;
    enum { STRAIGHT = 10, BEND = 40 };
    const double R = 0.5, drop = 1, length = 0.6;
    double points[3 * (STRAIGHT + BEND + 1)];
    for (int i = 0; i <= STRAIGHT + BEND; i++) {
        double f = (i - STRAIGHT) * pi / 2 / BEND, *x = points + 3 * i;
        v3_set(x, 0, 0, drop * (STRAIGHT - i) / STRAIGHT);
        if (i > STRAIGHT) v3_set(x, R * (1 - cos(f)), 0, -R * sin(f));
    }
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    const cord_guide guide = {.kind = CORD_GUIDE_PATH,
                              .path = path_through(w, (cord_body){0}, STRAIGHT + BEND + 1, points)};
    const cord_cable_node nodes[] = {{.guide = 0, .at = {0}, .s = 0},
                                     {.guide = 0, .at = {length}, .s = length}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand chain = add(w, &def, &guide, 1, nodes, 2);
    double start = total_energy(w);
    cord_node_state upper;
    do {
        assert_fine(w, cord_world_step(w, 0.002));
        assert_fine(w, cord_cable_node_state(w, chain, 0, &upper));
    } while (upper.at[0] < drop);
    /* Where its middle was, and where its mass is now, on the arc from angle 0: z = −R sin φ. */
    double speed = v3_norm(upper.velocity), from = (upper.at[0] - drop) / R, to = from + length / R;
    double now = -R * R / length * (cos(from) - cos(to)), was = drop - length / 2;
    assert_close(0.5 * speed * speed, 9.81 * (was - now), 1e-5 * 9.81 * (was - now));
    assert_close(total_energy(w), start, 1e-9 * fabs(start));
    cord_world_destroy(w);
}

/* An elastic cord between two places of a surface, let loose from a way that is straight in its coordinates,
 * finds the shortest: on a sphere an arc of a great circle. */
static void shortest_on_a_sphere(void **unused)
{
    (void)unused;
    enum { PARTS = 12 };
    const double latitude = 0.5, longitude = 1.5;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    const cord_guide guide = {.kind = CORD_GUIDE_SURFACE,
                              .on = bench_still(w, 0, 0, 0, tilt),
                              .radius = 2,
                              .surface = cord_surface_ellipsoid,
                              .size = {2, 2, 2}};
    cord_cable_node nodes[PARTS + 1];
    for (int i = 0; i <= PARTS; i++)
        nodes[i] = (cord_cable_node){.at = {longitude * i / PARTS, latitude},
                                     .s = 2.0 * i / PARTS,
                                     .held = i == 0 || i == PARTS};
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 100;
    cord_strand cord = add(w, &def, &guide, 1, nodes, PARTS + 1);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    double sin_half = sin(0.5 * longitude) * cos(latitude), angle = 2 * asin(sin_half), tension;
    assert_fine(w, cord_cable_tension(w, cord, PARTS / 2, &tension));
    assert_close(tension, 100 * (2 * angle / 2 - 1), 1e-3 * tension);
    cord_node_state middle;
    assert_fine(w, cord_cable_node_state(w, cord, PARTS / 2, &middle));
    double highest = atan2(tan(latitude), cos(0.5 * longitude)); /* of the great circle's middle */
    assert_close(middle.at[1], highest, 1e-3);
    cord_world_destroy(w);
}

/* A cord on a plane and a torus of a body that flies: how far energy and momenta go in a while, and how far off the
 * plane it is. */
static void fly(double h, double *energy, double *linear, double *angular, double *off)
{
    cord_world *w = scene_world_in(CORD_MIDPOINT, 0);
    cord_body tray = bench_box(w, 1, 0, 0, 0);
    const double spin[3] = {0.3, 1, 2}, flight[3] = {1, 0, 0.5};
    assert_fine(w, cord_body_set_velocity(w, tray, flight, spin));
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_PLANE, .on = bench_on(w, tray, 0, 0, 0.15, other)},
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_on(w, tray, 0, 0, -0.15, other),
         .radius = 0.2,
         .surface = cord_surface_torus,
         .size = {0.6, 0.2}},
    };
    const cord_cable_node nodes[] = {{.guide = 0, .at = {0.1, 0}, .s = 0},
                                     {.guide = 0, .at = {0.4, 0.1}, .s = 0.3},
                                     {.guide = 0, .at = {0.5, 0.4}, .s = 0.6},
                                     {.guide = 1, .at = {0.8, 0.9}, .s = 1.1},
                                     {.guide = 1, .at = {1.2, 0.7}, .s = 1.4}};
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 50;
    cord_strand cord = add(w, &def, guides, 2, nodes, 5);
    cord_momentum before, after;
    assert_fine(w, cord_world_step(w, 1e-5));
    assert_fine(w, cord_world_momentum(w, &before));
    *energy = -total_energy(w);
    for (int k = 0; k < (int)round(0.2 / h); k++) assert_fine(w, cord_world_step(w, h));
    assert_fine(w, cord_world_momentum(w, &after));
    *energy += total_energy(w);
    *linear = v3_distance(after.linear, before.linear);
    *angular = v3_distance(after.angular, before.angular);
    cord_node_state node;
    double place[3], frame[9], from[3];
    assert_fine(w, cord_cable_node_state(w, cord, 2, &node));
    assert_fine(w, cord_point_place(w, guides[0].on, place, frame));
    v3_sub(from, node.position, place);
    *off = v3_dot(from, frame + 6);
    cord_world_destroy(w);
}

/* Energy is kept, momenta to second order. */
static void cord_on_a_flying_plane(void **unused)
{
    (void)unused;
    double energy[2], linear[2], angular[2], off;
    for (int k = 0; k < 2; k++) {
        fly(k ? 5e-4 : 1e-3, energy + k, linear + k, angular + k, &off);
        assert_close(energy[k], 0, 1e-9);
        assert_close(off, 0, 1e-12);
    }
    assert_close(linear[1], 0, 1e-5);
    assert_close(angular[1], 0, 1e-5);
    assert_true(linear[1] < 0.3 * linear[0] && angular[1] < 0.3 * angular[0]);
}

/* ---- tubes ------------------------------------------------------------------------------------------- */

/* Up, over and down: half a turn whose curvature begins and ends with nothing, as that of a path does. */
static cord_path arch(cord_world *w, double length)
{
    enum { PARTS = 60, FINE = 50 };
    double points[3 * (PARTS + 1)] = {0};
    for (int i = 0; i < PARTS; i++) {
        double *x = points + 3 * i;
        v3_copy(x + 3, x);
        for (int k = 0; k < FINE; k++) {
            double f = (i + (k + 0.5) / FINE) / PARTS, angle = pi * f - 0.5 * sin(2 * pi * f);
            x[3] += sin(angle) * length / (PARTS * FINE);
            x[5] += cos(angle) * length / (PARTS * FINE);
        }
    }
    return path_through(w, (cord_body){0}, PARTS + 1, points);
}

/* Two weights on a cord through such a tube: how fast the second falls, and the ratio of the forces. */
static double in_an_arch(cord_integrator integrator, bool reversed, double friction, double heavier,
                         double stretching, double *ratio)
{
    cord_world *w = scene_world_in(integrator, 9.81);
    cord_stop stops[3] = {{.kind = CORD_STOP_ANCHOR},
                          {.kind = CORD_STOP_TUBE,
                           .path = arch(w, 0.3),
                           .reversed = reversed,
                           .grip = friction > 0 ? CORD_GRIP_FRICTION : CORD_GRIP_NONE,
                           .friction = friction},
                          {.kind = CORD_STOP_ANCHOR}};
    cord_body weight[2];
    cord_path_info tube;
    assert_fine(w, cord_path_get_info(w, stops[1].path, &tube));
    for (int k = 0; k < 2; k++) {
        double mouth[3], at = (k == 1) == reversed ? 0 : tube.length;
        assert_fine(w, cord_path_place(w, stops[1].path, at, false, mouth, NULL));
        weight[k] = bench_box(w, k ? heavier : 1, mouth[0], mouth[1], -2);
        stops[2 * k].on = bench_on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 1e-6;
    def.stretching = stretching;
    def.damping = stretching > 0 ? 1e-3 : 0;
    def.stop_count = 3, def.stops = stops;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double before, after, angle, v[2][3];
    for (int k = 0; k < 60; k++) {
        if (k == 20) assert_fine(w, cord_body_velocity(w, weight[1], v[0], NULL));
        assert_fine(w, cord_world_step(w, 0.005));
    }
    assert_fine(w, cord_body_velocity(w, weight[1], v[1], NULL));
    assert_fine(w, cord_cable_wrap(w, made, 1, NULL, &angle, &before, &after));
    assert_close(angle, pi, 2e-3);
    *ratio = after / before;
    cord_world_destroy(w);
    return -(v[1][2] - v[0][2]) / 0.2;
}

/* It slips when the forces differ by more than e^{μφ}, φ being how far the tube turns, and by just that. */
static void bowden(void **unused)
{
    (void)unused;
    static const struct {
        double friction, heavier, stretching;
        bool reversed;
    } cases[] = {{0.2, 2.5, 0, false}, {0.2, 2.5, 0, true},    {0.2, 1.5, 0, false},
                 {0.2, 0.3, 0, true},  {0.2, 2.5, 1e6, false}, {0, 1.5, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            double most = exp(cases[i].friction * pi), ratio, heavier = cases[i].heavier;
            double expected = 0, grows = heavier;
            if (heavier > most) expected = 9.81 * (heavier - most) / (heavier + most), grows = most;
            if (heavier * most < 1)
                expected = -9.81 * (1 - heavier * most) / (1 + heavier * most), grows = 1 / most;
            double rate = in_an_arch(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, cases[i].reversed,
                                     cases[i].friction, heavier, cases[i].stretching, &ratio);
            bool elastic = cases[i].stretching > 0;
            assert_close(rate, expected, elastic ? 0.05 : 2e-3);
            if (!elastic) assert_close(ratio, grows, 3e-3 * grows);
        }
}

/* A chain with weights at its ends runs through a tube of a body on a spring of its own: energy is kept, also past
 * a checkpoint. */
static void tube_on_a_body(void **unused)
{
    (void)unused;
    static const double points[] = {-0.2, 0, 0, -0.1, 0.05, 0.12, 0.1, -0.05, 0.12, 0.2, 0, 0};
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_body carrier = bench_box(w, 1, 0, 0, 0), weight[2];
    cord_point hook = bench_on(w, carrier, 0, 0, 0, NULL);
    cord_relation_def spring = cord_relation_def_default();
    spring.kind = CORD_COINCIDE, spring.first = hook, spring.compliance = 1e-2;
    scene_relate(w, &spring);
    cord_stop stops[3] = {{.kind = CORD_STOP_ANCHOR},
                          {.kind = CORD_STOP_TUBE, .path = path_through(w, carrier, 4, points)},
                          {.kind = CORD_STOP_ANCHOR}};
    for (int k = 0; k < 2; k++) {
        weight[k] = bench_box(w, 0.5 + 0.2 * k, k ? 0.2 : -0.2, 0, -1);
        stops[2 * k].on = bench_on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.3;
    def.stop_count = 3, def.stops = stops;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double start = total_energy(w);
    for (int k = 0; k < 100; k++) assert_fine(w, cord_world_step(w, 0.002));
    size_t size;
    assert_fine(w, cord_world_state_size(w, &size));
    void *kept = malloc(size);
    assert_fine(w, cord_world_get_state(w, kept));
    uint64_t hash[2];
    for (int again = 0; again < 2; again++) {
        if (again) assert_fine(w, cord_world_set_state(w, kept, size));
        for (int k = 0; k < 100; k++) assert_fine(w, cord_world_step(w, 0.002));
        assert_fine(w, cord_world_hash(w, hash + again));
    }
    free(kept);
    assert_true(hash[0] == hash[1]);
    assert_close(total_energy(w), start, 1e-8);
    cord_node_state in;
    assert_fine(w, cord_cable_node_state(w, made, 1, &in));
    assert_true(in.freedom == 0 && in.eulerian && in.kind == CORD_GUIDE_PATH && in.body.index != 0);
    assert_true(fabs(in.rate) > 0.1);
    cord_world_destroy(w);
}

static void refused(cord_world *w, const cord_cable_def *def, const char *why)
{
    cord_strand made;
    assert_true(cord_world_add_cable(w, def, &made) != CORD_OK);
    if (!strstr(cord_world_error(w), why)) fail_msg("%s", cord_world_error(w));
}

/* ---- sheaths: cables through strands ------------------------------------------------------------------ */

enum { CASING = 13 };

/* A filament through all vertices of a casing, its ends free. */
static cord_strand sheathed(cord_world *w, cord_strand casing, double length, double stretching)
{
    cord_stop stops[CASING + 2] = {{.kind = CORD_STOP_FREE, .position = {-0.3, 0, 0}}};
    for (int i = 0; i < CASING; i++)
        stops[1 + i] = (cord_stop){.kind = CORD_STOP_EYELET,
                                   .on = vertex(w, casing, length * i / (CASING - 1))};
    stops[CASING + 1] = (cord_stop){.kind = CORD_STOP_FREE, .position = {length + 0.3, 0.1, 0}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.1;
    def.stretching = stretching;
    def.stop_count = CASING + 2, def.stops = stops;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

/* Thrown, the casing turning and the filament with it, and nothing else in the world: how far energy and
 * momenta go, and how far the filament has run through. */
static void throw_both(double h, double stretching, double *energy, double *linear, double *angular,
                       double *ran)
{
    const double length = 0.6;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 0);
    cord_strand casing = rod(w, "casing", CASING, length, (double[3]){0, 0, 0}, 1000);
    cord_strand filament = sheathed(w, casing, length, stretching);
    double v[3 * CASING];
    for (int i = 0; i < CASING; i++) v3_set(v + 3 * i, 0.5, 4.0 * i / (CASING - 1), 1);
    assert_fine(w, cord_strand_set_velocities(w, casing, v));
    cord_momentum before, after;
    cord_node_state middle;
    assert_fine(w, cord_world_step(w, 1e-6)); /* velocities come into line */
    assert_fine(w, cord_world_momentum(w, &before));
    assert_fine(w, cord_cable_node_state(w, filament, 1 + CASING / 2, &middle));
    *energy = -total_energy(w);
    *ran = -middle.s;
    for (int k = 0; k < (int)round(0.1 / h); k++) assert_fine(w, cord_world_step(w, h));
    assert_fine(w, cord_world_momentum(w, &after));
    *energy += total_energy(w);
    *linear = v3_distance(after.linear, before.linear);
    *angular = v3_distance(after.angular, before.angular);
    assert_fine(w, cord_cable_node_state(w, filament, 1 + CASING / 2, &middle));
    *ran += middle.s;
    double x[3 * CASING];
    assert_fine(w, cord_strand_positions(w, casing, x));
    assert_close(v3_distance(middle.position, x + 3 * (CASING / 2)), 0, 1e-15);
    assert_true(middle.strand.index == casing.index && middle.freedom == 0);
    cord_world_destroy(w);
}

/* Energy is kept, momenta to second order. */
static void casing_and_filament(void **unused)
{
    (void)unused;
    for (int elastic = 0; elastic < 2; elastic++) {
        double energy[2], linear[2], angular[2], ran[2];
        for (int k = 0; k < 2; k++)
            throw_both(k ? 5e-4 : 1e-3, elastic ? 200 : 0, energy + k, linear + k, angular + k,
                       ran + k);
        for (int k = 0; k < 2; k++) assert_close(energy[k], 0, 1e-9);
        assert_close(linear[1], 0, 1e-6);
        assert_close(angular[1], 0, 1e-6);
        assert_true(linear[1] < 0.3 * linear[0] && angular[1] < 0.3 * angular[0]);
        assert_true(fabs(ran[1]) > 5e-3);
        if (!elastic) assert_close(ran[0], ran[1], 1e-2 * fabs(ran[1]));
    }
}

/* A filament that is pulled through a casing hung up by one end falls as a chain does through straight rings: the
 * casing hangs straight, and what is out below pulls. In every implicit integrator. */
static void filament_falls_through(void **unused)
{
    (void)unused;
    static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    const double length = 0.6, up = 0.2, down = 0.3;
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_in(integrators[i], 9.81);
        double x[3 * CASING];
        cord_strand_def def = cord_strand_def_default();
        cord_strand casing, filament;
        for (int k = 0; k < CASING; k++) v3_set(x + 3 * k, 0, 0, -length * k / (CASING - 1));
        def.vertex_count = CASING, def.positions = x;
        def.material = (cord_material){1000, 1e6, 0.5};
        def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
        assert_fine(w, cord_world_add_strand(w, &def, &casing));
        cord_relation_def hung = cord_relation_def_default();
        hung.kind = CORD_COINCIDE, hung.first = vertex(w, casing, 0);
        scene_relate(w, &hung);
        cord_stop stops[CASING + 2] = {{.kind = CORD_STOP_FREE, .position = {0, 0, up}}};
        for (int k = 0; k < CASING; k++)
            stops[1 + k] = (cord_stop){.kind = CORD_STOP_EYELET,
                                       .on = vertex(w, casing, length * k / (CASING - 1))};
        stops[CASING + 1] = (cord_stop){.kind = CORD_STOP_FREE, .position = {0, 0, -length - down}};
        cord_cable_def thread = cord_cable_def_default();
        thread.density = 0.1;
        thread.stop_count = CASING + 2, thread.stops = stops;
        assert_fine(w, cord_world_add_cable(w, &thread, &filament));
        for (int k = 0; k < 50; k++) assert_fine(w, cord_world_step(w, 0.002));
        cord_node_state last;
        assert_fine(w, cord_cable_node_state(w, filament, CASING + 1, &last));
        /* Frictionless and straight: it falls freely. */
        assert_close(last.position[2], -length - down - 0.5 * 9.81 * 0.01, 1e-6);
        double hangs;
        assert_fine(w, cord_cable_tension(w, filament, CASING / 2, &hangs));
        assert_close(hangs, 0, 1e-6);
        cord_world_destroy(w);
    }
}

/* It goes with its casing; a node of a strand that is not one by itself is refused; a checkpoint has it. */
static void sheath_goes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_strand casing = rod(w, "casing", CASING, 0.6, (double[3]){0, 0, 0}, 1000);
    cord_stop stops[3] = {{.kind = CORD_STOP_FREE, .position = {-0.3, 0, 0}},
                          {.kind = CORD_STOP_EYELET, .on = vertex(w, casing, 0.123)},
                          {.kind = CORD_STOP_FREE, .position = {0.3, 0.1, 0}}};
    cord_cable_def def = cord_cable_def_default();
    def.stop_count = 3, def.stops = stops;
    refused(w, &def, "stop 1: a strand carries guides at those vertices");
    cord_strand filament = sheathed(w, casing, 0.6, 0);
    size_t size;
    uint64_t hash[2];
    assert_fine(w, cord_world_step(w, 0.001));
    assert_fine(w, cord_world_state_size(w, &size));
    void *kept = malloc(size);
    assert_fine(w, cord_world_get_state(w, kept));
    for (int again = 0; again < 2; again++) {
        if (again) assert_fine(w, cord_world_set_state(w, kept, size));
        for (int k = 0; k < 20; k++) assert_fine(w, cord_world_step(w, 0.001));
        assert_fine(w, cord_world_hash(w, hash + again));
    }
    free(kept);
    assert_true(hash[0] == hash[1]);
    cord_strand_info info;
    assert_fine(w, cord_world_remove_strand(w, casing));
    assert_int_equal(cord_strand_get_info(w, filament, &info), CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

/* ---- spans ----------------------------------------------------------------------------------------------- */

/* A line between two bodies that fly; a bead of a cord slides along it without friction: energy and momentum
 * are kept, and it is on the line. */
static void bead_on_a_span(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 0);
    cord_body body[2] = {bench_box(w, 1, 0, 0, 0), bench_box(w, 2, 1, 0, 0)};
    const cord_guide guides[] = {{.kind = CORD_GUIDE_SPAN,
                                  .on = bench_on(w, body[0], 0, 0.1, 0, NULL),
                                  .to = bench_on(w, body[1], 0, 0, 0.1, NULL)}};
    const cord_cable_node nodes[] = {{.guide = 0, .at = {0.3}, .s = 0},
                                     {.guide = -1, .at = {0.3, 0.5, 0}, .s = 0.5}};
    assert_fine(w, cord_body_set_velocity(w, body[0], (double[3]){0, 1, 0}, (double[3]){1, 2, 3}));
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 100;
    cord_strand cord = add(w, &def, guides, 1, nodes, 2);
    assert_fine(w, cord_world_step(w, 1e-6));
    cord_momentum before, after;
    double energy = total_energy(w), ends[2][3], line[3], from[3], across[3];
    assert_fine(w, cord_world_momentum(w, &before));
    for (int k = 0; k < 400; k++) assert_fine(w, cord_world_step(w, 5e-4));
    assert_fine(w, cord_world_momentum(w, &after));
    assert_close(total_energy(w), energy, 1e-8 * energy);
    /* To second order in the step; half of it leaves a quarter. */
    assert_close(v3_distance(after.linear, before.linear), 0, 1e-5);
    assert_close(v3_distance(after.angular, before.angular), 0, 1e-5);
    cord_node_state bead;
    assert_fine(w, cord_cable_node_state(w, cord, 0, &bead));
    assert_fine(w, cord_point_place(w, guides[0].on, ends[0], NULL));
    assert_fine(w, cord_point_place(w, guides[0].to, ends[1], NULL));
    v3_sub(line, ends[1], ends[0]);
    v3_sub(from, bead.position, ends[0]);
    v3_cross(across, line, from);
    assert_close(v3_norm(across), 0, 1e-14);
    assert_true(fabs(bead.at[0] - 0.3) > 1e-3 && bead.freedom == 1);
    cord_world_destroy(w);
}

/* ---- what is refused, and what goes when a path does ------------------------------------------------ */

static void refusals(void **unused)
{
    (void)unused;
    static const double points[] = {0, 0, 0, 1, 0, 0, 2, 0.5, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const cord_point here = bench_still(w, 0, 0, 0, NULL);
    cord_path path = path_through(w, (cord_body){0}, 3, points);
    cord_guide guides[] = {{.kind = CORD_GUIDE_PATH, .path = path},
                           {.kind = CORD_GUIDE_SURFACE,
                            .on = here,
                            .radius = 1,
                            .surface = cord_surface_cone,
                            .size = {1}},
                           {.kind = CORD_GUIDE_PLACE, .on = here}};
    cord_cable_node nodes[] = {{.guide = 0, .at = {0}, .s = 0},
                               {.guide = 0, .at = {1}, .s = 1, .eulerian = true},
                               {.guide = 1, .at = {0, 1}, .s = 2, .eulerian = true},
                               {.guide = 1, .at = {0, 2}, .s = 3}};
    cord_wrap wrap = {.segment = 2, .grip = CORD_GRIP_STICK};
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 100;
    def.guides = guides, def.guide_count = 3, def.nodes = nodes, def.node_count = 4;
    def.bending = 1;
    refused(w, &def, "node 3: what lies on a surface has no bending");
    def.bending = 0;
    nodes[1].tangent = 1;
    refused(w, &def, "node 1: only a circle");
    nodes[1].tangent = 0, nodes[2].tangent = -1, nodes[2].held = true;
    refused(w, &def, "node 2: it is held");
    nodes[2].tangent = 0, nodes[2].guide = 2;
    refused(w, &def, "node 2: it has no coordinates");
    nodes[2].guide = 1;
    def.wraps = &wrap, def.wrap_count = 1;
    refused(w, &def, "wrap 0: only a circle, a cylinder, a line or a path");
    wrap = (cord_wrap){.segment = 0, .grip = CORD_GRIP_FRICTION, .friction = 0.3};
    refused(w, &def, "wrap 0: friction is between");
    cord_point_def rotor = cord_point_def_default();
    rotor.source = CORD_SOURCE_ROTOR, rotor.inertia = 1;
    wrap = (cord_wrap){.segment = 0};
    assert_fine(w, cord_world_add_point(w, &rotor, &wrap.spin));
    refused(w, &def, "wrap 0: only a circle");
    def.wrap_count = 0;
    guides[1].surface = NULL;
    refused(w, &def, "guide 1: a surface needs");
    guides[1].surface = cord_surface_cone;
    guides[0].path.generation += 5;
    refused(w, &def, "path handle");
    guides[0].path = path;
    cord_strand made;
    cord_strand_info info;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord_world_step(w, 0.001));
    assert_fine(w, cord_world_remove_path(w, path));
    assert_int_equal(cord_strand_get_info(w, made, &info), CORD_ERROR_HANDLE);
    assert_fine(w, cord_world_step(w, 0.001));
    cord_world_destroy(w);
}

static void tubes_refused(void **unused)
{
    (void)unused;
    static const double ring[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_path_def closed = cord_path_def_default();
    cord_path round;
    closed.count = 4, closed.points = ring, closed.closed = true;
    assert_fine(w, cord_world_add_path(w, &closed, &round));
    cord_stop stops[3] = {{.kind = CORD_STOP_ANCHOR, .on = bench_still(w, -1, 0, -1, NULL)},
                          {.kind = CORD_STOP_TUBE, .path = arch(w, 0.3)},
                          {.kind = CORD_STOP_ANCHOR, .on = bench_still(w, 1, 0, -1, NULL)}};
    cord_cable_def def = cord_cable_def_default();
    def.stop_count = 3, def.stops = stops;
    stops[1].grip = CORD_GRIP_STICK;
    refused(w, &def, "stop 1: a cable that sticks in a tube");
    stops[1].grip = CORD_GRIP_NONE;
    def.stop_count = 2;
    refused(w, &def, "stop 1: a cable does not end in a tube");
    def.stop_count = 3;
    stops[1].path = round;
    refused(w, &def, "stop 1: its path is closed");
    cord_world_destroy(w);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* A cable through a tube and a rod, for a few steps. */
static cord_status small_program(cord_world *w)
{
    static const double points[] = {0, 0, 0, 0.1, 0, 0.1, 0.2, 0, 0}, x[] = {0.4, 0, 0, 0.6, 0, 0};
    cord_path_def along = cord_path_def_default();
    cord_strand_def rod_def = cord_strand_def_default();
    cord_point_def at = cord_point_def_default();
    cord_stop stops[4] = {{.kind = CORD_STOP_FREE, .position = {-0.2, 0, 0}},
                          {.kind = CORD_STOP_TUBE, .grip = CORD_GRIP_FRICTION, .friction = 0.2},
                          {.kind = CORD_STOP_EYELET},
                          {.kind = CORD_STOP_FREE, .position = {1, 0, 0}}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand casing = {0}, made;
    along.count = 3, along.points = points;
    cord_status status = cord_world_add_path(w, &along, &stops[1].path);
    rod_def.vertex_count = 2, rod_def.positions = x;
    rod_def.material = (cord_material){1000, 1e6, 0.5};
    rod_def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
    if (status == CORD_OK) status = cord_world_add_strand(w, &rod_def, &casing);
    at.source = CORD_SOURCE_STRAND, at.strand = casing, at.s = 0.2;
    if (status == CORD_OK) status = cord_world_add_point(w, &at, &stops[2].on);
    def.stop_count = 4, def.stops = stops;
    if (status == CORD_OK) status = cord_world_add_cable(w, &def, &made);
    for (int k = 0; k < 3 && status == CORD_OK; k++) status = cord_world_step(w, 0.001);
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
        cmocka_unit_test(potentials),
        cmocka_unit_test(motion),
        cmocka_unit_test(rows),
        cmocka_unit_test(masses),
        cmocka_unit_test(length_stiffness),
        cmocka_unit_test(chain_in_a_chute),
        cmocka_unit_test(shortest_on_a_sphere),
        cmocka_unit_test(cord_on_a_flying_plane),
        cmocka_unit_test(bowden),
        cmocka_unit_test(tube_on_a_body),
        cmocka_unit_test(casing_and_filament),
        cmocka_unit_test(filament_falls_through),
        cmocka_unit_test(sheath_goes),
        cmocka_unit_test(bead_on_a_span),
        cmocka_unit_test(refusals),
        cmocka_unit_test(tubes_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
