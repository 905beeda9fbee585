/* Passages of segments through each other, for guarantee mode. */
#ifndef CORDAGE_CONTACT_PASSAGES_H
#define CORDAGE_CONTACT_PASSAGES_H

#include "contact/contact.h"

/* A chord of a part of the curve of a segment, in motion. */
typedef struct moving_chord {
    segment_motion motion;
    int segment; /* in the list */
} moving_chord;

typedef struct passage_search {
    const contact_curve *curves;
    const contact_segment *segments;
    const moving_chord *chords;
    int count;
    /* Whether a constraint joins two segments, so that their axes may meet; NULL: none are. */
    bool (*joined)(const void *context, int first, int second);
    const void *context;
    /* Workspace, per chord. `order` is a permutation, which is kept from call to call. */
    double (*x)[2];
    int *order;
} passage_search;

/* Whether chords of two segments pass through each other in the motion, neighbours along a strand excepted; *found: which segments. */
bool cord__find_passage(const passage_search *q, contact_candidate *found);

#endif
