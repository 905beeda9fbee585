/* Splines against closed forms and other models, with orders: statics, twist, motion. */
#include "math/rotation.h"
#include "support/scenes.h"
#include "support/splines.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { MOST = 161 };

/* ---- statics ----------------------------------------------------------------------------------- */

/* Clamped at one end under its weight; Γ = ρSgL³/EI = 5. */
static void cantilever_tip(cord_stretch stretch, int edges, double *tip, double *curvature)
{
    double x[3 * MOST], k[3 * MOST];
    splines_line(edges + 1, 1, x);
    cord_strand_def def = splines_def(edges + 1, x);
    def.section.stretching = 1e5;
    def.stretch = stretch;
    cord_world *world = scene_world_under(NULL, 0.5);
    cord_strand strand = scene_strand(world, &def);
    assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
    assert_fine(world, cord_strand_get_positions(world, strand, x));
    assert_fine(world, cord_strand_get_curvatures(world, strand, k));
    v3_copy(tip, x + 3 * edges);
    *curvature = hypot(k[0], k[1]);
    cord_world_destroy(world);
}

/* validation/data/01_heavy_cantilever.csv; stretching moves the tip by less than Γ EI/(EA L²) = 5e-7. */
static void heavy_cantilever(void **unused)
{
    (void)unused;
    for (int stretch = 0; stretch < 2; stretch++) {
        double tip[3][3], curvature, error[3];
        for (int k = 0; k < 3; k++) {
            cantilever_tip(stretch ? CORD_STRETCH_ELASTIC : CORD_STRETCH_NONE, 4 << k, tip[k],
                           &curvature);
            error[k] = fabs(tip[k][2] + 0.495905044622);
        }
        assert_close(tip[2][0], 0.846657179954, 2e-6);
        assert_close(tip[2][2], -0.495905044622, 4e-6);
        assert_close(curvature, 2.226892554, 2e-3);
        assert_true(log2(error[0] / error[1]) > 3.3 && log2(error[1] / error[2]) > 3.3);
    }
}

/* A chain hung from two points of equal height 1 m apart, 1.2 m long: y = a cosh(x/a), 2 a
 * sinh(1/2a) = 1.2; EI is small but leaves an error of the order of √(EI/H)/a at the ends. */
static void catenary(void **unused)
{
    enum { EDGES = 40 };
    double x[3 * (EDGES + 1)], t[EDGES], a = 0.5;
    (void)unused;
    for (int i = 0; i < 60; i++)
        a -= (2 * a * sinh(0.5 / a) - 1.2) / (2 * sinh(0.5 / a) - cosh(0.5 / a) / a);
    for (int i = 0; i <= EDGES; i++) { /* a circular arc to begin with */
        double half = 1.0267, b = half * (2.0 * i / EDGES - 1), radius = 0.6 / half;
        v3_set(x + 3 * i, radius * sin(b), 0, -radius * (cos(b) - cos(half)));
    }
    double natural[3 * (EDGES + 1)];
    splines_line(EDGES + 1, 1.2, natural);
    cord_strand_def def = splines_def(EDGES + 1, x);
    def.natural_positions = natural;
    def.section.bending[0] = def.section.bending[1] = 1e-7;
    cord_world *world = scene_world(NULL);
    cord_strand strand = scene_strand(world, &def);
    cord_constraint first = scene_hang(world, strand, 0), last = scene_hang(world, strand, 1.2);
    assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
    assert_fine(world, cord_strand_get_positions(world, strand, x));
    assert_fine(world, cord_strand_get_tensions(world, strand, t));
    double apart = x[3 * EDGES] - x[0], sag = x[2] - x[3 * (EDGES / 2) + 2];
    /* the ends are where the arc's were: rescale the catenary to them */
    double b = 0.5;
    for (int i = 0; i < 60; i++)
        b -= (2 * b * sinh(0.5 * apart / b) - 1.2) /
             (2 * sinh(0.5 * apart / b) - apart * cosh(0.5 * apart / b) / b);
    assert_close(sag, b * (cosh(0.5 * apart / b) - 1), 1e-6);
    assert_close(t[EDGES / 2], 0.1 * 9.81 * b, 5e-3 * 0.981 * b);
    double force[3], other[3];
    assert_fine(world, cord_constraint_get_force(world, first, force, NULL));
    assert_fine(world, cord_constraint_get_force(world, last, other, NULL));
    assert_close(fabs(force[2] + other[2]), 0.1 * 9.81 * 1.2, 1e-6);
    cord_world_destroy(world);
}

/* Natural curvature, anisotropic, bent out of its plane: the limit of discrete rods. */
static void tip_of(const char *model, int edges, double *tip)
{
    double x[3 * MOST], natural[3 * MOST], angle[MOST];
    for (int i = 0; i <= edges; i++) angle[i] = 0.8 * (i + 0.5) / edges;
    splines_arc(edges + 1, 0.7, 1.0 / 0.7, x);
    splines_arc(edges + 1, 0.7, 1.0 / 0.7, natural);
    cord_strand_def def = splines_def(edges + 1, x);
    def.model = model;
    def.natural_positions = natural;
    def.natural_twist = angle;
    v3_set(def.natural_director, 0, 1, 0);
    def.section.bending[1] = 0.025;
    def.section.twisting = 0.008;
    def.section.stretching = 1e5;
    cord_world *world = scene_world(NULL);
    cord_world_set_gravity(world, (double[3]){0.05, 0.15, -0.1});
    cord_strand strand = scene_strand(world, &def);
    assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
    assert_fine(world, cord_strand_get_positions(world, strand, x));
    v3_copy(tip, x + 3 * edges);
    cord_world_destroy(world);
}

static void anisotropic_as_der(void **unused)
{
    double coarse[3], fine[3], tip[3], finer[3];
    (void)unused;
    tip_of(CORD_MODEL_DER, 80, coarse);
    tip_of(CORD_MODEL_DER, 160, fine);
    tip_of(CORD_MODEL_SPLINE, 20, tip);
    tip_of(CORD_MODEL_SPLINE, 40, finer);
    for (int k = 0; k < 3; k++) {
        double limit = fine[k] + (fine[k] - coarse[k]) / 3;
        assert_close(finer[k] + (finer[k] - tip[k]) / 3, limit, 1e-5);
    }
}

/* Frequencies of small vibrations, from 14_small_amplitude_frequencies.csv: ω = (βL)² √(EI/ρS L⁴). */
static void frequencies(void **unused)
{
    static const double beta[3] = {1.8751040687, 4.6940911330, 7.8547574382};
    double x[3 * 9], omega[6];
    (void)unused;
    splines_line(9, 1, x);
    cord_strand_def def = splines_def(9, x);
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_find_frequencies(world, 6, omega));
    for (int k = 0; k < 6; k++) {
        double expected = beta[k / 2] * beta[k / 2] * sqrt(0.1);
        double fourth = pow(beta[k / 2] / 8, 4) / 1000; /* of the element: 1e-3, at most */
        assert_close(omega[k], expected, (fourth + 1e-5) * expected);
    }
    cord_world_destroy(world);
}

/* Clamped at both ends and compressed: it buckles, and stays symmetric. */
static void clamped_at_both_ends(void **unused)
{
    double x[3 * 11], force[3], position[3], frame[9];
    (void)unused;
    splines_line(11, 1, x);
    for (int i = 0; i < 11; i++) x[3 * i + 2] = 1e-3 * (1 - cos(2 * pi * i / 10));
    double natural[3 * 11];
    splines_line(11, 1, natural);
    cord_strand_def def = splines_def(11, x);
    def.natural_positions = natural;
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    cord_point clamp;
    cord_constraint coincide;
    assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_clamp_strand(world, strand, 1, NULL, &clamp, &coincide, NULL));
    assert_fine(world, cord_point_get_pose(world, clamp, position, frame));
    v3_set(position, 0.95, 0, 0);
    assert_fine(world, cord_point_set_pose(world, clamp, position, frame));
    assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
    assert_fine(world, cord_strand_get_positions(world, strand, x));
    for (int i = 0; i <= 5; i++) assert_close(x[3 * i + 2], x[3 * (10 - i) + 2], 1e-6);
    assert_true(x[3 * 5 + 2] > 0.1);
    /* A little above Euler's load 4π² EI/L²: 1 + (shortening)/… to second order. */
    assert_fine(world, cord_constraint_get_force(world, coincide, force, NULL));
    double euler = 4 * pi * pi * 0.01;
    assert_true(fabs(force[0]) > euler && fabs(force[0]) < 1.05 * euler);
    cord_world_destroy(world);
}

/* ---- twist ------------------------------------------------------------------------------------- */

/* Clamped at both ends, one of them rotated by three radians: twist is uniform, energy ½ GJ
 * Φ²/L. */
static void twisted_rod(void **unused)
{
    double x[3 * 9], k[3 * 9], theta[8], torque[3], position[3], frame[9], turn[9];
    (void)unused;
    splines_line(9, 1, x);
    cord_strand_def def = splines_def(9, x);
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    cord_point clamp;
    cord_constraint align;
    assert_fine(world, cord_world_clamp_strand(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_clamp_strand(world, strand, 1, NULL, &clamp, NULL, &align));
    for (int i = 1; i <= 6; i++) {
        assert_fine(world, cord_point_get_pose(world, clamp, position, frame));
        cord__rotation_exp(turn, (double[3]){0.5, 0, 0});
        m3_multiply(frame, turn, frame);
        assert_fine(world, cord_point_set_pose(world, clamp, position, frame));
        assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
    }
    cord_energy energy;
    assert_fine(world, cord_strand_get_energy(world, strand, &energy));
    assert_close(energy.twisting, 0.5 * 0.01 * 9, 1e-9);
    assert_close(energy.bending, 0, 1e-12);
    assert_fine(world, cord_strand_get_curvatures(world, strand, k));
    for (int i = 0; i < 9; i++) assert_close(k[3 * i + 2], 3, 1e-7);
    assert_fine(world, cord_strand_get_angles(world, strand, theta));
    for (int j = 0; j < 8; j++) assert_close(theta[j], 3 * j / 8.0, 1e-7);
    assert_fine(world, cord_constraint_get_force(world, align, NULL, torque));
    assert_close(fabs(torque[0]), 0.03, 1e-8);
    int unstable;
    assert_fine(world, cord_world_count_unstable_directions(world, &unstable, NULL));
    assert_int_equal(unstable, 0); /* a clamped one buckles at 8.987 GJ/EI */
    cord_world_destroy(world);
}

/* A helix that is set free of twist has none, and a frame transported along it returns rotated
 * by its torsion. */
static double helix_twist(int edges)
{
    double x[3 * MOST], k[3 * MOST], worst = 0;
    for (int i = 0; i <= edges; i++) {
        double a = 6.0 * i / edges;
        v3_set(x + 3 * i, 0.1 * cos(a), 0.1 * sin(a), 0.05 * a);
    }
    cord_strand_def def = splines_def(edges + 1, x);
    cord_world *world = scene_world_under(NULL, 0);
    cord_strand strand = scene_strand(world, &def);
    assert_fine(world, cord_strand_get_curvatures(world, strand, k));
    for (int i = 1; i < edges; i++) worst = fmax(worst, fabs(k[3 * i + 2]));
    double start[9], end[9], place[3], s = 0.02, length = scene_length(world, strand);
    splines_at(world, strand, s, place, start);
    splines_at(world, strand, length - s, place, end);
    /* relative to normal and binormal the directors have rotated by −τ s, τ = c/(a² + c²) */
    double angle[2];
    for (int side = 0; side < 2; side++) {
        const double *frame = side ? end : start;
        double a = (side ? length - s : s) / hypot(0.1, 0.05), binormal[3];
        double normal[3] = {-cos(a), -sin(a), 0};
        v3_cross(binormal, frame, normal);
        angle[side] = atan2(v3_dot(frame + 3, binormal), v3_dot(frame + 3, normal));
    }
    double turned = angle[1] - angle[0] + 0.05 / 0.0125 * (length - 2 * s);
    turned -= 2 * pi * nearbyint(turned / (2 * pi));
    assert_close(turned, 0, 40 * pow(edges, -3));
    cord_world_destroy(world);
    return worst;
}

static void twist_free_helix(void **unused)
{
    (void)unused;
    double coarse = helix_twist(20), fine = helix_twist(40);
    assert_true(coarse < 0.5); /* of a torsion of 4/m */
    assert_true(log2(coarse / fine) > 1.7);
}

/* ---- motion ------------------------------------------------------------------------------------ */

/* Swinging from a clamp with `midpoint`: the energy is conserved. */
static void energy_is_kept(void **unused)
{
    double x[3 * 9];
    (void)unused;
    splines_line(9, 1, x);
    for (int kind = 0; kind < 4; kind++) {
        cord_strand_def def = splines_def(9, x);
        def.twist_mode = kind % 2 ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC;
        def.stretch = kind / 2 ? CORD_STRETCH_ELASTIC : CORD_STRETCH_NONE;
        def.section.bending[1] = 0.02;
        def.section.stretching = 100;
        cord_world *world = scene_world(integrations + MIDPOINT);
        cord_world_set_gravity(world, (double[3]){0, 2, -5});
        cord_strand strand = scene_strand(world, &def);
        scene_hang(world, strand, 0);
        cord_energy start, now;
        assert_fine(world, cord_world_step(world, 1e-3));
        assert_fine(world, cord_world_get_energy(world, &start));
        for (int i = 0; i < 300; i++) {
            assert_fine(world, cord_world_step(world, 1e-3));
            assert_fine(world, cord_world_get_energy(world, &now));
            assert_close(now.total, start.total, 1e-7 * now.kinetic + 1e-8);
        }
        assert_true(now.kinetic > 0.1);
        cord_world_destroy(world);
    }
}

/* Free fall: as a body, with every scheme. */
static void free_fall(void **unused)
{
    double x[3 * 6], y[3 * 6];
    (void)unused;
    splines_arc(6, 0.3, 2, x);
    for (int k = 0; k < 4; k++) {
        cord_strand_def def = splines_def(6, x);
        cord_world *world = scene_world(integrations + k);
        cord_strand strand = scene_strand(world, &def);
        scene_advance(world, 1e-3, 100);
        assert_fine(world, cord_strand_get_positions(world, strand, y));
        for (int i = 0; i < 6; i++) assert_close(y[3 * i + 2] - x[3 * i + 2], -0.04905, 6e-4);
        cord_world_destroy(world);
    }
}

/* Air at 2 m/s carries a free strand along; terminal speed where drag balances gravity. */
static void drag_and_wind(void **unused)
{
    double x[3 * 5], v[3 * 5];
    (void)unused;
    splines_line(5, 0.4, x);
    cord_strand_def def = splines_def(5, x);
    def.drag = 1;
    cord_world *world = scene_world(NULL);
    cord_wind_def air = {.velocity = {2, 0, 0}};
    assert_fine(world, cord_world_set_wind(world, &air));
    cord_strand strand = scene_strand(world, &def);
    scene_advance(world, 0.01, 200);
    assert_fine(world, cord_strand_get_velocities(world, strand, v));
    for (int i = 0; i < 5; i++) {
        assert_close(v[3 * i], 2, 1e-6);
        assert_close(v[3 * i + 2], -0.981, 1e-8);
    }
    cord_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heavy_cantilever),
        cmocka_unit_test(catenary),
        cmocka_unit_test(anisotropic_as_der),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(clamped_at_both_ends),
        cmocka_unit_test(twisted_rod),
        cmocka_unit_test(twist_free_helix),
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(drag_and_wind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
