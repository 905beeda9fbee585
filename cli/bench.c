#include "bench/bench.h"

#include "cli.h"

/* Options and help are the suite's own. */
const command bench_command = {
    "bench",
    "[SUITE ...] [options]",
    "Measures speed",
    "Options:\n"
    "  --list               list the suites and their benchmarks\n"
    "  --only NAME          run this benchmark alone\n"
    "  --quick              fewer repetitions\n"
    "  --json               print rows for machines",
    NULL,
    cordage_bench,
};
