#include "bench/der/der.h"

static const bench_measurement measurements[] = {
    {"floor", "lower bound of the time per vertex, from operation counts", bench_floor},
    {"scaling", "time per vertex and step over the number of vertices", bench_scaling},
    {"table1", "the cases of [DER 2008, Table 1] without contact or bodies", bench_table1},
    {"drop", "the common test rod dropped from horizontal, one second at 5 mm", bench_drop},
    {"common-rod", "the common test rod, one second with TR-BDF2 in steps of 5 ms",
     bench_common_rod},
    {0},
};

const bench_suite bench_der = {"der", "discrete elastic rods", measurements};
