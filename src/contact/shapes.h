/* Obstacles: shapes by their signed distance. Each kind is one table and one row of cord__obstacle_shapes. */
#ifndef CORDAGE_CONTACT_SHAPES_H
#define CORDAGE_CONTACT_SHAPES_H

#include "contact/contact.h"
#include "math/memory.h"

typedef struct obstacle_shape obstacle_shape;

typedef struct shape_ops {
    const char *name;
    bool convex;
    /* Signed distance of x, positive outside, and the outward unit normal: the gradient of the distance, and one of its
     * limits where it has none. All in the frame of the shape. */
    double (*distance)(const obstacle_shape *shape, const double x[3], double normal[3]);
    void (*bounds)(const obstacle_shape *shape, double low[3],
                   double high[3]); /* may be infinite */
    const struct solid_ops *solid;  /* of a convex solid (convex.h); NULL: another shape */
} shape_ops;

/* Heights z over a rectangle with its first corner at (0, 0); solid below. C¹, by cubic interpolation; constant beyond its
 * borders. */
typedef struct height_field {
    int count[2]; /* nodes along x and y, at least 2 */
    double spacing;
    const double *height; /* count[0] × count[1], x runs first */
} height_field;

/* Signed distances at the nodes of a box with its first corner at (0, 0, 0). C¹, by cubic interpolation. The surface must be
 * farther from the border of the box than contacts are searched for. */
typedef struct distance_grid {
    int count[3];
    double spacing;
    const double *distance; /* x runs first, z last */
} distance_grid;

typedef struct triangle_mesh triangle_mesh; /* mesh.h */

struct obstacle_shape {
    const shape_ops *ops;
    double radius;      /* sphere, capsule, cylinder */
    double half_length; /* capsule (of its axis), cylinder: along z */
    double half[3];     /* box */
    height_field field;
    distance_grid grid;
    const triangle_mesh *mesh;
};

/* The plane z = 0, solid below. */
extern const shape_ops cord__plane_shape, cord__sphere_shape, cord__capsule_shape,
    cord__cylinder_shape, cord__box_shape, cord__height_field_shape, cord__mesh_shape,
    cord__distance_grid_shape;

extern const shape_ops *const cord__obstacle_shapes[]; /* NULL at the end */
const shape_ops *cord__find_obstacle_shape(const char *name);

typedef struct obstacle {
    obstacle_shape shape;
    double x[3], R[9];      /* the pose of its frame: world = R y + x */
    uint32_t group, mask;   /* as of contact_curve */
    double low[3], high[3]; /* bounds of the shape in its frame, by cord__obstacle_bounds() */
} obstacle;

/* Sets the bounds; again after a change of the shape, not of the pose. */
void cord__obstacle_bounds(obstacle *o);

/* Signed distance and outward normal at a point of the world. */
double cord__obstacle_distance(const obstacle *o, const double x[3], double normal[3]);

/* Whether the gap of a segment is above the margin, by the bounds and by the distance of its middle; false: it may be less. */
bool cord__far_from_obstacle(const contact_segment *g, const obstacle *o, double margin);

/* The contacts of a segment with an obstacle with gaps up to the margin, at most PAIR_CONTACTS: at the least gap, and at the
 * ends of the segment where the gap is flat towards them. */
int cord__obstacle_contacts(const contact_curve *curves, const contact_segment *segments, int index,
                            const obstacle *obstacles, int which, double margin, contact *out);
/* Contacts at both ends of the segment instead, up to two. */
int cord__obstacle_ends(const contact_curve *curves, const contact_segment *segments, int index,
                        const obstacle *obstacles, int which, double margin, contact *out);

#endif
