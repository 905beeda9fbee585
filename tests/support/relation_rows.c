#include "support/relation_rows.h"

#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

/* g of a relation moved by `by` along d from where the world is. */
static void moved_rows(cord_world *w, relation *r, const double *d, double by, double *g)
{
    problem *p = &w->problem;
    double *q = calloc((size_t)p->q_count, sizeof *q);
    double *step = calloc((size_t)p->v_count, sizeof *step);
    double *cache = calloc((size_t)p->cache_count, sizeof *cache);
    assert_true(q && step && cache);
    memcpy(q, p->now.q, (size_t)p->q_count * sizeof *q);
    for (int c = 0; c < p->v_count; c++) step[c] = by * d[c];
    for (int i = 0; i < p->blocks; i++) {
        const block *b = p->block[i];
        b->ops->retract(b->model, q + b->q0, step + b->v0);
        b->ops->refresh(b->model, q + b->q0, cache + b->cache0);
    }
    cord__relation_evaluate(p, r, q, cache, p->now.time, NULL);
    memcpy(g, r->value.g, RELATION_ROWS * sizeof *g);
    free(q), free(step), free(cache);
}

/* A random motion; columns that follow from others do. To be freed. */
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
        if (b->ops->follow) b->ops->follow(b->model, p->cache + b->cache0, d + b->v0);
    }
    return d;
}

static const int at[4] = {-2, -1, 1, 2};

void check_row_rates(cord_world *w, cord_relation handle, double tolerance)
{
    static const double weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const double h = 3e-4;
    double *d = any_motion(w, 11), change[RELATION_ROWS] = {0};
    problem *p = &w->problem;
    relation *r = w->relations.item[handle.index - 1];
    for (int k = 0; k < 4; k++) {
        double g[RELATION_ROWS];
        moved_rows(w, r, d, h * at[k], g);
        for (int row = 0; row < r->ops->rows; row++) change[row] += weight[k] / h * g[row];
    }
    cord__relation_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    for (int row = 0; row < r->ops->rows; row++) {
        double rate = 0, size = 0;
        for (int c = 0; c < r->columns; c++) {
            rate += r->B[row * r->columns + c] * d[r->column[c]];
            size += fabs(r->B[row * r->columns + c] * d[r->column[c]]);
        }
        assert_true(size > 1e-3);
        assert_close(rate, change[row], tolerance * size);
    }
    free(d);
}

void check_row_curvature(cord_world *w, cord_relation handle, double tolerance)
{
    static const double weight[4] = {-1 / 12.0, 16 / 12.0, 16 / 12.0, -1 / 12.0};
    const double h = 3e-4;
    for (uint64_t seed = 3; seed < 8; seed++) {
        double *d = any_motion(w, seed), g[RELATION_ROWS], lambda[RELATION_ROWS] = {0};
        uint64_t random = seed;
        random_vector(&random, RELATION_ROWS, lambda);
        problem *p = &w->problem;
        relation *r = w->relations.item[handle.index - 1];
        double second = 0, formed = 0, size = 0;
        moved_rows(w, r, d, 0, g);
        for (int row = 0; row < r->ops->rows; row++) second -= 2.5 * lambda[row] * g[row];
        for (int k = 0; k < 4; k++) {
            moved_rows(w, r, d, h * at[k], g);
            for (int row = 0; row < r->ops->rows; row++) second += weight[k] * lambda[row] * g[row];
        }
        second /= h * h;
        cord__relation_evaluate(p, r, p->now.q, p->cache, p->now.time, lambda);
        for (int c = 0; c < r->columns; c++)
            for (int k = 0; k < r->columns; k++) {
                double K = r->K[c < k ? c * r->columns + k : k * r->columns + c];
                double part = d[r->column[c]] * K * d[r->column[k]];
                formed += part;
                size += fabs(part);
            }
        assert_true(size > 1e-3);
        assert_close(formed, second, tolerance * size);
        free(d);
    }
}
