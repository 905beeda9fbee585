/* Steps that would gain energy from nothing are divided, shortened or refused. */
#include "support/played.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static cord_status advance(cord_world *w, double h, int steps)
{
    cord_status status = CORD_OK;
    for (int i = 0; i < steps && status == CORD_OK; i++) status = cord_world_step(w, h);
    return status;
}

/* A rubber rod with elastic stretch, stable below 0.6 ms, is stepped by 2 ms. */
static void explicit_steps_are_divided(void **unused)
{
    static const char text[] =
        "cordage: 1\nworld: {integrator: symplectic}\n"
        "strands:\n  - {name: rod, shape: {line: {from: [0, 0, 0], to: [1, 0, 0], vertices: 41}},\n"
        "     material: {density: 1100 kg/m^3, young: %s, poisson: 0.49}, stretch: elastic,\n"
        "     damping: %s, section: {circle: {radius: 5 mm}}}\n"
        "clamps:\n  - {at: rod@start}\n";
    char scene[1024];
    (void)unused;
    for (int damped = 0; damped < 2; damped++) {
        snprintf(scene, sizeof scene, text, "2 MPa", damped ? "1 ms" : "0 s");
        played p = played_text(scene);
        assert_fine(p.world, advance(p.world, 2e-3, 150));
        cord_energy e = scene_energy(p.world);
        cord_counters counters;
        assert_fine(p.world, cord_world_get_counters(p.world, &counters));
        assert_true(counters.steps >= 150 * 4);
        assert_true(e.kinetic > 0 && fabs(e.total) < 0.02 * -e.gravity + 0.2 * damped);
        played_end(p);
    }
    snprintf(scene, sizeof scene, text, "2e18 Pa", "0 s");
    played p = played_text(scene);
    assert_int_equal(cord_world_step(p.world, 2e-3), CORD_ERROR_NOT_CONVERGED);
    assert_non_null(strstr(cord_world_get_error(p.world), "'rod' is stable"));
    assert_true(cord_world_get_time(p.world) == 0);
    played_end(p);
}

/* Explicit gyroscopic terms of a body that tumbles by 0.8 rad in a step: the state stays the last good one. */
static void growing_energy_is_refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(integrations + SEMI_IMPLICIT, 0);
    cord_body_def def = scene_box(0.1, 0.2, 0.05);
    def.angular_velocity[0] = 60, def.angular_velocity[1] = 45, def.angular_velocity[2] = 30;
    scene_body(w, &def);
    double before = scene_energy(w).total;
    assert_int_equal(advance(w, 0.01, 1000), CORD_ERROR_NOT_CONVERGED);
    assert_non_null(strstr(cord_world_get_error(w), "nothing drives it"));
    assert_true(scene_energy(w).total < 4 * before);
    cord_world_destroy(w);
}

/* Compound pulleys with a soft cord in steps of 0.2 s: a gain of 322 J without the check. */
static void midpoint_gains_nothing(void **unused)
{
    (void)unused;
    played p = played_text(
        "cordage: 1\nworld: {integrator: midpoint}\nbodies:\n"
        "  - {name: block, shape: {box: {size: [3.2, 0.12, 0.06]}}, mass: 160, "
        "position: [1.6, 0, -1]}\n"
        "  - {name: weight, shape: {box: {size: [0.1, 0.1, 0.2]}}, mass: 11, "
        "position: [3.3, 0, -0.6]}\n"
        "joints:\n  - {name: rails, kind: prismatic, first: block, axis: [0, 0, 1]}\n"
        "pulleys:\n"
        "  - {name: up, at: [0.4, 0, 0], radius: 0.1, inertia: 0.004 kg m^2, "
        "repeat: {count: 8, offset: [0.4, 0, 0]}}\n"
        "  - {name: down, at: {body: block, at: [-1.4, 0, 0]}, radius: 0.1, "
        "inertia: 0.004 kg m^2, repeat: {count: 8, offset: [0.4, 0, 0]}}\n"
        "cables:\n  - {name: rope, density: 0.5 kg/m, stretching: 2000 N,\n     route: "
        "[[0.1, 0, 0], {pulleys: [down, up], from: 0, to: 7, side: [under, over]}, weight]}\n");
    cord_energy start = scene_energy(p.world);
    double most = 0;
    for (int i = 0; i < 15; i++) {
        cord_status status = cord_world_step(p.world, 0.2);
        if (status != CORD_OK) break; /* the end of the cord reaches a pulley */
        most = fmax(most, scene_energy(p.world).total - start.total);
    }
    assert_true(most < 15 * 1e-6 * fabs(start.total)); /* of each step */
    played_end(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_steps_are_divided),
        cmocka_unit_test(growing_energy_is_refused),
        cmocka_unit_test(midpoint_gains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
