/* Paths in scenes: the objects that their keys define, points on them, and refusals. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define BALL "  - {name: ball, shape: {sphere: {radius: 1 cm}}}\n"
#define WHEEL                                                                                      \
    "  - name: wheel\n    shape: {cylinder: {radius: 30 cm, length: 2 cm}}\n"                      \
    "    position: [1 m, 0, 0]\n    rotation: {axis: [0, 0, 1], angle: 90 deg}\n"
#define HEAD "cordage: 1\nbodies:\n" BALL WHEEL "paths:\n"

static void keys(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD
        "  - {name: rail, through: [[0, 0, 0], [1 m, 0, 0], [2 m, 0, 0]], offset: [0, 0, 1 m]}\n"
        "  - {name: round, shape: {ring: {radius: 50 cm}}}\n"
        "  - {name: groove, through: [[0, 0, 0], [10 cm, 0, 0]], body: wheel}\n"
        "  - {name: loop, through: [[0, 0, 0], [1, 0, 0], [0, 1, 0]], closed: yes}\n");
    assert_int_equal(cord_scene_get_info(p.scene).path_count, 4);
    assert_string_equal(cord_scene_get_path_name(p.scene, 2), "groove");
    assert_null(cord_scene_get_path_name(p.scene, 4));
    assert_int_equal(cord_simulation_get_path(p.simulation, -1).index, 0);
    const double lengths[4] = {2, pi, 0.1, NAN};
    const bool closed[4] = {false, true, false, true};
    for (int i = 0; i < 4; i++) {
        cord_path_info info;
        assert_int_equal(
            cord_path_get_info(p.world, cord_simulation_get_path(p.simulation, i), &info), CORD_OK);
        if (i < 3) assert_close(info.length, lengths[i], 1e-6);
        assert_int_equal(info.closed, closed[i]);
        assert_int_equal(info.body.index != 0, i == 2);
        assert_string_equal(info.name, cord_scene_get_path_name(p.scene, i));
    }
    double x[3], t[3];
    cord_path groove = cord_simulation_get_path(p.simulation, 2),
              rail = cord_simulation_get_path(p.simulation, 0);
    assert_int_equal(cord_path_get_position(p.world, groove, 0.05, false, x, t), CORD_OK);
    assert_all_close(x, ((const double[3]){1, 0.05, 0}), 3, 1e-12); /* the wheel is rotated */
    assert_all_close(t, ((const double[3]){0, 1, 0}), 3, 1e-12);
    assert_int_equal(cord_path_get_position(p.world, rail, 0.5, true, x, NULL), CORD_OK);
    assert_all_close(x, ((const double[3]){0.5, 0, 1}), 3, 1e-12);
    played_end(p);
}

/* Named and not, sliding and not, for constraints, loads and probes. */
static void places(void **unused)
{
    (void)unused;
    played p =
        played_text(HEAD "  - {name: rail, through: [[0, 0, 0], [2 m, 0, 0]]}\n"
                         "  - {name: groove, through: [[0, 0, 0], [10 cm, 0, 0]], body: wheel}\n"
                         "points:\n"
                         "  - {name: runs, at: rail@25%, sliding: yes, friction: 2 N s/m}\n"
                         "  - {name: stays, at: rail@1.5 m}\n"
                         "  - {name: carried, at: groove@end}\n"
                         "constraints:\n"
                         "  - {name: on, kind: distance, first: ball, second: rail@middle}\n"
                         "loads:\n  - {at: runs, force: [1 N, 0, 0]}\n"
                         "probes:\n"
                         "  - {name: a, of: groove@50%, measure: position}\n"
                         "  - {name: b, of: runs, measure: coordinate}\n");
    double x[3], frame[9];
    assert_int_equal(
        cord_point_get_pose(p.world, cord_simulation_get_point(p.simulation, 0), x, frame),
        CORD_OK);
    assert_all_close(x, ((const double[3]){0.5, 0, 0}), 3, 1e-12);
    assert_int_equal(
        cord_point_get_pose(p.world, cord_simulation_get_point(p.simulation, 1), x, frame),
        CORD_OK);
    assert_all_close(x, ((const double[3]){1.5, 0, 0}), 3, 1e-12);
    assert_all_close(frame, ((const double[3]){1, 0, 0}), 3, 1e-12);
    assert_int_equal(
        cord_point_get_pose(p.world, cord_simulation_get_point(p.simulation, 2), x, frame),
        CORD_OK);
    assert_all_close(x, ((const double[3]){1, 0.1, 0}), 3, 1e-12);
    assert_all_close(frame, ((const double[3]){0, 1, 0}), 3, 1e-12);
    cord_constraint_info held;
    assert_int_equal(
        cord_constraint_get_info(p.world, cord_simulation_get_constraint(p.simulation, 0), &held),
        CORD_OK);
    assert_close(held.length, 1, 1e-12);
    assert_int_equal(cord_simulation_sample(p.simulation, 0, x), CORD_OK);
    assert_all_close(x, ((const double[3]){1, 0.05, 0}), 3, 1e-12);
    played_advance(p, 1e-3, 100);
    double s;
    assert_int_equal(cord_simulation_sample(p.simulation, 1, &s), CORD_OK);
    assert_close(s, 0.5 + 0.1 / 2, 2e-3); /* force over friction */
    played_end(p);
}

static void refused(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        {"  - {name: rail}\n", "through"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]], shape: {ring: {radius: 1}}}\n",
         "either"},
        {"  - {name: rail, shape: {ring: {radius: 1}}, closed: yes}\n", "closed by itself"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]], body: rope}\n", "nothing is called"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]], body: rail}\n", "is not a body"},
        {"  - {name: ball, through: [[0, 0, 0], [1, 0, 0]]}\n", "already taken"},
        {"  - {name: rail, through: [[0, 0, 0]]}\n", "2 to"},
        {"  - {name: rail, through: [[0, 0, 0], [0, 0, 0]]}\n", "point 1"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]]}\n"
         "points:\n  - {name: p, at: rail@130%}\n",
         "off the path"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]]}\n"
         "points:\n  - {name: p, at: rail@3 m, sliding: yes}\n",
         "not on the path"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]]}\n"
         "constraints:\n  - {kind: coincide, first: ball, second: rail}\n",
         "whole path"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]]}\nclamps:\n  - {at: rail@start}\n",
         "not a strand"},
        {"  - {name: rail, through: [[0, 0, 0], [1, 0, 0]]}\n"
         "probes:\n  - {of: rail, measure: position}\n",
         "a path has no"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1024] = HEAD;
        strncat(text, wrong[i][0], sizeof text - strlen(text) - 1);
        played_refused(text, wrong[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys),
        cmocka_unit_test(places),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
