/* Paths: adding, removing and querying them. */
#include "world/world.h"

#include "body/body.h"
#include "math/rotation.h"

cord_path_def cord_path_def_default(void)
{
    return (cord_path_def){0};
}

world_path *cord__get_path(const cord_world *w, cord_path handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->paths, "path", handle.index, handle.generation);
}

void cord__path_release(cord_world *w, world_path *p)
{
    cord__path_free(&p->curve, &w->memory);
    cord__release(&w->memory, p->name);
    cord__release(&w->memory, p);
}

/* The points of a path on a body, in the body's principal axes; NULL: out of memory. */
static double *points_in_principal_axes(cord_world *w, const cord_path_def *def,
                                        const body_model *b)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double *x = NEW(&w->memory, double, 3 * (size_t)def->point_count);
    for (int i = 0; x && i < def->point_count; i++) {
        attachment at;
        cord__body_attach(b, MEASURE_FRAME, def->points + 3 * i, identity, &at);
        v3_copy(x + 3 * i, at.weight);
    }
    return x;
}

static cord_status fill(cord_world *w, world_path *p, const cord_path_def *def, const object *body)
{
    char why[256] = "";
    double *points = NULL;
    if (body && def->points && def->point_count > 0) {
        points = points_in_principal_axes(w, def, body->block.model);
        if (!points) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a path");
    }
    cord_status status =
        cord__path_init(&p->curve, &w->memory, def->point_count, points ? points : def->points,
                        def->closed, why, sizeof why);
    cord__release(&w->memory, points);
    if (status == CORD_OK && def->name) {
        p->name = cord__copy_string(&w->memory, def->name);
        if (!p->name) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK) return status;
    return cord__fail(w, status, "path '%s': %s", def->name ? def->name : "",
                      why[0] ? why : cord_status_text(status));
}

cord_status cord_world_add_path(cord_world *w, const cord_path_def *def, cord_path *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_path){0};
    object *body = NULL;
    if (def->body.index != 0) {
        body = cord__get_body(w, def->body);
        if (!body) return CORD_ERROR_HANDLE;
    }
    world_path *p = NEW(&w->memory, world_path, 1);
    if (!p) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for a path");
    p->owner = (int)def->body.index - 1;
    cord_status status = fill(w, p, def, body);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->paths, &w->memory, p, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for a path");
    }
    if (status != CORD_OK) {
        cord__path_release(w, p);
        return status;
    }
    p->slot = (int)out->index - 1;
    if (body) list_add(&body->paths, &p->on, p);
    return CORD_OK;
}

void cord__remove_path(cord_world *w, world_path *p)
{
    uint32_t index = (uint32_t)p->slot + 1;
    while (p->points) cord__remove_point(w, p->points->item);
    while (p->blocks) cord__remove_object(w, p->blocks->item);
    list_remove(&p->on);
    cord__path_release(w, p);
    cord__slots_remove(&w->paths, index);
    w->layout_stale = w->partition_stale = true;
}

cord_status cord_world_remove_path(cord_world *w, cord_path handle)
{
    world_path *p = cord__get_path(w, handle);
    if (!p) return cord__refused(w);
    cord__remove_path(w, p);
    return CORD_OK;
}

cord_status cord_path_get_info(const cord_world *w, cord_path handle, cord_path_info *info)
{
    const world_path *p = cord__get_path(w, handle);
    if (!p) return cord__refused(w);
    if (!info) return cord__fail(w, CORD_ERROR_ARGUMENT, "the result is NULL");
    *info = (cord_path_info){.name = p->name, .length = p->curve.length, .closed = p->curve.closed};
    if (p->owner >= 0)
        info->body = (cord_body){(uint32_t)p->owner + 1, w->bodies.generation[p->owner]};
    return CORD_OK;
}

/* Transforms a position and a tangent from a body's principal axes to the axes of its definition (`local`) or to
 * world axes. */
static void in_axes(const body_model *b, const double *q, bool local, double x[3],
                    double tangent[3])
{
    double axes[9], arm[3], direction[3];
    if (local)
        for (int i = 0; i < 9; i++) axes[i] = b->axes[i];
    else
        q4_matrix(axes, q + 3);
    m3_apply(arm, axes, x);
    m3_apply(direction, axes, tangent);
    v3_add(x, local ? b->center : q, arm);
    v3_copy(tangent, direction);
}

cord_status cord_path_get_position(const cord_world *w, cord_path handle, double s, bool local,
                                   double position[3], double tangent[3])
{
    const world_path *p = cord__get_path(w, handle);
    if (!p) return cord__refused(w);
    if (!position || !is_admissible(s))
        return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL or not finite");
    double direction[3], second[3], third[3]; /* derivatives by arc length */
    cord__path_at(&p->curve, s, position, direction, second, third);
    if (p->owner >= 0) {
        object *t = w->bodies.item[p->owner];
        cord_status status = cord__object_ready(w, t);
        if (status != CORD_OK) return status;
        in_axes(t->block.model, w->problem.now.q + t->block.q0, local, position, direction);
    }
    if (tangent) v3_copy(tangent, direction);
    return CORD_OK;
}
