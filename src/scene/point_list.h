/* A list of points that is filled from a file. */
#ifndef CORDAGE_SCENE_POINT_LIST_H
#define CORDAGE_SCENE_POINT_LIST_H

#include "scene/arena.h"

enum { POINT_LIST_MAX = 1000000 };

typedef struct point_list {
    arena *memory;
    int count, capacity;
    double *x; /* 3 × count */
} point_list;

/* False when memory is exhausted, or there would be more than POINT_LIST_MAX. */
bool cord__point_add(point_list *list, double x, double y, double z);

/* Converts an SVG path, "M 0 0 C ...", to points on it: curves become chords. Appends to `list` and returns whether
 * it is closed; false with a message in `error`. Every command of SVG is supported, in upper and lower case; a
 * second subpath ("M" again) is an error. */
bool cord__svg_path(const char *d, size_t length, point_list *list, bool *closed, char *error,
                    size_t error_size);

#endif
