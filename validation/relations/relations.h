/* The suite of relations: what holds, on everything it can hold, and what slides. */
#ifndef CORDAGE_VALIDATION_RELATIONS_H
#define CORDAGE_VALIDATION_RELATIONS_H

#include "validation/validation.h"

extern const validation_suite validation_relations;

void check_relation_kinds(validation *v);
void check_force_order(validation *v);
void check_bead_on_a_string(validation *v);
void check_inclined_wire(validation *v);
void check_rough_sliding(validation *v);
void check_rope_over_an_edge(validation *v);
void check_relation_friction(validation *v);

#endif
