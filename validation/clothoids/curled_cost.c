/* The curled rod: the clamp of discrete elastic rods, and the cost of accuracy [SSC 2013, Fig. 9]. */
#include "validation/clothoids/clothoids.h"
#include "validation/clothoids/curl.h"
#include "validation/fit.h"
#include <math.h>

enum { SAMPLES = 1200, MESHES = 8 };

static double reference[3 * (SAMPLES + 1)], x[3 * (SAMPLES + 1)];

static bool distance_of(validation *v, const curl *c, const chain_kind *kind, int elements,
                        double *distance)
{
    rod r = {0};
    bool ok = chain_ok(v, &r, curl_hang(c, kind, elements, SAMPLES, &r, NULL, x), kind->name);
    *distance = chain_distance(SAMPLES, x, reference) / c->length;
    rod_free(&r);
    return ok;
}

static bool find_reference(validation *v)
{
    const chain_kind clothoid = {"the reference", CORD_MODEL_CLOTHOID, false};
    curl c = curl_default();
    rod r = {0};
    bool ok =
        chain_ok(v, &r, curl_hang(&c, &clothoid, 256, SAMPLES, &r, NULL, reference), clothoid.name);
    rod_free(&r);
    return ok;
}

/* ---- the clamp of discrete elastic rods --------------------------------------------------------- */

enum { RODS = 6, LIMITS = 2 };
static const double limits[LIMITS] = {5e-3, 2e-3}; /* distance over length */
static const struct {
    const char *name, *model;
    bool edge_clamp;
    cord_curvature curvature;
    int meshes[MESHES], fitted_from;
    double order, freedoms[LIMITS]; /* expected */
} rods[RODS] = {
    {"clothoid", CORD_MODEL_CLOTHOID, false, 0, {3, 4, 5, 6, 7, 8, 16, 32}, 16, 4, {23.3, 29.5}},
    {"helix", CORD_MODEL_HELIX, false, 0, {8, 12, 16, 20, 24, 32, 64, 128}, 16, 2, {45.5, 72}},
    {"der, tangent curvature",
     CORD_MODEL_DER,
     false,
     CORD_CURVATURE_TANGENT,
     {25, 35, 50, 100, 200, 400, 800, 1600},
     50,
     2,
     {152.5, 241}},
    {"der, sine curvature",
     CORD_MODEL_DER,
     false,
     CORD_CURVATURE_SINE,
     {25, 35, 50, 100, 200, 400, 800, 1600},
     50,
     2,
     {280, 445}},
    {"der, tangent curvature, first edge held",
     CORD_MODEL_DER,
     true,
     CORD_CURVATURE_TANGENT,
     {25, 35, 50, 100, 200, 400, 800, 1600},
     50,
     1,
     {387, 919}},
    {"der, sine curvature, first edge held",
     CORD_MODEL_DER,
     true,
     CORD_CURVATURE_SINE,
     {25, 35, 50, 100, 200, 400, 800, 1600},
     50,
     1,
     {373, 866}},
};

/* Degrees of freedom at which the distance is `limit`, between two meshes on logarithmic scales. */
static double freedoms_at(double limit, const double *freedoms, const double *distance)
{
    for (int i = MESHES - 1; i > 0; i--)
        if (distance[i] <= limit && distance[i - 1] > limit)
            return freedoms[i] * pow(limit / distance[i], log(freedoms[i] / freedoms[i - 1]) /
                                                              log(distance[i] / distance[i - 1]));
    return NAN;
}

/* The three values of the paper fit one limit, which is chosen for that, with the clamp of [DER 2008]. */
static void compare_with_paper(validation *v, double freedoms[RODS][MESHES],
                               double distance[RODS][MESHES])
{
    static const struct {
        int rod;
        double freedoms;
    } paper[] = {{0, 24}, {1, 70}, {4, 1000}};
    for (int i = 0; i < 3; i++) {
        int k = paper[i].rod;
        validation_row(v, rods[k].name, "degrees of freedom at 0.2 % over those of the paper",
                       freedoms_at(2e-3, freedoms[k], distance[k]) / paper[i].freedoms, 1, 0.25);
    }
}

void check_curled_clamp(validation *v)
{
    static double freedoms[RODS][MESHES], distance[RODS][MESHES];
    plot_series s[RODS];
    if (!find_reference(v)) return;
    for (int k = 0; k < RODS; k++) {
        const chain_kind kind = {rods[k].name, rods[k].model, false};
        curl c = curl_default();
        double n[MESHES];
        int first = MESHES;
        c.edge_clamp = rods[k].edge_clamp, c.curvature = rods[k].curvature;
        for (int i = MESHES - 1; i >= 0; i--) {
            int elements = rods[k].meshes[i];
            if (elements >= rods[k].fitted_from) first = i;
            n[i] = elements, freedoms[k][i] = chain_freedoms(&kind, elements);
            if (!distance_of(v, &c, &kind, elements, &distance[k][i])) return;
        }
        validation_row(v, kind.name,
                       validation_text(v, "order of the L2 distance, N ≥ %d", rods[k].fitted_from),
                       fit_order(MESHES - first, n + first, distance[k] + first), rods[k].order,
                       rods[k].order == 4 ? 0.4 : 0.2);
        for (int i = 0; i < LIMITS; i++)
            validation_row(
                v, kind.name,
                validation_text(v, "degrees of freedom at %.1f %% of the length", 100 * limits[i]),
                freedoms_at(limits[i], freedoms[k], distance[k]), rods[k].freedoms[i],
                0.05 * rods[k].freedoms[i]);
        s[k] = (plot_series){kind.name, MESHES, freedoms[k], distance[k], PLOT_BOTH};
    }
    compare_with_paper(v, freedoms, distance);
    validation_plot(v,
                    &(plot){"The curled rod at rest: clamp and curvature of discrete rods",
                            "degrees of freedom", "L2 distance over length", true, true, RODS, s});
}

/* ---- cost ------------------------------------------------------------------------------------------ */

enum { MODELS = 4 };
static const struct {
    chain_kind kind;
    int meshes[MESHES];
    double iterations; /* Newton iterations per step, at most */
} costs[MODELS] = {
    {{"clothoid", CORD_MODEL_CLOTHOID, false}, {3, 4, 5, 7, 12, 24, 48, 96}, 15},
    {{"helix", CORD_MODEL_HELIX, false}, {4, 6, 8, 16, 23, 48, 96, 192}, 10},
    {{"segment", CORD_MODEL_SEGMENT, false}, {16, 23, 32, 48, 64, 100, 200, 400}, 10},
    {{"der", CORD_MODEL_DER, false}, {25, 38, 50, 100, 200, 250, 500, 1000}, 10},
};

void check_curled_cost(validation *v)
{
    static double freedoms[MODELS][MESHES], time[MODELS][MESHES], distance[MODELS][MESHES];
    const curl c = curl_default();
    plot_series middle[MODELS], right[MODELS];
    if (!find_reference(v)) return;
    for (int k = 0; k < MODELS; k++) {
        const chain_kind *kind = &costs[k].kind;
        double most = 0;
        for (int i = 0; i < MESHES; i++) {
            double iterations = 0;
            int elements = costs[k].meshes[i];
            if (!distance_of(v, &c, kind, elements, &distance[k][i])) return;
            cord_status status = curl_unwind(kind, elements, 1, &time[k][i], &iterations);
            if (!validation_ok(v, NULL, status, kind->name)) return;
            freedoms[k][i] = chain_freedoms(kind, elements);
            time[k][i] *= 1e3, most = fmax(most, iterations);
        }
        validation_row_below(v, kind->name, "Newton iterations per step of 11 ms, any mesh", most,
                             costs[k].iterations);
        middle[k] = (plot_series){kind->name, MESHES, freedoms[k], time[k], PLOT_BOTH};
        right[k] = (plot_series){kind->name, MESHES, time[k], distance[k], PLOT_BOTH};
    }
    validation_plot(v,
                    &(plot){"The unwinding rod: time per step of 11 ms (Fig. 9, middle)",
                            "degrees of freedom", "time per step, ms", true, true, MODELS, middle});
    validation_plot(v, &(plot){"Accuracy at rest against time per step (Fig. 9, right)",
                               "time per step, ms", "L2 distance over length", true, true, MODELS,
                               right});
}
