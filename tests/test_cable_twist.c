/* Twist of cables: its row against differences, holonomy against solid angles, quasistatic
 * torque from end to end, energy, full turns, checkpoints, pulleys that are unwrapped, and
 * refusals. */
#include "math/rotation.h"
#include "support/cable_bench.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- derivatives ------------------------------------------------------------------------------------- */

/* Clamped to two bodies; free nodes, an arc and a helix on bodies, a line, and kinks between all of them. */
static cord_strand crowd(cord_world *w)
{
    cord_body first = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = bench_place(w, &second, 0.1, 0, 1, NULL)},
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_place(w, &first, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER,
         .on = bench_place(w, &second, 0, 0.1, 0.3, other),
         .radius = 0.25},
        {.kind = CORD_GUIDE_LINE, .on = bench_place(w, NULL, 3, 0.5, 0, tilt)},
        {.kind = CORD_GUIDE_POINT, .on = bench_place(w, &first, 0.3, 0, -0.2, NULL)},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0, .s = 0},
        {.guide = -1, .at = {0.2, 0.1, 0.5}, .s = 0.7},
        {.guide = -1, .at = {0.3, 0.4, 0.4}, .s = 1.0},
        {.guide = 1, .at = {0.3}, .s = 1.4, .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {1.9}, .s = 2.0, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {1.2, 0.2, 0.1}, .s = 3.0, .eulerian = true},
        {.guide = 2, .at = {0.5, 0.1}, .s = 4.0, .eulerian = true, .tangent = -1},
        {.guide = 2, .at = {3.5, 0.2}, .s = 5.1, .eulerian = true, .tangent = 1},
        {.guide = 3, .at = {-0.4}, .s = 6.4, .eulerian = true},
        {.guide = 3, .at = {0.5}, .s = 7.2, .eulerian = true},
        {.guide = 4, .s = 9.7},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.twisting = 0.3;
    def.guide_count = sizeof guides / sizeof *guides, def.guides = guides;
    def.node_count = sizeof nodes / sizeof *nodes, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

enum { MOST = 600, COLUMNS = 100 };

/* Away from where it was clamped. */
static void put_away(cord_world *w, cord_strand handle, bench *t)
{
    double d[COLUMNS], q[MOST];
    uint64_t random = 5;
    put_up(w, handle, t);
    t->env = (environment){0};
    random_vector(&random, t->c->layout.dofs, d);
    bench_moved(t, d, 0.2, q);
    memcpy(t->q, q, (size_t)t->b->shape.q_count * sizeof *q);
    t->b->ops->refresh(t->c, t->q, t->cache);
}

static double row_along(const bench *t, const double *d, double by)
{
    static double q[MOST], cache[MOST];
    bench_moved(t, d, by, q);
    t->b->ops->refresh(t->c, q, cache);
    return cord__twist_row(t->c, cache);
}

/* The row's Jacobian by the residual's −λB, by the rates of rows, and by differences. */
static void rows(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    bench t;
    put_away(w, crowd(w), &t);
    double zero[COLUMNS] = {0}, lambda[COLUMNS] = {0}, r[2][COLUMNS], g[COLUMNS], d[COLUMNS];
    for (int k = 0; k < 2; k++) {
        lambda[t.c->layout.twist_row] = k;
        block_eval in = {.environment = &t.env,
                         .q = t.q,
                         .cache = t.cache,
                         .side = t.side,
                         .v = zero,
                         .a = zero,
                         .lambda = lambda};
        t.b->ops->assemble(t.c, &in, r[k], g, NULL);
    }
    for (int k = 0; k < t.c->layout.dofs; k++) {
        const double h = 1e-5;
        double rates[COLUMNS];
        memset(d, 0, sizeof d);
        d[k] = 1;
        double slope = (row_along(&t, d, h) - row_along(&t, d, -h)) / (2 * h);
        assert_close(r[0][k] - r[1][k], slope, 1e-8 * (1 + fabs(slope)));
        t.b->ops->rows->rates(t.c, t.cache, t.side, d, rates);
        assert_close(rates[t.c->layout.twist_row], slope, 1e-8 * (1 + fabs(slope)));
    }
    cord_world_destroy(w);
}

/* For a cable with free nodes: the matrix is complete, with the stiffness of the torque at
 * kinks. */
static void matrices(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    enum { NODES = 7 };
    cord_guide guides[2] = {{.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)},
                            {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0.8, 0.1, 0.2)}};
    cord_cable_node nodes[NODES] = {{.guide = 0}};
    for (int i = 1; i < NODES; i++)
        nodes[i] = (cord_cable_node){.guide = i + 1 < NODES ? -1 : 1,
                                     .at = {0.13 * i, 0.1 * sin(2 * i), 0.1 * cos(3 * i)},
                                     .s = 0.2 * i};
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_strand made;
    def.twisting = 0.3, def.stretching = 1e-9;
    def.guide_count = 2, def.guides = guides, def.node_count = NODES, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    bench t;
    put_away(w, made, &t);
    static double extras[4000], q[MOST], cache[MOST];
    static int slot[4000];
    double zero[COLUMNS] = {0}, lambda[COLUMNS] = {0}, r[2][COLUMNS], g[COLUMNS], d[COLUMNS];
    int n = t.c->layout.dofs;
    const int *pairs = bench_extras(&t);
    int count = t.b->shape.extra_entries;
    assert_true(count < 4000);
    for (int i = 0; i < count; i++) slot[i] = i;
    lambda[t.c->layout.twist_row] = 0.7;
    block_eval in = {
        .environment = &t.env, .side = t.side, .v = zero, .a = zero, .lambda = lambda, .c_k = 1};
    for (int k = 0; k < n; k++) {
        const double h = 1e-6;
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int sign = 0; sign < 2; sign++) {
            bench_moved(&t, d, sign ? h : -h, q);
            t.b->ops->refresh(t.c, q, cache);
            in.q = q, in.cache = cache;
            t.b->ops->assemble(t.c, &in, r[sign], g, NULL);
        }
        memset(extras, 0, sizeof extras);
        local_matrix m = {.values = extras, .extra_slot = slot};
        double unused_r[COLUMNS];
        in.q = t.q, in.cache = t.cache;
        t.b->ops->assemble(t.c, &in, unused_r, g, &m);
        double column[COLUMNS] = {0};
        for (int i = 0; i < count; i++) {
            int a = pairs[2 * i], b = pairs[2 * i + 1];
            if (a == k && b < n) column[b] += extras[i];
            if (b == k && a < n && a != b) column[a] += extras[i];
        }
        for (int i = 0; i < n; i++) assert_close(column[i], (r[1][i] - r[0][i]) / (2 * h), 1e-6);
    }
    cord_world_destroy(w);
}

/* ---- holonomy ------------------------------------------------------------------------------------------ */

/* The solid angle of a spherical triangle [van Oosterom and Strackee]. */
static double triangle(const double a[3], const double b[3], const double c[3])
{
    double cross[3];
    v3_cross(cross, b, c);
    return 2 * atan2(v3_dot(a, cross), 1 + v3_dot(a, b) + v3_dot(b, c) + v3_dot(c, a));
}

/* Clamps keep their directions while the path between them is moved out of its plane: the twist
 * is the area enclosed by the tangent indicatrix on the sphere [Fuller 1978]. A tetrahedron's
 * edges, and an arc on a rotated pulley. */
static void solid_angles(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_QUASI_STATIC, 0);
    cord_guide guides[2] = {{.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)},
                            {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 3, 0, 0)}};
    cord_cable_node nodes[4] = {{.guide = 0},
                                {.guide = -1, .at = {1, 0, 0}, .s = 1},
                                {.guide = -1, .at = {2, 0, 0}, .s = 2},
                                {.guide = 1, .s = 3}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.twisting = 0.3, def.stretching = 1;
    def.guide_count = 2, def.guides = guides, def.node_count = 4, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    bench t;
    put_up(w, made, &t);
    /* the cable starts along (1, 1, 0), passes near (0, 0, 1), and returns to the end */
    const double x[4][3] = {{0, 0, 0}, {0.8, 0.9, 0.1}, {1.7, 0.2, 1.1}, {3, 0, 0}};
    for (int i = 1; i < 3; i++) v3_copy(t.q + t.c->topology.node[i].q, x[i]);
    t.b->ops->refresh(t.c, t.q, t.cache);
    double tangent[3][3], e[3] = {1, 0, 0}, area = 0;
    for (int i = 0; i < 3; i++) {
        v3_sub(tangent[i], x[i + 1], x[i]);
        v3_normalize(tangent[i], tangent[i]);
    }
    for (int i = 0; i + 1 < 3; i++) area += triangle(e, tangent[i], tangent[i + 1]);
    assert_true(fabs(area) > 0.3);
    /* transported round an area the director returns rotated by it: the end, which has not
     * rotated, lags */
    assert_close(cord__twist_row(t.c, t.cache), -area, 1e-12);
    cord_world_destroy(w);
}

/* ---- machines -------------------------------------------------------------------------------------------- */

typedef struct shaft {
    cord_world *w;
    cord_body ends[2];
    cord_point hold[2];
    cord_strand cable;
    double length;
} shaft;

static const double GJ = 0.6;

/* From body to body over two pulleys, in a plane or not; the ends are on hinges about the cable. */
static shaft shaft_of(cord_integrator integrator, bool planar, double gravity)
{
    shaft s = {.w = scene_world_in(integrator, gravity)};
    cord_world *w = s.w;
    static const double across[3] = {-0.5 * 3.14159265358979323846, 0, 0};
    s.ends[0] = bench_box(w, 1, 0, 0, 0);
    s.ends[1] = bench_box(w, 1, 1.2, planar ? 0 : 0.4, 0);
    double where[2][3];
    for (int i = 0; i < 2; i++) {
        cord_point hub = scene_on(w, s.ends[i], 0, 0, 0), bearing;
        v3_set(where[i], i * 1.2, i && !planar ? 0.4 : 0, 0);
        bearing = scene_place(w, where[i][0], where[i][1], where[i][2]);
        scene_constraint(w, CORD_COINCIDE, hub, bearing);
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_PARALLEL;
        def.first = hub, def.second = bearing;
        v3_set(def.direction, 0, 0, 1);
        v3_set(def.first_direction, 0, 0, 1);
        scene_relate(w, &def);
        s.hold[i] = hub;
    }
    /* up from the first, over two pulleys, down to the second */
    cord_waypoint waypoints[4] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = s.hold[0]},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 0.2, 0, 1, across),
         .radius = 0.2,
         .side = 1},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 1.0, planar ? 0 : 0.4, 1, across),
         .radius = 0.2,
         .side = 1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = s.hold[1]},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand_info info;
    def.density = 0.1;
    def.twisting = GJ;
    def.stretching = 1e4, def.tension = 30;
    def.waypoint_count = 4, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &s.cable));
    assert_fine(w, cord_strand_get_info(w, s.cable, &info));
    s.length = info.length;
    return s;
}

static void twist_of(const shaft *s, double *angle, double *torque)
{
    assert_fine(s->w, cord_cable_get_twist(s->w, s->cable, angle, torque));
}

/* One end is rotated by φ about the cable: the reaction at the other is GJ φ/L, in the same
 * step, and over many turns. */
static void torque_at_once(void **unused)
{
    (void)unused;
    for (int planar = 1; planar >= 0; planar--) {
        shaft s = shaft_of(CORD_IMPLICIT, planar, 0);
        cord_point_def def = cord_point_def_default();
        cord_point turn[2];
        cord_constraint drive[2];
        def.source = CORD_SOURCE_REVOLUTE;
        for (int i = 0; i < 2; i++) {
            cord_constraint_def held = cord_constraint_def_default();
            def.measured = s.hold[i];
            v3_set(def.direction, 0, 0, 1);
            assert_fine(s.w, cord_world_add_point(s.w, &def, turn + i));
            held.kind = CORD_SLIDE;
            held.first = turn[i];
            if (i == 0) held.drive_rate[0] = 20; /* rad/s */
            drive[i] = scene_relate(s.w, &held);
        }
        for (int i = 1; i <= 100; i++) {
            double angle, torque, force[3], at;
            scene_advance(s.w, 0.01, 1);
            twist_of(&s, &angle, &torque);
            assert_fine(s.w, cord_point_get_coordinate(s.w, turn[0], &at, NULL));
            assert_close(at, 0.2 * i, 1e-9);
            /* the cable runs up at the start: a positive rotation there is a negative twist */
            assert_close(angle, -at, 1e-9);
            assert_close(torque, GJ * angle / s.length, 1e-12);
            assert_fine(s.w, cord_constraint_get_force(s.w, drive[1], force, NULL));
            /* at the end it comes down: a torque along −z on the body, balanced by one along z */
            assert_close(fabs(force[0]), fabs(torque), 1e-9 * (1 + fabs(torque)));
        }
        cord_world_destroy(s.w);
    }
}

/* Two flywheels oscillate against each other in torsion, and conserve their energy. */
static void energy_is_kept(void **unused)
{
    (void)unused;
    for (int planar = 0; planar < 2; planar++) {
        shaft s = shaft_of(CORD_MIDPOINT, planar, 9.81);
        double spin[3] = {0, 0, 6}, none[3] = {0, 0, 0}, worst = 0, most = 0;
        assert_fine(s.w, cord_body_set_velocity(s.w, s.ends[0], none, spin));
        scene_advance(s.w, 2e-3, 1);
        cord_energy e0, e;
        assert_fine(s.w, cord_world_get_energy(s.w, &e0));
        for (int i = 0; i < 500; i++) {
            double angle;
            scene_advance(s.w, 2e-3, 1);
            twist_of(&s, &angle, NULL);
            most = fmax(most, fabs(angle));
            assert_fine(s.w, cord_world_get_energy(s.w, &e));
            worst = fmax(worst, fabs(e.total - e0.total));
        }
        print_message("%s: twist up to %g rad, energy %.1e of %g J\n",
                      planar ? "plane" : "in space", most, worst, e0.kinetic);
        assert_true(most > 0.2 && e.twisting > 0);
        assert_true(worst < 1e-6 * e0.kinetic);
        cord_world_destroy(s.w);
    }
}

/* The period of two equal flywheels on a shaft: ω² = 2 GJ/(I L). */
static void flywheels(void **unused)
{
    (void)unused;
    shaft s = shaft_of(CORD_IMPLICIT, true, 0);
    double omega[4], inertia = (0.01 + 0.04) / 12; /* of a box of 1 kg, about z */
    assert_fine(s.w, cord_world_find_equilibrium(s.w, NULL, NULL));
    assert_fine(s.w, cord_world_find_frequencies(s.w, 4, omega));
    double expected = sqrt(2 * GJ / (inertia * s.length));
    bool found = false;
    for (int i = 0; i < 4; i++) found = found || fabs(omega[i] - expected) < 1e-6 * expected;
    if (!found)
        for (int i = 0; i < 4; i++) print_error("%g (%g)\n", omega[i], expected);
    assert_true(found);
    cord_world_destroy(s.w);
}

/* With every integrator the end that is free to rotate oscillates about the angle of the other. */
static void every_integrator(void **given)
{
    const integration *by = *given;
    shaft s = shaft_of(by->integrator, false, 9.81);
    s.w->def.scheme = by->scheme;
    s.w->problem.scheme = cord__schemes + by->scheme;
    double spin[3] = {0, 0, 4}, none[3] = {0, 0, 0}, angle, most = 0;
    assert_fine(s.w, cord_body_set_velocity(s.w, s.ends[0], none, spin));
    for (int i = 0; i < 100; i++) {
        scene_advance(s.w, 5e-3, 1);
        twist_of(&s, &angle, NULL);
        most = fmax(most, fabs(angle));
    }
    assert_true(most > 0.05 && most < 2);
    cord_world_destroy(s.w);
}

/* A bob that swings past a peg, and rotates about the cable: the twist is continuous where the
 * cable wraps and unwraps the peg, and resuming beyond that is exact. */
static void past_a_peg(void **unused)
{
    (void)unused;
    static const double across[3] = {-0.5 * 3.14159265358979323846, 0, 0};
    static char bytes[1 << 16];
    size_t size = 0;
    double last[2] = {0};
    for (int resumed = 0; resumed < 2; resumed++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        cord_body bob = bench_box(w, 1, -0.6, 0, -0.8);
        cord_waypoint waypoints[3] = {
            {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, 0, 0, 0)},
            {.kind = CORD_WAYPOINT_PULLEY,
             .point = bench_place(w, NULL, 0.03, 0, -0.5, across),
             .radius = 0.03,
             .side = 1},
            {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, bob, 0, 0, 0)}};
        cord_cable_def def = cord_cable_def_default();
        cord_strand cable_made;
        def.twisting = 0.02;
        def.waypoint_count = 3, def.waypoints = waypoints;
        assert_fine(w, cord_world_add_cable(w, &def, &cable_made));
        assert_fine(w, cord_body_set_velocity(w, bob, (double[]){0, 0, 0}, (double[]){0, 0, 5}));
        int changes = 0, steps = 240, from = 0;
        bool was = false, now;
        double angle = 0, before = 0;
        if (resumed) {
            from = 170;
            assert_fine(w, cord_world_set_state(w, bytes, size));
        }
        for (int i = from; i < steps; i++) {
            if (i == 170 && !resumed) {
                assert_fine(w, cord_world_get_state_size(w, &size));
                assert_true(size <= sizeof bytes);
                assert_fine(w, cord_world_get_state(w, bytes));
            }
            scene_advance(w, 5e-3, 1);
            assert_fine(w, cord_cable_get_twist(w, cable_made, &angle, NULL));
            assert_fine(w, cord_cable_get_wrap(w, cable_made, 1, &now, NULL, NULL, NULL));
            if (i > from)
                assert_close(angle, before, 0.15); /* no jump: its rate is about 5 rad/s */
            before = angle;
            changes += now != was;
            was = now;
        }
        if (!resumed) assert_true(changes >= 2 && fabs(angle) > 0.1);
        last[resumed] = angle;
        cord_world_destroy(w);
    }
    assert_memory_equal(last, last + 1, sizeof *last);
}

/* Wound on a drum the cable is clamped to the rim: winding does not twist it, and a rotation of
 * the load twists it against the rim. */
static void on_a_drum(void **unused)
{
    (void)unused;
    static const double across[3] = {-0.5 * 3.14159265358979323846, 0, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body hung = bench_box(w, 5, 0.2, 0, -2);
    cord_point_def flywheel = cord_point_def_default();
    flywheel.source = CORD_SOURCE_FLYWHEEL, flywheel.inertia = 0.1;
    cord_point spin;
    assert_fine(w, cord_world_add_point(w, &flywheel, &spin));
    cord_waypoint waypoints[2] = {
        {.kind = CORD_WAYPOINT_DRUM,
         .point = bench_place(w, NULL, 0, 0, 0, across),
         .radius = 0.2,
         .side = 1,
         .turns = 3,
         .rotation = spin},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, hung, 0, 0, 0)}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.twisting = 0.05;
    def.waypoint_count = 2, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_constraint_def motor = cord_constraint_def_default();
    motor.kind = CORD_SLIDE;
    motor.first = spin;
    motor.drive_rate[0] = -2;
    scene_relate(w, &motor);
    double angle, x[3];
    for (int i = 0; i < 100; i++) {
        scene_advance(w, 0.01, 1);
        assert_fine(w, cord_cable_get_twist(w, rope, &angle, NULL));
        assert_close(angle, 0, 1e-7);
    }
    assert_fine(w, cord_body_get_pose(w, hung, x, NULL));
    assert_close(x[2], -1.6, 1e-9);
    assert_fine(w, cord_body_set_velocity(w, hung, (double[]){0, 0, 0.4}, (double[]){0, 0, 3}));
    scene_advance(w, 0.01, 10);
    assert_fine(w, cord_cable_get_twist(w, rope, &angle, NULL));
    assert_close(fabs(angle), 0.3, 2e-3);
    cord_world_destroy(w);
}

/* Full turns are part of the state. */
static void checkpoints(void **unused)
{
    (void)unused;
    double angle;
    shaft s[2];
    for (int i = 0; i < 2; i++) {
        const double spin[3] = {0, 0, 300}, none[3] = {0, 0, 0};
        s[i] = shaft_of(CORD_IMPLICIT, true, 9.81);
        assert_fine(s[i].w, cord_body_set_velocity(s[i].w, s[i].ends[0], none, spin));
    }
    scene_advance(s[0].w, 2e-3, 15);
    scene_goes_on(s[0].w, s[1].w, 2e-3, 10);
    twist_of(s, &angle, NULL);
    assert_true(fabs(angle) > 2 * pi);
    for (int i = 0; i < 2; i++) cord_world_destroy(s[i].w);
}

static void refusals(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_waypoint waypoints[2] = {{.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, 0, 0, 0)},
                                  {.kind = CORD_WAYPOINT_FREE, .position = {1, 0, 0}}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.twisting = 1;
    def.waypoint_count = 2, def.waypoints = waypoints;
    assert_int_equal(cord_world_add_cable(w, &def, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "its end is free"));
    def.closed = true;
    waypoints[0] = (cord_waypoint){.kind = CORD_WAYPOINT_FREE, .position = {0, 1, 0}};
    cord_waypoint loop[3] = {
        waypoints[0], waypoints[1], {.kind = CORD_WAYPOINT_FREE, .position = {1, 1, 0}}};
    def.waypoints = loop, def.waypoint_count = 3;
    assert_int_equal(cord_world_add_cable(w, &def, &made), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "a closed cable has no ends"));
    def.closed = false;
    def.twisting = -1;
    assert_int_equal(cord_world_add_cable(w, &def, &made), CORD_ERROR_ARGUMENT);
    def.twisting = 0;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double angle;
    assert_int_equal(cord_cable_get_twist(w, made, &angle, NULL), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows),
        cmocka_unit_test(matrices),
        cmocka_unit_test(solid_angles),
        cmocka_unit_test(torque_at_once),
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(flywheels),
        BY_EVERY_IMPLICIT_INTEGRATION(every_integrator),
        cmocka_unit_test(past_a_peg),
        cmocka_unit_test(on_a_drum),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
