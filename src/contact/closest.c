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

/* The fraction of d nearest to a point at v from its start; 0 of a segment of length zero. */
static double project(const double *v, const double *d)
{
    double length2 = v3_dot(d, d);
    return length2 > 0 ? clamp(v3_dot(v, d) / length2) : 0;
}

/* The fraction of d₁ nearest to the point t₂ of the other, and the reverse with swapped arguments and −r. */
static double opposite(const double *r, const double *d, double t, const double *other)
{
    double v[3];
    v3_combine(v, t, other, -1, r);
    return project(v, d);
}

static void closest_fractions(const double *r, const double *d1, const double *d2, double t[2],
                              double *sin2)
{
    double n[3], m[3], back[3], n2, lengths2 = v3_dot(d1, d1) * v3_dot(d2, d2);
    v3_cross(n, d1, d2);
    v3_cross(m, d2, r);
    v3_scale(back, -1, r);
    n2 = v3_dot(n, n);
    *sin2 = lengths2 > 0 ? n2 / lengths2 : 0;
    /* Of parallel segments every t₁ in the overlap is as near; the sequence below moves 0 into the overlap. */
    t[0] = n2 > 0 ? clamp(v3_dot(n, m) / n2) : 0;
    t[1] = opposite(back, d2, t[0], d1);
    t[0] = opposite(r, d1, t[1], d2);
    t[1] = opposite(back, d2, t[0], d1);
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
