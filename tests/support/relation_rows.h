/* Rows of a relation against differences, along a random motion of everything in the world. */
#ifndef CORDAGE_TESTS_RELATION_ROWS_H
#define CORDAGE_TESTS_RELATION_ROWS_H

#include "relation/relation.h"

#include <cordage/cordage.h>

/* Along a motion d: B d is how g changes, to 1e-9. Returns the second derivative of λ·g; the relation is left
 * evaluated where the world is, with λ. */
double check_rows_along(cord_world *world, relation *r, const double *d, const double *lambda);
/* dᵀ K d. */
double row_form(const relation *r, const double *d);

/* B d is how g changes. */
void check_row_rates(cord_world *world, cord_relation relation, double tolerance);
/* dᵀ K d, with what chains add in their own matrices, is the second derivative of λ·g along d, for
 * random λ. */
void check_row_curvature(cord_world *world, cord_relation relation, double tolerance);
/* What a relation's friction sees is how the first point's place, or frame, changes in the axes of the
 * second, across what the rows hold. */
void check_friction_rates(cord_world *world, cord_relation relation, double tolerance);

#endif
