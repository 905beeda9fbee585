/* A heavy rod that is naturally a helix, clamped with its tangent down. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/statics/clamped.h"
#include "validation/statics/statics.h"
#include <math.h>

enum { TIP, TANGENT, ERRORS };

static cord_status end_tangent(rod *r, double t[3])
{
    cord_point_def def = cord_point_def_default();
    cord_point end;
    double x[3], frame[9] = {0};
    def.source = CORD_SOURCE_STRAND;
    def.strand = r->strand;
    def.s = 1;
    cord_status status = cord_world_add_point(r->world, &def, &end);
    if (status == CORD_OK) status = cord_point_get_pose(r->world, end, x, frame);
    for (int k = 0; k < 3; k++) t[k] = frame[k];
    return status;
}

/* Distances of the tip and of its tangent from the reference; *unstable: directions. */
static bool errors(validation *v, const csv *t, int row, const clamped_model *model, int elements,
                   double error[ERRORS], int *unstable)
{
    static const double first[3] = {-1, 0, 0}, straight[3] = {0, 0, 0};
    const double pi = 3.14159265358979323846;
    int k1 = csv_column(t, "kappa1"), tip = csv_column(t, "tip_x"),
        along = csv_column(t, "tip_t_x");
    double natural[3], gamma = csv_number(t, row, csv_column(t, "Gamma")), tangent[3];
    for (int k = 0; k < 3; k++) natural[k] = csv_number(t, row, k1 + k);
    const clamped_plan plan = {.model = model->name,
                               .elements = elements,
                               .below = 0.5 * pi,
                               .twisting = csv_number(t, row, csv_column(t, "C_over_B")),
                               .director = first};
    rod r = {0};
    cord_status status = clamped_make(&plan, &r);
    if (status == CORD_OK) status = clamped_bend(&r, straight, natural, 0.5);
    for (int i = 1; status == CORD_OK && i <= 4; i++) status = clamped_weigh(&r, 0.25 * i * gamma);
    if (status == CORD_OK) status = cord_world_count_unstable_directions(r.world, unstable, NULL);
    if (status == CORD_OK) status = rod_read(&r);
    if (status == CORD_OK) status = end_tangent(&r, tangent);
    error[TIP] = error[TANGENT] = 0;
    for (int k = 0; status == CORD_OK && k < 3; k++) {
        error[TIP] += pow(rod_tip(&r)[k] - csv_number(t, row, tip + k), 2);
        error[TANGENT] += pow(tangent[k] - csv_number(t, row, along + k), 2);
    }
    for (int i = 0; i < ERRORS; i++) error[i] = sqrt(error[i]);
    bool ok = validation_ok(v, r.world, status, model->name);
    rod_free(&r);
    return ok;
}

static void state(validation *v, const csv *t, int row, const clamped_model *model,
                  double tolerance, double order)
{
    double n[2], error[2][ERRORS];
    int unstable = 0;
    for (int mesh = 0; mesh < 2; mesh++) {
        n[mesh] = model->elements << mesh;
        if (!errors(v, t, row, model, (int)n[mesh], error[mesh], &unstable)) return;
    }
    const char *name =
        validation_text(v, "%s, Γ = %g", model->name, csv_number(t, row, csv_column(t, "Gamma")));
    double tips[2] = {error[0][TIP], error[1][TIP]};
    validation_row_below(v, name, validation_text(v, "error of the tip / L, n = %g", n[1]),
                         error[1][TIP], tolerance);
    validation_row_below(v, name, "error of its tangent", error[1][TANGENT], 4 * tolerance);
    validation_row_above(v, name, "order of the error of the tip", fit_order(2, n, tips), order);
    validation_row(v, name, "unstable directions", unstable, 0, 0);
}

void check_heavy_helix(validation *v)
{
    /* About twice the errors found. The twist of a spline is of second order. */
    static const double tolerance[CLAMPED_MODELS] = {5e-4, 2.5e-4, 2.5e-4, 7e-4, 6e-6},
                        order[CLAMPED_MODELS] = {1.8, 1.8, 1.8, 1.8, 3.5};
    csv t;
    if (!csv_open(v, "07b_heavy_3d_equilibria.csv", &t)) return;
    for (int i = 0; i < t.rows; i++)
        for (int k = 0; k < CLAMPED_MODELS; k++)
            state(v, &t, i, clamped_models + k, tolerance[k], order[k]);
    csv_close(&t);
}
