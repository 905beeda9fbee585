/* Viscous friction on the motion that a constraint leaves free. */
#ifndef CORDAGE_FORCE_VISCOUS_FRICTION_H
#define CORDAGE_FORCE_VISCOUS_FRICTION_H

#include "constraint/constraint.h"
#include "solve/force.h"

/* In `quasi-static` worlds, in the axes of the second point. */
typedef struct friction_step {
    double start[9]; /* position or frame of the first point at the start of the step */
    double constrained[CONSTRAINT_ROWS][3];
    int constrained_count;
    double displacement[3]; /* since then, of the free motion */
    double rate[3];         /* over the last step: the state */
} friction_step;

typedef struct viscous_friction {
    force_term base;
    constraint *owner;
    double coefficient;  /* N s/m, of rotations N m s */
    bool rotational;     /* on the relative rotation; else on the relative translation */
    friction_step *step; /* NULL: no `quasi-static` world */
} viscous_friction;

extern const force_ops cord__viscous_friction;

/* Whether a kind of constraint leaves a motion free that can have friction; the motion, and the measures it needs. */
bool cord__friction_kind(const constraint_ops *ops, bool *rotational, int needs[2]);
/* Whether the constraint is active. The free motion u at velocities v, with ∂u/∂v in B. */
bool cord__friction_acts(const problem *w, const viscous_friction *f);
void cord__friction_rate(const problem *w, viscous_friction *f, const double *q,
                         const double *cache, double time, const double *v, double u[3]);

#endif
