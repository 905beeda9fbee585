/* Cubic interpolation between equidistant values, C¹, exact for quadratics (Catmull–Rom). */
#ifndef CORDAGE_CONTACT_CUBIC_H
#define CORDAGE_CONTACT_CUBIC_H

#include <math.h>

/* Four nodes, and the weights of the value, of the first and of the second derivative over the coordinate. */
typedef struct cubic {
    int node[4];
    double w[4], w_x[4], w_xx[4];
} cubic;

/* Values beyond the borders continue linearly: f₋₁ = 2 f₀ − f₁. The weight of the missing node moves to its neighbours. */
static inline void cubic_fold(double *w, int missing, int near, int far)
{
    w[near] += 2 * w[missing];
    w[far] -= w[missing];
    w[missing] = 0;
}

/* At x within 0 … (count − 1) spacing; outside, at the nearest border, with the derivatives there. */
static inline cubic cubic_at(double x, double spacing, int count)
{
    cubic c;
    double u = fmin(fmax(x / spacing, 0), count - 1);
    int i = (int)u < count - 2 ? (int)u : count - 2;
    double t = u - i, a = 1 / spacing, b = a * a;
    const double w[4] = {t * (-1 + t * (2 - t)) / 2, (2 + t * t * (3 * t - 5)) / 2,
                         t * (1 + t * (4 - 3 * t)) / 2, t * t * (t - 1) / 2};
    const double w_x[4] = {(-1 + t * (4 - 3 * t)) / 2, t * (9 * t - 10) / 2,
                           (1 + t * (8 - 9 * t)) / 2, t * (3 * t - 2) / 2};
    const double w_xx[4] = {2 - 3 * t, 9 * t - 5, 4 - 9 * t, 3 * t - 1};
    for (int k = 0; k < 4; k++) {
        c.w[k] = w[k], c.w_x[k] = a * w_x[k], c.w_xx[k] = b * w_xx[k];
        int node = i + k - 1;
        c.node[k] = node < 0 ? 0 : node > count - 1 ? count - 1 : node;
    }
    double *all[3] = {c.w, c.w_x, c.w_xx};
    for (int k = 0; k < 3; k++) {
        if (i == 0) cubic_fold(all[k], 0, 1, 2);
        if (i == count - 2) cubic_fold(all[k], 3, 2, 1);
    }
    return c;
}

#endif
