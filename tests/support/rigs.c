#include "support/rigs.h"

#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <string.h>

const double rig_upright[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};

cord_body rig_ball(cord_world *world, double mass, double x, double z)
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.05};
    def.mass = mass;
    v3_set(def.position, x, 0, z);
    assert_fine(world, cord_world_add_body(world, &def, &body));
    return body;
}

static cord_point upright(cord_world *world, cord_point_def def, double x, double z)
{
    v3_set(def.position, x, 0, z);
    memcpy(def.frame, rig_upright, sizeof rig_upright);
    return scene_add_point(world, &def);
}

cord_point rig_world_point(cord_world *world, double x, double z)
{
    return upright(world, cord_point_def_default(), x, z);
}

cord_point rig_on(cord_world *world, cord_body body, double x, double z)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_BODY, def.body = body;
    return upright(world, def, x, z);
}

cord_point rig_flywheel(cord_world *world, double inertia, double friction)
{
    cord_point_def def = cord_point_def_default();
    def.source = CORD_SOURCE_FLYWHEEL, def.inertia = inertia, def.friction = friction;
    return scene_add_point(world, &def);
}

cord_waypoint rig_anchor(cord_point at)
{
    return (cord_waypoint){.kind = CORD_WAYPOINT_ANCHOR, .point = at};
}

cord_waypoint rig_pulley(cord_point at, double radius, int side)
{
    return (cord_waypoint){
        .kind = CORD_WAYPOINT_PULLEY, .point = at, .radius = radius, .side = side};
}

cord_strand rig_cable(cord_world *world, const cord_cable_def *def)
{
    cord_strand made;
    assert_fine(world, cord_world_add_cable(world, def, &made));
    return made;
}

cord_strand rig_route(cord_world *world, const cord_waypoint *waypoints, int count)
{
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = waypoints, def.waypoint_count = count;
    return rig_cable(world, &def);
}

void rig_refused(cord_world *world, const cord_cable_def *def, cord_status status, const char *why)
{
    cord_strand cable = {7, 7};
    cord_counters before, after;
    (void)scene_hash(world); /* lays out the world, whose allocations are not the cable's */
    assert_fine(world, cord_world_get_counters(world, &before));
    assert_int_equal(cord_world_add_cable(world, def, &cable), status);
    if (!strstr(cord_world_get_error(world), why)) fail_msg("'%s'", cord_world_get_error(world));
    assert_int_equal(cable.index, 0);
    assert_fine(world, cord_world_get_counters(world, &after));
    assert_int_equal(after.strands, before.strands);
    assert_int_equal(after.heap_bytes, before.heap_bytes);
}

int rig_node_count(cord_world *world, cord_strand cable)
{
    int count;
    assert_fine(world, cord_cable_get_node_count(world, cable, &count));
    return count;
}

cord_node_state rig_node(cord_world *world, cord_strand cable, int i)
{
    cord_node_state state;
    assert_fine(world, cord_cable_get_node(world, cable, i, &state));
    return state;
}

double rig_length(cord_world *world, cord_strand cable)
{
    int last = rig_node_count(world, cable) - 1;
    return rig_node(world, cable, last).s - rig_node(world, cable, 0).s;
}

double rig_tension(cord_world *world, cord_strand cable, int segment)
{
    double tension;
    assert_fine(world, cord_cable_get_tension(world, cable, segment, 0.5, &tension));
    return tension;
}

bool rig_in_contact(cord_world *world, cord_strand cable, int stop, double *angle)
{
    bool found;
    assert_fine(world, cord_cable_get_wrap(world, cable, stop, &found, angle, NULL, NULL));
    return found;
}

double rig_height(cord_world *world, cord_body body)
{
    double x[3];
    assert_fine(world, cord_body_get_pose(world, body, x, NULL));
    return x[2];
}

rig_pendulum rig_swing(int parts)
{
    rig_pendulum t = {.w = scene_world_in(CORD_IMPLICIT, 9.81)};
    t.bob = rig_ball(t.w, 1, -0.6, -0.8);
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(t.w, 0, 0)),
                                 rig_pulley(rig_world_point(t.w, 0.03, -0.5), 0.03, 1),
                                 rig_anchor(rig_on(t.w, t.bob, 0, 0))};
    waypoints[0].parts = waypoints[1].parts = parts;
    t.cable = rig_route(t.w, waypoints, 3);
    return t;
}
