/* Parameters of strands, and gravity, that change: by hand and by schedules, against closed forms, in statics, in
 * dynamics and in quasi-static steps, on every model. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const integration quasi_static = {"quasi_static", CORD_QUASI_STATIC, CORD_TR_BDF2};
enum { VERTICES = 41, MODELS = 5 };
static const char *const models[MODELS] = {"der", "spline", "segment", "helix", "clothoid"};
static const double EI = 0.01, MASS = 0.1, LENGTH = 2;

static bool is_chain(const char *model)
{
    return strcmp(model, "der") != 0 && strcmp(model, "spline") != 0;
}

/* Along x from the origin, naturally straight, clamped at its start; second director along y, so that a positive
 * curvature about it bends the rod downwards. */
static cord_strand cantilever(cord_world *w, const char *model)
{
    double x[3 * VERTICES];
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i < VERTICES; i++) v3_set(x + 3 * i, LENGTH * i / (VERTICES - 1), 0, 0);
    def.model = model;
    def.name = "rod";
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = strcmp(model, "clothoid") == 0 ? 8 : VERTICES - 1;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = MASS,
                                 .bending = {EI, EI},
                                 .twisting = 0.8 * EI,
                                 .radius = 0.01};
    v3_set(def.director, 0, 0, -1);
    cord_strand rod = scene_strand(w, &def);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    return rod;
}

static void tip_of(cord_world *w, cord_strand rod, double x[3])
{
    double all[3 * VERTICES];
    assert_fine(w, cord_strand_get_positions(w, rod, all));
    v3_copy(x, all + 3 * (VERTICES - 1));
}

static double drop_of(cord_world *w, cord_strand rod)
{
    double x[3];
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    tip_of(w, rod, x);
    return -x[2];
}

static cord_keys keys_of(int count, const double *times, const double *values)
{
    return (cord_keys){count, times, values, CORD_EASE_LINEAR};
}

/* ---- statics, by hand ----------------------------------------------------------------------------- */

/* w = q L⁴/(8 EI) for small q */
static void load_bends(void **model)
{
    const double q[3] = {0, 0, -1e-6};
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    assert_fine(w, cord_strand_set_load(w, rod, q));
    double expected = 1e-6 * pow(LENGTH, 4) / (8 * EI);
    assert_close(drop_of(w, rod), expected, 2e-3 * expected);
    cord_world_destroy(w);
}

/* An arc of radius 1/κ, whatever was set before. */
static void curvature_makes_an_arc(void **model)
{
    const double kappa = 0.9, before[6] = {1, 0, 2, 0, 3, 0}, value[3] = {0, kappa, 0};
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    double x[3];
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 2, before));
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 1, value));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    tip_of(w, rod, x);
    double phi = kappa * LENGTH, expected[3] = {sin(phi) / kappa, 0, -(1 - cos(phi)) / kappa};
    assert_all_close(x, expected, 3, strcmp(*model, "clothoid") == 0 ? 1e-8 : 3e-3);
    cord_energy e;
    assert_fine(w, cord_strand_get_energy(w, rod, &e));
    assert_close(e.total, 0, 1e-9);
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 0, NULL));
    assert_close(drop_of(w, rod), 0, 1e-8);
    cord_world_destroy(w);
}

/* Two values along the strand: curvature affine in s, an Euler spiral. */
static void curvature_varies_along_the_strand(void **model)
{
    const double value[6] = {0, 0, 0, 0, 1.5, 0};
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    double x[3], expected[3] = {0, 0, 0};
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 2, value));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    tip_of(w, rod, x);
    for (int i = 0; i < 1000; i++) { /* midpoint rule on θ = ½ κ₁ s²/L */
        double s = LENGTH * (i + 0.5) / 1000, theta = 0.5 * 1.5 * s * s / LENGTH;
        expected[0] += LENGTH / 1000 * cos(theta), expected[2] -= LENGTH / 1000 * sin(theta);
    }
    assert_all_close(x, expected, 3, strcmp(*model, "clothoid") == 0 ? 1e-6 : 3e-3);
    cord_world_destroy(w);
}

/* A natural twist rotates the last frame by τ L. */
static void twist_rotates_the_end(void **model)
{
    const double value[3] = {0, 0, 0.4};
    double frames[9 * (VERTICES - 1)];
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 1, value));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_strand_get_frames(w, rod, frames));
    const double *m1 = frames + 9 * (VERTICES - 2) + 3;
    double angle = 0.4 * LENGTH * (1 - 0.5 / (VERTICES - 1)); /* at the middle of the last edge */
    assert_close(atan2(m1[1], -m1[2]), angle, 0.02);
    cord_world_destroy(w);
}

/* The rod is longer at the same mass, and so is its cell of load. */
static void length_grows(void **model)
{
    const double q[3] = {0, 0, -1e-6};
    cord_strand_info info;
    double x[3];
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    assert_fine(w, cord_strand_set_length(w, rod, 1.25 * LENGTH));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    tip_of(w, rod, x);
    assert_close(x[0], 1.25 * LENGTH, 1e-9);
    assert_fine(w, cord_strand_get_info(w, rod, &info));
    assert_close(info.length, 1.25 * LENGTH, 1e-12);
    assert_close(info.mass, MASS * LENGTH, 1e-12);
    assert_fine(w, cord_strand_set_load(w, rod, q));
    double expected = 1e-6 * pow(1.25 * LENGTH, 4) / (8 * EI);
    assert_close(drop_of(w, rod), expected, 2e-3 * expected);
    assert_fine(w, cord_strand_set_length(w, rod, LENGTH));
    expected = 1e-6 * pow(LENGTH, 4) / (8 * EI);
    assert_close(drop_of(w, rod), expected, 2e-3 * expected);
    cord_world_destroy(w);
}

/* Half the bending stiffness, twice the small deflection; twisting and stretching do not matter. */
static void stiffness_scales(void **model)
{
    const double q[3] = {0, 0, -1e-6}, soft[3] = {0.5, 0.1, 7}, again[3] = {1, 1, 1};
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = cantilever(w, *model);
    assert_fine(w, cord_strand_set_load(w, rod, q));
    double before = drop_of(w, rod);
    assert_fine(w, cord_strand_set_stiffness(w, rod, soft));
    assert_close(drop_of(w, rod), 2 * before, 1e-5 * before);
    assert_fine(w, cord_strand_set_stiffness(w, rod, again));
    assert_close(drop_of(w, rod), before, 1e-6 * before);
    cord_world_destroy(w);
}

/* ---- functions of time ------------------------------------------------------------------------------ */

/* All parameters at once in quasi-static steps, against statics with the values at that time. */
static void quasi_static_steps(void **model)
{
    const double times[2] = {0, 1}, load[6] = {0, 0, 0, 0, 0.001, -0.002};
    const double curvature[6] = {0, 0, 0, 0.3, 0.6, 0.1}, length[2] = {1, 1.2};
    const double stiffness[6] = {1, 1, 1, 0.6, 0.8, 1}, down[6] = {0, 0, -0.02, 0, 0.02, 0};
    cord_world *w = scene_world_under(&quasi_static, 0);
    cord_strand rod = cantilever(w, *model);
    cord_schedule_def def = cord_schedule_def_default();
    cord_keys gravity = keys_of(2, times, down);
    def.load = keys_of(2, times, load);
    def.natural_curvature = keys_of(2, times, curvature);
    def.length = keys_of(2, times, length);
    def.stiffness = keys_of(2, times, stiffness);
    assert_fine(w, cord_strand_set_schedule(w, rod, &def));
    assert_fine(w, cord_world_set_gravity_keys(w, &gravity));
    for (int i = 0; i < 5; i++) assert_fine(w, cord_world_step(w, 0.1));
    cord_world *other = scene_world_under(NULL, 0);
    cord_strand twin = cantilever(other, *model);
    double now[3][3], x[3], y[3], factor[3];
    for (int k = 0; k < 3; k++) {
        now[0][k] = 0.5 * load[3 + k], now[1][k] = 0.5 * curvature[3 + k];
        now[2][k] = 0.5 * (down[k] + down[3 + k]), factor[k] = 0.5 * (1 + stiffness[3 + k]);
    }
    assert_fine(other, cord_strand_set_load(other, twin, now[0]));
    assert_fine(other, cord_strand_set_natural_curvatures(other, twin, 1, now[1]));
    assert_fine(other, cord_world_set_gravity(other, now[2]));
    assert_fine(other, cord_strand_set_length(other, twin, 1.1 * LENGTH));
    assert_fine(other, cord_strand_set_stiffness(other, twin, factor));
    assert_fine(other, cord_world_find_equilibrium(other, NULL, NULL));
    tip_of(w, rod, x);
    tip_of(other, twin, y);
    assert_true(v3_distance(x, (double[3]){LENGTH, 0, 0}) > 0.3);
    assert_all_close(x, y, 3, 1e-6);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* The rod curls from rest, and is damped to the arc; nobody takes its energy for an instability. */
static void curls_in_motion(const char *const *model, const integration *by)
{
    const double times[2] = {0, 0.5}, curvature[6] = {0, 0, 0, 0, 0.9, 0};
    cord_world *w = scene_world_under(by, 0);
    double x[3 * VERTICES];
    cord_strand_def def = cord_strand_def_default();
    cord_schedule_def curl = cord_schedule_def_default();
    for (int i = 0; i < VERTICES; i++) v3_set(x + 3 * i, LENGTH * i / (VERTICES - 1), 0, 0);
    def.model = *model;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = strcmp(*model, "clothoid") == 0 ? 8 : VERTICES - 1;
    def.section = scene_section();
    def.drag = 0.06; /* about critical for the lowest motion */
    v3_set(def.director, 0, 0, -1);
    cord_strand rod = scene_strand(w, &def);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    curl.natural_curvature = keys_of(2, times, curvature);
    assert_fine(w, cord_strand_set_schedule(w, rod, &curl));
    for (int i = 0; i < 100; i++) assert_fine(w, cord_world_step(w, 1));
    tip_of(w, rod, x);
    double phi = 0.9 * LENGTH, expected[3] = {sin(phi) / 0.9, 0, -(1 - cos(phi)) / 0.9};
    assert_all_close(x, expected, 3, 0.01);
    cord_world_destroy(w);
}

static void curls_by_tr_bdf2(void **model)
{
    curls_in_motion((const char *const *)model, integrations + TR_BDF2);
}

static void curls_by_midpoint(void **model)
{
    curls_in_motion((const char *const *)model, integrations + MIDPOINT);
}

/* The rate of the length is the velocity of the end, of a rod that lies on its axis; a chain's positions follow as well. */
static void growth_moves_the_end(void **model)
{
    const double times[2] = {0, 1}, length[2] = {1, 1.5};
    const integration *by[] = {integrations + TR_BDF2, integrations + MIDPOINT,
                               integrations + BACKWARD_EULER};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        cord_world *w = scene_world_under(by[i], 0);
        cord_strand rod = cantilever(w, *model);
        cord_schedule_def def = cord_schedule_def_default();
        double x[3], v[3 * VERTICES];
        def.length = keys_of(2, times, length);
        assert_fine(w, cord_strand_set_schedule(w, rod, &def));
        for (int k = 0; k < 20; k++) assert_fine(w, cord_world_step(w, 0.025));
        tip_of(w, rod, x);
        assert_close(x[0], 1.25 * LENGTH, 1e-6);
        if (!is_chain(*model) && by[i]->integrator == CORD_IMPLICIT) {
            assert_fine(w, cord_strand_get_velocities(w, rod, v));
            assert_close(v[3 * (VERTICES - 1)], 0.5 * LENGTH, 1e-6);
        }
        cord_world_destroy(w);
    }
}

/* A hanging rod follows gravity that turns slowly, in the plane x z. */
static void gravity_turns(void **state)
{
    (void)state;
    const double times[3] = {0, 60, 120}, down[9] = {0, 0, -9.81, 6.937, 0, -6.937, 9.81, 0, 0};
    const double from[3] = {0, 0, 0}, to[3] = {0, 0, -1};
    cord_world *w = scene_world_under(integrations + TR_BDF2, 0);
    cord_keys keys = keys_of(3, times, down);
    cord_strand rope = scene_rope(w, NULL, "rope", 10, from, to);
    double x[33];
    scene_hang(w, rope, 0);
    assert_fine(w, cord_world_set_gravity_keys(w, &keys));
    for (int i = 0; i < 600; i++) assert_fine(w, cord_world_step(w, 0.1));
    assert_fine(w, cord_strand_get_positions(w, rope, x));
    assert_close(x[30], sqrt(0.5), 0.05);
    assert_close(x[32], -sqrt(0.5), 0.05);
    cord_world_destroy(w);
}

/* ---- state ------------------------------------------------------------------------------------------- */

static cord_world *scheduled_world(const char *model, cord_strand *rod)
{
    const double times[2] = {0, 1}, curvature[6] = {0, 0, 0, 0, 2, 0}, length[2] = {1, 1.3};
    cord_world *w = scene_world_under(integrations + TR_BDF2, 1);
    cord_schedule_def def = cord_schedule_def_default();
    *rod = cantilever(w, model);
    def.natural_curvature = keys_of(2, times, curvature);
    def.length = keys_of(2, times, length);
    assert_fine(w, cord_strand_set_schedule(w, *rod, &def));
    return w;
}

/* A world continues bit for bit from a checkpoint that has values set by hand, and returns to one before them. */
static void checkpoints_contain_it(void **model)
{
    const double natural[6] = {0, 1, 0, 0, 0.5, 0.1}, factors[3] = {0.7, 0.9, 1};
    const double load[3] = {0, 0.01, 0};
    uint64_t hash[3], before;
    size_t size[2];
    cord_strand rod, twin;
    cord_world *w = scheduled_world(*model, &rod), *other = scheduled_world(*model, &twin);
    assert_fine(w, cord_world_step(w, 0.02));
    assert_fine(w, cord_world_get_state_size(w, size));
    char *early = malloc(size[0]);
    assert_fine(w, cord_world_get_state(w, early));
    assert_fine(w, cord_world_hash(w, &before));
    assert_fine(w, cord_strand_set_natural_curvatures(w, rod, 2, natural));
    assert_fine(w, cord_world_hash(w, hash));
    assert_true(hash[0] != before);
    assert_fine(w, cord_strand_set_stiffness(w, rod, factors));
    assert_fine(w, cord_strand_set_length(w, rod, 1.1 * LENGTH));
    assert_fine(w, cord_strand_set_load(w, rod, load));
    assert_fine(w, cord_world_step(w, 0.02));
    assert_fine(w, cord_world_get_state_size(w, size + 1));
    char *late = malloc(size[1]);
    assert_fine(w, cord_world_get_state(w, late));
    for (int i = 0; i < 3; i++) assert_fine(w, cord_world_step(w, 0.02));
    assert_fine(w, cord_world_hash(w, hash));
    assert_fine(other, cord_world_set_state(other, late, size[1]));
    for (int i = 0; i < 3; i++) assert_fine(other, cord_world_step(other, 0.02));
    assert_fine(other, cord_world_hash(other, hash + 1));
    assert_true(hash[0] == hash[1]);
    assert_fine(w, cord_world_set_state(w, early, size[0]));
    assert_fine(w, cord_world_hash(w, hash + 2));
    assert_true(hash[2] == before);
    free(early);
    free(late);
    cord_world_destroy(w);
    cord_world_destroy(other);
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void refusals(void **state)
{
    (void)state;
    const double times[2] = {0, 1}, length[2] = {1, 1.3}, zero[3] = {0, 1, 1}, k[3] = {0, 1, 0};
    const double not_finite[3] = {0, NAN, 0};
    cord_world *w = scene_world_under(NULL, 1);
    cord_strand rod = cantilever(w, "der");
    cord_schedule_def def = cord_schedule_def_default();
    assert_int_equal(cord_strand_set_stiffness(w, rod, zero), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_set_length(w, rod, -1), CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_set_natural_curvatures(w, rod, 1, not_finite),
                     CORD_ERROR_ARGUMENT);
    assert_int_equal(cord_strand_set_natural_curvatures(w, (cord_strand){0}, 1, k),
                     CORD_ERROR_HANDLE);
    def.stiffness = keys_of(1, times, zero);
    assert_int_equal(cord_strand_set_schedule(w, rod, &def), CORD_ERROR_ARGUMENT);
    def = cord_schedule_def_default();
    def.length = keys_of(2, times, length);
    cord_point_def sliding = cord_point_def_default();
    cord_point made;
    sliding.source = CORD_SOURCE_SLIDING;
    sliding.strand = rod;
    sliding.s = 1;
    assert_fine(w, cord_world_add_point(w, &sliding, &made));
    assert_int_equal(cord_strand_set_schedule(w, rod, &def), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "slides"));
    assert_int_equal(cord_strand_set_length(w, rod, 3), CORD_ERROR_UNSUPPORTED);
    cord_strand other = cantilever(w, "clothoid");
    assert_fine(w, cord_strand_set_schedule(w, other, &def));
    sliding.strand = other;
    assert_int_equal(cord_world_add_point(w, &sliding, &made), CORD_ERROR_UNSUPPORTED);
    assert_int_equal(cord_strand_find_natural_shape(w, other, NULL, NULL), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(w);
}

#define ON_EVERY_MODEL(test)                                                                       \
    {#test ", der", test, NULL, NULL, (void *)models[0]},                                          \
        {#test ", spline", test, NULL, NULL, (void *)models[1]},                                   \
        {#test ", segment", test, NULL, NULL, (void *)models[2]},                                  \
        {#test ", helix", test, NULL, NULL, (void *)models[3]},                                    \
    {                                                                                              \
#test ", clothoid", test, NULL, NULL, (void *)models[4]                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY_MODEL(load_bends),
        ON_EVERY_MODEL(curvature_makes_an_arc),
        ON_EVERY_MODEL(curvature_varies_along_the_strand),
        ON_EVERY_MODEL(twist_rotates_the_end),
        ON_EVERY_MODEL(length_grows),
        ON_EVERY_MODEL(stiffness_scales),
        ON_EVERY_MODEL(quasi_static_steps),
        ON_EVERY_MODEL(curls_by_tr_bdf2),
        ON_EVERY_MODEL(curls_by_midpoint),
        ON_EVERY_MODEL(growth_moves_the_end),
        ON_EVERY_MODEL(checkpoints_contain_it),
        cmocka_unit_test(gravity_turns),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
