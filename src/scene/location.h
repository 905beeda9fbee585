/* The notation of a point in scenes: rope@start, rope@end, rope@40%, rope@0.12 m, a named point, a body (its
 * origin), {body: bob, at: [x, y, z]}, or [x, y, z]. Probes also name whole strands, bodies, constraints and clamps
 * this way, and waypoints of cables: hoist@sheave, hoist@waypoint 2. */
#ifndef CORDAGE_SCENE_LOCATION_H
#define CORDAGE_SCENE_LOCATION_H

#include "scene/fields.h"

typedef enum location_kind {
    LOCATION_NONE, /* not specified */
    LOCATION_WORLD,
    LOCATION_STRAND_FRACTION,
    LOCATION_STRAND_LENGTH,
    LOCATION_NAME,
    LOCATION_BODY,
    LOCATION_WAYPOINT, /* of the route of a cable */
} location_kind;

typedef struct location {
    const node *at;
    location_kind kind;
    const char *name;     /* of the strand, point or body */
    double x[3];          /* LOCATION_WORLD, LOCATION_BODY: in its axes; m */
    double frame[9];      /* LOCATION_BODY, in its axes */
    double along;         /* fraction, or m; LOCATION_WAYPOINT: its index, -1: by its name */
    const char *waypoint; /* LOCATION_WAYPOINT: the name of the object there; NULL: by its index */
} location;

extern const special cord__location_special;

#endif
