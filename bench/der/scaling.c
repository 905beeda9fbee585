/* Time per vertex and step over the number of vertices.
 *
 * The rod has the material of the common test rod in elements of 2 cm, clamped at one end, without
 * gravity, with ripples in both transverse directions of a wavelength of twenty elements: every
 * vertex bends, rotates and stretches its edges in every step. A ripple shortens the rod and the
 * far end has to follow, which for a strong ripple takes kilonewtons at 200 m; hence the ripple is
 * weak for the implicit schemes, and sizes are compared by the time per iteration: the number of
 * iterations depends on the motion, and is listed separately. */
#include "bench/der/der.h"
#include "validation/der/schemes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 8, REPEATS = 5, WARM_UP = 5 };

static const int sizes[SIZES] = {50, 100, 200, 500, 1000, 2000, 5000, 10000};
static const double element = 0.02;       /* m */
static const double explicit_step = 5e-4; /* s: a fifth of the stable step, 2.5 ms */
static const double implicit_step = 2e-3;
static const double explicit_speed = 0.3, implicit_speed = 0.03; /* m/s, of the ripple */

/* Cost at one size: the smallest over repeats. */
typedef struct cost {
    double step;                    /* ns per vertex and step */
    double newton;                  /* ns per vertex and Newton iteration; 0: there were none */
    double iterations, projections; /* per step */
    cord_profile share;             /* of the step's time, by stage */
} cost;

static cord_status ripple(rod *r, double speed)
{
    double *v = malloc(3 * (size_t)r->vertices * sizeof *v);
    if (v == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i < r->vertices; i++) {
        double phase = 2 * 3.14159265358979323846 * i / 20, ramp = i < 20 ? i / 20.0 : 1;
        v[3 * i] = 0;
        v[3 * i + 1] = speed * ramp * sin(phase);
        v[3 * i + 2] = speed * ramp * cos(phase);
    }
    cord_status status = cord_strand_set_velocities(r->world, r->strand, v);
    free(v);
    return status;
}

static cord_status prepare(rod *r, const scheme *s, int vertices, bool flat_section)
{
    rod_plan plan = rod_plan_common(vertices - 1);
    plan.length = element * (vertices - 1);
    plan.world.gravity[2] = 0;
    plan.world.integrator = s->integrator;
    plan.world.scheme = s->scheme;
    if (flat_section) {
        plan.strand.section = (cord_section){.kind = CORD_SECTION_RECTANGLE};
        plan.strand.section.size[0] = 0.012, plan.strand.section.size[1] = 0.006;
    }
    cord_status status = rod_make(&plan, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    if (status == CORD_OK)
        status = ripple(r, s->integrator == CORD_SYMPLECTIC ? explicit_speed : implicit_speed);
    return status;
}

static cord_status advance(rod *r, double h, int steps)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < steps; i++) status = cord_world_step(r->world, h);
    return status;
}

static cord_profile share_of(const cord_profile *from, const cord_profile *to)
{
    double all = to->step - from->step;
    if (all <= 0) return (cord_profile){0};
    return (cord_profile){.step = 1,
                          .partition = (to->partition - from->partition) / all,
                          .forces = (to->forces - from->forces) / all,
                          .solve = (to->solve - from->solve) / all,
                          .project = (to->project - from->project) / all,
                          .twist = (to->twist - from->twist) / all};
}

/* Times one run of `steps` and keeps it when it is the fastest so far. */
static cord_status time_once(rod *r, double h, int steps, cost *best)
{
    cord_counters before, after;
    cord_profile from, to;
    cord_status status = cord_world_get_counters(r->world, &before);
    if (status == CORD_OK) status = cord_world_get_profile(r->world, &from);
    double start = bench_now();
    if (status == CORD_OK) status = advance(r, h, steps);
    double ns = 1e9 * (bench_now() - start) / r->vertices;
    if (status == CORD_OK) status = cord_world_get_counters(r->world, &after);
    if (status == CORD_OK) status = cord_world_get_profile(r->world, &to);
    if (status != CORD_OK || ns / steps >= best->step) return status;
    double newton = (double)(after.newton_iterations - before.newton_iterations);
    /* Post-stabilisation solves of the linearised step cost as much as its one iteration. */
    if (newton > 0) newton += (double)(after.projection_iterations - before.projection_iterations);
    best->step = ns / steps;
    best->newton = newton > 0 ? ns / newton : 0;
    best->iterations = newton / steps;
    best->projections =
        (double)(after.projection_iterations - before.projection_iterations) / steps;
    best->share = share_of(&from, &to);
    return CORD_OK;
}

static bool measure(bench *b, const scheme *s, int vertices, bool flat_section, cost *c)
{
    double h = s->integrator == CORD_SYMPLECTIC ? explicit_step : implicit_step;
    /* A run of 40,000 vertex-steps: long compared with the resolution of the clock. */
    int work = bench_quick(b) ? 10000 : 40000, steps = work / vertices + 3;
    rod r = {0};
    const char *what = bench_text(b, "%s, %d vertices", s->name, vertices);
    *c = (cost){.step = INFINITY};
    bool ok = rod_measured(b, &r, prepare(&r, s, vertices, flat_section), what) &&
              rod_measured(b, &r, advance(&r, h, WARM_UP), what);
    for (int i = 0; ok && i < REPEATS; i++)
        ok = rod_measured(b, &r, time_once(&r, h, steps, c), what);
    rod_free(&r);
    return ok;
}

static void list_stages(bench *b, const char *name, const cost *c)
{
    static const char *const stages[] = {"partition", "forces", "solve", "project", "twist"};
    const double shares[] = {c->share.partition, c->share.forces, c->share.solve, c->share.project,
                             c->share.twist};
    for (int i = 0; i < 5; i++)
        bench_row(b, name, bench_text(b, "share of %s", stages[i]), 100 * shares[i], "%");
}

static void list_cost(bench *b, const scheme *s, int vertices, const cost *c)
{
    const char *name = bench_text(b, "%s n=%d", s->name, vertices);
    bench_row(b, name, "time per vertex and step", c->step, "ns");
    if (c->newton > 0) {
        bench_row(b, name, "time per vertex and iteration", c->newton, "ns");
        bench_row(b, name, "Newton iterations per step", c->iterations, "");
    }
    if (c->projections > 0) bench_row(b, name, "projections per step", c->projections, "");
    if (vertices == 100 || vertices == 10000) list_stages(b, name, c);
}

/* Limits on the slowest size from 100 vertices on. */
static void judge(bench *b, const scheme *s, const cost *costs)
{
    bool newtons = s->integrator != CORD_SYMPLECTIC;
    double at_100 = newtons ? costs[1].newton : costs[1].step, step = 0, newton = 0;
    double at_10000 = newtons ? costs[SIZES - 1].newton : costs[SIZES - 1].step;
    for (int i = 1; i < SIZES; i++) {
        step = fmax(step, costs[i].step);
        newton = fmax(newton, costs[i].newton);
    }
    bench_bar(b, s->name, "cost per vertex, 10,000 over 100", at_10000 / at_100, "", 1.3);
    if (!newtons) {
        bench_bar(b, s->name, "slowest step, 100 to 10,000", step, "ns/vertex", 500);
        bench_row(b, s->name, "slowest step over the floor", step / floor_explicit_step(), "");
    } else {
        if (newton == 0) newton = NAN; /* without a count the limit is not met */
        if (s->integrator == CORD_IMPLICIT)
            bench_bar(b, s->name, "slowest iteration, 100 to 10,000", newton, "ns/vertex", 800);
        else
            bench_row(b, s->name, "slowest iteration, 100 to 10,000", newton, "ns/vertex");
        bench_row(b, s->name, "slowest iteration over the floor", newton / floor_newton_iteration(),
                  "");
    }
}

void bench_scaling(bench *b)
{
    for (int i = 0; i < SCHEMES; i++) {
        cost costs[SIZES];
        bool ok = true;
        for (int k = 0; ok && k < SIZES; k++) {
            ok = measure(b, &schemes[i], sizes[k], false, &costs[k]);
            if (ok) list_cost(b, &schemes[i], sizes[k], &costs[k]);
        }
        if (ok) judge(b, &schemes[i], costs);
        cost flat;
        if (ok && measure(b, &schemes[i], 1000, true, &flat)) {
            const char *name = bench_text(b, "%s n=1000, flat section", schemes[i].name);
            bench_row(b, name, "time per vertex and step", flat.step, "ns");
            if (flat.newton > 0)
                bench_row(b, name, "time per vertex and iteration", flat.newton, "ns");
        }
    }
}
