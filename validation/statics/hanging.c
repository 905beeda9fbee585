/* Frequencies of a heavy rod that hangs from a clamp or stands in one. */
#include "validation/csv.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>

enum { MODES = 4, FOUND = 2 * MODES };

static bool frequencies(validation *v, const clamped_model *model, double gamma, double mode[MODES])
{
    static const double pi = 3.14159265358979323846, across[3] = {1, 0, 0};
    const clamped_plan plan = {.model = model->name,
                           .elements = model->elements,
                           .below = 0.5 * pi,
                           .director = across};
    double omega[FOUND];
    rod r = {0};
    cord_status status = clamped_make(&plan, &r);
    if (status == CORD_OK) status = clamped_weigh(&r, gamma);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, FOUND, omega);
    bool ok = validation_ok(v, r.world, status, model->name);
    for (int i = 0; ok && i < MODES; i++) mode[i] = omega[2 * i]; /* a round rod: pairs */
    rod_free(&r);
    return ok;
}

void check_heavy_frequencies(validation *v)
{
    static const double share[CLAMPED_MODELS] = {40, 4000, 40, 40, 4000}, power[CLAMPED_MODELS] = {2, 4, 2, 2, 4};
    csv t;
    if (!csv_open(v, "14_heavy_hanging_rod_freq.csv", &t)) return;
    int first = csv_column(&t, "omega1");
    for (int i = 1; i < t.rows; i++) /* the first is at the critical load to four digits */
        for (int k = 0; k < CLAMPED_MODELS; k++) {
            const clamped_model *model = clamped_models + k;
            double mode[MODES], gamma = csv_number(&t, i, 0), worst = 0;
            if (!frequencies(v, model, gamma, mode)) continue;
            for (int m = 0; m < MODES; m++)
                worst = fmax(worst, fabs(mode[m] / csv_number(&t, i, first + m) - 1));
            validation_row_below(
                v, validation_text(v, "%s, Γ = %g, n = %d", model->name, gamma, model->elements),
                "relative error of four frequencies", worst,
                share[k] / pow(model->elements, power[k]) + 1e-6);
        }
    csv_close(&t);
}
