/* Points: adding, moving and removing them, and updating their elements. */
#include "world/contacts.h"

#include "block/slider.h"
#include "body/body.h"
#include "math/rotation.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

/* A flywheel does not remain without its bearing. */
static void remove_flywheels(cord_world *w, const point *bearing)
{
    for (const list_link *at = bearing->terms; at;) {
        const term *x = at->item;
        at = at->next;
        if (x->ops != &cord__flywheel.term || x->point[1] != bearing->slot) continue;
        cord__remove_point(w, w->points.item[x->point[0]]);
        at = bearing->terms;
    }
}

void cord__remove_point(cord_world *w, point *p)
{
    uint32_t index = (uint32_t)p->slot + 1;
    remove_flywheels(w, p);
    while (p->terms) cord__remove_term(w, p->terms->item);
    while (p->loads) cord__remove_load(w, p->loads->item);
    cord__remove_carried(w, p);
    if (p->slider >= 0) {
        cord__remove_children(w, w->sliders.item[p->slider]);
        cord__abandon_range(w, w->sliders.item[p->slider]);
    }
    list_remove(&p->link);
    cord__set_released(w, p, false);
    cord__point_free(w, p);
    cord__slots_remove(&w->points, index);
    w->layout_stale = w->partition_stale = true;
}

void cord__remove_object(cord_world *w, object *t)
{
    slots *from = t->kind == OBJECT_STRAND ? &w->strands : &w->bodies;
    uint32_t index = (uint32_t)t->slot + 1;
    while (t->points) cord__remove_point(w, t->points->item);
    while (t->paths) cord__remove_path(w, t->paths->item);
    cord__remove_children(w, t);
    for (int i = 0; i < t->block.shared_count; i++) list_remove(&t->block.shared[i].parent_link);
    for (int i = 0; i < t->along_count; i++) list_remove(t->along + i);
    if (t->block.surface.exists) {
        cord__forget_surface(w, t);
        cord__surfaces_changed(w);
    }
    cord__abandon_range(w, t);
    cord__object_free(w, t);
    cord__slots_remove(from, index);
    w->layout_stale = w->partition_stale = true;
}

cord_point_def cord_point_def_default(void)
{
    return (cord_point_def){.frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .direction = {0, 0, 1}};
}

point *cord__get_point(const cord_world *w, cord_point handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->points, "point", handle.index, handle.generation);
}

/* The position and frame of a definition, in world axes or in those of a body. */
static cord_status fill_pose(cord_world *w, point *p, const cord_point_def *def)
{
    for (int k = 0; k < 9; k++)
        if (!is_admissible(def->frame[k]))
            return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame is not finite or exceeds 1e50");
    if (!v3_admissible(def->position))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a position is not finite or exceeds 1e50");
    v3_copy(p->position, def->position);
    memcpy(p->orientation, def->frame, sizeof p->orientation);
    if (v3_norm(p->orientation) == 0 || v3_norm(p->orientation + 3) == 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame has a zero axis");
    cord__rotation_orthonormalise(p->orientation);
    if (!isfinite(p->orientation[3]))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a frame's axes are parallel");
    return CORD_OK;
}

static cord_status fill_world_point(cord_world *w, point *p, const cord_point_def *def)
{
    cord_status status = fill_pose(w, p, def);
    if (status != CORD_OK) return status;
    status = cord__keyframes_copy(&p->motion, &w->memory, &def->motion, 3);
    if (status != CORD_OK)
        return cord__fail(w, status, "motion: keys must be finite, times ascending");
    status = cord__keyframes_copy(&p->rotation, &w->memory, &def->rotation, 3);
    if (status != CORD_OK)
        return cord__fail(w, status, "rotation: keys must be finite, times ascending");
    return CORD_OK;
}

static cord_status fill_body_point(cord_world *w, point *p, const cord_point_def *def)
{
    object *t = cord__get_body(w, def->body);
    if (!t) return CORD_ERROR_HANDLE;
    cord_status status = cord__object_ready(w, t);
    if (status == CORD_OK) status = fill_pose(w, p, def);
    if (status != CORD_OK) return status;
    p->block = t->index;
    p->parent = (int)def->body.index - 1;
    cord__body_attach(t->block.model, MEASURE_POSITION, p->position, p->orientation,
                      &p->position_attachment);
    cord__body_attach(t->block.model, MEASURE_FRAME, p->position, p->orientation,
                      &p->frame_attachment);
    p->frame_attached = true;
    return CORD_OK;
}

static cord_status fill_strand_point(cord_world *w, point *p, const cord_point_def *def)
{
    strand *s = cord__get_strand(w, def->strand);
    if (!s) return CORD_ERROR_HANDLE;
    cord_status status = cord__object_ready(w, s);
    if (status != CORD_OK) return status;
    cord_strand_info info;
    s->ops->info(s->block.model, &info);
    /* Rounding may put s slightly beyond an end. */
    double slack = 1e-9 * info.length;
    if (!(def->s >= -slack && def->s <= info.length + slack))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "s = %g m is not on the strand, which has %g m",
                          def->s, info.length);
    p->s = fmin(fmax(def->s, 0), info.length);
    p->block = s->index;
    p->parent = (int)def->strand.index - 1;
    const block_ops *ops = s->block.ops;
    status =
        ops->attach(s->block.model, &w->memory, MEASURE_POSITION, p->s, &p->position_attachment);
    if (status == CORD_OK && p->position_attachment.crosses_elements)
        p->element = p->position_attachment.index =
            ops->sliding->element_at(s->block.model, w->problem.now.q + s->block.q0, p->s);
    if (status == CORD_ERROR_UNSUPPORTED)
        return cord__fail(
            w, status,
            "s = %g m may run out through an end that the strand runs through; at its "
            "nodes that stay with the material points can be",
            p->s);
    return status == CORD_OK ? status : cord__fail(w, status, "%s", cord_status_text(status));
}

/* Adds the block of one degree of freedom that is the point's coordinate. */
static cord_status add_slider(cord_world *w, point *p, const slider *coordinate)
{
    double inertia = coordinate->inertia + coordinate->mass;
    if (!(inertia >= 0 && is_admissible(inertia)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "inertia is %g; it must be at least 0", inertia);
    if (!(coordinate->friction >= 0 && is_admissible(coordinate->friction)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "friction is %g; it must be at least 0",
                          coordinate->friction);
    object *t = NEW(&w->memory, object, 1);
    uint32_t index, generation;
    cord_status status = t ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = cord__coordinate_block(coordinate, &w->memory, &t->block);
    if (status == CORD_OK)
        status = cord__slots_add(&w->sliders, &w->memory, t, &index, &generation);
    if (status != CORD_OK) {
        if (t) cord__object_free(w, t);
        return cord__fail(w, status, "out of memory for a point");
    }
    t->kind = OBJECT_SLIDER;
    t->slot = (int)index - 1;
    p->slider = (int)index - 1;
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

/* Sets the behaviour of a sliding point at the ends; `last` is the largest coordinate, 0 where there are no ends. */
static cord_status set_ends(cord_world *w, point *p, const cord_point_def *def, double last)
{
    if (def->end != CORD_END_STOP && def->end != CORD_END_RELEASE)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "unknown end of a sliding point");
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "restitution is %g; it must be from 0 to 1",
                          def->restitution);
    p->end = def->end;
    p->max_coordinate = last;
    return CORD_OK;
}

/* Adds the coordinate of a point on a strand or a path; with inertia the point is a pearl, a point mass. */
static cord_status add_sliding(cord_world *w, point *p, const cord_point_def *def, double scale)
{
    if (!is_admissible(def->initial_rate))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "rate is not finite or exceeds 1e50");
    if (def->initial_rate != 0 && !(def->inertia > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "only a sliding point with inertia has a rate of its own");
    p->mass = def->inertia;
    return add_slider(w, p,
                      &(slider){.s = p->s,
                                .scale = scale,
                                .max_correction = scale,
                                .friction = def->friction,
                                .mass = def->inertia,
                                .rate = def->initial_rate});
}

static cord_status fill_sliding_point(cord_world *w, point *p, const cord_point_def *def)
{
    cord_status status = fill_strand_point(w, p, def);
    if (status != CORD_OK) return status;
    const object *on = w->strands.item[p->parent];
    const block *b = &on->block;
    if (!b->ops->sliding)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "nothing slides on a strand of model '%s'",
                          b->ops->name);
    if (b->schedule && b->schedule->length.count > 0)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': a point cannot slide on it, since its length has keys",
                          on->name ? on->name : "");
    if (b->growth)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "strand '%s': a point cannot slide on it, since it grows",
                          on->name ? on->name : "");
    cord_strand_info info = {0};
    on->ops->info(b->model, &info);
    double edge = info.length / info.edge_count;
    status = set_ends(w, p, def, info.closed ? 0 : info.length);
    if (status != CORD_OK) return status;
    p->element = b->ops->sliding->element_at(b->model, w->problem.now.q + b->q0, p->s);
    return add_sliding(w, p, def, edge);
}

/* One Newton correction moves a point on a path by at most half a radian of its sharpest curvature. */
static cord_status fill_path_point(cord_world *w, point *p, const cord_point_def *def)
{
    const world_path *on = cord__get_path(w, def->path);
    if (!on) return CORD_ERROR_HANDLE;
    const path_curve *c = &on->curve;
    double slack = 1e-9 * c->length, scale = fmin(c->length / 4, 0.5 / c->max_curvature);
    if (!(def->s >= -slack && def->s <= c->length + slack))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "s = %g m is not on the path, which has %g m",
                          def->s, c->length);
    p->s = fmin(fmax(def->s, 0), c->length);
    p->path = c;
    p->parent = on->owner;
    cord_status status = set_ends(w, p, def, c->closed ? 0 : c->length);
    if (status == CORD_OK && p->parent >= 0) {
        object *t = w->bodies.item[p->parent];
        status = cord__object_ready(w, t);
        p->block = t->index;
    }
    return status == CORD_OK ? add_sliding(w, p, def, scale) : status;
}

/* A revolute or prismatic coordinate: a copy of the point `measured`, with a coordinate that an internal constraint
 * determines. */
static cord_status fill_measured_point(cord_world *w, point *p, const cord_point_def *def)
{
    const point *measured = cord__get_point(w, def->measured), *reference = NULL;
    if (!measured) return CORD_ERROR_HANDLE;
    if (def->reference.index != 0) {
        reference = cord__get_point(w, def->reference);
        if (!reference) return CORD_ERROR_HANDLE;
    }
    cord_status status = cord__point_ready(w, measured);
    if (status != CORD_OK) return status;
    if (measured->block < 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the measured point must be on a strand or a body");
    if (point_slides(measured) || (reference && point_slides(reference)))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "the angle or distance of a point that slides cannot be measured");
    if (!v3_admissible(def->direction) || !(v3_norm(def->direction) > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "the direction must not be zero");
    double x[2][3] = {{0}}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, axis[3], offset[3], s = 0;
    status = cord_point_get_pose(w, def->measured, x[0], NULL);
    if (status == CORD_OK && reference)
        status = cord_point_get_pose(w, def->reference, x[1], frame);
    if (status != CORD_OK) return status;
    if (def->source == CORD_SOURCE_PRISMATIC) {
        m3_apply(axis, frame, def->direction);
        v3_sub(offset, x[0], x[1]);
        s = v3_dot(axis, offset) / v3_norm(def->direction);
    }
    *p = *measured;
    p->motion = p->rotation = (keyframes){0};
    p->link = (list_link){0};
    p->terms = p->loads = NULL;
    p->slider = p->slider_block = -1;
    p->measured = true;
    return add_slider(w, p,
                      &(slider){.s = s,
                                .scale = 1,
                                .max_correction = INFINITY,
                                .friction = def->friction,
                                .inertia = def->inertia});
}

/* Whether the bearing of a flywheel is on a body; points of other objects do not rotate. */
static cord_status find_bearing(cord_world *w, const cord_point_def *def, bool *on_body)
{
    *on_body = false;
    if (def->reference.index == 0) return CORD_OK;
    const point *p = cord__get_point(w, def->reference);
    if (!p) return CORD_ERROR_HANDLE;
    *on_body = p->source == CORD_SOURCE_BODY;
    if (p->rotation.count == 0) return CORD_OK;
    return cord__fail(
        w, CORD_ERROR_UNSUPPORTED,
        "the bearing of a flywheel must not be on a scripted point that rotates; use a "
        "body that is clamped to that point");
}

/* Only pictures depend on the pose of a flywheel. */
static cord_status fill_flywheel(cord_world *w, point *p, const cord_point_def *def)
{
    bool on_body;
    cord_status status = fill_pose(w, p, def);
    if (status == CORD_OK) status = find_bearing(w, def, &on_body);
    if (status != CORD_OK) return status;
    if (!(def->inertia > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "the inertia of a flywheel is %g; it must be above 0", def->inertia);
    p->measured = true;
    return add_slider(w, p,
                      &(slider){.scale = 1,
                                .max_correction = INFINITY,
                                .friction = def->friction,
                                .inertia = on_body ? 0 : def->inertia,
                                .carried_inertia = on_body ? def->inertia : 0});
}

/* Adds the inertia of a flywheel whose bearing is on a body, as a force. */
static cord_status add_flywheel(cord_world *w, cord_point handle, const cord_point_def *def)
{
    flywheel_term *r = NEW(&w->memory, flywheel_term, 1);
    if (!r) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a point");
    *r = (flywheel_term){
        .inertia = def->inertia,
        .base = {.ops = &cord__flywheel,
                 .term = {.point = {(int)handle.index - 1, (int)def->reference.index - 1},
                          .needs = {NEEDS_COORDINATE, NEEDS_FRAME}}}};
    return cord__add_force(w, &r->base);
}

/* Adds the internal constraint that equates a coordinate with the measured angle or distance. */
static cord_status add_measuring_constraint(cord_world *w, cord_point handle,
                                            const cord_point_def *def)
{
    cord_constraint_def row = cord_constraint_def_default();
    cord_constraint made;
    bool revolute = def->source == CORD_SOURCE_REVOLUTE;
    row.name = revolute ? "revolute coordinate" : "prismatic coordinate";
    row.first = handle;
    row.second = def->reference;
    v3_copy(row.direction, def->direction);
    cord_status status =
        cord__world_add_constraint(w, revolute ? &cord__revolute : &cord__prismatic, &row, &made);
    if (status == CORD_OK) cord__mark_internal(w, made);
    return status;
}

/* Adds the point mass of a sliding point, as a force. */
static cord_status add_point_mass(cord_world *w, cord_point handle)
{
    force_term *f = NEW(&w->memory, force_term, 1);
    if (!f) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a point");
    *f = (force_term){.ops = &cord__point_mass,
                      .term = {.point = {(int)handle.index - 1, -1},
                               .needs = {NEEDS_POSITION, 0},
                               .projected_rows = 3,
                               .keeps_jacobians = true}};
    return cord__add_force(w, f);
}

/* Adds the end stops of a sliding point: 0 <= coordinate <= length. */
static cord_status add_end_stops(cord_world *w, cord_point handle, const point *p,
                                 double restitution)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_status status = CORD_OK;
    def.kind = CORD_SLIDE;
    def.first = handle;
    def.restitution = restitution;
    for (int i = 0; i < 2 && status == CORD_OK; i++) {
        cord_constraint made;
        def.name = i == 0 ? "end stop at the start" : "end stop at the end";
        def.length = i == 0 ? 0 : p->max_coordinate;
        def.side = i == 0 ? CORD_AT_LEAST : CORD_AT_MOST;
        status = cord_world_add_constraint(w, &def, &made);
        if (status == CORD_OK) cord__mark_internal(w, made)->def.end_stop = true;
    }
    return status;
}

/* Sets the reference frame of a sliding point, to which the smallest rotation of the tangent is applied: the initial
 * tangent and any two normals. */
static void set_first_frame(cord_world *w, point *p)
{
    pose first;
    p->orientation[0] = p->orientation[4] = p->orientation[8] = 1;
    cord__refresh_jacobians(w, cord__point_parent(w, p));
    cord__sliding_pose(&w->problem, p, w->problem.now.q, w->problem.cache, &first);
    double J[3 * JACOBIAN_DOFS_MAX], J_s[3 * JACOBIAN_DOFS_MAX];
    sliding_jacobian j = {.J = J, .J_s = J_s, .with_frame = true};
    cord__sliding_jacobian(&w->problem, p, w->problem.now.q, w->problem.cache, &j);
    p->has_strand_frame = j.has_frame;
    v3_copy(p->orientation, first.frame);
    v3_any_normal(p->orientation + 3, p->orientation);
    v3_cross(p->orientation + 6, p->orientation, p->orientation + 3);
}

/* Lays out the coordinate of a point that is in its slot, sets its reference frame, and adds its internal
 * constraints. On failure the point is removed. */
static cord_status finish_coordinate(cord_world *w, cord_point *handle, point *p,
                                     const cord_point_def *def)
{
    object *coordinate = w->sliders.item[p->slider];
    cord_status status = cord__object_ready(w, coordinate);
    p->slider_block = coordinate->index;
    if (p->parent < 0) p->block = p->slider_block;
    if (status == CORD_OK && !p->measured) set_first_frame(w, p);
    if (status == CORD_OK && p->measured && p->source != CORD_SOURCE_FLYWHEEL)
        status = add_measuring_constraint(w, *handle, def);
    if (status == CORD_OK && p->mass > 0) status = add_point_mass(w, *handle);
    const slider *model = coordinate->block.model;
    if (status == CORD_OK && model->carried_inertia > 0) status = add_flywheel(w, *handle, def);
    if (status == CORD_OK && !p->measured && p->max_coordinate > 0 && p->end == CORD_END_STOP)
        status = add_end_stops(w, *handle, p, def->restitution);
    if (status == CORD_OK) return status;
    char why[sizeof w->error];
    memcpy(why, w->error, sizeof why);
    cord_world_remove_point(w, *handle);
    memcpy(w->error, why, sizeof why);
    *handle = (cord_point){0};
    return status;
}

static cord_status fill_point(cord_world *w, point *p, const cord_point_def *def)
{
    p->source = def->source;
    p->block = p->parent = p->slider = p->slider_block = -1;
    switch (def->source) {
    case CORD_SOURCE_WORLD: return fill_world_point(w, p, def);
    case CORD_SOURCE_BODY: return fill_body_point(w, p, def);
    case CORD_SOURCE_STRAND: return fill_strand_point(w, p, def);
    case CORD_SOURCE_SLIDING: return fill_sliding_point(w, p, def);
    case CORD_SOURCE_PATH: return fill_path_point(w, p, def);
    case CORD_SOURCE_REVOLUTE:
    case CORD_SOURCE_PRISMATIC: return fill_measured_point(w, p, def);
    case CORD_SOURCE_FLYWHEEL: return fill_flywheel(w, p, def);
    }
    return cord__fail(w, CORD_ERROR_ARGUMENT, "unknown source of a point");
}

cord_status cord_world_add_point(cord_world *w, const cord_point_def *def, cord_point *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_point){0};
    point *p = NEW(&w->memory, point, 1);
    if (!p) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a point");
    cord_status status = fill_point(w, p, def);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->points, &w->memory, p, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a point");
    }
    if (status != CORD_OK) {
        cord__point_free(w, p);
        return status;
    }
    p->slot = (int)out->index - 1;
    if (def->source == CORD_SOURCE_PATH)
        list_add(&cord__get_path(w, def->path)->points, &p->link, p);
    else if (p->parent >= 0)
        list_add(&cord__point_parent(w, p)->points, &p->link, p);
    w->problem.point = (point **)w->points.item; /* the array may have moved */
    return p->slider >= 0 ? finish_coordinate(w, out, p, def) : CORD_OK;
}

cord_status cord_world_remove_point(cord_world *w, cord_point handle)
{
    point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    cord__remove_point(w, p);
    return CORD_OK;
}

static cord_status set_pose(cord_world *w, cord_point handle, const double position[3],
                            const double frame[9], bool within_step)
{
    point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    if (p->block >= 0 || p->slider >= 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "only points in the world can be moved");
    pose now;
    cord__point_scripted(p, w->problem.now.time, &now);
    cord_point_def def = cord_point_def_default();
    memcpy(def.position, position ? position : now.position, sizeof def.position);
    memcpy(def.frame, frame ? frame : now.frame, sizeof def.frame);
    point moved = {
        .source = p->source, .block = -1, .parent = -1, .slider = -1, .slider_block = -1};
    cord_status status = fill_world_point(w, &moved, &def);
    if (status != CORD_OK) return status;
    cord__keyframes_free(&p->motion, &w->memory);
    cord__keyframes_free(&p->rotation, &w->memory);
    if (!p->change.pending) p->change.before = now;
    p->change.start = p->change.end = 0;
    p->change.pending = within_step;
    w->poses_pending = w->poses_pending || within_step;
    v3_copy(p->position, moved.position);
    memcpy(p->orientation, moved.orientation, sizeof p->orientation);
    w->revision++;                 /* reactions of constraints on it have changed */
    w->energy_check.known = false; /* and it does work */
    return CORD_OK;
}

cord_status cord_point_set_pose(cord_world *w, cord_point handle, const double position[3],
                                const double frame[9])
{
    return set_pose(w, handle, position, frame, false);
}

cord_status cord_point_move(cord_world *w, cord_point handle, const double position[3],
                            const double frame[9])
{
    return set_pose(w, handle, position, frame, true);
}

void cord__begin_pose_changes(cord_world *w, double duration)
{
    const double now = w->problem.now.time;
    for (int i = 0; w->poses_pending && i < w->points.count; i++) {
        point *p = w->points.item[i];
        if (p && p->change.pending) cord__point_begin_change(p, now, now + duration);
    }
    w->poses_pending = false;
}

void cord__set_released(cord_world *w, point *p, bool released)
{
    w->released += released - p->released;
    p->released = released;
}

cord_status cord_point_get_released(const cord_world *w, cord_point handle, bool *released)
{
    const point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    if (!released) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *released = p->released;
    return CORD_OK;
}

cord_status cord_point_get_coordinate(const cord_world *w, cord_point handle, double *s,
                                      double *rate)
{
    point *p = cord__get_point(w, handle);
    if (!p) return cord__refused(w);
    if (!s) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    cord_status status = cord__point_ready(w, p);
    if (status != CORD_OK) return status;
    const block *b = p->slider_block >= 0 ? w->problem.block[p->slider_block] : NULL;
    *s = b ? w->problem.now.q[b->q0] : p->s;
    if (rate) *rate = b ? w->problem.now.v[b->v0] : 0;
    return CORD_OK;
}
