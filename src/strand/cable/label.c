/* Names of nodes and rows in messages. */
#include "strand/cable/cable.h"

#include <stdio.h>

/* "node 3 on 'table' (line)" */
void cord__node_label(const cable *c, int node, char *out, size_t size)
{
    const cable_node *n = c->topology.node + node;
    const cable_guide *g = n->guide >= 0 ? c->def.guide + n->guide : NULL;
    if (n->waypoint >= 0 && !c->def.by_nodes)
        snprintf(out, size, "node %d at waypoint %d", node, n->waypoint);
    else if (!g)
        snprintf(out, size, "node %d (free)", node);
    else if (g->name[0])
        snprintf(out, size, "node %d on '%s' (%s)", node, g->name, g->ops->name);
    else
        snprintf(out, size, "node %d on guide %d (%s)", node, n->guide, g->ops->name);
}

void cord__row_label(const void *model, int row, char *out, size_t size)
{
    const cable *c = model;
    const cable_element *e = c->layout.element + c->layout.row_element[row];
    char node[2][80];
    for (int k = 0; k < 2; k++) cord__node_label(c, e->node + k, node[k], sizeof node[k]);
    switch (e->kind) {
    case ELEMENT_TANGENT:
        snprintf(out, size, "the tangent of %s to %s", node[e->end], node[1 - e->end]);
        return;
    case ELEMENT_NO_SLIP:
    case ELEMENT_ROLLING:
        snprintf(out, size, "the contact without slip from %s to %s", node[0], node[1]);
        return;
    case ELEMENT_GROOVE: snprintf(out, size, "the groove at %s", node[e->end]); return;
    case ELEMENT_EVENLY_SPACED:
        snprintf(out, size, "the material coordinate of %s", node[1]);
        return;
    case ELEMENT_TORSION:
    case ELEMENT_TWIST: snprintf(out, size, "the twist between its clamps"); return;
    default: snprintf(out, size, "the length from %s to %s", node[0], node[1]);
    }
}
