/* align: g = log(F₁ (F₂ relative)ᵀ), the rotation vector from the target of the first frame to the first frame. It
 * has no singularity for rotations below π. */
#include "math/rotation.h"
#include "constraint/constraint.h"

#include <string.h>

/* F₁ Tᵀ with T = F₂ relative */
static void difference(const constraint_params *p, const pose *first, const pose *second, double *r)
{
    double wanted[9], transposed[9];
    m3_multiply(wanted, second->frame, p->relative);
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) transposed[3 * c + k] = wanted[3 * k + c];
    m3_multiply(r, first->frame, transposed);
}

static void evaluate(const constraint_params *p, const pose *first, const pose *second,
                     constraint_value *out)
{
    double r[9], j[9];
    difference(p, first, second, r);
    cord__rotation_log(out->g, r);
    /* A rotation of the first frame by w multiplies from the left: δg = Jl⁻¹(g) w. A rotation of the second by w
     * multiplies by its inverse from the right: δg = −Jr⁻¹(g) w, and Jr⁻¹(g) = Jl⁻¹(g)ᵀ. */
    cord__rotation_dlog(j, out->g);
    for (int row = 0; row < 3; row++)
        for (int c = 0; c < 3; c++) {
            out->D[row][3 + c] = j[3 * c + row];
            out->D[row][9 + c] = -j[3 * row + c];
        }
}

/* The inverse Jacobians of log are J x = x ∓ ½ g × x + c g × (g × x), with c a function of θ = |g|; −: left, +:
 * right. λ·(dJ x), with dJ the derivative along `rate`, is (`even` ± `odd`)·x. `derivative` is c'(θ)/θ. */
static void jacobian_change(const double g[3], const double *lambda, const double rate[3], double c,
                            double derivative, double odd[3], double even[3])
{
    double across[3], along[3], a[3];
    v3_cross(across, lambda, g);
    v3_cross(along, lambda, rate);
    v3_scale(odd, -0.5, along);
    v3_cross(even, across, rate);
    v3_cross(a, along, g);
    v3_add(even, even, a);
    v3_scale(even, c, even);
    v3_cross(a, across, g);
    v3_axpy(even, derivative * v3_dot(g, rate), a);
}

/* λ·d²g: with dg = P z, z the rotations of both frames, and N z the derivative of the Jacobians along each component
 * of g, applied to z, it is ½ (PᵀN + NᵀP). */
static void curvature(const constraint_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double r[9], g[3], left[9], P[3][6], N[3][6];
    difference(p, first, second, r);
    cord__rotation_log(g, r);
    double square = v3_dot(g, g), theta = sqrt(square);
    double c = 1.0 / 12 + square / 720, derivative = 1.0 / 360 + square / 7560;
    if (theta > 0.05) {
        double half = 0.5 * theta, cot = cos(half) / sin(half);
        c = (1 - half * cot) / square;
        double change =
            -0.5 * cot + 0.25 * theta / (sin(half) * sin(half)); /* d/dθ (1 − ½θ cot ½θ) */
        derivative = (change / theta - 2 * c) / square;
    }
    cord__rotation_dlog(left, g);
    for (int k = 0; k < 3; k++) {
        double rate[3] = {k == 0, k == 1, k == 2}, odd[3], even[3];
        jacobian_change(g, lambda, rate, c, derivative, odd, even);
        for (int i = 0; i < 3; i++) { /* first frame: left Jacobian; second: minus its transpose */
            P[k][i] = left[3 * i + k], P[k][3 + i] = -left[3 * k + i];
            N[k][i] = even[i] + odd[i], N[k][3 + i] = odd[i] - even[i];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            int row = i < 3 ? 3 + i : 6 + i, dof = j < 3 ? 3 + j : 6 + j;
            for (int k = 0; k < 3; k++)
                h[row][dof] += 0.5 * (P[k][i] * N[k][j] + N[k][i] * P[k][j]);
        }
}

static void target(const constraint_params *p, const pose *second, const double *drive, pose *out)
{
    double rotation[9];
    m3_multiply(out->frame, second->frame, p->relative);
    cord__rotation_exp(rotation, drive);
    m3_multiply(out->frame, rotation, out->frame);
}

static bool given(const cord_constraint_def *def)
{
    double sum = 0;
    for (int k = 0; k < 9; k++) sum += def->relative_frame[k] * def->relative_frame[k];
    return sum > 0;
}

static cord_status complete(constraint_params *p, const cord_constraint_def *def, const pose *first,
                            const pose *second, char *why, size_t size)
{
    (void)why;
    (void)size;
    if (given(def)) {
        memcpy(p->relative, def->relative_frame, sizeof p->relative);
        cord__rotation_orthonormalise(p->relative);
    } else {
        m3_transposed_multiply(p->relative, second->frame, first->frame);
    }
    return CORD_OK;
}

const constraint_ops cord__align = {
    .name = CORD_ALIGN,
    .rows = 3,
    .unit = "rad",
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .within = &cord__align_within,
    .prescribes = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .target = target,
    .given = given,
    .complete = complete,
};
