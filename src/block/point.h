/* A point: a position and, where its source has one, a frame, as functions of time or of the
 * configuration of a block. A point evaluates its block through the block's ops table and is
 * independent of the models. */
#ifndef CORDAGE_BLOCK_POINT_H
#define CORDAGE_BLOCK_POINT_H

#include "block/block.h"
#include "curve/keyframes.h"
#include "curve/path.h"

/* Position and frame of a point. */
typedef struct pose {
    double position[3], frame[9];
} pose;

/* A motion of a world point from outside (cord_point_move()). It takes place within the next step, at constant velocity: forces of a jump
 * would be the greater the shorter the step is. */
typedef struct pose_change {
    pose before;
    bool pending;                 /* the step has not begun */
    double shift[3], rotation[3]; /* of the whole change */
    double start, end;            /* of the step; equal: there was none */
} pose_change;

typedef struct point {
    cord_source source;
    int slot;
    list_link link;           /* list of the points on the same path, or else on the same parent */
    list_link *terms, *loads; /* that are on it */
    /* parent object, or -1: the world; constant, whereas `block` is the index in the current list
     * of blocks */
    int parent;
    int block;
    double s;
    double whole_s; /* on a fragment: its coordinate on the strand as it was defined */
    int slider;     /* slot of its coordinate, or -1: it has none */
    int slider_block, element;
    /* the coordinate is revolute or prismatic, and the position does not depend on it */
    bool measured;
    /* NULL: on a strand. In the axes of the parent; where that is the world, the block of the point
     * is its slider */
    const path_curve *path;
    bool has_strand_frame; /* it slides, with the frame of its strand; else with a tangent only */
    cord_end end;          /* of a sliding point */
    double max_coordinate; /* its greatest coordinate, m; 0: the strand has no ends */
    bool released;
    double mass; /* that it carries, kg */
    attachment position_attachment, frame_attachment, curvature_attachment;
    bool frame_attached, curvature_attached;
    double position[3], orientation[9]; /* sliding point: any frame with the initial tangent */
    keyframes motion, rotation;
    pose_change change; /* to `position` and `orientation` */
} point;

/* Whether its position depends on its coordinate. */
static inline bool point_slides(const point *p)
{
    return p->slider_block >= 0 && !p->measured;
}

/* Whether it may cross element boundaries: it slides, or the material at the point does. */
static inline bool point_has_element(const point *p)
{
    return point_slides(p) || (p->block >= 0 && p->position_attachment.crosses_elements);
}

/* Whether only the tangent of its frame is meaningful. */
static inline bool point_has_tangent(const point *p)
{
    return point_slides(p) ? !p->has_strand_frame
                           : p->frame_attached && p->frame_attachment.tangent_only;
}

/* Whether a change of its pose takes place at time t; at the end of the step it still does. */
static inline bool point_changes(const point *p, double t)
{
    return p->change.start < p->change.end && t <= p->change.end;
}

/* Begins a pending change in a step. */
void cord__point_begin_change(point *p, double start, double end);

/* A world point at time t. */
void cord__point_scripted(const point *p, double t, pose *out);

/* Its velocity and angular velocity at time t. */
void cord__point_scripted_rate(const point *p, double t, double linear[3], double angular[3]);

#endif
