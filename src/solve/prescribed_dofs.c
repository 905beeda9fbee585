/* Determines which dofs are prescribed by constraints, are aliases of dofs of another block, or have no inertia and
 * follow quasistatically; and which constraints therefore need no rows. */
#include "block/slider.h"
#include "solve/problem.h"

#include <string.h>

/* A constraint that determines three degrees of freedom of a block prescribes them (Dirichlet) instead of adding rows. */
static void eliminate(problem *w, constraint *r)
{
    r->eliminated = false;
    const point *p = cord__point_of(w, &r->term, 0);
    if (cord__constraint_released(w, r) || r->state.closing) return;
    if (!r->ops->prescribes || r->def.side != CORD_EQUAL || r->def.compliance > 0) return;
    if (p->block < 0 || point_slides(p) || cord__block_of(w, &r->term, 1) >= 0) return;
    const attachment *at =
        r->ops->needs[0] & NEEDS_POSITION ? &p->position_attachment : &p->frame_attachment;
    if (at->unit < 0) return;
    unsigned char *prescribed = w->block[p->block]->prescribed + at->unit;
    if (prescribed[0] || prescribed[1] || prescribed[2])
        return; /* prescribed already: as rows, a contradiction is detected */
    prescribed[0] = prescribed[1] = prescribed[2] = PRESCRIBED;
    r->eliminated = true;
}

/* Whether the frame of a point is three degrees of freedom of a block, without inertia (`massless`) or with it. */
static bool whole_frame(const problem *w, const point *p, bool massless)
{
    if (!p || p->block < 0 || p->frame_attachment.unit < 0) return false;
    const block *b = w->block[p->block];
    bool none = b->mass && b->mass[p->frame_attachment.unit] == 0;
    return none == massless && !b->prescribed[p->frame_attachment.unit] &&
           b->alias_block[p->frame_attachment.unit] < 0;
}

/* An exact align of a frame without inertia to one that has it: both have the same rotation, so the dofs of the
 * first are aliases of those of the second, and no row is needed. */
static void weld(problem *w, constraint *r)
{
    r->welded = false;
    if (cord__constraint_released(w, r) || r->state.closing) return;
    if (r->eliminated || !r->ops->prescribes || r->ops->needs[0] != NEEDS_FRAME) return;
    if (r->def.side != CORD_EQUAL || r->def.compliance > 0 || cord__constraint_is_driven(r)) return;
    const point *a = cord__point_of(w, &r->term, 0), *b = cord__point_of(w, &r->term, 1);
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

/* The terms of each dof; and the queue of dofs marked 1, below, that are still to be visited. */
typedef struct incidence {
    int *first, *in, *queue;
    int queued;
} incidence;

static void free_incidence(incidence *t, memory *m)
{
    cord__release(m, t->first);
    cord__release(m, t->in);
    cord__release(m, t->queue);
}

static bool list_incidence(const problem *w, incidence *t, memory *m)
{
    size_t all = 0;
    for (int i = 0; i < w->terms; i++) all += (size_t)w->term[i]->dofs;
    *t = (incidence){.first = NEW(m, int, w->v_count + 1),
                     .in = NEW(m, int, all),
                     .queue = NEW(m, int, w->v_count)};
    if (!t->first || !t->in || !t->queue) return false;
    for (int i = 0; i < w->terms; i++)
        for (int c = 0; c < w->term[i]->dofs; c++) t->first[w->term[i]->dof[c]]++;
    for (int c = 0; c < w->v_count; c++) t->first[c + 1] += t->first[c];
    for (int i = 0; i < w->terms; i++)
        for (int c = 0; c < w->term[i]->dofs; c++) t->in[--t->first[w->term[i]->dof[c]]] = i;
    return true;
}

/* Marks the dofs that a term determines. Until block.quasistatic has its final value it contains the mark: 1, or 2
 * where the term itself is quasistatic, and with it all dofs that terms couple to it. */
static void mark_dofs(problem *w, const term *x, incidence *t)
{
    if (!x->ops->acts(w, x)) return;
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            unsigned char *mark = b->quasistatic + (x->dof[c] - b->v0);
            if (*mark == 1) continue;
            *mark = x->quasistatic ? 2 : 1;
            if (!x->quasistatic) t->queue[t->queued++] = x->dof[c];
        }
    }
}

static bool is_quasistatic(const problem *w, const term *x)
{
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            int dof = x->dof[c] - b->v0;
            if (!b->mass || b->mass[dof] > 0 || b->quasistatic[dof] == 1) return false;
        }
    }
    return true;
}

/* A term on a dof that is not quasistatic is not quasistatic either, nor are its other dofs. */
static void mark_determined(problem *w, incidence *t)
{
    for (int i = 0; i < w->terms; i++) {
        w->term[i]->quasistatic = is_quasistatic(w, w->term[i]);
        mark_dofs(w, w->term[i], t);
    }
    while (t->queued > 0) {
        int dof = t->queue[--t->queued];
        for (int k = t->first[dof]; k < t->first[dof + 1]; k++) {
            term *x = w->term[t->in[k]];
            if (!x->quasistatic) continue;
            x->quasistatic = false;
            mark_dofs(w, x, t);
        }
    }
}

/* A coordinate with friction follows a load; without friction, and without other terms, it would have no
 * equilibrium. A frame follows a torque. */
static void mark_loaded(problem *w)
{
    for (int i = 0; i < w->loads; i++) {
        const term *x = &w->load[i]->term;
        const point *p = w->point[x->point[0]];
        const block *b = p->slider_block >= 0 ? w->block[p->slider_block] : NULL;
        if (b && !p->released && ((const slider *)b->model)->friction > 0) b->quasistatic[0] = 1;
        if (p->block >= 0 && (x->needs[0] & NEEDS_FRAME) && p->frame_attachment.unit >= 0)
            memset(w->block[p->block]->quasistatic + p->frame_attachment.unit, 1, 3);
    }
}

/* ---- coordinates that nothing determines --------------------------------------------------------- */

/* Neither inertia nor friction resists its motion: only two-sided constraints determine it. */
static bool is_bare_coordinate(const block *b)
{
    return b->shape.coordinate.is_one && b->shape.coordinate.friction == 0 &&
           b->shape.coordinate.inertia == 0 && b->shape.inertial_count == 0;
}

/* Bare coordinates that are not known yet, of a term; *only: it has no other dofs. The last of them in *last. */
static int unknown_coordinates(const problem *w, const term *x, const unsigned char *known,
                               bool *only, const block **last)
{
    int count = 0;
    *only = true;
    for (int part = 0; part < TERM_PARTS; part++) {
        const term_part *p = x->part + part;
        for (int c = p->first; p->block >= 0 && c < p->first + p->count; c++) {
            const block *b = cord__dof_block(w, p, c);
            *only = *only && b->shape.coordinate.is_one;
            if (is_bare_coordinate(b) && !known[b->v0]) count++, *last = b;
        }
    }
    return count;
}

/* One-sided rows limit a coordinate and do not determine it. */
static bool determines(const problem *w, term *x)
{
    const constraint *r = cord__as_constraint(x);
    return x->ops->acts(w, x) && (!r || r->def.side == CORD_EQUAL);
}

/* A row among coordinates alone determines one from the others; with other dofs, a term determines all. Whether rows
 * among coordinates remain that would. */
static bool find_known(const problem *w, unsigned char *known)
{
    bool changed, remain;
    do {
        changed = remain = false;
        for (int i = 0; i < w->terms; i++) {
            const block *b;
            bool only;
            int count = unknown_coordinates(w, w->term[i], known, &only, &b);
            if (count == 0 || !determines(w, w->term[i])) continue;
            if (only && count > 1)
                remain = true;
            else
                known[b->v0] = changed = true;
        }
    } while (changed);
    return remain;
}

/* Whether a term has a coordinate that is marked. */
static bool has_coordinate(const problem *w, const term *x, const unsigned char *known)
{
    bool only;
    const block *b;
    return unknown_coordinates(w, x, known, &only, &b) > 0;
}

/* After a release, a coordinate without inertia and friction may have no constraint but one-sided ones: its block pins
 * it, and those transmit no force, since nothing would take it. Of several that rows still couple, one is pinned. */
static bool find_undetermined(problem *w, memory *m)
{
    unsigned char *known = NEW(m, unsigned char, w->v_count);
    if (!known) return false;
    bool remain = find_known(w, known);
    for (int i = 0; i < w->constraints; i++) {
        constraint *r = w->constraint[i];
        r->inert =
            r->def.side != CORD_EQUAL && !r->def.end_stop && has_coordinate(w, &r->term, known);
    }
    for (int i = 0; i < w->blocks; i++) {
        block *b = w->block[i];
        if (!is_bare_coordinate(b) || known[b->v0]) continue;
        b->quasistatic[0] = 0;
        known[b->v0] = true;
        if (remain) remain = find_known(w, known);
    }
    cord__release(m, known);
    return true;
}

/* A child block has dofs of its parents. */
static void alias_shared_dofs(block *b)
{
    for (int i = 0; i < b->shared_count; i++)
        for (int k = 0; k < b->shared[i].dofs; k++) {
            b->alias_block[b->shared[i].dof + k] = b->shared[i].parent_block;
            b->alias_dof[b->shared[i].dof + k] = b->shared[i].parent_dof + k;
        }
}

cord_status cord__prescribe_dofs(problem *w, memory *m)
{
    incidence t;
    bool room = list_incidence(w, &t, m);
    for (int i = 0; i < w->blocks; i++) {
        memset(w->block[i]->prescribed, 0, (size_t)w->block[i]->shape.dofs);
        memset(w->block[i]->quasistatic, 0, (size_t)w->block[i]->shape.dofs);
        for (int c = 0; c < w->block[i]->shape.dofs; c++)
            w->block[i]->alias_block[c] = -1, w->block[i]->alias_scale[c] = 1;
        alias_shared_dofs(w->block[i]);
    }
    mark_loaded(w);
    for (int i = 0; i < w->constraints; i++) eliminate(w, w->constraint[i]);
    for (int i = 0; i < w->constraints; i++) weld(w, w->constraint[i]);
    if (room) mark_determined(w, &t);
    room = room && find_undetermined(w, m);
    free_incidence(&t, m);
    for (int i = 0; i < w->blocks; i++) {
        block *b = w->block[i];
        if (b->ops->pin) b->ops->pin(b->model, b->quasistatic, b->prescribed);
        for (int c = 0; c < b->shape.dofs; c++) {
            bool inertial = !b->mass || b->mass[c] > 0, determined = b->quasistatic[c] == 1;
            w->inverse_mass[b->v0 + c] = inertial && !b->prescribed[c] ? 1 / b->metric[c] : 0;
            bool aliased = b->alias_block[c] >= 0;
            b->quasistatic[c] =
                b->mass && !inertial && !b->prescribed[c] && !determined && !aliased;
        }
    }
    return room ? CORD_OK : CORD_ERROR_MEMORY;
}
