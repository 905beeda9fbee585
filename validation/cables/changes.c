/* Wrapping and unwrapping of pulleys: conservation when nodes of a cable are inserted and removed. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

/* The largest losses in steps with node changes, and the number of changes. */
typedef struct losses {
    double linear, angular; /* relative */
    double energy;          /* relative to the kinetic energy */
    double length;          /* of all steps, m */
    int changes;
} losses;

typedef struct bola {
    machine m;
    cord_strand cable;
} bola;

typedef struct moment {
    cord_momentum momentum;
    cord_energy energy;
    bool touches;
} moment;

static double size(const double a[3])
{
    return hypot(hypot(a[0], a[1]), a[2]);
}

static double apart(const double a[3], const double b[3])
{
    return size((double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static moment look(bola *t)
{
    moment now = {0};
    machine *m = &t->m;
    if (m->status == CORD_OK) m->status = cord_world_get_momentum(m->world, &now.momentum);
    if (m->status == CORD_OK) m->status = cord_world_get_energy(m->world, &now.energy);
    if (m->status == CORD_OK)
        m->status = cord_cable_get_wrap(m->world, t->cable, 1, &now.touches, NULL, NULL, NULL);
    return now;
}

static losses run_bola(bola *t, double h, int steps)
{
    losses out = {0};
    double length = machine_length(&t->m, t->cable);
    machine_run(&t->m, h, 1); /* the first step makes the velocities of the cable consistent */
    moment last = look(t);
    for (int k = 0; k < steps && t->m.status == CORD_OK; k++) {
        machine_run(&t->m, h, 1);
        moment now = look(t);
        out.length = fmax(out.length, fabs(machine_length(&t->m, t->cable) - length));
        if (now.touches != last.touches) {
            const cord_momentum *p = &now.momentum, *was = &last.momentum;
            out.changes++;
            out.linear = fmax(out.linear, apart(p->linear, was->linear) / size(was->linear));
            out.angular = fmax(out.angular, apart(p->angular, was->angular) / size(was->angular));
            out.energy =
                fmax(out.energy, fabs(now.energy.total - last.energy.total) / last.energy.kinetic);
        }
        last = now;
    }
    return out;
}

/* A free system: a body of 2 kg with an anchor and, 0.5 m below it, a peg on the right, and a bob
 * of 1 kg with a horizontal velocity to the right or to the left. */
static bola make_bola(double x, double rate, int parts)
{
    bola t = {.m = machine_make(CORD_IMPLICIT, 0)};
    machine *m = &t.m;
    cord_body holder = machine_weight(m, 2, 0, 0), bob = machine_weight(m, 1, x, -1);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, holder, 0, 0), .parts = parts},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_on(m, holder, 0.05, -0.5),
         .radius = 0.05,
         .side = 1,
         .parts = parts},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(m, bob, 0, 0)},
    };
    m->cables_push = true; /* the bob is thrown in any direction */
    t.cable = machine_cable(m, 0.05, waypoints, 3);
    if (m->status == CORD_OK)
        m->status =
            cord_body_set_velocity(m->world, bob, (double[]){rate, 0, 0}, (double[]){0, 0, 0});
    return t;
}

/* A rope over a fixed pulley without friction, one end free, a weight at the other. Energy from the
 * start until the rope on the pulley has lifted off, plus 0.1 s; and the speed when the end reaches
 * the pulley: for a rope of length L with hanging parts a and b, b from b₀ to b₀ + x,
 *     (m + λL) v²/2 = m g x + λ g x (b₀ − a₀ + x). */
static void check_run_off(validation *v, const char *name, double radius, double mass)
{
    const double a = 0.4, b = 0.5, density = 0.1, pi = 3.14159265358979323846, g = 9.81;
    machine m = machine_make(CORD_MIDPOINT, g);
    cord_body load = machine_weight(&m, mass, radius, -b);
    const cord_waypoint waypoints[] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {-radius, 0, -a}},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = machine_point(&m, 0, 0),
         .radius = radius,
         .side = -1},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, load, 0, 0)},
    };
    cord_strand cable = machine_cable(&m, density, waypoints, 3);
    double start = machine_energy(&m), rate[3] = {0}, way = 0, worst = 0;
    cord_cable_events c = {0};
    bool on = true;
    for (int k = 0; k < 1000 && on && m.status == CORD_OK; k++) {
        if (c.wraps == 0) { /* the last step before the end arrives */
            way = -b - machine_height(&m, load);
            m.status = cord_body_get_velocity(m.world, load, rate, NULL);
        }
        machine_run(&m, 1e-3, 1);
        if (m.status == CORD_OK) m.status = cord_cable_get_events(m.world, cable, &c);
        if (m.status == CORD_OK)
            m.status = cord_cable_get_wrap(m.world, cable, 1, &on, NULL, NULL, NULL);
        worst = fmax(worst, fabs(machine_energy(&m) - start));
    }
    machine_run(&m, 1e-3, 100);
    worst = fmax(worst, fabs(machine_energy(&m) - start));
    cord_energy e = {0};
    if (m.status == CORD_OK) m.status = cord_world_get_energy(m.world, &e);
    double length = a + b + pi * radius;
    double expected =
        sqrt(2 * g * way * (mass + density * (b - a + way)) / (mass + density * length));
    if (validation_ok(v, m.world, m.status, name)) {
        validation_row(v, name, "speed when the end arrives, m/s", -rate[2], expected,
                       1e-4 * expected);
        validation_row_below(v, name, "energy change, of the kinetic", worst / e.kinetic, 1e-4);
        validation_row_below(v, name, "contact with the pulley at the end", on, 0);
    }
    cord_world_destroy(m.world);
}

/* One to three pulleys and two weights. Returns the energy changes at node changes, relative to the
 * largest kinetic energy at a change; the run ends when a weight is near a pulley, which it cannot
 * pass. */
static cord_cable_events run_random(validation *v, unsigned long long seed)
{
    machine m = machine_make(CORD_IMPLICIT, 9.81);
    cord_waypoint waypoints[5];
    cord_cable_events c = {0};
    int wheels = 1 + (int)(seed % 3), count = 0;
    for (int i = 0; i < 6; i++) machine_chance(&seed);
    for (int i = 0; i < wheels + 2; i++) {
        double x = -0.7 + 0.4 * i + 0.1 * machine_chance(&seed),
               z = 0.4 * machine_chance(&seed) - 0.1;
        bool end = i == 0 || i == wheels + 1;
        if (end) {
            cord_body body = machine_weight(&m, 0.3 + 2 * machine_chance(&seed), x, z - 0.4);
            waypoints[i] =
                (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = machine_on(&m, body, 0, 0)};
        } else {
            waypoints[i] = (cord_waypoint){.kind = CORD_WAYPOINT_PULLEY,
                                           .point = machine_point(&m, x, z),
                                           .radius = 0.04 + 0.08 * machine_chance(&seed),
                                           .side = machine_chance(&seed) < 0.6 ? -1 : 1};
        }
    }
    cord_strand cable =
        machine_cable(&m, 0.05 + 0.3 * machine_chance(&seed), waypoints, wheels + 2);
    for (int k = 0; k < 700 && m.status == CORD_OK; k++) {
        cord_node_state n[4] = {0};
        m.status = cord_cable_get_node_count(m.world, cable, &count);
        const int at[4] = {0, 1, count - 2, count - 1};
        for (int i = 0; i < 4 && m.status == CORD_OK; i++)
            m.status = cord_cable_get_node(m.world, cable, at[i], n + i);
        if (n[1].s - n[0].s < 0.06 || n[3].s - n[2].s < 0.06) break;
        machine_run(&m, 1e-3, 1);
    }
    if (m.status == CORD_OK) m.status = cord_cable_get_events(m.world, cable, &c);
    validation_ok(v, m.world, m.status, "a machine at random");
    cord_world_destroy(m.world);
    return c;
}

static void check_random_machines(validation *v)
{
    enum { MACHINES = 120 };
    cord_cable_events sum = {0};
    for (int i = 0; i < MACHINES; i++) {
        cord_cable_events c = run_random(v, (unsigned long long)i);
        sum.wraps += c.wraps, sum.unwraps += c.unwraps;
        sum.max_relative_unwrap_change =
            fmax(sum.max_relative_unwrap_change, c.max_relative_unwrap_change);
    }
    const char *name = "120 machines at random";
    validation_row_above(v, name, "changes", sum.wraps + sum.unwraps, 20);
    validation_row_below(v, name, "energy change at unwrapping, of the kinetic",
                         sum.max_relative_unwrap_change, 1e-4);
}

/* A straight span that wraps a peg loses the energy of the relative motion of its two parts (an
 * inelastic impact). Unwrapping keeps a node, and conserves energy. */
void check_pulley_changes(validation *v)
{
    static const struct {
        const char *name;
        double x, rate;
        int parts, steps;
        double energy;
    } cases[] = {{"comes to a peg", -0.2, 1, 1, 500, 2e-3},
                 {"leaves a peg", 0.3, -2, 1, 500, 1e-4},
                 {"wraps a peg, 8 parts", -0.2, 1, 8, 350, 2e-3},
                 {"unwraps a peg, 8 parts", 0.3, -2, 8, 300, 1e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bola t = make_bola(cases[i].x, cases[i].rate, cases[i].parts);
        losses k = run_bola(&t, 1e-3, cases[i].steps);
        if (validation_ok(v, t.m.world, t.m.status, cases[i].name)) {
            validation_row_above(v, cases[i].name, "changes", k.changes, 1);
            validation_row_below(v, cases[i].name, "relative change of momentum", k.linear, 1e-7);
            validation_row_below(v, cases[i].name, "relative change of angular momentum", k.angular,
                                 2e-6);
            validation_row_below(v, cases[i].name, "error of the length (mass conservation), m",
                                 k.length, 1e-8);
            validation_row_below(v, cases[i].name, "energy change, of the kinetic", k.energy,
                                 cases[i].energy);
        }
        cord_world_destroy(t.m.world);
    }
    check_run_off(v, "runs off a large pulley, slowly", 0.3, 0.005);
    check_run_off(v, "runs off a small pulley, fast", 0.1, 1);
    check_random_machines(v);
}
