/* A heavy bob on a light thread swings with the period 2π √(L/g) of a mathematical pendulum, for small angles. */
#include "example.h"

enum { VERTICES = 21 };

/* A point of the strand at s, joined to `other`. */
static void join(cord_world *world, cord_strand strand, double s, cord_point other)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_STRAND, def.strand = strand, def.s = s;
    cord_constraint_def joint = cord_constraint_def_default(); /* coincide: two points are one */
    must(world, cord_world_add_point(world, &def, &joint.first));
    joint.second = other;
    cord_constraint made;
    must(world, cord_world_add_constraint(world, &joint, &made));
}

int main(void)
{
    const double length = 1, angle = 0.02, step = 5e-3; /* m, rad, s */
    double x[3 * VERTICES] = {0};
    for (int i = 0; i < VERTICES; i++) {
        x[3 * i] = length * sin(angle) * i / (VERTICES - 1);
        x[3 * i + 2] = -length * cos(angle) * i / (VERTICES - 1);
    }
    cord_world *world;
    must(NULL, cord_world_create(NULL, &world));
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = VERTICES, def.positions = x;
    def.section.radius = 1e-4;
    cord_strand thread;
    must(world, cord_world_add_strand(world, &def, &thread));

    cord_point_def hook_def = cord_point_def_default(); /* a point of the world, at the origin */
    cord_point hook, eye;
    must(world, cord_world_add_point(world, &hook_def, &hook));
    join(world, thread, 0, hook);

    cord_body_def bob_def = cord_body_def_default();
    bob_def.shape.kind = CORD_SHAPE_SPHERE, bob_def.shape.radius = 5e-3;
    bob_def.mass = 1;
    for (int k = 0; k < 3; k++) bob_def.position[k] = x[3 * (VERTICES - 1) + k];
    cord_body bob;
    must(world, cord_world_add_body(world, &bob_def, &bob));
    cord_point_def eye_def = cord_point_def_default(); /* the centre of the bob */
    eye_def.source = CORD_SOURCE_BODY, eye_def.body = bob;
    must(world, cord_world_add_point(world, &eye_def, &eye));
    join(world, thread, length, eye);

    /* It passes the vertical after a quarter of a period, and after three quarters. */
    double before = x[3 * (VERTICES - 1)], quarter = 0, period = 0;
    while (period == 0) {
        double position[3];
        must(world, cord_world_step(world, step));
        must(world, cord_body_get_pose(world, bob, position, NULL));
        double time = cord_world_get_time(world);
        if (before * position[0] < 0) { /* linear between two steps */
            double crossing = time - step * position[0] / (position[0] - before);
            if (quarter == 0)
                quarter = crossing;
            else
                period = 2 * (crossing - quarter);
        }
        before = position[0];
    }
    cord_world_destroy(world);
    double closed_form = 2 * 3.14159265358979 * sqrt(length / 9.81) * (1 + angle * angle / 16);
    return compare("period, s", period, closed_form, 2e-3 * closed_form);
}
