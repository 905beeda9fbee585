/* distance: g = |first − second| − length. */
#include "math/vec3.h"
#include "constraint/constraint.h"

#include <stdio.h>

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double d[3];
    v3_sub(d, first->position, second->position);
    double size = v3_norm(d);
    out->g[0] = size - p->length;
    for (int k = 0; k < 3; k++) {
        /* The direction between coincident points is undefined: the derivative is zero there. */
        out->D[0][k] = size > 0 ? d[k] / size : 0;
        out->D[0][6 + k] = -out->D[0][k];
    }
}

/* ∂²|d| = (1 − n nᵀ)/|d| */
static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    (void)p;
    double n[3];
    v3_sub(n, first->position, second->position);
    double size = v3_norm(n);
    if (!(size > 0)) return;
    v3_scale(n, 1 / size, n);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double k = lambda[0] / size * ((r == c) - n[r] * n[c]);
            h[r][c] += k;
            h[6 + r][6 + c] += k;
            h[r][6 + c] -= k;
            h[6 + r][c] -= k;
        }
}

static bool given(const cord_constraint_def *def)
{
    return def->length >= 0;
}

static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    if (!is_admissible(def->length)) {
        snprintf(why, size, "distance: the length is not finite or exceeds 1e50");
        return CORD_ERROR_ARGUMENT;
    }
    p->length = given(def) ? def->length : v3_distance(first->position, second->position);
    if (p->length > 0 || def->side != CORD_EQUAL) return CORD_OK;
    snprintf(why, size, "a distance of 0 has no direction; use coincide");
    return CORD_ERROR_ARGUMENT;
}

const constraint_ops cord__distance = {
    .name = CORD_DISTANCE,
    .rows = 1,
    .unit = "m",
    .needs = {NEEDS_POSITION, NEEDS_POSITION},
    .one_sided = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .given = given,
    .complete = complete,
};
