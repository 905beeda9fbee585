/* Machines for the checks of cables, built in the plane y = 0 with z up. */
#ifndef CORDAGE_VALIDATION_CABLES_MACHINES_H
#define CORDAGE_VALIDATION_CABLES_MACHINES_H

#include "validation/validation.h"

/* A machine being built or run: after a failure nothing more is done, and `status` says which. */
typedef struct machine {
    cord_world *world;
    cord_status status;
} machine;

machine machine_make(cord_integrator integrator, double gravity);
/* A ball of radius 5 cm. */
cord_body machine_weight(machine *m, double mass, double x, double z);
/* The body goes up and down, and does not turn. */
void machine_guide(machine *m, cord_body body);
/* A place in the world, and one in a body from its centre. As the centre of a wheel: angles count from x to z,
 * so that side 1 is from left to right below it, −1 above it. */
cord_point machine_place(machine *m, double x, double z);
cord_point machine_on(machine *m, cord_body body, double x, double z);
cord_point machine_rotor(machine *m, double inertia);
cord_strand machine_cable(machine *m, double density, const cord_waypoint *stops, int count);
void machine_run(machine *m, double h, int steps);

/* Queries; 0 after a failure. */
double machine_height(machine *m, cord_body body);
double machine_turn(machine *m, cord_point spin);
double machine_energy(machine *m);
/* Length of the cable as it lies, by its nodes: of a straight segment the distance, of an arc radius × angle. */
double machine_length(machine *m, cord_strand cable);

#endif
