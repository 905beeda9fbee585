/* What slides along a polygon: the smooth curve through its vertices. */
#ifndef CORDAGE_STRAND_SMOOTH_CURVE_H
#define CORDAGE_STRAND_SMOOTH_CURVE_H

#include "block/block.h"

typedef struct smooth_curve {
    int n, edges; /* vertices, edges */
    bool closed;
    const double *rest; /* lengths of the edges */
} smooth_curve;

/* The vertices (-1: none) that a place `along` an edge depends on, and their weights: of the place, and
 * of its first three derivatives along the curve. */
void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4]);

/* Value, tangent, bend and third from the places of these vertices, and J, slope and, where it is asked for, curl from
 * where the columns of each are in the jet, whose runs are set. NULL, and -1: no such vertex. */
void cord__smooth_jet(double weight[4][4], const double *const x[4], const int column[4],
                      sliding_jacobian *j);

#endif
