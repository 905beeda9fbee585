/* Passages of segments through each other, for guarantee mode. */
#ifndef CORDAGE_CONTACT_PASSAGES_H
#define CORDAGE_CONTACT_PASSAGES_H

#include "contact/contact.h"

typedef struct passage_search {
    const contact_curve *curves;
    const contact_segment *segments; /* at the end of the motion */
    double (*start)[2][3];           /* ends at its start */
    int count;
    /* Whether a constraint joins two segments, so that their axes may meet; NULL: none are. */
    bool (*joined)(const void *context, int first, int second);
    const void *context;
    /* Workspace, per segment. `order` is a permutation, which is kept from call to call. */
    double (*x)[2];
    int *order;
} passage_search;

/* Whether the axes of two segments pass through each other in the motion, neighbours along a strand excepted; *found: which. */
bool cord__find_passage(const passage_search *q, contact_candidate *found);

#endif
