/* Rods for the checks of chains: one strand of any model, given by its number of elements. */
#ifndef CORDAGE_VALIDATION_CLOTHOIDS_CHAINS_H
#define CORDAGE_VALIDATION_CLOTHOIDS_CHAINS_H

#include "validation/rods.h"
#include "validation/validation.h"

typedef struct chain_kind {
    const char *name; /* for rows */
    const char *model;
    bool planar;
} chain_kind;

bool chain_is(const chain_kind *kind, const char *model);

/* Degrees of freedom as the 2013 paper counts them: 3(N + 1) for clothoids, 3N for helices and
 * segments, 4N + 3 for discrete elastic rods; a third of them, or 2(N + 1), in the plane. */
int chain_freedoms(const chain_kind *kind, int elements);

/* Changes a plan of a straight rod in the x–z plane to this kind: `elements` elements, sampled at
 * `samples` + 1 points (der: at its vertices). */
void chain_of(rod_plan *plan, const chain_kind *kind, int elements, int samples);

/* Make a straight rod by such a plan. */
cord_status chain_make(const rod_plan *plan, rod *r);

/* Positions at `samples` + 1 equally spaced fractions of the length, linear between the vertices of
 * the rod; 3 × (samples + 1). */
void chain_sample(const rod *r, int samples, double *x);

/* √(1/L ∫|x − y|² ds) over equally spaced points, by the trapezoidal rule; m. */
double chain_distance(int samples, const double *x, const double *y);

static inline bool chain_ok(validation *v, const rod *r, cord_status status, const char *what)
{
    return validation_ok(v, r->world, status, what);
}

#endif
