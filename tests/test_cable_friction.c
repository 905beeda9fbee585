/* Capstan friction: creep of elastic belts below the bound, the loss of ropes that slip, and changes between sticking and
 * slipping with bodies of very different masses. */
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846, g = 9.81;

static cord_waypoint capstan(cord_point at, double radius, int side, double friction)
{
    cord_waypoint made = rig_pulley(at, radius, side);
    made.friction_law = CORD_WRAP_CAPSTAN, made.friction = friction;
    return made;
}

/* A belt of EA = 10 kN under 100 N between two wheels of 0.1 m transmits 3 N m. Below e^{μπ} the tensions differ by M/r,
 * and the wheels rotate at the ratio of the stretches with which the belt arrives: 1 − ω₂/ω₁ = (T₁ − T₂)/(EA + T₁). */
static void belt_creeps(void **by)
{
    const double r = 0.1, torque = 3, stiff = 1e4;
    cord_world *w = scene_world_under(*by, 0);
    cord_point rotation[2];
    cord_waypoint waypoints[2];
    for (int k = 0; k < 2; k++) {
        rotation[k] = rig_flywheel(w, 0.01, k == 0 ? 0 : 1);
        waypoints[k] = capstan(rig_world_point(w, 1.2 * k, 0), r, -1, 0.4);
        waypoints[k].rotation = rotation[k];
    }
    cord_cable_def def = cord_cable_def_default();
    def.closed = true;
    def.density = 0.01, def.stretching = stiff, def.damping = 1e-3, def.tension = 100;
    def.waypoints = waypoints, def.waypoint_count = 2;
    cord_strand belt = rig_cable(w, &def);
    scene_push(w, rotation[0], torque);
    scene_advance(w, 0.02, 1000);
    double before, after, rate[2];
    assert_fine(w, cord_cable_get_wrap(w, belt, 0, NULL, NULL, &before, &after));
    for (int k = 0; k < 2; k++) scene_coordinate(w, rotation[k], rate + k);
    double tight = fmax(before, after), creep = 1 - rate[1] / rate[0];
    assert_close(fabs(before - after), torque / r, 1e-6 * torque / r);
    assert_close(creep, torque / r / (stiff + tight), 1e-8);
    assert_close(creep, 2.97e-3, 5e-6);
    cord_world_destroy(w);
}

static cord_body moving_ball(cord_world *w, double mass, double x, double speed)
{
    cord_body made = rig_ball(w, mass, x, -4);
    const double velocity[3] = {0, 0, speed}, none[3] = {0, 0, 0};
    assert_fine(w, cord_body_set_velocity(w, made, velocity, none));
    return made;
}

/* 1 kg and M over a fixed post with e^{μφ} = K; M moves upwards at 1 m/s. It is decelerated by a = g (M − 1/K)/(M + 1/K)
 * and then held if M < K; otherwise it falls with g (M − K)/(M + K). */
static void stops(void **by)
{
    static const struct {
        double heavy, growth, stretching;
    } cases[] = {{1e4, 1.2e4, 0}, {1e4, 5e3, 0}, {1, 2, 0}, {1e4, 3e4, 1e9}};
    for (int i = 0; i < 4; i++) {
        const double a = 0.1, speed = 1, h = 2e-3, M = cases[i].heavy, K = cases[i].growth;
        cord_world *w = scene_world_under(*by, g);
        cord_body light = moving_ball(w, 1, -a, -speed), heavy = moving_ball(w, M, a, speed);
        cord_waypoint waypoints[] = {rig_anchor(rig_on(w, light, 0, 0)),
                                     capstan(rig_world_point(w, 0, 0), a, -1, log(K) / (5 * pi)),
                                     rig_anchor(rig_on(w, heavy, 0, 0))};
        waypoints[1].turns = 2;
        cord_cable_def def = cord_cable_def_default();
        def.density = 1e-6;
        def.stretching = cases[i].stretching;
        def.damping = def.stretching > 0 ? 1e-3 : 0;
        def.waypoints = waypoints, def.waypoint_count = 3;
        cord_strand rope = rig_cable(w, &def);
        double slows = g * (M - 1 / K) / (M + 1 / K), falls = M > K ? g * (M - K) / (M + K) : 0;
        double stop = speed / slows, v[3], s = rig_node(w, rope, 1).s;
        int changes = 0;
        bool slipped = true;
        for (int k = 1; k <= 250; k++) {
            scene_advance(w, h, 1);
            double now = rig_node(w, rope, 1).s;
            bool slips = fabs(now - s) > 1e-7;
            changes += slips != slipped;
            slipped = slips, s = now;
        }
        assert_fine(w, cord_body_get_velocity(w, heavy, v, NULL));
        assert_close(v[2], -falls * (250 * h - stop), 2e-3 + 0.01 * falls);
        assert_close(rig_height(w, heavy),
                     -4 + 0.5 * speed * stop - 0.5 * falls * pow(250 * h - stop, 2), 2e-3);
        assert_true(changes <= (falls > 0 ? 2 : 1));
        cord_world_destroy(w);
    }
}

/* A wheel of a hundred-thousandth of the weights' inertia, driven by a torque that exceeds the bound for a part of every
 * second: it begins to slip twice in every period and sticks twice. */
static void light_wheel(void **by)
{
    for (int elastic = 0; elastic < 2; elastic++) {
        const double r = 0.2, h = 5e-3;
        cord_world *w = scene_world_under(*by, g);
        cord_body weight[2] = {rig_ball(w, 10, -r, -4), rig_ball(w, 10, r, -4)};
        cord_point rotation = rig_flywheel(w, 4e-6, 0.01);
        cord_waypoint waypoints[] = {rig_anchor(rig_on(w, weight[0], 0, 0)),
                                     capstan(rig_world_point(w, 0, 0), r, -1, 0.1),
                                     rig_anchor(rig_on(w, weight[1], 0, 0))};
        waypoints[1].rotation = rotation;
        cord_cable_def def = cord_cable_def_default();
        def.density = 1e-3;
        def.stretching = elastic ? 1e6 : 0;
        def.damping = elastic ? 1e-3 : 0;
        def.tension = elastic ? 10 * g : 0;
        def.waypoints = waypoints, def.waypoint_count = 3;
        rig_cable(w, &def);
        cord_load motor = scene_push(w, rotation, 0);
        int changes = 0;
        bool slipped = false;
        for (int k = 0; k < 400; k++) {
            double v[3], rate;
            assert_fine(w, cord_load_set_coordinate_force(w, motor, 10 * sin(2 * pi * k * h)));
            scene_advance(w, h, 1);
            assert_fine(w, cord_body_get_velocity(w, weight[1], v, NULL));
            scene_coordinate(w, rotation, &rate);
            bool slips = fabs(fabs(v[2]) - r * fabs(rate)) > 0.05;
            changes += slips != slipped;
            slipped = slips;
        }
        assert_int_equal(changes, 8);
        cord_world_destroy(w);
    }
}

/* A rope of the weight of its loads slips: half a second later the total energy is less by the work of friction, and the
 * speed is that of M v' = g Δm − F, with F at the tangent points. By all integrators the same. */
static void heavy_rope_slips(void **by)
{
    const double a = 0.05, depth = 4, density = 0.3, mu = 0.2, loads[2] = {1, 4}, h = 1e-3;
    cord_world *w = scene_world_under(*by, g);
    cord_body light = rig_ball(w, loads[0], -a, -depth), heavy = rig_ball(w, loads[1], a, -depth);
    cord_waypoint waypoints[] = {rig_anchor(rig_on(w, light, 0, 0)),
                                 capstan(rig_world_point(w, 0, 0), a, -1, mu),
                                 rig_anchor(rig_on(w, heavy, 0, 0))};
    cord_cable_def def = cord_cable_def_default();
    def.density = density;
    def.waypoints = waypoints, def.waypoint_count = 3;
    rig_cable(w, &def);
    /* T₁ = (m₁ + ρl₁)(g + a), T₂ = (m₂ + ρl₂)(g − a), T₂ − ρv² = K (T₁ − ρv²); the arc is short. */
    double x = 0, v = 0, K = exp(mu * pi), step = 1e-4;
    for (int k = 0; k < 5000; k++) {
        double m1 = loads[0] + density * (depth - x), m2 = loads[1] + density * (depth + x);
        double rate = (m2 * g - K * m1 * g + (K - 1) * density * v * v) / (m2 + K * m1);
        v += step * rate, x += step * v;
    }
    scene_advance(w, h, 500);
    double u[3];
    assert_fine(w, cord_body_get_velocity(w, heavy, u, NULL));
    assert_close(-u[2], v, 0.02 * v);
    cord_world_destroy(w);
}

/* A soft elastic rope under tension slips on a light wheel and on a post: at the ends of a wrap friction stretches or
 * compresses it, with forces of opposite signs. */
static void ends_of_wraps_slip(void **by)
{
    cord_world *w = scene_world_under(*by, g);
    cord_body weight[2] = {rig_ball(w, 0.75, 0, -0.69), rig_ball(w, 0.78, 1.2, -0.99)};
    const double velocity[3] = {0, 0, -0.06}, none[3] = {0, 0, 0};
    assert_fine(w, cord_body_set_velocity(w, weight[1], velocity, none));
    cord_waypoint waypoints[] = {rig_anchor(rig_on(w, weight[0], 0, 0)),
                                 capstan(rig_world_point(w, 0.4, 0.13), 0.09, -1, 0.3),
                                 capstan(rig_world_point(w, 0.8, -0.03), 0.08, -1, 0.23),
                                 rig_anchor(rig_on(w, weight[1], 0, 0))};
    waypoints[1].rotation = rig_flywheel(w, 2.2e-5, 0);
    cord_cable_def def = cord_cable_def_default();
    def.density = 0.028, def.stretching = 1000, def.damping = 1.5e-4, def.tension = 47;
    def.waypoints = waypoints, def.waypoint_count = 4;
    rig_cable(w, &def);
    double least = INFINITY, fastest = 0;
    for (int k = 0; k < 100; k++) {
        scene_advance(w, 5e-3, 1);
        cord_energy now = scene_energy(w);
        fastest = fmax(fastest, now.kinetic);
        assert_true(now.total < least + 1e-3 * fastest);
        least = fmin(least, now.total);
    }
    cord_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BY_INTEGRATION(belt_creeps, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(belt_creeps, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(stops, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(stops, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(stops, "midpoint", MIDPOINT),
        BY_INTEGRATION(light_wheel, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(light_wheel, "midpoint", MIDPOINT),
        BY_INTEGRATION(heavy_rope_slips, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(heavy_rope_slips, "backward_euler", BACKWARD_EULER),
        BY_INTEGRATION(heavy_rope_slips, "midpoint", MIDPOINT),
        BY_INTEGRATION(ends_of_wraps_slip, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(ends_of_wraps_slip, "midpoint", MIDPOINT),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
