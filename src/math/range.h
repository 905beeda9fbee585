/* The range of the quantities of definitions. */
#ifndef CORDAGE_MATH_RANGE_H
#define CORDAGE_MATH_RANGE_H

#include <math.h>
#include <stdbool.h>

/* Larger values are refused: products of two of them must be finite. */
#define LARGEST_VALUE 1e150
/* The shortest step, s: its square, and those of its halves, must not vanish. */
#define SHORTEST_STEP 1e-100

/* Whether all are numbers of at most that magnitude; `x` may be NULL. */
static inline bool cord__in_range(const double *x, int count)
{
    for (int i = 0; x && i < count; i++)
        if (!(fabs(x[i]) <= LARGEST_VALUE)) return false; /* also of NaN */
    return true;
}

#endif
