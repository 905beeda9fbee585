/* The degrees of freedom of terms: those that the Jacobians of their points depend on. */
#include "block/slider.h"
#include "solve/problem.h"

#include <string.h>

const point *cord__point_of(const problem *w, const term *x, int side)
{
    return x->point[side] >= 0 ? w->point[x->point[side]] : NULL;
}

int cord__block_of(const problem *w, const term *x, int side)
{
    const point *p = cord__point_of(w, x, side);
    return p ? p->block : -1;
}

const block *cord__dof_block(const problem *w, const term_part *p, int c)
{
    bool slides = p->slider >= 0 && c == p->first + p->count - 1;
    return w->block[slides ? p->slider : p->block];
}

bool cord__has_massless_dofs(const problem *w, const term *x)
{
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        if (cord__part_measure(x, part) == MEASURE_COORDINATE) continue;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            if (b->shape.coordinate.is_one) continue;
            if (b->mass && !(b->mass[x->dof[c] - b->v0] > 0)) return true;
        }
    }
    return false;
}

/* The block that a part depends on, −1: none; a coordinate is that of the slider. */
static int part_block(const problem *w, const term *x, int part)
{
    int side = part / 2, needs = x->needs[side];
    const point *p = cord__point_of(w, x, side);
    if (!p) return -1;
    bool coordinate = needs & NEEDS_COORDINATE, position = needs & NEEDS_POSITION;
    if (part % 2)
        return needs & NEEDS_FRAME ? p->block : coordinate && position ? p->slider_block : -1;
    if (coordinate && !position) return p->slider_block;
    return needs & (NEEDS_POSITION | NEEDS_CURVATURE) ? p->block : -1;
}

/* Adds the dofs of a Jacobian that the part, which begins at `from`, does not contain yet. */
static void add_run(term *x, int from, int first, int count)
{
    for (int dof = first; dof < first + count; dof++) {
        int k = from;
        while (k < x->dofs && x->dof[k] != dof) k++;
        if (k == x->dofs) x->dof[x->dofs++] = dof;
    }
}

/* Of a sliding point: all dofs that it may depend on within a step, those of its element and of the neighbouring
 * ones. */
static void sliding_dofs(problem *w, term *x, int part, const point *p)
{
    const block *b = w->block[p->block], *coordinate = w->block[p->slider_block];
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX], s = w->now.q[coordinate->q0];
    bool ends = p->max_coordinate > 0;
    int from = x->dofs, least = ends ? 0 : p->element - 1,
        most = ends ? cord__element_at(w, p, w->now.q, p->max_coordinate) : p->element + 1;
    for (int element = p->element - 1; element <= p->element + 1; element++) {
        sliding_jacobian j = {
            .J = J, .J_s = J_s, .with_frame = part % 2 && x->whole_frame[part / 2]};
        if (element < least || element > most) continue;
        cord__sliding_jacobian_at(w, p, w->now.q, w->cache, element, s, &j);
        for (int k = 0; k < j.runs; k++) add_run(x, from, b->v0 + j.run[k].first, j.run[k].count);
    }
    x->dof[x->dofs++] = coordinate->v0;
    x->part[part] = (term_part){
        .block = p->block, .first = from, .count = x->dofs - from, .slider = p->slider_block};
}

/* The dofs of one part in its present Jacobian. */
static void part_dofs(problem *w, term *x, int part)
{
    int index = part_block(w, x, part);
    x->part[part] = (term_part){.block = -1, .first = x->dofs, .slider = -1};
    if (index < 0) return;
    const block *b = w->block[index];
    const point *p = cord__point_of(w, x, part / 2);
    measure what = cord__part_measure(x, part);
    if ((what == MEASURE_POSITION || what == MEASURE_FRAME) && point_slides(p)) {
        sliding_dofs(w, x, part, p);
        return;
    }
    point_jacobian j = {.J = x->jacobians + 3 * x->dofs};
    b->ops->point_jacobian(b->model, w->now.q + b->q0, w->cache + b->cache0,
                           cord__attachment(p, what), what, &j);
    for (int run = 0; run < j.runs; run++)
        for (int k = 0; k < j.run[run].count; k++) x->dof[x->dofs++] = b->v0 + j.run[run].first + k;
    x->part[part] =
        (term_part){.block = index, .first = x->part[part].first, .count = j.dofs, .slider = -1};
}

/* An upper bound of a term's degrees of freedom: those of four Jacobians, position and frame of either point. */
static int dof_capacity(const problem *w, const term *x)
{
    int capacity = 0;
    for (int side = 0; side < 2; side++)
        if (cord__block_of(w, x, side) >= 0)
            capacity += 4 * w->block[cord__block_of(w, x, side)]->shape.jacobian_dofs + 1;
    return capacity;
}

static bool is_sliding(const term *x)
{
    bool slides = false;
    for (int part = 0; part < TERM_PARTS; part++)
        slides = slides || (x->part[part].block >= 0 && x->part[part].slider >= 0);
    return slides;
}

/* Doubles of a term: B, and the Jacobians that it stores; values that are read together are adjacent in memory. */
static size_t storage_size(const term *x)
{
    size_t dofs = (size_t)x->dofs, rates = is_sliding(x) ? SLIDING_RATES : 0;
    return dofs * ((size_t)x->b_rows + (x->keeps_jacobians ? 3 + rates : 0));
}

/* Moves the dofs to their range in the memory of the partition. */
static void move_term(term *x, int *indices, double *numbers)
{
    int dofs = x->dofs;
    memcpy(indices, x->dof, (size_t)dofs * sizeof *indices);
    x->dof = indices;
    x->unknown = indices + dofs;
    x->B = numbers;
    x->jacobians = x->keeps_jacobians ? x->B + x->b_rows * dofs : NULL;
    x->sliding_rates = x->keeps_jacobians ? x->jacobians + 3 * dofs : NULL;
}

void cord__clear_term_dofs(problem *w)
{
    for (int i = 0; i < w->terms; i++) {
        term *x = w->term[i];
        x->dofs = 0;
        x->dof = x->unknown = NULL;
        x->jacobians = x->B = x->K = x->sliding_rates = NULL;
    }
}

cord_status cord__term_dofs(partition *p, problem *w, memory *m)
{
    size_t all = 1, most = 1, numbers = 0, dofs = 0;
    for (int i = 0; i < w->terms; i++) {
        const size_t own = (size_t)dof_capacity(w, w->term[i]);
        all += own;
        if (own > most) most = own;
    }
    int *found = NEW(m, int, all);
    double *jacobians = NEW(m, double, 3 * most); /* of one term after another */
    bool room = found && jacobians;
    for (int i = 0; room && i < w->terms; i++) {
        term *x = w->term[i];
        x->dof = found + dofs;
        x->jacobians = jacobians;
        x->dofs = 0;
        for (int part = 0; part < TERM_PARTS; part++) part_dofs(w, x, part);
        dofs += (size_t)x->dofs;
        numbers += storage_size(x);
    }
    if (room) p->indices = NEW(m, int, 2 * dofs);
    if (room) p->numbers = NEW(m, double, numbers);
    room = room && p->indices && p->numbers;
    numbers = dofs = 0;
    for (int i = 0; room && i < w->terms; i++) {
        term *x = w->term[i];
        move_term(x, p->indices + 2 * dofs, p->numbers + numbers);
        dofs += (size_t)x->dofs;
        numbers += storage_size(x);
    }
    cord__release(m, found);
    cord__release(m, jacobians);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}
