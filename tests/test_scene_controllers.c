/* Controllers in scenes: the law, their actuators, checkpoints, refusals; and the user state of
 * a world. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A cart of 2 kg on a rail, and a wheel of 0.09 kg m^2 on an axle. */
#define MACHINE                                                                                    \
    "cordage: 1\nworld: {gravity: [0, 0, 0]}\nbodies:\n"                                           \
    "  - {name: cart, shape: {box: {size: [0.1, 0.1, 0.1]}}, mass: 2 kg}\n"                        \
    "  - {name: wheel, shape: {cylinder: {radius: 30 cm, length: 2 cm}}, mass: 2 kg, position: "   \
    "[1, 0, 0]}\n"                                                                                 \
    "joints:\n  - {name: rail, kind: prismatic, first: cart, axis: [1, 0, 0]}\n"                   \
    "  - {name: axle, kind: revolute, first: wheel}\n"                                             \
    "probes:\n  - {name: way, of: rail, measure: coordinate}\n"                                    \
    "  - {name: speed, of: rail, measure: rate}\n"                                                 \
    "  - {name: turn, of: axle, measure: coordinate}\n"                                            \
    "  - {name: spin, of: axle, measure: rate}\n"                                                  \
    "  - {name: place, of: cart, measure: position}\n"                                             \
    "  - {name: out, of: it, measure: output}\n"

/* The output is the law's value for the measured input; the integral stops at a limit; a jump of
 * the target has no derivative term. */
static void law_step_by_step(void **unused)
{
    (void)unused;
    played p = played_text(
        MACHINE "controllers:\n  - {name: it, measure: place.x, target: [{t: 0.1 s, value: 0 m}, "
                "{t: 0.11 s, value: 1 m}], ease: linear, p: 30 N/m, i: 40 kg/s^3, d: 8 N s/m, "
                "limits: [-5 N, 6 N], output: {force: rail}}\n");
    const double h = 0.01;
    double sum = 0, last = 0;
    bool upper = false, lower = false;
    for (int k = 0; k < 400; k++) {
        double x = played_number(p, "way"), target = k * h > 0.105 ? 1 : 0;
        double error = target - x, rate = k > 0 ? (x - last) / h : 0;
        double rest = 30 * error - 8 * rate, out = rest + sum + 40 * error * h;
        bool outwards = (out > 6 && error > 0) || (out < -5 && error < 0);
        if (!outwards) sum += 40 * error * h;
        out = fmin(fmax(rest + sum, -5), 6);
        upper = upper || out == 6, lower = lower || out == -5;
        last = x;
        played_advance(p, h, 1);
        assert_close(played_number(p, "out"), out, 1e-9);
    }
    assert_true(upper && lower); /* both limits were reached */
    played_advance(p, h, 1200);
    assert_close(played_number(p, "way"), 1, 1e-7);
    assert_close(played_number(p, "out"), 0, 1e-5);
    played_end(p);
}

/* A load set by a controller: the cart as a damped oscillator, to first order in the step. */
static void force_on_a_rail(void **unused)
{
    (void)unused;
    static const char *const outputs[] = {
        "controllers:\n  - {name: it, output: {force: rail}, ",
        "points:\n  - {name: slider, prismatic: {of: cart, axis: [1, 0, 0]}}\ncontrollers:\n  - "
        "{name: "
        "it, output: {along: slider}, ",
        "loads:\n  - {name: push, at: cart, force: [3 N, 0, 0]}\ncontrollers:\n  - {name: it, "
        "output: {load: push}, ",
        "loads:\n  - {name: push, at: rail, along: 1 N}\ncontrollers:\n  - {name: it, output: "
        "{load: push}, ",
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 MACHINE "%s measure: way, target: 10 cm, p: 8 N/m, d: 2 N s/m}\n", outputs[i]);
        played p = played_text(text);
        double decay = 0.5, w = sqrt(4 - 0.25);
        played_advance(p, 0.001, 1000);
        double x = 0.1 - 0.1 * exp(-decay) * (cos(w) + decay / w * sin(w));
        assert_close(played_number(p, "way"), x, 2e-4);
        assert_close(played_number(p, "out"), 8 * (0.1 - x) - 2 * played_number(p, "speed"), 2e-3);
        played_end(p);
    }
}

static void torque_on_an_axle(void **unused)
{
    (void)unused;
    static const char *const outputs[] = {
        "controllers:\n  - {name: it, output: {torque: axle}, ",
        "loads:\n  - {name: push, at: wheel, torque: [0, 0, 2 N m]}\ncontrollers:\n  - {name: it, "
        "output: {load: push}, ",
        "points:\n  - {name: gauge, revolute: {of: wheel}}\ncontrollers:\n  - {name: it, output: "
        "{along: gauge}, ",
    };
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 MACHINE "%s measure: turn.s, target: 30 deg, p: 0.36 N m/rad, d: 0.09 N m s}\n",
                 outputs[i]);
        played p = played_text(text);
        double goal = 0.52359877559829887, decay = 0.5, w = sqrt(4 - 0.25);
        played_advance(p, 0.001, 1000);
        assert_close(played_number(p, "turn"),
                     goal - goal * exp(-decay) * (cos(w) + decay / w * sin(w)), 1e-3);
        played_end(p);
    }
}

/* Driven by position or rate: it has the law's value at the end of each step. */
static void drives(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *probe;
        double expected;
    } cases[] = {
        /* rate = 2 (1 - x): 1 - (1 - 2h)^n */
        {"controllers:\n  - {name: it, measure: way, target: 1 m, p: 2 1/s, output: {rate: "
         "rail}}\n",
         "way", 1},
        {"controllers:\n  - {name: it, measure: turn, target: 1 rad, p: 2, output: {rate: axle}}\n",
         "turn", 1},
        {"constraints:\n  - {name: row, kind: slide, first: axle, length: 0}\ncontrollers:\n  - "
         "{name: "
         "it, measure: turn, target: 1 rad, p: 2, output: {rate: row}}\n",
         "turn", 1},
        /* position = 0.5 (1 - x): a third of the way */
        {"controllers:\n  - {name: it, measure: turn, target: 1 rad, p: 0.5, output: {position: "
         "axle}}\n",
         "turn", 1. / 3},
        {"constraints:\n  - {name: row, kind: slide, first: rail, length: 0}\ncontrollers:\n  - "
         "{name: "
         "it, measure: way, target: 1 m, p: 0.5, output: {position: row}}\n",
         "way", 1. / 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        snprintf(text, sizeof text, MACHINE "%s", cases[i].text);
        played p = played_text(text);
        const double h = 0.01;
        if (cases[i].expected == 1) {
            played_advance(p, h, 50);
            assert_close(played_number(p, cases[i].probe), 1 - pow(1 - 2 * h, 50), 1e-7);
        } else {
            played_advance(p, h, 1);
            assert_close(played_number(p, cases[i].probe), 0.5, 1e-8);
            played_advance(p, h, 1);
            assert_close(played_number(p, cases[i].probe), 0.25, 1e-8);
        }
        played_advance(p, h, 600);
        assert_close(played_number(p, cases[i].probe), cases[i].expected, 1e-5);
        played_end(p);
    }
}

static const char *const held =
    MACHINE "controllers:\n  - {name: it, measure: way, target: 10 cm, p: 20 N/m, i: 9, d: 3 N "
            "s/m, limits: [-1 N, 1 N], output: {force: rail}}\n"
            "  - {measure: turn, target: 1 rad, p: 3, i: 1, output: {rate: axle}}\n";

static uint64_t hash_of(played p)
{
    uint64_t hash = 0;
    assert_int_equal(cord_world_hash(p.world, &hash), CORD_OK);
    return hash;
}

/* The controllers' internal values are part of the state. */
static void goes_on_from_a_checkpoint(void **unused)
{
    (void)unused;
    played p = played_text(held), other = played_text(held);
    size_t size;
    played_advance(p, 0.01, 40);
    assert_int_equal(cord_world_get_state_size(p.world, &size), CORD_OK);
    char *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(cord_world_get_state(p.world, bytes), CORD_OK);
    played_advance(p, 0.01, 40);
    assert_int_equal(cord_world_set_state(other.world, bytes, size), CORD_OK);
    played_advance(other, 0.01, 40);
    assert_true(hash_of(p) == hash_of(other));
    assert_close(played_number(p, "out"), played_number(other, "out"), 0);
    free(bytes);
    played_end(p);
    played_end(other);
}

/* By calls: control, possibly twice, then the world's step. */
static void by_hand(void **unused)
{
    (void)unused;
    played p = played_text(held), other = played_text(held);
    played_advance(p, 0.01, 30);
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k <= i % 2; k++)
            assert_int_equal(cord_simulation_control(other.simulation, 0.01), CORD_OK);
        assert_int_equal(cord_world_step(other.world, 0.01), CORD_OK);
    }
    assert_true(hash_of(p) == hash_of(other));
    assert_int_equal(cord_simulation_control(p.simulation, 0), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_simulation_control(NULL, 0.01), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_reserve_user_state(p.world, 1),
                     CORD_OK); /* replaces the controllers' state */
    assert_int_equal(cord_simulation_step(p.simulation, 0.01), CORD_ERROR_ARGUMENT);
    played_end(p);
    played_end(other);
}

static void kept_numbers(void **unused)
{
    (void)unused;
    cord_world_def def = cord_world_def_default();
    cord_world *w;
    uint64_t before, after;
    int count = -1;
    char bytes[1024];
    size_t size, bare;
    assert_int_equal(cord_world_create(&def, &w), CORD_OK);
    assert_null(cord_world_get_user_state(w, &count));
    assert_int_equal(count, 0);
    assert_int_equal(cord_world_get_state_size(w, &bare), CORD_OK);
    assert_int_equal(cord_world_reserve_user_state(w, -1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_reserve_user_state(NULL, 1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_reserve_user_state(w, 3), CORD_OK);
    double *kept = cord_world_get_user_state(w, &count);
    assert_int_equal(count, 3);
    assert_all_close(kept, ((double[]){0, 0, 0}), 3, 0);
    assert_int_equal(cord_world_hash(w, &before), CORD_OK);
    kept[1] = 7;
    assert_int_equal(cord_world_hash(w, &after), CORD_OK);
    assert_true(before != after);
    assert_int_equal(cord_world_get_state_size(w, &size), CORD_OK);
    assert_int_equal(size, bare + 3 * sizeof(double));
    assert_int_equal(cord_world_get_state(w, bytes), CORD_OK);
    kept[1] = 8;
    assert_int_equal(cord_world_set_state(w, bytes, size), CORD_OK);
    assert_close(cord_world_get_user_state(w, NULL)[1], 7, 0);
    assert_int_equal(cord_world_reserve_user_state(w, 2), CORD_OK);
    assert_int_equal(cord_world_set_state(w, bytes, size), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_world_reserve_user_state(w, 0), CORD_OK);
    assert_null(cord_world_get_user_state(w, NULL));
    cord_world_destroy(w);
}

static void must_refuse(const char *keys, const char *message)
{
    char text[2048];
    snprintf(text, sizeof text,
             MACHINE
             "  - {name: many, of: it, measure: output}\n"
             "  - {name: rows, of: row, measure: residual}\n"
             "points:\n  - {name: still, at: [0, 0, 0]}\n"
             "constraints:\n  - {name: row, kind: coincide, first: wheel, second: [1, 0, 0]}\n"
             "loads:\n  - {name: none, at: cart}\n"
             "controllers:\n  - {name: it, %s}\n",
             keys);
    played_refused(text, message);
}

#define WAY "measure: way, target: 1 m, "
#define RAIL "output: {force: rail}"

static void refused(void **unused)
{
    (void)unused;
    must_refuse("measure: way, " RAIL, "controller needs \"target\"");
    must_refuse("measure: wey, target: 0, " RAIL,
                "no probe is called \"wey\" (did you mean \"way\"?)");
    must_refuse("measure: place.w, target: 0, " RAIL, "position has no component \"w\"");
    must_refuse("measure: rows, target: 0, " RAIL, "has many values");
    must_refuse("measure: way, target: 1 rad, " RAIL, "target: expected a length (m)");
    must_refuse(WAY "p: 1 N, " RAIL, "p: expected a stiffness (N/m)");
    must_refuse(WAY "d: 1 N/m, " RAIL, "d: expected a friction (N s/m)");
    must_refuse(WAY "i: 1 N/m, " RAIL, "i: expected something in kg s^-3");
    must_refuse(WAY "limits: [1 m, 2 m], " RAIL, "limits: expected a force (N)");
    must_refuse(WAY "limits: [2, 1], " RAIL, "the lower one comes first");
    must_refuse(WAY "output: {}", "an output is one of");
    must_refuse(WAY "output: {force: rail, torque: axle}", "an output is one of");
    must_refuse(WAY "output: {force: axle}", "force: is for prismatic joints");
    must_refuse(WAY "output: {torque: rail}", "torque: is for revolute and screw joints");
    must_refuse(WAY "output: {torque: cart}", "\"cart\" is not a joint");
    must_refuse(WAY "output: {torque: axel}", "did you mean \"axle\"?");
    must_refuse(WAY "output: {along: still}", "that point has no coordinate");
    must_refuse(WAY "output: {load: none}", "which gives the direction");
    must_refuse(WAY "output: {rate: row}", "that constraint has several rows");
    must_refuse(WAY "output: {rate: cart}", "is not a joint or a constraint");
    must_refuse(WAY "output: {rate: rail}}\n  - {" WAY "output: {position: rail}",
                "another controller drives that joint");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_step_by_step),
        cmocka_unit_test(force_on_a_rail),
        cmocka_unit_test(torque_on_an_axle),
        cmocka_unit_test(drives),
        cmocka_unit_test(goes_on_from_a_checkpoint),
        cmocka_unit_test(by_hand),
        cmocka_unit_test(kept_numbers),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
