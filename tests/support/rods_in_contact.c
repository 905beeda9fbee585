#include "support/rods_in_contact.h"

#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

const double rod_radius = 0.01, rod_density = 0.1;

cord_world *rod_world(double friction, const double gravity[3])
{
    return rod_world_by(CORD_TR_BDF2, friction, gravity);
}

cord_world *rod_world_by(cord_scheme scheme, double friction, const double gravity[3])
{
    cord_world *w = scene_world(&(integration){"implicit", CORD_IMPLICIT, scheme});
    cord_contact_def def = cord_contact_def_default();
    def.friction = friction;
    def.tolerance = 1e-11;
    assert_fine(w, cord_world_set_contact(w, &def));
    assert_fine(w, cord_world_set_gravity(w, gravity));
    return w;
}

cord_strand rod_between(cord_world *world, const double from[3], const double to[3],
                        const double velocity[3])
{
    cord_strand_def def = cord_strand_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    double x[3 * (ROD_EDGES + 1)], v[3 * (ROD_EDGES + 1)];
    for (int i = 0; i <= ROD_EDGES; i++)
        for (int k = 0; k < 3; k++) {
            x[3 * i + k] = from[k] + (to[k] - from[k]) * i / ROD_EDGES;
            v[3 * i + k] = velocity ? velocity[k] : 0;
        }
    def.vertex_count = ROD_EDGES + 1;
    def.positions = x;
    def.velocities = v;
    def.section = scene_section();
    def.section.bending[0] = def.section.bending[1] = def.section.twisting = 10;
    def.section.rotary_inertia = 0.5 * rod_density * rod_radius * rod_radius;
    def.twist_mode = CORD_TWIST_DYNAMIC;
    cord_strand rod = scene_strand(world, &def);
    assert_fine(world, cord_strand_set_surface(world, rod, &surface));
    return rod;
}

cord_obstacle rod_floor(cord_world *world, cord_point point)
{
    cord_obstacle_def def = cord_obstacle_def_default();
    cord_obstacle made;
    def.name = "floor";
    def.point = point;
    assert_fine(world, cord_world_add_obstacle(world, &def, &made));
    return made;
}

void rod_velocity(cord_world *world, cord_strand rod, double v[3])
{
    double all[3 * (ROD_EDGES + 1)];
    assert_fine(world, cord_strand_get_velocities(world, rod, all));
    v3_set(v, 0, 0, 0);
    for (int i = 0; i <= ROD_EDGES; i++) v3_axpy(v, 1.0 / (ROD_EDGES + 1), all + 3 * i);
}

void rod_contact_force(cord_world *world, cord_strand rod, double force[3])
{
    enum { MOST = 400 };
    static cord_contact list[MOST];
    int count;
    assert_fine(world, cord_world_get_contacts(world, MOST, list, &count));
    assert_true(count <= MOST);
    v3_set(force, 0, 0, 0);
    for (int i = 0; i < count; i++) {
        if (list[i].first.strand.index == rod.index) v3_axpy(force, 1, list[i].force);
        if (list[i].second.strand.index == rod.index) v3_axpy(force, -1, list[i].force);
    }
}

int rod_contact_count(cord_world *world)
{
    int count;
    assert_fine(world, cord_world_get_contacts(world, 0, NULL, &count));
    return count;
}
