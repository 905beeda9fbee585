#include "bench/der/der.h"

static const bench_measurement measurements[] = {
    {"floor", "the least time a vertex can take, from operation counts", bench_floor},
    {"scaling", "time per vertex and step against the number of vertices", bench_scaling},
    {"table1", "the cases of the 2008 paper's Table 1 without contact or bodies", bench_table1},
    {"drop", "the common test rod dropped from horizontal, one second at 5 mm", bench_drop},
    {0},
};

const bench_suite bench_der = {"der", "discrete elastic rods", measurements};
