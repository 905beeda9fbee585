/* A slider: one number, in most cases without inertia: the material coordinate at which a sliding point is on its
 * strand, or another coordinate that a row says (a turn, a travel). Friction resists its rate. */
#ifndef CORDAGE_BLOCK_SLIDER_H
#define CORDAGE_BLOCK_SLIDER_H

#include "block/block.h"

typedef struct slider {
    double s;              /* at first, m (a turn: rad) */
    double scale;          /* what is a small change, m */
    double max_correction; /* in one correction */
    double friction;       /* N s/m */
    double inertia;        /* kg, of a turn kg m² */
    double mass;           /* kg, at the position that it determines (force/point_mass.c) */
    double rate;           /* at first, m/s */
} slider;

extern const block_ops cord__slider;

#endif
