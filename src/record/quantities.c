#include "record/quantities.h"

const quantity_info cord__quantities[QUANTITY_COUNT] = {
    [QUANTITY_POSITIONS] = {"positions", "m", 3, false, false},
    [QUANTITY_VELOCITIES] = {"velocities", "m/s", 3, false, false},
    [QUANTITY_FRAMES] = {"frames", "", 6, true, true},
    [QUANTITY_TENSIONS] = {"tensions", "N", 1, true, true},
    [QUANTITY_CURVATURES] = {"curvatures", "1/m", 3, false, true},
};

const body_quantity_info cord__body_quantities[BODY_QUANTITY_COUNT] = {
    [BODY_POSITION] = {"position", 3},
    [BODY_ROTATION] = {"rotation", 4},
    [BODY_VELOCITY] = {"velocity", 3},
    [BODY_ANGULAR_VELOCITY] = {"angular_velocity", 3},
};

#define SCALAR_INFO(id, name, unit, from, has_sign) {name, unit, from, has_sign},
const scalar_info cord__scalars[SCALAR_COUNT] = {SCALAR_LIST(SCALAR_INFO)};
#undef SCALAR_INFO

const table_column cord__strand_columns[] = {{"vertices", 1},
                                             {"edges", 1},
                                             {"closed", 1},
                                             {"length", 1},
                                             {"mass", 1},
                                             {"section", 5},
                                             {"recorded", QUANTITY_COUNT},
                                             {NULL, 0}};

const table_column cord__body_columns[] = {{"mass", 1}, {"center", 3}, {"moments", 3}, {"axes", 9},
                                           {"size", 5}, {"colour", 3}, {NULL, 0}};

const table_column cord__probe_columns[] = {{"items", 1}, {"columns", 1}, {NULL, 0}};
