/* Michell's instability of a closed spline: the flat ring with twist. */
#include "validation/csv.h"
#include "validation/splines/splines.h"

#include <math.h>

enum { SPANS = 24 };
static const double pi = 3.14159265358979323846;

/* Unstable directions of the flat ring, an equilibrium by symmetry. */
static bool unstable_directions(validation *v, double beta, double twist, int *count)
{
    rod_plan plan = spline_plan(SPANS, 2 * pi);
    plan.ring = true;
    plan.strand.section.twisting = beta;
    plan.strand.closing_twist = twist;
    rod r = {0};
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = rod_fix_ring(&r);
    if (status == CORD_OK) status = cord_world_count_unstable_directions(r.world, count, NULL);
    bool ok =
        validation_ok(v, r.world, status, validation_text(v, "β = %g, twist %g", beta, twist));
    rod_free(&r);
    return ok;
}

/* The second mode has two phases, so that the count increases by two. */
static bool critical_twist(validation *v, double beta, double *critical)
{
    double low = 0, high = 4 * pi * sqrt(3) / beta; /* twice the expected */
    int base, count;
    if (!unstable_directions(v, beta, low, &base)) return false;
    while (high - low > 1e-4 * high) {
        double middle = (low + high) / 2;
        if (!unstable_directions(v, beta, middle, &count)) return false;
        *(count < base + 2 ? &low : &high) = middle;
    }
    *critical = (low + high) / 2;
    return true;
}

void check_spline_michell(validation *v)
{
    csv t;
    if (!csv_open(v, "05_michell_zajac_ring.csv", &t)) return;
    int ratio = csv_column(&t, "beta"), twist = csv_column(&t, "theta_c_closed");
    for (int i = 0; i < t.rows; i += validation_quick(v) ? 5 : 1) {
        double beta = csv_number(&t, i, ratio), expected = csv_number(&t, i, twist), measured;
        if (!critical_twist(v, beta, &measured)) break;
        validation_row(v, validation_text(v, "spline-michell β/α=%g", beta), "critical twist, rad",
                       measured, expected, 0.005 * expected);
    }
    csv_close(&t);
}
