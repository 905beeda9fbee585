/* Motion carried over from one world to another: objects are matched by their names, coordinates of points by their
 * objects, constraints by their kinds and names. */
#include "world/contacts.h"
#include "world/event.h"

#include <stdlib.h>
#include <string.h>

/* ---- matching ----------------------------------------------------------------------------------- */

/* An item of a world: `ordinal` counts the items of the same kind and name in the order of their slots. */
typedef struct labelled {
    int kind;
    const char *name;
    int slot, ordinal;
    void *item;
} labelled;

typedef struct label_list {
    int count;
    labelled *items;
} label_list;

static int compare_labels(const labelled *a, const labelled *b)
{
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    return strcmp(a->name, b->name);
}

static int compare_slots(const void *a, const void *b)
{
    const labelled *first = a, *second = b;
    int order = compare_labels(first, second);
    return order ? order : first->slot - second->slot;
}

static int compare_items(const labelled *a, const labelled *b)
{
    int order = compare_labels(a, b);
    return order ? order : a->ordinal - b->ordinal;
}

static void sort_labels(label_list *l)
{
    if (l->count > 1) qsort(l->items, (size_t)l->count, sizeof *l->items, compare_slots);
    for (int i = 1; i < l->count; i++)
        if (compare_labels(l->items + i - 1, l->items + i) == 0)
            l->items[i].ordinal = l->items[i - 1].ordinal + 1;
}

static const char *name_or_empty(const char *name)
{
    return name ? name : "";
}

/* The name of the object that a point is on. */
static const char *parent_name(const cord_world *w, const point *p)
{
    const object *parent = p->parent >= 0 ? cord__point_parent(w, p) : NULL;
    return parent ? name_or_empty(parent->name) : "";
}

/* The label of the item in a slot; false: it takes no part. */
typedef bool label_of(const cord_world *w, void *item, labelled *out);

static bool label_object(const cord_world *w, void *item, labelled *out)
{
    const object *t = item;
    (void)w;
    out->name = name_or_empty(t->name);
    return true;
}

/* A strand as it was defined, which may have broken. */
static bool label_whole(const cord_world *w, void *item, labelled *out)
{
    return label_object(w, item, out) && ((const object *)item)->fragment_of == 0;
}

static bool label_coordinate(const cord_world *w, void *item, labelled *out)
{
    const point *p = item;
    out->kind = (int)p->source;
    out->name = parent_name(w, p);
    return p->slider >= 0;
}

static bool label_constraint(const cord_world *w, void *item, labelled *out)
{
    const term *x = item;
    const constraint *r = cord__constraint_at(w, x->slot);
    if (!r) return false;
    for (const char *c = r->ops->name; c && *c; c++) out->kind = 31 * out->kind % 65521 + *c;
    out->name = name_or_empty(r->name);
    return true;
}

static bool list_labels(memory *m, const cord_world *w, const slots *s, label_of *label,
                        label_list *out)
{
    *out = (label_list){0, NEW(m, labelled, s->count)};
    for (int i = 0; out->items && i < s->count; i++) {
        labelled *l = out->items + out->count;
        *l = (labelled){.slot = i, .item = s->item[i]};
        if (s->item[i] && label(w, s->item[i], l)) out->count++;
    }
    if (out->items) sort_labels(out);
    return out->items != NULL;
}

/* An operation on an item of the new world and the one of the old world that matches it. */
typedef cord_status carry(cord_world *to, void *item, const cord_world *from, void *old,
                          cord_carried *sum);

static cord_status each_match(cord_world *to, const slots *own, const cord_world *from,
                              const slots *other, label_of *label, carry *operation,
                              cord_carried *sum)
{
    label_list a, b = {0, NULL};
    bool listed = list_labels(&to->memory, to, own, label, &a) &&
                  list_labels(&to->memory, from, other, label, &b);
    cord_status status = listed ? CORD_OK : cord__fail(to, CORD_ERROR_MEMORY, "out of memory");
    for (int i = 0, k = 0; status == CORD_OK && i < a.count && k < b.count;) {
        int order = compare_items(a.items + i, b.items + k);
        if (order == 0) status = operation(to, a.items[i].item, from, b.items[k].item, sum);
        i += order <= 0;
        k += order >= 0;
    }
    cord__release(&to->memory, a.items);
    cord__release(&to->memory, b.items);
    return status;
}

/* ---- breaks --------------------------------------------------------------------------------------- */

static cord_strand handle_of(const cord_world *w, const strand *t)
{
    return (cord_strand){(uint32_t)t->slot + 1, w->strands.generation[t->slot]};
}

/* Breaks the strand where the old one has broken, as far as its present model can. */
static cord_status repeat_breaks(cord_world *to, void *item, const cord_world *from, void *old,
                                 cord_carried *sum)
{
    strand *t = item;
    const breakage *of = ((const strand *)old)->breakage;
    (void)from, (void)sum;
    if (t->ops != ((const strand *)old)->ops) return CORD_OK;
    for (int i = 0; of && i < of->count; i++) {
        cord_strand fragment;
        double s;
        if (cord_strand_find_fragment(to, handle_of(to, t), of->breaks[i].s, &fragment, &s) !=
            CORD_OK)
            break;
        cord_status status = cord_strand_cut(to, fragment, s);
        if (status == CORD_ERROR_MEMORY) return status;
        if (status != CORD_OK) break;
    }
    return CORD_OK;
}

/* ---- values --------------------------------------------------------------------------------------- */

/* Whether two blocks describe themselves by the same bytes: the guides that a cable touches, the elements of a strand
 * that grows. */
static bool same_bytes(memory *m, size_t (*size_of)(const void *),
                       void (*write)(const void *, void *), const void *a, const void *b,
                       bool *same)
{
    size_t size = size_of(a);
    *same = size == size_of(b);
    if (!*same) return true;
    char *bytes = NEW(m, char, 2 * size);
    if (!bytes) return false;
    write(a, bytes);
    write(b, bytes + size);
    *same = memcmp(bytes, bytes + size, size) == 0;
    cord__release(m, bytes);
    return true;
}

static bool same_counts(const block *a, const block *b)
{
    const block_shape *x = &a->shape, *y = &b->shape;
    return a->ops == b->ops && x->q_count == y->q_count && x->dofs == y->dofs &&
           x->rows == y->rows && x->side_count == y->side_count && !a->growth == !b->growth &&
           a->shared_count == b->shared_count;
}

/* False: memory is exhausted. */
static bool same_structure(memory *m, const block *a, const block *b, bool *same)
{
    *same = same_counts(a, b);
    const topology_ops *topology = a->ops->topology;
    bool good = true;
    if (*same && topology)
        good = same_bytes(m, topology->size, topology->write, a->model, b->model, same);
    if (good && *same && a->growth)
        good = same_bytes(m, a->ops->growth->size, a->ops->growth->write, a->model, b->model, same);
    return good;
}

static cord_status copy_block(cord_world *to, block *b, const cord_world *from, const block *old,
                              bool *copied)
{
    if (!same_structure(&to->memory, b, old, copied))
        return cord__fail(to, CORD_ERROR_MEMORY, "out of memory");
    if (!*copied) return CORD_OK;
    const state *was = &from->problem.now;
    state *now = &to->problem.now;
    memcpy(now->q + b->q0, was->q + old->q0, (size_t)b->shape.q_count * sizeof(double));
    memcpy(now->v + b->v0, was->v + old->v0, (size_t)b->shape.dofs * sizeof(double));
    if (b->shape.rows > 0)
        memcpy(now->lambda + b->l0, was->lambda + old->l0, (size_t)b->shape.rows * sizeof(double));
    if (b->shape.side_count > 0)
        memcpy(now->side + b->side0, was->side + old->side0,
               (size_t)b->shape.side_count * sizeof(double));
    return CORD_OK;
}

static cord_status carry_object(cord_world *to, void *item, const cord_world *from, void *old,
                                cord_carried *sum)
{
    object *t = item;
    bool copied;
    cord_status status = copy_block(to, &t->block, from, &((const object *)old)->block, &copied);
    if (status == CORD_OK && copied)
        *(t->kind == OBJECT_STRAND ? &sum->strands : &sum->bodies) += 1;
    return status;
}

static cord_status carry_coordinate(cord_world *to, void *item, const cord_world *from, void *old,
                                    cord_carried *sum)
{
    point *p = item;
    const point *was = old;
    object *t = to->sliders.item[p->slider];
    const object *slider = from->sliders.item[was->slider];
    bool copied;
    cord_status status = copy_block(to, &t->block, from, &slider->block, &copied);
    if (status != CORD_OK || !copied) return status;
    double *s = to->problem.now.q + t->block.q0;
    if (p->max_coordinate > 0 && *s > p->max_coordinate) *s = p->max_coordinate; /* it is shorter */
    cord__set_released(to, p, was->released);
    sum->coordinates++;
    return CORD_OK;
}

static cord_status carry_constraint(cord_world *to, void *item, const cord_world *from, void *old,
                                    cord_carried *sum)
{
    constraint *r = cord__constraint_at(to, ((const term *)item)->slot);
    const constraint *was = cord__constraint_at(from, ((const term *)old)->slot);
    (void)sum;
    if (r->state.released == was->state.released) return CORD_OK;
    r->state.released = was->state.released;
    to->elements_stale = true;
    return CORD_OK;
}

/* ---- the world ------------------------------------------------------------------------------------- */

static void set_time(cord_world *w, double time)
{
    w->problem.now.time = time;
    cord__update_schedules(w);
    cord__set_growth_time(w);
    w->energy_check = (energy_check){0};
    w->problem.meet_all_rows = true;
    cord__invalidate_start(w);
}

/* New objects are as they were, and the positions of others have changed: caches, shared dofs, quadratures. */
static cord_status settle_values(cord_world *to)
{
    for (int i = 0; i < to->strands.count; i++)
        if (to->strands.item[i]) cord__update_children(to, to->strands.item[i]);
    for (int i = 0; i < to->bodies.count; i++)
        if (to->bodies.item[i]) cord__update_children(to, to->bodies.item[i]);
    for (int i = 0; i < to->sliders.count; i++)
        if (to->sliders.item[i]) cord__update_children(to, to->sliders.item[i]);
    bool changed = true;
    cord_status status = CORD_OK;
    for (int pass = 0; status == CORD_OK && changed && pass < 20; pass++)
        status = cord__choose_quadratures(to, &changed);
    cord__update_elements(to, false);
    if (to->sliders.used > 0) to->elements_stale = true;
    return status;
}

static void carry_user_state(cord_world *to, const cord_world *from)
{
    if (to->user_state_count > 0 && to->user_state_count == from->user_state_count)
        memcpy(to->user_state, from->user_state,
               (size_t)to->user_state_count * sizeof *to->user_state);
}

cord_status cord_world_carry_motion(cord_world *to, const cord_world *from, cord_carried *carried)
{
    cord_carried sum = {0};
    if (cord__enter(to) != CORD_OK) return cord__refused(to);
    if (!from || from == to)
        return cord__fail(to, CORD_ERROR_ARGUMENT, "motion is carried over from another world");
    if (cord__enter(from) != CORD_OK) return cord__refused(from);
    cord_status status = cord__world_ready(from);
    if (status != CORD_OK) return cord__fail(to, status, "%s", from->error);
    status = each_match(to, &to->strands, from, &from->strands, label_whole, repeat_breaks, &sum);
    if (status == CORD_OK) status = cord__world_ready(to);
    if (status == CORD_OK)
        status =
            each_match(to, &to->strands, from, &from->strands, label_object, carry_object, &sum);
    if (status == CORD_OK)
        status = each_match(to, &to->bodies, from, &from->bodies, label_object, carry_object, &sum);
    if (status == CORD_OK)
        status = each_match(to, &to->points, from, &from->points, label_coordinate,
                            carry_coordinate, &sum);
    if (status == CORD_OK)
        status = each_match(to, &to->terms, from, &from->terms, label_constraint, carry_constraint,
                            &sum);
    if (status == CORD_OK) {
        carry_user_state(to, from);
        set_time(to, from->problem.now.time);
        status = settle_values(to);
    }
    if (carried) *carried = sum;
    return status;
}
