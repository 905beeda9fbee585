/* Misuse of the public functions: every one of them is called here (tests/api_functions.sh compares with the headers)
 * without a world, with null, stale and foreign handles, with NULL for required pointers, with values out of range and
 * from within a callback. Each call returns a status and sets a message; none crashes or changes a world. */
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/picture.h>
#include <cordage/record.h>
#include <cordage/live.h>
#include <cordage/simulation.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Handles of one object of each kind, and what they need. */
typedef struct handles {
    cord_strand rope, chain, cable;
    cord_body body;
    cord_path path;
    cord_point point, place;
    cord_constraint constraint;
    cord_load load;
    cord_obstacle obstacle;
} handles;

static const double x_axis[6] = {0, 0, 0, 1, 0, 0};

static handles add_objects(cord_world *w)
{
    handles h;
    cord_strand_def chain = cord_strand_def_default();
    cord_path_def path = cord_path_def_default();
    cord_load_def load = cord_load_def_default();
    cord_cable_def cable = cord_cable_def_default();
    cord_body_def box = scene_box(0.1, 0.1, 0.1);
    h.rope = scene_rope(w, NULL, "rope", 4, x_axis, x_axis + 3);
    chain.model = CORD_MODEL_CLOTHOID, chain.vertex_count = 2, chain.positions = x_axis;
    h.chain = scene_strand(w, &chain);
    h.body = scene_body(w, &box);
    path.point_count = 2, path.points = x_axis, path.body = h.body;
    assert_fine(w, cord_world_add_path(w, &path, &h.path));
    h.point = scene_point(w, h.rope, 0);
    h.place = scene_place(w, 0, 0, 0);
    cord_waypoint ends[2] = {{.kind = CORD_WAYPOINT_ANCHOR, .point = h.place},
                             {.kind = CORD_WAYPOINT_FREE, .position = {1, 1, 0}}};
    cable.waypoint_count = 2, cable.waypoints = ends;
    assert_fine(w, cord_world_add_cable(w, &cable, &h.cable));
    h.constraint = scene_constraint(w, CORD_COINCIDE, h.point, h.place);
    load.point = h.point;
    assert_fine(w, cord_world_add_load(w, &load, &h.load));
    cord_obstacle_def floor = cord_obstacle_def_default();
    floor.point = h.place;
    assert_fine(w, cord_world_add_obstacle(w, &floor, &h.obstacle));
    return h;
}

static void assert_status(const cord_world *w, cord_status got, cord_status expected,
                          const char *call)
{
    if (got != expected)
        fail_msg("%s: %s, expected %s (%s)", call, cord_status_text(got),
                 cord_status_text(expected), cord_world_get_error(w));
    if (expected != CORD_OK) assert_true(*cord_world_get_error(w) != 0);
}

#define EXPECT(call) assert_status(w, (call), expected, #call)

/* Every function that takes a world and a handle. */
static void call_with_handles(cord_world *w, const handles *h, cord_status expected)
{
    double x[64] = {0}, y[64] = {0}, frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int n;
    bool is;
    cord_energy energy;
    cord_body_info body;
    cord_path_info path;
    cord_strand_info strand;
    cord_constraint_info constraint;
    cord_node_state node;
    cord_cable_events events;
    cord_point point;
    cord_constraint made;
    cord_load load;
    cord_path along;
    cord_strand cable;
    EXPECT(cord_world_remove_body(w, h->body));
    EXPECT(cord_body_get_info(w, h->body, &body));
    EXPECT(cord_body_get_pose(w, h->body, x, y));
    EXPECT(cord_body_get_velocity(w, h->body, x, y));
    EXPECT(cord_body_set_pose(w, h->body, x, frame));
    EXPECT(cord_body_set_velocity(w, h->body, x, y));
    EXPECT(cord_body_get_energy(w, h->body, &energy));
    EXPECT(cord_body_set_surface(w, h->body, NULL));
    EXPECT(cord_world_remove_obstacle(w, h->obstacle));
    EXPECT(cord_obstacle_get_pose(w, h->obstacle, x, y));
    EXPECT(cord_obstacle_get_velocity(w, h->obstacle, x, y));
    EXPECT(cord_world_clamp_body(w, h->body, NULL, NULL, NULL, NULL));
    EXPECT(cord_cable_get_node_count(w, h->cable, &n));
    EXPECT(cord_cable_get_node(w, h->cable, 0, &node));
    EXPECT(cord_cable_get_wrap(w, h->cable, 0, &is, x, x, x));
    EXPECT(cord_cable_get_events(w, h->cable, &events));
    EXPECT(cord_cable_get_fleet_angles(w, h->cable, 0, x, y));
    EXPECT(cord_cable_get_twist(w, h->cable, x, y));
    EXPECT(cord_cable_get_tension(w, h->cable, 0, 0.5, x));
    EXPECT(cord_cable_get_slack(w, h->cable, x));
    EXPECT(cord_world_remove_constraint(w, h->constraint));
    EXPECT(cord_constraint_get_info(w, h->constraint, &constraint));
    EXPECT(cord_constraint_get_force(w, h->constraint, x, y));
    EXPECT(cord_constraint_get_friction(w, h->constraint, x, y, x));
    EXPECT(cord_constraint_get_residual(w, h->constraint, &n, x));
    EXPECT(cord_constraint_set_drive(w, h->constraint, x, y));
    EXPECT(cord_constraint_get_drive(w, h->constraint, x, y));
    EXPECT(cord_constraint_set_attached(w, h->constraint, true));
    EXPECT(cord_constraint_get_attached(w, h->constraint, &is));
    EXPECT(cord_world_clamp_strand(w, h->rope, 0, NULL, NULL, NULL, NULL));
    EXPECT(cord_load_set_force(w, h->load, x));
    EXPECT(cord_load_set_torque(w, h->load, x));
    EXPECT(cord_load_set_coordinate_force(w, h->load, 0));
    EXPECT(cord_world_remove_load(w, h->load));
    EXPECT(cord_strand_find_natural_shape(w, h->chain, NULL, NULL));
    EXPECT(cord_world_remove_path(w, h->path));
    EXPECT(cord_path_get_info(w, h->path, &path));
    EXPECT(cord_path_get_position(w, h->path, 0, false, x, y));
    EXPECT(cord_world_remove_point(w, h->point));
    EXPECT(cord_point_get_pose(w, h->point, x, y));
    EXPECT(cord_point_get_velocity(w, h->point, x));
    EXPECT(cord_point_get_coordinate(w, h->point, x, y));
    EXPECT(cord_point_get_released(w, h->point, &is));
    EXPECT(cord_point_set_pose(w, h->place, x, frame));
    EXPECT(cord_point_move(w, h->place, x, frame));
    EXPECT(cord_world_remove_strand(w, h->rope));
    EXPECT(cord_strand_get_info(w, h->rope, &strand));
    EXPECT(cord_strand_get_positions(w, h->rope, x));
    EXPECT(cord_strand_get_coordinates(w, h->rope, x));
    EXPECT(cord_strand_find_nearest(w, h->rope, x, x, y, NULL));
    EXPECT(cord_strand_get_velocities(w, h->rope, x));
    EXPECT(cord_strand_set_positions(w, h->rope, x));
    EXPECT(cord_strand_set_velocities(w, h->rope, x));
    EXPECT(cord_strand_get_frames(w, h->rope, x));
    EXPECT(cord_strand_get_curvatures(w, h->rope, x));
    EXPECT(cord_strand_get_element_curvatures(w, h->chain, x, y));
    EXPECT(cord_strand_get_angles(w, h->rope, x));
    EXPECT(cord_strand_get_tensions(w, h->rope, x));
    EXPECT(cord_strand_get_energy(w, h->rope, &energy));
    EXPECT(cord_strand_set_load(w, h->rope, x));
    cord_schedule_def schedule_def = cord_schedule_def_default();
    EXPECT(cord_strand_set_natural_curvatures(w, h->rope, 1, x));
    EXPECT(cord_strand_set_length(w, h->rope, 1));
    EXPECT(cord_strand_set_stiffness(w, h->rope, y));
    EXPECT(cord_strand_set_schedule(w, h->rope, &schedule_def));
    cord_growth_def growth_def = cord_growth_def_default();
    EXPECT(cord_strand_set_growth(w, h->rope, &growth_def));
    EXPECT(cord_strand_set_closing_twist(w, h->rope, 0));
    cord_breakage_def breakage_def = cord_breakage_def_default();
    cord_break broken;
    EXPECT(cord_strand_set_breakage(w, h->rope, &breakage_def));
    EXPECT(cord_strand_get_breakage(w, h->rope, &breakage_def));
    EXPECT(cord_strand_cut(w, h->rope, 0.5));
    EXPECT(cord_strand_get_break_count(w, h->rope, &n));
    EXPECT(cord_strand_get_break(w, h->rope, 0, &broken));
    EXPECT(cord_strand_find_fragment(w, h->rope, 0.5, &cable, x));
    EXPECT(cord_strand_set_surface(w, h->rope, NULL));

    /* Handles in definitions. */
    cord_point_def on = cord_point_def_default();
    on.strand = h->rope, on.body = h->body, on.path = h->path, on.measured = h->point;
    for (int source = CORD_SOURCE_STRAND; source <= CORD_SOURCE_PATH; source++) {
        on.source = (cord_source)source;
        EXPECT(cord_world_add_point(w, &on, &point));
    }
    cord_constraint_def tie = cord_constraint_def_default();
    tie.first = h->point;
    EXPECT(cord_world_add_constraint(w, &tie, &made));
    cord_load_def pull = {.point = h->point};
    EXPECT(cord_world_add_load(w, &pull, &load));
    cord_obstacle_def floor = cord_obstacle_def_default();
    cord_obstacle obstacle;
    floor.point = h->point.index ? h->point : (cord_point){1, 12345};
    EXPECT(cord_world_add_obstacle(w, &floor, &obstacle));
    cord_waypoint ends[2] = {{.kind = CORD_WAYPOINT_ANCHOR, .point = h->place},
                             {.kind = CORD_WAYPOINT_FREE, .position = {1, 1, 0}}};
    cord_cable_def route = cord_cable_def_default();
    route.waypoint_count = 2, route.waypoints = ends;
    EXPECT(cord_world_add_cable(w, &route, &cable));
    cord_path_def on_body = {.point_count = 2, .points = x_axis, .body = {1, 12345}};
    if (h->body.index) on_body.body = h->body;
    EXPECT(cord_world_add_path(w, &on_body, &along));
}

/* Every function that takes a world and no handle, except those that a callback may call. */
static void call_with_world(cord_world *w, cord_status expected)
{
    const double x[3] = {0, 0, -1};
    double omega[1];
    int n;
    size_t size;
    uint64_t hash;
    cord_energy energy;
    cord_momentum momentum;
    cord_strand strand;
    cord_body body;
    cord_path path;
    cord_point point;
    cord_strand_def rope = cord_strand_def_default();
    rope.vertex_count = 2, rope.positions = x_axis;
    cord_body_def box = scene_box(1, 1, 1);
    cord_path_def line = {.point_count = 2, .points = x_axis};
    cord_point_def place = cord_point_def_default();
    EXPECT(cord_world_add_strand(w, &rope, &strand));
    EXPECT(cord_world_add_body(w, &box, &body));
    EXPECT(cord_world_add_path(w, &line, &path));
    EXPECT(cord_world_add_point(w, &place, &point));
    cord_contact_def contact = cord_contact_def_default();
    cord_obstacle_def floor = cord_obstacle_def_default();
    cord_obstacle obstacle;
    EXPECT(cord_world_set_contact(w, &contact));
    EXPECT(cord_world_set_friction(w, 0, 1, 0.5, 0));
    EXPECT(cord_world_add_obstacle(w, &floor, &obstacle));
    EXPECT(cord_world_get_contacts(w, 0, NULL, &n));
    EXPECT(cord_world_set_wind(w, NULL));
    EXPECT(cord_world_set_wind_velocity(w, x));
    EXPECT(cord_world_carry_motion(w, NULL, NULL));
    EXPECT(cord_world_set_gravity(w, x));
    EXPECT(cord_world_set_gravity_keys(w, NULL));
    EXPECT(cord_world_set_cancel(w, NULL, NULL));
    EXPECT(cord_world_step(w, 0.01));
    EXPECT(cord_world_find_equilibrium(w, NULL, NULL));
    EXPECT(cord_world_count_unstable_directions(w, &n, NULL));
    EXPECT(cord_world_find_frequencies(w, 1, omega));
    EXPECT(cord_world_get_energy(w, &energy));
    EXPECT(cord_world_get_momentum(w, &momentum));
    EXPECT(cord_world_get_state_size(w, &size));
    EXPECT(cord_world_get_state(w, omega));
    EXPECT(cord_world_set_state(w, omega, sizeof omega));
    EXPECT(cord_world_reserve_user_state(w, 1));
    EXPECT(cord_world_hash(w, &hash));
}

/* ---- no world, bad handles ----------------------------------------------------------------------- */

static void without_a_world(void **unused)
{
    (void)unused;
    handles h = {.rope = {1, 1}};
    cord_profile profile;
    cord_counters counters;
    double x[3] = {0};
    int count = 7;
    call_with_handles(NULL, &h, CORD_ERROR_ARGUMENT);
    call_with_world(NULL, CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_get_profile(NULL, &profile), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_get_counters(NULL, &counters), CORD_ERROR_ARGUMENT);
    cord_failure failure;
    assert_int_equal(cord_world_get_failure(NULL, &failure), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_prepare(NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_get_wind(NULL, x, x), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_create(NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_true(cord_world_get_time(NULL) == 0);
    assert_true(*cord_world_get_error(NULL) != 0);
    assert_null(cord_world_get_user_state(NULL, &count));
    assert_int_equal(count, 0);
    cord_world_destroy(NULL);
}

static void with_bad_handles(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL), *other = scene_world(NULL);
    handles here = add_objects(w), foreign = add_objects(other), null;
    memset(&null, 0, sizeof null);
    call_with_handles(w, &null, CORD_ERROR_HANDLE);
    double x[64];
    assert_int_equal(cord_strand_get_positions(w, null.rope, x), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(w), "null"));

    /* Both worlds have the same objects in the same slots. */
    assert_int_equal(foreign.rope.index, here.rope.index);
    call_with_handles(w, &foreign, CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(w), "another world"));

    handles beyond = foreign;
    beyond.rope.index = beyond.chain.index = beyond.cable.index = UINT32_MAX;
    beyond.body.index = beyond.path.index = beyond.point.index = beyond.place.index = 1u << 31;
    beyond.constraint.index = beyond.load.index = beyond.obstacle.index = 1000;
    call_with_handles(w, &beyond, CORD_ERROR_HANDLE);

    /* Removing the rope removes what is on it. */
    assert_fine(w, cord_world_remove_strand(w, here.rope));
    assert_int_equal(cord_point_get_pose(w, here.point, x, NULL), CORD_ERROR_HANDLE);
    assert_non_null(strstr(cord_world_get_error(w), "removed"));
    assert_int_equal(cord_load_set_force(w, here.load, x_axis), CORD_ERROR_HANDLE);
    assert_fine(w, cord_world_step(w, 0.01));
    assert_fine(other, cord_world_step(other, 0.01));
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* Hashes and checkpoints do not depend on where the generations of a world begin. */
static void worlds_are_alike(void **unused)
{
    (void)unused;
    cord_world *first = scene_world(NULL), *second = scene_world(NULL);
    handles a = add_objects(first), b = add_objects(second);
    assert_int_not_equal(a.rope.generation, b.rope.generation);
    scene_advance(first, 0.01, 3);
    scene_advance(second, 0.01, 3);
    assert_true(scene_hash(first) == scene_hash(second));
    scene_copy_state(first, second);
    assert_true(scene_hash(first) == scene_hash(second));
    cord_world_destroy(first);
    cord_world_destroy(second);
}

/* ---- missing pointers ---------------------------------------------------------------------------- */

static void without_required_pointers(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    handles h = add_objects(w);
    const cord_status expected = CORD_ERROR_ARGUMENT;
    double x[64] = {0};
    EXPECT(cord_world_add_strand(w, NULL, &h.rope));
    EXPECT(cord_world_add_body(w, NULL, &h.body));
    EXPECT(cord_world_add_path(w, NULL, &h.path));
    EXPECT(cord_world_add_point(w, NULL, &h.point));
    EXPECT(cord_world_add_constraint(w, NULL, &h.constraint));
    EXPECT(cord_world_add_load(w, NULL, &h.load));
    EXPECT(cord_world_add_cable(w, NULL, &h.cable));
    EXPECT(cord_world_add_obstacle(w, NULL, &h.obstacle));
    EXPECT(cord_world_set_contact(w, NULL));
    EXPECT(cord_obstacle_get_pose(w, h.obstacle, NULL, x));
    EXPECT(cord_obstacle_get_velocity(w, h.obstacle, NULL, x));
    EXPECT(cord_obstacle_get_velocity(w, h.obstacle, x, NULL));
    EXPECT(cord_world_get_contacts(w, 0, NULL, NULL));
    cord_strand_def strand = cord_strand_def_default();
    cord_body_def body = cord_body_def_default();
    cord_path_def path = cord_path_def_default();
    cord_point_def point = cord_point_def_default();
    cord_constraint_def constraint = cord_constraint_def_default();
    cord_load_def load = cord_load_def_default();
    cord_cable_def cable = cord_cable_def_default();
    EXPECT(cord_world_add_strand(w, &strand, NULL));
    EXPECT(cord_world_add_body(w, &body, NULL));
    EXPECT(cord_world_add_path(w, &path, NULL));
    EXPECT(cord_world_add_point(w, &point, NULL));
    EXPECT(cord_world_add_constraint(w, &constraint, NULL));
    EXPECT(cord_world_add_load(w, &load, NULL));
    EXPECT(cord_world_add_cable(w, &cable, NULL));
    EXPECT(cord_body_get_info(w, h.body, NULL));
    EXPECT(cord_body_get_pose(w, h.body, NULL, x));
    EXPECT(cord_body_get_velocity(w, h.body, NULL, NULL));
    EXPECT(cord_body_set_pose(w, h.body, NULL, x));
    EXPECT(cord_body_set_pose(w, h.body, x, NULL));
    EXPECT(cord_body_set_velocity(w, h.body, x, NULL));
    EXPECT(cord_body_get_energy(w, h.body, NULL));
    EXPECT(cord_cable_get_node_count(w, h.cable, NULL));
    EXPECT(cord_cable_get_node(w, h.cable, 0, NULL));
    EXPECT(cord_cable_get_events(w, h.cable, NULL));
    EXPECT(cord_cable_get_tension(w, h.cable, 0, 0.5, NULL));
    EXPECT(cord_cable_get_slack(w, h.cable, NULL));
    EXPECT(cord_constraint_get_info(w, h.constraint, NULL));
    EXPECT(cord_constraint_set_drive(w, h.constraint, NULL, x));
    EXPECT(cord_constraint_get_attached(w, h.constraint, NULL));
    EXPECT(cord_load_set_force(w, h.load, NULL));
    EXPECT(cord_load_set_torque(w, h.load, NULL));
    EXPECT(cord_world_get_wind(w, NULL, x));
    EXPECT(cord_world_get_wind(w, x, NULL));
    EXPECT(cord_path_get_info(w, h.path, NULL));
    EXPECT(cord_path_get_position(w, h.path, 0, true, NULL, x));
    EXPECT(cord_point_get_pose(w, h.point, NULL, x));
    EXPECT(cord_point_get_velocity(w, h.point, NULL));
    EXPECT(cord_point_get_coordinate(w, h.point, NULL, x));
    EXPECT(cord_point_get_released(w, h.point, NULL));
    EXPECT(cord_strand_get_info(w, h.rope, NULL));
    EXPECT(cord_strand_get_positions(w, h.rope, NULL));
    EXPECT(cord_strand_get_velocities(w, h.rope, NULL));
    EXPECT(cord_strand_set_positions(w, h.rope, NULL));
    EXPECT(cord_strand_set_velocities(w, h.rope, NULL));
    EXPECT(cord_strand_get_frames(w, h.rope, NULL));
    EXPECT(cord_strand_get_curvatures(w, h.rope, NULL));
    EXPECT(cord_strand_get_element_curvatures(w, h.chain, NULL, NULL));
    EXPECT(cord_strand_get_angles(w, h.rope, NULL));
    EXPECT(cord_strand_get_tensions(w, h.rope, NULL));
    EXPECT(cord_strand_get_energy(w, h.rope, NULL));
    EXPECT(cord_strand_set_load(w, h.rope, NULL));
    EXPECT(cord_strand_set_natural_curvatures(w, h.rope, 1, NULL));
    EXPECT(cord_strand_set_stiffness(w, h.rope, NULL));
    EXPECT(cord_world_set_gravity(w, NULL));
    EXPECT(cord_world_count_unstable_directions(w, NULL, NULL));
    EXPECT(cord_world_find_frequencies(w, 1, NULL));
    EXPECT(cord_world_get_energy(w, NULL));
    EXPECT(cord_world_get_momentum(w, NULL));
    EXPECT(cord_world_get_profile(w, NULL));
    EXPECT(cord_world_get_counters(w, NULL));
    EXPECT(cord_world_get_failure(w, NULL));
    EXPECT(cord_world_get_state_size(w, NULL));
    EXPECT(cord_world_get_state(w, NULL));
    EXPECT(cord_world_set_state(w, NULL, 8));
    EXPECT(cord_world_hash(w, NULL));
    cord_world_destroy(w);
}

/* Optional results may all be NULL. */
static void without_optional_pointers(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    handles h = add_objects(w);
    assert_fine(w, cord_cable_get_wrap(w, h.cable, 0, NULL, NULL, NULL, NULL));
    assert_fine(w, cord_constraint_get_force(w, h.constraint, NULL, NULL));
    assert_fine(w, cord_constraint_get_friction(w, h.constraint, NULL, NULL, NULL));
    assert_fine(w, cord_constraint_get_residual(w, h.constraint, NULL, NULL));
    assert_fine(w, cord_constraint_get_drive(w, h.constraint, NULL, NULL));
    assert_fine(w, cord_point_set_pose(w, h.place, NULL, NULL));
    assert_null(cord_world_get_user_state(w, NULL));
    cord_world_destroy(w);
}

/* ---- values out of range --------------------------------------------------------------------------- */

static const double wrong[] = {NAN, INFINITY, -INFINITY, 1e160, -1e160, 1e300};
enum { WRONG = sizeof wrong / sizeof *wrong };

static void contact_beyond_the_range(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    handles h = add_objects(w);
    cord_status expected = CORD_ERROR_ARGUMENT;
    for (int i = 0; i < WRONG; i++) {
        cord_contact_def def = cord_contact_def_default();
        cord_contact_surface surface = cord_contact_surface_default();
        cord_obstacle_def floor = cord_obstacle_def_default();
        cord_obstacle obstacle;
        def.friction = wrong[i];
        EXPECT(cord_world_set_contact(w, &def));
        def = cord_contact_def_default(), def.restitution = wrong[i];
        EXPECT(cord_world_set_contact(w, &def));
        def = cord_contact_def_default(), def.margin = wrong[i];
        EXPECT(cord_world_set_contact(w, &def));
        def = cord_contact_def_default(), def.tolerance = wrong[i];
        EXPECT(cord_world_set_contact(w, &def));
        EXPECT(cord_world_set_friction(w, 0, 0, wrong[i], 0));
        EXPECT(cord_world_set_friction(w, 0, 0, 0, wrong[i]));
        surface.radius = wrong[i];
        EXPECT(cord_strand_set_surface(w, h.rope, &surface));
        EXPECT(cord_body_set_surface(w, h.body, &surface));
        floor.position[2] = wrong[i];
        EXPECT(cord_world_add_obstacle(w, &floor, &obstacle));
        floor = cord_obstacle_def_default(), floor.frame[4] = wrong[i];
        EXPECT(cord_world_add_obstacle(w, &floor, &obstacle));
    }
    cord_contact_def def = cord_contact_def_default();
    cord_contact_surface surface = cord_contact_surface_default();
    def.max_sweeps = 0;
    EXPECT(cord_world_set_contact(w, &def));
    EXPECT(cord_world_set_friction(w, -1, 0, 0, 0));
    EXPECT(cord_world_set_friction(w, 0, 1000000, 0, 0));
    surface.material = -1;
    EXPECT(cord_body_set_surface(w, h.body, &surface));
    cord_world_destroy(w);
}

/* A vertex at 1e160 m has a length whose square overflows. */
static void strands_beyond_the_range(void **unused)
{
    (void)unused;
    for (const char *const *model = cord_model_names(); *model; model++)
        for (int i = 0; i < WRONG; i++) {
            cord_world *w = scene_world(NULL);
            const cord_status expected = CORD_ERROR_ARGUMENT;
            double x[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0, 0};
            cord_strand_def def = cord_strand_def_default();
            cord_strand strand;
            def.model = *model, def.vertex_count = 5, def.positions = x;
            x[6] = wrong[i];
            EXPECT(cord_world_add_strand(w, &def, &strand));
            x[6] = 2;
            def.damping = wrong[i];
            EXPECT(cord_world_add_strand(w, &def, &strand));
            def.damping = 0, def.load[1] = wrong[i];
            EXPECT(cord_world_add_strand(w, &def, &strand));
            def.load[1] = 0, def.material.young = wrong[i];
            EXPECT(cord_world_add_strand(w, &def, &strand));
            def.material.young = 1e9, def.section.radius = wrong[i];
            EXPECT(cord_world_add_strand(w, &def, &strand));
            def.section.radius = 1e-3, def.vertex_count = -5;
            EXPECT(cord_world_add_strand(w, &def, &strand));
            def.vertex_count = 5;
            assert_fine(w, cord_world_add_strand(w, &def, &strand));
            x[6] = wrong[i];
            if (cord_strand_set_positions(w, strand, x) != CORD_ERROR_UNSUPPORTED)
                EXPECT(cord_strand_set_positions(w, strand, x));
            if (cord_strand_set_velocities(w, strand, x) != CORD_ERROR_UNSUPPORTED)
                EXPECT(cord_strand_set_velocities(w, strand, x));
            cord_world_destroy(w);
        }
}

static void chains_that_turn_too_far(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    const cord_status expected = CORD_ERROR_ARGUMENT;
    double k[6] = {0, 1e40, 0, 0, 1e40, 0};
    cord_strand_def def = cord_strand_def_default();
    cord_strand chain;
    def.vertex_count = 2, def.element_count = 1, def.curvatures = k, def.length = 1;
    for (int i = 0; i < 2; i++) {
        def.model = i == 0 ? CORD_MODEL_HELIX : CORD_MODEL_CLOTHOID;
        for (int kinematics = 0; kinematics < 3; kinematics++) {
            def.kinematics = (cord_kinematics)kinematics;
            EXPECT(cord_world_add_strand(w, &def, &chain));
        }
    }
    cord_world_destroy(w);
}

static void values_beyond_the_range(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    handles h = add_objects(w);
    const cord_status expected = CORD_ERROR_ARGUMENT;
    const double frame[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    uint64_t before = scene_hash(w);
    for (int i = 0; i < WRONG; i++) {
        double bad[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, zero[3] = {0};
        bad[0] = wrong[i];
        cord_body_def body = scene_box(1, 1, 1);
        memcpy(body.angular_velocity, bad, sizeof body.angular_velocity);
        EXPECT(cord_world_add_body(w, &body, &h.body));
        body = scene_box(wrong[i], 1, 1);
        EXPECT(cord_world_add_body(w, &body, &h.body));
        h = add_objects(w);
        before = scene_hash(w);
        EXPECT(cord_body_set_pose(w, h.body, bad, frame));
        EXPECT(cord_body_set_velocity(w, h.body, zero, bad));
        EXPECT(cord_point_set_pose(w, h.place, bad, NULL));
        EXPECT(cord_point_move(w, h.place, bad, NULL));
        EXPECT(cord_constraint_set_drive(w, h.constraint, bad, NULL));
        EXPECT(cord_load_set_force(w, h.load, bad));
        EXPECT(cord_load_set_coordinate_force(w, h.load, wrong[i]));
        EXPECT(cord_strand_set_load(w, h.rope, bad));
        EXPECT(cord_strand_set_natural_curvatures(w, h.rope, 1, bad));
        EXPECT(cord_strand_set_length(w, h.rope, wrong[i]));
        EXPECT(cord_strand_set_stiffness(w, h.rope, bad));
        EXPECT(cord_world_set_gravity(w, bad));
        EXPECT(cord_path_get_position(w, h.path, wrong[i], true, zero, NULL));
        EXPECT(cord_world_step(w, wrong[i]));
        cord_path_def path = {.point_count = 2, .points = bad};
        EXPECT(cord_world_add_path(w, &path, &h.path));
        cord_wind_def air = cord_wind_def_default();
        air.velocity[0] = wrong[i];
        EXPECT(cord_world_set_wind(w, &air));
        cord_statics_def statics = cord_statics_def_default();
        statics.kick = wrong[i];
        EXPECT(cord_world_find_equilibrium(w, &statics, NULL));
        cord_inverse_def inverse = cord_inverse_def_default();
        inverse.margin = wrong[i];
        EXPECT(cord_strand_find_natural_shape(w, h.chain, &inverse, NULL));
        cord_world_def def = cord_world_def_default();
        cord_world *none;
        def.gravity[0] = wrong[i];
        assert_int_equal(cord_world_create(&def, &none), CORD_ERROR_ARGUMENT);
        assert_null(none);
    }
    assert_true(scene_hash(w) == before);
    cord_world_destroy(w);
}

static void counts_out_of_range(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    handles h = add_objects(w);
    const cord_status expected = CORD_ERROR_ARGUMENT;
    cord_node_state node;
    double x[3];
    for (int i = 0; i < 3; i++) {
        const int n = (const int[]){-1, INT_MIN, INT_MAX}[i];
        EXPECT(cord_cable_get_node(w, h.cable, n, &node));
        EXPECT(cord_cable_get_tension(w, h.cable, n, 0.5, x));
        EXPECT(cord_cable_get_wrap(w, h.cable, n, NULL, x, x, x));
        if (n < 0) EXPECT(cord_world_find_frequencies(w, n, x));
        if (n < 0) EXPECT(cord_world_reserve_user_state(w, n));
        cord_path_def path = {.point_count = n};
        EXPECT(cord_world_add_path(w, &path, &h.path));
        cord_cable_def cable = cord_cable_def_default();
        cord_strand none;
        cable.waypoint_count = n;
        EXPECT(cord_world_add_cable(w, &cable, &none));
        cord_keys keys = {.count = n};
        cord_point_def point = cord_point_def_default();
        point.motion = keys;
        EXPECT(cord_world_add_point(w, &point, &h.point));
        cord_wind_def air = {.vortex_count = n};
        EXPECT(cord_world_set_wind(w, &air));
    }
    cord_world_destroy(w);
}

/* A step that the time cannot resolve fails; it neither hangs nor succeeds in silence. */
static void steps_below_the_resolution_of_time(void **unused)
{
    (void)unused;
    cord_world_def def = cord_world_def_default();
    def.max_halvings = 60;
    cord_world *w;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    add_objects(w);
    cord_world_step(w, 4e-323);
    assert_fine(w, cord_world_step(w, 0.01));
    assert_int_equal(cord_world_step(w, 1e-19), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "too short"));
    cord_world_destroy(w);
}

/* ---- without a world --------------------------------------------------------------------------------- */

static void fits_without_arguments(void **unused)
{
    (void)unused;
    cord_fit fit;
    cord_fit_def def = cord_fit_def_default();
    double x[6] = {0, 0, 0, 1, 0, 0};
    assert_int_equal(cord_fit_curve(&def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_fit_curve(NULL, &fit), CORD_ERROR_ARGUMENT);
    assert_true(fit.error[0] != 0);
    assert_int_equal(cord_fit_curve(&def, &fit), CORD_ERROR_ARGUMENT);
    assert_true(fit.error[0] != 0);
    def.vertex_count = 2, def.positions = x, def.tolerance = 1e-3;
    for (int i = 0; i < WRONG; i++) {
        x[3] = wrong[i];
        assert_int_equal(cord_fit_curve(&def, &fit), CORD_ERROR_NOT_FINITE);
        assert_true(fit.error[0] != 0);
    }
    cord_fit_free(&fit);
    cord_fit_free(NULL);
    cord_fit_sample(NULL, 2, x, NULL);
    cord_fit_sample(&(cord_fit_strand){.element_count = 0}, 2, x, NULL);
}

/* Sessions without a scene, and without a session. */
static void call_sessions(void)
{
    cord_session_def def = cord_session_def_default();
    cord_session *session = NULL;
    uint64_t hash;
    size_t size;
    bool busy;
    assert_int_equal(cord_session_create(&def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_create(&def, &session), CORD_OK);
    assert_int_equal(cord_session_receive(session, 0, "", 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_leave(session, 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_advance(session, -1, 0, &busy), CORD_ERROR_ARGUMENT);
    assert_null(cord_session_next(session, &size, NULL));
    assert_int_equal(cord_session_replay(session, NULL, 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_session_hash(session, &hash), CORD_ERROR_ARGUMENT);
    cord_session_cancel(session);
    cord_session_destroy(session);
}

static void scenes_without_arguments(void **unused)
{
    (void)unused;
    cord_scene *scene = NULL;
    cord_simulation *sim = NULL;
    cord_scene_def def = cord_scene_def_default();
    assert_int_equal(cord_scene_read(NULL, NULL, &scene), CORD_ERROR_ARGUMENT);
    assert_null(scene);
    assert_int_equal(cord_scene_read("scene.yaml", NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_scene_create(NULL, &scene), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_scene_create(&def, &scene), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_create(NULL, &sim), CORD_ERROR_ARGUMENT);
    assert_null(sim);
    assert_int_equal(cord_simulation_create(NULL, NULL), CORD_ERROR_ARGUMENT);
    cord_scene_free(NULL);
    assert_int_equal(cord_scene_get_error_count(NULL), 0);
    assert_null(cord_scene_get_error(NULL, 0));
    assert_int_equal(cord_scene_get_file_count(NULL), 0);
    assert_null(cord_scene_get_file(NULL, 0));
    assert_int_equal(cord_scene_get_control_count(NULL), 0);
    assert_null(cord_scene_get_control(NULL, 0).path);
    call_sessions();
    assert_int_equal(cord_scene_get_info(NULL).strand_count, 0);
    assert_true(cord_scene_get_frame_count(NULL) == 0);
    assert_null(cord_scene_get_strand_name(NULL, 0));
    assert_null(cord_scene_get_body_name(NULL, 0));
    assert_null(cord_scene_get_path_name(NULL, 0));
    assert_null(cord_scene_get_point_name(NULL, 0));
    assert_null(cord_scene_get_clamp_name(NULL, 0));
    assert_null(cord_scene_get_constraint_name(NULL, 0));
    assert_null(cord_scene_get_joint_name(NULL, 0));
    assert_null(cord_scene_get_joint_kind(NULL, 0));
    assert_null(cord_scene_get_obstacle_name(NULL, 0));
    assert_null(cord_scene_get_solid_name(NULL, 0));
    assert_int_equal(cord_scene_get_strand_colour(NULL, 0), -1);
    assert_int_equal(cord_scene_get_body_colour(NULL, 0), -1);
    assert_int_equal(cord_scene_get_solid_colour(NULL, 0), -1);
    assert_string_equal(cord_look_names()[CORD_LOOK_HAIR], "hair");
    assert_null(cord_look_names()[CORD_LOOK_HAIR + 1]);
    assert_int_equal(cord_scene_get_strand_look(NULL, 0), CORD_LOOK_PLAIN);
    assert_int_equal(cord_scene_get_solid_look(NULL, 0), CORD_LOOK_PLAIN);
    assert_false(cord_scene_is_scenery(NULL, 0));
    assert_true(cord_scene_get_constraint_bar(NULL, 0).width == 0);
    assert_null(cord_scene_get_probe(NULL, 0).name);
    assert_null(cord_scene_get_image(NULL, 0).rgba);
    assert_null(cord_scene_get_probe_column(NULL, 0, 0, NULL));
}

/* The same calls on a simulation with these objects, beyond their number, and on NULL. */
static void call_simulation(cord_simulation *sim, int i)
{
    cord_body_info info;
    cord_strand_estimates estimates;
    double x[9], frame[9], v[3], omega[3];
    assert_int_equal(cord_simulation_get_strand(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_body(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_path(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_point(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_constraint(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_obstacle(sim, i).index, 0);
    assert_int_equal(cord_simulation_get_clamp(sim, i).point.index, 0);
    assert_int_equal(cord_simulation_get_joint(sim, i).first.index, 0);
    assert_int_not_equal(cord_simulation_get_solid(sim, i, &info), CORD_OK);
    assert_int_not_equal(cord_simulation_get_solid_motion(sim, i, x, frame, v, omega), CORD_OK);
    assert_int_not_equal(cord_simulation_get_strand_estimates(sim, i, &estimates), CORD_OK);
    assert_int_equal(cord_simulation_get_probe_item_count(sim, i), 0);
    assert_int_not_equal(cord_simulation_sample(sim, i, x), CORD_OK);
    assert_false(cord_simulation_get_expectation(sim, i).passed);
    assert_null(cord_simulation_get_error(sim, i));
    assert_null(cord_simulation_get_warning(sim, i));
}

static void simulations_out_of_range(void **unused)
{
    (void)unused;
    char path[] = "/tmp/cordage-api-XXXXXX";
    int file = mkstemp(path);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs("{cordage: 1, run: {until: 1 s, dt: 1 ms}, strands: [{name: rope, shape: {line: {from: "
          "[0, 0, 0], to: [1, 0, 0], vertices: 5}}, material: nylon, section: {circle: {radius: 1 "
          "mm}}}]}",
          out);
    fclose(out);
    cord_scene *scene;
    cord_simulation *sim;
    cord_status status = cord_scene_read(path, NULL, &scene);
    if (status != CORD_OK) fail_msg("%s", cord_scene_get_error(scene, 0));
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_OK);
    const int beyond[] = {-1, INT_MIN, 1, 1000, INT_MAX};
    for (int i = 0; i < 5; i++) {
        call_simulation(sim, beyond[i]);
        call_simulation(NULL, beyond[i]);
        assert_null(cord_scene_get_strand_name(scene, beyond[i]));
        assert_null(cord_scene_get_error(scene, beyond[i]));
        assert_null(cord_scene_get_probe(scene, beyond[i]).name);
        assert_null(cord_scene_get_image(scene, beyond[i]).rgba);
    }
    assert_int_equal(cord_simulation_get_solid(sim, 0, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_get_solid_motion(sim, 0, NULL, NULL, NULL, NULL),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_get_strand_estimates(sim, 0, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_sample(sim, 0, NULL), CORD_ERROR_ARGUMENT);

    assert_null(cord_simulation_get_scene(NULL));
    assert_null(cord_simulation_get_world(NULL));
    assert_int_equal(cord_simulation_get_error_count(NULL), 0);
    assert_int_equal(cord_simulation_get_warning_count(NULL), 0);
    assert_int_equal(cord_simulation_control(NULL, 1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_step(NULL, 1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_advise(NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_observe(NULL, true), CORD_ERROR_ARGUMENT);
    assert_int_not_equal(cord_simulation_step(sim, NAN), CORD_OK);

    /* Recorders and films. */
    cord_recorder *recorder = NULL;
    cord_recorder_def def = cord_recorder_def_default();
    const char *const formats[] = {NULL};
    assert_int_equal(cord_recorder_create(sim, &def, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_recorder_create(NULL, &def, &recorder), CORD_ERROR_ARGUMENT);
    assert_true(*cord_recorder_get_error(recorder) != 0);
    assert_int_not_equal(cord_recorder_frame(recorder), CORD_OK);
    cord_recorder_close(recorder);
    assert_int_equal(cord_recorder_create(sim, NULL, &recorder), CORD_ERROR_ARGUMENT);
    cord_recorder_close(recorder);
    assert_int_equal(cord_recorder_open(sim, NULL, formats, &recorder), CORD_ERROR_ARGUMENT);
    cord_recorder_close(recorder);
    assert_int_equal(cord_recorder_open(sim, "/tmp", NULL, &recorder), CORD_ERROR_ARGUMENT);
    cord_recorder_close(recorder);
    assert_int_equal(cord_recorder_frame(NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_recorder_failure(NULL, "a message"), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_recorder_close(NULL), CORD_OK);
    assert_true(*cord_recorder_get_error(NULL) != 0);
    cord_film *film = NULL;
    cord_picture_def picture = cord_picture_def_default();
    unsigned char rgba[4] = {0};
    assert_int_equal(cord_film_create(sim, &picture, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_create(NULL, &picture, &film), CORD_ERROR_ARGUMENT);
    assert_true(*cord_film_get_error(film) != 0);
    assert_int_not_equal(cord_film_take(film), CORD_OK);
    assert_int_not_equal(cord_film_draw(film, 0, rgba), CORD_OK);
    assert_int_not_equal(cord_film_draw_together(film, rgba), CORD_OK);
    assert_int_not_equal(cord_film_write(film, 0, "none.png"), CORD_OK);
    assert_true(isnan(cord_film_get_time(film, 0)));
    cord_film_destroy(film);
    cord_film_destroy(NULL);
    assert_int_equal(cord_film_take(NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_draw(NULL, 0, rgba), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_draw_together(NULL, rgba), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_draw_all(NULL, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_write(NULL, 0, "none.png"), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_film_get_count(NULL), 0);
    assert_true(isnan(cord_film_get_time(NULL, 0)));
    assert_true(*cord_film_get_error(NULL) != 0);
    assert_int_equal(cord_picture_write(sim, NULL, NULL), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_picture_write(NULL, "none.png", NULL), CORD_ERROR_ARGUMENT);
    cord_simulation_destroy(sim);
    cord_simulation_destroy(NULL);
    cord_scene_free(scene);
    unlink(path);
}

static void names_and_defaults(void **unused)
{
    (void)unused;
    const char *const *lists[] = {cord_model_names(), cord_constraint_names(), cord_format_names(),
                                  cord_colour_names(), cord_theme_names()};
    for (int i = 0; i < 5; i++) assert_non_null(lists[i][0]);
    assert_non_null(cord_shape_name((cord_shape_kind)1000));
    assert_string_equal(cord_status_text((cord_status)1000), "unknown status");
    assert_non_null(cord_version());
    double size[3] = {2, 1, 1}, at[2] = {0.1, 0.2}, x[3], J[6], H[9];
    cord_surface_torus(size, NULL, at, x, J, H);
    cord_surface_cone(size, NULL, at, x, J, H);
    cord_surface_ellipsoid(size, NULL, at, x, J, H);
    assert_true(isfinite(x[0]));
}

/* ---- within a callback ------------------------------------------------------------------------------- */

/* The world whose callback runs, and its objects. */
typedef struct inside {
    cord_world *w;
    handles h;
    int calls;
} inside;

static void call_from_within(inside *in)
{
    cord_world *other = in->w;
    cord_counters counters;
    cord_profile profile;
    double x[3] = {0};
    if (in->calls++ > 0) return;
    call_with_handles(in->w, &in->h, CORD_ERROR_BUSY);
    call_with_world(in->w, CORD_ERROR_BUSY);
    assert_int_equal(cord_world_create(NULL, &other), CORD_ERROR_BUSY);
    assert_null(other);
    cord_world_destroy(in->w);
    /* These are allowed. */
    assert_int_equal(cord_world_get_counters(in->w, &counters), CORD_OK);
    assert_int_equal(cord_world_get_profile(in->w, &profile), CORD_OK);
    assert_int_equal(cord_world_get_wind(in->w, x, x), CORD_OK);
    assert_true(cord_world_get_time(in->w) >= 0);
    assert_null(cord_world_get_user_state(in->w, NULL));
    assert_non_null(strstr(cord_world_get_error(in->w), "callback"));
}

static bool never(void *user)
{
    call_from_within(user);
    return false;
}

static void surface(const double size[3], void *user, const double at[2], double position[3],
                    double jacobian[6], double hessian[9])
{
    call_from_within(user);
    cord_surface_torus(size, NULL, at, position, jacobian, hessian);
}

static void calls_within_a_cancel_function(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL), *alone = scene_world(NULL);
    inside in = {.w = w, .h = add_objects(w)};
    add_objects(alone);
    assert_fine(w, cord_world_set_cancel(w, never, &in));
    scene_advance(w, 0.01, 3);
    scene_advance(alone, 0.01, 3);
    assert_true(in.calls > 1);
    assert_true(scene_hash(w) == scene_hash(alone));
    cord_world_destroy(w);
    cord_world_destroy(alone);
}

static void calls_within_a_surface(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    inside in = {.w = w, .h = add_objects(w)};
    cord_guide guide = {.kind = CORD_GUIDE_SURFACE,
                        .on = in.h.place,
                        .radius = 0.2,
                        .surface = surface,
                        .size = {1, 0.2, 0},
                        .user = &in};
    cord_cable_node nodes[2] = {{.guide = -1, .at = {2.2, 0, 0}, .s = 0},
                                {.guide = 0, .at = {0, 0, 0}, .s = 1}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand cable;
    double x[3 * 16];
    def.guide_count = 1, def.guides = &guide, def.node_count = 2, def.nodes = nodes;
    def.stretching = 10;
    assert_fine(w, cord_world_add_cable(w, &def, &cable));
    assert_true(in.calls > 0);
    in.calls = 0; /* within a query */
    assert_fine(w, cord_strand_get_positions(w, cable, x));
    assert_true(in.calls > 0);
    in.calls = 0;
    assert_fine(w, cord_world_step(w, 0.001));
    assert_true(in.calls > 0);
    cord_world_destroy(w);
}

static void *resize(void *user, void *old, size_t size)
{
    inside *in = user;
    if (in->w) call_from_within(in);
    if (size > 0) return realloc(old, size);
    free(old);
    return NULL;
}

static void calls_within_an_allocator(void **unused)
{
    (void)unused;
    cord_world_def def = cord_world_def_default();
    inside in = {0};
    cord_world *w;
    def.allocator = (cord_allocator){resize, &in};
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    in.h = add_objects(w);
    in.w = w;
    assert_fine(w, cord_world_step(w, 0.01));
    assert_true(in.calls > 0);
    in.w = NULL;
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_world),
        cmocka_unit_test(with_bad_handles),
        cmocka_unit_test(worlds_are_alike),
        cmocka_unit_test(without_required_pointers),
        cmocka_unit_test(without_optional_pointers),
        cmocka_unit_test(strands_beyond_the_range),
        cmocka_unit_test(contact_beyond_the_range),
        cmocka_unit_test(chains_that_turn_too_far),
        cmocka_unit_test(values_beyond_the_range),
        cmocka_unit_test(counts_out_of_range),
        cmocka_unit_test(steps_below_the_resolution_of_time),
        cmocka_unit_test(fits_without_arguments),
        cmocka_unit_test(scenes_without_arguments),
        cmocka_unit_test(simulations_out_of_range),
        cmocka_unit_test(names_and_defaults),
        cmocka_unit_test(calls_within_a_cancel_function),
        cmocka_unit_test(calls_within_a_surface),
        cmocka_unit_test(calls_within_an_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
