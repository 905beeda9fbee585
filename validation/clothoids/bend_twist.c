/* The weight at which a planar curl leaves its plane.
 *
 * EI = L = mass per length = 1, gravity is Γ. The planar equilibrium is that of a planar chain,
 * whose branch cannot leave the plane; its stability is that of a spatial chain with the same
 * curvatures. Thresholds by bisection of Γ along the branch. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include "validation/csv.h"
#include "validation/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESHES = 3, MOST_KNOTS = 33 };

static const int meshes[MESHES] = {8, 16, 32};

typedef struct curled {
    validation *v;
    double kappa0, twisting; /* natural curvature; GJ */
    int elements;
    rod planar; /* reported at nodes */
    double natural[6 * MOST_KNOTS];
} curled;

/* Tangent down, first director along x: curls about the second. `kappa`: at nodes. */
static rod_plan plan_of(const curled *c, bool planar, const double *kappa)
{
    static const double frame[9] = {0, 0, -1, 1, 0, 0, 0, -1, 0};
    rod_plan p = rod_plan_unit(c->elements, 1);
    p.strand.model = CORD_MODEL_CLOTHOID;
    p.strand.planar = planar;
    p.strand.element_count = c->elements;
    p.strand.curvatures = kappa;
    p.strand.natural_curvatures = c->natural;
    p.strand.section.twisting = c->twisting;
    memcpy(p.strand.base_frame, frame, sizeof frame);
    return p;
}

/* Starts in the natural shape, or straight. */
static bool begin(curled *c, bool unrolled)
{
    double kappa[3 * MOST_KNOTS] = {0};
    for (int i = 0; i < 2 * c->elements; i++)
        c->natural[3 * i] = c->natural[3 * i + 2] = 0, c->natural[3 * i + 1] = c->kappa0;
    for (int i = 0; !unrolled && i <= c->elements; i++) kappa[3 * i + 1] = c->kappa0;
    rod_plan plan = plan_of(c, true, kappa);
    cord_status status = rod_make(&plan, &c->planar);
    if (status == CORD_OK) status = rod_clamp_first(&c->planar, NULL, NULL);
    return chain_ok(c->v, &c->planar, status, "make the planar curl");
}

/* Whether the planar equilibrium at Γ is stable in space; continues the branch from its present
 * state. */
static bool stable_at(curled *c, double gamma, bool *stable)
{
    double kappa[3 * MOST_KNOTS];
    int count = 0;
    rod space = {0};
    const char *what =
        validation_text(c->v, "κ₀L = %g, N = %d, Γ = %g", c->kappa0, c->elements, gamma);
    cord_status status = rod_set_gravity(&c->planar, 0, 0, -gamma);
    if (status == CORD_OK) status = cord_world_find_equilibrium(c->planar.world, NULL, NULL);
    if (status == CORD_OK)
        status = cord_strand_get_curvatures(c->planar.world, c->planar.strand, kappa);
    if (!chain_ok(c->v, &c->planar, status, what)) return false;
    rod_plan plan = plan_of(c, false, kappa);
    status = rod_make(&plan, &space);
    if (status == CORD_OK) status = rod_set_gravity(&space, 0, 0, -gamma);
    if (status == CORD_OK) status = rod_clamp_first(&space, NULL, NULL);
    if (status == CORD_OK) status = cord_world_count_unstable_directions(space.world, &count, NULL);
    bool ok = chain_ok(c->v, &space, status, what);
    rod_free(&space);
    *stable = count == 0;
    return ok;
}

/* Follows a stable branch from `gamma` by factors of `ratio` to instability, then bisects. */
static bool threshold(curled *c, bool unrolled, double gamma, double ratio, double *found)
{
    double good = gamma, bad = gamma;
    bool stable = true;
    if (!begin(c, unrolled)) return false;
    bool ok = stable_at(c, good, &stable);
    if (ok && !stable)
        validation_fail(c->v, "bend-twist", "the branch begins unstable"), ok = false;
    for (int i = 0; ok && stable && i < 200; i++) {
        good = bad, bad *= ratio;
        ok = stable_at(c, bad, &stable);
    }
    for (int i = 0; ok && i < 60 && fabs(good - bad) > 1e-10 * bad; i++) {
        double middle = 0.5 * (good + bad);
        ok = stable_at(c, middle, &stable);
        *(stable ? &good : &bad) = middle;
    }
    rod_free(&c->planar);
    *found = 0.5 * (good + bad);
    return ok;
}

static void state(curled *c, double expected, bool low)
{
    double error[MESHES], n[MESHES], gamma[MESHES];
    int used = 0;
    for (int k = 0; k < MESHES; k++) {
        c->elements = meshes[k];
        if (!threshold(c, !low, low ? 1 : 3e4, low ? 1.1 : 0.8, &gamma[k])) return;
        n[used] = meshes[k], error[used] = fabs(gamma[k] / expected - 1);
        if (error[used] > 1e-8) used++; /* the reference's digits */
    }
    const char *name =
        validation_text(c->v, "κ₀L=%g, as weight %s", c->kappa0, low ? "rises" : "falls");
    validation_row(c->v, name, "Γ, 8 clothoids", gamma[0], expected, 2e-2 * expected);
    validation_row(c->v, name, "Γ, 32 clothoids", gamma[MESHES - 1], expected, 1e-5 * expected);
    validation_row_above(c->v, name, "order of the error", fit_order(used, n, error), 3.6);
}

void check_bend_twist(validation *v)
{
    csv t;
    if (!csv_open(v, "07_bend_twist_threshold.csv", &t)) return;
    int kappa = csv_column(&t, "kappa0_L"), twisting = csv_column(&t, "C_over_B"),
        low = csv_column(&t, "Gamma_low"), up = csv_column(&t, "Gamma_up");
    for (int i = 0; i < t.rows; i++) {
        static curled c;
        c = (curled){.v = v};
        c.kappa0 = csv_number(&t, i, kappa), c.twisting = csv_number(&t, i, twisting);
        /* The suite `statics` has the others. */
        if (fabs(c.twisting - 2.0 / 3) > 1e-9 || (c.kappa0 != 6 && c.kappa0 != 8) ||
            strcmp(csv_text(&t, i, 0), "vertical_down") != 0)
            continue;
        state(&c, csv_number(&t, i, low), true);
        state(&c, csv_number(&t, i, up), false);
    }
    csv_close(&t);
}
