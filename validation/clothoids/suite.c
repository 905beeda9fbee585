/* The checks of curvature chains, in the order of the report. */
#include "validation/clothoids/clothoids.h"

static const validation_check checks[] = {
    {"space-clothoids",
     "Frame and position at the end of one element of affine curvature and twist, from nearly "
     "straight "
     "to hair-like and tightly curled, against 60-digit arithmetic. Both methods: quaternion "
     "series "
     "about the middle (the default) and the 2013 paper's adaptive piecewise summation.",
     check_space_clothoids},
    {"plane-clothoids",
     "The same in the plane, where the ends are known from Fresnel integrals; also by the "
     "quadrature of [SC 2012].",
     check_plane_clothoids},
    {"long-element",
     "A long and highly curved element for which the paper's bound (14) asks for 109 subdivisions, "
     "as in its Fig. 3c, against extended precision and against half the paper's bound.",
     check_long_element},
    {"naive-summation",
     "Summing the series once over a whole element loses all digits by cancellation when the "
     "element rotates by tens of radians (Fig. 3a of the 2013 paper); piecewise summation (Fig. "
     "3b) "
     "and "
     "the series about the middle lose none. Errors against extended precision.",
     check_naive_summation},
    {"term-sizes",
     "The sizes of the terms of the series rise to a maximum before they fall (Fig. 4 of the 2013 "
     "paper). The maximum against the paper's bound (12), max A(s)ⁿ/n!.",
     check_term_sizes},
    {"orthonormality",
     "A thousand radians of elements, each begun with the frame at which the last ended: the "
     "deviation of "
     "frames from rotations, without any projection.",
     check_orthonormality},
    {"bent-element",
     "One element, created straight and bent by a torque at its end, or thrown so that it winds "
     "up: its end against the "
     "integral of its own curvature in extended precision. The number of panels follows the "
     "curvature, in statics and in "
     "motion; with the panels of its creation the end was off by 4e-10, 2e-7, 2e-5, 6e-3 and 0.19 "
     "m at 6 to 40 EI/m.",
     check_bent_element},
    {"integrators",
     "The same element by Euler's method, Euler's on the rotations, Runge and Kutta's of second "
     "and "
     "fourth order, and by the series: time over precision (Fig. 6 of the 2013 paper). The "
     "orders "
     "are those expected, and the series reach the last digit sooner than the fourth-order method "
     "reaches eleven.",
     check_integrators},
    {"curled-equilibrium",
     "A curled rod hangs from a clamp and unwinds under its weight (Figs. 8b and 9, left, of the "
     "2013 paper): 1 m long, 2 mm thick, 100 MPa, ν = 0.5, 1200 kg/m³, naturally a helix of radius "
     "5 cm and pitch 10 cm. Its equilibrium by every model against that of 256 clothoids: the L2 "
     "distance relative to the length. The paper, for a rod it does not state, needed about 24 "
     "degrees of freedom of clothoids, 70 of helices and 1000 of discrete elastic rods to come "
     "visually close, which is here half a per cent of the length.",
     check_curled_equilibrium},
    {"curled-clamp",
     "The same, for the number of degrees of freedom that the paper states: discrete elastic rods "
     "with "
     "either curvature, clamped as here (the tangent of the curve at s = 0, second order) and as "
     "in "
     "the 2008 paper (the first edge is held, so that nothing bends along half of it: first "
     "order). "
     "Finding: with the first edge held, one limit fits the three values of the paper, which "
     "states "
     "neither its rod nor its limit: 0.2 % of the length, chosen for this fit, gives 30 for 24 "
     "with "
     "clothoids, 72 for 70 with helices, 919 for 1000 with discrete rods. The second-order clamp "
     "alone reduces these 919 to 241, and at 0.5 % it reduces 387 to 153; the curvature is worth a "
     "factor of 1.8 once the clamp no longer dominates, in favour of the tangent here. Expected "
     "degrees of freedom are those measured when this check was written.",
     check_curled_clamp},
    {"curled-cost",
     "The same rod unwinds undamped for a second in steps of 11 ms by the default integrator: time "
     "per step against degrees of freedom, and the accuracy at rest against time (Fig. 9, middle "
     "and right). Times are of this machine and have no bounds. In the paper chains cost O(N³), "
     "here "
     "O(N).",
     check_curled_cost},
    {"chain-cantilever",
     "The heavy cantilever over seven decades of Γ = ρSgL³/EI, by clothoids and by circles or "
     "helices, planar and spatial: the error of the tip falls at fourth and at second order once "
     "the clamp's layer L/√Γ is resolved, N ≥ 2√Γ; and the errors of few elements.",
     check_chain_cantilever},
    {"chain-tip-load",
     "A weightless clamped chain under a vertical load at its tip, against the elliptic integrals.",
     check_chain_tip_load},
    {"chain-supports",
     "A heavy chain between two supports, level or not, pinned or clamped horizontally by "
     "constraints, over five decades of Γ: the position of its middle and the thrust. Orders and "
     "errors "
     "where elements resolve the ends' layers, N ≥ 2√Γ.",
     check_chain_supports},
    {"chain-euler",
     "A compressed chain past buckling, pinned and clamped by constraints, up to 40 % shortening: "
     "thrust and deflection against the elastica.",
     check_chain_euler},
    {"clamps",
     "A naturally curved rod, drawn straight and clamped at its start or at its end, by every "
     "model: "
     "at rest it is an arc that leaves the clamp along the drawn tangent. The place of its free "
     "end, "
     "and the displacement of that end by a small force, against closed forms; both errors are of "
     "second order.",
     check_clamps},
    {"bend-twist",
     "A planar curl hanging from a vertical clamp leaves its plane when it grows too heavy for its "
     "curl, and one unrolled by its weight when it grows too light: the weights at which the "
     "planar "
     "equilibrium first has unstable directions in space, by bisection along each branch.",
     check_bend_twist},
    {"chain-beam-frequencies", "Small bending vibrations of a clamped chain.",
     check_chain_beam_frequencies},
    {"chain-torsion-frequencies", "Small torsional vibrations of a clamped chain.",
     check_chain_torsion_frequencies},
    {"chain-hanging-frequencies",
     "Small swings of a hanging chain without stiffness to speak of: zeros of the Bessel function. "
     "(Bending has a layer of L/√Γ = L/31623 at the pin, which nothing resolves: no order.)",
     check_chain_hanging_frequencies},
    {"chain-ring-frequencies",
     "A naturally round ring, closed by constraints between the chain's ends, floating: the lowest "
     "three of its vibrations in its plane and out of it, GJ = 2/3 EI.",
     check_chain_ring_frequencies},
    {"swing-energy",
     "A straight rod, 1 m long and 1 cm thick, of 1000 kg/m³ and 6 MPa, is released horizontally "
     "and swings undamped for 10 s at fixed steps of 11 ms (Fig. 8a of the 2013 paper): 5 "
     "clothoids, 6 helices (as many unknowns) and 50 edges of a discrete elastic rod with elastic "
     "stretch, by every integrator. Energies are relative to the convertible energy: initial minus "
     "equilibrium. A run is lost when a step fails, for example because the energy has doubled. "
     "The "
     "midpoint rule may halve its steps.",
     check_swing_energy},
    {"swing-stability",
     "The 2013 paper (section 8.1) finds helices unstable at 11 ms on this rod, and clothoids and "
     "discrete elastic rods stable even at 33 ms. It gives no material; moduli from 0.1 MPa to 1 "
     "GPa "
     "and 3 to 12 elements were tried. With 6 MPa (w L³/EI = 260) all of this is so for 5 "
     "clothoids and 6 helices, and its first part with 3 to 6 MPa, each model with the step its "
     "authors give it: clothoids with velocity terms implicit to first order (section 7.2), "
     "helices with explicit ones. Finding: with the steps exchanged these clothoids are lost and "
     "these helices are not, so that most of the difference is due to the step. Some is due to the "
     "element: with the implicit terms at 11 ms, 4 to 12 clothoids were stable from 2.5 MPa on, "
     "but 4 helices were lost at 3 to 5 MPa, and 5 at 3 MPa. Near the limit the outcome changes "
     "irregularly with modulus and number of elements: with explicit terms 4 and 6 clothoids last "
     "10 s at 6 MPa, and 6 helices at 1 and 6.5 MPa. At 10 MPa and 11 ms nearly all are stable. "
     "The "
     "last row states the limit of explicit stretching forces, 0.26 ms; no run measures it.",
     check_swing_stability},
    {"endurance",
     "The soft swinging rod and the curled unwinding rod, undamped, for a minute at steps of 33 "
     "ms, with every default. The energy is relative to the convertible energy; that of `midpoint` "
     "includes the inertia of its spin filter.",
     check_endurance},
    {"loops",
     "The base clamped, pinned or free; the other end free, fixed, or joined to the base in "
     "position, "
     "direction and curvature: the fifteen configurations of the 2012 paper's Fig. 4, four "
     "clothoids, planar and spatial, moving for a second. The largest gap of any constraint (m, "
     "rad, "
     "1/m; the rod is 1 m long), and the jumps of the curvature at nodes and across the seam.",
     check_loops},
    {"motion",
     "A horizontal rod is released and swings in the plane: 20 segments, 8 circles and 4 clothoids "
     "look "
     "alike in the 2012 paper's Fig. 7. Their distances to 50 clothoids at the same times, step "
     "2 ms, over a second, and the orders in space.",
     check_motion},
    {"inverse-flowers",
     "Flowers of two clothoids, as in Fig. 5 of the 2012 paper, 1.3 times as stiff as they must "
     "be. "
     "As drawn they sink under their weight; with the natural curvature of equation (22) they are "
     "at "
     "rest, and return after an impulse.",
     check_inverse_flowers},
    {"inverse-bounds",
     "The stiffness at which flowers are stable. The paper's condition (23), EI/ρS > −λ_N/γ_N, is "
     "sufficient; "
     "the sharp one is a generalised eigenvalue. Both against the stiffness at which the number of "
     "unstable directions becomes zero, and against what flowers of other stiffnesses do after a "
     "small push.",
     check_inverse_bounds},
    {0},
};

const validation_suite validation_clothoids = {
    "clothoids", "curvature chains (Bertails-Descoubes 2012, Casati and Bertails-Descoubes 2013)",
    checks};
