/* Blocks of W in a projection, without the responses of all dofs: with Γ = h² B M⁻¹Hᵀ
 *
 *     H x = h² H M⁻¹Hᵀ − Γᵀ (h² B M⁻¹Bᵀ + C)⁻¹ Γ.
 *
 * A contact has few rows in Γ, and the first term couples contacts that share dofs. */
#include "solve/contact_coupling.h"
#include "solve/row_system.h"

#include <limits.h>
#include <string.h>

static bool has_body(const problem *w, const cluster *s)
{
    bool any = false;
    for (int k = 0; k < s->blocks; k++)
        any = any || BLOCK_HAS(w->block[s->block[k]], projection, mass_solve);
    return any;
}

/* ---- the motion of rows ---------------------------------------------------------------------------- */

static bool add_side(const problem *w, const row_system *x, const cluster *s,
                     const contact_columns *on, double square, row_motion *g, int side)
{
    int guess[4] = {0};
    g->first[side] = INT_MAX, g->last[side] = -1;
    if (on->cluster != s) return true;
    for (int d = 0; d < on->count; d++) {
        const int response = on->response[d];
        if (response < 0) continue;
        const double inverse = square * w->inverse_mass[x->response_dof[response]];
        if (response < g->first[side]) g->first[side] = response;
        if (response > g->last[side]) g->last[side] = response;
        for (int e = x->last_entry[response], i = 0; e >= 0; e = x->dof_entry[e].before, i++) {
            const dof_entry *t = x->dof_entry + e;
            const int before = g->count,
                      at = index_of_row(g->row, &g->count, x->factor.p_inverse[t->row],
                                        guess[i % 4]);
            if (at < 0) return false;
            if (at == before) memset(g->by[at], 0, sizeof g->by[at]);
            guess[i % 4] = at;
            for (int axis = 0; axis < 3; axis++)
                g->by[at][axis] += inverse * x->entry[t->entry] * on->H[3 * d + axis];
        }
    }
    return true;
}

static bool find_motions(const problem *w, const coupling *c, row_motion *moved)
{
    const row_system *x = &c->s->row_system;
    const double square = c->s->newton.h * c->s->newton.h;
    for (int m = 0; m < c->s->contacts; m++) {
        const contact_row *r = row_of(c, m);
        row_motion *g = moved + c->member[m];
        g->count = 0;
        for (int side = 0; side < 2; side++)
            if (!add_side(w, x, c->s, r->side + side, square, g, side)) return false;
    }
    return true;
}

/* ---- columns --------------------------------------------------------------------------------------- */

/* Γ of the present columns, and h² M⁻¹Hᵀ in the responses. */
static void set_columns(const problem *w, const coupling *c, const row_motion *moved)
{
    const row_system *x = &c->s->row_system;
    const double square = c->s->newton.h * c->s->newton.h;
    memset(x->response, 0, (size_t)(x->rows + x->coordinates) * RESPONSES * sizeof(double));
    for (int i = 0; i < c->count; i++) {
        const int m = (c->first + i) / 3, axis = (c->first + i) % 3;
        const contact_row *r = row_of(c, m);
        const row_motion *g = moved + c->member[m];
        for (int k = 0; k < g->count; k++)
            x->response[(size_t)g->row[k] * RESPONSES + (size_t)i] = g->by[k][axis];
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = r->side + side;
            for (int d = 0; on->cluster == c->s && d < on->count; d++)
                if (on->response[d] >= 0)
                    c->s->responses.x[(size_t)on->response[d] * RESPONSES + (size_t)i] +=
                        square * w->inverse_mass[x->response_dof[on->response[d]]] *
                        on->H[3 * d + axis];
        }
    }
}

static void clear_columns(const coupling *c)
{
    for (int m = c->first / 3; m <= (c->first + c->count - 1) / 3; m++)
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = row_of(c, m)->side + side;
            for (int d = 0; on->cluster == c->s && d < on->count; d++)
                if (on->response[d] >= 0)
                    memset(c->s->responses.x + (size_t)on->response[d] * RESPONSES, 0,
                           RESPONSES * sizeof(double));
        }
}

/* Whether a side may share dofs with the present columns. */
static bool shares(const coupling *c, const row_motion *moved, const row_motion *g, int side)
{
    bool any = false;
    for (int m = c->first / 3; m <= (c->first + c->count - 1) / 3; m++)
        for (int k = 0; k < 2; k++) {
            const row_motion *of = moved + c->member[m];
            any = any || (g->first[side] <= of->last[k] && of->first[k] <= g->last[side]);
        }
    return any;
}

/* Half a row of responses: without AVX-512 whole ones go through memory. */
typedef double half __attribute__((vector_size(4 * RESPONSES), aligned(8), may_alias));

INLINE void add_blocks(const coupling *c, const row_motion *moved)
{
    const half *y = (const half *)(const void *)c->s->row_system.response,
               *x = (const half *)(const void *)c->s->responses.x;
    double out[3][RESPONSES];
    block_columns at = present_columns(c);
    for (int m = at.first; m < c->s->contacts; m++) {
        const row_motion *g = moved + c->member[m];
        half sum[3][2] = {{{0}}};
        for (int k = 0; k < g->count; k++) {
            const half *of = y + 2 * (size_t)g->row[k];
            UNROLLED
            for (int axis = 0; axis < 3; axis++) {
                sum[axis][0] -= g->by[k][axis] * of[0];
                sum[axis][1] -= g->by[k][axis] * of[1];
            }
        }
        for (int side = 0; side < 2; side++) {
            if (!shares(c, moved, g, side)) continue;
            const contact_columns *on = row_of(c, m)->side + side;
            for (int d = 0; d < on->count; d++) {
                if (on->response[d] < 0) continue;
                const half *of = x + 2 * (size_t)on->response[d];
                UNROLLED
                for (int axis = 0; axis < 3; axis++) {
                    sum[axis][0] += on->H[3 * d + axis] * of[0];
                    sum[axis][1] += on->H[3 * d + axis] * of[1];
                }
            }
        }
        memcpy(out, sum, sizeof out);
        add_to_blocks(c, &at, m, out);
    }
}

void cord__add_row_coupling_blocks(const coupling *c, const row_motion *moved);
MULTIVERSION(cord__add_row_coupling_blocks, add_blocks,
             (const coupling *c, const row_motion *moved), (c, moved))

bool cord__couple_under_rows(const problem *w, cluster *s, coupling *c)
{
    row_motion *moved = w->contacts->moved + c->x->first_row;
    if (!c->symmetric || has_body(w, s) || !find_motions(w, c, moved)) return false;
    cord__clear_responses(w, s);
    for (c->first = 0; c->first < 3 * s->contacts; c->first += RESPONSES) {
        c->count = 3 * s->contacts - c->first < RESPONSES ? 3 * s->contacts - c->first : RESPONSES;
        set_columns(w, c, moved);
        if (s->row_system.rows + s->row_system.coordinates > 0)
            cord__sparse_solve_many(&s->row_system.factor, s->row_system.response);
        cord__add_row_coupling_blocks(c, moved);
        clear_columns(c);
    }
    return true;
}
