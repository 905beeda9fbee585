/* Michell's instability: the flat ring with twist [DER 2008, section 9.1 and Fig. 8]. */
#include "validation/csv.h"
#include "validation/der/der.h"
#include <math.h>

/* A multiple of eight, so that the six rows are at vertices and the two phases of the second mode
 * are equivalent. The error of the critical twist is then about (2π/n)², 0.5 %. */
enum { EDGES = 88, MAX_RATIOS = 16 };

static const double pi = 3.14159265358979323846;

/* Unstable directions of the flat ring (radius 1, α = 1) with the given twist. */
static bool unstable_directions(validation *v, double beta, double twist, int *count)
{
    rod_plan plan = rod_plan_unit(EDGES, 2 * pi);
    plan.ring = true;
    plan.strand.section.twisting = beta;
    plan.strand.closing_twist = twist;
    cord_statics_result result = {0};
    rod r = {0};
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = rod_fix_ring(&r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, &result);
    if (status == CORD_OK) status = rod_read(&r);
    bool ok = rod_ok(v, &r, status, validation_text(v, "β = %g, twist %g", beta, twist));
    *count = result.unstable_directions;
    /* If round-off has moved it from the flat shape, that shape was unstable. A thousandth of the
     * radius is far above round-off and far below a buckled ring. */
    for (int i = 0; ok && i < r.vertices; i++)
        if (fabs(r.x[3 * i + 2]) > 1e-3 && *count < 2) *count = 2;
    rod_free(&r);
    return ok;
}

/* The second mode has two phases, so that the count increases by two. It is relative to the
 * untwisted ring: the sign of its neutral direction (rotation of all frames) is arbitrary. */
static bool critical_twist(validation *v, double beta, double *critical)
{
    double low = 0, high = 4 * pi * sqrt(3) / beta; /* twice the expected */
    int base, count;
    if (!unstable_directions(v, beta, low, &base)) return false;
    if (!unstable_directions(v, beta, high, &count)) return false;
    if (count < base + 2) {
        validation_fail(v, validation_text(v, "michell β/α=%g", beta),
                        "the flat ring is stable even at twice the critical twist");
        return false;
    }
    while (high - low > 1e-4 * high) {
        double middle = (low + high) / 2;
        if (!unstable_directions(v, beta, middle, &count)) return false;
        *(count < base + 2 ? &low : &high) = middle;
    }
    *critical = (low + high) / 2;
    return true;
}

void check_michell(validation *v)
{
    csv t;
    if (!csv_open(v, "05_michell_zajac_ring.csv", &t)) return;
    int ratio = csv_column(&t, "beta"), twist = csv_column(&t, "theta_c_closed"), count = 0;
    double beta[MAX_RATIOS], expected[MAX_RATIOS], measured[MAX_RATIOS];
    for (int i = 0; i < t.rows && count < MAX_RATIOS; i += validation_quick(v) ? 5 : 1) {
        beta[count] = csv_number(&t, i, ratio), expected[count] = csv_number(&t, i, twist);
        if (!critical_twist(v, beta[count], &measured[count])) continue;
        validation_row(v, validation_text(v, "michell β/α=%g", beta[count]), "critical twist, rad",
                       measured[count], expected[count], 0.02 * expected[count]);
        count++;
    }
    csv_close(&t);
    plot_series s[] = {{"2π√3 α/β", count, beta, expected, PLOT_DASHED},
                       {"bisection, n = 88", count, beta, measured, PLOT_MARKERS}};
    validation_plot(v,
                    &(plot){"Critical twist of the ring", "β/α", "twist, rad", false, false, 2, s});
}
