/* Two weights on a cable over a pulley: with the masses m₁ < m₂ and a pulley of inertia I and radius r that does not
 * slip, the heavier one descends at g (m₂ − m₁) / (m₁ + m₂ + I/r²). */
#include "example.h"

static cord_point add_weight(cord_world *world, double mass, double x, double z, cord_body *body)
{
    cord_body_def def = cord_body_def_default();
    def.shape.kind = CORD_SHAPE_SPHERE, def.shape.radius = 0.03;
    def.mass = mass;
    def.position[0] = x, def.position[2] = z;
    must(world, cord_world_add_body(world, &def, body));
    cord_point_def centre = cord_point_def_default();
    centre.source = CORD_SOURCE_BODY, centre.body = *body;
    cord_point point;
    must(world, cord_world_add_point(world, &centre, &point));
    return point;
}

int main(void)
{
    const double light = 1, heavy = 1.5, radius = 0.1, inertia = 5e-3, duration = 0.5;
    static const double upright[9] = {1, 0, 0,  0, 0,
                                      1, 0, -1, 0}; /* the axis is horizontal, along −y */
    cord_world *world;
    cord_body left, right;
    must(NULL, cord_world_create(NULL, &world));

    cord_point_def axle = cord_point_def_default();
    for (int k = 0; k < 9; k++) axle.frame[k] = upright[k];
    cord_point centre, rotation;
    must(world, cord_world_add_point(world, &axle, &centre));
    axle.source = CORD_SOURCE_FLYWHEEL;
    axle.inertia = inertia;
    must(world, cord_world_add_point(world, &axle, &rotation));

    cord_waypoint route[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR, .point = add_weight(world, light, -radius, -1, &left)},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = centre,
         .radius = radius,
         .side = -1, /* clockwise, seen from the tip of the axis: over the top */
         .friction_law = CORD_WRAP_NO_SLIP,
         .rotation = rotation},
        {.kind = CORD_WAYPOINT_ANCHOR, .point = add_weight(world, heavy, radius, -1, &right)},
    };
    cord_cable_def def = cord_cable_def_default(); /* inextensible */
    def.density = 1e-7;                            /* kg/m: the closed form has no cable's mass */
    def.waypoints = route, def.waypoint_count = 3;
    cord_strand cable;
    must(world, cord_world_add_cable(world, &def, &cable));

    for (int i = 0; i < 100; i++) must(world, cord_world_step(world, duration / 100));
    double velocity[3], tension;
    must(world, cord_body_get_velocity(world, right, velocity, NULL));
    must(world, cord_cable_get_tension(world, cable, 0, 0, &tension));
    cord_world_destroy(world);

    double acceleration = 9.81 * (heavy - light) / (heavy + light + inertia / (radius * radius));
    int wrong = compare("speed, m/s", -velocity[2], acceleration * duration, 1e-6);
    return compare("tension on the light side, N", tension, light * (9.81 + acceleration), 1e-5) +
           wrong;
}
