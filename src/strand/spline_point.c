/* Points on a spline: places, frames and curvatures at any arc. */
#include "math/vec3.h"
#include "strand/spline.h"

#include <string.h>

/* With clamped ends the ends are control points. */
static int end_column(const spline *s, double arc)
{
    double close = 1e-12 * s->length;
    if (!s->clamped) return -1;
    return arc <= close ? 0 : arc >= s->length - close ? spline_column(s, s->points - 1) : -1;
}

/* The span and what the basis is made from there are kept: weight[0] is u, then speed and σ. */
cord_status cord__spline_attach(void *model, memory *m, measure what, double arc, attachment *at)
{
    const spline *s = model;
    spline_place place;
    (void)m;
    cord__spline_locate(s, arc, &place);
    *at = (attachment){.index = place.span,
                       .weight = {place.u, place.speed, place.fraction, place.s},
                       .unit = what == MEASURE_PLACE ? end_column(s, arc) : -1};
    return CORD_OK;
}

static void place_of(const spline *s, const attachment *at, spline_place *place)
{
    place->span = at->index;
    place->u = at->weight[0], place->speed = at->weight[1];
    place->fraction = at->weight[2], place->s = at->weight[3];
    cord__spline_span_basis(s, place->span, place->u, &place->w);
}

static void place_jet(const spline *s, const double *q, const attachment *at, jet *j)
{
    spline_place place;
    j->weighs = true;
    if (at->unit >= 0) { /* J has room for these three columns only */
        v3_copy(j->value, at->unit == 0 ? q : q + 3 * (s->points - 1));
        j->runs = 1;
        j->run[0].first = at->unit, j->run[0].count = j->columns = 3;
        memset(j->J, 0, 9 * sizeof *j->J);
        j->J[0] = j->J[4] = j->J[8] = 1;
        return;
    }
    place_of(s, at, &place);
    spline_sum(j->value, place.w.b, q, place.span);
    j->runs = 4;
    j->columns = 12;
    if (j->value_only) return;
    memset(j->J, 0, 36 * sizeof *j->J);
    for (int i = 0; i < 4; i++) {
        j->run[i].first = spline_column(s, place.span + i);
        j->run[i].count = 3;
        for (int k = 0; k < 3; k++) j->J[3 * (3 * i + k) + k] = place.w.b[i];
    }
}

/* One run, or two where it goes round: the span's columns, and the turning at the knot before it, which
 * has no part. Returns where the column of each of the span's numbers is in the jet. */
static void span_run(const spline *s, int span, jet *j, int *where)
{
    int first = spline_column(s, span), last = spline_column(s, span + 3) + 2;
    int all = spline_columns(s);
    j->runs = last < first ? 2 : 1;
    j->run[0].first = first;
    j->run[0].count = (last < first ? all - 1 : last) - first + 1;
    j->run[1].first = 0, j->run[1].count = last + 1;
    j->columns = j->run[0].count + (last < first ? last + 1 : 0);
    memset(j->J, 0, (size_t)(3 * j->columns) * sizeof *j->J);
    spline_local_columns(s, span, where);
    for (int k = 0; k < SPLINE_LOCAL; k++) where[k] += where[k] < first ? all - first : -first;
}

/* The frame turns by t × δx'/|x'| and, about t, by what cord__spline_turning() says. */
static void frame_jet(const spline *s, const double *cache, const spline_place *place,
                      const spline_state *state, jet *j)
{
    double turn[SPLINE_LOCAL], t[3], inverse = 1 / v3_normalize(t, state->p);
    int where[SPLINE_LOCAL];
    v3_copy(j->value, t);
    v3_copy(j->value + 3, state->m1);
    v3_cross(j->value + 6, t, state->m1);
    if (j->value_only) return;
    cord__spline_turning(s, cache, place, state, turn);
    span_run(s, place->span, j, where);
    for (int k = 0; k < SPLINE_LOCAL; k++) {
        double *column = j->J + 3 * where[k];
        if (k < 12) {
            double move[3] = {0, 0, 0};
            move[k % 3] = inverse * place->w.d[k / 3];
            v3_cross(column, t, move);
        }
        v3_axpy(column, turn[k], t);
    }
}

/* In jets curvature has the twist first. */
static const int strain_of[SPLINE_STRAINS] = {2, 0, 1};

static void curvature_jet(const spline *s, const double *cache, const spline_place *place,
                          const spline_state *state, jet *j)
{
    spline_gradient g;
    int where[SPLINE_LOCAL];
    cord__spline_gradient(s, cache, place, state, g);
    span_run(s, place->span, j, where);
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        j->value[a] = state->strain[strain_of[a]];
        for (int k = 0; k < SPLINE_LOCAL; k++) j->J[3 * where[k] + a] = g[strain_of[a]][k];
    }
}

void cord__spline_jet(const void *model, const double *q, const double *cache, const attachment *at,
                      measure what, jet *j)
{
    const spline *s = model;
    spline_place place;
    spline_state state;
    if (what == MEASURE_PLACE) {
        place_jet(s, q, at, j);
        return;
    }
    place_of(s, at, &place);
    cord__spline_state_at(s, q, cache, &place, &state);
    if (what == MEASURE_FRAME)
        frame_jet(s, cache, &place, &state, j);
    else
        curvature_jet(s, cache, &place, &state, j);
}

/* Places are linear in q. */
void cord__spline_stiffen(const void *model, const double *q, const double *cache,
                          const attachment *at, measure what, const double w[3], double c_k,
                          local_matrix *matrix)
{
    const spline *s = model;
    spline_place place;
    spline_state state;
    double minus[SPLINE_STRAINS], turn[SPLINE_LOCAL], h[SPLINE_LOCAL][SPLINE_LOCAL];
    if (what != MEASURE_CURVATURE && what != MEASURE_FRAME) return;
    place_of(s, at, &place);
    cord__spline_state_at(s, q, cache, &place, &state);
    for (int a = 0; a < 3; a++) minus[what == MEASURE_FRAME ? a : strain_of[a]] = -c_k * w[a];
    if (what == MEASURE_FRAME) {
        cord__spline_turning(s, cache, &place, &state, turn);
        cord__spline_torque_curving(s, cache, &place, &state, turn, minus, h);
    } else {
        cord__spline_curving(s, cache, &place, &state, minus, h);
    }
    cord__spline_scatter(s, place.span, h, matrix);
}

/* With u_s = 1/s̄', u_ss = −s̄''/s̄'³ and u_sss = −s̄'''/s̄'⁴ + 3 s̄''²/s̄'⁵: x_s = x' u_s,
 * x_ss = x'' u_s² + x' u_ss, x_sss = x''' u_s³ + 3 x'' u_s u_ss + x' u_sss. */
void cord__spline_slide(const void *model, const double *q, const double *cache, int piece,
                        double arc, slide_jet *j)
{
    const spline *s = model;
    int round = s->closed ? (int)floor((double)piece / s->spans) : 0;
    spline_weights w;
    double p[3], bend[3], twirl[3], natural_p[3], natural_bend[3], natural_twirl[3];
    (void)cache;
    piece -= round * s->spans;
    arc -= round * s->length;
    cord__spline_span_basis(s, piece, cord__spline_parameter(s, piece, arc), &w);
    spline_sum(natural_p, w.d, s->natural_x, piece);
    spline_sum(natural_bend, w.dd, s->natural_x, piece);
    spline_sum(natural_twirl, w.ddd, s->natural_x, piece);
    spline_sum(j->value, w.b, q, piece);
    spline_sum(p, w.d, q, piece);
    spline_sum(bend, w.dd, q, piece);
    spline_sum(twirl, w.ddd, q, piece);
    double first = 1 / v3_norm(natural_p), square = first * first;
    double second = -v3_dot(natural_p, natural_bend) * square * square;
    v3_scale(j->tangent, first, p);
    v3_combine(j->bend, square, bend, second, p);
    double faster = v3_dot(natural_p, natural_bend) * first; /* s̄'' */
    double fastest =
        (v3_dot(natural_bend, natural_bend) + v3_dot(natural_p, natural_twirl) - faster * faster) *
        first; /* s̄''' */
    double third = square * square * (3 * faster * faster * first - fastest);
    v3_combine(j->third, square * first, twirl, 3 * first * second, bend);
    v3_axpy(j->third, third, p);
    j->runs = 4;
    j->columns = 12;
    memset(j->J, 0, 36 * sizeof *j->J);
    memset(j->slope, 0, 36 * sizeof *j->slope);
    for (int i = 0; i < 4; i++) {
        j->run[i].first = spline_column(s, piece + i);
        j->run[i].count = 3;
        for (int k = 0; k < 3; k++) {
            j->J[3 * (3 * i + k) + k] = w.b[i];
            j->slope[3 * (3 * i + k) + k] = w.d[i] * first;
            if (j->curl) v3_set(j->curl + 3 * (3 * i + k), 0, 0, 0);
            if (j->curl) j->curl[3 * (3 * i + k) + k] = w.dd[i] * square + w.d[i] * second;
            if (j->spin) j->spin[3 * i + k] = 0;
        }
    }
}

void cord__spline_frame_at(const void *model, const double *q, const double *cache, double arc,
                           double *frame)
{
    const spline *s = model;
    spline_place place;
    spline_state state;
    cord__spline_locate(s, arc, &place);
    cord__spline_state_at(s, q, cache, &place, &state);
    v3_normalize(frame, state.p);
    v3_copy(frame + 3, state.m1);
    v3_cross(frame + 6, frame, frame + 3);
}
