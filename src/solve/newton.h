/* Newton's iteration on the equations of one stage. A stage seeks the increment d from the committed
 * state with
 *
 *     v = c_v d + v̂,     a = c_a d + â,
 *
 * v̂ and â being the predictor terms of its scheme, such that the equations hold and the constraints
 * are met at position level. */
#ifndef CORDAGE_SOLVE_NEWTON_H
#define CORDAGE_SOLVE_NEWTON_H

#include "solve/problem.h"

cord_status cord__newton(problem *w, cluster *s, const stage *t, const newton_limits *limits);

/* The trial state begins at the committed one. `rows`: only rows are evaluated there, and the first
 * stage sets the accelerations. */
void cord__begin_step(problem *w, cluster *s, bool rows);

/* The first guess of a stage of length h: the velocity of the trial persists. */
void cord__predict(problem *w, cluster *s, double h, const stage *t);

/* The predictor of a step in one stage: v̂ = 0, â = a_v v₀. */
void cord__one_stage_predictor(problem *w, const cluster *s, double a_v);

/* q ← q ⊕ scale δ, d ← d + scale δ. */
void cord__move(problem *w, const cluster *s, double scale);

/* The largest fraction of the correction δ that every block admits, at most 1. */
double cord__step_bound(const problem *w, const cluster *s);

/* The largest correction, in units of a small change of its dof, and the block it is in. */
double cord__correction_size(const problem *w, const cluster *s, int *worst);

/* Shared dofs, and dofs that follow from others, in a vector over all dofs. */
void cord__share_dofs(const problem *w, const cluster *s, double *v);

#endif
