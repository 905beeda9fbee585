/* Least-squares fits of chains of curvature elements to polylines.
 *
 * The vertices are taken as points of a smooth curve. The fit minimises their distances from the
 * chain, each from the nearest point of the chain (bars: from the point at the same arc length,
 * since both curves are polygonal). The first vertex is matched with the chain's start, the last
 * with its end. */
#ifndef CORDAGE_CURVE_FIT_H
#define CORDAGE_CURVE_FIT_H

#include "curve/element.h"
#include "curve/chain_kinematics.h"
#include "math/memory.h"

/* Arc length at each vertex of the smooth curve through the vertices: an edge is taken as an arc
 * whose curvature is the mean of the circles through it and its neighbours; exact on a circle. A
 * vertex with a turning angle above one radian is a corner, with straight edges. Returns the total
 * length. */
double cord__arc_lengths(int vertices, const double *x, double *s);

/* Curvature vectors (twist, k1, k2), at element_count + 1 nodes (clothoid) or per element (helix,
 * segment), and the position and frame of the base, of the chain closest to the vertices, with
 * material frames close to the given ones (9 per edge: t, m1, m2).
 *
 * Bars: element i has the frame of the bar before it rotated by exp[κ_i ℓ̄_i], with ℓ̄_i = (ℓ_{i−1}
 * + ℓ_i)/2 and ℓ̄_0 = ℓ_0/2. planar: only k2; the curve lies in the plane of t and m1 of the first
 * edge, through the first vertex. The chain has the lengths `length`. A curve that the chain can
 * represent is fitted exactly with the length of the curve, cord__arc_lengths(), not that of the
 * polyline.
 *
 * CORD_ERROR_ARGUMENT: repeated vertices, an edge antiparallel to the one before, too few vertices;
 * CORD_ERROR_NOT_FINITE; CORD_ERROR_MEMORY. */
cord_status cord__fit_curvatures(memory *m, element_kind kind, bool planar, int element_count,
                                 const double *length, int vertices, const double *x,
                                 const double *frames, double base_position[3],
                                 double base_frame[9], double *kappa, double *worst_distance);

/* The general problem. */
typedef struct fit_problem {
    int vertices;
    const double *x;       /* 3 × vertices; a closed curve's last vertex is its first */
    const double *frames;  /* 9 × (vertices − 1); NULL: twist-free ones as initial guess */
    const double *weights; /* per vertex; NULL: the square root of its share of the length */
    double *distances;     /* out: per vertex; may be NULL */
    bool frames_are_guess; /* frames are an initial guess and not fitted */
    bool planar;
    bool free_lengths; /* lengths are unknowns */
    bool closed; /* periodic position, frame and curvature, as equality constraints to round-off */
    bool has_guess; /* the base and curvatures of the chain are the initial guess */
    int iterations; /* limit of each of two descents; 0: MAX_ITERATIONS */
} fit_problem;

typedef struct fit_quality {
    double worst, rms; /* distances of vertices from the chain */
    double worst_at;   /* arc length along the chain of the vertex with the largest distance */
    double
        closure_residual; /* closed: sum of the absolute constraint residuals, angles times length */
    int iterations;
} fit_quality;

cord_status cord__fit_chain(memory *m, const fit_problem *p, chain *c, fit_quality *quality);

#endif
