/* [HCS 2011, Table 2, Fig. 9]: the rope of a compound pulley slides over increasing numbers of
 * pulleys that do not rotate. For one second of 4096 pulleys the paper reports 9.0 s to fill the
 * system and 189.7 s to solve it (step size not stated), growing with exponents 1.09 and 1.94. */
#include "bench/cables/cables.h"

#include <math.h>

static const double STEP = 0.01; /* s */
enum { SIZES = 9, FITTED = 2, QUICK = 7, REAL_TIME = 4096, ROTATING = 1024 };
static const int sizes[SIZES] = {64, 128, 256, 512, 1024, 2048, 4096, 16384, 65536};

static bool measure(bench *b, int count, bool rotating, cord_scheme scheme, const char *name,
                    pulley_row_cost *c)
{
    pulley_row m = pulley_row_make(count, rotating, false, scheme);
    pulley_row_time(&m, STEP, 3, count <= 4096 ? 10 : 4, count <= 4096 ? 10 : 3, c);
    bool fine = bench_ok(b, m.world, m.status, name);
    cord_world_destroy(m.world);
    return fine;
}

/* Computing time per simulated time. */
static void add_rows(bench *b, const char *name, const pulley_row_cost *c, bool in_real_time)
{
    if (in_real_time)
        bench_bar(b, name, "total", c->step / STEP, "s/s", 1);
    else
        bench_row(b, name, "total", c->step / STEP, "s/s");
    bench_row(b, name, "fill", c->fill / STEP, "s/s");
    bench_row(b, name, "solve", c->solve / STEP, "s/s");
    bench_row(b, name, "setup and first step", c->setup, "s");
    bench_row(b, name, "sparsity", 100 * c->sparsity, "%");
    bench_row(b, name, "factor over matrix", c->fill_in, "");
    bench_row(b, name, "speed of the free end", c->speed, "m/s");
    bench_row(b, name, "projections", c->projections, "per step");
    if (c->halvings > 0) bench_row(b, name, "halvings", c->halvings, "");
    if (c->heap_calls > 0) bench_row(b, name, "heap calls", c->heap_calls, "");
}

/* Exponent p of y ~ x^p by least squares on logarithms. */
static double growth(int count, const double *x, const double *y)
{
    double mean_x = 0, mean_y = 0, up = 0, down = 0;
    for (int i = 0; i < count; i++) mean_x += log(x[i]) / count, mean_y += log(y[i]) / count;
    for (int i = 0; i < count; i++) {
        up += (log(x[i]) - mean_x) * (log(y[i]) - mean_y);
        down += (log(x[i]) - mean_x) * (log(x[i]) - mean_x);
    }
    return up / down;
}

void bench_pulley_chain(bench *b)
{
    double x[SIZES], total[SIZES], solve[SIZES];
    int count = bench_quick(b) ? QUICK : SIZES;
    for (int i = 0; i < count; i++) {
        pulley_row_cost c;
        const char *name = bench_text(b, "n = %d", sizes[i]);
        if (!measure(b, sizes[i], false, CORD_LINEARISED, name, &c)) return;
        add_rows(b, name, &c, sizes[i] == REAL_TIME);
        x[i] = sizes[i], total[i] = c.step, solve[i] = c.solve;
    }
    const char *range = bench_text(b, "n = %d to %d", sizes[FITTED], sizes[count - 1]);
    bench_bar(b, range, "growth of the total", growth(count - FITTED, x + FITTED, total + FITTED),
              "exponent", 1.15);
    bench_row(b, range, "growth of solve", growth(count - FITTED, x + FITTED, solve + FITTED),
              "exponent");
    pulley_row_cost c;
    const char *name = bench_text(b, "n = %d, TR-BDF2", ROTATING);
    if (measure(b, ROTATING, false, CORD_TR_BDF2, name, &c)) add_rows(b, name, &c, false);
}

void bench_rotating_pulleys(bench *b)
{
    static const cord_scheme schemes[2] = {CORD_LINEARISED, CORD_TR_BDF2};
    static const char *const names[2] = {"linearised", "TR-BDF2"};
    for (int i = 0; i < 2; i++) {
        pulley_row_cost c;
        const char *name = bench_text(b, "n = %d, %s", ROTATING, names[i]);
        if (measure(b, ROTATING, true, schemes[i], name, &c)) add_rows(b, name, &c, i == 0);
    }
}

/* The same rope where segments cannot bear compression. With a thousand of them some become taut in nearly every step, which is an
 * impact: the step is repeated by backward Euler until its corrections vanish, since the set of taut segments changes in it. The
 * mean over a second and, by batches of steps, the least. */
void bench_slack_rope(bench *b)
{
    static const int counts[] = {64, 1024, 4096};
    for (int i = 0; i < (bench_quick(b) ? 2 : 3); i++) {
        pulley_row m = pulley_row_make(counts[i], false, true, CORD_LINEARISED);
        pulley_row_cost c;
        const char *name = bench_text(b, "n = %d, slackens", counts[i]);
        pulley_row_time(&m, STEP, 3, 10, 10, &c);
        bool fine = bench_ok(b, m.world, m.status, name);
        cord_world_destroy(m.world);
        if (!fine) return;
        bench_row(b, name, "mean", c.mean / STEP, "s/s");
        bench_row(b, name, "least", c.step / STEP, "s/s");
        bench_row(b, name, "fill", c.fill / STEP, "s/s");
        bench_row(b, name, "solve", c.solve / STEP, "s/s");
        bench_row(b, name, "Newton iterations", c.newton, "per step");
        bench_row(b, name, "projections", c.projections, "per step");
        bench_row(b, name, "halvings", c.halvings, "");
        bench_row(b, name, "speed of the free end", c.speed, "m/s");
    }
}
