/* Queries of the cables of a world. */
#include "world/world.h"

#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

static const cable *find_cable(const cord_world *w, cord_strand handle, cord_status *status)
{
    strand *s = cord__get_strand(w, handle);
    *status = s ? CORD_OK : cord__refused(w);
    if (!s) return NULL;
    if (s->ops != &cord__cable) {
        *status = cord__fail(w, CORD_ERROR_UNSUPPORTED, "it is not a cable");
        return NULL;
    }
    *status = cord__object_ready(w, s);
    if (*status != CORD_OK) return NULL;
    cord__refresh_object(w, s);
    return s->block.model;
}

cord_status cord_cable_get_node_count(const cord_world *w, cord_strand handle, int *count)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (c && !count) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    if (c) *count = cable_own_nodes(c);
    return status;
}

cord_status cord_cable_get_node(const cord_world *w, cord_strand handle, int node,
                                cord_node_state *out)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!out || node < 0 || node >= cable_own_nodes(c))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "there is no such node, or the result is NULL");
    const block *b = &cord__get_strand(w, handle)->block;
    const double *cache = w->problem.cache + b->cache0, *v = w->problem.now.v + b->v0;
    const cable_node *n = c->topology.node + node;
    *out = (cord_node_state){.guide = n->guide,
                             .eulerian = n->s_dof >= 0,
                             .s = cable_s(cache, node),
                             .waypoint = c->def.by_nodes ? -1 : n->waypoint};
    v3_copy(out->position, cable_position(cache, node));
    memcpy(out->at, cable_coordinates(cache, node), (size_t)n->size * sizeof(double));
    for (int k = 0; n->guide >= 0 && k < c->def.guide[n->guide].ops->angles; k++)
        out->at[k] /= c->def.guide[n->guide].radius;
    if (n->s_dof >= 0) out->rate = v[n->s_dof];
    out->dofs = n->count;
    if (n->guide >= 0) out->kind = c->def.guide[n->guide].ops->kind;
    out->guide_name = n->guide < 0 ? "free" : c->def.guide[n->guide].ops->name;
    out->segment_name = node + 1 < c->topology.nodes && cable_is_curved(c, node)
                            ? c->def.guide[n->guide].ops->segment
                            : "straight";
    if (n->guide >= 0 && c->def.guide[n->guide].carrier >= 0) {
        const shared_dofs *by = b->shared + c->def.guide[n->guide].carrier;
        uint32_t index = (uint32_t)by->parent_slot + 1;
        if (by->kind == PARENT_BODY)
            out->body = (cord_body){index, w->bodies.generation[by->parent_slot]};
        else
            out->strand = (cord_strand){index, w->strands.generation[by->parent_slot]};
    }
    cord__node_velocity(c, cache, v, node, out->velocity);
    return CORD_OK;
}

cord_status cord_cable_get_tension(const cord_world *w, cord_strand handle, int segment,
                                   double along, double *tension)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!tension || segment < 0 || segment >= c->topology.nodes - 1)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "there is no such segment, or the result is NULL");
    if (!(along >= 0 && along <= 1))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the fraction %g of a segment is not 0 to 1",
                          along);
    const block *b = &cord__get_strand(w, handle)->block;
    environment env = cord__environment(&w->problem, b, w->problem.now.time);
    block_eval now = cord__block_now(w, b, &env);
    element_input in = cord__cable_input(c, &now, false);
    *tension = cord__tension_at(c, &in, segment, along);
    return CORD_OK;
}

cord_status cord_cable_get_slack(const cord_world *w, cord_strand handle, double *slack)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!slack) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *slack = cord__cable_slack(c, w->problem.cache + cord__get_strand(w, handle)->block.cache0);
    return CORD_OK;
}

cord_status cord_cable_get_twist(const cord_world *w, cord_strand handle, double *angle,
                                 double *torque)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (c->layout.twist_dof < 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "this cable carries no twist");
    const double *cache = w->problem.cache + cord__get_strand(w, handle)->block.cache0;
    if (angle) *angle = cable_twist(c, cache);
    if (torque) *torque = cord__torque(c, cache);
    return CORD_OK;
}

static double wrap_angle(const cable *c, const cable_waypoint *s, const double *cache)
{
    const cable_guide *g = s->guide >= 0 ? c->def.guide + s->guide : NULL;
    if (waypoint_nodes(s->kind) < 2) return 0;
    const double *from = cable_coordinates(cache, s->node);
    const double *to = cable_coordinates(cache, s->node + 1);
    return g->ops->revolute ? s->side * (to[0] - from[0]) / g->radius
                            : g->ops->turning(g, from, to);
}

cord_status cord_cable_get_wrap(const cord_world *w, cord_strand handle, int waypoint,
                                bool *in_contact, double *angle, double *before, double *after)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (waypoint < 0 || waypoint >= route_waypoints(&c->def))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "there is no such waypoint");
    const cable_waypoint *s = c->topology.waypoint + waypoint;
    const double *cache = w->problem.cache + cord__get_strand(w, handle)->block.cache0;
    if (in_contact) *in_contact = s->present;
    if (angle) *angle = s->present ? wrap_angle(c, s, cache) : 0;
    int last = s->node + cord__has_pair(s);
    if (before) *before = 0;
    if (after) *after = 0;
    if (before && s->present && (s->node > 0 || c->def.closed))
        status = cord_cable_get_tension(w, handle, cable_segment(c, s->node - 1), 1, before);
    if (status == CORD_OK && after && s->present && last + 1 < c->topology.nodes)
        status = cord_cable_get_tension(w, handle, last, 0, after);
    return status;
}

/* asin (n·e), e the direction from a node on a pulley to the next one. */
static double fleet_angle(const cable *c, const double *cache, const cable_guide *g, int node,
                          int next)
{
    double axis[3], chord[3], length;
    vector_to_world(guide_pose(c, cache, g), g->axes + 6, axis);
    v3_sub(chord, cable_position(cache, next), cable_position(cache, node));
    length = v3_norm(chord);
    return length > 0 ? asin(fmax(-1, fmin(1, v3_dot(axis, chord) / length))) : 0;
}

cord_status cord_cable_get_fleet_angles(const cord_world *w, cord_strand handle, int waypoint,
                                        double *before, double *after)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    const cable_waypoint *s = c->topology.waypoint + waypoint;
    if (waypoint < 0 || waypoint >= route_waypoints(&c->def) ||
        (s->kind != CORD_WAYPOINT_PULLEY && s->kind != CORD_WAYPOINT_DRUM &&
         s->kind != CORD_WAYPOINT_SURFACE))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "waypoint %d is not a pulley or a drum",
                          waypoint);
    const double *cache = w->problem.cache + cord__get_strand(w, handle)->block.cache0;
    const cable_guide *g = c->def.guide + s->guide;
    int first = s->node, last = s->node + 1;
    if (first == 0 && c->def.closed) first = c->topology.nodes - 1; /* its alias */
    if (before) *before = 0;
    if (after) *after = 0;
    if (!s->present || !cord__has_pair(s)) return CORD_OK;
    if (before && first > 0) *before = fleet_angle(c, cache, g, first, first - 1);
    if (after && last + 1 < c->topology.nodes) *after = fleet_angle(c, cache, g, last, last + 1);
    return CORD_OK;
}

cord_status cord_cable_get_events(const cord_world *w, cord_strand handle, cord_cable_events *out)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!out) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *out = (cord_cable_events){0};
    const event_memory *sum =
        cable_events(&c->layout, w->problem.now.side + cord__get_strand(w, handle)->block.side0);
    *out = (cord_cable_events){.wraps = (int)sum->wraps,
                               .unwraps = (int)sum->unwraps,
                               .last_energy_change = sum->last_energy_change,
                               .wrap_energy_change = sum->wrap_energy_change,
                               .unwrap_energy_change = sum->unwrap_energy_change,
                               .tightenings = (int)sum->tightenings,
                               .tightening_energy_change = sum->tightening_energy_change,
                               .max_kinetic_energy = sum->max_kinetic_energy,
                               .max_relative_unwrap_change = sum->max_relative_unwrap_change,
                               .max_impulse = sum->max_impulse};
    return CORD_OK;
}
