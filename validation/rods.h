/* Rods for checks and benchmarks: one strand in a world. */
#ifndef CORDAGE_VALIDATION_RODS_H
#define CORDAGE_VALIDATION_RODS_H

#include <cordage/cordage.h>

typedef struct rod_plan {
    cord_world_def world;
    cord_strand_def strand; /* everything except positions, vertex count and closure */
    int edges;
    double length;
    const double *edge_lengths; /* edges; NULL: all equal */
    double start[3];            /* open rods: straight from here … */
    double direction[3];        /* … along this unit vector */
    const double *shape;        /* open rods: 3 × (edges + 1), natural as well; NULL: straight */
    bool ring;                  /* closed: a regular polygon about z, naturally straight */
} rod_plan;

typedef struct rod {
    cord_world *world;
    cord_strand strand;
    int edges, vertices;
    double length;
    double *x; /* 3 × vertices: positions at the last rod_read() */
} rod;

/* A unit rod: straight along x, naturally straight, no gravity, EI = GJ = 1, mass 1 per length, no
 * damping or drag, one thread. */
rod_plan rod_plan_unit(int edges, double length);

/* The common test rod: 1 m, radius 5 mm, 1000 kg/m³, E = 1 MPa, ν = 0.5, g = 9.81 m/s². */
rod_plan rod_plan_common(int edges);

/* On failure `r->world` is the world with its message, or NULL; rod_free() is called either way. */
cord_status rod_make(const rod_plan *plan, rod *r);
void rod_free(rod *r);

cord_status rod_read(rod *r);        /* positions into r->x */
const double *rod_tip(const rod *r); /* the last vertex in r->x */

/* Clamps the first or the last end at its position. The handles may be NULL. */
cord_status rod_clamp_first(rod *r, cord_point *clamp, cord_constraint *hold);
cord_status rod_clamp_last(rod *r, cord_point *clamp, cord_constraint *hold);

/* Pins the point at s at its position, free to rotate. The handles may be NULL. */
cord_status rod_pin(rod *r, double s, cord_point *pin, cord_constraint *hold);

/* Constrains the point at s to the plane through `through` normal to `normal`. `hold` may be NULL. */
cord_status rod_constrain_to_plane(rod *r, double s, const double through[3],
                                   const double normal[3], cord_constraint *hold);

/* Constrains the point at s to the line through it along `direction`. */
cord_status rod_constrain_to_line(rod *r, double s, const double direction[3]);

/* Vertices of a curve given by its unit tangent at arc length s, edge by edge from x[0 … 2]. Edges
 * have their exact lengths; the curve is approximated to second order. */
typedef void (*rod_tangent)(const void *user, double s, double tangent[3]);
void rod_trace(int edges, double length, const double *edge_lengths, rod_tangent tangent,
               const void *user, double *x);

/* Six constraint rows that remove the six rigid motions of a flat ring: position of its start, of
 * the opposite point on the line through both, of the quarter point in the plane. They carry no
 * force unless another force acts. */
cord_status rod_fix_ring(rod *r);

/* A load at the end, initially zero. */
cord_status rod_load_tip(rod *r, cord_load *load);

/* The distinct ones among ascending frequencies: above `neutral` and farther than the fraction
 * `same` from the one before; at most `most`. Returns the count. Modes of round sections come in
 * pairs. */
int rod_distinct(int count, const double *omega, double neutral, double same, int most,
                 double *mode);

cord_status rod_set_gravity(rod *r, double x, double y, double z);

#endif
