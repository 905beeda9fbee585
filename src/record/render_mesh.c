/* From strands, bodies and markers to triangles. A strand's section is swept along a smooth curve through its
 * vertices, in frames that rotate smoothly between those of its edges. */
#include "record/render.h"

#include "math/vec3.h"

#include <string.h>

enum { MOST_SIDES = 48 };

/* ---- growing -------------------------------------------------------------------------------- */

static void *grown(mesh *m, void *array, size_t *room, size_t needed, size_t size)
{
    if (m->failed || needed <= *room) return array;
    size_t wanted = needed + needed / 2 + 1024;
    void *larger = cord__reallocate(m->mem, array, wanted, size);
    if (!larger) {
        m->failed = true;
        return array;
    }
    *room = wanted;
    return larger;
}

/* The properties that the vertices of one object share, and those of a ring of them. */
typedef struct vertex_style {
    cord_look look;
    bool striped;
    double radius, tangent[3];
} vertex_style;

/* `own` is NULL where the look has no use for it. */
static uint32_t add_vertex(mesh *m, const double x[3], const double normal[3], const double own[3],
                           const float colour[3], const vertex_style *style)
{
    m->vertices = grown(m, m->vertices, &m->vertex_room, m->vertex_count + 1, sizeof *m->vertices);
    if (m->failed) return 0;
    mesh_vertex *v = &m->vertices[m->vertex_count];
    for (int k = 0; k < 3; k++) {
        v->x[k] = (float)x[k], v->normal[k] = (float)normal[k], v->colour[k] = colour[k];
        v->own[k] = own ? (float)own[k] : 0;
        v->tangent[k] = (float)style->tangent[k];
    }
    v->striped = style->striped && own;
    v->look = own || style->look == CORD_LOOK_STEEL ? style->look : CORD_LOOK_PLAIN;
    v->radius = (float)style->radius;
    v->object = m->objects;
    return (uint32_t)m->vertex_count++;
}

static void add_triangle(mesh *m, uint32_t a, uint32_t b, uint32_t c)
{
    m->corners =
        grown(m, m->corners, &m->triangle_room, m->triangle_count + 1, 3 * sizeof *m->corners);
    if (m->failed) return;
    uint32_t *corner = m->corners + 3 * m->triangle_count++;
    corner[0] = a, corner[1] = b, corner[2] = c;
}

void cord__mesh_free(mesh *m)
{
    cord__release(m->mem, m->vertices);
    cord__release(m->mem, m->corners);
    *m = (mesh){.mem = m->mem};
}

/* ---- the outline of a section --------------------------------------------------------------- */

typedef struct outline {
    int sides;
    double half[2], inner; /* inner: of a tube, as a fraction of the outer radius; 0: solid */
    double x[MOST_SIDES], y[MOST_SIDES], nx[MOST_SIDES], ny[MOST_SIDES];
} outline;

void cord__section_halves(const cord_section *s, double fallback, double half[2])
{
    bool sized = s->kind == CORD_SECTION_ELLIPSE || s->kind == CORD_SECTION_RECTANGLE;
    half[0] = sized ? s->size[0] / 2 : s->radius;
    half[1] = sized ? s->size[1] / 2 : s->radius;
    for (int k = 0; k < 2; k++) {
        if (!(half[k] > 0)) half[k] = fallback;
    }
}

/* r (1 - cos(π/n)) ≈ π² r / (2 n²); fewer for a few pixels. */
int cord__sides_of(double radius, double pixel, int least, int most)
{
    double pixels = radius / pixel, sides = fmin(10 + 2.2 * pixels, ceil(M_PI * sqrt(10 * pixels)));
    return (int)fmin(fmax(sides, least), most);
}

static void ellipse_outline(outline *o, const sweep_style *style)
{
    double half = fmax(o->half[0], o->half[1]);
    o->sides = cord__sides_of(half, style->pixel, style->least_sides, MOST_SIDES);
    for (int i = 0; i < o->sides; i++) {
        double angle = 2 * M_PI * i / o->sides, c = cos(angle), s = sin(angle);
        double n = hypot(o->half[1] * c, o->half[0] * s);
        o->x[i] = o->half[0] * c, o->y[i] = o->half[1] * s;
        o->nx[i] = o->half[1] * c / n, o->ny[i] = o->half[0] * s / n;
    }
}

/* Corners are rounded a little: no edge is sharp, and light catches on it. */
static void rectangle_outline(outline *o)
{
    enum { ARC = 4 };
    static const double sign[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    double round = 0.18 * fmin(o->half[0], o->half[1]);
    o->sides = 4 * ARC;
    for (int corner = 0; corner < 4; corner++) {
        for (int i = 0; i < ARC; i++) {
            double angle = M_PI / 2 * (corner - 1 + i / (double)(ARC - 1));
            int k = corner * ARC + i;
            o->nx[k] = cos(angle), o->ny[k] = sin(angle);
            o->x[k] = sign[corner][0] * (o->half[0] - round) + round * o->nx[k];
            o->y[k] = sign[corner][1] * (o->half[1] - round) + round * o->ny[k];
        }
    }
}

static void make_outline(outline *o, const cord_section *s, const sweep_style *style)
{
    cord__section_halves(s, style->fallback_radius, o->half);
    double largest = fmax(o->half[0], o->half[1]);
    if (largest < style->smallest_radius) {
        for (int k = 0; k < 2; k++) o->half[k] *= style->smallest_radius / largest;
    }
    o->inner = s->kind == CORD_SECTION_TUBE && s->radius > 0 ? s->inner_radius / s->radius : 0;
    if (s->kind == CORD_SECTION_RECTANGLE) {
        rectangle_outline(o);
    } else {
        ellipse_outline(o, style);
    }
}

/* ---- the curve ------------------------------------------------------------------------------ */

typedef struct ring {
    double x[3], tangent[3], director[3], binormal[3];
    double along; /* from the start, over the radius */
    float colour[3];
    bool striped;
    cord_look look;
} ring;

static int wrap(const picture_strand *s, int vertex)
{
    return s->closed ? (vertex + s->vertices) % s->vertices : vertex;
}

/* Unit direction of an edge; of one without length, the tangent of its frame. Returns its length. */
static double edge_direction(const picture_strand *s, int edge, double t[3])
{
    v3_sub(t, s->x + 3 * (size_t)wrap(s, edge + 1), s->x + 3 * (size_t)edge);
    double length = v3_norm(t);
    if (length > 0) {
        v3_scale(t, 1 / length, t);
    } else {
        v3_copy(t, s->frames + 6 * (size_t)edge);
    }
    return length;
}

static int previous_edge(const picture_strand *s, int edge)
{
    return edge > 0 ? edge - 1 : s->closed ? s->edges - 1 : 0;
}

static int next_edge(const picture_strand *s, int edge)
{
    return edge + 1 < s->edges ? edge + 1 : s->closed ? 0 : edge;
}

/* The tangent of the smooth curve where two edges meet: half way between them; where the strand folds
 * back on itself, that of the first. */
static void vertex_tangent(const picture_strand *s, int before, int after, double t[3])
{
    double a[3], b[3];
    edge_direction(s, before, a);
    edge_direction(s, after, b);
    v3_add(t, a, b);
    if (v3_norm(t) < 1e-6) v3_copy(t, a);
    v3_normalize(t, t);
}

/* v less its part along the unit vector t, of unit length. */
static void across(double r[3], const double v[3], const double t[3])
{
    v3_combine(r, 1, v, -v3_dot(v, t), t);
    if (v3_norm(r) < 1e-9) v3_any_normal(r, t);
    v3_normalize(r, r);
}

/* The signed angle from a to b about t. */
static double angle_about(const double a[3], const double b[3], const double t[3])
{
    double c[3];
    v3_cross(c, a, b);
    return atan2(v3_dot(c, t), v3_dot(a, b));
}

/* Frames belong to the middles of edges; between two middles the director turns evenly. */
static void ring_frame(const picture_strand *s, int edge, double u, ring *r)
{
    int first = u < 0.5 ? previous_edge(s, edge) : edge;
    int second = u < 0.5 ? edge : next_edge(s, edge);
    double f = u < 0.5 ? u + 0.5 : u - 0.5, a[3], b[3], c[3];
    across(a, s->frames + 6 * (size_t)first + 3, r->tangent);
    across(b, s->frames + 6 * (size_t)second + 3, r->tangent);
    double angle = f * angle_about(a, b, r->tangent);
    v3_cross(c, r->tangent, a);
    v3_combine(r->director, cos(angle), a, sin(angle), c);
    v3_cross(r->binormal, r->tangent, r->director);
}

static void ring_colour(const picture_strand *s, int edge, double u, const sweep_style *style,
                        ring *r)
{
    memcpy(r->colour, style->colour, sizeof r->colour);
    if (s->value) {
        double value = (1 - u) * s->value[edge] + u * s->value[wrap(s, edge + 1)];
        double width = style->range[1] - style->range[0];
        cord__colour_map(style->diverging, width > 0 ? (value - style->range[0]) / width : 0.5,
                         r->colour);
    }
    for (int k = 0; k < 3; k++) r->colour[k] += (float)s->fade * (style->pale[k] - r->colour[k]);
}

/* A cubic through the vertices (Catmull and Rom's, with tangents scaled by the edge's length). */
static void ring_at(const picture_strand *s, int edge, double u, const sweep_style *style, ring *r)
{
    const double *p = s->x + 3 * (size_t)edge, *q = s->x + 3 * (size_t)wrap(s, edge + 1);
    double chord[3], t0[3], t1[3];
    double length = edge_direction(s, edge, chord);
    vertex_tangent(s, previous_edge(s, edge), edge, t0);
    vertex_tangent(s, edge, next_edge(s, edge), t1);
    double v = 1 - u;
    v3_combine(r->x, v * v * (1 + 2 * u), p, u * u * (3 - 2 * u), q);
    v3_axpy(r->x, length * u * v * v, t0);
    v3_axpy(r->x, -length * u * u * v, t1);
    v3_combine(r->tangent, v * (1 - 3 * u), t0, u * (3 * u - 2), t1);
    v3_axpy(r->tangent, 6 * u * v, chord);
    if (v3_norm(r->tangent) < 1e-6) v3_copy(r->tangent, chord);
    v3_normalize(r->tangent, r->tangent);
    bool smooth = s->look == CORD_LOOK_PLAIN || s->look == CORD_LOOK_RUBBER;
    r->striped = style->stripe && s->fade == 0 && smooth;
    r->look = s->look;
    ring_frame(s, edge, u, r);
    ring_colour(s, edge, u, style, r);
}

/* The angle by which an edge bends and twists: the largest to its neighbours. */
static double edge_angle(const picture_strand *s, int edge)
{
    double t[3], a[3], b[3], angle = 0;
    edge_direction(s, edge, t);
    const int neighbours[2] = {previous_edge(s, edge), next_edge(s, edge)};
    for (int k = 0; k < 2; k++) {
        double other[3];
        edge_direction(s, neighbours[k], other);
        across(a, s->frames + 6 * (size_t)edge + 3, t);
        across(b, s->frames + 6 * (size_t)neighbours[k] + 3, t);
        angle = fmax(angle, fabs(angle_about(a, b, t)) / 2);
        angle = fmax(angle, acos(fmin(fmax(v3_dot(t, other), -1), 1)));
    }
    return angle;
}

/* The number of parts that a part with this angle needs to look smooth, in pixels: chords of an arc of length s that bends by θ are
 * θ s / (8 n²) away from it, and those of a side of a section that twists by it θ² r / (8 n²): a tenth of a pixel. */
static double parts_of(double angle, double length, double half)
{
    return fmax(angle / 0.25, sqrt(1.25 * angle * fmax(length, angle * half)));
}

/* ---- sweeping ------------------------------------------------------------------------------- */

static void outline_point(const ring *r, double x, double y, double out[3])
{
    v3_combine(out, x, r->director, y, r->binormal);
}

/* One outline; returns its first vertex. `side` is 1 outside, -1 on a tube's inner wall, 0 for an
 * end, whose normal is `facing` times the tangent. */
static uint32_t add_ring(mesh *m, const ring *r, const outline *o, double scale, int side,
                         int facing)
{
    uint32_t first = (uint32_t)m->vertex_count;
    vertex_style style = {r->look, r->striped, fmin(o->half[0], o->half[1]), {0}};
    v3_copy(style.tangent, r->tangent);
    for (int i = 0; i < o->sides; i++) {
        double offset[3], x[3], normal[3];
        outline_point(r, scale * o->x[i], scale * o->y[i], offset);
        v3_add(x, r->x, offset);
        outline_point(r, side * o->nx[i], side * o->ny[i], normal);
        if (side == 0) v3_scale(normal, facing, r->tangent);
        float colour[3]; /* it is darker inside */
        for (int k = 0; k < 3; k++) colour[k] = side < 0 ? 0.5F * r->colour[k] : r->colour[k];
        const double own[3] = {o->x[i] / o->half[0], o->y[i] / o->half[1], r->along};
        add_vertex(m, x, normal, side == 1 ? own : NULL, colour, &style);
    }
    return first;
}

static void join(mesh *m, uint32_t a, uint32_t b, int sides, bool inward)
{
    for (int i = 0; i < sides; i++) {
        uint32_t j = (uint32_t)((i + 1) % sides), k = (uint32_t)i;
        if (inward) {
            add_triangle(m, a + k, b + k, b + j);
            add_triangle(m, a + k, b + j, a + j);
        } else {
            add_triangle(m, a + k, b + j, b + k);
            add_triangle(m, a + k, a + j, b + j);
        }
    }
}

/* An end: a disc, or an annulus when the section is a tube. */
static void add_end(mesh *m, const ring *r, const outline *o, int facing)
{
    uint32_t outer = add_ring(m, r, o, 1, 0, facing);
    if (o->inner > 0) {
        uint32_t inner = add_ring(m, r, o, o->inner, 0, facing);
        join(m, outer, inner, o->sides, facing < 0);
        return;
    }
    double normal[3];
    v3_scale(normal, facing, r->tangent);
    const vertex_style style = {r->look, false, fmin(o->half[0], o->half[1]), {0}};
    uint32_t middle = add_vertex(m, r->x, normal, NULL, r->colour, &style);
    for (int i = 0; i < o->sides; i++) {
        uint32_t a = outer + (uint32_t)i, b = outer + (uint32_t)((i + 1) % o->sides);
        add_triangle(m, middle, facing > 0 ? a : b, facing > 0 ? b : a);
    }
}

/* What has been passed since the last ring. */
typedef struct since_ring {
    double length, angle; /* pixels */
} since_ring;

/* Whether a vertex can do without a ring: it is less than a pixel from the last one, or the strand is straight since then. Long parts
 * would be left out as a whole where they pass the eye. */
static bool is_passed(const picture_strand *s, const since_ring *p, double half)
{
    enum { MOST = 60 };
    if (p->length < 1) return true;
    return !s->value && p->length < MOST && parts_of(p->angle, p->length, half) < 0.7;
}

/* One wall, outer (side 1) or inner (-1). */
static void add_wall(mesh *m, const picture_strand *s, const outline *o, const sweep_style *style,
                     int side)
{
    double scale = side > 0 ? 1 : o->inner, along = 0, radius = fmin(o->half[0], o->half[1]);
    double half = fmax(o->half[0], o->half[1]) / style->pixel;
    since_ring since = {0};
    uint32_t last = 0;
    for (int edge = 0; edge < s->edges; edge++) {
        double t[3], length = edge_direction(s, edge, t), pixels = length / style->pixel;
        double angle = edge_angle(s, edge), parts = ceil(parts_of(angle, pixels, half));
        int subdivisions = (int)fmax(1, fmin(fmin(parts, 12), ceil(pixels / 2)));
        bool closes = edge == s->edges - 1;
        for (int i = edge == 0 ? 0 : 1; i <= subdivisions; i++) {
            ring r;
            if (i > 0) since.length += pixels / subdivisions, since.angle += angle / subdivisions;
            if (i == subdivisions && !closes && is_passed(s, &since, half)) break;
            since = (since_ring){0};
            ring_at(s, edge, i / (double)subdivisions, style, &r);
            r.along = along + length / radius * i / subdivisions;
            uint32_t now = add_ring(m, &r, o, scale, side, 0);
            if (edge > 0 || i > 0) join(m, last, now, o->sides, side < 0);
            if (side > 0 && !s->closed && edge == 0 && i == 0) add_end(m, &r, o, -1);
            if (side > 0 && !s->closed && closes && i == subdivisions) add_end(m, &r, o, 1);
            last = now;
        }
        along += length / radius;
    }
}

void cord__mesh_strand(mesh *m, const picture_strand *s, const sweep_style *style)
{
    outline o;
    make_outline(&o, &s->section, style);
    m->objects++;
    add_wall(m, s, &o, style, 1);
    if (o.inner > 0) add_wall(m, s, &o, style, -1);
}

/* ---- bodies --------------------------------------------------------------------------------- */

void cord__body_vertex(const picture_body *b, int i, double x[3])
{
    m3_apply(x, b->frame, b->solid->vertices + 3 * (size_t)i);
    v3_add(x, x, b->position);
}

/* Half the sides of the solid's box, and which is the longest. */
static int longest_side(const solid_mesh *solid, double half[3])
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * solid->vertex_count; i++) {
        low[i % 3] = fmin(low[i % 3], solid->vertices[i]);
        high[i % 3] = fmax(high[i % 3], solid->vertices[i]);
    }
    for (int k = 0; k < 3; k++) half[k] = fmax((high[k] - low[k]) / 2, 1e-300);
    int longest = half[1] > half[0] ? 1 : 0;
    return half[2] > half[longest] ? 2 : longest;
}

void cord__mesh_body(mesh *m, const picture_body *b, const float pale[3])
{
    uint32_t first = (uint32_t)m->vertex_count;
    float colour[3];
    double half[3];
    if (b->solid->vertex_count == 0) return;
    int third = longest_side(b->solid, half), u = (third + 1) % 3, v = (third + 2) % 3;
    double thick = fmin(fmax(half[u], half[v]), half[third]);
    vertex_style style = {b->look, false, thick, {0}};
    v3_copy(style.tangent, b->frame + 3 * (size_t)third);
    m->objects++;
    for (int k = 0; k < 3; k++)
        colour[k] = b->colour[k] + (float)b->fade * (pale[k] - b->colour[k]);
    for (int i = 0; i < b->solid->vertex_count; i++) {
        double x[3], normal[3];
        cord__body_vertex(b, i, x);
        m3_apply(normal, b->frame, b->solid->normals + 3 * (size_t)i);
        const double *at = b->solid->vertices + 3 * (size_t)i;
        const double own[3] = {at[u] / thick, at[v] / thick, at[third] / thick};
        int square = i / 4; /* of a checker */
        bool dark = b->shape->kind == CORD_SHAPE_PLANE &&
                    (square % PLANE_SQUARES + square / PLANE_SQUARES) % 2;
        const float shaded[3] = {0.9F * colour[0], 0.9F * colour[1], 0.9F * colour[2]};
        add_vertex(m, x, normal, own, dark ? shaded : colour, &style);
    }
    for (int t = 0; t < b->solid->triangle_count; t++) {
        const int *c = b->solid->triangles + 3 * (size_t)t;
        add_triangle(m, first + (uint32_t)c[0], first + (uint32_t)c[1], first + (uint32_t)c[2]);
    }
}

/* ---- markers -------------------------------------------------------------------------------- */

static void add_ball(mesh *m, const double position[3], double size, const sweep_style *style,
                     const float colour[3])
{
    const int around = cord__sides_of(size, style->pixel, style->least_sides, MOST_SIDES),
              down = around / 2 + 1;
    const vertex_style steel = {CORD_LOOK_STEEL, false, size, {0}};
    uint32_t first = (uint32_t)m->vertex_count;
    for (int i = 0; i <= down; i++) {
        for (int j = 0; j <= around; j++) {
            double polar = M_PI * i / down, angle = 2 * M_PI * j / around, x[3];
            double n[3] = {sin(polar) * cos(angle), sin(polar) * sin(angle), cos(polar)};
            v3_combine(x, 1, position, size, n);
            add_vertex(m, x, n, NULL, colour, &steel);
        }
    }
    uint32_t row = (uint32_t)around + 1;
    for (int i = 0; i < down; i++) {
        for (int j = 0; j < around; j++) {
            uint32_t a = first + (uint32_t)i * row + (uint32_t)j, b = a + row;
            if (i + 1 < down) add_triangle(m, a, b, b + 1);
            if (i > 0) add_triangle(m, a, b + 1, a + 1);
        }
    }
}

/* A block across the strand, thinner along it, its edges rounded like those of sections. */
static void add_block(mesh *m, const picture_marker *marker, const double size[3],
                      const float colour[3])
{
    outline o = {.half = {size[0], size[1]}};
    rectangle_outline(&o);
    ring ends[2];
    for (int k = 0; k < 2; k++) {
        ring *r = &ends[k];
        v3_copy(r->tangent, marker->frame);
        across(r->director, marker->frame + 3, r->tangent);
        v3_cross(r->binormal, r->tangent, r->director);
        v3_combine(r->x, 1, marker->position, k ? size[2] : -size[2], r->tangent);
        memcpy(r->colour, colour, sizeof r->colour);
        r->striped = false, r->look = marker->look;
        r->along = (k ? 1 : -1) * size[2] / fmin(size[0], size[1]);
    }
    uint32_t a = add_ring(m, &ends[0], &o, 1, 1, 0), b = add_ring(m, &ends[1], &o, 1, 1, 0);
    join(m, a, b, o.sides, false);
    add_end(m, &ends[0], &o, -1);
    add_end(m, &ends[1], &o, 1);
}

void cord__marker_sizes(const picture_marker *marker, double smallest, double size[3])
{
    double thin = fmin(marker->half[0], marker->half[1]);
    bool ball = marker->kind == MARKER_BALL;
    if (marker->kind == MARKER_DOT) { /* just around the strand */
        size[0] = size[1] = size[2] = fmax(1.25 * thin, 0.8 * smallest);
        return;
    }
    if (marker->kind == MARKER_BAR) {
        size[0] = marker->half[0], size[1] = marker->half[1], size[2] = 0.5 * marker->length;
        return;
    }
    if (marker->kind == MARKER_LINK) { /* thinner than the strands it links */
        size[0] = size[1] = fmax(0.6 * thin, 0.25 * smallest);
        size[2] = 0.5 * marker->length;
        return;
    }
    if (marker->kind == MARKER_PATH) { /* a fine line, of overlapping parts */
        size[0] = size[1] = 0.22 * smallest;
        size[2] = 0.5 * marker->length + 0.1 * smallest;
        return;
    }
    for (int k = 0; k < 2; k++) size[k] = fmax(marker->half[k] + 0.6 * thin, smallest);
    size[2] = fmax(1.1 * thin, 0.7 * smallest);
    if (ball) size[0] = size[1] = size[2] = fmax(1.6 * thin, smallest);
}

void cord__mesh_marker(mesh *m, const picture_marker *marker, const sweep_style *style,
                       const float colour[3])
{
    double size[3];
    float own[3];
    cord__marker_sizes(marker, style->smallest_marker, size);
    cord__from_rgb(marker->rgb, own);
    m->objects++;
    if (marker->kind != MARKER_BALL && marker->kind != MARKER_DOT) {
        add_block(m, marker, size, marker->kind == MARKER_BAR ? own : colour);
    } else {
        add_ball(m, marker->position, size[0], style, colour);
    }
}
