/* The point mass on a sliding point (a pearl). */
#ifndef CORDAGE_FORCE_POINT_MASS_H
#define CORDAGE_FORCE_POINT_MASS_H

#include "solve/force.h"

extern const force_ops cord__point_mass;

#endif
