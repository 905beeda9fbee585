/* A sphere: x = o + a (cos θ (cos φ a₁ + sin φ a₂) + sin θ a₃), u = aφ, v = aθ. */
#include "strand/cable/guide.h"

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    double east[3], out[3], c = cos(u[1] / g->radius), s = sin(u[1] / g->radius);
    v3_copy(x, g->origin);
    radial(g->axes, u[0] / g->radius, out, east);
    v3_axpy(x, g->radius * c, out);
    v3_axpy(x, g->radius * s, g->axes + 6);
    if (J) {
        v3_scale(J, c, east);
        v3_combine(J + 3, -s, out, c, g->axes + 6);
    }
    if (H) {
        v3_scale(H, -c / g->radius, out);
        v3_scale(H + 3, -s / g->radius, east);
        v3_combine(H + 6, -c / g->radius, out, -s / g->radius, g->axes + 6);
    }
}

/* n = (x − o)/a */
static void normal_at(const cable *c, const double *cache, int node, double normal[3])
{
    const cable_guide *g = c->def.guide + c->topology.node[node].guide;
    const double *pose = guide_pose(c, cache, g);
    double rotated[3];
    v3_sub(normal, cable_position(cache, node), pose ? pose : g->origin);
    if (pose) {
        m3_apply(rotated, pose + 3, g->origin);
        v3_sub(normal, normal, rotated);
    }
    v3_scale(normal, 1 / g->radius, normal);
}

static int normal_jacobian(const cable *c, const double *cache, int node, double J[6])
{
    for (int k = 0; k < 2; k++)
        v3_scale(J + 3 * k, 1 / c->def.guide[c->topology.node[node].guide].radius,
                 cable_jacobian(cache, node) + 3 * k);
    return 2;
}

static int panels(const cable_guide *g, const double *from, const double *to)
{
    double rotation = fabs(to[0] - from[0]) / g->radius;
    rotation += fabs(to[1] - from[1]) / g->radius;
    return 1 + (int)(rotation / RIGHT_ANGLE);
}

const guide_ops cord__guide_sphere = {.kind = CORD_GUIDE_SPHERE,
                                      .name = "sphere",
                                      .segment = "curve",
                                      .coordinates = 2,
                                      .angles = 2,
                                      .needs = GUIDE_NEEDS_RADIUS,
                                      .along = true,
                                      .hessian = GUIDE_HESSIAN_FULL,
                                      .position = position,
                                      .normal = normal_at,
                                      .normal_jacobian = normal_jacobian,
                                      .panels = panels,
                                      .bending = cord__surface_bending,
                                      .length_stiffness = cord__surface_stiffness};
