/* Guides in scenes: keys, checks, the definition for the library, and the solid in pictures. Each kind of guide is
 * an entry of the list and one table below. */
#include "scene/cables.h"

#include "scene/expand.h"
#include "scene/tables.h"
#include "strand/cable/cable.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct scene_guide {
    cord_guide_kind kind;
    /* A surface of the library, its sizes and the condition on them. */
    cord_surface surface;
    int sizes;
    bool (*sizes_valid)(const double *size); /* in addition to being above 0; NULL: no condition */
    const char *sizes_rule;
    double (*radius)(const guide_data *g); /* the approximate least radius of curvature */
    /* The solid in pictures; NULL: none. `with_length`: only where a length is specified. */
    bool (*draw)(cord_simulation *sim, const guide_data *g, cord_shape *shape);
    bool with_length;
} scene_guide;

/* The name and the coordinates of a node. */
#define SCENE_GUIDES(X)                                                                            \
    X(point, "no coordinate")                                                                      \
    X(circle, "one: the angle about its axis, rad")                                                \
    X(cylinder, "two: the angle, and the height along the axis, rad and m")                        \
    X(sphere, "two: longitude and latitude, rad")                                                  \
    X(line, "one: along its axis, m")                                                              \
    X(path, "one: along a path or a tube, m")                                                      \
    X(plane, "two: across its axis, m")                                                            \
    X(span, "one: how far along the line between two points, from 0 to 1")                         \
    X(torus, "two: longitude, and the angle round the tube from outside, rad")                     \
    X(cone, "two: longitude, rad, and the height above the tip along the axis, m")                 \
    X(ellipsoid, "two: longitude and parametric latitude, rad")

#define CONSTANT(name, about) GUIDE_##name,
enum { SCENE_GUIDES(CONSTANT) };
#define CHOICE(name, about) {#name, GUIDE_##name, about},
static const choice choices[] = {SCENE_GUIDES(CHOICE){NULL, 0, NULL}};

static const scene_guide *guide_of(const guide_data *g);

static const guide_ops *ops_of(const guide_data *g)
{
    return cord__guide_ops((int)guide_of(g)->kind);
}

/* ---- drawing ------------------------------------------------------------------------------ */

enum { ROUND = 64, ACROSS = 32 };

/* A grid over the coordinates, periodic in longitude, and in the second coordinate if that is `closed`. */
static bool draw_surface(cord_simulation *sim, const guide_data *g, double from, double to,
                         bool closed, cord_shape *shape)
{
    cord_surface surface = guide_of(g)->surface;
    double size[3] = {0};
    memcpy(size, g->size.values, (size_t)g->size.count * sizeof *size);
    int rows = closed ? ACROSS : ACROSS + 1, count = 0;
    double *x = TAKE(&sim->memory, double, 3 * ROUND * (ACROSS + 1));
    int *triangles = TAKE(&sim->memory, int, 6 * ROUND * ACROSS);
    if (!x || !triangles) return false;
    for (int i = 0; i < ROUND; i++)
        for (int k = 0; k < rows; k++) {
            double at[2] = {2 * PI * i / ROUND, from + (to - from) * k / ACROSS};
            double J[6], H[9];
            int next = (i + 1) % ROUND, up = (k + 1) % rows;
            surface(size, NULL, at, x + 3 * (i * rows + k), J, H);
            if (up < k && !closed) continue;
            const int two[6] = {i * rows + k, next * rows + k,  next * rows + up,
                                i * rows + k, next * rows + up, i * rows + up};
            memcpy(triangles + 3 * count, two, sizeof two);
            count += 2;
        }
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = ROUND * rows,
                          .triangle_count = count,
                          .vertices = x,
                          .triangles = triangles};
    return true;
}

static cord_shape disc(double radius, double length)
{
    return (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = length};
}

/* ---- the table of each kind --------------------------------------------------------------- */

static const scene_guide point_guide = {.kind = CORD_GUIDE_POINT};
static const scene_guide line_guide = {.kind = CORD_GUIDE_LINE};
static const scene_guide path_guide = {.kind = CORD_GUIDE_PATH};
static const scene_guide plane_guide = {.kind = CORD_GUIDE_PLANE};
static const scene_guide span_guide = {.kind = CORD_GUIDE_SPAN};

static bool draw_circle(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    (void)sim;
    *shape = disc(g->radius, g->length > 0 ? g->length : 0.2 * g->radius);
    return true;
}
static const scene_guide circle_guide = {.kind = CORD_GUIDE_CIRCLE, .draw = draw_circle};

static bool draw_cylinder(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    (void)sim;
    *shape = disc(g->radius, g->length);
    return true;
}
static const scene_guide cylinder_guide = {
    .kind = CORD_GUIDE_CYLINDER, .draw = draw_cylinder, .with_length = true};

static bool draw_sphere(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    (void)sim;
    *shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = g->radius};
    return true;
}
static const scene_guide sphere_guide = {.kind = CORD_GUIDE_SPHERE, .draw = draw_sphere};

static bool torus_sizes_valid(const double *size)
{
    return size[1] < size[0];
}
static double torus_radius(const guide_data *g)
{
    return g->size.values[1];
}
static bool draw_torus(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    return draw_surface(sim, g, -PI, PI, true, shape);
}
static const scene_guide torus_guide = {
    .kind = CORD_GUIDE_SURFACE,
    .surface = cord_surface_torus,
    .sizes = 2,
    .sizes_valid = torus_sizes_valid,
    .sizes_rule = "a torus has a size: [its radius, that of its tube], the second the smaller one",
    .radius = torus_radius,
    .draw = draw_torus};

static double cone_radius(const guide_data *g)
{
    const double *size = g->size.values;
    return isnan(g->length) ? 0.1 * size[0] : 0.3 * g->length * size[0];
}
static bool draw_cone(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    return draw_surface(sim, g, 0, g->length, false, shape);
}
static const scene_guide cone_guide = {.kind = CORD_GUIDE_SURFACE,
                                       .surface = cord_surface_cone,
                                       .sizes = 1,
                                       .sizes_rule =
                                           "a cone has a size: [how far it widens per height]",
                                       .radius = cone_radius,
                                       .draw = draw_cone,
                                       .with_length = true};

static double ellipsoid_radius(const guide_data *g)
{
    const double *size = g->size.values;
    double least = fmin(size[0], fmin(size[1], size[2]));
    return least * least / fmax(size[0], fmax(size[1], size[2]));
}
static bool draw_ellipsoid(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    return draw_surface(sim, g, -0.5 * PI, 0.5 * PI, false, shape);
}
static const scene_guide ellipsoid_guide = {.kind = CORD_GUIDE_SURFACE,
                                            .surface = cord_surface_ellipsoid,
                                            .sizes = 3,
                                            .sizes_rule =
                                                "an ellipsoid has a size: three half axes",
                                            .radius = ellipsoid_radius,
                                            .draw = draw_ellipsoid};

static const scene_guide *guide_of(const guide_data *g)
{
#define ENTRY(name, about) [GUIDE_##name] = &name##_guide,
    static const scene_guide *const list[] = {SCENE_GUIDES(ENTRY)};
    return list[g->kind];
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool check_sizes(reader *r, const guide_data *g)
{
    const scene_guide *own = guide_of(g);
    bool good = g->size.count == own->sizes;
    for (int i = 0; good && i < own->sizes; i++) good = g->size.values[i] > 0;
    if (good && (!own->sizes_valid || own->sizes_valid(g->size.values))) return true;
    cord__diagnose(r->errors, g->at->at, "%s",
                   own->sizes_rule ? own->sizes_rule
                                   : "only a torus, a cone or an ellipsoid has a size");
    return false;
}

static bool finish_guide(reader *r, void *item)
{
    const guide_data *g = item;
    const guide_ops *ops = ops_of(g);
    bool round = (ops->needs & GUIDE_NEEDS_RADIUS) && !(ops->needs & GUIDE_NEEDS_SURFACE);
    bool along = ops->needs & GUIDE_NEEDS_PATH;
    bool span = ops->needs & GUIDE_NEEDS_SECOND_POINT;
    if (!cord__nonzero(r, g->at, "axis", g->axis) || !check_sizes(r, g)) return false;
    if (along != (g->path != NULL) || along == (g->where.kind != LOCATION_NONE)) {
        cord__diagnose(r->errors, g->at->at,
                       along ? "a guide along a path has a path, which says where it is"
                             : "a guide needs \"at\": where it is; and only one along a path has "
                               "a path");
        return false;
    }
    if (span != (g->to.kind != LOCATION_NONE)) {
        cord__diagnose(r->errors, g->at->at,
                       "a span has \"to\": its other end; other guides do not");
        return false;
    }
    if (round == !isnan(g->radius)) return true;
    cord__diagnose(r->errors, g->at->at,
                   round ? "a guide that is round needs a radius"
                         : "a guide that is not round has no radius");
    return false;
}

static const count_range size_numbers = {1, 3};

static const field guide_fields[] = {
    {"name", FIELD_TEXT, offsetof(guide_data, name), true, NULL, NULL, LIMIT_NONE, NULL,
     "what this cable's nodes call it"},
    {"kind", FIELD_CHOICE, offsetof(guide_data, kind), true, NULL, NULL, LIMIT_NONE, choices,
     "what it is"},
    {"at", FIELD_SPECIAL, offsetof(guide_data, where), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "its middle, in the world or on a body; of a cone the tip"},
    {"to", FIELD_SPECIAL, offsetof(guide_data, to), false, NULL, NULL, LIMIT_NONE,
     &cord__location_special, "of a span: its other end, in the world, on a body or a strand"},
    {"path", FIELD_SPECIAL, offsetof(guide_data, path), false, NULL, NULL, LIMIT_NONE,
     &cord__reference_special, "instead: the path or tube that it is along"},
    {"axis", FIELD_VECTOR, offsetof(guide_data, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "as drawn, in the world; angles count about it, from the world's x across it, or y"},
    {"radius", FIELD_NUMBER, offsetof(guide_data, radius), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "of what is round"},
    {"size", FIELD_NUMBERS, offsetof(guide_data, size), false, NULL, NULL, LIMIT_NONE,
     &size_numbers,
     "of a torus its radius and that of its tube, m; of a cone how far it widens per height; of an "
     "ellipsoid its half axes, m"},
    {"length", FIELD_NUMBER, offsetof(guide_data, length), false, NULL, "m", LIMIT_POSITIVE, NULL,
     "of a cylinder, a cone or the disc in a circle, for pictures; default: only the disc is "
     "drawn"},
    {"colour", FIELD_SPECIAL, offsetof(guide_data, colour), false, NULL, NULL, LIMIT_NONE,
     &cord__colour_special, "in pictures"},
};
const mapping cord__guide_map = {"guide",      "where nodes of a cable can be", sizeof(guide_data),
                                 guide_fields, FIELD_COUNT(guide_fields),       finish_guide};

/* ---- used by cables ----------------------------------------------------------------------- */

const char *cord__guide_name(const guide_data *g)
{
    return choices[g->kind].name;
}

int cord__guide_coordinates(const guide_data *g)
{
    return ops_of(g)->coordinates;
}

bool cord__resolve_guide(cord_scene *scene, const guide_data *g)
{
    if (!g->path) {
        const guide_ops *ops = ops_of(g);
        bool span = ops->needs & GUIDE_NEEDS_SECOND_POINT, plain = span || ops->coordinates == 0;
        if (!cord__resolve_carried(scene, &g->where)) return false;
        if (span && !cord__resolve_carried(scene, &g->to)) return false;
        if (plain || !cord__is_on_strand(scene, &g->where)) return true;
        cord__diagnose(&scene->errors, g->at->at,
                       "a strand carries points and spans: its vertices have no axes");
        return false;
    }
    mark at = cord__node_get(g->at, "path")->at;
    const symbol *s = cord__require_symbol(scene, g->path, at);
    if (s && s->kind == SUBJECT_PATH) return true;
    if (s) cord__diagnose(&scene->errors, at, "\"%.40s\" is not a path", g->path);
    return false;
}

void cord__define_guide(const guide_data *g, cord_guide *guide)
{
    const scene_guide *own = guide_of(g);
    *guide = (cord_guide){.kind = own->kind, .surface = own->surface};
    if (!isnan(g->radius)) guide->radius = g->radius;
    if (own->radius) guide->radius = own->radius(g);
    if (own->sizes) memcpy(guide->size, g->size.values, (size_t)own->sizes * sizeof *guide->size);
}

bool cord__guide_is_drawn(const guide_data *g)
{
    const scene_guide *own = guide_of(g);
    return own->draw && !(own->with_length && isnan(g->length));
}

bool cord__draw_guide(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    return guide_of(g)->draw(sim, g, shape);
}
