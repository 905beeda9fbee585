/* Rows of a cable without their matrix: values from positions, rates from velocities. */
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <string.h>

/* Any other row: the whole element. */
static void whole(const cable *c, const cable_element *e, const double *cache, const double *side,
                  bool matrix, element_terms *out)
{
    static const environment nothing = {0};
    element_input in = {
        .cache = cache, .side = side, .environment = &nothing, .rows_only = true, .matrix = matrix};
    cord__element_terms(c, e, &in, out);
}

/* Segments on isometric guides, whose length is the distance in coordinates. */
static bool is_flat(const cable *c, const cable_element *e)
{
    return c->def.guide[c->topology.node[e->node].guide].ops->isometric;
}

/* The difference of the end coordinates; and the length. */
static double flat_chord(const cable *c, const cable_element *e, const double *cache,
                         double chord[2])
{
    const double *from = cable_coordinates(cache, e->node);
    const double *to = cable_coordinates(cache, e->node + 1);
    chord[0] = to[0] - from[0];
    chord[1] = c->topology.node[e->node].size > 1 ? to[1] - from[1] : 0;
    return c->topology.node[e->node].size > 1 ? sqrt(chord[0] * chord[0] + chord[1] * chord[1])
                                              : fabs(chord[0]);
}

bool cord__row_is_simple(const cable *c, const cable_element *e)
{
    return e->kind == ELEMENT_STRAIGHT || (e->kind == ELEMENT_CURVED && is_flat(c, e));
}

double cord__row_value(const cable *c, const cable_element *e, const double *cache,
                       const double *side)
{
    double chord[3];
    const double ds = cable_s(cache, e->node + 1) - cable_s(cache, e->node);
    if (length_slack(e, side)) return 0;
    if (e->kind == ELEMENT_STRAIGHT)
        return v3_distance(cable_position(cache, e->node), cable_position(cache, e->node + 1)) - ds;
    if (e->kind == ELEMENT_CURVED && is_flat(c, e)) return flat_chord(c, e, cache, chord) - ds;
    if (e->kind == ELEMENT_TANGENT) {
        double normal[3];
        int own = e->node + e->end, other = e->node + 1 - e->end;
        c->def.guide[c->topology.node[own].guide].ops->normal(c, cache, own, normal);
        v3_sub(chord, cable_position(cache, other), cable_position(cache, own));
        return v3_dot(normal, chord);
    }
    if (e->kind == ELEMENT_TORSION) return cord__twist_row(c, cache);
    element_terms t;
    whole(c, e, cache, side, false, &t);
    return t.r[e->count - 1];
}

static double s_rate(const cable_topology *topology, int node, const double *v)
{
    return topology->node[node].s_dof >= 0 ? v[topology->node[node].s_dof] : 0;
}

/* Rate of the tangency row, n · (v' − v) + ṅ · chord; n rotates with its carrier and with the coordinate of the node. */
static double tangent_rate(const cable *c, const cable_element *e, const double *cache,
                           const double *v)
{
    int own = e->node + e->end, other = e->node + 1 - e->end;
    const cable_node *n = c->topology.node + own;
    const cable_guide *on = c->def.guide + n->guide;
    double normal[3], chord[3], moves[2][3], turning[3] = {0};
    on->ops->normal(c, cache, own, normal);
    v3_sub(chord, cable_position(cache, other), cable_position(cache, own));
    cord__node_velocity(c, cache, v, own, moves[0]);
    cord__node_velocity(c, cache, v, other, moves[1]);
    v3_sub(moves[1], moves[1], moves[0]);
    if (on->carrier >= 0 && c->def.carrier[on->carrier].rotates)
        v3_cross(turning, v + cable_carrier_dof(c, on->carrier) + 3, normal);
    double change[6];
    int count = on->ops->normal_jacobian(c, cache, own, change);
    for (int k = 0; k < count; k++) v3_axpy(turning, v[n->dof + k], change + 3 * k);
    return v3_dot(normal, moves[1]) + v3_dot(turning, chord);
}

double cord__row_rate(const cable *c, const cable_element *e, const double *cache,
                      const double *side, const double *v)
{
    double chord[3] = {0}, moves[2][3];
    const double rate = s_rate(&c->topology, e->node + 1, v) - s_rate(&c->topology, e->node, v);
    if (length_slack(e, side)) return 0;
    if (e->kind == ELEMENT_STRAIGHT) {
        double rebound = side && e->one_sided ? cord__slack_rebound(e, side) : 0;
        v3_sub(chord, cable_position(cache, e->node + 1), cable_position(cache, e->node));
        for (int k = 0; k < 2; k++) cord__node_velocity(c, cache, v, e->node + k, moves[k]);
        v3_sub(moves[1], moves[1], moves[0]);
        return v3_dot(chord, moves[1]) / v3_norm(chord) - rate + rebound;
    }
    if (e->kind == ELEMENT_CURVED && is_flat(c, e)) {
        double l = flat_chord(c, e, cache, chord), sum = 0;
        const cable_node *n = c->topology.node + e->node;
        for (int k = 0; k < n->size; k++)
            sum += chord[k] * (cable_rate(&c->topology, e->node + 1, k, v) -
                               cable_rate(&c->topology, e->node, k, v));
        return sum / l - rate;
    }
    if (e->kind == ELEMENT_TANGENT) return tangent_rate(c, e, cache, v);
    bool contact = e->kind == ELEMENT_NO_SLIP || e->kind == ELEMENT_ROLLING;
    if (contact && e->slip >= 0) return cord__slip_row_rate(c, e, cache, side, v);
    element_terms t;
    double sum = 0;
    whole(c, e, cache, side, true, &t);
    for (int k = 0; k < e->count - 1; k++)
        sum += t.a[e->count - 1][k] * v[c->layout.unknown[e->first + k]];
    return sum;
}
