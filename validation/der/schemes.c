#include "validation/der/schemes.h"

const scheme schemes[SCHEMES] = {
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2, 2},
    {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2, 1},
    {"tr-bdf2", CORD_IMPLICIT, CORD_TR_BDF2, 2},
    {"backward-euler", CORD_IMPLICIT, CORD_BACKWARD_EULER, 1},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED, 1},
};
