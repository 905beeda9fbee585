#include "bench/baselines/band_lu.h"
#include "bench/baselines/cuthill_mckee.h"
#include "bench/bench.h"
#include "bench/constraints/trial.h"

#include <math.h>
#include <string.h>

/* y = A x */
static void multiply(const trial *t, const double *x, double *y)
{
    memset(y, 0, (size_t)t->x.unknowns * sizeof *y);
    for (int e = 0; e < t->x.entries; e++) {
        int i = t->x.row[e], j = t->x.col[e];
        y[i] += t->value[e] * x[j];
        if (i != j) y[j] += t->value[e] * x[i];
    }
}

bool trial_solve_sparse(const trial *t)
{
    cord__sparse_clear(t->f);
    for (int e = 0; e < t->x.entries; e++) t->f->a[t->f->slot[e]] = t->value[e];
    bool fine = cord__sparse_factor(t->f) == CORD_OK;
    cord__sparse_solve(t->f, t->b, t->u);
    return fine;
}

bool trial_solve_band(const trial *t)
{
    const cluster_matrix *x = &t->x;
    int n = x->unknowns, width = t->width;
    const int *inverse = t->inverse;
    memset(t->band, 0, band_lu_size(n, width) * sizeof *t->band);
    for (int e = 0; e < x->entries; e++) {
        int i = inverse[x->row[e]], j = inverse[x->col[e]];
        t->band[band_lu_at(width, i, j)] = t->band[band_lu_at(width, j, i)] = t->value[e];
    }
    for (int u = 0; u < n; u++) t->residual[inverse[u]] = t->b[u];
    bool fine = cord__band_lu_factor(n, width, t->band, t->pivot) < 0;
    cord__band_lu_solve(n, width, t->band, t->pivot, t->residual);
    for (int u = 0; u < n; u++) t->u[u] = t->residual[inverse[u]];
    return fine;
}

double trial_residual(const trial *t)
{
    double most = 0, scale = 0;
    multiply(t, t->u, t->residual);
    for (int i = 0; i < t->x.unknowns; i++) {
        if (!isfinite(t->u[i])) return NAN;
        most = fmax(most, fabs(t->residual[i] - t->b[i]));
        scale = fmax(scale, fabs(t->b[i]));
    }
    return most / scale;
}

double trial_time(const trial *t, bool (*solve)(const trial *t))
{
    double best = INFINITY, all = 0;
    for (int i = 0; i < 200 && all < 0.7; i++) {
        double start = bench_processor_time();
        bool fine = solve(t);
        double took = bench_processor_time() - start;
        all += took;
        best = fine ? fmin(best, took) : NAN;
    }
    return best;
}

/* Values of a step of backward Euler; entries are in the order of f. */
static void read_values(cord_world *w, trial *t)
{
    const double h = 1e-3;
    stage at = {.c_a = 1 / (h * h), .c_v = 1 / h, .c_k = 1};
    cord__refresh(&w->problem, w->partition.cluster, w->problem.trial.q, w->problem.cache);
    cord__assemble(&w->problem, w->partition.cluster, &at, true);
    cord__complete_equations(&w->problem, w->partition.cluster);
    for (int e = 0; e < t->x.entries; e++) t->value[e] = t->f->a[t->f->slot[e]];
}

cord_status trial_set_order(trial *t, const int *inverse)
{
    cord__release(&t->mem, t->band);
    t->inverse = inverse;
    t->width = cord__half_bandwidth(t->x.entries, t->x.row, t->x.col, inverse);
    t->band = NEW(&t->mem, double, band_lu_size(t->x.unknowns, t->width));
    return t->band ? CORD_OK : CORD_ERROR_MEMORY;
}

cord_status trial_make(cord_world *w, trial *t)
{
    cluster *s = w->partition.cluster;
    *t = (trial){.f = &s->factor};
    cord__memory_init(&t->mem, NULL);
    cord_status status = cord__matrix_read(&t->x, &t->mem, &w->problem, s);
    if (status != CORD_OK) return status;
    int n = t->x.unknowns;
    t->value = NEW(&t->mem, double, t->x.entries);
    t->b = NEW(&t->mem, double, n);
    t->u = NEW(&t->mem, double, n);
    t->residual = NEW(&t->mem, double, n);
    t->pivot = NEW(&t->mem, int, n);
    if (!t->value || !t->b || !t->u || !t->residual || !t->pivot) return CORD_ERROR_MEMORY;
    for (int i = 0; i < n; i++) t->u[i] = sin(1 + i);
    read_values(w, t);
    multiply(t, t->u, t->b);
    return trial_set_order(t, t->x.inverse[ORDER_CUTHILL_MCKEE]);
}

void trial_free(trial *t)
{
    memory *m = &t->mem;
    cord__release(m, t->value);
    cord__release(m, t->band);
    cord__release(m, t->b);
    cord__release(m, t->u);
    cord__release(m, t->residual);
    cord__release(m, t->pivot);
    cord__matrix_free(&t->x, m);
}
