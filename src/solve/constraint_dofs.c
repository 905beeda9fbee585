/* Constraints: the columns that each is about, and which of them hold columns or tie them together instead of adding
 * rows. */
#include "solve/problem.h"

#include <string.h>

const point *cord__point_of(const problem *w, const constraint *r, int side)
{
    return r->point[side] >= 0 ? w->point[r->point[side]] : NULL;
}

int cord__block_of(const problem *w, const constraint *r, int side)
{
    const point *p = cord__point_of(w, r, side);
    return p ? p->block : -1;
}

/* Which block a part of a constraint is about, -1: none; a coordinate is the slider's. */
static int part_block(const problem *w, const constraint *r, int part)
{
    int side = part / 2, needs = r->ops->needs[side];
    const point *p = cord__point_of(w, r, side);
    if (!p) return -1;
    bool coordinate = needs & NEEDS_COORDINATE, place = needs & NEEDS_POSITION;
    if (part % 2)
        return needs & NEEDS_FRAME ? p->block : coordinate && place ? p->slider_block : -1;
    if (coordinate && !place) return p->slider_block;
    return needs & (NEEDS_POSITION | NEEDS_CURVATURE) ? p->block : -1;
}

/* Add the columns that a jet has and the part has not yet. */
static void add_run(constraint *r, int from, int first, int count)
{
    for (int dof = first; dof < first + count; dof++) {
        int k = from;
        while (k < r->dofs && r->dof[k] != dof) k++;
        if (k == r->dofs) r->dof[r->dofs++] = dof;
    }
}

/* Where a point slides: all it may depend on within a step, that is on its piece and the next ones. */
static void sliding_columns(problem *w, constraint *r, int part, const point *p)
{
    const block *b = w->block[p->block], *own = w->block[p->slider_block];
    double J[3 * JACOBIAN_DOFS_MAX], derivatives[3 * JACOBIAN_DOFS_MAX], s = w->now.q[own->q0];
    bool ends = p->max_coordinate > 0;
    int from = r->dofs, least = ends ? 0 : p->element - 1,
        most = ends ? cord__element_at(w, p, w->now.q, p->max_coordinate) : p->element + 1;
    for (int element = p->element - 1; element <= p->element + 1; element++) {
        sliding_jacobian j = {
            .J = J, .J_s = derivatives, .with_frame = part % 2 && r->needs_whole_frame[part / 2]};
        if (element < least || element > most) continue;
        cord__sliding_jacobian_at(w, p, w->now.q, w->cache, element, s, &j);
        for (int k = 0; k < j.runs; k++) add_run(r, from, b->v0 + j.run[k].first, j.run[k].count);
    }
    r->dof[r->dofs++] = own->v0;
    r->part[part] = (constraint_part){
        .block = p->block, .first = from, .count = r->dofs - from, .slider = p->slider_block};
}

/* The columns of one part, as the jet says them now. */
static void part_columns(problem *w, constraint *r, int part)
{
    int index = part_block(w, r, part);
    r->part[part] = (constraint_part){.block = -1, .first = r->dofs, .slider = -1};
    if (index < 0) return;
    const block *b = w->block[index];
    const point *p = cord__point_of(w, r, part / 2);
    measure what = cord__part_measure(r, part);
    if ((what == MEASURE_POSITION || what == MEASURE_FRAME) && point_slides(p)) {
        sliding_columns(w, r, part, p);
        return;
    }
    point_jacobian j = {.J = r->jacobians + 3 * r->dofs};
    b->ops->point_jacobian(b->model, w->now.q + b->q0, w->cache + b->cache0,
                           cord__attachment(p, what), what, &j);
    for (int run = 0; run < j.runs; run++)
        for (int k = 0; k < j.run[run].count; k++) r->dof[r->dofs++] = b->v0 + j.run[run].first + k;
    r->part[part] = (constraint_part){
        .block = index, .first = r->part[part].first, .count = j.dofs, .slider = -1};
}

/* Most columns that a constraint can have: those of up to four jets, place and frame of either point. */
static int column_capacity(const problem *w, const constraint *r)
{
    int capacity = 0;
    for (int side = 0; side < 2; side++)
        if (cord__block_of(w, r, side) >= 0)
            capacity += 4 * w->block[cord__block_of(w, r, side)]->shape.jacobian_dofs + 1;
    return capacity;
}

static bool is_sliding(const constraint *r)
{
    bool slides = false;
    for (int part = 0; part < CONSTRAINT_PARTS; part++)
        slides = slides || (r->part[part].block >= 0 && r->part[part].slider >= 0);
    return slides;
}

/* Of B: friction has some, too, though it has no rows. */
static int rows_of(const constraint *r)
{
    return r->ops->rows > 0 ? r->ops->rows : CONSTRAINT_ROWS;
}

/* Whether its jets are asked for after it was evaluated: those of what has no rows. Others share theirs. */
static bool keeps_jets(const constraint *r)
{
    return r->ops->rows == 0;
}

/* Doubles of a constraint with its columns; what is read together is together. */
static size_t constraint_numbers(const constraint *r)
{
    size_t dofs = (size_t)r->dofs, derivatives = is_sliding(r) ? CONSTRAINT_SLIDING_RATES : 0;
    return dofs * ((size_t)rows_of(r) + (keeps_jets(r) ? 3 + derivatives : 0));
}

/* From where its columns were found to where all constraints' are. */
static void place_constraint(constraint *r, int *indices, double *numbers)
{
    int dofs = r->dofs;
    memcpy(indices, r->dof, (size_t)dofs * sizeof *indices);
    r->dof = indices;
    r->unknown = indices + dofs;
    r->B = numbers;
    r->jacobians = keeps_jets(r) ? r->B + rows_of(r) * dofs : NULL;
    r->sliding_rates = keeps_jets(r) ? r->jacobians + 3 * dofs : NULL;
}

void cord__clear_constraint_dofs(problem *w)
{
    for (int i = 0; i < w->constraints; i++) {
        constraint *r = w->constraint[i];
        r->dofs = 0;
        r->dof = r->unknown = NULL;
        r->jacobians = r->B = r->K = r->sliding_rates = NULL;
    }
}

/* The columns of all constraints, one after the other in memory. */
cord_status cord__constraint_dofs(partition *p, problem *w, memory *m)
{
    size_t most = 1, numbers = 0, dofs = 0;
    for (int i = 0; i < w->constraints; i++) most += (size_t)column_capacity(w, w->constraint[i]);
    int *found = NEW(m, int, most);
    double *jacobians = NEW(m, double, 3 * most);
    bool room = found && jacobians;
    for (int i = 0; room && i < w->constraints; i++) {
        constraint *r = w->constraint[i];
        r->dof = found + dofs;
        r->jacobians = jacobians;
        r->dofs = 0;
        for (int part = 0; part < CONSTRAINT_PARTS; part++) part_columns(w, r, part);
        dofs += (size_t)r->dofs;
        numbers += constraint_numbers(r);
    }
    if (room) p->indices = NEW(m, int, 2 * dofs);
    if (room) p->numbers = NEW(m, double, numbers);
    room = room && p->indices && p->numbers;
    numbers = dofs = 0;
    for (int i = 0; room && i < w->constraints; i++) {
        constraint *r = w->constraint[i];
        place_constraint(r, p->indices + 2 * dofs, p->numbers + numbers);
        dofs += (size_t)r->dofs;
        numbers += constraint_numbers(r);
    }
    cord__release(m, found);
    cord__release(m, jacobians);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

/* A constraint that gives three columns of a block outright holds them instead of adding rows. */
static void absorb(problem *w, constraint *r)
{
    r->eliminated = false;
    const point *p = cord__point_of(w, r, 0);
    if (cord__constraint_released(w, r) || r->closing) return;
    if (!r->ops->prescribes || r->side != CORD_EQUAL || r->compliance > 0) return;
    if (p->block < 0 || point_slides(p) || cord__block_of(w, r, 1) >= 0) return;
    const attachment *at =
        r->ops->needs[0] & NEEDS_POSITION ? &p->position_attachment : &p->frame_attachment;
    if (at->unit < 0) return;
    unsigned char *prescribed = w->block[p->block]->prescribed + at->unit;
    if (prescribed[0] || prescribed[1] || prescribed[2])
        return; /* held already: contradictions show as rows */
    prescribed[0] = prescribed[1] = prescribed[2] = PRESCRIBED;
    r->eliminated = true;
}

/* Whether a point's frame is three columns of a block, without inertia (`massless`) or with. */
static bool whole_frame(const problem *w, const point *p, bool massless)
{
    if (!p || p->block < 0 || p->frame_attachment.unit < 0) return false;
    const block *b = w->block[p->block];
    bool none = b->mass && b->mass[p->frame_attachment.unit] == 0;
    return none == massless && !b->prescribed[p->frame_attachment.unit] &&
           b->alias_block[p->frame_attachment.unit] < 0;
}

/* An exact align of a frame without inertia to one that has it: both turn by the same rotation, so the
 * columns of the one are those of the other, and there is nothing left to hold. */
static void weld(problem *w, constraint *r)
{
    r->welded = false;
    if (cord__constraint_released(w, r) || r->closing) return;
    if (r->eliminated || !r->ops->prescribes || r->ops->needs[0] != NEEDS_FRAME) return;
    if (r->side != CORD_EQUAL || r->compliance > 0 || cord__constraint_is_driven(r)) return;
    const point *a = cord__point_of(w, r, 0), *b = cord__point_of(w, r, 1);
    if (point_slides(a) || (b && point_slides(b))) return;
    if (!whole_frame(w, a, true)) {
        const point *swap = a;
        a = b, b = swap;
    }
    if (!whole_frame(w, a, true) || !whole_frame(w, b, false) || a->block == b->block) return;
    for (int k = 0; k < 3; k++) {
        w->block[a->block]->alias_block[a->frame_attachment.unit + k] = b->block;
        w->block[a->block]->alias_dof[a->frame_attachment.unit + k] = b->frame_attachment.unit + k;
    }
    r->eliminated = r->welded = true;
}

const block *cord__dof_block(const problem *w, const constraint_part *p, int c)
{
    bool slides = p->slider >= 0 && c == p->first + p->count - 1;
    return w->block[slides ? p->slider : p->block];
}

/* The constraints that each column is in; and columns that have become 1, below, and are to be looked at. */
typedef struct touching {
    int *first, *in, *queue;
    int queued;
} touching;

static void free_touching(touching *t, memory *m)
{
    cord__release(m, t->first);
    cord__release(m, t->in);
    cord__release(m, t->queue);
}

static bool list_touching(const problem *w, touching *t, memory *m)
{
    size_t all = 0;
    for (int i = 0; i < w->constraints; i++) all += (size_t)w->constraint[i]->dofs;
    *t = (touching){.first = NEW(m, int, w->v_count + 1),
                    .in = NEW(m, int, all),
                    .queue = NEW(m, int, w->v_count)};
    if (!t->first || !t->in || !t->queue) return false;
    for (int i = 0; i < w->constraints; i++)
        for (int c = 0; c < w->constraint[i]->dofs; c++) t->first[w->constraint[i]->dof[c]]++;
    for (int c = 0; c < w->v_count; c++) t->first[c + 1] += t->first[c];
    for (int i = 0; i < w->constraints; i++)
        for (int c = 0; c < w->constraint[i]->dofs; c++)
            t->in[--t->first[w->constraint[i]->dof[c]]] = i;
    return true;
}

/* Which columns constraints have a say in; `instant` keeps it until it gets its own meaning: 1, or 2
 * where the constraint itself is instant, and so is all that constraints tie it to. */
static void mark_columns(problem *w, constraint *r, touching *t)
{
    if (r->end_stop || cord__constraint_released(w, r)) return;
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            unsigned char *touched = b->quasistatic + (r->dof[c] - b->v0);
            if (*touched == 1) continue;
            *touched = r->quasistatic ? 2 : 1;
            if (!r->quasistatic) t->queue[t->queued++] = r->dof[c];
        }
    }
}

static bool is_quasistatic(const problem *w, const constraint *r)
{
    for (int part = 0; part < CONSTRAINT_PARTS; part++) {
        const constraint_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            int own = r->dof[c] - b->v0;
            if (!b->mass || b->mass[own] > 0 || b->quasistatic[own] == 1) return false;
        }
    }
    return true;
}

/* What is tied to a column that is not instant is not so either, and passes it on. */
static void mark_touched(problem *w, touching *t)
{
    for (int i = 0; i < w->constraints; i++) {
        w->constraint[i]->quasistatic = is_quasistatic(w, w->constraint[i]);
        mark_columns(w, w->constraint[i], t);
    }
    while (t->queued > 0) {
        int dof = t->queue[--t->queued];
        for (int k = t->first[dof]; k < t->first[dof + 1]; k++) {
            constraint *r = w->constraint[t->in[k]];
            if (!r->quasistatic) continue;
            r->quasistatic = false;
            mark_columns(w, r, t);
        }
    }
}

/* What rubs yields to a load; without friction, and held by nothing else, it could go anywhere. A frame
 * yields to a torque. */
static void mark_loaded(problem *w)
{
    for (int i = 0; i < w->loads; i++) {
        const point *p = w->point[w->load[i]->point];
        const block *b = p->slider_block >= 0 ? w->block[p->slider_block] : NULL;
        if (b && !p->released && b->shape.coordinate.friction > 0) b->quasistatic[0] = 1;
        if (p->block >= 0 && w->load[i]->has_torque && p->frame_attachment.unit >= 0)
            memset(w->block[p->block]->quasistatic + p->frame_attachment.unit, 1, 3);
    }
}

/* What rides on a block shares its columns. */
static void tie_rides(block *b)
{
    for (int i = 0; i < b->shared_count; i++)
        for (int k = 0; k < b->shared[i].dofs; k++) {
            b->alias_block[b->shared[i].dof + k] = b->shared[i].parent_block;
            b->alias_dof[b->shared[i].dof + k] = b->shared[i].parent_dof + k;
        }
}

cord_status cord__prescribe_dofs(problem *w, memory *m)
{
    touching t;
    bool room = list_touching(w, &t, m);
    for (int i = 0; i < w->blocks; i++) {
        memset(w->block[i]->prescribed, 0, (size_t)w->block[i]->shape.dofs);
        memset(w->block[i]->quasistatic, 0, (size_t)w->block[i]->shape.dofs);
        for (int c = 0; c < w->block[i]->shape.dofs; c++)
            w->block[i]->alias_block[c] = -1, w->block[i]->alias_scale[c] = 1;
        tie_rides(w->block[i]);
    }
    mark_loaded(w);
    for (int i = 0; i < w->constraints; i++) absorb(w, w->constraint[i]);
    for (int i = 0; i < w->constraints; i++) weld(w, w->constraint[i]);
    if (room) mark_touched(w, &t);
    free_touching(&t, m);
    for (int i = 0; i < w->blocks; i++) {
        block *b = w->block[i];
        if (b->ops->pin) b->ops->pin(b->model, b->quasistatic, b->prescribed);
        for (int c = 0; c < b->shape.dofs; c++) {
            bool inertial = !b->mass || b->mass[c] > 0, touched = b->quasistatic[c] == 1;
            w->inverse_mass[b->v0 + c] = inertial && !b->prescribed[c] ? 1 / b->metric[c] : 0;
            bool tied = b->alias_block[c] >= 0;
            b->quasistatic[c] = b->mass && !inertial && !b->prescribed[c] && !touched && !tied;
        }
    }
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}
