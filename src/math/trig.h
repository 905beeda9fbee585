/* Sine, cosine and arc tangent that are fast for small angles: frames rotate little in one step,
 * and the C library's functions would be a considerable part of its cost. */
#ifndef CORDAGE_MATH_TRIG_H
#define CORDAGE_MATH_TRIG_H

#include <math.h>

/* Taylor series for |angle| < 1/16, where the first omitted terms are below 1e-17 of the value. */
static inline void sin_cos(double angle, double *s, double *c)
{
    if (fabs(angle) < 0.0625) {
        double x = angle * angle;
        *s = angle * (1 - x * (1 / 6.0) *
                              (1 - x * (1 / 20.0) * (1 - x * (1 / 42.0) * (1 - x * (1 / 72.0)))));
        *c = 1 - x * 0.5 *
                     (1 - x * (1 / 12.0) *
                              (1 - x * (1 / 30.0) * (1 - x * (1 / 56.0) * (1 - x * (1 / 90.0)))));
    } else {
        *s = sin(angle);
        *c = cos(angle);
    }
}

/* atan2(s, c); the Taylor series of atan where s/c is small. */
static inline double angle_of(double s, double c)
{
    if (!(fabs(s) < 0.0625 * c)) return atan2(s, c);
    double x = s / c, y = x * x;
    return x * (1 - y * (1 / 3.0 -
                         y * (1 / 5.0 -
                              y * (1 / 7.0 - y * (1 / 9.0 - y * (1 / 11.0 - y * (1 / 13.0)))))));
}

#endif
