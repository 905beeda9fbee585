/* Adding cables to a world: the carriers of their guides, and the dofs shared with the carriers. */
#include "world/world.h"
#include "math/vec3.h"

#include "math/rotation.h"
#include "strand/cable/cable.h"

#include <stdio.h>
#include <string.h>

cord_cable_def cord_cable_def_default(void)
{
    return (cord_cable_def){.density = 0.1, .radius = 2e-3};
}

/* The workspace of adding a cable. */
typedef struct cable_builder {
    cable_guide *guides;
    cable_waypoint *waypoints;
    shared_dofs *shared; /* shared with carriers, then rotations */
    int *rotation;       /* per wrap or waypoint: index of its rotation; -1: none */
    object **body;       /* per carrier: its body; NULL: a strand */
    cable_carrier *made;
    double *q, *poses;
    int carriers, rotations;
    const char *what; /* "guide" or "waypoint": the indices in messages count these */
} cable_builder;

static void free_builder(cable_builder *on, memory *m)
{
    for (int i = 0; i < on->carriers; i++)
        if (on->body && on->body[i]) on->body[i]->mark = 0;
    void *elements[] = {on->guides, on->waypoints, on->shared, on->rotation,
                        on->body,   on->made,      on->q,      on->poses};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) cord__release(m, elements[i]);
}

/* The carrier of a body, added on first use. */
static int carrier_of_body(cable_builder *on, object *body)
{
    if (body->mark == 0) {
        on->shared[on->carriers] = (shared_dofs){.kind = PARENT_BODY, .parent_slot = body->slot};
        on->made[on->carriers].rotates = true;
        on->body[on->carriers] = body;
        body->mark = ++on->carriers;
    }
    return body->mark - 1;
}

/* The carrier of a position of a strand. */
static int carrier_of_strand(cable_builder *on, const point *p)
{
    for (int i = 0; i < on->carriers; i++) {
        const shared_dofs *r = on->shared + i;
        if (r->kind == PARENT_STRAND && r->parent_slot == p->parent &&
            r->parent_dof == p->position_attachment.unit)
            return i;
    }
    on->shared[on->carriers] = (shared_dofs){.kind = PARENT_STRAND,
                                             .parent_slot = p->parent,
                                             .parent_dof = p->position_attachment.unit,
                                             .dofs = 3,
                                             .q_count = 3,
                                             .s = p->s,
                                             .at = p->position_attachment};
    return on->carriers++;
}

static cord_status path_guide(cord_world *w, cord_path at, cable_builder *on, cable_guide *g)
{
    const world_path *p = cord__get_path(w, at);
    if (!p) return CORD_ERROR_HANDLE;
    *g = (cable_guide){.ops = cord__guide_ops(CORD_GUIDE_PATH),
                       .carrier = -1,
                       .far_carrier = -1,
                       .radius = p->curve.length,
                       .path = &p->curve};
    if (p->owner < 0) return CORD_OK;
    object *body = w->bodies.item[p->owner];
    g->carrier = carrier_of_body(on, body);
    return cord__object_ready(w, body);
}

static cord_status check_guide(cord_world *w, const cord_guide *given, const char *what, int index)
{
    const guide_ops *ops = cord__guide_ops((int)given->kind);
    const char *wrong = NULL;
    if (!ops)
        wrong = "unknown kind";
    else if ((ops->needs & GUIDE_NEEDS_RADIUS) &&
             !(given->radius > 0 && is_admissible(given->radius)))
        wrong = "its radius must be above 0";
    else if ((ops->needs & GUIDE_NEEDS_SURFACE) && !given->surface)
        wrong = "a surface needs its function";
    return wrong ? cord__fail(w, CORD_ERROR_ARGUMENT, "%s %d: %s", what, index, wrong) : CORD_OK;
}

/* The carrier of a point, and the point in the carrier's axes; `axes` may be NULL. Carrier -1: the point is fixed. */
static cord_status find_carrier(cord_world *w, cord_point at, cable_builder *on, int index,
                                int *carrier, double origin[3], double *axes)
{
    point *p = cord__get_point(w, at);
    if (!p) return CORD_ERROR_HANDLE;
    bool still = p->source == CORD_SOURCE_WORLD && p->motion.count == 0 && p->rotation.count == 0;
    bool vertex = p->source == CORD_SOURCE_STRAND;
    if (vertex && p->position_attachment.unit < 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "%s %d: a strand carries guides at those vertices that move by "
                          "themselves: of der, the ends of splines, free nodes of cables",
                          on->what, index);
    if (!still && !vertex && p->source != CORD_SOURCE_BODY)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "%s %d: it must be on a body, a strand or a fixed point; for a scripted one "
            "hold a body along the script",
            on->what, index);
    double position[3], frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cord_status status = cord_point_get_pose(w, at, position, vertex ? NULL : frame);
    if (status != CORD_OK) return status;
    *carrier = still    ? -1
               : vertex ? carrier_of_strand(on, p)
                        : carrier_of_body(on, cord__point_parent(w, p));
    v3_copy(origin, position);
    if (axes) memcpy(axes, frame, sizeof frame);
    if (vertex) v3_set(origin, 0, 0, 0);
    if (still || vertex) return CORD_OK;
    const double *body = w->problem.now.q + w->problem.block[p->block]->q0;
    double turned[9], from[3];
    q4_matrix(turned, body + 3);
    v3_sub(from, position, body);
    m3_apply_transposed(origin, turned, from);
    if (axes) m3_transposed_multiply(axes, turned, frame);
    return CORD_OK;
}

/* The other end of a span; its present length is the scale of its coordinate. */
static cord_status span_guide(cord_world *w, const cord_guide *given, cable_builder *on,
                              cable_guide *g, int index)
{
    double ends[2][3];
    cord_status status = find_carrier(w, given->to, on, index, &g->far_carrier, g->far, NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, given->on, ends[0], NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, given->to, ends[1], NULL);
    if (status != CORD_OK) return status;
    g->radius = v3_distance(ends[0], ends[1]);
    if (g->radius > 0) return CORD_OK;
    return cord__fail(w, CORD_ERROR_ARGUMENT, "guide %d: the ends of its span coincide", index);
}

static cord_status define_guide(cord_world *w, const cord_guide *given, cable_builder *on,
                                cable_guide *g, int index)
{
    cord_status status = check_guide(w, given, on->what, index);
    if (status != CORD_OK) return status;
    const guide_ops *ops = cord__guide_ops((int)given->kind);
    if (ops->needs & GUIDE_NEEDS_PATH) {
        status = path_guide(w, given->path, on, g);
        if (given->name) snprintf(g->name, sizeof g->name, "%s", given->name);
        return status;
    }
    *g = (cable_guide){.ops = ops,
                       .carrier = -1,
                       .far_carrier = -1,
                       .radius = given->radius,
                       .surface = given->surface,
                       .user = given->user};
    v3_copy(g->size, given->size);
    if (given->name) snprintf(g->name, sizeof g->name, "%s", given->name);
    status = find_carrier(w, given->on, on, index, &g->carrier, g->origin, g->axes);
    if (status == CORD_OK && guide_is_span(g)) status = span_guide(w, given, on, g, index);
    return status;
}

static cord_status find_rotation(cord_world *w, cord_point rotation, cable_builder *on, int index)
{
    on->rotation[index] = -1;
    if (rotation.index == 0) return CORD_OK;
    const point *p = cord__get_point(w, rotation);
    if (!p) return CORD_ERROR_HANDLE;
    if (!p->measured)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the rotation of a pulley must be a revolute coordinate or a flywheel");
    on->shared[on->carriers + on->rotations] =
        (shared_dofs){.kind = PARENT_COORDINATE, .parent_slot = p->slider};
    on->rotation[index] = on->rotations++;
    return CORD_OK;
}

static cord_status tube_guide(cord_world *w, const cord_waypoint *given, cable_builder *on,
                              int index)
{
    cable_guide *g = on->guides + index;
    cord_status status = path_guide(w, given->path, on, g);
    if (status != CORD_OK || !g->path->closed) return status;
    return cord__fail(w, CORD_ERROR_ARGUMENT,
                      "waypoint %d: its path is closed; a tube has two ends", index);
}

static cord_status define_waypoint(cord_world *w, const cord_waypoint *given, cable_builder *on,
                                   int index)
{
    cable_waypoint *s = on->waypoints + index;
    bool pulley = given->kind == CORD_WAYPOINT_PULLEY || given->kind == CORD_WAYPOINT_DRUM;
    *s = (cable_waypoint){.kind = given->kind,
                          .guide = given->kind == CORD_WAYPOINT_FREE ? -1 : index,
                          .side = given->side,
                          .parts = given->parts > 1 ? given->parts : 1,
                          .friction_law = given->kind == CORD_WAYPOINT_DRUM ? CORD_WRAP_NO_SLIP
                                                                            : given->friction_law,
                          .friction = given->friction,
                          .loose = given->loose};
    if (!(given->friction >= 0 && is_admissible(given->friction)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "waypoint %d: friction must be at least 0",
                          index);
    on->guides[index].carrier = -1;
    if (given->kind == CORD_WAYPOINT_FREE) return CORD_OK;
    if (given->kind == CORD_WAYPOINT_TUBE) return tube_guide(w, given, on, index);
    bool cylinder = given->kind == CORD_WAYPOINT_SURFACE || given->cylinder || given->pitch != 0;
    cord_guide guide = {.kind = cylinder ? CORD_GUIDE_CYLINDER
                                : pulley ? CORD_GUIDE_CIRCLE
                                         : CORD_GUIDE_POINT,
                        .on = given->point,
                        .radius = given->radius};
    return define_guide(w, &guide, on, on->guides + index, index);
}

/* Grooves are planned as if no drum had rotated yet. */
static void rotate_grooves(const cable_builder *on, int waypoints)
{
    const double *q = on->q;
    for (int i = 0; i < on->carriers; i++) q += on->shared[i].q_count;
    for (int i = 0; i < waypoints; i++) {
        cable_waypoint *s = on->waypoints + i;
        if (s->rotation >= 0)
            s->groove.offset += s->groove.slope * on->guides[i].radius * q[s->rotation];
    }
}

/* Reads the shared configurations, and the poses of carriers. */
static void read_carriers(const cord_world *w, cable_builder *on)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double *q = on->q;
    for (int i = 0; i < on->carriers + on->rotations; i++) {
        shared_dofs *r = on->shared + i;
        const block *b = &cord__parent_of(w, r)->block;
        if (r->kind != PARENT_STRAND) {
            r->q_count = b->shape.q_count;
            r->dofs = b->shape.dofs;
        }
        shared_dofs_read(r, b, w->problem.now.q + b->q0, q);
        if (i < on->carriers) {
            double *carrier = on->poses + CARRIER_CACHE * i;
            v3_copy(carrier, q);
            memcpy(carrier + 3, axes, sizeof axes);
            if (r->kind == PARENT_BODY) q4_matrix(carrier + 3, q + 3);
        }
        q += r->q_count;
    }
}

static cord_status find_carriers(cord_world *w, const cord_cable_def *def, cable_builder *on)
{
    memory *m = &w->memory;
    bool route = def->waypoint_count > 0;
    int guides = route ? def->waypoint_count : def->guide_count;
    int wraps = route ? def->waypoint_count : def->wrap_count, most = 2 * guides + wraps;
    on->what = route ? "waypoint" : "guide";
    on->guides = NEW(m, cable_guide, guides);
    on->waypoints = NEW(m, cable_waypoint, route ? def->waypoint_count : def->node_count);
    on->shared = NEW(m, shared_dofs, most);
    on->rotation = NEW(m, int, wraps);
    on->body = NEW(m, object *, most);
    on->made = NEW(m, cable_carrier, 2 * guides);
    on->q = NEW(m, double, CARRIER_Q *most);
    on->poses = NEW(m, double, CARRIER_CACHE *most);
    if (!on->guides || !on->waypoints || !on->shared || !on->rotation || !on->body || !on->made ||
        !on->q || !on->poses)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a cable");
    cord_status status = CORD_OK;
    for (int i = 0; i < guides && status == CORD_OK; i++)
        status = route ? define_waypoint(w, def->waypoints + i, on, i)
                       : define_guide(w, def->guides + i, on, on->guides + i, i);
    for (int i = 0; i < wraps && status == CORD_OK; i++)
        status =
            find_rotation(w, route ? def->waypoints[i].rotation : def->wraps[i].rotation, on, i);
    for (int i = 0; route && i < wraps && status == CORD_OK; i++)
        on->waypoints[i].rotation = on->rotation[i];
    if (status == CORD_OK) read_carriers(w, on);
    return status;
}

/* Adds the cable to the lists of its carriers and paths, with which it is removed. */
static void link_cable(cord_world *w, strand *s, const cord_cable_def *def)
{
    block *b = &s->block;
    for (int i = 0; i < b->shared_count; i++) {
        b->shared[i].child = b;
        list_add(&cord__parent_of(w, b->shared + i)->children, &b->shared[i].parent_link,
                 b->shared + i);
    }
    for (int i = 0; i < s->along_count; i++) {
        bool route = def->waypoint_count > 0;
        cord_path at = route ? def->waypoints[i].path : def->guides[i].path;
        if (((const cable *)b->model)->def.guide[i].path)
            list_add(&cord__get_path(w, at)->blocks, s->along + i, s);
    }
}

static cord_status add_object(cord_world *w, cable *c, cable_builder *on, const cord_cable_def *def,
                              cord_strand *out)
{
    memory *m = &w->memory;
    const char *name = def->name;
    strand *s = NEW(m, strand, 1);
    if (!s) {
        cord__cable.block.destroy(c, m);
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a cable");
    }
    s->ops = &cord__cable;
    s->block.ops = &cord__cable.block;
    s->block.model = c;
    s->block.shared_count = on->carriers + on->rotations;
    s->block.shared = on->shared;
    on->shared = NULL;
    cord__lay_out_shared_dofs(&s->block);
    s->along_count = c->def.guides;
    s->along = NEW(m, list_link, s->along_count);
    if (name) s->name = cord__copy_string(m, name);
    cord_status status = !s->along || (name && !s->name) ? CORD_ERROR_MEMORY : CORD_OK;
    if (status == CORD_OK)
        status = cord__slots_add(&w->strands, m, s, &out->index, &out->generation);
    if (status != CORD_OK) {
        cord__object_free(w, s);
        return cord__fail(w, status, "out of memory for a cable");
    }
    s->slot = (int)out->index - 1;
    link_cable(w, s, def);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

static cord_status make_cable(cord_world *w, const cord_cable_def *def, const cable_builder *on,
                              cable **out, char *why, size_t size)
{
    memory *m = &w->memory;
    bool route = def->waypoint_count > 0;
    cable_source from = {
        .def = {.material = {.density = def->density,
                             .radius = def->radius,
                             .stretching = def->stretching,
                             .bending = def->bending,
                             .damping = def->damping,
                             .drag = def->drag,
                             .twisting = def->twisting,
                             .restitution = def->restitution,
                             .pushes = def->pushes,
                             .lumped = def->lumped},
                .guides = route ? def->waypoint_count : def->guide_count,
                .carriers = on->carriers,
                .rotations = on->rotations,
                .waypoints = def->waypoint_count,
                .vertices = def->vertex_count,
                .guide = on->guides,
                .carrier = on->made,
                .closed = def->closed,
                .by_nodes = !route,
                .prescribed_tension = def->closed && !(def->stretching > 0) ? def->tension : 0},
        .waypoint = on->waypoints,
        .q = on->q};
    cable_plan plan = {0};
    int nodes = route ? cord__route_capacity(def->waypoints, def->waypoint_count) : def->node_count;
    cord_status status = cord__check_material(&from.def.material, why, size);
    if (status == CORD_OK)
        status =
            cord__plan_allocate(&plan, nodes, route ? def->waypoint_count : def->wrap_count, m);
    if (status == CORD_OK)
        status =
            route ? cord__plan_route(def, on->guides, on->poses, on->waypoints, m, &plan, why, size)
                  : cord__plan_given(def, on->guides, on->rotation, &plan, why, size);
    if (status == CORD_OK && !route)
        from.def.waypoints = cord__given_waypoints(def, &plan, on->waypoints);
    if (status == CORD_OK && route) rotate_grooves(on, def->waypoint_count);
    for (int i = 0; status == CORD_OK && route && i < plan.wraps; i++)
        plan.wrap[i].groove = on->waypoints[plan.node[plan.wrap[i].segment].waypoint].groove;
    if (status == CORD_OK && def->lumped)
        status = cord__check_lumped(&plan, def->closed, why, size);
    if (status == CORD_OK && def->twisting > 0)
        status = cord__check_twist(on->guides, &plan, def->closed, why, size);
    if (status == CORD_OK) status = cord__cable_make(&from, &plan, m, out);
    cord__plan_free(&plan, m);
    return status;
}

static bool is_given(int count, const void *list)
{
    return count == 0 || (count > 0 && list);
}

cord_status cord_world_add_cable(cord_world *w, const cord_cable_def *def, cord_strand *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_strand){0};
    if (!is_given(def->waypoint_count, def->waypoints) ||
        !is_given(def->guide_count, def->guides) || !is_given(def->node_count, def->nodes) ||
        !is_given(def->wrap_count, def->wraps) || def->vertex_count < 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "waypoints, guides, nodes or wraps are missing, or a count is below 0");
    cable_builder on = {0};
    char why[256] = "";
    cable *c = NULL;
    cord_status status = find_carriers(w, def, &on);
    if (status == CORD_OK) {
        status = make_cable(w, def, &on, &c, why, sizeof why);
        if (status != CORD_OK)
            cord__fail(w, status, "cable '%s': %s", def->name ? def->name : "",
                       why[0] ? why : cord_status_text(status));
    }
    if (status == CORD_OK) status = add_object(w, c, &on, def, out);
    /* User-defined lengths and tangents of nodes rarely satisfy the rows to round-off. */
    if (status == CORD_OK && def->waypoint_count == 0) w->problem.meet_rows_first = true;
    free_builder(&on, &w->memory);
    return status;
}
