/* Constraints and forces of a world: their slots, and the lists of their points. */
#include "world/world.h"

constraint *cord__constraint_at(const cord_world *w, int slot)
{
    return cord__as_constraint(w->terms.item[slot]);
}

constraint *cord__get_constraint(const cord_world *w, cord_constraint handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__as_constraint(
        cord__find(w, &w->terms, "constraint", handle.index, handle.generation));
}

cord_status cord__add_term(cord_world *w, term *x, uint32_t *index, uint32_t *generation)
{
    cord_status status = cord__slots_add(&w->terms, &w->memory, x, index, generation);
    if (status != CORD_OK) return cord__fail(w, status, "out of memory for a constraint");
    x->slot = (int)*index - 1;
    for (int side = 0; side < 2; side++) {
        point *p = x->point[side] >= 0 ? w->points.item[x->point[side]] : NULL;
        if (p) list_add(&p->terms, x->on + side, x);
    }
    w->layout_stale = w->partition_stale = true; /* there may be more multipliers */
    return CORD_OK;
}

cord_status cord__add_force(cord_world *w, force_term *f)
{
    uint32_t index, generation;
    cord_status status = CORD_OK;
    f->term.ops = &f->ops->term;
    for (int side = 0; status == CORD_OK && side < 2; side++)
        if (f->term.point[side] >= 0) {
            point *p = w->points.item[f->term.point[side]];
            status = cord__point_ready(w, p);
            if (status == CORD_OK) status = cord__attach_needs(w, p, f->term.needs[side]);
        }
    if (status == CORD_OK) status = cord__add_term(w, &f->term, &index, &generation);
    if (status == CORD_OK)
        w->internal_terms++;
    else
        cord__term_free(w, &f->term);
    return status;
}

void cord__term_free(cord_world *w, term *x)
{
    if (x->ops->destroy) x->ops->destroy(x, &w->memory);
    cord__release(&w->memory, x);
}

/* One term, without those that follow it. */
static void remove_one(cord_world *w, term *x)
{
    uint32_t index = (uint32_t)x->slot + 1;
    const constraint *r = cord__as_constraint(x);
    list_remove(x->on);
    list_remove(x->on + 1);
    w->internal_terms -= !r || r->def.internal;
    cord__term_free(w, x);
    cord__slots_remove(&w->terms, index);
    w->layout_stale = w->partition_stale = true;
}

void cord__remove_term(cord_world *w, term *x)
{
    if (x->follows) x = x->follows;
    const constraint *r = cord__as_constraint(x);
    if (r && r->friction) remove_one(w, &r->friction->base.term);
    remove_one(w, x);
}
