/* Euler's equations without torque, and the attitude, by Taylor series. With c₁ = (I₂ − I₃)/I₁ and so on cyclically,
 *
 *     ω̇₁ = c₁ ω₂ ω₃,     q̇ = ½ q ∘ ω,
 *
 * so that the coefficients W_n = ω⁽ⁿ⁾ hⁿ⁺¹/n! and Q_n = q⁽ⁿ⁾ hⁿ/n! follow by Cauchy products:
 *
 *     (n + 1) W₁,ₙ₊₁ = c₁ Σ W₂,ₘ W₃,ₙ₋ₘ,     (n + 1) Qₙ₊₁ = ½ Σ Qₘ ∘ Wₙ₋ₘ.
 *
 * Each moment is at most the sum of the other two: |c| ≤ 1, and the series converge for |ω| h < 1 at least. */
#include "body/free_rotation.h"

#include "math/rotation.h"

#include <math.h>

/* At most LONGEST radians at a time the terms fall below round-off before TERMS of them. */
enum { TERMS = 24 };
static const double LONGEST = 0.25, NEGLIGIBLE = 1e-18;

void cord__free_rotation_acceleration(const double moments[3], const double omega[3],
                                      double acceleration[3])
{
    for (int i = 0, j = 1, k = 2; i < 3; i++, j = k, k = (k + 1) % 3)
        acceleration[i] = (moments[j] - moments[k]) / moments[i] * omega[j] * omega[k];
}

/* The terms n + 1 of both series from those up to n. */
static void next_terms(const double c[3], int n, double Q[TERMS][4], double W[TERMS][3])
{
    double q_sum[4] = {0}, w_sum[3] = {0};
    for (int m = 0; m <= n; m++) {
        const double *a = W[m], *b = W[n - m];
        double product[4];
        for (int i = 0, j = 1, k = 2; i < 3; i++, j = k, k = (k + 1) % 3) w_sum[i] += a[j] * b[k];
        q4_multiply(product, Q[m], (const double[]){0, b[0], b[1], b[2]});
        for (int i = 0; i < 4; i++) q_sum[i] += product[i];
    }
    for (int i = 0; i < 3; i++) W[n + 1][i] = c[i] * w_sum[i] / (n + 1);
    for (int i = 0; i < 4; i++) Q[n + 1][i] = 0.5 * q_sum[i] / (n + 1);
}

static double square4(const double q[4])
{
    return q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
}

static void advance(const double c[3], double h, double q[4], double omega[3])
{
    double Q[TERMS][4], W[TERMS][3], w_sum[3];
    const double least = NEGLIGIBLE * NEGLIGIBLE;
    for (int i = 0; i < 4; i++) Q[0][i] = q[i];
    v3_scale(W[0], h, omega);
    v3_copy(w_sum, W[0]);
    for (int n = 1; n < TERMS; n++) {
        next_terms(c, n - 1, Q, W);
        for (int i = 0; i < 4; i++) q[i] += Q[n][i];
        v3_add(w_sum, w_sum, W[n]);
        if (square4(Q[n]) < least && v3_dot(W[n], W[n]) < least * v3_dot(W[0], W[0])) break;
    }
    const double size = sqrt(square4(q));
    for (int i = 0; i < 4; i++) q[i] /= size;
    v3_scale(omega, 1 / h, w_sum);
}

void cord__free_rotation(const double moments[3], double time, double q[4], double omega[3])
{
    double c[3];
    cord__free_rotation_acceleration(moments, (const double[]){1, 1, 1}, c);
    while (time > 0) {
        double speed = v3_norm(omega), h = speed * time > LONGEST ? LONGEST / speed : time;
        advance(c, h, q, omega);
        time -= h;
    }
}
