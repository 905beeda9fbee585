/* A line: x = o + u a₃. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    v3_copy(x, g->origin);
    v3_axpy(x, u[0], g->axes + 6);
    if (J) v3_copy(J, g->axes + 6);
    if (H) memset(H, 0, 9 * sizeof *H);
}

static uniform_curvature curvature(const cable_guide *g, const double *from, const double *to)
{
    (void)g, (void)from, (void)to;
    return (uniform_curvature){0};
}

const guide_ops cord__guide_line = {.kind = CORD_GUIDE_LINE,
                                    .name = "line",
                                    .segment = "curve",
                                    .coordinates = 1,
                                    .along = true,
                                    .isometric = true,
                                    .no_slip = true,
                                    .position = position,
                                    .curvature = curvature,
                                    .bending = cord__uniform_bending};
