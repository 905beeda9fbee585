/* Discrete elastic rods: the centreline in contact is the smooth curve of sliding points (slide.c), one segment per
 * edge. */
#include "contact/contact.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/smooth_curve.h"

static smooth_edge edge_of(const der *d, const double *q, int edge)
{
    const smooth_curve curve = {d->n, d->edges, d->closed, d->rest};
    smooth_edge out;
    cord__smooth_edge(&curve, q, 3, edge, &out);
    return out;
}

static int segment_count(const void *model)
{
    return ((const der *)model)->edges;
}

static void segments(const void *model, const double *q, const double *cache, contact_segment *out)
{
    const der *d = model;
    const double radius = cord__contact_radius(&d->section);
    (void)cache;
    for (int j = 0; j < d->edges; j++, out++) {
        const smooth_edge edge = edge_of(d, q, j);
        v3_copy(out->x[0], q + 3 * j);
        v3_copy(out->x[1], q + 3 * der_next(d, j));
        out->s[0] = d->arc[j];
        out->s[1] = d->arc[j + 1];
        out->radius = radius;
        out->bulge = cord__smooth_bulge(&edge);
    }
}

static void curve(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3])
{
    const der *d = model;
    const smooth_edge edge = edge_of(d, q, segment);
    (void)cache;
    cord__smooth_point(&edge, s - d->arc[segment], r, r_s, r_ss);
}

static double period(const void *model)
{
    const der *d = model;
    return d->closed ? d->arc[d->edges] : 0;
}

static bool spins(const void *model)
{
    return ((const der *)model)->dynamic_twist;
}

const contact_ops cord__der_contact = {.segment_count = segment_count,
                                       .segments = segments,
                                       .curve = curve,
                                       .period = period,
                                       .spins = spins};
