/* Routes, guides and nodes from which no cable can be built, and queries that a cable does not
 * support. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static void impossible_routes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_point left = rig_world_point(w, -1, 0), right = rig_world_point(w, 1, 0),
               middle = rig_world_point(w, 0, 0.1);
    cord_point spin = rig_flywheel(w, 1, 0);
    const cord_waypoint good[3] = {rig_anchor(left), rig_pulley(middle, 0.2, -1),
                                   rig_anchor(right)};
    const struct {
        cord_waypoint stop;
        int at;
        const char *why;
    } wrong[] = {
        {{.kind = (cord_waypoint_kind)9, .point = middle}, 1, "waypoint 1: unknown kind"},
        {rig_anchor(middle), 1, "waypoint 1: an anchor or a drum is at an end"},
        {{.kind = CORD_WAYPOINT_DRUM,
          .point = middle,
          .radius = 0.2,
          .side = 1,
          .turns = 1,
          .rotation = spin},
         1,
         "waypoint 1: an anchor or a drum is at an end"},
        {{.kind = CORD_WAYPOINT_EYELET, .point = left},
         0,
         "waypoint 0: a cable does not end at an eyelet"},
        {rig_pulley(right, 0.2, 1), 2, "waypoint 2: a cable does not end at an eyelet or a pulley"},
        {rig_pulley(middle, 0.2, 0), 1, "waypoint 1: the side of a pulley is 1 or -1"},
        {{.kind = CORD_WAYPOINT_PULLEY, .point = middle, .radius = 0.2, .side = 1, .turns = -1},
         1,
         "waypoint 1: turns must be"},
        {{.kind = CORD_WAYPOINT_DRUM, .point = right, .radius = 0.2, .side = 1, .rotation = spin},
         2,
         "waypoint 2: turns must be"},
        {{.kind = CORD_WAYPOINT_DRUM, .point = right, .radius = 0.2, .side = 1, .turns = 1},
         2,
         "waypoint 2: a drum needs a rotation"},
        {rig_pulley(middle, 1.5, -1), 1, "waypoint 1: the cable would have to begin inside"},
        {rig_pulley(middle, 0, -1), 1, "its radius must be above 0"},
        {rig_pulley(middle, NAN, -1), 1, "its radius must be above 0"},
        {{.kind = CORD_WAYPOINT_FREE, .position = {NAN, 0, 0}},
         1,
         "waypoint 1: its position is not finite"},
        {{.kind = CORD_WAYPOINT_EYELET, .point = left},
         1,
         "waypoints 0 and 1 are at the same position"},
        {{.kind = CORD_WAYPOINT_EYELET, .point = right, .parts = 3},
         1,
         "waypoints 1 and 2 are at the same position"},
        {{.kind = CORD_WAYPOINT_PULLEY,
          .point = middle,
          .radius = 0.2,
          .side = -1,
          .friction_law = (cord_wrap_friction)77},
         1,
         "waypoint 1: unknown friction law"},
        {{.kind = CORD_WAYPOINT_PULLEY,
          .point = middle,
          .radius = 0.2,
          .side = -1,
          .rotation = left},
         1,
         "must be a revolute coordinate or a flywheel"},
        {{.kind = CORD_WAYPOINT_PULLEY,
          .point = middle,
          .radius = 0.2,
          .side = -1,
          .friction = NAN},
         1,
         "waypoint 1: friction must be at least 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cord_waypoint waypoints[3];
        cord_cable_def def = cord_cable_def_default();
        memcpy(waypoints, good, sizeof waypoints);
        waypoints[wrong[i].at] = wrong[i].stop;
        def.waypoints = waypoints, def.waypoint_count = 3;
        rig_refused(w, &def, CORD_ERROR_ARGUMENT, wrong[i].why);
    }
    cord_cable_def def = cord_cable_def_default();
    def.waypoints = good, def.waypoint_count = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "two waypoints at least");
    def.waypoints = NULL, def.waypoint_count = 3;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def.waypoint_count = -1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def.waypoints = good, def.waypoint_count = 3;
    def.name = "hoist";
    def.density = 0;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "cable 'hoist': the density must be above 0");
    def.density = 1, def.bending = -1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "must be at least 0");
    def.bending = 0, def.stretching = 100, def.tension = -100;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "tension");
    def.tension = NAN;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "tension");
    cord_strand cable;
    def.tension = 0;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_int_equal(cord_world_add_cable(NULL, &def, &cable), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_cable(w, NULL, &cable), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_add_cable(w, &def, NULL), CORD_ERROR_ARGUMENT);
    cord_world_destroy(w);
}

static void impossible_nodes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_point left = rig_world_point(w, -1, 0), middle = rig_world_point(w, 0, 0),
               gone = rig_world_point(w, 0, 0);
    const double times[2] = {0, 1}, shifts[6] = {0, 0, 0, 1, 0, 0};
    cord_point_def scripted = cord_point_def_default();
    cord_point moving;
    scripted.motion = (cord_keys){2, times, shifts, CORD_EASE_LINEAR};
    assert_fine(w, cord_world_add_point(w, &scripted, &moving));
    assert_fine(w, cord_world_remove_point(w, gone));
    const cord_guide guides[2] = {{.kind = CORD_GUIDE_POINT, .on = left},
                                  {.kind = CORD_GUIDE_CIRCLE, .on = middle, .radius = 0.2}};
    const cord_cable_node nodes[4] = {
        {.guide = 0, .s = 0},
        {.guide = 1, .at = {2.5}, .s = 1, .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {1}, .s = 1.3, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {1, 0, 0}, .s = 2.2}};
    const cord_wrap wrap = {.segment = 1, .friction_law = CORD_WRAP_NO_SLIP};
    cord_cable_def good = cord_cable_def_default(), def;
    good.guides = guides, good.guide_count = 2;
    good.nodes = nodes, good.node_count = 4;
    good.wraps = &wrap, good.wrap_count = 1;

    cord_guide other[2];
    const struct {
        cord_guide guide;
        cord_status status;
        const char *why;
    } bad_guides[] = {
        {{.kind = (cord_guide_kind)99, .on = middle, .radius = 0.2},
         CORD_ERROR_ARGUMENT,
         "guide 1: unknown kind"},
        {{.kind = CORD_GUIDE_SPHERE, .on = middle}, CORD_ERROR_ARGUMENT, "guide 1: its radius"},
        {{.kind = CORD_GUIDE_CIRCLE, .on = gone, .radius = 0.2}, CORD_ERROR_HANDLE, "point handle"},
        {{.kind = CORD_GUIDE_CIRCLE, .on = moving, .radius = 0.2},
         CORD_ERROR_UNSUPPORTED,
         "guide 1: it must be on a body"},
    };
    for (size_t i = 0; i < sizeof bad_guides / sizeof *bad_guides; i++) {
        memcpy(other, guides, sizeof other);
        other[1] = bad_guides[i].guide;
        def = good, def.guides = other;
        rig_refused(w, &def, bad_guides[i].status, bad_guides[i].why);
    }
    const struct {
        int at;
        cord_cable_node node;
        const char *why;
    } bad_nodes[] = {
        {1,
         {.guide = 2, .at = {2.5}, .s = 1, .eulerian = true, .tangent = -1},
         "node 1: there is no such guide"},
        {1,
         {.guide = 1, .at = {NAN}, .s = 1, .eulerian = true, .tangent = -1},
         "node 1: it is not finite"},
        {1,
         {.guide = 1, .at = {1e9}, .s = 1, .eulerian = true, .tangent = -1},
         "node 1: its angle exceeds 1e4 rad"},
        {1,
         {.guide = 1, .at = {2.5}, .s = 0, .eulerian = true, .tangent = -1},
         "node 1: its material coordinate"},
        {3, {.guide = -1, .at = {1, 0, 0}, .s = 2.2, .tangent = 1}, "node 3: there is no segment"},
        {3, {.guide = -1, .at = {1, 0, 0}, .s = 2.2, .tangent = -1}, "node 3: only a circle"},
        {1,
         {.guide = 1, .at = {2.5}, .s = 1, .eulerian = true, .tangent = 1},
         "node 1: the segment it is tangent to"},
    };
    for (size_t i = 0; i < sizeof bad_nodes / sizeof *bad_nodes; i++) {
        cord_cable_node changed[4];
        memcpy(changed, nodes, sizeof changed);
        changed[bad_nodes[i].at] = bad_nodes[i].node;
        def = good, def.nodes = changed;
        rig_refused(w, &def, CORD_ERROR_ARGUMENT, bad_nodes[i].why);
    }
    cord_wrap elsewhere = {.segment = 0, .friction_law = CORD_WRAP_NO_SLIP};
    def = good, def.wraps = &elsewhere;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: its segment does not lie on a guide");
    elsewhere = (cord_wrap){.segment = 1, .friction_law = CORD_WRAP_NO_SLIP, .rotation = gone};
    rig_refused(w, &def, CORD_ERROR_HANDLE, "point handle");
    elsewhere = (cord_wrap){.segment = 1, .friction_law = (cord_wrap_friction)77};
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: unknown friction law");
    elsewhere = (cord_wrap){.segment = 1, .friction_law = CORD_WRAP_CAPSTAN, .friction = -1};
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "wrap 0: friction");
    def = good, def.node_count = 1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "two nodes at least");
    def = good, def.nodes = NULL;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.guides = NULL;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.wraps = NULL;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    def = good, def.vertex_count = -1;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "are missing");
    cord_cable_node changed[4];
    memcpy(changed, nodes, sizeof changed);
    def = good, def.lumped = true, def.nodes = changed;
    changed[3].eulerian = true;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "node 3: in a lumped cable, a node");
    changed[3].guide = 0;
    changed[0].eulerian = true;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "no node of a lumped cable stays");
    const cord_waypoint waypoints[] = {{.kind = CORD_WAYPOINT_ANCHOR, .point = left, .parts = 2},
                                       {.kind = CORD_WAYPOINT_ANCHOR, .point = middle}};
    def = good, def.lumped = true, def.waypoints = waypoints, def.waypoint_count = 2;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "have no parts");
    cord_strand cable;
    assert_fine(w, cord_world_add_cable(w, &good, &cable));
    cord_world_destroy(w);
}

static void questions(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_waypoint waypoints[] = {rig_anchor(rig_world_point(w, -1, 0)),
                                 rig_pulley(rig_world_point(w, 0, 0), 0.2, -1),
                                 rig_anchor(rig_world_point(w, 1, 0))};
    cord_strand cable = rig_route(w, waypoints, 3);
    cord_strand rope = scene_rope(w, NULL, "rope", 4, (double[]){0, 0, 0}, (double[]){1, 0, 0});
    cord_node_state state;
    double tension;
    int count;
    assert_int_equal(cord_cable_get_node_count(NULL, cable, &count), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_node_count(w, cable, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_node_count(w, rope, &count), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_get_node_count(w, (cord_strand){0}, &count), CORD_ERROR_HANDLE);
    assert_int_equal(cord_cable_get_node(w, cable, -1, &state), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_node(w, cable, 4, &state), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_node(w, cable, 0, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_node(w, rope, 0, &state), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_get_tension(w, cable, 3, 0.5, &tension), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_tension(w, cable, 0, 0.5, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_tension(w, rope, 0, 0.5, &tension), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_cable_get_wrap(w, cable, 3, NULL, NULL, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_cable_get_wrap(w, rope, 0, NULL, NULL, NULL, NULL),
                     CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impossible_routes),
        cmocka_unit_test(impossible_nodes),
        cmocka_unit_test(questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
