/* Splines: strains at all Gauss points, and forces and matrices of spans, four spans at a time. */
#include "strand/spline/reduced.h"

#include <string.h>

INLINE void states(const spline *s, const double *q, double *cache)
{
    spline_state *state = (spline_state *)(cache + spline_state_offset(s));
    for (int first = 0; first < s->spans; first += LANES) {
        const spline_span *span[LANES];
        const spline_knot *knot[LANES], *end[LANES];
        int index[LANES];
        span_lanes ends;
        state_lanes of;
        for (int l = 0; l < LANES; l++) {
            int i = first + l < s->spans ? first + l : s->spans - 1;
            index[l] = i, span[l] = s->span + i;
            knot[l] = spline_knots(cache) + i, end[l] = knot[l] + 1;
        }
        make_span(&ends, span, knot, end);
        make_states(&of, s, q, index, span, knot);
        for (int n = 0; n < SPLINE_GAUSS; n++) {
            const spline_gauss *gauss[LANES];
            location_lanes now;
            lanes strain[SPLINE_STRAINS];
            for (int l = 0; l < LANES; l++) gauss[l] = s->gauss + SPLINE_GAUSS * index[l] + n;
            gauss_state(&ends, &of, gauss, &now, strain);
            for (int l = 0; l < LANES; l++)
                for (int k = 0; k < 3; k++) {
                    spline_state *o = state + SPLINE_GAUSS * index[l] + n;
                    o->p[k] = now.p.k[k][l], o->s[k] = now.s.k[k][l];
                    o->m1[k] = now.m1.k[k][l], o->strain[k] = strain[k][l];
                }
        }
    }
}

MULTIVERSION_AVX2(cord__spline_states, states, (const spline *s, const double *q, double *cache),
                  (s, q, cache))

/* ---- spans -------------------------------------------------------------------------------------- */

typedef struct motion {
    reduced v, move; /* velocities; the increment of `midpoint` */
} motion;

/* The discrete gradient in strain space, as in der/elastic.c, p being the linear changes of the strains: the stress at the mean strain,
 * corrected along the increment so that the work of the forces is exactly the change of energy. */
INLINE void discrete_stress(const spline_gauss *const *gauss, const spline_state *const *start,
                            const spline_state *const *end, const lanes *weight,
                            const lanes p[SPLINE_STRAINS], lanes *stress)
{
    lanes defect = {0}, metric = {0}, size = {0}, share = {0};
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        lanes from = EACH(start, strain[a]), to = EACH(end, strain[a]), change = to - from;
        stress[a] = weight[a] * (0.5 * (from + to) - EACH(gauss, natural[a]));
        defect += stress[a] * (change - p[a]);
        metric += weight[a] * p[a] * p[a];
        size += weight[a] * (change - p[a]) * (change - p[a]);
    }
    /* Where the defect is not small the increment is at round-off level. */
    for (int l = 0; l < LANES; l++)
        if (size[l] < 0.25 * metric[l]) share[l] = defect[l] / metric[l];
    for (int a = 0; a < SPLINE_STRAINS; a++) stress[a] += share * weight[a] * p[a];
}

/* A SIMD lane is a span, or, if there is only one span, a Gauss point of it. */
typedef struct many_spans {
    const spline_span *span[LANES];
    const spline_knot *knot[LANES], *end[LANES];
    int index[LANES], gauss[LANES]; /* the first Gauss point of each */
    bool alone;
    lanes share; /* 0: it is there already */
} many_spans;

/* A Gauss point of each: where the frame is, and its strains. */
typedef struct point_lanes {
    location_lanes location;
    lanes strain[SPLINE_STRAINS];
} point_lanes;

INLINE void make_point(const spline *s, const many_spans *many, int point, const span_lanes *span,
                       const state_lanes *of, point_lanes *o)
{
    const spline_gauss *gauss[LANES];
    for (int l = 0; l < LANES; l++) gauss[l] = s->gauss + many->gauss[l] + point;
    gauss_state(span, of, gauss, &o->location, o->strain);
}

/* Bending and twisting at it: adds to the force, and to the matrix unless it is NULL. */
INLINE void add_bend(const spline *s, const block_eval *in, const midpoint_step *step,
                     const many_spans *many, int point, const span_lanes *span,
                     const point_lanes *of, motion *m, reduced force, lanes (*h)[REDUCED],
                     lanes *across)
{
    const location_lanes *o = &of->location;
    const spline_gauss *gauss[LANES];
    lanes weight[SPLINE_STRAINS], stress[SPLINE_STRAINS], rate[SPLINE_STRAINS];
    for (int l = 0; l < LANES; l++) gauss[l] = s->gauss + many->gauss[l] + point;
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        weight[a] = many->share * EACH(gauss, weight) *
                    (a < 2 ? s->section.bending[a] : s->section.twisting);
        stress[a] = weight[a] * (of->strain[a] - EACH(gauss, natural[a]));
    }
    if (step) {
        const spline_state *start[LANES], *end[LANES];
        for (int l = 0; l < LANES; l++) {
            start[l] = spline_states(s, step->start) + many->gauss[l] + point;
            end[l] = spline_states(s, step->end) + many->gauss[l] + point;
        }
        strain_rates(span, o, m->move, rate);
        discrete_stress(gauss, start, end, weight, rate, stress);
    }
    if (s->damping > 0) {
        strain_rates(span, o, m->v, rate);
        for (int a = 0; a < SPLINE_STRAINS; a++) stress[a] += s->damping * weight[a] * rate[a];
    }
    add_gradient(span, o, stress, force);
    if (!h) return;
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        weight[a] *= in->c_k + in->proximal + s->damping * in->c_v;
        stress[a] *= in->c_k;
    }
    add_hessian(span, o, stress, weight, h, across);
}

/* The n-th station of each span that has one: E = ½ EA w (|p|/s̄' − 1)². */
INLINE void add_stretch(const spline *s, const block_eval *in, const midpoint_step *step,
                        const many_spans *many, int n, motion *m, reduced force,
                        lanes (*h)[REDUCED])
{
    const spline_station *station[LANES];
    const spline_stretch *now[LANES], *start[LANES], *end[LANES];
    lanes EA = {0};
    for (int l = 0; l < LANES; l++) {
        int first = many->span[l]->station, i = first + (n < many->span[l]->stations ? n : 0);
        station[l] = s->station + i;
        now[l] = spline_stretches(s, in->cache) + i;
        start[l] = step ? spline_stretches(s, step->start) + i : NULL;
        end[l] = step ? spline_stretches(s, step->end) + i : NULL;
        EA[l] = n < many->span[l]->stations ? s->section.stretching * station[l]->weight : 0;
    }
    lanes u = EACH(station, u), rest = 1 / EACH(station, speed);
    lanes w[3] = {1 + (lanes){0}, u, u * u};
    lanes3 p = EACH3(now, p);
    lanes inverse = 1 / l_sqrt(l3_dot(&p, &p)), stress = EA * EACH(now, strain);
    lanes3 t = l3_scale(inverse, &p), rate, move;
    for (int k = 0; k < 3; k++) {
        rate.k[k] = m->v[A + k] + w[1] * m->v[R + k] + w[2] * m->v[D + k];
        move.k[k] = m->move[A + k] + w[1] * m->move[R + k] + w[2] * m->move[D + k];
    }
    if (step) {
        lanes from = EACH(start, strain), to = EACH(end, strain);
        lanes ratio = (to - from) / (l3_dot(&t, &move) * rest);
        stress = 0.5 * EA * (from + to);
        for (int l = 0; l < LANES; l++) /* otherwise at round-off level */
            if (fabs(ratio[l] - 1) < 0.1) stress[l] *= ratio[l];
    }
    stress += s->damping * EA * l3_dot(&t, &rate) * rest;
    for (int v = 0; v < 3; v++)
        for (int k = 0; k < 3; k++) force[3 * v + k] += stress * rest * w[v] * t.k[k];
    if (!h) return;
    lanes across = in->c_k * stress * inverse * rest;
    lanes along = EA * rest * rest * (in->c_k + s->damping * in->c_v) - across;
    for (int x = 0; x < 3; x++)
        for (int y = 0; y <= x; y++)
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < (x == y ? i + 1 : 3); k++) {
                    lanes value = along * t.k[i] * t.k[k];
                    if (i == k) value += across;
                    h[3 * x + i][3 * y + k] += w[x] * w[y] * value;
                }
}

INLINE void add_mass(const block_eval *in, const many_spans *many, const lanes a[SPLINE_LOCAL],
                     lanes force[SPLINE_LOCAL], lanes (*h)[SPLINE_LOCAL])
{
    const double *gravity = in->environment->gravity;
    UNROLLED
    for (int i = 0; i < 4; i++) {
        UNROLLED
        for (int j = 0; j < 4; j++) {
            lanes m = EACH(many->span, mass[i][j]);
            UNROLLED
            for (int k = 0; k < 3; k++) {
                if (!in->rows_only) force[3 * i + k] += m * (a[3 * j + k] - gravity[k]);
                if (h && j <= i) h[3 * i + k][3 * j + k] += in->c_a * m;
            }
        }
    }
}

/* The values of v at the dofs of each span. In an open strand those after the first control point are at constant
 * distances from each other. */
INLINE void gather(const spline *s, const many_spans *many, const double *v,
                   lanes out[SPLINE_LOCAL])
{
    static const int after[SPLINE_LOCAL] = {0, 0, 0, 0, 1, 2, 4, 5, 6, 8, 9, 10, 3, 7};
    const double *first[LANES], *second[LANES];
    if (s->closed) {
        int column[LANES][SPLINE_LOCAL];
        for (int l = 0; l < LANES; l++) spline_local_dofs(s, many->index[l], column[l]);
        for (int k = 0; k < SPLINE_LOCAL; k++)
            out[k] = (lanes){v[column[0][k]], v[column[1][k]], v[column[2][k]], v[column[3][k]]};
        return;
    }
    for (int l = 0; l < LANES; l++) {
        first[l] = v + spline_dof(s, many->index[l]);
        second[l] = v + spline_dof(s, many->index[l] + 1);
    }
    UNROLLED
    for (int k = 0; k < SPLINE_LOCAL; k++)
        out[k] = k < 3 ? ENTRY(first, k) : ENTRY(second, after[k]);
}

INLINE void take_spans(const spline *s, const block_eval *in, int first, many_spans *many)
{
    many->alone = first == s->spans - 1;
    many->share = (lanes){0};
    for (int l = 0; l < LANES; l++) {
        int i = first + l < s->spans ? first + l : s->spans - 1;
        many->index[l] = i;
        many->span[l] = s->span + i;
        many->knot[l] = spline_knots(in->cache) + i;
        many->end[l] = many->knot[l] + 1;
        many->gauss[l] = SPLINE_GAUSS * i;
        if (many->alone) many->gauss[l] += l < SPLINE_GAUSS ? l : SPLINE_GAUSS - 1;
        many->share[l] = !many->alone || l < SPLINE_GAUSS;
    }
}

INLINE void strains_of_spans(const spline *s, const block_eval *in, const midpoint_step *step,
                             int first, bool matrix, spline_reduced *out)
{
    many_spans many;
    motion m;
    reduced alpha;
    lanes numbers[SPLINE_LOCAL], across = {0};
    span_lanes span;
    state_lanes of;
    point_lanes point[SPLINE_GAUSS];
    int stations = 0;
    take_spans(s, in, first, &many);
    for (int l = 0; l < LANES; l++)
        if (many.span[l]->stations > stations) stations = many.span[l]->stations;
    for (int i = 0; matrix && i < REDUCED; i++)
        for (int k = 0; k <= i; k++) out->h[i][k] = (lanes){0};
    for (int i = 0; i < REDUCED; i++) out->force[i] = m.v[i] = m.move[i] = (lanes){0};
    make_span(&span, many.span, many.knot, many.end);
    make_states(&of, s, in->q, many.index, many.span, many.knot);
    alpha_gradient(&span, alpha);
    if (s->damping > 0 || step) {
        span_weights weights;
        make_weights(&weights, many.span);
        gather(s, &many, in->v, numbers);
        pull_numbers(&weights, numbers, m.v);
        take_alpha_rate(alpha, m.v);
        if (step) gather(s, &many, step->d, numbers);
        if (step) pull_numbers(&weights, numbers, m.move);
        if (step) take_alpha_rate(alpha, m.move);
    }
    /* All points first: their long chains of operations do not wait for one another. */
    for (int i = 0; i < (many.alone ? 1 : SPLINE_GAUSS); i++)
        make_point(s, &many, i, &span, &of, point + i);
    for (int i = 0; i < (many.alone ? 1 : SPLINE_GAUSS); i++)
        add_bend(s, in, step, &many, i, &span, point + i, &m, out->force, matrix ? out->h : NULL,
                 &across);
    if (many.alone) {
        across = l_sum(across);
        for (int i = 0; i < REDUCED; i++) {
            out->force[i] = l_sum(out->force[i]);
            for (int k = 0; matrix && k <= i; k++) out->h[i][k] = l_sum(out->h[i][k]);
        }
    }
    if (matrix) replace_alpha_twice(&span, alpha, across, out->h);
    replace_alpha(alpha, out->force);
    for (int n = 0; !s->inextensible && n < stations; n++)
        add_stretch(s, in, step, &many, n, &m, out->force, matrix ? out->h : NULL);
}

MULTIVERSION_AVX2(cord__spline_strains, strains_of_spans,
                  (const spline *s, const block_eval *in, const midpoint_step *step, int first,
                   bool matrix, spline_reduced *out),
                  (s, in, step, first, matrix, out))

/* From a matrix of lanes, row ≥ column, to a matrix for each lane. */
INLINE void take_columns(lanes h[SPLINE_LOCAL][SPLINE_LOCAL], spline_many *out)
{
    UNROLLED
    for (int c = 0; c < SPLINE_LOCAL; c++) {
        UNROLLED
        for (int k = 0; k < SPLINE_LOCAL - c; k += LANES) {
            lanes v[LANES];
            UNROLLED
            for (int i = 0; i < LANES; i++) {
                int row = c + k + i < SPLINE_LOCAL ? c + k + i : c;
                int x = spline_ascending[row], y = spline_ascending[c];
                v[i] = x > y ? h[x][y] : h[y][x];
            }
            l_transpose(v);
            UNROLLED
            for (int l = 0; l < LANES; l++) memcpy(out->h[l][c] + k, v + l, sizeof *v);
        }
    }
}

INLINE void spans(const spline *s, const block_eval *in, int first, bool matrix, spline_reduced *on,
                  spline_many *out)
{
    many_spans many;
    span_weights weights;
    lanes numbers[SPLINE_LOCAL], h[SPLINE_LOCAL][SPLINE_LOCAL];
    take_spans(s, in, first, &many);
    make_weights(&weights, many.span);
    push_gradient(&weights, on->force, out->force);
    if (matrix) push_matrix(&weights, on->h, h);
    gather(s, &many, in->a, numbers);
    add_mass(in, &many, numbers, out->force, matrix ? h : NULL);
    if (matrix) take_columns(h, out);
}

MULTIVERSION_AVX2(cord__spline_spans, spans,
                  (const spline *s, const block_eval *in, int first, bool matrix,
                   spline_reduced *on, spline_many *out),
                  (s, in, first, matrix, on, out))
