/* Checks of a cable's equations against differences of its energies and rows, in a separate
 * state of the cable with random velocities. */
#ifndef CORDAGE_TESTS_CABLE_BENCH_H
#define CORDAGE_TESTS_CABLE_BENCH_H

#include "strand/cable/cable.h"

enum {
    BENCH_MOST = 150,     /* dofs, rows */
    BENCH_NUMBERS = 1200, /* of a configuration, or a cache */
    BENCH_EXTRAS = 40000,
};

cord_body bench_box(cord_world *w, double mass, double x, double y, double z);
/* A point on a body or, with NULL, of the world, its frame rotated by a vector; NULL: not
 * rotated. */
cord_point bench_place(cord_world *w, const cord_body *body, double x, double y, double z,
                       const double turn[3]);
/* The same for a point that must be on a body, or must be in the world. */
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
/* Pairs of unknowns of shape.extra_entries; a pair may occur many times. */
const int *bench_extras(const bench *t);
/* Along a motion d of all dofs, those of the carriers included. */
void bench_moved(const bench *t, const double *d, double by, double *q);
block_energy energy_of(const bench *t, const double *q, const double *v);

/* At rest: the force is the derivative of the potential. */
void bench_potentials(const bench *t);
/* Lagrange: d/dt ∂T/∂v − ∂T/∂q. */
void bench_motion(const bench *t);
/* Rates of rows, and the power of their multipliers. */
void bench_rows(const bench *t);
/* The part of the matrix with c_a: the derivative of the forces with respect to accelerations,
 * and ρ BᵀB of the rows. None of the rows may be that of a length: the cable is elastic. */
void bench_masses(const bench *t);
/* The part with c_k, for an elastic cable of straight segments: the derivative of the forces
 * with respect to positions, for rotations its symmetric part; material coordinates are
 * excluded. */
void bench_stiffness(const bench *t);

/* A cable of straight and curved segments on guides of every kind, of two bodies and the world, or of the world
 * alone; 12 m. */
cord_strand bench_crowd(cord_world *w, bool alone);
/* As bench_moved(), with its cache. */
void bench_moved_to(const bench *t, const double *d, double by, double *q, double *cache);
/* The point Jacobian of an attachment, on all dofs. */
void bench_point_jacobian(const bench *t, const double *q, const double *cache,
                          const attachment *at, measure what, double value[9],
                          double J[BENCH_MOST][3]);
/* d · A d of the matrix that `stiffen` adds. */
double bench_form(const bench *t, const double *cache, const attachment *at, measure what,
                  const double force[3], const double *d);

#endif
