/* Other simulators on the same problems, from checkouts that the user names. */
#ifndef CORDAGE_BENCH_PEERS_H
#define CORDAGE_BENCH_PEERS_H

#include "bench/bench.h"

extern const bench_suite bench_peers;

#endif
