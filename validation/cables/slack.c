/* Cables that go slack and become taut again. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

static const double gravity = 9.81;

static cord_strand add_cable(machine *m, const cord_cable_def *def)
{
    cord_strand made = {0};
    if (m->status == CORD_OK) m->status = cord_world_add_cable(m->world, def, &made);
    return made;
}

static double slack_of(machine *m, cord_strand cable)
{
    double slack = 0;
    if (m->status == CORD_OK) m->status = cord_cable_get_slack(m->world, cable, &slack);
    return slack;
}

static double rate_of(machine *m, cord_body body)
{
    double v[3] = {0};
    if (m->status == CORD_OK) m->status = cord_body_get_velocity(m->world, body, v, NULL);
    return v[2];
}

static double least_tension(machine *m, cord_strand cable)
{
    double t[64] = {0}, least = INFINITY;
    cord_strand_info info = {0};
    if (m->status == CORD_OK) m->status = cord_strand_get_info(m->world, cable, &info);
    if (m->status == CORD_OK && info.edge_count <= 64)
        m->status = cord_strand_get_tensions(m->world, cable, t);
    for (int i = 0; i < info.edge_count; i++) least = fmin(least, t[i]);
    return least;
}

/* ---- Atwood's machine ---------------------------------------------------------------------------------------------- */

typedef struct atwood {
    machine m;
    cord_body heavy, light;
    cord_strand rope;
    double drop;
} atwood;

/* The heavier weight lands after `drop`, without rebound. */
static atwood make_atwood(cord_integrator integrator, double heavy, double light, double density,
                          double stretching, double damping, double restitution)
{
    atwood t = {.m = machine_make(integrator, gravity), .drop = 0.981};
    machine *m = &t.m;
    t.heavy = machine_weight(m, heavy, 0.2, -1);
    t.light = machine_weight(m, light, -0.2, -2);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, t.light, 0, 0)},
        {.kind = CORD_WAYPOINT_PULLEY, .point = machine_point(m, 0, 0), .radius = 0.2, .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, t.heavy, 0, 0)},
    };
    cord_cable_def def = cord_cable_def_default();
    def.density = density, def.restitution = restitution;
    def.stretching = stretching, def.damping = damping;
    def.tension = stretching > 0 ? 2 * heavy * light / (heavy + light) * gravity : 0;
    def.waypoints = waypoints, def.waypoint_count = 3;
    def.vertex_count = 60;
    t.rope = add_cable(m, &def);
    cord_constraint_def ground = cord_constraint_def_default();
    cord_constraint made;
    ground.kind = CORD_PLANE;
    ground.first = machine_on(m, t.heavy, 0, 0);
    ground.direction[1] = 1, ground.direction[2] = 0; /* upwards, in the axes of machine_point() */
    ground.side = CORD_AT_LEAST;
    ground.second = machine_point(m, 0.2, -1 - t.drop);
    if (m->status == CORD_OK) m->status = cord_world_add_constraint(m->world, &ground, &made);
    return t;
}

/* The flight of the lighter weight, of v²/2g, and the velocities after the cable has become taut: that of the heavier
 * weight is v (1 + e) m/(m + M), less the deceleration since. */
static void fly(validation *v, const char *name, atwood *t, double heavy, double light, double e,
                double h)
{
    double mean = (heavy - light) / (heavy + light) * gravity, most = -INFINITY, loose = 0;
    double landing = -1, least = INFINITY, jump = 0, speed = sqrt(2 * mean * t->drop);
    machine *m = &t->m;
    double flight = sqrt(2 * t->drop / mean) + 2 * speed / gravity;
    int steps = (int)((flight + 0.006) / h), caught = 0; /* before it lands again */
    for (int i = 0; i < steps && m->status == CORD_OK; i++) {
        machine_run(m, h, 1);
        double z = machine_height(m, t->light);
        if (machine_height(m, t->heavy) > -1 - t->drop + 1e-9 && landing == -1) continue;
        if (landing == -1) landing = z;
        most = fmax(most, z), loose = fmax(loose, slack_of(m, t->rope));
        least = fmin(least, least_tension(m, t->rope));
        if (!caught && i * h > flight - 0.05 && rate_of(m, t->heavy) > 0.01) {
            jump = rate_of(m, t->heavy);
            caught = 1;
        }
    }
    cord_cable_events events = {0};
    if (m->status == CORD_OK) m->status = cord_cable_get_events(m->world, t->rope, &events);
    if (validation_ok(v, m->world, m->status, name)) {
        double high = speed * speed / (2 * gravity),
               after = speed * (1 + e) * light / (light + heavy);
        double lost = 0.5 * light * heavy / (light + heavy) * speed * speed * (1 - e * e);
        validation_row(v, name, "flight of the lighter weight, m", most - (-2 + t->drop), high,
                       0.02 * high);
        validation_row(v, name, "slack at most, m", loose, high, 0.02 * high);
        validation_row_above(v, name, "least tension, N", least, -1e-3 * light * gravity);
        validation_row(v, name, "heavier weight when it is lifted, m/s", jump, after,
                       0.02 * after + gravity * h);
        validation_row(v, name, "energy lost by the impact, J", -events.tightening_energy_change,
                       lost, 0.03 * lost + 1e-3);
        validation_row(v, name, "impacts", events.tightenings, 1, 0);
    }
    cord_world_destroy(m->world);
}

static void check_flights(validation *v)
{
    static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    static const char *const names[] = {"tr-bdf2", "midpoint"};
    static const struct {
        double heavy, light, restitution;
    } cases[] = {{2, 1, 0}, {2, 1, 0.5}, {100, 1, 0}, {1.1, 1, 0}};
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            double M = cases[i].heavy, m = cases[i].light, e = cases[i].restitution;
            atwood t = make_atwood(integrators[k], M, m, 1e-4, 0, 0, e);
            fly(v, validation_text(v, "%g kg and %g kg, e = %g, %s", M, m, e, names[k]), &t, M, m,
                e, 1e-3);
        }
}

/* An elastic cable catches the weight by its stretch. In flight nothing is lost; with damping, so that waves along the cable
 * decay, no place has a compression beyond a hundredth of the tension at rest, by the inertia of the cable itself. */
static void check_elastic(validation *v)
{
    for (int damped = 0; damped < 2; damped++) {
        const double density = 1e-3;
        atwood t = make_atwood(CORD_MIDPOINT, 2, 1, density, 2000, damped ? 1e-3 : 0, 0);
        machine *m = &t.m;
        double least = INFINITY, loose = 0, landed = 0, worst = 0;
        for (int i = 0; i < 1450 && m->status == CORD_OK; i++) {
            machine_run(m, 1e-3, 1);
            double energy = machine_energy(m);
            least = fmin(least, least_tension(m, t.rope)), loose = fmax(loose, slack_of(m, t.rope));
            if (i == 820) landed = energy;
            if (i > 820 && i < 1280) worst = fmax(worst, fabs(energy - landed));
        }
        const char *name = damped ? "elastic cable, damped" : "elastic cable";
        if (validation_ok(v, m->world, m->status, name)) {
            validation_row_above(v, name, "slack at most, m", loose, 0.3);
            if (damped)
                validation_row_above(v, name, "least tension, N", least, -0.01 * 4.0 / 3 * gravity);
            else
                validation_row_below(v, name, "change of energy in flight, J", worst, 1e-9);
        }
        cord_world_destroy(m->world);
    }
}

/* ---- a weight on a string ------------------------------------------------------------------------------------------ */

/* Launched at the lowest point with v₀² between 2gL and 5gL it leaves the circle at the angle β above the horizontal, sin β =
 * (v₀² − 2gL)/3gL, and the parabola meets the circle again at −3β: it osculates the circle where it begins, and the angles
 * of the four intersections of a circle and a parabola sum up to zero. */
static void check_string(validation *v)
{
    static const double launch[] = {2.6, 3.2, 4}; /* v₀²/gL */
    const double L = 1, h = 5e-4;
    for (int i = 0; i < 3; i++) {
        machine m = machine_make(CORD_IMPLICIT, gravity);
        cord_body bob = machine_weight(&m, 1, 0, -L);
        const cord_waypoint waypoints[] = {
            {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 0, 0)},
            {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, bob, 0, 0)},
        };
        cord_strand string = machine_cable(&m, 1e-6, waypoints, 2);
        double v0 = sqrt(launch[i] * gravity * L), beta = asin((launch[i] - 2) / 3);
        double left = NAN, met = NAN, x[3] = {0};
        if (m.status == CORD_OK)
            m.status = cord_body_set_velocity(m.world, bob, (double[]){v0, 0, 0}, (double[3]){0});
        for (int k = 0; k < 4000 && m.status == CORD_OK && isnan(met); k++) {
            machine_run(&m, h, 1);
            if (m.status == CORD_OK) m.status = cord_body_get_pose(m.world, bob, x, NULL);
            double slack = slack_of(&m, string);
            if (isnan(left) && slack > 1e-9) left = atan2(x[2], x[0]);
            if (!isnan(left) && slack < 1e-9) met = atan2(x[2], x[0]);
        }
        const char *name = validation_text(v, "string, v₀² = %g gL", launch[i]);
        if (validation_ok(v, m.world, m.status, name)) {
            validation_row(v, name, "leaves the circle at, rad", left, beta, 0.01);
            validation_row(v, name, "taut again at, rad", met, remainder(-3 * beta, 2 * M_PI),
                           0.01);
        }
        cord_world_destroy(m.world);
    }
}

/* ---- a slack span with parts, and a belt --------------------------------------------------------------------------- */

/* The sag of a catenary of length S between supports H apart: S = 2a sinh(H/2a). */
static double catenary_sag(double S, double H)
{
    double low = 1e-3 * H, high = 1e3 * H;
    for (int i = 0; i < 200; i++) {
        double a = sqrt(low * high);
        if (2 * a * sinh(0.5 * H / a) > S)
            low = a;
        else
            high = a;
    }
    return low * (cosh(0.5 * H / low) - 1);
}

static void check_sag(validation *v)
{
    double sag[2] = {0}, expected = catenary_sag(1.3, 1);
    for (int k = 0; k < 2; k++) {
        machine m = machine_make(CORD_IMPLICIT, gravity);
        const cord_waypoint waypoints[] = {
            {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 0, 0), .parts = 20 << k},
            {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_point(&m, 1, 0)},
        };
        cord_cable_def def = cord_cable_def_default();
        def.density = 0.2, def.drag = 0.5, def.length = 1.3;
        def.waypoints = waypoints, def.waypoint_count = 2;
        cord_strand rope = add_cable(&m, &def);
        cord_node_state middle = {0};
        machine_run(&m, 0.01, 1500);
        if (m.status == CORD_OK) m.status = cord_cable_get_node(m.world, rope, 10 << k, &middle);
        validation_ok(v, m.world, m.status, "a slack span with parts");
        sag[k] = -middle.position[2];
        cord_world_destroy(m.world);
    }
    validation_row(v, "1.3 m between supports 1 m apart, 40 parts", "sag at rest, m", sag[1],
                   expected, 1e-3);
    validation_row(v, "the same", "error with 20 parts over that with 40",
                   (sag[0] - expected) / (sag[1] - expected), 4, 0.5);
}

/* An inextensible belt without tension transmits a torque by one side alone. */
static void check_belt(validation *v)
{
    machine m = machine_make(CORD_IMPLICIT, 0);
    cord_point spin[2] = {machine_flywheel(&m, 0.01), machine_flywheel(&m, 0.01)};
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, 0, 0),
         .radius = 0.1,
         .side = 1,
         .friction_law = CORD_WRAP_NO_SLIP,
         .rotation = spin[0]},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, 1, 0),
         .radius = 0.1,
         .side = 1,
         .friction_law = CORD_WRAP_NO_SLIP,
         .rotation = spin[1]},
    };
    cord_cable_def def = cord_cable_def_default();
    def.density = 1e-4, def.closed = true;
    def.waypoints = waypoints, def.waypoint_count = 2;
    cord_strand belt = add_cable(&m, &def);
    cord_load_def load = cord_load_def_default();
    cord_load made;
    load.point = spin[0], load.coordinate_force = 1;
    if (m.status == CORD_OK) m.status = cord_world_add_load(m.world, &load, &made);
    machine_run(&m, 1e-3, 200);
    double before = 0, after = 0;
    if (m.status == CORD_OK)
        m.status = cord_cable_get_wrap(m.world, belt, 0, NULL, NULL, &before, &after);
    if (validation_ok(v, m.world, m.status, "a belt without tension")) {
        /* half of the torque accelerates the driver, half goes to the other wheel */
        validation_row(v, "a belt without tension", "tight side, N", fmax(before, after), 5, 1e-3);
        validation_row(v, "a belt without tension", "slack side, N", fmin(before, after), 0, 1e-3);
    }
    cord_world_destroy(m.world);
}

void check_slack(validation *v)
{
    check_flights(v);
    check_elastic(v);
    check_string(v);
    check_sag(v);
    check_belt(v);
}
