/* Adding cables to a world: what carries their guides, and how they ride on it. */
#include "world/world.h"

#include "math/rotation.h"
#include "strand/cable/cable.h"

#include <string.h>

cord_cable_def cord_cable_def_default(void)
{
    return (cord_cable_def){.density = 0.1, .radius = 2e-3};
}

/* While a cable is being made. */
typedef struct carriers {
    cable_guide *guides;
    cable_waypoint *stops;
    shared_dofs *rides; /* of ports, then of spins */
    int *spin;          /* per wrap or stop: which of the spins; -1: none */
    object **body;      /* per port: the body that has it; NULL: a strand */
    cable_carrier *made;
    double *q, *poses;
    int ports, spins;
    const char *what; /* that has the numbers of messages: a guide or a stop */
} carriers;

static void free_carriers(carriers *on, memory *m)
{
    for (int i = 0; i < on->ports; i++)
        if (on->body && on->body[i]) on->body[i]->carrier = 0;
    void *elements[] = {on->guides, on->stops, on->rides, on->spin,
                        on->body,   on->made,  on->q,     on->poses};
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) cord__release(m, elements[i]);
}

/* The port of a body, a new one if need be. */
static int port_of(carriers *on, object *body)
{
    if (body->carrier == 0) {
        on->rides[on->ports] = (shared_dofs){.kind = PARENT_BODY, .parent_slot = body->slot};
        on->made[on->ports].turns = true;
        on->body[on->ports] = body;
        body->carrier = ++on->ports;
    }
    return body->carrier - 1;
}

/* The port of a place of a strand. */
static int strand_port(carriers *on, const point *p)
{
    for (int i = 0; i < on->ports; i++) {
        const shared_dofs *r = on->rides + i;
        if (r->kind == PARENT_STRAND && r->parent_slot == p->parent &&
            r->parent_dof == p->position_attachment.unit)
            return i;
    }
    on->rides[on->ports] = (shared_dofs){.kind = PARENT_STRAND,
                                         .parent_slot = p->parent,
                                         .parent_dof = p->position_attachment.unit,
                                         .dofs = 3,
                                         .q_count = 3,
                                         .s = p->s,
                                         .at = p->position_attachment};
    return on->ports++;
}

static cord_status path_guide(cord_world *w, cord_path at, carriers *on, cable_guide *g)
{
    const world_path *p = cord__get_path(w, at);
    if (!p) return CORD_ERROR_HANDLE;
    *g = (cable_guide){
        .kind = CORD_GUIDE_PATH, .port = -1, .radius = p->curve.length, .path = &p->curve};
    if (p->owner < 0) return CORD_OK;
    object *body = w->bodies.item[p->owner];
    g->port = port_of(on, body);
    return cord__object_ready(w, body);
}

static cord_status check_guide(cord_world *w, const cord_guide *given, const char *what, int index)
{
    cord_guide_kind kind = given->kind;
    bool surface = kind == CORD_GUIDE_SURFACE;
    const char *wrong = NULL;
    if (kind < CORD_GUIDE_POINT || kind > CORD_GUIDE_SPAN)
        wrong = "unknown kind";
    else if ((surface || guide_is_round(kind)) && !(given->radius > 0 && isfinite(given->radius)))
        wrong = "its radius must be above 0";
    else if (surface && !given->surface)
        wrong = "a surface needs its function";
    return wrong ? cord__fail(w, CORD_ERROR_ARGUMENT, "%s %d: %s", what, index, wrong) : CORD_OK;
}

/* What carries a point, and the point in its axes; `axes` may be NULL. Port -1: it stands still. */
static cord_status find_port(cord_world *w, cord_point at, carriers *on, int index, int *port,
                             double origin[3], double *axes)
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
            "%s %d: it must be on a body, a strand or a still place; for a scripted one "
            "hold a body along the script",
            on->what, index);
    double place[3], frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    cord_status status = cord_point_get_pose(w, at, place, vertex ? NULL : frame);
    if (status != CORD_OK) return status;
    *port = still ? -1 : vertex ? strand_port(on, p) : port_of(on, cord__point_parent(w, p));
    v3_copy(origin, place);
    if (axes) memcpy(axes, frame, sizeof frame);
    if (vertex) v3_set(origin, 0, 0, 0);
    if (still || vertex) return CORD_OK;
    const double *body = w->problem.now.q + w->problem.block[p->block]->q0;
    double turned[9], from[3];
    q4_matrix(turned, body + 3);
    v3_sub(from, place, body);
    m3_apply_transposed(origin, turned, from);
    if (axes) m3_transposed_multiply(axes, turned, frame);
    return CORD_OK;
}

/* The other end of a span; its length now is the size of its coordinate. */
static cord_status span_guide(cord_world *w, const cord_guide *given, carriers *on, cable_guide *g,
                              int index)
{
    double ends[2][3];
    cord_status status = find_port(w, given->to, on, index, &g->far_carrier, g->far, NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, given->on, ends[0], NULL);
    if (status == CORD_OK) status = cord_point_get_pose(w, given->to, ends[1], NULL);
    if (status != CORD_OK) return status;
    g->radius = v3_distance(ends[0], ends[1]);
    if (g->radius > 0) return CORD_OK;
    return cord__fail(w, CORD_ERROR_ARGUMENT,
                      "guide %d: the ends of its span are at the same place", index);
}

static cord_status place_guide(cord_world *w, const cord_guide *given, carriers *on, cable_guide *g,
                               int index)
{
    cord_status status = check_guide(w, given, on->what, index);
    if (status != CORD_OK) return status;
    if (given->kind == CORD_GUIDE_PATH) return path_guide(w, given->path, on, g);
    *g = (cable_guide){.kind = given->kind,
                       .port = -1,
                       .far_carrier = -1,
                       .radius = given->radius,
                       .surface = given->surface,
                       .user = given->user};
    v3_copy(g->size, given->size);
    status = find_port(w, given->on, on, index, &g->port, g->origin, g->axes);
    if (status == CORD_OK && given->kind == CORD_GUIDE_SPAN)
        status = span_guide(w, given, on, g, index);
    return status;
}

static cord_status find_spin(cord_world *w, cord_point spin, carriers *on, int index)
{
    on->spin[index] = -1;
    if (spin.index == 0) return CORD_OK;
    const point *p = cord__get_point(w, spin);
    if (!p) return CORD_ERROR_HANDLE;
    if (!p->measured)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the spin of a wheel must be a turn or a rotor");
    on->rides[on->ports + on->spins] =
        (shared_dofs){.kind = PARENT_COORDINATE, .parent_slot = p->slider};
    on->spin[index] = on->spins++;
    return CORD_OK;
}

static cord_status tube_guide(cord_world *w, const cord_waypoint *given, carriers *on, int index)
{
    cable_guide *g = on->guides + index;
    cord_status status = path_guide(w, given->path, on, g);
    if (status != CORD_OK || !g->path->closed) return status;
    return cord__fail(w, CORD_ERROR_ARGUMENT, "stop %d: its path is closed; a tube has two ends",
                      index);
}

static cord_status place_stop(cord_world *w, const cord_waypoint *given, carriers *on, int index)
{
    cable_waypoint *s = on->stops + index;
    bool wheel = given->kind == CORD_WAYPOINT_PULLEY || given->kind == CORD_WAYPOINT_DRUM;
    *s = (cable_waypoint){.kind = given->kind,
                          .guide = given->kind == CORD_WAYPOINT_FREE ? -1 : index,
                          .side = given->side,
                          .parts = given->parts > 1 ? given->parts : 1,
                          .grip = given->kind == CORD_WAYPOINT_DRUM ? CORD_WRAP_NO_SLIP
                                                                    : given->friction_law,
                          .friction = given->friction,
                          .loose = given->loose};
    if (!(given->friction >= 0 && isfinite(given->friction)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "stop %d: friction must be at least 0", index);
    on->guides[index].port = -1;
    if (given->kind == CORD_WAYPOINT_FREE) return CORD_OK;
    if (given->kind == CORD_WAYPOINT_TUBE) return tube_guide(w, given, on, index);
    cord_guide guide = {.kind = wheel ? CORD_GUIDE_CIRCLE : CORD_GUIDE_POINT,
                        .on = given->point,
                        .radius = given->radius};
    return place_guide(w, &guide, on, on->guides + index, index);
}

/* Configurations of what it rides on, and poses of ports. */
static void read_carriers(const cord_world *w, carriers *on)
{
    static const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double *q = on->q;
    for (int i = 0; i < on->ports + on->spins; i++) {
        shared_dofs *r = on->rides + i;
        const block *b = &cord__parent_of(w, r)->block;
        if (r->kind != PARENT_STRAND) {
            r->q_count = b->shape.q_count;
            r->dofs = b->shape.dofs;
        }
        shared_dofs_read(r, b, w->problem.now.q + b->q0, q);
        if (i < on->ports) {
            double *port = on->poses + CARRIER_CACHE * i;
            v3_copy(port, q);
            memcpy(port + 3, axes, sizeof axes);
            if (r->kind == PARENT_BODY) q4_matrix(port + 3, q + 3);
        }
        q += r->q_count;
    }
}

static cord_status find_carriers(cord_world *w, const cord_cable_def *def, carriers *on)
{
    memory *m = &w->memory;
    bool route = def->waypoint_count > 0;
    int guides = route ? def->waypoint_count : def->guide_count;
    int wraps = route ? def->waypoint_count : def->wrap_count, most = 2 * guides + wraps;
    on->what = route ? "stop" : "guide";
    on->guides = NEW(m, cable_guide, guides);
    on->stops = NEW(m, cable_waypoint, def->waypoint_count);
    on->rides = NEW(m, shared_dofs, most);
    on->spin = NEW(m, int, wraps);
    on->body = NEW(m, object *, most);
    on->made = NEW(m, cable_carrier, 2 * guides);
    on->q = NEW(m, double, CARRIER_Q *most);
    on->poses = NEW(m, double, CARRIER_CACHE *most);
    if (!on->guides || !on->stops || !on->rides || !on->spin || !on->body || !on->made || !on->q ||
        !on->poses)
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a cable");
    cord_status status = CORD_OK;
    for (int i = 0; i < guides && status == CORD_OK; i++)
        status = route ? place_stop(w, def->waypoints + i, on, i)
                       : place_guide(w, def->guides + i, on, on->guides + i, i);
    for (int i = 0; i < wraps && status == CORD_OK; i++)
        status = find_spin(w, route ? def->waypoints[i].spin : def->wraps[i].spin, on, i);
    for (int i = 0; route && i < wraps && status == CORD_OK; i++) on->stops[i].spin = on->spin[i];
    if (status == CORD_OK) read_carriers(w, on);
    return status;
}

static void set_rides(block *b, const cable *c, carriers *on)
{
    int column = c->own_dofs, q = c->own_q;
    b->shared_count = on->ports + on->spins;
    if (on->rides) {
        b->shared = on->rides;
        on->rides = NULL;
    }
    for (int i = 0; i < b->shared_count; i++) {
        b->shared[i].dof = column, b->shared[i].q = q;
        column += b->shared[i].dofs, q += b->shared[i].q_count;
    }
}

/* What carries it, and the paths that it is along, know of it. */
static void link_cable(cord_world *w, strand *s, const cord_cable_def *def)
{
    block *b = &s->block;
    for (int i = 0; i < b->shared_count; i++) {
        b->shared[i].child = b;
        linked_add(&cord__parent_of(w, b->shared + i)->children, &b->shared[i].parent_link,
                   b->shared + i);
    }
    for (int i = 0; i < s->guides; i++) {
        bool route = def->waypoint_count > 0;
        cord_path at = route ? def->waypoints[i].path : def->guides[i].path;
        bool along = route ? def->waypoints[i].kind == CORD_WAYPOINT_TUBE
                           : def->guides[i].kind == CORD_GUIDE_PATH;
        if (along) linked_add(&cord__get_path(w, at)->cables, s->along + i, s);
    }
}

static cord_status add_object(cord_world *w, cable *c, carriers *on, const cord_cable_def *def,
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
    set_rides(&s->block, c, on);
    s->guides = c->guides;
    s->along = NEW(m, linked, s->guides);
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

static cord_status make_cable(cord_world *w, const cord_cable_def *def, const carriers *on,
                              cable **out, char *why, size_t size)
{
    memory *m = &w->memory;
    bool route = def->waypoint_count > 0;
    cable_parts parts = {.material = {def->density, def->radius, def->stretching, def->bending,
                                      def->damping, def->drag, def->twisting, def->lumped},
                         .vertices = def->vertex_count,
                         .guides = route ? def->waypoint_count : def->guide_count,
                         .stops = def->waypoint_count,
                         .ports = on->ports,
                         .spins = on->spins,
                         .guide = on->guides,
                         .stop = on->stops,
                         .port = on->made,
                         .q = on->q,
                         .closed = def->closed,
                         .tension = def->closed && !(def->stretching > 0) ? def->tension : 0};
    cable_plan plan = {0};
    int nodes = route ? cord__route_capacity(def->waypoints, def->waypoint_count) : def->node_count;
    cord_status status = cord__check_material(&parts.material, why, size);
    if (status == CORD_OK)
        status =
            cord__plan_allocate(&plan, nodes, route ? def->waypoint_count : def->wrap_count, m);
    if (status == CORD_OK)
        status = route
                     ? cord__plan_route(def, on->guides, on->poses, on->stops, m, &plan, why, size)
                     : cord__plan_given(def, on->guides, on->spin, &plan, why, size);
    if (status == CORD_OK && def->lumped)
        status = cord__check_lumped(&plan, def->closed, why, size);
    if (status == CORD_OK && def->twisting > 0)
        status = cord__check_twist(on->guides, &plan, def->closed, why, size);
    if (status == CORD_OK) status = cord__cable_make(&parts, &plan, m, out);
    cord__plan_free(&plan, m);
    return status;
}

static bool is_given(int count, const void *list)
{
    return count == 0 || (count > 0 && list);
}

cord_status cord_world_add_cable(cord_world *w, const cord_cable_def *def, cord_strand *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_strand){0};
    if (!is_given(def->waypoint_count, def->waypoints) ||
        !is_given(def->guide_count, def->guides) || !is_given(def->node_count, def->nodes) ||
        !is_given(def->wrap_count, def->wraps) || def->vertex_count < 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "stops, guides, nodes or wraps are missing, or a count is below 0");
    carriers on = {0};
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
    /* Lengths and tangents of nodes by hand are rarely met to the last digit. */
    if (status == CORD_OK && def->waypoint_count == 0) w->problem.meet_rows_first = true;
    free_carriers(&on, &w->memory);
    return status;
}

void cord__remove_children(cord_world *w, object *t)
{
    while (t->children)
        cord__remove_object(w, cord__object_of(((shared_dofs *)t->children->of)->child));
}

/* ---- wheels that are left and come to -------------------------------------------------------------- */

/* The momentum there was goes to the new nodes. */
static cord_status keep_momentum(cord_world *w, const strand *t, cable *made)
{
    memory *m = &w->memory;
    const cable *old = t->block.model;
    const double *v = w->problem.now.v + t->block.v0;
    block_shape shape;
    cord__cable.block.describe(made, &shape);
    double *cache = NEW(m, double, shape.cache_count);
    made->momentum = NEW(m, double, made->columns);
    cord_status status = cache && made->momentum ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        memcpy(made->initial_v + made->own_dofs, v + old->own_dofs,
               (size_t)(made->columns - made->own_dofs) * sizeof *v);
        cord__cable.block.refresh(made, made->initial_q, cache);
        cord__cable_momentum(old, w->problem.cache + t->block.cache0, v, made, cache,
                             made->momentum);
    } else {
        cord__cable.block.destroy(made, m);
    }
    cord__release(m, cache);
    return status;
}

/* Room for the nodes there are, two more for every wheel, those of arcs that come off at ends, and those that fill
 * gaps. */
static int change_capacity(const cable *c)
{
    int nodes = c->nodes + 2 * c->stops + 2 * ARC_NODES;
    double least = INFINITY;
    for (int i = 0; i < c->stops; i++)
        if (c->stop[i].spacing > 0) least = fmin(least, c->stop[i].spacing);
    return nodes + (int)(c->length / least);
}

/* What rides on its nodes rides on others now. */
static void attach_riders(cord_world *w, const strand *t, cable *made)
{
    for (const linked *l = t->children; l; l = l->next) {
        shared_dofs *on = l->of;
        cord__cable.block.attach(made, &w->memory, MEASURE_POSITION, on->s, &on->at);
        on->parent_dof = on->at.unit;
    }
}

/* Points on it are at other nodes now. */
static void attach_points(cord_world *w, const strand *t, cable *made)
{
    for (const linked *l = t->points; l; l = l->next) {
        point *p = l->of;
        bool slides = p->source == CORD_SOURCE_SLIDING;
        double s = slides ? cord__coordinate_at(&w->problem, p, w->problem.now.q) : p->s;
        cord__cable.block.attach(made, &w->memory, MEASURE_POSITION, s, &p->position_attachment);
        p->element = cord__cable.block.element_at(made, made->initial_q, s);
        if (p->frame_attached)
            cord__cable.block.attach(made, &w->memory, MEASURE_FRAME, s, &p->frame_attachment);
    }
}

void cord__replace_cable(cord_world *w, int slot, cable *made)
{
    strand *t = w->strands.item[slot];
    carriers same = {.ports = made->ports, .spins = made->spins};
    cord__cable.block.destroy(t->block.model, &w->memory);
    t->block.model = made;
    t->laid_out = false;
    attach_points(w, t, made);
    attach_riders(w, t, made);
    set_rides(&t->block, made, &same);
    w->layout_stale = w->partition_stale = true;
}

/* The cable with the wheels it touches now takes the place of what it was; or, where that is another, with nodes from
 * another stop on. */
static cord_status change_cable(cord_world *w, int slot, const bool *present, int base)
{
    strand *t = w->strands.item[slot];
    memory *m = &w->memory;
    cable *old = t->block.model, *made = NULL;
    const double *q = w->problem.now.q + t->block.q0, *v = w->problem.now.v + t->block.v0;
    cable_waypoint *stops = NEW(m, cable_waypoint, old->stops);
    cable_plan plan = {0};
    cord_status status = stops ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord__plan_allocate(&plan, change_capacity(old), old->stops, m);
    if (status == CORD_OK) {
        const double *cache = w->problem.cache + t->block.cache0;
        if (base != old->base)
            cord__plan_turn(old, cache, v, base, stops, &plan);
        else
            cord__plan_change(old, cache, v, present, stops, &plan);
        cable_parts parts = {.material = old->of,
                             .vertices = old->vertices,
                             .guides = old->guides,
                             .stops = old->stops,
                             .ports = old->ports,
                             .spins = old->spins,
                             .guide = old->guide,
                             .stop = stops,
                             .port = old->port,
                             .q = q + old->own_q,
                             .closed = old->closed,
                             .tension = old->mean,
                             .clamp = old->clamp,
                             .upright = old->upright};
        if (old->twist_dof >= 0)
            parts.twist = q[old->own_q - 1], parts.twist_rate = v[old->twist_dof];
        status = cord__cable_make(&parts, &plan, m, &made);
    }
    if (status == CORD_OK && base == old->base) status = keep_momentum(w, t, made);
    if (status == CORD_OK) status = cord__note_change(w, slot, made);
    if (status == CORD_OK) {
        cord__replace_cable(w, slot, made);
        w->problem.meet_rows_first = true;
    }
    cord__plan_free(&plan, m);
    cord__release(m, stops);
    return status == CORD_OK ? status : cord__fail(w, status, "out of memory for a cable");
}

/* Nothing gets over that. */
static cord_status fail_drawn_in(cord_world *w, const strand *t, const cable *c)
{
    int stop = cord__drawn_in(c, w->problem.now.q + t->block.q0);
    char label[128];
    cord__object_label(w, t->index, label, sizeof label);
    return cord__fail(
        w, CORD_ERROR_INCONSISTENT,
        c->stop[stop].kind == CORD_WAYPOINT_DRUM
            ? "%s at t = %.9g s: the last turn has come off the drum of stop %d, to "
              "which its end is tied; a loose end would run off"
            : "%s at t = %.9g s: its end, tied at stop %d, has been drawn to the next "
              "stop",
        label, w->problem.now.time, stop);
}

cord_status cord__update_wraps(cord_world *w, bool *changed)
{
    *changed = false;
    for (int i = 0; i < w->strands.count; i++) {
        strand *t = w->strands.item[i];
        if (!t || t->ops != &cord__cable) continue;
        cable *c = t->block.model;
        cord__forget_change(w, c);
        if (cord__drawn_in(c, w->problem.now.q + t->block.q0) >= 0) return fail_drawn_in(w, t, c);
        int base = c->base;
        if (cord__closed_recount(c, w->problem.now.q + t->block.q0)) {
            w->revision++;
            cord__update_elements(w, false);
        }
        bool turns = cord__closed_turns(c, w->problem.now.q + t->block.q0, &base);
        if (!turns && cord__wheels_stay(c, w->problem.now.q + t->block.q0)) continue;
        cord__refresh_object(w, t);
        const environment env = cord__environment(&w->problem, &t->block, w->problem.now.time);
        const element_input now = {.cache = w->problem.cache + t->block.cache0,
                                   .v = w->problem.now.v + t->block.v0,
                                   .lambda = w->problem.now.lambda + t->block.l0,
                                   .environment = &env};
        if (!turns && !cord__wheels_change(c, &now, w->problem.requested_step, c->present))
            continue;
        *changed = true;
        cord_status status = change_cable(w, i, c->present, base);
        if (status != CORD_OK) return status;
    }
    return CORD_OK;
}

/* ---- asking -------------------------------------------------------------------------------------- */

static const cable *find_cable(const cord_world *w, cord_strand handle, cord_status *status)
{
    strand *s = cord__get_strand(w, handle);
    *status = s ? CORD_OK : w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    if (!s) return NULL;
    if (s->ops != &cord__cable) {
        *status = cord__fail(w, CORD_ERROR_UNSUPPORTED, "it is not a cable");
        return NULL;
    }
    *status = cord__object_ready(w, s);
    if (*status != CORD_OK) return NULL;
    cord__refresh_object(w, s);
    return s->block.model;
}

cord_status cord_cable_get_node_count(const cord_world *w, cord_strand handle, int *count)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (c && !count) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    if (c) *count = cable_own_nodes(c);
    return status;
}

cord_status cord_cable_get_node(cord_world *w, cord_strand handle, int node, cord_node_state *out)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!out || node < 0 || node >= cable_own_nodes(c))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "there is no such node, or the result is NULL");
    const block *b = &cord__get_strand(w, handle)->block;
    const double *cache = w->problem.cache + b->cache0, *v = w->problem.now.v + b->v0;
    const cable_node *n = c->node + node;
    *out = (cord_node_state){.guide = n->guide,
                             .eulerian = n->s_dof >= 0,
                             .s = cable_s(cache, node),
                             .waypoint = n->stop};
    v3_copy(out->position, cable_place(cache, node));
    memcpy(out->at, cable_coordinates(cache, node), (size_t)n->size * sizeof(double));
    if (n->guide >= 0 && guide_is_round(c->guide[n->guide].kind))
        out->at[0] /= c->guide[n->guide].radius;
    if (n->guide >= 0 && c->guide[n->guide].kind == CORD_GUIDE_SPHERE)
        out->at[1] /= c->guide[n->guide].radius;
    if (n->s_dof >= 0) out->rate = v[n->s_dof];
    out->dofs = n->count;
    if (n->guide >= 0) out->kind = c->guide[n->guide].kind;
    if (n->guide >= 0 && c->guide[n->guide].port >= 0) {
        const shared_dofs *by = b->shared + c->guide[n->guide].port;
        uint32_t index = (uint32_t)by->parent_slot + 1;
        if (by->kind == PARENT_BODY)
            out->body = (cord_body){index, w->bodies.generation[by->parent_slot]};
        else
            out->strand = (cord_strand){index, w->strands.generation[by->parent_slot]};
    }
    cord__node_velocity(c, cache, v, node, out->velocity);
    return CORD_OK;
}

cord_status cord_cable_get_tension(cord_world *w, cord_strand handle, int segment, double *tension)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (!tension || segment < 0 || segment + 1 >= c->nodes)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "there is no such segment, or the result is NULL");
    const block *b = &cord__get_strand(w, handle)->block;
    static const environment nothing = {0};
    element_input in = {.cache = w->problem.cache + b->cache0,
                        .v = w->problem.now.v + b->v0,
                        .lambda = w->problem.now.lambda + b->l0,
                        .environment = &nothing};
    in.off = cord__closed_mean(c, in.cache, in.lambda);
    element_terms terms;
    cord__element_terms(c, c->element + segment, &in, &terms);
    *tension = terms.tension;
    return CORD_OK;
}

cord_status cord_cable_get_twist(cord_world *w, cord_strand handle, double *angle, double *torque)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (c->twist_dof < 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "this cable carries no twist");
    const double *cache = w->problem.cache + cord__get_strand(w, handle)->block.cache0;
    if (angle) *angle = cable_twist(c, cache);
    if (torque) *torque = cord__torque(c, cache);
    return CORD_OK;
}

static double wrap_angle(const cable *c, const cable_waypoint *s, const double *cache)
{
    const cable_guide *g = s->guide >= 0 ? c->guide + s->guide : NULL;
    if (waypoint_nodes(s->kind) < 2) return 0;
    double from = cable_coordinates(cache, s->node)[0];
    double to = cable_coordinates(cache, s->node + 1)[0];
    return g->path ? cord__path_turning(g, from, to) : s->side * (to - from) / g->radius;
}

cord_status cord_cable_get_wrap(cord_world *w, cord_strand handle, int stop, bool *touches,
                                double *angle, double *before, double *after)
{
    cord_status status;
    const cable *c = find_cable(w, handle, &status);
    if (!c) return status;
    if (stop < 0 || stop >= c->stops)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "there is no such stop");
    const cable_waypoint *s = c->stop + stop;
    const double *cache = w->problem.cache + cord__get_strand(w, handle)->block.cache0;
    if (touches) *touches = s->present;
    if (angle) *angle = s->present ? wrap_angle(c, s, cache) : 0;
    int last = s->node + cord__has_pair(s);
    if (before) *before = 0;
    if (after) *after = 0;
    if (before && s->present && (s->node > 0 || c->closed))
        status = cord_cable_get_tension(w, handle, cable_segment(c, s->node - 1), before);
    if (status == CORD_OK && after && s->present && last + 1 < c->nodes)
        status = cord_cable_get_tension(w, handle, last, after);
    return status;
}
