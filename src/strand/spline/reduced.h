/* Splines: strains at a point and their derivatives, for four points at a time.
 *
 * The strains at a point are functions of five vectors and two angles: a = x' at the start of its
 * span, b = x' at the end, p = x' and s = x'' at the point, and the angles of the frames at its
 * knots. Along a span x' is quadratic, so p and s are linear combinations of a, b and c = x' in the
 * middle. All derivatives are accumulated over a, b, c and the two angles, the *reduced* variables,
 * and are transformed to forces on control points, or to a matrix over them, once per span.
 *
 * Each value below is a SIMD vector of four, one for each of four spans, by the compiler's vector
 * extension. */
#ifndef CORDAGE_STRAND_SPLINE_REDUCED_H
#define CORDAGE_STRAND_SPLINE_REDUCED_H

#include "strand/spline/spline.h"

enum { A = 0, B = 3, C = 6, TURN0 = 9, TURN1 = 10, REDUCED = SPLINE_REDUCED };
typedef lanes reduced[REDUCED];
typedef lanes triangle[REDUCED][REDUCED]; /* row ≥ column */

static const int next[3] = {1, 2, 0}, last[3] = {2, 0, 1};

/* [w]×_ik */
INLINE lanes cross_entry(const lanes3 *w, int i, int k)
{
    return k == last[i] ? w->k[next[i]] : k == next[i] ? -w->k[last[i]] : (lanes){0};
}

/* ---- strains ------------------------------------------------------------------------------------ */

/* Weights of a, b and c in x' at u, and in x''. */
INLINE void first_weights(lanes u, lanes w[3])
{
    w[0] = (2 * u - 1) * (u - 1), w[1] = u * (2 * u - 1), w[2] = 4 * u * (1 - u);
}
INLINE void second_weights(lanes u, lanes w[3])
{
    w[0] = 4 * u - 3, w[1] = 4 * u - 1, w[2] = 4 - 8 * u;
}
INLINE lanes3 weighed(const lanes w[3], const lanes3 *a, const lanes3 *b, const lanes3 *c)
{
    lanes3 r;
    for (int k = 0; k < 3; k++) r.k[k] = w[0] * a->k[k] + w[1] * b->k[k] + w[2] * c->k[k];
    return r;
}

/* Data common to the points of a span: knots, x' in the middle, α and 1/l̄. */
typedef struct state_lanes {
    lanes3 a, T, first, b, c;
    lanes alpha, part;
} state_lanes;

typedef struct gauss_lanes {
    lanes3 p, s, m1;
    lanes strain[SPLINE_STRAINS];
} gauss_lanes;

INLINE void make_states(state_lanes *o, const spline *s, const double *q, const int *index,
                        const spline_span *const *span, const spline_knot *const *knot,
                        const spline_knot *const *end)
{
    const double *alpha = spline_alpha(s, q), *own[LANES];
    double middle[LANES][3];
    for (int l = 0; l < LANES; l++) {
        spline_sum(middle[l], span[l]->middle, q, index[l]);
        own[l] = middle[l];
    }
    o->a = EACH3(knot, p), o->T = EACH3(knot, t), o->first = EACH3(knot, m1);
    o->b = EACH3(end, p), o->c = ENTRY3(own, 0);
    for (int l = 0; l < LANES; l++) own[l] = alpha + index[l];
    o->alpha = ENTRY(own, 0);
    o->part = 1 / EACH(span, length);
}

/* κ₁ = −m₂·x''/(|x'| s̄'), κ₂ = m₁·x''/(|x'| s̄'), twist = α/l̄ + (twist of the transported frame)/s̄', as in
 * cord__spline_state_at(), at one Gauss point of each of four spans. */
INLINE void gauss_state(const state_lanes *of, const spline_gauss *const *gauss, gauss_lanes *o)
{
    lanes u = EACH(gauss, u), rest = EACH(gauss, rest), w[3];
    first_weights(u, w);
    o->p = weighed(w, &of->a, &of->b, &of->c);
    second_weights(u, w);
    o->s = weighed(w, &of->a, &of->b, &of->c);
    lanes length = l_sqrt(l3_dot(&o->p, &o->p)), inverse = 1 / length;
    lanes3 t = l3_scale(inverse, &o->p), m1 = l3_transport(&of->T, &t, &of->first);
    o->m1 = l3_rotate_about(&m1, &t, EACH(gauss, fraction) * of->alpha);
    lanes3 m2 = l3_cross(&t, &o->m1), binormal = l3_cross(&o->p, &o->s);
    lanes carried = -l3_dot(&of->T, &binormal) / (length * (length + l3_dot(&of->T, &o->p)));
    o->strain[0] = -inverse * rest * l3_dot(&m2, &o->s);
    o->strain[1] = inverse * rest * l3_dot(&o->m1, &o->s);
    o->strain[2] = of->alpha * of->part + carried * rest;
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

/* Its second derivatives, with τ = (ŷ + ẑ)/χ: Ψ_yy = −½ (½κb (τ + ŷ)ᵀ + …ᵀ)/|y|², likewise Ψ_zz, and
 * Ψ_zy = −(τ ½κbᵀ + [ŷ]×/χ)/(|y||z|): entry (i, k) of each, times `scale`. */
typedef struct carry_terms {
    lanes3 tau, with_y, with_z, half;
    lanes yy, zz, zy, rotation;
} carry_terms;

INLINE void make_carry_terms(carry_terms *o, const carry *c, lanes scale)
{
    lanes3 both = l3_add(&c->y, &c->z);
    o->half = c->half;
    o->tau = l3_scale(c->ichi, &both);
    o->with_y = l3_add(&o->tau, &c->y);
    o->with_z = l3_add(&o->tau, &c->z);
    o->yy = -0.5 * scale * c->iy * c->iy;
    o->zz = -0.5 * scale * c->iz * c->iz;
    o->zy = -scale * c->iy * c->iz;
    o->rotation = o->zy * c->ichi;
}
INLINE lanes symmetric(lanes c, const lanes3 *u, const lanes3 *v, int i, int k)
{
    return c * (u->k[i] * v->k[k] + v->k[i] * u->k[k]);
}

typedef struct span_lanes {
    lanes3 a;
    carry across;       /* from the span's start to its end */
    lanes length, part; /* |a|; 1/l̄ */
} span_lanes;

typedef struct location_lanes {
    lanes3 p, s, m1, t, m2;
    lanes rho, inverse, scale, fraction; /* |p|, 1/|p|, 1/s̄', σ */
    lanes P[3], S[3];                    /* p and s are Σ P_v v and Σ S_v v, v = a, b, c */
    carry here;                          /* from the start of the span to the point */
    reduced rotation;                    /* rotation of the frame about its tangent */
    /* The twist of the transported frame, f = −V/D with V = a·(p × s), D = |p|(|p||a| + a·p). */
    lanes f, D, along;
    lanes3 f_a, f_p, f_s, D_a, D_p;
} location_lanes;

/* A gradient over a, b, p, s and the angles at the knots, reduced. */
INLINE void reduce(const location_lanes *o, const lanes3 *a, const lanes3 *b, const lanes3 *p,
                   const lanes3 *s, lanes turn0, lanes turn1, reduced out)
{
    UNROLLED
    for (int k = 0; k < 3; k++) {
        out[A + k] = a->k[k] + o->P[0] * p->k[k] + o->S[0] * s->k[k];
        out[B + k] = b->k[k] + o->P[1] * p->k[k] + o->S[1] * s->k[k];
        out[C + k] = o->P[2] * p->k[k] + o->S[2] * s->k[k];
    }
    out[TURN0] = turn0, out[TURN1] = turn1;
}

INLINE void make_span(span_lanes *o, const spline_span *const *span, const spline_knot *const *knot,
                      const spline_knot *const *end)
{
    lanes3 y = EACH3(knot, t), z = EACH3(end, t);
    o->a = EACH3(knot, p);
    o->length = 1 / EACH(knot, inverse);
    o->part = 1 / EACH(span, length);
    make_carry(&o->across, &y, EACH(knot, inverse), &z, EACH(end, inverse));
}

INLINE void make_carried(const span_lanes *span, location_lanes *o)
{
    const lanes3 *a = &span->a, *p = &o->p, *s = &o->s;
    lanes3 V_a = l3_cross(p, s), V_p = l3_cross(s, a), V_s = l3_cross(a, p);
    lanes n = span->length, rho = o->rho;
    o->along = l3_dot(a, p);
    o->D = rho * (rho * n + o->along);
    lanes minus = -1 / o->D;
    o->f = minus * l3_dot(a, &V_a);
    o->D_a = l3_combine(rho * rho / n, a, rho, p);
    o->D_p = l3_combine(2 * n + o->along * o->inverse, p, rho, a);
    o->f_a = l3_combine(minus, &V_a, minus * o->f, &o->D_a);
    o->f_p = l3_combine(minus, &V_p, minus * o->f, &o->D_p);
    o->f_s = l3_scale(minus, &V_s);
}

INLINE void make_location(const span_lanes *span, lanes u, lanes rest, lanes fraction,
                          const gauss_lanes *state, location_lanes *o)
{
    const carry *across = &span->across;
    first_weights(u, o->P);
    second_weights(u, o->S);
    o->scale = rest;
    o->fraction = fraction;
    o->p = state->p, o->s = state->s, o->m1 = state->m1;
    o->rho = l_sqrt(l3_dot(&o->p, &o->p));
    o->inverse = 1 / o->rho;
    o->t = l3_scale(o->inverse, &o->p);
    o->m2 = l3_cross(&o->t, &o->m1);
    make_carry(&o->here, &across->y, across->iy, &o->t, o->inverse);
    make_carried(span, o);
    lanes3 on_a = l3_combine(o->fraction * across->iy, &across->half, -across->iy, &o->here.half);
    lanes3 on_b = l3_scale(o->fraction * across->iz, &across->half), none = {0};
    lanes3 on_p = l3_scale(-o->inverse, &o->here.half);
    reduce(o, &on_a, &on_b, &on_p, &none, 1 - o->fraction, o->fraction, o->rotation);
}

/* Gradient of G = N·s/(|p| s̄') for a normal N fixed in the frame: over p, s and the rotation of
 * the frame, −(s_t N + n t)/|p|², N/|p| and Ñ·s/|p|, over s̄', with s_t = t·s, n = N·s, Ñ = t × N. */
INLINE void bend_gradient(const location_lanes *o, const lanes3 *N, const lanes3 *side, reduced g)
{
    lanes c = o->scale * o->inverse, turning = c * l3_dot(side, &o->s);
    lanes3 none = {0}, on_s = l3_scale(c, N);
    lanes3 on_p = l3_combine(-c * o->inverse * l3_dot(&o->t, &o->s), N,
                             -c * o->inverse * l3_dot(N, &o->s), &o->t);
    reduce(o, &none, &none, &on_p, &on_s, (lanes){0}, (lanes){0}, g);
    UNROLLED
    for (int k = 0; k < REDUCED; k++) g[k] += turning * o->rotation[k];
}

/* Gradients of the three strains. */
INLINE void gradients(const span_lanes *span, const location_lanes *o, reduced g[SPLINE_STRAINS])
{
    const carry *across = &span->across;
    lanes3 minus = l3_scale(l_broadcast(-1), &o->m2);
    bend_gradient(o, &minus, &o->m1, g[0]);
    bend_gradient(o, &o->m1, &o->m2, g[1]);
    lanes3 on_a = l3_combine(span->part * across->iy, &across->half, o->scale, &o->f_a);
    lanes3 on_b = l3_scale(span->part * across->iz, &across->half);
    lanes3 on_p = l3_scale(o->scale, &o->f_p), on_s = l3_scale(o->scale, &o->f_s);
    reduce(o, &on_a, &on_b, &on_p, &on_s, -span->part, span->part, g[2]);
}

/* ---- second derivatives ------------------------------------------------------------------------- */

/* Blocks of second derivatives over a, p and s, entry by entry; the block over s twice vanishes. PS
 * has a symmetric part and the remainder [ps]×, SA is [sa]×. */
typedef struct blocks {
    lanes AA[3][3], PP[3][3], PA[3][3], PS[3][3]; /* AA, PP, PS: row ≥ column */
    lanes3 ps, sa;
} blocks;

/* Transformation to the reduced variables. */
INLINE void add_blocks(const location_lanes *o, const blocks *b, triangle h)
{
    UNROLLED
    for (int x = 0; x < 3; x++) {
        UNROLLED
        for (int y = 0; y <= x; y++) {
            lanes pp = o->P[x] * o->P[y], xy = o->P[x] * o->S[y], yx = o->S[x] * o->P[y];
            lanes ps = xy + yx, odd = xy - yx;
            UNROLLED
            for (int i = 0; i < 3; i++) {
                UNROLLED
                for (int k = 0; k < 3; k++) {
                    if (x == y && k > i) continue;
                    int r = i > k ? i : k, c = i > k ? k : i;
                    lanes value = pp * b->PP[r][c] + ps * b->PS[r][c];
                    if (x != y) value += odd * cross_entry(&b->ps, i, k);
                    if (x == 0) value += b->AA[i][k] + o->P[0] * (b->PA[i][k] + b->PA[k][i]);
                    if (x > 0 && y == 0)
                        value += o->P[x] * b->PA[i][k] + o->S[x] * cross_entry(&b->sa, i, k);
                    h[3 * x + i][3 * y + k] += value;
                }
            }
        }
    }
}

/* h += Σ_n c_n (u_n v_nᵀ + v_n u_nᵀ), two of them, and Σ_a w_a g_a g_aᵀ. */
INLINE void add_outers(reduced u[2], reduced v[2], reduced g[SPLINE_STRAINS], const lanes *w,
                       triangle h)
{
    UNROLLED
    for (int i = 0; i < REDUCED; i++) {
        lanes f[SPLINE_STRAINS];
        UNROLLED
        for (int a = 0; a < SPLINE_STRAINS; a++) f[a] = w[a] * g[a][i];
        UNROLLED
        for (int k = 0; k <= i; k++)
            h[i][k] +=
                (f[0] * g[0][k] + f[1] * g[1][k] + f[2] * g[2][k]) +
                ((u[0][i] * v[0][k] + v[0][i] * u[0][k]) + (u[1][i] * v[1][k] + v[1][i] * u[1][k]));
    }
}

/* Hessian of N·s/(|p| s̄') as in bend_gradient(): its blocks over p and s, and mixed rotationᵀ + rotation
 * mixedᵀ. */
INLINE void bend_blocks(const location_lanes *o, const lanes3 *N, blocks *b, reduced mixed,
                        lanes *turning)
{
    lanes3 side = l3_cross(&o->t, N), none = {0};
    lanes c1 = o->scale * o->inverse, c2 = c1 * o->inverse, c3 = c2 * o->inverse;
    lanes along = l3_dot(&o->t, &o->s), n = l3_dot(N, &o->s), turned = l3_dot(&side, &o->s);
    lanes3 across = l3_combine(l_broadcast(1), &o->s, -along, &o->t);
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k <= i; k++) {
            b->PP[i][k] = symmetric(2 * c3 * along, &o->t, N, i, k) +
                          symmetric(-0.5 * c3, N, &across, i, k) +
                          3 * c3 * n * o->t.k[i] * o->t.k[k];
            if (i == k) b->PP[i][k] -= c3 * n;
            b->PS[i][k] = symmetric(-c2, N, &o->t, i, k);
        }
    }
    lanes3 on_p = l3_combine(-c2 * along, &side, -c2 * turned, &o->t), on_s = l3_scale(c1, &side);
    reduce(o, &none, &none, &on_p, &on_s, (lanes){0}, (lanes){0}, mixed);
    UNROLLED
    for (int k = 0; k < REDUCED; k++) mixed[k] -= 0.5 * c1 * n * o->rotation[k];
    *turning = c1 * turned;
}

/* Hessian of Ψ from the start of the span to the point. */
INLINE void here_blocks(const location_lanes *o, lanes scale, blocks *b)
{
    carry_terms c;
    make_carry_terms(&c, &o->here, scale);
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            b->PA[i][k] =
                c.zy * c.tau.k[i] * c.half.k[k] + c.rotation * cross_entry(&o->here.y, i, k);
            if (k > i) continue;
            b->AA[i][k] = symmetric(c.yy, &c.half, &c.with_y, i, k);
            b->PP[i][k] += symmetric(c.zz, &c.half, &c.with_z, i, k);
        }
    }
}

/* Hessian of the transported frame's twist, from f D = −V: f_xy = −(V_xy + f_x D_y + D_x f_y + f
 * D_xy)/D. The terms with D_x and D_y are u vᵀ + v uᵀ. */
INLINE void carried_blocks(const span_lanes *span, const location_lanes *o, lanes scale, blocks *b,
                           reduced u, reduced v)
{
    lanes c = -scale / o->D, cf = c * o->f, n = span->length, rho = o->rho;
    lanes3 e = l3_scale(1 / n, &span->a), none = {0};
    lanes aa = cf * rho * rho / n, pp = cf * (2 * n + o->along * o->inverse);
    lanes down = -cf * o->along * o->inverse * o->inverse * o->inverse, shared = cf * o->inverse;
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            b->PA[i][k] += c * cross_entry(&o->s, i, k) + 2 * cf * o->p.k[i] * e.k[k] +
                           shared * o->p.k[i] * o->p.k[k];
            if (i == k) b->PA[i][k] += cf * rho;
            if (k > i) continue;
            b->AA[i][k] -= aa * e.k[i] * e.k[k];
            b->PP[i][k] += down * o->p.k[i] * o->p.k[k] + symmetric(shared, &o->p, &span->a, i, k);
            if (i == k) b->AA[i][k] += aa, b->PP[i][k] += pp;
        }
    }
    b->ps = l3_scale(-c, &span->a);
    b->sa = l3_scale(-c, &o->p);
    lanes3 f_a = l3_scale(c, &o->f_a), f_p = l3_scale(c, &o->f_p), f_s = l3_scale(c, &o->f_s);
    reduce(o, &f_a, &none, &f_p, &f_s, (lanes){0}, (lanes){0}, u);
    reduce(o, &o->D_a, &none, &o->D_p, &none, (lanes){0}, (lanes){0}, v);
}

/* h += Σ_a stress_a ∂²strain_a + w_a ∂strain_a ∂strain_aᵀ, except for the contribution of Ψ across
 * the span, which is accumulated in *across. */
INLINE void curving(const span_lanes *span, const location_lanes *o, const lanes *stress,
                    const lanes *w, reduced g[SPLINE_STRAINS], triangle h, lanes *across)
{
    blocks b;
    reduced u[2], v[2];
    lanes turning;
    lanes3 N = l3_combine(stress[1], &o->m1, -stress[0], &o->m2);
    bend_blocks(o, &N, &b, u[0], &turning);
    for (int k = 0; k < REDUCED; k++) v[0][k] = o->rotation[k];
    here_blocks(o, -turning, &b);
    carried_blocks(span, o, stress[2] * o->scale, &b, u[1], v[1]);
    *across += turning * o->fraction + stress[2] * span->part;
    add_blocks(o, &b, h);
    add_outers(u, v, g, w, h);
}

INLINE void across_curving(const span_lanes *span, lanes scale, triangle h)
{
    carry_terms c;
    make_carry_terms(&c, &span->across, scale);
    UNROLLED
    for (int i = 0; i < 3; i++) {
        UNROLLED
        for (int k = 0; k < 3; k++) {
            h[B + i][A + k] +=
                c.zy * c.tau.k[i] * c.half.k[k] + c.rotation * cross_entry(&span->across.y, i, k);
            if (k > i) continue;
            h[A + i][A + k] += symmetric(c.yy, &c.half, &c.with_y, i, k);
            h[B + i][B + k] += symmetric(c.zz, &c.half, &c.with_z, i, k);
        }
    }
}

/* ---- to control points -------------------------------------------------------------------------- */

/* a, b and c are Σ_j w_vj x_j. */
typedef struct span_weights {
    lanes w[3][4];
} span_weights;

INLINE void make_weights(span_weights *o, const spline_span *const *span)
{
    for (int j = 0; j < 4; j++) {
        o->w[0][j] = EACH(span, start[j]);
        o->w[1][j] = EACH(span, end[j]);
        o->w[2][j] = EACH(span, middle[j]);
    }
}

INLINE void push_gradient(const span_weights *o, reduced g, lanes out[SPLINE_LOCAL])
{
    UNROLLED
    for (int j = 0; j < 4; j++) {
        UNROLLED
        for (int k = 0; k < 3; k++)
            out[3 * j + k] = o->w[0][j] * g[A + k] + o->w[1][j] * g[B + k] + o->w[2][j] * g[C + k];
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
            int a = A + k, b = B + k, m = C + k;
            half[r] = o->w[0][j] * (r >= a ? h[r][a] : h[a][r]) +
                      o->w[1][j] * (r >= b ? h[r][b] : h[b][r]) +
                      o->w[2][j] * (r >= m ? h[r][m] : h[m][r]);
        }
        UNROLLED
        for (int r = 0; r < 12; r++)
            if (r >= c)
                out[r][c] = o->w[0][r / 3] * half[A + r % 3] + o->w[1][r / 3] * half[B + r % 3] +
                            o->w[2][r / 3] * half[C + r % 3];
        out[12][c] = half[TURN0], out[13][c] = half[TURN1];
    }
    out[12][12] = h[TURN0][TURN0];
    out[13][12] = h[TURN1][TURN0];
    out[13][13] = h[TURN1][TURN1];
}

#endif
