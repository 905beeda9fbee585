/* Bodies in scenes: the objects that their keys define in the world, points on them, probes of
 * them, and refusals. */
#include "math/rotation.h"
#include "scene/simulation_data.h"
#include "support/failing_allocator.h"
#include "support/played.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

#define BOX "  - name: box\n    shape: {box: {size: [10 cm, 20 cm, 50 cm]}}\n"

static void keys(void **unused)
{
    (void)unused;
    played p = played_text("cordage: 1\nbodies:\n" BOX "    density: 700 kg/m^3\n"
                           "    position: [1 m, 2 m, 3 m]\n"
                           "    rotation: {axis: [0, 0, 2], angle: 90 deg}\n"
                           "    velocity: [1, 2, 3]\n    angular_velocity: [1 rpm, 0, 0]\n"
                           "    colour: \"#ff8000\"\n"
                           "  - name: ball\n    shape: {sphere: {radius: 10 cm}}\n    mass: 2 kg\n"
                           "  - name: can\n"
                           "    shape: {cylinder: {radius: 10 cm, length: 20 cm}}\n"
                           "  - name: pill\n"
                           "    shape: {capsule: {radius: 10 cm, length: 20 cm}}\n"
                           "  - name: top\n    mass: 2 kg\n    center: [0, 0, 4 cm]\n"
                           "    inertia: [2, 3, 4, 0.1, 0.2, 0.3]\n"
                           "    drag: 1\n    angular_drag: 2\n");
    cord_scene_info scene = cord_scene_get_info(p.scene);
    assert_int_equal(scene.body_count, 5);
    assert_string_equal(cord_scene_get_body_name(p.scene, 3), "pill");
    assert_null(cord_scene_get_body_name(p.scene, 5));
    assert_int_equal(cord_simulation_get_body(p.simulation, -1).index, 0);
    double x[3], f[9], v[3], w[3];
    cord_body box = cord_simulation_get_body(p.simulation, 0);
    assert_int_equal(cord_body_get_pose(p.world, box, x, f), CORD_OK);
    assert_int_equal(cord_body_get_velocity(p.world, box, v, w), CORD_OK);
    assert_all_close(x, ((double[]){1, 2, 3}), 3, 1e-14);
    assert_all_close(f, ((double[]){0, 1, 0, -1, 0, 0, 0, 0, 1}), 9, 1e-14);
    assert_all_close(v, ((double[]){1, 2, 3}), 3, 0);
    assert_close(w[0], 2 * pi / 60, 1e-14);
    assert_int_equal(cord_scene_get_body_colour(p.scene, 0), 0xff8000);
    assert_int_equal(cord_scene_get_body_colour(p.scene, 1), -1);
    const double masses[] = {7, 2, 1000 * pi * 0.002, 1000 * pi * (0.002 + 4e-3 / 3), 2};
    const char *const shapes[] = {"box", "sphere", "cylinder", "capsule", "none"};
    for (int i = 0; i < 5; i++) {
        cord_body_info info;
        assert_int_equal(
            cord_body_get_info(p.world, cord_simulation_get_body(p.simulation, i), &info), CORD_OK);
        assert_close(info.mass, masses[i], 1e-12);
        assert_string_equal(cord_shape_name(info.shape.kind), shapes[i]);
        if (i == 4)
            assert_close(info.principal_moments[0] + info.principal_moments[1] +
                             info.principal_moments[2],
                         9, 1e-12);
        if (i == 4) assert_close(info.center[2], 0.04, 0);
    }
    played_end(p);
}

static const char *const joined =
    "cordage: 1\nworld: {integrator: midpoint}\nrun: {until: 0.5 s, dt: 1 ms}\n"
    "strands:\n  - name: rope\n    shape: {line: {from: [0, 0, 0], to: [0, 0, -1 m], vertices: "
    "11}}\n"
    "    material: nylon\n    section: {circle: {radius: 2 mm}}\n"
    "bodies:\n  - name: box\n    repeat: {count: 3, offset: [0, 0, -20 cm]}\n"
    "    shape: {box: {size: [5 cm, 5 cm, 20 cm]}}\n    position: [0, 0, -1.1 m]\n"
    "  - name: door\n    shape: {box: {size: [1, 0.1, 2]}}\n    position: [2, 0, 0]\n"
    "    clamped: {motion: [{t: 0 s, by: [0, 0, 0]}, {t: 0.4 s, by: [0, 0, 1]}],\n"
    "      rotation: [{t: 0 s, axis: [0, 0, 1], angle: 0}, {t: 0.4 s, axis: [0, 0, 1], angle: 90 "
    "deg}]}\n"
    "clamps:\n  - {at: rope@start}\n"
    "constraints:\n"
    "  - {name: hook, kind: coincide, first: rope@end, second: {body: \"box[0]\", at: [0, 0, 10 "
    "cm]}}\n"
    "  - {name: joint, kind: coincide, first: {body: \"box[$i + 1]\", at: [0, 0, 10 cm]},\n"
    "     second: {body: \"box[$i]\", at: [0, 0, -10 cm]}, repeat: {count: 2}}\n"
    "  - {name: tie, kind: distance, first: \"box[2]\", second: [0.3, 0, -1.5]}\n"
    "loads:\n  - {at: {body: \"box[1]\"}, force: [1 N, 0, 0]}\n"
    "probes:\n  - {of: \"box[1]\", measure: position}\n  - {of: \"box[1]\", measure: energy}\n"
    "  - {name: knob, of: {body: door, at: [0.4, 0, 0], frame: [[0, 1, 0], [-1, 0, 0], [0, 0, "
    "1]]},\n"
    "     measure: frame}\n"
    "  - {name: edge, of: {body: door, at: [0.4, 0, 0]}, measure: velocity}\n"
    "  - {of: door, measure: force}\n  - {of: door, measure: torque}\n"
    "  - {of: door, measure: angular-velocity}\n  - {of: door, measure: frame}\n"
    "  - {of: door, measure: velocity}\n  - {of: hook, measure: force}\n";

static void places_and_probes(void **unused)
{
    (void)unused;
    played p = played_text(joined);
    double x[9], weight = 3 * 0.5 * 9.81;
    played_sample(p, "knob", x);
    assert_all_close(x, ((double[]){0, 1, 0, -1, 0, 0, 0, 0, 1}), 9, 1e-14);
    played_advance(p, 1e-3, 500);
    played_sample(p, "door-frame", x);
    assert_all_close(x, ((double[]){0, 1, 0, -1, 0, 0, 0, 0, 1}), 9, 1e-8);
    played_sample(p, "knob", x);
    assert_all_close(x, ((double[]){-1, 0, 0, 0, -1, 0, 0, 0, 1}), 9, 1e-8);
    played_sample(p, "door-force", x); /* at rest again: its weight */
    assert_close(x[2], 0.2 * 1000 * 9.81, 1e-3);
    played_sample(p, "hook-force", x);
    assert_true(x[2] < -0.5 * weight && x[2] > -2 * weight); /* on the rope: down */
    played_sample(p, "box[1]-position", x);
    assert_true(x[0] > 1e-3); /* pulled aside */
    played_end(p);
}

static void expect_error(const char *text, const char *message)
{
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_status status = cord__scene_read_text(text, strlen(text), &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    assert_int_not_equal(status, CORD_OK);
    bool found = simulation && strcmp(cord_simulation_get_error(simulation, 0), message) == 0;
    for (int i = 0; i < cord_scene_get_error_count(scene); i++)
        found = found || strcmp(cord_scene_get_error(scene, i), message) == 0;
    if (!found)
        fail_msg("%s\nexpected %s\ngot      %s", text, message, played_error(scene, simulation));
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

static void refused(void **unused)
{
    (void)unused;
#define SCENE "cordage: 1\nbodies:\n"
    expect_error(SCENE "  - name: a\n",
                 "scene:3:5: a body needs a shape, or a mass and an inertia");
    expect_error(SCENE BOX "    mass: 1 kg\n    density: 3\n",
                 "scene:6:5: either mass or density, not both");
    expect_error(SCENE BOX "    inertia: [1, 1, 1]\n", "scene:5:5: an inertia needs a mass");
    expect_error(SCENE BOX "    mass: 1\n    inertia: [1, 1, 1, 0]\n",
                 "scene:6:5: inertia has 3 numbers (xx, yy, zz) or 6 (then xy, xz, yz)");
    expect_error(SCENE BOX "    center: [1, 0, 0]\n",
                 "scene:5:5: a center needs an inertia, which is about it");
    expect_error(
        SCENE BOX "    clamped: maybe\n",
        "scene:5:14: clamped: expected yes, no, or a mapping with motion, orbit or rotation");
    expect_error(SCENE BOX "    rotation: {axis: [0, 0, 0], angle: 1}\n",
                 "scene:5:16: axis must not be the zero vector");
    expect_error(SCENE "  - {name: a, shape: {box: {size: [1, 0, 1]}}}\n",
                 "scene:3:29: size: the sides of a box must be above 0");
    expect_error(SCENE "  - {name: a, shape: {mesh: {file: a.obj}}}\n",
                 "scene:3:36: file: this scene cannot name files");
    expect_error(SCENE "  - {name: a, mass: 1, inertia: [1, 1, 3]}\n",
                 "scene:3:5: body: body 'a': no body has this inertia: its principal moments must "
                 "be above 0, and each at most the sum of the other two");
    expect_error(SCENE BOX "clamps:\n  - {at: box}\n",
                 "scene:6:10: a clamp is on a strand: write rope@start, rope@40% or rope@0.12 m");
    expect_error(
        SCENE BOX "clamps:\n  - {at: {body: box}}\n",
        "scene:6:10: a clamp is on a strand; a body is clamped by its own \"clamped: yes\"");
    expect_error(SCENE BOX "loads:\n  - {at: {body: bix}}\n",
                 "scene:6:10: nothing is called \"bix\" (did you mean \"box\"?)");
    expect_error(SCENE BOX "points:\n  - {name: p, at: [0, 0, 0]}\nloads:\n  - {at: {body: p}}\n",
                 "scene:8:10: \"p\" is not a body");
    expect_error(SCENE BOX "loads:\n  - {at: {body: box, frame: [[1, 0, 0]]}}\n",
                 "scene:6:22: a frame has three axes");
    expect_error(SCENE BOX "loads:\n  - {at: box@end}\n", "scene:6:10: \"box\" is not a strand");
    expect_error(SCENE BOX "probes:\n  - {of: box, measure: tension}\n",
                 "scene:6:24: a body has no tension to measure");
    expect_error(
        SCENE BOX "probes:\n  - {of: box, measure: force}\n",
        "scene:6:5: box is not clamped (\"clamped\"), so there is no force; probe a constraint "
        "on it");
    expect_error(SCENE BOX BOX, "scene:5:5: the name \"box\" is already taken");
    expect_error("cordage: 1\nbodies: []\n", "scene:1:1: a scene needs strands, cables or bodies");
}

/* ---- meshes from files -------------------------------------------------------------------------- */

static void write_file(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static const char *const cube = "# a cube of quads\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\n"
                                "v 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\nvn 0 0 1\n"
                                "f 1//1 3//1 4//1 2//1\nf 5 6 8 7\nf 1 2 6 5\r\nf 3 7 -1 4\n"
                                "f 1 5 7 3\nf 2 4 8 6\n";

static void mesh_case(const char *folder, const char *obj, const char *message)
{
    char scene_path[300], mesh_path[300], expected[500];
    snprintf(scene_path, sizeof scene_path, "%s/scene.yaml", folder);
    snprintf(mesh_path, sizeof mesh_path, "%s/cube.obj", folder);
    write_file(mesh_path, obj);
    write_file(scene_path,
               "cordage: 1\nbodies:\n  - name: cube\n"
               "    shape: {mesh: {file: cube.obj, scale: 10 cm, translation: [1, 0, 0]}}\n");
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_world *world;
    cord_status status = cord_scene_read(scene_path, NULL, &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    world = cord_simulation_get_world(simulation);
    if (message) {
        assert_int_not_equal(status, CORD_OK);
        snprintf(expected, sizeof expected, "%s/%s", folder, message);
        assert_string_equal(played_error(scene, simulation), expected);
    } else {
        if (status != CORD_OK) fail_msg("%s", played_error(scene, simulation));
        cord_body_info info;
        assert_int_equal(cord_body_get_info(world, cord_simulation_get_body(simulation, 0), &info),
                         CORD_OK);
        assert_close(info.mass, 1, 1e-12);
        assert_all_close(info.center, ((double[]){1.05, 0.05, 0.05}), 3, 1e-12);
        assert_close(info.principal_moments[1], 0.01 / 6, 1e-12);
    }
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    unlink(scene_path), unlink(mesh_path);
}

static void meshes(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/cordage-body-XXXXXX", open_cube[400];
    assert_non_null(mkdtemp(folder));
    mesh_case(folder, cube, NULL);
    mesh_case(folder, "v 1 2\n", "cube.obj:1:1: v needs three numbers");
    mesh_case(folder, "v 1 2 3\nf 1 1 2\n", "cube.obj:2:1: f names a vertex that is not there");
    mesh_case(folder, "v 1 2 3\nf 1 1\n", "cube.obj:2:1: f needs at least three vertices");
    mesh_case(folder, "v 1 2 3\nf a b c\n", "cube.obj:2:1: f needs numbers of vertices");
    mesh_case(folder, "v 1 2 3\n", "cube.obj: has no faces (f)");
    snprintf(open_cube, sizeof open_cube, "%.*s", (int)(strrchr(cube, 'f') - cube), cube);
    mesh_case(folder, open_cube,
              "scene.yaml:3:5: body: body 'cube': the mesh is not closed, or its triangles are not "
              "all anticlockwise seen from outside");
    rmdir(folder);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static void every_allocation_fails_once(void **unused)
{
    (void)unused;
    int k = 0;
    for (bool failed = true; failed; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator allocator = failing_allocator_ops(&heap);
        cord_scene *scene;
        cord_status status = cord__scene_read_source(
            &(scene_source){
                .text = joined, .size = strlen(joined), .allocator = &allocator, .piecewise = true},
            NULL, &scene);
        assert_int_equal(status, heap.failed ? CORD_ERROR_MEMORY : CORD_OK);
        cord_scene_free(scene);
        assert_int_equal(heap.live, 0);
        failed = heap.failed;
    }
    assert_true(k > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),
        cmocka_unit_test(places_and_probes),
        cmocka_unit_test(refused),
        cmocka_unit_test(meshes),
        cmocka_unit_test(every_allocation_fails_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
