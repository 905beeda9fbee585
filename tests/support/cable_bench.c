#include "support/cable_bench.h"

#include "math/band.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

cord_body bench_box(cord_world *w, double mass, double x, double y, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {0.1, 0.2, 0.3}};
    def.mass = mass;
    v3_set(def.position, x, y, z);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

cord_point bench_place(cord_world *w, const cord_body *body, double x, double y, double z,
                       const double turn[3])
{
    cord_point_def def = cord_point_def_default();
    if (body) def.source = CORD_SOURCE_BODY, def.body = *body;
    v3_set(def.position, x, y, z);
    if (turn) cord__rotation_exp(def.frame, turn);
    return scene_add_point(w, &def);
}

cord_point bench_on(cord_world *w, cord_body body, double x, double y, double z,
                    const double turn[3])
{
    return bench_place(w, &body, x, y, z, turn);
}

cord_point bench_still(cord_world *w, double x, double y, double z, const double turn[3])
{
    return bench_place(w, NULL, x, y, z, turn);
}

cord_strand bench_rod(cord_world *w, int vertices, const double from[3], const double to[3])
{
    enum { MOST = 64 };
    double x[3 * MOST];
    cord_strand_def def = cord_strand_def_default();
    cord_strand made;
    assert_true(vertices <= MOST);
    for (int i = 0; i < vertices; i++) {
        double t = (double)i / (vertices - 1);
        v3_combine(x + 3 * i, 1 - t, from, t, to);
    }
    def.name = "rod";
    def.vertex_count = vertices;
    def.positions = x;
    def.material = (cord_material){1000, 1e6, 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
    assert_fine(w, cord_world_add_strand(w, &def, &made));
    return made;
}

void put_up(cord_world *w, cord_strand handle, bench *t)
{
    static double storage[4][1000];
    uint64_t random = 5;
    t->b = &cord__get_strand(w, handle)->block;
    assert_true(t->b->shape.dofs <= BENCH_MOST && t->b->shape.rows <= BENCH_MOST &&
                t->b->shape.cache_count <= 1000);
    t->c = t->b->model;
    t->env = (environment){.gravity = {0.3, -1, -9.81}};
    t->q = storage[0];
    memcpy(t->q, w->problem.now.q + t->b->q0, (size_t)t->b->shape.q_count * sizeof(double));
    t->cache = storage[1];
    t->side = w->problem.now.side + t->b->side0;
    t->v = storage[2], t->a = t->v + BENCH_MOST, t->lambda = storage[3];
    random_vector(&random, t->b->shape.dofs, t->v);
    random_vector(&random, t->b->shape.dofs, t->a);
    random_vector(&random, t->b->shape.rows, t->lambda);
    t->b->ops->refresh(t->c, t->q, t->cache);
}

/* Along a motion d of all dofs, those of the carriers included; rotations by Cayley's map, as in
 * bodies. */
void bench_moved(const bench *t, const double *d, double by, double *q)
{
    double step[BENCH_MOST];
    memcpy(q, t->q, (size_t)t->b->shape.q_count * sizeof *q);
    for (int k = 0; k < t->c->layout.dofs; k++) step[k] = by * d[k];
    t->b->ops->retract(t->c, q, step);
    for (int i = 0; i < t->c->def.carriers; i++) {
        const double *p = step + cable_carrier_dof(t->c, i);
        double *to = q + t->c->layout.carrier[i].q, turned[4];
        v3_add(to, to, p);
        if (!t->c->def.carrier[i].rotates) continue;
        double turn[4] = {1, 0.5 * p[3], 0.5 * p[4], 0.5 * p[5]};
        q4_multiply(turned, turn, to + 3);
        double size = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                           turned[3] * turned[3]);
        for (int k = 0; k < 4; k++) to[3 + k] = turned[k] / size;
    }
}

block_energy energy_of(const bench *t, const double *q, const double *v)
{
    static double cache[1000];
    block_energy e;
    t->b->ops->refresh(t->c, q, cache);
    t->b->ops->energy(t->c, &t->env, q, cache, v, NULL, &e);
    return e;
}

static void evaluate(const bench *t, const double *v, const double *a, const double *lambda,
                     double *r, double *g)
{
    block_eval in = {.environment = &t->env,
                     .q = t->q,
                     .cache = t->cache,
                     .side = t->side,
                     .v = v,
                     .a = a,
                     .lambda = lambda};
    t->b->ops->assemble(t->c, &in, r, g, NULL);
}

void bench_potentials(const bench *t)
{
    static double q[1000];
    double zero[BENCH_MOST] = {0}, r[BENCH_MOST], g[BENCH_MOST], d[BENCH_MOST];
    evaluate(t, zero, zero, zero, r, g);
    for (int k = 0; k < t->c->layout.dofs; k++) {
        const double h = 1e-5;
        double change = 0;
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            bench_moved(t, d, sign * h, q);
            block_energy e = energy_of(t, q, zero);
            change += sign * (e.gravity + e.stretching + e.bending);
        }
        assert_close(r[k], change / (2 * h), 1e-6 * (1 + fabs(r[k])));
    }
}

/* Rotations of carriers are quasi-coordinates, with the term ∂T/∂ω × ω. */
void bench_motion(const bench *t)
{
    static double q[1000];
    double zero[BENCH_MOST] = {0}, r[BENCH_MOST], still_r[BENCH_MOST], g[BENCH_MOST], d[BENCH_MOST],
           v[BENCH_MOST];
    int n = t->c->layout.dofs;
    const double h = 1e-4;
    evaluate(t, t->v, t->a, zero, r, g);
    evaluate(t, zero, zero, zero, still_r, g);
    double momentum[BENCH_MOST];
    for (int k = 0; k < n; k++) {
        double by_v[2] = {0}, by_q = 0;
        /* ∂T/∂v is exact by differences: T is quadratic in v. */
        for (int side = -1; side <= 1; side += 2) {
            bench_moved(t, t->v, side * h, q);
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int i = 0; i < n; i++) v[i] = t->v[i] + side * h * t->a[i];
                v[k] += sign;
                by_v[(side + 1) / 2] += 0.5 * sign * energy_of(t, q, v).kinetic;
            }
        }
        momentum[k] = 0.5 * (by_v[0] + by_v[1]);
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int sign = -1; sign <= 1; sign += 2) {
            bench_moved(t, d, sign * h, q);
            by_q += sign * energy_of(t, q, t->v).kinetic / (2 * h);
        }
        r[k] -= still_r[k] + (by_v[1] - by_v[0]) / (2 * h) - by_q;
    }
    for (int i = 0; i < t->c->def.carriers; i++) {
        int first = cable_carrier_dof(t->c, i) + 3;
        double turn[3];
        if (!t->c->def.carrier[i].rotates) continue;
        v3_cross(turn, momentum + first, t->v + first);
        v3_sub(r + first, r + first, turn);
    }
    for (int k = 0; k < n; k++) assert_close(r[k], 0, 2e-6);
}

void bench_rows(const bench *t)
{
    static double q[1000];
    static double cache[1000];
    double zero[BENCH_MOST] = {0}, r[BENCH_MOST], with[BENCH_MOST], g[2][BENCH_MOST],
           rate[BENCH_MOST], unused_g[BENCH_MOST];
    const double h = 1e-5;
    t->b->ops->rows->rates(t->c, t->cache, t->side, t->v, rate);
    for (int side = 0; side < 2; side++) {
        bench_moved(t, t->v, side ? h : -h, q);
        t->b->ops->refresh(t->c, q, cache);
        block_eval in = {.environment = &t->env,
                         .q = q,
                         .cache = cache,
                         .side = t->side,
                         .v = zero,
                         .a = zero,
                         .lambda = zero};
        t->b->ops->assemble(t->c, &in, r, g[side], NULL);
    }
    for (int k = 0; k < t->c->layout.rows; k++)
        assert_close(rate[k], (g[1][k] - g[0][k]) / (2 * h), 1e-7 * (1 + fabs(rate[k])));
    /* r has −Bᵀλ: its power is minus that of the rows. */
    evaluate(t, zero, zero, zero, r, unused_g);
    evaluate(t, zero, zero, t->lambda, with, unused_g);
    double power = 0, expected = 0;
    for (int k = 0; k < t->c->layout.dofs; k++) power += (with[k] - r[k]) * t->v[k];
    for (int k = 0; k < t->c->layout.rows; k++) expected -= t->lambda[k] * rate[k];
    assert_close(power, expected, 1e-10 * (1 + fabs(expected)));
}

const int *bench_extras(const bench *t)
{
    static int pairs[2 * BENCH_EXTRAS];
    assert_true(t->b->shape.extra_entries <= BENCH_EXTRAS);
    if (t->b->shape.extra_entries > 0) t->b->ops->extra_entries(t->c, pairs);
    return pairs;
}

enum { MATRIX_MOST = 2 * BENCH_MOST };

/* The whole matrix of the cable at rest, with c_a or c_k. */
static void matrix_at_rest(const bench *t, double c_a, double c_k, double (*matrix)[MATRIX_MOST])
{
    static double extras[BENCH_EXTRAS];
    static int as_listed[BENCH_EXTRAS];
    double zero[MATRIX_MOST] = {0}, r[MATRIX_MOST], g[MATRIX_MOST];
    const int *pairs = bench_extras(t);
    assert_true(t->c->layout.dofs + t->c->layout.rows <= MATRIX_MOST);
    memset(extras, 0, sizeof extras);
    memset(matrix, 0, MATRIX_MOST * sizeof *matrix);
    for (int k = 0; k < BENCH_EXTRAS; k++) as_listed[k] = k;
    local_matrix made = {.values = extras, .extra_slot = as_listed};
    block_eval in = {.environment = &t->env,
                     .q = t->q,
                     .cache = t->cache,
                     .side = t->side,
                     .v = zero,
                     .a = zero,
                     .lambda = zero,
                     .c_a = c_a,
                     .c_k = c_k};
    t->b->ops->assemble(t->c, &in, r, g, &made);
    for (int i = 0; i < t->b->shape.extra_entries; i++) {
        const int *at = pairs + 2 * i;
        matrix[at[0]][at[1]] += extras[i];
        if (at[0] != at[1]) matrix[at[1]][at[0]] += extras[i];
    }
}

void bench_masses(const bench *t)
{
    enum { MOST = MATRIX_MOST };
    static double matrix[MOST][MOST];
    double zero[MOST] = {0}, r[2][MOST], g[MOST], a[MOST];
    int n = t->c->layout.dofs;
    matrix_at_rest(t, 1, 0, matrix);
    for (int row = 0; row < t->c->layout.rows; row++) {
        const cable_element *e = t->c->layout.element + t->c->layout.row_element[row];
        double size = t->c->def.guide[t->c->topology.node[e->node + e->end].guide].radius,
               square = 0;
        const double *B = matrix[n + row];
        assert_int_equal(e->kind, ELEMENT_TANGENT);
        for (int k = 0; k < n; k++) square += B[k] * B[k];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                matrix[i][k] -= t->c->def.material.density * size / square * B[i] * B[k];
    }
    evaluate(t, zero, zero, zero, r[0], g);
    for (int k = 0; k < n; k++) {
        memset(a, 0, sizeof a);
        a[k] = 1;
        evaluate(t, zero, a, zero, r[1], g);
        for (int i = 0; i < n; i++) assert_close(matrix[i][k], r[1][i] - r[0][i], 1e-11);
    }
}

static bool is_material(const cable *c, int column)
{
    for (int i = 0; i < c->topology.nodes; i++)
        if (c->topology.node[i].s_dof == column) return true;
    return false;
}

void bench_stiffness(const bench *t)
{
    enum { MOST = MATRIX_MOST };
    static double matrix[MOST][MOST], difference[MOST][MOST], q[1000], cache[1000];
    double zero[MOST] = {0}, r[2][MOST], g[MOST], d[MOST];
    int n = t->c->layout.dofs;
    matrix_at_rest(t, 0, 1, matrix);
    for (int k = 0; k < n; k++) {
        const double h = 1e-6;
        memset(d, 0, sizeof d);
        d[k] = 1;
        for (int side = 0; side < 2; side++) {
            bench_moved(t, d, side ? h : -h, q);
            t->b->ops->refresh(t->c, q, cache);
            block_eval at = {.environment = &t->env,
                             .q = q,
                             .cache = cache,
                             .side = t->side,
                             .v = zero,
                             .a = zero,
                             .lambda = zero,
                             .c_k = 1};
            t->b->ops->assemble(t->c, &at, r[side], g, NULL);
        }
        for (int i = 0; i < n; i++) difference[i][k] = (r[1][i] - r[0][i]) / (2 * h);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            if (is_material(t->c, i) || is_material(t->c, k)) continue;
            assert_close(matrix[i][k], 0.5 * (difference[i][k] + difference[k][i]), 1e-5);
        }
}

/* ---- points of the material -------------------------------------------------------------------------- */

cord_strand bench_crowd(cord_world *w, bool alone)
{
    cord_body bodies[2] = {bench_box(w, 1, 0.5, 0, 0), bench_box(w, 2, 2, 0.3, -0.2)};
    const cord_body *first = alone ? NULL : bodies, *second = alone ? NULL : bodies + 1;
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = scene_place(w, 0, 0, 1)},
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_place(w, first, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER,
         .on = bench_place(w, second, 0, 0.1, 0.3, other),
         .radius = 0.25},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_place(w, NULL, 3, 0.5, 0, tilt), .radius = 0.4},
        {.kind = CORD_GUIDE_LINE, .on = bench_place(w, second, 0.2, 0, 0, tilt)},
        {.kind = CORD_GUIDE_SPAN,
         .on = bench_place(w, second, 0.4, 0.3, 0, NULL),
         .to = bench_place(w, first, 0, 0.2, 0.5, NULL)},
        {.kind = CORD_GUIDE_SURFACE,
         .on = bench_place(w, first, 0.5, 1, 0, other),
         .radius = 0.2,
         .surface = cord_surface_torus,
         .size = {0.5, 0.2}},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0, .s = 0},
        {.guide = -1, .at = {0.2, 0.1, 0.5}, .s = 0.7},
        {.guide = 1, .at = {0.3}, .s = 1.4, .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {1.9}, .s = 2.0, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {1.2, 0.2, 0.1}, .s = 3.0, .eulerian = true},
        {.guide = 2, .at = {0.5, 0.1}, .s = 4.0, .eulerian = true, .tangent = -1},
        {.guide = 2, .at = {3.5, 0.2}, .s = 5.1, .eulerian = true, .tangent = 1},
        {.guide = 3, .at = {-1, 0.2}, .s = 6.4, .eulerian = true, .tangent = -1},
        {.guide = 3, .at = {0.5, 0.4}, .s = 7.2, .eulerian = true, .tangent = 1},
        {.guide = 4, .at = {0.3}, .s = 8.5, .eulerian = true},
        {.guide = 5, .at = {0.4}, .s = 9.4, .eulerian = true},
        {.guide = 6, .at = {0.2, 0.5}, .s = 10.1, .eulerian = true},
        {.guide = 6, .at = {1.1, 0.9}, .s = 10.9, .eulerian = true},
        {.guide = 6, .at = {1.5, 1.4}, .s = 11.3, .eulerian = true, .prescribed = true},
        {.guide = -1, .at = {3, 1, 1}, .s = 12},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_strand made;
    def.guide_count = sizeof guides / sizeof *guides, def.guides = guides;
    def.node_count = sizeof nodes / sizeof *nodes, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

void bench_moved_to(const bench *t, const double *d, double by, double *q, double *cache)
{
    bench_moved(t, d, by, q);
    t->b->ops->refresh(t->c, q, cache);
}

void bench_point_jacobian(const bench *t, const double *q, const double *cache,
                          const attachment *at, measure what, double value[9],
                          double J[BENCH_MOST][3])
{
    double storage[3 * JACOBIAN_DOFS_MAX];
    point_jacobian j = {.J = storage};
    t->b->ops->point_jacobian(t->c, q, cache, at, what, &j);
    assert_true(j.dofs <= t->b->shape.jacobian_dofs);
    memset(J, 0, BENCH_MOST * sizeof *J);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            v3_copy(J[j.run[run].first + i], storage + 3 * c);
    memcpy(value, j.value, (what == MEASURE_FRAME ? 9 : 3) * sizeof *value);
}

double bench_form(const bench *t, const double *cache, const attachment *at, measure what,
                  const double force[3], const double *d)
{
    static double extras[BENCH_EXTRAS];
    static int slot[BENCH_EXTRAS];
    const cable *c = t->c;
    double sum = 0;
    const int *pairs = bench_extras(t);
    int count = t->b->shape.extra_entries;
    memset(extras, 0, sizeof extras);
    for (int i = 0; i < count; i++) slot[i] = i;
    local_matrix matrix = {.values = extras, .extra_slot = slot};
    t->b->ops->add_geometric_stiffness(c, t->q, cache, at, what, force, 1, &matrix);
    for (int i = 0; i < count; i++) {
        int a = pairs[2 * i], b = pairs[2 * i + 1];
        if (a >= c->layout.dofs || b >= c->layout.dofs) continue;
        sum += extras[i] * (a == b ? 1 : 2) * d[a] * d[b];
    }
    return sum;
}
