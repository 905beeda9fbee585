/* Energy of machines without friction in long runs by the midpoint rule. */
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/tackle.h"
#include <math.h>

/* A spring along z between a body and its initial position. */
static void add_spring(machine *m, cord_body body, double stiffness)
{
    double x[3] = {0};
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    def.kind = CORD_PLANE;
    def.compliance = 1 / stiffness;
    if (m->status == CORD_OK) m->status = cord_body_get_pose(m->world, body, x, NULL);
    if (m->status == CORD_OK) m->status = part_point(m->world, body, (double[3]){0}, &def.first);
    if (m->status == CORD_OK) m->status = part_world_point(m->world, x, &def.second);
    if (m->status == CORD_OK) m->status = cord_world_add_constraint(m->world, &def, &made);
}

static cord_body weight_at(machine *m, double mass, const double x[3], double swing)
{
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, still[3] = {0};
    cord_body made = machine_weight(m, mass, x[0], x[2]);
    if (m->status == CORD_OK) m->status = cord_body_set_pose(m->world, made, x, upright);
    if (m->status == CORD_OK)
        m->status = cord_body_set_velocity(m->world, made, (double[3]){0, swing, 0}, still);
    return made;
}

/* A cylinder with axis (0, −1, 0) tilted about x; angles are measured from x upwards. */
static cord_guide cylinder_at(machine *m, double x, double z, double tilt, double radius)
{
    const double c = cos(tilt), s = sin(tilt), frame[9] = {1, 0, 0, 0, s, c, 0, -c, s};
    cord_point_def def = cord_point_def_default();
    cord_guide made = {.kind = CORD_GUIDE_CYLINDER, .radius = radius};
    def.position[0] = x, def.position[2] = z;
    for (int k = 0; k < 9; k++) def.frame[k] = frame[k];
    if (m->status == CORD_OK) m->status = cord_world_add_point(m->world, &def, &made.on);
    return made;
}

static void cable_on(machine *m, const cord_guide *guides, int guide_count,
                     const cord_cable_node *nodes, int count)
{
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.05;
    def.guides = guides, def.guide_count = guide_count;
    def.nodes = nodes, def.node_count = count;
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, &def, &made);
}

/* Two weights on a cable with one and a half turns round a shaft, along which it creeps; the first
 * is on a spring, the second swings along the shaft. */
static machine turns_by(cord_integrator integrator)
{
    const double a = 0.1, pi = 3.14159265358979324, far = 0.08, hang[2] = {1.5, 1};
    const double wrap = hypot(3 * pi * a, 2 * far);
    machine m = machine_make(integrator, 9.81);
    cord_body one = weight_at(&m, 1, (double[3]){-a, far, -hang[0]}, 0);
    cord_body two = weight_at(&m, 1.5, (double[3]){a, -far, -hang[1]}, 0.4);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = machine_on(&m, one, 0, 0)},
        cylinder_at(&m, 0, 0, 0, a),
        {.kind = CORD_GUIDE_POINT, .on = machine_on(&m, two, 0, 0)},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0},
        {.guide = 1, .at = {pi, -far}, .s = hang[0], .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {-2 * pi, far}, .s = hang[0] + wrap, .eulerian = true, .tangent = 1},
        {.guide = 2, .s = hang[0] + wrap + hang[1]},
    };
    cable_on(&m, guides, 3, nodes, 4);
    add_spring(&m, one, 60);
    machine_run(&m, 1e-5, 1); /* the first step makes velocities consistent */
    return m;
}

static machine turns_round_shaft(void)
{
    return turns_by(CORD_MIDPOINT);
}

/* Over two cylinders that are not parallel, with nodes near the tangent points. Between them the
 * cable oscillates about the shortest connection. */
static machine skew_cylinders(void)
{
    const double a = 0.15, b = 0.1, pi = 3.14159265358979324, apart = 0.9;
    machine m = machine_make(CORD_MIDPOINT, 9.81);
    cord_body one = weight_at(&m, 1.5, (double[3]){-a, 0, -1.2}, 0.3);
    cord_body two = weight_at(&m, 1.5, (double[3]){apart + b, 0, -1}, 0.2);
    const double s[] = {1.2, 1.2 + 0.5 * pi * a, 1.2 + 0.5 * pi * a + apart,
                        1.2 + 0.5 * pi * (a + b) + apart};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = machine_on(&m, one, 0, 0)},
        cylinder_at(&m, 0, 0, 0.2, a),
        cylinder_at(&m, apart, a - b, -0.2, b),
        {.kind = CORD_GUIDE_POINT, .on = machine_on(&m, two, 0, 0)},
    };
    const cord_cable_node nodes[] = {
        {.guide = 0},
        {.guide = 1, .at = {pi, 0}, .s = s[0], .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {0.5 * pi, 0}, .s = s[1], .eulerian = true, .tangent = 1},
        {.guide = 2, .at = {0.5 * pi, 0}, .s = s[2], .eulerian = true, .tangent = -1},
        {.guide = 2, .at = {0, 0}, .s = s[3], .eulerian = true, .tangent = 1},
        {.guide = 3, .s = s[3] + 1},
    };
    cable_on(&m, guides, 4, nodes, 6);
    add_spring(&m, one, 60);
    machine_run(&m, 1e-4,
                10); /* finds tangent points and velocities, with which all spans are taut */
    return m;
}

/* Two weights over a pulley, the first on a spring, the second at an angle. */
static machine two_weights(double first, double second, double angle, double inertia)
{
    const double a = 0.1;
    machine m = machine_make(CORD_MIDPOINT, 9.81);
    cord_body one = machine_weight(&m, first, -a, -1.5);
    cord_body two = machine_weight(&m, second, a + sin(angle), -cos(angle));
    cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, one, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY, .point = machine_point(&m, 0, 0), .radius = a, .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, two, 0, 0)},
    };
    if (inertia > 0)
        waypoints[1].friction_law = CORD_WRAP_NO_SLIP,
        waypoints[1].rotation = machine_flywheel(&m, inertia);
    machine_cable(&m, 0.05, waypoints, 3);
    add_spring(&m, one, 60);
    return m;
}

static machine weights_on_spring(void)
{
    return two_weights(1, 1.5, 0, 0);
}

static machine weights_over_flywheel(void)
{
    return two_weights(1, 1.5, 0, 5e-3);
}

/* A swinging Atwood machine: the wrap angle changes all the time. */
static machine swinging(void)
{
    return two_weights(1.2, 1, 1, 0);
}

static machine tackle_on_spring(void)
{
    const tackle_def of = {.wheels = 4,
                           .load = 10,
                           .counterweight = 3,
                           .density = 0.1,
                           .height = 2,
                           .hang = 1,
                           .radius = 0.05,
                           .inertia = 1e-3};
    tackle t = tackle_make(&of, CORD_MIDPOINT);
    add_spring(&t.m, t.beam, 500);
    return t.m;
}

/* A weight that unwinds a drum against a spring. */
static machine winch(void)
{
    machine m = machine_make(CORD_MIDPOINT, 9.81);
    cord_body load = machine_weight(&m, 2, 0.1, -1);
    cord_point drum = machine_flywheel(&m, 0.02);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_DRUM,
         .point = machine_point(&m, 0, 0),
         .radius = 0.1,
         .side = -1,
         .turns = 3,
         .rotation = drum},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, load, 0, 0)},
    };
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint made;
    machine_cable(&m, 0.1, waypoints, 2);
    def.kind = CORD_SLIDE;
    def.first = drum;
    def.compliance = 2; /* rad/(N m): it falls by nearly a metre */
    if (m.status == CORD_OK) m.status = cord_world_add_constraint(m.world, &def, &made);
    return m;
}

void check_machine_energy(validation *v)
{
    static const struct {
        const char *name;
        machine (*make)(void);
    } cases[] = {{"two weights, frictionless pulley", weights_on_spring},
                 {"two weights, rotor", weights_over_flywheel},
                 {"swinging Atwood machine", swinging},
                 {"tackle of four pulleys with inertia", tackle_on_spring},
                 {"winch", winch},
                 {"turns round a shaft", turns_round_shaft},
                 {"skew cylinders", skew_cylinders}};
    int steps = validation_quick(v) ? 1000 : 10000;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = cases[i].make();
        double start = machine_energy(&m), drift = 0, kinetic = 0;
        for (int k = 0; k < steps && m.status == CORD_OK; k++) {
            machine_run(&m, 1e-3, 1);
            cord_energy now = {0};
            if (m.status == CORD_OK) m.status = cord_world_get_energy(m.world, &now);
            kinetic = fmax(kinetic, now.kinetic);
            drift = fmax(drift, fabs(now.total - start));
        }
        if (validation_ok(v, m.world, m.status, cases[i].name))
            validation_row_below(
                v, cases[i].name,
                validation_text(v, "energy error in %d steps, of the largest kinetic", steps),
                drift / kinetic, 1e-6);
        cord_world_destroy(m.world);
    }
}

static double lost_by_steps_of(validation *v, double h)
{
    machine m = turns_by(CORD_IMPLICIT);
    double start = machine_energy(&m), most = 0;
    for (int k = 0; k < (int)lround(0.5 / h) && m.status == CORD_OK; k++) {
        machine_run(&m, h, 1);
        most = fmax(most, fabs(machine_energy(&m) - start));
    }
    bool fine = validation_ok(v, m.world, m.status, "turns round a shaft");
    cord_world_destroy(m.world);
    return fine ? most : NAN;
}

void check_helix_order(validation *v)
{
    double coarse = lost_by_steps_of(v, 5e-4), fine = lost_by_steps_of(v, 2.5e-4);
    validation_row_below(v, "turns round a shaft", "halving the step: energy error, J", fine, 1e-5);
    validation_row_above(v, "turns round a shaft", "order in the step", log2(coarse / fine), 1.8);
}
