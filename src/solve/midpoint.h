/* The energy-keeping integrator: the implicit midpoint rule with discrete gradients. */
#ifndef CORDAGE_SOLVE_MIDPOINT_H
#define CORDAGE_SOLVE_MIDPOINT_H

#include "solve/problem.h"

/* q½ = q₀ ⊕ d/2 and q₁ = q₀ ⊕ d, with their caches. */
void cord__set_midpoint(problem *w, const cluster *s);

#endif
