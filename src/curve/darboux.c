/* Quaternion power series about the midpoint of an interval of half-length H. With x = (u −
 * middle)/H, w = Hκ_m and g = H²γ (κ_m the curvature at the midpoint, γ its derivative),
 *     p' = ½ p ∘ (0, w + x g),  p(0) = 1:    p_{n+1} = ½ (p_n ∘ w + p_{n−1} ∘ g) / (n + 1)
 * and q(x) = q_m ∘ p(x): the recurrence of [SSC 2013, eq. 10] for the quaternion instead of the
 * matrix. Terms are bounded by those of exp(½|w|x + ¼|g|x²), so that cancellation loses e^{|κ|H/2}:
 * the midpoint halves the length of the series, and the quaternion halves the angle. Separate sums
 * of even and odd terms give p(x) and p(−x) at once. */
#include "curve/darboux.h"
#include "curve/darboux_piecewise.h"
#include "math/multiversion.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

enum { MOST_TERMS = 64, GAUSS_PAIRS = 8 };

/* The compiler's vector extension, lowered to the instructions of the processor. */
typedef double lanes __attribute__((vector_size(16)));

static const double part_angle = 5; /* loses e^{5/2}, one digit */

/* Positive nodes of the 16-point Gauss–Legendre rule: its error over part_angle is below 1e-20. */
static const double gauss_x[GAUSS_PAIRS] = {
    0.095012509837637440185, 0.28160355077925891323, 0.45801677765722738634, 0.61787624440264374845,
    0.7554044083550030339,   0.86563120238783174388, 0.94457502307323257608, 0.9894009349916499326};
static const double gauss_w[GAUSS_PAIRS] = {0.18945061045506849629,  0.18260341504492358887,
                                            0.16915651939500253819,  0.14959598881657673208,
                                            0.12462897125553387205,  0.09515851168249278481,
                                            0.062253523938647892863, 0.027152459411754094852};

/* A quaternion is two vectors, (a, b) and (c, d). */
typedef struct quad {
    lanes u, v;
} quad;

typedef struct middle_series {
    int count;                 /* number of pairs of terms */
    quad even[MOST_TERMS / 2]; /* p_0, p_2, … */
    quad odd[MOST_TERMS / 2];  /* p_1, p_3, … */
    quad even_sum, odd_sum;    /* p(±1) = even_sum ± odd_sum */
} middle_series;

/* The vector (x, y, z) as a right factor:
 *     (u, v) ∘ (x, y, z) = (x Ju − y v + z Jv, −x Jv + y u + z Ju),   J(a, b) = (−b, a);
 * the signs of J are in the factor, its exchange of components is applied to u and v. */
typedef struct right_factor {
    lanes xj, y, zj;
} right_factor;

static inline right_factor make_right_factor(const double a[3])
{
    return (right_factor){{-a[0], a[0]}, {a[1], a[1]}, {-a[2], a[2]}};
}

static inline lanes swap_components(lanes a)
{
    return (lanes){a[1], a[0]};
}

/* c ∘ w + m b ∘ g. b is known one term earlier, so that its product is off the critical path. */
static inline quad next_term(quad c, const right_factor *w, double m, quad b, const right_factor *g)
{
    lanes cu = swap_components(c.u), cv = swap_components(c.v), bu = swap_components(b.u),
          bv = swap_components(b.v);
    lanes u = m * (bu * g->xj - b.v * g->y + bv * g->zj);
    lanes v = m * (b.u * g->y - bv * g->xj + bu * g->zj);
    return (quad){(u + cu * w->xj) + (cv * w->zj - c.v * w->y),
                  (v - cv * w->xj) + (c.u * w->y + cu * w->zj)};
}

static inline quad scaled(quad a, double s)
{
    return (quad){a.u * s, a.v * s};
}

static inline void add_to(quad *a, quad b)
{
    a->u += b.u, a->v += b.v;
}

/* w and g are half of those above. Returns the exponent of the bound exp(½|w| + ¼|g|). The loop
 * carries n! p_n, whose recurrence has no division. The number of terms comes from the majorant of
 * the same recurrence: the sum ends when two consecutive terms are negligible, since one alone may
 * vanish (w = 0). */
static double expand(middle_series *s, const double w[3], const double g[3])
{
    const double size_w = v3_norm(w), size_g = v3_norm(g);
    const right_factor by_w = make_right_factor(w), by_g = make_right_factor(g);
    quad even = {{1, 0}, {0, 0}}, odd = {{0, w[0]}, {w[1], w[2]}};
    double even_bound = 1, odd_bound = size_w, scale = 1;
    int count = 1;
    s->even[0] = s->even_sum = even;
    s->odd[0] = s->odd_sum = odd;
    for (; count < MOST_TERMS / 2; count++) {
        const double n = 2 * count, over = 1 / n, over_next = 1 / (n + 1);
        even_bound = (size_w * odd_bound + size_g * even_bound) * over;
        odd_bound = (size_w * even_bound + size_g * odd_bound) * over_next;
        if (!(even_bound + odd_bound > DARBOUX_NEGLIGIBLE)) break;
        even = next_term(odd, &by_w, n - 1, even, &by_g);
        odd = next_term(even, &by_w, n, odd, &by_g);
        scale *= over;
        add_to(&s->even_sum, s->even[count] = scaled(even, scale));
        scale *= over_next;
        add_to(&s->odd_sum, s->odd[count] = scaled(odd, scale));
    }
    s->count = count;
    return size_w + 0.5 * size_g;
}

/* The series of κ about the midpoint of an interval of half-length h. */
static double expand_about(middle_series *s, const curvature *k, double middle, double h)
{
    double w[3], g[3];
    for (int i = 0; i < 3; i++) {
        w[i] = 0.5 * h * (k->start[i] + middle * k->slope[i]);
        g[i] = 0.5 * h * h * k->slope[i];
    }
    return expand(s, w, g);
}

/* The quaternions at the midpoint and the end of the interval from the one at its start, a unit
 * quaternion, so that conjugation inverts. */
static void propagate(const middle_series *s, const double start[4], double middle[4],
                      double end[4])
{
    const quad *e = &s->even_sum, *o = &s->odd_sum;
    lanes u = e->u + o->u, v = e->v + o->v, back_u = e->u - o->u, back_v = o->v - e->v;
    double forward[4] = {u[0], u[1], v[0], v[1]};
    double backward[4] = {back_u[0], -back_u[1], back_v[0], back_v[1]}; /* p(−1)⁻¹ */
    q4_multiply(middle, start, backward);
    q4_multiply(end, middle, forward);
}

/* Even and odd part of p at `count` nodes by Horner's rule; inlined with a constant count, so that
 * all values stay in registers. */
INLINE void evaluate(const middle_series *s, int count, const double *x, quad *even, quad *odd)
{
    int n = s->count - 1;
    for (int i = 0; i < count; i++) even[i] = s->even[n], odd[i] = s->odd[n];
    while (--n >= 0) {
        const quad e = s->even[n], o = s->odd[n];
        for (int i = 0; i < count; i++) {
            const double y = x[i] * x[i];
            even[i] = (quad){even[i].u * y + e.u, even[i].v * y + e.v};
            odd[i] = (quad){odd[i].u * y + o.u, odd[i].v * y + o.v};
        }
    }
    for (int i = 0; i < count; i++) odd[i] = scaled(odd[i], x[i]);
}

/* (a₀, b₀) and (a₁, b₁) */
static inline lanes first_components(lanes a, lanes b)
{
    return (lanes){a[0], b[0]};
}
static inline lanes second_components(lanes a, lanes b)
{
    return (lanes){a[1], b[1]};
}

/* ---- frames at nodes -------------------------------------------------------------------------- */

/* Unaligned store. */
static inline void store(double *to, lanes a)
{
    memcpy(to, &a, sizeof a);
}

/* The rotation matrices of q ∘ (even + odd) and q ∘ (even − odd), one per lane. */
static inline void store_frames(const double q[4], quad even, quad odd, double *forward,
                                double *backward)
{
    lanes on_u = even.u + odd.u, on_v = even.v + odd.v;
    lanes back_u = even.u - odd.u, back_v = even.v - odd.v;
    lanes p0 = first_components(on_u, back_u), p1 = second_components(on_u, back_u);
    lanes p2 = first_components(on_v, back_v), p3 = second_components(on_v, back_v);
    lanes a = (q[0] * p0 - q[1] * p1) - (q[2] * p2 + q[3] * p3);
    lanes b = (q[0] * p1 + q[1] * p0) + (q[2] * p3 - q[3] * p2);
    lanes c = (q[0] * p2 - q[1] * p3) + (q[2] * p0 + q[3] * p1);
    lanes d = (q[0] * p3 + q[1] * p2) - (q[2] * p1 - q[3] * p0);
    lanes aa = a * a, bb = b * b, cc = c * c, dd = d * d;
    lanes a2 = a + a, b2 = b + b, ab = a2 * b, ac = a2 * c, ad = a2 * d;
    lanes bc = b2 * c, bd = b2 * d, cd = (c + c) * d;
    lanes aa_dd = aa - dd, bb_cc = bb - cc;
    lanes m[8] = {aa_dd + bb_cc, bc + ad, bd - ac, bc - ad,
                  aa_dd - bb_cc, cd + ab, bd + ac, cd - ab};
    for (int i = 0; i < 8; i += 2) {
        store(forward + i, first_components(m[i], m[i + 1]));
        store(backward + i, second_components(m[i], m[i + 1]));
    }
    lanes last = (aa + dd) - (bb + cc);
    forward[8] = last[0], backward[8] = last[1];
}

/* Frames at the nodes first, first + 1, … counted from either end; at most three. */
INLINE void pair_frames(const middle_series *s, const double middle[4], int n, const double *x,
                        int first, int count, double *frames)
{
    quad even[3], odd[3];
    double at[3];
    for (int i = 0; i < count; i++) at[i] = x[n - 1 - first - i];
    evaluate(s, count, at, even, odd);
    for (int i = 0; i < count; i++) {
        int node = first + i;
        store_frames(middle, even[i], odd[i], frames + 9 * (n - 1 - node), frames + 9 * node);
    }
}

INLINE void middle_frames(const curvature *k, double length, const double start[4], int n,
                          const double *x, double *frames, double end[4])
{
    middle_series s;
    double middle[4];
    if (expand_about(&s, k, length / 2, length / 2) > DARBOUX_MOST_EXPONENT) {
        cord__darboux_piecewise_frames(k, length, start, n, x, frames, end);
        return;
    }
    propagate(&s, start, middle, end);
    /* Pairs x, −x; the middle node of an odd n is its own partner. Two pairs at a time fill the
     * pipeline; three, once, make the remaining number even. */
    int done = 0, pairs = (n + 1) / 2;
    if (pairs == 1) pair_frames(&s, middle, n, x, done, 1, frames), done = 1;
    if (pairs % 2 && pairs > 1) pair_frames(&s, middle, n, x, done, 3, frames), done = 3;
    for (; done < pairs; done += 2) pair_frames(&s, middle, n, x, done, 2, frames);
}

INLINE void frames_by(cord_kinematics method, const curvature *k, double length,
                      const double start[4], int n, const double *x, double *frames, double end[4])
{
    if (method == CORD_KINEMATICS_SERIES)
        cord__darboux_piecewise_frames(k, length, start, n, x, frames, end);
    else
        middle_frames(k, length, start, n, x, frames, end);
}
MULTIVERSION_AVX2(cord__darboux_frames, frames_by,
                  (cord_kinematics method, const curvature *k, double length, const double start[4],
                   int n, const double *x, double *frames, double end[4]),
                  (method, k, length, start, n, x, frames, end))

/* ---- frame and position at any length ----------------------------------------------------------- */

/* The half-length h of the next part: |κ_m| h + ½|γ| h² = part_angle, first with the bound |κ_m| <=
 * |κ| + |γ| h, then with κ_m itself, which is smaller where curvature decreases. */
static double part_half(const double kappa[3], const double slope[3])
{
    double size = v3_norm(kappa), rise = v3_norm(slope), middle[3];
    double h = 2 * part_angle / (size + sqrt(size * size + 6 * part_angle * rise));
    if (!isfinite(h)) return h; /* zero curvature */
    v3_combine(middle, 1, kappa, h, slope);
    double refined = part_angle / (v3_norm(middle) + 0.5 * rise * h);
    v3_combine(middle, 1, kappa, refined, slope);
    return v3_norm(middle) * refined + 0.5 * rise * refined * refined <= 1.05 * part_angle ? refined
                                                                                           : h;
}

/* sum += weight p e₁ p̄ for two p at once; the second and third component are halved */
static inline void add_tangent(lanes sum[3], lanes weight, quad first, quad second)
{
    lanes a = first_components(first.u, second.u), b = second_components(first.u, second.u);
    lanes c = first_components(first.v, second.v), d = second_components(first.v, second.v);
    sum[0] += weight * ((a * a + b * b) - (c * c + d * d));
    sum[1] += weight * (b * c + a * d);
    sum[2] += weight * (b * d - a * c);
}

/* ∫₋₁¹ p e₁ p̄ dx by Gauss–Legendre quadrature, exact to round-off within part_angle. The tangent
 * is quadratic in p, so that t(x) + t(−x) is twice the sum of the tangents of the even and the odd
 * part. */
static void integrate_tangent(const middle_series *s, double r[3])
{
    lanes sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < GAUSS_PAIRS; i += 2) {
        const lanes weight = {gauss_w[i], gauss_w[i + 1]};
        quad even[2], odd[2];
        evaluate(s, 2, gauss_x + i, even, odd);
        add_tangent(sum, weight, even[0], even[1]);
        add_tangent(sum, weight, odd[0], odd[1]);
    }
    r[0] = 2 * (sum[0][0] + sum[0][1]);
    r[1] = 4 * (sum[1][0] + sum[1][1]);
    r[2] = 4 * (sum[2][0] + sum[2][1]);
}

void cord__darboux_at(const curvature *k, double u, const double R0[9], double R[9], double r[3])
{
    double q[4] = {1, 0, 0, 0}, position[3] = {0, 0, 0}, m[9];
    int part = 0;
    for (double from = 0; from < u; part++) {
        double kappa[3], middle[4], step[3];
        middle_series s;
        v3_combine(kappa, 1, k->start, from, k->slope);
        double h = part_half(kappa, k->slope);
        bool last = !(from + 2 * h < u && from + 2 * h > from && part < MAX_PARTS);
        if (last) h = 0.5 * (u - from);
        expand_about(&s, k, from + h, h);
        propagate(&s, q, middle, q);
        if (r) {
            integrate_tangent(&s, step);
            q4_matrix(m, middle);
            m3_apply(step, m, step);
            v3_axpy(position, h, step);
        }
        from = last ? u : from + 2 * h;
    }
    if (r) m3_apply(r, R0, position);
    q4_matrix(m, q);
    if (R) m3_multiply(R, R0, m);
}
