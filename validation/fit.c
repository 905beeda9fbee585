#include "validation/fit.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

double fit_order(int count, const double *n, const double *error)
{
    if (count < 2) return NAN;
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        double x = log(n[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return -(count * sxy - sx * sy) / (count * sxx - sx * sx);
}

/* ---- two frequencies ------------------------------------------------------------------------- */

enum { TERMS = 7 }; /* a constant, cosine and sine of two frequencies, and the frequencies */

/* Gaussian elimination with diagonal pivots: the matrix is symmetric positive semidefinite. Terms
 * with a zero column stay zero. */
static void solve_normal(double a[TERMS][TERMS], double x[TERMS])
{
    for (int i = 0; i < TERMS; i++) {
        if (a[i][i] == 0) a[i][i] = 1;
        for (int r = i + 1; r < TERMS; r++) {
            double f = a[r][i] / a[i][i];
            for (int c = i; c < TERMS; c++) a[r][c] -= f * a[i][c];
            x[r] -= f * x[i];
        }
    }
    for (int i = TERMS - 1; i >= 0; i--) {
        for (int c = i + 1; c < TERMS; c++) x[i] -= a[i][c] * x[c];
        x[i] /= a[i][i];
    }
}

/* One Gauss–Newton step. */
static void improve(int count, const double *t, const double *x, double p[TERMS])
{
    double a[TERMS][TERMS] = {{0}}, change[TERMS] = {0};
    for (int i = 0; i < count; i++) {
        double s = t[i] - 0.5 * (t[0] + t[count - 1]), d[TERMS] = {1}, off = x[i] - p[0];
        for (int k = 0; k < 2; k++) {
            double c = cos(p[5 + k] * s), z = sin(p[5 + k] * s), *to = d + 1 + 2 * k;
            const double *of = p + 1 + 2 * k;
            to[0] = c, to[1] = z;
            d[5 + k] = s * (of[1] * c - of[0] * z);
            off -= of[0] * c + of[1] * z;
        }
        for (int r = 0; r < TERMS; r++) {
            change[r] += d[r] * off;
            for (int c = 0; c < TERMS; c++) a[r][c] += d[r] * d[c];
        }
    }
    solve_normal(a, change);
    for (int r = 0; r < TERMS; r++) p[r] += change[r];
}

void fit_frequencies(int count, const double *t, const double *x, double omega[2])
{
    double p[TERMS] = {0}, before[2];
    memcpy(p + 5, omega, 2 * sizeof *omega);
    for (int i = 0; i < 50; i++) {
        memcpy(before, p + 5, sizeof before);
        improve(count, t, x, p);
    }
    for (int k = 0; k < 2; k++) {
        bool settled = fabs(p[5 + k] - before[k]) <= 1e-9 * fabs(p[5 + k]);
        omega[k] = settled ? p[5 + k] : NAN;
    }
}
