/* One linear system of a world, for comparisons of elimination orders and solvers. */
#ifndef CORDAGE_BENCH_CONSTRAINTS_TRIAL_H
#define CORDAGE_BENCH_CONSTRAINTS_TRIAL_H

#include "bench/baselines/cluster_matrix.h"
#include "world/world.h"

/* The matrix of a step of the first cluster, with a right-hand side whose solution is known. */
typedef struct trial {
    memory mem;
    cluster_matrix x;
    sparse_ldl *f;
    double *value;                   /* per entry */
    const int *inverse;              /* the order of the banded solver, */
    int width;                       /* and its half-bandwidth */
    double *band, *b, *u, *residual; /* the system of both solvers */
    int *pivot;
} trial;

/* Reads the matrix; the banded solver has the reverse Cuthill-McKee order. Free it also after a
 * failure. */
cord_status trial_make(cord_world *w, trial *t);
void trial_free(trial *t);

/* Gives the banded solver another order. */
cord_status trial_set_order(trial *t, const int *inverse);

bool trial_solve_sparse(const trial *t);
bool trial_solve_band(const trial *t);
/* Of the last solution, over the right-hand side. */
double trial_residual(const trial *t);
/* The smallest processor time of several repetitions, s; fewer of them when they take long. */
double trial_time(const trial *t, bool (*solve)(const trial *t));

#endif
