#include "math/dense.h"
#include "math/rotation.h"
#include "support/conformance_subject.h"
#include "support/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks ------------------------------------------------------------------------------------- */

enum { DIRECTIONS = 6 };

static void check_shape(subject *s)
{
    const block_shape *shape = &s->shape;
    int dofs[ROW_DOFS];
    index_positions(s);
    for (int c = 0; c < shape->dofs; c++) CHECK(s, s->scale[c] > 0 && isfinite(s->scale[c]));
    for (int i = 0; i < shape->rows - shape->dense_rows; i++) {
        int count = s->ops->rows->dofs(s->model, i, dofs);
        CHECK(s, count > 0 && count <= ROW_DOFS);
        for (int k = 0; k < count; k++) {
            CHECK(s, dofs[k] >= 0 && dofs[k] < shape->dofs);
            /* A closed band has no first and last element; the sparse ordering covers it. */
            /* Degrees of freedom of a parent are in the parent's order. */
            bool shared = dofs[k] >= shape->dofs - shape->shared_dofs;
            if (!shape->cyclic && !shared)
                CHECK(s, s->position[shape->dofs + i] > s->position[dofs[k]]);
        }
    }
    for (int u = 0; u < shape->dofs; u++) /* rows are in the band, dofs may be beyond */
        CHECK(s, s->position[u] < shape->band_count || shape->extra_entries > 0);
    for (int i = 0; i < shape->rows - shape->dense_rows; i++)
        CHECK(s, s->position[shape->dofs + i] < shape->band_count);
}

static void check_gradient(subject *s)
{
    block_eval in = at_state(s);
    double *d = numbers(s->shape.dofs), *r = numbers(s->shape.dofs), f[5];
    memcpy(r, residual(s, &in), (size_t)s->shape.dofs * sizeof(double));
    for (int trial = 0; trial < DIRECTIONS + s->shape.dofs; trial++) {
        /* Random directions, then every degree of freedom alone. */
        random_direction(s, 1, true, d);
        for (int c = 0; trial >= DIRECTIONS && c < s->shape.dofs; c++)
            d[c] = c == trial - DIRECTIONS ? s->scale[c] : 0;
        if (trial >= DIRECTIONS && s->dependent[trial - DIRECTIONS]) continue;
        if (s->ops->set_dependent_dofs) s->ops->set_dependent_dofs(s->model, s->cache, d);
        const double h = 2e-4;
        for (int k = 0; k < 5; k++) f[k] = potential_along(s, d, h * (k - 2));
        double slope = dot(s->shape.dofs, r, d), size = size_of_dot(s->shape.dofs, r, d);
        /* h⁴ = 1.6e-15 times fifth derivatives of order 1e3; round-off 1e-16 of the energy/h. */
        CHECK_CLOSE(s, slope, first_difference(f, h), 1e-8 * size + 1e-11 * (1 + fabs(f[2])));
    }
    free(d);
    free(r);
}

static void check_rows(subject *s)
{
    int rows = s->shape.rows, dofs = s->shape.dofs, list[ROW_DOFS];
    if (rows == 0) return;
    block_eval in = at_state(s);
    in.c_k = 1;
    dense m = assemble_dense(s, &in);
    double *d = numbers(dofs), *g = numbers(5 * rows), *rate = numbers(rows);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, true, d);
        const double h = 2e-4;
        for (int k = 0; k < 5; k++) rows_along(s, d, h * (k - 2), g + k * rows);
        s->ops->rows->rates(s->model, s->cache, s->side, d, rate);
        for (int i = 0; i < rows; i++) {
            double f[5], sum = 0, size = 0;
            for (int k = 0; k < 5; k++) f[k] = g[k * rows + i];
            for (int c = 0; c < dofs; c++) sum += entry(&m, dofs + i, c) * d[c];
            for (int c = 0; c < dofs; c++) size += fabs(entry(&m, dofs + i, c) * d[c]);
            CHECK_CLOSE(s, sum, first_difference(f, h), 1e-9 * size + 1e-12);
            CHECK_CLOSE(s, rate[i], sum, 1e-13 * size);
        }
    }
    for (int i = 0; i < rows - s->shape.dense_rows;
         i++) { /* the dofs of a row are all it couples */
        int count = s->ops->rows->dofs(s->model, i, list);
        for (int c = 0; c < dofs; c++) {
            bool named = false;
            for (int k = 0; k < count; k++) named = named || list[k] == c;
            CHECK(s, named || entry(&m, dofs + i, c) == 0);
        }
        /* An inextensible belt has one redundant row, whose mean multiplier is fixed by an added
         * entry. */
        bool belt = s->world && s->shape.cyclic;
        for (int j = 0; j < rows && !belt; j++) CHECK(s, entry(&m, dofs + i, dofs + j) == 0);
    }
    free(d);
    free(g);
    free(rate);
    free(m.a);
}

/* V − λᵀg */
static double lagrangian_along(subject *s, const double *d, double step, const double *lambda)
{
    double *g = numbers(s->shape.rows), value = potential_along(s, d, step);
    rows_along(s, d, step, g);
    value -= dot(s->shape.rows, lambda, g);
    free(g);
    return value;
}

static double second_along(subject *s, const double *d, const double *lambda)
{
    const double h = 2e-3;
    double f[5];
    for (int k = 0; k < 5; k++) f[k] = lagrangian_along(s, d, h * (k - 2), lambda);
    return second_difference(f, h);
}

/* Multipliers with which dependent dofs are in equilibrium. Only with them is the Lagrangian
 * stationary in the second-order displacement of such a degree of freedom along the path, so
 * that second differences give its quadratic form. */
static void find_multipliers(subject *s, double *lambda)
{
    int rows = s->shape.rows, dofs = s->shape.dofs;
    block_eval in = at_state(s);
    dense m = assemble_dense(s, &in);
    double *a = numbers(rows * rows);
    for (int c = 0, i = 0; c < dofs; c++) {
        if (!s->dependent[c]) continue;
        CHECK(s, i < rows);
        for (int k = 0; k < rows; k++) a[i * rows + k] = entry(&m, dofs + k, c);
        lambda[i++] = s->r[c];
    }
    dense_solve(rows, a, lambda);
    free(a);
    free(m.a);
}

/* The quadratic form of K + K_g on the rows' null space against second differences of the
 * Lagrangian. Differences of the gradient would not do: transported frames have holonomy, so the
 * gradient is not that of one function along a curve that returns. */
static void check_hessian(subject *s)
{
    int dofs = s->shape.dofs;
    double *lambda = numbers(s->shape.rows), *d1 = numbers(dofs), *d2 = numbers(dofs);
    double *sum = numbers(dofs), *difference = numbers(dofs);
    for (int i = 0; i < s->shape.rows; i++) lambda[i] = 3 * random_number(&s->random);
    block_eval in = at_state(s);
    in.c_k = 1;
    if (s->ops->set_dependent_dofs) find_multipliers(s, lambda);
    in.lambda = lambda;
    dense m = assemble_dense(s, &in);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, false, d1);
        random_direction(s, 1, false, d2);
        project(s, &m, d1);
        project(s, &m, d2);
        for (int c = 0; c < dofs; c++) sum[c] = d1[c] + d2[c], difference[c] = d1[c] - d2[c];
        double plus = second_along(s, sum, lambda), minus = second_along(s, difference, lambda);
        double size = form_size(&m, d1, d1) + form_size(&m, d2, d2);
        /* h⁴ = 1.6e-11 times sixth derivatives up to 1e4 of the form; round-off 1e-16/h² = 1e-11. */
        double close = 1e-6 * size + 1e-9 * fabs(potential_along(s, d1, 0));
        CHECK_CLOSE(s, form(&m, d1, d1), second_along(s, d1, lambda), close);
        CHECK_CLOSE(s, form(&m, d1, d2), 0.25 * (plus - minus), close);
    }
    free(lambda);
    free(d1);
    free(d2);
    free(sum);
    free(difference);
    free(m.a);
}

static void check_mass(subject *s)
{
    int dofs = s->shape.dofs;
    double *d = numbers(dofs), *r0 = numbers(dofs), *diagonal = numbers(dofs);
    block_eval in = at_state(s);
    memcpy(r0, residual(s, &in), (size_t)dofs * sizeof(double));
    in.c_a = 1;
    in.c_v = 1e-300; /* in quasistatic dofs friction provides the pivot */
    dense m = assemble_dense(s, &in);
    in.c_a = in.c_v = 0;
    s->ops->inertia(s->model, diagonal);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        block_energy e;
        random_direction(s, 1, false, d);
        project(s, &m, d);
        energy_at(s, s->q, d, &e);
        double twice = 2 * e.kinetic;
        /* Blocks may add a relative 10⁻¹⁰ where the pivot would otherwise vanish. */
        CHECK_CLOSE(s, form(&m, d, d), twice, 1e-8 * form_size(&m, d, d) + 1e-290);
        set_rates(s, &in, NULL, d);
        const double *r = residual(s, &in);
        double work = 0, size = 0;
        for (int c = 0; c < dofs; c++) work += (r[c] - r0[c]) * d[c];
        for (int c = 0; c < dofs; c++) size += (fabs(r[c]) + fabs(r0[c])) * fabs(d[c]);
        CHECK_CLOSE(s, work, twice, 1e-13 * size);
        double diagonal_form = 0;
        for (int c = 0; c < dofs; c++) diagonal_form += diagonal[c] * d[c] * d[c];
        if (s->shape.mass == MASS_DIAGONAL) CHECK_CLOSE(s, diagonal_form, twice, 1e-13 * twice);
    }
    free(d);
    free(r0);
    free(diagonal);
    free(m.a);
}

static bool dissipates(const subject *s)
{
    return s->with->dissipates || s->def.damping > 0 || s->def.drag > 0 ||
           s->def.quadratic_drag > 0 || s->def.base_damping > 0;
}

/* D against differences of r over v; the power is never positive. */
static void check_damping(subject *s)
{
    int dofs = s->shape.dofs;
    double *v = numbers(dofs), *d1 = numbers(dofs), *d2 = numbers(dofs);
    double *moved = numbers(dofs), *still = numbers(dofs);
    block_eval in = at_state(s);
    memcpy(still, residual(s, &in), (size_t)dofs * sizeof(double));
    random_direction(s, 3, true, v);
    set_rates(s, &in, v, NULL);
    in.c_v = 1;
    dense m = assemble_dense(s, &in);
    in.c_v = 0;
    double power = 0;
    const double *r = residual(s, &in);
    for (int c = 0; c < dofs; c++) power += (r[c] - still[c]) * v[c];
    if (left_out(s, "power", s->with->lacks.power)) {
    } else if (dissipates(s))
        CHECK(s, power > 0);
    else
        CHECK_CLOSE(s, power, 0, 1e-14); /* gyroscopic forces do no work, but for rounding */
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        random_direction(s, 1, false, d1);
        random_direction(s, 1, false, d2);
        project(s, &m, d1);
        project(s, &m, d2);
        double f[5];
        const double h = 1e-2; /* forces are linear or, in quadratic drag, smooth in v */
        for (int k = 0; k < 5; k++) {
            /* A spin has a gyroscopic force, bilinear in v, whose tangent is omitted: it cancels
             * in the mean of the differences about v and about −v. */
            f[k] = 0;
            for (int sign = -1; sign <= 1; sign += 2) {
                for (int c = 0; c < dofs; c++) moved[c] = sign * v[c] + h * (k - 2) * d1[c];
                set_rates(s, &in, moved, NULL);
                f[k] += 0.5 * dot(dofs, residual(s, &in), d2);
            }
        }
        double size = form_size(&m, d1, d2) + size_of_dot(dofs, still, d2);
        CHECK_CLOSE(s, form(&m, d1, d2), first_difference(f, h), 1e-8 * size);
    }
    free(v);
    free(d1);
    free(d2);
    free(moved);
    free(still);
    free(m.a);
}

static void jacobian_at(const subject *s, const double *q, const double *cache,
                        const attachment *at, measure what, point_jacobian *j)
{
    s->ops->point_jacobian(s->model, q, cache, at, what, j);
}

static double point_rate(const point_jacobian *j, int component, const double *d)
{
    double sum = 0;
    for (int run = 0, c = 0; run < j->runs; run++)
        for (int i = 0; i < j->run[run].count; i++, c++)
            sum += j->J[3 * c + component] * d[j->run[run].first + i];
    return sum;
}

/* Displacement, or rotation vector, from the value here to the one at a moved configuration. */
static void point_difference(subject *s, const double *q, const attachment *at, measure what,
                             const double *here, double *out)
{
    double J[3 * LARGEST_JACOBIAN], inverse[9], turn[9];
    point_jacobian j = {.J = J};
    s->ops->refresh(s->model, q, s->other_cache);
    jacobian_at(s, q, s->other_cache, at, what, &j);
    if (what != MEASURE_FRAME) {
        v3_sub(out, j.value, here);
        return;
    }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) inverse[3 * c + r] = here[3 * r + c];
    m3_multiply(turn, j.value, inverse);
    cord__rotation_log(out, turn);
}

static void check_point_jacobian(subject *s, const attachment *at, measure what)
{
    double J[3 * LARGEST_JACOBIAN], *d = numbers(s->shape.dofs);
    point_jacobian j = {.J = J};
    jacobian_at(s, s->q, s->cache, at, what, &j);
    CHECK(s, j.dofs <= s->shape.jacobian_dofs && j.runs <= JACOBIAN_RUNS);
    int counted = 0;
    for (int run = 0; run < j.runs; run++) {
        CHECK(s, j.run[run].first >= 0);
        CHECK(s, j.run[run].first + j.run[run].count <= s->shape.dofs);
        counted += j.run[run].count;
    }
    CHECK(s, counted == j.dofs);
    if (at->unit >= 0) {
        const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        CHECK(s, j.runs == 1 && j.run[0].first == at->unit && j.run[0].count == 3);
        CHECK(s, memcmp(J, identity, sizeof identity) == 0);
    }
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        const double h = 1e-3;
        double moved[5][3];
        random_direction(s, 1, true, d);
        for (int k = 0; k < 5; k++)
            point_difference(s, along(s, d, h * (k - 2)), at, what, j.value, moved[k]);
        for (int i = 0; i < 3; i++) {
            double f[5];
            for (int k = 0; k < 5; k++) f[k] = moved[k][i];
            /* Rotation vectors: quadratic terms cancel in differences. Inside an element the effect of its
             * curvature is interpolated between the nodes of a quadrature rule. */
            double close = s->shape.inertial_count && at->unit < 0 ? 2e-7 : 1e-9;
            CHECK_CLOSE(s, point_rate(&j, i, d), first_difference(f, h),
                        close * (1 + fabs(f[4]) / h));
        }
    }
    free(d);
}

static void check_points(subject *s)
{
    if (left_out(s, "points", s->with->lacks.points)) return;
    for (int i = 0; i < POINTS; i++) check_point_jacobian(s, s->point + i, MEASURE_POSITION);
    for (int i = 0; i < s->frames; i++) check_point_jacobian(s, s->frame + i, MEASURE_FRAME);
    for (int i = 0; i < POINTS && s->with->curvatures; i++)
        check_point_jacobian(s, s->curvature + i, MEASURE_CURVATURE);
}

/* To round-off: the error must not accumulate over the increments. Where a frame is integrated
 * from a node the error is that of several products. */
static void check_orthonormal(subject *s, const double *frame)
{
    double round = s->shape.inertial_count ? 1e-14 : 2e-15;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            CHECK_CLOSE(s, v3_dot(frame + 3 * a, frame + 3 * b), a == b, round);
    double cross[3];
    v3_cross(cross, frame, frame + 3);
    CHECK_CLOSE(s, v3_dot(cross, frame + 6), 1, round);
}

static void check_retraction(subject *s)
{
    double *d = numbers(s->shape.dofs), J[3 * LARGEST_JACOBIAN];
    const double *same = along(s, d, 1);
    /* Not bit for bit: directors are orthonormalised. */
    for (int i = 0; i < s->shape.q_count; i++)
        CHECK_CLOSE(s, same[i], s->q[i], 4e-15 * (1 + fabs(s->q[i])));
    for (int k = 0; k < 1000; k++) {
        random_direction(s, 0.01, true, d);
        retract(s, s->q, d);
    }
    set_state(s);
    for (int i = 0; i < s->frames; i++) {
        point_jacobian j = {.J = J};
        jacobian_at(s, s->q, s->cache, s->frame + i, MEASURE_FRAME, &j);
        check_orthonormal(s, j.value);
    }
    free(d);
}

/* Elastic forces (torques on frames included) do no work on rigid motions, multipliers neither; and
 * the momenta are the derivatives of the kinetic energy along rigid motions. */
static void check_balance(subject *s, const block_eval *in, const double *r)
{
    int dofs = s->shape.dofs;
    if (!s->with->rigid) return;
    double *v = numbers(dofs);
    for (int k = 0; k < 6; k++) {
        double u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
        (k < 3 ? u : w)[k % 3] = 1;
        s->with->rigid(s->model, in->q, in->cache, u, w, v);
        double size = size_of_dot(dofs, r, v);
        CHECK_CLOSE(s, dot(dofs, r, v), 0, 1e-12 * size + 1e-13);
    }
    free(v);
}

static void check_forces_balance(subject *s)
{
    double *lambda = numbers(s->shape.rows), gravity[3];
    v3_copy(gravity, s->env.gravity);
    v3_set(s->env.gravity, 0, 0, 0);
    block_eval in = at_state(s);
    check_balance(s, &in, residual(s, &in));
    for (int i = 0; i < s->shape.rows; i++) lambda[i] = random_number(&s->random);
    in.lambda = lambda;
    check_balance(s, &in, residual(s, &in));
    v3_copy(s->env.gravity, gravity);
    free(lambda);
}

/* Momenta are the derivatives of the kinetic energy along rigid motions. */
static void check_momenta(subject *s)
{
    int dofs = s->shape.dofs;
    double *v = numbers(dofs), *rigid = numbers(dofs), *sum = numbers(dofs);
    random_direction(s, 1, true, v);
    block_energy here, e[2];
    energy_at(s, s->q, v, &here);
    for (int k = 0; k < 6; k++) {
        double u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
        (k < 3 ? u : w)[k % 3] = 1;
        s->with->rigid(s->model, s->q, s->cache, u, w, rigid);
        for (int side = 0; side < 2; side++) { /* T is quadratic: the difference is exact */
            for (int c = 0; c < dofs; c++) sum[c] = v[c] + (side ? -1 : 1) * rigid[c];
            energy_at(s, s->q, sum, e + side);
        }
        double momentum = k < 3 ? here.linear[k] : here.angular[k - 3];
        CHECK_CLOSE(s, momentum, 0.5 * (e[0].kinetic - e[1].kinetic),
                    1e-13 * (e[0].kinetic + e[1].kinetic));
    }
    free(v);
    free(rigid);
    free(sum);
}

/* The same block elsewhere, rotated: the same energies and, of a strand, rotated forces. */
static void check_invariance(subject *s)
{
    int n = s->def.vertex_count;
    double w[3] = {0.7, -1.9, 0.4}, shift[3] = {3, -2, 5}, nothing[3] = {0, 0, 0}, rotation[9];
    cord__rotation_exp(rotation, w);
    subject *t = begin_elsewhere(s->with, rotation, shift);
    v3_set(s->env.gravity, 0, 0, 0);
    v3_set(t->env.gravity, 0, 0, 0);
    subject *both[2] = {s, t};
    block_energy e[2];
    double *force[2] = {numbers(3 * n), numbers(3 * n)};
    for (int k = 0; k < 2; k++) {
        subject *o = both[k];
        o->ops->energy(o->model, &o->env, o->q, o->cache, o->v, NULL, e + k);
        block_eval in = at_state(o);
        const double *r = residual(o, &in);
        if (!o->world) o->with->ops->get_velocities(o->model, o->q, o->cache, r, force[k]);
    }
    double scale = elastic_of(e) + e[0].kinetic;
    CHECK_CLOSE(s, e[1].stretching, e[0].stretching, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].bending, e[0].bending, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].twisting, e[0].twisting, 1e-12 * scale);
    CHECK_CLOSE(s, e[1].kinetic, e[0].kinetic, 1e-12 * scale);
    rotate_vectors(force[0], n, rotation, nothing);
    double largest = 0;
    for (int i = 0; i < 3 * n; i++) largest = fmax(largest, fabs(force[0][i]));
    for (int i = 0; i < 3 * n; i++)
        CHECK_CLOSE(s, force[1][i], force[0][i], 1e-11 * largest + 1e-12);
    free(force[0]);
    free(force[1]);
    end(t);
}

/* Forces on inertial coordinates do their work along the chords of these: with them, the
 * residual times d is the change of the energies. */
static void check_inertial_work(subject *s, const block_eval *half, const midpoint_step *step,
                                double elastic)
{
    int count = s->shape.inertial_count;
    double *x0 = numbers(count), *x1 = numbers(count), *unit = numbers(count);
    block_eval in = *half;
    block_energy e;
    s->ops->inertial->coordinates(s->model, NULL, step->start, x0);
    s->ops->inertial->coordinates(s->model, NULL, step->end, x1);
    /* Their masses: twice the kinetic energy of each alone at unit speed. */
    random_vector(&s->random, count, s->inertial_a);
    double work = 0, size = fabs(elastic), round = 0;
    for (int i = 0; i < count; i++) {
        unit[i] = 1;
        s->ops->energy(s->model, &s->env, in.q, in.cache, s->zero, unit, &e);
        unit[i] = 0;
        double part = 2 * e.kinetic * s->inertial_a[i] * (x1[i] - x0[i]);
        work += part, size += fabs(part);
        round += fabs(2 * e.kinetic * s->inertial_a[i]) * (fabs(x0[i]) + fabs(x1[i]));
    }
    in.inertial_a = s->inertial_a;
    const double *r = midpoint_residual(s, &in, step);
    size += size_of_dot(s->shape.dofs, r, step->d);
    double done = dot(s->shape.dofs, r, step->d);
    CHECK_CLOSE(s, done, elastic + work, 1e-12 * size + 1e-15 * round);
    free(x0);
    free(x1);
    free(unit);
}

/* Between two states d apart, the force at the midpoint times d is the change of the elastic
 * energy. */
static void check_discrete_gradient(subject *s, double size)
{
    int dofs = s->shape.dofs, rows = s->shape.rows;
    size_t q_bytes = (size_t)s->shape.q_count * sizeof(double);
    double *d = numbers(dofs), *lambda = numbers(rows), *g0 = numbers(rows), *g1 = numbers(rows);
    double *start = numbers(s->shape.cache_count), *stop = numbers(s->shape.cache_count);
    double *half = numbers(s->shape.cache_count), *middle = numbers(s->shape.q_count), gravity[3];
    v3_copy(gravity, s->env.gravity);
    v3_set(s->env.gravity, 0, 0, 0);
    for (int trial = 0; trial < DIRECTIONS; trial++) {
        block_energy e0, e1;
        random_direction(s, size, true, d);
        rows_along(s, d, 0, g0);
        rows_along(s, d, 1, g1);
        energy_at(s, s->q, s->zero, &e0);
        energy_at(s, along(s, d, 1), s->zero, &e1);
        memcpy(stop, s->other_cache, (size_t)s->shape.cache_count * sizeof(double));
        memcpy(middle, along(s, d, 0.5), q_bytes);
        s->ops->refresh(s->model, s->q, start);
        s->ops->refresh(s->model, middle, half);
        if (s->ops->set_dependent_dofs) s->ops->set_dependent_dofs(s->model, half, d);
        block_eval in = at_state(s);
        midpoint_step step = {start, stop, d};
        in.q = middle, in.cache = half;
        const double *r = midpoint_residual(s, &in, &step);
        double work = dot(dofs, r, d), change = elastic_of(&e1) - elastic_of(&e0);
        /* Round-off of two energies, and of the sum of forces times displacements. */
        double round = elastic_of(&e0) + elastic_of(&e1) + size_of_dot(dofs, r, d);
        CHECK_CLOSE(s, work, change, 1e-12 * round);
        for (int i = 0; i < rows; i++) CHECK_CLOSE(s, s->g[i], g1[i], 0); /* g is at the end */
        check_balance(s, &in, r);
        for (int i = 0; i < rows; i++) lambda[i] = random_number(&s->random);
        in.lambda = lambda;
        double with_rows = dot(dofs, midpoint_residual(s, &in, &step), d), rows_work = 0;
        for (int i = 0; i < rows; i++) {
            rows_work += lambda[i] * (g1[i] - g0[i]);
            round += fabs(lambda[i]) * s->scale[0]; /* g is a difference of lengths */
        }
        CHECK_CLOSE(s, with_rows, work - rows_work, 1e-12 * round);
        if (s->shape.inertial_count) check_inertial_work(s, &in, &step, change);
    }
    v3_copy(s->env.gravity, gravity);
    void *arrays[] = {d, lambda, g0, g1, start, stop, half, middle};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

/* A cache is a function of q alone: its earlier contents do not matter. */
static void check_cache(subject *s)
{
    size_t bytes = (size_t)s->shape.cache_count * sizeof(double);
    size_t dofs = (size_t)s->shape.dofs * sizeof(double);
    double *r = numbers(s->shape.dofs);
    block_eval in = at_state(s);
    memcpy(r, residual(s, &in), dofs);
    memset(s->other_cache, 0xff, bytes); /* NaNs */
    s->ops->refresh(s->model, s->q, s->other_cache);
    for (int i = 0; i < s->shape.cache_count; i++) {
        /* The allocation for the largest element is not fully used by every element. */
        bool unused =
            (s->shape.inertial_count || s->world) && s->cache[i] == 0 && isnan(s->other_cache[i]);
        CHECK(s, unused || memcmp(s->cache + i, s->other_cache + i, sizeof(double)) == 0);
    }
    in.cache = s->other_cache;
    CHECK(s, memcmp(r, residual(s, &in), dofs) == 0);
    free(r);
}

static void check_rest(subject *s)
{
    if (s->ops->rows && s->ops->rows->error && !s->def.natural_positions)
        CHECK_CLOSE(s, s->ops->rows->error(s->model, s->cache), 0, 1e-13);
    double *x = numbers(3 * s->def.vertex_count);
    s->with->ops->get_positions(s->model, &(block_eval){.q = s->q, .cache = s->cache}, x);
    double close = s->shape.inertial_count ? 1e-9 : s->with->fitted; /* a curve that is fitted */
    for (int i = 0; s->def.positions && i < 3 * s->def.vertex_count; i++)
        CHECK_CLOSE(s, x[i], s->def.positions[i], close);
    s->with->ops->get_velocities(s->model, s->q, s->cache, s->v, x);
    for (int i = 0; s->def.velocities && i < 3 * s->def.vertex_count; i++)
        CHECK_CLOSE(s, x[i], s->def.velocities[i], close);
    free(x);
}

/* displacement() is the inverse of the retraction, set_velocities() and get_velocities() agree:
 * exactly where vertices are the unknowns, and otherwise for motions that the model can
 * represent. */
static void check_queries(subject *s)
{
    const strand_ops *ops = s->with->ops;
    int n = s->def.vertex_count;
    bool inertial = s->shape.inertial_count;
    double *x = numbers(3 * n), *y = numbers(3 * n), *d = numbers(s->shape.dofs);
    random_vector(&s->random, 3 * n, x);
    random_direction(s, 1, false, d);
    if (inertial) ops->get_velocities(s->model, s->q, s->cache, d, x);
    assert_int_equal(ops->set_velocities(s->model, &s->memory, s->q, s->cache, s->v, x), CORD_OK);
    ops->get_velocities(s->model, s->q, s->cache, s->v, y);
    for (int i = 0; i < 3 * n; i++) CHECK_CLOSE(s, y[i], x[i], inertial ? 3e-5 : s->with->fitted);
    ops->get_positions(s->model, &(block_eval){.q = s->q, .cache = s->cache}, x);
    for (int i = 0; i < 3 * n; i++) x[i] += 0.02 * random_number(&s->random);
    if (inertial) {
        random_direction(s, 0.1, false, d);
        const double *moved = along(s, d, 1);
        s->ops->refresh(s->model, moved, s->other_cache);
        ops->get_positions(s->model, &(block_eval){.q = moved, .cache = s->other_cache}, x);
    }
    assert_int_equal(ops->displacement(s->model, &s->memory, s->q, x, d), CORD_OK);
    const double *there = along(s, d, 1);
    s->ops->refresh(s->model, there, s->other_cache);
    ops->get_positions(s->model, &(block_eval){.q = there, .cache = s->other_cache}, y);
    for (int i = 0; i < 3 * n; i++)
        CHECK_CLOSE(s, y[i], x[i], inertial ? 1e-7 : fmax(1e-14, s->with->fitted));
    free(x);
    free(y);
    free(d);
}

/* The negative pivots of the matrix in the block's order, and the solution; prescribed dofs have their values in b. */
static int solve_dense(const subject *s, const dense *m, const unsigned char *prescribed,
                       const double *b, double *x)
{
    int n = m->n, negative = -1;
    double *a = numbers(n * n), *ordered = numbers(n * n);
    memcpy(x, b, (size_t)n * sizeof *x);
    memcpy(a, m->a, (size_t)(n * n) * sizeof *a);
    for (int c = 0; c < m->dofs; c++) {
        for (int u = 0; prescribed[c] && u < n; u++) {
            if (u >= m->dofs || !prescribed[u]) x[u] -= entry(m, u, c) * b[c];
            a[c * n + u] = a[u * n + c] = u == c;
        }
    }
    for (int u = 0; u < n; u++)
        for (int v = 0; v < n; v++) ordered[s->position[u] * n + s->position[v]] = a[u * n + v];
    int vanished = cord__dense_factor(n, n, ordered, &negative);
    CHECK(s, vanished < 0);
    dense_solve(n, a, x);
    free(a);
    free(ordered);
    return negative;
}

/* A private solver solves the assembled system, whichever dofs are prescribed, and counts its negative
 * pivots. The matrix has ρ BᵀB added: that changes multipliers by ρ times the rows' right-hand
 * side, and nothing else. */
static void check_private_solver(subject *s)
{
    int n = s->unknowns, dofs = s->shape.dofs, negative;
    if (s->shape.private_count == 0) return;
    double *b = numbers(n), *x = numbers(n), *expected = numbers(n);
    double *matrix = numbers(s->shape.private_count), *lambda = numbers(s->shape.rows);
    unsigned char *prescribed = allocate(dofs, 1);
    for (int i = 0; i < s->shape.rows; i++) lambda[i] = 1e-3 * random_number(&s->random);
    for (int trial = 0; trial < 12; trial++) {
        int first_prescribed = 3 * (trial % 3); /* free, pinned, clamped */
        bool rows = trial / 3 % 2, indefinite = trial / 6;
        block_eval in = at_state(s);
        in.c_a = indefinite ? -30 : 1e6, in.c_v = indefinite ? 0 : 1e3, in.c_k = 1;
        in.lambda = lambda;
        dense m = assemble_dense(s, &in);
        local_matrix local = {.private_matrix = matrix};
        memset(matrix, 0, (size_t)s->shape.private_count * sizeof *matrix);
        s->ops->assemble(s->model, &in, s->r, s->g, &local);
        for (int c = 0; c < dofs; c++) prescribed[c] = s->prescribed[c] || c < first_prescribed;
        for (int u = 0; u < n; u++) {
            b[u] = (u < dofs || rows) ? random_number(&s->random) : 0;
            x[s->position[u]] = b[u];
        }
        int counted = solve_dense(s, &m, prescribed, b, expected);
        bool factored = s->ops->private_solver->factor(s->model, prescribed, matrix, &negative);
        CHECK(s, factored);
        s->ops->private_solver->solve(s->model, prescribed, matrix, x);
        CHECK(s, negative == counted);
        CHECK(s, indefinite || negative == s->shape.rows);
        for (int part = 0; part < (rows ? 1 : 2); part++) {
            int first = part ? dofs : 0, last = part ? n : dofs;
            double largest = 0;
            for (int u = first; u < last; u++) largest = fmax(largest, fabs(expected[u]));
            for (int u = first; u < last; u++)
                CHECK_CLOSE(s, x[s->position[u]], expected[u], 1e-8 * largest);
        }
        free(m.a);
    }
    void *arrays[] = {b, x, expected, matrix, lambda, prescribed};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static void block_interface(void **with)
{
    subject *s = begin(*with);
    bool strand = !s->world, rigid = !left_out(s, "rigid motions", s->with->lacks.rigid);
    if (strand) check_rest(s);
    if (rigid) check_invariance(s);
    end(s);
    s = begin(*with);
    shake(s);
    check_shape(s);
    check_cache(s);
    check_gradient(s);
    check_rows(s);
    if (!left_out(s, "second derivatives", s->with->lacks.hessian)) check_hessian(s);
    check_mass(s);
    check_private_solver(s);
    check_damping(s);
    check_points(s);
    if (rigid) check_forces_balance(s);
    if (rigid) check_momenta(s);
    /* Large and small motions: round-off must not affect the correction. */
    bool midpoint = !left_out(s, "discrete gradients", s->with->lacks.midpoint);
    for (int i = 0; midpoint && i < 3 && !s->with->by_motion; i++)
        check_discrete_gradient(s, (double[]){0.05, 1e-3, 1e-6}[i]);
    if (strand) check_queries(s);
    check_retraction(s);
    end(s);
}

/* ---- the whole suite ---------------------------------------------------------------------------- */

enum { NAME = 128 };

int conformance_group(const conformance_case *cases, int count, const struct CMUnitTest *more,
                      int more_count)
{
    int most = count * (1 + DYNAMIC_INTEGRATIONS) + more_count, tests = 0;
    struct CMUnitTest *test = allocate(most, sizeof *test);
    conformance_flight *flights = allocate(most, sizeof *flights);
    char(*name)[NAME] = allocate(most, NAME);
    for (int i = 0; i < count; i++, tests++) {
        snprintf(name[tests], NAME, "%s", cases[i].name);
        test[tests] =
            (struct CMUnitTest){name[tests], block_interface, NULL, NULL, (void *)(cases + i)};
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < DYNAMIC_INTEGRATIONS; k++) {
            bool symplectic = integrations[k].integrator == CORD_SYMPLECTIC;
            if (cases[i].frames > 0 || (cases[i].no_symplectic && symplectic)) continue;
            if (cases[i].lacks.flight && k > 0) continue; /* the reason is printed once */
            flights[tests] = (conformance_flight){cases + i, k};
            snprintf(name[tests], NAME, "%s, %s", cases[i].name, integrations[k].name);
            test[tests] =
                (struct CMUnitTest){name[tests], conformance_fly, NULL, NULL, flights + tests};
            tests++;
        }
    for (int i = 0; i < more_count; i++) test[tests++] = more[i];
    int failures = _cmocka_run_group_tests("conformance", test, (size_t)tests, NULL, NULL);
    free(test);
    free(flights);
    free(name);
    return failures;
}
