/* Factoring what an evaluation of an island's equations left (assemble.c), and solving with it: in a
 * block's band, by the block itself, or in the island's sparse matrix. */
#include "math/band.h"
#include "solve/problem.h"

#include <math.h>
#include <string.h>

/* Replace the equation of a held unknown by x = given, in a band. */
static void hold_in_band(double *a, int n, int width, int position, double given, double *rhs)
{
    int stride = BAND_STRIDE(width);
    double *column = a + (size_t)position * (size_t)stride;
    for (int k = 1; k <= width && position + k < n; k++) {
        rhs[position + k] -= column[k] * given;
        column[k] = 0;
    }
    for (int k = 1; k <= width && k <= position; k++) {
        double *entry = a + (size_t)(position - k) * (size_t)stride + k;
        rhs[position - k] -= *entry * given;
        *entry = 0;
    }
    column[0] = 1;
    rhs[position] = given;
}

/* The same in the sparse matrix: all held unknowns in one sweep over their entries. x holds what is
 * given, NaN for what is free. */
static void hold_in_sparse(island *s)
{
    double *a = s->factor.a, *rhs = s->rhs;
    for (int i = 0; i < s->prescribed_count; i++) {
        const prescribed_entry *e = s->prescribed + i;
        double row = s->x[e->row], column = s->x[e->column];
        if (isnan(column)) rhs[e->column] -= a[e->slot] * row;
        if (isnan(row)) rhs[e->row] -= a[e->slot] * column;
        a[e->slot] = e->row == e->column ? 1 : 0;
        if (e->row == e->column) rhs[e->row] = row;
    }
}

static double proximal_of(const block *b, int row)
{
    return PROXIMAL * (b->ops->proximal ? b->ops->proximal(b->model, row) : 1);
}

static void fill_rhs(const problem *w, island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        double *rhs = s->rhs + s->offset[k];
        if (b->shape.unused_position >= 0) rhs[b->shape.unused_position] = 0;
        for (int c = 0; c < b->shape.dofs; c++)
            rhs[b->order[c]] = b->alias_block[c] < 0 ? -w->r[b->v0 + c] : 0;
        for (int i = 0; i < b->shape.rows; i++) rhs[b->order[b->shape.dofs + i]] = -w->g[b->l0 + i];
    }
    for (int k = 0; !s->banded && k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->alias_block[c] >= 0)
                s->rhs[cord__unknown(w, b, c)] -= b->alias_scale[c] * w->r[b->v0 + c];
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            s->rhs[r->term.row0 + row] = -w->g[r->l0 + row];
    }
}

/* A block that solves for itself; held columns have what they are to do in the right-hand side. */
static bool factor_own(problem *w, island *s)
{
    const block *b = w->block[s->block[0]];
    for (int c = 0; c < b->shape.dofs; c++)
        if (b->prescribed[c]) s->rhs[b->order[c]] = w->delta[b->v0 + c];
    return b->ops->factor(b->model, b->prescribed, b->private_matrix, &s->negative);
}

static bool factor_band(problem *w, island *s)
{
    const block *b = w->block[s->block[0]];
    int n = b->shape.band_count, width = b->shape.band_width, stride = BAND_STRIDE(width);
    double mean = 0;
    memset(s->rhs + n, 0, (band_vector_size(n, width) - (size_t)n) * sizeof(double));
    if (b->shape.unused_position >= 0)
        b->band[(size_t)b->shape.unused_position * (size_t)stride] = 1;
    for (int c = 0; c < b->shape.dofs; c++)
        if (b->order[c] < n) mean += fabs(b->band[(size_t)b->order[c] * (size_t)stride]);
    mean /= n;
    for (int i = 0; i < b->shape.rows; i++)
        b->band[(size_t)b->order[b->shape.dofs + i] * (size_t)stride] -= proximal_of(b, i) / mean;
    for (int c = 0; c < b->shape.dofs; c++)
        if (b->prescribed[c] && b->order[c] < n)
            hold_in_band(b->band, n, width, b->order[c], w->delta[b->v0 + c], s->rhs);
    return cord__band_factor(n, width, b->band, &s->negative) < 0;
}

void cord__prescribe_unknowns(problem *w, island *s)
{
    sparse_ldl *f = &s->factor;
    double mean = 0;
    for (int u = 0; u < f->n; u++) {
        mean += fabs(f->a[f->diagonal[u]]);
        s->x[u] = NAN;
    }
    mean /= f->n;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] ||
                b->alias_block[c] >= 0) /* a tied column leaves its own unknown empty */
                s->x[s->offset[k] + b->order[c]] = b->prescribed[c] ? w->delta[b->v0 + c] : 0;
        for (int i = 0; i < b->shape.rows; i++)
            f->a[f->diagonal[s->offset[k] + b->order[b->shape.dofs + i]]] -=
                proximal_of(b, i) / mean;
        if (b->shape.unused_position >= 0) s->x[s->offset[k] + b->shape.unused_position] = 0;
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            f->a[f->diagonal[r->term.row0 + row]] -= PROXIMAL / mean;
    }
    hold_in_sparse(s);
}

/* `solve`: and solve, unless rows are to be corrected, which comes between. */
static bool factor_sparse(problem *w, island *s, bool solve)
{
    sparse_ldl *f = &s->factor;
    cord__prescribe_unknowns(w, s);
    cord_status status = solve && s->low_rank_max == 0
                             ? cord__sparse_factor_and_solve(f, s->rhs, s->x)
                             : cord__sparse_factor(f);
    s->negative = f->negative;
    return status == CORD_OK;
}

/* Gauss with pivoting, in place; rows that are swapped are noted. */
static bool factor_small(double *a, int n, int *pivot)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) > fabs(a[p * n + k])) p = i;
        pivot[k] = p;
        if (!(fabs(a[p * n + k]) > 0)) return false;
        for (int j = 0; p != k && j < n; j++) {
            double swap = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double l = a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++) a[i * n + j] -= l * a[k * n + j];
        }
    }
    return true;
}

static void solve_small(const double *a, int n, const int *pivot, double *x)
{
    for (int k = 0; k < n; k++) {
        double swap = x[k];
        x[k] = x[pivot[k]], x[pivot[k]] = swap;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) x[i] -= a[i * n + j] * x[j];
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= a[i * n + j] * x[j];
        x[i] /= a[i * n + i];
    }
}

/* vᵀ x of a correction. */
static double along(const island *s, int k, const double *x)
{
    double sum = 0;
    for (int i = 0; i < s->low_rank_size[k]; i++)
        sum += s->low_rank_value[UNSYMMETRIC_UNKNOWNS * k + i] *
               x[s->low_rank_unknown[UNSYMMETRIC_UNKNOWNS * k + i]];
    return sum;
}

/* Rows that are corrected: A + Σ e vᵀ, by Woodbury's formula, one solve for each. */
static bool factor_skews(problem *w, island *s)
{
    s->low_rank_count = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int i = 0; i < b->shape.unsymmetric_rows; i++) {
            int row, *unknown = s->low_rank_unknown + UNSYMMETRIC_UNKNOWNS * s->low_rank_count;
            int count = b->ops->unsymmetric_row(b->model, i, &row, unknown,
                                                s->low_rank_value +
                                                    UNSYMMETRIC_UNKNOWNS * s->low_rank_count);
            if (count == 0) continue;
            for (int c = 0; c < count; c++) unknown[c] = cord__unknown(w, b, unknown[c]);
            s->low_rank_size[s->low_rank_count] = count;
            memset(s->x, 0, (size_t)s->unknowns * sizeof *s->x);
            s->x[cord__unknown(w, b, row)] = 1;
            cord__sparse_solve(&s->factor, s->x,
                               s->low_rank_z + (size_t)s->low_rank_count * (size_t)s->unknowns);
            s->low_rank_count++;
        }
    }
    for (int i = 0; i < s->low_rank_count; i++)
        for (int j = 0; j < s->low_rank_count; j++)
            s->low_rank_m[i * s->low_rank_count + j] =
                (i == j) + along(s, i, s->low_rank_z + (size_t)j * (size_t)s->unknowns);
    return factor_small(s->low_rank_m, s->low_rank_count, s->low_rank_pivot);
}

static void correct(island *s)
{
    for (int i = 0; i < s->low_rank_count; i++) s->low_rank_t[i] = along(s, i, s->x);
    solve_small(s->low_rank_m, s->low_rank_count, s->low_rank_pivot, s->low_rank_t);
    for (int i = 0; i < s->low_rank_count; i++) {
        const double *z = s->low_rank_z + (size_t)i * (size_t)s->unknowns;
        for (int u = 0; u < s->unknowns; u++) s->x[u] -= s->low_rank_t[i] * z[u];
    }
}

static bool factor(problem *w, island *s, bool solve)
{
    fill_rhs(w, s);
    bool fine = s->private_solve ? factor_own(w, s)
                : s->banded      ? factor_band(w, s)
                                 : factor_sparse(w, s, solve);
    return fine && (s->low_rank_max == 0 || factor_skews(w, s));
}

void cord__refill(problem *w, island *s)
{
    fill_rhs(w, s);
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int limit = s->banded ? b->shape.band_count : s->unknowns;
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->prescribed[c] && b->order[c] < limit) s->rhs[s->offset[k] + b->order[c]] = 0;
    }
    if (!s->banded) return;
    const block *b = w->block[s->block[0]];
    int n = b->shape.band_count;
    memset(s->rhs + n, 0, (band_vector_size(n, b->shape.band_width) - (size_t)n) * sizeof(double));
}

static void solve_band(problem *w, island *s)
{
    const block *b = w->block[s->block[0]];
    if (s->private_solve)
        b->ops->solve(b->model, b->prescribed, b->private_matrix, s->rhs);
    else
        cord__band_solve(b->shape.band_count, b->shape.band_width, b->band, s->rhs);
    double *swap = s->x;
    s->x = s->rhs, s->rhs = swap;
}

void cord__read_dofs(problem *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        int limit = s->banded ? b->shape.band_count : s->unknowns;
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->alias_block[c] >= 0)
                w->delta[b->v0 + c] = s->x[cord__unknown(w, b, c)];
            else if (b->order[c] < limit)
                w->delta[b->v0 + c] = s->x[s->offset[k] + b->order[c]];
    }
}

/* `solved`: the sparse matrix was factored and x found at once. */
static void solve(problem *w, island *s, bool solved)
{
    if (s->banded)
        solve_band(w, s);
    else if (!solved)
        cord__sparse_solve(&s->factor, s->rhs, s->x);
    if (s->low_rank_max > 0) correct(s);
    cord__read_dofs(w, s);
}

bool cord__factor(problem *w, island *s)
{
    double began = cord__seconds();
    bool fine = factor(w, s, false);
    s->seconds_solve += cord__seconds() - began;
    return fine;
}

void cord__solve(problem *w, island *s)
{
    double began = cord__seconds();
    solve(w, s, false);
    s->seconds_solve += cord__seconds() - began;
}

bool cord__factor_and_solve(problem *w, island *s)
{
    double began = cord__seconds();
    bool fine = factor(w, s, true);
    if (fine) solve(w, s, s->low_rank_max == 0);
    s->seconds_solve += cord__seconds() - began;
    return fine;
}

void cord__add_multipliers(problem *w, const island *s, double scale)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const double *x = s->x + s->offset[k];
        for (int i = 0; i < b->shape.rows; i++)
            w->trial.lambda[b->l0 + i] -= scale * x[b->order[b->shape.dofs + i]];
    }
    for (int k = 0; k < s->constraints; k++) {
        const constraint *r = w->constraint[s->constraint[k]];
        for (int row = 0; !r->eliminated && row < r->ops->rows; row++)
            w->trial.lambda[r->l0 + row] -= scale * s->x[r->term.row0 + row];
    }
}

void cord__clear_rhs(const problem *w, island *s)
{
    const block *b = w->block[s->block[0]];
    size_t count = s->banded ? band_vector_size(b->shape.band_count, b->shape.band_width)
                             : (size_t)s->unknowns;
    memset(s->rhs, 0, count * sizeof(double));
}

void cord__rows_to_rhs(const problem *w, island *s)
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
