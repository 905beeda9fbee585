/* Growth at the end of a strand: its definition, and the natural curvature of new material. */
#ifndef CORDAGE_BLOCK_GROWTH_H
#define CORDAGE_BLOCK_GROWTH_H

#include "curve/keyframes.h"

#include <stdbool.h>

typedef struct strand_growth {
    keyframes rate;    /* m/s, as a function of time; no keys: the strand does not grow */
    keyframes natural; /* width 3, 1/m, as a function of the material coordinate in place of time */
    double end[3];     /* the natural curvature where there are no such keys, 1/m */
    double element;    /* an element that is twice as long is divided, m */
    double until;      /* the natural length at which growth ends, m */
    double period;     /* of the rotation of the natural curvature, s; 0: it does not rotate */
    double zone;       /* the length at the end in which it rotates, m */
    double time;       /* up to which the strand has grown, s */
    double left;       /* of the growth of a step, m; 0 between steps */
    bool grew;         /* in the last step */
} strand_growth;

/* ∫ rate dt from g->time, by Simpson's rule, which is exact for a rate that is affine in the step. */
double cord__growth_until(const strand_growth *g, double time);
/* The natural curvature (about the first director, about the second, twist) of material at s in the zone, at the present
 * time of growth: that of the keys, whose first two components rotate by 2π t/period. */
void cord__growth_curvature(const strand_growth *g, double s, double k[3]);
/* Whether that is zero everywhere at all times. */
bool cord__growth_is_straight(const strand_growth *g);
void cord__growth_free(strand_growth *g, memory *m);

#endif
