/* Discrete elastic rods: places that slide. A polygon has a corner at every vertex, so what slides goes
 * along the smooth curve through the vertices: cubic on every edge, with the slope at a vertex of the
 * parabola through it and its neighbours, over rest lengths. Linear in the vertices, and exact at
 * them. */
#include "math/vec3.h"
#include "strand/der.h"

#include <string.h>

int cord__der_piece(const void *model, double s)
{
    double fraction;
    return cord__der_edge_at(model, s, &fraction);
}

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
static void spread(const der *d, int edge, const double hermite[4], int vertex[4], double w[4])
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

void cord__der_slide(const void *model, const double *q, const double *cache, int piece, double s,
                     slide_jet *j)
{
    const der *d = model;
    double l = d->rest[piece], f = (s - d->arc[piece]) / l, f2 = f * f, f3 = f2 * f;
    /* value, slope at either end; and their first and second derivatives along the rod */
    const double hermite[3][4] = {
        {2 * f3 - 3 * f2 + 1, l * (f3 - 2 * f2 + f), 3 * f2 - 2 * f3, l * (f3 - f2)},
        {(6 * f2 - 6 * f) / l, 3 * f2 - 4 * f + 1, (6 * f - 6 * f2) / l, 3 * f2 - 2 * f},
        {(12 * f - 6) / (l * l), (6 * f - 4) / l, (6 - 12 * f) / (l * l), (6 * f - 2) / l}};
    double weight[3][4];
    int vertex[4];
    double *out[3] = {j->value, j->tangent, j->bend};
    (void)cache;
    for (int k = 0; k < 3; k++) {
        spread(d, piece, hermite[k], vertex, weight[k]);
        v3_set(out[k], 0, 0, 0);
        for (int i = 0; i < 4; i++) v3_axpy(out[k], weight[k][i], q + 3 * vertex[i]);
    }
    memset(j->J, 0, 36 * sizeof *j->J);
    memset(j->slope, 0, 36 * sizeof *j->slope);
    j->runs = 0;
    for (int i = 0; i < 4; i++) {
        int at = piece - 1 + i;
        if (!d->closed && (at < 0 || at >= d->n)) continue;
        j->run[j->runs].first = 4 * vertex[i], j->run[j->runs].count = 3;
        for (int k = 0; k < 3; k++) {
            j->J[3 * (3 * j->runs + k) + k] = weight[0][i];
            j->slope[3 * (3 * j->runs + k) + k] = weight[1][i];
        }
        j->runs++;
    }
    j->columns = 3 * j->runs;
}
