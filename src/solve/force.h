/* A force: no rows, no multipliers. A kind of force is one file of src/force/ with one const table. Loads act on the
 * degrees of freedom of one block and are applied before the terms. Forces that couple degrees of freedom of two blocks
 * have entries of their own in the matrix and are terms (block/term.h); they are assembled in the order in which they
 * and the constraints were added. */
#ifndef CORDAGE_SOLVE_FORCE_H
#define CORDAGE_SOLVE_FORCE_H

#include "block/term.h"

typedef struct force_term force_term;

typedef struct force_ops {
    term_ops term; /* `assemble` is required but for loads */

    /* Loads: the residual, and where `matrix` its geometric stiffness; and the work done from the start to the trial. */
    void (*apply)(problem *w, const cluster *s, const stage *t, const force_term *f, bool matrix);
    double (*work)(problem *w, const cluster *s, const force_term *f);

    /* Statics. The potential energy; and the dissipation potential of a quasi-static step, ½ c w²/h over the motion w
     * since its start, which begins and ends with the step. */
    double (*potential)(const problem *w, const force_term *f, const double *q,
                        const double *cache);
    double (*dissipation)(const cluster *s, const force_term *f);
    void (*begin_step)(problem *w, force_term *f);
    void (*end_step)(const cluster *s, force_term *f);

    /* Inertia at inertial coordinates x(q): x at q, ẋ = J v, and momenta += JᵀM ẋ, with J of the last evaluation. And in
     * a fast projection: free motion over h, and the velocity after it. */
    void (*inertial_coordinates)(const problem *w, force_term *f, const double *q,
                                 const double *cache, double *x);
    void (*inertial_rates)(const problem *w, const force_term *f, const double *v, double *rate);
    void (*inertial_momenta)(const problem *w, const force_term *f, const double *rate,
                             double *momentum);
    void (*predict)(problem *w, force_term *f, double h);
    void (*end_projection)(problem *w, const force_term *f, double h);
    /* Energies and momenta of this inertia in `now`; `moving`: the rates of inertial coordinates are available. NULL:
     * it has none. */
    void (*energy)(const problem *w, const force_term *f, bool moving, block_energy *e);

    /* Whether the integrator supports it; if not, the reason. */
    bool (*supported)(const problem *w, const force_term *f, char *why, size_t size);
    /* All that a step or a caller changes, for checkpoints. */
    void *(*state)(force_term *f, size_t *size);
} force_ops;

/* Kinds embed this as their first member. */
struct force_term {
    term term;
    const force_ops *ops;
};

#endif
