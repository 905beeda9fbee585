/* Shapes: curves of a scene, sampled as polylines. One table and one function each; only the list at the end of
 * shapes.c enumerates them. */
#ifndef CORDAGE_SCENE_SHAPES_H
#define CORDAGE_SCENE_SHAPES_H

#include "scene/fields.h"

enum { SCENE_MAX_VERTICES = 4000000 }; /* of all shapes together */

typedef struct polyline {
    int count; /* vertices */
    bool closed;
    double *x; /* 3 × count */
} polyline;

/* Part of a strand with a finer mesh. */
typedef struct refinement {
    const node *at;
    double from, to; /* fractions of the length */
    double factor;   /* edges there are this many times shorter */
} refinement;

/* The members at the start of the struct of every shape. */
typedef struct shape_base {
    const node *at;
    int vertices; /* 0: not specified */
    refinement *refine;
} shape_base;

typedef struct shape_ops {
    mapping map; /* first, so that a variant's kind is the shape */
    bool (*trace)(reader *r, const void *shape, polyline *line);
    bool points; /* it defines its vertices: `vertices` is optional */
} shape_ops;

extern const variant_set cord__shapes;

/* Reserves a number of vertices; diagnoses when the limit is exceeded. */
bool cord__count_vertices(reader *r, const node *at, int64_t count);

/* Diagnoses edges of zero length and values that are not finite. */
bool cord__trace_shape(reader *r, const variant *shape, polyline *line);

/* ---- on polylines ------------------------------------------------------------------------- */

int cord__edge_count(const polyline *line);
double cord__edge_length(const polyline *line, int edge);
double cord__polyline_length(const polyline *line);

/* Sets the length of each edge of an open polyline to that in `natural`, keeping the first vertex and directions. */
void cord__take_lengths(polyline *line, const polyline *natural);

/* One angle per edge: the rotation of a frame with a constant angle to the binormal of the curve relative to the
 * twist-free frame, from the first edge on. On a helix it grows linearly. */
void cord__frenet_angles(const polyline *line, double *theta);

#endif
