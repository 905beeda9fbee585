/* The closest point of a triangle, by the Voronoi regions of its features [Ericson, Real-Time Collision Detection, 5.1.5]. */
#include "contact/mesh.h"
#include "math/vec3.h"

enum { FACE = 6 };

/* On the edge opposite to vertex k. */
static int on_edge(const double x[3][3], int k, double t, double closest[3])
{
    const double *a = x[(k + 1) % 3], *b = x[(k + 2) % 3];
    v3_combine(closest, 1 - t, a, t, b);
    return 3 + k;
}

static int on_vertex(const double x[3][3], int k, double closest[3])
{
    v3_copy(closest, x[k]);
    return k;
}

int cord__closest_on_triangle(const double x[3][3], const double p[3], double closest[3])
{
    double ab[3], ac[3], v[3];
    v3_sub(ab, x[1], x[0]);
    v3_sub(ac, x[2], x[0]);
    v3_sub(v, p, x[0]);
    double d1 = v3_dot(ab, v), d2 = v3_dot(ac, v);
    if (d1 <= 0 && d2 <= 0) return on_vertex(x, 0, closest);
    v3_sub(v, p, x[1]);
    double d3 = v3_dot(ab, v), d4 = v3_dot(ac, v);
    if (d3 >= 0 && d4 <= d3) return on_vertex(x, 1, closest);
    double wc = d1 * d4 - d3 * d2;
    if (wc <= 0 && d1 >= 0 && d3 <= 0) return on_edge(x, 2, d1 / (d1 - d3), closest);
    v3_sub(v, p, x[2]);
    double d5 = v3_dot(ab, v), d6 = v3_dot(ac, v);
    if (d6 >= 0 && d5 <= d6) return on_vertex(x, 2, closest);
    double wb = d5 * d2 - d1 * d6;
    if (wb <= 0 && d2 >= 0 && d6 <= 0) return on_edge(x, 1, 1 - d2 / (d2 - d6), closest);
    double wa = d3 * d6 - d5 * d4;
    if (wa <= 0 && d4 >= d3 && d5 >= d6)
        return on_edge(x, 0, (d4 - d3) / (d4 - d3 + d5 - d6), closest);
    double sum = wa + wb + wc;
    v3_copy(closest, x[0]);
    v3_axpy(closest, wb / sum, ab);
    v3_axpy(closest, wc / sum, ac);
    return FACE;
}
