/* Routes in space in scenes: shafts, grooved drums, ends on a surface, fleet angles, a length; and messages with their
 * line and column. */
#include "support/played.h"
#include "support/test.h"

#include "scene/scene_data.h"

#include <cordage/cable.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define BALL(name, x)                                                                              \
    "  - {name: " name ", shape: {sphere: {radius: 5 cm}}, mass: 1 kg, position: " x "}\n"

/* Line 6 has the pulley, line 8 the cable, line 9 what follows. */
static const char *scene_text(const char *pulley, const char *keys, const char *route,
                              const char *more)
{
    static char text[2048];
    snprintf(text, sizeof text,
             "cordage: 1\nbodies:\n" BALL("a", "[-0.2, 0, -1]") BALL("b", "[0.2, 0, -1]") //
             "pulleys:\n  - {name: w, at: [0, 0, 0], radius: 0.2%s}\n"
             "cables:\n  - {name: c, density: 0.1%s, route: [%s]}\n%s",
             pulley, keys, route, more);
    return text;
}

static void messages(void **unused)
{
    static const struct {
        const char *pulley, *keys, *route, *more, *message;
    } cases[] = {
        {"", "", "a, around w, b", "", "8:40: \"around w\" does not say on which side"},
        {"", "", "a, round w, b", "", "8:40: \"round w\" does not say on which side"},
        {"", "", "a, over w, over w, b", "", "8:48: the cable is on \"w\" already"},
        {"", ", closed: yes", "over w, [1, 0, 1], over w", "",
         "8:50: the cable is on \"w\" already"},
        {"", ", damping: 0.1 s", "a, over w, b", "",
         "8:29: damping acts on stretching, bending and twist"},
        {"", ", length: 2 m", "a, over w, b", "",
         "8:37: cable: cable 'c': its length is 2 m, but its route is 2.62832 m long"},
        {"", ", length: 3 m, closed: yes", "a, over w, b", "",
         "8:29: a closed cable along a route is as long as its route"},
        {"", ", length: 3 m, stretching: 10 N, tension: 1 N", "a, over w, b", "",
         "8:29: either a length or a tension"},
        {", pitch: 1 cm", "", "a, over w, b", "", "6:43: pitch: a groove needs the length"},
        {", length: 1 m, pitch: 0 m", "", "a, over w, b", "", "6:56: pitch: a groove rises"},
        {", length: 1 m, width: 1 m", "", "a, over w, b", "", "6:56: width: it has a length"},
        {"", "", "a, {pulley: w, side: over, height: 1 cm}, b", "",
         "8:64: height: \"w\" has no groove"},
        {"", "", "a, {on: w}, b", "", "8:40: on: and position: go together"},
        {"", "", "{on: w, position: [0.2, 0, 0], side: clockwise}, b", "",
         "8:37: on: \"w\" is a disc"},
        {", length: 1 m", "", "{on: w, position: [0.2, 0, 0]}, {on: w, position: [0.2, 1, 0]}", "",
         "8:37: say in which sense"},
        {", length: 1 m, inertia: 1", "", "a, {on: w, position: [0.2, 0, 0], side: over}", "",
         "8:40: on: \"w\" rotates: give it a pitch"},
        {", length: 1 m", "", "a, {on: w, position: [0.2, 0, 0]}", "", "8:40: say in which sense"},
        {", length: 1 m, inertia: 1", "", "over drum w, b", "",
         "8:37: \"w\" has a length, but no groove"},
        {"", "", "a, over w, b",
         "drums: [{name: d, at: [1, 0, 0], radius: 1, inertia: 1, length: 1}]\n",
         "9:57: length: a drum with a length has a groove"},
        {"", "", "a, over w, b", "probes: [{of: c@a, measure: fleet-angle}]\n",
         "9:29: c@a is not a pulley or a drum"},
        {"", "", "a, {eyelet: b, prescribed: yes}, b", "",
         "8:52: prescribed: is for ends on a cylinder"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        played_refused(scene_text(cases[i].pulley, cases[i].keys, cases[i].route, cases[i].more),
                       cases[i].message);
}

/* The first warning; empty: there is none. */
static void warns(const char *text, const char *warning)
{
    cord_scene *scene;
    cord_simulation *simulation;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    assert_int_equal(cord_simulation_advise(simulation), CORD_OK);
    const char *told = cord_simulation_get_warning(simulation, 0);
    if (*warning ? !told || !strstr(told, warning) : told != NULL)
        fail_msg("%s\nwarns: %s\nnot: %s", text, told, warning);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

/* A weight 1 m below the tangent point and d beside it: tan of the fleet angle is d. */
static void warnings(void **unused)
{
    (void)unused;
    warns(scene_text("", "", "a, over w, [0.2, 0.034, -1]", ""), "");
    warns(scene_text("", "", "a, over w, [0.2, 0.036, -1]", ""),
          "8:40: c leaves \"w\" at 2.06 degrees to its plane; above 2 degrees");
    warns(scene_text("", "", "[-0.2, -0.1, -1], over w, b", ""), "c reaches \"w\" at 5.71 degrees");
    warns(scene_text(", length: 1 m", "", "a, over w, [0.2, 0.3, -1]", ""), "");
    warns(
        scene_text(", length: 10 cm", "", "a, {pulley: w, side: over, turns: 3}, [0.2, 1, -1]", ""),
        "from the middle of \"w\", beyond its end at 0.05 m");
    warns(scene_text(", inertia: 1, length: 10 cm, pitch: 2 cm", "",
                     "{drum: w, side: over, turns: 3}, b", ""),
          "c lies 0.06 m from the middle of \"w\"");
}

static void fleet_angles_are_measured(void **unused)
{
    (void)unused;
    double angle[2];
    played p = played_text(scene_text("", "", "[-0.2, -0.1, -1], over w, [0.2, 0.3, -1]",
                                      "probes: [{name: f, of: c@w, measure: fleet-angle}]\n"));
    played_sample(p, "f", angle);
    assert_close(angle[0], -atan(0.1), 1e-12);
    assert_close(angle[1], atan(0.3), 1e-12);
    played_end(p);
}

static double length_of(const char *text)
{
    cord_strand_info info;
    played p = played_text(text);
    assert_int_equal(cord_strand_get_info(cord_simulation_get_world(p.simulation),
                                          cord_simulation_get_strand(p.simulation, 0), &info),
                     CORD_OK);
    played_end(p);
    return info.length;
}

static void routes_are_written(void **unused)
{
    (void)unused;
    const double a = 0.2;
    double helix = length_of(scene_text(
        ", length: 1 m", "", "a, {pulley: w, side: over, turns: 4}, [0.2, 0.3, -1]", ""));
    assert_close(helix, hypot(2 + 9 * pi * a, 0.3), 1e-9);
    double grooved =
        length_of(scene_text(", length: 1 m, pitch: 3 cm", "",
                             "a, {pulley: w, side: over, turns: 4, height: 5 cm}, b", ""));
    double rise = 4.5 * 0.03;
    assert_close(grooved,
                 hypot(9 * pi * a, rise) + hypot(1, 0.05 - rise / 2) + hypot(1, 0.05 + rise / 2),
                 1e-9);
    double ends = length_of(scene_text(", length: 1 m", "",
                                       "{on: w, position: [20 cm, 0, 0], side: clockwise, turns: "
                                       "2, prescribed: yes}, {on: w, position: "
                                       "[0, 0.3, 20 cm]}",
                                       ""));
    assert_close(ends, hypot(4.5 * pi * a, 0.3), 1e-9);
    double tied = length_of(
        scene_text(", length: 1 m", "",
                   "{on: w, position: [-20 cm, 0.1, 0], side: anticlockwise, turns: 1}, b", ""));
    assert_close(tied, hypot(1 + 3 * pi * a, 0.1), 1e-9);
    assert_close(length_of(scene_text("", ", length: 3 m", "a, over w, b", "")), 3, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(warnings),
        cmocka_unit_test(fleet_angles_are_measured),
        cmocka_unit_test(routes_are_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
