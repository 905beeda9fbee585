#include "solve/row_system.h"

#include "math/multiversion.h"
#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- creation --------------------------------------------------------------------------------------- */

typedef struct listing {
    row_system *x;
    const problem *w;
    /* Per dof of the world: the last Jacobian entry on it, in the first dof of a body the last row on the body; -1:
     * none. Of a coordinate: its index. */
    int *last;
    int *row, *col; /* of pairs on dofs, of pairs on bodies, then of rows and coordinates */
} listing;

static void list_body_entry(listing *l, int row, int derivative, const block *body, int dof)
{
    row_system *x = l->x;
    int *last = l->last + body->v0;
    if (*last < 0 || x->body_row[*last].row != row) {
        x->body_row[x->body_rows] = (body_row){.body = body, .row = row, .before = *last};
        *last = x->body_rows++;
    }
    x->body_entry[x->body_entries++] = (body_entry){*last, derivative, dof};
}

/* Lists the Jacobian entry of a row for a dof of a block, or for the dof that it is an alias of. */
static void list_entry(listing *l, int row, int derivative, const block *b, int dof)
{
    row_system *x = l->x;
    if (b->alias_block[dof] >= 0) {
        int tied = b->alias_dof[dof];
        b = l->w->block[b->alias_block[dof]];
        dof = tied;
    }
    if (b->prescribed[dof]) return;
    if (b->shape.coordinate.is_one) {
        x->crossing[x->crossings++] = (row_crossing){0, row, derivative, l->last[b->v0]};
        return;
    }
    if (BLOCK_HAS(b, projection, mass_solve)) {
        list_body_entry(l, row, derivative, b, dof);
        return;
    }
    int *last = l->last + b->v0 + dof;
    x->dof_entry[x->dof_entries] = (dof_entry){row, derivative, b->v0 + dof, *last};
    *last = x->dof_entries++;
}

static void begin_row(row_system *x, int multiplier, int derivatives)
{
    x->multiplier[x->rows] = multiplier;
    x->first[x->rows++] = x->entries;
    x->entries += derivatives;
}

static void list_block(listing *l, const block *b)
{
    int dofs[ROW_DOFS];
    for (int i = 0; i < b->shape.rows; i++) {
        int count = b->ops->rows->dofs(b->model, i, dofs), from = l->x->entries;
        begin_row(l->x, b->l0 + i, count);
        for (int c = 0; c < count; c++) list_entry(l, l->x->rows - 1, from + c, b, dofs[c]);
    }
}

static void list_term(listing *l, const term *x)
{
    for (int row = 0; row < x->projected_rows; row++) {
        int from = l->x->entries;
        begin_row(l->x, x->ops->projected_multiplier(l->w, x, row), x->dofs);
        for (int part = 0; part < TERM_PARTS; part++) {
            const term_part *p = x->part + part;
            for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
                const block *b = cord__dof_block(l->w, p, c);
                list_entry(l, l->x->rows - 1, from + c, b, x->dof[c] - b->v0);
            }
        }
    }
}

static bool is_coordinate(const block *b)
{
    return b->shape.coordinate.is_one && !b->prescribed[0];
}

static void count_rows(const problem *w, const cluster *s, int *rows, int *derivatives,
                       int *coordinates)
{
    int dofs[ROW_DOFS];
    *rows = *derivatives = *coordinates = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        *rows += b->shape.rows;
        *coordinates += is_coordinate(b);
        for (int i = 0; i < b->shape.rows; i++)
            *derivatives += b->ops->rows->dofs(b->model, i, dofs);
    }
    for (int k = 0; k < s->terms; k++) {
        const term *x = w->term[s->term[k]];
        *rows += x->projected_rows;
        *derivatives += x->projected_rows * x->dofs;
    }
}

static void list_pair(listing *l, int i, int k)
{
    row_system *x = l->x;
    if (x->pair) {
        const dof_entry *first = x->dof_entry + i, *second = x->dof_entry + k;
        x->pair[x->pairs] = (row_pair){0, first->entry, second->entry, first->dof, 1};
        l->row[x->pairs] = first->row, l->col[x->pairs] = second->row;
    }
    x->pairs++;
}

/* Lists the pairs of every entry with itself and with those before it, on dofs and on bodies, and every pair of a
 * row and a coordinate; into arrays where these are allocated. A row that depends on a dof by both of its points has
 * two entries on it: its square has both mixed terms. */
static void list_pairs(listing *l)
{
    row_system *x = l->x;
    x->pairs = x->body_pairs = 0;
    for (int i = 0; i < x->dof_entries; i++)
        for (int k = i; k >= 0; k = x->dof_entry[k].before) {
            list_pair(l, i, k);
            if (k != i && x->dof_entry[k].row == x->dof_entry[i].row) list_pair(l, k, i);
        }
    for (int i = 0; i < x->body_rows; i++)
        for (int k = i; k >= 0; k = x->body_row[k].before, x->body_pairs++) {
            int at = x->pairs + x->body_pairs;
            if (!x->body_pair) continue;
            x->body_pair[x->body_pairs] = (body_pair){0, i, k};
            l->row[at] = x->body_row[i].row, l->col[at] = x->body_row[k].row;
        }
    for (int i = 0; l->row && i < x->crossings; i++) {
        int at = x->pairs + x->body_pairs + i;
        l->row[at] = x->crossing[i].row, l->col[at] = x->rows + x->crossing[i].coordinate;
    }
}

static int compare_pairs(const void *a, const void *b)
{
    const row_pair *x = a, *y = b;
    if (x->slot != y->slot) return x->slot < y->slot ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return (x->second > y->second) - (x->second < y->second);
}

/* Merges pairs on consecutive dofs (the three of a vertex) into one. */
static void join_pairs(row_system *x, const double *inverse_mass)
{
    int kept = 0;
    qsort(x->pair, (size_t)x->pairs, sizeof *x->pair, compare_pairs);
    for (int i = 0; i < x->pairs; i++) {
        row_pair *last = x->pair + (kept > 0 ? kept - 1 : 0), *next = x->pair + i;
        int n = last->count;
        if (kept > 0 && last->slot == next->slot && last->first + n == next->first &&
            last->second + n == next->second && last->dof + n == next->dof &&
            inverse_mass[last->dof] == inverse_mass[next->dof])
            last->count++;
        else
            x->pair[kept++] = *next;
    }
    x->pairs = kept;
}

/* Moves coordinates to the front, and leaves the rest in order. `rest`: scratch, one value per row. */
static void coordinates_first(const row_system *x, int *rest, int *order)
{
    int rows = 0, first = 0;
    for (int i = 0; i < x->rows + x->coordinates; i++) {
        if (order[i] < x->rows)
            rest[rows++] = order[i];
        else
            order[first++] = order[i];
    }
    for (int i = 0; i < rows; i++) order[first++] = rest[i];
}

static void keep_slots(row_system *x, const int *slot, const double *inverse_mass)
{
    for (int i = 0; i < x->pairs; i++) x->pair[i].slot = *slot++;
    for (int i = 0; i < x->body_pairs; i++) x->body_pair[i].slot = *slot++;
    for (int i = 0; i < x->crossings; i++) x->crossing[i].slot = *slot++;
    join_pairs(x, inverse_mass);
}

static cord_status analyse(listing *l, memory *m)
{
    row_system *x = l->x;
    list_pairs(l);
    int count = x->pairs + x->body_pairs + x->crossings, unknowns = x->rows + x->coordinates;
    int *order = NEW(m, int, unknowns), *slot = NEW(m, int, count);
    int *rest = NEW(m, int, x->rows);
    l->row = NEW(m, int, count);
    l->col = NEW(m, int, count);
    x->pair = NEW(m, row_pair, x->pairs);
    x->body_pair = NEW(m, body_pair, x->body_pairs);
    bool room = order && slot && rest && l->row && l->col && x->pair && x->body_pair;
    cord_status status = room ? CORD_OK : CORD_ERROR_MEMORY;
    if (room) list_pairs(l);
    if (room) status = cord__minimum_degree_order(m, unknowns, count, l->row, l->col, order);
    if (status == CORD_OK) coordinates_first(x, rest, order);
    if (status == CORD_OK)
        status = cord__sparse_analyse(&x->factor, m, unknowns, count, l->row, l->col, order, slot);
    if (status == CORD_OK) keep_slots(x, slot, l->w->inverse_mass);
    cord__release(m, order);
    cord__release(m, slot);
    cord__release(m, rest);
    cord__release(m, l->row);
    cord__release(m, l->col);
    return status;
}

static void list_coordinates(listing *l, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        const block *b = l->w->block[s->block[k]];
        if (!is_coordinate(b)) continue;
        l->last[b->v0] = l->x->coordinates;
        l->x->coordinate[l->x->coordinates++] = b;
    }
}

static cord_status list_all(listing *l, const cluster *s, memory *m)
{
    const problem *w = l->w;
    for (int i = 0; i < w->v_count; i++) l->last[i] = -1;
    list_coordinates(l, s);
    for (int k = 0; k < s->blocks; k++) list_block(l, w->block[s->block[k]]);
    for (int k = 0; k < s->terms; k++) list_term(l, w->term[s->term[k]]);
    return analyse(l, m);
}

cord_status cord__row_system_make(row_system *x, const problem *w, const cluster *s, memory *m)
{
    int rows, derivatives, coordinates;
    count_rows(w, s, &rows, &derivatives, &coordinates);
    memset(x, 0, sizeof *x);
    listing l = {.x = x, .w = w};
    l.last = NEW(m, int, w->v_count);
    x->multiplier = NEW(m, int, rows);
    x->first = NEW(m, int, rows);
    x->entry = NEW(m, double, derivatives);
    x->compliance = NEW(m, double, rows);
    x->y = NEW(m, double, rows + coordinates);
    x->mobility = NEW(m, double, rows);
    x->imbalance = NEW(m, double, coordinates);
    x->coordinate = NEW(m, const block *, coordinates);
    x->crossing = NEW(m, row_crossing, coordinates > 0 ? derivatives : 0);
    x->dof_entry = NEW(m, dof_entry, derivatives);
    x->body_row = NEW(m, body_row, derivatives);
    x->body_entry = NEW(m, body_entry, derivatives);
    bool room = l.last && x->multiplier && x->first && x->entry && x->compliance && x->mobility &&
                x->y && x->imbalance && x->coordinate && x->crossing && x->dof_entry &&
                x->body_row && x->body_entry;
    cord_status status = room ? list_all(&l, s, m) : CORD_ERROR_MEMORY;
    cord__release(m, l.last);
    if (status != CORD_OK) cord__row_system_free(x, m);
    return status;
}

void cord__row_system_free(row_system *x, memory *m)
{
    void *owned[] = {x->multiplier,   x->first,        x->entry,
                     x->compliance,   x->mobility,     x->y,
                     x->imbalance,    x->crossing,     x->dof_entry,
                     x->body_row,     x->body_entry,   x->pair,
                     x->body_pair,    x->dof_response, x->entry_response,
                     x->response_dof, x->last_entry,   x->response_memory,
                     x->value,        x->neighbour,    x->neighbour_start,
                     x->last_contact};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++) cord__release(m, owned[i]);
    cord__release(m, (void *)x->coordinate);
    cord__sparse_free(&x->factor, m);
    memset(x, 0, sizeof *x);
}

/* ---- solution ----------------------------------------------------------------------------------------- */

/* A relative diagonal term for rows with no mobility but round-off, such as a position at a prescribed vertex: they
 * must not move other dofs. */
static const double LEAST = 1e-16;

/* The fraction of the inertia that rows give a coordinate which is added to its own diagonal: it ensures a pivot
 * where other rows already constrain these rows (a point that slides on a taut rope has rows that the length
 * constraints of the rope determine, except for its coordinate). The resulting error of its balance is in the
 * residual after the solution, and part of the next right-hand side. */
static const double LOOSE = 1e-8;

static void move_bodies(row_system *x, const problem *w)
{
    for (int i = 0; i < x->body_rows; i++) memset(x->body_row[i].B, 0, sizeof x->body_row[i].B);
    for (int i = 0; i < x->body_entries; i++) {
        const body_entry *s = x->body_entry + i;
        x->body_row[s->body_row].B[s->dof] += x->entry[s->entry];
    }
    for (int i = 0; i < x->body_rows; i++) {
        body_row *t = x->body_row + i;
        const block *b = t->body;
        b->ops->projection->mass_solve(b->model, w->cache + b->cache0, t->B, t->moved);
        for (int c = 0; c < BODY_DOFS; c++)
            if (b->prescribed[c]) t->moved[c] = 0;
    }
}

/* The mobility of each row, B M⁻¹ Bᵀ, with the inertia of point masses; returns the mean, 1 where no row has any
 * mobility. */
static double note_yielding(row_system *x)
{
    double sum = 0;
    for (int i = 0; i < x->rows; i++) {
        x->mobility[i] =
            x->factor.a[x->factor.diagonal[i]] + (x->multiplier[i] < 0 ? x->compliance[i] : 0);
        sum += x->mobility[i];
    }
    return sum > 0 ? sum / x->rows : 1;
}

static double rate_factor(const block *coordinate, double h)
{
    const block_coordinate *of = &coordinate->shape.coordinate;
    return of->friction / h + of->inertia / (h * h);
}

/* bᵀ S⁻¹ b is bounded below by the contribution of any single row. A coordinate without active rows does not move.
 * The mobility of its coordinates is added to that of a row. */
static void cross(row_system *x, double h, double mean)
{
    double *a = x->factor.a, *inertia = x->y + x->rows;
    for (int i = 0; i < x->coordinates; i++) inertia[i] = 0;
    for (int i = 0; i < x->crossings; i++) {
        const row_crossing *c = x->crossing + i;
        double b = x->entry[c->entry], own = a[x->factor.diagonal[c->row]] + x->compliance[c->row];
        a[c->slot] -= b;
        if (own > 0) inertia[c->coordinate] += b * b / own;
    }
    for (int i = 0; i < x->coordinates; i++) {
        double own = rate_factor(x->coordinate[i], h), none = own > 0 ? 0 : 1 / mean;
        a[x->factor.diagonal[x->rows + i]] -= own + LOOSE * (inertia[i] > 0 ? inertia[i] : none);
        inertia[i] += own;
    }
    for (int i = 0; i < x->crossings; i++) {
        const row_crossing *c = x->crossing + i;
        double b = x->entry[c->entry], own = inertia[c->coordinate];
        if (own > 0) x->mobility[c->row] += b * b / own;
    }
}

/* Of the three dofs of a vertex in most cases. */
static inline double product(int count, const double *a, const double *b)
{
    double sum = 0;
    if (count == 3) return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    for (int c = 0; c < count; c++) sum += a[c] * b[c];
    return sum;
}

static void fill_matrix(row_system *x, const problem *w, double h)
{
    double *a = x->factor.a, square = h * h;
    cord__sparse_clear(&x->factor);
    for (int i = 0; i < x->pairs; i++) {
        const row_pair *p = x->pair + i;
        a[p->slot] += square * w->inverse_mass[p->dof] *
                      product(p->count, x->entry + p->first, x->entry + p->second);
    }
    move_bodies(x, w);
    for (int i = 0; i < x->body_pairs; i++) {
        const body_pair *p = x->body_pair + i;
        const double *B = x->body_row[p->first].B, *moved = x->body_row[p->second].moved;
        double sum = 0;
        for (int c = 0; c < BODY_DOFS; c++) sum += B[c] * moved[c];
        a[p->slot] += square * sum;
    }
    double mean = note_yielding(x);
    if (x->coordinates > 0) cross(x, h, mean);
    for (int i = 0; i < x->rows; i++)
        a[x->factor.diagonal[i]] += x->compliance[i] + PROXIMAL * x->mobility[i] + LEAST * mean;
    for (int i = 0; x->value && i < x->factor.entries; i++) x->value[i] = a[x->factor.slot[i]];
}

/* The increments of coordinates, and the residual of their balance afterwards: in most cases round-off. */
void cord__move_coordinates(row_system *x, double h, double *delta)
{
    const double *z = x->y + x->rows;
    for (int i = 0; i < x->coordinates; i++) {
        delta[x->coordinate[i]->v0] += z[i];
        x->imbalance[i] += rate_factor(x->coordinate[i], h) * z[i];
    }
    for (int i = 0; i < x->crossings; i++) {
        const row_crossing *c = x->crossing + i;
        x->imbalance[c->coordinate] += x->entry[c->entry] * x->y[c->row];
    }
}

static inline bool solve_rows(row_system *x, const problem *w, double h, double *delta)
{
    double square = h * h;
    if (x->rows + x->coordinates == 0) return true;
    fill_matrix(x, w, h);
    for (int i = 0; i < x->coordinates; i++) x->y[x->rows + i] = x->imbalance[i];
    if (cord__sparse_factor_and_solve(&x->factor, x->y, x->y) != CORD_OK) return false;
    for (int i = 0; i < x->dof_entries; i++) {
        const dof_entry *t = x->dof_entry + i;
        delta[t->dof] -= square * w->inverse_mass[t->dof] * x->entry[t->entry] * x->y[t->row];
    }
    for (int i = 0; i < x->body_rows; i++) {
        const body_row *t = x->body_row + i;
        double *to = delta + t->body->v0;
        for (int c = 0; c < BODY_DOFS; c++) to[c] -= square * t->moved[c] * x->y[t->row];
    }
    cord__move_coordinates(x, h, delta);
    return true;
}

MULTIVERSION_RETURNING(bool, cord__row_system_solve, solve_rows,
                       (row_system * x, const problem *w, double h, double *delta),
                       (x, w, h, delta))
