/* Splines through given places of the vertices, by least squares.
 *
 * Minimise Σ w_i |x(u_i) − X_i|² + ε Σ |jump of x''' at inner knots|². The second term chooses where the
 * vertices leave a choice (two control points are more than an interpolation has data for): the
 * smoothest third derivative, which is none for a cubic and costs no order, where a natural spline's
 * x'' = 0 at the ends would. Solving again for what is left over takes ε's effect off the rest. Up to
 * three vertices determine no cubic; there the bending is kept least too. */
#include "math/vec3.h"
#include "strand/spline.h"

#include <string.h>

enum { HALF = 4, PASSES = 4 };
static const double smoothness = 1e-8, end_weight = 1e3;

static double vertex_weight(const spline *s, int i)
{
    return i == 0 || i == s->n - 1 ? end_weight : 1;
}

/* a[5 j + k] is entry (j + k, j). */
static void add_square(double *a, int first, int count, const double *w, double scale)
{
    for (int j = 0; j < count; j++)
        for (int k = j; k < count; k++) a[(HALF + 1) * (first + j) + k - j] += scale * w[j] * w[k];
}

static void add_smoothness(const spline *s, double *a)
{
    spline_weights before, after;
    for (int k = 1; k < s->spans; k++) {
        double jump[5] = {0};
        cord__spline_basis(s, k - 1, 0.5, &before);
        cord__spline_basis(s, k, 0.5, &after);
        for (int j = 0; j < 4; j++) jump[j] -= before.ddd[j], jump[j + 1] += after.ddd[j];
        add_square(a, k - 1, 5, jump, smoothness);
    }
    for (int k = 0; s->n < 4 && k < s->spans; k++)
        for (int end = 0; end < 2; end++) {
            cord__spline_basis(s, k, end, &before);
            add_square(a, k, 4, before.dd, smoothness);
        }
}

bool cord__spline_fit_prepare(spline *s)
{
    double *a = s->fit.factor;
    int n = s->points;
    memset(a, 0, (size_t)((HALF + 1) * n) * sizeof *a);
    for (int i = 0; i < s->n; i++)
        add_square(a, s->vertex[i].span, 4, s->vertex[i].w.b, vertex_weight(s, i));
    add_smoothness(s, a);
    for (int j = 0; j < n; j++) {
        double *column = a + (HALF + 1) * j;
        if (!(column[0] > 0)) return false;
        double root = sqrt(column[0]);
        for (int k = 0; k <= HALF; k++) column[k] /= root;
        for (int k = 1; k <= HALF && j + k < n; k++)
            for (int i = k; i <= HALF; i++)
                a[(HALF + 1) * (j + k) + i - k] -= column[k] * column[i];
    }
    return true;
}

static void solve(const spline *s, double *b)
{
    const double *a = s->fit.factor;
    int n = s->points;
    for (int j = 0; j < n; j++) {
        const double *column = a + (HALF + 1) * j;
        v3_scale(b + 3 * j, 1 / column[0], b + 3 * j);
        for (int k = 1; k <= HALF && j + k < n; k++)
            v3_axpy(b + 3 * (j + k), -column[k], b + 3 * j);
    }
    for (int j = n - 1; j >= 0; j--) {
        const double *column = a + (HALF + 1) * j;
        for (int k = 1; k <= HALF && j + k < n; k++)
            v3_axpy(b + 3 * j, -column[k], b + 3 * (j + k));
        v3_scale(b + 3 * j, 1 / column[0], b + 3 * j);
    }
}

void cord__spline_fit_points(const spline *s, const double *vertices, double *points)
{
    double *rest = s->fit.rest;
    size_t bytes = (size_t)(3 * s->points) * sizeof *points;
    memset(points, 0, bytes);
    for (int pass = 0; pass < PASSES; pass++) {
        memset(rest, 0, bytes);
        for (int i = 0; i < s->n; i++) {
            const spline_place *at = s->vertex + i;
            double x[3], miss[3];
            spline_sum(x, at->w.b, points, at->span);
            v3_sub(miss, vertices + 3 * i, x);
            for (int j = 0; j < 4; j++)
                v3_axpy(rest + 3 * (at->span + j), vertex_weight(s, i) * at->w.b[j], miss);
        }
        solve(s, rest);
        for (int i = 0; i < 3 * s->points; i++) points[i] += rest[i];
    }
}
