/* Viscous friction on the motion that constraints leave free: rates of decay against closed
 * forms with every integrator, the energy balance, no friction in common rigid motions, on every
 * model. */
#include "math/rotation.h"
#include "support/constraint_rows.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double mass = 2, inertia = 0.008, rate = 4; /* kg, kg m², 1/s */

/* A ball at x in a world without weight. */
static cord_body ball(cord_world *w, const double x[3], const double v[3], const double spin[3])
{
    cord_body_def def = cord_body_def_default();
    cord_body body;
    def.shape.kind = CORD_SHAPE_SPHERE;
    def.shape.radius = 0.1;
    def.mass = mass;
    v3_copy(def.position, x);
    v3_copy(def.velocity, v);
    v3_copy(def.angular_velocity, spin);
    assert_fine(w, cord_world_add_body(w, &def, &body));
    return body;
}

static double kinetic(cord_world *w)
{
    cord_energy e;
    assert_fine(w, cord_world_get_energy(w, &e));
    return e.kinetic;
}

static double lost_by(cord_world *w, cord_constraint r)
{
    double power;
    assert_fine(w, cord_constraint_get_friction(w, r, NULL, NULL, &power));
    return power;
}

/* ---- decay --------------------------------------------------------------------------------------- */

/* A ball at the origin constrained to a fixed point, in a motion that the constraint leaves
 * free. */
typedef struct free_motion {
    const char *kind;
    bool turns;
    double second[3], direction[3], first_direction[3], length, v[3], spin[3];
} free_motion;

static const free_motion motions[] = {
    {.kind = CORD_COINCIDE,
     .turns = true,
     .direction = {0, 0, 1},
     .length = -1,
     .spin = {1, 2, -1}},
    {.kind = CORD_PLANE, .direction = {0, 0, 1}, .length = -1, .v = {1, 0.5, 0}},
    {.kind = CORD_AXIS, .direction = {0, 0.6, 0.8}, .length = -1, .v = {0, 0.6, 0.8}},
    {.kind = CORD_DISTANCE,
     .second = {-1, 0, 0},
     .direction = {0, 0, 1},
     .length = 1,
     .v = {0, 1, 0}},
    {.kind = CORD_ALIGN, .direction = {0, 0, 1}, .length = -1, .v = {1, -2, 0.5}},
    {.kind = CORD_PARALLEL, .turns = true, .direction = {0, 0, 1}, .length = -1, .spin = {0, 0, 3}},
    {.kind = CORD_PERPENDICULAR,
     .turns = true,
     .direction = {0, 0, 1},
     .first_direction = {1, 0, 0},
     .length = -1,
     .spin = {0, 0, 3}},
    {.kind = CORD_ANGLE, .turns = true, .direction = {0, 0, 1}, .length = -1, .spin = {2, 0, 0}},
    /* on a cylinder, and on a cone */
    {.kind = CORD_AXIS, .second = {-1, 0, 0}, .direction = {0, 0, 1}, .length = 1, .v = {0, 1, 0}},
    {.kind = CORD_PARALLEL,
     .turns = true,
     .direction = {0, 0, 1},
     .first_direction = {0.6, 0, 0.8},
     .length = 0.6435011087932844,
     .spin = {0, 0, 2}},
};

static cord_constraint_def definition(const free_motion *m, double time)
{
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = m->kind;
    v3_copy(def.direction, m->direction);
    v3_copy(def.first_direction, m->first_direction);
    def.length = m->length;
    def.friction = (m->turns ? inertia : mass) * time;
    return def;
}

/* The error of the fraction of the speed that remains after half a second; and the difference
 * between the energy loss and the work of friction. */
static double decay_error(const integration *by, const free_motion *m, double h, double *unbalanced)
{
    cord_world *w = scene_world_under(by, 0);
    cord_body body = ball(w, (double[]){0, 0, 0}, m->v, m->spin);
    cord_constraint_def def = definition(m, rate);
    def.first = scene_on(w, body, 0, 0, 0);
    def.second = scene_place(w, m->second[0], m->second[1], m->second[2]);
    cord_constraint r = scene_relate(w, &def);
    double start = kinetic(w), taken = 0, before = lost_by(w, r);
    assert_close(before, 2 * rate * start, 1e-12 * start);
    for (double t = 0; t < 0.5 - 1e-9; t += h) {
        assert_fine(w, cord_world_step(w, h));
        double now = lost_by(w, r);
        taken += 0.5 * h * (before + now);
        before = now;
    }
    double left = kinetic(w), angular[3], linear[3];
    assert_fine(w, cord_body_get_velocity(w, body, linear, angular));
    *unbalanced = (start - left - taken) / start;
    cord_world_destroy(w);
    double speed = m->turns ? v3_norm(angular) / v3_norm(m->spin) : v3_norm(linear) / v3_norm(m->v);
    return speed - exp(-0.5 * rate);
}

static bool is_second_order(const integration *by)
{
    return by->integrator == CORD_MIDPOINT ||
           (by->integrator == CORD_IMPLICIT && by->scheme == CORD_TR_BDF2);
}

static void decays(void **given)
{
    const integration *by = *given;
    bool second = is_second_order(by);
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        double unbalanced[2], wide = decay_error(by, motions + i, 0.01, unbalanced);
        double narrow = decay_error(by, motions + i, 0.005, unbalanced + 1);
        bool good = fabs(wide) < (second ? 2e-4 : 0.02) &&
                    fabs(narrow) < (second ? 0.3 : 0.55) * fabs(wide) + 1e-9 &&
                    fabs(unbalanced[0]) < (second ? 1e-3 : 0.1) &&
                    fabs(unbalanced[1]) < (second ? 0.3 : 0.6) * fabs(unbalanced[0]) + 1e-9;
        if (!good)
            print_error("%s, %s (%d): off by %g and %g, unbalanced %g and %g\n", by->name,
                        motions[i].kind, (int)i, wide, narrow, unbalanced[0], unbalanced[1]);
        assert_true(good);
    }
}

/* Two balls spin against each other in a ball joint between their centres: angular momentum is
 * conserved, and the difference of the spins decays at the rate of both inertias. */
static void two_bodies(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world_under(by, 0);
    const double none[3] = {0, 0, 0}, spin[3] = {0, 0, 5};
    cord_body a = ball(w, none, none, spin), b = ball(w, none, none, none);
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_on(w, a, 0, 0, 0), def.second = scene_on(w, b, 0, 0, 0);
    def.friction = inertia * rate;
    scene_relate(w, &def);
    scene_advance(w, 1e-3, 250);
    double first[3], second[3];
    assert_fine(w, cord_body_get_velocity(w, a, NULL, first));
    assert_fine(w, cord_body_get_velocity(w, b, NULL, second));
    /* First-order schemes dissipate some of a spin by themselves. */
    assert_close(first[2] + second[2], 5, is_second_order(by) ? 5e-5 : 0.02);
    assert_close(first[2] - second[2], 5 * exp(-0.25 * 2 * rate), 0.01);
    cord_world_destroy(w);
}

/* A pendulum on a ball joint, with damping rate c/(2 I), I about the joint. */
static void pendulum(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world(by);
    const double none[3] = {0, 0, 0}, arm = 0.5, small = 0.01;
    const double about = inertia + mass * arm * arm, c = 0.4, gamma = 0.5 * c / about;
    cord_body body = ball(w, (double[]){0, 0, -arm}, none, none);
    double push[3] = {small * arm, 0, 0}, turn[3] = {0, -small, 0};
    assert_fine(w, cord_body_set_velocity(w, body, push, turn));
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_on(w, body, 0, 0, arm);
    def.friction = c;
    scene_relate(w, &def);
    double omega = sqrt(mass * 9.81 * arm / about - gamma * gamma), h = 1e-3, x[3];
    int steps = (int)lround(2.25 * 2 * 3.14159265358979323846 / omega / h);
    scene_advance(w, h, steps);
    double t = steps * h, expected = small / omega * exp(-gamma * t) * sin(omega * t);
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    assert_close(x[0] / arm, expected, (is_second_order(by) ? 1e-3 : 0.03) * small / omega);
    cord_world_destroy(w);
}

/* ---- absence of friction ----------------------------------------------------------------------- */

/* Two bodies in a common rotation lose no energy, wherever the axis is. */
static void one_motion(void **unused)
{
    (void)unused;
    const double whole[3] = {0.4, -0.7, 1.1}, apart[3] = {0.3, 0.9, -0.2}, none[3] = {0, 0, 0};
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        cord_world *w = scene_world_under(NULL, 0);
        double v[3];
        v3_cross(v, whole, apart);
        cord_body a = ball(w, none, none, whole), b = ball(w, apart, v, whole);
        cord_constraint_def def = definition(motions + i, rate);
        def.first = scene_on(w, a, 0.02, -0.05, 0.03),
        def.second = scene_on(w, b, 0.04, 0.01, -0.06);
        cord_constraint r = scene_relate(w, &def);
        assert_close(lost_by(w, r), 0, 1e-20);
        double turn[3] = {1, 2, 3};
        assert_fine(w, cord_body_set_velocity(w, a, turn, turn));
        assert_true(lost_by(w, r) > 1e-3);
        cord_world_destroy(w);
    }
}

/* A one-sided constraint has friction only while in contact. */
static void one_sided(void **given)
{
    const integration *by = *given;
    cord_world *w = scene_world(by);
    cord_body body = ball(w, (double[]){0, 0, 0.05}, (double[]){1, 0, 0}, (double[]){0, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_PLANE;
    def.first = scene_on(w, body, 0, 0, 0);
    def.side = CORD_AT_LEAST;
    def.friction = mass * rate;
    cord_constraint r = scene_relate(w, &def);
    double v[3];
    scene_advance(w, 1e-3, 90);
    assert_fine(w, cord_body_get_velocity(w, body, v, NULL));
    assert_close(v[0], 1, 1e-12); /* it falls, for a tenth of a second */
    assert_true(lost_by(w, r) == 0);
    scene_advance(w, 1e-3, 410);
    assert_fine(w, cord_body_get_velocity(w, body, v, NULL));
    assert_close(v[0], exp(-rate * (0.5 - sqrt(2 * 0.05 / 9.81))), 0.005);
    assert_fine(w, cord_constraint_set_attached(w, r, false));
    assert_true(lost_by(w, r) == 0);
    cord_world_destroy(w);
}

/* ---- on strands ---------------------------------------------------------------------------------- */

static const char *const models[] = {"der", "segment", "helix", "clothoid", "spline"};

static cord_strand bent(cord_world *w, const char *model, double y)
{
    enum { VERTICES = 13 };
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    double x[3 * VERTICES];
    for (int i = 0; i < VERTICES; i++) {
        double t = (double)i / (VERTICES - 1);
        v3_set(x + 3 * i, t, y + 0.1 * sin(3 * t), -0.2 * sin(3 * t));
    }
    def.model = model;
    def.vertex_count = VERTICES;
    def.positions = x;
    def.element_count = strcmp(model, "der") == 0 ? 0 : 6;
    def.section.radius = 5e-3;
    def.material.young = 1e7;
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    return rope;
}

/* The free motion is relative to the second point, whatever carries either point. */
static void rates(void **unused)
{
    (void)unused;
    for (size_t m = 0; m < sizeof models / sizeof *models; m++)
        for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
            cord_world *w = scene_world_under(NULL, 0);
            cord_strand a = bent(w, models[m], 0), b = bent(w, models[(m + 1) % 5], 0.3);
            cord_constraint_def def = definition(motions + i, rate);
            def.first = scene_point(w, a, 0.4), def.second = scene_point(w, b, 0.7);
            cord_constraint r = scene_relate(w, &def);
            check_friction_rates(w, r, 1e-7);
            cord_world_destroy(w);
        }
}

/* A strand swings on a ball joint with friction, and its other end slides on a floor with
 * friction: its energy loss is the work of both. Its internal damping is zero. */
static void strand_balance(void **unused)
{
    (void)unused;
    const integration by = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        cord_world *w = scene_world(&by);
        cord_strand rope = bent(w, models[m], 0);
        cord_constraint_def def = cord_constraint_def_default();
        cord_constraint r[2];
        cord_energy e;
        double x[3], before, taken = 0, h = 5e-4;
        def.first = scene_point(w, rope, 0);
        def.friction = 0.01;
        assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
        def.second = scene_place(w, x[0], x[1], x[2]);
        r[0] = scene_relate(w, &def);
        def.kind = CORD_AXIS;
        def.first = scene_point(w, rope, 1);
        assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
        def.second = scene_place(w, x[0], x[1], x[2]);
        def.friction = 0.5;
        r[1] = scene_relate(w, &def);
        assert_fine(w, cord_world_get_energy(w, &e));
        double start = e.total;
        before = 0;
        for (int i = 0; i < 400; i++) {
            assert_fine(w, cord_world_step(w, h));
            double now = lost_by(w, r[0]) + lost_by(w, r[1]);
            taken += 0.5 * h * (before + now);
            before = now;
        }
        assert_fine(w, cord_world_get_energy(w, &e));
        if (fabs(start - e.total - taken) > 0.02 * taken)
            print_error("%s: lost %g, taken %g\n", models[m], start - e.total, taken);
        assert_true(taken > 1e-3);
        assert_close(start - e.total, taken, 0.02 * taken); /* TR-BDF2 loses a little itself */
        cord_world_destroy(w);
    }
}

/* A straight rod on a ball joint of a spinning body rotates with it, since it has no inertia
 * about its axis. */
static void spun(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(NULL, 0);
    const double none[3] = {0, 0, 0}, spin[3] = {2, 0, 0};
    cord_body body = ball(w, none, none, spin);
    cord_strand rope = scene_rope(w, NULL, "rope", 6, none, (double[]){1, 0, 0});
    cord_constraint_def def = cord_constraint_def_default();
    def.first = scene_point(w, rope, 0), def.second = scene_on(w, body, 0, 0, 0);
    def.friction = 1e-3;
    cord_constraint r = scene_relate(w, &def);
    scene_advance(w, 1e-3, 200);
    double angular[3], torque[3];
    assert_fine(w, cord_body_get_velocity(w, body, NULL, angular));
    assert_fine(w, cord_constraint_get_friction(w, r, NULL, torque, NULL));
    assert_close(angular[0], 2, 1e-5);
    assert_close(torque[0], 0, 1e-8);
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    cord_world_destroy(w);
}

static void refused(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_strand rope = bent(w, "der", 0);
    cord_point_def slides = cord_point_def_default();
    cord_constraint_def def = cord_constraint_def_default();
    cord_constraint r;
    cord_counters counters;
    slides.source = CORD_SOURCE_SLIDING;
    slides.strand = rope;
    slides.s = 0.3;
    def.first = scene_point(w, rope, 0.5);
    def.friction = -1;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_ARGUMENT);
    def.friction = 1;
    assert_fine(w, cord_world_add_point(w, &slides, &def.first));
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "give it to the point"));
    def.kind = CORD_SLIDE;
    assert_int_equal(cord_world_add_constraint(w, &def, &r), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(w), "at its point"));
    /* A strand's frame has no inertia on which explicit friction could act. */
    const integration symplectic = {"symplectic", CORD_SYMPLECTIC, CORD_TR_BDF2};
    cord_world *other = scene_world(&symplectic);
    cord_constraint_def joint = cord_constraint_def_default();
    joint.first = scene_point(other, bent(other, "der", 0), 0);
    joint.friction = 1;
    scene_relate(other, &joint);
    assert_int_equal(cord_world_step(other, 1e-3), CORD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cord_world_get_error(other), "damping of the strand"));
    cord_world_destroy(other);
    /* It is removed with its constraint, and is not counted. */
    double x[3];
    def.kind = CORD_PLANE;
    assert_fine(w, cord_point_get_pose(w, def.first, x, NULL));
    def.second = scene_place(w, x[0], x[1], x[2]);
    assert_fine(w, cord_world_add_constraint(w, &def, &r));
    assert_fine(w, cord_world_get_counters(w, &counters));
    assert_int_equal(counters.constraints, 1);
    assert_fine(w, cord_world_step(w, 1e-3));
    assert_fine(w, cord_world_remove_constraint(w, r));
    assert_fine(w, cord_world_get_counters(w, &counters));
    assert_int_equal(counters.constraints, 0);
    assert_fine(w, cord_world_step(w, 1e-3));
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_EVERY_DYNAMIC_INTEGRATION(decays),
        BY_EVERY_DYNAMIC_INTEGRATION(two_bodies),
        BY_EVERY_DYNAMIC_INTEGRATION(pendulum),
        BY_EVERY_DYNAMIC_INTEGRATION(one_sided),
        cmocka_unit_test(one_motion),
        cmocka_unit_test(rates),
        cmocka_unit_test(strand_balance),
        cmocka_unit_test(spun),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
