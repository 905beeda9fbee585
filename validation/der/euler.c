/* Past buckling: thrust and deflection of the elastica at a given shortening. */
#include "validation/csv.h"
#include "validation/der/der.h"
#include <math.h>
#include <string.h>

enum { EDGES = 100, MAX_ROWS = 32 };

static const double pi = 3.14159265358979323846;

/* Beyond this shortening the flat shapes lose stability sideways (clamped: about 0.55). */
static const double largest_shortening = 0.4;

typedef struct column {
    const char *kind;
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

/* Held at both ends and bent into the mode. A pinned rod could still turn about the line between
 * its ends, which costs nothing: its middle is kept in the plane y = 0, with no force. */
static cord_status bend(rod *r, const column *c, cord_point *end, cord_constraint *hold)
{
    static const double origin[3] = {0, 0, 0}, normal[3] = {0, 1, 0};
    cord_status status = c->clamped ? rod_clamp_first(r, NULL, NULL) : rod_pin(r, 0, NULL, NULL);
    if (status == CORD_OK)
        status = c->clamped ? rod_clamp_last(r, end, hold) : rod_pin(r, r->length, end, hold);
    if (status == CORD_OK) status = rod_hold_plane(r, r->length / 2, origin, normal, NULL);
    memset(r->x, 0, 3 * sizeof *r->x);
    rod_trace(r->edges, r->length, NULL, mode_tangent, c, r->x);
    if (status == CORD_OK) status = cord_strand_set_positions(r->world, r->strand, r->x);
    return status;
}

static bool shorten(validation *v, rod *r, cord_point end, double shortening, const char *name)
{
    const double place[3] = {r->length * (1 - shortening), 0, 0};
    cord_status status = cord_point_set_pose(r->world, end, place, NULL);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r->world, NULL, NULL);
    if (status == CORD_OK) status = rod_look(r);
    return rod_ok(v, r, status, name);
}

static void compress(validation *v, const csv *t, column *c)
{
    int shortening = csv_column(t, "shortening"), thrust = csv_column(t, "P_over_Pcr"),
        middle = csv_column(t, "mid_deflection"), count = 0;
    double d[MAX_ROWS], p[MAX_ROWS], p_measured[MAX_ROWS], m[MAX_ROWS], m_measured[MAX_ROWS];
    double critical = (c->clamped ? 4 : 1) * pi * pi;
    rod r = {0};
    cord_point end = {0};
    cord_constraint hold = {0};
    rod_plan plan = rod_plan_unit(EDGES, 1);
    c->amplitude = 2 * sqrt(csv_number(t, 0, shortening)); /* ∫(1 − cos) = amplitude²/4 */
    bool ok = rod_ok(v, &r, rod_make(&plan, &r), "make the rod") &&
              rod_ok(v, &r, bend(&r, c, &end, &hold), "bend it");
    for (int i = 0; ok && i < t->rows && count < MAX_ROWS; i++) {
        d[count] = csv_number(t, i, shortening);
        if (d[count] > largest_shortening) break;
        const char *name = validation_text(v, "euler %s D/L=%g", c->kind, d[count]);
        double force[3], torque[3];
        ok = shorten(v, &r, end, d[count], name) &&
             rod_ok(v, &r, cord_constraint_get_force(r.world, hold, force, torque), name);
        if (!ok) break;
        p[count] = csv_number(t, i, thrust), p_measured[count] = -force[0] / critical;
        m[count] = csv_number(t, i, middle), m_measured[count] = fabs(r.x[3 * (EDGES / 2) + 2]);
        validation_row(v, name, "P/Pcr", p_measured[count], p[count], 5e-3 * p[count]);
        validation_row(v, name, "deflection/L", m_measured[count], m[count], 5e-3 * m[count]);
        count++;
    }
    rod_free(&r);
    plot_series s[] = {{"P/Pcr, elastica", count, d, p, PLOT_DASHED},
                       {"P/Pcr, n = 100", count, d, p_measured, PLOT_MARKERS},
                       {"deflection/L, elastica", count, d, m, PLOT_DASHED},
                       {"deflection/L, n = 100", count, d, m_measured, PLOT_MARKERS}};
    validation_plot(v, &(plot){validation_text(v, "Past buckling, %s ends", c->kind),
                               "shortening/L", "", false, false, 4, s});
}

void check_euler(validation *v)
{
    csv t;
    if (!csv_open(v, "04_euler_postbuckling.csv", &t)) return;
    compress(v, &t, &(column){.kind = "pinned"});
    compress(v, &t, &(column){.kind = "clamped", .clamped = true});
    csv_close(&t);
}
