#include "bench/cables/cables.h"

static const bench_measurement measurements[] = {
    {"table2", "chains of pulleys that do not turn (the 2011 paper's Table 2)", bench_pulley_chain},
    {"rotating", "1024 pulleys that turn with the rope", bench_rotating_pulleys},
    {0},
};

const bench_suite bench_cables = {"cables", "cables through machines", measurements};
