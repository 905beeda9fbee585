/* A bead on a taut string: its frequencies. */
#include "validation/fit.h"
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <math.h>
#include <string.h>

enum { MODES = 3, SIZES = 3 };
static const double length = 1, density = 0.02, tension = 5, mass = 0.01, where = 0.3;

/* Waves sin kx of a string fixed at both ends, with a mass m at a: cot ka + cot k(L − a) = (m/μ)
 * k, times sin ka sin k(L − a). */
static double characteristic(double k)
{
    return sin(k * length) -
           mass / density * k * sin(k * where * length) * sin(k * (1 - where) * length);
}

static void exact(double omega[MODES])
{
    int found = 0;
    double step = 1e-3, k = step;
    for (; found < MODES; k += step) {
        double low = k, high = k + step;
        if (characteristic(low) * characteristic(high) > 0) continue;
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (low + high);
            if (characteristic(low) * characteristic(middle) > 0)
                low = middle;
            else
                high = middle;
        }
        omega[found++] = low * sqrt(tension / density);
    }
}

/* The end is pulled along the string by its tension. A weak spring keeps the bead in place, at 0.3
 * rad/s; the other modes come in pairs, vertical and horizontal. */
static cord_status measure(validation *v, const carrier *kind, int elements, double omega[MODES])
{
    enum { SLOW = 1 };
    cord_world_def def = cord_world_def_default();
    double all[SLOW + 2 * MODES] = {0};
    def.threads = 1;
    def.gravity[2] = 0;
    rig r = rig_make(&def);
    wire_add(&r, &(wire_plan){kind, elements, {0, 0, 0}, {length, 0, 0}, density, 1e-7, 1e-2});
    wire_pin(&r, 0);
    cord_point end = rig_point(&r, 0, 1);
    cord_constraint_def rail = cord_constraint_def_default();
    rail.direction[0] = 1, rail.direction[2] = 0;
    rail.kind = CORD_AXIS, rail.first = end;
    rig_constrain(&r, &rail);
    rail.kind = CORD_ANGLE, rail.first = rig_point(&r, 0, 0); /* no rotation about its axis */
    rig_constrain(&r, &rail);
    cord_load_def pull = cord_load_def_default();
    cord_load made;
    pull.point = end;
    pull.force[0] = tension;
    if (r.status == CORD_OK) r.status = cord_world_add_load(r.world, &pull, &made);
    cord_body ball;
    cord_point p = wire_bead(&r, where * length, mass, 0, &ball);
    rig_support(&r, CORD_ALIGN, rig_on_body(&r, ball, (double[]){0, 0, 0}), (cord_point){0});
    cord_constraint_def spring = cord_constraint_def_default();
    spring.kind = CORD_SLIDE;
    spring.first = p;
    spring.compliance = 1e3;
    rig_constrain(&r, &spring);
    if (r.status == CORD_OK) r.status = cord_world_find_frequencies(r.world, SLOW + 2 * MODES, all);
    validation_ok(v, r.world, r.status,
                  validation_text(v, "%s, %d elements", kind->name, elements));
    for (int i = 0; i < MODES; i++) omega[i] = all[SLOW + 2 * i];
    cord_status status = r.status;
    rig_free(&r);
    return status;
}

/* A polygon has a corner at the bead; smooth curves must bend there, which costs an order. */
static bool has_corners(const carrier *kind)
{
    return strcmp(kind->model, CORD_MODEL_DER) == 0 || strcmp(kind->model, CORD_MODEL_SEGMENT) == 0;
}

void check_bead_on_a_string(validation *v)
{
    static const int elements[SIZES] = {20, 40, 80};
    double expected[MODES], n[SIZES] = {0}, error[STRAND_MODELS][SIZES] = {{0}};
    plot_series s[STRAND_MODELS];
    int sizes = validation_quick(v) ? SIZES - 1 : SIZES, lines = 0;
    exact(expected);
    for (int i = 0; i < STRAND_MODELS; i++) {
        double omega[MODES], *own = error[i];
        int done = 0;
        for (; done < sizes; done++) {
            if (measure(v, &carriers[i], elements[done], omega) != CORD_OK) break;
            n[done] = elements[done];
            for (int k = 0; k < MODES; k++)
                own[done] = fmax(own[done], fabs(omega[k] / expected[k] - 1));
        }
        if (done < sizes) continue;
        const char *name = carriers[i].name;
        validation_row(
            v, name, validation_text(v, "lowest frequency, %d elements, rad/s", elements[done - 1]),
            omega[0], expected[0], 1.5e-3 * expected[0] * 80 / n[done - 1]);
        validation_row_below(v, name, "error of the lowest three", own[done - 1],
                             2.5e-3 * 80 / n[done - 1]);
        validation_row(v, name, "order", fit_order(done, n, own), has_corners(&carriers[i]) ? 2 : 1,
                       0.1);
        s[lines++] = (plot_series){name, done, n, own, PLOT_BOTH};
    }
    validation_plot(v, &(plot){"A bead on a string: the lowest three frequencies", "elements",
                               "relative error", true, true, lines, s});
}
