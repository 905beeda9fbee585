/* Table 1 of the 2008 paper: the cases that need neither contact nor rigid bodies, with their
 * numbers of vertices and time steps, stage by stage. The paper gives neither masses nor (Figs. 5
 * and 8) sizes; where the step has to be stable, the mass is chosen so that it is about half of the
 * stable one. Its times are for one thread of a 2.66 GHz Core 2 Duo. */
#include "bench/der/der.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct figure {
    const char *name;
    int vertices;
    double step;                             /* s */
    double forces, twist, projection, total; /* the paper's, ms per step */
    int warm_up;                             /* steps until what the figure shows is under way */
    cord_status (*make)(const struct figure *f, rod *r);
} figure;

/* ---- the rods -------------------------------------------------------------------------------- */

/* Fig. 5: a V of two unit arms with an oblong section, one end clamped, the other turned by a turn
 * each second. */
static cord_status make_v(const figure *f, rod *r)
{
    int edges = f->vertices - 1;
    double *x = malloc(3 * (size_t)f->vertices * sizeof *x);
    if (x == NULL) return CORD_ERROR_MEMORY;
    const double slope = sqrt(0.5), size = 2.0 / edges;
    for (int i = 0; i <= edges; i++) {
        x[3 * i] = slope * size * i;
        x[3 * i + 1] = 0;
        x[3 * i + 2] = -slope * size * (i < edges / 2 ? i : edges - i);
    }
    rod_plan plan = rod_plan_unit(edges, 2);
    plan.world.integrator = CORD_SYMPLECTIC;
    plan.shape = x;
    plan.strand.drag = 1;
    plan.strand.section.bending[0] = 0.1, plan.strand.section.bending[1] = 0.02;
    plan.strand.section.twisting = 0.03;
    cord_status status = rod_make(&plan, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    const double times[2] = {0, 10};
    const double turns[6] = {0, 0, 0, 20 * pi * slope, 0, 20 * pi * slope};
    cord_point_def script = cord_point_def_default();
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_LINEAR};
    if (status == CORD_OK)
        status = cord_world_clamp_strand(r->world, r->strand, r->length, &script, NULL, NULL, NULL);
    free(x);
    return status;
}

/* A little sideways motion, so that an unstable straight or flat shape is left. */
static cord_status disturb(rod *r, double speed)
{
    double *v = calloc(3 * (size_t)r->vertices, sizeof *v);
    if (v == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i < r->vertices; i++) {
        double u = 2 * pi * i / r->edges;
        v[3 * i + 2] = speed * sin(2 * u), v[3 * i + 1] = speed * sin(3 * u) * sin(u);
    }
    cord_status status = cord_strand_set_velocities(r->world, r->strand, v);
    free(v);
    return status;
}

/* Fig. 7: 27 turns between clamps, brought together by 0.3 in two seconds. */
static cord_status make_localized(const figure *f, rod *r)
{
    int edges = f->vertices - 1;
    double *twist = malloc((size_t)edges * sizeof *twist);
    if (twist == NULL) return CORD_ERROR_MEMORY;
    for (int i = 0; i < edges; i++) twist[i] = 54 * pi * i / (edges - 1);
    rod_plan plan = rod_plan_unit(edges, 9.29);
    plan.world.integrator = CORD_SYMPLECTIC;
    plan.strand.drag = 1;
    plan.strand.twist = twist;
    plan.strand.section.bending[0] = plan.strand.section.bending[1] = 1.345;
    plan.strand.section.twisting = 0.789;
    cord_status status = rod_make(&plan, r);
    if (status == CORD_OK) status = rod_clamp_first(r, NULL, NULL);
    const double times[2] = {0, 2}, motion[6] = {0, 0, 0, -0.3, 0, 0};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){2, times, motion, CORD_EASE_SMOOTH};
    if (status == CORD_OK)
        status = cord_world_clamp_strand(r->world, r->strand, r->length, &script, NULL, NULL, NULL);
    if (status == CORD_OK) status = disturb(r, 0.01);
    free(twist);
    return status;
}

/* Fig. 8: a ring of radius 1 with α = β = 1 and a fifth more than the critical twist. */
static cord_status make_ring(const figure *f, rod *r)
{
    rod_plan plan = rod_plan_unit(f->vertices, 2 * pi);
    plan.world.integrator = CORD_SYMPLECTIC;
    plan.ring = true;
    plan.strand.closing_twist = 1.2 * 2 * pi * sqrt(3);
    plan.strand.section.mass = 500; /* ½ℓ²√(ρS/EI) = 0.1 s */
    cord_status status = rod_make(&plan, r);
    return status == CORD_OK ? disturb(r, 1e-3) : status;
}

static const figure figures[] = {
    {"fig5 v-shape", 49, 1e-3, 0.025, 0.021, 0.12, 0.18, 500, make_v},
    {"fig7 localized", 75, 2e-3, 0.043, 0.1, 0.2, 0.34, 1000, make_localized},
    {"fig8 ring", 67, 50e-3, 0.039, 0.096, 0.28, 0.42, 200, make_ring},
};

/* ---- timing ---------------------------------------------------------------------------------- */

typedef struct stages {
    double forces, twist, projection, total; /* ms per step */
    double iterations;                       /* of the projection, per step */
} stages;

static cord_status advance(rod *r, double h, int steps)
{
    cord_status status = CORD_OK;
    for (int i = 0; status == CORD_OK && i < steps; i++) status = cord_world_step(r->world, h);
    return status;
}

static cord_status time_once(rod *r, double h, int steps, stages *best)
{
    cord_profile from, to;
    cord_counters before, after;
    cord_status status = cord_world_get_profile(r->world, &from);
    if (status == CORD_OK) status = cord_world_get_counters(r->world, &before);
    double start = bench_now();
    if (status == CORD_OK) status = advance(r, h, steps);
    double total = 1e3 * (bench_now() - start) / steps;
    if (status == CORD_OK) status = cord_world_get_profile(r->world, &to);
    if (status == CORD_OK) status = cord_world_get_counters(r->world, &after);
    if (status != CORD_OK || total >= best->total) return status;
    best->total = total;
    best->forces = 1e3 * (to.forces - from.forces) / steps;
    best->twist = 1e3 * (to.twist - from.twist) / steps;
    best->projection = 1e3 * (to.project - from.project) / steps;
    best->iterations = (double)(after.projection_iterations - before.projection_iterations) / steps;
    return CORD_OK;
}

static void list_stages(bench *b, const figure *f, const stages *s)
{
    bench_row(b, f->name, "forces", s->forces, "ms/step");
    bench_row(b, f->name, "forces, in the paper", f->forces, "ms/step");
    bench_row(b, f->name, "quasistatic update", s->twist, "ms/step");
    bench_row(b, f->name, "quasistatic update, in the paper", f->twist, "ms/step");
    bench_row(b, f->name, "fast projection", s->projection, "ms/step");
    bench_row(b, f->name, "fast projection, in the paper", f->projection, "ms/step");
    bench_row(b, f->name, "projection iterations", s->iterations, "1/step");
    bench_bar(b, f->name, "total", s->total, "ms/step", f->total / 10);
    bench_row(b, f->name, "total, in the paper", f->total, "ms/step");
    bench_row(b, f->name, "paper over measured", f->total / s->total, "");
}

static void one_figure(bench *b, const figure *f)
{
    int repeats = bench_quick(b) ? 3 : 7;
    stages best = {.total = INFINITY};
    rod r = {0};
    bool ok = rod_measured(b, &r, f->make(f, &r), f->name) &&
              rod_measured(b, &r, advance(&r, f->step, f->warm_up), f->name);
    for (int i = 0; ok && i < repeats; i++)
        ok = rod_measured(b, &r, time_once(&r, f->step, 200, &best), f->name);
    rod_free(&r);
    if (ok) list_stages(b, f, &best);
}

void bench_table1(bench *b)
{
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) one_figure(b, &figures[i]);
}
