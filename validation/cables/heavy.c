/* Heavy ropes: the tension varies along them, and friction on a wheel depends on the tensions at the wheel. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

static double strand_tension(machine *m, cord_strand rope, int segment, double along)
{
    double tension = 0;
    if (m->status == CORD_OK)
        m->status = cord_cable_get_tension(m->world, rope, segment, along, &tension);
    return tension;
}

/* ---- at rest ------------------------------------------------------------------------------------------------------- */

/* A load on a rope of 500 m that hangs from a point, of `parts` segments: T = (M + ρ z) g at the height z above the
 * load. */
static void hang(validation *v, double load, double density, double stretching, int parts)
{
    const double length = 500;
    machine m = machine_make(CORD_IMPLICIT, gravity);
    cord_body body = machine_weight(&m, load, 0, -length);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 0, 0), .parts = parts},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, body, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope = {0};
    def.density = density;
    def.stretching = stretching, def.damping = 0.1;
    def.waypoints = waypoints, def.waypoint_count = 2;
    def.vertex_count = 101;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &rope);
    if (stretching > 0 && m.status == CORD_OK)
        m.status = cord_world_find_equilibrium(m.world, NULL, NULL);
    else
        machine_run(&m, 0.01, 3);
    double along[100] = {0}, worst = 0;
    if (m.status == CORD_OK) m.status = cord_strand_get_tensions(m.world, rope, along);
    double top = strand_tension(&m, rope, 0, 0), bottom = strand_tension(&m, rope, parts - 1, 1);
    for (int i = 0; i < 100; i++)
        worst = fmax(worst,
                     fabs(along[i] / ((load + density * (length - 5 * (i + 0.5))) * gravity) - 1));
    const char *name =
        validation_text(v, "%g kg on 500 m of %g kg/m, %s, %d part%s", load, density,
                        stretching > 0 ? "elastic" : "inextensible", parts, parts > 1 ? "s" : "");
    if (validation_ok(v, m.world, m.status, name)) {
        double whole = (load + density * length) * gravity;
        validation_row(v, name, "tension at the top, N", top, whole, 1e-9 * whole);
        validation_row(v, name, "tension at the load, N", bottom, load * gravity, 1e-9 * whole);
        validation_row_below(v, name, "error along it, relative", worst, 1e-9);
    }
    cord_world_destroy(m.world);
}

/* ---- in motion ----------------------------------------------------------------------------------------------------- */

/* A rope from one weight over a wheel of radius a at the origin to the other; friction 0: none. */
static cord_strand rope_over_wheel(machine *m, cord_body left, cord_body right, double a,
                                   double density, double friction, int parts)
{
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, left, 0, 0), .parts = parts},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(m, 0, 0),
         .radius = a,
         .side = -1,
         .friction_law = friction > 0 ? CORD_WRAP_CAPSTAN : CORD_WRAP_FRICTIONLESS,
         .friction = friction,
         .parts = parts},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, right, 0, 0)},
    };
    return machine_cable(m, density, waypoints, 3);
}

/* Atwood's machine without friction: the tension at either side of the wheel and at the weights, from the acceleration
 * of the weights and of the rope of mass `ratio` times that of the lighter weight. */
static void run(validation *v, cord_integrator by, double ratio, int parts)
{
    const double a = 0.05, depth = 5, light = 2, heavy = 3, h = 1e-3;
    const double density = ratio * light / (2 * depth + pi * a);
    machine m = machine_make(by, gravity);
    cord_body left = machine_weight(&m, light, -a, -depth),
              right = machine_weight(&m, heavy, a, -depth);
    cord_strand rope = rope_over_wheel(&m, left, right, a, density, 0, parts);
    double before = 0, after = 0;
    machine_run(&m, h, 300);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, rope, 1, NULL, NULL, &before, &after);
    double l[2] = {-machine_height(&m, left), -machine_height(&m, right)};
    double whole = light + heavy + density * (l[0] + l[1] + pi * a);
    double rise = gravity * (heavy - light + density * (l[1] - l[0])) / whole;
    double start = strand_tension(&m, rope, 0, 0), end = strand_tension(&m, rope, 2 * parts, 1);
    const char *name =
        validation_text(v, "Atwood, rope of %g times the weight, %s, %d part%s", ratio,
                        by == CORD_MIDPOINT ? "midpoint" : "tr-bdf2", parts, parts > 1 ? "s" : "");
    if (validation_ok(v, m.world, m.status, name)) {
        double scale = (by == CORD_MIDPOINT ? 1e-3 : 1e-6) * whole * gravity;
        validation_row(v, name, "before the wheel, N", before,
                       (light + density * l[0]) * (gravity + rise), scale);
        validation_row(v, name, "after the wheel, N", after,
                       (heavy + density * l[1]) * (gravity - rise), scale);
        validation_row(v, name, "at the lighter weight, N", start, light * (gravity + rise), scale);
        validation_row(v, name, "at the heavier weight, N", end, heavy * (gravity - rise), scale);
    }
    cord_world_destroy(m.world);
}

/* ---- friction ------------------------------------------------------------------------------------------------------ */

/* A sheave that does not rotate, μ = 0.3 over half a turn, with a rope of `ratio` times the lighter load on either side; the
 * heavier load makes the tensions at the sheave `tight` : 1. Its acceleration from 0.02 s to 0.1 s, m/s². */
static double traction(validation *v, cord_integrator by, double ratio, int parts, double tight,
                       double *measured, double *expected)
{
    const double a = 0.005, depth = 10, light = 100, h = 1e-3, bound = exp(0.3 * pi);
    const double rope = ratio * light, heavy = tight * (light + rope) - rope;
    machine m = machine_make(by, gravity);
    cord_body left = machine_weight(&m, light, -a, -depth),
              right = machine_weight(&m, heavy, a, -depth);
    cord_strand made = rope_over_wheel(&m, left, right, a, rope / depth, 0.3, parts);
    double before = 1, after = 0, velocity[2][3] = {{0}};
    machine_run(&m, h, 20);
    if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, right, velocity[0], NULL);
    machine_run(&m, h, 80);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, made, 1, NULL, NULL, &before, &after);
    if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, right, velocity[1], NULL);
    validation_ok(v, m.world, m.status, "a traction sheave");
    cord_world_destroy(m.world);
    *measured = after / before;
    double masses[2] = {light + rope, heavy + rope};
    *expected =
        fmax(gravity * (masses[1] - bound * masses[0]) / (masses[1] + bound * masses[0]), 0);
    return (velocity[0][2] - velocity[1][2]) / (80 * h);
}

static void hold(validation *v, cord_integrator by, double ratio, int parts)
{
    double tensions, expected;
    const char *name =
        validation_text(v, "sheave, ropes of %g times the load, %s, %d part%s", ratio,
                        by == CORD_MIDPOINT ? "midpoint" : "tr-bdf2", parts, parts > 1 ? "s" : "");
    double moved = traction(v, by, ratio, parts, 2, &tensions, &expected);
    validation_row(v, name, "ratio 2.0 of the tensions at it", tensions, 2, 1e-6);
    validation_row_below(v, name, "acceleration at 2.0, m/s²", fabs(moved), 1e-7);
    moved = traction(v, by, ratio, parts, 2.55, &tensions, &expected);
    validation_row_below(v, name, "acceleration at 2.55, m/s²", fabs(moved), 1e-7);
    moved = traction(v, by, ratio, parts, 3, &tensions, &expected);
    validation_row(v, name, "ratio when it slips", tensions, exp(0.3 * pi), 2e-3);
    validation_row(v, name, "acceleration at 3.0, m/s²", moved, expected, 3e-3 * expected);
}

void check_heavy_ropes(validation *v)
{
    static const double ratios[] = {1e-6, 1e-3, 0.1, 1, 10};
    hang(v, 1000, 5, 0, 1);
    hang(v, 1000, 5, 0, 16);
    hang(v, 1000, 5, 1e9, 1);
    for (int i = 0; i < 5; i++) {
        hang(v, 1000, ratios[i] * 1000 / 500, 0, 1);
        run(v, CORD_IMPLICIT, ratios[i], 1);
        run(v, CORD_MIDPOINT, ratios[i], 1);
        hold(v, CORD_IMPLICIT, ratios[i], 1);
        hold(v, CORD_MIDPOINT, ratios[i], 1);
        hold(v, CORD_IMPLICIT, ratios[i], 8);
    }
    run(v, CORD_IMPLICIT, 1, 8);
}

/* ---- helices ------------------------------------------------------------------------------------------------------- */

/* A rope along a helix on a post, from a weight of 1 kg to one of `heavier`: the ratio of the tensions, and the displacement in
 * 0.3 s. */
static double wind(validation *v, double azimuth, double slope, double mu, double heavier,
                   double *moved)
{
    const double a = 0.1, climb = a * azimuth * tan(slope), l = hypot(a * azimuth, climb);
    machine m = machine_make(CORD_IMPLICIT, gravity);
    const double x[2][2] = {{a, 0}, {a * cos(azimuth), a * sin(azimuth)}};
    cord_body bodies[2];
    cord_point ends[2];
    for (int k = 0; k < 2; k++) {
        cord_body_def def = cord_body_def_default();
        def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
        def.mass = k ? heavier : 1;
        def.position[0] = x[k][0], def.position[1] = x[k][1], def.position[2] = -1;
        if (m.status == CORD_OK) m.status = cord_world_add_body(m.world, &def, bodies + k);
        ends[k] = machine_on(&m, bodies[k], 0, 0);
    }
    cord_point axis = {0};
    cord_point_def upright = cord_point_def_default();
    if (m.status == CORD_OK) m.status = cord_world_add_point(m.world, &upright, &axis);
    const cord_guide guides[] = {{.kind = CORD_GUIDE_CYLINDER, .on = axis, .radius = a},
                                 {.kind = CORD_GUIDE_POINT, .on = ends[0]},
                                 {.kind = CORD_GUIDE_POINT, .on = ends[1]}};
    const cord_cable_node nodes[] = {
        {.guide = 1},
        {.guide = 0, .at = {0, 0}, .s = 1, .eulerian = true, .prescribed = true},
        {.guide = 0, .at = {azimuth, climb}, .s = 1 + l, .eulerian = true, .prescribed = true},
        {.guide = 2, .s = 2 + l + climb},
    };
    const cord_wrap wrap = {.segment = 1, .friction_law = CORD_WRAP_CAPSTAN, .friction = mu};
    cord_cable_def def = cord_cable_def_default();
    cord_strand rope = {0};
    def.density = 1e-6;
    def.guide_count = 3, def.guides = guides;
    def.node_count = 4, def.nodes = nodes;
    def.wrap_count = 1, def.wraps = &wrap;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &rope);
    machine_run(&m, 5e-3, 60);
    double tensions[2] = {strand_tension(&m, rope, 0, 1), strand_tension(&m, rope, 2, 0)};
    *moved = fabs(machine_height(&m, bodies[1]) + 1);
    bool ok = validation_ok(v, m.world, m.status, "a rope along a helix");
    cord_world_destroy(m.world);
    return ok ? tensions[1] / tensions[0] : NAN;
}

void check_helix_friction(validation *v)
{
    static const double degrees[] = {0, 10, 32, 60};
    const double mu = 0.3;
    for (int i = 0; i < 4; i++) {
        double slope = degrees[i] * pi / 180, moved, total = 4.904, azimuth = total / cos(slope),
               bound = exp(mu * total);
        const char *name =
            validation_text(v, "helix of %g°, %.4g rad of azimuth", degrees[i], azimuth);
        double ratio = wind(v, azimuth, slope, mu, 1.05 * bound, &moved);
        validation_row(v, name, "exponent over μ when it slips, rad", log(ratio) / mu, total,
                       1e-5 * total);
        validation_row_above(v, name, "moved with 5 % more, m", moved, 1e-3);
        wind(v, azimuth, slope, mu, 0.99 * bound, &moved);
        validation_row_below(v, name, "moved with 1 % less, m", moved, 1e-9);
    }
}
