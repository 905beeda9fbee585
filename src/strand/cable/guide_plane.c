/* A plane: x = o + u a₁ + v a₂. Segments on it are straight. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    v3_copy(x, g->origin);
    v3_axpy(x, u[0], g->axes);
    v3_axpy(x, u[1], g->axes + 3);
    if (J) memcpy(J, g->axes, 6 * sizeof *J);
    if (H) memset(H, 0, 9 * sizeof *H);
}

const guide_ops cord__guide_plane = {.kind = CORD_GUIDE_PLANE,
                                     .name = "plane",
                                     .segment = "straight",
                                     .coordinates = 2,
                                     .isometric = true,
                                     .position = position};
