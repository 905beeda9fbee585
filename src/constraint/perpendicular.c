/* perpendicular: g = a·b of a direction fixed in the first frame and one fixed in the second, the sine of the
 * deviation from a right angle. */
#include "math/vec3.h"
#include "constraint/constraint.h"

#include <stdio.h>

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double a[3], n[3];
    m3_apply(a, first->frame, p->first_direction);
    m3_apply(n, second->frame, p->direction);
    cord__dot_of_directions(a, n, 0, out);
}

static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double a[3], n[3];
    m3_apply(a, first->frame, p->first_direction);
    m3_apply(n, second->frame, p->direction);
    cord__add_directions_hessian(a, n, lambda[0], h);
}

static bool given(const cord_constraint_def *def)
{
    (void)def;
    return true;
}

static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)first, (void)second;
    if (!(v3_norm(def->first_direction) > 0)) {
        if (size) snprintf(why, size, "perpendicular: the first point's direction is missing");
        return CORD_ERROR_ARGUMENT;
    }
    v3_normalize(p->first_direction, def->first_direction);
    return CORD_OK;
}

const constraint_ops cord__perpendicular = {
    .name = CORD_PERPENDICULAR,
    .rows = 1,
    .unit = "",
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .tangent_suffices = {true, true},
    .one_sided = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .given = given,
    .complete = complete,
};
