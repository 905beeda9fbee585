/* Guides of cables in scenes: tubes, sheaths, paths, surfaces and spans; their notation,
 * pictures, and refusals. */
#include "support/played.h"
#include "support/test.h"

#include <cordage/cable.h>
#include <math.h>
#include <stdio.h>

#define HEAD "cordage: 1\n"
#define ENDS                                                                                       \
    "points: [{name: left, at: [-1, 0, 0]}, {name: right, at: [1, 0, 0]}, "                        \
    "{name: tip, at: casing@end}]\n"                                                               \
    "paths: [{name: rail, through: [[-0.5, 0, 0], [0, 0, 0.2], [0.5, 0, 0]]}]\n"                   \
    "tubes:\n"                                                                                     \
    "  - {name: liner, through: [[-0.5, 0, 0], [0, 0, 0.2], [0.5, 0, 0]], friction: 0.3, "         \
    "radius: 1 cm}\n"                                                                              \
    "  - {name: along, path: rail}\n"                                                              \
    "strands: [{name: casing, model: der, shape: {line: {from: [-0.5, 0, 0], to: [0.5, 0, 0], "    \
    "vertices: 5}}, material: {density: 1000, young: 1 MPa, poisson: 0.5}, section: {circle: "     \
    "{radius: 1 cm}}}]\n"

static cord_node_state node_of(played p, int i)
{
    cord_node_state state;
    cord_strand cable = cord_simulation_get_strand(p.simulation, 1);
    assert_int_equal(cord_cable_get_node(p.world, cable, i, &state), CORD_OK);
    return state;
}

static played with_route(const char *route)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD ENDS "cables: [{name: c, density: 0.1, route: %s}]\n", route);
    return played_text(text);
}

/* In at one end, out at the other, in either direction; along a path of the scene as along
 * points. */
static void tubes(void **unused)
{
    static const struct {
        const char *route;
        double in;
    } cases[] = {{"[left, through tube liner, right]", -0.5},
                 {"[right, back through tube liner, left]", 0.5},
                 {"[left, {tube: liner}, right]", -0.5},
                 {"[right, {tube: liner, reversed: yes}, left]", 0.5},
                 {"[left, through tube along, right]", -0.5}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        played p = with_route(cases[i].route);
        cord_node_state in = node_of(p, 1), out = node_of(p, 2);
        assert_true(in.kind == CORD_GUIDE_PATH && in.eulerian && in.dofs == 0);
        assert_close(in.position[0], cases[i].in, 1e-12);
        assert_close(out.position[0], -cases[i].in, 1e-12);
        played_end(p);
    }
}

/* Eyelets at all vertices, in the order of the strand or in reverse. */
static void sheaths(void **unused)
{
    static const struct {
        const char *route;
        double sign;
    } cases[] = {{"[left, through sheath casing, right]", 1},
                 {"[right, {sheath: casing, reversed: yes}, left]", -1},
                 {"[right, back through sheath casing, left]", -1}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        played p = with_route(cases[i].route);
        for (int k = 0; k < 5; k++) {
            cord_node_state n = node_of(p, 1 + k);
            assert_close(n.position[0], cases[i].sign * (-0.5 + 0.25 * k), 1e-12);
            assert_int_equal(n.strand.index, cord_simulation_get_strand(p.simulation, 0).index);
        }
        played_end(p);
    }
}

/* Walls of tubes are solids, in the axes of their carrier. */
static void tubes_are_shown(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies: [{name: arm, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 1 kg, position: "
             "[0, 0, 2], velocity: [1, 0, 0]}]\n"
             "tubes: [{name: liner, body: arm, through: [[-0.5, 0, 0], [0.5, 0, 0]], radius: 1 cm, "
             "colour: \"#102030\"}]\n"
             "cables: [{name: c, density: 0.1, route: [{free: [-1, 0, 2]}, through tube liner, "
             "{free: [1, 0, 2]}]}]\n");
    cord_body_info info;
    double x[3], frame[9], v[3], spin[3];
    assert_int_equal(cord_simulation_get_solid(p.simulation, 1, &info), CORD_OK);
    assert_string_equal(info.name, "liner");
    assert_int_equal(info.shape.kind, CORD_SHAPE_MESH);
    assert_int_equal(cord_scene_get_solid_colour(p.scene, 1), 0x102030);
    double far = 0, wide = 0;
    for (int i = 0; i < info.shape.vertex_count; i++) {
        far = fmax(far, fabs(info.shape.vertices[3 * i]));
        wide = fmax(wide, hypot(info.shape.vertices[3 * i + 1], info.shape.vertices[3 * i + 2]));
    }
    assert_close(far, 0.5, 1e-9);
    assert_close(wide, 0.01, 1e-9);
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 1, x, frame, v, spin), CORD_OK);
    assert_close(x[2], 2, 1e-12);
    assert_close(v[0], 1, 1e-12);
    played_end(p);
}

/* Guides and nodes given explicitly. */
static void by_hand(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD ENDS "bodies: [{name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 1 kg, "
                  "position: [2, 0, 0]}]\n"
                  "cables:\n"
                  "  - name: c\n"
                  "    density: 0.1\n"
                  "    stretching: 10 N\n"
                  "    guides:\n"
                  "      - {name: on rail, kind: path, path: rail}\n"
                  "      - {name: ring, kind: torus, at: [0, 0, 1], size: [0.3, 0.1]}\n"
                  "      - {name: hat, kind: cone, at: [1, 0, 1], size: [0.5], length: 0.4}\n"
                  "      - {name: egg, kind: ellipsoid, at: box, size: [0.1, 0.2, 0.3]}\n"
                  "      - {name: table, kind: plane, at: [3, 0, 1]}\n"
                  "      - {name: line, kind: span, at: casing@end, to: box}\n"
                  "    nodes:\n"
                  "      - {guide: on rail, at: [0.2], s: 0, prescribed: yes}\n"
                  "      - {guide: ring, at: [0, 0], s: 1, prescribed: yes}\n"
                  "      - {guide: hat, at: [0, 0.2], s: 2}\n"
                  "      - {guide: egg, at: [0, 0], s: 3}\n"
                  "      - {guide: table, at: [0.1, 0.2], s: 4}\n"
                  "      - {guide: line, at: [0.5], s: 5}\n");
    assert_int_equal(node_of(p, 0).dofs, 0);
    assert_close(node_of(p, 1).position[0], 0.4, 1e-12);
    assert_close(node_of(p, 2).position[0], 1.1, 1e-12);
    assert_close(node_of(p, 2).position[2], 1.2, 1e-12);
    assert_close(node_of(p, 3).position[0], 2.1, 1e-12);
    assert_int_equal(node_of(p, 3).dofs, 2);
    assert_close(node_of(p, 4).position[0], 3.1, 1e-12);
    assert_close(node_of(p, 5).position[0], 1.25, 1e-12);
    cord_body_info info;
    for (int i = 0; i < 3; i++) { /* after the body and two tubes */
        assert_int_equal(cord_simulation_get_solid(p.simulation, 3 + i, &info), CORD_OK);
        assert_int_equal(info.shape.kind, CORD_SHAPE_MESH);
    }
    assert_int_equal(cord_simulation_step(p.simulation, 1e-3), CORD_OK);
    played_end(p);
}

static void must_refuse(const char *objects, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text, HEAD ENDS "%s", objects);
    played_refused(text, message);
}

#define ROUTE(waypoints) "cables: [{name: c, density: 0.1, route: [" waypoints "]}]\n"
#define GUIDE(guide)                                                                               \
    "cables: [{name: c, density: 0.1, guides: [" guide                                             \
    "], nodes: [{at: [0, 0, 0], s: 0}, {at: [1, 0, 0], s: 1}]}]\n"

static void refusals(void **unused)
{
    static const struct {
        const char *objects, *message;
    } cases[] = {
        {ROUTE("left, through tube linear, right"),
         "nothing is called \"linear\" (did you mean \"liner\"?)"},
        {ROUTE("left, through tube rail, right"), "\"rail\" is not a tube"},
        {ROUTE("left, through tube liner"), "a cable does not end in a tube"},
        {ROUTE("left, through sheath rail, right"), "\"rail\" is not a strand: a sheath is"},
        {ROUTE("left, {eyelet: right, reversed: yes}, [0, 0, 1]"), "for tubes and sheaths only"},
        {ROUTE("left, casing@10%, right"), "a strand carries guides at those vertices"},
        {GUIDE("{name: g, kind: path, at: [0, 0, 0]}"), "a guide along a path has a path"},
        {GUIDE("{name: g, kind: path, path: casing}"), "\"casing\" is not a path"},
        {GUIDE("{name: g, kind: torus, at: [0, 0, 0], size: [0.1, 0.2]}"), "a torus has a size"},
        {GUIDE("{name: g, kind: cone, at: [0, 0, 0]}"), "a cone has a size"},
        {GUIDE("{name: g, kind: plane, at: [0, 0, 0], size: [1]}"), "only a torus, a cone"},
        {GUIDE("{name: g, kind: span, at: [0, 0, 0]}"), "a span has \"to\""},
        {GUIDE("{name: g, kind: circle, at: casing@end, radius: 0.1}"),
         "a strand carries points and spans"},
        {ROUTE("left, right") "pulleys: [{name: w, at: tip, radius: 0.1}]\n",
         "a pulley is in the world or on a body"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        must_refuse(cases[i].objects, cases[i].message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes),   cmocka_unit_test(sheaths),  cmocka_unit_test(tubes_are_shown),
        cmocka_unit_test(by_hand), cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
