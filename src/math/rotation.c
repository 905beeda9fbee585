#include "math/rotation.h"

/* sin x / x is accurate for every x except zero, where its limit is returned. */
static double sinc(double x)
{
    return x == 0 ? 1 : sin(x) / x;
}

/* m = I + first [w] + second [w]²,  [w]² = w wᵀ − |w|² I */
static void quadratic_in_cross(double *m, double first, double second, const double *w)
{
    double square = v3_dot(w, w);
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) {
            m[3 * c + r] = second * w[c] * w[r] + (r == c ? 1 - second * square : 0);
        }
    }
    m[1] += first * w[2], m[3] -= first * w[2];
    m[6] += first * w[1], m[2] -= first * w[1];
    m[5] += first * w[0], m[7] -= first * w[0];
}

/* Rodrigues: exp [w] = I + (sin θ/θ) [w] + ((1 − cos θ)/θ²) [w]², θ = |w|. The second coefficient
 * is ½ (sin(θ/2)/(θ/2))², which does not cancel near zero. */
void cord__rotation_exp(double m[9], const double w[3])
{
    double angle = v3_norm(w), half = sinc(angle / 2);
    quadratic_in_cross(m, sinc(angle), half * half / 2, w);
}

/* The unit quaternion of m, scalar last, by way of its largest component [Shepperd 1978]: the
 * argument of the square root is >= 1 and no difference cancels, at angle 0 and at angle π alike. */
static void to_quaternion(double *q, const double *m)
{
    double trace = m[0] + m[4] + m[8], largest = trace;
    int k = 3;
    for (int i = 0; i < 3; i++) {
        if (m[4 * i] > largest) largest = m[4 * i], k = i;
    }
    if (k == 3) {
        double s = 2 * sqrt(1 + trace);
        v3_set(q, (m[5] - m[7]) / s, (m[6] - m[2]) / s, (m[1] - m[3]) / s);
        q[3] = s / 4;
        return;
    }
    int i = (k + 1) % 3, j = (k + 2) % 3;
    double s = 2 * sqrt(1 + m[4 * k] - m[4 * i] - m[4 * j]);
    q[k] = s / 4;
    q[i] = (m[3 * k + i] + m[3 * i + k]) / s;
    q[j] = (m[3 * k + j] + m[3 * j + k]) / s;
    q[3] = (m[3 * i + j] - m[3 * j + i]) / s;
}

void cord__rotation_quaternion(double q[4], const double m[9])
{
    double last[4];
    to_quaternion(last, m);
    q[0] = last[3];
    v3_copy(q + 1, last);
}

/* q = (n sin θ/2, cos θ/2); θ = 2 atan2(|sin|, cos), with the sign of q chosen such that cos >= 0. */
void cord__rotation_log(double w[3], const double m[9])
{
    double q[4];
    to_quaternion(q, m);
    double s = v3_norm(q), c = fabs(q[3]);
    /* s = 0 (or underflown): the limit of 2 atan2(s, c)/s. */
    double scale = s == 0 ? 2 / c : 2 * atan2(s, c) / s;
    v3_scale(w, q[3] < 0 ? -scale : scale, q);
}

/* g(θ) = (1 − (θ/2) cot(θ/2))/θ² = Σ_k |B_2k|/(2k)! θ^{2k−2}. The closed form loses 12/θ² units of
 * the last digit, so the series is used below θ = ½: its terms decrease by (θ/2π)² < 1/157, and
 * eight of them are exact to round-off. */
static double dlog_coefficient(double square)
{
    static const double series[8] = {
        1.0 / 12,
        1.0 / 720,
        1.0 / 30240,
        1.0 / 1209600,
        1.0 / 47900160,
        691.0 / 1307674368000.0,
        1.0 / 74724249600.0,
        3617.0 / 10670622842880000.0,
    };
    if (square >= 0.25) {
        double half = sqrt(square) / 2;
        return (1 - half / tan(half)) / square;
    }
    double sum = 0;
    for (int k = 7; k >= 0; k--) sum = sum * square + series[k];
    return sum;
}

/* Jl⁻¹(w) = I − ½ [w] + g(|w|) [w]²   [Barfoot, State Estimation for Robotics, sec. 7.1] */
void cord__rotation_dlog(double j[9], const double w[3])
{
    quadratic_in_cross(j, -0.5, dlog_coefficient(v3_dot(w, w)), w);
}

void cord__rotation_orthonormalise(double m[9])
{
    v3_normalize(m, m);
    v3_axpy(m + 3, -v3_dot(m, m + 3), m);
    v3_normalize(m + 3, m + 3);
    v3_cross(m + 6, m, m + 3);
}
