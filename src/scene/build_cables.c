/* Builds points, flywheels, guides and waypoints from pulleys and cables. */
#include "scene/cables.h"

#include "curve/section.h"
#include "math/rotation.h"
#include "scene/scenery.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- locations with an axis --------------------------------------------------------------- */

/* A frame whose third axis is this one, and whose first is the projection of the world's x normal to it (of y where
 * the axis is along x): the zero of angles on pulleys and guides. */
static void frame_about(const double axis[3], double frame[9])
{
    v3_normalize(frame + 6, axis);
    bool along = fabs(frame[6]) > 1 - 1e-6;
    v3_set(frame, !along, along, 0);
    v3_axpy(frame, -v3_dot(frame, frame + 6), frame + 6);
    v3_normalize(frame, frame);
    v3_cross(frame + 3, frame + 6, frame);
}

/* Adds a point in the world or on a body, with its third axis along a direction of the world in the initial pose. */
static bool round_point(builder *b, const location *p, const double axis[3], const char *what,
                        cord_point *point)
{
    const location *meant = cord__location_meant(b->scene, p);
    if (cord__is_on_strand(b->scene, p)) return cord__build_point(b, p, point);
    const body_data *body = cord__body_of(b->scene, meant);
    cord_point_def def = cord_point_def_default();
    double origin[3], axes[9];
    if (body) {
        cord_status status =
            cord_body_get_pose(b->world, cord__body_handle(b->simulation, body), origin, axes);
        if (!cord__check_built(b, status, p->at, what)) return false;
        cord__body_point_def(b->simulation, meant, &def);
    } else {
        v3_copy(def.position, meant->x);
    }
    frame_about(axis, def.frame);
    if (body) m3_transposed_multiply(def.frame, axes, def.frame);
    return cord__check_built(b, cord_world_add_point(b->world, &def, point), p->at, what);
}

/* ---- pulleys ------------------------------------------------------------------------------ */

/* The axis of the joint or pulley that it rotates with, in the world. */
static bool axis_of(builder *b, const built_joint *j, const node *at, double axis[3])
{
    double x[3], frame[9];
    const pulley_data *pulley = j->data->pulley;
    cord_point on = j->on[pulley ? 0 : 1];
    if (!cord__check_built(b, cord_point_get_pose(b->world, on, x, frame), at, "pulley"))
        return false;
    if (pulley)
        v3_copy(axis, frame + 6);
    else
        m3_apply(axis, frame, j->direction);
    v3_normalize(axis, axis);
    return true;
}

static bool rotate_with(builder *b, const pulley_data *p, built_joint *j)
{
    built_joint *other =
        cord__built_joint(b->simulation, cord__joint_of(b->scene, p->rotates_with));
    double axis[3], own[3];
    if (!cord__check_built(b, cord__joint_revolute(b->simulation, other, &j->revolute), p->at,
                           "pulley") ||
        !axis_of(b, other, p->at, axis))
        return false;
    v3_normalize(own, p->axis);
    if (v3_dot(own, axis) > 1 - 1e-9) return true;
    cord__diagnose(&b->simulation->errors, cord__node_get(p->at, "rotates_with")->at,
                   "rotates_with: its axis is not that of \"%.40s\", which is [%.4g, %.4g, %.4g]",
                   p->rotates_with, axis[0], axis[1], axis[2]);
    b->status = CORD_ERROR_INPUT;
    return false;
}

bool cord__build_pulley(builder *b, built_joint *j)
{
    const pulley_data *p = j->data->pulley;
    if (!round_point(b, &p->where, p->axis, "pulley", &j->on[0])) return false;
    if (p->rotates_with) return rotate_with(b, p, j);
    if (isnan(p->inertia)) return true;
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = p->inertia;
    def.friction = p->friction;
    def.reference = j->on[0];
    return cord__check_built(b, cord_world_add_point(b->world, &def, &j->revolute), p->at,
                             "pulley");
}

/* ---- wrap directions of pulleys ----------------------------------------------------------- */

typedef struct route_builder {
    builder *b;
    const cable_data *cable;
    cord_waypoint *waypoints;
    double *positions; /* positions of the waypoints, 3 values each */
    double up[3];
} route_builder;

static void upwards(const builder *b, double up[3])
{
    const double *gravity = b->scene->data.world->gravity;
    v3_set(up, 0, 0, 1);
    if (v3_norm(gravity) > 0) {
        v3_scale(up, -1, gravity);
        v3_normalize(up, up);
    }
}

static bool unclear(const route_builder *w, const waypoint_data *s, const char *why)
{
    cord__diagnose(&w->b->simulation->errors, s->at->at,
                   "%s: %s; say clockwise or anticlockwise, as seen from the tip of its axis",
                   s->pulley, why);
    w->b->status = CORD_ERROR_INPUT;
    return false;
}

/* Over a pulley the cable runs along axis × up or against it: the positions of the previous and next waypoints
 * decide. */
static bool over_or_under(const route_builder *w, int i, const double axis[3], int *side)
{
    const waypoint_data *s = ITEM(w->cable->route, waypoint_data, i);
    int count = w->cable->route.count, next = i + 1 < count ? i + 1 : i, before = i > 0 ? i - 1 : i;
    double along[3], top[3];
    if (w->cable->closed) next = (i + 1) % count, before = (i + count - 1) % count;
    v3_sub(along, w->positions + 3 * next, w->positions + 3 * before);
    v3_cross(top, axis, w->up);
    if (v3_norm(top) < 1e-6) return unclear(w, s, "its axis is upright, so nothing is over it");
    double forwards = v3_dot(top, along);
    if (fabs(forwards) <= 1e-6 * v3_norm(along))
        return unclear(
            w, s, "the waypoints beside it do not tell in which direction the cable runs over it");
    *side = (forwards > 0) == (s->side == SIDE_OVER) ? 1 : -1;
    return true;
}

static bool find_side(const route_builder *w, int i)
{
    const waypoint_data *s = ITEM(w->cable->route, waypoint_data, i);
    double x[3], frame[9];
    cord_status status = cord_point_get_pose(w->b->world, w->waypoints[i].point, x, frame);
    if (!cord__check_built(w->b, status, s->at, "cable")) return false;
    const double *axis = frame + 6;
    int *side = &w->waypoints[i].side;
    double upright = v3_dot(axis, w->up);
    switch (s->side) {
    case SIDE_OVER:
    case SIDE_UNDER: return over_or_under(w, i, axis, side);
    case SIDE_LEFT:
    case SIDE_RIGHT:
        if (fabs(upright) < 1e-6)
            return unclear(w, s, "its axis is level, so it has no left and right");
        *side = (upright > 0) == (s->side == SIDE_RIGHT) ? 1 : -1;
        return true;
    case SIDE_CLOCKWISE: *side = -1; return true;
    default: *side = 1; return true;
    }
}

/* ---- cables ------------------------------------------------------------------------------- */

static bool build_tube(route_builder *w, int i)
{
    const waypoint_data *s = ITEM(w->cable->route, waypoint_data, i);
    const tube_data *t = cord__tube_of(w->b->scene, s->tube);
    cord_waypoint *to = w->waypoints + i;
    to->path = cord__tube_path(w->b->simulation, t);
    to->reversed = s->reversed;
    to->friction_law = t->friction > 0 ? CORD_WRAP_CAPSTAN : CORD_WRAP_FRICTIONLESS;
    to->friction = t->friction;
    cord_status status =
        cord_path_get_position(w->b->world, to->path, 0, false, w->positions + 3 * i, NULL);
    return cord__check_built(w->b, status, s->at, "cable");
}

static bool build_waypoint(route_builder *w, int i)
{
    const waypoint_data *s = ITEM(w->cable->route, waypoint_data, i);
    cord_waypoint *to = w->waypoints + i;
    double *where = w->positions + 3 * i;
    *to = (cord_waypoint){.kind = (cord_waypoint_kind)s->kind, .parts = s->parts};
    if (s->kind == CORD_WAYPOINT_FREE) {
        v3_copy(to->position, s->free);
        v3_copy(where, s->free);
        return true;
    }
    if (s->tube) return build_tube(w, i);
    if (s->pulley) {
        const pulley_data *p = cord__pulley_of(w->b->scene, s->pulley);
        wrap_friction_value law = s->wrap_friction.given ? s->wrap_friction : p->wrap_friction;
        if (!law.given && cord__pulley_rotates(p)) law.kind = CORD_WRAP_NO_SLIP;
        const built_joint *joint = &w->b->simulation->joints[p->joint];
        to->point = joint->on[0];
        to->radius = p->radius;
        to->turns = s->turns;
        to->loose = s->loose, to->prescribed = s->prescribed;
        v3_copy(to->position, s->free);
        if (s->kind == CORD_WAYPOINT_PULLEY) to->cylinder = !isnan(p->length);
        if (s->kind != CORD_WAYPOINT_SURFACE && !isnan(p->pitch)) to->pitch = p->pitch;
        to->height = s->height;
        to->friction_law = law.kind;
        to->friction = law.friction;
        to->rotation = joint->revolute;
    } else if (!cord__build_point(w->b, &s->where, &to->point)) {
        return false;
    }
    return cord__check_built(w->b, cord_point_get_pose(w->b->world, to->point, where, NULL), s->at,
                             "cable");
}

/* Enough vertices for smooth arcs, from the approximate length of the route. */
static int enough_vertices(const route_builder *w)
{
    double length = 0, smallest = INFINITY;
    int count = w->cable->route.count;
    for (int i = 0; i < count; i++) {
        const cord_waypoint *s = w->waypoints + i;
        int before = i > 0 ? i - 1 : w->cable->closed ? count - 1 : 0;
        length += v3_distance(w->positions + 3 * i, w->positions + 3 * before);
        cord_path_info tube;
        if (s->kind == CORD_WAYPOINT_TUBE &&
            cord_path_get_info(w->b->world, s->path, &tube) == CORD_OK) {
            length += tube.length;
            smallest = fmin(smallest, tube.length / 6); /* forty vertices along it */
        }
        if (!(s->radius > 0)) continue;
        length += s->radius * PI * (1 + 2 * s->turns);
        smallest = fmin(smallest, s->radius);
    }
    double wanted = fmax(length / (0.15 * smallest), 8 * count);
    return (int)fmin(wanted, 20000);
}

static void note_groove(cord_simulation *sim, const cable_data *c, double radius)
{
    for (int i = 0; i < c->route.count; i++) {
        const waypoint_data *s = ITEM(c->route, waypoint_data, i);
        if (!s->pulley) continue;
        double *groove = &sim->joints[cord__pulley_of(sim->scene, s->pulley)->joint].groove;
        *groove = fmax(*groove, radius);
    }
}

static bool build_route(builder *b, const cable_data *c, cord_cable_def *def)
{
    int count = c->route.count;
    route_builder w = {.b = b, .cable = c};
    w.waypoints = TAKE(&b->simulation->memory, cord_waypoint, count);
    w.positions = TAKE(&b->simulation->memory, double, 3 * (size_t)count);
    bool good = w.waypoints && w.positions;
    upwards(b, w.up);
    for (int i = 0; good && i < count; i++) good = build_waypoint(&w, i);
    for (int i = 0; good && i < count; i++)
        good = !ITEM(c->route, waypoint_data, i)->pulley || find_side(&w, i);
    if (!good) return false;
    def->waypoint_count = count;
    def->waypoints = w.waypoints;
    if (def->vertex_count == 0) def->vertex_count = enough_vertices(&w);
    return true;
}

static int guide_index(const cable_data *c, const char *name)
{
    for (int i = 0; name && i < c->guides.count; i++)
        if (strcmp(ITEM(c->guides, guide_data, i)->name, name) == 0) return i;
    return -1;
}

static bool build_nodes(builder *b, const cable_data *c, cord_cable_def *def)
{
    arena *a = &b->simulation->memory;
    cord_guide *guides = TAKE(a, cord_guide, c->guides.count);
    cord_cable_node *nodes = TAKE(a, cord_cable_node, c->nodes.count);
    cord_wrap *wraps = TAKE(a, cord_wrap, c->wraps.count);
    cord_point *on = TAKE(a, cord_point, c->guides.count);
    if (!guides || !nodes || !wraps || !on) return false;
    b->simulation->guides[INDEX(b->scene->data.cables, cable_data, c)] = on;
    for (int i = 0; i < c->guides.count; i++) {
        const guide_data *g = ITEM(c->guides, guide_data, i);
        cord__define_guide(g, guides + i);
        guides[i].name = g->name;
        if (g->path) {
            int path = cord__find_symbol(b->scene, g->path)->index;
            guides[i].path = b->simulation->paths[path];
            continue;
        }
        if (!round_point(b, &g->where, g->axis, "guide", &on[i])) return false;
        guides[i].on = on[i];
        if (g->to.kind != LOCATION_NONE && !round_point(b, &g->to, g->axis, "guide", &guides[i].to))
            return false;
    }
    for (int i = 0; i < c->nodes.count; i++) {
        const node_data *n = ITEM(c->nodes, node_data, i);
        nodes[i] = (cord_cable_node){.guide = guide_index(c, n->on),
                                     .s = n->s,
                                     .eulerian = n->eulerian,
                                     .prescribed = n->prescribed,
                                     .tangent = n->tangent};
        if (n->where.count)
            memcpy(nodes[i].at, n->where.values, (size_t)n->where.count * sizeof(double));
    }
    for (int i = 0; i < c->wraps.count; i++) {
        const wrap_data *d = ITEM(c->wraps, wrap_data, i);
        built_joint *j =
            d->rotates_with
                ? cord__built_joint(b->simulation, cord__joint_of(b->scene, d->rotates_with))
                : NULL;
        wraps[i] = (cord_wrap){.segment = d->after, .friction_law = d->wrap_friction.kind};
        wraps[i].friction = d->wrap_friction.friction;
        if (!d->wrap_friction.given && j) wraps[i].friction_law = CORD_WRAP_NO_SLIP;
        if (j && !cord__check_built(b, cord__joint_revolute(b->simulation, j, &wraps[i].rotation),
                                    d->at, "wrap"))
            return false;
    }
    def->guide_count = c->guides.count, def->guides = guides;
    def->node_count = c->nodes.count, def->nodes = nodes;
    def->wrap_count = c->wraps.count, def->wraps = wraps;
    return true;
}

static bool fill_material(builder *b, const cable_data *c, cord_cable_def *def)
{
    def->stretching = c->stretching.value;
    def->bending = c->bending.value;
    def->twisting = c->twisting.value;
    if (!c->section.kind) {
        def->density = c->density;
        def->radius = isnan(c->radius) ? 3e-3 : c->radius;
        return true;
    }
    cord_material material = {0};
    cord_section section = {0};
    section_stiffness is;
    char why[160] = "";
    if (c->material)
        material = (cord_material){c->material->density, c->material->young, c->material->poisson};
    ((const section_ops *)c->section.kind)->fill(c->section.data, &section);
    if (cord__section(&material, &section, &is, why, sizeof why) != CORD_OK) {
        cord__diagnose(&b->simulation->errors, c->at->at, "section: %s", why);
        b->status = CORD_ERROR_INPUT;
        return false;
    }
    def->density = is.mass;
    def->radius = fmax(is.half[0], is.half[1]);
    if (c->stretching.elastic) def->stretching = is.stretching;
    if (c->bending.elastic) def->bending = is.bending[0];
    if (c->twisting.elastic) def->twisting = is.twisting;
    return true;
}

/* Reports a message of the library about a waypoint, or the length, at its line in the scene. */
static const node *blamed(const cable_data *c, const char *message)
{
    if (strstr(message, "its length is")) return cord__node_get(c->at, "length");
    const char *found = strstr(message, "waypoint");
    int index = -1;
    if (found && sscanf(found, "waypoint %d", &index) != 1 &&
        sscanf(found, "waypoints %d", &index) != 1)
        index = -1;
    return index >= 0 && index < c->route.count ? ITEM(c->route, waypoint_data, index)->at : c->at;
}

static bool build_cable(builder *b, const cable_data *c)
{
    cord_cable_def def = cord_cable_def_default();
    def.name = c->name;
    def.damping = c->damping;
    def.drag = c->drag;
    def.lumped = c->lumped;
    def.restitution = c->restitution;
    def.pushes = c->pushes;
    def.tension = c->tension;
    def.vertex_count = c->vertices;
    def.closed = c->closed;
    if (!isnan(c->length)) def.length = c->length;
    if (!fill_material(b, c, &def)) return false;
    note_groove(b->simulation, c, def.radius);
    bool ready = c->route.count > 0 ? build_route(b, c, &def) : build_nodes(b, c, &def);
    if (!ready) return false;
    cord_status status =
        cord_world_add_cable(b->world, &def, &b->simulation->strands[c->strand].handle);
    const node *at = status == CORD_OK ? c->at : blamed(c, cord_world_get_error(b->world));
    return cord__check_built(b, status, at, "cable");
}

/* The origin and axes of the definition of a tube. */
static bool locate_tube(builder *b, const tube_data *t)
{
    cord_point *origin = &b->simulation->tubes[INDEX(b->scene->data.tubes, tube_data, t)];
    cord_point_def def = cord_point_def_default();
    if (t->path.body) {
        const symbol *s = cord__find_symbol(b->scene, t->path.body);
        def.source = CORD_SOURCE_BODY;
        def.body = b->simulation->bodies[s->index].handle;
    }
    return cord__check_built(b, cord_world_add_point(b->world, &def, origin), t->at, "tube");
}

bool cord__build_cables(builder *b)
{
    bool good = true;
    for (int i = 0; i < b->scene->data.cables.count; i++) {
        const cable_data *c = ITEM(b->scene->data.cables, cable_data, i);
        if (cord__is_built_next(b, c->at)) good = build_cable(b, c) && good;
    }
    for (int i = 0; i < b->scene->data.tubes.count; i++) {
        const tube_data *t = ITEM(b->scene->data.tubes, tube_data, i);
        if (cord__is_built_next(b, t->at)) good = locate_tube(b, t) && good;
    }
    if (!good || !b->scene->good) return false; /* the scenery shows all objects */
    return cord__check_built(b, cord__build_scenery(b->simulation), b->scene->data.at, "scene");
}
