#include "bench/constraints/constraints.h"

static const bench_measurement measurements[] = {
    {"ordering", "one system by reverse Cuthill-McKee and banded LU, and in Cordage's own order",
     bench_ordering},
    {"table1", "the six scenes of the 2008 paper's Table 1", bench_scenes},
    {"sliding", "more and more keyholes and pearls (its Fig. 7)", bench_sliding},
    {"rods", "rods tied to bodies, of the 2008 paper's on discrete elastic rods", bench_rods},
    {0},
};

const bench_suite bench_constraints = {"constraints", "strands tied by constraints", measurements};
