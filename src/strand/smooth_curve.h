/* The smooth curve through the vertices of a polygon, on which sliding points move. */
#ifndef CORDAGE_STRAND_SMOOTH_CURVE_H
#define CORDAGE_STRAND_SMOOTH_CURVE_H

#include "block/block.h"
#include "contact/contact.h"

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

/* Vertex i is at x + i stride. The segments of contact detection, one per edge, with second divided differences of the vertices
 * about both ends; the curve is within l² max |D|/4 = κ l²/8 of the chord. */
void cord__smooth_segments(const smooth_curve *c, const double *x, int stride, const double *arc,
                           double radius, contact_segment *out);
/* The position along an edge, and its derivatives. */
void cord__smooth_point(const smooth_curve *c, const double *x, int stride, int edge, double along,
                        double r[3], double r_s[3], double r_ss[3]);

#endif
