#include "math/sparse_ldl.h"

#include <amd.h>
#include <limits.h>
#include <string.h>

/* Neighbour lists of the graph, both directions, without loops or repetitions, which is what amd_2
 * wants in (pe, len, iw). Lists are filled with repetitions first and then packed. Returns the end
 * of the packed lists. `mark` is n zeros, and is left dirty. */
static int pack_lists(int n, int edges, const int *a, const int *b, int *pe, int *len, int *iw,
                      int *mark)
{
    for (int e = 0; e < edges; e++) {
        if (a[e] != b[e]) len[a[e]]++, len[b[e]]++;
    }
    for (int i = 0, at = 0; i < n; i++) {
        pe[i] = at;
        at += len[i];
        len[i] = 0;
    }
    for (int e = 0; e < edges; e++) {
        if (a[e] == b[e]) continue;
        iw[pe[a[e]] + len[a[e]]++] = b[e];
        iw[pe[b[e]] + len[b[e]]++] = a[e];
    }
    int packed = 0;
    for (int i = 0; i < n; i++) {
        int from = pe[i], to = from + len[i];
        pe[i] = packed;
        for (int k = from; k < to; k++) {
            if (mark[iw[k]] == i + 1) continue;
            mark[iw[k]] = i + 1;
            iw[packed++] = iw[k];
        }
        len[i] = packed - pe[i];
    }
    return packed;
}

/* amd_2 itself, not amd_order: it works in memory it is given, so no heap call escapes. Its inputs
 * are destroyed; the order comes back in `last`. */
cord_status cord__order_groups(memory *m, int groups, int edges, const int *a, const int *b,
                               int *order)
{
    if (groups < 0 || edges < 0) return CORD_ERROR_ARGUMENT;
    for (int e = 0; e < edges; e++) {
        if (a[e] < 0 || a[e] >= groups || b[e] < 0 || b[e] >= groups) return CORD_ERROR_ARGUMENT;
    }
    if (groups == 0) return CORD_OK; /* amd_2 wants at least one node */

    /* Elbow room of a fifth, as amd_order gives, and one more list of n. */
    size_t n = (size_t)groups, lists = 2 * (size_t)edges, room = lists + lists / 5 + n;
    if (room > INT_MAX) return CORD_ERROR_MEMORY;
    int *work = NEW(m, int, 9 * n), *iw = NEW(m, int, room);
    cord_status status = work && iw ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        int *pe = work, *len = pe + n, *nv = len + n, *next = nv + n, *last = next + n;
        int *head = last + n, *elen = head + n, *degree = elen + n, *w = degree + n;
        int packed = pack_lists(groups, edges, a, b, pe, len, iw, w);
        amd_2(groups, pe, iw, len, (int)room, packed, nv, next, last, head, elen, degree, w, NULL,
              NULL);
        memcpy(order, last, n * sizeof *order);
    }
    cord__release(m, work);
    cord__release(m, iw);
    return status;
}
