/* The accelerations that TR-BDF2 begins a step with, where forces have changed between steps. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>

static const double period = 0.4; /* s, of the motions followed */

/* A box on a hinge in the origin, out of balance, that spins: all of its accelerations are by the hinge. */
typedef struct pendulum {
    cord_world *w;
    cord_body box;
    cord_load push;
} pendulum;

static pendulum make_pendulum(double spin)
{
    const double arm = 0.3;
    pendulum p = {.w = scene_world_under(integrations + TR_BDF2, 9.81)};
    cord_body_def def = scene_box(0.1, 0.1, 0.4);
    def.position[2] = -arm;
    def.angular_velocity[1] = spin;
    v3_set(def.velocity, -spin * arm, 0, 0);
    p.box = scene_body(p.w, &def);
    cord_point hinge = scene_on(p.w, p.box, 0, 0, arm), here = scene_place(p.w, 0, 0, 0);
    scene_constraint(p.w, CORD_COINCIDE, hinge, here);
    cord_load_def push = cord_load_def_default();
    push.point = scene_on(p.w, p.box, 0, 0, 0);
    assert_fine(p.w, cord_world_add_load(p.w, &push, &p.push));
    return p;
}

/* Where the box is after the period in so many steps. */
typedef void before_step(const pendulum *p, int step, int steps);

static void follow(before_step *before, int steps, double x[3])
{
    pendulum p = make_pendulum(5);
    for (int i = 0; i < steps; i++) {
        if (before) before(&p, i, steps);
        scene_advance(p.w, period / steps, 1);
    }
    assert_fine(p.w, cord_body_get_pose(p.w, p.box, x, NULL));
    cord_world_destroy(p.w);
}

/* Errors of second order: with twice as many steps a quarter of them. */
static void is_of_second_order(before_step *before, before_step *exact)
{
    double reference[3], x[3], last = INFINITY;
    follow(exact, 6400, reference);
    for (int steps = 50; steps <= 200; steps *= 2) {
        follow(before, steps, x);
        const double error = v3_distance(x, reference);
        assert_true(error < 0.29 * last);
        last = error;
    }
}

/* ---- found again -------------------------------------------------------------------------------- */

/* Gravity that stays what it is. */
static void set_gravity(const pendulum *p, int step, int steps)
{
    (void)step, (void)steps;
    assert_fine(p->w, cord_world_set_gravity(p->w, (double[]){0, 0, -9.81}));
    assert_true(p->w->start_stale);
}

static void found_in_every_step(void **unused)
{
    (void)unused;
    is_of_second_order(set_gravity, NULL);
}

/* On a circle with the rate ω: −ω² r towards the centre. */
static void towards_the_centre(void **unused)
{
    (void)unused;
    const double spin = 5, gravity[3] = {0};
    pendulum p = make_pendulum(spin);
    assert_fine(p.w, cord_world_set_gravity(p.w, gravity));
    scene_advance(p.w, 5e-3, 1);
    const block *b = p.w->problem.block[0];
    const double *a = p.w->problem.trial.a + b->v0; /* of the state before the step */
    assert_close(a[0], 0, 1e-3 * spin * spin * 0.3);
    assert_close(a[2], spin * spin * 0.3, 1e-3 * spin * spin * 0.3);
    cord_world_destroy(p.w);
}

/* ---- loads that jump ------------------------------------------------------------------------------ */

enum { JUMPS = 10 };

static double jumping(int interval)
{
    return 20 * sin(1 + 7.0 * interval);
}

static void set_load(const pendulum *p, int step, int steps)
{
    if (step % (steps / JUMPS) != 0) return;
    const double force[3] = {jumping(step / (steps / JUMPS)), 0, 0};
    assert_fine(p->w, cord_load_set_force(p->w, p->push, force));
    assert_true(step == 0 || !p->w->start_stale);
}

/* Accelerations are found with the new load. */
static void set_load_and_start(const pendulum *p, int step, int steps)
{
    set_load(p, step, steps);
    if (step % (steps / JUMPS) == 0) set_gravity(p, step, steps);
}

static void loads_jump(void **unused)
{
    (void)unused;
    is_of_second_order(set_load, set_load_and_start);
}

/* Set twice between two steps, and to the same again: only the last value counts. */
static void set_again(void **unused)
{
    (void)unused;
    double x[2][3];
    for (int twice = 0; twice < 2; twice++) {
        pendulum p = make_pendulum(0);
        scene_advance(p.w, 5e-3, 3);
        for (int i = 0; i < 5; i++) {
            const double other[3] = {0, 100, 0}, force[3] = {0, 0, i % 2 * 10.0};
            if (twice) assert_fine(p.w, cord_load_set_force(p.w, p.push, other));
            assert_fine(p.w, cord_load_set_force(p.w, p.push, force));
            scene_advance(p.w, 5e-3, 1);
        }
        assert_fine(p.w, cord_body_get_pose(p.w, p.box, x[twice], NULL));
        cord_world_destroy(p.w);
    }
    assert_all_close(x[0], x[1], 3, 1e-15);
}

/* A checkpoint between the change of a load and the step. */
static void kept_in_checkpoints(void **unused)
{
    (void)unused;
    pendulum p = make_pendulum(2), other = make_pendulum(0);
    scene_advance(p.w, 5e-3, 7);
    assert_fine(p.w, cord_load_set_force(p.w, p.push, (double[]){3, 2, 1}));
    scene_advance(other.w, 5e-3, 1);
    scene_goes_on(p.w, other.w, 5e-3, 5);
    cord_world_destroy(p.w);
    cord_world_destroy(other.w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found_in_every_step), cmocka_unit_test(towards_the_centre),
        cmocka_unit_test(loads_jump),          cmocka_unit_test(set_again),
        cmocka_unit_test(kept_in_checkpoints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
