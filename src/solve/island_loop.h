/* Loops over the clusters of an island, which share nothing that they write: in problem.threads threads. */
#ifndef CORDAGE_SOLVE_ISLAND_LOOP_H
#define CORDAGE_SOLVE_ISLAND_LOOP_H

#include "solve/problem.h"

typedef void cluster_task(problem *w, cluster *s, const void *with);

void cord__for_each(problem *w, const island *of, cluster_task *task, const void *with);

/* A task that may fail, on all clusters; the failure of the first of them. */
typedef cord_status fallible_task(problem *w, cluster *s, const void *with);
cord_status cord__in_each(problem *w, const island *of, fallible_task *task, const void *with);

#endif
