/* The common test rod dropped from horizontal: time for one simulated second with an error of 5 mm.
 *
 * 50 elements, clamped, undamped. The path of the tip, sampled every 10 ms, is compared with the
 * time-converged one on the same mesh; each integrator takes the largest step that stays within 5
 * mm at all times. The distance to the path of 400 elements is the error of the mesh. */
#include "bench/der/der.h"
#include "validation/der/schemes.h"
#include <math.h>
#include <string.h>

enum { EDGES = 50, FINE_EDGES = 400, SAMPLES = 100, REPEATS = 5 };

static const double sample = 0.01;  /* s */
static const double within = 5e-3;  /* m */
static const double allowed = 0.05; /* s of computing */
static const int divisions[] = {1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50, 100, 200};

typedef struct path {
    double tip[SAMPLES][3];
} path;

static cord_status make_clamped(rod *r, const scheme *s, int edges)
{
    rod_plan plan = rod_plan_common(edges);
    plan.world.integrator = s->integrator;
    plan.world.scheme = s->scheme;
    cord_status status = rod_make(&plan, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

/* One second in steps of `sample / parts`; `seconds` is the time of stepping. */
static cord_status fall(rod *r, int parts, path *p, double *seconds)
{
    cord_status status = CORD_OK;
    *seconds = 0;
    for (int i = 0; status == CORD_OK && i < SAMPLES; i++) {
        double start = bench_now();
        for (int k = 0; status == CORD_OK && k < parts; k++)
            status = cord_world_step(r->world, sample / parts);
        *seconds += bench_now() - start;
        if (status == CORD_OK) status = rod_read(r);
        memcpy(p->tip[i], rod_tip(r), sizeof p->tip[i]);
    }
    return status;
}

static cord_status drop(const scheme *s, int edges, int parts, path *p, double *seconds)
{
    rod r = {0};
    cord_status status = make_clamped(&r, s, edges);
    if (status == CORD_OK) status = fall(&r, parts, p, seconds);
    rod_free(&r);
    return status;
}

static double farthest(const path *a, const path *b)
{
    double worst = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double square = 0;
        for (int k = 0; k < 3; k++) square += pow(a->tip[i][k] - b->tip[i][k], 2);
        worst = fmax(worst, sqrt(square));
    }
    return worst;
}

typedef struct fastest {
    const scheme *scheme;
    int parts;
    double error, seconds;
    path path;
} fastest;

/* The coarsest step of one integrator that stays within the error, and its smallest time. Explicit
 * steps beyond the stable one are skipped; steps that fail are rejected. */
static bool coarsest(const scheme *s, const path *reference, double stable_step, fastest *f)
{
    for (size_t i = 0; i < sizeof divisions / sizeof *divisions; i++) {
        f->scheme = s, f->parts = divisions[i], f->seconds = INFINITY;
        if (s->integrator == CORD_SYMPLECTIC && sample / f->parts > stable_step) continue;
        double seconds;
        if (drop(s, EDGES, f->parts, &f->path, &seconds) != CORD_OK) continue;
        f->error = farthest(&f->path, reference);
        if (!(f->error <= within)) continue;
        for (int k = 0; k < REPEATS; k++)
            if (drop(s, EDGES, f->parts, &f->path, &seconds) == CORD_OK)
                f->seconds = fmin(f->seconds, seconds);
        return isfinite(f->seconds);
    }
    return false;
}

/* The reference: midpoint rule in steps of 25 µs, and its distance from 50 µs (three times its
 * error). */
static bool converge(bench *b, path *reference, double *stable_step)
{
    rod r = {0};
    path half;
    double seconds;
    cord_strand_info info;
    bool ok = rod_measured(b, &r, make_clamped(&r, &schemes[0], EDGES), "drop") &&
              rod_measured(b, &r, cord_strand_get_info(r.world, r.strand, &info), "drop") &&
              rod_measured(b, &r, fall(&r, 400, reference, &seconds), "drop in steps of 25 µs") &&
              bench_ok(b, NULL, drop(&schemes[0], EDGES, 200, &half, &seconds), "in 50 µs");
    rod_free(&r);
    if (!ok) return false;
    *stable_step = info.stable_step;
    bench_row(b, "drop reference, n=50", "tip, step 50 µs against 25 µs",
              1e3 * farthest(&half, reference), "mm");
    return true;
}

static void list_fastest(bench *b, const fastest *f)
{
    const char *name = bench_text(b, "drop %s", f->scheme->name);
    bench_row(b, name, "step", 1e3 * sample / f->parts, "ms");
    bench_row(b, name, "tip path against time-converged", 1e3 * f->error, "mm");
    bench_row(b, name, "time for one second", f->seconds, "s");
}

static void against_fine_mesh(bench *b, const path *reference, const fastest *best)
{
    path fine;
    double seconds;
    if (bench_quick(b)) return;
    cord_status status = drop(&schemes[0], FINE_EDGES, 100, &fine, &seconds);
    if (!bench_ok(b, NULL, status, "drop, 400 elements")) return;
    bench_row(b, "drop reference, n=50", "tip path against n=400", 1e3 * farthest(reference, &fine),
              "mm");
    bench_row(b, "drop best", "tip path against n=400", 1e3 * farthest(&best->path, &fine), "mm");
}

void bench_drop(bench *b)
{
    path reference;
    double stable_step;
    fastest best = {.seconds = INFINITY};
    if (!converge(b, &reference, &stable_step)) return;
    for (int i = 0; i < SCHEMES; i++) {
        fastest f;
        if (!coarsest(&schemes[i], &reference, stable_step, &f)) {
            bench_row(b, bench_text(b, "drop %s", schemes[i].name), "time for one second", NAN,
                      "s");
            continue;
        }
        list_fastest(b, &f);
        if (f.seconds < best.seconds) best = f;
    }
    bench_bar(b, bench_text(b, "drop best: %s", best.scheme ? best.scheme->name : "none"),
              "time for one second at 5 mm", best.seconds, "s", allowed);
    if (best.scheme) against_fine_mesh(b, &reference, &best);
}
