/* Kinematics of a chain: positions and frames, velocities, and accelerations of the inertial
 * coordinates [SC 2012, sec. 2.2; SSC 2013, sec. 4.2, 6.5, 7.1]. */
#include "math/rotation.h"
#include "strand/chain/chain.h"

#include <string.h>

/* The base rotates by the Cayley transform of its increment: the increment of `midpoint` is then
 * the exact chord of a rigid rotation. */
void cord__chain_retract(const void *model, double *q, const double *d)
{
    const chain_model *c = model;
    v3_add(q, q, d);
    double *b = q + 3, x = 0.5 * d[3], y = 0.5 * d[4], z = 0.5 * d[5];
    if (x != 0 || y != 0 || z != 0) {
        double t[4] = {b[0] - x * b[1] - y * b[2] - z * b[3], b[1] + x * b[0] + y * b[3] - z * b[2],
                       b[2] + y * b[0] + z * b[1] - x * b[3],
                       b[3] + z * b[0] + x * b[2] - y * b[1]};
        double size = sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2] + t[3] * t[3]);
        for (int k = 0; k < 4; k++) b[k] = t[k] / size;
    }
    for (int knot = 0; knot < chain_knots(c); knot++) {
        double *kappa = chain_kappa(c, q, knot);
        const double *change = d + chain_dof(c, knot) + 6;
        for (int k = 0; k < c->numbers; k++) kappa[k] += change[k];
    }
}

void cord__chain_curvature(const chain_model *c, const double *q, int e, curvature *k)
{
    const double *start = chain_kappa(c, q, e);
    memset(k, 0, sizeof *k);
    for (int i = 0; i < c->numbers; i++) k->start[chain_axis(c, i)] = start[i];
    if (c->kind != ELEMENT_CLOTHOID) return;
    const double *end = chain_kappa(c, q, e + 1);
    for (int i = 0; i < c->numbers; i++)
        k->slope[chain_axis(c, i)] = (end[i] - start[i]) / c->length[e];
}

double cord__chain_joint(const chain_model *c, int e)
{
    return 0.5 * ((e > 0 ? c->length[e - 1] : 0) + c->length[e]);
}

/* Cumulative quadrature Σ_j sum_ij f_j of `count` values, at each node of the rule. Relative to
 * half of the whole integral, the integral up to a node is odd for even f and even for odd f, so a
 * node and its mirror image use the same partial sums. */
static inline void sum_parts(const gauss_rule *rule, const int count, const double *start,
                             double half, const double *f, double *out, int stride)
{
    const int n = rule->n, pairs = n / 2;
    double even[RULE_MOST / 2 + 1][3 * LOCAL_MOST], odd[RULE_MOST / 2 + 1][3 * LOCAL_MOST];
    double middle[3 * LOCAL_MOST];
    for (int k = 0; k < count; k++) middle[k] = 0;
    for (int j = 0; j < pairs; j++) {
        const double *a = f + 3 * LOCAL_MOST * j, *b = f + 3 * LOCAL_MOST * (n - 1 - j);
        double weight = 0.5 * half * rule->w[j];
        for (int k = 0; k < count; k++) {
            even[j][k] = a[k] + b[k];
            odd[j][k] = a[k] - b[k];
            middle[k] += weight * even[j][k];
        }
    }
    if (n % 2) {
        const double *a = f + 3 * LOCAL_MOST * pairs;
        for (int k = 0; k < count; k++) {
            even[pairs][k] = a[k];
            middle[k] += 0.5 * half * rule->w[pairs] * a[k];
        }
    }
    for (int k = 0; k < count; k++) middle[k] += start[k];
    for (int i = 0; i < pairs; i++) {
        double up[3 * LOCAL_MOST], down[3 * LOCAL_MOST];
        for (int k = 0; k < count; k++) up[k] = down[k] = 0;
        for (int j = 0; j < pairs; j++) {
            double e = half * rule->even[i][j], o = half * rule->odd[i][j];
            for (int k = 0; k < count; k++) {
                up[k] += e * even[j][k];
                down[k] += o * odd[j][k];
            }
        }
        if (n % 2)
            for (int k = 0; k < count; k++) up[k] += half * rule->even[i][pairs] * even[pairs][k];
        double *low = out + i * stride, *high = out + (n - 1 - i) * stride;
        for (int k = 0; k < count; k++) {
            low[k] = middle[k] + (down[k] + up[k]);
            high[k] = middle[k] + (down[k] - up[k]);
        }
    }
    if (n % 2 == 0) return;
    double *own = out + pairs * stride;
    for (int k = 0; k < count; k++) own[k] = middle[k];
    for (int j = 0; j < pairs; j++)
        for (int k = 0; k < count; k++) own[k] += half * rule->odd[pairs][j] * odd[j][k];
}

/* start + half × that; counts known to the compiler for the usual ones. */
static void cumulate(const gauss_rule *rule, int count, const double *start, double half,
                     const double *f, double *out, int stride)
{
    switch (count) {
    case 18: sum_parts(rule, 18, start, half, f, out, stride); break;
    case 9: sum_parts(rule, 9, start, half, f, out, stride); break;
    case 6: sum_parts(rule, 6, start, half, f, out, stride); break;
    default: sum_parts(rule, 3, start, half, f, out, stride); break;
    }
}

static void sum_up(const gauss_rule *rule, int count, const double *start, double half,
                   const double *f, double *out)
{
    double total[3 * LOCAL_MOST] = {0};
    for (int j = 0; j < rule->n; j++)
        for (int k = 0; k < count; k++) total[k] += rule->w[j] * f[3 * LOCAL_MOST * j + k];
    for (int k = 0; k < count; k++) out[k] = start[k] + half * total[k];
}

/* Rotation: W at the nodes and at the end [SC 2012, eq. 5, 6]. */
static void panel_turns(const chain_model *c, int e, int panel, double part,
                        const chain_local *start, chain_gauss *g, chain_local *end)
{
    double f[RULE_MOST][3 * LOCAL_MOST] = {{0}}, half = part * chain_half_rotation(c, e, panel);
    int count = 3 * c->local;
    for (int i = 0; i < c->rule.n; i++) {
        double at = chain_fraction(c, e, panel, part, i);
        if (c->local == LOCAL_MOST)
            for (int k = 0; k < 9; k++)
                f[i][9 + k] = at * g[i].R[k], f[i][k] = g[i].R[k] - f[i][9 + k];
        else
            for (int j = 0; j < c->local; j++)
                v3_scale(f[i] + 3 * j, chain_hat(c, j, at), g[i].R + 3 * chain_axis(c, j));
    }
    cumulate(&c->rule, count, start->W, half, f[0], g[0].at.W, GAUSS_DOUBLES);
    sum_up(&c->rule, count, start->W, half, f[0], end->W);
}

static inline void crosses(const int local, const double *W, const double *t, double *out)
{
    for (int j = 0; j < local; j++) v3_cross(out + 3 * j, W + 3 * j, t);
}

/* Extent: r and P, at the end only or at the nodes too. */
static void panel_extends(const chain_model *c, int e, int panel, double part, bool end_only,
                          const chain_local *start, chain_gauss *g, chain_local *end)
{
    double f[RULE_MOST][3 * LOCAL_MOST] = {{0}}, half = part * chain_half_extent(c, e, panel);
    int n = c->rule.n;
    for (int i = 0; i < n; i++) v3_copy(f[i], g[i].R);
    if (!end_only) cumulate(&c->rule, 3, start->r, half, f[0], g[0].at.r, GAUSS_DOUBLES);
    sum_up(&c->rule, 3, start->r, half, f[0], end->r);
    for (int i = 0; i < n; i++)
        if (c->local == LOCAL_MOST)
            crosses(LOCAL_MOST, g[i].at.W, g[i].R, f[i]);
        else
            crosses(c->local, g[i].at.W, g[i].R, f[i]);
    if (!end_only) cumulate(&c->rule, 3 * c->local, start->P, half, f[0], g[0].at.P, GAUSS_DOUBLES);
    sum_up(&c->rule, 3 * c->local, start->P, half, f[0], end->P);
}

/* A panel, or a part of one that begins with it. */
static void integrate_panel(const chain_model *c, int e, int panel, double part, bool end_only,
                            const chain_start *start, chain_gauss *g, chain_local *after,
                            double end[4])
{
    const chain_local *before = &start->at;
    double length = part * (2 * chain_half_rotation(c, e, panel)), frames[9 * RULE_MOST];
    if (chain_panel_turns(c, e, panel)) {
        cord__darboux_frames(c->kinematics, &start->kappa, length, start->quaternion, c->rule.n,
                             c->rule.x, frames, end);
        for (int i = 0; i < c->rule.n; i++) {
            chain_flatten(c, frames + 9 * i);
            memcpy(g[i].R, frames + 9 * i, sizeof g[i].R);
        }
        panel_turns(c, e, panel, part, before, g, after);
    } else {
        q4_matrix(frames, start->quaternion);
        chain_flatten(c, frames);
        memcpy(end, start->quaternion, 4 * sizeof *end);
        for (int i = 0; i < c->rule.n; i++) {
            memcpy(g[i].R, frames, sizeof g[i].R);
            memcpy(g[i].at.W, before->W, sizeof before->W);
        }
        memcpy(after->W, before->W, sizeof before->W);
    }
    if (chain_panel_extends(c, e, panel)) {
        panel_extends(c, e, panel, part, end_only, before, g, after);
    } else {
        for (int i = 0; i < c->rule.n; i++) {
            v3_copy(g[i].at.r, before->r);
            memcpy(g[i].at.P, before->P, sizeof before->P);
        }
        v3_copy(after->r, before->r);
        memcpy(after->P, before->P, sizeof before->P);
    }
}

static void refresh_panel(const chain_model *c, const curvature *k, int e, int panel,
                          double quaternion[4], double *cache)
{
    chain_gauss *g = (chain_gauss *)(cache + chain_gauss_offset(c, e, panel));
    chain_start *start = (chain_start *)(cache + chain_panel_offset(c, e, panel));
    int next = panel + 1 < chain_panels(c, e) ? chain_panel_offset(c, e, panel + 1)
                                              : chain_end_offset(c, e);
    double length = 2 * chain_half_rotation(c, e, panel);
    start->kappa = *k;
    for (int i = 0; i < 3; i++) start->kappa.start[i] += panel * length * k->slope[i];
    memcpy(start->quaternion, quaternion, sizeof start->quaternion);
    integrate_panel(c, e, panel, 1, false, start, g, (chain_local *)(cache + next), quaternion);
}

static void set_nan(double *from, const double *end)
{
    while (from < end) *from++ = NAN;
}

/* Beyond an element without a curve nothing is known. */
static void forget_beyond(const chain_model *c, int e, double *cache)
{
    set_nan((double *)((chain_node *)cache + e + 1), cache + chain_end_offset(c, 0));
    set_nan(cache + chain_end_offset(c, e), cache + chain_end_offset(c, chain_room(c)));
    set_nan(cache + chain_panel_offset(c, e, 0), cache + chain_panel_offset(c, chain_room(c), 0));
    set_nan(cache + chain_gauss_offset(c, e, 0), cache + chain_cache_count(c));
}

void cord__chain_refresh(const void *model, const double *q, double *cache)
{
    const chain_model *c = model;
    chain_node *node = (chain_node *)cache;
    v3_copy(node[0].position, q);
    memcpy(node[0].quaternion, q + 3, sizeof node[0].quaternion);
    q4_matrix(node[0].frame, node[0].quaternion);
    chain_flatten(c, node[0].frame);
    for (int e = 0; e < c->elements; e++) {
        curvature k;
        double at[4];
        memcpy(at, node[e].quaternion, sizeof at);
        memset(cache + chain_panel_offset(c, e, 0), 0, sizeof(chain_local));
        if (cord__chain_is_unbounded(c, q, e)) {
            forget_beyond(c, e, cache);
            return;
        }
        cord__chain_curvature(c, q, e, &k);
        for (int panel = 0; panel < chain_panels(c, e); panel++)
            refresh_panel(c, &k, e, panel, at, cache);
        v3_add(node[e + 1].position, node[e].position, chain_end(c, cache, e)->r);
        memcpy(node[e + 1].quaternion, at, sizeof at);
        q4_matrix(node[e + 1].frame, at);
        chain_flatten(c, node[e + 1].frame);
    }
}

/* ---- rates --------------------------------------------------------------------------------- */

void cord__chain_curvature_rates(const chain_model *c, int e, const double *v, double *rate)
{
    for (int j = 0; j < c->local; j++) rate[j] = v[chain_local_dof(c, e, j)];
}

static void combine(const chain_model *c, const double *vectors, const double *rate, double *out)
{
    v3_set(out, 0, 0, 0);
    for (int j = 0; j < c->local; j++) v3_axpy(out, rate[j], vectors + 3 * j);
}

/* v' = v + ω × r + P κ̇,   ω' = ω + W κ̇   [SC 2012, eq. 12] */
void cord__chain_end_motion(const chain_model *c, const chain_local *end, const double *first,
                            const double *rate, double *motion)
{
    double rotation[3], move[3], swing[3];
    combine(c, end->P, rate, move);
    combine(c, end->W, rate, rotation);
    v3_cross(swing, first + 3, end->r);
    for (int k = 0; k < 3; k++) {
        motion[k] = first[k] + swing[k] + move[k];
        motion[3 + k] = first[3 + k] + rotation[k];
    }
}

/* ẋ = v + ω × r + P κ̇   [SC 2012, eq. 12] */
void cord__chain_gauss_rate(const chain_model *c, const chain_gauss *g, const double *first,
                            const double *rate, double *velocity)
{
    double swing[3];
    combine(c, g->at.P, rate, velocity);
    v3_cross(swing, first + 3, g->at.r);
    for (int k = 0; k < 3; k++) velocity[k] += first[k] + swing[k];
}

void cord__chain_follow(const void *model, const double *cache, double *v)
{
    const chain_model *c = model;
    for (int e = 0; e < c->elements; e++) {
        double rate[LOCAL_MOST];
        cord__chain_curvature_rates(c, e, v, rate);
        cord__chain_end_motion(c, chain_end(c, cache, e), v + chain_dof(c, e), rate,
                               v + chain_dof(c, e + 1));
    }
}

void cord__chain_inertial_x(const void *model, const double *q, const double *cache, double *x)
{
    const chain_model *c = model;
    const chain_node *node = chain_nodes(cache);
    (void)q;
    for (int e = 0; e < c->elements; e++)
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            if (!chain_panel_extends(c, e, panel)) continue;
            for (int i = 0; i < c->rule.n; i++, x += 3) v3_add(x, node[e].position, g[i].at.r);
        }
    for (int i = 0; c->plane < 0 && i <= c->elements; i++, x += 6)
        memcpy(x, node[i].frame + 3, 6 * sizeof *x);
}

void cord__chain_inertial_rates(const void *model, const double *cache, const double *v,
                                double *rate)
{
    const chain_model *c = model;
    for (int e = 0; e < c->elements; e++) {
        const double *at = v + chain_dof(c, e);
        double own[LOCAL_MOST];
        cord__chain_curvature_rates(c, e, v, own);
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            if (!chain_panel_extends(c, e, panel)) continue;
            for (int i = 0; i < c->rule.n; i++, rate += 3)
                cord__chain_gauss_rate(c, g + i, at, own, rate);
        }
    }
    const chain_node *node = chain_nodes(cache);
    for (int i = 0; c->plane < 0 && i <= c->elements; i++, rate += 6) {
        const double *rotation = v + chain_dof(c, i) + 3;
        v3_cross(rate, rotation, node[i].frame + 3);
        v3_cross(rate + 3, rotation, node[i].frame + 6);
    }
}

/* ---- velocity terms ------------------------------------------------------------------------ */

/* At one node of the rule: angular velocity, and the acceleration of a director. */
static void turning(const double omega[3], const double alpha[3], const double *director,
                    double *out)
{
    double inner[3], outer[3];
    v3_cross(inner, omega, director);
    v3_cross(outer, omega, inner);
    v3_cross(out, alpha, director);
    v3_add(out, out, outer);
}

/* With κ̈ = 0: α' = Ω × R κ̇, and ẍ' = α × t + Ω × (Ω × t) [SC 2012, eq. 13; SSC 2013, eq. 6]. */
void cord__chain_inertial_bias(const chain_model *c, const double *cache, const double *v,
                               double *bias)
{
    const chain_node *node = chain_nodes(cache);
    double alpha[3] = {0, 0, 0}, accel[3] = {0, 0, 0}, zero[3] = {0, 0, 0};
    double *directors = bias + chain_gauss_count(c);
    for (int e = 0; e <= c->elements; e++) {
        const double *at = v + chain_dof(c, e);
        if (c->plane < 0) {
            turning(at + 3, alpha, node[e].frame + 3, directors + 6 * e);
            turning(at + 3, alpha, node[e].frame + 6, directors + 6 * e + 3);
        }
        double own[LOCAL_MOST], f[RULE_MOST][3 * LOCAL_MOST], a[RULE_MOST][3], w[RULE_MOST][3];
        if (e == c->elements) break;
        cord__chain_curvature_rates(c, e, v, own);
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            double half = chain_half_rotation(c, e, panel), next[3];
            for (int i = 0; i < c->rule.n; i++) {
                double rate[3] = {0, 0, 0}, at_i = chain_fraction(c, e, panel, 1, i);
                combine(c, g[i].at.W, own, w[i]);
                v3_add(w[i], w[i], at + 3);
                for (int j = 0; j < c->local; j++)
                    v3_axpy(rate, own[j] * chain_hat(c, j, at_i), g[i].R + 3 * chain_axis(c, j));
                v3_cross(f[i], w[i], rate);
            }
            cumulate(&c->rule, 3, alpha, half, f[0], a[0], 3);
            sum_up(&c->rule, 3, zero, half, f[0], next);
            v3_add(alpha, alpha, next);
            if (!chain_panel_extends(c, e, panel)) continue;
            half = chain_half_extent(c, e, panel);
            for (int i = 0; i < c->rule.n; i++) turning(w[i], a[i], g[i].R, f[i]);
            cumulate(&c->rule, 3, accel, half, f[0], bias, 3);
            sum_up(&c->rule, 3, zero, half, f[0], next);
            v3_add(accel, accel, next);
            bias += 3 * c->rule.n;
        }
    }
}

/* ---- anywhere ------------------------------------------------------------------------------ */

void cord__chain_local_at(const chain_model *c, const double *cache, const chain_location *at,
                          chain_gauss *g, chain_local *out)
{
    double end[4];
    chain_gauss own[RULE_MOST];
    integrate_panel(c, at->element, at->panel, at->part, !g,
                    chain_panel(c, cache, at->element, at->panel), g ? g : own, out, end);
}
