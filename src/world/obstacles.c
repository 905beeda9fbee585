/* Obstacles: adding, removing and querying them. */
#include "world/contacts.h"

#include "body/shape.h"
#include "math/rotation.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

cord_obstacle_def cord_obstacle_def_default(void)
{
    return (cord_obstacle_def){.frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                               .surface = cord_contact_surface_default()};
}

static world_obstacle *get_obstacle(const cord_world *w, cord_obstacle handle)
{
    if (cord__enter(w) != CORD_OK) return NULL;
    return cord__find(w, &w->obstacles, "obstacle", handle.index, handle.generation);
}

void cord__obstacle_free(cord_world *w, world_obstacle *o)
{
    memory *m = &w->memory;
    cord__mesh_destroy(m, o->mesh);
    cord__release(m, o->values);
    cord__release(m, o->name);
    cord__release(m, o);
}

void cord__compose(const double x0[3], const double R0[9], const double x[3], const double R[9],
                   double position[3], double frame[9])
{
    double by[3];
    m3_apply(by, R0, x);
    v3_add(position, x0, by);
    m3_multiply(frame, R0, R);
}

/* ---- shapes ------------------------------------------------------------------------------------- */

void cord__shape_of(const cord_shape *from, const triangle_mesh *mesh, obstacle_shape *to)
{
    static const shape_ops *const ops[] = {[CORD_SHAPE_SPHERE] = &cord__sphere_shape,
                                           [CORD_SHAPE_BOX] = &cord__box_shape,
                                           [CORD_SHAPE_CYLINDER] = &cord__cylinder_shape,
                                           [CORD_SHAPE_CAPSULE] = &cord__capsule_shape,
                                           [CORD_SHAPE_MESH] = &cord__mesh_shape};
    *to = (obstacle_shape){.ops = ops[from->kind],
                           .radius = from->radius,
                           .half_length = from->length / 2,
                           .mesh = mesh};
    v3_scale(to->half, 0.5, from->size);
}

cord_status cord__surface_mesh(cord_world *w, const cord_shape *shape, triangle_mesh **mesh)
{
    return cord__mesh_create(&w->memory, shape->vertices, shape->vertex_count, shape->triangles,
                             shape->triangle_count, mesh);
}

/* The sentence that says why an obstacle is refused. */
typedef struct reason {
    char text[256];
} reason;

static cord_status refuse(reason *why, cord_status status, const char *text)
{
    snprintf(why->text, sizeof why->text, "%s", text);
    return status;
}

static cord_status fill_shape(cord_world *w, world_obstacle *o, const cord_shape *shape,
                              reason *why)
{
    mass_properties unused;
    cord_status status = cord__shape_mass(shape, &unused, why->text, sizeof why->text);
    if (status != CORD_OK) return status;
    if (shape->kind == CORD_SHAPE_MESH) status = cord__surface_mesh(w, shape, &o->mesh);
    if (status == CORD_ERROR_ARGUMENT)
        return refuse(why, status, "a triangle of the mesh has no area");
    if (status == CORD_OK) cord__shape_of(shape, o->mesh, &o->shape);
    return status;
}

/* Copies the values at the nodes of a height field (two directions) or a grid of distances (three). */
static cord_status copy_values(cord_world *w, world_obstacle *o, const cord_obstacle_def *def,
                               int directions, reason *why)
{
    int64_t total = 1;
    for (int k = 0; k < directions; k++) {
        if (def->count[k] < 2)
            return refuse(why, CORD_ERROR_ARGUMENT, "it needs at least 2 nodes in every direction");
        total *= def->count[k];
        if (total > INT_MAX) return refuse(why, CORD_ERROR_ARGUMENT, "it has too many nodes");
    }
    if (!(def->spacing > 0 && is_admissible(def->spacing)))
        return refuse(why, CORD_ERROR_ARGUMENT, "the distance of its nodes must be above 0");
    if (!def->values) return refuse(why, CORD_ERROR_ARGUMENT, "its values are NULL");
    for (int64_t i = 0; i < total; i++)
        if (!is_admissible(def->values[i]))
            return refuse(why, CORD_ERROR_ARGUMENT, "a value is not finite or exceeds 1e50");
    o->values = cord__copy(&w->memory, def->values, (size_t)total, sizeof *o->values);
    return o->values ? CORD_OK : CORD_ERROR_MEMORY;
}

static cord_status fill_kind(cord_world *w, world_obstacle *o, const cord_obstacle_def *def,
                             reason *why)
{
    cord_status status = CORD_OK;
    switch (def->kind) {
    case CORD_OBSTACLE_PLANE: o->shape.ops = &cord__plane_shape; return status;
    case CORD_OBSTACLE_SHAPE: return fill_shape(w, o, &def->shape, why);
    case CORD_OBSTACLE_HEIGHT_FIELD:
        status = copy_values(w, o, def, 2, why);
        o->shape.ops = &cord__height_field_shape;
        o->shape.field = (height_field){{def->count[0], def->count[1]}, def->spacing, o->values};
        return status;
    case CORD_OBSTACLE_DISTANCE_GRID:
        status = copy_values(w, o, def, 3, why);
        o->shape.ops = &cord__distance_grid_shape;
        o->shape.grid =
            (distance_grid){{def->count[0], def->count[1], def->count[2]}, def->spacing, o->values};
        return status;
    }
    return refuse(why, CORD_ERROR_ARGUMENT, "its kind does not exist");
}

static cord_status fill_pose(world_obstacle *o, const cord_obstacle_def *def, reason *why)
{
    bool finite = v3_admissible(def->position);
    for (int k = 0; k < 9; k++) finite = finite && is_admissible(def->frame[k]);
    v3_copy(o->x, def->position);
    memcpy(o->R, def->frame, sizeof o->R);
    cord__rotation_orthonormalise(o->R);
    for (int k = 0; k < 9; k++) finite = finite && isfinite(o->R[k]);
    if (finite) return CORD_OK;
    return refuse(why, CORD_ERROR_ARGUMENT,
                  "its pose is not finite, or its frame has parallel or zero axes");
}

static cord_status fill_carrier(cord_world *w, world_obstacle *o, const cord_obstacle_def *def,
                                reason *why)
{
    o->point = -1;
    if (def->point.index == 0) return CORD_OK;
    const point *p = cord__get_point(w, def->point);
    if (!p) return CORD_ERROR_HANDLE;
    if (p->source != CORD_SOURCE_WORLD && p->source != CORD_SOURCE_BODY)
        return refuse(why, CORD_ERROR_UNSUPPORTED,
                      "only a point of the world or of a body carries an obstacle");
    o->point = (int)def->point.index - 1;
    return CORD_OK;
}

static cord_status fill(cord_world *w, world_obstacle *o, const cord_obstacle_def *def)
{
    reason why = {""};
    o->surface = def->surface;
    cord_status status = cord__check_surface(w, &def->surface);
    if (status != CORD_OK) return status;
    status = fill_carrier(w, o, def, &why);
    if (status == CORD_ERROR_HANDLE) return status;
    if (status == CORD_OK) status = fill_pose(o, def, &why);
    if (status == CORD_OK) status = fill_kind(w, o, def, &why);
    if (status == CORD_OK && def->name) {
        o->name = cord__copy_string(&w->memory, def->name);
        if (!o->name) status = CORD_ERROR_MEMORY;
    }
    if (status == CORD_OK) return status;
    return cord__fail(w, status, "obstacle '%s': %s", def->name ? def->name : "",
                      *why.text ? why.text : cord_status_text(status));
}

/* ---- the interface ------------------------------------------------------------------------------ */

cord_status cord_world_add_obstacle(cord_world *w, const cord_obstacle_def *def, cord_obstacle *out)
{
    if (cord__enter(w) != CORD_OK) return cord__refused(w);
    if (!def || !out) return cord__fail(w, CORD_ERROR_ARGUMENT, "definition or result is NULL");
    *out = (cord_obstacle){0};
    cord_status status = cord__need_contacts(w);
    if (status != CORD_OK) return status;
    world_obstacle *o = NEW(&w->memory, world_obstacle, 1);
    if (!o) return cord__fail(w, CORD_ERROR_MEMORY, "out of memory for an obstacle");
    status = fill(w, o, def);
    if (status == CORD_OK) {
        status = cord__slots_add(&w->obstacles, &w->memory, o, &out->index, &out->generation);
        if (status != CORD_OK) cord__fail(w, status, "out of memory for an obstacle");
    }
    if (status != CORD_OK) {
        cord__obstacle_free(w, o);
        return status;
    }
    o->slot = (int)out->index - 1;
    cord__surfaces_changed(w);
    return CORD_OK;
}

void cord__remove_obstacle(cord_world *w, world_obstacle *o)
{
    uint32_t index = (uint32_t)o->slot + 1;
    if (w->contacts) cord__forget_contacts(&w->contacts->set, cord__obstacle_owner(o->slot));
    cord__obstacle_free(w, o);
    cord__slots_remove(&w->obstacles, index);
    cord__surfaces_changed(w);
}

void cord__remove_carried(cord_world *w, const point *carrier)
{
    for (int i = 0; w->obstacles.used > 0 && i < w->obstacles.count; i++) {
        world_obstacle *o = w->obstacles.item[i];
        if (o && o->point == carrier->slot) cord__remove_obstacle(w, o);
    }
}

cord_status cord_world_remove_obstacle(cord_world *w, cord_obstacle handle)
{
    world_obstacle *o = get_obstacle(w, handle);
    if (!o) return cord__refused(w);
    cord__remove_obstacle(w, o);
    return CORD_OK;
}

cord_status cord_obstacle_get_pose(const cord_world *w, cord_obstacle handle, double position[3],
                                   double frame[9])
{
    const world_obstacle *o = get_obstacle(w, handle);
    if (!o) return cord__refused(w);
    if (!position) return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL");
    pose at = {.frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double axes[9];
    if (o->point >= 0) {
        const cord_point p = {(uint32_t)o->point + 1, w->points.generation[o->point]};
        cord_status status = cord_point_get_pose(w, p, at.position, at.frame);
        if (status != CORD_OK) return status;
    }
    cord__compose(at.position, at.frame, o->x, o->R, position, frame ? frame : axes);
    return CORD_OK;
}

cord_status cord_obstacle_get_velocity(const cord_world *w, cord_obstacle handle, double linear[3],
                                       double angular[3])
{
    const world_obstacle *o = get_obstacle(w, handle);
    if (!o) return cord__refused(w);
    if (!linear || !angular) return cord__fail(w, CORD_ERROR_ARGUMENT, "an argument is NULL");
    v3_set(linear, 0, 0, 0);
    v3_set(angular, 0, 0, 0);
    if (o->point < 0) return CORD_OK;
    const point *p = w->points.item[o->point];
    double x[3], arm[3], by[3];
    cord_status status = cord_obstacle_get_pose(w, handle, x, NULL);
    if (status != CORD_OK) return status;
    pose at;
    if (p->parent >= 0) {
        const object *t = w->bodies.item[p->parent];
        v3_copy(at.position, w->problem.now.q + t->block.q0);
        v3_copy(linear, w->problem.now.v + t->block.v0);
        v3_copy(angular, w->problem.now.v + t->block.v0 + 3);
    } else {
        cord__point_scripted(p, w->problem.now.time, &at);
        cord__point_scripted_rate(p, w->problem.now.time, linear, angular);
    }
    v3_sub(arm, x, at.position);
    v3_cross(by, angular, arm);
    v3_add(linear, linear, by);
    return CORD_OK;
}
