/* Belts, chains and springs in scenes: a serpentine belt with its tensioner, loops of nodes,
 * springs, and refusals. */
#include "support/played.h"
#include "support/test.h"

#include <cordage/cable.h>
#include <math.h>
#include <stdio.h>

/* One belt drives three machines, two from its inside and one from its back; an arm with a
 * spring tensions it. */
static const char serpentine[] =
    "cordage: 1\n"
    "bodies:\n"
    "  - {name: arm, shape: {box: {size: [20 cm, 2 cm, 3 cm]}}, mass: 0.4 kg, position: [0.6, 0, "
    "-0.06]}\n"
    "joints:\n"
    "  - {name: hinge, kind: revolute, first: arm, at: [0.7, 0, -0.06], axis: [0, 1, 0]}\n"
    "springs:\n"
    "  - {name: spring, first: {body: arm, at: [-0.1, 0, 0]}, second: [0.5, 0, -0.5],\n"
    "     stiffness: 2000 N/m, length: 0.48 m, damping: 40 N s/m}\n"
    "pulleys:\n"
    "  - {name: engine, at: [0, 0, 0], radius: 10 cm, inertia: 0.02 kg m^2, motor: {rate: 20 "
    "rad/s}}\n"
    "  - {name: idler, at: {body: arm, at: [-0.1, 0, 0]}, radius: 5 cm, inertia: 1e-3 kg m^2}\n"
    "  - {name: fan, at: [1, 0, 0], radius: 8 cm, inertia: 0.01 kg m^2, friction: 0.02 N m s}\n"
    "  - {name: pump, at: [0.5, 0, 0.5], radius: 6 cm, inertia: 0.01 kg m^2, friction: 0.02 N m "
    "s}\n"
    "cables:\n"
    "  - {name: belt, closed: yes, density: 0.2 kg/m, radius: 5 mm,\n"
    "     route: [clockwise round engine, anticlockwise round idler, clockwise round fan,\n"
    "             clockwise round pump]}\n"
    "probes:\n"
    "  - {name: engine, of: engine, measure: rate}\n"
    "  - {name: fan, of: fan, measure: rate}\n"
    "  - {name: idler, of: idler, measure: rate}\n"
    "  - {name: pump, of: pump, measure: rate}\n"
    "  - {name: pull, of: belt@idler, measure: tension}\n"
    "  - {name: wrap, of: belt@idler, measure: wrap-angle}\n"
    "  - {name: force, of: spring, measure: force}\n"
    "  - {name: arm, of: hinge, measure: rate}\n";

static void serpentine_belt(void **unused)
{
    (void)unused;
    played p = played_text(serpentine);
    double pull[2], force[4];
    played_advance(p, 2e-3, 1500);
    double rate = played_number(p, "engine");
    assert_close(rate, 20, 1e-9);
    assert_close(played_number(p, "arm"), 0, 1e-9); /* it is at rest */
    assert_close(played_number(p, "fan"), rate * 10 / 8, 1e-6);
    assert_close(played_number(p, "pump"), rate * 10 / 6, 1e-6);
    assert_close(played_number(p, "idler"), -rate * 10 / 5, 1e-5);
    played_sample(p, "pull", pull);
    played_sample(p, "force", force);
    /* The force of the spring less half the weight of the arm presses on the belt, whose tension
     * is reduced by ρv². */
    double wrap = played_number(p, "wrap"), pressed = force[2] - 0.5 * 0.4 * 9.81, lost = 0.2 * 4;
    assert_true(wrap > 0.2);
    assert_close((pull[0] + pull[1] - 2 * lost) * sin(0.5 * wrap), pressed, 0.02 * pressed);
    played_end(p);
}

static void nodes_in_a_loop(void **unused)
{
    (void)unused;
    played p = played_text("cordage: 1\n"
                           "cables:\n"
                           "  - name: loop\n"
                           "    closed: yes\n"
                           "    length: 12 m\n"
                           "    density: 0.1\n"
                           "    guides:\n"
                           "      - {name: a, kind: point, at: [0, 0, 0]}\n"
                           "      - {name: b, kind: point, at: [3, 0, 0]}\n"
                           "      - {name: c, kind: point, at: [3, 4, 0]}\n"
                           "    nodes:\n"
                           "      - {guide: a, s: 0, eulerian: yes}\n"
                           "      - {guide: b, s: 3, eulerian: yes}\n"
                           "      - {guide: c, s: 7, eulerian: yes}\n");
    cord_strand loop = cord_simulation_get_strand(p.simulation, 0);
    cord_strand_info info;
    double tension;
    played_advance(p, 1e-2, 10);
    assert_int_equal(cord_strand_get_info(p.world, loop, &info), CORD_OK);
    assert_true(info.closed);
    assert_close(info.length, 12, 1e-12);
    for (int k = 0; k < 3; k++)
        assert_int_equal(cord_cable_get_tension(p.world, loop, k, 0.5, &tension), CORD_OK);
    assert_int_equal(cord_cable_get_tension(p.world, loop, 3, 0.5, &tension), CORD_ERROR_ARGUMENT);
    played_end(p);
}

/* A weight on a spring at the end of a rope over a pulley; a pulley with a spring. */
static void springs(void **unused)
{
    (void)unused;
    played p = played_text(
        "cordage: 1\n"
        "bodies:\n"
        "  - {name: bob, shape: {sphere: {radius: 5 cm}}, mass: 2 kg, position: [0.1, 0, -1]}\n"
        "pulleys:\n"
        "  - {name: sheave, at: [0, 0, 0], radius: 10 cm, inertia: 0.01 kg m^2, friction: 0.3 N m "
        "s}\n"
        "  - {name: reel, at: [2, 0, 0], radius: 10 cm, inertia: 0.1 kg m^2, motor: {torque: 2 N "
        "m}}\n"
        "cables:\n"
        "  - {name: rope, density: 0.01, route: [{free: [-0.1, 0, -1]}, over sheave, bob]}\n"
        "springs:\n"
        "  - {name: spring, first: rope@start, second: [-0.1, 0, -1.5], stiffness: 200 N/m, "
        "length: 0.5 m}\n"
        "  - {name: coil, first: reel, stiffness: 4 N m/rad, damping: 0.5 N m s}\n"
        "  - {first: bob, second: [0.1, 0, 1], stiffness: 1e5 N/m, length: 3 m, tension_only: "
        "yes}\n"
        "probes:\n"
        "  - {name: bob, of: bob, measure: position}\n"
        "  - {name: reel, of: reel, measure: coordinate}\n");
    double x[3];
    played_advance(p, 5e-3, 3000);
    played_sample(p, "bob", x);
    assert_close(x[2], -1 - 2 * 9.80665 / 200, 1e-3); /* the rope has weight too */
    assert_close(played_number(p, "reel"), 0.5, 1e-9);
    played_end(p);
}

static void must_refuse(const char *objects, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text,
             "cordage: 1\nbodies:\n  - {name: bob, shape: {sphere: {radius: 0.1}}, mass: 1 kg}\n"
             "pulleys:\n  - {name: a, at: [0, 0, 0], radius: 0.1, inertia: 1}\n"
             "  - {name: b, at: [1, 0, 0], radius: 0.1}\n%s",
             objects);
    played_refused(text, message);
}

#define BELT(route) "cables:\n  - {name: c, density: 1, closed: yes, " route "}\n"

static void refusals(void **unused)
{
    (void)unused;
    must_refuse(BELT("route: [over a, over b]"), "say clockwise or anticlockwise");
    must_refuse(BELT("route: [clockwise round drum a, clockwise round b]"),
                "no end to wind on a drum");
    must_refuse(BELT("route: [[0, 0, 0], [1, 0, 0]]"),
                "two pulleys that it wraps, or three waypoints");
    must_refuse(BELT("length: 3 m, route: [clockwise round a, clockwise round b]"),
                "a closed cable along a route is as long as its route");
    must_refuse(
        BELT("nodes: [{at: [0, 0, 0], s: 0}, {at: [1, 0, 0], s: 1}, {at: [0, 1, 0], s: 2}]"),
        "needs its length");
    must_refuse("cables:\n  - {name: c, density: 1, tension: 3 N, route: [[0, 0, 1], bob]}\n",
                "for elastic cables (stretching) and for closed ones");
    must_refuse("springs:\n  - {first: bob, second: [0, 0, 1], stiffness: 3 N m/rad}\n",
                "stiffness");
    must_refuse("springs:\n  - {first: a, stiffness: 3 N/m}\n", "stiffness");
    must_refuse("springs:\n  - {first: a, second: [0, 0, 1], stiffness: 3 N m/rad}\n",
                "between two coordinates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serpentine_belt),
        cmocka_unit_test(nodes_in_a_loop),
        cmocka_unit_test(springs),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
