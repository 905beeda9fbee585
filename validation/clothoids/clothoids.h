/* The suite of curvature chains: helices and clothoids. */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_H
#define CORDAGE_VALIDATION_CLOTHOIDS_H

#include "validation/validation.h"

extern const validation_suite validation_clothoids;

void check_space_clothoids(validation *v);
void check_plane_clothoids(validation *v);
void check_long_element(validation *v);
void check_naive_summation(validation *v);
void check_term_sizes(validation *v);
void check_orthonormality(validation *v);
void check_bent_element(validation *v);
void check_integrators(validation *v);
void check_curled_equilibrium(validation *v);
void check_chain_cantilever(validation *v);
void check_chain_tip_load(validation *v);
void check_chain_supports(validation *v);
void check_chain_euler(validation *v);
void check_clamps(validation *v);
void check_bend_twist(validation *v);
void check_chain_beam_frequencies(validation *v);
void check_chain_torsion_frequencies(validation *v);
void check_chain_hanging_frequencies(validation *v);
void check_chain_ring_frequencies(validation *v);
void check_swing_energy(validation *v);
void check_swing_stability(validation *v);
void check_endurance(validation *v);
void check_curled_clamp(validation *v);
void check_curled_cost(validation *v);
void check_loops(validation *v);
void check_motion(validation *v);
void check_inverse_flowers(validation *v);
void check_inverse_bounds(validation *v);

#endif
