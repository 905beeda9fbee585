/* Convex solids: support functions, features, the axis of two of them, and their contacts along it. */
#ifndef CORDAGE_CONTACT_CONVEX_H
#define CORDAGE_CONTACT_CONVEX_H

#include "contact/shapes.h"

#define FEATURE_CORNERS 8
#define SOLID_SAMPLES 26

/* A vertex, an edge or a face, counterclockwise seen from outside. The rim of a cap is a face with corners on the rim. */
typedef struct solid_feature {
    int count;
    double x[FEATURE_CORNERS][3];
} solid_feature;

/* Points inside the surface by `radius`, and their numbers, below 16. */
typedef struct solid_samples {
    int count, number[SOLID_SAMPLES];
    double x[SOLID_SAMPLES][3], radius;
} solid_samples;

/* All in the frame of the shape, which is symmetric about its origin; n is a unit vector. */
struct solid_ops {
    double (*extent)(const obstacle_shape *shape, const double n[3]); /* h(n) = max n·x */
    void (*support)(const obstacle_shape *shape, const double n[3], double x[3]); /* its point */
    void (*feature)(const obstacle_shape *shape, const double n[3], solid_feature *f);
    /* Points that may be the lowest along n, or all over the surface (n = NULL). */
    void (*samples)(const obstacle_shape *shape, const double *n, solid_samples *s);
    bool round; /* the shape is a segment along z, enlarged by its radius */
};

extern const struct solid_ops cord__sphere_convex, cord__capsule_convex, cord__cylinder_convex,
    cord__box_convex;

/* A contact before it has a key. The normal points from the second to the first. */
typedef struct solid_point {
    double x[2][3], normal[3], gap;
    int number; /* below 16 */
} solid_point;

/* ---- in the world (convex.c) ----------------------------------------------------------------- */

void cord__solid_support(const obstacle *o, const double n[3], double x[3]);
void cord__solid_feature(const obstacle *o, const double n[3], solid_feature *f);
double cord__solid_size(const obstacle *o); /* half of its least width */
/* The first axis of its frame that is the direction of edges and the normal of faces; all later ones are: three of a box, that
 * of a cylinder. */
int cord__first_direction(const obstacle *o);

/* The gap along n, n·(c₁ − c₂) − h₁(n) − h₂(n), at most the distance; where the solids overlap, −gap is the translation along n
 * that separates them. */
double cord__gap_along(const obstacle *a, const obstacle *b, const double n[3]);

/* ---- distance (gjk.c) ------------------------------------------------------------------------ */

/* The closest points of a, moved by `shift`, and b; v = x₁ + shift − x₂. False where they overlap
 * [Gilbert, Johnson, Keerthi 1988]. */
bool cord__solid_distance(const obstacle *a, const obstacle *b, const double shift[3], double v[3],
                          double x[2][3]);

/* ---- axis (convex_axis.c) -------------------------------------------------------------------- */

/* The normal of the largest gap, the gap, and the points where `located`. False: the gap exceeds the margin. */
bool cord__convex_axis(const obstacle *a, const obstacle *b, double margin, solid_point *axis,
                       bool *located);
/* The points of a normal that is a local maximum of the gap. */
void cord__locate(const obstacle *a, const obstacle *b, solid_point *axis);

/* Improves the normal of two boxes or cylinders (axis_newton.c). */
void cord__refine_axis(const obstacle *a, const obstacle *b, solid_point *axis);

/* ---- contacts (solid_manifold.c, solid_points.c) --------------------------------------------- */

/* At most SOLID_CONTACTS, with gaps up to the margin. */
int cord__convex_contacts(const obstacle *a, const obstacle *b, double margin, solid_point *out);
int cord__sampled_contacts(const obstacle *a, const obstacle *b, double margin, solid_point *out);

/* A direction that is fixed to the obstacle, not near n. */
const double *cord__solid_direction(const obstacle *o, const double n[3]);

#endif
