/* Release and attachment of constraints: by the user, at a time, by force, by distance, by speed; once, or
 * repeatedly. */
#include "world/event.h"

#include "math/vec3.h"

/* The state that a step changes; a checkpoint contains all of it. */
typedef struct conditions_state {
    double since; /* the time of the release */
    bool released_by_time, attached_by_time, released_once;
    bool armed; /* since the release the conditions of attachment were violated at least once */
} conditions_state;

/* 0: never. */
struct conditions {
    double release_time, release_force, release_distance;
    double attach_time, attach_distance, attach_speed, attach_after;
    bool repeat; /* it attaches more than once */
    conditions_state state;
};
typedef struct conditions conditions;

/* ---- by the user --------------------------------------------------------------------------------- */

static void set_attached(cord_world *w, constraint *r, bool attached)
{
    r->state.released = !attached;
    if (!attached && r->conditions) {
        r->conditions->state.since = w->problem.now.time;
        r->conditions->state.armed = false;
    }
    w->elements_stale = true;  /* other degrees of freedom are prescribed */
    cord__invalidate_start(w); /* and velocities must be made consistent */
}

/* A constraint attaches at the present positions of its points, and closes the gap over some time. */
static void measure_gap(cord_world *w, constraint *r)
{
    const problem *p = &w->problem;
    r->state.closing = false;
    cord__refresh_term(w, &r->term);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    double sign = r->def.side == CORD_AT_MOST ? -1 : 1;
    for (int row = 0; row < r->ops->rows; row++) r->state.gap[row] = sign * r->work.value.g[row];
    r->state.gap_time = p->now.time;
    r->state.closing = r->def.side == CORD_EQUAL;
}

cord_status cord_constraint_set_attached(cord_world *w, cord_constraint handle, bool attached)
{
    constraint *r = cord__get_constraint(w, handle);
    if (!r) return cord__refused(w);
    if (r->state.released != attached) return CORD_OK;
    cord_status status = attached ? cord__world_ready(w) : CORD_OK;
    if (status != CORD_OK) return status;
    if (attached) measure_gap(w, r);
    set_attached(w, r, attached);
    return CORD_OK;
}

cord_status cord_constraint_get_attached(const cord_world *w, cord_constraint handle,
                                         bool *attached)
{
    const constraint *r = cord__get_constraint(w, handle);
    if (!r) return cord__refused(w);
    if (!attached) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *attached = !cord__constraint_released(&w->problem, r);
    return CORD_OK;
}

/* ---- by conditions ------------------------------------------------------------------------------- */

cord_status cord__check_conditions(cord_world *w, const cord_constraint_def *def)
{
    const double limits[] = {def->release_time, def->release_force,   def->release_distance,
                             def->attach_time,  def->attach_distance, def->attach_speed,
                             def->attach_after};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (!(limits[i] >= 0 && is_admissible(limits[i])))
            return cord__fail(
                w, CORD_ERROR_ARGUMENT,
                "%s: a condition of release or attachment is %g; it must be at least 0", def->kind,
                limits[i]);
    if (def->attach_after > 0 && !def->repeat)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: attach_after counts from the release, and without repeat the "
                          "constraint does not attach again",
                          def->kind);
    if (def->repeat &&
        !(def->attach_distance > 0 || def->attach_speed > 0 || def->attach_after > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: with repeat the constraint attaches again by a distance, a speed or "
                          "after a time; none is given",
                          def->kind);
    if (def->repeat && def->release_distance > 0 && def->attach_distance >= def->release_distance)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: attach_distance is %g; it must be less than release_distance, %g",
                          def->kind, def->attach_distance, def->release_distance);
    return CORD_OK;
}

static double distance_between(const cord_world *w, const constraint *r)
{
    const problem *p = &w->problem;
    pose poses[2];
    cord__refresh_term(w, &r->term);
    for (int side = 0; side < 2; side++)
        cord__pose(p, r->term.point[side], NEEDS_POSITION, p->now.q, p->cache, p->now.time,
                   poses + side);
    return v3_distance(poses[0].position, poses[1].position);
}

static double speed_between(cord_world *w, const constraint *r)
{
    double v[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        int slot = r->term.point[side];
        if (slot < 0) continue;
        cord_point handle = {(uint32_t)slot + 1, w->points.generation[slot]};
        if (cord_point_get_velocity(w, handle, v[side]) != CORD_OK) return INFINITY;
    }
    return v3_distance(v[0], v[1]);
}

static bool has_conditions(const cord_constraint_def *def)
{
    return def->release_time > 0 || def->release_force > 0 || def->release_distance > 0 ||
           def->attach_time > 0 || def->attach_distance > 0 || def->attach_speed > 0 || def->repeat;
}

cord_status cord__add_conditions(cord_world *w, constraint *r, const cord_constraint_def *def)
{
    if (!has_conditions(def)) return CORD_OK;
    conditions *when = r->conditions = NEW(&w->memory, conditions, 1);
    if (!when) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a constraint");
    when->release_time = def->release_time;
    when->release_force = def->release_force;
    when->release_distance = def->release_distance;
    when->attach_time = def->attach_time;
    when->attach_distance = def->attach_distance;
    when->attach_speed = def->attach_speed;
    when->attach_after = def->attach_after;
    when->repeat = def->repeat;
    when->state.armed = true;
    bool later = when->release_time > 0 && when->release_time < when->attach_time;
    bool near = !(when->attach_distance > 0 || when->attach_speed > 0);
    if (when->repeat)
        near = !(when->attach_distance > 0) || distance_between(w, r) < when->attach_distance;
    r->state.released = (when->attach_time > 0 && !later) || !near;
    return CORD_OK;
}

void *cord__conditions_state(constraint *r, size_t *size)
{
    *size = r->conditions ? sizeof r->conditions->state : 0;
    return r->conditions ? &r->conditions->state : NULL;
}

static double force_of(cord_world *w, int slot)
{
    double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
    cord_constraint handle = {(uint32_t)slot + 1, w->terms.generation[slot]};
    if (cord_constraint_get_force(w, handle, force, torque) != CORD_OK) return 0;
    return fmax(v3_norm(force), v3_norm(torque));
}

static bool releases(cord_world *w, const constraint *r)
{
    conditions *when = r->conditions;
    if (when->release_time > 0 && !when->state.released_by_time &&
        w->problem.now.time >= when->release_time)
        return when->state.released_by_time = true;
    if (when->release_distance > 0 && distance_between(w, r) > when->release_distance) return true;
    return when->release_force > 0 && force_of(w, r->term.slot) > when->release_force;
}

/* s: round-off of times that are sums of steps. */
static const double ROUNDING = 1e-9;

/* Whether all specified conditions of distance, speed and delay are met. */
static bool is_ready(cord_world *w, const constraint *r)
{
    const conditions *when = r->conditions;
    return (when->attach_distance == 0 || distance_between(w, r) < when->attach_distance) &&
           (when->attach_speed == 0 || speed_between(w, r) < when->attach_speed) &&
           w->problem.now.time - when->state.since >= when->attach_after - ROUNDING;
}

static bool attaches(cord_world *w, constraint *r)
{
    conditions *when = r->conditions;
    if (when->attach_time > 0 && !when->state.attached_by_time &&
        w->problem.now.time >= when->attach_time)
        return when->state.attached_by_time = true;
    bool given = when->attach_distance > 0 || when->attach_speed > 0 || when->attach_after > 0;
    if (!given || when->state.released_once) return false;
    bool ready = is_ready(w, r), armed = when->state.armed;
    when->state.armed = armed || !ready;
    return armed && ready;
}

/* Conditions of release are evaluated before those of attachment. An equilibrium has no duration in which they could
 * be met. */
static cord_status apply(cord_world *w, bool statics, bool *changed)
{
    for (int i = 0; !statics && i < w->terms.count; i++) {
        constraint *r = cord__constraint_at(w, i);
        if (!r || !r->conditions) continue;
        if (!r->state.released && releases(w, r)) {
            set_attached(w, r, false);
            r->conditions->state.released_once = !r->conditions->repeat;
            *changed = true;
        } else if (r->state.released && attaches(w, r)) {
            measure_gap(w, r);
            set_attached(w, r, true);
            *changed = true;
        }
    }
    return CORD_OK;
}

const event_ops cord__event_release = {.name = "release", .apply = apply};
