/* The energies of a world or of a strand, named once: probes, recordings and pages have them in this
 * order under these names. */
#ifndef CORDAGE_WORLD_ENERGIES_H
#define CORDAGE_WORLD_ENERGIES_H

#include <cordage/world.h>

/* The members of cord_energy, J. */
#define ENERGY_LIST(X)                                                                             \
    X(kinetic) X(gravity) X(stretching) X(bending) X(twisting) X(constraints) X(total)

#define ENERGY_ONE(name) +1
enum { ENERGY_COUNT = 0 ENERGY_LIST(ENERGY_ONE) };
#undef ENERGY_ONE

extern const char *const cord__energy_names[ENERGY_COUNT];

void cord__energy_values(const cord_energy *energy, double values[ENERGY_COUNT]);

#endif
