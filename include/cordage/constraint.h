/* Constraints between two points: rows g = 0, g >= 0 or g <= 0.
 *
 * kind          rows  g                                                        second point
 * coincide       3    position of the first − position of the second           any
 * align          3    rotation vector from the second frame to the first       any with a frame
 * plane          1    n · (first − second): height above the plane             carries the plane
 * axis           2    the two components of (first − second) across the axis   carries the axis
 * distance       1    |first − second| − length                                any
 * parallel       2    components of a direction of the first across one of the any with a frame
 *                     second
 * perpendicular  1    a direction of the first · a direction of the second     any with a frame
 * angle          1    rotation of the first (of its first_direction, where     any with a frame
 *                     that is given) about an axis of the second
 * slide          1    coordinate of the first − ratio · coordinate of the      has a coordinate, or
 *                     second − length                                          null
 * curvature      3    curvature vector of the first − of the second −          on a chain, or null
 *                     `curvature`
 *
 * Joints of bodies: a ball joint is coincide; a weld is coincide and align; a revolute joint is
 * coincide and parallel; a cylindrical joint is axis and parallel; a prismatic joint is axis and
 * align; a universal joint is coincide and perpendicular. An `angle` (or a `plane` across the axis) is
 * a motor when driven, a spring when compliant, a limit when one-sided. Gears, racks and screws are
 * `slide` with a ratio between two points that have coordinates (point.h).
 *
 * `direction` (the normal of a plane, an axis) is fixed in the second point's frame. Each row may be
 * compliant (g + compliance · force = 0: a spring), one-sided, and driven (g = drive(t)). With a
 * `length` or a side, coincide, align, axis, parallel and curvature have a single row: the norm of
 * their g minus the length. docs/constraints.md describes all of them. */
#ifndef CORDAGE_CONSTRAINT_H
#define CORDAGE_CONSTRAINT_H

#include <cordage/point.h>

CORD_BEGIN

/* Names of the constraint kinds; see the table above. */
#define CORD_COINCIDE "coincide"
#define CORD_ALIGN "align"
#define CORD_PLANE "plane"
#define CORD_AXIS "axis"
#define CORD_DISTANCE "distance"
#define CORD_PARALLEL "parallel"
#define CORD_PERPENDICULAR "perpendicular"
#define CORD_ANGLE "angle" /* zero when the constraint is added; rad */
#define CORD_SLIDE "slide"
#define CORD_CURVATURE "curvature" /* rows: twist, about the first director, about the second */

/* Whether a constraint acts in both directions. */
typedef enum cord_side {
    CORD_EQUAL,    /* g = drive; the default */
    CORD_AT_LEAST, /* g >= drive; kinds of several rows need a length */
    CORD_AT_MOST,  /* g <= drive; kinds of several rows need a length */
} cord_side;

/* The definition of a constraint. Fields that do not concern its kind are ignored. */
typedef struct cord_constraint_def {
    const char *kind; /* default CORD_COINCIDE */
    const char *name; /* for messages; may be NULL (the default) */

    /* The two points, of which at least one belongs to an object that moves. */
    cord_point first;  /* required */
    cord_point second; /* null (the default): the world's origin and axes */

    /* The geometry. */
    double direction[3]; /* plane, axis, parallel, perpendicular, angle: in the second point's
                                  frame; default (0, 0, 1) */
    double
        first_direction[3]; /* parallel, perpendicular, angle: in the first point's frame; zero (the
                                  default): `direction` as it lies in that frame when the constraint is
                                  added (angle: any direction across the axis) */
    double length;          /* distance, m, and slide, m or rad; negative (the default): the value
                                  when the constraint is added. coincide and axis: radius, m; align and
                                  parallel: angle, rad; curvature: 1/m; these have a single row then */
    double ratio;           /* slide; default 1 */
    double relative_frame[9]; /* align: frame of the first in the frame of the second; zero (the
                                  default): its value when the constraint is added; identity: the two
                                  frames coincide */
    double curvature[3];      /* curvature: about the first director, the second, and twist, 1/m */

    /* The force law. */
    double compliance;  /* m/N, of angles rad/(N m); 0 (the default): exact */
    double damping;     /* of a compliant row, s: its force is −(g + damping ġ)/compliance */
    cord_side side;     /* default CORD_EQUAL */
    double friction;    /* viscous friction of the relative motion that the constraint leaves free:
                           N s/m for plane, axis, distance, align and coincide with a length; N m s for
                           coincide, parallel, perpendicular and angle; default 0 */
    double restitution; /* of one-sided exact constraints: ratio of rebound to approach velocity, 0
                           (the default): the contact persists, to 1: kinetic energy is conserved */

    /* Release and attachment, tested after every step; 0 (the default) disables a condition. The
     * constraint releases when any release condition holds. It attaches at attach_time, or when all
     * the other attach conditions that are given hold; the remaining gap closes within a tenth of a
     * second. It begins released when attach_time (unless release_time comes first) or attach_distance
     * is given. A released constraint stays released unless attach_time is still to come or `repeat`
     * is set. With `repeat` it begins released only when the points are farther apart than
     * attach_distance, and it attaches again only after the attach conditions have failed once since
     * its release, so that it does not alternate at every step. */
    double release_time;     /* s */
    double release_force;    /* of the force, N, or the torque, N m */
    double release_distance; /* of the two positions, m */
    double attach_time;      /* s */
    double attach_distance;  /* of the two positions, m */
    double attach_speed;     /* largest relative velocity of the two points, m/s */
    double attach_after;     /* time since the release, s; needs `repeat` */
    bool repeat;             /* default false */

    /* The drive, the value that g follows: keys, plus a linear function of time. */
    cord_keys drive;      /* width: the rows of the constraint, in the unit of g */
    double drive_rate[3]; /* per row, unit of g per second, from the time when it is added */
} cord_constraint_def;

/* Returns the default definition: coincide with the world's origin. The caller sets the first point. */
CORD_API cord_constraint_def cord_constraint_def_default(void);

/* Adds a constraint and writes its handle to *constraint. Returns CORD_ERROR_UNKNOWN_NAME when there is
 * no such kind; CORD_ERROR_HANDLE when a point is not valid; CORD_ERROR_ARGUMENT when a value is out
 * of range or neither point moves; CORD_ERROR_UNSUPPORTED when a point lacks the frame, curvature or
 * coordinate that the kind needs, or the kind has no such side or friction. */
CORD_API cord_status cord_world_add_constraint(cord_world *world, const cord_constraint_def *def,
                                               cord_constraint *constraint);

/* Removes a constraint. */
CORD_API cord_status cord_world_remove_constraint(cord_world *world, cord_constraint constraint);

/* Returns the names of the constraint kinds, a static array that ends with NULL. */
CORD_API const char *const *cord_constraint_names(void);

/* Properties of a constraint. The strings belong to the world. */
typedef struct cord_constraint_info {
    const char *kind;    /* name of the kind */
    const char *name;    /* NULL when the definition had none */
    cord_point first;    /* never null */
    cord_point second;   /* null: the world's origin */
    double direction[3]; /* unit vector in the second point's frame */
    double length;       /* without the drive, m (see cord_constraint_def) */
    double compliance;   /* m/N or rad/(N m) */
    double damping;      /* s */
    double friction;     /* N s/m or N m s */
    cord_side side;      /* as defined */
    double restitution;  /* as defined */
} cord_constraint_info;

/* Gets the properties of a constraint. */
CORD_API cord_status cord_constraint_get_info(const cord_world *world, cord_constraint constraint,
                                              cord_constraint_info *info);

/* Gets the force, N, and torque, N m, of the constraint on its first point, in world axes, without
 * friction. Either may be NULL. Returns CORD_ERROR_UNSUPPORTED as cord_world_step() does. */
CORD_API cord_status cord_constraint_get_force(const cord_world *world, cord_constraint constraint,
                                               double force[3], double torque[3]);

/* Gets the force, N, and torque, N m, of the constraint's friction on its first point, in world axes,
 * and the power that it dissipates, W. Each may be NULL. Returns CORD_ERROR_UNSUPPORTED as
 * cord_world_step() does. */
CORD_API cord_status cord_constraint_get_friction(const cord_world *world,
                                                  cord_constraint constraint, double force[3],
                                                  double torque[3], double *power);

/* Gets the number of rows of a constraint, 1 to 3, and its residual g − drive, one value per row in the
 * unit of g. Either may be NULL. */
CORD_API cord_status cord_constraint_get_residual(const cord_world *world,
                                                  cord_constraint constraint, int *rows, double *g);

/* Sets the drive of a constraint to value + rate · (t − now), one value per row in the unit of g, and
 * discards its keys. `rate` may be NULL: 0. */
CORD_API cord_status cord_constraint_set_drive(cord_world *world, cord_constraint constraint,
                                               const double *value, const double *rate);

/* Gets the present value and rate of a constraint's drive, one value per row. Either may be NULL. */
CORD_API cord_status cord_constraint_get_drive(const cord_world *world, cord_constraint constraint,
                                               double *value, double *rate);

/* Releases or attaches a constraint now. A constraint that attaches changes velocities as an inelastic
 * impact does. */
CORD_API cord_status cord_constraint_set_attached(cord_world *world, cord_constraint constraint,
                                                  bool attached);

/* Gets whether a constraint is attached, which means that it is not released. */
CORD_API cord_status cord_constraint_get_attached(const cord_world *world,
                                                  cord_constraint constraint, bool *attached);

/* Clamps a strand at material coordinate s, m, in its present pose: adds a point on the strand, a world
 * point in the same pose, and the constraints coincide and align between them. `script` gives `motion`
 * and `rotation` of the world point (its other fields are ignored) and may be NULL: the clamp does not
 * move. The outputs are the world point, which cord_point_set_pose() moves, and the constraints; each
 * may be NULL. Returns the errors of cord_world_add_point() and cord_world_add_constraint(), and adds
 * nothing then. */
CORD_API cord_status cord_world_clamp_strand(cord_world *world, cord_strand strand, double s,
                                             const cord_point_def *script, cord_point *clamp,
                                             cord_constraint *coincide, cord_constraint *align);

CORD_END

#endif
