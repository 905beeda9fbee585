#include "solve/row_system.h"

#include "math/wide.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- making it ------------------------------------------------------------------------------------ */

typedef struct listing {
    row_system *x;
    const problem *w;
    int *
        last; /* per column of the world: the last touch on it, of a body's first on the body; -1 */
    int *row, *col; /* of pairs: those of columns, then those of bodies */
} listing;

static void touch_body(listing *l, int row, int slope, const block *body, int column)
{
    row_system *x = l->x;
    int *last = l->last + body->v0;
    if (*last < 0 || x->body_touch[*last].row != row) {
        x->body_touch[x->body_touches] = (body_touch){.body = body, .row = row, .before = *last};
        *last = x->body_touches++;
    }
    x->body_slope[x->body_slopes++] = (body_slope){*last, slope, column};
}

/* A slope of a row over a column of a block, or of the block that the column is tied to. */
static void touch(listing *l, int row, int slope, const block *b, int column)
{
    row_system *x = l->x;
    if (b->tie_block[column] >= 0) {
        int tied = b->tie_column[column];
        b = l->w->block[b->tie_block[column]];
        column = tied;
    }
    if (b->fixed[column]) return;
    if (b->ops->mass_solve) {
        touch_body(l, row, slope, b, column);
        return;
    }
    int *last = l->last + b->v0 + column;
    x->touch[x->touches] = (row_touch){row, slope, b->v0 + column, *last};
    *last = x->touches++;
}

static void begin_row(row_system *x, int multiplier, int slopes)
{
    x->multiplier[x->rows] = multiplier;
    x->first[x->rows++] = x->slopes;
    x->slopes += slopes;
}

static void list_block(listing *l, const block *b)
{
    int columns[ROW_COLUMNS];
    for (int i = 0; i < b->shape.rows; i++) {
        int count = b->ops->row_columns(b->model, i, columns), from = l->x->slopes;
        begin_row(l->x, b->l0 + i, count);
        for (int c = 0; c < count; c++) touch(l, l->x->rows - 1, from + c, b, columns[c]);
    }
}

static void list_relation(listing *l, const relation *r)
{
    for (int row = 0; row < r->ops->rows; row++) {
        int from = l->x->slopes;
        begin_row(l->x, r->l0 + row, r->columns);
        for (int part = 0; part < RELATION_PARTS; part++) {
            const relation_part *p = r->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
                const block *b = cord__column_block(l->w, p, c);
                touch(l, l->x->rows - 1, from + c, b, r->column[c] - b->v0);
            }
        }
    }
}

static void count_rows(const problem *w, const island *s, int *rows, int *slopes)
{
    int columns[ROW_COLUMNS];
    *rows = *slopes = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        *rows += b->shape.rows;
        for (int i = 0; i < b->shape.rows; i++)
            *slopes += b->ops->row_columns(b->model, i, columns);
    }
    for (int k = 0; k < s->relations; k++) {
        const relation *r = w->relation[s->relation[k]];
        if (r->absorbed) continue;
        *rows += r->ops->rows;
        *slopes += r->ops->rows * r->columns;
    }
}

/* Every touch with itself and those before it, on columns and on bodies; into lists where there are any. */
static void list_pairs(listing *l)
{
    row_system *x = l->x;
    x->pairs = x->body_pairs = 0;
    for (int i = 0; i < x->touches; i++)
        for (int k = i; k >= 0; k = x->touch[k].before, x->pairs++) {
            if (!x->pair) continue;
            x->pair[x->pairs] =
                (row_pair){0, x->touch[i].slope, x->touch[k].slope, x->touch[i].column, 1};
            l->row[x->pairs] = x->touch[i].row, l->col[x->pairs] = x->touch[k].row;
        }
    for (int i = 0; i < x->body_touches; i++)
        for (int k = i; k >= 0; k = x->body_touch[k].before, x->body_pairs++) {
            int at = x->pairs + x->body_pairs;
            if (!x->body_pair) continue;
            x->body_pair[x->body_pairs] = (body_pair){0, i, k};
            l->row[at] = x->body_touch[i].row, l->col[at] = x->body_touch[k].row;
        }
}

static int compare_pairs(const void *a, const void *b)
{
    const row_pair *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* The three columns of a vertex become one. */
static void join_pairs(row_system *x, const double *inverse_mass)
{
    int kept = 0;
    qsort(x->pair, (size_t)x->pairs, sizeof *x->pair, compare_pairs);
    for (int i = 0; i < x->pairs; i++) {
        row_pair *last = x->pair + (kept > 0 ? kept - 1 : 0), *next = x->pair + i;
        int n = last->count;
        if (kept > 0 && last->slot == next->slot && last->first + n == next->first &&
            last->second + n == next->second && last->column + n == next->column &&
            inverse_mass[last->column] == inverse_mass[next->column])
            last->count++;
        else
            x->pair[kept++] = *next;
    }
    x->pairs = kept;
}

static cord_status analyse(listing *l, memory *m)
{
    row_system *x = l->x;
    list_pairs(l);
    int count = x->pairs + x->body_pairs;
    int *order = NEW(m, int, x->rows), *slot = NEW(m, int, count);
    l->row = NEW(m, int, count);
    l->col = NEW(m, int, count);
    x->pair = NEW(m, row_pair, x->pairs);
    x->body_pair = NEW(m, body_pair, x->body_pairs);
    bool room = order && slot && l->row && l->col && x->pair && x->body_pair;
    cord_status status = room ? CORD_OK : CORD_ERROR_MEMORY;
    if (room) list_pairs(l);
    if (room) status = cord__order_groups(m, x->rows, count, l->row, l->col, order);
    if (status == CORD_OK)
        status = cord__sparse_analyse(&x->factor, m, x->rows, count, l->row, l->col, order, slot);
    for (int i = 0; status == CORD_OK && i < x->pairs; i++) x->pair[i].slot = slot[i];
    for (int i = 0; status == CORD_OK && i < x->body_pairs; i++)
        x->body_pair[i].slot = slot[x->pairs + i];
    if (status == CORD_OK) join_pairs(x, l->w->inverse_mass);
    cord__release(m, order);
    cord__release(m, slot);
    cord__release(m, l->row);
    cord__release(m, l->col);
    return status;
}

cord_status cord__row_system_make(row_system *x, const problem *w, const island *s, memory *m)
{
    int rows, slopes;
    count_rows(w, s, &rows, &slopes);
    memset(x, 0, sizeof *x);
    listing l = {.x = x, .w = w};
    l.last = NEW(m, int, w->v_count);
    x->multiplier = NEW(m, int, rows);
    x->first = NEW(m, int, rows);
    x->slope = NEW(m, double, slopes);
    x->soft = NEW(m, double, rows);
    x->y = NEW(m, double, rows);
    x->touch = NEW(m, row_touch, slopes);
    x->body_touch = NEW(m, body_touch, slopes);
    x->body_slope = NEW(m, body_slope, slopes);
    bool room = l.last && x->multiplier && x->first && x->slope && x->soft && x->y && x->touch &&
                x->body_touch && x->body_slope;
    cord_status status = room ? CORD_OK : CORD_ERROR_MEMORY;
    if (room) {
        for (int i = 0; i < w->v_count; i++) l.last[i] = -1;
        for (int k = 0; k < s->blocks; k++) list_block(&l, w->block[s->block[k]]);
        for (int k = 0; k < s->relations; k++)
            if (!w->relation[s->relation[k]]->absorbed)
                list_relation(&l, w->relation[s->relation[k]]);
        status = analyse(&l, m);
    }
    cord__release(m, l.last);
    if (status != CORD_OK) cord__row_system_free(x, m);
    return status;
}

void cord__row_system_free(row_system *x, memory *m)
{
    void *owned[] = {x->multiplier, x->first,      x->slope,      x->soft, x->y,
                     x->touch,      x->body_touch, x->body_slope, x->pair, x->body_pair};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    cord__sparse_free(&x->factor, m);
    memset(x, 0, sizeof *x);
}

/* ---- using it ------------------------------------------------------------------------------------- */

static void move_bodies(row_system *x, const problem *w)
{
    for (int i = 0; i < x->body_touches; i++)
        memset(x->body_touch[i].B, 0, sizeof x->body_touch[i].B);
    for (int i = 0; i < x->body_slopes; i++) {
        const body_slope *s = x->body_slope + i;
        x->body_touch[s->touch].B[s->column] += x->slope[s->slope];
    }
    for (int i = 0; i < x->body_touches; i++) {
        body_touch *t = x->body_touch + i;
        const block *b = t->body;
        b->ops->mass_solve(b->model, w->cache + b->cache0, t->B, t->moved);
        for (int c = 0; c < BODY_COLUMNS; c++)
            if (b->fixed[c]) t->moved[c] = 0;
    }
}

static void fill_matrix(row_system *x, const problem *w, double h)
{
    double *a = x->factor.a, square = h * h, mean = 0;
    cord__sparse_clear(&x->factor);
    for (int i = 0; i < x->pairs; i++) {
        const row_pair *p = x->pair + i;
        const double *first = x->slope + p->first, *second = x->slope + p->second;
        double sum = 0;
        for (int c = 0; c < p->count; c++) sum += first[c] * second[c];
        a[p->slot] += square * w->inverse_mass[p->column] * sum;
    }
    move_bodies(x, w);
    for (int i = 0; i < x->body_pairs; i++) {
        const body_pair *p = x->body_pair + i;
        const double *B = x->body_touch[p->first].B, *moved = x->body_touch[p->second].moved;
        double sum = 0;
        for (int c = 0; c < BODY_COLUMNS; c++) sum += B[c] * moved[c];
        a[p->slot] += square * sum;
    }
    for (int i = 0; i < x->rows; i++) mean += a[x->factor.diagonal[i]];
    mean = x->rows > 0 && mean > 0 ? mean / x->rows : 1;
    for (int i = 0; i < x->rows; i++) a[x->factor.diagonal[i]] += x->soft[i] + PROXIMAL * mean;
}

static inline bool solve_rows(row_system *x, const problem *w, double h, const double *g,
                              double *delta)
{
    double square = h * h;
    fill_matrix(x, w, h);
    for (int i = 0; i < x->rows; i++) x->y[i] = g[x->multiplier[i]];
    if (cord__sparse_factor_and_solve(&x->factor, x->y, x->y) != CORD_OK) return false;
    for (int i = 0; i < x->touches; i++) {
        const row_touch *t = x->touch + i;
        delta[t->column] -= square * w->inverse_mass[t->column] * x->slope[t->slope] * x->y[t->row];
    }
    for (int i = 0; i < x->body_touches; i++) {
        const body_touch *t = x->body_touch + i;
        double *to = delta + t->body->v0;
        for (int c = 0; c < BODY_COLUMNS; c++) to[c] -= square * t->moved[c] * x->y[t->row];
    }
    return true;
}

WIDE_VARIANT_OF(bool, cord__row_system_solve, solve_rows,
                (row_system * x, const problem *w, double h, const double *g, double *delta),
                (x, w, h, g, delta))
