/* The inertia of a flywheel whose bearing is on a body. */
#ifndef CORDAGE_FORCE_FLYWHEEL_H
#define CORDAGE_FORCE_FLYWHEEL_H

#include "solve/force.h"

typedef struct flywheel_term {
    force_term
        base; /* on the coordinate of the flywheel, and on the point that carries its bearing */
    double inertia; /* about the axis, kg m² */
    /* Of the last evaluation: the axis there, and its mean over the increment from the start of the step. */
    double axis[3], mean[3];
} flywheel_term;

extern const force_ops cord__flywheel;

#endif
