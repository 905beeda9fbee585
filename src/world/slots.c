#include "world/world.h"

/* A handle holds index + 1, so that a zeroed handle is null. The free slots form a binary heap with the lowest
 * first: the slot that is used next does not depend on the order of the removals. Generations increase by one when an
 * object is added and when it is removed. */

static cord_status grow(slots *s, memory *m)
{
    int capacity = 2 * s->capacity + 8;
    void **items = cord__reallocate(m, s->item, (size_t)capacity, sizeof *items);
    if (!items) return CORD_ERROR_MEMORY;
    s->item = items;
    uint32_t *generations =
        cord__reallocate(m, s->generation, (size_t)capacity, sizeof *generations);
    if (!generations) return CORD_ERROR_MEMORY;
    s->generation = generations;
    int *left = cord__reallocate(m, s->left, (size_t)capacity, sizeof *left);
    if (!left) return CORD_ERROR_MEMORY;
    s->left = left;
    s->capacity = capacity;
    return CORD_OK;
}

/* Removes the lowest free slot from the heap, which is not empty. */
static int take_lowest(slots *s)
{
    int remain = s->count - s->used - 1, i = 0;
    int lowest = s->left[0], moved = s->left[remain];
    for (int child = 1; child < remain; child = 2 * i + 1) {
        if (child + 1 < remain && s->left[child + 1] < s->left[child]) child++;
        if (s->left[child] > moved) break;
        s->left[i] = s->left[child];
        i = child;
    }
    s->left[i] = moved;
    return lowest;
}

cord_status cord__slots_add(slots *s, memory *m, void *item, uint32_t *index, uint32_t *generation)
{
    int i = s->count;
    if (s->count > s->used) {
        i = take_lowest(s);
    } else {
        cord_status status = s->count == s->capacity ? grow(s, m) : CORD_OK;
        if (status != CORD_OK) return status;
        s->generation[s->count++] = s->first_generation;
    }
    s->used++;
    s->item[i] = item;
    *index = (uint32_t)i + 1;
    *generation = ++s->generation[i];
    return CORD_OK;
}

/* Generations that this world has given out lie between the first one and the present one. */
static bool is_of_another_world(const slots *s, uint32_t index, uint32_t generation)
{
    if (index > (uint32_t)s->count) return true;
    uint32_t present = s->generation[index - 1];
    return generation - s->first_generation > present - s->first_generation;
}

void *cord__find(const cord_world *w, const slots *s, const char *kind, uint32_t index,
                 uint32_t generation)
{
    if (!w) return NULL;
    bool there = index > 0 && index <= (uint32_t)s->count;
    if (there && s->generation[index - 1] == generation && s->item[index - 1])
        return s->item[index - 1];
    const char *wrong = index == 0 ? "null: it was never set, or adding the object failed"
                        : is_of_another_world(s, index, generation)
                            ? "of another world"
                            : "stale: the object was removed";
    cord__fail(w, CORD_ERROR_HANDLE, "the %s handle is %s", kind, wrong);
    return NULL;
}

void cord__slots_remove(slots *s, uint32_t index)
{
    int slot = (int)index - 1, i = s->count - s->used;
    s->item[slot] = NULL;
    s->generation[slot]++;
    s->used--;
    for (; i > 0 && s->left[(i - 1) / 2] > slot; i = (i - 1) / 2) s->left[i] = s->left[(i - 1) / 2];
    s->left[i] = slot;
}

void cord__slots_free(slots *s, memory *m)
{
    cord__release(m, s->item);
    cord__release(m, s->generation);
    cord__release(m, s->left);
}
