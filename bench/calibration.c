/* The calibration loop: LDLᵀ of a small dense matrix, with the operations of a step (multiplications
 * and additions in the first cache, a division per column), in plain C for the baseline processor.
 * It shares no code with the library, so that a faster library does not change it. */
#include "bench/calibration.h"
#include "bench/bench.h"

#include <math.h>

enum { SIZE = 24, FACTORISATIONS = 1000, RUNS = 7 };

/* A processor with AVX2, on which the common rod of 50, 200 and 1000 edges took 0.0356, 0.142 and 0.753 s per simulated second by
 * TR-BDF2 in steps of 5 ms before its kernels were vectorised. The loop models that engine, in baseline code: on another
 * processor (Zen 4), where the loop takes 0.73 to 0.76 of the reference's time, it takes 0.715, 0.72 and 0.706 of these times. */
const double bench_calibration_reference = 2.1e-3;

static void fill(double a[SIZE][SIZE])
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) a[i][j] = i == j ? 2 + 0.01 * i : 1.0 / (1 + i + j);
}

/* The lower triangle becomes L, and the diagonal D. */
static void factor(double a[SIZE][SIZE])
{
    for (int k = 0; k < SIZE; k++) {
        double inverse = 1 / a[k][k];
        for (int i = k + 1; i < SIZE; i++) {
            double l = a[i][k] * inverse;
            for (int j = k + 1; j <= i; j++) a[i][j] -= l * a[j][k];
        }
        for (int i = k + 1; i < SIZE; i++) a[i][k] *= inverse;
    }
}

double bench_calibration(void)
{
    static volatile double sink;
    double a[SIZE][SIZE], best = INFINITY;
    for (int run = 0; run < RUNS; run++) {
        double start = bench_processor_time();
        for (int i = 0; i < FACTORISATIONS; i++) {
            fill(a);
            factor(a);
            sink = a[SIZE - 1][SIZE - 1];
        }
        best = fmin(best, bench_processor_time() - start);
    }
    (void)sink;
    return best;
}
