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

/* The same curve along one edge, relative to its chord: with the second divided differences D₀ and D₁ of the vertices about
 * both ends, r = x + u ē − u (l − u) ((1 − β) D₀ + β D₁), β = 3f² − 2f³, f = u/l. */
typedef struct smooth_edge {
    double length;                               /* l, natural */
    double start[3], slope[3], difference[2][3]; /* x, ē = e/l, D */
} smooth_edge;

/* Vertex i is at x + i stride. */
void cord__smooth_edge(const smooth_curve *c, const double *x, int stride, int edge,
                       smooth_edge *out);
void cord__smooth_point(const smooth_edge *e, double along, double r[3], double r_s[3],
                        double r_ss[3]);
/* The curve is within l² max |D|/4 = κ l²/8 of the chord. */
double cord__smooth_bulge(const smooth_edge *e);

#endif
