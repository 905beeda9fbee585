/* Contacts of the points of one obstacle with the signed distance of another. */
#include "contact/convex.h"
#include "contact/mesh.h"
#include "contact/solids.h"
#include "math/vec3.h"

#define DIRECTIONS (SOLID_CONTACTS - 1)
#define LOWEST DIRECTIONS /* number of the lowest point */
#define LOWER 1e-6 /* it is one more contact where it is lower by this, relative to the size */
#define STACK 64   /* the depth of a tree is below 32 */
#define FIRST_ANGLE 0.17 /* of the directions: not one of symmetry */

static const double pi = 3.14159265358979323846;

/* Of all points within the margin the farthest along seven directions of the plane of contact remain, and the lowest. */
typedef struct sampling {
    const obstacle *o[2];
    double margin;
    bool directed; /* the second pass; the first one finds the lowest */
    solid_point lowest, farthest[DIRECTIONS];
    double direction[DIRECTIONS][3], reach[DIRECTIONS];
} sampling;

static bool is_mesh(const obstacle *o)
{
    return o->shape.ops == &cord__mesh_shape;
}

static void to_world(const obstacle *o, const double y[3], double x[3])
{
    m3_apply(x, o->R, y);
    v3_add(x, x, o->x);
}

/* The contact of a point of obstacle `side`, below the surface by `radius`, with the other. */
static bool point_contact(const obstacle *const o[2], int side, const double y[3], double radius,
                          double margin, solid_point *c)
{
    double x[3], n[3];
    to_world(o[side], y, x);
    double distance = cord__obstacle_distance(o[!side], x, n);
    c->gap = distance - radius;
    if (!(c->gap <= margin)) return false;
    v3_combine(c->x[side], 1, x, -radius, n);
    v3_combine(c->x[!side], 1, x, -distance, n);
    v3_scale(c->normal, side == 0 ? 1 : -1, n);
    return true;
}

static void offer(sampling *q, int side, const double y[3], double radius)
{
    solid_point c = {.number = 0};
    if (!point_contact(q->o, side, y, radius, q->margin, &c)) return;
    if (!q->directed && c.gap < q->lowest.gap) q->lowest = c;
    for (int k = 0; k < DIRECTIONS && q->directed; k++) {
        double reach = v3_dot(q->direction[k], c.x[side]);
        if (!(reach > q->reach[k])) continue;
        q->reach[k] = reach;
        q->farthest[k] = c;
    }
}

/* Whether all of a node is farther than the margin. Beyond its box the distance of a grid may exceed the true one by the
 * distance to the box, hence twice the radius. */
static bool far_node(const sampling *q, int side, const mesh_node *node)
{
    double centre[3], x[3], n[3], radius = 0.5 * v3_distance(node->low, node->high);
    v3_combine(centre, 0.5, node->low, 0.5, node->high);
    to_world(q->o[side], centre, x);
    return cord__obstacle_distance(q->o[!side], x, n) > 2 * radius + q->margin;
}

static void offer_vertices(sampling *q, int side)
{
    const triangle_mesh *mesh = q->o[side]->shape.mesh;
    const mesh_node *stack[STACK];
    int depth = 0;
    stack[depth++] = mesh->nodes;
    while (depth > 0) {
        const mesh_node *node = stack[--depth];
        if (far_node(q, side, node)) continue;
        if (node->second) {
            stack[depth++] = mesh->nodes + node->second;
            stack[depth++] = node + 1;
            continue;
        }
        for (int i = node->first; i < node->first + node->count; i++)
            for (int k = 0; k < 3; k++) offer(q, side, mesh->triangles[i].x[k], 0);
    }
}

/* Points of a convex solid meet distances that are not of one, vertices of a mesh any. */
static void offer_points(sampling *q)
{
    for (int side = 0; side < 2; side++) {
        const struct solid_ops *solid = q->o[side]->shape.ops->solid;
        if (is_mesh(q->o[side])) offer_vertices(q, side);
        if (!solid || q->o[!side]->shape.ops->solid) continue;
        solid_samples s;
        solid->samples(&q->o[side]->shape, NULL, &s);
        for (int i = 0; i < s.count; i++) offer(q, side, s.x[i], s.radius);
    }
}

/* Directions that are fixed to the obstacle with points, so that its points keep their numbers when it rotates. */
static void choose_directions(sampling *q)
{
    bool first = is_mesh(q->o[0]) || q->o[0]->shape.ops->solid;
    const double *n = q->lowest.normal, *along = cord__solid_direction(q->o[first ? 0 : 1], n);
    double u[3], v[3];
    v3_combine(u, 1, along, -v3_dot(along, n), n);
    v3_normalize(u, u);
    v3_cross(v, n, u);
    for (int k = 0; k < DIRECTIONS; k++) {
        double angle = FIRST_ANGLE + 2 * pi * k / DIRECTIONS;
        v3_combine(q->direction[k], cos(angle), u, sin(angle), v);
        q->reach[k] = -INFINITY;
    }
}

static bool is_new(const solid_point *points, int count, const solid_point *c)
{
    for (int k = 0; k < count; k++)
        if (v3_distance(points[k].x[0], c->x[0]) == 0) return false;
    return true;
}

static double size_of(const obstacle *o)
{
    return v3_distance(o->low, o->high);
}

static int reduced_contacts(sampling *q, solid_point *out)
{
    int count = 0;
    offer_points(q);
    if (!(q->lowest.gap <= q->margin)) return 0;
    choose_directions(q);
    q->directed = true;
    offer_points(q);
    double least = INFINITY, size = fmin(size_of(q->o[0]), size_of(q->o[1]));
    for (int k = 0; k < DIRECTIONS; k++) {
        if (!is_new(out, count, q->farthest + k)) continue;
        out[count] = q->farthest[k];
        least = fmin(least, out[count].gap);
        out[count++].number = k;
    }
    if (q->lowest.gap < least - LOWER * size) {
        out[count] = q->lowest;
        out[count++].number = LOWEST;
    }
    return count;
}

/* A convex solid over a plane: its lowest points, each with a number of its own. */
static int plane_contacts(const obstacle *const o[2], int solid, double margin, solid_point *out)
{
    double y[3], down[3];
    solid_samples s;
    int count = 0;
    v3_scale(down, -1, o[!solid]->R + 6);
    m3_apply_transposed(y, o[solid]->R, down);
    o[solid]->shape.ops->solid->samples(&o[solid]->shape, y, &s);
    for (int i = 0; i < s.count; i++)
        if (point_contact(o, solid, s.x[i], s.radius, margin, out + count))
            out[count++].number = s.number[i];
    return count;
}

int cord__sampled_contacts(const obstacle *a, const obstacle *b, double margin, solid_point *out)
{
    sampling q = {.o = {a, b}, .margin = margin, .lowest.gap = INFINITY};
    for (int solid = 0; solid < 2; solid++)
        if (q.o[solid]->shape.ops->solid && q.o[!solid]->shape.ops == &cord__plane_shape)
            return plane_contacts(q.o, solid, margin, out);
    return reduced_contacts(&q, out);
}
