/* Contacts of two convex solids along their axis: the feature of one, clipped by the sides of the other's
 * [Sutherland, Hodgman 1974]. */
#include "contact/convex.h"
#include "contact/solids.h"
#include "math/vec3.h"

#define CORNERS (2 * FEATURE_CORNERS)
#define NUMBERS 16
#define BETTER 1e-9          /* gain in alignment that makes the first solid the reference */
#define PARALLEL 1e-4        /* sin² of two edges with contacts at both ends of their overlap */
#define LOWEST (NUMBERS - 1) /* number of the lowest point, */
#define LOWER 1e-6 /* which is one more contact where it is lower by this, relative to the size */

/* A corner of the clipped feature, and the edge that follows it: of the incident feature, or FEATURE_CORNERS + a side of the
 * reference. */
typedef struct clip_corner {
    double x[3];
    int number, edge;
} clip_corner;

typedef struct clip_polygon {
    int count;
    int solid; /* 0, 1: the solid of the incident feature */
    int sides; /* of the reference */
    clip_corner corner[CORNERS];
} clip_polygon;

/* Numbers name a corner of the first solid, a corner of the second, or an edge of the first and whether it enters or leaves
 * the second there. They do not depend on which of both is the reference: of two faces that are nearly parallel this
 * changes from step to step. Seen from their own outsides both faces have the same sense, so that at a crossing both edges
 * enter or both leave. */
static int corner_number(int solid, int corner)
{
    return corner + 4 * solid;
}

static int crossing_number(const clip_polygon *p, int edge, int side, bool entering)
{
    if (p->sides == 2) return corner_number(!p->solid, side); /* across the end of an edge */
    if (edge >= FEATURE_CORNERS) {                            /* two sides meet in a corner */
        int last = edge - FEATURE_CORNERS;
        return corner_number(!p->solid, (last + 1) % p->sides == side ? side : last);
    }
    return 8 + (2 * (p->solid == 0 ? edge : side) + entering) % 8;
}

static void add_crossing(const clip_polygon *p, int i, double t, bool entering, int side,
                         clip_polygon *out)
{
    const clip_corner *from = p->corner + i, *to = p->corner + (i + 1) % p->count;
    clip_corner *c = out->corner + out->count++;
    v3_combine(c->x, 1 - t, from->x, t, to->x);
    c->number = crossing_number(p, from->edge, side, entering);
    c->edge = entering ? from->edge : FEATURE_CORNERS + side;
}

/* Keeps the part where outward·(x − point) ≤ 0. A feature of two corners is an open line. */
static void clip(clip_polygon *p, const double outward[3], const double point[3], int side)
{
    clip_polygon out = {.solid = p->solid, .sides = p->sides};
    double height[CORNERS], least = 0;
    for (int i = 0; i < p->count; i++) {
        height[i] = v3_dot(outward, p->corner[i].x) - v3_dot(outward, point);
        least = fmin(least, -height[i]);
    }
    if (least == 0) return; /* nothing is outside */
    int edges = p->count == 2 ? 1 : p->count;
    for (int i = 0; i < p->count; i++) {
        int next = (i + 1) % p->count;
        if (height[i] <= 0) out.corner[out.count++] = p->corner[i];
        if (i >= edges || (height[i] <= 0) == (height[next] <= 0)) continue;
        double t = height[i] / (height[i] - height[next]);
        if (out.count < CORNERS) add_crossing(p, i, t, height[i] > 0, side, &out);
    }
    *p = out;
}

/* A reference: its feature, and the axis out of it. */
typedef struct reference {
    const solid_feature *feature;
    double out[3];
    double plane[3]; /* normal of its face, not of length one */
} reference;

static void face_normal(const solid_feature *f, double n[3])
{
    double u[3], v[3];
    int half = f->count / 2, quarter = f->count / 4;
    v3_sub(u, f->x[half], f->x[0]);
    v3_sub(v, f->x[half + quarter], f->x[quarter]);
    v3_cross(n, u, v);
}

/* Clips by planes through the edges, along the axis; an edge has two across its ends. */
static void clip_by(const reference *r, clip_polygon *p)
{
    const solid_feature *f = r->feature;
    for (int i = 0; i < f->count && p->count > 0; i++) {
        double along[3], outward[3];
        v3_sub(along, f->x[(i + 1) % f->count], f->x[i]);
        if (f->count == 2)
            v3_scale(outward, -1, along);
        else
            v3_cross(outward, along, r->out);
        clip(p, outward, f->x[i], i);
    }
}

/* The gap of a point over the reference, along the axis. */
static double height_over(const reference *r, const double x[3])
{
    double v[3];
    v3_sub(v, x, r->feature->x[0]);
    if (r->feature->count > 2) return v3_dot(v, r->plane) / v3_dot(r->out, r->plane);
    double along[3], n[3]; /* of an edge: over the plane of the edge that is nearest to normal */
    v3_sub(along, r->feature->x[1], r->feature->x[0]);
    v3_combine(n, v3_dot(along, along), r->out, -v3_dot(along, r->out), along);
    return v3_dot(v, n) / v3_dot(r->out, n);
}

/* Points of the incident feature over the reference; side 0: the incident feature is the first solid's. */
static int overlap(const reference *r, const solid_feature *incident, int side, double margin,
                   const double normal[3], solid_point *points)
{
    clip_polygon p = {incident->count, side, r->feature->count, {{{0}, 0, 0}}};
    int count = 0;
    for (int i = 0; i < incident->count; i++) {
        v3_copy(p.corner[i].x, incident->x[i]);
        p.corner[i].number = corner_number(side, i);
        p.corner[i].edge = i;
    }
    clip_by(r, &p);
    for (int i = 0; i < p.count; i++) {
        solid_point *c = points + count;
        c->gap = height_over(r, p.corner[i].x);
        if (!(c->gap <= margin)) continue;
        v3_copy(c->normal, normal);
        v3_copy(c->x[side], p.corner[i].x);
        v3_combine(c->x[!side], 1, p.corner[i].x, -c->gap, r->out);
        c->number = p.corner[i].number;
        count++;
    }
    return count;
}

static bool parallel_edges(const solid_feature *a, const solid_feature *b)
{
    double u[3], v[3], n[3];
    v3_sub(u, a->x[1], a->x[0]);
    v3_sub(v, b->x[1], b->x[0]);
    v3_cross(n, u, v);
    return v3_dot(n, n) < PARALLEL * v3_dot(u, u) * v3_dot(v, v);
}

/* Alignment of a face with the axis; 0 of an edge. */
static double alignment(reference *r)
{
    if (r->feature->count < 3) return 0;
    face_normal(r->feature, r->plane);
    return v3_dot(r->plane, r->out) / v3_norm(r->plane);
}

static int feature_contacts(const obstacle *a, const obstacle *b, const double n[3], double margin,
                            solid_point *points)
{
    solid_feature f[2];
    double down[3];
    v3_scale(down, -1, n);
    cord__solid_feature(a, down, f);
    cord__solid_feature(b, n, f + 1);
    if (f[0].count == 1 || f[1].count == 1) return 0;
    if (f[0].count == 2 && f[1].count == 2 && !parallel_edges(f, f + 1)) return 0;
    reference r[2] = {{.feature = f, .out = {down[0], down[1], down[2]}},
                      {.feature = f + 1, .out = {n[0], n[1], n[2]}}};
    double aligned[2] = {alignment(r), alignment(r + 1)};
    int side = aligned[0] > aligned[1] + BETTER ? 0 : 1;
    return overlap(r + side, f + !side, !side, margin, n, points);
}

/* ---- reduction ------------------------------------------------------------------------------- */

/* Moves the lowest point to the front, then always the one farthest from those before it. */
static int spread(solid_point *points, int count, int wanted)
{
    for (int k = 0; k < wanted && count > wanted; k++) {
        int best = k;
        double farthest = -1;
        for (int i = k; i < count; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < k; j++)
                nearest = fmin(nearest, v3_distance(points[i].x[0], points[j].x[0]));
            double value = k == 0 ? -points[i].gap : nearest;
            if (k == 0 ? points[i].gap < points[best].gap : value > farthest)
                best = i, farthest = value;
        }
        solid_point p = points[k];
        points[k] = points[best], points[best] = p;
    }
    return count < wanted ? count : wanted;
}

/* Different numbers: of equal ones the later takes the next that is free. */
static void separate_numbers(solid_point *points, int count)
{
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++) {
            if (points[k].number != points[i].number) continue;
            points[i].number = (points[i].number + 1) % NUMBERS;
            k = -1;
        }
}

int cord__convex_contacts(const obstacle *a, const obstacle *b, double margin, solid_point *out)
{
    solid_point axis, points[CORNERS + 1];
    bool located;
    if (!cord__convex_axis(a, b, margin, &axis, &located)) return 0;
    int count = feature_contacts(a, b, axis.normal, margin, points);
    double least = INFINITY, size = fmin(cord__solid_size(a), cord__solid_size(b));
    for (int k = 0; k < count; k++) least = fmin(least, points[k].gap);
    if (axis.gap < least - LOWER * size) {
        if (!located) cord__locate(a, b, &axis);
        points[count] = axis;
        points[count++].number = LOWEST;
    }
    count = spread(points, count, SOLID_CONTACTS);
    separate_numbers(points, count);
    for (int k = 0; k < count; k++) out[k] = points[k];
    return count;
}
