/* Anderson acceleration [Anderson 1965; Walker and Ni 2011], with orthonormal differences, of an
 * iteration whose matrix is not its exact derivative.
 *
 * f(x) is the correction that the matrix gives at x. A step p that changed it by Δf is a secant pair: with
 * f = Σ γ Δf + remainder, the next step is
 *
 *     f − Σ γ (p + Δf),     γ = ⟨Δf, f⟩,  Δf orthonormal.
 *
 * Scalar products have the weights of the caller; an unknown of weight 0 follows linearly. */
#include "math/anderson.h"

#include "math/lanes.h"

#include <math.h>
#include <string.h>

/* Sums of four terms at a time. */
INLINE double product(const anderson *a, int n, const double *x, const double *y)
{
    lanes sum = {0};
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes w, u, v;
        memcpy(&w, a->weight + i, sizeof w);
        memcpy(&u, x + i, sizeof u);
        memcpy(&v, y + i, sizeof v);
        sum += w * u * v;
    }
    double rest = 0;
    for (; i < n; i++) rest += a->weight[i] * x[i] * y[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

INLINE void add(int n, double scale, const double *restrict x, double *restrict to)
{
    for (int i = 0; i < n; i++) to[i] += scale * x[i];
}

/* Adds the last secant pair, orthogonal to the pairs before; one that is nearly dependent is dropped. */
INLINE void add_pair(anderson *a, int n, const double *f)
{
    double *difference = a->difference + a->count * n, *correction = a->correction + a->count * n;
    for (int i = 0; i < n; i++) {
        difference[i] = f[i] - a->last[i];
        correction[i] = difference[i] + a->step[i];
    }
    double whole = sqrt(product(a, n, difference, difference));
    for (int k = 0; k < a->count; k++) {
        double along = product(a, n, a->difference + k * n, difference);
        add(n, -along, a->difference + k * n, difference);
        add(n, -along, a->correction + k * n, correction);
    }
    double size = sqrt(product(a, n, difference, difference));
    if (!(size > 1e-3 * whole)) return;
    for (int i = 0; i < n; i++) difference[i] /= size, correction[i] /= size;
    a->count++;
}

INLINE void accelerate(anderson *a, int n, double *x)
{
    if (a->begun && a->count == a->depth) a->count = 0;
    if (a->begun) add_pair(a, n, x);
    memcpy(a->last, x, (size_t)n * sizeof *x);
    for (int k = 0; k < a->count; k++)
        add(n, -product(a, n, a->difference + k * n, a->last), a->correction + k * n, x);
    memcpy(a->step, x, (size_t)n * sizeof *x);
    a->begun = true;
}

MULTIVERSION(cord__anderson_accelerate, accelerate, (anderson * a, int n, double *x), (a, n, x))
