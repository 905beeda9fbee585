/* The range of the quantities of definitions. */
#ifndef CORDAGE_MATH_RANGE_H
#define CORDAGE_MATH_RANGE_H

#include <math.h>
#include <stdbool.h>

/* Larger values are refused: products of five of them must be finite, since stiffnesses are products of a modulus and four
 * lengths. */
#define LARGEST_VALUE 1e50
/* The shortest step, s: its square, and those of its halves, must not vanish. */
#define SHORTEST_STEP 1e-100

/* Whether all are numbers of at most that magnitude; `x` may be NULL. */
static inline bool cord__in_range(const double *x, int count)
{
    for (int i = 0; x && i < count; i++)
        if (!(fabs(x[i]) <= LARGEST_VALUE)) return false; /* also of NaN */
    return true;
}

static inline bool is_admissible(double x)
{
    return fabs(x) <= LARGEST_VALUE;
}

#endif
