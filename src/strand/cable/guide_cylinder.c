/* A cylinder: x = o + a (cos φ a₁ + sin φ a₂) + v a₃, u = aφ. Segments are helices. */
#include "strand/cable/guide.h"

#include <math.h>

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    cord__circle_position(g, u, x, J, H);
    v3_axpy(x, u[1], g->axes + 6);
    if (J) v3_copy(J + 3, g->axes + 6);
}

/* κ = Δu²/(a l²), and its derivatives over Δu and Δv */
static uniform_curvature curvature(const cable_guide *g, const double *from, const double *to)
{
    double u = to[0] - from[0], w = to[1] - from[1], u2 = u * u, w2 = w * w, l2 = u2 + w2;
    double first = 2 * u * w / (g->radius * l2 * l2), second = 2 / (g->radius * l2 * l2 * l2);
    return (uniform_curvature){
        .value = u2 / (g->radius * l2),
        .first = {first * w, -first * u},
        .second = {second * w2 * (w2 - 3 * u2), 2 * second * u * w * (u2 - w2),
                   second * u2 * (3 * w2 - u2)},
    };
}

/* ∫κ ds = Δu²/(a l) */
static double turning(const cable_guide *g, const double *from, const double *to)
{
    double u = to[0] - from[0], w = to[1] - from[1], l = hypot(u, w);
    return l > 0 ? u * u / (g->radius * l) : 0;
}

/* l = √(Δu² + Δv²): ∂²l = (1 − t tᵀ)/l over (Δu, Δv), times the pull. */
static void length_stiffness(const cable *c, const cable_element *e, const element_input *in,
                             double l, double pull, element_terms *out)
{
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    double across[2] = {-(to[1] - from[1]) / l, (to[0] - from[0]) / l};
    (void)c;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            int row = e->local[i / 2].coordinates + i % 2,
                dof = e->local[j / 2].coordinates + j % 2;
            double sign = i / 2 == j / 2 ? 1 : -1;
            bool prescribed = e->local[i / 2].coordinates < 0 || e->local[j / 2].coordinates < 0;
            if (!prescribed && row >= dof)
                out->a[row][dof] += sign * pull / l * across[i % 2] * across[j % 2];
        }
}

const guide_ops cord__guide_cylinder = {.kind = CORD_GUIDE_CYLINDER,
                                        .name = "cylinder",
                                        .segment = "helix",
                                        .coordinates = 2,
                                        .angles = 1,
                                        .needs = GUIDE_NEEDS_RADIUS,
                                        .along = true,
                                        .isometric = true,
                                        .no_slip = true,
                                        .revolute = true,
                                        .hessian = GUIDE_HESSIAN_NORMAL,
                                        .position = position,
                                        .normal = cord__circle_normal,
                                        .normal_jacobian = cord__circle_normal_jacobian,
                                        .turning = turning,
                                        .panels = cord__circle_panels,
                                        .curvature = curvature,
                                        .bending = cord__uniform_bending,
                                        .length_stiffness = length_stiffness};
