/* Buckling of a column under its own weight. */
#include "validation/rods.h"
#include "validation/statics/statics.h"
#include <math.h>
#include <string.h>

/* The first root of J₋₁⸝₃(⅔ √Γ) = 0. */
static const double greenhill = 7.837347439;

typedef struct column {
    const char *name, *model;
    double stiffer; /* the other bending stiffness over EI */
    double direction[3];
} column;

/* EI = L = mass per length = 1. */
static bool unstable_at(validation *v, const column *c, int n, double gamma, int *unstable)
{
    rod r = {0};
    rod_plan plan = rod_plan_unit(n, 1);
    plan.strand.model = c->model;
    plan.strand.element_count = n; /* of chains */
    plan.strand.section.bending[1] = c->stiffer;
    plan.strand.section.twisting = c->stiffer > 1 ? 4 : 1;
    memcpy(plan.direction, c->direction, sizeof plan.direction);
    for (int k = 0; k < 3; k++) plan.world.gravity[k] = -gamma * c->direction[k];
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
    if (status == CORD_OK) status = cord_world_count_unstable_directions(r.world, unstable, NULL);
    bool ok = validation_ok(v, r.world, status, c->name);
    rod_free(&r);
    return ok;
}

static bool critical_load(validation *v, const column *c, int n, double *found)
{
    double low = 7, high = 9;
    while (high - low > 1e-8) {
        double middle = 0.5 * (low + high);
        int unstable = 0;
        if (!unstable_at(v, c, n, middle, &unstable)) return false;
        *(unstable > 0 ? &high : &low) = middle;
    }
    *found = 0.5 * (low + high);
    return true;
}

enum { MESHES = 8 };

/* `share`: the error is share/n² of a discrete rod, share/n⁴ of a clothoid. */
static void refine(validation *v, const column *c, const int *meshes, double share, double power)
{
    double n[MESHES], error[MESHES];
    int count = 0;
    for (; count < MESHES && meshes[count] > 0; count++) {
        double found;
        if (!critical_load(v, c, meshes[count], &found)) return;
        n[count] = meshes[count], error[count] = fabs(found / greenhill - 1);
        validation_row(v, validation_text(v, "%s, n = %d", c->name, meshes[count]), "ρgS L³/EI",
                       found, greenhill, greenhill * (share / pow(n[count], power) + 1e-6));
    }
    plot_series s = {c->name, count, n, error, PLOT_MARKERS};
    validation_plot(v,
                    &(plot){validation_text(v, "Relative error of the critical load: %s", c->name),
                            "elements", "|Γ/Γ_exact − 1|", true, true, 1, &s});
}

void check_heavy_column(validation *v)
{
    static const int all[MESHES] = {50, 100, 200, 400, 800, 1600, 3200, 10000},
                     fewer[MESHES] = {50, 400, 1600}, chains[MESHES] = {4, 16, 64};
    static const double inclined[3] = {0.48, 0.36, 0.8};
    column der = {"der", CORD_MODEL_DER, 1, {0, 0, 1}}, strip = der, oblique = der;
    strip.name = "der, strip", strip.stiffer = 2500;
    oblique.name = "der, inclined strip", oblique.stiffer = 2500;
    memcpy(oblique.direction, inclined, sizeof inclined);
    const int *meshes = validation_quick(v) ? fewer : all;
    refine(v, &der, meshes, 0.52, 2);
    refine(v, &strip, meshes, 0.52, 2);
    refine(v, &oblique, meshes, 0.52, 2);
    refine(v, &(column){"segment", CORD_MODEL_SEGMENT, 1, {0, 0, 1}}, chains, 0.52, 2);
    refine(v, &(column){"helix", CORD_MODEL_HELIX, 1, {0, 0, 1}}, chains, 0.32, 2);
    refine(v, &(column){"clothoid", CORD_MODEL_CLOTHOID, 1, {0, 0, 1}}, chains, 0.07, 4);
}
