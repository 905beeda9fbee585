/* Inside a search for an equilibrium: the trial, steps of descent, and buckling. */
#ifndef CORDAGE_SOLVE_EQUILIBRIUM_H
#define CORDAGE_SOLVE_EQUILIBRIUM_H

#include "solve/problem.h"

/* ---- static_trial.c --------------------------------------------------------------------------- */

/* The range of μ. The least one neither slows an iteration nor leaves a neutral direction to rounding. */
#define LEAST_MU 1e-3
#define MOST_MU 1e12

/* Sets σ of every block, at the trial; and of rigid blocks alone, by the forces of the last evaluation. */
void cord__set_proximal_ratios(problem *w, cluster *s);
void cord__set_rigid_ratios(problem *w, const cluster *s);

stage cord__static_stage(const cluster *s);
/* Computes the equations at the trial, with μG in the matrix. */
void cord__static_evaluate(problem *w, cluster *s, bool matrix, double mu);

/* The largest unbalanced force, multiplier and correction, the last in small changes of dofs with the admissible fraction
 * of it; and the largest motion that prescribed dofs still have to make. */
double cord__static_residual(const problem *w, const cluster *s);
double cord__largest_multiplier(const problem *w, const cluster *s);
double cord__largest_correction(const problem *w, const cluster *s, double *bound);
double cord__prescribed_motion_size(const problem *w, const cluster *s);

void cord__copy_configuration(const problem *w, const cluster *s, const double *from, double *to);
void cord__copy_multipliers(const problem *w, const cluster *s, const double *from, double *to);
void cord__copy_dofs(const problem *w, const cluster *s, const double *from, double *to);
/* Moves the trial by a factor of w->delta; and returns it onto the rows, with the present factor. */
void cord__move_trial(problem *w, const cluster *s, double scale);
void cord__return_to_rows(problem *w, cluster *s);

/* ---- descent.c ---------------------------------------------------------------------------------- */

typedef struct merit {
    double energy;    /* with that of compliant rows */
    double violation; /* Σ |g| of exact rows */
} merit;
/* At the trial, where g and the active set have been assembled. */
merit cord__merit(problem *w, const cluster *s);

/* The state of the iteration between accepted steps. */
typedef struct iteration {
    double mu, used;         /* for the next step, and of the last one */
    double fraction;         /* of the violation of the rows that a step corrects */
    double correction, last; /* of this step and the one before */
    bool neutral;            /* there is a neutral direction */
    int crept; /* steps in a row that were damped and hardly shorter than the one before */
} iteration;

/* A step of descent; and of Newton's method to an equilibrium that may be unstable. */
cord_status cord__descend(problem *w, cluster *s, iteration *it);
cord_status cord__newton_to_equilibrium(problem *w, cluster *s, iteration *it);

/* ---- buckling.c --------------------------------------------------------------------------------- */

/* Leaves an unstable equilibrium, or a configuration beside one, along its mode: by at least `size`, m, and as far as the
 * energy decreases. With `size` 0 only if forces act along the mode. */
typedef enum departure { LEFT, NO_FORCE, NO_MODE } departure;
departure cord__leave_along_mode(problem *w, cluster *s, double size);
/* If the rows contradict each other to first order only: moves the trial along the mode by which it can meet them. */
bool cord__buckle(problem *w, cluster *s);

#endif
