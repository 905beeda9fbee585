/* Speed of strands that constraints tie together. */
#ifndef CORDAGE_BENCH_CONSTRAINTS_H
#define CORDAGE_BENCH_CONSTRAINTS_H

#include "bench/bench.h"

extern const bench_suite bench_constraints;

void bench_ordering(bench *b);
void bench_scenes(bench *b);
void bench_sliding(bench *b);
void bench_rods(bench *b);

/* ---- tied.c: what the scenes are made of ------------------------------------------------------- */

/* The first failure stays, and everything after it does nothing. */
typedef struct tied {
    cord_world *world;
    const char *model;
    cord_status status;
} tied;

/* Linearised backward Euler on one thread. */
tied tied_begin(const char *model);

/* A strand through `count` places on a curve over 0 to 1: as many control points, or vertices. */
typedef void (*tied_curve)(const void *how, double u, double place[3]);
cord_strand tied_rope(tied *t, int count, tied_curve curve, const void *how, double radius);
cord_strand tied_line(tied *t, int count, const double from[3], const double to[3], double radius);
double tied_length(tied *t, cord_strand rope);

cord_point tied_on(tied *t, cord_strand rope, double s);
cord_point tied_sliding(tied *t, cord_strand rope, double s);
cord_point tied_place(tied *t, const double place[3]);
void tied_relate(tied *t, const char *kind, cord_point first, cord_point second);
void tied_hold(tied *t, cord_strand rope, double s); /* the place only */
void tied_clamp(tied *t, cord_strand rope, double s);
/* A mass that slides, as heavy as a ball of this radius. */
cord_point tied_pearl(tied *t, cord_strand rope, double s, double radius);
/* A ball of this radius, and its centre tied to a point. */
cord_body tied_ball(tied *t, const double place[3], double radius);
void tied_thread(tied *t, cord_body ball, cord_point on);

/* What a step costs, in processor time of this thread: the least mean of several batches of steps.
 * Steps after which a point has come to another piece of its strand, so that the islands are made
 * anew, are counted apart. */
typedef struct tied_cost {
    double step, crossing;                /* s; crossing: mean, NAN when there is none */
    double forces, solve, project;        /* s per step, by the clock, of the least batch */
    double crossings;                     /* of all steps, a fraction */
    double newton, projections, halvings; /* per step */
    int unknowns, rows;
} tied_cost;
void tied_time(tied *t, double h, int warm_up, int batches, int steps, tied_cost *cost);

#endif
