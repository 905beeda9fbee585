/* The checks of splines, in the order of the report. */
#include "validation/splines/splines.h"

static const validation_check checks[] = {
    {"spline-cantilever",
     "A clamped spline under its own weight, over Γ = ρSgL³/EI: the error of the tip falls at "
     "fourth "
     "order once the clamp's layer L/√Γ is resolved.",
     check_spline_cantilever},
    {"spline-tip-load",
     "A weightless clamped spline of 32 spans under a vertical load at its tip, against the "
     "elliptic "
     "integrals.",
     check_spline_tip_load},
    {"spline-catenary",
     "A heavy spline of 64 spans between two pins, with hardly any stiffness: the catenary's "
     "middle "
     "and thrust.",
     check_spline_catenary},
    {"spline-spring",
     "A naturally helical spring of three turns, clamped at one end and pulled a little at the "
     "other, along its axis: its displacement, by Castigliano's theorem from bending and twist.",
     check_spline_spring},
    {"spline-beam-frequencies", "Small bending vibrations of a clamped spline.",
     check_spline_beam_frequencies},
    {"spline-ring-frequencies",
     "A naturally round closed spline, floating: its vibrations in its plane, ω² = EI/ρSR⁴ "
     "k²(k² − 1)²/(k² + 1) [Love, Elasticity, art. 293].",
     check_spline_ring_frequencies},
    {"spline-michell",
     "A flat ring of a straight rod with twist buckles at 2π√3 EI/GJ: where the closed spline "
     "first "
     "has unstable directions, by bisection.",
     check_spline_michell},
    {0},
};

const validation_suite validation_splines = {
    "splines", "cubic B-splines (Theetten et al. 2008), open and closed", checks};
