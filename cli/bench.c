#include "bench/bench.h"

#include "cli.h"

/* Options and help are the suite's own. */
const command bench_command = {
    "bench",
    "[options] [BENCHMARK ...]",
    "Measures speed",
    "cordage bench --help lists its options.",
    NULL,
    cordage_bench,
};
