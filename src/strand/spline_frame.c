/* Splines: moving the configuration, frames and strains along a span. */
#include "curve/transport.h"
#include "math/trig.h"
#include "math/vec3.h"
#include "strand/spline.h"

/* Turn the unit normal m of t by `angle` about t, and make it a unit normal again. */
static void turn_about(double *m, const double *t, double angle)
{
    if (angle != 0) {
        double n[3], sine, cosine;
        v3_cross(n, t, m);
        sin_cos(angle, &sine, &cosine);
        v3_combine(m, cosine, m, sine, n);
    }
    v3_axpy(m, -v3_dot(m, t), t);
    v3_normalize(m, m);
}

static void knot_tangent(const spline *s, const double *x, int knot, double *p)
{
    if (knot < s->spans)
        spline_sum(p, s->span[knot].start, x, knot);
    else
        spline_sum(p, s->span[knot - 1].end, x, knot - 1);
}

/* The twist over u, −½ κb · t', of a frame carried from tangent T to the tangents along a curve by
 * smallest rotations: −T·(x' × x'')/(|x'| (|x'| + T·x')). */
static double carried_twist(const double *T, const double *p, const double *s)
{
    double cross[3], length = v3_norm(p);
    v3_cross(cross, p, s);
    return -v3_dot(T, cross) / (length * (length + v3_dot(T, p)));
}

double cord__spline_lag(const spline *s, const double *q, int span)
{
    double first[3], T[3], lag = 0;
    const double *u, *weight;
    cord__spline_rule(SPLINE_BENDS, &u, &weight);
    knot_tangent(s, q, span, first);
    v3_normalize(T, first);
    for (int i = 0; i < SPLINE_BENDS; i++) {
        const spline_weights *w = &s->gauss[SPLINE_BENDS * span + i].at.w;
        double p[3], bend[3];
        spline_sum(p, w->d, q, span);
        spline_sum(bend, w->dd, q, span);
        lag -= weight[i] * carried_twist(T, p, bend);
    }
    return lag;
}

/* q ⊕ d: control points are added to; directors are carried along by parallel transport in time and
 * turned. The angle of a span follows its frames continuously: the branch is the one nearest to the
 * old angle plus the difference of the two turnings. */
void cord__spline_retract(const void *model, double *q, const double *d)
{
    const spline *s = model;
    double *m1 = spline_m1(s, q), *alpha = spline_alpha(s, q), before[3] = {0, 0, 0};
    for (int k = 0; k <= s->spans; k++) { /* tangents before any point moves */
        double p[3], t[3], move[3], now[3];
        knot_tangent(s, q, k, p);
        v3_normalize(t, p);
        int span = k < s->spans ? k : k - 1;
        spline_sum_columns(move, k < s->spans ? s->span[span].start : s->span[span].end, d, span);
        v3_add(now, p, move);
        v3_normalize(now, now);
        transport(m1 + 3 * k, t, now, m1 + 3 * k);
        turn_about(m1 + 3 * k, now, d[spline_turn_column(k)]);
        if (k > 0) {
            const double turn = 6.283185307179586476925;
            double near = alpha[k - 1] + d[spline_turn_column(k)] - d[spline_turn_column(k - 1)];
            double angle = transport_angle(before, m1 + 3 * (k - 1), now, m1 + 3 * k);
            alpha[k - 1] = angle + turn * nearbyint((near - angle) / turn);
        }
        v3_copy(before, now);
    }
    for (int i = 0; i < s->points; i++) v3_add(q + 3 * i, q + 3 * i, d + spline_column(i));
}

/* κ₁ = −m₂·x''/(|x'| s̄'), κ₂ = m₁·x''/(|x'| s̄'), twist = α/l̄ + (twist of the carried frame)/s̄':
 * how the frame turns per natural length. */
void cord__spline_state_at(const spline *s, const double *q, const double *cache,
                           const spline_place *at, spline_state *out)
{
    const spline_knot *knot = spline_knots((double *)cache) + at->span;
    double alpha = spline_alpha(s, (double *)q)[at->span], t[3], m2[3];
    spline_sum(out->p, at->w.d, q, at->span);
    spline_sum(out->s, at->w.dd, q, at->span);
    double inverse = 1 / v3_normalize(t, out->p), scale = inverse / at->speed;
    transport(out->m1, knot->t, t, knot->m1);
    turn_about(out->m1, t, at->fraction * alpha);
    v3_cross(m2, t, out->m1);
    out->strain[0] = -scale * v3_dot(m2, out->s);
    out->strain[1] = scale * v3_dot(out->m1, out->s);
    out->strain[2] =
        alpha / s->span[at->span].length + carried_twist(knot->t, out->p, out->s) / at->speed;
}

void cord__spline_refresh(const void *model, const double *q, double *cache)
{
    const spline *s = model;
    spline_knot *knot = spline_knots(cache);
    spline_stretch *stretch = spline_stretches(s, cache);
    for (int k = 0; k <= s->spans; k++) {
        knot_tangent(s, q, k, knot[k].p);
        knot[k].inverse = 1 / v3_normalize(knot[k].t, knot[k].p);
        v3_copy(knot[k].m1, spline_m1(s, (double *)q) + 3 * k);
    }
    cord__spline_states(s, q, cache);
    for (int i = 0; i < s->stations; i++) {
        const spline_place *at = &s->station[i].at;
        spline_sum(stretch[i].p, at->w.d, q, at->span);
        stretch[i].strain = v3_norm(stretch[i].p) / at->speed - 1;
    }
}
