/* Wrapping and unwrapping pulleys: which are wrapped, and the nodes of the cable with those. */
#include "strand/cable/pulley.h"

#include <string.h>

/* A node that remains from an unwrapped pulley is removed where a new contact is nearer than this
 * fraction of the length between its neighbours. */
static const double RETAINED_FROM_PULLEY = 0.05;
/* Of the cable's kinetic energy: a contact that would add more was found too late. */
static const double MOST_GAINED = 1e-5;

/* The wrap angle that the line between two nodes would have on a pulley without contact; and the
 * angles of entry and exit. */
static double wrap_between(const cable *c, const double *cache, const cable_waypoint *waypoint,
                           int first, int last, double *entry, double *exit)
{
    const cable_guide *g = c->def.guide + waypoint->guide;
    const double *pose = guide_pose(c, cache, g);
    if (!pulley_angle(g, pose, cable_position(cache, first), waypoint->side, true, entry) ||
        !pulley_angle(g, pose, cable_position(cache, last), waypoint->side, false, exit))
        return -1;
    double wrap = wrap_of(*entry, *exit, waypoint->side);
    return wrap < 0.5 * M_PI ? wrap : -1; /* larger wraps cannot form in one step */
}

static bool is_inside(const cable *c, const double *cache, const cable_waypoint *waypoint, int node)
{
    double angle;
    const cable_guide *g = c->def.guide + waypoint->guide;
    return !pulley_angle(g, guide_pose(c, cache, g), cable_position(cache, node), 1, true, &angle);
}

/* A new contact with a pulley: the nodes before and after it, the angles and heights of entry and exit, and
 * their material coordinates; the wrap angle, and the length from node to node. */
typedef struct contact {
    int first, last;
    double entry, exit, s[2];
    double height[2]; /* on a cylinder */
    double wrap, length;
} contact;

/* The nodes between the present waypoints adjacent to an absent one: from the last node of the one
 * to the first of the other; and the least distance of span nodes from a waypoint. */
typedef struct gap {
    int before, after;
    double near[2];
} gap;

/* Waypoints in the order of nodes: those of a closed cable from its first node, which is also the last. */
static cable_waypoint *waypoint_in_order(const cable *c, int position)
{
    return c->topology.waypoint + (c->topology.base + position) % c->def.waypoints;
}

static int node_in_order(const cable *c, int position)
{
    return position == c->def.waypoints ? c->topology.nodes - 1
                                        : waypoint_in_order(c, position)->node;
}

static double nearest(const cable *c, int first, int second)
{
    return 0.3 *
           fmax(waypoint_in_order(c, first)->spacing, waypoint_in_order(c, second - 1)->spacing);
}

static gap gap_at(const cable *c, const double *cache, int waypoint)
{
    int position = (waypoint - c->topology.base + c->def.waypoints) % c->def.waypoints,
        i = position - 1, k = position + 1;
    while (!waypoint_in_order(c, i)->present) i--;
    while (!waypoint_in_order(c, k)->present) k++;
    gap g = {.before = node_in_order(c, i) + cord__has_pair(waypoint_in_order(c, i)),
             .after = node_in_order(c, k),
             .near = {nearest(c, i, position), nearest(c, position, k)}};
    double retained = RETAINED_FROM_PULLEY * (cable_s(cache, g.after) - cable_s(cache, g.before));
    for (int side = 0; side < 2; side++)
        if (g.near[side] == 0) g.near[side] = retained;
    return g;
}

/* On a smooth cylinder the heights of the geodesic; in a groove those of the turn that is nearest to it. */
static void contact_heights(const cable *c, const double *cache, const cable_waypoint *on,
                            double wrap, contact *at)
{
    const cable_guide *g = c->def.guide + on->guide;
    double arc = wrap * g->radius, slope = on->groove.slope;
    geodesic_heights(g, guide_pose(c, cache, g), cable_position(cache, at->first),
                     cable_position(cache, at->last), arc, at->height);
    if (slope == 0) return;
    double turned = on->rotation >= 0 ? pulley_rotation(c, cache, on->rotation) : 0;
    double height = on->groove.offset + slope * g->radius * (at->entry - turned);
    double pitch = 2 * M_PI * g->radius * slope;
    double turns = round((at->height[0] - height) / pitch);
    at->entry += 2 * M_PI * turns, at->exit += 2 * M_PI * turns;
    at->height[0] = height + turns * pitch;
    at->height[1] = at->height[0] + on->side * slope * arc;
}

/* The wrap angle between the nodes of the contact; negative: there is none. */
static double contact_at(const cable *c, const double *cache, const cable_waypoint *on, contact *at)
{
    const cable_guide *g = c->def.guide + on->guide;
    double wrap = wrap_between(c, cache, on, at->first, at->last, &at->entry, &at->exit);
    at->wrap = wrap;
    if (wrap < 0) return wrap;
    double position[3], arc = wrap * g->radius;
    if (g->ops->coordinates == 2) contact_heights(c, cache, on, wrap, at);
    double length[3] = {0, hypot(arc, at->height[1] - at->height[0]), 0};
    pulley_position(g, guide_pose(c, cache, g), at->entry, at->height[0], position);
    length[0] = v3_distance(cable_position(cache, at->first), position);
    pulley_position(g, guide_pose(c, cache, g), at->entry + on->side * wrap, at->height[1],
                    position);
    length[2] = v3_distance(position, cable_position(cache, at->last));
    double from = cable_s(cache, at->first), ds = cable_s(cache, at->last) - from;
    at->length = length[0] + length[1] + length[2];
    double scale = ds / at->length;
    at->s[0] = from + scale * length[0];
    at->s[1] = at->s[0] + scale * length[1];
    return wrap;
}

/* Nodes inside the pulley are skipped, and so are those too near to the nodes of the pulley. */
static bool find_contact(const cable *c, const double *cache, int waypoint, contact *found)
{
    const cable_waypoint *on = c->topology.waypoint + waypoint;
    const gap g = gap_at(c, cache, waypoint);
    double most = 2 * LEAST_WRAP;
    bool any = false;
    for (int i = g.before; i < g.after; i++) {
        contact at = {.first = i, .last = i + 1};
        if (is_inside(c, cache, on, i)) continue;
        while (at.last < g.after && is_inside(c, cache, on, at.last)) at.last++;
        if (!(contact_at(c, cache, on, &at) > most)) continue;
        while (at.first > g.before && at.s[0] - cable_s(cache, at.first) < g.near[0]) at.first--;
        while (at.last < g.after && cable_s(cache, at.last) - at.s[1] < g.near[1]) at.last++;
        double wrap = contact_at(c, cache, on, &at);
        if (!(wrap > most)) continue;
        most = wrap;
        *found = at;
        any = true;
    }
    return any;
}

/* The distance of a position from the straight segments between the nodes of the contact. */
static double distance_from_path(const double *cache, const contact *at, const double x[3])
{
    double least = INFINITY;
    for (int i = at->first; i < at->last; i++) {
        double along[3], from[3];
        v3_sub(along, cable_position(cache, i + 1), cable_position(cache, i));
        v3_sub(from, x, cable_position(cache, i));
        double part = v3_dot(from, along) / v3_dot(along, along);
        v3_axpy(from, -fmin(fmax(part, 0), 1), along);
        least = fmin(least, v3_norm(from));
    }
    return least;
}

/* Whether the contact is near the cable, or the material moves so fast, relative to the pulley, that it can have formed
 * within the last step. A free node inside a pulley has no contact with it, and may pass to its other side; the wrap that
 * the route would have from there is none that forms. At rest, in a search for an equilibrium, every contact may. */
static bool formed_in_step(const cable *c, const element_input *in, const cable_waypoint *on,
                           const contact *at, double step)
{
    const cable_guide *g = c->def.guide + on->guide;
    const double *pose = guide_pose(c, in->cache, g);
    double fastest = 0, farthest = 0;
    for (int k = 0; k < 2; k++) {
        double x[3], rim[3], velocity[3], r_s[3], arm[3], moves[3] = {0};
        pulley_position(g, pose, at->entry + k * on->side * at->wrap, at->height[k], rim);
        cord__cable_at(c, in->cache, in->v, at->s[k], x, velocity, r_s);
        if (pose) {
            v3_sub(arm, rim, pose);
            carrier_motion(c, g->carrier, in->v, arm, moves);
        }
        fastest = fmax(fastest, v3_distance(velocity, moves));
        farthest = fmax(farthest, distance_from_path(in->cache, at, rim));
    }
    return fastest == 0 || farthest < 4 * step * fastest + 0.5 * g->radius;
}

/* The work of the tension along the difference of the paths round the pulley and through it: the energy that a contact
 * adds when it is found late. */
static double work_of_contact(const cable *c, const element_input *in, const contact *at)
{
    double longer = at->length, tension = 0;
    double ds = cable_s(in->cache, at->last) - cable_s(in->cache, at->first);
    for (int i = at->first; i < at->last; i++) {
        element_terms t;
        cord__element_terms(c, c->layout.element + i, in, &t);
        tension = fmax(tension, t.tension);
        longer -= v3_distance(cable_position(in->cache, i), cable_position(in->cache, i + 1));
    }
    return longer > 0 ? longer * (tension + 0.5 * c->def.material.stretching * longer / ds) : 0;
}

/* The arc and the material length on it are both above the limit: an iteration that does not
 * satisfy the rows at every step may reduce either to zero before the other. */
static bool is_wrapped(const cable_definition *def, const cable_waypoint *s, double arc,
                       double element)
{
    return fmin(s->side * arc, element) > LEAST_WRAP * def->guide[s->guide].radius;
}

/* Whether only one of the arc and the material on it has nearly vanished. */
static bool is_half_unwrapped(const cable *c, const double *cache, const cable_waypoint *s)
{
    double arc = cable_coordinates(cache, s->node + 1)[0] - cable_coordinates(cache, s->node)[0];
    double element = cable_s(cache, s->node + 1) - cable_s(cache, s->node);
    return !is_wrapped(&c->def, s, arc, element) &&
           fmax(s->side * arc, element) > 20 * LEAST_WRAP * c->def.guide[s->guide].radius;
}

bool cord__event_is_late(const cable *c, const element_input *in, double step)
{
    for (int i = 0; i < c->def.waypoints; i++) {
        const cable_waypoint *s = c->topology.waypoint + i;
        contact at;
        if (s->kind != CORD_WAYPOINT_PULLEY || s->passed || s->end != 0) continue;
        if (s->present && is_half_unwrapped(c, in->cache, s)) return true;
        if (s->present || !find_contact(c, in->cache, i, &at) || at.wrap < 4 * LEAST_WRAP) continue;
        if (formed_in_step(c, in, s, &at, step) &&
            work_of_contact(c, in, &at) > MOST_GAINED * cord__cable_kinetic(c, in->cache, in->v))
            return true;
    }
    return false;
}

double cord__time_to_unwrap(const cable *c, const double *q, const double *v)
{
    double least = INFINITY;
    for (int i = 0; i < c->def.waypoints; i++) {
        const cable_waypoint *s = c->topology.waypoint + i;
        const cable_node *n = c->topology.node + s->node;
        if (s->kind != CORD_WAYPOINT_PULLEY || !s->present || s->end != 0) continue;
        const double half = 0.5 * LEAST_WRAP * c->def.guide[s->guide].radius;
        const double rate[2] = {cable_s_rate(n, v) - cable_s_rate(n + 1, v),
                                s->side * (v[n->dof] - v[n[1].dof])};
        const double left[2] = {cable_s_at(n + 1, q) - cable_s_at(n, q),
                                s->side * (q[n[1].q] - q[n->q])};
        for (int k = 0; k < 2; k++)
            if (rate[k] > 0) least = fmin(least, (left[k] - half) / rate[k]);
    }
    return fmin(least, cord__time_to_draw_in(c, q, v));
}

bool cord__is_unwrapped(const cable *c, const double *q)
{
    for (int i = 0; i < c->def.waypoints; i++) {
        const cable_waypoint *s = c->topology.waypoint + i;
        const cable_node *n = c->topology.node + s->node;
        if (s->kind != CORD_WAYPOINT_PULLEY || !s->present) continue;
        if (!is_wrapped(&c->def, s, q[n[1].q] - q[n->q], cable_s_at(n + 1, q) - cable_s_at(n, q)))
            return true;
    }
    return false;
}

bool cord__wraps_stay(const cable *c, const double *q)
{
    if (c->def.waypoints == 0) return true;
    if (cord__has_free_end(c)) return false; /* it may detach */
    for (int i = 0; i < c->def.waypoints; i++)
        if (c->topology.waypoint[i].kind == CORD_WAYPOINT_PULLEY &&
            !c->topology.waypoint[i].present)
            return false;
    return !cord__has_retained_nodes(&c->topology) && !cord__is_unwrapped(c, q);
}

/* A closed cable is round something: two nodes or fewer are none. */
static bool may_leave(const cable_definition *def, int *nodes)
{
    if (def->closed && *nodes < 5) return false;
    *nodes -= 2;
    return true;
}

bool cord__wraps_change(const cable *c, const element_input *in, double step, bool *present)
{
    const double *cache = in->cache;
    bool changed = false;
    int nodes = cable_own_nodes(c);
    for (int i = 0; i < c->def.waypoints; i++) {
        const cable_waypoint *s = c->topology.waypoint + i;
        present[i] = s->present;
        if (s->kind != CORD_WAYPOINT_PULLEY || s->passed || s->end != 0) continue;
        if (c->def.closed && i == c->topology.base) continue; /* another is begun at long before */
        if (s->present) {
            double arc =
                cable_coordinates(cache, s->node + 1)[0] - cable_coordinates(cache, s->node)[0];
            double element = cable_s(cache, s->node + 1) - cable_s(cache, s->node);
            present[i] = is_wrapped(&c->def, s, arc, element) || !may_leave(&c->def, &nodes);
        } else {
            contact at;
            present[i] = find_contact(c, cache, i, &at) && formed_in_step(c, in, s, &at, step);
        }
        changed = changed || present[i] != s->present;
    }
    changed = cord__ends_wrap(c, in, step, present) || changed;
    for (int i = 0; i < c->topology.nodes && !changed; i++)
        changed = cord__node_is_spare(c, cache, in->v, i);
    return changed;
}

void cord__copy_node(const cable *c, const double *cache, const double *v, int node,
                     cable_plan *plan)
{
    const cable_node *n = c->topology.node + node;
    planned_node *to = add_node(plan, n->waypoint, n->guide, cable_s(cache, node));
    to->tangent = n->tangent;
    to->eulerian = n->s_dof >= 0;
    to->evenly_spaced = n->evenly_spaced;
    to->retained = n->retained;
    to->fraction = n->fraction;
    to->prescribed = n->count < n->size;
    memcpy(to->at, cable_coordinates(cache, node), (size_t)n->size * sizeof *to->at);
    memcpy(to->rate, v + n->dof, (size_t)n->count * sizeof *to->rate);
    if (n->s_dof >= 0) to->s_rate = v[n->s_dof];
}

/* A pulley in new contact with a segment: two nodes close together, with the velocity of the material there. */
static void plan_contact(const cable *c, const double *cache, const double *v, int waypoint,
                         cable_plan *plan)
{
    const cable_waypoint *s = c->topology.waypoint + waypoint;
    const cable_guide *g = c->def.guide + s->guide;
    double x[3], velocity[3], r_s[3];
    contact at = {0};
    find_contact(c, cache, waypoint, &at);
    for (int k = 0; k < 2; k++) {
        planned_node *n = add_node(plan, waypoint, s->guide, at.s[k]);
        n->at[0] = (at.entry + k * s->side * wrap_of(at.entry, at.exit, s->side)) * g->radius;
        if (g->ops->coordinates == 2) n->at[1] = at.height[k];
        n->eulerian = true;
        n->tangent = k == 0 ? -1 : 1;
        cord__cable_at(c, cache, v, at.s[k], x, velocity, r_s);
        n->s_rate = -v3_dot(velocity, r_s) / v3_dot(r_s, r_s);
    }
}

/* A new node of a span, on the previous curve. */
static void plan_inserted(const cable *c, const double *cache, const double *v, double s,
                          double s_rate, cable_plan *plan)
{
    double velocity[3], r_s[3];
    planned_node *n = add_node(plan, -1, -1, s);
    n->eulerian = n->evenly_spaced = true;
    n->s_rate = s_rate;
    cord__cable_at(c, cache, v, s, n->at, velocity, r_s);
    v3_copy(n->rate, velocity);
    v3_axpy(n->rate, s_rate, r_s);
}

/* Inserts nodes up to a material coordinate, where its distance from the last planned node exceeds the spacing. */
static void fill_gap(const cable *c, const double *cache, const double *v, double spacing,
                     double to_s, double to_rate, cable_plan *plan)
{
    const planned_node *last = plan->node + plan->nodes - 1;
    double from = last->s, rate = last->s_rate;
    int count = spacing > 0 ? (int)((to_s - from) / (1.6 * spacing)) : 0;
    for (int k = 1; k <= count; k++) {
        double f = (double)k / (count + 1);
        plan_inserted(c, cache, v, from + f * (to_s - from), (1 - f) * rate + f * to_rate, plan);
    }
}

/* At an unwrapped pulley: a node, if the cable would lose too much kinetic energy without it; or
 * the elements of an arc that detached with an end. */
static void plan_left(const cable *c, const double *cache, const double *v, int waypoint,
                      const planned_node *next, cable_plan *plan)
{
    const cable_waypoint *s = c->topology.waypoint + waypoint;
    if (s->passed) {
        cord__plan_arc(c, cache, v, waypoint, next, plan);
        return;
    }
    const planned_node *last = plan->node + plan->nodes - 1;
    double at = 0.5 * (cable_s(cache, s->node) + cable_s(cache, s->node + 1));
    double to = fmin(cable_s(cache, s->node + 2), next->s), part = (at - last->s) / (to - last->s);
    if (!(at > last->s && to > at) || !cord__retains_node(c, cache, v, last->s, at, to)) return;
    plan_inserted(c, cache, v, at, (1 - part) * last->s_rate + part * next->s_rate, plan);
    plan->node[plan->nodes - 1].retained = true;
}

/* Whether a node lies on the straight segment to a newly wrapped pulley. */
static bool is_bridged(const cable *c, const double *cache, int position, int node)
{
    contact at;
    int waypoint = (int)(waypoint_in_order(c, position) - c->topology.waypoint);
    if (c->topology.waypoint[waypoint].present ||
        c->topology.waypoint[waypoint].kind != CORD_WAYPOINT_PULLEY)
        return false;
    return find_contact(c, cache, waypoint, &at) && node > at.first && node < at.last;
}

/* Between two waypoints that were not adjacent before: the existing nodes, except those too near to
 * a waypoint, and additional ones where the spacing is too large, or at an unwrapped pulley. */
static void plan_between(const cable *c, const double *cache, const double *v,
                         const cable_waypoint *waypoints, int first, int second,
                         const planned_node *next, cable_plan *plan)
{
    double from = plan->node[plan->nodes - 1].s;
    double spacing =
        fmax(waypoint_in_order(c, first)->spacing, waypoint_in_order(c, second - 1)->spacing);
    double near = 0.3 * spacing;
    for (int i = 0; i + 1 < c->topology.nodes; i++) {
        double s = cable_s(cache, i);
        int waypoint = c->topology.node[i].waypoint;
        bool pulley = waypoint >= 0 && c->topology.waypoint[waypoint].kind == CORD_WAYPOINT_PULLEY;
        if (pulley && c->topology.waypoint[waypoint].node == i && !waypoints[waypoint].present &&
            s >= from && s < next->s)
            plan_left(c, cache, v, waypoint, next, plan);
        if (!c->topology.node[i].evenly_spaced || s < from + near || s > next->s - near) continue;
        if (!(s > plan->node[plan->nodes - 1].s) || cord__node_is_spare(c, cache, v, i) ||
            is_bridged(c, cache, first, i) || is_bridged(c, cache, second, i))
            continue;
        fill_gap(c, cache, v, spacing, s, v[c->topology.node[i].s_dof], plan);
        cord__copy_node(c, cache, v, i, plan);
    }
    fill_gap(c, cache, v, spacing, next->s, next->s_rate, plan);
}

/* Whether there was no waypoint between these two, and is none; in their order. */
static bool were_neighbours(const cable *c, int first, int second)
{
    for (int i = first + 1; i < second; i++)
        if (waypoint_in_order(c, i)->present) return false;
    return waypoint_in_order(c, first)->present && waypoint_in_order(c, second)->present;
}

/* A free end that has passed an eyelet: the remaining cable is laid out straight, with its length. */
static void lay_end(const cable *c, const double *cache, const cable_waypoint *waypoints, int end,
                    cable_plan *plan)
{
    int direction = end == 0 ? -1 : 1, i = end - direction;
    bool off = false;
    for (; i >= 0 && i < c->def.waypoints && !waypoints[i].present; i -= direction)
        off = off || (c->topology.waypoint[i].present &&
                      (c->topology.waypoint[i].kind == CORD_WAYPOINT_EYELET ||
                       c->topology.waypoint[i].kind == CORD_WAYPOINT_TUBE));
    if (!off || i < 0 || i >= c->def.waypoints || !c->topology.waypoint[i].present) return;
    int second = cord__has_pair(waypoints + i) && direction > 0,
        prescribed = waypoints[i].node + second;
    const double *from = cable_position(cache, c->topology.waypoint[i].node + second);
    double along[3];
    v3_sub(along, cable_position(cache, c->topology.waypoint[end].node), from);
    double length = v3_norm(along);
    for (int k = prescribed + direction; length > 0 && k >= 0 && k < plan->nodes; k += direction) {
        v3_copy(plan->node[k].at, from);
        v3_axpy(plan->node[k].at, fabs(plan->node[k].s - plan->node[prescribed].s) / length, along);
    }
}

/* The end that comes into contact with a pulley: the one whose waypoint is removed, and whose next
 * waypoint is the pulley. */
static int end_that_comes(const cable *c, const cable_waypoint *waypoints, int waypoint)
{
    for (int side = -1; side <= 1 && !c->def.closed; side += 2) {
        int end = side < 0 ? 0 : c->def.waypoints - 1, i = end - side;
        while (i != waypoint && i != c->def.waypoints - 1 - end && !waypoints[i].present) i -= side;
        if (i == waypoint && c->topology.waypoint[end].present && !waypoints[end].present)
            return side;
    }
    return 0;
}

/* The nodes of a waypoint after the event; for the last waypoint of a closed cable, only its presence. */
static void plan_waypoint(const cable *c, const double *cache, const double *v,
                          cable_waypoint *waypoints, int position, cable_plan *own)
{
    const cable_waypoint *was = waypoint_in_order(c, position);
    int i = (int)(was - c->topology.waypoint);
    if (cord__end_is_freed(c, cache, waypoints, i)) {
        cord__plan_freed_end(c, cache, v, i, own);
        return;
    }
    if (!was->present) {
        plan_contact(c, cache, v, i, own);
        return;
    }
    int count = position < c->def.waypoints && cord__has_pair(was) ? 2 : 1;
    for (int k = 0; k < count; k++)
        cord__copy_node(c, cache, v, node_in_order(c, position) + k, own);
    int side = was->kind == CORD_WAYPOINT_PULLEY ? end_that_comes(c, waypoints, i) : 0;
    if (side == 0) return;
    cord__plan_end_on(c, cache, was, side, own->node);
    waypoints[i].end = side;
}

/* The straight line between two waypoints, up to the first node of the second. */
static void plan_straight(const cable *c, const double *cache, const double *v,
                          const cable_waypoint *waypoints, int first, int second,
                          const planned_node *next, cable_plan *plan)
{
    if (!were_neighbours(c, first, second)) {
        plan_between(c, cache, v, waypoints, first, second, next, plan);
        return;
    }
    for (int k = node_in_order(c, first); k < node_in_order(c, second); k++)
        if (c->topology.node[k].evenly_spaced && !cord__node_is_spare(c, cache, v, k))
            cord__copy_node(c, cache, v, k, plan);
}

void cord__plan_wraps(const cable *c, const double *cache, const double *v, const bool *present,
                      cable_waypoint *waypoints, cable_plan *plan)
{
    int last = -1;
    plan->base = c->topology.base, plan->length = c->topology.length;
    for (int i = 0; i < c->def.waypoints; i++) {
        waypoints[i] = c->topology.waypoint[i];
        waypoints[i].present = present[i];
    }
    for (int position = 0; position < c->def.waypoints + c->def.closed; position++) {
        cable_waypoint *s = waypoints + (waypoint_in_order(c, position) - c->topology.waypoint);
        if (!s->present) continue;
        planned_node pair[2];
        cable_plan own = {.node = pair};
        plan_waypoint(c, cache, v, waypoints, position, &own);
        if (last >= 0) plan_straight(c, cache, v, waypoints, last, position, own.node, plan);
        if (position == c->def.waypoints) break;
        s->node = plan->nodes;
        for (int k = 0; k < own.nodes; k++) plan->node[plan->nodes++] = own.node[k];
        if (own.nodes == 2) add_wrap(plan, s);
        last = position;
    }
    if (c->def.by_nodes) cord__plan_given_wraps(waypoints, c->def.waypoints, plan);
    if (c->def.closed) return;
    lay_end(c, cache, waypoints, 0, plan);
    lay_end(c, cache, waypoints, c->def.waypoints - 1, plan);
}

void cord__plan_renumbered(const cable *c, const double *cache, const double *v, int base,
                           cable_waypoint *waypoints, cable_plan *plan)
{
    int own = cable_own_nodes(c), first = c->topology.waypoint[base].node;
    plan->base = base, plan->length = c->topology.length;
    for (int k = 0; k < own; k++) {
        int i = (first + k) % own;
        cord__copy_node(c, cache, v, i, plan);
        if (first + k >= own) plan->node[k].s += c->topology.length;
    }
    for (int position = 0; position < c->def.waypoints; position++) { /* in the order of nodes */
        int i = (base + position) % c->def.waypoints;
        waypoints[i] = c->topology.waypoint[i];
        if (!waypoints[i].present) continue;
        waypoints[i].node = (c->topology.waypoint[i].node - first + own) % own;
        if (waypoint_nodes(waypoints[i].kind) == 2)
            plan->wrap[plan->wraps++] =
                (planned_wrap){waypoints[i].node, waypoints[i].rotation, waypoints[i].friction_law,
                               waypoints[i].friction, waypoints[i].groove};
    }
}
