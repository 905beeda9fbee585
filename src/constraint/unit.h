/* The unit of a constraint's rows, for code that knows constraints by name only. */
#ifndef CORDAGE_CONSTRAINT_UNIT_H
#define CORDAGE_CONSTRAINT_UNIT_H

#include <stdbool.h>

typedef struct constraint_unit {
    const char *unit; /* of g; NULL: there is no constraint of that name */
    int rows;
    bool of_coordinate; /* g is a coordinate, whose unit is rad where that is an angle */
} constraint_unit;

constraint_unit cord__constraint_unit(const char *kind);

#endif
