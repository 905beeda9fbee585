/* Constraints that let go and take hold: by hand, at a time, by force, by distance, by speed; once, or again
 * and again. */
#include "world/world.h"

#include "math/vec3.h"

/* ---- by hand ------------------------------------------------------------------------------------- */

static void set_attached(cord_world *w, constraint *r, bool attached)
{
    r->released = !attached;
    if (!attached) {
        r->conditions.since = w->problem.now.time;
        r->conditions.armed = false;
    }
    w->elements_stale = true;  /* other columns are held */
    cord__invalidate_start(w); /* and velocities are brought in line */
}

/* What takes hold does so from where it is. */
static void measure_gap(cord_world *w, constraint *r)
{
    const problem *p = &w->problem;
    r->closing = false;
    cord__refresh_constraint(w, r);
    cord__constraint_evaluate(p, r, p->now.q, p->cache, p->now.time, NULL);
    double sign = r->side == CORD_AT_MOST ? -1 : 1;
    for (int row = 0; row < r->ops->rows; row++) r->gap[row] = sign * r->value.g[row];
    r->gap_time = p->now.time;
    r->closing = r->side == CORD_EQUAL;
}

cord_status cord_constraint_set_attached(cord_world *w, cord_constraint handle, bool attached)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    constraint *r = cord__slots_get(&w->constraints, handle.index, handle.generation);
    if (!r)
        return cord__fail(w, CORD_ERROR_HANDLE, "the constraint handle is null, stale or foreign");
    if (r->released != attached) return CORD_OK;
    cord_status status = attached ? cord__world_ready(w) : CORD_OK;
    if (status != CORD_OK) return status;
    if (attached) measure_gap(w, r);
    set_attached(w, r, attached);
    return CORD_OK;
}

cord_status cord_constraint_get_attached(const cord_world *w, cord_constraint handle,
                                         bool *attached)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    const constraint *r = cord__slots_get(&w->constraints, handle.index, handle.generation);
    if (!r)
        return cord__fail(w, CORD_ERROR_HANDLE, "the constraint handle is null, stale or foreign");
    if (!attached) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *attached = !cord__constraint_released(&w->problem, r);
    return CORD_OK;
}

/* ---- by conditions ------------------------------------------------------------------------------- */

cord_status cord__check_conditions(cord_world *w, const cord_constraint_def *def)
{
    const double numbers[] = {def->release_time, def->release_force,   def->release_distance,
                              def->attach_time,  def->attach_distance, def->attach_speed,
                              def->attach_after};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(numbers[i] >= 0 && isfinite(numbers[i])))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "%s: what releases or attaches it is %g; it must be at least 0",
                              def->kind, numbers[i]);
    if (def->attach_after > 0 && !def->repeat)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: attach_after counts from when it let go, and it does not take hold "
                          "again",
                          def->kind);
    if (def->repeat &&
        !(def->attach_distance > 0 || def->attach_speed > 0 || def->attach_after > 0))
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: it takes hold again by a distance, a speed, or after a time; none "
                          "is given",
                          def->kind);
    if (def->repeat && def->release_distance > 0 && def->attach_distance >= def->release_distance)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "%s: it must take hold nearer than it lets go: attach_distance is %g, "
                          "release_distance %g",
                          def->kind, def->attach_distance, def->release_distance);
    return CORD_OK;
}

static double distance_between(const cord_world *w, const constraint *r)
{
    const problem *p = &w->problem;
    pose poses[2];
    cord__refresh_constraint(w, r);
    for (int side = 0; side < 2; side++)
        cord__pose(p, r->point[side], NEEDS_POSITION, p->now.q, p->cache, p->now.time,
                   poses + side);
    return v3_distance(poses[0].position, poses[1].position);
}

static double speed_between(cord_world *w, const constraint *r)
{
    double v[2][3] = {{0, 0, 0}, {0, 0, 0}};
    for (int side = 0; side < 2; side++) {
        int slot = r->point[side];
        if (slot < 0) continue;
        cord_point handle = {(uint32_t)slot + 1, w->points.generation[slot]};
        if (cord_point_get_velocity(w, handle, v[side]) != CORD_OK) return INFINITY;
    }
    return v3_distance(v[0], v[1]);
}

void cord__begin_conditions(cord_world *w, constraint *r, const cord_constraint_def *def)
{
    conditions *when = &r->conditions;
    *when = (conditions){
        .release_time = def->release_time,
        .release_force = def->release_force,
        .release_distance = def->release_distance,
        .attach_time = def->attach_time,
        .attach_distance = def->attach_distance,
        .attach_speed = def->attach_speed,
        .attach_after = def->attach_after,
        .repeat = def->repeat,
        .armed = true,
    };
    bool later = when->release_time > 0 && when->release_time < when->attach_time;
    bool near = !(when->attach_distance > 0 || when->attach_speed > 0);
    if (when->repeat)
        near = !(when->attach_distance > 0) || distance_between(w, r) < when->attach_distance;
    r->released = (when->attach_time > 0 && !later) || !near;
}

static double force_of(cord_world *w, int slot)
{
    double force[3] = {0, 0, 0}, torque[3] = {0, 0, 0};
    cord_constraint handle = {(uint32_t)slot + 1, w->constraints.generation[slot]};
    if (cord_constraint_get_force(w, handle, force, torque) != CORD_OK) return 0;
    return fmax(v3_norm(force), v3_norm(torque));
}

static bool releases(cord_world *w, int slot, constraint *r)
{
    conditions *when = &r->conditions;
    if (when->release_time > 0 && !when->released_by_time &&
        w->problem.now.time >= when->release_time)
        return when->released_by_time = true;
    if (when->release_distance > 0 && distance_between(w, r) > when->release_distance) return true;
    return when->release_force > 0 && force_of(w, slot) > when->release_force;
}

/* s: of times that steps add up to. */
static const double ROUNDING = 1e-9;

/* Whether all that is given of distance, speed and delay is so. */
static bool is_ready(cord_world *w, const constraint *r)
{
    const conditions *when = &r->conditions;
    return (when->attach_distance == 0 || distance_between(w, r) < when->attach_distance) &&
           (when->attach_speed == 0 || speed_between(w, r) < when->attach_speed) &&
           w->problem.now.time - when->since >= when->attach_after - ROUNDING;
}

static bool attaches(cord_world *w, constraint *r)
{
    conditions *when = &r->conditions;
    if (when->attach_time > 0 && !when->attached_by_time &&
        w->problem.now.time >= when->attach_time)
        return when->attached_by_time = true;
    bool given = when->attach_distance > 0 || when->attach_speed > 0 || when->attach_after > 0;
    if (!given || when->released_once) return false;
    bool ready = is_ready(w, r), armed = when->armed;
    when->armed = armed || !ready;
    return armed && ready;
}

/* What releases it comes before what attaches it. */
bool cord__update_conditions(cord_world *w)
{
    bool changed = false;
    for (int i = 0; i < w->constraints.count; i++) {
        constraint *r = w->constraints.item[i];
        if (!r || r->owner) continue;
        if (!r->released && releases(w, i, r)) {
            set_attached(w, r, false);
            r->conditions.released_once = !r->conditions.repeat;
            changed = true;
        } else if (r->released && attaches(w, r)) {
            measure_gap(w, r);
            set_attached(w, r, true);
            changed = true;
        }
    }
    return changed;
}
