/* Checks of a cable's equations against differences of its energies and rows, in a state of the cable's own with
 * random velocities. */
#ifndef CORDAGE_TESTS_CABLE_BENCH_H
#define CORDAGE_TESTS_CABLE_BENCH_H

#include "strand/cable/cable.h"

enum {
    BENCH_MOST = 150,     /* columns, rows */
    BENCH_NUMBERS = 1200, /* of a configuration, or a cache */
    BENCH_EXTRAS = 40000,
};

cord_body bench_box(cord_world *w, double mass, double x, double y, double z);
/* A point on a body, or, with NULL, of the world, its frame turned by a vector; NULL: as it is. */
cord_point bench_place(cord_world *w, const cord_body *body, double x, double y, double z,
                       const double turn[3]);
/* The same of one that surely is on a body, or surely is not. */
cord_point bench_on(cord_world *w, cord_body body, double x, double y, double z,
                    const double turn[3]);
cord_point bench_still(cord_world *w, double x, double y, double z, const double turn[3]);

/* A straight rod of `der`, 64 vertices at most. */
cord_strand bench_rod(cord_world *w, int vertices, const double from[3], const double to[3]);

typedef struct bench {
    const cable *c;
    const block *b;
    environment env;
    double *q, *cache, *v, *a, *lambda;
    const double *side;
} bench;

void put_up(cord_world *w, cord_strand handle, bench *t);
/* Pairs of unknowns of shape.extra_entries; of any pair there may be many. */
const int *bench_extras(const bench *t);
/* Along a motion d of all columns, what it rides on included. */
void bench_moved(const bench *t, const double *d, double by, double *q);
block_energy energy_of(const bench *t, const double *q, const double *v);

/* At rest: the force is the derivative of the potential. */
void bench_potentials(const bench *t);
/* Lagrange: d/dt ∂T/∂v − ∂T/∂q. */
void bench_motion(const bench *t);
/* Rates of rows, and the power of their multipliers. */
void bench_rows(const bench *t);
/* What the matrix has with c_a: how forces grow with accelerations, and ρ BᵀB of rows, none of which may be
 * that of a length: the cable is elastic. */
void bench_masses(const bench *t);
/* What it has with c_k, of an elastic cable of straight segments: how forces change with places, of turns the symmetric
 * part; but for material coordinates. */
void bench_stiffness(const bench *t);

/* A cable of straight and curved segments on guides of every kind, of two bodies and the world, or of the world
 * alone; 12 m. */
cord_strand bench_crowd(cord_world *w, bool alone);
/* As bench_moved(), with its cache. */
void bench_moved_to(const bench *t, const double *d, double by, double *q, double *cache);
/* The jet of an attachment, on all columns. */
void bench_jet(const bench *t, const double *q, const double *cache, const attachment *at,
               measure what, double value[9], double J[BENCH_MOST][3]);
/* Of what `stiffen` adds, d · A d. */
double bench_form(const bench *t, const double *cache, const attachment *at, measure what,
                  const double force[3], const double *d);

#endif
