/* Shared by the terms of straight and curved segments: reading a segment, and adding to the terms of an element. */
#ifndef CORDAGE_STRAND_CABLE_TERMS_H
#define CORDAGE_STRAND_CABLE_TERMS_H

#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <string.h>

/* Eight at a time, since few are more and loops of any length cost more than they do. */
enum { LANES = 8 };

static inline void clear(double *x, int count)
{
    for (int i = 0; i < count; i += LANES) memset(x + i, 0, LANES * sizeof *x);
}

static inline void copy(double *to, const double *from, int count)
{
    for (int i = 0; i < count; i += LANES) memcpy(to + i, from + i, LANES * sizeof *to);
}

static inline void local_velocity(const cable *c, const cable_element *e, const double *v,
                                  double *out)
{
    for (int i = 0; i < e->count; i++) {
        int u = c->layout.unknown[e->first + i];
        out[i] = u < c->layout.dofs ? v[u] : 0;
    }
}

/* The velocity-dependent acceleration J̇ v of a point: the point is at `arm` from its carrier and moves with the
 * velocity `along` on its guide; `second` is the Hessian of the guide along that velocity. */
static inline void rotation_acceleration(const cable *c, int carrier, const double *v,
                                         const double arm[3], const double along[3],
                                         const double second[3], double out[3])
{
    v3_copy(out, second);
    if (carrier < 0 || !c->def.carrier[carrier].rotates) return;
    const double *w = v + cable_carrier_dof(c, carrier) + 3;
    double inner[3], outer[3];
    v3_cross(inner, w, arm);
    v3_axpy(inner, 2, along);
    v3_cross(outer, w, inner);
    v3_add(out, out, outer);
}

/* Hessian contracted with two vectors of coordinates a, b: Σ Hᵢⱼ aᵢ bⱼ, in the world. */
static inline void hessian_between(const double *axes, const double hessian[9], const double *a,
                                   const double *b, double out[3])
{
    double own[3];
    for (int k = 0; k < 3; k++)
        own[k] = hessian[k] * a[0] * b[0] + hessian[3 + k] * (a[0] * b[1] + a[1] * b[0]) +
                 hessian[6 + k] * a[1] * b[1];
    if (axes)
        m3_apply(out, axes, own);
    else
        v3_copy(out, own);
}

static inline void add_entry(element_terms *out, int i, int j, double value)
{
    if (i >= j) out->a[i][j] += value;
    if (j > i) out->a[j][i] += value;
}

typedef struct segment {
    double s[2], s_rate[2], s_second[2];
    int s_local[2];
    double v[ELEMENT_UNKNOWNS], a[ELEMENT_UNKNOWNS]; /* of the element's unknowns */
    double ds, ds_rate;
} segment;

static inline void read_segment(const cable *c, const cable_element *e, const element_input *in,
                                segment *g)
{
    for (int k = 0; k < 2; k++) {
        int dof = c->topology.node[e->node + k].s_dof;
        g->s[k] = cable_s(in->cache, e->node + k);
        g->s_local[k] = e->local[k].s;
        g->s_rate[k] = in->v && dof >= 0 ? in->v[dof] : 0;
        g->s_second[k] = in->a && dof >= 0 ? in->a[dof] : 0;
    }
    g->ds = g->s[1] - g->s[0];
    g->ds_rate = g->s_rate[1] - g->s_rate[0];
}

/* Also the rates needed for points between the ends. */
static inline void read_rates(const cable *c, const cable_element *e, const element_input *in,
                              segment *g)
{
    if (in->v) local_velocity(c, e, in->v, g->v);
    if (in->a) local_velocity(c, e, in->a, g->a);
}

/* Jacobian of the position of an element's node k over its coordinates and over the dofs of its
 * carriers; returns the number of dofs that the element has. */
enum { NODE_DOFS = NODE_COORDINATES + NODE_CARRIERS * CARRIER_DOFS };
static inline int node_jacobian(const cable *c, const cable_element *e, const double *cache, int k,
                                int local[NODE_DOFS], double dof[NODE_DOFS][3])
{
    const cable_node *n = c->topology.node + e->node + k;
    node_carrier on[NODE_CARRIERS];
    int count = 0, carriers = cord__node_carriers(c, cache, e->node + k, on);
    for (; count < n->count; count++) {
        local[count] = e->local[k].coordinates + count;
        v3_copy(dof[count], cable_jacobian(cache, e->node + k) + 3 * count);
    }
    for (int j = 0; j < carriers; j++)
        for (int i = 0; i < (c->def.carrier[on[j].carrier].rotates ? CARRIER_DOFS : 3);
             i++, count++) {
            double axis[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
            local[count] = e->local[k].carrier[j] + i;
            v3_scale(axis, on[j].weight, axis);
            if (i < 3)
                v3_copy(dof[count], axis);
            else
                v3_cross(dof[count], axis, on[j].arm);
        }
    return count;
}

static inline void add_scalar(element_terms *out, int local, double value)
{
    if (local >= 0) out->r[local] += value;
}

static inline void add_scalars(element_terms *out, int i, int j, double value)
{
    if (i >= 0 && j >= 0) add_entry(out, i, j, i == j ? 2 * value : value);
}

static inline void add_square(element_terms *out, int i, double value)
{
    if (i >= 0) out->a[i][i] += value;
}

/* Kinetic energy and momenta of material with velocity e at x. */
static inline void add_motion(double mass, const double x[3], const double e[3], element_terms *out)
{
    double moment[3];
    out->kinetic += 0.5 * mass * v3_dot(e, e);
    v3_axpy(out->linear, mass, e);
    v3_cross(moment, x, e);
    v3_axpy(out->angular, mass, moment);
}

/* ---- element.c ---------------------------------------------------------------------------------- */

/* Axial force of a segment of length l and natural length Δs [HCS 2011, eq. 11, 12]: an energy ½ EA
 * ε² Δs, or the multiplier of the row g = l − Δs. `gradient` is the gradient of l over the unknowns;
 * adds −Bᵀλ or ∂V/∂q, B, and the products of first derivatives. */
double cord__stretch(const cable *c, const cable_element *e, const element_input *in,
                     const segment *g, double l, const double *gradient, element_terms *out);

/* Along the tangent at either end of a straight segment: the inertia of the material, and drag, per natural length. */
void cord__straight_loads(const cable *c, const cable_element *e, const element_input *in,
                          double load[2]);

/* ---- bending.c ---------------------------------------------------------------------------------- */

/* Bending at a node, where the directions of its two segments differ. */
void cord__kink_terms(const cable *c, const cable_element *e, const element_input *in,
                      element_terms *out);

/* ---- curved.c ----------------------------------------------------------------------------------- */

/* All terms of a segment along a guide. */
void cord__curved_terms(const cable *c, const cable_element *e, const element_input *in,
                        element_terms *out);

/* ---- quadrature.c ------------------------------------------------------------------------------- */

/* Gauss's four-point rule: points and weights. */
extern const double cord__gauss[4][2];

/* Inertia and weight of a curved segment; its length, and the gradient of the length over the unknowns. */
double cord__quadrature_terms(const cable *c, const cable_element *e, const element_input *in,
                              double *gradient, element_terms *out);
/* A force on the material at α; and ∂x/∂s of the curve there. */
void cord__quadrature_push(const cable *c, const cable_element *e, const element_input *in,
                           double alpha, const double force[3], double r_s[3], element_terms *out);
/* As cord__straight_loads(), of the acceleration less `free`. */
void cord__curve_loads(const cable *c, const cable_element *e, const element_input *in,
                       const double free[3], double load[2]);
void cord__quadrature_energy(const cable *c, const cable_element *e, const element_input *in,
                             element_terms *out);

#endif
