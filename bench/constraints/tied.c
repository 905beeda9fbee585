#include "bench/constraints/constraints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tied tied_begin(const char *model)
{
    tied t = {.model = model, .young = 1e7};
    cord_world_def def = cord_world_def_default();
    def.scheme = CORD_LINEARISED;
    def.threads = 1;
    t.status = cord_world_create(&def, &t.world);
    return t;
}

cord_strand tied_rope(tied *t, int count, tied_curve curve, const void *parameters, double radius)
{
    cord_strand rope = {0};
    if (t->status != CORD_OK) return rope;
    bool spline = strcmp(t->model, CORD_MODEL_SPLINE) == 0;
    int vertices = spline ? count - 2 : count; /* a spline has a span for every edge */
    double *x = malloc(3 * (size_t)vertices * sizeof *x);
    if (!x) {
        t->status = CORD_ERROR_MEMORY;
        return rope;
    }
    for (int i = 0; i < vertices; i++) curve(parameters, (double)i / (vertices - 1), x + 3 * i);
    cord_strand_def def = cord_strand_def_default();
    def.model = t->model;
    def.vertex_count = vertices;
    def.positions = x;
    def.stretch = CORD_STRETCH_ELASTIC;
    def.material = (cord_material){.density = 1000, .young = t->young, .poisson = 0.5};
    def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = radius};
    def.damping = 1e-3;
    t->status = cord_world_add_strand(t->world, &def, &rope);
    free(x);
    return rope;
}

static void line(const void *parameters, double u, double position[3])
{
    const double *ends = parameters;
    for (int i = 0; i < 3; i++) position[i] = (1 - u) * ends[i] + u * ends[3 + i];
}

cord_strand tied_line(tied *t, int count, const double from[3], const double to[3], double radius)
{
    const double ends[6] = {from[0], from[1], from[2], to[0], to[1], to[2]};
    return tied_rope(t, count, line, ends, radius);
}

double tied_length(tied *t, cord_strand rope)
{
    cord_strand_info info = {0};
    if (t->status == CORD_OK) t->status = cord_strand_get_info(t->world, rope, &info);
    return info.length;
}

static cord_point add_point(tied *t, const cord_point_def *def)
{
    cord_point made = {0};
    if (t->status == CORD_OK) t->status = cord_world_add_point(t->world, def, &made);
    return made;
}

static cord_point on_strand(tied *t, cord_source source, cord_strand rope, double s)
{
    cord_point_def def = cord_point_def_default();
    def.source = source;
    def.strand = rope;
    def.s = s;
    return add_point(t, &def);
}

cord_point tied_on(tied *t, cord_strand rope, double s)
{
    return on_strand(t, CORD_SOURCE_STRAND, rope, s);
}

cord_point tied_sliding(tied *t, cord_strand rope, double s)
{
    return on_strand(t, CORD_SOURCE_SLIDING, rope, s);
}

cord_point tied_point(tied *t, const double position[3])
{
    cord_point_def def = cord_point_def_default();
    memcpy(def.position, position, 3 * sizeof *position);
    return add_point(t, &def);
}

void tied_constrain(tied *t, const char *kind, cord_point first, cord_point second)
{
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = kind;
    def.first = first, def.second = second;
    if (t->status == CORD_OK) t->status = cord_world_add_constraint(t->world, &def, &made);
}

void tied_pin(tied *t, cord_strand rope, double s)
{
    double position[3] = {0, 0, 0};
    cord_point p = tied_on(t, rope, s);
    if (t->status == CORD_OK) t->status = cord_point_get_pose(t->world, p, position, NULL);
    tied_constrain(t, CORD_COINCIDE, p, tied_point(t, position));
}

void tied_clamp(tied *t, cord_strand rope, double s)
{
    if (t->status == CORD_OK)
        t->status = cord_world_clamp_strand(t->world, rope, s, NULL, NULL, NULL, NULL);
}

/* Mass of a ball of 2000 kg/m³. */
cord_point tied_pearl(tied *t, cord_strand rope, double s, double radius)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_SLIDING;
    def.strand = rope;
    def.s = s;
    def.inertia = 2000 * 4.18879020478639 * radius * radius * radius;
    return add_point(t, &def);
}

cord_body tied_ball(tied *t, const double position[3], double radius)
{
    cord_body_def def = cord_body_def_default();
    cord_body body = {0};
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = radius;
    def.density = 2000;
    memcpy(def.position, position, 3 * sizeof *position);
    if (t->status == CORD_OK) t->status = cord_world_add_body(t->world, &def, &body);
    return body;
}

void tied_thread(tied *t, cord_body ball, cord_point on)
{
    cord_point_def center = cord_point_def_default();
    center.source = CORD_SOURCE_BODY;
    center.body = ball;
    tied_constrain(t, CORD_COINCIDE, on, add_point(t, &center));
}

/* ---- time -------------------------------------------------------------------------------------- */

typedef struct sums {
    double plain, crossing; /* s */
    int plain_steps, crossings;
} sums;

/* Time of reading the clock, s, subtracted because it is considerable compared with steps of tiny
 * worlds. */
static double clock_time(void)
{
    double least = INFINITY;
    for (int i = 0; i < 1000; i++) {
        double began = bench_processor_time();
        least = fmin(least, bench_processor_time() - began);
    }
    return least;
}

static void one_step(tied *t, double h, double clock, sums *sum)
{
    cord_profile before, after;
    cord_world_get_profile(t->world, &before);
    double began = bench_processor_time();
    t->status = cord_world_step(t->world, h);
    double took = bench_processor_time() - began - clock;
    cord_world_get_profile(t->world, &after);
    if (after.partition > before.partition)
        sum->crossing += took, sum->crossings++;
    else
        sum->plain += took, sum->plain_steps++;
}

void tied_time(tied *t, double h, int warm_up, int batches, int steps, tied_cost *cost)
{
    *cost = (tied_cost){.step = INFINITY};
    cord_counters first, last;
    sums all = {0};
    double clock = clock_time();
    for (int i = 0; t->status == CORD_OK && i < warm_up; i++)
        t->status = cord_world_step(t->world, h);
    if (t->status != CORD_OK) return;
    cord_world_get_counters(t->world, &first);
    for (int b = 0; b < batches; b++) {
        sums batch = {0};
        cord_profile before, after;
        cord_world_get_profile(t->world, &before);
        for (int i = 0; i < steps; i++) {
            one_step(t, h, clock, &batch);
            if (t->status != CORD_OK) return;
        }
        cord_world_get_profile(t->world, &after);
        all.crossing += batch.crossing, all.crossings += batch.crossings;
        if (batch.plain_steps == 0 || batch.plain / batch.plain_steps >= cost->step) continue;
        cost->step = batch.plain / batch.plain_steps;
        cost->forces = (after.forces - before.forces) / steps;
        cost->solve = (after.solve - before.solve) / steps;
        cost->project = (after.project - before.project) / steps;
    }
    cord_world_get_counters(t->world, &last);
    double total_steps = (double)batches * steps;
    cost->crossing = all.crossings > 0 ? all.crossing / all.crossings : NAN;
    cost->crossings = all.crossings / total_steps;
    cost->newton = (double)(last.newton_iterations - first.newton_iterations) / total_steps;
    cost->projections =
        (double)(last.projection_iterations - first.projection_iterations) / total_steps;
    cost->halvings = (double)(last.halvings - first.halvings) / total_steps;
    cost->unknowns = last.unknowns;
    cost->rows = last.rows;
}
