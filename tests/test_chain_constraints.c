/* Chains and constraints: the fifteen combinations of bases and tips, constraints inside
 * elements, bases attached to other strands, driven clamps and curvatures, and coupled clusters
 * against the chain's block-private solver. */
#include "math/rotation.h"
#include "support/chains.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

/* ---- bases and tips ------------------------------------------------------------------------------- */

static void fifteen(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < 3; shape++) /* spatial; planar, skew; planar, in x–z */
            for (int config = 0; config < CHAIN_BASES * CHAIN_TIPS; config++)
                for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
                    chain_base b = config % CHAIN_BASES;
                    chain_tip t = config / CHAIN_BASES;
                    const integration *by = integrations + k;
                    if (model != 2 && k > 1) continue;
                    cord_world *w = chain_world(by, true);
                    chain_def def = chain_loop(chain_models[model], shape);
                    cord_strand chain = chain_strand(w, &def);
                    cord_constraint held[5];
                    int count = chain_hold(w, chain, b, t, held);
                    chain_push(w, chain, 0.5);
                    double worst = 0;
                    cord_status status = CORD_OK;
                    for (int i = 0; i < 15 && status == CORD_OK; i++) {
                        status = cord_world_step(w, 2e-3);
                        worst = fmax(worst, chain_residual(w, held, count));
                    }
                    if (status != CORD_OK || !(worst < 1e-10))
                        print_error("%s, shape %d, %s base, %s tip, %s: %.2g %s\n",
                                    chain_models[model], shape, chain_bases[b], chain_tips[t],
                                    by->name, worst, status ? cord_world_get_error(w) : "");
                    assert_fine(w, status);
                    assert_true(worst < 1e-10);
                    cord_world_destroy(w);
                }
}

/* ---- sparse matrix against block-private solver --------------------------------------------------- */

/* A one-sided constraint that is never active makes the cluster a coupled one: the sparse matrix
 * gives the same motion as the chain's block-private solver. */
static void sparse_as_own(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int shape = 0; shape < 3; shape++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++)
                for (int b = 0; b < CHAIN_BASES; b++) {
                    double x[2][3 * CHAIN_VERTICES];
                    for (int slack = 0; slack < 2; slack++) {
                        cord_world *w = chain_world(integrations + k, true);
                        chain_def def = chain_loop(chain_models[model], shape);
                        cord_strand chain = chain_strand(w, &def);
                        cord_constraint held[5];
                        chain_hold(w, chain, b, FREE_TIP, held);
                        chain_push(w, chain, 1);
                        cord_constraint_def tether = cord_constraint_def_default();
                        tether.kind = CORD_DISTANCE;
                        tether.side = CORD_AT_MOST;
                        tether.length = 100;
                        tether.first = scene_point(w, chain, 0.25);
                        tether.second = scene_place(w, 0, 0, 1);
                        if (slack) scene_relate(w, &tether);
                        for (int i = 0; i < 20; i++) assert_fine(w, cord_world_step(w, 1e-3));
                        assert_true(w->partition.cluster[0].private_solve == !slack);
                        assert_fine(w, cord_strand_get_positions(w, chain, x[slack]));
                        cord_world_destroy(w);
                    }
                    if (!(chain_distance(x[0], x[1]) < 1e-10))
                        print_error("%s, shape %d, %s, %s base: %.2g\n", chain_models[model], shape,
                                    integrations[k].name, chain_bases[b],
                                    chain_distance(x[0], x[1]));
                    assert_true(chain_distance(x[0], x[1]) < 1e-10);
                }
}

/* ---- constraints inside elements ---------------------------------------------------------------------- */

/* Two crossing chains, glued to each other inside elements, one of them clamped at its base, the
 * other with its tip on a plane; also a polyline rod as the second. */
static void glued(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int other = 0; other < 2; other++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
                const integration *by = integrations + k;
                bool align = other == 0 || by->integrator != CORD_MIDPOINT;
                cord_world *w = chain_world(by, true);
                chain_def def = {.model = chain_models[model], .curl = 3};
                cord_strand a = chain_strand(w, &def), b;
                cord_point on = scene_point(w, a, 0.37);
                double x[3];
                assert_fine(w, cord_point_get_pose(w, on, x, NULL));
                v3_copy(def.from, x);
                if (other == 0)
                    b = chain_strand(w, &def);
                else
                    b = scene_rope(w, NULL, "rod", 6, x, (double[]){x[0], x[1] + 0.6, x[2]});
                /* A chain hangs by the middle of an element, a rod by its first vertex. */
                cord_point there = scene_point(w, b, other == 0 ? 0 : 0);
                cord_constraint held[6];
                int count = 0;
                assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, held, held + 1));
                count = 2;
                held[count++] = scene_constraint(w, CORD_COINCIDE, on, there);
                if (align) held[count++] = scene_constraint(w, CORD_ALIGN, there, on);
                double worst = 0;
                for (int i = 0; i < 15; i++) {
                    assert_fine(w, cord_world_step(w, 1e-3));
                    worst = fmax(worst, chain_residual(w, held, count));
                }
                if (!(worst < 1e-10))
                    print_error("%s, other %d, %s: %.2g\n", chain_models[model], other, by->name,
                                worst);
                assert_true(worst < 1e-10);
                cord_world_destroy(w);
            }
}

/* Both points inside elements, no other constraint: momenta are conserved, and with `midpoint`
 * the energy. */
static void glued_in_flight(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++) {
        cord_world *w = chain_world(integrations + MIDPOINT, false);
        chain_def def = {.model = chain_models[model], .curl = 3};
        cord_strand a = chain_strand(w, &def), b;
        cord_point on = scene_point(w, a, 0.37);
        double x[3], y[3], shift[3];
        def.skew = true;
        b = chain_strand(w, &def);
        cord_point there = scene_point(w, b, 0.22);
        assert_fine(w, cord_point_get_pose(w, on, x, NULL));
        assert_fine(w, cord_point_get_pose(w, there, y, NULL));
        v3_sub(shift, x, y);
        assert_fine(w, cord_world_remove_strand(w, b));
        v3_copy(def.from, shift);
        b = chain_strand(w, &def);
        there = scene_point(w, b, 0.22);
        cord_constraint held[2] = {scene_constraint(w, CORD_COINCIDE, on, there),
                                   scene_constraint(w, CORD_ALIGN, on, there)};
        chain_push(w, a, 3);
        chain_push(w, b, -1);
        cord_energy e0 = {0}, e;
        cord_momentum m0 = {0}, m;
        double energy = 0, linear = 0, angular = 0, worst = 0;
        for (int i = 0; i <= 200; i++) {
            assert_fine(w, cord_world_step(w, 1e-3));
            assert_fine(w, cord_world_get_energy(w, &e));
            assert_fine(w, cord_world_get_momentum(w, &m));
            if (i == 0) e0 = e, m0 = m;
            energy = fmax(energy, fabs(e.total - e0.total) / e0.total);
            linear = fmax(linear, v3_distance(m.linear, m0.linear) / v3_norm(m0.linear));
            angular = fmax(angular, v3_distance(m.angular, m0.angular) / v3_norm(m0.angular));
            worst = fmax(worst, chain_residual(w, held, 2));
        }
        if (!(energy < 1e-10 && linear < 1e-9 && angular < 1e-4 && worst < 1e-10))
            print_error("%s: energy %.2g, momenta %.2g, %.2g, rows %.2g\n", chain_models[model],
                        energy, linear, angular, worst);
        /* The defect of the constraint's lever arm at the midpoint is of third order in the
         * step. */
        assert_true(energy < 1e-10 && linear < 1e-9 && angular < 1e-4 && worst < 1e-10);
        cord_world_destroy(w);
    }
}

/* Curvature prescribed and driven at a base, at a node, inside an element and at the tip. */
static void driven_curvature(void **unused)
{
    (void)unused;
    static const double at[] = {0, 0.3, 0.41, 0.6};
    static const double times[] = {0, 0.02}, values[] = {0, 0, 0, 0.3, 0.2, 1.5};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++)
                for (int i = 0; i < 4; i++) {
                    cord_world *w = chain_world(integrations + k, true);
                    chain_def def = {.model = chain_models[model], .curl = 3, .planar = planar};
                    cord_strand a = chain_strand(w, &def);
                    cord_constraint_def wanted = cord_constraint_def_default();
                    double drive[6];
                    memcpy(drive, values, sizeof drive);
                    if (planar) drive[3] = drive[4] = 0;
                    wanted.kind = CORD_CURVATURE;
                    wanted.first = scene_point(w, a, at[i]);
                    wanted.curvature[1] = 3;
                    wanted.drive = (cord_keys){2, times, drive, CORD_EASE_SMOOTH};
                    cord_constraint held = scene_relate(w, &wanted);
                    assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
                    double worst = 0;
                    for (int step = 0; step < 25; step++) {
                        assert_fine(w, cord_world_step(w, 1e-3));
                        worst = fmax(worst, chain_residual(w, &held, 1));
                    }
                    if (!(worst < 1e-9))
                        print_error("%s, planar %d, %s, at %g: %.2g\n", chain_models[model], planar,
                                    integrations[k].name, at[i], worst);
                    assert_true(worst < 1e-9);
                    double curvatures[3 * CHAIN_VERTICES];
                    assert_fine(w, cord_strand_get_curvatures(w, a, curvatures));
                    int vertex = (int)(at[i] / 0.05 + 0.5);
                    if (i != 2) assert_close(curvatures[3 * vertex + 1], 4.5, 1e-9);
                    cord_world_destroy(w);
                }
}

/* A scripted clamp that rotates and translates moves the base, with every integrator. */
static void driven_base(void **unused)
{
    (void)unused;
    static const double times[] = {0, 0.03}, values[] = {0, 0, 0, 0.02, 0.01, 0.03},
                        turns[] = {0, 0, 0, 0.4, 0.9, -0.3}, flat[] = {0, 0, 0, 0, 0.8, 0};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
                cord_world *w = chain_world(integrations + k, true);
                chain_def def = {.model = chain_models[model], .curl = 3, .planar = planar};
                cord_strand a = chain_strand(w, &def);
                cord_point_def script = cord_point_def_default();
                cord_point clamp;
                script.motion = (cord_keys){2, times, values, CORD_EASE_SMOOTH};
                script.rotation = (cord_keys){2, times, planar ? flat : turns, CORD_EASE_SMOOTH};
                assert_fine(w, cord_world_clamp_strand(w, a, 0, &script, &clamp, NULL, NULL));
                cord_point base = scene_point(w, a, 0);
                for (int step = 0; step < 40; step++) {
                    double x[3], y[3], f[9], g[9], v[3], u[3];
                    assert_fine(w, cord_world_step(w, 1e-3));
                    assert_fine(w, cord_point_get_pose(w, base, x, f));
                    assert_fine(w, cord_point_get_pose(w, clamp, y, g));
                    assert_all_close(x, y, 3, 1e-12);
                    assert_all_close(f, g, 9, 1e-10);
                    assert_fine(w, cord_point_get_velocity(w, base, v));
                    assert_fine(w, cord_point_get_velocity(w, clamp, u));
                    /* the others have the mean over the step, or over two */
                    if (k != 1 && k < 4) assert_all_close(v, u, 3, 1e-9);
                }
                cord_world_destroy(w);
            }
}

/* And the chain follows it as it does with smaller steps: the base's acceleration is included. */
static void driven_base_is_felt(void **unused)
{
    (void)unused;
    static const double times[] = {0, 0.03}, values[] = {0, 0, 0, 0.02, 0.01, 0.03},
                        turns[] = {0, 0, 0, 0.4, 0.9, -0.3};
    for (int model = 0; model < CHAIN_MODELS; model++) {
        double x[CHAIN_INTEGRATIONS][3 * CHAIN_VERTICES], kinetic[CHAIN_INTEGRATIONS];
        for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
            cord_world *w = chain_world(integrations + k, true);
            chain_def def = {.model = chain_models[model], .curl = 3};
            cord_strand a = chain_strand(w, &def);
            cord_point_def script = cord_point_def_default();
            cord_energy e;
            script.motion = (cord_keys){2, times, values, CORD_EASE_SMOOTH};
            script.rotation = (cord_keys){2, times, turns, CORD_EASE_SMOOTH};
            assert_fine(w, cord_world_clamp_strand(w, a, 0, &script, NULL, NULL, NULL));
            for (int step = 0; step < 80; step++) assert_fine(w, cord_world_step(w, 5e-4));
            assert_fine(w, cord_strand_get_positions(w, a, x[k]));
            assert_fine(w, cord_world_get_energy(w, &e));
            kinetic[k] = e.kinetic;
            cord_world_destroy(w);
            /* first order: the step times the acceleration, over a few periods */
            double far = chain_distance(x[k], x[0]), off = fabs(kinetic[k] / kinetic[0] - 1);
            if (far > 1e-2 || off > 0.2)
                print_error("%s, %s: %.2g m, %.2g\n", chain_models[model], integrations[k].name,
                            far, off);
            assert_true(far < 1e-2 && off < 0.2);
        }
    }
}

/* A chain whose base is attached to another strand: a rod or a chain, at a vertex and inside. */
static void carried_base(void **unused)
{
    (void)unused;
    static const double at[] = {0.3, 0.37};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int by_rod = 0; by_rod < 2; by_rod++)
            for (int inside = 0; inside < 2; inside++)
                for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
                    const integration *by = integrations + k;
                    if (by_rod && by->integrator == CORD_MIDPOINT) continue; /* refused */
                    cord_world *w = chain_world(by, true);
                    chain_def def = {.model = CORD_MODEL_CLOTHOID, .curl = 2};
                    cord_strand carrier = by_rod
                                              ? scene_rope(w, NULL, "rod", 6, (double[]){0, 0, 0},
                                                           (double[]){0.6, 0, 0})
                                              : chain_strand(w, &def);
                    cord_point there = scene_point(w, carrier, at[inside]);
                    assert_fine(w, cord_world_clamp_strand(w, carrier, 0, NULL, NULL, NULL, NULL));
                    def.model = chain_models[model];
                    def.base_damping = 1e-3;
                    assert_fine(w, cord_point_get_pose(w, there, def.from, NULL));
                    cord_strand a = chain_strand(w, &def);
                    cord_point base = scene_point(w, a, 0);
                    cord_constraint held[2] = {scene_constraint(w, CORD_COINCIDE, base, there),
                                               scene_constraint(w, CORD_ALIGN, base, there)};
                    double worst = 0;
                    for (int step = 0; step < 15; step++) {
                        cord_status status = cord_world_step(w, 1e-3);
                        if (status)
                            print_error("%s on %s, inside %d, %s\n", chain_models[model],
                                        by_rod ? "rod" : "chain", inside, by->name);
                        assert_fine(w, status);
                        worst = fmax(worst, chain_residual(w, held, 2));
                    }
                    if (!(worst < 1e-9))
                        print_error("%s on %s, inside %d, %s: %.2g\n", chain_models[model],
                                    by_rod ? "rod" : "chain", inside, by->name, worst);
                    assert_true(worst < 1e-9);
                    cord_world_destroy(w);
                }
}

/* The tip falls on a plane: it never penetrates, is never pulled, and comes to rest there. */
static void tip_on_a_plane(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int planar = 0; planar < 2; planar++)
            for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
                cord_world *w = chain_world(integrations + k, true);
                chain_def def = {.model = chain_models[model], .planar = planar, .damping = 0.01};
                cord_strand a = chain_strand(w, &def);
                cord_constraint_def floor = cord_constraint_def_default();
                floor.kind = CORD_PLANE;
                floor.first = scene_point(w, a, 0.6);
                floor.second = scene_place(w, 0, 0, -0.01);
                floor.side = CORD_AT_LEAST;
                cord_constraint on = scene_relate(w, &floor);
                assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
                bool touched = false;
                for (int step = 0; step < 60; step++) {
                    double g, force[3];
                    assert_fine(w, cord_world_step(w, 2e-3));
                    assert_fine(w, cord_constraint_get_residual(w, on, NULL, &g));
                    assert_fine(w, cord_constraint_get_force(w, on, force, NULL));
                    assert_true(g > -1e-9 && force[2] > -1e-9);
                    if (g > 1e-7) assert_close(force[2], 0, 1e-9);
                    touched = touched || force[2] > 1e-3;
                }
                assert_true(touched);
                cord_world_destroy(w);
            }
}

/* A chain hangs from a spring inside an element: the extension is weight times compliance, and
 * it oscillates about that with its energy conserved. */
static void compliant(void **unused)
{
    (void)unused;
    for (int model = 0; model < CHAIN_MODELS; model++) {
        cord_world *w = chain_world(integrations + MIDPOINT, true);
        chain_def def = {.model = chain_models[model], .curl = 4};
        cord_strand a = chain_strand(w, &def);
        cord_constraint_def spring = cord_constraint_def_default();
        double x[3], g[3], force[3];
        spring.first = scene_point(w, a, 0.22);
        assert_fine(w, cord_point_get_pose(w, spring.first, x, NULL));
        spring.second = scene_place(w, x[0], x[1], x[2]);
        spring.compliance = 0.1;
        cord_constraint r = scene_relate(w, &spring);
        cord_energy e0 = {0}, e;
        for (int i = 0; i <= 200; i++) {
            assert_fine(w, cord_world_step(w, 1e-3));
            assert_fine(w, cord_world_get_energy(w, &e));
            if (i == 0) e0 = e;
            assert_close(e.total, e0.total, 1e-10);
        }
        assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
        assert_fine(w, cord_constraint_get_residual(w, r, NULL, g));
        assert_fine(w, cord_constraint_get_force(w, r, force, NULL));
        assert_all_close(force, ((double[]){0, 0, 0.06 * 9.81}), 3, 1e-8);
        assert_all_close(g, ((double[]){0, 0, -0.1 * 0.06 * 9.81}), 3, 1e-9);
        cord_world_destroy(w);
    }
}

/* The tip's frame is rotated by a drive. */
static void driven_align(void **unused)
{
    (void)unused;
    static const double times[] = {0, 0.05}, values[] = {0, 0, 0, 0.2, -0.7, 0.3};
    for (int model = 0; model < CHAIN_MODELS; model++)
        for (int k = 0; k < CHAIN_INTEGRATIONS; k++) {
            cord_world *w = chain_world(integrations + k, true);
            chain_def def = {.model = chain_models[model], .curl = 3};
            cord_strand a = chain_strand(w, &def);
            cord_constraint_def align = cord_constraint_def_default();
            align.kind = CORD_ALIGN;
            align.first = scene_point(w, a, 0.53);
            align.second = scene_place(w, 0, 0, 0);
            align.drive = (cord_keys){2, times, values, CORD_EASE_SMOOTH};
            cord_constraint r = scene_relate(w, &align);
            assert_fine(w, cord_world_clamp_strand(w, a, 0, NULL, NULL, NULL, NULL));
            for (int i = 0; i < 50; i++) {
                assert_fine(w, cord_world_step(w, 1e-3));
                assert_true(chain_residual(w, &r, 1) < 1e-9);
            }
            cord_world_destroy(w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifteen),
        cmocka_unit_test(sparse_as_own),
        cmocka_unit_test(glued),
        cmocka_unit_test(glued_in_flight),
        cmocka_unit_test(driven_curvature),
        cmocka_unit_test(driven_base),
        cmocka_unit_test(driven_base_is_felt),
        cmocka_unit_test(carried_base),
        cmocka_unit_test(tip_on_a_plane),
        cmocka_unit_test(compliant),
        cmocka_unit_test(driven_align),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
