/* Integrators and the schemes of `implicit`: each is one row of a const table with its operations on an
 * cluster and the properties that the rest of the library asks for. */
#ifndef CORDAGE_SOLVE_INTEGRATOR_H
#define CORDAGE_SOLVE_INTEGRATOR_H

#include "solve/problem.h"

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

/* A step of a cluster from the committed to the trial state: `solve` finds it, `project` puts its
 * velocities (or, in `symplectic`, its positions) onto the rows. NULL: `solve` leaves nothing to do. */
typedef cord_status cluster_operation(problem *w, cluster *s, double h);

struct integrator_ops {
    const char *name;
    cluster_operation *start; /* before the first step, and after a change from outside */
    cluster_operation *solve, *project;
    bool dynamic;            /* inertia acts: velocities, impacts */
    bool keeps_acceleration; /* the acceleration at the start enters the step */
    bool newton_active_set;  /* one-sided rows are chosen in Newton's iteration */
    bool
        explicit_forces; /* blocks need a diagonal mass or `accelerate`, massless frames a parent */
    bool halfway;        /* equations are taken half way, rows at the end */
    bool cache_blocked;  /* assembly and factorisation may be cache blocked */
};

struct scheme_ops {
    const char *name;
    cluster_operation *solve, *project;
    int stages;             /* linear systems with their own coefficients */
    bool no_sliding_masses; /* it has no velocity terms of point masses on sliding points */
};

extern const integrator_ops cord__integrators[];
extern const scheme_ops cord__schemes[];

/* implicit.c */
cluster_operation cord__implicit_solve, cord__implicit_project;
/* Backward Euler; `relative`: rows are met relative to constraint.start. */
cord_status cord__backward_euler(problem *w, cluster *s, double h, bool relative);

/* symplectic.c */
cluster_operation cord__symplectic_start, cord__symplectic_solve, cord__symplectic_project;

/* The step of one cluster, phases four and five of the world's step: solve and project, with the impacts
 * at its start; s->impact_time tells when the next impact happens in it. */
cord_status cord__island_step(problem *w, cluster *s, double h);

#endif
