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
    {"curled-cantilever",
     "A heavy rod of constant natural curvature, clamped horizontally, downwards or upwards: its "
     "tip along the branch that "
     "begins at no weight, up to ρgS L³/EI = 1000. The natural curvature is set by hand, on a "
     "straight rod.",
     check_curled_cantilever},
    {"bend-twist",
     "The weight at which such a rod leaves its plane, along the curled branch as the weight "
     "rises, and along the unrolled one "
     "as it falls.",
     check_bend_twist_models},
    {"heavy-helix",
     "A heavy rod that is naturally a helix, clamped with its tangent down: tip and tangent of the "
     "equilibrium, in space.",
     check_heavy_helix},
    {"lateral-buckling",
     "A horizontal strip, clamped upright, buckles sideways under a weight at its end (Prandtl: P "
     "L²/√(B₁C) = 4.0126) or its "
     "own weight (12.854), with the bending before.",
     check_lateral_buckling},
    {"heavy-frequencies",
     "The lowest frequencies of a heavy rod that hangs from a clamp (Γ > 0) or stands in one (Γ < "
     "0).",
     check_heavy_frequencies},
    {0},
};

const validation_suite validation_statics = {"statics", "equilibria and their stability", checks};
