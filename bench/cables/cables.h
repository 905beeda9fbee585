/* Speed of cables that run through machines. */
#ifndef CORDAGE_BENCH_CABLES_H
#define CORDAGE_BENCH_CABLES_H

#include "bench/bench.h"

extern const bench_suite bench_cables;

void bench_pulley_chain(bench *b);
void bench_rotating_pulleys(bench *b);

/* ---- pulley_row.c: the compound pulley --------------------------------------------------------------- */

/* The first failure stays, and everything after it does nothing. */
typedef struct pulley_row {
    cord_world *world;
    cord_status status;
    cord_body weight; /* the counterweight */
    double began;     /* processor time */
} pulley_row;

/* `count` (even) pulleys in a row, every other one on a beam that hangs in the rope, the others on one that is
 * fixed; the rope's free end carries a counterweight and is on its way down, at about 1 m/s. One thread. */
pulley_row pulley_row_make(int count, bool rotating, cord_scheme scheme);

/* What a step costs, in processor time of this thread: the least mean of several batches of steps. */
typedef struct pulley_row_cost {
    double step, fill, solve;    /* s; fill and solve by the clock, of the least batch */
    double setup;                /* s: making it, and the first step */
    double newton, returns;      /* solves per step; returns to the rows per step */
    double halvings, heap_calls; /* in all */
    int unknowns;
    double sparsity; /* of the matrix: entries over unknowns² */
    double speed;    /* of the free end, at the end of all steps, m/s */
    double fill_in;  /* entries of the factor over those of the matrix's lower triangle */
} pulley_row_cost;
void pulley_row_time(pulley_row *m, double h, int warm_up, int batches, int steps,
                     pulley_row_cost *cost);

#endif
