/* Frequencies of a heavy rod that hangs from a clamp or stands in one. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>

enum { MODES = 4, FOUND = 2 * MODES };

/* The largest relative error of the lowest frequencies. */
static bool largest_error(validation *v, const csv *t, int row, const clamped_model *model,
                          int elements, double *largest)
{
    static const double pi = 3.14159265358979323846, across[3] = {1, 0, 0};
    const clamped_plan plan = {
        .model = model->name, .elements = elements, .below = 0.5 * pi, .director = across};
    double omega[FOUND] = {0};
    int first = csv_column(t, "omega1");
    rod r = {0};
    cord_status status = clamped_make(&plan, &r);
    if (status == CORD_OK) status = clamped_weigh(&r, csv_number(t, row, 0));
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, FOUND, omega);
    bool ok = validation_ok(v, r.world, status, model->name);
    *largest = 0;
    for (int i = 0; ok && i < MODES; i++) /* a round rod: pairs */
        *largest = fmax(*largest, fabs(omega[2 * i] / csv_number(t, row, first + i) - 1));
    rod_free(&r);
    return ok;
}

static void state(validation *v, const csv *t, int row, const clamped_model *model,
                  double tolerance, double order)
{
    double n[2], error[2];
    for (int mesh = 0; mesh < 2; mesh++) {
        n[mesh] = model->elements << mesh;
        if (!largest_error(v, t, row, model, (int)n[mesh], error + mesh)) return;
    }
    const char *name = validation_text(v, "%s, Γ = %s", model->name, csv_text(t, row, 0));
    validation_row_below(v, name,
                         validation_text(v, "relative error of four frequencies, n = %g", n[1]),
                         error[1], tolerance);
    /* Heavier rods bend in a layer of L/√Γ at the clamp, which elements of these meshes do not resolve. */
    if (csv_number(t, row, 0) <= 200)
        validation_row_above(v, name, "order of the error", fit_order(2, n, error), order);
}

void check_heavy_frequencies(validation *v)
{
    /* About twice the errors found. */
    static const double tolerance[CLAMPED_MODELS] = {2.5e-3, 2e-5, 2e-3, 6e-3, 4e-4},
                        order[CLAMPED_MODELS] = {1.8, 3.5, 1.8, 1.8, 3.5};
    csv t;
    if (!csv_open(v, "14_heavy_hanging_rod_freq.csv", &t)) return;
    for (int i = 1; i < t.rows; i++) /* the first is the critical load, to four digits */
        for (int k = 0; k < CLAMPED_MODELS; k++)
            state(v, &t, i, clamped_models + k, tolerance[k], order[k]);
    csv_close(&t);
}
