/* Chains between two supports: hanging under their weight, and pushed together past buckling. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include "validation/csv.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

enum { KINDS = 4, MESHES = 5, SAMPLES = 64 };

static const double pi = 3.14159265358979323846;

static const chain_kind kinds[KINDS] = {
    {"clothoid, planar", CORD_MODEL_CLOTHOID, true},
    {"clothoid, spatial", CORD_MODEL_CLOTHOID, false},
    {"helix, planar", CORD_MODEL_HELIX, true},
    {"helix, spatial", CORD_MODEL_HELIX, false},
};
static const int meshes[MESHES] = {4, 8, 16, 32, 64};
static const double orders[KINDS] = {4, 4, 2, 2};

/* Errors of one row of reference data, for every mesh. */
typedef struct series {
    const char *name;
    double stiffness; /* 2√Γ: how many elements resolve the ends' layers */
    double place[MESHES], force[MESHES];
} series;

/* Errors below 1e-8 are the reference's digits (6e-9) and the search's tolerance. */
static double observed_order(const series *s, const double *error)
{
    double n[MESHES], e[MESHES];
    int used = 0;
    for (int k = 1; k < MESHES; k++) {
        if (meshes[k] < s->stiffness || error[k] < 1e-8) continue;
        n[used] = meshes[k], e[used++] = error[k];
    }
    return used >= 2 ? fit_order(used, n, e) : NAN;
}

/* ---- heavy rod ------------------------------------------------------------------------------- */

enum { MAX_ROWS = 80 };

typedef struct table {
    csv data;
    int kind, span, rise, gamma, h, v0, x, y;
} table;

static bool open_table(validation *v, table *t)
{
    if (!csv_open(v, "03b_heavy_rod_two_supports.csv", &t->data)) return false;
    const csv *d = &t->data;
    t->kind = csv_column(d, "bc"), t->span = csv_column(d, "span"), t->rise = csv_column(d, "rise");
    t->gamma = csv_column(d, "Gamma"), t->h = csv_column(d, "H_over_wL");
    t->v0 = csv_column(d, "V0_over_wL");
    t->x = csv_column(d, "x_mid"), t->y = csv_column(d, "y_mid");
    return true;
}

/* The tangent of a catenary turns as the force in it: (H, V0 + ws). */
static void catenary_tangent(const void *user, double s, double t[3])
{
    const double *h_v0 = user;
    double vertical = h_v0[1] + s, size = hypot(h_v0[0], vertical);
    t[0] = h_v0[0] / size, t[1] = 0, t[2] = vertical / size;
}

static cord_status hold_both(rod *r, bool clamp, cord_point *second, cord_constraint *hold)
{
    cord_status status = clamp ? rod_clamp_first(r, NULL, NULL) : rod_pin(r, 0, NULL, NULL);
    if (status != CORD_OK) return status;
    return clamp ? rod_clamp_last(r, second, hold) : rod_pin(r, r->length, second, hold);
}

/* Spatial rods between pins may turn about the line through them, which costs nothing under no
 * weight; the middle is kept in the plane, with no force. */
static cord_status hold_middle(rod *r, const chain_kind *kind)
{
    static const double origin[3] = {0, 0, 0}, normal[3] = {0, 1, 0};
    return kind->planar ? CORD_OK : rod_hold_plane(r, r->length / 2, origin, normal, NULL);
}

static cord_status drape(rod *r, const table *t, int catenary, const chain_kind *kind, bool clamp,
                         cord_constraint *hold)
{
    const csv *d = &t->data;
    const double forces[2] = {csv_number(d, catenary, t->h), csv_number(d, catenary, t->v0)};
    const double place[3] = {csv_number(d, catenary, t->span), 0, csv_number(d, catenary, t->rise)};
    cord_point second = {0};
    cord_status status = hold_both(r, clamp, &second, hold);
    if (status == CORD_OK && !clamp) status = hold_middle(r, kind);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, catenary_tangent, forces, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    if (status == CORD_OK) status = cord_point_set_pose(r->world, second, place, NULL);
    /* A catenary's ends are far from level: the clamps turn them while bending still resists. */
    if (status == CORD_OK) status = rod_set_gravity(r, 0, 0, -1000);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    return status;
}

/* One mesh down the Γ of one family, from a catenary, as the reference was continued. */
static bool descend(validation *v, const table *t, int catenary, int kind, int mesh, bool clamp,
                    series *s, int *count)
{
    const csv *d = &t->data;
    rod r = {0};
    cord_constraint hold = {0};
    rod_plan plan = rod_plan_unit(1, 1);
    double span = csv_number(d, catenary, t->span), rise = csv_number(d, catenary, t->rise);
    chain_of(&plan, &kinds[kind], meshes[mesh], SAMPLES);
    const char *name = validation_text(v, "%s, N = %d, %s (%g, %g)", kinds[kind].name, meshes[mesh],
                                       clamp ? "clamp" : "pin", span, rise);
    bool ok = chain_ok(v, &r, chain_make(&plan, &r), name) &&
              chain_ok(v, &r, drape(&r, t, catenary, &kinds[kind], clamp, &hold), name);
    for (int i = 0; ok && i < d->rows; i++) {
        if (strcmp(csv_text(d, i, t->kind), clamp ? "clamp" : "pin") != 0) continue;
        if (csv_number(d, i, t->span) != span || csv_number(d, i, t->rise) != rise) continue;
        double gamma = csv_number(d, i, t->gamma), force[3], torque[3];
        cord_status status = rod_set_gravity(&r, 0, 0, -gamma);
        if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
        if (status == CORD_OK) status = rod_look(&r);
        if (status == CORD_OK) status = cord_constraint_get_force(r.world, hold, force, torque);
        ok = chain_ok(v, &r, status, validation_text(v, "%s, Γ = %g", name, gamma));
        if (!ok) break;
        const double *middle = r.x + 3 * (SAMPLES / 2);
        double h = csv_number(d, i, t->h);
        series *row = &s[(*count)++];
        row->stiffness = 2 * sqrt(gamma);
        row->place[mesh] =
            hypot(middle[0] - csv_number(d, i, t->x), middle[2] - csv_number(d, i, t->y));
        row->force[mesh] = fabs(force[0] / gamma - h) / fmax(1, fabs(h));
    }
    rod_free(&r);
    return ok;
}

static bool all_families(validation *v, const table *t, int kind, int mesh, series *s, int *count)
{
    *count = 0;
    for (int i = 0; i < t->data.rows; i++) {
        if (strcmp(csv_text(&t->data, i, t->kind), "catenary") != 0) continue;
        for (int clamp = 0; clamp < 2; clamp++)
            if (!descend(v, t, i, kind, mesh, clamp, s, count)) return false;
    }
    return true;
}

static void state(validation *v, const char *name, const series *s, int count, double order)
{
    double least = INFINITY, place[MESHES] = {0}, force[MESHES] = {0}, mean = 0;
    int fitted = 0;
    for (int i = 0; i < count; i++) {
        double p = observed_order(&s[i], s[i].place);
        if (isfinite(p)) least = fmin(least, p), mean += p, fitted++;
        for (int k = 0; k < MESHES; k++) {
            if (meshes[k] < s[i].stiffness) continue; /* its layers are not resolved */
            place[k] = fmax(place[k], s[i].place[k]);
            force[k] = fmax(force[k], s[i].force[k]);
        }
    }
    validation_row_above(v, name, "mean order of the middle's place", mean / fitted, order - 0.3);
    validation_row_above(v, name, "least order of the middle's place", least, order - 1);
    validation_row_below(v, name, "largest error of the middle/L, N = 64", place[4],
                         order > 3 ? 1e-5 : 1e-3);
    validation_row_below(v, name, "largest error of the thrust, N = 64", force[4],
                         order > 3 ? 1e-4 : 1e-2);
}

void check_chain_supports(validation *v)
{
    static series s[MAX_ROWS];
    double n[MESHES], worst[KINDS][MESHES];
    plot_series lines[KINDS];
    table t;
    if (!open_table(v, &t)) return;
    for (int kind = 0; kind < KINDS; kind++) {
        int count = 0;
        bool ok = true;
        memset(s, 0, sizeof s);
        for (int k = 0; ok && k < MESHES; k++) {
            ok = all_families(v, &t, kind, k, s, &count);
            n[k] = meshes[k], worst[kind][k] = 0;
            for (int i = 0; i < count; i++) worst[kind][k] = fmax(worst[kind][k], s[i].place[k]);
        }
        if (ok) state(v, kinds[kind].name, s, count, orders[kind]);
        lines[kind] = (plot_series){kinds[kind].name, ok ? MESHES : 0, n, worst[kind], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"Heavy rod between two supports, all Γ", "elements",
                               "largest error of the middle/L", true, true, KINDS, lines});
    csv_close(&t.data);
}

/* ---- past buckling --------------------------------------------------------------------------- */

/* Beyond this shortening the flat shapes lose stability sideways (clamped: about 0.55). */
static const double largest_shortening = 0.4;

typedef struct column {
    bool clamped;
    double amplitude; /* of the angle, rad */
} column;

/* The first buckling mode: the angle goes as cos πs (pinned), sin 2πs (clamped). */
static void mode_tangent(const void *user, double s, double t[3])
{
    const column *c = user;
    double angle = c->amplitude * (c->clamped ? sin(2 * pi * s) : cos(pi * s));
    t[0] = cos(angle), t[1] = 0, t[2] = sin(angle);
}

static cord_status bend(rod *r, const column *c, const chain_kind *kind, cord_point *end,
                        cord_constraint *hold)
{
    cord_status status = hold_both(r, c->clamped, end, hold);
    if (status == CORD_OK) status = hold_middle(r, kind);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, mode_tangent, c, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    return status;
}

static bool compress(validation *v, const csv *t, const column *c, int kind, int mesh, series *s,
                     int *count)
{
    int shortening = csv_column(t, "shortening"), thrust = csv_column(t, "P_over_Pcr"),
        deflection = csv_column(t, "mid_deflection");
    double critical = (c->clamped ? 4 : 1) * pi * pi;
    rod r = {0};
    cord_point end = {0};
    cord_constraint hold = {0};
    rod_plan plan = rod_plan_unit(1, 1);
    chain_of(&plan, &kinds[kind], meshes[mesh], SAMPLES);
    const char *name = validation_text(v, "%s, N = %d, %s", kinds[kind].name, meshes[mesh],
                                       c->clamped ? "clamped" : "pinned");
    bool ok = chain_ok(v, &r, chain_make(&plan, &r), name) &&
              chain_ok(v, &r, bend(&r, c, &kinds[kind], &end, &hold), name);
    *count = 0;
    for (int i = 0; ok && i < t->rows; i++) {
        double d = csv_number(t, i, shortening), force[3], torque[3];
        if (d > largest_shortening) break;
        const double place[3] = {1 - d, 0, 0};
        cord_status status = cord_point_set_pose(r.world, end, place, NULL);
        if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
        if (status == CORD_OK) status = rod_look(&r);
        if (status == CORD_OK) status = cord_constraint_get_force(r.world, hold, force, torque);
        ok = chain_ok(v, &r, status, validation_text(v, "%s, D/L = %g", name, d));
        if (!ok) break;
        double p = csv_number(t, i, thrust), m = csv_number(t, i, deflection);
        series *row = &s[(*count)++];
        row->place[mesh] = fabs(fabs(r.x[3 * (SAMPLES / 2) + 2]) / m - 1);
        row->force[mesh] = fabs(-force[0] / critical / p - 1);
    }
    rod_free(&r);
    return ok;
}

static void state_buckling(validation *v, const char *name, const series *s, int count,
                           double order)
{
    double least = INFINITY, place[MESHES] = {0}, force[MESHES] = {0};
    for (int i = 0; i < count; i++) {
        double p = observed_order(&s[i], s[i].force);
        if (isfinite(p)) least = fmin(least, p);
        for (int k = 0; k < MESHES; k++) {
            place[k] = fmax(place[k], s[i].place[k]);
            force[k] = fmax(force[k], s[i].force[k]);
        }
    }
    validation_row_above(v, name, "least order of the thrust", least, order - 0.3);
    validation_row_below(v, name, "largest relative error of the thrust, N = 8", force[1],
                         order > 3 ? 1e-2 : 1e-1);
    validation_row_below(v, name, "largest relative error of the deflection, N = 8", place[1],
                         order > 3 ? 1e-2 : 1e-1);
    validation_row_below(v, name, "largest relative error of the thrust, N = 64", force[4],
                         order > 3 ? 1e-6 : 1e-3);
}

void check_chain_euler(validation *v)
{
    static series s[MAX_ROWS];
    csv t;
    if (!csv_open(v, "04_euler_postbuckling.csv", &t)) return;
    column c = {.amplitude = 2 * sqrt(csv_number(&t, 0, 0))}; /* ∫(1 − cos) = amplitude²/4 */
    for (int clamped = 0; clamped < 2; clamped++) {
        c.clamped = clamped;
        for (int kind = 0; kind < KINDS; kind++) {
            int count = 0;
            bool ok = true;
            memset(s, 0, sizeof s);
            for (int k = 0; ok && k < MESHES; k++) ok = compress(v, &t, &c, kind, k, s, &count);
            if (!ok) continue;
            state_buckling(
                v, validation_text(v, "%s, %s", kinds[kind].name, clamped ? "clamped" : "pinned"),
                s, count, orders[kind]);
        }
    }
    csv_close(&t);
}
