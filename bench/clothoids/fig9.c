/* The curled rod by clothoids, helices and discrete elastic rods: time per step over degrees of
 * freedom, and the error of the equilibrium over time per step [SSC 2013, Fig. 9, middle and
 * right].
 *
 * The rod is that of the validation case curled-equilibrium. It starts in its natural shape and
 * unwinds for one second in steps of 11 ms, undamped, by the default integrator, on one thread.
 * Errors are L2 distances from the equilibrium of 128 clothoids, relative to the length. */
#include "bench/clothoids/clothoids.h"
#include "validation/clothoids/chains.h"
#include <math.h>
#include <stdlib.h>

enum { MODELS = 3, MESHES = 6, SAMPLES = 960, STEPS = 91 };

static const struct {
    chain_kind kind;
    int meshes[MESHES];
} subjects[MODELS] = {
    {{"clothoid", CORD_MODEL_CLOTHOID, false}, {3, 5, 7, 12, 24, 48}},
    {{"helix", CORD_MODEL_HELIX, false}, {4, 8, 16, 23, 48, 96}},
    {{"der", CORD_MODEL_DER, false}, {25, 50, 100, 250, 500, 1000}},
};

static cord_status equilibrium(const chain_kind *kind, int elements, double *x)
{
    curl c = curl_default();
    rod r = {0};
    cord_status status = curl_make(&c, kind, elements, SAMPLES, NULL, &r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = rod_read(&r);
    if (status == CORD_OK) chain_sample(&r, SAMPLES, x);
    rod_free(&r);
    return status;
}

/* The smallest mean time of a step over the repeats, s; Newton iterations per step. */
static cord_status unwind(const chain_kind *kind, int elements, int repeats, double *time,
                          double *iterations)
{
    curl c = curl_default();
    cord_status status = CORD_OK;
    *time = INFINITY;
    for (int k = 0; status == CORD_OK && k < repeats; k++) {
        rod r = {0};
        cord_world_def world = cord_world_def_default();
        cord_counters counters = {0};
        world.threads = 1;
        status = curl_make(&c, kind, elements, 8, &world, &r);
        if (status == CORD_OK) status = cord_world_step(r.world, 0.011);
        double start = bench_now();
        for (int i = 1; status == CORD_OK && i < STEPS; i++)
            status = cord_world_step(r.world, 0.011);
        *time = fmin(*time, (bench_now() - start) / (STEPS - 1));
        if (status == CORD_OK) status = cord_world_get_counters(r.world, &counters);
        *iterations = (double)counters.newton_iterations / STEPS;
        rod_free(&r);
    }
    return status;
}

void bench_fig9(bench *b)
{
    static double reference[3 * (SAMPLES + 1)], x[3 * (SAMPLES + 1)];
    if (!bench_ok(b, NULL, equilibrium(&subjects[0].kind, 128, reference), "the reference")) return;
    for (int i = 0; i < MODELS; i++)
        for (int k = 0; k < (bench_quick(b) ? 4 : MESHES); k++) {
            const chain_kind *kind = &subjects[i].kind;
            int elements = subjects[i].meshes[k];
            double time, iterations;
            const char *name = bench_text(b, "%s, %d elements, %d degrees of freedom", kind->name,
                                          elements, chain_freedoms(kind, elements));
            cord_status status = unwind(kind, elements, bench_quick(b) ? 1 : 3, &time, &iterations);
            if (status == CORD_OK) status = equilibrium(kind, elements, x);
            if (!bench_ok(b, NULL, status, name)) continue;
            bench_row(b, name, "time per step of 11 ms", 1e6 * time, "us");
            bench_row(b, name, "Newton iterations per step", iterations, "");
            bench_row(b, name, "error at rest",
                      100 * chain_distance(SAMPLES, x, reference) / curl_default().length, "%");
        }
}
