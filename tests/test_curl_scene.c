/* The curly rod of the gallery is the one of validation and benchmarks. */
#include "validation/clothoids/curl.h"

#include <cordage/scene.h>
#include <cordage/simulation.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { SAMPLES = 320 };

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fabs(expected)))
        print_error("%.17g for %.17g\n", value, expected);
    assert_true(fabs(value - expected) <= 1e-12 * fabs(expected));
}

static void one_rod(void **unused)
{
    (void)unused;
    const chain_kind kind = {"clothoid", CORD_MODEL_CLOTHOID, false};
    const curl c = curl_default();
    rod r = {0};
    cord_scene *scene;
    cord_simulation *simulation;
    assert_int_equal(cord_scene_read("gallery/clothoids/unwinding-rod.yaml", NULL, &scene),
                     CORD_OK);
    assert_int_equal(cord_simulation_create(scene, &simulation), CORD_OK);
    cord_world *w = cord_simulation_get_world(simulation);
    cord_strand strand = cord_simulation_get_strand(simulation, 0);
    cord_strand_info drawn, made;
    assert_int_equal(cord_strand_get_info(w, strand, &drawn), CORD_OK);
    assert_int_equal(curl_make(&c, &kind, drawn.element_count, SAMPLES, NULL, &r), CORD_OK);
    assert_int_equal(cord_strand_get_info(r.world, r.strand, &made), CORD_OK);
    assert_near(drawn.length, made.length);
    assert_near(drawn.mass, made.mass);
    for (int k = 0; k < 2; k++) assert_near(drawn.bending[k], made.bending[k]);
    assert_near(drawn.twisting, made.twisting);
    assert_int_equal(drawn.vertex_count, SAMPLES + 1);
    static double x[3 * (SAMPLES + 1)];
    assert_int_equal(cord_strand_get_positions(w, strand, x), CORD_OK);
    assert_int_equal(rod_read(&r), CORD_OK);
    for (int i = 0; i < 3 * (SAMPLES + 1); i++) assert_true(fabs(x[i] - r.x[i]) < 1e-12);
    rod_free(&r);
    cord_simulation_destroy(simulation);
    cord_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_rod)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
