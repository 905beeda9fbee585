/* curvature: g = curvature vector of the first − that of the second − target, each in its material frame (twist,
 * about the first director, about the second). The curvature of the world is zero. */
#include "math/vec3.h"
#include "constraint/constraint.h"

#include <stdio.h>

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    v3_sub(out->g, first->position, second->position);
    v3_sub(out->g, out->g, p->curvature);
    for (int r = 0; r < 3; r++) {
        out->D[r][r] = 1;
        out->D[r][6 + r] = -1;
    }
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
    if (!v3_admissible(def->curvature)) {
        snprintf(why, size, "curvature: a number is not finite or exceeds 1e50");
        return CORD_ERROR_ARGUMENT;
    }
    const double wanted[3] = {def->curvature[2], def->curvature[0], def->curvature[1]};
    v3_copy(p->curvature, wanted);
    return CORD_OK;
}

const constraint_ops cord__curvature = {
    .name = CORD_CURVATURE,
    .rows = 3,
    .unit = "1/m",
    .needs = {NEEDS_CURVATURE, NEEDS_CURVATURE},
    .within = &cord__curvature_within,
    .evaluate = evaluate,
    .given = given,
    .complete = complete,
};
