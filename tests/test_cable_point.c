/* Points at any material coordinate of a cable: point Jacobians and second derivatives against
 * differences, loads, bodies and pearls that move with the cable over pulleys and through
 * eyelets, or slide along it. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/cable_bench.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

static cord_body ball(cord_world *w, double mass, double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.02};
    def.mass = mass;
    v3_set(def.position, x, y, z);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static cord_point sliding(cord_world *w, cord_strand rope, double s, double mass)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = rope, def.s = s, def.inertia = mass;
    return scene_add_point(w, &def);
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* J against differences of positions, and the stiffness of a force against second differences of
 * its work. */
static void check_point(const bench *t, double s, int segment)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS];
    static const double force[3] = {0.7, -1.1, 0.5}, h = 1e-4;
    double d[BENCH_MOST] = {0}, value[9], moves[3] = {0}, expected[3] = {0}, bends = 0;
    static double J[BENCH_MOST][3];
    attachment at;
    uint64_t random = 3;
    random_vector(&random, t->c->layout.dofs, d);
    assert_int_equal(cord__cable.block.attach((void *)t->c, NULL, MEASURE_POSITION, s, &at),
                     CORD_OK);
    if (at.crosses_elements) at.index = segment;
    for (int sign = -1; sign <= 1; sign += 2) {
        bench_moved_to(t, d, sign * h, q, cache);
        bench_point_jacobian(t, q, cache, &at, MEASURE_POSITION, value, J);
        v3_axpy(moves, sign / (2 * h), value);
    }
    bench_moved_to(t, d, 0, q, cache);
    bench_point_jacobian(t, t->q, cache, &at, MEASURE_POSITION, value, J);
    for (int k = 0; k < t->c->layout.dofs; k++) v3_axpy(expected, d[k], J[k]);
    assert_all_close(moves, expected, 3, 1e-6);
    for (int sign = -1; sign <= 1; sign++) {
        bench_moved_to(t, d, sign * 1e-3, q, cache);
        bench_point_jacobian(t, q, cache, &at, MEASURE_POSITION, value, J);
        bends += (sign == 0 ? -2 : 1) * v3_dot(value, force) / 1e-6;
    }
    bench_moved_to(t, d, 0, q, cache);
    assert_close(bench_form(t, cache, &at, MEASURE_POSITION, force, d), -bends,
                 1e-4 * (1 + fabs(bends)));
}

static void derivatives(void **unused)
{
    (void)unused;
    for (int alone = 0; alone < 2; alone++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
        cord_strand rope = bench_crowd(w, alone);
        const block *b = &cord__get_strand(w, rope)->block;
        bench t = {.c = b->model, .b = b, .q = w->problem.now.q + b->q0};
        static const double stay[3] = {0, 0.7, 12}; /* Lagrangian nodes */
        for (int i = 0; i < 3; i++) check_point(&t, stay[i], 0);
        for (int i = 0; i <= 40; i++) {
            double s = 12.0 * (i + 0.37) / 41; /* not at kinks */
            int piece = b->ops->sliding->element_at(t.c, t.q, s);
            check_point(&t, s, piece);
            if (piece > 0) check_point(&t, s, piece - 1); /* it has crossed a node since */
            if (piece + 2 < t.c->topology.nodes) check_point(&t, s, piece + 1);
        }
        cord_world_destroy(w);
    }
}

/* Along the cable as well; `curl` and `third` are differences themselves. */
static void sliding_derivatives(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_strand rope = bench_crowd(w, false);
    const block *b = &cord__get_strand(w, rope)->block;
    bench t = {.c = b->model, .b = b, .q = w->problem.now.q + b->q0};
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS], J[3][3 * JACOBIAN_DOFS_MAX],
        slope[3][3 * JACOBIAN_DOFS_MAX], curl[3 * JACOBIAN_DOFS_MAX], spin[JACOBIAN_DOFS_MAX];
    double d[BENCH_MOST];
    uint64_t random = 9;
    random_vector(&random, t.c->layout.dofs, d);
    for (int i = 0; i < 40; i++) {
        const double s = 12.0 * (i + 0.5) / 40, h = 1e-5;
        int piece = b->ops->sliding->element_at(t.c, t.q, s);
        sliding_jacobian j[3];
        for (int k = 0; k < 3; k++) {
            j[k] = (sliding_jacobian){.J = J[k], .J_s = slope[k]};
            if (k == 2) j[k].J_ss = curl, j[k].tangent_spin = spin;
            bench_moved_to(&t, d, 0, q, cache);
            b->ops->sliding->jacobian(t.c, t.q, cache, piece, k == 2 ? s : s + (k == 0 ? -h : h),
                                      &j[k]);
        }
        double tangent[3], bend[3], third[3];
        v3_combine(tangent, 0.5 / h, j[1].value, -0.5 / h, j[0].value);
        v3_combine(bend, 0.5 / h, j[1].r_s, -0.5 / h, j[0].r_s);
        v3_combine(third, 0.5 / h, j[1].r_ss, -0.5 / h, j[0].r_ss);
        assert_all_close(j[2].r_s, tangent, 3, 1e-8);
        assert_all_close(j[2].r_ss, bend, 3, 1e-8);
        assert_all_close(j[2].r_sss, third, 3, 1e-7);
        for (int k = 0; k < 3 * j[2].dofs; k++) {
            assert_close(slope[2][k], (J[1][k] - J[0][k]) / (2 * h), 1e-8);
            assert_close(curl[k], (slope[1][k] - slope[0][k]) / (2 * h), 1e-5);
        }
    }
    cord_world_destroy(w);
}

/* ---- machines ------------------------------------------------------------------------------------------ */

/* A cable between two points over a pulley of radius a at the origin, with weights at both ends. */
typedef struct atwood {
    cord_strand rope;
    cord_body left, right;
    double length;
} atwood;

static const double a = 0.12;

static atwood atwood_of(cord_world *w, double left, double right, double density, bool eyelet,
                        double stretching)
{
    static const double axis[3] = {0.5 * 3.14159265358979323846, 0, 0};
    atwood m = {.left = ball(w, left, -a, 0, -1.0), .right = ball(w, right, a, 0, -1.5)};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, m.left, 0, 0, 0)},
        {.kind = eyelet ? CORD_WAYPOINT_EYELET : CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 0, 0, eyelet ? a : 0, axis),
         .radius = a,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, m.right, 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand_info info;
    def.density = density;
    def.stretching = stretching;
    def.waypoint_count = 3, def.waypoints = waypoints;
    def.tension = stretching > 0 ? 10 : 0;
    def.pushes = true; /* an impact is shared by all that is attached */
    assert_fine(w, cord_world_add_cable(w, &def, &m.rope));
    assert_fine(w, cord_strand_get_info(w, m.rope, &info));
    m.length = info.length;
    return m;
}

static void place_and_velocity(cord_world *w, cord_point p, double x[3], double v[3])
{
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    assert_fine(w, cord_point_get_velocity(w, p, v));
}

/* The position of the material at s of the left span while the cable runs over the pulley. */
static void points_move_with_their_body(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    atwood m = atwood_of(w, 1, 3, 0.3, false, 0);
    cord_point p = scene_point(w, m.rope, 0.9);
    double x[3], v[3], before[3];
    int seen[3] = {0};
    place_and_velocity(w, p, x, v);
    assert_all_close(x, ((double[]){-a, 0, -0.1}), 3, 1e-9);
    for (int i = 0; i < 60; i++) {
        cord_node_state first;
        v3_copy(before, x);
        double rate[3];
        v3_copy(rate, v);
        scene_advance(w, 0.01, 1);
        place_and_velocity(w, p, x, v);
        assert_fine(w, cord_cable_get_node(w, m.rope, 1, &first));
        double past = 0.9 - first.s; /* beyond the pulley's first tangent point */
        double angle = past / a;
        int where = past < 0 ? 0 : angle < pi ? 1 : 2;
        seen[where]++;
        double expected[3] = {where == 0   ? -a
                              : where == 1 ? -a * cos(angle)
                                           : a,
                              0,
                              where == 0   ? past
                              : where == 1 ? a * sin(angle)
                                           : -(past - pi * a)};
        assert_all_close(x, expected, 3, 1e-8);
        /* the mean of the velocities at both ends of a step is the displacement over h; where it
         * runs onto the pulley up to half a step of v²/a */
        for (int k = 0; k < 3; k++)
            assert_close(0.5 * (rate[k] + v[k]), (x[k] - before[k]) / 0.01,
                         0.01 + 0.005 * v3_dot(v, v) / a);
    }
    assert_true(seen[0] > 3 && seen[1] > 3 && seen[2] > 3);
    cord_world_destroy(w);
}

/* A load on the material, or a body attached to it, anywhere: the machine accelerates as if the
 * mass were at the end, and conserves its energy. */
static void weights_run_over_a_pulley(void **given)
{
    const integration *by = *given;
    if (by->scheme == CORD_SEMI_IMPLICIT_VELOCITY) {
        print_message("skipped: its iteration leaves the accelerations of a cable as they were\n");
        skip();
    }
    for (int kind = 0; kind < 3; kind++) { /* a load, a body, a body on an elastic cable */
        cord_world_def def = cord_world_def_default();
        cord_world *w;
        v3_set(def.gravity, 0, 0, -gravity);
        def.integrator = by->integrator, def.scheme = by->scheme;
        assert_int_equal(cord_world_create(&def, &w), CORD_OK);
        atwood m = atwood_of(w, 1, 3, 0.3, false, kind == 2 ? 1e5 : 0);
        cord_point p = scene_point(w, m.rope, 0.95);
        cord_load weight;
        double x[3], v[3], g[3], work = 0;
        assert_fine(w, cord_point_get_pose(w, p, x, NULL));
        cord_constraint weld = {0};
        if (kind == 0) {
            cord_load_def pull = {.point = p, .force = {0, 0, -2}};
            assert_fine(w, cord_world_add_load(w, &pull, &weight));
        } else {
            cord_body more = ball(w, 0.5, x[0], x[1], x[2]);
            weld = scene_constraint(w, CORD_COINCIDE, p, scene_on(w, more, 0, 0, 0));
        }
        double start = scene_energy(w).total, worst = 0, high = 0, kinetic = 0;
        for (int i = 0; i < 150; i++) {
            double z = x[2];
            scene_advance(w, 4e-3, 1);
            place_and_velocity(w, p, x, v);
            if (kind == 0) work += -2 * (x[2] - z);
            if (kind > 0) {
                assert_fine(w, cord_constraint_get_residual(w, weld, NULL, g));
                assert_true(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) <
                            (is_one_solve(by) ? 1e-5 : 1e-8));
            }
            cord_energy e = scene_energy(w);
            worst = fmax(worst, fabs(e.total - start - work));
            kinetic = fmax(kinetic, e.kinetic);
            high = fmax(high, x[2]);
        }
        print_message("%s %d: energy %.1e of %g J\n", by->name, kind, worst / kinetic, kinetic);
        assert_close(high, a, 1e-3); /* it crossed the pulley */
        assert_true(x[2] < -0.1);
        /* with `midpoint` to the square of the step where it runs onto the pulley */
        assert_true(worst < (by->integrator == CORD_MIDPOINT ? 2e-4
                             : by->scheme == CORD_TR_BDF2    ? 2e-3
                                                             : 0.05) *
                                kinetic);
        cord_world_destroy(w);
    }
}

/* Through an eyelet: the direction of the body's velocity jumps, as in an impact without
 * restitution, and stepping continues. */
static void bodies_turn_a_corner(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    atwood m = atwood_of(w, 1, 3, 0.3, true, 0);
    cord_point p = scene_point(w, m.rope, 1.1);
    double x[3], v[3], g[3];
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    cord_body more = ball(w, 0.5, x[0], x[1], x[2]);
    cord_constraint weld = scene_constraint(w, CORD_COINCIDE, p, scene_on(w, more, 0, 0, 0));
    double before = scene_energy(w).total, lost = 0, speed[2] = {0}, expected = 0, ratio = 0;
    for (int i = 0; i < 300; i++) {
        cord_node_state node[3];
        for (int k = 0; k < 3; k++) assert_fine(w, cord_cable_get_node(w, m.rope, k, node + k));
        speed[0] = fabs(node[1].rate);
        scene_advance(w, 2e-3, 1);
        double now = scene_energy(w).total, way[2][3];
        if (before - now > lost) { /* moving mass, and m, deflected by θ: (M + m cos θ)/(M + m) */
            for (int k = 0; k < 2; k++) {
                v3_sub(way[k], node[k + 1].position, node[k].position);
                v3_normalize(way[k], way[k]);
            }
            double rest = 1 + 3 + 0.3 * m.length;
            expected = (rest + 0.5 * v3_dot(way[0], way[1])) / (rest + 0.5);
            assert_fine(w, cord_cable_get_node(w, m.rope, 1, node));
            speed[1] = fabs(node->rate);
            ratio = speed[1] / speed[0];
        }
        lost = fmax(lost, before - now);
        assert_true(now < before + 1e-3); /* nothing is gained */
        before = now;
        assert_fine(w, cord_constraint_get_residual(w, weld, NULL, g));
        assert_true(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) < 1e-7);
    }
    place_and_velocity(w, p, x, v);
    assert_true(x[0] > 0.01 && v[2] < -0.5); /* on the other side, going down */
    assert_true(lost > 1e-3 && expected < 0.9);
    assert_close(ratio, expected, 0.02);
    cord_world_destroy(w);
}

/* Free in space: an eyelet or a pulley on a body, a body at either end of the cable, and one
 * attached to its middle that is drawn through. Whatever energy is lost, momentum is conserved. */
static void momentum_is_kept(void **given)
{
    bool wheel = *(const bool *)*given;
    static const double axis[3] = {0.5 * 3.14159265358979323846, 0, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body hook = ball(w, 3, 0, 0, 0),
              ends[2] = {ball(w, 1, -1, 0, -0.6), ball(w, 2, 1, 0, -0.3)};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[0], 0, 0, 0)},
        {.kind = wheel ? CORD_WAYPOINT_PULLEY : CORD_WAYPOINT_EYELET,
         .point = bench_place(w, &hook, 0, 0, 0, axis),
         .radius = a,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[1], 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_strand rope;
    double x[3], s0, s1;
    def.density = 0.2;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_point p = scene_point(w, rope, 1);
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    cord_body knot = ball(w, 0.5, x[0], x[1], x[2]);
    scene_constraint(w, CORD_COINCIDE, p, scene_on(w, knot, 0, 0, 0));
    /* the cable is pulled by its end, which moves away from the hook */
    assert_fine(w,
                cord_body_set_velocity(w, ends[1], (double[]){1.9, 0, -0.57}, (double[]){0, 0, 0}));
    assert_fine(w,
                cord_body_set_velocity(w, ends[0], (double[]){1.7, 0, 1.02}, (double[]){0, 0, 0}));
    cord_momentum m0, m;
    cord_node_state first;
    scene_advance(w, 2e-3, 1);
    assert_fine(w, cord_world_get_momentum(w, &m0));
    assert_fine(w, cord_cable_get_node(w, rope, 1, &first));
    s0 = first.s;
    scene_advance(w, 2e-3, 150);
    assert_fine(w, cord_world_get_momentum(w, &m));
    assert_fine(w, cord_cable_get_node(w, rope, 1, &first));
    s1 = first.s;
    assert_true(s0 > 1 && s1 < 1); /* it has passed */
    double size = v3_norm(m0.linear);
    /* Over a pulley to second order in the step; at a corner by the change of the cable's
     * inertia within the step of the jump, so that the error decreases with the step. */
    assert_all_close(m.linear, m0.linear, 3, (wheel ? 1e-7 : 2e-6) * size);
    assert_all_close(m.angular, m0.angular, 3, 1e-3 * size);
    cord_world_destroy(w);
}

/* A point of a pendulum's cable while the cable wraps and unwraps a peg: its position is
 * continuous. */
static void points_go_past_pegs(void **unused)
{
    (void)unused;
    static const double axis[3] = {-0.5 * 3.14159265358979323846, 0, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_body bob = ball(w, 1, -0.6, 0, -0.8);
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, 0, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 0.03, 0, -0.5, axis),
         .radius = 0.03,
         .side = 1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, bob, 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_point p[3] = {scene_point(w, rope, 0.4), scene_point(w, rope, 0.52),
                       sliding(w, rope, 0.8, 0.05)};
    cord_load_def load_def = cord_load_def_default();
    cord_load push;
    load_def.point = p[1], load_def.force[0] = 0.1;
    assert_fine(w, cord_world_add_load(w, &load_def, &push));
    double x[3][3], v[3], before[3][3];
    int changes = 0;
    bool was = false, now;
    for (int i = 0; i < 3; i++) assert_fine(w, cord_point_get_pose(w, p[i], x[i], NULL));
    for (int i = 0; i < 300; i++) {
        memcpy(before, x, sizeof x);
        scene_advance(w, 4e-3, 1);
        assert_fine(w, cord_cable_get_wrap(w, rope, 1, &now, NULL, NULL, NULL));
        changes += now != was;
        was = now;
        for (int k = 0; k < 3; k++) {
            place_and_velocity(w, p[k], x[k], v);
            assert_true(v3_distance(x[k], before[k]) < 4e-3 * (2 * v3_norm(v) + 2));
        }
    }
    assert_true(changes >= 2);
    cord_world_destroy(w);
}

/* The same values after a checkpoint, on whichever segment a point is. */
static void checkpoints(void **unused)
{
    (void)unused;
    cord_world *made[2];
    for (int i = 0; i < 2; i++) {
        cord_world *w = made[i] = scene_world_in(CORD_IMPLICIT, gravity);
        atwood m = atwood_of(w, 1, 3, 0.3, false, 0);
        cord_point p = scene_point(w, m.rope, 0.8);
        double at[3];
        assert_fine(w, cord_point_get_pose(w, p, at, NULL));
        cord_body more = ball(w, 0.5, at[0], at[1], at[2]);
        scene_constraint(w, CORD_COINCIDE, p, scene_on(w, more, 0, 0, 0));
    }
    scene_advance(made[0], 5e-3, 60);
    scene_goes_on(made[0], made[1], 5e-3, 40);
    for (int i = 0; i < 2; i++) cord_world_destroy(made[i]);
}

/* A pearl slides down a cable that runs over a pulley: on the straight span it falls freely
 * along it. */
static void pearls_slide(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, gravity);
    static const double axis[3] = {0.5 * 3.14159265358979323846, 0, 0};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, -1, 0, -0.5)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 0, 0, 0, axis),
         .radius = a,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, 1, 0, -0.8)},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_strand rope;
    cord_strand_info info;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    assert_fine(w, cord_strand_get_info(w, rope, &info));
    cord_point p = sliding(w, rope, 0.5 * info.length, 0.4);
    double e0 = scene_energy(w).total, worst = 0, x[3], s;
    for (int i = 0; i < 300; i++) {
        scene_advance(w, 2e-3, 1);
        worst = fmax(worst, fabs(scene_energy(w).total - e0));
        assert_fine(w, cord_point_get_coordinate(w, p, &s, NULL));
        if (s < 0.1 || s > info.length - 0.1) break;
    }
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    print_message("pearl: %g m down, energy %.1e J\n", a - x[2], worst);
    assert_true(x[2] < -0.3);
    assert_true(worst < 1e-9);
    cord_world_destroy(w);
}

/* On a belt: points circulate with it, whichever node is its first; a bucket on it, and a bead
 * that slides while the belt is clamped. */
static void points_on_belts(void **unused)
{
    (void)unused;
    static const double axis[3] = {0.5 * 3.14159265358979323846, 0, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_point_def flywheel = cord_point_def_default();
    flywheel.source = CORD_SOURCE_FLYWHEEL, flywheel.inertia = 0.01;
    cord_point spin = scene_add_point(w, &flywheel);
    cord_waypoint waypoints[2] = {{.kind = CORD_WAYPOINT_PULLEY,
                                   .point = bench_place(w, NULL, 0, 0, 0, axis),
                                   .radius = a,
                                   .side = -1,
                                   .friction_law = CORD_WRAP_NO_SLIP,
                                   .rotation = spin},
                                  {.kind = CORD_WAYPOINT_PULLEY,
                                   .point = bench_place(w, NULL, 1, 0, 0, axis),
                                   .radius = a,
                                   .side = -1}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand belt;
    def.closed = true;
    def.stretching = 1e5, def.tension = 50;
    def.waypoint_count = 2, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &belt));
    cord_point p = scene_point(w, belt, 0.3), bead = sliding(w, belt, 0.9, 0);
    double x[3], v[3], start[3], last[3], round = 2 + 2 * pi * a, speed = 6 * a;
    assert_fine(w, cord_point_get_pose(w, bead, x, NULL));
    cord_constraint hold =
        scene_constraint(w, CORD_COINCIDE, bead, scene_place(w, x[0], x[1], x[2]));
    assert_fine(w, cord_point_get_pose(w, p, start, NULL));
    cord_body bucket = ball(w, 0.3, start[0], start[1], start[2]);
    cord_constraint weld = scene_constraint(w, CORD_COINCIDE, p, scene_on(w, bucket, 0, 0, 0));
    cord_constraint_def motor = cord_constraint_def_default();
    motor.kind = CORD_SLIDE, motor.first = spin, motor.drive_rate[0] = 6;
    scene_relate(w, &motor);
    double way = 0, closest = INFINITY, s0, s1, g[3];
    assert_fine(w, cord_point_get_coordinate(w, bead, &s0, NULL));
    v3_copy(last, start);
    int steps = (int)(2.2 * round / speed / 5e-3);
    for (int i = 0; i < steps; i++) {
        scene_advance(w, 5e-3, 1);
        place_and_velocity(w, p, x, v);
        way += v3_distance(x, last);
        v3_copy(last, x);
        assert_fine(w, cord_constraint_get_residual(w, weld, NULL, g));
        assert_true(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) < 1e-7);
        assert_fine(w, cord_constraint_get_residual(w, hold, NULL, g));
        assert_true(fabs(g[0]) + fabs(g[1]) + fabs(g[2]) < 1e-7);
        if (way > 1.5 * round) closest = fmin(closest, v3_distance(x, start));
        bool straight = x[0] > 0.05 && x[0] < 0.95;
        assert_close(fabs(x[2]), a, straight ? 1e-3 : a); /* the bucket's weight bends nothing */
    }
    assert_fine(w, cord_point_get_coordinate(w, bead, &s1, NULL));
    assert_close(way, 2.2 * round, 0.02 * round);
    assert_true(closest < 0.5 * speed * 5e-3 + 1e-3);       /* it has come round twice */
    assert_close(fabs(s1 - s0), 2.2 * round, 0.02 * round); /* revolutions are counted */
    cord_world_destroy(w);
}

/* Nodes may be numbered from anywhere; material coordinates count from the first. */
static void counted_from_the_start(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    const cord_cable_node nodes[] = {{.guide = -1, .at = {0, 0, 0}, .s = 5},
                                     {.guide = -1, .at = {1, 0, 0}, .s = 6},
                                     {.guide = -1, .at = {1, 0, -2}, .s = 8}};
    const double at[4] = {0, 0.5, 1, 2.5},
                 expected[4][3] = {{0, 0, 0}, {0.5, 0, 0}, {1, 0, 0}, {1, 0, -1.5}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.node_count = 3, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    for (int i = 0; i < 4; i++) {
        double x[3];
        assert_fine(w, cord_point_get_pose(w, scene_point(w, rope, at[i]), x, NULL));
        assert_all_close(x, expected[i], 3, 1e-12);
        assert_fine(w, cord_point_get_pose(w, sliding(w, rope, at[i], 0), x, NULL));
        assert_all_close(x, expected[i], 3, 1e-12);
    }
    cord_world_destroy(w);
}

/* A cable that is fed through its start has no material points, except at Lagrangian nodes. */
static void ends_that_run(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    const cord_guide guide = {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)};
    const cord_cable_node nodes[] = {{.guide = 0, .eulerian = true},
                                     {.guide = -1, .at = {0, 0, -1}, .s = 1}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.guide_count = 1, def.guides = &guide, def.node_count = 2, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_point_def at = cord_point_def_default();
    cord_point made;
    at.source = CORD_SOURCE_STRAND, at.strand = rope, at.s = 0.5;
    assert_int_equal(cord_world_add_point(w, &at, &made), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "may run out through an end"));
    scene_point(w, rope, 1);
    cord_world_destroy(w);
}

/* Velocities at its vertices cannot be prescribed. */
static void velocities_are_refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    atwood m = atwood_of(w, 1, 3, 0.3, false, 0);
    static double x[3 * 64] = {0};
    assert_int_equal(cord_strand_set_velocities(w, m.rope, x), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

int main(void)
{
    static bool kinds[] = {false, true};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),
        cmocka_unit_test(sliding_derivatives),
        cmocka_unit_test(points_move_with_their_body),
        BY_EVERY_IMPLICIT_INTEGRATION(weights_run_over_a_pulley),
        cmocka_unit_test(bodies_turn_a_corner),
        cmocka_unit_test_prestate(momentum_is_kept, kinds),
        cmocka_unit_test_prestate(momentum_is_kept, kinds + 1),
        cmocka_unit_test(points_go_past_pegs),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(pearls_slide),
        cmocka_unit_test(points_on_belts),
        cmocka_unit_test(counted_from_the_start),
        cmocka_unit_test(ends_that_run),
        cmocka_unit_test(velocities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
