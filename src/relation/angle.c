/* angle: how far the first frame is turned against the second about an axis fixed in the second, from
 * where it was when the relation was made. Measured from what is wanted, on the branch nearest to
 * it, so that a drive may go round and round. */
#include "math/vec3.h"
#include "relation/relation.h"

/* A direction of the first frame that lay across the axis, in the plane across it. */
static void evaluate(const relation_params *p, const pose *first, const pose *second,
                     relation_value *out)
{
    double b[3], x[3], y[3], turn[3], across[3];
    m3_apply(b, first->frame, p->own);
    m3_apply(x, second->frame, p->across[0]);
    m3_apply(y, second->frame, p->across[1]);
    double c = v3_dot(b, x), s = v3_dot(b, y), square = c * c + s * s;
    out->g[0] = atan2(s, c);
    v3_combine(across, c / square, y, -s / square, x); /* ∂g/∂b */
    v3_cross(turn, b, across);
    v3_copy(out->D[0] + 3, turn);
    v3_scale(out->D[0] + 9, -1, turn);
}

static cord_status complete(relation_params *p, const cord_relation_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    double world[3];
    (void)def, (void)why, (void)size;
    m3_apply(world, second->frame, p->across[0]);
    m3_apply_transposed(p->own, first->frame, world);
    return CORD_OK;
}

const relation_ops cord__angle = {
    .name = CORD_ANGLE,
    .rows = 1,
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .one_sided = true,
    .wraps = true,
    .evaluate = evaluate,
    .complete = complete,
};
