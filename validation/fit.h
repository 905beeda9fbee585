/* Observed orders of convergence; frequencies of motions. */
#ifndef CORDAGE_VALIDATION_FIT_H
#define CORDAGE_VALIDATION_FIT_H

/* p in error ≈ C n^(−p), by least squares on the logarithms; NAN with fewer than two points. */
double fit_order(int count, const double *n, const double *error);

/* The angular frequencies of x(t) = constant + two sines, by least squares from the guess in
 * `omega`, which must be accurate to a fraction of their difference. NAN without convergence. */
void fit_frequencies(int count, const double *t, const double *x, double omega[2]);

#endif
