#include "world/energies.h"

#define ENERGY_NAME(name) #name,
const char *const cord__energy_names[ENERGY_COUNT] = {ENERGY_LIST(ENERGY_NAME)};
#undef ENERGY_NAME

void cord__energy_values(const cord_energy *energy, double values[ENERGY_COUNT])
{
    int i = 0;
#define ENERGY_VALUE(name) values[i++] = energy->name;
    ENERGY_LIST(ENERGY_VALUE)
#undef ENERGY_VALUE
}
