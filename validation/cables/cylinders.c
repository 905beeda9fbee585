/* Routes round cylinders: geodesics, the forces along the axis, the groove of a drum, fleet angles. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;

/* A point whose axis is y, like machine_point(), at any height along it. */
static cord_point point_at(machine *m, double x, double y, double z)
{
    static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    cord_point made = {0};
    cord_point_def def = cord_point_def_default();
    def.position[0] = x, def.position[1] = y, def.position[2] = z;
    memcpy(def.frame, upright, sizeof upright);
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made);
    return made;
}

/* ---- a geodesic ------------------------------------------------------------------------------------- */

/* An elastic cord from (−a, 0, −l) over a shaft about y, with turns, to (a, d, −l). Unrolled it is straight: its length is
 * √(W² + d²), W = 2l + a(π + 2πn), and the tangent of its slope d/W everywhere. By the route, and by nodes that are
 * somewhere else at first, in equilibrium. The third axis points along −y, so that heights are negative. */
static void check_geodesic(validation *v, int turns, bool by_nodes)
{
    const double a = 0.1, l = 0.5, d = 0.3, stiff = 1000, wide = 2 * l + a * pi * (1 + 2 * turns);
    const double length = hypot(wide, d), natural = length / 1.02, slope = atan2(d, wide);
    machine m = machine_make(CORD_IMPLICIT, 0);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = point_at(&m, -a, 0, -l)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = point_at(&m, 0, 0, 0),
         .radius = a,
         .side = -1,
         .turns = turns,
         .cylinder = true},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = point_at(&m, a, d, -l)},
    };
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = waypoints[0].point},
        {.kind = CORD_GUIDE_CYLINDER, .on = waypoints[1].point, .radius = a},
        {.kind = CORD_GUIDE_POINT, .on = waypoints[2].point},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0},
        {.guide = 1, .at = {pi, -0.05}, .s = l, .eulerian = true, .tangent = -1},
        {.guide = 1,
         .at = {-2 * pi * turns, -0.27},
         .s = natural - l,
         .eulerian = true,
         .tangent = 1},
        {.guide = 2, .s = natural},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand cord = {0};
    cord_node_state in = {0}, out = {0};
    double tension[2] = {0};
    def.stretching = stiff, def.tension = 0.02 * stiff;
    if (by_nodes) {
        def.guide_count = 3, def.guides = guides, def.node_count = 4, def.nodes = nodes;
    } else {
        def.waypoint_count = 3, def.waypoints = waypoints;
    }
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &def, &cord);
    if (m.status == CORD_OK) m.status = cord_world_find_equilibrium(m.world, NULL, NULL);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, cord, 1, &in);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, cord, 2, &out);
    for (int k = 0; k < 2 && m.status == CORD_OK; k++)
        m.status = cord_cable_get_tension(m.world, cord, 2 * k, 0.5, tension + k);
    const char *name = validation_text(v, "%d and a half turn%s, %s", turns, turns ? "s" : "",
                                       by_nodes ? "from other heights" : "by its route");
    if (validation_ok(v, m.world, m.status, name)) {
        double angle = fabs(out.at[0] - in.at[0]), rise = fabs(out.at[1] - in.at[1]);
        validation_row(v, name, "slope of the helix, rad", atan2(rise, a * angle), slope, 1e-7);
        validation_row(v, name, "height of the first tangent point, m", -in.at[1], d * l / wide,
                       1e-7);
        validation_row(v, name, "tension before it, N", tension[0], 0.02 * stiff, 1e-4);
        validation_row(v, name, "tension after it, N", tension[1], 0.02 * stiff, 1e-4);
        if (!by_nodes) {
            double before = 0, after = 0;
            m.status = cord_cable_get_fleet_angles(m.world, cord, 1, &before, &after);
            validation_row(v, name, "fleet angle before, rad", before, slope, 1e-12);
            validation_row(v, name, "fleet angle after, rad", after, -slope, 1e-12);
        }
    }
    cord_world_destroy(m.world);
}

void check_geodesics(validation *v)
{
    for (int turns = 0; turns <= 8; turns += 4)
        for (int by_nodes = 0; by_nodes < 2; by_nodes++) check_geodesic(v, turns, by_nodes);
}

/* ---- the force along the axis ------------------------------------------------------------------------- */

/* A column that moves along its axis, upright, of 1 kg, and an elastic cord of the tension T half round it, from points d
 * above and e below its middle. A groove takes T (sin β₁ + sin β₂) along the axis, a smooth column nothing. */
static void push_column(validation *v, double pitch, double above, double below)
{
    const double a = 0.1, l = 1, T = 50, h = 1e-5;
    const int steps = 10;
    double rate[3] = {0}, start[3] = {0}, before = 0, after = 0;
    machine m = machine_make(CORD_IMPLICIT, 0);
    cord_body column = machine_weight(&m, 1, 0, 0);
    machine_guide(&m, column);
    cord_point_def def = cord_point_def_default();
    cord_point points[3] = {{0}};
    for (int k = 0; k < 3; k++) {
        const double x[3] = {k == 1 ? 0 : l,
                             k == 0   ? a
                             : k == 2 ? -a
                                      : 0,
                             k == 0   ? above
                             : k == 2 ? -below
                                      : 0};
        if (k == 1) def.source = CORD_SOURCE_BODY, def.body = column;
        if (k == 2) def = cord_point_def_default();
        memcpy(def.position, x, sizeof x);
        if (m.status == CORD_OK) m.status = cord_world_add_point(m.world, &def, points + k);
    }
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = points[0]},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = points[1],
         .radius = a,
         .side = 1,
         .cylinder = true,
         .pitch = pitch},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = points[2]},
    };
    cord_cable_def cable = cord_cable_def_default();
    cord_strand cord = {0};
    cable.density = 1e-4, cable.stretching = 1e3, cable.tension = T;
    cable.waypoints = waypoints, cable.waypoint_count = 3;
    if (m.status == CORD_OK) m.status = cord_world_add_cable(m.world, &cable, &cord);
    if (m.status == CORD_OK)
        m.status = cord_cable_get_fleet_angles(m.world, cord, 1, &before, &after);
    machine_run(&m, h, 1);
    if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, column, start, NULL);
    machine_run(&m, h, steps);
    if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, column, rate, NULL);
    const char *name =
        pitch != 0
            ? validation_text(v, "a groove of %g m, %g m above, %g m below", pitch, above, below)
            : validation_text(v, "smooth, %g m above, %g m below", above, below);
    if (validation_ok(v, m.world, m.status, name)) {
        double half = -0.25 * pitch; /* the heights of the tangent points, of half a turn */
        double first = atan2(above - half, l), second = atan2(-below + half, l);
        if (pitch != 0) {
            validation_row(v, name, "fleet angle before, rad", before, first, 1e-12);
            validation_row(v, name, "fleet angle after, rad", after, second, 1e-12);
        }
        double force = pitch != 0 ? T * (sin(first) + sin(second)) : 0;
        validation_row(v, name, "force along the axis, N", (rate[2] - start[2]) / (steps * h),
                       force, 2e-3 * T);
    }
    cord_world_destroy(m.world);
}

void check_axial_forces(validation *v)
{
    push_column(v, 0, 0.3, 0.1);
    push_column(v, 0.02, 0.3, 0.1);
    push_column(v, 0.02, 0.2, -0.2);
    push_column(v, -0.05, 0.1, -0.3);
}

/* ---- a hoist with a grooved drum ---------------------------------------------------------------------------- */

/* A load below the tangent point of a drum of the inertia I. A turn lays √((2πa)² + p²) of rope, k = √(a² + (p/2π)²) per
 * radian: from rest the drum has the angular acceleration m g k/(I + m k²); as it unwinds, the tangent point moves along
 * the axis by p per turn. */
static void lift(validation *v, double pitch)
{
    const double a = 0.15, mass = 20, inertia = 0.5, depth = 2, h = 1e-4,
                 k = hypot(a, pitch / (2 * pi));
    machine m = machine_make(CORD_IMPLICIT, gravity);
    cord_body load = machine_weight(&m, mass, a, -depth);
    cord_point drum = machine_flywheel(&m, inertia);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_DRUM,
         .point = point_at(&m, 0, 0, 0),
         .radius = a,
         .side = -1,
         .turns = 10,
         .pitch = pitch,
         .rotation = drum},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, load, 0, 0)}};
    cord_strand rope = machine_cable(&m, 1e-6, waypoints, 2);
    cord_node_state leaves = {0};
    double wound = 0, rate = 0, angle = 0;
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, rope, 1, &leaves);
    wound = leaves.s;
    machine_run(&m, h, 100);
    if (m.status == CORD_OK) m.status = cord_point_get_coordinate(m.world, drum, &angle, &rate);
    const char *name = validation_text(v, "a groove of %g m", pitch);
    if (validation_ok(v, m.world, m.status, name)) {
        double expected = mass * gravity * k / (inertia + mass * k * k);
        validation_row(v, name, "rope in ten turns, m", wound, 10 * 2 * pi * k, 1e-9);
        validation_row(v, name, "angular acceleration, rad/s²", fabs(rate) / (100 * h), expected,
                       1e-4 * expected);
    }
    machine_run(&m, 1e-3, 400);
    double fallen = -depth - machine_height(&m, load), turned = machine_revolute(&m, drum);
    if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, rope, 1, &leaves);
    if (validation_ok(v, m.world, m.status, name)) {
        validation_row(v, name, "rope on the drum, m", leaves.s, wound - k * fabs(turned),
                       1e-3 * fallen);
        validation_row(v, name, "way of the tangent point along the axis, m", leaves.at[1],
                       -pitch * turned / (2 * pi), 1e-3 * fabs(pitch));
    }
    cord_world_destroy(m.world);
}

void check_grooved_drum(validation *v)
{
    lift(v, 0.02);
    lift(v, -0.1);
}
