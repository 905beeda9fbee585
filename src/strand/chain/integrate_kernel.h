/* Integrals over a panel over a lane type (math/lane_type.h, cumulate.h): frames, positions and Jacobians at its nodes and at
 * its end. */
#include "strand/chain/cumulate.h"

INLINE void NAME(sum_up)(const gauss_rule *rule, int count, const double *start, double half,
                         NAME(node_values) f, double *out)
{
    double total[3 * LOCAL_MOST] = {0};
    for (int j = 0; j < rule->n; j++)
        for (int k = 0; k < count; k++) total[k] += rule->w[j] * f[j][k];
    for (int k = 0; k < count; k++) out[k] = start[k] + half * total[k];
}

/* Rotation: W at the nodes and at the end [SC 2012, eq. 5, 6]. */
INLINE void NAME(panel_turns)(const chain_model *c, int e, int panel, double part,
                              const chain_local *start, chain_gauss *g, chain_local *end)
{
    const double half = part * chain_half_rotation(c, e, panel);
    const int count = 3 * c->local;
    const gauss_rule *rule = chain_rule(c, e);
    const double panels = chain_panels(c, e), first = panel / panels, each = 0.5 * part / panels;
    NAME(node_values) f;
    for (int i = 0; i < rule->n; i++) {
        const double at = first + each * (1 + rule->x[i]);
        if (c->local == LOCAL_MOST)
            for (int k = 0; k < 9; k++)
                f[i][9 + k] = at * g[i].R[k], f[i][k] = g[i].R[k] - f[i][9 + k];
        else
            for (int j = 0; j < c->local; j++)
                v3_scale(f[i] + 3 * j, chain_hat(c, j, at), g[i].R + 3 * chain_axis(c, j));
        NAME(clear_rest)(f[i], count);
    }
    NAME(cumulate)(rule, count, start->W, half, f, g[0].at.W, GAUSS_DOUBLES, end->W);
}

/* W_j × t; with four lanes one vector of them has one product and reads the number after it, which W and `out` have. */
INLINE void NAME(crosses)(const int local, const double *W, const double *t, double *out)
{
#if LANES == 4
    const REAL a = {t[0], t[1], t[2]}, turned = {t[1], t[2], t[0]};
    UNROLLED
    for (int j = 0; j < local; j++) {
        const REAL w = NAME(load)(W + 3 * j);
        const REAL product = w * turned - __builtin_shufflevector(w, w, 1, 2, 0, 3) * a;
        NAME(store)(out + 3 * j, __builtin_shufflevector(product, product, 1, 2, 0, 3));
    }
#else
    for (int j = 0; j < local; j++) v3_cross(out + 3 * j, W + 3 * j, t);
#endif
    NAME(clear_rest)(out, 3 * local);
}

/* Extent: r and P, at the end only or at the nodes too. */
INLINE void NAME(panel_extends)(const chain_model *c, int e, int panel, double part, bool end_only,
                                const chain_local *start, chain_gauss *g, chain_local *end)
{
    const double half = part * chain_half_extent(c, e, panel);
    const gauss_rule *rule = chain_rule(c, e);
    const int n = rule->n, count = 3 * c->local;
    NAME(node_values) t, f;
    for (int i = 0; i < n; i++) {
        v3_copy(t[i], g[i].R);
        NAME(clear_rest)(t[i], 3);
        if (c->local == LOCAL_MOST)
            NAME(crosses)(LOCAL_MOST, g[i].at.W, t[i], f[i]);
        else
            NAME(crosses)(c->local, g[i].at.W, t[i], f[i]);
    }
    if (end_only) {
        NAME(sum_up)(rule, 3, start->r, half, t, end->r);
        NAME(sum_up)(rule, count, start->P, half, f, end->P);
    } else {
        NAME(sum_parts)(rule, 3, start->r, half, t, g[0].at.r, GAUSS_DOUBLES, end->r);
        NAME(cumulate)(rule, count, start->P, half, f, g[0].at.P, GAUSS_DOUBLES, end->P);
    }
}

/* Frames and positions alone. */
INLINE void NAME(locate_panel)(const chain_model *c, int e, int panel, const curvature *kappa,
                               const double start[3], chain_gauss *g, double after[3],
                               double quaternion[4])
{
    const gauss_rule *rule = chain_rule(c, e);
    const double half = chain_half_extent(c, e, panel);
    double frames[9 * RULE_MOST], from[4];
    NAME(node_values) t;
    memcpy(from, quaternion, sizeof from);
    if (chain_panel_turns(c, e, panel))
        cord__darboux_frames(c->kinematics, kappa, 2 * chain_half_rotation(c, e, panel), from,
                             rule->n, rule->x, frames, quaternion);
    else
        for (int i = 0; i < rule->n; i++) q4_matrix(frames + 9 * i, from);
    for (int i = 0; i < rule->n; i++) {
        chain_flatten(c, frames + 9 * i);
        v3_copy(t[i], frames + 9 * i);
        NAME(clear_rest)(t[i], 3);
    }
    if (chain_panel_extends(c, e, panel))
        NAME(sum_parts)(rule, 3, start, half, t, g[0].at.r, GAUSS_DOUBLES, after);
    else
        v3_copy(after, start);
}

/* A panel, or a part of one that begins with it. */
INLINE void NAME(integrate_panel)(const chain_model *c, int e, int panel, double part,
                                  bool end_only, const chain_start *start, chain_gauss *g,
                                  chain_local *after, double end[4])
{
    const chain_local *before = &start->at;
    const gauss_rule *rule = chain_rule(c, e);
    double length = part * (2 * chain_half_rotation(c, e, panel)), frames[9 * RULE_MOST];
    if (chain_panel_turns(c, e, panel)) {
        cord__darboux_frames(c->kinematics, &start->kappa, length, start->quaternion, rule->n,
                             rule->x, frames, end);
        for (int i = 0; i < rule->n; i++) {
            chain_flatten(c, frames + 9 * i);
            memcpy(g[i].R, frames + 9 * i, sizeof g[i].R);
        }
        NAME(panel_turns)(c, e, panel, part, before, g, after);
    } else {
        q4_matrix(frames, start->quaternion);
        chain_flatten(c, frames);
        memcpy(end, start->quaternion, 4 * sizeof *end);
        for (int i = 0; i < rule->n; i++) {
            memcpy(g[i].R, frames, sizeof g[i].R);
            memcpy(g[i].at.W, before->W, sizeof before->W);
        }
        memcpy(after->W, before->W, sizeof before->W);
    }
    if (chain_panel_extends(c, e, panel)) {
        NAME(panel_extends)(c, e, panel, part, end_only, before, g, after);
    } else {
        for (int i = 0; i < rule->n; i++) {
            v3_copy(g[i].at.r, before->r);
            memcpy(g[i].at.P, before->P, sizeof before->P);
        }
        v3_copy(after->r, before->r);
        memcpy(after->P, before->P, sizeof before->P);
    }
}
