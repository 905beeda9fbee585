/* The list of suites. */
#include "bench/bench.h"
#include "bench/cables/cables.h"
#include "bench/clothoids/clothoids.h"
#include "bench/der/der.h"
#include "bench/constraints/constraints.h"
#include "bench/contact/contact.h"
#include "bench/models/models.h"
#include "bench/peers/peers.h"

const bench_suite *const bench_suites[] = {
    &bench_der,     &bench_clothoids, &bench_constraints, &bench_cables,
    &bench_contact, &bench_models,    &bench_peers,       NULL,
};
