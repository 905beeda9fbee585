/* Tangents of pulleys, and nodes of plans: shared by routes and events. */
#ifndef CORDAGE_STRAND_CABLE_PULLEY_H
#define CORDAGE_STRAND_CABLE_PULLEY_H

#include "math/rotation.h"
#include "math/vec3.h"
#include "strand/cable/cable.h"

#include <math.h>

/* A pulley is unwrapped below this wrap angle, and wrapped again above twice the angle
 * (hysteresis); rad. Arcs are never shorter. */
#define LEAST_WRAP 1e-3

/* A position in the carrier's axes from one in the world. */
static inline void to_carrier(const double *pose, const double position[3], double out[3])
{
    if (!pose) {
        v3_copy(out, position);
        return;
    }
    double from[3];
    v3_sub(from, position, pose);
    m3_apply_transposed(out, pose + 3, from);
}

/* The outward normal n of the rim at the tangent point of a straight line through the position q
 * satisfies n·(q − centre) = radius. Of the two solutions, the one where the line continues in the
 * direction of the cable round the pulley. */
static inline bool pulley_angle(const cable_guide *g, const double *pose, const double position[3],
                                int side, bool entry, double *angle)
{
    double own[3], from[3];
    to_carrier(pose, position, own);
    v3_sub(from, own, g->origin);
    double x = v3_dot(from, g->axes), y = v3_dot(from, g->axes + 3), far = hypot(x, y);
    if (!(far > g->radius)) return false;
    double off = acos(g->radius / far);
    *angle = atan2(y, x) + (entry ? side : -side) * off;
    return true;
}

/* `height`: along the axis of a cylinder; 0 on a circle. */
static inline void pulley_position(const cable_guide *g, const double *pose, double angle,
                                   double height, double out[3])
{
    double at[2] = {angle * g->radius, height}, own[3];
    guide_position(g, at, own, NULL, NULL);
    to_world(pose, own, out);
}

/* The height of a position along the axis, and its distance from the axis. */
static inline double pulley_height(const cable_guide *g, const double *pose,
                                   const double position[3], double *far)
{
    double own[3], from[3];
    to_carrier(pose, position, own);
    v3_sub(from, own, g->origin);
    *far = hypot(v3_dot(from, g->axes), v3_dot(from, g->axes + 3));
    return v3_dot(from, g->axes + 6);
}

/* The geodesic between two positions round a smooth cylinder is straight where the cylinder is unrolled: the heights of
 * the tangent points divide the difference of the heights as the lengths √(d² − a²), aφ, √(d² − a²) divide their sum. */
static inline void geodesic_heights(const cable_guide *g, const double *pose,
                                    const double before[3], const double after[3], double arc,
                                    double height[2])
{
    double far[2], a = g->radius;
    double from = pulley_height(g, pose, before, far), to = pulley_height(g, pose, after, far + 1);
    for (int k = 0; k < 2; k++) far[k] = sqrt(fmax(0, far[k] * far[k] - a * a));
    double slope = (to - from) / (far[0] + arc + far[1]);
    height[0] = from + slope * far[0];
    height[1] = to - slope * far[1];
}

/* An angle in [−π/2, 3π/2): a pulley without contact has a wrap angle slightly below zero, not nearly 2π. */
static inline double wrap_of(double from, double to, int side)
{
    double wrap = side * (to - from) + 0.5 * M_PI;
    return wrap - 2 * M_PI * floor(wrap / (2 * M_PI)) - 0.5 * M_PI;
}

static inline planned_node *add_node(cable_plan *plan, int waypoint, int guide, double s)
{
    planned_node *n = plan->node + plan->nodes++;
    *n = (planned_node){.guide = guide, .waypoint = waypoint, .s = s};
    return n;
}

/* The wrap between the last two nodes. */
static inline void add_wrap(cable_plan *plan, const cable_waypoint *waypoint)
{
    plan->wrap[plan->wraps++] = cord__planned_wrap(waypoint, plan->nodes - 2);
}

#endif
