/* Common to the strands defined by a polyline (der, spline): validation of definitions, and the
 * first directors. */
#ifndef CORDAGE_STRAND_DEFINITION_H
#define CORDAGE_STRAND_DEFINITION_H

#include "block/block.h"
#include "curve/section.h"

#include <stdio.h>

/* Refuse, in a function that has `why` and `size`. */
#define SAY(...) (snprintf(why, size, __VA_ARGS__), CORD_ERROR_ARGUMENT)

/* All that does not depend on the model, and the section made from it. */
cord_status cord__check_definition(const cord_strand_def *def, section_stiffness *section,
                                   char *why, size_t size);

/* A first director at tangent t: the defined one, orthogonalised to t, or any normal where it is
 * not defined. */
void cord__first_director(const double *given, const double *t, double *u);

/* The largest stable step of symplectic Euler on ẍ + (damping ω² + drag) ẋ + ω² x = 0, forces taken at the start of the step:
 * h² ω² + 2h (damping ω² + drag) = 4. */
double cord__stable_step(double omega, double damping, double drag);

/* The director of the natural shape: as defined, or else the initial one. */
const double *cord__natural_director(const cord_strand_def *def);

#endif
