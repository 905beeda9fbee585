#include "bench/cables/cables.h"

static const bench_measurement measurements[] = {
    {"table2", "chains of pulleys that do not rotate [HCS 2011, Table 2]", bench_pulley_chain},
    {"rotating", "1024 pulleys that rotate with the rope", bench_rotating_pulleys},
    {"slack", "the first of them with a rope that slackens", bench_slack_rope},
    {"machines", "the line shaft and compound pulleys [HCS 2011, Fig. 1, 2]", bench_machines},
    {0},
};

const bench_suite bench_cables = {"cables", "cables over pulleys", measurements};
