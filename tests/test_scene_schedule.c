/* Schedules of strands and keys of gravity in scenes. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>

#define ROD                                                                                        \
    "strands:\n"                                                                                   \
    "  - name: rod\n"                                                                              \
    "    model: clothoid\n"                                                                        \
    "    elements: 8\n"                                                                            \
    "    shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 33}}\n"                          \
    "    director: [0, 0, -1]\n"                                                                   \
    "    section: {explicit: {mass: 0.1 kg/m, bending: [0.01, 0.01], twisting: 0.008}}\n"

/* Every function at half of its time: an arc of the curvature ½, 1.1 m long. */
static void functions_of_time(void **state)
{
    (void)state;
    played p = played_text(
        "cordage: 1\n"
        "world: {integrator: quasi-static, gravity: [0, 0, 0]}\n"
        "run: {until: 1 s, dt: 0.1 s}\n" ROD "    schedule:\n"
        "      natural_curvature: [{t: 0 s, value: [0, 0, 0]}, {t: 1 s, value: [0, 1 1/m, 0]}]\n"
        "      length: [{t: 0 s, value: 1}, {t: 1 s, value: 1.2}]\n"
        "      stiffness: [{t: 0 s, value: 1}, {t: 1 s, value: [0.5, 2]}]\n"
        "      ease: linear\n"
        "clamps: [{at: rod@start}]\n"
        "probes: [{name: tip, of: rod@end, measure: position}]\n");
    double tip[3];
    played_advance(p, 0.1, 5);
    played_sample(p, "tip", tip);
    assert_close(tip[0], sin(0.55) / 0.5, 1e-7);
    assert_close(tip[2], -(1 - cos(0.55)) / 0.5, 1e-7);
    played_end(p);
}

/* A load that cancels a weight which appears with time. */
static void load_against_gravity(void **state)
{
    (void)state;
    played p = played_text("cordage: 1\n"
                           "world: {integrator: quasi-static, ease: linear, gravity_keys: "
                           "[{t: 0 s, value: [0, 0, 0]}, {t: 1 s, value: [0, 0, -2]}]}\n"
                           "run: {until: 1 s, dt: 0.1 s}\n" ROD
                           "    schedule: {ease: linear, load: [{t: 0 s, value: [0, 0, 0]}, "
                           "{t: 1 s, value: [0, 0, 0.2 N/m]}]}\n"
                           "clamps: [{at: rod@start}]\n"
                           "probes: [{name: tip, of: rod@end, measure: position}]\n");
    double tip[3];
    played_advance(p, 0.1, 7);
    played_sample(p, "tip", tip);
    assert_close(tip[2], 0, 1e-9);
    played_end(p);
}

static void mistakes(void **state)
{
    (void)state;
    played_refused("cordage: 1\nworld: {gravity: [0, 0, -1], gravity_keys: [{t: 0 s, value: [0, 0, "
                   "-2]}]}\n" ROD,
                   "either, not both");
    played_refused("cordage: 1\n" ROD
                   "    schedule: {natural_curvature: [{t: 0 s, value: [0, 0, 0]},"
                   " {t: 1 s, value: [[0, 0, 0], [0, 1, 0]]}]}\n",
                   "all keys must have as many");
    played_refused("cordage: 1\n" ROD
                   "    schedule: {length: [{t: 1 s, value: 1}, {t: 0 s, value: 2}]}\n",
                   "in the order of their times");
    played_refused("cordage: 1\n" ROD "    schedule: {stiffness: [{t: 0 s, value: 0}]}\n",
                   "must be positive");
    played_refused("cordage: 1\n" ROD "    schedule: {length: [{t: 0 s, value: 2}]}\n"
                   "points: [{name: hole, at: rod@50%, sliding: yes}]\n",
                   "while a point slides on it");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_of_time),
        cmocka_unit_test(load_against_gravity),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
