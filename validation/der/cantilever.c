/* Clamped rods at rest: under their own weight, and under a load at the tip. */
#include "validation/csv.h"
#include "validation/der/der.h"
#include "validation/rods.h"
#include <math.h>

enum { MAX_MESHES = 8, MAX_LOADS = 64 };

/* ---- heavy cantilever ------------------------------------------------------------------------ */

typedef struct sweep {
    int load_count, mesh_count;
    double gamma[MAX_LOADS], x[MAX_LOADS], drop[MAX_LOADS]; /* reference */
    double n[MAX_MESHES];
    double tip_x[MAX_MESHES][MAX_LOADS], tip_z[MAX_MESHES][MAX_LOADS];
    double error[MAX_MESHES][MAX_LOADS]; /* |tip − reference| / L */
} sweep;

static bool read_reference(validation *v, sweep *w)
{
    csv table;
    if (!csv_open(v, "01_heavy_cantilever.csv", &table)) return false;
    int gamma = csv_column(&table, "Gamma"), x = csv_column(&table, "x_tip"),
        drop = csv_column(&table, "drop");
    w->load_count = table.rows < MAX_LOADS ? table.rows : MAX_LOADS;
    for (int i = 0; i < w->load_count; i++) {
        w->gamma[i] = csv_number(&table, i, gamma);
        w->x[i] = csv_number(&table, i, x);
        w->drop[i] = csv_number(&table, i, drop);
    }
    csv_close(&table);
    return true;
}

/* One mesh through all Γ, continued from zero as the reference was. With EI = L = mass = 1, gravity
 * is Γ. */
static bool bend_through(validation *v, sweep *w, int mesh)
{
    rod r = {0};
    rod_plan plan = rod_plan_unit((int)w->n[mesh], 1);
    bool ok = rod_ok(v, &r, rod_make(&plan, &r), "make the cantilever") &&
              rod_ok(v, &r, rod_clamp_first(&r, NULL, NULL), "clamp it");
    for (int i = 0; ok && i < w->load_count; i++) {
        cord_status status = rod_set_gravity(&r, 0, 0, -w->gamma[i]);
        if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
        if (status == CORD_OK) status = rod_read(&r);
        const char *what = validation_text(v, "n = %g, Γ = %g", w->n[mesh], w->gamma[i]);
        ok = rod_ok(v, &r, status, what);
        if (!ok) break;
        const double *tip = rod_tip(&r);
        w->tip_x[mesh][i] = tip[0], w->tip_z[mesh][i] = tip[2];
        w->error[mesh][i] = hypot(tip[0] - w->x[i], tip[2] + w->drop[i]);
    }
    rod_free(&r);
    return ok;
}

/* Second order: the error is c Γ/(1 + √Γ)/n² for loads that bend the rod a little (∝ Γ) and for layers of length L/√Γ at the
 * clamp (∝ √Γ). A slope over meshes says less, since terms of second and of fourth order have opposite signs. With half
 * cells at the clamp, or with 2 tan φ/2 for the curvature, c exceeds 0.15. */
static double coefficient(double error, double n, double gamma)
{
    return error * n * n * (1 + sqrt(gamma)) / gamma;
}

static const double largest_coefficient = 0.08;

/* The largest c over meshes that resolve the boundary layer of the clamp; 0 if none does. */
static double coefficient_of_load(const sweep *w, int load)
{
    double largest = 0;
    for (int k = 0; k < w->mesh_count; k++)
        if (w->n[k] >= 2 * sqrt(w->gamma[load]))
            largest = fmax(largest, coefficient(w->error[k][load], w->n[k], w->gamma[load]));
    return largest;
}

static void plot_cantilever(validation *v, const sweep *w)
{
    plot_series s[2 + MAX_MESHES];
    double ratio[MAX_LOADS], measured[MAX_LOADS];
    int finest = w->mesh_count - 1;
    for (int i = 0; i < w->load_count; i++) {
        ratio[i] = w->drop[i] / w->x[i];
        measured[i] = -w->tip_z[finest][i] / w->tip_x[finest][i];
    }
    s[0] = (plot_series){"smooth rod", w->load_count, w->gamma, ratio, PLOT_DASHED};
    s[1] = (plot_series){validation_text(v, "n = %g", w->n[finest]), w->load_count, w->gamma,
                         measured, PLOT_MARKERS};
    validation_plot(v, &(plot){"Drop over reach of the heavy cantilever", "Γ = ρSgL³/EI", "H/W",
                               true, true, 2, s});
    for (int k = 0; k < w->mesh_count; k++)
        s[k] = (plot_series){validation_text(v, "n = %g", w->n[k]), w->load_count, w->gamma,
                             w->error[k], PLOT_BOTH};
    validation_plot(v, &(plot){"Error of the tip, relative to the length", "Γ = ρSgL³/EI",
                               "|tip − reference| / L", true, true, w->mesh_count, s});
}

void check_heavy_cantilever(validation *v)
{
    static const double meshes[] = {20, 40, 80, 160, 320, 640, 1280};
    sweep w = {.mesh_count = validation_quick(v) ? 4 : 7};
    if (!read_reference(v, &w)) return;
    for (int k = 0; k < w.mesh_count; k++) {
        w.n[k] = meshes[k];
        if (!bend_through(v, &w, k)) return;
    }
    for (int i = 0; i < w.load_count; i++) {
        double largest = coefficient_of_load(&w, i);
        if (largest == 0) continue; /* --quick does not resolve the largest Γ */
        validation_row_below(v, validation_text(v, "heavy-cantilever Γ=%g", w.gamma[i]),
                             "tip error/L × n²(1 + √Γ)/Γ, largest", largest, largest_coefficient);
    }
    plot_cantilever(v, &w);
}

/* ---- the common test rod --------------------------------------------------------------------- */

static bool hang_common(validation *v, int edges, double tip[3])
{
    rod r = {0};
    rod_plan plan = rod_plan_common(edges);
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = rod_read(&r);
    bool ok = rod_ok(v, &r, status, validation_text(v, "hang the rod, n = %d", edges));
    for (int k = 0; ok && k < 3; k++) tip[k] = rod_tip(&r)[k];
    rod_free(&r);
    return ok;
}

void check_common_rod(validation *v)
{
    static const double x = 0.036486, z = -0.985004, gamma = 1569.6; /* m; as heavy-cantilever */
    static const int meshes[] = {25, 50, 100, 200, 400};
    enum { COUNT = sizeof meshes / sizeof *meshes };
    double n[COUNT], error[COUNT], largest = 0;
    for (int i = 0; i < COUNT; i++) {
        double tip[3];
        if (!hang_common(v, meshes[i], tip)) return;
        n[i] = meshes[i], error[i] = hypot(tip[0] - x, tip[2] - z);
        if (n[i] >= 100) largest = fmax(largest, coefficient(error[i], n[i], gamma));
        if (meshes[i] != 50) continue;
        validation_row(v, "common-rod n=50", "tip x, m", tip[0], x, 1e-3);
        validation_row(v, "common-rod n=50", "tip z, m", tip[2], z, 1e-3);
        validation_row(v, "common-rod n=50", "tip error, m", error[i], 0, 1e-3);
    }
    /* From 100 on, n ≥ 2√Γ = 79. The reference has six digits: errors above 4e-6 are significant. */
    validation_row_below(v, "common-rod", "tip error/L × n²(1 + √Γ)/Γ, n = 100…400", largest,
                         largest_coefficient);
    plot_series s = {"tip error", COUNT, n, error, PLOT_BOTH};
    validation_plot(v, &(plot){"Tip of the common test rod", "elements",
                               "distance to the smooth "
                               "equilibrium, m",
                               true, true, 1, &s});
}

/* ---- load at the tip ------------------------------------------------------------------------- */

static bool pull_down(validation *v, rod *r, cord_load load, double force)
{
    const double f[3] = {0, 0, -force};
    cord_status status = cord_load_set_force(r->world, load, f);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    if (status == CORD_OK) status = rod_read(r);
    return rod_ok(v, r, status, validation_text(v, "PL²/EI = %g", force));
}

/* With n = 100 elements and a layer of L/√α ≥ L/10 at the clamp, second order leaves
 * (√α/n)²/√α ≤ 1e-3 L. */
static void compare_tip_loads(validation *v, rod *r, cord_load load, const csv *table)
{
    int alpha = csv_column(table, "alpha"), x = csv_column(table, "x_tip"),
        drop = csv_column(table, "deflection"), count = table->rows;
    if (count > MAX_LOADS) count = MAX_LOADS;
    double a[MAX_LOADS], expected[MAX_LOADS], measured[MAX_LOADS], reach[MAX_LOADS],
        measured_reach[MAX_LOADS];
    for (int i = 0; i < count; i++) {
        a[i] = csv_number(table, i, alpha);
        if (!pull_down(v, r, load, a[i])) return;
        expected[i] = csv_number(table, i, drop), reach[i] = csv_number(table, i, x);
        measured[i] = -rod_tip(r)[2], measured_reach[i] = rod_tip(r)[0];
        const char *name = validation_text(v, "tip-load PL²/EI=%g", a[i]);
        validation_row(v, name, "deflection/L", measured[i], expected[i], 1e-3);
        validation_row(v, name, "x/L", measured_reach[i], reach[i], 1e-3);
    }
    plot_series s[] = {{"deflection, elastica", count, a, expected, PLOT_DASHED},
                       {"deflection, n = 100", count, a, measured, PLOT_MARKERS},
                       {"reach, elastica", count, a, reach, PLOT_DASHED},
                       {"reach, n = 100", count, a, measured_reach, PLOT_MARKERS}};
    validation_plot(v, &(plot){"Cantilever with a load at its tip", "PL²/EI", "of the length", true,
                               false, 4, s});
}

void check_tip_load(validation *v)
{
    csv table;
    if (!csv_open(v, "02_tip_load_cantilever.csv", &table)) return;
    rod r = {0};
    cord_load load = {0};
    rod_plan plan = rod_plan_unit(100, 1);
    if (rod_ok(v, &r, rod_make(&plan, &r), "make the cantilever") &&
        rod_ok(v, &r, rod_clamp_first(&r, NULL, NULL), "clamp it") &&
        rod_ok(v, &r, rod_load_tip(&r, &load), "load its tip"))
        compare_tip_loads(v, &r, load, &table);
    rod_free(&r);
    csv_close(&table);
}
