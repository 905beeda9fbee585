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
static const double CIRCULATION = 1e-4;

void cord__closed_nodes(cable *c)
{
    c->layout.row_stiffness = c->def.material.stretching / c->topology.length;
    if (!c->def.closed) return;
    c->layout.row_stiffness +=
        c->def.prescribed_tension / c->topology.length + WEIGHT * c->def.material.density;
    int own = cable_own_nodes(c);
    for (int k = 0; k < 2; k++) {
        c->topology.node[own + k] = c->topology.node[k];
        c->topology.node[own + k].s += c->topology.length;
    }
    c->layout.compliance = c->def.material.stretching > 0
                               ? 0
                               : SLACK / (c->def.prescribed_tension +
                                          WEIGHT * c->def.material.density * c->topology.length);
}

void cord__closed_cache(const cable *c, double *cache)
{
    if (!c->def.closed) return;
    double *to = cache + (size_t)NODE_CACHE * (size_t)cable_own_nodes(c);
    memcpy(to, cache, 2 * NODE_CACHE * sizeof *to);
    for (int k = 0; k < 2; k++) to[NODE_CACHE * k + 15] += c->topology.length;
}

double cord__closed_slack(const cable_layout *layout, const cable_element *e,
                          const element_input *in, double ds, double *diagonal)
{
    *diagonal = -(1 + OWN) * layout->compliance * ds;
    return layout->compliance * ds * (in->off + OWN * (in->lambda ? in->lambda[e->row] : 0));
}

double cord__closed_mean(const cable *c, const double *cache, const double *lambda)
{
    double sum = 0;
    for (int i = 0; c->layout.compliance > 0 && i + 1 < c->topology.nodes;
         i++) /* segments come first */
        sum += lambda[c->layout.element[i].row] * (cable_s(cache, i + 1) - cable_s(cache, i));
    return sum / c->topology.length;
}

/* Position of a node, and the axis of its pulley, in the axes of its carrier. */
static void own_position(const cable *c, int node, double position[3])
{
    const cable_node *n = c->topology.node + node % cable_own_nodes(c);
    guide_position(c->def.guide + n->guide, c->initial.q + n->q, position, NULL, NULL);
}

/* Whether the segments adjacent to a node on a pulley are orthogonal to its axis. */
static bool is_level(const cable *c, int node)
{
    const cable_guide *g = c->def.guide + c->topology.node[node].guide;
    double from[3], chord[3];
    own_position(c, node, from);
    for (int k = 0; k < 2; k++) {
        own_position(c, node + (k ? 1 : cable_own_nodes(c) - 1), chord);
        v3_sub(chord, chord, from);
        if (fabs(v3_dot(chord, g->axes + 6)) > 1e-9 * v3_norm(chord)) return false;
    }
    return true;
}

bool cord__closed_is_rigid(const cable *c)
{
    if (c->layout.compliance == 0) return false;
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->topology.node + i;
        if (n->guide < 0) return false;
    }
    for (int i = 0; i < cable_own_nodes(c); i++) {
        const cable_node *n = c->topology.node + i;
        const cable_guide *g = c->def.guide + n->guide;
        bool pulley = g->ops->planar && n->tangent != 0;
        if (g->carrier != c->def.guide[c->topology.node[0].guide].carrier) return false;
        if (g->ops->coordinates > 0 && !(pulley && is_level(c, i))) return false;
    }
    return true;
}

static bool is_tied(const cable *c)
{
    for (int i = 0; i < cable_own_nodes(c); i++)
        if (c->topology.node[i].s_dof < 0) return true;
    return false;
}

void cord__closed_stabilise(const cable *c, const element_input *in, const local_matrix *matrix)
{
    if (!c->def.closed || in->c_a != 0 || c->topology.node->s_dof < 0) return;
    int i = c->layout.element->local[0].s,
        slot = c->layout.element->first_slot + i * (i + 1) / 2 + i;
    *matrix_extra_entry(matrix, slot) += CIRCULATION * in->c_k * c->layout.row_stiffness;
}

/* Beyond half a length the subtraction is exact in floating point. The references of no-slip
 * contacts are shifted with the material coordinates. */
bool cord__closed_recount(const cable *c, double *q, double *side)
{
    if (!c->def.closed || is_tied(c)) return false;
    double first = q[c->topology.node->q + c->topology.node->count],
           whole = round(first / c->topology.length) * c->topology.length;
    if (fabs(first) <= 0.5 * c->topology.length) return false;
    for (int i = 0; i < c->layout.elements; i++) {
        const cable_element *e = c->layout.element + i;
        const cable_node *n = c->topology.node + e->node;
        if (e->kind == ELEMENT_NO_SLIP) {
            no_slip_memory *contact = (no_slip_memory *)(side + e->memory);
            contact->reference +=
                (q[n[1].q] > q[n->q] ? whole : -whole) * contact_cosine(c, e, contact);
        }
        if (e->kind == ELEMENT_ROLLING) ((rolling_memory *)(side + e->memory))->s -= whole;
    }
    for (int i = 0; i < cable_own_nodes(c); i++)
        q[c->topology.node[i].q + c->topology.node[i].count] -= whole;
    return true;
}

/* The wrap angle of the pulley of a waypoint; rad. */
static double wrap_now(const cable *c, const cable_waypoint *s, const double *q)
{
    if (!s->present) return -1;
    if (s->kind != CORD_WAYPOINT_PULLEY) return INFINITY;
    const cable_node *n = c->topology.node + s->node;
    return s->side * (q[n[1].q] - q[n->q]) / c->def.guide[s->guide].radius;
}

/* Well before the pulley is unwrapped, and to a waypoint that remains; with hysteresis. */
bool cord__closed_renumbers(const cable *c, const double *q, int *base)
{
    *base = c->topology.base;
    if (!c->def.closed || c->def.waypoints == 0 ||
        wrap_now(c, c->topology.waypoint + c->topology.base, q) > 0.2)
        return false;
    double best = 0.5;
    for (int i = 0; i < c->def.waypoints; i++) {
        double wrap = wrap_now(c, c->topology.waypoint + i, q);
        if (wrap > best) best = wrap, *base = i;
    }
    return *base != c->topology.base;
}

double cord__closed_s(const cable_topology *topology, const double *cache, double s)
{
    return s - topology->length * floor((s - cable_s(cache, 0)) / topology->length);
}

void cord__closed_frames(const cable_definition *def, double *frames)
{
    double *last = frames + 9 * (def->vertices - 1), back[3];
    if (!def->closed || !transport(back, last, frames, last + 3)) return;
    double angle = atan2(v3_dot(back, frames + 6), v3_dot(back, frames + 3));
    for (int i = 1; i < def->vertices; i++) {
        double *frame = frames + 9 * i;
        rotate_about(frame + 3, frame, -angle * i / def->vertices);
        v3_cross(frame + 6, frame, frame + 3);
    }
}
