/* Splines for tests, and the polylines that they interpolate. */
#ifndef CORDAGE_TESTS_SPLINES_H
#define CORDAGE_TESTS_SPLINES_H

#include <cordage/cordage.h>

/* EI = 0.01 N m², 0.1 kg/m, and stretching of a slender rod: EA L²/EI = 10⁶ with a metre. */
cord_strand_def splines_def(int vertices, const double *x);

/* Along x from the origin, straight and on a circle that rises. */
void splines_line(int vertices, double length, double *x);
void splines_arc(int vertices, double radius, double angle, double *x);

/* Position and, unless NULL, frame at s. */
void splines_at(cord_world *world, cord_strand strand, double s, double *x, double *frame);

#endif
