/* Convex solids: sphere, capsule, cylinder and box. */
#include "contact/convex.h"
#include "math/vec3.h"

/* Sines of angles to the normal of contact. */
#define FLAT 0.2      /* up to this a face or an edge is one of the contact */
#define RIM_CORNERS 6 /* of the polygon of a cap */
#define LEVEL 1e-4    /* up to this a cap is flat on a plane */
#define LOWER 1e-6    /* heights that differ by less, relative to the radius, are of one point */

static const double pi = 3.14159265358979323846;

static void add_sample(solid_samples *s, int number, double x, double y, double z)
{
    s->number[s->count] = number;
    v3_set(s->x[s->count++], x, y, z);
}

/* The lowest point along n of a circle about the axis; its centre where all are equal. */
static void rim_point(const obstacle_shape *shape, const double n[3], double z, double x[3])
{
    double axial = hypot(n[0], n[1]), scale = axial > 0 ? shape->radius / axial : 0;
    v3_set(x, scale * n[0], scale * n[1], z);
}

/* ---- sphere and capsule ---------------------------------------------------------------------- */

static double round_extent(const obstacle_shape *shape, const double n[3])
{
    return shape->radius + shape->half_length * fabs(n[2]);
}

static void round_support(const obstacle_shape *shape, const double n[3], double x[3])
{
    v3_scale(x, shape->radius, n);
    x[2] += copysign(shape->half_length, n[2]);
}

static void capsule_feature(const obstacle_shape *shape, const double n[3], solid_feature *f)
{
    f->count = fabs(n[2]) < FLAT && shape->half_length > 0 ? 2 : 1;
    for (int k = 0; k < f->count; k++)
        rim_point(shape, n, (2 * k - 1) * shape->half_length, f->x[k]);
    if (f->count == 1) round_support(shape, n, f->x[0]);
}

static void capsule_samples(const obstacle_shape *shape, const double *n, solid_samples *s)
{
    const int intervals = n ? 1 : 6; /* the lowest point over a plane is at an end */
    *s = (solid_samples){.radius = shape->radius};
    for (int k = 0; k <= intervals; k++) {
        double z = (2.0 * k / intervals - 1) * shape->half_length;
        if (!n || z * n[2] >= 0 || fabs(n[2]) < FLAT) add_sample(s, k, 0, 0, z);
    }
}

static double sphere_extent(const obstacle_shape *shape, const double n[3])
{
    (void)n;
    return shape->radius;
}

static void sphere_support(const obstacle_shape *shape, const double n[3], double x[3])
{
    v3_scale(x, shape->radius, n);
}

static void sphere_feature(const obstacle_shape *shape, const double n[3], solid_feature *f)
{
    f->count = 1;
    sphere_support(shape, n, f->x[0]);
}

static void sphere_samples(const obstacle_shape *shape, const double *n, solid_samples *s)
{
    (void)n;
    *s = (solid_samples){.radius = shape->radius};
    add_sample(s, 0, 0, 0, 0);
}

const struct solid_ops cord__sphere_convex = {sphere_extent, sphere_support, sphere_feature,
                                              sphere_samples, true};
const struct solid_ops cord__capsule_convex = {round_extent, round_support, capsule_feature,
                                               capsule_samples, true};

/* ---- cylinder -------------------------------------------------------------------------------- */

static double cylinder_extent(const obstacle_shape *shape, const double n[3])
{
    return shape->radius * hypot(n[0], n[1]) + shape->half_length * fabs(n[2]);
}

static void cylinder_support(const obstacle_shape *shape, const double n[3], double x[3])
{
    rim_point(shape, n, copysign(shape->half_length, n[2]), x);
}

static void fixed_rim_point(const obstacle_shape *shape, int k, int count, double z, double x[3])
{
    double angle = 2 * pi * k / count;
    v3_set(x, shape->radius * cos(angle), shape->radius * sin(angle), z);
}

static void cylinder_feature(const obstacle_shape *shape, const double n[3], solid_feature *f)
{
    double side = copysign(1, n[2]);
    f->count = hypot(n[0], n[1]) < FLAT ? RIM_CORNERS : fabs(n[2]) < FLAT ? 2 : 1;
    if (f->count == 1) cylinder_support(shape, n, f->x[0]);
    for (int k = 0; k < f->count && f->count == 2; k++)
        rim_point(shape, n, (2 * k - 1) * shape->half_length, f->x[k]);
    for (int k = 0; k < f->count && f->count > 2; k++)
        fixed_rim_point(shape, (int)side * k, f->count, side * shape->half_length, f->x[k]);
}

/* The lowest point of the rim of a cap; of a cap that faces the plane four others too. A cap that is flat has those alone. */
static void lowest_samples(const obstacle_shape *shape, const double n[3], int cap,
                           solid_samples *s)
{
    double x[3], y[3], z = (2 * cap - 1) * shape->half_length;
    double tilt = hypot(n[0], n[1]);
    bool facing = (2 * cap - 1) * n[2] > 0 && tilt < FLAT, level = facing && tilt < LEVEL;
    rim_point(shape, n, z, y);
    for (int k = 0; k < 4 && facing; k++) {
        fixed_rim_point(shape, k, 4, z, x);
        if (level || v3_dot(n, x) < v3_dot(n, y) - LOWER * shape->radius)
            add_sample(s, 4 * cap + k, x[0], x[1], x[2]);
    }
    if (!level) add_sample(s, 8 + cap, y[0], y[1], y[2]);
}

static void cylinder_samples(const obstacle_shape *shape, const double *n, solid_samples *s)
{
    *s = (solid_samples){0};
    for (int cap = 0; cap < 2; cap++) {
        double x[3], z = (2 * cap - 1) * shape->half_length;
        if (n) lowest_samples(shape, n, cap, s);
        for (int k = 0; k < 8 && !n; k++) {
            fixed_rim_point(shape, k, 8, z, x);
            add_sample(s, k, x[0], x[1], x[2]);
        }
        for (int k = 0; k < 4 && !n; k++) { /* between the caps, and one cap's centre */
            fixed_rim_point(shape, 2 * k + cap, 8, 0, x);
            add_sample(s, k, x[0], x[1], x[2]);
        }
        if (!n) add_sample(s, 0, 0, 0, z);
    }
}

const struct solid_ops cord__cylinder_convex = {cylinder_extent, cylinder_support, cylinder_feature,
                                                cylinder_samples, false};

/* ---- box ------------------------------------------------------------------------------------- */

static double box_extent(const obstacle_shape *shape, const double n[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += shape->half[k] * fabs(n[k]);
    return sum;
}

static void box_support(const obstacle_shape *shape, const double n[3], double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = copysign(shape->half[k], n[k]);
}

/* The axis along which n is largest (sign = 1) or smallest (−1); the first of equal ones. */
static int extreme_axis(const double n[3], int sign)
{
    int at = 0;
    for (int k = 1; k < 3; k++)
        if (sign * fabs(n[k]) > sign * fabs(n[at])) at = k;
    return at;
}

static void box_feature(const obstacle_shape *shape, const double n[3], solid_feature *f)
{
    int normal = extreme_axis(n, 1), along = extreme_axis(n, -1), other = 3 - normal - along;
    bool edge = fabs(n[along]) < FLAT, face = edge && fabs(n[other]) < FLAT;
    f->count = face ? 4 : edge ? 2 : 1;
    for (int k = 0; k < f->count; k++) box_support(shape, n, f->x[k]);
    for (int k = 0; k < f->count && !face && edge; k++)
        f->x[k][along] = (2 * k - 1) * shape->half[along];
    if (!face) return;
    /* Axes u, v, normal right-handed; counterclockwise seen from +normal, reversed by the sign. */
    int u = (normal + 1) % 3, v = (normal + 2) % 3;
    for (int k = 0; k < 4; k++) {
        int corner = n[normal] > 0 ? k : 3 - k;
        f->x[k][u] = corner == 0 || corner == 3 ? -shape->half[u] : shape->half[u];
        f->x[k][v] = corner < 2 ? -shape->half[v] : shape->half[v];
    }
}

/* Corners; without a direction the middles of edges and faces too. */
static void box_samples(const obstacle_shape *shape, const double *n, solid_samples *s)
{
    const double *h = shape->half;
    *s = (solid_samples){0};
    for (int k = 0; k < 8; k++)
        add_sample(s, k, k & 1 ? h[0] : -h[0], k & 2 ? h[1] : -h[1], k & 4 ? h[2] : -h[2]);
    for (int k = 0; k < 27 && !n; k++) {
        int i[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, zeros = !i[0] + !i[1] + !i[2];
        if (zeros == 1 || zeros == 2) add_sample(s, 0, i[0] * h[0], i[1] * h[1], i[2] * h[2]);
    }
}

const struct solid_ops cord__box_convex = {box_extent, box_support, box_feature, box_samples,
                                           false};

/* ---- in the world ---------------------------------------------------------------------------- */

void cord__solid_support(const obstacle *o, const double n[3], double x[3])
{
    double y[3];
    m3_apply_transposed(y, o->R, n);
    o->shape.ops->solid->support(&o->shape, y, x);
    m3_apply(x, o->R, x);
    v3_add(x, x, o->x);
}

void cord__solid_feature(const obstacle *o, const double n[3], solid_feature *f)
{
    double y[3];
    m3_apply_transposed(y, o->R, n);
    o->shape.ops->solid->feature(&o->shape, y, f);
    for (int k = 0; k < f->count; k++) {
        m3_apply(f->x[k], o->R, f->x[k]);
        v3_add(f->x[k], f->x[k], o->x);
    }
}

double cord__solid_size(const obstacle *o)
{
    return fmin(fmin(o->high[0], o->high[1]), o->high[2]);
}

int cord__first_direction(const obstacle *o)
{
    return o->shape.ops == &cord__box_shape ? 0 : 2;
}

double cord__gap_along(const obstacle *a, const obstacle *b, const double n[3])
{
    double y[3], z[3], c[3];
    m3_apply_transposed(y, a->R, n);
    m3_apply_transposed(z, b->R, n);
    v3_sub(c, a->x, b->x);
    return v3_dot(n, c) - a->shape.ops->solid->extent(&a->shape, y) -
           b->shape.ops->solid->extent(&b->shape, z);
}

const double *cord__solid_direction(const obstacle *o, const double n[3])
{
    return o->R + (fabs(v3_dot(o->R, n)) < 0.8 ? 0 : 3);
}
