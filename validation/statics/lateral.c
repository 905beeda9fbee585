/* Lateral buckling of a horizontal strip, clamped upright, by a weight at its end or by its own weight. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>
#include <string.h>

static cord_status put_weight(clamped_pair *pair, double load)
{
    return clamped_weigh(&pair->planar, load);
}

static cord_status put_end_load(clamped_pair *pair, double load)
{
    const double force[3] = {0, 0, -load};
    cord_status status = cord_load_set_force(pair->planar.world, pair->end[0], force);
    if (status != CORD_OK) return status;
    return cord_world_find_equilibrium(pair->planar.world, NULL, NULL);
}

/* Prebuckling bending is included: the load is raised in steps to 0.9 of the expected one. */
static bool critical_load(validation *v, const csv *t, int row, const clamped_model *model,
                          int elements, double *found)
{
    bool own_weight = strcmp(csv_text(t, row, csv_column(t, "load")), "self") == 0;
    clamped_load *put = own_weight ? put_weight : put_end_load;
    double ratio = csv_number(t, row, csv_column(t, "width_over")),
           expected = csv_number(t, row, csv_column(t, "Gamma_c"));
    const clamped_plan plan = {.model = model->name,
                               .elements = elements,
                               .bending = {1, ratio * ratio},
                               .twisting = csv_number(t, row, csv_column(t, "C_over_B1"))};
    clamped_pair pair;
    cord_status status = clamped_pair_make(&plan, !own_weight, &pair);
    for (int i = 1; status == CORD_OK && i <= 4; i++) status = put(&pair, 0.9 * expected * i / 4);
    if (status == CORD_OK)
        status = clamped_threshold(&pair, put, 0.9 * expected, 1.2 * expected, 1e-6, found);
    bool ok = clamped_pair_ok(v, &pair, status, model->name);
    clamped_pair_free(&pair);
    return ok;
}

static void state(validation *v, const csv *t, int row, const clamped_model *model,
                  double tolerance, double order)
{
    double n[2], found[2], error[2], expected = csv_number(t, row, csv_column(t, "Gamma_c"));
    const char *name = validation_text(v, "%s, %s weight, b/h = %s", model->name,
                                       csv_text(t, row, 0), csv_text(t, row, 3));
    for (int mesh = 0; mesh < 2; mesh++) {
        n[mesh] = model->elements << mesh;
        if (!critical_load(v, t, row, model, (int)n[mesh], found + mesh)) return;
        error[mesh] = fabs(found[mesh] / expected - 1);
    }
    validation_row(v, name, validation_text(v, "load L²/B₁, n = %g", n[1]), found[1], expected,
                   expected * tolerance);
    validation_row_above(v, name, "order of the error", fit_order(2, n, error), order);
}

void check_lateral_buckling(validation *v)
{
    /* About twice the errors found. Strips of b/h = 2 bend by more than a radian before, and have larger ones. */
    static const double tolerance[CLAMPED_MODELS] = {2e-4, 4e-4, 9e-4, 1.7e-3, 2e-5},
                        order[CLAMPED_MODELS] = {1.7, 1.8, 1.8, 1.8, 3.5};
    csv t;
    if (!csv_open(v, "08_lateral_buckling.csv", &t)) return;
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < CLAMPED_MODELS; k++)
            state(v, &t, i, clamped_models + k,
                  tolerance[k] * (csv_number(&t, i, csv_column(&t, "width_over")) < 2.5 ? 15 : 1),
                  order[k]);
    csv_close(&t);
}
