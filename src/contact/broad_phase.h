/* The broad phase: pairs of segments whose bounding boxes overlap. */
#ifndef CORDAGE_CONTACT_BROAD_PHASE_H
#define CORDAGE_CONTACT_BROAD_PHASE_H

#include "contact/contact.h"
#include "math/memory.h"

/* A bounding box in units of the longest one, in single precision, rounded outward; and the data by which most pairs are
 * admitted or not, so that a search reads nothing else. */
typedef struct grid_box {
    float low[3], high[3];
    int block, before, after;
    uint32_t group, mask;
} grid_box;

/* Bounds of a segment, in the axes of the world. */
typedef struct segment_box {
    double low[3], high[3];
} segment_box;

typedef struct broad_phase {
    int segment_capacity, candidate_capacity;
    int candidate_count; /* of the last call; above the capacity: those beyond it are missing */
    contact_candidate *candidates;
    /* Workspace, per segment. */
    unsigned char *level;
    grid_box *box, *sorted;
    double (*centre)[3];
    uint64_t *key, *spare_key;
    int *order, *spare_order;
} broad_phase;

/* Room for so many; CORD_ERROR_MEMORY, with the present arrays kept, where there is none. */
cord_status cord__broad_phase_reserve(memory *m, broad_phase *b, int segments, int candidates);
void cord__broad_phase_release(memory *m, broad_phase *b);

/* The bounds of a segment with its radius and bulge, wider by `pad` on every side. */
void cord__segment_box(const contact_segment *g, double pad, segment_box *box);

/* Segments that are near each other in space are anywhere in memory: loops over sorted ones, or over candidates, ask for those that
 * come so much later. */
enum { PREFETCHED = 16 };

/* Asks for the entries of a candidate in an array over segments. */
#define PREFETCH_CANDIDATE(b, i, array)                                                            \
    do {                                                                                           \
        if ((i) + PREFETCHED < (b)->candidate_count) {                                             \
            __builtin_prefetch((array) + (b)->candidates[(i) + PREFETCHED].first);                 \
            __builtin_prefetch((array) + (b)->candidates[(i) + PREFETCHED].second);                \
        }                                                                                          \
    } while (0)

/* All admitted pairs of segments whose bounds overlap, in an order that depends on segments and bounds only.
 * CORD_ERROR_MEMORY: the capacities do not suffice (candidate_count says how many candidates there are);
 * CORD_ERROR_NOT_FINITE: a bound is not a finite number. */
cord_status cord__broad_phase(const contact_curve *curves, const contact_segment *segments,
                              const segment_box *bounds, int count, broad_phase *b);

#endif
