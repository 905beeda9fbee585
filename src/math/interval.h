/* The interval of an ascending sequence that contains a value, by bisection. */
#ifndef CORDAGE_MATH_INTERVAL_H
#define CORDAGE_MATH_INTERVAL_H

#include <stddef.h>

/* The i, low <= i < high, with x_i <= value < x_{i+1}; the first or last where there is none. x_i is the double `stride`
 * bytes × i after x_0. */
static inline int interval_at(const void *x, size_t stride, int low, int high, double value)
{
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        const void *at = (const char *)x + stride * (size_t)middle;
        if (*(const double *)at <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

#endif
