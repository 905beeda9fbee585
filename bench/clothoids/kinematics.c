/* The Darboux problem of one element: time over precision, one thread. */
#include "bench/baselines/clothoid_cauchy.h"
#include "bench/clothoids/clothoids.h"
#include "curve/darboux_piecewise.h"
#include "validation/clothoids/race.h"
#include <math.h>

/* ---- measurements ----------------------------------------------------------------------------- */

/* [SSC 2013, Fig. 6] reports 26 µs for the summation of its curled rod, on hardware of 2013. */
void bench_element(bench *b)
{
    static const double bars[RACE_ELEMENTS] = {0.5, 2, 6};
    const int batches = bench_quick(b) ? 5 : 50;
    for (int i = 0; i < RACE_ELEMENTS; i++) {
        const race_element *e = &race_elements[i];
        race r = {.solver = RACE_MIDPOINT, .precision = DARBOUX_SERIES_PRECISION};
        r.k = race_curvature(e, &r.length);
        const char *name = bench_text(b, "%s, %g rad", e->name, e->angle);
        bench_bar(b, name, "time", 1e6 * race_time(&r, batches), "us", bars[i]);
        bench_bar(b, name, "error", race_error(&r), "", 1e-13);
        r.solver = RACE_PIECEWISE;
        bench_row(b, name, "time, the paper's summation", 1e6 * race_time(&r, batches), "us");
        bench_row(b, name, "error, the paper's summation", race_error(&r), "");
    }
}

static double time_of_frames(cord_kinematics method, const curvature *k, double length, int batches)
{
    static const double x[10] = {-0.9739065285171717, -0.8650633666889845,  -0.6794095682990244,
                                 -0.4333953941292472, -0.14887433898163122, 0.14887433898163122,
                                 0.4333953941292472,  0.6794095682990244,   0.8650633666889845,
                                 0.9739065285171717};
    double q[4] = {1, 0, 0, 0}, frames[90], end[4], best = INFINITY;
    volatile double sink = 0;
    for (int batch = 0; batch < batches; batch++) {
        double start = bench_now();
        for (int i = 0; i < 2000; i++) {
            cord__darboux_frames(method, k, length, q, 10, x, frames, end);
            sink = sink + frames[0];
        }
        best = fmin(best, (bench_now() - start) / 2000);
    }
    return best;
}

void bench_frames(bench *b)
{
    static const double angles[] = {0.5, 1, 3, 6};
    const int batches = bench_quick(b) ? 5 : 50;
    for (int i = 0; i < 4; i++) {
        race_element e = race_elements[RACE_RINGLET];
        double length;
        e.angle = angles[i];
        curvature k = race_curvature(&e, &length);
        const char *name = bench_text(b, "%g rad", e.angle);
        double time = 1e6 * time_of_frames(CORD_KINEMATICS_MIDPOINT, &k, length, batches);
        if (e.angle == 3)
            bench_bar(b, name, "time, 10 frames", time, "us", 0.5);
        else
            bench_row(b, name, "time, 10 frames", time, "us");
        bench_row(b, name, "time, the paper's summation",
                  1e6 * time_of_frames(CORD_KINEMATICS_SERIES, &k, length, batches), "us");
    }
}

static void add_point_rows(bench *b, const race *r, const char *name)
{
    bench_row(b, name, "error", race_error(r), "");
    bench_row(b, name, "time", 1e6 * race_time(r, bench_quick(b) ? 2 : 10), "us");
}

/* Increasing numbers of steps for the classical integrators, up to a few milliseconds; for the
 * power series, decreasing size of the neglected terms. */
void bench_precision(bench *b)
{
    race r = {.solver = RACE_EULER};
    r.k = race_curvature(&race_elements[RACE_CURLED], &r.length);
    for (; r.solver <= RACE_RK4; r.solver++) {
        for (r.steps = 128; r.steps <= (bench_quick(b) ? 2048 : 65536); r.steps *= 4)
            add_point_rows(b, &r, bench_text(b, "%s, %d steps", solver_names[r.solver], r.steps));
    }
    for (r.precision = 1e-2; r.precision > 1e-17; r.precision *= 0.01)
        add_point_rows(b, &r, bench_text(b, "%s, to %.0e", solver_names[r.solver], r.precision));
    r.solver = RACE_MIDPOINT;
    add_point_rows(b, &r, solver_names[r.solver]);
}

/* Mass, gravity and velocity terms of one clamped element by Cauchy products of series [SSC 2013,
 * sec. 7.1]. */
void bench_products(bench *b)
{
    for (int i = 0; i < RACE_ELEMENTS; i++) {
        const race_element *e = &race_elements[i];
        clothoid_element one = {
            .rates = {1, 2, 3, 4, 5, 6}, .density = 1, .gravity = {0, 0, -9.81}};
        clothoid_terms terms;
        double best = INFINITY;
        race_curvature(e, &one.length);
        for (int c = 0; c < 3; c++) one.ends[c] = e->start[c], one.ends[3 + c] = e->end[c];
        one.frame[0] = one.frame[4] = one.frame[8] = 1;
        for (int batch = 0; batch < (bench_quick(b) ? 3 : 30); batch++) {
            double start = bench_now();
            cord__clothoid_cauchy(&one, &terms);
            best = fmin(best, bench_now() - start);
        }
        bench_row(b, bench_text(b, "%s, %g rad", e->name, e->angle), "time, M, G and A", 1e6 * best,
                  "us");
    }
}
