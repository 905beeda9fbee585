#include "validation/baselines/darboux_integrators.h"
#include "math/rotation.h"

#include <math.h>
#include <string.h>

/* The state y = (R, r): the frame by columns, then the position. */
enum { STATE = 12 };

/* y' = (R [κ]×, R e₁)   [SSC 2013, eq. 3] */
static void derivative(double d[STATE], const double y[STATE], const double k[3])
{
    for (int i = 0; i < 3; i++) {
        double a = y[i], b = y[3 + i], c = y[6 + i];
        d[i] = b * k[2] - c * k[1];
        d[3 + i] = c * k[0] - a * k[2];
        d[6 + i] = a * k[1] - b * k[0];
        d[9 + i] = a;
    }
}

/* κ(u) = κ(0) + u γ */
static void curvature_at(double kappa[3], const curvature *k, double u)
{
    v3_combine(kappa, 1, k->start, u, k->slope);
}

/* r = y + h d */
static void combine(double r[STATE], const double y[STATE], double h, const double d[STATE])
{
    for (int i = 0; i < STATE; i++) r[i] = y[i] + h * d[i];
}

/* y ← y + h y'(u) */
static void euler_step(double y[STATE], const curvature *k, double u, double h)
{
    double kappa[3], d[STATE];
    curvature_at(kappa, k, u);
    derivative(d, y, kappa);
    combine(y, y, h, d);
}

/* R ← R exp(h [κ(u)]×),  r ← r + h R e₁ */
static void lie_euler_step(double y[STATE], const curvature *k, double u, double h)
{
    double w[3], turn[9];
    curvature_at(w, k, u);
    v3_scale(w, h, w);
    v3_axpy(y + 9, h, y);
    cord__rotation_exp(turn, w);
    m3_multiply(y, y, turn);
}

/* y ← y + h y'(u + h/2), evaluated at y + h/2 y'(u) */
static void rk2_step(double y[STATE], const curvature *k, double u, double h)
{
    double kappa[3], d[STATE], middle[STATE];
    curvature_at(kappa, k, u);
    derivative(d, y, kappa);
    combine(middle, y, h / 2, d);
    curvature_at(kappa, k, u + h / 2);
    derivative(d, middle, kappa);
    combine(y, y, h, d);
}

/* y ← y + h/6 (d₁ + 2 d₂ + 2 d₃ + d₄) */
static void rk4_step(double y[STATE], const curvature *k, double u, double h)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, weight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double kappa[3], d[STATE] = {0}, stage[STATE], sum[STATE];
    memcpy(sum, y, sizeof sum);
    for (int i = 0; i < 4; i++) {
        combine(stage, y, at[i] * h, d);
        curvature_at(kappa, k, u + at[i] * h);
        derivative(d, stage, kappa);
        combine(sum, sum, weight[i] * h, d);
    }
    memcpy(y, sum, sizeof sum);
}

void cord__darboux_integrate(darboux_integrator method, const curvature *k, double u,
                             const double R0[9], int steps, double R[9], double r[3])
{
    static void (*const step[])(double *, const curvature *, double,
                                double) = {euler_step, lie_euler_step, rk2_step, rk4_step};
    double y[STATE] = {0}, h = u / steps;
    memcpy(y, R0, 9 * sizeof *y);
    for (int i = 0; i < steps; i++) step[method](y, k, i * h, h);
    if (R) memcpy(R, y, 9 * sizeof *y);
    if (r) v3_copy(r, y + 9);
}

/* ---- planar clothoids -------------------------------------------------------------------------------- */

enum { ROMBERG_LEVELS = 22 };

/* x = ∫ cos P, y = ∫ sin P with P(u) = θ₀ + κu + ½γu² [SC 2012, sec. 2.1], by Romberg's method:
 * trapezoidal sums T₀ with halved steps and Richardson extrapolation,
 *     T_m = T_{m−1} + (T_{m−1} − T'_{m−1})/(4^m − 1),   T' with twice the step. */
int cord__clothoid_romberg(double start, double slope, double u, double theta0, double precision,
                           double *x, double *y)
{
    double row[2][ROMBERG_LEVELS + 1][2], end = theta0 + u * (start + 0.5 * u * slope);
    row[0][0][0] = 0.5 * u * (cos(theta0) + cos(end));
    row[0][0][1] = 0.5 * u * (sin(theta0) + sin(end));
    for (int level = 1; level <= ROMBERG_LEVELS; level++) {
        double(*now)[2] = row[level % 2], (*last)[2] = row[1 - level % 2], sum[2] = {0, 0};
        const int new_points = 1 << (level - 1);
        const double h = u / new_points;
        for (int i = 0; i < new_points; i++) {
            double v = (i + 0.5) * h, angle = theta0 + v * (start + 0.5 * v * slope);
            sum[0] += cos(angle), sum[1] += sin(angle);
        }
        for (int c = 0; c < 2; c++) {
            double four = 4;
            now[0][c] = 0.5 * (last[0][c] + h * sum[c]);
            for (int m = 1; m <= level; m++, four *= 4)
                now[m][c] = now[m - 1][c] + (now[m - 1][c] - last[m - 1][c]) / (four - 1);
        }
        double change =
            hypot(now[level][0] - last[level - 1][0], now[level][1] - last[level - 1][1]);
        *x = now[level][0], *y = now[level][1];
        /* At least 32 intervals, because coarse sums may agree accidentally. */
        if (level >= 5 && change <= precision * fabs(u)) return 2 * new_points + 1;
    }
    return -1;
}
