/* Chains of equal shape, several to a vector: batch_ops. */
#include "block/wind.h"
#include "math/batch.h"
#include "math/vec3.h"
#include "strand/chain/sums.h"

#include <string.h>

#define LANES 4 /* BATCH_LANES */
#define NAME(name) name##_4
#include "math/lane_type.h"
#include "strand/chain/sums_kernel.h"
#include "strand/chain/batch_kernel.h"

/* The functions of batch_ops. With vectors of two doubles they take two to three times as long as the step of one chain. */
#define WIDE(name, parameters, arguments)                                                          \
    void cord__chain_batch_##name parameters;                                                      \
    WIDE_VARIANT(cord__chain_batch_##name, batch_##name##_4, parameters, arguments)

WIDE(begin, (const batch_lanes *b), (b))
WIDE(set_environment, (const batch_lanes *b), (b))
WIDE(coordinates, (const batch_lanes *b, bool jacobians), (b, jacobians))
WIDE(correct, (const batch_lanes *b, unsigned fresh, bool all), (b, fresh, all))
WIDE(measure, (const batch_lanes *b, batch_size *size), (b, size))
WIDE(move, (const batch_lanes *b, unsigned moving, const double *fraction), (b, moving, fraction))
WIDE(end_step, (const batch_lanes *b, double c_a), (b, c_a))

static bool has_drag(const chain_model *c)
{
    return c->drag > 0 || c->quadratic_drag > 0;
}

static bool supports(const void *model)
{
    const chain_model *c = model;
    return cord__has_wide_vectors() && c->kind != ELEMENT_SEGMENT && !c->planar && c->plane < 0 &&
           c->kinematics != CORD_KINEMATICS_SERIES;
}

static bool equal(const void *first, const void *second)
{
    const chain_model *a = first, *b = second;
    bool same = a->kind == b->kind && a->elements == b->elements && a->panels == b->panels &&
                a->rule->n == b->rule->n && has_drag(a) == has_drag(b);
    for (int e = 0; same && e < a->elements; e++) same = a->level[e] == b->level[e];
    return same;
}

static int count(const void *model)
{
    chains_4 x;
    return (int)(lay_out_4(&x, model, NULL) / LANES);
}

const batch_ops cord__chain_batch = {.supports = supports,
                                     .equal = equal,
                                     .count = count,
                                     .begin = cord__chain_batch_begin,
                                     .set_environment = cord__chain_batch_set_environment,
                                     .measure = cord__chain_batch_measure,
                                     .move = cord__chain_batch_move,
                                     .coordinates = cord__chain_batch_coordinates,
                                     .correct = cord__chain_batch_correct,
                                     .end_step = cord__chain_batch_end_step};
