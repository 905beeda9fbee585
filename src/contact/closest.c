/* Closest points of two segments.
 *
 * |r + t₁ d₁ − t₂ d₂|² is a convex quadratic in t, least on the lines at t₁ = n·(d₂ × r)/|n|², n = d₁ × d₂. Clamping t₁,
 * then t₂ of that t₁, and t₁ again where t₂ was clamped gives the least value in the unit square
 * [Ericson, Real-Time Collision Detection, 5.1.9]. Cross products keep their relative accuracy for small angles, where
 * the determinant |d₁|²|d₂|² − (d₁·d₂)² cancels. */
#include "contact/contact.h"
#include "math/vec3.h"

static double clamp(double t)
{
    return t > 0 ? t < 1 ? t : 1 : 0;
}

/* x/length² within [0, 1]; 0 of a segment of length zero. */
static double fraction(double x, double length2)
{
    return length2 > 0 ? clamp(x / length2) : 0;
}

static void closest_fractions(const double *r, const double *d1, const double *d2, double t[2],
                              double *sin2)
{
    double n[3], m[3];
    const double first2 = v3_dot(d1, d1), second2 = v3_dot(d2, d2), both = v3_dot(d1, d2),
                 along1 = v3_dot(d1, r), along2 = v3_dot(d2, r), lengths2 = first2 * second2;
    v3_cross(n, d1, d2);
    v3_cross(m, d2, r);
    const double n2 = v3_dot(n, n);
    *sin2 = lengths2 > 0 ? n2 / lengths2 : 0;
    /* Of parallel segments every t₁ in the overlap is as near; the sequence below moves 0 into the overlap. */
    t[0] = n2 > 0 ? clamp(v3_dot(n, m) / n2) : 0;
    t[1] = fraction(along2 + t[0] * both, second2);
    t[0] = fraction(t[1] * both - along1, first2);
    t[1] = fraction(along2 + t[0] * both, second2);
}

double cord__closest_points(const double *a0, const double *a1, const double *b0, const double *b1,
                            double t[2], double *sin2)
{
    double r[3], d1[3], d2[3], w[3], angle;
    v3_sub(r, a0, b0);
    v3_sub(d1, a1, a0);
    v3_sub(d2, b1, b0);
    closest_fractions(r, d1, d2, t, &angle);
    if (sin2) *sin2 = angle;
    v3_copy(w, r);
    v3_axpy(w, t[0], d1);
    v3_axpy(w, -t[1], d2);
    return v3_norm(w);
}
