#include "validation/cables/machines.h"
#include "validation/bodies/parts.h"
#include <math.h>
#include <string.h>

machine machine_make(cord_integrator integrator, double gravity)
{
    machine m = {0};
    cord_world_def def = cord_world_def_default();
    def.gravity[2] = -gravity;
    def.integrator = integrator;
    def.threads = 1;
    m.status = cord_world_create(&def, &m.world);
    return m;
}

cord_body machine_weight(machine *m, double mass, double x, double z)
{
    cord_body made = {0};
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = mass;
    def.position[0] = x, def.position[2] = z;
    if (m->status == CORD_OK) m->status = cord_world_add_body(m->world, &def, &made);
    return made;
}

void machine_guide(machine *m, cord_body body)
{
    double x[3] = {0};
    cord_point at, held;
    if (m->status == CORD_OK) m->status = cord_body_get_pose(m->world, body, x, NULL);
    if (m->status == CORD_OK) m->status = part_world_point(m->world, x, &held);
    if (m->status == CORD_OK) m->status = part_point(m->world, body, (double[]){0, 0, 0}, &at);
    if (m->status == CORD_OK)
        m->status = part_constrain(m->world, CORD_AXIS, at, held, (double[]){0, 0, 1}, NULL);
    if (m->status == CORD_OK)
        m->status = part_constrain(m->world, CORD_ALIGN, at, held, NULL, NULL);
}

static cord_point add_place(machine *m, cord_point_def *def, double x, double z)
{
    static const double upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
    cord_point made = {0};
    def->position[0] = x, def->position[2] = z;
    memcpy(def->frame, upright, sizeof upright);
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, def, &made);
    return made;
}

cord_point machine_point(machine *m, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    return add_place(m, &def, x, z);
}

cord_point machine_on(machine *m, cord_body body, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY;
    def.body = body;
    return add_place(m, &def, x, z);
}

cord_point machine_flywheel(machine *m, double inertia)
{
    cord_point made = {0};
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = inertia;
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made);
    return made;
}

cord_strand machine_cable(machine *m, double density, const cord_waypoint *waypoints, int count)
{
    cord_strand made = {0};
    cord_cable_def def = cord_cable_def_default();
    def.density = density;
    def.pushes = m->cables_push;
    def.waypoints = waypoints, def.waypoint_count = count;
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, &def, &made);
    return made;
}

void machine_run(machine *m, double h, int steps)
{
    for (int k = 0; m->status == CORD_OK && k < steps; k++)
        m->status = cord_world_step(m->world, h);
}

double machine_height(machine *m, cord_body body)
{
    double x[3] = {0};
    if (m->status == CORD_OK) m->status = cord_body_get_pose(m->world, body, x, NULL);
    return x[2];
}

double machine_revolute(machine *m, cord_point spin)
{
    double angle = 0;
    if (m->status == CORD_OK) m->status = cord_point_get_coordinate(m->world, spin, &angle, NULL);
    return angle;
}

double machine_energy(machine *m)
{
    cord_energy now = {0};
    if (m->status == CORD_OK) m->status = cord_world_get_energy(m->world, &now);
    return now.total;
}

double machine_length(machine *m, cord_strand cable)
{
    int nodes = 0;
    double length = 0;
    cord_node_state last = {0}, next = {0};
    if (m->status == CORD_OK) m->status = cord_cable_get_node_count(m->world, cable, &nodes);
    for (int i = 0; m->status == CORD_OK && i < nodes; i++, last = next) {
        m->status = cord_cable_get_node(m->world, cable, i, &next);
        if (i == 0) continue;
        double apart = 0, angle = 0;
        for (int k = 0; k < 3; k++) apart += pow(next.position[k] - last.position[k], 2);
        apart = sqrt(apart);
        if (next.guide >= 0 && next.guide == last.guide) angle = fabs(next.at[0] - last.at[0]);
        /* Chord and angle give the arc; whole turns, without a chord, do not occur. */
        length += angle > 0 ? 0.5 * angle * apart / sin(0.5 * angle) : apart;
    }
    return length;
}

double machine_chance(unsigned long long *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}
