/* One joint of a discrete elastic rod: the bending and twisting strains between two frames, with
 * first and second derivatives. Pure functions; elastic.c sums over the joints.
 *
 * Frame 0 has unit tangent e and directors m1, m2; frame 1 has tangent f; χ = 1 + e·f. The
 * integrated curvature vector is k = ν e×f with ν = 2 √P(x)/χ, P = 1 + p₁ x + p₂ x², x = sin² φ/2 = 1 − χ/2:
 *
 *     p₁ = 0,  p₂ = 0:   |k| = 2 tan φ/2, the curvature binormal κb of the paper [DER 2008, eq. 1];
 *     p₁ = −1, p₂ = 0:   |k| = 2 sin φ/2;
 *     p₁ = −5/6, p₂ = 11/6: |k|² = 4x (1 + x/6 + 2x²/(1 − x)), derived in docs/physics-der.md.
 *
 * The strains are ε = (k·m1⁰, k·m2⁰, k·m1¹, k·m2¹, twist) [DER 2008, eq. 2].
 *
 * A variation of a unit tangent is a vector orthogonal to it. The director follows by parallel
 * transport (along the geodesic), and δθ rotates it about the tangent. In these variables, for any
 * fixed linear combination M = Σ sₐ mₐ of the directors (each fixed in its frame), the function k·M
 * has the derivatives
 *
 *     ∂/∂e = P_e (ν f×M − a (k·M) f),      ∂/∂f = P_f (ν M×e − a (k·M) e),      a = −ν′/ν = 1/χ + P′/4P,
 *
 * and the twist has ∂/∂e = κb/2, ∂/∂f = κb/2, ∂/∂θ⁰ = −1, ∂/∂θ¹ = 1, the gradient of holonomy [DER
 * 2008, eq. 9], for every P. P_e is the projection onto the plane orthogonal to e. Derivatives over
 * an edge vector have the additional factor 1/|e|. */
#ifndef CORDAGE_STRAND_DER_JOINT_H
#define CORDAGE_STRAND_DER_JOINT_H

#include "math/vec3.h"

#include <stdbool.h>

typedef struct joint {
    const double *e, *m10, *m20; /* frame 0 */
    const double *f, *m11, *m21; /* frame 1 */
    double inverse_e, inverse_f; /* 1/length; 1 for a frame that is not an edge */
} joint;

/* Derivatives over (edge 0, edge 1, θ⁰, θ¹). */
typedef struct joint_gradient {
    double e[3], f[3], theta[2];
} joint_gradient;

typedef struct joint_hessian {
    double ee[9], ff[9]; /* symmetric */
    double fe[9];        /* column-major: rows f, columns e */
    double te[2][3];     /* θ⁰ and θ¹ against e */
    double tf[2][3];
    double tt[3]; /* θ⁰θ⁰, θ¹θ⁰, θ¹θ¹ */
} joint_hessian;

/* Common subexpressions of the functions below. */
typedef struct joint_geometry {
    double c, chi;
    double kb[3];    /* 2 e×f/χ */
    double nu, k[3]; /* k = ν e×f */
    double a, bent;  /* −ν′/ν, ν″/ν − 2a², derivatives over χ */
} joint_geometry;

/* P(x) = 1 + linear x + quadratic x². */
typedef struct curvature_form {
    double linear, quadratic;
} curvature_form;

/* |e×f| = 2 √(x(1 − x)), so |k|² = 4x P/(1 − x) = 4x (1 + αx + ωx²/(1 − x)), α = 1 + p₁, ω = 1 + p₁ + p₂. */
static inline double form_alpha(const curvature_form *form)
{
    return 1 + form->linear;
}
static inline double form_omega(const curvature_form *form)
{
    return 1 + form->linear + form->quadratic;
}

static inline double curvature_polynomial(const curvature_form *form, double x)
{
    return 1 + x * (form->linear + x * form->quadratic);
}

/* ν for cos φ + 1 = χ. */
static inline double curvature_scale(const curvature_form *form, double chi)
{
    return 2 * sqrt(curvature_polynomial(form, 1 - 0.5 * chi)) / chi;
}

static inline void joint_geometry_of(const joint *j, const curvature_form *form, joint_geometry *o)
{
    double b[3];
    o->c = v3_dot(j->e, j->f);
    o->chi = 1 + o->c;
    double x = 1 - 0.5 * o->chi, inverse = 1 / curvature_polynomial(form, x), first = 1 / o->chi;
    double r = inverse * (form->linear + 2 * x * form->quadratic); /* P′/P */
    o->nu = curvature_scale(form, o->chi);
    o->a = first + 0.25 * r;
    o->bent = 0.25 * inverse * form->quadratic - r * (0.1875 * r + 0.5 * first);
    v3_cross(b, j->e, j->f);
    v3_scale(o->kb, 2 / o->chi, b);
    v3_scale(o->k, o->nu, b);
}

/* r = ν f×m − a (k·m) f */
static inline void joint_apply_e(double *r, const joint *j, const joint_geometry *o,
                                 const double *m)
{
    v3_cross(r, j->f, m);
    v3_combine(r, o->nu, r, -o->a * v3_dot(o->k, m), j->f);
}
/* r = ν m×e − a (k·m) e */
static inline void joint_apply_f(double *r, const joint *j, const joint_geometry *o,
                                 const double *m)
{
    v3_cross(r, m, j->e);
    v3_combine(r, o->nu, r, -o->a * v3_dot(o->k, m), j->e);
}

static inline void project_across(double *r, const double *t)
{
    v3_axpy(r, -v3_dot(r, t), t);
}

/* Σ stress_a ∇ε_a */
static inline void joint_force(const joint *j, const joint_geometry *o, const double *strain,
                               const double *stress, joint_gradient *g)
{
    double m[3];
    for (int k = 0; k < 3; k++)
        m[k] = stress[0] * j->m10[k] + stress[1] * j->m20[k] + stress[2] * j->m11[k] +
               stress[3] * j->m21[k];
    joint_apply_e(g->e, j, o, m);
    joint_apply_f(g->f, j, o, m);
    project_across(g->e, j->e);
    project_across(g->f, j->f);
    v3_axpy(g->e, 0.5 * stress[4], o->kb);
    v3_axpy(g->f, 0.5 * stress[4], o->kb);
    v3_scale(g->e, j->inverse_e, g->e);
    v3_scale(g->f, j->inverse_f, g->f);
    g->theta[0] = stress[0] * strain[1] - stress[1] * strain[0] - stress[4];
    g->theta[1] = stress[2] * strain[3] - stress[3] * strain[2] + stress[4];
}

/* ε̇ = ∇ε · (ė, ḟ, θ̇⁰, θ̇¹) */
static inline void joint_rates(const joint *j, const joint_geometry *o, const double *strain,
                               const double *e_rate, const double *f_rate, double theta0,
                               double theta1, double *rate)
{
    double e[3], f[3], u[3], w[3];
    v3_scale(e, j->inverse_e, e_rate);
    v3_scale(f, j->inverse_f, f_rate);
    project_across(e, j->e);
    project_across(f, j->f);
    /* (ν f×m − a κ f)·ė + (ν m×e − a κ e)·ḟ = m·ν(ė×f + e×ḟ) − a κ (f·ė + e·ḟ), κ = k·m */
    v3_cross(u, e, j->f);
    v3_cross(w, j->e, f);
    double closing = o->a * (v3_dot(j->f, e) + v3_dot(j->e, f));
    for (int k = 0; k < 3; k++) u[k] = o->nu * (u[k] + w[k]) - closing * o->k[k];
    rate[0] = v3_dot(j->m10, u) + theta0 * strain[1];
    rate[1] = v3_dot(j->m20, u) - theta0 * strain[0];
    rate[2] = v3_dot(j->m11, u) + theta1 * strain[3];
    rate[3] = v3_dot(j->m21, u) - theta1 * strain[2];
    rate[4] = 0.5 * (v3_dot(o->kb, e) + v3_dot(o->kb, f)) + theta1 - theta0;
}

/* h = P_t h P_t − g tᵀ − t gᵀ for symmetric h and g across t: the Hessian over an edge from the one
 * over its direction, times the squared length. */
static inline void hessian_of_edge(double *h, const double *t, const double *g)
{
    double u[3];
    m3_apply(u, h, t);
    double s = 0.5 * v3_dot(t, u);
    for (int k = 0; k < 3; k++) u[k] += g[k] - s * t[k];
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) h[3 * c + r] -= u[r] * t[c] + t[r] * u[c];
}

/* h = a bᵀ + b aᵀ, added */
static inline void add_symmetric(double *h, double s, const double *a, const double *b)
{
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) h[3 * c + r] += s * (a[r] * b[c] + b[r] * a[c]);
}

/* Hessian of the energy of a joint: Σ stiffness_a ∇ε_a ∇ε_aᵀ + geometric Σ stress_a ∇²ε_a */
static inline void joint_stiffness(const joint *j, const joint_geometry *o, const double *strain,
                                   const double *stress, const double *stiffness, double geometric,
                                   joint_hessian *h)
{
    const double *e = j->e, *f = j->f, *kb = o->kb;
    const double inverse_chi = 1 / o->chi;

    /* Bending over x: with L_e m = ν f×m − a (k·m) f and likewise L_f, the first-order part is
     * L S Lᵀ with S = Σ k m mᵀ. */
    double S[9], Ye[9], Yf[9];
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            S[3 * c + r] =
                stiffness[0] * j->m10[r] * j->m10[c] + stiffness[1] * j->m20[r] * j->m20[c] +
                stiffness[2] * j->m11[r] * j->m11[c] + stiffness[3] * j->m21[r] * j->m21[c];
    for (int c = 0; c < 3; c++) {
        joint_apply_e(Ye + 3 * c, j, o, S + 3 * c); /* column c of L_e S */
        joint_apply_f(Yf + 3 * c, j, o, S + 3 * c);
    }
    for (int r = 0; r < 3; r++) { /* row r of Y is column r of S Lᵀ */
        double row_e[3] = {Ye[r], Ye[3 + r], Ye[6 + r]}, row_f[3] = {Yf[r], Yf[3 + r], Yf[6 + r]};
        joint_apply_e(h->ee + 3 * r, j, o, row_e);
        joint_apply_f(h->ff + 3 * r, j, o, row_f);
        joint_apply_f(h->fe + 3 * r, j, o, row_e);
    }

    /* Second order, for M = Me + Mf with κ = k·M, and g_e, g_f the gradients before projection:
     *   ee: −κ(1 − ac) + ½(Me kᵀ + k Meᵀ) − a(g_e fᵀ + f g_eᵀ) + κ(ν″/ν − 2a²) f fᵀ
     *   ff: −κ(1 − ac) + ½(Mf kᵀ + k Mfᵀ) − a(g_f eᵀ + e g_fᵀ) + κ(ν″/ν − 2a²) e eᵀ
     *   ef: −ν[M]× − aκ − a(g_e eᵀ + f g_fᵀ) + κ(ν″/ν − 2a²) f eᵀ */
    double me[3], mf[3], m[3], ge[3], gf[3];
    for (int l = 0; l < 3; l++) {
        me[l] = geometric * (stress[0] * j->m10[l] + stress[1] * j->m20[l]);
        mf[l] = geometric * (stress[2] * j->m11[l] + stress[3] * j->m21[l]);
        m[l] = me[l] + mf[l];
    }
    joint_apply_e(ge, j, o, m);
    joint_apply_f(gf, j, o, m);
    double kappa = v3_dot(o->k, m), round = kappa * (1 - o->a * o->c), mixed = kappa * o->a;
    double bent = kappa * o->bent;
    add_symmetric(h->ee, 0.5, me, o->k);
    add_symmetric(h->ff, 0.5, mf, o->k);
    add_symmetric(h->ee, -o->a, ge, f);
    add_symmetric(h->ff, -o->a, gf, e);
    for (int l = 0; l < 3; l++) h->ee[4 * l] -= round, h->ff[4 * l] -= round, h->fe[4 * l] -= mixed;
    for (int c = 0; c < 3; c++) /* fe is the transpose of ef */
        for (int r = 0; r < 3; r++) {
            h->ee[3 * c + r] += bent * f[r] * f[c];
            h->ff[3 * c + r] += bent * e[r] * e[c];
            h->fe[3 * c + r] += bent * e[r] * f[c] - o->a * (e[r] * ge[c] + gf[r] * f[c]);
        }
    /* −ν[M]× has entries (ef) 01: ν M_z, 02: −ν M_y, 12: ν M_x; transposed in fe */
    double x = o->nu * m[0], y = o->nu * m[1], z = o->nu * m[2];
    h->fe[1] += z, h->fe[2] -= y, h->fe[5] += x;
    h->fe[3] -= z, h->fe[6] += y, h->fe[7] -= x;

    project_across(ge, e);
    project_across(gf, f);
    hessian_of_edge(h->ee, e, ge);
    hessian_of_edge(h->ff, f, gf);
    double row[3], column[3]; /* P_f fe P_e */
    m3_apply_transposed(row, h->fe, f);
    m3_apply(column, h->fe, e);
    double corner = v3_dot(row, e);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            h->fe[3 * c + r] += corner * f[r] * e[c] - f[r] * row[c] - column[r] * e[c];

    /* Twist over x: ∇ = κb/2; ∇²_ee = −¼(κb (e + t̃)ᵀ + …), ∇²_ef = [e]×/χ − ½ κb t̃ᵀ, t̃ = (e + f)/χ. */
    double tilde[3], with_e[3], with_f[3], s = geometric * stress[4], k = stiffness[4];
    v3_combine(tilde, inverse_chi, e, inverse_chi, f);
    v3_add(with_e, tilde, e);
    v3_add(with_f, tilde, f);
    add_symmetric(h->ee, 0.125 * k, kb, kb);
    add_symmetric(h->ff, 0.125 * k, kb, kb);
    add_symmetric(h->ee, -0.25 * s, kb, with_e);
    add_symmetric(h->ff, -0.25 * s, kb, with_f);
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++)
            h->fe[3 * c + r] += 0.25 * k * kb[r] * kb[c] - 0.5 * s * tilde[r] * kb[c];
    double si = s * inverse_chi;
    h->fe[1] -= si * e[2], h->fe[2] += si * e[1], h->fe[5] -= si * e[0];
    h->fe[3] += si * e[2], h->fe[6] -= si * e[1], h->fe[7] += si * e[0];

    /* θ against x: ∂²(k·m1)/∂θ∂x = ∂(k·m2)/∂x and so on. */
    double u0[3], u1[3];
    double a = stiffness[0] * strain[1] - geometric * stress[1];
    double b = geometric * stress[0] - stiffness[1] * strain[0];
    v3_combine(u0, a, j->m10, b, j->m20);
    a = stiffness[2] * strain[3] - geometric * stress[3];
    b = geometric * stress[2] - stiffness[3] * strain[2];
    v3_combine(u1, a, j->m11, b, j->m21);
    joint_apply_e(h->te[0], j, o, u0);
    joint_apply_f(h->tf[0], j, o, u0);
    joint_apply_e(h->te[1], j, o, u1);
    joint_apply_f(h->tf[1], j, o, u1);
    for (int i = 0; i < 2; i++) {
        double sign = i ? 0.5 * k : -0.5 * k;
        project_across(h->te[i], e);
        project_across(h->tf[i], f);
        for (int l = 0; l < 3; l++) {
            h->te[i][l] = j->inverse_e * (h->te[i][l] + sign * kb[l]);
            h->tf[i][l] = j->inverse_f * (h->tf[i][l] + sign * kb[l]);
        }
    }
    h->tt[0] = k + stiffness[0] * strain[1] * strain[1] + stiffness[1] * strain[0] * strain[0] -
               geometric * (stress[0] * strain[0] + stress[1] * strain[1]);
    h->tt[1] = -k;
    h->tt[2] = k + stiffness[2] * strain[3] * strain[3] + stiffness[3] * strain[2] * strain[2] -
               geometric * (stress[2] * strain[2] + stress[3] * strain[3]);

    double ee = j->inverse_e * j->inverse_e, ff = j->inverse_f * j->inverse_f;
    double fe = j->inverse_e * j->inverse_f;
    for (int l = 0; l < 9; l++) h->ee[l] *= ee, h->ff[l] *= ff, h->fe[l] *= fe;
}

#endif
