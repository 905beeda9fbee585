#include "math/graph.h"

/* Lists are filled with repetitions first and then packed. */
int cord__graph_lists(int n, int edges, const int *a, const int *b, int *start, int *length,
                      int *list, int *mark)
{
    for (int e = 0; e < edges; e++) {
        if (a[e] != b[e]) length[a[e]]++, length[b[e]]++;
    }
    for (int i = 0, at = 0; i < n; i++) {
        start[i] = at;
        at += length[i];
        length[i] = 0;
    }
    for (int e = 0; e < edges; e++) {
        if (a[e] == b[e]) continue;
        list[start[a[e]] + length[a[e]]++] = b[e];
        list[start[b[e]] + length[b[e]]++] = a[e];
    }
    int packed = 0;
    for (int i = 0; i < n; i++) {
        int from = start[i], to = from + length[i];
        start[i] = packed;
        for (int k = from; k < to; k++) {
            if (mark[list[k]] == i + 1) continue;
            mark[list[k]] = i + 1;
            list[packed++] = list[k];
        }
        length[i] = packed - start[i];
    }
    return packed;
}
