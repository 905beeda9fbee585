/* The strains of a joint of a discrete elastic rod. joint_kernel.h has their derivatives.
 *
 * Frame 0 has unit tangent e and directors m1, m2; frame 1 has tangent f; χ = 1 + e·f. The
 * integrated curvature vector is k = ν e×f with ν = 2 √P(x)/χ, P = 1 + p₁ x + p₂ x², x = sin² φ/2 = 1 − χ/2:
 *
 *     p₁ = 0,  p₂ = 0:   |k| = 2 tan φ/2, the curvature binormal κb of the paper [DER 2008, eq. 1];
 *     p₁ = −1, p₂ = 0:   |k| = 2 sin φ/2;
 *     p₁ = −5/6, p₂ = 11/6: |k|² = 4x (1 + x/6 + 2x²/(1 − x)), derived in docs/physics-der.md.
 *
 * The strains are ε = (k·m1⁰, k·m2⁰, k·m1¹, k·m2¹, twist) [DER 2008, eq. 2]. */
#ifndef CORDAGE_STRAND_DER_JOINT_H
#define CORDAGE_STRAND_DER_JOINT_H

#include "math/vec3.h"

#include <stdbool.h>

/* P(x) = 1 + linear x + quadratic x². */
typedef struct curvature_form {
    double linear, quadratic;
} curvature_form;

/* |e×f| = 2 √(x(1 − x)), so |k|² = 4x P/(1 − x) = 4x (1 + αx + ωx²/(1 − x)), α = 1 + p₁, ω = 1 + p₁ + p₂. */
static inline double form_alpha(const curvature_form *form)
{
    return 1 + form->linear;
}
static inline double form_omega(const curvature_form *form)
{
    return 1 + form->linear + form->quadratic;
}

static inline double curvature_polynomial(const curvature_form *form, double x)
{
    return 1 + x * (form->linear + x * form->quadratic);
}

/* ν for cos φ + 1 = χ. */
static inline double curvature_scale(const curvature_form *form, double chi)
{
    return 2 * sqrt(curvature_polynomial(form, 1 - 0.5 * chi)) / chi;
}

/* x = sin² φ/2 from y = |k|²/4: xP/(1 − x) = y. For p₂ = 0, p₁ = 0 or −1, it is y/(1 + (1 + p₁)y); otherwise the root of
 * p₂x³ + p₁x² + (1 + y)x − y, increasing in x, by Newton's method. */
__attribute__((noinline, unused)) static double x_of_square(const curvature_form *form, double y)
{
    enum { MOST = 20 };
    double p1 = form->linear, p2 = form->quadratic, x = y / (1 + y), last = 0;
    if (p2 == 0) return y / (1 + (1 + p1) * y);
    for (int i = 0; i < MOST && x != last; i++) {
        last = x;
        x -= (x * (1 + y + x * (p1 + x * p2)) - y) / (1 + y + x * (2 * p1 + 3 * x * p2));
    }
    return x;
}

/* The twist of a joint, of all branches (multiples of 2π) the one nearest to `near`: as transport_angle_near() does. */
static inline double nearest_branch(double angle, double near)
{
    const double rotation = 6.283185307179586476925;
    if (fabs(near - angle) < 0.5 * rotation) return angle;
    return angle + rotation * nearbyint((near - angle) / rotation);
}

#endif
