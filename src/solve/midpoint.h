/* The energy-keeping integrator: the implicit midpoint rule with discrete gradients. */
#ifndef CORDAGE_SOLVE_MIDPOINT_H
#define CORDAGE_SOLVE_MIDPOINT_H

#include "solve/problem.h"

/* q½ = q₀ ⊕ d/2 and q₁ = q₀ ⊕ d, with their caches. */
void cord__set_midpoint(problem *w, const cluster *s);

cord_status cord__midpoint_solve(problem *w, cluster *s, double h);

/* The velocities of inertial coordinates at the end of the step: midpoint_ops.end_velocities. */
cord_status cord__midpoint_project(problem *w, cluster *s, double h);

#endif
