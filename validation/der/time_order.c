/* Observed order in time of each integrator. */
#include "validation/der/der.h"
#include "validation/der/schemes.h"
#include "validation/fit.h"
#include <math.h>

/* The common test rod in ten elements: its fastest bending motion has a period of 0.2 s, so every
 * step below resolves everything that moves. */
enum { EDGES = 10, VERTICES = EDGES + 1, STEPS = 4, FINE = 16000 };
static const double duration = 0.4;
static const int steps[STEPS] = {200, 400, 800, 1600};

/* At rest under gravity rotated by 0.6 rad, then released under the true one. */
static cord_status hang_askew(rod *r, const scheme *s)
{
    rod_plan plan = rod_plan_common(EDGES);
    plan.world.integrator = s->integrator;
    plan.world.scheme = s->scheme;
    /* Far below the smallest temporal error. */
    plan.world.tolerance = 1e-12, plan.world.length_tolerance = 1e-12;
    plan.direction[0] = 0, plan.direction[2] = -1;
    cord_status status = rod_make(&plan, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    if (status == CORD_OK) status = rod_set_gravity(r, 9.81 * sin(0.6), 0, -9.81 * cos(0.6));
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    if (status == CORD_OK) status = rod_set_gravity(r, 0, 0, -9.81);
    return status;
}

static bool swing(validation *v, const scheme *s, int count, double x[3 * VERTICES])
{
    rod r = {0};
    bool ok = rod_ok(v, &r, hang_askew(&r, s), s->name);
    for (int i = 0; ok && i < count; i++)
        ok = rod_ok(v, &r, cord_world_step(r.world, duration / count), s->name);
    ok = ok && rod_ok(v, &r, rod_read(&r), s->name);
    for (int i = 0; ok && i < 3 * VERTICES; i++) x[i] = r.x[i];
    rod_free(&r);
    return ok;
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 3 * VERTICES; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / VERTICES);
}

/* All integrators solve the same equations; the reference is the more accurate of the second-order
 * ones at a tenth of the finest step, whose error is a hundredth of the smallest compared. */
void check_time_order(validation *v)
{
    double reference[3 * VERTICES], x[3 * VERTICES], h[STEPS], n[STEPS], error[SCHEMES][STEPS];
    plot_series series[SCHEMES];
    int count = 0;
    if (!swing(v, &schemes[0], FINE, reference)) return;
    for (int i = 0; i < SCHEMES; i++) {
        bool ok = true;
        for (int k = 0; ok && k < STEPS; k++) {
            h[k] = duration / steps[k], n[k] = steps[k];
            ok = swing(v, &schemes[i], steps[k], x);
            error[count][k] = distance(x, reference);
        }
        if (!ok) continue;
        double order = fit_order(STEPS, n, error[count]);
        validation_row(v, validation_text(v, "time-order %s", schemes[i].name), "observed order",
                       order, schemes[i].order, 0.15);
        series[count] = (plot_series){validation_text(v, "%s, %.2f", schemes[i].name, order), STEPS,
                                      h, error[count], PLOT_BOTH};
        count++;
    }
    validation_plot(v, &(plot){"Error after 0.4 s against the step", "step, s",
                               "root mean square distance, m", true, true, count, series});
}
