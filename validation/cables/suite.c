/* The checks of cables, in the order of the report. */
#include "validation/cables/cables.h"

static const validation_check checks[] = {
    {"compound-balance",
     "A cable passes 2 … 1024 pulleys, alternately on a hanging beam and on a fixed one, to a "
     "counterweight (Highly constrained strands 2011, Table 1). All pulleys rotate with it. The "
     "beam "
     "with its pulleys is M = 1000 kg, the cable λ = 0.01 kg/m, its spans h = 2 m, that of the "
     "counterweight c = 1 m, pulleys are disks of 10 g with radius a = 5 cm. A controller of the "
     "beam's height that begins with M/n on the hook finds the balancing mass: M/n + λ(h − c) + "
     "½πaλ, "
     "the last term for the arcs on the beam's pulleys.",
     check_compound_balance},
    {"compound-acceleration",
     "The same with 1 % more and less than the balancing mass: the acceleration of the "
     "counterweight in "
     "0.2 s, against the equation of the one coordinate, with the inertia of the whole cable and "
     "of all pulleys; and that equation, without them, against the reference.",
     check_compound_acceleration},
    {"atwood",
     "Two weights on a heavy cable over a pulley, frictionless or rotating with it: the fall in "
     "half a second against x₀(cosh ωt − 1).",
     check_atwood},
    {"tackles",
     "Blocks and tackles of 2 … 8 pulleys far from balance: the rise in half a second against the "
     "equation of their one coordinate, which has the weight and the inertia of every span and "
     "arc in it.",
     check_tackles},
    {"carriers",
     "Wheels on bodies that rotate. On a carrier that is hinged about the axis of its drum without "
     "friction the weight falls as on a fixed one, and the carrier stays at rest; a motor and a "
     "brake act on the carrier with the opposite torque; a free gyrostat precesses about its "
     "angular momentum; and a drum on a carrier that translates, rotates about a parallel "
     "axis or about any axis moves as one that is a body on a hinge, with a motor and a brake.",
     check_carriers},
    {"chain-on-table",
     "A chain slides off a table without friction, over a sharp or a round edge, until 91 % of it "
     "hang: the depth of its end against x₀ cosh(t√(g/L)).",
     check_chain_on_table},
    {"nodes",
     "A pen slides on a string (Highly constrained strands 2011, Figs. 2a, 5b), with Eulerian "
     "nodes "
     "alone, with a Lagrangian node in its barrel, and with Lagrangian nodes before and after it: "
     "they are resampled where the string draws them to an Eulerian node (sec. 4.1). The energy "
     "that this changes, over the kinetic energy; and the position of the pen.",
     check_nodes},
    {"gears",
     "Three chains, each from a sprocket to one of twice the radius, drive each other: 8 turns of "
     "the first shaft are one of the last, forwards and back.",
     check_gears},
    {"belts",
     "An inextensible belt round two pulleys, open or crossed, a motor's torque on one and a brake "
     "on the other, for a hundred thousand steps: lengths, gear ratio, and tensions, of which the "
     "mean is kept since nothing else says it.",
     check_belts},
    {"belt-creep",
     "An elastic belt without slip on its pulleys: T₀ ± M/2r, more exactly by the natural length "
     "of "
     "the belt, which does not change; and the creep of the driven pulley, since the incoming "
     "span is stretched less. With friction below its bound T₁ − T₂ = M/r, and the same creep.",
     check_belt_creep},
    {"belt-slip",
     "A motor that is too strong for its belt, by Euler and Eytelwein with what the belt's speed "
     "takes of the tensions; and one that is not.",
     check_belt_slip},
    {"arm",
     "A cable from beside an arm passes a hole in its base and a pulley at its elbow, and holds "
     "its forearm (Highly constrained strands 2011, Fig. 7b). The base rotates by 2 rad: through "
     "a hole in the axis the cable does not run; through one off the axis it does, by what the "
     "geometry says.",
     check_arm},
    {"capstan",
     "A cable round a post with friction, a kilogram at one end: with up to e^μφ kilograms at the "
     "other it holds, with more it slips, and the forces are in just that ratio; from 1.01 to ten "
     "thousand.",
     check_capstan},
    {"sticking",
     "A kilogram and a weight of up to ten thousand on a cable over a post with friction, the "
     "weight moving upwards: it stops after v/a, a = g (M − m/K)/(M + m/K), K = e^μφ, and rises by "
     "v²/2a; then it sticks, M < Km, or falls with g (M − Km)/(M + Km). And a wheel of a "
     "hundred-thousandth of the weights' inertia under a torque that exceeds the bound twice in a "
     "period: it changes between sticking and slipping four times in each.",
     check_sticking},
    {"heavy-ropes",
     "Ropes of 1e-6 to 10 times the weight of their load. At rest the tension is that of all that "
     "hangs below; over a wheel without friction it is that of the accelerated weights and of the "
     "rope to them; on a sheave with friction a ratio of 2.0 of the tensions at the sheave holds "
     "below e^0.3π = 2.566, and more slips, with one segment as with many.",
     check_heavy_ropes},
    {"slack",
     "Atwood's machine whose heavier weight lands: the lighter flies on by v²/2g, falls, and is "
     "caught by the cable, with its restitution; a weight on a string that leaves its circle and "
     "returns to it; a span longer than its distance, and a belt without tension.",
     check_slack},
    {"helix-friction",
     "A rope along a helix on a post with friction: the ratio of the tensions when it slips is "
     "e^μφ, φ = ∫κ ds being the azimuth times the cosine of the slope; with less it holds.",
     check_helix_friction},
    {"geodesics",
     "An elastic cord round a smooth shaft, with up to eight turns and a half (Highly constrained "
     "strands 2011, Fig. 2d): by its route, and from nodes at other heights, in equilibrium it is "
     "straight where the shaft is unrolled; its slope, its tangent points, its fleet angles.",
     check_geodesics},
    {"axial-forces",
     "A cord half round a column that moves along its axis: a groove takes T (sin β₁ + sin β₂), β "
     "the fleet angles, which are known from the geometry; a smooth column takes nothing.",
     check_axial_forces},
    {"grooved-drum",
     "A load on a drum with a helical groove: the rope in its turns, √((2πa)² + p²) each, the "
     "angular acceleration m g k/(I + m k²) with k = √(a² + (p/2π)²), and the tangent point, which "
     "moves along the axis by a pitch in a turn.",
     check_grooved_drum},
    {"bending-supports",
     "A heavy cable with bending stiffness between two supports, that ends in eyelets or comes out "
     "of level tubes, against the elastica (reference 3b): the middle, the thrust, and the order "
     "of convergence in the parts.",
     check_bent_supports},
    {"lift-off",
     "A cable with bending stiffness EI and the tension T stands off a wheel of radius R: it "
     "leaves the wheel where the curvature of the free part reaches 1/R, at the angle φ₀ before "
     "the tangent with sin φ₀/2 = √(EI/T)/2R, from the first integral ½EIκ² = T(1 − cos φ) of the "
     "elastica; and the loads are 2R + EI/TR apart.",
     check_lift_off},
    {"helix-straightens",
     "A helix on a cylinder, without gravity, straightens along it by its own elasticity (Highly "
     "constrained strands 2011, Fig. 5c): its slope against the quadrature of its one equation "
     "of motion, ρl³ψ″/3 = 2EI l cos³ψ sin ψ/a², and its energy.",
     check_helix_straightens},
    {"machine-energy",
     "Machines without friction for ten thousand steps by midpoint: weights on springs over "
     "wheels, a swinging Atwood machine, a tackle, a winch, turns that creep along a shaft, "
     "cylinders that are not parallel.",
     check_machine_energy},
    {"helix-energy",
     "Turns that creep along a shaft, weights swinging, by the implicit integrator: the error of "
     "the energy is "
     "of second order in the step.",
     check_helix_order},
    {"random-machines",
     "Machines at random that nothing drives: one to six pulleys, eyelets and beads, in the world "
     "and on bodies that are guided, hinged or free, between weights, drums, anchors and free "
     "ends; frictionless, without slip and with capstan friction; elastic or not; masses over "
     "three decades. Their energy never grows, at steps of 1, 5 and 20 ms.",
     check_random_energy},
    {"wheel-changes",
     "A body that carries an anchor and a peg, and a bob on a cable that wraps or unwraps the peg, "
     "as a free system. Nodes are inserted and removed there: momentum and the "
     "length of the cable are conserved, and the change of energy is shown. A step that ends a "
     "little "
     "inside the peg is put right by moving things, which is what angular momentum loses. Ropes "
     "with "
     "a free end that run over a wheel and off it; and machines at random.",
     check_pulley_changes},
    {"twist",
     "Cables that carry twist (GJ). From hub to hub over two pulleys in a plane: one hub is "
     "rotated "
     "6.4 times, and the other is held against GJ φ/L at every step. Through eyelets and over a "
     "pulley on bodies that lead it out of its plane, between clamps that do not rotate: the twist "
     "is "
     "the solid angle enclosed by its tangents (Fuller 1978). Two flywheels on a shaft: ω² = "
     "2 GJ/IL, and their energy for ten thousand steps by midpoint.",
     check_twist},
    {"bowden",
     "A cable through tubes of ½, 1½ and 2½ turns, with friction: the ratio of the forces "
     "at "
     "the mouths is e^μφ when it slips, φ being ∫κ ds; with less it holds.",
     check_bowden},
    {"siphon",
     "A chain through a curved tube without friction, both ends hanging: it runs as x₀ "
     "cosh(t√(2g/L)), "
     "whatever the tube's shape, and ½v² is what its mass has sunk by.",
     check_siphon},
    {"cone",
     "An elastic cord on a cone, held at two places, finds the geodesic: a straight line where "
     "the cone is unrolled. Of second order in its segments.",
     check_cone},
    {"sheath",
     "A flexible casing on a filament that 1 kg pulls (Highly constrained strands 2011, Fig. 3): "
     "at "
     "rest a catenary between straight pieces whose slope has the sine M/2m.",
     check_sheath},
    {0},
};

const validation_suite validation_cables = {"cables", "cables over pulleys and guides", checks};
