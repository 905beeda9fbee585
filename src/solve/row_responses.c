/* Responses of a system of rows to forces on the dofs of its cluster:
 *
 *     (M/h²) x + Bᵀy = F,  B x − C y = 0:     x₀ = h² M⁻¹F,  (h² B M⁻¹Bᵀ + C) y = B x₀,  x = x₀ − h² M⁻¹Bᵀy,
 *
 * of RESPONSES forces at once. Coordinates are further unknowns, on which no force acts. */
#include "math/multiversion.h"
#include "solve/problem.h"

#include <stdint.h>
#include <string.h>

static bool has_response(const cluster *s, const block *b, int dof, int unknown)
{
    return b->alias_block[dof] < 0 && unknown < s->map.count && !s->map.is_prescribed[unknown];
}

static int total_dofs(const problem *w, const cluster *s)
{
    int count = 0;
    for (int k = 0; k < s->blocks; k++) count += w->block[s->block[k]]->shape.dofs;
    return count;
}

/* Prescribed dofs have no row; entries on them are not listed. */
static void list_dofs(row_system *x, const problem *w, const cluster *s, int *of_dof)
{
    int at = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++, at++) {
            int unknown = cord__unknown(w, b, c);
            x->dof_response[at] =
                has_response(s, b, c, unknown) ? cord__response_index(s, unknown) : -1;
            of_dof[b->v0 + c] = x->dof_response[at];
            if (x->dof_response[at] >= 0) x->response_dof[x->dof_response[at]] = b->v0 + c;
        }
    }
    for (int i = 0; i < x->dof_entries; i++) x->entry_response[i] = of_dof[x->dof_entry[i].dof];
    for (int i = 0; i < x->dof_entries; i++)
        if (x->entry_response[i] >= 0) x->last_entry[x->entry_response[i]] = i;
}

/* Rows of cluster.responses that dofs have. */
static int response_count(const problem *w, const cluster *s)
{
    int count = 0;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; c < b->shape.dofs; c++) {
            int unknown = cord__unknown(w, b, c);
            int end = has_response(s, b, c, unknown) ? cord__response_index(s, unknown) + 1 : 0;
            if (end > count) count = end;
        }
    }
    return count;
}

/* The graph of both triangles: counts two places ahead become starts by a sum, and each start moves to the next one as the list
 * of its row is filled. */
static void list_neighbours(row_system *x)
{
    const sparse_ldl *f = &x->factor;
    int *start = x->neighbour_start;
    for (int i = 0; i < f->n + 2; i++) start[i] = 0;
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++)
            start[j + 2]++, start[f->row[e] + 2]++;
    for (int i = 2; i < f->n + 2; i++) start[i] += start[i - 1];
    for (int j = 0; j < f->n; j++)
        for (int e = f->column[j] + 1; e < f->column[j + 1]; e++) {
            const int i = f->row[e];
            x->neighbour[start[j + 1]++] = i;
            x->neighbour[start[i + 1]++] = j;
        }
}

cord_status cord__row_system_reserve(row_system *x, const problem *w, const cluster *s, memory *m)
{
    size_t line = 64 / sizeof(double), rows = (size_t)(x->rows + x->coordinates);
    int *of_dof = NEW(m, int, w->v_count);
    x->dof_response = NEW(m, int, total_dofs(w, s));
    x->entry_response = NEW(m, int, x->dof_entries);
    x->response_memory = NEW(m, double, rows *RESPONSES + line);
    const int count = response_count(w, s);
    x->response_dof = NEW(m, int, count);
    x->last_entry = NEW(m, int, count);
    x->last_contact = NEW(m, int, count);
    x->value = NEW(m, double, x->factor.entries);
    x->neighbour_start = NEW(m, int, rows + 2);
    x->neighbour = NEW(m, int, 2 * x->factor.entries);
    bool room = of_dof && x->value && x->neighbour_start && x->neighbour && x->dof_response &&
                x->entry_response && x->response_memory && x->response_dof && x->last_entry &&
                x->last_contact;
    if (room) {
        for (int i = 0; i < count; i++) x->last_entry[i] = x->last_contact[i] = -1;
        x->response = x->response_memory +
                      (line - (uintptr_t)x->response_memory / sizeof(double) % line) % line;
        list_dofs(x, w, s, of_dof);
        list_neighbours(x);
    }
    cord__release(m, of_dof);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

static inline void add_row(double *to, double factor, const double *from, int count)
{
    for (int k = 0; k < count; k++) to[k] += factor * from[k];
}

/* x ← h² M⁻¹ x of a body. */
static void accelerate_body(const problem *w, const block *b, const int *row, double square,
                            double *x, int count)
{
    for (int k = 0; k < count; k++) {
        double force[BODY_DOFS], motion[BODY_DOFS];
        for (int c = 0; c < BODY_DOFS; c++)
            force[c] = row[c] >= 0 ? x[(size_t)row[c] * RESPONSES + (size_t)k] : 0;
        b->ops->projection->mass_solve(b->model, w->cache + b->cache0, force, motion);
        for (int c = 0; c < BODY_DOFS; c++)
            if (row[c] >= 0) x[(size_t)row[c] * RESPONSES + (size_t)k] = square * motion[c];
    }
}

static inline void accelerate(const row_system *x, const problem *w, const cluster *s,
                              double square, int count)
{
    const int *row = x->dof_response;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        const double *inverse = w->inverse_mass + b->v0;
        if (BLOCK_HAS(b, projection, mass_solve))
            accelerate_body(w, b, row, square, s->responses.x, count);
        else
            for (int c = 0; c < b->shape.dofs; c++) {
                double *to = s->responses.x + (size_t)row[c] * RESPONSES;
                for (int i = 0; row[c] >= 0 && i < count; i++) to[i] *= square * inverse[c];
            }
        row += b->shape.dofs;
    }
}

/* The row in cluster.responses of a dof of a body; NULL: it has none. */
static double *body_response(const problem *w, const cluster *s, const body_row *t, int dof)
{
    int unknown = cord__unknown(w, t->body, dof);
    if (t->body->prescribed[dof] || !has_response(s, t->body, dof, unknown)) return NULL;
    return s->responses.x + (size_t)cord__response_index(s, unknown) * RESPONSES;
}

/* B x₀. The entries of a row follow each other. */
static inline void set_right_sides(const row_system *x, const problem *w, const cluster *s,
                                   int count)
{
    const int *order = x->factor.p_inverse;
    const size_t rows = (size_t)(x->rows + x->coordinates);
    memset(x->response, 0, rows * RESPONSES * sizeof(double));
    for (int i = 0; i < x->dof_entries;) {
        const int row = x->dof_entry[i].row;
        double sum[RESPONSES] = {0};
        for (; i < x->dof_entries && x->dof_entry[i].row == row; i++)
            if (x->entry_response[i] >= 0)
                add_row(sum, x->entry[x->dof_entry[i].entry],
                        s->responses.x + (size_t)x->entry_response[i] * RESPONSES, count);
        add_row(x->response + (size_t)order[row] * RESPONSES, 1, sum, count);
    }
    for (int i = 0; i < x->body_rows; i++) {
        const body_row *t = x->body_row + i;
        for (int c = 0; c < BODY_DOFS; c++) {
            const double *from = body_response(w, s, t, c);
            if (from)
                add_row(x->response + (size_t)order[t->row] * RESPONSES, t->B[c], from, count);
        }
    }
}

/* − h² M⁻¹Bᵀy */
static inline void return_motion(const row_system *x, const problem *w, const cluster *s,
                                 double square, int count)
{
    const int *order = x->factor.p_inverse;
    for (int i = 0; i < x->dof_entries; i++) {
        const dof_entry *t = x->dof_entry + i;
        if (x->entry_response[i] >= 0)
            add_row(s->responses.x + (size_t)x->entry_response[i] * RESPONSES,
                    -square * w->inverse_mass[t->dof] * x->entry[t->entry],
                    x->response + (size_t)order[t->row] * RESPONSES, count);
    }
    for (int i = 0; i < x->body_rows; i++) {
        const body_row *t = x->body_row + i;
        for (int c = 0; c < BODY_DOFS; c++) {
            double *to = body_response(w, s, t, c);
            if (to)
                add_row(to, -square * t->moved[c], x->response + (size_t)order[t->row] * RESPONSES,
                        count);
        }
    }
}

static inline void respond_to(const row_system *x, const problem *w, const cluster *s, double h,
                              int count)
{
    const double square = h * h;
    accelerate(x, w, s, square, count);
    if (x->rows + x->coordinates == 0) return;
    set_right_sides(x, w, s, count);
    cord__sparse_solve_many(&x->factor, x->response);
    return_motion(x, w, s, square, count);
}

static inline void respond(const row_system *x, const problem *w, const cluster *s, double h,
                           int count)
{
    if (count == 1)
        respond_to(x, w, s, h, 1);
    else
        respond_to(x, w, s, h, RESPONSES);
}

MULTIVERSION(cord__row_system_respond, respond,
             (const row_system *x, const problem *w, const cluster *s, double h, int count),
             (x, w, s, h, count))

void cord__row_system_add_response(row_system *x, const problem *w, const cluster *s, double h,
                                   double *delta)
{
    const int *row = x->dof_response;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        for (int c = 0; !b->shape.coordinate.is_one && c < b->shape.dofs; c++)
            if (row[c] >= 0) delta[b->v0 + c] += s->responses.x[(size_t)row[c] * RESPONSES];
        row += b->shape.dofs;
    }
    for (int i = 0; i < x->rows + x->coordinates; i++)
        x->y[i] = x->response[(size_t)x->factor.p_inverse[i] * RESPONSES];
    cord__move_coordinates(x, h, delta);
}
