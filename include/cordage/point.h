/* Points: everything that can be grabbed. A point has a place and, where its source gives one, a
 * frame; constraints and loads attach to points and know nothing about what carries them. */
#ifndef CORDAGE_POINT_H
#define CORDAGE_POINT_H

#include <cordage/path.h>
#include <cordage/strand.h>

CORD_BEGIN

typedef enum cord_source {
    CORD_SOURCE_WORLD,     /* a place in the world, still or scripted by keyframes */
    CORD_SOURCE_STRAND,    /* a strand at a material coordinate */
    CORD_SOURCE_BODY,      /* a place and a frame fixed in a body */
    CORD_SOURCE_SLIDING,   /* a strand at a material coordinate that is free to change */
    CORD_SOURCE_REVOLUTE,  /* a coordinate: how far one point has turned about an axis of another */
    CORD_SOURCE_PRISMATIC, /* a coordinate: how far one point is from another along such an axis */
    CORD_SOURCE_PATH,      /* a path at a coordinate that is free to change */
    CORD_SOURCE_FLYWHEEL, /* a coordinate of its own with inertia: a wheel of which only the turn counts */
} cord_source;

typedef enum cord_ease {
    CORD_EASE_LINEAR, /* straight between keys */
    CORD_EASE_SMOOTH, /* starts and stops at rest at every key (quintic) */
} cord_ease;

/* What becomes of a sliding point at an end of its strand or path. */
typedef enum cord_end {
    CORD_END_STOP,    /* it goes no further, as a ring on a rope with a knot */
    CORD_END_RELEASE, /* it slips off: after that step, constraints and loads on it do nothing */
} cord_end;

/* A function of time through keys; constant before the first and after the last. */
typedef struct cord_keys {
    int count;            /* 0: identically zero */
    const double *times;  /* ascending, s */
    const double *values; /* count × width, where width is said by the user of the keys */
    cord_ease ease;
} cord_keys;

typedef struct cord_point_def {
    cord_source source;

    /* CORD_SOURCE_WORLD, and in the body's own axes CORD_SOURCE_BODY */
    double position[3]; /* m */
    double frame[9];    /* tangent, first director, second director; default: the identity */
    cord_body body;     /* CORD_SOURCE_BODY */
    /* CORD_SOURCE_WORLD */
    cord_keys motion;   /* width 3: displacement added to `position`, m */
    cord_keys rotation; /* width 3: rotation vector (axis times angle, whole turns included) applied
                           to `frame` about the point itself, rad */

    /* CORD_SOURCE_STRAND, CORD_SOURCE_SLIDING, CORD_SOURCE_PATH (of the last two: where it begins) */
    cord_strand strand;
    cord_path path;
    double s;     /* material coordinate, m, from 0 to the natural length; of a path arc length */
    cord_end end; /* of what slides, where there are ends; default: it stops */
    double restitution; /* where it stops: what that leaves of its rate, 0 (the default) to 1 */

    /* CORD_SOURCE_REVOLUTE, CORD_SOURCE_PRISMATIC. Its place and frame are those of `of`. A turn is counted from
     * where it is when added, whole rounds included. */
    cord_point measured, reference; /* `against` null: the world's origin and axes */
    double direction[3];            /* the axis, in the frame of `against`; default (0, 0, 1) */

    /* Against change of the coordinate: N s/m, or N m s of a turn */
    double friction;
    /* CORD_SOURCE_FLYWHEEL: above 0; added to a turn or a travel; kg m², or kg. CORD_SOURCE_SLIDING,
     * CORD_SOURCE_PATH: the point is a pearl, a mass in its place, kg, that takes the strand along and is
     * taken along by it. What slips off is gone. Not with the semi-implicit schemes. */
    double inertia;
    double initial_rate; /* of a pearl: how fast its coordinate changes at first, m/s */
} cord_point_def;

CORD_API cord_point_def cord_point_def_default(void);
CORD_API cord_status cord_world_add_point(cord_world *world, const cord_point_def *def,
                                          cord_point *point);
/* Also removes its constraints and loads, and cables of which it is the spin of a wheel. */
CORD_API cord_status cord_world_remove_point(cord_world *world, cord_point point);

/* Place now; `frame` (9 numbers as above) may be NULL. On a path, and on a
 * cable but where one with twist is anchored, the frame's first axis is the tangent, and the other two have no meaning
 * of their own. */
CORD_API cord_status cord_point_get_pose(const cord_world *world, cord_point point,
                                         double position[3], double frame[9]);
CORD_API cord_status cord_point_get_velocity(const cord_world *world, cord_point point,
                                             double velocity[3]);

/* Where a sliding point is on its strand or path, or what a turn or a travel is (m or rad); and how fast that
 * changes; `rate` may be NULL. On a closed one whole rounds are counted. A point that does not slide is
 * where it was put. Without a constraint
 * (or, with friction, a load) to move it, a sliding point stays where it is on its strand. */
CORD_API cord_status cord_point_get_coordinate(const cord_world *world, cord_point point, double *s,
                                               double *rate);
/* Whether it has slipped off its strand (CORD_END_RELEASE). It stays at the end, and can be removed. */
CORD_API cord_status cord_point_get_released(const cord_world *world, cord_point point,
                                             bool *released);

/* Move a world point by hand: from the next step on it is there. Its keyframes, if any, are
 * dropped. `frame` may be NULL: unchanged. Turns by less than half a turn per step. */
CORD_API cord_status cord_point_set_pose(cord_world *world, cord_point point,
                                         const double position[3], const double frame[9]);

CORD_END

#endif
