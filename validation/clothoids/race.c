#include "validation/clothoids/race.h"
#include "curve/darboux_piecewise.h"
#include "validation/baselines/darboux_integrators.h"
#include "validation/baselines/darboux_series.h"
#include "validation/clothoids/reference.h"
#include <math.h>
#include <time.h>

const race_element race_elements[RACE_ELEMENTS] = {
    {"gentle", {0.5, 1, -0.3}, {1.5, -2, 0.7}, 2.8},
    {"ringlet", {20, 120, 0}, {20, 60, 80}, 17},
    {"curled", {10, 50, -30}, {-15, -40, 60}, 58},
};

const char *const solver_names[RACERS] = {"Euler", "Lie-Euler",   "RK2",
                                          "RK4",   "the paper's", "about the middle"};

/* For given end curvatures the rotation of an element is proportional to its length. */
curvature race_curvature(const race_element *e, double *length)
{
    curvature k = reference_curvature(e->start, e->end, 1);
    *length = e->angle / reference_angle(&k, 1);
    return reference_curvature(e->start, e->end, *length);
}

static void solve(const race *p, double R[9], double r[3])
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    if (p->solver == RACE_MIDPOINT)
        cord__darboux_at(&p->k, p->length, identity, R, r);
    else if (p->solver == RACE_PIECEWISE)
        cord__darboux_piecewise_at(&p->k, p->length, identity, DARBOUX_SERIES_LIMIT, p->precision,
                                   R, r);
    else
        cord__darboux_integrate((darboux_integrator)p->solver, &p->k, p->length, identity, p->steps,
                                R, r);
}

double race_error(const race *p)
{
    double R[9], r[3], exact_R[9], exact_r[3];
    reference_darboux(&p->k, p->length, exact_R, exact_r);
    solve(p, R, r);
    return reference_error(R, r, exact_R, exact_r);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double race_time(const race *p, int batches)
{
    double R[9], r[3], best = INFINITY, start = now();
    volatile double kept = 0;
    solve(p, R, r);
    int count = (int)fmin(1e4, 1 + 1e-3 / fmax(1e-7, now() - start));
    for (int batch = 0; batch < batches; batch++) {
        start = now();
        for (int i = 0; i < count; i++) {
            solve(p, R, r);
            kept = kept + r[0];
        }
        best = fmin(best, (now() - start) / count);
    }
    return best;
}
