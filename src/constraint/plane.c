/* plane: g = n · (first − second), with n fixed in the second point's frame. The measured prismatic coordinate: the
 * same minus the coordinate of the first point. */
#include "math/vec3.h"
#include "constraint/constraint.h"

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double n[3], d[3], rotation[3];
    m3_apply(n, second->frame, p->direction);
    v3_sub(d, first->position, second->position);
    out->g[0] = v3_dot(n, d);
    v3_cross(rotation, n, d); /* δn = w × n, so δg = w · (n × d) */
    for (int k = 0; k < 3; k++) {
        out->D[0][k] = n[k];
        out->D[0][6 + k] = -n[k];
        out->D[0][9 + k] = rotation[k];
    }
}

static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double n[3], d[3];
    m3_apply(n, second->frame, p->direction);
    v3_sub(d, first->position, second->position);
    cord__add_normal_hessian(n, d, lambda[0], h);
}

const constraint_ops cord__plane = {
    .name = CORD_PLANE,
    .rows = 1,
    .unit = "m",
    .needs = {NEEDS_POSITION, NEEDS_POSITION | NEEDS_FRAME},
    .tangent_suffices = {false, true},
    .one_sided = true,
    .evaluate = evaluate,
    .curvature = curvature,
};

static void evaluate_prismatic(const constraint_params *p, const pose *first, const pose *second,
                               constraint_value *out)
{
    evaluate(p, first, second, out);
    out->g[0] -= first->frame[0];
    out->D[0][3] = -1;
}

const constraint_ops cord__prismatic = {
    .name = "prismatic coordinate",
    .rows = 1,
    .needs = {NEEDS_POSITION | NEEDS_COORDINATE, NEEDS_POSITION | NEEDS_FRAME},
    .tangent_suffices = {false, true},
    .evaluate = evaluate_prismatic,
    .curvature = curvature,
};
