/* Rigid bodies. The frame of the block is that of the principal axes of inertia at the centre of
 * mass; the velocity unknowns are the velocity of the centre and the angular velocity, both in
 * world axes. Inertia acts on the inertial coordinates x(q): the centre with the mass, and the
 * three axes d_i with the weights w_i whose pairwise sums are the principal moments, I₁ = w₂ + w₃.
 * T = ½ m |ċ|² + ½ Σ w_i |ḋ_i|². The equations of a step therefore have a symmetric matrix and no
 * gyroscopic terms, and `midpoint` conserves energy, linear and angular momentum. TR-BDF2 is applied
 * to the deviation from the motion without forces (solve/inertial.c), and conserves them to round-off
 * where no force acts. */
#ifndef CORDAGE_BODY_BODY_H
#define CORDAGE_BODY_BODY_H

#include "block/block.h"
#include "body/shape.h"

typedef struct body_model {
    cord_shape shape;
    double *vertices; /* copies owned by a mesh */
    int *triangles;
    double mass, moments[3], weight[3]; /* weight of axis k: (I_i + I_j − I_k)/2 */
    double center[3], axes[9];          /* in the axes of the body's definition */
    double size;                        /* radius of gyration */
    double drag, angular_drag;
    double initial_q[7], initial_v[6];
} body_model;

extern const block_ops cord__body;

cord_status cord__body_create(const cord_body_def *def, memory *m, body_model **model, char *why,
                              size_t size);

/* Attachments of a position and of a frame given in the axes of the body's definition. */
void cord__body_attach(const body_model *b, measure what, const double position[3],
                       const double frame[9], attachment *at);
/* The axes of the definition from the configuration, and the inverse map. */
void cord__body_pose(const body_model *b, const double *q, double position[3], double frame[9]);
void cord__body_set_pose(const body_model *b, double *q, const double position[3],
                         const double frame[9]);

#endif
