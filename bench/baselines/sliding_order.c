#include "bench/baselines/sliding_order.h"

#include <limits.h>

/* Moves one unknown to a position; those between move by one towards its old position. */
static int move_to(int unknown, int to, int *order, int *inverse)
{
    int from = inverse[unknown], step = to > from ? 1 : -1;
    if (from == to) return 0;
    for (int k = from; k != to; k += step) {
        order[k] = order[k + step];
        inverse[order[k]] = k;
    }
    order[to] = unknown;
    inverse[unknown] = to;
    return step * (to - from) + 1;
}

/* The middle of the positions of some unknowns. */
static int middle(int count, const int *unknown, const int *inverse)
{
    int low = INT_MAX, high = INT_MIN;
    for (int i = 0; i < count; i++) {
        int at = inverse[unknown[i]];
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return low + (high - low) / 2;
}

int cord__renumber_sliding(int count, const int *unknown, int neighbours, const int *neighbour,
                           int *order, int *inverse)
{
    int written = 0;
    for (int i = 0; neighbours > 0 && i < count; i++)
        written += move_to(unknown[i], middle(neighbours, neighbour, inverse), order, inverse);
    return written;
}
