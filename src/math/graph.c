#include "math/graph.h"

/* Lists are filled with repeated neighbours first and then compacted in place. */
int cord__graph_adjacency(int n, int edges, const int *a, const int *b, int *start, int *length,
                          int *list, int *mark)
{
    for (int e = 0; e < edges; e++) {
        if (a[e] != b[e]) length[a[e]]++, length[b[e]]++;
    }
    for (int i = 0, end = 0; i < n; i++) {
        start[i] = end;
        end += length[i];
        length[i] = 0;
    }
    for (int e = 0; e < edges; e++) {
        if (a[e] == b[e]) continue;
        list[start[a[e]] + length[a[e]]++] = b[e];
        list[start[b[e]] + length[b[e]]++] = a[e];
    }
    int used = 0;
    for (int i = 0; i < n; i++) {
        int from = start[i], to = from + length[i];
        start[i] = used;
        for (int k = from; k < to; k++) {
            if (mark[list[k]] == i + 1) continue;
            mark[list[k]] = i + 1;
            list[used++] = list[k];
        }
        length[i] = used - start[i];
    }
    return used;
}
