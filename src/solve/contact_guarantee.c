/* Guarantee mode: no strand passes through another, itself or an obstacle. */
#include "contact/passages.h"
#include "math/vec3.h"
#include "solve/contacts.h"

static cord_status fail(problem *w, contact_set *k, int segment, const char *cause)
{
    const block *b = k->context[k->segment[segment].block].block;
    int index = 0;
    while (w->block[index] != b) index++;
    return cord__set_failure(k->cluster + b->cluster, CORD_ERROR_NOT_CONVERGED, cause, index, -1);
}

/* The axis of a strand stays outside of obstacles: its ends and its middle. An axis that was inside at the start, by the
 * definition of the scene, may leave. */
static bool enters(const obstacle *o, const obstacle_carrier *on, double start[2][3],
                   const contact_segment *g)
{
    obstacle before = *o;
    v3_copy(before.x, on->start_x);
    for (int i = 0; i < 9; i++) before.R[i] = on->start_R[i];
    for (int i = 0; i < 3; i++) {
        double x[3], y[3], normal[3];
        v3_combine(x, 1 - 0.5 * i, g->x[0], 0.5 * i, g->x[1]);
        if (cord__obstacle_distance(o, x, normal) >= 0) continue;
        v3_combine(y, 1 - 0.5 * i, start[0], 0.5 * i, start[1]);
        if (cord__obstacle_distance(&before, y, normal) >= 0) return true;
    }
    return false;
}

static bool joined(const void *context, int first, int second)
{
    const contact_pair pair = {.segment = {first, second}, .obstacle = {-1, -1}};
    return cord__meets_at_joint(context, &pair);
}

cord_status cord__check_passages(problem *w, contact_set *k)
{
    const passage_search q = {.curves = k->curve,
                              .segments = k->segment,
                              .start = k->start,
                              .count = k->segments,
                              .joined = joined,
                              .context = k,
                              .x = k->sweep,
                              .order = k->sweep_order};
    contact_candidate found;
    if (cord__find_passage(&q, &found))
        return fail(w, k, found.first, "it would pass through a strand");
    for (int o = 0; o < k->obstacles; o++)
        for (int i = 0; i < k->segments; i++) {
            const contact_curve *c = k->curve + k->segment[i].block;
            const obstacle *x = k->obstacle + o;
            if (!(c->mask & x->group) || !(x->mask & c->group)) continue;
            const contact_pair pair = {.segment = {i, -1}, .obstacle = {-1, o}};
            if (cord__near_joint(k, &pair)) continue;
            if (enters(x, k->carrier + o, k->start[i], k->segment + i))
                return fail(w, k, i, "it would pass into an obstacle");
        }
    return CORD_OK;
}
