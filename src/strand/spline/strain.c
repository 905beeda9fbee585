/* Splines: strains at all Gauss points, and forces and matrices of spans, four spans at a time. */
#include "strand/spline/reduced.h"

INLINE void states(const spline *s, const double *q, double *cache)
{
    for (int first = 0; first < s->spans; first += LANES) {
        const spline_span *span[LANES];
        const spline_knot *knot[LANES], *end[LANES];
        int index[LANES];
        state_lanes of;
        for (int l = 0; l < LANES; l++) {
            int i = first + l < s->spans ? first + l : s->spans - 1;
            index[l] = i, span[l] = s->span + i;
            knot[l] = spline_knots(cache) + i, end[l] = knot[l] + 1;
        }
        make_states(&of, s, q, index, span, knot, end);
        for (int n = 0; n < SPLINE_GAUSS; n++) {
            const spline_gauss *gauss[LANES];
            gauss_lanes now;
            for (int l = 0; l < LANES; l++) gauss[l] = s->gauss + SPLINE_GAUSS * index[l] + n;
            gauss_state(&of, gauss, &now);
            for (int l = 0; l < LANES; l++) {
                spline_state *o =
                    (spline_state *)(cache + spline_state_offset(s)) + SPLINE_GAUSS * index[l] + n;
                for (int k = 0; k < 3; k++) {
                    o->p[k] = now.p.k[k][l], o->s[k] = now.s.k[k][l];
                    o->m1[k] = now.m1.k[k][l], o->strain[k] = now.strain[k][l];
                }
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

INLINE lanes product(reduced a, reduced b)
{
    lanes total = {0};
    UNROLLED
    for (int k = 0; k < REDUCED; k++) total += a[k] * b[k];
    return total;
}

/* The discrete gradient in strain space, as in der/elastic.c: the stress at the mean strain,
 * corrected along the increment so that the work of the forces is exactly the change of energy. */
INLINE void discrete_stress(const spline_gauss *const *gauss, const spline_state *const *start,
                            const spline_state *const *end, const lanes *weight,
                            reduced g[SPLINE_STRAINS], motion *m, lanes *stress)
{
    lanes p[SPLINE_STRAINS], defect = {0}, metric = {0}, size = {0}, share = {0};
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        lanes from = EACH(start, strain[a]), to = EACH(end, strain[a]), change = to - from;
        p[a] = product(g[a], m->move);
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

/* One Gauss point of bending and twisting in each: adds to the force, and to the matrix unless it
 * is NULL. */
INLINE void add_bend(const spline *s, const block_eval *in, const midpoint_step *step,
                     const many_spans *many, int point, const span_lanes *span,
                     const state_lanes *of, motion *m, reduced force, lanes (*h)[REDUCED],
                     lanes *across)
{
    const spline_gauss *gauss[LANES];
    const spline_state *start[LANES], *end[LANES];
    for (int l = 0; l < LANES; l++) {
        int i = many->gauss[l] + point;
        gauss[l] = s->gauss + i;
        start[l] = step ? spline_states(s, step->start) + i : NULL;
        end[l] = step ? spline_states(s, step->end) + i : NULL;
    }
    gauss_lanes state;
    gauss_state(of, gauss, &state);
    location_lanes o;
    reduced g[SPLINE_STRAINS];
    lanes weight[SPLINE_STRAINS], stress[SPLINE_STRAINS];
    make_location(span, EACH(gauss, u), EACH(gauss, rest), EACH(gauss, fraction), &state, &o);
    gradients(span, &o, g);
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        weight[a] = many->share * EACH(gauss, weight) *
                    (a < 2 ? s->section.bending[a] : s->section.twisting);
        stress[a] = weight[a] * (state.strain[a] - EACH(gauss, natural[a]));
    }
    if (step) discrete_stress(gauss, start, end, weight, g, m, stress);
    for (int a = 0; s->damping > 0 && a < SPLINE_STRAINS; a++)
        stress[a] += s->damping * weight[a] * product(g[a], m->v);
    for (int k = 0; k < REDUCED; k++)
        force[k] += stress[0] * g[0][k] + stress[1] * g[1][k] + stress[2] * g[2][k];
    if (!h) return;
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        weight[a] *= in->c_k + in->proximal + s->damping * in->c_v;
        stress[a] *= in->c_k;
    }
    curving(span, &o, stress, weight, g, h, across);
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
    lanes u = EACH(station, u), rest = 1 / EACH(station, speed), w[3];
    first_weights(u, w);
    lanes3 p = EACH3(now, p);
    lanes inverse = 1 / l_sqrt(l3_dot(&p, &p)), stress = EA * EACH(now, strain);
    lanes3 t = l3_scale(inverse, &p), rate, move;
    for (int k = 0; k < 3; k++) {
        rate.k[k] = w[0] * m->v[A + k] + w[1] * m->v[B + k] + w[2] * m->v[C + k];
        move.k[k] = w[0] * m->move[A + k] + w[1] * m->move[B + k] + w[2] * m->move[C + k];
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

/* Indices of the dofs of each span. */
INLINE void gather(const spline *s, const many_spans *many, const double *v,
                   lanes out[SPLINE_LOCAL])
{
    int column[LANES][SPLINE_LOCAL];
    for (int l = 0; l < LANES; l++) spline_local_dofs(s, many->index[l], column[l]);
    for (int k = 0; k < SPLINE_LOCAL; k++)
        out[k] = (lanes){v[column[0][k]], v[column[1][k]], v[column[2][k]], v[column[3][k]]};
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
    lanes numbers[SPLINE_LOCAL], across = {0};
    span_lanes span;
    state_lanes of;
    int stations = 0;
    take_spans(s, in, first, &many);
    for (int l = 0; l < LANES; l++)
        if (many.span[l]->stations > stations) stations = many.span[l]->stations;
    for (int i = 0; matrix && i < REDUCED; i++)
        for (int k = 0; k <= i; k++) out->h[i][k] = (lanes){0};
    for (int i = 0; i < REDUCED; i++) out->force[i] = m.v[i] = m.move[i] = (lanes){0};
    make_span(&span, many.span, many.knot, many.end);
    make_states(&of, s, in->q, many.index, many.span, many.knot, many.end);
    if (s->damping > 0 || step) {
        span_weights weights;
        make_weights(&weights, many.span);
        gather(s, &many, in->v, numbers);
        pull_numbers(&weights, numbers, m.v);
        if (step) gather(s, &many, step->d, numbers);
        if (step) pull_numbers(&weights, numbers, m.move);
    }
    for (int i = 0; i < (many.alone ? 1 : SPLINE_GAUSS); i++)
        add_bend(s, in, step, &many, i, &span, &of, &m, out->force, matrix ? out->h : NULL,
                 &across);
    if (many.alone) {
        across = l_sum(across);
        for (int i = 0; i < REDUCED; i++) {
            out->force[i] = l_sum(out->force[i]);
            for (int k = 0; matrix && k <= i; k++) out->h[i][k] = l_sum(out->h[i][k]);
        }
    }
    if (matrix) across_curving(&span, across, out->h);
    for (int n = 0; !s->inextensible && n < stations; n++)
        add_stretch(s, in, step, &many, n, &m, out->force, matrix ? out->h : NULL);
}

MULTIVERSION_AVX2(cord__spline_strains, strains_of_spans,
                  (const spline *s, const block_eval *in, const midpoint_step *step, int first,
                   bool matrix, spline_reduced *out),
                  (s, in, step, first, matrix, out))

INLINE void spans(const spline *s, const block_eval *in, int first, bool matrix, spline_reduced *on,
                  spline_many *out)
{
    many_spans many;
    span_weights weights;
    lanes numbers[SPLINE_LOCAL];
    take_spans(s, in, first, &many);
    make_weights(&weights, many.span);
    push_gradient(&weights, on->force, out->force);
    if (matrix) push_matrix(&weights, on->h, out->h);
    gather(s, &many, in->a, numbers);
    add_mass(in, &many, numbers, out->force, matrix ? out->h : NULL);
}

MULTIVERSION_AVX2(cord__spline_spans, spans,
                  (const spline *s, const block_eval *in, int first, bool matrix,
                   spline_reduced *on, spline_many *out),
                  (s, in, first, matrix, on, out))
