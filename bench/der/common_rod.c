/* The common test rod, clamped level and let go: processor time for one simulated second with TR-BDF2
 * in steps of 5 ms, and the distance of the path of its tip from the one converged in time.
 *
 * A general rod has a flat section and internal damping, so that its joints are anisotropic and have
 * viscous moments; it is compared with the round one. A hundred rods move apart from each other. */
#include "bench/der/der.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, REPEATS = 5, FINE = 20, MANY = 100, MANY_EDGES = 50 };

static const double step = 5e-3;

typedef struct rod_case {
    int edges;
    double bar; /* s of computing per simulated second */
} rod_case;

static const rod_case cases[] = {{50, 0.008}, {200, 0.03}, {1000, 0.15}};

/* ---- one rod --------------------------------------------------------------------------------- */

static rod_plan plan_of(int edges, bool general)
{
    rod_plan plan = rod_plan_common(edges);
    plan.world.scheme = CORD_TR_BDF2;
    if (general) {
        plan.strand.section = (cord_section){.kind = CORD_SECTION_RECTANGLE};
        plan.strand.section.size[0] = 0.012, plan.strand.section.size[1] = 0.006;
        plan.strand.damping = 1e-3;
    }
    return plan;
}

typedef struct fall {
    double seconds, iterations;
    double tip[STEPS][3]; /* every 5 ms */
} fall;

static cord_status let_fall(rod *r, int parts, fall *f)
{
    cord_status status = CORD_OK;
    cord_counters counters = {0};
    f->seconds = 0;
    for (int i = 0; status == CORD_OK && i < STEPS; i++) {
        double start = bench_processor_time();
        for (int k = 0; status == CORD_OK && k < parts; k++)
            status = cord_world_step(r->world, step / parts);
        f->seconds += bench_processor_time() - start;
        if (status == CORD_OK) status = rod_read(r);
        memcpy(f->tip[i], rod_tip(r), sizeof f->tip[i]);
    }
    if (status == CORD_OK) status = cord_world_get_counters(r->world, &counters);
    f->iterations = (double)counters.newton_iterations / (STEPS * parts);
    return status;
}

static bool run(bench *b, int edges, bool general, int parts, fall *f)
{
    rod r = {0};
    rod_plan plan = plan_of(edges, general);
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
    if (status == CORD_OK) status = let_fall(&r, parts, f);
    bool ok = rod_measured(b, &r, status, "common rod");
    rod_free(&r);
    return ok;
}

/* The least time of several runs. */
static bool fastest(bench *b, int edges, bool general, fall *f)
{
    double least = INFINITY;
    for (int i = 0; i < (bench_quick(b) ? 1 : REPEATS); i++) {
        if (!run(b, edges, general, 1, f)) return false;
        least = fmin(least, f->seconds);
    }
    f->seconds = least;
    return true;
}

bool common_rod_seconds(bench *b, int edges, double *seconds)
{
    fall *f = malloc(sizeof *f);
    bool ok = bench_ok(b, NULL, f ? CORD_OK : CORD_ERROR_MEMORY, "common rod") &&
              fastest(b, edges, false, f);
    if (ok) *seconds = f->seconds;
    free(f);
    return ok;
}

static double farthest(const fall *a, const fall *b)
{
    double worst = 0;
    for (int i = 0; i < STEPS; i++)
        worst = fmax(worst, hypot(hypot(a->tip[i][0] - b->tip[i][0], a->tip[i][1] - b->tip[i][1]),
                                  a->tip[i][2] - b->tip[i][2]));
    return worst;
}

static bool one_rod(bench *b, const rod_case *c, fall *round, fall *other)
{
    const char *name = bench_text(b, "common rod, n = %d", c->edges);
    if (!fastest(b, c->edges, false, round)) return false;
    bench_bar(b, name, "time for one second", round->seconds, "s", c->bar);
    bench_row(b, name, "Newton iterations per step", round->iterations, "");
    if (!bench_quick(b)) {
        if (!run(b, c->edges, false, FINE, other)) return false;
        bench_bar(b, name, "tip, against steps of 0.25 ms", 1e3 * farthest(round, other), "mm", 5);
    }
    if (!fastest(b, c->edges, true, other)) return false;
    double per_iteration = other->seconds / other->iterations;
    bench_row(b, name, "flat and damped, time for one second", other->seconds, "s");
    bench_bar(b, name, "flat and damped over round, per iteration",
              per_iteration / (round->seconds / round->iterations), "", 1.6);
    return true;
}

/* ---- many rods ------------------------------------------------------------------------------- */

static cord_status add_rod(cord_world *w, const rod_plan *plan, double aside)
{
    double x[3 * (MANY_EDGES + 1)];
    for (int i = 0; i <= MANY_EDGES; i++) {
        x[3 * i] = plan->length * i / MANY_EDGES;
        x[3 * i + 1] = aside, x[3 * i + 2] = 0;
    }
    cord_strand_def def = plan->strand;
    def.positions = x, def.vertex_count = MANY_EDGES + 1;
    cord_strand s;
    cord_status status = cord_world_add_strand(w, &def, &s);
    return status == CORD_OK ? cord_world_clamp_strand(w, s, 0, NULL, NULL, NULL, NULL) : status;
}

/* One thread: processor time, which other load does not change; several: wall-clock time. */
static double elapsed(int threads)
{
    return threads == 1 ? bench_processor_time() : bench_now();
}

static bool many_rods(bench *b, int threads, double *least)
{
    rod_plan plan = plan_of(MANY_EDGES, false);
    cord_world *w = NULL;
    plan.world.threads = threads;
    cord_status status = cord_world_create(&plan.world, &w);
    for (int i = 0; status == CORD_OK && i < MANY; i++) status = add_rod(w, &plan, 0.1 * i);
    *least = INFINITY;
    for (int i = 0; status == CORD_OK && i < 4; i++) { /* quarters of a second */
        double start = elapsed(threads);
        for (int k = 0; status == CORD_OK && k < STEPS / 4; k++) status = cord_world_step(w, step);
        *least = fmin(*least, 4 * (elapsed(threads) - start));
    }
    bool ok = bench_ok(b, w, status, "many rods");
    cord_world_destroy(w);
    return ok;
}

void bench_common_rod(bench *b)
{
    fall *round = malloc(sizeof *round), *other = malloc(sizeof *other);
    bool ok = bench_ok(b, NULL, round && other ? CORD_OK : CORD_ERROR_MEMORY, "common rod");
    for (size_t i = 0; ok && i < sizeof cases / sizeof *cases; i++)
        ok = one_rod(b, &cases[i], round, other);
    free(round);
    free(other);
    double seconds;
    if (ok && many_rods(b, 1, &seconds))
        bench_bar(b, "100 rods of 50, one thread", "time for one second", seconds, "s", 0.25);
    if (ok && many_rods(b, 2, &seconds))
        bench_bar(b, "100 rods of 50, two threads", "time for one second", seconds, "s", 0.125);
}
