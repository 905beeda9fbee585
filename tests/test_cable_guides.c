/* Guides of cables: prescribed nodes, paths, planes, surfaces and spans; equations against
 * differences, and motions that are known. */
#include "math/vec3.h"
#include "support/cable_bench.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

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

/* Along paths of a body and of the world, forwards and backwards, with prescribed and moving
 * nodes; and prescribed nodes on pulleys. */
static cord_strand along_paths(cord_world *w, double stretching)
{
    static const double points[] = {0,   0,   0,   0.3,  0.1, 0.2, 0.5, 0.4,
                                    0.1, 0.9, 0.3, -0.2, 1.1, 0,   0};
    cord_body body = bench_box(w, 1, 0.5, 0, 0), drum = bench_box(w, 2, 2, 0.3, -0.2);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_PATH, .path = scene_path(w, body, 5, points, false)},
        {.kind = CORD_GUIDE_PATH, .path = scene_path(w, (cord_body){0}, 5, points, false)},
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_on(w, drum, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER, .on = bench_on(w, drum, 0, 0.1, 0.3, other), .radius = 0.25},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_on(w, drum, 0.5, 0.1, 0.3, other), .radius = 0.4},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0.1}, .s = 0},
        {.guide = 0, .at = {0.8}, .s = 0.7, .eulerian = true},
        {.guide = 1, .at = {1}, .s = 1.4, .eulerian = true},
        {.guide = 1, .at = {0.3}, .s = 2.1, .eulerian = true, .prescribed = true},
        {.guide = 0, .at = {0.2}, .s = 3, .eulerian = true, .prescribed = true},
        {.guide = 0, .at = {1.1}, .s = 3.9, .eulerian = true, .prescribed = true},
        {.guide = 2, .at = {0.3}, .s = 4.6, .eulerian = true, .prescribed = true},
        {.guide = 2, .at = {1.9}, .s = 5.3, .eulerian = true},
        {.guide = 3, .at = {0.5, 0.1}, .s = 6, .eulerian = true},
        {.guide = 3, .at = {2.5, 0.2}, .s = 6.6, .eulerian = true, .prescribed = true},
        {.guide = 4, .at = {0.5, 0.4}, .s = 7.5, .prescribed = true},
        {.guide = 4, .at = {1.2, 0.1}, .s = 8},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
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
        {.guide = 2, .at = {0.5, 0.4}, .s = 5.6, .eulerian = true, .prescribed = true},
        {.guide = 3, .at = {0.5, 0.6}, .s = 6.5, .eulerian = true},
        {.guide = 3, .at = {1.5, 0.4}, .s = 7.2},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    def.stretching = stretching;
    def.bending = 0.02;
    return add(w, &def, guides, 4, nodes, 10);
}

/* On vertices of a strand, on lines between them, bodies and fixed points. */
static cord_strand on_strands(cord_world *w, double stretching)
{
    cord_strand casing = bench_rod(w, 6, (double[3]){0, 0.1, 0.2}, (double[3]){1, 0.1, 0.2});
    cord_body body = bench_box(w, 1, 2, 0.5, 0), second = bench_box(w, 2, 3, 0.3, -0.2);
    const cord_point here = bench_still(w, 2.5, 1, 0.5, tilt);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = scene_point(w, casing, 0)},
        {.kind = CORD_GUIDE_POINT, .on = scene_point(w, casing, 0.2)},
        {.kind = CORD_GUIDE_POINT, .on = scene_point(w, casing, 0.4)},
        {.kind = CORD_GUIDE_CIRCLE, .on = scene_point(w, casing, 1), .radius = 0.1},
        {.kind = CORD_GUIDE_SPAN,
         .on = scene_point(w, casing, 0.6),
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
        {.guide = 7, .at = {0.2}, .s = 5.3, .prescribed = true},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
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

/* ---- tension of a segment on a surface, in the matrix ------------------------------------------- */

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
    int n = t.c->layout.dofs, segment = 1; /* on the torus */
    assert_true(n + t.c->layout.rows <= MOST && t.b->shape.extra_entries <= EXTRAS);
    const int *pairs = bench_extras(&t);
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    lambda[t.c->layout.element[segment].row] = -3;
    block_eval in = {.environment = &t.env,
                     .q = t.q,
                     .cache = t.cache,
                     .side = t.side,
                     .v = zero,
                     .a = zero,
                     .c_k = 1};
    for (int pulled = 0; pulled < 2; pulled++) {
        local_matrix made = {.values = extras[pulled], .extra_slot = as_listed};
        in.lambda = pulled ? lambda : zero;
        t.b->ops->assemble(t.c, &in, r[0], g, &made);
    }
    for (int i = 0; i < t.b->shape.extra_entries; i++) {
        const int *at = pairs + 2 * i;
        matrix[at[0]][at[1]] += extras[1][i] - extras[0][i];
        if (at[0] != at[1]) matrix[at[1]][at[0]] += extras[1][i] - extras[0][i];
    }
    const cable_node *first = t.c->topology.node + segment;
    for (int k = 0; k < 4; k++) {
        const double h = 1e-5;
        int column = first[k / 2].dof + k % 2;
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
            int row = first[i / 2].dof + i % 2;
            assert_close(matrix[row][column], change[row], 1e-6);
        }
    }
    cord_world_destroy(w);
}

/* ---- motions that are known ---------------------------------------------------------------------- */

/* A chain in a tube that falls straight, then follows a quarter circle of radius R: when it is
 * released its upper end is at the start of the path. It conserves its energy: v²/2 is the
 * potential energy lost per unit mass. */
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
    const cord_guide guide = {
        .kind = CORD_GUIDE_PATH,
        .path = scene_path(w, (cord_body){0}, STRAIGHT + BEND + 1, points, false)};
    const cord_cable_node nodes[] = {{.guide = 0, .at = {0}, .s = 0},
                                     {.guide = 0, .at = {length}, .s = length}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand chain = add(w, &def, &guide, 1, nodes, 2);
    double start = scene_energy(w).total;
    cord_node_state upper;
    do {
        assert_fine(w, cord_world_step(w, 0.002));
        upper = rig_node(w, chain, 0);
    } while (upper.at[0] < drop);
    /* The initial height of its middle, and the height of its centre of mass now, on the arc
     * from angle 0: z = −R sin φ. */
    double speed = v3_norm(upper.velocity), from = (upper.at[0] - drop) / R, to = from + length / R;
    double now = -R * R / length * (cos(from) - cos(to)), was = drop - length / 2;
    assert_close(0.5 * speed * speed, 9.81 * (was - now), 1e-5 * 9.81 * (was - now));
    assert_close(scene_energy(w).total, start, 1e-9 * fabs(start));
    cord_world_destroy(w);
}

/* An elastic cord between two points of a surface, released from a path that is straight in the
 * surface's coordinates, finds the geodesic: on a sphere an arc of a great circle. */
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
                                     .prescribed = i == 0 || i == PARTS};
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 100;
    cord_strand cord = add(w, &def, &guide, 1, nodes, PARTS + 1);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    double sin_half = sin(0.5 * longitude) * cos(latitude), angle = 2 * asin(sin_half), tension;
    assert_fine(w, cord_cable_get_tension(w, cord, PARTS / 2, 0.5, &tension));
    assert_close(tension, 100 * (2 * angle / 2 - 1), 1e-3 * tension);
    cord_node_state middle = rig_node(w, cord, PARTS / 2);
    double highest = atan2(tan(latitude), cos(0.5 * longitude)); /* of the great circle's middle */
    assert_close(middle.at[1], highest, 1e-3);
    cord_world_destroy(w);
}

/* A cord on a plane and a torus of a flying body: the drift of energy and momenta after a while,
 * and the distance from the plane. */
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
    assert_fine(w, cord_world_get_momentum(w, &before));
    *energy = -scene_energy(w).total;
    scene_advance(w, h, (int)round(0.2 / h));
    assert_fine(w, cord_world_get_momentum(w, &after));
    *energy += scene_energy(w).total;
    *linear = v3_distance(after.linear, before.linear);
    *angular = v3_distance(after.angular, before.angular);
    cord_node_state node;
    double place[3], frame[9], from[3];
    node = rig_node(w, cord, 2);
    assert_fine(w, cord_point_get_pose(w, guides[0].on, place, frame));
    v3_sub(from, node.position, place);
    *off = v3_dot(from, frame + 6);
    cord_world_destroy(w);
}

/* Energy is conserved, momenta to second order. */
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

/* ---- spans ----------------------------------------------------------------------------------------------- */

/* A line between two flying bodies; a node of a cord slides along it without friction: energy
 * and momentum are conserved, and the node is on the line. */
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
    double energy = scene_energy(w).total, ends[2][3], line[3], from[3], across[3];
    assert_fine(w, cord_world_get_momentum(w, &before));
    scene_advance(w, 5e-4, 400);
    assert_fine(w, cord_world_get_momentum(w, &after));
    assert_close(scene_energy(w).total, energy, 1e-8 * energy);
    /* To second order in the step: half the step leaves a quarter of the error. */
    assert_close(v3_distance(after.linear, before.linear), 0, 1e-5);
    assert_close(v3_distance(after.angular, before.angular), 0, 1e-5);
    cord_node_state bead = rig_node(w, cord, 0);
    assert_fine(w, cord_point_get_pose(w, guides[0].on, ends[0], NULL));
    assert_fine(w, cord_point_get_pose(w, guides[0].to, ends[1], NULL));
    v3_sub(line, ends[1], ends[0]);
    v3_sub(from, bead.position, ends[0]);
    v3_cross(across, line, from);
    assert_close(v3_norm(across), 0, 1e-14);
    assert_true(fabs(bead.at[0] - 0.3) > 1e-3 && bead.dofs == 1);
    cord_world_destroy(w);
}

/* ---- refusals, and dependents of a removed path ----------------------------------------------------- */

static void refusals(void **unused)
{
    (void)unused;
    static const double points[] = {0, 0, 0, 1, 0, 0, 2, 0.5, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const cord_point here = bench_still(w, 0, 0, 0, NULL);
    cord_path path = scene_path(w, (cord_body){0}, 3, points, false);
    cord_guide guides[] = {{.kind = CORD_GUIDE_PATH, .path = path},
                           {.kind = CORD_GUIDE_SURFACE,
                            .on = here,
                            .radius = 1,
                            .surface = cord_surface_cone,
                            .size = {1}},
                           {.kind = CORD_GUIDE_POINT, .on = here}};
    cord_cable_node nodes[] = {{.guide = 0, .at = {0}, .s = 0},
                               {.guide = 0, .at = {1}, .s = 1, .eulerian = true},
                               {.guide = 1, .at = {0, 1}, .s = 2, .eulerian = true},
                               {.guide = 1, .at = {0, 2}, .s = 3}};
    cord_wrap wrap = {.segment = 2, .friction_law = CORD_WRAP_NO_SLIP};
    cord_cable_def def = cord_cable_def_default();
    def.stretching = 100;
    def.guides = guides, def.guide_count = 3, def.nodes = nodes, def.node_count = 4;
    nodes[1].tangent = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "node 1: only a circle");
    nodes[1].tangent = 0, nodes[2].tangent = -1, nodes[2].prescribed = true;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "node 2: it is prescribed");
    nodes[2].tangent = 0, nodes[2].guide = 2;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "node 2: it has no coordinates");
    nodes[2].guide = 1;
    def.wraps = &wrap, def.wrap_count = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT,
                "wrap 0: only a circle, a cylinder, a line or a path");
    wrap = (cord_wrap){.segment = 0, .friction_law = CORD_WRAP_CAPSTAN, .friction = 0.3};
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: friction is between");
    cord_point_def flywheel = cord_point_def_default();
    flywheel.source = CORD_SOURCE_FLYWHEEL, flywheel.inertia = 1;
    wrap = (cord_wrap){.segment = 0};
    assert_fine(w, cord_world_add_point(w, &flywheel, &wrap.rotation));
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: only a circle");
    def.wrap_count = 0;
    guides[1].surface = NULL;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "guide 1: a surface needs");
    guides[1].surface = cord_surface_cone;
    guides[0].path.generation += 5;
    rig_refused(w, &def, CORD_ERROR_HANDLE, "path handle");
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
        cmocka_unit_test(bead_on_a_span),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
