/* Points in segments: shared by points of a cable and their frames. */
#ifndef CORDAGE_STRAND_CABLE_SEGMENT_H
#define CORDAGE_STRAND_CABLE_SEGMENT_H

#include "strand/cable/terms.h"

/* A segment at α: the weights of its ends, and their derivatives over s. */
typedef struct segment_point {
    const cable *c;
    const cable_element *e;
    const double *cache;
    double ds, part[2], rate[2]; /* rate: −1/Δs, 1/Δs */
} segment_point;

/* A position on the guide of a curved segment, in the world: derivatives b over the coordinates,
 * and their first and second derivatives along s, `bent` and `curled`. */
typedef struct guide_state {
    const double *pose; /* of the carrier, or NULL */
    double arm[3], over[2];
    double b[2][3], bent[2][3], curled[2][3];
} guide_state;

/* The vector p along a segment: x₁ − x₀ where it is straight, Δu ∂x/∂u on a guide; and its Jacobian over the element's
 * dofs. */
typedef struct segment_tangent {
    double p[3], change[ELEMENT_UNKNOWNS][3];
} segment_tangent;

/* Unknowns of a segment without its row. */
static inline int element_dofs(const cable_element *e)
{
    return e->count - (e->row >= 0);
}

/* ---- point.c -------------------------------------------------------------------------------------- */

/* The segment that currently contains an attachment, of those known to the step, and its material coordinate there. */
int cord__segment_of(const cable *c, const double *cache, const attachment *at, double *s);
/* The segment at the start of the step. */
int cord__first_segment(const cable *c, const attachment *at, double *s);
segment_point cord__segment_point(const cable *c, const double *cache, int segment, double s);
guide_state cord__guide_state(const segment_point *p, bool curls, double value[3]);

/* The dofs of all segments that an attachment may be in within a step; J is zero. */
void cord__material_dofs(const cable *c, const attachment *at, point_jacobian *j);
/* Index of a dof of the cable in a Jacobian. */
int cord__jacobian_column(const point_jacobian *j, int dof);

/* Geometric stiffness of a force w at a rotating arm, times `scale`. */
void cord__add_rotation(int first, const double arm[3], const double w[3], double scale,
                        element_terms *t);
/* Contribution of the guide's Hessian at node k of a segment, and of the rotation of its carriers. */
void cord__end_stiffness(const segment_point *p, int k, const double w[3], double scale,
                         element_terms *t);
/* ∂²α over the material coordinates. `pull` is the component of the force along ∂x/∂s. */
void cord__running_stiffness(const segment_point *p, double pull, double c_k, element_terms *t);

/* ---- frame.c -------------------------------------------------------------------------------------- */

void cord__segment_tangent(const segment_point *at, segment_tangent *w);
/* −force·∂²p/∂q² times c_k, added to the matrix. */
void cord__tangent_stiffness(const segment_point *at, const segment_tangent *w,
                             const double force[3], double c_k, element_terms *t);

/* Attachment of a frame at a node: complete where the cable is clamped, else a tangent. */
void cord__frame_at_node(const cable *c, double s, attachment *at);
void cord__frame_jacobian(const cable *c, const double *cache, const attachment *at,
                          point_jacobian *j);
/* −∂(Jᵀw)/∂q of a torque w there, times c_k, added to the matrix. */
void cord__frame_stiffness(const cable *c, const double *cache, const attachment *at,
                           const double w[3], double c_k, local_matrix *matrix);

#endif
