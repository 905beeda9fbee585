/* Constraints with a length, two-sided and one-sided: within a radius of a point or an axis, in
 * a cone, rotated or bent by at most an angle; their motion, their reactions, and drives. Angles
 * of tangents. */
#include "math/rotation.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <string.h>

static const double gravity = 9.81;

static cord_body box(cord_world *w, const double x[3], const double v[3], const double spin[3])
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape = (cord_shape){.kind = CORD_SHAPE_BOX, .size = {0.1, 0.04, 0.3}};
    def.mass = 2;
    v3_copy(def.position, x);
    v3_copy(def.velocity, v);
    v3_copy(def.angular_velocity, spin);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static double residual(cord_world *w, cord_constraint r)
{
    int rows;
    double g[3];
    assert_fine(w, cord_constraint_get_residual(w, r, &rows, g));
    assert_int_equal(rows, 1);
    return g[0];
}

static double allowed(const integration *by)
{
    return by->integrator == CORD_SYMPLECTIC || is_one_solve(by) ? 1e-6 : 1e-8;
}

static const double none[3] = {0, 0, 0};

/* A body in a horizontal pipe comes to rest on its wall, whose reaction is its weight; from
 * within, and, on a pipe, from outside. */
static void in_a_pipe(void **given)
{
    const integration *by = *given;
    for (int outside = 0; outside < 2; outside++) {
        cord_world *w = scene_world(by);
        cord_body body = box(w, (double[]){0, 0, outside ? 0.3 : -0.05}, none, none);
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = CORD_AXIS;
        def.first = scene_on(w, body, 0, 0, 0);
        v3_set(def.direction, 1, 0, 0);
        def.length = 0.2;
        def.side = outside ? CORD_AT_LEAST : CORD_AT_MOST;
        cord_constraint r = scene_relate(w, &def);
        double x[3], force[3];
        scene_advance(w, 1e-3, 100);
        assert_fine(w, cord_constraint_get_force(w, r, force, NULL));
        assert_true(v3_norm(force) == 0); /* it falls freely */
        scene_advance(w, 1e-3, 200);
        assert_fine(w, cord_body_get_pose(w, body, x, NULL));
        assert_close(hypot(x[1], x[2]), 0.2, allowed(by));
        assert_close(x[2], outside ? 0.2 : -0.2, allowed(by));
        assert_fine(w, cord_constraint_get_force(w, r, force, NULL));
        assert_close(force[2], 2 * gravity, 5e-6);
        cord_world_destroy(w);
    }
}

/* On a cylinder, in both directions: round it without weight, at v²/r, and along it. */
static void on_a_cylinder(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world(by);
    cord_world_set_gravity(w, none);
    cord_body body = box(w, (double[]){0.5, 0, 0}, (double[]){0, 1, 0.3}, none);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_AXIS;
    def.first = scene_on(w, body, 0, 0, 0);
    def.length = 0.5;
    cord_constraint r = scene_relate(w, &def);
    double x[3];
    scene_advance(w, 1e-3, 500);
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    assert_close(hypot(x[0], x[1]), 0.5, allowed(by));
    assert_close(atan2(x[1], x[0]), 1, 2e-3);
    assert_close(x[2], 0.15, 1e-9);
    assert_close(residual(w, r), 0, allowed(by));
    cord_world_destroy(w);
}

/* A body that spins about a skew axis, in a cone about the vertical, or rotated by at most an
 * angle. */
static void turned(void **given)
{
    const integration *by = *given;
    static const char *const kinds[] = {CORD_PARALLEL, CORD_ALIGN};
    for (int k = 0; k < 2; k++) {
        cord_world *w = scene_world(by);
        cord_world_set_gravity(w, none);
        cord_body body = box(w, none, none, (double[]){1, 0.2, 0.1});
        cord_constraint_def def = cord_constraint_def_default();
        def.kind = kinds[k];
        def.first = scene_on(w, body, 0, 0, 0);
        def.length = 0.4;
        def.side = CORD_AT_MOST;
        cord_constraint r = scene_relate(w, &def);
        double x[3], frame[9], most = 0, angle, turn[3], torque[3];
        scene_advance(w, 1e-3, 200);
        assert_fine(w, cord_constraint_get_force(w, r, NULL, torque));
        assert_true(v3_norm(torque) == 0);
        for (int i = 0; i < 800; i++) {
            scene_advance(w, 1e-3, 1);
            assert_fine(w, cord_body_get_pose(w, body, x, frame));
            cord__rotation_log(turn, frame);
            angle = k == 0 ? acos(fmin(frame[8], 1)) : v3_norm(turn);
            most = fmax(most, angle);
        }
        assert_close(most, 0.4, 10 * allowed(by));
        cord_world_destroy(w);
    }
}

/* A top on a cone keeps its angle while it rotates about the vertical. */
static void on_a_cone(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world(by);
    cord_body body = box(w, none, none, (double[]){0, 0, 3});
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_on(w, body, 0, 0, 0);
    scene_relate(w, &def);
    def.kind = CORD_PARALLEL;
    v3_set(def.first_direction, 0.6, 0, 0.8);
    def.length = atan2(0.6, 0.8);
    cord_constraint r = scene_relate(w, &def);
    double frame[9], x[3];
    scene_advance(w, 1e-3, 300);
    assert_fine(w, cord_body_get_pose(w, body, x, frame));
    assert_close(0.6 * frame[2] + 0.8 * frame[8], 0.8, allowed(by));
    assert_true(fabs(frame[0]) < 0.9); /* it has rotated */
    assert_close(residual(w, r), 0, 2 * allowed(by));
    cord_world_destroy(w);
}

/* A chain is bent at its start by at most the given curvature, whatever its weight. */
static void bent_no_more(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    const double x[6] = {0, 0, 0, 1, 0, 0};
    def.model = CORD_MODEL_CLOTHOID;
    def.vertex_count = 2;
    def.positions = x;
    def.element_count = 4;
    def.section.radius = 5e-3;
    def.material.young = 1e7;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    assert_fine(w, cord_world_clamp_strand(w, rope, 0, NULL, NULL, NULL, NULL));
    cord_constraint_def limit = cord_constraint_def_default();
    limit.kind = CORD_CURVATURE;
    limit.first = scene_point(w, rope, 0);
    limit.length = 2;
    limit.side = CORD_AT_MOST;
    cord_constraint r = scene_relate(w, &limit);
    double most = -INFINITY;
    for (int i = 0; i < 600; i++) {
        scene_advance(w, 1e-3, 1);
        most = fmax(most, residual(w, r));
    }
    assert_close(most, 0, 1e-7); /* the limit is reached, and not exceeded */
    cord_world_destroy(w);
}

/* A rebound from the wall of a pipe: with the restitution of any one-sided row. */
static void bounces(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_world_set_gravity(w, none);
    cord_body body = box(w, none, (double[]){0, 1, 0}, none);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_AXIS;
    def.first = scene_on(w, body, 0, 0, 0);
    v3_set(def.direction, 1, 0, 0);
    def.length = 0.2;
    def.side = CORD_AT_MOST;
    def.restitution = 0.5;
    scene_relate(w, &def);
    double v[3];
    scene_advance(w, 1e-3, 300);
    assert_fine(w, cord_body_get_velocity(w, body, v, NULL));
    assert_close(v[1], -0.5, 1e-9);
    cord_world_destroy(w);
}

static const char *const models[] = {"der", "segment", "helix", "clothoid", "spline"};

static cord_strand sagging(cord_world *w, const char *model)
{
    const sliding_kind kind = {.model = model, .elements = strcmp(model, "der") == 0 ? 0 : 10};
    return sliding_strand(w, &kind, 1e7);
}

/* ---- coincide ------------------------------------------------------------------------------------- */

typedef struct near_kind {
    cord_side side;
    double compliance, friction, restitution, rate;
} near_kind;

static const near_kind near_kinds[] = {
    {CORD_EQUAL, 0, 0, 0, 0},        {CORD_AT_MOST, 0, 0, 0, 0},   {CORD_AT_LEAST, 0, 0, 0, 0},
    {CORD_AT_MOST, 0, 0.8, 0, 0},    {CORD_EQUAL, 1e-3, 0, 0, 0},  {CORD_AT_MOST, 0, 0, 0.5, 0},
    {CORD_AT_MOST, 1e-4, 0, 0, 0.1}, {CORD_AT_MOST, 0, 0, 0, -0.1}};

/* A body at no more than a given distance from a point, or one that falls onto a ball and is no
 * nearer. */
static cord_world *kept_near(const integration *by, const near_kind *k, const char *kind,
                             cord_body *body, cord_constraint *r)
{
    cord_world *w = scene_world(by);
    *body = box(w, (double[]){0.15, 0, 0}, (double[]){0, 0.4, 0}, none);
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_on(w, *body, 0, 0, 0.1);
    bool ball = k->side == CORD_AT_LEAST;
    def.second = ball ? scene_place(w, 0.05, 0, -0.05) : scene_place(w, 0, 0, 0.1);
    def.kind = kind;
    def.length = k->side == CORD_AT_MOST ? 0.2 : 0.15;
    def.side = k->side;
    def.compliance = k->compliance;
    def.friction = k->friction;
    def.restitution = k->restitution;
    def.drive_rate[0] = k->rate;
    *r = scene_relate(w, &def);
    return w;
}

/* With a length it is one row, equivalent to `distance`: on a sphere, in it and outside it,
 * driven, as a spring, with friction and with restitution. */
static void coincide_is_near(void **given)
{
    const integration *by = *given;
    bool touched = false;
    for (size_t i = 0; i < sizeof near_kinds / sizeof *near_kinds; i++) {
        const near_kind *k = near_kinds + i;
        bool bounces = by->integrator == CORD_SYMPLECTIC && k->restitution > 0;
        if (bounces) continue; /* refused there */
        double x[2][3], force[2][3];
        for (int m = 0; m < 2; m++) {
            cord_body body;
            cord_constraint r;
            cord_world *w = kept_near(by, k, m == 0 ? CORD_COINCIDE : CORD_DISTANCE, &body, &r);
            scene_advance(w, 1e-3, 300);
            residual(w, r);
            assert_fine(w, cord_body_get_pose(w, body, x[m], NULL));
            assert_fine(w, cord_constraint_get_force(w, r, force[m], NULL));
            cord_world_destroy(w);
        }
        assert_all_close(x[0], x[1], 3, 1e-9);
        touched = touched || v3_norm(force[0]) > 1;
        assert_all_close(force[0], force[1], 3, 1e-5);
    }
    assert_true(touched);
}

/* Rows, their first and second derivatives, for a strand's point and for a sliding one. */
static void coincide_derivatives(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand rope = sagging(w, "spline");
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_point(w, rope, 0.37);
    def.second = sliding_point(w, rope, 0.81, 0);
    def.length = 0.2;
    cord_constraint r = scene_relate(w, &def);
    check_row_rates(w, r, 1e-6);
    check_row_curvature(w, r, 1e-6);
    cord_world_destroy(w);
}

/* ---- every kind, driven -------------------------------------------------------------------------- */

typedef struct driven_kind {
    const char *kind;
    cord_side side;
    double length, first_direction[3], rate[3];
} driven_kind;

static const driven_kind driven_kinds[] = {
    {CORD_COINCIDE, CORD_EQUAL, -1, {0}, {0.1, -0.2, 0.3}},
    {CORD_COINCIDE, CORD_EQUAL, 0.3, {0}, {0.1}},
    {CORD_COINCIDE, CORD_AT_LEAST, 0.3, {0}, {0.1}},
    {CORD_ALIGN, CORD_EQUAL, -1, {0}, {0.3, -0.1, 0.2}},
    {CORD_PLANE, CORD_EQUAL, -1, {0}, {0.2}},
    {CORD_PLANE, CORD_AT_LEAST, -1, {0}, {0.2}},
    {CORD_AXIS, CORD_EQUAL, -1, {0}, {0.1, -0.3}},
    {CORD_AXIS, CORD_EQUAL, 0.3, {0}, {0.1}},
    {CORD_DISTANCE, CORD_EQUAL, -1, {0}, {0.1}},
    {CORD_DISTANCE, CORD_AT_LEAST, -1, {0}, {0.1}},
    {CORD_PARALLEL, CORD_EQUAL, -1, {0}, {0.2, -0.1}},
    {CORD_PARALLEL, CORD_EQUAL, 0.5, {0.4794255386042030, 0, 0.8775825618903728}, {0.2}},
    {CORD_PERPENDICULAR, CORD_EQUAL, -1, {1, 0, 0}, {0.2}},
    {CORD_ANGLE, CORD_EQUAL, -1, {0}, {0.4}},
    {CORD_ANGLE, CORD_AT_LEAST, -1, {0}, {0.4}},
};

/* g = rate · t from the initial value, for each, by rate, by keyframes and by calls. */
static void driven(void **given)
{
    const integration *by = *given;
    for (size_t i = 0; i < sizeof driven_kinds / sizeof *driven_kinds; i++)
        for (int how = 0; how < 3; how++) {
            const driven_kind *k = driven_kinds + i;
            cord_world *w = scene_world(by);
            cord_world_set_gravity(w, none);
            cord_body body = box(w, (double[]){0.3, 0, 0}, none, none);
            cord_constraint_def def = cord_constraint_def_default();
            def.kind = k->kind;
            def.first = scene_on(w, body, 0, 0, 0);
            bool place = k->length < 0 && strcmp(k->kind, CORD_DISTANCE) != 0;
            def.second = place ? scene_place(w, 0.3, 0, 0) : (cord_point){0};
            v3_copy(def.first_direction, k->first_direction);
            def.length = k->length;
            def.side = k->side;
            double times[2] = {0, 1}, values[6] = {0};
            cord_constraint r;
            int rows;
            double g[3];
            if (how == 0) v3_copy(def.drive_rate, k->rate);
            r = scene_relate(w, &def);
            assert_fine(w, cord_constraint_get_residual(w, r, &rows, g));
            if (how == 1) {
                for (int row = 0; row < rows; row++) values[rows + row] = k->rate[row];
                def.drive = (cord_keys){2, times, values, CORD_EASE_LINEAR};
                assert_fine(w, cord_world_remove_constraint(w, r));
                r = scene_relate(w, &def);
            }
            if (how == 2) assert_fine(w, cord_constraint_set_drive(w, r, none, k->rate));
            scene_advance(w, 2e-3, 250);
            double value[3];
            assert_fine(w, cord_constraint_get_drive(w, r, value, NULL));
            for (int row = 0; row < rows; row++)
                assert_close(value[row], 0.5 * k->rate[row], 1e-12);
            assert_fine(w, cord_constraint_get_residual(w, r, &rows, g));
            for (int row = 0; row < rows; row++) {
                double off = k->side == CORD_AT_LEAST ? fmin(g[row], 0) : g[row];
                if (fabs(off) > allowed(by))
                    print_error("%s, %s (%d), %d: %g\n", by->name, k->kind, (int)i, how, off);
                assert_close(off, 0, allowed(by));
            }
            cord_world_destroy(w);
        }
}

/* ---- angles of tangents ---------------------------------------------------------------------- */

/* A strand through a keyhole that leaves it at an angle about an axis, which is driven; and in a
 * cone. */
static void tangents(void **unused)
{
    (void)unused;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        cord_world *w = scene_world(NULL);
        cord_strand rope = sagging(w, models[m]);
        cord_point hole = sliding_point(w, rope, 0.4, 0);
        cord_constraint_def def = cord_constraint_def_default();
        def.first = hole;
        def.second = scene_place_of(w, hole);
        scene_relate(w, &def);
        scene_hang(w, rope, 0);
        def.kind = CORD_ANGLE;
        v3_set(def.direction, 0, 1, 0);
        cord_constraint angle = scene_relate(w, &def);
        def.kind = CORD_PARALLEL;
        v3_set(def.direction, 1, 0, 0);
        def.length = 1.2;
        def.side = CORD_AT_MOST;
        cord_constraint cone = scene_relate(w, &def);
        check_row_rates(w, angle, 1e-6);
        check_row_rates(w, cone, 1e-6);
        bool linear = strcmp(models[m], "der") == 0 || strcmp(models[m], "spline") == 0;
        if (linear) check_row_curvature(w, angle, 1e-6);
        if (linear) check_row_curvature(w, cone, 1e-6);
        assert_fine(w, cord_constraint_set_drive(w, angle, none, (double[]){0.5}));
        scene_advance(w, 1e-3, 200);
        assert_close(residual(w, angle), 0, 1e-7);
        double force[3], torque[3];
        pose there;
        assert_fine(w, cord_constraint_get_force(w, angle, force, torque));
        cord__sliding_pose(&w->problem, w->points.item[hole.index - 1], w->problem.now.q,
                           w->problem.cache, &there);
        assert_true(v3_norm(torque) > 1e-6);
        assert_close(v3_dot(torque, there.frame), 0, 1e-12); /* a tangent has no twist */
        cord_world_destroy(w);
    }
}

static void refused(void **unused)
{
    (void)unused;
    static const char *const kinds[] = {CORD_AXIS, CORD_ALIGN, CORD_PARALLEL, CORD_CURVATURE,
                                        CORD_COINCIDE};
    cord_world *w = scene_world(NULL);
    cord_strand rope = sagging(w, "clothoid");
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint r;
    def.first = scene_point(w, rope, 0);
    for (int k = 0; k < 5; k++) {
        def.kind = kinds[k];
        def.length = 0;
        def.side = CORD_AT_MOST;
        assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
        assert_non_null(strstr(cord_world_get_error(w), "needs a length"));
        def.side = CORD_EQUAL; /* a zero length is no length */
        assert_fine(w, cord_world_add_constraint(w, &def, &r));
        assert_fine(w, cord_world_remove_constraint(w, r));
    }
    def.kind = CORD_ANGLE;
    def.second = sliding_point(w, sagging(w, "cable"), 0.4, 0); /* has only a tangent */
    v3_set(def.direction, 1, 0, 0);
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "as the first of angle"));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_DYNAMIC_INTEGRATION(in_a_pipe),
        BY_EVERY_DYNAMIC_INTEGRATION(on_a_cylinder),
        BY_EVERY_DYNAMIC_INTEGRATION(turned),
        BY_EVERY_DYNAMIC_INTEGRATION(on_a_cone),
        BY_EVERY_INTEGRATION(driven),
        cmocka_unit_test(bent_no_more),
        cmocka_unit_test(bounces),
        cmocka_unit_test(tangents),
        cmocka_unit_test(refused),
        BY_EVERY_DYNAMIC_INTEGRATION(coincide_is_near),
        cmocka_unit_test(coincide_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
