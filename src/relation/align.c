/* align: g = log(F₁ (F₂ relative)ᵀ), the rotation vector from where the first frame should be to
 * where it is. Free of singularities up to half a turn apart. */
#include "math/rotation.h"
#include "relation/relation.h"

#include <string.h>

/* F₁ Tᵀ with T = F₂ relative */
static void difference(const relation_params *p, const pose *first, const pose *second, double *r)
{
    double wanted[9], transposed[9];
    m3_multiply(wanted, second->frame, p->relative);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) transposed[3 * c + k] = wanted[3 * k + c];
    m3_multiply(r, first->frame, transposed);
}

static void evaluate(const relation_params *p, const pose *first, const pose *second,
                     relation_value *out)
{
    double r[9], j[9];
    difference(p, first, second, r);
    cord__rotation_log(out->g, r);
    /* Turning the first by w multiplies from the left: δg = Jl⁻¹(g) w. Turning the second by w
     * multiplies by its inverse from the right: δg = −Jr⁻¹(g) w, and Jr⁻¹(g) = Jl⁻¹(g)ᵀ. */
    cord__rotation_dlog(j, out->g);
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++) {
            out->D[row][3 + c] = j[3 * c + row];
            out->D[row][9 + c] = -j[3 * row + c];
        }
}

/* Near g = 0, log(exp φ₁ exp −φ₂) = φ₁ − φ₂ − ½ φ₁ × φ₂, and λ·(φ₁ × φ₂) = −φ₁·(λ × φ₂). */
static void curvature(const relation_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    const double cross[3][3] = {
        {0, -lambda[2], lambda[1]}, {lambda[2], 0, -lambda[0]}, {-lambda[1], lambda[0], 0}};
    (void)p, (void)first, (void)second;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            h[3 + r][9 + c] += 0.5 * cross[r][c];
            h[9 + c][3 + r] += 0.5 * cross[r][c];
        }
}

static void target(const relation_params *p, const pose *second, const double *drive, pose *out)
{
    double turn[9];
    m3_multiply(out->frame, second->frame, p->relative);
    cord__rotation_exp(turn, drive);
    m3_multiply(out->frame, turn, out->frame);
}

static bool given(const cord_relation_def *def)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += def->relative[k] * def->relative[k];
    return sum > 0;
}

static cord_status complete(relation_params *p, const cord_relation_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)why;
    (void)size;
    if (given(def)) {
        memcpy(p->relative, def->relative, sizeof p->relative);
        cord__rotation_orthonormalise(p->relative);
    } else {
        m3_transposed_multiply(p->relative, second->frame, first->frame);
    }
    return CORD_OK;
}

const relation_ops cord__align = {
    .name = CORD_ALIGN,
    .rows = 3,
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .prescribes = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .target = target,
    .given = given,
    .complete = complete,
};
