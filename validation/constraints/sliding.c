/* Points sliding on straight wires, with and without friction, against closed forms. */
#include "validation/constraints/constraints.h"
#include "validation/constraints/wires.h"
#include <math.h>

static const double gravity = 9.81;

/* A wire so stiff that it stays straight: it sags by 1e-7 of its length under the bead. */
static rig make_world(double down)
{
    cord_world_def def = cord_world_def_default();
    def.threads = 1;
    def.gravity[2] = -down;
    return rig_make(&def);
}

static const double slope = 0.5, length = 1, bead = 0.02, stiff = 5e3; /* rad, m, kg, N m² */

static cord_point bead_on_incline(rig *r, const carrier *kind, double friction)
{
    wire_plan plan = {kind, 12, {0, 0, 0}, {0}, 0.05, stiff, stiff};
    plan.to[0] = length * cos(slope), plan.to[2] = -length * sin(slope);
    wire_add(r, &plan);
    wire_clamp(r, 0);
    wire_pin(r, 1);
    return wire_bead(r, 0.05, bead, friction, NULL);
}

/* s = ½ g sin α t² */
void check_inclined_wire(validation *v)
{
    const double h = 2e-3;
    for (int i = 0; i < STRAND_MODELS; i++) {
        rig r = make_world(gravity);
        cord_point p = bead_on_incline(&r, &carriers[i], 0);
        rig_step(&r, h, 250);
        double t = 250 * h, rate = 0, s = wire_coordinate(&r, p, &rate);
        double off = rig_residual(&r);
        if (validation_ok(v, r.world, r.status, carriers[i].name)) {
            double a = gravity * sin(slope);
            validation_row(v, carriers[i].name, "way, m", s - 0.05, 0.5 * a * t * t, 1e-5);
            validation_row(v, carriers[i].name, "speed, m/s", rate, a * t, 1e-4);
            validation_row_below(v, carriers[i].name, "off the wire, m", off, 1e-12);
        }
        rig_free(&r);
    }
}

/* m s̈ = m g sin α − c ṡ: s = u (t − τ (1 − e^(−t/τ))), τ = m/c, u = g τ sin α */
static void rough_incline(validation *v, const carrier *kind, plot_series lines[2])
{
    enum { STEPS = 400 };
    static double t[STEPS], measured[STEPS], expected[STEPS];
    const double h = 2e-3, c = 0.2, tau = bead / c, u = gravity * sin(slope) * tau;
    double worst = 0, rate = 0;
    rig r = make_world(gravity);
    cord_point p = bead_on_incline(&r, kind, c);
    for (int i = 0; i < STEPS; i++) {
        rig_step(&r, h, 1);
        t[i] = (i + 1) * h;
        measured[i] = wire_coordinate(&r, p, &rate) - 0.05;
        expected[i] = u * (t[i] + tau * expm1(-t[i] / tau));
        worst = fmax(worst, fabs(measured[i] - expected[i]));
    }
    if (validation_ok(v, r.world, r.status, kind->name)) {
        validation_row_below(v, kind->name, "bead on a rough wire: error, m", worst, 1e-6);
        validation_row(v, kind->name, "its final speed, m/s", rate, -u * expm1(-t[STEPS - 1] / tau),
                       1e-5);
    }
    rig_free(&r);
    lines[0] = (plot_series){kind->name, STEPS, t, measured, PLOT_LINE};
    lines[1] = (plot_series){"exact", STEPS, t, expected, PLOT_DASHED};
}

/* A straight rope moves lengthwise through a hole with friction: M v̇ = −c v. */
static void rough_hole(validation *v, const carrier *kind)
{
    enum { ELEMENTS = 12 };
    const double h = 2e-3, density = 0.05, c = 0.1, v0 = 0.8, t = 400 * h;
    const double tau = density * length / c;
    double x[3] = {0.8, 0, 0}, velocity[3 * (ELEMENTS + 1)] = {0}, force[3] = {0}, rate = 0;
    rig r = make_world(0);
    wire_add(&r, &(wire_plan){kind, ELEMENTS, {0, 0, 0}, {length, 0, 0}, density, 0.1, 0.1});
    cord_point p = rig_sliding(&r, 0, 0.8, c);
    cord_constraint hole = rig_tie(&r, CORD_COINCIDE, p, rig_world_point(&r, x));
    for (int i = 0; i <= ELEMENTS; i++) velocity[3 * i] = v0;
    if (r.status == CORD_OK)
        r.status = cord_strand_set_velocities(r.world, r.object[0].strand, velocity);
    rig_step(&r, h, 400);
    double s = wire_coordinate(&r, p, &rate);
    if (r.status == CORD_OK) r.status = cord_constraint_get_force(r.world, hole, force, NULL);
    if (validation_ok(v, r.world, r.status, kind->name)) {
        double left = exp(-t / tau);
        validation_row(v, kind->name, "rope through a rough hole: displacement, m", 0.8 - s,
                       v0 * tau * (1 - left), 1e-5);
        validation_row(v, kind->name, "force of the hole, N", force[0], -c * v0 * left,
                       1e-5 * c * v0);
        validation_row(v, kind->name, "its rate, m/s", rate, -v0 * left, 1e-5 * v0);
    }
    rig_free(&r);
}

/* A wheel in a bearing with friction: I ω̇ = −c ω; a carriage on a rail with friction: m v̇ = −c v. */
static void rough_joint(validation *v, bool turns)
{
    const double h = 2e-3, c = 0.3, t = 250 * h, v0 = 4;
    const double mass = 0.8, radius = 0.5, inertia = turns ? 0.5 * mass * radius * radius : mass;
    const double left = exp(-c * t / inertia), axis[3] = {0, 0, 1}, still[3] = {0, 0, 0};
    rig r = make_world(0);
    cord_body_def def = cord_body_def_default();
    cord_body body = {0};
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = radius, .length = 0.05};
    def.mass = mass;
    if (r.status == CORD_OK) r.status = cord_world_add_body(r.world, &def, &body);
    cord_point hub = rig_on_body(&r, body, still), place = rig_world_point(&r, still);
    rig_support(&r, turns ? CORD_COINCIDE : CORD_AXIS, hub, place);
    rig_support(&r, turns ? CORD_PARALLEL : CORD_ALIGN, hub, place);
    cord_point_def gauge = cord_point_def_default();
    cord_point p = {0};
    gauge.source = turns ? CORD_SOURCE_REVOLUTE : CORD_SOURCE_PRISMATIC;
    gauge.measured = hub;
    gauge.friction = c;
    if (r.status == CORD_OK) r.status = cord_world_add_point(r.world, &gauge, &p);
    double moves[3] = {0, 0, v0 * axis[2]}, rate = 0;
    if (r.status == CORD_OK)
        r.status =
            cord_body_set_velocity(r.world, body, turns ? still : moves, turns ? moves : still);
    rig_step(&r, h, 250);
    double s = wire_coordinate(&r, p, &rate);
    const char *name = turns ? "wheel in a rough bearing" : "carriage on a rough rail";
    if (validation_ok(v, r.world, r.status, name)) {
        validation_row(v, name, turns ? "turned, rad" : "way, m", s, v0 * inertia / c * (1 - left),
                       1e-4 * v0);
        validation_row(v, name, turns ? "rate, rad/s" : "rate, m/s", rate, v0 * left, 1e-4 * v0);
    }
    rig_free(&r);
}

void check_rough_sliding(validation *v)
{
    plot_series lines[2];
    for (int i = 0; i < STRAND_MODELS; i++) {
        rough_incline(v, &carriers[i], lines);
        rough_hole(v, &carriers[i]);
    }
    rough_joint(v, true);
    rough_joint(v, false);
    validation_plot(
        v, &(plot){"A bead on a rough inclined wire", "time, s", "way, m", false, false, 2, lines});
}
