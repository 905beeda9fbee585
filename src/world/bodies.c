/* Bodies: adding, removing, querying and setting them. */
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
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->bodies, "body", handle.index, handle.generation);
}

cord_status cord_world_add_body(cord_world *w, const cord_body_def *def, cord_body *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
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
    if (!t) return cord__refused(w);
    cord__remove_object(w, t);
    return CORD_OK;
}

/* Finds a body and lays out its values. */
static cord_status find_body(const cord_world *w, cord_body handle, const void *out, object **t)
{
    *t = cord__get_body(w, handle);
    if (!*t) return cord__refused(w);
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
    double axes[9];
    memcpy(axes, frame, sizeof axes);
    cord__rotation_orthonormalise(axes);
    for (int k = 0; k < 9; k++)
        if (!isfinite(axes[k]) || !v3_admissible(position))
            return cord__fail(w, CORD_ERROR_ARGUMENT,
                              "a pose is not finite, or its frame has parallel or zero axes");
    cord__body_set_pose(t->block.model, w->problem.now.q + t->block.q0, position, axes);
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
    if (!v3_admissible(linear) || !v3_admissible(angular))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "a velocity is not finite or exceeds 1e50");
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
                                  cord_point *clamp, cord_constraint *coincide,
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
    return cord__clamp(w, &on, script, clamp, coincide, align);
}
