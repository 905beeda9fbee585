/* The Darboux problem R' = R [κ]×, r' = R e₁ with curvature affine in arc length: frames and places
 * along a space clothoid (a helix when the slope is zero, Fresnel arcs in the plane).
 *
 * Curvature vectors are (twist, about the first director, about the second), in the material frame;
 * frames are 3×3 by columns: tangent, first director, second director. */
#ifndef CORDAGE_CURVE_DARBOUX_H
#define CORDAGE_CURVE_DARBOUX_H

/* κ(u) = start + u slope */
typedef struct curvature {
    double start[3], slope[3];
} curvature;

/* Frame and place at u >= 0 of the curve that begins with frame R0 at the origin. Any of R, r may be
 * NULL. To round-off for any length. */
void cord__darboux_at(const curvature *k, double u, const double R0[9], double R[9], double r[3]);

#endif
