/* Serialisation of the topology of a cable: its present waypoints and its nodes. */
#include "strand/cable/cable.h"

#include <string.h>

/* Then the waypoints and the nodes. All bytes are defined: records are compared as bytes. */
typedef struct record_head {
    int32_t nodes, waypoints, base, unused;
} record_head;

typedef struct waypoint_record {
    int32_t flags,
        node; /* 1: present, 2: passed by a free end; 4, 8: the start, the end lies on it */
    double spacing;
} waypoint_record;

typedef struct node_record {
    int32_t guide, tangent, waypoint;
    int32_t
        flags; /* 1: Eulerian, 2: evenly spaced, 4: prescribed, 8: remains from a pulley, 16: friction after it */
    double s, fraction, at[NODE_COORDINATES];
} node_record;

static size_t size_of(int nodes, int waypoints)
{
    return sizeof(record_head) + (size_t)waypoints * sizeof(waypoint_record) +
           (size_t)nodes * sizeof(node_record);
}

size_t cord__record_size(const void *model)
{
    const cable *c = model;
    return size_of(cable_own_nodes(c), c->def.waypoints);
}

static char *put(char *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    return to + size;
}

static const char *get(const char *from, void *to, size_t size)
{
    memcpy(to, from, size);
    return from + size;
}

static waypoint_record waypoint_of(const cable_waypoint *s)
{
    return (waypoint_record){s->present + 2 * s->passed + 4 * (s->end < 0) + 8 * (s->end > 0),
                             s->node, s->spacing};
}

/* The friction of the segment after a node that was given by hand. */
static bool has_friction(const cable *c, int node)
{
    return c->def.waypoints == 0 && node + 1 < c->topology.nodes &&
           cord__segment_friction(c, node, &(planned_wrap){0});
}

static node_record node_of(const cable *c, int i)
{
    const cable_node *n = c->topology.node + i;
    bool prescribed = n->count < n->size;
    node_record r = {.guide = n->guide,
                     .tangent = n->tangent,
                     .waypoint = n->waypoint,
                     .flags = (n->s_dof >= 0) + 2 * n->evenly_spaced + 4 * prescribed +
                              8 * n->retained + 16 * has_friction(c, i),
                     .s = n->s,
                     .fraction = n->fraction};
    if (prescribed) memcpy(r.at, n->at, sizeof r.at);
    return r;
}

void cord__record_write(const void *model, void *bytes)
{
    const cable *c = model;
    record_head head = {cable_own_nodes(c), c->def.waypoints, c->topology.base, 0};
    char *to = put(bytes, &head, sizeof head);
    for (int i = 0; i < c->def.waypoints; i++) {
        waypoint_record s = waypoint_of(c->topology.waypoint + i);
        to = put(to, &s, sizeof s);
    }
    for (int i = 0; i < cable_own_nodes(c); i++) {
        node_record n = node_of(c, i);
        to = put(to, &n, sizeof n);
    }
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Whether the bytes are those that this cable would write. */
static bool is_same(const cable *c, const record_head *head, const char *from)
{
    if (head->nodes != cable_own_nodes(c) || head->base != c->topology.base) return false;
    for (int i = 0; i < c->def.waypoints; i++) {
        waypoint_record given, own = waypoint_of(c->topology.waypoint + i);
        from = get(from, &given, sizeof given);
        if (memcmp(&given, &own, sizeof own) != 0) return false;
    }
    for (int i = 0; i < head->nodes; i++) {
        node_record given, own = node_of(c, i);
        from = get(from, &given, sizeof given);
        if (memcmp(&given, &own, sizeof own) != 0) return false;
    }
    return true;
}

/* The friction of the next segment of a cable by hand that has some, from *segment on; resampling keeps their order. */
static bool read_friction(const cable *c, int *segment, cable_plan *plan)
{
    while (*segment + 1 < c->topology.nodes && !has_friction(c, *segment)) ++*segment;
    if (*segment + 1 >= c->topology.nodes) return false;
    planned_wrap *to = plan->wrap + plan->wraps++;
    cord__segment_friction(c, (*segment)++, to);
    to->segment = plan->nodes - 1;
    return true;
}

/* Wraps in the order of nodes, as those of the cable that was written: their multipliers and memories follow. False: the bytes are not
 * of such a cable. */
static bool read_waypoints(const cable *c, const record_head *head, const char *from,
                           cable_waypoint *waypoints, cable_plan *plan)
{
    for (int position = 0; position < c->def.waypoints; position++) {
        int i = (head->base + position) % c->def.waypoints;
        waypoint_record s;
        get(from + (size_t)i * sizeof s, &s, sizeof s);
        waypoints[i] = c->topology.waypoint[i];
        waypoints[i].present = s.flags & 1, waypoints[i].node = s.node;
        waypoints[i].passed = s.flags & 2;
        waypoints[i].end = s.flags & 4 ? -1 : s.flags & 8 ? 1 : 0;
        waypoints[i].spacing = s.spacing;
        if (!waypoints[i].present) continue;
        int nodes = 1 + cord__has_pair(waypoints + i);
        if (s.node < 0 || s.node + nodes > head->nodes) return false;
        if (nodes == 2) plan->wrap[plan->wraps++] = cord__planned_wrap(waypoints + i, s.node);
    }
    if (c->def.by_nodes) cord__plan_given_wraps(waypoints, c->def.waypoints, plan);
    return true;
}

static bool read_nodes(const cable *c, const record_head *head, const char *from, cable_plan *plan)
{
    const cable_definition *def = &c->def;
    int segment = 0;
    for (int i = 0; i < head->nodes; i++) {
        node_record n;
        from = get(from, &n, sizeof n);
        bool evenly_spaced = n.flags & 2, inner = def->closed || (i > 0 && i + 1 < head->nodes);
        if (n.guide < -1 || n.guide >= def->guides || n.waypoint < -1 ||
            n.waypoint >= def->waypoints || n.tangent < -1 || n.tangent > 1 ||
            ((evenly_spaced || n.tangent != 0) && !inner) || (evenly_spaced && i == 0))
            return false;
        planned_node *to = plan->node + plan->nodes++;
        *to = (planned_node){.guide = n.guide,
                             .tangent = n.tangent,
                             .waypoint = n.waypoint,
                             .eulerian = n.flags & 1,
                             .evenly_spaced = evenly_spaced,
                             .prescribed = n.flags & 4,
                             .retained = n.flags & 8,
                             .s = n.s,
                             .fraction = n.fraction};
        memcpy(to->at, n.at, sizeof to->at);
        if ((n.flags & 16) && !read_friction(c, &segment, plan)) return false;
    }
    return true;
}

/* The cable with other nodes; its state comes later. */
static cord_status make_cable(const cable *c, const record_head *head, const char *from,
                              const double *shared_q, memory *m, cable **out)
{
    cable_waypoint *waypoints = NEW(m, cable_waypoint, c->def.waypoints);
    cable_plan plan = {0};
    cord_status status = waypoints ? CORD_OK : CORD_ERROR_MEMORY;
    int wraps = c->def.waypoints > 0 ? c->def.waypoints : c->layout.rows;
    if (status == CORD_OK) status = cord__plan_allocate(&plan, head->nodes, wraps, m);
    if (status == CORD_OK &&
        (!read_waypoints(c, head, from, waypoints, &plan) ||
         !read_nodes(c, head, from + (size_t)c->def.waypoints * sizeof(waypoint_record), &plan)))
        status = CORD_ERROR_ARGUMENT;
    if (status == CORD_OK) {
        cable_source source = cord__successor_of(c, shared_q);
        source.waypoint = waypoints;
        plan.base = head->base, plan.length = c->topology.length;
        status = cord__cable_make(&source, &plan, m, out);
    }
    cord__plan_free(&plan, m);
    cord__release(m, waypoints);
    return status;
}

cord_status cord__record_read(const void *model, const void *bytes, size_t size, const double *q,
                              memory *m, void **successor)
{
    const cable *c = model;
    record_head head;
    *successor = NULL;
    if (size < sizeof head) return CORD_ERROR_ARGUMENT;
    const char *from = get(bytes, &head, sizeof head);
    if (head.nodes < 2 + c->def.closed || head.waypoints != c->def.waypoints || head.base < 0 ||
        (head.base > 0 && head.base >= c->def.waypoints) ||
        size_of(head.nodes, head.waypoints) != size)
        return CORD_ERROR_ARGUMENT;
    if (is_same(c, &head, from)) return CORD_OK;
    if (!cable_has_events(c)) return CORD_ERROR_ARGUMENT;
    cable *made = NULL;
    cord_status status = make_cable(c, &head, from, q + c->layout.own_q, m, &made);
    *successor = made;
    return status;
}
