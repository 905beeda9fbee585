/* Completes the equations of an evaluation (assemble.c), factors their matrix and solves with it: in a band, by
 * a block's private solver, or in a sparse matrix. The functions for prescribed unknowns and proximal
 * terms are common to all of them, and to the cache-blocked factorisation (cache_blocking.c). */
#include "math/band.h"
#include "math/lu.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

/* ---- completing the equations ------------------------------------------------------------------- */

void cord__take_residuals(const problem *w, const int *source, int first, int end, double *y)
{
    for (int u = first; u < end; u++) {
        if (source[u] >= 0)
            y[u] -= w->r[source[u]];
        else if (source[u] != NO_SOURCE)
            y[u] -= w->g[~source[u]];
    }
}

void cord__eliminate_prescribed(const unknown_map *map, int first, int end, const int *permutation,
                                double *a, double *y)
{
    for (int i = first; i < end; i++) {
        const prescribed_entry *e = map->entry + i;
        int row = permutation ? permutation[e->row] : e->row,
            column = permutation ? permutation[e->column] : e->column;
        if (!map->is_prescribed[e->column]) y[column] -= a[e->slot] * y[row];
        if (!map->is_prescribed[e->row]) y[row] -= a[e->slot] * y[column];
        a[e->slot] = row == column ? 1 : 0;
    }
}

void cord__add_proximal(const unknown_map *map, int first, int end, double typical, double *a)
{
    for (int i = first; i < end; i++)
        a[map->multiplier[i].diagonal] -= PROXIMAL * map->multiplier[i].weight / typical;
}

/* −r and −g, of all unknowns; aliased dofs add theirs to the dofs they are identified with. */
static void fill_rhs(const problem *w, cluster *s)
{
    memset(s->rhs, 0, (size_t)s->map.count * sizeof *s->rhs);
    cord__take_residuals(w, s->map.source, 0, s->map.count, s->rhs);
    for (int i = 0; i < s->map.aliases; i++) {
        const aliased_dof *of = s->map.alias + i;
        s->rhs[of->unknown] -= *of->scale * w->r[of->dof];
    }
}

static void fill_prescribed(const problem *w, const cluster *s)
{
    for (int i = 0; i < s->map.prescribed_count; i++) {
        const prescribed_unknown *p = s->map.prescribed + i;
        s->rhs[p->unknown] = p->dof >= 0 ? w->delta[p->dof] : 0;
    }
}

/* In four sums, of which none waits for another. */
static double mean_diagonal(const unknown_map *map, const double *a)
{
    const int *at = map->diagonal;
    double sum[4] = {0};
    int u = 0;
    for (; u + 4 <= map->count; u += 4)
        for (int k = 0; k < 4; k++) sum[k] += fabs(a[at[u + k]]);
    for (; u < map->count; u++) sum[0] += fabs(a[at[u]]);
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) / map->count;
}

void cord__complete_equations(problem *w, cluster *s)
{
    const unknown_map *map = &s->map;
    double *a = s->values;
    fill_rhs(w, s);
    fill_prescribed(w, s);
    if (s->private_solve) return; /* the block replaces the equations of prescribed dofs itself */
    cord__add_proximal(map, 0, map->multipliers, mean_diagonal(map, a), a);
    cord__eliminate_prescribed(map, 0, map->entries, NULL, a, s->rhs);
}

/* ---- factoring ---------------------------------------------------------------------------------- */

static bool factor_private(problem *w, cluster *s)
{
    const block *b = w->block[s->block[0]];
    return b->ops->private_solver->factor(b->model, b->prescribed, b->private_matrix, &s->negative);
}

/* The band's kernels read a few values beyond the last unknown. */
static void pad_rhs(const problem *w, cluster *s)
{
    const block *b = w->block[s->block[0]];
    int n = b->shape.band_count;
    memset(s->rhs + n, 0, (band_vector_size(n, b->shape.band_width) - (size_t)n) * sizeof(double));
}

static bool factor_band(problem *w, cluster *s)
{
    const block *b = w->block[s->block[0]];
    pad_rhs(w, s);
    s->failed_pivot = cord__band_factor(b->shape.band_count, b->shape.band_width,
                                        b->shape.band_group, s->band, &s->negative);
    return s->failed_pivot < 0;
}

/* `solve`: also solve, unless there are unsymmetric rows, whose correction comes first. */
static bool factor_sparse(cluster *s, bool solve)
{
    sparse_ldl *f = &s->factor;
    cord_status status = solve && s->low_rank.max == 0
                             ? cord__sparse_factor_and_solve(f, s->rhs, s->x)
                             : cord__sparse_factor(f);
    s->negative = f->negative;
    s->failed_pivot = f->failed_pivot;
    return status == CORD_OK;
}

/* vᵀ x of an unsymmetric row. */
static double along(const cluster *s, int k, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->low_rank.size[k]; i++)
        sum += s->low_rank.value[UNSYMMETRIC_UNKNOWNS * k + i] *
               x[s->low_rank.unknown[UNSYMMETRIC_UNKNOWNS * k + i]];
    return sum;
}

/* Unsymmetric rows: A + Σ e_k v_kᵀ. Woodbury: with Z = A⁻¹ E, (A + E Vᵀ)⁻¹ = A⁻¹ − Z (1 + Vᵀ Z)⁻¹ Vᵀ A⁻¹; one solve
 * for each row. */
static bool factor_corrections(problem *w, cluster *s)
{
    s->low_rank.count = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.unsymmetric_rows; i++) {
            const unsymmetric_row *of = b->matrix.unsymmetric + i;
            if (of->count == 0) continue;
            int to = UNSYMMETRIC_UNKNOWNS * s->low_rank.count;
            for (int c = 0; c < of->count; c++)
                s->low_rank.unknown[to + c] = cord__unknown(w, b, of->unknown[c]);
            memcpy(s->low_rank.value + to, of->value, (size_t)of->count * sizeof *of->value);
            s->low_rank.size[s->low_rank.count] = of->count;
            memset(s->x, 0, (size_t)s->unknowns * sizeof *s->x);
            s->x[cord__unknown(w, b, of->row)] = 1;
            cord__sparse_solve(&s->factor, s->x,
                               s->low_rank.z + (size_t)s->low_rank.count * (size_t)s->unknowns);
            s->low_rank.count++;
        }
    }
    for (int i = 0; i < s->low_rank.count; i++)
        for (int j = 0; j < s->low_rank.count; j++)
            s->low_rank.m[i * s->low_rank.count + j] =
                (i == j) + along(s, i, s->low_rank.z + (size_t)j * (size_t)s->unknowns);
    return cord__lu_factor(s->low_rank.count, s->low_rank.m, s->low_rank.pivot);
}

void cord__correct(const cluster *s, double *x)
{
    for (int i = 0; i < s->low_rank.count; i++) s->low_rank.t[i] = along(s, i, x);
    cord__lu_solve(s->low_rank.count, s->low_rank.m, s->low_rank.pivot, s->low_rank.t);
    for (int i = 0; i < s->low_rank.count; i++) {
        const double *z = s->low_rank.z + (size_t)i * (size_t)s->unknowns;
        for (int u = 0; u < s->unknowns; u++) x[u] -= s->low_rank.t[i] * z[u];
    }
}

static bool factor(problem *w, cluster *s, bool solve)
{
    cord__complete_equations(w, s);
    s->failed_pivot = -1;
    bool fine = s->private_solve ? factor_private(w, s)
                : s->banded      ? factor_band(w, s)
                                 : factor_sparse(s, solve);
    return fine && (s->low_rank.max == 0 || factor_corrections(w, s));
}

void cord__refill(problem *w, cluster *s)
{
    fill_rhs(w, s);
    for (int i = 0; i < s->map.prescribed_count; i++) s->rhs[s->map.prescribed[i].unknown] = 0;
    if (s->banded) pad_rhs(w, s);
}

static void solve_band(const problem *w, const cluster *s, double *x)
{
    const block *b = w->block[s->block[0]];
    if (s->private_solve)
        b->ops->private_solver->solve(b->model, b->prescribed, b->private_matrix, x);
    else
        cord__band_solve(b->shape.band_count, b->shape.band_width, b->shape.band_group, s->band, x);
}

void cord__solve_vector(const problem *w, const cluster *s, double *x)
{
    if (s->banded)
        solve_band(w, s, x);
    else
        cord__sparse_solve(&s->factor, x, x);
    cord__correct(s, x);
}

void cord__read_dofs(problem *w, const cluster *s)
{
    const unknown_map *map = &s->map;
    for (int u = 0; u < map->count; u++)
        if (map->source[u] >= 0) w->delta[map->source[u]] = s->x[u];
    for (int i = 0; i < map->aliases; i++)
        w->delta[map->alias[i].dof] = s->x[map->alias[i].unknown];
}

/* `solved`: the sparse matrix was factored and x computed in one pass. */
static void solve(problem *w, cluster *s, bool solved)
{
    if (s->banded) {
        double *swap = s->x;
        s->x = s->rhs, s->rhs = swap;
        solve_band(w, s, s->x);
    } else if (!solved)
        cord__sparse_solve(&s->factor, s->rhs, s->x);
    cord__correct(s, s->x);
    cord__read_dofs(w, s);
}

bool cord__factor(problem *w, cluster *s)
{
    double began = cord__seconds();
    bool fine = factor(w, s, false);
    s->report.seconds_solve += cord__seconds() - began;
    return fine;
}

void cord__solve(problem *w, cluster *s)
{
    double began = cord__seconds();
    solve(w, s, false);
    s->report.seconds_solve += cord__seconds() - began;
}

bool cord__factor_and_solve(problem *w, cluster *s)
{
    double began = cord__seconds();
    bool fine = factor(w, s, true);
    if (fine) solve(w, s, s->low_rank.max == 0);
    s->report.seconds_solve += cord__seconds() - began;
    return fine;
}

void cord__add_multipliers(problem *w, const cluster *s, double scale)
{
    for (int i = 0; i < s->map.multipliers; i++) {
        int u = s->map.multiplier[i].unknown;
        w->trial.lambda[~s->map.source[u]] -= scale * s->x[u];
    }
}

void cord__clear_rhs(const problem *w, cluster *s)
{
    const block *b = w->block[s->block[0]];
    size_t count = s->banded ? band_vector_size(b->shape.band_count, b->shape.band_width)
                             : (size_t)s->unknowns;
    memset(s->rhs, 0, count * sizeof(double));
}

void cord__rows_to_rhs(const problem *w, cluster *s)
{
    cord__clear_rhs(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.rows; i++)
            s->rhs[s->offset[k] + b->order[b->shape.dofs + i]] = -w->g[b->l0 + i];
        memset(w->delta + b->v0, 0, (size_t)b->shape.dofs * sizeof(double));
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            s->rhs[r->term.row0 + row] =
                r->state.active[row] && r->def.compliance == 0 ? -w->g[r->l0 + row] : 0;
    }
}
