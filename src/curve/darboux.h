/* The Darboux problem R' = R [κ]×, r' = R e₁ with curvature affine in arc length: frames and
 * positions along a space clothoid [SSC 2013, eq. 3] (a helix when the curvature is constant, an
 * arc of a clothoid in the plane [SC 2012]).
 *
 * Curvature vectors are (twist, about the first director, about the second), in the material frame;
 * frames are 3×3 by columns: tangent, first director, second director. Unit quaternions are (w, x,
 * y, z). */
#ifndef CORDAGE_CURVE_DARBOUX_H
#define CORDAGE_CURVE_DARBOUX_H

#include <cordage/strand.h>

/* κ(u) = start + u slope */
typedef struct curvature {
    double start[3], slope[3];
} curvature;

/* A curve is integrated in parts of about a radian, at most this many; beyond them, in diverging iterates, the result
 * has no meaning. */
enum { MAX_PARTS = 100000 };

/* The series of darboux.c: terms that are negligible relative to 1 (a quarter of half the last bit), and the largest exponent
 * of its bound: over 16 radians it loses e⁴. */
#define DARBOUX_NEGLIGIBLE 3e-17
#define DARBOUX_MOST_EXPONENT 4

/* Frame and position at u >= 0 of the curve that begins with frame R0 at the origin. R and r may be
 * NULL, and R may be R0. Accurate to round-off for any length. */
void cord__darboux_at(const curvature *k, double u, const double R0[9], double R[9], double r[3]);

/* Frames at the n nodes u_i = length/2 (1 + x_i), 9 doubles each, of the curve that begins with the
 * frame of the unit quaternion `start`; `end` is the quaternion at u = length. The x_i are in (−1,
 * 1), ascend and are symmetric about 0, as Gauss–Legendre nodes are. Accurate to round-off for any
 * length; fast for curves that rotate by less than about 8 radians; beyond 16 the piecewise
 * summation replaces the one series. */
void cord__darboux_frames(cord_kinematics method, const curvature *k, double length,
                          const double start[4], int n, const double *x, double *frames,
                          double end[4]);

#endif
