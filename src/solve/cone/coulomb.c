/* The local solver enumerates take-off, stick and slip. Slip with u_N = 0 and u_T = −α p_T, α > 0, leaves, after elimination
 * of p_N = −(b_N + W_NT p_T)/W_NN,
 *
 *     (Ŵ + α I) p_T = −b̂,     Ŵ = W_TT − W_TN W_NT/W_NN,     b̂ = b_T − W_TN b_N/W_NN,
 *     f(α) = |p_T(α)| − μ p_N(α) = 0.
 *
 * f(0) ≤ 0 is stick. Otherwise f(0) > 0 > f(∞) = μ b_N/W_NN, so that a root exists; Newton's method finds it inside a bracket,
 * in the eigenbasis of Ŵ, where each evaluation is two divisions and a root [Bonnefon and Daviet 2011 state the quartic]. */
#include "solve/cone/coulomb_kernel.h"

#include <float.h>

/* The eigenbasis of [a c; c b] by the half angle, without cancellation. */
static void diagonalise(coulomb_contact *s, double a, double b, double c)
{
    double mean = 0.5 * (a + b), half = 0.5 * (a - b), radius = length_of(half, c);
    s->eigenvalue[0] = mean + radius, s->eigenvalue[1] = mean - radius;
    s->axis[0] = 1, s->axis[1] = 0;
    if (!(radius > 0)) return;
    double large = sqrt(0.5 * (1 + fabs(half) / radius)), small = 0.5 * c / (radius * large);
    s->axis[0] = half >= 0 ? large : small, s->axis[1] = half >= 0 ? small : large;
}

coulomb_contact cord__coulomb_prepare(const double *W, double friction)
{
    coulomb_contact c = {.friction = friction, .mobility = W[0]};
    if (!(W[0] > 0)) return c;
    c.inverse_mobility = 1 / W[0];
    if (!(friction > 0)) return c;
    c.ratio[0] = W[1] / W[0], c.ratio[1] = W[2] / W[0];
    diagonalise(&c, W[4] - c.ratio[0] * W[1], W[8] - c.ratio[1] * W[2], W[5] - c.ratio[0] * W[2]);
    /* A singular Ŵ: rounding alone decides a smaller eigenvalue. */
    double least = 1e-14 * (W[0] + W[4] + W[8]);
    for (int k = 0; k < 2; k++) {
        c.eigenvalue[k] = fmax(c.eigenvalue[k], least);
        c.inverse[k] = 1 / c.eigenvalue[k];
    }
    to_eigenbasis(&c, W[1], W[2], c.coupling);
    return c;
}

contact_state cord__coulomb_force(const coulomb_contact *c, const double *b, double accuracy,
                                  double *p)
{
    return coulomb_force(c, b, accuracy, p);
}

contact_state cord__coulomb_solve(const double *W, const double *b, double friction, double *p)
{
    const coulomb_contact c = cord__coulomb_prepare(W, friction);
    v3_set(p, 0, 0, 0);
    return cord__coulomb_force(&c, b, 1e-9, p);
}

void cord__cone_project(double friction, double *p)
{
    /* a projection stays where it is */
    const double rounding = 8 * DBL_EPSILON, length = length_of(p[1], p[2]);
    if (length <= (1 + rounding) * friction * p[0]) return;
    double normal = (friction * length + p[0]) / (1 + friction * friction);
    if (!(normal > 0)) {
        v3_set(p, 0, 0, 0);
        return;
    }
    double scale = length > 0 ? friction * normal / length : 0;
    v3_set(p, normal, scale * p[1], scale * p[2]);
}

double cord__natural_map(double scale, double friction, const double *u, const double *p)
{
    double z[3], shifted[3] = {u[0] + friction * length_of(u[1], u[2]), u[1], u[2]};
    v3_combine(z, 1, p, -1 / scale, shifted);
    if (isnan(z[0] + z[1] + z[2])) return NAN; /* the projection would make it zero */
    cord__cone_project(friction, z);
    v3_sub(z, z, p);
    return v3_dot(z, z);
}
