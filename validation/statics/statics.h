/* The suite of equilibria and their stability. */
#ifndef CORDAGE_VALIDATION_STATICS_H
#define CORDAGE_VALIDATION_STATICS_H

#include "validation/validation.h"

extern const validation_suite validation_statics;

void check_heavy_column(validation *v);
void check_searches(validation *v);

#endif
