/* W = c_v H A⁻¹Hᵀ of the live contacts of an island, by 3×3 blocks: cluster by cluster, from the responses to forces along the axes
 * of contacts. */
#include "solve/contact_coupling.h"
#include "solve/island_loop.h"

#include <limits.h>
#include <string.h>

/* ---- live contacts -------------------------------------------------------------------------------- */

static void number_live(contact_set *k, island_contacts *x)
{
    x->live = 0;
    for (int i = 0; i < x->rows; i++) {
        contact_row *r = k->row + x->first_row + i;
        if (r->live < 0) continue;
        r->live = x->live;
        k->live[x->first_row + x->live++] = x->first_row + i;
    }
}

/* Whether the second side adds another cluster than the first. */
static bool has_side(const contact_row *r, int side)
{
    return r->side[side].cluster && (side == 0 || r->side[1].cluster != r->side[0].cluster);
}

/* The live contacts of each cluster, in their order. */
static void list_members(contact_set *k, const island *of)
{
    island_contacts *x = of->contacts;
    int first = 2 * x->first_row;
    for (int c = 0; c < of->clusters; c++) of->cluster[c]->contacts = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < x->live; i++) {
            const contact_row *r = k->row + k->live[x->first_row + i];
            for (int side = 0; side < 2; side++) {
                if (!has_side(r, side)) continue;
                cluster *s = r->side[side].cluster;
                if (pass) k->member[s->first_contact + s->contacts] = i;
                s->contacts++;
            }
        }
        for (int c = 0; !pass && c < of->clusters; c++) {
            of->cluster[c]->first_contact = first;
            first += of->cluster[c]->contacts;
            of->cluster[c]->contacts = 0;
        }
    }
}

/* ---- the blocks ------------------------------------------------------------------------------------ */

/* The columns of row i of W: the contacts of the clusters of both sides, ascending. False: there is no room. */
static bool list_columns(contact_set *k, island_contacts *x, const contact_row *r, size_t *count)
{
    const int *list[2] = {NULL, NULL}, *end[2] = {NULL, NULL};
    for (int side = 0; side < 2; side++) {
        if (!has_side(r, side)) continue;
        const cluster *s = r->side[side].cluster;
        list[side] = k->member + s->first_contact;
        end[side] = list[side] + s->contacts;
    }
    while (list[0] < end[0] || list[1] < end[1]) {
        int next = INT_MAX;
        for (int side = 0; side < 2; side++)
            if (list[side] < end[side] && *list[side] < next) next = *list[side];
        for (int side = 0; side < 2; side++)
            if (list[side] < end[side] && *list[side] == next) list[side]++;
        if (*count == x->block_room) return false;
        k->column[x->first_block + (*count)++] = next;
    }
    return true;
}

static bool make_structure(contact_set *k, const island *of)
{
    island_contacts *x = of->contacts;
    int *row_start = k->row_start + 2 * x->first_row;
    size_t count = 0;
    row_start[0] = 0;
    for (int i = 0; i < x->live; i++) {
        if (!list_columns(k, x, k->row + k->live[x->first_row + i], &count)) return false;
        row_start[i + 1] = (int)count;
    }
    memset(k->block + 9 * x->first_block, 0, 9 * count * sizeof(double));
    x->blocks = count;
    return true;
}

double *cord__coupling_block(const contact_set *k, const island_contacts *x, int i, int j)
{
    const int *row_start = k->row_start + 2 * x->first_row, *column = k->column + x->first_block;
    int low = row_start[i], high = row_start[i + 1] - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return k->block + 9 * (x->first_block + (size_t)low);
}

/* ---- responses ------------------------------------------------------------------------------------- */

/* Forces along the axes of contacts. */
static void set_forces(const coupling *c)
{
    for (int i = 0; i < c->count; i++) {
        const contact_row *r = row_of(c, (c->first + i) / 3);
        const int axis = (c->first + i) % 3;
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = r->side + side;
            if (on->cluster != c->s) continue;
            for (int d = 0; d < on->count; d++)
                if (on->response[d] >= 0)
                    c->s->responses.x[(size_t)on->response[d] * RESPONSES + (size_t)i] +=
                        on->H[3 * d + axis];
        }
    }
}

/* H x of all responses at once. */
INLINE void read_row(const coupling *c, const contact_row *r, double out[3][RESPONSES])
{
    memset(out, 0, 3 * RESPONSES * sizeof(double));
    for (int side = 0; side < 2; side++) {
        const contact_columns *on = r->side + side;
        if (on->cluster != c->s) continue;
        for (int d = 0; d < on->count; d++) {
            if (on->response[d] < 0) continue;
            const double *x = c->s->responses.x + (size_t)on->response[d] * RESPONSES;
            const double H[3] = {on->H[3 * d], on->H[3 * d + 1], on->H[3 * d + 2]};
            for (int axis = 0; axis < 3; axis++)
                for (int i = 0; i < RESPONSES; i++) out[axis][i] += H[axis] * x[i];
        }
    }
}

/* Adds to the blocks of the present columns. */
INLINE void add_blocks(const coupling *c)
{
    double out[3][RESPONSES];
    block_columns at = present_columns(c);
    for (int m = c->symmetric ? at.first : 0; m < c->s->contacts; m++) {
        read_row(c, row_of(c, m), out);
        add_to_blocks(c, &at, m, out);
    }
}

void cord__add_coupling_blocks(const coupling *c);
MULTIVERSION(cord__add_coupling_blocks, add_blocks, (const coupling *c), (c))

/* The first row of responses that forces act on and contacts read. */
static int first_response(const coupling *c)
{
    int least = INT_MAX;
    for (int m = 0; m < c->s->contacts; m++) {
        const contact_row *r = row_of(c, m);
        for (int side = 0; side < 2; side++) {
            const contact_columns *on = r->side + side;
            for (int d = 0; on->cluster == c->s && d < on->count; d++)
                if (on->response[d] >= 0 && on->response[d] < least) least = on->response[d];
        }
    }
    return least == INT_MAX ? 0 : least;
}

typedef struct coupling_task {
    const response_ops *by;
    double c_v;
    bool divided;
} coupling_task;

static void couple_cluster(problem *w, cluster *s, const void *with)
{
    const coupling_task *task = with;
    const contact_set *k = w->contacts;
    const island_contacts *x = k->island + s->island;
    const int *row_start = k->row_start + 2 * x->first_row;
    coupling c = {.k = k,
                  .x = x,
                  .s = s,
                  .member = k->member + s->first_contact,
                  .cursor = k->cursor + s->first_contact,
                  .symmetric = s->low_rank.count == 0,
                  .divided = task->divided,
                  .c_v = task->c_v};
    for (int m = 0; m < s->contacts; m++) c.cursor[m] = row_start[c.member[m]];
    if (s->contacts == 0 || (task->by->couple && task->by->couple(w, s, &c))) return;
    s->responses.from = first_response(&c);
    for (c.first = 0; c.first < 3 * s->contacts; c.first += RESPONSES) {
        c.count = 3 * s->contacts - c.first < RESPONSES ? 3 * s->contacts - c.first : RESPONSES;
        cord__clear_responses(w, s);
        set_forces(&c);
        task->by->solve(w, s, c.count);
        cord__add_coupling_blocks(&c);
    }
    s->responses.from = 0;
}

static cord_status fail_for_room(const island *of)
{
    of->contacts->overflow = true;
    return cord__set_failure(of->cluster[0], CORD_ERROR_NOT_CONVERGED, "contacts need more memory",
                             of->cluster[0]->block[0], -1);
}

cord_status cord__list_live(problem *w, const island *of)
{
    island_contacts *x = of->contacts;
    number_live(w->contacts, x);
    list_members(w->contacts, of);
    return x->overflow || x->live > x->live_room ? fail_for_room(of) : CORD_OK;
}

cord_status cord__couple_contacts(problem *w, const island *of, const response_ops *by, double c_v)
{
    island_contacts *x = of->contacts;
    contact_set *k = w->contacts;
    cord_status status = cord__list_live(w, of);
    if (status != CORD_OK) return status;
    if (!make_structure(k, of)) return fail_for_room(of);
    const size_t first = 9 * x->first_block, count = 9 * x->blocks;
    const coupling_task task = {by, c_v, of->clusters > 1};
    if (task.divided) memset(k->second_block + first, 0, count * sizeof *k->second_block);
    cord__for_each(w, of, couple_cluster, &task);
    for (size_t i = first; task.divided && i < first + count; i++)
        k->block[i] += k->second_block[i];
    return CORD_OK;
}
