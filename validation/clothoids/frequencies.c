/* Small motions of chains: beam, torsion, hanging chain and ring. */
#include "validation/clothoids/chains.h"
#include "validation/clothoids/clothoids.h"
#include "validation/csv.h"
#include "validation/fit.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 3, MESHES = 5, ASKED = 16, KINDS = 2 };

static const double pi = 3.14159265358979323846;
static const int meshes[MESHES] = {4, 8, 16, 32, 64};
static const chain_kind kinds[KINDS] = {{"clothoid", CORD_MODEL_CLOTHOID, false},
                                        {"helix", CORD_MODEL_HELIX, false}};

typedef struct vibration {
    const char *name;
    const char *systems[2]; /* of the reference table; the second may be NULL */
    double power;           /* ω = value^power in the rod's units */
    cord_status (*make)(const chain_kind *kind, int elements, rod *r);
    int first; /* the first mesh that is judged: index */
    double order[KINDS];
    double tolerance[KINDS]; /* relative, of three modes with 64 elements */
} vibration;

/* Frequencies closer than this are one: far above a pair's rounding, below the distance of modes.
 * Those below `neutral` are rigid motions; every system here has its first above 1. */
static const double same = 2e-4, neutral = 0.05;

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static bool read_modes(validation *v, const vibration *w, double expected[MODES])
{
    double all[32];
    int found = 0;
    csv t;
    if (!csv_open(v, "14_small_amplitude_frequencies.csv", &t)) return false;
    int system = csv_column(&t, "system"), value = csv_column(&t, "value");
    for (int i = 0; i < t.rows && found < 32; i++)
        for (int k = 0; k < 2; k++)
            if (w->systems[k] && strcmp(csv_text(&t, i, system), w->systems[k]) == 0)
                all[found++] = pow(csv_number(&t, i, value), w->power);
    csv_close(&t);
    qsort(all, (size_t)found, sizeof *all, compare_numbers);
    for (int i = 0; i < MODES && i < found; i++) expected[i] = all[i];
    return found >= MODES;
}

static bool measure(validation *v, const vibration *w, const chain_kind *kind, int elements,
                    double mode[MODES])
{
    double omega[ASKED] = {0};
    int asked = 3 * elements < ASKED ? 3 * elements : ASKED; /* there are no more */
    rod r = {0};
    cord_status status = w->make(kind, elements, &r);
    if (status == CORD_OK) status = cord_world_find_equilibrium(r.world, NULL, NULL);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, asked, omega);
    bool ok = chain_ok(v, &r, status,
                       validation_text(v, "%s, %s, N = %d", w->name, kind->name, elements));
    rod_free(&r);
    if (ok && rod_distinct(ASKED, omega, neutral, same, MODES, mode) < MODES) {
        validation_fail(v, w->name, "fewer than three distinct frequencies");
        ok = false;
    }
    return ok;
}

static void compare(validation *v, const vibration *w)
{
    static double error[KINDS * MODES][MESHES];
    double expected[MODES], n[MESHES], mode[MODES];
    plot_series s[KINDS * MODES];
    if (!read_modes(v, w, expected)) return;
    for (int kind = 0; kind < KINDS; kind++) {
        const char *name = validation_text(v, "%s, %s", w->name, kinds[kind].name);
        for (int k = w->first; k < MESHES; k++) {
            n[k] = meshes[k];
            if (!measure(v, w, &kinds[kind], meshes[k], mode)) return;
            for (int i = 0; i < MODES; i++)
                error[kind * MODES + i][k] = fabs(mode[i] / expected[i] - 1);
        }
        for (int i = 0; i < MODES; i++) {
            const double *e = error[kind * MODES + i];
            validation_row(v, name, validation_text(v, "frequency %d, N = 64", i + 1), mode[i],
                           expected[i], w->tolerance[kind] * expected[i]);
            if (w->order[kind] > 0)
                validation_row_above(v, name, validation_text(v, "order of frequency %d", i + 1),
                                     fit_order(MESHES - w->first, n + w->first, e + w->first),
                                     w->order[kind] - 0.4);
            s[kind * MODES + i] =
                (plot_series){validation_text(v, "%s, mode %d", kinds[kind].name, i + 1),
                              MESHES - w->first, n + w->first, e + w->first, PLOT_BOTH};
        }
    }
    validation_plot(v, &(plot){validation_text(v, "Relative error of the frequencies: %s", w->name),
                               "elements", "|ω/ω_exact − 1|", true, true, KINDS * MODES, s});
}

/* ---- the four systems ------------------------------------------------------------------------ */

/* The reference has no rotary inertia; a chain needs some. */
static const double little = 1e-10;

static cord_status make_beam(const chain_kind *kind, int elements, rod *r)
{
    rod_plan p = rod_plan_unit(1, 1);
    p.strand.section.rotary_inertia = little;
    chain_of(&p, kind, elements, elements);
    cord_status status = chain_make(&p, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

/* GJ = rotary inertia = 1, so ω = (k − 1/2)π; bending is stiff enough to lie far above. */
static cord_status make_torsion(const chain_kind *kind, int elements, rod *r)
{
    rod_plan p = rod_plan_unit(1, 1);
    p.strand.twist_mode = CORD_TWIST_DYNAMIC;
    p.strand.section.rotary_inertia = 1;
    p.strand.section.bending[0] = p.strand.section.bending[1] = 1e6;
    chain_of(&p, kind, elements, elements);
    cord_status status = chain_make(&p, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

/* A motion that nothing resists has a frequency of zero, and rounding may make its square negative:
 * a spring at the base, too weak to matter, holds the rod. */
static cord_status hold_softly(rod *r, bool place, double stiffness)
{
    cord_point_def end = cord_point_def_default(), still = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint constraint;
    end.source = CORD_SOURCE_STRAND;
    end.strand = r->strand;
    cord_status status = cord_world_add_point(r->world, &end, &def.first);
    if (status == CORD_OK)
        status = cord_point_get_pose(r->world, def.first, still.position, still.frame);
    if (status == CORD_OK) status = cord_world_add_point(r->world, &still, &def.second);
    def.compliance = 1 / stiffness;
    def.kind = CORD_ALIGN;
    if (status == CORD_OK) status = cord_world_add_constraint(r->world, &def, &constraint);
    def.kind = CORD_COINCIDE;
    if (status == CORD_OK && place) status = cord_world_add_constraint(r->world, &def, &constraint);
    return status;
}

/* g = 1, hanging from a pin. Γ = 1e9: bending raises the frequencies by about 1/√Γ, 3e-5. */
static cord_status make_hanging(const chain_kind *kind, int elements, rod *r)
{
    rod_plan p = rod_plan_unit(1, 1);
    p.world.gravity[2] = -1;
    p.direction[0] = 0, p.direction[2] = -1;
    p.strand.section.bending[0] = p.strand.section.bending[1] = 1e-9;
    p.strand.section.rotary_inertia = 1e-6;
    chain_of(&p, kind, elements, elements);
    cord_status status = chain_make(&p, r);
    if (status == CORD_OK) status = rod_pin(r, 0, NULL, NULL);
    return status == CORD_OK ? hold_softly(r, false, 1e-9) : status;
}

static cord_status join_ends(rod *r, const char *const *constraints, int count)
{
    cord_point_def end = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    end.source = CORD_SOURCE_STRAND;
    end.strand = r->strand;
    cord_status status = cord_world_add_point(r->world, &end, &def.second);
    end.s = r->length;
    if (status == CORD_OK) status = cord_world_add_point(r->world, &end, &def.first);
    for (int k = 0; k < 9; k++) def.relative_frame[k] = k % 4 == 0;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        cord_constraint constraint;
        def.kind = constraints[i];
        status = cord_world_add_constraint(r->world, &def, &constraint);
    }
    return status;
}

/* A ring of radius 1, naturally round, closed by constraints: its ends' places and frames. GJ = 2/3. */
static cord_status make_ring(const chain_kind *kind, int elements, rod *r)
{
    static const char *const constraints[] = {CORD_COINCIDE, CORD_ALIGN};
    rod_plan p = rod_plan_unit(1, 2 * pi);
    double *kappa = calloc(3 * (size_t)(elements + 1), sizeof *kappa);
    if (kappa == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i <= elements; i++) kappa[3 * i + 1] = 1;
    chain_of(&p, kind, elements, elements);
    p.strand.curvatures = kappa;
    p.strand.section.twisting = 0.66666666666666666;
    p.strand.section.rotary_inertia = little;
    cord_status status = rod_make(&p, r);
    free(kappa);
    if (status == CORD_OK) status = join_ends(r, constraints, 2);
    return status == CORD_OK ? hold_softly(r, true, 1e-7) : status;
}

void check_chain_beam_frequencies(validation *v)
{
    compare(v, &(vibration){"beam", {"clamped-free", NULL}, 2, make_beam, 0, {4, 2}, {1e-3, 1e-2}});
}

void check_chain_torsion_frequencies(validation *v)
{
    compare(
        v,
        &(vibration){
            "torsion", {"torsion clamped-free", NULL}, 1, make_torsion, 2, {2, 2}, {1e-2, 1e-2}});
}

void check_chain_hanging_frequencies(validation *v)
{
    compare(v, &(vibration){
                   "hanging", {"hanging chain", NULL}, 1, make_hanging, 1, {0, 0}, {5e-3, 5e-3}});
}

void check_chain_ring_frequencies(validation *v)
{
    compare(v, &(vibration){"ring",
                            {"ring in-plane inextensional", "ring out-of-plane C/B=0.6666"},
                            1,
                            make_ring,
                            1,
                            {4, 2},
                            {1e-4, 1e-2}});
}
