/* Rows of a constraint against differences, along a random motion of all dofs of the world. */
#ifndef CORDAGE_TESTS_CONSTRAINT_ROWS_H
#define CORDAGE_TESTS_CONSTRAINT_ROWS_H

#include "constraint/constraint.h"

#include <cordage/cordage.h>

/* Along a motion d: B d is the derivative of g, to 1e-9. Returns the second derivative of λ·g;
 * the constraint is left evaluated at the world's configuration, with λ. */
double check_rows_along(cord_world *world, constraint *r, const double *d, const double *lambda);
/* dᵀ K d. */
double row_form(const constraint *r, const double *d);

/* B d is the derivative of g. */
void check_row_rates(cord_world *world, cord_constraint constraint, double tolerance);
/* dᵀ K d, with the terms that chains add to their own matrices, is the second derivative of λ·g
 * along d, for random λ. */
void check_row_curvature(cord_world *world, cord_constraint constraint, double tolerance);
/* The motion on which a constraint's friction acts is the change of the first point's position,
 * or frame, in the axes of the second, restricted to the directions that the rows leave free. */
void check_friction_rates(cord_world *world, cord_constraint constraint, double tolerance);

#endif
