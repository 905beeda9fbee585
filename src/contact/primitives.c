/* Plane, sphere, capsule, cylinder and box. */
#include "contact/convex.h"
#include "math/vec3.h"

static void symmetric_bounds(double x, double y, double z, double low[3], double high[3])
{
    v3_set(high, x, y, z);
    v3_scale(low, -1, high);
}

/* ---- plane ----------------------------------------------------------------------------------- */

static double plane_distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    (void)shape;
    v3_set(normal, 0, 0, 1);
    return x[2];
}

static void plane_bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    (void)shape;
    symmetric_bounds(INFINITY, INFINITY, INFINITY, low, high);
    high[2] = 0;
}

const shape_ops cord__plane_shape = {"plane", true, plane_distance, plane_bounds, NULL};

/* ---- sphere and capsule: offsets of a point and of a segment --------------------------------- */

/* Distance from the point at v to the origin; on the origin the normal is +x, which is normal to the axis too. */
static double offset_distance(const double v[3], double radius, double normal[3])
{
    double d = v3_norm(v);
    v3_set(normal, 1, 0, 0);
    if (d > 0) v3_scale(normal, 1 / d, v);
    return d - radius;
}

static double sphere_distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    return offset_distance(x, shape->radius, normal);
}

static void sphere_bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    symmetric_bounds(shape->radius, shape->radius, shape->radius, low, high);
}

const shape_ops cord__sphere_shape = {"sphere", true, sphere_distance, sphere_bounds,
                                      &cord__sphere_convex};

static double capsule_distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    double v[3] = {x[0], x[1], x[2] - fmin(fmax(x[2], -shape->half_length), shape->half_length)};
    return offset_distance(v, shape->radius, normal);
}

static void capsule_bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    symmetric_bounds(shape->radius, shape->radius, shape->half_length + shape->radius, low, high);
}

const shape_ops cord__capsule_shape = {"capsule", true, capsule_distance, capsule_bounds,
                                       &cord__capsule_convex};

/* ---- box and cylinder: products of intervals ------------------------------------------------- */

/* Distance from the excesses q over the faces of a product: outside |max(q, 0)|, inside max q; and its gradient over q. */
static double product_distance(const double *q, int count, double *gradient)
{
    double outside = 0;
    int nearest = 0;
    for (int k = 0; k < count; k++) {
        gradient[k] = fmax(q[k], 0);
        outside += gradient[k] * gradient[k];
        if (q[k] > q[nearest]) nearest = k;
    }
    double d = sqrt(outside);
    for (int k = 0; k < count; k++) gradient[k] = d > 0 ? gradient[k] / d : k == nearest;
    return d > 0 ? d : q[nearest];
}

static double box_distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    double q[3];
    for (int k = 0; k < 3; k++) q[k] = fabs(x[k]) - shape->half[k];
    double d = product_distance(q, 3, normal);
    for (int k = 0; k < 3; k++) normal[k] = copysign(normal[k], x[k]);
    return d;
}

static void box_bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    symmetric_bounds(shape->half[0], shape->half[1], shape->half[2], low, high);
}

const shape_ops cord__box_shape = {"box", true, box_distance, box_bounds, &cord__box_convex};

static double cylinder_distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    double axial = hypot(x[0], x[1]), gradient[2], radial[2] = {1, 0};
    double q[2] = {axial - shape->radius, fabs(x[2]) - shape->half_length};
    if (axial > 0) radial[0] = x[0] / axial, radial[1] = x[1] / axial; /* on the axis: +x */
    double d = product_distance(q, 2, gradient);
    v3_set(normal, gradient[0] * radial[0], gradient[0] * radial[1], copysign(gradient[1], x[2]));
    return d;
}

static void cylinder_bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    symmetric_bounds(shape->radius, shape->radius, shape->half_length, low, high);
}

const shape_ops cord__cylinder_shape = {"cylinder", true, cylinder_distance, cylinder_bounds,
                                        &cord__cylinder_convex};
