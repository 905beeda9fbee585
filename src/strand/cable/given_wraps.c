/* Wraps of a cable given by nodes. Two Eulerian nodes on a circle or a cylinder, with tangents before and after them, are
 * a pulley that is unwrapped and wrapped again, as that of a route; every other node remains as it is. */
#include "strand/cable/cable.h"

static bool is_pair(const cord_cable_def *def, int i)
{
    const cord_cable_node *n = def->nodes + i;
    if (i + 1 >= def->node_count || n->guide < 0 || n[1].guide != n->guide) return false;
    return cord__guide_ops(def->guides[n->guide].kind)->revolute && n->eulerian && n[1].eulerian &&
           n->tangent < 0 && n[1].tangent > 0;
}

static const planned_wrap *wrap_at(const cable_plan *plan, int segment)
{
    static const planned_wrap none = {.rotation = -1};
    for (int i = 0; i < plan->wraps; i++)
        if (plan->wrap[i].segment == segment) return plan->wrap + i;
    return &none;
}

/* A closed cable, and one that runs through its first node, keep their nodes; Lagrangian nodes between others are
 * resampled instead (resample.c). */
int cord__given_waypoints(const cord_cable_def *def, cable_plan *plan, cable_waypoint *waypoints)
{
    int count = 0, pairs = 0;
    for (int i = 0; i < def->node_count; i++) pairs += is_pair(def, i);
    for (int i = 1; i + 1 < def->node_count; i++)
        if (!def->nodes[i].eulerian && def->nodes[i].tangent == 0 && !def->nodes[i].prescribed)
            return 0;
    if (pairs == 0 || def->closed || def->nodes->eulerian) return 0;
    for (int i = 0; i < def->node_count; i++) {
        bool pair = is_pair(def, i);
        const planned_wrap *wrap = wrap_at(plan, i);
        waypoints[count] =
            (cable_waypoint){.kind = pair ? CORD_WAYPOINT_PULLEY : WAYPOINT_NODE,
                             .guide = def->nodes[i].guide,
                             .side = pair && def->nodes[i + 1].at[0] < def->nodes[i].at[0] ? -1 : 1,
                             .parts = 1,
                             .rotation = wrap->rotation,
                             .friction_law = wrap->friction_law,
                             .friction = wrap->friction,
                             .present = true,
                             .node = i};
        plan->node[i].waypoint = count;
        if (pair) plan->node[++i].waypoint = count;
        count++;
    }
    return count;
}

void cord__plan_given_wraps(const cable_waypoint *waypoints, int count, cable_plan *plan)
{
    for (int i = 0; i < count; i++)
        if (waypoints[i].kind == WAYPOINT_NODE &&
            waypoints[i].friction_law != CORD_WRAP_FRICTIONLESS)
            plan->wrap[plan->wraps++] = cord__planned_wrap(waypoints + i, waypoints[i].node);
}
