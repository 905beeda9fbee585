/* The forms with a length of constraints with several rows G: the norm of G minus the length. One row, which may be
 * one-sided: within a radius of a position or of an axis, on a cylinder, a rotation by at most an angle, a bounded
 * curvature, in a cone.
 *
 *     g = |G| − length,     ∂g = n·∂G,     ∂²g = n·∂²G + (∂Gᵀ∂G − ∂gᵀ∂g)/|G|,     n = G/|G| */
#include "math/vec3.h"
#include "constraint/constraint.h"

#include <stdio.h>

/* For G = 0 the direction n is undefined: the derivative is zero there. */
static double size_of(const constraint_ops *of, const constraint_params *p, const pose *first,
                      const pose *second, constraint_value *full, double n[3])
{
    *full = (constraint_value){0};
    of->evaluate(p, first, second, full);
    double size = v3_norm(full->g);
    v3_scale(n, size > 0 ? 1 / size : 0, full->g);
    return size;
}

static void add_gradient(const constraint_value *full, const double n[3], double *out)
{
    for (int row = 0; row < CONSTRAINT_ROWS; row++)
        for (int k = 0; k < 3 * TERM_PARTS; k++) out[k] += n[row] * full->D[row][k];
}

static void evaluate(const constraint_ops *of, const constraint_params *p, const pose *first,
                     const pose *second, constraint_value *out)
{
    constraint_value full;
    double n[3], size = size_of(of, p, first, second, &full, n);
    out->g[0] = size - p->length;
    add_gradient(&full, n, out->D[0]);
}

static void curvature(const constraint_ops *of, const constraint_params *p, const pose *first,
                      const pose *second, double lambda, double h[12][12])
{
    constraint_value full;
    double n[3], gradient[12] = {0}, size = size_of(of, p, first, second, &full, n);
    if (!(size > 0)) return;
    add_gradient(&full, n, gradient);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 12; k++) {
            double sum = -gradient[i] * gradient[k];
            for (int row = 0; row < CONSTRAINT_ROWS; row++) sum += full.D[row][i] * full.D[row][k];
            h[i][k] += lambda / size * sum;
        }
    v3_scale(n, lambda, n);
    if (of->curvature) of->curvature(p, first, second, n, h);
}

static bool given(const cord_constraint_def *def)
{
    (void)def;
    return false;
}

static cord_status take_length(constraint_params *p, const cord_constraint_def *def, double now,
                               const char *kind, char *why, size_t size)
{
    p->length = def->length >= 0 ? def->length : now;
    if (is_admissible(p->length) && p->length > 0) return CORD_OK;
    snprintf(why, size, "%s: with a side it needs a length above 0: how far it may be off", kind);
    return CORD_ERROR_ARGUMENT;
}

static cord_status complete(const constraint_ops *of, constraint_params *p,
                            const cord_constraint_def *def, const pose *first, const pose *second,
                            char *why, size_t size)
{
    constraint_value full;
    double n[3];
    cord_status status = of->complete ? of->complete(p, def, first, second, why, size) : CORD_OK;
    if (status != CORD_OK) return status;
    return take_length(p, def, size_of(of, p, first, second, &full, n), of->name, why, size);
}

#define WITHIN(kind, label, needed, tangent)                                                       \
    static void evaluate_##kind(const constraint_params *p, const pose *first, const pose *second, \
                                constraint_value *out)                                             \
    {                                                                                              \
        evaluate(&cord__##kind, p, first, second, out);                                            \
    }                                                                                              \
    static void curvature_##kind(const constraint_params *p, const pose *first,                    \
                                 const pose *second, const double *lambda, double h[12][12])       \
    {                                                                                              \
        curvature(&cord__##kind, p, first, second, lambda[0], h);                                  \
    }                                                                                              \
    static cord_status complete_##kind(constraint_params *p, const cord_constraint_def *def,       \
                                       const pose *first, const pose *second, char *why,           \
                                       size_t size)                                                \
    {                                                                                              \
        return complete(&cord__##kind, p, def, first, second, why, size);                          \
    }                                                                                              \
    const constraint_ops cord__##kind##_within = {.name = label,                                   \
                                                  .rows = 1,                                       \
                                                  .needs = needed,                                 \
                                                  .tangent_suffices = {false, tangent},            \
                                                  .one_sided = true,                               \
                                                  .evaluate = evaluate_##kind,                     \
                                                  .curvature = curvature_##kind,                   \
                                                  .given = given,                                  \
                                                  .complete = complete_##kind};

#define NEEDS(a, b)                                                                                \
    {                                                                                              \
        a, b                                                                                       \
    }
WITHIN(coincide, CORD_COINCIDE, NEEDS(NEEDS_POSITION, NEEDS_POSITION), false)
WITHIN(axis, CORD_AXIS, NEEDS(NEEDS_POSITION, NEEDS_POSITION | NEEDS_FRAME), true)
WITHIN(align, CORD_ALIGN, NEEDS(NEEDS_FRAME, NEEDS_FRAME), false)
WITHIN(curvature, CORD_CURVATURE, NEEDS(NEEDS_CURVATURE, NEEDS_CURVATURE), false)

/* ---- a cone: the angle between two directions --------------------------------------------------- */

/* a·n = cos θ; returns sin θ, 0 for parallel directions. */
static double directions(const constraint_params *p, const pose *first, const pose *second,
                         double a[3], double n[3])
{
    double across[3];
    m3_apply(a, first->frame, p->first_direction);
    m3_apply(n, second->frame, p->direction);
    v3_cross(across, a, n);
    return v3_norm(across);
}

static void evaluate_cone(const constraint_params *p, const pose *first, const pose *second,
                          constraint_value *out)
{
    double a[3], n[3], sine = directions(p, first, second, a, n);
    cord__dot_of_directions(a, n, 0, out);
    out->g[0] = atan2(sine, out->g[0]) - p->length;
    for (int k = 0; k < 3 * TERM_PARTS; k++) out->D[0][k] *= sine > 0 ? -1 / sine : 0;
}

/* θ = acos c: θ' = −1/sin θ, θ'' = −c/sin³ θ. */
static void curvature_cone(const constraint_params *p, const pose *first, const pose *second,
                           const double *lambda, double h[12][12])
{
    double a[3], n[3], sine = directions(p, first, second, a, n);
    constraint_value dot = {0};
    if (!(sine > 0)) return;
    cord__dot_of_directions(a, n, 0, &dot);
    cord__add_directions_hessian(a, n, -lambda[0] / sine, h);
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 12; k++)
            h[i][k] -= lambda[0] * dot.g[0] / (sine * sine * sine) * dot.D[0][i] * dot.D[0][k];
}

static cord_status complete_cone(constraint_params *p, const cord_constraint_def *def,
                                 const pose *first, const pose *second, char *why, size_t size)
{
    double a[3], n[3];
    cord_status status = cord__parallel.complete(p, def, first, second, why, size);
    if (status != CORD_OK) return status;
    double sine = directions(p, first, second, a, n);
    return take_length(p, def, atan2(sine, v3_dot(a, n)), CORD_PARALLEL, why, size);
}

const constraint_ops cord__parallel_within = {
    .name = CORD_PARALLEL,
    .rows = 1,
    .needs = {NEEDS_FRAME, NEEDS_FRAME},
    .tangent_suffices = {true, true},
    .one_sided = true,
    .evaluate = evaluate_cone,
    .curvature = curvature_cone,
    .given = given,
    .complete = complete_cone,
};
