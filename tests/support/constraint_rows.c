#include "support/constraint_rows.h"

#include "math/band.h"
#include "math/rotation.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* The configuration displaced by `by` along d from that of the world. To be freed. */
typedef struct moved {
    double *q, *cache;
} moved;

static moved move(const problem *p, const double *d, double by)
{
    moved m = {calloc((size_t)p->q_count, sizeof *m.q),
               calloc((size_t)p->cache_count, sizeof *m.cache)};
    double *step = calloc((size_t)p->v_count, sizeof *step);
    assert_true(m.q && m.cache && step);
    memcpy(m.q, p->now.q, (size_t)p->q_count * sizeof *m.q);
    for (int c = 0; c < p->v_count; c++) step[c] = by * d[c];
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        b->ops->retract(b->model, m.q + b->q0, step + b->v0);
        b->ops->refresh(b->model, m.q + b->q0, m.cache + b->cache0);
    }
    free(step);
    return m;
}

static void free_moved(moved m)
{
    free(m.q), free(m.cache);
}

/* g of a constraint in that configuration. */
static void moved_rows(cord_world *w, constraint *r, const double *d, double by, double *g)
{
    problem *p = &w->problem;
    moved m = move(p, d, by);
    cord__constraint_evaluate(p, r, m.q, m.cache, p->now.time, NULL);
    memcpy(g, r->work.value.g, CONSTRAINT_ROWS * sizeof *g);
    free_moved(m);
}

/* A random motion; dependent dofs follow from the others. To be freed. */
static double *any_motion(cord_world *w, uint64_t seed)
{
    assert_fine(w, cord__world_ready(w));
    problem *p = &w->problem;
    double *d = calloc((size_t)p->v_count, sizeof *d);
    assert_non_null(d);
    random_vector(&seed, p->v_count, d);
    cord__refresh_all(w);
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        if (b->ops->set_dependent_dofs)
            b->ops->set_dependent_dofs(b->model, p->cache + b->cache0, d + b->v0);
    }
    return d;
}

double check_rows_along(cord_world *w, constraint *r, const double *d, const double *lambda)
{
    problem *p = &w->problem;
    const double h = 1e-3; /* h⁴ = 1e-12 times derivatives of order 10; round-off 1e-16/h */
    double g[5][CONSTRAINT_ROWS], bend = 0;
    for (int k = 0; k < 5; k++) moved_rows(w, r, d, h * (k - 2), g[k]);
    cord__refresh_all(w);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, lambda);
    for (int row = 0; row < r->ops->rows; row++) {
        double rate = 0;
        for (int c = 0; c < r->term.dofs; c++)
            rate += r->term.B[row * r->term.dofs + c] * d[r->term.dof[c]];
        assert_close(rate, (g[0][row] - 8 * g[1][row] + 8 * g[3][row] - g[4][row]) / (12 * h),
                     1e-9);
        bend += lambda[row] *
                (-g[0][row] + 16 * g[1][row] - 30 * g[2][row] + 16 * g[3][row] - g[4][row]) /
                (12 * h * h);
    }
    return bend;
}

double row_form(const constraint *r, const double *d)
{
    double form = 0;
    for (int a = 0; a < r->term.dofs; a++)
        for (int b = 0; b < r->term.dofs; b++)
            form += d[r->term.dof[a]] * cord__hessian_entry(&r->term, a, b) * d[r->term.dof[b]];
    return form;
}

static const int at[4] = {-2, -1, 1, 2};

void check_row_rates(cord_world *w, cord_constraint handle, double tolerance)
{
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const double h = 1e-4;
    double *d = any_motion(w, 11), change[CONSTRAINT_ROWS] = {0};
    problem *p = &w->problem;
    constraint *r = cord__constraint_at(w, (int)handle.index - 1);
    for (int k = 0; k < 4; k++) {
        double g[CONSTRAINT_ROWS];
        moved_rows(w, r, d, h * at[k], g);
        for (int row = 0; row < r->ops->rows; row++) change[row] += weight[k] / h * g[row];
    }
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    for (int row = 0; row < r->ops->rows; row++) {
        double rate = 0, size = 0;
        for (int c = 0; c < r->term.dofs; c++) {
            rate += r->term.B[row * r->term.dofs + c] * d[r->term.dof[c]];
            size += fabs(r->term.B[row * r->term.dofs + c] * d[r->term.dof[c]]);
        }
        assert_true(size > 1e-3);
        assert_close(rate, change[row], tolerance * size);
    }
    free(d);
}

/* dᵀ A d of a band and of the extra entries after it. */
static double in_matrix(const block *b, const double *band, const int *pairs, const double *d)
{
    double sum = 0;
    int stride = BAND_STRIDE(b->shape.band_width);
    for (int c = 0; c < b->shape.dofs; c++)
        for (int k = 0; k < b->shape.dofs; k++) {
            int below = b->order[k] - b->order[c];
            if (below < 0 || below > b->shape.band_width) continue;
            sum += (below > 0 ? 2 : 1) * band[b->order[c] * stride + below] * d[c] * d[k];
        }
    const double *extra = band + band_size(b->shape.band_count, b->shape.band_width);
    for (int i = 0; i < b->shape.extra_entries; i++) {
        int c = pairs[2 * i], k = pairs[2 * i + 1];
        if (c < b->shape.dofs && k < b->shape.dofs)
            sum += (c != k ? 2 : 1) * extra[i] * d[c] * d[k];
    }
    return sum;
}

/* The entries that a force on a constraint's point adds to the matrix of the chain that has this
 * point. */
static double in_block(const problem *w, const constraint *r, int part, const double *lambda,
                       const double *d)
{
    const block *b = w->block[r->term.part[part].block];
    const point *p = w->point[r->term.point[part / 2]];
    measure what = cord__part_measure(&r->term, part);
    double force[3] = {0, 0, 0};
    if (!b->ops->add_geometric_stiffness) return 0;
    for (int row = 0; row < r->ops->rows; row++)
        v3_axpy(force, lambda[row], r->work.value.D[row] + 3 * part);
    int extras = b->shape.extra_entries;
    int size = (int)band_size(b->shape.band_count, b->shape.band_width);
    double *band = calloc((size_t)(size + extras), sizeof *band);
    int *slot = calloc((size_t)(3 * extras + 1), sizeof *slot), *pairs = slot + extras;
    for (int i = 0; i < extras; i++) slot[i] = size + i;
    if (extras > 0) b->ops->extra_entries(b->model, pairs);
    local_matrix matrix = {
        .values = band, .stride = BAND_STRIDE(b->shape.band_width), .extra_slot = slot};
    if (r->term.part[part].slider >= 0)
        cord__add_sliding_stiffness(w, p, w->now.q, what, force, 1, &matrix);
    else
        b->ops->add_geometric_stiffness(b->model, w->now.q + b->q0, w->cache + b->cache0,
                                        cord__attachment(p, what), what, force, 1, &matrix);
    double sum = in_matrix(b, band, pairs, d + b->v0);
    free(slot);
    free(band);
    return -sum;
}

void check_row_curvature(cord_world *w, cord_constraint handle, double tolerance)
{
    static const double weight[4] = {-1 / 12.0, 16 / 12.0, 16 / 12.0, -1 / 12.0};
    const double h = 3e-4;
    for (uint64_t seed = 3; seed < 8; seed++) {
        double *d = any_motion(w, seed), g[CONSTRAINT_ROWS], lambda[CONSTRAINT_ROWS] = {0};
        uint64_t random = seed;
        random_vector(&random, CONSTRAINT_ROWS, lambda);
        problem *p = &w->problem;
        constraint *r = cord__constraint_at(w, (int)handle.index - 1);
        double second = 0, formed = 0, size = 0;
        moved_rows(w, r, d, 0, g);
        for (int row = 0; row < r->ops->rows; row++) second -= 2.5 * lambda[row] * g[row];
        for (int k = 0; k < 4; k++) {
            moved_rows(w, r, d, h * at[k], g);
            for (int row = 0; row < r->ops->rows; row++) second += weight[k] * lambda[row] * g[row];
        }
        second /= h * h;
        cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, lambda);
        for (int c = 0; c < r->term.dofs; c++)
            for (int k = 0; k < r->term.dofs; k++) {
                double K = cord__hessian_entry(&r->term, c, k);
                double part = d[r->term.dof[c]] * K * d[r->term.dof[k]];
                formed += part;
                size += fabs(part);
            }
        assert_true(size > 1e-3);
        for (int part = 0; part < TERM_PARTS; part++)
            if (r->term.part[part].block >= 0) formed += in_block(p, r, part, lambda, d);
        assert_close(formed, second, tolerance * size);
        free(d);
    }
}

/* F₂ᵀ(x₁ − x₂) and F₂ᵀF₁, displaced by `by` along d. */
static void moved_poses(cord_world *w, const viscous_friction *f, const double *d, double by,
                        double *place, double *turned)
{
    problem *p = &w->problem;
    moved m = move(p, d, by);
    double apart[3];
    pose poses[2];
    for (int side = 0; side < 2; side++)
        cord__pose(p, f->base.term.point[side], f->base.term.needs[side], m.q, m.cache, p->now.time,
                   poses + side);
    v3_sub(apart, poses[0].position, poses[1].position);
    m3_apply_transposed(place, poses[1].frame, apart);
    m3_transposed_multiply(turned, poses[1].frame, poses[0].frame);
    free_moved(m);
}

/* The motion by differences, in world axes. */
static void seen_motion(cord_world *w, const viscous_friction *f, const double *d, double u[3])
{
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const double h = 3e-4;
    double place[3] = {0, 0, 0}, turn[3] = {0, 0, 0}, x[3], frame[9], now[9];
    pose second;
    moved_poses(w, f, d, 0, x, now);
    for (int k = 0; k < 4; k++) {
        double between[9], inverse[9], angle[3];
        moved_poses(w, f, d, h * at[k], x, frame);
        v3_axpy(place, weight[k] / h, x);
        for (int i = 0; i < 9; i++) inverse[i] = now[3 * (i % 3) + i / 3];
        m3_multiply(between, frame, inverse);
        cord__rotation_log(angle, between);
        v3_axpy(turn, weight[k] / h, angle);
    }
    cord__pose(&w->problem, f->base.term.point[1], NEEDS_POSITION | NEEDS_FRAME, w->problem.now.q,
               w->problem.cache, w->problem.now.time, &second);
    m3_apply(u, second.frame, f->rotational ? turn : place);
}

void check_friction_rates(cord_world *w, cord_constraint handle, double tolerance)
{
    double *d = any_motion(w, 17), u[3], seen[3];
    problem *p = &w->problem;
    const constraint *owner = cord__constraint_at(w, (int)handle.index - 1);
    viscous_friction *f = owner->friction;
    assert_non_null(f);
    seen_motion(w, f, d, seen);
    cord__refresh_all(w);
    cord__friction_rate(p, f, p->now.q, p->cache, p->now.time, d, u);
    double size = v3_norm(seen);
    assert_true(size > 1e-3);
    if (owner->ops->rows < 3) { /* the removed part is the prescribed part, and all of it */
        double gone[3];
        constraint_value value = {0};
        pose poses[2];
        for (int side = 0; side < 2; side++)
            cord__pose(p, owner->term.point[side], f->base.term.needs[side], p->now.q, p->cache,
                       p->now.time, poses + side);
        owner->ops->evaluate(&owner->def.params, poses, poses + 1, &value);
        int part = f->rotational ? 1 : 0;
        v3_sub(gone, seen, u);
        for (int row = 0; row < owner->ops->rows; row++)
            assert_close(v3_dot(u, value.D[row] + 3 * part), 0, tolerance * size);
        assert_close(v3_dot(gone, u), 0, tolerance * size * size);
        for (int row = 0; row < owner->ops->rows; row++) {
            const double *n = value.D[row] + 3 * part;
            assert_close(v3_dot(gone, n), v3_dot(seen, n), tolerance * size);
        }
    } else {
        assert_close(v3_distance(u, seen), 0, tolerance * size);
    }
    free(d);
}
