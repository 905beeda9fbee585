/* Searches for equilibria: of every model, beside bifurcations and saddles, whatever the inertia. */
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { EDGES = 48 };

typedef struct kind {
    const char *model;
    bool planar;
    int elements;
} kind;

static const kind kinds[] = {
    {CORD_MODEL_DER, false, EDGES},    {CORD_MODEL_SPLINE, false, EDGES},
    {CORD_MODEL_CLOTHOID, true, 12},   {CORD_MODEL_CLOTHOID, false, 12},
    {CORD_MODEL_HELIX, true, 24},      {CORD_MODEL_HELIX, false, 24},
    {CORD_MODEL_SEGMENT, true, EDGES}, {CORD_MODEL_SEGMENT, false, EDGES},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* EI = GJ = L = mass per length = 1, straight along x. */
static cord_strand add_rod(cord_world *w, const kind *k, double rotary_inertia)
{
    double x[3 * (EDGES + 1)] = {0};
    cord_strand_def def = cord_strand_def_default();
    for (int i = 0; i <= EDGES; i++) x[3 * i] = (double)i / EDGES;
    def.model = k->model;
    def.planar = k->planar;
    def.element_count =
        k->model[0] == 'd' || strcmp(k->model, CORD_MODEL_SPLINE) == 0 ? 0 : k->elements;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.director[2] = 1;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 1,
                                 .bending = {1, 1},
                                 .twisting = 1,
                                 .rotary_inertia = rotary_inertia,
                                 .radius = 0.01};
    return scene_strand(w, &def);
}

static void position(cord_world *w, cord_strand rod, int vertex, double out[3])
{
    double x[3 * (EDGES + 1)];
    assert_fine(w, cord_strand_get_positions(w, rod, x));
    memcpy(out, x + 3 * vertex, 3 * sizeof *out);
}

typedef struct support {
    cord_point end;
    cord_constraint constraint;
} support;

/* At the end of the rod: a clamp or a pin. */
static support hold(cord_world *w, cord_strand rod, double s, bool clamp)
{
    support on = {0};
    if (clamp) {
        assert_fine(w, cord_world_clamp_strand(w, rod, s, NULL, &on.end, &on.constraint, NULL));
        return on;
    }
    cord_point at = scene_point(w, rod, s);
    on.end = scene_place_of(w, at);
    on.constraint = scene_constraint(w, CORD_COINCIDE, at, on.end);
    return on;
}

/* A straight rod whose end moves by 10 %: the elastica, of every model and support, at once. Of both supports the thrust is
 * P/P_cr = 1.05299 and the deflection of the middle 0.194924 [Timoshenko and Gere 1961, sec. 2.7]. Inertia has no part in
 * it. */
static void compressed(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (int clamp = 0; clamp < 2; clamp++) {
            double force[3], torque[3], middle[3], critical = (clamp ? 4 : 1) * pi * pi;
            cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
            cord_strand rod = add_rod(w, kinds + i, clamp ? 1e-9 : 1e-4);
            cord_statics_result found;
            hold(w, rod, 0, clamp);
            support on = hold(w, rod, 1, clamp);
            assert_fine(w, cord_point_set_pose(w, on.end, (double[]){0.9, 0, 0}, NULL));
            assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
            assert_fine(w, cord_constraint_get_force(w, on.constraint, force, torque));
            position(w, rod, EDGES / 2, middle);
            assert_true(found.iterations <= 30);
            assert_int_equal(found.unstable_directions, 0);
            assert_close(-force[0] / critical, 1.05299, 0.01);
            assert_close(hypot(middle[1], middle[2]), 0.194924, 0.002);
            cord_world_destroy(w);
        }
}

/* A column beyond its critical weight leaves its straight shape along its mode, and ends where it hangs down. */
static void columns_leave(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_strand rod = add_rod(w, kinds + i, 1e-9);
        cord_statics_def def = cord_statics_def_default();
        cord_statics_result found;
        double tip[3];
        assert_fine(w, cord_world_set_gravity(w, (double[]){-20, 0, 0}));
        hold(w, rod, 0, true);
        assert_fine(w, cord_world_find_equilibrium(w, NULL, &found)); /* stays */
        assert_int_equal(found.unstable_directions, kinds[i].planar ? 1 : 2);
        def.kick = 1e-3;
        assert_fine(w, cord_world_find_equilibrium(w, &def, &found));
        position(w, rod, EDGES, tip);
        assert_true(found.iterations <= 40);
        assert_int_equal(found.unstable_directions, 0);
        assert_close(tip[0], -0.334, 0.01);
        cord_world_destroy(w);
    }
}

/* 3D chains bend as fast as planar ones. */
static void heavy_cantilevers(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++)
        for (double gamma = 1; gamma < 1e5; gamma *= 50) {
            cord_world *w = scene_world_in(CORD_IMPLICIT, gamma);
            cord_strand rod = add_rod(w, kinds + i, 1e-9);
            cord_statics_result found;
            hold(w, rod, 0, true);
            assert_fine(w, cord_world_find_equilibrium(w, NULL, &found));
            assert_true(found.iterations <= 20);
            assert_int_equal(found.unstable_directions, 0);
            cord_world_destroy(w);
        }
}

/* ---- saddles -------------------------------------------------------------------------------------- */

/* The second mode of a pinned rod compressed by 10 %: two half waves, each the elastica of half the length, with four times
 * its thrust. The rod begins near it. */
static void saddles(void **state)
{
    (void)state;
    for (int i = 0; i < KINDS; i++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 0);
        cord_strand rod = add_rod(w, kinds + i, 1e-4);
        cord_statics_def def = cord_statics_def_default();
        cord_statics_result found;
        double x[3 * (EDGES + 1)] = {0}, force[3], torque[3];
        hold(w, rod, 0, false);
        support on = hold(w, rod, 1, false);
        for (int k = 0; k < EDGES; k++) {
            double angle = 0.6 * cos(2 * pi * (k + 0.5) / EDGES);
            x[3 * k + 3] = x[3 * k] + cos(angle) / EDGES;
            x[3 * k + 5] = x[3 * k + 2] + sin(angle) / EDGES;
        }
        assert_fine(w, cord_strand_set_positions(w, rod, x));
        assert_fine(w, cord_point_set_pose(w, on.end, (double[]){0.9, 0, 0}, NULL));
        def.nearest = true;
        assert_fine(w, cord_world_find_equilibrium(w, &def, &found));
        assert_fine(w, cord_constraint_get_force(w, on.constraint, force, torque));
        assert_true(found.iterations <= 20);
        assert_true(found.unstable_directions > 0);
        assert_close(-force[0] / (4 * pi * pi), 1.05299, 0.02);
        def.nearest = false, def.kick = 1e-3;
        assert_fine(w, cord_world_find_equilibrium(w, &def, &found));
        assert_fine(w, cord_constraint_get_force(w, on.constraint, force, torque));
        assert_true(found.iterations <= 40);
        assert_int_equal(found.unstable_directions, 0);
        assert_close(-force[0] / (pi * pi), 1.05299, 0.01);
        cord_world_destroy(w);
    }
}

/* ---- springs -------------------------------------------------------------------------------------- */

enum { TURNS = 10, MOST_EDGES = 32 * TURNS };

/* A steel wire of 1 mm wound to a radius of 2 cm, that carries a body; lowest frequencies, rad/s. */
static void hang_spring(int per_turn, double mass, double *height, double omega[2])
{
    static double x[3 * (MOST_EDGES + 1)];
    int edges = per_turn * TURNS;
    const double radius = 0.02, pitch = 0.003;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    for (int i = 0; i <= edges; i++) {
        double angle = 2 * pi * i / per_turn;
        x[3 * i] = radius * cos(angle), x[3 * i + 1] = radius * sin(angle);
        x[3 * i + 2] = -pitch * i / per_turn;
    }
    cord_strand_def def = cord_strand_def_default();
    def.vertex_count = edges + 1;
    def.positions = x;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = mass,
                                 .bending = {9.8e-3, 9.8e-3},
                                 .twisting = 7.6e-3,
                                 .rotary_inertia = 1.25e-7 * mass,
                                 .radius = 5e-4};
    cord_strand wire = scene_strand(w, &def);
    hold(w, wire, 0, true);
    cord_body_def load = scene_box(0.03, 0.03, 0.03);
    load.position[2] = x[3 * edges + 2] - 0.015;
    cord_body body = scene_body(w, &load);
    cord_point end = scene_point(w, wire, scene_length(w, wire));
    scene_constraint(w, CORD_COINCIDE, end, scene_on(w, body, radius, 0, 0.015));
    assert_fine(w, cord_world_find_equilibrium(w, NULL, NULL));
    assert_fine(w, cord_body_get_pose(w, body, x, NULL));
    *height = x[2];
    assert_fine(w, cord_world_find_frequencies(w, 2, omega));
    cord_world_destroy(w);
}

/* The mesh and the mass of a spring hardly change its equilibrium and its lowest frequencies. */
static void springs(void **state)
{
    (void)state;
    double height[4], omega[4][2];
    hang_spring(32, 1e-6, height + 0, omega[0]);
    hang_spring(24, 1e-6, height + 1, omega[1]);
    hang_spring(16, 1e-6, height + 2, omega[2]);
    hang_spring(24, 1e-12, height + 3, omega[3]);
    for (int i = 1; i < 4; i++) {
        assert_close(height[i], height[0], 0.03 * fabs(height[0]));
        for (int k = 0; k < 2; k++) assert_close(omega[i][k], omega[0][k], 0.03 * omega[0][k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compressed),        cmocka_unit_test(columns_leave),
        cmocka_unit_test(heavy_cantilevers), cmocka_unit_test(saddles),
        cmocka_unit_test(springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
