/* Numbers with units: "4 mm", "1.3 MPa", "2.7 g/cm^3", "27 turns", "0.1 N s/m2", "40 %". A plain number is in SI
 * units (and radians), for every dimension. */
#ifndef CORDAGE_SCENE_UNITS_H
#define CORDAGE_SCENE_UNITS_H

#include <stdbool.h>
#include <stddef.h>

/* Exponents of metre, kilogram, second and radian. */
typedef struct dimension {
    signed char metre, kilogram, second, radian;
} dimension;

typedef struct quantity {
    double value; /* SI */
    dimension dim;
    bool has_unit;
    bool percent; /* written with "%" */
} quantity;

/* False, with a message in `error`, when `text` is not a number with an optional unit. */
bool cord__parse_quantity(const char *text, quantity *q, char *error, size_t error_size);

/* The parts of a number with a unit, for expressions. Both functions advance *text past the part they read. A number
 * includes its sign: "-4" is one. Units multiply into *q; there may be none. */
bool cord__parse_number(const char **text, double *value);
bool cord__parse_units(const char **text, quantity *q, char *error, size_t error_size);

bool cord__dimension_in_range(dimension d); /* powers within a plausible range */

/* The dimension of a unit in the library's tables ("N s/m^2"; "" is a plain number). */
dimension cord__unit_dimension(const char *unit);

bool cord__same_dimension(dimension a, dimension b);

/* "a length (m)", "a pressure (Pa)", or composed from exponents: "something in kg m^2/s". */
const char *cord__dimension_text(dimension d, char *buffer, size_t size);

#endif
