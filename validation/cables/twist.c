/* Twist carried along cables: torque from end to end, holonomy against solid angles, a torsional pendulum, energy. */
#include "math/vec3.h"
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>
#include <string.h>

static const double GJ = 0.6, radius = 0.2;

static cord_strand twisted_cable(machine *m, const cord_waypoint *waypoints, int count)
{
    cord_strand made = {0};
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.05;
    def.stretching = 1e4, def.tension = 100;
    def.twisting = GJ;
    def.waypoints = waypoints, def.waypoint_count = count;
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, &def, &made);
    return made;
}

static double twist_of(machine *m, cord_strand cable)
{
    double angle = 0;
    if (m->status == CORD_OK) m->status = cord_cable_get_twist(m->world, cable, &angle, NULL);
    return angle;
}

static double length_of(machine *m, cord_strand cable)
{
    cord_strand_info info = {0};
    if (m->status == CORD_OK) m->status = cord_strand_get_info(m->world, cable, &info);
    return info.length;
}

/* ---- over two pulleys, in a plane
 * ---------------------------------------------------------------- */

typedef struct shaft {
    machine m;
    cord_body end[2];
    cord_point hub[2];
    cord_strand cable;
} shaft;

static shaft make_shaft(cord_integrator integrator)
{
    shaft s = {.m = machine_make(integrator, 0)};
    for (int i = 0; i < 2; i++) {
        s.end[i] = machine_weight(&s.m, 2, 1.2 * i, 0);
        s.hub[i] = machine_on(&s.m, s.end[i], 0, 0);
        if (s.m.status == CORD_OK)
            s.m.status = part_bearing(s.m.world, s.end[i], (double[]){0, 0, 1}, false);
    }
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = s.hub[0]},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&s.m, 0.2, 1),
         .radius = radius,
         .side = -1},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&s.m, 1, 1),
         .radius = radius,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = s.hub[1]},
    };
    s.cable = twisted_cable(&s.m, waypoints, 4);
    return s;
}

/* Prescribes the rotation of one end about z. */
static cord_constraint drive(machine *m, cord_point hub, double rate)
{
    cord_point_def def = cord_point_def_default();
    cord_constraint_def row = cord_constraint_def_default();
    cord_constraint made = {0};
    def.source = CORD_SOURCE_REVOLUTE;
    def.measured = hub;
    memcpy(def.direction, (double[]){0, 0, 1}, sizeof def.direction);
    row.kind = CORD_SLIDE;
    row.drive_rate[0] = rate;
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &row.first);
    if (m->status == CORD_OK) m->status = cord_world_add_constraint(m->world, &row, &made);
    return made;
}

static void turn_one_end(validation *v)
{
    shaft s = make_shaft(CORD_IMPLICIT);
    double length = length_of(&s.m, s.cable), worst = 0, phi = 0;
    drive(&s.m, s.hub[0], 20);
    cord_constraint held = drive(&s.m, s.hub[1], 0);
    for (int i = 1; i <= 200 && s.m.status == CORD_OK; i++) {
        double force[3] = {0};
        machine_run(&s.m, 0.01, 1);
        phi = 20 * 0.01 * i;
        if (s.m.status == CORD_OK)
            s.m.status = cord_constraint_get_force(s.m.world, held, force, NULL);
        worst = fmax(worst, fabs(fabs(force[0]) * length / (GJ * phi) - 1));
    }
    if (validation_ok(v, s.m.world, s.m.status, "torque over two pulleys"))
        validation_row_below(v, "turned 6.4 times", "relative error of the torque at the other end",
                             worst, 1e-8);
    cord_world_destroy(s.m.world);
}

static void swing(validation *v)
{
    shaft s = make_shaft(CORD_MIDPOINT);
    double length = length_of(&s.m, s.cable), inertia = 0.4 * 2 * 0.05 * 0.05, omega[4] = {0};
    double expected = sqrt(2 * GJ / (inertia * length)), nearest = 0;
    if (s.m.status == CORD_OK) s.m.status = cord_world_find_frequencies(s.m.world, 4, omega);
    for (int i = 0; i < 4; i++)
        if (fabs(omega[i] - expected) < fabs(nearest - expected)) nearest = omega[i];
    if (s.m.status == CORD_OK)
        s.m.status =
            cord_body_set_velocity(s.m.world, s.end[0], (double[]){0, 0, 0}, (double[]){0, 0, 6});
    machine_run(&s.m, 1e-3, 1);
    double start = machine_energy(&s.m), worst = 0, most = 0;
    int steps = validation_quick(v) ? 1000 : 10000;
    for (int i = 0; i < steps; i++) {
        machine_run(&s.m, 1e-3, 1);
        worst = fmax(worst, fabs(machine_energy(&s.m) - start));
        most = fmax(most, fabs(twist_of(&s.m, s.cable)));
    }
    if (validation_ok(v, s.m.world, s.m.status, "two flywheels")) {
        validation_row(v, "two flywheels", "omega, rad/s", nearest, expected, 1e-8 * expected);
        validation_row_below(v, "two flywheels", "energy off, part", worst / start, 1e-6);
        validation_row(v, "two flywheels", "twist at most, rad", most, 6 / expected, 0.01);
    }
    cord_world_destroy(s.m.world);
}

/* ---- out of the plane ---------------------------------------------------------------------------------- */

/* The solid angle of a spherical triangle [van Oosterom and Strackee 1983]. */
static double triangle(const double a[3], const double b[3], const double c[3])
{
    double cross[3];
    v3_cross(cross, b, c);
    return 2 * atan2(v3_dot(a, cross), 1 + v3_dot(a, b) + v3_dot(b, c) + v3_dot(c, a));
}

/* A body with a prescribed translation and rotation within one second. */
static cord_body moved_body(machine *m, double x, double z, const double by[3],
                            const double turn[3])
{
    static const double times[2] = {0, 1};
    cord_body body = machine_weight(m, 1, x, z);
    double way[6] = {0, 0, 0, by[0], by[1], by[2]}, turns[6] = {0, 0, 0, turn[0], turn[1], turn[2]};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){2, times, way, CORD_EASE_SMOOTH};
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_SMOOTH};
    if (m->status == CORD_OK)
        m->status = cord_world_clamp_body(m->world, body, &script, NULL, NULL, NULL);
    return body;
}

enum { NODES = 6, DIRECTIONS = NODES + 2 };

/* Directions along the cable: of the clamps, of straight segments, of the arc between nodes 2 and 3. */
static void find_directions(machine *m, cord_strand cable, cord_body wheel, double t[DIRECTIONS][3])
{
    cord_node_state node[NODES];
    double centre[3], frame[9], axis[3], arm[3];
    for (int i = 0; i < NODES && m->status == CORD_OK; i++)
        m->status = cord_cable_get_node(m->world, cable, i, node + i);
    if (m->status == CORD_OK) m->status = cord_body_get_pose(m->world, wheel, centre, frame);
    if (m->status != CORD_OK) return;
    v3_scale(axis, -1, frame + 3);
    int count = 1;
    for (int i = 0; i + 1 < NODES; i++) {
        for (int end = 0; i == 2 && end < 2; end++) {
            v3_sub(arm, node[i + end].position, centre);
            v3_cross(t[count], arm, axis); /* clockwise */
            v3_normalize(t[count], t[count]);
            count++;
        }
        if (i == 2) continue;
        v3_sub(t[count], node[i + 1].position, node[i].position);
        v3_normalize(t[count], t[count]);
        count++;
    }
}

static double area(double t[DIRECTIONS][3])
{
    double sum = 0;
    for (int i = 1; i + 1 < DIRECTIONS; i++) sum += triangle(t[0], t[i], t[i + 1]);
    return sum;
}

static void lead_out_of_plane(validation *v)
{
    machine m = machine_make(CORD_IMPLICIT, 0);
    cord_body first = moved_body(&m, 1, 0, (double[]){0.1, 0.7, 0.5}, (double[]){0, 0, 0});
    cord_body wheel = moved_body(&m, 2, 0.1, (double[]){0, -0.2, 0.3}, (double[]){0.3, 0.2, 0.5});
    cord_body third = moved_body(&m, 3, 0, (double[]){-0.2, 0.6, -0.4}, (double[]){0, 0, 0});
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 0, 0)},
        {.kind = CORD_WAYPOINT_EYELET, .point = machine_on(&m, first, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_on(&m, wheel, 0, 0),
         .radius = radius,
         .side = -1},
        {.kind = CORD_WAYPOINT_EYELET, .point = machine_on(&m, third, 0, 0)},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 4, 0)},
    };
    cord_strand cable = twisted_cable(&m, waypoints, 5);
    double t[DIRECTIONS][3] = {{0}}, plane, worst = 0, most = 0;
    find_directions(&m, cable, wheel, t);
    v3_copy(t[0], t[1]);
    v3_copy(t[DIRECTIONS - 1], t[DIRECTIONS - 2]);
    plane = area(t);
    for (int i = 0; i < 100 && m.status == CORD_OK; i++) {
        machine_run(&m, 0.01, 1);
        find_directions(&m, cable, wheel, t); /* the clamps do not move */
        worst = fmax(worst, fabs(twist_of(&m, cable) + area(t) - plane));
        most = fmax(most, fabs(area(t) - plane));
    }
    if (validation_ok(v, m.world, m.status, "led out of its plane")) {
        validation_row_below(v, "led out of its plane", "difference of twist and solid angle, rad",
                             worst, 1e-8);
        validation_row_above(v, "led out of its plane", "largest solid angle, rad", most, 0.5);
    }
    cord_world_destroy(m.world);
}

void check_twist(validation *v)
{
    turn_one_end(v);
    lead_out_of_plane(v);
    swing(v);
}
