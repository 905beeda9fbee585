/* Memory of the fragments of a divided strand (division_ops). */
#ifndef CORDAGE_STRAND_FRAGMENT_H
#define CORDAGE_STRAND_FRAGMENT_H

#include "block/block.h"

/* Allocates the arrays of a fragment: configuration, velocities, multipliers, rates of inertial coordinates. */
cord_status cord__fragment_allocate(strand_fragment *f, memory *m, int q, int dofs, int rows,
                                    int inertial);
/* Frees what a fragment still has; without a model `destroy` may be NULL. */
void cord__fragment_free(strand_fragment *f, void (*destroy)(void *model, memory *m), memory *m);

#endif
