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
        }
    }
    for (int i = 0; i < x->dof_entries; i++) x->entry_response[i] = of_dof[x->dof_entry[i].dof];
}

cord_status cord__row_system_reserve(row_system *x, const problem *w, const cluster *s, memory *m)
{
    size_t line = 64 / sizeof(double), rows = (size_t)(x->rows + x->coordinates);
    int *of_dof = NEW(m, int, w->v_count);
    x->dof_response = NEW(m, int, total_dofs(w, s));
    x->entry_response = NEW(m, int, x->dof_entries);
    x->response_memory = NEW(m, double, rows *RESPONSES + line);
    bool room = of_dof && x->dof_response && x->entry_response && x->response_memory;
    if (room) {
        x->response = x->response_memory +
                      (line - (uintptr_t)x->response_memory / sizeof(double) % line) % line;
        list_dofs(x, w, s, of_dof);
    }
    cord__release(m, of_dof);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

static void add_row(double *to, double factor, const double *from)
{
    for (int k = 0; k < RESPONSES; k++) to[k] += factor * from[k];
}

/* x ← h² M⁻¹ x of a body. */
static void accelerate_body(const problem *w, const block *b, const int *row, double square,
                            double *x)
{
    for (int k = 0; k < RESPONSES; k++) {
        double force[BODY_DOFS], motion[BODY_DOFS];
        for (int c = 0; c < BODY_DOFS; c++)
            force[c] = row[c] >= 0 ? x[(size_t)row[c] * RESPONSES + (size_t)k] : 0;
        b->ops->projection->mass_solve(b->model, w->cache + b->cache0, force, motion);
        for (int c = 0; c < BODY_DOFS; c++)
            if (row[c] >= 0) x[(size_t)row[c] * RESPONSES + (size_t)k] = square * motion[c];
    }
}

static void accelerate(const row_system *x, const problem *w, const cluster *s, double square)
{
    const int *row = x->dof_response;
    for (int k = 0; k < s->blocks; k++) {
        const block *b = w->block[s->block[k]];
        if (BLOCK_HAS(b, projection, mass_solve)) {
            accelerate_body(w, b, row, square, s->responses.x);
        } else {
            const double *inverse = w->inverse_mass + b->v0;
            for (int c = 0; c < b->shape.dofs; c++) {
                if (row[c] < 0) continue;
                double *to = s->responses.x + (size_t)row[c] * RESPONSES;
                for (int i = 0; i < RESPONSES; i++) to[i] *= square * inverse[c];
            }
        }
        row += b->shape.dofs;
    }
}

/* The row in cluster.responses of a dof of a body. */
static const double *body_response(const problem *w, const cluster *s, const body_row *t, int dof)
{
    return cord__response_row(s, cord__unknown(w, t->body, dof));
}

static void set_right_sides(const row_system *x, const problem *w, const cluster *s)
{
    const int *order = x->factor.p_inverse;
    const size_t rows = (size_t)(x->rows + x->coordinates);
    memset(x->response, 0, rows * RESPONSES * sizeof(double));
    for (int i = 0; i < x->dof_entries; i++) {
        const dof_entry *t = x->dof_entry + i;
        if (x->entry_response[i] >= 0)
            add_row(x->response + order[t->row] * RESPONSES, x->entry[t->entry],
                    s->responses.x + x->entry_response[i] * RESPONSES);
    }
    for (int i = 0; i < x->body_rows; i++) {
        const body_row *t = x->body_row + i;
        for (int c = 0; c < BODY_DOFS; c++)
            if (!t->body->prescribed[c])
                add_row(x->response + order[t->row] * RESPONSES, t->B[c],
                        body_response(w, s, t, c));
    }
}

static void return_motion(const row_system *x, const problem *w, const cluster *s, double square)
{
    const int *order = x->factor.p_inverse;
    for (int i = 0; i < x->dof_entries; i++) {
        const dof_entry *t = x->dof_entry + i;
        if (x->entry_response[i] >= 0)
            add_row(s->responses.x + x->entry_response[i] * RESPONSES,
                    -square * w->inverse_mass[t->dof] * x->entry[t->entry],
                    x->response + order[t->row] * RESPONSES);
    }
    for (int i = 0; i < x->body_rows; i++) {
        const body_row *t = x->body_row + i;
        for (int c = 0; c < BODY_DOFS; c++) {
            int unknown = cord__unknown(w, t->body, c);
            if (t->body->prescribed[c] || !has_response(s, t->body, c, unknown)) continue;
            add_row(s->responses.x + cord__response_index(s, unknown) * RESPONSES,
                    -square * t->moved[c], x->response + order[t->row] * RESPONSES);
        }
    }
}

static inline void respond(const row_system *x, const problem *w, const cluster *s, double h)
{
    const double square = h * h;
    accelerate(x, w, s, square);
    if (x->rows + x->coordinates == 0) return;
    set_right_sides(x, w, s);
    cord__sparse_solve_many(&x->factor, x->response);
    return_motion(x, w, s, square);
}

MULTIVERSION(cord__row_system_respond, respond,
             (const row_system *x, const problem *w, const cluster *s, double h), (x, w, s, h))

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
