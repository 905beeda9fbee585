/* [MICADO 2008, Fig. 7]: cost of a step with increasing numbers of keyholes (sliding points fixed
 * in the world) and pearls (sliding point masses; or balls, bodies whose centres slide). The strand
 * grows with their number: a keyhole removes two degrees of freedom. Pearls are also timed crowded
 * on a strand of 20 control points. */
#include "bench/constraints/constraints.h"

#include <math.h>

enum { SIZES = 7 };
static const int sizes[SIZES] = {10, 30, 100, 300, 1000, 3000, 10000};

typedef enum layout { KEYHOLES, PEARLS, CROWDED_PEARLS, BALLS, CROWDED_BALLS, LAYOUTS } layout;
static const char *const names[LAYOUTS] = {
    "keyholes, two spans each", "pearls (a mass each), two spans each",
    "pearls (a mass each) on 17 spans", "balls, two spans each", "balls on 17 spans"};

/* In the middle of a span, where the number of spans grows with the number of points. */
static double where(double length, int i, int count)
{
    return length * (i + 0.75) / (count + 1);
}

/* Crowded pearls have a constant total mass. */
static double radius_of(layout kind, int count)
{
    return kind == CROWDED_PEARLS || kind == CROWDED_BALLS ? 0.02 / cbrt(count) : 0.01;
}

static void make(tied *t, layout kind, int count)
{
    const double apart = 0.1;
    bool crowded = kind == CROWDED_PEARLS || kind == CROWDED_BALLS;
    bool masses = kind == PEARLS || kind == CROWDED_PEARLS, balls = kind >= BALLS;
    int control_points = crowded ? 20 : 2 * count + 5;
    double length = crowded ? 2 : apart * (count + 1), radius = radius_of(kind, count);
    double from[3] = {0, 0, 0}, to[3] = {length, 0, 0};
    cord_strand rope = tied_line(t, control_points, from, to, 5e-3);
    tied_pin(t, rope, 0);
    if (kind != KEYHOLES) tied_pin(t, rope, length);
    for (int i = 0; t->status == CORD_OK && i < count; i++) {
        double at[3] = {where(length, i, count), 0, 0};
        cord_point on = masses ? tied_pearl(t, rope, at[0], radius) : tied_sliding(t, rope, at[0]);
        if (kind == KEYHOLES) tied_constrain(t, CORD_COINCIDE, on, tied_point(t, at));
        if (balls) tied_thread(t, tied_ball(t, at, radius), on);
    }
}

static void time_layout(bench *b, layout kind)
{
    double x[SIZES], y[SIZES], mean_x = 0, mean_y = 0, up = 0, down = 0;
    int count = bench_quick(b) ? SIZES - 2 : SIZES;
    for (int i = 0; i < count; i++) {
        tied t = tied_begin(CORD_MODEL_SPLINE);
        tied_cost c;
        make(&t, kind, sizes[i]);
        tied_time(&t, 1e-3, 3, sizes[i] < 1000 ? 10 : 4, sizes[i] < 1000 ? 10 : 2, &c);
        const char *name = bench_text(b, "%s, n = %d", names[kind], sizes[i]);
        bool fine = bench_ok(b, t.world, t.status, name);
        cord_world_destroy(t.world);
        if (!fine) return;
        bench_row(b, name, "step", c.step * 1e3, "ms");
        bench_row(b, name, "step, each", c.step * 1e6 / sizes[i], "us");
        bench_row(b, name, "factor and solve", c.solve * 1e3, "ms");
        if (c.crossings > 0) {
            bench_row(b, name, "steps that cross an element boundary", 100 * c.crossings, "%");
            bench_row(b, name, "step that crosses", c.crossing * 1e3, "ms");
        }
        if (c.halvings > 0) bench_row(b, name, "halvings", c.halvings, "per step");
        x[i] = log(sizes[i]), y[i] = log(c.step);
        mean_x += x[i] / count, mean_y += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        up += (x[i] - mean_x) * (y[i] - mean_y);
        down += (x[i] - mean_x) * (x[i] - mean_x);
    }
    bench_bar(b, names[kind], "growth", up / down, "exponent", 1.1);
}

/* Processor time of building a world with so many keyholes, one by one, and of its first step, which lays it out. The least of
 * several, since large worlds share the caches with what else runs. */
static bool time_adding(bench *b, int count, double *adding, double *first_step)
{
    tied t = tied_begin(CORD_MODEL_SPLINE);
    double began = bench_processor_time();
    make(&t, KEYHOLES, count);
    double made = bench_processor_time();
    if (t.status == CORD_OK) t.status = cord_world_step(t.world, 1e-3);
    *adding = made - began, *first_step = bench_processor_time() - made;
    bool fine = bench_ok(b, t.world, t.status, bench_text(b, "adding, n = %d", count));
    cord_world_destroy(t.world);
    return fine;
}

void bench_adding(bench *b)
{
    static const int counts[2] = {1000, 10000};
    enum { REPEATS = 3 };
    double adding[2] = {INFINITY, INFINITY}, first_step[2] = {INFINITY, INFINITY};
    for (int i = 0; i < 2; i++) {
        const char *name = bench_text(b, "keyholes, n = %d", counts[i]);
        for (int repeat = 0; repeat < REPEATS; repeat++) {
            double added, stepped;
            if (!time_adding(b, counts[i], &added, &stepped)) return;
            adding[i] = fmin(adding[i], added), first_step[i] = fmin(first_step[i], stepped);
        }
        bench_row(b, name, "adding, each", 1e6 * adding[i] / counts[i], "us");
        bench_row(b, name, "layout and first step, each", 1e6 * first_step[i] / counts[i], "us");
    }
    const char *name = bench_text(b, "keyholes, n = %d to %d", counts[0], counts[1]);
    double decades = log(counts[1] / (double)counts[0]);
    bench_bar(b, name, "growth of adding", log(adding[1] / adding[0]) / decades, "exponent", 1.1);
    bench_bar(b, name, "growth of layout and first step",
              log(first_step[1] / first_step[0]) / decades, "exponent", 1.1);
}

void bench_sliding(bench *b)
{
    for (int kind = 0; kind < LAYOUTS; kind++) time_layout(b, (layout)kind);
}
