/* Cables on cylinders, where nodes have two coordinates: initial values given by the user are
 * made consistent before the first step, and energy is conserved. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* One turn down an upright cylinder, the upper end prescribed, the lower one hanging free below
 * it; the lengths are too short by the given amount. */
static cord_strand helix(cord_world *w, double off)
{
    const double a = 0.15, turn = hypot(2 * pi * a, 0.5);
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CYLINDER, .on = scene_place(w, 0, 0, 0), .radius = a}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .at = {0, 0.7}, .prescribed = true},
        {.guide = 0, .at = {2 * pi, 0.2}, .s = turn - off, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {a, 0.1, -0.3}, .s = turn + hypot(0.5, 0.1) - 2 * off},
    };
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.2;
    def.guide_count = 1, def.guides = guides;
    def.node_count = 3, def.nodes = nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    return made;
}

/* In a tenth of a millisecond it hardly falls; lengths that are wrong by a tenth of a millimetre
 * would be corrected at a metre per second. */
static void lengths_are_met_before_anything_moves(void **unused)
{
    (void)unused;
    static const cord_integrator integrators[] = {CORD_MIDPOINT, CORD_IMPLICIT};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_in(integrators[i], 9.81);
        cord_strand made = helix(w, 1e-4);
        cord_node_state at[3];
        assert_fine(w, cord_world_step(w, 1e-4));
        assert_true(scene_energy(w).kinetic < 1e-6);
        for (int k = 0; k < 3; k++) assert_fine(w, cord_cable_get_node(w, made, k, at + k));
        double way[3];
        v3_sub(way, at[2].position, at[1].position);
        assert_close(v3_norm(way), at[2].s - at[1].s, 1e-9);
        cord_world_destroy(w);
    }
}

/* Relative to the largest kinetic energy in a quarter of a second of falling and swinging. */
static double energy_off(cord_integrator integrator, double h)
{
    cord_world *w = scene_world_in(integrator, 9.81);
    double worst = 0, kinetic = 0;
    helix(w, 0);
    double start = scene_energy(w).total;
    for (int k = 0; k < (int)lround(0.25 / h); k++) {
        assert_fine(w, cord_world_step(w, h));
        kinetic = fmax(kinetic, scene_energy(w).kinetic);
        worst = fmax(worst, fabs(scene_energy(w).total - start));
    }
    cord_world_destroy(w);
    assert_true(kinetic > 0.1);
    return worst / kinetic;
}

static void energy_is_kept(void **unused)
{
    (void)unused;
    assert_true(energy_off(CORD_MIDPOINT, 1e-3) < 1e-9);
    double coarse = energy_off(CORD_IMPLICIT, 5e-4), fine = energy_off(CORD_IMPLICIT, 2.5e-4);
    assert_true(coarse < 1e-3);
    assert_true(log2(coarse / fine) > 1.7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_met_before_anything_moves),
        cmocka_unit_test(energy_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
