/* Sparsity pattern of a cluster's matrix, and its bandwidth and fill-in in three elimination
 * orders. Used by `cordage matrix` and `cordage bench constraints` only. */
#ifndef CORDAGE_BENCH_BASELINES_CLUSTER_MATRIX_H
#define CORDAGE_BENCH_BASELINES_CLUSTER_MATRIX_H

#include "solve/problem.h"

typedef enum unknown_kind {
    UNKNOWN_DOF,            /* velocity unknown of a block */
    UNKNOWN_BLOCK_ROW,      /* multiplier of a block's constraint (an edge's length) */
    UNKNOWN_CONSTRAINT_ROW, /* multiplier of a constraint between blocks */
    UNKNOWN_KINDS
} unknown_kind;

typedef enum matrix_order {
    ORDER_ASSEMBLED,     /* blocks one after the other, then the multipliers of constraints */
    ORDER_CUTHILL_MCKEE, /* reverse Cuthill-McKee */
    ORDER_CHOSEN,        /* groups by minimum degree, multipliers after the dofs they couple */
    MATRIX_ORDERS
} matrix_order;

/* Unknowns are numbered as assembled. */
typedef struct cluster_matrix {
    int unknowns, count[UNKNOWN_KINDS]; /* of each kind */
    int entries;                        /* of the lower triangle with its diagonal */
    int *row, *col;                     /* entries; row >= col */
    unsigned char *kind;                /* per unknown */
    int *
        block; /* per unknown: the block in the problem's list, −1 for multipliers of constraints */
    int *order[MATRIX_ORDERS];
    int *inverse[MATRIX_ORDERS]; /* inverse permutation of order */
    int half_bandwidth[MATRIX_ORDERS];
    size_t factor_entries[MATRIX_ORDERS]; /* below the diagonal of L, without pivoting */
} cluster_matrix;

/* Overwrites `x`; zeroed on failure. */
cord_status cord__matrix_read(cluster_matrix *x, memory *m, const problem *w, const cluster *s);
void cord__matrix_free(cluster_matrix *x, memory *m);

/* Entries of the whole symmetric matrix. */
static inline long long cord__matrix_entries(const cluster_matrix *x)
{
    return 2 * (long long)x->entries - x->unknowns;
}

#endif
