/* Equilibrium of the curled rod: all models converge to one shape [SSC 2013, Figs. 8b and 9 left]. */
#include "validation/clothoids/clothoids.h"
#include "validation/clothoids/curl.h"
#include "validation/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 4, MOST_MESHES = 12, SAMPLES = 1200 };

/* Distances are relative to the length. Half a per cent is the limit of visual difference. */
static const double visual_limit = 5e-3;

typedef struct subject {
    chain_kind kind;
    int meshes[MOST_MESHES]; /* elements; ends with 0 */
    int fitted_from;         /* the order is that of the meshes from here on */
    int finest;              /* for the cross-check */
    double order, order_tolerance;
    int scan_from;         /* where the search for the visual limit begins */
    double paper_freedoms; /* degrees of freedom in the paper */
} subject;

static const subject subjects[MODELS] = {
    {{"clothoid", CORD_MODEL_CLOTHOID, false},
     {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64},
     12,
     128,
     4,
     0.4,
     2,
     24},
    {{"helix", CORD_MODEL_HELIX, false},
     {3, 4, 6, 8, 12, 16, 24, 32, 64, 128},
     16,
     512,
     2,
     0.2,
     3,
     70},
    {{"segment", CORD_MODEL_SEGMENT, false},
     {16, 24, 32, 48, 64, 100, 200, 400},
     64,
     1000,
     2,
     0.2,
     16,
     0},
    {{"der", CORD_MODEL_DER, false}, {16, 24, 32, 50, 100, 200, 400}, 50, 1200, 2, 0.2, 16, 1000},
};

typedef struct sweep {
    int count;
    double freedoms[MOST_MESHES], distance[MOST_MESHES];
} sweep;

/* From the natural shape to equilibrium: 3 × (SAMPLES + 1). */
static bool hang(validation *v, const curl *c, const chain_kind *kind, int elements, double *x)
{
    rod r = {0};
    cord_statics_result found = {0};
    const char *what = validation_text(v, "%s, N = %d", kind->name, elements);
    bool ok = chain_ok(v, &r, curl_hang(c, kind, elements, SAMPLES, &r, &found, x), what);
    if (ok && found.unstable_directions != 0) {
        validation_fail(v, what, "the equilibrium is not stable");
        ok = false;
    }
    rod_free(&r);
    return ok;
}

static bool distance_to(validation *v, const double *reference, const curl *c,
                        const chain_kind *kind, int elements, double *x, double *distance)
{
    if (!hang(v, c, kind, elements, x)) return false;
    *distance = chain_distance(SAMPLES, x, reference) / c->length;
    return true;
}

static bool refine(validation *v, const subject *s, const double *reference, double *x, sweep *w)
{
    double n[MOST_MESHES], error[MOST_MESHES];
    int fitted = 0;
    const curl c = curl_default();
    for (int i = 0; i < MOST_MESHES && s->meshes[i] > 0; i++) {
        if (!distance_to(v, reference, &c, &s->kind, s->meshes[i], x, &w->distance[w->count]))
            return false;
        w->freedoms[w->count] = chain_freedoms(&s->kind, s->meshes[i]);
        if (s->meshes[i] >= s->fitted_from)
            n[fitted] = s->meshes[i], error[fitted++] = w->distance[w->count];
        w->count++;
    }
    validation_row(v, s->kind.name,
                   validation_text(v, "order of the L2 distance, N ≥ %d", s->fitted_from),
                   fit_order(fitted, n, error), s->order, s->order_tolerance);
    return true;
}

/* The fewest degrees of freedom from which two meshes in a row are within the limit. */
static bool to_the_limit(validation *v, const curl *c, const chain_kind *kind, int from,
                         const double *reference, double *x, double *freedoms)
{
    int within = 0;
    for (int elements = from; elements < 1000; elements += 1 + elements / 200) {
        double distance;
        if (!distance_to(v, reference, c, kind, elements, x, &distance)) return false;
        if (within == 0) *freedoms = chain_freedoms(kind, elements);
        within = distance <= visual_limit ? within + 1 : 0;
        if (within == 2) return true;
    }
    validation_fail(v, kind->name, "half a per cent was not reached");
    return false;
}

/* No more than the paper; it gives no value for segments, which get that of the discrete rod. */
static void state_limits(validation *v, const double *reference, double *x)
{
    double freedoms[MODELS];
    const curl c = curl_default();
    for (int i = 0; i < MODELS; i++) {
        const subject *s = &subjects[i];
        if (!to_the_limit(v, &c, &s->kind, s->scan_from, reference, x, &freedoms[i])) return;
        double bound = s->paper_freedoms > 0 ? s->paper_freedoms : 100;
        validation_row_below(v, s->kind.name, "degrees of freedom within 0.5 % of the length",
                             freedoms[i], bound);
    }
    validation_row_above(v, "helix over clothoid", "degrees of freedom within 0.5 %",
                         freedoms[1] / freedoms[0], 1.5);
    validation_row_above(v, "der over clothoid", "degrees of freedom within 0.5 %",
                         freedoms[3] / freedoms[0], 4);
}

static void plot_shape(validation *v, const double *reference, const double *coarse)
{
    static double x[2][SAMPLES + 1], z[2][SAMPLES + 1];
    const double *shapes[2] = {reference, coarse};
    plot_series s[2];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i <= SAMPLES; i++)
            x[k][i] = shapes[k][3 * i], z[k][i] = shapes[k][3 * i + 2];
        s[k] = (plot_series){k == 0 ? "reference" : "7 clothoids", SAMPLES + 1, x[k], z[k],
                             k == 0 ? PLOT_DASHED : PLOT_LINE};
    }
    validation_plot(v, &(plot){"The curled rod at rest", "x, m", "z, m", false, false, 2, s});
}

void check_curled_equilibrium(validation *v)
{
    size_t size = 3 * (SAMPLES + 1) * sizeof(double);
    double *reference = malloc(size), *x = malloc(size);
    sweep sweeps[MODELS] = {{0}};
    plot_series s[MODELS];
    const curl c = curl_default();
    bool ok = reference && x && hang(v, &c, &subjects[0].kind, 256, reference);
    for (int i = 0; ok && i < MODELS; i++) {
        double distance;
        const subject *one = &subjects[i];
        ok = distance_to(v, reference, &c, &one->kind, one->finest, x, &distance);
        if (!ok) break;
        validation_row_below(v, one->kind.name,
                             validation_text(v, "distance to 256 clothoids, N = %d", one->finest),
                             distance, i == 0 ? 1e-6 : 3e-5);
    }
    for (int i = 0; ok && i < MODELS; i++) {
        ok = refine(v, &subjects[i], reference, x, &sweeps[i]);
        s[i] = (plot_series){subjects[i].kind.name, sweeps[i].count, sweeps[i].freedoms,
                             sweeps[i].distance, PLOT_BOTH};
    }
    if (ok) {
        state_limits(v, reference, x);
        validation_plot(v, &(plot){"The curled rod at rest: distance to the reference",
                                   "degrees of freedom", "L2 distance over length", true, true,
                                   MODELS, s});
    }
    if (ok && hang(v, &c, &subjects[0].kind, 7, x)) plot_shape(v, reference, x);
    free(reference);
    free(x);
}
