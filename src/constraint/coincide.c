/* coincide: g = first − second; for the form with a length see within.c. */
#include "math/vec3.h"
#include "constraint/constraint.h"

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    (void)p;
    v3_sub(out->g, first->position, second->position);
    for (int r = 0; r < 3; r++) {
        out->D[r][r] = 1;
        out->D[r][6 + r] = -1;
    }
}

static void target(const constraint_params *p, const pose *second, const double *drive, pose *out)
{
    (void)p;
    v3_add(out->position, second->position, drive);
}

const constraint_ops cord__coincide = {
    .name = CORD_COINCIDE,
    .rows = 3,
    .unit = "m",
    .needs = {NEEDS_POSITION, NEEDS_POSITION},
    .within = &cord__coincide_within,
    .prescribes = true,
    .evaluate = evaluate,
    .target = target,
};
