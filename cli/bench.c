#include "bench/bench.h"

#include "cli.h"

/* The suite parses them. */
static const option options[] = {
    {"--list", NULL, "list the suites and their benchmarks", NULL},
    {"--only", "NAME", "run this benchmark alone", NULL},
    {"--quick", NULL, "fewer repetitions", NULL},
    {"--json", NULL, "print rows for machines", NULL},
    {"--report", "DIR", "write a page with all rows, and cost against size for every model", NULL},
    {"--pyelastica", "DIR", "a checkout of PyElastica, for `cordage bench peers`", NULL},
    {NULL, NULL, NULL, NULL},
};

const command bench_command = {
    "bench", "[SUITE ...] [options]", "Measures speed", NULL, options, cordage_bench,
};
