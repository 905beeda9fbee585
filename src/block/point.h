/* What a point is: a place, and where its source has one a frame, as functions of time or of a
 * block. A point asks its block through the block's ops table and so knows no models. */
#ifndef CORDAGE_BLOCK_POINT_H
#define CORDAGE_BLOCK_POINT_H

#include "block/block.h"
#include "curve/keys.h"
#include "curve/path.h"

typedef struct point {
    cord_source source;
    int slot;
    linked link;           /* with others on the same path, or else on what carries it */
    linked *terms, *loads; /* that are on it */
    int parent; /* what carries it, or -1: the world; stays, while `block` follows the list of blocks */
    int block;
    double s;
    int slider; /* slot of its coordinate, or -1: it has none */
    int slider_block, element;
    bool measured; /* the coordinate is a turn or a travel, and the place does not depend on it */
    const path_curve *path; /* NULL: on a strand. In the axes of what carries it; where that is the
                               world the point's block is its slider */
    bool
        has_strand_frame; /* it slides, and has the frame of its strand there; else but a tangent */
    cord_end end;         /* of a sliding point */
    double max_coordinate; /* its greatest coordinate, m; 0: the strand has no ends */
    bool released;
    double mass; /* that it carries, kg */
    attachment position_attachment, frame_attachment, curvature_attachment;
    bool frame_attached, curvature_attached;
    double position[3],
        orientation[9]; /* orientation of a sliding point: any frame with the tangent
                                           as it was at first; its own is turned from that one */
    keys motion, rotation;
} point;

/* Whether its place is where its coordinate says. */
static inline bool point_slides(const point *p)
{
    return p->slider_block >= 0 && !p->measured;
}

/* Whether it passes from piece to piece: it slides, or the material that it is at does. */
static inline bool point_has_piece(const point *p)
{
    return point_slides(p) || (p->block >= 0 && p->position_attachment.crosses_elements);
}

/* Whether but the tangent of its frame has a meaning. */
static inline bool point_has_tangent(const point *p)
{
    return point_slides(p) ? !p->has_strand_frame
                           : p->frame_attached && p->frame_attachment.tangent_only;
}

/* Place and frame of a point, with what they depend on. */
typedef struct pose {
    double position[3], frame[9];
} pose;

/* A world point at time t. */
void cord__point_scripted(const point *p, double t, pose *out);

/* Its velocity and angular velocity at time t. */
void cord__point_scripted_rate(const point *p, double t, double linear[3], double angular[3]);

#endif
