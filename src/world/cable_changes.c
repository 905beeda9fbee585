/* What it costs when the nodes of cables change: the energy and the momentum of a cable, and of all that it is in one
 * island with, before and after. And how near its ends may come to where that happens. */
#include "world/world.h"

#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

/* Of the potential energy. */
static const double ROUND_OFF = 1e-9;

static cable *cable_of(const object *t)
{
    return t && t->ops == &cord__cable ? t->block.model : NULL;
}

static double total(const block_energy *e)
{
    return e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

static void add(block_energy *sum, const block_energy *e)
{
    sum->kinetic += e->kinetic;
    sum->gravity += e->gravity;
    sum->stretching += e->stretching;
    sum->bending += e->bending;
    sum->twisting += e->twisting;
    v3_add(sum->linear, sum->linear, e->linear);
}

/* Segments of the new cable have the multipliers of those where they are; the old nodes are in `cache`, the new ones
 * as they begin. */
static void carry_tensions(const cable *old, const double *cache, const double *lambda, cable *made)
{
    for (int i = 0, k = 0; i + 1 < made->nodes; i++) {
        double s = 0.5 * (made->node[i].s + made->node[i + 1].s);
        if (s > cable_s(cache, old->nodes - 1)) s -= old->length, k = 0; /* it begins elsewhere */
        while (k + 2 < old->nodes && cable_s(cache, k + 1) <= s) k++;
        if (made->element[i].row >= 0) /* segments come first */
            made->carried[made->element[i].row] = lambda[old->element[k].row];
    }
}

/* Whether it has come to a wheel, or an end to a stop, on which it lies now or which it has passed: what moves across
 * is stopped there. */
static bool comes_to_stop(const cable *old, const cable *made)
{
    for (int i = 0; i < old->stops; i++) {
        const cable_waypoint *was = old->stop + i, *is = made->stop + i;
        bool wheel = is->kind == CORD_WAYPOINT_PULLEY;
        if (wheel && is->present && (!was->present || is->end != was->end)) return true;
        bool inner = wheel || is->kind == CORD_WAYPOINT_EYELET || is->kind == CORD_WAYPOINT_TUBE;
        if (inner && was->present && is->passed && was->end == 0) return true;
    }
    return false;
}

cord_status cord__note_change(cord_world *w, int slot, cable *made)
{
    strand *t = w->strands.item[slot];
    const cable *old = t->block.model;
    made->carried = NEW(&w->memory, double, made->rows);
    if (!made->carried) {
        cord__cable.block.destroy(made, &w->memory);
        return CORD_ERROR_MEMORY;
    }
    made->account = old->account;
    carry_tensions(old, w->problem.cache + t->block.cache0, w->problem.now.lambda + t->block.l0,
                   made);
    if (made->base != old->base) return CORD_OK; /* the same nodes, from another one on */
    made->account.changed = true;
    made->account.comes = comes_to_stop(old, made);
    if (made->account.comes)
        made->account.sum.wraps++;
    else
        made->account.sum.unwraps++;
    cord__block_energy(w, &t->block, &made->account.before);
    return CORD_OK;
}

void cord__forget_change(cord_world *w, cable *c)
{
    cord__release(&w->memory, c->momentum);
    cord__release(&w->memory, c->carried);
    c->momentum = c->carried = NULL;
    c->account.changed = false;
}

/* The first cable of an island that has changed; NULL: none has. What changes cost is put down to that one. */
static cable *changed_one(const cord_world *w, const island *s)
{
    for (int k = 0; k < s->blocks; k++) {
        cable *c = cable_of(cord__object_of(w->problem.block[s->block[k]]));
        if (c && c->account.changed) return c;
    }
    return NULL;
}

/* Energies and momenta of an island's blocks; of cables that have changed, as they were before if that is asked for. */
static block_energy sum_of(const cord_world *w, const island *s, bool before)
{
    block_energy sum = {0};
    for (int k = 0; k < s->blocks; k++) {
        block *b = w->problem.block[s->block[k]];
        const cable *c = cable_of(cord__object_of(b));
        block_energy own;
        if (before && c && c->account.changed)
            own = c->account.before;
        else
            cord__block_energy(w, b, &own);
        add(&sum, &own);
    }
    return sum;
}

void cord__changes_begin(cord_world *w)
{
    for (int i = 0; i < w->partition.count; i++) {
        const island *s = w->partition.island + i;
        cable *c = changed_one(w, s);
        if (c) c->account.before = sum_of(w, s, true);
        for (int k = 0; k < s->blocks; k++) {
            const block *b = w->problem.block[s->block[k]];
            const cable *own = cable_of(cord__object_of(w->problem.block[s->block[k]]));
            if (own && own->carried)
                memcpy(w->problem.now.lambda + b->l0, own->carried,
                       (size_t)own->rows * sizeof(double));
        }
    }
}

void cord__changes_end(cord_world *w)
{
    for (int i = 0; i < w->partition.count; i++) {
        const island *s = w->partition.island + i;
        cable *c = changed_one(w, s);
        if (!c) continue;
        cable_account *a = &c->account;
        block_energy after = sum_of(w, s, false);
        double more = total(&after) - total(&a->before);
        a->sum.last_energy_change = more;
        if (a->comes)
            a->sum.wrap_energy_change += more;
        else
            a->sum.unwrap_energy_change += more;
        bool rounding = fabs(more) < ROUND_OFF * (fabs(a->before.gravity) + a->before.stretching);
        a->sum.max_kinetic_energy = fmax(a->sum.max_kinetic_energy, a->before.kinetic);
        if (!a->comes && !rounding && a->sum.max_kinetic_energy > 0)
            a->sum.max_relative_unwrap_change =
                fmax(a->sum.max_relative_unwrap_change, fabs(more) / a->sum.max_kinetic_energy);
        a->sum.max_impulse = fmax(a->sum.max_impulse, v3_distance(after.linear, a->before.linear));
    }
}

double cord__time_to_event(const cord_world *w)
{
    double least = INFINITY;
    for (int i = 0; i < w->strands.count; i++) {
        strand *t = w->strands.item[i];
        const cable *c = cable_of(t);
        if (!c || c->stops == 0) continue;
        const double *v = w->problem.now.v + t->block.v0;
        least = fmin(least, cord__wheel_reach(c, w->problem.now.q + t->block.q0, v));
        if (!cord__has_free_end(c)) continue;
        cord__refresh_object(w, t);
        least = fmin(least, 0.3 * cord__end_reach(c, w->problem.cache + t->block.cache0, v));
    }
    return fmax(least, CLOSEST_CHANGE * w->problem.requested_step);
}

cord_status cord_cable_get_changes(cord_world *w, cord_strand handle, cord_cable_changes *out)
{
    strand *t = cord__get_strand(w, handle);
    if (!t) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    const cable *c = cable_of(t);
    if (!c) return cord__fail(w, CORD_ERROR_UNSUPPORTED, "it is not a cable");
    if (!out) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *out = c->account.sum;
    return CORD_OK;
}
