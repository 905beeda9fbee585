/* Friction of constraints in quasi-static steps: −c Δu/h, against closed forms of backward
 * Euler; the force as derivative of an energy; the balance of dissipation and external work; no
 * friction in equilibria, nor in common rigid motions. */
#include "math/rotation.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const integration quasi_static = {"quasi_static", CORD_QUASI_STATIC, CORD_TR_BDF2};
static const double h = 0.01;

static cord_body ball(cord_world *w, double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 0.1;
    def.mass = 2;
    v3_set(def.position, x, y, z);
    return scene_body(w, &def);
}

/* In the world, moving at a constant velocity for 10 s. */
static cord_point hand_at(cord_world *w, const double from[3], const double velocity[3])
{
    double times[2] = {0, 10}, places[6];
    cord_point_def def = cord_point_def_default();
    v3_copy(places, from);
    v3_copy(places + 3, from);
    v3_axpy(places + 3, 10, velocity);
    def.motion = (cord_keys){2, times, places, CORD_EASE_LINEAR};
    return scene_add_point(w, &def);
}

/* With zero natural length. */
static cord_constraint spring(cord_world *w, cord_point first, cord_point second, double stiffness)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.first = first, def.second = second;
    def.compliance = 1 / stiffness;
    return scene_relate(w, &def);
}

static double loss(cord_world *w, cord_constraint r)
{
    double power;
    assert_fine(w, cord_constraint_get_friction(w, r, NULL, NULL, &power));
    return power;
}

/* ---- closed forms --------------------------------------------------------------------------------- */

/* A puck on a plane, drawn by a spring whose end moves at V: k (V t − x) = c Δx/h in every step.
 * In the steady state it lags by c V/k, and the dissipation is the external power, c V². */
static void a_puck_lags(void **unused)
{
    (void)unused;
    const double c = 3, k = 40, V[3] = {0.3, 0.4, 0}, speed = 0.5;
    cord_world *w = scene_world_under(&quasi_static, 9.81);
    cord_body body = ball(w, 0, 0, 0);
    cord_point puck = scene_on(w, body, 0, 0, 0);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PLANE;
    def.first = puck, def.second = scene_place(w, 0, 0, 0);
    def.friction = c;
    cord_constraint plane = scene_relate(w, &def);
    cord_constraint pull = spring(w, puck, hand_at(w, (double[]){0, 0, 0}, V), k);
    double s = 0, before, x[3], force[3];
    for (int i = 1; i <= 60; i++) {
        before = s;
        s = (k * speed * i * h + c / h * s) / (k + c / h);
        assert_fine(w, cord_world_step(w, h));
        assert_fine(w, cord_body_get_pose(w, body, x, NULL));
        assert_all_close(x, ((double[]){0.6 * s, 0.8 * s, 0}), 3, 1e-9);
        double rate = (s - before) / h;
        assert_close(loss(w, plane), c * rate * rate, 1e-6);
        assert_fine(w, cord_constraint_get_friction(w, plane, force, NULL, NULL));
        assert_all_close(force, ((double[]){-0.6 * c * rate, -0.8 * c * rate, 0}), 3, 1e-6);
    }
    assert_close(speed * 60 * h - s, c * speed / k, 1e-4);
    assert_close(loss(w, plane), c * speed * speed, 1e-3);
    assert_fine(w, cord_constraint_get_force(w, pull, force, NULL));
    assert_close(v3_dot(force, V), c * speed * speed, 2e-3);
    assert_close(scene_energy(w).kinetic, 0, 0);
    /* There is no friction in an equilibrium. */
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    assert_all_close(x, ((double[]){0.6 * speed * 60 * h, 0.8 * speed * 60 * h, 0}), 3, 1e-8);
    assert_close(loss(w, plane), 0, 0);
    cord_world_destroy(w);
}

/* A wheel on a hinge with friction, rotated by a spring whose rest angle rotates at Ω: it lags
 * by c Ω/k, over many revolutions. */
static void a_hinge_lags(void **unused)
{
    (void)unused;
    const double c = 0.5, k = 2, turns = 3;
    cord_world *w = scene_world_under(&quasi_static, 0);
    cord_point axle = scene_on(w, ball(w, 0, 0, 0), 0, 0, 0), place = scene_place(w, 0, 0, 0);
    cord_point_def gauge = cord_point_def_default();
    gauge.source = CORD_SOURCE_REVOLUTE;
    gauge.measured = axle;
    cord_point turn = scene_add_point(w, &gauge);
    scene_constraint(w, CORD_COINCIDE, axle, place);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PARALLEL;
    def.first = axle, def.second = place;
    def.friction = c;
    cord_constraint hinge = scene_relate(w, &def);
    def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.first = turn;
    def.length = 0;
    def.compliance = 1 / k;
    def.drive_rate[0] = turns;
    scene_relate(w, &def);
    double angle = 0, torque[3];
    for (int i = 1; i <= 300; i++) {
        angle = (k * turns * i * h + c / h * angle) / (k + c / h);
        assert_fine(w, cord_world_step(w, h));
        assert_close(scene_coordinate(w, turn, NULL), angle, 1e-8);
    }
    assert_close(turns * 300 * h - angle, c * turns / k, 1e-4);
    assert_close(loss(w, hinge), c * turns * turns, 1e-3);
    assert_fine(w, cord_constraint_get_friction(w, hinge, NULL, torque, NULL));
    assert_all_close(torque, ((double[]){0, 0, -c * turns}), 3, 1e-3);
    cord_world_destroy(w);
}

/* Motion relative to a rotating table: a ball that rotates with it has no friction; pinned in
 * the world, the friction of a ball in a plane of the table is c ω r, against the table's
 * motion. */
static void on_a_table_that_turns(void **unused)
{
    (void)unused;
    const double c = 2, turn = 0.7;
    for (int held = 0; held < 2; held++) {
        cord_world *w = scene_world_under(&quasi_static, 0);
        double times[2] = {0, 2}, about[6] = {0, 0, 0, 0, 0, 2 * turn}, force[3];
        cord_point_def table = cord_point_def_default();
        table.rotation = (cord_keys){2, times, about, CORD_EASE_LINEAR};
        cord_point second = scene_add_point(w, &table);
        cord_point first = scene_on(w, ball(w, 0.5, 0, 0), 0, 0, 0);
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_PLANE;
        def.first = first, def.second = second;
        def.friction = c;
        cord_constraint plane = scene_relate(w, &def);
        if (held) {
            scene_constraint(w, CORD_COINCIDE, first, scene_place(w, 0.5, 0, 0));
        } else {
            def = cord_constraint_def_default();
            def.kind = CORD_PLANE;
            def.first = first, def.second = second;
            v3_set(def.direction, 0, 1, 0);
            scene_relate(w, &def); /* a groove of the table's */
        }
        scene_advance(w, 1e-3, 500);
        assert_fine(w, cord_constraint_get_friction(w, plane, force, NULL, NULL));
        double drawn = held ? c * turn * 0.5 : 0;
        assert_all_close(force, ((double[]){0, drawn, 0}), 3, held ? 1e-3 : 1e-9);
        assert_close(loss(w, plane), drawn * drawn / c, 1e-3);
        cord_world_destroy(w);
    }
}

/* ---- the energy ----------------------------------------------------------------------------------- */

typedef struct pair {
    const char *kind;
    double direction[3], first_direction[3], length;
} pair;
static const pair pairs[] = {
    {CORD_COINCIDE, {0, 0, 1}, {0, 0, 0}, -1},      {CORD_PLANE, {0, 0.6, 0.8}, {0, 0, 0}, -1},
    {CORD_AXIS, {0, 0.6, 0.8}, {0, 0, 0}, -1},      {CORD_DISTANCE, {0, 0, 1}, {0, 0, 0}, 1},
    {CORD_ALIGN, {0, 0, 1}, {0, 0, 0}, -1},         {CORD_PARALLEL, {0, 0, 1}, {0, 0, 0}, -1},
    {CORD_PERPENDICULAR, {0, 0, 1}, {1, 0, 0}, -1}, {CORD_ANGLE, {0, 0, 1}, {0, 0, 0}, -1},
    {CORD_AXIS, {0, 0, 1}, {0, 0, 0}, 1},
};
enum { PAIRS = sizeof pairs / sizeof *pairs, COLUMNS = 12 };

/* With the trial displaced by `by` along d; its work then, and r·d if requested. */
static double work_at(cord_world *w, const stage *t, viscous_friction *f, const double *d,
                      double by, double *slope)
{
    problem *p = &w->problem;
    double step[COLUMNS];
    memcpy(p->trial.q, p->now.q, (size_t)p->q_count * sizeof(double));
    for (int c = 0; c < COLUMNS; c++) step[c] = (0.4 + 0.1 * c) * 0.3 * (c % 2 ? -1 : 1);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < p->blocks; i++)
            p->block[i]->ops->retract(p->block[i]->model, p->trial.q + p->block[i]->q0,
                                      step + p->block[i]->v0);
        for (int c = 0; c < COLUMNS; c++) step[c] = by * d[c];
    }
    cord__refresh(p, w->partition.cluster, p->trial.q, p->cache);
    for (int c = 0; c < COLUMNS; c++) p->r[c] = 0;
    f->base.term.ops->assemble(p, w->partition.cluster, t, &f->base.term, false);
    if (slope) {
        *slope = 0;
        for (int c = 0; c < COLUMNS; c++) *slope += p->r[c] * d[c];
    }
    return f->base.ops->dissipation(w->partition.cluster, &f->base);
}

/* Over half a radian and half a metre in a step: the force is the derivative of the energy. */
static void force_is_derivative(void **unused)
{
    (void)unused;
    uint64_t seed = 3;
    for (int i = 0; i < PAIRS; i++) {
        cord_world *w = scene_world_under(&quasi_static, 0);
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = pairs[i].kind;
        v3_copy(def.direction, pairs[i].direction);
        v3_copy(def.first_direction, pairs[i].first_direction);
        def.length = pairs[i].length;
        def.friction = 1.7;
        def.first = scene_on(w, ball(w, 0.1, 0.2, 0.3), 0.1, -0.2, 0.3);
        def.second = scene_on(w, ball(w, 1, -0.3, 0.1), 0.3, 0.1, -0.1);
        cord_constraint made = scene_relate(w, &def);
        assert_fine(w, cord__world_ready(w));
        viscous_friction *f = cord__constraint_at(w, (int)made.index - 1)->friction;
        cluster *s = w->partition.cluster;
        stage t = {.statics = true, .rate_factor = 100};
        s->search.rate_factor = t.rate_factor;
        cord__refresh(&w->problem, s, w->problem.now.q, w->problem.cache);
        f->base.ops->begin_step(&w->problem, &f->base);
        for (int k = 0; k < 4; k++) {
            double d[COLUMNS], slope;
            random_vector(&seed, COLUMNS, d);
            double before = work_at(w, &t, f, d, -1e-5, NULL);
            double after = work_at(w, &t, f, d, 1e-5, NULL);
            double here = work_at(w, &t, f, d, 0, &slope);
            assert_true(here > 0.1);
            assert_close(slope, (after - before) / 2e-5, 1e-7 * (1 + fabs(slope) + here));
        }
        cord_world_destroy(w);
    }
}

/* ---- strands, one-sided constraints, copies ------------------------------------------------------- */

static const char *const models[] = {"der", "spline", "segment", "helix", "clothoid"};

/* A clamped strand whose end is on a floor with friction is bent to and fro by a driven point:
 * the external work in a cycle is the dissipation, to first order in the step, and no energy
 * remains. */
static void a_round_of_a_strand(void **model)
{
    cord_world *w = scene_world_under(&quasi_static, 0);
    const double times[5] = {0, 0.25, 0.75, 1, 2};
    double places[15], x[3], before[3] = {0}, given = 0, taken = 0;
    cord_strand rod = scene_rope(w, cord__strand_find(*model), *model, 16, (double[]){0, 0, 0},
                                 (double[]){1, 0, 0});
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    cord_point tip = scene_point(w, rod, 1);
    assert_fine(w, cord_point_get_pose(w, tip, x, NULL));
    for (int i = 0; i < 5; i++) v3_copy(places + 3 * i, x);
    places[4] += 0.2, places[7] -= 0.2;
    cord_point_def def = cord_point_def_default();
    def.motion = (cord_keys){5, times, places, CORD_EASE_LINEAR};
    cord_point hand = scene_add_point(w, &def);
    cord_constraint pull = spring(w, tip, hand, 5);
    cord_constraint_def plane = cord_constraint_def_default();
    plane.kind = CORD_PLANE;
    plane.first = tip, plane.second = scene_place(w, 0, 0, 0);
    plane.friction = 0.05;
    cord_constraint floor = scene_relate(w, &plane);
    double energy = scene_energy(w).total, force[3];
    for (int i = 1; i <= 200; i++) {
        assert_fine(w, cord_world_step(w, h));
        assert_fine(w, cord_point_get_pose(w, hand, x, NULL));
        assert_fine(w, cord_constraint_get_force(w, pull, force, NULL));
        if (i > 1) given += v3_dot(force, x) - v3_dot(force, before);
        v3_copy(before, x);
        taken += h * loss(w, floor);
    }
    assert_close(scene_energy(w).total, energy, 1e-4);
    assert_true(taken > 5e-3);
    assert_close(given, taken, 0.1 * taken);
    cord_world_destroy(w);
}

/* Friction acts during contact only. */
static void one_sided(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(&quasi_static, 1);
    cord_point puck = scene_on(w, ball(w, 0, 0, 0), 0, 0, 0);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PLANE;
    def.first = puck, def.second = scene_place(w, 0, 0, 0);
    def.side = CORD_AT_LEAST;
    def.friction = 3;
    cord_constraint plane = scene_relate(w, &def);
    spring(w, puck, hand_at(w, (double[]){0, 0, 0}, (double[]){0.2, 0, 0.1}), 40);
    scene_advance(w, h, 30); /* its weight is 2 N, and the spring lifts by 4 N/s */
    double rate = 0.2 * (1 - pow(1 + 40 * h / 3, -30));
    assert_close(loss(w, plane), 3 * rate * rate, 1e-7);
    scene_advance(w, h, 30);
    assert_close(loss(w, plane), 0, 0);
    double x[3];
    assert_fine(w, cord_point_get_pose(w, puck, x, NULL));
    assert_close(x[0], 0.2 * 60 * h, 1e-8);
    cord_world_destroy(w);
}

static cord_world *dragged(cord_constraint *plane)
{
    cord_world *w = scene_world_under(&quasi_static, 0);
    cord_point puck = scene_on(w, ball(w, 0, 0, 0), 0.1, 0, 0);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PLANE;
    def.first = puck, def.second = scene_place(w, 0, 0, 0);
    def.friction = 3;
    *plane = scene_relate(w, &def);
    spring(w, puck, hand_at(w, (double[]){0.1, 0, 0}, (double[]){0.2, 0.1, 0}), 40);
    return w;
}

/* The dissipation of the last step is part of a checkpoint; copies continue identically. */
static void copies_go_on(void **unused)
{
    (void)unused;
    cord_constraint plane, same;
    cord_world *w = dragged(&plane), *copy = dragged(&same);
    scene_advance(w, h, 7);
    scene_copy_state(w, copy);
    assert_true(loss(w, plane) > 0.01);
    assert_close(loss(copy, same), loss(w, plane), 0);
    scene_goes_on(w, copy, h, 5);
    cord_world_destroy(w), cord_world_destroy(copy);
}

static cord_status call(cord_world *w, int number)
{
    static cord_body body;
    static cord_point first;
    cord_body_def solid = cord_body_def_default();
    cord_point_def at = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    solid.shape.kind = CORD_SHAPE_SPHERE, solid.shape.radius = 0.1;
    if (number == 0) return cord_world_add_body(w, &solid, &body);
    at.source = CORD_SOURCE_BODY, at.body = body;
    if (number == 1) return cord_world_add_point(w, &at, &first);
    def.kind = CORD_PLANE;
    def.first = first;
    def.friction = 1;
    return number == 2 ? cord_world_add_constraint(w, &def, &made) : cord_world_step(w, h);
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_calls(&quasi_static, call, 5, 30);
}

#define ON_MODEL(test, i) cmocka_unit_test_prestate(test, (void *)(models + (i)))

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_puck_lags),
        cmocka_unit_test(a_hinge_lags),
        cmocka_unit_test(on_a_table_that_turns),
        cmocka_unit_test(force_is_derivative),
        cmocka_unit_test(one_sided),
        cmocka_unit_test(copies_go_on),
        cmocka_unit_test(memory_may_run_out),
        ON_MODEL(a_round_of_a_strand, 0),
        ON_MODEL(a_round_of_a_strand, 1),
        ON_MODEL(a_round_of_a_strand, 2),
        ON_MODEL(a_round_of_a_strand, 3),
        ON_MODEL(a_round_of_a_strand, 4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
