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

/* The inverse Jacobians of log are x ∓ ½ g × x + c g × (g × x), with c a function of |g|. Their change
 * along g' applied to x; `sign` −1: left, 1: right. */
static void jacobian_change(const double g[3], const double rate[3], const double x[3], double sign,
                            double c, double c_rate, double *out)
{
    double a[3], b[3], e[3];
    v3_cross(a, rate, x);
    v3_scale(out, 0.5 * sign, a);
    v3_cross(e, g, a); /* g × (g' × x) */
    v3_axpy(out, c, e);
    v3_cross(a, g, x);
    v3_cross(b, rate, a);
    v3_axpy(out, c, b);
    v3_cross(b, g, a);
    v3_axpy(out, c_rate, b);
}

/* λ·d²g along a motion that turns the first by x and the second by y. */
static double second_change(const double g[3], const double *lambda, const double x[3],
                            const double y[3])
{
    double square = v3_dot(g, g), theta = sqrt(square), left[9], rate[3], a[3], b[3];
    double c = 1.0 / 12 + square / 720, slope = 1.0 / 360 + square / 7560; /* slope: c'(θ)/θ */
    if (theta > 0.05) {
        double half = 0.5 * theta, cot = cos(half) / sin(half);
        c = (1 - half * cot) / square;
        double change = -0.5 * cot + 0.25 * theta / (sin(half) * sin(half)); /* of 1 − ½θ cot ½θ */
        slope = (change / theta - 2 * c) / square;
    }
    cord__rotation_dlog(left, g);
    for (int r = 0; r < 3; r++) /* columns: left as it is, right transposed */
        rate[r] =
            left[r] * x[0] + left[3 + r] * x[1] + left[6 + r] * x[2] - v3_dot(left + 3 * r, y);
    double c_rate = slope * v3_dot(g, rate);
    jacobian_change(g, rate, x, -1, c, c_rate, a);
    jacobian_change(g, rate, y, 1, c, c_rate, b);
    return v3_dot(lambda, a) - v3_dot(lambda, b);
}

/* The quadratic form from its values on sums of pairs. */
static void curvature(const relation_params *p, const pose *first, const pose *second,
                      const double *lambda, double h[12][12])
{
    double r[9], g[3], own[6], unit[6][2][3] = {{{0}}};
    difference(p, first, second, r);
    cord__rotation_log(g, r);
    for (int i = 0; i < 6; i++) {
        unit[i][i / 3][i % 3] = 1;
        own[i] = second_change(g, lambda, unit[i][0], unit[i][1]);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double x[3], y[3], value = own[i];
            v3_add(x, unit[i][0], unit[j][0]);
            v3_add(y, unit[i][1], unit[j][1]);
            if (i != j) value = 0.5 * (second_change(g, lambda, x, y) - own[i] - own[j]);
            int row = i < 3 ? 3 + i : 6 + i, column = j < 3 ? 3 + j : 6 + j;
            h[row][column] += value;
            if (i != j) h[column][row] += value;
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
    .within = &cord__align_within,
    .prescribes = true,
    .evaluate = evaluate,
    .curvature = curvature,
    .target = target,
    .given = given,
    .complete = complete,
};
