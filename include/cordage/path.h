/* Paths: smooth curves, fixed in the world or in a body, along which points run (CORD_SOURCE_PATH). A path
 * has no mass; what is held to a point on it follows it. */
#ifndef CORDAGE_PATH_H
#define CORDAGE_PATH_H

#include <cordage/world.h>
#include <stdbool.h>

CORD_BEGIN

/* A cubic spline through points, with continuous curvature. Its coordinate is arc length, from 0 at the
 * first point. An open one is straight at its ends (natural); a closed one goes on from the last point
 * to the first, which is not repeated, and its coordinate counts rounds. */
typedef struct cord_path_def {
    const char *name;     /* for messages; copied; may be NULL */
    int point_count;      /* at least 2, closed 3; no two in a row the same */
    const double *points; /* 3 × count, m; in the body's own axes where there is one */
    bool closed;
    cord_body body; /* null (the default): the world */
} cord_path_def;

typedef struct cord_path_info {
    const char *name; /* may be NULL */
    cord_body body;   /* null: in the world */
    double length;    /* m */
    bool closed;
} cord_path_info;

CORD_API cord_path_def cord_path_def_default(void);
CORD_API cord_status cord_world_add_path(cord_world *world, const cord_path_def *def,
                                         cord_path *path);
/* With the points on it; a body that goes takes its paths with it. */
CORD_API cord_status cord_world_remove_path(cord_world *world, cord_path path);

CORD_API cord_status cord_path_get_info(const cord_world *world, cord_path path,
                                        cord_path_info *info);
/* Place and unit tangent at coordinate s, in the world's axes now, or with `own` in those in which it was
 * given; `tangent` may be NULL. Beyond the ends of an open one it goes on straight. */
CORD_API cord_status cord_path_get_position(const cord_world *world, cord_path path, double s,
                                            bool local, double position[3], double tangent[3]);

CORD_END

#endif
