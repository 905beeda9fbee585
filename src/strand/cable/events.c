/* Events of a cable. Along a route pulleys are wrapped or unwrapped, and ends pass waypoints; Lagrangian nodes given by
 * hand are resampled (resample.c). The cable is then replaced by one with other nodes; momentum and multipliers are transferred from the old one. */
#include "strand/cable/cable.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of the potential energy. */
static const double ROUND_OFF = 1e-9;

int cord__event_work(const cable_definition *def)
{
    size_t bytes = (size_t)def->waypoints * (sizeof(cable_waypoint) + sizeof(bool));
    return (int)((bytes + sizeof(double) - 1) / sizeof(double));
}

static double time_to_event(const void *model, const double *q, const double *v,
                            const double *cache)
{
    const cable *c = model;
    double least = c->def.by_nodes ? cord__time_to_resample(c, q, v) : INFINITY;
    if (c->def.waypoints == 0) return least;
    least = fmin(least, cord__time_to_unwrap(c, q, v));
    return cord__has_free_end(c) ? fmin(least, 0.3 * cord__time_to_run_on(c, cache, v)) : least;
}

static cord_status check(const void *model, double *q, double *side, bool *recounted, char *why,
                         size_t size)
{
    const cable *c = model;
    int waypoint = cord__drawn_in(c, q), end, node;
    if (cord__end_drawn_in(c, q, &end, &node)) {
        char label[2][80];
        cord__node_label(c, end, label[0], sizeof label[0]);
        cord__node_label(c, node, label[1], sizeof label[1]);
        *recounted = false;
        snprintf(why, size,
                 "its end, %s, has been drawn to %s; a longer cable, or an earlier end of the run, "
                 "avoids it",
                 label[0], label[1]);
        return CORD_ERROR_INCONSISTENT;
    }
    *recounted = waypoint < 0 && cord__closed_recount(c, q, side);
    if (waypoint < 0) return CORD_OK;
    snprintf(
        why, size,
        c->topology.waypoint[waypoint].kind == CORD_WAYPOINT_DRUM
            ? "the last turn has come off the drum of waypoint %d, to which its end is attached; a "
              "loose end would run off"
            : "its end, attached at waypoint %d, has been drawn to the next waypoint",
        waypoint);
    return CORD_ERROR_INCONSISTENT;
}

static bool may_change(const void *model, const double *q)
{
    const cable *c = model;
    int base;
    if (c->def.waypoints == 0) return cord__resamples(c, q);
    return cord__closed_renumbers(c, q, &base) || !cord__wraps_stay(c, q);
}

/* The current nodes; along a route two more for every pulley, those of arcs that detach at ends, and those inserted in gaps. */
static int most_nodes(const cable *c)
{
    if (c->def.waypoints == 0) return c->topology.nodes;
    int nodes = c->topology.nodes + 2 * c->def.waypoints + 2 * ARC_NODES;
    double least = INFINITY;
    for (int i = 0; i < c->def.waypoints; i++)
        if (c->topology.waypoint[i].spacing > 0)
            least = fmin(least, c->topology.waypoint[i].spacing);
    return nodes + (int)(c->topology.length / least);
}

/* Segments of the new cable take the multipliers of the old segments at the same material; the old
 * nodes are in `cache`, the new ones in the initial state. */
static void carry_multipliers(const cable *old, const topology_state *now, const cable *made,
                              double *lambda)
{
    for (int i = 0, k = 0; i + 1 < made->topology.nodes; i++) {
        double s = 0.5 * (made->topology.node[i].s + made->topology.node[i + 1].s);
        if (s > cable_s(now->cache, old->topology.nodes - 1))
            s -= old->topology.length, k = 0; /* it begins elsewhere */
        while (k + 2 < old->topology.nodes && cable_s(now->cache, k + 1) <= s) k++;
        if (made->layout.element[i].row >= 0) /* segments come first */
            lambda[made->layout.element[i].row] = now->lambda[old->layout.element[k].row];
    }
}

/* Whether the cable has reached a pulley, or an end a waypoint: the normal velocity is then stopped by an impact. */
static bool comes_to_waypoint(const cable *old, const cable *made)
{
    for (int i = 0; i < old->def.waypoints; i++) {
        const cable_waypoint *was = old->topology.waypoint + i, *is = made->topology.waypoint + i;
        bool pulley = is->kind == CORD_WAYPOINT_PULLEY;
        if (pulley && is->present && (!was->present || is->end != was->end)) return true;
        bool inner = pulley || is->kind == CORD_WAYPOINT_EYELET || is->kind == CORD_WAYPOINT_TUBE;
        if (inner && was->present && is->passed && was->end == 0) return true;
    }
    return false;
}

/* Which segments are slack; and the momentum of the old nodes' motion, on the new cable's dofs, unless it is NULL. */
static bool carry_motion(const cable *old, const topology_state *now, cable *made, memory *m,
                         double *momentum)
{
    block_shape shape;
    cord__cable.block.describe(made, &shape);
    double *cache = NEW(m, double, shape.cache_count);
    if (!cache) return false;
    memcpy(made->initial.v + made->layout.own_dofs, now->v + old->layout.own_dofs,
           (size_t)(made->layout.dofs - made->layout.own_dofs) * sizeof *now->v);
    cord__cable.block.refresh(made, made->initial.q, cache);
    cord__carry_slack(old, now->side, made, cache);
    if (momentum) cord__cable_momentum(old, now->cache, now->v, made, cache, momentum);
    cord__release(m, cache);
    return true;
}

static cord_status hand_over(const cable *old, const topology_state *now, cable *made, memory *m,
                             topology_successor *out)
{
    bool moved =
        made->topology.base == old->topology.base; /* else the same nodes, from another one on */
    out->lambda = NEW(m, double, made->layout.rows);
    out->momentum = moved ? NEW(m, double, made->layout.dofs) : NULL;
    bool all = out->lambda && (out->momentum || !moved);
    if (!all || !carry_motion(old, now, made, m, out->momentum)) return CORD_ERROR_MEMORY;
    carry_multipliers(old, now, made, out->lambda);
    cord__carry_slips(old, now->side, made);
    if (!moved) return CORD_OK;
    event_memory *sum = cable_events(&made->layout, made->initial.side);
    sum->last_wraps = comes_to_waypoint(old, made);
    if (sum->last_wraps != 0)
        sum->wraps++;
    else
        sum->unwraps++;
    return CORD_OK;
}

/* The cable with resampled nodes; or wrapped round the pulleys `present`; or, where `base` is another waypoint, with the
 * same nodes numbered from there. `old` has the state of its waypoints after the event. */
static cord_status make_successor(const cable *old, const topology_state *now, const bool *present,
                                  int base, memory *m, cable **made)
{
    cable_waypoint *waypoints = NEW(m, cable_waypoint, old->def.waypoints);
    cable_plan plan = {0};
    cord_status status = waypoints ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK)
        status =
            cord__plan_allocate(&plan, most_nodes(old),
                                old->def.waypoints > 0 ? old->def.waypoints : old->layout.rows, m);
    if (status == CORD_OK) {
        if (old->def.waypoints == 0)
            cord__plan_resampled(old, now->q, now->cache, now->v, &plan);
        else if (base != old->topology.base)
            cord__plan_renumbered(old, now->cache, now->v, base, waypoints, &plan);
        else
            cord__plan_wraps(old, now->cache, now->v, present, waypoints, &plan);
        event_memory events;
        memcpy(&events, now->side + old->layout.side_count - SIDE_DOUBLES(event_memory),
               sizeof events);
        cable_source from = cord__successor_of(old, now->q + old->layout.own_q);
        from.waypoint = waypoints;
        from.events = &events;
        if (old->layout.twist_dof >= 0)
            from.twist = now->q[old->layout.own_q - 1],
            from.twist_rate = now->v[old->layout.twist_dof];
        status = cord__cable_make(&from, &plan, m, made);
    }
    cord__plan_free(&plan, m);
    cord__release(m, waypoints);
    return status;
}

static cord_status find_successor(const void *model, const topology_state *now, double *work,
                                  memory *m, topology_successor *out)
{
    const cable *c = model;
    const element_input in = {
        .cache = now->cache, .v = now->v, .lambda = now->lambda, .environment = now->environment};
    cable here = *c, *made = NULL; /* with waypoints that are marked as they are passed */
    bool *present = (bool *)((cable_waypoint *)work + c->def.waypoints);
    int base = 0;
    here.topology.waypoint = (cable_waypoint *)work;
    if (c->def.waypoints > 0)
        memcpy(here.topology.waypoint, c->topology.waypoint,
               (size_t)c->def.waypoints * sizeof *c->topology.waypoint);
    *out = (topology_successor){0};
    bool changes = c->def.waypoints == 0 ? cord__resamples(c, now->q)
                                         : cord__closed_renumbers(c, now->q, &base) ||
                                               cord__wraps_change(&here, &in, now->step, present);
    if (!changes) return CORD_OK;
    cord_status status = make_successor(&here, now, present, base, m, &made);
    if (status == CORD_OK) status = hand_over(c, now, made, m, out);
    out->model = made;
    if (status == CORD_OK) return CORD_OK;
    if (made) cord__cable.block.destroy(made, m);
    cord__release(m, out->momentum);
    cord__release(m, out->lambda);
    *out = (topology_successor){0};
    return status;
}

static double total(const block_energy *e)
{
    return e->kinetic + e->gravity + e->stretching + e->bending + e->twisting;
}

static void count_event(const void *model, double *side, const block_energy *before,
                        const block_energy *after)
{
    event_memory *sum = cable_events(&((const cable *)model)->layout, side);
    double more = total(after) - total(before);
    sum->last_energy_change = more;
    if (sum->last_wraps != 0)
        sum->wrap_energy_change += more;
    else
        sum->unwrap_energy_change += more;
    bool rounding = fabs(more) < ROUND_OFF * (fabs(before->gravity) + before->stretching);
    sum->max_kinetic_energy = fmax(sum->max_kinetic_energy, before->kinetic);
    if (sum->last_wraps == 0 && !rounding && sum->max_kinetic_energy > 0)
        sum->max_relative_unwrap_change =
            fmax(sum->max_relative_unwrap_change, fabs(more) / sum->max_kinetic_energy);
    sum->max_impulse = fmax(sum->max_impulse, v3_distance(after->linear, before->linear));
}

static bool is_past(const void *model, const double *q)
{
    return cord__is_unwrapped(model, q);
}

static bool is_late(const void *model, const topology_state *trial)
{
    const cable *c = model;
    if (c->def.waypoints == 0 || cord__wraps_stay(c, trial->q)) return false;
    const element_input in = {.cache = trial->cache,
                              .v = trial->v,
                              .lambda = trial->lambda,
                              .side = trial->side,
                              .environment = trial->environment};
    return cord__event_is_late(c, &in, trial->step);
}

const topology_ops cord__cable_topology = {.time_to_event = time_to_event,
                                           .check = check,
                                           .may_change = may_change,
                                           .find_successor = find_successor,
                                           .count_event = count_event,
                                           .impulse = cord__cable_impulse,
                                           .is_past = is_past,
                                           .is_late = is_late,
                                           .size = cord__record_size,
                                           .write = cord__record_write,
                                           .read = cord__record_read};
