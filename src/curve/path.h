/* A smooth curve through points, parametrised by arc length: the path that path points slide along.
 * A cubic spline over chord lengths, with continuous curvature; natural at its ends, beyond which
 * it continues straight, or periodic [de Boor, A Practical Guide to Splines, chapter IV]. */
#ifndef CORDAGE_CURVE_PATH_H
#define CORDAGE_CURVE_PATH_H

#include "math/memory.h"

#include <stdbool.h>

typedef struct path_curve {
    int spans;
    bool closed;
    double *knot;   /* spans + 1: cumulated chord lengths */
    double *x;      /* 3 × (spans + 1): the points; a closed curve repeats the first one */
    double *second; /* 3 × (spans + 1): second derivatives by the spline parameter at the points */
    double *arc;    /* arc lengths at the ends of quadrature panels, PATH_PANELS per span */
    double length;
    double max_curvature; /* 1/m */
} path_curve;

/* At least two points (closed: three), no two consecutive ones equal. On failure `why` holds the
 * message, and nothing needs to be freed. */
cord_status cord__path_init(path_curve *c, memory *m, int count, const double *points, bool closed,
                            char *why, size_t size);
void cord__path_free(path_curve *c, memory *m);

/* Position, unit tangent r', curvature vector r″ and r‴ at arc length s; on a closed curve s is
 * taken modulo the length. */
void cord__path_at(const path_curve *c, double s, double x[3], double tangent[3], double second[3],
                   double third[3]);

#endif
