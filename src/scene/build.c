/* Builds a world from a scene, through the public API only. */
#include "scene/build.h"

#include "curve/transport.h"
#include "math/rotation.h"
#include "scene/breakage.h"
#include "scene/cables.h"
#include "scene/contacts.h"
#include "scene/controllers.h"
#include "scene/joints.h"
#include "scene/growth.h"
#include "scene/schedules.h"
#include "scene/solids.h"
#include "strand/traits.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static bool has_errors(const builder *b)
{
    return b->simulation->errors.count > 0 || !b->scene->good;
}

bool cord__is_built_next(const builder *b, const node *at)
{
    return b->status != CORD_ERROR_MEMORY && !at->invalid;
}

bool cord__check_built(builder *b, cord_status status, const node *at, const char *what)
{
    if (status == CORD_OK && !cord__cancelled()) return true;
    if (status == CORD_OK) status = CORD_ERROR_CANCELLED;
    b->status = status;
    /* An invalid handle is that of an object that could not be built, or was read with errors. */
    if (status == CORD_ERROR_HANDLE && has_errors(b)) return false;
    const char *text =
        b->world && status != CORD_ERROR_CANCELLED ? cord_world_get_error(b->world) : "";
    cord__diagnose(&b->simulation->errors, at->at, "%s: %s", what,
                   *text ? text : cord_status_text(status));
    return false;
}

/* ---- keys --------------------------------------------------------------------------------- */

bool cord__make_keys(builder *b, int count, int width, int ease, double **times, double **values,
                     cord_keys *keys)
{
    *times = TAKE(&b->simulation->memory, double, count);
    *values = TAKE(&b->simulation->memory, double, (size_t)count *(size_t)width);
    *keys = (cord_keys){count, *times, *values, (cord_ease)ease};
    if (*times && *values) return true;
    b->status = CORD_ERROR_MEMORY;
    return false;
}

/* A circle as a polygon of many sides, so that the velocity jumps at its corners are small. */
static bool orbit_keys(builder *b, const orbit_data *o, cord_keys *keys)
{
    enum { SIDES = 360 };
    double *times, *values, axis[3], right[3], up[3];
    int count = SIDES * o->turns + 1;
    if (!cord__make_keys(b, count, 3, CORD_EASE_LINEAR, &times, &values, keys)) return false;
    v3_normalize(axis, o->axis);
    v3_any_normal(right, axis);
    v3_cross(up, axis, right);
    for (int i = 0; i < count; i++) {
        double angle = 2 * PI * i / SIDES, u = fmin(i * o->period / SIDES / o->ramp, 1);
        double radius = o->radius * u * u * (3 - 2 * u);
        times[i] = i * o->period / SIDES;
        v3_scale(values + 3 * (size_t)i, radius * cos(angle), right);
        v3_axpy(values + 3 * (size_t)i, radius * sin(angle), up);
    }
    return true;
}

static bool motion_keys(builder *b, const script_data *s, cord_keys *keys)
{
    if (s->orbit) return orbit_keys(b, s->orbit, keys);
    double *times, *values;
    if (!cord__make_keys(b, s->motion.count, 3, s->ease, &times, &values, keys)) return false;
    for (int i = 0; i < keys->count; i++) {
        const motion_key *k = ITEM(s->motion, motion_key, i);
        times[i] = k->t;
        v3_copy(values + 3 * (size_t)i, k->by);
    }
    return true;
}

static bool rotation_keys(builder *b, const script_data *s, cord_keys *keys)
{
    double *times, *values;
    if (!cord__make_keys(b, s->rotation.count, 3, s->ease, &times, &values, keys)) return false;
    for (int i = 0; i < keys->count; i++) {
        const rotation_key *k = ITEM(s->rotation, rotation_key, i);
        times[i] = k->t;
        v3_scale(values + 3 * (size_t)i, k->angle / v3_norm(k->axis), k->axis);
    }
    return true;
}

bool cord__drive_keys(builder *b, const item_list *list, int ease, cord_keys *keys)
{
    double *times, *values;
    int width = list->count ? ITEM(*list, drive_key, 0)->value.count : 0;
    if (!cord__make_keys(b, list->count, width, ease, &times, &values, keys)) return false;
    for (int i = 0; i < keys->count; i++) {
        const drive_key *k = ITEM(*list, drive_key, i);
        times[i] = k->t;
        memcpy(values + (size_t)i * (size_t)width, k->value.values, (size_t)width * sizeof *values);
    }
    return true;
}

bool cord__build_script(builder *b, const script_data *s, cord_point_def *def)
{
    return motion_keys(b, s, &def->motion) && rotation_keys(b, s, &def->rotation);
}

/* ---- world, wind -------------------------------------------------------------------------- */

static bool build_world(builder *b)
{
    const world_data *w = b->scene->data.world;
    cord_world_def def = cord_world_def_default();
    if (!w->at->invalid) {
        v3_copy(def.gravity, w->gravity);
        def.integrator = (cord_integrator)w->integrator;
        def.scheme = (cord_scheme)w->scheme;
        def.tolerance = w->tolerance;
        def.length_tolerance = w->length_tolerance;
        def.max_velocity_change = w->velocity_change;
        def.batches = w->batches;
    }
    cord_status status = cord_world_create(&def, &b->simulation->world);
    b->world = b->simulation->world;
    if (status == CORD_OK)
        status = cord_world_set_cancel(b->world, b->scene->cancel.cancelled, b->scene->cancel.user);
    return cord__check_built(b, status, w->at, "world") &&
           (w->at->invalid || cord__build_gravity(b, w));
}

static bool build_wind(builder *b)
{
    const wind_data *w = b->scene->data.wind;
    if (!w || w->at->invalid) return true;
    cord_wind_def def = cord_wind_def_default();
    v3_copy(def.velocity, w->velocity);
    if (w->gust) {
        def.gust_amplitude = w->gust->amplitude;
        def.gust_frequency = w->gust->frequency;
        v3_copy(def.gust_wavevector, w->gust->wavevector);
    }
    cord_vortex *vortices = TAKE(&b->simulation->memory, cord_vortex, w->vortices.count);
    if (!vortices) return cord__check_built(b, CORD_ERROR_MEMORY, w->at, "wind");
    for (int i = 0; i < w->vortices.count; i++) {
        const vortex_data *v = ITEM(w->vortices, vortex_data, i);
        v3_copy(vortices[i].center, v->center);
        v3_copy(vortices[i].axis, v->axis);
        v3_copy(vortices[i].velocity, v->velocity);
        vortices[i].circulation = v->circulation;
        vortices[i].core = v->core;
    }
    def.vortex_count = w->vortices.count;
    def.vortices = vortices;
    return cord__check_built(b, cord_world_set_wind(b->world, &def), w->at, "wind");
}

/* ---- strands ------------------------------------------------------------------------------ */

static void fill_material(const material_data *m, cord_material *material)
{
    if (!m) return; /* an explicit section needs no material */
    *material = (cord_material){m->density, m->young, m->poisson};
}

static void fill_chain(const strand_data *s, cord_strand_def *def)
{
    const chain_data *c = &s->chain;
    def->element_count = c->elements;
    def->element_lengths = c->lengths.values;
    if (!isnan(c->total)) def->length = c->total;
    def->natural_curvatures = c->natural;
    def->planar = c->planar;
    def->base_damping = c->base_damping;
    def->kinematics = (cord_kinematics)c->kinematics;
    if (c->natural || (c->initial && !s->natural.kind)) def->natural_positions = NULL;
    if (!c->initial) return;
    def->positions = NULL;
    def->curvatures = c->initial;
    v3_copy(def->base_position, c->position);
    memcpy(def->base_frame, c->frame, sizeof def->base_frame);
}

static void fill_shape(const strand_data *s, cord_strand_def *def)
{
    def->vertex_count = s->line.count;
    def->positions = s->line.x;
    def->velocities = s->velocities;
    def->closed = s->line.closed;
    def->natural_positions = s->natural_line.x;
    def->natural_twist = s->natural_angles;
    def->twist = s->angles;
    def->closing_twist = s->closing_twist;
    v3_copy(def->natural_director, s->natural_director);
    v3_copy(def->director, s->director);
}

cord_strand_def cord__strand_def(const strand_data *s)
{
    cord_strand_def def = cord_strand_def_default();
    def.model = s->model;
    def.name = s->name;
    fill_shape(s, &def);
    if (cord__strand_traits(s->model)->has_elements) fill_chain(s, &def);
    def.control_point_count = s->control_points;
    def.spline_ends = (cord_spline_ends)s->spline_ends;
    fill_material(s->material, &def.material);
    def.section = (cord_section){0};
    ((const section_ops *)s->section.kind)->fill(s->section.data, &def.section);
    def.stretch = (cord_stretch)s->stretch;
    def.twist_mode = (cord_twist)s->twist;
    def.curvature = (cord_curvature)s->curvature;
    def.damping = s->damping;
    def.drag = s->drag;
    v3_copy(def.load, s->load);
    def.quadratic_drag = s->quadratic_drag;
    return def;
}

static bool build_strand(builder *b, const strand_data *s, cord_strand *strand)
{
    if (s->cable) return true; /* added after the objects of its route */
    cord_strand_def def = cord__strand_def(s);
    return cord__check_built(b, cord_world_add_strand(b->world, &def, strand), s->at, "strand");
}

/* Finds the natural shape of a chain at rest, after all constraints and loads on it are added. */
static bool build_rest(builder *b, const strand_data *s)
{
    if (!s->rest || has_errors(b)) return true; /* the rest may depend on an object with errors */
    cord_status status = cord__find_rest(b->simulation, s);
    if (status == CORD_OK) return true;
    b->status = status;
    cord__diagnose(&b->simulation->errors, cord__node_key_mark(s->at, "rest"),
                   "%s cannot be at rest as drawn: %s", s->name, cord_world_get_error(b->world));
    return false;
}

/* ---- bodies ------------------------------------------------------------------------------- */

static void fill_inertia(const number_list *given, double *inertia)
{
    static const int other[3][2] = {{1, 3}, {2, 6}, {5, 7}};
    const double *v = given->values;
    for (int k = 0; k < 3; k++) inertia[4 * k] = v[k];
    for (int k = 0; k < 3 && given->count == 6; k++)
        inertia[other[k][0]] = inertia[other[k][1]] = v[3 + k];
}

static cord_body_def body_def(const body_data *b)
{
    cord_body_def def = cord_body_def_default();
    def.name = b->name;
    if (b->shape.kind) ((const solid_ops *)b->shape.kind)->fill(b->shape.data, &def.shape);
    def.density = b->density;
    if (!isnan(b->mass)) def.mass = b->mass;
    if (b->inertia.count > 0) fill_inertia(&b->inertia, def.inertia);
    if (!isnan(b->center[0])) v3_copy(def.center, b->center);
    v3_copy(def.position, b->position);
    if (b->rotation) {
        double rotation[3];
        v3_scale(rotation, b->rotation->angle / v3_norm(b->rotation->axis), b->rotation->axis);
        cord__rotation_exp(def.frame, rotation);
    }
    v3_copy(def.velocity, b->velocity);
    v3_copy(def.angular_velocity, b->angular_velocity);
    def.drag = b->drag;
    def.angular_drag = b->angular_drag;
    return def;
}

static bool build_body(builder *b, const body_data *d, built_body *built)
{
    cord_body_def def = body_def(d);
    if (!cord__check_built(b, cord_world_add_body(b->world, &def, &built->handle), d->at, "body"))
        return false;
    if (!d->clamped.at) return true;
    cord_point_def on = cord_point_def_default();
    if (!cord__build_script(b, &d->clamped.script, &on)) return false;
    cord_clamp_handles *c = &built->clamp;
    cord_status status =
        cord_world_clamp_body(b->world, built->handle, &on, &c->point, &c->coincide, &c->align);
    return cord__check_built(b, status, d->at, "body");
}

/* ---- points, clamps, constraints, loads ----------------------------------------------------- */

cord_status cord__arc_in_world(const cord_simulation *sim, const strand_data *s, const location *p,
                               double along, double *arc)
{
    cord_strand_info info;
    *arc = along;
    if (!cord__strand_traits(s->model)->has_control_points && !s->cable) return CORD_OK;
    cord_status status = cord_strand_get_info(sim->world, cord__strand_handle(sim, s), &info);
    if (status == CORD_OK && s->cable && p->kind == LOCATION_STRAND_FRACTION)
        *arc = along * info.length;
    if (status == CORD_OK && s->length > 0) *arc = along / s->length * info.length;
    return status;
}

static bool strand_point_def(builder *b, const location *p, cord_point_def *def)
{
    double along;
    const strand_data *s = cord__strand_of(b->scene, p, &along);
    def->source = CORD_SOURCE_STRAND;
    def->strand = cord__strand_handle(b->simulation, s);
    return cord__check_built(b, cord__arc_in_world(b->simulation, s, p, along, &def->s), p->at,
                             "location");
}

const body_data *cord__body_of(const cord_scene *scene, const location *p)
{
    if (p->kind != LOCATION_BODY && p->kind != LOCATION_NAME) return NULL;
    const symbol *s = cord__find_symbol(scene, p->name);
    return s && s->kind == SUBJECT_BODY ? ITEM(scene->data.bodies, body_data, s->index) : NULL;
}

void cord__body_point_def(const cord_simulation *sim, const location *p, cord_point_def *def)
{
    def->source = CORD_SOURCE_BODY;
    def->body = cord__body_handle(sim, cord__body_of(sim->scene, p));
    if (p->kind != LOCATION_BODY) return; /* a whole body: its origin and axes */
    v3_copy(def->position, p->x);
    memcpy(def->frame, p->frame, sizeof def->frame);
}

/* A revolute or a prismatic coordinate. */
static bool build_coordinate(builder *b, const point_data *p, cord_point *point)
{
    const coordinate_data *g = p->revolute ? p->revolute : p->prismatic;
    cord_point_def def = cord_point_def_default();
    def.source = p->revolute ? CORD_SOURCE_REVOLUTE : CORD_SOURCE_PRISMATIC;
    v3_copy(def.direction, g->axis);
    def.friction = p->friction;
    return cord__build_point(b, &g->of, &def.measured) &&
           cord__build_point(b, &g->reference, &def.reference) &&
           cord__check_built(b, cord_world_add_point(b->world, &def, point), p->at, "point");
}

static bool path_point_def(builder *b, const location *p, bool sliding, cord_point_def *def)
{
    return cord__check_built(b, cord__path_point_def(b->simulation, p, sliding, def), p->at,
                             "location");
}

static bool build_point(builder *b, const point_data *p, cord_point *point)
{
    cord_point_def def = cord_point_def_default();
    bool on_path = cord__path_of(b->scene, &p->where) != NULL;
    if (p->where.kind == LOCATION_WORLD)
        v3_copy(def.position, p->where.x);
    else if (p->where.kind == LOCATION_BODY)
        cord__body_point_def(b->simulation, &p->where, &def);
    else if (on_path ? !path_point_def(b, &p->where, p->sliding, &def)
                     : !strand_point_def(b, &p->where, &def))
        return false;
    if (p->sliding) {
        if (!on_path) def.source = CORD_SOURCE_SLIDING;
        def.friction = p->friction;
        def.end = (cord_end)p->end;
        def.restitution = p->restitution;
        def.inertia = p->mass;
        def.initial_rate = p->rate;
    }
    return cord__build_script(b, &p->script, &def) &&
           cord__check_built(b, cord_world_add_point(b->world, &def, point), p->at, "point");
}

bool cord__build_point(builder *b, const location *p, cord_point *point)
{
    *point = (cord_point){0, 0};
    if (p->kind == LOCATION_NONE) return true;
    bool on_body = cord__body_of(b->scene, p) != NULL;
    if (p->kind == LOCATION_NAME && !on_body) {
        const symbol *s = cord__find_symbol(b->scene, p->name);
        if (s->kind == SUBJECT_JOINT) {
            built_joint *joint = &b->simulation->joints[s->index];
            cord_status status = cord__joint_coordinate(b->simulation, joint, point);
            return cord__check_built(b, status, p->at, "joint");
        }
        *point = b->simulation->points[s->index];
        if (point->index != 0) return true;
        if (has_errors(b)) return cord__check_built(b, CORD_ERROR_HANDLE, p->at, "point");
        cord__diagnose(
            &b->simulation->errors, p->at->at,
            "\"%.40s\" is on a cable, which is not there yet: constraints, loads and probes "
            "can be on it, joints cannot",
            p->name);
        b->status = CORD_ERROR_INPUT;
        return false;
    }
    cord_point_def def = cord_point_def_default();
    if (p->kind == LOCATION_WORLD) v3_copy(def.position, p->x);
    if (on_body) cord__body_point_def(b->simulation, p, &def);
    bool on_path = cord__path_of(b->scene, p) != NULL;
    if (on_path && !path_point_def(b, p, false, &def)) return false;
    bool on_strand = !on_body && !on_path && p->kind != LOCATION_WORLD;
    if (on_strand && !strand_point_def(b, p, &def)) return false;
    return cord__check_built(b, cord_world_add_point(b->world, &def, point), p->at, "location");
}

/* The frame that a clamp holds, from the drawn one: the smallest rotation to its direction, then a
 * rotation about the tangent to its director. */
static bool clamp_frame(builder *b, const clamp_data *c, double frame[9])
{
    double t[3], *m1 = frame + 3;
    v3_copy(t, frame);
    if (!isnan(c->direction[0])) v3_normalize(t, c->direction);
    transport(m1, frame, t, m1);
    v3_copy(frame, t);
    if (!isnan(c->director[0])) {
        v3_copy(m1, c->director);
        v3_axpy(m1, -v3_dot(m1, t), t);
        if (!(v3_norm(m1) > 1e-9 * v3_norm(c->director))) {
            cord__diagnose(&b->simulation->errors, cord__node_key_mark(c->at, "director"),
                           "director must be a direction across the tangent");
            b->status = CORD_ERROR_INPUT;
            return false;
        }
        v3_normalize(m1, m1);
    }
    v3_cross(frame + 6, t, m1);
    return true;
}

/* A clamp that does not hold the strand as drawn: adds a world point at the present position of the
 * strand, coincide, and align unless frame: no. */
static bool build_clamp_by_frame(builder *b, const clamp_data *c, cord_point_def *def,
                                 cord_clamp_handles *built)
{
    cord_constraint_def hold = cord_constraint_def_default();
    if (!cord__build_point(b, &c->where, &hold.first)) return false;
    cord_status status =
        cord_point_get_pose(b->world, hold.first, def->position, c->frame ? def->frame : NULL);
    if (!cord__check_built(b, status, c->at, "clamp")) return false;
    if (c->frame && !clamp_frame(b, c, def->frame)) return false;
    status = cord_world_add_point(b->world, def, &built->point);
    if (!cord__check_built(b, status, c->at, "clamp")) return false;
    hold.kind = CORD_COINCIDE;
    hold.name = c->name;
    hold.second = built->point;
    status = cord_world_add_constraint(b->world, &hold, &built->coincide);
    if (status == CORD_OK && c->frame) {
        hold.kind = CORD_ALIGN;
        for (int k = 0; k < 3; k++) hold.relative_frame[4 * k] = 1;
        status = cord_world_add_constraint(b->world, &hold, &built->align);
    }
    return cord__check_built(b, status, c->at, "clamp");
}

static bool build_clamp(builder *b, const clamp_data *c, cord_clamp_handles *built)
{
    cord_point_def def = cord_point_def_default(), on = cord_point_def_default();
    if (!cord__build_script(b, &c->script, &def)) return false;
    if (!c->frame || !isnan(c->direction[0]) || !isnan(c->director[0]))
        return build_clamp_by_frame(b, c, &def, built);
    if (!strand_point_def(b, &c->where, &on)) return false;
    cord_status status = cord_world_clamp_strand(b->world, on.strand, on.s, &def, &built->point,
                                                 &built->coincide, &built->align);
    return cord__check_built(b, status, c->at, "clamp");
}

static bool wrong_width(builder *b, const constraint_data *d, const char *key, const char *text,
                        int rows, int width)
{
    cord__diagnose(&b->simulation->errors, cord__node_get(d->at, key)->at,
                   "a %s of %s has %d value%s%s, not %d", key, d->kind, rows, rows == 1 ? "" : "s",
                   text, width);
    b->status = CORD_ERROR_INPUT;
    return false;
}

/* Only the constraint determines the number of values of a keyframe of its drive: it is added without its drive,
 * queried, and removed again. */
static bool check_drive(builder *b, const constraint_data *d, cord_constraint_def def)
{
    cord_constraint trial;
    double g[16];
    int rows = 0, width = d->drive.count > 0 ? ITEM(d->drive, drive_key, 0)->value.count : 0;
    def.drive = (cord_keys){0};
    cord_status status = cord_world_add_constraint(b->world, &def, &trial);
    if (!cord__check_built(b, status, d->at, "constraint")) return false;
    status = cord_constraint_get_residual(b->world, trial, &rows, g);
    cord_world_remove_constraint(b->world, trial);
    if (!cord__check_built(b, status, d->at, "constraint")) return false;
    if (d->drive.count > 0 && rows != width)
        return wrong_width(b, d, "drive", " per key", rows, width);
    if (d->rate.count > 0 && rows != d->rate.count)
        return wrong_width(b, d, "rate", "", rows, d->rate.count);
    return true;
}

static bool build_constraint(builder *b, const constraint_data *d, cord_constraint *constraint)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = d->kind;
    def.name = d->name;
    v3_copy(def.direction, d->direction);
    v3_copy(def.first_direction, d->first_direction);
    if (!isnan(d->release_time)) def.release_time = d->release_time;
    if (!isnan(d->release_force)) def.release_force = d->release_force;
    if (!isnan(d->release_distance)) def.release_distance = d->release_distance;
    if (!isnan(d->attach_time)) def.attach_time = d->attach_time;
    if (!isnan(d->attach_distance)) def.attach_distance = d->attach_distance;
    if (!isnan(d->attach_speed)) def.attach_speed = d->attach_speed;
    if (!isnan(d->attach_after)) def.attach_after = d->attach_after;
    def.repeat = d->reattach;
    def.friction = d->friction;
    if (!isnan(d->length)) def.length = d->length;
    v3_copy(def.curvature, d->curvature);
    def.ratio = d->ratio;
    def.compliance = d->compliance;
    def.damping = d->damping;
    def.side = (cord_side)d->side;
    def.restitution = d->restitution;
    bool ready = cord__build_point(b, &d->first, &def.first) &&
                 cord__build_point(b, &d->second, &def.second);
    if (!ready) return false;
    bool driven = d->drive.count > 0 || d->rate.count > 0;
    if (driven && !check_drive(b, d, def)) return false;
    for (int k = 0; k < d->rate.count; k++) def.drive_rate[k] = d->rate.values[k];
    if (!cord__drive_keys(b, &d->drive, d->ease, &def.drive)) return false;
    return cord__check_built(b, cord_world_add_constraint(b->world, &def, constraint), d->at,
                             "constraint");
}

static bool build_load(builder *b, const load_data *d, cord_load *load)
{
    cord_load_def def = cord_load_def_default();
    v3_copy(def.force, d->force);
    v3_copy(def.torque, d->torque);
    def.coordinate_force = d->along;
    return cord__build_point(b, &d->where, &def.point) &&
           cord__drive_keys(b, &d->keys, d->ease, &def.force_keys) &&
           cord__drive_keys(b, &d->torque_keys, d->ease, &def.torque_keys) &&
           cord__drive_keys(b, &d->along_keys, d->ease, &def.coordinate_force_keys) &&
           cord__check_built(b, cord_world_add_load(b->world, &def, load), d->at, "load");
}

/* ---- all ---------------------------------------------------------------------------------- */

/* Building goes on after errors, to find those of all objects. */
static bool build_objects(builder *b)
{
    const scene_data *d = &b->scene->data;
    cord_simulation *sim = b->simulation;
    if (!build_world(b)) return false;
    bool good = build_wind(b);
    for (int i = 0; i < d->strands.count; i++) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        if (!cord__is_built_next(b, s->at)) continue;
        good = build_strand(b, s, &sim->strands[i].handle) && good;
    }
    for (int i = 0; i < d->bodies.count; i++) {
        const body_data *o = ITEM(d->bodies, body_data, i);
        if (cord__is_built_next(b, o->at)) good = build_body(b, o, &sim->bodies[i]) && good;
    }
    for (int i = 0; i < d->paths.count; i++) {
        const path_data *p = ITEM(d->paths, path_data, i);
        if (!cord__is_built_next(b, p->at)) continue;
        good = cord__check_built(b, cord__build_path(sim, p), p->at, "path") && good;
    }
    return good;
}

/* Whether it is on a cable, or a coordinate of a point on one. */
static bool is_on_cable(const cord_scene *scene, const location *p)
{
    const symbol *s = p->name ? cord__find_symbol(scene, p->name) : NULL;
    if (s && s->kind == SUBJECT_STRAND)
        return ITEM(scene->data.strands, strand_data, s->index)->cable != NULL;
    if (!s || s->kind != SUBJECT_POINT || p->kind != LOCATION_NAME) return false;
    return is_on_cable(scene, &ITEM(scene->data.points, point_data, s->index)->where);
}

static bool waits_for_cables(const cord_scene *scene, const point_data *p)
{
    const coordinate_data *g = p->revolute ? p->revolute : p->prismatic;
    if (!g) return is_on_cable(scene, &p->where);
    return is_on_cable(scene, &g->of) || is_on_cable(scene, &g->reference);
}

/* Points with a location or coordinates, either those on cables or the others. */
static bool build_kind_of_point(builder *b, bool coordinates, bool on_cables)
{
    const item_list *list = &b->scene->data.points;
    bool good = true;
    for (int i = 0; i < list->count; i++) {
        const point_data *p = ITEM(*list, point_data, i);
        cord_point *point = &b->simulation->points[i];
        bool coordinate = p->revolute || p->prismatic;
        if (coordinate != coordinates || waits_for_cables(b->scene, p) != on_cables) continue;
        if (!cord__is_built_next(b, p->at)) continue;
        good = (coordinate ? build_coordinate(b, p, point) : build_point(b, p, point)) && good;
    }
    return good;
}

/* Points with a location, joints between them, then coordinates; then cables, and points and coordinates on
 * them. */
static bool build_points(builder *b)
{
    bool good = build_kind_of_point(b, false, false);
    good = cord__build_joints(b) && good;
    good = build_kind_of_point(b, true, false) && good;
    good = cord__build_cables(b) && good;
    good = build_kind_of_point(b, false, true) && good;
    return build_kind_of_point(b, true, true) && good;
}

static bool build_links(builder *b)
{
    const scene_data *d = &b->scene->data;
    cord_simulation *sim = b->simulation;
    bool good = true;
    for (int i = 0; i < d->clamps.count; i++) {
        const clamp_data *c = ITEM(d->clamps, clamp_data, i);
        if (cord__is_built_next(b, c->at)) good = build_clamp(b, c, &sim->clamps[i]) && good;
    }
    for (int i = 0; i < d->constraints.count; i++) {
        const constraint_data *c = ITEM(d->constraints, constraint_data, i);
        if (!cord__is_built_next(b, c->at)) continue;
        good = build_constraint(b, c, &sim->constraints[i]) && good;
    }
    for (int i = 0; i < d->loads.count; i++) {
        const load_data *l = ITEM(d->loads, load_data, i);
        if (cord__is_built_next(b, l->at)) good = build_load(b, l, &sim->loads[i]) && good;
    }
    return good;
}

static bool build_all(builder *b)
{
    const scene_data *d = &b->scene->data;
    bool good = build_objects(b);
    if (!b->world) return false;
    good = build_points(b) && good;
    good = build_links(b) && good;
    good = cord__build_contacts(b) && good;
    good = cord__build_controllers(b) && good;
    for (int i = 0; good && i < d->strands.count; i++) {
        good = build_rest(b, ITEM(d->strands, strand_data, i));
    }
    for (int i = 0; good && i < d->strands.count; i++) {
        const strand_data *s = ITEM(d->strands, strand_data, i);
        if (cord__is_built_next(b, s->at))
            good = cord__build_schedule(b, s, cord__strand_handle(b->simulation, s)) &&
                   cord__build_growth(b, s, cord__strand_handle(b->simulation, s)) &&
                   cord__build_breakage(b, s, cord__strand_handle(b->simulation, s));
    }
    if (!good || has_errors(b)) return false;
    b->status = cord__bind_probes(b->simulation);
    /* An integrator that cannot treat an object refuses here, not at the first step. */
    return b->status == CORD_OK &&
           cord__check_built(b, cord_world_prepare(b->world), d->world->at, "world");
}

cord_status cord__build(cord_simulation *sim)
{
    builder b = {sim, sim->scene, NULL, CORD_ERROR_INPUT};
    return build_all(&b) ? CORD_OK : b.status;
}
