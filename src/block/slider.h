/* A slider: one number without inertia, the material coordinate at which a sliding point is on its
 * strand. Friction resists its rate. */
#ifndef CORDAGE_BLOCK_SLIDER_H
#define CORDAGE_BLOCK_SLIDER_H

#include "block/block.h"

typedef struct slider {
    double s;        /* at first, m */
    double scale;    /* what is a small change, m */
    double friction; /* N s/m */
} slider;

extern const block_ops cord__slider;

#endif
