/* Detection: all contacts of a set of segments and obstacles. */
#ifndef CORDAGE_CONTACT_DETECT_H
#define CORDAGE_CONTACT_DETECT_H

#include "contact/broad_phase.h"
#include "contact/shapes.h"

typedef struct contact_scene {
    const contact_curve *curves;
    const contact_segment *segments;
    int segment_count;
    const obstacle *obstacles;
    int obstacle_count;
    double margin; /* gaps up to this are contacts */
} contact_scene;

/* Arrays with capacities, which grow between calls only. */
typedef struct detection {
    broad_phase broad;
    int contact_capacity;
    int contact_count; /* after a call; above the capacity: those beyond it are missing */
    contact *contacts; /* sorted by key */
    /* Workspace. */
    contact *found;
    uint64_t *key, *spare_key;
    int *order, *spare_order;
} detection;

cord_status cord__detection_reserve(memory *m, detection *d, int segments, int candidates,
                                    int contacts);
void cord__detection_release(memory *m, detection *d);

/* Candidates, then contacts. Without heap calls. CORD_ERROR_MEMORY: a capacity does not suffice; broad.candidate_count and
 * contact_count say how many there are, as far as they were found. */
cord_status cord__detect(const contact_scene *scene, detection *d);

/* The contacts of the candidates of an earlier call, at new positions. */
cord_status cord__detect_again(const contact_scene *scene, detection *d);

#endif
