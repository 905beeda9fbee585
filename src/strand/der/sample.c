/* Discrete elastic rods: the vertices at which a rod is reported. One that grows has a constant number of them, so that
 * recordings can hold it. */
#include "math/vec3.h"
#include "strand/der/der.h"

int cord__der_vertex_edge(const der *d, int i, double *weight)
{
    return cord__der_edge_at(d, d->arc[d->edges] * i / (d->reported - 1), weight);
}

int cord__der_middle_edge(const der *d, int i)
{
    double fraction;
    if (d->reported == 0) return i;
    return cord__der_edge_at(d, d->arc[d->edges] * (i + 0.5) / (d->reported - 1), &fraction);
}

void cord__der_curvature(const der *d, const double *cache, int vertex, double k[3])
{
    const int p = d->frame_at[vertex];
    double sum[3] = {0, 0, 0};
    if (p >= 0) {
        for (int side = 0; side < 2; side++) {
            const double *s = der_vertex_frame_strains(d, cache) + STRAINS * (2 * p + side);
            sum[0] += 0.5 * (s[0] + s[2]), sum[1] += 0.5 * (s[1] + s[3]), sum[2] += s[4];
        }
    } else {
        const double *s = der_strains(d, cache) + STRAINS * vertex;
        sum[0] = 0.5 * (s[0] + s[2]), sum[1] = 0.5 * (s[1] + s[3]), sum[2] = s[4];
    }
    v3_scale(k, 2 / d->cell[vertex], sum);
}
