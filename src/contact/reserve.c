/* Capacities of the broad phases. */
#include "contact/broad_phase.h"
#include "contact/solids.h"

/* Grows an array; false where there is no memory, with the array as it was. */
#define GROW(array, count)                                                                         \
    (grown = cord__reallocate(m, (array), (size_t)(count), sizeof *(array)),                       \
     (array) = grown ? grown : (array), grown != NULL)

cord_status cord__broad_phase_reserve(memory *m, broad_phase *b, int segments, int candidates)
{
    const int n = segments;
    void *grown;
    if (segments > b->segment_capacity) {
        if (!GROW(b->level, n) || !GROW(b->box, n) || !GROW(b->sorted, n) || !GROW(b->centre, n) ||
            !GROW(b->key, n) || !GROW(b->spare_key, n) || !GROW(b->order, n) ||
            !GROW(b->spare_order, n))
            return CORD_ERROR_MEMORY;
        b->segment_capacity = segments;
    }
    if (candidates > b->candidate_capacity) {
        if (!GROW(b->candidates, candidates)) return CORD_ERROR_MEMORY;
        b->candidate_capacity = candidates;
    }
    return CORD_OK;
}

void cord__broad_phase_release(memory *m, broad_phase *b)
{
    void *arrays[] = {b->candidates, b->level,     b->box,   b->sorted,     b->centre,
                      b->key,        b->spare_key, b->order, b->spare_order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    *b = (broad_phase){0};
}

cord_status cord__solid_pairs_reserve(memory *m, solid_pairs *p, int obstacles, int pairs)
{
    void *grown;
    if (obstacles > p->obstacle_capacity && (!GROW(p->low, obstacles) || !GROW(p->high, obstacles)))
        return CORD_ERROR_MEMORY;
    if (pairs > p->pair_capacity && !GROW(p->pairs, pairs)) return CORD_ERROR_MEMORY;
    int n = obstacles > pairs ? obstacles : pairs; /* both are sorted in these */
    if (n > p->obstacle_capacity && n > p->pair_capacity &&
        (!GROW(p->key, n) || !GROW(p->spare_key, n) || !GROW(p->order, n) ||
         !GROW(p->spare_order, n)))
        return CORD_ERROR_MEMORY;
    if (obstacles > p->obstacle_capacity) p->obstacle_capacity = obstacles;
    if (pairs > p->pair_capacity) p->pair_capacity = pairs;
    return CORD_OK;
}

void cord__solid_pairs_release(memory *m, solid_pairs *p)
{
    void *arrays[] = {p->pairs, p->low, p->high, p->key, p->spare_key, p->order, p->spare_order};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cord__release(m, arrays[i]);
    *p = (solid_pairs){0};
}
