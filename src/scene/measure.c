/* Measures: one function per measure and kind of subject, and the list of them. */
#include "scene/measure.h"

#include "math/vec3.h"
#include "scene/cables.h"
#include "scene/controllers.h"
#include "scene/joints.h"
#include "world/energies.h"

#include <math.h>
#include <string.h>

/* ---- the world ---------------------------------------------------------------------------- */

static cord_status world_energy(cord_simulation *sim, const built_probe *p, double *values)
{
    (void)p;
    cord_energy energy;
    cord_status status = cord_world_get_energy(sim->world, &energy);
    if (status == CORD_OK) cord__energy_values(&energy, values);
    return status;
}

static cord_status world_momentum(cord_simulation *sim, const built_probe *p, double *values)
{
    (void)p;
    cord_momentum momentum;
    cord_status status = cord_world_get_momentum(sim->world, &momentum);
    if (status == CORD_OK) v3_copy(values, momentum.linear);
    return status;
}

static cord_status world_angular_momentum(cord_simulation *sim, const built_probe *p,
                                          double *values)
{
    (void)p;
    cord_momentum momentum;
    cord_status status = cord_world_get_momentum(sim->world, &momentum);
    if (status == CORD_OK) v3_copy(values, momentum.angular);
    return status;
}

/* ---- strands ------------------------------------------------------------------------------ */

const strand_data *cord__probe_strand(const cord_scene *scene, const probe_data *p)
{
    return ITEM(scene->data.strands, strand_data, p->strand);
}

static cord_strand strand_of(const cord_simulation *sim, const built_probe *p)
{
    return sim->strands[p->data->strand].handle;
}

static cord_status strand_position(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_strand_get_positions(sim->world, strand_of(sim, p), values);
}

static cord_status strand_velocity(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_strand_get_velocities(sim->world, strand_of(sim, p), values);
}

static cord_status strand_frame(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_strand_get_frames(sim->world, strand_of(sim, p), values);
}

static cord_status strand_angle(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_strand_get_angles(sim->world, strand_of(sim, p), values);
}

static cord_status strand_tension(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_strand_get_tensions(sim->world, strand_of(sim, p), values);
}

static cord_status strand_energy(cord_simulation *sim, const built_probe *p, double *values)
{
    cord_energy energy;
    cord_status status = cord_strand_get_energy(sim->world, strand_of(sim, p), &energy);
    if (status == CORD_OK) cord__energy_values(&energy, values);
    return status;
}

static cord_status strand_breaks(cord_simulation *sim, const built_probe *p, double *values)
{
    const cord_strand strand = strand_of(sim, p);
    int count = 0;
    cord_break last = {.s = NAN, .time = NAN};
    cord_status status = cord_strand_get_break_count(sim->world, strand, &count);
    values[3] = 0;
    for (int i = 0; status == CORD_OK && i < count; i++) {
        status = cord_strand_get_break(sim->world, strand, i, &last);
        values[3] += last.energy;
    }
    values[0] = count, values[1] = last.time, values[2] = last.s;
    return status;
}

/* Components [from, from + count) of the three that cord_strand_get_curvatures returns per vertex. */
static cord_status some_curvatures(cord_simulation *sim, const built_probe *p, int from, int count,
                                   double *values)
{
    cord_status status = cord_strand_get_curvatures(sim->world, strand_of(sim, p), p->scratch);
    if (status != CORD_OK) return status;
    for (int i = 0; i < p->items; i++) {
        memcpy(values + (size_t)(count * i), p->scratch + 3 * (size_t)i + from,
               (size_t)count * sizeof *values);
    }
    return CORD_OK;
}

static cord_status strand_curvature(cord_simulation *sim, const built_probe *p, double *values)
{
    return some_curvatures(sim, p, 0, 2, values);
}

static cord_status strand_twist(cord_simulation *sim, const built_probe *p, double *values)
{
    return some_curvatures(sim, p, 2, 1, values);
}

/* The angle between each edge and the straight line from the first vertex to the last; undefined for an edge of zero
 * length, or for coincident ends. */
static cord_status strand_deviation(cord_simulation *sim, const built_probe *p, double *values)
{
    cord_status status = cord_strand_get_positions(sim->world, strand_of(sim, p), p->scratch);
    if (status != CORD_OK) return status;
    const strand_data *s = cord__probe_strand(sim->scene, p->data);
    int vertices = s->cable ? p->items + 1 : s->line.count;
    double chord[3];
    v3_sub(chord, p->scratch + 3 * (size_t)(vertices - 1), p->scratch);
    for (int i = 0; i < p->items; i++) {
        double e[3], c[3];
        v3_sub(e, p->scratch + 3 * (size_t)((i + 1) % vertices), p->scratch + 3 * (size_t)i);
        v3_cross(c, e, chord);
        values[i] = atan2(v3_norm(c), v3_dot(e, chord));
    }
    return CORD_OK;
}

/* ---- points of a strand ------------------------------------------------------------------- */

/* A strand that grows is reported at equal distances along its present length. */
static int growing_edge(cord_simulation *sim, const built_probe *p, double *fraction)
{
    const strand_data *s = cord__probe_strand(sim->scene, p->data);
    cord_strand_info info;
    *fraction = 0;
    if (cord_strand_get_info(sim->world, strand_of(sim, p), &info) != CORD_OK) return 0;
    double along = p->data->along, edges = info.edge_count;
    double at = along < (1 - 1e-9) * s->length ? along / info.length * edges : edges;
    int edge = (int)fmin(at, edges - 1);
    *fraction = at - edge;
    return edge;
}

/* The edge of the point, and the fraction of the edge before the point. */
static int local_edge(const strand_data *s, double along, double *fraction)
{
    int edge = 0, last = cord__edge_count(&s->natural_line) - 1;
    double length = cord__edge_length(&s->natural_line, 0);
    while (edge < last && along > length) {
        along -= length;
        length = cord__edge_length(&s->natural_line, ++edge);
    }
    *fraction = fmin(along / length, 1);
    return edge;
}

/* The fragment that has the point of a probe, and its edge there. An edge of a fragment is part of one of the strand as it
 * was defined. */
static cord_status fragment_edge(cord_simulation *sim, const built_probe *p, cord_strand *on,
                                 int *edge, double *fraction)
{
    const strand_data *s = cord__probe_strand(sim->scene, p->data);
    const double along = p->data->along;
    int breaks;
    double own, ignored;
    *on = strand_of(sim, p);
    *edge = s->growth ? growing_edge(sim, p, fraction) : local_edge(s, along, fraction);
    cord_status status = cord_strand_get_break_count(sim->world, *on, &breaks);
    if (status != CORD_OK || breaks == 0) return status;
    status = cord_strand_find_fragment(sim->world, *on, along, on, &own);
    double start = along - own + 1e-9 * s->length;
    if (start < 0) start += s->length;
    const int edges = cord__edge_count(&s->natural_line);
    *edge = (*edge - local_edge(s, start, &ignored) + edges) % edges;
    return status;
}

/* Curvature and twist are defined at vertices: they are interpolated linearly between two of them. */
static cord_status local_curvatures(cord_simulation *sim, const built_probe *p, double *k)
{
    cord_strand on;
    double fraction;
    int edge;
    cord_strand_info info;
    cord_status status = fragment_edge(sim, p, &on, &edge, &fraction);
    if (status == CORD_OK) status = cord_strand_get_info(sim->world, on, &info);
    if (status == CORD_OK) status = cord_strand_get_curvatures(sim->world, on, p->scratch);
    if (status != CORD_OK) return status;
    const double *near = p->scratch + 3 * (size_t)edge;
    const double *far = p->scratch + 3 * (size_t)((edge + 1) % info.vertex_count);
    v3_scale(k, 1 - fraction, near);
    v3_axpy(k, fraction, far);
    return CORD_OK;
}

static cord_status local_curvature(cord_simulation *sim, const built_probe *p, double *values)
{
    double k[3];
    cord_status status = local_curvatures(sim, p, k);
    memcpy(values, k, 2 * sizeof *values);
    return status;
}

/* The twist of a cable is uniform: the twist angle from end to end, divided by the length. */
static cord_status cable_twist(cord_simulation *sim, cord_strand cable, double *twist)
{
    cord_strand_info info;
    cord_status status = cord_strand_get_info(sim->world, cable, &info);
    if (status == CORD_OK) status = cord_cable_get_twist(sim->world, cable, twist, NULL);
    if (status == CORD_OK) *twist /= info.length;
    return status;
}

static cord_status local_twist(cord_simulation *sim, const built_probe *p, double *values)
{
    const strand_data *s = cord__probe_strand(sim->scene, p->data);
    double k[3] = {0};
    if (s->cable) return cable_twist(sim, strand_of(sim, p), values);
    cord_status status = local_curvatures(sim, p, k);
    values[0] = k[2];
    return status;
}

/* In the segment of a cable that contains the point; the arc length of a closed one is taken modulo its length. */
static cord_status cable_tension(cord_simulation *sim, const strand_data *s, const built_probe *p,
                                 double *tension)
{
    cord_strand cable = strand_of(sim, p);
    double at;
    int count = 0, i = 1;
    cord_node_state state;
    cord_strand_info info = {0};
    cord_status status = cord__arc_in_world(sim, s, &p->data->of, p->data->along, &at);
    if (status == CORD_OK) status = cord_strand_get_info(sim->world, cable, &info);
    if (status == CORD_OK) status = cord_cable_get_node_count(sim->world, cable, &count);
    if (status == CORD_OK) status = cord_cable_get_node(sim->world, cable, 0, &state);
    if (status != CORD_OK) return status;
    if (s->cable->nodes.count > 0) at += ITEM(s->cable->nodes, node_data, 0)->s;
    if (info.closed) at -= info.length * floor((at - state.s) / info.length);
    double from = state.s, to = from;
    for (; to < at && i < count + info.closed; i++) {
        status = cord_cable_get_node(sim->world, cable, i % count, &state);
        if (status != CORD_OK) return status;
        from = to, to = i < count ? state.s : state.s + info.length;
    }
    double along = to > from ? fmin(fmax((at - from) / (to - from), 0), 1) : 0;
    return cord_cable_get_tension(sim->world, cable, i > 1 ? i - 2 : 0, along, tension);
}

static cord_status local_tension(cord_simulation *sim, const built_probe *p, double *values)
{
    double fraction;
    const strand_data *on = cord__probe_strand(sim->scene, p->data);
    if (on->cable) return cable_tension(sim, on, p, values);
    cord_strand fragment;
    int edge;
    cord_status status = fragment_edge(sim, p, &fragment, &edge, &fraction);
    if (status == CORD_OK) status = cord_strand_get_tensions(sim->world, fragment, p->scratch);
    if (status == CORD_OK) values[0] = p->scratch[edge];
    return status;
}

static cord_status local_angle(cord_simulation *sim, const built_probe *p, double *values)
{
    double fraction;
    cord_strand fragment;
    int edge;
    cord_status status = fragment_edge(sim, p, &fragment, &edge, &fraction);
    if (status == CORD_OK) status = cord_strand_get_angles(sim->world, fragment, p->scratch);
    if (status == CORD_OK) values[0] = p->scratch[edge];
    return status;
}

static cord_status local_torque(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_cable_get_twist(sim->world, strand_of(sim, p), NULL, values);
}

/* ---- waypoints of cables ------------------------------------------------------------------ */

static cord_status waypoint_tension(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_cable_get_wrap(sim->world, strand_of(sim, p), p->data->object, NULL, NULL, values,
                               values + 1);
}

static cord_status waypoint_wrap_angle(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_cable_get_wrap(sim->world, strand_of(sim, p), p->data->object, NULL, values, NULL,
                               NULL);
}

static cord_status waypoint_fleet_angle(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_cable_get_fleet_angles(sim->world, strand_of(sim, p), p->data->object, values,
                                       values + 1);
}

static cord_status waypoint_contact(cord_simulation *sim, const built_probe *p, double *values)
{
    bool contact = false;
    cord_status status = cord_cable_get_wrap(sim->world, strand_of(sim, p), p->data->object,
                                             &contact, NULL, NULL, NULL);
    values[0] = contact;
    return status;
}

static cord_status cable_changes(cord_simulation *sim, const built_probe *p, double *values)
{
    cord_cable_events c;
    cord_status status = cord_cable_get_events(sim->world, strand_of(sim, p), &c);
    if (status != CORD_OK) return status;
    values[0] = c.wraps, values[1] = c.unwraps;
    values[2] = c.wrap_energy_change, values[3] = c.unwrap_energy_change;
    values[4] = c.tightenings, values[5] = c.tightening_energy_change;
    return CORD_OK;
}

static cord_status cable_slack(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_cable_get_slack(sim->world, strand_of(sim, p), values);
}

/* ---- points ------------------------------------------------------------------------------- */

static cord_status point_position(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_point_get_pose(sim->world, p->point, values, NULL);
}

static cord_status point_velocity(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_point_get_velocity(sim->world, p->point, values);
}

static cord_status point_coordinate(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_point_get_coordinate(sim->world, p->point, values, NULL);
}

static cord_status point_rate(cord_simulation *sim, const built_probe *p, double *values)
{
    double s;
    return cord_point_get_coordinate(sim->world, p->point, &s, values);
}

static cord_status point_frame(cord_simulation *sim, const built_probe *p, double *values)
{
    double position[3];
    return cord_point_get_pose(sim->world, p->point, position, values);
}

/* ---- bodies ------------------------------------------------------------------------------- */

const body_data *cord__probe_body(const cord_scene *scene, const probe_data *p)
{
    return ITEM(scene->data.bodies, body_data, p->body);
}

static cord_body body_of(const cord_simulation *sim, const built_probe *p)
{
    return sim->bodies[p->data->body].handle;
}

static cord_status body_position(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_body_get_pose(sim->world, body_of(sim, p), values, NULL);
}

static cord_status body_frame(cord_simulation *sim, const built_probe *p, double *values)
{
    double position[3];
    return cord_body_get_pose(sim->world, body_of(sim, p), position, values);
}

static cord_status body_velocity(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_body_get_velocity(sim->world, body_of(sim, p), values, NULL);
}

static cord_status body_angular_velocity(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord_body_get_velocity(sim->world, body_of(sim, p), NULL, values);
}

static cord_status body_energy(cord_simulation *sim, const built_probe *p, double *values)
{
    cord_energy energy;
    cord_status status = cord_body_get_energy(sim->world, body_of(sim, p), &energy);
    if (status == CORD_OK) cord__energy_values(&energy, values);
    return status;
}

/* ---- constraints and clamps ----------------------------------------------------------------- */

static cord_status sum_forces(cord_simulation *sim, const built_probe *p, double *force,
                              double *torque)
{
    v3_set(force, 0, 0, 0);
    v3_set(torque, 0, 0, 0);
    for (int i = 0; i < 2 && p->constraints[i].generation; i++) {
        double f[3], t[3];
        cord_status status = cord_constraint_get_force(sim->world, p->constraints[i], f, t);
        if (status != CORD_OK) return status;
        v3_add(force, force, f);
        v3_add(torque, torque, t);
    }
    return CORD_OK;
}

static cord_status reaction_force(cord_simulation *sim, const built_probe *p, double *values)
{
    double torque[3];
    return sum_forces(sim, p, values, torque);
}

static cord_status reaction_torque(cord_simulation *sim, const built_probe *p, double *values)
{
    double force[3];
    return sum_forces(sim, p, force, values);
}

static cord_status constraint_residual(cord_simulation *sim, const built_probe *p, double *values)
{
    for (int i = 0; i < 2 && p->constraints[i].generation; i++) {
        int rows = 0;
        cord_status status =
            cord_constraint_get_residual(sim->world, p->constraints[i], &rows, values);
        if (status != CORD_OK) return status;
        values += rows;
    }
    return CORD_OK;
}

static cord_status friction_power(cord_simulation *sim, const built_probe *p, double *values)
{
    values[0] = 0;
    for (int i = 0; i < 2 && p->constraints[i].generation; i++) {
        double power;
        cord_status status =
            cord_constraint_get_friction(sim->world, p->constraints[i], NULL, NULL, &power);
        if (status != CORD_OK) return status;
        values[0] += power;
    }
    return CORD_OK;
}

static cord_status constraint_attached(cord_simulation *sim, const built_probe *p, double *values)
{
    bool attached = false;
    cord_status status = cord_constraint_get_attached(sim->world, p->constraints[0], &attached);
    values[0] = attached;
    return status;
}

/* ---- joints and controllers --------------------------------------------------------------- */

/* The row on coordinates: the force along the coordinate of the first point. */
static cord_status row_drive(cord_simulation *sim, cord_constraint row, double *values)
{
    double force[3] = {0, 0, 0}, torque[3];
    cord_status status =
        row.index ? cord_constraint_get_force(sim->world, row, force, torque) : CORD_OK;
    values[0] = force[0];
    return status;
}

static cord_status constraint_drive(cord_simulation *sim, const built_probe *p, double *values)
{
    return row_drive(sim, p->constraints[0], values);
}

/* The force of a gear, or of a motor along the coordinate: that of the constraint that drives it, or a load. */
static cord_status joint_drive(cord_simulation *sim, const built_probe *p, double *values)
{
    const built_joint *j = &sim->joints[p->data->object];
    cord_constraint row = j->data->kind == JOINT_GEAR ? j->constraints[0] : j->motor;
    cord_status status = row_drive(sim, row, values);
    if (j->effort.count > 0)
        values[0] += cord__keys_value(&j->effort, cord_world_get_time(sim->world));
    return status;
}

static cord_status controller_output(cord_simulation *sim, const built_probe *p, double *values)
{
    return cord__controller_output(sim, p->data->object, values);
}

/* ---- the list ----------------------------------------------------------------------------- */

static const char *const xyz[] = {"x", "y", "z"};
static const char *const frame_columns[] = {"tx", "ty", "tz", "ax", "ay", "az", "bx", "by", "bz"};
static const char *const slide_columns[] = {"s"}, *const rate_columns[] = {"rate"};
static const char *const drive_columns[] = {"drive"}, *const output_columns[] = {"output"};
static const char *const curvature_columns[] = {"first", "second"};
static const char *const twist_columns[] = {"twist"}, *const angle_columns[] = {"angle"};
static const char *const waypoint_columns[] = {"before", "after"}, *const wrap_columns[] = {
                                                                       "angle"};
static const char *const fleet_columns[] = {"entering", "leaving"};
static const char *const contact_columns[] = {"contact"}, *const torque_columns[] = {"torque"};
static const char *const slack_columns[] = {"slack"};
static const char *const break_columns[] = {"count", "time", "s", "energy"};
static const char *const count_columns[] = {"contacts"}, *const gap_columns[] = {"gap"};
static const char *const changes_columns[] = {"wraps",         "unwraps",     "wrap_energy",
                                              "unwrap_energy", "tightenings", "tightening_energy"};
static const char *const power_columns[] = {"power"}, *const attached_columns[] = {"attached"};
static const char *const tension_columns[] = {"tension"}, *const row_columns[] = {"g"};

static const measure_ops measures[] = {
    {MEASURE_ENERGY, SUBJECT_WORLD, PER_SUBJECT, ENERGY_COUNT, cord__energy_names, "J",
     world_energy},
    {MEASURE_MOMENTUM, SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m/s", world_momentum},
    {MEASURE_ANGULAR_MOMENTUM, SUBJECT_WORLD, PER_SUBJECT, 3, xyz, "kg m^2/s",
     world_angular_momentum},

    {MEASURE_POSITION, SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m", strand_position},
    {MEASURE_VELOCITY, SUBJECT_STRAND, PER_VERTEX, 3, xyz, "m/s", strand_velocity},
    {MEASURE_FRAME, SUBJECT_STRAND, PER_EDGE, 9, frame_columns, "", strand_frame},
    {MEASURE_ANGLE, SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_angle},
    {MEASURE_DEVIATION, SUBJECT_STRAND, PER_EDGE, 1, angle_columns, "rad", strand_deviation},
    {MEASURE_CURVATURE, SUBJECT_STRAND, PER_VERTEX, 2, curvature_columns, "1/m", strand_curvature},
    {MEASURE_TWIST, SUBJECT_STRAND, PER_VERTEX, 1, twist_columns, "rad/m", strand_twist},
    {MEASURE_TENSION, SUBJECT_STRAND, PER_EDGE, 1, tension_columns, "N", strand_tension},
    {MEASURE_ENERGY, SUBJECT_STRAND, PER_SUBJECT, ENERGY_COUNT, cord__energy_names, "J",
     strand_energy},
    {MEASURE_TOPOLOGY_CHANGES, SUBJECT_STRAND, PER_SUBJECT, 6, changes_columns, "J", cable_changes},
    {MEASURE_SLACK, SUBJECT_STRAND, PER_SUBJECT, 1, slack_columns, "m", cable_slack},
    {MEASURE_BREAKS, SUBJECT_STRAND, PER_SUBJECT, 4, break_columns, "", strand_breaks},

    {MEASURE_ANGLE, SUBJECT_STRAND_POINT, PER_SUBJECT, 1, angle_columns, "rad", local_angle},
    {MEASURE_CURVATURE, SUBJECT_STRAND_POINT, PER_SUBJECT, 2, curvature_columns, "1/m",
     local_curvature},
    {MEASURE_TWIST, SUBJECT_STRAND_POINT, PER_SUBJECT, 1, twist_columns, "rad/m", local_twist},
    {MEASURE_TENSION, SUBJECT_STRAND_POINT, PER_SUBJECT, 1, tension_columns, "N", local_tension},
    {MEASURE_TORQUE, SUBJECT_STRAND_POINT, PER_SUBJECT, 1, torque_columns, "N m", local_torque},
    {MEASURE_POSITION, SUBJECT_STRAND_POINT, PER_SUBJECT, 3, xyz, "m", point_position},
    {MEASURE_VELOCITY, SUBJECT_STRAND_POINT, PER_SUBJECT, 3, xyz, "m/s", point_velocity},
    {MEASURE_FRAME, SUBJECT_STRAND_POINT, PER_SUBJECT, 9, frame_columns, "", point_frame},

    {MEASURE_POSITION, SUBJECT_POINT, PER_SUBJECT, 3, xyz, "m", point_position},
    {MEASURE_VELOCITY, SUBJECT_POINT, PER_SUBJECT, 3, xyz, "m/s", point_velocity},
    {MEASURE_FRAME, SUBJECT_POINT, PER_SUBJECT, 9, frame_columns, "", point_frame},
    {MEASURE_COORDINATE, SUBJECT_POINT, PER_SUBJECT, 1, slide_columns, "m", point_coordinate},
    {MEASURE_RATE, SUBJECT_POINT, PER_SUBJECT, 1, rate_columns, "m/s", point_rate},

    {MEASURE_POSITION, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "m", body_position},
    {MEASURE_VELOCITY, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "m/s", body_velocity},
    {MEASURE_FRAME, SUBJECT_BODY, PER_SUBJECT, 9, frame_columns, "", body_frame},
    {MEASURE_ANGULAR_VELOCITY, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "rad/s", body_angular_velocity},
    {MEASURE_ENERGY, SUBJECT_BODY, PER_SUBJECT, ENERGY_COUNT, cord__energy_names, "J", body_energy},
    {MEASURE_FORCE, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "N", reaction_force},
    {MEASURE_TORQUE, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "N m", reaction_torque},

    {MEASURE_FORCE, SUBJECT_CONSTRAINT, PER_SUBJECT, 3, xyz, "N", reaction_force},
    {MEASURE_TORQUE, SUBJECT_CONSTRAINT, PER_SUBJECT, 3, xyz, "N m", reaction_torque},
    {MEASURE_DRIVE, SUBJECT_CONSTRAINT, PER_SUBJECT, 1, drive_columns, "N", constraint_drive},
    {MEASURE_RESIDUAL, SUBJECT_CONSTRAINT, PER_ROW, 1, row_columns, NULL, constraint_residual},
    {MEASURE_FRICTION_POWER, SUBJECT_CONSTRAINT, PER_SUBJECT, 1, power_columns, "W",
     friction_power},
    {MEASURE_ATTACHED, SUBJECT_CONSTRAINT, PER_SUBJECT, 1, attached_columns, "",
     constraint_attached},
    {MEASURE_FORCE, SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N", reaction_force},
    {MEASURE_TORQUE, SUBJECT_CLAMP, PER_SUBJECT, 3, xyz, "N m", reaction_torque},
    {MEASURE_RESIDUAL, SUBJECT_CLAMP, PER_ROW, 1, row_columns, NULL, constraint_residual},

    {MEASURE_COORDINATE, SUBJECT_JOINT, PER_SUBJECT, 1, slide_columns, "m", point_coordinate},
    {MEASURE_RATE, SUBJECT_JOINT, PER_SUBJECT, 1, rate_columns, "m/s", point_rate},
    {MEASURE_ANGLE, SUBJECT_JOINT, PER_SUBJECT, 1, angle_columns, "rad", point_coordinate},
    {MEASURE_FORCE, SUBJECT_JOINT, PER_SUBJECT, 3, xyz, "N", reaction_force},
    {MEASURE_TORQUE, SUBJECT_JOINT, PER_SUBJECT, 3, xyz, "N m", reaction_torque},
    {MEASURE_DRIVE, SUBJECT_JOINT, PER_SUBJECT, 1, drive_columns, "N", joint_drive},
    {MEASURE_RESIDUAL, SUBJECT_JOINT, PER_ROW, 1, row_columns, NULL, constraint_residual},
    {MEASURE_TENSION, SUBJECT_WAYPOINT, PER_SUBJECT, 2, waypoint_columns, "N", waypoint_tension},
    {MEASURE_WRAP_ANGLE, SUBJECT_WAYPOINT, PER_SUBJECT, 1, wrap_columns, "rad",
     waypoint_wrap_angle},
    {MEASURE_FLEET_ANGLE, SUBJECT_WAYPOINT, PER_SUBJECT, 2, fleet_columns, "rad",
     waypoint_fleet_angle},
    {MEASURE_CONTACT, SUBJECT_WAYPOINT, PER_SUBJECT, 1, contact_columns, "", waypoint_contact},
    {MEASURE_OUTPUT, SUBJECT_CONTROLLER, PER_SUBJECT, 1, output_columns, NULL, controller_output},

    {MEASURE_POSITION, SUBJECT_OBSTACLE, PER_SUBJECT, 3, xyz, "m", cord__measure_obstacle_position},
    {MEASURE_CONTACT_FORCE, SUBJECT_STRAND, PER_SUBJECT, 3, xyz, "N", cord__measure_contact_force},
    {MEASURE_CONTACT_FORCE, SUBJECT_BODY, PER_SUBJECT, 3, xyz, "N", cord__measure_contact_force},
    {MEASURE_CONTACT_FORCE, SUBJECT_OBSTACLE, PER_SUBJECT, 3, xyz, "N",
     cord__measure_contact_force},
    {MEASURE_CONTACT_COUNT, SUBJECT_WORLD, PER_SUBJECT, 1, count_columns, "",
     cord__measure_contact_count},
    {MEASURE_CONTACT_COUNT, SUBJECT_STRAND, PER_SUBJECT, 1, count_columns, "",
     cord__measure_contact_count},
    {MEASURE_CONTACT_COUNT, SUBJECT_BODY, PER_SUBJECT, 1, count_columns, "",
     cord__measure_contact_count},
    {MEASURE_CONTACT_COUNT, SUBJECT_OBSTACLE, PER_SUBJECT, 1, count_columns, "",
     cord__measure_contact_count},
    {MEASURE_LEAST_GAP, SUBJECT_WORLD, PER_SUBJECT, 1, gap_columns, "m", cord__measure_least_gap},
    {MEASURE_LEAST_GAP, SUBJECT_STRAND, PER_SUBJECT, 1, gap_columns, "m", cord__measure_least_gap},
    {MEASURE_LEAST_GAP, SUBJECT_BODY, PER_SUBJECT, 1, gap_columns, "m", cord__measure_least_gap},
    {MEASURE_LEAST_GAP, SUBJECT_OBSTACLE, PER_SUBJECT, 1, gap_columns, "m",
     cord__measure_least_gap},
};

enum { MEASURE_COUNT = sizeof measures / sizeof measures[0] };

const choice cord__measures[] = {
    {"position", MEASURE_POSITION, "the position"},
    {"velocity", MEASURE_VELOCITY, "the velocity; of a body: of its center of mass"},
    {"angular-velocity", MEASURE_ANGULAR_VELOCITY, "of a body, in world axes"},
    {"frame", MEASURE_FRAME, "tangent and directors; of a body: its axes"},
    {"coordinate", MEASURE_COORDINATE,
     "of a named point: its arc length on its strand or path, or its revolute or prismatic "
     "coordinate; of a "
     "joint: its coordinate (cylindrical: the prismatic one)"},
    {"rate", MEASURE_RATE, "the time derivative of the coordinate"},
    {"angle", MEASURE_ANGLE,
     "of the material frame relative to the Bishop frame; of a joint with an axis: its rotation"},
    {"deviation", MEASURE_DEVIATION, "angle between a strand and the line from end to end"},
    {"curvature", MEASURE_CURVATURE, "about the first and the second director"},
    {"twist", MEASURE_TWIST, "per length"},
    {"tension", MEASURE_TENSION,
     "axial force, positive in tension; of a waypoint of a cable: before and after it"},
    {"wrap-angle", MEASURE_WRAP_ANGLE,
     "of a waypoint of a cable: the angle over which it lies on the pulley"},
    {"fleet-angle", MEASURE_FLEET_ANGLE,
     "of a pulley or a drum of a cable: the angles between its plane and the cable before and "
     "after "
     "it, positive towards the tip of its axis"},
    {"contact", MEASURE_CONTACT,
     "of a waypoint of a cable: 1 while it is in contact with the pulley, else 0"},
    {"breaks", MEASURE_BREAKS,
     "of a strand: how often it broke; the time, s, and the coordinate on the strand as it was "
     "defined, m, of the last break; the elastic energy that all of them lost, J"},
    {"topology-changes", MEASURE_TOPOLOGY_CHANGES,
     "of a cable: how often it wrapped a waypoint, and unwrapped one or changed its nodes "
     "otherwise; the "
     "change of energy of either, J; and how often it became taut, and the energy lost by that"},
    {"slack", MEASURE_SLACK,
     "of a cable: the length by which its slack spans exceed the distances that they bridge"},
    {"force", MEASURE_FORCE,
     "of a constraint or clamp, on its first point, in world axes; of a joint: of its bearings, "
     "without motor, "
     "spring and limits; of a body: of its clamp"},
    {"torque", MEASURE_TORQUE, "likewise; of a point of a cable with `twisting`: about the cable"},
    {"drive", MEASURE_DRIVE,
     "along a coordinate, the force or torque of a joint's motor; of a gear, and of a constraint "
     "slide, "
     "on its first"},
    {"output", MEASURE_OUTPUT, "of a controller, in the unit of its output"},
    {"residual", MEASURE_RESIDUAL, "of a constraint or clamp: its violation"},
    {"friction-power", MEASURE_FRICTION_POWER,
     "of a constraint: the power dissipated by its friction"},
    {"attached", MEASURE_ATTACHED,
     "of a constraint: 1 while it is attached, 0 while it is released"},
    {"energy", MEASURE_ENERGY, "by kind, and in total"},
    {"momentum", MEASURE_MOMENTUM, "total"},
    {"angular-momentum", MEASURE_ANGULAR_MOMENTUM, "total, about the origin"},
    {"contact-force", MEASURE_CONTACT_FORCE,
     "on a strand, a body or an obstacle, of its contacts with all others, or `with` some"},
    {"contact-count", MEASURE_CONTACT_COUNT, "how many contacts bear a force, likewise"},
    {"least-gap", MEASURE_LEAST_GAP,
     "the least gap of these contacts, below 0 where surfaces overlap; 0 without contacts"},
    {NULL, 0, NULL},
};

const char *cord__angle_unit(int kind)
{
    switch (kind) {
    case MEASURE_COORDINATE: return "rad";
    case MEASURE_RATE: return "rad/s";
    case MEASURE_DRIVE: return "N m";
    default: return NULL;
    }
}

const char *cord__measure_name(int kind)
{
    const choice *c = cord__measures;
    while (c->name && c->value != kind) c++;
    return c->name;
}

static const char *const subject_texts[] = {
    [SUBJECT_WORLD] = "the world",
    [SUBJECT_STRAND] = "a strand",
    [SUBJECT_POINT] = "a point",
    [SUBJECT_CONSTRAINT] = "a constraint",
    [SUBJECT_CLAMP] = "a clamp",
    [SUBJECT_STRAND_POINT] = "a point of a strand",
    [SUBJECT_BODY] = "a body",
    [SUBJECT_PATH] = "a path",
    [SUBJECT_JOINT] = "a joint",
    [SUBJECT_LOAD] = "a load",
    [SUBJECT_CONTROLLER] = "a controller",
    [SUBJECT_WAYPOINT] = "a waypoint of a cable",
    [SUBJECT_OBSTACLE] = "an obstacle",
};

const char *cord__subject_text(subject_kind subject)
{
    return subject_texts[subject];
}

const measure_ops *cord__measure_list(int *count)
{
    *count = MEASURE_COUNT;
    return measures;
}

const measure_ops *cord__find_measure(int kind, subject_kind subject)
{
    for (int i = 0; i < MEASURE_COUNT; i++) {
        if (measures[i].subject == subject && (int)measures[i].kind == kind) return &measures[i];
    }
    return NULL;
}
