/* Events after which blocks have other unknowns (topology_ops): the model of a block is replaced by its successor,
 * which receives the momentum of the old one. The energy and the momentum of its cluster before and after are
 * recorded. Checkpoints contain the topology of such blocks, and the lengths of those that grow, as bytes. */
#include "world/event.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

/* Of the kinetic energy: smaller changes of the energy are left as they are. */
static const double MOST_GAINED = 1e-6;

/* ---- shared dofs ------------------------------------------------------------------------------------- */

void cord__lay_out_shared_dofs(block *b)
{
    block_shape shape;
    b->ops->describe(b->model, &shape);
    int dof = shape.dofs - shape.shared_dofs, q = shape.q_count;
    for (int i = 0; i < b->shared_count; i++) q -= b->shared[i].q_count;
    for (int i = 0; i < b->shared_count; i++) {
        b->shared[i].dof = dof, b->shared[i].q = q;
        dof += b->shared[i].dofs, q += b->shared[i].q_count;
    }
}

void cord__remove_children(cord_world *w, object *t)
{
    while (t->children)
        cord__remove_object(w, cord__object_of(((shared_dofs *)t->children->item)->child));
}

/* ---- successors --------------------------------------------------------------------------------------- */

void cord__attach_again(cord_world *w, const object *t, const double *q)
{
    const block_ops *ops = t->block.ops;
    void *model = t->block.model;
    for (const list_link *l = t->points; l; l = l->next) {
        point *p = l->item;
        bool slides = p->source == CORD_SOURCE_SLIDING;
        double s = slides ? cord__coordinate_at(&w->problem, p, w->problem.now.q) : p->s;
        ops->attach(model, &w->memory, MEASURE_POSITION, s, &p->position_attachment);
        p->element = ops->sliding->element_at(model, q, s);
        if (p->frame_attached)
            ops->attach(model, &w->memory, MEASURE_FRAME, s, &p->frame_attachment);
    }
    for (const list_link *l = t->children; l; l = l->next) {
        shared_dofs *on = l->item;
        ops->attach(model, &w->memory, MEASURE_POSITION, on->s, &on->at);
        on->parent_dof = on->at.unit;
    }
}

void cord__follow_end(const object *t, double before, double length)
{
    before *= 1 - 1e-9; /* rounding, as of new points */
    for (const list_link *l = t->points; l; l = l->next) {
        point *p = l->item;
        if (p->s >= before) p->s = length;
    }
    for (const list_link *l = t->children; l; l = l->next) {
        shared_dofs *on = l->item;
        if (on->s >= before) on->s = length;
    }
}

static double length_of(const object *t, const void *model)
{
    cord_strand_info info = {0};
    t->ops->info(model, &info);
    return info.length;
}

cord_status cord__replace_model(cord_world *w, object *t, void *made)
{
    memory *m = &w->memory;
    const block_ops *ops = t->block.ops;
    block_shape shape;
    ops->describe(made, &shape);
    double *q = NEW(m, double, shape.q_count + shape.dofs);
    if (!q) {
        ops->destroy(made, m);
        return CORD_ERROR_MEMORY;
    }
    ops->initial(made, q, q + shape.q_count);
    if (t->block.growth) cord__follow_end(t, length_of(t, t->block.model), length_of(t, made));
    ops->destroy(t->block.model, m);
    t->block.model = made;
    t->laid_out = false;
    cord__attach_again(w, t, q);
    cord__lay_out_shared_dofs(&t->block);
    w->layout_stale = w->partition_stale = true;
    cord__release(m, q);
    return CORD_OK;
}

/* ---- events --------------------------------------------------------------------------------------------- */

void cord__forget_event(cord_world *w, object *t)
{
    cord__release(&w->memory, t->event.momentum);
    cord__release(&w->memory, t->event.lambda);
    t->event = (object_event){0};
    t->block.momentum = NULL;
}

/* Searches for an event of one block in the committed state. */
static cord_status update_topology(cord_world *w, object *t, bool *changed)
{
    problem *p = &w->problem;
    block *b = &t->block;
    const topology_ops *ops = b->ops->topology;
    bool recounted;
    char why[256] = "", label[128];
    cord__forget_event(w, t);
    cord_status status =
        ops->check(b->model, p->now.q + b->q0, p->now.side + b->side0, &recounted, why, sizeof why);
    if (status != CORD_OK)
        return cord__fail(w, status, "%s at t = %.9g s: %s",
                          cord__object_label(w, t->index, label, sizeof label), p->now.time, why);
    if (recounted) {
        w->revision++;
        cord__update_elements(w, false);
    }
    if (!ops->may_change(b->model, p->now.q + b->q0)) return CORD_OK;
    cord__refresh_object(w, t);
    const environment env = cord__environment(p, b, p->now.time);
    const topology_state now = {.q = p->now.q + b->q0,
                                .v = p->now.v + b->v0,
                                .lambda = p->now.lambda + b->l0,
                                .cache = p->cache + b->cache0,
                                .side = p->now.side + b->side0,
                                .environment = &env,
                                .step = p->requested_step};
    topology_successor next;
    status = ops->find_successor(b->model, &now, w->partition.cluster[b->cluster].work, &w->memory,
                                 &next);
    if (status == CORD_OK && !next.model) return CORD_OK;
    if (status == CORD_OK) {
        t->event = (object_event){.momentum = next.momentum, .lambda = next.lambda};
        if (next.momentum) cord__block_energy(w, b, &t->event.before);
        status = cord__replace_model(w, t, next.model);
    }
    if (status != CORD_OK)
        return cord__fail(w, status, "%s: out of memory for an event",
                          cord__object_label(w, t->index, label, sizeof label));
    b->momentum = t->event.momentum;
    p->meet_rows_first = true;
    *changed = true;
    return CORD_OK;
}

static cord_status update_topologies(cord_world *w, bool statics, bool *changed)
{
    (void)statics;
    *changed = false;
    for (int i = 0; i < w->strands.count; i++) {
        object *t = w->strands.item[i];
        if (!t || !t->block.ops->topology) continue;
        cord_status status = update_topology(w, t, changed);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

bool cord__topology_is_late(cord_world *w, double length)
{
    problem *p = &w->problem;
    for (int i = 0; i < w->strands.count; i++) {
        object *t = w->strands.item[i];
        if (!t || !t->block.ops->topology) continue;
        const block *b = &t->block;
        const environment env = cord__environment(p, b, p->now.time + length);
        const topology_state trial = {.q = p->trial.q + b->q0,
                                      .v = p->trial.v + b->v0,
                                      .lambda = p->trial.lambda + b->l0,
                                      .cache = p->cache + b->cache0,
                                      .side = p->trial.side + b->side0,
                                      .environment = &env,
                                      .step = length};
        if (!b->ops->topology->may_change(b->model, trial.q)) continue;
        b->ops->refresh(b->model, trial.q, p->cache + b->cache0);
        if (b->ops->topology->is_late(b->model, &trial)) return true;
    }
    return false;
}

static double time_to_event(const cord_world *w)
{
    const problem *p = &w->problem;
    double least = INFINITY;
    for (int i = 0; i < w->strands.count; i++) {
        object *t = w->strands.item[i];
        if (!t || !t->block.ops->topology) continue;
        const block *b = &t->block;
        if (b->shape.events_read_cache) cord__refresh_object(w, t);
        least =
            fmin(least, b->ops->topology->time_to_event(b->model, p->now.q + b->q0,
                                                        p->now.v + b->v0, p->cache + b->cache0));
    }
    return fmax(least, CLOSEST_EVENT * p->requested_step);
}

/* ---- energy and momentum before and after --------------------------------------------------------------- */

static void add(block_energy *sum, const block_energy *e)
{
    sum->kinetic += e->kinetic;
    sum->gravity += e->gravity;
    sum->stretching += e->stretching;
    sum->bending += e->bending;
    sum->twisting += e->twisting;
    v3_add(sum->linear, sum->linear, e->linear);
}

/* The first block of a cluster that had an event: the energy of the cluster is recorded for it; NULL: none had. */
static object *first_event(const cord_world *w, const cluster *s)
{
    for (int k = 0; k < s->blocks; k++) {
        object *t = cord__object_of(w->problem.block[s->block[k]]);
        if (t->event.momentum) return t;
    }
    return NULL;
}

/* Sums over the blocks and forces of a cluster; optionally with the values before the event of blocks that had one. */
static block_energy sum_of(const cord_world *w, const cluster *s, bool before)
{
    block_energy sum = {0};
    for (int k = 0; k < s->blocks; k++) {
        object *t = cord__object_of(w->problem.block[s->block[k]]);
        block_energy own = t->event.before;
        if (!before || !t->event.momentum) cord__block_energy(w, &t->block, &own);
        add(&sum, &own);
    }
    for (int k = 0; k < s->forces; k++) {
        block_energy own;
        if (cord__force_energy(w, s->force[k], &own)) add(&sum, &own);
    }
    return sum;
}

static void before_start(cord_world *w)
{
    for (int i = 0; i < w->partition.clusters; i++) {
        const cluster *s = w->partition.cluster + i;
        object *first = first_event(w, s);
        if (first) first->event.before = sum_of(w, s, true);
        for (int k = 0; k < s->blocks; k++) {
            const object *t = cord__object_of(w->problem.block[s->block[k]]);
            if (t->event.lambda)
                memcpy(w->problem.now.lambda + t->block.l0, t->event.lambda,
                       (size_t)t->block.shape.rows * sizeof(double));
        }
    }
}

static double total(const block_energy *e)
{
    return e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

/* New nodes may have more potential energy than the old ones. A motion that nothing drives has no source for it but
 * itself: all velocities of the cluster, which obey rows that are linear in them, are reduced in proportion. */
static void take_from_motion(cord_world *w, const cluster *s, const block_energy *before,
                             block_energy *after)
{
    problem *p = &w->problem;
    double gained = total(after) - total(before);
    if (!(gained > MOST_GAINED * after->kinetic) || cord__is_driven(w)) return;
    double factor = sqrt(fmax(1 - gained / after->kinetic, 0));
    EACH_DOF(c) p->now.v[c] *= factor;
    EACH_INERTIAL(c) p->now.inertial_v[c] *= factor;
    w->revision++;
    *after = sum_of(w, s, false);
}

static void after_start(cord_world *w)
{
    for (int i = 0; i < w->partition.clusters; i++) {
        const cluster *s = w->partition.cluster + i;
        const object *first = first_event(w, s);
        if (!first) continue;
        const block *b = &first->block;
        block_energy after = sum_of(w, s, false);
        take_from_motion(w, s, &first->event.before, &after);
        b->ops->topology->count_event(b->model, w->problem.now.side + b->side0,
                                      &first->event.before, &after);
    }
}

const event_ops cord__event_topology = {.name = "topology",
                                        .time_to_event = time_to_event,
                                        .apply = update_topologies,
                                        .before_start = before_start,
                                        .after_start = after_start};

/* ---- checkpoints: per block the size of its topology, then its bytes -------------------------------------- */

size_t cord__topologies_size(const cord_world *w)
{
    size_t size = 0;
    for (int i = 0; i < w->problem.blocks; i++) {
        const block *b = w->problem.block[i];
        if (b->ops->topology) size += sizeof(int64_t) + b->ops->topology->size(b->model);
        if (b->growth) size += sizeof(int64_t) + b->ops->growth->size(b->model);
        if (b->ops->quadrature) size += sizeof(int64_t) + b->ops->quadrature->size(b->model);
    }
    return size;
}

static char *write_one(size_t (*size_of)(const void *), void (*write)(const void *, void *),
                       const void *model, char *to)
{
    int64_t size = (int64_t)size_of(model);
    memcpy(to, &size, sizeof size);
    write(model, to + sizeof size);
    return to + sizeof size + (size_t)size;
}

void cord__topologies_write(const cord_world *w, char *to)
{
    for (int i = 0; i < w->problem.blocks; i++) {
        const block *b = w->problem.block[i];
        const topology_ops *topology = b->ops->topology;
        const quadrature_ops *quadrature = b->ops->quadrature;
        if (topology) to = write_one(topology->size, topology->write, b->model, to);
        if (b->growth) to = write_one(b->ops->growth->size, b->ops->growth->write, b->model, to);
        if (quadrature) to = write_one(quadrature->size, quadrature->write, b->model, to);
    }
}

/* The bytes of one block, and their size; NULL: they are cut short. */
static const char *next_bytes(const char **from, size_t *left, size_t *size)
{
    int64_t given;
    if (*left < sizeof given) return NULL;
    memcpy(&given, *from, sizeof given);
    *left -= sizeof given, *from += sizeof given;
    if (given < 0 || (uint64_t)given > *left) return NULL;
    const char *bytes = *from;
    *size = (size_t)given;
    *left -= *size, *from += *size;
    return bytes;
}

/* What the bytes say of a block. `made` is the new model if the block must be replaced, else NULL. */
typedef struct saved_block {
    void *made;
    const char *quadrature;
    int inertial_count;
} saved_block;

static cord_status read_block(cord_world *w, const block *b, const char **from, size_t *left,
                              saved_block *out)
{
    size_t size;
    if (b->ops->topology) {
        const char *bytes = next_bytes(from, left, &size);
        if (!bytes) return CORD_ERROR_ARGUMENT;
        cord_status status = b->ops->topology->read(b->model, bytes, size, w->problem.now.q + b->q0,
                                                    &w->memory, &out->made);
        if (status != CORD_OK) return status;
    }
    if (b->growth) {
        const char *bytes = next_bytes(from, left, &size);
        if (!bytes) return CORD_ERROR_ARGUMENT;
        cord_status status = b->ops->growth->read(b->model, bytes, size, &w->memory, &out->made);
        if (status != CORD_OK) return status;
    }
    if (!b->ops->quadrature) return CORD_OK;
    out->quadrature = next_bytes(from, left, &size);
    if (!out->quadrature) return CORD_ERROR_ARGUMENT;
    out->inertial_count =
        b->ops->quadrature->inertial_count(out->made ? out->made : b->model, out->quadrature, size);
    return out->inertial_count < 0 ? CORD_ERROR_ARGUMENT : CORD_OK;
}

/* Whether the world has the given numbers of additional values with the new models. */
static bool fits(const cord_world *w, const saved_block *saved, const int64_t more[5])
{
    int64_t now[5] = {0};
    for (int i = 0; i < w->problem.blocks; i++) {
        const block *b = w->problem.block[i];
        block_shape is;
        if (saved[i].quadrature) now[4] += saved[i].inertial_count - b->shape.inertial_count;
        if (!saved[i].made) continue;
        b->ops->describe(saved[i].made, &is);
        now[0] += is.q_count - b->shape.q_count;
        now[1] += is.dofs - b->shape.dofs;
        now[2] += is.rows - b->shape.rows;
        now[3] += is.side_count - b->shape.side_count;
        if (!saved[i].quadrature) now[4] += is.inertial_count - b->shape.inertial_count;
    }
    return memcmp(now, more, sizeof now) == 0;
}

cord_status cord__topologies_read(cord_world *w, const char *from, size_t size,
                                  const int64_t more[5])
{
    memory *m = &w->memory;
    int blocks = w->problem.blocks;
    saved_block *saved = NEW(m, saved_block, blocks);
    cord_status status = saved ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < blocks; i++)
        status = read_block(w, w->problem.block[i], &from, &size, saved + i);
    if (status == CORD_OK && (size > 0 || !fits(w, saved, more))) status = CORD_ERROR_ARGUMENT;
    for (int i = 0; saved && i < blocks; i++) {
        block *b = w->problem.block[i];
        if (saved[i].made && status == CORD_OK)
            status = cord__replace_model(w, cord__object_of(b), saved[i].made);
        else if (saved[i].made)
            b->ops->destroy(saved[i].made, m);
        if (status == CORD_OK && saved[i].quadrature &&
            b->ops->quadrature->read(b->model, saved[i].quadrature))
            w->layout_stale = w->partition_stale = true;
    }
    cord__release(m, saved);
    return status;
}
