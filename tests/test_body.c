/* Rigid bodies: free and forced motion, clamped and scripted bodies, joints made of constraints. */
#include "math/rotation.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static const integration *const trapezoid = integrations + TR_BDF2, *const midpoint =
                                                                        integrations + MIDPOINT;

/* ---- motion ------------------------------------------------------------------------------------- */

/* A body without torque: the centre falls, the frame rotates uniformly about a principal axis. */
static void free_fall(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = scene_box(0.1, 0.2, 0.3);
    double place[3], frame[9], turned[9], v[3], spin[3];
    v3_set(def.velocity, 1, 0, 2), v3_set(def.angular_velocity, 0, 0, 3);
    cord_body body = scene_body(w, &def);
    scene_advance(w, 0.01, 100);
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    assert_fine(w, cord_body_get_velocity(w, body, v, spin));
    const integration *with = *by;
    bool first = is_first_order(with);
    double slack = first ? 0.15 : 2e-3; /* a chord of 0.03 rad is short of its arc by 2e-3 in all */
    assert_all_close(place, ((double[]){1, 0, 2 - 9.81 / 2}), 3, first ? 0.06 : 1e-9);
    cord__rotation_exp(turned, (double[]){0, 0, 3});
    assert_all_close(frame, turned, 9, slack);
    assert_all_close(v, ((double[]){1, 0, 2 - 9.81}), 3, 1e-9);
    assert_all_close(spin, ((double[]){0, 0, 3}), 3, first ? 0.3 : 2e-3);
    cord_world_destroy(w);
}

static cord_body spinning_body(cord_world *w, const double moments[3], const double spin[3])
{
    cord_body_def def = cord_body_def_default();
    def.mass = 1;
    for (int k = 0; k < 3; k++) def.inertia[4 * k] = moments[k];
    v3_copy(def.angular_velocity, spin);
    return scene_body(w, &def);
}

/* Largest relative changes of energy and angular momentum over a number of steps by the default integrator. */
static double rotation_drift(const double moments[3], const double spin[3], double h, int steps)
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_energy e0, e;
    cord_momentum m0, m;
    double worst = 0;
    spinning_body(w, moments, spin);
    assert_fine(w, cord_world_get_energy(w, &e0));
    assert_fine(w, cord_world_get_momentum(w, &m0));
    for (int i = 0; i < 20; i++) {
        scene_advance(w, h, steps / 20);
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_fine(w, cord_world_get_momentum(w, &m));
        worst = fmax(worst, fabs(e.total / e0.total - 1));
        worst = fmax(worst, v3_distance(m.angular, m0.angular) / v3_norm(m0.angular));
    }
    cord_world_destroy(w);
    return worst;
}

/* The default integrator keeps energy and angular momentum of free bodies to round-off: a wheel, a tumbling box, and a
 * disc (radius 8 cm, height 2 cm) whose nutation must not grow, in steps of 3 to 24 degrees. */
static void spin_is_kept_by_default(void **unused)
{
    (void)unused;
    const double disc[3] = {1.6333e-3, 1.6333e-3, 3.2e-3}, nutation[3] = {50, 0, 200};
    const double wheel[3] = {1e-3, 1e-3, 1.6e-3}, box[3] = {3.5e-3, 1e-3, 4.1e-3};
    for (double h = 2.5e-4; h < 3e-3; h *= 2)
        assert_true(rotation_drift(disc, nutation, h, 4000) < 1e-9);
    assert_true(rotation_drift(wheel, (double[]){0, 0, 300}, 1e-3, 2000) < 1e-9);
    assert_true(rotation_drift(box, (double[]){240, 80, 160}, 1e-3, 2000) < 1e-9);
}

/* The same from 1e-3 to 1e4 rad/s in steps of 0.1 to 10 ms, of an oblate, a prolate and a triaxial body and a rod; also
 * beyond a radian per step, up to 100, where the tolerance of the first step is the largest error. */
static void spin_is_kept_at_every_rate(void **unused)
{
    (void)unused;
    const double moments[4][3] = {{1, 1, 1.96}, {1, 1, 0.1}, {1, 2, 2.9}, {1, 1, 1e-6}};
    for (int body = 0; body < 4; body++)
        for (double rate = 1e-3; rate < 2e4; rate *= 10)
            for (double h = 1e-4; h < 2e-2; h *= 10) {
                const double spin[3] = {0.3 * rate, 0.1 * rate, 0.95 * rate};
                int steps = rate * h > 20 ? 40 : 400;
                assert_true(rotation_drift(moments[body], spin, h, steps) < 1e-7);
            }
}

/* The complete elliptic integral of the first kind of the modulus k by the arithmetic-geometric mean. */
static double elliptic_k(double k_squared)
{
    double a = 1, b = sqrt(1 - k_squared);
    for (int i = 0; i < 8; i++) {
        double mean = 0.5 * (a + b);
        b = sqrt(a * b), a = mean;
    }
    return pi / (2 * a);
}

/* About the middle axis a body overturns, and ω in its axes has the period 4 K(k) √(I₁I₂I₃/((I₃ − I₂)(L² − 2E I₁))), with
 * k² = (I₂ − I₁)(2E I₃ − L²)/((I₃ − I₂)(L² − 2E I₁))   [Landau and Lifshitz, Mechanics, § 37]. */
static void middle_axis(void **unused)
{
    (void)unused;
    const double I[3] = {1, 2, 2.9}, spin[3] = {0, 5, 0.01};
    double E2 = 0, L2 = 0, own[3], place[3], frame[9], omega[3];
    for (int k = 0; k < 3; k++) {
        E2 += I[k] * spin[k] * spin[k];
        L2 += I[k] * I[k] * spin[k] * spin[k];
    }
    const double rate = (I[2] - I[1]) * (L2 - E2 * I[0]);
    const double k_squared = (I[1] - I[0]) * (E2 * I[2] - L2) / rate;
    const double period = 4 * elliptic_k(k_squared) * sqrt(I[0] * I[1] * I[2] / rate);
    cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
    cord_body body = spinning_body(w, I, spin);
    for (int half = 1; half <= 4; half++) {
        scene_advance(w, period / 400, 200);
        assert_fine(w, cord_body_get_pose(w, body, place, frame));
        assert_fine(w, cord_body_get_velocity(w, body, NULL, omega));
        m3_apply_transposed(own, frame, omega);
        const double sign = half % 2 ? -1 : 1;
        assert_all_close(own, ((double[]){0, sign * spin[1], spin[2]}), 3, 1e-6);
    }
    cord_world_destroy(w);
}

/* A box thrown about its middle axis, which is unstable (Dzhanibekov): energy and momenta are
 * conserved. */
static void tumbling_is_kept(void **unused)
{
    (void)unused;
    cord_world_def exact = cord_world_def_default();
    cord_world *w;
    exact.integrator = CORD_MIDPOINT, exact.tolerance = 1e-10, v3_set(exact.gravity, 0, 0, 0);
    assert_int_equal(cord_world_create(&exact, &w), CORD_OK);
    cord_body_def def = scene_box(0.3, 0.2, 0.1);
    v3_set(def.angular_velocity, 0.01, 5, 0);
    v3_set(def.velocity, 0.001, -0.002, 0.003);
    cord_body body = scene_body(w, &def);
    cord_energy e0, e;
    cord_momentum m0, m;
    assert_fine(w, cord_world_get_energy(w, &e0));
    assert_fine(w, cord_world_get_momentum(w, &m0));
    int flips = 0;
    double last = 1, worst_energy = 0, worst_spin = 0;
    for (int i = 0; i < 10000; i++) {
        double place[3], frame[9], change[3];
        scene_advance(w, 0.01, 1);
        assert_fine(w, cord_body_get_pose(w, body, place, frame));
        if (frame[4] * last < 0 && fabs(frame[4]) > 0.5) flips++, last = frame[4];
        assert_fine(w, cord_world_get_energy(w, &e));
        assert_fine(w, cord_world_get_momentum(w, &m));
        v3_sub(change, m.angular, m0.angular);
        worst_energy = fmax(worst_energy, fabs(e.total / e0.total - 1));
        worst_spin = fmax(worst_spin, v3_norm(change) / v3_norm(m0.angular));
    }
    assert_true(worst_energy < 1e-8);
    assert_true(worst_spin < 1e-8);
    assert_true(flips > 15);
    cord_world_destroy(w);
}

/* Euler's equations by Runge and Kutta with tiny steps, in the body's axes. */
static void euler_rate(const double moments[3], const double w[3], double rate[3])
{
    for (int k = 0; k < 3; k++)
        rate[k] = (moments[(k + 1) % 3] - moments[(k + 2) % 3]) * w[(k + 1) % 3] * w[(k + 2) % 3] /
                  moments[k];
}

static void euler_reference(const double moments[3], double w[3], double time)
{
    enum { STEPS = 20000 };
    double h = time / STEPS;
    for (int i = 0; i < STEPS; i++) {
        double k[4][3], x[3];
        euler_rate(moments, w, k[0]);
        for (int s = 1; s < 4; s++) {
            v3_copy(x, w);
            v3_axpy(x, s < 3 ? h / 2 : h, k[s - 1]);
            euler_rate(moments, x, k[s]);
        }
        for (int c = 0; c < 3; c++) w[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
    }
}

static double tumbling_error(const integration *by, int count)
{
    cord_world *w = scene_world_under(by, 0);
    cord_body_def def = scene_box(0.3, 0.2, 0.1);
    double spin[3], frame[9], place[3], own[3], reference[3] = {1, 3, 0.5};
    v3_copy(def.angular_velocity, reference);
    cord_body body = scene_body(w, &def);
    cord_body_info info;
    assert_fine(w, cord_body_get_info(w, body, &info));
    scene_advance(w, 1.0 / count, count);
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    assert_fine(w, cord_body_get_velocity(w, body, NULL, spin));
    m3_apply_transposed(own, frame, spin);
    euler_reference(info.principal_moments, reference, 1);
    cord_world_destroy(w);
    return v3_distance(own, reference);
}

/* Without torque the default integrator has no error of its own. */
static void exact_without_torque(void **by)
{
    assert_true(tumbling_error(*by, 50) < 1e-9);
}

static void second_order(void **by)
{
    double error[3];
    for (int k = 0; k < 3; k++) error[k] = tumbling_error(*by, 50 << k);
    assert_true(error[2] < 1e-3);
    for (int k = 0; k < 2; k++) assert_close(log2(error[k] / error[k + 1]), 2, 0.15);
}

/* The papers' one-solve steps, and others of first order. */
static void first_order(void **scheme)
{
    const integration by = {"first order", CORD_IMPLICIT, *(const cord_scheme *)*scheme};
    double error[3];
    const bool exact =
        by.scheme == CORD_BACKWARD_EULER; /* it follows the motion without torque, too */
    for (int k = 0; k < 3; k++) error[k] = tumbling_error(&by, 400 << k);
    assert_true(error[2] < (exact ? 1e-9 : 0.1));
    for (int k = 0; k < 2 && !exact; k++) assert_close(log2(error[k] / error[k + 1]), 1, 0.15);
    cord_world *w = scene_world(&by);
    cord_body_def def = scene_box(0.1, 0.2, 0.3);
    cord_body body = scene_body(w, &def);
    double v[3];
    scene_advance(w, 0.01, 100);
    assert_fine(w, cord_body_get_velocity(w, body, v, NULL));
    assert_all_close(v, ((double[]){0, 0, -9.81}), 3, 1e-9);
    cord_world_destroy(w);
}

typedef struct top {
    double m, l, i3, i1; /* about the centre */
} top;
static const top heavy = {0.5, 0.04, 2e-4, 1.4e-4};

/* A heavy top on its tip, at the origin. */
static cord_body top_on_tip(cord_world *w, double tilt, double spin, double precession_rate,
                            cord_constraint *hold)
{
    cord_body_def def = cord_body_def_default();
    def.mass = heavy.m, def.center[2] = heavy.l;
    def.inertia[0] = def.inertia[4] = heavy.i1, def.inertia[8] = heavy.i3;
    cord__rotation_exp(def.frame, (double[]){0, tilt, 0});
    const double *axis = def.frame + 6;
    double arm[3];
    v3_scale(def.angular_velocity, spin - precession_rate * cos(tilt), axis);
    def.angular_velocity[2] += precession_rate;
    v3_scale(arm, heavy.l, axis);
    v3_cross(def.velocity, def.angular_velocity, arm);
    cord_body body = scene_body(w, &def);
    *hold = scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, 0), scene_place(w, 0, 0, 0));
    return body;
}

/* Steady precession: I₃ ω₃ Ω − I₁ Ω² cos θ = m g l, I₁ about the tip. */
static void precession(void **by)
{
    cord_world *w = scene_world(*by);
    const double tilt = 0.4, rate = 2 * pi * 0.5, tip = heavy.i1 + heavy.m * heavy.l * heavy.l;
    const double weight = heavy.m * 9.81 * heavy.l;
    double place[3], frame[9];
    cord_constraint hold;
    cord_body body = top_on_tip(
        w, tilt, (weight + tip * rate * rate * cos(tilt)) / (heavy.i3 * rate), rate, &hold);
    for (int i = 0; i < 2000; i++) { /* half a revolution of precession, 1 s */
        scene_advance(w, 5e-4, 1);
        assert_fine(w, cord_body_get_pose(w, body, place, frame));
        assert_close(acos(frame[8]), tilt, 2e-3);
    }
    assert_close(frame[6], -sin(tilt), 2e-3);
    /* the spin is 340 rad/s: a step rotates it by 0.17 rad */
    assert_close(frame[7], 0, *by == midpoint ? 5e-3 : 0.03);
    assert_true(scene_gap(w, hold) < 1e-10);
    cord_world_destroy(w);
}

static void top_axis(const integration *by, int steps, double axis[3])
{
    cord_world *w = scene_world(by);
    double place[3], frame[9];
    cord_constraint hold;
    cord_body body = top_on_tip(w, 0.4, 340, 0, &hold);
    scene_advance(w, 0.2 / steps, steps);
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    v3_copy(axis, frame + 6);
    cord_world_destroy(w);
}

/* A top that is released without precession nutates; its axis converges to second order, in steps of 10 to 2.5 degrees. */
static void nutation_by_torque(void **by)
{
    double reference[3], axis[3], error[3];
    top_axis(*by, 6400, reference);
    for (int k = 0; k < 3; k++) {
        top_axis(*by, 400 << k, axis);
        error[k] = v3_distance(axis, reference);
    }
    assert_true(error[0] < 1e-4);
    for (int k = 0; k < 2; k++) assert_close(log2(error[k] / error[k + 1]), 2, 0.25);
}

/* v' = −d/m (v − wind), ω' = −c/I ω. */
static void drag(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(trapezoid, 0);
    cord_body_def def = cord_body_def_default();
    def.shape = (cord_shape){.kind = CORD_SHAPE_SPHERE, .radius = 0.1};
    def.mass = 2, def.drag = 3, def.angular_drag = 0.01;
    v3_set(def.velocity, 1, 0, 0), v3_set(def.angular_velocity, 0, 0.5, 0);
    cord_wind_def air = cord_wind_def_default();
    v3_set(air.velocity, 0, 0, 4);
    assert_fine(w, cord_world_set_wind(w, &air));
    cord_body body = scene_body(w, &def);
    scene_advance(w, 1e-3, 500);
    double v[3], spin[3], left = exp(-0.75), turn = exp(-0.01 * 0.5 / (0.4 * 2 * 0.01));
    assert_fine(w, cord_body_get_velocity(w, body, v, spin));
    assert_all_close(v, ((double[]){left, 0, 4 * (1 - left)}), 3, 1e-6);
    assert_all_close(spin, ((double[]){0, 0.5 * turn, 0}), 3, 1e-7);
    cord_world_destroy(w);
}

/* A force off the centre: the centre moves as if the force acted there, and the body rotates. */
static void loads(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_under(trapezoid, 0);
    cord_body_def def = scene_box(0.2, 0.2, 0.2);
    cord_body body = scene_body(w, &def);
    cord_load_def load = cord_load_def_default();
    cord_load handle;
    load.point = scene_on(w, body, 0.1, 0, 0), load.force[1] = 2;
    assert_fine(w, cord_world_add_load(w, &load, &handle));
    scene_advance(w, 1e-3, 50);
    double v[3], spin[3], m = 8, inertia = m * 0.08 / 12;
    assert_fine(w, cord_body_get_velocity(w, body, v, spin));
    assert_all_close(v, ((double[]){0, 2 / m * 0.05, 0}), 3, 1e-9);
    /* the arm has rotated a little: the error of its cosine is (α t²/2)²/2 */
    assert_close(spin[2], 2 * 0.1 / inertia * 0.05, 5e-6);
    assert_fine(w, cord_point_get_velocity(w, load.point, v));
    assert_close(v[1], 2 / m * 0.05 + 0.1 * spin[2], 3e-6);
    cord_world_destroy(w);
}

/* A physical pendulum hanging from its edge: its equilibrium, and its frequency. */
static void pendulum(void **unused)
{
    (void)unused;
    cord_world *w = scene_world(NULL);
    cord_body_def def = scene_box(0.05, 0.08, 0.3);
    v3_set(def.position, 0.15, 0, 0); /* drawn lying */
    memcpy(def.frame, (double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0}, sizeof def.frame);
    cord_body body = scene_body(w, &def);
    scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, 0.15), scene_place(w, 0, 0, 0));
    cord_statics_result result;
    cord_statics_def statics = cord_statics_def_default();
    statics.kick = 1e-3;
    assert_fine(w, cord_world_find_equilibrium(w, &statics, &result));
    assert_int_equal(result.unstable_directions, 0);
    double place[3], omega[3];
    assert_fine(w, cord_body_get_pose(w, body, place, NULL));
    assert_all_close(place, ((double[]){0, 0, -0.15}), 3, 1e-7);
    assert_fine(w, cord_world_find_frequencies(w, 3, omega));
    double m = 1.2, d = 0.15;
    double ix = m * (0.0064 + 0.09) / 12 + m * d * d, iy = m * (0.0025 + 0.09) / 12 + m * d * d;
    assert_close(omega[0], 0, 1e-3); /* it rotates about the vertical */
    assert_close(omega[1], sqrt(m * 9.81 * d / ix), 1e-6 * omega[1]);
    assert_close(omega[2], sqrt(m * 9.81 * d / iy), 1e-6 * omega[2]);
    cord_world_destroy(w);
    /* Standing on its edge is an equilibrium too, unstable in both directions. */
    w = scene_world(NULL);
    def = scene_box(0.05, 0.08, 0.3);
    v3_set(def.position, 0, 0, 0.15);
    body = scene_body(w, &def);
    scene_constraint(w, CORD_COINCIDE, scene_on(w, body, 0, 0, -0.15), scene_place(w, 0, 0, 0));
    int count;
    assert_fine(w, cord_world_count_unstable_directions(w, &count, NULL));
    assert_int_equal(count, 2);
    cord_world_destroy(w);
}

/* ---- clamped and scripted bodies ---------------------------------------------------------------- */

static void held_still(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = scene_box(0.1, 0.2, 0.3);
    cord__rotation_exp(def.frame, (double[]){0.2, 0.5, -1});
    v3_set(def.position, 1, 2, 3);
    cord_body body = scene_body(w, &def);
    cord_constraint coincide, align;
    assert_fine(w, cord_world_clamp_body(w, body, NULL, NULL, &coincide, &align));
    scene_advance(w, 0.01, 20);
    double place[3], frame[9], force[3], torque[3];
    assert_fine(w, cord_body_get_pose(w, body, place, frame));
    assert_all_close(place, def.position, 3, 1e-12);
    assert_all_close(frame, def.frame, 9, 1e-12);
    assert_fine(w, cord_constraint_get_force(w, coincide, force, torque));
    assert_all_close(force, ((double[]){0, 0, 6 * 9.81}), 3, 1e-8);
    assert_fine(w, cord_constraint_get_force(w, align, force, torque));
    assert_all_close(torque, ((double[]){0, 0, 0}), 3, 1e-8);
    cord_world_destroy(w);
}

/* Translated, and rotated by three full turns about its centre; an attached point follows. */
static void held_along_a_script(void **by)
{
    cord_world *w = scene_world(*by);
    cord_body_def def = scene_box(0.1, 0.2, 0.3);
    cord_body body = scene_body(w, &def), rider;
    def.position[0] = 0.3;
    rider = scene_body(w, &def);
    const double times[2] = {0, 2}, moves[6] = {0, 0, 0, 1, 0, 0.5},
                 turns[6] = {0, 0, 0, 0, 0, 6 * pi};
    cord_point_def script = cord_point_def_default();
    script.motion = (cord_keys){2, times, moves, CORD_EASE_SMOOTH};
    script.rotation = (cord_keys){2, times, turns, CORD_EASE_SMOOTH};
    cord_constraint align, weld[2];
    cord_point point;
    assert_fine(w, cord_world_clamp_body(w, body, &script, &point, NULL, &align));
    cord_point a = scene_on(w, rider, 0, 0, 0), b = scene_on(w, body, 0.3, 0, 0);
    weld[0] = scene_constraint(w, CORD_COINCIDE, a, b);
    weld[1] = scene_constraint(w, CORD_ALIGN, a, b);
    double place[3], frame[9], other[9], at[3], reached = 0;
    for (int i = 0; i < 1000; i++) {
        scene_advance(w, 2e-3, 1);
        assert_fine(w, cord_body_get_pose(w, body, place, frame));
        assert_fine(w, cord_point_get_pose(w, point, at, other));
        assert_all_close(place, at, 3, 1e-9);
        /* A projection ends with the rows met to first order in the rotation of a step, 0.04. */
        bool projected = ((const integration *)*by)->integrator == CORD_SYMPLECTIC;
        assert_all_close(frame, other, 9, projected ? 2e-5 : 1e-8);
        double spin[3];
        assert_fine(w, cord_body_get_velocity(w, body, NULL, spin));
        reached = fmax(reached, spin[2]);
    }
    assert_true(reached > 1.5 * 3 * pi); /* a quintic is 15/8 as fast in the middle */
    assert_all_close(place, ((double[]){1, 0, 0.5}), 3, 1e-9);
    assert_fine(w, cord_body_get_pose(w, rider, place, frame));
    assert_all_close(place, ((double[]){1.3, 0, 0.5}), 3, 1e-8);
    for (int k = 0; k < 2; k++) assert_true(scene_gap(w, weld[k]) < 1e-9);
    cord_world_destroy(w);
}

/* ---- joints ------------------------------------------------------------------------------------- */

/* Two boxes on a ball joint and a weld, a third on rails: no drift of the constraints after 10⁴
 * steps. */
static void joints(void **by)
{
    const integration *with = *by;
    cord_world *w = scene_world(*by);
    cord_body body[4];
    for (int k = 0; k < 4; k++) {
        cord_body_def def = scene_box(0.2, 0.05, 0.05);
        v3_set(def.position, 0.1 + 0.2 * (k % 3), k == 3, 0);
        if (k == 3) v3_set(def.velocity, 0, 0, 1);
        body[k] = scene_body(w, &def);
    }
    cord_point frame = scene_place(w, 0.1, 1, 0), rail = scene_on(w, body[3], 0, 0, 0);
    cord_constraint constraint[6];
    constraint[0] = scene_constraint(w, CORD_COINCIDE, scene_on(w, body[0], -0.1, 0, 0),
                                     scene_place(w, 0, 0, 0));
    constraint[1] = scene_constraint(w, CORD_COINCIDE, scene_on(w, body[1], -0.1, 0, 0),
                                     scene_on(w, body[0], 0.1, 0, 0));
    cord_point a = scene_on(w, body[2], -0.1, 0, 0), b = scene_on(w, body[1], 0.1, 0, 0);
    constraint[2] = scene_constraint(w, CORD_COINCIDE, a, b);
    constraint[3] = scene_constraint(w, CORD_ALIGN, a, b);
    cord_constraint_def slide = cord_constraint_def_default();
    slide.kind = CORD_AXIS, slide.first = rail, slide.second = frame;
    v3_set(slide.direction, 0, 0, 1);
    constraint[4] = scene_relate(w, &slide);
    constraint[5] = scene_constraint(w, CORD_ALIGN, rail, frame);
    cord_energy e0, e;
    assert_fine(w, cord_world_get_energy(w, &e0));
    double worst = 0;
    for (int i = 0; i < 10000; i++) {
        scene_advance(w, 1e-3, 1);
        for (int k = 0; k < 6 && i % 100 == 99; k++)
            worst = fmax(worst, scene_gap(w, constraint[k]));
    }
    bool first = is_first_order(*by),
         projected = is_one_solve(*by) || with->integrator == CORD_SYMPLECTIC;
    assert_true(worst < (projected ? 1e-6 : 1e-10));
    assert_fine(w, cord_world_get_energy(w, &e));
    /* the rails' body falls freely: 10 s − 9.81 · 50 m */
    double place[3], v[3];
    assert_fine(w, cord_body_get_pose(w, body[3], place, NULL));
    assert_fine(w, cord_body_get_velocity(w, body[3], v, NULL));
    assert_all_close(place, ((double[]){0.1, 1, 10 - 9.81 * 50}), 3, first ? 0.05 : 1e-6);
    if (with == midpoint) assert_close(e.total, e0.total, 1e-7);
    assert_true(e.total < e0.total + 1e-6);
    cord_world_destroy(w);
}

/* A body welded to the end of a rope and of a chain: the weld does not drift. */
static void on_strands(void **by)
{
    const char *models[] = {CORD_MODEL_DER, "clothoid"};
    for (int k = 0; k < 2; k++) {
        cord_world *w = scene_world(*by);
        double x[33] = {0};
        for (int i = 0; i <= 10; i++) x[3 * i] = 0.05 * i;
        cord_strand_def rope = cord_strand_def_default();
        rope.model = models[k], rope.vertex_count = 11, rope.positions = x, rope.element_count = 4;
        rope.section.radius = 0.004, rope.material.young = 1e7;
        cord_strand strand;
        assert_fine(w, cord_world_add_strand(w, &rope, &strand));
        assert_fine(w, cord_world_clamp_strand(w, strand, 0, NULL, NULL, NULL, NULL));
        cord_body_def def = scene_box(0.1, 0.06, 0.04);
        def.density = 300, def.position[0] = 0.55, def.angular_velocity[0] = 1;
        cord_body body = scene_body(w, &def);
        cord_point end = scene_point(w, strand, 0.5), side = scene_on(w, body, -0.05, 0, 0);
        cord_constraint constraint[2] = {scene_constraint(w, CORD_COINCIDE, end, side),
                                         scene_constraint(w, CORD_ALIGN, end, side)};
        const integration *with = *by;
        if (with->integrator == CORD_SYMPLECTIC) { /* a chain has no diagonal mass */
            bool chain = k == 1;
            cord_status status = cord_world_step(w, 2e-3);
            assert_int_equal(status, chain ? CORD_ERROR_UNSUPPORTED : CORD_OK);
            if (chain) {
                cord_world_destroy(w);
                continue;
            }
        }
        scene_advance(w, 2e-3, 200);
        double place[3];
        for (int r = 0; r < 2; r++)
            assert_true(scene_gap(w, constraint[r]) < (is_one_solve(with) ? 1e-5 : 1e-8));
        assert_fine(w, cord_body_get_pose(w, body, place, NULL));
        assert_true(place[2] < -0.1);
        cord_world_destroy(w);
    }
}

int main(void)
{
    static cord_scheme first[] = {CORD_BACKWARD_EULER, CORD_LINEARISED, CORD_SEMI_IMPLICIT,
                                  CORD_SEMI_IMPLICIT_VELOCITY};
    const struct CMUnitTest tests[] = {
        BY_EVERY_DYNAMIC_INTEGRATION(free_fall),
        cmocka_unit_test(spin_is_kept_by_default),
        cmocka_unit_test(spin_is_kept_at_every_rate),
        cmocka_unit_test(middle_axis),
        cmocka_unit_test(tumbling_is_kept),
        BY_INTEGRATION(exact_without_torque, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(second_order, "midpoint", MIDPOINT),
        cmocka_unit_test_prestate(first_order, first + 0),
        cmocka_unit_test_prestate(first_order, first + 1),
        cmocka_unit_test_prestate(first_order, first + 2),
        cmocka_unit_test_prestate(first_order, first + 3),
        BY_INTEGRATION(precession, "tr_bdf2", TR_BDF2),
        BY_INTEGRATION(precession, "midpoint", MIDPOINT),
        BY_INTEGRATION(nutation_by_torque, "tr_bdf2", TR_BDF2),
        cmocka_unit_test(drag),
        cmocka_unit_test(loads),
        cmocka_unit_test(pendulum),
        BY_EVERY_INTEGRATION(held_still),
        BY_EVERY_DYNAMIC_INTEGRATION(held_along_a_script),
        BY_EVERY_DYNAMIC_INTEGRATION(joints),
        BY_EVERY_DYNAMIC_INTEGRATION(on_strands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
