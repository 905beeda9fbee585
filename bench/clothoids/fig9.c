/* The curled rod by clothoids, helices and discrete elastic rods: time per step over degrees of
 * freedom, and the error of the equilibrium over time per step [SSC 2013, Fig. 9, middle and
 * right].
 *
 * The rod is that of the validation case curled-equilibrium, which plots both. It starts in its natural shape and
 * unwinds for one second in steps of 11 ms, undamped, by the default integrator, on one thread.
 * Errors are L2 distances from the equilibrium of 128 clothoids, relative to the length. */
#include "bench/clothoids/clothoids.h"
#include "validation/clothoids/curl.h"

enum { MODELS = 3, MESHES = 6, SAMPLES = 960 };

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
    cord_status status = curl_hang(&c, kind, elements, SAMPLES, &r, NULL, x);
    rod_free(&r);
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
            cord_status status =
                curl_unwind(kind, elements, bench_quick(b) ? 1 : 3, &time, &iterations);
            if (status == CORD_OK) status = equilibrium(kind, elements, x);
            if (!bench_ok(b, NULL, status, name)) continue;
            bench_row(b, name, "time per step of 11 ms", 1e6 * time, "us");
            bench_row(b, name, "Newton iterations per step", iterations, "");
            bench_row(b, name, "error at rest",
                      100 * chain_distance(SAMPLES, x, reference) / curl_default().length, "%");
        }
}
