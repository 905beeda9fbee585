#include "math/graph.h"
#include "math/sparse_ldl.h"

#include <amd.h>
#include <limits.h>
#include <string.h>

/* amd_2 rather than amd_order, because it works in memory of the caller: no heap call bypasses the
 * allocator. It overwrites the adjacency lists (pe, len, iw); the order is returned in `last`. */
cord_status cord__minimum_degree_order(memory *m, int groups, int edges, const int *a, const int *b,
                                       int *order)
{
    if (groups < 0 || edges < 0) return CORD_ERROR_ARGUMENT;
    for (int e = 0; e < edges; e++) {
        if (a[e] < 0 || a[e] >= groups || b[e] < 0 || b[e] >= groups) return CORD_ERROR_ARGUMENT;
    }
    if (groups == 0) return CORD_OK; /* amd_2 requires at least one node */

    /* A fifth of slack, as in amd_order, and n more. */
    size_t n = (size_t)groups, lists = 2 * (size_t)edges, room = lists + lists / 5 + n;
    if (room > INT_MAX) return CORD_ERROR_MEMORY;
    int *work = NEW(m, int, 9 * n), *iw = NEW(m, int, room);
    cord_status status = work && iw ? CORD_OK : CORD_ERROR_MEMORY;
    if (status == CORD_OK) {
        int *pe = work, *len = pe + n, *nv = len + n, *next = nv + n, *last = next + n;
        int *head = last + n, *elen = head + n, *degree = elen + n, *w = degree + n;
        int packed = cord__graph_adjacency(groups, edges, a, b, pe, len, iw, w);
        amd_2(groups, pe, iw, len, (int)room, packed, nv, next, last, head, elen, degree, w, NULL,
              NULL);
        memcpy(order, last, n * sizeof *order);
    }
    cord__release(m, work);
    cord__release(m, iw);
    return status;
}
