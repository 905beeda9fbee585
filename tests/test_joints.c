/* Joints of bodies, made of constraints: derivatives, free motions, reactions and drives. */
#include "math/rotation.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double side[3] = {0.1, 0.04, 0.3}; /* m */

/* A box of density 1000, its centre at x. */
static cord_body box(cord_world *w, const double x[3])
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape.kind = CORD_SHAPE_BOX;
    memcpy(def.shape.size, side, sizeof side);
    v3_copy(def.position, x);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static cord_constraint relate(cord_world *w, const char *kind, cord_point first, cord_point second,
                              const double direction[3])
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = kind;
    def.first = first, def.second = second;
    if (direction) v3_copy(def.direction, direction);
    return scene_relate(w, &def);
}

/* ---- derivatives ------------------------------------------------------------------------------- */

static void derivatives(void **unused)
{
    static const char *const kinds[] = {CORD_ALIGN, CORD_PARALLEL, CORD_PERPENDICULAR, CORD_ANGLE};
    (void)unused;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        cord_world *w = scene_world(NULL);
        cord_body a = box(w, (double[]){0, 0, 0}), b = box(w, (double[]){0.3, 0.1, 0});
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = kinds[k];
        def.first = scene_on(w, a, 0, 0, 0), def.second = scene_on(w, b, 0, 0, 0);
        v3_set(def.direction, 0.3, -0.5, 0.8);
        v3_set(def.first_direction, 0.2, 0.9, 0.4);
        cord_constraint made = scene_relate(w, &def);
        double frame[9];
        cord__rotation_exp(frame, (double[]){0.4, 0.6, -0.3});
        assert_fine(w, cord_body_set_pose(w, a, (double[]){0, 0, 0}, frame));
        assert_fine(w, cord__world_ready(w));
        check_row_rates(w, made, 1e-9);
        check_row_curvature(w, made, 1e-8);
        cord_world_destroy(w);
    }
}

/* ---- free motions ----------------------------------------------------------------------------- */

/* A revolute joint: a box hangs from an edge and swings about y only; small swings have the period of
 * a compound pendulum. */
static void revolute(void **unused)
{
    (void)unused;
    for (int i = 0; i < DYNAMIC_INTEGRATIONS; i++) {
        cord_world *w = scene_world(integrations + i);
        cord_body body = box(w, (double[]){0, 0, -0.15});
        cord_point pin = scene_on(w, body, 0, 0.02, 0.15), held = scene_place(w, 0, 0.02, 0);
        cord_constraint ball = relate(w, CORD_COINCIDE, pin, held, NULL);
        cord_constraint hinge = relate(w, CORD_PARALLEL, pin, held, (double[]){0, 1, 0});
        double mass = 1000 * side[0] * side[1] * side[2], arm = 0.15;
        double inertia = mass * (side[0] * side[0] + side[2] * side[2]) / 12 + mass * arm * arm;
        double period = 2 * pi * sqrt(inertia / (mass * 9.81 * arm));
        assert_fine(w, cord_body_set_velocity(w, body, (double[]){-0.01 * arm, 0, 0},
                                              (double[]){0, 0.01, 0}));
        int steps = 400;
        scene_advance(w, period / steps, steps / 4);
        double v[3], x[3], turn[3];
        assert_fine(w, cord_body_get_velocity(w, body, v, turn));
        bool first = is_first_order(integrations + i);
        assert_close(turn[1] / 0.01, 0, first ? 0.02 : 1e-3); /* it completes revolutions */
        scene_advance(w, period / steps, steps / 4);
        assert_fine(w, cord_body_get_velocity(w, body, v, turn));
        assert_close(turn[1] / 0.01, -1, first ? 0.03 : 1e-3);
        assert_fine(w, cord_body_get_pose(w, body, x, NULL));
        assert_close(x[1], 0, 1e-10);
        assert_close(scene_gap(w, ball), 0, 1e-8);
        assert_close(scene_gap(w, hinge), 0, 1e-8);
        cord_world_destroy(w);
    }
}

/* A prismatic joint along z falls freely; a cylindrical one is free to rotate as well. */
static void sliding_joints(void **unused)
{
    (void)unused;
    for (int turns = 0; turns < 2; turns++) {
        cord_world *w = scene_world(NULL);
        cord_body body = box(w, (double[]){0, 0, 0});
        cord_point at = scene_on(w, body, 0.05, 0, 0), rail = scene_place(w, 0.05, 0, 0);
        cord_constraint axis = relate(w, CORD_AXIS, at, rail, (double[]){0, 0, 1});
        relate(w, turns ? CORD_PARALLEL : CORD_ALIGN, at, rail, (double[]){0, 0, 1});
        if (turns)
            assert_fine(w, cord_body_set_velocity(w, body, (double[]){0, -0.05 * 3, 0},
                                                  (double[]){0, 0, 3}));
        scene_advance(w, 1e-3, 500);
        double x[3], frame[9];
        assert_fine(w, cord_body_get_pose(w, body, x, frame));
        assert_close(x[2], -0.5 * 9.81 * 0.25, 1e-6);
        assert_close(frame[0], turns ? cos(1.5) : 1, 2e-5);
        assert_close(scene_gap(w, axis), 0, 1e-9);
        cord_world_destroy(w);
    }
}

/* A universal joint transmits a rotation: with an angle between the shafts the speed varies, its
 * mean is the same. */
static void universal(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    assert_fine(w, cord_world_set_gravity(w, (double[]){0, 0, 0}));
    cord_body a = box(w, (double[]){0, 0, 0});
    cord_body b = box(w, (double[]){0, 0, 0.3});
    double bend[9];
    cord__rotation_exp(bend, (double[]){0.4, 0, 0});
    double up[3] = {0, 0.15 * -sin(0.4), 0.15 + 0.15 * cos(0.4)};
    assert_fine(w, cord_body_set_pose(w, b, up, bend));
    /* both rotate in bearings */
    cord_point_def def = cord_point_def_default();
    cord_point far;
    memcpy(def.frame, bend, sizeof bend);
    v3_copy(def.position, up);
    assert_fine(w, cord_world_add_point(w, &def, &far));
    cord_point near = scene_place(w, 0, 0, 0), own = scene_on(w, a, 0, 0, 0),
               other = scene_on(w, b, 0, 0, 0);
    relate(w, CORD_COINCIDE, own, near, NULL);
    relate(w, CORD_PARALLEL, own, near, (double[]){0, 0, 1});
    relate(w, CORD_COINCIDE, other, far, NULL);
    relate(w, CORD_PARALLEL, other, far, (double[]){0, 0, 1});
    cord_constraint_def cross = cord_constraint_def_default();
    cross.kind = CORD_PERPENDICULAR;
    cross.first = own, cross.second = other;
    v3_set(cross.first_direction, 1, 0, 0);
    v3_set(cross.direction, 0, 1, 0);
    cord_constraint joint = scene_relate(w, &cross);
    cord_constraint_def motor = cord_constraint_def_default();
    motor.kind = CORD_ANGLE;
    motor.first = own, motor.second = near;
    double times[2] = {0, 1}, angles[2] = {0, 6 * pi}; /* three revolutions */
    motor.drive = (cord_keys){2, times, angles, CORD_EASE_LINEAR};
    cord_constraint drive = scene_relate(w, &motor);
    for (int i = 0; i < 500; i++) {
        double frame[9], x[3];
        scene_advance(w, 2e-3, 1);
        assert_fine(w, cord_body_get_pose(w, a, x, frame));
        double turned = 6 * pi * (i + 1) / 500;
        assert_close(frame[0], cos(turned), 1e-8);
        /* Hooke: the tangent of one angle is that of the other over the cosine of the shaft
         * angle. */
        assert_fine(w, cord_body_get_pose(w, b, x, frame));
        double in_plane[3];
        m3_apply_transposed(in_plane, bend, frame); /* b's x axis in the bearing's frame */
        double expected = atan2(sin(turned) * cos(0.4), cos(turned));
        assert_close(sin(atan2(in_plane[1], in_plane[0]) - expected), 0, 1e-7);
    }
    assert_close(scene_gap(w, joint), 0, 1e-9);
    assert_close(scene_gap(w, drive), 0, 1e-9);
    cord_world_destroy(w);
}

/* A one-sided angle constraint stops a falling lid. */
static void limit(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body body = box(w, (double[]){0.05, 0, 0});
    cord_point pin = scene_on(w, body, -0.05, 0, 0), held = scene_place(w, 0, 0, 0);
    relate(w, CORD_COINCIDE, pin, held, NULL);
    relate(w, CORD_PARALLEL, pin, held, (double[]){0, 1, 0});
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_ANGLE;
    def.first = pin, def.second = held;
    v3_set(def.direction, 0, 1, 0); /* falling rotates it by positive angles */
    def.side = CORD_AT_MOST;
    double zero = 0, half = 0.5;
    def.drive = (cord_keys){1, &zero, &half, CORD_EASE_LINEAR};
    cord_constraint stop = scene_relate(w, &def);
    scene_advance(w, 2e-3, 1000);
    double x[3], frame[9], force[3], torque[3];
    assert_fine(w, cord_body_get_pose(w, body, x, frame));
    assert_close(frame[0], cos(0.5), 1e-8);
    assert_fine(w, cord_constraint_get_force(w, stop, force, torque));
    double weight = 9.81 * 1000 * side[0] * side[1] * side[2];
    assert_close(torque[1], -weight * 0.05 * cos(0.5), 1e-9);
    cord_world_destroy(w);
}

/* ---- forces ------------------------------------------------------------------------------------- */

/* The reaction of a hinge, or of a ball joint of a chain, after half a second of swinging. */
static void swing(const char *model, double h, double force[3])
{
    cord_world *w = scene_world(NULL);
    cord_constraint_def def = cord_constraint_def_default();
    if (model) {
        const double x[6] = {0, 0, 0, 1, 0, 0};
        cord_strand_def rope = cord_strand_def_default();
        cord_strand made;
        rope.model = model;
        rope.vertex_count = 2, rope.positions = x;
        rope.element_count = 3;
        rope.section.radius = 0.02;
        rope.material.young = 1e6;
        assert_fine(w, cord_world_add_strand(w, &rope, &made));
        def.first = scene_point(w, made, 0);
    } else {
        cord_body body = box(w, (double[]){0.3, 0, 0});
        def.first = scene_on(w, body, -0.3, 0, 0);
        relate(w, CORD_PARALLEL, scene_on(w, body, 0, 0, 0), (cord_point){0}, (double[]){0, 1, 0});
    }
    cord_constraint held = scene_relate(w, &def);
    scene_advance(w, h, (int)lround(0.5 / h));
    assert_fine(w, cord_constraint_get_force(w, held, force, NULL));
    cord_world_destroy(w);
}

/* By TR-BDF2 forces are of second order in the step, on bodies and chains too. */
static void forces_converge(void **unused)
{
    (void)unused;
    static const char *const models[] = {NULL, CORD_MODEL_HELIX, CORD_MODEL_CLOTHOID};
    for (int m = 0; m < 3; m++) {
        double f[3][3], wide[3], narrow[3], h = m == 0 ? 5e-3 : 2e-3;
        for (int k = 0; k < 3; k++, h *= 0.5) swing(models[m], h, f[k]);
        v3_sub(wide, f[0], f[1]);
        v3_sub(narrow, f[1], f[2]);
        double ratio = v3_norm(wide) / v3_norm(narrow);
        if (!(ratio > 3.4)) print_error("%s: %g\n", models[m] ? models[m] : "body", ratio);
        assert_true(ratio > 3.4);
        assert_true(v3_norm(wide) < 2e-3 * v3_norm(f[2]));
    }
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body body = box(w, (double[]){0, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint r;
    def.kind = CORD_PERPENDICULAR;
    def.first = scene_on(w, body, 0, 0, 0);
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "direction is missing"));
    def.kind = CORD_PARALLEL;
    def.side = CORD_AT_LEAST;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "needs a length"));
    def.kind = CORD_COINCIDE;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    assert_non_null(strstr(cord_world_get_error(w), "needs a length"));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives),     cmocka_unit_test(revolute),
        cmocka_unit_test(sliding_joints),  cmocka_unit_test(universal),
        cmocka_unit_test(limit),           cmocka_unit_test(refused),
        cmocka_unit_test(forces_converge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
