/* Joints, coordinates and loads on them in scenes: the objects that their keys define in the
 * world, probes of them, and refusals. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

static const char *unit_of(played p, const char *name)
{
    const char *unit;
    assert_non_null(cord_scene_get_probe_column(p.scene, played_probe(p, name), 0, &unit));
    return unit;
}

#define HEAD "cordage: 1\nworld: {gravity: [0, 0, 0]}\n"
/* 2 kg, 0.09 kg m^2 about z */
#define WHEEL(name, x)                                                                             \
    "  - {name: " name ", shape: {cylinder: {radius: 30 cm, length: 2 cm}}, mass: 2 kg, "          \
    "position: [" x ", 0, 0]}\n"
static const double inertia = 0.09;

/* Each kind leaves its free motions free: a body is thrown, and the constrained directions do
 * not move. */
static void kinds_leave_free(void **unused)
{
    static const struct {
        const char *keys;
        int rows;
        bool x, y, z;    /* moves that way */
        bool tx, ty, tz; /* rotates about that axis */
    } cases[] = {
        {"kind: weld", 6, false, false, false, false, false, false},
        {"kind: ball", 3, false, false, false, true, true, true},
        {"kind: revolute, axis: [0, 2, 0]", 5, false, false, false, false, true, false},
        {"kind: prismatic, axis: [1, 0, 0]", 5, true, false, false, false, false, false},
        {"kind: cylindrical, axis: [0, 0, 1]", 4, false, false, true, false, false, true},
        {"kind: planar, axis: [0, 0, 1]", 3, true, true, false, false, false, true},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n  - {name: box, shape: {box: {size: [10 cm, 20 cm, 30 cm]}}, "
                      "position: [1, 2, 3], velocity: [0.1, 0.2, 0.3], "
                      "angular_velocity: [0.1, 0.2, 0.3]}\n"
                      "joints:\n  - {name: joint, first: box, %s}\n"
                      "probes:\n  - {of: joint, measure: residual}\n"
                      "  - {of: box, measure: position}\n  - {of: box, measure: "
                      "angular-velocity}\n",
                 cases[i].keys);
        played p = played_text(text);
        double x[3], w[3], g[6];
        assert_int_equal(cord_simulation_get_probe_item_count(p.simulation, 0), cases[i].rows);
        played_advance(p, 0.01, 20);
        played_sample(p, "box-position", x);
        played_sample(p, "box-angular-velocity", w);
        const bool moves[] = {cases[i].x, cases[i].y, cases[i].z};
        const bool turns[] = {cases[i].tx, cases[i].ty, cases[i].tz};
        for (int k = 0; k < 3; k++) {
            assert_close(x[k], k + 1 + (moves[k] ? 0.02 * (k + 1) : 0), 1e-7);
            assert_close(w[k], turns[k] ? 0.1 * (k + 1) : 0, turns[k] ? 0.02 : 1e-8);
        }
        played_sample(p, "joint-residual", g);
        for (int k = 0; k < cases[i].rows; k++) assert_close(g[k], 0, 1e-10);
        played_end(p);
    }
}

/* A universal joint transmits rotations about the shafts' axes. */
static void universal_joint_passes_turns_on(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD
        "bodies:\n"
        "  - {name: in, shape: {cylinder: {radius: 2 cm, length: 20 cm}}, position: [0, 0, -10 "
        "cm]}\n"
        "  - {name: out, shape: {cylinder: {radius: 2 cm, length: 20 cm}}, position: [0, 0, 10 "
        "cm]}\n"
        "joints:\n"
        "  - {name: drive, kind: revolute, first: in, motor: {rate: 3 rad/s}}\n"
        "  - {name: cross, kind: universal, first: out, second: in, at: [0, 0, 0], axis: [1, "
        "0, 0], first_axis: [0, 1, 0]}\n"
        "  - {name: end, kind: revolute, first: out}\n"
        "probes:\n  - {of: end, measure: coordinate}\n");
    played_advance(p, 0.01, 50);
    assert_close(played_number(p, "end-coordinate"), 1.5, 1e-8);
    played_end(p);
}

/* A torque, friction and the measured coordinate. */
static void hinge_with_a_torque(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL(
        "wheel", "0") "joints:\n"
                      "  - {name: hinge, kind: revolute, first: wheel, friction: 0.09 N m "
                      "s, motor: {torque: 0.18 N m}}\n"
                      "probes:\n  - {of: hinge, measure: coordinate}\n"
                      "  - {of: hinge, measure: rate}\n  - {of: hinge, measure: angle}\n"
                      "  - {of: hinge, measure: drive}\n  - {of: hinge, measure: force}\n"
                      "  - {of: hinge, measure: torque}\n");
    played_advance(p, 0.005, 200);
    double left = exp(-1), f[3];
    assert_close(played_number(p, "hinge-rate"), 2 * (1 - left), 1e-4);
    assert_close(played_number(p, "hinge-coordinate"), 2 - 2 * (1 - left), 1e-4);
    assert_close(played_number(p, "hinge-angle"), played_number(p, "hinge-coordinate"), 0);
    assert_close(played_number(p, "hinge-drive"), 0.18, 0);
    assert_string_equal(unit_of(p, "hinge-coordinate"), "rad");
    assert_string_equal(unit_of(p, "hinge-rate"), "rad/s");
    assert_string_equal(unit_of(p, "hinge-drive"), "N m");
    played_sample(p, "hinge-force", f);
    assert_all_close(f, ((double[]){0, 0, 0}), 3, 1e-9);
    played_end(p);
}

/* The reaction of a bearing: the weight of an arm that is driven to be level, and the torque
 * that keeps it so. */
static void bearing_and_motor_carry_an_arm(void **unused)
{
    (void)unused;
    played p = played_text(
        "cordage: 1\nbodies:\n  - {name: arm, shape: {box: {size: [1, 0.1, 0.1]}}, mass: 3 kg, "
        "position: [0.5, 0, 0]}\n"
        "joints:\n  - {name: hinge, kind: revolute, first: arm, at: [0, 0, 0], axis: [0, 1, 0], "
        "motor: {position: 0}}\n"
        "probes:\n  - {of: hinge, measure: force}\n  - {of: hinge, measure: drive}\n");
    double f[3];
    played_advance(p, 0.01, 10);
    played_sample(p, "hinge-force", f);
    assert_all_close(f, ((double[]){0, 0, 3 * 9.81}), 3, 1e-6);
    assert_close(played_number(p, "hinge-drive"), -3 * 9.81 * 0.5,
                 1e-6); /* against falling, about y */
    played_end(p);
}

/* A spring on a hinge: cos(sqrt(k/I) t) about its rest angle, which differs from the initial
 * one. */
static void spring_on_a_hinge(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL(
        "wheel", "0") "joints:\n"
                      "  - {name: hinge, kind: revolute, first: wheel, stiffness: 9 N "
                      "m/rad, rest: 10 deg}\n"
                      "probes:\n  - {of: hinge, measure: coordinate}\n");
    double rest = 10 * pi / 180;
    played_advance(p, 0.001, 500);
    assert_close(played_number(p, "hinge-coordinate"), rest * (1 - cos(sqrt(9 / inertia) * 0.5)),
                 1e-4);
    played_end(p);
}

/* And with damping: x'' = -(k/m)(x + tau x'). */
static void damped_spring_on_a_rail(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL(
        "cart", "0") "joints:\n"
                     "  - {name: rail, kind: prismatic, first: cart, axis: [1, 0, 0], "
                     "stiffness: 8 N/m, damping: 0.25 s, rest: 10 cm}\n"
                     "probes:\n  - {of: rail, measure: coordinate}\n");
    double decay = 0.5 * 4 * 0.25, w = sqrt(4 - decay * decay);
    played_advance(p, 0.002, 500);
    assert_close(played_number(p, "rail-coordinate"),
                 0.1 - 0.1 * exp(-decay) * (cos(w) + decay / w * sin(w)), 1e-6);
    played_end(p);
}

/* A motor against limits stops at them. */
static void limits_stop_it(void **unused)
{
    (void)unused;
    for (int sign = -1; sign <= 1; sign += 2) {
        char text[1024];
        snprintf(
            text, sizeof text,
            HEAD "bodies:\n" WHEEL(
                "cart",
                "5") "joints:\n"
                     "  - {name: rail, kind: prismatic, first: cart, axis: [1, 0, 0], limits: [-10 "
                     "cm, 25 cm], motor: {force: %d N}}\n"
                     "probes:\n  - {of: rail, measure: coordinate}\n  - {of: rail, measure: "
                     "rate}\n",
            2 * sign);
        played p = played_text(text);
        played_advance(p, 0.01, 20);
        assert_close(played_number(p, "rail-coordinate"), sign * 0.5 * 0.2 * 0.2, 1e-9);
        played_advance(p, 0.01, 150);
        assert_close(played_number(p, "rail-coordinate"), sign > 0 ? 0.25 : -0.1, 1e-8);
        assert_close(played_number(p, "rail-rate"), 0, 1e-8);
        played_end(p);
    }
}

/* Rates by keyframes: the displacement is their integral, then the last rate continues. */
static void rates_by_keys(void **unused)
{
    (void)unused;
    static const char *const eases[] = {"linear", "smooth"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n" WHEEL(
                     "wheel",
                     "0") "joints:\n"
                          "  - {name: hinge, kind: revolute, first: wheel, motor: {rate: [{t: 0 s, "
                          "value: "
                          "0}, {t: 0.5 s, value: 4 rad/s}, {t: 1 s, value: 2 rad/s}], ease: %s}}\n"
                          "probes:\n  - {of: hinge, measure: coordinate}\n  - {of: hinge, measure: "
                          "rate}\n",
                 eases[i]);
        played p = played_text(text);
        played_advance(p, 0.01, 50);
        assert_close(played_number(p, "hinge-coordinate"), 1, 1e-8);
        played_advance(p, 0.01, 100);
        assert_close(played_number(p, "hinge-coordinate"), 1 + 1.5 + 1, 1e-8);
        assert_close(played_number(p, "hinge-rate"), 2, 1e-8);
        played_end(p);
    }
}

/* Gears and racks between joints: their kinematics, and the torques they transmit. */
static void gears_and_racks(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL("a", "0") WHEEL("b", "1") WHEEL(
        "c",
        "2") "joints:\n"
             "  - {name: mesh, kind: gear, first: ha, second: hb, ratio: -2}\n" /* before them */
             "  - {name: ha, kind: revolute, first: a, motor: {torque: 0.2 N m}}\n"
             "  - {name: hb, kind: revolute, first: b}\n"
             "  - {name: rail, kind: prismatic, first: c, axis: [0, 1, 0]}\n"
             "  - {name: rack, kind: gear, first: rail, second: hb, ratio: 30 cm/rad}\n"
             "probes:\n  - {of: ha, measure: coordinate}\n  - {of: hb, measure: coordinate}\n"
             "  - {of: rail, measure: coordinate}\n  - {of: mesh, measure: drive}\n"
             "  - {of: rack, measure: drive}\n  - {of: rack, measure: residual}\n");
    double felt = inertia + (inertia + 2 * 0.3 * 0.3) / 4, rate = 0.2 / felt, g;
    played_advance(p, 0.0025, 400);
    assert_close(played_number(p, "ha-coordinate"), 0.5 * rate, 5e-6);
    assert_close(played_number(p, "hb-coordinate"), -0.5 * played_number(p, "ha-coordinate"), 1e-9);
    assert_close(played_number(p, "rail-coordinate"), 0.3 * played_number(p, "hb-coordinate"),
                 1e-9);
    assert_close(played_number(p, "mesh-drive"), -(0.2 - inertia * rate), 1e-5);
    assert_close(played_number(p, "rack-drive"), 2 * 0.3 * -rate / 2, 2e-5);
    assert_string_equal(unit_of(p, "mesh-drive"), "N m");
    assert_string_equal(unit_of(p, "rack-drive"), "N");
    played_sample(p, "rack-residual", &g);
    assert_close(g, 0, 1e-10);
    played_end(p);
}

/* A nut on a screw: F = torque / pitch less the inertia of rotation and translation. */
static void screw(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL(
        "nut", "0") "joints:\n"
                    "  - {name: thread, kind: screw, first: nut, pitch: 62.83185307179586 "
                    "cm/turn, motor: {torque: 0.11 N m}}\n"
                    "probes:\n  - {of: thread, measure: coordinate}\n"
                    "  - {of: nut, measure: position}\n");
    double x[3];
    played_advance(p, 0.005, 200);
    played_sample(p, "nut-position", x);
    assert_close(played_number(p, "thread-coordinate"), 0.5 * 0.11 / (inertia + 2 * 0.1 * 0.1),
                 1e-5);
    assert_close(x[2], 0.1 * played_number(p, "thread-coordinate"), 1e-9);
    played_end(p);
}

/* A joint that is free to rotate and to translate has both coordinates. */
static void cylindrical_has_two(void **unused)
{
    (void)unused;
    played p =
        played_text(HEAD "bodies:\n  - {name: rod, shape: {cylinder: {radius: 1 cm, length: 1 "
                         "m}}, velocity: [0, 0, 0.3], angular_velocity: [0, 0, 2]}\n"
                         "joints:\n  - {name: tube, kind: cylindrical, first: rod}\n"
                         "probes:\n  - {of: tube, measure: coordinate}\n"
                         "  - {of: tube, measure: rate}\n  - {of: tube, measure: angle}\n");
    played_advance(p, 0.01, 50);
    assert_close(played_number(p, "tube-coordinate"), 0.15, 1e-9);
    assert_close(played_number(p, "tube-rate"), 0.3, 1e-9);
    assert_close(played_number(p, "tube-angle"), 1, 1e-3);
    assert_string_equal(unit_of(p, "tube-coordinate"), "m");
    assert_string_equal(unit_of(p, "tube-angle"), "rad");
    played_end(p);
}

/* The same machine from elements: coordinates as points, a constraint with a ratio, loads along
 * them. */
static void points_constraints_and_loads(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL("a", "0") WHEEL("b", "1") WHEEL("c", "2") WHEEL(
        "d",
        "3") "points:\n"
             "  - {name: spin, revolute: {of: a}, friction: 0 N m s/rad}\n"
             "  - {name: way, prismatic: {of: b, reference: {body: a}, axis: [0, 1, 0]}}\n"
             "constraints:\n"
             "  - {kind: coincide, first: a, second: [0, 0, 0]}\n  - {kind: parallel, first: a}\n"
             "  - {kind: axis, first: b, second: [1, 0, 0], direction: [0, 1, 0]}\n"
             "  - {kind: align, first: b}\n"
             "  - {name: motor, kind: slide, first: hc, length: 0 rad, rate: 30 rpm}\n"
             "  - {name: belt, kind: slide, first: spin, second: hc, ratio: 0.5}\n"
             "  - {kind: coincide, first: d, second: [3, 0, 0], rate: [0, 0.5 m/s, 0]}\n"
             "  - {kind: align, first: d, rate: [0, 0, 1 rad/s]}\n"
             "joints:\n  - {name: hc, kind: revolute, first: c}\n"
             "loads:\n  - {at: {body: b}, torque: [0, 0, 1 N m], force: [0, 1 N, 0]}\n"
             "  - {name: brake, at: spin, along: 0.1 N m, along_keys: [{t: 0 s, along: 0}, {t: 0.4 "
             "s, "
             "along: 0.5 N m}]}\n"
             "  - {at: {body: b}, torque_keys: [{t: 0 s, torque: [0, 1, 0]}, {t: 1 s, torque: [0, "
             "0, "
             "2 N m]}]}\n"
             "probes:\n  - {of: spin, measure: coordinate}\n  - {of: spin, measure: rate}\n"
             "  - {of: way, measure: rate}\n  - {of: hc, measure: coordinate}\n"
             "  - {of: belt, measure: drive}\n  - {of: motor, measure: drive}\n"
             "  - {of: d, measure: position}\n  - {of: d, measure: angular-velocity}\n");
    double x[3], w[3];
    played_advance(p, 0.001, 500);
    assert_close(played_number(p, "hc-coordinate"), 0.5 * pi, 1e-8);
    assert_close(played_number(p, "spin-coordinate"), 0.25 * pi, 1e-8);
    assert_close(played_number(p, "spin-rate"), 0.5 * pi, 1e-6);
    assert_string_equal(unit_of(p, "way-rate"), "m/s");
    assert_string_equal(unit_of(p, "belt-drive"), "N m");
    /* at a constant rate the belt carries the load, and the motor half of it; multipliers are of
     * second order in the rotation per step, I rate^4 h^2 */
    assert_close(played_number(p, "belt-drive"), -0.6, inertia * pow(pi / 2, 4) * 1e-6);
    assert_close(played_number(p, "motor-drive"), -0.3, inertia * pow(pi, 4) * 1e-6);
    played_sample(p, "d-position", x);
    played_sample(p, "d-angular-velocity", w);
    assert_all_close(x, ((double[]){3, 0.25, 0}), 3, 1e-8);
    assert_all_close(w, ((double[]){0, 0, 1}), 3, 1e-6);
    played_end(p);
}

/* A strand's end on a hinge of a body: its tangent rotates about the axis only. */
static void strand_on_a_hinge(void **unused)
{
    (void)unused;
    played p = played_text(
        "cordage: 1\nrun: {dt: 2 ms}\nstrands:\n  - name: rod\n    shape: {line: {from: [0, 0, 0], "
        "to: [0.5 m, 0, 0], vertices: 11}}\n    material: {density: 1000, young: 1 GPa}\n"
        "    section: {circle: {radius: 5 mm}}\n"
        "joints:\n  - {name: hinge, kind: revolute, first: rod@start, axis: [0, 1, 0]}\n"
        "probes:\n  - {of: rod@start, measure: frame}\n  - {of: rod@end, measure: position}\n"
        "  - {of: hinge, measure: coordinate}\n");
    double f[9], x[3];
    played_advance(p, 0.002, 100);
    played_sample(p, "rod-end-position", x);
    played_sample(p, "rod-start-frame", f);
    assert_true(x[2] < -0.1);
    assert_close(x[1], 0, 1e-9);
    assert_close(f[1], 0, 1e-9);
    assert_close(played_number(p, "hinge-coordinate"), atan2(-f[2], f[0]), 1e-9);
    played_end(p);
}

/* Queries of a scene's joints; a coordinate exists when it is used. */
static void told(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" WHEEL("a", "0") WHEEL(
        "b", "1") "joints:\n"
                  "  - {name: hinge, kind: revolute, first: a, motor: {rate: 1}}\n"
                  "  - {kind: prismatic, first: b}\n");
    cord_joint_handles hinge = cord_simulation_get_joint(p.simulation, 0),
                       rail = cord_simulation_get_joint(p.simulation, 1);
    assert_int_equal(cord_scene_get_info(p.scene).joint_count, 2);
    assert_int_equal(cord_scene_get_info(p.scene).controller_count, 0);
    assert_string_equal(cord_scene_get_joint_name(p.scene, 0), "hinge");
    assert_string_equal(cord_scene_get_joint_kind(p.scene, 0), "revolute");
    assert_null(cord_scene_get_joint_name(p.scene, 1));
    assert_true(hinge.coordinate.index > 0 && hinge.motor.index > 0 &&
                hinge.constraints[1].index > 0);
    assert_true(rail.coordinate.index == 0 && rail.motor.index == 0 &&
                rail.constraints[1].index > 0);
    assert_null(cord_scene_get_joint_kind(p.scene, 2));
    assert_int_equal(cord_simulation_get_joint(p.simulation, 2).first.index, 0);
    played_end(p);
}

/* A wheel on a ball joint with friction decelerates as e^(-c t/I); one on a clip that releases
 * and attaches falls for as long as it is released. */
static void friction_and_release(void **unused)
{
    (void)unused;
    played p = played_text(
        "cordage: 1\nbodies:\n"
        "  - {name: a, shape: {sphere: {radius: 10 cm}}, density: 1000 kg/m^3, "
        "angular_velocity: [0, 0, 3 rad/s]}\n"
        "  - {name: b, shape: {sphere: {radius: 10 cm}}, position: [1, 0, 0]}\n"
        "joints:\n  - {name: ball, kind: ball, first: a, friction: 0.02 N m s}\n"
        "constraints:\n"
        "  - {name: clip, kind: coincide, first: b, second: [1, 0, 0], release_at: 0.1 s, "
        "attach_at: 0.2 s}\n"
        "  - {name: rubs, kind: parallel, first: a, friction: 0.02 N m s}\n"
        "probes:\n  - {of: a, measure: angular-velocity}\n"
        "  - {of: clip, measure: attached}\n  - {of: rubs, measure: friction-power}\n"
        "  - {of: b, measure: position}\n");
    const double I = 0.4 * 1000 * 4 / 3.0 * pi * 1e-3 * 0.01, c = 0.04;
    double w[3], x[3];
    assert_close(played_number(p, "clip-attached"), 1, 0);
    played_advance(p, 0.001, 150);
    assert_close(played_number(p, "clip-attached"), 0, 0);
    played_sample(p, "b-position", x);
    assert_close(x[2], -0.5 * 9.81 * 0.05 * 0.05, 1e-9);
    played_advance(p, 0.001, 350);
    assert_close(played_number(p, "clip-attached"), 1, 0);
    played_sample(p, "b-position", x);
    assert_close(x[2], 0, 1e-9);
    played_sample(p, "a-angular-velocity", w);
    assert_close(w[2], 3 * exp(-c * 0.5 / I), 1e-5);
    assert_close(played_number(p, "rubs-friction-power"), 0.02 * w[2] * w[2], 1e-12);
    assert_string_equal(unit_of(p, "rubs-friction-power"), "W");
    played_end(p);
}

static void must_refuse(const char *objects, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "bodies:\n" WHEEL("a", "0")
                 WHEEL("b", "1") "joints:\n"
                                 "  - {name: hinge, kind: revolute, first: a}\n"
                                 "  - {name: rail, kind: prismatic, first: b}\n"
                                 "  - {name: ball, kind: ball, first: a, second: b}\n%s",
             objects);
    played_refused(text, message);
}

static void refused(void **unused)
{
    (void)unused;
    must_refuse("  - {kind: hinge, first: a}\n", "scene:10:12: kind: \"hinge\" is not one of");
    must_refuse("  - {kind: ball}\n", "joint needs \"first\"");
    must_refuse("  - {kind: ball, first: bob}\n", "nothing is called \"bob\" (did you mean");
    must_refuse("  - {kind: ball, first: rail}\n", "\"rail\" is a coordinate");
    must_refuse("  - {kind: ball, first: a, axis: [0, 0, 1]}\n", "axis: is for joints that have");
    must_refuse("  - {kind: ball, first: a, motor: {rate: 1}}\n", "motor: is for revolute");
    must_refuse("  - {kind: revolute, first: a, axis: [0, 0, 0]}\n", "must not be the zero vector");
    must_refuse("  - {kind: revolute, first: a, rest: 1 rad}\n", "needs a stiffness");
    must_refuse("  - {kind: revolute, first: a, stiffness: 3 N/m}\n", "a rotational stiffness");
    must_refuse("  - {kind: prismatic, first: a, friction: 3 N m s}\n", "a friction (N s/m)");
    must_refuse("  - {kind: ball, first: a, friction: 3 N s/m}\n", "a rotational friction (N m s)");
    must_refuse("  - {kind: planar, first: a, friction: 3 N s/m}\n",
                "rotations or translations free, not both");
    must_refuse("constraints:\n  - {kind: plane, first: a, friction: 3 N m s}\n",
                "a friction (N s/m)");
    must_refuse("constraints:\n  - {kind: coincide, first: a, friction: 3 N s/m}\n", "N m s");
    must_refuse("constraints:\n  - {kind: align, first: a, friction: 3 N m s}\n",
                "a friction (N s/m)");
    must_refuse("constraints:\n  - {kind: slide, first: hinge, friction: 3 N m s}\n",
                "a key of its point");
    must_refuse("constraints:\n  - {kind: align, first: a, length: 3 cm, side: at-most}\n",
                "an angle (rad)");
    must_refuse("constraints:\n  - {kind: axis, first: a, length: 3 deg}\n", "a length (m)");
    must_refuse("constraints:\n  - {kind: plane, first: a, length: 3 cm}\n",
                "is for coincide, distance");
    must_refuse("constraints:\n  - {kind: coincide, first: a, length: 3 cm, friction: 3 N m s}\n",
                "N s/m");
    must_refuse("constraints:\n  - {kind: axis, first: a, reattach: yes}\n", "none is given");
    must_refuse("  - {kind: revolute, first: a, limits: [3 deg, 1 deg]}\n", "the lower one comes");
    must_refuse("  - {kind: revolute, first: a, limits: [1 cm, 3 cm]}\n", "expected an angle");
    must_refuse("  - {kind: revolute, first: a, motor: {}}\n", "a motor has one of");
    must_refuse("  - {kind: revolute, first: a, motor: {rate: 1, torque: 1}}\n", "a motor has one");
    must_refuse("  - {kind: revolute, first: a, motor: {force: 1 N}}\n", "it takes a torque");
    must_refuse("  - {kind: prismatic, first: a, motor: {torque: 1}}\n", "it takes a force");
    must_refuse("  - {kind: revolute, first: a, motor: {rate: []}}\n", "a number, or keys");
    must_refuse("  - {kind: revolute, first: a, motor: {rate: [{t: 1, value: 0}, {t: 0, value: "
                "1}]}}\n",
                "in the order of their times");
    must_refuse("  - {kind: revolute, first: a, motor: {rate: [{t: 1, value: 0}, {t: 2, value: "
                "1}]}}\n",
                "begin at t: 0");
    must_refuse("  - {kind: screw, first: a}\n", "a screw joint needs \"pitch\"");
    must_refuse("  - {kind: universal, first: a}\n", "needs \"first_axis\"");
    must_refuse("  - {kind: universal, first: a, first_axis: [0, 1, 1]}\n",
                "have to be perpendicular");
    must_refuse("  - {kind: gear, first: hinge, second: rail}\n", "a gear joint needs \"ratio\"");
    must_refuse("  - {kind: gear, first: hinge, ratio: 2}\n", "a gear joint needs \"second\"");
    must_refuse("  - {kind: gear, first: hinge, second: a, ratio: 2}\n", "\"a\" is not a joint");
    must_refuse("  - {kind: gear, first: hing, second: a, ratio: 2}\n", "did you mean \"hinge\"");
    must_refuse("  - {kind: gear, first: hinge, second: ball, ratio: 2}\n", "is a ball joint");
    must_refuse("  - {kind: gear, first: [0, 0, 0], second: ball, ratio: 2}\n",
                "is between joints");
    must_refuse("  - {kind: gear, first: rail, second: hinge, ratio: 2 s}\n", "a length per angle");
    must_refuse("probes:\n  - {of: ball, measure: coordinate}\n", "kind ball has no coordinate");
    must_refuse("probes:\n  - {of: rail, measure: angle}\n", "kind prismatic has no angle");
    must_refuse("probes:\n  - {of: hinge, measure: tension}\n", "a joint has no tension");
    must_refuse(
        "constraints:\n  - {name: r, kind: coincide, first: a}\nprobes:\n  - {of: r, measure: "
        "drive}\n",
        "kind coincide has no drive");
    must_refuse("constraints:\n  - {kind: slide, first: ball}\n", "\"ball\" is not a point");
    must_refuse("constraints:\n  - {kind: slide, first: hinge, length: 3 cm}\n",
                "expected an angle");
    must_refuse("constraints:\n  - {kind: slide, first: hinge, rate: 3 m/s}\n", "an angular speed");
    must_refuse("constraints:\n  - {kind: slide, first: hinge, rate: [1, 2]}\n",
                "a rate of slide has 1 value, not 2");
    must_refuse("constraints:\n  - {kind: slide, first: rail, second: hinge, ratio: 2 s}\n",
                "m/rad");
    must_refuse("constraints:\n  - {kind: coincide, first: a, ratio: 2}\n", "kind slide");
    must_refuse("constraints:\n  - {kind: coincide, first: a, rate: 1 m/s}\n",
                "a rate of coincide has 3 values, not 1");
    must_refuse("constraints:\n  - {kind: distance, first: a, length: 1 kg}\n",
                "expected a length");
    must_refuse("loads:\n  - {at: hinge, along: 1 N}\n", "torque (J, N m)");
    must_refuse("loads:\n  - {at: {body: a}, along: 1 N}\n", "needs a point that slides");
    must_refuse("points:\n  - {name: p}\n", "one of \"at\"");
    must_refuse("points:\n  - {name: p, at: [0, 0, 0], revolute: {of: a}}\n", "one of \"at\"");
    must_refuse("points:\n  - {name: p, revolute: {of: c}}\n", "nothing is called \"c\"");
    must_refuse("points:\n  - {name: p, revolute: {of: hinge}}\n", "is a coordinate");
    must_refuse("points:\n  - {name: p, revolute: {of: a}, sliding: yes}\n", "not for coordinates");
    must_refuse("points:\n  - {name: p, revolute: {of: a}, friction: 1 N s/m}\n", "N m s");
    must_refuse("points:\n  - {name: p, prismatic: {of: a, axis: [0, 0, 0]}}\n", "zero vector");
    must_refuse("  - {name: a, kind: ball, first: b}\n", "is already taken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_leave_free),     cmocka_unit_test(universal_joint_passes_turns_on),
        cmocka_unit_test(hinge_with_a_torque),  cmocka_unit_test(bearing_and_motor_carry_an_arm),
        cmocka_unit_test(spring_on_a_hinge),    cmocka_unit_test(damped_spring_on_a_rail),
        cmocka_unit_test(limits_stop_it),       cmocka_unit_test(rates_by_keys),
        cmocka_unit_test(gears_and_racks),      cmocka_unit_test(screw),
        cmocka_unit_test(cylindrical_has_two),  cmocka_unit_test(points_constraints_and_loads),
        cmocka_unit_test(strand_on_a_hinge),    cmocka_unit_test(told),
        cmocka_unit_test(friction_and_release), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
