#include "record/quantities.h"

const quantity_info cord__quantities[QUANTITY_COUNT] = {
    [QUANTITY_POSITIONS] = {"positions", "m", 3, false, false},
    [QUANTITY_VELOCITIES] = {"velocities", "m/s", 3, false, false},
    [QUANTITY_FRAMES] = {"frames", "", 6, true, true},
    [QUANTITY_TENSIONS] = {"tensions", "N", 1, true, true},
    [QUANTITY_CURVATURES] = {"curvatures", "1/m", 3, false, true},
};

const char *const cord__energy_names[ENERGY_COUNT] = {
    "kinetic", "gravity", "stretching", "bending", "twisting", "relations", "total"};
