/* Splines: derivatives of strains and frames at one point, for constraints. */
#include "strand/spline/reduced.h"

#include <string.h>

/* The same point in every SIMD lane. */
typedef struct one_location {
    span_lanes span;
    location_lanes location;
    span_weights weights;
} one_location;

INLINE void make_one(const spline *s, const double *cache, const spline_location *at,
                     const spline_state *state, one_location *o)
{
    const spline_knot *knot = spline_knots(cache) + at->span, *end = knot + 1;
    const spline_span *span = s->span + at->span;
    const spline_span *span_of[LANES];
    const spline_knot *knots[LANES], *ends[LANES];
    lanes3 m1;
    for (int l = 0; l < LANES; l++) span_of[l] = span, knots[l] = knot, ends[l] = end;
    for (int k = 0; k < 3; k++) {
        o->location.p.k[k] = l_broadcast(state->p[k]);
        o->location.s.k[k] = l_broadcast(state->s[k]), m1.k[k] = l_broadcast(state->m1[k]);
    }
    make_span(&o->span, span_of, knots, ends);
    make_location(&o->span, l_broadcast(at->u), l_broadcast(1 / at->speed),
                  l_broadcast(at->fraction), &o->location);
    set_directors(&o->location, &m1);
    make_weights(&o->weights, span_of);
}

/* `g` is over α. */
INLINE void take_gradient(const one_location *o, reduced g, double out[SPLINE_LOCAL])
{
    lanes full[SPLINE_LOCAL];
    reduced alpha;
    alpha_gradient(&o->span, alpha);
    replace_alpha(alpha, g);
    push_gradient(&o->weights, g, full);
    for (int k = 0; k < SPLINE_LOCAL; k++) out[k] = full[k][0];
}

INLINE void take_matrix(const one_location *o, triangle h, double out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    lanes full[SPLINE_LOCAL][SPLINE_LOCAL];
    push_matrix(&o->weights, h, full);
    for (int r = 0; r < SPLINE_LOCAL; r++)
        for (int c = 0; c <= r; c++) out[r][c] = full[r][c][0];
}

INLINE void gradient_at(const spline *s, const double *cache, const spline_location *at,
                        const spline_state *state, spline_gradient g)
{
    one_location o;
    make_one(s, cache, at, state, &o);
    for (int a = 0; a < SPLINE_STRAINS; a++) {
        lanes stress[SPLINE_STRAINS] = {{0}};
        reduced own = {{0}};
        stress[a] = l_broadcast(1);
        add_gradient(&o.span, &o.location, stress, own);
        take_gradient(&o, own, g[a]);
    }
}

MULTIVERSION_AVX2(cord__spline_gradient, gradient_at,
                  (const spline *s, const double *cache, const spline_location *at,
                   const spline_state *state, spline_gradient g),
                  (s, cache, at, state, g))

INLINE void turning_at(const spline *s, const double *cache, const spline_location *at,
                       const spline_state *state, double g[SPLINE_LOCAL])
{
    one_location o;
    reduced own = {{0}};
    lanes3 none = {{{0}}};
    make_one(s, cache, at, state, &o);
    reduce(&o.location, &o.location.spin_a, &o.location.spin_p, &none, l_broadcast(1),
           o.location.fraction, own);
    take_gradient(&o, own, g);
}

MULTIVERSION_AVX2(cord__spline_turning, turning_at,
                  (const spline *s, const double *cache, const spline_location *at,
                   const spline_state *state, double g[SPLINE_LOCAL]),
                  (s, cache, at, state, g))

INLINE void curving_at(const spline *s, const double *cache, const spline_location *at,
                       const spline_state *state, const double stress[SPLINE_STRAINS],
                       double out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    one_location o;
    triangle h;
    reduced alpha;
    lanes own[SPLINE_STRAINS], weight[SPLINE_STRAINS] = {{0}}, across = {0};
    make_one(s, cache, at, state, &o);
    memset(h, 0, sizeof h);
    for (int a = 0; a < SPLINE_STRAINS; a++) own[a] = l_broadcast(stress[a]);
    add_hessian(&o.span, &o.location, own, weight, h, &across);
    alpha_gradient(&o.span, alpha);
    replace_alpha_twice(&o.span, alpha, across, h);
    take_matrix(&o, h, out);
}

MULTIVERSION_AVX2(cord__spline_curving, curving_at,
                  (const spline *s, const double *cache, const spline_location *at,
                   const spline_state *state, const double stress[SPLINE_STRAINS],
                   double out[SPLINE_LOCAL][SPLINE_LOCAL]),
                  (s, cache, at, state, stress, out))
