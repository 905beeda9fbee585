#include "scene/scenery_shapes.h"

#include "math/rotation.h"
#include "scene/expand.h"
#include "scene/solids.h"
#include "scene/tables.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- triangles ---------------------------------------------------------------------------- */

typedef struct mesh {
    double *vertices;
    int *triangles;
    int vertex_count, triangle_count;
} mesh;

static bool reserve(arena *a, mesh *m, int vertices, int triangles)
{
    m->vertices = TAKE(a, double, 3 * (size_t)vertices);
    m->triangles = TAKE(a, int, 3 * (size_t)triangles);
    return m->vertices && m->triangles;
}

static void add_triangle(mesh *m, int a, int b, int c)
{
    int *t = m->triangles + 3 * (size_t)m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void add_vertex(mesh *m, double x, double y, double z)
{
    v3_set(m->vertices + 3 * (size_t)m->vertex_count++, x, y, z);
}

static bool finish(const mesh *m, cord_shape *shape)
{
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = m->vertex_count,
                          .triangle_count = m->triangle_count,
                          .vertices = m->vertices,
                          .triangles = m->triangles};
    return true;
}

/* A solid of revolution: a polygon of (radius, height), anticlockwise with the radius to the right. The factors, of
 * which there is one for every side, multiply the radii of the corners with `toothed`. */
static void add_ring(mesh *m, int sides, int corners, const double (*profile)[2],
                     const double *factors, unsigned toothed)
{
    int first = m->vertex_count;
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < corners; k++) {
            double angle = 2 * PI * i / sides, r = profile[k][0];
            if (toothed >> k & 1) r *= factors[i];
            add_vertex(m, r * cos(angle), r * sin(angle), profile[k][1]);
        }
    for (int i = 0; i < sides; i++)
        for (int k = 0; k < corners; k++) {
            int next = (i + 1) % sides, up = (k + 1) % corners;
            int a = first + corners * i + k, b = first + corners * next + k;
            int c = first + corners * next + up, d = first + corners * i + up;
            add_triangle(m, a, b, c);
            add_triangle(m, a, c, d);
        }
}

static void add_round(mesh *m, int sides, int corners, const double (*profile)[2])
{
    add_ring(m, sides, corners, profile, NULL, 0);
}

/* From the hub to the rim, narrower outside. */
static void add_spoke(mesh *m, double angle, double from, double to, double wide, double high)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                     {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                     {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    int first = m->vertex_count;
    double c = cos(angle), s = sin(angle);
    for (int k = 0; k < 8; k++) {
        double x = k & 1 ? to : from, y = (k & 2 ? wide : -wide) * (k & 1 ? 0.7 : 1);
        double z = k & 4 ? high : -high;
        add_vertex(m, c * x - s * y, s * x + c * y, z);
    }
    for (int k = 0; k < 12; k++)
        add_triangle(m, first + faces[k][0], first + faces[k][1], first + faces[k][2]);
}

/* ---- hubs --------------------------------------------------------------------------------- */

enum {
    HUB = 32,
    HUB_CORNERS = 4,
    AXLE_CORNERS = 6,
    HUB_RINGS = HUB * (HUB_CORNERS + AXLE_CORNERS)
};

/* A hub of this radius, and in it a bearing and the end of an axle, which stand out a little. */
static void add_hub(mesh *m, double radius, double half)
{
    const double hub[HUB_CORNERS][2] = {
        {0.62 * radius, -half}, {radius, -half}, {radius, half}, {0.62 * radius, half}};
    const double in = 0.86 * half, out = 1.25 * half;
    const double axle[AXLE_CORNERS][2] = {{0.01 * radius, -out}, {0.42 * radius, -out},
                                          {0.62 * radius, -in},  {0.62 * radius, in},
                                          {0.42 * radius, out},  {0.01 * radius, out}};
    add_round(m, HUB, HUB_CORNERS, hub);
    add_round(m, HUB, AXLE_CORNERS, axle);
}

/* ---- a sheave ------------------------------------------------------------------------------- */

enum { ROUND = 64, SPOKES = 5, RIM_CORNERS = 10 };

bool cord__shape_sheave(arena *a, double radius, double groove, cord_shape *shape)
{
    double half = fmax(1.6 * groove, 0.07 * radius), bottom = radius - groove;
    double inner = bottom - 0.12 * radius, outer = radius + 0.8 * groove, axle = 0.2 * radius;
    double lip = 0.22 * half;
    const double rim[RIM_CORNERS][2] = {{inner, -0.8 * half},       {outer - 0.5 * lip, -half},
                                        {outer, -half + 0.5 * lip}, {outer, -half + lip},
                                        {bottom, -0.35 * half},     {bottom, 0.35 * half},
                                        {outer, half - lip},        {outer, half - 0.5 * lip},
                                        {outer - 0.5 * lip, half},  {inner, 0.8 * half}};
    mesh m = {0};
    int corners = ROUND * RIM_CORNERS + HUB_RINGS;
    if (!reserve(a, &m, corners + 8 * SPOKES, 2 * corners + 12 * SPOKES)) return false;
    add_round(&m, ROUND, RIM_CORNERS, rim);
    add_hub(&m, axle, half);
    for (int i = 0; i < SPOKES; i++)
        add_spoke(&m, 2 * PI * i / SPOKES, 0.9 * axle, inner + 0.03 * radius, 0.075 * radius,
                  0.45 * half);
    return finish(&m, shape);
}

/* ---- a gear --------------------------------------------------------------------------------- */

enum { TOOTH_SIDES = 8, GEAR_CORNERS = 4 };

/* The radius over the pitch radius along one tooth, which begins in the middle of a gap: addendum one module,
 * dedendum one and a quarter. */
static double tooth_factor(int side, int teeth)
{
    static const double height[TOOTH_SIDES] = {-1.25, -1.25, -0.2, 0.75, 1, 1, 0.75, -0.2};
    return 1 + height[side] * 2.0 / teeth;
}

bool cord__shape_gear(arena *a, const gear_data *g, cord_shape *shape)
{
    int sides = TOOTH_SIDES * g->teeth;
    double half = g->width / 2, root = g->radius * fmax(1 - 2.5 / g->teeth, 0.5);
    double inner = root - 0.14 * g->radius, axle = fmin(0.22 * g->radius, 0.6 * inner);
    bool web = inner > 1.6 * axle; /* a small one is solid */
    const double rim[GEAR_CORNERS][2] = {{web ? inner : axle, -half},
                                         {g->radius, -half},
                                         {g->radius, half},
                                         {web ? inner : axle, half}};
    const double disc[GEAR_CORNERS][2] = {
        {axle, -0.45 * half}, {inner, -0.45 * half}, {inner, 0.45 * half}, {axle, 0.45 * half}};
    mesh m = {0};
    int corners = sides * GEAR_CORNERS + HUB_RINGS + ROUND * GEAR_CORNERS;
    double *factors = TAKE(a, double, sides);
    if (!factors || !reserve(a, &m, corners, 2 * corners)) return false;
    for (int i = 0; i < sides; i++) factors[i] = tooth_factor(i % TOOTH_SIDES, g->teeth);
    add_ring(&m, sides, GEAR_CORNERS, rim, factors, 1 << 1 | 1 << 2);
    if (web) add_round(&m, ROUND, GEAR_CORNERS, disc);
    add_hub(&m, axle, 1.15 * half);
    return finish(&m, shape);
}

/* ---- a stand -------------------------------------------------------------------------------- */

enum { BAR_SIDES = 16, FOOT_SIDES = 32, FOOT_CORNERS = 5 };

/* A round bar between two points, with flat ends. */
static void add_bar(mesh *m, const double from[3], const double to[3], double radius)
{
    double along[3], u[3], v[3];
    v3_sub(along, to, from);
    if (!(v3_norm(along) > 0)) return;
    v3_normalize(along, along);
    v3_any_normal(u, along);
    v3_cross(v, along, u);
    int first = m->vertex_count;
    for (int end = 0; end < 2; end++) {
        const double *x = end ? to : from;
        for (int i = 0; i < BAR_SIDES; i++) {
            double angle = 2 * PI * i / BAR_SIDES, at[3];
            v3_combine(at, radius * cos(angle), u, radius * sin(angle), v);
            add_vertex(m, x[0] + at[0], x[1] + at[1], x[2] + at[2]);
        }
        add_vertex(m, x[0], x[1], x[2]);
    }
    int ring = BAR_SIDES + 1;
    for (int i = 0; i < BAR_SIDES; i++) {
        int j = (i + 1) % BAR_SIDES, a = first + i, b = first + j;
        add_triangle(m, a, b, b + ring);
        add_triangle(m, a, b + ring, a + ring);
        add_triangle(m, first + BAR_SIDES, b, a);
        add_triangle(m, first + BAR_SIDES + ring, a + ring, b + ring);
    }
}

static void add_foot(mesh *m, const double foot[3], double radius)
{
    double wide = 4.5 * radius, high = 1.1 * radius;
    const double profile[FOOT_CORNERS][2] = {{0.01 * radius, 0},
                                             {wide, 0},
                                             {wide, 0.6 * high},
                                             {0.9 * wide, high},
                                             {0.01 * radius, high}};
    int first = m->vertex_count;
    add_round(m, FOOT_SIDES, FOOT_CORNERS, profile);
    for (int i = first; i < m->vertex_count; i++)
        v3_add(m->vertices + 3 * (size_t)i, m->vertices + 3 * (size_t)i, foot);
}

/* A post as high as the highest point, and a horizontal arm to each. */
static bool shape_stand(arena *a, const stand_data *s, cord_shape *shape)
{
    mesh m = {0};
    int arms = s->to.count / 3, bars = arms + 1;
    int corners = FOOT_SIDES * FOOT_CORNERS + bars * 2 * (BAR_SIDES + 1);
    if (!reserve(a, &m, corners, 2 * corners)) return false;
    double top[3] = {s->foot[0], s->foot[1], s->foot[2]};
    for (int i = 0; i < arms; i++) top[2] = fmax(top[2], s->to.values[3 * i + 2]);
    add_foot(&m, s->foot, s->radius);
    for (int i = 0; i < arms; i++) {
        const double *to = s->to.values + 3 * (size_t)i;
        double from[3] = {s->foot[0], s->foot[1], to[2]}, across[3];
        v3_sub(across, to, from);
        double length = v3_norm(across);
        if (!(length > 1e-9 * s->radius)) continue;
        v3_axpy(from, -3 * s->radius / length,
                across); /* the arm goes through a boss on the post */
        add_bar(&m, from, to, 0.75 * s->radius);
        top[2] = fmax(top[2], to[2] + 2.5 * s->radius);
    }
    add_bar(&m, s->foot, top, s->radius);
    return finish(&m, shape);
}

/* ---- any ------------------------------------------------------------------------------------ */

static const solid_ops *const solids[OBSTACLE_SOLIDS] = {&cord__sphere_solid, &cord__capsule_solid,
                                                         &cord__cylinder_solid, &cord__box_solid,
                                                         &cord__mesh_solid};

bool cord__shape_scenery(arena *a, const scenery_data *d, cord_shape *shape)
{
    if (d->gear) return cord__shape_gear(a, d->gear, shape);
    if (d->stand) return shape_stand(a, d->stand, shape);
    for (int i = 0; i < OBSTACLE_SOLIDS; i++)
        if (d->solid[i]) solids[i]->fill(d->solid[i], shape);
    return true;
}

void cord__scenery_pose(const scenery_data *d, double position[3], double frame[9])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(frame, identity, sizeof identity);
    v3_copy(position, d->position);
    if (!d->rotation) return;
    double by[3];
    v3_scale(by, d->rotation->angle / v3_norm(d->rotation->axis), d->rotation->axis);
    cord__rotation_exp(frame, by);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static const field gear_fields[] = {
    {"radius", FIELD_NUMBER, offsetof(gear_data, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the pitch radius"},
    {"width", FIELD_NUMBER, offsetof(gear_data, width), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "along z"},
    {"teeth", FIELD_INTEGER, offsetof(gear_data, teeth), false, "24", "", LIMIT_ELEMENTS, NULL,
     "how many; a gap is at x"},
};
static bool finish_gear(reader *r, void *item)
{
    const gear_data *g = item;
    if (g->teeth >= 5) return true;
    cord__diagnose(r->errors, cord__node_key_mark(g->at, "teeth"), "teeth: a gear has at least 5");
    return false;
}
static const mapping gear_map = {"gear",
                                 "a spur gear about the origin, along z",
                                 sizeof(gear_data),
                                 gear_fields,
                                 FIELD_COUNT(gear_fields),
                                 finish_gear};

static const field stand_fields[] = {
    {"foot", FIELD_VECTOR, offsetof(stand_data, foot), true, NULL, "m", LIMIT_NONE, NULL,
     "the middle of its foot, on the floor"},
    {"to", FIELD_POINTS, offsetof(stand_data, to), true, NULL, "m", LIMIT_NONE, NULL,
     "the points it carries: above the foot by its post, others by horizontal arms"},
    {"radius", FIELD_NUMBER, offsetof(stand_data, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "of the post"},
};
static const mapping stand_map = {"stand",
                                  "a foot, a vertical post and horizontal arms",
                                  sizeof(stand_data),
                                  stand_fields,
                                  FIELD_COUNT(stand_fields),
                                  NULL};

static bool finish_scenery(reader *r, void *item)
{
    scenery_data *d = item;
    int count = (d->gear != NULL) + (d->stand != NULL);
    for (int i = 0; i < OBSTACLE_SOLIDS; i++) count += d->solid[i] != NULL;
    for (int k = 0; k < 3; k++) d->position[k] += d->offset[k];
    if (count == 1) return true;
    cord__diagnose(r->errors, d->at->at,
                   "scenery needs one of sphere, capsule, cylinder, box, mesh, gear and stand");
    return false;
}

#define SOLID_FIELD(key, index, ops, about)                                                        \
    {                                                                                              \
        key, FIELD_MAP, offsetof(scenery_data, solid) + (index) * sizeof(void *), false, NULL,     \
            NULL, LIMIT_NONE, &ops.map, about                                                      \
    }

static const field scenery_fields[] = {
    {"name", FIELD_TEXT, offsetof(scenery_data, name), false, NULL, NULL, LIMIT_NONE, NULL,
     "a name, for --set"},
    SOLID_FIELD("sphere", 0, cord__sphere_solid, "its shape: one of these"),
    SOLID_FIELD("capsule", 1, cord__capsule_solid, "or"),
    SOLID_FIELD("cylinder", 2, cord__cylinder_solid, "or"),
    SOLID_FIELD("box", 3, cord__box_solid, "or"),
    SOLID_FIELD("mesh", 4, cord__mesh_solid, "or"),
    {"gear", FIELD_MAP, offsetof(scenery_data, gear), false, NULL, NULL, LIMIT_NONE, &gear_map,
     "or"},
    {"stand", FIELD_MAP, offsetof(scenery_data, stand), false, NULL, NULL, LIMIT_NONE, &stand_map,
     "or"},
    {"at", FIELD_VECTOR, offsetof(scenery_data, position), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "where the origin of its axes is: in the world, or in the axes of the body it is on"},
    {"offset", FIELD_VECTOR, offsetof(scenery_data, offset), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "added to it"},
    {"rotation", FIELD_MAP, offsetof(scenery_data, rotation), false, NULL, NULL, LIMIT_NONE,
     &cord__orientation_map, "of its axes, likewise"},
    {"on", FIELD_SPECIAL, offsetof(scenery_data, on), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "the body or obstacle that carries it"},
    {"colour", FIELD_SPECIAL, offsetof(scenery_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "default: steel"},
    LOOK_FIELD(scenery_data, "auto: steel, or plain where a colour is given"),
};
const mapping cord__scenery_map = {"scenery",
                                   "a solid that is only drawn, without mass and without contact",
                                   sizeof(scenery_data),
                                   scenery_fields,
                                   FIELD_COUNT(scenery_fields),
                                   finish_scenery};
