/* Rigid bodies. The block's frame is that of the principal axes at the centre of mass; columns are the
 * centre's velocity and the angular velocity, in world axes. Inertia is in places: the centre, and the
 * three axes with the weights whose sums in pairs are the principal moments. So the equations of a step
 * have a symmetric matrix and no gyroscopic terms, and `midpoint` keeps energy and momenta. */
#ifndef CORDAGE_BODY_BODY_H
#define CORDAGE_BODY_BODY_H

#include "block/block.h"
#include "body/shape.h"

typedef struct body_model {
    cord_shape shape;
    double *vertices; /* a mesh's own copies */
    int *triangles;
    double mass, moments[3], weight[3]; /* weight of axis k: (I_i + I_j − I_k)/2 */
    double center[3], axes[9];          /* in the body's own axes */
    double size;                        /* radius of gyration */
    double drag, angular_drag;
    double initial_q[7], initial_v[6];
} body_model;

extern const block_ops cord__body;

cord_status cord__body_create(const cord_body_def *def, memory *m, body_model **model, char *why,
                              size_t size);

/* Where a place and a frame of the body's own axes are attached. */
void cord__body_attach(const body_model *b, measure what, const double place[3],
                       const double frame[9], attachment *at);
/* The body's own axes from the configuration, and the configuration that has them so. */
void cord__body_pose(const body_model *b, const double *q, double position[3], double frame[9]);
void cord__body_set_pose(const body_model *b, double *q, const double position[3],
                         const double frame[9]);

#endif
