/* Clamped chains at rest: under their own weight, and under a load at the tip. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include "validation/csv.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

enum { KINDS = 4, MESHES = 8, MAX_LOADS = 64, SAMPLES = 8 };

static const chain_kind kinds[KINDS] = {
    {"clothoid, planar", CORD_MODEL_CLOTHOID, true},
    {"clothoid, spatial", CORD_MODEL_CLOTHOID, false},
    {"helix, planar", CORD_MODEL_HELIX, true},
    {"helix, spatial", CORD_MODEL_HELIX, false},
};
static const int meshes[MESHES] = {2, 4, 8, 16, 32, 64, 128, 256};
static const double orders[KINDS] = {4, 4, 2, 2};

/* The tip over all loads: reference and measurement. */
typedef struct tips {
    int count;
    double load[MAX_LOADS], x[MAX_LOADS], drop[MAX_LOADS];
    double tip_x[KINDS][MESHES][MAX_LOADS], tip_z[KINDS][MESHES][MAX_LOADS];
    double error[KINDS][MESHES][MAX_LOADS]; /* |tip − reference| / L */
} tips;

static bool read_tips(validation *v, const char *file, const char *load, const char *drop, tips *t)
{
    csv table;
    if (!csv_open(v, file, &table)) return false;
    int a = csv_column(&table, load), x = csv_column(&table, "x_tip"), d = csv_column(&table, drop);
    t->count = table.rows < MAX_LOADS ? table.rows : MAX_LOADS;
    for (int i = 0; i < t->count; i++) {
        t->load[i] = csv_number(&table, i, a);
        t->x[i] = csv_number(&table, i, x);
        t->drop[i] = csv_number(&table, i, d);
    }
    csv_close(&table);
    return true;
}

/* One mesh through all loads, continued from zero. With EI = L = mass = 1 the load is gravity, or
 * the force at the tip. */
static bool bend_through(validation *v, tips *t, int kind, int mesh, bool at_tip)
{
    rod r = {0};
    cord_load load = {0};
    rod_plan plan = rod_plan_unit(1, 1);
    chain_of(&plan, &kinds[kind], meshes[mesh], SAMPLES);
    const char *name = validation_text(v, "%s, N = %d", kinds[kind].name, meshes[mesh]);
    bool ok = chain_ok(v, &r, chain_make(&plan, &r), name) &&
              chain_ok(v, &r, rod_clamp_first(&r, NULL, NULL), name) &&
              (!at_tip || chain_ok(v, &r, rod_load_tip(&r, &load), name));
    for (int i = 0; ok && i < t->count; i++) {
        const double force[3] = {0, 0, -t->load[i]};
        cord_status status = at_tip ? cord_load_set_force(r.world, load, force)
                                    : cord_world_set_gravity(r.world, force);
        if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
        if (status == CORD_OK) status = rod_read(&r);
        ok = chain_ok(v, &r, status, name);
        if (!ok) break;
        const double *tip = rod_tip(&r);
        t->tip_x[kind][mesh][i] = tip[0], t->tip_z[kind][mesh][i] = tip[2];
        t->error[kind][mesh][i] = hypot(tip[0] - t->x[i], tip[2] + t->drop[i]);
    }
    rod_free(&r);
    return ok;
}

/* The order over meshes that resolve the boundary layer of the clamp, of length L over `layer`.
 * Below 1e-10 round-off and the digits of the reference dominate. */
static double observed_order(const tips *t, int kind, int load, double layer, int *used)
{
    double n[MESHES], error[MESHES];
    *used = 0;
    for (int k = 0; k < MESHES; k++) {
        double e = t->error[kind][k][load];
        if (meshes[k] < 4 || meshes[k] < 2 * layer || e < 1e-10) continue;
        n[*used] = meshes[k], error[(*used)++] = e;
    }
    return fit_order(*used, n, error);
}

static void state_orders(validation *v, const tips *t, double (*layer)(double load))
{
    for (int kind = 0; kind < KINDS; kind++) {
        double least = INFINITY;
        for (int i = 0; i < t->count; i++) {
            int used;
            double order = observed_order(t, kind, i, layer(t->load[i]), &used);
            if (used >= 3) least = fmin(least, order);
        }
        validation_row_above(v, kinds[kind].name, "least order of the tip's error, of all loads",
                             least, orders[kind] - 0.3);
    }
}

static void state_planes(validation *v, const tips *t)
{
    double apart = 0;
    for (int kind = 0; kind < KINDS; kind += 2)
        for (int k = 0; k < MESHES; k++)
            for (int i = 0; i < t->count; i++)
                apart = fmax(apart, hypot(t->tip_x[kind][k][i] - t->tip_x[kind + 1][k][i],
                                          t->tip_z[kind][k][i] - t->tip_z[kind + 1][k][i]));
    validation_row_below(v, "planar against spatial", "largest distance of the tips/L", apart,
                         1e-8);
}

/* Errors with few elements. */
static void state_few(validation *v, const tips *t, int mesh, double up_to, double bound)
{
    double worst = 0;
    for (int i = 0; i < t->count && t->load[i] <= up_to; i++)
        worst = fmax(worst, t->error[0][mesh][i]);
    validation_row_below(v, validation_text(v, "%d clothoids", meshes[mesh]),
                         validation_text(v, "largest tip error/L, loads up to %g", up_to), worst,
                         bound);
}

static void plot_tips(validation *v, const tips *t, const char *title, const char *label)
{
    static const int shown[] = {1, 2, 4, 6};
    plot_series s[8];
    for (int k = 0; k < 8; k++) {
        int kind = k < 4 ? 0 : 2, mesh = shown[k % 4];
        s[k] = (plot_series){
            validation_text(v, "%d %s", meshes[mesh], kind == 0 ? "clothoids" : "circles"),
            t->count, t->load, t->error[kind][mesh], PLOT_BOTH};
    }
    validation_plot(v, &(plot){title, label, "|tip − reference| / L", true, true, 8, s});
}

static bool sweep(validation *v, tips *t, bool at_tip)
{
    for (int kind = 0; kind < KINDS; kind++)
        for (int k = 0; k < MESHES; k++)
            if (!bend_through(v, t, kind, k, at_tip)) return false;
    return true;
}

static double weight_layer(double gamma)
{
    return sqrt(gamma);
}

void check_chain_cantilever(validation *v)
{
    static tips t;
    memset(&t, 0, sizeof t);
    if (!read_tips(v, "01_heavy_cantilever.csv", "Gamma", "drop", &t) || !sweep(v, &t, false))
        return;
    state_orders(v, &t, weight_layer);
    state_planes(v, &t);
    state_few(v, &t, 1, 20, 1e-2);
    state_few(v, &t, 2, 100, 5e-3);
    state_few(v, &t, 3, 2000, 5e-3);
    state_few(v, &t, 4, 1e5, 1e-2);
    for (int i = 0; i < t.count; i++) {
        /* Fourth order in elements over the layer, L/√Γ, which is as far as the tip moves:
         * c (√Γ/N)⁴/√Γ, c about 7e-4; 1e-10 for the reference's last digits. */
        double root = sqrt(t.load[i]), bound = 1e-10 + 1.5e-3 * pow(root / 256, 4) / root;
        validation_row(v, validation_text(v, "256 clothoids Γ=%g", t.load[i]), "tip error/L",
                       t.error[0][7][i], 0, bound);
    }
    plot_tips(v, &t, "Heavy cantilever", "Γ = ρSgL³/EI");
}

/* The load rotates the rod over a length of √(EI/P). */
static double load_layer(double alpha)
{
    return sqrt(alpha);
}

void check_chain_tip_load(validation *v)
{
    static tips t;
    memset(&t, 0, sizeof t);
    if (!read_tips(v, "02_tip_load_cantilever.csv", "alpha", "deflection", &t) ||
        !sweep(v, &t, true))
        return;
    state_orders(v, &t, load_layer);
    state_planes(v, &t);
    state_few(v, &t, 1, 100, 1e-2);
    state_few(v, &t, 2, 100, 1e-3);
    state_few(v, &t, 5, 100, 1e-6);
    plot_tips(v, &t, "Cantilever with a load at its tip", "PL²/EI");
}
