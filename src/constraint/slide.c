/* slide: g = coordinate of the first − ratio times that of the second − length. Without a second point it prescribes
 * the coordinate of a sliding point; one-sided, it is an end stop, or a least distance of pearls. Between revolute
 * and prismatic coordinates it is a gear, a rack or a screw. */
#include "constraint/constraint.h"

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    out->g[0] = first->position[0] - p->ratio * second->position[0] - p->length;
    out->D[0][0] = 1;
    out->D[0][6] = -p->ratio;
}

static bool given(const cord_constraint_def *def)
{
    return def->length >= 0;
}

static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)why, (void)size;
    p->length = given(def) ? def->length : first->position[0] - p->ratio * second->position[0];
    return CORD_OK;
}

const constraint_ops cord__slide = {
    .name = CORD_SLIDE,
    .rows = 1,
    .unit = "m",
    .needs = {NEEDS_COORDINATE, NEEDS_COORDINATE},
    .one_sided = true,
    .evaluate = evaluate,
    .given = given,
    .complete = complete,
};
