/* The torsional pendulum: a disk on a twisting rod. */
#include "validation/bodies/bodies.h"
#include "validation/bodies/parts.h"
#include "validation/clothoids/chains.h"
#include "validation/fit.h"
#include <math.h>

enum { KINDS = 4, MESHES = 3, STEPS = 3, FEW = 4 };

static const double pi = 3.14159265358979323846;
static const chain_kind kinds[KINDS] = {{"der", CORD_MODEL_DER, false},
                                        {"segment", CORD_MODEL_SEGMENT, false},
                                        {"helix", CORD_MODEL_HELIX, false},
                                        {"clothoid", CORD_MODEL_CLOTHOID, false}};

/* A wire of one metre hangs from a clamp, straightened by a disk at its end. A third of the wire's
 * rotary inertia would add to that of the disk; it is negligible. */
static const double length = 1, twisting = 0.02, spin = 2e-2; /* m, N m², kg m² */

static double exact_period(void)
{
    return 2 * pi * sqrt(spin * length / twisting);
}

static cord_status hang(const chain_kind *kind, int elements, cord_integrator integrator, rod *r,
                        cord_body *disk)
{
    rod_plan p = rod_plan_unit(elements, length);
    p.world.gravity[2] = -9.81;
    p.world.integrator = integrator;
    p.world.tolerance = 1e-9;
    p.direction[0] = 0, p.direction[2] = -1;
    cord_section *s = &p.strand.section;
    s->mass = 1e-5, s->rotary_inertia = 1e-10;
    s->bending[0] = s->bending[1] = 0.03, s->twisting = twisting;
    chain_of(&p, kind, elements, elements);
    cord_status status = chain_make(&p, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    if (status == CORD_OK)
        status =
            part_body(r->world, 0.5, (double[]){1e-2, 1e-2, spin}, (double[]){0, 0, -length}, disk);
    if (status == CORD_OK) status = part_weld(r, length, *disk);
    return status;
}

/* The lowest frequency: torsion at 3 rad/s; the disk tilts faster. */
static bool frequency(validation *v, const chain_kind *kind, int elements, double *relative)
{
    double omega = NAN, expected = 2 * pi / exact_period();
    rod r = {0};
    cord_body disk;
    cord_status status = hang(kind, elements, CORD_IMPLICIT, &r, &disk);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, 1, &omega);
    bool ok =
        validation_ok(v, r.world, status, validation_text(v, "%s, N = %d", kind->name, elements));
    *relative = omega / expected - 1;
    rod_free(&r);
    return ok;
}

/* The mean period, from the times at which the spin changes sign. */
static bool period(validation *v, const chain_kind *kind, cord_integrator integrator, int steps,
                   double *found)
{
    enum { PERIODS = 5 };
    rod r = {0};
    cord_body disk;
    double h = exact_period() / steps, before = 0, first = NAN, last = NAN;
    int crossings = 0;
    cord_status status = hang(kind, FEW, integrator, &r, &disk);
    if (status == CORD_OK)
        status = cord_body_set_velocity(r.world, disk, (double[]){0, 0, 0}, (double[]){0, 0, 0.6});
    for (int i = 0; status == CORD_OK && i < PERIODS * steps; i++) {
        double w[3] = {0};
        status = cord_world_step(r.world, h);
        if (status == CORD_OK) status = cord_body_get_velocity(r.world, disk, NULL, w);
        if (before * w[2] < 0) {
            last = h * (i + w[2] / (before - w[2]) + 1);
            if (crossings++ == 0) first = last;
        }
        before = w[2];
    }
    bool ok = validation_ok(v, r.world, status, validation_text(v, "%s swings", kind->name));
    *found = 2 * (last - first) / (crossings - 1);
    rod_free(&r);
    return ok;
}

static void meshes(validation *v)
{
    static const int mesh[MESHES] = {2, 8, 32};
    double n[MESHES], error[KINDS][MESHES];
    plot_series s[KINDS];
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < MESHES; k++) {
            double relative;
            if (!frequency(v, &kinds[kind], mesh[k], &relative)) return;
            n[k] = mesh[k];
            error[kind][k] = fabs(relative);
            const char *name = validation_text(v, "%s, N = %d", kinds[kind].name, mesh[k]);
            validation_row_below(v, name, "|ω√(Il/GJ) − 1|", error[kind][k], 1e-6);
        }
        s[kind] = (plot_series){kinds[kind].name, MESHES, n, error[kind], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"The torsional pendulum's frequency", "elements", "|ω/ω_exact − 1|",
                               true, true, KINDS, s});
}

static void steps(validation *v)
{
    static const int divisions[STEPS] = {40, 80, 160};
    static const struct {
        const char *name;
        cord_integrator integrator;
    } by[2] = {{"tr-bdf2", CORD_IMPLICIT}, {"midpoint", CORD_MIDPOINT}};
    double n[STEPS], error[2 * KINDS][STEPS];
    plot_series s[2 * KINDS];
    for (int i = 0; i < 2 * KINDS; i++) {
        const chain_kind *kind = &kinds[i / 2];
        const char *name = validation_text(v, "%s, %s", kind->name, by[i % 2].name);
        for (int k = 0; k < STEPS; k++) {
            double found;
            if (!period(v, kind, by[i % 2].integrator, divisions[k], &found)) return;
            n[k] = divisions[k];
            error[i][k] = fabs(found / exact_period() - 1);
        }
        validation_row(v, name, "order of the period", fit_order(STEPS, n, error[i]), 2, 0.1);
        validation_row_below(v, name, "error of the period, 160 steps", error[i][STEPS - 1], 1e-3);
        s[i] = (plot_series){name, STEPS, n, error[i], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"The torsional pendulum's period", "steps per period",
                               "|T/T_exact − 1|", true, true, 2 * KINDS, s});
}

void check_torsion_pendulum(validation *v)
{
    meshes(v);
    steps(v);
}
