/* As few elements as will do: how many, and how long. */
#ifndef CORDAGE_CURVE_FIT_SEARCH_H
#define CORDAGE_CURVE_FIT_SEARCH_H

#include "curve/fit.h"

/* A smooth curve and how near to come to it. */
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
    chain c; /* its arrays are the caller's, cord__fit_forget() */
    fit_quality quality;
} fit_found;

/* The fewest elements found whose chain is within the tolerance of all vertices; where that takes
 * more than the most, the best. */
cord_status cord__fit_search(const fit_task *t, fit_found *found);
void cord__fit_forget(memory *m, fit_found *found);

/* Where elements of a plane curve begin and end, by shortest path: few, and each within a tolerance
 * by itself, which may be any up to the loosest. length: t->most numbers. */
typedef struct planar_graph planar_graph;
cord_status cord__planar_graph_make(const fit_task *t, double loosest, planar_graph **g);
void cord__planar_graph_path(planar_graph *g, double tolerance, int *elements, double *length);
void cord__planar_graph_free(planar_graph *g);

/* Frames along a curve in space to begin a fit from, 9 per edge: twist-free, or following the
 * binormal where there is one (a helix then has constant curvatures). */
cord_status cord__fit_space_frames(const fit_task *t, bool binormal, double *frames);

#endif
