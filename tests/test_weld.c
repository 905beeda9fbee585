/* A strand welded to a body: in every integrator, whichever of the two is named first. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

static const double arm = 0.05; /* m: from the weld to the body's centre */

typedef struct welded {
    cord_world *w;
    cord_strand rope;
    cord_body body;
    cord_constraint place, frame;
    double weight;
} welded;

/* A rod along x, clamped at its start, with a box at its end. */
static welded make(const integration *by, const char *model, bool body_first)
{
    welded s = {.w = scene_world(by)};
    double x[33];
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i < 11; i++) v3_set(x + 3 * i, 0.1 * i, 0, 0);
    def.model = model;
    def.vertex_count = 11;
    def.element_count = 5;
    def.positions = x;
    def.section.radius = 0.005;
    def.material.young = 2e8;
    assert_fine(s.w, cord_world_add_strand(s.w, &def, &s.rope));
    assert_fine(s.w, cord_world_clamp_strand(s.w, s.rope, 0, NULL, NULL, NULL, NULL));
    cord_body_def box = cord_body_def_default();
    box.shape.kind = CORD_SHAPE_BOX;
    v3_set(box.shape.size, 2 * arm, 0.06, 0.04);
    v3_set(box.position, 1 + arm, 0, 0);
    box.density = 500;
    assert_fine(s.w, cord_world_add_body(s.w, &box, &s.body));
    cord_point first = scene_point(s.w, s.rope, 1), second = scene_on(s.w, s.body, -arm, 0, 0);
    s.place = scene_constraint(s.w, CORD_COINCIDE, body_first ? second : first,
                               body_first ? first : second);
    s.frame =
        scene_constraint(s.w, CORD_ALIGN, body_first ? second : first, body_first ? first : second);
    cord_body_info info;
    assert_fine(s.w, cord_body_get_info(s.w, s.body, &info));
    s.weight = 9.81 * info.mass;
    return s;
}

/* At rest the weld transmits the body's weight, as a force and as its moment. */
static void balances(void **unused)
{
    static const char *const models[] = {CORD_MODEL_DER, CORD_MODEL_CLOTHOID};
    (void)unused;
    for (int k = 0; k < 4; k++) {
        bool body_first = k % 2;
        welded s = make(NULL, models[k / 2], body_first);
        cord_statics_result found;
        assert_fine(s.w, cord_world_find_equilibrium(s.w, NULL, &found));
        assert_int_equal(found.unstable_directions, 0);
        assert_close(found.residual, 0, 1e-9);
        double force[3], torque[3], x[3], unused_force[3], frame[9];
        assert_fine(s.w, cord_constraint_get_force(s.w, s.place, force, torque));
        assert_close(force[2], body_first ? s.weight : -s.weight, 1e-8);
        assert_fine(s.w, cord_constraint_get_force(s.w, s.frame, unused_force, torque));
        assert_fine(s.w, cord_body_get_pose(s.w, s.body, x, frame));
        /* Sagging is a rotation about +y; the body bends the rod's end further in that
         * direction. */
        double moment = s.weight * arm * frame[0];
        assert_close(torque[1], body_first ? -moment : moment, 1e-8);
        assert_close(scene_gap(s.w, s.place), 0, 1e-10);
        assert_close(scene_gap(s.w, s.frame), 0, 1e-10);
        assert_true(x[2] < -0.005);
        cord_world_destroy(s.w);
    }
}

/* Displaced from equilibrium it swings and spins; the weld's residual stays small, and midpoint
 * conserves the energy. */
static void holds(void **unused)
{
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++)
        for (int body_first = 0; body_first < 2; body_first++) {
            const integration *by = integrations + i;
            /* Its iteration treats the elasticity of a rod explicitly. */
            if (i == SEMI_IMPLICIT_VELOCITY) continue;
            bool explicit_step = by->integrator == CORD_SYMPLECTIC || is_semi_implicit(by);
            double h = explicit_step ? 2e-5 : 2e-3;
            welded s = make(by, CORD_MODEL_DER, body_first);
            cord_energy before, after;
            assert_fine(
                s.w, cord_body_set_velocity(s.w, s.body, (double[]){0, 0, 0}, (double[]){8, 0, 0}));
            assert_fine(s.w, cord_world_step(s.w, h)); /* velocities are made consistent */
            assert_fine(s.w, cord_world_get_energy(s.w, &before));
            for (double t = 0; t < 0.2; t += h) assert_fine(s.w, cord_world_step(s.w, h));
            assert_fine(s.w, cord_world_get_energy(s.w, &after));
            assert_close(scene_gap(s.w, s.place), 0,
                         is_one_solve(by) ? 1e-5
                         : explicit_step  ? 1e-6
                                          : 1e-9);
            assert_close(scene_gap(s.w, s.frame), 0, 1e-12);
            if (by->integrator == CORD_MIDPOINT)
                assert_close(after.total, before.total, 1e-7 * fabs(before.kinetic));
            else
                assert_true(after.total < before.total + 1e-3 * before.kinetic);
            cord_world_destroy(s.w);
        }
}

/* The angle between the tangent of the rope's end and the axis of the body. */
static double turned(const welded *s)
{
    double x[3], end[9], body[9], cross[3];
    assert_fine(s->w, cord_point_get_pose(s->w, scene_point(s->w, s->rope, 1), x, end));
    assert_fine(s->w, cord_body_get_pose(s->w, s->body, x, body));
    v3_cross(cross, end, body);
    return v3_norm(cross);
}

/* Without its frame constraint the weld is a ball joint; without the body the rope's end is an
 * ordinary one again, and the rope swings alone. */
static void lets_go(void **unused)
{
    (void)unused;
    welded s = make(NULL, CORD_MODEL_DER, false);
    double g[3];
    scene_advance(s.w, 2e-3, 100);
    assert_true(turned(&s) < 1e-12);
    assert_fine(s.w, cord_world_remove_constraint(s.w, s.frame));
    scene_advance(s.w, 2e-3, 20);
    assert_true(turned(&s) > 0.01 && scene_gap(s.w, s.place) < 1e-10);
    assert_fine(s.w, cord_world_remove_body(s.w, s.body));
    assert_int_equal(cord_constraint_get_residual(s.w, s.place, NULL, g), CORD_ERROR_HANDLE);
    scene_advance(s.w, 5e-4, 1);
    cord_energy alone = scene_energy(s.w);
    scene_advance(s.w, 5e-4, 200);
    assert_close(scene_energy(s.w).total, alone.total, 1e-5 * alone.kinetic);
    cord_world_destroy(s.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balances),
        cmocka_unit_test(holds),
        cmocka_unit_test(lets_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
