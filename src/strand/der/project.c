/* Discrete elastic rods: inextensibility by fast manifold projection [DER 2008, sec. 8.1].
 *
 * Each iteration is one Newton step of min ½ ΔxᵀMΔx subject to C(x + Δx) = 0, linearised at the
 * current configuration:
 *
 *     (J M⁻¹ Jᵀ) λ = −C,   x ← x + M⁻¹ Jᵀ λ,   C_j = (e_j·e_j − ē_j²)/(2 ē_j),   J_j = (−e_j, e_j)/ē_j.
 *
 * The matrix is tridiagonal for an open rod and cyclic tridiagonal for a closed one. Vertices whose
 * inverse mass is zero do not move. */
#include "math/tridiagonal.h"
#include "math/vec3.h"
#include "strand/der/der.h"

/* The system at x; returns the largest |e·e/ē² − 1|. */
static double length_system(const der *d, const double *x, const double *inverse_mass, double *unit,
                            double *diagonal, double *off, double *rhs)
{
    double worst = 0;
    for (int j = 0; j < d->edges; j++) {
        double *u = unit + 3 * j, inverse = 1 / d->rest[j];
        v3_sub(u, x + 3 * der_next(d, j), x + 3 * j);
        v3_scale(u, inverse, u);
        double square = v3_dot(u, u), error = square - 1;
        double w = inverse_mass[4 * j] + inverse_mass[4 * der_next(d, j)];
        if (!(fabs(error) <= worst)) worst = fabs(error); /* a NaN stays visible */
        /* An edge between two prescribed vertices has an empty row; a unit diagonal entry keeps the
         * matrix regular. */
        diagonal[j] = w > 0 ? w * square : 1;
        rhs[j] = w > 0 ? -0.5 * d->rest[j] * error : 0;
    }
    for (int j = 0; j < d->edges; j++) {
        int next = j + 1 < d->edges ? j + 1 : 0;
        off[j] = -inverse_mass[4 * der_next(d, j)] * v3_dot(unit + 3 * j, unit + 3 * next);
    }
    return worst;
}

int cord__der_project(const void *model, const double *q, double *increment,
                      const double *inverse_mass, double *multipliers, double tolerance,
                      int max_iterations, double *work)
{
    const der *d = model;
    int n = d->n, edges = d->edges;
    double *x = work, *unit = x + 3 * n, *diagonal = unit + 3 * edges, *off = diagonal + edges;
    double *lambda = off + edges, *cyclic = lambda + edges;
    for (int i = 0; i < n; i++) v3_add(x + 3 * i, q + 3 * i, increment + 4 * i);
    for (int iteration = 0; iteration <= max_iterations; iteration++) {
        double error = length_system(d, x, inverse_mass, unit, diagonal, off, lambda);
        if (!isfinite(error)) return -1;
        if (error <= tolerance) {
            for (int i = 0; i < n; i++) v3_sub(increment + 4 * i, x + 3 * i, q + 3 * i);
            return iteration;
        }
        if (d->closed)
            cord__cyclic_solve(edges, diagonal, off, off[edges - 1], lambda, cyclic);
        else
            cord__tridiagonal_solve(edges, diagonal, off, lambda);
        for (int j = 0; j < edges; j++) {
            int next = der_next(d, j);
            multipliers[j] += lambda[j];
            v3_axpy(x + 3 * j, -inverse_mass[4 * j] * lambda[j], unit + 3 * j);
            v3_axpy(x + 3 * next, inverse_mass[4 * next] * lambda[j], unit + 3 * j);
        }
    }
    return -1;
}
