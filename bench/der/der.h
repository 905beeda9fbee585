/* Speed of the discrete elastic rods. */
#ifndef CORDAGE_BENCH_DER_H
#define CORDAGE_BENCH_DER_H

#include "bench/bench.h"
#include "validation/rods.h"

extern const bench_suite bench_der;

void bench_scaling(bench *b);
void bench_table1(bench *b);
void bench_drop(bench *b);
void bench_floor(bench *b);
void bench_common_rod(bench *b);

/* The least processor time for a second of the common rod with TR-BDF2 in steps of 5 ms. */
bool common_rod_seconds(bench *b, int edges, double *seconds);

/* Estimated lower bounds, ns per vertex; see floor.c. */
double floor_explicit_step(void);
double floor_newton_iteration(void);

/* bench_ok() for a rod: `status` may come from the call that makes it. */
static inline bool rod_measured(bench *b, const rod *r, cord_status status, const char *what)
{
    return bench_ok(b, r->world, status, what);
}

#endif
