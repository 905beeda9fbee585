/* The compound pulley: the balancing mass, and the motion with slightly more or less. */
#include "validation/cables/cables.h"
#include "validation/cables/tackle.h"
#include "validation/csv.h"
#include <math.h>

enum { SIZES = 10, QUICK_SIZES = 6 };
static const double run_time = 0.2; /* s */

/* [HCS 2011, Table 1] */
static const double paper[SIZES] = {2e-5, 4e-5, 7e-5, 1e-4, 2e-4, 5e-4, 9e-4, 1e-3, 3e-3, 6e-3};

/* A cord of 10 g/m; pulleys are disks of 10 g; the beam with its pulleys has 1000 kg. */
static tackle_def machine_of(int wheels)
{
    tackle_def of = {.wheels = wheels,
                     .load = 1000,
                     .counterweight = 1000.0 / wheels,
                     .density = 0.01,
                     .height = 2,
                     .hang = 1,
                     .radius = 0.05};
    of.inertia = 0.5 * 0.01 * of.radius * of.radius;
    return of;
}

/* A controller of the beam's height with three poles at −p acts on the counterweight: returns its
 * steady force as a mass. Its gains use the inertia of the machine, not its balance. */
static double find_balance(tackle *t, double *off)
{
    const double p = 10, h = 0.01;
    const tackle_def *of = &t->of;
    double gain = tackle_inertia(of, 0) / of->wheels, sum = 0, last = 0, force = 0;
    cord_load_def def = cord_load_def_default();
    cord_load push = {0};
    def.point = machine_on(&t->m, t->counterweight, 0, 0);
    if (t->m.status == CORD_OK) t->m.status = cord_world_add_load(t->m.world, &def, &push);
    for (int k = 0; k < 300 && t->m.status == CORD_OK; k++) {
        machine_run(&t->m, h, 1);
        double y = tackle_rise(t), rate = (y - last) / h;
        sum += y * h, last = y;
        force = gain * (3 * p * p * y + p * p * p * sum + 3 * p * rate);
        if (t->m.status == CORD_OK)
            t->m.status = cord_load_set_force(t->m.world, push, (double[]){0, 0, force});
    }
    *off = last;
    return of->counterweight - force / tackle_gravity;
}

void check_compound_balance(validation *v)
{
    double n[SIZES], error[SIZES];
    int sizes = validation_quick(v) ? QUICK_SIZES : SIZES, done = 0;
    for (int i = 0; i < sizes; i++) {
        tackle_def of = machine_of(2 << i);
        tackle t = tackle_make(&of, CORD_IMPLICIT);
        double off, found = find_balance(&t, &off), expected = tackle_balance(&of);
        bool ok = validation_ok(v, t.m.world, t.m.status, "a compound pulley");
        cord_world_destroy(t.m.world);
        if (!ok) return;
        n[done] = of.wheels, error[done++] = fabs(found / expected - 1);
        validation_row(
            v, validation_text(v, "%d wheels", of.wheels),
            validation_text(v, "balancing mass, kg (error in the paper: %.0e)", paper[i]), found,
            expected, 1e-5 * expected);
        validation_row_below(v, validation_text(v, "%d wheels", of.wheels),
                             "error of the height of the beam, m", fabs(off), 1e-6);
    }
    const plot_series s[] = {{"Cordage", done, n, error, PLOT_LINE},
                             {"paper", done, n, paper, PLOT_LINE}};
    validation_plot(v,
                    &(plot){"Error of the balancing mass", "wheels", "relative", true, true, 2, s});
}

/* From rest: 2x/t²; NaN after a failure. */
static double measure_acceleration(validation *v, const tackle_def *of)
{
    tackle t = tackle_make(of, CORD_IMPLICIT);
    machine_run(&t.m, run_time / 20, 20);
    double way = machine_height(&t.m, t.counterweight) + of->hang;
    bool ok = validation_ok(v, t.m.world, t.m.status, "a compound pulley");
    cord_world_destroy(t.m.world);
    return ok ? 2 * way / (run_time * run_time) : NAN;
}

/* Compares with the closed form for a machine without inertia of rope and pulleys. */
static void check_reference(validation *v, const csv *table, int row, double more)
{
    tackle_def of = machine_of((int)csv_number(table, row, csv_column(table, "n")));
    of.density = of.inertia = 0;
    of.counterweight *= 1 + more;
    const char *name = more > 0 ? "a_beam_over_g(m=+1%)" : "a_beam_over_g(m=-1%)";
    double expected = csv_number(table, row, csv_column(table, name)) * tackle_gravity;
    validation_row(v, validation_text(v, "%d wheels, %+.0f %%", of.wheels, 100 * more),
                   "closed form of a weightless cable, m/s²",
                   tackle_force(&of, 0) / tackle_inertia(&of, 0), expected, 1e-8 * fabs(expected));
}

void check_compound_acceleration(validation *v)
{
    csv table;
    if (!csv_open(v, "13_compound_pulley.csv", &table)) return;
    int sizes = validation_quick(v) ? QUICK_SIZES : SIZES;
    for (int i = 0; i < sizes; i++)
        for (int sign = 1; sign >= -1; sign -= 2) {
            tackle_def of = machine_of(2 << i);
            check_reference(v, &table, i, 0.01 * sign);
            of.counterweight = (1 + 0.01 * sign) * tackle_balance(&of);
            double rise = tackle_rise_after(&of, run_time);
            double expected = -of.wheels * 2 * rise / (run_time * run_time);
            validation_row(v, validation_text(v, "%d wheels, %+d %%", of.wheels, sign),
                           "mean acceleration of the counterweight, m/s²",
                           measure_acceleration(v, &of), expected, 1e-4 * fabs(expected));
        }
    csv_close(&table);
}
