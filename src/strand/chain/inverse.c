/* Inverse statics [SC 2012, sec. 5.2]: the natural curvature for which the current configuration is
 * an equilibrium, and the stability of that equilibrium.
 *
 * The potential energy is ½ (κ − κ₀)ᵀK(κ − κ₀) + E(κ), E that of the loads; at equilibrium κ₀ = κ +
 * K⁻¹ ∂E/∂κ [SC 2012, eq. 22]. The Hessian is K + G with G = ∂²E, which does not depend on K or κ₀.
 * With all stiffnesses multiplied by s the equilibrium is stable if s K + G is positive definite
 * [SC 2012, eq. 23]. */
#include "math/dense.h"
#include "math/eigen.h"
#include "math/tridiagonal.h"
#include "math/vec3.h"
#include "strand/chain/chain.h"

#include <string.h>

/* As definitions have them: about the first director, about the second, twist. */
static void expand(double *to, const double *from)
{
    v3_set(to, from[1], from[2], from[0]);
}

void cord__chain_elements(const void *model, const double *q, double *curvatures, double *natural)
{
    const chain_model *c = model;
    for (int i = 0; curvatures && i < curvature_count(c->kind, c->bars); i++) {
        double full[3] = {0, 0, 0};
        for (int k = 0; k < c->numbers; k++) full[chain_axis(c, k)] = chain_kappa(c, q, i)[k];
        expand(curvatures + 3 * i, full);
    }
    for (int i = 0; natural && i < 2 * c->bars; i++) expand(natural + 3 * i, c->natural + 3 * i);
}

/* Generalised forces over all dofs, reduced to the base and the curvatures; λ are the internal
 * forces at the nodes. */
void cord__chain_reduce(const void *model, const double *cache, double *r, double *lambda)
{
    const chain_model *c = model;
    for (int e = c->elements - 1; e >= 0; e--) {
        const chain_local *end = chain_end(c, cache, e);
        double *from = r + chain_dof(c, e), *to = r + chain_dof(c, e + 1), moment[3];
        memcpy(lambda + 6 * e, to, 6 * sizeof *to);
        v3_cross(moment, end->r, to);
        for (int k = 0; k < 3; k++) from[k] += to[k], from[3 + k] += to[3 + k] + moment[k];
        for (int j = 0; j < c->local; j++)
            r[chain_local_dof(c, e, j)] +=
                v3_dot(to, end->P + 3 * j) + v3_dot(to + 3, end->W + 3 * j);
        memset(to, 0, 6 * sizeof *to);
    }
}

/* κ₀ += K⁻¹ r, continuous at nodes. `work`: 3 values per knot. */
static void shift_natural(chain_model *c, const double *r, double *work)
{
    int knots = chain_knots(c);
    for (int k = 0; k < c->numbers; k++) {
        int axis = chain_axis(c, k);
        double *d = work, *off = d + knots, *b = off + knots;
        memset(work, 0, (size_t)(3 * knots) * sizeof *work);
        for (int e = 0; e < c->elements; e++) {
            double l = c->stiffness[axis] * c->length[e];
            if (c->kind == ELEMENT_CLOTHOID) {
                d[e] += l / 3, d[e + 1] += l / 3, off[e] = l / 6;
            } else {
                d[e] = c->kind == ELEMENT_HELIX ? l : c->stiffness[axis] * cord__chain_joint(c, e);
            }
        }
        for (int i = 0; i < knots; i++) b[i] = r[chain_dof(c, i) + 6 + k];
        cord__tridiagonal_solve(knots, d, off, b);
        for (int e = 0; e < c->elements; e++) {
            c->natural[6 * e + axis] += b[e];
            c->natural[6 * e + 3 + axis] += b[c->kind == ELEMENT_CLOTHOID ? e + 1 : e];
        }
    }
}

cord_status cord__chain_rest(void *model, memory *m, const double *r)
{
    chain_model *c = model;
    double *work = NEW(m, double, 3 * chain_knots(c));
    if (!work) return CORD_ERROR_MEMORY;
    shift_natural(c, r, work);
    cord__release(m, work);
    return CORD_OK;
}

void cord__chain_stiffen_all(void *model, double factor)
{
    chain_model *c = model;
    for (int k = 0; k < 3; k++) c->stiffness[k] *= factor;
    for (int k = 0; k < 2; k++) c->section.bending[k] *= factor;
    c->section.twisting *= factor;
    c->section.stretching *= factor;
}

/* ---- stability ------------------------------------------------------------------------------- */

static void add_elastic(const chain_model *c, double scale, int n, double *a)
{
    for (int e = 0; e < c->elements; e++)
        for (int k = 0; k < c->numbers; k++) {
            int axis = chain_axis(c, k), i = 6 + c->numbers * e + k, j = i + c->numbers;
            double l = scale * c->stiffness[axis] * c->length[e];
            if (c->kind == ELEMENT_SEGMENT)
                l = scale * c->stiffness[axis] * cord__chain_joint(c, e);
            if (c->kind == ELEMENT_CLOTHOID) {
                a[i * n + i] += l / 3, a[j * n + j] += l / 3;
                a[i * n + j] += l / 6, a[j * n + i] += l / 6;
            } else {
                a[i * n + i] += l;
            }
        }
}

/* The free dofs of the base have no elastic stiffness: the loads alone must make them stable; they
 * are then eliminated. G becomes the Schur complement over the curvatures, packed; false: they are
 * not stable. Directions of zero stiffness (a rotation about the vertical) are excluded. */
static bool settle_base(int n, const unsigned char *prescribed, double *G, double *work)
{
    double pivot_floor = 0;
    for (int i = 0; i < n; i++) pivot_floor = fmax(pivot_floor, 1e-12 * fabs(G[i * n + i]));
    for (int k = 5; k >= 0; k--) {
        double pivot = G[k * n + k];
        if (prescribed[k] || fabs(pivot) <= pivot_floor) continue;
        if (pivot < 0) return false;
        for (int i = 0; i < n; i++) work[i] = G[k * n + i] / pivot;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                if (i != k && j != k) G[j * n + i] -= work[i] * pivot * work[j];
    }
    for (int j = 6; j < n; j++)
        for (int i = 6; i < n; i++) G[(j - 6) * (n - 6) + i - 6] = G[j * n + i];
    return true;
}

static cord_status analyse(const chain_model *c, const unsigned char *prescribed, double *G,
                           double *K, double *values, double *work, double *copy,
                           strand_stability *out)
{
    int n = chain_free_count(c), k = n - 6;
    add_elastic(c, -1, n, G);
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    add_elastic(c, 1, n, K);
    for (int j = 6; j < n; j++)
        for (int i = 6; i < n; i++) K[(j - 6) * k + i - 6] = K[j * n + i];
    *out = (strand_stability){.base = settle_base(n, prescribed, G, values)};
    if (!out->base) return CORD_OK;
    memcpy(copy, G, (size_t)(k * k) * sizeof *copy);
    if (cord__eigen(k, k, copy, false, values, work) != EIGEN_OK) return CORD_ERROR_NOT_CONVERGED;
    out->lowest_load = values[0];
    memcpy(copy, K, (size_t)(k * k) * sizeof *copy);
    if (cord__eigen(k, k, copy, false, values, work) != EIGEN_OK) return CORD_ERROR_NOT_CONVERGED;
    out->lowest_elastic = values[0];
    if (cord__eigen_generalised(k, k, G, K, false, values, work) != EIGEN_OK)
        return CORD_ERROR_NOT_CONVERGED;
    out->sharp_factor = -values[0];
    return CORD_OK;
}

cord_status cord__chain_stability(const void *model, memory *m, const unsigned char *prescribed,
                                  const double *own, strand_stability *out)
{
    const chain_model *c = model;
    int n = chain_free_count(c);
    double *space = NEW(m, double, 3 * n * n + n + EIGEN_WORK(n));
    if (!space) return CORD_ERROR_MEMORY;
    double *G = space, *K = G + n * n, *copy = K + n * n, *values = copy + n * n;
    cord__chain_dense(c, own, n, G);
    cord_status status = analyse(c, prescribed, G, K, values, values + n, copy, out);
    cord__release(m, space);
    return status;
}
