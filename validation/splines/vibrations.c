/* Small motions of splines: a clamped beam, a floating ring. */
#include "validation/csv.h"
#include "validation/fit.h"
#include "validation/splines/splines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODES = 3, MESHES = 4 };
static const double pi = 3.14159265358979323846;
static const int meshes[MESHES] = {12, 24, 48, 96};

/* Modes come in pairs; far above the round-off of a pair, far below the distance between modes.
 * Frequencies below `neutral` are rigid motions: every system here has its first above 1. */
static const double same = 1e-3, neutral = 1e-2;

typedef struct vibration {
    const char *name;
    double expected[MODES];
    cord_status (*make)(int spans, rod *r);
} vibration;

static bool measure(validation *v, const vibration *w, int spans, double mode[MODES])
{
    enum { ASKED = 2 * MODES + 3 }; /* pairs, and rigid motions in the plane */
    double omega[ASKED] = {0};
    rod r = {0};
    cord_status status = w->make(spans, &r);
    if (status == CORD_OK) status = cord_world_find_frequencies(r.world, ASKED, omega);
    bool ok = validation_ok(v, r.world, status, validation_text(v, "%s, n = %d", w->name, spans));
    rod_free(&r);
    if (ok && rod_distinct(ASKED, omega, neutral, same, MODES, mode) < MODES) {
        validation_fail(v, w->name, "fewer than three distinct frequencies");
        ok = false;
    }
    return ok;
}

/* Over meshes with at least six spans per wavelength, for errors far above the tolerance of
 * bisection. */
static double observed_order(const double *n, const double *error)
{
    int last = MESHES;
    while (last > 0 && error[last - 1] < 1e-9) last--;
    return fit_order(last - 1, n + 1, error + 1);
}

static void compare(validation *v, const vibration *w)
{
    double error[MODES][MESHES], n[MESHES], mode[MODES];
    for (int k = 0; k < MESHES; k++) {
        n[k] = meshes[k];
        if (!measure(v, w, meshes[k], mode)) return;
        for (int i = 0; i < MODES; i++) {
            error[i][k] = fabs(mode[i] / w->expected[i] - 1);
            if (meshes[k] == 24)
                validation_row(v, validation_text(v, "%s n=24", w->name),
                               validation_text(v, "frequency %d", i + 1), mode[i], w->expected[i],
                               1e-3 * w->expected[i]);
        }
    }
    plot_series s[MODES];
    for (int i = 0; i < MODES; i++) {
        double order = observed_order(n, error[i]);
        validation_row_above(v, w->name, validation_text(v, "order of frequency %d", i + 1), order,
                             3.5);
        s[i] = (plot_series){validation_text(v, "mode %d, order %.2f", i + 1, order), MESHES, n,
                             error[i], PLOT_BOTH};
    }
    validation_plot(v, &(plot){"Relative error of the frequencies", "spans", "|ω/ω_exact − 1|",
                               true, true, MODES, s});
}

/* ---- a beam ------------------------------------------------------------------------------------ */

static cord_status make_beam(int spans, rod *r)
{
    rod_plan plan = spline_plan(spans, 1);
    cord_status status = rod_make(&plan, r);
    return status == CORD_OK ? rod_clamp_first(r, NULL, NULL) : status;
}

void check_spline_beam_frequencies(validation *v)
{
    vibration w = {.name = "spline-beam-frequencies", .make = make_beam};
    csv t;
    if (!csv_open(v, "14_small_amplitude_frequencies.csv", &t)) return;
    int found = 0, system = csv_column(&t, "system"), value = csv_column(&t, "value");
    for (int i = 0; i < t.rows && found < MODES; i++)
        if (strcmp(csv_text(&t, i, system), "clamped-free") == 0)
            w.expected[found++] = pow(csv_number(&t, i, value), 2);
    csv_close(&t);
    if (found == MODES) compare(v, &w);
}

/* ---- a ring ------------------------------------------------------------------------------------ */

/* As many points as control points are constrained to the plane: only planar motions remain. */
static cord_status make_ring(int spans, rod *r)
{
    double *x = malloc(3 * (size_t)spans * sizeof *x);
    rod_plan plan = spline_plan(spans, 2 * pi);
    cord_strand_def *def = &plan.strand;
    if (!x) return CORD_ERROR_MEMORY;
    for (int i = 0; i < spans; i++) {
        double a = 2 * pi * i / spans;
        x[3 * i] = cos(a), x[3 * i + 1] = sin(a), x[3 * i + 2] = 0;
    }
    *r = (rod){.edges = spans, .vertices = spans, .length = 0.999 * plan.length}; /* on any mesh */
    def->closed = true;
    def->vertex_count = spans;
    def->positions = x;
    cord_status status = cord_world_create(&plan.world, &r->world);
    if (status == CORD_OK) status = cord_world_add_strand(r->world, def, &r->strand);
    free(x);
    const double origin[3] = {0, 0, 0}, normal[3] = {0, 0, 1};
    for (int i = 0; status == CORD_OK && i < spans; i++)
        status = rod_constrain_to_plane(r, r->length * i / spans, origin, normal, NULL);
    return status;
}

void check_spline_ring_frequencies(validation *v)
{
    vibration w = {.name = "spline-ring-frequencies", .make = make_ring};
    for (int i = 0; i < MODES; i++) {
        double k = i + 2, square = k * k;
        w.expected[i] = k * (square - 1) / sqrt(square + 1);
    }
    compare(v, &w);
}
