/* Cables through tubes and through strands: friction in Bowden cables, sheaths that carry cables
 * and are carried by them. */
#include "math/vec3.h"
#include "support/cable_bench.h"
#include "support/failing_allocator.h"
#include "support/rigs.h"
#include "support/scenes.h"
#include "support/test.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- tubes ------------------------------------------------------------------------------------------- */

/* Up, over and down: half a circle whose curvature is zero at both ends, as that of a path is. */
static cord_path arch(cord_world *w, double length)
{
    enum { PARTS = 60, FINE = 50 };
    double points[3 * (PARTS + 1)] = {0};
    for (int i = 0; i < PARTS; i++) {
        double *x = points + 3 * i;
        v3_copy(x + 3, x);
        for (int k = 0; k < FINE; k++) {
            double f = (i + (k + 0.5) / FINE) / PARTS, angle = pi * f - 0.5 * sin(2 * pi * f);
            x[3] += sin(angle) * length / (PARTS * FINE);
            x[5] += cos(angle) * length / (PARTS * FINE);
        }
    }
    return scene_path(w, (cord_body){0}, PARTS + 1, points, false);
}

/* Two weights on a cord through such a tube: the speed of the second, and the ratio of the
 * tensions. */
static double in_an_arch(cord_integrator integrator, bool reversed, double friction, double heavier,
                         double stretching, double *ratio)
{
    cord_world *w = scene_world_in(integrator, 9.81);
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR},
        {.kind = CORD_WAYPOINT_TUBE,
         .path = arch(w, 0.3),
         .reversed = reversed,
         .friction_law = friction > 0 ? CORD_WRAP_CAPSTAN : CORD_WRAP_FRICTIONLESS,
         .friction = friction},
        {.kind = CORD_WAYPOINT_ANCHOR}};
    cord_body weight[2];
    cord_path_info tube;
    assert_fine(w, cord_path_get_info(w, waypoints[1].path, &tube));
    for (int k = 0; k < 2; k++) {
        double mouth[3], at = (k == 1) == reversed ? 0 : tube.length;
        assert_fine(w, cord_path_get_position(w, waypoints[1].path, at, false, mouth, NULL));
        weight[k] = bench_box(w, k ? heavier : 1, mouth[0], mouth[1], -2);
        waypoints[2 * k].point = bench_on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 1e-6;
    def.stretching = stretching;
    def.damping = stretching > 0 ? 1e-3 : 0;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double before, after, angle, v[2][3];
    for (int k = 0; k < 60; k++) {
        if (k == 20) assert_fine(w, cord_body_get_velocity(w, weight[1], v[0], NULL));
        assert_fine(w, cord_world_step(w, 0.005));
    }
    assert_fine(w, cord_body_get_velocity(w, weight[1], v[1], NULL));
    assert_fine(w, cord_cable_get_wrap(w, made, 1, NULL, &angle, &before, &after));
    assert_close(angle, pi, 2e-4);
    *ratio = after / before;
    cord_world_destroy(w);
    return -(v[1][2] - v[0][2]) / 0.2;
}

/* It slips when the ratio of the tensions exceeds e^{μφ}, φ being the total angle of the tube,
 * and then the ratio is just that. */
static void bowden(void **unused)
{
    (void)unused;
    static const struct {
        double friction, heavier, stretching;
        bool reversed;
    } cases[] = {{0.2, 2.5, 0, false}, {0.2, 2.5, 0, true},    {0.2, 1.5, 0, false},
                 {0.2, 0.3, 0, true},  {0.2, 2.5, 1e6, false}, {0, 1.5, 0, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            double most = exp(cases[i].friction * pi), ratio, heavier = cases[i].heavier;
            double expected = 0, grows = heavier;
            if (heavier > most) expected = 9.81 * (heavier - most) / (heavier + most), grows = most;
            if (heavier * most < 1)
                expected = -9.81 * (1 - heavier * most) / (1 + heavier * most), grows = 1 / most;
            double rate = in_an_arch(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, cases[i].reversed,
                                     cases[i].friction, heavier, cases[i].stretching, &ratio);
            bool elastic = cases[i].stretching > 0;
            assert_close(rate, expected, elastic ? 0.05 : 3e-4);
            if (!elastic) assert_close(ratio, grows, 3e-5 * grows);
        }
}

/* A chain with weights at its ends runs through a tube of a body on a spring: energy is
 * conserved, also across a checkpoint. */
static void tube_on_a_body(void **unused)
{
    (void)unused;
    static const double points[] = {-0.2, 0, 0, -0.1, 0.05, 0.12, 0.1, -0.05, 0.12, 0.2, 0, 0};
    cord_world *w = scene_world_in(CORD_MIDPOINT, 9.81);
    cord_body carrier = bench_box(w, 1, 0, 0, 0), weight[2];
    cord_point hook = bench_on(w, carrier, 0, 0, 0, NULL);
    cord_constraint_def spring = cord_constraint_def_default();
    spring.kind = CORD_COINCIDE, spring.first = hook, spring.compliance = 1e-2;
    scene_relate(w, &spring);
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR},
        {.kind = CORD_WAYPOINT_TUBE, .path = scene_path(w, carrier, 4, points, false)},
        {.kind = CORD_WAYPOINT_ANCHOR}};
    for (int k = 0; k < 2; k++) {
        weight[k] = bench_box(w, 0.5 + 0.2 * k, k ? 0.2 : -0.2, 0, -1);
        waypoints[2 * k].point = bench_on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    def.density = 0.3;
    def.waypoint_count = 3, def.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    double start = scene_energy(w).total;
    scene_advance(w, 0.002, 100);
    scene_goes_on(w, NULL, 0.002, 100);
    assert_close(scene_energy(w).total, start, 1e-8);
    cord_node_state in = rig_node(w, made, 1);
    assert_true(in.dofs == 0 && in.eulerian && in.kind == CORD_GUIDE_PATH && in.body.index != 0);
    assert_true(fabs(in.rate) > 0.1);
    cord_world_destroy(w);
}

/* ---- sheaths: cables through strands ------------------------------------------------------------------ */

enum { CASING = 13 };

static const double none[3] = {0, 0, 0}, left[3] = {-0.3, 0, 0}, right[3] = {0.9, 0.1, 0};

/* A filament from one point to another through all vertices of a casing, its ends free. */
static cord_strand sheathed(cord_world *w, cord_strand casing, double length, const double from[3],
                            const double to[3], double stretching)
{
    cord_waypoint waypoints[CASING + 2] = {[0] = {.kind = CORD_WAYPOINT_FREE},
                                           [CASING + 1] = {.kind = CORD_WAYPOINT_FREE}};
    v3_copy(waypoints[0].position, from);
    v3_copy(waypoints[CASING + 1].position, to);
    for (int i = 0; i < CASING; i++)
        waypoints[1 + i] =
            (cord_waypoint){.kind = CORD_WAYPOINT_EYELET,
                            .point = scene_point(w, casing, length * i / (CASING - 1))};
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* it is thrown in space, without tension */
    def.density = 0.1;
    def.stretching = stretching;
    def.waypoint_count = CASING + 2, def.waypoints = waypoints;
    return rig_cable(w, &def);
}

/* Thrown, the casing rotating with the filament, and no other object in the world: the drift of
 * energy and momenta, and the length that the filament has run through. */
static void throw_both(double h, double stretching, double *energy, double *linear, double *angular,
                       double *ran)
{
    const double length = 0.6;
    cord_world *w = scene_world_in(CORD_MIDPOINT, 0);
    cord_strand casing = bench_rod(w, CASING, none, (double[3]){length, 0, 0});
    cord_strand filament = sheathed(w, casing, length, left, right, stretching);
    double v[3 * CASING];
    for (int i = 0; i < CASING; i++) v3_set(v + 3 * i, 0.5, 4.0 * i / (CASING - 1), 1);
    assert_fine(w, cord_strand_set_velocities(w, casing, v));
    cord_momentum before, after;
    cord_node_state middle;
    assert_fine(w, cord_world_step(w, 1e-6)); /* velocities are made consistent */
    assert_fine(w, cord_world_get_momentum(w, &before));
    middle = rig_node(w, filament, 1 + CASING / 2);
    *energy = -scene_energy(w).total;
    *ran = -middle.s;
    scene_advance(w, h, (int)round(0.1 / h));
    assert_fine(w, cord_world_get_momentum(w, &after));
    *energy += scene_energy(w).total;
    *linear = v3_distance(after.linear, before.linear);
    *angular = v3_distance(after.angular, before.angular);
    middle = rig_node(w, filament, 1 + CASING / 2);
    *ran += middle.s;
    double x[3 * CASING];
    assert_fine(w, cord_strand_get_positions(w, casing, x));
    assert_close(v3_distance(middle.position, x + 3 * (CASING / 2)), 0, 1e-15);
    assert_true(middle.strand.index == casing.index && middle.dofs == 0);
    cord_world_destroy(w);
}

/* Energy is conserved, momenta to second order. */
static void casing_and_filament(void **unused)
{
    (void)unused;
    for (int elastic = 0; elastic < 2; elastic++) {
        double energy[2], linear[2], angular[2], ran[2];
        for (int k = 0; k < 2; k++)
            throw_both(k ? 5e-4 : 1e-3, elastic ? 200 : 0, energy + k, linear + k, angular + k,
                       ran + k);
        for (int k = 0; k < 2; k++) assert_close(energy[k], 0, 1e-9);
        assert_close(linear[1], 0, 1e-6);
        assert_close(angular[1], 0, 1e-6);
        assert_true(linear[1] < 0.3 * linear[0] && angular[1] < 0.3 * angular[0]);
        assert_true(fabs(ran[1]) > 5e-3);
        if (!elastic) assert_close(ran[0], ran[1], 1e-3 * fabs(ran[1]));
    }
}

/* A filament that is pulled through a casing hung by one end falls as a chain does through
 * straight rings: the casing hangs straight, and the part below it pulls. With every implicit
 * integrator. */
static void filament_falls_through(void **unused)
{
    (void)unused;
    static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    const double length = 0.6, up = 0.2, down = 0.3;
    for (int i = 0; i < 2; i++) {
        cord_world *w = scene_world_in(integrators[i], 9.81);
        cord_strand casing = bench_rod(w, CASING, none, (double[3]){0, 0, -length});
        scene_hang(w, casing, 0);
        cord_strand filament = sheathed(w, casing, length, (double[3]){0, 0, up},
                                        (double[3]){0, 0, -length - down}, 0);
        scene_advance(w, 0.002, 50);
        cord_node_state last = rig_node(w, filament, CASING + 1);
        /* Frictionless and straight: it falls freely. */
        assert_close(last.position[2], -length - down - 0.5 * 9.81 * 0.01, 1e-9);
        assert_close(rig_tension(w, filament, CASING / 2), 0, 1e-9);
        cord_world_destroy(w);
    }
}

/* The filament is removed with its casing; a guide on a strand between its vertices is refused;
 * a checkpoint contains the filament. */
static void sheath_goes(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_strand casing = bench_rod(w, CASING, none, (double[3]){0.6, 0, 0});
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {-0.3, 0, 0}},
        {.kind = CORD_WAYPOINT_EYELET, .point = scene_point(w, casing, 0.123)},
        {.kind = CORD_WAYPOINT_FREE, .position = {0.3, 0.1, 0}}};
    cord_cable_def def = cord_cable_def_default();
    def.waypoint_count = 3, def.waypoints = waypoints;
    rig_refused(w, &def, CORD_ERROR_UNSUPPORTED,
                "waypoint 1: a strand carries guides at those vertices");
    cord_strand filament = sheathed(w, casing, 0.6, left, right, 0);
    assert_fine(w, cord_world_step(w, 0.001));
    scene_goes_on(w, NULL, 0.001, 20);
    cord_strand_info info;
    assert_fine(w, cord_world_remove_strand(w, casing));
    assert_int_equal(cord_strand_get_info(w, filament, &info), CORD_ERROR_HANDLE);
    cord_world_destroy(w);
}

/* ---- refusals ------------------------------------------------------------------------------------- */

static void tubes_refused(void **unused)
{
    (void)unused;
    static const double ring[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_path closed = scene_path(w, (cord_body){0}, 4, ring, true);
    cord_waypoint waypoints[3] = {rig_anchor(bench_still(w, -1, 0, -1, NULL)),
                                  {.kind = CORD_WAYPOINT_TUBE, .path = arch(w, 0.3)},
                                  rig_anchor(bench_still(w, 1, 0, -1, NULL))};
    cord_cable_def def = cord_cable_def_default();
    def.waypoint_count = 3, def.waypoints = waypoints;
    waypoints[1].friction_law = CORD_WRAP_NO_SLIP;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 1: a cable that sticks in a tube");
    waypoints[1].friction_law = CORD_WRAP_FRICTIONLESS;
    def.waypoint_count = 2;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 1: a cable does not end in a tube");
    def.waypoint_count = 3;
    waypoints[1].path = closed;
    rig_refused(w, &def, CORD_ERROR_ARGUMENT, "waypoint 1: its path is closed");
    cord_world_destroy(w);
}

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* A cable through a tube and a rod, for a few steps. */
static cord_status small_program(cord_world *w)
{
    static const double points[] = {0, 0, 0, 0.1, 0, 0.1, 0.2, 0, 0}, x[] = {0.4, 0, 0, 0.6, 0, 0};
    cord_path_def along = cord_path_def_default();
    cord_strand_def rod_def = cord_strand_def_default();
    cord_point_def at = cord_point_def_default();
    cord_waypoint waypoints[4] = {
        {.kind = CORD_WAYPOINT_FREE, .position = {-0.2, 0, 0}},
        {.kind = CORD_WAYPOINT_TUBE, .friction_law = CORD_WRAP_CAPSTAN, .friction = 0.2},
        {.kind = CORD_WAYPOINT_EYELET},
        {.kind = CORD_WAYPOINT_FREE, .position = {1, 0, 0}}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand casing = {0}, made;
    along.point_count = 3, along.points = points;
    cord_status status = cord_world_add_path(w, &along, &waypoints[1].path);
    rod_def.vertex_count = 2, rod_def.positions = x;
    rod_def.material = (cord_material){1000, 1e6, 0.5};
    rod_def.section = (cord_section){.kind = CORD_SECTION_CIRCLE, .radius = 0.01};
    if (status == CORD_OK) status = cord_world_add_strand(w, &rod_def, &casing);
    at.source = CORD_SOURCE_STRAND, at.strand = casing, at.s = 0.2;
    if (status == CORD_OK) status = cord_world_add_point(w, &at, &waypoints[2].point);
    def.waypoint_count = 4, def.waypoints = waypoints;
    if (status == CORD_OK) status = cord_world_add_cable(w, &def, &made);
    for (int k = 0; k < 3 && status == CORD_OK; k++) status = cord_world_step(w, 0.001);
    return status;
}

static void memory_may_run_out(void **unused)
{
    (void)unused;
    failing_allocator_run(small_program, 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bowden),
        cmocka_unit_test(tube_on_a_body),
        cmocka_unit_test(casing_and_filament),
        cmocka_unit_test(filament_falls_through),
        cmocka_unit_test(sheath_goes),
        cmocka_unit_test(tubes_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
