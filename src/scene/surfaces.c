/* Surfaces of scenes that cables lie on: what the library is told of them, and their meshes. */
#include "scene/cables.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

enum { ROUND = 64, ACROSS = 32 };

bool cord__guide_surface(const guide_data *g, cord_guide *guide)
{
    const double *size = g->size.values;
    if (g->kind < GUIDE_TORUS) return false;
    guide->kind = CORD_GUIDE_SURFACE;
    memcpy(guide->size, size, (size_t)g->size.count * sizeof *size);
    if (g->kind == GUIDE_TORUS) {
        guide->surface = cord_surface_torus;
        guide->radius = size[1];
    } else if (g->kind == GUIDE_CONE) {
        guide->surface = cord_surface_cone;
        guide->radius = isnan(g->length) ? 0.1 * size[0] : 0.3 * g->length * size[0];
    } else {
        guide->surface = cord_surface_ellipsoid;
        double least = fmin(size[0], fmin(size[1], size[2]));
        guide->radius = least * least / fmax(size[0], fmax(size[1], size[2]));
    }
    return true;
}

/* A grid over its coordinates, joined where it comes round. */
bool cord__surface_shape(cord_simulation *sim, const guide_data *g, cord_shape *shape)
{
    cord_guide guide = {0};
    cord__guide_surface(g, &guide);
    bool torus = g->kind == GUIDE_TORUS, cone = g->kind == GUIDE_CONE;
    int rows = torus ? ACROSS : ACROSS + 1, count = 0;
    double *x = TAKE(&sim->memory, double, 3 * ROUND * (ACROSS + 1));
    int *triangles = TAKE(&sim->memory, int, 6 * ROUND * ACROSS);
    if (!x || !triangles) return false;
    double from = cone ? 0 : torus ? -PI : -0.5 * PI, to = cone ? g->length : -from;
    for (int i = 0; i < ROUND; i++)
        for (int k = 0; k < rows; k++) {
            double at[2] = {2 * PI * i / ROUND, from + (to - from) * k / ACROSS};
            double slopes[6], bends[9];
            int next = (i + 1) % ROUND, up = (k + 1) % rows;
            guide.surface(guide.size, NULL, at, x + 3 * (i * rows + k), slopes, bends);
            if (up < k && !torus) continue;
            const int two[6] = {i * rows + k, next * rows + k,  next * rows + up,
                                i * rows + k, next * rows + up, i * rows + up};
            memcpy(triangles + 3 * count, two, sizeof two);
            count += 2;
        }
    *shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                          .vertex_count = ROUND * rows,
                          .triangle_count = count,
                          .vertices = x,
                          .triangles = triangles};
    return true;
}
