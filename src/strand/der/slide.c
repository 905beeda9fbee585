/* Discrete elastic rods: sliding points and their frames [MICADO 2008, sec. 6]. A polygon has a
 * kink at every vertex, so a sliding point moves on the smooth C² curve through the vertices
 * (smooth_curve.h). Frames belong to edges; the frame of a sliding point is interpolated between
 * them (transported_frame.h). */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/transported_frame.h"
#include "strand/der/der.h"

#include <math.h>

/* The index of the edge that contains s; on a closed rod plus the number of edges for every
 * revolution. */
int cord__der_element_at(const void *model, const double *q, double s)
{
    const der *d = model;
    double round = d->closed ? floor(s / d->arc[d->edges]) : 0, fraction;
    (void)q;
    return cord__der_edge_at(d, s - round * d->arc[d->edges], &fraction) + (int)round * d->edges;
}

/* An edge of the rod, the fraction along it and the number of revolutions of a closed rod; and the
 * adjacent vertices. */
typedef struct der_stretch {
    smooth_curve curve;
    int edge, round, vertex[4]; /* -1: none */
    double along, weight[4][4];
    const double *x[4];
} der_stretch;

static der_stretch stretch_of(const der *d, const double *q, int element, double s)
{
    der_stretch o = {.curve = {d->n, d->edges, d->closed, d->rest}};
    o.round = d->closed ? (int)floor((double)element / d->edges) : 0;
    o.edge = element - o.round * d->edges;
    o.along = s - o.round * d->arc[d->edges] - d->arc[o.edge];
    cord__smooth_weights(&o.curve, o.edge, o.along, o.vertex, o.weight);
    for (int i = 0; i < 4; i++) o.x[i] = o.vertex[i] < 0 ? NULL : q + 3 * o.vertex[i];
    return o;
}

/* Twist between the edges at a vertex; where there is a vertex frame, the sum of the twists of its
 * two joints. */
static double twist_at(const der *d, const double *q, int vertex)
{
    const double *frame;
    if (d->frame_at[vertex] < 0) return der_twist(d, q)[vertex];
    frame = der_vertex_frame_q(d, q, d->frame_at[vertex]);
    return frame[9] + frame[10];
}

static void frame_of(const der *d, const double *q, const double *cache, const der_stretch *o,
                     const double tangent[3], transported_frame *f)
{
    polygon_frames of = {.has = {o->vertex[0] >= 0, true, o->vertex[3] >= 0}};
    for (int k = 0; k < 3; k++) {
        if (!of.has[k]) continue;
        const der_edge *edge = der_edges(cache) + o->vertex[k];
        v3_copy(of.e[k], edge->e);
        of.m1[k] = edge->m1;
    }
    for (int k = 0; k < 2; k++) {
        if (!of.has[2 * k]) continue;
        of.twist[k] = twist_at(d, q, o->vertex[1 + k]);
        if (o->vertex[1 + k] == 0) of.offset[k] = *der_closing(d, q);
    }
    cord__polygon_frame(&o->curve, o->edge, o->along, tangent, o->weight[1], o->x, &of, f);
    if (o->round != 0) rotate_about(f->m1, f->vector[0].unit, o->round * *der_closing(d, q));
}

/* One run of dofs per vertex, with the angle of the edge after it where frames are needed; and the
 * index of each in the Jacobian. */
static void set_runs(const der *d, const der_stretch *o, sliding_jacobian *j, int point[4],
                     int rotation[3])
{
    j->runs = j->dofs = 0;
    for (int i = 0; i < 4; i++) {
        bool turns = j->with_frame && i < 3 && o->vertex[i] >= 0 && o->vertex[i] < d->edges &&
                     (i < 2 || o->vertex[3] >= 0);
        point[i] = o->vertex[i] < 0 ? -1 : j->dofs;
        if (i < 3) rotation[i] = turns ? j->dofs + 3 : -1;
        if (o->vertex[i] < 0) continue;
        j->run[j->runs].first = 4 * o->vertex[i], j->run[j->runs].count = turns ? 4 : 3;
        j->dofs += j->run[j->runs++].count;
    }
}

void cord__der_slide(const void *model, const double *q, const double *cache, int element, double s,
                     sliding_jacobian *j)
{
    const der *d = model;
    der_stretch o = stretch_of(d, q, element, s);
    transported_frame f;
    int point[4], rotation[3];
    set_runs(d, &o, j, point, rotation);
    cord__smooth_jacobian(o.weight, o.x, point, j);
    if (!j->with_frame) return;
    frame_of(d, q, cache, &o, j->r_s, &f);
    for (int i = 0; i < 4; i++) f.point[i] = point[i];
    for (int i = 0; i < 3; i++) f.rotation[i].column = rotation[i], f.rotation[i].about = -1;
    cord__transported_jacobian(&f, j);
}
