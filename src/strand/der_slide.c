/* Discrete elastic rods: places that slide. A polygon has a corner at every vertex, so what slides goes
 * along the smooth curve through the vertices. */
#include "math/vec3.h"
#include "strand/der.h"
#include "strand/smooth_curve.h"

#include <math.h>
#include <string.h>

/* The edge; on a closed rod so many more for every round. */
int cord__der_piece(const void *model, const double *q, double s)
{
    const der *d = model;
    double round = d->closed ? floor(s / d->arc[d->edges]) : 0, fraction;
    (void)q;
    return cord__der_edge_at(d, s - round * d->arc[d->edges], &fraction) + (int)round * d->edges;
}

void cord__der_slide(const void *model, const double *q, const double *cache, int piece, double s,
                     slide_jet *j)
{
    const der *d = model;
    int round = d->closed ? (int)floor((double)piece / d->edges) : 0, vertex[4];
    piece -= round * d->edges;
    s -= round * d->arc[d->edges];
    const smooth_curve curve = {d->n, d->edges, d->closed, d->rest};
    double weight[4][4], *out[4] = {j->value, j->tangent, j->bend, j->third};
    (void)cache;
    cord__smooth_weights(&curve, piece, s - d->arc[piece], vertex, weight);
    memset(j->J, 0, 36 * sizeof *j->J);
    memset(j->slope, 0, 36 * sizeof *j->slope);
    if (j->curl) memset(j->curl, 0, 36 * sizeof *j->curl);
    if (j->spin) memset(j->spin, 0, 12 * sizeof *j->spin);
    for (int k = 0; k < 4; k++) v3_set(out[k], 0, 0, 0);
    j->runs = 0;
    for (int i = 0; i < 4; i++) {
        if (vertex[i] < 0) continue;
        j->run[j->runs].first = 4 * vertex[i], j->run[j->runs].count = 3;
        for (int k = 0; k < 4; k++) v3_axpy(out[k], weight[k][i], q + 3 * vertex[i]);
        for (int k = 0; k < 3; k++) {
            j->J[3 * (3 * j->runs + k) + k] = weight[0][i];
            j->slope[3 * (3 * j->runs + k) + k] = weight[1][i];
            if (j->curl) j->curl[3 * (3 * j->runs + k) + k] = weight[2][i];
        }
        j->runs++;
    }
    j->columns = 3 * j->runs;
}
