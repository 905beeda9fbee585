/* The Darboux problem in extended precision, the reference for the methods of the library. */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_REFERENCE_H
#define CORDAGE_VALIDATION_CLOTHOIDS_REFERENCE_H

#include "curve/darboux.h"

/* κ from `start` to `end` over a length. */
curvature reference_curvature(const double start[3], const double end[3], double length);

/* Frame and position at u, from the identity at the origin, by Taylor series of the matrix in steps
 * of at most half a radian, in long double: 18 digits where that has 64 bits. */
void reference_darboux(const curvature *k, double u, double R[9], double r[3]);

/* The rotation of the frame in radians: ∫|κ|. */
double reference_angle(const curvature *k, double u);

/* The largest difference of R (9) and r (3) from the exact, that of r relative to max(1, |exact r|). */
double reference_error(const double R[9], const double r[3], const double exact_R[9],
                       const double exact_r[3]);

#endif
