/* Searches for equilibria from far away: the number of iterations, and where they end, of every model. */
#include "validation/clothoids/chains.h"
#include "validation/csv.h"
#include "validation/statics/statics.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Iterations that a search may take. */
enum { MOST_ITERATIONS = 60 };

typedef struct kind {
    chain_kind chain;
    int elements;
    double near; /* tolerance of positions over the length: second order for all but clothoids */
} kind;

static const kind kinds[] = {
    {{"der", CORD_MODEL_DER, false}, 100, 1e-3},
    {{"spline", CORD_MODEL_SPLINE, false}, 100, 1e-3},
    {{"clothoid, planar", CORD_MODEL_CLOTHOID, true}, 32, 1e-3},
    {{"clothoid, spatial", CORD_MODEL_CLOTHOID, false}, 32, 1e-3},
    {{"helix, planar", CORD_MODEL_HELIX, true}, 64, 1e-3},
    {{"helix, spatial", CORD_MODEL_HELIX, false}, 64, 1e-3},
    {{"segment, planar", CORD_MODEL_SEGMENT, true}, 100, 1e-3},
    {{"segment, spatial", CORD_MODEL_SEGMENT, false}, 100, 1e-3},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* EI = GJ = L = mass per length = 1, straight along x; almost no rotary inertia, which has no part in an equilibrium. */
static cord_status make(const kind *k, rod *r)
{
    rod_plan plan = rod_plan_unit(k->elements, 1);
    plan.strand.section.rotary_inertia = 1e-9;
    if (strcmp(k->chain.model, CORD_MODEL_SPLINE) == 0) {
        plan.strand.model = k->chain.model;
        return rod_make(&plan, r);
    }
    chain_of(&plan, &k->chain, k->elements, k->elements);
    return chain_make(&plan, r);
}

/* Rounding of a count can take a neutral rotation about the line of two pins for an unstable one; it is not compared. */
static bool search(validation *v, rod *r, const cord_statics_def *def, const char *name,
                   int *iterations)
{
    cord_statics_result found = {0};
    cord_status status = cord_world_find_equilibrium(r->world, def, &found);
    if (status == CORD_OK) status = rod_read(r);
    *iterations = found.iterations > *iterations ? found.iterations : *iterations;
    return validation_ok(v, r->world, status, name);
}

static cord_status hold(rod *r, double s, bool clamp, cord_point *end, cord_constraint *by)
{
    if (!clamp) return rod_pin(r, s, end, by);
    return s == 0 ? rod_clamp_first(r, end, by) : rod_clamp_last(r, end, by);
}

/* ---- cantilevers -------------------------------------------------------------------------------- */

static void bend(validation *v, const kind *k, const csv *t, int *iterations)
{
    int column = csv_column(t, "Gamma"), x = csv_column(t, "x_tip"), drop = csv_column(t, "drop");
    double worst = 0;
    for (int i = 0; i < t->rows; i++) {
        rod r = {0};
        double gamma = csv_number(t, i, column);
        const char *name = validation_text(v, "%s, cantilever Γ = %g", k->chain.name, gamma);
        cord_status status = make(k, &r);
        if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
        if (status == CORD_OK) status = rod_set_gravity(&r, 0, 0, -gamma);
        if (validation_ok(v, r.world, status, name) && search(v, &r, NULL, name, iterations)) {
            const double *tip = rod_tip(&r);
            worst =
                fmax(worst, hypot(tip[0] - csv_number(t, i, x), tip[2] + csv_number(t, i, drop)));
        }
        rod_free(&r);
    }
    validation_row_below(v, k->chain.name, "straight cantilevers: largest error of the tip/L",
                         worst, 5 * k->near);
}

/* ---- two supports ------------------------------------------------------------------------------- */

/* The tangent of a catenary has the direction of its force: (H, V0 + ws). */
static void catenary_tangent(const void *user, double s, double t[3])
{
    const double *h_v0 = user;
    double vertical = h_v0[1] + s, size = hypot(h_v0[0], vertical);
    t[0] = h_v0[0] / size, t[1] = 0, t[2] = vertical / size;
}

typedef struct columns {
    int kind, span, rise, gamma, h, v0, x, y;
} columns;

static columns find_columns(const csv *t)
{
    return (columns){csv_column(t, "bc"),        csv_column(t, "span"),
                     csv_column(t, "rise"),      csv_column(t, "Gamma"),
                     csv_column(t, "H_over_wL"), csv_column(t, "V0_over_wL"),
                     csv_column(t, "x_mid"),     csv_column(t, "y_mid")};
}

/* From the catenary between the same supports, at once. */
static cord_status drape(rod *r, const csv *t, const columns *c, int catenary, int row)
{
    bool clamp = strcmp(csv_text(t, row, c->kind), "clamp") == 0;
    const double forces[2] = {csv_number(t, catenary, c->h), csv_number(t, catenary, c->v0)};
    const double place[3] = {csv_number(t, row, c->span), 0, csv_number(t, row, c->rise)};
    cord_point end = {0};
    cord_status status = hold(r, 0, clamp, NULL, NULL);
    if (status == CORD_OK) status = hold(r, r->length, clamp, &end, NULL);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, catenary_tangent, forces, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    if (status == CORD_OK) status = cord_point_set_pose(r->world, end, place, NULL);
    if (status == CORD_OK) status = rod_set_gravity(r, 0, 0, -csv_number(t, row, c->gamma));
    return status;
}

static void hang(validation *v, const kind *k, const csv *t, int *iterations)
{
    columns c = find_columns(t);
    double worst = 0;
    int catenary = 0;
    for (int i = 0; i < t->rows; i++) {
        if (strcmp(csv_text(t, i, c.kind), "catenary") == 0) {
            catenary = i;
            continue;
        }
        rod r = {0};
        const char *name = validation_text(v, "%s, %s (%g, %g) Γ = %g", k->chain.name,
                                           csv_text(t, i, c.kind), csv_number(t, i, c.span),
                                           csv_number(t, i, c.rise), csv_number(t, i, c.gamma));
        cord_status status = make(k, &r);
        if (status == CORD_OK) status = drape(&r, t, &c, catenary, i);
        if (validation_ok(v, r.world, status, name) && search(v, &r, NULL, name, iterations)) {
            const double *middle = r.x + 3 * (r.edges / 2);
            double e = hypot(middle[0] - csv_number(t, i, c.x), middle[2] - csv_number(t, i, c.y));
            /* A light rod has several equilibria, and the reference one of them. */
            if (csv_number(t, i, c.gamma) >= 10) worst = fmax(worst, e);
        }
        rod_free(&r);
    }
    validation_row_below(v, k->chain.name, "between supports: largest error of the middle/L", worst,
                         2 * k->near);
}

/* ---- compression -------------------------------------------------------------------------------- */

/* A straight rod whose end moves by the whole shortening at once. */
static void compress(validation *v, const kind *k, const csv *t, bool clamp, int *iterations)
{
    int shortening = csv_column(t, "shortening"), thrust = csv_column(t, "P_over_Pcr"),
        deflection = csv_column(t, "mid_deflection");
    double worst = 0, aside = 0, critical = (clamp ? 4 : 1) * pi * pi;
    for (int i = 0; i < t->rows && csv_number(t, i, shortening) <= 0.4; i++) {
        rod r = {0};
        cord_point end = {0};
        cord_constraint by = {0};
        double force[3], torque[3], d = csv_number(t, i, shortening);
        const char *name = validation_text(v, "%s, %s ends, shortened by %g", k->chain.name,
                                           clamp ? "clamped" : "pinned", d);
        cord_status status = make(k, &r);
        if (status == CORD_OK) status = hold(&r, 0, clamp, NULL, NULL);
        if (status == CORD_OK) status = hold(&r, 1, clamp, &end, &by);
        if (status == CORD_OK)
            status = cord_point_set_pose(r.world, end, (double[]){1 - d, 0, 0}, NULL);
        if (validation_ok(v, r.world, status, name) && search(v, &r, NULL, name, iterations) &&
            validation_ok(v, r.world, cord_constraint_get_force(r.world, by, force, torque),
                          name)) {
            const double *middle = r.x + 3 * (r.edges / 2);
            worst = fmax(worst, fabs(-force[0] / critical / csv_number(t, i, thrust) - 1));
            aside = fmax(aside, fabs(hypot(middle[1], middle[2]) - csv_number(t, i, deflection)));
        }
        rod_free(&r);
    }
    const char *name = validation_text(v, "%s, %s", k->chain.name, clamp ? "clamped" : "pinned");
    validation_row_below(v, name, "straight, compressed: largest relative error of the thrust",
                         worst, 5e-3);
    validation_row_below(v, name, "straight, compressed: largest error of the deflection/L", aside,
                         k->near);
}

/* ---- saddles ------------------------------------------------------------------------------------ */

/* The second mode: the angle goes as cos 2πs. */
static void mode_tangent(const void *user, double s, double t[3])
{
    double angle = *(const double *)user * cos(2 * pi * s);
    t[0] = cos(angle), t[1] = 0, t[2] = sin(angle);
}

/* Two half waves of a pinned rod have four times the thrust of one: an unstable equilibrium, to which `nearest` leads from
 * nearby, and which a search for a stable one leaves. */
static void visit_saddle(validation *v, const kind *k, const csv *t, int row, int *iterations)
{
    double d = csv_number(t, row, csv_column(t, "shortening")),
           thrust = csv_number(t, row, csv_column(t, "P_over_Pcr")), amplitude = 2.2 * sqrt(d);
    rod r = {0};
    cord_point end = {0};
    cord_constraint by = {0};
    cord_statics_def def = cord_statics_def_default();
    cord_status status = make(k, &r);
    const char *name = k->chain.name;
    if (status == CORD_OK) status = hold(&r, 0, false, NULL, NULL);
    if (status == CORD_OK) status = hold(&r, 1, false, &end, &by);
    if (status == CORD_OK) {
        memset(r.x, 0, 3 * sizeof *r.x);
        rod_trace(r.edges, r.length, NULL, mode_tangent, &amplitude, r.x);
        status = cord_strand_set_positions(r.world, r.strand, r.x);
    }
    if (status == CORD_OK)
        status = cord_point_set_pose(r.world, end, (double[]){1 - d, 0, 0}, NULL);
    bool ok = validation_ok(v, r.world, status, name);
    for (int stable = 0; ok && stable < 2; stable++) {
        double force[3], torque[3], critical = (stable ? 1 : 4) * pi * pi;
        def.nearest = !stable, def.kick = stable ? 1e-3 : 0;
        ok = search(v, &r, &def, name, iterations) &&
             validation_ok(v, r.world, cord_constraint_get_force(r.world, by, force, torque), name);
        if (ok)
            validation_row(v, name,
                           stable ? "after a kick: P/Pcr of one half wave"
                                  : "nearest: P/4Pcr of two half waves",
                           -force[0] / critical, thrust, 0.01 * thrust);
    }
    rod_free(&r);
}

static void state(validation *v, const kind *k, const char *what, int iterations)
{
    validation_row_below(v, k->chain.name, validation_text(v, "%s: most iterations", what),
                         iterations, MOST_ITERATIONS);
}

typedef void (*one_case)(validation *v, const kind *k, const csv *t, int *iterations);

static void for_every_kind(validation *v, const char *file, const char *what, one_case run)
{
    csv t;
    if (!csv_open(v, file, &t)) return;
    for (int i = 0; i < KINDS; i++) {
        int iterations = 0;
        run(v, kinds + i, &t, &iterations);
        state(v, kinds + i, what, iterations);
    }
    csv_close(&t);
}

static void compress_both(validation *v, const kind *k, const csv *t, int *iterations)
{
    compress(v, k, t, false, iterations);
    compress(v, k, t, true, iterations);
}

static void visit_saddles(validation *v, const kind *k, const csv *t, int *iterations)
{
    int shortening = csv_column(t, "shortening");
    for (int i = 0; i < t->rows; i++)
        if (csv_number(t, i, shortening) == 0.1) visit_saddle(v, k, t, i, iterations);
}

void check_searches(validation *v)
{
    for_every_kind(v, "01_heavy_cantilever.csv", "straight cantilevers", bend);
    for_every_kind(v, "03b_heavy_rod_two_supports.csv", "between supports", hang);
    for_every_kind(v, "04_euler_postbuckling.csv", "straight, compressed", compress_both);
    for_every_kind(v, "04_euler_postbuckling.csv", "saddles", visit_saddles);
}
