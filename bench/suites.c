/* The list of suites. */
#include "bench/bench.h"
#include "bench/cables/cables.h"
#include "bench/clothoids/clothoids.h"
#include "bench/der/der.h"
#include "bench/relations/relations.h"

const bench_suite *const bench_suites[] = {
    &bench_der, &bench_clothoids, &bench_relations, &bench_cables, NULL,
};
