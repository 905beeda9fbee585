/* A drawn curve made ready for fitting: cleaned, its plane found, cut at corners, its points spaced
 * as a fit wants them. */
#ifndef CORDAGE_CURVE_FIT_PREPARE_H
#define CORDAGE_CURVE_FIT_PREPARE_H

#include "math/memory.h"

#include <stdbool.h>

typedef struct drawing {
    int count;
    double *x; /* 3 × count; closed: the first vertex is not repeated */
    bool closed;
    double size; /* of the box around it: its diagonal */
} drawing;

/* A copy without repeated points; a last point that is the first one closes it. */
cord_status cord__drawing_clean(memory *m, int count, const double *x, bool closed, drawing *d);

/* The plane through the three points that are farthest apart; `out` is how far a point is from it
 * at most. A straight line lies in a plane z = constant if it can. */
void cord__drawing_plane(const drawing *d, double normal[3], double *out);

/* Marks the vertices at which the curve turns by more than `angle` within `reach` before and after
 * it, the sharpest of those that are near each other. turn (workspace), corner: count. Returns how many. */
int cord__drawing_corners(const drawing *d, double angle, double reach, double *turn, bool *corner);

/* The vertices from one to another, both included, past the last vertex to the first if need be. */
typedef struct part {
    int count;
    double *x; /* 3 × count */
} part;
cord_status cord__drawing_part(memory *m, const drawing *d, int from, int edges, part *p);

/* Points to fit to: long edges among short ones divided, about `most` of them, and where vertices
 * jitter around the curve more closely than the tolerance, averages of them. *off is how far such
 * averages are from what they stand for, at most. */
cord_status cord__fit_points(memory *m, const part *from, double tolerance, int most, part *p,
                             double *off);

/* Drop the component along the normal, with respect to the first point. */
void cord__flatten(part *p, const double normal[3]);

#endif
