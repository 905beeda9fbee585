/* coincide: g = first − second; with a length see within.c. */
#include "math/vec3.h"
#include "relation/relation.h"

static void evaluate(const relation_params *p, const pose *first, const pose *second,
                     relation_value *out)
{
    (void)p;
    v3_sub(out->g, first->place, second->place);
    for (int r = 0; r < 3; r++) {
        out->D[r][r] = 1;
        out->D[r][6 + r] = -1;
    }
}

static void target(const relation_params *p, const pose *second, const double *drive, pose *out)
{
    (void)p;
    v3_add(out->place, second->place, drive);
}

const relation_ops cord__coincide = {
    .name = CORD_COINCIDE,
    .rows = 3,
    .needs = {NEEDS_PLACE, NEEDS_PLACE},
    .within = &cord__coincide_within,
    .prescribes = true,
    .evaluate = evaluate,
    .target = target,
};
