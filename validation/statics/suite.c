/* The checks of equilibria and their stability, in the order of the report. */
#include "validation/statics/statics.h"

static const validation_check checks[] = {
    {"heavy-column",
     "A clamped column buckles under its own weight at ρgS L³/EI = 7.8373 [Greenhill 1881]: the "
     "load "
     "at which unstable directions appear, by bisection, of round rods and of strips with a ratio "
     "of "
     "bending stiffnesses of 2500 (a rectangle of 50 : 1), upright and inclined with gravity along "
     "them. Discrete rods converge as 1/n² down to the precision of the count, 1e-6.",
     check_heavy_column},
    {"searches",
     "Searches from far away, at once and without an imperfection, take no more than 60 iterations "
     "in every model and reach the reference solutions: heavy cantilevers from the straight shape, "
     "heavy rods between two supports from the catenary, the elastica of straight rods whose end "
     "is "
     "moved, and its second mode, a saddle, from nearby. The rods have a rotary inertia of 1e-9.",
     check_searches},
    {0},
};

const validation_suite validation_statics = {"statics", "equilibria and their stability", checks};
