/* Speed of curvature chains. */
#ifndef CORDAGE_BENCH_CLOTHOIDS_H
#define CORDAGE_BENCH_CLOTHOIDS_H

#include "bench/bench.h"

extern const bench_suite bench_clothoids;

void bench_element(bench *b);
void bench_frames(bench *b);
void bench_precision(bench *b);
void bench_products(bench *b);
void bench_fig9(bench *b);
void bench_step(bench *b);
void bench_newton(bench *b);
void bench_planar(bench *b);
void bench_dense(bench *b);

#endif
