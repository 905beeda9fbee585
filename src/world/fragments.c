/* Division of a strand into fragments (division_ops): the strand takes the model of the first, the second is a new strand,
 * and points move to the fragment that has their coordinate. The model of the whole strand is kept, so that a checkpoint
 * from before a break can be restored. */
#include "world/contacts.h"

#include "strand/fragment.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- points ------------------------------------------------------------------------------------------ */

/* Where a point is after a division at the coordinate `at`: on the second fragment or not, and its coordinate. */
typedef struct new_location {
    bool second;
    double s;
} new_location;

static new_location location_after(const point *p, double at, double length, bool closed)
{
    const double close = 1e-9 * length;
    if (closed)
        return (new_location){false, p->s >= at - close ? fmax(p->s - at, 0) : p->s - at + length};
    return p->s > at + close ? (new_location){true, p->s - at} : (new_location){false, p->s};
}

/* Attaches the measures of a point to a model. The same call succeeds when it is repeated. */
static cord_status attach(const block_ops *ops, void *model, memory *m, double s, point *p)
{
    cord_status status = ops->attach(model, m, MEASURE_POSITION, s, &p->position_attachment);
    if (status == CORD_OK && p->frame_attached)
        status = ops->attach(model, m, MEASURE_FRAME, s, &p->frame_attachment);
    if (status == CORD_OK && p->curvature_attached)
        status = ops->attach(model, m, MEASURE_CURVATURE, s, &p->curvature_attachment);
    return status;
}

static void move_point(point *p, object *to, double s)
{
    list_remove(&p->link);
    list_add(&to->points, &p->link, p);
    p->parent = to->slot;
    p->s = s;
}

/* ---- division ----------------------------------------------------------------------------------------- */

/* A division that is prepared: nothing of the world has changed before it is complete. */
typedef struct division {
    strand *from, *whole, *made; /* made NULL: of a closed strand */
    breakage *of;
    double at, length; /* coordinate of the joint, length of the strand that is divided */
    bool closed;
    strand_fragment part[2];
} division;

static double elastic_energy(const block_energy *e)
{
    return e->stretching + e->bending + e->twisting;
}

/* The elastic energy of a fragment. */
static cord_status measure_energy(cord_world *w, const block *b, const strand_fragment *f,
                                  double *energy)
{
    block_shape shape;
    block_energy e;
    const environment env = cord__environment(&w->problem, b, w->problem.now.time);
    b->ops->describe(f->model, &shape);
    double *cache = NEW(&w->memory, double, shape.cache_count);
    if (!cache) return CORD_ERROR_MEMORY;
    b->ops->refresh(f->model, f->q, cache);
    b->ops->energy(f->model, &env, f->q, cache, f->v, NULL, &e);
    *energy = elastic_energy(&e);
    cord__release(&w->memory, cache);
    return CORD_OK;
}

/* The difference, and not that of sums over the world: the energy of the joint may be small. */
static cord_status lost_energy(cord_world *w, const division *d, double *lost)
{
    block_energy whole;
    double part[2] = {0, 0};
    cord_status status = CORD_OK;
    cord__block_energy(w, &d->from->block, &whole);
    for (int i = 0; status == CORD_OK && i < 2; i++)
        if (d->part[i].model) status = measure_energy(w, &d->from->block, d->part + i, part + i);
    *lost = elastic_energy(&whole) - part[0] - part[1];
    return status;
}

/* NAME.2, NAME.3, … of a strand with a name. */
static cord_status name_fragment(cord_world *w, const division *d)
{
    if (!d->whole->name) return CORD_OK;
    const int number = d->of->count + (d->of->closed ? 1 : 2);
    size_t size = strlen(d->whole->name) + 16;
    d->made->name = NEW(&w->memory, char, size);
    if (!d->made->name) return CORD_ERROR_MEMORY;
    snprintf(d->made->name, size, "%s.%d", d->whole->name, number);
    return CORD_OK;
}

/* The distributed load of the strand, constant and by keys. */
static cord_status copy_load(cord_world *w, const strand *from, strand *to)
{
    const schedule *given = from->block.schedule;
    memcpy(to->block.load_acceleration, from->block.load_acceleration,
           sizeof to->block.load_acceleration);
    if (!given) return CORD_OK;
    cord_status status = cord__need_schedule(w, to);
    if (status != CORD_OK) return status;
    const cord_keys keys = {.count = given->load.count,
                            .times = given->load.times,
                            .values = given->load.values,
                            .ease = given->load.ease};
    return cord__keyframes_copy(&to->block.schedule->load, &w->memory, &keys, 3);
}

/* The new strand takes the model of the second fragment. */
static cord_status make_strand(cord_world *w, division *d)
{
    strand *s = d->made = NEW(&w->memory, strand, 1);
    if (!s) return CORD_ERROR_MEMORY;
    s->ops = d->from->ops;
    s->block.ops = d->from->block.ops;
    s->block.model = d->part[1].model;
    s->given = d->part[1];
    s->given.model = NULL;
    d->part[1] = (strand_fragment){0};
    s->block.surface = d->from->block.surface;
    s->fragment_of = d->whole->slot + 1;
    s->fragment_start = d->from->fragment_start + d->at;
    if (d->of->closed && s->fragment_start >= d->of->length) s->fragment_start -= d->of->length;
    cord_status status = name_fragment(w, d);
    if (status == CORD_OK) status = copy_load(w, d->from, s);
    return status;
}

static cord_status reserve_break(cord_world *w, breakage *of)
{
    if (of->count < of->capacity) return CORD_OK;
    int capacity = 2 * of->capacity + 2;
    strand_break *more = cord__reallocate(&w->memory, of->breaks, (size_t)capacity, sizeof *more);
    if (!more) return CORD_ERROR_MEMORY;
    of->breaks = more, of->capacity = capacity;
    return CORD_OK;
}

/* Attachments that points will have are made in the models of the fragments. */
static cord_status reserve_attachments(cord_world *w, const division *d)
{
    for (const list_link *l = d->from->points; l; l = l->next) {
        point probe = *(const point *)l->item;
        const new_location to = location_after(&probe, d->at, d->length, d->closed);
        void *model = to.second ? d->made->block.model : d->part[0].model;
        cord_status status = attach(d->from->block.ops, model, &w->memory, to.s, &probe);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

static cord_status prepare(cord_world *w, division *d, int joint, strand_break *record)
{
    const block *b = &d->from->block;
    const state *now = &w->problem.now;
    const strand_motion motion = {.q = now->q + b->q0,
                                  .cache = w->problem.cache + b->cache0,
                                  .v = now->v + b->v0,
                                  .lambda = now->lambda + b->l0,
                                  .inertial_v = now->inertial_v + b->inertial0};
    uint32_t index, generation;
    cord_status status = reserve_break(w, d->of);
    if (status == CORD_OK)
        status = d->from->ops->division->divide(b->model, &w->memory, joint, &motion, d->part);
    if (status == CORD_OK) status = lost_energy(w, d, &record->energy);
    if (status == CORD_OK && d->part[1].model) status = make_strand(w, d);
    if (status == CORD_OK) status = reserve_attachments(w, d);
    if (status != CORD_OK || !d->made) return status;
    status = cord__slots_add(&w->strands, &w->memory, d->made, &index, &generation);
    if (status == CORD_OK) d->made->slot = (int)index - 1;
    return status;
}

/* Nothing fails any more. */
static void complete(cord_world *w, division *d)
{
    strand *t = d->from;
    const block_ops *ops = t->block.ops;
    void *old = t->block.model;
    for (list_link *l = t->points, *next; l; l = next) {
        point *p = l->item;
        next = l->next;
        const new_location to = location_after(p, d->at, d->length, d->closed);
        if (t == d->whole && !d->of->whole) p->whole_s = p->s;
        object *on = to.second ? d->made : t;
        attach(ops, to.second ? on->block.model : d->part[0].model, &w->memory, to.s, p);
        if (to.second || d->closed) move_point(p, on, to.s);
    }
    t->block.model = d->part[0].model;
    cord__fragment_free(&t->given, NULL, &w->memory);
    t->given = d->part[0];
    t->given.model = NULL;
    if (d->closed) t->fragment_start = d->at;
    if (t == d->whole && !d->of->whole)
        d->of->whole = old;
    else
        ops->destroy(old, &w->memory);
    cord__abandon_range(w, t);
    t->laid_out = false;
    cord__surfaces_changed(w);
}

cord_status cord__divide_strand(cord_world *w, strand *t, int joint, double tension,
                                double curvature)
{
    cord_strand_info info = {0};
    t->ops->info(t->block.model, &info);
    strand *whole = cord__whole_strand(w, t);
    breakage *of = cord__need_breakage(w, whole);
    if (!of) return CORD_ERROR_MEMORY;
    division d = {.from = t,
                  .whole = whole,
                  .of = of,
                  .at = t->ops->division->joint_coordinate(t->block.model, joint),
                  .length = info.length,
                  .closed = info.closed};
    strand_break record = {.time = w->problem.now.time, .tension = tension, .curvature = curvature};
    cord_status status = prepare(w, &d, joint, &record);
    if (status != CORD_OK) {
        for (int i = 0; i < 2; i++)
            cord__fragment_free(d.part + i, t->block.ops->destroy, &w->memory);
        if (d.made) cord__object_free(w, d.made);
        return cord__fail(w, status, "out of memory for a break of strand '%s'",
                          t->name ? t->name : "");
    }
    record.s = t->fragment_start + d.at;
    if (of->closed && record.s >= of->length) record.s -= of->length;
    record.slot = d.made ? d.made->slot : t->slot;
    record.order = w->breaks++;
    complete(w, &d);
    of->breaks[of->count++] = record;
    return CORD_OK;
}

/* ---- joining -------------------------------------------------------------------------------------------- */

/* Points that were added to a fragment have no coordinate on the whole strand yet. */
static double whole_coordinate(const point *p, const object *on, const breakage *of)
{
    const double s = on->fragment_start + p->s, length = of->length;
    const double kept = p->whole_s;
    if (fabs(kept - s) < 1e-6 * length || fabs(kept + length - s) < 1e-6 * length) return kept;
    return of->closed && s > length ? s - length : fmin(s, length);
}

static strand *next_fragment(const cord_world *w, const strand *whole, int from)
{
    for (int i = from; i < w->strands.count; i++) {
        strand *t = w->strands.item[i];
        if (t && (t == whole || t->fragment_of == whole->slot + 1)) return t;
    }
    return NULL;
}

/* The strand is as it was defined, in its initial state. */
static cord_status join(cord_world *w, strand *whole)
{
    breakage *of = whole->breakage;
    const block_ops *ops = whole->block.ops;
    strand *t = next_fragment(w, whole, 0);
    for (; t; t = next_fragment(w, whole, t->slot + 1))
        for (const list_link *l = t->points; l; l = l->next) {
            point *p = l->item, probe = *p;
            p->whole_s = whole_coordinate(p, t, of);
            cord_status status = attach(ops, of->whole, &w->memory, p->whole_s, &probe);
            if (status != CORD_OK)
                return cord__fail(w, status, "out of memory for joining a strand");
        }
    ops->destroy(whole->block.model, &w->memory);
    whole->block.model = of->whole;
    of->whole = NULL;
    for (int i = 0; (t = next_fragment(w, whole, i)) != NULL; i = t->slot + 1)
        for (list_link *l = t->points, *next; l; l = next) {
            point *p = l->item;
            next = l->next;
            attach(ops, whole->block.model, &w->memory, p->whole_s, p);
            move_point(p, whole, p->whole_s);
        }
    for (int i = 0; i < of->count; i++) {
        t = w->strands.item[of->breaks[i].slot];
        if (t != whole) cord__remove_object(w, t);
    }
    of->count = 0;
    whole->fragment_start = 0;
    cord__fragment_free(&whole->given, NULL, &w->memory);
    cord__abandon_range(w, whole);
    whole->laid_out = false;
    cord__surfaces_changed(w);
    return CORD_OK;
}

/* ---- checkpoints: per strand with breaks its slot, their number, and the breaks --------------------------- */

typedef struct saved_breaks {
    int64_t slot, count;
} saved_breaks;

static const breakage *broken(const cord_world *w, int slot)
{
    const strand *t = w->strands.item[slot];
    return t && t->breakage && t->breakage->count > 0 ? t->breakage : NULL;
}

size_t cord__breaks_size(const cord_world *w)
{
    size_t size = 0;
    for (int i = 0; i < w->strands.count; i++) {
        const breakage *of = broken(w, i);
        if (of) size += sizeof(saved_breaks) + (size_t)of->count * sizeof *of->breaks;
    }
    return size;
}

/* Field by field, so that no padding is saved. */
static void write_break(const strand_break *b, strand_break *to)
{
    memset(to, 0, sizeof *to);
    to->s = b->s, to->time = b->time, to->tension = b->tension;
    to->curvature = b->curvature, to->energy = b->energy;
    to->slot = b->slot, to->order = b->order;
}

void cord__breaks_write(const cord_world *w, char *to)
{
    for (int i = 0; i < w->strands.count; i++) {
        const breakage *of = broken(w, i);
        if (!of) continue;
        const saved_breaks head = {i, of->count};
        memcpy(to, &head, sizeof head);
        to += sizeof head;
        for (int k = 0; k < of->count; k++, to += sizeof(strand_break)) {
            strand_break each;
            write_break(of->breaks + k, &each);
            memcpy(to, &each, sizeof each);
        }
    }
}

/* The next strand of the bytes; false: they are no breaks of this world. */
static bool next_saved(const cord_world *w, const char **from, size_t *left, saved_breaks *head,
                       const char **breaks)
{
    if (*left < sizeof *head) return false;
    memcpy(head, *from, sizeof *head);
    *from += sizeof *head, *left -= sizeof *head;
    if (head->slot < 0 || head->slot >= w->strands.count || head->count < 1 ||
        head->count > CORD_MAX_BREAKS || *left < (size_t)head->count * sizeof(strand_break))
        return false;
    const strand *t = w->strands.item[head->slot];
    if (!t || t->fragment_of > 0 || !t->ops->division) return false;
    *breaks = *from;
    *from += (size_t)head->count * sizeof(strand_break);
    *left -= (size_t)head->count * sizeof(strand_break);
    return true;
}

static bool is_valid(const cord_world *w, const char *from, size_t size)
{
    saved_breaks head;
    const char *breaks;
    while (size > 0)
        if (!next_saved(w, &from, &size, &head, &breaks)) return false;
    return true;
}

/* Divides a strand as a saved break did. */
static cord_status repeat_break(cord_world *w, strand *whole, const strand_break *saved)
{
    double s;
    cord_status status = cord__world_layout(w);
    if (status != CORD_OK) return status;
    const breakage *of = whole->breakage;
    if (!(saved->s >= 0 && saved->s <= (of ? of->length : INFINITY))) return CORD_ERROR_ARGUMENT;
    strand *t = cord__find_fragment(w, whole, saved->s, &s);
    int joint = cord__indivisible(t) ? -1 : cord__nearest_joint(t, s);
    if (joint < 0) return CORD_ERROR_ARGUMENT;
    cord__refresh_object(w, t);
    status = cord__divide_strand(w, t, joint, saved->tension, saved->curvature);
    if (status != CORD_OK) return status;
    strand_break *made = whole->breakage->breaks + whole->breakage->count - 1;
    if (made->slot != saved->slot) return CORD_ERROR_ARGUMENT;
    made->time = saved->time, made->energy = saved->energy, made->order = saved->order;
    return CORD_OK;
}

/* The first break from a number on, and the slot of its strand; false: there is none. Slots of fragments depend on the order
 * of the breaks of all strands. */
static bool find_saved(const cord_world *w, const char *from, size_t size, int order, int *slot,
                       strand_break *out)
{
    bool found = false;
    while (size > 0) {
        saved_breaks head;
        const char *breaks;
        next_saved(w, &from, &size, &head, &breaks);
        for (int k = 0; k < head.count; k++) {
            strand_break each;
            memcpy(&each, breaks + (size_t)k * sizeof each, sizeof each);
            if (each.order < order || (found && each.order >= out->order)) continue;
            *out = each, *slot = (int)head.slot;
            found = true;
        }
    }
    return found;
}

cord_status cord__breaks_read(cord_world *w, const char *from, size_t size)
{
    cord_status status = CORD_OK;
    if (!is_valid(w, from, size)) return CORD_ERROR_ARGUMENT;
    for (int i = 0; status == CORD_OK && i < w->strands.count; i++)
        if (broken(w, i)) status = join(w, w->strands.item[i]);
    int slot = 0;
    strand_break saved = {0};
    w->breaks = 0;
    while (status == CORD_OK && find_saved(w, from, size, w->breaks, &slot, &saved)) {
        status = repeat_break(w, w->strands.item[slot], &saved);
        w->breaks = saved.order + 1;
    }
    if (status != CORD_OK) return status;
    return cord__breaks_size(w) == size ? CORD_OK : CORD_ERROR_ARGUMENT;
}
