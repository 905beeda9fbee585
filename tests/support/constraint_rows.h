/* Rows of a constraint against differences, along a random motion of everything in the world. */
#ifndef CORDAGE_TESTS_CONSTRAINT_ROWS_H
#define CORDAGE_TESTS_CONSTRAINT_ROWS_H

#include "constraint/constraint.h"

#include <cordage/cordage.h>

/* Along a motion d: B d is how g changes, to 1e-9. Returns the second derivative of λ·g; the constraint is left
 * evaluated where the world is, with λ. */
double check_rows_along(cord_world *world, constraint *r, const double *d, const double *lambda);
/* dᵀ K d. */
double row_form(const constraint *r, const double *d);

/* B d is how g changes. */
void check_row_rates(cord_world *world, cord_constraint constraint, double tolerance);
/* dᵀ K d, with what chains add in their own matrices, is the second derivative of λ·g along d, for
 * random λ. */
void check_row_curvature(cord_world *world, cord_constraint constraint, double tolerance);
/* What a constraint's friction sees is how the first point's place, or frame, changes in the axes of the
 * second, across what the rows hold. */
void check_friction_rates(cord_world *world, cord_constraint constraint, double tolerance);

#endif
