/* A deliberately trivial strand model: point masses joined by springs. It shows that the
 * interface of blocks supports more than one model, and provides a second model for constraints
 * to attach to. Three dofs per mass, no rows, no frames. The springs have the natural lengths of
 * the edges and the section's EA. */
#ifndef CORDAGE_TESTS_MASS_CHAIN_H
#define CORDAGE_TESTS_MASS_CHAIN_H

#include "block/block.h"

extern const strand_ops mass_chain;

/* conformance_case.rigid */
void mass_chain_rigid(const void *model, const double *q, const double *cache, const double u[3],
                      const double w[3], double *v);

#endif
