/* slide: g = coordinate of the first − ratio times that of the second − length. Against nothing it says
 * where on its strand a sliding point is; one-sided, where it stops, or how near pearls come. Between
 * turns and travels it is a gear, a rack or a screw. */
#include "relation/relation.h"

static void evaluate(const relation_params *p, const pose *first, const pose *second,
                     relation_value *out)
{
    out->g[0] = first->place[0] - p->ratio * second->place[0] - p->length;
    out->D[0][0] = 1;
    out->D[0][6] = -p->ratio;
}

static bool given(const cord_relation_def *def)
{
    return def->length >= 0;
}

static cord_status complete(relation_params *p, const cord_relation_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)why, (void)size;
    p->length = given(def) ? def->length : first->place[0] - p->ratio * second->place[0];
    return CORD_OK;
}

const relation_ops cord__slide = {
    .name = CORD_SLIDE,
    .rows = 1,
    .needs = {NEEDS_COORDINATE, NEEDS_COORDINATE},
    .one_sided = true,
    .evaluate = evaluate,
    .given = given,
    .complete = complete,
};
