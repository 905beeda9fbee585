/* A place in a segment: what points of a cable and their frames have in common. */
#ifndef CORDAGE_STRAND_CABLE_PLACE_H
#define CORDAGE_STRAND_CABLE_PLACE_H

#include "strand/cable/terms.h"

/* A segment at α: parts of its ends, and how they change with s. */
typedef struct segment_place {
    const cable *c;
    const cable_element *e;
    const double *cache;
    double ds, part[2], rate[2]; /* rate: −1/Δs, 1/Δs */
} segment_place;

/* A place on the guide of a curved segment, in the world: slopes b over the coordinates, and how these change along
 * s, `bent`, and `curled`. */
typedef struct guide_place {
    const double *pose; /* of the carrier, or NULL */
    double arm[3], over[2];
    double b[2][3], bent[2][3], curled[2][3];
} guide_place;

/* Unknowns of a segment without its row. */
static inline int element_columns(const cable_element *e)
{
    return e->count - (e->row >= 0);
}

/* ---- cable_point.c -------------------------------------------------------------------------------------- */

/* The segment that an attachment is in now, of those that a step knows, and its material coordinate there. */
int cord__segment_of(const cable *c, const double *cache, const attachment *at, double *s);
/* The one that it was in when the step began. */
int cord__first_segment(const cable *c, const attachment *at, double *s);
segment_place cord__segment_place(const cable *c, const double *cache, int segment, double s);
guide_place cord__guide_at(const segment_place *p, bool curls, double value[3]);

/* The columns of all segments that an attachment may be in within a step; J is zero. */
void cord__material_columns(const cable *c, const attachment *at, point_jacobian *j);
/* Where a column of the cable is among a jet's. */
int cord__jet_column(const point_jacobian *j, int column);

/* A force w at an arm that turns: what it adds to the matrix, by `scale`. */
void cord__add_turning(int first, const double arm[3], const double w[3], double scale,
                       element_terms *t);
/* How the guide bends the way of a segment's node k, and how its carriers turn that. */
void cord__stiffen_end(const segment_place *p, int k, const double w[3], double scale,
                       element_terms *t);
/* ∂²α over the material coordinates. `pull` is the force along the slope over s. */
void cord__stiffen_running(const segment_place *p, double pull, double c_k, element_terms *t);

/* ---- cable_frame.c -------------------------------------------------------------------------------------- */

/* From where a node sits to where its frame does: a whole one where the cable is clamped, else a tangent. */
void cord__frame_at_node(const cable *c, double s, attachment *at);
void cord__frame_jet(const cable *c, const double *cache, const attachment *at, point_jacobian *j);
/* What a torque w there adds to the matrix. */
void cord__frame_stiffen(const cable *c, const double *cache, const attachment *at,
                         const double w[3], double c_k, local_matrix *matrix);

#endif
