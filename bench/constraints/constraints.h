/* Speed of strands coupled by constraints. */
#ifndef CORDAGE_BENCH_CONSTRAINTS_H
#define CORDAGE_BENCH_CONSTRAINTS_H

#include "bench/bench.h"

extern const bench_suite bench_constraints;

void bench_ordering(bench *b);
void bench_renumbering(bench *b); /* a part of it */
void bench_scenes(bench *b);
void bench_sliding(bench *b);
void bench_adding(bench *b);
void bench_rods(bench *b);

/* ---- tied.c: builder of the scenes -------------------------------------------------------------- */

/* `status` is the first failure; later calls do nothing. */
typedef struct tied {
    cord_world *world;
    const char *model;
    double young; /* of the next rope, Pa */
    cord_status status;
} tied;

/* Linearised backward Euler on one thread. */
tied tied_begin(const char *model);

/* A strand through `count` points on a curve over [0, 1]: as many control points, or vertices. */
typedef void (*tied_curve)(const void *parameters, double u, double position[3]);
cord_strand tied_rope(tied *t, int count, tied_curve curve, const void *parameters, double radius);
cord_strand tied_line(tied *t, int count, const double from[3], const double to[3], double radius);
double tied_length(tied *t, cord_strand rope);

cord_point tied_on(tied *t, cord_strand rope, double s);
cord_point tied_sliding(tied *t, cord_strand rope, double s);
cord_point tied_point(tied *t, const double position[3]);
void tied_constrain(tied *t, const char *kind, cord_point first, cord_point second);
void tied_pin(tied *t, cord_strand rope, double s); /* the position only */
void tied_clamp(tied *t, cord_strand rope, double s);
/* A pearl (sliding point mass) with the mass of a ball of this radius. */
cord_point tied_pearl(tied *t, cord_strand rope, double s, double radius);
/* A ball of this radius, and its centre constrained to a point. */
cord_body tied_ball(tied *t, const double position[3], double radius);
void tied_thread(tied *t, cord_body ball, cord_point on);

/* Cost of a step in processor time of this thread: the smallest mean of several batches of steps.
 * Steps in which a sliding point crosses an element boundary, so that the clusters are rebuilt, are
 * counted apart. */
typedef struct tied_cost {
    double step, crossing;                /* s; crossing: mean, NAN without any */
    double forces, solve, project;        /* s per step of wall-clock time, of the fastest batch */
    double crossings;                     /* fraction of all steps */
    double newton, projections, halvings; /* per step */
    int unknowns, rows;
} tied_cost;
void tied_time(tied *t, double h, int warm_up, int batches, int steps, tied_cost *cost);

#endif
