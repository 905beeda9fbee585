/* Preprocessing of a drawn curve for fitting: duplicates removed, plane and corners found, points
 * resampled. */
#ifndef CORDAGE_CURVE_FIT_PREPARE_H
#define CORDAGE_CURVE_FIT_PREPARE_H

#include "math/memory.h"

#include <stdbool.h>

typedef struct drawing {
    int count;
    double *x; /* 3 × count; closed: the first vertex is not repeated */
    bool closed;
    double size; /* diagonal of the bounding box */
} drawing;

/* A copy without repeated points; closed if the last point equals the first one. */
cord_status cord__drawing_clean(memory *m, int count, const double *x, bool closed, drawing *d);

/* The plane through the three points farthest apart; `distance` is the largest distance of a point
 * from it. A straight line gets a plane z = constant if it lies in one. */
void cord__drawing_plane(const drawing *d, double normal[3], double *distance);

/* Marks the vertices where the direction changes by more than `angle` between `reach` before and
 * `reach` after, the sharpest among vertices closer than `reach`. angles (workspace), corner:
 * count. Returns the number of corners. */
int cord__drawing_corners(const drawing *d, double angle, double reach, double *angles,
                          bool *corner);

/* Consecutive vertices of a curve; a closed curve continues from its last vertex to its first. */
typedef struct part {
    int count;
    double *x; /* 3 × count */
} part;
cord_status cord__drawing_part(memory *m, const drawing *d, int from, int edges, part *p);

/* Points for the fit: edges much longer than their neighbours are divided, the number is reduced to
 * about `most`, and vertices that scatter about the curve within the tolerance are averaged.
 * *averaging_error is the largest distance of a vertex from the averages. */
cord_status cord__fit_points(memory *m, const part *from, double tolerance, int most, part *p,
                             double *averaging_error);

/* Projects onto the plane through the first point. */
void cord__flatten(part *p, const double normal[3]);

#endif
