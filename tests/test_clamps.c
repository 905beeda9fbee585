/* Clamps hold the tangent of the curve at their position, with an error of second order in the
 * length of an edge or element or better, at both ends and for every model. */
#include "math/vec3.h"
#include "support/played.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_SPLINE, CORD_MODEL_SEGMENT,
                                     CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};
enum { MODELS = sizeof models / sizeof *models };

/* Points of a unit length of an arc in the plane of x and y that begins at the origin, along x. */
static void draw(int n, double kappa, double *x)
{
    for (int i = 0; i <= n; i++) {
        double s = (double)i / n, half = 0.5 * kappa * s;
        double chord = kappa == 0 ? s : 2 * sin(half) / kappa;
        v3_set(x + 3 * i, chord * cos(half), chord * sin(half), 0);
    }
}

/* A rod of EI = 1 and length 1 with natural curvature `natural`, drawn with curvature `drawn`. */
static cord_strand add_rod(cord_world *w, const char *model, int n, double drawn, double natural)
{
    static double x[3 * (MOST + 1)], y[3 * (MOST + 1)];
    cord_strand_def def = cord_strand_def_default();
    draw(n, drawn, x);
    draw(n, natural, y);
    /* Edges keep their lengths. */
    double scale = v3_distance(y, y + 3) / v3_distance(x, x + 3);
    for (int i = 0; i < 3 * (n + 1); i++) x[i] *= scale;
    def.model = model;
    def.section = (cord_section){CORD_SECTION_EXPLICIT, .mass = 1,     .radius = 1e-2,
                                 .bending = {1, 1},     .twisting = 1, .rotary_inertia = 1e-4};
    def.vertex_count = n + 1;
    def.positions = x;
    def.natural_positions = y;
    v3_set(def.director, 0, 0, 1);
    if (strcmp(model, CORD_MODEL_DER) != 0 && strcmp(model, CORD_MODEL_SPLINE) != 0) {
        def.element_count = n;
        def.length = 1;
    }
    return scene_strand(w, &def);
}

/* The free end relative to the clamped one, in the equilibrium of a rod clamped at an end under a
 * force at the free end. */
static void hang(const char *model, int n, bool last, double drawn, double natural, double force,
                 double tip[3])
{
    cord_world *w = scene_world_under(NULL, 0);
    cord_strand rod = add_rod(w, model, n, drawn, natural);
    double length = scene_length(w, rod), ends[2][3];
    cord_point free = scene_point(w, rod, last ? 0 : length), fixed;
    assert_fine(w, cord_world_clamp_strand(w, rod, last ? length : 0, NULL, &fixed, NULL, NULL));
    cord_load_def load = cord_load_def_default();
    cord_load made;
    load.point = free;
    load.force[1] = force;
    assert_fine(w, cord_world_add_load(w, &load, &made));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_point_get_pose(w, free, ends[0], NULL));
    assert_fine(w, cord_point_get_pose(w, fixed, ends[1], NULL));
    v3_sub(tip, ends[0], ends[1]);
    cord_world_destroy(w);
}

static double error_of(const char *model, int n, bool last, double drawn, double natural,
                       double force, const double expected[3])
{
    double tip[3];
    hang(model, n, last, drawn, natural, force, tip);
    return v3_distance(tip, expected);
}

/* The error at 32 elements and its order from 16 to 32. */
static void assert_second_order(const char *model, bool last, double drawn, double natural,
                                double force, const double expected[3], double tolerance)
{
    double coarse = error_of(model, 16, last, drawn, natural, force, expected);
    double fine = error_of(model, 32, last, drawn, natural, force, expected);
    if (fine > tolerance || !(fine <= 1e-9 || log2(coarse / fine) > 1.6))
        fail_msg("%s, clamped at its %s: the error is %.2e with 16 elements and %.2e with 32",
                 model, last ? "end" : "start", coarse, fine);
}

/* Without load a rod of natural curvature κ, drawn straight along x, is an arc that leaves the clamp
 * along x: its free end is at (sin κ, 1 − cos κ)/κ, and mirrored for a clamp at the end. */
static void naturally_curved(void **unused)
{
    (void)unused;
    const double kappa = 1;
    for (int m = 0; m < MODELS; m++)
        for (int last = 0; last < 2; last++) {
            const double expected[3] = {(last ? -1 : 1) * sin(kappa) / kappa,
                                        (1 - cos(kappa)) / kappa, 0};
            assert_second_order(models[m], last, 0, kappa, 0, expected, 1e-4);
        }
}

/* A naturally straight rod drawn as an arc of curvature κ is straight at rest, along the tangent of
 * the arc at the clamp: (1, 0) at its start, (cos κ, sin κ) at its end. */
static void drawn_curved(void **unused)
{
    (void)unused;
    const double kappa = 1, start[3] = {1, 0, 0}, end[3] = {-cos(kappa), -sin(kappa), 0};
    static const char *const polygons[] = {CORD_MODEL_DER, CORD_MODEL_SEGMENT};
    for (int m = 0; m < 2; m++) {
        assert_second_order(polygons[m], false, kappa, 0, 0, start, 1e-12);
        assert_second_order(polygons[m], true, kappa, 0, 0, end, 1e-12);
    }
}

/* A small force F at the free end of a cantilever moves it by F/3, and by F²/15 towards the clamp. */
static void cantilever(void **unused)
{
    (void)unused;
    const double force = 1e-3;
    for (int m = 0; m < MODELS; m++)
        for (int last = 0; last < 2; last++) {
            const double expected[3] = {(last ? -1 : 1) * (1 - force * force / 15), force / 3, 0};
            assert_second_order(models[m], last, 0, 0, force, expected, 1e-3 * force / 3);
        }
}

/* The lowest frequency of a cantilever of unit mass, stiffness and length is β², cos β cosh β = −1. */
static void lowest_frequency(void **unused)
{
    (void)unused;
    const double exact = 3.51601526850015;
    for (int m = 0; m < MODELS; m++)
        for (int last = 0; last < 2; last++) {
            cord_world *w = scene_world_under(NULL, 0);
            cord_strand rod = add_rod(w, models[m], 32, 0, 0);
            double at = last ? scene_length(w, rod) : 0, omega[1];
            assert_fine(w, cord_world_clamp_strand(w, rod, at, NULL, NULL, NULL, NULL));
            assert_fine(w, cord_world_find_frequencies(w, 1, omega));
            assert_close(omega[0], exact, 2e-3 * exact);
            cord_world_destroy(w);
        }
}

/* A clamp closes on the end of a strand in motion and holds it as it is. */
static void clamped_in_motion(void **state)
{
    for (int m = 0; m < MODELS; m++) {
        cord_world *w = scene_world_under(*state, 9.81);
        cord_strand rod = add_rod(w, models[m], 8, 0.5, 0.2);
        cord_point clamp, end = scene_point(w, rod, scene_length(w, rod));
        double pose[2][9];
        scene_hang(w, rod, 0);
        scene_advance(w, 1e-3, 20);
        assert_fine(w, cord_point_get_pose(w, end, (double[3]){0}, pose[0]));
        assert_fine(
            w, cord_world_clamp_strand(w, rod, scene_length(w, rod), NULL, &clamp, NULL, NULL));
        scene_advance(w, 1e-3, 20);
        assert_fine(w, cord_point_get_pose(w, end, (double[3]){0}, pose[1]));
        assert_all_close(pose[1], pose[0], 9, 1e-6);
        assert_true(isfinite(scene_energy(w).kinetic));
        cord_world_destroy(w);
    }
}

/* A spline has the length of its natural curve, which is longer than the polyline through its points,
 * and begins where it is drawn. */
static void length_of_the_curve(void **unused)
{
    (void)unused;
    const double kappa = 3;
    for (int n = 8; n <= 32; n *= 2) {
        double x[3 * (MOST + 1)], y[3 * (MOST + 1)], chord = 2 * n * sin(kappa / (2 * n)) / kappa;
        cord_world *w = scene_world_under(NULL, 0);
        cord_strand_def def = cord_strand_def_default();
        cord_strand rod;
        draw(n, 0, x);
        draw(n, kappa, y);
        def.model = CORD_MODEL_SPLINE;
        def.vertex_count = n + 1;
        def.positions = x;
        def.natural_positions = y;
        assert_fine(w, cord_world_add_strand(w, &def, &rod));
        double start[3], end[3], tolerance = 0.02 * (1 - chord);
        assert_close(scene_length(w, rod), 1, tolerance);
        assert_fine(w, cord_point_get_pose(w, scene_point(w, rod, 0), start, NULL));
        assert_fine(w,
                    cord_point_get_pose(w, scene_point(w, rod, scene_length(w, rod)), end, NULL));
        assert_all_close(start, x, 3, 1e-15);
        assert_all_close(end, x + 3 * n, 3, tolerance);
        for (int i = 0; i < 3 * (n + 1); i++) x[i] *= 1.012;
        assert_int_equal(cord_world_add_strand(w, &def, &rod), CORD_ERROR_ARGUMENT);
        assert_non_null(strstr(cord_world_get_error(w), "the natural curve is"));
        cord_world_destroy(w);
    }
}

/* ---- scenes ---------------------------------------------------------------------------------- */

#define SCENE                                                                                      \
    "cordage: 1\nworld: {gravity: [0, 0, 0]}\nstrands: [{name: rod, model: %s, shape: {line: "     \
    "{from: "                                                                                      \
    "[0, 0, 0], to: [1, 0, 0], vertices: 17}}, director: [0, 0, 1], material: {density: 1000, "    \
    "young: 1 MPa}, section: {circle: {radius: 5 mm}}}]\n"                                         \
    "probes: [{name: tip, of: rod@%s, measure: position}]\n"                                       \
    "clamps: [{at: rod@%s, %s}]\n"

/* A straight rod at rest goes along the direction of its clamp; the frame there has the director. */
static void direction(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2 * MODELS; i++) {
        const char *model = models[i / 2], *fixed = i % 2 ? "end" : "start";
        double tip[3], frame[9], sign = i % 2 ? -1 : 1, base = i % 2;
        char text[1024];
        snprintf(text, sizeof text, SCENE, model, i % 2 ? "start" : "end", fixed,
                 "direction: [3, 0, 4], director: [1, 1, 0]");
        played p = played_text(text);
        assert_fine(p.world, cord_world_find_equilibrium(p.world, NULL, NULL));
        played_sample(p, "tip", tip);
        assert_all_close(tip, ((double[]){base + 0.6 * sign, 0, 0.8 * sign}), 3, 1e-9);
        cord_strand rod = cord_simulation_get_strand(p.simulation, 0);
        cord_point at = scene_point(p.world, rod, i % 2 ? scene_length(p.world, rod) : 0);
        assert_fine(p.world, cord_point_get_pose(p.world, at, tip, frame));
        const double across[3] = {1 - 0.36, 1, -0.48}, size = v3_norm(across);
        const double held[6] = {0.6, 0, 0.8, across[0] / size, across[1] / size, across[2] / size};
        assert_all_close(frame, held, 6, 1e-9);
        played_end(p);
    }
}

static void refused_directions(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"direction: [0, 0, 0]", "direction must not be the zero vector"},
        {"director: [2, 0, 0]", "director must be a direction across the tangent"},
        {"frame: no, direction: [1, 0, 0]", "a clamp with frame: no prescribes no direction"},
        {"frame: no, director: [0, 1, 0]", "a clamp with frame: no prescribes no director"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, SCENE, "der", "end", "start", cases[i][0]);
        played_refused(text, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(naturally_curved),
        cmocka_unit_test(drawn_curved),
        cmocka_unit_test(cantilever),
        cmocka_unit_test(lowest_frequency),
        cmocka_unit_test(length_of_the_curve),
        cmocka_unit_test(direction),
        cmocka_unit_test(refused_directions),
        BY_INTEGRATION(clamped_in_motion, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(clamped_in_motion, "midpoint", MIDPOINT),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
