/* Random values, the same in every run, and a dense solver to compare with. */
#ifndef CORDAGE_TESTS_NUMBERS_H
#define CORDAGE_TESTS_NUMBERS_H

#include <math.h>
#include <stdint.h>

/* Uniform in [-1, 1]: a fixed sequence for a fixed seed (xorshift64*). */
static inline double random_number(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12, x ^= x << 25, x ^= x >> 27;
    *state = x;
    return (double)((x * UINT64_C(2685821657736338717)) >> 11) / 4503599627370496.0 - 1;
}

static inline int random_below(uint64_t *state, int n)
{
    int k = (int)((random_number(state) + 1) / 2 * n);
    return k < n ? k : n - 1;
}

static inline void random_vector(uint64_t *state, int n, double *x)
{
    for (int i = 0; i < n; i++) x[i] = random_number(state);
}

static inline void random_unit(uint64_t *state, double *u)
{
    double n;
    do {
        random_vector(state, 3, u);
        n = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    } while (n < 0.1 || n > 1);
    for (int i = 0; i < 3; i++) u[i] /= n;
}

/* Dense A x = b by Gaussian elimination with partial pivoting; A by rows, destroyed; b becomes x. */
static inline void dense_solve(int n, double *a, double *b)
{
    for (int k = 0; k < n; k++) {
        int p = k;
        for (int i = k + 1; i < n; i++) p = fabs(a[i * n + k]) > fabs(a[p * n + k]) ? i : p;
        for (int j = 0; j < n; j++) {
            double t = a[k * n + j];
            a[k * n + j] = a[p * n + j], a[p * n + j] = t;
        }
        double t = b[k];
        b[k] = b[p], b[p] = t;
        for (int i = k + 1; i < n; i++) {
            double f = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= f * a[k * n + j];
            b[i] -= f * b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}

#endif
