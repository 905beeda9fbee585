/* Batches: islands of one block and equal shape take a step together, one in each lane of a vector (block/batch.h).
 *
 * A lane does the same arithmetic whichever others are beside it: it moves while its own iteration goes on, and keeps its own
 * factor. A lane that fails is stepped alone, by cord__island_step(). That has other roundings: lanes there are joints of
 * one rod, and sums have another order. */
#ifndef CORDAGE_SOLVE_BATCH_H
#define CORDAGE_SOLVE_BATCH_H

#include "math/batch.h"
#include "solve/integrator.h"

/* Finds the clusters that may be in a batch, and numbers their shapes: cluster.batch_shape. */
void cord__find_batch_shapes(partition *p, const problem *w);
/* Forms batches of the present islands; the others are batches of one. */
void cord__form_batches(partition *p, const problem *w, double h);
/* Doubles of workspace for any batch. */
size_t cord__batch_workspace(const partition *p, const problem *w);

/* cord__island_step() of all islands of a batch; `workspace` is aligned to 64 bytes. */
void cord__batch_step(problem *w, partition *p, const island_batch *of, double h,
                      double *workspace);

#endif
