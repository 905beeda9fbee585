/* The suite of equilibria and their stability. */
#ifndef CORDAGE_VALIDATION_STATICS_H
#define CORDAGE_VALIDATION_STATICS_H

#include "validation/validation.h"

extern const validation_suite validation_statics;

void check_heavy_column(validation *v);
void check_curled_cantilever(validation *v);
void check_bend_twist_models(validation *v);
void check_heavy_helix(validation *v);
void check_lateral_buckling(validation *v);
void check_heavy_frequencies(validation *v);
void check_searches(validation *v);

#endif
