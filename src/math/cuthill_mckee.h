/* Reverse Cuthill-McKee: an order of a symmetric matrix that keeps its entries near the diagonal; and
 * what an order makes of a pattern.
 *
 * A pattern is `entries` pairs (row, col), in any order, repeated or not, from either triangle, as for
 * cord__sparse_analyse(). order[k] is the index that comes k-th; place is its inverse. */
#ifndef CORDAGE_MATH_CUTHILL_MCKEE_H
#define CORDAGE_MATH_CUTHILL_MCKEE_H

#include "math/memory.h"

/* Component by component, each from a pseudo-peripheral node, breadth first with nodes of few
 * neighbours first, then all reversed. Ties go to the smaller index: the same graph gives the same
 * order. CORD_ERROR_ARGUMENT: an index out of range. */
cord_status cord__cuthill_mckee(memory *m, int n, int entries, const int *row, const int *col,
                                int *order);

/* The largest distance of an entry from the diagonal; place NULL: as given. */
int cord__half_bandwidth(int entries, const int *row, const int *col, const int *place);

/* Entries below the diagonal that L of LDLᵀ has, eliminated in this order without pivoting. */
cord_status cord__factor_entries(memory *m, int n, int entries, const int *row, const int *col,
                                 const int *order, size_t *count);

#endif
