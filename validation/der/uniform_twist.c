/* Quasistatic twist of a naturally straight rod of round section is uniform [DER 2008, eq. 6]. */
#include "validation/der/der.h"
#include <math.h>

enum { EDGES = 40 };

/* Half a turn: below the twist that buckles the straight clamped rod (GJ Θ/L < 8.98 EI/L). */
static const double rotation = 3.14159265358979323846;

/* Edges that increase to three times the first, and angles far from uniform but at the ends, where
 * they extend to 0 and to the rotation. */
static void uneven(double *edge_lengths, double *twist)
{
    double sum = 0, s = 0;
    for (int i = 0; i < EDGES; i++) sum += edge_lengths[i] = 1 + 2.0 * i / (EDGES - 1);
    for (int i = 0; i < EDGES; i++) {
        edge_lengths[i] /= sum;
        double u = s + edge_lengths[i] / 2, wave = 0.8 * sin(5 * rotation * u) * u * (1 - u);
        twist[i] = rotation * (u + (i > 1 && i < EDGES - 2 ? wave : 0));
        s += edge_lengths[i];
    }
}

/* The largest deviation of the twist at inner vertices from its mean, relative to the mean. */
static bool spread(validation *v, const rod *r, const char *name, double *mean, double *deviation,
                   double rates[EDGES + 1])
{
    double k[3 * (EDGES + 1)];
    if (!rod_ok(v, r, cord_strand_get_curvatures(r->world, r->strand, k), name)) return false;
    *mean = 0, *deviation = 0;
    for (int i = 1; i < EDGES; i++) *mean += k[3 * i + 2] / (EDGES - 1);
    for (int i = 1; i < EDGES; i++) *deviation = fmax(*deviation, fabs(k[3 * i + 2] / *mean - 1));
    for (int i = 0; i <= EDGES; i++) rates[i] = k[3 * i + 2];
    return true;
}

static bool clamped(validation *v, rod *r, cord_integrator integrator, double gravity,
                    cord_point *end, const double *edge_lengths, const double *twist)
{
    rod_plan plan = rod_plan_unit(EDGES, 1);
    plan.world.integrator = integrator;
    plan.world.gravity[2] = -gravity;
    plan.world.tolerance = 1e-12; /* errors that Newton's iteration may leave would be compared */
    plan.edge_lengths = edge_lengths;
    plan.strand.twist = twist;
    return rod_ok(v, r, rod_make(&plan, r), "make the rod") &&
           rod_ok(v, r, rod_clamp_first(r, NULL, NULL), "clamp it") &&
           rod_ok(v, r, rod_clamp_last(r, end, NULL), "clamp its other end");
}

/* 1e-10 is ten thousand roundings of a tridiagonal solve of this size. */
static const double even = 1e-10;

static void straight_and_sagging(validation *v, const double *edge_lengths, const double *twist)
{
    const char *name = "uniform-twist straight";
    double mean, deviation, before[EDGES + 1], after[EDGES + 1], s[EDGES + 1] = {0};
    cord_point end = {0};
    rod r = {0};
    bool ok = clamped(v, &r, CORD_IMPLICIT, 0, &end, edge_lengths, twist) &&
              rod_ok(v, &r, cord_world_find_equilibrium(r.world, NULL, NULL), name) &&
              spread(v, &r, name, &mean, &deviation, before);
    if (ok) {
        validation_row(v, name, "largest deviation", deviation, 0, even);
        validation_row(v, name, "mean rate, rad/m", mean, rotation, 1e-10 * rotation);
    }
    name = "uniform-twist sagging";
    const double place[3] = {0.8, 0, 0};
    ok = ok && rod_ok(v, &r, rod_set_gravity(&r, 0, 0, -200), name) &&
         rod_ok(v, &r, cord_point_set_pose(r.world, end, place, NULL), name) &&
         rod_ok(v, &r, cord_world_find_equilibrium(r.world, NULL, NULL), name) &&
         spread(v, &r, name, &mean, &deviation, after);
    rod_free(&r);
    if (!ok) return;
    validation_row(v, name, "largest deviation", deviation, 0, even);
    for (int i = 0; i < EDGES; i++) s[i + 1] = s[i] + edge_lengths[i];
    plot_series series[] = {{"straight", EDGES - 1, s + 1, before + 1, PLOT_BOTH},
                            {"sagging", EDGES - 1, s + 1, after + 1, PLOT_BOTH}};
    validation_plot(v,
                    &(plot){"Twist along the rod", "s/L", "twist, rad/m", false, false, 2, series});
}

/* Quasistatic twist is uniform at every time of a motion, not only at rest. */
static void moving(validation *v, const char *name, cord_integrator integrator,
                   const double *edge_lengths, const double *twist)
{
    double mean, deviation, worst = 0, rates[EDGES + 1];
    cord_strand_info info;
    cord_point end = {0};
    rod r = {0};
    bool ok = clamped(v, &r, integrator, 100, &end, edge_lengths, twist) &&
              rod_ok(v, &r, cord_strand_get_info(r.world, r.strand, &info), name);
    for (int i = 0; ok && i < 50; i++) {
        ok = rod_ok(v, &r, cord_world_step(r.world, info.stable_step / 4), name) &&
             spread(v, &r, name, &mean, &deviation, rates);
        worst = fmax(worst, deviation);
    }
    rod_free(&r);
    if (ok) validation_row(v, name, "largest deviation", worst, 0, even);
}

void check_uniform_twist(validation *v)
{
    double edge_lengths[EDGES], twist[EDGES];
    uneven(edge_lengths, twist);
    straight_and_sagging(v, edge_lengths, twist);
    moving(v, "uniform-twist moving, symplectic", CORD_SYMPLECTIC, edge_lengths, twist);
    moving(v, "uniform-twist moving, implicit", CORD_IMPLICIT, edge_lengths, twist);
}
