/* The point mass on a sliding point (a pearl). */
#ifndef CORDAGE_FORCE_POINT_MASS_H
#define CORDAGE_FORCE_POINT_MASS_H

#include "solve/force.h"

extern const force_ops cord__point_mass;

/* Its energies and momenta in `now`; `moving`: the rates of inertial coordinates are available. */
void cord__point_mass_energy(const problem *w, const point *p, bool moving, block_energy *e);

#endif
