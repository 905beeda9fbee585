/* Cables: equations of motion against differences of energies, rows against differences, and machines whose
 * motion is known. */
#include "math/rotation.h"
#include "support/cable_bench.h"
#include "support/scenes.h"
#include "support/test.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

/* ---- derivatives ------------------------------------------------------------------------------- */

static bool lumps; /* whether the cable of crowd() has lumped masses at its nodes */

/* All kinds at once: nodes fixed, free, on circles, cylinders, spheres and lines of two bodies
 * and the world. */
static cord_strand crowd_of(cord_world *w, double stretching, double drag, bool closed)
{
    cord_body first = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = bench_still(w, 0, 0, 1, NULL)},
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_on(w, first, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER,
         .on = bench_on(w, second, 0, 0.1, 0.3, other),
         .radius = 0.25},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_still(w, 3, 0.5, 0, tilt), .radius = 0.4},
        {.kind = CORD_GUIDE_LINE, .on = bench_on(w, second, 0.2, 0, 0, tilt)},
    };
    cord_cable_node nodes[] = {
        {.guide = 0, .s = 0},
        {.guide = -1, .at = {0.2, 0.1, 0.5}, .s = 0.7},
        {.guide = 1, .at = {0.3}, .s = 1.4, .eulerian = true, .tangent = -1},
        {.guide = 1, .at = {1.9}, .s = 2.0, .eulerian = true, .tangent = 1},
        {.guide = -1, .at = {1.2, 0.2, 0.1}, .s = 3.0, .eulerian = true},
        {.guide = 2, .at = {0.5, 0.1}, .s = 4.0, .eulerian = true, .tangent = -1},
        {.guide = 2, .at = {3.5, 0.2}, .s = 5.1, .eulerian = true, .tangent = 1},
        {.guide = 3, .at = {-1, 0.2}, .s = 6.4, .eulerian = true, .tangent = -1},
        {.guide = 3, .at = {0.5, 0.4}, .s = 7.2, .eulerian = true, .tangent = 1},
        {.guide = 4, .at = {0.3}, .s = 8.5, .eulerian = true},
        {.guide = -1, .at = {3, 1, 1}, .s = 9.7},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true; /* its lengths are any */
    cord_strand made;
    def.density = 0.7;
    def.stretching = stretching;
    def.drag = drag;
    def.bending = 0.02;
    def.lumped = lumps;
    for (int k = 2; k < 10 && lumps; k += 2) nodes[k].eulerian = false;
    def.guide_count = sizeof guides / sizeof *guides, def.guides = guides;
    def.node_count = sizeof nodes / sizeof *nodes, def.nodes = nodes;
    def.closed = closed && !lumps, def.length = 12.5;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    return made;
}

static cord_strand crowd(cord_world *w, double stretching, double drag)
{
    return crowd_of(w, stretching, drag, false);
}

static void with_crowd(double stretching, bool closed, void (*check)(const bench *t))
{
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    bench t;
    put_up(w, crowd_of(w, stretching, 0, closed), &t);
    check(&t);
    cord_world_destroy(w);
}

static void potentials(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) {
        with_crowd(0, closed, bench_potentials);
        with_crowd(300, closed, bench_potentials);
    }
}

static void motion(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) with_crowd(0, closed, bench_motion);
}

static void rows(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) with_crowd(0, closed, bench_rows);
}

static void masses(void **unused)
{
    (void)unused;
    for (int closed = 0; closed < 2; closed++) with_crowd(300, closed, bench_masses);
}

/* With a little drag, arcs are integrated by quadrature: it agrees with their closed form, to
 * the precision of four points on a quarter circle. Rows evaluated alone are those of the full
 * evaluation. */
static void closed_forms(void **unused)
{
    (void)unused;
    enum { EXTRAS = 4000 };
    static double r[2][100], g[3][100], extras[2][EXTRAS];
    static int as_listed[EXTRAS];
    block_energy energy[2];
    for (int k = 0; k < EXTRAS; k++) as_listed[k] = k;
    for (int quadrature = 0; quadrature < 2; quadrature++) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        bench t;
        put_up(w, crowd(w, 0, quadrature ? 1e-30 : 0), &t);
        assert_true(t.c->layout.band_width < 0 &&
                    t.b->shape.extra_entries <= EXTRAS); /* all are listed */
        local_matrix matrix = {.values = extras[quadrature], .extra_slot = as_listed};
        block_eval in = {.environment = &t.env,
                         .q = t.q,
                         .cache = t.cache,
                         .side = t.side,
                         .v = t.v,
                         .a = t.a,
                         .lambda = t.lambda,
                         .c_a = 100,
                         .c_v = 10,
                         .c_k = 1};
        t.b->ops->assemble(t.c, &in, r[quadrature], g[quadrature], &matrix);
        energy[quadrature] = energy_of(&t, t.q, t.v);
        in.rows_only = true;
        double none[100];
        t.b->ops->assemble(t.c, &in, none, g[2], NULL);
        for (int k = 0; k < t.c->layout.rows; k++) assert_close(g[2][k], g[0][k], 1e-12);
        for (int k = 0; k < t.c->layout.dofs; k++) assert_close(none[k], 0, 0);
        if (quadrature)
            for (int k = 0; k < t.c->layout.dofs; k++)
                assert_close(r[1][k], r[0][k], 1e-8 * (1 + fabs(r[0][k])));
        cord_world_destroy(w);
    }
    assert_close(energy[1].kinetic, energy[0].kinetic, 1e-6);
    assert_close(energy[1].gravity, energy[0].gravity, 1e-6);
    for (int k = 0; k < 3; k++) {
        assert_close(energy[1].linear[k], energy[0].linear[k], 1e-6);
        assert_close(energy[1].angular[k], energy[0].angular[k], 1e-6);
    }
    for (int k = 0; k < EXTRAS; k++)
        assert_close(extras[1][k], extras[0][k], 1e-6 * (1 + fabs(extras[0][k])));
}

/* The tangent stiffness of a straight segment as the carriers of its ends translate and rotate. */
static void stiffness(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body first = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = bench_on(w, first, 0.2, -0.1, 0.3, NULL)},
        {.kind = CORD_GUIDE_LINE, .on = bench_on(w, second, 0.1, 0.3, 0.2, tilt)},
        {.kind = CORD_GUIDE_SPAN,
         .on = bench_on(w, first, -0.1, 0.2, 0.1, NULL),
         .to = bench_on(w, second, -0.3, 0.1, 0.2, NULL)}};
    const cord_cable_node nodes[] = {{.guide = 0, .s = 0},
                                     {.guide = 1, .at = {0.3}, .s = 1.2, .eulerian = true},
                                     {.guide = 2, .at = {0.4}, .s = 1.9, .eulerian = true}};
    cord_cable_def def = cord_cable_def_default();
    cord_strand made;
    bench t;
    def.density = 0.7, def.stretching = 300;
    def.guides = guides, def.guide_count = 3, def.nodes = nodes, def.node_count = 3;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    put_up(w, made, &t);
    bench_stiffness(&t);
    cord_world_destroy(w);
}

/* And of segments on guides and next to them, whose weight changes along the path. */
static void stiffness_on_guides(void **unused)
{
    (void)unused;
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    cord_body first = bench_box(w, 1, 0.5, 0, 0), second = bench_box(w, 2, 2, 0.3, -0.2);
    static const double tilt[3] = {0.4, -0.3, 0.7}, other[3] = {-0.5, 0.2, 0.1};
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_CIRCLE, .on = bench_on(w, first, 0.1, 0.2, 0, tilt), .radius = 0.3},
        {.kind = CORD_GUIDE_CYLINDER,
         .on = bench_on(w, second, 0, 0.1, 0.3, other),
         .radius = 0.25},
        {.kind = CORD_GUIDE_SPHERE, .on = bench_still(w, 3, 0.5, 0, tilt), .radius = 0.4}};
    const cord_cable_node nodes[] = {
        {.guide = -1, .at = {0.2, 0.1, 0.5}},
        {.guide = 0, .at = {0.3}, .s = 0.7, .eulerian = true},
        {.guide = 0, .at = {1.9}, .s = 1.2, .eulerian = true}, /* in closed form */
        {.guide = 0, .at = {2.2}, .s = 1.3, .eulerian = true},
        {.guide = 1, .at = {0.5, 0.1}, .s = 2.8, .eulerian = true},
        {.guide = 1, .at = {3.5, 0.2}, .s = 3.5, .eulerian = true},
        {.guide = 2, .at = {-1, 0.2}, .s = 4.4, .eulerian = true},
        {.guide = 2, .at = {0.5, 0.4}, .s = 5, .eulerian = true},
        {.guide = -1, .at = {3, 1, 1}, .s = 6},
    };
    cord_cable_def def = cord_cable_def_default();
    def.pushes = true;
    cord_strand made;
    bench t;
    def.density = 0.7, def.stretching = 3;
    def.guides = guides, def.guide_count = 3;
    def.nodes = nodes, def.node_count = sizeof nodes / sizeof *nodes;
    assert_fine(w, cord_world_add_cable(w, &def, &made));
    assert_fine(w, cord__world_ready(w));
    put_up(w, made, &t);
    bench_stiffness(&t);
    cord_world_destroy(w);
}

/* The same for lumped masses, on every kind of guide; the total mass is that of the cable. */
static void lumped_masses(void **unused)
{
    lumps = true;
    potentials(unused);
    motion(unused);
    rows(unused);
    masses(unused);
    cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
    const cable *c = cord__get_strand(w, crowd(w, 0, 0))->block.model;
    double all = 0;
    for (int i = 0; i < c->layout.elements; i++) all += c->layout.element[i].mass;
    assert_close(all, 0.7 * 9.7, 1e-12);
    cord_world_destroy(w);
    lumps = false;
}

/* ---- machines ------------------------------------------------------------------------------------ */

/* Two weights over a pulley that rotates with the rope, or over which it slides. */
typedef struct atwood {
    cord_world *w;
    cord_body weight[2];
    cord_strand rope;
    cord_point rotation;
    double mass[2], density, radius, length, inertia;
} atwood;

static atwood make_atwood(cord_integrator integrator, bool grip, double stretching)
{
    atwood t = {.mass = {1, 1.5}, .density = 0.3, .radius = 0.2};
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    cord_world *w = t.w = scene_world_in(integrator, 9.81);
    t.length = 3 + pi * t.radius;
    for (int k = 0; k < 2; k++)
        t.weight[k] = bench_box(w, t.mass[k], k ? t.radius : -t.radius, 0, k ? -1 : -2);
    cord_body_def def = cord_body_def_default();
    cord_body wheel;
    def.shape = (cord_shape){.kind = CORD_SHAPE_CYLINDER, .radius = t.radius, .length = 0.05};
    def.mass = 2;
    t.inertia = grip ? 0.5 * 2 * t.radius * t.radius : 0;
    cord__rotation_exp(def.frame, upright);
    assert_fine(w, cord_world_add_body(w, &def, &wheel));
    cord_point axle = bench_still(w, 0, 0, 0, upright), center = bench_on(w, wheel, 0, 0, 0, NULL);
    scene_constraint(w, CORD_COINCIDE, center, axle);
    scene_constraint(w, CORD_PARALLEL, center, axle);
    cord_point_def rotation = cord_point_def_default();
    rotation.source = CORD_SOURCE_REVOLUTE, rotation.measured = center, rotation.reference = axle;
    assert_fine(w, cord_world_add_point(w, &rotation, &t.rotation));
    const cord_guide guides[] = {
        {.kind = CORD_GUIDE_POINT, .on = bench_on(w, t.weight[0], 0, 0, 0, NULL)},
        {.kind = CORD_GUIDE_CIRCLE, .on = axle, .radius = t.radius},
        {.kind = CORD_GUIDE_POINT, .on = bench_on(w, t.weight[1], 0, 0, 0, NULL)}};
    const cord_cable_node nodes[] = {
        {.guide = 0, .s = 0},
        {.guide = 1, .at = {pi}, .s = 2, .eulerian = true, .tangent = -1},
        {.guide = 1, .s = 2 + pi * t.radius, .eulerian = true, .tangent = 1},
        {.guide = 2, .s = t.length}};
    const cord_wrap wrap = {
        .segment = 1, .friction_law = CORD_WRAP_NO_SLIP, .rotation = t.rotation};
    cord_cable_def rope = cord_cable_def_default();
    rope.density = t.density;
    rope.stretching = stretching;
    rope.guide_count = 3, rope.guides = guides;
    rope.node_count = 4, rope.nodes = nodes;
    rope.wrap_count = grip, rope.wraps = &wrap;
    assert_fine(w, cord_world_add_cable(w, &rope, &t.rope));
    return t;
}

/* ÿ = g ((m₂ − m₁) + λ(2y − 1))/M: y = y₀ (cosh ωt − 1). */
static void atwood_machine(void **unused)
{
    (void)unused;
    static const cord_integrator integrators[] = {CORD_IMPLICIT, CORD_MIDPOINT};
    for (int i = 0; i < 4; i++) {
        atwood t = make_atwood(integrators[i / 2], i % 2, 0);
        double all =
            t.mass[0] + t.mass[1] + t.density * t.length + t.inertia / (t.radius * t.radius);
        double omega = sqrt(2 * 9.81 * t.density / all);
        double y0 = ((t.mass[1] - t.mass[0]) - t.density) / (2 * t.density), x[3], angle;
        cord_energy before, after;
        assert_fine(t.w, cord_world_get_energy(t.w, &before));
        scene_advance(t.w, 0.005, 100);
        double y = y0 * (cosh(0.5 * omega) - 1);
        assert_fine(t.w, cord_body_get_pose(t.w, t.weight[1], x, NULL));
        assert_close(-1 - x[2], y, 1e-5 * y);
        assert_fine(t.w, cord_world_get_energy(t.w, &after));
        if (i / 2) assert_close(after.total, before.total, 1e-10);
        assert_fine(t.w, cord_point_get_coordinate(t.w, t.rotation, &angle, NULL));
        assert_close(angle, i % 2 ? (x[2] + 1) / t.radius : 0, 1e-9);
        cord_world_destroy(t.w);
    }
}

/* Two weights on a rope over a pulley that does not rotate, with friction; the speed of the
 * second after a while, and the ratio of the tensions on both sides of the pulley. */
static double on_a_capstan(cord_integrator integrator, double friction, int turns, double heavier,
                           double stretching, double *ratio)
{
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    cord_world *w = scene_world_in(integrator, 9.81);
    const double radius = 0.1;
    cord_waypoint waypoints[3] = {
        {.kind = CORD_WAYPOINT_ANCHOR},
        {.kind = CORD_WAYPOINT_PULLEY,
         .point = bench_still(w, 0, 0, 0, upright),
         .radius = radius,
         .side = -1,
         .turns = turns,
         .friction_law = CORD_WRAP_CAPSTAN,
         .friction = friction},
        {.kind = CORD_WAYPOINT_ANCHOR},
    };
    cord_body weight[2];
    for (int k = 0; k < 2; k++) {
        weight[k] = bench_box(w, k ? heavier : 1, k ? radius : -radius, 0, -2);
        waypoints[2 * k].point = bench_on(w, weight[k], 0, 0, 0, NULL);
    }
    cord_cable_def rope = cord_cable_def_default();
    cord_strand made;
    rope.density = 1e-6; /* next to nothing */
    rope.stretching = stretching;
    rope.damping = stretching > 0 ? 1e-3 : 0;
    rope.waypoint_count = 3, rope.waypoints = waypoints;
    assert_fine(w, cord_world_add_cable(w, &rope, &made));
    double before, after, v[2][3];
    cord_counters settled, last;
    for (int k = 0; k < 60; k++) {
        assert_fine(w, cord_world_step(w, 0.005));
        if (k != 19) continue;
        assert_fine(w, cord_body_get_velocity(w, weight[1], v[0], NULL));
        assert_fine(w, cord_world_get_counters(w, &settled));
    }
    assert_fine(w, cord_world_get_counters(w, &last));
    assert_int_equal(last.heap_calls, settled.heap_calls);
    assert_fine(w, cord_body_get_velocity(w, weight[1], v[1], NULL));
    assert_fine(w, cord_cable_get_wrap(w, made, 1, NULL, NULL, &before, &after));
    *ratio = after / before;
    cord_world_destroy(w);
    return -(v[1][2] - v[0][2]) / 0.2;
}

/* It slips when the ratio of the tensions exceeds e^{μφ}, and then the ratio is just that;
 * otherwise it sticks. */
static void capstan(void **unused)
{
    (void)unused;
    static const struct {
        double friction;
        int turns;
        double heavier, stretching;
    } cases[] = {{0.2, 0, 2.5, 0}, {0.2, 0, 1.5, 0},   {0.2, 0, 0.3, 0},   {0.3, 1, 1000, 0},
                 {0.3, 1, 3, 0},   {0.01, 0, 1.05, 0}, {0.2, 0, 2.5, 1e6}, {0.3, 2, 20000, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int midpoint = 0; midpoint < 2; midpoint++) {
            double most = exp(cases[i].friction * pi * (1 + 2 * cases[i].turns)), ratio;
            double heavier = cases[i].heavier, expected = 0, grows = heavier;
            if (heavier > most) expected = 9.81 * (heavier - most) / (heavier + most), grows = most;
            if (heavier * most < 1)
                expected = -9.81 * (1 - heavier * most) / (1 + heavier * most), grows = 1 / most;
            double rate = on_a_capstan(midpoint ? CORD_MIDPOINT : CORD_IMPLICIT, cases[i].friction,
                                       cases[i].turns, heavier, cases[i].stretching, &ratio);
            bool elastic = cases[i].stretching > 0;
            assert_close(rate, expected, elastic ? 0.05 : 1e-4);
            if (!elastic) assert_close(ratio, grows, 1e-5 * grows);
        }
}

/* An elastic rope without slip on a pulley, weights at both ends: on the pulley it keeps the
 * strain of the span it came from, and unwraps shorter or longer. */
static void rope_creeps_over_a_pulley(void **unused)
{
    static const double upright[3] = {3.14159265358979323846 / 2, 0, 0};
    (void)unused;
    for (int way = -1; way <= 1; way += 2) {
        cord_world *w = scene_world_in(CORD_IMPLICIT, 9.81);
        const double radius = 0.1, stretching = 1000, rate = 5, mass[2] = {1, 3};
        cord_point_def flywheel = cord_point_def_default();
        cord_waypoint waypoints[3] = {{.kind = CORD_WAYPOINT_ANCHOR},
                                      {.kind = CORD_WAYPOINT_PULLEY,
                                       .point = bench_still(w, 0, 0, 0, upright),
                                       .radius = radius,
                                       .side = -1,
                                       .friction_law = CORD_WRAP_NO_SLIP},
                                      {.kind = CORD_WAYPOINT_ANCHOR}};
        cord_body weight[2];
        for (int k = 0; k < 2; k++) {
            weight[k] = bench_box(w, mass[k], k ? radius : -radius, 0, -5);
            waypoints[2 * k].point = bench_on(w, weight[k], 0, 0, 0, NULL);
        }
        flywheel.source = CORD_SOURCE_FLYWHEEL, flywheel.inertia = 1;
        assert_fine(w, cord_world_add_point(w, &flywheel, &waypoints[1].rotation));
        cord_constraint_def motor = cord_constraint_def_default();
        motor.kind = CORD_SLIDE, motor.first = waypoints[1].rotation, motor.length = 0;
        motor.drive_rate[0] = way * rate;
        scene_relate(w, &motor);
        cord_cable_def rope = cord_cable_def_default();
        cord_strand made;
        rope.density = 1e-4, rope.stretching = stretching, rope.damping = 0.2, rope.tension = 20;
        rope.waypoint_count = 3, rope.waypoints = waypoints;
        assert_fine(w, cord_world_add_cable(w, &rope, &made));
        double x[2][2][3], on_pulley;
        for (int i = 0; i < 600; i++) {
            assert_fine(w, cord_world_step(w, 0.005));
            for (int k = 0; k < 2 && (i == 299 || i == 599); k++)
                assert_fine(w, cord_body_get_pose(w, weight[k], x[i == 599][k], NULL));
        }
        assert_fine(w, cord_cable_get_tension(w, made, 1, 0.5, &on_pulley));
        int from = way < 0 ? 0 : 1; /* the one that goes up */
        assert_close(on_pulley, 9.81 * mass[from], 0.03 * 9.81 * mass[from]);
        double speed[2];
        for (int k = 0; k < 2; k++) speed[k] = fabs(x[1][k][2] - x[0][k][2]) / 1.5;
        assert_close(speed[from], rate * radius, 2e-3 * speed[from]);
        double ratio = (1 + 9.81 * mass[1] / stretching) / (1 + 9.81 * mass[0] / stretching);
        assert_close(speed[1] / speed[0], ratio, 0.1 * (ratio - 1));
        cord_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(potentials),
        cmocka_unit_test(motion),
        cmocka_unit_test(rows),
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(masses),
        cmocka_unit_test(lumped_masses),
        cmocka_unit_test(stiffness),
        cmocka_unit_test(stiffness_on_guides),
        cmocka_unit_test(atwood_machine),
        cmocka_unit_test(capstan),
        cmocka_unit_test(rope_creeps_over_a_pulley),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
