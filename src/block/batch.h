/* Blocks of equal shape that take a step together, one in each lane of a vector (math/batch.h): the operations that
 * solve/batch.c needs of them. Equations, rows and unknowns are those of block.h; only the layout of the arrays differs. */
#ifndef CORDAGE_BLOCK_BATCH_H
#define CORDAGE_BLOCK_BATCH_H

#include "math/batch.h"

struct environment;

/* Arrays are interleaved. Unknowns of the band are in their order of elimination, in whole groups of shape.band_group. */
typedef struct batch_lanes {
    const void *model[BATCH_LANES]; /* a lane that is not used repeats another */
    const struct environment *environment[BATCH_LANES];
    double *q, *lambda; /* of the trial */
    double *d; /* its increment from the committed state: v = c_v d + v̂, a = c_a d + â with */
    double *v_predictor, *a_predictor;
    double *v;                       /* at the end of the step, for row_rates */
    double *rhs;                     /* −r and −g, per unknown */
    double *x;                       /* the correction per unknown; of rows that of −λ */
    double *own;                     /* the block's: batch_ops.count doubles per lane */
    double c_a, c_v;                 /* c_k is 1 */
    const unsigned char *prescribed; /* per dof, as in block */
    double *given;                   /* increments that prescribed dofs still need, per dof */
    /* Inertial coordinates x of the trial, where blocks have some: ẋ = c_v (x − x₀) + v̂ and ẍ = c_a (x − x₀) + â with the
     * values x₀ at the start of the step; their rates at the end of a stage, and v̂, â. */
    double *inertial_x, *inertial_x0, *inertial_v, *inertial_a;
    double *inertial_v_predictor, *inertial_a_predictor;
} batch_lanes;

/* The size of a correction in each lane. */
typedef struct batch_size {
    double largest[BATCH_LANES];      /* in units of a small change of its dof; NaN: not finite */
    double nonlinearity[BATCH_LANES]; /* block_ops.nonlinearity */
    double row_error[BATCH_LANES];    /* of the rows in rhs */
} batch_size;

/* Groups that are assembled at once, and then factored: the code of both is larger than the first cache of instructions. */
enum { BATCH_GROUPS = 6 };

typedef struct batch_ops {
    bool (*supports)(const void *model);
    /* Whether two blocks, both supported and with equal counts and prescribed dofs, have the same code path. */
    bool (*equal)(const void *first, const void *second);
    int (*count)(const void *model); /* doubles of `own` per lane */
    /* Reads the parameters of all models, and fills the cache from q. */
    void (*begin)(const batch_lanes *b);
    void (*set_environment)(const batch_lanes *b); /* reads it */
    /* Sets rhs of groups first, first + 1, … (`count` of them, BATCH_GROUPS but for the last), and their columns where not NULL. Calls are in
     * the order of the groups. */
    void (*assemble)(const batch_lanes *b, int first, int count, double *columns);
    void (*measure)(const batch_lanes *b, batch_size *size);
    /* λ −= x, d += fraction x, q ⊕= fraction x in the lanes of `moving`, a bit for each; and the cache. */
    void (*move)(const batch_lanes *b, unsigned moving, const double *fraction);
    /* −(B v + ∂g/∂t) into rhs, zeros elsewhere. */
    void (*row_rates)(const batch_lanes *b);

    /* Of blocks with a private solver and inertial coordinates, which have no band: instead of `assemble` and `row_rates`. */
    /* inertial_x of the trial; `jacobians`: and what end_step() needs there. */
    void (*coordinates)(const batch_lanes *b, bool jacobians);
    /* The equations at the trial, and their solution x: with a new factor in the lanes of `fresh`, `all` that count, and the last one in
     * others. */
    void (*correct)(const batch_lanes *b, unsigned fresh, bool all);
    /* v onto the rows. c_a > 0, the factor of the mass in the last factor: nearest in momentum to inertial_v, which then
     * becomes (∂x/∂q) v. inertial_x is workspace. */
    void (*end_step)(const batch_lanes *b, double c_a);
} batch_ops;

#endif
