/* Frames of strands at sliding points: a frame at another tangent, transported to the tangent of the
 * curve by parallel transport (the smallest rotation) and rotated about it.
 *
 * The position on the curve is a linear combination of four points of the strand, and so are the
 * tangents between which frames are transported. Let Ψ be the holonomy angle of the transport from one
 * tangent y to another z, δΨ = ½ κb·(δŷ + δẑ) [DER 2008, eq. 9]. The rotation of the frame about
 * its tangent is a linear combination of such angles and of the rotations of the strand's frames,
 * with coefficients that depend on the material coordinate s. */
#ifndef CORDAGE_STRAND_TRANSPORTED_FRAME_H
#define CORDAGE_STRAND_TRANSPORTED_FRAME_H

#include "block/block.h"
#include "strand/smooth_curve.h"

enum { CARRIED_POINTS = 4, TRANSPORTED_ROTATIONS = 3, CARRIED_VECTORS = 6, CARRIED_ANGLES = 5 };

/* Weights of the x_i; direction and 1/length. */
typedef struct transported_vector {
    double weight[CARRIED_POINTS], unit[3], inverse;
} transported_vector;

/* Ψ from one vector to another: its coefficient in the rotation of the frame, and the derivative of
 * the coefficient over s. */
typedef struct transported_angle {
    int from, to;
    double part, part_s;
} transported_angle;

/* The rotation of one of the strand's frames, likewise. It is one dof (an angle), or three: a
 * rotation vector of the frame whose tangent is the vector `about`. */
typedef struct transported_rotation {
    int column; /* index in the Jacobian, -1: none */
    int about;  /* -1: one dof */
    double part, part_s;
} transported_rotation;

typedef struct transported_frame {
    int point[CARRIED_POINTS]; /* index of its first dof in the Jacobian; -1: none */
    transported_vector vector[CARRIED_VECTORS];
    int angles;
    /* The first is to the tangent of the curve, vector 0: its coefficient is −1. */
    transported_angle angle[CARRIED_ANGLES];
    transported_rotation rotation[TRANSPORTED_ROTATIONS];
    double m1[3];          /* first director there */
    double twist, twist_s; /* rotation per s beyond transport; its derivative */
} transported_frame;

/* A vector from its value. */
void cord__transported_vector(transported_vector *v, const double x[3], const double weight[4]);

/* The rotational part of a sliding Jacobian whose r, r_s, J_s and J_ss are set. */
void cord__transported_jacobian(const transported_frame *f, sliding_jacobian *j);

/* ---- on a polygon --------------------------------------------------------------------------- */

/* The edges before, at and after a point: their frames, and the twists at the vertices between them. */
typedef struct polygon_frames {
    bool has[3];
    double e[3][3]; /* the edges themselves */
    const double *m1[3];
    double twist[2];  /* continuous, or nearly so */
    double offset[2]; /* the part of the twists that the frames do not show (a closing twist) */
} polygon_frames;

/* The frame at the fraction f = `along` of an edge of the smooth curve, except for `point`, `rotation.column` and
 * `rotation.about`: sets vector 0 and those of the edges, 1 to 3; x_s is an input. The angles of the edges' frames
 * are interpolated by quadratic B-splines: on edge i the rotation about the tangent is −a (1 − f)² β + b f² β₊, where
 * β is the angle between the frames of two edges, both transported to the tangent of the curve at their vertex, and
 * a, b are the fractions of the edge in the two angles. */
void cord__polygon_frame(const smooth_curve *c, int edge, double along, const double tangent[3],
                         const double weight[4], const double *const x[4], const polygon_frames *of,
                         transported_frame *f);

#endif
