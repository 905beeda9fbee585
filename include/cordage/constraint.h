/* Constraints: everything that holds. Rows g = 0 (or g >= 0, or g <= 0) over one or two points.
 *
 * kind        rows  g                                                         second point
 * coincide     3    place of the first − place of the second                  any
 * align        3    rotation vector from the second's frame to the first's    any with a frame
 * plane        1    n · (first − second): height above the plane              carries the plane
 * axis         2    the two components of (first − second) across the axis    carries the axis
 * distance     1    |first − second| − length                                 any
 * parallel     2    a direction of the first, across one of the second        any with a frame
 * perpendicular 1   a direction of the first · one of the second              any with a frame
 * angle        1    turn of the first about an axis of the second             any with a frame
 *                   (of its first_direction, where that is given)
 * slide        1    coordinate of the first − ratio · of the second − length  has one, or none
 * curvature    3    curvature vector of the first − of the second − wanted    a chain's, or none
 *
 * Joints of bodies: ball is coincide; weld coincide and align; revolute coincide and parallel;
 * cylindrical axis and parallel; prismatic axis and align; universal coincide and perpendicular; a
 * driven, compliant or one-sided `angle` (or `plane` along the axis) is motor, spring or limit. Gears,
 * racks and screws are a `slide` with a ratio between two points that are coordinates (point.h).
 *
 * `direction` (the plane's normal, the axis) is fixed in the second point's frame. Each row may
 * be compliant (g + compliance · force = 0, a spring with damping), one-sided, and driven
 * (g = drive(t), so that a clamp moves, a rope is hauled in, a plane rises). Those of several rows have
 * one with a `length`: how far all of them together are off, less that. */
#ifndef CORDAGE_CONSTRAINT_H
#define CORDAGE_CONSTRAINT_H

#include <cordage/point.h>

CORD_BEGIN

#define CORD_COINCIDE "coincide"
#define CORD_ALIGN "align"
#define CORD_PLANE "plane"
#define CORD_AXIS "axis"
#define CORD_DISTANCE "distance"
#define CORD_PARALLEL "parallel"
#define CORD_PERPENDICULAR "perpendicular"
#define CORD_ANGLE "angle" /* from where it is when added; rad */
#define CORD_SLIDE "slide"
#define CORD_CURVATURE "curvature" /* rows: twist, about the first director, about the second */

typedef enum cord_side {
    CORD_EQUAL,    /* g = drive */
    CORD_AT_LEAST, /* g >= drive: one-sided; of several rows those with a length */
    CORD_AT_MOST,  /* g <= drive */
} cord_side;

typedef struct cord_constraint_def {
    const char *kind;
    const char *name;          /* for messages; copied; may be NULL */
    cord_point first;          /* on something that moves */
    cord_point second;         /* null: the world's origin and axes */
    double direction[3];       /* plane, axis: in the second point's frame; default (0, 0, 1) */
    double first_direction[3]; /* parallel, perpendicular: in the first point's frame; parallel's
                                  default (zero): where `direction` is in it when added */
    double length;             /* distance, m; negative (the default): what it is when added. axis,
                                  coincide: stay at this distance, m; align, parallel: turned by this
                                  angle, rad; curvature: off by this much, 1/m; these are one row then,
                                  and may have a side */
    double ratio;              /* slide; default 1 */
    double
        relative_frame[9]; /* align: the wanted frame of the first in the second's frame; zero (the
                               default): what it is when added. Identity: frames coincide. */
    double curvature[3];   /* curvature: about the first director, the second, twist; 1/m */
    double compliance;     /* m/N (align: rad/(N m)); 0: exact */
    double damping;        /* s: a compliant row resists by (g + damping ġ)/compliance */
    cord_side side;        /* default CORD_EQUAL */
    double
        friction; /* viscous, of the motion that it leaves free, as seen from the second point: N s/m
                        of plane, axis, distance, align and coincide with a length, N m s/rad of
                        coincide, parallel, perpendicular and angle; see docs/constraints.md. Default 0 */
    double
        restitution; /* one-sided, exact: what an impact leaves of the rate of approach, 0 to 1; 0 (the
                            default): it stays in contact, 1: the kinetic energy is kept */
    /* It lets go at a time, or when its force (or torque) exceeds one, or its places are farther apart. It
     * takes hold at a time, or when all that is given of the others is so: its places are nearer, move
     * more slowly past each other, and it has let go for so long; a gap is then closed within a tenth of
     * a second. Looked at after every step; 0 (the default): never.
     * With attach_time (unless release_time is before it) or attach_distance it begins let go. What lets
     * go does so for good, unless attach_time is still to come; with `again` it takes hold as often as
     * the others say, and begins let go only where its places are farther apart than attach_distance.
     * It does not chatter: what attaches it must first have been not so since it let go. */
    double release_time, release_force, release_distance; /* s, N (N m), m */
    double attach_time, attach_distance;                  /* s, m */
    double attach_speed, attach_after;                    /* m/s, s */
    bool repeat;
    cord_keys drive;      /* width: the constraint's rows */
    double drive_rate[3]; /* added to the drive: so much more per second, from when it is added */
} cord_constraint_def;

CORD_API cord_constraint_def cord_constraint_def_default(void);
CORD_API cord_status cord_world_add_constraint(cord_world *world, const cord_constraint_def *def,
                                               cord_constraint *constraint);
CORD_API cord_status cord_world_remove_constraint(cord_world *world, cord_constraint constraint);

/* The names of the constraints, NULL-terminated. */
CORD_API const char *const *cord_constraint_names(void);

typedef struct cord_constraint_info {
    const char *kind, *name;  /* `name` may be NULL */
    cord_point first, second; /* `second` is null for the world's origin */
    double direction[3];      /* plane, axis: unit, in the second point's frame */
    double length;            /* distance, m, without its drive */
    double compliance, damping, friction;
    cord_side side;
    double restitution;
} cord_constraint_info;

CORD_API cord_status cord_constraint_get_info(const cord_world *world, cord_constraint constraint,
                                              cord_constraint_info *info);

/* What the constraint does to its first point: force (N) and torque (N m) in world axes. */
CORD_API cord_status cord_constraint_get_force(const cord_world *world, cord_constraint constraint,
                                               double force[3], double torque[3]);
/* What its friction does to its first point, force (N) and torque (N m) in world axes, and the power that
 * is lost by it, W; any may be NULL. It is no part of cord_constraint_force(). */
CORD_API cord_status cord_constraint_get_friction(const cord_world *world,
                                                  cord_constraint constraint, double force[3],
                                                  double torque[3], double *power);
/* g − drive now, rows numbers; `rows` may be NULL. */
CORD_API cord_status cord_constraint_get_residual(const cord_world *world,
                                                  cord_constraint constraint, int *rows, double *g);

/* Drive it by hand: from now on g = value + rate (t − now), in place of any drive before. `rate` may be
 * NULL: it stays there. */
CORD_API cord_status cord_constraint_set_drive(cord_world *world, cord_constraint constraint,
                                               const double *value, const double *rate);
/* What it is driven to now, rows numbers each; either may be NULL. */
CORD_API cord_status cord_constraint_get_drive(const cord_world *world, cord_constraint constraint,
                                               double *value, double *rate);

/* Let it go, or let it take hold, now; and whether it holds. What takes hold brings velocities in line as
 * by an inelastic impact. */
CORD_API cord_status cord_constraint_set_attached(cord_world *world, cord_constraint constraint,
                                                  bool attached);
CORD_API cord_status cord_constraint_get_attached(const cord_world *world,
                                                  cord_constraint constraint, bool *attached);

/* Clamp a strand at s where it is now: a world point there, coincide and align to it. Any of the
 * outputs may be NULL. Move the clamp with cord_point_set_pose(), or script it: `script` gives motion
 * and rotation (its other fields are ignored) and may be NULL. */
CORD_API cord_status cord_world_clamp_strand(cord_world *world, cord_strand strand, double s,
                                             const cord_point_def *script, cord_point *clamp,
                                             cord_constraint *coincide, cord_constraint *align);

CORD_END

#endif
