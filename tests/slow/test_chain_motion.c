/* Chains in motion: conserved quantities of the integrators, and their orders of convergence. */
#include "math/vec3.h"
#include "support/chains.h"
#include "support/numbers.h"
#include "support/test.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const integration *const midpoint = integrations + MIDPOINT;

/* ---- conserved quantities ------------------------------------------------------------------------- */

static void midpoint_keeps_energy(void **unused)
{
    (void)unused;
    static const struct {
        chain_base b;
        chain_tip t;
        bool gravity;
        int steps;
    } cases[] = {{CLAMPED, FREE_TIP, true, 1000},   {PINNED_BASE, FREE_TIP, true, 300},
                 {FREE_BASE, FREE_TIP, false, 300}, {CLAMPED, LOOP_G0, true, 300},
                 {PINNED_BASE, LOOP_G1, true, 200}, {FREE_BASE, LOOP_G2, false, 200},
                 {PINNED_BASE, HELD_TIP, true, 200}};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < 3; shape++)
            for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
                cord_world *w = chain_world(midpoint, cases[k].gravity);
                chain_def def = chain_loop(chain_models[model], shape);
                def.elements = cases[k].t == FREE_TIP ? 3 : 6;
                /* A tip clamped to the base would leave its plane at no cost. */
                if (cases[k].t == HELD_TIP) def.curl = 4 / 0.6;
                cord_strand chain = chain_strand(w, &def);
                cord_constraint held[5];
                int count = chain_hold(w, chain, cases[k].b, cases[k].t, held);
                chain_push(w, chain, 2);
                cord_energy e0 = {0}, e;
                cord_momentum m0 = {0}, m;
                double worst = 0, moved = 0, largest = 0, error = 0;
                int steps =
                    model == 2 || cases[k].steps < 300 ? cases[k].steps : cases[k].steps / 2;
                for (int i = 0; i <= steps; i++) {
                    assert_fine(w, cord_world_step(w, 1e-3));
                    assert_fine(w, cord_world_get_energy(w, &e));
                    assert_fine(w, cord_world_get_momentum(w, &m));
                    if (i == 0) e0 = e, m0 = m;
                    worst = fmax(worst, fabs(e.total - e0.total));
                    largest = fmax(largest, e.kinetic + e.bending);
                    error = fmax(error, chain_residual(w, held, count));
                    if (cases[k].b != FREE_BASE) continue;
                    moved = fmax(moved, v3_distance(m.linear, m0.linear) / v3_norm(m0.linear));
                    moved = fmax(moved, v3_distance(m.angular, m0.angular) / v3_norm(m0.angular));
                }
                /* Rows that are empty in a plane leave their multipliers undetermined, and these
                 * drift. */
                bool wander = shape == 1 && cases[k].t != FREE_TIP;
                double close = wander ? 1e-6 : 1e-9, closer = wander ? 1e-2 : 1e-9;
                if (!(worst < close * largest && moved < closer && error < 1e-10))
                    print_error("%s, shape %d, %s base, %s tip: energy %.2g, momenta %.2g, %.2g\n",
                                chain_models[model], shape, chain_bases[cases[k].b],
                                chain_tips[cases[k].t], worst / largest, moved, error);
                assert_true(worst < close * largest && moved < closer && error < 1e-10);
                cord_world_destroy(w);
            }
}

/* ---- orders ----------------------------------------------------------------------------------------- */

static void place_after(const integration *by, const chain_def *def, chain_base b, chain_tip t,
                        double h, double time, double *x)
{
    cord_world *w = chain_world(by, true);
    cord_strand chain = chain_strand(w, def);
    cord_constraint held[5];
    chain_hold(w, chain, b, t, held);
    chain_push(w, chain, 1);
    for (int i = 0; i < (int)(time / h + 0.5); i++) assert_fine(w, cord_world_step(w, h));
    assert_fine(w, cord_strand_get_positions(w, chain, x));
    cord_world_destroy(w);
}

static void orders(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < 2; shape++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++)
                for (int config = 0; config < (shape ? 1 : 3); config++) {
                    static const chain_base bases[] = {CLAMPED, FREE_BASE, PINNED_BASE};
                    static const chain_tip tips[] = {FREE_TIP, FREE_TIP, LOOP_G0};
                    chain_def def = chain_loop(chain_models[model], shape);
                    def.elements = model == 2 ? 2 : 3, def.straighten = config < 2 ? 1 : 0;
                    double x[3][3 * CHAIN_VERTICES], expected = k < 2 ? 2 : 1;
                    for (int i = 0; i < 3; i++)
                        place_after(integrations + k, &def, bases[config], tips[config],
                                    (k >= 2       ? 1e-4
                                     : model == 2 ? 5e-4
                                                  : 1e-3) /
                                        (1 << i),
                                    0.02, x[i]);
                    double order = log2(chain_distance(x[0], x[1]) / chain_distance(x[1], x[2]));
                    if (!(fabs(order - expected) < 0.3))
                        print_error("%s, shape %d, %s, %s base, %s tip: order %.2f (%.2g, %.2g)\n",
                                    chain_models[model], shape, integrations[k].name,
                                    chain_bases[bases[config]], chain_tips[tips[config]], order,
                                    chain_distance(x[0], x[1]), chain_distance(x[1], x[2]));
                    assert_true(fabs(order - expected) < 0.3);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(midpoint_keeps_energy),
        cmocka_unit_test(orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
