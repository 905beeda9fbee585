/* A swinging rod with few and with many elements [SC 2012, Fig. 7]. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include "validation/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sampled every 20 ms for a second, at 120 points. */
enum { MODELS = 3, FRAMES = 50, STEPS = 10, SAMPLES = 120, FRAME = 3 * (SAMPLES + 1), MESHES = 5 };
static const double step = 2e-3;

typedef struct subject {
    chain_kind kind;
    int elements;       /* number of elements that looks alike in the paper */
    int meshes[MESHES]; /* for the order; ends with 0 */
    double order;
} subject;

static const subject subjects[MODELS] = {
    {{"segment", CORD_MODEL_SEGMENT, true}, 20, {10, 20, 40, 80}, 2},
    {{"circle", CORD_MODEL_HELIX, true}, 8, {8, 16, 32, 64}, 2},
    {{"clothoid", CORD_MODEL_CLOTHOID, true}, 4, {4, 8, 16}, 4},
};

/* A horizontal rod, 1 m long and 1 cm thick, 100 MPa, 1000 kg/m³, is released: Γ = 16. */
static bool record(validation *v, const chain_kind *kind, int elements, double *frames)
{
    rod r = {0};
    rod_plan plan = rod_plan_common(1);
    plan.strand.material.young = 1e8;
    chain_of(&plan, kind, elements, SAMPLES);
    cord_status status = chain_make(&plan, &r);
    if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
    for (int f = 0; status == CORD_OK && f < FRAMES; f++) {
        for (int i = 0; status == CORD_OK && i < STEPS; i++)
            status = cord_world_step(r.world, step);
        if (status == CORD_OK) status = rod_read(&r);
        if (status == CORD_OK) chain_sample(&r, SAMPLES, frames + (size_t)FRAME * (size_t)f);
    }
    bool ok = chain_ok(v, &r, status, validation_text(v, "%s, N = %d", kind->name, elements));
    rod_free(&r);
    return ok;
}

/* The root mean square over the first `frames` frames of the L2 distance; m = L. */
static double mean_distance(const double *a, const double *b, int frames, double *each)
{
    double sum = 0;
    for (int f = 0; f < frames; f++) {
        double d =
            chain_distance(SAMPLES, a + (size_t)FRAME * (size_t)f, b + (size_t)FRAME * (size_t)f);
        if (each) each[f] = d;
        sum += d * d;
    }
    return sqrt(sum / frames);
}

static bool refine(validation *v, const subject *s, const double *reference, double *frames)
{
    double n[MESHES], error[MESHES];
    int count = 0;
    for (; count < MESHES && s->meshes[count] > 0; count++) {
        if (!record(v, &s->kind, s->meshes[count], frames)) return false;
        n[count] = s->meshes[count];
        error[count] = mean_distance(frames, reference, FRAMES, NULL);
    }
    validation_row_above(v, s->kind.name, "order in space of the motion",
                         fit_order(count, n, error), s->order - 0.5);
    return true;
}

void check_motion(validation *v)
{
    static double distance[MODELS][FRAMES], time[FRAMES];
    size_t size = (size_t)FRAMES * FRAME * sizeof(double);
    double *reference = malloc(size), *frames = malloc(size), few[MODELS] = {0};
    plot_series series[MODELS];
    bool ok = reference && frames && record(v, &subjects[2].kind, 50, reference);
    for (int f = 0; f < FRAMES; f++) time[f] = (f + 1) * STEPS * step;
    for (int i = 0; ok && i < MODELS; i++) {
        const subject *s = &subjects[i];
        ok = record(v, &s->kind, i == 2 ? 25 : 50, frames);
        if (!ok) break;
        validation_row_below(v, s->kind.name,
                             i == 2 ? "25 against 50 clothoids: distance/L"
                                    : "50 against 50 clothoids: distance/L",
                             mean_distance(frames, reference, FRAMES, NULL), i == 2 ? 1e-4 : 1e-2);
        ok = record(v, &s->kind, s->elements, frames);
        if (!ok) break;
        few[i] = mean_distance(frames, reference, FRAMES, distance[i]);
        validation_row_below(v, s->kind.name,
                             validation_text(v, "N = %d: distance/L over 1 s", s->elements), few[i],
                             1e-2);
        series[i] = (plot_series){validation_text(v, "%d %ss", s->elements, s->kind.name), FRAMES,
                                  time, distance[i], PLOT_LINE};
        ok = refine(v, s, reference, frames);
    }
    if (ok) {
        validation_row_below(v, "4 clothoids over 20 segments", "distance", few[2] / few[0], 1);
        validation_row_below(v, "4 clothoids over 8 circles", "distance", few[2] / few[1], 1);
        validation_plot(v, &(plot){"A swinging rod: distance to 50 clothoids", "time, s",
                                   "L2 distance over length", false, true, MODELS, series});
    }
    free(reference);
    free(frames);
}
