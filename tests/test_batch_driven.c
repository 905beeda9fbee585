/* Strands in batches that something drives or changes: moving clamps, schedules, wind, breaks and growth; and the key of
 * scenes that turns batches off. The motion is that of each strand alone. */
#include "math/multiversion.h"
#include "support/scenes.h"
#include "support/test.h"

#include <cordage/scene.h>
#include <cordage/simulation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STRANDS = 7, VERTICES = 13, ELEMENTS = 3, STEPS = 60 };

static const double step = 5e-3;
static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_CLOTHOID, CORD_MODEL_HELIX};
enum { MODELS = sizeof models / sizeof *models };

typedef struct strands {
    cord_world *world;
    cord_strand strand[STRANDS];
    cord_point clamp[STRANDS];
} strands;

static bool is_batched(const char *model)
{
    return strcmp(model, CORD_MODEL_DER) == 0 || cord__has_wide_vectors();
}

/* Slightly bent strands along x, each with its own stiffness; `script`: of the clamps of every other one. */
static strands make(const char *model, cord_scheme scheme, bool batches,
                    const cord_point_def *script)
{
    cord_world_def world = cord_world_def_default();
    strands s;
    double x[3 * VERTICES], curvatures[3 * (ELEMENTS + 1)];
    world.batches = batches, world.scheme = scheme;
    world.threads = 1;
    world.tolerance = 1e-12; /* errors that are left would be compared */
    assert_int_equal(cord_world_create(&world, &s.world), CORD_OK);
    for (int i = 0; i < STRANDS; i++) {
        cord_strand_def def = cord_strand_def_default();
        for (int k = 0; k < VERTICES; k++) {
            const double at = 0.3 * k / (VERTICES - 1);
            x[3 * k] = at, x[3 * k + 1] = i, x[3 * k + 2] = 0.3 * at * at;
        }
        for (int k = 0; k < 3 * (ELEMENTS + 1); k++) curvatures[k] = k % 3 == 0 ? 0 : 1;
        def.model = model;
        def.vertex_count = VERTICES;
        def.section.radius = 2e-3;
        def.material = (cord_material){1000, 1e8 * (1 + 0.3 * i), 0.4};
        def.damping = 1e-3;
        def.drag = 0.02, def.quadratic_drag = 0.01;
        if (strcmp(model, CORD_MODEL_DER) == 0) {
            def.positions = x;
        } else {
            def.element_count = ELEMENTS;
            def.length = 0.3, def.curvatures = curvatures;
            def.base_position[1] = i;
        }
        s.strand[i] = scene_strand(s.world, &def);
        assert_int_equal(cord_world_clamp_strand(s.world, s.strand[i], 0, i % 2 ? script : NULL,
                                                 s.clamp + i, NULL, NULL),
                         CORD_OK);
    }
    return s;
}

static void advance(const strands *s, int steps)
{
    for (int i = 0; i < steps; i++)
        if (cord_world_step(s->world, step) != CORD_OK)
            fail_msg("%s", cord_world_get_error(s->world));
}

static int64_t batched_steps(const strands *s)
{
    cord_counters counters;
    assert_int_equal(cord_world_get_counters(s->world, &counters), CORD_OK);
    return counters.batched_steps;
}

/* Something that drives or changes strands, before step i. */
typedef void change(const strands *s, int i);

/* The largest distance of a coordinate of a strand in two worlds, m. */
static double difference(const strands *a, const strands *b, int strand)
{
    cord_strand_info info;
    double most = 0, *x[2];
    const strands *of[2] = {a, b};
    assert_int_equal(cord_strand_get_info(a->world, a->strand[strand], &info), CORD_OK);
    for (int k = 0; k < 2; k++) {
        x[k] = calloc((size_t)(3 * info.vertex_count), sizeof(double));
        assert_non_null(x[k]);
        assert_int_equal(cord_strand_get_positions(of[k]->world, of[k]->strand[strand], x[k]),
                         CORD_OK);
    }
    for (int c = 0; c < 3 * info.vertex_count; c++) most = fmax(most, fabs(x[0][c] - x[1][c]));
    free(x[0]), free(x[1]);
    return most;
}

/* Steps in batches and alone agree within `most`, m, and at least `batched` steps are taken in batches; of the first so many
 * models. */
static void compare_models(int count, const char *name, change *by, const cord_point_def *script,
                           double most, int batched)
{
    for (int m = 0; m < count; m++)
        for (int scheme = 0; scheme < 2; scheme++) {
            const cord_scheme of = scheme ? CORD_BACKWARD_EULER : CORD_TR_BDF2;
            strands both[2];
            for (int k = 0; k < 2; k++) {
                both[k] = make(models[m], of, k == 0, script);
                for (int i = 0; i < STEPS; i++) {
                    if (by) by(both + k, i);
                    advance(both + k, 1);
                }
            }
            for (int i = 0; i < STRANDS; i++) {
                const double off = difference(both, both + 1, i);
                if (!(off < most))
                    fail_msg("%s, %s, scheme %d: strand %d is %g m off", name, models[m], scheme, i,
                             off);
            }
            const int64_t taken = batched_steps(both);
            if (is_batched(models[m]) ? taken < batched : taken > 0)
                fail_msg("%s, %s: %d steps in batches", name, models[m], (int)taken);
            assert_int_equal(batched_steps(both + 1), 0);
            cord_world_destroy(both[0].world);
            cord_world_destroy(both[1].world);
        }
}

static void compare(const char *name, change *by, const cord_point_def *script, double most,
                    int batched)
{
    compare_models(MODELS, name, by, script, most, batched);
}

/* ---- clamps ------------------------------------------------------------------------------------- */

/* Velocities are projected onto the rows in the metric of the last factor. The first solve moves clamped vertices of a rod alone,
 * and they have moved before it in a batch: then factors are of other iterates. Positions agree to round-off in the first
 * step, and then to a hundredth of the error of the steps, as steps of half their length show it. */
static void scripted_clamps(void **state)
{
    (void)state;
    static const double times[4] = {0, 0.1, 0.2, 0.4};
    static const double motion[12] = {0, 0, 0, 0.05, 0.02, 0, -0.03, 0, 0.06, 0, 0, 0};
    static const double rotation[12] = {0, 0, 0, 0, 0.6, 0.5, 0.4, -0.5, 0, 0, 0, 2};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){4, times, motion, CORD_EASE_SMOOTH};
    script.rotation = (cord_keys){4, times, rotation, CORD_EASE_SMOOTH};
    for (int m = 0; m < MODELS; m++) {
        strands together = make(models[m], CORD_TR_BDF2, true, &script);
        strands alone = make(models[m], CORD_TR_BDF2, false, &script);
        strands finer = make(models[m], CORD_TR_BDF2, false, &script);
        for (int i = 0; i < STEPS; i++) {
            advance(&together, 1);
            advance(&alone, 1);
            for (int k = 0; k < 2; k++)
                assert_int_equal(cord_world_step(finer.world, 0.5 * step), CORD_OK);
            for (int k = 0; i == 0 && k < STRANDS; k++)
                assert_true(difference(&together, &alone, k) < 1e-12);
        }
        for (int k = 0; k < STRANDS; k++) {
            const double off = difference(&together, &alone, k);
            const double error = difference(&alone, &finer, k);
            if (!(off < 0.01 * error))
                fail_msg("%s: strand %d is %g m off, the error is %g m", models[m], k, off, error);
        }
        /* A chain that needs more panels than others is alone. */
        assert_in_range(batched_steps(&together), is_batched(models[m]) ? STRANDS * (STEPS - 5) : 0,
                        is_batched(models[m]) ? STRANDS * STEPS : 0);
        cord_world_destroy(together.world);
        cord_world_destroy(alone.world);
        cord_world_destroy(finer.world);
    }
}

static void move_by_hand(const strands *s, int i)
{
    const double up[3] = {0, 3, 2e-4 * i};
    if (i > 20 && i < 30)
        assert_int_equal(cord_point_move(s->world, s->clamp[3], up, NULL), CORD_OK);
}

static void clamps_by_hand(void **state)
{
    (void)state;
    compare("clamps moved by hand", move_by_hand, NULL, 1e-7, STRANDS * STEPS - STEPS);
}

/* ---- parameters and loads ------------------------------------------------------------------------ */

static void set_schedules(const strands *s, int i)
{
    static const double times[2] = {0, 0.3}, load[6] = {0, 0, 0, 0, 0.05, 0.1};
    static const double natural[6] = {0, 0, 0, 1, -2, 0.5}, stiffness[6] = {1, 1, 1, 2, 0.7, 1};
    cord_schedule_def def = cord_schedule_def_default();
    def.load = (cord_keys){2, times, load, CORD_EASE_LINEAR};
    def.natural_curvature = (cord_keys){2, times, natural, CORD_EASE_LINEAR};
    def.stiffness = (cord_keys){2, times, stiffness, CORD_EASE_LINEAR};
    for (int k = 0; i == 0 && k < STRANDS; k++)
        assert_int_equal(cord_strand_set_schedule(s->world, s->strand[k], &def), CORD_OK);
}

static void schedules(void **state)
{
    (void)state;
    compare("schedules", set_schedules, NULL, 1e-9, STRANDS * STEPS);
}

static void set_lengths(const strands *s, int i)
{
    static const double times[3] = {0, 0.15, 0.3}, length[3] = {1, 1.2, 0.9};
    cord_schedule_def def = cord_schedule_def_default();
    def.length = (cord_keys){3, times, length, CORD_EASE_SMOOTH};
    for (int k = 0; i == 0 && k < STRANDS; k++)
        assert_int_equal(cord_strand_set_schedule(s->world, s->strand[k], &def), CORD_OK);
}

/* Of rods: the inertial coordinates of chains move with their length. */
static void lengths(void **state)
{
    (void)state;
    compare_models(1, "lengths", set_lengths, NULL, 1e-9, STRANDS * STEPS);
}

/* Constant forces and forces of time, at one point or at two; two strands have none. */
static void set_loads(const strands *s, int i)
{
    static const double times[3] = {0, 0.1, 0.2}, force[9] = {0, 0, 0, 0, 2e-2, 0, 0, 0, 3e-2};
    for (int k = 0; i == 5 && k < STRANDS - 2; k++)
        for (int at = 0; at < 1 + k % 2; at++) {
            cord_load_def def = cord_load_def_default();
            cord_load made;
            def.point = scene_point(s->world, s->strand[k], at ? 0.3 : 0.123);
            def.force[2] = 1e-2 * (k + 1);
            if (k > 1) def.force_keys = (cord_keys){3, times, force, CORD_EASE_LINEAR};
            assert_int_equal(cord_world_add_load(s->world, &def, &made), CORD_OK);
        }
}

static void loads_at_points(void **state)
{
    (void)state;
    compare_models(1, "loads", set_loads, NULL, 1e-9, STRANDS * STEPS);
}

static void set_wind(const strands *s, int i)
{
    cord_wind_def def = cord_wind_def_default();
    def.velocity[1] = 3, def.velocity[2] = 1;
    def.gust_amplitude = 0.5, def.gust_frequency = 4;
    def.gust_wavevector[0] = 2;
    if (i == 0) assert_int_equal(cord_world_set_wind(s->world, &def), CORD_OK);
}

static void gusts_of_wind(void **state)
{
    (void)state;
    compare("wind", set_wind, NULL, 1e-9, STRANDS * STEPS);
}

/* ---- changes of topology -------------------------------------------------------------------------- */

static void cut_one(const strands *s, int i)
{
    if (i == 20) assert_int_equal(cord_strand_cut(s->world, s->strand[2], 0.2), CORD_OK);
}

/* The fragments of a strand that breaks have other shapes; the strands that remain go on together. Their accelerations are
 * found again: with tolerances of 1e-12 and 1e-14 strands alone differ by 2.2e-9 m. */
static void breaks(void **state)
{
    (void)state;
    compare("a strand is cut", cut_one, NULL, 1e-8, 20 * STRANDS + (STEPS - 20) * (STRANDS - 1));
}

static void let_grow(const strands *s, int i)
{
    static const double times[2] = {0, 0.1}, rate[2] = {0.1, 0.3};
    cord_growth_def def = cord_growth_def_default();
    def.rate = (cord_keys){2, times, rate, CORD_EASE_LINEAR};
    def.until = 0.36;
    for (int k = 0; i == 10 && k < 3; k++)
        assert_int_equal(cord_strand_set_growth(s->world, s->strand[k], &def), CORD_OK);
}

/* Accelerations are found again whenever an element is divided: with tolerances of 1e-12 and 1e-14 strands alone differ by
 * 1.3e-9 m. */
static void growth(void **state)
{
    (void)state;
    compare("growth", let_grow, NULL, 1e-8, 10 * STRANDS + (STEPS - 10) * (STRANDS - 3));
}

/* ---- scenes -------------------------------------------------------------------------------------- */

static int64_t steps_of_scene(const char *batches)
{
    char directory[] = "/tmp/cordage-test-XXXXXX", path[64];
    cord_scene *scene;
    cord_simulation *simulation;
    cord_counters counters;
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/scene.yaml", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "cordage: 1\nworld: {batches: %s}\nstrands:\n", batches);
    for (int i = 0; i < 5; i++)
        fprintf(file,
                "  - name: hair%d\n"
                "    shape: {line: {from: [0, %d, 1], to: [1, %d, 1], vertices: 9}}\n"
                "    material: nylon\n"
                "    section: {circle: {radius: 5 mm}}\n",
                i, i, i);
    fclose(file);
    assert_int_equal(cord_scene_read(path, NULL, &scene), CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    for (int i = 0; i < 10; i++) assert_int_equal(cord_simulation_step(simulation, step), CORD_OK);
    assert_int_equal(cord_world_get_counters(cord_simulation_get_world(simulation), &counters),
                     CORD_OK);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
    unlink(path);
    rmdir(directory);
    return counters.batched_steps;
}

static void key_of_scenes(void **state)
{
    (void)state;
    assert_int_equal(steps_of_scene("no"), 0);
    assert_in_range(steps_of_scene("yes"), 4 * 10, 5 * 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripted_clamps), cmocka_unit_test(clamps_by_hand),
        cmocka_unit_test(schedules),       cmocka_unit_test(lengths),
        cmocka_unit_test(loads_at_points), cmocka_unit_test(gusts_of_wind),
        cmocka_unit_test(breaks),          cmocka_unit_test(growth),
        cmocka_unit_test(key_of_scenes),
    };
    return run_in_every_variant(tests);
}
