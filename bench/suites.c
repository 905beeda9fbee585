/* The list of suites. */
#include "bench/bench.h"
#include "bench/der/der.h"

const bench_suite *const bench_suites[] = {
    &bench_der,
    NULL,
};
