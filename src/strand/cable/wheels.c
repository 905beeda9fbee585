/* While a cable moves: which wheels it touches, and the nodes that it has then. */
#include "strand/cable/wheel.h"

#include <string.h>

/* Nodes that were kept go where a wheel is come to as near, of the way between its neighbours. */
static const double KEPT_FROM_WHEEL = 0.05;

static const double *guide_pose(const cable *c, const double *cache, const cable_guide *g)
{
    return g->port >= 0 ? carrier_pose(c, cache, g->port) : NULL;
}

/* How far the way between two nodes would be wrapped round a wheel that it does not touch; and where. */
static double wrap_between(const cable *c, const double *cache, const cable_waypoint *stop,
                           int first, int last, double *entry, double *exit)
{
    const cable_guide *g = c->guide + stop->guide;
    const double *pose = guide_pose(c, cache, g);
    if (!wheel_angle(g, pose, cable_place(cache, first), stop->side, true, entry) ||
        !wheel_angle(g, pose, cable_place(cache, last), stop->side, false, exit))
        return -1;
    double wrap = wrap_of(*entry, *exit, stop->side);
    return wrap < 0.5 * M_PI ? wrap : -1; /* nobody jumps that far */
}

static bool is_inside(const cable *c, const double *cache, const cable_waypoint *stop, int node)
{
    double angle;
    const cable_guide *g = c->guide + stop->guide;
    return !wheel_angle(g, guide_pose(c, cache, g), cable_place(cache, node), 1, true, &angle);
}

/* Where a cable comes to lie on a wheel: between which nodes, by what angles, and where that is on it. */
typedef struct landing {
    int first, last;
    double entry, exit, s[2];
} landing;

/* What lies between the present stops beside one that is not: from the last node of the one to the first of the
 * other; and how near to a stop nodes of the spans may be. */
typedef struct gap {
    int before, after;
    double near[2];
} gap;

/* Stops in the order of nodes: those of a closed cable from where it begins, which is also the last. */
static cable_waypoint *stop_in_order(const cable *c, int place)
{
    return c->stop + (c->base + place) % c->stops;
}

static int node_in_order(const cable *c, int place)
{
    return place == c->stops ? c->nodes - 1 : stop_in_order(c, place)->node;
}

static double nearest(const cable *c, int first, int second)
{
    return 0.3 * fmax(stop_in_order(c, first)->spacing, stop_in_order(c, second - 1)->spacing);
}

static gap gap_at(const cable *c, const double *cache, int stop)
{
    int place = (stop - c->base + c->stops) % c->stops, i = place - 1, k = place + 1;
    while (!stop_in_order(c, i)->present) i--;
    while (!stop_in_order(c, k)->present) k++;
    gap g = {.before = node_in_order(c, i) + cord__has_pair(stop_in_order(c, i)),
             .after = node_in_order(c, k),
             .near = {nearest(c, i, place), nearest(c, place, k)}};
    double kept = KEPT_FROM_WHEEL * (cable_s(cache, g.after) - cable_s(cache, g.before));
    for (int side = 0; side < 2; side++)
        if (g.near[side] == 0) g.near[side] = kept;
    return g;
}

/* The wrap of the way between the landing's nodes; negative: there is none. */
static double land(const cable *c, const double *cache, const cable_waypoint *on, landing *at)
{
    const cable_guide *g = c->guide + on->guide;
    double wrap = wrap_between(c, cache, on, at->first, at->last, &at->entry, &at->exit);
    if (wrap < 0) return wrap;
    double place[3], length[3] = {0, wrap * g->radius, 0};
    wheel_place(g, guide_pose(c, cache, g), at->entry, place);
    length[0] = v3_distance(cable_place(cache, at->first), place);
    wheel_place(g, guide_pose(c, cache, g), at->entry + on->side * wrap, place);
    length[2] = v3_distance(place, cable_place(cache, at->last));
    double from = cable_s(cache, at->first), ds = cable_s(cache, at->last) - from;
    double scale = ds / (length[0] + length[1] + length[2]);
    at->s[0] = from + scale * length[0];
    at->s[1] = at->s[0] + scale * length[1];
    return wrap;
}

/* Nodes that have got inside are passed over, and so are those that would be too near to the wheel's own. */
static bool find_landing(const cable *c, const double *cache, int stop, landing *found)
{
    const cable_waypoint *on = c->stop + stop;
    const gap g = gap_at(c, cache, stop);
    double most = 2 * LEAST_WRAP;
    bool any = false;
    for (int i = g.before; i < g.after; i++) {
        landing at = {.first = i, .last = i + 1};
        if (is_inside(c, cache, on, i)) continue;
        while (at.last < g.after && is_inside(c, cache, on, at.last)) at.last++;
        if (!(land(c, cache, on, &at) > most)) continue;
        while (at.first > g.before && at.s[0] - cable_s(cache, at.first) < g.near[0]) at.first--;
        while (at.last < g.after && cable_s(cache, at.last) - at.s[1] < g.near[1]) at.last++;
        double wrap = land(c, cache, on, &at);
        if (!(wrap > most)) continue;
        most = wrap;
        *found = at;
        any = true;
    }
    return any;
}

/* An arc is long enough to be touched, and so is the piece of cable on it: a search that does not meet the rows at
 * every step may use up the one before the other. */
static bool is_touched(const cable *c, const cable_waypoint *s, double arc, double piece)
{
    return fmin(s->side * arc, piece) > LEAST_WRAP * c->guide[s->guide].radius;
}

double cord__wheel_reach(const cable *c, const double *q, const double *v)
{
    double least = INFINITY;
    for (int i = 0; i < c->stops; i++) {
        const cable_waypoint *s = c->stop + i;
        const cable_node *n = c->node + s->node;
        if (s->kind != CORD_WAYPOINT_PULLEY || !s->present || s->end != 0) continue;
        const double half = 0.5 * LEAST_WRAP * c->guide[s->guide].radius;
        const double rate[2] = {cable_s_rate(n, v) - cable_s_rate(n + 1, v),
                                s->side * (v[n->column] - v[n[1].column])};
        const double left[2] = {cable_s_at(n + 1, q) - cable_s_at(n, q),
                                s->side * (q[n[1].q] - q[n->q])};
        for (int k = 0; k < 2; k++)
            if (rate[k] > 0) least = fmin(least, (left[k] - half) / rate[k]);
    }
    return fmin(least, cord__tie_reach(c, q, v));
}

bool cord__wheel_is_left(const cable *c, const double *q)
{
    for (int i = 0; i < c->stops; i++) {
        const cable_waypoint *s = c->stop + i;
        const cable_node *n = c->node + s->node;
        if (s->kind != CORD_WAYPOINT_PULLEY || !s->present) continue;
        if (!is_touched(c, s, q[n[1].q] - q[n->q], cable_s_at(n + 1, q) - cable_s_at(n, q)))
            return true;
    }
    return false;
}

bool cord__wheels_stay(const cable *c, const double *q)
{
    if (c->stops == 0) return true;
    if (cord__has_free_end(c)) return false; /* it may run off */
    for (int i = 0; i < c->stops; i++)
        if (c->stop[i].kind == CORD_WAYPOINT_PULLEY && !c->stop[i].present) return false;
    return !cord__has_kept_nodes(c) && !cord__wheel_is_left(c, q);
}

/* A closed cable is round something: two nodes or fewer are none. */
static bool may_leave(const cable *c, int *nodes)
{
    if (c->closed && *nodes < 5) return false;
    *nodes -= 2;
    return true;
}

bool cord__wheels_change(const cable *c, const element_input *in, double step, bool *present)
{
    const double *cache = in->cache;
    bool changed = false;
    int nodes = cable_own_nodes(c);
    for (int i = 0; i < c->stops; i++) {
        const cable_waypoint *s = c->stop + i;
        present[i] = s->present;
        if (s->kind != CORD_WAYPOINT_PULLEY || s->passed || s->end != 0) continue;
        if (c->closed && i == c->base) continue; /* another is begun at long before */
        if (s->present) {
            double arc =
                cable_coordinates(cache, s->node + 1)[0] - cable_coordinates(cache, s->node)[0];
            double piece = cable_s(cache, s->node + 1) - cable_s(cache, s->node);
            present[i] = is_touched(c, s, arc, piece) || !may_leave(c, &nodes);
        } else {
            landing at;
            present[i] = find_landing(c, cache, i, &at);
        }
        changed = changed || present[i] != s->present;
    }
    changed = cord__ends_change(c, in, step, present) || changed;
    for (int i = 0; i < c->nodes && !changed; i++)
        changed = cord__node_is_spare(c, cache, in->v, i);
    return changed;
}

static void copy_node(const cable *c, const double *cache, const double *v, int node,
                      cable_plan *plan)
{
    const cable_node *n = c->node + node;
    planned_node *to = add_node(plan, n->stop, n->guide, cable_s(cache, node));
    to->tangent = n->tangent;
    to->eulerian = n->s_dof >= 0;
    to->even = n->even;
    to->kept = n->kept;
    to->held = n->count < n->size;
    memcpy(to->at, cable_coordinates(cache, node), (size_t)n->size * sizeof *to->at);
    memcpy(to->rate, v + n->column, (size_t)n->count * sizeof *to->rate);
    if (n->s_dof >= 0) to->s_rate = v[n->s_dof];
}

/* A wheel that a segment has come to: two nodes close together, where the cable runs on as it did. */
static void plan_landing(const cable *c, const double *cache, const double *v, int stop,
                         cable_plan *plan)
{
    const cable_waypoint *s = c->stop + stop;
    const cable_guide *g = c->guide + s->guide;
    double x[3], velocity[3], slope[3];
    landing at = {0};
    find_landing(c, cache, stop, &at);
    for (int k = 0; k < 2; k++) {
        planned_node *n = add_node(plan, stop, s->guide, at.s[k]);
        n->at[0] = (at.entry + k * s->side * wrap_of(at.entry, at.exit, s->side)) * g->radius;
        n->eulerian = true;
        n->tangent = k == 0 ? -1 : 1;
        cord__cable_at(c, cache, v, at.s[k], x, velocity, slope);
        n->s_rate = -v3_dot(velocity, slope) / v3_dot(slope, slope);
    }
}

/* A new node of a span, on the curve that was. */
static void plan_inserted(const cable *c, const double *cache, const double *v, double s,
                          double s_rate, cable_plan *plan)
{
    double velocity[3], slope[3];
    planned_node *n = add_node(plan, -1, -1, s);
    n->eulerian = n->even = true;
    n->s_rate = s_rate;
    cord__cable_at(c, cache, v, s, n->at, velocity, slope);
    v3_copy(n->rate, velocity);
    v3_axpy(n->rate, s_rate, slope);
}

/* Nodes up to a place of the cable, where what was last planned is farther from it than nodes are to be. */
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

/* Where a wheel was: a node, if the cable would lose too much without; or an arc with an end that came off it. */
static void plan_left(const cable *c, const double *cache, const double *v, int stop,
                      const planned_node *next, cable_plan *plan)
{
    const cable_waypoint *s = c->stop + stop;
    if (s->passed) {
        cord__plan_arc(c, cache, v, stop, next, plan);
        return;
    }
    const planned_node *last = plan->node + plan->nodes - 1;
    double at = 0.5 * (cable_s(cache, s->node) + cable_s(cache, s->node + 1));
    double to = fmin(cable_s(cache, s->node + 2), next->s), part = (at - last->s) / (to - last->s);
    if (!(at > last->s && to > at) || !cord__keeps_node(c, cache, v, last->s, at, to)) return;
    plan_inserted(c, cache, v, at, (1 - part) * last->s_rate + part * next->s_rate, plan);
    plan->node[plan->nodes - 1].kept = true;
}

/* Whether a node lies where the cable goes straight to a wheel that it has come to. */
static bool is_bridged(const cable *c, const double *cache, int place, int node)
{
    landing at;
    int stop = (int)(stop_in_order(c, place) - c->stop);
    if (c->stop[stop].present || c->stop[stop].kind != CORD_WAYPOINT_PULLEY) return false;
    return find_landing(c, cache, stop, &at) && node > at.first && node < at.last;
}

/* Between two stops that were not neighbours before: the nodes there were, but for those too near to a stop,
 * and more where there are too few, or where a wheel was. */
static void plan_between(const cable *c, const double *cache, const double *v,
                         const cable_waypoint *stops, int first, int second,
                         const planned_node *next, cable_plan *plan)
{
    double from = plan->node[plan->nodes - 1].s;
    double spacing = fmax(stop_in_order(c, first)->spacing, stop_in_order(c, second - 1)->spacing);
    double near = 0.3 * spacing;
    for (int i = 0; i + 1 < c->nodes; i++) {
        double s = cable_s(cache, i);
        int stop = c->node[i].stop;
        bool wheel = stop >= 0 && c->stop[stop].kind == CORD_WAYPOINT_PULLEY;
        if (wheel && c->stop[stop].node == i && !stops[stop].present && s >= from && s < next->s)
            plan_left(c, cache, v, stop, next, plan);
        if (!c->node[i].even || s < from + near || s > next->s - near) continue;
        if (!(s > plan->node[plan->nodes - 1].s) || cord__node_is_spare(c, cache, v, i) ||
            is_bridged(c, cache, first, i) || is_bridged(c, cache, second, i))
            continue;
        fill_gap(c, cache, v, spacing, s, v[c->node[i].s_dof], plan);
        copy_node(c, cache, v, i, plan);
    }
    fill_gap(c, cache, v, spacing, next->s, next->s_rate, plan);
}

/* Whether there was no stop between these two, and is none; in their order. */
static bool were_neighbours(const cable *c, int first, int second)
{
    for (int i = first + 1; i < second; i++)
        if (stop_in_order(c, i)->present) return false;
    return stop_in_order(c, first)->present && stop_in_order(c, second)->present;
}

/* A free end that has run through an eyelet: what is left of it is laid out straight, as long as it is. */
static void lay_end(const cable *c, const double *cache, const cable_waypoint *stops, int end,
                    cable_plan *plan)
{
    int way = end == 0 ? -1 : 1, i = end - way;
    bool off = false;
    for (; i >= 0 && i < c->stops && !stops[i].present; i -= way)
        off = off || (c->stop[i].present && (c->stop[i].kind == CORD_WAYPOINT_EYELET ||
                                             c->stop[i].kind == CORD_WAYPOINT_TUBE));
    if (!off || i < 0 || i >= c->stops || !c->stop[i].present) return;
    int second = cord__has_pair(stops + i) && way > 0, held = stops[i].node + second;
    const double *from = cable_place(cache, c->stop[i].node + second);
    double along[3];
    v3_sub(along, cable_place(cache, c->stop[end].node), from);
    double length = v3_norm(along);
    for (int k = held + way; length > 0 && k >= 0 && k < plan->nodes; k += way) {
        v3_copy(plan->node[k].at, from);
        v3_axpy(plan->node[k].at, fabs(plan->node[k].s - plan->node[held].s) / length, along);
    }
}

/* Which end comes to lie on a wheel: the one whose stop goes, and to which it is the next. */
static int end_that_comes(const cable *c, const cable_waypoint *stops, int stop)
{
    for (int side = -1; side <= 1 && !c->closed; side += 2) {
        int end = side < 0 ? 0 : c->stops - 1, i = end - side;
        while (i != stop && i != c->stops - 1 - end && !stops[i].present) i -= side;
        if (i == stop && c->stop[end].present && !stops[end].present) return side;
    }
    return 0;
}

/* The nodes of a stop as it will be; of the one that a closed cable ends at, only that it is there. */
static void plan_stop(const cable *c, const double *cache, const double *v, cable_waypoint *stops,
                      int place, cable_plan *own)
{
    const cable_waypoint *was = stop_in_order(c, place);
    int i = (int)(was - c->stop);
    if (cord__end_is_freed(c, cache, stops, i)) {
        cord__plan_freed_end(c, cache, v, i, own);
        return;
    }
    if (!was->present) {
        plan_landing(c, cache, v, i, own);
        return;
    }
    int count = place < c->stops && cord__has_pair(was) ? 2 : 1;
    for (int k = 0; k < count; k++) copy_node(c, cache, v, node_in_order(c, place) + k, own);
    int side = was->kind == CORD_WAYPOINT_PULLEY ? end_that_comes(c, stops, i) : 0;
    if (side == 0) return;
    cord__plan_end_on(c, cache, was, side, own->node);
    stops[i].end = side;
}

/* The straight way between two stops, up to the first node of the second. */
static void plan_way(const cable *c, const double *cache, const double *v,
                     const cable_waypoint *stops, int first, int second, const planned_node *next,
                     cable_plan *plan)
{
    if (!were_neighbours(c, first, second)) {
        plan_between(c, cache, v, stops, first, second, next, plan);
        return;
    }
    for (int k = node_in_order(c, first); k < node_in_order(c, second); k++)
        if (c->node[k].even && !cord__node_is_spare(c, cache, v, k))
            copy_node(c, cache, v, k, plan);
}

void cord__plan_change(const cable *c, const double *cache, const double *v, const bool *present,
                       cable_waypoint *stops, cable_plan *plan)
{
    int last = -1;
    plan->base = c->base, plan->length = c->length;
    for (int i = 0; i < c->stops; i++) {
        stops[i] = c->stop[i];
        stops[i].present = present[i];
    }
    for (int place = 0; place < c->stops + c->closed; place++) {
        cable_waypoint *s = stops + (stop_in_order(c, place) - c->stop);
        if (!s->present) continue;
        planned_node pair[2];
        cable_plan own = {.node = pair};
        plan_stop(c, cache, v, stops, place, &own);
        if (last >= 0) plan_way(c, cache, v, stops, last, place, own.node, plan);
        if (place == c->stops) break;
        s->node = plan->nodes;
        for (int k = 0; k < own.nodes; k++) plan->node[plan->nodes++] = own.node[k];
        if (own.nodes == 2) add_wrap(plan, s);
        last = place;
    }
    if (c->closed) return;
    lay_end(c, cache, stops, 0, plan);
    lay_end(c, cache, stops, c->stops - 1, plan);
}

void cord__plan_turn(const cable *c, const double *cache, const double *v, int base,
                     cable_waypoint *stops, cable_plan *plan)
{
    int own = cable_own_nodes(c), first = c->stop[base].node;
    plan->base = base, plan->length = c->length;
    for (int k = 0; k < own; k++) {
        int i = (first + k) % own;
        copy_node(c, cache, v, i, plan);
        if (first + k >= own) plan->node[k].s += c->length;
    }
    for (int i = 0; i < c->stops; i++) {
        stops[i] = c->stop[i];
        if (!stops[i].present) continue;
        stops[i].node = (c->stop[i].node - first + own) % own;
        if (waypoint_nodes(stops[i].kind) == 2)
            plan->wrap[plan->wraps++] =
                (planned_wrap){stops[i].node, stops[i].spin, stops[i].grip, stops[i].friction};
    }
}
