/* Observed orders of convergence; frequencies of motions. */
#ifndef CORDAGE_VALIDATION_FIT_H
#define CORDAGE_VALIDATION_FIT_H

/* p in error ≈ C n^(−p), by least squares on the logarithms; NAN with fewer than two points. */
double fit_order(int count, const double *n, const double *error);

/* The angular frequencies of a motion that is a constant and two sines, by least squares from the guess in
 * `omega`, which must be right to a part of the difference between them. NAN when it does not settle. */
void fit_frequencies(int count, const double *t, const double *x, double omega[2]);

#endif
