/* Sums over Gauss nodes over a lane type (math/lane_type.h): LANES nodes of a panel at a time. `local` is c->local, a
 * constant where these are inlined for clothoids in space. */
#include "strand/chain/cumulate.h"

/* As chain_sums, of which each lane has a part. */
typedef struct NAME(sums) {
    REAL m0, m1[3], m2[6], mP[3 * LOCAL_MOST], mrP[3 * LOCAL_MOST];
    REAL own[LOCAL_MOST][LOCAL_MOST], rotation[6], bending[3 * LOCAL_MOST];
    REAL bent[LOCAL_MOST][LOCAL_MOST];
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
    for (int k = 0; k < count; k++) to[k] = NAME(sum)(from[k]);
}

INLINE void NAME(reduce)(const int local, const NAME(sums) * s, chain_sums *out)
{
    NAME(add_lanes)(&s->m0, 1, &out->m0);
    NAME(add_lanes)(s->m1, 3, out->m1);
    NAME(add_lanes)(s->m2, 6, out->m2);
    NAME(add_lanes)(s->rotation, 6, out->rotation);
    FOR3(k)
    {
        const int at = LOCAL_MOST * k;
        NAME(add_lanes)(s->mP + at, local, out->mP + at);
        NAME(add_lanes)(s->mrP + at, local, out->mrP + at);
        NAME(add_lanes)(s->bending + at, local, out->bending + at);
    }
    for (int j = 0; j < local; j++) {
        NAME(add_lanes)(s->own[j], j + 1, out->own[j]);
        NAME(add_lanes)(s->bent[j], local, out->bent[j]);
    }
}

INLINE void NAME(add_inertia)(const int local, const REAL *r, const REAL *P, REAL m, NAME(sums) * s)
{
    REAL mr[3];
    NAME(v3_scale)(mr, m, r);
    s->m0 += m;
    NAME(v3_add)(s->m1, s->m1, mr);
    s->m2[0] += mr[0] * r[0], s->m2[1] += mr[0] * r[1], s->m2[2] += mr[0] * r[2];
    s->m2[3] += mr[1] * r[1], s->m2[4] += mr[1] * r[2], s->m2[5] += mr[2] * r[2];
    for (int j = 0; j < local; j++) {
        REAL mp[3], moment[3];
        NAME(v3_scale)(mp, m, P + 3 * j);
        NAME(v3_cross)(moment, r, mp);
        FOR3(k) s->mP[k * LOCAL_MOST + j] += mp[k], s->mrP[k * LOCAL_MOST + j] += moment[k];
        for (int i = 0; i <= j; i++) s->own[j][i] += NAME(v3_dot)(mp, P + 3 * i);
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

/* N and M: internal force and moment at the nodes; `fraction` of the element there; `extent` and `rotation`: their weights
 * in the integral over the centreline, and in the integral of curvature. */
INLINE void NAME(add_stiffness)(const chain_model *c, const int local, const REAL *R, const REAL *W,
                                REAL fraction, const REAL *N, const REAL *M, REAL extent,
                                REAL rotation, NAME(sums) * s)
{
    REAL G[6], moment[3][3], half[LOCAL_MOST][3];
    NAME(pull_stiffness)(N, R, extent, G);
    for (int k = 0; k < 6; k++) s->rotation[k] += G[k];
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
            REAL bending = hat * about[k];
            s->bending[k * LOCAL_MOST + j] += pull[k] + bending;
            half[j][k] = 0.5 * pull[k] + bending;
        }
    }
    /* Half of a symmetric pair: fill_matrix() adds the transpose. */
    for (int j = 0; j < local; j++)
        for (int i = 0; i < local; i++) s->bent[j][i] += NAME(v3_dot)(half[j], W + 3 * i);
}

/* ---- the nodes of a panel ------------------------------------------------------------------------ */

#define DOUBLES_BEFORE(member) (offsetof(chain_gauss, member) / sizeof(double))

/* `force`: NULL where `mass`, that of half of the panel, is all inertia. */
INLINE void NAME(panel_inertia)(const gauss_rule *rule, const int local, const chain_gauss *g,
                                const chain_force *force, double mass, NAME(sums) * s)
{
    for (int i = 0; i < rule->n; i += LANES) {
        const double *node[LANES];
        REAL r[3], P[3 * LOCAL_MOST], m = mass * NAME(load)(rule->w + i);
        NAME_NODES(node, g, i, rule->n);
        NAME(take_row)(r, node, DOUBLES_BEFORE(at.r), 3);
        NAME(take_row)(P, node, DOUBLES_BEFORE(at.P), 3 * local);
        for (int l = 0; force && l < LANES && i + l < rule->n; l++)
            *NAME(lane)(&m, l) = force[i + l].inertia;
        NAME(add_inertia)(local, r, P, m, s);
    }
}

/* `first` and `each`: fraction of the element at the start of the part, and of its half-length. */
INLINE void NAME(panel_stiffness)(const chain_model *c, const gauss_rule *rule, const int local,
                                  const chain_gauss *g, const chain_load *load, double first,
                                  double each, double extent, double rotation, NAME(sums) * s)
{
    for (int i = 0; i < rule->n; i += LANES) {
        const double *node[LANES], *loads[LANES];
        REAL R[9], r[3], W[3 * LOCAL_MOST], NT[6], M[3], weight = NAME(load)(rule->w + i);
        NAME_NODES(node, g, i, rule->n);
        NAME_NODES(loads, load, i, rule->n);
        NAME(take_row)(R, node, DOUBLES_BEFORE(R), 9);
        NAME(take_row)(r, node, DOUBLES_BEFORE(at.r), 3);
        NAME(take_row)(W, node, DOUBLES_BEFORE(at.W), 3 * local);
        NAME(take_row)(NT, loads, 0, 6);
        NAME(v3_cross)(M, r, NT);
        NAME(v3_sub)(M, NT + 3, M);
        REAL fraction = first + each * (1 + NAME(load)(rule->x + i));
        NAME(add_stiffness)(c, local, R, W, fraction, NT, M, extent * weight, rotation * weight, s);
    }
}

/* Σ f, Σ r × f and Σ P·f. */
INLINE void NAME(panel_forces)(const gauss_rule *rule, const int local, const chain_gauss *g,
                               const chain_force *force, double *sum)
{
    REAL f[6 + LOCAL_MOST];
    for (int k = 0; k < 6 + local; k++) f[k] = NAME(broadcast)(0);
    for (int i = 0; i < rule->n; i += LANES) {
        const double *node[LANES], *forces[LANES];
        REAL r[3], P[3 * LOCAL_MOST], at[3], moment[3];
        NAME_NODES(node, g, i, rule->n);
        NAME_NODES(forces, force, i, rule->n);
        NAME(take_row)(r, node, DOUBLES_BEFORE(at.r), 3);
        NAME(take_row)(P, node, DOUBLES_BEFORE(at.P), 3 * local);
        NAME(take_row)(at, forces, 0, 3);
        for (int l = 0; l < LANES; l++) FOR3(k) if (i + l >= rule->n) * NAME(lane)(at + k, l) = 0;
        NAME(v3_cross)(moment, r, at);
        FOR3(k) f[k] += at[k], f[3 + k] += moment[k];
        for (int j = 0; j < local; j++) f[6 + j] += NAME(v3_dot)(P + 3 * j, at);
    }
    NAME(add_lanes)(f, 6 + local, sum);
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
        const double over = 1 / rule->w[j];
        v3_copy(f[j], force[j].f);
        v3_cross(f[j] + 3, g[j].at.r, force[j].f);
        for (int k = 0; k < 6; k++) start[k] -= f[j][k], f[j][k] *= over;
        NAME(clear_rest)(f[j], 6);
    }
    NAME(sum_parts)(rule, 6, start, 1, f, load[0].force, 6, end);
    memcpy(end, start, sizeof start);
}

INLINE void NAME(stiffen_panel)(const chain_model *c, const int local, int e, int panel,
                                double part, const chain_gauss *g, const chain_load *load,
                                double c_k, NAME(sums) * s)
{
    const double panels = chain_panels(c, e);
    NAME(panel_stiffness)
    (c, chain_rule(c, e), local, g, load, panel / panels, 0.5 * part / panels,
     c_k * part * chain_half_extent(c, e, panel), c_k * part * chain_half_rotation(c, e, panel), s);
}

INLINE void NAME(element_sums)(const chain_model *c, const int local, const double *cache, int e,
                               const chain_force *force, const double *lambda, double c_k,
                               chain_sums *out)
{
    const chain_local *last = chain_end(c, cache, e);
    const gauss_rule *rule = chain_rule(c, e);
    double end[6] = {0};
    chain_load load[RULE_MOST];
    NAME(sums) s;
    NAME(clear)(&s);
    if (force) force += chain_heavy_before(c, e + 1) - chain_heavy_before(c, e);
    for (int k = 0; lambda && k < 3; k++) end[k] = -lambda[k];
    if (lambda) v3_cross(end + 3, last->r, end);
    for (int k = 3; lambda && k < 6; k++) end[k] -= lambda[k];
    for (int panel = chain_panels(c, e) - 1; panel >= 0; panel--) {
        const chain_gauss *g = chain_gausses(c, cache, e, panel);
        const bool extends = chain_panel_extends(c, e, panel);
        const double mass = chain_half_extent(c, e, panel) * c->section.mass;
        if (extends && force) force -= rule->n;
        if (extends) NAME(panel_inertia)(rule, local, g, force, mass, &s);
        if (!lambda) continue;
        NAME(loads_beyond)(rule, g, force, extends, end, load);
        NAME(stiffen_panel)(c, local, e, panel, 1, g, load, c_k, &s);
    }
    NAME(reduce)(local, &s, out);
}

INLINE void NAME(sums_of_element)(const chain_model *c, const double *cache, int e,
                                  const chain_force *force, const double *lambda, double c_k,
                                  chain_sums *s)
{
    if (c->local == LOCAL_MOST)
        NAME(element_sums)(c, LOCAL_MOST, cache, e, force, lambda, c_k, s);
    else
        NAME(element_sums)(c, c->local, cache, e, force, lambda, c_k, s);
}

INLINE void NAME(sums_of_part)(const chain_model *c, int e, int panel, double part,
                               const chain_gauss *g, const chain_load *load, double c_k,
                               chain_sums *out)
{
    NAME(sums) s;
    NAME(clear)(&s);
    NAME(stiffen_panel)(c, c->local, e, panel, part, g, load, c_k, &s);
    NAME(reduce)(c->local, &s, out);
}

INLINE void NAME(collect_forces)(const chain_model *c, int e, const chain_gauss *g,
                                 const chain_force *force, double *r)
{
    const gauss_rule *rule = chain_rule(c, e);
    double sum[6 + LOCAL_MOST], *at = r + chain_dof(c, e);
    if (c->local == LOCAL_MOST)
        NAME(panel_forces)(rule, LOCAL_MOST, g, force, sum);
    else
        NAME(panel_forces)(rule, c->local, g, force, sum);
    for (int k = 0; k < 6; k++) at[k] += sum[k];
    for (int j = 0; j < c->local; j++) r[chain_local_dof(c, e, j)] += sum[6 + j];
}
