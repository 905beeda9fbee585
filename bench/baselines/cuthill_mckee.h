/* Reverse Cuthill-McKee order of a symmetric matrix, which reduces its bandwidth; bandwidth and
 * fill-in of a pattern in any order.
 *
 * A pattern is `entries` pairs (row, col), in any order, repeated or not, from either triangle, as
 * for cord__sparse_analyse(). order[k] is the index eliminated k-th; `inverse` is the inverse
 * permutation. */
#ifndef CORDAGE_BENCH_BASELINES_CUTHILL_MCKEE_H
#define CORDAGE_BENCH_BASELINES_CUTHILL_MCKEE_H

#include "math/memory.h"

/* Each connected component is numbered breadth first from a pseudo-peripheral node, neighbours by
 * ascending degree; then the whole order is reversed. Ties go to the smaller index, so the order is a
 * function of the graph alone. CORD_ERROR_ARGUMENT: an index out of range. */
cord_status cord__cuthill_mckee(memory *m, int n, int entries, const int *row, const int *col,
                                int *order);

/* max |inverse[row] − inverse[col]| over the entries; NULL stands for the identity. */
int cord__half_bandwidth(int entries, const int *row, const int *col, const int *inverse);

/* The number of entries below the diagonal of L in LDLᵀ, eliminated in this order without pivoting. */
cord_status cord__factor_entries(memory *m, int n, int entries, const int *row, const int *col,
                                 const int *order, size_t *count);

#endif
