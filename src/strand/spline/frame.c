/* Splines: update of the configuration (retraction), frames and strains along a span. */
#include "curve/transport.h"
#include "math/vec3.h"
#include "strand/spline/spline.h"

static void knot_tangent(const spline *s, const double *x, int knot, double *p)
{
    if (knot < s->spans)
        spline_sum(p, s->span[knot].start, x, knot);
    else
        spline_sum(p, s->span[knot - 1].end, x, knot - 1);
}

/* The twist over u, −½ κb · t', of a frame transported from tangent T to the tangents along a curve by
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
    cord__spline_rule(SPLINE_MASSES, &u, &weight);
    knot_tangent(s, q, span, first);
    v3_normalize(T, first);
    for (int i = 0; i < SPLINE_MASSES; i++) {
        spline_weights w;
        double p[3], second[3];
        cord__spline_span_basis(s, span, u[i], &w);
        spline_sum(p, w.d, q, span);
        spline_sum(second, w.dd, q, span);
        lag -= weight[i] * carried_twist(T, p, second);
    }
    return lag;
}

void cord__spline_close_frames(const spline *s, const double *t, double *q)
{
    double *m1 = spline_m1(s, q), *last = m1 + 3 * s->spans;
    v3_copy(last, m1);
    rotate_about(last, t, *spline_closing(s, q));
}

/* Directors are updated by parallel transport in time [DER 2008, sec. 4.2.2] and rotated: four knots at a time,
 * `count` of them from `first` on. The control points still have their old positions; the tangents are the new ones. */
INLINE void carry_frames(const spline *s, double *q, const double *d, int first, int count,
                         double (*tangent)[3])
{
    double *m1 = spline_m1(s, q) + 3 * first;
    for (int from = 0; from < count; from += LANES) {
        double tangents[LANES][3], moves[LANES][3];
        const double *p[LANES], *move[LANES], *m[LANES], *rotation[LANES];
        for (int l = 0; l < LANES; l++) {
            int i = from + l < count ? from + l : count - 1, k = first + i;
            int span = k < s->spans ? k : k - 1;
            const double *w = k < s->spans ? s->span[span].start : s->span[span].end;
            spline_sum(tangents[l], w, q, span);
            spline_sum_columns(s, moves[l], w, d, span);
            rotation[l] = d + spline_angle_dof(s, k);
            p[l] = tangents[l], move[l] = moves[l], m[l] = m1 + 3 * i;
        }
        lanes3 before = ENTRY3(p, 0), by = ENTRY3(move, 0), now = l3_add(&before, &by);
        lanes3 t_before = l3_unit(&before), t = l3_unit(&now), carried = ENTRY3(m, 0);
        carried = l3_transport(&t_before, &t, &carried);
        carried = l3_rotate_about(&carried, &t, ENTRY(rotation, 0));
        for (int l = 0; l < LANES && from + l < count; l++)
            for (int k = 0; k < 3; k++) {
                m1[3 * (from + l) + k] = carried.k[k][l];
                tangent[from + l][k] = t.k[k][l];
            }
    }
}

/* The angle of a span is continuous in time: of all branches the one nearest to the old angle plus the difference of
 * the two rotations. Spans first to end − 1; the tangents are those of their knots. */
INLINE void update_angles(const spline *s, double *q, const double *d, int first, int end,
                          double (*tangent)[3])
{
    const double *m1 = spline_m1(s, q);
    double *alpha = spline_alpha(s, q);
    for (int from = first; from < end; from += LANES) {
        const double *t[LANES], *m[LANES];
        for (int l = 0; l < LANES; l++) {
            int k = from + l < end ? from + l : end - 1;
            t[l] = tangent[k - first], m[l] = m1 + 3 * k;
        }
        lanes3 t0 = ENTRY3(t, 0), t1 = ENTRY3(t, 3);
        lanes3 m0 = ENTRY3(m, 0), own = ENTRY3(m, 3), carried = l3_transport(&t0, &t1, &m0);
        lanes3 across = l3_cross(&carried, &own);
        lanes sine = l3_dot(&t1, &across), cosine = l3_dot(&carried, &own);
        for (int l = 0; l < LANES && from + l < end; l++) {
            const double rotation = 6.283185307179586476925;
            int k = from + l;
            double near = alpha[k] + d[spline_angle_dof(s, k + 1)] - d[spline_angle_dof(s, k)];
            alpha[k] = angle_of(sine[l], cosine[l]);
            if (!(fabs(near - alpha[k]) < 0.5 * rotation))
                alpha[k] += rotation * nearbyint((near - alpha[k]) / rotation);
        }
    }
}

INLINE void retract(const void *model, double *q, const double *d)
{
    enum { CHUNK = 8 * LANES };
    const spline *s = model;
    const int turns = spline_turns(s);
    double tangent[CHUNK + 1][3]; /* of the knot before, and of those at hand */
    for (int first = 0; first < turns; first += CHUNK) {
        int count = turns - first < CHUNK ? turns - first : CHUNK, from = first > 0 ? first - 1 : 0;
        carry_frames(s, q, d, first, count, tangent + 1);
        update_angles(s, q, d, from, first + count - 1, tangent + 1 + from - first);
        v3_copy(tangent[0], tangent[count]);
    }
    for (int i = 0; i < spline_own(s); i++) v3_add(q + 3 * i, q + 3 * i, d + spline_dof(s, i));
    if (!s->closed) return;
    spline_repeat(s, q);
    knot_tangent(s, q, s->spans, tangent[1]);
    v3_normalize(tangent[1], tangent[1]);
    cord__spline_close_frames(s, tangent[1], q);
    update_angles(s, q, d, s->spans - 1, s->spans, tangent);
}

/* q ⊕ d: control points are added to; frames and angles follow. */
MULTIVERSION_AVX2(cord__spline_retract, retract, (const void *model, double *q, const double *d),
                  (model, q, d))

/* Strains, the rotation of the frame per natural length: κ₁ = −m₂·x''/(|x'| s̄'), κ₂ = m₁·x''/(|x'|
 * s̄'), twist = α/l̄ + (twist of the transported frame)/s̄'. */
void cord__spline_state_at(const spline *s, const double *q, const double *cache,
                           const spline_location *at, spline_state *out)
{
    const spline_knot *knot = spline_knots(cache) + at->span;
    double alpha = spline_alpha(s, q)[at->span], t[3], m2[3];
    spline_sum(out->p, at->w.d, q, at->span);
    spline_sum(out->s, at->w.dd, q, at->span);
    double inverse = 1 / v3_normalize(t, out->p), scale = inverse / at->speed;
    transport(out->m1, knot->t, t, knot->m1);
    rotate_about(out->m1, t, at->fraction * alpha);
    v3_cross(m2, t, out->m1);
    out->strain[0] = -scale * v3_dot(m2, out->s);
    out->strain[1] = scale * v3_dot(out->m1, out->s);
    out->strain[2] =
        alpha / s->span[at->span].length + carried_twist(knot->t, out->p, out->s) / at->speed;
}

void cord__spline_refresh_rows(const void *model, const double *q, double *cache)
{
    const spline *s = model;
    spline_knot *knot = (spline_knot *)cache;
    spline_stretch *stretch = (spline_stretch *)(cache + spline_stretch_offset(s));
    for (int k = 0; k <= s->spans; k++) {
        knot_tangent(s, q, k, knot[k].p);
        knot[k].inverse = 1 / v3_normalize(knot[k].t, knot[k].p);
        v3_copy(knot[k].m1, spline_m1(s, q) + 3 * k);
    }
    for (int i = 0; i < s->stations; i++) {
        const spline_station *at = s->station + i;
        spline_sum(stretch[i].p, at->d, q, at->span);
        stretch[i].strain = v3_norm(stretch[i].p) / at->speed - 1;
    }
}

void cord__spline_refresh(const void *model, const double *q, double *cache)
{
    cord__spline_refresh_rows(model, q, cache);
    cord__spline_states(model, q, cache);
}
