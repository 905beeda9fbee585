/* Splines: the basis, the fit, closed forms with orders, twist, relations at any arc, refusals. */
#include "strand/spline.h"
#include "math/band.h"
#include "math/rotation.h"
#include "math/vec3.h"
#include "support/conformance.h"
#include "support/failing_allocator.h"
#include "support/numbers.h"
#include "support/scenes.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { MOST = 161 };

/* ---- basis ------------------------------------------------------------------------------------- */

static void basis(void **unused)
{
    const double h = 1e-4;
    (void)unused;
    for (int kind = 0; kind < 2; kind++) {
        spline s = {.spans = 5, .points = 8, .clamped = kind == 0};
        spline_weights w, before, after;
        for (int span = 0; span < 5; span++)
            for (int k = 0; k <= 4; k++) {
                double u = 0.05 + 0.225 * k, sum[4] = {0};
                cord__spline_basis(&s, span, u, &w);
                cord__spline_basis(&s, span, u - h, &before);
                cord__spline_basis(&s, span, u + h, &after);
                for (int j = 0; j < 4; j++) {
                    sum[0] += w.b[j], sum[1] += w.d[j], sum[2] += w.dd[j], sum[3] += w.ddd[j];
                    assert_true(w.b[j] >= 0);
                    assert_close(w.d[j], (after.b[j] - before.b[j]) / (2 * h), 1e-7);
                    assert_close(w.dd[j], (after.d[j] - before.d[j]) / (2 * h), 1e-7);
                    assert_close(w.ddd[j], (after.dd[j] - before.dd[j]) / (2 * h), 1e-7);
                }
                for (int i = 0; i < 4; i++) assert_close(sum[i], i == 0, 1e-14);
            }
        for (int knot = 1; knot < 5; knot++) { /* C² */
            cord__spline_basis(&s, knot - 1, 1, &before);
            cord__spline_basis(&s, knot, 0, &after);
            for (int j = 0; j < 5; j++) {
                double p[3], q[3];
                p[0] = j < 4 ? before.b[j] : 0, q[0] = j > 0 ? after.b[j - 1] : 0;
                p[1] = j < 4 ? before.d[j] : 0, q[1] = j > 0 ? after.d[j - 1] : 0;
                p[2] = j < 4 ? before.dd[j] : 0, q[2] = j > 0 ? after.dd[j - 1] : 0;
                assert_all_close(p, q, 3, 1e-13);
            }
        }
        cord__spline_basis(&s, 0, 0, &w);
        assert_close(w.b[0], s.clamped ? 1 : 1.0 / 6, 1e-15);
    }
}

/* ---- strands of tests -------------------------------------------------------------------------- */

/* EI = 0.01 N m², 0.1 kg/m, and stretching of a slender rod: EA L²/EI = 10⁶ with a metre. */
static cord_strand_def definition(int vertices, const double *x)
{
    cord_strand_def def = cord_strand_def_default();
    def.model = CORD_MODEL_SPLINE;
    def.vertex_count = vertices;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .stretching = 1e4,
                                 .bending = {0.01, 0.01},
                                 .twisting = 0.01,
                                 .rotary_inertia = 1e-5,
                                 .radius = 0.01};
    v3_set(def.director, 0, 1, 0);
    return def;
}

static void line(int vertices, double length, double *x)
{
    for (int i = 0; i < vertices; i++) v3_set(x + 3 * i, length * i / (vertices - 1), 0, 0);
}

static void arc(int vertices, double radius, double angle, double *x)
{
    for (int i = 0; i < vertices; i++) {
        double a = angle * i / (vertices - 1);
        v3_set(x + 3 * i, radius * sin(a), 0, radius * (1 - cos(a)));
    }
}

static cord_world *still(void)
{
    cord_world *world = scene_world(NULL);
    cord_world_set_gravity(world, (double[3]){0, 0, 0});
    return world;
}

static cord_strand add(cord_world *world, const cord_strand_def *def)
{
    cord_strand strand;
    assert_fine(world, cord_world_add_strand(world, def, &strand));
    return strand;
}

static double length_of(cord_world *world, cord_strand strand)
{
    cord_strand_info info;
    assert_fine(world, cord_strand_get_info(world, strand, &info));
    return info.length;
}

static void place_at(cord_world *world, cord_strand strand, double s, double *x, double *frame)
{
    assert_fine(world, cord_point_place(world, scene_point(world, strand, s), x, frame));
}

static void settle(cord_world *world)
{
    assert_fine(world, cord_world_find_equilibrium(world, NULL, NULL));
}

/* ---- shapes ------------------------------------------------------------------------------------ */

/* A line is a line wherever its vertices are, and with either kind of ends. */
static void lines_are_exact(void **unused)
{
    (void)unused;
    for (int points = 0; points <= 12; points += 6)
        for (int ends = 0; ends < 2; ends++) {
            double x[27], y[3], frame[9];
            for (int i = 0; i < 9; i++)
                v3_scale(x + 3 * i, i + 0.3 * (i % 3), (double[3]){.1, .2, .2});
            cord_strand_def def = definition(9, x);
            def.control_points = points;
            def.spline_ends = ends ? CORD_SPLINE_FREE : CORD_SPLINE_CLAMPED;
            cord_world *world = still();
            cord_strand strand = add(world, &def);
            double length = length_of(world, strand);
            assert_close(length, 0.3 * 8.6, 1e-12);
            for (int k = 0; k <= 20; k++) {
                place_at(world, strand, length * k / 20, y, frame);
                for (int i = 0; i < 3; i++) assert_close(y[i], x[24 + i] * k / 20, 1e-11);
                assert_close(frame[0], 1.0 / 3, 1e-10);
            }
            cord_world_destroy(world);
        }
}

/* How far from its circle a spline through points on it is, and its length from the arc's. */
static double circle_error(int edges)
{
    double x[3 * MOST], y[3], frame[9], worst = 0;
    arc(edges + 1, 0.5, 4, x);
    cord_strand_def def = definition(edges + 1, x);
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    double length = length_of(world, strand);
    for (int k = 0; k <= 200; k++) {
        double s = length * k / 200, a = 4.0 * k / 200;
        place_at(world, strand, s, y, frame);
        worst = fmax(worst, fabs(y[0] - 0.5 * sin(a)) + fabs(y[2] - 0.5 * (1 - cos(a))));
    }
    cord_world_destroy(world);
    return worst;
}

static void circles_are_of_fourth_order(void **unused)
{
    (void)unused;
    double e[3] = {circle_error(10), circle_error(20), circle_error(40)};
    assert_true(e[2] < 2e-6);
    assert_true(log2(e[0] / e[1]) > 3.7 && log2(e[1] / e[2]) > 3.7);
}

/* Fewer control points than vertices: nearest in least squares; a spline's own points are met. */
static void fits_are_least_squares(void **unused)
{
    double x[3 * 41], y[3 * 41];
    (void)unused;
    arc(41, 0.5, 3, x);
    cord_strand_def def = definition(41, x);
    double before = 1;
    for (int points = 6; points <= 24; points *= 2) {
        def.control_points = points;
        cord_world *world = still();
        cord_strand strand = add(world, &def);
        double worst = 0;
        assert_fine(world, cord_strand_positions(world, strand, y));
        for (int i = 0; i < 123; i++) worst = fmax(worst, fabs(x[i] - y[i]));
        assert_true(worst < before / 10);
        before = worst;
        cord_world_destroy(world);
    }
    assert_true(before < 1e-6);
}

/* Vertices far apart here and close together there, in numbers fewer and more than control points: the
 * curve is tame all the same. */
static void uneven_vertices(void **unused)
{
    double x[3 * 12], y[3 * 12], chord = 0;
    (void)unused;
    for (int i = 0; i < 12; i++) {
        double a = 0.001 * pow(1.7, i);
        v3_set(x + 3 * i, a, 0.1 * sin(10 * a), 0);
        if (i > 0) chord += v3_distance(x + 3 * i - 3, x + 3 * i);
    }
    for (int points = 0; points <= 40; points += 8) {
        if (points == 24 || points == 32) continue;
        cord_strand_def def = definition(12, x);
        def.control_points = points;
        cord_world *world = still();
        cord_strand strand = add(world, &def);
        assert_close(length_of(world, strand), chord, 0.05 * chord);
        assert_fine(world, cord_strand_positions(world, strand, y));
        for (int i = 0; i < 36; i++) assert_close(y[i], x[i], 1e-3);
        cord_world_destroy(world);
    }
}

/* ---- statics ----------------------------------------------------------------------------------- */

/* Clamped at one end under its weight; Γ = ρSgL³/EI = 5. */
static void cantilever_tip(cord_stretch stretch, int edges, double *tip, double *curvature)
{
    double x[3 * MOST], k[3 * MOST];
    line(edges + 1, 1, x);
    cord_strand_def def = definition(edges + 1, x);
    def.section.stretching = 1e5;
    def.stretch = stretch;
    cord_world *world = still();
    cord_world_set_gravity(world, (double[3]){0, 0, -0.5});
    cord_strand strand = add(world, &def);
    assert_fine(world, cord_world_clamp(world, strand, 0, NULL, NULL, NULL, NULL));
    settle(world);
    assert_fine(world, cord_strand_positions(world, strand, x));
    assert_fine(world, cord_strand_curvatures(world, strand, k));
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

/* A chain hung from two places as high as 1 m apart, 1.2 m long: y = a cosh(x/a), 2 a sinh(1/2a) = 1.2;
 * EI is small but leaves an error of the order of √(EI/H)/a at the ends. */
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
    line(EDGES + 1, 1.2, natural);
    cord_strand_def def = definition(EDGES + 1, x);
    def.natural_positions = natural;
    def.section.bending[0] = def.section.bending[1] = 1e-7;
    cord_world *world = scene_world(NULL);
    cord_strand strand = add(world, &def);
    cord_relation first = scene_hang(world, strand, 0), last = scene_hang(world, strand, 1.2);
    settle(world);
    assert_fine(world, cord_strand_positions(world, strand, x));
    assert_fine(world, cord_strand_tensions(world, strand, t));
    double apart = x[3 * EDGES] - x[0], sag = x[2] - x[3 * (EDGES / 2) + 2];
    /* the ends are where the arc's were: rescale the catenary to them */
    double b = 0.5;
    for (int i = 0; i < 60; i++)
        b -= (2 * b * sinh(0.5 * apart / b) - 1.2) /
             (2 * sinh(0.5 * apart / b) - apart * cosh(0.5 * apart / b) / b);
    assert_close(sag, b * (cosh(0.5 * apart / b) - 1), 2e-4);
    assert_close(t[EDGES / 2], 0.1 * 9.81 * b, 5e-3 * 0.981 * b);
    double force[3], other[3];
    assert_fine(world, cord_relation_force(world, first, force, NULL));
    assert_fine(world, cord_relation_force(world, last, other, NULL));
    assert_close(fabs(force[2] + other[2]), 0.1 * 9.81 * 1.2, 1e-6);
    cord_world_destroy(world);
}

/* Natural curvature, anisotropic, bent out of its plane: as discrete rods have it in the limit. */
static void tip_of(const char *model, int edges, double *tip)
{
    double x[3 * MOST], natural[3 * MOST], angle[MOST];
    for (int i = 0; i <= edges; i++) angle[i] = 0.8 * (i + 0.5) / edges;
    arc(edges + 1, 0.7, 1.0 / 0.7, x);
    arc(edges + 1, 0.7, 1.0 / 0.7, natural);
    cord_strand_def def = definition(edges + 1, x);
    def.model = model;
    def.natural_positions = natural;
    def.natural_twist = angle;
    v3_set(def.natural_director, 0, 1, 0);
    def.section.bending[1] = 0.025;
    def.section.twisting = 0.008;
    def.section.stretching = 1e5;
    cord_world *world = still();
    cord_world_set_gravity(world, (double[3]){0.05, 0.15, -0.1});
    cord_strand strand = add(world, &def);
    assert_fine(world, cord_world_clamp(world, strand, 0, NULL, NULL, NULL, NULL));
    settle(world);
    assert_fine(world, cord_strand_positions(world, strand, x));
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
    line(9, 1, x);
    cord_strand_def def = definition(9, x);
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    assert_fine(world, cord_world_clamp(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_frequencies(world, 6, omega));
    for (int k = 0; k < 6; k++) {
        double expected = beta[k / 2] * beta[k / 2] * sqrt(0.1);
        double fourth = pow(beta[k / 2] / 8, 4) / 1000; /* of the element: 1e-3, at most */
        assert_close(omega[k], expected, (fourth + 1e-5) * expected);
    }
    cord_world_destroy(world);
}

/* ---- twist ------------------------------------------------------------------------------------- */

/* Held at both ends, one of them turned by three radians: twist is even, energy ½ GJ Φ²/L. */
static void twisted_rod(void **unused)
{
    double x[3 * 9], k[3 * 9], theta[8], torque[3], position[3], frame[9], turn[9];
    (void)unused;
    line(9, 1, x);
    cord_strand_def def = definition(9, x);
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    cord_point clamp;
    cord_relation align;
    assert_fine(world, cord_world_clamp(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_clamp(world, strand, 1, NULL, &clamp, NULL, &align));
    for (int i = 1; i <= 6; i++) {
        assert_fine(world, cord_point_place(world, clamp, position, frame));
        cord__rotation_exp(turn, (double[3]){0.5, 0, 0});
        m3_multiply(frame, turn, frame);
        assert_fine(world, cord_point_move(world, clamp, position, frame));
        settle(world);
    }
    cord_energy energy;
    assert_fine(world, cord_strand_energy(world, strand, &energy));
    assert_close(energy.twisting, 0.5 * 0.01 * 9, 1e-9);
    assert_close(energy.bending, 0, 1e-12);
    assert_fine(world, cord_strand_curvatures(world, strand, k));
    for (int i = 0; i < 9; i++) assert_close(k[3 * i + 2], 3, 1e-7);
    assert_fine(world, cord_strand_angles(world, strand, theta));
    for (int j = 0; j < 8; j++) assert_close(theta[j], 3 * j / 8.0, 1e-7);
    assert_fine(world, cord_relation_force(world, align, NULL, torque));
    assert_close(fabs(torque[0]), 0.03, 1e-8);
    int unstable;
    assert_fine(world, cord_world_unstable_directions(world, &unstable));
    assert_int_equal(unstable, 0); /* a clamped one buckles at 8.987 GJ/EI */
    cord_world_destroy(world);
}

/* A helix made twist-free is, and a frame carried along it comes back turned by its torsion. */
static double helix_twist(int edges)
{
    double x[3 * MOST], k[3 * MOST], worst = 0;
    for (int i = 0; i <= edges; i++) {
        double a = 6.0 * i / edges;
        v3_set(x + 3 * i, 0.1 * cos(a), 0.1 * sin(a), 0.05 * a);
    }
    cord_strand_def def = definition(edges + 1, x);
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    assert_fine(world, cord_strand_curvatures(world, strand, k));
    for (int i = 1; i < edges; i++) worst = fmax(worst, fabs(k[3 * i + 2]));
    double start[9], end[9], place[3], s = 0.02, length = length_of(world, strand);
    place_at(world, strand, s, place, start);
    place_at(world, strand, length - s, place, end);
    /* against normal and binormal the directors have turned by −τ s, τ = c/(a² + c²) */
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

/* Swinging from a clamp with `midpoint`: the energy is kept. */
static void energy_is_kept(void **unused)
{
    double x[3 * 9];
    (void)unused;
    line(9, 1, x);
    for (int kind = 0; kind < 4; kind++) {
        cord_strand_def def = definition(9, x);
        def.twist_mode = kind % 2 ? CORD_TWIST_DYNAMIC : CORD_TWIST_QUASISTATIC;
        def.stretch = kind / 2 ? CORD_STRETCH_ELASTIC : CORD_STRETCH_NONE;
        def.section.bending[1] = 0.02;
        def.section.stretching = 100;
        cord_world *world = scene_world(integrations + 3);
        cord_world_set_gravity(world, (double[3]){0, 2, -5});
        cord_strand strand = add(world, &def);
        scene_hang(world, strand, 0);
        cord_energy start, now;
        assert_fine(world, cord_world_step(world, 1e-3));
        assert_fine(world, cord_world_energy(world, &start));
        for (int i = 0; i < 300; i++) {
            assert_fine(world, cord_world_step(world, 1e-3));
            assert_fine(world, cord_world_energy(world, &now));
            assert_close(now.total, start.total, 1e-7 * now.kinetic + 1e-8);
        }
        assert_true(now.kinetic > 0.1);
        cord_world_destroy(world);
    }
}

/* Falls, held by nothing: as a body does, with every scheme. */
static void free_fall(void **unused)
{
    double x[3 * 6], y[3 * 6];
    (void)unused;
    arc(6, 0.3, 2, x);
    for (int k = 0; k < 4; k++) {
        cord_strand_def def = definition(6, x);
        cord_world *world = scene_world(integrations + k);
        cord_strand strand = add(world, &def);
        for (int i = 0; i < 100; i++) assert_fine(world, cord_world_step(world, 1e-3));
        assert_fine(world, cord_strand_positions(world, strand, y));
        for (int i = 0; i < 6; i++) assert_close(y[3 * i + 2] - x[3 * i + 2], -0.04905, 6e-4);
        cord_world_destroy(world);
    }
}

/* Air at 2 m/s carries a free strand along; terminal speed where gravity is held by drag. */
static void drag_and_wind(void **unused)
{
    double x[3 * 5], v[3 * 5];
    (void)unused;
    line(5, 0.4, x);
    cord_strand_def def = definition(5, x);
    def.drag = 1;
    cord_world *world = scene_world(NULL);
    cord_wind_def air = {.velocity = {2, 0, 0}};
    assert_fine(world, cord_world_set_wind(world, &air));
    cord_strand strand = add(world, &def);
    for (int i = 0; i < 200; i++) assert_fine(world, cord_world_step(world, 0.01));
    assert_fine(world, cord_strand_velocities(world, strand, v));
    for (int i = 0; i < 5; i++) {
        assert_close(v[3 * i], 2, 1e-6);
        assert_close(v[3 * i + 2], -0.981, 1e-6);
    }
    cord_world_destroy(world);
}

/* ---- relations --------------------------------------------------------------------------------- */

static double miss(cord_world *world, cord_relation relation)
{
    int rows;
    double g[6], worst = 0;
    assert_fine(world, cord_relation_residual(world, relation, &rows, g));
    for (int i = 0; i < rows; i++) worst = fmax(worst, fabs(g[i]));
    return worst;
}

/* Two splines crossed and welded where no vertex is, one hung from a place inside, one clamped. */
static void relations_at_any_arc(void **unused)
{
    double x[3 * 7], y[3 * 8];
    (void)unused;
    line(7, 1, x);
    for (int i = 0; i < 8; i++) v3_set(y + 3 * i, 0.43, 0.1 * i - 0.31, 0);
    for (int scheme = 0; scheme < 4; scheme++) {
        cord_world *world = scene_world(integrations + scheme);
        cord_strand_def def = definition(7, x), other = definition(8, y);
        other.spline_ends = CORD_SPLINE_FREE;
        v3_set(other.director, 0, 0, 1);
        cord_strand one = add(world, &def), two = add(world, &other);
        assert_fine(world, cord_world_clamp(world, one, 0.13, NULL, NULL, NULL, NULL));
        cord_point a = scene_point(world, one, 0.43), b = scene_point(world, two, 0.31);
        cord_relation joined[4];
        joined[0] = scene_relation(world, CORD_COINCIDE, a, b);
        joined[1] = scene_hang(world, two, 0);
        joined[2] = scene_relation(world, CORD_DISTANCE, scene_point(world, one, 1),
                                   scene_point(world, two, 0.7));
        int count = 3;
        /* `midpoint` does not tie quasistatic frames to others. */
        if (integrations[scheme].integrator != CORD_MIDPOINT)
            joined[count++] = scene_relation(world, CORD_ALIGN, a, b);
        for (int i = 0; i < 50; i++) assert_fine(world, cord_world_step(world, 4e-3));
        for (int k = 0; k < count; k++) assert_true(miss(world, joined[k]) < 1e-6);
        cord_world_destroy(world);
    }
}

/* A place moves smoothly with s: differences of the third order stay bounded across knots. */
static void places_are_smooth_in_arc(void **unused)
{
    double x[3 * 9], before[3][3], now[3];
    const double h = 1e-3;
    (void)unused;
    for (int i = 0; i < 9; i++)
        v3_set(x + 3 * i, 0.1 * i + 0.01 * (i % 2), 0.05 * sin(i), 0.03 * cos(2 * i));
    cord_strand_def def = definition(9, x);
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    double length = length_of(world, strand), worst = 0;
    for (int k = 0; k * h < length; k++) {
        place_at(world, strand, k * h, now, NULL);
        for (int i = 0; k > 2 && i < 3; i++)
            worst = fmax(worst, fabs(now[i] - 3 * before[2][i] + 3 * before[1][i] - before[0][i]));
        memmove(before[0], before[1], 6 * sizeof(double));
        v3_copy(before[2], now);
    }
    /* A jump of x_ss by 1/m would show as 10⁻⁶. */
    assert_true(worst < 2e-6 && worst > 1e-9);
    cord_world_destroy(world);
}

/* Clamped at both ends and pushed together: it buckles out, and stays symmetric. */
static void clamped_at_both_ends(void **unused)
{
    double x[3 * 11], force[3], position[3], frame[9];
    (void)unused;
    line(11, 1, x);
    for (int i = 0; i < 11; i++) x[3 * i + 2] = 1e-3 * (1 - cos(2 * pi * i / 10));
    double natural[3 * 11];
    line(11, 1, natural);
    cord_strand_def def = definition(11, x);
    def.natural_positions = natural;
    cord_world *world = still();
    cord_strand strand = add(world, &def);
    cord_point clamp;
    cord_relation coincide;
    assert_fine(world, cord_world_clamp(world, strand, 0, NULL, NULL, NULL, NULL));
    assert_fine(world, cord_world_clamp(world, strand, 1, NULL, &clamp, &coincide, NULL));
    assert_fine(world, cord_point_place(world, clamp, position, frame));
    v3_set(position, 0.95, 0, 0);
    assert_fine(world, cord_point_move(world, clamp, position, frame));
    settle(world);
    assert_fine(world, cord_strand_positions(world, strand, x));
    for (int i = 0; i <= 5; i++) assert_close(x[3 * i + 2], x[3 * (10 - i) + 2], 1e-6);
    assert_true(x[3 * 5 + 2] > 0.1);
    /* A little above Euler's load 4π² EI/L²: 1 + (shortening)/… to second order. */
    assert_fine(world, cord_relation_force(world, coincide, force, NULL));
    double euler = 4 * pi * pi * 0.01;
    assert_true(fabs(force[0]) > euler && fabs(force[0]) < 1.05 * euler);
    cord_world_destroy(world);
}

/* Putting vertices elsewhere and giving them velocities; the checkpoint keeps all. */
static void setting_and_checkpoints(void **unused)
{
    double x[3 * 7], y[3 * 7], v[3 * 7];
    (void)unused;
    line(7, 0.6, x);
    cord_world *world = scene_world(NULL);
    cord_strand_def def = definition(7, x);
    cord_strand strand = add(world, &def);
    arc(7, 0.2, 3, x);
    assert_fine(world, cord_strand_set_positions(world, strand, x));
    assert_fine(world, cord_strand_positions(world, strand, y));
    assert_all_close(y, x, 21, 1e-13);
    for (int i = 0; i < 21; i++) x[i] = sin(i);
    assert_fine(world, cord_strand_set_velocities(world, strand, x));
    assert_fine(world, cord_strand_velocities(world, strand, v));
    assert_all_close(v, x, 21, 1e-12);
    size_t size;
    assert_fine(world, cord_world_step(world, 1e-3));
    assert_fine(world, cord_world_state_size(world, &size));
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_fine(world, cord_world_get_state(world, bytes));
    assert_fine(world, cord_world_step(world, 1e-3));
    uint64_t hash = scene_hash(world);
    assert_fine(world, cord_world_set_state(world, bytes, size));
    assert_fine(world, cord_world_step(world, 1e-3));
    assert_true(hash == scene_hash(world));
    free(bytes);
    cord_world_destroy(world);
}

/* ---- derivatives of points ---------------------------------------------------------------------- */

/* A model of its own, shaken, with room for a matrix. */
typedef struct alone {
    memory memory;
    spline *s;
    uint64_t random;
    double q[400], cache[4000], band[4000];
} alone;

static void make_alone(alone *o, double *x)
{
    char why[128];
    void *model;
    for (int i = 0; i < 7; i++)
        v3_set(x + 3 * i, 0.1 * i + 0.01 * (i % 2), 0.08 * sin(i), 0.06 * cos(1.3 * i));
    cord_strand_def def = definition(7, x);
    def.section.bending[1] = 0.02;
    memset(o, 0, sizeof *o);
    o->random = 7;
    cord__memory_init(&o->memory, NULL);
    assert_int_equal(cord__spline_create(&def, &o->memory, &model, why, sizeof why), CORD_OK);
    o->s = model;
    assert_true(spline_q_count(o->s) < 400 && spline_cache_count(o->s) < 4000);
    memcpy(o->q, o->s->initial_q, (size_t)spline_q_count(o->s) * sizeof(double));
}

static void move_alone(const alone *o, const double *d, double step, double *q, double *cache)
{
    double scaled[64];
    for (int c = 0; c < spline_columns(o->s); c++) scaled[c] = step * d[c];
    memcpy(q, o->q, sizeof o->q);
    cord__spline_retract(o->s, q, scaled);
    cord__spline_refresh(o->s, q, cache);
}

/* w · J d at q ⊕ step d. */
static double power_along(const alone *o, const attachment *at, measure what, const double *w,
                          const double *d, double step)
{
    double q[400], cache[4000], J[3 * 16], sum = 0;
    jet j = {.J = J};
    move_alone(o, d, step, q, cache);
    cord__spline_jet(o->s, q, cache, at, what, &j);
    for (int run = 0, c = 0; run < j.runs; run++)
        for (int i = 0; i < j.run[run].count; i++, c++)
            sum += v3_dot(w, J + 3 * c) * d[j.run[run].first + i];
    return sum;
}

static double form_alone(const alone *o, const double *d)
{
    double sum = 0;
    int stride = BAND_STRIDE(o->s->band_width);
    for (int c = 0; c < spline_columns(o->s); c++)
        for (int r = c; r < spline_columns(o->s); r++) {
            int k = o->s->position[r] - o->s->position[c];
            if (k <= o->s->band_width)
                sum += (r == c ? 1 : 2) * o->band[o->s->position[c] * stride + k] * d[r] * d[c];
        }
    return sum;
}

/* What a torque, or a force on curvature, does to the matrix: against differences of its power. */
static void stiffness_of_torques(void **unused)
{
    double x[21], d[64], w[3];
    static alone o;
    (void)unused;
    for (int trial = 0; trial < 12; trial++) {
        make_alone(&o, x);
        assert_true(spline_columns(o.s) <= 64);
        random_vector(&o.random, spline_columns(o.s), d);
        for (int c = 0; c < spline_columns(o.s); c++) d[c] *= 0.03;
        move_alone(&o, d, 1, o.q, o.cache);
        measure what = trial % 2 ? MEASURE_FRAME : MEASURE_CURVATURE;
        attachment at;
        assert_int_equal(
            cord__spline_attach(o.s, &o.memory, what, o.s->length * (0.02 + 0.08 * trial), &at),
            CORD_OK);
        random_vector(&o.random, 3, w);
        random_vector(&o.random, spline_columns(o.s), d);
        local_matrix local = {.band = o.band};
        cord__spline_stiffen(o.s, o.q, o.cache, &at, what, w, 1, &local);
        const double h = 1e-4;
        double change =
            (power_along(&o, &at, what, w, d, h) - power_along(&o, &at, what, w, d, -h));
        double expected = -change / (2 * h);
        assert_close(form_alone(&o, d), expected, 2e-4 * (1 + fabs(expected)));
        cord__spline_destroy(o.s, &o.memory);
    }
}

/* Places that slide: along the strand and beyond a span, against differences. */
static void sliding_places(void **unused)
{
    double x[21], J[2][48], slope[2][48];
    static alone o;
    (void)unused;
    make_alone(&o, x);
    const double h = 1e-5;
    for (int k = 1; k < 20; k++) {
        double s = o.s->length * k / 20 + (k % 3 == 0 ? 0.03 : 0); /* some beyond their span */
        int piece = cord__spline_piece(o.s, o.q, o.s->length * k / 20);
        slide_jet here = {.J = J[0], .slope = slope[0]}, there = {.J = J[1], .slope = slope[1]};
        slide_jet before = there;
        cord__spline_slide(o.s, o.q, o.cache, piece, s - h, &before);
        cord__spline_slide(o.s, o.q, o.cache, piece, s + h, &there);
        cord__spline_slide(o.s, o.q, o.cache, piece, s, &here);
        for (int i = 0; i < 3; i++) {
            assert_close(here.tangent[i], (there.value[i] - before.value[i]) / (2 * h), 1e-6);
            assert_close(here.bend[i], (there.tangent[i] - before.tangent[i]) / (2 * h), 1e-4);
        }
        assert_int_equal(here.columns, 12);
        for (int i = 0; i < 12; i++) {
            double again[48], unused_slope[48];
            slide_jet back = {.J = again, .slope = unused_slope};
            cord__spline_slide(o.s, o.q, o.cache, piece, s - h, &back);
            for (int c = 0; c < 3; c++)
                assert_close(slope[0][3 * i + c], (J[1][3 * i + c] - again[3 * i + c]) / (2 * h),
                             1e-5);
        }
    }
    cord__spline_destroy(o.s, &o.memory);
}

/* A ring fixed in space that a hanging strand runs through: it slides out, and stays in the ring. */
static void keyhole(void **unused)
{
    double x[3 * 9], place[3];
    (void)unused;
    line(9, 1, x);
    cord_strand_def def = definition(9, x);
    cord_world *world = scene_world(NULL);
    cord_strand rope = add(world, &def);
    cord_point_def point = cord_point_def_default();
    cord_point bead;
    point.source = CORD_SOURCE_SLIDING;
    point.strand = rope;
    point.s = 0.41;
    assert_fine(world, cord_world_add_point(world, &point, &bead));
    cord_relation ring = scene_relation(world, CORD_COINCIDE, bead, scene_place(world, 0.41, 0, 0));
    for (int i = 0; i < 100; i++) assert_fine(world, cord_world_step(world, 2e-3));
    assert_true(miss(world, ring) < 1e-7);
    assert_fine(world, cord_point_place(world, bead, place, NULL));
    assert_close(place[0], 0.41, 1e-7);
    double s;
    assert_fine(world, cord_point_coordinate(world, bead, &s, NULL));
    assert_true(fabs(s - 0.41) > 1e-3); /* longer on one side, it runs down there */
    cord_world_destroy(world);
}

/* ---- memory ------------------------------------------------------------------------------------- */

static cord_status live(const cord_allocator *allocator)
{
    double x[3 * 6], natural[3 * 6];
    arc(6, 0.3, 2, x);
    line(6, 0.6, natural);
    cord_strand_def def = definition(6, x);
    def.natural_positions = natural;
    cord_world_def world_def = cord_world_def_default();
    world_def.allocator = *allocator;
    world_def.threads = 1;
    cord_world *world;
    cord_strand rope;
    cord_status status = cord_world_create(&world_def, &world);
    if (status != CORD_OK) return status;
    status = cord_world_add_strand(world, &def, &rope);
    if (status == CORD_OK) status = cord_world_clamp(world, rope, 0, NULL, NULL, NULL, NULL);
    if (status == CORD_OK) status = cord_world_step(world, 1e-3);
    cord_world_destroy(world);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    for (int k = 0;; k++) {
        failing_allocator heap = {.fail_at = k};
        cord_allocator allocator = failing_allocator_ops(&heap);
        cord_status status = live(&allocator);
        assert_int_equal(heap.live, 0);
        if (!heap.failed) break;
        assert_int_equal(status, CORD_ERROR_MEMORY);
    }
}

/* ---- refusals ---------------------------------------------------------------------------------- */

static void refuse(const cord_strand_def *def, const char *because)
{
    cord_strand strand;
    cord_world *world = still();
    assert_int_equal(cord_world_add_strand(world, def, &strand), CORD_ERROR_ARGUMENT);
    if (!strstr(cord_world_error(world), because))
        fail_msg("\"%s\" does not say \"%s\"", cord_world_error(world), because);
    cord_world_destroy(world);
}

static void bad_input_is_refused(void **unused)
{
    double x[15], odd[15];
    (void)unused;
    line(5, 1, x);
    cord_strand_def good = definition(5, x), def = good;
    def.vertex_count = 1, refuse(&def, "at least 2");
    def = good, def.positions = NULL, refuse(&def, "positions are missing");
    def = good, def.closed = true, def.control_points = 4, refuse(&def, "at least 5");
    def = good, def.closed = true, def.vertex_count = 2, refuse(&def, "at least 3");
    def = good, def.closed = true, def.closing_twist = NAN, refuse(&def, "closing_twist");
    def = good, def.closed = true, refuse(&def, "folds back"); /* a line, there and back */
    def = good, def.control_points = 3, refuse(&def, "at least 4");
    def = good, def.control_points = -1, refuse(&def, "at least 4");
    def = good, def.spline_ends = (cord_spline_ends)7, refuse(&def, "spline_ends");
    def = good, def.damping = -1, refuse(&def, "damping");
    def = good, def.drag = NAN, refuse(&def, "drag");
    def = good, def.section.stretching = 0, def.stretch = CORD_STRETCH_ELASTIC;
    refuse(&def, "stretching");
    def = good, def.section.rotary_inertia = 0, def.twist_mode = CORD_TWIST_DYNAMIC;
    refuse(&def, "rotary_inertia");
    memcpy(odd, x, sizeof x);
    odd[4] = INFINITY, def = good, def.positions = odd, refuse(&def, "not finite");
    memcpy(odd, x, sizeof x);
    v3_copy(odd + 3, odd + 6), def = good, def.natural_positions = odd, refuse(&def, "no length");
    memcpy(odd, x, sizeof x); /* there and back again */
    v3_set(odd + 9, 0.25, 0, 0), v3_set(odd + 12, 0, 0, 0);
    def = good, def.positions = odd, refuse(&def, "folds back");
    cord_world *world = scene_world(integrations + 4);
    cord_strand strand = add(world, &good);
    (void)strand;
    assert_int_equal(cord_world_step(world, 1e-4), CORD_ERROR_UNSUPPORTED);
    cord_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(basis),
        cmocka_unit_test(lines_are_exact),
        cmocka_unit_test(circles_are_of_fourth_order),
        cmocka_unit_test(fits_are_least_squares),
        cmocka_unit_test(uneven_vertices),
        cmocka_unit_test(heavy_cantilever),
        cmocka_unit_test(catenary),
        cmocka_unit_test(anisotropic_as_der),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(twisted_rod),
        cmocka_unit_test(twist_free_helix),
        cmocka_unit_test(energy_is_kept),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(drag_and_wind),
        cmocka_unit_test(relations_at_any_arc),
        cmocka_unit_test(places_are_smooth_in_arc),
        cmocka_unit_test(clamped_at_both_ends),
        cmocka_unit_test(stiffness_of_torques),
        cmocka_unit_test(sliding_places),
        cmocka_unit_test(keyhole),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(setting_and_checkpoints),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
