/* Inverse statics: the natural shape with which a strand is at rest, under gravity and its loads, just
 * as it is now; whether it is stable there; and what would make it so. Chains only. */
#ifndef CORDAGE_INVERSE_H
#define CORDAGE_INVERSE_H

#include <cordage/strand.h>

CORD_BEGIN

typedef struct cord_inverse_def {
    bool
        rotate; /* a base that may turn: turn the strand about it first, so that it hangs balanced */
    bool stiffen;  /* if unstable: stiffen it by what is needed, times 1 + margin */
    double margin; /* default 0.1 */
} cord_inverse_def;

typedef struct cord_inverse_result {
    double residual; /* the largest unbalanced moment times length afterwards, over the weight times
                        length; round-off if all went well */
    double stiffness_ratio; /* EI/ρS of the softer bending, m⁴/s² */
    /* Stable for EI/ρS above: a sufficient bound (the 2012 paper's −λ_N/γ_N), and the sharp one, from
     * the generalised eigenvalue. Negative: stable however soft. */
    double sufficient_ratio, sharp_ratio;
    bool stable; /* as it is now, after stiffening if that was asked for */
    double
        stability_factor; /* the smallest factor on all stiffnesses that makes it stable; <= 1: none */
    double applied_factor; /* the factor that was applied: 1, or more */
} cord_inverse_result;

CORD_API cord_inverse_def cord_inverse_def_default(void);

/* The strand's base may be clamped, pinned or free as constraints at s = 0 say; forces of its other
 * constraints are taken as zero. CORD_ERROR_UNSTABLE: a base that may turn or move is not balanced
 * (nothing has changed), or no stiffness would keep it. `def` and `result` may be NULL. */
CORD_API cord_status cord_strand_find_natural_shape(cord_world *world, cord_strand strand,
                                                    const cord_inverse_def *def,
                                                    cord_inverse_result *result);

CORD_END

#endif
