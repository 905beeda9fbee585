/* Detection: broad phase, contacts of each candidate and each obstacle, sorted by key and merged. */
#include "contact/detect.h"

/* Candidates, or contacts: those near each other in space, or in the order of keys, are far from each other in memory. */
#define AHEAD 8

static void prefetch(const void *p)
{
#ifdef __GNUC__
    __builtin_prefetch(p);
    __builtin_prefetch((const char *)p + 64);
#else
    (void)p;
#endif
}

/* Stores contacts where there is room, and counts them in any case. */
static void store(detection *d, const contact *c, int count)
{
    for (int i = 0; i < count; i++, d->contact_count++)
        if (d->contact_count < d->contact_capacity) d->found[d->contact_count] = c[i];
}

static void sort_contacts(detection *d)
{
    for (int i = 0; i < d->contact_count; i++) {
        d->key[i] = d->found[i].key;
        d->order[i] = i;
    }
    cord__sort_by_key(d->contact_count, d->key, d->order, d->spare_key, d->spare_order);
    for (int i = 0; i < d->contact_count; i++) {
        if (i + AHEAD < d->contact_count) prefetch(d->found + d->order[i + AHEAD]);
        d->contacts[i] = d->found[d->order[i]];
    }
}

cord_status cord__detect_again(const contact_scene *scene, detection *d)
{
    contact c[PAIR_CONTACTS];
    d->contact_count = 0;
    for (int i = 0; i < d->broad.candidate_count; i++) {
        const contact_candidate *pair = d->broad.candidates + i;
        if (i + AHEAD < d->broad.candidate_count) {
            prefetch(scene->segments + pair[AHEAD].first);
            prefetch(scene->segments + pair[AHEAD].second);
        }
        store(d, c, cord__pair_contacts(scene->curves, scene->segments, *pair, scene->margin, c));
    }
    for (int o = 0; o < scene->obstacle_count; o++)
        for (int i = 0; i < scene->segment_count; i++)
            store(d, c,
                  cord__obstacle_contacts(scene->curves, scene->segments, i, scene->obstacles, o,
                                          scene->margin, c));
    if (d->contact_count > d->contact_capacity) return CORD_ERROR_MEMORY;
    sort_contacts(d);
    d->contact_count =
        cord__merge_contacts(scene->curves, scene->segments, d->contacts, d->contact_count);
    return CORD_OK;
}

cord_status cord__detect(const contact_scene *scene, detection *d)
{
    d->contact_count = 0;
    cord_status status = cord__broad_phase(scene->curves, scene->segments, scene->segment_count,
                                           scene->margin, &d->broad);
    return status == CORD_OK ? cord__detect_again(scene, d) : status;
}
