/* A smooth curve through points, by its arc length: what points run along that are held to a path. A cubic
 * spline over chord lengths, with continuous curvature; natural at its ends, beyond which it goes on
 * straight, or periodic. */
#ifndef CORDAGE_CURVE_PATH_H
#define CORDAGE_CURVE_PATH_H

#include "math/memory.h"

#include <stdbool.h>

typedef struct path_curve {
    int spans;
    bool closed;
    double *knot; /* spans + 1: sums of chords */
    double *x;    /* the points, of a closed curve the first again at the end; 3 × (spans + 1) */
    double *bend; /* second derivatives there */
    double *arc;  /* arc lengths at the panels' ends, PATH_PANELS to a span */
    double length;
    double sharpest; /* its greatest curvature, 1/m */
} path_curve;

/* Two points at least, of a closed curve three, and no two in a row the same. On failure `why` has the
 * reason, and nothing is to be freed. */
cord_status cord__path_init(path_curve *c, memory *m, int count, const double *points, bool closed,
                            char *why, size_t size);
void cord__path_free(path_curve *c, memory *m);

/* Place, unit tangent, curvature vector and its derivative at arc length s; on a closed curve s counts
 * rounds. */
void cord__path_at(const path_curve *c, double s, double x[3], double tangent[3], double bend[3],
                   double third[3]);

#endif
