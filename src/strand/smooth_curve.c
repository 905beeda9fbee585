/* The smooth curve through the vertices of a polygon: cubic on every edge, with the slope at a vertex of
 * the parabola through it and its neighbours, over rest lengths. Linear in the vertices, and exact at
 * them. */
#include "strand/smooth_curve.h"
#include "math/vec3.h"

#include <string.h>

/* Slope at vertex b of the parabola through a, b, c: weights of the three. `before`, `after`: lengths;
 * zero where there is no such edge, and then the slope is that of the other parabola's end. */
static void vertex_slope(double before, double after, double beyond, int end, double w[3])
{
    if (end == 0) { /* inside */
        w[0] = -after / (before * (before + after));
        w[2] = before / (after * (before + after));
        w[1] = -w[0] - w[2];
    } else { /* at an end: of the parabola through it and the next two, seen along the strand */
        double near = end < 0 ? after : before;
        double a = -(2 * near + beyond) / (near * (near + beyond));
        double b = (near + beyond) / (near * beyond), c = -near / (beyond * (near + beyond));
        double sign = end < 0 ? 1 : -1;
        w[0] = sign * a, w[1] = sign * b, w[2] = sign * c; /* itself, next, the one after */
    }
}

/* Weights of the up to four vertices around an edge for a function of value and slope at its ends. */
static void spread(const smooth_curve *d, int edge, const double hermite[4], int vertex[4],
                   double w[4])
{
    int first = edge > 0 || d->closed ? -1 : 0, n = d->n;
    int last = edge + 2 < n || d->closed ? 2 : 1;
    double l = d->rest[edge], slope[3];
    for (int k = 0; k < 4; k++) {
        vertex[k] = (edge - 1 + k + n) % n;
        w[k] = 0;
    }
    double before = d->rest[(edge - 1 + d->edges) % d->edges],
           after = d->rest[(edge + 1) % d->edges];
    w[1] += hermite[0], w[2] += hermite[2];
    if (d->edges == 1) { /* a straight line */
        w[1] -= (hermite[1] + hermite[3]) / l, w[2] += (hermite[1] + hermite[3]) / l;
        return;
    }
    if (first < 0) {
        vertex_slope(before, l, 0, 0, slope);
        for (int k = 0; k < 3; k++) w[k] += hermite[1] * slope[k];
    } else {
        vertex_slope(0, l, after, -1, slope);
        for (int k = 0; k < 3; k++) w[1 + k] += hermite[1] * slope[k];
    }
    if (last == 2) {
        vertex_slope(l, after, 0, 0, slope);
        for (int k = 0; k < 3; k++) w[1 + k] += hermite[3] * slope[k];
    } else {
        vertex_slope(l, 0, before, 1, slope);
        for (int k = 0; k < 3; k++) w[2 - k] += hermite[3] * slope[k];
    }
}

void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4])
{
    double l = c->rest[edge], f = along / l, f2 = f * f, f3 = f2 * f;
    /* value, slope at either end; and their derivatives along the curve */
    const double hermite[4][4] = {
        {2 * f3 - 3 * f2 + 1, l * (f3 - 2 * f2 + f), 3 * f2 - 2 * f3, l * (f3 - f2)},
        {(6 * f2 - 6 * f) / l, 3 * f2 - 4 * f + 1, (6 * f - 6 * f2) / l, 3 * f2 - 2 * f},
        {(12 * f - 6) / (l * l), (6 * f - 4) / l, (6 - 12 * f) / (l * l), (6 * f - 2) / l},
        {12 / (l * l * l), 6 / (l * l), -12 / (l * l * l), 6 / (l * l)}};
    for (int k = 0; k < 4; k++) spread(c, edge, hermite[k], vertex, weight[k]);
    for (int k = 0; !c->closed && k < 4; k++)
        if (edge - 1 + k < 0 || edge - 1 + k >= c->n) vertex[k] = -1;
}

void cord__smooth_jet(double weight[4][4], const double *const x[4], const int column[4],
                      slide_jet *j)
{
    double *out[4] = {j->value, j->tangent, j->bend, j->third};
    double *by_column[3] = {j->J, j->slope, j->curl};
    for (int k = 0; k < 4; k++) v3_set(out[k], 0, 0, 0);
    for (int k = 0; k < 3 && by_column[k]; k++)
        memset(by_column[k], 0, (size_t)(3 * j->columns) * sizeof **by_column);
    if (j->spin) memset(j->spin, 0, (size_t)j->columns * sizeof *j->spin);
    for (int i = 0; i < 4; i++) {
        if (!x[i]) continue;
        for (int k = 0; k < 4; k++) v3_axpy(out[k], weight[k][i], x[i]);
        for (int k = 0; k < 3 && by_column[k]; k++)
            for (int axis = 0; axis < 3; axis++)
                by_column[k][3 * (column[i] + axis) + axis] = weight[k][i];
    }
}
