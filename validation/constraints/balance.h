/* Force balance of the reported constraint forces, and derivatives of constraint rows, read from
 * the engine. */
#ifndef CORDAGE_VALIDATION_CONSTRAINTS_BALANCE_H
#define CORDAGE_VALIDATION_CONSTRAINTS_BALANCE_H

#include "validation/constraints/rig.h"

/* Advances by two steps of h. Then, for every strand and body, compares the rates of momentum and
 * angular momentum with its weight and the constraint forces on its points; and for every
 * coordinate the generalised force with its friction. Returns the largest residual over the largest
 * force. */
double rig_balance(rig *r, double h);

/* Derivatives of all constraint rows along random motions against finite differences: the largest
 * difference, in each row over its largest change, or 1. */
double rig_derivatives(rig *r);

#endif
