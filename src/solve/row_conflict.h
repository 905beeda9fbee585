/* Rows that cannot be met together, or that repeat each other, in a cluster whose solution has failed. The search may
 * allocate; no step calls it. */
#ifndef CORDAGE_SOLVE_ROW_CONFLICT_H
#define CORDAGE_SOLVE_ROW_CONFLICT_H

#include "solve/problem.h"

/* The constraints and blocks whose rows depend on each other, the largest share first; at most this many are listed. */
enum { CONFLICT_MEMBERS = 6 };
typedef struct row_conflict {
    int constraints, blocks;
    int constraint[CONFLICT_MEMBERS], block[CONFLICT_MEMBERS]; /* in problem's lists */
    int rows, row[CONFLICT_MEMBERS]; /* of the first block, by their shares */
    double violation;                /* of the first of them */
    double
        gap; /* that remains between them, in the unit of the first constraint; 0: they repeat each other */
} row_conflict;

/* Clusters with more unknowns and rows than this are not searched. */
enum { CONFLICT_UNKNOWNS = 200000 };

/* Rows that contradict each other at a time, near the committed configuration; none: they can be met. The trial
 * configuration is then the one that violates them least. */
cord_status cord__find_contradiction(problem *w, cluster *s, double time, memory *m,
                                     row_conflict *out);

/* Rows that are combinations of others at the committed configuration. */
cord_status cord__find_redundancy(problem *w, cluster *s, double time, memory *m,
                                  row_conflict *out);

#endif
