/* What slides along a polygon: the smooth curve through its vertices. */
#ifndef CORDAGE_STRAND_SMOOTH_CURVE_H
#define CORDAGE_STRAND_SMOOTH_CURVE_H

#include <stdbool.h>

typedef struct smooth_curve {
    int n, edges; /* vertices, edges */
    bool closed;
    const double *rest; /* lengths of the edges */
} smooth_curve;

/* The vertices (-1: none) that a place `along` an edge depends on, and their weights: of the place, and
 * of its first three derivatives along the curve. */
void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4]);

#endif
