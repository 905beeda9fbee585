/* Every constraint with every model it can attach to: derivatives, residuals under every integrator,
 * one-sided, compliant and driven forms, forces, rows that repeat or contradict each other, scripted
 * clamps. */
#include "math/rotation.h"
#include "strand/cable/cable.h"
#include "support/mass_chain.h"
#include "support/numbers.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct kind {
    const char *name;
    bool first_frame, second_frame; /* needs one */
    bool one_sided;
} kind;

static const kind kinds[] = {
    {CORD_COINCIDE, false, false, false}, {CORD_ALIGN, true, true, false},
    {CORD_PLANE, false, true, true},      {CORD_AXIS, false, true, false},
    {CORD_DISTANCE, false, false, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds, MODELS = 3 };

static const strand_ops *model(int i)
{
    return i == 0 ? cord__strand_find(CORD_MODEL_DER) : i == 1 ? &mass_chain : &cord__cable;
}

/* Whether these two models support the constraint; `second` < 0: the world. Mass chains and
 * cables have no frames. */
static bool possible(const kind *k, int first, int second)
{
    return !(k->first_frame && first >= 1) && !(k->second_frame && second >= 1);
}

/* A cable's mass is not diagonal. */
static bool can_integrate(const integration *by, int m)
{
    return by->integrator != CORD_SYMPLECTIC || m != 2;
}

/* ---- derivatives -------------------------------------------------------------------------------- */

/* B d against differences of g, and dᵀKd against second differences of λᵀg, along d. */
static void check_derivatives(cord_world *w, constraint *r, bool curvature, const char *name)
{
    problem *p = &w->problem;
    uint64_t random = 4711;
    double *d = calloc((size_t)p->v_count, sizeof *d), lambda[CONSTRAINT_ROWS] = {0.7, -1.3, 0.4};
    assert_non_null(d);
    for (int trial = 0; trial < 5; trial++) {
        for (int i = 0; i < p->blocks; i++)
            for (int c = 0; c < p->block[i]->shape.dofs; c++)
                d[p->block[i]->v0 + c] = p->block[i]->scale[c] * random_number(&random);
        double bend = check_rows_along(w, r, d, lambda);
        if (!r->ops->curvature || !curvature) continue;
        double form = row_form(r, d);
        if (fabs(form - bend) > 1e-8) print_error("%s: curvature\n", name);
        assert_close(form, bend, 1e-8);
    }
    free(d);
}

/* A rope bent and twisted at random. */
static void shake(cord_world *w, cord_strand rope, uint64_t seed)
{
    assert_fine(w, cord__world_layout(w));
    strand *s = cord__get_strand(w, rope);
    const block *b = &s->block;
    double *scale = calloc(2 * (size_t)b->shape.dofs, sizeof *scale);
    assert_non_null(scale);
    b->ops->scales(b->model, scale, scale + b->shape.dofs);
    for (int c = 0; c < b->shape.dofs; c++) scale[c] *= 0.2 * random_number(&seed);
    b->ops->retract(b->model, w->problem.now.q + b->q0, scale);
    free(scale);
}

static void derivatives(void **unused)
{
    (void)unused;
    for (int k = 0; k < KINDS; k++)
        for (int first = 0; first < MODELS; first++)
            for (int second = -1; second < MODELS; second++)
                for (int where = 0; where < 4; where++) {
                    if (!possible(kinds + k, first, second)) continue;
                    char name[128];
                    snprintf(name, sizeof name, "%s, models %d and %d, place %d", kinds[k].name,
                             first, second, where);
                    double at1 = where % 2 ? 0.37 : 0.4, at2 = where / 2 ? 0.58 : 0.6;
                    cord_world *w = scene_world(NULL);
                    cord_strand a = scene_rope(w, model(first), "a", 5, (double[]){0, 0, 0},
                                               (double[]){1, 0, 0});
                    cord_point on = scene_point(w, a, at1), other;
                    shake(w, a, 11);
                    if (second >= 0) {
                        cord_strand b = scene_rope(w, model(second), "b", 5, (double[]){0, 0.5, 0},
                                                   (double[]){0, 0.5, 1});
                        shake(w, b, 12);
                        other = scene_point(w, b, at2);
                    } else {
                        other = scene_place(w, 0.2, 0.3, 0.9);
                    }
                    cord_constraint_def def = cord_constraint_def_default();
                    def.kind = kinds[k].name;
                    def.first = on, def.second = other;
                    v3_set(def.direction, 0.3, -0.5, 0.8);
                    /* Frames that differ by about a radian, not aligned. */
                    cord__rotation_exp(def.relative_frame, (double[]){0.4, 0.6, -0.3});
                    cord_constraint made = scene_relate(w, &def);
                    assert_fine(w, cord__world_ready(w));
                    constraint *r = cord__constraint_at(w, (int)made.index - 1);
                    /* Second derivatives of a frame between vertices are omitted from K. */
                    bool curvature = second < 0 || !kinds[k].second_frame || where / 2 == 0;
                    if (strcmp(kinds[k].name, CORD_ALIGN) == 0 && where % 2) curvature = false;
                    check_derivatives(w, r, curvature, name);
                    cord_world_destroy(w);
                }
}

/* ---- residuals under every integrator ------------------------------------------------------------ */

static double residual_allowed(const integration *by)
{
    if (by->integrator == CORD_SYMPLECTIC) return 2e-7; /* length_tolerance × an element */
    if (is_one_solve(by)) return 1e-5;                  /* two Newton corrections after the step */
    return 1e-8;                                        /* tolerance × an element, and some */
}

/* The rope hangs by this constraint alone, or falls along it; a second rope hangs from the
 * first. */
static void holds_one(const integration *by, const kind *k, int first, int second, double at)
{
    cord_world *w = scene_world(by);
    cord_strand a = scene_rope(w, model(first), "a", 5, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_point on = scene_point(w, a, at), other;
    double x[3];
    assert_fine(w, cord_point_get_pose(w, on, x, NULL));
    if (second >= 0) {
        cord_strand b =
            scene_rope(w, model(second), "b", 5, x, (double[]){x[0], x[1] + 0.3, x[2] + 0.5});
        scene_hang(w, b, 0.5);
        other = scene_point(w, b, strcmp(k->name, CORD_DISTANCE) ? 0 : 0.2);
    } else {
        bool apart = strcmp(k->name, CORD_DISTANCE) == 0;
        other = scene_place(w, x[0], x[1], x[2] + (apart ? 0.4 : 0));
    }
    cord_constraint r = scene_constraint(w, k->name, on, other);
    bool between = k->first_frame && at != 0.4, two_frames = k->second_frame && second >= 0;
    bool refused = (by->integrator == CORD_SYMPLECTIC && (two_frames || between)) ||
                   (by->integrator == CORD_MIDPOINT && two_frames && (between || !k->first_frame));
    for (int i = 0; i < 50; i++) {
        cord_status status = cord_world_step(w, 2e-3);
        if (refused) {
            assert_int_equal(status, CORD_ERROR_UNSUPPORTED);
            assert_non_null(strstr(cord_world_get_error(w), k->name));
            break;
        }
        double error = status == CORD_OK ? scene_gap(w, r) : INFINITY;
        if (status != CORD_OK || error > residual_allowed(by))
            print_error("%s, %s on model %d, other %d, at %g, step %d: %g, %s\n", by->name, k->name,
                        first, second, at, i, error, status ? cord_world_get_error(w) : "");
        assert_fine(w, status);
        assert_true(error <= residual_allowed(by));
    }
    cord_world_destroy(w);
}

static void holds(void **by)
{
    for (int k = 0; k < KINDS; k++)
        for (int first = 0; first < MODELS; first++)
            for (int second = -1; second < MODELS; second++) {
                if (!possible(kinds + k, first, second)) continue;
                if (!can_integrate(*by, first) || !can_integrate(*by, second)) continue;
                holds_one(*by, kinds + k, first, second, 0.4); /* a vertex of the first */
                holds_one(*by, kinds + k, first, second, 0.47);
            }
}

static void frames_of_a_chain_are_refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand a = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_strand b = scene_rope(w, &mass_chain, "b", 5, (double[]){1, 0, 0}, (double[]){2, 0, 0});
    cord_constraint out;
    for (int k = 0; k < KINDS; k++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = kinds[k].name;
        def.first = scene_point(w, a, 0.5), def.second = scene_point(w, b, 0.5);
        cord_status status = cord_world_add_constraint(w, &def, &out);
        assert_int_equal(status, kinds[k].second_frame ? CORD_ERROR_UNSUPPORTED : CORD_OK);
    }
    cord_world_destroy(w);
}

/* ---- one-sided ----------------------------------------------------------------------------------- */

/* A rope falls on three posts: it never penetrates, and is never pulled down. */
static void one_sided_plane(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 8, (double[]){0, 0, 0}, (double[]){0.8, 0, 0});
    cord_constraint post[3];
    bool touched = false;
    for (int i = 0; i < 3; i++) {
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_PLANE;
        def.first = scene_point(w, a, 0.4 * i);
        def.second = scene_place(w, 0, 0, -0.01);
        def.side = CORD_AT_LEAST;
        post[i] = scene_relate(w, &def);
    }
    for (int i = 0; i < 100; i++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        for (int k = 0; k < 3; k++) {
            double g, force[3];
            assert_fine(w, cord_constraint_get_residual(w, post[k], NULL, &g));
            assert_fine(w, cord_constraint_get_force(w, post[k], force, NULL));
            assert_true(g >= -residual_allowed(*by));
            assert_true(force[2] >= -1e-9);
            if (g > 1e-6) assert_close(force[2], 0, 1e-9);
            touched = touched || force[2] > 0;
        }
    }
    assert_true(touched);
    cord_world_destroy(w);
}

/* A tether: slack, then taut. */
static void one_sided_distance(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0.5, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_DISTANCE;
    def.first = scene_point(w, a, 0.3);
    def.second = scene_place(w, 0.3, 0, 0.2);
    def.side = CORD_AT_MOST;
    def.length = 0.22;
    cord_constraint tether = scene_relate(w, &def);
    bool taut = false;
    for (int i = 0; i < 150; i++) {
        double g, force[3], x[3], up[3];
        assert_fine(w, cord_world_step(w, 1e-3));
        assert_fine(w, cord_constraint_get_residual(w, tether, NULL, &g));
        assert_fine(w, cord_constraint_get_force(w, tether, force, NULL));
        assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
        v3_sub(up, (double[]){0.3, 0, 0.2}, x);
        assert_true(g <= residual_allowed(*by));
        assert_true(v3_dot(force, up) >= -1e-9); /* it pulls, never pushes */
        if (g < -1e-6) assert_close(v3_norm(force), 0, 1e-9);
        taut = taut || v3_norm(force) > 0.1;
    }
    assert_true(taut);
    cord_world_destroy(w);
}

/* ---- compliant ----------------------------------------------------------------------------------- */

/* A rope hung vertically on a spring: the extension is weight times compliance. */
static void compliant_statics(void **unused)
{
    (void)unused;
    for (int m = 0; m < MODELS; m++) {
        cord_world *w = scene_world(NULL);
        cord_strand a =
            scene_rope(w, model(m), "a", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
        cord_constraint_def def = cord_constraint_def_default();
        def.first = scene_point(w, a, 0);
        def.second = scene_place(w, 0, 0, 0);
        def.compliance = 0.1;
        cord_constraint spring = scene_relate(w, &def);
        const double weight = 0.05 * 9.81;
        double g[3], force[3];
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_fine(w, cord_constraint_get_residual(w, spring, NULL, g));
        assert_fine(w, cord_constraint_get_force(w, spring, force, NULL));
        assert_all_close(g, ((double[]){0, 0, -0.1 * weight}), 3, 1e-9);
        assert_all_close(force, ((double[]){0, 0, weight}), 3, 1e-8);
        cord_energy e;
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_close(e.constraints, 0.5 * 0.1 * weight * weight, 1e-9);
        cord_world_destroy(w);
    }
}

/* The same rope, released, oscillates about that position: T = 2π √(m c), and damping brings it
 * to rest there. */
static void compliant_motion(void **by)
{
    const integration *with = *by;
    for (int damped = 0; damped < 2; damped++) {
        cord_world *w = scene_world(with);
        cord_strand a = scene_rope(w, NULL, "a", 2, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
        cord_constraint_def def = cord_constraint_def_default();
        def.first = scene_point(w, a, 0);
        def.second = scene_place(w, 0, 0, 0);
        def.compliance = 0.1;
        def.damping = damped ? 0.05 : 0;
        cord_constraint spring = scene_relate(w, &def);
        double period = 2 * pi * sqrt(0.05 * 0.1), drop = 0.05 * 9.81 * 0.1, g[3];
        cord_energy e0, e;
        int steps = damped ? 1000 : 200;
        for (int i = 0; i < steps / 2; i++) {
            assert_fine(w, cord_world_step(w, period / 200));
            if (i == 0) assert_fine(w, cord_world_get_energy(w, &e0));
        }
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_fine(w, cord_constraint_get_residual(w, spring, NULL, g));
        if (damped) /* ζ = τω/2 = 0.35: e^{−0.35·2π·2.5} = 4e-3 of the drop is left */
            assert_close(g[2], -drop, 0.006 * drop);
        else if (with->integrator == CORD_MIDPOINT ||
                 (with->integrator == CORD_IMPLICIT && with->scheme == CORD_TR_BDF2))
            assert_close(g[2], -2 * drop, 5e-6 * drop); /* half a period: the lowest position */
        else /* of first order: the amplitude falls by e^{−πωh/2}, 5 % */
            assert_close(g[2], -2 * drop, 0.07 * drop);
        if (with->integrator == CORD_MIDPOINT && !damped) assert_close(e.total, e0.total, 1e-10);
        if (damped) assert_true(e.total < e0.total);
        cord_world_destroy(w);
    }
}

/* ---- driven -------------------------------------------------------------------------------------- */

static void driven(void **by)
{
    const double times[2] = {0, 0.1}, up[6] = {0, 0, 0, 0.02, 0, 0.05}, shorter[2] = {0, -0.1};
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
    cord_strand b = scene_rope(w, &mass_chain, "b", 5, (double[]){1, 0, 0}, (double[]){1, 0, -0.5});
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_point(w, a, 0);
    def.second = scene_place(w, 0, 0, 0);
    def.drive = (cord_keys){2, times, up, CORD_EASE_SMOOTH};
    cord_constraint lift = scene_relate(w, &def);
    cord_point top = def.first;
    def = cord_constraint_def_default();
    def.kind = CORD_DISTANCE;
    def.first = scene_point(w, b, 0);
    def.second = scene_place(w, 1, 0, 0.4);
    def.drive = (cord_keys){2, times, shorter, CORD_EASE_SMOOTH};
    cord_constraint haul = scene_relate(w, &def);
    for (int i = 0; i < 110; i++) {
        assert_fine(w, cord_world_step(w, 1e-3));
        assert_true(scene_gap(w, lift) <= residual_allowed(*by));
        assert_true(scene_gap(w, haul) <= residual_allowed(*by));
    }
    double x[3], v[3], size;
    assert_fine(w, cord_point_get_pose(w, top, x, NULL));
    assert_all_close(x, up + 3, 3, 1e-8);
    assert_fine(w, cord_point_get_velocity(w, top, v));
    assert_all_close(v, up, 3, 1e-6); /* at rest since 0.1 s */
    assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
    size = v3_distance(x, (double[]){1, 0, 0.4});
    assert_close(size, 0.3, residual_allowed(*by));
    cord_world_destroy(w);
}

/* ---- forces -------------------------------------------------------------------------------------- */

/* A slack rope hung by its ends, and a second one hung from its middle; of models whose vertices can be set. */
static void weight_balance(void **unused)
{
    (void)unused;
    for (int m = 0; m < 2; m++) {
        cord_world *w = scene_world(NULL);
        cord_strand a = scene_rope(w, model(m), "a", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
        double x[33], total[3] = {0}, force[3], torque[3], moment[3] = {0};
        cord_strand b =
            scene_rope(w, model(m), "b", 4, (double[]){0.45, 0, -0.5}, (double[]){0.45, 0, -0.9});
        for (int i = 0; i <= 10; i++) /* a V of the same lengths */
            v3_set(x + 3 * i, 0.09 * i, 0, -sqrt(0.01 - 0.0081) * (i < 5 ? i : 10 - i));
        assert_fine(w, cord_strand_set_positions(w, a, x));
        cord_constraint held[2] = {scene_hang(w, a, 0), scene_hang(w, a, 1)};
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_DISTANCE;
        def.first = scene_point(w, b, 0), def.second = scene_point(w, a, 0.47);
        def.length = 0.2;
        cord_constraint link = scene_relate(w, &def);
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        for (int i = 0; i < 2; i++) {
            double at[3] = {0.9 * i, 0, 0}, arm[3];
            assert_fine(w, cord_constraint_get_force(w, held[i], force, torque));
            assert_all_close(torque, ((double[]){0, 0, 0}), 3, 1e-12);
            v3_add(total, total, force);
            v3_cross(arm, at, force);
            v3_add(moment, moment, arm);
        }
        const double weight = (0.1 + 0.04) * 9.81;
        assert_all_close(total, ((double[]){0, 0, weight}), 3, 1e-7);
        /* Moments about the origin: the weights act at the centres of mass. */
        double arm[3], down[3] = {0, 0, -0.1 * 9.81 / 10};
        assert_fine(w, cord_strand_get_positions(w, a, x));
        for (int i = 0; i <= 10; i++) {
            v3_cross(arm, x + 3 * i, down);
            v3_axpy(moment, i % 10 ? 1 : 0.5, arm);
        }
        assert_fine(w, cord_constraint_get_force(w, link, force, NULL));
        assert_all_close(force, ((double[]){0, 0, 0.04 * 9.81}), 3, 1e-7); /* carries b */
        assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
        v3_cross(arm, x, (double[]){0, 0, -0.04 * 9.81});
        v3_add(moment, moment, arm);
        assert_all_close(moment, ((double[]){0, 0, 0}), 3, 1e-7);
        cord_world_destroy(w);
    }
}

/* A rope that hangs at rest: the reaction is known after the first step. */
static void first_reaction(void **by)
{
    for (int m = 0; m < MODELS; m++) {
        if (!can_integrate(*by, m)) continue;
        cord_world *w = scene_world(*by);
        cord_strand a =
            scene_rope(w, model(m), "a", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
        cord_constraint held = scene_hang(w, a, 0);
        double force[3], weight = 0.05 * 9.81;
        if (m == 1)
            assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL)); /* springs stretch */
        assert_fine(w, cord_world_step(w, 1e-3));
        assert_fine(w, cord_constraint_get_force(w, held, force, NULL));
        /* Symplectic: edges right to 1e-6 of 0.1 m are 0.05 kg · 1e-7 m/h² = 5e-3 N. */
        bool loose = ((const integration *)*by)->integrator == CORD_SYMPLECTIC;
        assert_all_close(force, ((double[]){0, 0, weight}), 3, loose ? 5e-3 : 1e-5 * weight);
        cord_world_destroy(w);
    }
}

/* In motion too: the reaction at the top accounts for the change of momentum, at steps of 1 ms. */
static void momentum_balance(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0.3, 0, -0.4});
    cord_constraint held = scene_hang(w, a, 0);
    cord_momentum m0, m1;
    double force[3];
    const double h = 1e-4;
    for (int i = 0; i < 200; i++) assert_fine(w, cord_world_step(w, h));
    assert_fine(w, cord_world_get_momentum(w, &m0));
    assert_fine(w, cord_world_step(w, h));
    assert_fine(w, cord_constraint_get_force(w, held, force, NULL));
    assert_fine(w, cord_world_get_momentum(w, &m1));
    force[2] -= 0.05 * 9.81;
    for (int k = 0; k < 3; k++) /* the force changes by some per cent of the weight in a step */
        assert_close(force[k], (m1.linear[k] - m0.linear[k]) / h, 0.03 * 0.05 * 9.81);
    cord_world_destroy(w);
}

/* ---- rows that repeat or contradict each other --------------------------------------------------- */

static void redundant_rows(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
    cord_constraint twice[3] = {
        scene_hang(w, a, 0), scene_hang(w, a, 0),
        scene_constraint(w, CORD_PLANE, scene_point(w, a, 0), scene_place(w, 0, 0, 0))};
    double total[3] = {0}, force[3];
    for (int i = 0; i < 20; i++) assert_fine(w, cord_world_step(w, 1e-3));
    for (int i = 0; i < 3; i++) {
        assert_true(scene_gap(w, twice[i]) <= residual_allowed(*by));
        assert_fine(w, cord_constraint_get_force(w, twice[i], force, NULL));
        v3_add(total, total, force);
    }
    /* The distribution of the weight between them is undetermined. */
    assert_all_close(total, ((double[]){0, 0, 0.05 * 9.81}), 3, 1e-4);
    cord_world_destroy(w);
}

static void contradictory_rows(void **by)
{
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "rope", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_point(w, a, 0);
    def.name = "here";
    def.second = scene_place(w, 0, 0, 0);
    scene_relate(w, &def);
    def.name = "there";
    def.second = scene_place(w, 0.1, 0, 0);
    scene_relate(w, &def);
    uint64_t before = scene_hash(w);
    cord_status status = cord_world_step(w, 1e-3);
    if (status == CORD_OK) print_error("%s went on\n", ((const integration *)*by)->name);
    assert_int_not_equal(status, CORD_OK);
    assert_true(strstr(cord_world_get_error(w), "rope") ||
                strstr(cord_world_get_error(w), "here") ||
                strstr(cord_world_get_error(w), "there"));
    assert_true(scene_hash(w) == before);
    cord_failure failure;
    assert_fine(w, cord_world_get_failure(w, &failure));
    assert_int_equal(failure.status, status);
    assert_true(failure.time == cord_world_get_time(w));
    assert_int_equal(failure.strand.index, a.index);
    assert_int_equal(failure.strand.generation, a.generation);
    assert_int_equal(failure.body.index, 0);
    bool named = strstr(cord_world_get_error(w), "constraint '") != NULL;
    cord_constraint_info info;
    if (named) assert_fine(w, cord_constraint_get_info(w, failure.constraint, &info));
    cord_world_destroy(w);
}

/* A call that succeeds leaves no failure. */
static void failure_is_of_the_last_call(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(&integrations[0]);
    cord_strand a = scene_rope(w, NULL, "rope", 5, (double[]){0, 0, 0}, (double[]){0, 0, -0.5});
    cord_constraint_def def = cord_constraint_def_default();
    cord_failure failure = {.time = 1};
    cord_constraint there;
    def.first = scene_point(w, a, 0);
    def.second = scene_place(w, 0, 0, 0);
    scene_relate(w, &def);
    def.second = scene_place(w, 0.1, 0, 0);
    there = scene_relate(w, &def);
    assert_int_equal(cord_world_get_failure(w, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_get_failure(NULL, &failure), CORD_ERROR_ARGUMENT);
    assert_fine(w, cord_world_get_failure(w, &failure));
    assert_int_equal(failure.status, CORD_OK);
    assert_true(failure.time == 0 && failure.strand.index == 0);
    assert_int_not_equal(cord_world_step(w, 1e-3), CORD_OK);
    assert_fine(w, cord_world_get_failure(w, &failure));
    assert_int_not_equal(failure.status, CORD_OK);
    assert_fine(w, cord_world_remove_constraint(w, there));
    assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_world_get_failure(w, &failure));
    assert_int_equal(failure.status, CORD_OK);
    assert_true(failure.strand.index == 0 && failure.constraint.index == 0);
    cord_world_destroy(w);
}

/* ---- clamps -------------------------------------------------------------------------------------- */

static void scripted_clamp(void **by)
{
    const double times[2] = {0, 0.1}, motion[6] = {0, 0, 0, 0.02, 0.03, -0.01};
    const double rotation[6] = {0, 0, 0, 0.3, 0.4, 1.1};
    cord_world *w = scene_world(*by);
    cord_strand a = scene_rope(w, NULL, "a", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_point_def script = cord_point_def_default();
    cord_point clamp, on = scene_point(w, a, 0);
    cord_constraint coincide, align;
    double before[9], x[3], frame[9], wanted[9], turn[9], half[3];
    assert_fine(w, cord_point_get_pose(w, on, x, before));
    script.motion = (cord_keys){2, times, motion, CORD_EASE_LINEAR};
    script.rotation = (cord_keys){2, times, rotation, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_clamp_strand(w, a, 0, &script, &clamp, &coincide, &align));
    for (int i = 0; i < 50; i++) assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_point_get_pose(w, on, x, frame));
    v3_scale(half, 0.5, motion + 3);
    assert_all_close(x, half, 3, 1e-12);
    v3_scale(half, 0.5, rotation + 3);
    cord__rotation_exp(turn, half);
    m3_multiply(wanted, turn, before);
    assert_all_close(frame, wanted, 9, 1e-12);
    double v[3];
    assert_fine(w, cord_point_get_velocity(w, on, v));
    v3_scale(half, 10, motion + 3);
    assert_all_close(v, half, 3, 1e-9);
    assert_true(scene_gap(w, coincide) < 1e-12 && scene_gap(w, align) < 1e-12);
    cord_world_destroy(w);
}

/* 27 full turns of one end of a rod too stiff to buckle: all are counted, and the torque is GJ
 * times twist over length. */
static void many_turns(void **by)
{
    enum { EDGES = 10, TURNS = 27, STEPS = 400 };
    const double times[2] = {0, 1}, rotation[6] = {0, 0, 0, 2 * pi * TURNS, 0, 0};
    cord_world *w = scene_world(*by);
    cord_strand_def def = cord_strand_def_default();
    double x[3 * (EDGES + 1)] = {0}, theta[EDGES], torque[3], gravity[3] = {0, 0, 0};
    for (int i = 0; i <= EDGES; i++) x[3 * i] = 0.1 * i;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 1,
                                 .stretching = 1,
                                 .bending = {0.1, 0.1},
                                 .twisting = 1e-5,
                                 .rotary_inertia = 1e-4,
                                 .radius = 0.01};
    cord_strand rod;
    cord_constraint align;
    cord_point_def script = cord_point_def_default();
    script.rotation = (cord_keys){2, times, rotation, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_set_gravity(w, gravity));
    assert_fine(w, cord_world_add_strand(w, &def, &rod));
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_world_clamp_strand(w, rod, 1, &script, NULL, NULL, &align));
    for (int i = 0; i < STEPS; i++) assert_fine(w, cord_world_step(w, 1.0 / STEPS));
    assert_fine(w, cord_strand_get_angles(w, rod, theta));
    /* Quasistatic and isotropic: uniform, from the middle of the first edge to that of the last. */
    /* The semi-implicit schemes take the twist from the frames at the start of the step. */
    const integration *with = *by;
    bool late = is_semi_implicit(with);
    double angle = 2 * pi * TURNS, step = late ? angle / STEPS : 0;
    assert_close(theta[EDGES - 1] - theta[0], 0.9 * (angle - step), 1e-7);
    assert_fine(w, cord_constraint_get_force(w, align, NULL, torque));
    /* The difference of their frames from those of the other schemes is within half an edge. */
    double ahead = late ? step / 0.05 - step : 0;
    assert_all_close(torque, ((double[]){1e-5 * (angle + ahead), 0, 0}), 3, 1e-9);
    cord_world_destroy(w);
}

/* A frame clamped between vertices, where there is no vertex frame: it rotates the rod with it,
 * without twist. */
static void frame_on_an_edge(void **unused)
{
    (void)unused;
    const double times[2] = {0, 0.1}, rotation[6] = {0, 0, 0, 1, 0, 0};
    cord_world *w = scene_world(NULL);
    cord_strand a = scene_rope(w, NULL, "a", 10, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_point_def at = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_energy e;
    double gravity[3] = {0, 0, 0};
    assert_fine(w, cord_world_set_gravity(w, gravity));
    at.rotation = (cord_keys){2, times, rotation, CORD_EASE_LINEAR};
    def.kind = CORD_ALIGN;
    def.first = scene_point(w, a, 0.55);
    assert_fine(w, cord_world_add_point(w, &at, &def.second));
    scene_relate(w, &def);
    for (int i = 0; i < 100; i++) assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_strand_get_energy(w, a, &e));
    assert_close(e.twisting, 0, 1e-12);
    cord_world_destroy(w);
}

/* ---- all kinds ----------------------------------------------------------------------------------- */

/* Queries of a constraint return its definition. */
static void info(void **unused)
{
    (void)unused;
    cord_world_def world_def = cord_world_def_default();
    cord_world *w;
    assert_int_equal(cord_world_create(&world_def, &w), CORD_OK);
    double x[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = 3;
    def.positions = x;
    cord_strand rope;
    assert_int_equal(cord_world_add_strand(w, &def, &rope), CORD_OK);
    cord_point_def place = cord_point_def_default();
    cord_point hook, end;
    place.position[2] = 3;
    assert_int_equal(cord_world_add_point(w, &place, &hook), CORD_OK);
    place = cord_point_def_default();
    place.source = CORD_SOURCE_STRAND;
    place.strand = rope;
    assert_int_equal(cord_world_add_point(w, &place, &end), CORD_OK);
    cord_constraint_def constraint_def = cord_constraint_def_default();
    constraint_def.kind = CORD_DISTANCE;
    constraint_def.name = "tie";
    constraint_def.first = end;
    constraint_def.second = hook;
    constraint_def.side = CORD_AT_MOST;
    cord_constraint tie;
    assert_int_equal(cord_world_add_constraint(w, &constraint_def, &tie), CORD_OK);

    cord_constraint_info i;
    assert_int_equal(cord_constraint_get_info(w, tie, &i), CORD_OK);
    assert_string_equal(i.kind, "distance");
    assert_string_equal(i.name, "tie");
    assert_memory_equal(&i.first, &end, sizeof end);
    assert_memory_equal(&i.second, &hook, sizeof hook);
    assert_int_equal(i.side, CORD_AT_MOST);
    assert_true(fabs(i.length - 3) < 1e-12); /* the distance when it was added */
    assert_int_equal(cord_constraint_get_info(w, tie, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_remove_constraint(w, tie), CORD_OK);
    assert_int_equal(cord_constraint_get_info(w, tie, &i), CORD_ERROR_HANDLE);

    constraint_def.kind = CORD_PLANE;
    constraint_def.name = NULL;
    constraint_def.second = (cord_point){0};
    constraint_def.side = CORD_EQUAL;
    constraint_def.direction[2] = 5;
    assert_int_equal(cord_world_add_constraint(w, &constraint_def, &tie), CORD_OK);
    assert_int_equal(cord_constraint_get_info(w, tie, &i), CORD_OK);
    assert_null(i.name);
    assert_int_equal(i.second.index, 0);
    assert_true(i.direction[0] == 0 && i.direction[1] == 0 && i.direction[2] == 1);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_DYNAMIC_INTEGRATION(holds), /* some rows do not prevent the rope from falling */
        BY_EVERY_INTEGRATION(one_sided_plane),
        BY_EVERY_INTEGRATION(one_sided_distance),
        BY_EVERY_DYNAMIC_INTEGRATION(compliant_motion),
        BY_EVERY_INTEGRATION(driven),
        BY_EVERY_INTEGRATION(first_reaction),
        BY_EVERY_INTEGRATION(momentum_balance),
        BY_EVERY_INTEGRATION(redundant_rows),
        BY_EVERY_DYNAMIC_INTEGRATION(contradictory_rows),
        cmocka_unit_test(failure_is_of_the_last_call),
        BY_EVERY_DYNAMIC_INTEGRATION(scripted_clamp),
        BY_EVERY_INTEGRATION(many_turns),
        cmocka_unit_test(derivatives),
        cmocka_unit_test(info),
        cmocka_unit_test(frames_of_a_chain_are_refused),
        cmocka_unit_test(compliant_statics),
        cmocka_unit_test(weight_balance),
        cmocka_unit_test(frame_on_an_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
