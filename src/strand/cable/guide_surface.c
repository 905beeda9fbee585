/* A surface x(u, v) defined by a function, in the axes of its carrier; torus, cone and ellipsoid;
 * the second derivatives of a segment's length on a surface. */
#include "strand/cable/guide.h"

#include "math/callback.h"

/* A surface of revolution: r(v) from the axis and height z(v), with two derivatives each. */
typedef struct profile {
    double r[3], z[3];
} profile;

static void revolve(const profile *p, double angle, double position[3], double jacobian[6],
                    double hessian[9])
{
    double c = cos(angle), s = sin(angle);
    const double *r = p->r, *z = p->z;
    memcpy(position, (double[]){r[0] * c, r[0] * s, z[0]}, 3 * sizeof *position);
    memcpy(jacobian, (double[]){-r[0] * s, r[0] * c, 0, r[1] * c, r[1] * s, z[1]},
           6 * sizeof *jacobian);
    memcpy(hessian,
           (double[]){-r[0] * c, -r[0] * s, 0, -r[1] * s, r[1] * c, 0, r[2] * c, r[2] * s, z[2]},
           9 * sizeof *hessian);
}

void cord_surface_torus(const double size[3], void *user, const double at[2], double position[3],
                        double jacobian[6], double hessian[9])
{
    double c = size[1] * cos(at[1]), s = size[1] * sin(at[1]);
    (void)user;
    revolve(&(profile){{size[0] + c, -s, -c}, {s, c, -s}}, at[0], position, jacobian, hessian);
}

void cord_surface_cone(const double size[3], void *user, const double at[2], double position[3],
                       double jacobian[6], double hessian[9])
{
    (void)user;
    revolve(&(profile){{size[0] * at[1], size[0], 0}, {at[1], 1, 0}}, at[0], position, jacobian,
            hessian);
}

void cord_surface_ellipsoid(const double size[3], void *user, const double at[2],
                            double position[3], double jacobian[6], double hessian[9])
{
    double c = cos(at[1]), s = sin(at[1]);
    (void)user;
    revolve(&(profile){{c, -s, -c}, {s, c, -s}}, at[0], position, jacobian, hessian);
    for (int k = 0; k < 3; k++) {
        position[k] *= size[k];
        for (int i = 0; i < 2; i++) jacobian[3 * i + k] *= size[k];
        for (int i = 0; i < 3; i++) hessian[3 * i + k] *= size[k];
    }
}

/* ---- stiffness -------------------------------------------------------------------------------------- */

/* One quadrature point: with S = Σ oᵢ xᵢ = ∂x/∂α, o the difference of the coordinates, and for the
 * coordinate k of an end a
 *
 *     ∂S = ±x_k + pₐ Σ oᵢ x_ki,     ∂²S = (±p_b ± pₐ) x_kl + pₐ p_b Σ oᵢ x_kli,
 *     ∂²|S| = (∂S·∂S − (t·∂S)²)/|S| + t·∂²S.
 *
 * Third derivatives are finite differences along the segment: the Newton matrix need not be exact. */
static void length_hessian(const cable_guide *g, const double *from, const double *difference,
                           double alpha, double out[4][4])
{
    static const double step = 1e-3;
    double position[3], along[3][6] = {{0}}, bent[3][9] = {{0}}, S[3], J[4][3];
    double part[2] = {1 - alpha, alpha}, *jacobian = along[1], *hessian = bent[1];
    for (int side = -1; side <= 1; side++) {
        double at[2] = {from[0] + (alpha + side * step) * difference[0],
                        from[1] + (alpha + side * step) * difference[1]};
        guide_position(g, at, position, along[1 + side], bent[1 + side]);
    }
    v3_combine(S, difference[0], jacobian, difference[1], jacobian + 3);
    for (int i = 0; i < 4; i++) {
        int k = i % 2;
        v3_combine(J[i], part[i / 2] * difference[0], hessian + 3 * k, part[i / 2] * difference[1],
                   hessian + 3 * k + 3);
        v3_axpy(J[i], i < 2 ? -1 : 1, jacobian + 3 * k);
    }
    double t[3], size = v3_normalize(t, S);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            const int which = 3 * (i % 2 + j % 2);
            double p = part[i / 2], q = part[j / 2], third[3];
            v3_sub(third, bent[2] + which, bent[0] + which);
            out[i][j] = (v3_dot(J[i], J[j]) - v3_dot(t, J[i]) * v3_dot(t, J[j])) / size +
                        ((i < 2 ? -q : q) + (j < 2 ? -p : p)) * v3_dot(t, hessian + which) +
                        p * q / (2 * step) * v3_dot(t, third);
        }
}

void cord__surface_stiffness(const cable *c, const cable_element *e, const element_input *in,
                             double length, double pull, element_terms *out)
{
    const cable_guide *g = c->def.guide + c->topology.node[e->node].guide;
    const double *from = cable_coordinates(in->cache, e->node);
    const double *to = cable_coordinates(in->cache, e->node + 1);
    double difference[2] = {to[0] - from[0], to[1] - from[1]}, one[4][4];
    int panels = g->ops->panels(g, from, to);
    (void)length;
    for (int i = 0; i < 4 * panels; i++) {
        length_hessian(g, from, difference, (i / 4 + cord__gauss[i % 4][0]) / panels, one);
        double w = pull * cord__gauss[i % 4][1] / panels;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b <= a; b++) {
                if (e->local[a / 2].coordinates < 0 || e->local[b / 2].coordinates < 0) continue;
                int row = e->local[a / 2].coordinates + a % 2,
                    dof = e->local[b / 2].coordinates + b % 2;
                add_entry(out, row, dof, w * one[a][b]);
            }
    }
}

static void position(const cable_guide *g, const double *u, double x[3], double *J, double *H)
{
    double own[3], first[6], second[9];
    cord__callback_depth++;
    g->surface(g->size, g->user, u, own, first, second);
    cord__callback_depth--;
    m3_apply(x, g->axes, own);
    v3_add(x, x, g->origin);
    for (int k = 0; J && k < 2; k++) m3_apply(J + 3 * k, g->axes, first + 3 * k);
    for (int k = 0; H && k < 3; k++) m3_apply(H + 3 * k, g->axes, second + 3 * k);
}

/* n = N/|N|, N = ∂x/∂u × ∂x/∂v, and its derivatives, in the axes of the carrier. */
static void own_normal(const cable_guide *g, const double *u, double normal[3], double change[6])
{
    double x[3], J[6], H[9];
    position(g, u, x, J, H);
    v3_cross(normal, J, J + 3);
    double size = v3_normalize(normal, normal);
    for (int k = 0; k < 2; k++) {
        double first[3], second[3], *to = change + 3 * k;
        v3_cross(first, H + 3 * k, J + 3);
        v3_cross(second, J, H + 3 * k + 3);
        v3_add(to, first, second);
        v3_axpy(to, -v3_dot(to, normal), normal);
        v3_scale(to, 1 / size, to);
    }
}

static void normal_at(const cable *c, const double *cache, int node, double normal[3])
{
    const cable_guide *g = c->def.guide + c->topology.node[node].guide;
    double change[6];
    own_normal(g, cable_coordinates(cache, node), normal, change);
    vector_to_world(guide_pose(c, cache, g), normal, normal);
}

static int normal_jacobian(const cable *c, const double *cache, int node, double J[6])
{
    const cable_guide *g = c->def.guide + c->topology.node[node].guide;
    double normal[3];
    own_normal(g, cable_coordinates(cache, node), normal, J);
    for (int k = 0; k < 2; k++) vector_to_world(guide_pose(c, cache, g), J + 3 * k, J + 3 * k);
    return 2;
}

/* The derivatives at one end determine the rotation of the segment's tangent. */
static int panels(const cable_guide *g, const double *from, const double *to)
{
    const double most = 100; /* more rotation than any segment of a cable has */
    double x[3], J[6];
    position(g, from, x, J, NULL);
    double rotation =
        (fabs(to[0] - from[0]) * v3_norm(J) + fabs(to[1] - from[1]) * v3_norm(J + 3)) / g->radius;
    return 1 + (int)fmin(rotation / RIGHT_ANGLE, most);
}

static double scale(const cable_guide *g, const double *u, int k)
{
    double x[3], J[6];
    position(g, u, x, J, NULL);
    double size = v3_norm(J + 3 * k);
    return size > 0 ? size : 1;
}

const guide_ops cord__guide_surface = {.kind = CORD_GUIDE_SURFACE,
                                       .name = "surface",
                                       .segment = "curve",
                                       .coordinates = 2,
                                       .needs = GUIDE_NEEDS_RADIUS | GUIDE_NEEDS_SURFACE,
                                       .along = true,
                                       .hessian = GUIDE_HESSIAN_FULL,
                                       .position = position,
                                       .normal = normal_at,
                                       .normal_jacobian = normal_jacobian,
                                       .panels = panels,
                                       .scale = scale,
                                       .bending = cord__surface_bending,
                                       .length_stiffness = cord__surface_stiffness};
