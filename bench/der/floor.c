/* The floor: a lower bound of the time per vertex, from operations counted by hand and from the
 * rates of this machine, measured here with loops compiled as the library is.
 *
 * Explicit step, isotropic, per vertex, in floating-point operations (a division or square root
 * counts ten, about its cost in issue slots):
 *     edges and their lengths             3 + 5 + 10 + 3                               21
 *     curvature binormal                  9 (cross) + 5 (dot) + 2 + 10 + 3             29
 *     bending force on three vertices     2 × (9 + 9 + 5 + 6) + 9                      67
 *     twist force (holonomy)              2 × 3 × 3 + 9                                27
 *     transport of the reference frame    9 + 5 + 2 + 10 + 9 + 9                       44
 *     gravity, velocity, position         3 × 4                                        12
 *     projection, three iterations of     6 (row) + 6 + 2 × 5 (matrix) + 10 + 6 (solve)
 *                                         + 12 (update) = 50                          150
 *                                                                               total 350
 * and in bytes, reading and writing once: x, v, e, κb, t, two directors, forces (3 doubles each),
 * length, θ, λ, mass and three matrix entries: (24 + 7) × 8 × 2 = 496.
 *
 * One Newton iteration, per vertex (three coordinates, one angle, one multiplier: five unknowns):
 *     gradient and Hessian                                              1100 × 2 =   2200
 *     LDLᵀ at half-bandwidth 12           5 × 12 × 13 =                              780
 *     two triangular solves               5 × 4 × 12 =                               240
 *     residual, retraction, frames                                                   250
 *                                                                              total 3470
 * and in bytes: the band written, factored and read twice, 5 × 13 × 8 × 4 = 2080, and the state as
 * above, 496. */
#include "bench/der/der.h"
#include <stdlib.h>

static const double explicit_operations = 350, explicit_bytes = 496;
static const double newton_operations = 3470, newton_bytes = 2576;

enum { LANES = 16, ROUNDS = 200000 };

/* Operations per nanosecond: independent multiply-adds on values in registers. */
static double operation_rate(void)
{
    double best = 0;
    for (int repeat = 0; repeat < 5; repeat++) {
        double a[LANES];
        for (int k = 0; k < LANES; k++) a[k] = 1 + 0.01 * k;
        double start = bench_now();
        for (int i = 0; i < ROUNDS; i++)
            for (int k = 0; k < LANES; k++) a[k] = a[k] * 0.999 + 0.001;
        double elapsed = bench_now() - start, sum = 0;
        for (int k = 0; k < LANES; k++) sum += a[k];
        volatile double kept = sum; /* so that the loop is not removed */
        (void)kept;
        double rate = 2e-9 * LANES * ROUNDS / elapsed;
        if (rate > best) best = rate;
    }
    return best;
}

/* Bytes per nanosecond between the core and the cache that holds 10,000 vertices (5 MB). */
static double byte_rate(void)
{
    enum { COUNT = 300000 };
    double *a = malloc(COUNT * sizeof *a), *c = malloc(COUNT * sizeof *c), best = 0;
    for (int i = 0; a && c && i < COUNT; i++) a[i] = c[i] = i;
    for (int repeat = 0; a && c && repeat < 20; repeat++) {
        double start = bench_now();
        for (int i = 0; i < COUNT; i++) a[i] = c[i] + 0.5 * a[i];
        double rate = 24e-9 * COUNT / (bench_now() - start);
        if (rate > best) best = rate;
    }
    free(a);
    free(c);
    return best;
}

/* Computation and memory traffic overlap at best: the slower of the two decides. */
static double lower_bound(double operations, double bytes)
{
    double compute = operations / operation_rate(), rate = byte_rate();
    double move = rate > 0 ? bytes / rate : 0;
    return compute > move ? compute : move;
}

double floor_explicit_step(void)
{
    return lower_bound(explicit_operations, explicit_bytes);
}

double floor_newton_iteration(void)
{
    return lower_bound(newton_operations, newton_bytes);
}

void bench_floor(bench *b)
{
    bench_row(b, "machine", "multiply-adds, one thread", operation_rate(), "Gflop/s");
    bench_row(b, "machine", "memory traffic, 5 MB", byte_rate(), "GB/s");
    bench_row(b, "floor explicit step", "operations", explicit_operations, "1/vertex");
    bench_row(b, "floor explicit step", "bytes", explicit_bytes, "B/vertex");
    bench_row(b, "floor explicit step", "time", floor_explicit_step(), "ns/vertex");
    bench_row(b, "floor newton iteration", "operations", newton_operations, "1/vertex");
    bench_row(b, "floor newton iteration", "bytes", newton_bytes, "B/vertex");
    bench_row(b, "floor newton iteration", "time", floor_newton_iteration(), "ns/vertex");
}
