/* Sliding points with end stops and contact with each other, that slip off, are driven and
 * loaded, and come to rest. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"

#include <math.h>

static const double gravity = 9.81;
static const double none[3] = {0, 0, 0};
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

/* Pearls on a vertical wire come to rest on each other, the lowest at the end. */
static void pearls_pile_up(void **given)
{
    (void)given;
    const integration *by[2] = {&tr_bdf2, &midpoint};
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_under(by[i], gravity);
        cord_strand wire = sliding_taut(w, 0, -1);
        cord_point p[3];
        cord_constraint between[2];
        cord_body_info info;
        for (int k = 0; k < 3; k++) {
            p[k] = sliding_point(w, wire, 0.8 - 0.2 * k, 0.01);
            cord_body ball = sliding_pearl(w, p[k], 0.02, NULL);
            assert_fine(w, cord_body_get_info(w, ball, &info));
        }
        for (int k = 0; k < 2; k++) {
            cord_constraint_def def = cord_constraint_def_default();
            def.kind = CORD_SLIDE;
            def.first = p[k], def.second = p[k + 1]; /* the lower has the greater coordinate */
            def.length = 0.04;
            def.side = CORD_AT_LEAST;
            between[k] = scene_relate(w, &def);
        }
        cord_counters counters;
        assert_fine(w, cord_world_get_counters(w, &counters));
        assert_int_equal(counters.constraints, 7); /* end stops are internal constraints */
        scene_advance(w, 2e-3, 400);
        double weight = info.mass * gravity, rate;
        for (int k = 0; k < 3; k++) {
            assert_close(scene_coordinate(w, p[k], &rate), 1 - 0.04 * k, 1e-9);
            assert_close(rate, 0, 1e-6);
        }
        for (int k = 0; k < 2; k++) {
            double F[3];
            assert_fine(w, cord_constraint_get_force(w, between[k], F, NULL));
            assert_close(F[0], (2 - k) * weight, 1e-6 * weight);
        }
        cord_world_destroy(w);
    }
}

/* A pearl thrown to either end stops there, and moves back when thrown the other way. */
static void points_stop_at_both_ends(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand wire = sliding_taut(w, 1, 0);
    cord_point p = sliding_point(w, wire, 0.5, 0);
    cord_body ball = sliding_pearl(w, p, 0.02, NULL);
    for (int i = 0; i < 4; i++) {
        double v[3] = {i % 2 ? -2.0 : 2.0, 0, 0};
        assert_fine(w, cord_body_set_velocity(w, ball, v, none));
        for (int k = 0; k < 700; k++) {
            scene_advance(w, 1e-3, 1);
            double s = scene_coordinate(w, p, NULL);
            assert_true(s > -1e-12 && s < 1 + 1e-12);
        }
        assert_close(scene_coordinate(w, p, NULL), i % 2 ? 0 : 1, 1e-4);
    }
    cord_world_destroy(w);
}

/* With release it continues in free flight, and the strand moves as without it. */
static void points_slip_off(void **given)
{
    (void)given;
    for (int way = -1; way <= 1; way += 2) {
        cord_world *w = scene_world_under(&tr_bdf2, 0);
        cord_strand wire = sliding_taut(w, 1, 0);
        cord_point_def def = sliding_def(wire, 0.5);
        def.end = CORD_END_RELEASE;
        cord_point p = scene_add_point(w, &def);
        cord_constraint hold;
        cord_body ball = sliding_pearl(w, p, 0.02, &hold);
        const double v[3] = {2.0 * way, 0, 0};
        assert_fine(w, cord_body_set_velocity(w, ball, v, none));
        bool released;
        double x[3], F[3], speed[3];
        scene_advance(w, 1e-3, 200);
        assert_fine(w, cord_point_get_released(w, p, &released));
        assert_false(released);
        scene_advance(w, 1e-3, 300);
        assert_fine(w, cord_point_get_released(w, p, &released));
        assert_true(released);
        cord_counters counters;
        assert_fine(w, cord_world_get_counters(w, &counters));
        assert_int_equal(counters.released_points, 1);
        assert_fine(w, cord_body_get_pose(w, ball, x, NULL));
        assert_close(x[0], 0.5 + way * 2.0 * 0.5, 1e-6);
        assert_fine(w, cord_body_get_velocity(w, ball, speed, NULL));
        assert_all_close(speed, v, 3, 1e-6);
        assert_fine(w, cord_constraint_get_force(w, hold, F, NULL));
        assert_close(v3_norm(F), 0, 0);
        assert_close(scene_coordinate(w, p, NULL), way > 0 ? 1 : 0, 0);
        assert_fine(w, cord_world_remove_point(w, p));
        scene_advance(w, 1e-3, 10);
        cord_world_destroy(w);
    }
}

/* A strand drawn through a keyhole: it moves as prescribed, and the drive's work is the energy
 * it gains. */
static void strands_are_drawn_through(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, k->closed ? 0 : gravity);
    cord_strand rope = sliding_strand(w, k, 1e6);
    double times[2] = {0, 1}, values[2] = {0, 0.5}, h = 1e-3;
    cord_constraint hold;
    cord_point p = sliding_keyhole(w, rope, 0.3, 0, &hold);
    cord_constraint_def def = cord_constraint_def_default();
    def.kind = CORD_SLIDE;
    def.first = p;
    def.drive = (cord_keys){2, times, values, CORD_EASE_LINEAR};
    cord_constraint drive = scene_relate(w, &def);
    scene_advance(w, h, 1);
    double e0 = scene_energy(w).total, work = 0, kinetic = 0;
    for (int i = 1; i < 150; i++) {
        double F[3];
        scene_advance(w, h, 1);
        assert_close(scene_coordinate(w, p, NULL), 0.3 + 0.5 * (i + 1) * h, 1e-12);
        assert_fine(w, cord_constraint_get_force(w, drive, F, NULL));
        work += F[0] * 0.5 * h;
        kinetic = fmax(kinetic, scene_energy(w).kinetic);
    }
    assert_true(fabs(work) > 1e-3 * kinetic);
    if (k->tangent) assert_close(scene_energy(w).total - e0, work, 1e-7 * kinetic);
    assert_true(scene_gap(w, hold) < 1e-12);
    cord_world_destroy(w);
}

/* A force on a point with friction: rate = force along / friction. Without friction it is a
 * force on the strand at the point's position. */
static void loads_push_points_along(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand wire = sliding_taut(w, 1, 0);
    cord_load_def pull = cord_load_def_default();
    cord_load made;
    cord_point rough = sliding_point(w, wire, 0.2, 4), smooth = sliding_point(w, wire, 0.7, 0);
    pull.force[0] = 2;
    pull.point = rough;
    assert_fine(w, cord_world_add_load(w, &pull, &made));
    pull.point = smooth;
    assert_fine(w, cord_world_add_load(w, &pull, &made));
    scene_advance(w, 1e-3, 400);
    double rate;
    assert_close(scene_coordinate(w, rough, &rate), 0.2 + 0.5 * 0.4, 5e-4);
    assert_close(rate, 0.5, 1e-9);
    assert_close(scene_coordinate(w, smooth, &rate), 0.7, 0);
    scene_advance(w, 1e-3, 2000);
    assert_close(scene_coordinate(w, rough, NULL), 1, 1e-9); /* and stops at the end */
    cord_world_destroy(w);
}

/* A rope hung from a rope by a ring comes to rest at the lowest point, also by statics. The rope is a smooth curve: a polygon
 * has an equilibrium at every other vertex. */
static void statics_finds_the_lowest_place(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, gravity);
    cord_strand rope = sliding_strand(w, &sliding_kinds[4], 1e5);
    double L = scene_length(w, rope), x[3];
    scene_hang(w, rope, 0);
    scene_hang(w, rope, L);
    cord_point p = sliding_point(w, rope, 0.4 * L, 0);
    assert_fine(w, cord_point_get_pose(w, p, x, NULL));
    cord_strand hanger =
        scene_rope(w, NULL, "hanger", 4, x, (const double[3]){x[0], x[1], x[2] - 0.3});
    scene_constraint(w, CORD_COINCIDE, p, scene_point(w, hanger, 0));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    double s = scene_coordinate(w, p, NULL);
    assert_close(s, 0.5 * L, 0.05 * L);
    scene_advance(w, 1e-3, 20);
    assert_close(scene_coordinate(w, p, NULL), s, 1e-9); /* it stays */
    cord_world_destroy(w);
}

/* A ball on a beam without weight, kept at its position along it by a spring: ω = 1/√(c m),
 * apart from neutral motions. */
static void frequencies_of_what_slides(void **given)
{
    (void)given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand beam = sliding_taut(w, 1, 0);
    cord_point p = sliding_point(w, beam, 0.4, 0.3);
    cord_body_info ball;
    assert_fine(w, cord_body_get_info(w, sliding_pearl(w, p, 0.02, NULL), &ball));
    cord_constraint_def spring = cord_constraint_def_default();
    spring.kind = CORD_SLIDE;
    spring.first = p;
    spring.compliance = 80;
    scene_relate(w, &spring);
    double omega[8], expected = 1 / sqrt(spring.compliance * ball.mass), off = INFINITY;
    assert_fine(w, cord_world_find_frequencies(w, 8, omega));
    for (int i = 0; i < 8; i++) off = fmin(off, fabs(omega[i] / expected - 1));
    assert_true(off < 1e-9);
    cord_world_destroy(w);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pearls_pile_up),
        cmocka_unit_test(points_stop_at_both_ends),
        cmocka_unit_test(points_slip_off),
        ON_EVERY(strands_are_drawn_through),
        cmocka_unit_test(loads_push_points_along),
        cmocka_unit_test(statics_finds_the_lowest_place),
        cmocka_unit_test(frequencies_of_what_slides),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
