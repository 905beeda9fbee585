/* A compound pulley with any number of pulleys. */
#include "bench/cables/cables.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double RADIUS = 0.05, HEIGHT = 2, HANGING = 1; /* m */
static const double LINE_DENSITY = 0.1;                     /* kg/m */
static const double BEAM_MASS = 1000, PULLEY_MASS = 0.1;    /* kg */
static const double SPEED = 1;                              /* m/s, of the free end */

/* x to the right, z up, the axis towards the viewer. */
static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};

static double pitch(int count)
{
    return count * 2 * RADIUS; /* neighbouring rope segments are tangent to two pulleys each */
}

static void record_status(pulley_row *m, cord_status status)
{
    if (m->status == CORD_OK) m->status = status;
}

static cord_point add_point(pulley_row *m, const cord_body *body, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    cord_point made = {0};
    if (body) def.source = CORD_SOURCE_BODY, def.body = *body;
    def.position[0] = x, def.position[2] = z;
    memcpy(def.frame, upright, sizeof upright);
    if (m->status == CORD_OK) record_status(m, cord_world_add_point(m->world, &def, &made));
    return made;
}

static cord_point add_flywheel(pulley_row *m)
{
    cord_point_def def = cord_point_def_default();
    cord_point made = {0};
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = 0.5 * PULLEY_MASS * RADIUS * RADIUS;
    if (m->status == CORD_OK) record_status(m, cord_world_add_point(m->world, &def, &made));
    return made;
}

/* Constrained to vertical translation. */
static cord_body add_beam(pulley_row *m, int count)
{
    cord_body_def def = cord_body_def_default();
    cord_body beam = {0};
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {pitch(count), 0.1, 0.1}};
    def.mass = BEAM_MASS;
    def.position[0] = 0.5 * pitch(count), def.position[2] = -HEIGHT;
    if (m->status == CORD_OK) record_status(m, cord_world_add_body(m->world, &def, &beam));
    cord_point_def in_world = cord_point_def_default();
    memcpy(in_world.position, def.position, sizeof def.position);
    cord_constraint_def guide = cord_constraint_def_default();
    cord_constraint made;
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_BODY, on.body = beam;
    if (m->status == CORD_OK) record_status(m, cord_world_add_point(m->world, &on, &guide.first));
    if (m->status == CORD_OK)
        record_status(m, cord_world_add_point(m->world, &in_world, &guide.second));
    guide.kind = CORD_ALIGN;
    if (m->status == CORD_OK) record_status(m, cord_world_add_constraint(m->world, &guide, &made));
    guide.kind = CORD_AXIS; /* the third axis */
    if (m->status == CORD_OK) record_status(m, cord_world_add_constraint(m->world, &guide, &made));
    return beam;
}

/* Effective mass at the free end: all speeds are proportional to its speed. Between pulleys k and k
 * + 1 (k = 0 at the fixed end) the rope runs at k/n of it and rises with the beam at 1/n. */
static double effective_mass(int count, double weight)
{
    double sum = BEAM_MASS / ((double)count * count) + weight + LINE_DENSITY * HANGING;
    for (int k = 0; k < count; k++) {
        double speed = (double)(k % 2 ? k + 1 : k) / count;
        sum += LINE_DENSITY * HEIGHT * speed * speed;
    }
    return sum;
}

static void add_counterweight(pulley_row *m, int count)
{
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = RADIUS};
    def.mass =
        BEAM_MASS / count + LINE_DENSITY * (HEIGHT - HANGING); /* in equilibrium with the beam */
    def.position[0] = pitch(count), def.position[2] = -HANGING;
    /* The first step distributes this momentum over all moving masses. */
    def.velocity[2] = -SPEED * effective_mass(count, def.mass) / def.mass;
    if (m->status == CORD_OK) record_status(m, cord_world_add_body(m->world, &def, &m->weight));
}

static void add_rope(pulley_row *m, int count, bool rotating, bool slackens, cord_body beam)
{
    cord_waypoint *waypoints = calloc((size_t)count + 2, sizeof *waypoints);
    if (!waypoints) {
        record_status(m, CORD_ERROR_MEMORY);
        return;
    }
    waypoints[0] = (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = add_point(m, NULL, 0, 0)};
    for (int i = 0; i < count && m->status == CORD_OK; i++) {
        bool low = i % 2 == 0;
        double x = (2 * i + 1) * RADIUS;
        waypoints[i + 1] =
            (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                            .point = low ? add_point(m, &beam, x - 0.5 * pitch(count), 0)
                                         : add_point(m, NULL, x, 0),
                            .radius = RADIUS,
                            .side = low ? 1 : -1};
        if (!rotating) continue;
        waypoints[i + 1].friction_law = CORD_WRAP_NO_SLIP;
        waypoints[i + 1].rotation = add_flywheel(m);
    }
    waypoints[count + 1] =
        (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = add_point(m, &m->weight, 0, 0)};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope;
    def.density = LINE_DENSITY;
    def.pushes = !slackens;
    def.waypoints = waypoints, def.waypoint_count = count + 2;
    if (m->status == CORD_OK) record_status(m, cord_world_add_cable(m->world, &def, &rope));
    free(waypoints);
}

pulley_row pulley_row_make(int count, bool rotating, bool slackens, cord_scheme scheme)
{
    pulley_row m = {.began = bench_processor_time()};
    cord_world_def def = cord_world_def_default();
    def.gravity[0] = def.gravity[1] = 0, def.gravity[2] = -9.81;
    def.scheme = scheme;
    def.threads = 1;
    m.status = cord_world_create(&def, &m.world);
    if (m.status != CORD_OK) return m;
    cord_body beam = add_beam(&m, count);
    add_counterweight(&m, count);
    add_rope(&m, count, rotating, slackens, beam);
    return m;
}

/* ---- timing ----------------------------------------------------------------------------------- */

/* Returns the time of a step. */
static double step_batch(pulley_row *m, double h, int steps, pulley_row_cost *least)
{
    cord_profile before, after;
    cord_world_get_profile(m->world, &before);
    double began = bench_processor_time();
    for (int i = 0; i < steps && m->status == CORD_OK; i++)
        record_status(m, cord_world_step(m->world, h));
    double took = (bench_processor_time() - began) / steps;
    cord_world_get_profile(m->world, &after);
    if (took >= least->step) return took;
    least->step = took;
    least->fill = (after.forces - before.forces) / steps;
    least->solve = (after.solve - before.solve) / steps;
    return took;
}

void pulley_row_time(pulley_row *m, double h, int warm_up, int batches, int steps,
                     pulley_row_cost *cost)
{
    cord_counters first = {0}, last = {0};
    *cost = (pulley_row_cost){.step = INFINITY};
    for (int i = 0; i < warm_up && m->status == CORD_OK; i++) {
        record_status(m, cord_world_step(m->world, h));
        if (i == 0) cost->setup = bench_processor_time() - m->began;
    }
    if (m->status == CORD_OK) cord_world_get_counters(m->world, &first);
    for (int i = 0; i < batches && m->status == CORD_OK; i++)
        cost->mean += step_batch(m, h, steps, cost) / batches;
    if (m->status != CORD_OK) return;
    cord_world_get_counters(m->world, &last);
    double total_steps = (double)batches * steps, velocity[3] = {0};
    record_status(m, cord_body_get_velocity(m->world, m->weight, velocity, NULL));
    cost->speed = fabs(velocity[2]);
    cost->newton = (double)(last.newton_iterations - first.newton_iterations) / total_steps;
    cost->projections =
        (double)(last.projection_iterations - first.projection_iterations) / total_steps;
    cost->halvings = (double)(last.halvings - first.halvings);
    cost->heap_calls = (double)(last.heap_calls - first.heap_calls);
    const sparse_ldl *f = &m->world->partition.cluster[0].factor;
    cost->unknowns = f->n;
    cost->sparsity = (2.0 * f->entries - f->n) / ((double)f->n * f->n);
    cost->fill_in = (double)(f->nonzeros + (size_t)f->n) / f->entries;
}
