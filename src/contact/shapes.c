/* The list of shapes, and obstacles in the world. */
#include "contact/shapes.h"
#include "math/vec3.h"

#include <string.h>

const shape_ops *const cord__obstacle_shapes[] = {
    &cord__plane_shape,    &cord__sphere_shape,        &cord__capsule_shape,
    &cord__cylinder_shape, &cord__box_shape,           &cord__height_field_shape,
    &cord__mesh_shape,     &cord__distance_grid_shape, NULL,
};

const shape_ops *cord__find_obstacle_shape(const char *name)
{
    for (const shape_ops *const *s = cord__obstacle_shapes; *s; s++)
        if (!strcmp((*s)->name, name)) return *s;
    return NULL;
}

void cord__obstacle_bounds(obstacle *o)
{
    o->shape.ops->bounds(&o->shape, o->low, o->high);
}

double cord__obstacle_distance(const obstacle *o, const double x[3], double normal[3])
{
    double y[3], n[3];
    v3_sub(y, x, o->x);
    m3_apply_transposed(y, o->R, y);
    double d = o->shape.ops->distance(&o->shape, y, n);
    m3_apply(normal, o->R, n);
    return d;
}
