/* Wheels that a cable comes to and leaves: what is kept when its nodes change. */
#include "validation/cables/cables.h"
#include "validation/cables/machines.h"
#include <math.h>

/* The largest of what the steps lose in which nodes change, and how many there are. */
typedef struct kept {
    double linear, angular; /* relative */
    double energy;          /* of the kinetic */
    double length;          /* of all steps, m */
    int changes;
} kept;

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
    if (m->status == CORD_OK) m->status = cord_world_momentum(m->world, &now.momentum);
    if (m->status == CORD_OK) m->status = cord_world_energy(m->world, &now.energy);
    if (m->status == CORD_OK)
        m->status = cord_cable_wrap(m->world, t->cable, 1, &now.touches, NULL, NULL, NULL);
    return now;
}

static kept run_bola(bola *t, double h, int steps)
{
    kept out = {0};
    double length = machine_length(&t->m, t->cable);
    machine_run(&t->m, h, 1); /* the cable's own velocities are found in the first */
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

/* Nothing holds it and nothing pulls: a body of 2 kg, with an anchor and, 0.5 m below it, a peg on the right,
 * and a bob of 1 kg thrown to the right or to the left. */
static bola make_bola(double x, double rate, int parts)
{
    bola t = {.m = machine_make(CORD_IMPLICIT, 0)};
    machine *m = &t.m;
    cord_body holder = machine_weight(m, 2, 0, 0), bob = machine_weight(m, 1, x, -1);
    const cord_stop stops[] = {
        {.kind = CORD_STOP_ANCHOR, .on = machine_on(m, holder, 0, 0), .parts = parts},
        {.kind = CORD_STOP_WHEEL,
         .on = machine_on(m, holder, 0.05, -0.5),
         .radius = 0.05,
         .side = 1,
         .parts = parts},
        {.kind = CORD_STOP_ANCHOR, .on = machine_on(m, bob, 0, 0)},
    };
    t.cable = machine_cable(m, 0.05, stops, 3);
    if (m->status == CORD_OK)
        m->status =
            cord_body_set_velocity(m->world, bob, (double[]){rate, 0, 0}, (double[]){0, 0, 0});
    return t;
}

/* A span that is one straight piece loses what its sides move against each other when it comes to lie on a peg or
 * leaves it. With parts, leaving costs hardly anything. */
void check_wheel_changes(validation *v)
{
    static const struct {
        const char *name;
        double x, rate;
        int parts, steps;
        double energy;
    } cases[] = {{"comes to a peg", -0.2, 1, 1, 500, 2e-3},
                 {"leaves a peg", 0.3, -2, 1, 500, 0.1},
                 {"comes to a peg, 8 parts", -0.2, 1, 8, 350, 2e-3},
                 {"leaves a peg, 8 parts", 0.3, -2, 8, 300, 1e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bola t = make_bola(cases[i].x, cases[i].rate, cases[i].parts);
        kept k = run_bola(&t, 1e-3, cases[i].steps);
        if (validation_ok(v, t.m.world, t.m.status, cases[i].name)) {
            validation_row_above(v, cases[i].name, "changes", k.changes, 1);
            validation_row_below(v, cases[i].name, "linear momentum off, relative", k.linear, 1e-7);
            validation_row_below(v, cases[i].name, "angular momentum off, relative", k.angular,
                                 2e-6);
            validation_row_below(v, cases[i].name, "length off (no mass is lost), m", k.length,
                                 1e-8);
            validation_row_below(v, cases[i].name, "energy off, of the kinetic", k.energy,
                                 cases[i].energy);
        }
        cord_world_destroy(t.m.world);
    }
}
