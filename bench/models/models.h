/* Speed of the strand models beside each other. */
#ifndef CORDAGE_BENCH_MODELS_H
#define CORDAGE_BENCH_MODELS_H

#include "bench/bench.h"

extern const bench_suite bench_models;

void bench_model_costs(bench *b);

#endif
