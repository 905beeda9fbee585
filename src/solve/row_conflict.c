/* Contradictory and redundant rows. With every row divided by the length of its gradient, and z the increment in units
 * of a small change of each dof, Levenberg's method
 *
 *     min ½ |g(q ⊕ z)|² :     [ ε²  Bᵀ ] [ z ]   [  0 ]
 *                             [ B   −1 ] [ y ] = [ −g ],     y = g + B z,
 *
 * meets the rows where that is possible. Where it is not, it ends at Bᵀ y = 0 with y = g ≠ 0: y is a combination of
 * rows whose gradients cancel and whose violations do not, and its entries other than 0 name the rows that contradict
 * each other (the alternative of Fredholm). For any vector in place of g, y is the part of that vector in the left null
 * space of B, which names redundant rows. The matrix is quasi-definite: every elimination order has its pivots. */
#include "solve/row_conflict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct row_owner {
    int constraint, block; /* in problem's lists; -1: the row is the other's */
    int term_row;          /* of a constraint that is not eliminated; -1 */
    int multiplier;        /* of a block; -1 */
    int dof;               /* that an eliminated constraint prescribes; -1 */
} row_owner;

/* The rows of a cluster, those of eliminated constraints included. */
typedef struct row_set {
    problem *w;
    cluster *s;
    double time;
    int columns, rows, entries;
    int *column_of; /* per dof of the world: its column; -1: pinned */
    double *scale;  /* per column: a small change */
    row_owner *owner;
    int *first;        /* rows + 1: the first entry */
    int *dof;          /* per entry, in the world's arrays */
    double *value, *g; /* B and g */
    double *norm;      /* per row: the length of its gradient at first */
    int *slot;
    double *x, *unit, *rates;
    /* Blocks with dofs that follow from others (chains): their rows hold in every configuration and are left out; B is
     * referred to the independent dofs. */
    unsigned char *independent; /* per dof of the world */
    double **
        motion; /* per block: the motion of its dofs with each independent one; NULL: all are independent */
    sparse_ldl factor;
} row_set;

static bool has_rows(const problem *w, const constraint *r)
{
    return !r->eliminated && r->def.compliance == 0 && !cord__constraint_released(w, r);
}

/* ---- the pattern -------------------------------------------------------------------------------- */

/* On the first pass, without arrays, rows and entries are only counted. */
static void add_entry(row_set *x, int dof)
{
    if (x->first) x->dof[x->entries] = dof;
    x->entries++;
}

static void end_row(row_set *x, row_owner of)
{
    if (x->first) x->owner[x->rows] = of, x->first[x->rows + 1] = x->entries;
    x->rows++;
}

static void list_block_rows(row_set *x, int index)
{
    const block *b = x->w->block[index];
    int dofs[ROW_DOFS];
    for (int i = 0; !x->motion[index] && i < b->shape.rows; i++) {
        int count = b->ops->rows->dofs(b->model, i, dofs);
        for (int c = 0; c < count; c++) add_entry(x, b->v0 + dofs[c]);
        end_row(x, (row_owner){-1, index, -1, b->l0 + i, -1});
    }
}

static bool is_slider(const term_part *p, int c)
{
    return p->slider >= 0 && c == p->first + p->count - 1;
}

/* The entries of a part of a term: its dofs; of a block with dependent dofs all independent ones, then the slider. */
static void list_part(row_set *x, const term *of, const term_part *p)
{
    const block *b = x->w->block[p->block];
    bool depends = x->motion[p->block] != NULL;
    for (int c = 0; depends && c < b->shape.dofs; c++)
        if (x->independent[b->v0 + c]) add_entry(x, b->v0 + c);
    for (int c = p->first; c < p->first + p->count; c++)
        if (!depends || is_slider(p, c)) add_entry(x, of->dof[c]);
}

static void list_constraint_rows(row_set *x, int index)
{
    const problem *w = x->w;
    const constraint *r = w->constraint[index];
    for (int row = 0; has_rows(w, r) && row < r->ops->rows; row++) {
        for (int part = 0; part < TERM_PARTS; part++)
            if (r->term.part[part].block >= 0) list_part(x, &r->term, r->term.part + part);
        end_row(x, (row_owner){index, -1, row, -1, -1});
    }
    if (!r->eliminated || r->welded) return;
    const point *p = w->point[r->term.point[0]];
    int unit =
        r->ops->needs[0] & NEEDS_POSITION ? p->position_attachment.unit : p->frame_attachment.unit;
    for (int k = 0; k < 3; k++) {
        int dof = w->block[p->block]->v0 + unit + k;
        add_entry(x, dof);
        end_row(x, (row_owner){index, -1, -1, -1, dof});
    }
}

static void list_rows(row_set *x)
{
    x->rows = x->entries = 0;
    for (int k = 0; k < x->s->blocks; k++) list_block_rows(x, x->s->block[k]);
    for (int k = 0; k < x->s->constraints; k++) list_constraint_rows(x, x->s->constraint[k]);
}

/* An alias has the column of the dof that it is identified with. */
static void list_columns(row_set *x)
{
    const problem *w = x->w;
    for (int k = 0; k < x->s->blocks; k++) {
        const block *b = w->block[x->s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            x->column_of[b->v0 + c] = -1;
            if (b->alias_block[c] >= 0 || b->prescribed[c] == PINNED) continue;
            if (!x->independent[b->v0 + c]) continue;
            x->scale[x->columns] = b->scale[c];
            x->column_of[b->v0 + c] = x->columns++;
        }
    }
    for (int k = 0; k < x->s->blocks; k++) {
        const block *b = w->block[x->s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++)
            if (b->alias_block[c] >= 0)
                x->column_of[b->v0 + c] =
                    x->column_of[w->block[b->alias_block[c]]->v0 + b->alias_dof[c]];
    }
}

static cord_status analyse(row_set *x, memory *m)
{
    int n = x->columns + x->rows, count = 0;
    int *row = NEW(m, int, x->entries), *column = NEW(m, int, x->entries), *order = NEW(m, int, n);
    int *slot = NEW(m, int, x->entries);
    cord_status status = row && column && order && slot ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < x->rows; i++)
        for (int e = x->first[i]; e < x->first[i + 1]; e++) {
            x->slot[e] = -1;
            if (x->column_of[x->dof[e]] < 0) continue;
            x->slot[e] = count;
            row[count] = x->columns + i, column[count++] = x->column_of[x->dof[e]];
        }
    if (status == CORD_OK) status = cord__minimum_degree_order(m, n, count, row, column, order);
    if (status == CORD_OK)
        status = cord__sparse_analyse(&x->factor, m, n, count, row, column, order, slot);
    for (int e = 0; status == CORD_OK && e < x->entries; e++)
        if (x->slot[e] >= 0) x->slot[e] = slot[x->slot[e]];
    void *scratch[] = {row, column, order, slot};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) cord__release(m, scratch[i]);
    return status;
}

static void release_rows(row_set *x, memory *m)
{
    void *owned[] = {x->column_of, x->scale, x->owner, x->first, x->dof,   x->value,      x->g,
                     x->norm,      x->slot,  x->x,     x->unit,  x->rates, x->independent};
    for (int i = 0; x->motion && i < x->w->blocks; i++) cord__release(m, x->motion[i]);
    cord__release(m, (void *)x->motion);
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    cord__sparse_free(&x->factor, m);
}

/* Dependent dofs are those that the block overwrites. */
static bool list_independent(row_set *x, memory *m)
{
    const problem *w = x->w;
    for (int k = 0; k < x->s->blocks; k++) {
        const block *b = w->block[x->s->block[k]];
        int count = 0, dofs = b->shape.dofs;
        memset(x->independent + b->v0, 1, (size_t)dofs);
        if (!b->ops->set_dependent_dofs) continue;
        for (int c = 0; c < dofs; c++) x->unit[c] = 1 + 0.37 * c;
        b->ops->set_dependent_dofs(b->model, w->cache + b->cache0, x->unit);
        for (int c = 0; c < dofs; c++) {
            x->independent[b->v0 + c] = x->unit[c] == 1 + 0.37 * c;
            count += x->independent[b->v0 + c];
        }
        double *motion = x->motion[x->s->block[k]] = NEW(m, double, (size_t)count *(size_t)dofs);
        if (!motion) return false;
    }
    return true;
}

static cord_status make_rows(row_set *x, memory *m)
{
    const problem *w = x->w;
    cord__copy_state(x->s, &w->now, &x->w->trial);
    cord__refresh(x->w, x->s, w->trial.q, w->cache);
    x->independent = NEW(m, unsigned char, w->v_count);
    x->motion = NEW(m, double *, w->blocks);
    x->unit = NEW(m, double, w->v_count);
    x->column_of = NEW(m, int, w->v_count);
    x->scale = NEW(m, double, w->v_count);
    bool room = x->independent && x->motion && x->unit && x->column_of && x->scale;
    if (!room || !list_independent(x, m)) return CORD_ERROR_MEMORY;
    list_rows(x);
    x->owner = NEW(m, row_owner, x->rows);
    x->dof = NEW(m, int, x->entries);
    x->value = NEW(m, double, x->entries);
    x->slot = NEW(m, int, x->entries);
    x->g = NEW(m, double, x->rows);
    x->norm = NEW(m, double, x->rows);
    x->rates = NEW(m, double, w->lambda_count + x->rows);
    x->first = NEW(m, int, x->rows + 1);
    room = x->owner && x->dof && x->value && x->slot && x->g && x->norm && x->rates && x->first;
    if (!room) return CORD_ERROR_MEMORY;
    list_rows(x);
    list_columns(x);
    x->x = NEW(m, double, x->columns + x->rows);
    return x->x ? analyse(x, m) : CORD_ERROR_MEMORY;
}

/* ---- values ------------------------------------------------------------------------------------- */

/* The largest distance of two dofs of one row. */
static int row_span(const row_set *x, int row0, int rows)
{
    int span = 0;
    for (int i = row0; i < row0 + rows; i++) {
        int least = INT_MAX, most = 0;
        for (int e = x->first[i]; e < x->first[i + 1]; e++) {
            least = x->dof[e] < least ? x->dof[e] : least;
            most = x->dof[e] > most ? x->dof[e] : most;
        }
        if (most - least > span) span = most - least;
    }
    return span;
}

/* B of a block by products B v: dofs farther apart than the span of every row are in one product. */
static void block_jacobian(row_set *x, const block *b, int row0)
{
    const problem *w = x->w;
    int rows = b->shape.rows, stride = row_span(x, row0, rows) + 1;
    for (int k = 0; k < stride && k < b->shape.dofs; k++) {
        memset(x->unit, 0, (size_t)b->shape.dofs * sizeof *x->unit);
        memset(x->rates, 0, (size_t)rows * sizeof *x->rates);
        for (int c = k; c < b->shape.dofs; c += stride) x->unit[c] = 1;
        b->ops->rows->rates(b->model, w->cache + b->cache0, w->trial.side + b->side0, x->unit,
                            x->rates);
        for (int i = 0; i < rows; i++)
            for (int e = x->first[row0 + i]; e < x->first[row0 + i + 1]; e++)
                if (x->unit[x->dof[e] - b->v0] == 1) x->value[e] = x->rates[i];
    }
}

/* The motion of all dofs of a chain with each independent one. */
static void set_motion(row_set *x, int index)
{
    const problem *w = x->w;
    const block *b = w->block[index];
    double *motion = x->motion[index];
    for (int c = 0; c < b->shape.dofs; c++) {
        if (!x->independent[b->v0 + c]) continue;
        memset(motion, 0, (size_t)b->shape.dofs * sizeof *motion);
        motion[c] = 1;
        b->ops->set_dependent_dofs(b->model, w->cache + b->cache0, motion);
        motion += b->shape.dofs;
    }
}

/* The values of the entries that list_part() has listed; where they end. */
static double *part_values(const row_set *x, const term *of, const term_part *p, const double *B,
                           double *out)
{
    const block *b = x->w->block[p->block];
    const double *motion = x->motion[p->block];
    const bool depends = motion != NULL;
    for (int k = 0; depends && k < b->shape.dofs; k++) {
        if (!x->independent[b->v0 + k]) continue;
        *out = 0;
        for (int c = p->first; c < p->first + p->count; c++)
            if (!is_slider(p, c)) *out += B[c] * motion[of->dof[c] - b->v0];
        out++;
        motion += b->shape.dofs;
    }
    for (int c = p->first; c < p->first + p->count; c++)
        if (!depends || is_slider(p, c)) *out++ = B[c];
    return out;
}

static void constraint_row(row_set *x, int row)
{
    const row_owner *of = x->owner + row;
    const constraint *r = x->w->constraint[of->constraint];
    const double *B = r->term.B + of->term_row * r->term.dofs;
    double g = r->work.value.g[of->term_row], *value = x->value + x->first[row];
    bool open = r->def.side != CORD_EQUAL && g >= 0;
    x->g[row] = open ? 0 : g;
    for (int part = 0; part < TERM_PARTS; part++)
        if (r->term.part[part].block >= 0)
            value = part_values(x, &r->term, r->term.part + part, B, value);
    for (int e = x->first[row]; open && e < x->first[row + 1]; e++) x->value[e] = 0;
}

/* B and g at the trial configuration. */
static void evaluate(row_set *x)
{
    problem *w = x->w;
    stage t = {.time = x->time, .force_time = x->time, .c_a = 1, .rows_only = true};
    cord__refresh(w, x->s, w->trial.q, w->cache);
    cord__assemble(w, x->s, &t, false);
    for (int k = 0; k < x->s->blocks; k++)
        if (x->motion[x->s->block[k]]) set_motion(x, x->s->block[k]);
    for (int row = 0; row < x->rows; row++) {
        const row_owner *of = x->owner + row;
        if (of->multiplier >= 0) {
            x->g[row] = w->g[of->multiplier];
            if (row == 0 || x->owner[row - 1].block != of->block)
                block_jacobian(x, w->block[of->block], row);
        } else if (of->dof >= 0) { /* w->delta has the remaining motion */
            x->g[row] = -w->delta[of->dof];
            x->value[x->first[row]] = 1;
        } else {
            if (of->term_row == 0)
                cord__constraint_evaluate(w, w->constraint[of->constraint], w->trial.q, w->cache,
                                          x->time, NULL);
            constraint_row(x, row);
        }
    }
}

/* Rows whose gradient vanishes at first, or that only pinned dofs have, are measured in their own unit. */
static void set_norms(row_set *x)
{
    for (int row = 0; row < x->rows; row++) {
        double square = 0;
        for (int e = x->first[row]; e < x->first[row + 1]; e++) {
            int column = x->column_of[x->dof[e]];
            double b = column < 0 ? 0 : x->value[e] * x->scale[column];
            square += b * b;
        }
        x->norm[row] = square > 0 ? sqrt(square) : 1;
    }
}

/* Σ g² */
static double violation(const row_set *x)
{
    double sum = 0;
    for (int row = 0; row < x->rows; row++)
        sum += x->g[row] / x->norm[row] * (x->g[row] / x->norm[row]);
    return sum;
}

/* ---- Levenberg's method ------------------------------------------------------------------------- */

/* z and y, into x->x, for the right-hand side −rhs. */
static bool solve(row_set *x, double damping, const double *rhs)
{
    sparse_ldl *f = &x->factor;
    cord__sparse_clear(f);
    for (int c = 0; c < x->columns; c++) f->a[f->diagonal[c]] = damping, x->x[c] = 0;
    for (int row = 0; row < x->rows; row++) {
        f->a[f->diagonal[x->columns + row]] = -1;
        x->x[x->columns + row] = -rhs[row];
        for (int e = x->first[row]; e < x->first[row + 1]; e++)
            if (x->slot[e] >= 0)
                f->a[x->slot[e]] += x->value[e] * x->scale[x->column_of[x->dof[e]]] / x->norm[row];
    }
    return cord__sparse_factor_and_solve(f, x->x, x->x) == CORD_OK;
}

/* The largest admissible fraction of the step in delta: blocks bound it, and others rotate by 1 rad at most. */
static double bound_step(const row_set *x)
{
    const problem *w = x->w;
    double bound = 1;
    for (int k = 0; k < x->s->blocks; k++) {
        const block *b = w->block[x->s->block[k]];
        const double *delta = w->delta + b->v0;
        bound = fmin(bound, block_step_bound(b, w->cache, delta));
        for (int c = 0; !b->ops->nonlinearity && c < b->shape.dofs; c++)
            if (b->scale[c] == 1) bound = fmin(bound, 1 / fmax(1, fabs(delta[c])));
    }
    return bound;
}

/* Moves the trial by z, or a part of it. */
static void move(row_set *x)
{
    problem *w = x->w;
    const cluster *s = x->s;
    EACH_DOF(c)
    {
        int column = x->column_of[c];
        w->delta[c] = column < 0 ? 0 : x->x[column] * x->scale[column];
    }
    double bound = bound_step(x);
    EACH_DOF(c) w->delta[c] *= bound;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        b->ops->retract(b->model, w->trial.q + b->q0, w->delta + b->v0);
    }
    cord__update_welds(w, s, w->trial.q);
}

/* Relative violations below this are round-off, or are met by the next iteration. */
static const double MET = 1e-7;
static const double LEAST_DAMPING = 1e-8, MOST_DAMPING = 1e6;
/* The violation is least when it has decreased by less than a thousandth in PERIOD iterations. */
enum { ITERATIONS = 400, PERIOD = 20 };
static const double LEAST_DECREASE = 1e-3;

/* Whether a violated row has no gradient, such as a distance of two points that coincide: it has one nearby. */
static bool has_stationary_row(const row_set *x)
{
    for (int row = 0; row < x->rows; row++) {
        double largest = 0;
        for (int e = x->first[row]; e < x->first[row + 1]; e++)
            largest = fmax(largest, fabs(x->value[e]));
        if (x->g[row] != 0 && largest == 0) return true;
    }
    return false;
}

/* One step, accepted if it violates the rows less; the violation after it. */
static double descend(row_set *x, double cost, double *damping, double *saved_q)
{
    problem *w = x->w;
    for (int row = 0; row < x->rows; row++) x->rates[row] = x->g[row] / x->norm[row];
    if (!solve(x, *damping, x->rates)) return NAN;
    memcpy(saved_q, w->trial.q, (size_t)w->q_count * sizeof *saved_q);
    move(x);
    evaluate(x);
    double next = violation(x);
    if (next <= cost) {
        *damping = fmax(*damping / 10, LEAST_DAMPING);
        return next;
    }
    memcpy(w->trial.q, saved_q, (size_t)w->q_count * sizeof *saved_q);
    evaluate(x);
    *damping = fmin(*damping * 10, MOST_DAMPING);
    return cost;
}

/* The configuration of least violation near the committed one; whether rows stay violated there. False also where it is
 * not reached. */
static bool least_violation(row_set *x, double *saved_q)
{
    double damping = 1e-2, before = INFINITY;
    evaluate(x);
    if (has_stationary_row(x)) {
        for (int c = 0; c < x->columns; c++) x->x[c] = 1e-2 * sin(1 + c);
        move(x);
        evaluate(x);
    }
    set_norms(x);
    double cost = violation(x);
    for (int i = 0; i < ITERATIONS && cost > MET * MET; i++) {
        if (i % PERIOD == 0) {
            if (cost > (1 - LEAST_DECREASE) * before) return true;
            before = cost;
        }
        cost = descend(x, cost, &damping, saved_q);
    }
    return false;
}

/* ---- naming the rows ---------------------------------------------------------------------------- */

/* Inserts a member by its share. */
static void insert(int *list, double *shares, int *count, int member, double share)
{
    int at = *count;
    while (at > 0 && shares[at - 1] < share) at--;
    if (at == CONFLICT_MEMBERS) return;
    if (*count < CONFLICT_MEMBERS) (*count)++;
    for (int i = *count - 1; i > at; i--) list[i] = list[i - 1], shares[i] = shares[i - 1];
    list[at] = member, shares[at] = share;
}

/* The rows of one owner are consecutive. */
static int end_of_owner(const row_set *x, int row)
{
    int end = row + 1;
    while (end < x->rows && x->owner[end].constraint == x->owner[row].constraint &&
           x->owner[end].block == x->owner[row].block)
        end++;
    return end;
}

static double share_of(const row_set *x, int row, int end)
{
    double square = 0;
    for (int i = row; i < end; i++) {
        double y = x->x[x->columns + i];
        square += y * y;
    }
    return sqrt(square);
}

/* The members of the combination y in x->x: those with at least this part of the largest share. */
static void list_members(const row_set *x, double least, row_conflict *out)
{
    double shares[3][CONFLICT_MEMBERS], largest = 0;
    for (int row = 0, end; row < x->rows; row = end) {
        end = end_of_owner(x, row);
        largest = fmax(largest, share_of(x, row, end));
    }
    for (int row = 0, end; row < x->rows; row = end) {
        end = end_of_owner(x, row);
        double share = share_of(x, row, end);
        if (!(share > least * largest)) continue;
        if (x->owner[row].constraint >= 0)
            insert(out->constraint, shares[0], &out->constraints, x->owner[row].constraint, share);
        else
            insert(out->block, shares[1], &out->blocks, x->owner[row].block, share);
    }
    for (int row = 0; row < x->rows && out->blocks > 0; row++) {
        double share = share_of(x, row, row + 1);
        const row_owner *of = x->owner + row;
        if (of->block != out->block[0] || of->multiplier < 0 || !(share > least * largest))
            continue;
        insert(out->row, shares[2], &out->rows, of->multiplier - x->w->block[of->block]->l0, share);
        if (out->row[0] == of->multiplier - x->w->block[of->block]->l0)
            out->violation = fabs(x->g[row]);
    }
}

/* yᵀg, in rows of their own units, with the part of the first constraint as the unit of y. */
static double gap_of(const row_set *x, const row_conflict *of)
{
    double sum = 0, unit = 0;
    for (int row = 0; row < x->rows; row++) {
        double y = x->x[x->columns + row] / x->norm[row];
        sum += y * x->g[row];
        if (of->constraints > 0 && x->owner[row].constraint == of->constraint[0]) unit += y * y;
    }
    return unit > 0 ? fabs(sum) / sqrt(unit) : 0;
}

static bool too_many(const cluster *s)
{
    return s->unknowns > CONFLICT_UNKNOWNS;
}

cord_status cord__find_contradiction(problem *w, cluster *s, double time, memory *m,
                                     row_conflict *out)
{
    row_set x = {.w = w, .s = s, .time = time};
    *out = (row_conflict){0};
    if (too_many(s)) return CORD_OK;
    double *saved_q = NEW(m, double, w->q_count);
    cord_status status = saved_q ? make_rows(&x, m) : CORD_ERROR_MEMORY;
    if (status == CORD_OK && least_violation(&x, saved_q)) {
        for (int row = 0; row < x.rows; row++) x.x[x.columns + row] = x.g[row] / x.norm[row];
        list_members(&x, 0.05, out);
        out->gap = gap_of(&x, out);
    }
    release_rows(&x, m);
    cord__release(m, saved_q);
    return status;
}

cord_status cord__find_redundancy(problem *w, cluster *s, double time, memory *m, row_conflict *out)
{
    row_set x = {.w = w, .s = s, .time = time};
    *out = (row_conflict){0};
    if (too_many(s)) return CORD_OK;
    cord_status status = make_rows(&x, m);
    if (status == CORD_OK) {
        evaluate(&x);
        set_norms(&x);
        for (int row = 0; row < x.rows; row++) /* any vector that is orthogonal to no null space */
            x.rates[row] = 1 + 0.5 * sin(1 + row);
        if (solve(&x, 1e-10, x.rates)) list_members(&x, 0.01, out);
        double largest = 0;
        for (int row = 0; row < x.rows; row++) largest = fmax(largest, fabs(x.x[x.columns + row]));
        if (largest < 1e-3) out->constraints = out->blocks = 0; /* every row is independent */
    }
    release_rows(&x, m);
    return status;
}
