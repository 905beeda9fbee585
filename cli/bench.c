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
    "  --json               print rows for machines\n"
    "  --report DIR         write a page with all rows, and cost against size for every model\n"
    "  --pyelastica DIR     a checkout of PyElastica, for `cordage bench peers`",
    NULL,
    cordage_bench,
};
