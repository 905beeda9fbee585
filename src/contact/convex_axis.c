/* The axis of two convex solids: the unit vector n of the largest gap along it. Where they are separated this is the direction
 * of their distance, where they overlap that of the least translation that separates them.
 *
 * Spheres and capsules are offsets of points and segments: the signed distance of the other solid is convex, so that its least
 * value along the segment is found by the sign of its slope. Of two boxes the largest gap of an overlap is among 15 axes
 * [Gottschalk, Lin, Manocha 1996]. With cylinders these axes are candidates only; another one is that of libccd's portal
 * refinement [Snethen 2008], which needs no heap. From the best of them the proximal iteration
 *
 *     n ← argmax gap(m) − ½ t |m − n|²,  t = lift − gap(n),
 *
 * climbs to a maximum: on unit vectors this is the direction of the distance after a translation by t n. Newton's method makes
 * it accurate. */
#include "contact/convex.h"
#include "math/vec3.h"

#include <ccd/ccd.h>

/* Relative to the size: */
#define NO_LENGTH 1e-6  /* distances below this have no accurate direction */
#define LOWER_FACE 1e-9 /* gain in gap that prefers one axis to an earlier one */
#define LOWER_EDGE 1e-6 /* the same of an axis normal to two edges */
#define LIFT 0.1
#define STATIONARY 1e-6 /* gain of an iteration that is the last */

#define PARALLEL 1e-6 /* sin² of edges without a common normal */
#define CLIMBS 30
#define BISECTIONS 60
#define SUPPORT_CALLS 500 /* libccd's loops have no limits of their own */

/* ---- spheres and capsules -------------------------------------------------------------------- */

static bool is_round(const obstacle *o)
{
    return o->shape.ops->solid->round;
}

static bool is_sphere(const obstacle *o)
{
    return o->shape.ops == &cord__sphere_shape;
}

/* The ends of the segment of which a round solid is the offset. */
static void core(const obstacle *o, double end[2][3])
{
    double half = is_sphere(o) ? 0 : o->shape.half_length;
    for (int k = 0; k < 2; k++) {
        v3_copy(end[k], o->x);
        v3_axpy(end[k], (2 * k - 1) * half, o->R + 6);
    }
}

static void round_round(const obstacle *a, const obstacle *b, solid_point *axis)
{
    double p[2][3], q[2][3], t[2], u[3], v[3];
    core(a, p);
    core(b, q);
    double d = cord__closest_points(p[0], p[1], q[0], q[1], t, NULL);
    v3_combine(u, 1 - t[0], p[0], t[0], p[1]);
    v3_combine(v, 1 - t[1], q[0], t[1], q[1]);
    v3_sub(axis->normal, u, v);
    /* Of axes that meet the normal is that of both; of one line any. */
    if (d == 0) v3_cross(axis->normal, a->R + 6, b->R + 6);
    if (v3_dot(axis->normal, axis->normal) > 0)
        v3_normalize(axis->normal, axis->normal);
    else
        v3_any_normal(axis->normal, a->R + 6);
    v3_combine(axis->x[0], 1, u, -a->shape.radius, axis->normal);
    v3_combine(axis->x[1], 1, v, b->shape.radius, axis->normal);
    axis->gap = d - a->shape.radius - b->shape.radius;
}

/* Signed distance at a fraction of a segment, and its slope. */
static double distance_at(const double end[2][3], double t, const obstacle *b, double x[3],
                          double normal[3], double *slope)
{
    double d[3];
    v3_sub(d, end[1], end[0]);
    v3_combine(x, 1 - t, end[0], t, end[1]);
    double value = cord__obstacle_distance(b, x, normal);
    *slope = v3_dot(normal, d);
    return value;
}

/* The point of a segment of least signed distance. */
static double least_along(const double end[2][3], const obstacle *b, double x[3], double normal[3])
{
    double low = 0, high = 1, slope;
    double value = distance_at(end, 0, b, x, normal, &slope);
    if (slope >= 0) return value;
    value = distance_at(end, 1, b, x, normal, &slope);
    for (int k = 0; k < BISECTIONS && (k == 0 ? slope > 0 : slope != 0); k++) {
        double middle = 0.5 * (low + high);
        value = distance_at(end, middle, b, x, normal, &slope);
        if (slope < 0)
            low = middle;
        else
            high = middle;
    }
    return value;
}

static void round_other(const obstacle *a, const obstacle *b, solid_point *axis)
{
    double end[2][3], p[3];
    core(a, end);
    double distance = least_along((const double(*)[3])end, b, p, axis->normal);
    v3_combine(axis->x[0], 1, p, -a->shape.radius, axis->normal);
    v3_combine(axis->x[1], 1, p, -distance, axis->normal);
    axis->gap = distance - a->shape.radius;
}

static void exchange(solid_point *axis)
{
    double x[3];
    v3_copy(x, axis->x[0]);
    v3_copy(axis->x[0], axis->x[1]);
    v3_copy(axis->x[1], x);
    v3_scale(axis->normal, -1, axis->normal);
}

/* ---- boxes and cylinders --------------------------------------------------------------------- */

typedef struct axis_search {
    const obstacle *a, *b;
    double size;
    solid_point best;
} axis_search;

/* Replaces the best axis where this one's gap is larger by more than `gain`. Both solids are symmetric, so that the sign of the
 * axis is that of the direction between their centres. */
static void try_axis(axis_search *q, const double direction[3], double gain)
{
    double c[3], n[3];
    v3_sub(c, q->a->x, q->b->x);
    v3_scale(n, v3_dot(c, direction) < 0 ? -1 : 1, direction);
    double gap = cord__gap_along(q->a, q->b, n);
    if (!(gap > q->best.gap + gain * q->size)) return;
    q->best.gap = gap;
    v3_copy(q->best.normal, n);
}

static bool is_box(const obstacle *o)
{
    return o->shape.ops == &cord__box_shape;
}

/* The direction between the centres; of a cylinder its part normal to the axis, which is exact beside a parallel one. */
static void try_radial(axis_search *q, const obstacle *o)
{
    double c[3];
    v3_sub(c, q->a->x, q->b->x);
    if (!is_box(o)) v3_axpy(c, -v3_dot(c, o->R + 6), o->R + 6);
    double length = v3_norm(c);
    if (!(length > NO_LENGTH * q->size)) return;
    v3_scale(c, 1 / length, c);
    try_axis(q, c, LOWER_EDGE);
}

static void try_axes(axis_search *q)
{
    for (int i = cord__first_direction(q->a); i < 3; i++) try_axis(q, q->a->R + 3 * i, LOWER_FACE);
    for (int i = cord__first_direction(q->b); i < 3; i++) try_axis(q, q->b->R + 3 * i, LOWER_FACE);
    for (int i = cord__first_direction(q->a); i < 3; i++)
        for (int j = cord__first_direction(q->b); j < 3; j++) {
            double n[3];
            v3_cross(n, q->a->R + 3 * i, q->b->R + 3 * j);
            if (v3_dot(n, n) < PARALLEL) continue;
            v3_normalize(n, n);
            try_axis(q, n, LOWER_EDGE);
        }
    if (!is_box(q->a)) try_radial(q, q->a);
    if (!is_box(q->b)) try_radial(q, q->b);
}

/* A solid for libccd, in units of `unit`, enlarged by `offset`. */
typedef struct ccd_solid {
    const obstacle *o;
    const double *centre;
    double unit, offset;
    int *calls;
} ccd_solid;

/* After many calls the result is no number, which ends every loop of libccd. */
static void ccd_support(const void *object, const ccd_vec3_t *dir, ccd_vec3_t *x)
{
    const ccd_solid *s = object;
    double n[3], p[3];
    v3_normalize(n, dir->v);
    cord__solid_support(s->o, n, p);
    v3_sub(p, p, s->centre);
    v3_axpy(p, s->offset, n);
    if ((*s->calls)++ > SUPPORT_CALLS) v3_set(p, NAN, NAN, NAN);
    ccdVec3Set(x, p[0] / s->unit, p[1] / s->unit, p[2] / s->unit);
}

static void ccd_centre(const void *object, ccd_vec3_t *x)
{
    const ccd_solid *s = object;
    double p[3];
    v3_sub(p, s->o->x, s->centre);
    ccdVec3Set(x, p[0] / s->unit, p[1] / s->unit, p[2] / s->unit);
}

/* The direction of the portal that the ray between the centres leaves the Minkowski difference by. */
static void try_portal(axis_search *q)
{
    int calls = 0;
    ccd_solid s[2] = {{q->a, q->b->x, q->size, LIFT * q->size, &calls},
                      {q->b, q->b->x, q->size, LIFT * q->size, &calls}};
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = ccd_support;
    ccd.center1 = ccd.center2 = ccd_centre;
    ccd.max_iterations = 50;
    ccd_real_t depth;
    ccd_vec3_t dir, position;
    if (ccdMPRPenetration(s, s + 1, &ccd, &depth, &dir, &position) != 0) return;
    double n[3], length = v3_norm(dir.v);
    if (!(length > 0.5)) return; /* zero where they touch */
    v3_scale(n, -1 / length, dir.v);
    try_axis(q, n, LOWER_EDGE);
}

/* One step of the proximal iteration: the points, and the new normal in n. */
static bool climb(const axis_search *q, solid_point *axis, double n[3])
{
    double shift[3], v[3];
    v3_scale(shift, LIFT * q->size - axis->gap, axis->normal);
    if (!cord__solid_distance(q->a, q->b, shift, v, axis->x)) return false;
    v3_normalize(n, v);
    return true;
}

/* Climbs from `start`, and replaces the best axis where the maximum is higher. */
static void climb_from(axis_search *q, const solid_point *start)
{
    solid_point axis = *start;
    for (int k = 0; k < CLIMBS; k++) {
        double n[3];
        if (!climb(q, &axis, n)) break;
        double gap = cord__gap_along(q->a, q->b, n);
        if (!(gap > axis.gap + STATIONARY * q->size)) break;
        v3_copy(axis.normal, n);
        axis.gap = gap;
    }
    if (!is_round(q->a) && !is_round(q->b)) cord__refine_axis(q->a, q->b, &axis);
    if (axis.gap > q->best.gap + LOWER_FACE * q->size) q->best = axis;
}

/* From the best candidate, from the portal and from the directions between the centres: there may be several maxima. */
static void climb_to_maximum(axis_search *q)
{
    solid_point start = q->best;
    axis_search other[3];
    for (int k = 0; k < 3; k++) other[k] = (axis_search){q->a, q->b, q->size, {.gap = -INFINITY}};
    try_portal(other);
    try_radial(other + 1, q->a);
    try_radial(other + 2, q->b);
    climb_from(q, &start);
    for (int k = 0; k < 3; k++)
        if (other[k].best.gap > -INFINITY) climb_from(q, &other[k].best);
}

static double smaller_size(const obstacle *a, const obstacle *b)
{
    return fmin(cord__solid_size(a), cord__solid_size(b));
}

/* False: the distance exceeds the margin. */
static bool flat_flat(axis_search *q, double margin)
{
    const double none[3] = {0, 0, 0};
    double v[3], x[2][3];
    try_axes(q);
    bool boxes = is_box(q->a) && is_box(q->b);
    if (q->best.gap > margin) return false;
    if (boxes && q->best.gap <= 0) return true;
    bool apart = cord__solid_distance(q->a, q->b, none, v, x);
    double d = apart ? v3_norm(v) : 0;
    if (d > NO_LENGTH * q->size) {
        if (d > margin) return false;
        v3_normalize(v, v);
        try_axis(q, v, LOWER_FACE);
        if (!boxes && !is_round(q->a) && !is_round(q->b)) cord__refine_axis(q->a, q->b, &q->best);
    } else if (!boxes) {
        climb_to_maximum(q);
    }
    return true;
}

/* ---- any ------------------------------------------------------------------------------------- */

void cord__locate(const obstacle *a, const obstacle *b, solid_point *axis)
{
    axis_search q = {a, b, smaller_size(a, b), *axis};
    double n[3];
    /* The solids are apart after the translation, so that there is a distance; else: the support point. */
    if (!climb(&q, axis, n)) cord__solid_support(b, axis->normal, axis->x[1]);
    v3_combine(axis->x[0], 1, axis->x[1], axis->gap, axis->normal);
}

/* The axis of a round solid and another one. False: the axis of a capsule meets the other, and a signed distance does not say
 * how far to move it. */
static bool round_any(const obstacle *a, const obstacle *b, solid_point *axis)
{
    if (is_round(a) && is_round(b)) {
        round_round(a, b, axis);
        return true;
    }
    if (is_round(a)) {
        round_other(a, b, axis);
        return is_sphere(a) || axis->gap > -a->shape.radius;
    }
    round_other(b, a, axis);
    exchange(axis);
    return is_sphere(b) || axis->gap > -b->shape.radius;
}

bool cord__convex_axis(const obstacle *a, const obstacle *b, double margin, solid_point *axis,
                       bool *located)
{
    axis_search q = {a, b, smaller_size(a, b), {.gap = -INFINITY}};
    *located = (is_round(a) || is_round(b)) && round_any(a, b, axis);
    if (*located) return axis->gap <= margin;
    if (!flat_flat(&q, margin)) return false;
    *axis = q.best;
    return true;
}
