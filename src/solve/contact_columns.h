/* Velocities of surface points of strands and of bodies over the dofs of their blocks. */
#ifndef CORDAGE_SOLVE_CONTACT_COLUMNS_H
#define CORDAGE_SOLVE_CONTACT_COLUMNS_H

#include "block/block.h"

/* Doubles per shape.contact_dofs: workspace, and the Jacobian of the centreline. */
enum { SURFACE_WORK = 4, CENTRE_WORK = 3 };

/* The velocity of the material point at s that is offset by `a` from the centreline of a strand, ẋ = J v + ω × a with
 * ω = t × (J_s v)/|r_s| + t (tangent_spin · v); `a` NULL: of the centreline. Writes the dofs of the block, each once and at most
 * shape.contact_dofs, and J, 3 × count by columns; returns the count. `centre`, if not NULL, receives those of the centreline. q and
 * cache are the block's, the cache as refresh_rows() leaves it; `work`: SURFACE_WORK × shape.contact_dofs doubles. */
int cord__surface_jacobian(const block *b, const double *q, const double *cache, double s,
                           const double a[3], int *dof, double *J, double *centre, double *work);
/* The velocity of a point x that is fixed in a body. */
int cord__body_jacobian(const block *b, const double *q, const double *cache, const double x[3],
                        int *dof, double *J);

#endif
