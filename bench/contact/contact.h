/* Measurements of contact. */
#ifndef CORDAGE_BENCH_CONTACT_H
#define CORDAGE_BENCH_CONTACT_H

#include "bench/bench.h"

extern const bench_suite bench_contact;

void bench_contact_knots(bench *b);
void bench_contact_piles(bench *b);
void bench_contact_numbers(bench *b);
void bench_contact_entangled(bench *b);
void bench_contact_hair(bench *b);
void bench_contact_detection(bench *b);

/* Steps a world and adds rows: processor time per step, with a bar where it is above 0, its parts, contacts and sweeps. */
void bench_contact_steps(bench *b, cord_world *w, const char *name, double h, int warm, int steps,
                         double bar);

#endif
