/* Bodies in a world: adding and removing them, and asking about them. */
#include "world/world.h"

#include "body/body.h"
#include "math/rotation.h"

#include <string.h>

cord_body_def cord_body_def_default(void)
{
    return (cord_body_def){.density = 1000};
}

object *cord__get_body(const cord_world *w, cord_body handle)
{
    if (!w) return NULL;
    object *t = cord__slots_get(&w->bodies, handle.index, handle.generation);
    if (!t) cord__fail(w, CORD_ERROR_HANDLE, "the body handle is null, stale or foreign");
    return t;
}

cord_status cord_world_add_body(cord_world *w, const cord_body_def *def, cord_body *out)
{
    if (!w) return CORD_ERROR_ARGUMENT;
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_body){0};
    char why[256] = "";
    body_model *model = NULL;
    cord_status status = cord__body_create(def, &w->memory, &model, why, sizeof why);
    if (status != CORD_OK)
        return cord__fail(w, status, "body '%s': %s", def->name ? def->name : "",
                          why[0] ? why : cord_status_text(status));
    object *t = NEW(&w->memory, object, 1);
    if (!t) {
        cord__body.destroy(model, &w->memory);
        return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a body");
    }
    t->kind = OBJECT_BODY;
    t->block.ops = &cord__body;
    t->block.model = model;
    if (def->name) {
        t->name = cord__copy_string(&w->memory, def->name);
        if (!t->name) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK)
        status = cord__slots_add(&w->bodies, &w->memory, t, &out->index, &out->generation);
    if (status != CORD_OK) {
        cord__object_free(w, t);
        return cord__fail(w, status, "out of memory for a body");
    }
    t->slot = (int)out->index - 1;
    w->layout_stale = w->partition_stale = true;
    return CORD_OK;
}

cord_status cord_world_remove_body(cord_world *w, cord_body handle)
{
    object *t = cord__get_body(w, handle);
    if (!t) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    cord__remove_object(w, t);
    return CORD_OK;
}

/* The body, with its numbers in place. Laying out changes no value, so queries are const. */
static cord_status find_body(const cord_world *w, cord_body handle, const void *out, object **t)
{
    *t = cord__get_body(w, handle);
    if (!*t) return w ? CORD_ERROR_HANDLE : CORD_ERROR_ARGUMENT;
    if (!out) return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL");
    return cord__object_ready(w, *t);
}

cord_status cord_body_get_info(const cord_world *w, cord_body handle, cord_body_info *info)
{
    object *t;
    cord_status status = find_body(w, handle, info, &t);
    if (status != CORD_OK) return status;
    const body_model *b = t->block.model;
    *info = (cord_body_info){.name = t->name, .shape = b->shape, .mass = b->mass};
    v3_copy(info->center, b->center);
    v3_copy(info->principal_moments, b->moments);
    memcpy(info->principal_axes, b->axes, sizeof b->axes);
    return CORD_OK;
}

cord_status cord_body_get_pose(const cord_world *w, cord_body handle, double position[3],
                               double frame[9])
{
    object *t;
    cord_status status = find_body(w, handle, position, &t);
    if (status == CORD_OK)
        cord__body_pose(t->block.model, w->problem.now.q + t->block.q0, position, frame);
    return status;
}

cord_status cord_body_get_velocity(const cord_world *w, cord_body handle, double linear[3],
                                   double angular[3])
{
    object *t;
    cord_status status = find_body(w, handle, linear ? linear : angular, &t);
    if (status != CORD_OK) return status;
    const double *v = w->problem.now.v + t->block.v0;
    if (linear) v3_copy(linear, v);
    if (angular) v3_copy(angular, v + 3);
    return CORD_OK;
}

cord_status cord_body_set_pose(cord_world *w, cord_body handle, const double position[3],
                               const double frame[9])
{
    object *t;
    cord_status status = find_body(w, handle, position && frame ? position : NULL, &t);
    if (status != CORD_OK) return status;
    double own[9];
    memcpy(own, frame, sizeof own);
    cord__rotation_orthonormalise(own);
    for (int k = 0; k < 9; k++)
        if (!isfinite(own[k]) || !v3_finite(position))
            return cord__fail(w, CORD_ERROR_ARGUMENT, "a pose is not finite, or has no axes");
    cord__body_set_pose(t->block.model, w->problem.now.q + t->block.q0, position, own);
    cord__update_children(w, t);
    cord__invalidate_start(w);
    return CORD_OK;
}

cord_status cord_body_set_velocity(cord_world *w, cord_body handle, const double linear[3],
                                   const double angular[3])
{
    object *t;
    cord_status status = find_body(w, handle, linear && angular ? linear : NULL, &t);
    if (status != CORD_OK) return status;
    if (!v3_finite(linear) || !v3_finite(angular))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a velocity is not finite");
    double *v = w->problem.now.v + t->block.v0;
    v3_copy(v, linear);
    v3_copy(v + 3, angular);
    cord__update_children(w, t);
    cord__invalidate_start(w);
    return CORD_OK;
}

cord_status cord_body_get_energy(const cord_world *w, cord_body handle, cord_energy *energy)
{
    object *t;
    cord_status status = find_body(w, handle, energy, &t);
    if (status != CORD_OK) return status;
    block_energy e;
    memset(energy, 0, sizeof *energy);
    cord__block_energy(w, &t->block, &e);
    cord__add_energy(energy, &e);
    return CORD_OK;
}

cord_status cord_world_clamp_body(cord_world *w, cord_body handle, const cord_point_def *script,
                                  cord_point *held, cord_constraint *coincide,
                                  cord_constraint *align)
{
    object *t;
    cord_status status = find_body(w, handle, &handle, &t);
    if (status != CORD_OK) return status;
    const body_model *b = t->block.model;
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_BODY;
    on.body = handle;
    v3_copy(on.position, b->center);
    return cord__clamp(w, &on, script, held, coincide, align);
}
