/* Tangents of a cable's material, and frames at its clamped ends: point Jacobians and second
 * derivatives against differences, constraints on them, and the same constraints as the cable
 * runs over pulleys. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/cable_bench.h"
#include "support/numbers.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* The rotation vector from one frame to another. */
static void turned(const double from[9], const double to[9], double out[3])
{
    double back[9], turn[9];
    for (int i = 0; i < 9; i++) back[i] = from[3 * (i % 3) + i / 3];
    m3_multiply(turn, to, back);
    cord__rotation_log(out, turn);
}

/* J against differences of frames, and the stiffness of a torque against second differences of
 * its work. */
static void check_frame(const bench *t, double s, int piece, bool whole)
{
    static double q[BENCH_NUMBERS], cache[BENCH_NUMBERS], J[BENCH_MOST][3];
    static const double torque[3] = {0.7, -1.1, 0.5}, h = 3e-4;
    static const double rate[5] = {1, -8, 0, 8, -1}, bend[5] = {-1, 16, -30, 16, -1};
    double d[BENCH_MOST] = {0}, now[9], frame[9], angle[3], moves[3] = {0}, expected[3] = {0};
    double bends = 0;
    attachment at;
    uint64_t random = 3;
    random_vector(&random, t->c->layout.dofs, d);
    assert_int_equal(cord__cable.block.attach((void *)t->c, NULL, MEASURE_FRAME, s, &at), CORD_OK);
    assert_int_equal(at.tangent_only, !whole);
    if (at.crosses_elements) at.index = piece;
    bench_moved_to(t, d, 0, q, cache);
    bench_point_jacobian(t, q, cache, &at, MEASURE_FRAME, now, J);
    for (int k = 0; k < t->c->layout.dofs; k++) v3_axpy(expected, d[k], J[k]);
    double form = bench_form(t, cache, &at, MEASURE_FRAME, torque, d);
    for (int k = 0; k < 5; k++) {
        bench_moved_to(t, d, h * (k - 2), q, cache);
        bench_point_jacobian(t, q, cache, &at, MEASURE_FRAME, frame, J);
        turned(now, frame, angle);
        v3_axpy(moves, rate[k] / (12 * h), angle);
        bends += bend[k] / (12 * h * h) * v3_dot(angle, torque);
    }
    double size = v3_norm(expected);
    assert_true(size > 0.01);
    assert_all_close(moves, expected, 3, 1e-7 * (1 + size * size));
    assert_close(form, -bends, 1e-6 * (1 + size * size));
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
        for (int i = 0; i < 3; i++) check_frame(&t, stay[i], 0, false);
        for (int i = 0; i <= 40; i++) {
            double s = 12.0 * (i + 0.37) / 41; /* not at kinks */
            int piece = b->ops->sliding->element_at(t.c, t.q, s);
            check_frame(&t, s, piece, false);
            if (piece > 0) check_frame(&t, s, piece - 1, false); /* it has crossed a node since */
            if (piece + 2 < t.c->topology.nodes) check_frame(&t, s, piece + 1, false);
        }
        cord_world_destroy(w);
    }
}

/* A cable that carries twist from body to body over a pulley: its ends are clamped. */
static void derivatives_at_clamps(void **unused)
{
    (void)unused;
    static const double across[3] = {-1.4, 0.2, 0.1};
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_body ends[2] = {bench_box(w, 1, 0, 0, 0), bench_box(w, 1, 1.2, 0.3, 0.2)};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = bench_place(w, ends, 0.1, -0.05, 0.2, NULL)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_place(w, NULL, 0.5, 0.1, 1, across),
         .radius = 0.2,
         .side = 1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = bench_place(w, ends + 1, -0.1, 0.02, 0.1, NULL)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.twisting = 0.3, def.stretching = 1e3, def.tension = 10;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    const block *b = &cord__get_strand(w, made)->block;
    bench t = {.c = b->model, .b = b, .q = w->problem.now.q + b->q0};
    double away[BENCH_MOST], q[BENCH_NUMBERS];
    uint64_t random = 21;
    random_vector(&random, t.c->layout.dofs, away);
    for (int k = 0; k < 2; k++) { /* as it was clamped, and rotated from that */
        bench_moved(&t, away, 0.1 * k, q);
        bench there = {.c = t.c, .b = b, .q = q};
        check_frame(&there, 0, 0, true);
        check_frame(&there, t.c->topology.length, 0, true);
        check_frame(&there, 0.4, b->ops->sliding->element_at(t.c, q, 0.4), false);
    }
    cord_world_destroy(w);
}

/* Rows on a tangent, as the first and as the second point. */
static void rows(void **unused)
{
    (void)unused;
    enum { KINDS = 8 };
    static const struct {
        const char *kind;
        double length;
        bool first; /* the tangent is the first's */
    } of[KINDS] = {
        {CORD_PARALLEL, -1, true}, {CORD_PARALLEL, 0.3, true}, {CORD_PERPENDICULAR, -1, true},
        {CORD_ANGLE, -1, true},    {CORD_PARALLEL, -1, false}, {CORD_PERPENDICULAR, -1, false},
        {CORD_PLANE, -1, false},   {CORD_AXIS, 0.3, false},
    };
    for (int i = 0; i < KINDS; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
        cord_strand rope =
            scene_rope(w, &cord__cable, "rope", 8, (double[]){0, 0, 0}, (double[]){0.6, 0.3, -0.7});
        cord_body other = bench_box(w, 1, 0.5, -0.2, 0.1);
        cord_point p[2] = {scene_point(w, rope, 0.4), scene_on(w, other, 0, 0, 0)};
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = of[i].kind, def.length = of[i].length;
        def.first = p[!of[i].first], def.second = p[of[i].first];
        v3_set(def.direction, 1, of[i].first ? 0.4 : 0, of[i].first ? -0.3 : 0);
        v3_set(def.first_direction, 1, of[i].first ? 0 : -0.7, of[i].first ? 0 : 0.2);
        cord_constraint made = scene_relate(w, &def);
        check_row_rates(w, made, 1e-9);
        check_row_curvature(w, made, 1e-5);
        cord_world_destroy(w);
    }
}

/* ---- constraints ----------------------------------------------------------------------------------------- */

static cord_constraint_def between(const char *kind, cord_point first, cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kind, def.first = first, def.second = second;
    v3_set(def.direction, 1, 0, 0);
    v3_set(def.first_direction, 1, 0, 0);
    return def;
}

/* A straight segment of length l from the origin, pulled by T along x and constrained to an
 * angle φ: the torque is T l sin φ, wherever on its material the constraint acts, and zero where
 * the angle is that of the pull. */
static void held_at_an_angle(void **unused)
{
    (void)unused;
    enum { ANGLES = 3 };
    const double l = 0.8, T = 30;
    for (int i = 0; i < ANGLES; i++)
        for (int end = 0; end < 3; end++) {
            double phi = 0.4 * i, torque[3], force[3];
            cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
            const cord_guide anchor = {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)};
            const cord_cable_node nodes[] = {{.guide = 0}, {.guide = -1, .at = {l, 0, 0}, .s = l}};
            cord_cable_def def = cord_cable_def_default();
            cord_strand rope;
            def.guide_count = 1, def.guides = &anchor, def.node_count = 2, def.nodes = nodes;
            assert_fine(w, cord_world_add_cable(w, &def, &rope));
            cord_load_def pull = {.point = scene_point(w, rope, l), .force = {T, 0, 0}};
            cord_load made;
            assert_fine(w, cord_world_add_load(w, &pull, &made));
            cord_constraint_def hold = between(CORD_PARALLEL, scene_point(w, rope, 0.5 * end * l),
                                               scene_place(w, 0, 0, 0));
            v3_set(hold.direction, cos(phi), 0, sin(phi));
            cord_constraint held = scene_relate(w, &hold);
            cord_statics_def statics = cord_statics_def_default();
            cord_statics_result result;
            assert_fine(w, cord_world_find_equilibrium(w, &statics, &result));
            assert_fine(w, cord_constraint_get_force(w, held, force, torque));
            /* T along x at l (cos φ, 0, sin φ) has the moment T l sin φ about y */
            assert_all_close(torque, ((double[]){0, -T * l * sin(phi), 0}), 3, 1e-7);
            assert_all_close(force, ((double[]){0, 0, 0}), 3, 0);
            assert_true(scene_gap(w, held) < 1e-10);
            cord_world_destroy(w);
        }
}

/* A rod at the end of a cable, constrained to its direction: both swing as one pendulum, m g
 * h/(I + m h²), and conserve their energy; without `parallel` they would be a double pendulum. */
static void a_rod_goes_on_as_the_cable(void **unused)
{
    (void)unused;
    const double l = 0.7, half = 0.15, mass = 2;
    for (int at_end = 0; at_end < 2; at_end++) {
        cord_world *w = scene_world_in(CORD_MIDPOINT, gravity);
        cord_body_def bar = cord_body_def_default();
        bar.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {2 * half, 0.04, 0.04}};
        bar.mass = mass;
        double phi = 0.02, way[3] = {sin(phi), 0, -cos(phi)};
        v3_scale(bar.position, l + half, way);
        double turn[9];
        cord__rotation_exp(turn, (double[]){0, 0.5 * pi - phi, 0});
        memcpy(bar.frame, turn, sizeof turn);
        cord_body body = scene_body(w, &bar);
        const cord_guide anchor = {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)};
        cord_cable_node nodes[] = {{.guide = 0}, {.guide = -1, .s = l}};
        v3_scale(nodes[1].at, l, way);
        cord_cable_def def = cord_cable_def_default();
        cord_strand rope;
        def.density = 1e-6;
        def.guide_count = 1, def.guides = &anchor, def.node_count = 2, def.nodes = nodes;
        assert_fine(w, cord_world_add_cable(w, &def, &rope));
        cord_point end = scene_on(w, body, -half, 0, 0);
        scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, l), end);
        cord_constraint_def on =
            between(CORD_PARALLEL, scene_point(w, rope, at_end ? l : 0.3), end);
        cord_constraint held = scene_relate(w, &on);
        assert_true(scene_gap(w, held) < 1e-12);
        double h = l + half, inertia = mass * (4 * half * half + 0.04 * 0.04) / 12;
        double rate = sqrt(mass * gravity * h / (inertia + mass * h * h));
        double quarter = 0.5 * pi / rate, start = scene_energy(w).total, worst = 0, x[3];
        for (int i = 0; i < 400; i++) {
            scene_advance(w, quarter / 100, 1);
            worst = fmax(worst, fabs(scene_energy(w).total - start));
            assert_fine(w, cord_body_get_pose(w, body, x, NULL));
            double now = phi * cos(0.5 * pi * (i + 1) / 100);
            /* the error ω²h²/24 of the step, and φ²/16, over four quarter periods */
            assert_close(x[0], h * sin(now), 5e-4 * h * phi);
            assert_true(scene_gap(w, held) < 1e-10);
        }
        print_message("one pendulum: energy %.1e of %g J\n", worst, mass * gravity * h * phi * phi);
        assert_true(worst < 1e-9 * mass * gravity * h * phi * phi);
        cord_world_destroy(w);
    }
}

/* ---- as the cable runs ------------------------------------------------------------------------------------ */

/* Over a pulley of radius a at the origin, with weights at both ends. */
static const double a = 0.12;

static cord_body weight(cord_world *w, double mass, double x, double z)
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.02};
    def.mass = mass;
    v3_set(def.position, x, 0, z);
    return scene_body(w, &def);
}

static cord_strand over_pulley(cord_world *w, double left, double right, double density)
{
    static const double axis[3] = {0.5 * 3.14159265358979323846, 0, 0};
    cord_body ends[2] = {weight(w, left, -a, -1), weight(w, right, a, -1.5)};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[0], 0, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_still(w, 0, 0, 0, axis),
         .radius = a,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[1], 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* impacts are shared by all that is attached */
    cord_strand made;
    def.density = density;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

/* A bar whose x axis is along the cable, constrained to it at s in position and direction. */
typedef struct pointer {
    cord_body body;
    cord_point at;
    cord_constraint held;
} pointer;

static pointer tie_pointer(cord_world *w, cord_strand rope, double s, double mass, double length)
{
    pointer p = {.at = scene_point(w, rope, s)};
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {length, 0.01, 0.01}};
    def.mass = mass;
    assert_fine(w, cord_point_get_pose(w, p.at, def.position, def.frame));
    p.body = scene_body(w, &def);
    cord_point center = scene_on(w, p.body, 0, 0, 0);
    scene_constraint(w, CORD_COINCIDE, center, p.at);
    cord_constraint_def along = between(CORD_PARALLEL, center, p.at);
    p.held = scene_relate(w, &along);
    return p;
}

/* It rotates with the tangent, also on the pulley. */
static void pointers_go_round(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world_under(by, gravity);
    cord_strand rope = over_pulley(w, 1, 3, 0.3);
    pointer p = tie_pointer(w, rope, 0.95, 0.05, 0.05);
    double gap = 0;
    int seen[3] = {0};
    for (int i = 0; i < 120; i++) {
        cord_node_state first;
        double x[3], frame[9];
        scene_advance(w, 5e-3, 1);
        assert_fine(w, cord_cable_get_node(w, rope, 1, &first));
        assert_fine(w, cord_body_get_pose(w, p.body, x, frame));
        double angle = fmin(fmax((0.95 - first.s) / a, 0), pi);
        seen[angle == 0 ? 0 : angle < pi ? 1 : 2]++;
        /* the ends swing a little */
        assert_all_close(frame, ((double[]){sin(angle), 0, cos(angle)}), 3, 1e-3);
        gap = fmax(gap, scene_gap(w, p.held));
    }
    print_message("%s: %.1e rad off\n", by->name, gap);
    assert_true(gap < (is_one_solve(by) ? 1e-5 : 1e-8));
    assert_true(seen[0] > 3 && seen[1] > 3 && seen[2] > 3);
    cord_world_destroy(w);
}

/* Where it runs onto the pulley its angular velocity jumps to v/a: an impact. With the mass M of
 * all moving parts and the inertia I of the bar, v becomes v M/(M + I/a²); where it runs off,
 * its spin jumps to zero and v is unchanged. */
static void it_begins_to_turn_at_once(void **unused)
{
    (void)unused;
    const double mass = 0.2, length = 0.3, h = 1e-3;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_strand rope = over_pulley(w, 1, 1, 1e-4);
    pointer p = tie_pointer(w, rope, 0.95, mass, length);
    double inertia = mass * (length * length + 1e-4) / 12, all = 2 + mass;
    double v[3], spin[3], last[3] = {0}, seen[3] = {0};
    int where = 0;
    for (int i = 0; i < w->bodies.count; i++) {
        cord_body body = {(uint32_t)i + 1, w->bodies.generation[i]};
        double up = i == 1 ? -1 : 1;
        assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, 0, up}, (double[]){0, 0, 0}));
    }
    for (int i = 0; i < 700 && where < 2; i++) {
        scene_advance(w, h, 1);
        assert_fine(w, cord_body_get_velocity(w, p.body, v, spin));
        bool turns = v3_norm(spin) > 1;
        if (where == 0 && turns) where = 1;
        if (where == 1 && !turns) where = 2;
        seen[where] = v3_norm(v);
        last[where] = v3_norm(spin);
    }
    assert_int_equal(where, 2);
    double slower = all / (all + inertia / (a * a));
    print_message("speeds %g, %g of %g, %g\n", seen[0], seen[1], slower, seen[2]);
    assert_close(seen[0], 1, 1e-4);
    assert_close(seen[1], slower, 1e-3);
    assert_close(last[1], slower / a, 1e-2);
    assert_close(seen[2], slower, 1e-3);
    assert_close(last[2], 0, 1e-2); /* the ends swing a little */
    cord_world_destroy(w);
}

/* As long as it is on the pulley no energy is lost. */
static void energy_on_the_pulley(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_MIDPOINT, gravity);
    cord_strand rope = over_pulley(w, 1, 1.3, 0.3);
    pointer p = tie_pointer(w, rope, 1 + 0.5 * a, 0.2, 0.2);
    double start = scene_energy(w).total, worst = 0, x[3], axes[9] = {0};
    for (int i = 0; i < 500 && atan2(axes[2], axes[0]) > -1; i++) {
        scene_advance(w, 4e-3, 1);
        worst = fmax(worst, fabs(scene_energy(w).total - start));
        assert_fine(w, cord_body_get_pose(w, p.body, x, axes));
    }
    double kinetic = scene_energy(w).kinetic;
    print_message("on the wheel: energy %.1e of %g J\n", worst, kinetic);
    assert_true(kinetic > 0.1 && worst < 1e-9 * kinetic);
    cord_world_destroy(w);
}

/* A pendulum's cable wraps a peg and unwraps it: constraints on its tangent on either side are
 * continuous. */
static void past_a_peg(void **unused)
{
    (void)unused;
    static const double axis[3] = {-0.5 * 3.14159265358979323846, 0, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_place(w, 0, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_still(w, 0.03, 0, -0.5, axis),
         .radius = 0.03,
         .side = 1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, weight(w, 1, -0.6, -0.8), 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    pointer p[2] = {tie_pointer(w, rope, 0.3, 0.01, 0.05), tie_pointer(w, rope, 0.8, 0.01, 0.05)};
    double widest = 0;
    int changes = 0;
    bool was = false, now;
    for (int i = 0; i < 300; i++) {
        scene_advance(w, 4e-3, 1);
        assert_fine(w, cord_cable_get_wrap(w, rope, 1, &now, NULL, NULL, NULL));
        changes += now != was;
        was = now;
        double x[3], axes[2][9], way[9];
        for (int k = 0; k < 2; k++) {
            assert_fine(w, cord_body_get_pose(w, p[k].body, x, axes[k]));
            assert_fine(w, cord_point_get_pose(w, p[k].at, x, way));
            assert_true(v3_distance(axes[k], way) < 1e-8);
        }
        double apart = v3_distance(axes[0], axes[1]);
        if (now) widest = fmax(widest, apart);
        if (changes == 0) assert_true(apart < 1e-6);
    }
    assert_true(widest > 0.3);
    assert_true(changes >= 2);
    cord_world_destroy(w);
}

/* The same values after a checkpoint, on whichever segment the point is. */
static void checkpoints(void **unused)
{
    (void)unused;
    cord_world *made[2];
    for (int i = 0; i < 2; i++) {
        made[i] = scene_world_in(CORD_IMPLICIT, gravity);
        tie_pointer(made[i], over_pulley(made[i], 1, 3, 0.3), 0.8, 0.1, 0.1);
    }
    scene_advance(made[0], 5e-3, 60);
    scene_goes_on(made[0], made[1], 5e-3, 40);
    for (int i = 0; i < 2; i++) cord_world_destroy(made[i]);
}

/* At an eyelet the tangent jumps, and so it does at a pulley that the cable meets at an angle.
 * An object constrained to the tangent follows within a tenth of a second, as with a constraint
 * that attaches from a distance; no step rotates it by the whole jump. */
static void pass_corner(cord_integrator integrator, bool wheel)
{
    const double h = 4e-3;
    cord_world *w = scene_world_in(integrator, gravity);
    cord_body ends[2] = {weight(w, 1, -1, -0.2),
                         wheel ? bench_box(w, 3, 0.1, -1, -1.5) : weight(w, 3, 1, -1.5)};
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[0], 0, 0, 0)},
        {.kind = wheel ? CORD_WAYPOINT_PULLEY : CORD_WAYPOINT_EYELET,
         .point = scene_place(w, 0, 0, 0),
         .radius = 0.1,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, ends[1], 0, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    pointer p = tie_pointer(w, rope, 0.9, 0.1, 0.1);
    double x[3], body[9], way[9], before[9], v[3], spin[3], fastest = 0, widest = 0, passed = 0;
    for (int i = 0; i < 130; i++) {
        assert_fine(w, cord_point_get_pose(w, p.at, x, before));
        scene_advance(w, h, 1);
        assert_fine(w, cord_point_get_pose(w, p.at, x, way));
        assert_fine(w, cord_body_get_pose(w, p.body, x, body));
        assert_fine(w, cord_body_get_velocity(w, p.body, v, spin));
        if (v3_dot(before, way) < 0.99) passed = w->problem.now.time;
        double off = v3_distance(body, way);
        fastest = fmax(fastest, v3_norm(spin));
        widest = fmax(widest, off);
        if (passed == 0 || w->problem.now.time > passed + 0.1 + h) assert_true(off < 1e-9);
    }
    print_message("%s: %g off, turned with %g rad/s\n", wheel ? "askew" : "eyelet", widest,
                  fastest);
    assert_true(passed > 0 && widest > (wheel ? 0.1 : 1));
    assert_true(fastest < 40); /* 1.875 times 1.5 rad in 0.1 s; in one step it would be 370 */
    cord_world_destroy(w);
}

static void corners(void **unused)
{
    (void)unused;
    for (int wheel = 0; wheel < 2; wheel++) {
        pass_corner(CORD_IMPLICIT, wheel);
        pass_corner(CORD_MIDPOINT, wheel);
    }
}

/* ---- clamped ends, revolute coordinates and friction ------------------------------------------------------- */

/* A straight cable that carries twist from a body to another, along x. */
typedef struct twisted {
    cord_body ends[2];
    cord_strand cable;
    double length;
} twisted;

static const double GJ = 0.6;

static twisted twisted_of(cord_world *w)
{
    twisted t = {.ends = {bench_box(w, 1, 0, 0, 0), bench_box(w, 1, 0.8, 0, 0)}, .length = 0.8};
    cord_waypoint waypoints[2];
    for (int i = 0; i < 2; i++)
        waypoints[i] =
            (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = scene_on(w, t.ends[i], 0, 0, 0)};
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* it is thrown in space, without tension */
    def.twisting = GJ;
    def.waypoint_count = 2, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &t.cable));
    return t;
}

/* One end is clamped, the other is rotated about the cable by a script: with a torque GJ φ/L,
 * which acts on the body to which the cable is clamped there. */
static void ends_hold_twist(void **unused)
{
    (void)unused;
    for (int end = 0; end < 2; end++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        twisted t = twisted_of(w);
        double times[2] = {0, 1}, turns[6] = {0, 0, 0, 3, 0, 0}, phi, torque[3], angle, moment;
        cord_constraint held[2];
        for (int i = 0; i < 2; i++) {
            cord_point at = scene_point(w, t.cable, i * t.length);
            cord_point_def place = cord_point_def_default();
            place.position[0] = i * t.length;
            if (i == end) place.rotation = (cord_keys){.count = 2, .times = times, .values = turns};
            cord_point in_world = scene_add_point(w, &place);
            scene_constraint(w, CORD_COINCIDE, at, in_world);
            cord_constraint_def def = between(CORD_ALIGN, at, in_world);
            held[i] = scene_relate(w, &def);
        }
        for (int i = 0; i < 50; i++) {
            scene_advance(w, 0.01, 1);
            phi = 0.03 * (i + 1);
            assert_fine(w, cord_cable_get_twist(w, t.cable, &angle, &moment));
            assert_close(angle, end ? phi : -phi, 1e-8);
            double frame[9], x[3];
            assert_fine(w, cord_body_get_pose(w, t.ends[end], x, frame));
            assert_close(frame[4], cos(phi), 1e-8);
            assert_close(frame[5], sin(phi), 1e-8);
        }
        for (int i = 0; i < 2; i++) {
            assert_fine(w, cord_constraint_get_force(w, held[i], NULL, torque));
            double expected = (i == end ? 1 : -1) * GJ * phi / t.length;
            assert_all_close(torque, ((double[]){expected, 0, 0}), 3, 1e-3);
        }
        cord_world_destroy(w);
    }
}

/* Bodies at the ends of a cable with twist, a third that is constrained to its tangent or to a
 * frame of it, all of them flying and spinning: the constraint conserves momentum, and with
 * `midpoint` energy. */
static void flights(void **unused)
{
    (void)unused;
    for (int whole = 0; whole < 2; whole++)
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            cord_world *w = scene_world_in(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, 0);
            twisted t = twisted_of(w);
            cord_point at = scene_point(w, t.cable, whole ? t.length : 0.3);
            cord_body third = bench_box(w, 0.5, whole ? t.length : 0.3, 0, 0);
            cord_point center = scene_on(w, third, 0, 0, 0);
            scene_constraint(w, CORD_COINCIDE, center, at);
            cord_constraint_def def = between(whole ? CORD_ALIGN : CORD_PARALLEL, center, at);
            cord_constraint held = scene_relate(w, &def);
            cord_body all[3] = {t.ends[0], t.ends[1], third};
            for (int i = 0; i < 3; i++)
                assert_fine(w, cord_body_set_velocity(w, all[i], (double[]){0.2, 0.4 * i, 0.3 - i},
                                                      (double[]){2.0 - i, 1 + i, -1}));
            scene_advance(w, 1e-3, 1); /* velocities are consistent now */
            cord_momentum m0, m;
            assert_fine(w, cord_world_get_momentum(w, &m0));
            double start = scene_energy(w).total, energy = 0, off = 0;
            for (int i = 0; i < 400; i++) {
                scene_advance(w, 1e-3, 1);
                energy = fmax(energy, fabs(scene_energy(w).total - start));
                assert_fine(w, cord_world_get_momentum(w, &m));
                off = fmax(off, v3_distance(m.linear, m0.linear));
                off = fmax(off, v3_distance(m.angular, m0.angular));
                assert_true(scene_gap(w, held) < 1e-8);
            }
            print_message("%s, %s: energy %.1e of %g J, momentum %.1e\n",
                          whole ? "align" : "parallel", midpoint ? "midpoint" : "tr-bdf2", energy,
                          start, off);
            assert_true(off < 3e-8);
            assert_true(energy < (midpoint ? 2e-8 : 1e-7));
            cord_world_destroy(w);
        }
}

/* A wheel constrained to rotate by minus twice the angle of the tangent of a pendulum's cable. */
static void gears(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    const cord_guide anchor = {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)};
    const cord_cable_node nodes[] = {{.guide = 0}, {.guide = -1, .at = {0.5, 0, 0}, .s = 0.5}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.guide_count = 1, def.guides = &anchor, def.node_count = 2, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_point_def turn = cord_point_def_default(), flywheel = turn;
    turn.source = CORD_SOURCE_REVOLUTE, turn.measured = scene_point(w, rope, 0.2);
    v3_set(turn.direction, 0, 1, 0);
    flywheel.source = CORD_SOURCE_FLYWHEEL, flywheel.inertia = 1e-3;
    cord_point of_cable = scene_add_point(w, &turn), wheel = scene_add_point(w, &flywheel);
    cord_constraint_def gear = between(CORD_SLIDE, wheel, of_cable);
    gear.ratio = -2, gear.length = 0;
    scene_relate(w, &gear);
    for (int i = 0; i < 60; i++) {
        double x[3], frame[9];
        scene_advance(w, 5e-3, 1);
        assert_fine(w, cord_point_get_pose(w, turn.measured, x, frame));
        double angle = atan2(-frame[2], frame[0]);
        assert_close(scene_coordinate(w, of_cable, NULL), angle, 1e-8);
        assert_close(scene_coordinate(w, wheel, NULL), -2 * angle, 1e-8);
    }
    assert_true(scene_coordinate(w, of_cable, NULL) > 0.5);
    cord_world_destroy(w);
}

/* A ball joint at the end of a taut cable, with viscous friction on the rotation of the ball
 * against the tangent: its spin across the cable decays as e^(−ct/I), the spin about the cable
 * is conserved. */
static void friction_turns_the_tangent(void **unused)
{
    (void)unused;
    const double c = 0.02, seconds = 0.1;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body ball = weight(w, 1, 0.5, 0);
    double inertia = 0.4 * 0.02 * 0.02, spin[3], v[3], start[3] = {3, 4, 0};
    const cord_guide places[2] = {{.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 0)},
                                  {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0.5, 0, 0)}};
    const cord_cable_node nodes[] = {{.guide = 0}, {.guide = 1, .s = 0.5}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.guide_count = 2, def.guides = places, def.node_count = 2, def.nodes = nodes;
    def.stretching = 1e4;
    assert_fine(w, cord_world_add_cable(w, &def, &rope));
    cord_constraint_def joint = cord_constraint_def_default();
    joint.kind = CORD_COINCIDE, joint.first = scene_on(w, ball, 0, 0, 0);
    joint.second = scene_point(w, rope, 0.5);
    joint.friction = c * inertia / 1e-3;
    scene_relate(w, &joint);
    assert_fine(w, cord_body_set_velocity(w, ball, (double[]){0, 0, 0}, start));
    scene_advance(w, 1e-3, (int)(seconds / 1e-3));
    assert_fine(w, cord_body_get_velocity(w, ball, v, spin));
    double left = exp(-c / 1e-3 * seconds);
    assert_all_close(spin, ((double[]){3, 4 * left, 0}), 3, 1e-4);
    cord_world_destroy(w);
}

/* ---- refused ------------------------------------------------------------------------------------------------ */

static void assert_refused(cord_world *w, const cord_constraint_def *def, cord_status status,
                           const char *why)
{
    cord_constraint made;
    assert_int_equal(cord_world_add_constraint(w, def, &made), status);
    if (!strstr(cord_world_get_error(w), why)) print_message("%s\n", cord_world_get_error(w));
    assert_non_null(strstr(cord_world_get_error(w), why));
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, gravity);
    cord_strand rope = over_pulley(w, 1, 3, 0.3);
    cord_point on = scene_point(w, rope, 0.8), place = scene_place(w, 0, 0, 0);
    cord_point other = scene_on(w, weight(w, 1, 1, 1), 0, 0, 0);
    cord_constraint_def def = between(CORD_ALIGN, on, place);
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "is constrained by parallel");
    def = between(CORD_ANGLE, other, on); /* about the tangent: the rotation is undetermined */
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "is constrained by parallel");
    def = between(CORD_PARALLEL, on, place);
    def.first_direction[1] = 0.1;
    assert_refused(w, &def, CORD_ERROR_ARGUMENT, "[1, 0, 0]");
    def = between(CORD_PLANE, other, on);
    def.direction[2] = 1;
    assert_refused(w, &def, CORD_ERROR_ARGUMENT, "[1, 0, 0]");
    def = between(CORD_PARALLEL, on, place);
    def.friction = 1;
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "rotation about a cable's tangent");
    def = between(CORD_PLANE, other, on);
    def.friction = 1;
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "motion round it");
    def = between(CORD_CURVATURE, on, (cord_point){0});
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "no curvature");
    for (int i = 0; i < w->terms.count; i++) assert_null(w->terms.item[i]);
    cord_load_def turning = {.point = on, .torque = {0, 0, 1}};
    cord_load made;
    assert_int_equal(cord_world_add_load(w, &turning, &made), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "has but a tangent"));
    /* between its ends a cable that carries twist has no frame to constrain either */
    twisted t = twisted_of(w);
    def = between(CORD_ALIGN, scene_point(w, t.cable, 0.3), place);
    assert_refused(w, &def, CORD_ERROR_UNSUPPORTED, "at its anchored ends");
    scene_advance(w, 1e-3, 3);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),
        cmocka_unit_test(derivatives_at_clamps),
        cmocka_unit_test(rows),
        cmocka_unit_test(held_at_an_angle),
        cmocka_unit_test(a_rod_goes_on_as_the_cable),
        BY_EVERY_IMPLICIT_INTEGRATION(pointers_go_round),
        cmocka_unit_test(it_begins_to_turn_at_once),
        cmocka_unit_test(energy_on_the_pulley),
        cmocka_unit_test(past_a_peg),
        cmocka_unit_test(checkpoints),
        cmocka_unit_test(corners),
        cmocka_unit_test(ends_hold_twist),
        cmocka_unit_test(flights),
        cmocka_unit_test(gears),
        cmocka_unit_test(friction_turns_the_tangent),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
