/* Machines without friction by midpoint: their energy in long runs. */
#include "validation/bodies/parts.h"
#include "validation/cables/cables.h"
#include "validation/cables/tackle.h"
#include <math.h>

/* A spring along z between a body and where it is. */
static void add_spring(machine *m, cord_body body, double stiffness)
{
    double x[3] = {0};
    cord_relation_def def = cord_relation_def_default();
    cord_relation made;
    def.kind = CORD_PLANE;
    def.compliance = 1 / stiffness;
    if (m->status == CORD_OK) m->status = cord_body_pose(m->world, body, x, NULL);
    if (m->status == CORD_OK) m->status = part_point(m->world, body, (double[3]){0}, &def.first);
    if (m->status == CORD_OK) m->status = part_place(m->world, x, &def.second);
    if (m->status == CORD_OK) m->status = cord_world_add_relation(m->world, &def, &made);
}

/* Two weights over a wheel, the first on a spring, the second at an angle. */
static machine two_weights(double first, double second, double angle, double inertia)
{
    const double a = 0.1;
    machine m = machine_make(CORD_MIDPOINT, 9.81);
    cord_body one = machine_weight(&m, first, -a, -1.5);
    cord_body two = machine_weight(&m, second, a + sin(angle), -cos(angle));
    cord_stop stops[] = {
        {.kind = CORD_STOP_ANCHOR, .on = machine_on(&m, one, 0, 0)},
        {.kind = CORD_STOP_WHEEL, .on = machine_place(&m, 0, 0), .radius = a, .side = -1},
        {.kind = CORD_STOP_ANCHOR, .on = machine_on(&m, two, 0, 0)},
    };
    if (inertia > 0) stops[1].grip = CORD_GRIP_STICK, stops[1].spin = machine_rotor(&m, inertia);
    machine_cable(&m, 0.05, stops, 3);
    add_spring(&m, one, 60);
    return m;
}

static machine weights_on_spring(void)
{
    return two_weights(1, 1.5, 0, 0);
}

static machine weights_over_rotor(void)
{
    return two_weights(1, 1.5, 0, 5e-3);
}

/* A swinging Atwood machine: the wrap changes all the time. */
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
    cord_point drum = machine_rotor(&m, 0.02);
    const cord_stop stops[] = {
        {.kind = CORD_STOP_DRUM,
         .on = machine_place(&m, 0, 0),
         .radius = 0.1,
         .side = -1,
         .turns = 3,
         .spin = drum},
        {.kind = CORD_STOP_ANCHOR, .on = machine_on(&m, load, 0, 0)},
    };
    cord_relation_def def = cord_relation_def_default();
    cord_relation made;
    machine_cable(&m, 0.1, stops, 2);
    def.kind = CORD_SLIDE;
    def.first = drum;
    def.compliance = 2; /* rad/(N m): it falls by nearly a metre */
    if (m.status == CORD_OK) m.status = cord_world_add_relation(m.world, &def, &made);
    return m;
}

void check_machine_energy(validation *v)
{
    static const struct {
        const char *name;
        machine (*make)(void);
    } cases[] = {{"two weights, smooth wheel", weights_on_spring},
                 {"two weights, rotor", weights_over_rotor},
                 {"swinging Atwood machine", swinging},
                 {"tackle of four rotors", tackle_on_spring},
                 {"winch", winch}};
    int steps = validation_quick(v) ? 1000 : 10000;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine m = cases[i].make();
        double start = machine_energy(&m), drift = 0, kinetic = 0;
        for (int k = 0; k < steps && m.status == CORD_OK; k++) {
            machine_run(&m, 1e-3, 1);
            cord_energy now = {0};
            if (m.status == CORD_OK) m.status = cord_world_energy(m.world, &now);
            kinetic = fmax(kinetic, now.kinetic);
            drift = fmax(drift, fabs(now.total - start));
        }
        if (validation_ok(v, m.world, m.status, cases[i].name))
            validation_row_below(
                v, cases[i].name,
                validation_text(v, "energy off in %d steps, of the most kinetic", steps),
                drift / kinetic, 1e-6);
        cord_world_destroy(m.world);
    }
}
