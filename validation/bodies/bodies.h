/* The suite of rigid bodies: alone, jointed, and welded to strands. */
#ifndef CORDAGE_VALIDATION_BODIES_H
#define CORDAGE_VALIDATION_BODIES_H

#include "validation/validation.h"

extern const validation_suite validation_bodies;

void check_wilberforce_frequencies(validation *v);
void check_wilberforce_beat(validation *v);
void check_torsion_pendulum(validation *v);
void check_tumbling(validation *v);
void check_top(validation *v);
void check_joint_drift(validation *v);
void check_transducer(validation *v);
void check_ode_wilberforce(validation *v);

#endif
