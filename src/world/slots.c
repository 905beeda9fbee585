#include "world/world.h"

/* Handles hold index + 1, so that a zeroed handle is null. */

static int free_slot(const slots *s)
{
    for (int i = 0; i < s->count; i++)
        if (!s->item[i]) return i;
    return s->count;
}

cord_status cord__slots_add(slots *s, memory *m, void *item, uint32_t *index, uint32_t *generation)
{
    int i = s->count > s->used ? free_slot(s) : s->count;
    if (i == s->capacity) {
        int capacity = 2 * s->capacity + 8;
        void **items = cord__reallocate(m, s->item, (size_t)capacity, sizeof *items);
        if (!items) return CORD_ERROR_MEMORY;
        s->item = items;
        uint32_t *generations =
            cord__reallocate(m, s->generation, (size_t)capacity, sizeof *generations);
        if (!generations) return CORD_ERROR_MEMORY;
        s->generation = generations;
        s->capacity = capacity;
    }
    if (i == s->count) s->count++;
    s->used++;
    s->item[i] = item;
    *index = (uint32_t)i + 1;
    *generation = ++s->generation[i];
    return CORD_OK;
}

void *cord__slots_get(const slots *s, uint32_t index, uint32_t generation)
{
    if (index == 0 || index > (uint32_t)s->count) return NULL;
    if (s->generation[index - 1] != generation) return NULL;
    return s->item[index - 1];
}

void cord__slots_remove(slots *s, uint32_t index)
{
    s->item[index - 1] = NULL;
    s->generation[index - 1]++;
    s->used--;
}
