/* Splines: strains at a point and their derivatives, for four points at a time.
 *
 * Along a span x' is quadratic, x'(u) = a + u r + u² d, so that p = x' and s = x'' at a point are linear in a, r and d. The frame at
 * a point is that at the start of the span, transported to p and rotated by σα. Strains are functions of p, s, a and α,
 * and, by the rotation of the frame at the start, of θ₀: all derivatives are accumulated over a, r, d, θ₀ and α, the *reduced*
 * variables. The block over p and s of a derivative costs least, and is added to the three of a, r and d once per point.
 * α depends on x' at both ends of the span and on the rotations there; it is replaced by θ₁, and the rest
 * transformed to forces on control points, or to a matrix over them, once per span.
 *
 * Each value below is a SIMD vector of four, one for each of four spans, by the compiler's vector
 * extension. */
#ifndef CORDAGE_STRAND_SPLINE_REDUCED_H
#define CORDAGE_STRAND_SPLINE_REDUCED_H

#include "strand/spline/spline.h"

enum { A = 0, R = 3, D = 6, TURN0 = 9, ALPHA = 10, TURN1 = 10, REDUCED = SPLINE_REDUCED };
typedef lanes reduced[REDUCED];
typedef lanes triangle[REDUCED][REDUCED]; /* row ≥ column */
typedef lanes square[3][3];               /* of symmetric ones row ≥ column */

static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};

/* [w]×_ik */
INLINE lanes cross_entry(const lanes3 *w, int i, int k)
{
    return k == last[i] ? w->k[next[i]] : k == next[i] ? -w->k[last[i]] : (lanes){0};
}
/* (u vᵀ)_ik and (u vᵀ + v uᵀ)_ik. A block of second derivatives is a sum of these, entry by entry, so that sums stay in
 * registers. */
INLINE lanes outer(const lanes3 *u, const lanes3 *v, int i, int k)
{
    return u->k[i] * v->k[k];
}
INLINE lanes symmetric(const lanes3 *u, const lanes3 *v, int i, int k)
{
    return u->k[i] * v->k[k] + v->k[i] * u->k[k];
}
/* c I_ik */
INLINE lanes diagonal(lanes c, int i, int k)
{
    return i == k ? c : (lanes){0};
}
INLINE lanes3 l3_axpy(lanes c, const lanes3 *u, const lanes3 *v)
{
    return (lanes3){{c * u->k[0] + v->k[0], c * u->k[1] + v->k[1], c * u->k[2] + v->k[2]}};
}

/* ---- strains ------------------------------------------------------------------------------------ */

/* Data common to the points of a span, as the state determines them: x' = a + u r + u² d, the first director at its start and α. */
typedef struct state_lanes {
    lanes3 a, r, d, first;
    lanes alpha;
} state_lanes;

INLINE void make_states(state_lanes *o, const spline *s, const double *q, const int *index,
                        const spline_span *const *span, const spline_knot *const *knot)
{
    const double *alpha = spline_alpha(s, q), *own[LANES];
    UNROLLED
    for (int k = 0; k < 3; k++) o->r.k[k] = o->d.k[k] = (lanes){0};
    for (int l = 0; l < LANES; l++) own[l] = q + 3 * index[l];
    UNROLLED
    for (int j = 0; j < 4; j++) {
        lanes3 x = ENTRY3(own, 3 * j);
        o->r = l3_axpy(EACH(span, rise[j]), &x, &o->r);
        o->d = l3_axpy(EACH(span, bend[j]), &x, &o->d);
    }
    o->a = EACH3(knot, p), o->first = EACH3(knot, m1);
    for (int l = 0; l < LANES; l++) own[l] = alpha + index[l];
    o->alpha = ENTRY(own, 0);
}

/* ---- common subexpressions of the derivatives at a point
 * ------------------------------------------ */

/* Ψ, the holonomy angle between a frame at tangent y, transported to z by the smallest rotation, and a
 * frame at z, when both are parallel-transported in time: δΨ = ½ κb·(δŷ + δẑ) [DER 2008, eq. 9]. */
typedef struct carry {
    lanes3 y, z, half;  /* tangents; ½ κb */
    lanes iy, iz, ichi; /* 1/|y|, 1/|z|; 1/(1 + ŷ·ẑ) */
} carry;

INLINE void make_carry(carry *o, const lanes3 *y, lanes iy, const lanes3 *z, lanes iz)
{
    lanes3 binormal = l3_cross(y, z);
    *o = (carry){.y = *y, .z = *z, .iy = iy, .iz = iz, .ichi = 1 / (1 + l3_dot(y, z))};
    o->half = l3_scale(o->ichi, &binormal);
}

/* scale ∂²Ψ, with τ = (ŷ + ẑ)/χ: Ψ_yy = −½ (½κb (τ + ŷ)ᵀ + …ᵀ)/|y|², likewise Ψ_zz, and
 * Ψ_zy = −(τ ½κbᵀ + [ŷ]×/χ)/(|y||z|). With spin_y = −½κb/|y| and spin_z = −½κb/|z|
 *
 *     yy = spin_y on_yᵀ + on_y turn_yᵀ,    zz = spin_z on_zᵀ + on_z turn_zᵀ,    zy = on_zy turn_yᵀ + [turned]×. */
typedef struct carry_terms {
    lanes3 spin_y, spin_z, on_y, on_z, on_zy, turned;
} carry_terms;

INLINE void make_carry_terms(const carry *c, lanes scale, carry_terms *o)
{
    lanes3 both = l3_add(&c->y, &c->z), tau = l3_scale(c->ichi, &both);
    lanes3 with_y = l3_add(&tau, &c->y), with_z = l3_add(&tau, &c->z);
    o->spin_y = l3_scale(-c->iy, &c->half), o->spin_z = l3_scale(-c->iz, &c->half);
    o->on_y = l3_scale(0.5 * scale * c->iy, &with_y);
    o->on_z = l3_scale(0.5 * scale * c->iz, &with_z);
    o->on_zy = l3_scale(scale * c->iz, &tau);
    o->turned = l3_scale(-scale * c->iy * c->iz * c->ichi, &c->y);
}

typedef struct span_lanes {
    lanes3 a;
    carry across;                /* from the span's start to its end */
    lanes length, inverse, part; /* |a| and 1/|a|; 1/l̄ */
} span_lanes;

typedef struct location_lanes {
    lanes3 p, s, t, m1, m2;
    lanes u, rho, inverse, rest, fraction; /* |p|, 1/|p|, 1/s̄', σ */
    lanes axial, n1, n2;                   /* t·s, m₁·s, m₂·s */
    carry here;                            /* from the start of the span to the point */
    /* Rotation of the frame about its tangent, δφ = δθ₀ + σ δα + spin_a·δa + spin_p·δp. */
    lanes3 spin_a, spin_p;
    /* The twist of the transported frame, f = −V/D with V = a·(p × s), D = |p|(|p||a| + a·p); −1/D; a·p. */
    lanes f, minus, along;
    lanes3 f_a, f_p, f_s, D_a, D_p;
} location_lanes;

/* A gradient over a, p, s, θ₀ and α, reduced. */
INLINE void reduce(const location_lanes *o, const lanes3 *a, const lanes3 *p, const lanes3 *s,
                   lanes spin, lanes alpha, reduced out)
{
    UNROLLED
    for (int k = 0; k < 3; k++) {
        lanes on_r = o->u * p->k[k] + s->k[k];
        out[A + k] += a->k[k] + p->k[k];
        out[R + k] += on_r;
        out[D + k] += o->u * (on_r + s->k[k]);
    }
    out[TURN0] += spin, out[ALPHA] += alpha;
}

INLINE void make_span(span_lanes *o, const spline_span *const *span, const spline_knot *const *knot,
                      const spline_knot *const *end)
{
    lanes3 y = EACH3(knot, t), z = EACH3(end, t);
    o->a = EACH3(knot, p);
    o->inverse = EACH(knot, inverse);
    o->length = 1 / o->inverse;
    o->part = 1 / EACH(span, length);
    make_carry(&o->across, &y, o->inverse, &z, EACH(end, inverse));
}

INLINE void make_carried(const span_lanes *span, location_lanes *o)
{
    const lanes3 *a = &span->a, *p = &o->p, *s = &o->s;
    lanes3 V_a = l3_cross(p, s), V_p = l3_cross(s, a), V_s = l3_cross(a, p);
    lanes n = span->length, rho = o->rho;
    o->along = l3_dot(a, p);
    lanes minus = o->minus = -1 / (rho * (rho * n + o->along));
    o->f = minus * l3_dot(a, &V_a);
    o->D_a = l3_combine(rho * rho * span->inverse, a, rho, p);
    o->D_p = l3_combine(2 * n + o->along * o->inverse, p, rho, a);
    o->f_a = l3_combine(minus, &V_a, minus * o->f, &o->D_a);
    o->f_p = l3_combine(minus, &V_p, minus * o->f, &o->D_p);
    o->f_s = l3_scale(minus, &V_s);
}

/* Everything that is independent of the directors, from p and s. */
INLINE void make_location(const span_lanes *span, lanes u, lanes rest, lanes fraction,
                          location_lanes *o)
{
    const carry *across = &span->across;
    o->u = u, o->rest = rest, o->fraction = fraction;
    o->rho = l_sqrt(l3_dot(&o->p, &o->p));
    o->inverse = 1 / o->rho;
    o->t = l3_scale(o->inverse, &o->p);
    o->axial = l3_dot(&o->t, &o->s);
    make_carry(&o->here, &across->y, across->iy, &o->t, o->inverse);
    o->spin_a = l3_scale(-across->iy, &o->here.half);
    o->spin_p = l3_scale(-o->inverse, &o->here.half);
    make_carried(span, o);
}

INLINE void set_directors(location_lanes *o, const lanes3 *m1)
{
    o->m1 = *m1;
    o->m2 = l3_cross(&o->t, m1);
    o->n1 = l3_dot(m1, &o->s), o->n2 = l3_dot(&o->m2, &o->s);
}

/* One Gauss point of each of four spans: its location; κ₁ = −m₂·x''/(|x'| s̄'), κ₂ = m₁·x''/(|x'| s̄') and
 * twist = α/l̄ + f/s̄', as in cord__spline_state_at(). */
INLINE void gauss_state(const span_lanes *span, const state_lanes *of,
                        const spline_gauss *const *gauss, location_lanes *o, lanes *strain)
{
    lanes u = EACH(gauss, u), rest = EACH(gauss, rest), fraction = EACH(gauss, fraction);
    lanes sine, cosine;
    o->s = l3_axpy(u, &of->d, &of->r);
    o->p = l3_axpy(u, &o->s, &of->a);
    o->s = l3_axpy(u, &of->d, &o->s);
    make_location(span, u, rest, fraction, o);
    lanes3 carried = l3_transport(&span->across.y, &o->t, &of->first);
    lanes3 across = l3_cross(&o->t, &carried);
    l_sin_cos(fraction * of->alpha, &sine, &cosine);
    carried = l3_combine(cosine, &carried, sine, &across);
    set_directors(o, &carried);
    strain[0] = -o->inverse * rest * o->n2;
    strain[1] = o->inverse * rest * o->n1;
    strain[2] = of->alpha * span->part + o->f * rest;
}

/* Stresses of bending act along N = stress₁ m₁ − stress₀ m₂, normal to the tangent and fixed in the frame. The gradient of
 * G = N·s/(|p| s̄') over p, s and the rotation of the frame is −(s_t N + n t)/|p|², N/|p| and Ñ·s/|p|, over s̄', with
 * s_t = t·s, n = N·s and Ñ = t × N. */
typedef struct bend_lanes {
    lanes3 N, side, on_p, on_s;
    lanes n, turning;
} bend_lanes;

INLINE void make_bend(const location_lanes *o, const lanes *stress, bend_lanes *b)
{
    lanes c = o->rest * o->inverse;
    b->N = l3_combine(stress[1], &o->m1, -stress[0], &o->m2);
    b->side = l3_combine(stress[1], &o->m2, stress[0], &o->m1);
    b->n = stress[1] * o->n1 - stress[0] * o->n2;
    b->turning = c * (stress[1] * o->n2 + stress[0] * o->n1);
    b->on_p = l3_combine(-c * o->inverse * o->axial, &b->N, -c * o->inverse * b->n, &o->t);
    b->on_s = l3_scale(c, &b->N);
}

/* out += Σ_a stress_a ∂strain_a */
INLINE void add_gradient(const span_lanes *span, const location_lanes *o, const lanes *stress,
                         reduced out)
{
    bend_lanes b;
    make_bend(o, stress, &b);
    lanes twist = stress[2] * o->rest, turning = b.turning;
    lanes3 on_a = l3_combine(turning, &o->spin_a, twist, &o->f_a);
    lanes3 on_p = l3_combine(turning, &o->spin_p, twist, &o->f_p);
    on_p = l3_add(&on_p, &b.on_p);
    lanes3 on_s = l3_axpy(twist, &o->f_s, &b.on_s);
    reduce(o, &on_a, &on_p, &on_s, turning, turning * o->fraction + stress[2] * span->part, out);
}

/* The rates of the three strains with v, the rates of the reduced variables. */
INLINE void strain_rates(const span_lanes *span, const location_lanes *o, const reduced v,
                         lanes *rate)
{
    lanes3 a, p, s;
    UNROLLED
    for (int k = 0; k < 3; k++) {
        lanes on_s = o->u * v[D + k] + v[R + k];
        a.k[k] = v[A + k];
        p.k[k] = o->u * on_s + v[A + k];
        s.k[k] = o->u * v[D + k] + on_s;
    }
    lanes c = o->rest * o->inverse, stretching = o->inverse * l3_dot(&o->t, &p);
    lanes turned =
        v[TURN0] + o->fraction * v[ALPHA] + l3_dot(&o->spin_a, &a) + l3_dot(&o->spin_p, &p);
    lanes axial = o->inverse * o->axial;
    rate[0] =
        c * (axial * l3_dot(&o->m2, &p) - l3_dot(&o->m2, &s) + stretching * o->n2 + turned * o->n1);
    rate[1] =
        c * (l3_dot(&o->m1, &s) - axial * l3_dot(&o->m1, &p) - stretching * o->n1 + turned * o->n2);
    rate[2] = span->part * v[ALPHA] +
              o->rest * (l3_dot(&o->f_a, &a) + l3_dot(&o->f_p, &p) + l3_dot(&o->f_s, &s));
}

/* ---- second derivatives ------------------------------------------------------------------------- */

/* Second derivatives over a, p and s; AA, PP and SS are symmetric. */
typedef struct blocks {
    square AA, PP, SS, PA, PS, SA;
} blocks;

/* h += b over a, r and d: δp = δa + u δr + u² δd, δs = δr + 2u δd. */
INLINE void add_blocks(lanes u, const blocks *b, triangle h)
{
    square PS, rr;
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            lanes PP = i > k ? b->PP[i][k] : b->PP[k][i];
            lanes on_p = u * (PP + b->PA[i][k]), on_s = b->SA[i][k] + b->PS[k][i];
            PS[i][k] = u * b->PS[i][k];
            h[R + i][A + k] += on_p + on_s;
            h[D + i][A + k] += u * (on_p + (on_s + on_s));
            if (k <= i) h[A + i][A + k] += b->AA[i][k] + (b->PA[i][k] + b->PA[k][i]) + PP;
        }
    }
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k <= i; k++) {
            lanes both = PS[i][k] + PS[k][i];
            rr[i][k] = u * (u * b->PP[i][k]) + (both + b->SS[i][k]);
            h[R + i][R + k] += rr[i][k];
            h[D + i][D + k] += u * (u * (rr[i][k] + (both + 3 * b->SS[i][k])));
        }
    }
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            int row = i > k ? i : k, column = i > k ? k : i;
            h[D + i][R + k] += u * (rr[row][column] + (PS[k][i] + b->SS[row][column]));
        }
    }
}

/* Bending: Σ_a w_a ∂strain_a ∂strain_aᵀ and the Hessian of G over p, s and the rotation φ of the frame. With
 * W = w₀ m₂m₂ᵀ + w₁ m₁m₁ᵀ and c = 1/(|p| s̄')
 *
 *     SS = c² W,    PS = −c²/|p| (s_t W + t (W s)ᵀ) − c/|p| (N tᵀ + t Nᵀ),
 *     PP = c²/|p|² (s_t² W + s_t (t (W s)ᵀ + W s tᵀ) + (s·W s) t tᵀ)
 *          + c/|p|² (2 s_t (t Nᵀ + N tᵀ) − ½ (N s_⊥ᵀ + s_⊥ Nᵀ) + 3 n t tᵀ − n I).
 */
typedef struct bend_terms {
    square W;            /* c² W */
    lanes along;         /* s_t/|p| */
    lanes3 t_p, N_p;     /* PP = along² W + t t_pᵀ + t_p tᵀ + N N_pᵀ + N_p Nᵀ + pp I */
    lanes3 t_s, N_s;     /* PS = −along W + t t_sᵀ + N N_sᵀ */
    lanes3 phi_p, phi_s; /* φ with p and s, and with itself */
    lanes phi, pp;
} bend_terms;

INLINE void make_bend_terms(const location_lanes *o, const bend_lanes *bend, const lanes *w,
                            bend_terms *b)
{
    lanes i = o->inverse, c = o->rest * i, n1 = o->n1, n2 = o->n2, ci = c * i, cii = ci * i;
    lanes3 w1 = l3_scale(c * c * w[1], &o->m1), w2 = l3_scale(c * c * w[0], &o->m2);
    lanes3 Ws = l3_combine(i * n1, &w1, i * n2, &w2); /* c²/|p| W s */
    lanes sWs = c * c * (w[1] * n1 * n1 + w[0] * n2 * n2);
    b->along = o->axial * i;
    b->t_p = l3_combine(b->along, &Ws, 0.5 * i * i * sWs + 1.5 * cii * bend->n, &o->t);
    b->N_p = l3_combine(2.5 * cii * o->axial, &o->t, -0.5 * cii, &o->s);
    b->pp = -cii * bend->n;
    UNROLLED
    for (int k = 0; k < 3; k++) b->t_s.k[k] = -ci * bend->N.k[k] - Ws.k[k];
    b->N_s = l3_scale(-ci, &o->t);
    UNROLLED
    for (int r = 0; r < 3; r++) {
        UNROLLED
        for (int k = 0; k <= r; k++) b->W[r][k] = w1.k[r] * o->m1.k[k] + w2.k[r] * o->m2.k[k];
    }
    /* Of κ₁ the rotation has the derivative c n₁, of κ₂ c n₂. */
    lanes3 by_turning = l3_combine(c * c * w[1] * n2, &o->m1, -c * c * w[0] * n1, &o->m2);
    b->phi_s = l3_axpy(c, &bend->side, &by_turning);
    b->phi_p = l3_combine(-b->along, &b->phi_s, -i * l3_dot(&b->phi_s, &o->s), &o->t);
    b->phi = c * (c * (w[0] * n1 * n1 + w[1] * n2 * n2) - bend->n);
}

/* The twist of the transported frame: stress ∂²twist + w ∂twist ∂twistᵀ over a, p and s. From f D = −V:
 * f_xy = −(V_xy + f_x D_y + D_x f_y + f D_xy)/D. */
typedef struct carried_terms {
    lanes3 half_a, half_p,
        half_s; /* AA, PP, PA = f half_ᵀ + half_ fᵀ + …, SS = f_s half_sᵀ + half_s f_sᵀ */
    lanes3 whole_a, whole_p; /* PS = whole_p f_sᵀ + …, SA = f_s whole_aᵀ + … */
    lanes3 e, e_a, p_a,
        p_p; /* AA = e e_aᵀ + e_a eᵀ + …, PA = t p_aᵀ + …, PP = t p_pᵀ + p_p tᵀ + … */
    lanes3 cross_s, cross_a, cross_p; /* of PA, PS and SA */
    lanes aa, pp, pa;                 /* on diagonals */
} carried_terms;

INLINE void make_carried_terms(const span_lanes *span, const location_lanes *o, lanes stress,
                               lanes w, carried_terms *b)
{
    lanes c = stress * o->rest * o->minus, cf = c * o->f, half = 0.5 * w * o->rest * o->rest;
    lanes n = span->length, rho = o->rho, down = -cf * o->along * o->inverse * o->inverse;
    b->half_a = l3_combine(half, &o->f_a, c, &o->D_a);
    b->half_p = l3_combine(half, &o->f_p, c, &o->D_p);
    b->half_s = l3_scale(half, &o->f_s);
    b->whole_a = l3_axpy(half, &o->f_a, &b->half_a);
    b->whole_p = l3_axpy(half, &o->f_p, &b->half_p);
    b->aa = cf * rho * rho * span->inverse;
    b->pp = cf * (2 * n + o->along * o->inverse);
    b->pa = cf * rho;
    b->e = span->across.y;
    b->e_a = l3_scale(-0.5 * b->aa, &b->e);
    b->p_a = l3_combine(2 * rho * cf, &b->e, rho * cf, &o->t);
    b->p_p = l3_combine(0.5 * rho * down, &o->t, cf, &span->a);
    b->cross_s = l3_scale(c, &o->s), b->cross_a = l3_scale(-c, &span->a);
    b->cross_p = l3_scale(-c, &o->p);
}

INLINE void make_blocks(const location_lanes *o, const bend_lanes *bend, const bend_terms *of,
                        const carried_terms *f, const carry_terms *here, blocks *b)
{
    const lanes3 *spin_a = &o->spin_a, *spin_p = &o->spin_p;
    lanes3 on_a = l3_axpy(0.5 * of->phi, spin_a, &here->on_y);
    lanes3 on_p = l3_axpy(0.5 * of->phi, spin_p, &here->on_z);
    lanes3 on_pa = l3_axpy(of->phi, spin_p, &here->on_zy), t_p = l3_add(&of->t_p, &f->p_p);
    lanes3 cross_pa = l3_add(&f->cross_s, &here->turned);
    on_p = l3_add(&on_p, &of->phi_p), on_pa = l3_add(&on_pa, &of->phi_p);
    lanes pp = of->pp + f->pp, minus = -of->along, square_along = of->along * of->along;
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            b->SA[i][k] = outer(&of->phi_s, spin_a, i, k) + outer(&o->f_s, &f->whole_a, i, k) +
                          cross_entry(&f->cross_p, i, k);
            b->PA[i][k] = outer(&on_pa, spin_a, i, k) + outer(&o->f_p, &f->half_a, i, k) +
                          outer(&f->half_p, &o->f_a, i, k) + outer(&o->t, &f->p_a, i, k) +
                          cross_entry(&cross_pa, i, k) + diagonal(f->pa, i, k);
        }
    }
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k <= i; k++)
            b->AA[i][k] = symmetric(spin_a, &on_a, i, k) + symmetric(&o->f_a, &f->half_a, i, k) +
                          symmetric(&f->e, &f->e_a, i, k) + diagonal(f->aa, i, k);
    }
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            lanes W = i > k ? of->W[i][k] : of->W[k][i];
            b->PS[i][k] = minus * W + outer(&o->t, &of->t_s, i, k) +
                          outer(&bend->N, &of->N_s, i, k) + outer(spin_p, &of->phi_s, i, k) +
                          outer(&f->whole_p, &o->f_s, i, k) + cross_entry(&f->cross_a, i, k);
        }
    }
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k <= i; k++) {
            b->PP[i][k] = square_along * of->W[i][k] + symmetric(&o->t, &t_p, i, k) +
                          symmetric(&bend->N, &of->N_p, i, k) + symmetric(spin_p, &on_p, i, k) +
                          symmetric(&o->f_p, &f->half_p, i, k) + diagonal(pp, i, k);
            b->SS[i][k] = of->W[i][k] + symmetric(&o->f_s, &f->half_s, i, k);
        }
    }
}

/* h += Σ_a stress_a ∂²strain_a + w_a ∂strain_a ∂strain_aᵀ, except for the contribution of ∂²α, whose coefficient
 * is accumulated in *across. */
INLINE void add_hessian(const span_lanes *span, const location_lanes *o, const lanes *stress,
                        const lanes *w, triangle h, lanes *across)
{
    blocks b;
    bend_lanes bend;
    bend_terms of;
    carried_terms carried;
    carry_terms here;
    lanes twisting = w[2] * span->part, cross = twisting * o->rest;
    make_bend(o, stress, &bend);
    make_bend_terms(o, &bend, w, &of);
    make_carried_terms(span, o, stress[2], w[2], &carried);
    make_carry_terms(&o->here, -bend.turning, &here);
    make_blocks(o, &bend, &of, &carried, &here, &b);
    add_blocks(o->u, &b, h);
    lanes3 on_a = l3_scale(of.phi, &o->spin_a), on_p = l3_axpy(of.phi, &o->spin_p, &of.phi_p);
    lanes3 alpha_a = l3_combine(o->fraction, &on_a, cross, &o->f_a);
    lanes3 alpha_p = l3_combine(o->fraction, &on_p, cross, &o->f_p);
    lanes3 alpha_s = l3_combine(o->fraction, &of.phi_s, cross, &o->f_s);
    reduce(o, &on_a, &on_p, &of.phi_s, of.phi, (lanes){0}, h[TURN0]);
    reduce(o, &alpha_a, &alpha_p, &alpha_s, o->fraction * of.phi,
           o->fraction * o->fraction * of.phi + twisting * span->part, h[ALPHA]);
    *across += bend.turning * o->fraction + stress[2] * span->part;
}

/* ---- α by the rotations at both knots ------------------------------------------------------------ */

/* δα = δθ₁ − δθ₀ + δΨ from the start of the span to its end, over a, r, d, θ₀ and θ₁. */
INLINE void alpha_gradient(const span_lanes *span, reduced out)
{
    const carry *c = &span->across;
    UNROLLED
    for (int k = 0; k < 3; k++) {
        out[R + k] = out[D + k] = c->iz * c->half.k[k];
        out[A + k] = c->iy * c->half.k[k] + out[R + k];
    }
    out[TURN0] = -1 + (lanes){0}, out[TURN1] = 1 + (lanes){0};
}

/* Gradients over α become those over θ₁. */
INLINE void replace_alpha(const reduced alpha, reduced g)
{
    UNROLLED
    for (int k = 0; k < ALPHA; k++) g[k] += g[ALPHA] * alpha[k];
}

/* The rate of α from those of a, r, d, θ₀ and θ₁. */
INLINE void take_alpha_rate(const reduced alpha, reduced v)
{
    lanes rate = {0};
    UNROLLED
    for (int k = 0; k < REDUCED; k++) rate += alpha[k] * v[k];
    v[ALPHA] = rate;
}

/* The same for h, with across ∂²α. */
INLINE void replace_alpha_twice(const span_lanes *span, const reduced alpha, lanes across,
                                triangle h)
{
    carry_terms c;
    reduced half;
    make_carry_terms(&span->across, across, &c);
    UNROLLED
    for (int k = 0; k < ALPHA; k++) half[k] = h[ALPHA][k] + 0.5 * h[ALPHA][ALPHA] * alpha[k];
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            lanes both = symmetric(&c.spin_z, &c.on_z, i, k);
            lanes ends = outer(&c.on_zy, &c.spin_y, i, k) + cross_entry(&c.turned, i, k);
            lanes on_a = ends + both;
            h[R + i][A + k] += on_a, h[D + i][A + k] += on_a, h[D + i][R + k] += both;
            if (k > i) continue;
            h[A + i][A + k] += symmetric(&c.spin_y, &c.on_y, i, k) + on_a +
                               outer(&c.on_zy, &c.spin_y, k, i) + cross_entry(&c.turned, k, i);
            h[R + i][R + k] += both, h[D + i][D + k] += both;
        }
    }
    UNROLLED
    for (int i = 0; i < ALPHA; i++) {
        UNROLLED
        for (int k = 0; k <= i; k++) h[i][k] += half[i] * alpha[k] + alpha[i] * half[k];
        h[TURN1][i] += h[ALPHA][ALPHA] * alpha[i];
    }
}

/* ---- to control points -------------------------------------------------------------------------- */

/* a, r and d are Σ_j w_vj x_j. */
typedef struct span_weights {
    lanes w[3][4];
} span_weights;

INLINE void make_weights(span_weights *o, const spline_span *const *span)
{
    for (int j = 0; j < 4; j++) {
        o->w[0][j] = EACH(span, start[j]);
        o->w[1][j] = EACH(span, rise[j]);
        o->w[2][j] = EACH(span, bend[j]);
    }
}

INLINE void push_gradient(const span_weights *o, reduced g, lanes out[SPLINE_LOCAL])
{
    UNROLLED
    for (int j = 0; j < 4; j++) {
        UNROLLED
        for (int k = 0; k < 3; k++)
            out[3 * j + k] = o->w[0][j] * g[A + k] + o->w[1][j] * g[R + k] + o->w[2][j] * g[D + k];
    }
    out[12] = g[TURN0], out[13] = g[TURN1];
}

/* Reduced variables from values at control points and angles at knots. */
INLINE void pull_numbers(const span_weights *o, const lanes in[SPLINE_LOCAL], reduced out)
{
    UNROLLED
    for (int v = 0; v < 3; v++) {
        UNROLLED
        for (int k = 0; k < 3; k++)
            out[3 * v + k] = o->w[v][0] * in[k] + o->w[v][1] * in[3 + k] + o->w[v][2] * in[6 + k] +
                             o->w[v][3] * in[9 + k];
    }
    out[TURN0] = in[12], out[TURN1] = in[13];
}

/* row ≥ column */
INLINE void push_matrix(const span_weights *o, triangle h, lanes out[SPLINE_LOCAL][SPLINE_LOCAL])
{
    UNROLLED
    for (int c = 0; c < 12; c++) {
        int j = c / 3, k = c % 3;
        lanes half[REDUCED];
        UNROLLED
        for (int r = 0; r < REDUCED; r++) {
            int a = A + k, b = R + k, d = D + k;
            half[r] = o->w[0][j] * (r >= a ? h[r][a] : h[a][r]) +
                      o->w[1][j] * (r >= b ? h[r][b] : h[b][r]) +
                      o->w[2][j] * (r >= d ? h[r][d] : h[d][r]);
        }
        UNROLLED
        for (int r = 0; r < 12; r++)
            if (r >= c)
                out[r][c] = o->w[0][r / 3] * half[A + r % 3] + o->w[1][r / 3] * half[R + r % 3] +
                            o->w[2][r / 3] * half[D + r % 3];
        out[12][c] = half[TURN0], out[13][c] = half[TURN1];
    }
    out[12][12] = h[TURN0][TURN0];
    out[13][12] = h[TURN1][TURN0];
    out[13][13] = h[TURN1][TURN1];
}

#endif
