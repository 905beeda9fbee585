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

#define LANE_KERNEL "strand/chain/integrate_kernel.h"
#include "math/lane_pair.h"

VARIANTS_AVX2(cord__chain_integrate, integrate_panel_2, integrate_panel_4,
              (const chain_model *c, int e, int panel, double part, bool end_only,
               const chain_start *start, chain_gauss *g, chain_local *after, double end[4]),
              (c, e, panel, part, end_only, start, g, after, end))

VARIANTS_AVX2(cord__chain_locate_panel, locate_panel_2, locate_panel_4,
              (const chain_model *c, int e, int panel, const curvature *kappa,
               const double start[3], chain_gauss *g, double after[3], double quaternion[4]),
              (c, e, panel, kappa, start, g, after, quaternion))

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
    cord__chain_integrate(c, e, panel, 1, false, start, g, (chain_local *)(cache + next),
                          quaternion);
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

static void refresh_element(const chain_model *c, const curvature *k, int e, double quaternion[4],
                            double *cache)
{
    memset(cache + chain_panel_offset(c, e, 0), 0, sizeof(chain_local));
    for (int panel = 0; panel < chain_panels(c, e); panel++)
        refresh_panel(c, k, e, panel, quaternion, cache);
}

static void locate_element(const chain_model *c, const curvature *k, int e, double quaternion[4],
                           double *cache)
{
    const double length = 2 * chain_half_rotation(c, e, 0);
    double *r = ((chain_local *)(cache + chain_end_offset(c, e)))->r;
    curvature own = *k;
    v3_set(r, 0, 0, 0);
    for (int panel = 0; panel < chain_panels(c, e); panel++) {
        const double start[3] = {r[0], r[1], r[2]};
        cord__chain_locate_panel(c, e, panel, &own, start,
                                 (chain_gauss *)(cache + chain_gauss_offset(c, e, panel)), r,
                                 quaternion);
        for (int i = 0; i < 3; i++) own.start[i] += length * k->slope[i];
    }
}

typedef void element_function(const chain_model *c, const curvature *k, int e, double quaternion[4],
                              double *cache);

static void refresh_by(const chain_model *c, const double *q, double *cache, element_function *each)
{
    chain_node *node = (chain_node *)cache;
    v3_copy(node[0].position, q);
    memcpy(node[0].quaternion, q + 3, sizeof node[0].quaternion);
    q4_matrix(node[0].frame, node[0].quaternion);
    chain_flatten(c, node[0].frame);
    for (int e = 0; e < c->elements; e++) {
        curvature k;
        double at[4];
        memcpy(at, node[e].quaternion, sizeof at);
        if (cord__chain_is_unbounded(c, q, e)) {
            forget_beyond(c, e, cache);
            return;
        }
        cord__chain_curvature(c, q, e, &k);
        each(c, &k, e, at, cache);
        v3_add(node[e + 1].position, node[e].position, chain_end(c, cache, e)->r);
        memcpy(node[e + 1].quaternion, at, sizeof at);
        q4_matrix(node[e + 1].frame, at);
        chain_flatten(c, node[e + 1].frame);
    }
}

void cord__chain_refresh(const void *model, const double *q, double *cache)
{
    refresh_by(model, q, cache, refresh_element);
}

void cord__chain_refresh_positions(const void *model, const double *q, double *cache)
{
    refresh_by(model, q, cache, locate_element);
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
    for (int e = 0; e < c->elements; e++) {
        const int n = chain_rule(c, e)->n;
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            if (!chain_panel_extends(c, e, panel)) continue;
            for (int i = 0; i < n; i++, x += 3) v3_add(x, node[e].position, g[i].at.r);
        }
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
        const int n = chain_rule(c, e)->n;
        double own[LOCAL_MOST];
        cord__chain_curvature_rates(c, e, v, own);
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            if (!chain_panel_extends(c, e, panel)) continue;
            for (int i = 0; i < n; i++, rate += 3) cord__chain_gauss_rate(c, g + i, at, own, rate);
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
    double alpha[3] = {0, 0, 0}, accel[3] = {0, 0, 0};
    double *directors = bias + chain_gauss_count(c);
    for (int e = 0; e <= c->elements; e++) {
        const double *at = v + chain_dof(c, e);
        if (c->plane < 0) {
            turning(at + 3, alpha, node[e].frame + 3, directors + 6 * e);
            turning(at + 3, alpha, node[e].frame + 6, directors + 6 * e + 3);
        }
        double own[LOCAL_MOST], a[RULE_MOST][3], w[RULE_MOST][3];
        node_values_2 f;
        if (e == c->elements) break;
        cord__chain_curvature_rates(c, e, v, own);
        const gauss_rule *rule = chain_rule(c, e);
        for (int panel = 0; panel < chain_panels(c, e); panel++) {
            const chain_gauss *g = chain_gausses(c, cache, e, panel);
            double half = chain_half_rotation(c, e, panel), next[3];
            for (int i = 0; i < rule->n; i++) {
                double rate[3] = {0, 0, 0}, at_i = chain_fraction(c, e, panel, 1, i);
                combine(c, g[i].at.W, own, w[i]);
                v3_add(w[i], w[i], at + 3);
                for (int j = 0; j < c->local; j++)
                    v3_axpy(rate, own[j] * chain_hat(c, j, at_i), g[i].R + 3 * chain_axis(c, j));
                v3_cross(f[i], w[i], rate);
                clear_rest_2(f[i], 3);
            }
            sum_parts_2(rule, 3, alpha, half, f, a[0], 3, next);
            v3_copy(alpha, next);
            if (!chain_panel_extends(c, e, panel)) continue;
            half = chain_half_extent(c, e, panel);
            for (int i = 0; i < rule->n; i++) turning(w[i], a[i], g[i].R, f[i]);
            sum_parts_2(rule, 3, accel, half, f, bias, 3, next);
            v3_copy(accel, next);
            bias += 3 * rule->n;
        }
    }
}

/* ---- anywhere ------------------------------------------------------------------------------ */

void cord__chain_local_at(const chain_model *c, const double *cache, const chain_location *at,
                          chain_gauss *g, chain_local *out)
{
    double end[4];
    chain_gauss own[RULE_MOST];
    cord__chain_integrate(c, at->element, at->panel, at->part, !g,
                          chain_panel(c, cache, at->element, at->panel), g ? g : own, out, end);
}
