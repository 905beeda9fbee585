/* The suite of constraints on every model, and of sliding points. */
#ifndef CORDAGE_VALIDATION_CONSTRAINTS_H
#define CORDAGE_VALIDATION_CONSTRAINTS_H

#include "validation/validation.h"

extern const validation_suite validation_constraints;

void check_constraint_kinds(validation *v);
void check_force_order(validation *v);
void check_bead_on_a_string(validation *v);
void check_inclined_wire(validation *v);
void check_path_trajectories(validation *v);
void check_bead_on_a_heavy_rope(validation *v);
void check_rough_sliding(validation *v);
void check_rope_over_an_edge(validation *v);
void check_constraint_friction(validation *v);

#endif
