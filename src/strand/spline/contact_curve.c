/* Splines: the centreline in contact, with a fixed number of segments per span. */
#include "contact/contact.h"
#include "math/vec3.h"
#include "strand/spline/spline.h"

enum { SPAN_SEGMENTS = 2 };

static int segment_count(const void *model)
{
    return SPAN_SEGMENTS * ((const spline *)model)->spans;
}

/* Position and |x″| at u in a span, and its material coordinate. */
typedef struct segment_end {
    double x[3], second, s;
} segment_end;

static segment_end end_at(const spline *s, const double *q, int span, int i)
{
    const double u = (double)i / SPAN_SEGMENTS;
    segment_end out;
    spline_weights w;
    double second[3];
    cord__spline_span_basis(s, span, u, &w);
    spline_sum(out.x, w.b, q, span);
    spline_sum(second, w.dd, q, span);
    out.second = v3_norm(second);
    out.s = s->span[span].arc;
    if (i == SPAN_SEGMENTS)
        out.s = span + 1 < s->spans ? s->span[span + 1].arc : s->length;
    else if (i > 0)
        out.s += cord__spline_arc(s, span, u);
    return out;
}

/* x″ is affine in u, so that the curve is within max |x″| Δu²/8 of its chord, the larger of both ends. */
static void segments(const void *model, const double *q, const double *cache, contact_segment *out)
{
    const spline *s = model;
    const double radius = cord__contact_radius(&s->section);
    const double square = 1.0 / (SPAN_SEGMENTS * SPAN_SEGMENTS);
    (void)cache;
    for (int span = 0; span < s->spans; span++) {
        segment_end start = end_at(s, q, span, 0);
        for (int i = 1; i <= SPAN_SEGMENTS; i++, out++) {
            const segment_end next = end_at(s, q, span, i);
            v3_copy(out->x[0], start.x);
            v3_copy(out->x[1], next.x);
            out->s[0] = start.s;
            out->s[1] = next.s;
            out->radius = radius;
            out->bulge = 0.125 * square * fmax(start.second, next.second);
            start = next;
        }
    }
}

static void curve(const void *model, const double *q, const double *cache, int segment, double s,
                  double r[3], double r_s[3], double r_ss[3])
{
    const int span = segment / SPAN_SEGMENTS;
    double weight[4][4];
    (void)cache;
    cord__spline_slide_weights(model, span, s, weight);
    spline_sum(r, weight[0], q, span);
    spline_sum(r_s, weight[1], q, span);
    spline_sum(r_ss, weight[2], q, span);
}

static double period(const void *model)
{
    const spline *s = model;
    return s->closed ? s->length : 0;
}

static bool spins(const void *model)
{
    return ((const spline *)model)->dynamic_twist;
}

const contact_ops cord__spline_contact = {.segment_count = segment_count,
                                          .segments = segments,
                                          .curve = curve,
                                          .period = period,
                                          .spins = spins};
