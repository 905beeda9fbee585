/* Pearls: sliding points with a mass. */
#include "math/vec3.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         euler = {"euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
                         linearised = {"linearised", CORD_IMPLICIT, CORD_LINEARISED},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2},
                         semi_implicit = {"semi-implicit", CORD_IMPLICIT, CORD_SEMI_IMPLICIT},
                         quasi_static = {"quasi-static", CORD_QUASI_STATIC, CORD_TR_BDF2};

static const sliding_kind kinds[] = {{.model = "der"},
                                     {.model = "spline", .elements = 16},
                                     {.model = "segment", .elements = 12},
                                     {.model = "helix", .elements = 8},
                                     {.model = "clothoid", .elements = 8}};
enum { KINDS = sizeof kinds / sizeof *kinds, LINEAR = 2, VERTICES = 25 };

enum { MOST_VERTICES = 256 };

static cord_strand hung(cord_world *w, const sliding_kind *k)
{
    cord_strand rope = sliding_strand(w, k, 1e6);
    scene_hang(w, rope, 0);
    scene_hang(w, rope, scene_length(w, rope));
    return rope;
}

static cord_point_def pearl_def(cord_strand rope, double s, double mass, double rate)
{
    cord_point_def def = sliding_def(rope, s);
    def.inertia = mass;
    def.initial_rate = rate;
    return def;
}

static cord_point pearl(cord_world *w, cord_strand rope, double s, double mass, double rate)
{
    cord_point_def def = pearl_def(rope, s, mass, rate);
    return scene_add_point(w, &def);
}

/* The same as a body whose centre is a sliding point. */
static cord_point body_pearl(cord_world *w, cord_strand rope, double s, double mass)
{
    cord_point p = pearl(w, rope, s, 0, 0);
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 0.01;
    def.density = mass / (4.0 / 3 * pi * 1e-6);
    assert_fine(w, cord_point_get_pose(w, p, def.position, NULL));
    assert_fine(w, cord_world_add_body(w, &def, &body));
    scene_constraint(w, CORD_COINCIDE, p, scene_on(w, body, 0, 0, 0));
    return p;
}

static cord_point pearl_on_path(cord_world *w, cord_path path, double s, double mass, double rate)
{
    cord_point_def def = pearl_def((cord_strand){0}, s, mass, rate);
    def.source = CORD_SOURCE_PATH;
    def.path = path;
    return scene_add_point(w, &def);
}

/* ---- equations --------------------------------------------------------------------------------- */

/* r of the pearl alone, displaced by `by` along d, with ẍ = c_a (x − x₀) for a fixed x₀. */
static void moved_forces(cord_world *w, term *x, const stage *t, const double *d, double by,
                         bool matrix, double *out)
{
    problem *p = &w->problem;
    const point *at = p->point[x->point[0]];
    static const double start[3] = {0.3, -0.2, 0.7};
    double step[512];
    assert_true(p->v_count <= 512);
    memcpy(p->trial.q, p->now.q, (size_t)p->q_count * sizeof(double));
    for (int c = 0; c < p->v_count; c++) step[c] = by * d[c], p->r[c] = 0;
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        b->ops->retract(b->model, p->trial.q + b->q0, step + b->v0);
        b->ops->refresh(b->model, p->trial.q + b->q0, p->cache + b->cache0);
    }
    pose now;
    cord__sliding_pose(p, at, p->trial.q, p->cache, &now);
    double *a = p->trial.inertial_a + p->block[at->slider_block]->inertial0;
    v3_sub(a, now.position, start);
    v3_scale(a, t->c_a, a);
    x->ops->assemble(p, w->partition.cluster, t, x, matrix);
    for (int c = 0; c < x->dofs; c++) out[c] = p->r[x->dof[c]];
}

static term *only_pearl(cord_world *w)
{
    assert_fine(w, cord__world_ready(w));
    for (int i = 0; i < w->problem.forces; i++)
        if (w->problem.force[i]->ops == &cord__point_mass) return &w->problem.force[i]->term;
    fail();
    return NULL;
}

/* K d is the derivative of r. */
static void check_matrix(cord_world *w)
{
    const stage t = {.c_a = 3, .c_k = 1};
    term *x = only_pearl(w);
    double d[512] = {0}, before[64], after[64], at[64];
    uint64_t seed = 5;
    const double h = 1e-6;
    for (int c = 0; c < x->dofs; c++) random_vector(&seed, 1, d + x->dof[c]);
    moved_forces(w, x, &t, d, -h, false, before);
    moved_forces(w, x, &t, d, h, false, after);
    moved_forces(w, x, &t, d, 0, true, at);
    for (int i = 0; i < x->dofs; i++) {
        double product = 0;
        for (int k = 0; k < x->dofs; k++)
            product += x->K[i < k ? i * x->dofs + k : k * x->dofs + i] * d[x->dof[k]];
        assert_close(product, (after[i] - before[i]) / (2 * h), 1e-8 * (1 + fabs(product)));
    }
    cord_world_destroy(w);
}

static void matrix_is_derivative(void **given)
{
    (void)given;
    for (int k = 0; k < LINEAR; k++) { /* for curved chains the rest is in the chain's matrix */
        cord_world *w = scene_world_under(&tr_bdf2, gravity);
        pearl(w, hung(w, kinds + k), 0.37, 0.1, 0);
        check_matrix(w);
    }
    double x[12] = {0, 0, 0, 0.3, 0.1, 0, 0.5, 0.3, 0.2, 1, 0, 0};
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    pearl_on_path(w, scene_path(w, (cord_body){0}, 4, x, false), 0.4, 0.1, 0);
    check_matrix(w);
}

/* With the terms in the chain's matrix Newton's iteration is quadratic: it takes as many
 * iterations as with a body. */
static void iterations_are_few(void **given)
{
    (void)given;
    for (int k = 0; k < KINDS; k++) {
        cord_counters counters[2];
        for (int i = 0; i < 2; i++) {
            cord_world *w = scene_world_under(&tr_bdf2, gravity);
            cord_strand rope = hung(w, kinds + k);
            (void)(i == 0 ? pearl(w, rope, 0.3, 0.1, 0) : body_pearl(w, rope, 0.3, 0.1));
            scene_advance(w, 2e-3, 100);
            assert_fine(w, cord_world_get_counters(w, counters + i));
            cord_world_destroy(w);
        }
        assert_int_equal(counters[0].halvings, counters[1].halvings);
        assert_true((double)counters[0].newton_iterations <=
                    1.1 * (double)counters[1].newton_iterations);
    }
}

/* ---- motion ------------------------------------------------------------------------------------ */

/* A pearl moves as a body does whose centre is the point: with the same formulas for the same
 * position, and the same force there. The difference is in which rows a step satisfies and how,
 * which is of the order of the scheme; on chains, whose inertia is in inertial coordinates as a
 * body's, there is none. */
static double difference(const sliding_kind *k, const integration *by, double h)
{
    double x[2][3], s[2], v[3];
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_under(by, gravity);
        cord_strand rope = hung(w, k);
        cord_point p = i == 0 ? pearl(w, rope, 0.3, 0.05, 0) : body_pearl(w, rope, 0.3, 0.05);
        scene_advance(w, h, (int)(0.2 / h + 0.5));
        assert_fine(w, cord_point_get_pose(w, p, x[i], NULL));
        assert_fine(w, cord_point_get_velocity(w, p, v));
        s[i] = scene_coordinate(w, p, NULL);
        assert_true(s[i] > 0.32);
        cord_world_destroy(w);
    }
    v3_sub(v, x[0], x[1]);
    return v3_norm(v) + fabs(s[0] - s[1]);
}

static void moves_as_a_body(void **given)
{
    (void)given;
    const integration *all[] = {&euler, &linearised, &midpoint};
    static const double coarse[] = {4e-4, 1e-4, 5e-6}, finer[] = {0.6, 0.6, 0.4};
    for (int k = 0; k < LINEAR; k++) {
        for (int i = 0; i < 3; i++) {
            double off = difference(kinds + k, all[i], 2e-3);
            assert_true(off < coarse[i]);
            assert_true(difference(kinds + k, all[i], 1e-3) < finer[i] * off);
        }
        assert_true(difference(kinds + k, &tr_bdf2, 2e-3) < 1e-9);
    }
    for (int k = LINEAR; k < KINDS; k++) {
        assert_true(difference(kinds + k, &euler, 2e-3) < 1e-8);
        assert_true(difference(kinds + k, &tr_bdf2, 2e-3) < 1e-8);
        assert_true(difference(kinds + k, &midpoint, 2e-3) < 5e-6);
    }
}

/* Down a straight wire: s = s₀ + s' t + ½ g sin α t². */
static void runs_down_a_wire(void **given)
{
    (void)given;
    const double x[6] = {0, 0, 0, 4, 0, -3}, a = gravity * 0.6, t = 0.5;
    const integration *all[] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_under(all[i], gravity);
        cord_point p = pearl_on_path(w, scene_path(w, (cord_body){0}, 2, x, false), 0.5, 0.2, 0.3);
        double rate;
        scene_advance(w, 0.01, 50);
        assert_close(scene_coordinate(w, p, &rate), 0.5 + 0.3 * t + 0.5 * a * t * t, 1e-9);
        assert_close(rate, 0.3 + a * t, 1e-9);
        cord_world_destroy(w);
    }
}

/* A ring in an upright plane: a pendulum, whose energy is conserved. */
static void swings_on_a_ring(void **given)
{
    (void)given;
    enum { COUNT = 40 };
    double x[3 * COUNT], worst = 0;
    for (int i = 0; i < COUNT; i++)
        v3_set(x + 3 * i, sin(2 * pi * i / COUNT), 0, -cos(2 * pi * i / COUNT));
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_point p = pearl_on_path(w, scene_path(w, (cord_body){0}, COUNT, x, true), 0.1, 0.2, 0);
    double first = scene_energy(w).total, before = scene_coordinate(w, p, NULL), since = -1,
           period = 0;
    for (int i = 1; i <= 1000; i++) {
        scene_advance(w, 5e-3, 1);
        double now = scene_coordinate(w, p, NULL);
        worst = fmax(worst, fabs(scene_energy(w).total - first));
        if (before < 0 && now >= 0) {
            double at = (i - now / (now - before)) * 5e-3;
            if (since > 0) period = at - since;
            since = at;
        }
        before = now;
    }
    assert_true(worst < 1e-12);
    assert_close(period, 2 * pi / sqrt(gravity) * (1 + 0.1 * 0.1 / 16), 1e-4);
    cord_world_destroy(w);
}

/* Free in space, strand and pearl: momentum is conserved, and with `midpoint` energy. */
static void balances(void **given)
{
    (void)given;
    const integration *all[] = {&tr_bdf2, &midpoint};
    for (int k = 0; k < KINDS; k++)
        for (int i = 0; i < 2; i++) {
            cord_world *w = scene_world_under(all[i], 0);
            cord_strand rope = sliding_strand(w, kinds + k, 1e6);
            cord_point p = pearl(w, rope, 0.3, 0.02, 1);
            cord_momentum first, last;
            scene_advance(w, 1e-4, 1);
            double energy = scene_energy(w).total, s = scene_coordinate(w, p, NULL);
            assert_fine(w, cord_world_get_momentum(w, &first));
            scene_advance(w, 1e-3, 200);
            assert_fine(w, cord_world_get_momentum(w, &last));
            bool mean = all[i] == &midpoint;
            assert_close(scene_energy(w).total, energy, (mean ? 1e-10 : 1e-4) * energy);
            /* Newton corrections below the tolerance are omitted from momentum. */
            assert_all_close(last.linear, first.linear, 3,
                             (mean ? 1e-7 : 1e-10) * v3_norm(first.linear));
            assert_all_close(last.angular, first.angular, 3, 2e-5 * v3_norm(first.angular));
            assert_true(scene_coordinate(w, p, NULL) > s + 0.1);
            cord_world_destroy(w);
        }
}

/* ---- equilibrium ------------------------------------------------------------------------------- */

/* A heavy bead at the middle of a taut string of negligible weight, T its tension: ω² = 4 T/(m
 * L). */
static void bead_on_a_string(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    double x[3 * VERTICES], omega[3], mass = 0.2, area = pi * 1e-6;
    for (int i = 0; i < VERTICES; i++) v3_set(x + 3 * i, (double)i / (VERTICES - 1), 0, 0);
    def.vertex_count = VERTICES;
    def.positions = x;
    def.section.radius = 1e-3;
    def.material.young = 1e8;
    def.material.density = 1;
    def.stretch = CORD_STRETCH_ELASTIC;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    scene_hang(w, rope, 0);
    const double stretch = 0.1;
    cord_point end = scene_place(w, 1 + stretch, 0, 0);
    scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, 1), end);
    cord_point_def bead = pearl_def(rope, 0.5, mass, 0);
    cord_point p = scene_add_point(w, &bead);
    cord_constraint_def stay = cord_constraint_def_default();
    cord_constraint stays;
    stay.kind = CORD_SLIDE;
    stay.first = p;
    stay.length = 0.5;
    assert_fine(w, cord_world_add_constraint(w, &stay, &stays));
    cord_statics_def statics = cord_statics_def_default();
    assert_fine(w, cord_world_find_equilibrium(w, &statics, NULL));
    assert_fine(w, cord_world_find_frequencies(w, 2, omega));
    double tension = 1e8 * area * stretch;
    assert_close(omega[0], sqrt(4 * tension / (mass * (1 + stretch))), 1e-3 * omega[0]);
    assert_close(omega[1], omega[0], 1e-9 * omega[0]);
    cord_world_destroy(w);
}

/* Equilibria: at the bottom, with the same deflection as for a body; from its shape and nearby, since
 * a polygon has one at every other vertex. */
static void rests_as_a_body(void **given)
{
    (void)given;
    for (int k = 0; k < KINDS; k++) {
        double x[2][3], s[2], shape[3 * MOST_VERTICES];
        for (int i = 0; i < 2; i++) {
            cord_world *w = scene_world_under(&tr_bdf2, gravity);
            cord_strand rope = hung(w, kinds + k);
            if (i == 1) assert_fine(w, cord_strand_set_positions(w, rope, shape));
            cord_point p =
                i == 0 ? body_pearl(w, rope, 0.5, 0.05) : pearl(w, rope, s[0] - 0.01, 0.05, 0);
            cord_statics_def def = cord_statics_def_default();
            assert_fine(w, cord_world_find_equilibrium(w, &def, NULL));
            assert_fine(w, cord_point_get_pose(w, p, x[i], NULL));
            s[i] = scene_coordinate(w, p, NULL);
            assert_fine(w, cord_strand_get_positions(w, rope, shape));
            cord_world_destroy(w);
        }
        assert_close(s[0], s[1], 1e-9);
        assert_all_close(x[0], x[1], 3, 1e-9);
    }
    cord_world *w = scene_world_under(&quasi_static, gravity);
    cord_strand rope = hung(w, kinds + 1);
    cord_point p = pearl(w, rope, 0.5, 0.05, 0);
    cord_statics_def def = cord_statics_def_default();
    scene_advance(w, 0.1, 3);
    double found = scene_coordinate(w, p, NULL);
    assert_fine(w, cord_world_find_equilibrium(w, &def, NULL));
    assert_close(scene_coordinate(w, p, NULL), found, 1e-9);
    assert_true(found > 0.55);
    cord_world_destroy(w);
}

/* ---- impacts ----------------------------------------------------------------------------------- */

/* Two on a wire: v₁' = ((m₁ − e m₂) v₁ + (1 + e) m₂ v₂)/(m₁ + m₂). */
static void pearls_collide(void **given)
{
    (void)given;
    const double x[6] = {0, 0, 0, 5, 0, 0}, m[2] = {0.1, 0.3}, v[2] = {2, -0.5};
    const integration *all[] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 4; i++) {
        double e = i % 2 ? 0.5 : 1, rate[2];
        cord_world *w = scene_world_under(all[i / 2], 0);
        cord_path path = scene_path(w, (cord_body){0}, 2, x, false);
        cord_point p[2] = {pearl_on_path(w, path, 2, m[0], v[0]),
                           pearl_on_path(w, path, 3, m[1], v[1])};
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_SLIDE;
        def.first = p[1], def.second = p[0];
        def.length = 0.1;
        def.side = CORD_AT_LEAST;
        def.restitution = e;
        scene_relate(w, &def);
        scene_advance(w, 0.01, 60);
        for (int k = 0; k < 2; k++) {
            scene_coordinate(w, p[k], rate + k);
            double own = m[k], other = m[1 - k];
            assert_close(rate[k],
                         ((own - e * other) * v[k] + (1 + e) * other * v[1 - k]) / (own + other),
                         1e-8); /* Newton's tolerance */
        }
        cord_world_destroy(w);
    }
}

/* On a moving strand: the impulse conserves total energy and momentum. */
static void impacts_keep_energy(void **given)
{
    (void)given;
    for (int k = 0; k < KINDS; k++) {
        cord_world *w = scene_world_under(&midpoint, 0);
        cord_strand rope = sliding_strand(w, kinds + k, 1e6);
        cord_point p[2] = {pearl(w, rope, 0.3, 0.02, 1), pearl(w, rope, 0.5, 0.05, -0.5)};
        cord_constraint_def def = cord_constraint_def_default();
        cord_momentum first, last;
        cord_counters counters;
        def.kind = CORD_SLIDE;
        def.first = p[1], def.second = p[0];
        def.length = 0.05;
        def.side = CORD_AT_LEAST;
        def.restitution = 1;
        scene_relate(w, &def);
        scene_advance(w, 1e-4, 1);
        double energy = scene_energy(w).total;
        assert_fine(w, cord_world_get_momentum(w, &first));
        scene_advance(w, 1e-3, 200);
        assert_fine(w, cord_world_get_momentum(w, &last));
        assert_fine(w, cord_world_get_counters(w, &counters));
        assert_true(counters.impacts > 0);
        assert_close(scene_energy(w).total, energy, 1e-7 * energy);
        assert_all_close(last.linear, first.linear, 3, 1e-6 * v3_norm(first.linear));
        cord_world_destroy(w);
    }
}

/* ---- other ------------------------------------------------------------------------------------- */

static void slips_off(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand rope = hung(w, kinds);
    cord_point_def def = pearl_def(rope, 0.1, 0.02, -1);
    def.end = CORD_END_RELEASE;
    cord_point p = scene_add_point(w, &def);
    bool released;
    scene_advance(w, 5e-3, 60);
    assert_fine(w, cord_point_get_released(w, p, &released));
    assert_true(released);
    assert_true(scene_coordinate(w, p, NULL) == 0);
    assert_fine(w, cord_world_remove_point(w, p));
    scene_advance(w, 5e-3, 2);
    cord_world_destroy(w);
}

static void checkpoints_are_exact(void **given)
{
    (void)given;
    cord_world *w[2];
    cord_point p[2];
    for (int i = 0; i < 2; i++) {
        w[i] = scene_world_under(&tr_bdf2, gravity);
        p[i] = pearl(w[i], hung(w[i], kinds + 1), 0.3, 0.05, 0);
    }
    scene_advance(w[0], 2e-3, 50);
    scene_goes_on(w[0], w[1], 2e-3, 50);
    assert_true(scene_coordinate(w[0], p[0], NULL) == scene_coordinate(w[1], p[1], NULL));
    cord_world_destroy(w[0]), cord_world_destroy(w[1]);
}

static void errors_are_told(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = hung(w, kinds);
    cord_point p;
    cord_point_def def = pearl_def(rope, 0.3, -1, 0);
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def = pearl_def(rope, 0.3, NAN, 0);
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    def = pearl_def(rope, 0.3, 0, 1);
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "inertia"));
    def = pearl_def(rope, 0.3, 1, INFINITY);
    assert_int_equal(cord_world_add_point(w, &def, &p), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
    w = scene_world_under(&semi_implicit, gravity);
    pearl(w, hung(w, kinds), 0.3, 0.1, 0);
    assert_int_equal(cord_world_step(w, 1e-3), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "slide"));
    cord_world_destroy(w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrix_is_derivative),
        cmocka_unit_test(iterations_are_few),
        cmocka_unit_test(moves_as_a_body),
        cmocka_unit_test(runs_down_a_wire),
        cmocka_unit_test(swings_on_a_ring),
        cmocka_unit_test(balances),
        cmocka_unit_test(bead_on_a_string),
        cmocka_unit_test(rests_as_a_body),
        cmocka_unit_test(pearls_collide),
        cmocka_unit_test(impacts_keep_energy),
        cmocka_unit_test(slips_off),
        cmocka_unit_test(checkpoints_are_exact),
        cmocka_unit_test(errors_are_told),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
