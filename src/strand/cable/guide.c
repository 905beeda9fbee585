/* Places on guides. Coordinates of circles and cylinders are arc lengths: angle times radius. */
#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <string.h>

int cord__guide_coordinates(cord_guide_kind kind)
{
    static const int count[] = {
        [CORD_GUIDE_POINT] = 0,  [CORD_GUIDE_CIRCLE] = 1,  [CORD_GUIDE_CYLINDER] = 2,
        [CORD_GUIDE_SPHERE] = 2, [CORD_GUIDE_LINE] = 1,    [CORD_GUIDE_PATH] = 1,
        [CORD_GUIDE_PLANE] = 2,  [CORD_GUIDE_SURFACE] = 2, [CORD_GUIDE_SPAN] = 1};
    return count[kind];
}

/* cos φ and sin φ of the frame's first two axes, and the derivative over φ. */
static void env(const double *axes, double angle, double out[3], double turned[3])
{
    double c = cos(angle), s = sin(angle);
    v3_combine(out, c, axes, s, axes + 3);
    v3_combine(turned, -s, axes, c, axes + 3);
}

static void on_sphere(const cable_guide *g, const double *at, double place[3], double *slopes,
                      double *bends)
{
    double east[3], out[3], c = cos(at[1] / g->radius), s = sin(at[1] / g->radius);
    env(g->axes, at[0] / g->radius, out, east);
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

static void on_path(const cable_guide *g, double at, double place[3], double *slopes, double *bends)
{
    double tangent[3], bend[3], third[3];
    cord__path_at(g->path, at, place, tangent, bend, third);
    if (slopes) v3_copy(slopes, tangent);
    if (bends) v3_copy(bends, bend);
}

/* A surface's own axes are those of its guide. */
static void on_surface(const cable_guide *g, const double *at, double place[3], double *slopes,
                       double *bends)
{
    double own[3], along[6], bent[9];
    g->surface(g->size, g->user, at, own, along, bent);
    m3_apply(place, g->axes, own);
    v3_add(place, place, g->origin);
    for (int k = 0; slopes && k < 2; k++) m3_apply(slopes + 3 * k, g->axes, along + 3 * k);
    for (int k = 0; bends && k < 3; k++) m3_apply(bends + 3 * k, g->axes, bent + 3 * k);
}

/* n = N/|N|, N = x_u × x_v. */
void cord__surface_normal(const cable_guide *g, const double *at, double normal[3],
                          double change[6])
{
    double place[3], slopes[6], bends[9];
    on_surface(g, at, place, slopes, bends);
    v3_cross(normal, slopes, slopes + 3);
    double size = v3_normalize(normal, normal);
    for (int k = 0; k < 2; k++) {
        double first[3], second[3], *to = change + 3 * k;
        v3_cross(first, bends + 3 * k, slopes + 3);
        v3_cross(second, slopes, bends + 3 * k + 3);
        v3_add(to, first, second);
        v3_axpy(to, -v3_dot(to, normal), normal);
        v3_scale(to, 1 / size, to);
    }
}

void cord__guide_place(const cable_guide *g, const double *at, double place[3], double slopes[6],
                       double bends[9])
{
    double out[3], turned[3];
    v3_copy(place, g->origin);
    if (bends) memset(bends, 0, 9 * sizeof *bends);
    switch (g->kind) {
    case CORD_GUIDE_SPAN: /* between places that move: cord__span_ends() */
    case CORD_GUIDE_POINT: return;
    case CORD_GUIDE_LINE:
        v3_axpy(place, at[0], g->axes + 6);
        if (slopes) v3_copy(slopes, g->axes + 6);
        return;
    case CORD_GUIDE_CIRCLE:
    case CORD_GUIDE_CYLINDER:
        env(g->axes, at[0] / g->radius, out, turned);
        v3_axpy(place, g->radius, out);
        if (slopes) v3_copy(slopes, turned);
        if (bends) v3_scale(bends, -1 / g->radius, out);
        if (g->kind == CORD_GUIDE_CIRCLE) return;
        v3_axpy(place, at[1], g->axes + 6);
        if (slopes) v3_copy(slopes + 3, g->axes + 6);
        return;
    case CORD_GUIDE_SPHERE: on_sphere(g, at, place, slopes, bends); return;
    case CORD_GUIDE_PATH: on_path(g, at[0], place, slopes, bends); return;
    case CORD_GUIDE_SURFACE: on_surface(g, at, place, slopes, bends); return;
    case CORD_GUIDE_PLANE:
        v3_axpy(place, at[0], g->axes);
        v3_axpy(place, at[1], g->axes + 3);
        if (slopes) memcpy(slopes, g->axes, 6 * sizeof *slopes);
        return;
    }
}

static void in_world(const cable *c, const double *cache, int port, const double own[3],
                     double out[3])
{
    v3_copy(out, own);
    if (port < 0) return;
    const double *pose = carrier_pose(c, cache, port);
    m3_apply(out, pose + 3, own);
    v3_add(out, out, pose);
}

void cord__span_ends(const cable *c, const double *cache, const cable_guide *g, double from[3],
                     double to[3])
{
    in_world(c, cache, g->port, g->origin, from);
    in_world(c, cache, g->far_carrier, g->far, to);
}

int cord__node_carriers(const cable *c, const double *cache, int node, node_carrier *on)
{
    const cable_node *n = c->node + node;
    const cable_guide *g = n->guide >= 0 ? c->guide + n->guide : NULL;
    int count = 0;
    if (!g) return 0;
    if (g->kind != CORD_GUIDE_SPAN) {
        if (g->port < 0) return 0;
        *on = (node_carrier){.port = g->port, .weight = 1};
        v3_sub(on->arm, cable_place(cache, node), carrier_pose(c, cache, g->port));
        return 1;
    }
    double ends[2][3], along = cable_coordinates(cache, node)[0];
    const int port[2] = {g->port, g->far_carrier};
    cord__span_ends(c, cache, g, ends[0], ends[1]);
    for (int k = 0; k < 2; k++) {
        if (port[k] < 0) continue;
        on[count] =
            (node_carrier){.port = port[k], .weight = k ? along : 1 - along, .slope = k ? 1 : -1};
        v3_sub(on[count++].arm, ends[k], carrier_pose(c, cache, port[k]));
    }
    return count;
}
