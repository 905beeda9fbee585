/* Time over precision: the methods of the library and classical integrators [SSC 2013, Fig. 6]. */
#include "validation/clothoids/clothoids.h"
#include "validation/clothoids/race.h"
#include <math.h>

enum { POINTS = 10 };

typedef struct track {
    int count;
    double error[POINTS], time[POINTS]; /* µs */
} track;

static void add_point(track *t, const race *r)
{
    t->error[t->count] = race_error(r);
    t->time[t->count++] = 1e6 * race_time(r, 3);
}

/* Numbers of steps increase by four; the order is that of the last two. */
static void run_integrator(validation *v, race *r, int most_steps, double order, track *t)
{
    for (r->steps = 128; r->steps <= most_steps; r->steps *= 4) add_point(t, r);
    double measured = log(t->error[t->count - 2] / t->error[t->count - 1]) / log(4);
    validation_row(v, solver_names[r->solver], "order", measured, order, 0.15);
}

/* A factor of ten on any machine is far below the measured factor of a thousand. */
void check_integrators(validation *v)
{
    static const double orders[] = {1, 1, 2, 4};
    track tracks[RACERS] = {{0}};
    plot_series s[RACERS];
    race r = {.solver = RACE_EULER};
    r.k = race_curvature(&race_elements[RACE_CURLED], &r.length);
    for (; r.solver <= RACE_RK4; r.solver++)
        run_integrator(v, &r, 32768, orders[r.solver], &tracks[r.solver]);
    for (r.precision = 1e-1; r.precision > 1e-17; r.precision *= 0.01)
        add_point(&tracks[RACE_PIECEWISE], &r);
    r.solver = RACE_MIDPOINT;
    add_point(&tracks[RACE_MIDPOINT], &r);

    const track *best = &tracks[RACE_RK4], *paper = &tracks[RACE_PIECEWISE],
                *ours = &tracks[r.solver];
    validation_row_below(v, solver_names[RACE_PIECEWISE], "error", paper->error[paper->count - 1],
                         1e-13);
    validation_row_below(v, solver_names[RACE_MIDPOINT], "error", ours->error[0], 1e-13);
    validation_row_above(v, "RK4, most steps", "time over the paper's",
                         best->time[best->count - 1] / paper->time[paper->count - 1], 10);
    validation_row_above(v, "RK4, most steps", "time over that about the middle",
                         best->time[best->count - 1] / ours->time[0], 10);
    for (int i = 0; i < RACERS; i++)
        s[i] = (plot_series){solver_names[i], tracks[i].count, tracks[i].error, tracks[i].time,
                             PLOT_BOTH};
    validation_plot(v, &(plot){"One element of 58 rad: time against precision", "error", "time, µs",
                               true, true, RACERS, s});
}
