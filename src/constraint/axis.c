/* axis: the components of first − second normal to an axis fixed in the second point's frame. */
#include "math/vec3.h"
#include "constraint/constraint.h"

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double d[3];
    v3_sub(d, first->position, second->position);
    for (int r = 0; r < 2; r++) {
        double n[3], rotation[3];
        m3_apply(n, second->frame, p->across[r]);
        out->g[r] = v3_dot(n, d);
        v3_cross(rotation, n, d);
        for (int k = 0; k < 3; k++) {
            out->D[r][k] = n[k];
            out->D[r][6 + k] = -n[k];
            out->D[r][9 + k] = rotation[k];
        }
    }
}

static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double d[3];
    v3_sub(d, first->position, second->position);
    for (int r = 0; r < 2; r++) {
        double n[3];
        m3_apply(n, second->frame, p->across[r]);
        cord__add_normal_hessian(n, d, lambda[r], h);
    }
}

const constraint_ops cord__axis = {
    .name = CORD_AXIS,
    .rows = 2,
    .unit = "m",
    .needs = {NEEDS_POSITION, NEEDS_POSITION | NEEDS_FRAME},
    .tangent_suffices = {false, true},
    .within = &cord__axis_within,
    .evaluate = evaluate,
    .curvature = curvature,
};
