/* Observed orders of convergence. */
#ifndef CORDAGE_VALIDATION_FIT_H
#define CORDAGE_VALIDATION_FIT_H

/* p in error ≈ C n^(−p), by least squares on the logarithms; NAN with fewer than two points. */
double fit_order(int count, const double *n, const double *error);

#endif
