/* Stable radix sort: the order of the contacts must not depend on the grid, and the C library's qsort may allocate. */
#include "contact/contact.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS (1 << DIGIT_BITS)
#define FEW 64

static void scatter(int count, const uint64_t *key, const int *order, int shift, int *start,
                    uint64_t *to_key, int *to_order)
{
    for (int i = 0; i < count; i++) {
        int at = start[(key[i] >> shift) & (DIGITS - 1)]++;
        to_key[at] = key[i];
        to_order[at] = order[i];
    }
}

/* Where each digit starts; false where all keys have the same. */
static bool digit_starts(int count, const uint64_t *key, int shift, int start[DIGITS])
{
    memset(start, 0, DIGITS * sizeof *start);
    for (int i = 0; i < count; i++) start[(key[i] >> shift) & (DIGITS - 1)]++;
    if (start[(key[0] >> shift) & (DIGITS - 1)] == count) return false;
    for (int i = 0, sum = 0; i < DIGITS; i++) {
        int own = start[i];
        start[i] = sum;
        sum += own;
    }
    return true;
}

/* By insertion: for few keys the tables of digits cost more. */
static void sort_few(int count, uint64_t *key, int *order)
{
    for (int i = 1; i < count; i++) {
        const uint64_t own = key[i];
        const int index = order[i];
        int at = i;
        for (; at > 0 && key[at - 1] > own; at--) key[at] = key[at - 1], order[at] = order[at - 1];
        key[at] = own, order[at] = index;
    }
}

void cord__sort_by_key(int count, uint64_t *key, int *order, uint64_t *spare_key, int *spare_order)
{
    if (count <= FEW) {
        sort_few(count, key, order);
        return;
    }
    int start[DIGITS];
    uint64_t differ = 0, *k[2] = {key, spare_key};
    int *o[2] = {order, spare_order}, from = 0;
    for (int i = 1; i < count; i++) differ |= key[i] ^ key[0];
    for (int shift = 0; shift < 64 && differ >> shift; shift += DIGIT_BITS) {
        if (!digit_starts(count, k[from], shift, start)) continue;
        scatter(count, k[from], o[from], shift, start, k[!from], o[!from]);
        from = !from;
    }
    if (from) {
        memcpy(key, spare_key, (size_t)count * sizeof *key);
        memcpy(order, spare_order, (size_t)count * sizeof *order);
    }
}
