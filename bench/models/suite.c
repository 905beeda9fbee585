#include "bench/models/models.h"

static const bench_measurement measurements[] = {
    {"cost", "cost per element and step over the number of elements, for every model",
     bench_model_costs},
    {0},
};

const bench_suite bench_models = {"models", "the strand models beside each other", measurements};
