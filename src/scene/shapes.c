#include "scene/shape_parts.h"

#include "math/vec3.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- the mesh along a shape --------------------------------------------------------------- */

/* Vertices at fractions u of the length: the part [from, to] gets edges `factor` times shorter. Whole edges are
 * distributed to the (up to) three parts, so that the limits of the fine part are vertices. `edges` intervals, edges
 * + 1 values. */
void cord__spread(const refinement *fine, int edges, double *u)
{
    double ends[4] = {0, fine ? fine->from : 0, fine ? fine->to : 0, 1};
    double weight[3], total = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = (ends[k + 1] - ends[k]) * (k == 1 && fine ? fine->factor : 1);
        total += weight[k];
    }
    int done = 0;
    u[0] = 0;
    for (int k = 0; k < 3; k++) {
        sum += weight[k];
        int upto = k == 2 ? edges : (int)lround(edges * sum / total);
        for (int i = done; i < upto; i++) {
            u[i + 1] = ends[k] + (ends[k + 1] - ends[k]) * (i + 1 - done) / (upto - done);
        }
        done = upto > done ? upto : done;
    }
}

/* Sample a curve over u in [0, 1] at fractions of its length. */
static bool trace_curve(reader *r, const void *shape, bool closed, curve at, polyline *line)
{
    const shape_base *base = shape;
    int edges = closed ? base->vertices : base->vertices - 1;
    double *u = TAKE(r->memory, double, edges + 1);
    double *x = TAKE(r->memory, double, 3 * (size_t)base->vertices);
    if (!u || !x) return false;
    cord__spread(base->refine, edges, u);
    for (int i = 0; i < base->vertices; i++) at(shape, u[i], x + 3 * (size_t)i);
    *line = (polyline){base->vertices, closed, x};
    return true;
}

/* Sample a curve with any parametrisation at fractions of its length: the length is summed over many short chords,
 * and inverted between their ends. */
bool cord__trace_by_length(reader *r, const void *shape, bool closed, curve at, polyline *line)
{
    const shape_base *base = shape;
    int edges = closed ? base->vertices : base->vertices - 1, fine = 4096 + 8 * base->vertices;
    double *u = TAKE(r->memory, double, edges + 1);
    double *x = TAKE(r->memory, double, 3 * (size_t)base->vertices);
    double *length = TAKE(r->memory, double, fine + 1), last[3], now[3];
    if (!u || !x || !length) return false;
    at(shape, 0, last);
    for (int i = 1; i <= fine; i++) {
        at(shape, (double)i / fine, now);
        length[i] = length[i - 1] + v3_distance(now, last);
        v3_copy(last, now);
    }
    cord__spread(base->refine, edges, u);
    for (int i = 0, k = 0; i < base->vertices; i++) {
        double wanted = u[i] * length[fine];
        while (k < fine - 1 && length[k + 1] < wanted) k++;
        double step = length[k + 1] - length[k], t = step > 0 ? (wanted - length[k]) / step : 0;
        at(shape, fmin((k + t) / fine, 1), x + 3 * (size_t)i);
    }
    *line = (polyline){base->vertices, closed, x};
    return true;
}

static bool finish_refinement(reader *r, void *item)
{
    const refinement *fine = item;
    if (fine->from < fine->to) return true;
    cord__diagnose(r->errors, fine->at->at, "refine: \"from\" must be before \"to\"");
    return false;
}

static const field refine_fields[] = {
    {"from", FIELD_NUMBER, offsetof(refinement, from), false, "0 %", "", LIMIT_FRACTION, NULL,
     "where the fine part begins, as a fraction of the length"},
    {"to", FIELD_NUMBER, offsetof(refinement, to), false, "100 %", "", LIMIT_FRACTION, NULL,
     "where it ends"},
    {"factor", FIELD_NUMBER, offsetof(refinement, factor), true, NULL, "", LIMIT_POSITIVE, NULL,
     "how many times shorter its edges are"},
};
const mapping cord__refine_map = {"refine",
                                  "a part of the strand with a finer mesh",
                                  sizeof(refinement),
                                  refine_fields,
                                  FIELD_COUNT(refine_fields),
                                  finish_refinement};

/* ---- frames of arcs, helices, rings ------------------------------------------------------- */

bool cord__set_axes(reader *r, const node *at, const double *axis, const double *start, axes *a)
{
    if (v3_norm(axis) > 0 && v3_norm(start) > 0) {
        v3_normalize(a->axis, axis);
        v3_normalize(a->start, start);
        v3_axpy(a->start, -v3_dot(a->start, a->axis), a->axis);
        if (v3_norm(a->start) > 1e-6) { /* "start" must not be along the axis */
            v3_normalize(a->start, a->start);
            v3_cross(a->side, a->axis, a->start);
            return true;
        }
    }
    cord__diagnose(r->errors, at->at,
                   "the axis (or normal) and \"start\" must be two different "
                   "directions");
    return false;
}

static void on_circle(const axes *a, const double *center, double radius, double angle, double *x)
{
    v3_combine(x, radius * cos(angle), a->start, radius * sin(angle), a->side);
    v3_add(x, x, center);
}

/* ---- line --------------------------------------------------------------------------------- */

typedef struct line_shape {
    shape_base base;
    double from[3], to[3];
} line_shape;

static void line_at(const void *shape, double u, double *x)
{
    const line_shape *s = shape;
    v3_combine(x, 1 - u, s->from, u, s->to);
}

static bool trace_line(reader *r, const void *shape, polyline *line)
{
    return trace_curve(r, shape, false, line_at, line);
}

static const field line_fields[] = {
    {"from", FIELD_VECTOR, offsetof(line_shape, from), true, NULL, "m", LIMIT_NONE, NULL,
     "the first vertex"},
    {"to", FIELD_VECTOR, offsetof(line_shape, to), true, NULL, "m", LIMIT_NONE, NULL,
     "the last vertex"},
    BASE_FIELDS(VERTICES_NEEDED),
};
static const shape_ops line_ops = {
    {"line", "a straight line", sizeof(line_shape), line_fields, FIELD_COUNT(line_fields), NULL},
    trace_line,
    false};

/* ---- arc ---------------------------------------------------------------------------------- */

typedef struct arc_shape {
    shape_base base;
    double center[3], normal[3], start[3], radius, angle;
    axes frame;
} arc_shape;

static bool finish_arc(reader *r, void *item)
{
    arc_shape *s = item;
    return cord__set_axes(r, s->base.at, s->normal, s->start, &s->frame);
}

static void arc_at(const void *shape, double u, double *x)
{
    const arc_shape *s = shape;
    on_circle(&s->frame, s->center, s->radius, u * s->angle, x);
}

static bool trace_arc(reader *r, const void *shape, polyline *line)
{
    return trace_curve(r, shape, false, arc_at, line);
}

#define CIRCLE_FIELDS(type)                                                                        \
    {"center", FIELD_VECTOR, offsetof(type, center), false, "[0, 0, 0]", "m", LIMIT_NONE,          \
     NULL,     "the centre"},                                                                      \
        {"normal",                                                                                 \
         FIELD_VECTOR,                                                                             \
         offsetof(type, normal),                                                                   \
         false,                                                                                    \
         "[0, 0, 1]",                                                                              \
         "",                                                                                       \
         LIMIT_NONE,                                                                               \
         NULL,                                                                                     \
         "the normal of its plane; the curve goes counter-clockwise about it"},                    \
        {"start",    FIELD_VECTOR, offsetof(type, start),                                          \
         false,      "[1, 0, 0]",  "",                                                             \
         LIMIT_NONE, NULL,         "the direction from the centre to the first vertex"},           \
    {                                                                                              \
        "radius", FIELD_NUMBER, offsetof(type, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,     \
            "the radius"                                                                           \
    }

static const field arc_fields[] = {
    CIRCLE_FIELDS(arc_shape),
    {"angle", FIELD_NUMBER, offsetof(arc_shape, angle), true, NULL, "rad", LIMIT_POSITIVE, NULL,
     "the angle it spans"},
    BASE_FIELDS(VERTICES_NEEDED),
};
static const shape_ops arc_ops = {{"arc", "a part of a circle", sizeof(arc_shape), arc_fields,
                                   FIELD_COUNT(arc_fields), finish_arc},
                                  trace_arc,
                                  false};

/* ---- ring --------------------------------------------------------------------------------- */

typedef struct ring_shape {
    shape_base base;
    double center[3], normal[3], start[3], radius;
    axes frame;
} ring_shape;

static bool finish_ring(reader *r, void *item)
{
    ring_shape *s = item;
    if (s->base.vertices != 0 && s->base.vertices < 3) {
        cord__diagnose(r->errors, s->base.at->at, "vertices must be at least 3 for a ring");
        return false;
    }
    return cord__set_axes(r, s->base.at, s->normal, s->start, &s->frame);
}

static void ring_at(const void *shape, double u, double *x)
{
    const ring_shape *s = shape;
    on_circle(&s->frame, s->center, s->radius, 2 * PI * u, x);
}

static bool trace_ring(reader *r, const void *shape, polyline *line)
{
    return trace_curve(r, shape, true, ring_at, line);
}

static const field ring_fields[] = {CIRCLE_FIELDS(ring_shape), BASE_FIELDS(VERTICES_NEEDED)};
static const shape_ops ring_ops = {{"ring", "a circle, closed", sizeof(ring_shape), ring_fields,
                                    FIELD_COUNT(ring_fields), finish_ring},
                                   trace_ring,
                                   false};

/* ---- helix -------------------------------------------------------------------------------- */

typedef struct helix_shape {
    shape_base base;
    double center[3], axis[3], start[3], radius, pitch, turns;
    int hand;
    axes frame;
} helix_shape;

static bool finish_helix(reader *r, void *item)
{
    helix_shape *s = item;
    return cord__set_axes(r, s->base.at, s->axis, s->start, &s->frame);
}

static void helix_at(const void *shape, double u, double *x)
{
    const helix_shape *s = shape;
    on_circle(&s->frame, s->center, s->radius, s->hand * 2 * PI * s->turns * u, x);
    v3_axpy(x, s->pitch * s->turns * u, s->frame.axis);
}

static bool trace_helix(reader *r, const void *shape, polyline *line)
{
    return trace_curve(r, shape, false, helix_at, line);
}

static const choice hands[] = {
    {"right", 1, "as a common screw"}, {"left", -1, "its mirror image"}, {NULL, 0, NULL}};

static const field helix_fields[] = {
    {"center", FIELD_VECTOR, offsetof(helix_shape, center), false, "[0, 0, 0]", "m", LIMIT_NONE,
     NULL, "the point of the axis beside the first vertex"},
    {"axis", FIELD_VECTOR, offsetof(helix_shape, axis), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the direction it climbs"},
    {"start", FIELD_VECTOR, offsetof(helix_shape, start), false, "[1, 0, 0]", "", LIMIT_NONE, NULL,
     "the direction from the axis to the first vertex"},
    {"radius", FIELD_NUMBER, offsetof(helix_shape, radius), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the radius"},
    {"pitch", FIELD_NUMBER, offsetof(helix_shape, pitch), true, NULL, "m", LIMIT_NOT_NEGATIVE, NULL,
     "the climb per turn"},
    {"turns", FIELD_NUMBER, offsetof(helix_shape, turns), true, NULL, "", LIMIT_POSITIVE, NULL,
     "the number of turns"},
    {"hand", FIELD_CHOICE, offsetof(helix_shape, hand), false, "right", NULL, LIMIT_NONE, hands,
     "which way it winds"},
    BASE_FIELDS(VERTICES_NEEDED),
};
static const shape_ops helix_ops = {{"helix", "a helix", sizeof(helix_shape), helix_fields,
                                     FIELD_COUNT(helix_fields), finish_helix},
                                    trace_helix,
                                    false};

/* ---- v ------------------------------------------------------------------------------------ */

typedef struct v_shape {
    shape_base base;
    double corner[3], first[3], normal[3], leg, angle;
    axes frame;
} v_shape;

static bool finish_v(reader *r, void *item)
{
    v_shape *s = item;
    if (s->angle > PI) {
        cord__diagnose(r->errors, s->base.at->at, "v: angle must be at most 180 deg");
        return false;
    }
    if (s->base.vertices != 0 && s->base.vertices % 2 == 0) {
        cord__diagnose(r->errors, s->base.at->at,
                       "v: vertices must be odd, so that one is at the corner");
        return false;
    }
    return cord__set_axes(r, s->base.at, s->normal, s->first, &s->frame);
}

static void v_at(const void *shape, double u, double *x)
{
    const v_shape *s = shape;
    double along = u < 0.5 ? 1 - 2 * u : 2 * u - 1;
    on_circle(&s->frame, s->corner, along * s->leg, u < 0.5 ? 0 : s->angle, x);
}

static bool trace_v(reader *r, const void *shape, polyline *line)
{
    return trace_curve(r, shape, false, v_at, line);
}

static const field v_fields[] = {
    {"corner", FIELD_VECTOR, offsetof(v_shape, corner), false, "[0, 0, 0]", "m", LIMIT_NONE, NULL,
     "where the two legs meet"},
    {"first", FIELD_VECTOR, offsetof(v_shape, first), false, "[1, 0, 0]", "", LIMIT_NONE, NULL,
     "the direction from the corner along the first leg"},
    {"normal", FIELD_VECTOR, offsetof(v_shape, normal), false, "[0, 0, 1]", "", LIMIT_NONE, NULL,
     "the second leg is the first rotated about this by the angle"},
    {"leg", FIELD_NUMBER, offsetof(v_shape, leg), true, NULL, "m", LIMIT_POSITIVE, NULL,
     "the length of each leg"},
    {"angle", FIELD_NUMBER, offsetof(v_shape, angle), true, NULL, "rad", LIMIT_POSITIVE, NULL,
     "the angle between the legs; 180 deg is straight"},
    BASE_FIELDS(VERTICES_NEEDED),
};
static const shape_ops v_ops = {{"v", "two straight legs that meet in a corner", sizeof(v_shape),
                                 v_fields, FIELD_COUNT(v_fields), finish_v},
                                trace_v,
                                false};

/* ---- polyline ----------------------------------------------------------------------------- */

typedef struct polyline_shape {
    shape_base base;
    number_list points;
    bool closed;
} polyline_shape;

static bool finish_polyline(reader *r, void *item)
{
    const polyline_shape *s = item;
    int count = s->points.count / 3, least = s->closed ? 3 : 2;
    if (count >= least && count <= 1000000) return true;
    cord__diagnose(r->errors, s->base.at->at,
                   "polyline: points must be between %d and 1000000, got %d", least, count);
    return false;
}

/* Interpolates the given points at the lengths u × total. */
static void resample(const polyline *given, const double *u, polyline *line)
{
    double total = cord__polyline_length(given), passed = 0;
    int edge = 0, last = cord__edge_count(given) - 1;
    for (int i = 0; i < line->count; i++) {
        double wanted = u[i] * total, length = cord__edge_length(given, edge);
        while (edge < last && passed + length < wanted) {
            passed += length;
            length = cord__edge_length(given, ++edge);
        }
        double t = length > 0 ? (wanted - passed) / length : 0;
        if (t > 1) t = 1;
        const double *a = given->x + 3 * (size_t)edge;
        const double *b = given->x + 3 * (size_t)((edge + 1) % given->count);
        v3_combine(line->x + 3 * (size_t)i, 1 - t, a, t, b);
    }
}

bool cord__trace_points(reader *r, const shape_base *base, const polyline *given, polyline *line)
{
    *line = *given;
    if (base->vertices == 0) {
        line->x = TAKE(r->memory, double, 3 * (size_t)line->count);
        if (line->x) memcpy(line->x, given->x, 3 * (size_t)line->count * sizeof(double));
        return line->x != NULL;
    }
    int edges = given->closed ? base->vertices : base->vertices - 1;
    double *u = TAKE(r->memory, double, edges + 1);
    line->count = base->vertices;
    line->x = TAKE(r->memory, double, 3 * (size_t)line->count);
    if (!u || !line->x) return false;
    cord__spread(base->refine, edges, u);
    resample(given, u, line);
    return true;
}

static bool trace_polyline(reader *r, const void *shape, polyline *line)
{
    const polyline_shape *s = shape;
    polyline given = {s->points.count / 3, s->closed, s->points.values};
    return cord__trace_points(r, &s->base, &given, line);
}

static const field polyline_fields[] = {
    {"points", FIELD_POINTS, offsetof(polyline_shape, points), true, NULL, "m", LIMIT_NONE, NULL,
     "the points it goes through; also its vertices, unless \"vertices\" is given"},
    {"closed", FIELD_BOOL, offsetof(polyline_shape, closed), false, "no", NULL, LIMIT_NONE, NULL,
     "whether the last point is joined to the first"},
    BASE_FIELDS(VERTICES_GIVEN),
};
static const shape_ops polyline_ops = {{"polyline", "straight from point to point",
                                        sizeof(polyline_shape), polyline_fields,
                                        FIELD_COUNT(polyline_fields), finish_polyline},
                                       trace_polyline,
                                       true};

/* ---- the list ----------------------------------------------------------------------------- */

static const mapping *const *shape_list(void)
{
    static const mapping *const list[] = {
        &line_ops.map,
        &arc_ops.map,
        &ring_ops.map,
        &helix_ops.map,
        &v_ops.map,
        &polyline_ops.map,
        &cord__spline_shape.map,
        &cord__torus_knot_shape.map,
        &cord__figure_eight_shape.map,
        &cord__figure_eight_knot_shape.map,
        &cord__clothoid_shape.map,
        &cord__csv_shape.map,
        &cord__obj_shape.map,
        &cord__svg_shape.map,
        NULL,
    };
    return list;
}

const variant_set cord__shapes = {"shape", shape_list};

/* ---- on polylines ------------------------------------------------------------------------- */

int cord__edge_count(const polyline *line)
{
    return line->closed ? line->count : line->count - 1;
}

static void edge_vector(const polyline *line, int edge, double *e)
{
    int next = (edge + 1) % line->count;
    v3_sub(e, line->x + 3 * (size_t)next, line->x + 3 * (size_t)edge);
}

double cord__edge_length(const polyline *line, int edge)
{
    double e[3];
    edge_vector(line, edge, e);
    return v3_norm(e);
}

double cord__polyline_length(const polyline *line)
{
    double sum = 0;
    for (int i = 0; i < cord__edge_count(line); i++) sum += cord__edge_length(line, i);
    return sum;
}

bool cord__count_vertices(reader *r, const node *at, int64_t count)
{
    r->vertices += count;
    if (r->vertices <= SCENE_MAX_VERTICES) return true;
    cord__diagnose(r->errors, at->at, "the shapes of the scene have more than %d vertices together",
                   SCENE_MAX_VERTICES);
    return false;
}

bool cord__trace_shape(reader *r, const variant *shape, polyline *line)
{
    const shape_ops *ops = (const shape_ops *)shape->kind;
    const shape_base *base = shape->data;
    if (base->vertices == 0 && !ops->points) {
        cord__diagnose(r->errors, base->at->at,
                       "%s needs \"vertices\": how many vertices the strand gets", ops->map.name);
        return false;
    }
    if (!cord__count_vertices(r, shape->at, base->vertices)) return false;
    if (!ops->trace(r, shape->data, line)) return false;
    if (line->count < (line->closed ? 3 : 2)) {
        cord__diagnose(r->errors, shape->at->at, "a %s shape needs at least %d vertices",
                       line->closed ? "closed" : "open", line->closed ? 3 : 2);
        return false;
    }
    double total = cord__polyline_length(line);
    if (!isfinite(total)) {
        cord__diagnose(r->errors, shape->at->at, "the %s is too large", ops->map.name);
        return false;
    }
    for (int i = 0; i < cord__edge_count(line); i++) {
        /* Edges shorter than this fraction of the length are two equal vertices after rounding. */
        if (cord__edge_length(line, i) > 1e-14 * total) continue;
        cord__diagnose(r->errors, shape->at->at,
                       "edge %d has zero length: vertices %d and %d coincide", i, i,
                       (i + 1) % line->count);
        return false;
    }
    return true;
}

void cord__take_lengths(polyline *line, const polyline *natural)
{
    double old[3];
    v3_copy(old, line->x);
    for (int i = 0; i + 1 < line->count; i++) {
        double e[3], *next = line->x + 3 * (size_t)(i + 1);
        v3_sub(e, next, old);
        v3_copy(old, next);
        v3_scale(e, cord__edge_length(natural, i) / v3_norm(e), e);
        v3_add(next, line->x + 3 * (size_t)i, e);
    }
}

/* The angle about the unit vector t from a to b, both normal to it. */
static double signed_angle(const double *a, const double *b, const double *t)
{
    double c[3];
    v3_cross(c, a, b);
    return atan2(v3_dot(c, t), v3_dot(a, b));
}

/* Parallel transport from edge to edge rotates about the binormal b of the vertex between them and leaves b
 * unchanged, so relative to the twist-free frame b rotates only along an edge: by the angle from the binormal at its
 * first vertex to that at its last. The frame has the rotation at mid-edge; at the end edges, which have one
 * binormal, the rotation of their neighbours is extrapolated. Where the curve is straight the binormal is undefined,
 * and the last one is used. */
void cord__frenet_angles(const polyline *line, double *theta)
{
    int edges = cord__edge_count(line);
    double last[3] = {0, 0, 0}, turned = 0, angle = 0;
    theta[0] = 0;
    for (int i = 1; i < edges; i++) {
        double before[3], after[3], t[3], b[3];
        edge_vector(line, i - 1, before);
        edge_vector(line, i, after);
        v3_normalize(t, before);
        v3_cross(b, before, after);
        bool bent = v3_norm(b) > 1e-12 * v3_norm(before) * v3_norm(after);
        angle = bent && v3_norm(last) > 0 ? signed_angle(last, b, t) : 0;
        turned += angle;
        if (i > 1) theta[i - 1] = turned - angle / 2;
        if (bent) v3_copy(last, b);
    }
    if (edges < 3) {
        for (int i = 1; i < edges; i++) theta[i] = 0;
        return;
    }
    double first =
        theta[1]; /* half the rotation past the first binormal; the first edge is before it */
    double begin = -first;
    theta[edges - 1] = turned + angle / 2;
    for (int i = 1; i < edges; i++) theta[i] -= begin;
}
