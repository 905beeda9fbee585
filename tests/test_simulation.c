/* One scene, several simulations: worlds that are built from a scene do not change it. */
#include "scene/scene_data.h"
#include "support/played.h"
#include "support/test.h"

#include <cordage/cordage.h>
#include <cordage/simulation.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { STEPS = 20, COUNT = 3 };
static const double h = 2e-3;

/* An object of every kind: the handles of each belong to the simulation. */
static const char text[] =
    "cordage: 1\nrun: {until: 40 ms, dt: 2 ms}\n"
    "strands:\n"
    "  - {name: rope, shape: {line: {from: [0, 0, 2], to: [1, 0, 2], vertices: 9}},\n"
    "     material: {density: 1100, young: 10 MPa}, section: {circle: {radius: 4 mm}}}\n"
    "bodies:\n"
    "  - {name: box, shape: {box: {size: [0.1, 0.1, 0.1]}}, density: 500, position: [1, 0, 1]}\n"
    "  - {name: load, shape: {sphere: {radius: 0.05}}, density: 900, position: [0.1, 0.5, 0.2]}\n"
    "paths: [{name: rail, through: [[0, 1, 0], [1, 1, 0], [2, 1, 1]]}]\n"
    "points:\n"
    "  - {name: hook, at: [1, 0, 2], motion: [{t: 0, by: [0, 0, 0]}, {t: 1, by: [-0.3, 0.1, 0]}]}\n"
    "  - {name: foot, at: [-0.1, 0.5, 0]}\n"
    "pulleys: [{name: wheel, at: [0, 0.5, 1], axis: [0, 1, 0], radius: 0.1, inertia: 1e-3}]\n"
    "cables:\n"
    "  - {name: line, density: 0.05, radius: 2 mm, stretching: 1e4 N,\n"
    "     route: [anchor foot, over wheel, anchor load]}\n"
    "clamps: [{name: wall, at: rope@start}]\n"
    "joints: [{name: hinge, kind: revolute, first: box, at: [1, 0, 1.2], axis: [0, 1, 0],\n"
    "          stiffness: 2, friction: 0.01}]\n"
    "constraints: [{name: pull, kind: coincide, first: rope@end, second: hook}]\n"
    "loads: [{name: push, at: box, force: [0.3, 0, 0]}]\n"
    "controllers: [{name: keep, measure: swing, target: 0.1, p: 4, i: 1, output: {torque: "
    "hinge}}]\n"
    "probes:\n"
    "  - {name: swing, of: hinge, measure: coordinate}\n"
    "  - {name: energy, measure: energy}\n"
    "  - {name: pulling, of: pull, measure: force}\n"
    "expect:\n"
    "  - {probe: swing, at: end, during: max, below: 1, because: it hangs}\n"
    "  - {probe: energy, component: total, at: 20 ms, above: -1e9, regression: of a run}\n";

static cord_scene *read_scene(void)
{
    cord_scene *scene;
    if (cord__scene_read_text(text, strlen(text), &scene) != CORD_OK)
        fail_msg("%s", cord_scene_get_error(scene, 0));
    return scene;
}

static cord_simulation *build(const cord_scene *scene)
{
    cord_simulation *sim;
    if (cord_simulation_create(scene, &sim) != CORD_OK)
        fail_msg("%s", cord_simulation_get_error(sim, 0));
    return sim;
}

static cord_status advance(cord_simulation *sim, bool last)
{
    cord_status status = cord_simulation_step(sim, h);
    return status == CORD_OK ? cord_simulation_observe(sim, last) : status;
}

static uint64_t hash_of(const cord_simulation *sim)
{
    uint64_t hash = 0;
    assert_int_equal(cord_world_hash(cord_simulation_get_world(sim), &hash), CORD_OK);
    return hash;
}

/* The state of a scene that is read separately after the given number of steps. */
static uint64_t alone(int steps, double *measured)
{
    cord_scene *scene = read_scene();
    cord_simulation *sim = build(scene);
    for (int i = 0; i < steps; i++) assert_int_equal(advance(sim, i + 1 == steps), CORD_OK);
    uint64_t hash = hash_of(sim);
    *measured = cord_simulation_get_expectation(sim, 0).measured;
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
    return hash;
}

/* Stepped in turn, each as often as its number; the second is destroyed half way, and others are
 * built while the rest runs. */
static void simulations_do_not_touch_each_other(void **unused)
{
    (void)unused;
    double expected, ignored;
    uint64_t hash = alone(STEPS, &expected), half = alone(STEPS / 2, &ignored);
    cord_scene *scene = read_scene();
    cord_simulation *sim[COUNT];
    for (int k = 0; k < COUNT; k++) sim[k] = build(scene);
    for (int i = 0; i < STEPS; i++) {
        if (i == STEPS / 2) {
            assert_true(hash_of(sim[1]) == half);
            cord_simulation_destroy(sim[1]);
            sim[1] = NULL;
            cord_simulation_destroy(build(scene));
        }
        for (int k = 0; k < COUNT; k++)
            if (sim[k]) assert_int_equal(advance(sim[k], i + 1 == STEPS), CORD_OK);
    }
    for (int k = 0; k < COUNT; k += 2) {
        cord_expectation e = cord_simulation_get_expectation(sim[k], 0);
        assert_true(hash_of(sim[k]) == hash);
        assert_true(e.passed && e.measured == expected);
        assert_ptr_equal(cord_simulation_get_scene(sim[k]), scene);
        cord_simulation_destroy(sim[k]);
    }
    cord_scene_free(scene);
}

static void simulations_run_in_threads(void **unused)
{
    (void)unused;
    double expected;
    uint64_t hash = alone(STEPS, &expected), hashes[COUNT] = {0};
    cord_scene *scene = read_scene();
    cord_status worst = CORD_OK;
#pragma omp parallel for num_threads(COUNT)
    for (int k = 0; k < COUNT; k++) {
        cord_simulation *sim;
        cord_status status = cord_simulation_create(scene, &sim);
        for (int i = 0; status == CORD_OK && i < STEPS; i++) status = advance(sim, i + 1 == STEPS);
        if (status == CORD_OK) status = cord_simulation_advise(sim);
        if (status == CORD_OK) status = cord_world_hash(cord_simulation_get_world(sim), &hashes[k]);
        cord_simulation_destroy(sim);
#pragma omp critical
        if (status != CORD_OK) worst = status;
    }
    assert_int_equal(worst, CORD_OK);
    for (int k = 0; k < COUNT; k++) assert_true(hashes[k] == hash);
    cord_scene_free(scene);
}

/* A failed simulation has its errors, and no world and no handles. */
static void failures_are_told(void **unused)
{
    (void)unused;
    static const char wrong[] =
        "cordage: 1\nbodies: [{name: box, shape: {box: {size: [1, 1, 1]}}}]\n"
        "constraints:\n"
        "  - {kind: distance, first: box, second: [2, 0, 0],\n"
        "     drive: [{t: 0, value: [1, 2]}]}\n";
    cord_scene *scene;
    cord_simulation *sim;
    assert_int_equal(cord__scene_read_text(wrong, strlen(wrong), &scene), CORD_OK);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cord_simulation_create(scene, &sim), CORD_ERROR_INPUT);
        assert_int_equal(cord_simulation_get_error_count(sim), 1);
        assert_non_null(strstr(cord_simulation_get_error(sim, 0),
                               "a drive of distance has 1 value per key, not 2"));
        assert_null(cord_simulation_get_error(sim, 1));
        assert_null(cord_simulation_get_world(sim));
        assert_int_equal(cord_simulation_get_body(sim, 0).index, 0);
        assert_int_equal(cord_simulation_step(sim, h), CORD_ERROR_ARGUMENT);
        assert_int_equal(cord_simulation_observe(sim, true), CORD_ERROR_ARGUMENT);
        assert_int_equal(cord_simulation_advise(sim), CORD_ERROR_ARGUMENT);
        assert_int_equal(cord_simulation_sample(sim, 0, NULL), CORD_ERROR_ARGUMENT);
        cord_simulation_destroy(sim);
    }
    assert_int_equal(cord_scene_get_error_count(scene), 0);
    cord_scene_free(scene);

    assert_int_equal(cord__scene_read_text("cordage: 2\n", 11, &scene), CORD_ERROR_INPUT);
    assert_int_equal(cord_simulation_create(scene, &sim), CORD_ERROR_INPUT);
    assert_non_null(strstr(cord_simulation_get_error(sim, 0), "read with errors"));
    cord_simulation_destroy(sim);
    cord_scene_free(scene);
    cord_simulation_destroy(NULL);
    assert_null(cord_simulation_get_world(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simulations_do_not_touch_each_other),
        cmocka_unit_test(simulations_run_in_threads),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
