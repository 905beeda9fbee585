/* The parts of a scene that a recording needs to be continued, besides results: the files it was
 * read from, and which of its expected results were already observed. */
#ifndef CORDAGE_RECORD_ORIGIN_H
#define CORDAGE_RECORD_ORIGIN_H

#include "math/memory.h"

#include <cordage/simulation.h>

typedef struct origin_file {
    const char *name; /* as the scene's errors name it; belongs to the scene */
    char *text;
    size_t size;
} origin_file;

typedef struct origin {
    int count;
    origin_file *files;
} origin;

/* Read again the files that a scene was read from, the first one first; drawings, tables and meshes too. Freed by
 * cord__origin_free(), after a failure as well. */
cord_status cord__origin_read(memory *m, const cord_scene *scene, origin *o);
void cord__origin_free(memory *m, origin *o);

/* An expected result as it was observed; all zero when it was not yet. */
typedef struct observed_result {
    double measured;
    double observed, passed; /* 0 or 1 */
    double so_far[5];        /* the state of a result over time */
} observed_result;

void cord__get_observed(const cord_simulation *sim, observed_result *results);
/* The last observation was at the world's time. */
void cord__set_observed(cord_simulation *sim, const observed_result *results);

/* The natural length of each edge, edge_count numbers. */
void cord__natural_lengths(const cord_scene *scene, int strand, int edge_count, double *lengths);
/* How often a strand may break, with its numbers of vertices and edges before it does; these may be NULL. */
int cord__reserved_breaks(const cord_simulation *sim, int strand, int *vertices, int *edges);
/* Reserves room in frames for `breaks` breaks of a strand, before it is cut by hand. */
cord_status cord__reserve_breaks(cord_simulation *sim, int strand, int breaks);

#endif
