/* Sums in double-double arithmetic: a number is hi + lo, the sum of two doubles [Dekker, A floating-point technique
 * for extending the available precision, 1971]. */
#ifndef CORDAGE_MATH_EXTENDED_H
#define CORDAGE_MATH_EXTENDED_H

/* hi + lo += value. */
static inline void extended_add(double *hi, double *lo, double value)
{
    double sum = *hi + value, part = sum - *hi;
    *lo += (*hi - (sum - part)) + (value - part); /* the rounding error of the sum [Knuth] */
    *hi = sum;
}

#endif
