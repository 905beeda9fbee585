/* Sliding points in motion, on every model: keyholes, pearls, slip knots; energy, momentum, friction, closed forms. */
#include "math/vec3.h"
#include "support/scenes.h"
#include "support/sliding.h"
#include "support/test.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, gravity = 9.81;
static const double none[3] = {0, 0, 0};
static const integration tr_bdf2 = {"tr_bdf2", CORD_IMPLICIT, CORD_TR_BDF2},
                         euler = {"euler", CORD_IMPLICIT, CORD_BACKWARD_EULER},
                         midpoint = {"midpoint", CORD_MIDPOINT, CORD_TR_BDF2};

/* ---- keyholes and pearls --------------------------------------------------------------------- */

/* A rope falls through a keyhole in the world. */
static void keyholes_keep_energy(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(k->tangent ? &midpoint : &tr_bdf2, k->closed ? 0 : gravity);
    cord_strand rope = sliding_strand(w, k, 1e6);
    double L = scene_length(w, rope), worst = 0, low = L, high = 0, v[3 * SLIDING_VERTICES];
    for (int i = 0; k->closed && i < SLIDING_VERTICES; i++) /* a ring runs through the keyhole */
        v3_set(v + 3 * i, -sin(2 * pi * i / SLIDING_VERTICES), cos(2 * pi * i / SLIDING_VERTICES),
               0);
    if (k->closed) assert_fine(w, cord_strand_set_velocities(w, rope, v));
    cord_constraint hold;
    cord_point p = sliding_keyhole(w, rope, 0.395 * L, 0, &hold);
    scene_advance(w, 1e-3, 1); /* velocities are made consistent first */
    cord_energy e0 = scene_energy(w);
    int pieces = 0, last = -1;
    for (int i = 0; i < 220; i++) {
        scene_advance(w, 1e-3, 1);
        double s = scene_coordinate(w, p, NULL);
        int piece = (int)floor(s / L * (k->elements ? k->elements : SLIDING_VERTICES - 1));
        pieces += piece != last;
        last = piece;
        low = fmin(low, s), high = fmax(high, s);
        if (!k->closed && (s < 0.02 * L || s > 0.95 * L)) break;
        cord_energy e = scene_energy(w);
        worst = fmax(worst, fabs(e.total - e0.total) / (fabs(e0.kinetic) + fabs(e.kinetic)));
        if (k->tangent) assert_true(scene_gap(w, hold) < (k->elements ? 1e-7 : 1e-12));
    }
    print_message("%s%s: %d pieces, %g of %g m, energy %.1e\n", k->model, k->closed ? " ring" : "",
                  pieces, high - low, L, worst);
    assert_true(pieces > (strcmp(k->model, "segment") == 0 ? 0 : 1));
    /* the curvature of helices jumps between elements; sliding across a corner loses some energy */
    assert_true(worst < (!k->tangent ? 2e-3 : strcmp(k->model, "helix") == 0 ? 5e-6 : 1e-9));
    cord_world_destroy(w);
}

/* A ball slides along a hanging rope, and back. */
static void pearls_keep_energy(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_strand rope = sliding_strand(w, k, 1e6);
    double L = scene_length(w, rope), worst = 0, low = L, high = 0;
    scene_hang(w, rope, 0);
    scene_hang(w, rope, k->closed ? 0.5 * L : L);
    cord_constraint hold;
    cord_point p = sliding_point(w, rope, 0.2 * L, 0);
    sliding_pearl(w, p, 0.012, &hold);
    cord_energy e0 = scene_energy(w), e;
    double span = 0;
    for (int i = 0; i < 400; i++) {
        scene_advance(w, 1e-3, 1);
        double s = scene_coordinate(w, p, NULL);
        low = fmin(low, s), high = fmax(high, s);
        e = scene_energy(w);
        span = fmax(span, e.kinetic);
        worst = fmax(worst, fabs(e.total - e0.total));
        if (k->tangent) assert_true(scene_gap(w, hold) < (k->elements ? 1e-7 : 1e-12));
    }
    print_message("%s%s: pearl over %g m, energy %.1e of %g J\n", k->model,
                  k->closed ? " ring" : "", high - low, worst / span, span);
    assert_true(high - low > (k->closed ? 0.05 : 0.15) * L);
    bool helix = strcmp(k->model, "helix") == 0, clothoid = strcmp(k->model, "clothoid") == 0;
    assert_true(worst < (clothoid ? 5e-6 : helix ? 2e-8 : 1e-9) * span);
    cord_world_destroy(w);
}

/* Free in space: a rope with a pearl that slides on it. */
static void pearls_keep_momentum(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&tr_bdf2, 0);
    cord_strand rope = sliding_strand(w, k, 1e6);
    cord_point p = sliding_point(w, rope, 0.3, 0);
    cord_body ball = sliding_pearl(w, p, 0.01, NULL);
    assert_fine(w, cord_body_set_velocity(w, ball, (const double[3]){0.4, 0.1, -0.3}, none));
    scene_advance(w, 5e-4, 1);
    cord_momentum m0, m;
    assert_fine(w, cord_world_get_momentum(w, &m0));
    double s0 = scene_coordinate(w, p, NULL);
    scene_advance(w, 5e-4, 200);
    assert_fine(w, cord_world_get_momentum(w, &m));
    assert_true(fabs(scene_coordinate(w, p, NULL) - s0) > 0.02);
    double size = v3_norm(m0.linear);
    assert_true(size > 1e-3);
    assert_all_close(m.linear, m0.linear, 3, 1e-8 * size);
    assert_all_close(m.angular, m0.angular, 3, 1e-5 * size);
    cord_world_destroy(w);
}

/* Friction is the only force along the strand. */
static void friction_is_the_only_force_along(void **given)
{
    const sliding_kind *k = *given;
    for (int rough = 0; rough < 2; rough++) {
        double friction = rough ? 0.05 : 0;
        cord_world *w = scene_world_under(&euler, gravity);
        cord_strand rope = sliding_strand(w, k, 1e6);
        cord_constraint hold;
        cord_point p = sliding_keyhole(w, rope, 0.3, friction, &hold);
        scene_advance(w, 5e-4, 200);
        double before = scene_coordinate(w, p, NULL), F[3], rate;
        double tangent[3], J[3 * JACOBIAN_DOFS_MAX], slope[3 * JACOBIAN_DOFS_MAX];
        scene_advance(w, 1e-4, 1);
        double s = scene_coordinate(w, p, &rate);
        assert_fine(w, cord_constraint_get_force(w, hold, F, NULL));
        const point *own = w->points.item[p.index - 1];
        const block *b = w->problem.block[own->block];
        sliding_jacobian j = {.J = J, .J_s = slope};
        b->ops->sliding->jacobian(b->model, w->problem.now.q + b->q0, w->problem.cache + b->cache0,
                                  own->element, s, &j);
        v3_copy(tangent, j.r_s);
        assert_true(v3_norm(F) > 0.02 && (k->closed || fabs(rate) > 0.005));
        assert_close(v3_dot(F, tangent), friction * (s - before) / 1e-4, 1e-6 * v3_norm(F));
        cord_world_destroy(w);
    }
}

/* The energy loss of midpoint is friction × rate², exactly. */
static void friction_takes_its_work(void **given)
{
    const sliding_kind *k = *given;
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_strand rope = sliding_strand(w, k, 1e6);
    const double friction = 0.05, h = 1e-3;
    cord_point p = sliding_keyhole(w, rope, 0.35, friction, NULL);
    scene_advance(w, h, 1);
    double e0 = scene_energy(w).total, lost = 0, s = scene_coordinate(w, p, NULL), kinetic = 0;
    for (int i = 0; i < 200; i++) {
        scene_advance(w, h, 1);
        double next = scene_coordinate(w, p, NULL);
        lost += friction * (next - s) * (next - s) / h;
        s = next;
        kinetic = fmax(kinetic, scene_energy(w).kinetic);
    }
    assert_true(lost > 0.01 * kinetic);
    assert_close(e0 - scene_energy(w).total, lost, 1e-7 * kinetic);
    cord_world_destroy(w);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* A limp rope over a pulley, modelled by frictionless keyholes round a half circle: with y the
 * half difference of the hanging lengths, ÿ = 2 g y / L, as a chain slides off a table with
 * twice the gravity: y = y₀ cosh(t √(2g/L)). */
static void rope_over_a_pulley(void **given)
{
    (void)given;
    enum { EDGES = 120, HOLES = 13 };
    const double L = 1, r = 0.08, y0 = 0.08, h = 1e-3, arc = pi * r;
    double x[3 * EDGES + 3], natural[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++) { /* s from the top */
        double s = L * i / EDGES - (0.5 - y0) * L, a = s / r;
        natural[3 * i] = L * i / EDGES;
        if (fabs(s) <= 0.5 * arc)
            v3_set(x + 3 * i, r * sin(a), 0, r * cos(a));
        else
            v3_set(x + 3 * i, s > 0 ? r : -r, 0, 0.5 * arc - fabs(s));
    }
    cord_world *w = scene_world_under(&midpoint, gravity);
    cord_strand_def def = cord_strand_def_default();
    cord_strand rope;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.1,
                                 .bending = {1e-5, 1e-5},
                                 .twisting = 1e-5,
                                 .radius = 1e-3};
    assert_fine(w, cord_world_add_strand(w, &def, &rope));
    double length = scene_length(w, rope), rate = sqrt(2 * gravity / length), worst = 0, last = 0;
    cord_point p = {0};
    for (int i = 0; i < HOLES; i++) {
        double s = (0.5 - y0) * L + arc * ((double)i / (HOLES - 1) - 0.5);
        cord_point one = sliding_keyhole(w, rope, s, 0, NULL);
        if (i == HOLES / 2) p = one;
    }
    double e0 = 0, start = scene_coordinate(w, p, NULL);
    cord_energy e = {0};
    for (int i = 1; y0 * cosh(i * h * rate) < 0.3; i++) {
        scene_advance(w, h, 1);
        last = y0 * cosh(i * h * rate);
        worst = fmax(worst, fabs(y0 + start - scene_coordinate(w, p, NULL) - last));
        e = scene_energy(w);
        if (i == 1) e0 = e.total; /* the first step corrects the lengths of the chords of the arc */
    }
    print_message("pulley: to %g L, off by %.1e L, energy %.1e of %g J\n", last, worst,
                  fabs(e.total - e0) / e.kinetic, e.kinetic);
    assert_true(last > 0.28);
    assert_true(worst < 0.01);
    assert_true(fabs(e.total - e0) < 1e-9 * e.kinetic);
    cord_world_destroy(w);
}

/* A bead on the middle of a taut string: with k = ω/c, 2 T k cot(k L/2) = m ω². */
static void bead_on_a_string(void **given)
{
    (void)given;
    enum { EDGES = 40 };
    const double L = 1, T = 5, mass = 0.05, EA = 1e5;
    double x[3 * EDGES + 3] = {0}, natural[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++) {
        x[3 * i] = L * i / EDGES;
        natural[3 * i] = x[3 * i] / (1 + T / EA);
    }
    cord_world *w = scene_world_under(&midpoint, 0);
    cord_strand_def def = cord_strand_def_default();
    cord_strand string;
    def.vertex_count = EDGES + 1;
    def.positions = x;
    def.natural_positions = natural;
    def.stretch = CORD_STRETCH_ELASTIC;
    def.section = (cord_section){.kind = CORD_SECTION_EXPLICIT,
                                 .mass = 0.02,
                                 .stretching = EA,
                                 .bending = {1e-6, 1e-6},
                                 .twisting = 1e-6,
                                 .radius = 1e-3};
    assert_fine(w, cord_world_add_strand(w, &def, &string));
    scene_hang(w, string, 0);
    scene_hang(w, string, scene_length(w, string));
    cord_point p = sliding_point(w, string, 0.5 * scene_length(w, string), 0);
    double radius = cbrt(3 * mass / (4 * pi * 2000));
    cord_body ball = sliding_pearl(w, p, radius, NULL);
    double low = 1e-3, high = pi / L, c = sqrt(T / 0.02);
    while (high - low > 1e-12) {
        double k = 0.5 * (low + high);
        if (2 * T * k / tan(k * L / 2) > mass * k * k * c * c)
            low = k;
        else
            high = k;
    }
    double omega = low * c, h = 2 * pi / omega / 400, at[3], before = 0;
    /* started in the shape of the mode: sin(k x) up to the middle */
    double v[3 * EDGES + 3] = {0};
    for (int i = 0; i <= EDGES; i++)
        v[3 * i + 2] = 1e-3 * sin(low * fmin(x[3 * i], L - x[3 * i])) / sin(low * L / 2);
    assert_fine(w, cord_strand_set_velocities(w, string, v));
    assert_fine(w, cord_body_set_velocity(w, ball, (const double[3]){0, 0, 1e-3}, none));
    int crossings = 0;
    double when[6];
    for (int i = 1; crossings < 6 && i < 4000; i++) {
        scene_advance(w, h, 1);
        assert_fine(w, cord_point_get_pose(w, p, at, NULL));
        if (before * at[2] < 0) when[crossings++] = (i - at[2] / (at[2] - before)) * h;
        before = at[2];
    }
    assert_int_equal(crossings, 6);
    double measured = 5 * pi / (when[5] - when[0]);
    print_message("bead: ω %.6f, %.6f expected\n", measured, omega);
    assert_close(measured, omega, 2e-4 * omega);
    assert_close(scene_coordinate(w, p, NULL), 0.5 * scene_length(w, string), 1e-6);
    cord_world_destroy(w);
}

/* ---- slip knot ------------------------------------------------------------------------------- */

/* The end of a rope slides along the rope itself; pulled, the loop closes. */
static void slip_knot(void **given)
{
    (void)given;
    enum { EDGES = 48 };
    double x[3 * EDGES + 3], circle = 0.6 / (2 * pi);
    for (int i = 0; i <= EDGES; i++) { /* straight to 0.4 m, then once round */
        double s = 1.0 * i / EDGES, a = (s - 0.4) / circle;
        if (s < 0.4)
            v3_set(x + 3 * i, s, 0, 0);
        else
            v3_set(x + 3 * i, 0.4 + circle * sin(a), circle * (1 - cos(a)), 0);
    }
    for (int flies = 0; flies < 2; flies++) {
        cord_world *w = scene_world_under(flies ? &midpoint : &tr_bdf2, 0);
        cord_strand_def def = cord_strand_def_default();
        cord_strand rope;
        def.vertex_count = EDGES + 1;
        def.positions = x;
        def.section.radius = 2e-3;
        def.material.young = 1e6;
        assert_fine(w, cord_world_add_strand(w, &def, &rope));
        cord_point end = scene_point(w, rope, scene_length(w, rope));
        cord_point p = sliding_point(w, rope, 0.4, 0);
        cord_constraint knot = scene_constraint(w, CORD_COINCIDE, p, end);
        if (!flies) { /* pulled at the start, steadily */
            double times[2] = {0, 0.5}, by[6] = {0, 0, 0, -0.15, 0, 0};
            cord_point_def hand = cord_point_def_default();
            hand.motion = (cord_keys){2, times, by, CORD_EASE_SMOOTH};
            scene_constraint(w, CORD_COINCIDE, scene_point(w, rope, 0), scene_add_point(w, &hand));
            scene_hang(w, rope, 0.7); /* the far side of the loop stays */
            scene_advance(w, 1e-3, 500);
            assert_true(scene_coordinate(w, p, NULL) > 0.4 + 0.1); /* the loop is smaller */
        } else {
            double v[3 * EDGES + 3] = {0};
            for (int i = 0; i < 10; i++) v[3 * i] = -0.5;
            assert_fine(w, cord_strand_set_velocities(w, rope, v));
            scene_advance(w, 1e-3, 1);
            cord_momentum m0, m;
            double e0 = scene_energy(w).total;
            assert_fine(w, cord_world_get_momentum(w, &m0));
            scene_advance(w, 1e-3, 150);
            assert_fine(w, cord_world_get_momentum(w, &m));
            assert_true(fabs(scene_coordinate(w, p, NULL) - 0.4) > 0.02);
            assert_all_close(m.linear, m0.linear, 3, 1e-5 * v3_norm(m0.linear));
            assert_close(scene_energy(w).total, e0, 1e-6 * e0);
        }
        assert_true(scene_gap(w, knot) < 1e-12);
        cord_world_destroy(w);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        ON_EVERY(keyholes_keep_energy),     ON_EVERY(pearls_keep_energy),
        ON_EVERY(pearls_keep_momentum),     ON_EVERY(friction_is_the_only_force_along),
        ON_OPEN(friction_takes_its_work),   cmocka_unit_test(rope_over_a_pulley),
        cmocka_unit_test(bead_on_a_string), cmocka_unit_test(slip_knot),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
