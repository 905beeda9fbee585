/* Growth of strands in scenes. */
#include "support/played.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

#define ROD(model)                                                                                 \
    "strands:\n"                                                                                   \
    "  - name: rod\n"                                                                              \
    "    model: " model "\n"                                                                       \
    "    shape: {line: {from: [0, 0, 0], to: [0.4, 0, 0], vertices: 33}}\n"                        \
    "    director: [0, 0, -1]\n"                                                                   \
    "    section: {explicit: {mass: 0.1 kg/m, bending: [0.01, 0.01], twisting: 0.008}}\n"
#define QUASI_STATIC                                                                               \
    "cordage: 1\n"                                                                                 \
    "world: {integrator: quasi-static, gravity: [0, 0, 0]}\n"                                      \
    "run: {until: 1 s, dt: 0.1 s}\n"
#define END                                                                                        \
    "clamps: [{at: rod@start}]\n"                                                                  \
    "probes: [{name: tip, of: rod@end, measure: position}, "                                       \
    "{name: middle, of: rod@50%, measure: position}]\n"

/* The end moves on by the integral of the rate; a point in the middle stays where it is. */
static void rate_of_time(void **state)
{
    (void)state;
    static const char *const scenes[] = {
        QUASI_STATIC ROD("der") "    growth: {rate: [{t: 0 s, value: 0 mm/s}, "
                                "{t: 1 s, value: 400 mm/s}], ease: linear, until: 1 m}\n" END,
        QUASI_STATIC ROD("clothoid") "    growth: {rate: [{t: 0 s, value: 0 mm/s}, "
                                     "{t: 1 s, value: 400 mm/s}], ease: linear, until: 1 m}\n" END};
    for (int i = 0; i < 2; i++) {
        played p = played_text(scenes[i]);
        double at[3];
        played_advance(p, 0.1, 10);
        played_sample(p, "tip", at);
        assert_close(at[0], 0.6, 1e-9);
        played_sample(p, "middle", at);
        assert_close(at[0], 0.2, 1e-9);
        played_end(p);
    }
}

/* Curvature rises along the strand, κ(s) = s/m²: as for a clothoid the direction of the end is ½ s² beyond the start of
 * growth. */
static void curvature_of_length(void **state)
{
    (void)state;
    played p = played_text(
        QUASI_STATIC "strands:\n"
                     "  - name: rod\n"
                     "    model: clothoid\n"
                     "    length: 0.4 m\n"
                     "    elements: 4\n"
                     "    curvatures: [[0, 0, 0], [0, 0.4, 0]]\n"
                     "    section: {explicit: {mass: 0.1 kg/m, bending: [0.01, 0.01], twisting: "
                     "0.008}}\n"
                     "    growth:\n"
                     "      rate: 0.6 m/s\n"
                     "      until: 1 m\n"
                     "      natural_curvature: [{s: 0 m, value: [0, 0, 0]}, "
                     "{s: 2 m, value: [0, 2 1/m, 0]}]\n"
                     "clamps: [{at: rod@start}]\n"
                     "probes: [{name: tangent, of: rod@end, measure: frame}]\n");
    double t[9];
    played_advance(p, 0.1, 11);
    played_sample(p, "tangent", t);
    assert_close(t[0], cos(0.5), 1e-6);
    assert_close(fabs(t[1]) + fabs(t[2]), sin(0.5), 1e-6);
    played_end(p);
}

/* A rod lies on the floor: while it grows, the floor carries its weight in every step. */
static void floor_carries_it(void **state)
{
    (void)state;
    static const char *const models[] = {"der", "clothoid"};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "cordage: 1\n"
                 "world: {gravity: [0, 0, -10]}\n"
                 "run: {until: 1 s, dt: 5 ms}\n"
                 "obstacles: [{name: floor, plane: {}}]\n"
                 "strands:\n"
                 "  - name: rod\n"
                 "    model: %s\n"
                 "    shape: {line: {from: [0, 0, 0.01], to: [0.4, 0, 0.01], vertices: 9}}\n"
                 "    section: {explicit: {mass: 0.1 kg/m, bending: [0.01, 0.01], twisting: 0.008, "
                 "radius: 1 cm}}\n"
                 "    growth: {rate: 0.4 m/s, until: 1 m}\n"
                 "probes: [{name: floor, measure: contact-force, of: rod, with: floor}]\n",
                 models[i]);
        played p = played_text(text);
        played_advance(p, 5e-3, 10);
        for (int step = 11; step <= 60; step++) {
            double force[3];
            played_advance(p, 5e-3, 1);
            played_sample(p, "floor", force);
            const double length = 0.4 + 0.4 * 5e-3 * (step - 1); /* in the step */
            assert_close(force[2], 0.1 * 10 * length, 1e-2 * length);
        }
        played_end(p);
    }
}

static void mistakes(void **state)
{
    (void)state;
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: -1 mm/s, until: 1 m}\n",
                   "rate of growth is -0.001 m/s");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 s, until: 1 m}\n",
                   "rate: expected");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s}\n", "until");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s, until: 10 cm}\n",
                   "has 0.4 m already");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s, until: 1 m, element: 1 "
                                             "mm}\n",
                   "above half of its last element");
    played_refused("cordage: 1\n" ROD("spline") "    growth: {rate: 1 mm/s, until: 1 m}\n",
                   "does not grow");
    played_refused("cordage: 1\n" ROD("segment") "    growth: {rate: 1 mm/s, until: 1 m}\n",
                   "does not grow");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s, until: 1 m, "
                                             "natural_curvature: [{s: 1 m, value: [0, 0, 0]}, "
                                             "{s: 0 m, value: [0, 1, 0]}]}\n",
                   "in the order of their lengths");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s, until: 1 m, "
                                             "natural_curvature: 3}\n",
                   "expected a vector");
    played_refused("cordage: 1\n" ROD("der") "    growth: {rate: 1 mm/s, until: 1 m}\n"
                                             "points: [{name: hole, at: rod@50%, sliding: yes}]\n",
                   "while a point slides on it");
    played_refused(
        "cordage: 1\nstrands:\n  - name: ring\n    shape: {ring: {radius: 1 m, vertices: "
        "20}}\n    section: {explicit: {mass: 0.1 kg/m, bending: [0.01, 0.01], twisting: "
        "0.008}}\n    growth: {rate: 1 mm/s, until: 10 m}\n",
        "a closed strand has no end");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_of_time),
        cmocka_unit_test(curvature_of_length),
        cmocka_unit_test(floor_carries_it),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
