/* Shapes: a curve described in a scene, made into a polyline. One table and one function each;
 * the list at the end of shapes.c is the only place that enumerates them. */
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

/* The members that every shape's struct begins with. */
typedef struct shape_base {
    const node *at;
    int vertices; /* 0: not said */
    refinement *refine;
} shape_base;

typedef struct shape_ops {
    mapping map; /* first, so that a variant's kind is the shape */
    bool (*trace)(reader *r, const void *shape, polyline *line);
    bool points; /* it has vertices of its own: `vertices` may be left out */
} shape_ops;

extern const variant_set cord__shapes;

/* Room for so many more; diagnoses when there is none. */
bool cord__count_vertices(reader *r, const node *at, int64_t count);

/* Complains about zero-length edges and numbers that are not finite. */
bool cord__trace_shape(reader *r, const variant *shape, polyline *line);

/* ---- on polylines ------------------------------------------------------------------------- */

int cord__edge_count(const polyline *line);
double cord__edge_length(const polyline *line, int edge);
double cord__polyline_length(const polyline *line);

/* Give each edge of an open polyline the length it has in `natural`, keeping first vertex and
 * directions. */
void cord__take_lengths(polyline *line, const polyline *natural);

/* One angle per edge: by how much a frame that keeps its angle with the curve's binormal turns
 * against the twist-free frame, from the first edge on. On a helix it grows linearly. */
void cord__frenet_angles(const polyline *line, double *theta);

#endif
