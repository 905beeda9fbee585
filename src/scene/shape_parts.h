/* Functions that the files of shapes share. */
#ifndef CORDAGE_SCENE_SHAPE_PARTS_H
#define CORDAGE_SCENE_SHAPE_PARTS_H

#include "scene/shapes.h"

extern const mapping cord__refine_map;

/* `otherwise`: the behaviour without "vertices". */
#define BASE_FIELDS(otherwise)                                                                     \
    {"vertices",     FIELD_INTEGER, offsetof(shape_base, vertices),                                \
     false,          NULL,          "",                                                            \
     LIMIT_VERTICES, NULL,          "how many vertices the strand gets; " otherwise},              \
    {                                                                                              \
        "refine", FIELD_MAP, offsetof(shape_base, refine), false, NULL, NULL, LIMIT_NONE,          \
            &cord__refine_map, "a part with a finer mesh"                                          \
    }

#define VERTICES_NEEDED "needed, except by chains: they get 16 per element, and one"
#define VERTICES_GIVEN "default: the points; chains get 16 per element, and one"

/* A point of a curve, u in [0, 1]. */
typedef void (*curve)(const void *shape, double u, double *x);

/* Fractions of the length at the ends of `edges` edges: edges + 1 values. */
void cord__spread(const refinement *fine, int edges, double *u);

/* Vertices at equal lengths along a curve with any parametrisation. */
bool cord__trace_by_length(reader *r, const void *shape, bool closed, curve at, polyline *line);

/* Vertices at equal lengths along given points; the points themselves without `vertices`. */
bool cord__trace_points(reader *r, const shape_base *base, const polyline *given, polyline *line);

/* Matrix columns: from the axis to the start of the curve, its initial direction, the axis. */
typedef struct axes {
    double start[3], side[3], axis[3];
} axes;

/* False after a diagnostic when they do not span a plane. */
bool cord__set_axes(reader *r, const node *at, const double *axis, const double *start, axes *a);

/* Ten vertices along a text of that format; for tests. */
typedef enum file_format { FILE_CSV, FILE_OBJ, FILE_SVG } file_format;
bool cord__trace_text(reader *r, file_format format, const char *text, polyline *line);

/* All lines of a CSV, OBJ or SVG file (by the extension of its name; any other is CSV), scaled by `scale`. A drawing
 * is upright: up on the page becomes z. False after a diagnostic. */
bool cord__read_lines(arena *memory_of, diagnostics *errors, const char *path, double scale,
                      polyline **lines, int *count);

extern const shape_ops cord__spline_shape, cord__torus_knot_shape, cord__figure_eight_shape,
    cord__figure_eight_knot_shape, cord__clothoid_shape, cord__csv_shape, cord__obj_shape,
    cord__svg_shape;

#endif
