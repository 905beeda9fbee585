/* Coordinates without inertia, by fast projection: sliding points on strands and on paths,
 * pearls, revolute and prismatic coordinates, flywheels, end stops. The displacement of
 * symplectic Euler is τ t (t + h)/2 where the exact one is τ t²/2. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/failing_allocator.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const integration symplectic = {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2},
                         tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2};
static const sliding_kind rod = {.model = "der", .planar = true};

static double gone(double acceleration, double t, double h)
{
    return 0.5 * acceleration * t * (t + h);
}

/* Of a constraint's only row. */
static double multiplier(cord_world *w, cord_constraint of)
{
    const constraint *r = cord__constraint_at(w, (int)of.index - 1);
    return w->problem.now.lambda[r->l0];
}

/* ---- sliding points -------------------------------------------------------------------------------- */

/* A straight rope falls through. */
static void falls_through_a_keyhole(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, gravity);
    cord_strand rope = scene_rope(w, NULL, "rope", 16, (double[]){0, 0, 0}, (double[]){0, 0, -1});
    cord_constraint hold;
    cord_point p = sliding_keyhole(w, rope, 0.25, 0, &hold);
    double rate;
    scene_advance(w, 1e-3, 100);
    assert_close(scene_coordinate(w, p, &rate), 0.25 - gone(gravity, 0.1, 1e-3), 1e-9);
    assert_close(rate, -0.1 * gravity, 1e-8);
    assert_close(scene_gap(w, hold), 0, 1e-7);
    cord_world_destroy(w);
}

/* A rope that hangs in a keyhole with friction sinks at m g/c; friction carries its whole
 * weight. */
static void friction_holds_a_rope_back(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, gravity);
    cord_strand rope = scene_rope(w, NULL, "rope", 16, (double[]){0, 0, 0}, (double[]){0, 0, -1});
    cord_constraint hold;
    double friction = 20, mass = 0.1, rate, force[3];
    cord_point p = sliding_keyhole(w, rope, 0.5, friction, &hold);
    scene_advance(w, 1e-3, 500); /* c h is a fifth of the mass */
    scene_coordinate(w, p, &rate);
    assert_close(rate, -mass * gravity / friction, 1e-6);
    assert_fine(w, cord_constraint_get_force(w, hold, force, NULL));
    assert_close(force[2], mass * gravity, 1e-4);
    cord_world_destroy(w);
}

/* A driven point draws a rope by its tip through a keyhole at the tip, at an angle to the rope:
 * at first the rows across are those of a prescribed vertex, and no motion changes them. */
static void is_threaded_by_its_tip(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, 0);
    cord_strand rope =
        scene_rope(w, NULL, "rope", 16, (double[]){-0.4, 0, 0.05}, (double[]){0, 0, 0});
    double times[2] = {0, 1}, places[6] = {0, 0, 0, 0.2, 0, 0}, s = scene_length(w, rope);
    cord_point_def hand = cord_point_def_default();
    hand.motion = (cord_keys){2, times, places, CORD_EASE_LINEAR};
    scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, s), scene_add_point(w, &hand));
    cord_constraint hold;
    cord_point p = sliding_keyhole(w, rope, s, 1, &hold);
    scene_advance(w, 5e-4, 2000);
    double drawn = s - scene_coordinate(w, p, NULL); /* it need not be straight */
    assert_true(drawn > 0.2 - 1e-3 && drawn < 0.23);
    assert_close(scene_gap(w, hold), 0, 1e-7);
    cord_world_destroy(w);
}

/* On a rope that sags between two fixed points, from 0.3 m on, after half a second. */
static double bead_after(const integration *by, double h, bool is_pearl)
{
    cord_world *w = scene_world_under(by, gravity);
    cord_strand rope = sliding_strand(w, &rod, 1e6);
    const double mass = 0.1, radius = cbrt(mass / 2000 / (4.0 / 3 * pi));
    scene_hang(w, rope, 0);
    scene_hang(w, rope, scene_length(w, rope));
    cord_point_def def = sliding_def(rope, 0.3);
    def.friction = 0.2;
    if (is_pearl) def.inertia = mass;
    cord_point p = scene_add_point(w, &def);
    if (!is_pearl) sliding_pearl(w, p, radius, NULL);
    scene_advance(w, h, (int)lround(0.3 / h));
    double s = scene_coordinate(w, p, NULL);
    cord_world_destroy(w);
    return s;
}

/* A body whose centre slides, and a pearl, move identically; and to first order in the step as
 * with `implicit`. */
static void bead_goes_where_implicit_takes_it(void **unused)
{
    (void)unused;
    double wanted = bead_after(&tr_bdf2, 2.5e-4, false), error[2];
    for (int k = 0; k < 2; k++) {
        double s = bead_after(&symplectic, ldexp(5e-4, -2 * k), false);
        assert_close(bead_after(&symplectic, ldexp(5e-4, -2 * k), true), s, 1e-6);
        error[k] = fabs(s - wanted);
    }
    assert_true(error[0] < 1e-3 && error[1] < 0.3 * error[0]);
}

static cord_point pearl_on(cord_world *w, cord_path path, double s, double mass, double rate)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_PATH;
    def.path = path;
    def.s = s, def.inertia = mass, def.initial_rate = rate;
    return scene_add_point(w, &def);
}

/* A flying strand with a pearl on it, attached to another where it slides, and a body with a
 * pearl on a path of the body, which is attached to that: momenta are exchanged, and their sum
 * is conserved. */
static void momentum_is_kept(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, 0);
    cord_strand rope = sliding_strand(w, &rod, 1e6);
    cord_point_def def = sliding_def(rope, 0.3);
    def.inertia = 0.05, def.initial_rate = 0.7;
    cord_point pearl = scene_add_point(w, &def);
    cord_strand other =
        scene_rope(w, NULL, "other", 10, (double[]){0.5, -0.5, -0.3}, (double[]){0.5, 0.5, -0.3});
    cord_constraint_def tie = cord_constraint_def_default();
    tie.kind = CORD_DISTANCE;
    tie.first = sliding_point(w, rope, 0.6, 0.01), tie.second = scene_point(w, other, 0.5);
    scene_relate(w, &tie);
    cord_body_def box = scene_box(0.1, 0.05, 0.02);
    v3_set(box.position, 0.5, -0.5, -0.3);
    v3_set(box.velocity, 0, 0.4, 1);
    v3_set(box.angular_velocity, 1, 2, 3);
    cord_body body = scene_body(w, &box);
    scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, 0), scene_point(w, other, 0));
    double x[9] = {-0.3, 0, 0.05, 0, 0, 0, 0.3, 0.02, 0.03};
    cord_point runs = pearl_on(w, scene_path(w, body, 3, x, false), 0.3, 0.02, 0.5);
    cord_momentum before, after;
    assert_fine(w, cord_world_get_momentum(w, &before));
    scene_advance(w, 2.5e-4, 1); /* velocities are made consistent, as by an impact */
    double energy = scene_energy(w).total;
    scene_advance(w, 2.5e-4, 399);
    assert_fine(w, cord_world_get_momentum(w, &after));
    assert_true(fabs(scene_coordinate(w, pearl, NULL) - 0.3) > 0.01);
    assert_true(fabs(scene_coordinate(w, runs, NULL) - 0.3) > 0.01);
    assert_all_close(after.linear, before.linear, 3, 1e-12);
    assert_all_close(after.angular, before.angular, 3, 2e-4 * v3_norm(before.angular));
    assert_true(scene_energy(w).total < energy && scene_energy(w).total > 0.98 * energy);
    cord_world_destroy(w);
}

/* ---- paths ---------------------------------------------------------------------------------------- */

/* Down a straight wire, and a pearl on one with friction, at its terminal speed. */
static void runs_down_a_wire(void **unused)
{
    (void)unused;
    for (int friction = 0; friction < 2; friction++) {
        cord_world *w = scene_world_under(&symplectic, gravity);
        double x[6] = {0, 0, 0, 4, 0, -3}, rate;
        cord_point_def def = cord_point_def_default();
        def.source = CORD_SOURCE_PATH;
        def.path = scene_path(w, (cord_body){0}, 2, x, false);
        def.s = 1, def.inertia = 0.2, def.friction = 10 * friction;
        cord_point p = scene_add_point(w, &def);
        scene_advance(w, 1e-2, 50);
        double s = scene_coordinate(w, p, &rate);
        if (!friction) assert_close(s, 1 + gone(0.6 * gravity, 0.5, 1e-2), 1e-7);
        assert_close(rate, friction ? 0.2 * 0.6 * gravity / 10 : 0.5 * 0.6 * gravity, 1e-6);
        cord_world_destroy(w);
    }
}

/* On a ring, with gravity: fast projection loses energy in proportion to the step, as it does
 * for a body on a distance constraint, and never gains any. */
static double lost_on_a_ring(double h, bool on_ring)
{
    enum { POINTS = 64 };
    cord_world *w = scene_world_under(&symplectic, gravity);
    double x[3 * POINTS];
    cord_energy before, after;
    for (int i = 0; i < POINTS; i++)
        v3_set(x + 3 * i, sin(2 * pi * i / POINTS), 0, -cos(2 * pi * i / POINTS));
    if (on_ring) {
        pearl_on(w, scene_path(w, (cord_body){0}, POINTS, x, true), pi / 2, 0.1, 0);
    } else {
        cord_body_def def = scene_box(0.01, 0.01, 0.01);
        def.mass = 0.1;
        def.position[0] = 1;
        scene_constraint(w, CORD_DISTANCE, scene_on(w, scene_body(w, &def), 0, 0, 0),
                         scene_place(w, 0, 0, 0));
    }
    before = scene_energy(w);
    scene_advance(w, h, (int)lround(10 / h));
    after = scene_energy(w);
    cord_world_destroy(w);
    return (before.total - after.total) / (0.1 * gravity);
}

static void swings_on_a_ring(void **unused)
{
    (void)unused;
    double lost[2];
    for (int k = 0; k < 2; k++) {
        double h = ldexp(4e-3, -k);
        lost[k] = lost_on_a_ring(h, true);
        assert_close(lost[k], lost_on_a_ring(h, false), 1e-3 * lost[k]);
    }
    assert_true(lost[1] > 0 && lost[1] < 0.7 * lost[0]);
}

/* A rod that is constrained to the tangent of a curved wire at its middle, without contact: it
 * rotates as it moves. */
static void follows_a_tangent(void **unused)
{
    (void)unused;
    double place[2];
    for (int k = 0; k < 2; k++) {
        cord_world *w = scene_world_under(k ? &tr_bdf2 : &symplectic, gravity);
        double x[15] = {-1, 0, 0.8, -0.5, 0, 0.2, 0, 0, 0, 0.5, 0, 0.1, 1, 0, 0.6}, frame[9];
        cord_point_def def = cord_point_def_default();
        def.source = CORD_SOURCE_PATH;
        def.path = scene_path(w, (cord_body){0}, 5, x, false);
        def.s = 0.4;
        cord_point p = scene_add_point(w, &def);
        cord_body_def box = scene_box(0.2, 0.02, 0.02);
        assert_fine(w, cord_point_get_pose(w, p, box.position, frame));
        cord__rotation_exp(box.frame,
                           (double[]){0, -atan2(frame[2], hypot(frame[0], frame[1])), 0});
        cord_body body = scene_body(w, &box);
        cord_constraint_def along = cord_constraint_def_default();
        along.first = scene_on(w, body, 0, 0, 0), along.second = p;
        scene_relate(w, &along);
        along.kind = CORD_PARALLEL;
        v3_set(along.direction, 1, 0, 0), v3_set(along.first_direction, 1, 0, 0);
        cord_constraint held = scene_relate(w, &along);
        scene_advance(w, 2e-4, 2500);
        assert_close(scene_gap(w, held), 0, 1e-6);
        place[k] = scene_coordinate(w, p, NULL);
        assert_true(place[k] > 1);
        cord_world_destroy(w);
    }
    assert_close(place[0], place[1], 2e-3);
}

/* ---- coordinates ---------------------------------------------------------------------------------- */

/* A wheel of 2 kg about the z axis at (x, 0, 0), free to rotate; its revolute coordinate. */
static cord_point wheel(cord_world *w, double x, double radius, double friction, cord_body *body)
{
    cord_body_def def = cord_body_def_default();
    cord_point_def turn = cord_point_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = 0.1};
    def.mass = 2;
    def.position[0] = x;
    *body = scene_body(w, &def);
    cord_point center = scene_on(w, *body, 0, 0, 0), place = scene_place(w, x, 0, 0);
    scene_constraint(w, CORD_COINCIDE, center, place);
    scene_constraint(w, CORD_PARALLEL, center, place);
    turn.source = CORD_SOURCE_REVOLUTE;
    turn.measured = center;
    turn.friction = friction;
    v3_set(turn.direction, 0, 0, 1);
    return scene_add_point(w, &turn);
}

static cord_constraint gear(cord_world *w, cord_point first, cord_point second, double ratio)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.first = first, def.second = second;
    def.ratio = ratio;
    return scene_relate(w, &def);
}

/* θ₁ = −2 θ₂, the second has friction, and a flywheel is geared to it by θ₂ = 3 θ₃: in the
 * steady state with the torque of friction, and in the transient with all inertias. */
static void gears_turn_each_other(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, 0);
    cord_body body;
    const double c = 2, torque = 0.9, h = 1e-3;
    cord_point first = wheel(w, 0, 0.2, 0, &body), second = wheel(w, 0.8, 0.4, c, &body);
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = 0.01;
    cord_point flywheel = scene_add_point(w, &def);
    cord_constraint mesh = gear(w, first, second, -2);
    gear(w, second, flywheel, 3);
    scene_push(w, first, torque);
    double inertia = 0.04 + 0.16 / 4 + 0.01 / 36, rate, pass;
    scene_advance(w, h, 100);
    scene_coordinate(w, first, &rate);
    double share = 1 / (1 + h * c / 4 / inertia); /* per step, of backward Euler */
    assert_close(rate, torque / (c / 4) * (1 - pow(share, 100)), 1e-6);
    scene_advance(w, h, 3900);
    double angle = scene_coordinate(w, first, &rate);
    assert_close(rate, torque / (c / 4), 1e-4);
    assert_true(angle > 2 * pi);
    assert_close(scene_coordinate(w, second, NULL), -0.5 * angle, 1e-7);
    assert_close(scene_coordinate(w, flywheel, NULL), -0.5 * angle / 3, 1e-7);
    pass = multiplier(w, mesh);
    assert_close(fabs(pass), torque, 1e-3);
    cord_world_destroy(w);
}

/* A flywheel alone has only its inertia and a brake, however strong that is. */
static void a_brake_on_a_flywheel(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, 0);
    cord_point_def def = cord_point_def_default();
    double rate;
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = 0.1;
    cord_point turns = scene_add_point(w, &def);
    scene_push(w, turns, 50);
    def.friction = 1000;
    cord_point friction = scene_add_point(w, &def);
    scene_push(w, friction, 50);
    scene_advance(w, 0.01, 100);
    assert_close(scene_coordinate(w, turns, &rate), gone(500, 1, 0.01), 1e-9);
    assert_close(scene_energy(w).kinetic, 0.5 * 0.1 * 500 * 500, 0.01);
    scene_coordinate(w, friction, &rate);
    assert_close(rate, 50.0 / 1000, 1e-9);
    cord_world_destroy(w);
}

/* A falling rack rotates its pinion: a = g m/(m + I/r²). A motor then raises it again. */
static void rack_turns_pinion(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, gravity);
    cord_body body, slab;
    cord_point turn = wheel(w, 0, 0.2, 0, &body);
    cord_body_def def = scene_box(0.1, 0.1, 0.1);
    def.mass = 2;
    def.position[0] = 0.2;
    slab = scene_body(w, &def);
    cord_point rack = scene_on(w, slab, 0, 0, 0), guide = scene_place(w, 0.2, 0, 0);
    cord_constraint_def slot = cord_constraint_def_default();
    slot.kind = CORD_AXIS, slot.first = rack, slot.second = guide;
    scene_relate(w, &slot);
    scene_constraint(w, CORD_ALIGN, rack, guide);
    cord_point_def travel = cord_point_def_default();
    travel.source = CORD_SOURCE_PRISMATIC;
    travel.measured = rack, travel.reference = guide;
    v3_set(travel.direction, 0, 0, 1);
    cord_point up = scene_add_point(w, &travel);
    gear(w, up, turn, 0.2);
    scene_advance(w, 1e-3, 500);
    double fall = gone(gravity * 2 / (2 + 0.04 / 0.04), 0.5, 1e-3), rate;
    assert_close(scene_coordinate(w, up, &rate), -fall, 1e-5);
    assert_close(scene_coordinate(w, turn, NULL), scene_coordinate(w, up, NULL) / 0.2, 1e-6);
    cord_constraint motor = gear(w, turn, (cord_point){0}, 1);
    double from = scene_coordinate(w, turn, NULL), by = 0;
    assert_fine(w, cord_constraint_set_drive(w, motor, &by, (double[]){2}));
    scene_advance(w, 1e-3, 1000);
    assert_close(scene_coordinate(w, turn, &rate), from + 2, 1e-6);
    assert_close(rate, 2, 1e-6);
    double force;
    force = multiplier(w, motor);
    assert_close(fabs(force), 2 * gravity * 0.2, 1e-3); /* which is the weight of the rack */
    cord_world_destroy(w);
}

/* ---- end stops ------------------------------------------------------------------------------------ */

/* A pearl falls to the end of a hanging rope, and another onto it; pushed, that one moves up
 * again. */
static void pearls_come_to_stops(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, gravity);
    cord_strand rope = scene_rope(w, NULL, "rope", 16, (double[]){0, 0, 0}, (double[]){0, 0, -1});
    scene_hang(w, rope, 0);
    cord_point_def def = sliding_def(rope, 0.8);
    def.inertia = 0.01;
    cord_point low = scene_add_point(w, &def);
    def.s = 0.3;
    cord_point high = scene_add_point(w, &def);
    cord_constraint_def apart = cord_constraint_def_default();
    apart.kind = CORD_SLIDE;
    apart.first = low, apart.second = high;
    apart.length = 0.1;
    apart.side = CORD_AT_LEAST;
    cord_constraint bump = scene_relate(w, &apart);
    double rate, force;
    scene_advance(w, 1e-3, 1000);
    assert_close(scene_coordinate(w, low, &rate), 1, 1e-6);
    assert_close(rate, 0, 1e-6);
    assert_close(scene_coordinate(w, high, NULL), 0.9, 1e-6);
    force = multiplier(w, bump);
    /* Rows may have residuals of 1e-6 of an edge, which the next step corrects: m x/h². */
    assert_close(force, 0.01 * gravity, 0.01 * 1e-6 * 0.0625 / 1e-6);
    scene_push(w, high, -0.2);
    scene_advance(w, 1e-3, 50);
    force = multiplier(w, bump);
    assert_close(force, 0, 0);
    assert_true(scene_coordinate(w, high, NULL) < 0.89);
    assert_close(scene_coordinate(w, low, NULL), 1, 1e-6);
    cord_world_destroy(w);
}

/* A body on the ground is lifted by a string from another that flies off. A one-sided row that
 * is released within a projection returns its impulse: the two share the initial momentum. */
static void what_lets_go_does_not_pull(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&symplectic, gravity);
    cord_body_def def = scene_box(0.1, 0.1, 0.1);
    cord_body lower = scene_body(w, &def);
    v3_set(def.position, 0, 0, 1), v3_set(def.velocity, 0, 0, 2);
    cord_body upper = scene_body(w, &def);
    cord_constraint_def row = cord_constraint_def_default();
    row.kind = CORD_PLANE;
    row.first = scene_on(w, lower, 0, 0, 0), row.second = scene_place(w, 0, 0, 0);
    row.side = CORD_AT_LEAST;
    cord_constraint ground = scene_relate(w, &row);
    row = cord_constraint_def_default();
    row.kind = CORD_DISTANCE;
    row.first = scene_on(w, lower, 0, 0, 0), row.second = scene_on(w, upper, 0, 0, 0);
    row.side = CORD_AT_MOST;
    scene_relate(w, &row);
    double v[3];
    scene_advance(w, 1e-3, 10);
    assert_fine(w, cord_body_get_velocity(w, lower, v, NULL));
    assert_close(v[2], 0.5 * 2 - 0.01 * gravity, 1e-6);
    assert_close(multiplier(w, ground), 0, 0);
    cord_world_destroy(w);
}

/* Two points of a loop are drawn together: the row depends on the vertices between them through
 * both points, and the solution of the rows is exact, so that few iterations suffice. */
static void points_that_share_columns(void **unused)
{
    (void)unused;
    for (int slide = 0; slide < 2; slide++) {
        cord_world *w = scene_world_under(&symplectic, gravity);
        cord_strand rope = sliding_strand(w, &rod, 1e6);
        cord_constraint_def row = cord_constraint_def_default();
        cord_counters counters;
        scene_hang(w, rope, 0);
        row.kind = CORD_DISTANCE;
        for (int k = 0; k < 2; k++) {
            double s = 0.5 + 0.06 * k;
            cord_point p = slide ? sliding_point(w, rope, s, 0.5) : scene_point(w, rope, s);
            *(k ? &row.second : &row.first) = p;
        }
        cord_constraint tie = scene_relate(w, &row);
        assert_fine(w, cord_constraint_set_drive(w, tie, (double[]){0}, (double[]){-0.1}));
        scene_advance(w, 1e-3, 300);
        assert_close(scene_gap(w, tie), 0, 1e-7);
        assert_fine(w, cord_world_get_counters(w, &counters));
        assert_true(counters.projection_iterations <= 2 * 300);
        cord_world_destroy(w);
    }
}

/* ---- the world ------------------------------------------------------------------------------------ */

/* A load that moves along a rope at 1 m/s. Only the drive constrains the point, and its reaction
 * is the component of the load along the rope. */
static void a_load_moves_along(void **unused)
{
    (void)unused;
    double place[2];
    const integration *by[2] = {&symplectic, &tr_bdf2};
    for (int k = 0; k < 2; k++) {
        cord_world *w = scene_world_under(by[k], 0);
        cord_strand rope = sliding_strand(w, &rod, 1e8);
        cord_load_def push = cord_load_def_default();
        cord_load made;
        double x[3];
        scene_hang(w, rope, 0);
        scene_hang(w, rope, scene_length(w, rope));
        push.point = sliding_point(w, rope, 0.2, 0);
        v3_set(push.force, 0.3, 0, -1);
        assert_fine(w, cord_world_add_load(w, &push, &made));
        cord_constraint drive = gear(w, push.point, (cord_point){0}, 1);
        assert_fine(w, cord_constraint_set_drive(w, drive, (double[]){0}, (double[]){1}));
        scene_advance(w, k == 0 ? 1e-4 : 1e-3, k == 0 ? 5000 : 500);
        assert_close(scene_coordinate(w, push.point, NULL), 0.7, 1e-8);
        assert_fine(w, cord_point_get_pose(w, push.point, x, NULL));
        place[k] = x[2];
        cord_world_destroy(w);
    }
    assert_close(place[0], place[1], 2e-3);
}

/* A rope slips out of its keyhole and falls on; copies continue bit for bit, from any state. */
static cord_world *slipping(cord_point *p, int threads)
{
    cord_world *w;
    cord_world_def def = cord_world_def_default();
    def.integrator = CORD_SYMPLECTIC;
    def.threads = threads;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    for (int i = 0; i < 2; i++) {
        cord_strand rope =
            scene_rope(w, NULL, NULL, 12, (double[]){0, i, 0}, (double[]){0.2, i, -0.9});
        cord_point_def own = sliding_def(rope, 0.25);
        own.end = CORD_END_RELEASE;
        cord_point at = scene_add_point(w, &own);
        scene_constraint(w, CORD_COINCIDE, at, scene_place_of(w, at));
        own = sliding_def(rope, 0.6);
        own.inertia = 0.01;
        own.end = CORD_END_RELEASE;
        scene_add_point(w, &own);
        if (i == 0) *p = at;
    }
    return w;
}

static void slips_off_and_copies_go_on(void **unused)
{
    (void)unused;
    cord_point p, q;
    cord_world *w = slipping(&p, 1), *copy = slipping(&q, 1), *threads = slipping(&q, 2);
    bool released;
    for (int i = 0; i < 12; i++) {
        scene_advance(w, 1e-3, 25);
        scene_advance(threads, 1e-3, 25);
        assert_int_equal(scene_hash(w), scene_hash(threads));
        scene_goes_on(w, copy, 1e-3, 5);
        scene_advance(threads, 1e-3, 5);
    }
    assert_fine(w, cord_point_get_released(w, p, &released));
    assert_true(released);
    cord_world_destroy(w), cord_world_destroy(copy), cord_world_destroy(threads);
}

/* Each call may fail separately for lack of memory. */
static cord_status call(cord_world *w, int number)
{
    static cord_strand rope;
    static cord_point p, at;
    cord_strand_def line = cord_strand_def_default();
    cord_constraint_def hold = cord_constraint_def_default();
    cord_constraint made;
    cord_point_def def = cord_point_def_default();
    const double x[12] = {0, 0, 0, 0.1, 0, 0, 0.2, 0, -0.05, 0.3, 0, -0.1};
    line.vertex_count = 4, line.positions = x;
    hold.first = p, hold.second = at;
    if (number == 0) return cord_world_add_strand(w, &line, &rope);
    if (number == 2) v3_copy(def.position, x + 3);
    if (number == 1 || number == 4) def = sliding_def(rope, number == 1 ? 0.1 : 0.2);
    if (number == 4) def.inertia = 0.01;
    if (number == 3) return cord_world_add_constraint(w, &hold, &made);
    if (number < 5) return cord_world_add_point(w, &def, number == 1 ? &p : &at);
    return cord_world_step(w, 5e-3);
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_calls(&symplectic, call, 20, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_through_a_keyhole),
        cmocka_unit_test(friction_holds_a_rope_back),
        cmocka_unit_test(is_threaded_by_its_tip),
        cmocka_unit_test(bead_goes_where_implicit_takes_it),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(runs_down_a_wire),
        cmocka_unit_test(swings_on_a_ring),
        cmocka_unit_test(follows_a_tangent),
        cmocka_unit_test(gears_turn_each_other),
        cmocka_unit_test(a_brake_on_a_flywheel),
        cmocka_unit_test(rack_turns_pinion),
        cmocka_unit_test(pearls_come_to_stops),
        cmocka_unit_test(what_lets_go_does_not_pull),
        cmocka_unit_test(points_that_share_columns),
        cmocka_unit_test(a_load_moves_along),
        cmocka_unit_test(slips_off_and_copies_go_on),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
