/* Points, on which constraints and loads act. A point has a position and, where its source has
 * one, a frame; constraints and loads do not depend on the kind of object that a point belongs to. A
 * point may have a coordinate that is a degree of freedom of its own: it slides, or it measures. */
#ifndef CORDAGE_POINT_H
#define CORDAGE_POINT_H

#include <cordage/path.h>
#include <cordage/strand.h>

CORD_BEGIN

/* The object that a point belongs to, and the meaning of its coordinate. */
typedef enum cord_source {
    CORD_SOURCE_WORLD,     /* a position and a frame in the world, fixed or scripted by keys */
    CORD_SOURCE_STRAND,    /* a strand at a fixed material coordinate */
    CORD_SOURCE_BODY,      /* a position and a frame fixed in a body */
    CORD_SOURCE_SLIDING,   /* a strand at a material coordinate that is free to change, m */
    CORD_SOURCE_REVOLUTE,  /* the coordinate is an angle between two points about an axis, rad */
    CORD_SOURCE_PRISMATIC, /* the coordinate is a distance between two points along an axis, m */
    CORD_SOURCE_PATH,      /* a path at an arc length that is free to change, m */
    /* The coordinate is the rotation of a flywheel, rad, relative to the body that carries its bearing;
     * its position and frame serve pictures only. */
    CORD_SOURCE_FLYWHEEL,
} cord_source;

/* The behaviour of a sliding point at an end of its strand or path. */
typedef enum cord_end {
    CORD_END_STOP,    /* an end stop keeps it on the strand; the default */
    CORD_END_RELEASE, /* it leaves the strand; constraints and loads on it have no effect afterwards */
} cord_end;

/* The definition of a point. Fields that do not concern its source are ignored. */
typedef struct cord_point_def {
    cord_source source; /* default CORD_SOURCE_WORLD */

    /* CORD_SOURCE_WORLD and CORD_SOURCE_FLYWHEEL, in world axes; CORD_SOURCE_BODY, in body axes. */
    double position[3]; /* m */
    double frame[9];    /* orthonormalised; default: the identity */
    cord_body body;     /* CORD_SOURCE_BODY: required */
    /* CORD_SOURCE_WORLD: the script. */
    cord_keys motion; /* width 3: displacement added to `position`, m */
    /* Width 3: rotation vector (axis times angle, whole turns included) that rotates `frame` about
     * the point, rad. */
    cord_keys rotation;

    /* CORD_SOURCE_STRAND, CORD_SOURCE_SLIDING and CORD_SOURCE_PATH. */
    cord_strand strand; /* of the first two: required */
    cord_path path;     /* of the last: required */
    /* Material coordinate, 0 to the natural length, or arc length of a path, m; of a sliding point
     * the initial value. */
    double s;
    cord_end end; /* of a sliding point on an open strand or path; default CORD_END_STOP */
    /* Of the end stop: ratio of rebound to approach velocity, 0 to 1; default 0. */
    double restitution;

    /* CORD_SOURCE_REVOLUTE and CORD_SOURCE_PRISMATIC. The point has the position and frame of
     * `measured`. The angle of a revolute coordinate is zero when the point is added, and counts whole
     * turns. Neither point may slide. */
    cord_point measured; /* a point of a strand or body: required */
    /* The point that carries the axis; null (the default): the world's origin. */
    cord_point reference;
    double direction[3]; /* the axis, in the frame of `reference`; default (0, 0, 1) */
    /* CORD_SOURCE_FLYWHEEL: `reference` carries its bearing, about the third axis of its frame. Null (the
     * default), or a point that is not on a body: the bearing does not rotate. On a body the flywheel has the kinetic energy I ω²/2 with ω =
     * φ' + n·Ω, n being the axis and Ω the angular velocity of the body; motors and friction act between it
     * and the body. Its mass, and its inertia about other axes than n, belong to the body. It is removed with
     * its bearing. */

    /* Points with a coordinate. */
    double friction; /* viscous friction of the coordinate, N s/m (rotation: N m s) */
    /* CORD_SOURCE_FLYWHEEL: kg m², above 0. CORD_SOURCE_REVOLUTE: added inertia, kg m².
     * CORD_SOURCE_PRISMATIC: added mass, kg. CORD_SOURCE_SLIDING and CORD_SOURCE_PATH: a point
     * mass (a pearl) at the point, kg; it is lost when the point leaves the strand, and the
     * semi-implicit schemes do not support it. */
    double inertia;
    double initial_rate; /* of a pearl: initial rate of its coordinate, m/s */
} cord_point_def;

/* Returns the default definition: a point at the origin of the world. */
CORD_API cord_point_def cord_point_def_default(void);

/* Adds a point and writes its handle to *point. Returns CORD_ERROR_HANDLE when the strand, body, path
 * or point of the definition is not valid, and CORD_ERROR_UNSUPPORTED when points cannot slide on the
 * strand, or when a point to be measured slides. */
CORD_API cord_status cord_world_add_point(cord_world *world, const cord_point_def *def,
                                          cord_point *point);

/* Removes a point, its constraints and loads, and the cables that use it as the rotation of a
 * pulley. */
CORD_API cord_status cord_world_remove_point(cord_world *world, cord_point point);

/* Gets the position of a point, m, and its frame. `frame` may be NULL. Of a point on a path, and of a
 * point on a cable except at an anchored end of a cable with twist, only the first axis of the frame
 * has a meaning: the tangent. Returns CORD_ERROR_UNSUPPORTED when the frame is requested and the
 * strand has none. */
CORD_API cord_status cord_point_get_pose(const cord_world *world, cord_point point,
                                         double position[3], double frame[9]);

/* Gets the velocity of a point, m/s. */
CORD_API cord_status cord_point_get_velocity(const cord_world *world, cord_point point,
                                             double velocity[3]);

/* Gets the coordinate of a point, m or rad, and its rate, 1/s of that. `rate` may be NULL. On a closed
 * strand or path the coordinate counts whole rounds. A point without a coordinate of its own gives the
 * `s` of its definition and the rate 0. A sliding point without inertia rests on its strand until a
 * constraint or, with friction, a load moves it. */
CORD_API cord_status cord_point_get_coordinate(const cord_world *world, cord_point point, double *s,
                                               double *rate);

/* Gets whether a sliding point has left its strand or path (CORD_END_RELEASE). It stays at the end,
 * and can be removed. */
CORD_API cord_status cord_point_get_released(const cord_world *world, cord_point point,
                                             bool *released);

/* Sets the pose of a CORD_SOURCE_WORLD point from the next step on, and discards its keys. `position`
 * in m; either of `position` and `frame` may be NULL: unchanged. The rotation must be less than half
 * a turn per step. Returns CORD_ERROR_ARGUMENT for points of other sources. */
CORD_API cord_status cord_point_set_pose(cord_world *world, cord_point point,
                                         const double position[3], const double frame[9]);

/* Like cord_point_set_pose(), but the point moves to the pose within the next step, at constant velocity. Rigid constraints
 * follow this where a jump would need forces beyond all bounds; in a search for an equilibrium the point is there at once. */
CORD_API cord_status cord_point_move(cord_world *world, cord_point point, const double position[3],
                                     const double frame[9]);

CORD_END

#endif
