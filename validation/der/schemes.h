/* The integrators of the dynamic checks. */
#ifndef CORDAGE_VALIDATION_DER_SCHEMES_H
#define CORDAGE_VALIDATION_DER_SCHEMES_H

#include <cordage/world.h>

typedef struct scheme {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
    int order; /* in time */
} scheme;

enum { SCHEMES = 5 };
extern const scheme schemes[SCHEMES];

#endif
