/* Whether the forces that constraints report are those that move things, and whether the rows'
 * derivatives are derivatives: read from inside the engine. */
#ifndef CORDAGE_VALIDATION_CONSTRAINTS_BALANCE_H
#define CORDAGE_VALIDATION_CONSTRAINTS_BALANCE_H

#include "validation/constraints/rig.h"

/* Goes on by two steps of h. Then, for every strand and body: the change of its momentum and
 * angular momentum against its weight and what constraints do to its points; and for every coordinate:
 * what is along it against its friction. The largest that is lacking, over the greatest force. */
double rig_balance(rig *r, double h);

/* Rows of all constraints, how they change along random motions: by their derivatives against
 * differences; the largest difference, in each row over the largest change of it, or 1. */
double rig_derivatives(rig *r);

#endif
