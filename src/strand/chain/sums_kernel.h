/* Sums over Gauss nodes over a lane type (math/lane_type.h): LANES nodes of a panel at a time. `local` is c->local, a
 * constant where these are inlined for clothoids in space. */
#include "strand/chain/cumulate.h"

/* As chain_sums, of which each lane has a part. */
typedef struct NAME(sums) {
    REAL force[6 + LOCAL_MOST], m0, m1[3], m2[6], rotation[6], mP[3 * LOCAL_MOST],
        moment[3 * LOCAL_MOST];
    REAL own[LOCAL_MOST][LOCAL_MOST];
} NAME(sums);

INLINE void NAME(clear)(NAME(sums) * s)
{
    REAL *first = (REAL *)s;
    for (size_t i = 0; i < sizeof *s / sizeof *first; i++) first[i] = NAME(broadcast)(0);
}

/* The nodes of the lanes: those beyond the last node repeat it, and have no weight. */
INLINE void NAME(point_to)(const double **from, const double *first, size_t doubles, int i,
                           int count)
{
    FOR_LANES(l) from[l] = first + doubles * (size_t)(i + l < count ? i + l : count - 1);
}
#define NAME_NODES(from, g, i, count)                                                              \
    NAME(point_to)(from, (const double *)(g), sizeof *(g) / sizeof(double), i, count)

/* `count` consecutive doubles of each lane. */
INLINE void NAME(take_row)(REAL *r, const double *const *from, size_t offset, const int count)
{
    int k = 0;
#if LANES == 2 || LANES == 4
    for (; k + LANES <= count; k += LANES) {
        FOR_LANES(l) r[k + l] = NAME(load)(from[l] + offset + (size_t)k);
        NAME(transpose)(r + k);
    }
#endif
    for (; k < count; k++) r[k] = NAME(take)(from, (int)offset + k);
}

/* The sums over the lanes of `count` values. */
INLINE void NAME(add_lanes)(const REAL *from, int count, double *to)
{
    int k = 0;
#if LANES == 2 || LANES == 4
    for (; k + LANES <= count; k += LANES) {
        REAL v[LANES], sum;
        FOR_LANES(l) v[l] = from[k + l];
        NAME(transpose)(v);
        sum = v[0];
        for (int l = 1; l < LANES; l++) sum += v[l];
        NAME(store)(to + k, sum);
    }
#endif
    for (; k < count; k++) to[k] = NAME(sum)(from[k]);
}

INLINE void NAME(reduce)(const int local, const NAME(sums) * s, chain_sums *out)
{
    NAME(add_lanes)(s->force, 6 + local, out->force);
    NAME(add_lanes)(&s->m0, 1, &out->m0);
    NAME(add_lanes)(s->m1, 3, out->m1);
    NAME(add_lanes)(s->m2, 6, out->m2);
    NAME(add_lanes)(s->rotation, 6, out->rotation);
    FOR3(k)
    {
        const int at = LOCAL_MOST * k;
        NAME(add_lanes)(s->mP + at, local, out->mP + at);
        NAME(add_lanes)(s->moment + at, local, out->moment + at);
    }
    for (int j = 0; j < local; j++) NAME(add_lanes)(s->own[j], j + 1, out->own[j]);
}

/* The inertia of a node that moves with v + ω × r + P κ̇: with itself and with the curvature components, but for those
 * among each other. mP: m P. */
INLINE void NAME(add_inertia)(const int local, const REAL *r, const REAL *P, REAL m, NAME(sums) * s,
                              REAL *mP)
{
    REAL mr[3];
    NAME(v3_scale)(mr, m, r);
    s->m0 += m;
    NAME(v3_add)(s->m1, s->m1, mr);
    s->m2[0] += mr[0] * r[0], s->m2[1] += mr[0] * r[1], s->m2[2] += mr[0] * r[2];
    s->m2[3] += mr[1] * r[1], s->m2[4] += mr[1] * r[2], s->m2[5] += mr[2] * r[2];
    for (int j = 0; j < local; j++) {
        NAME(v3_scale)(mP + 3 * j, m, P + 3 * j);
        FOR3(k) s->mP[k * LOCAL_MOST + j] += mP[3 * j + k];
    }
}

/* N·t − ½(N tᵀ + t Nᵀ), as xx xy xz yy yz zz */
INLINE void NAME(pull_stiffness)(const REAL *N, const REAL *t, REAL weight, REAL *g)
{
    REAL d = weight * NAME(v3_dot)(N, t), h = 0.5 * weight;
    g[0] = d - weight * N[0] * t[0], g[3] = d - weight * N[1] * t[1];
    g[5] = d - weight * N[2] * t[2];
    g[1] = -h * (N[0] * t[1] + N[1] * t[0]), g[2] = -h * (N[0] * t[2] + N[2] * t[0]);
    g[4] = -h * (N[1] * t[2] + N[2] * t[1]);
}

/* The geometric stiffness at nodes with the internal force N and moment M: of ω with ω, and in `bending` of ω with the curvature
 * components; `half` of these with W_i is half of the symmetric pair that they have among each other. `fraction` of the element
 * there; `extent` and `rotation`: weights in the integral over the centreline, and in the integral of curvature. */
INLINE void NAME(stiffness_at)(const chain_model *c, const int local, const REAL *R, const REAL *W,
                               REAL fraction, const REAL *N, const REAL *M, REAL extent,
                               REAL rotation, REAL *omega, REAL *bending, REAL *half)
{
    REAL G[6], moment[3][3];
    NAME(pull_stiffness)(N, R, extent, G);
    for (int k = 0; k < 6; k++) omega[k] += G[k];
    FOR3(axis)
    {
        NAME(v3_cross)(moment[axis], M, R + 3 * axis);
        NAME(v3_scale)(moment[axis], 0.5 * rotation, moment[axis]);
    }
    for (int j = 0; j < local; j++) {
        const REAL *w = W + 3 * j, *about = moment[c->planar ? 2 : j % 3];
        REAL hat = NAME(broadcast)(1);
        if (c->kind == ELEMENT_CLOTHOID) hat = j < local / 2 ? 1 - fraction : fraction;
        REAL pull[3] = {G[0] * w[0] + G[1] * w[1] + G[2] * w[2],
                        G[1] * w[0] + G[3] * w[1] + G[4] * w[2],
                        G[2] * w[0] + G[4] * w[1] + G[5] * w[2]};
        FOR3(k)
        {
            const REAL bent = hat * about[k];
            bending[3 * j + k] = pull[k] + bent;
            half[3 * j + k] = 0.5 * pull[k] + bent;
        }
    }
}

/* The inertia m and the geometric stiffness of nodes, where they are asked for. NT: internal force and moment about the first
 * node of the element. */
INLINE void NAME(add_node)(const chain_model *c, const int local, const bool heavy,
                           const bool stiff, const REAL *r, const REAL *P, REAL m, const REAL *R,
                           const REAL *W, const REAL *NT, REAL fraction, REAL extent, REAL rotation,
                           NAME(sums) * s)
{
    REAL mP[3 * LOCAL_MOST], bending[3 * LOCAL_MOST], half[3 * LOCAL_MOST];
    if (heavy) NAME(add_inertia)(local, r, P, m, s, mP);
    if (stiff) {
        REAL M[3];
        NAME(v3_cross)(M, r, NT);
        NAME(v3_sub)(M, NT + 3, M);
        NAME(stiffness_at)
        (c, local, R, W, fraction, NT, M, extent, rotation, s->rotation, bending, half);
    }
    for (int j = 0; j < local; j++) {
        REAL sum[3] = {NAME(broadcast)(0), NAME(broadcast)(0), NAME(broadcast)(0)};
        if (heavy) NAME(v3_cross)(sum, r, mP + 3 * j);
        if (stiff) NAME(v3_add)(sum, sum, bending + 3 * j);
        FOR3(k) s->moment[k * LOCAL_MOST + j] += sum[k];
        for (int k = 0; k <= j; k++) {
            REAL own = s->own[j][k];
            if (heavy) own += NAME(v3_dot)(mP + 3 * j, P + 3 * k);
            if (stiff) {
                own += NAME(v3_dot)(half + 3 * j, W + 3 * k);
                own += NAME(v3_dot)(half + 3 * k, W + 3 * j);
            }
            s->own[j][k] = own;
        }
    }
}

/* ---- the nodes of a panel ------------------------------------------------------------------------ */

#define DOUBLES_BEFORE(member) (offsetof(chain_gauss, member) / sizeof(double))

/* The weights of a panel in integrals over the centreline and of curvature, and the fraction of the element at its start and of
 * its half-length. */
typedef struct NAME(panel_weights) {
    double mass, extent, rotation, first, each;
} NAME(panel_weights);

/* Forces of the nodes from i on; those of lanes beyond the last node are zero. */
INLINE void NAME(take_forces)(const gauss_rule *rule, const chain_force *force, int i, REAL *f)
{
    const double *forces[LANES];
    NAME_NODES(forces, force, i, rule->n);
    NAME(take_row)(f, forces, 0, 3);
    for (int l = 0; l < LANES; l++) FOR3(k) if (i + l >= rule->n) * NAME(lane)(f + k, l) = 0;
}

/* Σ f, Σ r × f and Σ P·f. */
INLINE void NAME(add_forces)(const int local, const REAL *r, const REAL *P, const REAL *f,
                             REAL *sum)
{
    REAL moment[3];
    NAME(v3_cross)(moment, r, f);
    FOR3(k) sum[k] += f[k], sum[3 + k] += moment[k];
    for (int j = 0; j < local; j++) sum[6 + j] += NAME(v3_dot)(P + 3 * j, f);
}

/* All nodes of a panel. `force`: NULL where of->mass is all inertia. */
INLINE void NAME(panel_terms)(const chain_model *c, const gauss_rule *rule, const int local,
                              const bool heavy, const bool stiff, const chain_gauss *g,
                              const chain_force *force, const chain_load *load,
                              const NAME(panel_weights) * of, NAME(sums) * s)
{
    for (int i = 0; i < rule->n; i += LANES) {
        const double *node[LANES], *loads[LANES];
        const REAL weight = NAME(load)(rule->w + i);
        const REAL fraction = of->first + of->each * (1 + NAME(load)(rule->x + i));
        REAL R[9], r[3], P[3 * LOCAL_MOST], W[3 * LOCAL_MOST], NT[6], f[3], m = of->mass * weight;
        NAME_NODES(node, g, i, rule->n);
        NAME(take_row)(r, node, DOUBLES_BEFORE(at.r), 3);
        if (heavy) NAME(take_row)(P, node, DOUBLES_BEFORE(at.P), 3 * local);
        for (int l = 0; force && l < LANES && i + l < rule->n; l++)
            *NAME(lane)(&m, l) = force[i + l].inertia;
        if (heavy && force) {
            NAME(take_forces)(rule, force, i, f);
            NAME(add_forces)(local, r, P, f, s->force);
        }
        if (stiff) {
            NAME_NODES(loads, load, i, rule->n);
            NAME(take_row)(R, node, DOUBLES_BEFORE(R), 9);
            NAME(take_row)(W, node, DOUBLES_BEFORE(at.W), 3 * local);
            NAME(take_row)(NT, loads, 0, 6);
        }
        NAME(add_node)
        (c, local, heavy, stiff, r, P, m, R, W, NT, fraction, of->extent * weight,
         of->rotation * weight, s);
    }
}

INLINE void NAME(panel_forces)(const gauss_rule *rule, const int local, const chain_gauss *g,
                               const chain_force *force, double *sum)
{
    REAL total[6 + LOCAL_MOST];
    for (int k = 0; k < 6 + local; k++) total[k] = NAME(broadcast)(0);
    for (int i = 0; i < rule->n; i += LANES) {
        const double *node[LANES];
        REAL r[3], P[3 * LOCAL_MOST], f[3];
        NAME_NODES(node, g, i, rule->n);
        NAME(take_row)(r, node, DOUBLES_BEFORE(at.r), 3);
        NAME(take_row)(P, node, DOUBLES_BEFORE(at.P), 3 * local);
        NAME(take_forces)(rule, force, i, f);
        NAME(add_forces)(local, r, P, f, total);
    }
    NAME(add_lanes)(total, 6 + local, sum);
}

#undef DOUBLES_BEFORE
#undef NAME_NODES

/* ---- an element ---------------------------------------------------------------------------------- */

/* Force and moment about the first node of all loads beyond each Gauss node of a panel, from those beyond its end, which
 * become those beyond its start. */
INLINE void NAME(loads_beyond)(const gauss_rule *rule, const chain_gauss *g,
                               const chain_force *force, bool extends, double end[6],
                               chain_load *load)
{
    const int n = rule->n;
    double start[6];
    NAME(node_values) f;
    if (!extends) {
        for (int i = 0; i < n; i++) memcpy(load + i, end, sizeof *load);
        return;
    }
    memcpy(start, end, sizeof start);
    for (int j = 0; j < n; j++) { /* densities: the load beyond a node includes part of its own */
        const double over = rule->inverse_w[j];
        v3_copy(f[j], force[j].f);
        v3_cross(f[j] + 3, g[j].at.r, force[j].f);
        for (int k = 0; k < 6; k++) start[k] -= f[j][k], f[j][k] *= over;
        NAME(clear_rest)(f[j], 6);
    }
    NAME(sum_parts)(rule, 6, start, 1, f, load[0].force, 6, end);
    memcpy(end, start, sizeof start);
}

INLINE NAME(panel_weights)
    NAME(weights_of)(const chain_model *c, int e, int panel, double part, double c_k)
{
    const double panels = chain_panels(c, e);
    return (NAME(panel_weights)){.mass = chain_half_extent(c, e, panel) * c->section.mass,
                                 .extent = c_k * part * chain_half_extent(c, e, panel),
                                 .rotation = c_k * part * chain_half_rotation(c, e, panel),
                                 .first = panel / panels,
                                 .each = 0.5 * part / panels};
}

INLINE void NAME(element_sums)(const chain_model *c, const int local, const bool stiff,
                               const double *cache, int e, const chain_force *force,
                               const double *lambda, double c_k, chain_sums *out)
{
    const chain_local *last = chain_end(c, cache, e);
    const gauss_rule *rule = chain_rule(c, e);
    double end[6] = {0};
    chain_load load[RULE_MOST];
    NAME(sums) s;
    NAME(clear)(&s);
    if (force) force += chain_heavy_before(c, e + 1) - chain_heavy_before(c, e);
    if (stiff) {
        for (int k = 0; k < 3; k++) end[k] = -lambda[k];
        v3_cross(end + 3, last->r, end);
        for (int k = 3; k < 6; k++) end[k] -= lambda[k];
    }
    for (int panel = chain_panels(c, e) - 1; panel >= 0; panel--) {
        const chain_gauss *g = chain_gausses(c, cache, e, panel);
        const bool extends = chain_panel_extends(c, e, panel);
        const NAME(panel_weights) of = NAME(weights_of)(c, e, panel, 1, c_k);
        if (extends && force) force -= rule->n;
        if (stiff) NAME(loads_beyond)(rule, g, force, extends, end, load);
        if (local == LOCAL_MOST || extends)
            NAME(panel_terms)(c, rule, local, true, stiff, g, force, load, &of, &s);
        else if (stiff)
            NAME(panel_terms)(c, rule, local, false, true, g, NULL, load, &of, &s);
    }
    NAME(reduce)(local, &s, out);
}

INLINE void NAME(sums_of_element)(const chain_model *c, const double *cache, int e,
                                  const chain_force *force, const double *lambda, double c_k,
                                  chain_sums *s)
{
    if (c->local == LOCAL_MOST && lambda)
        NAME(element_sums)(c, LOCAL_MOST, true, cache, e, force, lambda, c_k, s);
    else if (lambda)
        NAME(element_sums)(c, c->local, true, cache, e, force, lambda, c_k, s);
    else
        NAME(element_sums)(c, c->local, false, cache, e, force, lambda, c_k, s);
}

INLINE void NAME(sums_of_part)(const chain_model *c, int e, int panel, double part,
                               const chain_gauss *g, const chain_load *load, double c_k,
                               chain_sums *out)
{
    const NAME(panel_weights) of = NAME(weights_of)(c, e, panel, part, c_k);
    NAME(sums) s;
    NAME(clear)(&s);
    NAME(panel_terms)(c, chain_rule(c, e), c->local, false, true, g, NULL, load, &of, &s);
    NAME(reduce)(c->local, &s, out);
}

INLINE void NAME(forces_of_panel)(const chain_model *c, int e, const chain_gauss *g,
                                  const chain_force *force, double *sum)
{
    const gauss_rule *rule = chain_rule(c, e);
    if (c->local == LOCAL_MOST)
        NAME(panel_forces)(rule, LOCAL_MOST, g, force, sum);
    else
        NAME(panel_forces)(rule, c->local, g, force, sum);
}
