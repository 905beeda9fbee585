/* Splines: sliding points and their frames [MICADO 2008, sec. 6]. */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/transported_frame.h"
#include "strand/spline/spline.h"

/* A point in a span, or on the extension of its polynomials, and the number of revolutions of a closed strand. */
typedef struct slide_location {
    int span, round;
    double fraction;     /* σ */
    double weight[4][4]; /* of r, r_s, r_ss, r_sss over the control points */
} slide_location;

/* With u_s = 1/s̄', u_ss = −s̄''/s̄'³ and u_sss = −s̄'''/s̄'⁴ + 3 s̄''²/s̄'⁵: x_s = x' u_s,
 * x_ss = x'' u_s² + x' u_ss, x_sss = x''' u_s³ + 3 x'' u_s u_ss + x' u_sss. */
void cord__spline_slide_weights(const spline *s, int span, double arc, double weight[4][4])
{
    spline_weights w;
    double p[3], p_u[3], p_uu[3]; /* of the natural shape */
    cord__spline_span_basis(s, span, cord__spline_parameter(s, span, arc), &w);
    spline_sum(p, w.d, s->natural_x, span);
    spline_sum(p_u, w.dd, s->natural_x, span);
    spline_sum(p_uu, w.ddd, s->natural_x, span);
    double first = 1 / v3_norm(p), square = first * first;
    double second = -v3_dot(p, p_u) * square * square;
    double faster = v3_dot(p, p_u) * first;                                          /* s̄'' */
    double fastest = (v3_dot(p_u, p_u) + v3_dot(p, p_uu) - faster * faster) * first; /* s̄''' */
    double third = square * square * (3 * faster * faster * first - fastest);
    for (int i = 0; i < 4; i++) {
        weight[0][i] = w.b[i];
        weight[1][i] = w.d[i] * first;
        weight[2][i] = w.dd[i] * square + w.d[i] * second;
        weight[3][i] = w.ddd[i] * square * first + 3 * first * second * w.dd[i] + third * w.d[i];
    }
}

static slide_location location_of(const spline *s, int element, double arc)
{
    slide_location o = {.round = s->closed ? (int)floor((double)element / s->spans) : 0};
    o.span = element - o.round * s->spans;
    arc -= o.round * s->length;
    o.fraction = (arc - s->span[o.span].arc) / s->span[o.span].length;
    cord__spline_slide_weights(s, o.span, arc, o.weight);
    return o;
}

/* The frame at the start of the span, transported to the tangent and rotated by σα. α changes by the
 * rotations of the frames at both knots, and by Ψ from the one to the other. */
static void frame_of(const spline *s, const double *q, const double *cache, const slide_location *o,
                     const double tangent[3], transported_frame *f)
{
    const spline_knot *knot = spline_knots(cache) + o->span;
    const spline_span *span = s->span + o->span;
    double alpha = spline_alpha(s, q)[o->span], part = 1 / span->length;
    *f = (transported_frame){.angles = 2,
                             .angle = {{1, 0, -1, 0}, {1, 2, o->fraction, part}},
                             .rotation = {{.part = 1 - o->fraction, .part_s = -part},
                                          {.part = o->fraction, .part_s = part}},
                             .twist = alpha * part};
    cord__transported_vector(f->vector, tangent, o->weight[1]);
    cord__transported_vector(f->vector + 1, knot[0].p, span->start);
    cord__transported_vector(f->vector + 2, knot[1].p, span->end);
    transport(f->m1, knot->t, f->vector[0].unit, knot->m1);
    double rounds = s->closed ? o->round * *spline_closing(s, q) : 0;
    rotate_about(f->m1, f->vector[0].unit, o->fraction * alpha + rounds);
}

/* One run of dofs per control point; where the frame is needed, the runs of the second and the
 * third include the angles at the knots of the span. */
void cord__spline_slide(const void *model, const double *q, const double *cache, int element,
                        double arc, sliding_jacobian *j)
{
    const spline *s = model;
    slide_location o = location_of(s, element, arc);
    const double *x[4];
    int point[4];
    transported_frame f;
    j->runs = 4;
    j->dofs = 0;
    for (int i = 0; i < 4; i++) {
        x[i] = q + 3 * (o.span + i);
        point[i] = j->dofs;
        j->run[i].first = spline_dof(s, o.span + i);
        j->run[i].count = j->with_frame && (i == 1 || i == 2) ? 4 : 3;
        j->dofs += j->run[i].count;
    }
    cord__smooth_jacobian(o.weight, x, point, j);
    if (!j->with_frame) return;
    frame_of(s, q, cache, &o, j->r_s, &f);
    for (int i = 0; i < 4; i++) f.point[i] = point[i];
    for (int k = 0; k < TRANSPORTED_ROTATIONS; k++) {
        f.rotation[k].column = k < 2 ? point[1 + k] + 3 : -1;
        f.rotation[k].about = -1;
    }
    cord__transported_jacobian(&f, j);
}
