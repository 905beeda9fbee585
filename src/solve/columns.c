/* Relations: the columns that each is about, and which of them hold columns or tie them together instead of adding
 * rows. */
#include "block/slider.h"
#include "solve/problem.h"

#include <string.h>

const point *cord__point_of(const problem *w, const relation *r, int side)
{
    return r->point[side] >= 0 ? w->point[r->point[side]] : NULL;
}

int cord__block_of(const problem *w, const relation *r, int side)
{
    const point *p = cord__point_of(w, r, side);
    return p ? p->block : -1;
}

/* Which block a part of a relation is about, -1: none; a coordinate is the slider's. */
static int part_block(const problem *w, const relation *r, int part)
{
    int side = part / 2, needs = r->ops->needs[side];
    const point *p = cord__point_of(w, r, side);
    if (!p) return -1;
    bool coordinate = needs & NEEDS_COORDINATE, place = needs & NEEDS_PLACE;
    if (part % 2)
        return needs & NEEDS_FRAME ? p->block : coordinate && place ? p->slider_block : -1;
    if (coordinate && !place) return p->slider_block;
    return needs & (NEEDS_PLACE | NEEDS_CURVATURE) ? p->block : -1;
}

/* Add the columns that a jet has and the part has not yet. */
static void add_run(relation *r, int from, int first, int count)
{
    for (int column = first; column < first + count; column++) {
        int k = from;
        while (k < r->columns && r->column[k] != column) k++;
        if (k == r->columns) r->column[r->columns++] = column;
    }
}

/* Where a point slides: all it may depend on within a step, that is on its piece and the next ones. */
static void sliding_columns(problem *w, relation *r, int part, const point *p)
{
    const block *b = w->block[p->block], *own = w->block[p->slider_block];
    double J[3 * JET_COLUMNS_MOST], slopes[3 * JET_COLUMNS_MOST], s = w->now.q[own->q0];
    bool ends = p->last > 0;
    int from = r->columns, least = ends ? 0 : p->piece - 1,
        most = ends ? cord__piece_at(w, p, w->now.q, p->last) : p->piece + 1;
    for (int piece = p->piece - 1; piece <= p->piece + 1; piece++) {
        slide_jet j = {.J = J, .slope = slopes, .whole = part % 2 && r->whole[part / 2]};
        if (piece < least || piece > most) continue;
        cord__slide_at(w, p, w->now.q, w->cache, piece, s, &j);
        for (int k = 0; k < j.runs; k++) add_run(r, from, b->v0 + j.run[k].first, j.run[k].count);
    }
    r->column[r->columns++] = own->v0;
    r->part[part] = (relation_part){
        .block = p->block, .first = from, .count = r->columns - from, .slider = p->slider_block};
}

/* The columns of one part, as the jet says them now. */
static void part_columns(problem *w, relation *r, int part)
{
    int index = part_block(w, r, part);
    r->part[part] = (relation_part){.block = -1, .first = r->columns, .slider = -1};
    if (index < 0) return;
    const block *b = w->block[index];
    const point *p = cord__point_of(w, r, part / 2);
    measure what = cord__part_measure(r, part);
    if ((what == MEASURE_PLACE || what == MEASURE_FRAME) && point_slides(p)) {
        sliding_columns(w, r, part, p);
        return;
    }
    jet j = {.J = r->jets + 3 * r->columns};
    b->ops->jet(b->model, w->now.q + b->q0, w->cache + b->cache0, cord__attachment(p, what), what,
                &j);
    for (int run = 0; run < j.runs; run++)
        for (int k = 0; k < j.run[run].count; k++)
            r->column[r->columns++] = b->v0 + j.run[run].first + k;
    r->part[part] = (relation_part){
        .block = index, .first = r->part[part].first, .count = j.columns, .slider = -1};
}

/* Most columns that a relation can have: those of up to four jets, place and frame of either point. */
static int column_capacity(const problem *w, const relation *r)
{
    int capacity = 0;
    for (int side = 0; side < 2; side++)
        if (cord__block_of(w, r, side) >= 0)
            capacity += 4 * w->block[cord__block_of(w, r, side)]->shape.jet_columns + 1;
    return capacity;
}

static bool is_sliding(const relation *r)
{
    bool slides = false;
    for (int part = 0; part < RELATION_PARTS; part++)
        slides = slides || (r->part[part].block >= 0 && r->part[part].slider >= 0);
    return slides;
}

/* Of B: friction has some, too, though it has no rows. */
static int rows_of(const relation *r)
{
    return r->ops->rows > 0 ? r->ops->rows : RELATION_ROWS;
}

/* Whether its jets are asked for after it was evaluated: those of what has no rows. Others share theirs. */
static bool keeps_jets(const relation *r)
{
    return r->ops->rows == 0;
}

/* Doubles of a relation with its columns; what is read together is together. */
static size_t relation_numbers(const relation *r)
{
    size_t columns = (size_t)r->columns, slopes = is_sliding(r) ? RELATION_SLOPES : 0;
    return columns * ((size_t)rows_of(r) + (keeps_jets(r) ? 3 + slopes : 0));
}

/* From where its columns were found to where all relations' are. */
static void place_relation(relation *r, int *indices, double *numbers)
{
    int columns = r->columns;
    memcpy(indices, r->column, (size_t)columns * sizeof *indices);
    r->column = indices;
    r->unknown = indices + columns;
    r->B = numbers;
    r->jets = keeps_jets(r) ? r->B + rows_of(r) * columns : NULL;
    r->slopes = keeps_jets(r) ? r->jets + 3 * columns : NULL;
}

void cord__forget_columns(problem *w)
{
    for (int i = 0; i < w->relations; i++) {
        relation *r = w->relation[i];
        r->columns = 0;
        r->column = r->unknown = NULL;
        r->jets = r->B = r->K = r->slopes = NULL;
    }
}

/* The columns of all relations, one after the other in memory. */
cord_status cord__relation_columns(partition *p, problem *w, memory *m)
{
    size_t most = 1, numbers = 0, columns = 0;
    for (int i = 0; i < w->relations; i++) most += (size_t)column_capacity(w, w->relation[i]);
    int *found = NEW(m, int, most);
    double *jets = NEW(m, double, 3 * most);
    bool room = found && jets;
    for (int i = 0; room && i < w->relations; i++) {
        relation *r = w->relation[i];
        r->column = found + columns;
        r->jets = jets;
        r->columns = 0;
        for (int part = 0; part < RELATION_PARTS; part++) part_columns(w, r, part);
        columns += (size_t)r->columns;
        numbers += relation_numbers(r);
    }
    if (room) p->indices = NEW(m, int, 2 * columns);
    if (room) p->numbers = NEW(m, double, numbers);
    room = room && p->indices && p->numbers;
    numbers = columns = 0;
    for (int i = 0; room && i < w->relations; i++) {
        relation *r = w->relation[i];
        place_relation(r, p->indices + 2 * columns, p->numbers + numbers);
        columns += (size_t)r->columns;
        numbers += relation_numbers(r);
    }
    cord__release(m, found);
    cord__release(m, jets);
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}

/* A relation that gives three columns of a block outright holds them instead of adding rows. */
static void absorb(problem *w, relation *r)
{
    r->absorbed = false;
    const point *p = cord__point_of(w, r, 0);
    if (cord__relation_released(w, r) || r->closing) return;
    if (!r->ops->prescribes || r->side != CORD_EQUAL || r->compliance > 0) return;
    if (p->block < 0 || point_slides(p) || cord__block_of(w, r, 1) >= 0) return;
    const attachment *at = r->ops->needs[0] & NEEDS_PLACE ? &p->place : &p->frame;
    if (at->unit < 0) return;
    unsigned char *fixed = w->block[p->block]->fixed + at->unit;
    if (fixed[0] || fixed[1] || fixed[2]) return; /* held already: contradictions show as rows */
    fixed[0] = fixed[1] = fixed[2] = PRESCRIBED;
    r->absorbed = true;
}

/* Whether a point's frame is three columns of a block, without inertia (`massless`) or with. */
static bool whole_frame(const problem *w, const point *p, bool massless)
{
    if (!p || p->block < 0 || p->frame.unit < 0) return false;
    const block *b = w->block[p->block];
    bool none = b->mass && b->mass[p->frame.unit] == 0;
    return none == massless && !b->fixed[p->frame.unit] && b->tie_block[p->frame.unit] < 0;
}

/* An exact align of a frame without inertia to one that has it: both turn by the same rotation, so the
 * columns of the one are those of the other, and there is nothing left to hold. */
static void weld(problem *w, relation *r)
{
    r->welded = false;
    if (cord__relation_released(w, r) || r->closing) return;
    if (r->absorbed || !r->ops->prescribes || r->ops->needs[0] != NEEDS_FRAME) return;
    if (r->side != CORD_EQUAL || r->compliance > 0 || cord__relation_is_driven(r)) return;
    const point *a = cord__point_of(w, r, 0), *b = cord__point_of(w, r, 1);
    if (point_slides(a) || (b && point_slides(b))) return;
    if (!whole_frame(w, a, true)) {
        const point *swap = a;
        a = b, b = swap;
    }
    if (!whole_frame(w, a, true) || !whole_frame(w, b, false) || a->block == b->block) return;
    for (int k = 0; k < 3; k++) {
        w->block[a->block]->tie_block[a->frame.unit + k] = b->block;
        w->block[a->block]->tie_column[a->frame.unit + k] = b->frame.unit + k;
    }
    r->absorbed = r->welded = true;
}

const block *cord__column_block(const problem *w, const relation_part *p, int c)
{
    bool slides = p->slider >= 0 && c == p->first + p->count - 1;
    return w->block[slides ? p->slider : p->block];
}

/* The relations that each column is in; and columns that have become 1, below, and are to be looked at. */
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
    for (int i = 0; i < w->relations; i++) all += (size_t)w->relation[i]->columns;
    *t = (touching){.first = NEW(m, int, w->v_count + 1),
                    .in = NEW(m, int, all),
                    .queue = NEW(m, int, w->v_count)};
    if (!t->first || !t->in || !t->queue) return false;
    for (int i = 0; i < w->relations; i++)
        for (int c = 0; c < w->relation[i]->columns; c++) t->first[w->relation[i]->column[c]]++;
    for (int c = 0; c < w->v_count; c++) t->first[c + 1] += t->first[c];
    for (int i = 0; i < w->relations; i++)
        for (int c = 0; c < w->relation[i]->columns; c++)
            t->in[--t->first[w->relation[i]->column[c]]] = i;
    return true;
}

/* Which columns relations have a say in; `instant` keeps it until it gets its own meaning: 1, or 2
 * where the relation itself is instant, and so is all that relations tie it to. */
static void mark_columns(problem *w, relation *r, touching *t)
{
    if (r->stop || cord__relation_released(w, r)) return;
    for (int part = 0; part < RELATION_PARTS; part++) {
        const relation_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__column_block(w, p, c);
            unsigned char *touched = b->instant + (r->column[c] - b->v0);
            if (*touched == 1) continue;
            *touched = r->instant ? 2 : 1;
            if (!r->instant) t->queue[t->queued++] = r->column[c];
        }
    }
}

static bool is_instant(const problem *w, const relation *r)
{
    for (int part = 0; part < RELATION_PARTS; part++) {
        const relation_part *p = r->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__column_block(w, p, c);
            int own = r->column[c] - b->v0;
            if (!b->mass || b->mass[own] > 0 || b->instant[own] == 1) return false;
        }
    }
    return true;
}

/* What is tied to a column that is not instant is not so either, and passes it on. */
static void mark_touched(problem *w, touching *t)
{
    for (int i = 0; i < w->relations; i++) {
        w->relation[i]->instant = is_instant(w, w->relation[i]);
        mark_columns(w, w->relation[i], t);
    }
    while (t->queued > 0) {
        int column = t->queue[--t->queued];
        for (int k = t->first[column]; k < t->first[column + 1]; k++) {
            relation *r = w->relation[t->in[k]];
            if (!r->instant) continue;
            r->instant = false;
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
        if (b && !p->released && ((const slider *)b->model)->friction > 0) b->instant[0] = 1;
        if (p->block >= 0 && w->load[i]->turns && p->frame.unit >= 0)
            memset(w->block[p->block]->instant + p->frame.unit, 1, 3);
    }
}

/* What rides on a block shares its columns. */
static void tie_rides(block *b)
{
    for (int i = 0; i < b->rides; i++)
        for (int k = 0; k < b->ride[i].columns; k++) {
            b->tie_block[b->ride[i].column + k] = b->ride[i].block;
            b->tie_column[b->ride[i].column + k] = b->ride[i].first + k;
        }
}

cord_status cord__hold_columns(problem *w, memory *m)
{
    touching t;
    bool room = list_touching(w, &t, m);
    for (int i = 0; i < w->blocks; i++) {
        memset(w->block[i]->fixed, 0, (size_t)w->block[i]->shape.columns);
        memset(w->block[i]->instant, 0, (size_t)w->block[i]->shape.columns);
        for (int c = 0; c < w->block[i]->shape.columns; c++)
            w->block[i]->tie_block[c] = -1, w->block[i]->tie_scale[c] = 1;
        tie_rides(w->block[i]);
    }
    mark_loaded(w);
    for (int i = 0; i < w->relations; i++) absorb(w, w->relation[i]);
    for (int i = 0; i < w->relations; i++) weld(w, w->relation[i]);
    if (room) mark_touched(w, &t);
    free_touching(&t, m);
    for (int i = 0; i < w->blocks; i++) {
        block *b = w->block[i];
        if (b->ops->pin) b->ops->pin(b->model, b->instant, b->fixed);
        for (int c = 0; c < b->shape.columns; c++) {
            bool inertial = !b->mass || b->mass[c] > 0, touched = b->instant[c] == 1;
            w->inverse_mass[b->v0 + c] = inertial && !b->fixed[c] ? 1 / b->metric[c] : 0;
            bool tied = b->tie_block[c] >= 0;
            b->instant[c] = b->mass && !inertial && !b->fixed[c] && !touched && !tied;
        }
    }
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}
