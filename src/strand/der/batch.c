/* Discrete elastic rods of equal shape, several to a vector: batch_ops. */
#include "math/vec3.h"
#include "strand/der/der.h"
#include "strand/der/joint.h"

#include <string.h>

#define ROW_PROXIMAL 1e-11 /* as PROXIMAL of solve/problem.h */

static inline bool has_drag(const der *d)
{
    return d->drag > 0 || d->quadratic_drag > 0;
}

#define LANES 4 /* BATCH_LANES */
#define NAME(name) name##_4
#include "math/lane_type.h"
#include "strand/der/frame_kernel.h"
#include "strand/der/joint_kernel.h"
#include "strand/der/batch_kernel.h"
#undef LANES
#undef NAME

/* The functions of batch_ops, each in the variants of the processor. */
#define BATCH_VARIANTS(name, parameters, arguments)                                                \
    void cord__der_batch_##name parameters;                                                        \
    MULTIVERSION_AVX2(cord__der_batch_##name, batch_##name##_4, parameters, arguments)

BATCH_VARIANTS(begin, (const batch_lanes *b), (b))
BATCH_VARIANTS(set_environment, (const batch_lanes *b), (b))
BATCH_VARIANTS(assemble, (const batch_lanes *b, int first, int count, double *columns),
               (b, first, count, columns))
BATCH_VARIANTS(measure, (const batch_lanes *b, batch_size *size), (b, size))
BATCH_VARIANTS(move, (const batch_lanes *b, unsigned moving, const double *fraction),
               (b, moving, fraction))
BATCH_VARIANTS(row_rates, (const batch_lanes *b), (b))

static bool supports(const void *model)
{
    const der *d = model;
    return !d->closed;
}

static bool equal(const void *first, const void *second)
{
    const der *a = first, *b = second;
    bool same = a->n == b->n && a->inextensible == b->inextensible &&
                a->dynamic_twist == b->dynamic_twist && a->isotropic == b->isotropic &&
                a->form.linear == b->form.linear && a->form.quadratic == b->form.quadratic &&
                a->frame_count == b->frame_count && has_drag(a) == has_drag(b) &&
                (a->damping > 0) == (b->damping > 0);
    for (int p = 0; same && p < a->frame_count; p++)
        same = a->frame[p].vertex == b->frame[p].vertex;
    return same;
}

static int count(const void *model)
{
    const der *d = model;
    return OF_ROD_4 + d->n * OF_VERTEX_4 + (d->n + 2 * d->frame_count) * OF_JOINT_4 +
           d->edges * OF_EDGE_4 + RING_4 * (int)(sizeof(strip_joint_4) / sizeof(real_4)) +
           1; /* to be aligned */
}

const batch_ops cord__der_batch = {.supports = supports,
                                   .equal = equal,
                                   .count = count,
                                   .begin = cord__der_batch_begin,
                                   .set_environment = cord__der_batch_set_environment,
                                   .assemble = cord__der_batch_assemble,
                                   .measure = cord__der_batch_measure,
                                   .move = cord__der_batch_move,
                                   .row_rates = cord__der_batch_row_rates};
