/* Loads and wind. */
#include "world/world.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

cord_load_def cord_load_def_default(void)
{
    return (cord_load_def){0};
}

static bool has_torque(const cord_load_def *def)
{
    return v3_norm(def->torque) > 0 || def->torque_keys.count > 0;
}

static cord_status check_load(cord_world *w, const point *p, const cord_load_def *def)
{
    if (!v3_admissible(def->force) || !v3_admissible(def->torque) ||
        !is_admissible(def->coordinate_force))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a force is not finite or exceeds 1e50");
    if ((def->coordinate_force != 0 || def->coordinate_force_keys.count > 0) && p->slider < 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "a load along a coordinate needs a point that slides, a revolute or a "
                          "prismatic coordinate");
    if (p->source == CORD_SOURCE_FLYWHEEL &&
        (has_torque(def) || v3_norm(def->force) > 0 || def->force_keys.count > 0))
        return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                          "a flywheel takes a load along its rotation only");
    if (has_torque(def) && p->slider >= 0 && !p->measured)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "a point that slides takes no torque");
    return CORD_OK;
}

static cord_status copy_keys(cord_world *w, load *l, const cord_load_def *def)
{
    cord_status status = cord__keyframes_copy(&l->keys, &w->memory, &def->force_keys, 3);
    if (status == CORD_OK)
        status = cord__keyframes_copy(&l->torque_keys, &w->memory, &def->torque_keys, 3);
    if (status == CORD_OK)
        status = cord__keyframes_copy(&l->along_keys, &w->memory, &def->coordinate_force_keys, 1);
    if (status != CORD_OK) cord__fail(w, status, "keys must be finite, times ascending");
    return status;
}

/* A torque needs a whole frame: about a tangent it would do no work. */
static cord_status attach_frame(cord_world *w, point *p)
{
    cord_status status = cord__attach_needs(w, p, NEEDS_FRAME);
    if (status != CORD_OK || !point_has_tangent(p)) return status;
    return cord__fail(w, CORD_ERROR_UNSUPPORTED,
                      "a torque needs a whole frame, and a cable has but a tangent here; a body "
                      "that is attached to it takes one");
}

cord_status cord_world_add_load(cord_world *w, const cord_load_def *def, cord_load *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_load){0};
    point *p = cord__get_point(w, def->point);
    if (!p) return CORD_ERROR_HANDLE;
    cord_status status = check_load(w, p, def);
    if (status != CORD_OK) return status;
    load *l = NEW(&w->memory, load, 1);
    if (!l) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a load");
    l->base.ops = &cord__load;
    l->base.term = (term){.ops = &cord__load.term,
                          .point = {(int)def->point.index - 1, -1},
                          .needs = {NEEDS_POSITION | (has_torque(def) ? NEEDS_FRAME : 0), 0}};
    v3_copy(l->state.value.force, def->force);
    v3_copy(l->state.value.torque, def->torque);
    l->state.value.along = def->coordinate_force;
    l->state.changed = -INFINITY;
    status = copy_keys(w, l, def);
    if (status == CORD_OK && has_torque(def)) status = cord__point_ready(w, p);
    if (status == CORD_OK && has_torque(def)) status = attach_frame(w, p);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->loads, &w->memory, l, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a load");
    }
    if (status != CORD_OK) {
        cord__term_free(w, &l->base.term);
        return status;
    }
    l->base.term.slot = (int)out->index - 1;
    list_add(&p->loads, l->base.term.on, l);
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

static load *get_load(const cord_world *w, cord_load handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->loads, "load", handle.index, handle.generation);
}

/* A load that is about to be set to `count` numbers; NULL: it cannot be. */
static load *load_to_set(cord_world *w, cord_load handle, const double *x, int count,
                         cord_status *status)
{
    load *l = get_load(w, handle);
    *status = l ? CORD_ERROR_ARGUMENT : cord__refused(w);
    for (int i = 0; l && i < count; i++)
        if (!x || !is_admissible(x[i])) {
            cord__fail(w, CORD_ERROR_ARGUMENT, "a force is NULL or not finite");
            return NULL;
        }
    if (l) *status = CORD_OK;
    return l;
}

/* Where all that a load moves has inertia, TR-BDF2 knows the change that a jump of the load makes to the accelerations at the start of a step
 * (stage.adds_jumps), which need not be found again. */
static bool may_jump(const cord_world *w, const load *l)
{
    const problem *x = &w->problem;
    const point *p = w->points.item[l->base.term.point[0]];
    if (w->start_stale || x->integrator != cord__integrators + CORD_IMPLICIT ||
        x->scheme != cord__schemes + CORD_TR_BDF2)
        return false;
    if (p->slider_block >= 0 && x->block[p->slider_block]->shape.coordinate.inertia > 0)
        return true;
    return p->block >= 0 && x->block[p->block]->shape.mass == MASS_CONFIGURATION;
}

/* A force that stays the same, such as that of a controller at its limit, leaves accelerations as they are. */
static void set_force(cord_world *w, load *l, double *to, const double *x, int count)
{
    load_state *s = &l->state;
    if (memcmp(to, x, (size_t)count * sizeof *x) == 0) return;
    const bool jumps = may_jump(w, l);
    if (jumps && s->changed != w->problem.now.time)
        s->before = s->value, s->changed = w->problem.now.time;
    memcpy(to, x, (size_t)count * sizeof *x);
    if (!jumps) cord__invalidate_accelerations(w);
    w->revision++;
}

void cord__forget_jumps(cord_world *w)
{
    for (int i = 0; i < w->loads.count; i++) {
        load *l = w->loads.item[i];
        if (l) l->state.changed = -INFINITY;
    }
}

cord_status cord_load_set_force(cord_world *w, cord_load handle, const double force[3])
{
    cord_status status;
    load *l = load_to_set(w, handle, force, 3, &status);
    if (l) set_force(w, l, l->state.value.force, force, 3);
    return status;
}

cord_status cord_load_set_torque(cord_world *w, cord_load handle, const double torque[3])
{
    cord_status status;
    load *l = load_to_set(w, handle, torque, 3, &status);
    if (!l) return status;
    point *p = w->points.item[l->base.term.point[0]];
    if (p->slider >= 0 && !p->measured)
        return cord__fail(w, CORD_ERROR_UNSUPPORTED, "a point that slides takes no torque");
    status = attach_frame(w, p);
    if (status != CORD_OK) return status;
    l->base.term.needs[0] |= NEEDS_FRAME;
    set_force(w, l, l->state.value.torque, torque, 3);
    return CORD_OK;
}

cord_status cord_load_set_coordinate_force(cord_world *w, cord_load handle, double along)
{
    cord_status status;
    load *l = load_to_set(w, handle, &along, 1, &status);
    if (!l) return status;
    if (((point *)w->points.item[l->base.term.point[0]])->slider < 0)
        return cord__fail(w, CORD_ERROR_ARGUMENT,
                          "a load along a coordinate needs a point that slides, a revolute or a "
                          "prismatic coordinate");
    set_force(w, l, &l->state.value.along, &along, 1);
    return CORD_OK;
}

void cord__remove_load(cord_world *w, load *l)
{
    uint32_t index = (uint32_t)l->base.term.slot + 1;
    list_remove(l->base.term.on);
    cord__term_free(w, &l->base.term);
    cord__slots_remove(&w->loads, index);
    w->layout_stale = w->partition_stale = true;
}

cord_status cord_world_remove_load(cord_world *w, cord_load handle)
{
    load *l = get_load(w, handle);
    if (!l) return cord__refused(w);
    cord__remove_load(w, l);
    return CORD_OK;
}

cord_wind_def cord_wind_def_default(void)
{
    return (cord_wind_def){0};
}

cord_status cord_world_set_wind(cord_world *w, const cord_wind_def *def)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    wind next;
    cord_status status = cord__wind_init(&next, &w->memory, def);
    if (status != CORD_OK)
        return cord__fail(w, status, "the wind has a number that is not finite, or a core of 0");
    cord__wind_free(&w->wind, &w->memory);
    w->wind = next;
    w->problem.environment.wind = def ? &w->wind : NULL;
    cord__invalidate_accelerations(w);
    return CORD_OK;
}

cord_status cord_world_set_wind_velocity(cord_world *w, const double velocity[3])
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!velocity || !v3_admissible(velocity))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a wind is NULL, not finite or exceeds 1e50");
    v3_copy(w->wind.velocity, velocity);
    w->problem.environment.wind = &w->wind;
    cord__invalidate_accelerations(w);
    return CORD_OK;
}

cord_status cord_world_get_wind(const cord_world *w, const double x[3], double velocity[3])
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!x || !velocity)
        return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL or out of range");
    cord__wind_at(w->problem.environment.wind, w->problem.now.time, x, velocity);
    return CORD_OK;
}
