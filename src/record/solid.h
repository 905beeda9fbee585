/* Solids as triangles, for pictures and for exporters. */
#ifndef CORDAGE_RECORD_SOLID_H
#define CORDAGE_RECORD_SOLID_H

#include "math/memory.h"

#include <cordage/body.h>

typedef struct solid_mesh {
    int vertex_count, triangle_count;
    double *vertices,
        *normals;   /* 3 × vertex_count; vertices on sharp edges are there more than once */
    int *triangles; /* 3 × triangle_count, anticlockwise seen from outside */
} solid_mesh;

/* By which edges are rounded in pictures, over the largest distance from the origin. */
#define CORD__BEVEL 0.03
enum { PLANE_SQUARES = 16 }; /* of a plane, along each side */

/* `sides` to a full revolution, `bevel` (m) by which edges of boxes and cylinders are rounded; 0: sharp. A
 * shape of no kind has no triangles. CORD_ERROR_MEMORY otherwise; free in either case. */
cord_status cord__solid_mesh(memory *mem, const cord_shape *shape, int sides, double bevel,
                             solid_mesh *out);
void cord__solid_free(memory *mem, solid_mesh *mesh);

/* The largest distance from the origin of its axes; 0 without a shape. */
double cord__solid_reach(const cord_shape *shape);

#endif
