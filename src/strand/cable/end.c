/* Free ends that reach a pulley, stay in contact with it, and detach from it.
 *
 * Material that moves with the speed v round a pulley of radius r has the contact force (T − ρv²)/r
 * + ρg per length, g the component of gravity towards the centre. At a free end T = 0 and only
 * gravity presses. An arc is one segment with one axial force: contact is decided for the whole
 * arc. Where the contact force summed over the arc is not positive, the arc detaches and becomes a
 * sequence of straight elements. Otherwise the end stays on the pulley, as a Lagrangian node on its
 * circle, until the length of the arc is zero. */
#include "strand/cable/pulley.h"

/* Elements of an arc that detaches: approximate angle of each, and their maximal number. */
static const double SEGMENT_ANGLE = 0.25, SEGMENT_COST = 5e-5; /* rad; of the kinetic energy */
enum { MOST_SEGMENTS = ARC_NODES - 2 };

bool cord__has_pair(const cable_waypoint *s)
{
    return waypoint_nodes(s->kind) == 2 && !s->passed;
}

static bool is_free(const cable_waypoint *s)
{
    return s->kind == CORD_WAYPOINT_FREE || (s->kind == CORD_WAYPOINT_DRUM && s->passed);
}

/* The present waypoint nearest to an end; `side` is -1 for the start. */
static int next_to_end(const cable *c, int side)
{
    int i = side < 0 ? 1 : c->def.waypoints - 2;
    while (i > 0 && i < c->def.waypoints - 1 && !c->topology.waypoint[i].present) i -= side;
    return i;
}

static int end_waypoint(const cable_definition *def, int side)
{
    return side < 0 ? 0 : def->waypoints - 1;
}

/* The drum on which an end lies, or the next waypoint that it may reach; NULL: none, or the end is fixed. */
static cable_waypoint *waypoint_ahead(const cable *c, int side, bool *lies)
{
    cable_waypoint *end = c->topology.waypoint + end_waypoint(&c->def, side);
    int i = next_to_end(c, side);
    *lies = cord__has_pair(end) && end->loose;
    if (*lies) return end;
    if (!is_free(end) || i <= 0 || i >= c->def.waypoints - 1 || !c->topology.waypoint[i].present)
        return NULL;
    *lies = c->topology.waypoint[i].end == side;
    return c->topology.waypoint + i;
}

/* The centre of a circle; of a cylinder the point of its axis at the height of x. */
static void centre_of(const cable *c, const double *cache, const cable_waypoint *s,
                      const double x[3], double out[3])
{
    const cable_guide *g = c->def.guide + s->guide;
    const double *pose = guide_pose(c, cache, g);
    double axis[3], far;
    to_world(pose, g->origin, out);
    if (g->ops->planar) return;
    vector_to_world(pose, g->axes + 6, axis);
    v3_axpy(out, pulley_height(g, pose, x, &far), axis);
}

static double arc_of(const double *cache, const cable_waypoint *s)
{
    return fabs(cable_coordinates(cache, s->node + 1)[0] - cable_coordinates(cache, s->node)[0]);
}

/* The length that remains before a free end reaches its waypoint, or before the arc with the end on
 * it has zero length; and the speed. False: it does not approach. */
static bool runs_on(const cable *c, const double *cache, const double *v, int side, double *left,
                    double *speed)
{
    bool lies;
    const cable_waypoint *s = waypoint_ahead(c, side, &lies);
    if (!s) return false;
    int last = side < 0 ? 0 : c->topology.nodes - 1; /* the end, and the node at the waypoint */
    int node = s->node + ((side > 0) != lies && cord__has_pair(s));
    double here[3], there[3];
    if (c->topology.node[node].s_dof < 0) return false;
    *left = side * (cable_s(cache, last) - cable_s(cache, node));
    double rate = side * v[c->topology.node[node].s_dof];
    cord__node_velocity(c, cache, v, node, here);
    cord__node_velocity(c, cache, v, last, there);
    *speed = lies ? rate : fmax(rate, v3_distance(here, there));
    return rate > 0;
}

bool cord__has_free_end(const cable *c)
{
    for (int side = -1; side <= 1 && c->def.waypoints > 1 && !c->def.closed; side += 2) {
        const cable_waypoint *end = c->topology.waypoint + end_waypoint(&c->def, side);
        if (is_free(end) || end->loose) return true;
    }
    return false;
}

/* ---- fixed ends
 * ---------------------------------------------------------------------------------- */

/* The nodes of the segment at a fixed end whose length decreases to zero, the earlier one first, and the minimal
 * length. False: the end is not fixed, or there is no waypoint to which it can be pulled. */
static bool anchored_part(const cable *c, int side, int *from, int *to, double *least)
{
    if (c->def.waypoints < 2 || c->def.closed) return false;
    const cable_waypoint *end = c->topology.waypoint + end_waypoint(&c->def, side);
    bool drum = end->kind == CORD_WAYPOINT_DRUM;
    int i = next_to_end(c, side), last = side < 0 ? 0 : c->topology.nodes - 1, other = last;
    if (is_free(end) || end->loose) return false;
    if (drum)
        other = side < 0 ? end->node + 1 : end->node;
    else if (end->kind == CORD_WAYPOINT_ANCHOR && i > 0 && i < c->def.waypoints - 1)
        other =
            c->topology.waypoint[i].node + (side > 0 && cord__has_pair(c->topology.waypoint + i));
    if (other == last || c->topology.node[other].s_dof < 0) return false;
    *from = side < 0 ? last : other, *to = side < 0 ? other : last;
    *least = drum ? LEAST_WRAP * c->def.guide[end->guide].radius
                  : 1e-5 * c->topology.length /
                        (c->def.waypoints - 1); /* of the length between two waypoints */
    return true;
}

double cord__time_to_draw_in(const cable *c, const double *q, const double *v)
{
    double reach = INFINITY, least;
    int from, to;
    for (int side = -1; side <= 1; side += 2) {
        if (!anchored_part(c, side, &from, &to, &least)) continue;
        double left = cable_s_at(c->topology.node + to, q) - cable_s_at(c->topology.node + from, q);
        double rate =
            cable_s_rate(c->topology.node + from, v) - cable_s_rate(c->topology.node + to, v);
        if (rate > 0) reach = fmin(reach, (left - 0.5 * least) / rate);
    }
    return reach;
}

int cord__drawn_in(const cable *c, const double *q)
{
    double least;
    int from, to;
    for (int side = -1; side <= 1; side += 2)
        if (anchored_part(c, side, &from, &to, &least) &&
            !(cable_s_at(c->topology.node + to, q) - cable_s_at(c->topology.node + from, q) >
              least))
            return end_waypoint(&c->def, side);
    return -1;
}

/* ---- ends that are free --------------------------------------------------------------------------------- */

double cord__time_to_run_on(const cable *c, const double *cache, const double *v)
{
    double least = INFINITY, left, speed;
    for (int side = -1; side <= 1; side += 2)
        if (runs_on(c, cache, v, side, &left, &speed)) least = fmin(least, left / speed);
    return least;
}

/* Speed of the material about the axis of a pulley, at an Eulerian end of its arc. */
static double round_speed(const cable *c, const element_input *in, const cable_waypoint *s)
{
    const cable_node *n = c->topology.node + s->node + (c->topology.node[s->node].s_dof < 0);
    double along = s->side * helix_cosine(c, in->cache, s->node);
    return fabs(in->v[n->dof] - along * (n->s_dof >= 0 ? in->v[n->s_dof] : 0));
}

/* Whether the contact force of the arc on its pulley is positive. */
static bool is_pressed(const cable *c, const element_input *in, const cable_waypoint *s)
{
    const cable_guide *g = c->def.guide + s->guide;
    double round = round_speed(c, in, s);
    double x[3], out[3], velocity[3], r_s[3], from = cable_s(in->cache, s->node);
    double to = cable_s(in->cache, s->node + 1);
    double half = 0.5 * arc_of(in->cache, s) / g->radius;
    double cosine = helix_cosine(c, in->cache, s->node); /* the normal curvature is cos²β/r */
    element_terms t;
    cord__element_terms(c, c->layout.element + s->node, in, &t);
    /* The mean of the outward component along the arc is its value in the middle times sin(φ/2)/(φ/2). */
    cord__cable_at(c, in->cache, in->v, 0.5 * (from + to), x, velocity, r_s);
    centre_of(c, in->cache, s, x, out);
    v3_sub(out, x, out);
    double pull = v3_dot(in->environment->gravity, out) / g->radius * sin(half) / half;
    return t.tension * cosine * cosine -
               c->def.linear_density * (round * round + pull * g->radius) >
           0;
}

/* The number of elements of an arc that detaches. Straight elements of an angle δ lie r δ²/24 inside the arc; the
 * change of their potential energy must be small compared with the kinetic energy. An element must also be longer
 * than its displacement in one step, which limits the resolution of the whipping motion. */
static int arc_segments_of(const cable *c, const element_input *in, const cable_waypoint *s,
                           double advance)
{
    double r = c->def.guide[s->guide].radius, arc = arc_of(in->cache, s);
    double weight = c->def.linear_density * arc * v3_norm(in->environment->gravity),
           angle = SEGMENT_ANGLE;
    double kinetic = cord__cable_kinetic(c, in->cache, in->v);
    if (weight > 0) angle = fmin(angle, sqrt(24 * SEGMENT_COST * kinetic / (weight * r)));
    bool coarse =
        c->def.material.stretching > 0; /* short elastic elements ring faster than steps follow */
    angle = coarse ? 2 * SEGMENT_ANGLE : fmin(fmax(angle, 4 * advance / r), 2 * SEGMENT_ANGLE);
    return (int)fmax(1, fmin(ceil(arc / r / angle), MOST_SEGMENTS));
}

/* Whether the contact state of one end changes: it comes into contact with the pulley, or becomes free. */
static bool end_wraps(const cable *c, const element_input *in, double step, int side, bool *present)
{
    bool lies;
    double left, speed;
    int end = end_waypoint(&c->def, side);
    cable_waypoint *s = waypoint_ahead(c, side, &lies);
    if (!s || !present[s - c->topology.waypoint]) return false;
    bool pulley = s->kind == CORD_WAYPOINT_PULLEY;
    double least = lies ? LEAST_WRAP * c->def.guide[s->guide].radius : 0;
    bool near = runs_on(c, in->cache, in->v, side, &left, &speed) &&
                left < fmax(4 * CLOSEST_EVENT * step * speed, least);
    if (!near && !(lies && pulley)) return false;
    bool pressed = pulley && is_pressed(c, in, s);
    if (lies && pressed && !near) return false;
    for (int i = end - side; i > 0 && i < c->def.waypoints - 1 && c->topology.waypoint + i != s;
         i -= side)
        c->topology.waypoint[i].passed = true; /* waypoints between are passed */
    if (!lies && pressed && s->end == 0) {
        present[end] = false; /* it comes into contact */
        return true;
    }
    s->passed = true;
    if (!pulley && lies) return true; /* unwound from a drum */
    s->arc_segments = pulley ? arc_segments_of(c, in, s, step * round_speed(c, in, s)) : 0;
    present[s - c->topology.waypoint] = false;
    present[end] = true;
    if (s->end == -side) present[end_waypoint(&c->def, -side)] = true; /* both were on it */
    return true;
}

bool cord__ends_wrap(const cable *c, const element_input *in, double step, bool *present)
{
    bool changed = false;
    for (int side = -1; side <= 1 && c->def.waypoints > 1 && !c->def.closed; side += 2)
        changed = end_wraps(c, in, step, side, present) || changed;
    return changed;
}

/* The end on its pulley, instead of the node where the cable entered. */
void cord__plan_end_on(const cable *c, const double *cache, const cable_waypoint *s, int side,
                       planned_node pair[2])
{
    planned_node *n = pair + (side > 0);
    int last = side < 0 ? 0 : c->topology.nodes - 1;
    double s_end = cable_s(cache, last), along[2] = {s->side, 0};
    if (!c->def.guide[s->guide].ops->planar) {
        double length = hypot(pair[1].at[0] - pair->at[0], pair[1].at[1] - pair->at[1]);
        for (int k = 0; k < 2; k++) along[k] = (pair[1].at[k] - pair->at[k]) / length;
    }
    for (int k = 0; k < 2; k++) {
        n->at[k] += along[k] * (s_end - n->s);
        n->rate[k] -= along[k] * n->s_rate;
    }
    n->s = s_end;
    n->s_rate = 0;
    n->eulerian = false;
    n->tangent = 0;
}

/* Vertices of the arc's elements: at the radius for which the elements have the length of the arc. */
static void corner(const cable *c, const double *cache, const double *v, const cable_waypoint *s,
                   double at, planned_node *n)
{
    double centre[3], r_s[3], r = c->def.guide[s->guide].radius;
    double half = 0.5 * arc_of(cache, s) / r / s->arc_segments,
           out = half > 0 ? half / sin(half) : 1;
    cord__cable_at(c, cache, v, at, n->at, n->rate, r_s);
    centre_of(c, cache, s, n->at, centre);
    v3_combine(n->at, out, n->at, 1 - out, centre);
    v3_axpy(n->rate, n->s_rate, r_s);
}

/* The end that passes a pulley: −1 the start, 1 the end. */
static int passing_end(const cable *c, const double *cache, const cable_waypoint *s)
{
    double behind = cable_s(cache, s->node) - cable_s(cache, 0);
    double ahead = cable_s(cache, c->topology.nodes - 1) - cable_s(cache, s->node + 1);
    return behind < ahead ? -1 : 1;
}

bool cord__end_is_freed(const cable *c, const double *cache, const cable_waypoint *waypoints,
                        int waypoint)
{
    int side = waypoint == 0 ? -1 : 1, i = next_to_end(c, side);
    const cable_waypoint *end = c->topology.waypoint + waypoint, *s = c->topology.waypoint + i;
    if (c->def.closed || (waypoint > 0 && waypoint < c->def.waypoints - 1)) return false;
    if (end->kind == CORD_WAYPOINT_DRUM)
        return end->passed && c->topology.node[end->node].guide >= 0;
    return end->kind == CORD_WAYPOINT_FREE && i > 0 && i < c->def.waypoints - 1 &&
           s->kind == CORD_WAYPOINT_PULLEY && s->passed && !waypoints[i].present &&
           passing_end(c, cache, s) == side;
}

void cord__plan_freed_end(const cable *c, const double *cache, const double *v, int end,
                          cable_plan *plan)
{
    int side = end == 0 ? -1 : 1, last = side < 0 ? 0 : c->topology.nodes - 1,
        i = next_to_end(c, side);
    planned_node *n = plan->node + plan->nodes++;
    double r_s[3];
    *n = (planned_node){.guide = -1, .waypoint = end, .s = cable_s(cache, last)};
    if (c->topology.waypoint[end].kind == CORD_WAYPOINT_DRUM)
        cord__cable_at(c, cache, v, n->s, n->at, n->rate, r_s);
    else
        corner(c, cache, v, c->topology.waypoint + i, n->s, n);
}

/* Its other vertices, up to the next planned waypoint; none where the arc is negligible. */
void cord__plan_arc(const cable *c, const double *cache, const double *v, int waypoint,
                    const planned_node *next, cable_plan *plan)
{
    const cable_waypoint *s = c->topology.waypoint + waypoint;
    int side = passing_end(c, cache, s);
    if (arc_of(cache, s) < 20 * LEAST_WRAP * c->def.guide[s->guide].radius) return;
    const planned_node *before = plan->node + plan->nodes - 1;
    double from = before->s, rate = before->s_rate;
    double s_from = cable_s(cache, s->node), s_to = cable_s(cache, s->node + 1);
    for (int k = side < 0; k < s->arc_segments + (side < 0); k++) {
        double at = s_from + (s_to - s_from) * k / s->arc_segments,
               part = (at - from) / (next->s - from);
        planned_node *n = plan->node + plan->nodes++;
        *n = (planned_node){.guide = -1, .waypoint = -1, .s = at};
        n->eulerian = n->evenly_spaced = n->retained = true;
        n->s_rate = (1 - part) * rate + part * next->s_rate;
        corner(c, cache, v, s, at, n);
    }
}
