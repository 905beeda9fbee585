/* Contact forces in a projection by Newton's method, with the rows of the cluster as further unknowns.
 *
 * With the multipliers y of rows, the part p₀ of the forces that the trial contains, and the velocities u₀ with it,
 *
 *     S y = Γ (p − p₀),     u/c_v = u₀/c_v + W₀ (p − p₀) − Γᵀy,
 *     S = h² B M⁻¹Bᵀ + C,     Γ = h² B M⁻¹Hᵀ,     W₀ = h² H M⁻¹Hᵀ.
 *
 * W = W₀ − Γᵀ S⁻¹Γ couples all contacts of a cluster, but S, Γ and W₀ only neighbours: along a strand that winds round itself, in the
 * order in which a search through the graph meets rows and contacts, the matrix is a band. The unknowns of a contact depend on
 * its state, which follows from z = p − ρ u:
 *
 *     open:   p = 0;
 *     sticks: p, with u = 0;
 *     slips:  p = p_N (n + μ e) + q e⊥, e = z_T/|z_T|, with u_N = 0, e⊥·u_T + s q = 0, s = (|z_T|/(μ z_N) − 1)/ρ_T,
 *
 * where q turns the direction of friction. That is the step of Newton's method on the equations of Alart and Curnier. */
#include "math/profile_lu.h"
#include "math/vec3.h"
#include "solve/cone/coulomb.h"
#include "solve/contact_coupling.h"
#include "solve/row_system.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 12,
    STALLED = 3,  /* iterations without progress, after which there is none */
    NEAR = 8,     /* contacts on the same dofs, per contact in the mean */
    WIDTH = 48,   /* of the matrix, per unknown of a contact in the mean, */
    ROW_WIDTH = 8 /* and per row */
};

/* Of the wanted residual: forces have it before they are projected onto their cones, which multiplies it. */
static const double AIM = 0.1;

size_t cord__row_newton_numbers(int rows, int contacts)
{
    return (9 * NEAR + 3 * WIDTH + 12) * (size_t)contacts + (2 + ROW_WIDTH) * (size_t)rows;
}

size_t cord__row_newton_indices(int rows, int contacts, int columns)
{
    const size_t per_contact = 2 * (size_t)columns + NEAR + 15;
    return per_contact * (size_t)contacts + 7 * (size_t)rows + 8;
}

/* The workspace of an island. Nodes of the graph are rows, in the order of elimination, and then contacts. */
typedef struct row_newton {
    const contact_set *k;
    const island_contacts *x;
    const cluster *s;
    const row_system *rows;
    const row_motion *moved;    /* of contacts: Γ */
    newton_contact *contact;    /* by their number among live ones */
    int count, row_count, most; /* contacts, rows, and contacts that there is room for */
    double c_v, proximal;
    int *near_start, *near; /* contacts on dofs of each, before it or itself */
    double *block;          /* W₀ of these */
    int *node;              /* in the order of unknowns */
    int *row_position, *last, *start;
    int *row_contact, *row_contacts; /* contacts in the middle of which a row is */
    int *before, *mark;
    double *force, *velocity, *constant; /* p, u/c_v and −u/c_v at p = 0, y = 0 */
    double *y, *solution, *matrix;
    size_t matrix_room;
} row_newton;

static row_newton divide(const problem *w, const island *of, double c_v)
{
    const contact_set *k = w->contacts;
    const island_contacts *x = of->contacts;
    const cluster *s = of->cluster[0];
    const size_t n = (size_t)x->live_room, r = (size_t)s->row_system.factor.n;
    row_newton to = {.k = k,
                     .x = x,
                     .s = s,
                     .rows = &s->row_system,
                     .moved = k->moved + x->first_row,
                     .contact = k->newton + x->first_row,
                     .count = x->live,
                     .row_count = s->row_system.factor.n,
                     .most = x->live_room,
                     .c_v = c_v};
    int *index = k->newton_index + x->first_index;
    to.near_start = index, index += n + 1;
    to.near = index, index += NEAR * n;
    to.node = index, index += r + n;
    to.row_position = index, index += r;
    to.last = index, index += r + 3 * n;
    to.start = index, index += r + 3 * n;
    to.row_contact = index, index += r + 2;
    to.row_contacts = index, index += 2 * n;
    to.mark = index, index += n;
    to.before = index;
    double *number = k->newton_number + x->first_number;
    to.block = number, number += 9 * NEAR * n;
    to.force = number, number += 3 * n;
    to.velocity = number, number += 3 * n;
    to.constant = number, number += 3 * n;
    to.y = number, number += r;
    to.solution = number, number += r + 3 * n;
    to.matrix = number;
    to.matrix_room = 3 * WIDTH * n + ROW_WIDTH * r;
    return to;
}

static const contact_row *row_at(const row_newton *w, int i)
{
    return w->k->row + w->k->live[w->x->first_row + i];
}

/* ---- W₀ --------------------------------------------------------------------------------------------- */

/* The block of contacts i and j; NULL: there is no room. */
static double *block_of(row_newton *w, int i, int j)
{
    const int at = w->mark[j];
    int *end = w->near_start + i + 1;
    if (at >= w->near_start[i] && at < *end && w->near[at] == j) return w->block + 9 * at;
    if (*end == NEAR * w->most) return NULL;
    w->mark[j] = *end;
    w->near[*end] = j;
    return memset(w->block + 9 * (*end)++, 0, 9 * sizeof(double));
}

/* W += a bᵀ, and b aᵀ too where a contact has one dof on both of its sides. */
static void add_product(double *W, double factor, const double *a, const double *b, bool twice)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            W[3 * i + j] += factor * (a[i] * b[j] + (twice ? b[i] * a[j] : 0));
}

static bool add_contact(const problem *p, row_newton *w, int i, int *last_contact)
{
    const double square = w->s->newton.h * w->s->newton.h;
    const int columns = w->k->columns;
    w->near_start[i + 1] = w->near_start[i];
    for (int side = 0; side < 2; side++) {
        const contact_columns *on = row_at(w, i)->side + side;
        for (int d = 0; on->cluster && d < on->count; d++) {
            const int response = on->response[d], own = (2 * i + side) * columns + d;
            if (response < 0) continue;
            const double inverse = square * p->inverse_mass[w->rows->response_dof[response]];
            w->before[own] = last_contact[response];
            last_contact[response] = own;
            for (int other = own; other >= 0; other = w->before[other]) {
                const int j = other / (2 * columns), c = other % columns;
                const double *H = row_at(w, j)->side[other / columns % 2].H + 3 * c;
                double *W = block_of(w, i, j);
                if (!W) return false;
                add_product(W, inverse, on->H + 3 * d, H, j == i && other != own);
            }
        }
    }
    return true;
}

static void forget_contacts(const row_newton *w, int *last_contact)
{
    for (int i = 0; i < w->count; i++)
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = row_at(w, i)->side + side;
            for (int d = 0; on->cluster && d < on->count; d++)
                if (on->response[d] >= 0) last_contact[on->response[d]] = -1;
        }
}

/* Contacts on the same dofs are found from dof to dof, as their lists grow. */
static bool add_contacts(const problem *p, row_newton *w)
{
    bool room = true;
    w->near_start[0] = 0;
    for (int i = 0; i < w->count; i++) w->mark[i] = -1;
    for (int i = 0; room && i < w->count; i++)
        room = add_contact(p, w, i, w->rows->last_contact);
    forget_contacts(w, w->rows->last_contact);
    return room;
}

static const double *own_block(const row_newton *w, int i)
{
    int at = w->near_start[i];
    while (w->near[at] != i) at++;
    return w->block + 9 * at;
}

static void set_mobilities(row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const double *W = own_block(w, i);
        newton_contact *c = w->contact + i;
        c->scale = (W[0] + W[4] + W[8]) / 3;
        c->rho[0] = 1 / W[0], c->rho[1] = 2 / fmax(W[4] + W[8], 1e-12 * W[0]);
    }
}

/* ---- the order -------------------------------------------------------------------------------------- */

/* A row on the dof in the middle of a side; −1: there is none. */
static int middle_row(const row_newton *w, int i, int side)
{
    const row_motion *g = w->moved + i;
    const int middle = g->first[side] + (g->last[side] - g->first[side]) / 2;
    for (int r = middle; r <= g->last[side]; r++) {
        const int entry = w->rows->last_entry[r];
        if (entry >= 0) return w->rows->factor.p_inverse[w->rows->dof_entry[entry].row];
    }
    return -1;
}

/* The contacts in the middle of which each row is. */
static void list_row_contacts(row_newton *w)
{
    int *start = w->row_contact;
    memset(start, 0, ((size_t)w->row_count + 2) * sizeof *start);
    for (int i = 0; i < w->count; i++)
        for (int side = 0; side < 2; side++) {
            const int row = middle_row(w, i, side);
            w->contact[i].middle[side] = row;
            if (row >= 0) start[row + 2]++;
        }
    for (int r = 2; r < w->row_count + 2; r++) start[r] += start[r - 1];
    for (int i = 0; i < w->count; i++)
        for (int side = 0; side < 2; side++) {
            const int row = w->contact[i].middle[side];
            if (row >= 0) w->row_contacts[start[row + 1]++] = i;
        }
}

typedef struct node_queue {
    row_newton *w;
    int count;
} node_queue;

static void push_row(node_queue *q, int row)
{
    if (row < 0 || q->w->row_position[row] >= 0) return;
    q->w->row_position[row] = q->count;
    q->w->node[q->count++] = row;
}

static void push_contact(node_queue *q, int index)
{
    if (q->w->contact[index].position >= 0) return;
    q->w->contact[index].position = q->count;
    q->w->node[q->count++] = q->w->row_count + index;
}

/* The search goes on from nodes in the order in which it met them. */
static void search_from(node_queue *q, int row)
{
    const row_newton *w = q->w;
    int next = q->count;
    for (push_row(q, row); next < q->count; next++) {
        const int node = w->node[next], index = node - w->row_count;
        if (index >= 0) {
            for (int side = 0; side < 2; side++) push_row(q, w->contact[index].middle[side]);
            continue;
        }
        for (int e = w->row_contact[node]; e < w->row_contact[node + 1]; e++)
            push_contact(q, w->row_contacts[e]);
        for (int e = w->rows->neighbour_start[node]; e < w->rows->neighbour_start[node + 1]; e++)
            push_row(q, w->rows->neighbour[e]);
    }
}

/* From ends of chains of rows on. */
static void order_nodes(row_newton *w)
{
    node_queue q = {w, 0};
    const int *start = w->rows->neighbour_start;
    for (int r = 0; r < w->row_count; r++) w->row_position[r] = -1;
    for (int i = 0; i < w->count; i++) w->contact[i].position = -1;
    for (int r = 0; r < w->row_count; r++)
        if (start[r + 1] - start[r] <= 1) search_from(&q, r);
    for (int r = 0; r < w->row_count; r++) search_from(&q, r);
    for (int i = 0; i < w->count; i++) push_contact(&q, i);
}

/* ---- the matrix ------------------------------------------------------------------------------------- */

static void meet(int *last, int a, int a_size, int b, int b_size)
{
    const int low = a < b ? a : b, end = (a < b ? b + b_size : a + a_size) - 1;
    if (a_size > 0 && b_size > 0 && end > last[low]) last[low] = end;
}

/* Positions of unknowns, and how far rows of the matrix reach. */
static int lay_out(const row_newton *w)
{
    int n = 0;
    for (int i = 0; i < w->row_count + w->count; i++) {
        const int index = w->node[i] - w->row_count;
        if (index < 0)
            w->row_position[w->node[i]] = n++;
        else
            w->contact[index].position = n, n += w->contact[index].size;
    }
    for (int k = 0; k < n; k++) w->last[k] = k;
    const sparse_ldl *f = &w->rows->factor;
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++)
            meet(w->last, w->row_position[j], 1, w->row_position[f->row[e]], 1);
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const row_motion *g = w->moved + i;
        for (int e = 0; e < g->count; e++)
            meet(w->last, c->position, c->size, w->row_position[g->row[e]], 1);
        for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++) {
            const newton_contact *d = w->contact + w->near[e];
            meet(w->last, c->position, c->size, d->position, d->size);
        }
    }
    for (int k = 1; k < n; k++)
        if (w->last[k] < w->last[k - 1]) w->last[k] = w->last[k - 1];
    return n;
}

/* The part of a motion along the direction that e leaves free. */
static double across(const newton_contact *c, const double *g)
{
    return c->e[0] * g[2] - c->e[1] * g[1];
}

/* g of the forces, by the unknowns of a contact. */
static void by_unknowns(const newton_contact *c, const double *g, double *out)
{
    if (c->size == 3) {
        v3_copy(out, g);
        return;
    }
    out[0] = g[0] + c->friction * (c->e[0] * g[1] + c->e[1] * g[2]);
    out[1] = across(c, g);
}

/* The equations of a contact from those of u. */
static void by_equations(const newton_contact *c, const double *g, double *out)
{
    if (c->size == 3) {
        v3_copy(out, g);
        return;
    }
    out[0] = g[0];
    out[1] = across(c, g);
}

/* Adds W, or its transpose, of contacts i and j. */
static void add_block(const profile_matrix *m, const newton_contact *i, const newton_contact *j,
                      const double *W, bool transposed)
{
    double by[3][3], column[3], out[3];
    for (int a = 0; a < 3; a++) {
        const double row[3] = {W[transposed ? a : 3 * a], W[transposed ? 3 + a : 3 * a + 1],
                               W[transposed ? 6 + a : 3 * a + 2]};
        by_unknowns(j, row, by[a]);
    }
    for (int b = 0; b < j->size; b++) {
        v3_set(column, by[0][b], by[1][b], by[2][b]);
        by_equations(i, column, out);
        for (int a = 0; a < i->size; a++)
            profile_row(m, i->position + a)[j->position + b] += out[a];
    }
}

static void add_rows_of(const row_newton *w, const profile_matrix *m, const newton_contact *c,
                        const row_motion *g)
{
    for (int e = 0; e < g->count; e++) {
        double out[3];
        const int at = w->row_position[g->row[e]];
        by_unknowns(c, g->by[e], out);
        for (int a = 0; a < c->size; a++) profile_row(m, at)[c->position + a] = -out[a];
        by_equations(c, g->by[e], out);
        for (int a = 0; a < c->size; a++) profile_row(m, c->position + a)[at] = -out[a];
    }
}

static void assemble(const row_newton *w, const profile_matrix *m)
{
    const sparse_ldl *f = &w->rows->factor;
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j]; e < f->column[j + 1]; e++) {
            const int a = w->row_position[j], b = w->row_position[f->row[e]];
            profile_row(m, a)[b] = profile_row(m, b)[a] = w->rows->value[e];
        }
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        if (c->size == 0) continue;
        const double shift = w->proximal * c->scale, diagonal[9] = {shift, 0, 0, 0,    shift,
                                                                    0,     0, 0, shift};
        add_rows_of(w, m, c, w->moved + i);
        add_block(m, c, c, diagonal, false);
        if (c->size == 2) profile_row(m, c->position + 1)[c->position + 1] += c->slide;
        for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++) {
            const newton_contact *d = w->contact + w->near[e];
            if (d->size == 0) continue;
            add_block(m, c, d, w->block + 9 * e, false);
            if (d != c) add_block(m, d, c, w->block + 9 * e, true);
        }
    }
}

/* ---- forces and velocities -------------------------------------------------------------------------- */

/* u += W₀ p */
static void add_near(const row_newton *w, const double *p, double *u)
{
    for (int i = 0; i < w->count; i++)
        for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++) {
            const int j = w->near[e];
            const double *W = w->block + 9 * e, *b = p + 3 * i;
            for (int k = 0; k < 3; k++) u[3 * i + k] += v3_dot(W + 3 * k, p + 3 * j);
            for (int k = 0; j != i && k < 3; k++)
                u[3 * j + k] += W[k] * b[0] + W[3 + k] * b[1] + W[6 + k] * b[2];
        }
}

/* With the proximal term about the forces at first. */
static void set_constants(row_newton *w)
{
    double *applied = w->velocity;
    for (int i = 0; i < w->count; i++) {
        const contact_row *r = row_at(w, i);
        newton_contact *c = w->contact + i;
        c->friction = r->friction;
        v3_copy(applied + 3 * i, r->applied);
        v3_copy(w->force + 3 * i, r->force);
        v3_combine(w->constant + 3 * i, -1 / w->c_v, r->start, w->proximal * c->scale, r->force);
    }
    add_near(w, applied, w->constant);
}

/* u/c_v by the forces and y. */
static void set_velocities(const row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const row_motion *g = w->moved + i;
        double *u = w->velocity + 3 * i;
        v3_combine(u, -1, w->constant + 3 * i, w->proximal * w->contact[i].scale,
                   w->force + 3 * i);
        for (int e = 0; e < g->count; e++) v3_axpy(u, -w->y[g->row[e]], g->by[e]);
    }
    add_near(w, w->force, w->velocity);
}

/* y by the forces, with the factor of the rows. */
static void respond(const row_newton *w)
{
    double *x = w->rows->response;
    memset(x, 0, (size_t)w->row_count * RESPONSES * sizeof *x);
    for (int i = 0; i < w->count; i++) {
        const row_motion *g = w->moved + i;
        double p[3];
        v3_sub(p, w->force + 3 * i, row_at(w, i)->applied);
        for (int e = 0; e < g->count; e++) x[g->row[e] * RESPONSES] += v3_dot(g->by[e], p);
    }
    cord__sparse_solve_many(&w->rows->factor, x);
    for (int r = 0; r < w->row_count; r++) w->y[r] = x[r * RESPONSES];
    set_velocities(w);
}

/* The residual of cone_report. */
static double residual_of(const row_newton *w, int *worst)
{
    double sum = 0, forces = 0, largest = 0;
    *worst = -1;
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const double *p = w->force + 3 * i;
        const double square = cord__natural_map(c->scale, c->friction, w->velocity + 3 * i, p);
        if (!(square <= largest)) largest = square, *worst = i;
        sum += square, forces += v3_dot(p, p);
    }
    return sum > 0 ? (forces > 0 ? sqrt(sum / forces) : 1) : sum;
}

static void set_states(row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        newton_contact *c = w->contact + i;
        const double *p = w->force + 3 * i, *u = w->velocity + 3 * i;
        const double z[3] = {p[0] - c->rho[0] * u[0], p[1] - c->rho[1] * u[1],
                             p[2] - c->rho[1] * u[2]};
        const double length = sqrt(z[1] * z[1] + z[2] * z[2]), radius = c->friction * z[0];
        if (!(z[0] > 0)) {
            c->size = 0;
        } else if (radius > 0 && length <= radius) {
            c->size = 3;
        } else {
            c->size = radius > 0 ? 2 : 1;
            c->slide = radius > 0 ? (length / radius - 1) / c->rho[1] : 0;
            for (int k = 0; k < 2; k++) c->e[k] = length > 0 ? z[1 + k] / length : 0;
        }
    }
}

static void read_solution(const row_newton *w)
{
    const double *x = w->solution;
    for (int r = 0; r < w->row_count; r++) w->y[r] = x[w->row_position[r]];
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const double *at = x + c->position;
        double *p = w->force + 3 * i;
        v3_set(p, 0, 0, 0);
        for (int k = 0; k < c->size && c->size != 2; k++) p[k] = at[k];
        if (c->size == 2)
            v3_set(p, at[0], c->friction * at[0] * c->e[0] - at[1] * c->e[1],
                   c->friction * at[0] * c->e[1] + at[1] * c->e[0]);
    }
    set_velocities(w);
}

static void set_right_side(const row_newton *w)
{
    double *x = w->solution, out[3];
    for (int r = 0; r < w->row_count; r++) x[w->row_position[r]] = 0;
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const row_motion *g = w->moved + i;
        const double *applied = row_at(w, i)->applied;
        by_equations(c, w->constant + 3 * i, out);
        for (int a = 0; a < c->size; a++) x[c->position + a] = out[a];
        for (int e = 0; e < g->count; e++)
            x[w->row_position[g->row[e]]] -= v3_dot(g->by[e], applied);
    }
}

static bool step(row_newton *w)
{
    const int n = lay_out(w);
    profile_matrix m = {.n = n, .last = w->last, .start = w->start, .a = w->matrix};
    const size_t length = cord__profile_layout(&m, w->matrix_room);
    if (length == 0) return false;
    cord__profile_clear(&m, length);
    assemble(w, &m);
    set_right_side(w);
    if (!cord__profile_solve(&m, w->solution)) return false;
    read_solution(w);
    return true;
}

/* Newton's method; then forces are projected onto their cones, with their own residual. */
static bool iterate(row_newton *w, double tolerance, cone_report *report)
{
    double least = INFINITY;
    int stalled = 0;
    *report = (cone_report){0};
    for (;; report->newton_steps++) {
        const double residual = residual_of(w, &report->worst);
        if (residual <= AIM * tolerance) break;
        stalled = residual < 0.5 * least ? 0 : stalled + 1;
        if (residual < least) least = residual;
        if (stalled == STALLED || report->newton_steps == ITERATIONS) return false;
        set_states(w);
        if (!step(w)) return false;
    }
    for (int i = 0; i < w->count; i++)
        cord__cone_project(w->contact[i].friction, w->force + 3 * i);
    respond(w);
    report->residual = residual_of(w, &report->worst);
    return report->residual <= tolerance;
}

/* ---- in a projection -------------------------------------------------------------------------------- */

bool cord__couple_with_rows(const problem *p, const island *of)
{
    const island_contacts *x = of->contacts;
    if (!x->has_newton || x->live == 0) return false;
    row_newton w = divide(p, of, 1);
    const coupling of_cluster = {.k = w.k,
                                 .x = x,
                                 .s = w.s,
                                 .member = w.k->member + w.s->first_contact};
    if (!cord__find_row_motions(p, &of_cluster, w.k->moved + x->first_row)) return false;
    if (!add_contacts(p, &w)) return false;
    for (int i = 0; i < w.count; i++)
        if (!(own_block(&w, i)[0] > 0)) return false;
    set_mobilities(&w);
    list_row_contacts(&w);
    order_nodes(&w);
    return true;
}

bool cord__solve_with_contact_rows(const problem *p, const island *of, double c_v,
                                   const cone_options *options, cone_report *report)
{
    contact_set *k = p->contacts;
    row_newton w = divide(p, of, c_v);
    w.proximal = options->proximal;
    set_constants(&w);
    respond(&w);
    if (!iterate(&w, options->tolerance, report)) return false;
    for (int i = 0; i < w.count; i++)
        v3_copy(k->row[k->live[of->contacts->first_row + i]].force, w.force + 3 * i);
    return true;
}
