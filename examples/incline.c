/* A rod that lies down a ramp slides with the acceleration g (sin α − μ cos α), by Coulomb's law. */
#include "example.h"

enum { VERTICES = 11, STEPS = 100 };

int main(void)
{
    const double length = 0.2, radius = 0.01, slope = 0.5, friction = 0.3, step = 2e-3;
    const double down[3] = {cos(slope), 0, -sin(slope)}, normal[3] = {sin(slope), 0, cos(slope)};
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++)
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = length * i / (VERTICES - 1) * down[k] + radius * normal[k];

    cord_world *world;
    must(NULL, cord_world_create(NULL, &world));
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = VERTICES, def.positions = x;
    def.section.radius = radius;
    cord_strand rod;
    must(world, cord_world_add_strand(world, &def, &rod));

    cord_contact_def contact = cord_contact_def_default();
    contact.friction = friction;
    must(world, cord_world_set_contact(world, &contact));
    cord_contact_surface surface = cord_contact_surface_default(); /* the radius of the section */
    must(world, cord_strand_set_surface(world, rod, &surface));
    cord_obstacle_def ramp = cord_obstacle_def_default(); /* a plane, solid below */
    for (int k = 0; k < 3; k++) ramp.frame[k] = down[k], ramp.frame[6 + k] = normal[k];
    ramp.frame[4] = 1;
    cord_obstacle made;
    must(world, cord_world_add_obstacle(world, &ramp, &made));

    for (int i = 0; i < STEPS; i++) must(world, cord_world_step(world, step));
    double v[3 * VERTICES];
    must(world, cord_strand_get_velocities(world, rod, v));
    double speed = v[0] * down[0] + v[2] * down[2];
    cord_world_destroy(world);
    double acceleration = 9.81 * (sin(slope) - friction * cos(slope));
    return compare("speed, m/s", speed, acceleration * step * STEPS, 1e-3 * speed);
}
