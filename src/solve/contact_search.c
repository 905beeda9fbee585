/* The contacts of all pairs of an island at the present positions, in the order of the pairs. Threads take some pairs at a time and keep
 * what they find, and the chunks are put together in their order: the result depends on no number of threads. */
#include "math/parallel.h"
#include "solve/contact_detection.h"

#include <string.h>

/* Pairs that a thread takes at a time. */
enum { PAIRS_AT_ONCE = 64 };

typedef struct contact_search {
    const contact_set *k;
    const island_contacts *of;
    pair_reach *reach;
    int threads, room;
    int used[MOST_THREADS];
    bool full[MOST_THREADS];
} contact_search;

static contact *found_by(const contact_search *x, int thread)
{
    return x->threads > 1 ? x->k->thread_found + (size_t)thread * (size_t)x->k->search_room
                          : x->k->found + x->of->first_row;
}

static void search_chunk(void *context, int index, int thread)
{
    contact_search *x = context;
    const int first = index * PAIRS_AT_ONCE;
    const int left = x->of->pairs - first, count = left < PAIRS_AT_ONCE ? left : PAIRS_AT_ONCE;
    contact *out = found_by(x, thread);
    int used = x->used[thread];
    for (int i = first; i < first + count; i++) {
        const contact_pair *pair = x->k->pair + x->of->first_pair + i;
        double margin;
        if (!x->reach(x->k, x->of, pair, &margin)) continue;
        if (used + cord__most_contacts(pair) > x->room) {
            x->full[thread] = true;
            break;
        }
        used += cord__contacts_of_pair(x->k, pair, margin, out + used);
    }
    if (x->threads > 1)
        x->k->chunk[index] = (searched_chunk){thread, x->used[thread], used - x->used[thread]};
    x->used[thread] = used;
}

/* Puts the chunks together. */
static int collect(contact_search *x, int chunks)
{
    contact *to = x->k->found + x->of->first_row;
    int count = 0;
    for (int i = 0; i < chunks; i++) {
        const searched_chunk *c = x->k->chunk + i;
        if (count + c->count > x->room) {
            x->full[0] = true;
            break;
        }
        memcpy(to + count, found_by(x, c->thread) + c->first, (size_t)c->count * sizeof *to);
        count += c->count;
    }
    return count;
}

int cord__search_contacts(const problem *w, island_contacts *of, pair_reach *reach)
{
    const contact_set *k = w->contacts;
    const int chunks = (of->pairs + PAIRS_AT_ONCE - 1) / PAIRS_AT_ONCE;
    const bool fits = k->search_room >= of->row_room;
    contact_search x = {.k = k, .of = of, .reach = reach, .room = of->row_room, .threads = 1};
    if (fits && chunks > 1 && w->threads > 1)
        x.threads = w->threads < k->search_threads ? w->threads : k->search_threads;
    cord__parallel_for_each(x.threads, chunks, search_chunk, &x);
    const int count = x.threads > 1 ? collect(&x, chunks) : x.used[0];
    for (int i = 0; i < x.threads; i++) of->overflow = of->overflow || x.full[i];
    return count;
}

cord_status cord__reserve_search(const problem *w, contact_set *k, memory *m)
{
    const int chunks = k->pairs / PAIRS_AT_ONCE + 1;
    int room = 0;
    for (int i = 0; i < k->islands; i++)
        if (k->island[i].pairs > PAIRS_AT_ONCE && k->island[i].row_room > room)
            room = k->island[i].row_room;
    if (w->threads <= 1 || room == 0) return CORD_OK;
    if (room <= k->search_room && w->threads <= k->search_threads && chunks <= k->chunk_room)
        return CORD_OK;
    room += room / 4;
    k->search_room = k->search_threads = k->chunk_room = 0;
    if (!RESERVE(m, k->thread_found, (size_t)w->threads * (size_t)room) ||
        !RESERVE(m, k->chunk, 2 * chunks))
        return CORD_ERROR_MEMORY;
    k->search_room = room, k->search_threads = w->threads, k->chunk_room = 2 * chunks;
    return CORD_OK;
}
