/* Undirected graphs given by their edges: the sparsity patterns of symmetric matrices. */
#ifndef CORDAGE_MATH_GRAPH_H
#define CORDAGE_MATH_GRAPH_H

/* Adjacency lists: the neighbours of node i, each once and never i itself, are length[i] entries of
 * `list` from list[start[i]]. `list` has room for 2 × edges; `length` and `mark`, n each, are zero
 * on entry, and `mark` is not restored. Returns the number of entries used in `list`. */
int cord__graph_adjacency(int n, int edges, const int *a, const int *b, int *start, int *length,
                          int *list, int *mark);

#endif
