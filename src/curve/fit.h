/* Fitting chains of curvature elements to polylines by least squares.
 *
 * The polyline's vertices are taken to lie on a smooth curve: it is their distance from the chain
 * that is made small, each from the place of the chain nearest to it (bars: from the place at the
 * arc length it has along the polyline, the two being of the same sort). The first vertex goes
 * with the chain's start, the last with its end. */
#ifndef CORDAGE_CURVE_FIT_H
#define CORDAGE_CURVE_FIT_H

#include "curve/element.h"
#include "curve/fit_walk.h"
#include "math/memory.h"

/* Arc length at each vertex of the smooth curve through the vertices: an edge is taken as an arc of
 * the mean curvature of the circles through it and its neighbours; exact on a circle. A vertex
 * that turns by more than a radian is a corner, and its edges are straight there. Returns the whole
 * length. */
double cord__arc_lengths(int vertices, const double *x, double *s);

/* Curvature vectors (twist, k1, k2), at element_count + 1 nodes (clothoid) or per element (helix,
 * segment), and the base's place and frame, such that the chain passes as near as it can to the
 * vertices, with material frames near the given ones (9 per edge: t, m1, m2).
 *
 * Bars: element i has the frame of the bar before it turned by exp[κ_i ℓ̄_i], with
 * ℓ̄_i = (ℓ_{i−1} + ℓ_i)/2 and ℓ̄_0 = ℓ_0/2.
 * planar: only k2; the curve lies in the plane of t and m1 of the first edge, through the first
 * vertex.
 * The chain is as long as `length` says. For an exact fit of a curve that it can represent that is
 * the curve's length, cord__arc_lengths(), not the polyline's.
 *
 * CORD_ERROR_ARGUMENT: repeated vertices, an edge that turns back on the one before, too few
 * vertices; CORD_ERROR_NOT_FINITE; CORD_ERROR_MEMORY. */
cord_status cord__fit_curvatures(memory *m, element_kind kind, bool planar, int element_count,
                                 const double *length, int vertices, const double *x,
                                 const double *frames, double base_place[3], double base_frame[9],
                                 double *kappa, double *worst_distance);

/* The same with more to choose from. */
typedef struct fit_problem {
    int vertices;
    const double *x;      /* 3 × vertices; a closed curve's last vertex is its first */
    const double *frames; /* 9 × (vertices − 1); NULL: twist-free ones, and only to begin with */
    const double *weights; /* of vertices; NULL: the length that belongs to each */
    double *distances;     /* out: of vertices; may be NULL */
    bool guides;           /* frames too are only where to begin */
    bool planar;
    bool hold_base;    /* base place and frame stay as they are at the start */
    bool free_lengths; /* lengths are fitted too */
    bool closed;    /* end place, frame and curvature are those of the start: rows, to round-off */
    bool started;   /* the chain's base and curvatures are where to begin */
    int iterations; /* at most, of each of two descents; 0: enough for any that converges */
} fit_problem;

typedef struct fit_quality {
    double worst, rms; /* distances of vertices from the chain */
    double worst_at;   /* arc length along the chain where it is worst */
    double gap;        /* closed: how far the rows are off, lengths and angles in one number */
    int iterations;
} fit_quality;

cord_status cord__fit_chain(memory *m, const fit_problem *p, chain *c, fit_quality *quality);

#endif
