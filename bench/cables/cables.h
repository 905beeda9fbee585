/* Speed of cables over pulleys. */
#ifndef CORDAGE_BENCH_CABLES_H
#define CORDAGE_BENCH_CABLES_H

#include "bench/bench.h"

extern const bench_suite bench_cables;

void bench_pulley_chain(bench *b);
void bench_rotating_pulleys(bench *b);
void bench_slack_rope(bench *b);
void bench_machines(bench *b);

/* ---- pulley_row.c: the compound pulley --------------------------------------------------------------- */

/* `status` is the first failure; later calls do nothing. */
typedef struct pulley_row {
    cord_world *world;
    cord_status status;
    cord_body weight; /* the counterweight */
    double began;     /* processor time */
} pulley_row;

/* `count` (even) pulleys in a row, alternately on a beam that hangs in the rope and on a fixed
 * beam; the free end of the rope carries a counterweight that moves down at about 1 m/s. Segments bear compression, as in the
 * paper, unless the rope slackens. One thread. */
pulley_row pulley_row_make(int count, bool rotating, bool slackens, cord_scheme scheme);

/* Cost of a step in processor time of this thread: the smallest mean of several batches of steps. */
typedef struct pulley_row_cost {
    double step, fill, solve;    /* s; fill and solve in wall-clock time of the fastest batch */
    double mean;                 /* s: of a step, over all batches */
    double setup;                /* s: construction and first step */
    double newton, projections;  /* per step: solves; projections onto the constraints */
    double halvings, heap_calls; /* in all */
    int unknowns;
    double sparsity; /* of the matrix: entries over unknowns² */
    double speed;    /* of the free end after all steps, m/s */
    double fill_in;  /* entries of the factor over those of the matrix's lower triangle */
} pulley_row_cost;
void pulley_row_time(pulley_row *m, double h, int warm_up, int batches, int steps,
                     pulley_row_cost *cost);

#endif
