/* Lagrangian nodes given by hand are resampled, so that no segment becomes short [HCS 2011, sec. 4.1].
 *
 * A span goes from one fixed node (an end, an Eulerian, tangent or prescribed node) to the next, and has Lagrangian nodes
 * between them. Where the cable runs out of the span through an Eulerian node the segment there becomes short, and where it
 * runs in it becomes long. The Lagrangian nodes of the span are then resampled, on the same curve, at those fractions of
 * its material that they had at first.
 *
 * The motion is projected onto the new segments with its momentum (events.c). The loss is that of a wave of the span under
 * a shift of its nodes by a part of a segment, and of second order in the shift. A node that is removed instead, at the
 * Eulerian node, would take its wave with it: between two nodes a wave has the frequency √(T/ρl₁l₂), and so an energy
 * that grows as the segment l₁ becomes short. */
#include "strand/cable/pulley.h"

#include <string.h>

/* Of the length that a segment has when the nodes are placed: beyond these they are resampled. A step ends at half of
 * SHORT. */
static const double SHORT = 0.7, LONG = 1.4;

/* ---- spans --------------------------------------------------------------------------------------------- */

/* From the first node to the last. */
typedef struct node_span {
    int first, last;
} node_span;

static bool is_fixed(const cable *c, int i)
{
    const cable_node *n = c->topology.node + i;
    return i == 0 || i + 1 == c->topology.nodes || n->s_dof >= 0 || n->tangent != 0 ||
           n->count < n->size;
}

/* Whether its nodes can be anywhere along it: its segments are straight, or all of them lie on one guide. */
static bool is_uniform(const cable *c, node_span p)
{
    const cable_node *n = c->topology.node;
    int on = n[p.first + 1].guide;
    bool within = n[p.first].guide == on && n[p.last].guide == on;
    for (int i = p.first + 2; i < p.last; i++)
        if (n[i].guide != on) return false;
    if (on < 0) return true;
    cord_guide_kind kind = c->def.guide[on].ops->kind;
    return within || kind == CORD_GUIDE_LINE || kind == CORD_GUIDE_SPAN;
}

/* The next span with Lagrangian nodes to place, beginning at p->last; false: there is none. */
static bool next_span(const cable *c, node_span *p)
{
    const cable_node *n = c->topology.node;
    while (p->last + 1 < c->topology.nodes) {
        p->first = p->last++;
        while (!is_fixed(c, p->last)) p->last++;
        if (p->last > p->first + 1 && (n[p->first].s_dof >= 0 || n[p->last].s_dof >= 0) &&
            is_uniform(c, *p))
            return true;
    }
    return false;
}

void cord__plan_fractions(cable_plan *plan)
{
    for (int first = 0, last; first + 1 < plan->nodes; first = last) {
        const planned_node *n = plan->node;
        last = first + 1;
        while (last + 1 < plan->nodes && !n[last].eulerian && n[last].tangent == 0 &&
               !n[last].prescribed)
            last++;
        for (int i = first + 1; i < last; i++)
            plan->node[i].fraction = (n[i].s - n[first].s) / (n[last].s - n[first].s);
    }
}

bool cord__is_resampled(const cable *c)
{
    node_span p = {0};
    return c->def.waypoints == 0 && !c->def.closed && !c->def.material.lumped && next_span(c, &p);
}

bool cord__segment_friction(const cable *c, int segment, planned_wrap *out)
{
    int row = c->layout.row_head[segment + 1];
    for (; row >= 0; row = c->layout.row_next[row]) {
        const cable_element *e = c->layout.element + c->layout.row_element[row];
        if (e->kind != ELEMENT_NO_SLIP && e->kind != ELEMENT_ROLLING) continue;
        *out =
            (planned_wrap){.segment = segment,
                           .rotation = e->rotation < 0 ? -1 : e->rotation - c->layout.rotation_dof,
                           .friction_law = e->slip < 0 ? CORD_WRAP_NO_SLIP : CORD_WRAP_CAPSTAN,
                           .friction = e->slip < 0 ? 0 : c->layout.slip[e->slip].coefficient};
        return true;
    }
    return false;
}

static bool has_friction(const cable *c, node_span p)
{
    for (int i = p.first; i < p.last; i++)
        if (cord__segment_friction(c, i, &(planned_wrap){0})) return true;
    return false;
}

/* ---- when ---------------------------------------------------------------------------------------------- */

static double length_of(const cable *c, const double *q, int from, int to)
{
    return cable_s_at(c->topology.node + to, q) - cable_s_at(c->topology.node + from, q);
}

/* The length of a segment at an end of a span, that which it is to have, and the Eulerian node there. False: the end is not
 * Eulerian. */
static bool end_segment(const cable *c, const double *q, node_span p, int end, double *length,
                        double *placed, int *node)
{
    int segment = end == 0 ? p.first : p.last - 1;
    const cable_node *beside = c->topology.node + (end == 0 ? p.first + 1 : p.last - 1);
    *node = end == 0 ? p.first : p.last;
    *length = length_of(c, q, segment, segment + 1);
    *placed =
        length_of(c, q, p.first, p.last) * (end == 0 ? beside->fraction : 1 - beside->fraction);
    return c->topology.node[*node].s_dof >= 0;
}

static bool is_uneven(const cable *c, const double *q, node_span p)
{
    double length, placed;
    int node;
    for (int end = 0; end < 2; end++)
        if (end_segment(c, q, p, end, &length, &placed, &node) &&
            (length < SHORT * placed || length > LONG * placed))
            return !has_friction(c, p);
    return false;
}

/* The inner Eulerian node nearest to an end of a cable by hand; -1: there is none, or the end is Eulerian. And the shortest length of
 * material between them. */
static int nearest_to_end(const cable *c, int end, double *least)
{
    int step = end == 0 ? 1 : -1, i = end;
    if (!c->def.by_nodes || c->def.closed || c->topology.node[end].s_dof >= 0) return -1;
    while (i >= 0 && i < c->topology.nodes && c->topology.node[i].s_dof < 0) i += step;
    bool alone = i == end + step; /* else there are nodes to place between them */
    *least = (alone ? 1e-5 : 1e-3) * c->topology.length / (c->topology.nodes - 1);
    return i < c->topology.nodes - 1 && i > 0 ? i : -1;
}

bool cord__end_drawn_in(const cable *c, const double *q, int *end, int *node)
{
    double least;
    for (int side = 0; side < 2; side++) {
        *end = side == 0 ? 0 : c->topology.nodes - 1;
        *node = nearest_to_end(c, *end, &least);
        if (*node >= 0 && !((side == 0 ? 1 : -1) * length_of(c, q, *end, *node) > least))
            return true;
    }
    return false;
}

static double time_to_draw_in(const cable *c, const double *q, const double *v)
{
    double reach = INFINITY, least;
    for (int side = 0; side < 2; side++) {
        int end = side == 0 ? 0 : c->topology.nodes - 1, node = nearest_to_end(c, end, &least),
            sign = side == 0 ? 1 : -1;
        double rate = node >= 0 ? -sign * v[c->topology.node[node].s_dof] : 0;
        if (rate > 0) reach = fmin(reach, (sign * length_of(c, q, end, node) - 0.5 * least) / rate);
    }
    return reach;
}

double cord__time_to_resample(const cable *c, const double *q, const double *v)
{
    double least = time_to_draw_in(c, q, v), length, placed;
    int node;
    if (!cord__is_resampled(c)) return least;
    for (node_span p = {0}; next_span(c, &p);)
        for (int end = 0; end < 2; end++) {
            if (!end_segment(c, q, p, end, &length, &placed, &node)) continue;
            double rate = (end == 0 ? 1 : -1) * v[c->topology.node[node].s_dof];
            if (rate > 0 && !has_friction(c, p))
                least = fmin(least, (length - 0.5 * SHORT * placed) / rate);
        }
    return least;
}

bool cord__resamples(const cable *c, const double *q)
{
    if (!cord__is_resampled(c)) return false;
    for (node_span p = {0}; next_span(c, &p);)
        if (is_uneven(c, q, p)) return true;
    return false;
}

/* ---- the nodes of the successor ------------------------------------------------------------------------ */

/* The coordinate of a position on a line or a span, whose positions are linear in it. */
static double linear_coordinate(const cable *c, const double *cache, const cable_guide *g,
                                const double x[3])
{
    double from[3], along[3], zero[2] = {0, 0}, own[3], jacobian[6] = {0};
    if (guide_is_span(g)) {
        cord__span_ends(c, cache, g, from, along);
        v3_sub(along, along, from);
    } else {
        guide_position(g, zero, own, jacobian, NULL);
        to_world(guide_pose(c, cache, g), own, from);
        vector_to_world(guide_pose(c, cache, g), jacobian, along);
    }
    v3_sub(own, x, from);
    return v3_dot(own, along) / v3_dot(along, along);
}

/* The node at s of the guide `on`, on the present curve. */
static void resample_node(const cable *c, const double *cache, const double *v, int on, double s,
                          planned_node *n)
{
    double x[3], velocity[3], r_s[3];
    int segment = 0;
    while (segment + 2 < c->topology.nodes && cable_s(cache, segment + 1) <= s) segment++;
    double from = cable_s(cache, segment),
           alpha = (s - from) / (cable_s(cache, segment + 1) - from);
    const cable_node *ends = c->topology.node + segment;
    n->s = s;
    cord__cable_in(c, cache, v, segment, alpha, x, velocity, r_s);
    if (on < 0) {
        v3_copy(n->at, x);
        v3_copy(n->rate, velocity);
    } else if (ends->guide == on && ends[1].guide == on) {
        for (int k = 0; k < ends->size; k++)
            n->at[k] = (1 - alpha) * cable_coordinates(cache, segment)[k] +
                       alpha * cable_coordinates(cache, segment + 1)[k];
    } else {
        n->at[0] = linear_coordinate(c, cache, c->def.guide + on, x);
    }
}

void cord__plan_resampled(const cable *c, const double *q, const double *cache, const double *v,
                          cable_plan *plan)
{
    plan->base = c->topology.base, plan->length = c->topology.length;
    for (int i = 0; i < c->topology.nodes; i++) {
        cord__copy_node(c, cache, v, i, plan);
        planned_wrap *wrap = plan->wrap + plan->wraps;
        if (i + 1 < c->topology.nodes && cord__segment_friction(c, i, wrap)) plan->wraps++;
    }
    for (node_span p = {0}; next_span(c, &p);) {
        double from = cable_s(cache, p.first), length = cable_s(cache, p.last) - from;
        for (int i = p.first + 1; is_uneven(c, q, p) && i < p.last; i++)
            resample_node(c, cache, v, c->topology.node[i].guide,
                          from + length * c->topology.node[i].fraction, plan->node + i);
    }
}
