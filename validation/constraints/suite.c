/* The checks of constraints, in the order of the report. */
#include "validation/constraints/constraints.h"

static const validation_check checks[] = {
    {"constraint-kinds",
     "Every kind of constraint, and combinations of them (fusions, circles, spheres, cylinders, "
     "cones, keyholes, slots, pearls, slip "
     "knots, gaps, gears, racks), with its first point on every strand model, on a planar chain, "
     "on a cable (where a tangent suffices) and on a body, and its second in the world, on a "
     "strand of another model, on a cable and on a body. Both "
     "things hang by one end and swing for 0.12 s in steps of 2 ms. Of all second points the "
     "worst: "
     "the residual of the rows; the fraction of the forces by which the momentum and the angular "
     "momentum of any strand or body, or the force along any coordinate, is not accounted for by "
     "weight, friction and the reported constraint forces; and the rows' derivatives "
     "along random motions against differences. (Joints' drift over 100,000 steps is in the "
     "suite "
     "of bodies.)",
     check_constraint_kinds},
    {"constraint-forces",
     "The order of that residual in the step, for a distance to a fixed point: "
     "two.",
     check_force_order},
    {"bead-on-a-string",
     "A pearl of half the string's mass at 3/10 of a taut string: its lowest three frequencies "
     "against cot ka + cot k(L − a) = (m/μ) k. Where a model can have a corner at the bead the "
     "error falls with the square of the elements, where its curve is smooth with their number.",
     check_bead_on_a_string},
    {"inclined-wire", "A pearl slides down a straight wire: s = ½ g sin α t².",
     check_inclined_wire},
    {"path-trajectories",
     "A point on a path: a ball on a cycloid swings with the same period at every amplitude, s = "
     "s₀ "
     "cos(t √(g/4r)); on a helix it slides down by ½ g t² sin α; in a straight groove of a "
     "turntable it moves outwards as r₀ cosh ωt. By every integrator: the largest distance from "
     "the "
     "closed form, its order in the step, and the distance from the path. Then strands of every "
     "model whose start follows the cycloid without rotation.",
     check_path_trajectories},
    {"bead-on-a-heavy-rope",
     "A bead slides without friction along a heavy rope between two supports at unequal heights. "
     "At rest the tension is the same on either side of the bead, whose weight the two arcs share: "
     "both are arcs of one catenary, and their slope at the bead is half of its weight over the "
     "horizontal force. Every strand model and cables, for a bead of a tenth of the rope's weight, "
     "of its weight, and of ten times as much, which starts 0.1 of the length away. Strands have a "
     "bending stiffness that rounds the corner over three elements, with its own closed form, "
     "since "
     "the corner of a limp polygon or spline catches the bead at a vertex.",
     check_bead_on_a_heavy_rope},
    {"rope-over-an-edge",
     "A rope hangs over an edge, nine smooth holes round a half circle, 8 cm lower on one side, "
     "and slides off, by midpoint: half the difference y of its ends against y₀ cosh(t √(2g/L)), "
     "up to 0.3 L; the energy, and how much of it is in swinging instead of sliding; and the rope "
     "between the outermost holes, into which as much goes as comes out. Elements must be short "
     "and stiff enough for the edge: a limp rope of rigid bars longer than the holes are apart is "
     "off by some per cent (the last rows), and 30 clothoids through 13 holes did not slide.",
     check_rope_over_an_edge},
    {"rough-sliding",
     "Viscous friction of sliding points: a pearl on an inclined wire, m s̈ = m g sin α − c ṡ; a "
     "straight "
     "rope that moves lengthwise through a hole, M v̇ = −c v; a wheel in a bearing; a carriage on "
     "a "
     "rail.",
     check_rough_sliding},
    {"constraint-friction",
     "Viscous friction on the motions that constraints leave free: a ball without weight in a ball "
     "joint, in a plane, "
     "along an axis, round a cylinder, on a sphere, kept upright, on a hinge, on a universal "
     "joint, and across an angle. Its speed falls as e^(−ct/m), its spin as e^(−ct/I); the worst "
     "of all after half a second, two of these times, and the residual of the "
     "energy balance with the work of friction.",
     check_constraint_friction},
    {0},
};

const validation_suite validation_constraints = {
    "constraints", "constraints, sliding points and loads (Theetten and Grisoni 2008)", checks};
