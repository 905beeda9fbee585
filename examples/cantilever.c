/* A rod clamped horizontally bends under a small load at its tip: the deflection is P L³ / 3 EI. */
#include "example.h"

enum { VERTICES = 41 };

int main(void)
{
    const double length = 0.4, load = 1e-3; /* m, N */
    double x[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) x[3 * i] = length * i / (VERTICES - 1);

    cord_world_def world_def = cord_world_def_default();
    world_def.gravity[2] = 0;
    cord_world *world;
    must(NULL, cord_world_create(&world_def, &world));

    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = VERTICES, def.positions = x;
    def.section.radius = 2e-3;
    def.material.young = 2.7e9;
    cord_strand rod;
    must(world, cord_world_add_strand(world, &def, &rod));
    must(world, cord_world_clamp_strand(world, rod, 0, NULL, NULL, NULL, NULL));

    cord_point_def tip_def = cord_point_def_default();
    tip_def.source = CORD_SOURCE_STRAND, tip_def.strand = rod, tip_def.s = length;
    cord_point tip;
    must(world, cord_world_add_point(world, &tip_def, &tip));
    cord_load_def load_def = cord_load_def_default();
    load_def.point = tip, load_def.force[2] = -load;
    cord_load weight;
    must(world, cord_world_add_load(world, &load_def, &weight));

    must(world, cord_world_find_equilibrium(world, NULL, NULL));
    double position[3];
    must(world, cord_point_get_pose(world, tip, position, NULL));

    double inertia = 3.14159265358979 * pow(def.section.radius, 4) / 4;
    double deflection = load * pow(length, 3) / (3 * def.material.young * inertia);
    cord_world_destroy(world);
    return compare("deflection, m", -position[2], deflection, 1e-3 * deflection);
}
