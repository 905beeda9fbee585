/* Scenery in scenes: solids that are only drawn, in the world and on bodies; looks; bars; refusals. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "cordage: 1\n"                                                                                 \
    "world: {gravity: [0, 0, 0]}\n"                                                                \
    "run: {until: 1 s, dt: 10 ms}\n"                                                               \
    "bodies: [{name: wheel, shape: {sphere: {radius: 0.1}}, visible: no, position: [1, 0, 0], "    \
    "velocity: [1, 0, 0], angular_velocity: [0, 0, 2]}]\n"

static cord_body_info solid(played p, int i)
{
    cord_body_info info;
    assert_int_equal(cord_simulation_get_solid(p.simulation, i, &info), CORD_OK);
    return info;
}

/* After a second the wheel is at (2, 0, 0), rotated by 2 rad; scenery on it moves with it. */
static void moves_with_its_body(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "scenery:\n"
                                "  - {gear: {radius: 0.2, width: 0.05, teeth: 12}, on: wheel, at: "
                                "[0.5, 0, 0], look: steel}\n"
                                "  - {name: post, stand: {foot: [0, 0, -1], to: [[0.3, 0, 0]], "
                                "radius: 0.02}, colour: brown, look: wood}\n");
    assert_int_equal(cord_scene_get_info(p.scene).solid_count, 3);
    assert_int_equal(solid(p, 0).shape.kind, CORD_SHAPE_NONE); /* not visible */
    assert_true(solid(p, 1).shape.kind == CORD_SHAPE_MESH && solid(p, 1).mass == 0);
    assert_string_equal(cord_scene_get_solid_name(p.scene, 2), "post");
    assert_int_equal(cord_scene_get_solid_colour(p.scene, 2), 0x7a5236);
    assert_int_equal(cord_scene_get_solid_look(p.scene, 1), CORD_LOOK_STEEL);
    assert_int_equal(cord_scene_get_solid_look(p.scene, 2), CORD_LOOK_WOOD);
    assert_true(cord_scene_is_scenery(p.scene, 1) && !cord_scene_is_scenery(p.scene, 0));
    played_advance(p, 0.01, 100);
    double x[3], frame[9], v[3], angular[3];
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 1, x, frame, v, angular),
                     CORD_OK);
    assert_close(x[0], 2 + 0.5 * cos(2), 1e-3);
    assert_close(x[1], 0.5 * sin(2), 1e-3);
    assert_close(frame[0], cos(2), 1e-3);
    assert_close(v[0], 1 - sin(2), 1e-3);
    assert_close(angular[2], 2, 1e-6);
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 2, x, frame, v, angular),
                     CORD_OK);
    assert_true(x[0] == 0 && frame[0] == 1 && v[0] == 0 && angular[2] == 0);
    played_end(p);
}

/* An obstacle goes 2 m along y in a second; scenery on it, 0.5 m above, goes with it. */
static void moves_with_its_obstacle(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "obstacles: [{name: head, sphere: {radius: 0.1}, at: [3, 0, 0], "
                                "moves: {motion: [{t: 0 s, by: [0, 0, 0]}, {t: 1 s, by: [0, 2, "
                                "0]}], ease: linear}}]\n"
                                "scenery: [{name: hat, box: {size: [1, 1, 1]}, on: head, at: [0, "
                                "0, 0.5]}]\n");
    int count = cord_scene_get_info(p.scene).solid_count;
    assert_string_equal(cord_scene_get_solid_name(p.scene, count - 1), "hat");
    played_advance(p, 0.01, 50);
    double x[3], frame[9], v[3], angular[3];
    assert_int_equal(
        cord_simulation_get_solid_motion(p.simulation, count - 1, x, frame, v, angular), CORD_OK);
    assert_close(x[0], 3, 1e-12);
    assert_close(x[1], 1, 1e-9);
    assert_close(x[2], 0.5, 1e-12);
    assert_close(v[1], 2, 1e-9);
    played_end(p);
}

/* A gear lies between its root and its addendum, a stand between its foot and its arm. */
static void shapes_have_their_sizes(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "scenery:\n"
                                "  - {gear: {radius: 0.2, width: 0.05, teeth: 20}}\n"
                                "  - {stand: {foot: [0, 0, -1], to: [[0.3, 0, 0], [0, 0, 0.5]], "
                                "radius: 0.02}}\n");
    const cord_shape gear = solid(p, 1).shape, stand = solid(p, 2).shape;
    double reach = 0, low = 0, right = 0, top = 0;
    for (int i = 0; i < gear.vertex_count; i++)
        reach = fmax(reach, hypot(gear.vertices[3 * i], gear.vertices[3 * i + 1]));
    assert_close(reach, 0.2 * (1 + 2.0 / 20), 1e-12);
    for (int i = 0; i < stand.vertex_count; i++) {
        right = fmax(right, stand.vertices[3 * i]), low = fmin(low, stand.vertices[3 * i + 2]);
        top = fmax(top, stand.vertices[3 * i + 2]);
    }
    assert_close(right, 0.3, 1e-12);
    assert_close(low, -1, 1e-12);
    assert_close(top, 0.5, 1e-12);
    for (int i = 0; i < 3 * gear.triangle_count; i++)
        assert_in_range(gear.triangles[i], 0, gear.vertex_count - 1);
    played_end(p);
}

/* By the material, unless the key says otherwise; of cables rope. */
static void looks(void **unused)
{
    (void)unused;
    static const struct {
        const char *keys;
        cord_look look;
    } cases[] = {{"material: steel", CORD_LOOK_STEEL},
                 {"material: hair", CORD_LOOK_HAIR},
                 {"material: oak", CORD_LOOK_WOOD},
                 {"material: nylon", CORD_LOOK_ROPE},
                 {"material: rubber, look: steel", CORD_LOOK_STEEL},
                 {"material: {density: 1000, young: 1 MPa}", CORD_LOOK_PLAIN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "cordage: 1\nstrands: [{name: a, shape: {line: {from: [0, 0, 0], to: [1, 0, 0], "
                 "vertices: 3}}, section: {circle: {radius: 1 mm}}, %s}]\n",
                 cases[i].keys);
        played p = played_text(text);
        assert_int_equal(cord_scene_get_strand_look(p.scene, 0), cases[i].look);
        played_end(p);
    }
}

static void refusals(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"scenery: [{colour: red}]\n", "scenery needs one of sphere"},
        {"scenery: [{box: {size: [1, 1, 1]}, sphere: {radius: 1}}]\n",
         "scenery needs one of sphere"},
        {"scenery: [{box: {size: [1, 1, 1]}, on: weel}]\n", "weel"},
        {"points: [{name: p, at: [0, 0, 0]}]\nscenery: [{box: {size: [1, 1, 1]}, on: p}]\n",
         "\"p\" is neither a body nor an obstacle"},
        {"scenery: [{gear: {radius: 1, width: 1, teeth: 4}}]\n", "a gear has at least 5"},
        {"scenery: [{box: {size: [1, 1, 1]}, look: wod}]\n", "wod"},
        {"constraints: [{kind: coincide, first: wheel, bar: {width: 1}}]\n",
         "is for constraints of kind distance"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, HEAD "%s", cases[i][0]);
        played_refused(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_with_its_body),
        cmocka_unit_test(moves_with_its_obstacle),
        cmocka_unit_test(shapes_have_their_sizes),
        cmocka_unit_test(looks),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
