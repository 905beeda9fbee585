/* A span: the straight line between two points, each with its carrier: x = (1 − u) x₀ + u x₁ in the
 * world (cord__span_ends()). Segments on it are straight. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    (void)u, (void)J;
    v3_copy(x, g->origin);
    if (H) memset(H, 0, 9 * sizeof *H);
}

static double scale(const cable_guide *g, const double *u, int k)
{
    (void)u, (void)k;
    return g->radius; /* its length */
}

const guide_ops cord__guide_span = {.kind = CORD_GUIDE_SPAN,
                                    .name = "span",
                                    .segment = "straight",
                                    .coordinates = 1,
                                    .needs = GUIDE_NEEDS_SECOND_POINT,
                                    .isometric = true,
                                    .position = position,
                                    .scale = scale};
