/* Splines at rest: cantilevers, catenaries. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/splines/splines.h"

#include <math.h>
#include <string.h>

enum { MESHES = 4, MAX_LOADS = 64, TIP_SPANS = 32, CATENARY_SPANS = 64 };
static const int meshes[MESHES] = {8, 16, 32, 64};

static bool settle(validation *v, rod *r, const char *what)
{
    cord_status status = cord_world_find_equilibrium(r->world, NULL, NULL);
    if (status == CORD_OK) status = rod_look(r);
    return validation_ok(v, r->world, status, what);
}

static bool clamped(validation *v, int spans, rod *r)
{
    rod_plan plan = spline_plan(spans, 1);
    cord_status status = rod_make(&plan, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    return validation_ok(v, r->world, status, "make the cantilever");
}

/* Fourth order in a layer of L/√load at the clamp, where most of the error is made; c of about 0.015 is
 * what there is. */
static double fourth_order(double load, int spans)
{
    double layers = 1 + sqrt(load);
    return fmax(1e-9, 0.03 * pow(layers / spans, 4) / layers);
}

/* ---- under its weight ------------------------------------------------------------------------- */

/* One mesh through all Γ, each from the equilibrium before: with EI = L = mass = 1, gravity is Γ. */
static bool bend_through(validation *v, const csv *t, int spans, double *error)
{
    int gamma = csv_column(t, "Gamma"), x = csv_column(t, "x_tip"), drop = csv_column(t, "drop");
    rod r = {0};
    bool ok = clamped(v, spans, &r);
    for (int i = 0; ok && i < t->rows && i < MAX_LOADS; i++) {
        double load = csv_number(t, i, gamma);
        ok = validation_ok(v, r.world, rod_set_gravity(&r, 0, 0, -load), "set gravity") &&
             settle(v, &r, validation_text(v, "n = %d, Γ = %g", spans, load));
        if (!ok) break;
        const double *tip = rod_tip(&r);
        error[i] = hypot(tip[0] - csv_number(t, i, x), tip[2] + csv_number(t, i, drop));
    }
    rod_free(&r);
    return ok;
}

/* The slope over meshes that resolve the clamp's layer, by errors above the tolerance of statics. */
static double observed_order(double gamma, double error[MESHES][MAX_LOADS], int load, int *used)
{
    double n[MESHES], of[MESHES];
    *used = 0;
    for (int k = 0; k < MESHES; k++) {
        if (meshes[k] < 2 * sqrt(gamma) || error[k][load] < 1e-9) continue;
        n[*used] = meshes[k], of[(*used)++] = error[k][load];
    }
    return fit_order(*used, n, of);
}

void check_spline_cantilever(validation *v)
{
    csv t;
    double error[MESHES][MAX_LOADS], gamma[MAX_LOADS];
    if (!csv_open(v, "01_heavy_cantilever.csv", &t)) return;
    int count = t.rows < MAX_LOADS ? t.rows : MAX_LOADS, column = csv_column(&t, "Gamma"), mesh = 0;
    while (mesh < MESHES && bend_through(v, &t, meshes[mesh], error[mesh])) mesh++;
    for (int i = 0; i < count; i++) gamma[i] = csv_number(&t, i, column);
    csv_close(&t);
    if (mesh < MESHES) return;
    for (int i = 0; i < count; i++) {
        int used;
        double order = observed_order(gamma[i], error, i, &used);
        const char *name = validation_text(v, "spline-cantilever Γ=%g", gamma[i]);
        /* Two meshes in the layer say little of an order; three do. */
        if (used >= 3) validation_row_above(v, name, "observed order", order, 3.5);
        int n = meshes[MESHES - 1];
        if (n < 2 * sqrt(gamma[i])) continue;
        validation_row(v, name, validation_text(v, "tip error/L, n=%d", n), error[MESHES - 1][i], 0,
                       fourth_order(gamma[i], n));
    }
    plot_series s[MESHES];
    for (int k = 0; k < MESHES; k++)
        s[k] = (plot_series){validation_text(v, "n = %d", meshes[k]), count, gamma, error[k],
                             PLOT_BOTH};
    validation_plot(v, &(plot){"Error of the tip, relative to the length", "Γ = ρSgL³/EI",
                               "|tip − reference| / L", true, true, MESHES, s});
}

/* ---- under a load at the tip -------------------------------------------------------------------- */

void check_spline_tip_load(validation *v)
{
    csv t;
    rod r = {0};
    cord_load load = {0};
    if (!csv_open(v, "02_tip_load_cantilever.csv", &t)) return;
    int alpha = csv_column(&t, "alpha"), x = csv_column(&t, "x_tip"),
        drop = csv_column(&t, "deflection");
    bool ok = clamped(v, TIP_SPANS, &r) &&
              validation_ok(v, r.world, rod_load_tip(&r, &load), "load the tip");
    for (int i = 0; ok && i < t.rows; i += validation_quick(v) ? 5 : 1) {
        double a = csv_number(&t, i, alpha), force[3] = {0, 0, -a};
        const char *name = validation_text(v, "spline-tip-load PL²/EI=%g", a);
        ok = validation_ok(v, r.world, cord_load_set_force(r.world, load, force), name) &&
             settle(v, &r, name);
        if (!ok) break;
        double close = fourth_order(a, TIP_SPANS);
        validation_row(v, name, "deflection/L", -rod_tip(&r)[2], csv_number(&t, i, drop), close);
        validation_row(v, name, "x/L", rod_tip(&r)[0], csv_number(&t, i, x), close);
    }
    rod_free(&r);
    csv_close(&t);
}

/* ---- catenaries -------------------------------------------------------------------------------- */

/* Bending moves the rod by about L/√Γ near its ends, and by less than 1e-4 L anywhere. */
static const double catenary_gamma = 1e8;

/* The tangent of a catenary turns as the force in it: (H, V0 + ws), in wL. */
static void catenary_tangent(const void *user, double s, double t[3])
{
    const double *force = user;
    double vertical = force[1] + s, size = hypot(force[0], vertical);
    t[0] = force[0] / size, t[1] = 0, t[2] = vertical / size;
}

static cord_status hang(rod *r, const double force[2], const double end[3], cord_constraint *hold)
{
    cord_point second;
    cord_status status = rod_pin(r, 0, NULL, NULL);
    if (status == CORD_OK) status = rod_pin(r, r->length, &second, hold);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, catenary_tangent, force, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    if (status == CORD_OK) status = cord_point_set_pose(r->world, second, end, NULL);
    if (status == CORD_OK) status = rod_set_gravity(r, 0, 0, -catenary_gamma);
    return status;
}

static void one_catenary(validation *v, const csv *t, int row)
{
    double end[3] = {csv_number(t, row, csv_column(t, "span")), 0,
                     csv_number(t, row, csv_column(t, "rise"))};
    double force[2] = {csv_number(t, row, csv_column(t, "H_over_wL")),
                       csv_number(t, row, csv_column(t, "V0_over_wL"))};
    const char *name = validation_text(v, "spline-catenary (%g, %g)", end[0], end[2]);
    rod r = {0};
    cord_constraint hold = {0};
    rod_plan plan = spline_plan(CATENARY_SPANS, 1);
    double pull[3];
    if (validation_ok(v, r.world, rod_make(&plan, &r), "make the rope") &&
        validation_ok(v, r.world, hang(&r, force, end, &hold), "hang it") && settle(v, &r, name) &&
        validation_ok(v, r.world, cord_constraint_get_force(r.world, hold, pull, NULL), name)) {
        const double *middle = r.x + 3 * (r.edges / 2);
        validation_row(v, name, "x/L of the middle", middle[0],
                       csv_number(t, row, csv_column(t, "x_mid")), 1e-3);
        validation_row(v, name, "y/L of the middle", middle[2],
                       csv_number(t, row, csv_column(t, "y_mid")), 1e-3);
        validation_row(v, name, "thrust H/wL", pull[0] / catenary_gamma, force[0], 0.01);
    }
    rod_free(&r);
}

void check_spline_catenary(validation *v)
{
    csv t;
    if (!csv_open(v, "03b_heavy_rod_two_supports.csv", &t)) return;
    for (int i = 0; i < t.rows; i++)
        if (strcmp(csv_text(&t, i, csv_column(&t, "bc")), "catenary") == 0) one_catenary(v, &t, i);
    csv_close(&t);
}
