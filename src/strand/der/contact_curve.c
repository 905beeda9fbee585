/* Discrete elastic rods: the centreline in contact is the smooth curve of sliding points (slide.c), one segment per
 * edge. */
#include "contact/contact.h"
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/smooth_curve.h"

static smooth_curve curve_of(const der *d)
{
    return (smooth_curve){d->n, d->edges, d->closed, d->rest};
}

static int segment_count(const void *model)
{
    return ((const der *)model)->edges;
}

static void segments(const void *model, const double *q, const double *cache, contact_segment *out)
{
    const der *d = model;
    const smooth_curve c = curve_of(d);
    (void)cache;
    cord__smooth_segments(&c, q, 3, d->arc, cord__contact_radius(&d->section), out);
}

static void curve(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3])
{
    const der *d = model;
    const smooth_curve c = curve_of(d);
    (void)cache;
    cord__smooth_point(&c, q, 3, segment, s - d->arc[segment], r, r_s, r_ss);
}

/* A ring of three vertices has one of them both before and after an edge. */
static int points(const void *model, int segment, double s, int first[CURVE_POINTS],
                  double weight[CURVE_POINTS])
{
    const der *d = model;
    const smooth_curve c = curve_of(d);
    int vertex[4], count = 0;
    double all[4][4];
    cord__smooth_weights(&c, segment, s - d->arc[segment], vertex, all);
    for (int i = 0; i < 4; i++) {
        if (vertex[i] < 0) continue;
        if (i == 3 && vertex[3] == vertex[0]) {
            weight[0] += all[0][3];
            continue;
        }
        first[count] = 4 * vertex[i];
        weight[count++] = all[0][i];
    }
    return count;
}

static bool in_segments(const void *model)
{
    (void)model;
    return true;
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
                                       .points = points,
                                       .in_segments = in_segments,
                                       .without_cache = true,
                                       .period = period,
                                       .spins = spins};
