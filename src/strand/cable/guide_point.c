/* A point: no coordinate. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    (void)u, (void)J;
    v3_copy(x, g->origin);
    if (H) memset(H, 0, 9 * sizeof *H);
}

const guide_ops cord__guide_point = {.kind = CORD_GUIDE_POINT,
                                     .name = "point",
                                     .segment = "straight",
                                     .isometric = true,
                                     .position = position};
