/* parallel: the components of a direction fixed in the first frame normal to one fixed in the second are zero. */
#include "math/vec3.h"
#include "constraint/constraint.h"

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double a[3];
    m3_apply(a, first->frame, p->first_direction);
    for (int r = 0; r < 2; r++) {
        double n[3];
        m3_apply(n, second->frame, p->across[r]);
        cord__dot_of_directions(a, n, r, out);
    }
}

static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double a[3];
    m3_apply(a, first->frame, p->first_direction);
    for (int r = 0; r < 2; r++) {
        double n[3];
        m3_apply(n, second->frame, p->across[r]);
        cord__add_directions_hessian(a, n, lambda[r], h);
    }
}

static bool given(const cord_constraint_def *def)
{
    return v3_norm(def->first_direction) > 0;
}

static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)why, (void)size;
    if (given(def)) {
        v3_normalize(p->first_direction, def->first_direction);
    } else { /* the present direction */
        double world[3];
        m3_apply(world, second->frame, p->direction);
        m3_apply_transposed(p->first_direction, first->frame, world);
    }
    return CORD_OK;
}

const constraint_ops cord__parallel = {
    .name = CORD_PARALLEL,
    .rows = 2,
    .unit = "",
    .axial_freedom = true,
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .tangent_suffices = {true, true},
    .within = &cord__parallel_within,
    .evaluate = evaluate,
    .curvature = curvature,
    .given = given,
    .complete = complete,
};
