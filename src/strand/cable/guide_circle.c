/* A circle: x = o + a (cos φ a₁ + sin φ a₂), u = aφ. Inertia and weight of long arcs are in closed form (arc.c). */
#include "strand/cable/guide.h"

void cord__circle_position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    double out[3], rotated[3];
    v3_copy(x, g->origin);
    radial(g->axes, u[0] / g->radius, out, rotated);
    v3_axpy(x, g->radius, out);
    if (J) v3_copy(J, rotated);
    if (!H) return;
    memset(H, 0, 9 * sizeof *H);
    v3_scale(H, -1 / g->radius, out);
}

/* n = ∂x/∂u × a₃ */
void cord__circle_normal(const cable *c, const double *cache, int node, double normal[3])
{
    const cable_guide *g = c->def.guide + c->topology.node[node].guide;
    double axis[3];
    vector_to_world(guide_pose(c, cache, g), g->axes + 6, axis);
    v3_cross(normal, cable_jacobian(cache, node), axis);
}

/* ∂n/∂u = (∂x/∂u)/a */
int cord__circle_normal_jacobian(const cable *c, const double *cache, int node, double J[6])
{
    v3_scale(J, 1 / c->def.guide[c->topology.node[node].guide].radius, cable_jacobian(cache, node));
    return 1;
}

int cord__circle_panels(const cable_guide *g, const double *from, const double *to)
{
    return 1 + (int)(fabs(to[0] - from[0]) / g->radius / RIGHT_ANGLE);
}

static double turning(const cable_guide *g, const double *from, const double *to)
{
    return fabs(to[0] - from[0]) / g->radius;
}

static uniform_curvature curvature(const cable_guide *g, const double *from, const double *to)
{
    (void)from, (void)to;
    return (uniform_curvature){.value = 1 / g->radius};
}

const guide_ops cord__guide_circle = {.kind = CORD_GUIDE_CIRCLE,
                                      .name = "circle",
                                      .segment = "arc",
                                      .coordinates = 1,
                                      .angles = 1,
                                      .needs = GUIDE_NEEDS_RADIUS,
                                      .along = true,
                                      .isometric = true,
                                      .no_slip = true,
                                      .revolute = true,
                                      .planar = true,
                                      .hessian = GUIDE_HESSIAN_NORMAL,
                                      .position = cord__circle_position,
                                      .normal = cord__circle_normal,
                                      .normal_jacobian = cord__circle_normal_jacobian,
                                      .turning = turning,
                                      .panels = cord__circle_panels,
                                      .curvature = curvature,
                                      .bending = cord__uniform_bending};
