/* What a checkpoint has of cables beside their numbers: their nodes, which are others when wheels were left or come
 * to, and what wraps remember. A world whose cables have other nodes makes them anew. */
#include "world/world.h"

#include "strand/cable/cable.h"

#include <string.h>

/* Per cable, then its stops and nodes, then per row what grips and rolls keep, then modes of slips. */
typedef struct cable_record {
    int32_t nodes, rows, slips, stops, base, unused; /* 0, so that no byte is undefined */
    cord_cable_changes changes;
} cable_record;

typedef struct stop_record {
    int32_t flags,
        node; /* 1: present, 2: passed by a free end; 4, 8: the start, the end lies on it */
    double spacing;
} stop_record;

typedef struct node_record {
    int32_t guide, tangent, stop,
        flags; /* 1: Eulerian, 2: even, 4: held, 8: kept where a wheel was */
    double s, share, at[NODE_COORDINATES];
} node_record;

typedef struct row_record {
    double grip_start;
    cable_rolling roll;
} row_record;

static cable *cable_at(const cord_world *w, int slot)
{
    const strand *t = w->strands.item[slot];
    return t && t->ops == &cord__cable ? t->block.model : NULL;
}

static size_t record_size(const cable_record *r)
{
    return sizeof *r + (size_t)r->stops * sizeof(stop_record) +
           (size_t)r->nodes * sizeof(node_record) + (size_t)r->rows * sizeof(row_record) +
           (size_t)r->slips * sizeof(int32_t);
}

static cable_record record_of(const cable *c)
{
    return (cable_record){.nodes = cable_own_nodes(c),
                          .rows = c->rows,
                          .slips = c->slips,
                          .stops = c->stops,
                          .base = c->base,
                          .changes = c->account.sum};
}

size_t cord__cables_size(const cord_world *w)
{
    size_t size = 0;
    for (int i = 0; i < w->strands.count; i++) {
        const cable *c = cable_at(w, i);
        cable_record head = c ? record_of(c) : (cable_record){0};
        if (c) size += record_size(&head);
    }
    return size;
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

static node_record node_of(const cable *c, int i)
{
    const cable_node *n = c->node + i;
    bool held = n->count < n->size;
    node_record r = {.guide = n->guide,
                     .tangent = n->tangent,
                     .stop = n->stop,
                     .flags = (n->s_dof >= 0) + 2 * n->even + 4 * held + 8 * n->kept,
                     .s = n->s,
                     .share = n->even ? n->share : 0};
    if (held) memcpy(r.at, n->at, sizeof r.at);
    return r;
}

static char *write_cable(const cable *c, char *to)
{
    cable_record head = record_of(c);
    to = put(to, &head, sizeof head);
    for (int i = 0; i < c->stops; i++) {
        const cable_waypoint *of = c->stop + i;
        stop_record s = {of->present + 2 * of->passed + 4 * (of->end < 0) + 8 * (of->end > 0),
                         of->node, of->spacing};
        to = put(to, &s, sizeof s);
    }
    for (int i = 0; i < cable_own_nodes(c); i++) {
        node_record n = node_of(c, i);
        to = put(to, &n, sizeof n);
    }
    for (int i = 0; i < c->rows; i++) {
        row_record r = {c->grip_start[i], c->roll[i]};
        to = put(to, &r, sizeof r);
    }
    for (int i = 0; i < c->slips; i++) {
        int32_t mode = c->slip[i].mode;
        to = put(to, &mode, sizeof mode);
    }
    return to;
}

void cord__cables_write(const cord_world *w, char *to)
{
    for (int i = 0; i < w->strands.count; i++)
        if (cable_at(w, i)) to = write_cable(cable_at(w, i), to);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

/* Whether the nodes are those of this cable. */
static bool same_nodes(const cable *c, const cable_record *head, const char *nodes)
{
    if (head->nodes != cable_own_nodes(c) || head->base != c->base) return false;
    for (int i = 0; i < head->nodes; i++) {
        node_record given, own = node_of(c, i);
        nodes = get(nodes, &given, sizeof given);
        if (memcmp(&given, &own, sizeof own) != 0) return false;
    }
    return true;
}

/* False: they are not of such a cable. */
static bool read_stops(const cable *c, const cable_record *head, const char *from,
                       cable_waypoint *stops, cable_plan *plan)
{
    for (int i = 0; i < c->stops; i++) {
        stop_record s;
        from = get(from, &s, sizeof s);
        stops[i] = c->stop[i];
        stops[i].present = s.flags & 1, stops[i].node = s.node;
        stops[i].passed = s.flags & 2;
        stops[i].end = s.flags & 4 ? -1 : s.flags & 8 ? 1 : 0;
        if (!stops[i].present) continue;
        int nodes = 1 + cord__has_pair(stops + i);
        if (s.node < 0 || s.node + nodes > head->nodes) return false;
        if (nodes == 2) plan->wrap[plan->wraps++] = cord__planned_wrap(stops + i, s.node);
    }
    return true;
}

static bool read_nodes(const cable *c, const cable_record *head, const char *from, cable_plan *plan)
{
    for (int i = 0; i < head->nodes; i++) {
        node_record n;
        from = get(from, &n, sizeof n);
        bool even = n.flags & 2, inner = c->closed || (i > 0 && i + 1 < head->nodes);
        if (n.guide < -1 || n.guide >= c->guides || n.stop < -1 || n.stop >= c->stops ||
            n.tangent < -1 || n.tangent > 1 || ((even || n.tangent != 0) && !inner) ||
            (even && i == 0))
            return false;
        planned_node *to = plan->node + plan->nodes++;
        *to = (planned_node){.guide = n.guide,
                             .tangent = n.tangent,
                             .stop = n.stop,
                             .eulerian = n.flags & 1,
                             .even = even,
                             .held = n.flags & 4,
                             .kept = n.flags & 8,
                             .s = n.s};
        memcpy(to->at, n.at, sizeof to->at);
    }
    return true;
}

/* The cable with other nodes; its numbers come later. */
static cord_status make_cable(cord_world *w, int slot, const cable_record *head, const char *from,
                              cable **out)
{
    memory *m = &w->memory;
    const strand *t = w->strands.item[slot];
    const cable *c = t->block.model;
    cable_waypoint *stops = NEW(m, cable_waypoint, c->stops);
    cable_plan plan = {0};
    cord_status status = stops ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord__plan_allocate(&plan, head->nodes, c->stops, m);
    if (status == CORD_OK && (!read_stops(c, head, from, stops, &plan) ||
                              !read_nodes(c, head, from + c->stops * sizeof(stop_record), &plan)))
        status = CORD_ERROR_ARGUMENT;
    if (status == CORD_OK) {
        cable_parts parts = {.material = c->of,
                             .vertices = c->vertices,
                             .guides = c->guides,
                             .stops = c->stops,
                             .ports = c->ports,
                             .spins = c->spins,
                             .guide = c->guide,
                             .stop = stops,
                             .port = c->port,
                             .q = w->problem.now.q + t->block.q0 + c->own_q,
                             .closed = c->closed,
                             .tension = c->mean,
                             .clamp = c->clamp,
                             .upright = c->upright};
        plan.base = head->base, plan.length = c->length;
        status = cord__cable_make(&parts, &plan, m, out);
    }
    cord__plan_free(&plan, m);
    cord__release(m, stops);
    return status;
}

/* One cable, made anew where its nodes are others: *made, else NULL. */
static cord_status read_cable(cord_world *w, int slot, const char **from, size_t *left,
                              cable **made)
{
    const cable *c = cable_at(w, slot);
    cable_record head;
    if (*left < sizeof head) return CORD_ERROR_ARGUMENT;
    memcpy(&head, *from, sizeof head);
    if (head.nodes < 2 + c->closed || head.rows < 0 || head.slips < 0 || head.stops != c->stops ||
        head.base < 0 || (head.base > 0 && head.base >= c->stops) || record_size(&head) > *left)
        return CORD_ERROR_ARGUMENT;
    const char *stops = *from + sizeof head, *nodes = stops + c->stops * sizeof(stop_record);
    cord_status status = CORD_OK;
    if (!same_nodes(c, &head, nodes))
        status = c->stops > 0 ? make_cable(w, slot, &head, stops, made) : CORD_ERROR_ARGUMENT;
    if (status != CORD_OK) return status;
    const cable *now = *made ? *made : c;
    if (now->rows != head.rows || now->slips != head.slips) return CORD_ERROR_ARGUMENT;
    *from += record_size(&head);
    *left -= record_size(&head);
    return CORD_OK;
}

/* What nodes and wraps remember. */
static const char *restore(cable *c, const char *from)
{
    cable_record head;
    from = get(from, &head, sizeof head);
    c->account.sum = head.changes;
    for (int i = 0; i < c->stops; i++) {
        stop_record s;
        from = get(from, &s, sizeof s);
        c->stop[i].spacing = s.spacing;
        c->stop[i].passed = s.flags & 2;
        c->stop[i].end = s.flags & 4 ? -1 : s.flags & 8 ? 1 : 0;
    }
    for (int i = 0; i < cable_own_nodes(c); i++) {
        node_record n;
        from = get(from, &n, sizeof n);
        c->node[i].share = n.share;
    }
    for (int i = 0; i < c->rows; i++) {
        row_record r;
        from = get(from, &r, sizeof r);
        c->grip_start[i] = r.grip_start, c->roll[i] = r.roll;
    }
    for (int i = 0; i < c->slips; i++) {
        int32_t mode;
        from = get(from, &mode, sizeof mode);
        c->slip[i].mode = mode;
    }
    return from;
}

/* How many more numbers the world has with these. */
static bool fits(cord_world *w, cable **made, const int64_t more[3])
{
    int64_t now[3] = {0};
    for (int i = 0; i < w->strands.count; i++) {
        block_shape was, is;
        if (!made[i]) continue;
        cord__cable.block.describe(cable_at(w, i), &was);
        cord__cable.block.describe(made[i], &is);
        now[0] += is.q_count - was.q_count;
        now[1] += is.dofs - was.dofs;
        now[2] += is.rows - was.rows;
    }
    return memcmp(now, more, sizeof now) == 0;
}

cord_status cord__cables_read(cord_world *w, const char *bytes, size_t size, const int64_t more[3])
{
    memory *m = &w->memory;
    const char *from = bytes;
    cable **made = NEW(m, cable *, w->strands.count);
    cord_status status = made ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0; status == CORD_OK && i < w->strands.count; i++)
        if (cable_at(w, i)) status = read_cable(w, i, &from, &size, made + i);
    if (status == CORD_OK && (size > 0 || !fits(w, made, more))) status = CORD_ERROR_ARGUMENT;
    for (int i = 0; made && i < w->strands.count; i++) {
        if (status == CORD_OK && made[i]) cord__replace_cable(w, i, made[i]);
        if (status == CORD_OK && cable_at(w, i)) bytes = restore(cable_at(w, i), bytes);
        if (status != CORD_OK && made[i]) cord__cable.block.destroy(made[i], m);
    }
    cord__release(m, made);
    return status;
}
