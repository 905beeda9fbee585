/* Anderson acceleration of a fixed-point iteration: see anderson.c. */
#ifndef CORDAGE_MATH_ANDERSON_H
#define CORDAGE_MATH_ANDERSON_H

#include <stdbool.h>

typedef struct anderson {
    int depth;  /* pairs at most */
    int count;  /* of pairs */
    bool begun; /* a last correction exists, and a step computed from it */
    double *weight, *last, *step;
    double *difference, *correction; /* pairs, consecutive */
} anderson;

/* Replaces a correction of n unknowns, in x, by the accelerated step. A caller that takes another step sets `step`. Clear
 * `count` and `begun` to discard the history. */
void cord__anderson_accelerate(anderson *a, int n, double *x);

#endif
