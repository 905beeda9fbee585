/* Changes between sticking and slipping, with bodies of very different masses. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

static cord_body moving_weight(machine *m, double mass, double x, double speed)
{
    const double velocity[3] = {0, 0, speed}, none[3] = {0, 0, 0};
    cord_body made = machine_weight(m, mass, x, -4);
    if (m->status == CORD_OK) m->status = cord_body_set_velocity(m->world, made, velocity, none);
    return made;
}

static cord_waypoint capstan(machine *m, double radius, double friction, int turns)
{
    return (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                           .point = machine_point(m, 0, 0),
                           .radius = radius,
                           .side = -1,
                           .turns = turns,
                           .friction_law = CORD_WRAP_CAPSTAN,
                           .friction = friction};
}

/* Material coordinate at the first tangent point. */
static double drawn(machine *m, cord_strand cable)
{
    cord_node_state n = {0};
    if (m->status == CORD_OK) m->status = cord_cable_get_node(m->world, cable, 1, &n);
    return n.s;
}

/* The heavier weight moves upwards at 1 m/s, and stops. */
static void check_stop(validation *v, double M, double K, cord_integrator by)
{
    const double a = 0.1, h = 2e-3;
    enum { STEPS = 250 };
    machine m = machine_make(by, gravity);
    cord_body light = moving_weight(&m, 1, -a, -1), heavy = moving_weight(&m, M, a, 1);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, light, 0, 0)},
        capstan(&m, a, log(K) / (5 * pi), 2),
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, heavy, 0, 0)}};
    cord_strand cable = machine_cable(&m, 1e-6, waypoints, 3);
    int changes = 0;
    bool slipped = true;
    double s = drawn(&m, cable), highest = -4;
    for (int k = 0; k < STEPS; k++) {
        machine_run(&m, h, 1);
        double now = drawn(&m, cable);
        bool slips = fabs(now - s) > 1e-7;
        changes += slips != slipped;
        slipped = slips, s = now;
        highest = fmax(highest, machine_height(&m, heavy));
    }
    double slows = gravity * (M - 1 / K) / (M + 1 / K), stop = 1 / slows, left = STEPS * h - stop;
    double falls = M > K ? gravity * (M - K) / (M + K) : 0;
    const char *name =
        validation_text(v, "%g kg, e^μφ = %g%s", M, K, by == CORD_MIDPOINT ? ", midpoint" : "");
    if (validation_ok(v, m.world, m.status, name)) {
        validation_row(v, name, "rise, m", highest + 4, 0.5 * stop, 2e-3 * stop);
        validation_row(v, name, "height in the end, m", machine_height(&m, heavy),
                       -4 + 0.5 * stop - 0.5 * falls * left * left, 2e-3 * stop + h * falls * left);
        validation_row_below(v, name, "changes", changes, falls > 0 ? 2 : 1);
    }
    cord_world_destroy(m.world);
}

static void check_light_wheel(validation *v, double inertia, cord_integrator by)
{
    const double r = 0.2, h = 5e-3;
    enum { PERIODS = 3, STEPS = 200 };
    machine m = machine_make(by, gravity);
    cord_body left = machine_weight(&m, 10, -r, -4), right = machine_weight(&m, 10, r, -4);
    cord_point_def def = cord_point_def_default();
    cord_load_def torque = cord_load_def_default();
    cord_point wheel = {0};
    cord_load motor = {0};
    def.source = CORD_SOURCE_FLYWHEEL, def.inertia = inertia, def.friction = 0.01;
    if (m.status == CORD_OK) m.status = cord_world_add_point(m.world, &def, &wheel);
    cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, left, 0, 0)},
        capstan(&m, r, 0.1, 0),
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, right, 0, 0)}};
    waypoints[1].rotation = wheel;
    machine_cable(&m, 1e-3, waypoints, 3);
    torque.point = wheel;
    if (m.status == CORD_OK) m.status = cord_world_add_load(m.world, &torque, &motor);
    int changes = 0;
    bool slipped = false;
    for (int k = 0; k < PERIODS * STEPS && m.status == CORD_OK; k++) {
        double u[3] = {0}, at, rate = 0;
        m.status = cord_load_set_coordinate_force(m.world, motor, 10 * sin(2 * pi * k * h));
        machine_run(&m, h, 1);
        if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, right, u, NULL);
        if (m.status == CORD_OK) m.status = cord_point_get_coordinate(m.world, wheel, &at, &rate);
        bool slips = fabs(fabs(u[2]) - r * fabs(rate)) > 0.05;
        changes += slips != slipped;
        slipped = slips;
    }
    const char *name =
        validation_text(v, "wheel of %g kg m²%s", inertia, by == CORD_MIDPOINT ? ", midpoint" : "");
    if (validation_ok(v, m.world, m.status, name))
        validation_row(v, name, "changes in three periods", changes, 4 * PERIODS, 0);
    cord_world_destroy(m.world);
}

void check_sticking(validation *v)
{
    static const double cases[][2] = {{1, 2}, {10, 20}, {10, 5}, {1e4, 1.2e4}, {1e4, 5e3}};
    for (int by = 0; by < 2; by++) {
        cord_integrator with = by ? CORD_MIDPOINT : CORD_IMPLICIT;
        for (int i = 0; i < 5; i++) check_stop(v, cases[i][0], cases[i][1], with);
        check_light_wheel(v, 4e-8, with);
        check_light_wheel(v, 4e-6, with);
    }
}
