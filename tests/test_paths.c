/* Paths: the curve by its arc length; points that slide along it, in the world and on bodies. */
#include "math/rotation.h"
#include "support/failing_allocator.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const double none[3] = {0, 0, 0};
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

/* Points of curves, u from 0 to 1. */
typedef void (*trace)(double u, double x[3]);

static void crooked(double u, double x[3])
{
    v3_set(x, u, 0.3 * sin(5 * u), 0.2 * cos(3 * u) + 0.1 * u * u);
}

static void ring(double u, double x[3])
{
    v3_set(x, 0.5 * cos(2 * pi * u), 0.5 * sin(2 * pi * u), 0);
}

/* Radius 0.2 m, descending 0.1 m per turn, three turns. */
static void helix(double u, double x[3])
{
    v3_set(x, 0.2 * cos(6 * pi * u), 0.2 * sin(6 * pi * u), -0.3 * u);
}

/* One arch of a cycloid, hanging, of a circle of 0.1 m; denser where it is steep. */
static void cycloid(double u, double x[3])
{
    double a = 2 * pi * u, r = 0.1;
    v3_set(x, r * (a - sin(a)), 0, r * (cos(a) - 1));
}

enum { MOST = 400 };

static cord_path path_on(cord_world *w, trace curve, int count, bool closed, cord_body body)
{
    double x[3 * MOST];
    for (int i = 0; i < count; i++) curve((double)i / (closed ? count : count - 1), x + 3 * i);
    return scene_path(w, body, count, x, closed);
}

static double length_of(cord_world *w, cord_path path)
{
    cord_path_info info;
    assert_fine(w, cord_path_get_info(w, path, &info));
    return info.length;
}

static cord_point_def runs_def(cord_path path, double s)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_PATH;
    def.path = path;
    def.s = s;
    return def;
}

static cord_point runs(cord_world *w, cord_path path, double s)
{
    cord_point_def def = runs_def(path, s);
    return scene_add_point(w, &def);
}

static cord_body ball(cord_world *w, const double at[3], double radius)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    v3_copy(def.position, at);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

/* An asymmetric body that rotates and translates: nothing is at its centre or along its axes. */
static cord_body lump(cord_world *w)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.mass = 2;
    v3_set(def.center, 0.1, -0.05, 0.2);
    memcpy(def.inertia, (const double[9]){0.2, 0.02, 0, 0.02, 0.3, 0.01, 0, 0.01, 0.25},
           sizeof def.inertia);
    const double turn[3] = {0.4, -0.7, 0.3};
    cord__rotation_exp(def.frame, turn);
    v3_set(def.position, 0.3, 0.2, -0.1);
    v3_set(def.angular_velocity, 0.5, 1, -2);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

/* A ball whose centre slides on a path from s on. */
static cord_point bead(cord_world *w, cord_path path, double s, cord_body *body,
                       cord_constraint *hold)
{
    double x[3];
    cord_point p = runs(w, path, s);
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    *body = ball(w, x, 0.01);
    cord_constraint made = scene_constraint(w, CORD_COINCIDE, scene_on(w, *body, 0, 0, 0), p);
    if (hold) *hold = made;
    return p;
}

/* ---- the curve -------------------------------------------------------------------------------- */

static path_curve curve_through(trace curve, int count, bool closed)
{
    double x[3 * MOST];
    path_curve c;
    memory m;
    char why[128] = "";
    cord__memory_init(&m, NULL);
    for (int i = 0; i < count; i++) curve((double)i / (closed ? count : count - 1), x + 3 * i);
    assert_int_equal(cord__path_init(&c, &m, count, x, closed, why, sizeof why), CORD_OK);
    return c;
}

static void free_curve(path_curve *c)
{
    memory m;
    cord__memory_init(&m, NULL);
    cord__path_free(c, &m);
}

/* Tangent and curvature vector are derivatives, the tangent is a unit vector, so the coordinate
 * is arc length; also across knots, beyond ends and over several revolutions. */
static void coordinate_is_arc_length(void **given)
{
    (void)given;
    for (int closed = 0; closed < 2; closed++) {
        path_curve c = curve_through(closed ? ring : crooked, closed ? 5 : 7, closed);
        for (int i = -3; i < 140; i++) {
            double s = c.length * (i + 0.37) / 97, h = 1e-4, x[3], t[3], bend[3], third[3];
            double at[4][3], tangent[4][3], curved[4][3], unused[3], along[3], bends[3], thirds[3];
            static const double step[4] = {-2, -1, 1, 2};
            cord__path_at(&c, s, x, t, bend, third);
            for (int k = 0; k < 4; k++)
                cord__path_at(&c, s + h * step[k], at[k], tangent[k], curved[k], unused);
            for (int k = 0; k < 3; k++) {
                along[k] = (at[0][k] - 8 * at[1][k] + 8 * at[2][k] - at[3][k]) / (12 * h);
                bends[k] = (tangent[2][k] - tangent[1][k]) / (2 * h);
                thirds[k] = (curved[2][k] - curved[1][k]) / (2 * h);
            }
            assert_close(v3_norm(t), 1, 1e-14);
            assert_all_close(t, along, 3, 1e-8);
            assert_all_close(bend, bends, 3, 2e-5); /* its second derivative has corners at knots */
            assert_all_close(third, thirds, 3, 1e-5 * fmax(1, v3_norm(third)));
        }
        free_curve(&c);
    }
}

static void curves_go_through_their_points(void **given)
{
    (void)given;
    path_curve c = curve_through(crooked, 9, false);
    double x[3], t[3], bend[3], third[3], wanted[3];
    for (int i = 0; i < 9; i++) {
        cord__path_at(&c, c.arc[4 * i < 4 * c.spans ? 4 * i : 4 * c.spans], x, t, bend, third);
        crooked(i / 8.0, wanted);
        assert_all_close(x, wanted, 3, 1e-12);
        if (i == 0 || i == 8) assert_close(v3_norm(bend), 0, 1e-9); /* natural */
    }
    free_curve(&c);
    double error[2];
    for (int k = 0; k < 2; k++) { /* fourth order */
        path_curve round = curve_through(ring, 20 << k, true);
        error[k] = fabs(round.length - pi);
        cord__path_at(&round, 0.123 + 3 * round.length, x, t, bend, third);
        assert_close(v3_norm(x), 0.5, 1e-4);
        assert_close(v3_norm(bend), 2, 2e-2);
        free_curve(&round);
    }
    assert_true(error[0] < 2e-4 && error[0] > 12 * error[1]);
}

/* ---- rows against differences ----------------------------------------------------------------- */

static void rows_are_derivatives(void **given)
{
    (void)given;
    for (int carried = 0; carried < 2; carried++) {
        cord_world *w = scene_world_under(&tr_bdf2, gravity);
        cord_body carrier = carried ? lump(w) : (cord_body){0, 0};
        cord_body other = ball(w, (const double[3]){0.4, 0.2, 0.1}, 0.1);
        cord_path path = path_on(w, crooked, 12, false, carrier);
        cord_point p = runs(w, path, 0.6), q = runs(w, path, 0.9);
        cord_point at = scene_on(w, other, 0.05, 0.02, 0.01);
        scene_advance(w, 1e-3, 30);
        cord_constraint_def def = cord_constraint_def_default();
        const char *kinds[4] = {CORD_COINCIDE, CORD_DISTANCE, CORD_PARALLEL, CORD_PERPENDICULAR};
        for (int k = 0; k < 4; k++) {
            def.kind = kinds[k];
            def.first = k == 3 ? q : at, def.second = p;
            if (k >= 2) v3_set(def.direction, 1, 0, 0);
            if (k == 3) v3_set(def.first_direction, 1, 0, 0);
            check_row_rates(w, scene_relate(w, &def), 1e-8);
        }
        def.kind = CORD_PERPENDICULAR;
        def.first = p, def.second = at;
        v3_set(def.direction, 0.3, 0.4, 0.5);
        check_row_curvature(w, scene_relate(w, &def), 1e-5);
        def.kind = CORD_PARALLEL;
        check_row_curvature(w, scene_relate(w, &def), 1e-5);
        cord_world_destroy(w);
    }
}

/* Position and velocity of the path are those of its point. */
static void places_agree(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_body body = lump(w);
    cord_path path = path_on(w, crooked, 12, false, body);
    cord_point p = runs(w, path, 0.5);
    cord_constraint_def def = cord_constraint_def_default();
    double times[2] = {0, 1}, values[2] = {0, 0.3}, x[3], t[3], frame[9], own[3], origin[3];
    def.kind = CORD_SLIDE;
    def.first = p;
    def.drive = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    scene_relate(w, &def);
    double before[3], after[3], v[3], pose_frame[9], turned[3];
    scene_advance(w, 1e-4, 100);
    assert_fine(w, cord_point_get_pose(w, p, before, NULL));
    scene_advance(w, 1e-4, 1);
    assert_close(scene_coordinate(w, p, NULL), 0.5 + 0.3 * 0.0101, 1e-12);
    assert_fine(w, cord_point_get_velocity(w, p, v));
    assert_fine(w, cord_point_get_pose(w, p, x, frame));
    scene_advance(w, 1e-4, 1);
    assert_fine(w, cord_point_get_pose(w, p, after, NULL));
    for (int k = 0; k < 3; k++) assert_close(v[k], (after[k] - before[k]) / 2e-4, 1e-6);
    assert_true(v3_norm(v) > 0.3);
    double s = scene_coordinate(w, p, NULL);
    assert_fine(w, cord_point_get_pose(w, p, after, frame));
    assert_fine(w, cord_path_get_position(w, path, s, false, x, t));
    assert_all_close(x, after, 3, 1e-13);
    assert_all_close(t, frame, 3, 1e-13);
    assert_fine(w, cord_path_get_position(w, path, s, true, own, NULL));
    assert_fine(w, cord_body_get_pose(w, body, origin, pose_frame));
    m3_apply(turned, pose_frame, own);
    v3_add(turned, turned, origin);
    assert_all_close(x, turned, 3, 1e-13);
    cord_world_destroy(w);
}

/* ---- beads: closed forms ----------------------------------------------------------------------- */

/* Down a helix: s̈ = g sin α, the slope being the same everywhere. */
static void bead_on_a_helix(void **given)
{
    (void)given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_under(by[i], gravity);
        cord_path path = path_on(w, helix, 241, false, (cord_body){0, 0});
        double L = length_of(w, path), slope = 0.3 / L, s0 = 0.05 * L, t = 0.5, rate;
        assert_close(L, sqrt(0.09 + 36 * pi * pi * 0.04), 1e-5);
        cord_body body;
        cord_constraint hold;
        cord_point p = bead(w, path, s0, &body, &hold);
        double e0 = scene_energy(w).total;
        scene_advance(w, 1e-3, 500);
        double s = scene_coordinate(w, p, &rate), expected = s0 + 0.5 * gravity * slope * t * t;
        print_message("helix, %s: s %.9f, %.9f expected\n", by[i]->name, s, expected);
        assert_close(s, expected, 2e-6);
        assert_close(rate, gravity * slope * t, 1e-5);
        assert_true(scene_gap(w, hold) < 1e-12);
        if (i == 1) assert_close(scene_energy(w).total, e0, 1e-11);
        cord_world_destroy(w);
    }
}

/* A cycloid is isochronous: T = 4π √(r/g), for any amplitude. */
static void bead_on_a_cycloid(void **given)
{
    (void)given;
    double expected = 4 * pi * sqrt(0.1 / gravity);
    for (int i = 0; i < 3; i++) {
        cord_world *w = scene_world_under(&midpoint, gravity);
        cord_path path = path_on(w, cycloid, 201, false, (cord_body){0, 0});
        double L = length_of(w, path), last = 0, when[5], h = 1e-3;
        assert_close(L, 0.8, 1e-8);
        cord_body body;
        cord_point p = bead(w, path, L * (0.48 - 0.15 * i), &body, NULL);
        double e0 = scene_energy(w).total, deepest = 0;
        int crossings = 0;
        for (int step = 1; crossings < 5; step++) {
            assert_true(step < 5000);
            scene_advance(w, h, 1);
            double off = scene_coordinate(w, p, NULL) - 0.5 * L;
            if (last * off < 0) when[crossings++] = (step - off / (off - last)) * h;
            last = off;
            deepest = fmax(deepest, scene_energy(w).kinetic);
        }
        double period = (when[4] - when[0]) / 2;
        print_message("cycloid from %.2f L: period %.7f s, %.7f expected\n", 0.48 - 0.15 * i,
                      period, expected);
        assert_close(period, expected, 5e-5 * expected);
        assert_close(scene_energy(w).total, e0, 1e-10 * deepest);
        cord_world_destroy(w);
    }
}

/* Revolutions without friction: v = const, full revolutions are counted. */
static void beads_go_round(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&midpoint, 0);
    cord_path path = path_on(w, ring, 100, true, (cord_body){0, 0});
    cord_body body;
    cord_point p = bead(w, path, 0, &body, NULL);
    assert_fine(w, cord_body_set_velocity(w, body, (const double[3]){0, 4, 0}, none));
    double rate, x[3];
    scene_advance(w, 2e-3, 1000);
    double s = scene_coordinate(w, p, &rate);
    assert_close(rate, 4, 1e-4);
    assert_close(s, 8, 5e-3); /* 2.5 revolutions; chords are shorter than arcs */
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    assert_close(x[0], 0.5 * cos(s / 0.5), 1e-6);
    cord_world_destroy(w);
}

/* At rest at the bottom of an upright ring, found and counted as stable; the frequency is that
 * of a pendulum as long as the radius. */
static void upright(double u, double x[3])
{
    v3_set(x, 0.5 * sin(2 * pi * u), 0, 0.5 * cos(2 * pi * u));
}

static void beads_rest_at_the_bottom(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_path path = path_on(w, upright, 100, true, (cord_body){0, 0});
    double L = length_of(w, path), omega, x[3];
    cord_body body;
    cord_point p = bead(w, path, 0.2 * L, &body, NULL);
    scene_constraint(w, CORD_ALIGN, scene_on(w, body, 0, 0, 0), (cord_point){0, 0});
    cord_statics_result found;
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
    assert_int_equal(found.unstable_directions, 0);
    assert_close(scene_coordinate(w, p, NULL), 0.5 * L, 1e-6);
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    assert_close(x[2], -0.5, 1e-9);
    assert_fine(w, cord_world_find_frequencies(w, 1, &omega));
    assert_close(omega, sqrt(gravity / 0.5), 1e-3); /* a spline's curvature is second order */
    cord_world_destroy(w);
}

/* ---- on bodies --------------------------------------------------------------------------------- */

/* Free in space, a bead on a path on a body: energy and both momenta are conserved. */
static void momenta_stay(void **given)
{
    (void)given;
    /* Velocities are differences of positions over the step, and have their rounding over it:
     * 300 steps of 2 ms leave some 1e-12 of the energy, of either sign, ten times shorter ones
     * ten times more, whatever Newton's tolerance. */
    cord_world *w = scene_world_under(&midpoint, 0);
    cord_body body = lump(w), small;
    cord_path path = path_on(w, crooked, 12, false, body);
    cord_constraint hold;
    cord_point p = bead(w, path, 0.5, &small, &hold);
    scene_advance(w, 1e-3, 1);
    cord_momentum m0, m;
    double e0 = scene_energy(w).total, s0 = scene_coordinate(w, p, NULL);
    assert_fine(w, cord_world_get_momentum(w, &m0));
    scene_advance(w, 2e-3, 300);
    assert_fine(w, cord_world_get_momentum(w, &m));
    assert_true(fabs(scene_coordinate(w, p, NULL) - s0) > 0.05);
    assert_close(scene_energy(w).total, e0, 1e-11 * e0);
    assert_all_close(m.linear, m0.linear, 3, 1e-8 * v3_norm(m0.angular));
    assert_all_close(m.angular, m0.angular, 3, 1e-8 * v3_norm(m0.angular));
    assert_true(scene_gap(w, hold) < 1e-10);
    cord_world_destroy(w);
}

/* A body that rotates at a prescribed rate. */
static cord_body turntable(cord_world *w, double rate, double until)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    double times[2] = {0, until}, turns[6] = {0, 0, 0, 0, 0, rate * until};
    def.shape.kind = CORD_SHAPE_CYLINDER;
    def.shape.radius = 1, def.shape.length = 0.02;
    assert_fine(w, cord_world_add_body(w, &def, &body));
    cord_point_def script = cord_point_def_default();
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_clamp_body(w, body, &script, NULL, NULL, NULL));
    return body;
}

static void spoke(double u, double x[3])
{
    v3_set(x, 0.1 + 2 * u, 0, 0);
}

/* A bead on a straight spoke of a rotating body: r = r₀ cosh ωt. */
static void bead_on_a_spoke(void **given)
{
    (void)given;
    const double omega = 2, t = 0.6;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_path path = path_on(w, spoke, 2, false, turntable(w, omega, 1));
    cord_body body;
    cord_point p = bead(w, path, 0.2, &body, NULL);
    assert_fine(w, cord_body_set_velocity(w, body, (const double[3]){0, 0.3 * omega, 0}, none));
    double rate;
    scene_advance(w, 1e-3, 600);
    assert_close(scene_coordinate(w, p, &rate), 0.3 * cosh(omega * t) - 0.1, 1e-5);
    assert_close(rate, 0.3 * omega * sinh(omega * t), 1e-5);
    cord_world_destroy(w);
}

/* A rope's end slides along a path on a rotating body, at a prescribed rate. */
static void rope_end_on_a_turning_path(void **given)
{
    (void)given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_under(by[i], gravity);
        cord_path path = path_on(w, spoke, 2, false, turntable(w, 1.5, 1));
        cord_strand rope = scene_rope(w, NULL, "rope", 12, (const double[3]){0.3, 0, 0},
                                      (const double[3]){0.3, 0, -0.6});
        cord_point p = runs(w, path, 0.2);
        cord_constraint hold = scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, 0), p);
        cord_constraint_def def = cord_constraint_def_default();
        double times[2] = {0, 1}, values[2] = {0, 0.5}, x[3], turn = 1.5 * 0.5;
        def.kind = CORD_SLIDE;
        def.first = p;
        def.drive = (cord_keys){2, times, values, CORD_EASE_SMOOTH};
        cord_constraint drive = scene_relate(w, &def);
        scene_advance(w, 2e-3, 250);
        double r = 0.3 + 0.25, F[3];
        assert_fine(w, cord_point_get_pose(w, scene_point(w, rope, 0), x, NULL));
        assert_close(x[0], r * cos(turn), 1e-9);
        assert_close(x[1], r * sin(turn), 1e-9);
        assert_true(scene_gap(w, hold) < 1e-10);
        assert_fine(w, cord_constraint_get_force(w, drive, F, NULL));
        assert_true(fabs(F[0]) > 1e-3);
        cord_world_destroy(w);
    }
}

/* A body aligned with the path it slides on. */
static void bodies_are_oriented_along_paths(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_path path = path_on(w, helix, 241, false, (cord_body){0, 0});
    cord_body_def box = cord_body_def_default();
    cord_body car;
    double x[3], t[3], frame[9], ahead[3], cross[3], worst = 0;
    cord_point p = runs(w, path, 0.2);
    assert_fine(w, cord_path_get_position(w, path, 0.2, false, box.position, t));
    box.shape.kind = CORD_SHAPE_BOX;
    v3_set(box.shape.size, 0.04, 0.02, 0.01);
    assert_fine(w, cord_world_add_body(w, &box, &car));
    cord_point center = scene_on(w, car, 0, 0, 0);
    scene_constraint(w, CORD_COINCIDE, center, p);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PARALLEL;
    def.first = center, def.second = p;
    v3_set(def.direction, 1, 0, 0);
    cord_constraint turn = scene_relate(w, &def); /* as it is when added */
    m3_apply_transposed(ahead, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, t);
    scene_advance(w, 1e-3, 1);
    double e0 = scene_energy(w).total;
    for (int i = 0; i < 500; i++) {
        scene_advance(w, 1e-3, 1);
        assert_fine(w, cord_body_get_pose(w, car, x, frame));
        assert_fine(w, cord_path_get_position(w, path, scene_coordinate(w, p, NULL), false, x, t));
        double now[3];
        m3_apply(now, frame, ahead);
        v3_cross(cross, now, t);
        worst = fmax(worst, v3_norm(cross));
    }
    cord_counters counters;
    assert_fine(w, cord_world_get_counters(w, &counters));
    print_message("car on a helix: to %g m, off by %.1e rad, energy %.1e, %.2f iterations a step\n",
                  scene_coordinate(w, p, NULL), worst, fabs(scene_energy(w).total - e0),
                  (double)counters.newton_iterations / (double)counters.steps);
    assert_true(scene_coordinate(w, p, NULL) > 0.25);
    assert_true(worst < 1e-8 && scene_gap(w, turn) < 1e-8);
    assert_close(scene_energy(w).total, e0, 1e-10 * scene_energy(w).kinetic);
    cord_world_destroy(w);
}

/* ---- ends, friction, removal ------------------------------------------------------------------- */

static void points_stop_and_slip_off(void **given)
{
    (void)given;
    for (int way = -1; way <= 1; way += 2)
        for (int end = 0; end < 2; end++) {
            cord_world *w = scene_world_under(&tr_bdf2, 0);
            cord_path path = path_on(w, spoke, 4, false, (cord_body){0, 0});
            cord_point_def def = runs_def(path, 1);
            def.end = end ? CORD_END_RELEASE : CORD_END_STOP;
            cord_point p = scene_add_point(w, &def);
            cord_body body = ball(w, (const double[3]){1.1, 0, 0}, 0.01);
            scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, 0), p);
            const double v[3] = {4.0 * way, 0, 0};
            assert_fine(w, cord_body_set_velocity(w, body, v, none));
            bool released;
            double x[3], last = way > 0 ? 2 : 0;
            scene_advance(w, 1e-3, 500);
            assert_fine(w, cord_point_get_released(w, p, &released));
            assert_int_equal(released, end);
            assert_fine(w, cord_body_get_pose(w, body, x, NULL));
            assert_close(x[0], end ? 1.1 + 2 * way : 0.1 + last, 1e-4);
            assert_close(scene_coordinate(w, p, NULL), last, 1e-4);
            cord_world_destroy(w);
        }
}

/* A load against friction: rate = force along / friction. */
static void friction_resists(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_path path = path_on(w, ring, 60, true, (cord_body){0, 0});
    cord_point_def def = runs_def(path, 0);
    def.friction = 5;
    cord_load_def pull = cord_load_def_default();
    cord_load added;
    pull.point = scene_add_point(w, &def);
    pull.force[0] = -2; /* to the far side: ds/dt = (2/5) sin(s/0.5) */
    pull.force[1] = 1e-3;
    assert_fine(w, cord_world_add_load(w, &pull, &added));
    scene_advance(w, 1e-2, 3000);
    assert_close(scene_coordinate(w, pull.point, NULL), 0.5 * (pi - atan(1e-3 / 2)), 2e-6);
    cord_world_destroy(w);
}

static cord_world *swinging(cord_point *p)
{
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_body body = lump(w), small;
    scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, 0), scene_place(w, 0.3, 0.2, -0.1));
    *p = bead(w, path_on(w, crooked, 12, false, body), 0.5, &small, NULL);
    return w;
}

static void checkpoints_are_exact(void **given)
{
    (void)given;
    cord_point p, q;
    cord_world *w = swinging(&p), *copy = swinging(&q);
    scene_advance(w, 2e-3, 50);
    scene_goes_on(w, copy, 2e-3, 50);
    assert_true(scene_coordinate(w, p, NULL) == scene_coordinate(copy, q, NULL));
    cord_world_destroy(w), cord_world_destroy(copy);
}

static void what_goes_takes_its_own_along(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_body body = lump(w), small, other;
    cord_path kept = path_on(w, crooked, 12, false, (cord_body){0, 0});
    cord_path gone = path_on(w, crooked, 12, false, body);
    cord_point p = bead(w, kept, 0.5, &small, NULL), q = bead(w, gone, 0.5, &other, NULL);
    double s;
    cord_path_info info;
    scene_advance(w, 1e-3, 3);
    assert_fine(w, cord_path_get_info(w, gone, &info));
    assert_int_equal(info.body.index, body.index);
    assert_fine(w, cord_world_remove_body(w, body));
    assert_int_equal(cord_path_get_info(w, gone, &info), CORD_ERROR_HANDLE);
    assert_int_equal(cord_point_get_coordinate(w, q, &s, NULL), CORD_ERROR_HANDLE);
    assert_fine(w, cord_point_get_coordinate(w, p, &s, NULL));
    assert_int_equal(w->sliders.used, 1);
    scene_advance(w, 1e-3, 3);
    assert_fine(w, cord_world_remove_path(w, kept));
    assert_int_equal(cord_point_get_coordinate(w, p, &s, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(w->sliders.used, 0);
    scene_advance(w, 1e-3, 3);
    cord_world_destroy(w);
}

static void errors_are_told(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    double x[12] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0};
    cord_path_def def = cord_path_def_default();
    cord_path path;
    def.points = x;
    def.point_count = 1;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    def.point_count = 4;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "point 2"));
    def.point_count = 2, def.closed = true;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    x[6] = NAN;
    def.point_count = 4;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    x[6] = 0, x[9] = 1, x[10] = 0; /* there, back and there again: a point without a tangent */
    def.closed = false;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "reverses its direction"));
    x[7] = 1, x[9] = -1;
    def.points = NULL;
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_ARGUMENT);
    def.points = x;
    def.body = (cord_body){7, 7};
    assert_int_equal(cord_world_add_path(w, &def, &path), CORD_ERROR_HANDLE);
    def.body = (cord_body){0, 0};
    assert_fine(w, cord_world_add_path(w, &def, &path));
    cord_point_def on = runs_def(path, 99);
    cord_point p, q;
    assert_int_equal(cord_world_add_point(w, &on, &p), CORD_ERROR_ARGUMENT);
    on.s = 0.5, on.friction = -1;
    assert_int_equal(cord_world_add_point(w, &on, &p), CORD_ERROR_ARGUMENT);
    on.friction = 0, on.path.generation++;
    assert_int_equal(cord_world_add_point(w, &on, &p), CORD_ERROR_HANDLE);
    on.path = path;
    assert_fine(w, cord_world_add_point(w, &on, &p));
    q = scene_on(w, ball(w, x, 0.1), 0, 0, 0);
    cord_constraint_def r = cord_constraint_def_default();
    cord_constraint made;
    r.first = q, r.second = p;
    const char *refused[] = {CORD_ALIGN, CORD_ANGLE, CORD_PLANE, CORD_AXIS};
    for (int i = 0; i < 4; i++) {
        r.kind = refused[i];
        assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_UNSUPPORTED);
        assert_non_null(strstr(cord_world_get_error(w), "parallel"));
    }
    r.kind = CORD_PARALLEL; /* along z of a frame that has only its x */
    assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "tangent"));
    r.first = p, r.second = q, r.first_direction[1] = 1;
    assert_int_equal(cord_world_add_constraint(w, &r, &made), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

static cord_status small_program(cord_world *w)
{
    cord_status status;
    const double x[9] = {0, 0, 0, 1, 0, 0, 1, 1, 0};
    cord_path_def def = cord_path_def_default();
    cord_body_def solid = cord_body_def_default();
    cord_body body;
    cord_path path;
    cord_point p;
    cord_load added;
    solid.shape.kind = CORD_SHAPE_SPHERE;
    solid.shape.radius = 0.1;
    if ((status = cord_world_add_body(w, &solid, &body))) return status;
    def.name = "rail";
    def.point_count = 3, def.points = x, def.body = body;
    if ((status = cord_world_add_path(w, &def, &path))) return status;
    cord_point_def on = runs_def(path, 0.4);
    on.friction = 1;
    if ((status = cord_world_add_point(w, &on, &p))) return status;
    cord_load_def pull = cord_load_def_default();
    pull.point = p, pull.force[0] = 1;
    if ((status = cord_world_add_load(w, &pull, &added))) return status;
    for (int i = 0; i < 3; i++)
        if ((status = cord_world_step(w, 2e-3))) return status;
    return cord_world_remove_path(w, path);
}

static void memory_may_run_out(void **given)
{
    (void)given;
    failing_allocator_run(small_program, 60);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coordinate_is_arc_length),
        cmocka_unit_test(curves_go_through_their_points),
        cmocka_unit_test(rows_are_derivatives),
        cmocka_unit_test(places_agree),
        cmocka_unit_test(bead_on_a_helix),
        cmocka_unit_test(bead_on_a_cycloid),
        cmocka_unit_test(beads_go_round),
        cmocka_unit_test(beads_rest_at_the_bottom),
        cmocka_unit_test(momenta_stay),
        cmocka_unit_test(bead_on_a_spoke),
        cmocka_unit_test(rope_end_on_a_turning_path),
        cmocka_unit_test(bodies_are_oriented_along_paths),
        cmocka_unit_test(points_stop_and_slip_off),
        cmocka_unit_test(friction_resists),
        cmocka_unit_test(checkpoints_are_exact),
        cmocka_unit_test(what_goes_takes_its_own_along),
        cmocka_unit_test(errors_are_told),
        cmocka_unit_test(memory_may_run_out),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
