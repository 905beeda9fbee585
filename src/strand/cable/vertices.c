/* The vertices that show a cable, at equal distances along its material.
 *
 * The mass of a slack segment lies on the chord of its ends; its vertices are on the catenary of its length. Segments
 * between free nodes remain straight: the nodes themselves hang. */
#include "strand/cable/terms.h"

#include "curve/catenary.h"
#include "curve/transport.h"

#include <math.h>

/* A slack rope has bends about ten diameters wide: the width of a loop between ends that are above each other, over the
 * radius of the rope. */
static const double BEND = 20;

/* An excess of this fraction of the length is an error of rounding. */
static const double NO_LENGTH = 1e-11;

/* The curve of the segment of the last vertex. */
typedef struct vertex_curve {
    int segment; /* -1: none yet */
    bool hangs;
    hanging_line line;
} vertex_curve;

/* Those of a closed cable stay with its first node, and do not go round: pictures between two frames would cut
 * corners. */
static double vertex_s(const cable *c, const double *cache, int i)
{
    double first = cable_s(cache, 0), last = cable_s(cache, c->topology.nodes - 1);
    return first + (last - first) * i / (c->def.vertices - !c->def.closed);
}

/* Whether a straight segment is slack, or buckled, between two nodes on guides. */
static bool hangs(const cable *c, const block_eval *at, int index)
{
    const cable_element *e = c->layout.element + index;
    const cable_node *n = c->topology.node + index;
    if (e->kind != ELEMENT_STRAIGHT || n->guide < 0 || n[1].guide < 0) return false;
    double excess = -cord__row_value(c, e, at->cache, NULL), EA = c->def.material.stretching;
    double ds = cable_s(at->cache, index + 1) - cable_s(at->cache, index);
    bool slack = EA > 0 ? !c->def.material.pushes && EA * excess > e->buckling * ds
                        : length_slack(e, at->side);
    return slack && excess > NO_LENGTH * ds;
}

static vertex_curve curve_of(const cable *c, const block_eval *at, int index)
{
    vertex_curve out = {.segment = index, .hangs = hangs(c, at, index)};
    double ds = cable_s(at->cache, index + 1) - cable_s(at->cache, index);
    if (out.hangs)
        out.line = cord__hanging_line(cable_position(at->cache, index),
                                      cable_position(at->cache, index + 1), ds,
                                      at->environment->gravity, BEND * c->def.material.radius);
    return out;
}

static void vertex_position(const cable *c, const block_eval *at, int i, vertex_curve *last,
                            double x[3])
{
    double alpha, velocity[3], r_s[3];
    int index = cord__segment_at(c, at->cache, vertex_s(c, at->cache, i), &alpha);
    if (index != last->segment) *last = curve_of(c, at, index);
    if (last->hangs)
        cord__hanging_line_at(&last->line, alpha, x);
    else
        cord__cable_in(c, at->cache, c->initial.v, index, alpha, x, velocity, r_s);
}

void cord__cable_positions(const void *model, const block_eval *at, double *x)
{
    const cable *c = model;
    vertex_curve last = {.segment = -1};
    for (int i = 0; i < c->def.vertices; i++) vertex_position(c, at, i, &last, x + 3 * i);
}

void cord__cable_coordinates(const void *model, const double *cache, double *s)
{
    const cable *c = model;
    for (int i = 0; i < c->def.vertices; i++) s[i] = vertex_s(c, cache, i);
}

/* Of the material on the chord where a segment is slack. */
void cord__cable_velocities(const void *model, const double *q, const double *cache,
                            const double *v, double *x)
{
    const cable *c = model;
    (void)q;
    for (int i = 0; i < c->def.vertices; i++) {
        double position[3], r_s[3];
        cord__cable_at(c, cache, v, vertex_s(c, cache, i), position, x + 3 * i, r_s);
    }
}

/* In the middle between two vertices. */
void cord__cable_tensions(const void *model, const block_eval *now, double *t)
{
    const cable *c = model;
    element_input in = cord__cable_input(c, now, false);
    segment_tension along;
    element_terms terms;
    for (int i = 0, last = -1; i < c->def.vertices - !c->def.closed; i++) {
        double alpha, x[3], velocity[3], r_s[3];
        double s = 0.5 * (vertex_s(c, now->cache, i) + vertex_s(c, now->cache, i + 1));
        int at = cord__segment_at(c, now->cache, s, &alpha);
        if (at != last) cord__segment_tension(c, &in, at, true, &terms, &along);
        last = at;
        cord__cable_in(c, now->cache, c->initial.v, at, alpha, x, velocity, r_s);
        t[i] = cord__tension_in(&along, alpha, x);
    }
}

/* The direction from one vertex to the next. At the lowest point of a vertical loop two may coincide: then that of the edge
 * before, and of the first edge the vertical. */
static void set_tangent(const double from[3], const double to[3], const double *before,
                        double tangent[3])
{
    static const double vertical[3] = {0, 0, 1};
    v3_sub(tangent, to, from);
    if (v3_dot(tangent, tangent) > 0)
        v3_normalize(tangent, tangent);
    else
        v3_copy(tangent, before ? before : vertical);
}

/* Parallel transport from the first edge; where the cable has twist, rotated by an equal part of it at every edge. */
void cord__cable_frames(const void *model, const block_eval *at, double *frames)
{
    const cable *c = model;
    vertex_curve last = {.segment = -1};
    double next[3], before[3], *all = frames, twist = cable_twist(c, at->cache);
    vertex_position(c, at, 0, &last, before);
    for (int i = 0; i < c->def.vertices - !c->def.closed; i++, frames += 9) {
        vertex_position(c, at, i + 1, &last, next);
        set_tangent(before, next, i > 0 ? frames - 9 : NULL, frames);
        v3_copy(before, next);
        if (i == 0 || !transport(frames + 3, frames - 9, frames, frames - 6))
            v3_any_normal(frames + 3, frames);
        if (i == 0 && c->layout.twist_dof >= 0)
            cord__cable_director(c, at->cache, frames, frames + 3);
        rotate_about(frames + 3, frames, twist * (i > 0 ? 1 : 0.5) / (c->def.vertices - 1));
        v3_cross(frames + 6, frames, frames + 3);
    }
    cord__closed_frames(&c->def, all);
}
