/* Undirected graphs given by their edges: the patterns of symmetric matrices. */
#ifndef CORDAGE_MATH_GRAPH_H
#define CORDAGE_MATH_GRAPH_H

/* Neighbours of node i, each once and never i itself: list[start[i]] and the length[i] - 1 that follow,
 * packed. `list` has room for 2 × edges; `length` and `mark`, n each, begin as zeros, and `mark` is
 * left dirty. Returns where the packed lists end. */
int cord__graph_lists(int n, int edges, const int *a, const int *b, int *start, int *length,
                      int *list, int *mark);

#endif
