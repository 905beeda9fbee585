#include "bench/relations/relations.h"

static const bench_measurement measurements[] = {
    {"ordering", "one system by reverse Cuthill-McKee and banded LU, and in Cordage's own order",
     bench_ordering},
    {0},
};

const bench_suite bench_relations = {"relations", "strands tied by relations", measurements};
