/* A heavy cantilever with a constant natural curvature, in its plane. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

/* The rows of one clamp and one curvature are consecutive, with ascending weights. */
typedef struct group {
    const csv *table;
    int first, end;
    double below, kappa;
} group;

/* The largest distance of the tip from the reference along the branch. */
static bool largest_error(validation *v, const group *g, const clamped_model *model, int elements,
                          double *largest)
{
    rod r = {0};
    const double straight[3] = {0, 0, 0}, bent[3] = {0, g->kappa, 0};
    bool chain =
        strcmp(model->name, CORD_MODEL_DER) != 0 && strcmp(model->name, CORD_MODEL_SPLINE) != 0;
    /* The branch may be unstable out of its plane: chains are planar, and the others are stiff out of it. */
    const clamped_plan plan = {.model = model->name,
                               .elements = elements,
                               .below = g->below * degree,
                               .bending = {1e3, 1},
                               .twisting = 1e3,
                               .planar = chain};
    cord_status status = clamped_make(&plan, &r);
    if (status == CORD_OK) status = clamped_bend(&r, straight, bent, 0.5);
    *largest = 0;
    for (int i = g->first; status == CORD_OK && i < g->end; i++) {
        status = clamped_weigh(&r, csv_number(g->table, i, csv_column(g->table, "Gamma")));
        if (status == CORD_OK) status = rod_read(&r);
        if (status != CORD_OK) break;
        double x = rod_tip(&r)[0] - csv_number(g->table, i, csv_column(g->table, "x_tip")),
               z = rod_tip(&r)[2] + csv_number(g->table, i, csv_column(g->table, "drop"));
        *largest = fmax(*largest, hypot(x, z));
    }
    bool ok = validation_ok(v, r.world, status, model->name);
    rod_free(&r);
    return ok;
}

static void state(validation *v, const group *g, const clamped_model *model, double tolerance,
                  double order)
{
    double n[2], error[2];
    const char *name =
        validation_text(v, "%s, clamp at %g°, κ₀L = %.4g", model->name, g->below, g->kappa);
    for (int mesh = 0; mesh < 2; mesh++) {
        n[mesh] = model->elements << (1 + mesh);
        if (!largest_error(v, g, model, (int)n[mesh], error + mesh)) return;
    }
    validation_row_below(v, name, validation_text(v, "error of the tip / L, n = %g", n[1]),
                         error[1], tolerance);
    validation_row_above(v, name, "order of the error", fit_order(2, n, error), order);
}

void check_curled_cantilever(validation *v)
{
    /* About twice the errors found, which fall with the orders of the models. At Γ = 1000 a layer of L/10 bends at the
     * clamp, and the coarse meshes are not yet asymptotic. */
    static const double tolerance[CLAMPED_MODELS] = {1.5e-4, 1.5e-5, 6e-4, 8e-4, 1e-4},
                        order[CLAMPED_MODELS] = {1.7, 3.5, 1.8, 1.8, 3.1};
    csv t;
    if (!csv_open(v, "03a_heavy_curved_cantilever_planar.csv", &t)) return;
    int clamp = csv_column(&t, "clamp_angle"), kappa = csv_column(&t, "kappa0_L");
    for (int first = 0, end; first < t.rows; first = end) {
        group g = {&t, first, first, csv_number(&t, first, clamp), csv_number(&t, first, kappa)};
        for (end = first; end < t.rows && csv_number(&t, end, clamp) == g.below &&
                          csv_number(&t, end, kappa) == g.kappa;
             end++) {}
        g.end = end;
        for (int k = 0; k < CLAMPED_MODELS; k++)
            state(v, &g, clamped_models + k, tolerance[k], order[k]);
    }
    csv_close(&t);
}
