/* The unknowns of an element of a cable, and the indices of its nodes' unknowns among them. */
#include "strand/cable/cable.h"

/* An unknown is added to the list unless it is there. */
static void list(int *unknown, int *count, int which)
{
    for (int i = 0; i < *count; i++)
        if (unknown[i] == which) return;
    unknown[(*count)++] = which;
}

static void list_node(const cable_topology *topology, int node, bool with_coordinates, bool with_s,
                      int *unknown, int *count)
{
    const cable_node *n = topology->node + node;
    for (int k = 0; with_coordinates && k < n->count; k++) list(unknown, count, n->dof + k);
    if (with_s && n->s_dof >= 0) list(unknown, count, n->s_dof);
}

/* Carriers of a node; -1: none. */
static void carriers_of(const cable *c, int node, int carrier[NODE_CARRIERS])
{
    const cable_guide *g =
        c->topology.node[node].guide >= 0 ? c->def.guide + c->topology.node[node].guide : NULL;
    carrier[0] = g ? g->carrier : -1;
    carrier[1] = g ? g->far_carrier : -1;
    if (carrier[0] >= 0) return;
    carrier[0] = carrier[1]; /* those that there are come first */
    carrier[1] = -1;
}

static void list_carriers(const cable *c, int node, int *unknown, int *count)
{
    int carrier[NODE_CARRIERS];
    carriers_of(c, node, carrier);
    for (int i = 0; i < NODE_CARRIERS && carrier[i] >= 0; i++)
        for (int k = 0; k < (c->def.carrier[carrier[i]].rotates ? CARRIER_DOFS : 3); k++)
            list(unknown, count, cable_carrier_dof(c, carrier[i]) + k);
}

static int nodes_of(const cable *c, const cable_element *e)
{
    if (e->kind == ELEMENT_TORSION) return 0;
    if (e->kind == ELEMENT_MASS) return 1;
    bool between = e->kind == ELEMENT_TWIST && e->end == 1 && e->node + 2 < c->topology.nodes;
    return between || e->kind == ELEMENT_BEND || e->kind == ELEMENT_EVENLY_SPACED ? 3 : 2;
}

static int index_of(const int *unknown, int count, int which)
{
    for (int i = 0; which >= 0 && i < count; i++)
        if (unknown[i] == which) return i;
    return -1;
}

static void note_locals(const cable *c, cable_element *e, const int *unknown, int count)
{
    for (int k = 0; k < 3; k++) e->local[k] = (element_local){-1, -1, {-1, -1}};
    for (int k = 0; k < nodes_of(c, e); k++) {
        const cable_node *n = c->topology.node + e->node + k;
        element_local *to = e->local + k;
        int carrier[NODE_CARRIERS];
        carriers_of(c, e->node + k, carrier);
        if (n->count > 0) to->coordinates = index_of(unknown, count, n->dof);
        to->s = index_of(unknown, count, n->s_dof);
        for (int i = 0; i < NODE_CARRIERS && carrier[i] >= 0; i++)
            to->carrier[i] = index_of(unknown, count, cable_carrier_dof(c, carrier[i]));
    }
}

int cord__element_unknowns(const cable *c, cable_element *e, int *unknown)
{
    int count = 0;
    bool coordinates = e->kind != ELEMENT_EVENLY_SPACED;
    bool carried = coordinates && e->kind != ELEMENT_NO_SLIP && e->kind != ELEMENT_ROLLING &&
                   e->kind != ELEMENT_GROOVE;
    bool material = e->kind != ELEMENT_TANGENT && e->kind != ELEMENT_TWIST;
    for (int k = 0; k < nodes_of(c, e); k++)
        list_node(&c->topology, e->node + k, coordinates, material, unknown, &count);
    if (e->kind == ELEMENT_TORSION) list(unknown, &count, c->layout.twist_dof);
    for (int k = 0; carried && k < nodes_of(c, e); k++)
        list_carriers(c, e->node + k, unknown, &count);
    if (e->rotation >= 0) list(unknown, &count, e->rotation);
    if (e->row >= 0) list(unknown, &count, c->layout.dofs + e->row);
    note_locals(c, e, unknown, count);
    return count;
}
