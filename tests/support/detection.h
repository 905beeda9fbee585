/* All contacts of a list of segments, sorted by key and merged, for the tests of contact detection. */
#ifndef CORDAGE_TESTS_DETECTION_H
#define CORDAGE_TESTS_DETECTION_H

#include "contact/broad_phase.h"
#include "contact/contact.h"

#include <stdlib.h>

typedef struct detection {
    broad_phase broad;
    int capacity, contact_count;
    contact *contacts; /* sorted by key */
    contact *found;
    uint64_t *key;
    int *order;
} detection;

static inline cord_status reserve_detection(memory *m, detection *d, int segments, int candidates,
                                            int contacts)
{
    d->contacts = NEW(m, contact, contacts);
    d->found = NEW(m, contact, contacts);
    d->key = NEW(m, uint64_t, 2 * contacts);
    d->order = NEW(m, int, 2 * contacts);
    d->capacity = contacts;
    if (!d->contacts || !d->found || !d->key || !d->order) return CORD_ERROR_MEMORY;
    return cord__broad_phase_reserve(m, &d->broad, segments, candidates);
}

static inline void release_detection(memory *m, detection *d)
{
    cord__release(m, d->contacts);
    cord__release(m, d->found);
    cord__release(m, d->key);
    cord__release(m, d->order);
    cord__broad_phase_release(m, &d->broad);
}

/* Candidates with gaps up to the margin. */
static inline cord_status find_candidates(const contact_curve *curves,
                                          const contact_segment *segments, int count, double margin,
                                          broad_phase *b)
{
    segment_box *box = malloc((size_t)(count + 1) * sizeof *box);
    if (!box) return CORD_ERROR_MEMORY;
    for (int i = 0; i < count; i++) cord__segment_box(segments + i, 0.5 * margin, box + i);
    cord_status status = cord__broad_phase(curves, segments, box, count, b);
    free(box);
    return status;
}

/* Gaps up to the margin are contacts. */
static inline cord_status find_contacts(const contact_curve *curves,
                                        const contact_segment *segments, int count, double margin,
                                        detection *d)
{
    int found = 0;
    cord_status status = find_candidates(curves, segments, count, margin, &d->broad);
    if (status != CORD_OK) return status;
    for (int i = 0; i < d->broad.candidate_count; i++) {
        if (found + PAIR_CONTACTS > d->capacity) return CORD_ERROR_MEMORY;
        found +=
            cord__pair_contacts(curves, segments, d->broad.candidates[i], margin, d->found + found);
    }
    for (int i = 0; i < found; i++) {
        d->key[i] = d->found[i].key;
        d->order[i] = i;
    }
    cord__sort_by_key(found, d->key, d->order, d->key + d->capacity, d->order + d->capacity);
    for (int i = 0; i < found; i++) d->contacts[i] = d->found[d->order[i]];
    d->contact_count = cord__merge_contacts(curves, segments, d->contacts, found);
    return CORD_OK;
}

#endif
