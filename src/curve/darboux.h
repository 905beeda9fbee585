/* The Darboux problem R' = R [κ]×, r' = R e₁ with curvature affine in arc length: frames and places
 * along a space clothoid (a helix when the slope is zero, Fresnel arcs in the plane).
 *
 * Curvature vectors are (twist, about the first director, about the second), in the material frame;
 * frames are 3×3 by columns: tangent, first director, second director. Unit quaternions are
 * (w, x, y, z). */
#ifndef CORDAGE_CURVE_DARBOUX_H
#define CORDAGE_CURVE_DARBOUX_H

#include <cordage/strand.h>

/* κ(u) = start + u slope */
typedef struct curvature {
    double start[3], slope[3];
} curvature;

/* Frame and place at u >= 0 of the curve that begins with frame R0 at the origin. Any of R, r may be
 * NULL, and R may be R0. To round-off for any length. */
void cord__darboux_at(const curvature *k, double u, const double R0[9], double R[9], double r[3]);

/* Frames at the n places u_i = length/2 (1 + x_i), 9 numbers each, of the curve that begins with the
 * frame of the unit quaternion `start`; `end` is that at u = length. The x_i are in (−1, 1), ascend
 * and are symmetric about 0, as Gauss's nodes are. To round-off for any length, but made for curves
 * that turn by less than about 8 radians; beyond 16 the slow method takes over. */
void cord__darboux_frames(cord_kinematics method, const curvature *k, double length,
                          const double start[4], int n, const double *x, double *frames,
                          double end[4]);

#endif
