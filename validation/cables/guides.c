/* Guides: tubes with friction and without, a cone, a sheath. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

/* ---- tubes ---------------------------------------------------------------------------------- */

/* A tube from vertical up to vertical down with a number of loops; its curvature vanishes at its
 * ends. `mouth`: x of its ends; the first is at the origin. */
static cord_path make_tube(machine *m, double length, int loops, double *mouth)
{
    enum { MOST = 400, FINE = 50 };
    int parts = 60 * (1 + 2 * loops);
    double points[3 * (MOST + 1)] = {0}, turn = pi * (1 + 2 * loops);
    for (int i = 0; i < parts; i++) {
        double *x = points + 3 * i;
        x[3] = x[0], x[5] = x[2];
        for (int k = 0; k < FINE; k++) {
            double f = (i + (k + 0.5) / FINE) / parts,
                   angle = turn * (f - sin(2 * pi * f) / (2 * pi));
            x[3] += sin(angle) * length / (parts * FINE);
            x[5] += cos(angle) * length / (parts * FINE);
        }
    }
    *mouth = points[3 * parts];
    cord_path_def def = cord_path_def_default();
    cord_path made = {0};
    def.point_count = parts + 1, def.points = points;
    if (m->status == CORD_OK) m->status = cord_world_add_path(m->world, &def, &made);
    return made;
}

typedef struct pulling {
    double ratio, acceleration, way;
} pulling;

/* One kilogram at one end, more at the other. */
static pulling pull_through(validation *v, int loops, double mu, double heavier, bool reversed)
{
    const double h = 0.005;
    double mouth, rate[2][3] = {0}, force[2] = {0, 1};
    machine m = machine_make(CORD_IMPLICIT, gravity);
    cord_path tube = make_tube(&m, 0.5 * (1 + 2 * loops), loops, &mouth);
    cord_body light = machine_weight(&m, 1, reversed ? mouth : 0, -2);
    cord_body heavy = machine_weight(&m, heavier, reversed ? 0 : mouth, -2);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, light, 0, 0)},
        {.kind = CORD_WAYPOINT_TUBE,
         .path = tube,
         .reversed = reversed,
         .friction_law = CORD_WRAP_CAPSTAN,
         .friction = mu},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, heavy, 0, 0)},
    };
    cord_strand cable = machine_cable(&m, 1e-6, waypoints, 3);
    for (int part = 0; part < 2; part++) {
        machine_run(&m, h, part ? 40 : 20);
        if (m.status == CORD_OK)
            m.status = cord_body_get_velocity(m.world, heavy, rate[part], NULL);
    }
    double way = -2 - machine_height(&m, heavy);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, cable, 1, NULL, NULL, &force[0], &force[1]);
    bool ok = validation_ok(v, m.world, m.status, "a Bowden cable");
    cord_world_destroy(m.world);
    return ok ? (pulling){force[1] / force[0], (rate[0][2] - rate[1][2]) / (40 * h), way}
              : (pulling){NAN, NAN, NAN};
}

void check_bowden(validation *v)
{
    for (int loops = 0; loops < 3; loops++)
        for (int reversed = 0; reversed < 2; reversed++) {
            const double mu = 0.15;
            double growth = exp(mu * pi * (1 + 2 * loops)), more = 1.2 * growth;
            const char *name = validation_text(v, "a tube of %g turns%s", loops + 0.5,
                                               reversed ? ", from its end" : "");
            pulling slips = pull_through(v, loops, mu, more, reversed);
            pulling held = pull_through(v, loops, mu, 0.97 * growth, reversed);
            validation_row(v, name, "ratio of forces, slipping", slips.ratio, growth,
                           5e-3 * growth);
            double rate = gravity * (more - growth) / (more + growth);
            validation_row(v, name, "acceleration with 20 % more, m/s²", slips.acceleration, rate,
                           0.02 * rate);
            validation_row_below(v, name, "moved with 3 % less, m", fabs(held.way), 1e-6);
        }
}

/* ---- a chain over an arch ---------------------------------------------------------------------- */

/* Both ends hang: with x half the difference of depths, ẍ = 2g x/L for any shape of the tube. */
static void run_siphon(validation *v, cord_integrator by, bool reversed, const char *name)
{
    const double hang = 0.8, deeper = 0.05, density = 0.4, time = 0.4;
    double mouth;
    machine m = machine_make(by, gravity);
    cord_path tube = make_tube(&m, 0.9, 0, &mouth);
    cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {reversed ? mouth : 0, 0, -hang + deeper}},
        {.kind = CORD_WAYPOINT_TUBE, .path = tube, .reversed = reversed},
        {.kind = CORD_WAYPOINT_FREE, .position = {reversed ? 0 : mouth, 0, -hang - deeper}},
    };
    cord_strand chain = machine_cable(&m, density, waypoints, 3);
    cord_node_state ends[2] = {0};
    double energy = machine_energy(&m);
    machine_run(&m, 0.001, (int)round(time / 0.001));
    for (int k = 0; k < 2 && m.status == CORD_OK; k++)
        m.status = cord_cable_get_node(m.world, chain, 3 * k, ends + k);
    if (validation_ok(v, m.world, m.status, name)) {
        double length = ends[1].s - ends[0].s, rate = sqrt(2 * gravity / length);
        double x = 0.5 * (ends[0].position[2] - ends[1].position[2]);
        validation_row(v, name, "half the difference of depths after 0.4 s, m", x,
                       deeper * cosh(rate * time), 1e-4 * x);
        double speed = ends[0].velocity[2], fallen = (x * x - deeper * deeper) / length;
        validation_row(v, name, "½v² over g times the drop of the centre of mass",
                       0.5 * speed * speed / (gravity * fallen), 1, 1e-4);
        if (by == CORD_MIDPOINT)
            validation_row_below(v, name, "energy off, J", fabs(machine_energy(&m) - energy), 1e-9);
    }
    cord_world_destroy(m.world);
}

void check_siphon(validation *v)
{
    run_siphon(v, CORD_IMPLICIT, false, "from its start");
    run_siphon(v, CORD_IMPLICIT, true, "from its end");
    run_siphon(v, CORD_MIDPOINT, false, "by midpoint");
}

/* ---- geodesic on a cone ----------------------------------------------------------------------- */

/* A cone is developable: longitudes shrink by the sine of its half angle. */
static double cord_on_cone(validation *v, int parts, double *expected)
{
    const double widens = 0.6, from = 0.5, to = 0.9, longitude = 1.8, stretching = 100,
                 natural = 0.5;
    double sine = widens / hypot(1, widens), slant = hypot(1, widens), tension = NAN;
    double a = from * slant, b = to * slant;
    *expected =
        stretching * (sqrt(a * a + b * b - 2 * a * b * cos(longitude * sine)) / natural - 1);
    machine m = machine_make(CORD_IMPLICIT, 0);
    cord_guide guide = {.kind = CORD_GUIDE_SURFACE,
                        .on = machine_point(&m, 0, 0),
                        .radius = 0.3,
                        .surface = cord_surface_cone,
                        .size = {widens}};
    cord_cable_node *nodes = calloc((size_t)parts + 1, sizeof *nodes);
    cord_cable_def def = cord_cable_def_default();
    cord_strand cord = {0};
    if (!nodes) m.status = CORD_ERROR_MEMORY;
    for (int i = 0; nodes && i <= parts; i++) {
        double f = (double)i / parts;
        nodes[i] = (cord_cable_node){.at = {longitude * f, (1 - f) * from + f * to},
                                     .s = natural * f,
                                     .prescribed = i == 0 || i == parts};
    }
    def.stretching = stretching;
    def.guide_count = 1, def.guides = &guide;
    def.node_count = parts + 1, def.nodes = nodes;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &cord);
    if (m.status == CORD_OK) m.status = cord_world_find_equilibrium(m.world, NULL, NULL);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_tension(m.world, cord, parts / 2, 0.5, &tension);
    validation_ok(v, m.world, m.status, "a cord on a cone");
    cord_world_destroy(m.world);
    free(nodes);
    return tension;
}

void check_cone(validation *v)
{
    enum { CASES = 4 };
    double parts[CASES], error[CASES], expected;
    for (int i = 0; i < CASES; i++) {
        parts[i] = 4 << i;
        double tension = cord_on_cone(v, 4 << i, &expected);
        error[i] = fabs(tension / expected - 1);
        validation_row(v, validation_text(v, "%d segments", 4 << i), "tension, N", tension,
                       expected, 0.2 * expected / (parts[i] * parts[i]));
    }
    validation_row_above(v, "from 16 to 32 segments", "order of the error",
                         log2(error[2] / error[3]), 1.8);
    const plot_series s = {"tension", CASES, parts, error, PLOT_BOTH};
    validation_plot(v,
                    &(plot){"Geodesic on a cone", "segments", "relative error", true, true, 1, &s});
}

/* ---- a filament through a casing --------------------------------------------------------------------- */

/* The casing hangs on the filament, pulled by 1 kg: straight parts whose slope has the sine M/2m,
 * and a catenary between them. Returns the depth of the middle. */
static double hang_casing(validation *v, int vertices, double mass, double *expected)
{
    enum { MOST = 65 };
    const double length = 0.7, apart = 1.8, radius = 0.01;
    double slope = asin(0.5 * mass), a = 0.5 * length / tan(slope);
    double wide = 2 * a * asinh(tan(slope)), x[3 * MOST] = {0};
    *expected = 0.5 * (apart - wide) * tan(slope) + a * (1 / cos(slope) - 1);
    machine m = machine_make(CORD_IMPLICIT, gravity);
    for (int i = 0; i < vertices; i++)
        x[3 * i] = length * ((double)i / (vertices - 1) - 0.5), x[3 * i + 2] = -0.3 * *expected;
    cord_strand_def rod = cord_strand_def_default();
    cord_strand casing = {0};
    rod.vertex_count = vertices, rod.positions = x;
    rod.material = (cord_material){mass / (pi * radius * radius * length), 1e3, 0.5};
    rod.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = radius};
    if (m.status == CORD_OK) m.status = cord_world_add_strand(m.world, &rod, &casing);
    cord_waypoint waypoints[MOST + 3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, -0.5 * apart, 0)}};
    for (int i = 0; i < vertices; i++) {
        cord_point_def at = cord_point_def_default();
        at.source = CORD_SOURCE_STRAND, at.strand = casing;
        at.s = length * i / (vertices - 1);
        waypoints[1 + i].kind = CORD_WAYPOINT_EYELET;
        if (m.status == CORD_OK)
            m.status = cord_world_add_point(m.world, &at, &waypoints[1 + i].point);
    }
    cord_body weight = machine_weight(&m, 1, 0.5 * apart, -2);
    machine_guide(&m, weight);
    waypoints[vertices + 1] =
        (cord_waypoint){.kind = CORD_WAYPOINT_EYELET, .point = machine_point(&m, 0.5 * apart, 0)};
    waypoints[vertices + 2] =
        (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, weight, 0, 0)};
    machine_cable(&m, 1e-4, waypoints, vertices + 3);
    if (m.status == CORD_OK) m.status = cord_world_find_equilibrium(m.world, NULL, NULL);
    if (m.status == CORD_OK) m.status = cord_strand_get_positions(m.world, casing, x);
    bool ok = validation_ok(v, m.world, m.status, "a filament through a casing");
    cord_world_destroy(m.world);
    return ok ? -x[3 * (vertices / 2) + 2] : NAN;
}

void check_sheath(validation *v)
{
    static const double masses[] = {0.2, 1, 1.6};
    for (int i = 0; i < 3; i++)
        for (int vertices = 17; vertices <= 65; vertices = 2 * vertices - 1) {
            double expected, depth = hang_casing(v, vertices, masses[i], &expected);
            const char *name =
                validation_text(v, "a casing of %g kg, %d vertices", masses[i], vertices);
            validation_row(v, name, "depth of its middle, m", depth, expected, 2e-3 * expected);
        }
}
