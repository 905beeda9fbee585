/* Machines for the checks of cables, built in the plane y = 0 with z up. */
#ifndef CORDAGE_VALIDATION_CABLES_MACHINES_H
#define CORDAGE_VALIDATION_CABLES_MACHINES_H

#include "validation/validation.h"

/* A machine under construction or running: `status` is the first failure; later calls do nothing. */
typedef struct machine {
    cord_world *world;
    cord_status status;
    bool cables_push; /* the next ones; default false */
} machine;

machine machine_make(cord_integrator integrator, double gravity);
/* A ball of radius 5 cm. */
cord_body machine_weight(machine *m, double mass, double x, double z);
/* Constrains the body to vertical translation. */
void machine_guide(machine *m, cord_body body);
/* A point of the world, and a point of a body relative to its centre. As the centre of a pulley:
 * angles are measured from x to z, so that side 1 passes below it from left to right, −1 above it. */
cord_point machine_point(machine *m, double x, double z);
cord_point machine_on(machine *m, cord_body body, double x, double z);
cord_point machine_flywheel(machine *m, double inertia);
cord_strand machine_cable(machine *m, double density, const cord_waypoint *waypoints, int count);
void machine_run(machine *m, double h, int steps);

/* Queries; 0 after a failure. */
double machine_height(machine *m, cord_body body);
double machine_revolute(machine *m, cord_point spin);
double machine_energy(machine *m);
/* Length of the cable by its nodes: distances of straight segments, radius × angle of arcs. */
double machine_length(machine *m, cord_strand cable);

/* A pseudo-random number in [0, 1). */
double machine_chance(unsigned long long *state);

#endif
