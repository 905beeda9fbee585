/* Lays out the objects in the slots as the problem of the solvers, whenever the topology has changed. The committed
 * state is moved completely or not at all: if an allocation fails, it is unchanged. */
#include "block/slider.h"
#include "math/band.h"
#include "solve/integrator.h"
#include "world/contacts.h"

#include <math.h>
#include <string.h>

enum { STATE_ARRAYS = 7 };

static double **state_arrays(state *s, int i)
{
    double **arrays[STATE_ARRAYS] = {&s->q,          &s->v,          &s->a,   &s->lambda,
                                     &s->inertial_v, &s->inertial_a, &s->side};
    return arrays[i];
}

static void free_state(state *s, memory *m)
{
    for (int i = 0; i < STATE_ARRAYS; i++) {
        cord__release(m, *state_arrays(s, i));
        *state_arrays(s, i) = NULL;
    }
}

/* An array of the next layout: one of the last layout that is long enough, or a new one. A world is laid out again whenever a
 * quadrature follows a curvature, and clearing the pages of new arrays took a fifth of a step of hair. */
static bool provide(memory *m, double *last, int count, double **next)
{
    const bool fits = last && cord__allocated(last) >= (size_t)count * sizeof *last;
    *next = fits ? last : NEW(m, double, (size_t)count + (last ? (size_t)count / 8 : 0));
    return *next != NULL;
}

static void clear(double *x, int count)
{
    if (count > 0) memset(x, 0, (size_t)count * sizeof *x);
}

/* Releases an array unless another layout has it. */
static void release_unless(memory *m, double *x, const double *in_use)
{
    if (x != in_use) cord__release(m, x);
}

/* The next state takes the arrays of the last trial, and the next trial those of the last state, which is still read. */
static cord_status provide_states(problem *next, problem *last, const int counts[STATE_ARRAYS],
                                  memory *m)
{
    for (int i = 0; i < STATE_ARRAYS; i++)
        if (!provide(m, *state_arrays(&last->trial, i), counts[i], state_arrays(&next->now, i)) ||
            !provide(m, *state_arrays(&last->now, i), counts[i], state_arrays(&next->trial, i)))
            return CORD_ERROR_MEMORY;
    return CORD_OK;
}

/* Releases the arrays of states that another layout does not have. */
static void release_states(problem *p, problem *in_use, memory *m)
{
    for (int i = 0; i < STATE_ARRAYS; i++) {
        release_unless(m, *state_arrays(&p->now, i), *state_arrays(&in_use->trial, i));
        release_unless(m, *state_arrays(&p->trial, i), *state_arrays(&in_use->now, i));
    }
}

void cord__list_workspaces(problem *p, workspace out[WORKSPACES])
{
    int most = p->v_count > p->lambda_count ? p->v_count : p->lambda_count;
    if (p->inertial_count > most) most = p->inertial_count;
    const workspace list[WORKSPACES] = {
        {&p->cache, p->cache_count},
        {&p->cache_start, p->cache_count},
        {&p->cache_end, p->cache_count},
        {&p->q_half, p->q_count},
        {&p->saved_lambda, p->lambda_count},
        {&p->d, p->v_count},
        {&p->v_predictor, p->v_count},
        {&p->a_predictor, p->v_count},
        {&p->r, p->v_count},
        {&p->g, p->lambda_count},
        {&p->delta, p->v_count},
        {&p->inverse_mass, p->v_count},
        {&p->zero, most},
        {&p->r_end, p->v_count},
        {&p->g_end, p->lambda_count},
        {&p->inertial_x, p->inertial_count},
        {&p->inertial_x0, p->inertial_count},
        {&p->inertial_v_predictor, p->inertial_count},
        {&p->inertial_a_predictor, p->inertial_count},
        {&p->balance, p->v_count},
        {&p->free_q, p->q_count},
        {&p->free_v, p->v_count},
        {&p->free_d, p->v_count},
        {&p->kept_a, p->v_count},
        {&p->kept_inertial_a, p->inertial_count},
    };
    memcpy(out, list, sizeof list);
}

static void free_workspaces(problem *p, memory *m)
{
    workspace list[WORKSPACES];
    cord__list_workspaces(p, list);
    for (int i = 0; i < WORKSPACES; i++) {
        cord__release(m, *list[i].array);
        *list[i].array = NULL;
    }
}

static cord_status provide_workspaces(problem *next, problem *last, memory *m)
{
    workspace list[WORKSPACES], old[WORKSPACES];
    cord__list_workspaces(next, list);
    cord__list_workspaces(last, old);
    for (int i = 0; i < WORKSPACES; i++)
        if (!provide(m, *old[i].array, list[i].count, list[i].array)) return CORD_ERROR_MEMORY;
    return CORD_OK;
}

static void clear_workspaces(problem *p)
{
    workspace list[WORKSPACES];
    cord__list_workspaces(p, list);
    for (int i = 0; i < WORKSPACES; i++) clear(*list[i].array, list[i].count);
}

static void release_workspaces(problem *p, problem *in_use, memory *m)
{
    workspace list[WORKSPACES], other[WORKSPACES];
    cord__list_workspaces(p, list);
    cord__list_workspaces(in_use, other);
    for (int i = 0; i < WORKSPACES; i++) release_unless(m, *list[i].array, *other[i].array);
}

/* ---- lists ------------------------------------------------------------------------------------ */

static cord_status make_lists(cord_world *w, problem *p)
{
    memory *m = &w->memory;
    p->block = NEW(m, block *, w->strands.used + w->bodies.used + w->sliders.used);
    p->term = NEW(m, term *, w->terms.used);
    p->constraint = NEW(m, constraint *, w->terms.used);
    p->force = NEW(m, force_term *, w->terms.used);
    p->load = NEW(m, force_term *, w->loads.used);
    p->point = (point **)w->points.item;
    if (!p->block || !p->term || !p->constraint || !p->force || !p->load) return CORD_ERROR_MEMORY;
    for (int i = 0; i < w->strands.count; i++)
        if (w->strands.item[i]) p->block[p->blocks++] = &((object *)w->strands.item[i])->block;
    for (int i = 0; i < w->bodies.count; i++)
        if (w->bodies.item[i]) p->block[p->blocks++] = &((object *)w->bodies.item[i])->block;
    for (int i = 0; i < w->sliders.count; i++)
        if (w->sliders.item[i]) p->block[p->blocks++] = &((object *)w->sliders.item[i])->block;
    for (int i = 0; i < w->terms.count; i++) {
        constraint *r = cord__constraint_at(w, i);
        if (!w->terms.item[i]) continue;
        p->term[p->terms++] = w->terms.item[i];
        if (r)
            p->constraint[p->constraints++] = r;
        else
            p->force[p->forces++] = w->terms.item[i];
    }
    for (int i = 0; i < w->loads.count; i++)
        if (w->loads.item[i]) p->load[p->loads++] = w->loads.item[i];
    return CORD_OK;
}

static void free_lists(problem *p, memory *m)
{
    cord__release(m, p->block);
    cord__release(m, p->term);
    cord__release(m, p->constraint);
    cord__release(m, p->force);
    cord__release(m, p->load);
}

/* ---- state ------------------------------------------------------------------------------------ */

static void copy_prefix(double *to, const double *from, int count)
{
    if (count > 0) memcpy(to, from, (size_t)count * sizeof(double));
}

static void sizes_of(const block_shape *shape, int sizes[EXTENTS])
{
    const int list[EXTENTS] = {[IN_Q] = shape->q_count,
                               [IN_V] = shape->dofs,
                               [IN_LAMBDA] = shape->rows,
                               [IN_CACHE] = shape->cache_count,
                               [IN_INERTIAL] = shape->inertial_count,
                               [IN_SIDE] = shape->side_count};
    memcpy(sizes, list, sizeof list);
}

static void copy_inertial(const block *b, const state *from, state *to, int start)
{
    const double *const old[2] = {from->inertial_v + b->inertial0, from->inertial_a + b->inertial0};
    double *const next[2] = {to->inertial_v + start, to->inertial_a + start};
    if (b->ops->quadrature) {
        b->ops->quadrature->transfer(b->model, b->shape.inertial_count, old, next);
        return;
    }
    for (int i = 0; i < 2; i++) copy_prefix(next[i], old[i], b->shape.inertial_count);
}

/* Moves the values of one object to their new ranges, and sets values that are new. */
static void lay_out_object(object *s, const state *from, state *to, const block_shape *shape,
                           const int start[EXTENTS])
{
    block *b = &s->block;
    double *q = to->q + start[IN_Q], *v = to->v + start[IN_V];
    int inertial0 = start[IN_INERTIAL];
    b->ops->initial(b->model, q, v);
    if (b->ops->memory) b->ops->memory->initial(b->model, to->side + start[IN_SIDE]);
    if (s->laid_out) {
        copy_prefix(q, from->q + b->q0, b->shape.q_count);
        if (b->ops->frames) b->ops->frames->extend(b->model, q, b->shape.q_count);
        copy_prefix(v, from->v + b->v0, b->shape.dofs);
        copy_prefix(to->a + start[IN_V], from->a + b->v0, b->shape.dofs);
        copy_prefix(to->lambda + start[IN_LAMBDA], from->lambda + b->l0, b->shape.rows);
        copy_inertial(b, from, to, inertial0);
        copy_prefix(to->side + start[IN_SIDE], from->side + b->side0, b->shape.side_count);
    } else if (b->ops->quadrature) {
        b->ops->quadrature->transfer(b->model, 0, NULL, NULL);
    }
    const strand_fragment *given = &s->given;
    if (!s->laid_out && given->q) { /* attachments may have added values */
        copy_prefix(q, given->q, given->q_count);
        if (b->ops->frames) b->ops->frames->extend(b->model, q, given->q_count);
        copy_prefix(v, given->v, given->dofs);
        copy_prefix(to->lambda + start[IN_LAMBDA], given->lambda, given->rows);
        copy_prefix(to->inertial_v + inertial0, given->inertial_v, given->inertial_count);
    }
    b->shape = *shape;
    b->q0 = start[IN_Q], b->v0 = start[IN_V], b->l0 = start[IN_LAMBDA];
    b->cache0 = start[IN_CACHE];
    b->inertial0 = inertial0;
    b->side0 = start[IN_SIDE];
    s->laid_out = true;
    s->grown = false;
    sizes_of(shape, s->room);
}

/* Copies the shared dofs of a parent to its child. */
static void copy_to_child(const block *b, const shared_dofs *on, const block *carrier, state *now)
{
    shared_dofs_read(on, carrier, now->q + carrier->q0, now->q + b->q0 + on->q);
    copy_prefix(now->v + b->v0 + on->dof, now->v + carrier->v0 + on->parent_dof, on->dofs);
}

object *cord__parent_of(const cord_world *w, const shared_dofs *on)
{
    const slots *among = on->kind == PARENT_BODY     ? &w->bodies
                         : on->kind == PARENT_STRAND ? &w->strands
                                                     : &w->sliders;
    return among->item[on->parent_slot];
}

void cord__update_children(cord_world *w, const object *t)
{
    for (const list_link *l = t->children; l; l = l->next) {
        const shared_dofs *on = l->item;
        if (cord__object_of(on->child)->laid_out)
            copy_to_child(on->child, on, &t->block, &w->problem.now);
    }
}

static void lay_out_constraints(problem *p, const state *from, state *to, int start)
{
    for (int i = 0; i < p->constraints; i++) {
        constraint *r = p->constraint[i];
        if (r->l0 >= 0) copy_prefix(to->lambda + start, from->lambda + r->l0, r->ops->rows);
        r->l0 = start;
        start += r->ops->rows;
    }
}

/* The arrays of the state remain as they are, and so must their sizes. */
static void restore_quadratures(const cord_world *w)
{
    for (int i = 0; i < w->strands.count; i++) {
        const object *t = w->strands.item[i];
        if (t && t->laid_out && t->block.ops->quadrature)
            t->block.ops->quadrature->restore(t->block.model);
    }
}

/* Corrections that end every iteration: the next one would be rounding. */
static const double SMALL_CORRECTION = 1e-8;

cord_status cord__world_layout(const cord_world *world)
{
    cord_world *w = world->self;
    if (!w->layout_stale) return CORD_OK;
    memory *m = &w->memory;
    problem next = {.threads = w->problem.threads,
                    .meet_rows_first = w->problem.meet_rows_first,
                    .meet_all_rows = w->problem.meet_all_rows,
                    .requested_step = w->problem.requested_step,
                    .environment = w->problem.environment,
                    .gravity = w->problem.gravity,
                    .integrator = cord__integrators + w->def.integrator,
                    .scheme = cord__schemes + w->def.scheme,
                    .tolerance = w->def.tolerance,
                    .small_correction = fmin(w->def.tolerance, SMALL_CORRECTION),
                    .length_tolerance = w->def.length_tolerance,
                    .max_iterations = w->def.max_iterations,
                    .batches = w->def.batches};
    cord_status status = make_lists(w, &next);
    for (int i = 0; status == CORD_OK && i < next.blocks; i++) {
        block_shape shape;
        next.block[i]->ops->describe(next.block[i]->model, &shape);
        next.q_count += shape.q_count;
        next.v_count += shape.dofs;
        next.lambda_count += shape.rows;
        next.cache_count += shape.cache_count;
        next.inertial_count += shape.inertial_count;
        next.side_count += shape.side_count;
    }
    int block_rows = next.lambda_count;
    for (int i = 0; i < next.constraints; i++) next.lambda_count += next.constraint[i]->ops->rows;
    const int counts[STATE_ARRAYS] = {next.q_count,      next.v_count,        next.v_count,
                                      next.lambda_count, next.inertial_count, next.inertial_count,
                                      next.side_count};
    if (status == CORD_OK) status = provide_states(&next, &w->problem, counts, m);
    if (status == CORD_OK) status = provide_workspaces(&next, &w->problem, m);
    if (status != CORD_OK) {
        release_states(&next, &w->problem, m);
        release_workspaces(&next, &w->problem, m);
        free_lists(&next, m);
        restore_quadratures(w);
        return cord__fail(w, status, "out of memory for the state");
    }
    for (int i = 0; i < STATE_ARRAYS; i++) clear(*state_arrays(&next.now, i), counts[i]);
    clear_workspaces(&next);
    int start[EXTENTS] = {0};
    for (int i = 0; i < next.blocks; i++) {
        object *s = cord__object_of(next.block[i]);
        block_shape shape;
        s->block.ops->describe(s->block.model, &shape);
        lay_out_object(s, &w->problem.now, &next.now, &shape, start);
        s->index = i;
        for (int k = 0; k < EXTENTS; k++) start[k] += s->room[k];
    }
    for (int i = 0; i < w->points.count; i++) {
        point *p = w->points.item[i];
        if (p && p->parent >= 0) p->block = cord__point_parent(w, p)->index;
        if (p && p->slider >= 0) p->slider_block = ((object *)w->sliders.item[p->slider])->index;
        bool alone = p && p->parent < 0 && (p->path || p->source == CORD_SOURCE_FLYWHEEL);
        if (alone) p->block = p->slider_block;
    }
    for (int i = 0; i < next.blocks; i++)
        for (int k = 0; k < next.block[i]->shared_count; k++) {
            shared_dofs *on = next.block[i]->shared + k;
            on->parent_block = cord__parent_of(w, on)->index;
            copy_to_child(next.block[i], on, next.block[on->parent_block], &next.now);
        }
    lay_out_constraints(&next, &w->problem.now, &next.now, block_rows);
    next.now.time = w->problem.now.time;
    for (int i = 0; i < STATE_ARRAYS; i++) clear(*state_arrays(&next.trial, i), counts[i]);
    release_states(&w->problem, &next, m);
    release_workspaces(&w->problem, &next, m);
    free_lists(&w->problem, m);
    w->problem = next;
    start[IN_LAMBDA] = next.lambda_count;
    memcpy(w->used, start, sizeof start);
    memcpy(w->room, start, sizeof start);
    w->listed = w->list_room = next.blocks;
    w->unused_count = 0;
    w->partition_stale = true;
    cord__invalidate_start(w);
    cord_status contacts = cord__contacts_update(w);
    w->layout_stale = contacts != CORD_OK;
    return contacts;
}

void cord__invalidate_start(cord_world *w)
{
    w->start_stale = true;
    w->forces_changed = false;
    w->revision++;
}

void cord__invalidate_accelerations(cord_world *w)
{
    w->forces_changed = w->forces_changed || !w->start_stale;
    w->start_stale = true;
    w->revision++;
}

/* ---- single objects --------------------------------------------------------------------------- */

/* Lengthens an array that is read before the next complete layout. */
static bool lengthen(memory *m, double **array, int count)
{
    double *longer = cord__reallocate(m, *array, (size_t)count, sizeof *longer);
    if (longer) *array = longer;
    return longer != NULL;
}

static bool lengthen_all(cord_world *w, extent which, int count)
{
    memory *m = &w->memory;
    problem *p = &w->problem;
    state *now = &p->now;
    switch (which) {
    case IN_Q: return lengthen(m, &now->q, count);
    case IN_V:
        return lengthen(m, &now->v, count) && lengthen(m, &now->a, count) &&
               lengthen(m, &p->delta, count);
    case IN_LAMBDA: return lengthen(m, &now->lambda, count);
    case IN_CACHE: return lengthen(m, &p->cache, count);
    case IN_INERTIAL:
        return lengthen(m, &now->inertial_v, count) && lengthen(m, &now->inertial_a, count);
    case IN_SIDE: return lengthen(m, &now->side, count);
    case EXTENTS: break;
    }
    return false;
}

/* Ensures room at the end of the arrays. Their capacity is doubled, so that adding objects does not move the arrays
 * each time. */
static bool make_room(cord_world *w, const int more[EXTENTS])
{
    for (int k = 0; k < EXTENTS; k++) {
        int needed = w->used[k] + more[k];
        if (needed <= w->room[k] && w->room[k] > 0) continue;
        int count = (needed > 2 * w->room[k] ? needed : 2 * w->room[k]) + 8;
        if (!lengthen_all(w, (extent)k, count)) return false;
        w->room[k] = count;
    }
    if (w->listed < w->list_room) return true;
    int count = 2 * w->list_room + 8;
    block **list = cord__reallocate(&w->memory, w->problem.block, (size_t)count, sizeof *list);
    if (!list) return false;
    w->problem.block = list;
    w->list_room = count;
    return true;
}

static bool fits(const object *t, const int sizes[EXTENTS])
{
    bool room = t->laid_out;
    for (int k = 0; k < EXTENTS; k++) room = room && sizes[k] <= t->room[k];
    return room;
}

/* The values of new attachments follow the other values of the object. */
static void extend_object(cord_world *w, object *t, const block_shape *shape)
{
    block *b = &t->block;
    bool same = shape->cache_count == b->shape.cache_count;
    if (b->ops->frames)
        b->ops->frames->extend(b->model, w->problem.now.q + b->q0, b->shape.q_count);
    b->shape = *shape;
    t->grown = false;
    if (!same) t->cache_revision = 0;
}

void cord__abandon_range(cord_world *w, const object *t)
{
    for (int k = 0; t->laid_out && k < EXTENTS; k++) w->unused_count += t->room[k];
}

/* Whether more values are unused than used: a complete layout is then due, which keeps its amortised cost low. */
static bool is_wasteful(const cord_world *w)
{
    int64_t used = w->points.used + w->terms.used + w->loads.used - w->unused_count;
    for (int k = 0; k < EXTENTS; k++) used += w->used[k];
    return w->unused_count > used;
}

/* Moves an object to the end of the arrays; one that has grown gets spare room, since it may grow again. */
static cord_status move_behind(cord_world *w, object *t, const block_shape *shape, int *room)
{
    const block was = t->block;
    bool placed = t->laid_out;
    if (is_wasteful(w)) return cord__world_layout(w);
    for (int k = 0; placed && k < EXTENTS; k++) room[k] += room[k] / 2;
    if (!make_room(w, room)) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for the state");
    problem *p = &w->problem;
    cord__abandon_range(w, t);
    lay_out_object(t, &p->now, &p->now, shape, w->used);
    if (placed)
        copy_prefix(p->cache + t->block.cache0, p->cache + was.cache0, was.shape.cache_count);
    else
        p->block[t->index = w->listed++] = &t->block;
    for (int i = 0; i < t->block.shared_count;
         i++) /* the parents have values since this block was created */
        copy_to_child(&t->block, was.shared + i, &cord__parent_of(w, was.shared + i)->block,
                      &p->now);
    if (!placed) t->jacobian_revision = 0;
    t->cache_revision = 0;
    memcpy(t->room, room, sizeof t->room);
    for (int k = 0; k < EXTENTS; k++) w->used[k] += room[k];
    return CORD_OK;
}

cord_status cord__object_ready(const cord_world *w, object *t)
{
    if (t->laid_out && !t->grown) return CORD_OK;
    block_shape shape;
    int sizes[EXTENTS];
    t->block.ops->describe(t->block.model, &shape);
    sizes_of(&shape, sizes);
    if (!fits(t, sizes)) return move_behind(w->self, t, &shape, sizes);
    extend_object(w->self, t, &shape);
    return CORD_OK;
}

cord_status cord__point_ready(const cord_world *w, const point *p)
{
    object *t = cord__point_parent(w, p);
    return t ? cord__object_ready(w, t) : CORD_OK;
}

/* ---- points ----------------------------------------------------------------------------------- */

object *cord__point_parent(const cord_world *w, const point *p)
{
    if (p->parent < 0) return p->path && p->slider >= 0 ? w->sliders.item[p->slider] : NULL;
    bool on_strand = p->source == CORD_SOURCE_STRAND || p->source == CORD_SOURCE_SLIDING;
    return (on_strand ? &w->strands : &w->bodies)->item[p->parent];
}

/* ---- clusters ---------------------------------------------------------------------------------- */

/* Takes the next array, of `count` doubles, from the storage of a block. */
static void *take(double **from, size_t count)
{
    void *taken = *from;
    *from += count;
    return taken;
}

static size_t in_doubles(size_t bytes)
{
    return (bytes + sizeof(double) - 1) / sizeof(double);
}

void cord__set_block_scales(block *b)
{
    const double *scale = b->scale;
    b->ops->scales(b->model, b->scale, b->stiffness);
    b->stiffness_over_metric = b->ops->inertia(b->model, b->mass ? b->mass : b->metric);
    for (int c = 0; b->mass && c < b->shape.dofs; c++)
        b->metric[c] = b->mass[c] > 0 ? b->mass[c] : b->mass[0] * scale[0] * scale[0];
}

/* The arrays of a block are one allocation, with the arrays over dofs first: a sliding coordinate has one dof, and
 * there may be ten thousand of them. */
static cord_status block_storage(block *b, memory *m)
{
    const block_shape *s = &b->shape;
    size_t columns = (size_t)s->dofs, unknowns = columns + (size_t)s->rows;
    size_t bytes = in_doubles(columns), ints = in_doubles(columns * sizeof(int));
    size_t small = 5 * columns + in_doubles(unknowns * sizeof(int)) + 2 * ints + 2 * bytes;
    cord__release(m, b->storage);
    double *from = b->storage = NEW(m, double, small + (size_t)s->private_count);
    if (!from) return CORD_ERROR_MEMORY;
    b->scale = take(&from, columns);
    b->stiffness = take(&from, columns);
    b->metric = take(&from, columns);
    b->alias_scale = take(&from, columns);
    b->mass = take(&from, columns);
    b->order = take(&from, in_doubles(unknowns * sizeof(int)));
    b->alias_block = take(&from, ints);
    b->alias_dof = take(&from, ints);
    b->prescribed = take(&from, bytes);
    b->quasistatic = take(&from, bytes);
    b->private_matrix = take(&from, (size_t)s->private_count);
    b->ops->elimination_order(b->model, b->order);
    if (s->mass == MASS_CONFIGURATION) b->mass = NULL;
    cord__set_block_scales(b);
    return CORD_OK;
}

static bool second_frame_moves(const problem *p, const term *x)
{
    const point *second = cord__point_of(p, x, 1);
    return (x->needs[1] & NEEDS_FRAME) && second && second->block >= 0;
}

/* A frame without inertia coupled to one with inertial coordinates: `midpoint` evaluates the first at the end of a
 * step and the second on average over it. */
static bool frames_at_odds(const problem *p, const constraint *r)
{
    return second_frame_moves(p, &r->term) && !r->welded && !r->term.quasistatic &&
           cord__has_massless_dofs(p, &r->term);
}

static cord_status check_integrator(cord_world *w)
{
    const problem *p = &w->problem;
    const integrator_ops *by = p->integrator;
    char label[128];
    for (int i = 0; by->explicit_forces && i < p->blocks; i++)
        if (p->block[i]->shape.mass != MASS_DIAGONAL &&
            !BLOCK_HAS(p->block[i], projection, accelerate))
            return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                              "%s: the symplectic integrator needs a mass that is diagonal, which "
                              "its model has not; use implicit, midpoint or der strands",
                              cord__object_label(w, i, label, sizeof label));
    for (int i = 0; i < p->forces; i++) {
        char why[sizeof w->error];
        const force_term *f = p->force[i];
        if (!f->ops->supported(p, f, why, sizeof why))
            return cord__fail(w, CORD_ERROR_UNSUPPORTED, "%s", why);
    }
    for (int i = 0; i < p->constraints; i++) {
        const constraint *r = p->constraint[i];
        const char *name = r->name ? r->name : r->ops->name;
        if (by->explicit_forces && !r->eliminated && cord__has_massless_dofs(p, &r->term))
            return cord__fail(
                w, CORD_ERROR_UNSUPPORTED,
                "constraint '%s': the symplectic integrator holds a strand's frame only by align, "
                "at a vertex, against the world or a body; use implicit or midpoint",
                name);
        if (!by->dynamic && r->impact && r->impact->restitution > 0)
            return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                              "constraint '%s': nothing bounces in a quasi-static world; leave its "
                              "restitution out",
                              name);
        if (by->halfway && frames_at_odds(p, r))
            return cord__fail(
                w, CORD_ERROR_UNSUPPORTED,
                "constraint '%s': the midpoint integrator ties a strand's frame only to "
                "another frame, both at vertices; use implicit",
                name);
    }
    return CORD_OK;
}

cord_status cord__world_ready(const cord_world *world)
{
    cord_world *w = world->self;
    /* Added or removed constraints change the number of multipliers. */
    if (w->partition_stale) w->layout_stale = true;
    if (w->partition_stale && !w->joining && w->contacts) w->contacts->set.joins = 0;
    cord_status status = cord__world_layout(w);
    if (status != CORD_OK || !(w->partition_stale || w->elements_stale)) return status;
    double began = cord__seconds();
    memory *m = &w->memory;
    cord__reset_schedules(w);
    for (int i = 0; status == CORD_OK && i < w->problem.blocks; i++)
        status = block_storage(w->problem.block[i], m);
    if (status == CORD_OK) {
        cord__refresh_all(w);
        cord__partition_free(&w->partition, m);
        status = cord__partition_make(&w->partition, &w->problem, m);
        if (status == CORD_OK) status = cord__reserve_batches(w);
    }
    cord__update_schedules(w);
    if (status != CORD_OK) return cord__fail(w, status, "out of memory for the islands");
    w->profile.partition += cord__seconds() - began;
    status = check_integrator(w);
    if (status != CORD_OK) return status;
    w->partition_stale = w->elements_stale = false;
    return CORD_OK;
}

void cord__refresh_all(cord_world *w)
{
    w->revision++;
    for (int i = 0; i < w->problem.blocks; i++)
        cord__refresh_object(w, cord__object_of(w->problem.block[i]));
}

void cord__refresh_object(const cord_world *w, object *t)
{
    const problem *p = &w->problem;
    const block *b = &t->block;
    if (t->cache_revision == w->revision) return;
    b->ops->refresh(b->model, p->now.q + b->q0, p->cache + b->cache0);
    t->cache_revision = t->jacobian_revision = w->revision;
}

void cord__refresh_jacobians(const cord_world *w, object *t)
{
    if (t->jacobian_revision != w->revision) cord__refresh_object(w, t);
}

void cord__refresh_term(const cord_world *w, const term *x)
{
    for (int side = 0; side < 2; side++) {
        const point *p = x->point[side] >= 0 ? w->points.item[x->point[side]] : NULL;
        object *t = p ? cord__point_parent(w, p) : NULL;
        if (t) cord__refresh_jacobians(w, t);
    }
}

void cord__layout_free(cord_world *w)
{
    memory *m = &w->memory;
    cord__partition_free(&w->partition, m);
    cord__free_batches(w);
    free_state(&w->problem.now, m);
    free_state(&w->problem.trial, m);
    free_workspaces(&w->problem, m);
    free_lists(&w->problem, m);
}
