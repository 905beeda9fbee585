/* The adaptive step of [SC 2012, section 3.4]: steps in which velocities change too much are divided. */
#include "support/played.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

/* A chain clamped level and released. */
static played released(const char *adaptive)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "cordage: 1\nworld: {scheme: semi-implicit, adaptive: %s}\n"
        "strands:\n"
        "  - {name: rod, model: clothoid, planar: yes, elements: 4, length: 1, curvatures: 0,\n"
        "     base: {position: [0, 0, 0], tangent: [1, 0, 0], director: [0, 0, 1]},\n"
        "     material: {density: 1000, young: 10 MPa}, section: {circle: {radius: 8 mm}}}\n"
        "clamps:\n  - {at: rod@start}\n"
        "probes:\n  - {name: tip, of: rod@end, measure: position}\n",
        adaptive);
    return played_text(text);
}

static cord_counters counters_of(played p)
{
    cord_counters c;
    assert_fine(p.world, cord_world_get_counters(p.world, &c));
    return c;
}

/* The position of the tip after half a second, and the counters. */
static cord_counters fall(const char *adaptive, double h, double tip[3])
{
    played p = released(adaptive);
    played_advance(p, h, (int)lround(0.5 / h));
    played_sample(p, "tip", tip);
    cord_counters c = counters_of(p);
    played_end(p);
    return c;
}

static double distance(const double a[3], const double b[3])
{
    return hypot(a[0] - b[0], a[2] - b[2]);
}

/* The scheme is of first order: the finer the adaptive step divides, the nearer it is to small steps. */
static void fast_motions_are_refined(void **unused)
{
    (void)unused;
    double exact[3], plain[3], coarse[3], fine[3];
    assert_int_equal(fall("0", 1e-4, exact).halvings, 0);
    cord_counters without = fall("0", 10e-3, plain);
    cord_counters some = fall("1", 10e-3, coarse), many = fall("0.1", 10e-3, fine);
    assert_int_equal(without.steps, 50);
    assert_int_equal(without.halvings, 0);
    assert_true(some.halvings > 50 && some.steps > 3 * without.steps);
    assert_true(many.halvings > some.halvings && many.steps > 3 * some.steps);
    assert_true(distance(coarse, exact) < distance(plain, exact) / 3);
    assert_true(distance(fine, exact) < distance(coarse, exact) / 10);
}

/* A rod at rest is not refined, however low the threshold. */
static void rest_is_not_refined(void **unused)
{
    (void)unused;
    played p = released("1e-3");
    assert_fine(p.world, cord_world_find_equilibrium(p.world, NULL, NULL));
    played_advance(p, 10e-3, 20);
    cord_counters c = counters_of(p);
    assert_int_equal(c.halvings, 0);
    assert_int_equal(c.steps, 20);
    played_end(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_motions_are_refined),
        cmocka_unit_test(rest_is_not_refined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
