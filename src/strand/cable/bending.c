/* Bending [HCS 2011, sec. 3.3], E = ½ EI ∫κ² ds: at the nodes, where the directions of the adjacent segments differ, and
 * along guides. The viscous moment is EI τ κ̇, of the curvature of a node or at a fixed fraction of a segment. */
#include "strand/cable/guide.h"
#include "strand/cable/segment.h"

#include <math.h>
#include <string.h>

/* Whether the viscous moment is to be evaluated. */
static bool is_damped(const cable *c, const element_input *in)
{
    return in->v && !in->lossless && c->def.material.damping > 0;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */

/* Directions t₀, t₁ of the segments before and after a node, c = t₀·t₁, and its first derivatives over p₀ and p₁, the
 * vectors along the segments, and over the element's unknowns. */
typedef struct kink {
    cable_element view[2]; /* the adjacent segments, with the local indices of the element */
    segment_point at[2];
    segment_tangent along[2];
    double t[2][3], size[2], c, apart; /* apart = |t₁ − t₀|² = 2 (1 − c), exact for small angles */
    double gradient[2][3], by_c[ELEMENT_UNKNOWNS];
    double length, by_length[ELEMENT_UNKNOWNS];
    double length_second[2][2]; /* ∂²l over the material lengths of the segments */
} kink;

/* A segment's vector at its end, or at its start: there the position on its guide does not depend on s. */
static void read_segment_tangent(const cable *c, const cable_element *e, const double *cache, int k,
                                 kink *n)
{
    int first = e->node + k;
    cable_element *view = n->view + k;
    *view = (cable_element){.kind = cable_is_curved(c, first) ? ELEMENT_CURVED : ELEMENT_STRAIGHT,
                            .node = first,
                            .row = -1,
                            .count = e->count,
                            .local = {e->local[k], e->local[k + 1]}};
    view->local[0].s = view->local[1].s = -1;
    double ds = cable_s(cache, first + 1) - cable_s(cache, first);
    n->at[k] = (segment_point){
        .c = c, .e = view, .cache = cache, .ds = ds, .part = {k, 1 - k}, .rate = {-1 / ds, 1 / ds}};
    cord__segment_tangent(n->at + k, n->along + k);
    n->size[k] = v3_normalize(n->t[k], n->along[k].p);
}

/* Whether the straight segment k beside the kink leaves a guide along its tangent at its other end. */
static bool leaves_tangentially(const cable *c, const cable_element *e, int k)
{
    int tangent = c->topology.node[e->node + 2 * k].tangent;
    return k == 0 ? tangent > 0 : tangent < 0;
}

/* The length l that a kink's angle is distributed over: half of both segments, from middle to middle. A segment that leaves
 * a guide along its tangent has the direction of the cable there and not that of its middle, and counts whole. Of a
 * segment along a guide, of length L, beside a straight one of length h no more counts than 4h²/L: as the parts of a span
 * become shorter, it is clamped at the guide's end, with an error of second order in the limit. */
static void kink_length(const cable *c, const cable_element *e, kink *n)
{
    double ds[2] = {n->at[0].ds, n->at[1].ds}, by_ds[2] = {0.5, 0.5};
    n->length = 0.5 * (ds[0] + ds[1]);
    memset(n->length_second, 0, sizeof n->length_second);
    for (int k = 0; k < 2; k++) {
        bool straight = n->view[k].kind == ELEMENT_STRAIGHT;
        double h = ds[1 - k], L = ds[k], ratio = h / L;
        if (straight && leaves_tangentially(c, e, k)) {
            n->length += 0.5 * L;
            by_ds[k] = 1;
        }
        if (straight || n->view[1 - k].kind != ELEMENT_STRAIGHT || L <= 2 * h) continue;
        n->length += 2 * h * ratio - 0.5 * L;
        by_ds[k] = -2 * ratio * ratio;
        by_ds[1 - k] += 4 * ratio;
        n->length_second[k][k] = 4 * ratio * ratio / L;
        n->length_second[1 - k][1 - k] = 4 / L;
        n->length_second[0][1] = n->length_second[1][0] = -4 * ratio / L;
    }
    const double by_s[3] = {-by_ds[0], by_ds[0] - by_ds[1], by_ds[1]};
    clear(n->by_length, e->count);
    for (int k = 0; k < 3; k++)
        if (e->local[k].s >= 0) n->by_length[e->local[k].s] += by_s[k];
}

/* ∂c/∂p₀ = (t₁ − c t₀)/|p₀| */
static void read_kink(const cable *c, const cable_element *e, const double *cache, kink *n)
{
    double change[3];
    for (int k = 0; k < 2; k++) read_segment_tangent(c, e, cache, k, n);
    v3_sub(change, n->t[1], n->t[0]);
    n->apart = v3_dot(change, change);
    n->c = 1 - 0.5 * n->apart;
    for (int k = 0; k < 2; k++)
        v3_combine(n->gradient[k], (k ? -1 : 1) / n->size[k], change, 0.5 * n->apart / n->size[k],
                   n->t[k]);
    for (int i = 0; i < e->count; i++)
        n->by_c[i] = v3_dot(n->gradient[0], n->along[0].change[i]) +
                     v3_dot(n->gradient[1], n->along[1].change[i]);
    kink_length(c, e, n);
}

/* ∂²c/∂p_k∂p_l y, with g = ∂c/∂p and P = 1 − t tᵀ: over one −(t gᵀ + g tᵀ)/|p| − c P/|p|², over both P₀P₁/|p₀||p₁|. */
static void kink_hessian(const kink *n, int k, const double y0[3], const double y1[3],
                         double out[3])
{
    const double *t = n->t[k], *g = n->gradient[k], *own = k ? y1 : y0, *other = k ? y0 : y1;
    double size = n->size[k], along = v3_dot(t, own), across[3];
    v3_combine(out, -v3_dot(g, own) / size + n->c * along / (size * size), t, -along / size, g);
    v3_axpy(out, -n->c / (size * size), own);
    v3_copy(across, other);
    v3_axpy(across, -v3_dot(n->t[1 - k], other), n->t[1 - k]);
    v3_axpy(across, -v3_dot(t, across), t);
    v3_axpy(out, 1 / (size * n->size[1 - k]), across);
}

/* scale · ∂²l over the material coordinates. */
static void length_stiffness(const cable_element *e, const kink *n, double scale,
                             element_terms *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int a = 0; a < 2; a++)
                for (int b = 0; b < 2; b++)
                    sum += ((i == a + 1) - (i == a)) * ((j == b + 1) - (j == b)) *
                           n->length_second[a][b];
            if (e->local[i].s >= 0 && e->local[j].s >= 0)
                add_entry(out, e->local[i].s, e->local[j].s, scale * sum);
        }
}

/* Second derivatives of E = w F(c), w = EI/2l. */
static void kink_stiffness(const cable_element *e, const element_input *in, const kink *n, double w,
                           const double F[3], element_terms *out)
{
    double l = n->length;
    for (int i = 0; i < e->count; i++) {
        double pull[2][3];
        for (int k = 0; k < 2; k++)
            kink_hessian(n, k, n->along[0].change[i], n->along[1].change[i], pull[k]);
        for (int j = 0; j <= i; j++) {
            double curved =
                v3_dot(pull[0], n->along[0].change[j]) + v3_dot(pull[1], n->along[1].change[j]);
            double mixed = n->by_c[i] * n->by_length[j] + n->by_length[i] * n->by_c[j];
            out->a[i][j] += in->c_k * w *
                            (F[2] * n->by_c[i] * n->by_c[j] + F[1] * curved - F[1] / l * mixed +
                             2 * F[0] / (l * l) * n->by_length[i] * n->by_length[j]);
        }
    }
    length_stiffness(e, n, -in->c_k * w * F[0] / l, out);
    for (int k = 0; k < 2; k++) {
        double force[3];
        v3_scale(force, w * F[1], n->gradient[k]);
        cord__tangent_stiffness(n->at + k, n->along + k, force, -in->c_k, out);
    }
}

/* A viscous moment along one component of the curvature, whose derivatives are B: EI τ l κ̇ B. */
static void viscous_terms(const cable *c, const cable_element *e, const element_input *in,
                          const double *B, double weight, element_terms *out)
{
    double stiff = c->def.material.bending * c->def.material.damping * weight, rate = 0;
    for (int i = 0; in->v && i < e->count; i++)
        rate += B[i] * in->v[c->layout.unknown[e->first + i]];
    for (int i = 0; i < e->count; i++) {
        if (is_damped(c, in)) out->r[i] += stiff * rate * B[i];
        for (int j = 0; in->matrix && j <= i; j++) out->a[i][j] += in->c_v * stiff * B[i] * B[j];
    }
}

/* κ = k/l, k = 2 tan φ/2 and D = t₁ − t₀: ∂k = −½F′ √((1 + c)/2) D·∂D/|D|. The angle alone is the same for all observers,
 * so the rotation of the plane of bending about the cable is not damped. */
static void kink_viscosity(const cable *c, const cable_element *e, const element_input *in,
                           const kink *n, const double F[3], element_terms *out)
{
    const double round_off = 1e-20; /* of |D|²: below it D has no direction */
    double B[ELEMENT_UNKNOWNS], l = n->length, k = sqrt(F[0]);
    double slope = -0.5 * F[1] * sqrt(0.5 * (1 + n->c)) / l;
    for (int i = 0; n->apart > round_off && i < e->count; i++)
        B[i] = -slope / sqrt(n->apart) * n->by_c[i] - k / (l * l) * n->by_length[i];
    if (n->apart > round_off) {
        viscous_terms(c, e, in, B, l, out);
        return;
    }
    for (int axis = 0; axis < 3; axis++) { /* straight: any direction */
        for (int i = 0; i < e->count; i++) {
            B[i] = 0;
            for (int m = 0; m < 2; m++) {
                const double *change = n->along[m].change[i], *t = n->t[m];
                double part = (change[axis] - v3_dot(t, change) * t[axis]) / n->size[m];
                B[i] += (m ? slope : -slope) * part;
            }
        }
        viscous_terms(c, e, in, B, l, out);
    }
}

/* E = EI/2l · F, F = (2 tan φ/2)² = 4 (1 − c)/(1 + c). Antiparallel directions have no finite energy: 1 + c is at least
 * 1e-9, which a cable that folds back on itself exceeds by far. */
void cord__kink_terms(const cable *c, const cable_element *e, const element_input *in,
                      element_terms *out)
{
    kink n;
    if (in->rows_only) return;
    read_kink(c, e, in->cache, &n);
    double half = fmax(1 + n.c, 1e-9), w = 0.5 * c->def.material.bending / n.length;
    double F[3] = {2 * n.apart / half, -8 / (half * half), 16 / (half * half * half)};
    out->bending = w * F[0];
    for (int i = 0; i < e->count; i++)
        out->r[i] += w * F[1] * n.by_c[i] - w * F[0] / n.length * n.by_length[i];
    if (in->matrix) kink_stiffness(e, in, &n, w, F, out);
    if (c->def.material.damping > 0) kink_viscosity(c, e, in, &n, F, out);
}

/* ---- along guides ------------------------------------------------------------------------------------ */

segment_ends cord__segment_ends(const cable *c, const cable_element *e, const element_input *in)
{
    segment_ends p;
    for (int i = 0; i < 4; i++) {
        const cable_node *n = c->topology.node + e->node + i / 2;
        p.local[i] = i % 2 < n->count ? e->local[i / 2].coordinates + i % 2 : -1;
        p.rate[i] = is_damped(c, in) ? cable_rate(&c->topology, e->node + i / 2, i % 2, in->v) : 0;
    }
    return p;
}

void cord__segment_viscosity(const cable *c, const element_input *in, const segment_ends *p,
                             const double B[4], double weight, element_terms *out)
{
    double stiff = c->def.material.bending * c->def.material.damping * weight, rate = 0;
    for (int i = 0; i < 4; i++) rate += B[i] * p->rate[i];
    for (int i = 0; i < 4; i++) {
        add_scalar(out, p->local[i], stiff * rate * B[i]);
        for (int j = 0; in->matrix && j <= i; j++)
            if (p->local[i] >= 0 && p->local[j] >= 0)
                add_entry(out, p->local[i], p->local[j], in->c_v * stiff * B[i] * B[j]);
    }
}

void cord__segment_bending(const cable_element *e, const element_input *in, const segment_ends *p,
                           double ds, double line, const double first[4], double second[4][4],
                           element_terms *out)
{
    out->bending = line * ds;
    for (int k = 0; k < 2; k++) add_scalar(out, e->local[k].s, k ? line : -line);
    for (int i = 0; i < 4; i++) {
        if (p->local[i] < 0) continue;
        out->r[p->local[i]] += ds * first[i];
        for (int k = 0; in->matrix && k < 2; k++)
            if (e->local[k].s >= 0)
                add_entry(out, p->local[i], e->local[k].s, in->c_k * (k ? first[i] : -first[i]));
        for (int j = 0; in->matrix && j <= i; j++)
            if (p->local[j] >= 0)
                add_entry(out, p->local[i], p->local[j], in->c_k * ds * second[i][j]);
    }
}

/* ½ EI κ² Δs, κ = κ(Δu, Δv). */
void cord__uniform_bending(const cable *c, const cable_element *e, const element_input *in,
                           element_terms *out)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    double stiff = c->def.material.bending, first[4], second[4][4], B[4];
    double ds = cable_s(in->cache, e->node + 1) - cable_s(in->cache, e->node);
    segment_ends p = cord__segment_ends(c, e, in);
    uniform_curvature k = on->ops->curvature(on, cable_coordinates(in->cache, e->node),
                                             cable_coordinates(in->cache, e->node + 1));
    for (int i = 0; i < 4; i++) {
        B[i] = (i < 2 ? -1 : 1) * k.first[i % 2];
        first[i] = stiff * k.value * B[i];
        for (int j = 0; j <= i; j++) {
            double sign = i / 2 == j / 2 ? 1 : -1;
            second[i][j] = stiff * (B[i] * B[j] + sign * k.value * k.second[i % 2 + j % 2]);
        }
    }
    cord__segment_bending(e, in, &p, ds, 0.5 * stiff * k.value * k.value, first, second, out);
    if (c->def.material.damping > 0) cord__segment_viscosity(c, in, &p, B, ds, out);
}

/* The curvature K = r′ × r″/|r′|³ at a point of a segment on a surface, and its derivatives over the coordinates of the
 * ends; `span` = |r′| is the length of the segment. */
typedef struct surface_curvature {
    double K[3], change[4][3], span;
} surface_curvature;

/* Over α, with o the difference of the coordinates: r′ = Σ oᵢ xᵢ, r″ = Σ oᵢ bᵢ, bₖ = Σ oᵢ xₖᵢ; over the coordinate k of
 * the end a
 *
 *     ∂r′ = ±xₖ + pₐ bₖ,     ∂r″ = ±2 bₖ + pₐ bₖ′.
 *
 * b′ is the difference of fourth order along the segment: its error is 1e-11 of its size. */
static surface_curvature curvature_at(const cable_guide *g, const double *from, const double *to,
                                      double alpha, double step)
{
    static const double part_of[5] = {1, -8, 0, 8, -1};
    double o[2] = {to[0] - from[0], to[1] - from[1]}, part[2] = {1 - alpha, alpha};
    double x[3], J[6], H[9], b[2][3], b_rate[2][3] = {{0}}, r1[3], r2[3], at[2];
    for (int i = 4; i >= 0; i--) { /* the middle one last */
        int which = i > 2 ? i : i > 0 ? i - 1 : 2;
        double moved = alpha + (which - 2) * step;
        for (int k = 0; k < 2; k++) at[k] = from[k] + moved * o[k];
        guide_position(g, at, x, J, H);
        for (int k = 0; k < 2; k++) {
            v3_combine(b[k], o[0], H + 3 * k, o[1], H + 3 * k + 3);
            v3_axpy(b_rate[k], part_of[which] / (12 * step), b[k]);
        }
    }
    v3_combine(r1, o[0], J, o[1], J + 3);
    v3_combine(r2, o[0], b[0], o[1], b[1]);
    surface_curvature out = {.span = v3_norm(r1)};
    double cube = 1 / (out.span * out.span * out.span);
    v3_cross(out.K, r1, r2);
    v3_scale(out.K, cube, out.K);
    for (int i = 0; i < 4; i++) {
        double sign = i < 2 ? -1 : 1, d1[3], d2[3], turned[3];
        v3_combine(d1, sign, J + 3 * (i % 2), part[i / 2], b[i % 2]);
        v3_combine(d2, 2 * sign, b[i % 2], part[i / 2], b_rate[i % 2]);
        v3_cross(out.change[i], d1, r2);
        v3_cross(turned, r1, d2);
        v3_combine(out.change[i], cube, out.change[i], cube, turned);
        v3_axpy(out.change[i], -3 * v3_dot(r1, d1) / (out.span * out.span), out.K);
    }
    return out;
}

/* Points of the quadrature: four to a panel. */
typedef struct surface_rule {
    const cable_guide *on;
    int panels;
} surface_rule;

static surface_curvature curvature_of_point(const surface_rule *rule, const double *from,
                                            const double *to, int point, double *weight)
{
    double alpha = (point / 4 + cord__gauss[point % 4][0]) / rule->panels;
    *weight = cord__gauss[point % 4][1] / rule->panels;
    return curvature_at(rule->on, from, to, alpha, 2e-3 / rule->panels);
}

/* ½ ∫κ² dα, and its derivatives over the coordinates of the ends. */
static double surface_line(const surface_rule *rule, const double *from, const double *to,
                           double first[4])
{
    double sum = 0, weight;
    for (int i = 0; i < 4; i++) first[i] = 0;
    for (int point = 0; point < 4 * rule->panels; point++) {
        surface_curvature k = curvature_of_point(rule, from, to, point, &weight);
        sum += 0.5 * weight * v3_dot(k.K, k.K);
        for (int i = 0; i < 4; i++) first[i] += weight * v3_dot(k.K, k.change[i]);
    }
    return sum;
}

/* Differences of the first derivatives: surfaces have no fourth derivatives of their own. */
static void surface_second(const surface_rule *rule, const double *from, const double *to,
                           double second[4][4])
{
    double step = 1e-4 * hypot(to[0] - from[0], to[1] - from[1]), all[4][4], side[2][4];
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 2; k++) {
            double ends[4] = {from[0], from[1], to[0], to[1]};
            ends[i] += k ? step : -step;
            surface_line(rule, ends, ends + 2, side[k]);
        }
        for (int j = 0; j < 4; j++) all[i][j] = (side[1][j] - side[0][j]) / (2 * step);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) second[i][j] = 0.5 * (all[i][j] + all[j][i]);
}

/* κ̇ = K·K̇/κ: the sense in which the curvature turns about the cable is not damped. */
static void surface_viscosity(const cable *c, const element_input *in, const segment_ends *p,
                              const surface_rule *rule, const double *from, const double *to,
                              double ds, element_terms *out)
{
    const double round_off = 1e-10; /* rad: below it the curvature has no direction */
    for (int point = 0; point < 4 * rule->panels; point++) {
        double weight, B[4], n[3];
        surface_curvature k = curvature_of_point(rule, from, to, point, &weight);
        bool straight = v3_normalize(n, k.K) * k.span < round_off;
        for (int axis = 0; axis < (straight ? 3 : 1); axis++) {
            if (straight) v3_set(n, axis == 0, axis == 1, axis == 2);
            for (int i = 0; i < 4; i++) B[i] = v3_dot(n, k.change[i]);
            cord__segment_viscosity(c, in, p, B, ds * weight, out);
        }
    }
}

void cord__surface_bending(const cable *c, const cable_element *e, const element_input *in,
                           element_terms *out)
{
    const cable_guide *on = c->def.guide + c->topology.node[e->node].guide;
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    double stiff = c->def.material.bending, first[4], second[4][4] = {{0}};
    double ds = cable_s(in->cache, e->node + 1) - cable_s(in->cache, e->node);
    surface_rule rule = {on, on->ops->panels(on, from, to)};
    segment_ends p = cord__segment_ends(c, e, in);
    double line = surface_line(&rule, from, to, first);
    if (in->matrix) surface_second(&rule, from, to, second);
    for (int i = 0; i < 4; i++) {
        first[i] *= stiff;
        for (int j = 0; j < 4; j++) second[i][j] *= stiff;
    }
    cord__segment_bending(e, in, &p, ds, stiff * line, first, second, out);
    if (c->def.material.damping > 0) surface_viscosity(c, in, &p, &rule, from, to, ds, out);
}
