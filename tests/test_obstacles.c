/* Obstacles and surfaces of a world: adding, removing and carrying them, and the set of contacts that the solver is given. */
#include "math/rotation.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/contacts.h"

#include <string.h>

static const double octahedron[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
static const int faces[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                              2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};

static cord_obstacle add(cord_world *w, const cord_obstacle_def *def)
{
    cord_obstacle o;
    assert_fine(w, cord_world_add_obstacle(w, def, &o));
    return o;
}

static const contact_set *set_of(cord_world *w)
{
    assert_fine(w, cord__world_layout(w));
    return w->problem.contacts;
}

static cord_body add_box(cord_world *w, double x)
{
    cord_body_def box = scene_box(0.2, 0.4, 0.6);
    box.position[0] = x;
    return scene_body(w, &box);
}

static void give_surface(cord_world *w, cord_body body, int material)
{
    cord_contact_surface s = cord_contact_surface_default();
    s.material = material;
    assert_fine(w, cord_body_set_surface(w, body, &s));
}

/* The solver sees contacts only where an object has a surface. */
static void a_surface_enables_contact(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body body = add_box(w, 0);
    cord_obstacle_def def = cord_obstacle_def_default();
    assert_null(set_of(w));
    add(w, &def);
    assert_null(set_of(w));
    give_surface(w, body, 0);
    const contact_set *k = set_of(w);
    assert_non_null(k);
    assert_int_equal(k->obstacles, 2);
    assert_ptr_equal(k->obstacle[0].shape.ops, &cord__plane_shape);
    assert_ptr_equal(k->obstacle[1].shape.ops, &cord__box_shape);
    assert_true(k->obstacle[1].shape.half[2] == 0.3 && k->obstacle[1].low[2] == -0.3);
    assert_int_equal(k->carrier[0].block, -1);
    assert_int_equal(k->carrier[1].block, 0);
    assert_fine(w, cord_body_set_surface(w, body, NULL));
    assert_null(set_of(w));
    cord_world_destroy(w);
}

/* Every kind, with the parameters of its definition. */
static void kinds(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    const double values[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    cord_obstacle_def def = cord_obstacle_def_default();
    give_surface(w, add_box(w, 0), 0);
    def.kind = CORD_OBSTACLE_SHAPE;
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.5};
    add(w, &def);
    def.shape = (cord_shape){.kind = CORD_SHAPE_CAPSULE, .radius = 0.5, .length = 3};
    add(w, &def);
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 6,
                             .triangle_count = 8,
                             .vertices = octahedron,
                             .triangles = faces};
    add(w, &def);
    def.kind = CORD_OBSTACLE_HEIGHT_FIELD;
    def.count[0] = 3, def.count[1] = 4, def.spacing = 0.1, def.values = values;
    add(w, &def);
    def.kind = CORD_OBSTACLE_DISTANCE_GRID;
    def.count[0] = 2, def.count[1] = 2, def.count[2] = 3;
    add(w, &def);
    const contact_set *k = set_of(w);
    assert_int_equal(k->obstacles, 6);
    assert_true(k->obstacle[0].shape.radius == 0.5);
    assert_true(k->obstacle[1].shape.half_length == 1.5);
    assert_int_equal(k->obstacle[2].shape.mesh->triangle_count, 8);
    assert_true(k->obstacle[3].shape.field.height[11] == 12);
    assert_true(k->obstacle[3].shape.field.height != values);
    assert_int_equal(k->obstacle[4].shape.grid.count[2], 3);
    cord_world_destroy(w);
}

static void expect_refused(cord_world *w, const cord_obstacle_def *def, cord_status expected,
                           const char *message)
{
    cord_obstacle o = {7, 7};
    assert_int_equal(cord_world_add_obstacle(w, def, &o), expected);
    if (!strstr(cord_world_get_error(w), message)) fail_msg("%s", cord_world_get_error(w));
    assert_int_equal(o.index, 0);
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    const double values[8] = {0}, ends[6] = {0, 0, 0, 1, 0, 0};
    cord_strand rope = scene_rope(w, NULL, "rope", 4, ends, ends + 3);
    cord_obstacle_def def = cord_obstacle_def_default();
    def.name = "wall";
    def.kind = (cord_obstacle_kind)9;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "obstacle 'wall': its kind");
    def.kind = CORD_OBSTACLE_SHAPE;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "shape");
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = -1};
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "radius");
    def.shape = (cord_shape){.kind = CORD_SHAPE_MESH,
                             .vertex_count = 6,
                             .triangle_count = 7,
                             .vertices = octahedron,
                             .triangles = faces};
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "not closed");
    def.kind = CORD_OBSTACLE_HEIGHT_FIELD;
    def.count[0] = 1, def.count[1] = 2, def.spacing = 1, def.values = values;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "2 nodes");
    def.count[0] = 2, def.spacing = 0;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "distance of its nodes");
    def.spacing = 1, def.values = NULL;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "values");
    def.kind = CORD_OBSTACLE_DISTANCE_GRID, def.count[0] = def.count[1] = def.count[2] = 1 << 20;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "too many");
    def = cord_obstacle_def_default();
    def.point = scene_point(w, rope, 0.5);
    expect_refused(w, &def, CORD_ERROR_UNSUPPORTED, "only a point of the world or of a body");
    def = cord_obstacle_def_default();
    def.surface.material = 5000;
    expect_refused(w, &def, CORD_ERROR_ARGUMENT, "material");
    cord_body bare;
    cord_contact_surface surface = cord_contact_surface_default();
    cord_body_def mass = cord_body_def_default();
    mass.mass = 1, mass.inertia[0] = mass.inertia[4] = mass.inertia[8] = 1;
    bare = scene_body(w, &mass);
    assert_int_equal(cord_body_set_surface(w, bare, &surface), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

/* Position and frame of an obstacle from its carrier's pose, as the solver composes them, against cord_obstacle_get_pose(). */
static void assert_carried(const cord_world *w, int index, cord_obstacle o)
{
    const contact_set *k = w->problem.contacts;
    const obstacle_carrier *c = k->carrier + index;
    const block *b = w->problem.block[c->block];
    double frame[9], x[3], R[9], expected_x[3], expected_R[9];
    q4_matrix(frame, w->problem.now.q + b->q0 + 3);
    cord__compose(w->problem.now.q + b->q0, frame, c->x, c->R, x, R);
    assert_fine(w, cord_obstacle_get_pose(w, o, expected_x, expected_R));
    for (int i = 0; i < 3; i++) assert_close(x[i], expected_x[i], 1e-14);
    for (int i = 0; i < 9; i++) assert_close(R[i], expected_R[i], 1e-14);
}

/* An obstacle on a body is given in the principal axes of the body, which are not those of its definition here. */
static void carried_by_a_body(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = {.mass = 2,
                         .center = {0.1, -0.2, 0.3},
                         .inertia = {3, 0.3, 0.1, 0.3, 2, -0.2, 0.1, -0.2, 2.5},
                         .position = {1, 2, 3},
                         .frame = {0, 1, 0, -1, 0, 0, 0, 0, 1},
                         .angular_velocity = {1, 2, 3},
                         .shape = {.kind = CORD_SHAPE_BOX, .size = {1, 1, 1}}};
    cord_body body = scene_body(w, &def);
    cord_point_def on = cord_point_def_default();
    on.source = CORD_SOURCE_BODY, on.body = body;
    on.position[0] = 0.5;
    const double frame[9] = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    memcpy(on.frame, frame, sizeof frame);
    cord_point on_body;
    assert_fine(w, cord_world_add_point(w, &on, &on_body));
    cord_obstacle_def plane = cord_obstacle_def_default();
    plane.point = on_body, plane.position[1] = 0.25;
    const double tilted[9] = {0.6, 0.8, 0, -0.8, 0.6, 0, 0, 0, 1};
    memcpy(plane.frame, tilted, sizeof tilted);
    cord_obstacle o = add(w, &plane);
    give_surface(w, body, 0);
    assert_non_null(set_of(w));
    assert_carried(w, 0, o);
    scene_advance(w, 0.01, 5);
    assert_carried(w, 0, o);

    /* The shape of the body, in the same axes. */
    double x[3], R[9], at[3], axes[9];
    const obstacle_carrier *c = w->problem.contacts->carrier + 1;
    q4_matrix(axes, w->problem.now.q + 3);
    cord__compose(w->problem.now.q, axes, c->x, c->R, x, R);
    assert_fine(w, cord_body_get_pose(w, body, at, axes));
    for (int i = 0; i < 3; i++) assert_close(x[i], at[i], 1e-14);
    for (int i = 0; i < 9; i++) assert_close(R[i], axes[i], 1e-14);

    assert_fine(w, cord_world_remove_body(w, body));
    assert_int_equal(cord_obstacle_get_pose(w, o, at, NULL), CORD_ERROR_HANDLE);
    assert_int_equal(w->obstacles.used, 0);
    cord_world_destroy(w);
}

static void carried_by_a_script(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    give_surface(w, add_box(w, 5), 0);
    const double times[2] = {0, 1}, path[6] = {0, 0, 0, 2, 0, 0};
    cord_point_def def = cord_point_def_default();
    def.position[1] = 1;
    def.motion = (cord_keys){.count = 2, .times = times, .values = path};
    cord_point p;
    assert_fine(w, cord_world_add_point(w, &def, &p));
    cord_obstacle_def plane = cord_obstacle_def_default();
    plane.point = p, plane.position[2] = -0.5;
    cord_obstacle o = add(w, &plane);
    const contact_set *k = set_of(w);
    assert_int_equal(k->carrier[0].point, (int)p.index - 1);
    assert_true(k->carrier[0].x[2] == -0.5);
    scene_advance(w, 0.1, 5);
    double x[3];
    assert_fine(w, cord_obstacle_get_pose(w, o, x, NULL));
    assert_close(x[1], 1, 0);
    assert_close(x[2], -0.5, 0);
    assert_true(x[0] > 0.5 && x[0] < 1.5);
    assert_fine(w, cord_world_remove_point(w, p));
    assert_int_equal(cord_world_remove_obstacle(w, o), CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

/* The table of laws is symmetric, has the default where no pair is set, and follows a change of it. */
static void friction_of_materials(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_contact_def parameters = cord_contact_def_default();
    give_surface(w, add_box(w, 0), 2);
    give_surface(w, add_box(w, 5), 0);
    assert_fine(w, cord_world_set_friction(w, 2, 0, 0.7, 0.1));
    assert_fine(w, cord_world_set_friction(w, 999, 999, 0.9, 0));
    const contact_set *k = set_of(w);
    assert_int_equal(k->materials, 3);
    assert_true(k->law[2].friction == 0.7 && k->law[6].friction == 0.7);
    assert_true(k->law[2].restitution == 0.1 && k->law[8].friction == 0.3);
    parameters.friction = 0.5;
    assert_fine(w, cord_world_set_contact(w, &parameters));
    assert_fine(w, cord_world_set_friction(w, 0, 2, 0.6, 0));
    k = set_of(w);
    assert_true(k->law[2].friction == 0.6 && k->law[6].friction == 0.6);
    assert_true(k->law[8].friction == 0.5 && k->def.friction == 0.5);
    cord_world_destroy(w);
}

static cord_world *remembering_world(int remembered)
{
    cord_world *w = scene_world(NULL);
    give_surface(w, add_box(w, 0), 0);
    assert_fine(w, cord__world_ready(w));
    assert_fine(w, cord__contacts_reserve(w, remembered));
    contact_set *k = w->problem.contacts;
    k->remembered = remembered;
    for (int i = 0; i < remembered; i++)
        k->memory[i] = (contact_memory){.key = 10 + (uint64_t)i, .force = {1, 2, 3 * i}};
    return w;
}

/* The forces of contacts are state; their number differs between two states of a world. */
static void contacts_in_checkpoints(void **unused)
{
    (void)unused;
    cord_world *from = remembering_world(5), *to = remembering_world(2);
    assert_true(scene_hash(from) != scene_hash(to));
    scene_copy_state(from, to);
    const contact_set *k = to->problem.contacts;
    assert_int_equal(k->remembered, 5);
    assert_true(k->memory[4].key == 14 && k->memory[4].force[2] == 12);
    assert_true(scene_hash(from) == scene_hash(to));
    cord_world *none = remembering_world(0);
    scene_copy_state(none, from);
    assert_int_equal(from->problem.contacts->remembered, 0);
    assert_true(scene_hash(from) == scene_hash(none));
    cord_world_destroy(from);
    cord_world_destroy(to);
    cord_world_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_enables_contact),
        cmocka_unit_test(kinds),
        cmocka_unit_test(refused),
        cmocka_unit_test(carried_by_a_body),
        cmocka_unit_test(carried_by_a_script),
        cmocka_unit_test(friction_of_materials),
        cmocka_unit_test(contacts_in_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
