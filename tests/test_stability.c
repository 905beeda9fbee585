/* Unstable and neutral directions of equilibria. */
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

enum { MOST = 1600 };

/* ρgS L³/EI at which a clamped column buckles under its own weight [Greenhill 1881] */
static const double greenhill = 7.837347439;

/* A rod of EI = L = mass per length = 1 that begins at the origin along ±z and bends by `angle` to the side. The other
 * bending stiffness is `stiffer`. */
static cord_strand add_rod(cord_world *w, const char *model, int edges, double up, double angle,
                           double stiffer)
{
    static double x[3 * (MOST + 1)];
    cord_strand_def def = cord_strand_def_default();
    memset(x, 0, sizeof x);
    for (int i = 0; i < edges; i++) {
        double at = angle * (i + 0.5) / edges, *v = x + 3 * i;
        v[3] = v[0] + 0.6 * sin(at) / edges;
        v[4] = v[1] + 0.8 * sin(at) / edges;
        v[5] = v[2] + up * cos(at) / edges;
    }
    def.model = model;
    def.vertex_count = edges + 1;
    def.positions = x;
    def.director[0] = 0.8, def.director[1] = -0.6;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 1,
                                 .bending = {1, stiffer},
                                 .twisting = stiffer > 1 ? 4 : 1,
                                 .rotary_inertia = 1e-4,
                                 .radius = 0.01};
    return scene_strand(w, &def);
}

static cord_world *column(int edges, double gamma, double stiffer)
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, gamma);
    cord_strand rod = add_rod(w, CORD_MODEL_DER, edges, 1, 0, stiffer);
    assert_fine(w, cord_world_clamp_strand(w, rod, 0, NULL, NULL, NULL, NULL));
    return w;
}

static void assert_directions(cord_world *w, int unstable, int neutral)
{
    int found[2];
    cord_statics_result result;
    assert_fine(w, cord_world_count_unstable_directions(w, found, found + 1));
    assert_int_equal(found[0], unstable);
    assert_int_equal(found[1], neutral);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, &result));
    assert_int_equal(result.unstable_directions, unstable);
    assert_int_equal(result.neutral_directions, neutral);
}

/* The error of the discrete load is −0.5155/n² + 1.78/n³; the count adds less than 1e-6. */
static void buckling_converges(void **state)
{
    (void)state;
    static const int edges[] = {50, 400, MOST};
    for (int i = 0; i < 3; i++)
        for (int strip = 0; strip < 2; strip++) {
            double n = edges[i], stiffer = strip ? 2500 : 1;
            double critical = greenhill * (1 - (0.5155 - 1.78 / n) / n / n);
            double margin = fmax(1e-6, 0.01 / n / n);
            cord_world *below = column(edges[i], critical * (1 - margin), stiffer);
            cord_world *above = column(edges[i], critical * (1 + margin), stiffer);
            assert_directions(below, 0, 0);
            assert_directions(above, strip ? 1 : 2, 0);
            cord_world_destroy(below);
            cord_world_destroy(above);
        }
}

/* The position and the tangent of the start are prescribed: the rod is free to spin about the vertical. */
static void a_spin_is_neutral(void **state)
{
    (void)state;
    static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_SEGMENT, CORD_MODEL_HELIX,
                                         CORD_MODEL_CLOTHOID};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 12; k++) {
            double up = k % 2 ? 1 : -1, stiffer = k % 4 < 2 ? 1 : 3;
            cord_world *w = scene_world_in(CORD_IMPLICIT, k < 6 ? 2 : 500);
            cord_strand rod = add_rod(w, models[m], 32, up, 0.5 * (k / 2), stiffer);
            scene_hang(w, rod, 0);
            cord_constraint_def tangent = cord_constraint_def_default();
            tangent.kind = CORD_PARALLEL;
            tangent.first = scene_point(w, rod, 0);
            tangent.second = scene_place(w, 0, 0, 0);
            tangent.direction[2] = up;
            tangent.first_direction[0] = 1;
            scene_relate(w, &tangent);
            assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
            assert_directions(w, 0, 1);
            cord_world_destroy(w);
        }
}

/* An unstable equilibrium has no frequencies, and the message says how many directions are unstable. */
static void unstable_has_no_frequencies(void **state)
{
    (void)state;
    double omega[3];
    cord_world *w = column(50, 9, 1);
    assert_int_equal(cord_world_find_frequencies(w, 3, omega), CORD_ERROR_UNSTABLE);
    assert_non_null(strstr(cord_world_get_error(w), "unstable in 2 directions"));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buckling_converges),
        cmocka_unit_test(a_spin_is_neutral),
        cmocka_unit_test(unstable_has_no_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
