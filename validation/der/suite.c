/* The checks of the discrete elastic rods, in the order of the report. */
#include "validation/der/der.h"

static const validation_check checks[] = {
    {"heavy-cantilever",
     "A horizontal clamped rod bends under its own weight, from barely to a hanging rope: Γ = "
     "ρSgL³/EI over seven decades. The tip is compared with the smooth equilibrium, and the error "
     "must stay below c Γ/(1 + √Γ)/n², c = 0.08, of second order, once the boundary layer at the "
     "clamp (a length L/√Γ) is resolved, n ≥ 2√Γ.",
     check_heavy_cantilever},
    {"common-rod",
     "The common test rod (1 m, radius 5 mm, 1000 kg/m³, 1 MPa, ν = 0.5), clamped horizontally, "
     "hangs at rest: its tip at 50 elements against the smooth equilibrium.",
     check_common_rod},
    {"tip-load",
     "A weightless clamped rod under a vertical load at its tip, against the elliptic integrals.",
     check_tip_load},
    {"two-supports",
     "A heavy rod between two supports, level or not, pinned or clamped horizontally, from the "
     "catenary (no bending stiffness to speak of) to a stiff arch: its middle and lowest point.",
     check_two_supports},
    {"euler",
     "A compressed rod past buckling, pinned and clamped: thrust and deflection at a given "
     "shortening against the elastica.",
     check_euler},
    {"localized-buckling",
     "A straight rod twisted by 27 turns, whose clamps approach each other, buckles into a helix "
     "with a localized envelope (Bergou et al. 2008, Fig. 7). The envelope, re-centred, is "
     "compared "
     "with the analytic one on uniform and non-uniform meshes, and its largest angle, torque and "
     "tension with the solution at other twists and shortenings. The middle vertex is held in the "
     "mid-plane and in one "
     "axial plane, which removes the packet's two neutral motions and needs no force in the "
     "smooth rod.",
     check_localized_buckling},
    {"michell",
     "A twisted ring stays flat up to a critical twist, 2π√3 α/β (Bergou et al. 2008, Fig. 8). "
     "The twist at which the flat ring first has unstable directions is found by bisection; six "
     "rows that remove the rigid motions, and no more, hold the ring.",
     check_michell},
    {"beam-frequencies", "Small bending vibrations of a clamped rod.", check_beam_frequencies},
    {"torsion-frequencies", "Small torsional vibrations of a clamped rod with dynamic twist.",
     check_torsion_frequencies},
    {"chain-frequencies",
     "Small swings of a hanging rod so flexible that it is a chain: zeros of the Bessel function.",
     check_chain_frequencies},
    {"uniform-twist",
     "In a naturally straight rod of round section twist spreads evenly whatever the centreline "
     "does: straight or sagging, at rest or moving, on an uneven mesh.",
     check_uniform_twist},
    {"energy",
     "The common test rod, released from horizontal, swings without damping for 100,000 steps. "
     "Energies are relative to the convertible energy: initial minus equilibrium potential energy. "
     "Midpoint conserves the total. The others may not grow: the largest total in each of the nine "
     "later tenths of the run may not exceed the largest in the first tenth, which shows the "
     "oscillation of the integrator. The losses are shown.",
     check_energy},
    {"inextensibility",
     "The relative error of squared edge lengths, |e·e/ē·ē − 1|, at its largest over a swing.",
     check_inextensibility},
    {"time-order",
     "An inclined hanging rod is released and swings; its shape after 0.4 s is compared with that "
     "of "
     "very small steps on the same mesh, for a range of steps. The slope is the observed order.",
     check_time_order},
    {0},
};

const validation_suite validation_der = {"der", "discrete elastic rods (Bergou et al. 2008)",
                                         checks};
