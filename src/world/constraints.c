/* Adding constraints to a world, and removing them; clamps. */
#include "solve/integrator.h"
#include "world/event.h"

#include "math/vec3.h"

#include <string.h>

cord_constraint_def cord_constraint_def_default(void)
{
    return (cord_constraint_def){
        .kind = CORD_COINCIDE, .direction = {0, 0, 1}, .length = -1, .ratio = 1};
}

static bool has_coordinate(const point *p)
{
    return p->source == CORD_SOURCE_STRAND || p->slider >= 0;
}

/* Whether a direction is along the tangent, the first axis of a frame; or left out, which may be NaN. */
static bool is_tangent(const double direction[3])
{
    return !(fabs(direction[1]) + fabs(direction[2]) > 1e-12 * fabs(direction[0]));
}

/* Of a frame with a tangent alone only the first axis has a meaning. */
static cord_status check_direction(cord_world *w, const double direction[3],
                                   const constraint_ops *ops)
{
    if (!is_tangent(direction))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: of a tangent's directions, as points have them that slide or are on "
                          "a cable, only its own has a meaning: [1, 0, 0]",
                          ops->name);
    return CORD_OK;
}

/* A sliding point has a position and a tangent, the first axis of its frame, or on strands a whole frame. */
static cord_status check_sliding(cord_world *w, const double direction[3],
                                 const constraint_ops *ops, int side, const point *p)
{
    if (!point_slides(p) || !(ops->needs[side] & (NEEDS_FRAME | NEEDS_CURVATURE))) return CORD_OK;
    if (p->has_strand_frame && ops->needs[side] == NEEDS_FRAME) return CORD_OK;
    if (!ops->tangent_suffices[side] || ops->needs[side] != NEEDS_FRAME)
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "%s needs more than a position and a tangent, which is all that a point "
            "has that slides here; a tangent is constrained by parallel, perpendicular, or "
            "as the first of angle, and strands that are no cables have frames",
            ops->name);
    return check_direction(w, direction, ops);
}

/* Of a point on a cable there may be a tangent alone. */
static cord_status check_tangent(cord_world *w, const double direction[3],
                                 const constraint_ops *ops, int side, const point *p)
{
    if (!p || point_slides(p) || !(ops->needs[side] & NEEDS_FRAME) || !point_has_tangent(p))
        return CORD_OK;
    if (!ops->tangent_suffices[side])
        return cord__fail(
            w, CORD_ERROR_UNSUPPORTED,
            "%s needs a whole frame, and a cable has but a tangent here; that is constrained by "
            "parallel, "
            "perpendicular, or as the first of angle, and a cable with twisting has frames at its "
            "anchored ends",
            ops->name);
    return check_direction(w, direction, ops);
}

/* Friction on the motion that a constraint leaves free; coordinates of points have their own. */
static cord_status check_friction(cord_world *w, const cord_constraint_def *def,
                                  const constraint_ops *ops, const point *first,
                                  const point *second)
{
    if (!(def->friction >= 0 && is_admissible(def->friction)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: friction is %g; it must be at least 0",
                          ops->name, def->friction);
    if (def->friction == 0) return CORD_OK;
    bool rotational;
    int needs[2];
    if (!cord__friction_kind(ops, &rotational, needs))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "%s leaves no motion of its own free that could have friction; what "
                          "slides, or is a revolute or prismatic coordinate, has it at its point, "
                          "strands by their material",
                          ops->name);
    if ((rotational && point_slides(first)) || (second && point_slides(second)))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "%s: a constraint has no friction with the frame of a point that slides; "
                          "give it to the point",
                          ops->name);
    return CORD_OK;
}

static cord_status check_constraint(cord_world *w, const cord_constraint_def *def,
                                    const constraint_ops *ops, const point *first,
                                    const point *second)
{
    if (first->block < 0 && (!second || second->block < 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: neither point is on something that moves",
                          ops->name);
    bool coordinates = ops->needs[0] == NEEDS_COORDINATE;
    if (!coordinates && (first->source == CORD_SOURCE_FLYWHEEL ||
                         (second && second->source == CORD_SOURCE_FLYWHEEL)))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "%s: a flywheel has no position, only its rotation", ops->name);
    if (coordinates && first->slider < 0 && !(second && second->slider >= 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: neither point slides, or is a revolute or prismatic coordinate",
                          ops->name);
    if (coordinates && (!has_coordinate(first) || (second && !has_coordinate(second))))
        return cord__fail(
            w, CORD_ERROR_ARGUMENT,
            "%s: both points must be on strands or paths, or be revolute or prismatic coordinates",
            ops->name);
    if (!is_admissible(def->ratio))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "ratio is not finite or exceeds 1e50");
    if (!v3_admissible(def->drive_rate))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "rate is not finite or exceeds 1e50");
    cord_status status = check_sliding(w, def->first_direction, ops, 0, first);
    if (status == CORD_OK && second) status = check_sliding(w, def->direction, ops, 1, second);
    if (status != CORD_OK) return status;
    if (!(def->compliance >= 0 && is_admissible(def->compliance)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: compliance is %g; it must be at least 0",
                          ops->name, def->compliance);
    if (!(def->damping >= 0 && is_admissible(def->damping)))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: damping is %g; it must be at least 0",
                          ops->name, def->damping);
    if (def->damping > 0 && def->compliance == 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: damping needs a compliance", ops->name);
    status = cord__check_conditions(w, def);
    if (status == CORD_OK) status = check_friction(w, def, ops, first, second);
    if (status != CORD_OK) return status;
    if (def->side < CORD_EQUAL || def->side > CORD_AT_MOST ||
        (def->side != CORD_EQUAL && !ops->one_sided))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "%s cannot be one-sided", ops->name);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: restitution is %g; it must be from 0 to 1",
                          ops->name, def->restitution);
    if (def->restitution > 0 && (def->side == CORD_EQUAL || def->compliance > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: restitution needs a side and no compliance",
                          ops->name);
    if (!v3_admissible(def->direction) || !(v3_norm(def->direction) > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "%s: the direction must not be zero", ops->name);
    return CORD_OK;
}

static cord_status attach_measure(cord_world *w, point *p, measure what, attachment *at, bool *done)
{
    block *b = w->problem.block[p->block];
    cord_status status = b->ops->attach(b->model, &w->memory, what, p->s, at);
    if (status == CORD_ERROR_UNSUPPORTED)
        return cord__fail(w, status, "a strand of model '%s' has no %s at a point", b->ops->name,
                          what == MEASURE_CURVATURE ? "curvature" : "frame");
    if (status != CORD_OK) return cord__fail(w, status, "%s", cord_status_text(status));
    *done = true;
    if (at->crosses_elements)
        at->index = b->ops->sliding->element_at(b->model, w->problem.now.q + b->q0, p->s);
    cord__object_of(b)->grown = true;
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord__attach_needs(cord_world *w, point *p, int needs)
{
    cord_status status = CORD_OK;
    if (p->block < 0) return status;
    if ((needs & NEEDS_FRAME) && !p->frame_attached && !point_slides(p))
        status = attach_measure(w, p, MEASURE_FRAME, &p->frame_attachment, &p->frame_attached);
    if (status == CORD_OK && (needs & NEEDS_CURVATURE) && !p->curvature_attached)
        status = attach_measure(w, p, MEASURE_CURVATURE, &p->curvature_attachment,
                                &p->curvature_attached);
    return status;
}

cord_status cord__present_poses(const cord_world *w, const constraint *r, pose poses[2])
{
    for (int side = 0; side < 2; side++) {
        const point *p = r->term.point[side] >= 0 ? w->points.item[r->term.point[side]] : NULL;
        cord_status status = p ? cord__point_ready(w, p) : CORD_OK;
        if (status != CORD_OK) return status;
    }
    cord__refresh_term(w, &r->term);
    for (int side = 0; side < 2; side++) {
        cord__pose(&w->problem, r->term.point[side], r->ops->needs[side], w->problem.now.q,
                   w->problem.cache, w->problem.now.time, poses + side);
    }
    return CORD_OK;
}

/* Whether it needs more of the frame of a sliding point than its tangent. */
static bool takes_frame(const constraint_ops *ops, int side, const point *p,
                        const double direction[3])
{
    if (!p || !point_slides(p) || !p->has_strand_frame || !(ops->needs[side] & NEEDS_FRAME))
        return false;
    return !ops->tangent_suffices[side] || !is_tangent(direction);
}

static cord_status fill_constraint(cord_world *w, constraint *r, const cord_constraint_def *def,
                                   point *first, point *second)
{
    cord_status status = cord__attach_needs(w, first, r->ops->needs[0]);
    if (status == CORD_OK && second) status = cord__attach_needs(w, second, r->ops->needs[1]);
    if (status == CORD_OK) status = check_tangent(w, def->first_direction, r->ops, 0, first);
    if (status == CORD_OK) status = check_tangent(w, def->direction, r->ops, 1, second);
    if (status != CORD_OK) return status;
    r->def.params.ratio = def->ratio;
    v3_copy(r->state.drive.rate, def->drive_rate);
    r->state.drive.time = w->problem.now.time;
    v3_normalize(r->def.params.direction, def->direction);
    v3_any_normal(r->def.params.across[0], r->def.params.direction);
    v3_cross(r->def.params.across[1], r->def.params.direction, r->def.params.across[0]);
    status = cord__keyframes_copy(&r->def.drive, &w->memory, &def->drive, r->ops->rows);
    if (status != CORD_OK)
        return cord__fail(w, status, "drive: keys must be finite, times ascending");
    if (def->name) {
        r->name = cord__copy_string(&w->memory, def->name);
        if (!r->name) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a constraint");
    }
    cord_constraint_def own = *def;
    pose poses[2] = {0};
    char why[256] = "";
    bool tangent = point_slides(first) || point_has_tangent(first);
    if (tangent && !(v3_norm(own.first_direction) > 0)) v3_set(own.first_direction, 1, 0, 0);
    r->term.whole_frame[0] = takes_frame(r->ops, 0, first, own.first_direction);
    r->term.whole_frame[1] = takes_frame(r->ops, 1, second, own.direction);
    if (!r->ops->complete) return CORD_OK;
    if (!r->ops->given || !r->ops->given(&own)) status = cord__present_poses(w, r, poses);
    if (status != CORD_OK) return status;
    status = r->ops->complete(&r->def.params, &own, poses, poses + 1, why, sizeof why);
    return status == CORD_OK ? status : cord__fail(w, status, "%s", why);
}

/* With a tangent there is friction on its rotation; rotations about it, and motions round it, have none. */
static cord_status check_tangent_friction(cord_world *w, const viscous_friction *f)
{
    bool tangent = false;
    for (int side = f->rotational ? 0 : 1; side < 2; side++) {
        const point *p = cord__point_of(&w->problem, &f->base.term, side);
        tangent = tangent || (p && point_has_tangent(p));
    }
    if (!tangent || (f->rotational && !f->owner->ops->axial_freedom)) return CORD_OK;
    return cord__fail(
        w, CORD_ERROR_UNSUPPORTED,
        "%s leaves the rotation about a cable's tangent, or the motion round it, free, which "
        "has no friction; a cable with twisting has frames at its anchored ends",
        f->owner->ops->name);
}

/* NULL: out of memory. */
static viscous_friction *make_friction(cord_world *w, constraint *owner, double coefficient)
{
    viscous_friction *f = NEW(&w->memory, viscous_friction, 1);
    if (!f) return NULL;
    f->base.ops = &cord__viscous_friction;
    f->base.term = (term){.point = {owner->term.point[0], owner->term.point[1]},
                          .follows = &owner->term,
                          .b_rows = 3,
                          .keeps_jacobians = true};
    f->owner = owner;
    f->coefficient = coefficient;
    cord__friction_kind(owner->ops, &f->rotational, f->base.term.needs);
    if (cord__integrators[w->def.integrator].dynamic) return f;
    f->step = NEW(&w->memory, friction_step, 1);
    if (f->step) return f;
    cord__release(&w->memory, f);
    return NULL;
}

/* Where friction is refused the constraint is removed, too. */
static cord_status add_friction(cord_world *w, double coefficient, cord_constraint *of)
{
    constraint *owner = cord__constraint_at(w, (int)of->index - 1);
    viscous_friction *f = make_friction(w, owner, coefficient);
    cord_status status =
        f ? cord__add_force(w, &f->base)
          : cord__fail(w, CORD_ERROR_MEMORY, "out of memory for the friction of a constraint");
    if (status == CORD_OK) {
        owner->friction = f;
        status = check_tangent_friction(w, f);
    }
    if (status == CORD_OK) return status;
    char why[sizeof w->error];
    memcpy(why, w->error, sizeof why);
    cord__remove_term(w, &owner->term);
    memcpy(w->error, why, sizeof why);
    *of = (cord_constraint){0};
    return status;
}

cord_status cord_world_add_constraint(cord_world *w, const cord_constraint_def *def,
                                      cord_constraint *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_constraint){0};
    const char *kind = def->kind ? def->kind : "";
    const constraint_ops *ops = cord__constraint_find(kind);
    if (!ops) {
        char hint[64];
        nearest best = cord__nearest_of(kind, cord_constraint_names());
        return cord__fail(w, CORD_ERROR_UNKNOWN_NAME, "no constraint '%s'%s", kind,
                          cord__nearest_hint(&best, hint, sizeof hint));
    }
    if (ops->within && (def->side != CORD_EQUAL || def->length > 0)) ops = ops->within;
    cord_status status = cord__world_add_constraint(w, ops, def, out);
    return status == CORD_OK && def->friction > 0 ? add_friction(w, def->friction, out) : status;
}

/* Structures that only some constraints have. */
static cord_status add_extensions(cord_world *w, constraint *r, const cord_constraint_def *def)
{
    if (def->side != CORD_EQUAL) {
        r->impact = NEW(&w->memory, impact_row, 1);
        if (!r->impact) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a constraint");
        r->impact->restitution = def->restitution;
    }
    return cord__add_conditions(w, r, def);
}

cord_status cord__world_add_constraint(cord_world *w, const constraint_ops *ops,
                                       const cord_constraint_def *def, cord_constraint *out)
{
    point *first = cord__get_point(w, def->first), *second = NULL;
    if (!first) return CORD_ERROR_HANDLE;
    if (def->second.index != 0) {
        second = cord__get_point(w, def->second);
        if (!second) return CORD_ERROR_HANDLE;
    }
    cord_status status = check_constraint(w, def, ops, first, second);
    if (status == CORD_OK) status = cord__point_ready(w, first);
    if (status == CORD_OK && second) status = cord__point_ready(w, second);
    if (status != CORD_OK) return status;
    constraint *r = NEW(&w->memory, constraint, 1);
    if (!r) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a constraint");
    r->ops = ops;
    r->term = (term){.ops = &cord__constraint_term,
                     .point = {(int)def->first.index - 1, second ? (int)def->second.index - 1 : -1},
                     .needs = {ops->needs[0], ops->needs[1]},
                     .rows = ops->rows,
                     .projected_rows = ops->rows,
                     .b_rows = ops->rows};
    r->def.compliance = def->compliance;
    r->def.damping = def->damping;
    r->def.side = def->side;
    r->l0 = -1;
    status = add_extensions(w, r, def);
    if (status == CORD_OK) status = fill_constraint(w, r, def, first, second);
    if (status == CORD_OK) status = cord__add_term(w, &r->term, &out->index, &out->generation);
    if (status != CORD_OK) cord__term_free(w, &r->term);
    return status;
}

constraint *cord__mark_internal(cord_world *w, cord_constraint made)
{
    constraint *r = cord__constraint_at(w, (int)made.index - 1);
    r->def.internal = true;
    w->internal_terms++;
    return r;
}

cord_status cord_world_remove_constraint(cord_world *w, cord_constraint handle)
{
    constraint *r = cord__get_constraint(w, handle);
    if (!r) return cord__refused(w);
    cord__remove_term(w, &r->term);
    return CORD_OK;
}

cord_status cord_world_clamp_strand(cord_world *w, cord_strand strand_handle, double s,
                                    const cord_point_def *script, cord_point *clamp,
                                    cord_constraint *coincide, cord_constraint *align)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_STRAND;
    on.strand = strand_handle;
    on.s = s;
    return cord__clamp(w, &on, script, clamp, coincide, align);
}

cord_status cord__clamp(cord_world *w, const cord_point_def *on, const cord_point_def *script,
                        cord_point *clamp, cord_constraint *coincide, cord_constraint *align)
{
    cord_point_def at = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_point carried, world_point = {0};
    cord_constraint made[2] = {{0, 0}, {0, 0}};
    cord_status status = cord_world_add_point(w, on, &carried);
    if (status != CORD_OK) return status;
    status = cord_point_get_pose(w, carried, at.position, at.frame);
    if (status == CORD_OK) {
        if (script) at.motion = script->motion, at.rotation = script->rotation;
        status = cord_world_add_point(w, &at, &world_point);
    }
    def.first = carried;
    def.second = world_point;
    memcpy(def.relative_frame, (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1},
           sizeof def.relative_frame);
    for (int i = 0; i < 2 && status == CORD_OK; i++) {
        def.kind = i == 0 ? CORD_COINCIDE : CORD_ALIGN;
        status = cord_world_add_constraint(w, &def, made + i);
    }
    if (status != CORD_OK) { /* removing the points removes their constraints */
        char why[sizeof w->error];
        memcpy(why, w->error, sizeof why);
        cord_world_remove_point(w, carried);
        if (world_point.index) cord_world_remove_point(w, world_point);
        memcpy(w->error, why, sizeof why);
        return status;
    }
    if (clamp) *clamp = world_point;
    if (coincide) *coincide = made[0];
    if (align) *align = made[1];
    return CORD_OK;
}

/* ---- driving by hand ---------------------------------------------------------------------------- */

cord_status cord_constraint_set_drive(cord_world *w, cord_constraint handle, const double *value,
                                      const double *rate)
{
    constraint *r = cord__get_constraint(w, handle);
    if (!r) return cord__refused(w);
    if (!value) return cord__fail(w, CORD_ERROR_ARGUMENT, "the value is NULL");
    for (int row = 0; row < r->ops->rows; row++)
        if (!is_admissible(value[row]) || (rate && !is_admissible(rate[row])))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "what a constraint is to be driven to is not "
                              "finite");
    if (r->welded) w->partition_stale = true;
    r->state.drive.manual = true;
    r->state.drive.time = w->problem.now.time;
    for (int row = 0; row < r->ops->rows; row++) {
        r->state.drive.value[row] = value[row];
        r->state.drive.rate[row] = rate ? rate[row] : 0;
    }
    cord__invalidate_start(w); /* velocities, too, are driven */
    return CORD_OK;
}

cord_status cord_constraint_get_drive(const cord_world *w, cord_constraint handle, double *value,
                                      double *rate)
{
    const constraint *r = cord__get_constraint(w, handle);
    if (!r) return cord__refused(w);
    double values[CONSTRAINT_ROWS], rates[CONSTRAINT_ROWS];
    cord__constraint_drive(r, w->problem.now.time, values, rates);
    size_t size = (size_t)r->ops->rows * sizeof(double);
    if (value) memcpy(value, values, size);
    if (rate) memcpy(rate, rates, size);
    return CORD_OK;
}
