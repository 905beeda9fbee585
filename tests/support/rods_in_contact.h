/* Rods with surfaces, and obstacles. Every call asserts success. */
#ifndef CORDAGE_TESTS_RODS_IN_CONTACT_H
#define CORDAGE_TESTS_RODS_IN_CONTACT_H

#include <cordage/cordage.h>

/* EI = GJ = 10 N m², 0.1 kg/m, radius 1 cm, and the rotary inertia of a solid cylinder. Rods are this stiff since a bent
 * one that rolls also slips along itself. */
enum { ROD_EDGES = 10 };
extern const double rod_radius, rod_density;

/* A world of one thread whose forces obey Coulomb's law to 1e-11. */
cord_world *rod_world(double friction, const double gravity[3]);
cord_world *rod_world_by(cord_scheme scheme, double friction, const double gravity[3]);

/* A straight rod with dynamic twist, surface and velocity (NULL: at rest). */
cord_strand rod_between(cord_world *world, const double from[3], const double to[3],
                        const double velocity[3]);
/* The plane z = 0; with a point, the plane through it. */
cord_obstacle rod_floor(cord_world *world, cord_point point);

/* The mean velocity of the vertices. */
void rod_velocity(cord_world *world, cord_strand rod, double v[3]);
/* The sum of contact forces on a strand. */
void rod_contact_force(cord_world *world, cord_strand rod, double force[3]);
int rod_contact_count(cord_world *world);

#endif
