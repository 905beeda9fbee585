/* Cables, pulleys and drums in scenes: the resulting routes, motors and gears on pulleys, probes
 * at waypoints, pictures, and refusals. */
#include "support/played.h"
#include "support/test.h"

#include <cordage/cable.h>
#include <math.h>
#include <stdio.h>

static const double pi = 3.14159265358979323846;

#define HEAD "cordage: 1\n"
#define BLOCK(name, mass, x, z)                                                                    \
    "  - {name: " name ", shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, mass: " mass                \
    ", position: [" x ", 0, " z "]}\n"

/* All notations for the same route. */
static void routes_are_written(void **unused)
{
    static const char *const routes[] = {
        "[anchor a, over wheel, anchor b]",
        "[a, over pulley wheel, b]",
        "[{body: a}, anticlockwise round wheel, {anchor: b}]",
        "[{anchor: {body: a}}, {pulley: wheel, side: over}, b]",
        "[a, {pulley: wheel, side: anticlockwise, turns: 0, parts: 1, wrap_friction: "
        "frictionless}, {body: b}]",
        "[a, {pulleys: wheels, from: 0, to: 0, side: [over, under]}, b]",
    };
    (void)unused;
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "bodies:\n" BLOCK("a", "1 kg", "-0.2", "-1")
                     BLOCK("b", "1 kg", "0.2",
                           "-1") "pulleys:\n"
                                 "  - {name: wheel, at: [0, 0, 0], radius: 0.2}\n"
                                 "  - {name: wheels, at: [0, 0, 0], radius: 0.2, "
                                 "axis: [0, -1, 0], repeat: {count: 2}}\n"
                                 "cables:\n  - {name: c, density: 0.1, route: %s}\n"
                                 "probes:\n  - {of: c@waypoint 1, measure: wrap-angle}\n",
                 routes[i]);
        played p = played_text(text);
        int nodes;
        cord_strand_info info;
        assert_int_equal(
            cord_cable_get_node_count(p.world, cord_simulation_get_strand(p.simulation, 0), &nodes),
            CORD_OK);
        cord_strand_get_info(p.world, cord_simulation_get_strand(p.simulation, 0), &info);
        assert_int_equal(nodes, 4);
        assert_string_equal(info.name, "c");
        assert_close(info.length, 2 + 0.2 * pi, 1e-12);
        assert_close(played_number(p, "c-waypoint-1-wrap-angle"), pi, 1e-12);
        played_end(p);
    }
}

/* Over and under are determined by gravity and the direction of the cable; left and right by its
 * direction. */
static void sides(void **unused)
{
    static const struct {
        const char *side, *axis, *from, *to;
        int touched; /* the wrap angle is half a turn, and not zero */
    } cases[] = {
        {"over", "[0, 1, 0]", "[-1, 0, -5]", "[1, 0, -5]", 1},
        {"over", "[0, 1, 0]", "[1, 0, -5]", "[-1, 0, -5]", 1},
        {"over", "[0, -1, 0]", "[-1, 0, -5]", "[1, 0, -5]", 1},
        {"under", "[0, 1, 0]", "[-1, 0, 5]", "[1, 0, 5]", 1},
        {"under", "[0, -1, 0]", "[1, 0, 5]", "[-1, 0, 5]", 1},
        {"under", "[0, 1, 0]", "[-5, 0, -2]", "[5, 0, -2]", 0},
        /* along y past an upright pulley that is on the right or on the left of the path */
        {"left of", "[0, 0, 1]", "[-2, -5, 0]", "[-2, 5, 0]", 0},
        {"left of", "[0, 0, 1]", "[5, -1, 0]", "[5, 1, 0]", 1},
        {"left of", "[0, 0, -1]", "[5, -1, 0]", "[5, 1, 0]", 1},
        {"right of", "[0, 0, 1]", "[5, 1, 0]", "[5, -1, 0]", 1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD "pulleys:\n  - {name: wheel, at: [0, 0, 0], radius: 1, axis: %s}\n"
                      "cables:\n  - {name: c, density: 0.1, route: [%s, %s wheel, %s]}\n"
                      "probes:\n  - {of: c@wheel, measure: wrap-angle}\n"
                      "  - {of: c@wheel, measure: contact}\n",
                 cases[i].axis, cases[i].from, cases[i].side, cases[i].to);
        played p = played_text(text);
        assert_close(played_number(p, "c-wheel-wrap-angle"), cases[i].touched ? pi : 0, 1e-9);
        assert_true(played_number(p, "c-wheel-contact") == cases[i].touched);
        played_end(p);
    }
}

/* A motor that winds: the load rises by rim radius times angle, and its torque is that of the
 * weight. */
static void winch(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("load", "10 kg", "1.1", "-2") //
        "pulleys:\n  - {name: jib, at: [1, 0, 1], radius: 0.1, inertia: 1e-3}\n"
        "drums:\n  - {name: drum, at: [0, 0, 0], radius: 0.2, inertia: 0.02, "
        "motor: {rate: [{t: 0, value: 0}, {t: 0.5, value: -1.5}]}}\n"
        "cables:\n  - {name: rope, density: 1e-6, route: [over drum drum, over jib, load]}\n"
        "probes:\n  - {of: load, measure: position}\n  - {of: load, measure: velocity}\n"
        "  - {of: drum, measure: coordinate}\n  - {of: drum, measure: drive}\n"
        "  - {of: jib, measure: rate}\n  - {of: rope@jib, measure: tension}\n");
    double x[3], v[3], t[2];
    played_advance(p, 0.005, 200);
    played_sample(p, "load-position", x);
    played_sample(p, "load-velocity", v);
    played_sample(p, "rope-jib-tension", t);
    assert_close(x[2], -2 - 0.2 * played_number(p, "drum-coordinate"), 1e-6);
    /* smooth at first */
    assert_close(played_number(p, "drum-coordinate"), -1.5 * (0.25 + 0.5), 1e-6);
    assert_close(v[2], 0.3, 1e-9);
    assert_close(played_number(p, "drum-drive"), -0.2 * 10 * 9.81, 1e-4);
    assert_close(played_number(p, "jib-rate"), -0.3 / 0.1, 1e-9);
    assert_close(t[0], 98.1, 2e-4);
    assert_close(t[1], 98.1, 2e-4);
    played_end(p);
}

/* A controller rotates a drum until its load is at the target; then its torque is that of the
 * weight. */
static void controlled(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("load", "2 kg", "0.2", "-2") //
        "drums:\n  - {name: drum, at: [0, 0, 0], radius: 0.2, inertia: 0.1, friction: 0.1}\n"
        "cables:\n  - {name: rope, density: 1e-6, route: [over drum drum, load]}\n"
        "controllers:\n  - {name: servo, measure: height.z, target: -1.5 m, p: -30 N, i: -30 N/s, "
        "d: -10 N s, output: {torque: drum}}\n"
        "probes:\n  - {name: height, of: load, measure: position}\n"
        "  - {of: servo, measure: output}\n");
    double x[3];
    played_advance(p, 0.01, 1500);
    played_sample(p, "height", x);
    assert_close(x[2], -1.5, 1e-8);
    assert_close(played_number(p, "servo-output"), -0.2 * 2 * 9.81, 1e-4);
    played_end(p);
}

/* Two pulleys on one shaft, and a gear between pulleys. */
static void shafts_and_gears(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("a", "1 kg", "-0.3", "-1") BLOCK("b", "2 kg", "0.1", "-1") //
        "pulleys:\n  - {name: big, at: [0, 0, 0], radius: 0.3, inertia: 0.5, friction: 0.01}\n"
        "  - {name: small, at: [0, 0, 0], radius: 0.1, rotates_with: big}\n"
        "  - {name: idle, at: [1, 0, 0], radius: 0.1, inertia: 0.1}\n"
        "joints:\n  - {kind: gear, first: idle, second: big, ratio: -3}\n"
        "cables:\n  - {name: left, density: 1e-6, route: [{drum: big, side: over}, a]}\n"
        "  - {name: right, density: 1e-6, route: [{drum: small, side: over}, b]}\n"
        "probes:\n  - {of: big, measure: rate}\n  - {of: idle, measure: rate}\n"
        "  - {of: a, measure: velocity}\n  - {of: b, measure: velocity}\n");
    double a[3], b[3];
    played_advance(p, 0.002, 100);
    played_sample(p, "a-velocity", a);
    played_sample(p, "b-velocity", b);
    /* 1 kg on 0.3 m against 2 kg on 0.1 m; the idler counts nine times */
    double torque = 9.81 * (0.3 - 0.2), all = 0.5 + 9 * 0.1 + 0.09 + 0.02;
    double rate = torque / 0.01 * (1 - exp(-0.01 * 0.2 / all));
    assert_close(fabs(played_number(p, "big-rate")), rate, 1e-5);
    assert_close(played_number(p, "idle-rate"), -3 * played_number(p, "big-rate"), 1e-9);
    assert_close(a[2], -0.3 * rate, 1e-6);
    assert_close(b[2], 0.1 * rate, 1e-6);
    played_end(p);
}

/* Many pulleys of two arrays alternately, below and above; a compound block is pulleys on one
 * body. With 2n ropes the weight balances the nth part of the block. */
static void arrays(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n  - {name: block, shape: {box: {size: [8, 0.1, 0.1]}}, mass: 16 kg, "
             "position: [4, 0, -2]}\n" //
        BLOCK(
            "weight", "1.5 kg", "8.25",
            "-1.5") "pulleys:\n"
                    "  - {name: up, at: [1, 0, 0], radius: 0.25, repeat: {count: 8, offset: [1, 0, "
                    "0]}}\n"
                    "  - {name: down, at: {body: block, at: [-3.5, 0, 0]}, radius: 0.25, "
                    "repeat: {count: 8, offset: [1, 0, 0]}}\n"
                    "cables:\n  - name: rope\n    density: 1e-9\n    route:\n      - [0.25, 0, 0]\n"
                    "      - {pulleys: [down, up], from: 0, to: 7, side: [under, over]}\n      - "
                    "weight\n"
                    "joints:\n  - {name: lift, kind: prismatic, first: block, axis: [0, 0, 1]}\n"
                    "probes:\n  - {of: 'rope@down[0]', measure: wrap-angle}\n  - {of: "
                    "rope@waypoint 16, "
                    "measure: wrap-angle}\n"
                    "  - {of: weight, measure: velocity}\n");
    assert_int_equal(cord_scene_get_info(p.scene).pulley_count, 16);
    assert_int_equal(cord_scene_get_info(p.scene).joint_count, 1);
    assert_int_equal(cord_scene_get_info(p.scene).solid_count, 18);
    assert_string_equal(cord_scene_get_solid_name(p.scene, 0), "block");
    assert_string_equal(cord_scene_get_solid_name(p.scene, 2), "up[0]");
    assert_string_equal(cord_scene_get_joint_name(p.scene, 16), "down[7]");
    assert_close(played_number(p, "rope-down[0]-wrap-angle"), pi, 1e-9);
    assert_close(played_number(p, "rope-waypoint-16-wrap-angle"), pi, 1e-9);
    double x[3], frame[9], v[3], w[3];
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 10, x, frame, v, w), CORD_OK);
    assert_close(x[0], 0.5, 1e-12);
    assert_close(x[2], -2, 1e-12);
    assert_close(fabs(frame[7]), 1, 1e-12);
    /* x of the weight is 16 of the block: (1.5 - 16/16) g = (1.5 + 16/256) a */
    played_advance(p, 0.01, 20);
    played_sample(p, "weight-velocity", v);
    assert_close(v[2], -9.81 * 0.5 / (1.5 + 16. / 256) * 0.2, 1e-7);
    played_end(p);
}

/* A pulley is drawn with its rotation. */
static void pulleys_are_shown_rotating(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("a", "1 kg", "-0.2", "-1") BLOCK("b", "2 kg", "0.2", "-1") //
        "pulleys:\n  - {name: wheel, at: [0, 0, 0], radius: 0.2, inertia: 0.01, colour: red}\n"
        "cables:\n  - {name: c, density: 0.1, route: [a, over wheel, b]}\n"
        "probes:\n  - {of: wheel, measure: angle}\n  - {of: wheel, measure: rate}\n");
    double before[9], after[9], x[3], v[3], w[3];
    cord_body_info info;
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 2, x, before, v, w), CORD_OK);
    played_advance(p, 0.01, 20);
    assert_int_equal(cord_simulation_get_solid_motion(p.simulation, 2, x, after, v, w), CORD_OK);
    double angle = played_number(p, "wheel-angle");
    assert_true(fabs(angle) > 0.1);
    for (int k = 0; k < 3; k++)
        assert_close(after[k], cos(angle) * before[k] + sin(angle) * before[3 + k], 1e-12);
    assert_close(w[1], played_number(p, "wheel-rate"), 1e-12);
    assert_int_equal(cord_simulation_get_solid(p.simulation, 2, &info), CORD_OK);
    assert_int_equal(info.shape.kind, CORD_SHAPE_MESH);
    assert_close(info.principal_moments[2], 0.01, 1e-15);
    assert_true(info.mass == 0 && cord_scene_get_solid_colour(p.scene, 2) >= 0);
    played_end(p);
}

/* Guides and nodes given explicitly: the Atwood machine without a route. */
static void nodes_by_hand(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("a", "1 kg", "-0.2", "-1") BLOCK("b", "2 kg", "0.2", "-1") //
        "cables:\n  - name: c\n    density: 1e-6\n    guides:\n"
        "      - {name: a, kind: point, at: a}\n"
        "      - {name: rim, kind: circle, at: [0, 0, 0], axis: [0, 1, 0], radius: 0.2}\n"
        "      - {name: b, kind: point, at: b}\n    nodes:\n      - {guide: a, s: 0}\n"
        "      - {guide: rim, at: $start, s: 1, eulerian: yes, tangent: before}\n"
        "      - {guide: rim, at: $end, s: 1.6283185307179586, eulerian: yes, tangent: after}\n"
        "      - {guide: b, s: 2.6283185307179586}\n"
        "probes:\n  - {of: b, measure: velocity}\nlet: {start: -3.141592653589793, end: 0}\n");
    double v[3];
    played_advance(p, 0.01, 20);
    played_sample(p, "b-velocity", v);
    assert_close(v[2], -9.81 / 3 * 0.2, 1e-5);
    assert_int_equal(cord_scene_get_info(p.scene).solid_count, 3);
    played_end(p);
}

/* Ends of cables can be constrained and probed. */
static void ends(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD
        "cables:\n  - {name: c, density: 0.1, parts: 4, route: [[0, 0, 0], {free: [1, 0, 0]}]}\n"
        "clamps:\n  - {name: hold, at: c@end, frame: no}\n"
        "probes:\n  - {of: c@end, measure: position}\n  - {of: hold, measure: force}\n"
        "  - {of: c, measure: position}\n");
    double x[3], f[3];
    played_advance(p, 0.01, 5);
    played_sample(p, "c-end-position", x);
    played_sample(p, "hold-force", f);
    assert_close(x[0], 1, 1e-9);
    assert_close(x[2], 0, 1e-9);
    assert_close(f[2], 0.5 * 0.981, 1e-3); /* half of its weight */
    played_end(p);
}

/* Anywhere along it: named or not, by fraction or length, loaded, attached to a body, or
 * sliding. */
static void places(void **unused)
{
    (void)unused;
    static const char cables[] =
        "cables:\n  - {name: c, density: 0.1, route: [[0, 0, 0], [2, 0, 0]]}\n"
        "  - {name: d, density: 0.1, route: [[0, 0, 1], [0, 0, -1]]}\n"
        "points:\n  - {name: p, at: c@40%}\n"
        "  - {name: bead, at: d@50 cm, sliding: yes, mass: 0.2 kg}\n"
        "  - {name: low, prismatic: {of: p, axis: [0, 0, 1]}}\n";
    char text[1024];
    snprintf(text, sizeof text,
             HEAD "bodies:\n  - {name: bob, shape: {sphere: {radius: 1 cm}}, mass: 0.3 kg, "
                  "position: [0.8, 0, 0]}\n%s"
                  "constraints:\n  - {name: tie, kind: coincide, first: p, second: bob}\n"
                  "loads:\n  - {at: c@1.2 m, force: [0, 0, -2]}\n"
                  "probes:\n  - {of: p, measure: position}\n  - {of: tie, measure: force}\n"
                  "  - {of: c@1.2 m, measure: position}\n  - {of: bead, measure: rate}\n"
                  "  - {of: bead, measure: position}\n",
             cables);
    played p = played_text(text);
    double x[3], f[3], rate;
    played_advance(p, 0.01, 10);
    played_sample(p, "p-position", x);
    assert_all_close(x, ((double[]){0.8, 0, 0}), 3, 1e-9);
    played_sample(p, "tie-force", f);
    assert_close(f[2], -0.3 * 9.81, 1e-9); /* on the cable's point */
    played_sample(p, "c-1.2-m-position", x);
    assert_all_close(x, ((double[]){1.2, 0, 0}), 3, 1e-9);
    played_sample(p, "bead-rate", &rate);
    assert_close(rate, 9.81 * 0.1, 1e-9);
    played_sample(p, "bead-position", x);
    assert_close(x[2], 0.5 - 0.5 * 9.81 * 0.01, 1e-9);
    played_end(p);
    snprintf(text, sizeof text,
             HEAD "bodies:\n  - {name: bob, shape: {sphere: {radius: 1 cm}}, mass: 0.3 kg}\n%s"
                  "joints:\n  - {name: j, kind: ball, first: p, second: bob}\n",
             cables);
    played_refused(text, "\"p\" is on a cable");
}

/* From a material and a section; elastic ones hang lower by Hooke's law. */
static void materials(void **unused)
{
    (void)unused;
    played p = played_text(
        HEAD "bodies:\n" BLOCK("a", "100 kg", "0", "-1") //
        "cables:\n  - {name: wire, material: {density: 7800 kg/m^3, young: 200 GPa, poisson: 0.3}, "
        "section: {circle: {radius: 1 mm}}, stretching: elastic, tension: 981 N, "
        "route: [[0, 0, 0], a]}\n"
        "probes:\n  - {of: a, measure: position}\n  - {of: wire, measure: energy}\n"
        "  - {of: wire, measure: tension}\n");
    cord_strand_info info;
    cord_strand_get_info(p.world, cord_simulation_get_strand(p.simulation, 0), &info);
    double area = pi * 1e-6, stretch = 981 / (200e9 * area), e[7], tension[32];
    assert_in_range(info.edge_count, 1, 32);
    assert_close(info.mass, 7800 * area * info.length, 1e-12);
    assert_close(info.length, 1 / (1 + stretch), 1e-9);
    played_sample(p, "wire-energy", e);
    assert_close(e[2], 0.5 * 981 * stretch * info.length, 1e-9);
    played_sample(p, "wire-tension", tension);
    for (int k = 0; k < info.edge_count; k++) /* with the weight of the wire below */
        assert_close(tension[k], 981 + info.mass * 9.81 * (0.5 - (k + 0.5) / info.edge_count),
                     1e-6);
    played_end(p);
}

static void must_refuse(const char *objects, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text,
             HEAD "bodies:\n" BLOCK("a", "1 kg", "-0.2", "-1") BLOCK("b", "1 kg", "0.2", "-1") //
             "points:\n  - {name: peg, at: [0, 0, 1]}\n"
             "  - {name: moving, at: [0, 0, 1], motion: [{t: 0, by: [0, 0, 0]}, "
             "{t: 1, by: [1, 0, 0]}]}\n%s",
             objects);
    played_refused(text, message);
}

#define PULLEY "pulleys: [{name: w, at: [0, 0, 0], radius: 0.2}]\n"
#define CABLE(keys) "cables: [{name: c, " keys "}]\n"
#define ROUTE(waypoints) PULLEY CABLE("density: 0.1, route: [" waypoints "]")

static void refusals(void **unused)
{
    static const struct {
        const char *objects, *message;
    } cases[] = {
        {ROUTE("a, over v, b"), "nothing is called \"v\""},
        {ROUTE("a, over b, b"), "\"b\" is not a pulley or a drum"},
        {ROUTE("a, w, b"), "\"w\" is a pulley: say how the cable passes it, as in \"over w\""},
        {ROUTE("a, {pulley: w}, b"), "say on which side the cable passes the pulley"},
        {ROUTE("a, {pulley: w, side: above}, b"), "expected over, under, left, right"},
        {ROUTE("a, {pulley: w, side: over, wrap_friction: firm}, b"),
         "`frictionless`, `no-slip`, or a"},
        {ROUTE("a, {pulley: w, side: over, wrap_friction: 0}, b"), "wrap_friction"},
        {ROUTE("a, {pulley: w, eyelet: peg, side: over}, b"), "a waypoint is one of anchor"},
        {ROUTE("a, {eyelet: peg, turns: 1}, b"), "turns: is for pulleys and drums only"},
        {ROUTE("a, {pulley: w, side: over, to: 3}, b"), "to: is for a run of pulleys"},
        {ROUTE("a, {pulleys: w, side: over}, b"), "a run of pulleys needs \"to\""},
        {ROUTE("a, {pulleys: w, to: 1, side: over}, b"), "nothing is called \"w[0]\""},
        {ROUTE("a, left of w, b"), "w: its axis is level, so it has no left and right"},
        {ROUTE("a"), "expected a list of two waypoints or more"},
        {ROUTE("a, over w"), "\"w\" does not rotate: nothing can be wound on it"},
        {ROUTE("a, anchor peg, b"), "waypoint 1: an anchor or a drum is at an end of the cable"},
        {ROUTE("eyelet peg, over w, b"), "waypoint 0: a cable does not end at an eyelet"},
        {ROUTE("a, over w, moving"), "\"moving\" goes by a script"},
        {ROUTE("a, over w, b@start"), "\"b\" is not a strand"},
        {ROUTE("[0, 0, 0.1], over w, b"),
         "waypoint 1: the cable would have to begin inside its pulley"},
        {ROUTE("[0, 1, -1], over w, [0, -1, -1]"),
         "w: the waypoints beside it do not tell in which direction the cable runs"},
        {"pulleys: [{name: w, at: [0, 0, 0], radius: 0.2, axis: [0, 0, 1]}]\n" CABLE(
             "density: 0.1, route: [a, over w, b]"),
         "w: its axis is upright, so nothing is over it"},
        {"pulleys: [{name: w, at: [0, 0, 0], radius: 0.2, motor: {rate: 1}}]\n",
         "motor: is of a pulley that rotates, which needs an inertia"},
        {"pulleys: [{name: w, at: [0, 0, 0], radius: 0.2, rotates_with: a}]\n",
         "\"a\" is not a joint"},
        {"pulleys: [{name: v, at: [0, 0, 0], radius: 1}, "
         "{name: w, at: [0, 0, 0], radius: 0.2, rotates_with: v}]\n",
         "\"v\" does not rotate"},
        {"pulleys: [{name: v, at: [0, 0, 0], radius: 1, inertia: 1, axis: [1, 0, 0]}, "
         "{name: w, at: [0, 0, 0], radius: 0.2, rotates_with: v}]\n",
         "its axis is not that of \"v\", which is [1, 0, 0]"},
        {"pulleys: [{name: w, at: [0, 0, 0], radius: 1, inertia: 1, motor: {force: 1}}]\n",
         "this coordinate is an angle: it takes a torque"},
        {"pulleys: [{name: w, at: moving, radius: 1}]\n", "\"moving\" goes by a script"},
        {"drums: [{name: w, at: [0, 0, 0], radius: 1}]\n", "a drum rotates: it needs an inertia"},
        {PULLEY CABLE("route: [a, over w, b]"), "a cable needs a density (kg/m), or a material"},
        {PULLEY CABLE("density: 0.1, tension: 3 N, route: [a, over w, b]"),
         "an inextensible cable has the tension that its loads give it"},
        {PULLEY CABLE("density: 0.1, stretching: elastic, route: [a, over w, b]"),
         "elastic needs a material and a section"},
        {PULLEY CABLE("density: 0.1"), "a cable needs a route, or guides and nodes"},
        {CABLE("density: 0.1, nodes: [{s: 0}, {at: [0, 0, 1], s: 1}]"),
         "a node that is free has 3 coordinates (at), not 0"},
        {CABLE("density: 0.1, nodes: [{guide: g, s: 0}, {at: [0, 0, 1], s: 1}]"),
         "this cable has no guide called \"g\""},
        {ROUTE("a, over w, b") "probes: [{of: c@v, measure: wrap-angle}]\n",
         "c has no such waypoint"},
        {ROUTE("a, over w, b") "probes: [{of: c@140%, measure: position}]\n",
         "\"c@140%\" is off the cable"},
        {ROUTE("a, over w, b") "loads: [{at: c@99 m, force: [0, 0, 1]}]\n",
         "s = 99 m is not on the strand"},
        {ROUTE("a, over w, b") "probes: [{of: c@end, measure: curvature}]\n",
         "a point of a cable has a position, a velocity, a tension, a twist and a torque"},
        {ROUTE("a, over w, b") "probes: [{of: c@end, measure: torque}]\n",
         "c carries no twist: give it \"twisting\""},
        {PULLEY CABLE("density: 0.1, twisting: 1, route: [a, over w, {free: [1, 0, -1]}]"),
         "its end is free, and lets the twist go"},
        {ROUTE("a, over w, b") "probes: [{of: w, measure: rate}]\n",
         "a joint of kind pulley has no rate to measure"},
        {ROUTE("a, over w, b") "loads: [{at: c@w, force: [0, 0, 1]}]\n",
         "a waypoint of a cable can be measured, but is not a point"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        must_refuse(cases[i].objects, cases[i].message);
}

/* For a sliding point, and for a material point, the tangent is constrained where no direction
 * is given. */
static void directions(void **unused)
{
    (void)unused;
    played p = played_text(HEAD "bodies:\n" BLOCK("a", "1 kg", "0", "0") BLOCK(
        "b", "1 kg", "1",
        "0") "cables:\n  - {name: c, density: 0.1, route: [a, b]}\n"
             "points:\n  - {name: slides, at: c@30%, sliding: yes}\n"
             "constraints:\n"
             "  - {name: one, kind: parallel, first: slides, second: [0, 0, 0], "
             "direction: [1, 0, 1]}\n"
             "  - {name: two, kind: parallel, first: c@60%, second: [0, 0, 0], "
             "direction: [1, 0, 1]}\n"
             "  - {name: three, kind: perpendicular, first: c@end, second: [0, 0, 0], "
             "direction: [1, 0, 1]}\n"
             "probes:\n  - {of: one, measure: residual}\n"
             "  - {of: two, measure: residual}\n"
             "  - {of: three, measure: residual}\n");
    static const char *const names[3] = {"one-residual", "two-residual", "three-residual"};
    for (int i = 0; i < 3; i++) {
        double g[2] = {0, 0};
        played_sample(p, names[i], g);
        assert_close(sqrt(g[0] * g[0] + g[1] * g[1]), sqrt(0.5), 1e-12);
    }
    played_end(p);
    played_refused(HEAD "bodies:\n" BLOCK("a", "1 kg", "0", "0") BLOCK(
                       "b", "1 kg", "1",
                       "0") "cables:\n  - {name: c, density: 0.1, route: [a, b]}\n"
                            "constraints:\n  - {kind: align, first: c@60%, second: [0, 0, 0]}\n",
                   "constrained by parallel");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_are_written),
        cmocka_unit_test(sides),
        cmocka_unit_test(winch),
        cmocka_unit_test(controlled),
        cmocka_unit_test(shafts_and_gears),
        cmocka_unit_test(arrays),
        cmocka_unit_test(pulleys_are_shown_rotating),
        cmocka_unit_test(nodes_by_hand),
        cmocka_unit_test(ends),
        cmocka_unit_test(places),
        cmocka_unit_test(materials),
        cmocka_unit_test(directions),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
