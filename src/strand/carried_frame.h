/* Frames of strands where a point slides: the frame at another tangent, carried to that of the curve by the smallest
 * rotation and turned about it.
 *
 * The curve is a combination of four points of the strand, and so are the tangents that frames are carried between.
 * Let Ψ be the angle that the smallest rotation from one to another makes a frame lag by as both move:
 * δΨ = ½ κb·(δŷ + δẑ) [DER 2008, eq. 9]. Then the frame turns about its tangent by a combination of such angles and
 * of the turns of the strand's own frames, of which parts change along the strand. */
#ifndef CORDAGE_STRAND_CARRIED_FRAME_H
#define CORDAGE_STRAND_CARRIED_FRAME_H

#include "block/block.h"
#include "strand/smooth_curve.h"

enum { CARRIED_POINTS = 4, CARRIED_TURNS = 3, CARRIED_VECTORS = 6, CARRIED_ANGLES = 5 };

/* Of x_i so much; direction and 1/length. */
typedef struct carried_vector {
    double weight[CARRIED_POINTS], unit[3], inverse;
} carried_vector;

/* Ψ from one vector to another: the part of it in the frame's turn, and how that changes along the strand. */
typedef struct carried_angle {
    int from, to;
    double part, slope;
} carried_angle;

/* A turn of one of the strand's frames, likewise. Its column is that turn; or there are three, a rotation of the
 * frame whose tangent is the vector `about`. */
typedef struct carried_turn {
    int column; /* in the jet, -1: none */
    int about;  /* -1: one column */
    double part, slope;
} carried_turn;

typedef struct carried_frame {
    int point[CARRIED_POINTS]; /* its first column in the jet; -1: none */
    carried_vector vector[CARRIED_VECTORS];
    int angles;
    /* The first is to the curve's own tangent, which is vector 0: its part is −1. */
    carried_angle angle[CARRIED_ANGLES];
    carried_turn turn[CARRIED_TURNS];
    double m1[3]; /* first director there */
    double twist,
        twist_slope; /* how it turns along the strand, beyond being carried; and how that changes */
} carried_frame;

/* A vector from its value. */
void cord__carried_vector(carried_vector *v, const double x[3], const double weight[4]);

/* The rest of a jet that has places and tangents, slope and curl. */
void cord__carried_jet(const carried_frame *f, sliding_jacobian *j);

/* ---- on a polygon --------------------------------------------------------------------------- */

/* The edges before, at and after a place: their frames, and the twists at the vertices between them. */
typedef struct polygon_frames {
    bool has[3];
    double e[3][3]; /* the edges themselves */
    const double *m1[3];
    double twist[2];  /* as continuous numbers, or near that */
    double offset[2]; /* of these, what is not seen in the frames (a closing twist) */
} polygon_frames;

/* The frame at a place `along` an edge of the smooth curve, but for `point`, `turn.column` and `turn.about`: vector 0
 * and those of the edges, 1 to 3, are set, and x_s is given. About the tangent it is turned so that the angles of
 * the edges' frames are spread by quadratic B-splines: on edge i by −a (1 − f)² β + b f² β₊, with β the angle
 * between the frames of two edges, both carried to the curve's tangent at their vertex, and a, b the edge's share of
 * the two at that vertex. */
void cord__polygon_frame(const smooth_curve *c, int edge, double along, const double tangent[3],
                         const double weight[4], const double *const x[4], const polygon_frames *of,
                         carried_frame *f);

#endif
