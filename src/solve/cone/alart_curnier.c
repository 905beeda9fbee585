/* The equations of Alart and Curnier [1991], in units of force, with z = p − (ρ_N u_N, ρ_T u_T):
 *
 *     F_N = p_N − max(z_N, 0),
 *     F_T = p_T − the nearest point to z_T of the disc of radius μ max(z_N, 0).
 *
 * ρ_N = 1/W_NN and ρ_T = 2/tr W_TT make W_ii ρ about the identity. */
#include "solve/cone/cone_system.h"

#include "math/vec3.h"

#include <string.h>

typedef struct augmented {
    double rho[2], z[3];
    double length, radius; /* |z_T|, μ z_N */
    bool open, stick;
} augmented;

static augmented augment(const cone_system *s, int i, const double *p, const double *u)
{
    const double *W = s->diagonal + 9 * i;
    double least = 1e-12 * s->scale[i]; /* where no force moves the contact in one direction */
    augmented a = {.open = !(s->scale[i] > 0)};
    if (a.open) return a;
    a.rho[0] = 1 / fmax(W[0], least), a.rho[1] = 1 / fmax(0.5 * (W[4] + W[8]), least);
    v3_set(a.z, p[0] - a.rho[0] * u[0], p[1] - a.rho[1] * u[1], p[2] - a.rho[1] * u[2]);
    a.open = !(a.z[0] > 0);
    a.length = hypot(a.z[1], a.z[2]);
    a.radius = s->problem->friction[i] * a.z[0];
    a.stick = a.radius > 0 && a.length <= a.radius;
    return a;
}

bool cord__alart_curnier(const cone_system *s, int contact, const double *p, const double *u,
                         double *F)
{
    augmented a = augment(s, contact, p, u);
    v3_copy(F, p);
    if (a.open) return false;
    double scale = a.stick ? 1 : a.length > 0 ? a.radius / a.length : 0;
    F[0] -= a.z[0];
    for (int k = 1; k < 3; k++) F[k] -= scale * a.z[k];
    return true;
}

/* ∂F = ∂p − G ∂z, ∂z = ∂p − ρ ∂u. In slip, with the unit vector e = z_T/|z_T| and k = μ z_N/|z_T|,
 *
 *     G_TN = μ e,     G_TT = k (I − e eᵀ). */
bool cord__alart_curnier_derivatives(const cone_system *s, int contact, const double *p,
                                     const double *u, double *by_force, double *by_velocity)
{
    augmented a = augment(s, contact, p, u);
    double G[9] = {0}, mu = s->problem->friction[contact];
    if (!a.open) G[0] = 1;
    if (a.stick)
        G[4] = G[8] = 1;
    else if (!a.open && a.length > 0) {
        double x = a.z[1] / a.length, y = a.z[2] / a.length, k = a.radius / a.length;
        double slip[9] = {1, 0, 0, mu * x, k * y * y, -k * x * y, mu * y, -k * x * y, k * x * x};
        memcpy(G, slip, sizeof slip);
    }
    for (int k = 0; k < 9; k++) {
        by_force[k] = (k % 4 == 0) - G[k];
        by_velocity[k] = a.open ? 0 : G[k] * a.rho[k % 3 > 0];
    }
    return !a.open;
}
