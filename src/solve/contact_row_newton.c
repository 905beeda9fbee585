/* Contact forces in a projection by Newton's method, with the rows of the cluster as further unknowns.
 *
 * With the multipliers y of rows, the part p₀ of the forces that the trial contains, and the velocities u₀ with it,
 *
 *     S y = Γ (p − p₀),     u/c_v = u₀/c_v + W₀ (p − p₀) − Γᵀy,
 *     S = h² B M⁻¹Bᵀ + C,     Γ = h² B M⁻¹Hᵀ,     W₀ = h² H M⁻¹Hᵀ.
 *
 * W = W₀ − Γᵀ S⁻¹Γ couples all contacts of a cluster, but S, Γ and W₀ only neighbours: along a strand that winds round itself, in the
 * order in which a search through the graph meets rows and contacts, the matrix is a band. The sides of contacts are weighted sums
 * of points, so that in the axes of the world the blocks of W₀ are multiples of the identity. The unknowns of a contact depend on
 * its state, which follows from z = p − ρ u, ρ = 1/W₀:
 *
 *     open:   p = 0;
 *     sticks: p, with u = 0;
 *     slips:  p = p_N (n + μ e) + q e⊥, e = z_T/|z_T|, with u_N = 0, e⊥·u_T + s q = 0, s = (|z_T|/(μ z_N) − 1)/ρ,
 *
 * where q turns the direction of friction. That is the step of Newton's method on the equations of Alart and Curnier. */
#include "math/lanes.h"
#include "math/profile_lu.h"
#include "math/vec3.h"
#include "solve/cone/coulomb_kernel.h"
#include "solve/contact_coupling.h"
#include "solve/row_system.h"

#include <math.h>
#include <string.h>

enum {
    ITERATIONS = 12,
    STALLED = 4,    /* iterations without progress, after which there is none */
    NEAR = 10,      /* contacts on the same points, per contact in the mean */
    WIDTH = 48,     /* of the matrix, per unknown of a contact in the mean, */
    ROW_WIDTH = 12, /* and per row */
    VECTORS = 6     /* per contact */
};

/* Of fewer contacts W and its sweeps cost less. */
enum { MANY_CONTACTS = 16 };

/* Of a small tolerance: the residual at which forces are projected onto their cones, which multiplies it. */
static const double AIM = 0.3, LARGE_TOLERANCE = 1e-3;

/* The factor by which the residual falls where there is progress. */
static const double PROGRESS = 0.7;

/* The factor by which the residual has to fall in an iteration with the matrix of the last one. */
static const double FALL = 0.3;

size_t cord__row_newton_numbers(int rows, int contacts)
{
    return (NEAR + 3 * WIDTH + 3 + 4 * VECTORS) * (size_t)contacts + (2 + ROW_WIDTH) * (size_t)rows;
}

size_t cord__row_newton_indices(int rows, int contacts)
{
    return (NEAR + CONTACT_POINTS + 15) * (size_t)contacts + 7 * (size_t)rows + 8;
}

/* The workspace of an island. Nodes of the graph are rows, in the order of elimination, and then contacts. */
typedef struct row_newton {
    const problem *problem;
    const contact_set *k;
    island_contacts *x;
    const cluster *s;
    const row_system *rows;
    newton_contact *contact;    /* by their number among live ones */
    int count, row_count, room; /* contacts, rows, and contacts that there is room for */
    double c_v, proximal;
    int *near_start, *near; /* contacts on points of each, before it or itself */
    double *coupling;       /* W₀ of these */
    /* Nodes in the order of unknowns; per place in it, the last node that shares entries, and the first unknown. */
    int *node, *reach, *first;
    int *row_position, *last, *start;
    int *row_contact, *row_contacts; /* contacts in the middle of which a row is */
    int *before, *mark;
    double (*force)[4], (*applied)[4], (*change)[4]; /* p, p₀, and the change by states at once */
    /* u/c_v: by forces and y, without, and with the change of forces. */
    double (*velocity)[4], (*constant)[4], (*changed)[4];
    double *y, *solution, *matrix;
    size_t matrix_room;
} row_newton;

static double (*take_vectors(double **from, size_t count))[4]
{
    void *taken = *from;
    *from += 4 * count;
    return taken;
}

static row_newton divide(const problem *w, const island *of, double c_v)
{
    const contact_set *k = w->contacts;
    island_contacts *x = of->contacts;
    const cluster *s = of->cluster[0];
    const size_t n = (size_t)x->live_room, r = (size_t)s->row_system.rows;
    row_newton to = {.problem = w,
                     .k = k,
                     .x = x,
                     .s = s,
                     .rows = &s->row_system,
                     .contact = k->newton + x->first_row,
                     .count = x->live,
                     .row_count = s->row_system.rows,
                     .room = x->live_room,
                     .c_v = c_v};
    int *index = k->newton_index + x->first_index;
    to.near_start = index, index += n + 1;
    to.near = index, index += NEAR * n;
    to.node = index, index += r + n;
    to.reach = index, index += r + n;
    to.first = index, index += r + n + 1;
    to.row_position = index, index += r;
    to.last = index, index += r + 3 * n;
    to.start = index, index += r + 3 * n;
    to.row_contact = index, index += r + 2;
    to.row_contacts = index, index += 2 * n;
    to.mark = index, index += n;
    to.before = index;
    double *number = k->newton_number + x->first_number;
    to.coupling = number, number += NEAR * n;
    to.force = take_vectors(&number, n), to.applied = take_vectors(&number, n);
    to.change = take_vectors(&number, n), to.velocity = take_vectors(&number, n);
    to.constant = take_vectors(&number, n), to.changed = take_vectors(&number, n);
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

/* ---- points of contacts, and the motion of rows by them --------------------------------------------------- */

/* Prescribed points have no part. */
static bool add_points(const row_newton *w, newton_contact *c, const contact_columns *on, int side)
{
    const double square = w->s->newton.h * w->s->newton.h, sign = side ? -1 : 1;
    if (!on->cluster) return true;
    for (int i = 0; i < on->points; i++) {
        const int *response = on->response + 3 * i;
        if (response[0] < 0 && response[1] < 0 && response[2] < 0) continue;
        const double *inverse = w->problem->inverse_mass + on->dof[3 * i];
        if (response[0] < 0 || response[1] != response[0] + 1 || response[2] != response[0] + 2 ||
            inverse[1] != inverse[0] || inverse[2] != inverse[0])
            return false;
        c->point[c->points] = response[0];
        c->weight[c->points] = sign * on->weight[i];
        c->mobility[c->points++] = sign * on->weight[i] * square * inverse[0];
    }
    return on->points > 0;
}

/* Γ of a point. Its dofs are in the same rows, in most cases. */
static bool add_rows(const row_newton *w, newton_contact *c, int index)
{
    const row_system *x = w->rows;
    const int *last = x->last_entry + c->point[index];
    int guess[2] = {0};
    for (int axis = 0; axis < 3; axis++)
        for (int e = last[axis], i = 0; e >= 0; e = x->dof_entry[e].before, i ^= 1) {
            const dof_entry *t = x->dof_entry + e;
            const int before = c->rows,
                      at = index_of_row(c->row, &c->rows, x->factor.p_inverse[t->row], guess[i]);
            if (at < 0) return false;
            if (at == before) memset(c->by[at], 0, sizeof c->by[at]);
            guess[i] = at;
            c->by[at][axis] += c->mobility[index] * x->entry[t->entry];
        }
    return true;
}

/* A row on the point in the middle of those of a side. */
static int middle_row(const row_newton *w, const newton_contact *c, int first, int end)
{
    const int entry = first < end ? w->rows->last_entry[c->point[(first + end) / 2]] : -1;
    return entry >= 0 ? w->rows->factor.p_inverse[w->rows->dof_entry[entry].row] : -1;
}

static bool find_contacts(const row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const contact_row *r = row_at(w, i);
        newton_contact *c = w->contact + i;
        c->points = c->rows = c->size = 0;
        for (int j = 0; j < 3; j++) c->unknown[j][3] = 0;
        c->along[3] = 0;
        c->friction = r->friction;
        memcpy(c->axis, r->axis, sizeof c->axis);
        for (int side = 0, first = 0; side < 2; side++, first = c->points) {
            if (!add_points(w, c, r->side + side, side)) return false;
            for (int a = first; a < c->points; a++)
                if (!add_rows(w, c, a)) return false;
            c->middle[side] = middle_row(w, c, first, c->points);
        }
    }
    return true;
}

/* ---- W₀ --------------------------------------------------------------------------------------------------- */

/* That of contacts i and j; NULL: there is no room. */
static double *coupling_of(const row_newton *w, int i, int j)
{
    const int at = w->mark[j];
    int *end = w->near_start + i + 1;
    if (at >= w->near_start[i] && at < *end && w->near[at] == j) return w->coupling + at;
    if (*end == NEAR * w->room) return NULL;
    w->mark[j] = *end;
    w->near[*end] = j;
    w->coupling[*end] = 0;
    return w->coupling + (*end)++;
}

/* Contacts on the same point are listed from one to the one before. */
static bool add_couplings(const row_newton *w, int i)
{
    const newton_contact *c = w->contact + i;
    int *last = w->rows->last_contact;
    w->near_start[i + 1] = w->near_start[i];
    for (int a = 0; a < c->points; a++) {
        const int own = CONTACT_POINTS * i + a;
        w->before[own] = last[c->point[a]];
        last[c->point[a]] = own;
        for (int other = own; other >= 0; other = w->before[other]) {
            const int j = other / (CONTACT_POINTS);
            double *to = coupling_of(w, i, j);
            if (!to) return false;
            /* a contact of a strand with itself may have a point on both sides */
            const double times = j == i && other != own ? 2 : 1;
            *to += times * c->mobility[a] * w->contact[j].weight[other % (CONTACT_POINTS)];
        }
    }
    return true;
}

static bool couple(const row_newton *w)
{
    bool regular = true;
    w->near_start[0] = 0;
    for (int i = 0; i < w->count; i++) w->mark[i] = -1;
    for (int i = 0; regular && i < w->count; i++) {
        regular = add_couplings(w, i);
        const int own = w->mark[i];
        w->contact[i].scale = own >= w->near_start[i] ? w->coupling[own] : 0;
        regular = regular && w->contact[i].scale > 0;
    }
    for (int i = 0; i < w->count; i++)
        for (int a = 0; a < w->contact[i].points; a++)
            w->rows->last_contact[w->contact[i].point[a]] = -1;
    return regular;
}

/* ---- the order -------------------------------------------------------------------------------------------- */

/* The contacts in the middle of which each row is. */
static void list_row_contacts(const row_newton *w)
{
    int *start = w->row_contact;
    memset(start, 0, ((size_t)w->row_count + 2) * sizeof *start);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < w->count; i++)
            for (int side = 0; side < 2; side++) {
                const int row = w->contact[i].middle[side];
                if (row >= 0 && pass) w->row_contacts[start[row + 1]++] = i;
                if (row >= 0 && !pass) start[row + 2]++;
            }
        for (int r = 2; !pass && r < w->row_count + 2; r++) start[r] += start[r - 1];
    }
}

typedef struct node_queue {
    const row_newton *w;
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
static void order_nodes(const row_newton *w)
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

/* ---- the matrix ------------------------------------------------------------------------------------------- */

/* Two nodes of the graph, by their places in the order: how far the first reaches. */
static void meet(const row_newton *w, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    if (high > w->reach[low]) w->reach[low] = high;
}

/* Nodes that share entries of the matrix, which does not depend on states. Places are in row_position and contact.position. */
static void find_reaches(const row_newton *w)
{
    const sparse_ldl *f = &w->rows->factor;
    for (int i = 0; i < w->row_count + w->count; i++) w->reach[i] = i;
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++)
            meet(w, w->row_position[j], w->row_position[f->row[e]]);
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        for (int e = 0; e < c->rows; e++) meet(w, c->position, w->row_position[c->row[e]]);
        for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++)
            meet(w, c->position, w->contact[w->near[e]].position);
    }
    for (int i = 1; i < w->row_count + w->count; i++)
        if (w->reach[i] < w->reach[i - 1]) w->reach[i] = w->reach[i - 1];
}

/* Positions of unknowns, and how far rows of the matrix reach. */
INLINE int lay_out(const row_newton *w)
{
    const int nodes = w->row_count + w->count;
    int n = 0;
    for (int i = 0; i < nodes; i++) {
        const int index = w->node[i] - w->row_count;
        w->first[i] = n;
        if (index < 0)
            w->row_position[w->node[i]] = n++;
        else
            w->contact[index].position = n, n += w->contact[index].size;
    }
    w->first[nodes] = n;
    for (int i = 0; i < nodes; i++)
        for (int k = w->first[i]; k < w->first[i + 1]; k++)
            w->last[k] = w->first[w->reach[i] + 1] - 1;
    return n;
}

INLINE profile_matrix matrix_of(const row_newton *w, int n)
{
    return (profile_matrix){.n = n, .last = w->last, .start = w->start, .a = w->matrix};
}

/* x along the directions of the unknowns of a contact; zero beyond them. */
INLINE lanes along_unknowns(const newton_contact *c, const double *x)
{
    return x[0] * l_load(c->unknown[0]) + x[1] * l_load(c->unknown[1]) +
           x[2] * l_load(c->unknown[2]);
}

INLINE void add_to(double *x, lanes y)
{
    l_store(x, l_load(x) + y);
}

/* Of unknowns of j in equations of i. */
INLINE void add_coupling(double *const row[3], const newton_contact *i, const newton_contact *j,
                         double multiple)
{
    for (int a = 0; a < i->size; a++) {
        double direction[3];
        v3_scale(direction, multiple, i->equation[a]);
        add_to(row[a] + j->position, along_unknowns(j, direction));
    }
}

INLINE void find_rows(const profile_matrix *m, const newton_contact *c, double *row[3])
{
    for (int a = 0; a < c->size; a++) row[a] = profile_row(m, c->position + a);
}

INLINE void assemble_contact(const row_newton *w, const profile_matrix *m, int i)
{
    const newton_contact *c = w->contact + i;
    double *row[3], *other[3];
    find_rows(m, c, row);
    for (int e = 0; e < c->rows; e++) {
        const int at = w->row_position[c->row[e]];
        for (int a = 0; a < c->size; a++) row[a][at] = -v3_dot(c->by[e], c->equation[a]);
        add_to(profile_row(m, at) + c->position, -along_unknowns(c, c->by[e]));
    }
    add_coupling(row, c, c, w->proximal * c->scale);
    if (c->size == 2) row[1][c->position + 1] += c->slide;
    for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++) {
        const newton_contact *d = w->contact + w->near[e];
        if (d->size == 0) continue;
        add_coupling(row, c, d, w->coupling[e]);
        if (d == c) continue;
        find_rows(m, d, other);
        add_coupling(other, d, c, w->coupling[e]);
    }
}

INLINE void assemble(const row_newton *w, const profile_matrix *m)
{
    const sparse_ldl *f = &w->rows->factor;
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j]; e < f->column[j + 1]; e++) {
            const int a = w->row_position[j], b = w->row_position[f->row[e]];
            profile_row(m, a)[b] = profile_row(m, b)[a] = w->rows->value[e];
        }
    for (int i = 0; i < w->count; i++)
        if (w->contact[i].size > 0) assemble_contact(w, m, i);
}

/* ---- forces and velocities -------------------------------------------------------------------------------- */

/* u += factor W₀ p */
INLINE void add_coupled(const row_newton *w, double factor, double (*p)[4], double (*u)[4])
{
    for (int i = 0; i < w->count; i++) {
        const lanes own = l_load(p[i]);
        lanes sum = {0};
        for (int e = w->near_start[i]; e < w->near_start[i + 1]; e++) {
            const int j = w->near[e];
            const double multiple = factor * w->coupling[e];
            sum += multiple * l_load(p[j]);
            if (j != i) add_to(u[j], multiple * own);
        }
        add_to(u[i], sum);
    }
}

/* u/c_v by the forces and y. */
INLINE void set_velocities(const row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        lanes u = l_load(w->constant[i]) + w->proximal * c->scale * l_load(w->force[i]);
        for (int e = 0; e < c->rows; e++) u -= w->y[c->row[e]] * l_load(c->by[e]);
        l_store(w->velocity[i], u);
    }
    add_coupled(w, 1, w->force, w->velocity);
}

/* y by the forces, with the factor of the rows. */
INLINE void respond(const row_newton *w)
{
    double *y = w->y, p[4];
    memset(y, 0, (size_t)w->row_count * sizeof *y);
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        l_store(p, l_load(w->force[i]) - l_load(w->applied[i]));
        for (int e = 0; e < c->rows; e++) y[c->row[e]] += v3_dot(c->by[e], p);
    }
    cord__sparse_solve_lower(&w->rows->factor, y);
    cord__sparse_solve_upper(&w->rows->factor, y);
    set_velocities(w);
}

INLINE void to_axes(const newton_contact *c, const double *x, double *out)
{
    for (int k = 0; k < 3; k++) out[k] = v3_dot(c->axis[k], x);
}

INLINE void from_axes(const newton_contact *c, const double *x, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = x[0] * c->axis[0][k] + x[1] * c->axis[1][k] + x[2] * c->axis[2][k];
    out[3] = 0;
}

/* With the proximal term about the present forces. */
INLINE void set_constants(const row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const contact_row *r = row_at(w, i);
        double start[4];
        from_axes(c, r->start, start);
        from_axes(c, r->force, w->force[i]);
        from_axes(c, r->applied, w->applied[i]);
        l_store(w->constant[i],
                1 / w->c_v * l_load(start) - w->proximal * c->scale * l_load(w->force[i]));
    }
    add_coupled(w, -1, w->applied, w->constant);
}

/* The residual of cone_report. */
INLINE double residual_of(const row_newton *w, int *worst)
{
    double sum = 0, forces = 0, largest = 0;
    *worst = -1;
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        double p[3], u[3];
        to_axes(c, w->force[i], p);
        to_axes(c, w->velocity[i], u);
        const double square = cord__natural_map(c->scale, c->friction, u, p);
        if (!(square <= largest)) largest = square, *worst = i;
        sum += square, forces += v3_dot(p, p);
    }
    return sum > 0 ? (forces > 0 ? sqrt(sum / forces) : 1) : sum;
}

INLINE void set_slip(newton_contact *c, const double z[3], double length, double radius)
{
    const double *n = c->axis[0], x = length > 0 ? z[1] / length : 0,
                 y = length > 0 ? z[2] / length : 0;
    c->size = radius > 0 ? 2 : 1;
    c->slide = radius > 0 ? (length / radius - 1) * c->scale : 0;
    for (int k = 0; k < 3; k++) {
        c->along[k] = n[k] + c->friction * (x * c->axis[1][k] + y * c->axis[2][k]);
        c->equation[0][k] = n[k];
        c->equation[1][k] = x * c->axis[2][k] - y * c->axis[1][k];
        c->unknown[k][0] = c->along[k];
        c->unknown[k][1] = c->size == 2 ? c->equation[1][k] : 0;
        c->unknown[k][2] = 0;
    }
}

/* Whether states are those of the last step. */
INLINE bool set_states(const row_newton *w)
{
    bool same = true;
    for (int i = 0; i < w->count; i++) {
        newton_contact *c = w->contact + i;
        const int size = c->size;
        double world[4], z[3];
        l_store(world, l_load(w->force[i]) - 1 / c->scale * l_load(w->velocity[i]));
        to_axes(c, world, z);
        const double length = length_of(z[1], z[2]), radius = c->friction * z[0];
        if (!(z[0] > 0)) {
            c->size = 0;
        } else if (radius > 0 && length <= radius) {
            c->size = 3;
            memcpy(c->equation, c->axis, sizeof c->axis);
            for (int k = 0; k < 9; k++) c->unknown[k / 3][k % 3] = c->axis[k % 3][k / 3];
        } else {
            set_slip(c, z, length, radius);
        }
        same = same && c->size == size;
    }
    return same;
}

/* Forces become those that their states admit, with the change of velocities but for that of y. */
INLINE void admit_forces(const row_newton *w)
{
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        const double normal = v3_dot(c->axis[0], w->force[i]);
        const bool slips = c->size == 1 || c->size == 2;
        const lanes before = l_load(w->force[i]), none = {0},
                    force = c->size == 3 ? before
                            : slips      ? normal * l_load(c->along)
                                         : none;
        l_store(w->force[i], force);
        l_store(w->change[i], force - before);
        l_store(w->changed[i], l_load(w->velocity[i]) + w->proximal * c->scale * (force - before));
    }
    add_coupled(w, 1, w->change, w->changed);
}

/* Of the corrections of y and of the unknowns of contacts. */
INLINE void set_right_side(const row_newton *w)
{
    double *x = w->solution;
    for (int r = 0; r < w->row_count; r++) x[w->row_position[r]] = 0;
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        for (int a = 0; a < c->size; a++)
            x[c->position + a] = -v3_dot(c->equation[a], w->changed[i]);
        for (int e = 0; c->size < 3 && e < c->rows; e++)
            x[w->row_position[c->row[e]]] += v3_dot(c->by[e], w->change[i]);
    }
}

INLINE void add_correction(const row_newton *w)
{
    const double *x = w->solution;
    for (int r = 0; r < w->row_count; r++) w->y[r] += x[w->row_position[r]];
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < c->size; a++)
                w->force[i][k] += c->unknown[k][a] * x[c->position + a];
    }
}

INLINE bool factor(const row_newton *w)
{
    profile_matrix m = matrix_of(w, lay_out(w));
    const size_t length = cord__profile_layout(&m, w->matrix_room);
    w->x->newton_unknowns = 0;
    if (length == 0) return false;
    memset(m.a, 0, length * sizeof *m.a);
    assemble(w, &m);
    if (!cord__profile_factor(&m)) return false;
    w->x->newton_unknowns = m.n;
    return true;
}

/* With the present matrix, or with that of an earlier step whose states were the same: then y is found for the forces anew, since
 * directions of friction, and rows, were others. */
INLINE bool step(const row_newton *w, bool again)
{
    if (!again && !factor(w)) return false;
    const profile_matrix m = matrix_of(w, w->x->newton_unknowns);
    admit_forces(w);
    set_right_side(w);
    cord__profile_solve(&m, w->solution);
    add_correction(w);
    if (again)
        respond(w);
    else
        set_velocities(w);
    return true;
}

/* Projects forces onto their cones. Whether they have the wanted residual then. */
INLINE bool end(const row_newton *w, double tolerance, cone_report *report)
{
    for (int i = 0; i < w->count; i++) {
        const newton_contact *c = w->contact + i;
        double p[3];
        to_axes(c, w->force[i], p);
        cord__cone_project(c->friction, p);
        from_axes(c, p, w->force[i]);
    }
    respond(w);
    report->residual = residual_of(w, &report->worst);
    return report->residual <= tolerance;
}

INLINE bool iterate(const row_newton *w, double tolerance, cone_report *report)
{
    double least = INFINITY, before = INFINITY;
    double aim = tolerance < LARGE_TOLERANCE ? AIM * tolerance : tolerance;
    int stalled = 0;
    *report = (cone_report){0};
    set_constants(w);
    respond(w);
    for (;; report->newton_steps++) {
        double residual = residual_of(w, &report->worst);
        if (residual <= aim) {
            if (end(w, tolerance, report)) return true;
            residual = report->residual;
            aim *= AIM;
        }
        stalled = residual < PROGRESS * least ? 0 : stalled + 1;
        if (residual < least) least = residual;
        if (stalled == STALLED || report->newton_steps == ITERATIONS) return false;
        const bool same = set_states(w) && w->x->newton_unknowns > 0;
        if (!step(w, same && residual <= FALL * before)) return false;
        before = residual;
    }
}

static bool find_forces(const row_newton *w, double tolerance, cone_report *report);
MULTIVERSION_RETURNING(bool, find_forces, iterate,
                       (const row_newton *w, double tolerance, cone_report *report),
                       (w, tolerance, report))

/* ---- in a projection -------------------------------------------------------------------------------------- */

bool cord__couple_with_rows(const problem *p, const island *of)
{
    island_contacts *x = of->contacts;
    x->newton_unknowns = 0;
    if (!x->has_newton || x->live < MANY_CONTACTS) return false;
    const row_newton w = divide(p, of, 1);
    if (!find_contacts(&w) || !couple(&w)) return false;
    list_row_contacts(&w);
    order_nodes(&w);
    find_reaches(&w);
    return true;
}

bool cord__solve_with_contact_rows(const problem *p, const island *of, double c_v,
                                   const cone_options *options, cone_report *report)
{
    contact_set *k = p->contacts;
    row_newton w = divide(p, of, c_v);
    w.proximal = options->proximal;
    if (!find_forces(&w, options->tolerance, report)) return false;
    for (int i = 0; i < w.count; i++) {
        contact_row *r = k->row + k->live[of->contacts->first_row + i];
        to_axes(w.contact + i, w.force[i], r->force);
        cord__cone_project(r->friction, r->force);
    }
    return true;
}
