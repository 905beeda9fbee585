/* What strands that are given by a polyline (der, spline) have in common: which definitions are refused,
 * and where frames begin. */
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

/* A first director at tangent t: the one given, made normal to t, or any where that says nothing. */
void cord__first_director(const double *given, const double *t, double *u);

/* The director of the natural shape: its own, or else the initial one. */
const double *cord__natural_director(const cord_strand_def *def);

#endif
