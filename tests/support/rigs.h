/* Machines of cables in the plane y = 0: weights, pulleys, and queries of the cable. Every call
 * asserts success. */
#ifndef CORDAGE_TESTS_RIGS_H
#define CORDAGE_TESTS_RIGS_H

#include <cordage/cordage.h>

/* The frame of a pulley in that plane: angles from x to z. */
extern const double rig_upright[9];

cord_body rig_ball(cord_world *world, double mass, double x, double z);
/* Upright, in the world and on a body. */
cord_point rig_world_point(cord_world *world, double x, double z);
cord_point rig_on(cord_world *world, cord_body body, double x, double z);
cord_point rig_flywheel(cord_world *world, double inertia, double friction);

cord_waypoint rig_anchor(cord_point at);
cord_waypoint rig_pulley(cord_point at, double radius, int side);

cord_strand rig_cable(cord_world *world, const cord_cable_def *def);
/* All other parameters by default. */
cord_strand rig_route(cord_world *world, const cord_waypoint *waypoints, int count);
/* A cable that is refused and leaves no object in the world. */
void rig_refused(cord_world *world, const cord_cable_def *def, cord_status status, const char *why);

/* Length of material, from the first node to the last. */
double rig_length(cord_world *world, cord_strand cable);
int rig_node_count(cord_world *world, cord_strand cable);
cord_node_state rig_node(cord_world *world, cord_strand cable, int i);
double rig_tension(cord_world *world, cord_strand cable, int segment);
/* Whether the cable is in contact with the pulley, and, unless NULL, the wrap angle. */
bool rig_in_contact(cord_world *world, cord_strand cable, int stop, double *angle);
double rig_height(cord_world *world, cord_body body);

/* A bob of 1 kg that swings against a peg on its right, waypoint 1 of the cable. */
typedef struct rig_pendulum {
    cord_world *w;
    cord_body bob;
    cord_strand cable;
} rig_pendulum;

rig_pendulum rig_swing(int parts);

#endif
