/* One joint of a discrete elastic rod: the forces and the stiffness of the strains that joint.h defines. Pure functions over
 * a lane type (math/lane_type.h), included for each number of lanes: a joint with LANES 1, LANES joints otherwise, of one rod or
 * of several rods of equal shape. assembly.h sums over the joints of a rod.
 *
 * Frame 0 has unit tangent e and directors m1, m2; frame 1 has tangent f. A variation of a unit tangent is a vector orthogonal
 * to it. The director follows by parallel transport (along the geodesic), and δθ rotates it about the tangent. In these
 * variables, for any fixed linear combination M = Σ sₐ mₐ of the directors (each fixed in its frame), the function k·M
 * has the derivatives
 *
 *     ∂/∂e = P_e (ν f×M − a (k·M) f),      ∂/∂f = P_f (ν M×e − a (k·M) e),      a = −ν′/ν = 1/χ + P′/4P,
 *
 * and the twist has ∂/∂e = κb/2, ∂/∂f = κb/2, ∂/∂θ⁰ = −1, ∂/∂θ¹ = 1, the gradient of holonomy [DER
 * 2008, eq. 9], for every P. P_e is the projection onto the plane orthogonal to e. Derivatives over
 * an edge vector have the additional factor 1/|e|. */

typedef struct NAME(joint) {
    REAL e[3], m10[3], m20[3]; /* frame 0 */
    REAL f[3], m11[3], m21[3]; /* frame 1 */
    REAL inverse_e, inverse_f; /* 1/length; 1 for a frame that is not an edge */
    REAL strain[STRAINS], natural[STRAINS];
    REAL bending_cell,
        cell; /* lengths that belong to it (joint_cells); infinite: there is no joint */
    /* damping: velocity of the edges (or tangents), and rates of rotation about them */
    REAL rate[2][3], theta_rate[2];
    /* midpoint: strains at both ends of the step, and its increments */
    REAL start[STRAINS], end[STRAINS];
    REAL move[2][3], theta_move[2];
} NAME(joint);

/* The stiffness of the rods, and the time of damping. */
typedef struct NAME(joint_section) {
    REAL bending[2], twisting;
    REAL damping;
    bool damped; /* of any */
} NAME(joint_section);

/* Derivatives over (edge 0, edge 1, θ⁰, θ¹). */
typedef struct NAME(joint_gradient) {
    REAL e[3], f[3], theta[2];
} NAME(joint_gradient);

typedef struct NAME(joint_hessian) {
    REAL ee[9], ff[9]; /* symmetric */
    REAL fe[9];        /* column-major: rows f, columns e */
    REAL te[2][3];     /* θ⁰ and θ¹ against e */
    REAL tf[2][3];
    REAL tt[3]; /* θ⁰θ⁰, θ¹θ⁰, θ¹θ¹ */
} NAME(joint_hessian);

/* Common subexpressions of the functions below. */
typedef struct NAME(joint_geometry) {
    REAL c, chi;
    REAL kb[3];    /* 2 e×f/χ */
    REAL nu, k[3]; /* k = ν e×f */
    REAL a, bent;  /* −ν′/ν, ν″/ν − 2a², derivatives over χ */
} NAME(joint_geometry);

INLINE void NAME(joint_geometry_of)(const NAME(joint) * j, const curvature_form *form,
                                    NAME(joint_geometry) * o)
{
    REAL b[3];
    o->c = NAME(v3_dot)(j->e, j->f);
    o->chi = 1 + o->c;
    REAL x = 1 - 0.5 * o->chi, p = 1 + x * (form->linear + x * form->quadratic);
    REAL inverse = 1 / p, first = 1 / o->chi;
    REAL r = inverse * (form->linear + 2 * x * form->quadratic); /* P′/P */
    o->nu = 2 * NAME(square_root)(p) * first;
    o->a = first + 0.25 * r;
    o->bent = 0.25 * inverse * form->quadratic - r * (0.1875 * r + 0.5 * first);
    NAME(v3_cross)(b, j->e, j->f);
    NAME(v3_scale)(o->kb, 2 * first, b);
    NAME(v3_scale)(o->k, o->nu, b);
}

/* r = ν f×m − a (k·m) f */
INLINE void NAME(joint_apply_e)(REAL *r, const NAME(joint) * j, const NAME(joint_geometry) * o,
                                const REAL *m)
{
    REAL s = -o->a * NAME(v3_dot)(o->k, m);
    NAME(v3_cross)(r, j->f, m);
    NAME(v3_combine)(r, o->nu, r, s, j->f);
}
/* r = ν m×e − a (k·m) e */
INLINE void NAME(joint_apply_f)(REAL *r, const NAME(joint) * j, const NAME(joint_geometry) * o,
                                const REAL *m)
{
    REAL s = -o->a * NAME(v3_dot)(o->k, m);
    NAME(v3_cross)(r, m, j->e);
    NAME(v3_combine)(r, o->nu, r, s, j->e);
}

INLINE void NAME(project_across)(REAL *r, const REAL *t)
{
    NAME(v3_axpy)(r, -NAME(v3_dot)(r, t), t);
}

/* Σ stress_a ∇ε_a */
INLINE void NAME(joint_force)(const NAME(joint) * j, const NAME(joint_geometry) * o,
                              const REAL *stress, NAME(joint_gradient) * g)
{
    const REAL *strain = j->strain;
    REAL m[3];
    FOR3(k)
    m[k] = stress[0] * j->m10[k] + stress[1] * j->m20[k] + stress[2] * j->m11[k] +
           stress[3] * j->m21[k];
    NAME(joint_apply_e)(g->e, j, o, m);
    NAME(joint_apply_f)(g->f, j, o, m);
    NAME(project_across)(g->e, j->e);
    NAME(project_across)(g->f, j->f);
    NAME(v3_axpy)(g->e, 0.5 * stress[4], o->kb);
    NAME(v3_axpy)(g->f, 0.5 * stress[4], o->kb);
    NAME(v3_scale)(g->e, j->inverse_e, g->e);
    NAME(v3_scale)(g->f, j->inverse_f, g->f);
    g->theta[0] = stress[0] * strain[1] - stress[1] * strain[0] - stress[4];
    g->theta[1] = stress[2] * strain[3] - stress[3] * strain[2] + stress[4];
}

/* ε̇ = ∇ε · (ė, ḟ, θ̇⁰, θ̇¹) */
INLINE void NAME(joint_rates)(const NAME(joint) * j, const NAME(joint_geometry) * o,
                              const REAL *e_rate, const REAL *f_rate, REAL theta0, REAL theta1,
                              REAL *rate)
{
    const REAL *strain = j->strain;
    REAL e[3], f[3], u[3], w[3];
    NAME(v3_scale)(e, j->inverse_e, e_rate);
    NAME(v3_scale)(f, j->inverse_f, f_rate);
    NAME(project_across)(e, j->e);
    NAME(project_across)(f, j->f);
    /* (ν f×m − a κ f)·ė + (ν m×e − a κ e)·ḟ = m·ν(ė×f + e×ḟ) − a κ (f·ė + e·ḟ), κ = k·m */
    NAME(v3_cross)(u, e, j->f);
    NAME(v3_cross)(w, j->e, f);
    REAL closing = o->a * (NAME(v3_dot)(j->f, e) + NAME(v3_dot)(j->e, f));
    FOR3(k) u[k] = o->nu * (u[k] + w[k]) - closing * o->k[k];
    rate[0] = NAME(v3_dot)(j->m10, u) + theta0 * strain[1];
    rate[1] = NAME(v3_dot)(j->m20, u) - theta0 * strain[0];
    rate[2] = NAME(v3_dot)(j->m11, u) + theta1 * strain[3];
    rate[3] = NAME(v3_dot)(j->m21, u) - theta1 * strain[2];
    rate[4] = 0.5 * (NAME(v3_dot)(o->kb, e) + NAME(v3_dot)(o->kb, f)) + theta1 - theta0;
}

/* h = P_t h P_t − g tᵀ − t gᵀ for symmetric h and g across t: the Hessian over an edge from the one
 * over its direction, times the squared length. */
INLINE void NAME(hessian_of_edge)(REAL *h, const REAL *t, const REAL *g)
{
    REAL u[3];
    NAME(m3_apply)(u, h, t);
    REAL s = 0.5 * NAME(v3_dot)(t, u);
    FOR3(k) u[k] += g[k] - s * t[k];
    FOR3(c) FOR3(r) h[3 * c + r] -= u[r] * t[c] + t[r] * u[c];
}

/* h = a bᵀ + b aᵀ, added */
INLINE void NAME(add_symmetric)(REAL *h, REAL s, const REAL *a, const REAL *b)
{
    FOR3(c) FOR3(r) h[3 * c + r] += s * (a[r] * b[c] + b[r] * a[c]);
}

/* fe −= s [v]×, transposed */
INLINE void NAME(subtract_cross)(REAL *fe, REAL s, const REAL *v)
{
    REAL x = s * v[0], y = s * v[1], z = s * v[2];
    fe[1] -= z, fe[2] += y, fe[5] -= x;
    fe[3] += z, fe[6] -= y, fe[7] += x;
}

/* Hessian of the energy of a joint: Σ stiffness_a ∇ε_a ∇ε_aᵀ + geometric Σ stress_a ∇²ε_a */
INLINE void NAME(joint_stiffness)(const NAME(joint) * j, const NAME(joint_geometry) * o,
                                  const REAL *stress, const REAL *stiffness, double geometric,
                                  NAME(joint_hessian) * h)
{
    const REAL *e = j->e, *f = j->f, *kb = o->kb, *strain = j->strain;
    const REAL inverse_chi = 1 / o->chi;

    /* Bending over x: with L_e m = ν f×m − a (k·m) f and likewise L_f, the first-order part is
     * L S Lᵀ with S = Σ k m mᵀ. */
    REAL S[9], Ye[9], Yf[9];
    FOR3(c)
    FOR3(r)
    S[3 * c + r] = stiffness[0] * j->m10[r] * j->m10[c] + stiffness[1] * j->m20[r] * j->m20[c] +
                   stiffness[2] * j->m11[r] * j->m11[c] + stiffness[3] * j->m21[r] * j->m21[c];
    FOR3(c)
    {
        NAME(joint_apply_e)(Ye + 3 * c, j, o, S + 3 * c); /* column c of L_e S */
        NAME(joint_apply_f)(Yf + 3 * c, j, o, S + 3 * c);
    }
    FOR3(r)
    { /* row r of Y is column r of S Lᵀ */
        REAL row_e[3] = {Ye[r], Ye[3 + r], Ye[6 + r]}, row_f[3] = {Yf[r], Yf[3 + r], Yf[6 + r]};
        NAME(joint_apply_e)(h->ee + 3 * r, j, o, row_e);
        NAME(joint_apply_f)(h->ff + 3 * r, j, o, row_f);
        NAME(joint_apply_f)(h->fe + 3 * r, j, o, row_e);
    }

    /* Second order, for M = Me + Mf with κ = k·M, and g_e, g_f the gradients before projection:
     *   ee: −κ(1 − ac) + ½(Me kᵀ + k Meᵀ) − a(g_e fᵀ + f g_eᵀ) + κ(ν″/ν − 2a²) f fᵀ
     *   ff: −κ(1 − ac) + ½(Mf kᵀ + k Mfᵀ) − a(g_f eᵀ + e g_fᵀ) + κ(ν″/ν − 2a²) e eᵀ
     *   ef: −ν[M]× − aκ − a(g_e eᵀ + f g_fᵀ) + κ(ν″/ν − 2a²) f eᵀ */
    REAL me[3], mf[3], m[3], ge[3], gf[3];
    FOR3(l)
    {
        me[l] = geometric * (stress[0] * j->m10[l] + stress[1] * j->m20[l]);
        mf[l] = geometric * (stress[2] * j->m11[l] + stress[3] * j->m21[l]);
        m[l] = me[l] + mf[l];
    }
    NAME(joint_apply_e)(ge, j, o, m);
    NAME(joint_apply_f)(gf, j, o, m);
    REAL kappa = NAME(v3_dot)(o->k, m), round = kappa * (1 - o->a * o->c), mixed = kappa * o->a;
    REAL bent = kappa * o->bent;
    NAME(add_symmetric)(h->ee, NAME(broadcast)(0.5), me, o->k);
    NAME(add_symmetric)(h->ff, NAME(broadcast)(0.5), mf, o->k);
    NAME(add_symmetric)(h->ee, -o->a, ge, f);
    NAME(add_symmetric)(h->ff, -o->a, gf, e);
    FOR3(l) h->ee[4 * l] -= round, h->ff[4 * l] -= round, h->fe[4 * l] -= mixed;
    FOR3(c) /* fe is the transpose of ef */
    FOR3(r)
    {
        h->ee[3 * c + r] += bent * f[r] * f[c];
        h->ff[3 * c + r] += bent * e[r] * e[c];
        h->fe[3 * c + r] += bent * e[r] * f[c] - o->a * (e[r] * ge[c] + gf[r] * f[c]);
    }
    /* −ν[M]× has entries (ef) 01: ν M_z, 02: −ν M_y, 12: ν M_x; transposed in fe */
    NAME(subtract_cross)(h->fe, -o->nu, m);

    NAME(project_across)(ge, e);
    NAME(project_across)(gf, f);
    NAME(hessian_of_edge)(h->ee, e, ge);
    NAME(hessian_of_edge)(h->ff, f, gf);
    REAL row[3], column[3]; /* P_f fe P_e */
    NAME(m3_apply_transposed)(row, h->fe, f);
    NAME(m3_apply)(column, h->fe, e);
    REAL corner = NAME(v3_dot)(row, e);
    FOR3(c)
    FOR3(r) h->fe[3 * c + r] += corner * f[r] * e[c] - f[r] * row[c] - column[r] * e[c];

    /* Twist over x: ∇ = κb/2; ∇²_ee = −¼(κb (e + t̃)ᵀ + …), ∇²_ef = [e]×/χ − ½ κb t̃ᵀ, t̃ = (e + f)/χ. */
    REAL tilde[3], with_e[3], with_f[3], s = geometric * stress[4], k = stiffness[4];
    NAME(v3_combine)(tilde, inverse_chi, e, inverse_chi, f);
    NAME(v3_add)(with_e, tilde, e);
    NAME(v3_add)(with_f, tilde, f);
    NAME(add_symmetric)(h->ee, 0.125 * k, kb, kb);
    NAME(add_symmetric)(h->ff, 0.125 * k, kb, kb);
    NAME(add_symmetric)(h->ee, -0.25 * s, kb, with_e);
    NAME(add_symmetric)(h->ff, -0.25 * s, kb, with_f);
    FOR3(c)
    FOR3(r) h->fe[3 * c + r] += 0.25 * k * kb[r] * kb[c] - 0.5 * s * tilde[r] * kb[c];
    NAME(subtract_cross)(h->fe, s * inverse_chi, e);

    /* θ against x: ∂²(k·m1)/∂θ∂x = ∂(k·m2)/∂x and so on. */
    REAL u0[3], u1[3];
    REAL a = stiffness[0] * strain[1] - geometric * stress[1];
    REAL b = geometric * stress[0] - stiffness[1] * strain[0];
    NAME(v3_combine)(u0, a, j->m10, b, j->m20);
    a = stiffness[2] * strain[3] - geometric * stress[3];
    b = geometric * stress[2] - stiffness[3] * strain[2];
    NAME(v3_combine)(u1, a, j->m11, b, j->m21);
    NAME(joint_apply_e)(h->te[0], j, o, u0);
    NAME(joint_apply_f)(h->tf[0], j, o, u0);
    NAME(joint_apply_e)(h->te[1], j, o, u1);
    NAME(joint_apply_f)(h->tf[1], j, o, u1);
    UNROLLED
    for (int i = 0; i < 2; i++) {
        REAL sign = i ? 0.5 * k : -0.5 * k;
        NAME(project_across)(h->te[i], e);
        NAME(project_across)(h->tf[i], f);
        FOR3(l)
        {
            h->te[i][l] = j->inverse_e * (h->te[i][l] + sign * kb[l]);
            h->tf[i][l] = j->inverse_f * (h->tf[i][l] + sign * kb[l]);
        }
    }
    h->tt[0] = k + stiffness[0] * strain[1] * strain[1] + stiffness[1] * strain[0] * strain[0] -
               geometric * (stress[0] * strain[0] + stress[1] * strain[1]);
    h->tt[1] = -k;
    h->tt[2] = k + stiffness[2] * strain[3] * strain[3] + stiffness[3] * strain[2] * strain[2] -
               geometric * (stress[2] * strain[2] + stress[3] * strain[3]);

    REAL ee = j->inverse_e * j->inverse_e, ff = j->inverse_f * j->inverse_f;
    REAL fe = j->inverse_e * j->inverse_f;
    UNROLLED
    for (int l = 0; l < 9; l++) h->ee[l] *= ee, h->ff[l] *= ff, h->fe[l] *= fe;
}

/* ---- stresses ------------------------------------------------------------------------------------ */

/* Weight of each strain: E = ½ Σ W (ε − ε̄)². */
INLINE void NAME(joint_weights)(const NAME(joint_section) * section, const NAME(joint) * j,
                                REAL *weight)
{
    weight[0] = weight[2] = section->bending[0] / j->bending_cell;
    weight[1] = weight[3] = section->bending[1] / j->bending_cell;
    weight[4] = 2 * section->twisting / j->cell;
}

/* The discrete gradient in strain space. The energy changes by Σ s̄_a Δε_a, where s̄ is the stress
 * at the mean strain. The work of the forces uses p_a = ∇ε_a(mid)·Δq, which differs from Δε_a at
 * third order. The stress η W p, with η from Σ s̄·(Δε − p) = η Σ pᵀWp, makes the work of the forces
 * equal to the change of energy. It is a combination of strain gradients, so linear and angular
 * momentum are conserved. The sums are over the whole rod: for a joint that rotates with almost no
 * change of strain, an η per joint would be a quotient of round-off errors and would change with
 * every Newton iteration. */
typedef struct NAME(discrete_sums) {
    REAL defect, metric;
    REAL misses; /* Σ (Δε − p)ᵀW(Δε − p) */
} NAME(discrete_sums);

/* The values that the joints of a rod share in one assembly. */
typedef struct NAME(joint_eval) {
    NAME(joint_section) section;
    const curvature_form *form;
    double c_k, c_v, proximal;
    bool midpoint;
    double eta;
} NAME(joint_eval);

INLINE void NAME(joint_moves)(const NAME(joint) * j, const NAME(joint_geometry) * o, REAL *p)
{
    NAME(joint_rates)(j, o, j->move[0], j->move[1], j->theta_move[0], j->theta_move[1], p);
}

/* x = sin² φ/2 from the strains on one frame (joint.h). */
INLINE REAL NAME(x_of_strain)(const curvature_form *form, const REAL *strain)
{
    REAL y = 0.25 * (strain[0] * strain[0] + strain[1] * strain[1]), x;
    if (form->quadratic == 0) return y / (1 + form_alpha(form) * y);
    for (int l = 0; l < LANES; l++) *NAME(lane)(&x, l) = x_of_square(form, *NAME(lane)(&y, l));
    return x;
}

/* Δ|k|²/Δχ between two states, and ∂|k|²/∂χ where they are one. */
INLINE REAL NAME(secant_of_square)(const curvature_form *form, REAL x0, REAL x1)
{
    double alpha = form_alpha(form), omega = form_omega(form);
    return -2 * (1 + alpha * (x0 + x1) + omega * (1 / ((1 - x0) * (1 - x1)) - 1 - x0 - x1));
}

/* As the stress of a discrete gradient, with χ in place of the curvatures: the secant derivative ΔE/Δχ in φ, and
 * the torque; or the contribution of the joint to the sums. */
INLINE void NAME(isotropic_stress)(const NAME(joint_eval) * in, const NAME(joint) * j,
                                   const NAME(joint_geometry) * o, REAL *phi, REAL *twist,
                                   NAME(discrete_sums) * sums)
{
    REAL alpha = in->section.bending[0] / j->bending_cell, k = 2 * in->section.twisting / j->cell;
    REAL weight = 2 * alpha; /* of χ against the twist, in the measure of the correction */
    REAL x0 = NAME(x_of_strain)(in->form, j->start), x1 = NAME(x_of_strain)(in->form, j->end);
    REAL p[STRAINS], p_chi;
    *phi = alpha * NAME(secant_of_square)(in->form, x0, x1);
    *twist = k * (0.5 * (j->start[4] + j->end[4]) - j->natural[4]);
    if (!sums && in->eta == 0) return;
    NAME(joint_moves)(j, o, p);
    p_chi = NAME(broadcast)(0);
    FOR3(l)
    p_chi += j->inverse_e * (j->f[l] - o->c * j->e[l]) * j->move[0][l] +
             j->inverse_f * (j->e[l] - o->c * j->f[l]) * j->move[1][l];
    if (sums) {
        REAL miss_chi = 2 * (x0 - x1) - p_chi, miss_twist = j->end[4] - j->start[4] - p[4];
        sums->defect += *phi * miss_chi + *twist * miss_twist;
        sums->metric += weight * p_chi * p_chi + k * p[4] * p[4];
        sums->misses += weight * miss_chi * miss_chi + k * miss_twist * miss_twist;
    }
    *phi += in->eta * weight * p_chi;
    *twist += in->eta * k * p[4];
}

/* The contribution of a joint to the sums of a discrete gradient. */
INLINE void NAME(add_discrete)(const NAME(joint_eval) * in, bool isotropic, const NAME(joint) * j,
                               NAME(discrete_sums) * sums)
{
    NAME(joint_geometry) o;
    REAL weight[STRAINS], p[STRAINS], phi, twist;
    NAME(joint_geometry_of)(j, in->form, &o);
    if (isotropic) {
        NAME(isotropic_stress)(in, j, &o, &phi, &twist, sums);
        return;
    }
    NAME(joint_weights)(&in->section, j, weight);
    NAME(joint_moves)(j, &o, p);
    UNROLLED
    for (int a = 0; a < STRAINS; a++) {
        REAL stress = weight[a] * (0.5 * (j->start[a] + j->end[a]) - j->natural[a]);
        REAL miss = j->end[a] - j->start[a] - p[a];
        sums->defect += stress * miss;
        sums->metric += weight[a] * p[a] * p[a];
        sums->misses += weight[a] * miss * miss;
    }
}

/* W (ε − ε̄ + ∇ε · u), where u is the damping of the rates plus, half way, η times the increment. */
INLINE void NAME(joint_stress)(const NAME(joint_eval) * in, const NAME(joint) * j,
                               const NAME(joint_geometry) * o, const REAL *weight, REAL *stress)
{
    const double eta = in->midpoint ? in->eta : 0;
    REAL along[STRAINS], u[2][3], theta[2], zero = NAME(broadcast)(0);
    UNROLLED
    for (int a = 0; a < STRAINS; a++)
        stress[a] = weight[a] * ((in->midpoint ? 0.5 * (j->start[a] + j->end[a]) : j->strain[a]) -
                                 j->natural[a]);
    if (eta == 0 && !in->section.damped) return;
    UNROLLED
    for (int side = 0; side < 2; side++) {
        FOR3(k) u[side][k] = zero;
        theta[side] = zero;
        if (in->section.damped) {
            NAME(v3_scale)(u[side], in->section.damping, j->rate[side]);
            theta[side] = in->section.damping * j->theta_rate[side];
        }
        if (eta == 0) continue;
        NAME(v3_axpy)(u[side], NAME(broadcast)(eta), j->move[side]);
        theta[side] += eta * j->theta_move[side];
    }
    NAME(joint_rates)(j, o, u[0], u[1], theta[0], theta[1], along);
    UNROLLED
    for (int a = 0; a < STRAINS; a++) stress[a] += weight[a] * along[a];
}

/* Force of a joint, and its stiffness when h is not NULL. */
INLINE void NAME(joint_general)(const NAME(joint_eval) * in, const NAME(joint) * j,
                                NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    NAME(joint_geometry) o;
    REAL weight[STRAINS], stress[STRAINS], stiffness[STRAINS];
    NAME(joint_geometry_of)(j, in->form, &o);
    NAME(joint_weights)(&in->section, j, weight);
    NAME(joint_stress)(in, j, &o, weight, stress);
    NAME(joint_force)(j, &o, stress, g);
    if (!h) return;
    UNROLLED
    for (int a = 0; a < STRAINS; a++)
        stiffness[a] = weight[a] * (in->c_k + in->proximal + in->section.damping * in->c_v);
    NAME(joint_stiffness)(j, &o, stress, stiffness, in->c_k, h);
}

/* A block of joint_isotropic() over one edge, with its tangent t and p the other one across it:
 *     φ' p pᵀ − φ (p tᵀ + t pᵀ) − a (1 − t tᵀ) + ¼k κb κbᵀ − ¼s (κb wᵀ + w κbᵀ),     w = t + t̃ = 2 t + p/χ. */
INLINE void NAME(edge_hessian)(REAL *h, const REAL *t, const REAL *p, const REAL *kb, REAL phi_c,
                               REAL phi, REAL across, REAL quarter, REAL turned, REAL ichi)
{
    REAL P[3], T[3], K[3]; /* what p, t and κb are multiplied by */
    FOR3(l)
    {
        P[l] = phi_c * p[l] - phi * t[l];
        T[l] = across * t[l] - phi * p[l];
        K[l] = quarter * kb[l] - turned * (2 * t[l] + ichi * p[l]);
        T[l] -= 2 * turned * kb[l];
        P[l] -= turned * ichi * kb[l];
    }
    FOR3(c)
    {
        FOR3(r) h[3 * c + r] = p[r] * P[c] + t[r] * T[c] + kb[r] * K[c];
        h[4 * c] -= across;
    }
}

/* The isotropic, naturally straight joint: E = (α/l̄)|k|² + (β/l̄)(m − m̄)², and |k|² is a function of
 * χ alone (joint.h). With φ = dE/dχ:
 * ∂E/∂e = φ P_e f/|e|, ∂²E/∂e∂f = φ' (P_e f)(P_f e)ᵀ/… + φ P_e P_f/(|e||f|), and over one edge
 * φ' (P_e f)(P_e f)ᵀ − φ (c P_e + (P_e f) eᵀ + e (P_e f)ᵀ). */
INLINE void NAME(joint_isotropic)(const NAME(joint_eval) * in, const NAME(joint) * j,
                                  NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    NAME(joint_geometry) o;
    NAME(joint_geometry_of)(j, in->form, &o);
    const REAL *e = j->e, *f = j->f, *kb = o.kb;
    REAL c = o.c, alpha = in->section.bending[0] / j->bending_cell;
    REAL k = 2 * in->section.twisting / j->cell, twist = k * (j->strain[4] - j->natural[4]);
    REAL x = 1 - 0.5 * o.chi, ichi = 1 / o.chi, inverse = 2 * ichi; /* 1/(1 − x) */
    double first_order = form_alpha(in->form), omega = form_omega(in->form);
    REAL phi = -2 * alpha * (1 + 2 * first_order * x + omega * (inverse * inverse - 1 - 2 * x));
    REAL phi_c =
        2 * alpha * (first_order + omega * x * (3 - x * (3 - x)) * inverse * inverse * inverse);
    REAL pe[3], pf[3]; /* P_e f, P_f e */
    FOR3(l) pe[l] = f[l] - c * e[l], pf[l] = e[l] - c * f[l];
    if (in->midpoint) NAME(isotropic_stress)(in, j, &o, &phi, &twist, NULL);
    REAL ie = j->inverse_e, jf = j->inverse_f;
    FOR3(l)
    {
        g->e[l] = ie * (phi * pe[l] + 0.5 * twist * kb[l]);
        g->f[l] = jf * (phi * pf[l] + 0.5 * twist * kb[l]);
    }
    g->theta[0] = -twist;
    g->theta[1] = twist;
    if (!h) return;

    /* The proximal term has no second derivatives of strains: −φ |P_e x − P_f y|² + φ' (…)². */
    double factor = in->c_k + in->proximal;
    REAL s = in->c_k * twist, kk = factor * k, first = in->proximal * phi, both = factor * phi;
    phi *= in->c_k;
    phi_c *= factor;
    REAL across = phi * c + first, quarter = 0.25 * kk, turned = 0.25 * s;
    REAL ie2 = ie * ie, jf2 = jf * jf, ij = ie * jf;
    NAME(edge_hessian)
    (h->ee, e, pe, kb, ie2 * phi_c, ie2 * phi, ie2 * across, ie2 * quarter, ie2 * turned, ichi);
    NAME(edge_hessian)
    (h->ff, f, pf, kb, jf2 * phi_c, jf2 * phi, jf2 * across, jf2 * quarter, jf2 * turned, ichi);
    /* φ'(P_f e)(P_e f)ᵀ + φ P_f P_e, with P_f P_e = 1 − e eᵀ − f (P_e f)ᵀ, and the twist's ¼k κb κbᵀ − ½s t̃ κbᵀ. */
    REAL U[3], V[3], W[3], K[3];
    phi_c *= ij, both *= ij, quarter *= ij, turned *= ij;
    FOR3(l)
    {
        U[l] = phi_c * pe[l], V[l] = both * e[l], W[l] = both * pe[l];
        K[l] = quarter * kb[l] - 2 * turned * (e[l] + ichi * pe[l]);
    }
    FOR3(col)
    {
        FOR3(r)
        h->fe[3 * col + r] = pf[r] * U[col] - e[r] * V[col] - f[r] * W[col] + K[r] * kb[col];
        h->fe[4 * col] += both;
        REAL half = 0.5 * kk * kb[col];
        h->te[0][col] = -ie * half, h->te[1][col] = ie * half;
        h->tf[0][col] = -jf * half, h->tf[1][col] = jf * half;
    }
    NAME(subtract_cross)(h->fe, s * ichi * ij, e);
    h->tt[0] = kk, h->tt[1] = -kk, h->tt[2] = kk;
}

INLINE void NAME(joint_assemble)(const NAME(joint_eval) * in, bool isotropic, const NAME(joint) * j,
                                 NAME(joint_gradient) * g, NAME(joint_hessian) * h)
{
    if (isotropic)
        NAME(joint_isotropic)(in, j, g, h);
    else
        NAME(joint_general)(in, j, g, h);
}

/* ---- edges --------------------------------------------------------------------------------------- */

typedef struct NAME(length_eval) {
    double c_a, c_k;
    REAL stiffest; /* 12 EI of the stiffer direction */
} NAME(length_eval);

/* Inextensibility [DER 2008, sec. 8]: g = (e·e − ē²)/(2ē), B = eᵀ/ē, so λ is the compressive force
 * at natural length. g is quadratic, so its gradient at the midpoint is its discrete gradient. Adds to the derivatives
 * over f: −(λ − ρg) e/ē, and ρ e eᵀ/ē² − λ/ē. `row` is B; the result is g. `inverse`: 1/ē, or 0 where there is no edge;
 * `squared`: e·e, of `midpoint` that at the end of the step. */
INLINE REAL NAME(length_row)(const NAME(length_eval) * in, const REAL *e, REAL squared,
                             REAL inverse, REAL rest, REAL mass, REAL lambda,
                             NAME(joint_gradient) * to, NAME(joint_hessian) * h, REAL *row)
{
    REAL g = 0.5 * inverse * (squared - rest * rest);
    REAL rho = in->c_a * mass +
               in->c_k * inverse * (in->stiffest * inverse * inverse + NAME(absolute)(lambda));
    REAL push = inverse * (lambda - rho * g);
    NAME(v3_axpy)(to->f, -push, e);
    NAME(v3_scale)(row, inverse, e);
    if (!h) return g;
    REAL kg = -in->c_k * lambda * inverse, along = rho * inverse * inverse;
    FOR3(c) FOR3(r) h->ff[3 * c + r] += along * e[r] * e[c];
    FOR3(c) h->ff[4 * c] += kg;
    return g;
}
