/* Inverse statics: finds the natural shape for which a strand is in equilibrium, under gravity and its
 * loads, exactly in its present shape; tells whether that equilibrium is stable; and can stiffen the
 * strand until it is. Only chains support it. */
#ifndef CORDAGE_INVERSE_H
#define CORDAGE_INVERSE_H

#include <cordage/strand.h>

CORD_BEGIN

/* Options of inverse statics. */
typedef struct cord_inverse_def {
    bool rotate; /* first rotate the strand about a base that is free to rotate until moments about
                      the base balance; default false */
    bool
        stiffen; /* scale the stiffnesses of an unstable strand until it is stable; default false */
    double margin; /* the applied factor is (1 + margin) times the smallest; default 0.1 */
} cord_inverse_def;

/* The outcome of inverse statics. The stiffness ratio is EI/ρS of the softer bending direction. */
typedef struct cord_inverse_result {
    double residual; /* largest unbalanced moment over weight times length; round-off when the
                                call succeeds */
    double stiffness_ratio; /* EI/ρS of the strand, m⁴/s² */
    double
        sufficient_ratio; /* the equilibrium is stable above this EI/ρS: a sufficient bound, −λ_N/γ_N
                                [Super-clothoids, 2012]; negative: stable for any stiffness; m⁴/s² */
    double sharp_ratio; /* the equilibrium is stable exactly above this EI/ρS, from a generalised
                                eigenvalue problem; negative: stable for any stiffness; m⁴/s² */
    bool stable;        /* with the strand's stiffness after the call */
    double
        stability_factor; /* smallest factor on all stiffnesses that makes the equilibrium stable; 1
                                or less: it is stable already */
    double applied_factor; /* factor by which the call scaled the stiffnesses; 1: none */
} cord_inverse_result;

/* Returns the default options. */
CORD_API cord_inverse_def cord_inverse_def_default(void);

/* Sets the natural shape of a strand so that its present shape is an equilibrium. Constraints at s = 0
 * determine whether the base is clamped, pinned or free; the forces of other constraints are taken as
 * zero. `def` may be NULL: the defaults. `result` may be NULL. Returns CORD_ERROR_UNSUPPORTED for
 * models that are not chains, and CORD_ERROR_UNSTABLE when a base that is free to rotate or move is
 * not balanced (the strand is unchanged then) or when no stiffness makes the equilibrium stable. */
CORD_API cord_status cord_strand_find_natural_shape(cord_world *world, cord_strand strand,
                                                    const cord_inverse_def *def,
                                                    cord_inverse_result *result);

CORD_END

#endif
