#include <cordage/cordage.h>
#include <cordage/simulation.h>

#include "scene/simulation_data.h"
#include "support/played.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define LINE "line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 11}"
#define ROPE(shape, more)                                                                          \
    "strands: [{name: rope, shape: {" shape                                                        \
    "}, material: {density: 1000, young: 1 MPa}, section: "                                        \
    "{circle: {radius: 5 mm}}" more "}]\n"

/* The scene's warnings are exactly these parts of sentences, in this order. */
static void expect_warnings(const char *text, const char *const *parts)
{
    char whole[2048];
    snprintf(whole, sizeof whole, "cordage: 1\n%s", text);
    cord_scene *scene;
    cord_simulation *simulation = NULL;
    cord_status status = cord__scene_read_text(whole, strlen(whole), &scene);
    if (status == CORD_OK) status = cord_simulation_create(scene, &simulation);
    if (status != CORD_OK) fail_msg("%s", played_error(scene, simulation));
    assert_int_equal(cord_simulation_advise(simulation), CORD_OK);
    int count = 0;
    for (; parts[count]; count++) {
        const char *got = cord_simulation_get_warning(simulation, count);
        if (!got || !strstr(got, parts[count])) {
            fail_msg("expected\n  %s\ngot\n  %s", parts[count], got ? got : "nothing");
        }
    }
    if (cord_simulation_get_warning_count(simulation) != count)
        fail_msg("%s", cord_simulation_get_warning(simulation, count));
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

#define WARNINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
static const char *const none[] = {NULL};

static void good_scenes_have_none(void **state)
{
    (void)state;
    expect_warnings(ROPE(LINE, "") "clamps: [{at: rope@start, motion: [{t: 0, by: [0, 0, 0]}, {t: "
                                   "1, by: [0, 0, 0.5]}]}]\n"
                                   "probes: [{of: rope@end, measure: position}]\n",
                    none);
    expect_warnings(ROPE("ring: {radius: 1, vertices: 12}", ""), none);
}

static void turned_clamps(void **state)
{
    (void)state;
#define TURNED "clamps: [{at: rope@start, direction: [1, 0, 1]}]\n"
    expect_warnings(ROPE(LINE, "") TURNED, WARNINGS("the clamp turns rope by 45 deg"));
    expect_warnings(ROPE(LINE, "") TURNED "run: {start: equilibrium}\n", none);
    expect_warnings(ROPE(LINE, "") "clamps: [{at: rope@start, direction: [2, 0, 0]}]\n", none);
}

static void bodies(void **state)
{
    (void)state;
    expect_warnings("bodies: [{name: top, shape: {sphere: {radius: 1}}, angular_velocity: [0, 0, "
                    "100]}]\n",
                    none);
    expect_warnings("bodies: [{name: top, shape: {sphere: {radius: 1}}, angular_velocity: [0, 0, "
                    "1000]}]\n",
                    WARNINGS("top turns by 57.3 degrees in a step"));
}

static void steps(void **state)
{
    (void)state;
    /* 1 m in 10 ms, at most 1.5 times as fast: 1.5 elements of 10 cm in a step of 1 ms. */
    expect_warnings(ROPE(LINE, "") "clamps: [{at: rope@start, motion: [{t: 0, by: [0, 0, 0]}, {t: "
                                   "10 ms, by: [0, 0, 1]}]}]\n",
                    WARNINGS("the clamp moves by 1.5 elements in one step of 0.001 s"));
    expect_warnings(
        ROPE(LINE, "") "clamps: [{at: rope@start, ease: linear, rotation: [{t: 0, axis: "
                       "[0, 0, 1], angle: 0}, {t: 10 ms, axis: [0, 0, 1], angle: 1 "
                       "turn}]}]\n",
        WARNINGS("the clamp turns by 36 deg in one step of 0.001 s"));
    expect_warnings(
        ROPE(LINE, "") "points: [{name: p, at: [0, 0, 1], orbit: {radius: 1, period: 10 "
                       "ms, turns: 2}}]\n",
        WARNINGS("p moves by 6.28 elements in one step"));
    expect_warnings(
        ROPE(LINE, "") "constraints: [{kind: distance, first: rope@end, second: [2, 0, 0], ease: "
                       "linear, drive: [{t: 0, value: 0}, {t: 1 ms, value: 20 cm}]}]\n",
        WARNINGS("the drive moves by 2 elements in one step"));
    /* 0.5 h² √(μ/EI) = 0.5 × 0.01 × √(0.0785 / 4.91e-4) = 63 ms. */
    expect_warnings(
        "world: {integrator: symplectic}\nrun: {dt: 70 ms, frames: 10}\n" ROPE(LINE, ""),
        WARNINGS("the symplectic integrator is stable below 0.0632 s"));
    expect_warnings(
        "world: {integrator: symplectic}\nrun: {dt: 60 ms, frames: 10}\n" ROPE(LINE, ""), none);
    expect_warnings("run: {dt: 100 ms}\n" ROPE(LINE, ""),
                    WARNINGS("60 Hz is more often than there are steps"));
}

static void meshes(void **state)
{
    (void)state;
    expect_warnings(ROPE("ring: {radius: 1, vertices: 11}", ""),
                    WARNINGS("the initial shape turns by 32.7 deg at vertex"));
    expect_warnings(ROPE("v: {leg: 1, angle: 90 deg, vertices: 11}", ""),
                    WARNINGS("the initial shape has a corner of 90 deg at vertex 5"));
    expect_warnings(ROPE(LINE, ", stretch: elastic, natural: {helix: {radius: 0.1, pitch: 1 mm, "
                               "turns: 2, vertices: 11}}"),
                    WARNINGS("the natural shape turns by 7"));
    expect_warnings(ROPE(LINE, ", initial_twist: 1 turn"),
                    WARNINGS("initial_twist is 40 deg of twist per element"));
    expect_warnings(ROPE("ring: {radius: 1, vertices: 12}", ", closing_twist: 2 turns"),
                    WARNINGS("closing_twist is 60 deg of twist per element"));
    expect_warnings(ROPE(LINE, "") "clamps: [{at: rope@start, rotation: [{t: 0, axis: [1, 0, 0], "
                                   "angle: 0}, {t: 1, axis: [1, 0, 0], angle: 1 turn}]}]\n",
                    WARNINGS("the rotation winds 36 deg of twist into each element of rope"));
}

static void damping(void **state)
{
    (void)state;
    expect_warnings(ROPE(LINE, ", drag: 10"), WARNINGS("times the critical drag of a swing of"));
    expect_warnings(ROPE(LINE, ", drag: 0.1"), none);
    expect_warnings(ROPE(LINE, ", damping: 10 s"),
                    WARNINGS("critical damping of its slowest bending mode"));
    expect_warnings(ROPE(LINE, ", damping: 1 s"), none);
}

static void measuring_nothing(void **state)
{
    (void)state;
    expect_warnings(ROPE(LINE, "") "clamps: [{at: rope@start}]\n"
                                   "probes: [{name: held, of: rope@0%, measure: position}, "
                                   "{name: reaction, of: rope@end, measure: position}]\n",
                    WARNINGS("probe held measures a point that never moves"));
    expect_warnings(ROPE(LINE, "") "probes: [{name: here, of: [0, 0, 1], measure: position}]\n",
                    WARNINGS("probe here measures a point that never moves"));
    expect_warnings(
        ROPE(LINE,
             "") "probes: [{name: tip, of: rope@end, measure: position}]\n"
                 "expect: [{probe: tip, component: z, at: 2 s, below: 0, because: it hangs}]\n",
        WARNINGS("nothing is expected at 2 s: the run ends at 1 s"));
    expect_warnings("let: {n: 1, m: 2, k: $m}\nrun: {until: $n * 1 s}\n" ROPE(LINE, ""),
                    WARNINGS("the variable $k is never used"));
}

static void meaning(void **state)
{
    (void)state;
    static const char text[] =
        "cordage: 1\nrun: {until: 1 s, dt: 1 ms, frames: 100}\n" ROPE(LINE, "");
    cord_scene *scene;
    cord_simulation *simulation;
    assert_int_equal(cord__scene_read_text(text, strlen(text), &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    cord_strand_estimates m;
    assert_int_equal(cord_simulation_get_strand_estimates(simulation, 0, &m), CORD_OK);
    assert_true(fabs(m.slenderness - 100) < 1e-9);
    assert_true(fabs(m.element - 0.1) < 1e-12);
    /* √(EI/μ) = r/2 √(E/ρ) for a circle. */
    double omega = 4 / 0.01 * 0.0025 * sqrt(1e6 / 1e3);
    assert_true(fabs(m.wave_period * omega / (2 * 3.14159265358979323846) - 1) < 1e-9);
    assert_true(cord_scene_get_frame_count(scene) == 101);
    assert_int_not_equal(cord_simulation_get_strand_estimates(simulation, 1, &m), CORD_OK);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_scenes_have_none),
        cmocka_unit_test(bodies),
        cmocka_unit_test(turned_clamps),
        cmocka_unit_test(steps),
        cmocka_unit_test(meshes),
        cmocka_unit_test(damping),
        cmocka_unit_test(measuring_nothing),
        cmocka_unit_test(meaning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
