/* The list of guides, and the carriers of nodes on them. */
#include "strand/cable/guide.h"

const guide_ops *cord__guide_ops(int kind)
{
#define LIST_GUIDE(constant, name) [CORD_GUIDE_##constant] = &cord__guide_##name,
    static const guide_ops *const list[] = {CORD_GUIDE_LIST(LIST_GUIDE)};
#undef LIST_GUIDE
    return kind >= 0 && (size_t)kind < sizeof list / sizeof *list ? list[kind] : NULL;
}

void cord__span_ends(const cable *c, const double *cache, const cable_guide *g, double from[3],
                     double to[3])
{
    to_world(guide_pose(c, cache, g), g->origin, from);
    to_world(g->far_carrier >= 0 ? carrier_pose(c, cache, g->far_carrier) : NULL, g->far, to);
}

int cord__node_carriers(const cable *c, const double *cache, int node, node_carrier *on)
{
    const cable_node *n = c->topology.node + node;
    const cable_guide *g = n->guide >= 0 ? c->def.guide + n->guide : NULL;
    int count = 0;
    if (!g) return 0;
    if (!guide_is_span(g)) {
        if (g->carrier < 0) return 0;
        *on = (node_carrier){.carrier = g->carrier, .weight = 1};
        v3_sub(on->arm, cable_position(cache, node), carrier_pose(c, cache, g->carrier));
        return 1;
    }
    double ends[2][3], along = cable_coordinates(cache, node)[0];
    const int carrier[2] = {g->carrier, g->far_carrier};
    cord__span_ends(c, cache, g, ends[0], ends[1]);
    for (int k = 0; k < 2; k++) {
        if (carrier[k] < 0) continue;
        on[count] = (node_carrier){.carrier = carrier[k],
                                   .weight = k ? along : 1 - along,
                                   .weight_derivative = k ? 1 : -1};
        v3_sub(on[count++].arm, ends[k], carrier_pose(c, cache, carrier[k]));
    }
    return count;
}
