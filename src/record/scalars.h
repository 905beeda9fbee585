/* Scalars per vertex, for colours, pages and exporters: computed here only, so that all of them show the
 * same numbers. */
#ifndef CORDAGE_RECORD_SCALARS_H
#define CORDAGE_RECORD_SCALARS_H

#include "record/snapshot.h"

/* Whether the strand's model gives it. */
static inline bool has_scalar(const snapshot_strand *strand, vertex_scalar which)
{
    return strand->has[cord__scalars[which].from];
}

/* vertex_count numbers. Curvature and twist are those of cord_strand_get_curvatures(): zero at a free end, and
 * at a clamped end that of the clamp. NaN when the strand's model does not give them. */
void cord__vertex_scalar(const frame_snapshot *s, int strand, vertex_scalar which, double *values);

/* The mean over the one or two edges at a vertex: `width` columns from `first` on, of rows of `stride`. */
void cord__edges_to_vertices(const snapshot_strand *strand, const double *edges, int stride,
                             int first, int width, double *vertices);

#endif
