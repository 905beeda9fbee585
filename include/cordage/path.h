/* Paths: smooth curves, fixed in the world or in a body, along which points slide (CORD_SOURCE_PATH)
 * and cables run. A path has no mass. */
#ifndef CORDAGE_PATH_H
#define CORDAGE_PATH_H

#include <cordage/world.h>
#include <stdbool.h>

CORD_BEGIN

/* The definition of a path: a cubic spline through points, with continuous curvature. Its coordinate
 * is the arc length, 0 at the first point. An open path has zero curvature at its ends (natural
 * spline). A closed path continues from the last point to the first, which is not repeated, and its
 * coordinate counts whole rounds. */
typedef struct cord_path_def {
    const char *name;     /* for messages; may be NULL (the default) */
    int point_count;      /* at least 2, closed 3 */
    const double *points; /* 3 × point_count, m, in world axes or those of `body`; required;
                             consecutive points must differ */
    bool closed;          /* default false */
    cord_body body;       /* the body that carries the path; null (the default): the world */
} cord_path_def;

/* Properties of a path. */
typedef struct cord_path_info {
    const char *name; /* belongs to the world; NULL when the definition had none */
    cord_body body;   /* null: fixed in the world */
    double length;    /* m */
    bool closed;      /* continues from the last point to the first */
} cord_path_info;

/* Returns the default definition: an open path in the world. The caller sets the points. */
CORD_API cord_path_def cord_path_def_default(void);

/* Adds a path and writes its handle to *path. */
CORD_API cord_status cord_world_add_path(cord_world *world, const cord_path_def *def,
                                         cord_path *path);

/* Removes a path with the points and cables on it. Removing a body removes its paths. */
CORD_API cord_status cord_world_remove_path(cord_world *world, cord_path path);

/* Gets the properties of a path. */
CORD_API cord_status cord_path_get_info(const cord_world *world, cord_path path,
                                        cord_path_info *info);

/* Gets the position, m, and the unit tangent of a path at arc length s, m. `local` selects the axes of
 * the definition, else the result is in world axes at the present time. `tangent` may be NULL. An open
 * path continues straight beyond its ends. */
CORD_API cord_status cord_path_get_position(const cord_world *world, cord_path path, double s,
                                            bool local, double position[3], double tangent[3]);

CORD_END

#endif
