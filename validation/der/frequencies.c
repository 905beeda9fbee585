/* Small motions: beam, torsion and chain, the first three frequencies of each. */
#include "validation/csv.h"
#include "validation/der/der.h"
#include "validation/fit.h"
#include <math.h>
#include <string.h>

enum { MODES = 3, MESHES = 4 };

static const int meshes[MESHES] = {25, 50, 100, 200};

typedef struct vibration {
    const char *name, *system; /* of the check; of the reference table */
    double power;              /* ω = value^power in the rod's units */
    cord_status (*prepare)(rod *r);
    void (*plan)(rod_plan *p);
} vibration;

/* Transverse modes come in pairs (the section is round). Frequencies closer than this are equal:
 * far above the round-off of pairs, far below the distance between modes. */
static const double same = 1e-3;

/* Motions below this are rigid or neutral (a hanging rod rotates freely about itself). Every system
 * here has its first frequency above 1 in its units. */
static const double neutral = 1e-2;

static bool measure(validation *v, const vibration *w, int edges, double mode[MODES])
{
    enum { ASKED = 2 * MODES + 2 };
    double omega[ASKED] = {0};
    rod r = {0};
    rod_plan plan = rod_plan_unit(edges, 1);
    w->plan(&plan);
    cord_status status = rod_make(&plan, &r);
    if (status == CORD_OK) status = w->prepare(&r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, ASKED, omega);
    bool ok = rod_ok(v, &r, status, validation_text(v, "%s, n = %d", w->name, edges));
    rod_free(&r);
    if (ok && rod_distinct(ASKED, omega, neutral, same, MODES, mode) < MODES) {
        validation_fail(v, w->name, "fewer than three distinct frequencies");
        ok = false;
    }
    return ok;
}

static bool read_modes(validation *v, const vibration *w, double expected[MODES])
{
    csv t;
    if (!csv_open(v, "14_small_amplitude_frequencies.csv", &t)) return false;
    int found = 0, system = csv_column(&t, "system"), value = csv_column(&t, "value");
    for (int i = 0; i < t.rows && found < MODES; i++)
        if (strcmp(csv_text(&t, i, system), w->system) == 0)
            expected[found++] = pow(csv_number(&t, i, value), w->power);
    csv_close(&t);
    return found == MODES;
}

static void compare(validation *v, const vibration *w)
{
    double expected[MODES], error[MODES][MESHES], n[MESHES], mode[MODES];
    if (!read_modes(v, w, expected)) return;
    for (int k = 0; k < MESHES; k++) {
        n[k] = meshes[k];
        if (!measure(v, w, meshes[k], mode)) return;
        for (int i = 0; i < MODES; i++) {
            error[i][k] = fabs(mode[i] / expected[i] - 1);
            if (meshes[k] == 100)
                validation_row(v, validation_text(v, "%s n=100", w->name),
                               validation_text(v, "frequency %d", i + 1), mode[i], expected[i],
                               5e-3 * expected[i]);
        }
    }
    plot_series s[MODES];
    for (int i = 0; i < MODES; i++)
        s[i] = (plot_series){
            validation_text(v, "mode %d, order %.2f", i + 1, fit_order(MESHES, n, error[i])),
            MESHES, n, error[i], PLOT_BOTH};
    validation_plot(v, &(plot){"Relative error of the frequencies", "elements", "|ω/ω_exact − 1|",
                               true, true, MODES, s});
}

/* ---- the three systems ----------------------------------------------------------------------- */

static cord_status clamp(rod *r)
{
    return rod_clamp_first(r, NULL, NULL);
}

static cord_status pin(rod *r)
{
    return rod_pin(r, 0, NULL, NULL);
}

static void plan_beam(rod_plan *p)
{
    (void)p; /* the unit rod: ω = (βL)² */
}

/* GJ = rotary inertia = 1, so ω = (k − 1/2)π; bending is stiff enough to lie far above. */
static void plan_torsion(rod_plan *p)
{
    p->strand.twist_mode = CORD_TWIST_DYNAMIC;
    p->strand.section.rotary_inertia = 1;
    p->strand.section.bending[0] = p->strand.section.bending[1] = 1e4;
}

/* g = 1, hanging down. Γ = 1e9: bending raises the frequencies by about 1/√Γ, 3e-5. */
static void plan_chain(rod_plan *p)
{
    p->world.gravity[2] = -1;
    p->direction[0] = 0, p->direction[2] = -1;
    p->strand.section.bending[0] = p->strand.section.bending[1] = 1e-9;
    p->strand.section.twisting = 1e-9;
}

void check_beam_frequencies(validation *v)
{
    compare(v, &(vibration){"beam-frequencies", "clamped-free", 2, clamp, plan_beam});
}

void check_torsion_frequencies(validation *v)
{
    compare(v, &(vibration){"torsion-frequencies", "torsion clamped-free", 1, clamp, plan_torsion});
}

void check_chain_frequencies(validation *v)
{
    compare(v, &(vibration){"chain-frequencies", "hanging chain", 1, pin, plan_chain});
}
