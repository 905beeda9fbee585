/* Search for the chain with the fewest elements within a tolerance. */
#ifndef CORDAGE_CURVE_FIT_SEARCH_H
#define CORDAGE_CURVE_FIT_SEARCH_H

#include "curve/fit.h"

/* A smooth curve and the tolerance of its fit. */
typedef struct fit_task {
    memory *m;
    element_kind kind;
    bool planar, closed;
    double normal[3]; /* planar: of the plane, unit */
    double tolerance;
    int vertices;
    const double *x; /* 3 × vertices; closed: the last is the first; planar: in the plane */
    int most;        /* elements, at most */
} fit_task;

typedef struct fit_found {
    chain c; /* its arrays belong to the caller: cord__fit_found_free() */
    fit_quality quality;
} fit_found;

/* The chain with the fewest elements found whose distance from every vertex is within the
 * tolerance; the closest chain where that takes more than `most` elements. */
cord_status cord__fit_search(const fit_task *t, fit_found *found);
void cord__fit_found_free(memory *m, fit_found *found);

/* Element boundaries of a plane curve by shortest path: few elements, each by itself within a
 * tolerance, which may be any up to the loosest. length: t->most doubles. */
typedef struct planar_graph planar_graph;
cord_status cord__planar_graph_make(const fit_task *t, double loosest, planar_graph **g);
void cord__planar_graph_path(planar_graph *g, double tolerance, int *elements, double *length);
void cord__planar_graph_free(planar_graph *g);

/* Initial frames for fits of space curves, 9 per edge: twist-free, or following the binormal where
 * it is defined (along a helix the curvatures are then constant). */
cord_status cord__fit_space_frames(const fit_task *t, bool binormal, double *frames);

#endif
