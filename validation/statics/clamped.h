/* A clamped rod of any model for checks of equilibria: L = mass per length = 1, naturally of constant curvature. */
#ifndef CORDAGE_VALIDATION_STATICS_CLAMPED_H
#define CORDAGE_VALIDATION_STATICS_CLAMPED_H

#include "validation/rods.h"
#include "validation/validation.h"

/* A model, with the number of its elements in a coarse mesh; a fine mesh has twice as many. */
typedef struct clamped_model {
    const char *name;
    int elements;
} clamped_model;

enum { CLAMPED_MODELS = 5 };
extern const clamped_model clamped_models[CLAMPED_MODELS];

/* The start points along the tangent; the second director is normal to the vertical plane of the tangent, so that a
 * positive curvature about it bends a horizontal rod down. */
typedef struct clamped_plan {
    const char *model;
    int elements;
    double below;           /* angle of the clamp below horizontal, rad */
    double bending[2];      /* about the first director, about the second; 0: 1 */
    double twisting;        /* 0: 1 */
    const double *director; /* the first; NULL: in the vertical plane */
    bool planar;            /* of chains */
} clamped_plan;

/* A straight rod, clamped at its start, without gravity. */
cord_status clamped_make(const clamped_plan *plan, rod *r);

/* Sets the natural curvature in steps from `from` to `to`, each an equilibrium. */
cord_status clamped_bend(rod *r, const double from[3], const double to[3], double step);

/* The equilibrium at a weight Γ, gravity −z. */
cord_status clamped_weigh(rod *r, double gamma);

/* ---- thresholds by bisection along a planar branch ---------------------------------------------------- */

/* Two rods of one plan: the first is stiff out of its plane and in twist, so that its equilibria stay in the plane; the
 * second has the stiffnesses of the plan, and takes over the state of the first for a count of unstable directions. By
 * symmetry that state is an equilibrium of both. */
typedef struct clamped_pair {
    rod planar, space;
    cord_load end[2]; /* where there is a load at the end */
} clamped_pair;

cord_status clamped_pair_make(const clamped_plan *plan, bool load_at_end, clamped_pair *pair);
void clamped_pair_free(clamped_pair *pair);

/* Takes the planar rod to an equilibrium at a load, from its present state. */
typedef cord_status clamped_load(clamped_pair *pair, double load);

/* The load between `stable` and `unstable` at which unstable directions appear, to a relative precision. The planar rod is
 * in equilibrium at `stable`. */
cord_status clamped_threshold(clamped_pair *pair, clamped_load *go, double stable, double unstable,
                              double precision, double *found);
/* The message of either world belongs to the failed row. */
bool clamped_pair_ok(validation *v, const clamped_pair *pair, cord_status status, const char *what);

#endif
