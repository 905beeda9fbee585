/* Quaternion power series about the middle of an interval of half-length H. With x = (u − middle)/H,
 * w = Hκ_m and g = H²γ (κ_m the curvature in the middle, γ its slope),
 *     p' = ½ p ∘ (0, w + x g),  p(0) = 1:    p_{n+1} = ½ (p_n ∘ w + p_{n−1} ∘ g) / (n + 1)
 * and q(x) = q_m ∘ p(x). Terms are bounded by those of exp(½|w|x + ¼|g|x²), so the loss by
 * cancellation is e^{|κ|H/2}: half the length of a series from the left end, and half the angle of
 * one for the matrix. Even and odd terms summed apart give p(x) and p(−x) at once. */
#include "curve/darboux.h"
#include "curve/darboux_paper.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

enum { MOST_TERMS = 64, GAUSS_PAIRS = 8 };

/* Vectors by the compiler's extension, which lowers them to what the processor has. */
typedef double lanes __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

static const double negligible = 3e-17; /* beside 1: a quarter of the last bit's half */
static const double most_exponent = 4;  /* a series for a curve of 16 radians loses e⁴ */
static const double part_angle = 5;     /* loses e^{5/2}, a digit */

/* Gauss's rule with 16 nodes, the positive ones: its error on part_angle is below 1e-20. */
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
    int count;                 /* of pairs of terms */
    quad even[MOST_TERMS / 2]; /* p_0, p_2, … */
    quad odd[MOST_TERMS / 2];  /* p_1, p_3, … */
    quad even_sum, odd_sum;    /* p(±1) = even_sum ± odd_sum */
} middle_series;

/* The vector (x, y, z) for multiplication from the right:
 *     (u, v) ∘ (x, y, z) = (x Ju − y v + z Jv, −x Jv + y u + z Ju),   J(a, b) = (−b, a),
 * with J's signs in the factors and its exchange done on u and v. */
typedef struct factor {
    lanes xj, y, zj;
} factor;

static inline factor make_factor(const double a[3])
{
    return (factor){{-a[0], a[0]}, {a[1], a[1]}, {-a[2], a[2]}};
}

static inline lanes exchanged(lanes a)
{
    return (lanes){a[1], a[0]};
}

/* c ∘ w + m b ∘ g. What comes from b is known a term earlier and does not delay. */
static inline quad next_term(quad c, const factor *w, double m, quad b, const factor *g)
{
    lanes cu = exchanged(c.u), cv = exchanged(c.v), bu = exchanged(b.u), bv = exchanged(b.v);
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

/* w and g are halves of those above. Returns the exponent of the bound exp(½|w| + ¼|g|). The loop carries n! p_n, for which the recurrence needs no
 * division. The number of terms comes from the majorant of the same recurrence, of which two in a row
 * must be negligible, since one alone may vanish (w = 0). */
static double expand(middle_series *s, const double w[3], const double g[3])
{
    const double size_w = v3_norm(w), size_g = v3_norm(g);
    const factor by_w = make_factor(w), by_g = make_factor(g);
    quad even = {{1, 0}, {0, 0}}, odd = {{0, w[0]}, {w[1], w[2]}};
    double even_bound = 1, odd_bound = size_w, scale = 1;
    int count = 1;
    s->even[0] = s->even_sum = even;
    s->odd[0] = s->odd_sum = odd;
    for (; count < MOST_TERMS / 2; count++) {
        const double n = 2 * count, over = 1 / n, over_next = 1 / (n + 1);
        even_bound = (size_w * odd_bound + size_g * even_bound) * over;
        odd_bound = (size_w * even_bound + size_g * odd_bound) * over_next;
        if (!(even_bound + odd_bound > negligible)) break;
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

/* The series of κ about the middle of an interval of half-length h. */
static double expand_about(middle_series *s, const curvature *k, double middle, double h)
{
    double w[3], g[3];
    for (int i = 0; i < 3; i++) {
        w[i] = 0.5 * h * (k->start[i] + middle * k->slope[i]);
        g[i] = 0.5 * h * h * k->slope[i];
    }
    return expand(s, w, g);
}

/* The quaternions in the middle and at the end of the interval from that at its start: of unit
 * length, so that conjugation inverts. */
static void across(const middle_series *s, const double start[4], double middle[4], double end[4])
{
    const quad *e = &s->even_sum, *o = &s->odd_sum;
    lanes u = e->u + o->u, v = e->v + o->v, back_u = e->u - o->u, back_v = o->v - e->v;
    double on[4] = {u[0], u[1], v[0], v[1]};
    double back[4] = {back_u[0], -back_u[1], back_v[0], back_v[1]}; /* the inverse of p(−1) */
    q4_multiply(middle, start, back);
    q4_multiply(end, middle, on);
}

/* Even and odd part of p at `count` places; inlined with a constant, so that all stay in registers. */
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
static inline lanes firsts(lanes a, lanes b)
{
    return (lanes){a[0], b[0]};
}
static inline lanes seconds(lanes a, lanes b)
{
    return (lanes){a[1], b[1]};
}

/* ---- frames at nodes -------------------------------------------------------------------------- */

/* To memory that is aligned as doubles are. */
static inline void store(double *to, lanes a)
{
    memcpy(to, &a, sizeof a);
}

/* The matrices of q ∘ (even + odd) and q ∘ (even − odd), side by side. */
static inline void store_frames(const double q[4], quad even, quad odd, double *on, double *back)
{
    lanes on_u = even.u + odd.u, on_v = even.v + odd.v;
    lanes back_u = even.u - odd.u, back_v = even.v - odd.v;
    lanes p0 = firsts(on_u, back_u), p1 = seconds(on_u, back_u);
    lanes p2 = firsts(on_v, back_v), p3 = seconds(on_v, back_v);
    lanes a = (q[0] * p0 - q[1] * p1) - (q[2] * p2 + q[3] * p3);
    lanes b = (q[0] * p1 + q[1] * p0) + (q[2] * p3 - q[3] * p2);
    lanes c = (q[0] * p2 - q[1] * p3) + (q[2] * p0 + q[3] * p1);
    lanes d = (q[0] * p3 + q[1] * p2) - (q[2] * p1 - q[3] * p0);
    lanes aa = a * a, bb = b * b, cc = c * c, dd = d * d;
    lanes a2 = a + a, b2 = b + b, ab = a2 * b, ac = a2 * c, ad = a2 * d;
    lanes bc = b2 * c, bd = b2 * d, cd = (c + c) * d;
    lanes near = aa - dd, far = bb - cc;
    lanes m[8] = {near + far, bc + ad, bd - ac, bc - ad, near - far, cd + ab, bd + ac, cd - ab};
    for (int i = 0; i < 8; i += 2) {
        store(on + i, firsts(m[i], m[i + 1]));
        store(back + i, seconds(m[i], m[i + 1]));
    }
    lanes last = (aa + dd) - (bb + cc);
    on[8] = last[0], back[8] = last[1];
}

/* Frames at the nodes first, first + 1, … from either end; at most three. */
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

static void middle_frames(const curvature *k, double length, const double start[4], int n,
                          const double *x, double *frames, double end[4])
{
    middle_series s;
    double middle[4];
    if (expand_about(&s, k, length / 2, length / 2) > most_exponent) {
        cord__darboux_paper_frames(k, length, start, n, x, frames, end);
        return;
    }
    across(&s, start, middle, end);
    /* Pairs x, −x; the middle node of an odd n is a pair of its own. Two at a time keep the processor
     * busy, and three, once, make the rest even. */
    int done = 0, pairs = (n + 1) / 2;
    if (pairs == 1) pair_frames(&s, middle, n, x, done, 1, frames), done = 1;
    if (pairs % 2 && pairs > 1) pair_frames(&s, middle, n, x, done, 3, frames), done = 3;
    for (; done < pairs; done += 2) pair_frames(&s, middle, n, x, done, 2, frames);
}

void cord__darboux_frames(cord_kinematics method, const curvature *k, double length,
                          const double start[4], int n, const double *x, double *frames,
                          double end[4])
{
    if (method == CORD_KINEMATICS_SERIES)
        cord__darboux_paper_frames(k, length, start, n, x, frames, end);
    else
        middle_frames(k, length, start, n, x, frames, end);
}

/* ---- frame and place at the end of any length ------------------------------------------------- */

/* The half-length h of the next part: |κ_m| h + ½|γ| h² = part_angle, with |κ_m| <= |κ| + |γ| h at
 * first, and once more with the curvature found there, which is less where curvature falls. */
static double part_half(const double kappa[3], const double slope[3])
{
    double size = v3_norm(kappa), rise = v3_norm(slope), middle[3];
    double h = 2 * part_angle / (size + sqrt(size * size + 6 * part_angle * rise));
    if (!isfinite(h)) return h; /* straight */
    v3_combine(middle, 1, kappa, h, slope);
    double longer = part_angle / (v3_norm(middle) + 0.5 * rise * h);
    v3_combine(middle, 1, kappa, longer, slope);
    return v3_norm(middle) * longer + 0.5 * rise * longer * longer <= 1.05 * part_angle ? longer
                                                                                        : h;
}

/* sum += weight p e₁ p̄ for two p at once; the second and third component halved */
static inline void add_tangent(lanes sum[3], lanes weight, quad first, quad second)
{
    lanes a = firsts(first.u, second.u), b = seconds(first.u, second.u);
    lanes c = firsts(first.v, second.v), d = seconds(first.v, second.v);
    sum[0] += weight * ((a * a + b * b) - (c * c + d * d));
    sum[1] += weight * (b * c + a * d);
    sum[2] += weight * (b * d - a * c);
}

/* ∫₋₁¹ p e₁ p̄ dx by Gauss's rule: exact to round-off within part_angle. The tangent is quadratic in
 * p, so that of p(x) and that of p(−x) add to twice the sum of those of the even and the odd part. */
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
    double q[4] = {1, 0, 0, 0}, place[3] = {0, 0, 0}, m[9];
    for (double from = 0; from < u;) {
        double kappa[3], middle[4], step[3];
        middle_series s;
        v3_combine(kappa, 1, k->start, from, k->slope);
        double h = part_half(kappa, k->slope);
        bool last = !(from + 2 * h < u && from + 2 * h > from);
        if (last) h = 0.5 * (u - from);
        expand_about(&s, k, from + h, h);
        across(&s, q, middle, q);
        if (r) {
            integrate_tangent(&s, step);
            q4_matrix(m, middle);
            m3_apply(step, m, step);
            v3_axpy(place, h, step);
        }
        from = last ? u : from + 2 * h;
    }
    if (r) m3_apply(r, R0, place);
    q4_matrix(m, q);
    if (R) m3_multiply(R, R0, m);
}
