/* Mass properties of shapes. */
#ifndef CORDAGE_BODY_SHAPE_H
#define CORDAGE_BODY_SHAPE_H

#include <cordage/body.h>

typedef struct mass_properties {
    double mass;
    double center[3];
    double inertia[9]; /* about the centre, in the shape's axes */
} mass_properties;

/* Of a solid of density 1; CORD_ERROR_ARGUMENT with a sentence in `why`. */
cord_status cord__shape_mass(const cord_shape *shape, mass_properties *out, char *why, size_t size);

#endif
