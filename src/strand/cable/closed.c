/* Closed cables: belts and endless chains. The list of nodes has one additional node, an alias of
 * the first: the same dofs, and a material coordinate larger by the whole length. Every segment is
 * therefore between consecutive nodes, and the element terms are those of an open cable.
 *
 * An inextensible belt on pulleys at prescribed positions has one redundant length row: tangency
 * determines the path of the cable, and so its length. The multiplier of that row, a uniform
 * tension, is not determined by equilibrium. Its value is the limit of a belt of large stiffness:
 * where the length of the path is constant, the mean strain and the mean tension are constant too.
 * Tensions are therefore measured from the prescribed mean tension, and where all pulleys are in
 * one plane of the world or of one body, the mean of the multipliers is subtracted. All length rows
 * have a compliance: a strain of 10⁻¹¹ where that mean equals the prescribed tension plus the
 * weight of the cable. For consistent rows the mean is then near zero, and it does not drift. Each
 * segment has a tenth of that compliance for its own multiplier: where the pulleys do not rotate
 * either, the tension of each straight span is indeterminate. */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

static const double SLACK = 1e-11, OWN = 0.1, WEIGHT = 10; /* m/s² */
static const double HOLD = 1e-4;

void cord__closed_nodes(cable *c)
{
    c->row_stiffness = c->material.stretching / c->length;
    if (!c->closed) return;
    c->row_stiffness += c->kept_tension / c->length + WEIGHT * c->material.density;
    int own = cable_own_nodes(c);
    for (int k = 0; k < 2; k++) {
        c->node[own + k] = c->node[k];
        c->node[own + k].s += c->length;
    }
    c->compliance = c->material.stretching > 0
                        ? 0
                        : SLACK / (c->kept_tension + WEIGHT * c->material.density * c->length);
}

void cord__closed_cache(const cable *c, double *cache)
{
    if (!c->closed) return;
    double *to = cache + (size_t)NODE_CACHE * (size_t)cable_own_nodes(c);
    memcpy(to, cache, 2 * NODE_CACHE * sizeof *to);
    for (int k = 0; k < 2; k++) to[NODE_CACHE * k + 15] += c->length;
}

double cord__closed_slack(const cable *c, const cable_element *e, const element_input *in,
                          double ds, double *diagonal)
{
    *diagonal = -(1 + OWN) * c->compliance * ds;
    return c->compliance * ds * (in->off + OWN * (in->lambda ? in->lambda[e->row] : 0));
}

double cord__closed_mean(const cable *c, const double *cache, const double *lambda)
{
    double sum = 0;
    for (int i = 0; c->compliance > 0 && i + 1 < c->nodes; i++) /* segments come first */
        sum += lambda[c->element[i].row] * (cable_s(cache, i + 1) - cable_s(cache, i));
    return sum / c->length;
}

/* Position of a node, and the axis of its pulley, in the axes of its carrier. */
static void own_position(const cable *c, int node, double position[3])
{
    const cable_node *n = c->node + node % cable_own_nodes(c);
    guide_position(c->guide + n->guide, c->initial_q + n->q, position, NULL, NULL);
}

/* Whether the segments adjacent to a node on a pulley are orthogonal to its axis. */
static bool is_level(const cable *c, int node)
{
    const cable_guide *g = c->guide + c->node[node].guide;
    double from[3], way[3];
    own_position(c, node, from);
    for (int k = 0; k < 2; k++) {
        own_position(c, node + (k ? 1 : cable_own_nodes(c) - 1), way);
        v3_sub(way, way, from);
        if (fabs(v3_dot(way, g->axes + 6)) > 1e-9 * v3_norm(way)) return false;
    }
    return true;
}

bool cord__closed_is_rigid(const cable *c)
{
    if (c->compliance == 0) return false;
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->node + i;
        if (n->guide < 0) return false;
    }
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->node + i;
        const cable_guide *g = c->guide + n->guide;
        bool pulley = g->ops->planar && n->tangent != 0;
        if (g->carrier != c->guide[c->node[0].guide].carrier) return false;
        if (g->ops->coordinates > 0 && !(pulley && is_level(c, i))) return false;
    }
    return true;
}

static bool is_tied(const cable *c)
{
    for (int i = 0; i < cable_own_nodes(c); i++)
        if (c->node[i].s_dof < 0) return true;
    return false;
}

void cord__closed_stabilise(const cable *c, const element_input *in, const local_matrix *matrix)
{
    if (!c->closed || in->c_a != 0 || c->node->s_dof < 0) return;
    int i = c->element->local[0].s, slot = c->element->first_slot + i * (i + 1) / 2 + i;
    *matrix_extra_entry(matrix, slot) += HOLD * in->c_k * c->row_stiffness;
}

/* Beyond half a length the subtraction is exact in floating point. The references of no-slip
 * contacts are shifted with the material coordinates. */
bool cord__closed_recount(const cable *c, double *q, double *side)
{
    if (!c->closed || is_tied(c)) return false;
    double first = q[c->node->q + c->node->count], whole = round(first / c->length) * c->length;
    if (fabs(first) <= 0.5 * c->length) return false;
    for (int i = 0; i < c->elements; i++) {
        const cable_element *e = c->element + i;
        const cable_node *n = c->node + e->node;
        if (e->kind == ELEMENT_NO_SLIP)
            ((no_slip_memory *)(side + e->memory))->reference +=
                q[n[1].q] > q[n->q] ? whole : -whole;
        if (e->kind == ELEMENT_ROLLING) ((rolling_memory *)(side + e->memory))->s -= whole;
    }
    for (int i = 0; i < cable_own_nodes(c); i++) q[c->node[i].q + c->node[i].count] -= whole;
    return true;
}

/* The wrap angle of the pulley of a waypoint; rad. */
static double wrap_now(const cable *c, const cable_waypoint *s, const double *q)
{
    if (!s->present) return -1;
    if (s->kind != CORD_WAYPOINT_PULLEY) return INFINITY;
    const cable_node *n = c->node + s->node;
    return s->side * (q[n[1].q] - q[n->q]) / c->guide[s->guide].radius;
}

/* Well before the pulley is unwrapped, and to a waypoint that remains; with hysteresis. */
bool cord__closed_renumbers(const cable *c, const double *q, int *base)
{
    *base = c->base;
    if (!c->closed || c->waypoints == 0 || wrap_now(c, c->waypoint + c->base, q) > 0.2)
        return false;
    double best = 0.5;
    for (int i = 0; i < c->waypoints; i++) {
        double wrap = wrap_now(c, c->waypoint + i, q);
        if (wrap > best) best = wrap, *base = i;
    }
    return *base != c->base;
}

double cord__closed_s(const cable *c, const double *cache, double s)
{
    return s - c->length * floor((s - cable_s(cache, 0)) / c->length);
}

void cord__closed_frames(const cable *c, double *frames)
{
    double *last = frames + 9 * (c->vertices - 1), back[3];
    if (!c->closed || !transport(back, last, frames, last + 3)) return;
    double angle = atan2(v3_dot(back, frames + 6), v3_dot(back, frames + 3));
    for (int i = 1; i < c->vertices; i++) {
        double *frame = frames + 9 * i;
        rotate_about(frame + 3, frame, -angle * i / c->vertices);
        v3_cross(frame + 6, frame, frame + 3);
    }
}
