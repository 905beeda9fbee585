/* The checks of contact, in the order of the report. */
#include "validation/contact/contact.h"

static const validation_check checks[] = {
    {"contact-capstan",
     "A rope wound round a fixed cylinder as a helix is pulled at one end and has a constant load "
     "at "
     "the other: the ratio of tensions is e^(μφ) with contact at the centreline. With contact at "
     "the surface friction acts at the radius R of the cylinder, tension at R + ρ, and it is "
     "e^(μφR/(R + ρ)), up to μ²ρ/R of the exponent. The polygon of the discrete rod adds "
     "π²/3n² of the exponent, n being the edges of a turn.",
     check_contact_capstan},
    {"pushed-rod",
     "A weightless rod, clamped vertically at its upper end, stands on a plane; the clamp is "
     "lowered. "
     "The tip sticks until the equilibrium of the bent rod needs more than the friction there is, "
     "and "
     "then jumps: the fraction of the length by which the clamp is lowered at that moment, against "
     "the elastica.",
     check_pushed_rod},
    {"log-pyramid",
     "Logs, rods of four edges, lie in pyramids on a floor. Three of them stay there where μ is "
     "above "
     "tan 15°, and roll apart below. Ten of them between two walls, μ = 0.5, do not move: "
     "contacts, "
     "many more than determine the forces, stick.",
     check_log_pyramid},
    {"pile-at-rest",
     "Ten logs lie crosswise in five layers of two, on points of contact, and do not move.",
     check_pile_at_rest},
    {"contact-mass-ratios",
     "A log of 1 to 10⁴ times their mass lies on two others between walls. Nothing moves, and "
     "floor "
     "and walls bear the weight of all.",
     check_mass_ratios},
    {"coulomb",
     "Coulomb's conditions contact by contact, after every step, and energy that never grows: a "
     "strand "
     "of every model that falls across a cylinder onto the floor, and a heap of rods.",
     check_coulomb},
    {"contact-energy",
     "Energy never grows without drive: strands of models, sizes, stiffnesses, friction and steps "
     "at random that "
     "fall on a cylinder and the floor.",
     check_contact_energy},
    {"solids",
     "Bodies: a sphere rolls down a slope with 5/7 g sin α; a box sticks or slides with g (sin α − "
     "μ "
     "cos α) at tan α = 0.98 μ and 1.02 μ; a tall one topples where tan α exceeds width over "
     "height; a "
     "stack of boxes stays where it is.",
     check_solids},
    {"loose-knots",
     "Overhand knots of three and five crossings on a long rod of radius a that is pulled by T, "
     "with a loop of radius R (Audoly, Clauvelin and Neukirch 2007): for ε = √(a/R) → 0, "
     "extrapolated from two radii, T R²/B = 1/2 without friction, and the contact forces add up to "
     "P = σ B/(R²ε), where σ follows from the boundary-value problem of the braid, solved "
     "independently. Friction adds μP to the tension of a knot that is tightened.",
     check_loose_knots},
    {"contact-losses",
     "Energy that the time integration of contacts dissipates, beside the same motion without "
     "contact: a rope that lies on a smooth peg and swings, against a pendulum; a ring that falls "
     "on "
     "a smooth floor and bounces off, against its slowest vibration; a rod that rolls down a "
     "slope, "
     "against its fall.",
     check_contact_losses},
    {"quasi-static-slip", "The pushed rod in steps that end in equilibrium with Coulomb friction.",
     check_quasi_static_slip},
    {"twining",
     "A planar rod of natural curvature ρ/R, five clothoids, lies round a smooth disk of radius R: "
     "its end leaves the disk and touches it again with the tip. Force, position and angle of the "
     "tip, "
     "stability, and the largest ρ for which the tip holds on, against the elastica.",
     check_twining},
    {"raised-end",
     "A heavy rod lies on a smooth floor, and one end is raised by δ: the rod leaves the floor at "
     "the distance (24 EI δ/w)^¼, small slopes.",
     check_raised_end},
    {"plectoneme",
     "A twisted rod under tension F has wound round itself. Angle and radius of its helices and "
     "its torque, against the equilibrium of a "
     "plectoneme of infinite length without friction: F = (B/r²) sin⁴α (1/2 + 1/cos 2α), M = "
     "(2B/r) cos α sin³α/cos 2α.",
     check_plectoneme},
    {"coiling",
     "A rope is fed through a vertical guide at the height H and coils on the floor: the radius "
     "U/Ω of its coils, from the speed U "
     "and the rate Ω, against the boundary-value problem of the elastica with weight and inertia "
     "that is at rest in a rotating "
     "frame between guide and floor: in the elastic regime (small H), in that of gravity, and with "
     "inertia.",
     check_coiling},
    {"tangle",
     "Guarantee mode: twenty strands tumble in a box, driven by gravity that turns. After every "
     "step a test that shares no code with the "
     "library looks for edges that have passed through others.",
     check_tangle},
    {"contact-gallery",
     "Coulomb's conditions contact by contact, after every step, in every scene of "
     "gallery/contact (with --complete those of long/ too): no force outside of the cone, no "
     "sticking contact that moves, no slipping contact off the cone or against its slip, relative "
     "to the largest force and to the larger "
     "one of the largest slip and g times a step; and energy that never grows where nothing drives "
     "the scene.",
     check_contact_gallery},
    {0},
};

const validation_suite validation_contact = {
    "contact", "contact with Coulomb friction: obstacles, strands and knots", checks};
