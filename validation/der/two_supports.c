/* A heavy rod between two supports.
 *
 * EI = L = mass per length = 1, so gravity is Γ = wL³/EI. Each family (supports and kind) starts as
 * a catenary at its largest Γ and is continued downwards, as the reference was. */
#include "validation/csv.h"
#include "validation/der/der.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Enough for the clamp's layer at Γ = 20000, L/141: 1.4 elements, and the error of second order in
 * it, (√Γ/n)²/√Γ/4, is below 1e-3 L. */
enum { EDGES = 240, MAX_ROWS = 16 };

/* What is measured, all relative to L. */
static const double tolerance = 1e-3;

/* Γ of the catenary limit: bending moves the rod by about L/√Γ near its ends and by less than
 * 1e-4 L anywhere. */
static const double catenary_gamma = 1e8;

typedef struct family {
    const char *kind;
    double span, rise;
    double h, v0; /* of the catenary: horizontal and first vertical force over wL */
} family;

typedef struct columns {
    int kind, span, rise, gamma, h, v0, lowest, x_middle, y_middle;
} columns;

static columns find_columns(const csv *t)
{
    return (columns){
        csv_column(t, "bc"),    csv_column(t, "span"),      csv_column(t, "rise"),
        csv_column(t, "Gamma"), csv_column(t, "H_over_wL"), csv_column(t, "V0_over_wL"),
        csv_column(t, "y_min"), csv_column(t, "x_mid"),     csv_column(t, "y_mid")};
}

/* The tangent of a catenary turns as the force in it: (H, V0 + ws). */
static void catenary_tangent(const void *user, double s, double t[3])
{
    const family *f = user;
    double vertical = f->v0 + s, size = hypot(f->h, vertical);
    t[0] = f->h / size, t[1] = 0, t[2] = vertical / size;
}

/* Hold a straight horizontal rod at both ends, then give it the catenary's shape and bring the
 * second support to where it belongs. */
static cord_status hang(rod *r, const family *f, cord_constraint hold[2])
{
    bool clamp = strcmp(f->kind, "clamp") == 0;
    cord_point second = {0};
    cord_status status = clamp ? rod_clamp_first(r, NULL, &hold[0]) : rod_pin(r, 0, NULL, &hold[0]);
    if (status == CORD_OK)
        status =
            clamp ? rod_clamp_last(r, &second, &hold[1]) : rod_pin(r, r->length, &second, &hold[1]);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, catenary_tangent, f, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    const double place[3] = {f->span, 0, f->rise};
    if (status == CORD_OK) status = cord_point_set_pose(r->world, second, place, NULL);
    return status;
}

static double lowest(const rod *r)
{
    double z = INFINITY;
    for (int i = 0; i < r->vertices; i++) z = fmin(z, r->x[3 * i + 2]);
    return z;
}

static bool settle(validation *v, rod *r, double gamma, const char *name)
{
    cord_status status = rod_set_gravity(r, 0, 0, -gamma);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    if (status == CORD_OK) status = rod_look(r);
    return rod_ok(v, r, status, name);
}

static void compare(validation *v, rod *r, cord_constraint second, const csv *t, const columns *c,
                    int row, double gamma, const char *name)
{
    const double *middle = r->x + 3 * (r->edges / 2);
    validation_row(v, name, "x/L of the middle", middle[0], csv_number(t, row, c->x_middle),
                   tolerance);
    validation_row(v, name, "y/L of the middle", middle[2], csv_number(t, row, c->y_middle),
                   tolerance);
    validation_row(v, name, "lowest y/L", lowest(r), csv_number(t, row, c->lowest), tolerance);
    double force[3], torque[3];
    if (!rod_ok(v, r, cord_constraint_get_force(r->world, second, force, torque), name)) return;
    /* The thrust is a derivative of the shape: one per cent of the larger of it and the weight. */
    double expected = csv_number(t, row, c->h);
    validation_row(v, name, "thrust H/wL", force[0] / gamma, expected,
                   0.01 * fmax(1, fabs(expected)));
}

static void one_family(validation *v, const csv *t, const columns *c, const family *f, bool draw)
{
    double x[MAX_ROWS][EDGES + 1], z[MAX_ROWS][EDGES + 1];
    plot_series series[MAX_ROWS];
    int drawn = 0;
    rod r = {0};
    cord_constraint hold[2] = {{0}};
    rod_plan plan = rod_plan_unit(EDGES, 1);
    bool ok = rod_ok(v, &r, rod_make(&plan, &r), "make the rod") &&
              rod_ok(v, &r, hang(&r, f, hold), "hang it between its supports");
    for (int i = 0; ok && i < t->rows; i++) {
        const char *kind = csv_text(t, i, c->kind);
        bool limit = strcmp(kind, "catenary") == 0 && strcmp(f->kind, "pin") == 0;
        if (csv_number(t, i, c->span) != f->span || csv_number(t, i, c->rise) != f->rise) continue;
        if (strcmp(kind, f->kind) != 0 && !limit) continue;
        double gamma = limit ? catenary_gamma : csv_number(t, i, c->gamma);
        const char *name = validation_text(v, "%s (%g, %g) Γ=%g", limit ? "catenary" : f->kind,
                                           f->span, f->rise, gamma);
        if (!(ok = settle(v, &r, gamma, name))) break;
        compare(v, &r, hold[1], t, c, i, gamma, name);
        for (int k = 0; k < r.vertices; k++) x[drawn][k] = r.x[3 * k], z[drawn][k] = r.x[3 * k + 2];
        series[drawn] = (plot_series){validation_text(v, "Γ = %g", gamma), r.vertices, x[drawn],
                                      z[drawn], PLOT_LINE};
        if (drawn < MAX_ROWS - 1) drawn++;
    }
    if (ok && draw)
        validation_plot(v, &(plot){validation_text(v, "%s supports at (0, 0) and (%g, %g)", f->kind,
                                                   f->span, f->rise),
                                   "x/L", "y/L", false, false, drawn, series});
    rod_free(&r);
}

void check_two_supports(validation *v)
{
    csv t;
    if (!csv_open(v, "03b_heavy_rod_two_supports.csv", &t)) return;
    columns c = find_columns(&t);
    int families = 0;
    for (int i = 0; i < t.rows; i++) { /* a catenary row opens every pair of supports */
        if (strcmp(csv_text(&t, i, c.kind), "catenary") != 0) continue;
        family f = {"pin", csv_number(&t, i, c.span), csv_number(&t, i, c.rise),
                    csv_number(&t, i, c.h), csv_number(&t, i, c.v0)};
        bool draw = f.rise > 0; /* the sloping ones show more */
        one_family(v, &t, &c, &f, draw);
        f.kind = "clamp";
        one_family(v, &t, &c, &f, draw);
        if (validation_quick(v) && ++families == 2) break;
    }
    csv_close(&t);
}
