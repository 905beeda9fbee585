/* The Darboux problem of one element: how long to which precision, one thread. */
#include "bench/clothoids/clothoids.h"
#include "curve/darboux_baselines.h"
#include "curve/darboux_cauchy.h"
#include "curve/darboux_paper.h"
#include "validation/clothoids/reference.h"
#include <math.h>

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A kind of element; its length is such that it turns by `angle`. `bar`, µs. */
typedef struct element {
    const char *name;
    double start[3], end[3], angle, bar;
} element;

static const element elements[] = {
    {"gentle", {0.5, 1, -0.3}, {1.5, -2, 0.7}, 2.8, 0.5},
    {"ringlet", {20, 120, 0}, {20, 60, 80}, 17, 2},
    {"curled", {10, 50, -30}, {-15, -40, 60}, 58, 6}, /* the paper's took 26 µs in 2013 */
};
enum { ELEMENTS = sizeof elements / sizeof *elements };

/* With its ends given, an element turns in proportion to its length. */
static curvature curvature_of(const element *e, double *length)
{
    curvature k = reference_curvature(e->start, e->end, 1);
    *length = e->angle / reference_angle(&k, 1);
    return reference_curvature(e->start, e->end, *length);
}

/* ---- what is timed ---------------------------------------------------------------------------- */

typedef enum solver { EULER, LIE_EULER, RK2, RK4, PAPER, MIDDLE } solver;

static const char *const method_names[] = {"euler", "lie-euler", "rk2", "rk4", "paper", "middle"};

typedef struct problem {
    curvature k;
    double length;
    solver method;
    int steps;        /* of the classical ones */
    double precision; /* of the paper's */
} problem;

static void solve(const problem *p, double R[9], double r[3])
{
    if (p->method == MIDDLE)
        cord__darboux_at(&p->k, p->length, identity, R, r);
    else if (p->method == PAPER)
        cord__darboux_paper_at(&p->k, p->length, identity, DARBOUX_PAPER_LIMIT, p->precision, R, r);
    else
        cord__darboux_integrate((darboux_integrator)p->method, &p->k, p->length, identity, p->steps,
                                R, r);
}

/* The least time of one solution, s: batches of a millisecond or so, the best of several. */
static double time_of(const problem *p, int batches)
{
    double R[9], r[3], best = INFINITY, start = bench_now();
    volatile double kept = 0;
    solve(p, R, r);
    int count = (int)fmin(1e5, 1 + 1e-3 / fmax(1e-7, bench_now() - start));
    for (int batch = 0; batch < batches; batch++) {
        start = bench_now();
        for (int i = 0; i < count; i++) {
            solve(p, R, r);
            kept = kept + r[0];
        }
        best = fmin(best, (bench_now() - start) / count);
    }
    return best;
}

static double error_of(const problem *p)
{
    double R[9], r[3], exact_R[9], exact_r[3];
    reference_darboux(&p->k, p->length, exact_R, exact_r);
    solve(p, R, r);
    return reference_error(R, r, exact_R, exact_r);
}

/* ---- measurements ----------------------------------------------------------------------------- */

void bench_element(bench *b)
{
    for (int i = 0; i < ELEMENTS; i++) {
        const element *e = &elements[i];
        problem p = {.method = MIDDLE, .precision = DARBOUX_PAPER_PRECISION};
        p.k = curvature_of(e, &p.length);
        const char *name = bench_text(b, "%s, %g rad", e->name, e->angle);
        bench_bar(b, name, "time", 1e6 * time_of(&p, bench_quick(b) ? 5 : 50), "us", e->bar);
        bench_bar(b, name, "error", error_of(&p), "", 1e-13);
        p.method = PAPER;
        bench_row(b, name, "time, the paper's summation",
                  1e6 * time_of(&p, bench_quick(b) ? 5 : 50), "us");
        bench_row(b, name, "error, the paper's summation", error_of(&p), "");
    }
}

static double time_of_frames(cord_kinematics method, const curvature *k, double length, int batches)
{
    static const double x[10] = {-0.9739065285171717, -0.8650633666889845,  -0.6794095682990244,
                                 -0.4333953941292472, -0.14887433898163122, 0.14887433898163122,
                                 0.4333953941292472,  0.6794095682990244,   0.8650633666889845,
                                 0.9739065285171717};
    double q[4] = {1, 0, 0, 0}, frames[90], end[4], best = INFINITY;
    volatile double kept = 0;
    for (int batch = 0; batch < batches; batch++) {
        double start = bench_now();
        for (int i = 0; i < 2000; i++) {
            cord__darboux_frames(method, k, length, q, 10, x, frames, end);
            kept = kept + frames[0];
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
        element e = elements[1];
        double length;
        e.angle = angles[i];
        curvature k = curvature_of(&e, &length);
        const char *name = bench_text(b, "%g rad", e.angle);
        double ours = 1e6 * time_of_frames(CORD_KINEMATICS_MIDPOINT, &k, length, batches);
        if (e.angle == 3)
            bench_bar(b, name, "time, 10 frames", ours, "us", 0.5);
        else
            bench_row(b, name, "time, 10 frames", ours, "us");
        bench_row(b, name, "time, the paper's summation",
                  1e6 * time_of_frames(CORD_KINEMATICS_SERIES, &k, length, batches), "us");
    }
}

static void state_point(bench *b, const problem *p, const char *name)
{
    bench_row(b, name, "error", error_of(p), "");
    bench_row(b, name, "time", 1e6 * time_of(p, bench_quick(b) ? 2 : 10), "us");
}

/* Doubled steps for the classical integrators, up to a few milliseconds; for the series, the size of
 * the terms that are left out. */
void bench_precision(bench *b)
{
    problem p = {.precision = DARBOUX_PAPER_PRECISION};
    p.k = curvature_of(&elements[2], &p.length);
    for (p.method = EULER; p.method <= RK4; p.method++) {
        for (p.steps = 128; p.steps <= (bench_quick(b) ? 2048 : 65536); p.steps *= 4)
            state_point(b, &p, bench_text(b, "%s, %d steps", method_names[p.method], p.steps));
    }
    p.method = PAPER;
    for (double precision = 1e-2; precision > 1e-17; precision *= 0.01) {
        p.precision = precision;
        state_point(b, &p, bench_text(b, "%s, terms to %.0e", method_names[PAPER], precision));
    }
    p.method = MIDDLE;
    state_point(b, &p, method_names[MIDDLE]);
}

/* Mass, gravity and velocity terms of one clamped element by products of series, the paper's way. */
void bench_products(bench *b)
{
    for (int i = 0; i < ELEMENTS; i++) {
        const element *e = &elements[i];
        clothoid_element one = {
            .rates = {1, 2, 3, 4, 5, 6}, .density = 1, .gravity = {0, 0, -9.81}};
        clothoid_terms terms;
        double best = INFINITY;
        curvature_of(e, &one.length);
        for (int c = 0; c < 3; c++) one.ends[c] = e->start[c], one.ends[3 + c] = e->end[c];
        for (int c = 0; c < 9; c++) one.frame[c] = identity[c];
        for (int batch = 0; batch < (bench_quick(b) ? 3 : 30); batch++) {
            double start = bench_now();
            cord__clothoid_cauchy(&one, &terms);
            best = fmin(best, bench_now() - start);
        }
        bench_row(b, bench_text(b, "%s, %g rad", e->name, e->angle), "time, M, G and A", 1e6 * best,
                  "us");
    }
}
