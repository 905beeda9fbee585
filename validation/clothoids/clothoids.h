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
void check_integrators(validation *v);
void check_inverse_flowers(validation *v);
void check_inverse_bounds(validation *v);

#endif
