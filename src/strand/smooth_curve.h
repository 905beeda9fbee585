/* The smooth curve through the vertices of a polygon, on which sliding points move. */
#ifndef CORDAGE_STRAND_SMOOTH_CURVE_H
#define CORDAGE_STRAND_SMOOTH_CURVE_H

#include "block/block.h"

typedef struct smooth_curve {
    int n, edges; /* vertices, edges */
    bool closed;
    const double *rest; /* lengths of the edges */
} smooth_curve;

/* The vertices (-1: none) that determine the position `along` an edge, and their weights: for the
 * position and for its first three derivatives along the curve. */
void cord__smooth_weights(const smooth_curve *c, int edge, double along, int vertex[4],
                          double weight[4][4]);

/* r, r_s, r_ss and r_sss from the positions of these vertices, and J, J_s and, where required, J_ss
 * from the indices of the dofs of each in the Jacobian, whose runs are set. NULL, and -1: no such
 * vertex. */
void cord__smooth_jacobian(double weight[4][4], const double *const x[4], const int column[4],
                           sliding_jacobian *j);

#endif
