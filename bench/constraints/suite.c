#include "bench/constraints/constraints.h"

static const bench_measurement measurements[] = {
    {"ordering",
     "one system by reverse Cuthill-McKee and banded LU, and by sparse LDLᵀ; sliding rows "
     "renumbered in O(1)",
     bench_ordering},
    {"table1", "the six scenes of [MICADO 2008, Table 1]", bench_scenes},
    {"sliding", "increasing numbers of keyholes and pearls [MICADO 2008, Fig. 7]", bench_sliding},
    {"adding", "adding sliding points to a world, one by one", bench_adding},
    {"rods", "rods welded to bodies [DER 2008, Table 1]", bench_rods},
    {0},
};

const bench_suite bench_constraints = {"constraints", "strands coupled by constraints",
                                       measurements};
