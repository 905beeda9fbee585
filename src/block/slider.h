/* A slider: one scalar coordinate, in most cases without inertia: the material coordinate s of a
 * sliding point on its strand [MICADO 2008, sec. 6], or another coordinate defined by a constraint
 * row (revolute, prismatic). Viscous friction acts on its rate. */
#ifndef CORDAGE_BLOCK_SLIDER_H
#define CORDAGE_BLOCK_SLIDER_H

#include "block/block.h"

typedef struct slider {
    double s;              /* initial value, m (revolute: rad) */
    double scale;          /* scale of a small change, m */
    double max_correction; /* in one correction */
    double friction;       /* N s/m */
    double inertia;        /* kg; revolute: kg m² */
    double mass;           /* kg, at the position that it determines (force/point_mass.c) */
    double
        carried_inertia; /* kg m², of a flywheel on a body: of its rotation with that of the body (force/flywheel.c) */
    double rate; /* at first, m/s */
} slider;

/* The block of a coordinate; its model is a copy. */
cord_status cord__coordinate_block(const slider *definition, memory *m, block *out);

#endif
