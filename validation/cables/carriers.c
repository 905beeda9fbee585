/* Wheels on bodies that rotate: the flywheel has its absolute angular velocity, and motors and brakes act between it and
 * the body that carries it. */
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>
#include <string.h>

static const double gravity = 9.81, inertia = 0.01, carrier_inertia = 0.005, radius = 0.1;

typedef struct method {
    const char *name;
    cord_integrator integrator;
    cord_scheme scheme;
    bool second; /* of second order in the step; else of first */
} method;

static const method methods[] = {
    {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2, true},
    {"tr-bdf2", CORD_IMPLICIT, CORD_TR_BDF2, true},
    {"backward-euler", CORD_IMPLICIT, CORD_BACKWARD_EULER, false},
    {"linearised", CORD_IMPLICIT, CORD_LINEARISED, false},
};
enum { METHODS = sizeof methods / sizeof *methods };

static machine make(const method *by, double g)
{
    machine m = {0};
    cord_world_def def = cord_world_def_default();
    def.gravity[2] = -g;
    def.integrator = by->integrator, def.scheme = by->scheme;
    def.threads = 1;
    m.status = cord_world_create(&def, &m.world);
    return m;
}

static cord_body add_carrier(machine *m, double moment)
{
    cord_body made = {0};
    double moments[3] = {moment, moment, moment};
    if (m->status == CORD_OK)
        m->status = part_body(m->world, 1, moments, (double[]){0, 0, 0}, &made);
    return made;
}

/* A flywheel on the body, about −y. */
static cord_point add_flywheel(machine *m, cord_point bearing, double friction)
{
    cord_point made = {0};
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL;
    def.inertia = inertia;
    def.friction = friction;
    def.reference = bearing;
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made);
    return made;
}

static void hinge(machine *m, cord_body body)
{
    if (m->status == CORD_OK) m->status = part_bearing(m->world, body, (double[]){0, 1, 0}, false);
}

/* About −y, as the wheel. */
static double spin_of(machine *m, cord_body body)
{
    double linear[3] = {0}, angular[3] = {0};
    if (m->status == CORD_OK) m->status = cord_body_get_velocity(m->world, body, linear, angular);
    return -angular[1];
}

static double rate_of(machine *m, cord_point spin)
{
    double angle, rate = 0;
    if (m->status == CORD_OK) m->status = cord_point_get_coordinate(m->world, spin, &angle, &rate);
    return rate;
}

static void torque(machine *m, cord_point spin, double value)
{
    cord_load made;
    cord_load_def def = cord_load_def_default();
    def.point = spin;
    def.coordinate_force = value;
    if (m->status == CORD_OK) m->status = cord_world_add_load(m->world, &def, &made);
}

/* A drum on a carrier, and a weight of I/r² on its rope: it falls with g/2 as from a drum in the world, and the carrier
 * that is hinged about the axis of the drum without friction stays at rest. */
static void fall(validation *v, const method *by)
{
    machine m = make(by, gravity);
    cord_body carrier = add_carrier(&m, carrier_inertia);
    hinge(&m, carrier);
    cord_point bearing = machine_on(&m, carrier, 0, 0), spin = add_flywheel(&m, bearing, 0);
    cord_body load = machine_weight(&m, inertia / (radius * radius), radius, -1);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_DRUM,
         .point = bearing,
         .radius = radius,
         .side = -1,
         .turns = 5,
         .rotation = spin,
         .friction_law = CORD_WRAP_NO_SLIP},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, load, 0, 0)},
    };
    machine_cable(&m, 1e-9, waypoints, 2);
    machine_run(&m, 1e-3, 200);
    double velocity[3] = {0}, still = spin_of(&m, carrier);
    if (m.status == CORD_OK) m.status = cord_body_get_velocity(m.world, load, velocity, NULL);
    if (validation_ok(v, m.world, m.status, by->name)) {
        const char *name = validation_text(v, "carrier hinged coaxially, %s", by->name);
        validation_row(v, name, "speed of the weight after 0.2 s, m/s", -velocity[2],
                       0.5 * gravity * 0.2, 1e-6);
        validation_row_below(v, name, "rotation rate of the carrier, rad/s", fabs(still), 1e-6);
    }
    cord_world_destroy(m.world);
}

/* A motor M against a viscous brake c between the flywheel I and a carrier I′ that is free to rotate about the axis: with
 * μ = I I′/(I + I′) the relative rate is M/c (1 − e^{−ct/μ}), the carrier's −I/(I + I′) times it. And a motor whose
 * rotation is prescribed. */
static void drive(validation *v, const method *by)
{
    const double M = 0.02, c = 0.03, t = 0.2, h = 1e-4;
    const double reduced = inertia * carrier_inertia / (inertia + carrier_inertia);
    machine m = make(by, 0);
    cord_body carrier = add_carrier(&m, carrier_inertia);
    hinge(&m, carrier);
    cord_point spin = add_flywheel(&m, machine_on(&m, carrier, 0, 0), c);
    torque(&m, spin, M);
    machine_run(&m, h, 2000);
    double relative = rate_of(&m, spin), absolute = spin_of(&m, carrier);
    if (validation_ok(v, m.world, m.status, by->name)) {
        double expected = M / c * (1 - exp(-c * t / reduced));
        const char *name = validation_text(v, "motor and brake, %s", by->name);
        validation_row(v, name, "relative rate, rad/s", relative, expected,
                       (by->second ? 1e-6 : 1e-3) * expected);
        validation_row(v, name, "rate of the carrier, rad/s", absolute,
                       -inertia / (inertia + carrier_inertia) * relative, by->second ? 1e-9 : 1e-6);
    }
    cord_world_destroy(m.world);

    static const double times[] = {0, 1}, angles[] = {0, 3};
    m = make(by, 0);
    carrier = add_carrier(&m, carrier_inertia);
    hinge(&m, carrier);
    spin = add_flywheel(&m, machine_on(&m, carrier, 0, 0), 0);
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = CORD_SLIDE;
    def.first = spin;
    def.drive = (cord_keys){2, times, angles, CORD_EASE_SMOOTH};
    if (m.status == CORD_OK) m.status = cord_world_add_constraint(m.world, &def, &made);
    machine_run(&m, 1e-3, 1000);
    double x[3] = {0}, frame[9] = {0};
    if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, carrier, x, frame);
    if (validation_ok(v, m.world, m.status, by->name))
        validation_row(v, validation_text(v, "motor with a prescribed rotation, %s", by->name),
                       "angle of the carrier, rad", atan2(-frame[2], frame[0]),
                       inertia / (inertia + carrier_inertia) * 3, by->second ? 1e-5 : 5e-3);
    cord_world_destroy(m.world);
}

/* ---- another axis ----------------------------------------------------------------------------------------------- */

/* A carrier with the moment I′ about all axes, with Ω, and a flywheel that first does not rotate relative to it: the flywheel
 * keeps ω = n·Ω, and n precesses about H = I′Ω + Iω n at the rate |H|/I′. */
static double precession_error(machine *m, double h, int steps, double *momentum, double *energy)
{
    const double omega[3] = {3, -20, 1};
    double H[3], axis[3], angular[3] = {0}, x[3], frame[9] = {0}, linear[3] = {0, 0, 0};
    cord_body carrier = add_carrier(m, carrier_inertia);
    add_flywheel(m, machine_on(m, carrier, 0, 0), 0);
    if (m->status == CORD_OK) m->status = cord_body_set_velocity(m->world, carrier, linear, omega);
    const double n[3] = {0, -1, 0}, spin = -omega[1];
    for (int k = 0; k < 3; k++) H[k] = carrier_inertia * omega[k] + inertia * spin * n[k];
    double size = sqrt(H[0] * H[0] + H[1] * H[1] + H[2] * H[2]);
    double along = (H[0] * n[0] + H[1] * n[1] + H[2] * n[2]) / (size * size);
    double angle = size / carrier_inertia * h * steps, cosine = cos(angle), sine = sin(angle);
    const double cross[3] = {H[1] * n[2] - H[2] * n[1], H[2] * n[0] - H[0] * n[2],
                             H[0] * n[1] - H[1] * n[0]};
    for (int k = 0; k < 3; k++)
        axis[k] = along * H[k] + cosine * (n[k] - along * H[k]) + sine * cross[k] / size;
    machine_run(m, h, 1);
    double before = machine_energy(m), error = 0;
    machine_run(m, h, steps - 1);
    *energy = fabs(machine_energy(m) / before - 1);
    if (m->status == CORD_OK) m->status = cord_body_get_pose(m->world, carrier, x, frame);
    cord_momentum now = {0};
    if (m->status == CORD_OK) m->status = cord_world_get_momentum(m->world, &now);
    memcpy(angular, now.angular, sizeof angular);
    *momentum = 0;
    for (int k = 0; k < 3; k++) { /* n = −y of the carrier */
        error = fmax(error, fabs(-frame[3 + k] - axis[k]));
        *momentum = fmax(*momentum, fabs(angular[k] - H[k]) / size);
    }
    return error;
}

static void precess(validation *v, const method *by)
{
    double error[2], momentum = 0, energy = 0;
    if (!by->second) return;
    for (int i = 0; i < 2; i++) {
        machine m = make(by, 0);
        error[i] = precession_error(&m, 2e-3 / (i + 1), 250 * (i + 1), &momentum, &energy);
        bool ok = validation_ok(v, m.world, m.status, by->name);
        cord_world_destroy(m.world);
        if (!ok) return;
    }
    const char *name = validation_text(v, "free gyrostat, %s", by->name);
    validation_row(v, name, "order of the axis in the step", log2(error[0] / error[1]), 2, 0.1);
    validation_row_below(v, name, "error of the axis, 1 ms, 0.5 s", error[1], 5e-4);
    if (by->integrator == CORD_MIDPOINT) {
        validation_row_below(v, name, "angular momentum, relative", momentum, 1e-9);
        validation_row_below(v, name, "energy, relative", energy, 1e-9);
    }
}

/* ---- a wheel that is a body on a hinge --------------------------------------------------------------------------- */

typedef enum carrier_joint { JOINT_BALL, JOINT_HINGE, JOINT_RAIL, JOINTS } carrier_joint;

static const double drum_mass = 2, transverse = 0.006, arm = 0.2, friction = 0.005, motor = -0.05;

/* A carrier of 3 kg at the origin that moves on its joint, with the mass and the transverse moments of the drum 0.2 m beside
 * it, or without them. Of a ball joint it rotates at first about x and z. */
static cord_body joined_carrier(machine *m, carrier_joint joint, bool with_drum)
{
    const double moment = 0.05, more = with_drum ? drum_mass : 0;
    const double centre = more * arm / (3 + more),
                 away = more * arm * arm - (3 + more) * centre * centre;
    const double across = with_drum ? transverse : 0;
    cord_body made = {0};
    cord_point at, in;
    cord_body_def def = cord_body_def_default();
    def.mass = 3 + more;
    def.inertia[0] = moment + across;
    def.inertia[4] = moment + away;
    def.inertia[8] = moment + away + across;
    def.position[0] = centre;
    if (joint == JOINT_BALL) {
        def.angular_velocity[0] = 1, def.angular_velocity[2] = 2;
        def.velocity[1] = 2 * centre;
    }
    if (m->status == CORD_OK) m->status = cord_world_add_body(m->world, &def, &made);
    if (m->status == CORD_OK)
        m->status = part_point(m->world, made, (double[]){-centre, 0, 0}, &at);
    if (m->status == CORD_OK) m->status = part_world_point(m->world, (double[]){0, 0, 0}, &in);
    if (m->status == CORD_OK && joint == JOINT_RAIL)
        m->status = part_constrain(m->world, CORD_AXIS, at, in, (double[]){1, 0, 0}, NULL);
    if (m->status == CORD_OK && joint == JOINT_RAIL)
        m->status = part_constrain(m->world, CORD_ALIGN, at, in, NULL, NULL);
    if (m->status == CORD_OK && joint != JOINT_RAIL)
        m->status = part_constrain(m->world, CORD_COINCIDE, at, in, NULL, NULL);
    if (m->status == CORD_OK && joint == JOINT_HINGE)
        m->status = part_constrain(m->world, CORD_PARALLEL, at, in, (double[]){0, 1, 0}, NULL);
    return made;
}

/* The drum as a body on a hinge of the carrier; its revolute coordinate. */
static cord_point hinged_drum(machine *m, cord_point bearing, carrier_joint joint)
{
    const double moments[3] = {transverse, inertia, transverse};
    cord_body drum = {0};
    cord_point made = {0};
    if (m->status == CORD_OK)
        m->status = part_body(m->world, drum_mass, moments, (double[]){arm, 0, 0}, &drum);
    if (m->status == CORD_OK && joint == JOINT_BALL)
        m->status =
            cord_body_set_velocity(m->world, drum, (double[]){0, 2 * arm, 0}, (double[]){1, 0, 2});
    cord_point on = machine_on(m, drum, 0, 0);
    cord_point_def angle = cord_point_def_default();
    angle.source = CORD_SOURCE_REVOLUTE;
    angle.measured = on, angle.reference = bearing;
    angle.friction = friction;
    if (m->status == CORD_OK)
        m->status = part_constrain(m->world, CORD_COINCIDE, on, bearing, NULL, NULL);
    if (m->status == CORD_OK)
        m->status = part_constrain(m->world, CORD_PARALLEL, on, bearing, NULL, NULL);
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &angle, &made);
    return made;
}

/* A load unwinds from the drum, on the rail over a pulley in the world, against a motor and a brake between drum and carrier:
 * the angle of the drum, the position of the load, and that of the carrier and of its x axis. */
enum { MEASURED = 10 };
static void swing(validation *v, carrier_joint joint, bool body, double h, int steps,
                  double out[MEASURED])
{
    machine m = make(methods, gravity);
    cord_body carrier = joined_carrier(&m, joint, !body);
    double x[3] = {0}, frame[9] = {0}, hangs = joint == JOINT_RAIL ? 1 : arm;
    if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, carrier, x, NULL);
    const double centre = x[0];
    cord_point bearing = machine_on(&m, carrier, arm - centre, 0);
    cord_point spin = body ? hinged_drum(&m, bearing, joint) : add_flywheel(&m, bearing, friction);
    torque(&m, spin, motor);
    cord_body load = machine_weight(&m, 1, hangs + radius, -0.5);
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_DRUM,
         .point = bearing,
         .radius = radius,
         .side = -1,
         .turns = 5,
         .rotation = spin,
         .friction_law = CORD_WRAP_NO_SLIP},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, hangs, 0),
         .radius = radius,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, load, 0, 0)},
    };
    if (joint != JOINT_RAIL) waypoints[1] = waypoints[2];
    machine_cable(&m, 0.05, waypoints, joint == JOINT_RAIL ? 3 : 2);
    machine_run(&m, h, steps);
    out[0] = machine_revolute(&m, spin);
    if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, load, out + 1, NULL);
    if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, carrier, x, frame);
    for (int k = 0; k < 3; k++) {
        out[4 + k] = x[k] - centre * frame[k];
        out[7 + k] = frame[k];
    }
    validation_ok(v, m.world, m.status, "a drum on a carrier");
    cord_world_destroy(m.world);
}

static void compare(validation *v, carrier_joint joint)
{
    static const char *const names[JOINTS] = {"drum on a carrier on a ball joint",
                                              "drum on a carrier on a parallel hinge",
                                              "drum on a carrier on a rail"};
    double apart[2] = {0}, moved = 0, wheel[MEASURED], body[MEASURED];
    for (int i = 0; i < 2; i++) {
        int steps = 125 << i;
        swing(v, joint, false, 0.25 / steps, steps, wheel);
        swing(v, joint, true, 0.25 / steps, steps, body);
        for (int k = 0; k < MEASURED; k++) apart[i] = fmax(apart[i], fabs(wheel[k] - body[k]));
        moved = fabs(wheel[0]);
    }
    validation_row_above(v, names[joint], "rotation of the drum in 0.25 s, rad", moved, 0.2);
    validation_row_below(v, names[joint], "flywheel less body on a hinge, 1 ms", apart[1], 1e-5);
    validation_row_below(v, names[joint], "the same over that with 2 ms", apart[1] / apart[0], 0.3);
}

void check_carriers(validation *v)
{
    for (int i = 0; i < METHODS; i++) {
        fall(v, methods + i);
        drive(v, methods + i);
        precess(v, methods + i);
    }
    for (int i = 0; i < JOINTS; i++) compare(v, (carrier_joint)i);
}
