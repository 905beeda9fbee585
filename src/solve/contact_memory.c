/* Forces of contacts from one iteration, and one step, to the next: by the identity of the contact, else by its neighbours. */
#include "solve/contacts.h"

#include <math.h>
#include <string.h>

/* The first entry whose key is not less. */
static int lower_bound(const contact_memory *list, int count, uint64_t key)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int cord__find_memory(const contact_set *k, uint64_t key)
{
    return lower_bound(k->memory, k->remembered, key);
}

void cord__keep_forces(contact_set *k, island_contacts *of)
{
    of->rows_before = of->rows;
    for (int i = 0; i < of->rows; i++) {
        const contact_row *r = k->row + of->first_row + i;
        contact_memory *to = k->row_before + of->first_row + i;
        to->key = r->at.key;
        memcpy(to->s, r->at.s, sizeof to->s);
        memcpy(to->force, r->force, sizeof to->force);
    }
}

static bool is_row(const contact_set *k, const island_contacts *of, uint64_t key)
{
    int low = 0, high = of->rows;
    const contact_row *row = k->row + of->first_row;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (row[middle].at.key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < of->rows && row[low].at.key == key;
}

/* A contact that slides along a strand goes from segment to segment: the nearest one within an edge on both sides, of those
 * that are no rows any more. */
static const contact_memory *nearest(const contact_set *k, const island_contacts *of,
                                     const contact_memory *list, int count, const contact_row *r)
{
    const contact_memory *best = NULL;
    double least = INFINITY, edge[2] = {0, 0};
    uint32_t number[2];
    int spread[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        number[side] = cord__key_side(r->at.key, side);
        if (r->at.segment[side] < 0) continue;
        const contact_segment *g = k->segment + r->at.segment[side];
        edge[side] = g->s[1] - g->s[0];
        spread[side] = 1;
    }
    for (int i = -spread[0]; i <= spread[0]; i++) {
        const uint32_t first = number[0] + (uint32_t)i;
        const uint64_t from = cord__contact_key(first, number[1] - (uint32_t)spread[1], 0),
                       end = cord__contact_key(first, number[1] + (uint32_t)spread[1] + 1, 0);
        for (int at = lower_bound(list, count, from); at < count && list[at].key < end; at++) {
            const double a = fabs(list[at].s[0] - r->at.s[0]), b = fabs(list[at].s[1] - r->at.s[1]);
            if (a > edge[0] || b > edge[1] || a + b >= least || is_row(k, of, list[at].key))
                continue;
            least = a + b;
            best = list + at;
        }
    }
    return best;
}

static double recall(const contact_set *k, const island_contacts *of, const contact_memory *list,
                     int count, const contact_row *r, double force[3])
{
    int at = lower_bound(list, count, r->at.key);
    const contact_memory *from =
        at < count && list[at].key == r->at.key ? list + at : nearest(k, of, list, count, r);
    if (from)
        memcpy(force, from->force, sizeof from->force);
    else
        force[0] = force[1] = force[2] = 0;
    return from ? from->age : -1;
}

void cord__recall_forces(const contact_set *k, const island_contacts *of, int first)
{
    for (int i = first; i < of->rows; i++) {
        contact_row *r = k->row + of->first_row + i;
        r->age = 1 + recall(k, of, k->memory, k->remembered, r, r->previous);
        if (of->rows_before == 0)
            memcpy(r->force, r->previous, sizeof r->force);
        else
            recall(k, of, k->row_before + of->first_row, of->rows_before, r, r->force);
    }
}

static bool bears(const contact_row *r)
{
    return r->force[0] > 0;
}

cord_status cord__reserve_memory(contact_set *k, memory *m, int room)
{
    contact_memory *list = NEW(m, contact_memory, room), *unsorted = NEW(m, contact_memory, room);
    uint64_t *key = NEW(m, uint64_t, 2 * room);
    int *order = NEW(m, int, 2 * room);
    if (!list || !unsorted || !key || !order) {
        cord__release(m, list);
        cord__release(m, unsorted);
        cord__release(m, key);
        cord__release(m, order);
        return CORD_ERROR_MEMORY;
    }
    for (int i = 0; i < k->remembered; i++) list[i] = k->memory[i];
    cord__release(m, k->memory);
    cord__release(m, k->unsorted);
    cord__release(m, k->key);
    cord__release(m, k->order);
    k->memory = list, k->unsorted = unsorted, k->key = key, k->order = order;
    k->memory_room = room;
    return CORD_OK;
}

void cord__sort_memory(contact_set *k)
{
    const int count = k->remembered;
    for (int i = 0; i < count; i++) k->key[i] = k->unsorted[i].key, k->order[i] = i;
    cord__sort_by_key(count, k->key, k->order, k->key + k->memory_room, k->order + k->memory_room);
    for (int i = 0; i < count; i++) k->memory[i] = k->unsorted[k->order[i]];
}

cord_status cord__remember_forces(contact_set *k, memory *m)
{
    int count = 0, room = 0;
    for (int i = 0; i < k->islands; i++) room += k->island[i].rows;
    if (room > k->memory_room) {
        cord_status status = cord__reserve_memory(k, m, room + room / 2 + 16);
        if (status != CORD_OK) return status;
    }
    for (int i = 0; i < k->islands; i++)
        for (int j = 0; j < k->island[i].rows; j++) {
            const contact_row *r = k->row + k->island[i].first_row + j;
            if (!bears(r)) continue;
            contact_memory *to = k->unsorted + count;
            cord__identify_contact(k, &r->at, to);
            to->key = r->at.key;
            memcpy(to->s, r->at.s, sizeof to->s);
            memcpy(to->force, r->force, sizeof to->force);
            to->age = r->age;
            to->lost = k->island[i].lost;
            count++;
        }
    k->remembered = count;
    cord__sort_memory(k);
    return CORD_OK;
}
