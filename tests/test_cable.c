/* Cables: equations of motion against differences of energies, rows against differences, and machines whose
 * motion is known. */
#include "math/band.h"
#include "math/rotation.h"
#include "strand/cable.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

static cord_world *world_in(cord_integrator integrator, double gravity)
{
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    v3_set(def.gravity, 0, 0, -gravity);
    def.integrator = integrator;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    return w;
}

static cord_body ball(cord_world *w, double mass, double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {0.1, 0.2, 0.3}};
    def.mass = mass;
    v3_set(def.position, x, y, z);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

/* A point on a body whose frame is turned by a vector. */
static cord_point on(cord_world *w, cord_body body, double x, double y, double z,
                     const double turn[3])
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    def.source = CORD_SOURCE_BODY, def.body = body;
    v3_set(def.position, x, y, z);
    if (turn) cord__rotation_exp(def.frame, turn);
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

static cord_point still(cord_world *w, double x, double y, double z, const double turn[3])
{
    cord_point_def def = cord_point_def_default();
    cord_point made;
    v3_set(def.position, x, y, z);
    if (turn) cord__rotation_exp(def.frame, turn);
    assert_fine(w, cord_world_add_point(w, &def, &made));
    return made;
}

/* ---- derivatives ------------------------------------------------------------------------------- */

/* Everything at once: fixed, free, on circles, cylinders, spheres and lines of two bodies and the world. */
static cord_strand crowd_of(cord_world *w, double stretching, double drag, bool closed)
{
    cord_body first = ball(w, 1, 0.5, 0, 0), second = ball(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    const cord_guide guides[] = {
        {CORD_GUIDE_PLACE, still(w, 0, 0, 1, NULL), 0},
        {CORD_GUIDE_CIRCLE, on(w, first, 0.1, 0.2, 0, tilt), 0.3},
        {CORD_GUIDE_CYLINDER, on(w, second, 0, 0.1, 0.3, other), 0.25},
        {CORD_GUIDE_SPHERE, still(w, 3, 0.5, 0, tilt), 0.4},
        {CORD_GUIDE_LINE, on(w, second, 0.2, 0, 0, tilt), 0},
    };
    const cord_cable_node nodes[] = {
        {0, {0}, 0, false, 0},
        {-1, {0.2, 0.1, 0.5}, 0.7, false, 0},
        {1, {0.3}, 1.4, true, -1},
        {1, {1.9}, 2.0, true, 1},
        {-1, {1.2, 0.2, 0.1}, 3.0, true, 0},
        {2, {0.5, 0.1}, 4.0, true, -1},
        {2, {3.5, 0.2}, 5.1, true, 1},
        {3, {-1, 0.2}, 6.4, true, -1},
        {3, {0.5, 0.4}, 7.2, true, 1},
        {4, {0.3}, 8.5, true, 0},
        {-1, {3, 1, 1}, 9.7, false, 0},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.7;
    def.stretching = stretching;
    def.drag = drag;
    def.bending = 0.02;
    def.guide_count = sizeof guides / sizeof *guides, def.guides = guides;
    def.node_count = sizeof nodes / sizeof *nodes, def.nodes = nodes;
    def.closed = closed, def.length = 12.5;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

static cord_strand crowd(cord_world *w, double stretching, double drag)
{
    return crowd_of(w, stretching, drag, false);
}

typedef struct bench {
    const cable *c;
    const block *b;
    surroundings around;
    double *q, *cache, *v, *a, *lambda;
} bench;

static void put_up(cord_world *w, cord_strand handle, bench *t)
{
    static double storage[4][600];
    uint64_t random = 5;
    t->b = &cord__get_strand(w, handle)->block;
    t->c = t->b->model;
    t->around = (surroundings){.gravity = {0.3, -1, -9.81}};
    t->q = storage[0];
    memcpy(t->q, w->problem.now.q + t->b->q0, (size_t)t->b->shape.q_count * sizeof(double));
    t->cache = storage[1];
    t->v = storage[2], t->a = t->v + 100, t->lambda = storage[3];
    random_vector(&random, t->b->shape.columns, t->v);
    random_vector(&random, t->b->shape.columns, t->a);
    random_vector(&random, t->b->shape.rows, t->lambda);
    t->b->ops->refresh(t->c, t->q, t->cache);
}

/* Along a motion d of all columns, what it rides on included; Cayley's turns as bodies have them. */
static void moved(const bench *t, const double *d, double by, double *q)
{
    double step[100];
    memcpy(q, t->q, (size_t)t->b->shape.q_count * sizeof *q);
    for (int k = 0; k < t->c->columns; k++) step[k] = by * d[k];
    t->b->ops->retract(t->c, q, step);
    for (int i = 0; i < t->c->ports; i++) {
        const double *p = step + cable_port_column(t->c, i);
        double *to = q + t->c->own_q + PORT_Q * i, turned[4];
        double turn[4] = {1, 0.5 * p[3], 0.5 * p[4], 0.5 * p[5]};
        v3_add(to, to, p);
        q4_multiply(turned, turn, to + 3);
        double size = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                           turned[3] * turned[3]);
        for (int k = 0; k < 4; k++) to[3 + k] = turned[k] / size;
    }
}

static block_energy energy_of(const bench *t, const double *q, const double *v)
{
    static double cache[600];
    block_energy e;
    t->b->ops->refresh(t->c, q, cache);
    t->b->ops->energy(t->c, &t->around, q, cache, v, NULL, &e);
    return e;
}

static void evaluate(const bench *t, const double *v, const double *a, const double *lambda,
                     double *r, double *g)
{
    block_eval in = {
        .around = &t->around, .q = t->q, .cache = t->cache, .v = v, .a = a, .lambda = lambda};
    t->b->ops->assemble(t->c, &in, r, g, NULL);
}

/* At rest: the force is the derivative of the potential. */
static void potentials(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 4; kind++) {
        cord_world *w = world_in(CORD_IMPLICIT, 9.81);
        bench t;
        put_up(w, crowd_of(w, kind % 2 ? 300 : 0, 0, kind > 1), &t);
        static double q[600];
        double zero[100] = {0}, r[100], g[100], d[100];
        evaluate(&t, zero, zero, zero, r, g);
        for (int k = 0; k < t.c->columns; k++) {
            const double h = 1e-5;
            double change = 0;
            memset(d, 0, sizeof d);
            d[k] = 1;
            for (int sign = -1; sign <= 1; sign += 2) {
                moved(&t, d, sign * h, q);
                block_energy e = energy_of(&t, q, zero);
                change += sign * (e.gravity + e.stretching + e.bending);
            }
            assert_close(r[k], change / (2 * h), 1e-6 * (1 + fabs(r[k])));
        }
        cord_world_destroy(w);
    }
}

/* Lagrange: d/dt ∂T/∂v − ∂T/∂q; the turns of carriers are quasi-coordinates, with ∂T/∂ω × ω. */
static void check_motion(bool closed)
{
    cord_world *w = world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, crowd_of(w, 0, 0, closed), &t);
    static double q[600];
    double zero[100] = {0}, r[100], still_r[100], g[100], d[100], v[100];
    int n = t.c->columns;
    const double h = 1e-4;
    evaluate(&t, t.v, t.a, zero, r, g);
    evaluate(&t, zero, zero, zero, still_r, g);
    double momentum[100];
    for (int k = 0; k < n; k++) {
        double by_v[2] = {0}, by_q = 0;
        /* ∂T/∂v is exact by differences: T is quadratic in v. */
        for (int side = -1; side <= 1; side += 2) {
            moved(&t, t.v, side * h, q);
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int i = 0; i < n; i++) v[i] = t.v[i] + side * h * t.a[i];
                v[k] += sign;
                by_v[(side + 1) / 2] += 0.5 * sign * energy_of(&t, q, v).kinetic;
            }
        }
        momentum[k] = 0.5 * (by_v[0] + by_v[1]);
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            moved(&t, d, sign * h, q);
            by_q += sign * energy_of(&t, q, t.v).kinetic / (2 * h);
        }
        r[k] -= still_r[k] + (by_v[1] - by_v[0]) / (2 * h) - by_q;
    }
    for (int i = 0; i < t.c->ports; i++) {
        int first = cable_port_column(t.c, i) + 3;
        double turn[3];
        v3_cross(turn, momentum + first, t.v + first);
        v3_sub(r + first, r + first, turn);
    }
    for (int k = 0; k < n; k++) assert_close(r[k], 0, 2e-6);
    cord_world_destroy(w);
}

static void motion(void **unused)
{
    (void)unused;
    check_motion(false);
    check_motion(true);
}

static void check_rows(bool closed)
{
    cord_world *w = world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, crowd_of(w, 0, 0, closed), &t);
    static double q[600];
    static double cache[600];
    double zero[100] = {0}, r[100], with[100], g[2][100], rate[100], unused_g[100];
    const double h = 1e-5;
    t.b->ops->row_rates(t.c, t.cache, t.v, rate);
    for (int side = 0; side < 2; side++) {
        moved(&t, t.v, side ? h : -h, q);
        t.b->ops->refresh(t.c, q, cache);
        block_eval in = {
            .around = &t.around, .q = q, .cache = cache, .v = zero, .a = zero, .lambda = zero};
        t.b->ops->assemble(t.c, &in, r, g[side], NULL);
    }
    for (int k = 0; k < t.c->rows; k++)
        assert_close(rate[k], (g[1][k] - g[0][k]) / (2 * h), 1e-7 * (1 + fabs(rate[k])));
    /* r has −Bᵀλ: its power is minus that of the rows. */
    evaluate(&t, zero, zero, zero, r, unused_g);
    evaluate(&t, zero, zero, t.lambda, with, unused_g);
    double power = 0, expected = 0;
    for (int k = 0; k < t.c->columns; k++) power += (with[k] - r[k]) * t.v[k];
    for (int k = 0; k < t.c->rows; k++) expected -= t.lambda[k] * rate[k];
    assert_close(power, expected, 1e-10 * (1 + fabs(expected)));
    cord_world_destroy(w);
}

static void rows(void **unused)
{
    (void)unused;
    check_rows(false);
    check_rows(true);
}

/* A little drag, and arcs are added up by quadrature: it agrees with what they are in closed form, as far as
 * four points on a quarter turn can tell. Rows asked for alone are those of the whole. */
static void closed_forms(void **unused)
{
    (void)unused;
    enum { BAND = 4000, EXTRAS = 4000 };
    static double r[2][100], g[3][100], band[2][BAND], extras[2][EXTRAS];
    static int as_listed[EXTRAS];
    block_energy energy[2];
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    for (int quadrature = 0; quadrature < 2; quadrature++) {
        cord_world *w = world_in(CORD_IMPLICIT, 9.81);
        bench t;
        put_up(w, crowd(w, 0, quadrature ? 1e-30 : 0), &t);
        assert_true(band_size(t.c->band_count, t.c->band_width) <= BAND && t.c->extras <= EXTRAS);
        local_matrix matrix = {
            .band = band[quadrature], .extras = extras[quadrature], .extra_slot = as_listed};
        block_eval in = {.around = &t.around,
                         .q = t.q,
                         .cache = t.cache,
                         .v = t.v,
                         .a = t.a,
                         .lambda = t.lambda,
                         .c_a = 100,
                         .c_v = 10,
                         .c_k = 1};
        t.b->ops->assemble(t.c, &in, r[quadrature], g[quadrature], &matrix);
        energy[quadrature] = energy_of(&t, t.q, t.v);
        in.rows_only = true;
        double none[100];
        t.b->ops->assemble(t.c, &in, none, g[2], NULL);
        for (int k = 0; k < t.c->rows; k++) assert_close(g[2][k], g[0][k], 1e-12);
        for (int k = 0; k < t.c->columns; k++) assert_close(none[k], 0, 0);
        if (quadrature)
            for (int k = 0; k < t.c->columns; k++)
                assert_close(r[1][k], r[0][k], 1e-8 * (1 + fabs(r[0][k])));
        cord_world_destroy(w);
    }
    assert_close(energy[1].kinetic, energy[0].kinetic, 1e-6);
    assert_close(energy[1].gravity, energy[0].gravity, 1e-6);
    for (int k = 0; k < 3; k++) {
        assert_close(energy[1].linear[k], energy[0].linear[k], 1e-6);
        assert_close(energy[1].angular[k], energy[0].angular[k], 1e-6);
    }
    for (int k = 0; k < BAND; k++)
        assert_close(band[1][k], band[0][k], 1e-6 * (1 + fabs(band[0][k])));
    for (int k = 0; k < EXTRAS; k++)
        assert_close(extras[1][k], extras[0][k], 1e-6 * (1 + fabs(extras[0][k])));
}

/* What the matrix has with c_a: how forces grow with accelerations, and, of rows (here those of tangents, as the
 * cable is elastic), ρ BᵀB. */
static void check_masses(bool closed)
{
    enum { MOST = 100, EXTRAS = 4000 };
    static double extras[EXTRAS], matrix[MOST][MOST];
    static int as_listed[EXTRAS];
    double zero[MOST] = {0}, r[2][MOST], g[MOST], a[MOST];
    cord_world *w = world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, crowd_of(w, 300, 0, closed), &t);
    int n = t.c->columns;
    assert_true(n + t.c->rows <= MOST && t.c->extras <= EXTRAS);
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    memset(extras, 0, sizeof extras);
    memset(matrix, 0, sizeof matrix);
    local_matrix made = {.extras = extras, .extra_slot = as_listed};
    block_eval in = {.around = &t.around,
                     .q = t.q,
                     .cache = t.cache,
                     .v = zero,
                     .a = zero,
                     .lambda = zero,
                     .c_a = 1};
    t.b->ops->assemble(t.c, &in, r[0], g, &made);
    for (int i = 0; i < t.c->extras; i++) {
        const int *at = t.c->extra + 2 * i;
        matrix[at[0]][at[1]] = matrix[at[1]][at[0]] = extras[i];
    }
    for (int row = 0; row < t.c->rows; row++) {
        const cable_element *e = t.c->element + t.c->row_element[row];
        double size = t.c->guide[t.c->node[e->node + e->side].guide].radius, square = 0;
        const double *B = matrix[n + row];
        assert_int_equal(e->kind, ELEMENT_TANGENT);
        for (int k = 0; k < n; k++) square += B[k] * B[k];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                matrix[i][k] -= t.c->of.density * size / square * B[i] * B[k];
    }
    evaluate(&t, zero, zero, zero, r[0], g);
    for (int k = 0; k < n; k++) {
        memset(a, 0, sizeof a);
        a[k] = 1;
        evaluate(&t, zero, a, zero, r[1], g);
        for (int i = 0; i < n; i++) assert_close(matrix[i][k], r[1][i] - r[0][i], 1e-11);
    }
    cord_world_destroy(w);
}

static void masses(void **unused)
{
    (void)unused;
    check_masses(false);
    check_masses(true);
}

/* The matrix with c_k: how forces of a straight segment change as what carries its ends moves and turns; of turns the
 * symmetric part. */
static void stiffness(void **unused)
{
    (void)unused;
    enum { MOST = 100, EXTRAS = 4000 };
    static double extras[EXTRAS], matrix[MOST][MOST], difference[MOST][MOST], q[600], cache[600];
    static int as_listed[EXTRAS];
    cord_world *w = world_in(CORD_IMPLICIT, 9.81);
    cord_body first = ball(w, 1, 0.5, 0, 0), second = ball(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7};
    const cord_guide guides[] = {{CORD_GUIDE_PLACE, on(w, first, 0.2, -0.1, 0.3, NULL), 0},
                                 {CORD_GUIDE_LINE, on(w, second, 0.1, 0.3, 0.2, tilt), 0}};
    const cord_cable_node nodes[] = {{0, {0}, 0, false, 0}, {1, {0.3}, 1.2, true, 0}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    bench t;
    double zero[MOST] = {0}, r[2][MOST], g[MOST], d[MOST];
    def.density = 0.7, def.stretching = 300;
    def.guides = guides, def.guide_count = 2, def.nodes = nodes, def.node_count = 2;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    put_up(w, made, &t);
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    local_matrix to = {.extras = extras, .extra_slot = as_listed};
    block_eval in = {.around = &t.around,
                     .q = t.q,
                     .cache = t.cache,
                     .v = zero,
                     .a = zero,
                     .lambda = zero,
                     .c_k = 1};
    t.b->ops->assemble(t.c, &in, r[0], g, &to);
    for (int k = 0; k < t.c->extras; k++) {
        const int *pair = t.c->extra + 2 * k;
        matrix[pair[0]][pair[1]] = matrix[pair[1]][pair[0]] = extras[k];
    }
    int n = t.c->columns;
    for (int k = 0; k < n; k++) {
        const double h = 1e-6;
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int side = 0; side < 2; side++) {
            moved(&t, d, side ? h : -h, q);
            t.b->ops->refresh(t.c, q, cache);
            block_eval at = in;
            at.q = q, at.cache = cache;
            t.b->ops->assemble(t.c, &at, r[side], g, NULL);
        }
        for (int i = 0; i < n; i++) difference[i][k] = (r[1][i] - r[0][i]) / (2 * h);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            if (i == t.c->node[1].s_column || k == t.c->node[1].s_column) continue;
            assert_close(matrix[i][k], 0.5 * (difference[i][k] + difference[k][i]), 1e-5);
        }
    cord_world_destroy(w);
}

/* ---- machines ------------------------------------------------------------------------------------ */

/* Two weights over a wheel that turns with the rope, or over which it slides. */
typedef struct atwood {
    cord_world *w;
    cord_body weight[2];
    cord_strand rope;
    cord_point spin;
    double mass[2], density, radius, length, inertia;
} atwood;

static atwood make_atwood(cord_integrator integrator, bool grip, double stretching)
{
    atwood t = {.mass = {1, 1.5}, .density = 0.3, .radius = 0.2};
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    cord_world *w = t.w = world_in(integrator, 9.81);
    t.length = 3 + pi * t.radius;
    for (int k = 0; k < 2; k++)
        t.weight[k] = ball(w, t.mass[k], k ? t.radius : -t.radius, 0, k ? -1 : -2);
    cord_body_def def = cord_body_def_default();
    cord_body wheel;
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = t.radius, .length = 0.05};
    def.mass = 2;
    t.inertia = grip ? 0.5 * 2 * t.radius * t.radius : 0;
    cord__rotation_exp(def.frame, upright);
    assert_fine(w, cord_world_add_body(w, &def, &wheel));
    cord_point axle = still(w, 0, 0, 0, upright), center = on(w, wheel, 0, 0, 0, NULL);
    scene_relation(w, CORD_COINCIDE, center, axle);
    scene_relation(w, CORD_PARALLEL, center, axle);
    cord_point_def spin = cord_point_def_default();
    spin.source = CORD_SOURCE_TURN, spin.of = center, spin.against = axle;
    assert_fine(w, cord_world_add_point(w, &spin, &t.spin));
    const cord_guide guides[] = {{CORD_GUIDE_PLACE, on(w, t.weight[0], 0, 0, 0, NULL), 0},
                                 {CORD_GUIDE_CIRCLE, axle, t.radius},
                                 {CORD_GUIDE_PLACE, on(w, t.weight[1], 0, 0, 0, NULL), 0}};
    const cord_cable_node nodes[] = {{0, {0}, 0, false, 0},
                                     {1, {pi}, 2, true, -1},
                                     {1, {0}, 2 + pi * t.radius, true, 1},
                                     {2, {0}, t.length, false, 0}};
    const cord_wrap wrap = {.segment = 1, .grip = CORD_GRIP_STICK, .spin = t.spin};
    cord_cable_def rope = cord_cable_def_default();
    rope.density = t.density;
    rope.stretching = stretching;
    rope.guide_count = 3, rope.guides = guides;
    rope.node_count = 4, rope.nodes = nodes;
    rope.wrap_count = grip, rope.wraps = &wrap;
    assert_fine(w, cord_world_add_cable(w, &rope, &t.rope));
    return t;
}

/* ÿ = g ((m₂ − m₁) + λ(2y − 1))/M: y = y₀ (cosh ωt − 1). */
static void atwood_machine(void **unused)
{
    (void)unused;
    static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    for (int i = 0; i < 4; i++) {
        atwood t = make_atwood(integrators[i / 2], i % 2, 0);
        double all =
            t.mass[0] + t.mass[1] + t.density * t.length + t.inertia / (t.radius * t.radius);
        double omega = sqrt(2 * 9.81 * t.density / all);
        double y0 = ((t.mass[1] - t.mass[0]) - t.density) / (2 * t.density), x[3], angle;
        cord_energy before, after;
        assert_fine(t.w, cord_world_energy(t.w, &before));
        for (int k = 0; k < 100; k++) assert_fine(t.w, cord_world_step(t.w, 0.005));
        double y = y0 * (cosh(0.5 * omega) - 1);
        assert_fine(t.w, cord_body_pose(t.w, t.weight[1], x, NULL));
        assert_close(-1 - x[2], y, 1e-5 * y);
        assert_fine(t.w, cord_world_energy(t.w, &after));
        if (i / 2) assert_close(after.total, before.total, 1e-10);
        assert_fine(t.w, cord_point_coordinate(t.w, t.spin, &angle, NULL));
        assert_close(angle, i % 2 ? (x[2] + 1) / t.radius : 0, 1e-9);
        cord_world_destroy(t.w);
    }
}

/* Two weights on a rope over a wheel that does not turn, with friction; how fast the second moves after a
 * while, and the ratio of the forces beside the wheel. */
static double on_a_capstan(cord_integrator integrator, double friction, int turns, double heavier,
                           double stretching, double *ratio)
{
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    cord_world *w = world_in(integrator, 9.81);
    const double radius = 0.1;
    cord_stop stops[3] = {
        {.kind = CORD_STOP_ANCHOR},
        {.kind = CORD_STOP_WHEEL,
         .on = still(w, 0, 0, 0, upright),
         .radius = radius,
         .side = -1,
         .turns = turns,
         .grip = CORD_GRIP_FRICTION,
         .friction = friction},
        {.kind = CORD_STOP_ANCHOR},
    };
    cord_body weight[2];
    for (int k = 0; k < 2; k++) {
        weight[k] = ball(w, k ? heavier : 1, k ? radius : -radius, 0, -2);
        stops[2 * k].on = on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def rope = cord_cable_def_default();
    cord_strand made;
    rope.density = 1e-6; /* next to nothing */
    rope.stretching = stretching;
    rope.damping = stretching > 0 ? 1e-3 : 0;
    rope.stop_count = 3, rope.stops = stops;
    assert_fine(w, cord_world_add_cable(w, &rope, &made));
    double before, after, v[2][3];
    cord_counters settled, last;
    for (int k = 0; k < 60; k++) {
        assert_fine(w, cord_world_step(w, 0.005));
        if (k != 19) continue;
        assert_fine(w, cord_body_velocity(w, weight[1], v[0], NULL));
        assert_fine(w, cord_world_counters(w, &settled));
    }
    assert_fine(w, cord_world_counters(w, &last));
    assert_int_equal(last.heap_calls, settled.heap_calls);
    assert_fine(w, cord_body_velocity(w, weight[1], v[1], NULL));
    assert_fine(w, cord_cable_wrap(w, made, 1, NULL, NULL, &before, &after));
    *ratio = after / before;
    cord_world_destroy(w);
    return -(v[1][2] - v[0][2]) / 0.2;
}

/* It slips when the forces differ by more than e^{μφ}, by just that; else nothing moves. */
static void capstan(void **unused)
{
    (void)unused;
    static const struct {
        double friction;
        int turns;
        double heavier, stretching;
    } cases[] = {{0.2, 0, 2.5, 0}, {0.2, 0, 1.5, 0},   {0.2, 0, 0.3, 0},   {0.3, 1, 1000, 0},
                 {0.3, 1, 3, 0},   {0.01, 0, 1.05, 0}, {0.2, 0, 2.5, 1e6}, {0.3, 2, 20000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            double most = exp(cases[i].friction * pi * (1 + 2 * cases[i].turns)), ratio;
            double heavier = cases[i].heavier, expected = 0, grows = heavier;
            if (heavier > most) expected = 9.81 * (heavier - most) / (heavier + most), grows = most;
            if (heavier * most < 1)
                expected = -9.81 * (1 - heavier * most) / (1 + heavier * most), grows = 1 / most;
            double rate = on_a_capstan(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, cases[i].friction,
                                       cases[i].turns, heavier, cases[i].stretching, &ratio);
            bool elastic = cases[i].stretching > 0;
            assert_close(rate, expected, elastic ? 0.05 : 1e-3);
            if (!elastic) assert_close(ratio, grows, 2e-3 * grows);
        }
}

/* An elastic rope that a wheel carries along, weights at both ends: on the wheel it is as long as where it came
 * from, and leaves it shorter or longer. */
static void rope_creeps_over_a_wheel(void **unused)
{
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    (void)unused;
    for (int way = -1; way <= 1; way += 2) {
        cord_world *w = world_in(CORD_IMPLICIT, 9.81);
        const double radius = 0.1, stretching = 1000, rate = 5, mass[2] = {1, 3};
        cord_point_def rotor = cord_point_def_default();
        cord_stop stops[3] = {{.kind = CORD_STOP_ANCHOR},
                              {.kind = CORD_STOP_WHEEL,
                               .on = still(w, 0, 0, 0, upright),
                               .radius = radius,
                               .side = -1,
                               .grip = CORD_GRIP_STICK},
                              {.kind = CORD_STOP_ANCHOR}};
        cord_body weight[2];
        for (int k = 0; k < 2; k++) {
            weight[k] = ball(w, mass[k], k ? radius : -radius, 0, -5);
            stops[2 * k].on = on(w, weight[k], 0, 0, 0, NULL);
        }
        rotor.source = CORD_SOURCE_ROTOR, rotor.inertia = 1;
        assert_fine(w, cord_world_add_point(w, &rotor, &stops[1].spin));
        cord_relation_def motor = cord_relation_def_default();
        motor.kind = CORD_SLIDE, motor.first = stops[1].spin, motor.length = 0;
        motor.rate[0] = way * rate;
        scene_relate(w, &motor);
        cord_cable_def rope = cord_cable_def_default();
        cord_strand made;
        rope.density = 1e-4, rope.stretching = stretching, rope.damping = 0.2, rope.tension = 20;
        rope.stop_count = 3, rope.stops = stops;
        assert_fine(w, cord_world_add_cable(w, &rope, &made));
        double x[2][2][3], on_wheel;
        for (int i = 0; i < 600; i++) {
            assert_fine(w, cord_world_step(w, 0.005));
            for (int k = 0; k < 2 && (i == 299 || i == 599); k++)
                assert_fine(w, cord_body_pose(w, weight[k], x[i == 599][k], NULL));
        }
        assert_fine(w, cord_cable_tension(w, made, 1, &on_wheel));
        int from = way < 0 ? 0 : 1; /* which of them goes up */
        assert_close(on_wheel, 9.81 * mass[from], 0.03 * 9.81 * mass[from]);
        double speed[2];
        for (int k = 0; k < 2; k++) speed[k] = fabs(x[1][k][2] - x[0][k][2]) / 1.5;
        assert_close(speed[from], rate * radius, 2e-3 * speed[from]);
        double ratio = (1 + 9.81 * mass[1] / stretching) / (1 + 9.81 * mass[0] / stretching);
        assert_close(speed[1] / speed[0], ratio, 0.1 * (ratio - 1));
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(potentials),
        cmocka_unit_test(motion),
        cmocka_unit_test(rows),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(masses),
        cmocka_unit_test(stiffness),
        cmocka_unit_test(atwood_machine),
        cmocka_unit_test(capstan),
        cmocka_unit_test(rope_creeps_over_a_wheel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
