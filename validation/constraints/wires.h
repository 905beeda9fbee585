/* Straight wires for the checks of sliding points: one strand of any model in a world. */
#ifndef CORDAGE_VALIDATION_CONSTRAINTS_WIRES_H
#define CORDAGE_VALIDATION_CONSTRAINTS_WIRES_H

#include "validation/constraints/rig.h"

/* A straight inextensible strand; object `which` of the rig. */
typedef struct wire_plan {
    const carrier *kind;
    int elements; /* edges, or elements, or spans */
    double from[3], to[3];
    double mass, bending, twisting; /* kg/m, N m² */
} wire_plan;

void wire_add(rig *r, const wire_plan *plan);
/* Fixes the point at this fraction of the length: its position, or its frame as well. */
void wire_pin(rig *r, double at);
void wire_clamp(rig *r, double at);

/* A ball of this mass whose centre slides from s; returns the point. */
cord_point wire_bead(rig *r, double s, double mass, double friction, cord_body *ball);

double wire_coordinate(rig *r, cord_point p, double *rate);

#endif
