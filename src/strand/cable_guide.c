/* Places on guides. Coordinates of circles and cylinders are arc lengths: angle times radius. */
#include "math/vec3.h"
#include "strand/cable.h"

#include <string.h>

int cord__guide_coordinates(cord_guide_kind kind)
{
    static const int count[] = {[CORD_GUIDE_PLACE] = 0,
                                [CORD_GUIDE_CIRCLE] = 1,
                                [CORD_GUIDE_CYLINDER] = 2,
                                [CORD_GUIDE_SPHERE] = 2,
                                [CORD_GUIDE_LINE] = 1};
    return count[kind];
}

/* cos φ and sin φ of the frame's first two axes, and the derivative over φ. */
static void around(const double *axes, double angle, double out[3], double turned[3])
{
    double c = cos(angle), s = sin(angle);
    v3_combine(out, c, axes, s, axes + 3);
    v3_combine(turned, -s, axes, c, axes + 3);
}

static void on_sphere(const cable_guide *g, const double *at, double place[3], double *slopes,
                      double *bends)
{
    double east[3], out[3], c = cos(at[1] / g->radius), s = sin(at[1] / g->radius);
    around(g->axes, at[0] / g->radius, out, east);
    v3_axpy(place, g->radius * c, out);
    v3_axpy(place, g->radius * s, g->axes + 6);
    if (slopes) {
        v3_scale(slopes, c, east);
        v3_combine(slopes + 3, -s, out, c, g->axes + 6);
    }
    if (bends) {
        v3_scale(bends, -c / g->radius, out);
        v3_scale(bends + 3, -s / g->radius, east);
        v3_combine(bends + 6, -c / g->radius, out, -s / g->radius, g->axes + 6);
    }
}

void cord__guide_place(const cable_guide *g, const double *at, double place[3], double slopes[6],
                       double bends[9])
{
    double out[3], turned[3];
    v3_copy(place, g->origin);
    if (bends) memset(bends, 0, 9 * sizeof *bends);
    switch (g->kind) {
    case CORD_GUIDE_PLACE: return;
    case CORD_GUIDE_LINE:
        v3_axpy(place, at[0], g->axes + 6);
        if (slopes) v3_copy(slopes, g->axes + 6);
        return;
    case CORD_GUIDE_CIRCLE:
    case CORD_GUIDE_CYLINDER:
        around(g->axes, at[0] / g->radius, out, turned);
        v3_axpy(place, g->radius, out);
        if (slopes) v3_copy(slopes, turned);
        if (bends) v3_scale(bends, -1 / g->radius, out);
        if (g->kind == CORD_GUIDE_CIRCLE) return;
        v3_axpy(place, at[1], g->axes + 6);
        if (slopes) v3_copy(slopes + 3, g->axes + 6);
        return;
    case CORD_GUIDE_SPHERE: on_sphere(g, at, place, slopes, bends); return;
    }
}
