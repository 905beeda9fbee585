/* Integrators and the schemes of `implicit`: each is one row of a const table with its operations on an
 * cluster or an island and the properties that the rest of the library asks for. */
#ifndef CORDAGE_SOLVE_INTEGRATOR_H
#define CORDAGE_SOLVE_INTEGRATOR_H

#include "solve/newton.h"

/* Name in scenes, constant, description. */
#define INTEGRATOR_LIST(X)                                                                         \
    X("implicit", CORD_IMPLICIT, "Newton on the scheme")                                           \
    X("symplectic", CORD_SYMPLECTIC, "explicit elastic forces, then fast projection")              \
    X("midpoint", CORD_MIDPOINT, "keeps energy")                                                   \
    X("quasi-static", CORD_QUASI_STATIC, "an equilibrium at the end of every step; no inertia")

#define SCHEME_LIST(X)                                                                             \
    X("tr-bdf2", CORD_TR_BDF2, "second order")                                                     \
    X("backward-euler", CORD_BACKWARD_EULER, "first order, strongly damping")                      \
    X("linearised", CORD_LINEARISED, "one solve per step")                                         \
    X("semi-implicit", CORD_SEMI_IMPLICIT,                                                         \
      "chains: elasticity and damping implicit, the rest explicit, one solve per step")            \
    X("semi-implicit-velocity", CORD_SEMI_IMPLICIT_VELOCITY,                                       \
      "the same with velocity terms implicit to first order")

#define COUNT_ONE(name, constant, about) +1
enum { INTEGRATOR_COUNT = 0 INTEGRATOR_LIST(COUNT_ONE), SCHEME_COUNT = 0 SCHEME_LIST(COUNT_ONE) };
#undef COUNT_ONE

/* Operations on a cluster, and on the clusters of an island together, in a step of length h. */
typedef cord_status cluster_operation(problem *w, cluster *s, double h);
typedef cord_status island_operation(problem *w, const island *of, double h);

/* A stage of a step without its state: its coefficients, the terms of its predictor, and the first guess, over a duration
 * and with weights of the acceleration (cord__predict()). */
typedef struct stage_plan {
    stage stage;
    predictor terms;
    double duration;
    acceleration_weight acceleration;
} stage_plan;

newton_limits cord__stage_limits(const problem *w);

/* The stages of a step, each an iteration: `begin` sets its coefficients and predictor and the first guess. */
struct scheme_ops {
    const char *name;
    void (*begin)(problem *w, cluster *s, double h, int index);
    const iteration_ops *iteration;
    cluster_operation *project;
    int stages;
    /* The same as `begin`, without a state; every stage ends with cord__newton, and the step with the projection of velocities
     * by the last factor. NULL: islands are not stepped in batches (batch.h). */
    stage_plan (*plan)(const problem *w, double h, int index);
    /* Of schemes of one solve, for islands in contact, after `begin`: the increment and the multipliers without contact forces,
     * the former in w->free_d; leaves the trial at the motion that velocities would continue. */
    cluster_operation *free_motion;
    /* The same after contact forces have changed the increment, w->d. NULL: it does not depend on that. */
    cluster_operation *free_motion_again;
    bool one_solve;         /* of equations linearised at the start of the step */
    bool no_sliding_masses; /* it has no velocity terms of point masses on sliding points */
};

/* A step from the committed to the trial state: the stages of `scheme`, or `solve`, find it; `project` puts its
 * velocities (or, in `symplectic`, its positions) onto the rows. */
struct integrator_ops {
    const char *name;
    cluster_operation *start;         /* before the first step, and after a change from outside */
    cluster_operation *change_forces; /* after a change of forces alone; NULL: `start` */
    const scheme_ops *scheme; /* NULL: by `solve`, or, where that is NULL too, problem.scheme */
    cluster_operation *solve,
        *project; /* without stages; project NULL: `solve` leaves nothing to do */
    island_operation *project_contacts; /* `project` of an island with contact forces */
    bool dynamic;                       /* inertia acts: velocities, impacts */
    bool keeps_acceleration;            /* the acceleration at the start enters the step */
    bool newton_active_set;             /* one-sided rows are chosen in Newton's iteration */
    bool
        explicit_forces; /* blocks need a diagonal mass or `accelerate`, massless frames a parent */
    bool halfway;        /* equations are taken half way, rows at the end */
    bool cache_blocked;  /* assembly and factorisation may be cache blocked */
};

extern const integrator_ops cord__integrators[];
extern const scheme_ops cord__schemes[], cord__midpoint_scheme;

/* implicit.c: a step of one cluster so short that a = (v − v₀)/h, with d = h (v + v₀)/2: the second derivatives of rows and of
 * inertial coordinates along the motion, which are accelerations, are then complete, and half of them by d = h v. Rows are met
 * relative to constraint.start. None of the error of the increment is left, which would be one of the acceleration. `may_jump`: d = h v,
 * since forces may change velocities at once. */
cord_status cord__short_step(problem *w, cluster *s, double h, bool may_jump);
/* The momenta of blocks with a momentum balance, after its iteration. */
void cord__end_rotations(problem *w, cluster *s, double h);
/* Whether sections of a strand spin too fast for a step h of the scheme alone (section_spin.c). */
bool cord__spins_fast(const problem *w, const block *b, double h);
/* cord__follow_spin() of these sections. */
void cord__follow_fast_spin(problem *w, const cluster *s, const stage *t, const predictor *f,
                            double h, double before, double duration);

/* start.c: the accelerations after a change of forces, by which velocities are consistent as before. */
cluster_operation cord__change_forces;

/* symplectic.c */
cluster_operation cord__symplectic_start, cord__symplectic_solve, cord__symplectic_project;
island_operation cord__symplectic_project_contacts;

/* The step of one island, phases four and five of the world's step: solve and project, with the impacts
 * at its start; cluster.impact_time tells when the next impact happens in it. */
island_operation cord__island_step;

#endif
