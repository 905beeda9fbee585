/* A helical spring under a small axial load (linear regime). */
#include "validation/fit.h"
#include "validation/splines/splines.h"

#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, turns = 3, radius = 1, pitch = 1.5, force = 1e-6;
static const double twisting = 0.7; /* EI = 1 */
enum { MESHES = 4 };
static const int meshes[MESHES] = {18, 36, 72, 144}; /* from 6 spans a turn on */

static void helix_at(double turn, double x[3])
{
    double a = 2 * pi * turn;
    x[0] = radius * cos(a), x[1] = radius * sin(a), x[2] = pitch * turn;
}

/* δ = F ∫ (m·t)²/GJ + |m − (m·t) t|²/EI ds, m = (x_end − x) × ẑ (Castigliano's theorem), by
 * Simpson's rule. */
static double castigliano(void)
{
    enum { PIECES = 6000 };
    double per_turn = hypot(2 * pi * radius, pitch), end[3], sum = 0;
    helix_at(turns, end);
    for (int i = 0; i <= PIECES; i++) {
        double turn = turns * i / PIECES, a = 2 * pi * turn, x[3];
        helix_at(turn, x);
        double m[2] = {end[1] - x[1], x[0] - end[0]}; /* its z is 0 */
        double t[2] = {-2 * pi * radius * sin(a) / per_turn, 2 * pi * radius * cos(a) / per_turn};
        double along = m[0] * t[0] + m[1] * t[1], square = m[0] * m[0] + m[1] * m[1];
        double weight = i == 0 || i == PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * (along * along / twisting + square - along * along);
    }
    return force * sum * turns * per_turn / PIECES / 3;
}

/* The length of the spline differs slightly from that of the helix. */
static cord_status pull(rod *r)
{
    const double up[3] = {0, 0, force};
    cord_strand_info info = {0};
    cord_load load;
    cord_status status = cord_strand_get_info(r->world, r->strand, &info);
    r->length = info.length;
    if (status == CORD_OK) status = rod_load_tip(r, &load);
    return status == CORD_OK ? cord_load_set_force(r->world, load, up) : status;
}

static bool give(validation *v, int spans, double *by)
{
    double *x = malloc(3 * (size_t)(spans + 1) * sizeof *x);
    rod r = {0};
    rod_plan plan = spline_plan(spans, turns * hypot(2 * pi * radius, pitch));
    for (int i = 0; x && i <= spans; i++) helix_at(turns * i / spans, x + 3 * i);
    plan.shape = x;
    plan.strand.section.twisting = twisting;
    cord_statics_def statics = cord_statics_def_default();
    statics.tolerance = 1e-13; /* the displacement is small */
    cord_status status = x ? rod_make(&plan, &r) : CORD_ERROR_MEMORY;
    if (status == CORD_OK) status = rod_clamp_first(&r, NULL, NULL);
    if (status == CORD_OK) status = pull(&r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, &statics, NULL);
    if (status == CORD_OK) status = rod_read(&r);
    bool ok = validation_ok(v, r.world, status, validation_text(v, "spring of %d spans", spans));
    if (ok) *by = rod_tip(&r)[2] - turns * pitch;
    rod_free(&r);
    free(x);
    return ok;
}

void check_spline_spring(validation *v)
{
    double n[MESHES], error[MESHES], expected = castigliano();
    for (int k = 0; k < MESHES; k++) {
        double by;
        if (!give(v, meshes[k], &by)) return;
        n[k] = meshes[k], error[k] = fabs(by / expected - 1);
        if (meshes[k] == 72)
            validation_row(v, "spline-spring n=72", "it gives by, m", by, expected,
                           3e-3 * expected);
    }
    /* Twist that varies along a span is approximated to second order. */
    validation_row_above(v, "spline-spring", "observed order", fit_order(MESHES, n, error), 1.8);
    plot_series s = {"deflection", MESHES, n, error, PLOT_BOTH};
    validation_plot(
        v, &(plot){"Displacement of a spring", "spans", "relative error", true, true, 1, &s});
}
