/* A prepared frictional contact problem, and the parts of its solver. */
#ifndef CORDAGE_SOLVE_CONE_CONE_SYSTEM_H
#define CORDAGE_SOLVE_CONE_CONE_SYSTEM_H

#include "math/anderson.h"
#include "solve/cone/cone.h"
#include "solve/cone/coulomb.h"

#include <stdbool.h>

typedef struct cone_system {
    const cone_problem *problem;
    double *scale;    /* D, one per contact; 0: no force moves the contact */
    double *shift;    /* on the diagonal of W: compliance and proximal term, 3 per contact */
    double *b;        /* with its proximal term */
    double *diagonal; /* the symmetric part of W_ii with `shift`, 9 per contact, for local solves */
    coulomb_contact *local; /* the same, prepared */
} cone_system;

/* ---- cone_system.c -------------------------------------------------------------------------- */

#define CONE_SYSTEM_ROOM(contacts)                                                                 \
    ((16 + sizeof(coulomb_contact) / sizeof(double)) * (size_t)(contacts))

/* Takes CONE_SYSTEM_ROOM doubles of `room`. */
cone_system cord__cone_prepare(const cone_problem *problem, double proximal, double *room);

/* (W p)_i, with `shift`. */
void cord__cone_product(const cone_system *s, const double *p, int contact, double *u);
/* u_i = (W p)_i + b_i */
void cord__cone_velocity(const cone_system *s, const double *p, int contact, double *u);

void cord__cone_project_all(const cone_system *s, double *p);

/* The residual of cone_report, infinite instead of NaN. */
double cord__cone_residual(const cone_system *s, const double *p, int *worst);

/* ---- sweeps.c ------------------------------------------------------------------------------- */

/* Solves the contacts one after another, each exactly with the latest forces of the others. Returns √(Σ|Δp|²/Σ|p|²), about the
 * residual before the sweep. */
double cord__cone_sweep(const cone_system *s, double *p);

typedef struct sweep_history {
    anderson iterates;
    double *change;   /* of p by the last sweep */
    double increment; /* its size */
} sweep_history;

#define SWEEP_HISTORY_ROOM(contacts) (3 * (size_t)(contacts) * (2 * CONE_HISTORY + 4))

sweep_history cord__sweep_history(const cone_system *s, int depth, double *room);

void cord__sweep_history_clear(sweep_history *h);

/* A sweep, whose return value is about the residual before; and its acceleration. */
double cord__cone_begin_sweep(const cone_system *s, sweep_history *h, double *p);
void cord__cone_accelerate(const cone_system *s, sweep_history *h, double *p);

/* ---- alart_curnier.c ------------------------------------------------------------------------ */

/* The equations F(p, u) = 0 of one contact. False where it is open; then F = p. */
bool cord__alart_curnier(const cone_system *s, int contact, const double *p, const double *u,
                         double *F);
/* ∂F/∂p and ∂F/∂u, by rows. */
bool cord__alart_curnier_derivatives(const cone_system *s, int contact, const double *p,
                                     const double *u, double *by_force, double *by_velocity);

/* ---- contact_newton.c ----------------------------------------------------------------------- */

size_t cord__contact_newton_room(int contacts);

/* One damped Newton step on F(p, W p + b) = 0. False where no step reduces |F|; then p stays. Adds to the products. */
bool cord__contact_newton_step(const cone_system *s, double *room, double *p, int *products);

#endif
