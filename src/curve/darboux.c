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

enum { MOST_TERMS = 64, GAUSS_PAIRS = 6 };

/* Vectors by the compiler's extension, which lowers them to what the processor has. */
typedef double lanes __attribute__((vector_size(16)));

static const double negligible = 1e-17; /* beside 1, a sixth of the last bit's half */
static const double part_angle = 3;     /* loses e^{3/2}, and 12 nodes integrate it to 1e-17 */

/* Gauss's rule with 12 nodes: the positive ones. */
static const double gauss_x[GAUSS_PAIRS] = {0.12523340851146891547, 0.36783149899818019375,
                                            0.5873179542866174473,  0.76990267419430468704,
                                            0.90411725637047485668, 0.98156063424671925069};
static const double gauss_w[GAUSS_PAIRS] = {0.249147045813402785,   0.23349253653835480876,
                                            0.20316742672306592175, 0.16007832854334622633,
                                            0.10693932599531843096, 0.047175336386511827195};

typedef struct middle_series {
    int count;                  /* terms, even */
    double term[MOST_TERMS][4]; /* p_n */
    double even[4], odd[4];     /* their sums: p(±1) = even ± odd */
} middle_series;

/* r = s (a ∘ w + b ∘ g), w and g vectors */
static inline void next_term(double r[4], double s, const double a[4], const double w[3],
                             const double b[4], const double g[3])
{
    double w0 = s * w[0], w1 = s * w[1], w2 = s * w[2];
    double g0 = s * g[0], g1 = s * g[1], g2 = s * g[2];
    r[0] = -(b[1] * g0 + b[2] * g1 + b[3] * g2) - (a[1] * w0 + a[2] * w1 + a[3] * w2);
    r[1] = (b[0] * g0 + b[2] * g2 - b[3] * g1) + (a[0] * w0 + a[2] * w2 - a[3] * w1);
    r[2] = (b[0] * g1 + b[3] * g0 - b[1] * g2) + (a[0] * w1 + a[3] * w0 - a[1] * w2);
    r[3] = (b[0] * g2 + b[1] * g1 - b[2] * g0) + (a[0] * w2 + a[1] * w1 - a[2] * w0);
}

/* Halves of w and g. The number of terms comes from the majorant b of the same recurrence, whose sum
 * bounds what is left out; two at a time, since one of two neighbours may vanish (κ_m = 0). */
static void expand(middle_series *s, const double w[3], const double g[3])
{
    const double size_w = v3_norm(w), size_g = v3_norm(g);
    double even = 1, odd = size_w;
    int n = 0;
    double(*p)[4] = s->term;
    for (int c = 0; c < 4; c++) p[0][c] = c == 0, p[1][c] = c == 0 ? 0 : w[c - 1];
    memcpy(s->even, p[0], sizeof s->even);
    memcpy(s->odd, p[1], sizeof s->odd);
    while (even + odd > negligible && n + 4 <= MOST_TERMS) {
        const double first = 1.0 / (n + 2), second = 1.0 / (n + 3);
        next_term(p[n + 2], first, p[n + 1], w, p[n], g);
        next_term(p[n + 3], second, p[n + 2], w, p[n + 1], g);
        even = (size_w * odd + size_g * even) * first;
        odd = (size_w * even + size_g * odd) * second;
        n += 2;
        for (int c = 0; c < 4; c++) s->even[c] += p[n][c], s->odd[c] += p[n + 1][c];
    }
    s->count = n + 2;
}

/* The series of κ about the middle of an interval of half-length h. */
static void expand_about(middle_series *s, const curvature *k, double middle, double h)
{
    double w[3], g[3];
    for (int i = 0; i < 3; i++) {
        w[i] = 0.5 * h * (k->start[i] + middle * k->slope[i]);
        g[i] = 0.5 * h * h * k->slope[i];
    }
    expand(s, w, g);
}

/* The quaternions in the middle and at the end of the interval from that at its start: of unit
 * length, so that conjugation inverts. */
static void across(const middle_series *s, const double start[4], double middle[4], double end[4])
{
    double back[4], on[4]; /* the inverse of p(−1), p(1) */
    for (int c = 0; c < 4; c++) {
        on[c] = s->even[c] + s->odd[c];
        back[c] = c == 0 ? s->even[c] - s->odd[c] : s->odd[c] - s->even[c];
    }
    q4_multiply(middle, start, back);
    q4_multiply(end, middle, on);
}

/* Even part and odd part of p at two places at once. */
static inline void evaluate(const middle_series *s, lanes x, lanes even[4], lanes odd[4])
{
    const lanes zero = {0, 0}, y = x * x;
    const double(*p)[4] = s->term + s->count - 2;
    lanes e0 = zero + p[0][0], e1 = zero + p[0][1], e2 = zero + p[0][2], e3 = zero + p[0][3];
    lanes o0 = zero + p[1][0], o1 = zero + p[1][1], o2 = zero + p[1][2], o3 = zero + p[1][3];
    while (p > s->term) {
        p -= 2;
        e0 = e0 * y + p[0][0], e1 = e1 * y + p[0][1], e2 = e2 * y + p[0][2], e3 = e3 * y + p[0][3];
        o0 = o0 * y + p[1][0], o1 = o1 * y + p[1][1], o2 = o2 * y + p[1][2], o3 = o3 * y + p[1][3];
    }
    even[0] = e0, even[1] = e1, even[2] = e2, even[3] = e3;
    odd[0] = x * o0, odd[1] = x * o1, odd[2] = x * o2, odd[3] = x * o3;
}

/* ---- frames at nodes -------------------------------------------------------------------------- */

/* The matrices of q ∘ p for two p at once, to two places. */
static inline void store_frames(const double q[4], const lanes p[4], double *first, double *second)
{
    lanes a = q[0] * p[0] - q[1] * p[1] - q[2] * p[2] - q[3] * p[3];
    lanes b = q[0] * p[1] + q[1] * p[0] + q[2] * p[3] - q[3] * p[2];
    lanes c = q[0] * p[2] - q[1] * p[3] + q[2] * p[0] + q[3] * p[1];
    lanes d = q[0] * p[3] + q[1] * p[2] - q[2] * p[1] + q[3] * p[0];
    lanes aa = a * a, bb = b * b, cc = c * c, dd = d * d;
    lanes a2 = a + a, b2 = b + b, ab = a2 * b, ac = a2 * c, ad = a2 * d;
    lanes bc = b2 * c, bd = b2 * d, cd = (c + c) * d;
    lanes near = aa - dd, far = bb - cc, plus = aa + dd, round = bb + cc;
    lanes m[9] = {near + far, bc + ad, bd - ac, bc - ad,     near - far,
                  cd + ab,    bd + ac, cd - ab, plus - round};
    for (int i = 0; i < 9; i++) first[i] = m[i][0];
    for (int i = 0; i < 9; i++) second[i] = m[i][1];
}

static void middle_frames(const curvature *k, double length, const double start[4], int n,
                          const double *x, double *frames, double end[4])
{
    middle_series s;
    double middle[4];
    expand_about(&s, k, length / 2, length / 2);
    across(&s, start, middle, end);
    const int pairs = (n + 1) / 2; /* of x and −x; the middle node of an odd n is its own partner */
    for (int i = 0; i < pairs; i += 2) {
        int j = i + 1 < pairs ? i + 1 : i;
        lanes at = {x[n - 1 - i], x[n - 1 - j]}, even[4], odd[4], on[4], back[4];
        evaluate(&s, at, even, odd);
        for (int c = 0; c < 4; c++) on[c] = even[c] + odd[c], back[c] = even[c] - odd[c];
        store_frames(middle, on, frames + 9 * (n - 1 - i), frames + 9 * (n - 1 - j));
        store_frames(middle, back, frames + 9 * i, frames + 9 * j);
    }
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

/* ∫₋₁¹ p e₁ p̄ dx by Gauss's rule: exact to round-off within part_angle. The tangent is quadratic in
 * p, so that of p(x) and that of p(−x) add to twice the sum of those of the even and the odd part. */
static void integrate_tangent(const middle_series *s, double r[3])
{
    lanes sum[3] = {{0, 0}, {0, 0}, {0, 0}};
    for (int i = 0; i < GAUSS_PAIRS; i += 2) {
        lanes at = {gauss_x[i], gauss_x[i + 1]}, weight = {gauss_w[i], gauss_w[i + 1]};
        lanes q[2][4], t[3];
        evaluate(s, at, q[0], q[1]);
        const lanes *e = q[0], *o = q[1];
        t[0] = (e[0] * e[0] + e[1] * e[1] - e[2] * e[2] - e[3] * e[3]) +
               (o[0] * o[0] + o[1] * o[1] - o[2] * o[2] - o[3] * o[3]);
        t[1] = (e[1] * e[2] + e[0] * e[3]) + (o[1] * o[2] + o[0] * o[3]);
        t[2] = (e[1] * e[3] - e[0] * e[2]) + (o[1] * o[3] - o[0] * o[2]);
        for (int c = 0; c < 3; c++) sum[c] += weight * t[c];
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
