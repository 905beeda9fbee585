#include "bench/baselines/cuthill_mckee.h"

#include "math/graph.h"

#include <limits.h>
#include <stdlib.h>

typedef struct graph {
    int n;
    int *start, *degree, *list;
    int *mark; /* per node: the number of the last search that reached it */
    int searches;
    int *queue;     /* the nodes of a search, in the order of discovery */
    long long *key; /* for sorting neighbours */
} graph;

static cord_status graph_make(graph *g, memory *m, int n, int entries, const int *row,
                              const int *col)
{
    *g = (graph){.n = n};
    if (n < 0 || entries < 0) return CORD_ERROR_ARGUMENT;
    if (entries > INT_MAX / 2) return CORD_ERROR_MEMORY;
    for (int e = 0; e < entries; e++)
        if (row[e] < 0 || row[e] >= n || col[e] < 0 || col[e] >= n) return CORD_ERROR_ARGUMENT;
    g->start = NEW(m, int, n);
    g->degree = NEW(m, int, n);
    g->list = NEW(m, int, 2 * (size_t)entries);
    g->mark = NEW(m, int, n);
    g->queue = NEW(m, int, n);
    g->key = NEW(m, long long, n);
    if (!g->start || !g->degree || !g->list || !g->mark || !g->queue || !g->key)
        return CORD_ERROR_MEMORY;
    cord__graph_adjacency(n, entries, row, col, g->start, g->degree, g->list, g->mark);
    g->searches = n; /* larger than any value that cord__graph_adjacency() leaves in `mark` */
    return CORD_OK;
}

static void graph_free(graph *g, memory *m)
{
    cord__release(m, g->start);
    cord__release(m, g->degree);
    cord__release(m, g->list);
    cord__release(m, g->mark);
    cord__release(m, g->queue);
    cord__release(m, g->key);
}

/* Breadth-first search from a node. Returns its eccentricity; `farthest` is the node of least degree in
 * the last level. */
static int search(graph *g, int from, int *farthest)
{
    int seen = 1, level = 0, level_end = 1, level_begin = 0, stamp = ++g->searches;
    g->queue[0] = from;
    g->mark[from] = stamp;
    for (int at = 0; at < seen; at++) {
        if (at == level_end) level++, level_begin = at, level_end = seen;
        int node = g->queue[at];
        for (int k = g->start[node]; k < g->start[node] + g->degree[node]; k++) {
            int next = g->list[k];
            if (g->mark[next] == stamp) continue;
            g->mark[next] = stamp;
            g->queue[seen++] = next;
        }
    }
    int best = g->queue[level_begin];
    for (int i = level_begin; i < seen; i++) {
        int node = g->queue[i], less = g->degree[node] - g->degree[best];
        if (less < 0 || (less == 0 && node < best)) best = node;
    }
    *farthest = best;
    return level;
}

/* A pseudo-peripheral node: the search is repeated from the farthest node until the eccentricity no
 * longer grows   [George and Liu, An implementation of a pseudoperipheral node finder, 1979] */
static int peripheral(graph *g, int node)
{
    int next, beyond, far = search(g, node, &next);
    for (;;) {
        int farther = search(g, next, &beyond);
        if (farther <= far) return next;
        far = farther, next = beyond;
    }
}

static int compare(const void *a, const void *b)
{
    const long long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Appends the component of `from` to order[], breadth first, neighbours by ascending degree
 * [Cuthill and McKee, 1969]; `taken` marks the nodes of order[]. */
static int append(graph *g, int from, int *order, int count, unsigned char *taken)
{
    int at = count;
    order[count++] = from;
    taken[from] = 1;
    for (; at < count; at++) {
        int node = order[at], found = 0;
        for (int k = g->start[node]; k < g->start[node] + g->degree[node]; k++) {
            int next = g->list[k];
            if (taken[next]) continue;
            taken[next] = 1;
            g->key[found++] = ((long long)g->degree[next] << 32) + next;
        }
        if (found > 1) qsort(g->key, (size_t)found, sizeof *g->key, compare);
        for (int k = 0; k < found; k++) order[count++] = (int)(g->key[k] & 0xffffffff);
    }
    return count;
}

cord_status cord__cuthill_mckee(memory *m, int n, int entries, const int *row, const int *col,
                                int *order)
{
    graph g;
    unsigned char *taken = NULL;
    cord_status status = graph_make(&g, m, n, entries, row, col);
    if (status != CORD_OK) goto done;
    taken = NEW(m, unsigned char, n);
    status = taken ? CORD_OK : CORD_ERROR_MEMORY;
    for (int i = 0, count = 0; taken && i < n; i++)
        if (!taken[i]) count = append(&g, peripheral(&g, i), order, count, taken);
    for (int i = 0; taken && i < n / 2; i++) {
        int other = order[i];
        order[i] = order[n - 1 - i];
        order[n - 1 - i] = other;
    }
done:
    cord__release(m, taken);
    graph_free(&g, m);
    return status;
}

int cord__half_bandwidth(int entries, const int *row, const int *col, const int *inverse)
{
    int most = 0;
    for (int e = 0; e < entries; e++) {
        int distance = inverse ? abs(inverse[row[e]] - inverse[col[e]]) : abs(row[e] - col[e]);
        if (distance > most) most = distance;
    }
    return most;
}

/* The pattern of row k of L is the union of the paths in the elimination tree from each entry a_ki,
 * i < k, up to k   [Liu, The role of elimination trees in sparse factorization, 1990] */
cord_status cord__factor_entries(memory *m, int n, int entries, const int *row, const int *col,
                                 const int *order, size_t *count)
{
    graph g;
    int *inverse = NULL, *parent = NULL, *flag = NULL;
    cord_status status = graph_make(&g, m, n, entries, row, col);
    if (status != CORD_OK) goto done;
    status = CORD_ERROR_MEMORY;
    inverse = NEW(m, int, n);
    parent = NEW(m, int, n);
    flag = NEW(m, int, n);
    if (!inverse || !parent || !flag) goto done;
    status = CORD_OK;
    *count = 0;
    for (int k = 0; k < n; k++) inverse[order[k]] = k, parent[k] = flag[k] = -1;
    for (int k = 0; k < n; k++) {
        int node = order[k];
        flag[k] = k;
        for (int e = g.start[node]; e < g.start[node] + g.degree[node]; e++)
            for (int i = inverse[g.list[e]]; i < k && flag[i] != k; i = parent[i]) {
                if (parent[i] < 0) parent[i] = k;
                flag[i] = k;
                ++*count;
            }
    }
done:
    cord__release(m, inverse);
    cord__release(m, parent);
    cord__release(m, flag);
    graph_free(&g, m);
    return status;
}
