/* The weight at which a planar curl leaves its plane, for every model: clamped with its tangent down, or horizontally. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>
#include <string.h>

/* The branch is followed to this fraction of the threshold on its stable side, and bisected to as much beyond it. */
#define NEAR 0.8

static cord_status weigh(clamped_pair *pair, double gamma)
{
    return clamped_weigh(&pair->planar, gamma);
}

/* The curled branch begins at Γ = 0 in the natural shape; the unrolled one at ten times the threshold, where the rod
 * bends before it has its natural curvature. Both are followed to `near` the expected threshold. */
static cord_status follow(rod *r, double kappa, double expected, bool curled)
{
    static const double straight[3] = {0, 0, 0};
    const double bent[3] = {0, kappa, 0};
    const double from = curled ? 0.1 * expected : 10 * expected, ratio = curled ? 1.25 : 0.8;
    cord_status status = CORD_OK;
    if (curled) status = clamped_bend(r, straight, bent, 0.5);
    for (int i = 1; status == CORD_OK && !curled && i <= 10; i++)
        status = clamped_weigh(r, from * pow(0.5, 10 - i));
    if (status == CORD_OK && !curled) status = clamped_bend(r, straight, bent, 0.5);
    double near = curled ? NEAR * expected : (2 - NEAR) * expected;
    for (double gamma = from; status == CORD_OK; gamma *= ratio) {
        bool last = curled ? gamma >= near : gamma <= near;
        status = clamped_weigh(r, last ? near : gamma);
        if (last) break;
    }
    return status;
}

static bool threshold(validation *v, const csv *t, int row, const clamped_model *model,
                      int elements, bool curled, double *found)
{
    static const double pi = 3.14159265358979323846;
    double expected = csv_number(t, row, csv_column(t, curled ? "Gamma_low" : "Gamma_up"));
    bool down = strcmp(csv_text(t, row, csv_column(t, "clamp")), "vertical_down") == 0;
    const clamped_plan plan = {.model = model->name,
                               .elements = elements,
                               .below = down ? 0.5 * pi : 0,
                               .twisting = csv_number(t, row, csv_column(t, "C_over_B"))};
    clamped_pair pair;
    cord_status status = clamped_pair_make(&plan, false, &pair);
    if (status == CORD_OK)
        status =
            follow(&pair.planar, csv_number(t, row, csv_column(t, "kappa0_L")), expected, curled);
    double range[2] = {NEAR * expected, (2 - NEAR) * expected};
    if (status == CORD_OK)
        status = clamped_threshold(&pair, weigh, range[!curled], range[curled], 1e-6, found);
    bool ok = clamped_pair_ok(v, &pair, status, model->name);
    clamped_pair_free(&pair);
    return ok;
}

static void state(validation *v, const csv *t, int row, const clamped_model *model, bool curled,
                  double tolerance, double order)
{
    double n[2], found[2], error[2];
    double expected = csv_number(t, row, csv_column(t, curled ? "Gamma_low" : "Gamma_up"));
    const char *name =
        validation_text(v, "%s, %s, κ₀L = %s, ν = %s, weight %s", model->name, csv_text(t, row, 0),
                        csv_text(t, row, 3), csv_text(t, row, 1), curled ? "rises" : "falls");
    for (int mesh = 0; mesh < 2; mesh++) {
        n[mesh] = model->elements << mesh;
        if (!threshold(v, t, row, model, (int)n[mesh], curled, found + mesh)) return;
        error[mesh] = fabs(found[mesh] / expected - 1);
    }
    validation_row(v, name, validation_text(v, "Γ, n = %g", n[1]), found[1], expected,
                   expected * tolerance);
    validation_row_above(v, name, "order of the error", fit_order(2, n, error), order);
}

void check_bend_twist_models(validation *v)
{
    /* About twice the errors found, which are largest for the strongest curls. */
    static const double tolerance[CLAMPED_MODELS] = {1.5e-2, 4e-3, 1.3e-2, 1.3e-2, 1.2e-3},
                        order[CLAMPED_MODELS] = {1.8, 1.7, 1.7, 1.8, 3.4};
    csv t;
    if (!csv_open(v, "07_bend_twist_threshold.csv", &t)) return;
    for (int i = 0; i < t.rows; i++) {
        if (!isfinite(csv_number(&t, i, csv_column(&t, "Gamma_up")))) continue;
        for (int k = 0; k < CLAMPED_MODELS; k++)
            for (int curled = 0; curled < 2; curled++)
                state(v, &t, i, clamped_models + k, curled, tolerance[k], order[k]);
    }
    csv_close(&t);
}
