/* Speed of strands that relations tie together. */
#ifndef CORDAGE_BENCH_RELATIONS_H
#define CORDAGE_BENCH_RELATIONS_H

#include "bench/bench.h"

extern const bench_suite bench_relations;

void bench_ordering(bench *b);

#endif
