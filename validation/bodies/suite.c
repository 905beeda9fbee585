/* The checks of bodies, in the order of the report. */
#include "validation/bodies/bodies.h"

static const validation_check checks[] = {
    {"wilberforce",
     "A body on a helical steel spring of fifty turns, tuned such that translation and rotation "
     "are in "
     "resonance (Bergou et al. 2008, Fig. 11): both frequencies of small motions at the loaded "
     "equilibrium, and the period of their beat, against the uniform helix, with a spring "
     "of negligible mass (a thousandth of a gram) and with one of 29 g.",
     check_wilberforce_frequencies},
    {"wilberforce-beat",
     "The same with the heavier spring, pulled down by a centimetre and released: the vertical "
     "motion turns into rotation and back. The beat as seen in most of one: chains "
     "by midpoint, which keeps the energy; the discrete rod, with 48 vertices per turn, by the "
     "default integrator. The reference is the uniform helix.",
     check_wilberforce_beat},
    {"ode-wilberforce",
     "The gallery's pendulum with its weight in the Open Dynamics Engine, guided by a joint of "
     "ODE, as in [DER 2008]: half a beat with it and with a body of Cordage for three "
     "steps. Both frequencies against each other, and how they approach those of small motions. "
     "Without cordage-ode it is not run.",
     check_ode_wilberforce},
    {"torsion-pendulum",
     "A disk on a wire oscillates about its axis: its frequency against √(GJ/Il), whatever the "
     "model and "
     "however few its elements; and the period of large oscillations (0.6 rad), whose error "
     "falls with the square of the step.",
     check_torsion_pendulum},
    {"transducer",
     "Two bodies in bearings twist the rod between them (Bergou et al. 2008, Fig. 6): the lighter "
     "starts to spin, the rod is twisted, drives the heavier, and returns the spin. The "
     "frequency against that of two inertias on a torsion spring GJ/l; the largest share of each "
     "against momentum and energy; the total over twenty exchanges, by midpoint.",
     check_transducer},
    {"tumbling",
     "A body of moments 1 : 2 : 3 spun about its middle axis flips periodically "
     "(Dzhanibekov) while its energy and angular momentum stay. Ten thousand steps of 0.05 rad: "
     "midpoint preserves both; the losses of the others are shown.",
     check_tumbling},
    {"top",
     "A heavy symmetric top, fixed at its tip by coincide, in steady precession without "
     "nutation: the direction of its axis after a quarter of a revolution against the closed form, "
     "for "
     "a range of steps. The slope is the observed order.",
     check_top},
    {"joint-drift",
     "Six bodies hang from each other by a ball, a revolute, a universal joint, a weld, a "
     "prismatic and a cylindrical joint (the last two with springs along them), with initial "
     "velocities such that "
     "they swing and spin for 100,000 steps by the default integrator: the largest residual of "
     "each joint at any time.",
     check_joint_drift},
    {0},
};

const validation_suite validation_bodies = {"bodies", "rigid bodies, joints, bodies on strands",
                                            checks};
