/* A slider: one number, in most cases without inertia: the material coordinate at which a sliding point is on its
 * strand, or another coordinate that a row says (a turn, a travel). Friction resists its rate. */
#ifndef CORDAGE_BLOCK_SLIDER_H
#define CORDAGE_BLOCK_SLIDER_H

#include "block/block.h"

/* A search for an equilibrium: the piece of its strand that a point was on last, how often it went
 * over the node that it crossed last, and whether it is held there, at which coordinate. See
 * solve/kink_equilibrium.c. */
typedef struct kink_equilibrium {
    int element, node, crossings;
    bool at_rest;
    double at, force[2];
} kink_equilibrium;

typedef struct slider {
    double s;              /* at first, m (a turn: rad) */
    double scale;          /* what is a small change, m */
    double max_correction; /* in one correction */
    double friction;       /* N s/m */
    double inertia;        /* kg, of a turn kg m² */
    double mass;           /* kg, at the position that it determines (force/point_mass.c) */
    double rate;           /* at first, m/s */
    kink_equilibrium kink;
} slider;

extern const block_ops cord__slider;

#endif
