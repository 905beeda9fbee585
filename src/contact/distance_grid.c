/* Signed distances on a grid, interpolated. */
#include "contact/cubic.h"
#include "contact/shapes.h"
#include "math/vec3.h"

/* Value and gradient of the interpolation inside the box. */
static double value_at(const distance_grid *g, const double x[3], double gradient[3])
{
    cubic c[3];
    double value = 0;
    for (int k = 0; k < 3; k++) c[k] = cubic_at(x[k], g->spacing, g->count[k]);
    v3_set(gradient, 0, 0, 0);
    for (int k = 0; k < 4; k++)
        for (int j = 0; j < 4; j++) {
            size_t row = (size_t)c[2].node[k] * (size_t)g->count[1] + (size_t)c[1].node[j];
            const double *d = g->distance + row * (size_t)g->count[0];
            double v = 0, v_x = 0;
            for (int i = 0; i < 4; i++) {
                v += c[0].w[i] * d[c[0].node[i]];
                v_x += c[0].w_x[i] * d[c[0].node[i]];
            }
            value += c[2].w[k] * c[1].w[j] * v;
            gradient[0] += c[2].w[k] * c[1].w[j] * v_x;
            gradient[1] += c[2].w[k] * c[1].w_x[j] * v;
            gradient[2] += c[2].w_x[k] * c[1].w[j] * v;
        }
    return value;
}

/* Outside the box: the value at its nearest point plus the distance to it. */
static double distance(const obstacle_shape *shape, const double x[3], double normal[3])
{
    const distance_grid *g = &shape->grid;
    double inside[3], gradient[3];
    for (int k = 0; k < 3; k++) inside[k] = fmin(fmax(x[k], 0), (g->count[k] - 1) * g->spacing);
    double value = value_at(g, inside, gradient), outside = v3_distance(x, inside);
    if (outside > 0) v3_combine(gradient, 1 / outside, x, -1 / outside, inside);
    v3_set(normal, 0, 0, 1);
    if (v3_dot(gradient, gradient) > 0) v3_normalize(normal, gradient); /* 0 in the centre */
    return value + outside;
}

static void bounds(const obstacle_shape *shape, double low[3], double high[3])
{
    const distance_grid *g = &shape->grid;
    v3_set(low, 0, 0, 0);
    for (int k = 0; k < 3; k++) high[k] = (g->count[k] - 1) * g->spacing;
}

const shape_ops cord__distance_grid_shape = {"distance-grid", false, distance, bounds, NULL};
